# SPDX-License-Identifier: Apache-2.0
"""What somebody would try who wants a secret, a crash, or a riddle in place of a message."""

from __future__ import annotations

import re
from typing import Any

import lacuna_sdc as lc
import pytest
from data import sales, sales_problem, table


def numbers_in(text: str) -> set[str]:
    return set(re.findall(r"\d+", re.sub(r"style='[^']*'", "", text.replace(",", ""))))


def secret_problem() -> lc.Problem:
    """All values are long numbers that nothing else has."""
    rows = sales()
    for row in rows:
        row["turnover"] *= 7919
        if row["lpl"] is not None:
            row["lpl"] = row["upl"] = 31337
    return sales_problem(rows)


# ---- secrets


def sums_of(run: dict[str, Any]) -> set[str]:
    """Cost, bound and loss as they could stand in a text."""
    found = {run["objective"], run["bound"], run["information_loss"]["value"]}
    return {text for number in found for text in (str(int(number)), f"{number:.6g}")}


@pytest.mark.parametrize("method", ["suppress", "interval", "combined", "round", "mixed"])
def test_no_cost_in_what_prints_itself(method: Any) -> None:
    """Costs are sums over hidden cells: with what is published they can give one away."""
    release = lc.protect(secret_problem(), method=method, base=50000 if method == "round" else "")
    # A sum of changed cells may well be the subtotal of them that is published.
    published = {str(value) for value in release.published["value"]}
    secrets = {text for text in sums_of(release.run) if len(text) > 3} - published
    assert secrets
    shown = lc.show(release)
    for text in (repr(release), release._repr_html_(), str(shown), shown._repr_html_()):
        assert not numbers_in(text) & secrets
        assert "cost" not in text and "bound" not in text


def test_no_cost_in_comparisons() -> None:
    made = lc.compare(secret_problem(), ["suppress", "interval"])
    secrets = {str(int(row[name])) for row in made.rows() for name in ("objective", "bound")}
    assert not numbers_in(repr(made) + made._repr_html_()) & {s for s in secrets if len(s) > 3}
    assert "<th>gap</th>" in made._repr_html_()


def test_no_cost_in_progress() -> None:
    news = lc.Progress("suppress", 0.5, 2.0, None, 839414.0, 629560.5)
    for text in (str(news), repr(news), f"{news}"):
        assert "839414" not in text and "629560" not in text
    assert str(news) == "suppress 50%, gap 25.00%"
    assert lc.Progress("read", 0.5, 2.0, None, None, None).gap is None


# ---- numbers of NumPy's


def test_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    expected = lc.protect(table(), gap=0.05, threads=1).rows()
    assert lc.protect(table(), gap=numpy.float64(0.05), threads=numpy.int64(1)).rows() == expected
