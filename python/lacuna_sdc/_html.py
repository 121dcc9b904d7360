# SPDX-License-Identifier: Apache-2.0
"""Text and HTML that a notebook shows, made of plain values.

Notebooks are saved with what they show and travel by mail. So a class shows of itself what is
published, or counts alone; `show(..., confidential=True)` shows more, and says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

MOST_ROWS = 60
MOST_COLUMNS = 20

_SIGNS = {"rounded": "≈", "altered": "~", "adjusted": "~"}


def escaped(text: str) -> str:
    """Text inside HTML. (The module html would be a tenth of the time that importing takes.)"""
    for sign, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "#x27")):
        text = text.replace(sign, f"&{name};")
    return text


def number_text(value: object) -> str:
    """A number as a reader sees it."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.15g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def own_name(name: str, dimensions: Collection[str]) -> str:
    """Of a column of ours: with an underscore if a dimension has the name."""
    while name in dimensions:
        name += "_"
    return name


def cell_text(row: Mapping[str, Any], dimensions: Collection[str] = ()) -> str:
    """A cell as published: × [ ] ≈ ~ as in reports; without a state the value as it is."""
    state, value, lower, upper = (
        row.get(own_name(name, dimensions)) for name in ("state", "value", "lower", "upper")
    )
    if state == "withheld":
        return "×"
    if value is None:
        return f"[{number_text(lower)}, {number_text(upper)}]"
    return _SIGNS.get(str(state), "") + number_text(value)


def grid_html(
    rows: Sequence[Mapping[str, Any]], dimensions: Sequence[Mapping[str, Any]], more: str = ""
) -> str:
    """The first dimension down, the second across, all others at their totals; trimmed."""
    used = [d for d in dimensions if rows and d["name"] in rows[0]]
    if not used:
        return _list_html(rows)
    names = [d["name"] for d in dimensions]
    down = used[0]
    across = used[1] if len(used) > 1 else None
    others = {d["name"]: d["total"] for d in used[2:]}
    shown = {
        (row[down["name"]], row[across["name"]] if across else ""): row
        for row in rows
        if all(row[name] == total for name, total in others.items())
    }
    row_codes = _trimmed(down, MOST_ROWS)
    column_codes = _trimmed(across, MOST_COLUMNS) if across else [("", 0)]
    head = "".join(f"<th>{escaped(code)}</th>" for code, _ in column_codes)
    lines = [f"<tr><th>{escaped(down['name'])}</th>{head}</tr>"]
    for code, depth in row_codes:
        cells = (shown.get((code, column)) for column, _ in column_codes)
        fields = "".join(
            f"<td style='text-align:right'>{escaped(cell_text(cell, names)) if cell else ''}</td>"
            for cell in cells
        )
        indent = f"padding-left:{0.4 + depth:.1f}em;text-align:left"
        lines.append(f"<tr><th style='{indent}'>{escaped(code)}</th>{fields}</tr>")
    text = f"<table>{''.join(lines)}</table>"
    left_out = _left_out(down, row_codes, "rows") + (
        _left_out(across, column_codes, "columns") if across else []
    )
    left_out += [f"{name} at its total {total}" for name, total in others.items()]
    return text + paragraph("; ".join(left_out)) + more


def _list_html(rows: Sequence[Mapping[str, Any]]) -> str:
    """Of a table without codes."""
    lines = [
        f"<tr><th>{escaped(str(row.get('cell', '')))}</th>"
        f"<td style='text-align:right'>{escaped(cell_text(row))}</td></tr>"
        for row in rows[:MOST_ROWS]
    ]
    note = f"{len(rows) - MOST_ROWS} more cells" if len(rows) > MOST_ROWS else ""
    return f"<table>{''.join(lines)}</table>" + paragraph(note)


def _trimmed(dimension: Mapping[str, Any], most: int) -> list[tuple[str, int]]:
    """The codes in their order, with their depths; if there are too many, the upper levels."""
    codes = list(zip(dimension["codes"], dimension["depths"], strict=True))
    for deepest in range(max(depth for _, depth in codes), -1, -1):
        kept = [entry for entry in codes if entry[1] <= deepest]
        if len(kept) <= most:
            return kept
    return codes[:most]


def _left_out(
    dimension: Mapping[str, Any], shown: Sequence[tuple[str, int]], what: str
) -> list[str]:
    missing = len(dimension["codes"]) - len(shown)
    return [f"{missing} {what} of {dimension['name']} are not shown"] if missing > 0 else []


def paragraph(text: str) -> str:
    """A text as a paragraph of its own; of no text nothing."""
    return f"<p>{escaped(text)}</p>" if text else ""


def facts_html(title: str, facts: Mapping[str, str]) -> str:
    """A small table of names and values."""
    lines = "".join(
        f"<tr><th style='text-align:left'>{escaped(name)}</th>"
        f"<td style='text-align:left'>{escaped(text)}</td></tr>"
        for name, text in facts.items()
    )
    return f"<table><caption>{escaped(title)}</caption>{lines}</table>"


class Shown:
    """A text, and what a notebook makes of it."""

    __slots__ = ("_html", "text")

    def __init__(self, text: str, page: str) -> None:
        self.text = text
        self._html = page

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self._html
