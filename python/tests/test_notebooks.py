"""The notebooks of examples/ run from top to bottom, and are kept without what they printed."""

import json
import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
SECONDS = 240  # a cell that takes longer hangs
NEEDS = {"sleep_scorers": ["pandas"], "five_colleagues": ["sklearn", "pandas"], "your_own_method": ["pandas"]}


def data_folder():
    given = os.environ.get("IFD_DATA")
    places = [pathlib.Path(given)] if given else []
    places += [parent / "shared/data" for parent in ROOT.parents]
    return next((place for place in places if (place / "dodh").is_dir()), None)


def test_there_are_four():
    assert len(NOTEBOOKS) == 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_kept_without_outputs(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None


def test_the_first_has_ten_cells_of_code():
    cells = json.loads((ROOT / "examples/five_colleagues.ipynb").read_text(encoding="utf-8"))["cells"]
    assert sum(cell["cell_type"] == "code" for cell in cells) == 10


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path, tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    execute = pytest.importorskip("nbconvert.preprocessors")
    for package in ["ipykernel", "matplotlib", *NEEDS.get(path.stem, [])]:
        pytest.importorskip(package)
    if path.stem == "sleep_scorers":
        if data_folder() is None:
            pytest.skip("the data of DOD-H is not there: IFD_DATA, or ../shared/data")
        monkeypatch.setenv("IFD_DATA", str(data_folder()))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(path, as_version=4)
    execute.ExecutePreprocessor(timeout=SECONDS, kernel_name="python3").preprocess(
        notebook, {"metadata": {"path": str(tmp_path)}})
    errors = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs
              if output.output_type == "error"]
    assert errors == []
