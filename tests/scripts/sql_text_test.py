#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The SQL text of the jobs in tests/data/sql/, for every dialect and plan, byte by byte as it stands there in
JOB.DIALECT.PLAN.sql. tests/engines/tabulation_test.py shows that such text makes the right sums.

  sql_text_test.py LACUNA [unittest options]
  sql_text_test.py LACUNA --update     write the files anew
"""
import pathlib
import subprocess
import sys
import unittest

LACUNA = str(pathlib.Path(sys.argv.pop(1)).resolve())
DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "sql"
DIALECTS = ("duckdb", "postgresql", "spark")
PLANS = {"firms": ("A", "B"), "pupils": ("A", "B"), "votes": ("A",)}  # without respondents there is no plan B
TEXTS = [(job, dialect, plan) for job, plans in PLANS.items() for dialect in DIALECTS for plan in plans]


def sql(job, dialect, plan):
    done = subprocess.run([LACUNA, "sql", f"{job}.toml", "--dialect", dialect, "--plan", plan],
                          cwd=DATA, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0 and not done.stderr, done.stderr.decode()
    return done.stdout.decode()


def golden(job, dialect, plan):
    return DATA / f"{job}.{dialect}.{plan}.sql"


class SqlText(unittest.TestCase):
    maxDiff = None

    def test_as_it_stands_in_the_files(self):
        for text in TEXTS:
            with self.subTest(text):
                self.assertEqual(golden(*text).read_text(encoding="utf-8"), sql(*text))

    def test_every_file_is_compared(self):
        self.assertEqual(sorted(golden(*text) for text in TEXTS), sorted(DATA.glob("*.sql")))
        self.assertEqual(sorted(PLANS), sorted(job.stem for job in DATA.glob("*.toml")))


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        for each in TEXTS:
            golden(*each).write_text(sql(*each), encoding="utf-8")
    else:
        unittest.main()
