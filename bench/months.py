#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Months of a generated business survey: what the difference of two tables tells.

  bench/months.py LACUNA FOLDER [--months 24] [--firms 6000] [--activities 60] [--regions 8] [--seed 1] [--before 1]

A table of turnover by activity (two levels) and region, every month. Two per cent of the firms begin
to report, end or report another number; all others report what they reported the month before. Each
month is protected twice: alone, as a job without [[before]], with --prefer of the month before; and
with [[before]]. What was released alone is then audited with [[before]]: a leak is a change of which a
reader comes closer than the rules allow. Prints a table in Markdown."""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import time

RULES = """[[dimension]]
name = "activity"
digits = [1, 1]
total = "all"
[[dimension]]
name = "region"
total = "all"
[[rule]]
type = "frequency"
n = 3
range = 10
[[rule]]
type = "p-percent"
p = 10
[attackers]
respondents = false
"""


def survey(rng, options):
    firms = {}
    for number in range(options.firms):
        firms[number] = new_firm(rng, options)
    return firms


def new_firm(rng, options):
    activity = rng.randrange(options.activities)
    code = chr(ord("A") + activity // 6) + chr(ord("1") + activity % 6)
    return [code, "R%d" % (rng.randrange(options.regions) + 1), int(rng.lognormvariate(6, 1)) + 1]


def next_month(rng, firms, options):
    for number in rng.sample(sorted(firms), max(1, len(firms) * 2 // 100)):
        what = rng.randrange(3)
        if what == 0:
            del firms[number]
            firms[max(firms) + 1] = new_firm(rng, options)
        else:
            firms[number][2] = max(1, int(firms[number][2] * rng.uniform(0.7, 1.4)))


def write(path, firms):
    rows = ["firm;activity;region;turnover"]
    rows += ["%d;%s;%s;%d" % (n, *firm) for n, firm in sorted(firms.items())]
    path.write_text("\n".join(rows) + "\n")


def job(path, month, way, months):
    text = '[input]\nrecords = "m%d.csv"\n[columns]\nvalue = "turnover"\nrespondent = "firm"\n' % month + RULES
    for earlier in months:
        text += '[[before]]\nname = "m%d"\ninput = "m%d.csv"\nrelease = "%s%d.pub.csv"\n' % (
            earlier, earlier, way, earlier)
    path.write_text(text)


def run(options, *args):
    begun = time.monotonic()
    done = subprocess.run([options.lacuna, *args], cwd=options.folder, capture_output=True, text=True, check=False)
    return done, time.monotonic() - begun


def summary(options, name, result):
    text = (pathlib.Path(options.folder) / result).read_text()
    found = json.loads(text)["run"]
    return found["primary"], found["suppressed"], found["objective"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna")
    parser.add_argument("folder")
    for name, default in (("months", 24), ("firms", 6000), ("activities", 60), ("regions", 8), ("seed", 1), ("before", 1)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--options", default="--effort fast --threads 1")
    options = parser.parse_args()
    options.lacuna = str(pathlib.Path(options.lacuna).resolve())
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(options.seed)
    firms = survey(rng, options)
    extra = options.options.split()
    print("| month | withheld alone | value | s | leaks | withheld with the month before | value | s | leaks |")
    print("|---|---|---|---|---|---|---|---|---|")
    totals, beyond = [0, 0], 0
    for month in range(1, options.months + 1):
        if month > 1:
            next_month(rng, firms, options)
        write(folder / ("m%d.csv" % month), firms)
        job(folder / ("alone%d.toml" % month), month, "alone", [])
        cells = []
        for way in ("alone", "kept"):
            name = "%s%d" % (way, month)
            job(folder / (name + ".checked.toml"), month, way, range(max(1, month - options.before), month))
            input_name = name + ".toml" if way == "alone" else name + ".checked.toml"
            prefer = ["--prefer", "%s%d.json" % (way, month - 1)] if month > 1 else []
            done, seconds = run(options, "protect", input_name, "-o", name + ".json", "--public", name + ".pub.csv",
                                *prefer, *extra)
            if done.returncode != 0:
                sys.exit("%s: %s%s" % (name, done.stdout, done.stderr))
            checked, _ = run(options, "audit", name + ".checked.toml", "--pattern", name + ".pub.csv",
                             "--verdicts-only", "--json")
            if checked.returncode not in (0, 2):
                sys.exit("%s: %s%s" % (name, checked.stdout, checked.stderr))
            counts = json.loads(checked.stdout)["counts"]
            shown = (folder / (name + ".pub.csv")).read_text().count(";withheld")
            primary, _, cost = summary(options, name, name + ".json")
            leaks = counts["exposed"]
            if way == "kept" and month > options.before + 1:  # what nobody asked: the change over more months
                job(folder / "two.toml", month, way, [month - options.before - 1])
                twice, _ = run(options, "audit", "two.toml", "--pattern", name + ".pub.csv", "--verdicts-only", "--json")
                beyond += json.loads(twice.stdout)["counts"]["exposed"]
            totals[way == "kept"] += leaks
            cells.append("%d | %.0f | %.1f | %d" % (shown, cost, seconds, leaks))
        print("| %d | %s |" % (month, " | ".join(cells)), flush=True)
    print("\nleaks: %d alone, %d with [[before]]; %d over %d months, which was not asked" % (
        *totals, beyond, options.before + 1))


if __name__ == "__main__":
    main()
