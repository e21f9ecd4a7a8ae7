"""What a notebook shows is whole markup, says the numbers, and obeys no name from a file."""

from html.parser import HTMLParser

import numpy as np
import pytest

import ifd

CLASSES = ["mel", "<b>nv</b>", "bcc"]
HOSTILE = "<script>alert(1)</script>"
EMPTY = {"img", "line", "rect", "br"}


class Markup(HTMLParser):
    """Open elements are closed in order; remembers which there were, and the text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.text = [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def staff():
    random = np.random.default_rng(0)
    staff = ifd.Staff(CLASSES)
    for name in ["ana", HOSTILE]:
        staff.add(name)
        for truth in random.integers(3, size=50):
            answer = truth if random.random() < 0.8 else (truth + 1) % 3
            staff.update(name, answer=CLASSES[answer], truth=CLASSES[truth])
    return staff


@pytest.fixture(scope="module")
def cases():
    random = np.random.default_rng(1)
    proba = random.dirichlet(np.ones(3), 60).astype(np.float32)
    return ifd.Predictions(proba, classes=CLASSES, labels=random.integers(3, size=60))


@pytest.fixture(scope="module")
def evaluation(staff, cases):
    answers = np.random.default_rng(2).integers(3, size=(60, 2))
    said = ifd.Answers(answers, experts=["ana", HOSTILE], cases=cases)
    return ifd.evaluate([ifd.Router("plug-in", staff), "confidence"], cases, said, bootstrap=50)


def shown(value):
    text = value._repr_html_()
    markup = Markup(text)
    assert markup.open == []
    assert "script" not in markup.seen and "b" not in [tag for tag in markup.seen if tag == "nv"]
    assert HOSTILE not in text
    return text, markup


def test_a_profile(staff):
    text, markup = shown(staff["ana"])
    for name, mean in zip(CLASSES, staff["ana"].mean):
        assert name in markup.text
        assert f"{mean:.3f}" in markup.text
    assert markup.seen.count("rect") == 3


def test_names_are_shown_as_they_are(staff):
    _, markup = shown(staff[HOSTILE])
    assert HOSTILE in markup.text


def test_a_staff(staff):
    _, markup = shown(staff)
    assert "2 experts" in markup.text and HOSTILE in markup.text


def test_routes(staff, cases):
    routes = ifd.Router("plug-in", staff).route(cases, budget=0.3)
    _, markup = shown(routes)
    assert markup.text.count("the model") >= 1
    assert f"60 cases: the model {int((~routes.deferred).sum())}" in markup.text
    assert "and 50 more" in markup.text
    assert markup.seen.count("tr") == 11


def test_no_routes(staff):
    nothing = ifd.Predictions(np.empty((0, 3), dtype=np.float32), classes=CLASSES)
    _, markup = shown(ifd.Router("plug-in", staff).route(nothing, budget=0.3))
    assert "0 cases" in markup.text


def test_an_evaluation(evaluation):
    text, markup = shown(evaluation)
    assert evaluation.verdict[0] in markup.text
    assert f"{evaluation.aursac['plug-in']:.4f}" in markup.text
    assert "confidence" in markup.text
    assert 'src="data:image/svg+xml;base64,' in text


def test_an_explanation(staff, cases):
    explained = ifd.Router("plug-in", staff).explain(cases, 3)
    _, markup = shown(explained)
    for sentence in [explained.headline, *explained.sentences, *explained.flips]:
        assert sentence in markup.text


@pytest.mark.parametrize("which", ["profile", "staff", "routes", "evaluation"])
def test_reads_in_light_and_dark(staff, cases, evaluation, which):
    """Text and lines have the page's own colour; the one fixed colour is seen on white and on black."""
    value = {"profile": lambda: staff["ana"], "staff": lambda: staff, "evaluation": lambda: evaluation,
             "routes": lambda: ifd.Router("plug-in", staff).route(cases, budget=0.3)}[which]()
    text = value._repr_html_()
    assert "color: inherit" in text and "background: none" in text
    fixed = {part[:6] for part in text.replace("base64,", "\n").split("#")[1:]} if which != "evaluation" else set()
    assert fixed <= {"0072b2"}
    if which == "evaluation":
        assert "prefers-color-scheme:dark" in evaluation.svg().replace(": ", ":")


def test_a_plot(evaluation):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    assert evaluation.plot(ax=axes) is axes
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert list(lines) == evaluation.policies
    budget, accuracy = evaluation.curve("plug-in")
    assert (lines["plug-in"].get_xdata() == budget).all()
    assert (lines["plug-in"].get_ydata() == accuracy).all()
    pyplot.close(figure)
