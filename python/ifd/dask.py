"""Routes on a cluster: the same as in one process, bit for bit, however the rows are spread.

A budget is a cut through the margins of all rows. No machine has to hold them all: every pass counts,
partition by partition, how many margins lie in each bin of an interval; the bin with the cut is the
next interval, until what lies in it is few enough to be looked at one by one. With the threshold
found, the last pass routes each partition by itself.

>>> import dask.array, numpy, ifd, ifd.dask
>>> proba = numpy.random.default_rng(0).dirichlet(numpy.ones(3), 1000).astype("float32")
>>> staff = ifd.Staff(["a", "b", "c"])
>>> staff.add("ana")
>>> router = ifd.Router("plug-in", staff)
>>> routes = ifd.dask.route(dask.array.from_array(proba, chunks=(100, 3)), router, budget=0.2)
>>> one = router.route(ifd.Predictions(proba, classes=router.classes), budget=0.2)
>>> bool((routes["margin"].compute().to_numpy() == one.margin).all())
True
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dask
import numpy as np

import ifd

__all__ = ["route", "threshold"]

# Rows that are looked at together: what a worker needs beside its partition depends on this alone.
_BATCH = 1 << 17
# Summaries that are added up at a time.
_FAN_IN = 16


def route(collection: Any, router: ifd.Router, budget: float | None = None, *,
          threshold: float | None = None, fill_budget: bool = False, cases: str | None = None) -> Any:
    """Who answers each row of a Dask DataFrame or a Dask array: a Dask DataFrame like `to_pandas()`.

    A DataFrame has a column for each of the router's classes, and maybe others; an array has the
    classes in the router's order. `threshold` and `budget` mean what they mean for `Router.route`.

    Draws between experts with equal margins depend on the names of the cases, so names must not
    depend on partitions. They are those of the column `cases`, or of the index where Dask knows its
    divisions; otherwise rows are numbered from the first to the last.

    The passes for the threshold run now, the routes are computed when they are asked for. Where the
    collection is dear to make and fits in the cluster's memory, `persist()` it before.
    """
    if budget is None and threshold is None:
        raise ifd.BadInput("route: neither budget nor threshold is given; expected one of them, or both")
    parts, frame = _partitions(collection, list(router.classes))
    names = _names(collection, frame, parts, cases)
    if budget is not None:
        found = _threshold(parts, names, router, budget, fill_budget)
        threshold = found if threshold is None else max(found, threshold)
    return _routes(collection, frame, parts, names, router, float(threshold))


def threshold(collection: Any, router: ifd.Router, budget: float, *, fill_budget: bool = False,
              cases: str | None = None) -> float:
    """The margin from which on rows go to experts, so that at most the budget's share of them does."""
    parts, frame = _partitions(collection, list(router.classes))
    return _threshold(parts, _names(collection, frame, parts, cases), router, budget, fill_budget)


# Partitions.


def _partitions(collection: Any, classes: list[str]) -> tuple[list[Any], bool]:
    """The collection's partitions, and whether they are DataFrames."""
    if hasattr(collection, "npartitions") and hasattr(collection, "divisions"):
        missing = [name for name in classes if name not in collection.columns]
        if missing:
            raise ifd.BadInput(f"collection: no column {missing[0]!r}; expected one for each of the router's classes {classes}")
        return list(collection.to_delayed()), True
    if not hasattr(collection, "chunks"):
        raise ifd.BadInput(f"collection: {type(collection).__name__}; expected a Dask DataFrame or a Dask array")
    if collection.ndim != 2 or collection.shape[1] != len(classes):
        raise ifd.BadInput(f"collection: shape {collection.shape}; expected N x {len(classes)}, a column for each of the router's classes {classes}")
    if len(collection.chunks[1]) > 1:
        collection = collection.rechunk({1: -1})
    return list(collection.to_delayed().ravel()), False


