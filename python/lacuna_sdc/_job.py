# SPDX-License-Identifier: Apache-2.0
"""Arguments as a job: the keys that a job file has, with the names of the arguments as places.

Whatever an argument says goes through the reader of jobs, with its checks and its messages.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import _core
from ._errors import InputError

Inputs = dict[str, "str | bytes | _core.Source"]


def column_name(name: object, argument: str) -> str | None:
    """The name of a column; a whole number is one, too, as pandas has them."""
    if name is None or isinstance(name, str):
        return name
    if isinstance(name, bool) or not hasattr(name, "__index__"):
        raise InputError(f"a column must have a name, not a {type(name).__name__}", argument)
    return str(int(name))


def column_names(names: object, argument: str) -> list[str] | None:
    """Names of several columns, or of one."""
    if names is None:
        return None
    given = [names] if isinstance(names, str) or not hasattr(names, "__iter__") else list(names)
    return [str(column_name(name, argument)) for name in given]


class Job:
    """The keys of a job, with what it names and the caller holds."""

    def __init__(self) -> None:
        self._sections: dict[str, Any] = {"input": {}, "columns": {}}
        # By the path of a key, or of what it stands in.
        self._arguments: dict[str, str] = {"input": "data", "columns": "value"}
        self.inputs: Inputs = {}

    def set(self, section: str, key: str, value: Any, argument: str | None = None) -> None:
        """A key of a section, unless the value is None."""
        if value is not None:
            self._sections.setdefault(section, {})[key] = value
            self._arguments[f"{section}.{key}"] = argument or key

    def policy(self, name: Any) -> None:
        """The published rules that the job names, unless it is None: a name, or a file."""
        if name is not None:
            self._sections["policy"] = os.fspath(name)
            self._arguments["policy"] = "policy"

    def section(self, name: str, keys: Mapping[str, Any], argument: str) -> None:
        """A section whose keys are all of one argument; nothing if there are none."""
        present = {key: value for key, value in keys.items() if value is not None}
        if present:
            self._sections[name] = present
            self._arguments[name] = argument

    def add(self, name: str, keys: Mapping[str, Any], argument: str) -> None:
        """One of several sections of this name."""
        several = self._sections.setdefault(name, [])
        self._arguments[f"{name}[{len(several)}]"] = argument
        several.append({key: value for key, value in keys.items() if value is not None})

    def made(self) -> _core.Job:
        """The job as the core has it."""
        return _core.Job(self._sections, self._arguments)
