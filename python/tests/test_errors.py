# SPDX-License-Identifier: Apache-2.0
"""Errors say where, in the caller's own words, and tell nothing that is confidential."""

from __future__ import annotations

import pathlib
import pickle
from typing import Any

import lacuna_sdc as lc
import pytest
from data import PRODUCTS, records, sales, sales_problem, table


def test_errors_have_a_code_and_the_path_in_the_job() -> None:
    with pytest.raises(lc.InputError) as error:
        lc.Problem(sales(), dims=["product", "region"], value="nowhere")
    assert error.value.code == "missing-column"
    again = pickle.loads(pickle.dumps(error.value))
    assert (again.code, str(again)) == (error.value.code, str(error.value))
    with pytest.raises(lc.OptionError) as option:
        lc.generate(**{"time_limt": 3})  # type: ignore[arg-type]
    assert option.value.code == "unknown-option"


def test_classes() -> None:
    for kind, base in (
        (lc.InputError, ValueError),
        (lc.OptionError, TypeError),
        (lc.FileError, OSError),
        (lc.InternalError, RuntimeError),
        (lc.NotAdditiveError, lc.InputError),
        (lc.Interrupted, KeyboardInterrupt),
    ):
        assert issubclass(kind, base)
    error = pickle.loads(pickle.dumps(lc.InputError("no", "row 3")))
    assert (str(error), error.where) == ("row 3: no", "row 3")


def test_options_with_the_nearest_name() -> None:
    call: Any = lc.protect
    with pytest.raises(lc.OptionError, match="did you mean 'time-limit'") as error:
        call(table(), time_limt=3)
    assert error.value.where == "time_limt"
    with pytest.raises(lc.OptionError) as error:
        lc.protect(table(), gap=3)
    assert error.value.where == "gap"
    with pytest.raises(lc.OptionError):
        call(table(), method="supress")
    with pytest.raises(lc.OptionError):
        call(table(), on_interrupt="go on")
    with pytest.raises(lc.OptionError, match="neither text nor a number"):
        call(table(), gap=object())


def test_arguments_are_named() -> None:
    rows = records()
    with pytest.raises(lc.InputError, match="did you mean 'region'"):
        lc.tabulate(rows, dims=["nace", "regin"], value="turnover")
    with pytest.raises(lc.Error) as error:
        lc.tabulate(rows, dims=["nace"], value="turnover", rules=[lc.dominance(0, 85)])
    assert error.value.where == "rules: dominance (number 1)"
    with pytest.raises(lc.Error) as error:
        lc.tabulate(rows, dims=["nace"], value="turnover", levels={"formla": "thesis"})
    assert error.value.where == "levels"
    with pytest.raises(lc.Error) as error:
        lc.tabulate(rows, dims=["nace"], hierarchies={"nace": "nowhere.hrc"}, value="turnover")
    assert "nowhere.hrc" in str(error.value)
    with pytest.raises(lc.InputError, match="not one of the dimensions"):
        lc.tabulate(rows, dims=["nace"], hierarchies={"nacce": "x.hrc"}, value="turnover")
    with pytest.raises(lc.InputError, match="name the columns"):
        lc.Problem(sales())


@pytest.mark.parametrize(
    ("arguments", "where", "says"),
    [
        ({"levels": {"ratio": object()}}, "levels", "neither text, number, truth value nor list"),
        ({"bounds": {"lowr": 0}}, "bounds", "unknown key 'lowr' in bounds; did you mean 'lower'?"),
        ({"unit": "frm"}, "data", "did you mean 'firm'?"),
        ({"negative": "yes"}, "negative", "negative must be true or false"),
        ({"dims": {"nace": {"T": ["A1", 2]}}}, "dims: nace", "expected a string"),
        ({"rules": [lc.request(5)]}, "rules: request (number 1)", 'needs request="<column>"'),
        ({"tables": {"one": ["nace", "size"]}}, "tables: one", "there is no dimension 'size'"),
        ({"costs": "nonsense*3"}, "costs", "nonsense"),
        ({"apriori": "nowhere.csv"}, "apriori", "nowhere.csv"),
    ],
)
def test_places_are_arguments_and_words_are_those_of_python(
    arguments: dict[str, Any], where: str, says: str
) -> None:
    call: Any = lc.tabulate
    with pytest.raises(lc.Error) as error:
        call(records(), **{"dims": ["nace"], "value": "turnover", **arguments})
    assert says in error.value.message
    assert error.value.where == where


