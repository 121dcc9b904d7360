# SPDX-License-Identifier: Apache-2.0
"""Runs: progress, Ctrl-C, exceptions of callbacks, threads, processes, pickles."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pickle
import signal
import threading
from typing import Any

import lacuna_sdc as lc
import pytest
from data import sales_problem, table


def hard_problem() -> lc.Problem:
    """One that keeps a run busy for minutes if nobody stops it."""
    return lc.generate(kind="hierarchical", depths=[4, 4], sensitive_percent=5, seed=2)


HARD = hard_problem()
MEDIUM = lc.generate(kind="hierarchical", depths=[2, 3], sensitive_percent=5, seed=2)


def stop_when_there_is_something(send: Any) -> Any:
    """A listener that calls `send` once the run has a first pattern."""

    def listen(progress: lc.Progress) -> None:
        if progress.incumbent is not None:
            send()

    return listen


def interrupt_self() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_progress_comes_on_the_callers_thread() -> None:
    heard: list[lc.Progress] = []
    threads: set[int] = set()

    def listen(progress: lc.Progress) -> None:
        heard.append(progress)
        threads.add(threading.get_ident())

    lc.protect(MEDIUM, effort="fast", progress=listen)
    lc.protect(HARD, effort="best", time_limit=1, progress=listen, accept_all_withheld=True)
    assert heard and threads == {threading.get_ident()}
    assert all(0 <= progress.share <= 1 for progress in heard)
    assert all(str(progress) for progress in heard)


def test_progress_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    lc.protect(sales_problem(), progress=True)
    assert capsys.readouterr().out == ""


def test_interrupt_brings_the_best_so_far() -> None:
    with pytest.raises(lc.Interrupted) as caught:
        lc.protect(HARD, effort="best", progress=stop_when_there_is_something(interrupt_self))
    release = caught.value.release
    assert release is not None
    assert (release.verdict, release.stopped) == ("protected", "cancelled")
    assert not release.reproducible
    assert lc.audit(HARD, release).verdict == "protected"


def test_interrupt_that_returns() -> None:
    listen = stop_when_there_is_something(interrupt_self)
    release = lc.protect(HARD, effort="best", progress=listen, on_interrupt="return")
    assert release.stopped == "cancelled"


def test_interrupt_before_anything_is_there() -> None:
    def at_once(progress: lc.Progress) -> None:
        interrupt_self()

    with pytest.raises(KeyboardInterrupt):
        lc.protect(HARD, effort="best", progress=at_once)


def test_exception_of_a_callback_comes_out() -> None:
    class Mine(Exception):
        pass

    def fail() -> None:
        raise Mine("of the caller")

    with pytest.raises(Mine, match="of the caller"):
        lc.protect(HARD, effort="best", progress=stop_when_there_is_something(fail))
    assert lc.protect(sales_problem()).verdict == "protected"


def test_ten_runs_in_ten_threads() -> None:
    problems = [table(seed) for seed in range(10)]
    expected = [lc.protect(problem).rows() for problem in problems]
    with concurrent.futures.ThreadPoolExecutor(10) as pool:
        found = list(pool.map(lambda problem: lc.protect(problem, threads=2).rows(), problems))
    assert found == expected


def test_other_threads_go_on_meanwhile() -> None:
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.wait(0.001):
            counted += 1

    counter = threading.Thread(target=count)
    counter.start()
    lc.protect(HARD, effort="best", time_limit=0.5, accept_all_withheld=True)
    stop.set()
    counter.join()
    assert counted > 0


def test_different_numbers_of_threads_the_same_release() -> None:
    releases = [lc.protect(MEDIUM, effort="fast", threads=threads) for threads in (1, 2, 3)]
    assert all(release.rows() == releases[0].rows() for release in releases)


def released_rows(seed: int) -> list[dict[str, Any]]:
    return lc.protect(table(seed)).rows()


def protected(problem: lc.Problem) -> lc.Release:
    return lc.protect(problem)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_processes(start: str) -> None:
    expected = [released_rows(seed) for seed in range(4)]  # the parent has run before
    context = multiprocessing.get_context(start)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(released_rows, range(4), timeout=240)) == expected
        problems = [table(seed) for seed in range(4)]
        releases = list(pool.map(protected, problems, timeout=240))
    assert [release.rows() for release in releases] == expected
    for problem, release in zip(problems, releases, strict=True):
        assert lc.verify(problem, release.certificate, release).verdict == "protected"


@pytest.mark.parametrize("method", ["suppress", "interval", "round", "perturb", "adjust"])
def test_pickles(method: Any) -> None:
    problem = table()
    release = lc.protect(problem, method=method, base=200 if method == "round" else "")
    again = pickle.loads(pickle.dumps(release))
    assert again.rows() == release.rows()
    assert again.run == release.run
    # Audited again, and so perhaps proven by other witnesses; from then on by the same.
    assert lc.verify(problem, again.certificate, release).verdict == "protected"
    assert pickle.loads(pickle.dumps(again)).certificate == again.certificate
    assert again.confidential.cells.rows() == release.confidential.cells.rows()
    assert pickle.loads(pickle.dumps(again)).rows() == release.rows()
    same = pickle.loads(pickle.dumps(problem))
    assert (type(same), same.digest) == (lc.Table, problem.digest)
    assert same.confidential.facts.rows() == problem.confidential.facts.rows()
    audit = pickle.loads(pickle.dumps(lc.audit(problem, release)))
    assert audit.verdict == "protected"
    assert audit.confidential.rows() == lc.audit(problem, release).confidential.rows()


def test_a_pickle_that_was_tampered_with_is_no_release() -> None:
    release = lc.protect(table())
    state = list(release._core.__getstate__())
    text = state[3]
    first = text.index('{"cell"')
    state[3] = text[:first] + text[text.index("}", first) + 2 :].lstrip()  # one cell is published
    kind: Any = type(release._core)
    forged = kind.__new__(kind)
    with pytest.raises(lc.Error):
        forged.__setstate__(tuple(state))


def test_many() -> None:
    calls = [(table(seed), {"effort": "fast"}) for seed in range(3)]
    bad = lc.Problem(
        [{"a": "x", "v": 1, "s": "u"}, {"a": "Total", "v": 1, "s": "z"}],
        dims=["a"],
        value="v",
        status="s",
    )
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = lc.protect_many([*calls, (bad, {})], executor=pool)
    assert [type(result) for result in results[:3]] == [lc.Release] * 3
    assert isinstance(results[3], lc.Error)
    assert len(lc.protect_many(calls)) == 3
