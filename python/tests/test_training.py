"""Training by the program that learns: the same policies as on the command line."""

import os
import pathlib
import pickle
import stat

import numpy as np
import pytest

import ifd
from conftest import CLASSES, World


@pytest.fixture(scope="module")
def learns():
    place = pathlib.Path(os.environ.get("IFD_COMMAND", ""))
    if not os.access(place.parent / "ifd-train", os.X_OK):
        pytest.skip("there is no ifd-train beside IFD_COMMAND")


def lesson(seed=0, cases=120):
    world = World(seed, cases=cases)
    draw = np.random.default_rng(seed)
    features = np.eye(3)[world.labels] + draw.normal(size=(cases, 3))
    labelled = ifd.Predictions(
        world.proba, classes=CLASSES, cases=world.names, labels=world.labels, features=features
    )
    rows = [
        (name, world.names[i], CLASSES[world.codes[i, j]], CLASSES[world.labels[i]])
        for i in range(0, cases, 2)
        for j, name in enumerate(world.experts)
    ]
    return labelled, rows, ifd.Answers(world.codes, experts=world.experts, cases=labelled)


def tensors(policy):
    return {entry["name"]: policy.tensor(entry["name"]).tolist() for entry in policy.to_dict()["tensors"]}


def test_a_policy_is_that_of_the_command_line(learns, command, tmp_path):
    training, rows, _ = lesson(0)
    validation, _, _ = lesson(1)
    heard = []
    policy = ifd.train(
        "ifd", training, validation, rows, epochs=2, threads=1, progress=heard.append, save=tmp_path / "one.ifd"
    )
    assert [entry["epoch"] for entry in heard if "loss" in entry] == [1, 2]
    training.write(tmp_path / "train.npz")
    validation.write(tmp_path / "val.npz")
    staff = ifd.Staff.from_answers(rows, classes=CLASSES)
    (tmp_path / "context.csv").write_text(
        "expert,case,answer,truth\n" + "".join(",".join(row) + "\n" for row in rows)
    )
    command(
        "train", "--method", "ifd", "--predictions", tmp_path / "train.npz", "--validation", tmp_path / "val.npz",
        "--context", tmp_path / "context.csv", "--epochs", "2", "--threads", "1", "--quiet", "--output", tmp_path / "two.ifd",
    )
    typed = ifd.read_policy(tmp_path / "two.ifd")
    assert tensors(policy) == tensors(typed) and policy.method == "ifd"

    router = ifd.Router(policy, staff)
    routes = router.route(training, budget=0.2)
    assert ifd.Router(tmp_path / "two.ifd", staff).route(training, budget=0.2) == routes
    (tmp_path / "one.ifd").unlink()  # a pickle carries the policy along
    twin = pickle.loads(pickle.dumps(router))
    assert twin.route(training, budget=0.2) == routes and twin == router
    result = ifd.evaluate(
        [router, "plug-in", ("typed", typed), ("file", tmp_path / "two.ifd")], training, lesson(0)[2], bootstrap=0
    )
    assert result.aursac["typed"] == result.aursac["file"] == next(iter(result.aursac.values()))


def test_a_baseline_with_every_answer(learns):
    training, rows, answers = lesson(0)
    validation, _, more = lesson(1)
    policy = ifd.train(
        "multi-expert", training, validation, rows, answers=answers, validation_answers=more, epochs=1, progress=None
    )
    staff = ifd.Staff.from_answers(rows, classes=CLASSES)
    assert len(ifd.Router(policy, staff).route(training, budget=0.1)) == len(training)


def test_refusals_are_those_of_the_program(learns):
    training, rows, answers = lesson(0)
    with pytest.raises(ifd.BadInput):
        ifd.train("no-such", training, training, rows, progress=None)
    with pytest.raises(ifd.BadInput):
        ifd.train("ifd", training, training, rows, epochs=0, progress=None)
    with pytest.raises(ifd.BadInput):
        ifd.train("ifd", training, training, rows, no_such_option=1, progress=None)
    with pytest.raises(ifd.BadInput, match="^context: "):
        ifd.train("ifd", training)


def test_what_progress_raises_ends_the_training(learns):
    training, rows, _ = lesson(0)

    class Enough(Exception):
        pass

    def stop(epoch):
        raise Enough

    with pytest.raises(Enough):
        ifd.train("ifd", training, training, rows, epochs=10_000, patience=10_000, progress=stop)


def test_a_classifier_of_vectors(learns, tmp_path):
    draw = np.random.default_rng(0)
    labels = draw.integers(3, size=300)
    vectors = (np.eye(3)[labels] * 4 + draw.normal(size=(300, 3))).astype(np.float32)
    classifier = ifd.train_classifier(vectors, labels, epochs=5, progress=None)
    predictions = classifier.predict(vectors)
    assert (predictions.predicted == labels).mean() > 0.9 and predictions.labels is None
    assert classifier.predict(vectors, labels=labels).labels.tolist() == labels.tolist()
    assert classifier.classes == ["0", "1", "2"]
    assert pickle.loads(pickle.dumps(classifier)) == classifier


def test_without_the_program_the_reason_is_said(monkeypatch, tmp_path):
    broken = tmp_path / "ifd"
    broken.write_text("#!/bin/sh\necho 'ifd: no such thing; expected another' >&2\nexit 3\n")
    broken.chmod(broken.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("IFD_COMMAND", str(broken))
    training, rows, _ = lesson(0)
    with pytest.raises(ifd.BadInput, match="^no such thing; expected another$"):
        ifd.train("ifd", training, training, rows, progress=None)
