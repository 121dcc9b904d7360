# SPDX-License-Identifier: Apache-2.0
"""Cells as arguments, and explanations of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

CellLike: TypeAlias = "str | int | Mapping[str, object] | list[Any]"
"""Codes by dimension, a text of them, or the index of a cell; or several of these."""


def cell_texts(cell: CellLike) -> list[str]:
    """Cells as the command line would name them."""
    cells = cell if isinstance(cell, list | tuple) else [cell]
    return [_cell_text(each) for each in cells]


def _cell_text(cell: object) -> str:
    if isinstance(cell, Mapping):
        return ",".join(f"{name}={code}" for name, code in cell.items())
    return cell if isinstance(cell, str) else str(int(cell))  # type: ignore[call-overload]


class Explanation:
    """Why cells of a release are withheld. For the office only: print `.text`."""

    __slots__ = ("data", "text")

    def __init__(self, text: str, json_text: str) -> None:
        self.text = text
        self.data: dict[str, Any] = json.loads(json_text)

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The explanation of each cell, as `lacuna explain --json` prints it."""
        cells: list[dict[str, Any]] = self.data["cells"]
        return cells

    def __repr__(self) -> str:
        count = len(self.cells)
        return f"<explanation of {count} {'cell' if count == 1 else 'cells'}: .text, .cells>"
