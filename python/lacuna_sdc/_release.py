# SPDX-License-Identifier: Apache-2.0
"""Protection: what may be published, proven, or an exception."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

from . import _core
from ._audit import Audit, Certificate, ReleaseLike, as_problem
from ._call import add_released, named_file, option_texts, with_options
from ._display import release_html
from ._errors import Error, Interrupted, NotProtectedError, OptionError
from ._executors import Order, Parcel, answers_by, opened
from ._frames import Data, Frame, Framed, Path
from ._job import Inputs
from ._problem import Problem
from ._progress import Listener, listening

if TYPE_CHECKING:
    from ._options import ProtectOptions, ReportOptions, WriteOptions

Method: TypeAlias = Literal[
    "suppress",
    "interval",
    "combined",
    "round",
    "perturb",
    "adjust",
    "mixed",
    "small-counts",
    "cellkey",
]


class ConfidentialRelease(Framed):
    """The release beside the truth. For the office only."""

    __slots__ = ("_core",)

    def __init__(self, core: _core.Release) -> None:
        self._core = core

    @property
    def cells(self) -> Frame:
        """Codes, true value, what is published, status, levels, and why a cell is sensitive."""
        return Frame(self._core.office())

    def _frame(self) -> Frame:
        return self.cells

    @property
    def result(self) -> dict[str, Any]:
        """The result file of the command line: the run, and what is not published as it is."""
        text = self._core.result()
        parsed: dict[str, Any] = json.loads(text)
        return parsed

    @with_options("write")
    def write(self, path: Path, **options: Unpack[WriteOptions]) -> None:
        """The office's file: .json (the result), .csv, .xlsx or .sdmx.csv with flags and rules."""
        self._core.write("", os.fspath(path), "", option_texts(options))

    def __repr__(self) -> str:
        return "<confidential release: .cells, .result, .write(path)>"


