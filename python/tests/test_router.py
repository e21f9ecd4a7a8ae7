"""Router and routes: the rule, the state, and what is said of a case."""

import copy
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

import ifd
from conftest import CLASSES, World

GOLDEN = Path(__file__).parents[2] / "tests/golden"


def test_threshold_rule_by_hand(world):
    cases, router = world.predictions, world.router()
    margins = router.margins(cases)
    best, who = router.best(cases)
    assert np.array_equal(margins.max(axis=1), best)
    routes = router.route(cases, threshold=0.1)
    assert np.array_equal(routes.deferred, best >= 0.1)
    assert np.array_equal(routes.expert, np.where(best >= 0.1, who, -1))
    assert np.array_equal(routes.margin, best)
    assert np.array_equal(routes.label, world.proba.argmax(axis=1))


def test_plug_in_margin_by_hand(world):
    # sum_y rho_y mu_y - max rho, in doubles.
    staff = world.staff
    means = np.array([staff[name].mean for name in world.experts])
    rho = world.proba.astype(np.float64)
    expected = rho @ means.T - rho.max(axis=1, keepdims=True)
    assert np.allclose(world.router().margins(world.predictions), expected, atol=1e-6)


def test_budget_is_a_cap_and_can_be_filled(world):
    cases, router = world.predictions, world.router()
    assert router.route(cases, budget=0.2).deferred.sum() <= 40
    filled = router.route(cases, budget=1, fill_budget=True)
    assert filled.deferred.all()
    capped = router.route(cases, budget=1)
    assert np.array_equal(capped.deferred, capped.margin >= 0)


def test_capacities(world):
    cases = world.predictions
    limited = world.router(capacity={"ann": 3, "bob": 0, "cy": 2}).route(cases, budget=1, fill_budget=True)
    assert np.bincount(limited.expert + 1, minlength=4).tolist() == [195, 3, 0, 2]
    assert limited.threshold is None
    again = world.router().route(cases, budget=1, fill_budget=True, capacity={"ann": 3, "bob": 0, "cy": 2})
    assert again == limited


def test_calibrated_budget(world):
    cases, router = world.predictions, world.router()
    routes = router.route(cases, budget=0.2, calibration=cases, confidence=0.9)
    told = routes.calibrated
    assert told["threshold"] == routes.threshold and told["confidence"] == 0.9
    assert told["rate_low"] <= told["rate"] <= told["rate_high"]
    assert ifd.plan_threshold(router, cases, 0.2, confidence=0.9) == told


def test_duty(world):
    router = world.router(on_duty=["bob"])
    assert set(router.route(world.predictions, budget=1, fill_budget=True).expert) == {1}
    assert not router.is_on_duty("ann") and router.is_on_duty("bob")
    assert np.isneginf(router.margins(world.predictions)[:, 0]).all()
    router.set_on_duty("ann", True)
    assert np.array_equal(router.margins(world.predictions)[:, 0], world.router().margins(world.predictions)[:, 0])
    with pytest.raises(ifd.NotFound):
        world.router(on_duty=["zoe"])


def test_learning_is_exact_and_order_free(world):
    one, other = world.router(), world.router()
    before = one.route(world.predictions, budget=0.3)
    told = [("ann", "cat", "dog"), ("bob", "dog", "dog"), ("ann", "owl", "owl")] * 7
    for name, answer, truth in told:
        one.observe(name, answer=answer, truth=truth)
    for name, answer, truth in reversed(told):
        other.observe(name, answer=answer, truth=truth)
    assert one.route(world.predictions, budget=0.3) == other.route(world.predictions, budget=0.3) != before
    assert one == other
    for name, answer, truth in told:
        one.forget(name, answer=answer, truth=truth)
    assert one.route(world.predictions, budget=0.3) == before and one.staff == world.staff


def test_staff_follows(world):
    router = world.router()
    router.add_expert("dee", prior=(99, 1))
    assert set(router.route(world.predictions, budget=1, fill_budget=True).expert) == {3}
    router.remove_expert("dee")
    assert router.experts == world.experts
    twin = router.copy()
    twin.remove_expert("ann")
    assert router.experts == world.experts and twin.experts == world.experts[1:]


