"""Every example in a docstring and in docs/python.md runs, and says what it is said to say."""

import doctest
import importlib
import pathlib
import pkgutil

import numpy
import pytest

import ifd

ROOT = pathlib.Path(__file__).resolve().parents[2]
# What a module needs beyond numpy.
NEEDS = {"ifd.sklearn": "sklearn", "ifd.dask": "dask.dataframe"}
MODULES = ["ifd", *(f"ifd.{module.name}" for module in pkgutil.iter_modules(ifd.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    module = importlib.import_module(name)
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    # Compiled functions have no source that could say whose they are: every public object is looked at.
    objects = {name: module} | {f"{name}.{key}": value for key, value in vars(module).items()
                                if not key.startswith("_") and getattr(value, "__module__", "").startswith("ifd")}
    seen = set()
    for label, value in objects.items():
        for example in finder.find(value, label, module=False, globs={"ifd": ifd, "np": numpy, **vars(module)}):
            if example.docstring not in seen:
                seen.add(example.docstring)
                runner.run(example)
    assert runner.failures == 0


def test_every_public_name_is_described():
    bare = [name for name in ifd.__all__ if not (getattr(ifd, name).__doc__ or "").strip()]
    assert bare == []


def blocks(path, language):
    text = (ROOT / path).read_text(encoding="utf-8")
    return [part.split("\n```")[0] for part in text.split(f"```{language}\n")[1:]]


def test_the_page_on_python():
    """One session from top to bottom."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    parser = doctest.DocTestParser()
    session = {"ifd": ifd, "np": numpy}
    examples = "\n".join(blocks("docs/python.md", "pycon"))
    assert ">>>" in examples
    runner.run(parser.get_doctest(examples, session, "docs/python.md", "docs/python.md", 0))
    assert runner.failures == 0


def test_the_readme_shows_the_first_notebook():
    """Line by line: the code of README's Python section stands in a cell of the notebook."""
    import json

    notebook = json.loads((ROOT / "examples/five_colleagues.ipynb").read_text(encoding="utf-8"))
    lines = {line.strip() for cell in notebook["cells"] if cell["cell_type"] == "code" for line in cell["source"]}
    shown = [line.strip() for line in blocks("README.md", "python")[0].splitlines() if line.strip()]
    assert shown
    for line in shown:
        assert line.split("  #")[0].strip() in {known.split("  #")[0].strip() for known in lines}, line
