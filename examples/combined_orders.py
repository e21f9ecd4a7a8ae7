"""In which order should cases be asked about where answers are combined?

    ifd experts sample --annotations annotations.csv --predictions predictions_resnet152.csv \
        --noise 80 --cohort id --seed 0 -o cohort-0
    python3 examples/combined_orders.py cohort-0 cohort-1 ...

Every folder holds predictions.csv, context.csv, context_predictions.csv and answers.csv. Prints the
mean area (AURSAC) of final and of combined answers, by the plug-in margin and by the value of
information, with the classifier as it is and calibrated on the context. Needs numpy.
"""

import csv
import sys

import numpy as np


def area(margin, model, expert):
    """The mean accuracy over all budgets; equal margins are averaged over their orders."""
    order = np.argsort(-margin, kind="stable")
    edges = np.flatnonzero(np.diff(margin[order])) + 1
    first, last = np.r_[0, edges], np.r_[edges, len(order)]
    right = model.sum() + np.r_[0, np.cumsum((expert - model)[order])]
    return ((last - first) * (right[first] + right[last]) / 2).sum() / len(order) ** 2


def combined_right(rho, mean, answers, truth):
    weight = rho * (1 - mean) / (rho.shape[1] - 1)
    rows = np.flatnonzero(answers >= 0)
    weight[rows, answers[rows]] = rho[rows, answers[rows]] * mean[answers[rows]]
    weight[answers < 0] = rho[answers < 0]
    return (weight.argmax(1) == truth).astype(float)


def value_of_information(rho, mean):
    missed = rho * (1 - mean) / (rho.shape[1] - 1)
    ranked = np.sort(missed, 1)
    other = np.where(missed == ranked[:, -1:], ranked[:, -2:-1], ranked[:, -1:])
    return np.maximum(rho * mean, other).sum(1) - rho.max(1)


def tempered(rho, temperature):
    scores = np.log(np.maximum(rho, 1e-12)) / temperature
    scores = np.exp(scores - scores.max(1, keepdims=True))
    return scores / scores.sum(1, keepdims=True)


def best_temperature(rho, truth):
    def log_loss(temperature):
        return -np.log(tempered(rho, temperature)[np.arange(len(truth)), truth]).mean()

    return min(np.exp(np.linspace(-2, 3, 101)), key=log_loss)


def predictions(path):
    with open(path, newline="") as file:
        names, *rows = csv.reader(file)
    classes = names[2:]
    rho = np.array([[float(cell) for cell in row[2:]] for row in rows])
    return [row[0] for row in rows], np.array([classes.index(row[1]) for row in rows]), rho, classes


def answers_in(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class Cohort:
    def __init__(self, folder):
        cases, truth, rho, classes = predictions(f"{folder}/predictions.csv")
        row_of = {name: i for i, name in enumerate(cases)}
        given = answers_in(f"{folder}/answers.csv")
        experts = sorted({row["expert"] for row in given})
        counts = np.ones((len(experts), len(classes), 2))
        for row in answers_in(f"{folder}/context.csv"):
            right = row["answer"] == row["truth"]
            counts[experts.index(row["expert"]), classes.index(row["truth"]), 0 if right else 1] += 1
        self.means = counts[:, :, 0] / counts.sum(2)
        answers = np.full((len(cases), len(experts)), -2)
        for row in given:
            named = classes.index(row["answer"]) if row["answer"] in classes else -1
            answers[row_of[row["case"]], experts.index(row["expert"])] = named
        whole = (answers > -2).all(1)
        self.rho, self.truth, self.answers = rho[whole], truth[whole], answers[whole]
        _, context_truth, context_rho, _ = predictions(f"{folder}/context_predictions.csv")
        self.temperature = best_temperature(context_rho, context_truth)

    def areas(self, rho):
        rows, experts = np.arange(len(rho)), range(len(self.means))
        model = (rho.argmax(1) == self.truth).astype(float)
        margin = np.stack([rho @ self.means[j] - rho.max(1) for j in experts], 1)
        value = np.stack([value_of_information(rho, self.means[j]) for j in experts], 1)
        final = (self.answers == self.truth[:, None]).astype(float)
        combined = np.stack(
            [combined_right(rho, self.means[j], self.answers[:, j], self.truth) for j in experts], 1
        )
        by_margin, by_value = margin.argmax(1), value.argmax(1)
        return {
            "final, plug-in margin": area(margin[rows, by_margin], model, final[rows, by_margin]),
            "combined, plug-in margin": area(margin[rows, by_margin], model, combined[rows, by_margin]),
            "combined, value of information": area(value[rows, by_value], model, combined[rows, by_value]),
        }


def main(folders):
    if not folders:
        sys.exit(__doc__)
    cohorts = [Cohort(folder) for folder in folders]
    for name in ("as it is", "calibrated"):
        found = [
            cohort.areas(cohort.rho if name == "as it is" else tempered(cohort.rho, cohort.temperature))
            for cohort in cohorts
        ]
        for row in found[0]:
            print(f"{name:10}  {row:30}  {np.mean([areas[row] for areas in found]):.4f}")


if __name__ == "__main__":
    main(sys.argv[1:])
