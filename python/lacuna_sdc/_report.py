# SPDX-License-Identifier: Apache-2.0
"""The call that writes a page about a release."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Unpack

from . import _core
from ._arguments import ReleaseLike, add_released, named_file, option_texts
from ._audit import Certificate
from ._call_help import with_options
from ._job import Inputs
from ._problem import Problem, as_problem
from ._progress import Listener, listening
from ._release import page_or_error
from ._sources import Path

if TYPE_CHECKING:
    from ._options import ReportOptions


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
    """Makes a page about a release, which is audited again first, and writes it to `path` if given.

    Returns the page. With `public`, the page holds what is published and nothing else; a release
    that is not safe has no such page.
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
    return page_or_error(verdict, page)
