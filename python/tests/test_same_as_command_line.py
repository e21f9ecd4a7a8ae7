"""The same numbers as the command line, bit for bit, over a table of commands.

Every row is what is typed behind `ifd`, and what a Python caller writes for it. Files are those of
conftest.World; what both print is compared as bytes, or as the numbers that JSON carries exactly.
"""

import json
import math
import os
import pathlib

import numpy as np
import pytest

import ifd
from conftest import CLASSES, World


class Files:
    """The files of the command line, and the same as a Python caller reads them."""

    def __init__(self, folder):
        self.folder = folder
        self.cases = ifd.Predictions.read(folder / "predictions.csv")
        self.staff = ifd.Staff.from_answers(folder / "context.csv", classes=self.cases.classes)
        self.answers = ifd.Answers.from_table(folder / "answers.csv", cases=self.cases)

    def words(self, *extra):
        return ["--predictions", self.folder / "predictions.csv", "--context", self.folder / "context.csv", *extra]

    def router(self, policy="plug-in", **options):
        return ifd.Router(policy, self.staff, **options)


@pytest.fixture(scope="session")
def disk(files):
    (files / "capacity.csv").write_text("expert,capacity\nann,5\nbob,9\n")
    (files / "priors.csv").write_text("expert,class,mean,strength\n*,*,0.8,10\nann,cat,0.6,4\n")
    (files / "costs.csv").write_text("truth,label,cost [EUR]\n*,*,1\ncat,*,9\ncat,dog,4.5\n")
    (files / "fees.csv").write_text("expert,fee\nann,0.125\n*,0.01\n")
    (files / "groups.csv").write_text(
        "case,group\n" + "".join(f"case-{i},g{i // 4}\n" for i in range(200))
    )
    (files / "halves.csv").write_text(
        "case,group\n" + "".join(f"case-{i},h{i // 100}\n" for i in range(200))
    )
    names = sorted({row[1] for row in World().context})
    past = np.random.default_rng(7).dirichlet([1] * 3, size=len(names))
    ifd.Predictions(past, classes=CLASSES, cases=names).write(files / "past.csv")
    mine = np.random.default_rng(4).normal(size=(200, 3))
    np.savez(files / "mine.npz", margins=mine, cases=World().names, experts=World().experts)
    return Files(files)


COSTS = {"costs": {("*", "*"): 1, ("cat", "*"): 9, ("cat", "dog"): 4.5}, "fees": {"ann": 0.125, "*": 0.01}}

