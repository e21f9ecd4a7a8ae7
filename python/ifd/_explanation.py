"""Why a case goes where: in words, and in numbers."""

import json

from ifd import _core


class Explanation:
    """Why a case goes where it goes, and what would flip it. Plain values: pickles and compares."""

    def __init__(self, told):
        self._told = told

    @property
    def why(self):
        """The reason in words, with what would flip it."""
        told = self._told
        lines = [told["headline"], *self.sentences]
        if told["flips"]:
            lines += ["", told["flips_title"], *(f"- {line}" for line in told["flips"])]
        return "\n".join(lines)

    @property
    def headline(self):
        """'scan-17: goes to ann'."""
        return self._told["headline"]

    @property
    def sentences(self):
        """What the model believes, why it goes where it goes, and what capacities change, if there are any."""
        told = [self._told["model"], self._told["reason"], self._told["capacities"]]
        return [sentence for sentence in told if sentence]

    @property
    def flips(self):
        """What would flip it, one sentence each."""
        return list(self._told["flips"])

    @property
    def experts(self):
        """The names of the experts, in the order of states and margins."""
        return list(self._told["experts"])

    @property
    def states(self):
        """J x 6: the six numbers that an identity-free policy reads of each expert."""
        return self._told["states"]

    @property
    def margins(self):
        """The margin of each expert over the model."""
        return self._told["margins"]

    @property
    def on_duty(self):
        """Whether each expert is on duty."""
        return list(self._told["on_duty"])

    def to_dict(self):
        """The case in the document of `ifd explain --json`."""
        return json.loads(self._told["document"])["cases"][0]

    def to_json(self):
        """The document of `ifd explain --json` for this case."""
        return self._told["document"]

    def _repr_html_(self):
        from ifd import _html

        return _html.explanation(self)

    def __eq__(self, other):
        if not isinstance(other, Explanation):
            return NotImplemented
        return self._told["document"] == other._told["document"] and self.sentences == other.sentences

    __hash__ = None

    def __repr__(self):
        return f"<ifd.Explanation: {self.headline}>"

    def __str__(self):
        return self.why


def explain(router, cases, case, *, budget=None, threshold=None, fill_budget=False, most_answers=50):
    """Why one of the cases, by its row or its name, goes where under a budget or a threshold (0).

    most_answers: how many further answers of an expert are tried for what would flip it.
    """
    if budget is None and threshold is None:
        threshold = 0.0
    # A capacity of the router is left out: what would flip an assignment is another question.
    routes = router.route(
        cases, budget=budget, threshold=threshold, fill_budget=fill_budget, capacity={}
    )
    return Explanation(_core.explain(routes, case, budget, most_answers))


def explain_route(routes, case, *, most_answers=50):
    """Why one of the cases, by its row or its name, went where.

    Of routes within capacities the case is told by the budget alone; a sentence says what they change.
    """
    return Explanation(_core.explain(routes, case, routes.budget, most_answers))
