"""Curves by matplotlib, where it is installed."""

from __future__ import annotations

from typing import Any

# Okabe and Ito's colours, told apart by everyone; dashes tell them apart in grey.
_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
_DASHES: list[Any] = ["-", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)), (0, (10, 3)), (0, (4, 1, 1, 1, 1, 1))]


def plot(evaluation: Any, ax: Any = None) -> Any:
    """Accuracy of model and experts together over the share of cases that go to experts."""
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.gca()
    for i, name in enumerate(evaluation.policies):
        budget, accuracy = evaluation.curve(name)
        ax.plot(budget, accuracy, label=name, color=_COLOURS[i % len(_COLOURS)],
                linestyle=_DASHES[i // len(_COLOURS) % len(_DASHES)] if i >= len(_COLOURS) else _DASHES[i])
    ax.set_xlabel("share of cases that go to experts")
    measure = "accuracy" if evaluation.cost_unit is None else "cost per case"
    ax.set_ylabel(f"{measure} of model and experts together")
    ax.set_xlim(0, 1)
    ax.legend(frameon=False)
    return ax
