# SPDX-License-Identifier: Apache-2.0
"""The call that makes a random table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from . import _core
from ._arguments import option_texts
from ._call_help import with_options
from ._problem import Problem

if TYPE_CHECKING:
    from ._options import GenerateOptions


@with_options("generate")
def generate(**options: Unpack[GenerateOptions]) -> Problem:
    """A random table of a given shape."""
    return Problem._of(_core.generate(option_texts(options)))
