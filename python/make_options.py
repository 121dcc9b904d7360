#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes lacuna_sdc/_options.py: methods and options of the calls with their types, from the lists
of the core (fields() of the jobs), so that editors and type checkers know them; and
lacuna_sdc/_help.py, the same as a text for help(). A test compares."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
import textwrap

# The core alone: the package needs what is written here.
sys.path.pop(0)  # the folder of this file, which has the package without its core
_package = importlib.util.find_spec("lacuna_sdc")
assert _package is not None and _package.submodule_search_locations is not None
sys.path.insert(0, _package.submodule_search_locations[0])
import _core  # noqa: E402

HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
# Made by make_options.py from the options of the core; do not edit.
"""Options of the calls, named as on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypedDict
'''

# Arguments with names of their own, outputs, and what only a terminal has.
APART = {
    "protect": {"method", "cells", "prefer", "policy", "released"},
    "audit": {"pattern", "policy", "released"},
    "verify": {"pattern", "certificate", "policy", "released"},
    "report": {"result", "input", "certificate", "public", "policy", "released", "output"},
    "explain": {"result", "cell", "input", "policy", "released"},
    "infer": {"files", "report", "most", "proofs", "engine", "verifier"},
    "compare": {"methods", "plot", "markdown", "policy", "released"},
    "generate": {"output"},
    "argus": {"data"},
    "write": set(),
    "make_ptable": set(),
    "check_ptable": set(),
    "convert_ptable": set(),
}
NOT_FOR_PYTHON = {"json", "quiet", "output", "public", "certificate"}
RUN = {
    "protect": {"threads", "seed", "work", "time-limit"},
    "audit": {"threads", "time-limit"},
    "verify": set(),
    "report": {"threads", "time-limit"},
    "explain": {"threads", "time-limit"},
    "infer": {"threads", "time-limit"},
    "compare": {"threads", "seed"},
    "generate": set(),
    "argus": {"threads", "seed", "work", "time-limit"},
    "write": set(),
    "make_ptable": set(),
    "check_ptable": set(),
    "convert_ptable": set(),
}


KINDS = {
    "flag": "bool",
    "whole number": "int",
    "number": "float",
    "exact number": "str or number",
    "text": "str or number",
    "list": "list",
}


def type_of(option: dict[str, object]) -> str:
    choices = option["choices"]
    assert isinstance(choices, list)
    kinds = {
        "flag": "bool",
        "whole number": "int",
        "number": "float",
        "exact number": "str | int | float",
        "text": "str | int | float",
        "one of": "Literal[" + ", ".join(f'"{choice}"' for choice in choices) + "]",
        "list": "Sequence[str] | Sequence[int] | Sequence[float]",
    }
    return kinds[str(option["type"])]


def help_of(option: dict[str, object]) -> str:
    text = str(option["help"])
    if option["unit"]:
        text += f", in {option['unit']}"
    default = option["absent"] or option["default"]
    if default and option["type"] != "flag":
        text += f" (default: {default})"
    methods = option["methods"]
    assert isinstance(methods, list)
    return text + (f"; for {', '.join(methods)}" if methods else "")


def options_of(command: str) -> list[dict[str, object]]:
    options = [
        option
        for option in _core.describe(command)
        if not option["is_argument"] and option["name"] not in NOT_FOR_PYTHON | APART[command]
    ]
    known = {option["name"] for option in options}
    options += [
        option
        for option in _core.describe("run")
        if option["name"] in RUN[command] and option["name"] not in known
    ]
    return options


def methods_text() -> str:
    """The methods as a type."""
    choices = next(o["choices"] for o in _core.describe("protect") if o["name"] == "method")
    names = "".join(f'    "{choice}",\n' for choice in choices)
    return f'\nMethod: TypeAlias = Literal[\n{names}]\n"""The methods of `protect`."""\n'


def class_text(name: str, base: str, about: str, options: list[dict[str, object]]) -> str:
    out = f"\n\nclass {name}({base}, total=False):\n"
    out += f'    """Options of {about}."""\n'
    for option in options:
        member = str(option["name"]).replace("-", "_")
        out += f"\n    {member}: {type_of(option)}\n"
        out += '    """' + "\n    ".join(textwrap.wrap(help_of(option), 90)) + '"""\n'
    return out


def text() -> str:
    methods = [option for option in options_of("protect") if option in options_of("compare")]
    out = HEAD + methods_text() + class_text("MethodOptions", "TypedDict", "all methods", methods)
    for command in APART:
        of_methods = command in ("protect", "compare")
        options = [o for o in options_of(command) if not (of_methods and o in methods)]
        base = "MethodOptions" if of_methods else "TypedDict"
        name = command.title().replace("_", "")
        out += class_text(f"{name}Options", base, f"`{command}`", options)
    return out


HELP_HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
# Made by make_options.py from the options of the core; do not edit.
"""Options of the calls as help() tells them: a text per call, apart from the types, which nobody
needs at run time."""

HELP: dict[str, str] = {
'''


def help_text() -> str:
    out = HELP_HEAD
    for command in APART:
        if not options_of(command):
            continue
        out += f'    "{command}": """Options, all by name:\n\n'
        for option in options_of(command):
            name = str(option["name"]).replace("-", "_")
            choices = option["choices"]
            assert isinstance(choices, list)
            kind = " | ".join(choices) or KINDS[str(option["type"])]
            lines = [f"{name}: {kind}", *textwrap.wrap(help_of(option), 88)]
            out += "    " + "\n        ".join(lines) + "\n"
        out += '""",\n'
    return out + "}\n"


if __name__ == "__main__":
    folder = pathlib.Path(__file__).parent / "lacuna_sdc"
    (folder / "_options.py").write_text(text())
    (folder / "_help.py").write_text(help_text())
    sys.exit(0)
