# Made by python/stubs/make_stubs.py; changes belong into the bindings.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt





def certify(router: Any, cases: Any, answers: Any, *, error: Any = ..., class_errors: Any = ..., subgroups: Any = ..., subgroup_error: Any = ..., cost: Any = ..., confidence: Any = ..., groups: Any = ..., independent_cases: Any = ..., most_deferred: Any = ..., date: Any = ..., expires: Any = ..., blank: Any = ..., progress: Callable[..., object] | bool | None = ...) -> Any: ...
