# SPDX-License-Identifier: Apache-2.0
"""Releases: what may be published, its verdict, and what is behind it for the office."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Literal, Unpack

from . import _core
from ._arguments import named_outputs, option_texts
from ._audit import Audit, Certificate, NotProtectedError
from ._call_help import with_options
from ._cells import CellLike, Explanation, cell_texts
from ._frames import Frame, Framed
from ._html import escaped, grid_html, paragraph
from ._problem import Problem
from ._progress import Listener, listening
from ._sources import Path

if TYPE_CHECKING:
    from ._options import ExplainOptions, ReportOptions, WriteOptions

_MOST_TABLES = 6  # that a notebook shows


class ConfidentialRelease(Framed):
    """The release next to the true values. For the office only."""

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
        """The result file of the command line: the run, and the cells not published as they are."""
        text = self._core.result()
        parsed: dict[str, Any] = json.loads(text)
        return parsed

    @with_options("write")
    def write(self, path: Path | list[Path], **options: Unpack[WriteOptions]) -> None:
        """The office's file: .json (the result), .csv, .xlsx or .sdmx.csv with flags and rules.

        If `path` is a list, either all files are written or none.
        """
        self._core.write([], named_outputs(path), "", option_texts(options))

    def __repr__(self) -> str:
        return "<confidential release: .cells, .result, .write(path)>"


class Release(Framed):
    """A release with its verdict. Protected means that the audit has proven every requirement.

    If no cell is sensitive, nothing was asked, and the release is `unasked`: it is not known what
    it discloses. It is written for the public only with `unasked="publish"`, and given out as a
    frame only if `protect` was told so, unless rules were applied that make no cell sensitive. A
    release in which requirements were waived, as the options asked, is `waived`.

    As a frame it holds what is published and nothing else: the codes, `value` (None where it is
    withheld), `state`, `lower`, `upper`, `base` where they apply, and the derived columns of the
    job. What is confidential is behind `.confidential`.
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
        """What `--json` prints. It is for the office: its costs are sums over hidden cells."""
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
        """The cost of the release by its weights. It is for the office: a sum over hidden cells."""
        cost = self._run["objective"]
        return float("inf") if cost is None else float(cost)

    @property
    def bound(self) -> float:
        """Proven: no safe release costs less. It is for the office, like the objective."""
        bound = self._run["bound"]
        return float("inf") if bound is None else float(bound)

    @property
    def gap(self) -> float:
        """Proven: a better release saves at most this share of the cost; nan if not known."""
        gap = self._run["gap"]
        return float("nan") if gap is None else float(gap)

    @property
    def reproducible(self) -> bool:
        """Whether the same call gives the same release again."""
        return bool(self._run["reproducible"])

    @property
    def notes(self) -> list[str]:
        """Notes about the run."""
        return self._core.notes

    @property
    def summary(self) -> str:
        """One line: verdict, what is withheld, gap, how it ended, seconds; no cost.

        A cost is a sum over hidden cells and can disclose one of them.
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

        If nothing was asked of the table, they are given out only if `protect` was called with
        `unasked="publish"`.
        """
        return Frame(self._core.published())

    @property
    def tables(self) -> dict[str, Frame]:
        """The linked tables by name, each with its own dimensions; a single table stands alone."""
        names = list(self.problem.tables) or [self._core.title]
        return {name: Frame(self._core.published(i)) for i, name in enumerate(names)}

    @property
    def periods(self) -> Frame:
        """What was published of every cell in the earlier periods of its job, and is in this one.

        A column per period (`before` or a store, docs/periods.md); None where the cell was
        withheld, or was not in the table. Without earlier periods there is one column.
        """
        return Frame(self._core.periods())

    def _frame(self) -> Frame:
        return self.published

    def __len__(self) -> int:
        return len(Frame(self._core.published(unasked=True)))

    @with_options("write")
    def write(
        self,
        path: Path | list[Path],
        *,
        unasked: Literal["refuse", "publish"] | None = None,
        **options: Unpack[WriteOptions],
    ) -> None:
        """Writes what is published and nothing else.

        The ending gives the format: .csv, .json, .xlsx, .px, .sdmx.csv, .sdmx.json,
        .jsonstat.json, .parquet or .arrow; {table} in the name writes one file per table. If
        `path` is a list, either all files are written or none. If nothing was asked of a table, it
        is written only with `unasked="publish"`, here or in `protect`.
        """
        texts = option_texts({**options, "unasked": unasked})
        self._core.write(named_outputs(path), [], "", texts)

    # ---- for the office

    @property
    def confidential(self) -> ConfidentialRelease:
        """The release next to the true values. For the office only."""
        return ConfidentialRelease(self._core)

    @property
    def audit(self) -> Audit:
        """What the audit has proven about it."""
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
        """The page about the release, for the office; with `public`, the page for everyone."""
        target = "" if path is None else os.fspath(path)
        texts = option_texts({**options, "public": public})
        with listening(progress) as sink:
            verdict, page = _core.report_release(self._core, target, texts, sink)
        return page_or_error(verdict, page)

    @with_options("explain")
    def explain(
        self, cell: CellLike, *, progress: Listener = None, **options: Unpack[ExplainOptions]
    ) -> Explanation:
        """Why a cell is withheld: what it keeps safe, by which sum, and what could replace it.

        A cell is given by its codes ({"region": "N"}; dimensions that you do not name are at their
        totals), by the same as a text ("region=N,branch=A"), or by its index. A list of cells is
        possible as well. The result is for the office.
        """
        with listening(progress) as sink:
            text, json_text = _core.explain_release(
                self._core, cell_texts(cell), option_texts(options), sink
            )
        return Explanation(text, json_text)

    def _office_text(self) -> str:
        return self._core.result()

    def __repr__(self) -> str:
        return f"<Release: {self.summary}>"

    def _repr_html_(self) -> str:
        if not self._core.is_public:
            return paragraph(self.summary)
        dimensions = self.problem._core.dimensions
        if not self.problem.tables:
            return grid_html(self.rows(), dimensions, paragraph(self.summary))
        grids = (
            f"<h4>{escaped(name)}</h4>"
            + grid_html(frame.rows(), [d for d in dimensions if d["name"] in frame.names])
            for name, frame in list(self.tables.items())[:_MOST_TABLES]
        )
        left_out = len(self.tables) - _MOST_TABLES
        more = [f"{left_out} more tables"] if left_out > 0 else []
        return "".join(grids) + paragraph("; ".join([*more, self.summary]))

    def __reduce__(self) -> tuple[type[Release], tuple[_core.Release]]:
        return Release, (self._core,)


def page_or_error(verdict: str, page: str) -> str:
    """The page, or an exception: a release with this verdict has no page for the public."""
    if page:
        return page
    message = f"the release is {verdict}: there is no public report of it"
    if verdict == "unasked":
        message = (
            "nothing was asked of the release, because no cell is marked: there is no "
            'public report of it unless unasked="publish" asks for one'
        )
    raise NotProtectedError(message, status=verdict)


def _gap_text(gap: float | None) -> str:
    """A cost without end has no gap."""
    return "no gap known" if gap is None else f"gap {100 * gap:.2f}%"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a run. `release` is the best audited release so far, or None."""

    def __init__(self, message: str, release: Release | None) -> None:
        super().__init__(message)
        self.release = release

    def __reduce__(self) -> tuple[type[Interrupted], tuple[object, ...]]:
        return Interrupted, (str(self), self.release)
