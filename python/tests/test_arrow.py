"""The Arrow C stream interface, against a producer that is written here from the published structs."""

import ctypes
import gc

import numpy as np
import pytest

import ifd


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


class ArrowArrayStream(ctypes.Structure):
    pass


SCHEMA_RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))
ARRAY_RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))
STREAM_RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArrayStream))
GET_SCHEMA = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ArrowArrayStream), ctypes.POINTER(ArrowSchema)
)
GET_NEXT = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ArrowArrayStream), ctypes.POINTER(ArrowArray)
)
GET_LAST_ERROR = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(ArrowArrayStream))

ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", SCHEMA_RELEASE),
    ("private_data", ctypes.c_void_p),
]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", ARRAY_RELEASE),
    ("private_data", ctypes.c_void_p),
]
ArrowArrayStream._fields_ = [
    ("get_schema", GET_SCHEMA),
    ("get_next", GET_NEXT),
    ("get_last_error", GET_LAST_ERROR),
    ("release", STREAM_RELEASE),
    ("private_data", ctypes.c_void_p),
]

CAPSULE_DESTRUCTOR = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
ctypes.pythonapi.PyCapsule_New.restype = ctypes.py_object
ctypes.pythonapi.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, CAPSULE_DESTRUCTOR]


class Column:
    """Values as Arrow lays them out; `before` rows stand in front of the offset."""

    def __init__(self, name, values, format_, nulls=(), before=0):
        self.name, self.format, self.before = name.encode(), format_.encode(), before
        self.length = len(values)
        self.nulls = nulls
        if format_ in ("u", "U"):
            texts = ["?"] * before + list(values)
            ends = np.cumsum([0] + [len(text.encode()) for text in texts])
            offsets = ends.astype(np.int32 if format_ == "u" else np.int64)
            characters = np.frombuffer(("".join(texts)).encode() + b"\0", dtype=np.uint8)
            self.data = [offsets, characters]
        else:
            kind = {"f": "f4", "g": "f8", "i": "i4", "l": "i8", "C": "u1", "s": "i2"}[format_]
            self.data = [np.array([0] * before + list(values), dtype=kind)]
        valid = np.ones(before + self.length, dtype=bool)
        valid[[before + row for row in nulls]] = False
        self.valid = np.packbits(valid, bitorder="little") if len(nulls) else None


