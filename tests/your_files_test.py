"""Runs the snippets of docs/your-files.md and has ifd read what they wrote.

your_files_test.py IFD docs/your-files.md PACKAGE

PACKAGE is what the snippets need: none, numpy, pandas or torch. Where it is not installed, they are
skipped, and the last line says so.
"""
import contextlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

PACKAGES = ("torch", "pandas", "numpy")  # a snippet belongs to the first that it imports
NAMES = ["cat", "dog", "owl"]
IDS = [f"{i:03d}" for i in range(24)]
TRUTH = [i % 3 for i in range(24)]
PAST = set(IDS[:18])


def package_of(snippet):
    imported = set(re.findall(r"\w+", " ".join(re.findall(r"^import (.*)$", snippet, re.M))))
    return next((name for name in PACKAGES if name in imported), "none")


def probabilities():
    rows = []
    for i, k in enumerate(TRUTH):
        top = k if i % 4 else (k + 1) % 3
        rows.append([0.8 if j == top else 0.1 for j in range(3)])
    return rows


def answer(expert, i):
    """Ann is always right, and bob calls everything a dog."""
    return NAMES[TRUTH[i]] if expert == "ann" else "dog"


def write(name, lines):
    with open(name, "w", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))


def annotation(person, i):
    return {"completed_by": person, "was_cancelled": False,
            "result": [{"type": "choices", "from_name": "choice",
                        "value": {"choices": [answer(person, i)]}}]}


def put_sources():
    """What somebody has before there are files for ifd."""
    write("ratings.csv", ["case,truth,ann,bob"] + [
        f"{IDS[i]},{NAMES[TRUTH[i]]},{answer('ann', i)},{answer('bob', i)}" for i in range(24)])
    tasks = [{"id": i, "data": {"case": IDS[i], "truth": NAMES[TRUTH[i]]},
              "annotations": [annotation("ann", i), annotation("bob", i)]} for i in range(18)]
    tasks.append({"id": 90, "data": {"case": "x", "truth": "cat"}, "annotations": []})
    tasks.append({"id": 91, "data": {"case": "y", "truth": "cat"}, "annotations": [
        {"completed_by": "ann", "was_cancelled": True, "result": []}]})
    write("project.json", [json.dumps(tasks)])
    write("project.csv", ["annotation_id,annotator,case,choice,created_at,id,lead_time"] + [
        f"{i},{person},{IDS[i]},{answer(person, i)},2024-01-01T00:00:00Z,{i},1.5"
        for i in range(18, 24) for person in ("ann", "bob")])


def put_files():
    """What a snippet does not write."""
    write("plain-predictions.csv", ["case,label," + ",".join(NAMES)] + [
        ",".join([IDS[i], NAMES[TRUTH[i]]] + [str(v) for v in row])
        for i, row in enumerate(probabilities())])
    for name, cases in (("context", range(18)), ("answers", range(18, 24))):
        write(f"plain-{name}.csv", ["expert,case,answer,truth"] + [
            f"{person},{IDS[i]},{answer(person, i)},{NAMES[TRUTH[i]]}"
            for i in cases for person in ("ann", "bob")])


def variables(package):
    given = {"p": probabilities(), "y": TRUTH, "names": NAMES, "ids": IDS, "past": PAST}
    if package in ("numpy", "pandas", "torch"):
        import numpy
        given["p"] = numpy.array(given["p"], dtype="float32")
        given["y"] = numpy.array(TRUTH)
    if package == "torch":
        import torch
        x = torch.log(torch.tensor(probabilities()))
        given["model"] = torch.nn.Identity()
        given["loader"] = [(x[i:i + 8], torch.tensor(TRUTH[i:i + 8])) for i in range(0, 24, 8)]
    return given


def accuracy_of(ifd, files):
    words = [ifd, "evaluate", "-q", "--json", "--bootstrap", "0", "--missing", "off-duty"]
    for option, file in files.items():
        words += ["--" + option, file]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    read = json.loads(ran.stdout)["policies"][0]
    return read["model_accuracy"], read["aursac"]


def check(ifd, snippet, package):
    """What the snippet wrote means the same to ifd as the tables it was made from."""
    put_sources()
    put_files()
    before = set(os.listdir("."))
    exec(compile(snippet, "snippet", "exec"), variables(package))
    written = sorted(set(os.listdir(".")) - before)
    plain = {name: f"plain-{name}.csv" for name in ("predictions", "context", "answers")}
    files = dict(plain)
    for name in written:
        files[name.split(".")[0]] = name
    assert written and set(files) == set(plain), f"wrote {written}"
    assert accuracy_of(ifd, files) == accuracy_of(ifd, plain), f"{written} read otherwise"
    return written


@contextlib.contextmanager
def scratch():
    home = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(home)


def main(ifd, page, package):
    with open(page, encoding="utf-8") as file:
        snippets = re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)
    mine = [snippet for snippet in snippets if package_of(snippet) == package]
    assert mine, f"no snippet of {page} needs {package}"
    for snippet in snippets:
        lines = [line for line in snippet.splitlines() if line]
        assert len(lines) <= 10, f"{len(lines)} lines:\n{snippet}"
    needed = [] if package == "none" else ["numpy", package]
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        print(f"your_files: skipped {len(mine)} snippet(s), there is no {missing[0]}")
        return
    for snippet in mine:
        with scratch():
            print("ifd reads", *check(ifd, snippet, package))


main(os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3])
