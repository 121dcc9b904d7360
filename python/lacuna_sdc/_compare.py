# SPDX-License-Identifier: Apache-2.0
"""The call that protects a table with several methods."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from . import _core
from ._arguments import add_released, option_texts
from ._call_help import with_options
from ._comparison import Comparison
from ._job import Inputs
from ._problem import Problem, as_problem
from ._progress import Listener, listening
from ._sources import Path

if TYPE_CHECKING:
    from ._options import CompareOptions


@with_options("compare")
def compare(
    problem: Problem | Path,
    methods: Sequence[str] | str | None = None,
    *,
    released: object = None,
    progress: Listener = None,
    **options: Unpack[CompareOptions],
) -> Comparison:
    """Protects the same table with several methods; every release is audited.

    Without `base`, a base for rounding is chosen. A method that fails gets a row with the reason.
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