class Producer:
    """A stream of record batches that counts what is released, and how often."""

    def __init__(self, batches, fail_at=None):
        self.batches, self.fail_at = batches, fail_at
        self.next = 0
        self.made = {"schema": 0, "array": 0}
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self.alive = []
        self.stream = ArrowArrayStream(
            GET_SCHEMA(self.get_schema),
            GET_NEXT(self.get_next),
            GET_LAST_ERROR(lambda stream: ctypes.cast(self.message, ctypes.c_void_p).value),
            STREAM_RELEASE(self.release_stream),
            None,
        )
        self.message = ctypes.create_string_buffer(b"the disk is full")
        self.destructor = CAPSULE_DESTRUCTOR(self.destroy)

    def __arrow_c_stream__(self, requested_schema=None):
        return ctypes.pythonapi.PyCapsule_New(
            ctypes.addressof(self.stream), b"arrow_array_stream", self.destructor
        )

    def destroy(self, capsule):
        if self.stream.release:
            self.stream.release(ctypes.byref(self.stream))

    def release_stream(self, stream):
        self.released["stream"] += 1
        stream.contents.release = STREAM_RELEASE()

    def release_schema(self, schema):
        self.released["schema"] += 1
        schema.contents.release = SCHEMA_RELEASE()

    def release_array(self, array):
        self.released["array"] += 1
        array.contents.release = ARRAY_RELEASE()

    def get_schema(self, stream, out):
        self.made["schema"] += 1
        columns = self.batches[0]
        children = (ctypes.POINTER(ArrowSchema) * len(columns))()
        for i, column in enumerate(columns):
            child = ArrowSchema(column.format, column.name, None, 2, 0)
            children[i] = ctypes.pointer(child)
            self.alive.append(child)
        top = out.contents
        top.format, top.name, top.flags, top.n_children = b"+s", b"", 0, len(columns)
        top.children = ctypes.cast(children, ctypes.POINTER(ctypes.POINTER(ArrowSchema)))
        top.release = SCHEMA_RELEASE(self.release_schema)
        self.alive += [children, top.release]
        return 0

    def get_next(self, stream, out):
        if self.fail_at == self.next:
            return 5
        top = out.contents
        if self.next == len(self.batches):
            top.release = ARRAY_RELEASE()
            return 0
        self.made["array"] += 1
        columns = self.batches[self.next]
        self.next += 1
        children = (ctypes.POINTER(ArrowArray) * len(columns))()
        for i, column in enumerate(columns):
            buffers = [column.valid, *column.data]
            places = (ctypes.c_void_p * len(buffers))(
                *(None if buffer is None else buffer.ctypes.data for buffer in buffers)
            )
            child = ArrowArray(column.length, len(column.nulls), column.before, len(buffers), 0)
            child.buffers = ctypes.cast(places, ctypes.POINTER(ctypes.c_void_p))
            children[i] = ctypes.pointer(child)
            self.alive += [places, child]
        top.length, top.null_count, top.offset = columns[0].length, 0, 0
        top.n_buffers, top.n_children = 1, len(columns)
        nothing = (ctypes.c_void_p * 1)(None)
        top.buffers = ctypes.cast(nothing, ctypes.POINTER(ctypes.c_void_p))
        top.children = ctypes.cast(children, ctypes.POINTER(ctypes.POINTER(ArrowArray)))
        top.release = ARRAY_RELEASE(self.release_array)
        self.alive += [nothing, children, top.release]
        return 0

    def check_released(self):
        gc.collect()
        assert self.released["stream"] == 1
        assert {name: self.released[name] for name in self.made} == self.made


def test_a_stream_of_batches():
    producer = Producer(
        [
            [Column("case", ["x", "yy"], "u"), Column("a", [0.7, 0.4], "g"), Column("b", [0.3, 0.6], "f")],
            [Column("case", ["", "ü"][1:], "u", before=3), Column("a", [0.5], "g", before=2), Column("b", [0.5], "f")],
        ]
    )
    cases = ifd.Predictions(producer)
    producer.check_released()
    expected = np.array([[0.7, 0.3], [0.4, 0.6], [0.5, 0.5]], dtype=np.float32)
    assert np.array_equal(cases.proba, expected)
    assert cases.classes == ["a", "b"] and cases.cases == ["x", "yy", "ü"]


def test_labels_and_whole_numbers():
    producer = Producer(
        [[Column("label", ["b", "a"], "U"), Column("a", [1, 0], "i"), Column("b", [0, 1], "C")]]
    )
    cases = ifd.Predictions(producer)
    producer.check_released()
    assert cases.labels.tolist() == [1, 0] and cases.predicted.tolist() == [0, 1]
    assert not cases.has_names


def test_an_empty_stream():
    producer = Producer([[Column("a", [], "f"), Column("b", [], "f")]])
    assert len(ifd.Predictions(producer)) == 0
    producer.check_released()


