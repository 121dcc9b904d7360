# SPDX-License-Identifier: Apache-2.0
"""What prints itself holds nothing that is confidential."""

from __future__ import annotations

import pathlib
from typing import Any

import lacuna_sdc as lc
import pytest
from data import PRODUCTS, numbers_in, sales, sales_problem, secret_problem, table


def shown(thing: Any) -> str:
    return f"{thing!r} {thing} {thing._repr_html_()}"


def test_problems_and_audits_show_counts() -> None:
    problem = secret_problem()
    values = {str(value) for value in problem.confidential.cells["value"]}
    for thing in (problem, lc.audit(problem), lc.show(problem), lc.show(lc.audit(problem))):
        assert not numbers_in(shown(thing)) & (values | {"31337"})
    made = table()
    assert not numbers_in(shown(made)) & {
        str(value) for value in made.confidential.cells["value"] if value > 100
    }


@pytest.mark.parametrize("method", ["suppress", "interval", "round", "adjust"])
def test_releases_show_what_is_published(method: Any) -> None:
    problem = secret_problem()
    release = lc.protect(problem, method=method, base=50000 if method == "round" else "")
    cells = release.confidential.cells.rows()
    hidden = {str(row["value"]) for row in cells if row["published"] != row["value"]}
    published = {str(int(row["published"])) for row in cells if row["published"] is not None}
    for text in (release._repr_html_().split("<p>")[0], str(lc.show(release))):
        assert not numbers_in(text) & (hidden - published)
    for thing in (release.certificate, release.confidential, problem.confidential):
        assert not numbers_in(repr(thing)) & hidden


def test_signs() -> None:
    assert "×" in lc.protect(sales_problem())._repr_html_()
    assert "[" in lc.protect(sales_problem(), method="interval")._repr_html_()
    assert "≈" in lc.protect(sales_problem(), method="round", base=10)._repr_html_()


def test_large_tables_are_trimmed() -> None:
    problem = lc.generate(kind="hierarchical", depths=[3, 3], sensitive_percent=2, seed=3)
    release = lc.protect(problem, effort="fast")
    page = release._repr_html_()
    assert page.count("<tr>") <= 61
    assert page.count("<td") <= 60 * 20


def test_confidential_says_so() -> None:
    problem = sales_problem()
    for thing in (problem, lc.protect(problem), lc.audit(problem)):
        view = lc.show(thing, confidential=True)
        assert "CONFIDENTIAL" in str(view) and "CONFIDENTIAL" in view._repr_html_()
        assert "18" in numbers_in(str(view))


def test_a_table_in_which_nothing_is_sensitive_says_so() -> None:
    problem = lc.Problem(
        sales(), dims={"product": lc.tree(PRODUCTS), "region": "All"}, value="turnover"
    )
    release = lc.protect(problem)
    assert release.verdict == "unasked"
    assert "NO CELL IS MARKED AS SENSITIVE" in repr(release)
    audit = lc.audit(problem, release)
    assert audit.verdict == "unasked"
    assert repr(audit) == "<Audit: unasked; no cell is marked as sensitive and nothing was asked>"


def test_what_nobody_asked_about_is_not_written_for_the_public(tmp_path: pathlib.Path) -> None:
    problem = lc.Problem(
        sales(), dims={"product": lc.tree(PRODUCTS), "region": "All"}, value="turnover"
    )
    with pytest.raises(lc.InputError, match="nothing was asked of the release"):
        lc.protect(problem).write(tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    lc.protect(problem, unasked="publish").write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").exists()


def test_codes_are_escaped() -> None:
    rows = [{"code": "<b>x</b>", "value": 1}, {"code": "y", "value": 2}]
    release = lc.protect(lc.tabulate(rows, dims=["code"], value="value"))
    assert "<b>" not in release._repr_html_()
