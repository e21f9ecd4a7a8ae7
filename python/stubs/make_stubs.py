"""Writes the stubs of the package's inner modules, from what the modules say of themselves.

    ./run python python/stubs/make_stubs.py           # writes python/ifd/_core.pyi and others
    ./run python python/stubs/make_stubs.py --check   # exits 1 where a file says something else

Debian's stubgen leaves out every signature with keyword-only arguments, and there are many.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pathlib
import re
import sys
from typing import Any

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "ifd"

HEAD = '''# Made by python/stubs/make_stubs.py; changes belong into the bindings.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

'''

# What pybind11 writes for a type, and what it is. `object` takes anything, and gives back Any.
TYPES = [
    (r"numpy\.ndarray\[(numpy\.)?bool_?\]", "npt.NDArray[np.bool_]"),
    (r"numpy\.ndarray\[numpy\.(\w+)\]", r"npt.NDArray[np.\1]"),
    (r"numpy\.ndarray(?!\[)", "npt.NDArray[Any]"),
    (r"\bos\.PathLike\b", "str | os.PathLike[str]"),
    (r"\bList\[", "list["),
    (r"\bDict\[", "dict["),
    (r"\bSet\[", "set["),
    (r"\bTuple\[", "tuple["),
    (r"\bdict\b(?!\[)", "dict[str, Any]"),
    (r"\btuple\b(?!\[)", "tuple[Any, ...]"),
    (r"\blist\b(?!\[)", "list[Any]"),
    (r"\bfunction\b", "Callable[..., Any]"),
    (r"\bifd\._\w+\.", ""),
    (r"\bifd\.", ""),
]

# What is taken as any object and looked at inside, by the argument's name.
ARGUMENTS = {
    "bootstrap": "int",
    "batch": "int | None",
    "budget": "float | None",
    "budget_confidence": "float | None",
    "calibration": "Predictions | None",
    "capacity": "Mapping[str, int] | None",
    "context_predictions": "Predictions | None",
    "d_max": "float",
    "d_min": "float",
    "fill_budget": "bool",
    "missing": "str",
    "on_duty": "Iterable[str] | None",
    "progress": "Callable[..., object] | bool | None",
    "seed": "int | None",
    "threads": "int | None",
    "threshold": "float | None",
}

# What comes back from functions that do not say so themselves, by name.
RESULTS = {
    "answer": "str",
    "aursac": "dict[str, float]",
    "curve": "tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]",
    "evaluate": "Evaluation",
    "expert_curve": "tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]",
    "experts": "list[str]",
    "flips": "list[str]",
    "headline": "str",
    "margins": "npt.NDArray[np.float64]",
    "policies": "list[str]",
    "report": "None",
    "sentences": "list[str]",
    "states": "npt.NDArray[np.float64]",
    "svg": "str",
    "table": "list[dict[str, Any]]",
    "threshold_of": "float | tuple[float, float]",
    "to_csv": "str",
    "to_dict": "dict[str, Any]",
    "to_json": "str",
    "verdict": "list[str]",
    "why": "str",
    "_repr_html_": "str",
}
# Modules whose sources are typed, or that nobody outside calls.
TYPED = {"__init__", "_arrays", "_errors", "_html", "_plot", "_tables", "dask", "sklearn"}

# Of special methods only these are for callers.
SPECIAL = ["__init__", "__len__", "__getitem__", "__contains__", "__iter__", "__add__", "__eq__"]


def python_type(text: str, given: bool) -> str:
    """`given`: of an argument, otherwise of what comes back."""
    text = text.strip()
    if "::" in text:  # a type of C++ that Python has no name for
        return "object" if given else "Any"
    while (optional := re.search(r"Optional\[([^\[\]]*(?:\[[^\[\]]*\])?[^\[\]]*)\]", text)) is not None:
        text = text.replace(optional[0], f"{optional[1]} | None")
    for pattern, replacement in TYPES:
        text = re.sub(pattern, replacement, text)
    if not given:
        text = re.sub(r"\bobject\b", "Any", text)
        text = re.sub(r"^iterator$|^Iterator$", "Iterator[Any]", text)
    return text


def arguments_of(text: str) -> ast.arguments | None:
    """The arguments of a signature; defaults that are no Python are cut down to dots."""
    parsed = re.sub(r"= <[^>]*>", "= ...", text)
    try:
        function = ast.parse(f"def f{parsed}: ...").body[0]
    except SyntaxError:
        return None
    assert isinstance(function, ast.FunctionDef)
    return function.args


def signature(doc: str | None, name: str) -> tuple[str, str] | None:
    """Arguments and result as stubs have them, from the first line of a docstring of pybind11."""
    first = (doc or "").strip().split("\n")[0]
    found = re.fullmatch(rf"(?:{re.escape(name)})?(\(.*\)) -> (.*)", first)
    arguments = arguments_of(found[1]) if found else None
    if found is None or arguments is None:
        return None
    words = []
    defaults = [None] * (len(arguments.args) - len(arguments.defaults)) + list(arguments.defaults)
    for argument, default in zip(arguments.args, defaults):
        words.append(argument_text(argument, default))
    if arguments.vararg is not None:
        words.append("*args: Any")
    elif arguments.kwonlyargs:
        words.append("*")
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults):
        words.append(argument_text(argument, default))
    if arguments.kwarg is not None:
        words.append("**kwargs: Any")
    return ", ".join(words), python_type(found[2], given=False)


def argument_text(argument: ast.arg, default: ast.expr | None) -> str:
    if argument.arg == "self":
        return "self"
    kind = python_type(ast.unparse(argument.annotation), given=True) if argument.annotation else "object"
    if kind == "object":
        kind = ARGUMENTS.get(argument.arg, kind)
    return f"{argument.arg}: {kind}" + ("" if default is None else " = ...")


def function_lines(name: str, value: Any, indent: str, static: bool = False) -> list[str]:
    if inspect.isfunction(value):  # of our own Python sources
        return python_function_lines(name, value, indent)
    found = signature(value.__doc__, name)
    arguments, result = found if found else ("*args: Any, **kwargs: Any" if static else "self, *args: Any, **kwargs: Any", "Any")
    if name == "__eq__":
        arguments, result = "self, other: object", "bool"
    lines = [f"{indent}@staticmethod"] if static else []
    return [*lines, f"{indent}def {name}({arguments}) -> {result}: ..."]


def python_function_lines(name: str, value: Any, indent: str) -> list[str]:
    words = []
    keyword_only = False
    for parameter in inspect.signature(value).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            words.append("*")
            keyword_only = True
        kind = parameter.annotation if isinstance(parameter.annotation, str) else ARGUMENTS.get(parameter.name, "Any")
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        text = "self" if indent and not words else f"{stars}{parameter.name}: {kind}"
        words.append(text + (" = ..." if parameter.default is not parameter.empty else ""))
    result = "None" if name == "__init__" else value.__annotations__.get("return", RESULTS.get(name, "Any"))
    if name == "__eq__":
        words, result = ["self", "other: object"], "bool"
    return [f"{indent}def {name}({', '.join(words)}) -> {result}: ..."]


def class_lines(kind: type) -> list[str]:
    lines = []
    for name, value in sorted(vars(kind).items()):
        if name.startswith("_") and name not in SPECIAL and name != "_repr_html_":
            continue
        if isinstance(value, property):
            found = None if inspect.isfunction(value.fget) else signature(value.fget.__doc__, "")
            lines += ["    @property", f"    def {name}(self) -> {found[1] if found else RESULTS.get(name, 'Any')}: ..."]
        elif isinstance(value, staticmethod):
            lines += function_lines(name, value.__func__, "    ", static=True)
        elif callable(value) and not (name == "__init__" and not inspect.isfunction(value) and signature(value.__doc__, name) is None):
            lines += function_lines(name, value, "    ")
    bases = ", ".join(base.__name__ for base in kind.__bases__ if base.__module__.startswith("ifd"))
    return [f"class {kind.__name__}({bases}):" if bases else f"class {kind.__name__}:", *(lines or ["    ..."])]


def stub(module: Any) -> str:
    classes, functions, values = [], [], []
    for name, value in sorted(vars(module).items()):
        if name.startswith("_") and name != "__version__":
            continue
        if isinstance(value, type) and own(module, value):
            classes.append("\n".join(class_lines(value)))
        elif inspect.isbuiltin(value):
            functions += function_lines(name, value, "", static=True)[1:]
        elif inspect.isfunction(value) and own(module, value):
            functions += python_function_lines(name, value, "")
        elif isinstance(value, (str, int, float)):
            values.append(f"{name}: {type(value).__name__}")
    return HEAD + "\n".join(values) + "\n\n" + "\n\n".join(classes) + "\n\n" + "\n".join(functions) + "\n"


def own(module: Any, value: Any) -> bool:
    """Whether it is the module's, or only taken in by it; whose it is says the file, not __module__."""
    if issubclass(value, Exception) if isinstance(value, type) else False:
        return False
    if not hasattr(module, "__file__") or not module.__file__.endswith(".py"):
        return value.__module__.startswith("ifd")
    try:
        return inspect.getsourcefile(value if inspect.isfunction(value) else vars(value)["__init__"]) == module.__file__
    except (KeyError, TypeError):
        return False


def modules() -> list[str]:
    """The compiled ones, and those of Python that are not typed in their sources."""
    import ifd

    folder = pathlib.Path(ifd.__file__).parent
    names = {path.name.split(".")[0] for pattern in ("_*.so", "*.py") for path in folder.glob(pattern)}
    return sorted(names - TYPED)


def main() -> int:
    different = []
    for name in modules():
        text = stub(importlib.import_module(f"ifd.{name}"))
        path = FOLDER / f"{name}.pyi"
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            different.append(path.name)
    if different:
        print(f"{', '.join(different)}: not what the module says; ./run python python/stubs/make_stubs.py")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
