"""Final against combined answers on pictures of blood cells: the first picture of docs/decisions.md.

    ifd classifier train --images bloodcells_28.npz --backbone resnet-small --epochs 3 -o blood.safetensors
    for split in train test; do
      ifd classify --model blood.safetensors --images bloodcells_28.npz --split $split -o $split.npz
    done
    ./run python examples/combined_curves.py train.npz test.npz combined.svg

Four simulated specialists whose eye is as good as a picture is typical ("variable"), 15 past answers per class; the
classifier's temperature is fitted on their cases.
"""

import pathlib
import sys

import numpy as np

import ifd


def specialists(cases, seed, count=4):
    """The draw of examples/drift_delay.py and of the table: classes without repetition."""
    chosen = np.random.default_rng(seed).permutation(len(cases.classes))[:count]
    return [f"{cases.classes[k]}=variable:{cases.classes[k]}" for k in chosen]


def main(train, test, picture, seed=0):
    past, cases = ifd.Predictions.read(train), ifd.Predictions.read(test)
    made = ifd.simulate(specialists(cases, seed), past, cases, context_per_class=15, seed=seed)
    router = ifd.Router("plug-in", made.staff, answer="combined", calibrate="temperature", context_predictions=made.context_predictions)
    result = ifd.evaluate([router], cases, made.answers, bootstrap=200)
    for name, area in result.aursac.items():
        print(f"{name:20} {area:.4f}")
    pathlib.Path(picture).write_text(result.svg())


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
