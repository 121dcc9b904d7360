#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files of other agencies, as they came: each becomes a release by one command, or by a job of at
most six lines. The files lie in instances/day2 of the shared folder (tests/test_data.py).

  day2_test.py LACUNA"""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import test_data

LACUNA = str(pathlib.Path(sys.argv[1]).resolve())
DAY2 = test_data.need_shared("instances/day2")
OPEN = ["--unasked", "publish"]  # nobody marks a cell as sensitive in these
COUNTS = ["--counts", "--threshold", "5", "--effort", "fast"]

# File, options, and what standard output must contain. A job takes the place of the options.
COMMANDS = [
    ("nomis_tenure.csv", ["--totals", "computed", *COUNTS], "cells withheld"),  # all counts are large
    ("nomis_hhtype.csv", ["--totals", "computed", *COUNTS], "protected:"),
    ("tour_occ_arn2.tsv", ["--only", "geo=AT*", "--only", "TIME_PERIOD=2019", *OPEN], "cells withheld"),
    ("eu_AT.csv", OPEN, "cells withheld"),
    ("eu_ME.csv", OPEN, "cells withheld"),
    ("sdmx_AT.csv", OPEN, "cells withheld"),
    ("q44_fill.csv", ["--totals", "recomputed", *OPEN], "18 of 144 cells withheld"),
    ("ons_weekly_2017.csv", ["--rows", "43-52", "--wide", "week", "--totals", "computed", *COUNTS],
     "cells withheld"),
    ("TAB004.px", ["--only", "year=2017", "--totals", "computed", "--means", "..=zero", *OPEN],
     "cells withheld"),
]
RELEASES = [
    ("eu_AT.csv", "AT_theirs.csv", [], "4 of 195 cells withheld"),
    ("q44_fill.csv", "q44.csv", ["--totals", "recomputed", "--means", "N=withheld"],
     "18 of 144 cells withheld"),
]
JOBS = [
    ("sample.sav", '[input]\nrecords = "{}"\n[[dimension]]\nname = "mychar"\n'
     '[[rule]]\ntype = "frequency"\nn = 3\n'),
    ("sample.dta", '[input]\nrecords = "{}"\n[[dimension]]\nname = "mychar"\n'
     '[[rule]]\ntype = "frequency"\nn = 3\n'),
    ("sample.sas7bdat", '[input]\nrecords = "{}"\n[[dimension]]\nname = "mychar"\n'
     '[[rule]]\ntype = "frequency"\nn = 3\n'),
]


def run(folder, *arguments):
    return subprocess.run([LACUNA, *arguments], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=600, check=False)


def check(name, done, public, wanted):
    good = done.returncode in (0, 5) and wanted in done.stdout and public.exists()
    if not good:
        print(f"{name}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return good


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for number, (name, options, wanted) in enumerate(COMMANDS):
            public = folder / f"public{number}.csv"
            done = run(folder, "protect", str(DAY2 / name), "--public", public.name, *options)
            failed += not check(name, done, public, wanted)
        for number, (name, text) in enumerate(JOBS):
            (folder / name).write_bytes((DAY2 / name).read_bytes())
            job = folder / f"job{number}.toml"
            job.write_text(text.format(name), encoding="utf-8")
            table = folder / f"table{number}.csv"
            done = run(folder, "tabulate", job.name, "--table", table.name)
            failed += not check(name, done, table, "")
        # A wide table is written wide, and read again as a release of itself.
        wide = folder / "public0.csv"
        head = (DAY2 / "nomis_tenure.csv").read_text(encoding="utf-8").splitlines()[0]
        if wide.exists() and wide.read_text(encoding="utf-8").splitlines()[0] != head:
            print("nomis_tenure.csv: the heading of the public file is another one")
            failed += 1
        # Releases of others are read as they are.
        for table, release, options, wanted in RELEASES:
            done = run(folder, "audit", str(DAY2 / table), "--pattern", str(DAY2 / release), *options)
            if wanted not in done.stdout:
                print(f"{release}: exit {done.returncode}\n{done.stdout}{done.stderr}")
                failed += 1
        # What cannot be read without its truth says so.
        done = run(folder, "protect", str(DAY2 / "q44.csv"), "--means", "N=withheld")
        if done.returncode != 1:
            print(f"q44.csv: exit {done.returncode}\n{done.stdout}{done.stderr}")
            failed += 1
    tried = len(COMMANDS) + len(JOBS) + len(RELEASES) + 2
    print(f"{tried - failed} of {tried} as they should be")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
