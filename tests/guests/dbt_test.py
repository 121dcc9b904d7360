#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dbt_test.py: the dbt package of integrations/dbt in a project of its own with dbt-duckdb (scripts/setup --with-guests):
a cube, a mart that leaks, a mart that a Python model has made safe, and the test that tells them apart."""
import pathlib
import random
import re
import sys
import tempfile
import unittest

try:
    import lacuna_sdc as lc
    import lacuna_sdc.dbt as lacuna
except ImportError as error:
    print(f"left out: the package of Python for this version of Python ({error})")
    sys.exit(77)

import duckdb
import pandas
from dbt.cli.main import dbtRunner

PACKAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "integrations" / "dbt"
DIMS = {"region": "Total", "kind": "Total"}

FILES = {
    "dbt_project.yml": """
name: office
version: 1.0.0
config-version: 2
profile: office
flags: {send_anonymous_usage_stats: false}
data_tests: {+store_failures: true}
""",
    "profiles.yml": """
office:
  target: dev
  outputs:
    dev: {type: duckdb, path: office.duckdb, threads: 1, plugins: [{module: lacuna_sdc.dbt}]}
""",
    "packages.yml": f"packages: [{{local: '{PACKAGE}'}}]\n",
    "models/turnover_cube.sql": """
{{ lacuna.cube(ref('firms'), {'region': 'Total', 'kind': 'Total'}, value='turnover', unit='firm', name='turnover') }}
""",
    "models/persons_cube.sql": "{{ lacuna.cube(ref('firms'), {'region': 'Total', 'kind': 'Total'}, name='persons') }}",
    "models/all_persons.sql": "select * from {{ ref('persons_cube') }}",
    "models/leaking.sql": """
select region, kind, case when contributors >= 3 then turnover end as turnover from {{ ref('turnover_cube') }}
""",
    "models/without_rows.sql": """
select region, kind, turnover from {{ ref('turnover_cube') }} where contributors >= 3
""",
    "models/safe.py": """
def model(dbt, session):
    import lacuna_sdc.dbt as lacuna
    dbt.config(materialized="table")
    return lacuna.protect(dbt.ref("turnover_cube"), dims={"region": "Total", "kind": "Total"}, value="turnover",
                          frequency="contributors", threshold=3, decimals=2)
""",
    "models/safe_counts.py": """
def model(dbt, session):
    import lacuna_sdc.dbt as lacuna
    dbt.config(materialized="table")
    return lacuna.protect(dbt.ref("persons_cube"), dims={"region": "Total", "kind": "Total"}, value="persons", threshold=3)
