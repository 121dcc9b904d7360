# SPDX-License-Identifier: Apache-2.0
"""Arguments of the calls as the core takes them: options as texts, and files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ._errors import OptionError
from ._job import Inputs
from ._sources import Data, Path, is_path, source_of

OptionTexts: TypeAlias = dict[str, list[str]]
"""Options by their names on the command line, with their values as text."""

ReleaseLike: TypeAlias = "Path | Data | list[int] | Any | None"
"""A `Release`; a file of ours or a protected table of anyone; a frame of one; the numbers of the
cells that are withheld; None: the sensitive cells are withheld, and no others."""

# Options of the command line that write or print: here the results have methods for it.
_INSTEAD = {
    "output": "what comes back is written by its write() or confidential.write()",
    "certificate": "it is the attribute certificate of a release, and an argument of verify()",
    "json": "what it would print is the attribute run of a release",
    "quiet": "nothing is printed",
    "plot": "what comes back has to_pandas()",
    "markdown": "what comes back has to_pandas()",
}


def option_texts(options: Mapping[str, Any]) -> OptionTexts:
    """Options as the command line would have them: dashes, and everything as text."""
    texts: OptionTexts = {}
    for name, value in options.items():
        if name in _INSTEAD:
            raise OptionError(f"there is no such option here: {_INSTEAD[name]}", name)
        if value is None:
            continue
        items = list(value) if isinstance(value, list | tuple) else [value]
        texts[name.replace("_", "-")] = [_text(name, item) for item in items]
    return texts


def _text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return repr(float(value))  # that of NumPy writes itself differently
    if type(value).__name__ == "Decimal":
        return format(value, "f")
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if hasattr(value, "__index__"):
        return str(int(value))
    if hasattr(value, "item"):
        return _text(name, value.item())
    raise OptionError(f"{type(value).__name__} is neither text nor a number", name)


def named_file(given: object, name: str, inputs: Inputs) -> str:
    """The path of a file, or the name under which the inputs have what was given instead.

    It may be a path, a `Release`, a `Certificate` or a data frame. A release may also be a list
    with the numbers of the withheld cells.
    """
    if given is None:
        return ""
    if is_path(given):
        return os.fspath(given)  # type: ignore[call-overload, no-any-return]
    text = getattr(given, "_office_text", None)
    if text is not None:
        inputs[name] = text()
    elif isinstance(given, Sequence) and all(isinstance(item, int) for item in given):
        inputs[name] = "".join(f"{item}\n" for item in given)
    else:
        inputs[name] = source_of(given).bytes(name)  # type: ignore[arg-type]
    return name


def named_outputs(path: Path | list[Path]) -> list[str]:
    """The names of the files that are to be written."""
    paths = path if isinstance(path, list | tuple) else [path]
    return [os.fspath(each) for each in paths]


def _several(given: object) -> list[object]:
    """One or many of what `named_file` takes; rows and numbers of cells are one release."""
    if given is None:
        return []
    if isinstance(given, list | tuple) and not all(isinstance(x, int | Mapping) for x in given):
        return list(given)
    return [given]


def add_released(texts: OptionTexts, given: object, inputs: Inputs) -> None:
    """Earlier releases of the same table, as the option that names them."""
    files = [named_file(each, f"released{i}", inputs) for i, each in enumerate(_several(given), 1)]
    if files:
        texts["released"] = files
