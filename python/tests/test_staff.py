"""Staff: the fold of all answers, whatever table they come in."""

import copy
import pickle

import numpy as np
import pytest

import ifd
from conftest import CLASSES, World

ROWS = [("ann", "1", "cat", "cat"), ("ann", "2", "dog", "cat"), ("bob", "1", "cat", "cat")]


def test_every_kind_of_table_is_the_same_staff(tmp_path):
    columns = {name: [row[i] for row in ROWS] for i, name in enumerate(["expert", "case", "answer", "truth"])}
    staff = ifd.Staff.from_answers(ROWS, classes=CLASSES)
    assert ifd.Staff.from_answers(columns, classes=CLASSES) == staff
    assert ifd.Staff.from_answers({k: np.array(v) for k, v in columns.items()}, classes=CLASSES) == staff
    assert ifd.Staff.from_answers([dict(zip(columns, row)) for row in ROWS], classes=CLASSES) == staff
    wide = {"case": ["1", "2"], "truth": ["cat", "cat"], "ann": ["cat", "dog"], "bob": ["cat", None]}
    assert ifd.Staff.from_answers(wide, classes=CLASSES) == staff
    staff.write_answers(tmp_path / "context.csv")
    assert ifd.Staff.from_answers(tmp_path / "context.csv", classes=CLASSES) == staff


def test_data_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=["expert", "case", "answer", "truth"])
    assert ifd.Staff.from_answers(frame, classes=CLASSES) == ifd.Staff.from_answers(ROWS, classes=CLASSES)


def test_names_that_csv_would_stumble_over():
    rows = [("a,b", 'quo"te', "cat", "cat"), ("c;d\te", "new\nline", "dog", "dog")]
    staff = ifd.Staff.from_answers(rows, classes=CLASSES)
    assert staff.names == ["a,b", "c;d\te"]


def test_posterior_by_hand():
    # Beta(1, 1) with one of two right, Section 4.1 of the paper.
    ann = ifd.Staff.from_answers(ROWS, classes=CLASSES)["ann"]
    assert ann.mean.tolist() == [0.5, 0.5, 0.5]
    alpha, beta = ann.posterior
    assert alpha.tolist() == [2, 1, 1] and beta.tolist() == [2, 1, 1]
    assert ann.answers().tolist() == [2, 0, 0] and ann.correct().tolist() == [1, 0, 0]
    low, high = ann.interval(0.9)[1]
    assert (low, high) == (pytest.approx(0.05), pytest.approx(0.95))
    with pytest.raises(ifd.BadInput, match="^mass: "):
        ann.interval(1.5)


def test_updates_commute_and_are_taken_back():
    one = ifd.Staff.from_answers(ROWS, classes=CLASSES)
    before = copy.copy(one)
    one.update("ann", answer="owl", truth="owl")
    one.update("bob", answer="dog", truth="owl", case="9")
    other = copy.deepcopy(before)
    other.update("bob", answer="dog", truth="owl", case="9")
    other.update("ann", answer=2, truth=2)
    assert one == other != before
    one.forget("bob", answer="dog", truth="owl", case="9")
    one.forget("ann", answer="owl", truth="owl")
    assert one == before
    with pytest.raises(ifd.NotFound):
        one.forget("ann", answer="owl", truth="owl")
    with pytest.raises(ifd.Conflict):
        one.update("ann", answer="cat", truth="cat", case="1")


def test_who_is_there():
    staff = ifd.Staff(CLASSES)
    staff.add("ann", prior=(8, 2))
    staff.add("bob", prior=[(1, 1), (2, 1), (1, 2)])
    assert staff["ann"].mean.tolist() == [0.8] * 3 and list(staff) == ["ann", "bob"]
    assert "ann" in staff and "zoe" not in staff and 3 not in staff and len(staff) == 2
    staff.set_on_duty("bob", False)
    assert not staff["bob"].on_duty
    staff.remove("ann")
    assert staff.names == ["bob"]
    with pytest.raises(KeyError) as missing:
        staff["zoe"]
    assert str(missing.value) == "'zoe' is not an expert; expected one of bob"
    for prior in ((0, 1), [(1, 1)], "ab", (1, 2, 3), [(1, "x")] * 3):
        with pytest.raises(ifd.BadInput):
            staff.add("new", prior=prior)
    assert staff.names == ["bob"]


