"""Evaluations: numbers by hand, anybody's margins, and plain values all the way."""

import copy
import json
import pickle

import numpy as np
import pytest

import ifd
from conftest import CLASSES, World


@pytest.fixture(scope="module")
def result():
    world = World()
    mine = np.random.default_rng(4).normal(size=(200, 3))
    return ifd.evaluate(
        [world.router(), "confidence", ("mine", mine)], world.predictions, world.answers, bootstrap=200
    )


def test_verdict_and_table(result):
    assert result.answer in ("helps", "not sure", "hurts", "nothing deferred")
    assert result.verdict and all(isinstance(line, str) for line in result.verdict)
    assert result.policies == ["plug-in", "confidence", "mine"] == list(result.aursac)
    rows = result.table()
    assert [row["policy"] for row in rows] == result.policies
    assert [row["aursac"] for row in rows] == list(result.aursac.values())
    assert list(result.differences) == ["confidence", "mine"]
    document = json.loads(result.to_json())
    assert document == result.to_dict() and document["schema"] == "ifd evaluation 1"


def test_curve_by_hand():
    # Two cases: the model is right on the first alone, the expert on both.
    cases = ifd.Predictions([[0.9, 0.1], [0.6, 0.4]], labels=[0, 1])
    staff = ifd.Staff(["0", "1"])
    staff.add("ann")
    answers = ifd.Answers([[0], [1]], experts=["ann"], cases=cases)
    margins = np.array([[0.0], [1.0]])
    result = ifd.evaluate([("given", margins)], cases, answers, staff=staff, bootstrap=0)
    budget, accuracy = result.curve("given")
    assert budget.tolist() == [0, 0.5, 1] and accuracy.tolist() == [0.5, 1, 1]
    assert result.aursac == {"given": 0.875}
    with pytest.raises(ifd.BadInput, match="expected one of given"):
        result.curve("none")


def test_order_of_policies_is_kept(world):
    mine = np.zeros((200, 3))
    result = ifd.evaluate([mine, "plug-in"], world.predictions, world.answers, staff=world.staff, bootstrap=10)
    assert result.policies == ["margins", "plug-in"] and list(result.differences) == ["plug-in"]


def test_a_router_and_its_margins_are_the_same(world):
    router = world.router("peak-rule")
    result = ifd.evaluate(
        [router, ("copy", router.margins(world.predictions))], world.predictions, world.answers, bootstrap=20
    )
    assert result.aursac["peak-rule"] == result.aursac["copy"]
    assert result.differences["copy"]["value"] == 0


def test_routers_of_other_settings_are_compared(world):
    result = ifd.evaluate(
        [world.router(), ("logit", world.router(scale="logit"))], world.predictions, world.answers, bootstrap=0
    )
    alone = ifd.evaluate(world.router(scale="logit"), world.predictions, world.answers, bootstrap=0)
    assert result.aursac["logit"] == alone.aursac["plug-in"]


def test_pickle_copy_and_compare(result, tmp_path):
    for twin in (pickle.loads(pickle.dumps(result)), copy.copy(result), copy.deepcopy(result)):
        assert twin == result and twin.to_json() == result.to_json()
        assert twin.table() == result.table() and twin.svg() == result.svg()
        for policy in result.policies:
            for mine, theirs in zip(twin.expert_curve(policy), result.expert_curve(policy)):
                assert np.array_equal(mine, theirs, equal_nan=True)
        twin.report(tmp_path / "twin.html")
        result.report(tmp_path / "report.html")
        assert (tmp_path / "twin.html").read_bytes() == (tmp_path / "report.html").read_bytes()
    assert (tmp_path / "report.html").read_text().startswith("<!DOCTYPE html>")
    with pytest.raises(ifd.StorageError, match="no such folder.*report.html"):
        result.report(tmp_path / "no such folder" / "report.html")


def test_what_the_router_learns_later_is_not_told(world, tmp_path):
    router = world.router()
    result = ifd.evaluate(router, world.predictions, world.answers, bootstrap=0)
    result.report(tmp_path / "before.html")
    before = result.to_json()
    for _ in range(50):
        router.observe("ann", answer="cat", truth="owl")
    router.add_expert("new")
    result.report(tmp_path / "after.html")
    assert (tmp_path / "after.html").read_bytes() == (tmp_path / "before.html").read_bytes()
    assert result.to_json() == before