def test_pickle_copy_and_compare(world):
    cases = world.predictions
    for policy in ("plug-in", "peak-rule", "confidence", "random"):
        router = world.router(policy, seed=5, threads=2, scale="logit", ties="lowest-index",
                              on_duty=["ann", "cy"], capacity={"ann": 40})
        routes = router.route(cases, threshold=-1)
        for twin in (pickle.loads(pickle.dumps(router)), copy.copy(router), copy.deepcopy(router)):
            assert twin == router and twin.capacity == {"ann": 40} and twin.seed == 5
            assert twin.route(cases, threshold=-1) == routes
        assert pickle.loads(pickle.dumps(routes)) == routes == copy.copy(routes)
    assert world.router() != world.router(seed=1) and world.router() != world.router("confidence")


def test_threads_change_nothing(world):
    big = World(3, cases=3000)
    assert big.router(threads=1).route(big.predictions, budget=0.2) == big.router(threads=7).route(
        big.predictions, budget=0.2
    )


def test_calibration_on_the_context():
    world = World(2)
    names = sorted({row[1] for row in world.context})
    draw = np.random.default_rng(9)
    past = ifd.Predictions(draw.dirichlet([1] * 3, size=len(names)), classes=CLASSES, cases=names)
    router = world.router(calibrate="temperature", context_predictions=past)
    truth = {row[1]: row[3] for row in world.context}
    fitted = ifd.calibrate(past.with_labels([truth[name] for name in names]))
    assert router.calibration.temperature == pytest.approx(fitted.temperature)
    plain = world.router().margins(router.calibration(world.predictions))
    assert np.array_equal(router.margins(world.predictions), plain)
    assert pickle.loads(pickle.dumps(router)).calibration == router.calibration


@pytest.mark.parametrize("kind", ["temperature", "bias"])
def test_a_copy_of_a_router_that_has_learnt_decides_as_it_does(kind):
    """Answers alone leave a calibration on the context as it is, so a pickle may not fit it anew."""
    world = World(2)
    names = [*sorted({row[1] for row in world.context}), *(f"new-{i}" for i in range(30))]
    draw = np.random.default_rng(9)
    past = ifd.Predictions(draw.dirichlet([1] * 3, size=len(names)), classes=CLASSES, cases=names)
    router = world.router(calibrate=kind, context_predictions=past)
    for i in range(30):
        router.observe("ann", answer="cat", truth="owl", case=f"new-{i}")
    anew = router.copy()
    anew.recalibrate()
    assert anew.calibration != router.calibration and anew != router
    expected = router.margins(world.predictions)
    for twin in (pickle.loads(pickle.dumps(router)), router.copy(), router.with_options(threads=2)):
        assert twin.calibration == router.calibration and twin == router
        assert np.array_equal(twin.margins(world.predictions), expected)
        twin.recalibrate()
        assert twin.calibration == anew.calibration


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "route needs a budget, a threshold, both, or a certificate"),
        ({"budget": 1.5}, "budget: 1.5; expected a share of the cases, 0..1"),
        ({"budget": float("nan")}, None),
        ({"threshold": float("nan")}, "the threshold is NaN; expected a number"),
        ({"budget": 0.1, "capacity": {"zoe": 3}}, None),
        ({"budget": 0.1, "capacity": {"ann": -3}}, None),
        ({"budget": 0.1, "capacity": {"ann": 1.5}}, None),
        ({"budget": 0.1, "threshold": 0.1, "fill_budget": True}, None),
        ({"threshold": 0.1, "calibration": World().predictions}, None),
        ({"budget": 0.1, "calibration": World().predictions, "confidence": 2}, None),
    ],
    ids=lambda value: str(value)[:40],
)
def test_rules_that_are_refused(world, options, message):
    with pytest.raises(ifd.Error) as refused:
        world.router().route(world.predictions, **options)
    if message:
        assert str(refused.value) == message


