"""Builds the compiled half of the package with CMake, as ./run does; the rest is in pyproject.toml."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
BUILD = ROOT / "build"


def version() -> str:
    """The project's, which CMakeLists.txt has."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(ifd VERSION ([0-9.]+)", text)[1]


class CMakeBuild(build_ext):
    """A CMake build in a folder of its own for each version of Python."""

    def run(self) -> None:
        folder = BUILD / f"wheel-{sys.implementation.cache_tag}"
        target = pathlib.Path(self.get_ext_fullpath("ifd._core")).resolve().parent.parent
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "CMAKE_CXX_COMPILER": os.environ.get("CXX", "g++"),
            "IFD_PYTHON": "ON",
            "IFD_PYTHON_DIRECTORY": target,
            "IFD_CLI": "OFF",
            "IFD_TESTS": "OFF",
            "IFD_BENCHMARKS": "OFF",
            "IFD_TRAIN": "OFF",
            "Python_EXECUTABLE": sys.executable,
        }
        if shutil.which("ccache"):
            options["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
        given = [f"-D{name}={value}" for name, value in options.items()]
        subprocess.check_call(["cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *given])
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
        subprocess.check_call(["cmake", "--build", folder, "--target", "ifd_python_core", "-j", jobs])
        subprocess.check_call(["cmake", "--install", folder, "--component", "python"])

    def get_outputs(self) -> list[str]:
        folder = pathlib.Path(self.get_ext_fullpath("ifd._core")).parent
        return [str(path) for path in folder.glob("*.so")]


BUILD.mkdir(exist_ok=True)
# A module that is no longer there must not come back from an earlier build.
shutil.rmtree(BUILD / "pip", ignore_errors=True)
setup(
    version=version(),
    ext_modules=[Extension("ifd._core", [])],
    cmdclass={"build_ext": CMakeBuild},
    # What setuptools notes down for itself stays out of the sources.
    options={"egg_info": {"egg_base": str(BUILD)}, "build": {"build_base": str(BUILD / "pip")}},
)
