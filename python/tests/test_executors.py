# SPDX-License-Identifier: Apache-2.0
"""Runs by executors of all kinds: the same as here, in order, and believed only if proven."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import forgers
import lacuna_sdc as lc
import pytest
from data import sales_problem, table
from lacuna_sdc import _executors

HERE = str(pathlib.Path(__file__).resolve().parent)
KINDS = ["threads", "processes", "dask", "dask executor", "ray", "spark"]


def started(kind: str, on_end: list[Callable[[], object]]) -> Any:
    """An executor with two workers; skips, with a word, where it is not installed."""
    if kind == "threads":
        pool: Any = concurrent.futures.ThreadPoolExecutor(2)
        on_end.append(pool.shutdown)
        return pool
    if kind == "processes":
        spawn = multiprocessing.get_context("spawn")
        pool = concurrent.futures.ProcessPoolExecutor(2, mp_context=spawn)
        on_end.append(pool.shutdown)
        return pool
    if kind.startswith("dask"):
        distributed = pytest.importorskip("distributed")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        )
        client = distributed.Client(cluster)
        on_end.extend([cluster.close, client.close])
        return client if kind == "dask" else client.get_executor()
    if kind == "ray":
        ray = pytest.importorskip("ray")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        on_end.append(ray.shutdown)
        return ray
    pyspark = pytest.importorskip("pyspark.sql")
    spark = pyspark.SparkSession.builder.master("local[2]").getOrCreate()
    on_end.append(spark.stop)
    return spark


@pytest.fixture(scope="module", params=KINDS)
def executor(request: pytest.FixtureRequest) -> Iterator[Any]:
    before = {name: os.environ.get(name) for name in ("PYTHONPATH", "PYSPARK_PYTHON")}
    os.environ["PYTHONPATH"] = os.pathsep.join([HERE, before["PYTHONPATH"] or ""])
    os.environ["PYSPARK_PYTHON"] = sys.executable
    on_end: list[Callable[[], object]] = []
    try:
        yield started(request.param, on_end)
    finally:
        for end in reversed(on_end):
            end()
        for name, text in before.items():
            os.environ.pop(name)
            if text is not None:
                os.environ[name] = text


def bad_problem() -> lc.Problem:
    """One that nobody can protect: the sensitive cell is the total."""
    rows = [{"a": "x", "v": 1, "s": "u"}, {"a": "Total", "v": 1, "s": "z"}]
    return lc.Problem(rows, dims=["a"], value="v", status="s")


def calls() -> list[Any]:
    return [
        (table(1), {"effort": "fast"}),
        (bad_problem(), {}),
        (table(2, 60), {"method": "interval", "seed": 3}),
        ("nowhere.csv", {}),
        (sales_problem(), {"method": "round", "base": 10, "threads": 2}),
        (table(3), {"nonsense": 1}),
        (sales_problem(), {"prefer": [1, 2]}),
        (table(4), {"levels": "minimal"}),
    ]


def facts(result: lc.Release | BaseException) -> Any:
    """All but what depends on the machine."""
    if not isinstance(result, lc.Release):
        return type(result), str(result)
    clocks = ("seconds", "start_seconds", "finished", "threads")
    run = {name: each for name, each in result.run.items() if name not in clocks}
    office = result.confidential.cells.rows()
    return result.rows(), office, result.certificate.text, run, result.notes


def test_the_same_as_here(executor: Any) -> None:
    here = lc.protect_many(calls())
    there = lc.protect_many(calls(), executor=executor)
    assert [type(result) for result in here].count(lc.Release) == 5
    assert [facts(result) for result in there] == [facts(result) for result in here]


@pytest.mark.parametrize("forger", forgers.FORGERS, ids=lambda forger: str(forger.__name__))
def test_a_forged_release_is_none(
    executor: Any, forger: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_executors, "work", forger)
    results = lc.protect_many([(table(1), {}), (sales_problem(), {})], executor=executor)
    for result in results:
        assert isinstance(result, lc.NotProtectedError)
        assert "the result of the worker is not proven" in str(result)


@pytest.mark.parametrize("broken", forgers.BROKEN, ids=lambda broken: str(broken.__name__))
def test_a_broken_worker_is_an_error(
    executor: Any, broken: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_executors, "work", broken)
    results = lc.protect_many([(table(1), {})], executor=executor)
    assert isinstance(results[0], Exception)
    assert broken is not forgers.fails or "the disk is full" in str(results[0])


class AtOnce(concurrent.futures.Executor):
    """Does what it is given when it is given it, and remembers how large it was."""

    def __init__(self, before: Callable[[], object] = lambda: None) -> None:
        self.before = before
        self.cells: list[int] = []

    def submit(self, function: Any, /, *arguments: Any, **others: Any) -> Any:
        self.before()
        self.cells.append(pickle.loads(arguments[0])[0].counts["cells"])
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        future.set_result(function(*arguments, **others))
        return future


def test_the_largest_goes_first() -> None:
    problems = [table(seed, count) for seed, count in ((1, 5), (2, 60), (3, 15), (4, 30))]
    executor = AtOnce()
    results = lc.protect_many([(problem, {}) for problem in problems], executor=executor)
    assert executor.cells == sorted(executor.cells, reverse=True)
    for problem, result in zip(problems, results, strict=True):
        assert isinstance(result, lc.Release)
        assert len(result) == problem.counts["cells"]


def test_files_travel_with_the_job(tmp_path: pathlib.Path) -> None:
    """A worker that has none of our files gives the same."""
    problem = sales_problem()
    earlier = tmp_path / "earlier.json"
    lc.protect(problem).confidential.write(earlier)
    expected = lc.protect(problem, prefer=earlier, released=earlier)
    executor = AtOnce(before=lambda: earlier.rename(tmp_path / "away.json"))
    call = (problem, {"prefer": earlier, "released": earlier})
    found = lc.protect_many([call], executor=executor)[0]
    assert not earlier.exists()
    assert isinstance(found, lc.Release)
    assert found.rows() == expected.rows()


def test_progress_of_runs_elsewhere_there_is_none() -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        result = lc.protect_many([(table(), {"progress": True})], executor=pool)[0]
    assert isinstance(result, lc.OptionError)


def test_errors_of_runs_elsewhere_have_their_code() -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        result = lc.protect_many([(table(), {"method": "round"})], executor=pool)[0]
    assert isinstance(result, lc.OptionError)
    assert (result.code, result.where) == ("option-missing", "base")


@pytest.mark.parametrize("wrong", ["dask", 3, object()])
def test_what_is_no_executor(wrong: object) -> None:
    with pytest.raises(lc.OptionError, match="executor"):
        lc.protect_many([(table(), {})], executor=wrong)


def test_nothing_is_imported_that_was_not_given() -> None:
    code = (
        "import sys, concurrent.futures as cf, lacuna_sdc as lc\n"
        "if __name__ == '__main__':\n"
        "    problem = lc.generate(kind='hierarchical', depths=[2, 2], seed=1)\n"
        "    with cf.ThreadPoolExecutor(1) as pool:\n"
        "        lc.protect_many([(problem, {})], executor=pool)\n"
        "    print({'ray', 'dask', 'distributed', 'pyspark', 'pyarrow'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.stdout, done.stderr) == ("set()\n", "")
