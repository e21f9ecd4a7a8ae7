"""Simulated experts, cohorts, fingerprints, calibration and planning."""

import pickle

import numpy as np
import pytest

import ifd
from conftest import CLASSES, World


def labelled(seed, cases):
    draw = np.random.default_rng(seed)
    labels = draw.integers(3, size=cases)
    features = np.eye(3)[labels] * 3 + draw.normal(size=(cases, 3))
    proba = np.exp(features) / np.exp(features).sum(axis=1, keepdims=True)
    return ifd.Predictions(
        proba, classes=CLASSES, labels=labels, features=features, cases=[f"{seed}-{i}" for i in range(cases)]
    )


def test_simulation_keeps_its_promises():
    made = ifd.simulate(
        {"ann": "flat:0.9/0.2/0.99", "bob": "variable:dog"}, labelled(0, 300), labelled(1, 3000), context_per_class=20
    )
    assert made.accuracies.shape == (3000, 2, 3)
    ann = made.report["experts"][0]
    assert [round(part["accuracy"], 1) for part in ann["classes"]] == [0.9, 0.2, 1.0]
    assert made.staff.names == ["ann", "bob"] and made.staff["ann"].answers().tolist() == [20] * 3
    assert len(made.context_predictions) == 60 and len(made.training_answers) == 300
    again = ifd.simulate(
        ["ann=flat:0.9/0.2/0.99", "bob=variable:dog"], labelled(0, 300), labelled(1, 3000), context_per_class=20
    )
    assert again == made == pickle.loads(pickle.dumps(made))
    result = ifd.evaluate(
        ["plug-in", "ceiling"], labelled(1, 3000), made.answers, staff=made.staff, accuracies=made.accuracies,
        bootstrap=0,
    )
    assert result.aursac["ceiling"] >= result.aursac["plug-in"] - 0.01


@pytest.mark.parametrize("experts", [["ann"], ["ann=x:y"], ["ann=flat:2/1/1"], {"a": "variable:cow"}, [3]])
def test_experts_that_are_refused(experts):
    with pytest.raises((ifd.Error, TypeError)):
        ifd.simulate(experts, labelled(0, 30), labelled(1, 30))


def test_features_are_asked_for(world):
    with pytest.raises(ifd.BadInput, match="^training: no features"):
        ifd.simulate(["ann=variable:dog"], world.predictions, world.predictions)


def test_cohorts():
    inside, outside = ifd.cohort(CLASSES, 1, seed=3)
    assert sorted(inside + outside) == CLASSES and len(inside) == 1
    assert ifd.cohort(CLASSES, 1, seed=3) == (inside, outside)
    with pytest.raises(ifd.Error):
        ifd.cohort(3, 9)


def test_contexts_are_drawn_by_name():
    cases = labelled(0, 100)
    rows = ifd.sample_contexts(cases, per_class=5, seed=1)
    assert np.bincount(cases.labels[rows]).tolist() == [5, 5, 5]
    turned = cases[::-1]
    drawn = {turned.cases[i] for i in ifd.sample_contexts(turned, per_class=5, seed=1)}
    assert drawn == {cases.cases[i] for i in rows}
    with pytest.raises(ifd.Error):
        ifd.sample_contexts(cases, per_class=1000)


def annotations():
    draw = np.random.default_rng(5)
    rows = []
    for person in range(12):
        skill = 0.9 if person < 8 else 0.2
        for image in range(60):
            truth = image % 3
            answer = truth if draw.random() < skill else (truth + 1) % 3
            rows.append({"participant": f"p{person}", "image": f"i{image}", "truth": truth, "answer": answer})
    return rows


def test_fingerprints_find_the_unskilled():
    told = ifd.fingerprint(annotations(), classes=CLASSES)
    assert sorted(told["low_skill"]) == ["p10", "p11", "p8", "p9"]
    with pytest.raises(ifd.BadInput, match="no column 'image'"):
        ifd.fingerprint([{"participant": 1}], classes=CLASSES)


def test_specialists_of_real_answers():
    cases = ifd.Predictions(
        np.full((60, 3), 1 / 3), classes=CLASSES, cases=[f"i{i}" for i in range(60)], labels=np.arange(60) % 3
    )
    answers = ifd.sample_annotations(annotations(), cases, {"catty": ["cat"]}, high=1, low=0)
    right = answers.codes[:, 0] == cases.labels
    assert right[cases.labels == 0].mean() > 0.9 > 0.1 > right[cases.labels != 0].mean()


def test_calibration_improves_the_fit():
    world = World(1, cases=2000)
    sharp = world.proba**3 / (world.proba**3).sum(axis=1, keepdims=True)
    cases = ifd.Predictions(sharp, classes=CLASSES, labels=world.labels)
    for kind in ("temperature", "bias"):
        fitted = ifd.calibrate(cases, kind=kind)
        assert fitted.temperature == pytest.approx(3, rel=0.2)
        before, after = ifd.calibration_quality(cases), ifd.calibration_quality(fitted(cases))
        assert after["log_loss"] < before["log_loss"] and after["ece"] < before["ece"]
        assert pickle.loads(pickle.dumps(fitted)) == fitted
    with pytest.raises(ifd.BadInput):
        ifd.calibrate(cases, kind="x")
    for unlabelled in (ifd.Predictions(sharp), ifd.Predictions(np.zeros((0, 2)), labels=[])):
        for function in (ifd.calibrate, ifd.calibration_quality):
            with pytest.raises(ifd.BadInput, match="^cases: there are no labels; expected labelled cases$"):
                function(unlabelled)


def test_plans():
    plan = ifd.plan_peak([0.9, 0.7, 0.6])
    assert plan["needed"] <= plan["bound"] and plan["needed_succeeds"] > 0.9
    plan = ifd.plan_prior(prior_mean=0.9, accuracy=0.5)
    assert plan["needed"] <= plan["bound"]
    with pytest.raises(ifd.Error):
        ifd.plan_peak([0.9])


def test_policies_that_are_no_files(tmp_path):
    (tmp_path / "p.ifd").write_bytes(b"nothing of the kind")
    with pytest.raises(ifd.CorruptFile):
        ifd.read_policy(tmp_path / "p.ifd")
    with pytest.raises(ifd.CorruptFile):
        ifd.Policy.from_bytes(b"")
