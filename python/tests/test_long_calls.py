"""Long calls let other threads run, tell how far they are, and end with Ctrl-C."""

import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import ifd
from conftest import CLASSES, World


@pytest.fixture(scope="module")
def large():
    proba = np.random.default_rng(0).dirichlet([1, 1, 1], size=100_000).astype(np.float32)
    staff = ifd.Staff(CLASSES)
    for i in range(60):
        staff.add(f"e{i}", prior=(2 + i, 3))
    return ifd.Predictions(proba, classes=CLASSES), ifd.Router("peak-rule", staff)


def test_other_threads_run_meanwhile(large):
    cases, router = large
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(0)
            time.sleep(0.0005)

    ticking = threading.Thread(target=tick)
    ticking.start()
    while not ticks:
        time.sleep(0.001)
    before = len(ticks)
    router.route(cases, budget=0.2)
    after = len(ticks)
    done.set()
    ticking.join()
    # Python hands the lock over every 5 ms, but only if whoever holds it runs Python.
    assert after > before


def test_threads_of_callers_get_the_same(large):
    cases, router = large
    expected = router.route(cases, budget=0.2)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(router.route(cases, budget=0.2) == expected))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 3


def test_progress_is_told(world):
    steps = []
    ifd.evaluate(world.router(), world.predictions, world.answers, bootstrap=10, progress=steps.append)
    assert steps and all(isinstance(step, str) for step in steps)


def test_what_progress_raises_ends_the_work(world):
    class Enough(Exception):
        pass

    def stop(step):
        raise Enough(step)

    with pytest.raises(Enough):
        ifd.evaluate(world.router(), world.predictions, world.answers, bootstrap=100, progress=stop)


def test_ctrl_c_ends_the_work():
    code = textwrap.dedent(
        """
        import numpy as np, sys, ifd
        proba = np.random.default_rng(0).dirichlet([1] * 3, size=200_000).astype(np.float32)
        labels = proba.argmax(axis=1)
        cases = ifd.Predictions(proba, labels=labels)
        staff = ifd.Staff(["0", "1", "2"])
        for name in "abc":
            staff.add(name)
        answers = ifd.Answers(np.stack([labels] * 3, axis=1), experts=list("abc"), cases=cases)
        print("ready", flush=True)
        try:
            ifd.evaluate(["plug-in", "confidence"], cases, answers, staff=staff, bootstrap=1_000_000)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        print(len(ifd.Router("plug-in", staff).route(cases, budget=.1)))
        """
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=120)
    assert out == "interrupted\n200000\n"
