# SPDX-License-Identifier: Apache-2.0
"""The command for Stata, without Stata: its text is read, and its Python runs on a stand-in for
the module `sfi`.

What is not tested: that Stata itself takes the file.
"""

from __future__ import annotations

import os
import pathlib
import re
import sys
import types
from typing import Any

import data
import lacuna_sdc as lc
import pytest

SOURCE = os.environ.get("LACUNA_SOURCE_DIR", "")
FOLDER = pathlib.Path(SOURCE) / "integrations" / "stata"
pytestmark = pytest.mark.skipif(not SOURCE, reason="LACUNA_SOURCE_DIR names no source tree")
OPTIONS = re.compile(r"([A-Z]+)([a-z]*)(\(([^()]*)\))?")


def text() -> str:
    return (FOLDER / "lacuna.ado").read_text()


def parts() -> tuple[str, str]:
    """The program and the Python block."""
    program, block = re.split(r"^version 16\.0\npython:\n", text(), flags=re.MULTILINE)
    assert block.endswith("\nend\n")
    return program, block.removesuffix("end\n")


class Stata:
    """Data and macros, as the module sfi shows them."""

    def __init__(
        self, columns: dict[str, list[Any]], labels: dict[str, dict[int, str]] | None = None
    ) -> None:
        self.columns, self.labels = columns, labels or {}
        self.macros: dict[str, str] = {}
        self.types: dict[str, str] = {}
        self.said, self.code, self.rows = "", 0, 0

    def module(self) -> types.ModuleType:
        stata, sfi = self, types.ModuleType("sfi")

        class Data:
            @staticmethod
            def get(name: str, selectvar: str, missingval: Any) -> list[Any]:
                chosen = stata.columns[selectvar]
                return [each for each, one in zip(stata.columns[name], chosen, strict=True) if one]

            @staticmethod
            def isVarTypeString(name: str) -> bool:
                return any(isinstance(each, str) for each in stata.columns[name])

            @staticmethod
            def setObsTotal(rows: int) -> None:
                stata.rows = rows

            @staticmethod
            def getVarCount() -> int:
                return len(stata.columns)

            @staticmethod
            def getVarName(i: int) -> str:
                return list(stata.columns)[i]

            @staticmethod
            def dropVar(name: str) -> None:
                del stata.columns[name]

            @staticmethod
            def addVarStr(name: str, length: int) -> None:
                stata.columns[name], stata.types[name] = [], f"str{length}"

            @staticmethod
            def addVarDouble(name: str) -> None:
                stata.columns[name], stata.types[name] = [], "double"

            @staticmethod
            def store(name: str, obs: None, values: list[Any]) -> None:
                assert len(values) == stata.rows
                if stata.types[name] != "double":
                    longest = int(stata.types[name][3:])
                    assert all(len(each.encode()) <= longest for each in values)
                stata.columns[name] = values

        class Macro:
            @staticmethod
            def getLocal(name: str) -> str:
                return str(stata.macros.get(name, ""))

            @staticmethod
            def setLocal(name: str, value: str) -> None:
                stata.macros[name] = value

        class Missing:
            @staticmethod
            def getValue() -> float:
                return 8.98846567431158e307

        class SFIToolkit:
            @staticmethod
            def errprintln(line: str) -> None:
                stata.said += line + "\n"

            @staticmethod
            def exit(code: int) -> None:
                stata.code = code

        class ValueLabel:
            @staticmethod
            def getVarValueLabel(name: str) -> str:
                return name if name in stata.labels else ""

            @staticmethod
            def getValueLabels(name: str) -> dict[int, str]:
                return stata.labels[name]

        for each in (Data, Macro, Missing, SFIToolkit, ValueLabel):
            setattr(sfi, each.__name__, each)
        return sfi


def run(stata: Stata, varlist: str, **options: Any) -> Stata:
    stata.macros = {"total": "Total", "threshold": "0", "p": "0", "decimals": "-1", "base": "0",
                    **{name: str(value) for name, value in options.items()}}
    before = sys.modules.get("sfi")
    sys.modules["sfi"] = stata.module()
    try:
        block: dict[str, Any] = {}
        exec(compile(parts()[1], "lacuna.ado", "exec"), block)
        block["lacuna_tabulate"](varlist, "touse")
    finally:
        sys.modules.pop("sfi")
        if before is not None:
            sys.modules["sfi"] = before
    return stata