ROUTES = [
    (["--costs", "costs.csv", "--fees", "fees.csv", "--budget", "0.3"], COSTS, {"budget": 0.3}),
    (["--costs", "costs.csv", "--threshold", "0.1"], {"costs": COSTS["costs"]}, {"threshold": 0.1}),
    (
        ["--costs", "costs.csv", "--fees", "fees.csv", "--capacity", "capacity.csv", "--budget", "0.5"],
        {**COSTS, "capacity": {"ann": 5, "bob": 9}},
        {"budget": 0.5},
    ),
    (["--budget", "0.2"], {}, {"budget": 0.2}),
    (["--budget", "0.29"], {}, {"budget": 0.29}),
    (["--budget", "1"], {}, {"budget": 1}),
    (["--budget", "0"], {}, {"budget": 0}),
    (["--budget", "0.5", "--fill-budget"], {}, {"budget": 0.5, "fill_budget": True}),
    (["--budget", "0.5", "--threshold", "0.1"], {}, {"budget": 0.5, "threshold": 0.1}),
    (["--threshold", "0"], {}, {"threshold": 0}),
    (["--threshold", "-0.25", "--seed", "9"], {"seed": 9}, {"threshold": -0.25}),
    (["--policy", "peak-rule", "--budget", "0.2"], {"policy": "peak-rule"}, {"budget": 0.2}),
    (["--policy", "confidence", "--budget", "0.2"], {"policy": "confidence"}, {"budget": 0.2}),
    (["--policy", "random", "--budget", "0.2", "--seed", "3"], {"policy": "random", "seed": 3}, {"budget": 0.2}),
    (["--answer", "combined", "--budget", "0.3"], {"answer": "combined"}, {"budget": 0.3}),
    (["--answer", "combined", "--capacity", "capacity.csv", "--budget", "0.3"],
     {"answer": "combined", "capacity": {"ann": 5, "bob": 9}}, {"budget": 0.3}),
    (["--paper", "--budget", "0.3"], {"policy": "peak-rule", "scale": "logit"}, {"budget": 0.3}),
    (["--margin", "logit", "--threshold", "0"], {"scale": "logit"}, {"threshold": 0}),
    (["--ties", "lowest-index", "--budget", "0.2"], {"ties": "lowest-index"}, {"budget": 0.2}),
    (["--off-duty", "ann", "--budget", "0.2"], {"on_duty": ["bob", "cy"]}, {"budget": 0.2}),
    (["--capacity", "capacity.csv", "--budget", "0.2"], {"capacity": {"ann": 5, "bob": 9}}, {"budget": 0.2}),
    (["--capacity", "capacity.csv", "--threshold", "0.2"], {}, {"threshold": 0.2, "capacity": {"ann": 5, "bob": 9}}),
    (["--calibration", "predictions.csv", "--budget", "0.2"], {}, {"budget": 0.2, "calibration": "cases"}),
    (
        ["--calibration", "predictions.csv", "--budget", "0.4", "--budget-confidence", "0.9"],
        {},
        {"budget": 0.4, "calibration": "cases", "budget_confidence": 0.9},
    ),
    (
        ["--calibration", "predictions.csv", "--budget", "0.4", "--budget-confidence", "0.9", "--batch", "50"],
        {},
        {"budget": 0.4, "calibration": "cases", "budget_confidence": 0.9, "batch": 50},
    ),
    (
        ["--calibrate", "temperature", "--context-predictions", "past.csv", "--budget", "0.2"],
        {"calibrate": "temperature", "context_predictions": "past.csv"},
        {"budget": 0.2},
    ),
    (
        ["--calibrate", "bias", "--context-predictions", "past.csv", "--threshold", "0"],
        {"calibrate": "bias", "context_predictions": "past.csv"},
        {"threshold": 0},
    ),
]


def in_folder(disk, words):
    def placed(word):
        name, equals, file = word.rpartition("=")
        return f"{name}{equals}{disk.folder / file}" if word.endswith((".csv", ".npz")) else word

    return [placed(word) for word in words]


@pytest.mark.parametrize(("words", "made", "asked"), ROUTES, ids=lambda value: " ".join(map(str, value))[:60])
def test_route(disk, command, tmp_path, words, made, asked):
    expected = command("route", *disk.words(*in_folder(disk, words)))
    options = dict(made)
    if "context_predictions" in options:
        options["context_predictions"] = ifd.Predictions.read(disk.folder / options["context_predictions"])
    asked = {**asked, **({"calibration": disk.cases} if "calibration" in asked else {})}
    routes = disk.router(**options).route(disk.cases, **asked)
    routes.to_csv(tmp_path / "routes.csv")
    assert (tmp_path / "routes.csv").read_bytes() == expected


def test_route_with_priors(disk, command, tmp_path):
    expected = command("route", *disk.words("--prior", disk.folder / "priors.csv", "--budget", "0.3"))
    staff = ifd.Staff.from_answers(
        disk.folder / "context.csv", classes=disk.cases.classes, priors=disk.folder / "priors.csv"
    )
    ifd.Router("plug-in", staff).route(disk.cases, budget=0.3).to_csv(tmp_path / "routes.csv")
    assert (tmp_path / "routes.csv").read_bytes() == expected


