"""A watch in Python is that of the command, and fed answer by answer it finds the same."""

import copy
import csv
import json
import pickle

import numpy as np
import pytest

import ifd

CLASSES = ["cat", "dog", "owl"]


def answers(seed, count, accuracy, first=0, name="ann"):
    draw = np.random.default_rng(seed)
    rows = []
    for i in range(count):
        truth = int(draw.integers(3))
        right = draw.random() < accuracy[truth]
        said = truth if right else (truth + 1 + int(draw.integers(2))) % 3
        rows.append((name, f"{name}-{first + i}", CLASSES[said], CLASSES[truth]))
    return rows


@pytest.fixture(scope="module")
def tables():
    good, worse = [0.95, 0.9, 0.9], [0.95, 0.4, 0.9]
    old = answers(1, 240, good) + answers(2, 240, good, name="bob")
    new = answers(3, 150, good, 1000) + answers(4, 250, worse, 2000) + answers(5, 300, good, 1000, "bob")
    return old, new


def write(path, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([("expert", "case", "answer", "truth"), *rows])
    return path


def test_is_that_of_the_command(tables, command, tmp_path):
    old, new = write(tmp_path / "old.csv", tables[0]), write(tmp_path / "new.csv", tables[1])
    for words, options in [([], {}), (["--false-alarms", "0.2", "--seed", "3"], {"false_alarms": 0.2, "seed": 3}),
                           (["--classes", "cat,dog,owl"], {"classes": CLASSES})]:
        expected = json.loads(command("watch", "--context", old, "--answers", new, "--json", *words))
        assert ifd.watch(old, new, **options) == expected
        assert ifd.watch(tables[0], tables[1], **options) == expected
    ann, bob = expected["experts"]
    assert ("worse", "dog") in {(found["kind"], found["class"]) for found in ann["findings"]}
    assert bob["findings"] == [] and 0 < bob["visible_fall"] < 1


def test_stream_finds_the_same(tables):
    old, new = tables
    whole = ifd.watch(old, new, classes=CLASSES)
    watch = ifd.Watch(ifd.Staff.from_answers(old, classes=CLASSES))
    revealed = []
    for name, _, answer, truth in new:
        revealed += watch.observe(name, answer=answer, truth=truth)
    found = [{key: value for key, value in row.items() if not key.endswith("_case")}
             for expert in whole["experts"] for row in expert["findings"]]
    assert watch.findings == found
    assert [(row["kind"], row["class"]) for row in revealed] == [(row["kind"], row["class"]) for row in found]
    assert [expert["p"] for expert in watch.experts] == [expert["p"] for expert in whole["experts"]]


def feed(watch, rows):
    for name, case, answer, truth in rows:
        watch.observe(name, answer=answer, truth=truth, case=case)
    return watch


def test_pickle_copy_and_compare(tables, tmp_path):
    """Interrupted at any place or not at all, a watch finds the same, to the last bit."""
    old, new = tables
    whole = feed(ifd.Watch(ifd.Staff.from_answers(old, classes=CLASSES)), new)
    half = feed(ifd.Watch(ifd.Staff.from_answers(old, classes=CLASSES)), new[:200])
    half.save(tmp_path / "half.watch")
    twins = [pickle.loads(pickle.dumps(half)), copy.copy(half), copy.deepcopy(half), half.copy(),
             ifd.Watch.from_bytes(half.to_bytes()), ifd.Watch.load(tmp_path / "half.watch")]
    for twin in twins:
        assert twin == half and twin is not half and twin != whole
        feed(twin, new[200:])
        assert twin == whole and twin != half
        assert twin.findings == whole.findings and twin.experts == whole.experts
    assert half.findings != whole.findings
    assert half != ifd.Watch(ifd.Staff.from_answers(old, classes=CLASSES), false_alarms=0.1)
    assert repr(whole) == f"<ifd.Watch: 2 experts, {len(new)} new answers, {len(whole.findings)} found>"


def test_file_is_that_of_the_command(tables, command, tmp_path):
    old, new = tables
    words = ("watch", "--context", write(tmp_path / "old.csv", old), "--json", "--state", tmp_path / "kept.watch")
    command(*words, "--answers", write(tmp_path / "monday.csv", new[:300]))
    watch = feed(ifd.Watch.load(tmp_path / "kept.watch"), new[300:])
    told = json.loads(command(*words, "--answers", write(tmp_path / "tuesday.csv", new[300:])))
    assert ifd.Watch.load(tmp_path / "kept.watch") == watch
    assert told == ifd.watch(old, new)
    assert [expert["p"] for expert in watch.experts] == [expert["p"] for expert in told["experts"]]
    watch.save(tmp_path / "kept.watch")
    assert json.loads(command("watch", "--json", "--state", tmp_path / "kept.watch")) == told


def test_refuses(tmp_path):
    with pytest.raises(ifd.Error, match="more than 0, less than 1"):
        ifd.Watch(ifd.Staff(CLASSES), false_alarms=1)
    with pytest.raises(ifd.BadInput, match="half-life"):
        ifd.Staff.from_answers([("ann", 1, "cat", "cat")], classes=CLASSES, half_life=0)
    (tmp_path / "cut.watch").write_bytes(ifd.Watch(ifd.Staff(CLASSES)).to_bytes()[:-5])
    with pytest.raises(ifd.CorruptFile, match="cut.watch"):
        ifd.Watch.load(tmp_path / "cut.watch")
