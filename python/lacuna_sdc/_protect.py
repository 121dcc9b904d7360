# SPDX-License-Identifier: Apache-2.0
"""The call that protects a table: a release that is proven, or an exception."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Unpack

from . import _core
from ._arguments import ReleaseLike, add_released, named_file, option_texts
from ._audit import Audit, NotProtectedError
from ._call_help import with_options
from ._errors import OptionError
from ._job import Inputs
from ._orders import Order
from ._problem import Problem, as_problem
from ._progress import Listener, listening
from ._release import Interrupted, Release
from ._sources import Data, Path

if TYPE_CHECKING:
    from ._options import Method, ProtectOptions


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

    The result has passed the audit. If no release does, NotProtectedError says why. A limit is not
    an error: `release.stopped` says how the search ended. Ctrl-C ends the search, and the best
    release so far is audited. It is in `Interrupted.release`, or is returned with
    `on_interrupt="return"`.

    `prefer` is an earlier release whose withheld cells should stay withheld. `released` are earlier
    releases of this very table, which readers already have. `cells` are settings of single cells.
    """
    given = {"method": method, "prefer": prefer, "released": released, "cells": cells, **options}
    order = order_of(problem, {"on_interrupt": on_interrupt, **given})
    with listening(progress) as sink:
        made = _core.protect(order.problem, order.texts, order.inputs, sink)
    if isinstance(made, _core.Release):
        return handed_out(made, on_interrupt)
    raise refusal(made)


def order_of(problem: Problem | Path, given: Mapping[str, Any]) -> Order:
    """The order for the core that the arguments of `protect` make."""
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


def handed_out(made: _core.Release, on_interrupt: str) -> Release:
    """The release; after Ctrl-C inside its exception, unless the caller wants it returned."""
    release = Release(made)
    if made.interrupted and on_interrupt == "raise":
        raise Interrupted("interrupted; the best release so far is .release", release)
    return release


def refusal(made: Mapping[str, Any]) -> BaseException:
    """The exception for a run without a release."""
    if made["interrupted"]:
        return Interrupted("interrupted before anything was found that is safe", None)
    audit = None if made["audit"] is None else Audit(made["audit"])
    return NotProtectedError(made["message"], status=made["status"], audit=audit)
