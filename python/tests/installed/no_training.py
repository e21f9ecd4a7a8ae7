"""Without the package ifd-train, training says what is missing, and everything else works."""

import numpy as np

import ifd

cases = ifd.Predictions(np.eye(3, dtype=np.float32), classes=["a", "b", "c"], labels=[0, 1, 2])
context = {"expert": ["ana"] * 3, "case": ["x", "y", "z"], "answer": ["a", "b", "c"], "truth": ["a", "b", "c"]}
try:
    ifd.train("ifd", cases, context=context)
except ifd.Error as refusal:
    assert "ifd-train" in str(refusal), refusal
    print(refusal)
else:
    raise SystemExit("training works although ifd-train is not installed")