def drawn() -> dict[str, list[Any]]:
    columns = data.columns(data.records(60, 3))
    return {"region": columns["region"], "nace": columns["nace"], "firm": columns["firm"],
            "turnover": [float(each) for each in columns["turnover"]], "touse": [1] * 60}


def test_the_program_is_well_formed() -> None:
    program, block = parts()
    joined = re.sub(r"///\n\s*", " ", program)
    syntax = re.search(r"^\s*syntax (.*)$", joined, re.MULTILINE)
    assert syntax is not None
    for one, other in ("[]", "()"):
        assert syntax[1].count(one) == syntax[1].count(other)
    options = OPTIONS.findall(syntax[1].split("[,")[1])
    known = {(upper + lower).lower() for upper, lower, *_ in options}
    known |= {"nosummary"}
    read = set(re.findall(r'_lacuna_option\("(\w+)"\)', block))
    read |= {"threshold", "p", "nk", "method", "effort"}
    assert read <= known
    assert program.count("{\n") == len(re.findall(r"^\s*}$", program, re.MULTILINE))
    assert re.search(r"^program define lacuna, rclass$", program, re.MULTILINE)
    assert re.search(r"^end$", program, re.MULTILINE)
    for quoted in re.findall(r"`(\w+)'", program):
        own = {f"lacuna_{name}" for name in ("verdict", "cells", "withheld", "summary")}
        assert quoted in known | own | {"varlist", "touse"}


def test_the_help_names_every_option() -> None:
    help_text = (FOLDER / "lacuna.sthlp").read_text().replace(":", "")
    syntax = re.sub(r"///\n\s*", " ", parts()[0]).split("[,")[1].split("]")[0]
    for upper, lower, *_ in OPTIONS.findall(syntax):
        name = (upper + lower).lower().removesuffix("(")
        assert name in help_text.replace("{opth ", "{opt "), name
    assert help_text.count("{") == help_text.count("}")


def test_counts_replace_the_data() -> None:
    stata = run(Stata(drawn()), "region nace", threshold=5, clear="clear")
    assert (stata.code, stata.said) == (0, "")
    assert stata.macros["lacuna_verdict"] == "protected"
    assert list(stata.columns) == ["region", "nace", "n", "state"]
    hidden = [number > 1e300 for number in stata.columns["n"]]
    assert sum(hidden) == int(stata.macros["lacuna_withheld"]) > 0
    assert hidden == [state == "withheld" for state in stata.columns["state"]]


def test_sums_with_rules_and_a_sample(tmp_path: pathlib.Path) -> None:
    columns = drawn()
    columns["touse"][:10] = [0] * 10
    columns["region"][11] = ""
    stata = run(
        Stata(columns), "region nace", value="turnover", unit="firm", threshold=3, p=10, nk="1 80",
        saving=f'"{tmp_path}/table.csv"',
    )
    assert (stata.code, stata.said) == (0, "")
    assert (tmp_path / "table.csv").exists()
    assert len(stata.columns["region"]) == 60  # without clear


def test_value_labels_are_codes() -> None:
    columns = drawn()
    columns["region"] = [float("NSW".index(each)) for each in columns["region"]]
    labels = {"region": {0: "North", 1: "South"}}
    stata = run(Stata(columns, labels), "region", threshold=2, clear="clear")
    assert {"North", "South", "2", "Total"} >= set(stata.columns["region"])


def test_what_is_wrong_is_said_and_nothing_is_changed() -> None:
    columns = drawn()
    columns["region"][0] = "Total"
    for call in ({"threshold": 5}, {"threshold": 5, "total": "All", "method": "magic"}):
        stata = run(Stata(dict(columns)), "region nace", clear="clear", **call)
        assert stata.code == 198 and stata.said.count("\n") == 1
        assert len(stata.columns["region"]) == 60
    assert lc.__version__ in text()
