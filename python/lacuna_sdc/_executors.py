# SPDX-License-Identifier: Apache-2.0
"""Who carries runs to workers: executors of Python, Dask, Ray and Spark. None of them is imported
here unless the caller uses it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from ._errors import InternalError, OptionError
from ._orders import Parcel, work

if TYPE_CHECKING:
    from concurrent.futures import Future

Submit: TypeAlias = "Callable[[bytes, int], Future[bytes]]"
"""Sends a job that needs so many threads."""


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
            "it must be an executor of concurrent.futures, a client of Dask, ray, or a session of "
            "Spark",
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
