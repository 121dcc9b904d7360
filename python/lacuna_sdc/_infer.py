# SPDX-License-Identifier: Apache-2.0
"""What a reader can infer from published tables alone."""

from __future__ import annotations

import json
import os
import pathlib
from typing import TYPE_CHECKING, Any, Unpack

from . import _core
from ._arguments import named_file, option_texts
from ._call_help import with_options
from ._errors import InputError
from ._job import Inputs
from ._progress import Listener, listening
from ._sources import Data, Path

if TYPE_CHECKING:
    import pandas

    from ._options import InferOptions


class Inference:
    """What can be inferred of every blank, the narrowest first. It holds nothing confidential."""

    __slots__ = ("_certificate", "_page", "_said", "_text")

    def __init__(self, text: str, said: str, page: str, certificate: str) -> None:
        self._text = text
        self._said: dict[str, Any] = json.loads(said)
        self._page = page
        self._certificate = certificate

    @property
    def cells(self) -> list[dict[str, Any]]:
        """A dictionary per blank: codes, sign, lower, upper, exact, narrowness, and why."""
        return list(self._said["cells"])

    @property
    def too_narrow(self) -> bool:
        """Whether a blank that counts is known exactly, or closer than the protection allows."""
        return bool(self._said["too_narrow"])

    @property
    def corrections(self) -> list[dict[str, Any]]:
        """The published numbers that contradict others, with the least correction of them."""
        return list(self._said["corrections"])

    @property
    def sums(self) -> list[dict[str, Any]]:
        """By dimension, the totals and parts that were used."""
        return list(self._said["dimensions"])

    @property
    def notes(self) -> list[str]:
        """How the tables were read, where it is not plain."""
        return list(self._said["notes"])

    def rows(self) -> list[dict[str, Any]]:
        """A flat dictionary per blank, with a key for each dimension."""
        names = ("sign", "sensitive", "lower", "upper", "exact", "narrowness")
        return [{**cell["codes"], **{name: cell[name] for name in names}} for cell in self.cells]

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of pandas, a row per blank."""
        import pandas

        return pandas.DataFrame(self.rows())

    def write(self, path: Path) -> None:
        """Writes the page (.html), or the certificate that anyone can check (.json)."""
        name = os.fspath(path)
        if not name.endswith((".html", ".json")):
            raise InputError("the name must end in .html (a page) or .json (the certificate)", name)
        text = self._page if name.endswith(".html") else self._certificate
        pathlib.Path(name).write_text(text, encoding="utf-8")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Inference: {self._text.splitlines()[0]}>"

    def _repr_html_(self) -> str:
        return self._page


@with_options("infer")
def infer(
    *tables: Data | Path,
    progress: Listener = None,
    **options: Unpack[InferOptions],
) -> Inference:
    """What a reader can infer from published tables alone: no true values are needed.

    Tables are data frames, columns by name, rows, or paths of files; several are one system. A
    missing value is a blank.
    """
    inputs: Inputs = {}
    files = [
        named_file(table, f"table{number}.arrow", inputs) for number, table in enumerate(tables, 1)
    ]
    if not files or "" in files:
        raise InputError("give at least one published table", "tables")
    with listening(progress) as sink:
        return Inference(*_core.infer(files, option_texts(options), inputs, sink))
