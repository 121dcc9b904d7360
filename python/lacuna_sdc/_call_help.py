# SPDX-License-Identifier: Apache-2.0
"""What help() tells of a call: its own text, and that of its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ._help import HELP

Function = TypeVar("Function", bound=Callable[..., Any])


def with_options(command: str) -> Callable[[Function], Function]:
    """Tells help() of the function which options its keywords may be."""

    def told(function: Function) -> Function:
        if function.__doc__ is not None:  # with python -OO it is
            function.__doc__ = f"{_dedented(function.__doc__)}\n\n{HELP[command]}"
        return function

    return told


def _dedented(text: str) -> str:
    """A docstring without the indents of the lines after its first."""
    first, *others = text.strip().split("\n")
    indents = [len(line) - len(line.lstrip()) for line in others if line.strip()]
    return "\n".join([first, *(line[min(indents) :] for line in others)])
