"""How soon a watch finds the experts of the study's drift experiment, and how often it cries wolf.

    ifd classifier train --images bloodcells_28.npz --backbone resnet-small --epochs 3 -o blood.safetensors
    for split in train test; do
      ifd classify --model blood.safetensors --images bloodcells_28.npz --split $split -o $split.npz
    done
    ./run python examples/drift_delay.py train.npz test.npz [COHORTS]

As in `ifd reproduce`: half of the classes are specialties, each of a "variable" specialist with past answers on 15 cases
per class, and then every specialty moves to the next class. All of them answer all test cases, in an order that is drawn;
the move comes after so many answers, or never.
"""

import sys

import numpy as np

import ifd


def cohort(past, cases, per_class, seed):
    """The staff, and what it says on the cases before the move and after it."""
    classes = cases.classes
    chosen = np.sort(np.random.default_rng(seed).permutation(len(classes))[: len(classes) // 2])

    def made(moved):
        words = {f"ood-{k}": f"variable:{classes[(k + moved) % len(classes)]}" for k in chosen}
        return ifd.simulate(words, past, cases, context_per_class=per_class, seed=seed)

    before, after = made(0), made(1)
    return before.staff, before.answers.codes, after.answers.codes


def watched(staff, labels, said, order, seed):
    """What is found first, by expert."""
    watch = ifd.Watch(staff, seed=seed)
    for j, name in enumerate(staff.names):
        for row in order:
            watch.observe(name, answer=int(said[row, j]), truth=int(labels[row]))
    first = {name: None for name in staff.names}
    for found in watch.findings:
        if first[found["expert"]] is None:
            first[found["expert"]] = found
    return first


def quantile(delays, of, share):
    """Of `of` experts, those who are not found being last."""
    place = int(share * of)
    return delays[place] if place < len(delays) else "–"


def told(quiet, found_in):
    found_in = [found for found in found_in if found is None or found["found_at"] > quiet]
    delays = sorted(found["found_at"] - quiet for found in found_in if found is not None)
    kinds = [found["kind"] + (" on all" if found["class"] is None else " on a class") for found in found_in if found]
    print(f"  moved after {quiet}: found {len(delays)} of {len(found_in)}, median delay {quantile(delays, len(found_in), 0.5)}, "
          f"quartiles {quantile(delays, len(found_in), 0.25)} and {quantile(delays, len(found_in), 0.75)}; first found: "
          + ", ".join(f"{kind} {kinds.count(kind)}" for kind in sorted(set(kinds))), flush=True)


def main(train, test, cohorts=40):
    past, cases = ifd.Predictions.read(train), ifd.Predictions.read(test)
    labels = cases.labels
    for per_class in (15, 50):
        alarms, found_after = 0, {0: [], 200: [], 1000: []}
        for seed in range(int(cohorts)):
            staff, before, after = cohort(past, cases, per_class, seed)
            order = np.random.default_rng(seed).permutation(len(labels))
            alarms += any(watched(staff, labels, before, order, seed).values())
            for quiet, found_in in found_after.items():
                moved = before.copy()
                moved[order[quiet:]] = after[order[quiet:]]
                found_in += watched(staff, labels, moved, order, seed).values()
        print(f"{per_class} past answers per class: {alarms} of {cohorts} watches of {len(staff.names)} x {len(labels)} answers "
              "without a move found something")
        for quiet, found_in in found_after.items():
            told(quiet, found_in)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