def test_route_explained(disk, command):
    lines = command("route", *disk.words("--budget", "0.2", "--explain")).decode().splitlines()
    routes = disk.router().route(disk.cases, budget=0.2)
    for row in (0, 7, 199):
        told, typed = routes.explain(row), json.loads(lines[row])
        assert [expert["margin"] for expert in typed["experts"]] == told.margins.tolist()
        assert [expert["state"] for expert in typed["experts"]] == told.states.tolist()


def test_route_with_fading_answers(disk, command, tmp_path):
    expected = command("route", *disk.words("--half-life", "7.5", "--budget", "0.3"))
    staff = ifd.Staff.from_answers(disk.folder / "context.csv", classes=disk.cases.classes, half_life=7.5)
    again = ifd.Staff.from_bytes(staff.to_bytes())
    assert again == staff
    ifd.Router("plug-in", again).route(disk.cases, budget=0.3).to_csv(tmp_path / "routes.csv")
    assert (tmp_path / "routes.csv").read_bytes() == expected


@pytest.mark.parametrize(
    ("words", "asked"),
    [([], {}), (["--budget", "0.2"], {"budget": 0.2}), (["--threshold", "0.3"], {"threshold": 0.3}),
     (["--budget", "0.1", "--fill-budget", "--most-answers", "9"], {"budget": 0.1, "fill_budget": True, "most_answers": 9})],
    ids=str,
)
def test_explain(disk, command, words, asked):
    for case in ("case-0", "case-117"):
        expected = command("explain", *disk.words("--case", case, "--json", *words))
        assert disk.router().explain(disk.cases, case, **asked).to_json().encode() == expected


def test_costs(disk, command):
    words = ["--costs", disk.folder / "costs.csv", "--fees", disk.folder / "fees.csv"]
    router = disk.router(costs=disk.folder / "costs.csv", fees=str(disk.folder / "fees.csv"))
    expected = command("explain", *disk.words("--case", "case-7", "--json", *words))
    assert router.explain(disk.cases, "case-7").to_json().encode() == expected
    typed = disk.words("--answers", disk.folder / "answers.csv", "--policy", "plug-in,cost-blind,oracle", *words)
    result = ifd.evaluate([router, "cost-blind", "oracle"], disk.cases, disk.answers)
    assert result.to_json().encode() == command("evaluate", "--json", *typed)
    assert result.to_csv().encode() == command("evaluate", "--csv", *typed)
    assert result.cost_unit == "EUR"
