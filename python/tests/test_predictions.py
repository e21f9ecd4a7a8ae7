"""Predictions: where numbers are read in place, what is copied, and what is refused by name."""

import copy
import gc
import pickle
import sys
import weakref

import numpy as np
import pytest

import ifd

TWO = [[0.7, 0.3], [0.4, 0.6]]


def address(array):
    return array.__array_interface__["data"][0]


def test_contiguous_float32_is_read_in_place():
    proba = np.array(TWO, dtype=np.float32)
    cases = ifd.Predictions(proba)
    assert address(cases.proba) == address(proba)
    assert not cases.proba.flags.writeable


def test_read_only_float32_is_read_in_place():
    proba = np.array(TWO, dtype=np.float32)
    proba.flags.writeable = False
    assert address(ifd.Predictions(proba).proba) == address(proba)


@pytest.mark.parametrize(
    "other",
    [
        np.array(TWO),
        np.array(TWO, dtype=">f4"),
        np.array(TWO, dtype=">f8"),
        np.array(TWO, dtype=np.float32, order="F"),
        np.array(TWO, dtype=np.float32)[::-1][::-1],
        np.array(TWO + TWO, dtype=np.float32)[::2][:2].repeat(1, axis=0),
        np.array(TWO, dtype=np.longdouble),
        TWO,
        tuple(map(tuple, TWO)),
        memoryview(np.array(TWO)),
    ],
    ids=str,
)
def test_other_numbers_come_out_the_same(other):
    proba = ifd.Predictions(other).proba
    assert proba.dtype == np.float32
    assert np.array_equal(proba, np.asarray(other).astype(np.float32))


def test_strides_of_every_sign():
    proba = np.random.default_rng(1).dirichlet([1, 1, 1], size=8).astype(np.float32)
    for rows in (slice(None), slice(None, None, -1), slice(None, None, 3), slice(6, 1, -2)):
        for columns in (slice(None), slice(None, None, -1)):
            part = proba[rows, columns]
            assert np.array_equal(ifd.Predictions(part).proba, part)


def test_unaligned_memory():
    numbers = np.array(TWO, dtype=np.float32)
    bytes_ = b"x" + numbers.tobytes()
    unaligned = np.frombuffer(bytes_, dtype=np.float32, offset=1).reshape(2, 2)
    assert np.array_equal(ifd.Predictions(unaligned).proba, numbers)


def test_no_rows():
    cases = ifd.Predictions(np.zeros((0, 3), dtype=np.float32))
    assert len(cases) == 0 and cases.proba.shape == (0, 3) and len(cases.predicted) == 0