class Release(Framed):
    """A release with its verdict. Protected: the audit has proven every requirement.

    A release of a table of which nothing was asked, as no cell is sensitive, is `unasked`: nothing
    is known of what it tells, and it is written for the public only with `unasked="publish"`, and
    had as a frame only if `protect` was told so, unless rules were applied that make no cell
    sensitive. One in which requirements were waived,
    as the options asked, is `waived`.

    As a frame it holds what is published and nothing else: the codes, `value` (None where it is
    withheld), `state`, and `lower`, `upper`, `base` where they apply. What is confidential is
    behind `.confidential`.
    """

    __slots__ = ("_core", "_run")

    def __init__(self, core: _core.Release) -> None:
        self._core = core
        self._run: dict[str, Any] = json.loads(core.run)

    # ---- how it was made

    @property
    def problem(self) -> Problem:
        """The table that was protected."""
        return Problem._of(self._core.problem)

    @property
    def run(self) -> dict[str, Any]:
        """What `--json` prints. Its costs are sums over hidden cells: for the office."""
        return dict(self._run)

    @property
    def method(self) -> str:
        """The method that was used: suppress, interval, and so on."""
        return str(self._run["method"])

    @property
    def verdict(self) -> str:
        """protected, unasked (nothing was asked) or waived (exposed, as the options allow)."""
        return str(self._run["verdict"])

    @property
    def stopped(self) -> str:
        """How the search ended: optimal, gap, work, limit or cancelled."""
        return str(self._run["status"])

    @property
    def objective(self) -> float:
        """What it costs, by the weights. A sum over hidden cells: for the office."""
        cost = self._run["objective"]
        return float("inf") if cost is None else float(cost)

    @property
    def bound(self) -> float:
        """Proven: nothing that is safe costs less. For the office, as the objective."""
        bound = self._run["bound"]
        return float("inf") if bound is None else float(bound)

    @property
    def gap(self) -> float:
        """Proven: what share of the cost a better release could save at most; nan: not known."""
        gap = self._run["gap"]
        return float("nan") if gap is None else float(gap)

    @property
    def reproducible(self) -> bool:
        """Whether the same call gives the same release again."""
        return bool(self._run["reproducible"])

    @property
    def notes(self) -> list[str]:
        """What was noticed on the way."""
        return self._core.notes

    @property
    def summary(self) -> str:
        """One line: verdict, what is withheld, gap, how it ended, seconds; no cost.

        A cost is a sum over hidden cells and can give one of them away.
        """
        run = self._run
        text = (
            f"{run['verdict']} by {run['method']}: {run['suppressed']:,} of {run['cells']:,} cells "
            f"withheld, {_gap_text(run['gap'])}, {run['status']}, {run['seconds']:.2f} s"
        )
        return "; ".join([text, *(run[name] for name in ("read_as", "note") if run.get(name))])

    # ---- what is published

    @property
    def published(self) -> Frame:
        """All cells as everyone may see them.

        Of a table of which nothing was asked they are given out only if `protect` was called with
        `unasked="publish"`.
        """
        return Frame(self._core.published())

    @property
    def tables(self) -> dict[str, Frame]:
        """Linked tables by name, each with its own dimensions; one if there are no others."""
        names = list(self.problem.tables) or [self._core.title]
        return {name: Frame(self._core.published(i)) for i, name in enumerate(names)}

    def _frame(self) -> Frame:
        return self.published

    def __len__(self) -> int:
        return len(Frame(self._core.published(unasked=True)))

    @with_options("write")
    def write(
        self,
        path: Path,
        *,
        unasked: Literal["refuse", "publish"] | None = None,
        **options: Unpack[WriteOptions],
    ) -> None:
        """Writes what is published and nothing else.

        The ending says the format: .csv, .json, .xlsx, .px, .sdmx.csv, .parquet or .arrow; {table}
        in the name writes one file per table. A table of which nothing was asked is written only
        with `unasked="publish"`, here or in `protect`.
        """
        texts = option_texts({**options, "unasked": unasked})
        self._core.write(os.fspath(path), "", "", texts)

    # ---- for the office

    @property
    def confidential(self) -> ConfidentialRelease:
        """The release beside the truth. For the office only."""
        return ConfidentialRelease(self._core)

    @property
    def audit(self) -> Audit:
        """What the audit has proven."""
        return Audit(self._core.audit())

    @property
    def certificate(self) -> Certificate:
        """The evidence, which anyone can check without a solver."""
        return Certificate(self._core.certificate())

    @with_options("report")
    def report(
        self,
        path: Path | None = None,
        *,
        public: bool = False,
        progress: Listener = None,
        **options: Unpack[ReportOptions],
    ) -> str:
        """The page about the release: for the office, or with `public` for everyone."""
        target = "" if path is None else os.fspath(path)
        texts = option_texts({**options, "public": public})
        with listening(progress) as sink:
            verdict, page = _core.report_release(self._core, target, texts, sink)
        return _page(verdict, page)

    def _office_text(self) -> str:
        return self._core.result()

    def __repr__(self) -> str:
        return f"<Release: {self.summary}>"

    def _repr_html_(self) -> str:
        return release_html(self)

    def __reduce__(self) -> tuple[type[Release], tuple[_core.Release]]:
        return Release, (self._core,)


@with_options("protect")
def protect(
    problem: Problem | Path,
    *,
    method: Method | None = None,
    prefer: ReleaseLike = None,
    released: object = None,
    cells: Path | Data | None = None,
    on_interrupt: Literal["raise", "return"] = "raise",
    progress: Listener = None,
    **options: Unpack[ProtectOptions],
) -> Release:
    """Makes a table safe to publish and proves it.

    What comes back has passed the audit; if nothing does, NotProtectedError says why. A limit is no
    error: `release.stopped` says how the search ended. Ctrl-C ends the search, the best so far is
    audited, and comes with `Interrupted.release`, or is returned with `on_interrupt="return"`.

    `prefer` is an earlier release whose withheld cells are kept; `released` are earlier releases of
    this very table, which readers have already; `cells` are settings of single cells.
    """
    given = {"method": method, "prefer": prefer, "released": released, "cells": cells, **options}
    order = _order(problem, {"on_interrupt": on_interrupt, **given})
    with listening(progress) as sink:
        made = _core.protect(order.problem, order.texts, order.inputs, sink)
    if isinstance(made, _core.Release):
        return _handed_out(made, on_interrupt)
    raise _refusal(made)


