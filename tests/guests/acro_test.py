#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""acro_test.py: `lacuna_sdc.acro` in sessions of ACRO itself (scripts/setup --with-guests): random tables of every kind,
alongside those that ACRO makes without a mitigation; what ACRO's records then say; and what is refused."""
import inspect
import json
import logging
import pathlib
import random
import sys
import tempfile
import unittest
import warnings

try:
    import lacuna_sdc as lc
    from lacuna_sdc import acro as lacuna_acro
except ImportError as error:
    print(f"left out: the package of Python for this version of Python ({error})")
    sys.exit(77)

import acro
import numpy
import pandas
from acro.record import load_records

FUNCTIONS = [None, "count", "sum", "mean", "median", ["count", "sum"], ["mean", "std"]]
CASES = 28


def drawn(seed):
    """Persons with an amount; some groups are small."""
    dice = numpy.random.default_rng(seed)
    number = int(dice.integers(60, 500))
    return pandas.DataFrame({
        "region": dice.choice(list("wxyz"), number, p=[0.5, 0.3, 0.17, 0.03]),
        "kind": dice.choice([1, 2, 3], number, p=[0.6, 0.35, 0.05]),
        "sex": dice.choice(["f", "m"], number),
        "amount": dice.lognormal(3, 1, number).round(2),
    })


def session(**more):
    return acro.ACRO(suppress=False, **more)


def call_of(seed):
    """The call of a case, as a function of a session."""
    frame, dice = drawn(seed), random.Random(seed)
    function = FUNCTIONS[seed % len(FUNCTIONS)]
    margins = dice.random() < 0.6
    rows = ["region", "sex"] if dice.random() < 0.3 else ["region"]
    if seed % 3 == 2 and function is not None:
        columns = dice.choice([None, ["kind"], ["kind", "sex"] if rows == ["region"] else ["kind"]])
        values = dice.choice(["amount", ["amount"]])
        return lambda s: s.pivot_table(frame, values=values, index=rows, columns=columns, aggfunc=function, margins=margins), frame
    more = {} if function is None else {"values": frame.amount, "aggfunc": function}
    if function is None and dice.random() < 0.4:
        more["normalize"] = dice.choice([True, "index", "columns"])
    index = [frame[name] for name in rows]
    return lambda s: s.crosstab(index if len(index) > 1 else index[0], frame.kind, margins=margins, **more), frame


class Tables(unittest.TestCase):
    def test_only_blanks_differ_and_what_acro_marks_is_blank(self):
        withheld = beyond = 0
        for seed in range(CASES):
            with self.subTest(seed=seed):
                call, _ = call_of(seed)
                plain = session()
                theirs = call(plain)
                marks = plain.results.get_index(0).outcome
                ours_session = session()
                lacuna_acro.enable(ours_session, effort="fast")
                ours = call(ours_session)
                self.assertTrue(ours.index.equals(theirs.index) and ours.columns.equals(theirs.columns))
                self.assertEqual(list(ours.columns.names), list(theirs.columns.names))
                shares = theirs.to_numpy().max() <= 1
                for i in range(theirs.shape[0]):
                    for j in range(theirs.shape[1]):
                        one, other = ours.iat[i, j], theirs.iat[i, j]
                        if one == one:
                            self.assertEqual(one, other)
                            if not shares and marks.shape == theirs.shape:
                                self.assertIn(marks.iat[i, j].replace("MinimumDoFCheck; ", ""), ("ok", ""))
                        elif other == other:
                            withheld += 1
                            beyond += marks.shape == theirs.shape and marks.iat[i, j] == "ok"
                self.check_record(ours_session, ours)
        self.assertGreater(withheld, 100)
        self.assertGreater(beyond, 50)  # secondary cells

    def check_record(self, used, table):
        record = used.results.get_index(0)
        self.assertEqual(len(used.results.get_keys()), 1)
        self.assertTrue(record.output[0].equals(table))
        self.assertEqual(record.properties["mitigation"], "lacuna")
        told = record.properties["lacuna"]
        self.assertIn(record.status, ("pass", "review"))
        self.assertTrue(all(each in ("protected", "unasked") for each in told["verdicts"]))
        cells = record.sdc["cells"]["LacunaPrimary"] + record.sdc["cells"]["LacunaSecondary"]
        self.assertEqual(len(cells), told["withheld"])
        for i, j in cells:
            self.assertTrue(pandas.isna(table.iat[i, j]))
            self.assertNotEqual(record.outcome.iat[i, j], "ok")
        if told["withheld"]:
            self.assertEqual(record.status, "review")
            self.assertIn(f"{told['withheld']} cells are withheld", record.exception)

    def test_withheld_cells_cannot_be_computed(self):
        """By an audit of its own, of the counts that the table shows with all its margins."""
        for seed in range(5):
            with self.subTest(seed=seed):
                frame = drawn(seed)
                used = session()
                lacuna_acro.enable(used)
                table = used.crosstab(frame.region, frame.kind, margins=True)
                truth = pandas.crosstab(frame.region, frame.kind, margins=True)
                problem = lc.Problem(truth)
                shown = {"region": [], "kind": [], "value": []}
                for row in table.index:
                    for column in table.columns:
                        shown["region"].append(str(row))
                        shown["kind"].append(str(column))
                        number = table.loc[row, column]
                        shown["value"].append(None if pandas.isna(number) else int(number))
                audit = lc.audit(problem, shown, counts=True, threshold=10, zeros="sensitive", kinds="exact,small,zero")
                self.assertIn(audit.verdict, ("protected", "unasked"))

    def test_zeros(self):
        frame = pandas.DataFrame({"a": ["x"] * 40 + ["y"] * 40 + ["z"] * 40, "b": (["p", "q"] * 20) + ["p"] * 40 + ["p", "q"] * 20})
        used = session()
        lacuna_acro.enable(used)
        self.assertTrue(pandas.isna(used.crosstab(frame.a, frame.b).loc["y", "q"]))
        used = session()
        used.config["zeros_are_disclosive"] = False
        lacuna_acro.enable(used, rules=lc.frequency(10))
        used.crosstab(frame.a, frame.b)

    def test_values_with_many_digits_and_below_zero(self):
        frame = drawn(3)
        frame["share"] = frame.amount / 7 - 1
        used = session()
        lacuna_acro.enable(used, effort="fast")
        table = used.crosstab(frame.region, frame.kind, values=frame.share, aggfunc="mean", margins=True)
        self.assertTrue(table.isna().to_numpy().any())
        self.assertTrue(any("rounded" in each for each in used.results.get_index(0).comments))


    def test_few_contributors(self):
        """Where no pattern is safe against contributors, readers from outside are judged, and the record says so."""
        call, _ = call_of(47)
        used = session()
        lacuna_acro.enable(used, effort="fast")
        call(used)
        self.assertTrue(any("contribute nothing" in each for each in used.results.get_index(0).comments))


