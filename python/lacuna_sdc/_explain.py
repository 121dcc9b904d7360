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
    """Why cells of a release of anyone are withheld; of our own `release.explain(cell)` says it.

    A cell is its codes ({"region": "N"}, where dimensions that are not named are at their totals),
    the same as a text ("region=N,branch=A"), or its index; or a list of them. What comes back is
    for the office.
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
