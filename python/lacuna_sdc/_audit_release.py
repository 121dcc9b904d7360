# SPDX-License-Identifier: Apache-2.0
"""The calls that prove something about a release, whoever made it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from . import _core
from ._arguments import ReleaseLike, add_released, named_file, option_texts
from ._audit import Audit, Certificate, Verification
from ._call_help import with_options
from ._job import Inputs
from ._problem import Problem, as_problem
from ._progress import Listener, listening
from ._sources import Path

if TYPE_CHECKING:
    from ._options import AuditOptions, VerifyOptions


@with_options("audit")
def audit(
    problem: Problem | Path,
    release: ReleaseLike = None,
    *,
    released: object = None,
    progress: Listener = None,
    **options: Unpack[AuditOptions],
) -> Audit:
    """Proves for a release that every requirement holds, or that one does not.

    `release` is any draft, even one that was made elsewhere. None means that exactly the sensitive
    cells are withheld. `released` are earlier releases of the same table, which readers already
    have.
    """
    inputs: Inputs = {}
    table = as_problem(problem)
    with listening(progress) as sink:
        pattern = named_file(release, "release", inputs)
        texts = option_texts(options)
        add_released(texts, released, inputs)
        core, interrupted = _core.audit(table._core, pattern, texts, inputs, sink)
    if interrupted:
        raise KeyboardInterrupt
    return Audit(core)


@with_options("verify")
def verify(
    problem: Problem | Path,
    certificate: Certificate | Path,
    release: ReleaseLike = None,
    *,
    released: object = None,
    **options: Unpack[VerifyOptions],
) -> Verification:
    """Checks a certificate without a solver; with `release`, also that it belongs to this one."""
    inputs: Inputs = {}
    table = as_problem(problem)
    path = named_file(certificate, "certificate", inputs)
    pattern = named_file(release, "release", inputs)
    texts = option_texts(options)
    add_released(texts, released, inputs)
    verdict, counts, kinds = _core.verify(table._core, path, pattern, texts, inputs)
    return Verification(verdict, counts, kinds)
