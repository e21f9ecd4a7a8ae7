"""Promises: a threshold that keeps an error with a stated confidence."""

import datetime
import warnings

from ifd import _core
from ifd._errors import NotCertified


def certify(
    router,
    cases,
    answers,
    *,
    error=None,
    class_errors=None,
    subgroups=None,
    subgroup_error=None,
    cost=None,
    confidence=0.9,
    groups=None,
    independent_cases=False,
    most_deferred=None,
    date=None,
    expires=None,
    blank=None,
    progress=None,
):
    """A Certificate: the threshold that keeps the errors with this confidence, deferring least.

    cases: Predictions of past cases with labels, none of them in the context. answers: what the
    experts said on them. error: most errors of the system among all cases; class_errors: most missed
    ones by class; subgroup_error: most errors in each of the subgroups, which name a part for each
    case. cost: the most that a case costs on average, where the router knows costs. groups: which cases belong together (patients, recordings) and are not independent.
    most_deferred: only thresholds that defer at most this share. expires: the last day of the
    promise. ifd.NotCertified says why there is none, and what would be enough.
    """
    asked = {
        "error": error,
        "class_errors": class_errors,
        "subgroups": subgroups,
        "subgroup_error": subgroup_error,
        "cost": cost,
        "confidence": confidence,
        "groups": groups,
        "independent_cases": bool(independent_cases),
        "most_deferred": most_deferred,
        "date": datetime.date.today() if date is None else date,
        "expires": expires,
        "blank": blank,
    }
    certificate, why, notes = _core.certify(router, cases, answers, asked, progress)
    if certificate is None:
        raise NotCertified(why)
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return certificate
