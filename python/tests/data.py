# SPDX-License-Identifier: Apache-2.0
"""Small generated data for the tests."""

from __future__ import annotations

import random
import re
from typing import Any

import lacuna_sdc as lc

RULES = [lc.frequency(3), lc.p_percent(10), lc.dominance(1, 85)]


def records(count: int = 30, seed: int = 1) -> list[dict[str, Any]]:
    """Firms in activities of two levels and regions of one, some of them large."""
    draw = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for firm in range(count):
        region = draw.choice(["N", "S", "W"])
        rows.append(
            {
                "firm": f"f{firm}",
                "group": draw.choice(["g1", "g2", ""]),
                "nace": draw.choice(["A1", "A2", "B1", "B2"]),
                "area": "north" if region == "N" else "south",
                "region": region,
                "turnover": int(10 * draw.paretovariate(0.7)),
                "w": draw.choice([1, 2]),
            }
        )
    return rows


def columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


def table(seed: int = 1, count: int = 30) -> lc.Table:
    return lc.tabulate(
        records(count, seed),
        dims={"nace": lc.digits(1, 1), "region": None},
        value="turnover",
        unit="firm",
        rules=RULES,
    )


def sales() -> list[dict[str, Any]]:
    """A ready table of products and regions with one sensitive cell."""
    values = {"A1": (45, 18, 30), "A2": (22, 41, 17), "B": (50, 36, 29)}
    rows: list[dict[str, Any]] = []

    def add(product: str, amounts: tuple[int, ...]) -> None:
        for region, amount in zip(("East", "West", "North"), amounts, strict=True):
            rows.append({"product": product, "region": region, "turnover": amount})
        rows.append({"product": product, "region": "All", "turnover": sum(amounts)})

    for product, amounts in values.items():
        add(product, amounts)
    add("A", tuple(a + b for a, b in zip(values["A1"], values["A2"], strict=True)))
    everything = (sum(column) for column in zip(*values.values(), strict=True))
    add("Total", tuple(everything))
    for row in rows:
        sensitive = (row["product"], row["region"]) == ("A1", "West")
        row["status"] = "u" if sensitive else "s"
        row["lpl"] = 4 if sensitive else None
        row["upl"] = 4 if sensitive else None
        row["firms"] = 2 if sensitive else 12
    return rows


PRODUCTS = {"Total": ["A", "B"], "A": ["A1", "A2"]}


def sales_problem(data: Any = None) -> lc.Problem:
    return lc.Problem(
        sales() if data is None else data,
        dims={"product": lc.tree(PRODUCTS), "region": "All"},
        value="turnover",
        frequency="firms",
        status="status",
        lower_level="lpl",
        upper_level="upl",
    )


def secret_problem() -> lc.Problem:
    """All values are long numbers that nothing else has."""
    rows = sales()
    for row in rows:
        row["turnover"] *= 7919
        if row["lpl"] is not None:
            row["lpl"] = row["upl"] = 31337
    return sales_problem(rows)


def numbers_in(text: str) -> set[str]:
    """The whole numbers in what is shown."""
    return set(re.findall(r"\d+", re.sub(r"style='[^']*'", "", text.replace(",", ""))))
