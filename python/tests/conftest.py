"""What the tests share: a small world with two experts, and the command to compare with."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

import ifd

CLASSES = ["cat", "dog", "owl"]


class World:
    """Cases with labels, a context and answers, all drawn from one seed."""

    def __init__(self, seed=0, cases=200, experts=("ann", "bob", "cy"), per_class=12):
        draw = np.random.default_rng(seed)
        k = len(CLASSES)
        self.seed = seed
        self.proba = draw.dirichlet([0.6] * k, size=cases).astype(np.float32)
        self.labels = np.array([draw.choice(k, p=p / p.sum()) for p in self.proba.astype(float)])
        self.names = [f"case-{i}" for i in range(cases)]
        self.experts = list(experts)
        accuracy = {name: draw.uniform(0.5, 0.98, size=k) for name in self.experts}

        def answer(name, truth):
            right = draw.random() < accuracy[name][truth]
            return truth if right else (truth + 1 + draw.integers(k - 1)) % k

        self.context = [
            (name, f"past-{truth}-{i}", CLASSES[answer(name, truth)], CLASSES[truth])
            for name in self.experts
            for truth in range(k)
            for i in range(per_class)
        ]
        self.codes = np.array([[answer(name, y) for name in self.experts] for y in self.labels])

    @property
    def predictions(self):
        return ifd.Predictions(
            self.proba, classes=CLASSES, cases=self.names, labels=self.labels
        )

    @property
    def staff(self):
        return ifd.Staff.from_answers(self.context, classes=CLASSES)

    @property
    def answers(self):
        return ifd.Answers(self.codes, experts=self.experts, cases=self.predictions)

    def router(self, policy="plug-in", **options):
        return ifd.Router(policy, self.staff, **options)

    def write(self, folder):
        """The same as files of the command line."""
        folder = pathlib.Path(folder)
        self.predictions.write(folder / "predictions.csv")
        self.staff.write_answers(folder / "context.csv")
        self.answers.write(folder / "answers.csv", cases=self.predictions)
        return folder


@pytest.fixture
def world():
    return World()


@pytest.fixture(scope="session")
def files(tmp_path_factory):
    return World().write(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="session")
def command():
    """Runs the command ifd and returns its stdout as bytes; `.refusal` returns its message, or None."""
    place = os.environ.get("IFD_COMMAND")
    if not place or not os.access(place, os.X_OK):
        pytest.skip("IFD_COMMAND names no program")

    def done(*words):
        return subprocess.run([place, *map(os.fspath, words)], capture_output=True, check=False)

    def run(*words):
        ended = done(*words)
        assert ended.returncode == 0, ended.stderr.decode()
        return ended.stdout

    def refusal(*words):
        ended = done(*words)
        return ended.stderr.decode() if ended.returncode else None

    run.refusal = refusal
    return run