def test_other_classes_are_refused(world):
    with pytest.raises(ifd.BadInput, match="^the cases: the classes are 0..2; expected cat, dog, owl$"):
        world.router().route(ifd.Predictions(world.proba), budget=0.1)


@pytest.mark.parametrize(
    "options",
    [{"scale": "x"}, {"ties": "x"}, {"precision": "x"}, {"calibrate": "x"}, {"calibrate": "bias"},
     {"capacity": {"zoe": 1}}, {"context_predictions": ifd.Predictions([[0.5, 0.5]])}],
    ids=str,
)
def test_routers_that_are_refused(world, options):
    with pytest.raises(ifd.Error):
        world.router(**options)


def test_amx_is_refused_where_there_is_none(world):
    if "amx_bf16" in open("/proc/cpuinfo").read():
        pytest.skip("this processor has AMX")
    with pytest.raises(ifd.Error, match="this processor has no AMX with bf16; expected one that has it"):
        world.router(GOLDEN / "policy_v1_plain.ifd", precision="amx")


@pytest.mark.parametrize("policy", ["no-such", "none.ifd", "oracle", 3, None, b"plug-in"], ids=repr)
def test_policies_that_are_refused(world, policy):
    with pytest.raises(ifd.Error):
        world.router(policy)


def test_no_cases(world):
    routes = world.router().route(ifd.Predictions(np.zeros((0, 3)), classes=CLASSES), budget=0.5)
    assert len(routes) == 0 and len(routes.expert) == 0 and routes.threshold == np.inf


def test_windows_of_routes_live_on(world):
    margin = world.router().route(world.predictions, budget=0.2).margin
    assert np.isfinite(margin).all() and not margin.flags.writeable


def test_to_pandas_and_csv(world, tmp_path):
    routes = world.router().route(world.predictions, budget=0.2)
    routes.to_csv(tmp_path / "routes.csv")
    pandas = pytest.importorskip("pandas")
    read = pandas.read_csv(tmp_path / "routes.csv", index_col="case", float_precision="round_trip")
    table = routes.to_pandas()
    assert table.columns.tolist() == read.columns.tolist()
    assert (table["margin"] == read["margin"]).all() and (table["decision"] == read["decision"]).all()
    assert table["expert"].fillna("").tolist() == read["expert"].fillna("").tolist()


def test_explanations(world):
    cases, router = world.predictions, world.router()
    routes = router.route(cases, budget=0.2)
    row = int(np.flatnonzero(routes.deferred)[0])
    told = routes.explain(row)
    name = routes.expert_names[routes.expert[row]]
    assert told.headline == f"case-{row}: goes to {name}" and told.why.startswith(told.headline)
    assert np.array_equal(told.margins, router.margins(cases)[row]) and told.states.shape == (3, 6)
    assert told.to_dict()["expert"] == name and told.flips
    assert routes.explain(f"case-{row}") == told == routes.explain(row - len(cases))
    assert router.explain(cases, row, budget=0.2) == told == pickle.loads(pickle.dumps(told))
    with pytest.raises(ifd.NotFound):
        routes.explain(len(cases))
    with pytest.raises(ifd.NotFound):
        routes.explain("none")
    router.observe("ann", answer="cat", truth="cat")
    with pytest.raises(ifd.Conflict, match="^the router has learnt since"):
        routes.explain(row)
    with pytest.raises(ifd.Conflict):
        pickle.loads(pickle.dumps(routes)).explain(row)


def test_explanations_within_capacities(world):
    """Told as without capacities, with a sentence on what they change."""
    cases = world.predictions
    free = world.router().route(cases, budget=0.3)
    tight = world.router(capacity={"ann": 3, "bob": 3}).route(cases, budget=0.3)
    assert (tight.expert != free.expert).any()
    for row in range(0, len(cases), 7):
        told = tight.explain(row)
        assert told.to_json() == free.explain(row).to_json()
        who = "the model keeps" if tight.expert[row] < 0 else f"{tight.expert_names[tight.expert[row]]} takes"
        same = tight.expert[row] == free.expert[row]
        assert told.sentences[-1] == f"Within the capacities {'it is the same.' if same else who + ' it.'}"
        assert free.explain(row).sentences == told.sentences[:-1]


