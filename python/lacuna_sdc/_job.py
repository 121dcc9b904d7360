# SPDX-License-Identifier: Apache-2.0
"""Arguments as a job file: the same text that the command line would read, in memory.

Whatever an argument says goes through the reader of jobs, with its checks and its messages; the
lines remember the arguments they were made of, so that errors can name them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from . import _core
from ._errors import InputError

Inputs = dict[str, "str | bytes | _core.Source"]


def toml_text(value: object) -> str:
    """A value as TOML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float) or type(value).__name__ == "Decimal":
        return _number_text(value)
    if isinstance(value, str | os.PathLike):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, Mapping):
        entries = (f"{toml_text(str(key))} = {toml_text(item)}" for key, item in value.items())
        return "{ " + ", ".join(entries) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(toml_text(item) for item in value) + "]"
    if hasattr(value, "item"):  # a number of NumPy's
        return toml_text(value.item())
    raise InputError(f"{type(value).__name__} is neither text, number, truth value nor list")


def _number_text(value: object) -> str:
    """Exactly as it is written, and without an exponent, which a job does not take."""
    text = str(value)
    if "e" not in text.lower():
        return text
    from decimal import Decimal

    return format(Decimal(text), "f")


def column_name(name: object, argument: str) -> str | None:
    """The name of a column; a whole number is one, too, as pandas has them."""
    if name is None or isinstance(name, str):
        return name
    if isinstance(name, bool) or not hasattr(name, "__index__"):
        raise InputError(f"a column has a name, not a {type(name).__name__}", argument)
    return str(int(name))


def column_names(names: object, argument: str) -> list[str] | None:
    """Names of several columns, or of one."""
    if names is None:
        return None
    given = [names] if isinstance(names, str) or not hasattr(names, "__iter__") else list(names)
    return [str(column_name(name, argument)) for name in given]


class Job:
    """The text of a job, with the files in memory that it names."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self.arguments: dict[int, str] = {}  # by line, from 1
        self.inputs: Inputs = {}

    def section(self, header: str, argument: str) -> None:
        self._add(f"[{header}]", argument)

    def set(self, key: str, value: Any, argument: str | None = None) -> None:
        """A line, unless the value is None."""
        if value is not None:
            self._add(f"{key} = {toml_text(value)}", argument or key)

    def section_of(self, header: str, entries: Mapping[str, Any], argument: str) -> None:
        """A section with several lines, all of one argument; nothing if there are none."""
        present = {key: value for key, value in entries.items() if value is not None}
        if not present:
            return
        self.section(header, argument)
        for key, value in present.items():
            self.set(key, value, argument)

    def _add(self, line: str, argument: str) -> None:
        self._lines.append(line)
        self.arguments[len(self._lines)] = argument

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n"