def _order(problem: Problem | Path, given: Mapping[str, Any]) -> Order:
    """What the core is asked for, by the arguments of `protect`."""
    options = dict(given)
    if options.pop("on_interrupt", "raise") not in ("raise", "return"):
        raise OptionError("on_interrupt is 'raise' or 'return'", "on_interrupt")
    inputs: Inputs = {}
    table = as_problem(problem)
    if "public" in options:
        raise OptionError("there is no such option here: release.write() writes it", "public")
    released = options.pop("released", None)
    files = {name: options.pop(name, None) for name in ("prefer", "cells")}
    texts = option_texts(options)
    for name, file in files.items():
        if file is not None:
            texts[name] = [named_file(file, name, inputs)]
    add_released(texts, released, inputs)
    return Order(table._core, texts, inputs)


def _handed_out(made: _core.Release, on_interrupt: str) -> Release:
    release = Release(made)
    if made.interrupted and on_interrupt == "raise":
        raise Interrupted("interrupted; the best release so far is .release", release)
    return release


def _refusal(made: Mapping[str, Any]) -> BaseException:
    if made["interrupted"]:
        return Interrupted("interrupted before anything was found that is safe", None)
    audit = None if made["audit"] is None else Audit(made["audit"])
    return NotProtectedError(made["message"], status=made["status"], audit=audit)


@with_options("report")
def report(
    problem: Problem | Path,
    release: ReleaseLike,
    path: Path | None = None,
    *,
    public: bool = False,
    certificate: Certificate | Path | None = None,
    released: object = None,
    progress: Listener = None,
    **options: Unpack[ReportOptions],
) -> str:
    """One page about a release, which is audited again first; written to `path` if there is one.

    Returns the page. With `public` it holds what is published and nothing else, and there is none
    of a release that is not safe.
    """
    inputs: Inputs = {}
    table = as_problem(problem)
    with listening(progress) as sink:
        texts = option_texts({**options, "public": public})
        result = named_file(release, "release", inputs)
        if certificate is not None:
            texts["certificate"] = [named_file(certificate, "certificate", inputs)]
        add_released(texts, released, inputs)
        target = "" if path is None else os.fspath(path)
        verdict, page = _core.report(table._core, result, target, texts, inputs, sink)
    return _page(verdict, page)


def _page(verdict: str, page: str) -> str:
    if page:
        return page
    message = f"the release is {verdict}: there is no public report of it"
    if verdict == "unasked":
        message = (
            "nothing was asked of the release, as no cell is marked: there is no public report "
            'of it, unless unasked="publish" says that there shall be one'
        )
    raise NotProtectedError(message, status=verdict)


def _gap_text(gap: float | None) -> str:
    """A cost without end has no gap."""
    return "no gap known" if gap is None else f"gap {100 * gap:.2f}%"


Call: TypeAlias = "tuple[Problem | Path, Mapping[str, Any]]"
"""A problem and the options with which it is protected."""


def protect_many(calls: Iterable[Call], *, executor: Any = None) -> list[Release | BaseException]:
    """Protects several tables that have nothing to do with each other.

    `executor` is any executor of `concurrent.futures`, a client of Dask, `ray` (the module or its
    name), or a session of Spark; without one the tables are protected here, one after the other.
    The largest are sent first, each with as many threads as its options say, else one.

    Workers need not be trusted: a release is handed out once its certificate is proven, here and
    without a solver, for the problem as it is here. What cannot be protected, or is not proven,
    comes back as its exception, in its place.
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
        raise OptionError("there is none of runs elsewhere", "progress")
    given = {name: each for name, each in options.items() if name != "progress"}
    return _order(problem, given).alone()


def _accepted(
    order: Order, answer: bytes | BaseException, on_interrupt: str
) -> Release | BaseException:
    """What a worker has returned, proven for our own problem, or why there is nothing."""
    if isinstance(answer, BaseException):
        return answer
    try:
        told = opened(answer)
        if "refusal" in told:
            return _refusal(told["refusal"])
        return _handed_out(_proven(order, told), on_interrupt)
    except (Exception, Interrupted) as error:
        return error


def _proven(order: Order, told: Mapping[str, Any]) -> _core.Release:
    try:
        return _core.accept(order.problem, order.texts, order.inputs, **told)
    except (Error, TypeError) as error:
        message = f"what the worker returned is not proven: {error}"
        raise NotProtectedError(message, status="refused") from None
