"""Promises: what is certified, for whom it holds, and what is refused."""

import datetime
import pickle
import warnings

import pytest

import ifd
from conftest import World


@pytest.fixture(scope="module")
def large():
    return World(seed=3, cases=2000)


def certify(world, router=None, **asked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ifd.certify(router or world.router(), world.predictions, world.answers, **asked)


def test_a_certificate_tells_what_it_promises(large):
    made = certify(large, error=0.3, confidence=0.9, expires="2999-12-31")
    assert made.confidence == 0.9
    assert made.promises[0]["kind"] == "error" and made.promises[0]["limit"] == 0.3
    assert made.promises[0]["measured"] < 0.3
    low, high = made.deferral_interval
    assert low <= made.deferral <= high
    assert made.cases == 1600
    assert made.experts_on_duty == ["ann", "bob", "cy"]
    assert made.policy == "plug-in"
    assert made.date == datetime.date.today()
    assert made.expires == datetime.date(2999, 12, 31)
    assert str(made).startswith("system error <= 30 % with 90 % confidence, deferring ")
    assert repr(made) == f"<ifd.Certificate: {made}>"


def test_a_certificate_is_a_file_and_a_pickle(large, tmp_path):
    made = certify(large, error=0.3)
    made.write(tmp_path / "c.json")
    assert ifd.Certificate.read(tmp_path / "c.json") == made
    assert ifd.Certificate.from_json(made.to_json()) == made
    assert pickle.loads(pickle.dumps(made)) == made


def test_route_takes_it_for_the_router_it_was_made_with(large):
    router = large.router()
    made = certify(large, router, error=0.3)
    routes = router.route(large.predictions, certificate=made)
    assert routes.threshold == made.threshold
    assert routes == router.route(large.predictions, threshold=made.threshold)
    router.observe("ann", answer="cat", truth="cat")
    with pytest.raises(ifd.Conflict, match="answers that are known have changed"):
        router.route(large.predictions, certificate=made)
    with pytest.raises(ifd.Conflict, match="another roster"):
        large.router(on_duty=["ann"]).route(large.predictions, certificate=made)
    for beside in ({"budget": 0.2}, {"threshold": 0}, {"capacity": {"ann": 3}}, {"calibration": large.predictions}):
        with pytest.raises(ifd.BadInput, match="holds without"):
            large.router().route(large.predictions, certificate=made, **beside)


def test_an_expired_certificate_is_refused(large):
    router = large.router()
    made = certify(large, router, error=0.3, date="2020-01-01", expires=datetime.date(2020, 2, 1))
    with pytest.raises(ifd.Conflict, match="it held until 2020-02-01"):
        router.route(large.predictions, certificate=made)


def test_what_cannot_be_promised_says_why(large):
    with pytest.raises(ifd.NotCertified, match="it takes better experts or a better model"):
        certify(large, error=0.001)


def test_promises_for_classes_and_subgroups(large):
    sites = ["north" if i % 2 else "south" for i in range(2000)]
    made = certify(large, class_errors={"owl": 0.5}, subgroups=sites, subgroup_error=0.4)
    assert [promise["kind"] for promise in made.promises] == ["class", "subgroup", "subgroup"]
    assert {promise.get("name") for promise in made.promises} == {"owl", "north", "south"}


def test_bad_requests_are_refused(large):
    for asked in ({}, {"error": 0}, {"error": 2}, {"error": 0.1, "confidence": 1}, {"class_errors": {"cow": 0.1}},
                  {"error": 0.1, "expires": "tomorrow"}, {"error": 0.1, "groups": [1]}, {"error": "much"}):
        with pytest.raises(ifd.BadInput):
            certify(large, **asked)


def test_a_budget_is_kept_with_confidence(large):
    past, router = World(seed=4, cases=500).predictions, large.router()
    plain = router.route(large.predictions, budget=0.2, calibration=past, fill_budget=True)
    sure = router.route(large.predictions, budget=0.2, calibration=past, fill_budget=True, budget_confidence=0.95)
    batch = router.route(
        large.predictions, budget=0.2, calibration=past, fill_budget=True, budget_confidence=0.95, batch=100
    )
    assert batch.threshold > sure.threshold > plain.threshold
    assert sure.alarm is None
    with pytest.raises(ifd.BadInput, match="needs past cases"):
        router.route(large.predictions, budget=0.2, budget_confidence=0.95)


def test_a_stream_of_other_cases_gives_an_alarm(large):
    router = large.router()
    hard = large.predictions.proba.max(axis=1) < 0.55
    names = [name for name, unsure in zip(large.names, hard) if unsure]
    stream = ifd.Predictions(large.proba[hard], classes=large.predictions.classes, cases=names)
    routes = router.route(stream, budget=0.2, calibration=World(seed=4, cases=500).predictions)
    cases, probability = routes.alarm
    assert cases < 200 and probability == 0.01
    assert pickle.loads(pickle.dumps(routes)).alarm == routes.alarm
