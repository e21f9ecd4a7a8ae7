"""Training, by the program that learns.

LibTorch is never loaded into this process: it wants an environment of its own before it starts (a
better BLAS, kernels for this processor), and does not go together with another one, such as that of
PyTorch. So `ifd train` is started as a process, and gives the same bits as on the command line.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

import numpy as np

from ifd import _core
from ifd._errors import BadInput, Cancelled, Error, NotFound, StorageError
from ifd._tables import is_path

_ERROR_OF_CODE = {2: BadInput, 3: BadInput, 5: StorageError}
_INTERRUPTED = 130
# How long an interrupted training may take to write what it has.
_GRACE = 30


def _program():
    """The command ifd: that of $IFD_COMMAND, of the build that this package is part of, or of PATH."""
    here = pathlib.Path(__file__).parent
    built = pathlib.Path(_core.__file__).parent.parent.parent / "ifd"
    for place in (os.environ.get("IFD_COMMAND"), built, here / "bin" / "ifd", shutil.which("ifd")):
        if place and os.access(place, os.X_OK) and os.path.isfile(place):
            return os.fspath(place)
    raise NotFound(
        "training needs the program ifd with ifd-train beside it, which is not installed; expected it"
        " on PATH, or its path in IFD_COMMAND"
    )


def _words(options):
    """Keyword arguments as options of the command: lcb_width=2 is --lcb-width 2."""
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words += [flag, str(value)]
    return words


def _show(epoch):
    """One line on stderr that each epoch writes over."""
    if epoch.get("event") != "epoch":
        return
    told = f"epoch {epoch['epoch']}"
    for name, value in epoch.items():
        if name in ("loss", "aursac", "accuracy") and isinstance(value, float):
            told += f", {name} {value:.4f}"
    end = "" if sys.stderr.isatty() else "\n"
    sys.stderr.write(("\r\x1b[K" if not end else "") + told + end)
    sys.stderr.flush()


def _stop(process):
    process.send_signal(signal.SIGINT)
    try:
        process.wait(_GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _run(words, progress):
    """Runs the command, tells `progress` of its epochs, and raises what it complains of."""
    heard = _show if progress is True else progress or (lambda epoch: None)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as complaints:
        process = subprocess.Popen(
            [_program(), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is ours to hand on
        )
        try:
            for line in process.stdout:
                with contextlib.suppress(json.JSONDecodeError):
                    heard(json.loads(line))
            code = process.wait()
        except BaseException:
            _stop(process)
            raise
        finally:
            process.stdout.close()
            if progress is True and sys.stderr.isatty():
                sys.stderr.write("\n")
        if code == 0:
            return
        complaints.seek(0)
        lines = complaints.read().strip().splitlines()
    message = lines[-1].removeprefix("ifd: ").removeprefix("ifd-train: ") if lines else f"exit code {code}"
    if code == _INTERRUPTED:
        raise Cancelled(message)
    raise _ERROR_OF_CODE.get(code, Error)(message)


def _predictions_file(cases, folder, name):
    if is_path(cases):
        return os.fspath(cases)
    if not isinstance(cases, _core.Predictions):
        raise BadInput(f"{name}: expected Predictions, or the path of a file")
    path = os.path.join(folder, name + ".npz")
    cases.write(path)
    return path


def _write_table(table, path, name):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(_core.table_as_csv(table, name))


def _context_file(context, folder):
    if is_path(context):
        return os.fspath(context)
    path = os.path.join(folder, "context.csv")
    if isinstance(context, _core.Staff):
        context.write_answers(path)
    else:
        _write_table(context, path, "context")
    return path


def _answers_file(answers, cases, folder, name):
    if is_path(answers):
        return os.fspath(answers)
    path = os.path.join(folder, name + ".csv")
    if isinstance(answers, _core.Answers):
        if not isinstance(cases, _core.Predictions):
            raise BadInput(f"{name}: Answers go with Predictions; expected these in place of a path")
        answers.write(path, cases=cases)
    else:
        _write_table(answers, path, name)
    return path


def _split_off(cases, seed):
    """A fifth of the cases, drawn by their order, to validate on; and the others."""
    if not isinstance(cases, _core.Predictions):
        raise BadInput("validation: there is none; expected it where the training cases are a file")
    chosen = np.random.default_rng(seed).permutation(len(cases)) < max(1, len(cases) // 5)
    return cases[~chosen], cases[chosen]


def train(
    method,
    train=None,
    validation=None,
    context=None,
    *,
    answers=None,
    validation_answers=None,
    seed=0,
    threads=None,
    progress=True,
    save=None,
    **settings,
):
    """Trains a policy by one of the methods of `ifd train` ("ifd", "population", ...).

    train, validation: labelled Predictions, with features where the method reads them, or paths;
    without validation cases a fifth of the training cases is taken. context: what experts answered
    on a few training cases: Staff, a table expert, case, answer, truth, or a path. answers,
    validation_answers: what every expert answered on every case; only the baselines need them.
    progress: True for a line on stderr, or called with a dict for every epoch. save: where the policy
    file is kept. settings: options of `ifd train` by name (epochs=20, objective="peak", paper=True);
    with joint, images and joint_output the classifier learns too, in place of train and validation.

    Returns a Policy, which a Router takes for its policy.
    """
    if context is None:
        raise BadInput("context: there is none; expected what experts answered on training cases")
    with tempfile.TemporaryDirectory(prefix="ifd-") as folder:
        if validation is None and "joint" not in settings:
            train, validation = _split_off(train, seed)
        output = os.path.join(folder, "policy.ifd") if save is None else os.fspath(save)
        words = ["train", "--method", method, "--json", "--quiet", "--output", output]
        if train is not None:
            words += ["--predictions", _predictions_file(train, folder, "train")]
            words += ["--validation", _predictions_file(validation, folder, "validation")]
        words += ["--context", _context_file(context, folder)]
        if answers is not None:
            words += ["--answers", _answers_file(answers, train, folder, "answers")]
        if validation_answers is not None:
            place = _answers_file(validation_answers, validation, folder, "validation_answers")
            words += ["--validation-answers", place]
        words += _words({"seed": seed, "threads": threads, **settings})
        _run(words, progress)
        if save is not None:
            return _core.read_policy(save)
        with open(output, "rb") as file:
            return _core.Policy.from_bytes(file.read(), name=method)


class Classifier:
    """A classifier that was trained here: a safetensors file with all that is needed to ask it."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self._bytes = file.read()

    def save(self, path):
        """Writes the file, which `ifd classify --model` takes too."""
        with open(path, "wb") as file:
            file.write(self._bytes)

    @property
    def classes(self):
        """The names of its classes."""
        size = int.from_bytes(self._bytes[:8], "little")
        header = json.loads(self._bytes[8 : 8 + size])
        return json.loads(header["__metadata__"]["classes"])

    def predict(self, inputs, *, labels=None, split="test", **settings):
        """Predictions, with features, for images (uint8, N x H x W [x C]) or vectors, or for a path."""
        with tempfile.TemporaryDirectory(prefix="ifd-") as folder:
            model = os.path.join(folder, "classifier.safetensors")
            self.save(model)
            output = os.path.join(folder, "predictions.npz")
            words = ["classify", "--model", model, "--output", output, "--quiet"]
            words += _input_words(inputs, labels, self.classes, folder, split)
            _run([*words, *_words(settings)], None)
            made = _core.Predictions.read(output)
        if labels is not None or is_path(inputs) or isinstance(inputs, _core.Predictions):
            return made
        # The program wants labels; those that stood in for none are left out.
        return _core.Predictions(made.proba, classes=made.classes, features=made.features)

    def __eq__(self, other):
        return self._bytes == other._bytes if isinstance(other, Classifier) else NotImplemented

    __hash__ = None

    def __repr__(self):
        return f"<ifd.Classifier: {len(self._bytes)} bytes>"


