#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random series of periods, judged from the public files alone.

  periods_property_test.py LACUNA [--series N] [--seed S]

Counts: a 2 x 2 table with totals, for several periods. Every period is protected with a store and
recorded. The oracle lists all tables that agree with what each period published, takes the
differences of every two periods, and says whether a sensitive change (1 or 2 persons) can be only one
number. What was protected must leave none; what was protected without asking about changes is
audited with the store, and the auditor must say no exactly where the oracle does.

Records: the same release is audited against a store, where changes are judged by the proven ends of
earlier releases, and against all periods named one by one ([[before]]), where whole tables stand in
the system. Both must say the same of every change that both ask about, and of the release."""
import argparse
import itertools
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PLACES, WORK = ("all", "N", "S"), ("all", "yes", "no")
COUNTS_JOB = """[input]
table = "%(input)s"
[columns]
frequency = "n"
[[dimension]]
name = "place"
total = "all"
[[dimension]]
name = "work"
total = "all"
[[rule]]
type = "frequency"
n = 3
"""
RECORDS_JOB = """[input]
records = "%(input)s"
[columns]
value = "amount"
respondent = "firm"
[attackers]
respondents = false
[[dimension]]
name = "branch"
total = "all"
[[dimension]]
name = "place"
total = "all"
[[rule]]
type = "frequency"
n = 3
range = 10
[[rule]]
type = "p-percent"
p = 10
"""


class Series:
    """A folder with the jobs and files of one series."""

    def __init__(self, lacuna, folder):
        self.lacuna, self.folder = lacuna, pathlib.Path(folder)
        for name in ("kept", "alone"):
            assert self.run("store", name, "--new").returncode == 0

    def run(self, *args):
        return subprocess.run([self.lacuna, *args], cwd=self.folder, capture_output=True, text=True, check=False)

    def job(self, name, template, source, sections):
        (self.folder / (name + ".toml")).write_text(template % {"input": source} + sections)

    def release(self, name, *args):
        """Protects and records; the public file, or None where there is no release."""
        done = self.run("protect", name + ".toml", "--public", name + "_pub.csv", "--record", *args)
        assert done.returncode in (0, 2), (name, done.stdout, done.stderr)
        return name + "_pub.csv" if done.returncode == 0 else None

    def audit(self, name, public):
        done = self.run("audit", name + ".toml", "--pattern", public, "--json", "--verdicts-only")
        assert done.returncode in (0, 2), (name, done.stdout, done.stderr)
        return json.loads(done.stdout)


def store(folder, name, more=""):
    return '[store]\nfolder = "%s"\nperiod = "%s"\n%s' % (folder, name, more)


def with_totals(inner):
    table = {}
    for place, work in itertools.product(PLACES, WORK):
        table[place, work] = sum(n for (p, w), n in inner.items() if place in ("all", p) and work in ("all", w))
    return table


def read_public(path):
    rows = [line.split(";") for line in path.read_text().splitlines()]
    place, work, value = (rows[0].index(name) for name in ("place", "work", "value"))
    return {(row[place], row[work]): int(row[value]) if row[value] else None for row in rows[1:]}


def tables_like(shown, most):
    """All tables of whole numbers that agree with what is published; `most` bounds what nothing else does."""
    cells = list(itertools.product(PLACES[1:], WORK[1:]))
    ranges = [[shown[c]] if shown[c] is not None else range(most + 1) for c in cells]
    found = []
    for numbers in itertools.product(*ranges):
        table = with_totals(dict(zip(cells, numbers)))
        if all(n is None or n == table[c] for c, n in shown.items()):
            found.append(table)
    return found


def told(now, earlier, truth, before):
    """Sensitive changes that can be only one number."""
    cells = []
    for cell in truth:
        change = truth[cell] - before[cell]
        if not 1 <= abs(change) <= 2:
            continue
        here, there = {t[cell] for t in now}, {t[cell] for t in earlier}
        if len(here) == 1 and len(there) == 1:
            cells.append(cell)
    return cells


def counts_series(lacuna, rng, seen):
    with tempfile.TemporaryDirectory() as folder:
        series = Series(lacuna, folder)
        inner = {c: rng.randrange(3, 9) for c in itertools.product(PLACES[1:], WORK[1:])}
        truths, kept, alone = [], [], []
        for period in range(3):
            name = "p%d" % period
            truth = with_totals(inner)
            lines = ["place;work;n"] + ["%s;%s;%d" % (*cell, n) for cell, n in truth.items()]
            (series.folder / (name + ".csv")).write_text("\n".join(lines) + "\n")
            most = truth["all", "all"] + 8
            for way, shown, more in (("kept", kept, ""), ("alone", alone, 'differences = "none"\n')):
                series.job(way + name, COUNTS_JOB, name + ".csv", store(way, name, more))
                public = series.release(way + name)
                if public is None:  # what is out tells it already
                    seen["refused"] += 1
                    return
                now = tables_like(read_public(series.folder / public), most)
                leaks = [leak for p, earlier in enumerate(shown) for leak in told(now, earlier, truth, truths[p])]
                if way == "kept":
                    assert not leaks, (folder, leaks)
                    seen["kept"] += 1
                else:
                    series.job("checked", COUNTS_JOB, name + ".csv", store(way, name))
                    verdict = series.audit("checked", public)["verdict"]
                    assert (verdict == "exposed") == bool(leaks), (name, verdict, leaks)
                    seen["exposed" if leaks else "safe"] += 1
                shown.append(now)
            truths.append(truth)
            for cell in rng.sample(sorted(inner), 2):
                inner[cell] = max(3, inner[cell] + rng.choice((-2, -1, 0, 1, 2, 4)))


def changes(report):
    return {(tuple(each["codes"]), each["change_since"]): each["verdict"]
            for each in report["cells"] if "change_since" in each}


def records_series(lacuna, rng, seen):
    with tempfile.TemporaryDirectory() as folder:
        series = Series(lacuna, folder)
        firms = {n: [rng.choice("ABC"), rng.choice("NS"), rng.randrange(20, 900)] for n in range(rng.randrange(24, 40))}
        released = []
        for period in range(4):
            name = "p%d" % period
            lines = ["firm;branch;place;amount"] + ["%d;%s;%s;%d" % (n, *firm) for n, firm in sorted(firms.items())]
            (series.folder / (name + ".csv")).write_text("\n".join(lines) + "\n")
            way, more = ("alone", 'differences = "none"\n') if rng.random() < 0.5 else ("kept", "")
            series.job("run", RECORDS_JOB, name + ".csv", store("kept", name, more))
            if series.release("run") is None:
                seen["refused"] += 1
                return
            public = name + "_pub.csv"
            (series.folder / "run_pub.csv").rename(series.folder / public)
            series.job("stored", RECORDS_JOB, name + ".csv", store("kept", name))
            series.job("named", RECORDS_JOB, name + ".csv", "".join(
                '[[before]]\nname = "%s"\ninput = "%s.csv"\nrelease = "%s_pub.csv"\n' % (p, p, p) for p in released))
            stored, named = series.audit("stored", public), series.audit("named", public)
            ours, theirs = changes(stored), changes(named)
            assert (stored["verdict"] == "exposed") == (named["verdict"] == "exposed"), (folder, stored, named)
            for key, verdict in ours.items():
                assert theirs[key] == verdict, (key, verdict, theirs[key])
            exposed = {codes for (codes, _), verdict in ours.items() if verdict == "exposed"}
            for (codes, since), verdict in theirs.items():
                assert verdict != "exposed" or codes in exposed or (codes, since) not in ours and any(
                    c["verdict"] == "exposed" and tuple(c["codes"]) == codes for c in stored["cells"]), (codes, since)
            seen["same"] += len(ours)
            seen["same exposed"] += len(exposed)
            seen[way] += 1
            released.append(name)
            for number in rng.sample(sorted(firms), 3):
                firms[number][2] = max(1, firms[number][2] + rng.randrange(-200, 300))
            if rng.random() < 0.5:
                del firms[min(firms)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna")
    parser.add_argument("--series", type=int, default=60 if os.environ.get("LACUNA_TESTS") == "whole" else 8)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("LACUNA_SEED", "1")))
    options = parser.parse_args()
    lacuna = str(pathlib.Path(options.lacuna).resolve())
    seen = dict.fromkeys(("kept", "alone", "safe", "exposed", "refused", "same", "same exposed"), 0)
    for number in range(options.seed, options.seed + options.series):
        for kind in (counts_series, records_series):
            try:
                kind(lacuna, random.Random("%s %d" % (kind.__name__, number)), seen)
            except AssertionError:
                print("LACUNA_SEED=%d: %s" % (number, kind.__name__), file=sys.stderr)
                raise
    print("; ".join("%s %d" % each for each in seen.items()))
    # A test that never sees a leak would not show that the auditor finds them.
    for what in ("exposed", "kept", "same exposed"):
        assert seen[what] > 0, seen


if __name__ == "__main__":
    main()