@pytest.mark.parametrize(
    ("words", "made", "asked"),
    [
        ([], {}, {}),
        (["--confidence", "0.8", "--class-error", "owl=0.6"], {}, {"confidence": 0.8, "class_errors": {"owl": 0.6}}),
        (["--context-predictions", "past.csv"], {"context_predictions": "past.csv"}, {}),
        (["--policy", "confidence", "--off-duty", "cy"], {"policy": "confidence", "on_duty": ["ann", "bob"]}, {}),
        (["--groups", "groups.csv"], {}, {"groups": [i // 4 for i in range(200)]}),
        (["--subgroups", "halves.csv", "--subgroup-error", "0.7"], {},
         {"subgroups": [f"h{i // 100}" for i in range(200)], "subgroup_error": 0.7}),
    ],
    ids=lambda value: " ".join(map(str, value))[:60],
)
@pytest.mark.filterwarnings("ignore")
def test_certify(disk, command, tmp_path, words, made, asked):
    typed = ["--calibration", disk.folder / "predictions.csv", "--context", disk.folder / "context.csv"]
    typed += ["--calibration-answers", disk.folder / "answers.csv", "--error", "0.6", "--date", "2026-11-18"]
    command("certify", *typed, *in_folder(disk, words), "-o", tmp_path / "typed.json")
    options = dict(made)
    if "context_predictions" in options:
        options["context_predictions"] = ifd.Predictions.read(disk.folder / options["context_predictions"])
    certificate = ifd.certify(
        disk.router(**options), disk.cases, disk.answers, error=0.6, date="2026-11-18", **asked
    )
    assert certificate.to_json() == (tmp_path / "typed.json").read_text()


EVALUATIONS = [
    (["--policy", "plug-in"], ["plug-in"], {}),
    (["--policy", "plug-in,confidence,peak-rule,random,oracle"], ["plug-in", "confidence", "peak-rule", "random", "oracle"], {}),
    (["--policy", "confidence", "--seed", "4"], ["confidence"], {"seed": 4}),
    (["--bootstrap", "0"], ["plug-in"], {"bootstrap": 0}),
    (["--budgets", "0.05,0.3", "--range", "0.1,0.6"], ["plug-in"], {"budgets": [0.05, 0.3], "d_min": 0.1, "d_max": 0.6}),
    (["--fill-budget", "--threshold", "0.2"], ["plug-in"], {"fill_budget": True, "threshold": 0.2}),
    (["--target", "0.8"], ["plug-in"], {"target": 0.8}),
    (["--capacity", "capacity.csv"], ["plug-in"], {"capacity": {"ann": 5, "bob": 9}}),
    (["--groups", "groups.csv"], ["plug-in"], {"groups": [i // 4 for i in range(200)]}),
    (["--policy", "plug-in", "--margins", "mine=mine.npz"], ["plug-in", "mine"], {}),
    (["--missing", "off-duty"], ["plug-in"], {"missing": "off-duty"}),
    (["--answer", "combined"], ["plug-in"], {"answer": "combined"}),
    (["--answer", "combined", "--policy", "confidence,oracle", "--capacity", "capacity.csv"],
     ["confidence", "oracle"], {"answer": "combined", "capacity": {"ann": 5, "bob": 9}}),
]


@pytest.mark.parametrize(("words", "policies", "asked"), EVALUATIONS, ids=lambda value: str(value)[:60])
def test_evaluate(disk, command, words, policies, asked):
    typed = disk.words("--answers", disk.folder / "answers.csv", *in_folder(disk, words))
    mine = np.load(disk.folder / "mine.npz")["margins"]
    compared = [("mine", mine) if name == "mine" else name for name in policies]
    result = ifd.evaluate(compared, disk.cases, disk.answers, staff=disk.staff, **asked)
    assert result.to_json().encode() == command("evaluate", "--json", *typed)
    assert result.to_csv().encode() == command("evaluate", "--csv", *typed)


@pytest.mark.parametrize("asked", [{}, {"sure": 0.5}, {"sure": 1, "worth": 0.2}], ids=str)
def test_combine(disk, command, asked):
    words = [word for name, value in asked.items() for word in (f"--{name}", str(value))]
    typed = disk.words("--answers", disk.folder / "answers.csv", *words)
    made = disk.router().combine(disk.cases, disk.answers, **asked)
    assert made.to_csv().encode() == command("combine", *typed)
    assert made.to_jsonl().encode() == command("combine", "--format", "jsonl", *typed)
    assert [json.loads(line)["label"] for line in made.to_jsonl().splitlines()] == made.label
    assert len(made) == len(disk.cases) and set(made.advice) <= {"settled", "second reader", "escalate"}


def test_combined_answers_under_costs(disk, command, tmp_path):
    """Routes, labels and costs of mistakes that are not alike, and a fee."""
    costs = {("*", "*"): 1, (CLASSES[0], "*"): 9}
    (tmp_path / "costs.csv").write_text(f"truth,label,cost\n*,*,1\n{CLASSES[0]},*,9\n")
    (tmp_path / "fees.csv").write_text("expert,fee\n*,0.125\n")
    files = ["--costs", tmp_path / "costs.csv", "--fees", tmp_path / "fees.csv"]
    router = ifd.Router("plug-in", disk.staff, costs=costs, fees={"*": 0.125}, answer="combined")
    typed = disk.words(*files, "--answer", "combined", "--budget", "0.4")
    router.route(disk.cases, budget=0.4).to_csv(tmp_path / "routes.csv")
    assert (tmp_path / "routes.csv").read_bytes() == command("route", *typed)
    answers = ["--answers", disk.folder / "answers.csv", *files]
    made = ifd.combine(router, disk.cases, disk.answers)
    assert made.to_csv().encode() == command("combine", *disk.words(*answers))
    assert made.to_csv().splitlines()[0].endswith(",worth,cost") and (made.cost >= 0).all()
    assert disk.router().combine(disk.cases, disk.answers).cost is None
    told = ifd.evaluate([router], disk.cases, disk.answers, bootstrap=0)
    typed = disk.words(*answers, "--answer", "combined", "--bootstrap", "0", "--policy", "plug-in")
    assert told.to_json().encode() == command("evaluate", "--json", *typed)


@pytest.mark.parametrize("missing", ["error", "off-duty"])
@pytest.mark.parametrize("blank", [None, "wrong", "skip"])
def test_evaluate_a_column_per_expert_with_blanks(disk, command, tmp_path, missing, blank):
    """Blanks of a wide table, in every meaning that they can be given; also where both refuse."""
    world = World()
    said = [[CLASSES[code] for code in row] for row in world.codes]
    for i, j in ((0, 0), (3, 1), (3, 2), (77, 1), (150, 0)):
        said[i][j] = ""
    rows = [",".join([name, *row]) for name, row in zip(world.names, said)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join([",".join(["case", *world.experts]), *rows, ""]))
    table = {"case": world.names, **{name: [row[j] or None for row in said] for j, name in enumerate(world.experts)}}
    words = ["--missing", missing, "--bootstrap", "0", *(["--blank", blank] if blank else [])]
    typed = disk.words("--answers", path, *words)
    for answers in (path, table):
        def told():
            return ifd.evaluate(["plug-in"], disk.cases, answers, staff=disk.staff, bootstrap=0, missing=missing,
                                blank=blank).to_json().encode()

        refused = command.refusal("evaluate", "--json", *typed)
        if refused is None:
            assert told() == command("evaluate", "--json", *typed)
            continue
        with pytest.raises(ifd.BadInput) as raised:
            told()
        assert str(raised.value).split(";")[0].split(": ")[-1] in refused


def test_curves(disk, command, tmp_path):
    path = tmp_path / "curve.csv"
    command("evaluate", *disk.words("--answers", disk.folder / "answers.csv", "--bootstrap", "0", "--curve", path))
    rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
    result = ifd.evaluate("plug-in", disk.cases, disk.answers, staff=disk.staff, bootstrap=0)
    budget, accuracy = result.curve("plug-in")
    assert [float(row[1]) for row in rows] == budget.tolist()
    assert [float(row[2]) for row in rows] == accuracy.tolist()


def test_profile(disk, command):
    typed = json.loads(command("profile", *disk.words("--json")))
    for expert in typed["experts"]:
        profile = disk.staff[expert["expert"]]
        assert [part["mean"] for part in expert["classes"]] == profile.mean.tolist()


def test_plans(disk, command):
    typed = json.loads(command("plan", "threshold", *disk.words("--budget", "0.2", "--json")))
    told = ifd.plan_threshold(disk.router(), disk.cases, 0.2)
    assert typed["threshold"] == told["threshold"] and typed["rate_high"] == told["rate_high"]
    typed = json.loads(command("plan", "peak", "--accuracies", "0.9,0.7,0.6", "--json"))
    told = ifd.plan_peak([0.9, 0.7, 0.6])
    assert typed["bound"]["answers_per_class"] == told["bound"]
    assert typed["simulated"] == {"answers_per_class": told["needed"], "simulated_success": told["needed_succeeds"]}
    typed = json.loads(command("plan", "prior", "--json", "--seed", "3"))
    told = ifd.plan_prior(seed=3)
    assert typed["simulated"] == {"answers_per_class": told["needed"], "simulated_success": told["needed_succeeds"]}


def test_somebody_new(disk, command, tmp_path):
    expected = command("route", *disk.words("--staff-prior", "--newcomer", "zoe", "--budget", "0.3"))
    staff = ifd.Staff.from_answers(disk.folder / "context.csv", classes=disk.cases.classes, staff_prior=True)
    staff.add("zoe", prior="staff")
    ifd.Router("plug-in", staff).route(disk.cases, budget=0.3).to_csv(tmp_path / "routes.csv")
    assert (tmp_path / "routes.csv").read_bytes() == expected
    typed = json.loads(command("plan", "staff-prior", *disk.words("--json")))
    assert typed["newcomer"] == disk.staff.outlook()
    words = ("--expert", "bob", "--draws", "30", "--next", "5", "--seed", "3", "--json")
    typed = json.loads(command("plan", "onboarding", *disk.words(*words)))
    assert typed == ifd.plan_onboarding(disk.staff, disk.cases, expert="bob", draws=30, next=5, seed=3)


def test_truths_that_nobody_knows(disk, command):
    words = ("--answers", disk.folder / "answers.csv", "--truth", "dawid-skene", "--bootstrap", "0", "--json")
    typed = json.loads(command("evaluate", *disk.words(*words)))
    staff = ifd.Staff.from_answers(
        disk.folder / "context.csv", classes=disk.cases.classes, truth="dawid-skene"
    )
    told = ifd.evaluate(ifd.Router("plug-in", staff), disk.cases, disk.answers, bootstrap=0)
    assert typed["verdict"] == told.to_dict()["verdict"]
    assert "--truth dawid-skene" in typed["verdict"]["warnings"][-1]


def test_simulate(command, tmp_path):
    draw = np.random.default_rng(0)

    def written(name, cases):
        labels = draw.integers(3, size=cases)
        features = np.eye(3)[labels] + draw.normal(size=(cases, 3))
        made = ifd.Predictions(
            np.full((cases, 3), 1 / 3), classes=CLASSES, labels=labels, features=features,
            cases=[f"{name}{i}" for i in range(cases)],
        )
        made.write(tmp_path / f"{name}.npz")
        return made

    training, cases = written("train", 200), written("test", 150)
    words = ["ann=variable:cat", "bob=stable:dog", "cy=flat:0.9/0.5/0.7", "dee=anti:cat>dog"]
    typed = command(
        "experts", "simulate", "--training", tmp_path / "train.npz", "--predictions", tmp_path / "test.npz",
        *(part for word in words for part in ("--expert", word)), "--seed", "11", "--json", "--output", tmp_path / "out",
    )
    made = ifd.simulate(words, training, cases, seed=11)
    assert json.loads(typed) == made.report
    made.answers.write(tmp_path / "answers.csv", cases=cases)
    assert (tmp_path / "answers.csv").read_bytes() == (tmp_path / "out" / "answers.csv").read_bytes()
    assert ifd.Staff.from_answers(tmp_path / "out" / "context.csv", classes=CLASSES) == made.staff
    assert ifd.Predictions.read(tmp_path / "out" / "context_predictions.npz") == made.context_predictions
    with np.load(tmp_path / "out" / "accuracies.npz") as npz:
        assert np.array_equal(npz["accuracies"], made.accuracies)


def test_messages_are_those_of_the_command_line(disk, tmp_path):
    (tmp_path / "broken.csv").write_text("case,a,b\nx,0.5,0.9\n")
    with pytest.raises(ifd.BadInput) as refused:
        ifd.Predictions.read(tmp_path / "broken.csv")
    assert str(refused.value).startswith(f"{tmp_path / 'broken.csv'}:2: ")
    assert math.isfinite(len(str(refused.value)))


def test_fingerprint(command):
    root = pathlib.Path(__file__).resolve().parents[2]
    place = pathlib.Path(os.environ.get("IFD_DATA", root.parent / "shared" / "data"))
    annotations = place / "imagenet16h" / "annotations.csv"
    if not annotations.exists():
        pytest.skip(f"there is no {annotations}")
    typed = json.loads(command("experts", "fingerprint", "--annotations", annotations, "--json"))
    assert ifd.fingerprint(annotations) == typed
