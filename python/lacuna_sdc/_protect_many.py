# SPDX-License-Identifier: Apache-2.0
"""The call that protects many tables, elsewhere if there is an executor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from . import _core
from ._audit import NotProtectedError
from ._errors import Error, OptionError
from ._executors import answers_by
from ._orders import Order, Parcel, opened
from ._problem import Problem
from ._protect import handed_out, order_of, protect, refusal
from ._release import Interrupted, Release
from ._sources import Path

Call: TypeAlias = "tuple[Problem | Path, Mapping[str, Any]]"
"""A problem and the options with which it is protected."""


def protect_many(calls: Iterable[Call], *, executor: Any = None) -> list[Release | BaseException]:
    """Protects several tables that are independent of each other.

    `executor` is any executor of `concurrent.futures`, a client of Dask, `ray` (the module or its
    name), or a session of Spark; without one the tables are protected here, one after the other.
    The largest are sent first, each with the number of threads in its options, or with one.

    Workers need not be trusted: a release is returned only after its certificate has been checked
    here, without a solver, for the problem as it is here. For a table that cannot be protected, or
    whose release is not proven, the list has the exception in its place.
    """
    pending = [(problem, dict(options)) for problem, options in calls]
    if executor is None:
        return [_tried(protect, problem, **options) for problem, options in pending]
    results: dict[int, Release | BaseException] = {}
    parcels: dict[int, Parcel] = {}
    orders: dict[int, Order] = {}
    for number, (problem, options) in enumerate(pending):
        try:
            orders[number] = _sent_order(problem, options)
            parcels[number] = orders[number].packed()
        except Exception as error:
            results[number] = error
    for number, answer in answers_by(executor, parcels):
        keep = str(pending[number][1].get("on_interrupt", "raise"))
        results[number] = _accepted(orders[number], answer, keep)
    return [results[number] for number in range(len(pending))]


def _tried(run: Callable[..., Release], *arguments: Any, **options: Any) -> Release | Exception:
    try:
        return run(*arguments, **options)
    except Exception as error:
        return error


def _sent_order(problem: Problem | Path, options: Mapping[str, Any]) -> Order:
    if options.get("progress") is not None:
        raise OptionError("runs on other machines report no progress", "progress")
    given = {name: each for name, each in options.items() if name != "progress"}
    return order_of(problem, given).alone()


def _accepted(
    order: Order, answer: bytes | BaseException, on_interrupt: str
) -> Release | BaseException:
    """What a worker has returned, proven for our own problem, or why there is nothing."""
    if isinstance(answer, BaseException):
        return answer
    try:
        told = opened(answer)
        if "refusal" in told:
            return refusal(told["refusal"])
        return handed_out(_proven(order, told), on_interrupt)
    except (Exception, Interrupted) as error:
        return error


def _proven(order: Order, told: Mapping[str, Any]) -> _core.Release:
    try:
        return _core.accept(order.problem, order.texts, order.inputs, **told)
    except (Error, TypeError) as error:
        message = f"the result of the worker is not proven: {error}"
        raise NotProtectedError(message, status="refused") from None