class Tensor:
    """As torch shows itself to numpy."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None):
        return self.array if dtype is None else self.array.astype(dtype)


def test_what_has_an_array_is_read_in_place():
    proba = np.array(TWO, dtype=np.float32)
    assert address(ifd.Predictions(Tensor(proba)).proba) == address(proba)


def test_memory_outlives_the_name_of_the_array():
    proba = np.array(TWO, dtype=np.float32)
    before = sys.getrefcount(proba)
    cases = ifd.Predictions(proba)
    assert sys.getrefcount(proba) == before + 1
    shared = cases[:].proba, copy.copy(cases), cases.with_labels([0, 1])
    assert sys.getrefcount(proba) >= before + 1
    del shared, cases
    gc.collect()
    assert sys.getrefcount(proba) == before


def test_a_window_keeps_its_predictions():
    window = ifd.Predictions(np.array(TWO)).proba
    gc.collect()
    np.zeros(1000)
    assert np.array_equal(window, np.array(TWO, dtype=np.float32))


def test_arrays_that_have_lost_their_names_are_freed():
    class Watched(np.ndarray):
        pass

    proba = np.array(TWO, dtype=np.float32).view(Watched)
    watch = weakref.ref(proba)
    cases = ifd.Predictions(proba)
    del proba
    gc.collect()
    assert watch() is not None
    del cases
    gc.collect()
    assert watch() is None


@pytest.mark.parametrize(
    ("proba", "message"),
    [
        ([0.5, 0.5], "proba: shape (2,); expected two dimensions, N x K"),
        ([[[0.5, 0.5]]], "proba: shape (1, 1, 2); expected two dimensions, N x K"),
        (np.array([[object(), object()]]), "proba: dtype object; expected numbers"),
        ([["a", "b"]], "proba: dtype <U1; expected numbers"),
        (np.array([[0.5 + 0j, 0.5]]), "proba: dtype complex128; expected numbers"),
        ([[0.5, np.nan]], None),
        ([[0.5, np.inf]], None),
        ([[1e300, 0.5]], None),
        ([[0.5, 0.6]], None),
        ([[-0.5, 1.5]], None),
        ([[1.0]], None),
        (np.zeros((3, 0)), None),
        ([[0.5, 0.5], [1]], None),
        (None, None),
        (7, None),
        ("text", None),
        (np.array([[1, 2]], dtype="datetime64[s]"), None),
    ],
    ids=repr,
)
def test_what_is_no_prediction_is_refused(proba, message):
    with pytest.raises(ifd.BadInput) as refused:
        ifd.Predictions(proba)
    assert "\n" not in str(refused.value)
    if message:
        assert str(refused.value) == message


@pytest.mark.parametrize(
    ("beside", "message"),
    [
        ({"classes": ["a", "b", "c"]}, "classes: 3 of them; expected 2, one per column"),
        ({"classes": "ab"}, "classes: expected a list"),
        ({"cases": ["x"]}, None),
        ({"cases": ["x", "x"]}, None),
        ({"labels": [0]}, "labels: 1 of them; expected 2, one per case"),
        ({"labels": [0, 2]}, "labels: '2' is not a class; expected 0..1"),
        ({"labels": ["0", "x"]}, "labels: 'x' is not a class; expected 0..1"),
        ({"features": [[1.0]]}, "features: 1 rows; expected 2, one per case"),
        ({"features": [1.0, 2.0]}, "features: shape (2,); expected two dimensions, N x K"),
    ],
    ids=repr,
)
def test_what_goes_with_them_is_refused_by_name(beside, message):
    with pytest.raises(ifd.BadInput) as refused:
        ifd.Predictions(TWO, **beside)
    if message:
        assert str(refused.value) == message


def test_labels_are_names_or_places():
    by_place = ifd.Predictions(TWO, classes=["a", "b"], labels=[1, 0])
    by_name = ifd.Predictions(TWO, classes=["a", "b"], labels=["b", "a"])
    assert by_place == by_name and by_name.labels.tolist() == [1, 0]
    # Where a class has a number for a name, numbers are names.
    assert ifd.Predictions(TWO, classes=[7, 3], labels=np.array([3, 7])).labels.tolist() == [1, 0]


def test_rows_by_slice_index_and_mask():
    cases = ifd.Predictions(TWO, cases=["x", "y"], labels=[0, 1], features=[[1, 2], [3, 4]])
    for key in (slice(1, None), [1], np.array([1]), np.array([False, True]), 1, -1):
        part = cases[key]
        assert part.cases == ["y"] and part.labels.tolist() == [1]
        assert part.features.tolist() == [[3, 4]]
    with pytest.raises(IndexError):
        cases[2]
    with pytest.raises(ifd.BadInput):
        cases[0, 1]


def test_pickle_copy_and_compare():
    full = ifd.Predictions(
        TWO, classes=["a", "b"], cases=["x", "y"], labels=[0, 1], features=[[1], [2]]
    )
    for cases in (full, ifd.Predictions(TWO), ifd.Predictions(np.zeros((0, 2)))):
        for twin in (
            *(pickle.loads(pickle.dumps(cases, protocol)) for protocol in range(6)),
            copy.copy(cases),
            copy.deepcopy(cases),
        ):
            assert twin == cases
    assert full != ifd.Predictions(TWO) and full != 3
    with pytest.raises(TypeError):
        hash(full)


def test_logits():
    logits = np.array([[1.0, 2.0, 0.5]])
    expected = np.exp(logits) / np.exp(logits).sum()
    assert np.allclose(ifd.Predictions.from_logits(logits).proba, expected, atol=1e-6)
    with pytest.raises(ifd.BadInput, match="^logits: "):
        ifd.Predictions.from_logits([1, 2])


def test_written_and_read(tmp_path):
    cases = ifd.Predictions(TWO, classes=["a", "b"], cases=["x", "y"], labels=[0, 1], features=[[1], [2]])
    cases.write(tmp_path / "p.npz")
    assert ifd.Predictions.read(tmp_path / "p.npz") == cases
    turned = ifd.Predictions.read(tmp_path / "p.npz", classes=["b", "a"])
    assert turned.proba.tolist() == cases.proba[:, ::-1].tolist()
    with pytest.raises(ifd.NotFound):
        ifd.Predictions.read(tmp_path / "none.csv")


def test_data_frames_name_classes_and_cases():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(TWO, columns=["a", "b"], index=["x", "y"])
    cases = ifd.Predictions(frame)
    assert cases.classes == ["a", "b"] and cases.cases == ["x", "y"] and cases.has_names
    assert not ifd.Predictions(pandas.DataFrame(TWO)).has_names
    with pytest.raises(ifd.BadInput, match="^proba: dtype object"):
        ifd.Predictions(frame.assign(note="text"))