def _names(collection: Any, frame: bool, parts: list[Any], column: str | None) -> list[Any]:
    """For every partition: the column of names, None for its index, or the number of its first row."""
    if frame and column is not None:
        if column not in collection.columns:
            raise ifd.BadInput(f"cases: no column {column!r}; there are {list(collection.columns)}")
        return [column] * len(parts)
    if column is not None:
        raise ifd.BadInput(f"cases: {column!r}; an array has no columns with names")
    if frame and collection.known_divisions:
        return [None] * len(parts)
    lengths = [] if frame else list(collection.chunks[0])
    if frame or any(length != length for length in lengths):
        lengths = list(dask.compute(*[dask.delayed(len)(part) for part in parts]))
    return [int(first) for first in np.cumsum([0, *lengths[:-1]])]


def _batches(part: Any, names: Any, classes: list[str]) -> Iterator[ifd.Predictions]:
    """The rows of a partition, some at a time, with the names of their cases."""
    frame = hasattr(part, "iloc")
    for first in range(0, len(part), _BATCH):
        rows = part.iloc[first:first + _BATCH] if frame else part[first:first + _BATCH]
        if names is None:
            cases = [str(name) for name in rows.index]
        elif isinstance(names, str):
            cases = [str(name) for name in rows[names]]
        else:
            cases = range(names + first, names + first + len(rows))
        values = rows[classes].to_numpy(dtype=np.float32) if frame else np.asarray(rows)
        yield ifd.Predictions(values, classes=classes, cases=cases)


# The threshold.


def _summary(part: Any, names: Any, router: ifd.Router, interval: Any) -> Any:
    total = router.margin_summary(_nothing(router), interval=interval)
    for batch in _batches(part, names, list(router.classes)):
        total = total + router.margin_summary(batch, interval=interval)
    return total


def _nothing(router: ifd.Router) -> ifd.Predictions:
    classes = list(router.classes)
    return ifd.Predictions(np.empty((0, len(classes)), dtype=np.float32), classes=classes)


def _added(summaries: list[Any]) -> Any:
    total = summaries[0]
    for summary in summaries[1:]:
        total = total + summary
    return total


def _threshold(parts: list[Any], names: list[Any], router: ifd.Router, budget: float, fill_budget: bool) -> float:
    shared = dask.delayed(router, pure=False)
    interval: Any = None
    while True:
        summaries = [dask.delayed(_summary)(part, name, shared, interval) for part, name in zip(parts, names)]
        # A tree, so that nobody ever holds the summaries of all partitions. Counts are added: any
        # order gives the same.
        while len(summaries) > 1:
            summaries = [dask.delayed(_added)(summaries[i:i + _FAN_IN]) for i in range(0, len(summaries), _FAN_IN)]
        found = ifd.threshold_of(list(dask.compute(*summaries)), budget, fill_budget=fill_budget)
        if isinstance(found, float):
            return found
        interval = found


# The routes.


def _routes_of(part: Any, names: Any, router: ifd.Router, threshold: float) -> Any:
    import pandas

    frames = [router.route(batch, threshold=threshold).to_pandas()
              for batch in _batches(part, names, list(router.classes))]
    if not frames:
        frames = [router.route(_nothing(router), threshold=threshold).to_pandas()]
    routes = pandas.concat(frames) if len(frames) > 1 else frames[0]
    # As the collection has it, not as text.
    if names is None:
        routes.index = part.index
    elif not isinstance(names, str):
        routes.index = pandas.RangeIndex(names, names + len(routes), name=routes.index.name)
    return routes


def _routes(collection: Any, frame: bool, parts: list[Any], names: list[Any], router: ifd.Router, threshold: float) -> Any:
    import dask.dataframe

    shared = dask.delayed(router, pure=False)
    meta = router.route(_nothing(router), threshold=threshold).to_pandas()
    divisions: Any = None
    if frame and names[0] is None:
        meta.index = collection._meta.index
        divisions = collection.divisions
    elif not isinstance(names[0], str):
        import pandas

        meta.index = pandas.RangeIndex(0, name=meta.index.name)
    delayed = [dask.delayed(_routes_of)(part, name, shared, threshold) for part, name in zip(parts, names)]
    return dask.dataframe.from_delayed(delayed, meta=meta, divisions=divisions, verify_meta=False)
