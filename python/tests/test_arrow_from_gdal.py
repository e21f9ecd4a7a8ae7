"""Arrow's C stream from somebody else: GDAL's, through ctypes, with every release counted."""

import ctypes
import ctypes.util
import gc

import numpy as np
import pytest

import ifd

LIBRARY = ctypes.util.find_library("gdal")
if LIBRARY is None:
    pytest.skip("GDAL is not installed", allow_module_level=True)


class ArrowArray(ctypes.Structure):
    """As published; only its end matters here."""


ArrowArray._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.c_void_p),
    ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p), ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p)]


class ArrowArrayStream(ctypes.Structure):
    _fields_ = [("get_schema", ctypes.c_void_p), ("get_next", ctypes.c_void_p),
                ("get_last_error", ctypes.c_void_p), ("release", ctypes.c_void_p),
                ("private_data", ctypes.c_void_p)]


RELEASE_STREAM = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArrayStream))
RELEASE_ARRAY = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ArrowArrayStream), ctypes.POINTER(ArrowArray))


def gdal():
    library = ctypes.CDLL(LIBRARY)
    if not hasattr(library, "OGR_L_GetArrowStream"):
        pytest.skip("this GDAL has no Arrow streams")
    library.GDALOpenEx.restype = ctypes.c_void_p
    library.GDALOpenEx.argtypes = [ctypes.c_char_p, ctypes.c_uint, ctypes.c_void_p,
                                   ctypes.POINTER(ctypes.c_char_p), ctypes.c_void_p]
    library.GDALDatasetGetLayer.restype = ctypes.c_void_p
    library.GDALDatasetGetLayer.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.GDALClose.argtypes = [ctypes.c_void_p]
    library.OGR_L_GetArrowStream.restype = ctypes.c_bool
    library.OGR_L_GetArrowStream.argtypes = [ctypes.c_void_p, ctypes.POINTER(ArrowArrayStream),
                                             ctypes.POINTER(ctypes.c_char_p)]
    library.GDALAllRegister()
    return library


def text_list(*words):
    return (ctypes.c_char_p * (len(words) + 1))(*[word.encode() for word in words], None)


class Table:
    """A CSV file that GDAL reads, in batches of some rows; counts what is given out and given back."""

    def __init__(self, path, rows_in_batch=7):
        self.library = gdal()
        self.dataset = self.library.GDALOpenEx(str(path).encode(), 4, None, text_list("AUTODETECT_TYPE=YES"), None)
        assert self.dataset
        layer = self.library.GDALDatasetGetLayer(self.dataset, 0)
        self.stream = ArrowArrayStream()
        options = text_list("INCLUDE_FID=NO", f"MAX_FEATURES_IN_BATCH={rows_in_batch}")
        assert self.library.OGR_L_GetArrowStream(layer, ctypes.byref(self.stream), options)
        self.streams_released = self.arrays_given = self.arrays_released = 0
        self._keep = []
        self._count_stream()
        self._count_arrays()

    def _count_stream(self):
        original = RELEASE_STREAM(self.stream.release)

        def release(stream):
            self.streams_released += 1
            stream.contents.release = ctypes.cast(original, ctypes.c_void_p)
            original(stream)

        counting = RELEASE_STREAM(release)
        self._keep += [original, counting]
        self.stream.release = ctypes.cast(counting, ctypes.c_void_p)

    def _count_arrays(self):
        original = GET_NEXT(self.stream.get_next)

        def get_next(stream, array):
            result = original(stream, array)
            if result == 0 and array.contents.release:
                self.arrays_given += 1
                self._count_array(array.contents)
            return result

        counting = GET_NEXT(get_next)
        self._keep += [original, counting]
        self.stream.get_next = ctypes.cast(counting, ctypes.c_void_p)

    def _count_array(self, array):
        original = RELEASE_ARRAY(array.release)

        def release(released):
            self.arrays_released += 1
            released.contents.release = ctypes.cast(original, ctypes.c_void_p)
            original(released)

        counting = RELEASE_ARRAY(release)
        self._keep += [original, counting]
        array.release = ctypes.cast(counting, ctypes.c_void_p)

    def __arrow_c_stream__(self, requested_schema=None):
        new_capsule = ctypes.pythonapi.PyCapsule_New
        new_capsule.restype = ctypes.py_object
        new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new_capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)

    def close(self):
        self.library.GDALClose(self.dataset)


@pytest.fixture
def predictions_file(tmp_path):
    random = np.random.default_rng(3)
    table = random.dirichlet(np.ones(3), 40).round(6)
    table[:, 2] = (1 - table[:, 0] - table[:, 1]).round(6)
    path = tmp_path / "predictions.csv"
    rows = [f"slide {row},{a:.6f},{b:.6f},{c:.6f}" for row, (a, b, c) in enumerate(table)]
    path.write_text("case,mel,nv,bcc\n" + "\n".join(rows) + "\n")
    return path


def test_reads_what_the_file_says(predictions_file):
    """Several batches, the same cases and numbers as our own reader of the file."""
    table = Table(predictions_file)
    read = ifd.Predictions(table)
    expected = ifd.Predictions.read(predictions_file)
    assert list(read.classes) == list(expected.classes)
    assert list(read.cases) == list(expected.cases)
    assert (read.proba == expected.proba).all()
    assert table.arrays_given > 1
    table.close()


def test_releases_everything_exactly_once(predictions_file):
    table = Table(predictions_file)
    read = ifd.Predictions(table)
    kept = np.array(read.proba)
    del read
    gc.collect()
    assert table.streams_released == 1
    assert table.arrays_released == table.arrays_given
    assert not table.stream.release
    assert kept.shape == (40, 3)
    table.close()


def test_releases_everything_where_the_numbers_are_refused(tmp_path):
    path = tmp_path / "predictions.csv"
    path.write_text("case,mel,nv\n" + "".join(f"c{row},0.5,0.5\n" for row in range(20)) + "bad,0.5,0.9\n")
    table = Table(path)
    with pytest.raises(ifd.BadInput):
        ifd.Predictions(table)
    gc.collect()
    assert table.streams_released == 1
    assert table.arrays_released == table.arrays_given
    table.close()
