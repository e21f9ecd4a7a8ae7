"""The threshold from summaries is that of Router.route, bit for bit, however batches are cut."""

import pickle

import numpy as np
import pytest

import ifd
from conftest import CLASSES, World


def threshold_in_passes(router, batches, budget, *, bins, keep, fill_budget=False):
    interval, passes = None, 0
    while True:
        passes += 1
        assert passes <= 80
        summaries = [router.margin_summary(batch, interval, bins=bins, keep=keep) for batch in batches]
        summaries = [pickle.loads(pickle.dumps(summary)) for summary in summaries]
        found = ifd.threshold_of(summaries, budget, fill_budget=fill_budget)
        if isinstance(found, float):
            return found
        low, high = found
        assert low <= high and (interval is None or (interval[0] <= low and high <= interval[1]))
        interval = found


@pytest.mark.parametrize("seed", range(25))
def test_is_that_of_route(seed):
    draw = np.random.default_rng(seed)
    world = World(seed, cases=int(draw.integers(1, 400)))
    # Probabilities on a coarse grid make ties, and ties are whole blocks.
    grid = int(draw.integers(2, 12))
    proba = draw.multinomial(grid, [1 / 3] * 3, size=len(world.names)) / grid
    cases = ifd.Predictions(proba, classes=CLASSES)
    router = world.router(
        ["plug-in", "confidence", "peak-rule"][seed % 3],
        on_duty=world.experts if seed % 7 else [],
        scale=["probability", "logit"][seed % 2],
    )
    cuts = np.sort(draw.integers(0, len(cases) + 1, size=int(draw.integers(0, 9))))
    edges = [0, *cuts.tolist(), len(cases)]
    batches = [cases[a:b] for a, b in zip(edges, edges[1:])]
    for budget in (0, 0.1, 0.29, 0.5, draw.random(), 1):
        for fill_budget in (False, True):
            expected = router.route(cases, budget=budget, fill_budget=fill_budget).threshold
            for bins, keep in ((4096, 65536), (4, 0), (2, 3), (256, 5)):
                found = threshold_in_passes(
                    router, batches, budget, bins=bins, keep=keep, fill_budget=fill_budget
                )
                assert found == expected, (seed, budget, fill_budget, bins, keep)


def test_summaries_add_up_in_any_order(world):
    router, cases = world.router(), world.predictions
    parts = [router.margin_summary(cases[i::5]) for i in range(5)]
    whole = router.margin_summary(cases)
    assert sum(parts) == whole == sum(reversed(parts)) and whole != parts[0]
    with pytest.raises(ifd.Conflict):
        whole + router.margin_summary(cases, (0.0, 1.0))


@pytest.mark.parametrize("interval", [(1, 0), (0, np.inf), (np.nan, 1)])
def test_intervals_that_are_refused(world, interval):
    with pytest.raises(ifd.BadInput):
        world.router().margin_summary(world.predictions, interval)


def test_nothing_to_sum_up():
    with pytest.raises(ifd.BadInput):
        ifd.threshold_of([], 0.5)
