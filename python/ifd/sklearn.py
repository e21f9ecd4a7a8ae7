"""A meta-estimator for scikit-learn: any classifier, and who should answer in its place.

>>> from sklearn.datasets import load_iris
>>> from sklearn.linear_model import LogisticRegression
>>> from ifd.sklearn import DeferralClassifier
>>> X, y = load_iris(return_X_y=True)
>>> ana = [0 if truth == 0 else 1 for truth in y]  # never says 2
>>> model = DeferralClassifier(LogisticRegression(max_iter=500), budget=0.1)
>>> model.fit(X, y, experts={"ana": ana}).predict(X[:2])
array([0, 0])
>>> routes = model.route(X)
>>> len(routes), set(routes.expert_names)
(150, {'ana'})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import cross_val_predict
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _num_samples, check_is_fitted, column_or_1d

import ifd

__all__ = ["DeferralClassifier", "scorer_with"]


def _is_missing(value: Any) -> bool:
    """None, NaN, NaT and pandas' NA: what is not equal to itself, or cannot be compared."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:
        return True


def _columns(answers: Any, rows: int, argument: str, known: list[str]) -> dict[str, np.ndarray]:
    """Answers as a column for each expert: from a mapping, a DataFrame, or an array N x J.

    The columns of an array are those of `known`, or, where nobody is known yet, named by number.
    """
    if hasattr(answers, "columns") and hasattr(answers, "iloc"):
        columns = {str(name): np.asarray(answers.iloc[:, j], dtype=object)
                   for j, name in enumerate(answers.columns)}
    elif isinstance(answers, Mapping):
        columns = {str(name): np.asarray(column, dtype=object) for name, column in answers.items()}
    else:
        table = np.asarray(answers)
        if table.ndim != 2:
            raise ifd.BadInput(f"{argument}: shape {table.shape}; expected a column per expert, N x J")
        names = known or [f"expert{j + 1}" for j in range(table.shape[1])]
        if len(names) != table.shape[1]:
            raise ifd.BadInput(f"{argument}: {table.shape[1]} columns; expected {len(names)}, one for each of {names}")
        columns = {name: table[:, j].astype(object) for j, name in enumerate(names)}
    for name, column in columns.items():
        if column.shape != (rows,):
            raise ifd.BadInput(f"{argument}: {name!r} has shape {column.shape}; expected one answer for each of {rows} rows")
    return columns


def _case_names(X: Any) -> Any:
    """The index of a DataFrame where it tells rows apart; otherwise None, for row numbers."""
    index = getattr(X, "index", None)
    if index is None or not getattr(index, "is_unique", False):
        return None
    return [str(name) for name in index]


def _has_probabilities(self: DeferralClassifier) -> bool:
    estimator = getattr(self, "estimator_", self.estimator)
    return hasattr(estimator, "predict_proba") or _raise_without_probabilities(estimator)


def _raise_without_probabilities(estimator: Any) -> bool:
    raise AttributeError(f"{type(estimator).__name__} has no predict_proba; DeferralClassifier needs one")


class DeferralClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """A classifier with colleagues: `predict` is the model's answer, `route` says who should answer.

    Parameters
    ----------
    estimator : a classifier with `predict_proba`; a clone of it is fitted.
    policy : the name of a policy, the path of a policy file, or an `ifd.Policy`.
    budget : at most this share of the rows goes to experts (0..1). Where margins are expected
        gains, as those of "plug-in" are, nobody is asked where none is expected.
    threshold : rows with at least this margin go to experts. Together with `budget` both hold.
        Where neither is given, the threshold is 0.
    capacity : the most rows of a call for each expert, by name; who is not named has no limit.
    on_duty : the names of those who may be asked; everyone where it is None.
    calibrate : recalibrates the probabilities before they are compared with experts ("temperature",
        ...), on predictions for the training rows by classifiers that did not see them (`cv`).
    cv : folds for that, or anything that `cross_val_predict` takes.
    seed : of draws between experts with equal margins.
    threads : changes nothing but the time.

    Attributes
    ----------
    estimator_, classes_, n_features_in_, feature_names_in_ : as everywhere in scikit-learn.
    router_ : the `ifd.Router`; its staff learns on (`observe`) without fitting anew.
    staff_ : the `ifd.Staff` that `fit` made.
    """

    _required_parameters = ["estimator"]

    def __init__(self, estimator: Any, *, policy: Any = "plug-in", budget: float | None = None,
                 threshold: float | None = None, capacity: Mapping[str, int] | None = None,
                 on_duty: Any = None, calibrate: str | None = None, cv: Any = 5, seed: int = 0,
                 threads: int = 1) -> None:
        self.estimator = estimator
        self.policy = policy
        self.budget = budget
        self.threshold = threshold
        self.capacity = capacity
        self.on_duty = on_duty
        self.calibrate = calibrate
        self.cv = cv
        self.seed = seed
        self.threads = threads

    # Fitting.

    def fit(self, X: Any, y: Any, experts: Any = None, **fit_params: Any) -> DeferralClassifier:
        """Fits the classifier on X and y, and describes the experts by their answers.

        `experts` is one of:
        - answers on the rows of X, of which y is the truth: a mapping or a DataFrame with a column
          per expert, or an array N x J; None and NaN where an expert did not answer;
        - an `ifd.Staff` that is known already;
        - None: nobody, and all rows stay with the model. People may come later
          (`router_.add_expert`).
        Other arguments go to the classifier's `fit`.
        """
        check_classification_targets(y)
        labels = column_or_1d(y, warn=True)
        self.classes_ = np.unique(labels)
        self.estimator_ = clone(self.estimator)
        _has_probabilities(self)
        self.estimator_.fit(X, labels, **fit_params)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(self.estimator_, name):
                setattr(self, name, getattr(self.estimator_, name))
        self._class_names = [str(label) for label in self.classes_.tolist()]
        self._text_of = dict(zip(self.classes_.tolist(), self._class_names))
        self.staff_ = self._staff_of(experts, labels, X)
        options: dict[str, Any] = {"seed": self.seed, "threads": self.threads}
        if self.on_duty is not None:
            options["on_duty"] = list(self.on_duty)
        if self.calibrate is not None:
            options["calibrate"] = self.calibrate
            options["context_predictions"] = self._unseen_predictions(X, labels, fit_params)
        self.router_ = ifd.Router(self.policy, self.staff_, **options)
        return self

    def _staff_of(self, experts: Any, labels: np.ndarray, X: Any) -> ifd.Staff:
        if isinstance(experts, ifd.Staff):
            if list(experts.classes) != self._class_names:
                raise ifd.BadInput(f"experts: the staff knows the classes {list(experts.classes)}; y has {self._class_names}")
            return experts
        if experts is None:
            return ifd.Staff(self._class_names)
        rows = _num_samples(X)
        cases = self._training_names(rows)
        truths = [self._text_of[label] for label in labels.tolist()]
        table: dict[str, list[str]] = {"expert": [], "case": [], "answer": [], "truth": []}
        columns = _columns(experts, rows, "experts", [])
        for name, column in columns.items():
            for row in np.flatnonzero([not self._missing(answer) for answer in column]).tolist():
                table["expert"].append(name)
                table["case"].append(cases[row])
                table["answer"].append(self._text_of.get(column[row], str(column[row])))
                table["truth"].append(truths[row])
        staff = ifd.Staff.from_answers(table, classes=self._class_names) if table["case"] else ifd.Staff(self._class_names)
        for name in columns:
            if name not in staff:
                staff.add(name)
        return staff

    def _missing(self, answer: Any) -> bool:
        """-1 stands for no answer in arrays of class numbers, where it is no class."""
        return _is_missing(answer) or (not isinstance(answer, str) and answer == -1 and -1 not in self._text_of)

    @staticmethod
    def _training_names(rows: int) -> list[str]:
        return [f"training row {row}" for row in range(rows)]

    def _unseen_predictions(self, X: Any, labels: np.ndarray, fit_params: dict[str, Any]) -> ifd.Predictions:
        """On a row that a classifier was trained with it is surer than it should be."""
        probabilities = cross_val_predict(clone(self.estimator), X, labels, cv=self.cv,
                                          method="predict_proba", fit_params=fit_params)
        return ifd.Predictions(probabilities, classes=self._class_names,
                               cases=self._training_names(len(labels)))

    # The model.

    def _model(self) -> Any:
        check_is_fitted(self)
        return self.estimator_

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> np.ndarray:
        """The model's probabilities, as `estimator_` gives them."""
        return np.asarray(self._model().predict_proba(X))

    def predict(self, X: Any) -> np.ndarray:
        """The model's answer for every row, whoever should answer it: the most probable class."""
        probabilities = self._probabilities(X)
        return self.classes_[probabilities.argmax(axis=1)]

    def decision_function(self, X: Any) -> np.ndarray:
        """How the model weighs the classes: its probabilities; with two classes their difference.

        What speaks for an expert instead is `margins`.
        """
        probabilities = self._probabilities(X)
        if len(self.classes_) == 2:
            return probabilities[:, 1] - probabilities[:, 0]
        return probabilities

    def _probabilities(self, X: Any) -> np.ndarray:
        """In the precision that routes are decided with, so that labels here and there agree."""
        return np.asarray(self._model().predict_proba(X), dtype=np.float32)

    # Model and experts together.

    def predictions(self, X: Any) -> ifd.Predictions:
        """What the model says on X, as `ifd` takes it; a DataFrame's index names the cases."""
        return ifd.Predictions(self._probabilities(X), classes=self._class_names, cases=_case_names(X))

    def route(self, X: Any, *, budget: float | None = None, threshold: float | None = None,
              capacity: Mapping[str, int] | None = None, fill_budget: bool = False) -> ifd.Routes:
        """Who should answer each row. What is not given here is as it was given to the constructor."""
        check_is_fitted(self)
        if budget is None and threshold is None:
            budget, threshold = self.budget, self.threshold
        if budget is None and threshold is None:
            threshold = 0.0
        capacity = self.capacity if capacity is None else capacity
        return self.router_.route(self.predictions(X), budget=budget, threshold=threshold,
                                  capacity=None if capacity is None else dict(capacity), fill_budget=fill_budget)

    def explain(self, X: Any, row: int, **rule: Any) -> Any:
        """Why a row goes where it goes, in words and numbers."""
        return self.router_.explain(self.predictions(X), row, **rule)

    def margins(self, X: Any) -> np.ndarray:
        """N x J: what each expert is expected to gain over the model on each row."""
        check_is_fitted(self)
        return np.asarray(self.router_.margins(self.predictions(X)))

    def predict_together(self, X: Any, answers: Any, **rule: Any) -> np.ndarray:
        """The system's answers: the expert's where a row goes to one, otherwise the model's.

        `answers` has a column per expert, as in `fit`; only those who are asked must have answered.
        """
        routes = self.route(X, **rule)
        expert = np.asarray(routes.expert)
        given = self.predict(X).astype(object)
        columns = _columns(answers, len(given), "answers", list(routes.expert_names))
        for j, name in enumerate(routes.expert_names):
            asked = np.flatnonzero(expert == j)
            if not len(asked):
                continue
            if name not in columns:
                raise ifd.NotFound(f"answers: {name!r} takes {len(asked)} rows and has no column; there are {sorted(columns)}")
            silent = [int(row) for row in asked if self._missing(columns[name][row])]
            if silent:
                raise ifd.BadInput(f"answers: {name!r} has none on row {silent[0]}, which goes to them"
                                   f" ({len(silent)} such rows); expected an answer wherever an expert is asked")
            given[asked] = columns[name][asked]
        return given

    def score(self, X: Any, y: Any, sample_weight: Any = None, *, answers: Any = None, **rule: Any) -> float:
        """The accuracy of model and experts together; without `answers` that of the model alone."""
        given = self.predict(X).astype(object) if answers is None else self.predict_together(X, answers, **rule)
        truth = np.asarray(column_or_1d(y), dtype=object)
        return float(np.average(given == truth, weights=sample_weight))

    def _more_tags(self) -> dict[str, Any]:
        """What the classifier inside can do, this can."""
        from sklearn.utils._tags import _safe_tags

        tags = _safe_tags(self.estimator)
        kept = ("allow_nan", "X_types", "requires_positive_X", "binary_only", "poor_score",
                "non_deterministic", "pairwise", "no_validation")
        return {name: tags[name] for name in kept}


def scorer_with(answers: Any, **rule: Any) -> Callable[[Any, Any, Any], float]:
    """A scorer for grid searches: the system's accuracy, with answers found by the index of X.

    `answers` is a DataFrame with a column per expert, whose index holds that of every X to come:
    a search hands parts of X to the scorer, and nothing else.

    >>> scorer_with([[0], [1]])
    Traceback (most recent call last):
    ...
    ifd.BadInput: answers: list; expected a DataFrame with an index like that of X
    """
    if not hasattr(answers, "loc"):
        raise ifd.BadInput(f"answers: {type(answers).__name__}; expected a DataFrame with an index like that of X")

    def score(estimator: Any, X: Any, y: Any) -> float:
        if not hasattr(X, "index"):
            raise ifd.BadInput(f"X: {type(X).__name__}; expected a DataFrame, whose index says which answers belong to it")
        return float(estimator.score(X, y, answers=answers.loc[X.index], **rule))

    return score
