#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""acro_examples.py DATA: the tables of ACRO's own notebooks and tests, suppressed by ACRO and by our mitigation, and all
of them audited (docs/results/acro.md). DATA is the folder `data` of its repository (nursery.arff, test_data.dta).

A reader of ACRO's table is asked about in two ways:

  alone      the cells that the table shows, and no total: ACRO's totals are those of what it has left
  together   also the one-way tables of the same variables, as ACRO publishes them in the same session: their numbers are
             the true totals, and those that ACRO withholds are withheld

Exposed are sensitive cells that can be computed, or whose counts are known to be small. It needs the environment of
`scripts/setup --with-guests` and the package (PYTHONPATH=build/python)."""
import logging
import warnings
import pathlib
import random
import sys

import acro
import numpy
import pandas
from scipy.io.arff import loadarff

import lacuna_sdc as lc
from lacuna_sdc import acro as lacuna_acro

TOTAL = "total"


def nursery(folder):
    """As the notebooks prepare it; the families with more than three children get a number by a seed."""
    frame = pandas.DataFrame(loadarff(folder / "nursery.arff")[0])
    frame = frame.select_dtypes([object]).apply(lambda column: column.str.decode("utf-8"))
    frame = frame.rename(columns={"class": "recommend"})
    dice = random.Random(1)
    frame["children"] = [int(each) if each in "123" else dice.randint(4, 9) for each in frame["children"]]
    return frame


def examples(folder):
    """(source, name, function of a session): the calls as they stand there."""
    one = nursery(folder)
    two = pandas.read_stata(folder / "test_data.dta")
    two = two.dropna(subset=["year", "grant_type", "survivor", "inc_grants"])
    cross = "acro_demo_2026, test-nursery", one, one.recommend, one.parents
    yield *cross, {}
    yield *cross, {"margins": True}
    yield "test-nursery", one, one.recommend, one.parents, {"values": one.children, "aggfunc": "count"}
    yield "test-nursery", one, one.recommend, one.parents, {"values": one.children, "aggfunc": "mean", "margins": True}
    yield ("acro_demo_2026", one, [one.parents, one.finance], one.recommend,
           {"values": one.children, "aggfunc": "mean", "margins": True})
    for more in ({}, {"margins": True}, {"values": two.inc_grants, "aggfunc": "sum"},
                 {"values": two.inc_grants, "aggfunc": "mean"},
                 {"values": two.inc_grants, "aggfunc": ["mean", "std"]}):
        yield "test_tables", two, two.year, two.grant_type, more
    yield ("test_tables", two, two.survivor, two.grant_type,
           {"values": two.inc_grants, "aggfunc": ["mean", "std"], "margins": True})
    yield "test_tables", two, two.year, [two.survivor], {"values": two.inc_grants, "aggfunc": "sum"}
    yield ("test_tables", two, [two.year, two.survivor], [two.grant_type],
           {"values": two.inc_grants, "aggfunc": "sum"})
    yield ("test_tables (pivot_table)", two, two.year, [two.grant_type, two.survivor],
           {"values": two.inc_grants, "aggfunc": "sum"})


def listed(keys):
    return keys if isinstance(keys, list) else [keys]


def text(label):
    return " / ".join(str(each) for each in label) if isinstance(label, tuple) else str(label)


def shown_of(table, prefix):
    """The cells of a table of ACRO with a number, by texts of their labels."""
    shown = set()
    for label in table.columns:
        rest = label[prefix:] if isinstance(label, tuple) else label
        rest = rest[0] if isinstance(rest, tuple) and len(rest) == 1 else rest
        for row, number in table[label].items():
            if not pandas.isna(number) and "All" not in text(row).split(" / ") + text(rest).split(" / "):
                shown.add((text(row), text(rest)))
    return shown


def one_way(session, keys, more):
    """The labels of the one-way table of ACRO that have a number."""
    same = pandas.Series("all", index=keys[0].index, name="everybody")
    call = {name: value for name, value in more.items() if name != "margins"}
    if isinstance(call.get("aggfunc"), list):
        call["aggfunc"] = call["aggfunc"][0]
    table = session.crosstab(keys, same, **call)
    return {text(row) for row, number in table.iloc[:, 0].items() if not pandas.isna(number)}


def verdict(release, published, kinds):
    """How many sensitive cells a reader can tell who sees these cells, by the audit."""
    cells = release.problem.confidential.cells
    frame = {"rows": cells["rows"], "columns": cells["columns"],
             "value": [value if codes in published else None
                       for codes, value in zip(zip(cells["rows"], cells["columns"]), cells["value"])]}
    sensitive = {codes for codes, status in zip(zip(cells["rows"], cells["columns"]), cells["status"])
                 if status == "primary"}
    if not sensitive:
        return 0, 0
    found = lc.audit(release.problem, frame, **kinds).cells
    exposed = {(row, column) for row, column, word in zip(found["rows"], found["columns"], found["verdict"])
               if word == "exposed"}
    return len(exposed & sensitive), len(sensitive)


def judge(frame, rows, columns, more):
    """Numbers of one example."""
    ours = acro.ACRO(suppress=False)
    lacuna_acro.enable(ours)
    made = ours.crosstab(rows, columns, **more)
    releases = next(iter(lacuna_acro.releases(ours).values()))
    theirs = acro.ACRO(suppress=True)
    table = theirs.crosstab(rows, columns, **more)
    prefix = table.columns.nlevels - len(listed(columns))
    inner = shown_of(table, prefix)
    total = (TOTAL, TOTAL)
    margins = {(each, TOTAL) for each in one_way(theirs, listed(rows), more)}
    margins |= {(TOTAL, each) for each in one_way(theirs, listed(columns), more)}
    kinds = {"zeros": "sensitive", "kinds": "exact,small,zero"}
    result = {"sensitive": 0, "alone": 0, "together": 0, "ours": 0}
    for number, release in enumerate(releases):
        asked = kinds if number == 0 else {}
        function = more.get("aggfunc", "count")
        if number == 0 and function not in ("count", None) and len(releases) > 1:
            continue  # of a table of sums or means the sums are asked about
        for name, published in (("alone", inner), ("together", inner | margins | {total})):
            result[name], result["sensitive"] = verdict(release, published, asked)
        cells = release.problem.confidential.cells
        mine = shown_of(made, prefix) | {codes for codes in zip(cells["rows"], cells["columns"]) if TOTAL in codes}
        hidden = {codes for codes, value in zip(zip(release.published["rows"], release.published["columns"]),
                                                release.published["value"]) if value is None}
        result["ours"] = verdict(release, mine - hidden, asked)[0]
    result["theirs_shown"], result["ours_shown"] = len(inner), len(shown_of(made, prefix))
    return result


def name_of(frame, rows, columns, more):
    keys = " × ".join("·".join(str(each.name) for each in listed(side)) for side in (rows, columns))
    function = more.get("aggfunc", "count")
    function = "+".join(function) if isinstance(function, list) else function
    return f"{function} by {keys}" + (", margins" if more.get("margins") else "")


def main():
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    numpy.random.seed(1)
    folder = pathlib.Path(sys.argv[1])
    print("| from | table | sensitive | ACRO's: numbers shown | exposed alone | exposed together | ours: numbers shown | "
          "exposed together |")
    print("|---|---|---|---|---|---|---|---|")
    undone = tables = 0
    for source, frame, rows, columns, more in examples(folder):
        try:
            found = judge(frame, rows, columns, more)
        except Exception as error:  # what either refuses is a row, too  # pylint: disable=broad-except
            print(f"| {source} | {name_of(frame, rows, columns, more)} | {type(error).__name__}: {str(error)[:90]} |")
            continue
        tables += 1
        undone += found["together"] > 0
        print(f"| {source} | {name_of(frame, rows, columns, more)} | {found['sensitive']} | {found['theirs_shown']} | "
              f"{found['alone']} | {found['together']} | {found['ours_shown']} | {found['ours']} |")
    print(f"\n{undone} of {tables} tables that ACRO has suppressed can be undone beside the one-way tables")


if __name__ == "__main__":
    main()
