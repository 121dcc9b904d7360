# SPDX-License-Identifier: Apache-2.0
"""The call that says why cells of a release are withheld."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from . import _core
from ._arguments import ReleaseLike, add_released, named_file, option_texts
from ._call_help import with_options
from ._cells import CellLike, Explanation, cell_texts
from ._job import Inputs
from ._problem import Problem, as_problem
from ._progress import Listener, listening
from ._sources import Path

if TYPE_CHECKING:
    from ._options import ExplainOptions


@with_options("explain")
def explain(
    problem: Problem | Path,
    release: ReleaseLike,
    cell: CellLike,
    *,
    released: object = None,
    progress: Listener = None,
    **options: Unpack[ExplainOptions],
) -> Explanation:
    """Explains why cells of any release are withheld; for our own, use `release.explain(cell)`.

    A cell is given by its codes ({"region": "N"}; dimensions that you do not name are at their
    totals), by the same as a text ("region=N,branch=A"), or by its index. A list of cells is
    possible as well. The result is for the office.
    """
    inputs: Inputs = {}
    table = as_problem(problem)
    with listening(progress) as sink:
        texts = option_texts(options)
        result = named_file(release, "release", inputs)
        add_released(texts, released, inputs)
        text, json_text = _core.explain(
            table._core, result, cell_texts(cell), texts, inputs, sink
        )
    return Explanation(text, json_text)
