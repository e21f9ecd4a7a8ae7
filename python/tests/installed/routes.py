"""A small routing, printed to the last bit: wherever the package is installed it says the same."""

import numpy as np

import ifd

random = np.random.default_rng(7)
classes = ["mel", "nv", "bcc"]
cases = ifd.Predictions(random.dirichlet(np.ones(3), 200).astype(np.float32), classes=classes)
staff = ifd.Staff(classes)
for name, skill in {"ana": 0.9, "bo": 0.6, "cy": 0.75}.items():
    staff.add(name)
    for truth in random.integers(3, size=60):
        answer = truth if random.random() < skill else (truth + 1) % 3
        staff.update(name, answer=classes[answer], truth=classes[truth])
routes = ifd.Router("plug-in", staff).route(cases, budget=0.2)
print(ifd.__version__, routes.expert.tolist(), [float(margin).hex() for margin in routes.margin])
