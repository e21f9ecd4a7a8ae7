"""Policies compared on cases where the experts' answers are known."""

import functools
import json
import os

import numpy as np

from ifd import _core
from ifd._errors import BadInput, Conflict


class _Kept:
    """What a pickle keeps of an evaluation: all that _core.ToldEvaluation tells, told beforehand."""

    def __init__(self, told, policies):
        self.texts = {name: getattr(told, name)() for name in ("document", "csv", "page", "svg")}
        self.curves = {policy: told.curve(policy) for policy in policies}

    def document(self):
        return self.texts["document"]

    def csv(self):
        return self.texts["csv"]

    def page(self):
        return self.texts["page"]

    def svg(self):
        return self.texts["svg"]

    def curve(self, policy):
        return self.curves[policy]


class Evaluation:
    """What came of an evaluation: the verdict, a row per policy, curves, intervals, differences.

    It never changes; it pickles, copies and compares. Tables, page and picture are made when they are
    asked for, as the staff was known then.
    """

    def __init__(self, told):
        self._told = told

    @functools.cached_property
    def _document(self):
        return json.loads(self._told.document())

    def __getstate__(self):
        return {"_told": self._told if isinstance(self._told, _Kept) else _Kept(self._told, self.policies)}

    def __copy__(self):
        return Evaluation(self._told)

    def __deepcopy__(self, memo):
        return Evaluation(self._told)

    @property
    def verdict(self):
        """What it means, in sentences; then what is wrong, if anything is."""
        told = self._document["verdict"]
        return [*told["sentences"], *told["warnings"]]

    @property
    def answer(self):
        """'helps', 'not sure', 'hurts' or 'nothing deferred'."""
        return self._document["verdict"]["answer"]

    @property
    def policies(self):
        """The names of the policies, in the order of the comparison."""
        return [row["policy"] for row in self._document["policies"]]

    @property
    def aursac(self):
        """The mean accuracy of model and experts over all budgets, by policy."""
        if "costs" in self._document:
            raise Conflict("aursac: with costs there are no accuracies; expected mean_cost")
        return {row["policy"]: row["aursac"] for row in self._document["policies"]}

    @property
    def mean_cost(self):
        """The mean cost per case of model and experts over all budgets, by policy; with costs only."""
        if "costs" not in self._document:
            raise Conflict("mean_cost: the router has no costs; expected aursac")
        return {row["policy"]: row["mean_cost"] for row in self._document["policies"]}

    @property
    def cost_unit(self):
        """What costs are counted in ("EUR", "" where nobody said); None without costs."""
        return self._document["costs"]["unit"] if "costs" in self._document else None

    @property
    def differences(self):
        """AURSAC (mean cost) minus that of the first policy with its interval, by policy."""
        measure = "mean_cost" if "costs" in self._document else "aursac"
        return {
            row["policy"]: row["difference"][measure]
            for row in self._document["policies"]
            if "difference" in row
        }

    def table(self):
        """A list of dicts, one per policy, with the columns of `ifd evaluate --csv`."""
        import csv

        names, *rows = csv.reader(self._told.csv().splitlines())
        return [
            dict(zip(names, [policy, int(cases), *(float(cell) if cell else None for cell in cells)]))
            for policy, (_, cases, *cells) in zip(self.policies, rows)
        ]

    def to_pandas(self):
        """The table as a DataFrame, indexed by policy."""
        import pandas

        return pandas.DataFrame(self.table()).set_index("policy")

    def to_dict(self):
        """The document of to_json() as a dict."""
        return json.loads(self._told.document())

    def to_json(self):
        """The document that `ifd evaluate --json` prints."""
        return self._told.document()

    def to_csv(self):
        """The table that `ifd evaluate --csv` prints."""
        return self._told.csv()

    def curve(self, policy):
        """(budget, accuracy) of a policy, with costs (budget, cost per case): two arrays."""
        curve = self._curve(policy)
        return curve["budget"], curve["accuracy"]

    def expert_curve(self, policy):
        """(budget, accuracy of the experts on what they are given): two arrays."""
        curve = self._curve(policy)
        return curve["budget"], curve["expert_accuracy"]

    def _curve(self, policy):
        if not isinstance(policy, str) or policy not in self.policies:
            names = ", ".join(self.policies)
            raise BadInput(f"policy: {policy!r}; expected one of {names}")
        return self._told.curve(policy)

    def svg(self):
        """The curves as a picture of its own, light or dark as the reader prefers."""
        return self._told.svg()

    def plot(self, ax=None):
        """The curves by matplotlib, on these axes or on the current ones, which are returned."""
        from ifd import _plot

        return _plot.plot(self, ax)

    def _repr_html_(self):
        from ifd import _html

        return _html.evaluation(self)

    def report(self, path):
        """Writes the page that `ifd evaluate --report` writes."""
        _core.write_file(path, self._told.page())

    def __eq__(self, other):
        if not isinstance(other, Evaluation):
            return NotImplemented
        return self.to_json() == other.to_json()

    __hash__ = None

    def __repr__(self):
        return f"<ifd.Evaluation: {', '.join(self.policies)}>"

    def __str__(self):
        return "\n".join(self.verdict)


