"""The threshold of a budget over more cases than fit in memory, from summaries of their margins.

Margins are doubles, and doubles lie in order like whole numbers (their bits, with the sign turned):
an interval of margins is an interval of whole numbers and is cut into bins of equal width there. A
pass over the cases counts them; the bin of the cut is the interval of the next pass. Two numbers
beside the counts make it exact: the smallest margin above the interval, and the margins themselves
where they are few.
"""

import numpy as np

from ifd import _core
from ifd._errors import BadInput, Conflict

_SIGN = np.uint64(1 << 63)
_EVERYTHING = (-np.finfo(np.float64).max, np.finfo(np.float64).max)


def _places(margins):
    """Whole numbers in the order of the margins; -0.0 is 0.0."""
    bits = (np.asarray(margins, dtype=np.float64) + 0.0).view(np.uint64)
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def _margin_at(place):
    bits = np.uint64(place)
    bits = bits ^ _SIGN if bits & _SIGN else ~bits
    return float(np.array([bits], dtype=np.uint64).view(np.float64)[0])


class MarginSummary:
    """Margins of a batch of cases in bounded memory. Summaries add up, pickle and compare."""

    def __init__(self, margins, interval, bins, keep, least_margin):
        if interval is None:
            interval = _EVERYTHING
        low, high = (float(end) for end in interval)
        if not (np.isfinite(low) and np.isfinite(high) and low <= high):
            raise BadInput(f"interval: ({low}, {high}); expected two finite numbers, low <= high")
        if not 2 <= bins <= 1 << 24:
            raise BadInput(f"bins: {bins}; expected 2..{1 << 24}")
        self.interval = (low, high)
        self.bins = int(bins)
        self.keep = int(keep)
        self.least_margin = least_margin
        self.cases = len(margins)
        finite = margins[np.isfinite(margins)] + 0.0
        self.least = float(finite.min()) if len(finite) else np.inf
        above = finite[finite > high]
        self.above = len(above)
        self.least_above = float(above.min()) if len(above) else np.inf
        inside = finite[(finite >= low) & (finite <= high)]
        self.counts = np.bincount(self._bin_of(inside), minlength=self.bins)
        values, times = np.unique(inside, return_counts=True)
        self._keep(values, times)

    def _width(self):
        first, last = (int(place) for place in _places(self.interval))
        return first, last, -(-(last - first + 1) // self.bins)

    def _bin_of(self, margins):
        first, _, width = self._width()
        return ((_places(margins) - np.uint64(first)) // np.uint64(width)).astype(np.int64)

    def _keep(self, values, times):
        # What does not fit is gone for good; counting goes on.
        if len(values) > self.keep:
            self.values, self.times = None, None
        else:
            self.values, self.times = values, times

    def _interval_of(self, which):
        first, last, width = self._width()
        begin = first + which * width
        return _margin_at(begin), _margin_at(min(begin + width - 1, last))

    def __add__(self, other):
        if not isinstance(other, MarginSummary):
            return NotImplemented
        if (self.interval, self.bins, self.least_margin) != (
            other.interval,
            other.bins,
            other.least_margin,
        ):
            raise Conflict("these summaries are of other intervals, bins or routers")
        made = object.__new__(MarginSummary)
        made.interval, made.bins = self.interval, self.bins
        made.keep = min(self.keep, other.keep)
        made.least_margin = self.least_margin
        made.cases = self.cases + other.cases
        made.least = min(self.least, other.least)
        made.above = self.above + other.above
        made.least_above = min(self.least_above, other.least_above)
        made.counts = self.counts + other.counts
        made.values, made.times = None, None
        if self.values is not None and other.values is not None:
            values, place = np.unique(
                np.concatenate([self.values, other.values]), return_inverse=True
            )
            times = np.zeros(len(values), dtype=np.int64)
            np.add.at(times, place, np.concatenate([self.times, other.times]))
            made._keep(values, times)
        return made

    def __radd__(self, other):
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __eq__(self, other):
        if not isinstance(other, MarginSummary):
            return NotImplemented
        mine, theirs = vars(self), vars(other)
        return all(np.array_equal(mine[name], theirs[name]) for name in mine)

    __hash__ = None

    def __repr__(self):
        return f"<ifd.MarginSummary: {self.cases} cases, {self.above + int(self.counts.sum())} margins>"


def margin_summary(router, cases, interval=None, *, bins=4096, keep=65536):
    """The margins of a batch, summarised for ifd.threshold_of().

    interval: what threshold_of() asked for; None in the first pass. bins, keep: how much is held, the
    same in every batch of a pass.
    """
    margins, _ = router.best(cases)
    least_margin = 0.0 if router.expects_gains else -np.inf
    return MarginSummary(margins, interval, bins, keep, least_margin)


def threshold_of(summaries, budget, *, fill_budget=False):
    """The threshold of a budget over all batches, or the interval of the next pass.

    A float is the threshold that Router.route(all cases, budget=budget) has, bit for bit. A pair of
    floats is the interval to give to Router.margin_summary() for every batch, and to try again.

    >>> import numpy as np
    >>> summary = MarginSummary(np.array([.1, .5, .3, .5]), None, 4096, 65536, 0.0)
    >>> threshold_of([summary], .5), threshold_of([summary], .25)
    (0.5, inf)
    """
    if isinstance(summaries, MarginSummary):
        summaries = [summaries]
    summaries = list(summaries)
    if not summaries:
        raise BadInput("summaries: there are none; expected one per batch")
    total = sum(summaries[1:], summaries[0])
    found = _cut(total, _core.budget_cases(budget, total.cases))
    if isinstance(found, tuple):
        return found
    return max(found, -np.inf if fill_budget else total.least_margin)


def _cut(total, allowed):
    inside = int(total.counts.sum())
    if total.above > allowed:
        raise Conflict("the cut is above the interval; expected the interval of this budget")
    deferrable = total.above + inside
    if deferrable <= allowed and total.interval == _EVERYTHING:
        return total.least
    low, high = total.interval
    if low == high:
        return low if inside <= allowed - total.above else total.least_above
    if total.values is not None:
        room = allowed - total.above
        threshold = total.least_above
        for value, times in zip(total.values[::-1], total.times[::-1]):
            room -= int(times)
            if room < 0:
                return threshold
            threshold = float(value)
        return threshold
    from_top = np.cumsum(total.counts[::-1]) + total.above
    over = np.flatnonzero(from_top > allowed)
    if len(over) == 0:
        raise Conflict("the cut is below the interval; expected the interval of this budget")
    return total._interval_of(total.bins - 1 - int(over[0]))
