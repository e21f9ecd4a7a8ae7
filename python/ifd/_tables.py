"""Tables of callers (DataFrames, mappings of columns, lists of rows) as plain columns, and back."""

import os
from collections.abc import Mapping

import numpy as np

from ifd._errors import BadInput

ANSWER_COLUMNS = ("expert", "case", "answer", "truth")


def is_path(source):
    return isinstance(source, (str, os.PathLike))


def is_data_frame(source):
    return hasattr(source, "columns") and hasattr(source, "index") and hasattr(source, "to_numpy")


def _cells(values, name, argument):
    if isinstance(values, (str, bytes)) or isinstance(values, Mapping):
        raise BadInput(f"{argument}: column '{name}' is no list")
    try:
        cells = values.tolist() if hasattr(values, "tolist") else list(values)
    except TypeError as error:
        raise BadInput(f"{argument}: column '{name}' is no list") from error
    if not isinstance(cells, list):
        raise BadInput(f"{argument}: column '{name}' is no list")
    return [None if _is_missing(cell) else cell for cell in cells]


def _is_missing(cell):
    # pandas has markers of its own for what is missing: NA and NaT.
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def _columns_of_rows(rows, argument):
    rows = list(rows)
    if all(isinstance(row, Mapping) for row in rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        return {name: [row.get(name) for row in rows] for name in names}
    widths = {len(row) for row in rows if isinstance(row, (tuple, list))}
    if not all(isinstance(row, (tuple, list)) for row in rows) or widths - {3, 4} or len(widths) > 1:
        raise BadInput(
            f"{argument}: expected a DataFrame, a mapping of columns, or rows"
            " (expert, case, answer[, truth])"
        )
    width = widths.pop() if widths else 4
    return {name: [row[i] for row in rows] for i, name in enumerate(ANSWER_COLUMNS[:width])}


def columns(table, argument):
    """The table as a dict of lists of equal length."""
    if is_data_frame(table):
        named = {str(name): table[name] for name in table.columns}
        if len(named) != len(table.columns):
            raise BadInput(f"{argument}: two columns have the same name")
    elif isinstance(table, Mapping):
        named = {str(name): values for name, values in table.items()}
    elif isinstance(table, (str, bytes)) or not hasattr(table, "__iter__"):
        raise BadInput(f"{argument}: expected a DataFrame, a mapping of columns, or rows")
    else:
        named = _columns_of_rows(table, argument)
    made = {name: _cells(values, name, argument) for name, values in named.items()}
    lengths = {len(cells) for cells in made.values()}
    if len(lengths) > 1:
        raise BadInput(f"{argument}: its columns have different lengths")
    return made


def predictions_parts(frame, classes, cases):
    """Of a DataFrame: its numbers, its columns as classes, its index as the cases' names."""
    if classes is None:
        classes = [str(name) for name in frame.columns]
    if cases is None and type(frame.index).__name__ != "RangeIndex":
        cases = frame.index.tolist()
    return frame.to_numpy(), classes, cases


def routes_to_pandas(routes):
    """A DataFrame with a row per case: decision, expert, prediction, margin."""
    import pandas

    names = np.array([*routes.expert_names, None], dtype=object)
    classes = np.array(routes.classes, dtype=object)
    return pandas.DataFrame(
        {
            "decision": np.where(routes.deferred, "expert", "model"),
            "expert": names[routes.expert],
            "prediction": classes[routes.label],
            "margin": np.array(routes.margin),
        },
        index=pandas.Index(routes.cases, name="case"),
    )


def annotation_columns(table):
    """The columns of a table of annotations; without a level of noise it is 0 throughout."""
    made = columns(table, "annotations")
    for name in ("participant", "image", "truth", "answer"):
        if name not in made:
            raise BadInput(f"annotations: no column '{name}'; expected it")
    made.setdefault("noise", [0] * len(made["image"]))
    return made
