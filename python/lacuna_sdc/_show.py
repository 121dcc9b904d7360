# SPDX-License-Identifier: Apache-2.0
"""The call that shows a table, a release or an audit as text and as a page."""

from __future__ import annotations

from . import _core
from ._arguments import named_file
from ._audit import Audit
from ._html import Shown, escaped, grid_html, own_name
from ._job import Inputs
from ._problem import Problem, as_problem
from ._release import Release
from ._sources import Path


def show(shown: Problem | Release | Audit | Path, *, confidential: bool = False) -> Shown:
    """Shows what may be shown: the published numbers of a release, and counts of everything else.

    With `confidential=True` it shows everything, and says so.
    """
    if not confidential:
        if isinstance(shown, Release):
            inputs: Inputs = {}
            name = named_file(shown, "release", inputs)
            text = _core.show(shown._core.problem, name, inputs)
            text = text.replace("as published, not audited here", "audited")
            return Shown(text, shown._repr_html_())
        if isinstance(shown, Audit):
            return Shown(repr(shown), shown._repr_html_())
        problem = as_problem(shown)
        return Shown(repr(problem), problem._repr_html_())
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


def _warned(text: str, page: str) -> Shown:
    warning = "CONFIDENTIAL: true values"
    return Shown(
        f"{warning}\n{text}", f"<p style='color:#b00020;font-weight:bold'>{warning}</p>{page}"
    )
