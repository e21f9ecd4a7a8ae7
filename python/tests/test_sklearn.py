"""DeferralClassifier keeps scikit-learn's contract, and routes as the router itself does."""

import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

import ifd
from ifd.sklearn import DeferralClassifier, scorer_with

# None of scikit-learn's checks has to be left out. A check that must be goes here, with the reason.
SKIPPED_CHECKS: dict[str, str] = {}


def people(truth, seed=0):
    """Three people, each nearly always right on some digits and often wrong on the others."""
    random = np.random.default_rng(seed)
    answers = {}
    for name, digits in {"ana": [0, 1, 8], "bo": [2, 3, 9], "cy": [5, 8, 9]}.items():
        right = random.random(len(truth)) < np.where(np.isin(truth, digits), 0.98, 0.5)
        answers[name] = np.where(right, truth, (truth + random.integers(1, 10, len(truth))) % 10)
    return answers


@pytest.fixture(scope="module")
def digits():
    X, y = load_digits(return_X_y=True)
    return train_test_split(X, y, test_size=0.5, random_state=0)


@pytest.fixture(scope="module")
def fitted(digits):
    X, _, y, _ = digits
    return DeferralClassifier(GaussianNB(), budget=0.3).fit(X, y, experts=people(y))


@pytest.mark.parametrize("estimator", [LogisticRegression(), GaussianNB(), DecisionTreeClassifier(random_state=0)],
                         ids=lambda estimator: type(estimator).__name__)
def test_passes_the_checks_of_scikit_learn(estimator):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for candidate, check in check_estimator(DeferralClassifier(estimator), generate_only=True):
            if check.func.__name__ not in SKIPPED_CHECKS:
                check(candidate)


def test_predicts_as_the_model_alone(digits, fitted):
    X, X_new, y, _ = digits
    model = GaussianNB().fit(X, y)
    assert (fitted.predict_proba(X_new) == model.predict_proba(X_new)).all()
    assert (fitted.predict(X_new) == model.predict_proba(X_new).astype(np.float32).argmax(axis=1)).all()
    assert (fitted.decision_function(X_new).argmax(axis=1) == fitted.predict(X_new)).all()


def test_routes_as_the_router_does(digits, fitted):
    """The answers on the training rows, put together by hand."""
    X, X_new, y, _ = digits
    classes = [str(k) for k in range(10)]
    staff = ifd.Staff(classes)
    for name, answers in people(y).items():
        staff.add(name)
        for answer, truth in zip(answers, y):
            staff.update(name, answer=str(answer), truth=str(truth))
    cases = ifd.Predictions(GaussianNB().fit(X, y).predict_proba(X_new), classes=classes)
    expected = ifd.Router("plug-in", staff).route(cases, budget=0.3)
    routes = fitted.route(X_new)
    assert (routes.expert == expected.expert).all()
    assert (routes.margin == expected.margin).all()
    assert 0 < routes.deferred.mean() <= 0.3
    assert (np.asarray(routes.label) == fitted.predict(X_new)).all()


def test_score_is_the_accuracy_of_the_system(digits, fitted):
    _, X_new, _, y_new = digits
    answers = people(y_new, seed=1)
    routes = fitted.route(X_new)
    given = fitted.predict(X_new)
    for j, name in enumerate(routes.expert_names):
        given[routes.expert == j] = answers[name][routes.expert == j]
    assert fitted.score(X_new, y_new, answers=answers) == np.mean(given == y_new)
    assert fitted.score(X_new, y_new) == np.mean(fitted.predict(X_new) == y_new)
    assert fitted.score(X_new, y_new, answers=answers) > fitted.score(X_new, y_new)
    table = np.stack([answers[name] for name in routes.expert_names], axis=1)
    assert fitted.score(X_new, y_new, answers=table) == fitted.score(X_new, y_new, answers=answers)


def test_what_a_call_says_comes_before_the_constructor(digits, fitted):
    _, X_new, _, _ = digits
    assert not fitted.route(X_new, budget=0).deferred.any()
    everyone = fitted.route(X_new, budget=1, fill_budget=True)
    assert everyone.deferred.all()
    within = fitted.route(X_new, budget=0.3, capacity={"ana": 3})
    assert (within.expert == list(within.expert_names).index("ana")).sum() <= 3


def test_missing_answers_are_left_out_of_profiles(digits):
    X, X_new, y, _ = digits
    ana = people(y)["ana"]
    some = np.arange(len(y)) % 3 == 0
    with_gaps = {"none": np.where(some, ana.astype(object), None), "nan": np.where(some, ana, np.nan),
                 "minus one": np.where(some, ana, -1)}
    margins = []
    for column in with_gaps.values():
        model = DeferralClassifier(GaussianNB()).fit(X, y, experts={"ana": column})
        margins.append(model.margins(X_new))
    assert (margins[0] == margins[1]).all() and (margins[0] == margins[2]).all()