def test_what_a_caller_can_do_is_said_in_python() -> None:
    rows = records()
    rows[3]["turnover"] = -7
    with pytest.raises(lc.InputError, match=r"expressly: negative=True$"):
        lc.tabulate(rows, dims=["nace"], value="turnover")
    rows[3]["turnover"], rows[3]["nace"] = 7, ""
    with pytest.raises(lc.InputError, match=r'with_missing\("drop" or "code"\) of a hierarchy$'):
        lc.tabulate(rows, dims=["nace"], value="turnover")
    table_of_no_numbers: Any = lc.Problem
    with pytest.raises(lc.InputError, match='the call needs value="<column>", or frequency='):
        table_of_no_numbers(sales(), dims=["product", "region"])
    with pytest.raises(lc.InputError, match=r'largest=\["MAX"\]$'):
        lc.Problem(
            sales(),
            dims={"product": lc.tree(PRODUCTS), "region": "All"},
            value="turnover",
            rules=[lc.dominance(1, 75)],
        )


def test_frames_are_told_apart() -> None:
    rows = sales()
    rows[4]["status"] = "perhaps"
    arguments: dict[str, Any] = {"value": "turnover", "status": "status"}
    dims: dict[str, Any] = {"product": lc.tree(PRODUCTS), "region": "All"}
    with pytest.raises(lc.InputError, match="go into status_words;") as error:
        lc.Problem({"first": rows, "second": rows}, dims=dims, **arguments)
    assert error.value.where == "first, row 5, column status"


def test_sums_that_do_not_hold() -> None:
    rows = sales()
    rows[0]["turnover"] += 1
    with pytest.raises(lc.NotAdditiveError):
        sales_problem(rows)


def test_a_column_name_of_the_job_is_a_message_about_the_frame() -> None:
    rows = sales()
    rows[5]["turnover"] = "12,3,4"
    with pytest.raises(lc.InputError) as error:
        sales_problem(rows)
    assert error.value.where == "row 6, column turnover"
    rows = sales()
    rows[2]["status"] = "perhaps"
    with pytest.raises(lc.InputError) as error:
        sales_problem(rows)
    assert error.value.where == "row 3, column status"


def test_files(tmp_path: pathlib.Path) -> None:
    with pytest.raises(lc.FileError):
        lc.Problem(tmp_path / "nowhere.csv")
    release = lc.protect(table())
    with pytest.raises(lc.Error, match="no folder"):
        release.write(tmp_path / "nowhere" / "x.csv")
    with pytest.raises(lc.Error):
        release.write(tmp_path / "x.docx")
    assert not list(tmp_path.iterdir())


def test_nothing_safe_is_an_exception_with_its_reason() -> None:
    rows = sales()
    for row in rows:
        if row["status"] == "s":
            row["status"] = "z"  # must be published
    with pytest.raises(lc.Error):
        lc.protect(sales_problem(rows))


def test_a_release_that_gives_it_away() -> None:
    problem = sales_problem()
    published = [{key: row[key] for key in ("product", "region", "turnover")} for row in sales()]
    with pytest.raises(lc.NotProtectedError) as error:
        lc.protect(problem, released=published)
    assert error.value.status == "infeasible"


def test_messages_hold_no_respondent_and_no_value() -> None:
    rows = records()
    rows[3]["turnover"] = -987654
    with pytest.raises(lc.InputError) as error:
        lc.tabulate(rows, dims=["nace"], value="turnover", unit="firm")
    assert "f3" not in str(error.value)


def test_a_base_that_does_not_do_tells_no_level() -> None:
    rows = sales()
    for row in rows:
        if row["lpl"] is not None:
            row["lpl"] = row["upl"] = 17
    with pytest.raises(lc.OptionError) as error:
        lc.protect(sales_problem(rows), method="round", base=2)
    assert "product=A1|region=West" in str(error.value)
    assert "17" not in str(error.value).replace("rounding to base", "")
