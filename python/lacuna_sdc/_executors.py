# SPDX-License-Identifier: Apache-2.0
"""Runs elsewhere: what is sent to a worker, what comes back, and who carries it.

To the worker go bytes: the problem, the options, and the files that the options name. Back come
bytes of JSON: the result with its certificate, or what went wrong. Nothing that comes back is
unpickled here or believed: whoever asked proves it for its own problem.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _core, _errors
from ._call import OptionTexts
from ._errors import Error, InternalError, OptionError
from ._job import Inputs

if TYPE_CHECKING:
    from concurrent.futures import Future

Answer: TypeAlias = dict[str, Any]
Submit: TypeAlias = "Callable[[bytes, int], Future[bytes]]"
"""Sends a job that needs so many threads."""


# ---- what is sent


@dataclass(frozen=True)
class Parcel:
    """A job as bytes, all that a worker needs, with the size and the threads of its task."""

    job: bytes
    cells: int
    threads: int


@dataclass(frozen=True)
class Order:
    """A run as the core is asked for it."""

    problem: _core.Problem
    texts: OptionTexts
    inputs: Inputs

    def alone(self) -> Order:
        """With the files that it names: as they are now, and for who has none of them."""
        return Order(self.problem, self.texts, {**_files_of(self.texts), **self.inputs})

    def packed(self) -> Parcel:
        """For a worker. Any number of threads gives the same release."""
        texts = {"threads": ["1"], **self.texts}
        job = pickle.dumps((self.problem, texts, self.inputs))
        return Parcel(job, self.problem.counts["cells"], int(texts["threads"][0]))


def _files_of(texts: OptionTexts) -> dict[str, bytes]:
    """The bytes of the files that options name, under these names."""
    files = {}
    for option in _core.describe("protect"):
        if option["shown_as"] != "FILE":
            continue
        for path in texts.get(option["name"], []):
            if os.path.isfile(path):  # else the core says what is wrong with it
                with open(path, "rb") as file:
                    files[path] = file.read()
    return files


# ---- on the worker


def work(job: bytes) -> bytes:
    """Does one job. What goes wrong is an answer, too."""
    try:
        problem, texts, inputs = pickle.loads(job)
        answer = _answer(_core.protect(problem, texts, inputs, None))
    except Error as error:
        answer = {
            "error": [type(error).__name__, error.message, error.where, error.code, error.path]
        }
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        answer = {"error": ["InternalError", said, "", "internal", ""]}
    return json.dumps(answer).encode()


def _answer(made: _core.Release | dict[str, Any]) -> Answer:
    if isinstance(made, _core.Release):
        return {
            "result": made.result(),
            "certificate": made.certificate(),
            "run": made.run,
            "notes": made.notes,
            "interrupted": made.interrupted,
        }
    return {"refusal": {**made, "audit": None}}  # the audit of what is no release stays there


# ---- what came back


def opened(answer: bytes) -> Answer:
    """The answer as it is; its errors are raised."""
    try:
        told = json.loads(answer)
        if "error" not in told:
            return dict(told)
        name, message, where, code, path = map(str, told["error"])
    except (ValueError, TypeError) as error:
        raise InternalError(f"what the worker returned is no answer: {error}") from None
    kind = getattr(_errors, name, None)
    if not isinstance(kind, type) or not issubclass(kind, Error):
        kind = InternalError
    refused = kind(message, where)
    refused.code, refused.path = code, path
    raise refused


# ---- who carries it


def answers_by(
    executor: object, parcels: Mapping[int, Parcel]
) -> Iterator[tuple[int, bytes | BaseException]]:
    """The answers as they come, by the number of the parcel; the largest are sent first."""
    import concurrent.futures

    largest_first = sorted(parcels, key=lambda number: -parcels[number].cells)
    with _carrier(executor) as submit:
        sent: dict[Future[bytes], int] = {}
        try:
            for number in largest_first:
                sent[submit(parcels[number].job, parcels[number].threads)] = number
            for future in concurrent.futures.as_completed(sent):
                yield sent[future], _outcome(future)
        finally:  # whoever stops listening wants no more
            for future in sent:
                future.cancel()


def _outcome(future: Future[bytes]) -> bytes | BaseException:
    if future.cancelled():
        return InternalError("the job was cancelled")
    return future.exception() or future.result()


@contextlib.contextmanager
def _carrier(executor: Any) -> Iterator[Submit]:
    """By whatever the caller has, told by where its type is from, so that nothing is imported."""
    module = isinstance(executor, ModuleType)
    home = executor.__name__ if module else type(executor).__module__
    package = home.partition(".")[0]
    if package == "ray" or executor == "ray":
        yield _ray()
    elif package == "pyspark":
        with _spark(executor) as submit:
            yield submit
    elif package == "distributed" and hasattr(executor, "get_executor"):
        pool = executor.get_executor(pure=False)
        yield lambda job, threads: pool.submit(work, job)
    elif callable(getattr(executor, "submit", None)):
        yield lambda job, threads: executor.submit(work, job)
    else:
        raise OptionError(
            "it is an executor of concurrent.futures, a client of Dask, ray, or a session of Spark",
            "executor",
        )


def _ray() -> Submit:
    import ray

    remote = ray.remote(work)

    def submit(job: bytes, threads: int) -> Future[bytes]:
        future: Future[bytes] = remote.options(num_cpus=threads).remote(job).future()
        return future

    return submit


@contextlib.contextmanager
def _spark(spark: Any) -> Iterator[Submit]:
    """One job of Spark per order, a row each, so that answers come one by one."""
    import concurrent.futures

    cores = int(spark.conf.get("spark.task.cpus", "1"))
    tasks = max(1, spark.sparkContext.defaultParallelism // cores)

    def submit_row(job: bytes) -> bytes:
        row = spark.createDataFrame([(bytearray(job),)], "job binary").coalesce(1)
        answers = row.mapInArrow(_rows_of(work), "answer binary").collect()
        return bytes(answers[0]["answer"])

    pool = concurrent.futures.ThreadPoolExecutor(tasks)
    try:
        yield lambda job, threads: pool.submit(submit_row, job)
    finally:
        pool.shutdown(cancel_futures=True)


def _rows_of(function: Callable[[bytes], bytes]) -> Callable[[Iterable[Any]], Iterator[Any]]:
    def answers(batches: Iterable[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            rows = [function(job) for job in batch.column("job").to_pylist()]
            column = pyarrow.array(rows, pyarrow.binary())
            yield pyarrow.RecordBatch.from_arrays([column], ["answer"])

    return answers
