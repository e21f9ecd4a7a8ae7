"""Random calls with wrong types and shapes: exceptions only, never a crash.

IFD_FUZZ_CALLS says how many (5,000 where nothing is said; 100000 takes minutes).
"""

import faulthandler
import os
import random

import numpy as np

import ifd
from conftest import CLASSES, World

CALLS = int(os.environ.get("IFD_FUZZ_CALLS", "5000"))


class Hostile:
    """Lies about everything it is asked."""

    def __init__(self, draw):
        self.draw = draw

    def __len__(self):
        return self.draw.choice([0, 1, 3])

    def __getitem__(self, key):
        if self.draw.random() < 0.5:
            raise IndexError(key)
        return self.draw.choice([None, 1.5, "cat", self])

    def __array__(self, dtype=None):
        return self.draw.choice([np.zeros(3), np.array(None), np.full((2, 3), 1 / 3), "no array"])

    def __str__(self):
        return self.draw.choice(["cat", "", "\0", "\ud800"])

    def __index__(self):
        return self.draw.choice([0, -1, 2**70])

    def __fspath__(self):
        return self.draw.choice(["/nonexistent/x.csv", "", "\0"])

    def tolist(self):
        return self.draw.choice([[1, 2], 3, ["cat"], None])


def values(draw, world, routes, result):
    simple = [
        None, True, False, 0, 1, -1, 3, 2**31, 2**64, -(2**70), 0.0, 0.5, -0.5, float("nan"), float("inf"), 1e300,
        "", "cat", "ann", "plug-in", "\0", "\ud800", "x" * 10000, b"", b"ann", (), [], {}, set(), object(), 1j,
        "names", "numbers", "temperature", "logit", range(3), slice(None), Ellipsis, lambda *a: None,
        ["cat", "dog", "owl"], ["ann"], {"ann": 3}, {"ann": -1}, {3: None}, [("ann", "1", "cat", "cat")],
        [["cat"]], [[0.5, 0.5]], {"expert": ["ann"], "case": [1], "answer": ["cat"], "truth": ["cat"]},
    ]
    arrays = [
        np.zeros(0), np.zeros((0, 3)), np.zeros((3, 0)), np.full((2, 3), 1 / 3), np.full((2, 3), 1 / 3, dtype=">f4"),
        np.full((4, 6), 1 / 3, dtype=np.float32)[::-2, ::2], np.full((200, 3), np.nan), np.zeros((200, 3)),
        np.array([None, "a"]), np.array(["cat"]), np.zeros((2, 2, 2)), np.array(3), np.zeros(3, dtype="M8[s]"),
        np.zeros(2, dtype=[("a", "f4")]), np.arange(200), np.ones(200, dtype=bool), np.float32(0.5), np.int64(2),
    ]
    ours = [
        world.predictions, world.predictions[:0], ifd.Predictions([[0.5, 0.5]]), world.staff, ifd.Staff(CLASSES),
        world.answers, world.router(), routes, result, world.staff["ann"], ifd.calibrate(world.predictions),
        world.router().margin_summary(world.predictions), Hostile(draw), ifd.Predictions, ifd,
    ]
    return simple + arrays + ours


KEYWORDS = [
    "classes", "cases", "labels", "features", "budget", "threshold", "capacity", "calibration", "confidence",
    "fill_budget", "progress", "answer", "truth", "case", "prior", "experts", "on_duty", "calibrate", "seed",
    "threads", "scale", "ties", "precision", "context_predictions", "bootstrap", "budgets", "groups", "target",
    "missing", "staff", "kind", "delta", "per_class", "interval", "bins", "most_answers", "blank", "table",
]
# What writes files or starts programs is left out, and so is what would only take long.
LEFT_OUT = {"save", "write", "write_answers", "to_csv", "report", "train", "train_classifier", "plot"}


def callables(world, routes, result):
    found = [getattr(ifd, name) for name in ifd.__all__ if name not in LEFT_OUT]
    for owner in (world.predictions, world.staff, world.answers, world.router(), routes, result,
                  world.staff["ann"], ifd.calibrate(world.predictions), ifd.Predictions, ifd.Staff, ifd.Answers):
        for name in dir(owner):
            if name in LEFT_OUT or name in ("__class__", "__subclasshook__", "__init_subclass__", "__dir__"):
                continue
            try:
                member = getattr(owner, name)
            except ifd.Error:  # what this one does not have
                continue
            if callable(member):
                found.append(member)
    return found


def test_wrong_calls_raise_and_do_no_more(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    seed = int(os.environ.get("IFD_FUZZ_SEED", random.SystemRandom().randrange(2**32)))
    print(f"IFD_FUZZ_SEED={seed}")
    draw = random.Random(seed)
    world = World(cases=200)
    routes = world.router().route(world.predictions, budget=0.2)
    result = ifd.evaluate(world.router(), world.predictions, world.answers, bootstrap=0)
    offered = values(draw, world, routes, result)
    called = callables(world, routes, result)
    raised = 0
    for _ in range(CALLS):
        function = draw.choice(called)
        positional = [draw.choice(offered) for _ in range(draw.choice([0, 1, 1, 1, 2, 2, 3, 4]))]
        named = {draw.choice(KEYWORDS): draw.choice(offered) for _ in range(draw.choice([0, 0, 1, 2]))}
        faulthandler.dump_traceback_later(120, exit=True)
        try:
            function(*positional, **named)
        except Exception:
            raised += 1
    faulthandler.cancel_dump_traceback_later()
    assert raised > 0
    # The objects that were shared by all of it still stand.
    assert len(world.predictions) == 200 and len(routes) == 200
