"""Decides, case by case, whether a model's answer stands or which human expert takes over.

>>> import ifd
>>> cases = ifd.Predictions([[.6, .4], [.1, .9]], classes=["cat", "dog"])
>>> staff = ifd.Staff.from_answers(
...     {"expert": ["ann"] * 9, "case": range(9), "answer": ["cat"] * 9, "truth": ["cat"] * 9},
...     classes=cases.classes)
>>> router = ifd.Router("plug-in", staff)
>>> router.route(cases, budget=.5).expert          # -1 is the model
array([ 0, -1], dtype=int32)
"""

import copyreg

from ifd._errors import (
    BadInput,
    Cancelled,
    Conflict,
    CorruptFile,
    Error,
    NotCertified,
    NotFound,
    StorageError,
)
from ifd._core import (
    Answers,
    Calibration,
    Certificate,
    Policy,
    Predictions,
    Profile,
    Router,
    Routes,
    Staff,
    Watch,
    __version__,
    calibrate,
    calibration_quality,
    cohort,
    fingerprint,
    plan_onboarding,
    plan_peak,
    plan_prior,
    read_policy,
    sample_annotations,
    sample_contexts,
    watch,
)
from ifd._certificate import certify
from ifd._combination import Combination, combine
from ifd._evaluation import Evaluation, evaluate
from ifd._explanation import Explanation, explain, explain_route
from ifd._simulation import Simulation, plan_threshold, simulate
from ifd._tables import routes_to_pandas
from ifd._threshold import MarginSummary, margin_summary, threshold_of

Router.combine = combine
Router.explain = explain
Router.margin_summary = margin_summary
Routes.explain = explain_route
Routes.to_pandas = routes_to_pandas
del explain, explain_route, margin_summary, routes_to_pandas


def _shown_by(name):
    """What a notebook shows, made by ifd/_html.py when it is asked for."""

    def _repr_html_(self):
        from ifd import _html

        return getattr(_html, name)(self)

    return _repr_html_


def _reduce(self):
    # The oldest protocols would make the base of a compiled class anew, which ends the process.
    return copyreg.__newobj__, (type(self),), self.__getstate__()


for _kind in (Answers, Calibration, Certificate, Policy, Predictions, Profile, Router, Routes, Staff):
    _kind.__reduce__ = _reduce
del _kind

Profile._repr_html_ = _shown_by("profile")
Routes._repr_html_ = _shown_by("routes")
Staff._repr_html_ = _shown_by("staff")


def train(*arguments, **options):
    """Trains a policy: see ifd._training.train, which needs the module that was built with LibTorch."""
    from ifd import _training

    return _training.train(*arguments, **options)


def train_classifier(*arguments, **options):
    """Trains a classifier of images or vectors: see ifd._training.train_classifier."""
    from ifd import _training

    return _training.train_classifier(*arguments, **options)


__all__ = [
    "Answers",
    "BadInput",
    "Calibration",
    "Cancelled",
    "Certificate",
    "Combination",
    "Conflict",
    "CorruptFile",
    "Error",
    "Evaluation",
    "Explanation",
    "MarginSummary",
    "NotCertified",
    "NotFound",
    "Policy",
    "Predictions",
    "Profile",
    "Router",
    "Routes",
    "Simulation",
    "Staff",
    "StorageError",
    "Watch",
    "calibrate",
    "calibration_quality",
    "certify",
    "cohort",
    "combine",
    "evaluate",
    "fingerprint",
    "plan_onboarding",
    "plan_peak",
    "plan_prior",
    "plan_threshold",
    "read_policy",
    "sample_annotations",
    "sample_contexts",
    "simulate",
    "threshold_of",
    "train",
    "train_classifier",
    "watch",
]

# What is public is found here, by readers and by pickle.
for _name in __all__:
    try:
        globals()[_name].__module__ = "ifd"
    except AttributeError:  # of a compiled function it cannot be set
        pass
del _name
