# SPDX-License-Identifier: Apache-2.0
"""Methods side by side."""

from __future__ import annotations

from typing import Any

from ._html import escaped


class Comparison:
    """The same table protected with several methods: loss, utility and risk of each.

    Its costs and losses are sums over hidden cells: for the office. What it displays of itself
    contains none of them.
    """

    __slots__ = ("methods",)

    def __init__(self, methods: list[dict[str, Any]]) -> None:
        self.methods = methods

    def rows(self) -> list[dict[str, Any]]:
        """One row per method, with plain numbers."""
        return [_flat(method) for method in self.methods]

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns by name."""
        rows = self.rows()
        names = list(dict.fromkeys(name for row in rows for name in row))
        return {name: [row.get(name) for row in rows] for name in names}

    def to_pandas(self) -> Any:
        """A data frame of pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_polars(self) -> Any:
        """A data frame of polars."""
        import polars

        return polars.DataFrame(self.to_dict())

    def __repr__(self) -> str:
        names = ", ".join(str(method["method"]) for method in self.methods)
        return f"<Comparison of {names}>"

    def _repr_html_(self) -> str:
        shown = ("method", "status", "verdict", "gap", "cells", "seconds", "message")
        rows = [{**row, **_without_sums(row)} for row in self.rows()]
        names = [name for name in shown if any(name in row for row in rows)]
        head = "".join(f"<th>{name}</th>" for name in names)
        body = ""
        for row in rows:
            fields = (escaped(str(row.get(name, ""))) for name in names)
            body += "<tr>" + "".join(f"<td>{field}</td>" for field in fields) + "</tr>"
        return f"<table><tr>{head}</tr>{body}</table>"


def _without_sums(row: dict[str, Any]) -> dict[str, Any]:
    """The gap in place of cost and bound, and how many cells are not published as they are."""
    more: dict[str, Any] = {}
    if row.get("objective") is not None and row.get("bound") is not None:
        cost = float(row["objective"])
        more["gap"] = f"{100 * (cost - float(row['bound'])) / cost if cost > 0 else 0.0:.2f}%"
    if row.get("information_loss_cells") is not None:
        more["cells"] = row["information_loss_cells"]
    return more


def _flat(entry: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, value in entry.items():
        if isinstance(value, dict):
            row.update(_flat(value, f"{name}_"))
        else:
            row[prefix + name] = value
    return row