def test_priors_from_a_table():
    priors = {"expert": ["*"], "class": ["*"], "mean": [0.8], "strength": [10]}
    staff = ifd.Staff.from_answers(ROWS, classes=CLASSES, priors=priors)
    assert staff["ann"].mean[1] == pytest.approx(0.8)


def test_truths_of_the_majority():
    rows = [(e, "1", a) for e, a in (("a", "cat"), ("b", "cat"), ("c", "dog"))]
    staff = ifd.Staff.from_answers(rows, classes=CLASSES, truth="majority")
    assert staff["c"].correct().sum() == 0 and staff["a"].correct().tolist() == [1, 0, 0]
    with pytest.raises(ifd.BadInput, match="truth: 'x'; expected gold, row, others, majority or dawid-skene"):
        ifd.Staff.from_answers(rows, classes=CLASSES, truth="x")


def test_kept_and_read(tmp_path):
    staff = World().staff
    staff.save(tmp_path / "staff.roster")
    assert ifd.Staff.load(tmp_path / "staff.roster") == staff
    assert ifd.Staff.from_bytes(staff.to_bytes()) == staff
    assert pickle.loads(pickle.dumps(staff)) == staff
    profile = staff["ann"]
    assert pickle.loads(pickle.dumps(profile)) == profile == copy.deepcopy(profile)
    with pytest.raises(ifd.CorruptFile):
        ifd.Staff.from_bytes(staff.to_bytes()[:-1])


def test_agreement_mistakes_and_needs():
    rows = [(e, str(i), "cat" if e == "a" or i % 2 else "dog", "cat") for e in "ab" for i in range(20)]
    staff = ifd.Staff.from_answers(rows, classes=CLASSES)
    (pair,) = staff.agreement()["pairs"]
    assert (pair["first"], pair["second"], pair["shared"], pair["agreed"]) == ("a", "b", 20, 10)
    assert staff.mistakes("b") == [{"truth": "cat", "answer": "dog", "count": 10, "of": 20}]
    needs = staff.needs(enough=15, most=2)
    assert needs["cells"] == 4 and len(needs["first"]) == 2


@pytest.mark.parametrize(
    "table", [None, 3, "no such file.csv", [1, 2], [("a",)], {"a": 3}, {"a": [1], "b": []}, [{}], b"x"], ids=repr
)
def test_what_is_no_table_is_refused(table):
    with pytest.raises(ifd.Error):
        ifd.Staff.from_answers(table, classes=CLASSES)


def test_the_staff_speaks_for_somebody_new():
    rows = [(name, f"{name}{i}", "cat" if i % 10 else "dog", "cat") for name in "abcdefgh" for i in range(20)]
    staff = ifd.Staff.from_answers(rows, classes=CLASSES)
    staff.add("new", prior="staff")
    assert (staff["new"].mean > 0.7).all()
    believed = ifd.Staff.from_answers(rows[:141], classes=CLASSES, staff_prior=True)
    # h has one answer, a wrong one: 1/3 by itself, and better on a staff that is right nine times in ten.
    assert believed["h"].mean[0] > 0.5 > ifd.Staff.from_answers(rows[:141], classes=CLASSES)["h"].mean[0]
    first, *_, last = staff.outlook()
    assert first["answers"] == 0 and last["answers"] == 20 and first["low"] < first["mean"] < first["high"]
    with pytest.raises(ifd.BadInput, match="interval: 1"):
        staff.outlook(interval=1)


def test_computed_truths_are_remembered():
    rows = [(name, f"x{i}", "cat" if i % 3 else "dog") for name in "abc" for i in range(12)]
    rows = [{"expert": e, "case": c, "answer": a} for e, c, a in rows]
    table = {key: [row[key] for row in rows] for key in ("expert", "case", "answer")}
    staff = ifd.Staff.from_answers(table, classes=CLASSES, truth="dawid-skene")
    assert staff.truth == "dawid-skene"
    assert pickle.loads(pickle.dumps(staff)).truth == "dawid-skene"
    assert staff.copy().truth == ifd.Router("plug-in", staff).copy().staff.truth == "dawid-skene"
    assert ifd.Staff.from_answers(ROWS, classes=CLASSES).truth == "given"
