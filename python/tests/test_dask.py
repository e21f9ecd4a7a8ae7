"""Routes on a cluster are those of one process, bit for bit, however rows and work are spread."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

dask = pytest.importorskip("dask")
pandas = pytest.importorskip("pandas")
pytest.importorskip("dask.dataframe")

import dask.array
import dask.dataframe

import ifd
import ifd.dask

CLASSES = ["mel", "nv", "bcc", "akiec"]
ROWS = 6000


def make_router(policy="plug-in"):
    """Two of the three have given the same answers: their margins tie, and draws settle who is asked."""
    random = np.random.default_rng(1)
    staff = ifd.Staff(CLASSES)
    for name, seed in {"ana": 2, "bo": 2, "cy": 3}.items():
        staff.add(name)
        random = np.random.default_rng(seed)
        for truth in random.integers(4, size=80):
            answer = truth if random.random() < 0.8 else random.integers(4)
            staff.update(name, answer=CLASSES[answer], truth=CLASSES[truth])
    return ifd.Router(policy, staff)


def make_rows(rows=ROWS):
    """Coarse numbers, so that many margins are equal and a budget's cut runs into a block of them."""
    random = np.random.default_rng(5)
    counts = random.multinomial(12, [0.4, 0.3, 0.2, 0.1], size=rows)
    return (counts / 12).astype(np.float32)


@pytest.fixture(scope="module")
def router():
    return make_router()


@pytest.fixture(scope="module")
def proba():
    return make_rows()


