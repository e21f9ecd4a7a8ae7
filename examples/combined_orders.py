"""In which order should cases be asked about where answers are combined?

    ifd experts sample --annotations annotations.csv --predictions predictions_resnet152.csv \
        --noise 80 --cohort id --seed 0 -o cohort-0
    python3 examples/combined_orders.py cohort-0 cohort-1 ...
    python3 examples/combined_orders.py --costs costs.csv --fee 0.25 cohort-0 cohort-1 ...

Every folder holds predictions.csv, context.csv, context_predictions.csv and answers.csv. Prints the
mean area (AURSAC) of final and of combined answers, by the plug-in margin and by the value of
information, with the classifier as it is and calibrated on the context. With costs (CSV
truth,label,cost) and a fee of everybody it is the mean cost per case over all budgets, the less the
better. Needs numpy.
"""

import argparse
import csv

import numpy as np


def area(margin, model, expert):
    """The mean cost over all budgets; equal margins are averaged over their orders."""
    order = np.argsort(-margin, kind="stable")
    edges = np.flatnonzero(np.diff(margin[order])) + 1
    first, last = np.r_[0, edges], np.r_[edges, len(order)]
    paid = model.sum() + np.r_[0, np.cumsum((expert - model)[order])]
    return ((last - first) * (paid[first] + paid[last]) / 2).sum() / len(order) ** 2


def after_answer(rho, mean, answer):
    """rho_y l(m|y), for the answer m of each case or for one m; -1 says nothing."""
    weight = rho * (1 - mean) / (rho.shape[1] - 1)
    answer = np.broadcast_to(answer, len(rho))
    rows = np.flatnonzero(answer >= 0)
    weight[rows, answer[rows]] = rho[rows, answer[rows]] * mean[answer[rows]]
    weight[answer < 0] = rho[answer < 0]
    return weight


def value_of_information(rho, mean, costs):
    """The expected cost of the model's label less that of the labels after the answers."""
    after = sum((after_answer(rho, mean, m) @ costs).min(1) for m in range(rho.shape[1]))
    return (rho @ costs).min(1) - after


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
        cases, truth, rho, self.classes = predictions(f"{folder}/predictions.csv")
        classes = self.classes
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

    def areas(self, rho, costs, fee):
        """Mean costs per case over all budgets."""
        rows, experts = np.arange(len(rho)), range(len(self.means))
        wrong = costs.sum(1) / (len(costs) - 1)  # the mean cost of a mistake on each truth
        least = (rho @ costs).min(1)
        model = costs[self.truth, (rho @ costs).argmin(1)]
        margin = np.stack([least - fee - rho @ ((1 - self.means[j]) * wrong) for j in experts], 1)
        value = np.stack([value_of_information(rho, self.means[j], costs) - fee for j in experts], 1)
        outside = costs.max(1)[self.truth][:, None]
        final = fee + np.where(self.answers >= 0, costs[self.truth[:, None], self.answers], outside)
        labels = [
            (after_answer(rho, self.means[j], self.answers[:, j]) @ costs).argmin(1) for j in experts
        ]
        combined = fee + costs[self.truth[:, None], np.stack(labels, 1)]
        by_margin, by_value = margin.argmax(1), value.argmax(1)
        return {
            "final, plug-in margin": area(margin[rows, by_margin], model, final[rows, by_margin]),
            "combined, plug-in margin": area(margin[rows, by_margin], model, combined[rows, by_margin]),
            "combined, value of information": area(value[rows, by_value], model, combined[rows, by_value]),
        }


def costs_in(path, classes):
    """A row with names says more than one with *, and a truth more than a label."""
    rows = {(row[0], row[1]): float(row[2]) for row in list(csv.reader(open(path, newline="")))[1:]}
    costs = np.zeros((len(classes), len(classes)))
    for y, truth in enumerate(classes):
        for k, label in enumerate(classes):
            named = [(truth, label), (truth, "*"), ("*", label), ("*", "*")]
            costs[y, k] = 0 if y == k else next(rows[pair] for pair in named if pair in rows)
    return costs


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("folders", nargs="+")
    arguments.add_argument("--costs")
    arguments.add_argument("--fee", type=float, default=0)
    asked = arguments.parse_args()
    cohorts = [Cohort(folder) for folder in asked.folders]
    for name in ("as it is", "calibrated"):
        found = []
        for cohort in cohorts:
            k = len(cohort.classes)
            costs = costs_in(asked.costs, cohort.classes) if asked.costs else 1 - np.eye(k)
            rho = cohort.rho if name == "as it is" else tempered(cohort.rho, cohort.temperature)
            found.append(cohort.areas(rho, costs, asked.fee))
        for row in found[0]:
            mean = np.mean([areas[row] for areas in found])
            print(f"{name:10}  {row:30}  {mean if asked.costs or asked.fee else 1 - mean:.4f}")


if __name__ == "__main__":
    main()