class _Compared:
    """One entry of `policies`: its name, and which of the kinds it is."""

    def __init__(self, entry, unnamed):
        self.name, policy = self._split(entry, unnamed)
        self.router = policy if isinstance(policy, _core.Router) else None
        self.file = policy if isinstance(policy, _core.Policy) else None
        self.margins = None
        if isinstance(policy, (str, os.PathLike)):
            # The name of a method, or a file; under another name it must be a file.
            if os.fspath(policy) != self.name:
                self.file = _core.read_policy(policy)
        elif self.router is None and self.file is None:
            self.margins = policy

    @staticmethod
    def _split(entry, unnamed):
        if isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str):
            return entry
        if isinstance(entry, _core.Router):
            return entry.policy_name, entry
        if isinstance(entry, _core.Policy):
            return entry.name, entry
        if isinstance(entry, (str, os.PathLike)):
            return os.fspath(entry), entry
        unnamed.append(entry)
        return "margins" if len(unnamed) == 1 else f"margins {len(unnamed)}", entry

    def settle(self, base, cases):
        """A router as what the base router can evaluate: a policy, or margins."""
        if self.router is None:
            return
        plain = isinstance(self.router.policy, str)
        if base is self.router or base.same_but_policy(self.router):
            if plain and self.router.policy == self.name:
                return
            if not plain:
                self.file = self.router.policy
                return
        self.margins = _margins_for(self.router, base, cases)


def _margins_for(router, base, cases):
    """The margins of a router with another staff or other settings, by the experts of `base`."""
    places = {name: j for j, name in enumerate(router.experts)}
    missing = [name for name in base.experts if name not in places]
    if missing:
        raise Conflict(
            f"policies: {', '.join(missing)} is on the roster of the first router only;"
            " expected the same experts in all"
        )
    margins = router.margins(cases)[:, [places[name] for name in base.experts]]
    finite = np.isfinite(margins)
    # Who is off duty there comes last, and still is no reason to stop.
    lowest = margins[finite].min() - 1 if finite.any() else 0.0
    return np.where(finite, margins, lowest)


def _base_router(compared, staff, seed, threads, answer):
    if staff is not None:
        return _core.Router("plug-in", staff, seed=seed or 0, threads=threads or 1, answer=answer or "final")
    for entry in compared:
        if entry.router is not None:
            return entry.router.with_options(seed=seed, threads=threads, answer=answer)
    raise BadInput("policies: there is no Router among them; expected one, or staff=")


def evaluate(
    policies,
    cases,
    answers,
    *,
    staff=None,
    budgets=(0.1, 0.2, 0.5),
    d_min=0.0,
    d_max=1.0,
    bootstrap=1000,
    seed=None,
    threads=None,
    groups=None,
    target=None,
    threshold=None,
    capacity=None,
    missing="error",
    blank=None,
    fill_budget=False,
    answer=None,
    accuracies=None,
    true_probabilities=None,
    progress=None,
):
    """Compares policies on cases where the experts' answers and the truth are known.

    policies: each a Router, a name ("plug-in", "confidence", "oracle", ...), a Policy or the path of
    one, or the margins of anybody's method: an array N x J in the order of the cases and of the
    router's experts. A pair (name, policy) says what it is called. Names and policies are evaluated
    with the staff of the first Router, or with `staff`.
    answers: Answers, or a table with columns expert, case, answer and maybe truth.
    answer: "combined" measures each policy also with answers combined with the model's probabilities
    ("plug-in, combined" beside "plug-in"); by default as the Router says.
    """
    if isinstance(policies, (str, os.PathLike, _core.Router, _core.Policy, tuple, np.ndarray)):
        policies = [policies]
    unnamed = []
    compared = [_Compared(entry, unnamed) for entry in policies]
    names = [entry.name for entry in compared]
    if not names:
        raise BadInput("policies: there are none; expected at least one")
    if len(set(names)) != len(names):
        raise Conflict(f"policies: two are named alike ({', '.join(names)}); expected (name, policy)")
    base = _base_router(compared, staff, seed, threads, answer)
    for entry in compared:
        entry.settle(base, cases)
    asked = {
        "policies": names,
        "foreign": [(entry.name, entry.margins) for entry in compared if entry.margins is not None],
        "files": [(entry.name, entry.file) for entry in compared if entry.file is not None],
        "budgets": list(budgets),
        "d_min": d_min,
        "d_max": d_max,
        "bootstrap": bootstrap,
        "groups": groups,
        "target": target,
        "threshold": threshold,
        "capacity": capacity,
        "missing": missing,
        "blank": blank,
        "fill_budget": fill_budget,
        "accuracies": accuracies,
        "true_probabilities": true_probabilities,
    }
    call = f"ifd.evaluate([{', '.join(map(repr, names))}], cases, answers)"
    return Evaluation(_core.evaluate(base, cases, answers, asked, progress, call))
