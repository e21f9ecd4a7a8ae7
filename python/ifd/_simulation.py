"""Simulated experts: what they are good at, and the answers they give."""

import dataclasses
from collections.abc import Mapping

import numpy as np

from ifd import _core


@dataclasses.dataclass(frozen=True, eq=False)
class Simulation:
    """What simulated experts answered.

    answers: on the cases; staff: what a context of their answers tells, with its cases in
    context_predictions; accuracies: N x J x K, their true chance of being right on each case for
    each class; report: what came out beside what was asked for; training_answers: on all training
    cases.
    """

    answers: _core.Answers
    staff: _core.Staff
    context_predictions: _core.Predictions
    accuracies: np.ndarray
    report: dict
    training_answers: _core.Answers

    def __eq__(self, other):
        if not isinstance(other, Simulation):
            return NotImplemented
        return (
            self.answers == other.answers
            and self.staff == other.staff
            and np.array_equal(self.accuracies, other.accuracies)
        )

    __hash__ = None


def simulate(experts, training, cases, *, context_per_class=15, split="test", seed=0):
    """Simulates experts whose accuracy depends on how typical a case is.

    experts: words as `ifd experts simulate --expert` takes them ("ann=variable:mel"), or a mapping
    from names to what stands behind '='. training: labelled Predictions, with features unless all
    experts are flat; contexts are drawn from them. cases: labelled Predictions to answer.

    >>> from ifd import Predictions
    >>> cases = Predictions([[.7, .3]] * 4, classes=["cat", "dog"], labels=[0, 0, 1, 1])
    >>> made = simulate({"ann": "flat:0.99/0.99"}, cases, cases, context_per_class=2)
    >>> made.answers.codes.shape, made.staff.names
    ((4, 1), ['ann'])
    """
    if isinstance(experts, Mapping):
        experts = [f"{name}={kind}" for name, kind in experts.items()]
    return Simulation(
        **_core.simulate(
            list(experts), training, cases, context_per_class=context_per_class, split=split, seed=seed
        )
    )


def plan_threshold(router, cases, budget, *, confidence=0.95):
    """The threshold of a budget for a stream of cases like these, with the rates to expect."""
    return router.route(cases, budget=budget, calibration=cases, confidence=confidence).calibrated
