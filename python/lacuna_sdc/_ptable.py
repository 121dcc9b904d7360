# SPDX-License-Identifier: Apache-2.0
"""Perturbation tables of the cell key method: made, checked, written in another format."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Unpack

from . import _core
from ._arguments import OptionTexts, option_texts
from ._call_help import with_options
from ._sources import Path

if TYPE_CHECKING:
    from ._options import CheckPtableOptions, ConvertPtableOptions, MakePtableOptions


@with_options("make_ptable")
def make_ptable(
    output: Path, max_noise: int, variance: float, **options: Unpack[MakePtableOptions]
) -> dict[str, Any]:
    """Writes the table with the largest entropy for noise up to `max_noise` (D) and `variance` (V).

    Returns the facts about the new table, as `check_ptable` does; notes say where V is not reached.
    """
    texts = option_texts({**options, "max_noise": max_noise, "variance": variance})
    return _answer("make_ptable", texts, output=output)


@with_options("check_ptable")
def check_ptable(path: Path, **options: Unpack[CheckPtableOptions]) -> dict[str, Any]:
    """Returns the rows of a table with mean, variance and support, notes, and faults.

    A table with faults (sums other than 1, a mean other than 0, false statements) does not raise an
    error: look at `faults`.
    """
    return _answer("check_ptable", option_texts(options), input=path)


@with_options("convert_ptable")
def convert_ptable(
    path: Path, output: Path, **options: Unpack[ConvertPtableOptions]
) -> dict[str, Any]:
    """Writes a table in another format; `notes` says what that format cannot hold."""
    return _answer("convert_ptable", option_texts(options), input=path, output=output)


def _answer(call: str, texts: OptionTexts, **files: Path) -> dict[str, Any]:
    for name, path in files.items():
        texts[name] = [os.fspath(path)]
    made: dict[str, Any] = json.loads(_core.ptable(call, texts))
    return made
