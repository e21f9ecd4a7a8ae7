"""Routes of a table that no worker holds, on a cluster of processes, against one process that holds it all.

    ./run python benchmarks/dask_routing.py --rows 100000000 --workers 2

The workers make their rows themselves, chunk by chunk and once per pass. Both sides end in one fingerprint
of all routes, and the run fails where they differ. Times are on the clock, and processor times of all processes.
"""

from __future__ import annotations

import argparse
import resource
import time
from typing import Any

import dask
import dask.array
import numpy as np
from distributed import Client, LocalCluster

import ifd
import ifd.dask

CLASSES = [f"class {k}" for k in range(8)]
EXPERTS = 10
BUDGET = 0.2


def rows_of(chunk: int, rows: int) -> np.ndarray:
    """A chunk of a classifier that is mostly sure, the same whoever makes it."""
    draw = np.random.Generator(np.random.SFC64(chunk))
    numbers = draw.random((rows, len(CLASSES)), dtype=np.float32)
    numbers **= 4
    numbers /= numbers.sum(axis=1, keepdims=True)
    return numbers


def staff() -> ifd.Staff:
    draw = np.random.default_rng(1)
    table: dict[str, list[Any]] = {"expert": [], "case": [], "answer": [], "truth": []}
    for j in range(EXPERTS):
        for truth in range(len(CLASSES)):
            right = draw.random(15) < draw.uniform(0.4, 1)
            for i, is_right in enumerate(right):
                row = (f"expert {j}", f"{truth}-{i}", CLASSES[truth if is_right else (truth + 1) % len(CLASSES)], CLASSES[truth])
                for column, value in zip(table.values(), row):
                    column.append(value)
    return ifd.Staff.from_answers(table, classes=CLASSES)


def fingerprint(first: int, expert: np.ndarray, margin: np.ndarray) -> int:
    """A sum over rows that another route, margin or place of any of them changes."""
    places = np.arange(first, first + len(expert), dtype=np.uint64)
    mixed = (margin + 0.0).view(np.uint64) ^ (expert.astype(np.int64).view(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
    mixed ^= places * np.uint64(0xC2B2AE3D27D4EB4F)
    mixed *= np.uint64(0xFF51AFD7ED558CCD)
    mixed ^= mixed >> np.uint64(32)
    return int(mixed.sum(dtype=np.uint64))


def fingerprint_of_frame(part: Any, names: list[str]) -> int:
    numbers = {name: j for j, name in enumerate(names)}
    expert = part["expert"].map(numbers).fillna(-1).to_numpy(dtype=np.int32)
    return fingerprint(int(part.index[0]), expert, part["margin"].to_numpy())


def usage(_: Any = None) -> tuple[float, float]:
    """Processor seconds and the largest memory of this process, in MB. Its ru_maxrss would begin at its parent's."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    with open("/proc/self/status", encoding="ascii") as status:
        most = next(line for line in status if line.startswith("VmHWM:"))
    return used.ru_utime + used.ru_stime, int(most.split()[1]) * 1024 / 1e6


def on_workers(rows: int, chunk: int, workers: int, router: ifd.Router) -> int:
    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
        idle = client.run(usage)
        parts = [dask.array.from_delayed(dask.delayed(rows_of)(i, chunk), (chunk, len(CLASSES)), np.float32) for i in range(rows // chunk)]
        begun = time.monotonic()
        threshold = ifd.dask.threshold(dask.array.concatenate(parts), router, BUDGET)
        found = time.monotonic()
        routes = ifd.dask.route(dask.array.concatenate(parts), router, threshold=threshold)
        sums = dask.compute(*[dask.delayed(fingerprint_of_frame)(part, router.experts) for part in routes.to_delayed()])
        took = time.monotonic() - begun
        after = client.run(usage)
    spent = sum(after[worker][0] - idle[worker][0] for worker in after)
    print(f"{workers} workers: {took:.1f} s on the clock ({found - begun:.1f} s for the threshold), {spent:.1f} s of processors,"
          f" at most {max(used[1] for used in after.values()):.0f} MB per worker ({max(used[1] for used in idle.values()):.0f} idle)", flush=True)
    return sum(sums) % 2**64


def in_one_process(rows: int, chunk: int, router: ifd.Router) -> int:
    spent, _ = usage()
    begun = time.monotonic()
    numbers = np.empty((rows, len(CLASSES)), dtype=np.float32)
    for i in range(rows // chunk):
        numbers[i * chunk:(i + 1) * chunk] = rows_of(i, chunk)
    made = time.monotonic()
    routes = router.route(ifd.Predictions(numbers, classes=CLASSES), budget=BUDGET)
    routed = time.monotonic()
    total = 0
    for first in range(0, rows, chunk):
        total += fingerprint(first, np.array(routes.expert[first:first + chunk]), np.array(routes.margin[first:first + chunk]))
    took = time.monotonic() - begun
    after, most = usage()
    print(f"one process: {took:.1f} s on the clock ({made - begun:.1f} s to make the rows, {routed - made:.1f} s to route them),"
          f" {after - spent:.1f} s of processors, at most {most:.0f} MB", flush=True)
    return total % 2**64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--chunk", type=int, default=500_000, help="rows of a partition; divides the rows")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    if asked.rows % asked.chunk:
        parser.error(f"--rows {asked.rows} is no multiple of --chunk {asked.chunk}")
    router = ifd.Router("plug-in", staff())
    print(f"{asked.rows} rows x {len(CLASSES)} classes x {EXPERTS} experts, budget {BUDGET}, partitions of {asked.chunk}", flush=True)
    one = in_one_process(asked.rows, asked.chunk, router)
    many = on_workers(asked.rows, asked.chunk, asked.workers, router)
    if one != many:
        raise SystemExit(f"the routes differ: {one:016x} and {many:016x}")
    print(f"the same routes: {one:016x}")


if __name__ == "__main__":
    main()
