"""What comes of the answers that came back."""

from ifd import _core


class Combination:
    """A label per case, made of the model's probabilities and the experts' answers together.

    Lists and arrays with an entry per case: `case`, `label`, `probability` (of the label),
    `prediction` (the model's label), `answers` (a dict of who said what; None is outside the
    classes), `advice` ('settled', 'second reader' or 'escalate'), `reader` (who should look as
    well, or None) and `worth` (by how much that is expected to raise the chance of a right label).
    Where the router knows costs, the label is the one that is expected to cost least, `cost` what
    it is expected to cost (otherwise None), and `worth` what is expected to be saved, less the fee.
    `error_correlation` is how far experts err together on the `shared_cases` of the context that
    several answered; the more they do, the less several answers on one case count.
    """

    def __init__(self, told):
        self._told = told

    case = property(lambda self: self._told["case"])
    label = property(lambda self: self._told["label"])
    probability = property(lambda self: self._told["probability"])
    prediction = property(lambda self: self._told["prediction"])
    answers = property(lambda self: self._told["answers"])
    advice = property(lambda self: self._told["advice"])
    reader = property(lambda self: self._told["reader"])
    worth = property(lambda self: self._told["worth"])
    cost = property(lambda self: self._told["cost"])
    error_correlation = property(lambda self: self._told["error_correlation"])
    shared_cases = property(lambda self: self._told["shared_cases"])

    def to_csv(self):
        """The table that `ifd combine` prints."""
        return self._told["csv"]

    def to_jsonl(self):
        """The lines that `ifd combine --format jsonl` prints."""
        return self._told["jsonl"]

    def to_pandas(self):
        """The columns as a DataFrame, indexed by case."""
        import pandas

        names = ["label", "probability", "prediction", "answers", "advice", "reader", "worth"]
        if self.cost is not None:
            names.append("cost")
        return pandas.DataFrame({name: self._told[name] for name in names}, index=self.case)

    def __len__(self):
        return len(self.case)

    def __eq__(self, other):
        if not isinstance(other, Combination):
            return NotImplemented
        return self.to_jsonl() == other.to_jsonl()

    __hash__ = None

    def __repr__(self):
        settled = self.advice.count("settled")
        return f"<ifd.Combination: {len(self)} cases, {settled} settled>"


def combine(router, cases, answers, *, sure=0.9, worth=0.01, progress=None):
    """What the answers that came back make of the cases, together with the model.

    answers: a table of expert, case and answer, Answers, or a path; several experts may have
    answered one case, and where nobody did the model's label stands. A label below the probability
    `sure` is not settled: somebody else should look if that is expected to raise the chance of a
    right label by `worth`, and otherwise nobody on duty is good enough. Under costs both are parts
    of the largest cost of a mistake: a label is settled that is expected to cost at most 1 - `sure`
    of it, and an answer must save `worth` of it beyond its fee.

    >>> import ifd
    >>> cases = ifd.Predictions([[.6, .4]], classes=["cat", "dog"], cases=["x"])
    >>> staff = ifd.Staff.from_answers([("ann", str(i), "cat", "cat") for i in range(9)],
    ...                                classes=cases.classes)
    >>> made = ifd.combine(ifd.Router("plug-in", staff), cases, [("ann", "x", "dog")])
    >>> made.label, made.answers
    (['dog'], [{'ann': 'dog'}])
    """
    return Combination(_core.combine(router, cases, answers, sure, worth, progress))
