# SPDX-License-Identifier: Apache-2.0
"""Nothing is called safe that nobody asked about, and what was not computed has no figure."""

from __future__ import annotations

import pathlib
import pickle
import re
from typing import Any

import lacuna_sdc as lc
import pytest

CELLS: dict[str, list[Any]] = {
    "product": ["A", "A", "A", "B", "B", "B", "Total", "Total", "Total"],
    "region": ["East", "West", "All"] * 3,
    "turnover": [45, 18, 63, 30, 41, 71, 75, 59, 134],
}


DIMS: dict[str, Any] = {"product": "Total", "region": "All"}


def ready() -> lc.Problem:
    return lc.Problem(CELLS, dims=DIMS, value="turnover")


def asking() -> lc.Problem:
    cells = {**CELLS, "status": ["s", "u", "s", "s", "s", "s", "s", "s", "s"]}
    return lc.Problem(cells, dims=DIMS, value="turnover", status="status")


def page_text(page: str) -> str:
    return page.split("<script")[0]


def test_nothing_asked_is_unasked(tmp_path: pathlib.Path) -> None:
    release = lc.protect(ready())
    assert release.verdict == "unasked"
    assert release.summary.startswith("unasked by suppress")
    assert "NO CELL IS MARKED AS SENSITIVE" in release.summary
    assert "protected" not in repr(release)
    assert release.audit.verdict == "unasked"
    said = "no cell is marked as sensitive and nothing was asked"
    assert repr(release.audit) == f"<Audit: unasked; {said}>"
    assert "requirements" not in release.audit._repr_html_()
    assert pickle.loads(pickle.dumps(release)).verdict == "unasked"

    shown = tmp_path / "shown.csv"
    with pytest.raises(lc.Error, match='unasked="publish"'):
        release.write(shown)
    assert not shown.exists()
    release.write(shown, unasked="publish")
    assert shown.exists()
    release.confidential.write(tmp_path / "office.json")  # the office may have it
    with pytest.raises(lc.NotProtectedError, match='unasked="publish"') as error:
        release.report(public=True)
    assert error.value.status == "unasked"
    for page in (release.report(), release.report(public=True, unasked="publish")):
        assert not re.search("\u2713|card protected|Safe, and checked", page_text(page))
    told = lc.protect(ready(), unasked="publish")
    told.write(tmp_path / "told.csv")
    assert (tmp_path / "told.csv").read_text() == shown.read_text()


def test_frames_of_what_nobody_asked_about_need_the_word() -> None:
    release = lc.protect(ready())
    for ask in (
        lambda: release.published,
        lambda: release.tables,
        release.rows,
        release.to_dict,
        lambda: pickle.loads(pickle.dumps(release)).published,
    ):
        with pytest.raises(lc.Error, match='unasked="publish"'):
            ask()
    assert len(release) == 9
    assert "134" not in release._repr_html_()
    told = lc.protect(ready(), unasked="publish")
    assert told.to_dict()["value"] == pickle.loads(pickle.dumps(told)).to_dict()["value"]
    assert "134" in told._repr_html_()


def persons(**more: Any) -> lc.Problem:
    rows = [{"part": part} for part in ["a"] * 10 + ["c", "c", "d", "d"]]
    return lc.tabulate(rows, dims=["part"], rules=[lc.frequency(4)], **more)


def test_counts_that_were_not_judged_as_counts_say_so() -> None:
    said = "read as real numbers"
    release = lc.protect(persons(), reals=True)
    assert said in repr(release)
    for audit in (release.audit, lc.audit(persons(), release, reals=True)):
        for held in (audit, pickle.loads(pickle.dumps(audit))):
            assert held.limits[0].startswith(said)
            assert said in repr(held)
            assert said in held._repr_html_()
            assert said in held._core.json()
            assert said in held._core.text()
    assert pickle.loads(pickle.dumps(release)).audit.limits == release.audit.limits
    for page in (release.report(), release.report(public=True)):
        assert "Checked in part" in page_text(page)
        assert not re.search("\u2713|card protected", page_text(page))
    moved = lc.protect(persons(), method="adjust")
    assert "read as numbers alone" in repr(moved)
    assert "read as numbers alone" in repr(lc.audit(persons(), moved))
    assert lc.protect(persons()).audit.limits == []


def test_what_was_called_safe_by_hand_stays_with_a_pickle(tmp_path: pathlib.Path) -> None:
    hand = tmp_path / "hand.csv"
    hand.write_text("product,region,status\nA,West,S\n")
    cells = {**CELLS, "status": ["u", "u", "s", "s", "s", "s", "s", "s", "s"]}
    table = lc.Problem(cells, dims=DIMS, value="turnover", status="status")
    audit = lc.protect(table, apriori=[str(hand)]).audit
    told = "1 sensitive cell was called safe by hand, and nothing was asked about it"
    assert audit.limits == [told]
    assert pickle.loads(pickle.dumps(audit)).limits == audit.limits


def test_rules_that_find_nothing_are_an_answer(tmp_path: pathlib.Path) -> None:
    rows = [{"nace": n, "region": r, "turnover": 10} for n in "AB" for r in "NS" for _ in range(9)]
    table = lc.tabulate(rows, dims=["nace", "region"], value="turnover", rules=[lc.frequency(3)])
    release = lc.protect(table)
    assert release.verdict == "unasked"
    release.write(tmp_path / "shown.csv")
    page = page_text(release.report(public=True))
    assert "rules of confidentiality were applied, and no figure had to be withheld" in page
    assert "\u2713" not in page


def test_what_a_release_from_elsewhere_withholds_is_asked_about() -> None:
    told = {**CELLS, "turnover": [45, None, 63, 30, 41, 71, 75, 59, 134]}
    assert lc.audit(ready(), told).verdict == "exposed"  # 63 - 45
    hidden = {**CELLS, "turnover": [None, None, 63, None, None, 71, 75, 59, 134]}
    audit = lc.audit(ready(), hidden)
    assert audit.verdict == "protected"
    assert audit.counts["requirements"] == 4
    assert "the only thing asked was that" in repr(audit)


def test_figures_that_were_not_computed_are_none() -> None:
    run = lc.protect(asking()).run
    assert run["guess_state"] == "not computed"
    assert (run["guess_known"], run["guess_near"], run["guess_exact"]) == (None, None, None)
    rounded = lc.protect(asking(), method="round", base=10).run
    assert rounded["guess_state"] == "bounded"
    assert rounded["guess_exact"] is not None
    page = page_text(lc.protect(asking()).report(verdicts_only=True))
    assert "could work out at best" not in page
    assert not re.search(r"(best guess|mean deviation)[^\n]*</dt><dd>[0-9]", page)
    assert "could work out at best" in page_text(lc.protect(asking()).report())


def test_waived_is_not_protected() -> None:
    told = {**CELLS, "turnover": [45, None, 63, 30, 41, 71, 75, 59, 134]}
    assert lc.audit(asking(), told).verdict == "exposed"
    audit = lc.audit(asking(), told, waive="exposed")
    assert audit.verdict == "waived"
    assert audit.counts["waived"] == 1
    assert "1 waived" in repr(audit)
    page = page_text(lc.report(asking(), told, waive="exposed"))
    assert "Not all of it: 1 waived" in page
    assert "\u2713" not in page
