"""A small project as somebody would write it: who reads today's slides?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

import ifd


@dataclass(frozen=True)
class Assignment:
    slide: str
    reader: str | None


class Clinic:
    def __init__(self, classes: list[str]) -> None:
        self.staff = ifd.Staff(classes)

    def hire(self, name: str) -> None:
        self.staff.add(name)

    def learn(self, name: str, answer: str, truth: str) -> None:
        self.staff.update(name, answer=answer, truth=truth)

    def surest(self, name: str, mass: float = 0.9) -> str:
        """The class on which the lower end of the reader's interval is highest."""
        profile = self.staff[name]
        intervals: npt.NDArray[np.float64] = profile.interval(mass)
        return profile.classes[int(intervals[:, 0].argmax())]

    def assign(self, slides: ifd.Predictions, budget: float, away: set[str]) -> list[Assignment]:
        here = [name for name in self.staff.names if name not in away]
        router = ifd.Router("plug-in", self.staff, on_duty=here, seed=1)
        routes = router.route(slides, budget=budget, capacity={name: 40 for name in here})
        readers: list[str | None] = [*routes.expert_names, None]
        return [Assignment(slide, readers[int(expert)]) for slide, expert in zip(routes.cases, routes.expert)]

    def keep(self, path: Path) -> None:
        self.staff.save(path)


def compare(router: ifd.Router, slides: ifd.Predictions, answers: ifd.Answers, mine: npt.NDArray[np.float64]) -> float:
    try:
        result = ifd.evaluate([router, "confidence", ("mine", mine)], slides, answers, bootstrap=100)
    except ifd.BadInput as refusal:
        print(refusal)
        return 0.0
    for sentence in result.verdict:
        print(sentence)
    budget, accuracy = result.curve("mine")
    return float(accuracy[np.searchsorted(budget, 0.2)])
