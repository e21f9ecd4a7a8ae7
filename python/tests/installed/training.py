"""With the package ifd-train, a policy is trained, kept and used."""

import numpy as np

import ifd

random = np.random.default_rng(0)
classes = ["a", "b", "c"]
truth = random.integers(3, size=300)
logits = random.normal(size=(300, 3))
logits[np.arange(300), truth] += 1.5
cases = ifd.Predictions.from_logits(logits, classes=classes, labels=truth)
rows = [("ana", f"past {i}", classes[t if random.random() < 0.8 else (t + 1) % 3], classes[t])
        for i, t in enumerate(random.integers(3, size=90))]
policy = ifd.train("ifd", cases, cases, rows, epochs=2)
routes = ifd.Router(policy, ifd.Staff.from_answers(rows, classes=classes)).route(cases, budget=0.2)
assert 0 < routes.deferred.sum() <= 60
