#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Months of a generated business survey: what the difference of two tables tells.

  bench/months.py LACUNA FOLDER [--months 24] [--firms 6000] [--activities 60] [--regions 8] [--seed 1]
  bench/months.py LACUNA FOLDER --before 2      the months before are named ([[before]])
  bench/months.py LACUNA FOLDER --store         they come from a store of releases ([store])

A table of turnover by activity (two levels) and region, every month. Two per cent of the firms begin
to report, end or report another number; all others report what they reported the month before. Each
month is protected twice: alone, with --prefer of the month before; and with the months before, named
or from a store. What was released alone is then audited with them: a leak is a change of which a
reader comes closer than the rules allow. Prints a table in Markdown, with seconds of CPU;
FOLDER/months.csv has the same numbers, a line per month as it ends."""
import argparse
import json
import pathlib
import random
import re
import resource
import subprocess
import sys

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


def job(path, month, sections=""):
    text = '[input]\nrecords = "m%d.csv"\n[columns]\nvalue = "turnover"\nrespondent = "firm"\n' % month
    path.write_text(text + RULES + sections)


def named(way, months):
    return "".join('[[before]]\nname = "m%d"\ninput = "m%d.csv"\nrelease = "%s%d.pub.csv"\n' % (m, m, way, m)
                   for m in months)


def store(way, more=""):
    return '[store]\nfolder = "store_%s"\n%s' % (way, more)


def run(options, *args):
    """What it said, and its seconds of CPU, which other programs do not change much."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([options.lacuna, *args], cwd=options.folder, capture_output=True, text=True, check=False)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime


def jobs_of(options, folder, way, month):
    """The job that is protected, and the one that its release is audited by."""
    name = "%s%d" % (way, month)
    if options.store:
        job(folder / (name + ".toml"), month, store(way, 'differences = "none"\n' if way == "alone" else ""))
        job(folder / (name + ".checked.toml"), month, store(way))
    else:
        job(folder / (name + ".checked.toml"), month, named(way, range(max(1, month - options.before), month)))
        if way == "alone":
            job(folder / (name + ".toml"), month)
    alone = way == "alone" or options.store
    return name, name + (".toml" if alone else ".checked.toml"), name + ".checked.toml"


def changes_said(text):
    """Of the sentence about the store: changes that are sensitive, safe, asked, and follow."""
    found = re.search(r"compared: (\d+) (?:is|are) sensitive(?:, of which (\d+) (?:is|are) safe by what was withheld "
                      r"then; (\d+) (?:is|are) asked of this release, and (\d+))?", text)
    return [int(each or 0) for each in found.groups()] if found else [0, 0, 0, 0]


def one_way(options, folder, way, month):
    name, protected, checked = jobs_of(options, folder, way, month)
    extra = ["--prefer", "%s%d.json" % (way, month - 1)] if month > 1 and not options.store else []
    extra += ["--record"] if options.store else []
    done, seconds = run(options, "protect", protected, "-o", name + ".json", "--public", name + ".pub.csv", *extra,
                        *options.options.split())
    if done.returncode != 0:
        sys.exit("%s: %s%s" % (name, done.stdout, done.stderr))
    audited, _ = run(options, "audit", checked, "--pattern", name + ".pub.csv", "--verdicts-only", "--json")
    if audited.returncode not in (0, 2):
        sys.exit("%s: %s%s" % (name, audited.stdout, audited.stderr))
    counts = json.loads(audited.stdout)["counts"]
    result = json.loads((folder / (name + ".json")).read_text())["run"]
    sensitive, safe, asked, follow = changes_said(audited.stderr)
    blanks = (folder / (name + ".pub.csv")).read_text().count(";withheld")
    return {"way": way, "month": month, "blanks": blanks, "value": result["objective"], "seconds": round(seconds, 1),
            "leaks": counts["exposed"], "undecided": counts["undecided"], "sensitive": sensitive, "safe": safe,
            "asked": asked, "follow": follow}


def beyond(options, folder, month):
    """What nobody asked: the change over one month more than was named."""
    job(folder / "two.toml", month, named("kept", [month - options.before - 1]))
    audited, _ = run(options, "audit", "two.toml", "--pattern", "kept%d.pub.csv" % month, "--verdicts-only", "--json")
    return json.loads(audited.stdout)["counts"]["exposed"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna")
    parser.add_argument("folder")
    for name, default in (("months", 24), ("firms", 6000), ("activities", 60), ("regions", 8), ("seed", 1), ("before", 1)):
        parser.add_argument("--" + name, type=int, default=default)
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--options", default="--effort fast --threads 1")
    options = parser.parse_args()
    options.lacuna = str(pathlib.Path(options.lacuna).resolve())
    folder = pathlib.Path(options.folder)
    for way in ("alone", "kept"):
        (folder / ("store_" + way)).mkdir(parents=True, exist_ok=True)
    rng = random.Random(options.seed)
    firms = survey(rng, options)
    how = "from the store" if options.store else "with the month before"
    print("| month | withheld alone | value | s | leaks | withheld %s | value | s | leaks |" % how)
    print("|---|---|---|---|---|---|---|---|---|")
    leaks, more = {"alone": 0, "kept": 0}, 0
    with open(folder / "months.csv", "w", encoding="utf-8") as log:
        for month in range(1, options.months + 1):
            if month > 1:
                next_month(rng, firms, options)
            write(folder / ("m%d.csv" % month), firms)
            cells = []
            for way in ("alone", "kept"):
                made = one_way(options, folder, way, month)
                if log.tell() == 0:
                    log.write(";".join(made) + "\n")
                log.write(";".join(str(each) for each in made.values()) + "\n")
                log.flush()
                leaks[way] += made["leaks"]
                cells.append("%d | %.0f | %.1f | %d" % (made["blanks"], made["value"], made["seconds"], made["leaks"]))
            if not options.store and month > options.before + 1:
                more += beyond(options, folder, month)
            print("| %d | %s |" % (month, " | ".join(cells)), flush=True)
    print("\nleaks: %d alone, %d together" % (leaks["alone"], leaks["kept"]))
    if not options.store:
        print("%d over %d months, which was not asked" % (more, options.before + 1))


if __name__ == "__main__":
    main()
