# SPDX-License-Identifier: Apache-2.0
"""Methods side by side, and tables as text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from . import _core
from ._audit import Audit, as_problem
from ._call import add_released, option_texts, with_options
from ._display import Shown, audit_html, escaped, grid_html, own_name, problem_html, release_html
from ._frames import Path
from ._job import Inputs
from ._problem import Problem
from ._progress import Listener, listening
from ._release import Release

if TYPE_CHECKING:
    from ._options import CompareOptions


class Comparison:
    """The same table protected by several methods: loss, utility and risk of each.

    Its costs and losses are sums over hidden cells: for the office. What it shows of itself has
    none of them.
    """

    __slots__ = ("methods",)

    def __init__(self, methods: list[dict[str, Any]]) -> None:
        self.methods = methods

    def rows(self) -> list[dict[str, Any]]:
        """One row per method, with plain numbers."""
        return [_flat(method) for method in self.methods]

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns by name."""
        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        return {name: [row.get(name) for row in rows] for name in names}

    def to_pandas(self) -> Any:
        """A data frame of pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """A data frame of polars."""
        import polars

        return polars.DataFrame(self.to_dict())

    def __repr__(self) -> str:
        names = ", ".join(str(method["method"]) for method in self.methods)
        return f"<Comparison of {names}>"

    def _repr_html_(self) -> str:
        shown = ("method", "status", "verdict", "gap", "cells", "seconds", "message")
        rows = [{**row, **_without_sums(row)} for row in self.rows()]
        names = [name for name in shown if any(name in row for row in rows)]
        head = "".join(f"<th>{name}</th>" for name in names)
        body = ""
        for row in rows:
            fields = (escaped(str(row.get(name, ""))) for name in names)
            body += "<tr>" + "".join(f"<td>{field}</td>" for field in fields) + "</tr>"
        return f"<table><tr>{head}</tr>{body}</table>"


def _without_sums(row: dict[str, Any]) -> dict[str, Any]:
    """The gap in place of cost and bound, and how many cells are not published as they are."""
    more: dict[str, Any] = {}
    if row.get("objective") is not None and row.get("bound") is not None:
        cost = float(row["objective"])
        more["gap"] = f"{100 * (cost - float(row['bound'])) / cost if cost > 0 else 0.0:.2f}%"
    if row.get("information_loss_cells") is not None:
        more["cells"] = row["information_loss_cells"]
    return more


def _flat(entry: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in entry.items():
        if isinstance(value, dict):
            row.update(_flat(value, f"{name}_"))
        else:
            row[prefix + name] = value
    return row


@with_options("compare")
def compare(
    problem: Problem | Path,
    methods: Sequence[str] | str | None = None,
    *,
    released: object = None,
    progress: Listener = None,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Protects the same table by several methods; every release is audited.

    Without `base` one is chosen for rounding. A method that fails has a row with the reason.
    """
    inputs: Inputs = {}
    table = as_problem(problem)
    with listening(progress) as sink:
        texts = option_texts(options)
        if methods is not None:
            texts["methods"] = [methods if isinstance(methods, str) else ",".join(methods)]
        add_released(texts, released, inputs)
        text = _core.compare(table._core, texts, inputs, sink)
    return Comparison(json.loads(text)["methods"])


def show(shown: Problem | Release | Audit | Path, *, confidential: bool = False) -> Shown:
    """What may be shown: of a release what is published, of all else counts.

    With `confidential=True` everything, and it says so.
    """
    if not confidential:
        if isinstance(shown, Release):
            text = _core.show(shown._core.problem, *_release_input(shown))
            text = text.replace("as published, not audited here", "audited")
            return Shown(text, release_html(shown))
        if isinstance(shown, Audit):
            return Shown(repr(shown), audit_html(shown))
        problem = as_problem(shown)
        return Shown(repr(problem), problem_html(problem))
    if isinstance(shown, Audit):
        return _warned(shown._core.text(), f"<pre>{escaped(shown._core.text())}</pre>")
    problem = shown.problem if isinstance(shown, Release) else as_problem(shown)
    cells = (
        shown.confidential.cells if isinstance(shown, Release) else problem.confidential.cells
    ).rows()
    state = own_name("state", problem.dims)
    truth = [{name: item for name, item in row.items() if name != state} for row in cells]
    text = _core.show(problem._core, "", {})
    return _warned(text, grid_html(truth, problem._core.dimensions))


def _release_input(release: Release) -> tuple[str, Inputs]:
    return "release", {"release": release._office_text()}


def _warned(text: str, page: str) -> Shown:
    warning = "CONFIDENTIAL: true values"
    return Shown(
        f"{warning}\n{text}", f"<p style='color:#b00020;font-weight:bold'>{warning}</p>{page}"
    )