def _vectors(values, labels, classes, name, folder):
    """Vectors as the program takes them: the features of predictions that say nothing."""
    labels = np.asarray(labels)
    count = int(labels.max()) + 1 if classes is None else len(classes)
    even = np.full((len(labels), max(2, count)), 1 / max(2, count), dtype=np.float32)
    made = _core.Predictions(even, classes=classes, labels=labels.tolist(), features=values)
    return _predictions_file(made, folder, name)


def _images_file(splits, folder):
    path = os.path.join(folder, "images.npz")
    arrays = {}
    for split, (images, labels) in splits.items():
        images = np.asarray(images)
        if images.dtype != np.uint8 or images.ndim not in (3, 4):
            raise BadInput(f"images: {images.dtype} {images.shape}; expected uint8, N x H x W [x C]")
        arrays[split + "_images"] = images
        arrays[split + "_labels"] = np.asarray(labels).reshape(-1, 1).astype(np.uint8)
    np.savez(path, **arrays)
    return path


def _input_words(inputs, labels, classes, folder, split):
    if is_path(inputs):
        return ["--images", os.fspath(inputs), "--split", split]
    if isinstance(inputs, _core.Predictions):
        return ["--predictions", _predictions_file(inputs, folder, "inputs")]
    inputs = np.asarray(inputs)
    labels = np.zeros(len(inputs), dtype=np.int64) if labels is None else np.asarray(labels)
    if inputs.ndim == 2:
        return ["--predictions", _vectors(inputs, labels, classes, "inputs", folder)]
    images = _images_file(
        {name: (inputs, labels) for name in ("train", "val", "test")}, folder
    )
    return ["--images", images, "--split", "test"]


def train_classifier(
    inputs,
    labels=None,
    *,
    validation=None,
    classes=None,
    backbone=None,
    seed=0,
    threads=None,
    progress=True,
    save=None,
    **settings,
):
    """Trains a classifier: of images (uint8, N x H x W [x C]), of vectors (N x D), or of a path.

    inputs: an array with labels by number, or the path of images in MedMNIST layout. validation: a
    pair (inputs, labels), which images need. backbone: "resnet-small", "mlp", ... settings: options
    of `ifd classifier train` by name (epochs=5). Returns a Classifier.
    """
    with tempfile.TemporaryDirectory(prefix="ifd-") as folder:
        output = os.path.join(folder, "classifier.safetensors") if save is None else os.fspath(save)
        words = ["classifier", "train", "--json", "--quiet", "--output", output]
        vectors = not is_path(inputs) and np.ndim(inputs) == 2
        if is_path(inputs):
            words += ["--images", os.fspath(inputs)]
        elif vectors:
            words += ["--predictions", _vectors(inputs, labels, classes, "train", folder)]
            if validation is not None:
                words += ["--validation", _vectors(*validation, classes, "validation", folder)]
        else:
            if validation is None:
                raise BadInput("validation: there is none; expected a pair (images, labels)")
            splits = {"train": (inputs, labels), "val": validation, "test": validation}
            words += ["--images", _images_file(splits, folder)]
        if classes is not None and not vectors:
            words += ["--class-names", ",".join(classes)]
        words += ["--backbone", backbone or ("mlp" if vectors else "resnet-small")]
        words += _words({"seed": seed, "threads": threads, **settings})
        _run(words, progress)
        return Classifier(output)