def test_threads_share_a_router(world):
    cases, router = world.predictions, world.router()
    expected = router.route(cases, threshold=0.0)
    failures = []

    def route():
        for _ in range(50):
            if len(router.route(cases, threshold=0.0)) != len(expected):
                failures.append("length")

    def learn():
        for _ in range(50):
            router.observe("ann", answer="cat", truth="cat")
            router.forget("ann", answer="cat", truth="cat")

    threads = [threading.Thread(target=work) for work in (route, learn, route, learn)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and router.route(cases, threshold=0.0) == expected


def costs_by_hand(world, costs, fees):
    """Expected costs of the labels, and margins, in doubles."""
    rho = world.proba.astype(np.float64)
    of_labels = rho @ costs
    means = np.array([world.staff[name].mean for name in world.experts])
    mistakes = costs.sum(axis=1) / (len(CLASSES) - 1)
    asked = rho @ ((1 - means) * mistakes).T + fees
    return of_labels, of_labels.min(axis=1, keepdims=True) - asked


def test_costs_by_hand(world):
    costs = np.array([[0.0, 9, 5], [1, 0, 2], [3, 1, 0]])
    given = {(CLASSES[y], CLASSES[m]): costs[y, m] for y in range(3) for m in range(3) if y != m}
    fees = {name: 0.25 * j for j, name in enumerate(world.experts)}
    router = world.router(costs=given, fees=fees)
    of_labels, margins = costs_by_hand(world, costs, np.array(list(fees.values())))
    assert np.allclose(router.margins(world.predictions), margins, atol=1e-5)
    routes = router.route(world.predictions, threshold=0)
    assert np.array_equal(routes.label, of_labels.argmin(axis=1))
    assert not np.array_equal(routes.label, world.proba.argmax(axis=1))
    assert router.costs == given and router.fees == fees
    numbered = {(y, m): costs[y, m] for y in range(3) for m in range(3)}
    table = [("truth", "label", "cost"), *((CLASSES[y], CLASSES[m], costs[y, m]) for y in range(3) for m in range(3))]
    columns = {name: [row[i] for row in table[1:]] for i, name in enumerate(table[0])}
    for same in (numbered, columns):
        assert world.router(costs=same, fees=fees).route(world.predictions, threshold=0) == routes


def test_costs_are_copied_pickled_and_compared(world):
    router = world.router(costs={("*", "*"): 1, (CLASSES[0], "*"): 7.3}, fees={"ann": 0.1})
    assert pickle.loads(pickle.dumps(router)) == router == copy.copy(router)
    assert router != world.router() and router != world.router(costs={("*", "*"): 1})
    routes = router.route(world.predictions, budget=0.5)
    assert pickle.loads(pickle.dumps(router)).route(world.predictions, budget=0.5) == routes
    router.remove_expert("ann")
    assert pickle.loads(pickle.dumps(router)).route(world.predictions, budget=0.5) == router.route(
        world.predictions, budget=0.5
    )


def test_bad_costs(world):
    with pytest.raises(ifd.BadInput, match="no cost of"):
        world.router(costs={(CLASSES[0], CLASSES[1]): 1})
    with pytest.raises(ifd.BadInput, match="'zoe' is not an expert"):
        world.router(costs={("*", "*"): 1}, fees={"zoe": 1})
    with pytest.raises(ifd.BadInput, match="from .truth, label. to the cost"):
        world.router(costs={"cat": 1})
    with pytest.raises(ifd.Conflict, match="knows no costs"):
        world.router(policy="confidence", costs={("*", "*"): 1})
    with pytest.raises(ifd.Error, match="fees go with costs"):
        world.router(fees={"ann": 1})