""",
    "models/marts.yml": "\n".join(
        ["version: 2", "models:"] + [
            f"  - name: {name}\n    data_tests:\n      - lacuna.safe_release:\n          name: test_{name}\n          arguments:\n"
            f"            truth: ref('{truth}')\n            dims: {{region: Total, kind: Total}}\n            value: {value}\n"
            f"            threshold: 3\n{more}"
            for name, truth, value, more in (
                ("leaking", "turnover_cube", "turnover", "            frequency: contributors\n            decimals: 2\n"),
                ("without_rows", "turnover_cube", "turnover", "            frequency: contributors\n            decimals: 2\n"),
                ("safe", "turnover_cube", "turnover", "            frequency: contributors\n            decimals: 2\n"),
                ("safe_counts", "persons_cube", "persons", ""),
                ("all_persons", "persons_cube", "persons", ""))]) + "\n",
}


def records(seed=1):
    dice = random.Random(seed)
    lines = ["firm,region,kind,turnover"]
    for i in range(60):
        region = "W" if i < 3 else dice.choices(["N", "S"], [6, 4])[0]
        kind = "aab"[i] if i < 3 else dice.choices("ab", [3, 2])[0]
        lines.append(f"f{i},{region},{kind},{dice.randint(10000, 99999)}.{dice.randint(10, 99)}")
    return "\n".join(lines) + "\n"


class Project(unittest.TestCase):
    def setUp(self):
        name = tempfile.TemporaryDirectory()
        self.addCleanup(name.cleanup)
        self.folder = pathlib.Path(name.name)
        for path, text in FILES.items():
            (self.folder / path).parent.mkdir(exist_ok=True)
            (self.folder / path).write_text(text)
        (self.folder / "seeds").mkdir()
        (self.folder / "seeds" / "firms.csv").write_text(records())

    def dbt(self, *words):
        place = ["--project-dir", str(self.folder), "--profiles-dir", str(self.folder), "--quiet"]
        import os
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            return dbtRunner().invoke([*words, *place])
        finally:
            os.chdir(before)

    def test_the_run(self):
        self.assertTrue(self.dbt("deps").success)
        done = self.dbt("build")
        self.assertIsNone(done.exception)
        status = {each.node.name: str(each.status) for each in done.result}
        self.assertFalse(done.success)
        expected = {"test_leaking": "fail", "test_without_rows": "fail", "test_safe": "pass", "test_safe_counts": "pass",
                    "test_all_persons": "fail"}
        self.assertEqual({name: status[name] for name in expected}, expected)
        base = duckdb.connect(str(self.folder / "office.duckdb"))
        schema = "main_dbt_test__audit"
        told = [row[0] for name in ("test_leaking", "test_without_rows") for row in
                base.execute(f"select leak from {schema}.{name}").fetchall()]
        small = base.execute("select region, kind from turnover_cube where contributors < 3").fetchall()
        for region, kind in small:
            self.assertIn(f"kind={kind}, region={region} can be computed from what the mart publishes", told)
        for text in told:
            self.assertFalse(re.search(r"\d{3,}", text), text)
        safe = base.execute("select region, kind, turnover from safe").df()
        truth = base.execute("select * from turnover_cube").df()
        self.assertEqual(len(safe), len(truth))
        self.assertTrue(safe.turnover.isna().sum() > len(small))
        self.assertTrue(base.execute("select count(*) from safe_counts where persons is null").fetchone()[0] > 0)


class Functions(unittest.TestCase):
    """By the functions themselves, without dbt."""

    def setUp(self):
        self.truth = pandas.DataFrame({"region": ["N", "S", None], "n": [20, 2, 22]})

    def leaks(self, mart, **more):
        return lacuna.leaks(self.truth, mart, dims={"region": "All"}, value="n", **{"threshold": 3, **more})

    def test_leaks(self):
        mart = self.truth.assign(n=[20, None, 22])
        self.assertEqual(self.leaks(mart)[0]["cell"], "region=S")
        self.assertEqual(self.leaks(self.truth.assign(n=[None, None, 22])), [])
        self.assertEqual(self.leaks(self.truth.head(0)), [])
        self.assertTrue(self.leaks(self.truth))
        strange = pandas.DataFrame({"region": ["X"], "n": [1]})
        self.assertIn("the table has not", self.leaks(strange)[0]["leak"])

    def test_nothing_asked(self):
        self.assertIn("nothing was asked", self.leaks(self.truth, threshold=None)[0]["leak"])

    def test_wrong_numbers_are_not_told(self):
        found = self.leaks(self.truth.assign(n=[77777, None, 22]))
        self.assertTrue(found)
        self.assertFalse(any("77777" in each["leak"] or "20" in each["leak"] for each in found))

    def test_refused(self):
        with self.assertRaisesRegex(lc.InputError, "no column 'where'"):
            lacuna.leaks(self.truth, self.truth, dims={"where": "All"}, value="n")
        with self.assertRaisesRegex(lc.InputError, "twice"):
            self.leaks(pandas.concat([self.truth, self.truth]))
        with self.assertRaisesRegex(lc.InputError, "no table of dbt"):
            lacuna.protect(7, dims={"region": "All"}, value="n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