class Records(unittest.TestCase):
    def test_files_of_a_session(self):
        frame = drawn(2)
        used = session()
        lacuna_acro.enable(used)
        table = used.crosstab(frame.region, frame.kind, margins=True)
        used.rename_output("output_0", "regions")
        used.add_comments("regions", "for the report")
        proven = lacuna_acro.releases(used)["regions"]
        self.assertEqual([each.verdict for each in proven], ["protected"])
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "out")
            used.finalise(path)
            told = json.loads((pathlib.Path(path) / "results.json").read_text())["results"]["regions"]
            self.assertEqual(told["status"], "review")
            self.assertEqual(told["files"][0]["sdc"]["cells"]["LacunaSecondary"],
                             used.results.get("regions").sdc["cells"]["LacunaSecondary"])
            self.assertIn("for the report", told["comments"])
            written = pandas.read_csv(pathlib.Path(path) / told["files"][0]["name"], index_col=0)
            self.assertEqual(written.isna().to_numpy().tolist(), table.isna().to_numpy().tolist())
            self.assertTrue(load_records(path).results["regions"].exception.startswith("Lacuna"))

    def test_the_line_of_the_researcher(self):
        frame = drawn(2)
        used = session()
        lacuna_acro.enable(used, effort="fast")
        used.crosstab(frame.region, frame.kind)  # this very line
        self.assertIn("# this very line", used.results.get_index(0).command)

    def test_disable_and_other_mitigations(self):
        frame = drawn(2)
        used = session()
        used.enable_suppression()
        lacuna_acro.enable(used, effort="fast")
        used.crosstab(frame.region, frame.kind)
        self.assertEqual(used.mitigation, "suppress")
        lacuna_acro.disable(used)
        self.assertTrue(inspect.ismethod(used.crosstab) and type(used.crosstab.__self__) is acro.ACRO)
        used.crosstab(frame.region, frame.kind)
        self.assertEqual(used.results.get_index(1).properties["mitigation"], "suppress")
        with self.assertRaisesRegex(lc.InputError, "call enable"):
            lacuna_acro.releases(used)


class Refused(unittest.TestCase):
    def refused(self, pattern, call, kind=lc.InputError):
        used = session()
        lacuna_acro.enable(used, effort="fast")
        with self.assertRaisesRegex(kind, pattern):
            call(used)
        self.assertEqual(used.results.get_keys(), [])
        self.assertEqual(used.mitigation, "none")

    def test_what_cannot_be_judged_leaves_no_record(self):
        frame = drawn(5)
        missing = frame.copy()
        missing.loc[3, "region"] = None
        self.refused("1 records have no label", lambda s: s.crosstab(missing.region, missing.kind))
        self.refused("shares are made of counts", lambda s: s.crosstab(frame.region, frame.kind, values=frame.amount,
                                                                       aggfunc="sum", normalize="index"))
        self.refused("is understood here", lambda s: s.pivot_table(frame, values="amount", index="region", aggfunc="mean",
                                                                   numeric_only=True))
        self.refused("no such option", lambda s: (lacuna_acro.enable(s, efort="fast"), s.crosstab(frame.region, frame.kind)),
                     lc.OptionError)
        tiny = pandas.DataFrame({"a": ["x"] * 3, "b": ["p"] * 3})
        used = session()
        lacuna_acro.enable(used)
        table = used.crosstab(tiny.a, tiny.b, margins=True)
        self.assertTrue(table.isna().to_numpy().all())

    def test_sessions(self):
        with self.assertRaisesRegex(lc.InputError, "federated"):
            lacuna_acro.enable(session(federated=True))
        with self.assertRaisesRegex(lc.InputError, "no session of ACRO"):
            lacuna_acro.enable(object())


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    unittest.main(verbosity=2)
