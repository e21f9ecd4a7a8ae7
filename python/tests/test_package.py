"""The package as a whole: its names, its exceptions, what importing it loads."""

import pathlib
import subprocess
import sys

import ifd
from ifd import _core


def test_public_names_are_there_and_documented():
    for name in ifd.__all__:
        assert getattr(ifd, name).__doc__, name
    assert ifd.__version__ == _core.__version__


def test_exceptions_are_what_python_calls_them():
    assert issubclass(ifd.BadInput, ValueError) and issubclass(ifd.Conflict, ValueError)
    assert issubclass(ifd.NotFound, KeyError) and issubclass(ifd.StorageError, OSError)
    assert issubclass(ifd.CorruptFile, ValueError)
    for name in ("BadInput", "NotFound", "Conflict", "CorruptFile", "StorageError", "Cancelled"):
        kind = getattr(ifd, name)
        assert issubclass(kind, ifd.Error) and str(kind("one line")) == "one line"


def test_importing_loads_no_more_than_numpy():
    code = (
        "import sys, ifd; "
        "print([name for name in ('pandas', 'sklearn', 'dask', 'torch', 'matplotlib', 'ifd._training')"
        " if name in sys.modules])"
    )
    folder = str(pathlib.Path(ifd.__file__).parent.parent)
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         env={"PYTHONPATH": folder, "PATH": "/usr/bin:/bin"})
    assert out.stdout.strip() == "[]"
