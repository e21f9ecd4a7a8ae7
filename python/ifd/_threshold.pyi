# Made by python/stubs/make_stubs.py; changes belong into the bindings.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt



class MarginSummary:
    def __add__(self, other: Any) -> Any: ...
    def __eq__(self, other: object) -> bool: ...
    def __init__(self, margins: Any, interval: Any, bins: Any, keep: Any, least_margin: Any) -> None: ...

def margin_summary(router: Any, cases: Any, interval: Any = ..., *, bins: Any = ..., keep: Any = ...) -> Any: ...
def threshold_of(summaries: Any, budget: float | None, *, fill_budget: bool = ...) -> float | tuple[float, float]: ...
