# Made by python/stubs/make_stubs.py; changes belong into the bindings.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt





def plan_threshold(router: Any, cases: Any, budget: float | None, *, confidence: Any = ...) -> Any: ...
def simulate(experts: Any, training: Any, cases: Any, *, context_per_class: Any = ..., split: Any = ..., seed: int | None = ...) -> Any: ...