@pytest.mark.parametrize(
    ("columns", "fail_at", "message"),
    [
        ([Column("a", [0.5], "f", nulls=[0]), Column("b", [0.5], "f")], None, "column 'a': row 0 is null"),
        ([Column("note", ["x"], "u"), Column("b", [0.5], "f")], None, "column 'note' has the Arrow format 'u'"),
        ([Column("a", [0.5], "f"), Column("b", [0.5], "f")], 0, "the Arrow stream failed: the disk is full"),
        ([Column("a", [0.5], "f"), Column("b", [0.5], "f")], 1, "the Arrow stream failed: the disk is full"),
        ([Column("a", [0.5], "f"), Column("b", [0.9], "f")], None, "row 0"),
        ([Column("a", [0.5, 0.5], "f"), Column("b", [0.5], "f")], None, "column 'b' is shorter than its table"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_refused_is_released_too(columns, fail_at, message):
    producer = Producer([columns], fail_at)
    with pytest.raises(ifd.BadInput, match=message):
        ifd.Predictions(producer)
    producer.check_released()


class Damaged(Producer):
    """A stream whose structs are changed, by `schema` or `array`, before they are handed over."""

    def __init__(self, columns, schema=None, array=None):
        super().__init__([columns])
        self.change_schema, self.change_array = schema, array

    def get_schema(self, stream, out):
        code = super().get_schema(stream, out)
        if self.change_schema:
            self.change_schema(out.contents)
        return code

    def get_next(self, stream, out):
        code = super().get_next(stream, out)
        if self.change_array and out.contents.release:
            self.change_array(out.contents)
        return code


def of_column(**values):
    """The first column's numbers, as they are wrong."""

    def change(top):
        for name, value in values.items():
            setattr(top.children[0].contents, name, value)

    return change


def of_table(**values):
    def change(top):
        for name, value in values.items():
            setattr(top, name, value)

    return change


def with_offsets(*offsets):
    columns = [Column("case", ["xx", "y"], "u"), Column("a", [0.5, 0.5], "f"), Column("b", [0.5, 0.5], "f")]
    columns[0].data[0][:] = offsets
    return columns


HUGE = 2**63 - 1
NO_COLUMNS = ctypes.POINTER(ctypes.POINTER(ArrowArray))()
SHORTER = "column 'a' is shorter than its table"


@pytest.mark.parametrize(
    ("schema", "array", "message"),
    [
        (of_column(format=None), None, "column 0 of the Arrow stream has no format"),
        (of_table(format=None), None, "the Arrow stream is of no table"),
        (of_table(children=ctypes.POINTER(ctypes.POINTER(ArrowSchema))()), None, "schema lacks its columns"),
        (None, of_table(children=NO_COLUMNS), "a batch of the Arrow stream has other columns"),
        (None, of_table(length=-1), "a batch of the Arrow stream has other columns"),
        (None, of_table(offset=-1), "a batch of the Arrow stream has other columns"),
        (None, of_table(length=HUGE), SHORTER),
        (None, of_table(offset=HUGE), SHORTER),
        (None, of_column(length=-1), SHORTER),
        (None, of_column(offset=-1), SHORTER),
        (None, of_column(offset=HUGE), SHORTER),
        (None, of_column(n_buffers=1), SHORTER),
        (None, of_column(buffers=ctypes.POINTER(ctypes.c_void_p)()), SHORTER),
    ],
    ids=str,
)
def test_structs_that_make_no_sense_are_refused(schema, array, message):
    producer = Damaged([Column("a", [0.5, 0.5], "f"), Column("b", [0.5, 0.5], "f")], schema, array)
    with pytest.raises(ifd.BadInput, match=message):
        ifd.Predictions(producer)
    producer.check_released()


@pytest.mark.parametrize("offsets", [(-1, 0, 1), (0, 2, 1), (2, 0, 3), (-5, -2, -1)], ids=str)
def test_offsets_ascend_from_nought(offsets):
    producer = Producer([with_offsets(*offsets)])
    with pytest.raises(ifd.BadInput, match="column 'case' has text from .*; expected ascending offsets"):
        ifd.Predictions(producer)
    producer.check_released()


def test_a_stream_is_read_once():
    producer = Producer([[Column("a", [0.5], "f"), Column("b", [0.5], "f")]])
    ifd.Predictions(producer)
    with pytest.raises(ifd.BadInput, match="the Arrow stream was read already"):
        ifd.Predictions(producer)
    producer.check_released()


def test_what_is_no_capsule():
    class Liar:
        def __arrow_c_stream__(self, requested_schema=None):
            return 3

    with pytest.raises((ifd.Error, ValueError, TypeError)):
        ifd.Predictions(Liar())
