# SPDX-License-Identifier: Apache-2.0
"""The call that runs a batch job of tau-ARGUS (.arb) as it is."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Unpack

from . import _core
from ._argus_run import ArgusRun, RefusedError
from ._arguments import option_texts
from ._call_help import with_options
from ._progress import Listener, listening
from ._release import Interrupted
from ._sources import Path

if TYPE_CHECKING:
    from ._options import ArgusOptions


@with_options("argus")
def run_arb(
    path: Path,
    *,
    write: bool = True,
    data: Path | None = None,
    progress: Listener = None,
    **options: Unpack[ArgusOptions],
) -> ArgusRun:
    """Runs a batch job of tau-ARGUS as it is.

    With `write=False` no file is written, not even a log; everything else is the same. `data` is a
    further folder in which the files of the job may be. A job that cannot be completed raises
    RefusedError, whose `.run` holds what was done before.
    """
    texts = option_texts({"data": data, **options})
    with listening(progress) as sink:
        core, interrupted = _core.run_arb(os.fspath(path), write, texts, sink)
    run = ArgusRun(core)
    if interrupted:
        raise Interrupted("interrupted; the job has not done all of its work", None)
    if core.refused is not None:
        message, where = core.refused
        raise RefusedError(message, where, run=run)
    return run
