"""From anything that numpy takes for an array to arrays as the compiled part wants them."""

import numpy as np

from ifd._errors import BadInput


def matrix(source, argument):
    """`source` as a numpy array with two dimensions of numbers, refused by the argument's name."""
    try:
        array = np.asarray(source)
    except (ValueError, TypeError, RuntimeError) as error:
        reason = str(error).split("\n")[0]
        raise BadInput(f"{argument}: {reason}; expected an array of numbers, N x K") from error
    if array.dtype.kind not in "fiub":
        raise BadInput(f"{argument}: dtype {array.dtype}; expected numbers")
    if array.ndim != 2:
        raise BadInput(f"{argument}: shape {array.shape}; expected two dimensions, N x K")
    return array


def float_rows(source, argument):
    """float32, C-contiguous, aligned, in the machine's byte order; a copy only where it must be."""
    array = matrix(source, argument)
    # Too large a number becomes an infinity, which is refused by name later on.
    with np.errstate(all="ignore"):
        return np.require(array, dtype=np.dtype(np.float32), requirements=["C", "A"])


def double_rows(source, argument):
    """The same in float64."""
    return np.require(matrix(source, argument), dtype=np.dtype(np.float64), requirements=["C", "A"])


def rows(count, key):
    """The row numbers that a slice, an index or an array chooses among `count` rows."""
    if isinstance(key, tuple) or key is None or key is Ellipsis:
        raise BadInput(f"rows: {key!r}; expected a slice, an index or an array of them")
    chosen = np.atleast_1d(np.arange(count, dtype=np.int64)[key])
    if chosen.ndim != 1:
        raise BadInput(f"rows: {chosen.ndim} dimensions; expected one")
    return np.ascontiguousarray(chosen)


def answer_rows(source):
    """A matrix of classes, by name or number, as a list of lists."""
    try:
        array = np.asarray(source)
        if array.dtype.kind in "US":  # None among texts would have become a text
            array = np.asarray(source, dtype=object)
    except ValueError as error:
        reason = str(error).split("\n")[0]
        raise BadInput(f"answers: {reason}; expected an array, N x J") from error
    if array.ndim != 2:
        raise BadInput(f"answers: shape {array.shape}; expected two dimensions, N x J")
    return array.tolist()