def test_labels_may_be_words(digits):
    X, X_new, y, y_new = digits
    words = np.array(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
    by_word = DeferralClassifier(GaussianNB(), budget=0.3).fit(
        X, words[y], experts={name: words[answers] for name, answers in people(y).items()})
    assert set(by_word.predict(X_new)) <= set(words)
    answers = {name: words[column] for name, column in people(y_new, 1).items()}
    assert by_word.score(X_new, words[y_new], answers=answers) > by_word.score(X_new, words[y_new])


def test_nobody_yet(digits):
    """Without experts all rows stay with the model; people may come later."""
    X, X_new, y, _ = digits
    model = DeferralClassifier(GaussianNB()).fit(X, y)
    assert not model.route(X_new).deferred.any()
    model.router_.add_expert("ana")
    assert model.margins(X_new).shape == (len(X_new), 1)


def test_clones_and_tells_its_parameters():
    model = DeferralClassifier(GaussianNB(var_smoothing=1e-3), budget=0.25, capacity={"ana": 4})
    twin = clone(model)
    assert twin.get_params(deep=False).keys() == model.get_params(deep=False).keys()
    assert twin.budget == 0.25 and twin.capacity == {"ana": 4}
    assert twin.get_params()["estimator__var_smoothing"] == 1e-3
    assert twin.estimator is not model.estimator


def test_at_the_end_of_a_pipeline(digits):
    X, X_new, y, y_new = digits
    pipeline = make_pipeline(StandardScaler(), DeferralClassifier(GaussianNB(), budget=0.3))
    pipeline.fit(X, y, deferralclassifier__experts=people(y))
    routes = pipeline[-1].route(pipeline[:-1].transform(X_new))
    assert len(routes) == len(X_new)
    assert pipeline.score(X_new, y_new) == np.mean(pipeline.predict(X_new) == y_new)


def test_a_pipeline_inside(digits):
    X, X_new, y, _ = digits
    inside = DeferralClassifier(make_pipeline(StandardScaler(), GaussianNB())).fit(X, y, experts=people(y))
    assert len(inside.route(X_new)) == len(X_new)


def test_grid_search_by_the_accuracy_of_the_system(digits):
    """Answers are cut with the rows, in fitting as N x J and in scoring by the index."""
    pandas = pytest.importorskip("pandas")
    X, _, y, _ = digits
    frame = pandas.DataFrame(X, index=[f"case {row}" for row in range(len(X))])
    answers = pandas.DataFrame(people(y), index=frame.index)
    search = GridSearchCV(DeferralClassifier(GaussianNB()), {"budget": [0.0, 0.3], "estimator__var_smoothing": [1e-9, 1e-2]},
                          scoring=scorer_with(answers), cv=3)
    search.fit(frame, y, experts=answers)
    assert search.best_params_["budget"] == 0.3
    scores = search.cv_results_["mean_test_score"]
    assert np.isfinite(scores).all() and len(set(scores)) > 1
    alone = cross_val_score(DeferralClassifier(GaussianNB()), X, y, cv=3)
    assert search.best_score_ > alone.mean()


def test_the_index_of_a_frame_names_the_cases(digits, fitted):
    pandas = pytest.importorskip("pandas")
    _, X_new, _, _ = digits
    named = pandas.DataFrame(X_new, index=[f"slide {row}" for row in range(len(X_new))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the classifier was fitted without names of features
        assert list(fitted.predictions(named).cases)[:2] == ["slide 0", "slide 1"]


def test_calibrates_on_rows_that_the_model_has_not_seen(digits):
    X, X_new, y, _ = digits
    plain = DeferralClassifier(GaussianNB()).fit(X, y, experts=people(y))
    calibrated = DeferralClassifier(GaussianNB(), calibrate="temperature", cv=3).fit(X, y, experts=people(y))
    assert (plain.margins(X_new) != calibrated.margins(X_new)).any()
    # Naive Bayes is far too sure of itself on digits; told so, it asks more.
    assert calibrated.route(X_new).deferred.mean() > plain.route(X_new).deferred.mean()


@pytest.mark.parametrize("experts, message", [
    ({"ana": [1, 2]}, "experts: 'ana' has shape (2,)"),
    (np.zeros(5), "experts: shape (5,)"),
])
def test_refuses_experts_that_do_not_fit(digits, experts, message):
    X, _, y, _ = digits
    with pytest.raises(ifd.BadInput) as refusal:
        DeferralClassifier(GaussianNB()).fit(X, y, experts=experts)
    assert str(refusal.value).startswith(message)


def test_refuses_to_score_where_the_asked_did_not_answer(digits, fitted):
    _, X_new, _, y_new = digits
    answers = people(y_new)
    routes = fitted.route(X_new)
    asked = int(np.flatnonzero(routes.deferred)[0])
    name = routes.expert_names[routes.expert[asked]]
    silent = dict(answers, **{name: answers[name].astype(object)})
    silent[name][asked] = None
    with pytest.raises(ifd.BadInput, match=f"answers: '{name}' has none on row {asked}"):
        fitted.score(X_new, y_new, answers=silent)
    del silent[name]
    with pytest.raises(ifd.NotFound, match=f"answers: '{name}' takes"):
        fitted.score(X_new, y_new, answers=silent)


def test_says_that_a_classifier_without_probabilities_will_not_do(digits):
    X, _, y, _ = digits
    with pytest.raises(AttributeError, match="LinearSVC has no predict_proba"):
        DeferralClassifier(LinearSVC()).fit(X, y)
