"""The stubs say what the modules say, and a project that uses the package is clean under mypy --strict."""

import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE.parent / "ifd"


def run(*words, **options):
    return subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, **options)


def test_stubs_are_those_of_the_modules():
    checked = run(HERE.parent / "stubs" / "make_stubs.py", "--check")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").exists()


def mypy(*words, folder):
    pytest.importorskip("mypy")
    return run("-m", "mypy", "--strict", "--cache-dir", folder / "cache", *words, cwd=folder)


def test_a_project_that_uses_the_package_is_clean(tmp_path):
    checked = mypy(HERE / "typed_project", folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("line, complaint", [
    ('router.route(cases, budget="much")', '"budget" to "route" of "Router" has incompatible type "str"'),
    ("router.rout(cases)", 'has no attribute "rout"'),
    ("name: int = router.experts[0]", 'expression has type "str"'),
    ("ifd.Staff(classes=['a', 'b']).update('ana')", 'Missing named argument "answer"'),
])
def test_mistakes_are_seen(tmp_path, line, complaint):
    """Otherwise the test above would pass where everything is Any."""
    (tmp_path / "wrong.py").write_text(f"import ifd\n\ndef f(router: ifd.Router, cases: ifd.Predictions) -> None:\n    {line}\n")
    checked = mypy("wrong.py", folder=tmp_path)
    assert checked.returncode == 1 and complaint in checked.stdout, checked.stdout + checked.stderr
