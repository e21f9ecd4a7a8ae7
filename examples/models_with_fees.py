"""A cheap classifier, and three dear models that can be asked: who should sort a message?

Messages are four groups of points in 16 dimensions. The cheap classifier sees 3 of them; the models
that can be asked see 8, 12 and all 16, and want a fee per message. A complaint that is taken for
something else costs ten times any other mistake. Run it with `./run python examples/models_with_fees.py`.
"""

import sys

import numpy as np

import ifd

CLASSES = ["complaint", "order", "question", "praise"]
MODELS = {"small": (8, 0.01), "medium": (12, 0.05), "large": (16, 0.12)}  # dimensions seen, fee in EUR
COSTS = {"truth": ["*", "complaint"], "label": ["*", "*"], "cost [EUR]": [0.5, 5.0]}

random = np.random.default_rng(0)
centres = random.normal(scale=0.75, size=(len(CLASSES), 16))


def messages(count):
    truth = random.choice(len(CLASSES), size=count, p=[0.1, 0.4, 0.35, 0.15])
    return centres[truth] + random.normal(size=(count, 16)), truth


def nearest(seen, dimensions):
    """The log-likelihoods of a model that knows the centres in so many dimensions."""
    offset = seen[:, None, :dimensions] - centres[None, :, :dimensions]
    return -0.5 * (offset**2).sum(axis=2)


def probabilities(seen):
    weights = np.exp(nearest(seen, 3))
    return weights / weights.sum(axis=1, keepdims=True)


past, past_truth = messages(400)
rows = [
    (model, f"past-{i}", CLASSES[answer], CLASSES[past_truth[i]])
    for model, (dimensions, _) in MODELS.items()
    for i, answer in enumerate(nearest(past, dimensions).argmax(axis=1))
]
staff = ifd.Staff.from_answers(rows, classes=CLASSES)
fees = {model: fee for model, (_, fee) in MODELS.items()}
router = ifd.Router("plug-in", staff, costs=COSTS, fees=fees)

new, truth = messages(4000)
cases = ifd.Predictions(probabilities(new), classes=CLASSES, labels=truth)
said = np.stack([nearest(new, dimensions).argmax(axis=1) for dimensions, _ in MODELS.values()], axis=1)
answers = ifd.Answers(said, experts=list(MODELS), cases=cases)

result = ifd.evaluate([router, "cost-blind", "oracle"], cases, answers)
print(result)
routes = router.route(cases, threshold=0)
for place, (model, (_, fee)) in enumerate(MODELS.items()):
    print(f"{model:>7}, {fee:.2f} EUR a message, gets {np.mean(routes.expert == place):6.1%}")
for policy, cost in result.mean_cost.items():
    print(f"{policy:>10}: {cost:.3f} EUR per message over all budgets")
if len(sys.argv) > 1:
    result.report(sys.argv[1])