def spread(proba, partitions):
    return dask.array.from_array(proba, chunks=(-(-len(proba) // partitions), 3))


def assert_same(frame, routes):
    expected = routes.to_pandas()
    assert list(frame.columns) == list(expected.columns)
    for column in expected.columns:
        assert frame[column].tolist() == expected[column].tolist(), column
    assert [float(margin).hex() for margin in frame["margin"]] == [float(margin).hex() for margin in routes.margin]


@pytest.mark.parametrize("partitions", [1, 7, 64])
@pytest.mark.parametrize("budget", [0.0, 0.07, 0.2, 1.0])
def test_same_routes_for_any_number_of_partitions(router, proba, partitions, budget):
    expected = router.route(ifd.Predictions(proba, classes=CLASSES), budget=budget)
    assert_same(ifd.dask.route(spread(proba, partitions), router, budget=budget).compute(), expected)


def test_margins_tie_in_what_is_tested(router, proba):
    """Otherwise the tests above would not see a draw that depends on partitions."""
    margins = np.asarray(router.margins(ifd.Predictions(proba, classes=CLASSES)))
    assert (margins[:, 0] == margins[:, 1]).all()
    routes = router.route(ifd.Predictions(proba, classes=CLASSES), budget=0.2)
    assert {0, 1} <= set(routes.expert.tolist())
    assert len(np.unique(routes.margin)) < ROWS / 4


@pytest.mark.parametrize("policy", ["peak-rule", "confidence", "random"])
def test_same_routes_for_other_policies(proba, policy):
    router = make_router(policy)
    expected = router.route(ifd.Predictions(proba, classes=CLASSES), budget=0.2)
    assert_same(ifd.dask.route(spread(proba, 9), router, budget=0.2).compute(), expected)


def test_threshold_and_budget_together(router, proba):
    cases = ifd.Predictions(proba, classes=CLASSES)
    for threshold in (-0.1, 0.0, 0.15):
        both = ifd.dask.route(spread(proba, 5), router, budget=0.3, threshold=threshold).compute()
        assert_same(both, router.route(cases, budget=0.3, threshold=threshold))
        alone = ifd.dask.route(spread(proba, 5), router, threshold=threshold).compute()
        assert_same(alone, router.route(cases, threshold=threshold))


def test_a_budget_may_be_filled(router, proba):
    cases = ifd.Predictions(proba, classes=CLASSES)
    filled = ifd.dask.route(spread(proba, 5), router, budget=0.9, fill_budget=True).compute()
    assert_same(filled, router.route(cases, budget=0.9, fill_budget=True))


@pytest.mark.parametrize("partitions", [1, 16])
def test_frames_name_their_cases_by_the_index(router, proba, partitions):
    frame = pandas.DataFrame(proba, columns=CLASSES, index=pandas.Index(np.arange(ROWS) * 3 + 5))
    frame["site"] = "north"
    collection = dask.dataframe.from_pandas(frame, npartitions=partitions)
    routes = ifd.dask.route(collection, router, budget=0.2).compute()
    names = [str(name) for name in frame.index]
    assert_same(routes, router.route(ifd.Predictions(proba, classes=CLASSES, cases=names), budget=0.2))
    assert routes.index.tolist() == frame.index.tolist()


def test_an_index_that_begins_anew_in_every_partition_names_nothing(router, proba):
    """As read_csv makes it. Rows are then numbered from the first to the last."""
    frame = pandas.DataFrame(proba, columns=CLASSES)
    parts = [dask.delayed(frame[first:first + 500].reset_index(drop=True)) for first in range(0, ROWS, 500)]
    collection = dask.dataframe.from_delayed(parts, meta=frame[:0])
    routes = ifd.dask.route(collection, router, budget=0.2).compute()
    assert_same(routes, router.route(ifd.Predictions(proba, classes=CLASSES), budget=0.2))
    assert routes.index.tolist() == list(range(ROWS))


def test_a_column_may_name_the_cases(router, proba):
    names = [f"slide {row * 7919 % ROWS}" for row in range(ROWS)]
    frame = pandas.DataFrame(proba, columns=CLASSES).assign(slide=names)
    collection = dask.dataframe.from_pandas(frame, npartitions=11)
    routes = ifd.dask.route(collection, router, budget=0.2, cases="slide").compute()
    assert_same(routes, router.route(ifd.Predictions(proba, classes=CLASSES, cases=names), budget=0.2))
    assert routes.index.tolist() == names


@pytest.mark.parametrize("rows_of", [make_rows, lambda rows: np.random.default_rng(0).dirichlet(np.ones(4), rows)],
                         ids=["ties", "no ties"])
def test_summaries_do_not_grow_with_the_rows(router, rows_of):
    """What a worker keeps of its rows, and sends, is bounded: the memory of a pass is a batch's."""
    summary = router.margin_summary(ifd.Predictions(rows_of(300_000), classes=CLASSES))
    twice = summary + router.margin_summary(ifd.Predictions(rows_of(300_000), classes=CLASSES))
    assert len(pickle.dumps(summary)) < 1_200_000
    assert len(pickle.dumps(twice)) < 1_200_000


def test_the_two_calls_for_other_clusters(router, proba):
    """As docs/python.md has them for Spark and Ray: batches in any order, until a number comes back."""
    batches = [ifd.Predictions(proba[first:first + 777], classes=CLASSES, cases=range(first, min(first + 777, ROWS)))
               for first in range(0, ROWS, 777)]
    interval = None
    for _ in range(20):
        summaries = [router.margin_summary(batch, interval=interval) for batch in reversed(batches)]
        found = ifd.threshold_of(summaries, 0.2)
        if isinstance(found, float):
            break
        interval = pickle.loads(pickle.dumps(found))
    routes = router.route(ifd.Predictions(proba, classes=CLASSES), budget=0.2)
    parts = [router.route(batch, threshold=found) for batch in batches]
    assert np.concatenate([part.expert for part in parts]).tolist() == routes.expert.tolist()


@pytest.mark.parametrize("make, message", [
    (lambda: np.zeros((3, 4)), "collection: ndarray; expected a Dask DataFrame or a Dask array"),
    (lambda: dask.array.zeros((3, 5)), "collection: shape (3, 5); expected N x 4"),
    (lambda: dask.dataframe.from_pandas(pandas.DataFrame({"mel": [1.0]}), npartitions=1), "collection: no column 'nv'"),
])
def test_refuses_what_does_not_fit(router, make, message):
    with pytest.raises(ifd.BadInput) as refusal:
        ifd.dask.route(make(), router, budget=0.2)
    assert str(refusal.value).startswith(message)


def test_refuses_neither_budget_nor_threshold(router, proba):
    with pytest.raises(ifd.BadInput, match="neither budget nor threshold"):
        ifd.dask.route(spread(proba, 2), router)


# Processes of their own.


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed")
    with dask.config.set({"distributed.scheduler.allowed-failures": 20}):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True,
                                      dashboard_address=None) as cluster:
            yield cluster


@pytest.fixture
def client(cluster):
    distributed = pytest.importorskip("distributed")
    with distributed.Client(cluster) as client:
        yield client


def slowly(rows, seconds=0.05):
    time.sleep(seconds)
    return rows


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_same_routes_for_any_number_of_workers(cluster, client, router, proba, workers):
    cluster.scale(workers)
    client.wait_for_workers(workers)
    routes = ifd.dask.route(spread(proba, 13), router, budget=0.2).compute()
    assert_same(routes, router.route(ifd.Predictions(proba, classes=CLASSES), budget=0.2))


def test_same_routes_where_a_worker_is_killed_in_the_middle(cluster, client, router, proba):
    """Once while the threshold is searched, once while rows are routed."""
    cluster.scale(2)
    client.wait_for_workers(2)
    collection = spread(proba, 24).map_blocks(slowly, dtype=np.float32, meta=np.empty((0, 0), dtype=np.float32))
    result, killed = [], []

    def work():
        result.append(ifd.dask.route(collection, router, budget=0.2).compute())

    worker = threading.Thread(target=work)
    worker.start()
    for _ in range(2):
        time.sleep(1.0)
        if worker.is_alive():
            process = next(iter(client.run(os.getpid).values()))
            os.kill(process, signal.SIGKILL)
            killed.append(process)
    worker.join(timeout=120)
    assert killed and result
    assert_same(result[0], router.route(ifd.Predictions(proba, classes=CLASSES), budget=0.2))