def test_to_pandas(result):
    pytest.importorskip("pandas")
    table = result.to_pandas()
    assert table.index.tolist() == result.policies and table.loc["mine", "aursac"] == result.aursac["mine"]


def test_answers_in_every_shape(world):
    cases, router = world.predictions, world.router()
    rows = [(e, n, CLASSES[world.codes[i, j]]) for i, n in enumerate(world.names) for j, e in enumerate(world.experts)]
    wide = {"case": world.names, **{e: [CLASSES[c] for c in world.codes[:, j]] for j, e in enumerate(world.experts)}}
    expected = ifd.evaluate(router, cases, world.answers, bootstrap=0)
    for answers in (rows, wide, ifd.Answers.from_table(rows, cases=cases)):
        assert ifd.evaluate(router, cases, answers, bootstrap=0) == expected


def test_missing_answers(world):
    codes = world.codes.astype(object)
    codes[0, 0] = None
    codes[1, 1] = -1
    codes[2, 2] = float("nan")
    answers = ifd.Answers(codes, experts=world.experts, cases=world.predictions)
    assert (answers.codes == -1).sum() == 3
    with pytest.raises(ifd.BadInput, match="3 answers are missing"):
        ifd.evaluate(world.router(), world.predictions, answers)
    ifd.evaluate(world.router(), world.predictions, answers, missing="off-duty", bootstrap=0)


def test_truths_may_come_with_the_answers(world):
    bare = ifd.Predictions(world.proba, classes=CLASSES, cases=world.names)
    rows = [
        (e, n, CLASSES[world.codes[i, j]], CLASSES[world.labels[i]])
        for i, n in enumerate(world.names)
        for j, e in enumerate(world.experts)
    ]
    given = ifd.evaluate(world.router(), bare, rows, bootstrap=0)
    assert given.aursac == ifd.evaluate(world.router(), world.predictions, world.answers, bootstrap=0).aursac
    with pytest.raises(ifd.BadInput, match="the truth of some cases is not known"):
        ifd.evaluate(world.router(), bare, [row[:3] for row in rows])


def test_groups_capacities_and_targets(world):
    groups = [i // 4 for i in range(200)]
    result = ifd.evaluate(
        world.router(), world.predictions, world.answers, groups=groups, target=0.9, threshold=0.1,
        capacity={"ann": 10}, budgets=[0.3], bootstrap=50,
    )
    document = result.to_dict()
    assert document["groups"] == 50 and document["capacities"]["total"] == 200
    assert document["policies"][0]["at_threshold"]["threshold"] == 0.1


def test_oracle_and_ceiling(world):
    ones = np.ones((200, 3, 3), dtype=np.float32)
    result = ifd.evaluate(
        ["oracle", "ceiling"], world.predictions, world.answers, staff=world.staff, accuracies=ones, bootstrap=0
    )
    assert result.aursac["oracle"] >= result.aursac["ceiling"]


@pytest.mark.parametrize(
    "options",
    [
        {"policies": []},
        {"policies": ["plug-in"]},
        {"policies": ["plug-in", "plug-in"], "staff": World().staff},
        {"policies": ["no such"], "staff": World().staff},
        {"policies": [np.zeros((3, 3))], "staff": World().staff},
        {"policies": [np.zeros(3)], "staff": World().staff},
        {"policies": [np.full((200, 3), np.nan)], "staff": World().staff},
        {"answers": None},
        {"answers": World(cases=3).answers},
        {"budgets": [2]},
        {"d_min": 0.5, "d_max": 0.1},
        {"bootstrap": 10**7},
        {"groups": [1]},
        {"target": 2},
        {"missing": "x"},
        {"blank": "x"},
        {"accuracies": [1]},
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_is_refused(world, options):
    asked = {"policies": world.router(), "cases": world.predictions, "answers": world.answers, "bootstrap": 0}
    with pytest.raises(ifd.Error) as refused:
        ifd.evaluate(**{**asked, **options})
    assert "\n" not in str(refused.value)
