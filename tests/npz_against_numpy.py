#!/usr/bin/env python3
"""Our reader of NPZ against NumPy's, on archives drawn at random: npz_against_numpy.py NPZ_PRINT [SEED].

Both read the same values from every array of a type that ifd/data/npy.h names; arrays of other types
(big-endian, complex, structured, objects, ...) are refused by ours. Of archives with a damaged byte,
ours may refuse more, but what both read is the same. Exits 77 where NumPy is not there.
"""
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy
except ImportError:
    print("npz_against_numpy: skipped, there is no NumPy for", sys.executable)
    sys.exit(77)

SOUND, DAMAGED = 300, 300
READ = ["|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f2", "<f4", "<f8", "U", "S"]
REFUSED = [">i2", ">i8", ">u4", ">f2", ">f4", ">f8", ">U3", "<c8", "<c16", "<f16", "<M8[s]", "<m8[D]", "V3",
           "O", "fields"]
SHAPES = [(), (0,), (1,), (5,), (2, 3), (3, 0, 2), (1, 1, 1), (2, 3, 4), (4, 1), (1, 2, 1, 2, 1, 2)]
LETTERS = "ab \u00e9\u4e2d\U0001f600\n\"\\"


def text(draw, longest):
    return "".join(draw.choice(LETTERS) for _ in range(draw.randint(0, longest)))


def array(draw, kind):
    shape = draw.choice(SHAPES)
    count = int(numpy.prod(shape))
    if kind == "U":
        made = numpy.array([text(draw, 6) for _ in range(count)] or [], dtype="<U%d" % draw.randint(1, 6))
    elif kind == "S":
        made = numpy.array([text(draw, 3).encode() for _ in range(count)] or [], dtype="|S%d" % draw.randint(12, 15))
    elif kind == "O":
        made = numpy.array([None] * count, dtype=object)
    elif kind == "fields":
        made = numpy.zeros(count, dtype=[("a", "<f4"), ("b", "<i8")])
    elif kind == ">U3":
        made = numpy.array(["abc"] * count, dtype=kind)
    elif kind == "|b1":
        made = numpy.array([draw.random() < .5 for _ in range(count)], dtype=kind)
    elif kind in ("<f2", "<f4", "<f8", "<f16") and draw.random() < .5:
        made = numpy.array([draw.gauss(0, 10 ** draw.uniform(-6, 4)) for _ in range(count)], dtype=kind)
    elif kind == "<f16":
        made = numpy.zeros(count, dtype=kind)
    else:  # any bits
        made = numpy.frombuffer(draw.randbytes(count * numpy.dtype(kind).itemsize), dtype=kind)
    made = made.reshape(shape)
    return numpy.asfortranarray(made) if draw.random() < .3 else made


class Unseekable(io.RawIOBase):
    """Zip writes sizes and checksums behind an entry that it cannot go back to."""

    def __init__(self, stream):
        self.stream = stream

    def writable(self):
        return True

    def write(self, data):
        return self.stream.write(data)


def archive(draw):
    """The bytes of an archive, and by array whether ours must read it."""
    expected = {}
    out = io.BytesIO()
    place = out if draw.random() < .7 else Unseekable(out)
    packing = draw.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    with zipfile.ZipFile(place, "w", packing) as made:
        for i in range(draw.randint(1, 5)):
            known = draw.random() < .7
            name = "%s%d" % (draw.choice(["a", "b c", "\u00e9"]), i)
            with made.open(name + ".npy", "w", force_zip64=draw.random() < .5) as entry:
                numpy.lib.format.write_array(entry, array(draw, draw.choice(READ if known else REFUSED)),
                                             version=draw.choice([(1, 0), (2, 0), (3, 0)]))
            expected[name] = known
        if draw.random() < .3:
            made.writestr("notes.txt", b"not an array")
        if draw.random() < .3:
            made.comment = draw.randbytes(draw.randint(1, 40))
    return out.getvalue(), expected


def comparable(found):
    """NumPy's array as npz_print tells it; None where ours may refuse its values."""
    if found.dtype.kind == "S":
        try:
            return [value.decode() for value in found.ravel().tolist()]
        except UnicodeDecodeError:
            return None
    if found.dtype.kind == "U":
        try:
            "".join(found.ravel().tolist()).encode()
        except UnicodeEncodeError:
            return None
        return found.ravel().tolist()
    if found.dtype.kind in "biu":
        values = [int(value) for value in found.ravel().tolist()]
        return None if any(value > 2**63 - 1 for value in values) else values
    return [float(value) for value in found.astype("<f8").ravel().tolist()]


def same(told, found):
    if found.dtype.kind == "f":
        return all_equal([float.fromhex(value) for value in told], comparable(found))
    return told == comparable(found)


def all_equal(a, b):
    return len(a) == len(b) and all(x == y or (x != x and y != y) for x, y in zip(a, b))


def fail(path, seed, what):
    sys.exit("npz_against_numpy: seed %s, %s: %s" % (seed, os.path.basename(path), what))


def check(path, told, expected, damaged, seed):
    """`told` is what ours says of the archive: by array a line, or under None that it is refused."""
    try:
        archive_of_numpy = numpy.load(path, allow_pickle=False)
    except Exception:
        if not damaged:
            raise
        return 0
    if not damaged and set(told) != set(expected):
        fail(path, seed, "arrays %s; expected %s" % (sorted(map(str, told)), sorted(expected)))
    agreed = 0
    for name, line in told.items():
        if name is None or "refused" in line:
            if not damaged and expected[name] and comparable(archive_of_numpy[name]) is not None:
                fail(path, seed, "%s is refused: %s" % (name, line["refused"]))
            continue
        if not damaged and not expected[name]:
            fail(path, seed, "%s is read; expected a refusal" % name)
        try:
            found = archive_of_numpy[name]
        except Exception:
            if not damaged:
                raise
            continue
        if tuple(line["shape"]) != found.shape or not same(line["values"], found):
            fail(path, seed, "%s is %s %s; NumPy has %s" % (name, line["shape"], line["values"], found))
        agreed += 1
    return agreed


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    draw = random.Random(seed)
    agreed = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        made = []
        for i in range(SOUND + DAMAGED):
            data, expected = archive(draw)
            damaged = i >= SOUND
            if damaged:
                at = draw.randrange(len(data))
                data = data[:at] + bytes([data[at] ^ (1 << draw.randrange(8))]) + data[at + 1:]
            path = os.path.join(folder, "%03d.npz" % i)
            with open(path, "wb") as out:
                out.write(data)
            made.append((path, expected, damaged))
        lines = subprocess.run([sys.argv[1], folder], stdout=subprocess.PIPE, check=True)
        told = {path: {} for path, _, _ in made}
        for line in map(json.loads, lines.stdout.decode().splitlines()):
            told[line["file"]][line.get("array")] = line
            refused += "refused" in line
        for path, expected, damaged in made:
            agreed += check(path, told[path], expected, damaged, seed)
    if agreed < SOUND:
        sys.exit("npz_against_numpy: seed %s: only %d arrays were compared" % (seed, agreed))
    print("npz_against_numpy: seed %s: %d arrays the same, %d refused" % (seed, agreed, refused))


if __name__ == "__main__":
    main()
