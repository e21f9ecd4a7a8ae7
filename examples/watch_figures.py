"""The figures of docs/decisions.md, "Somebody changed": simulated, from seeds 0, 1, 2, ...

    ./run python examples/watch_figures.py false-alarms | long | delays | fading
"""

import sys

import numpy as np

import ifd

GOOD = 0.9
QUIET, LONGEST = 200, 800


def habits(accuracy):
    """The chance of every answer on every class: right, or any other class alike."""
    k = len(accuracy)
    return np.array([[accuracy[y] if m == y else (1 - accuracy[y]) / (k - 1) for m in range(k)] for y in range(k)])


def answers(draw, chances, truths):
    below = chances.cumsum(axis=1)[truths] <= draw.random(len(truths))[:, None]
    return np.minimum(below.sum(axis=1), len(chances) - 1)


def stream(draw, chances, count):
    truths = draw.integers(len(chances), size=count)
    return list(zip(truths.tolist(), answers(draw, chances, truths).tolist()))


def staff(draw, chances_of, per_class):
    rows = []
    for name, chances in chances_of.items():
        truths = np.tile(np.arange(len(chances)), per_class)
        said = answers(draw, chances, truths)
        rows += [(name, f"{name}-{i}", str(m), str(y)) for i, (y, m) in enumerate(zip(truths, said))]
    return ifd.Staff.from_answers(rows, classes=[str(k) for k in range(len(chances))])


def false_alarms(watches, names, length):
    """Of people who do not change, with 15 old answers per class."""
    alarms = 0
    for seed in range(watches):
        draw = np.random.default_rng(seed)
        chances_of = {name: habits(0.6 + 0.39 * draw.random(3)) for name in names}
        watch = ifd.Watch(staff(draw, chances_of, 15), seed=seed)
        for name, chances in chances_of.items():
            for truth, answer in stream(draw, chances, length):
                watch.observe(name, answer=answer, truth=truth)
        alarms += bool(watch.findings)
    print(f"{alarms} of {watches} watches of {len(names)} x {length} answers found something")


def delay(kind, after, per_class, seed):
    draw, before = np.random.default_rng(seed), habits([GOOD] * 4)
    people = staff(draw, {"ann": before}, per_class)
    for name in ("bob", "cy", "dee", "eva"):  # they share the false alarms
        people.add(name)
    watch = ifd.Watch(people, seed=seed)
    for i, (truth, answer) in enumerate(stream(draw, before, QUIET) + stream(draw, after, LONGEST)):
        found = watch.observe("ann", answer=answer, truth=truth)
        if i >= QUIET and kind in [finding["kind"] for finding in found]:
            return i + 1 - QUIET
    return None


def delays(trials=21):
    changes = [(f"one class to {a}", "worse", habits([a, GOOD, GOOD, GOOD])) for a in (0.8, 0.7, 0.6, 0.4)]
    changes += [(f"all classes to {a}", "worse", habits([a] * 4)) for a in (0.8, 0.7, 0.6)]
    changes += [("a coin", "coin", np.full((4, 4), 0.25)), ("exchanged", "exchanged", habits([GOOD] * 4)[:, [1, 0, 2, 3]])]
    for name, kind, after in changes:
        cells = []
        for per_class in (15, 50, 200):
            found = sorted(filter(None, (delay(kind, after, per_class, seed) for seed in range(trials))))
            median = found[trials // 2] if len(found) > trials // 2 else "–"
            cells.append(f"{median} ({len(found) / trials:.2f})")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def area(half_life, ago, seed, people=4, past=400, cases=600):
    """AURSAC of specialists whose specialty moved to the next class so many answers ago."""
    draw = np.random.default_rng(seed)
    proba = np.exp(1.5 * draw.normal(size=(cases, 4)))
    proba /= proba.sum(axis=1, keepdims=True)
    labels = np.array([draw.choice(4, p=p) for p in proba])
    rows, said = [], []
    for j in range(people):
        old, new = (habits([0.95 if y == (j + moved) % 4 else 0.5 for y in range(4)]) for moved in (0, 1))
        given = stream(draw, old, past)
        later = stream(draw, new, past)
        given = given[: past - ago] + later[past - ago :] if ago else given
        rows += [(f"e{j}", f"{j}-{i}", str(m), str(y)) for i, (y, m) in enumerate(given)]
        said.append(answers(draw, new if ago else old, labels))
    predictions = ifd.Predictions(proba.astype(np.float32), classes=list("0123"), labels=labels)
    router = ifd.Router("plug-in", ifd.Staff.from_answers(rows, classes=list("0123"), half_life=half_life))
    table = ifd.Answers(np.stack(said, axis=1), experts=[f"e{j}" for j in range(people)], cases=predictions)
    return ifd.evaluate([router], predictions, table, bootstrap=0).aursac["plug-in"]


def fading(cohorts=12):
    for half_life in (None, 400, 200, 100, 50, 25):
        means = (np.mean([area(half_life, ago, seed) for seed in range(cohorts)]) for ago in (0, 300, 100, 50))
        print(f"| {half_life or 'none'} | " + " | ".join(f"{mean:.3f}" for mean in means) + " |", flush=True)


if __name__ == "__main__":
    {
        "false-alarms": lambda: false_alarms(300, "abc", 400),
        "long": lambda: false_alarms(20, "a", 100_000),
        "delays": delays,
        "fading": fading,
    }[sys.argv[1]]()
