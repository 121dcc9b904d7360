#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two geographies of one population by categories, audited as one system (docs/counts.md, section 7).

  geographies.py LACUNA [--side 32] [--categories 50] [--persons 400] [--seed 1] [-- OPTIONS OF AUDIT]

A square country of SIDE x SIDE wards; districts are squares of two by two wards, moved by half a ward, so that half of
the wards are cut in each direction: 2.25 SIDE^2 atoms. About PERSONS persons per atom fall into the categories with
weights 1/k. The release hides the small counts of either table and nothing else. Prints one line of figures."""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

JOB = """[input]
records = "persons.csv"
[columns]
frequency = "n"
[[dimension]]
name = "ward"
total = "all"
[[dimension]]
name = "district"
total = "all"
[[dimension]]
name = "category"
total = "both"
[[table]]
name = "wards"
dimensions = ["ward", "category"]
[[table]]
name = "districts"
dimensions = ["district", "category"]
[counts]
threshold = 3
[differencing]
areas = ["ward", "district"]
"""


def pieces(side):
    """(ward, district) of every piece of one direction: a ward with a district's border in it has two."""
    found = []
    for ward in range(side):
        districts = {(2 * ward + 1 + half) // 4 for half in (0, 1)}
        found += [(ward, district) for district in sorted(districts)]
    return found


def write_records(path, options):
    draw = random.Random(options.seed)
    weights = [1 / (k + 1) for k in range(options.categories)]
    with open(path, "w", encoding="utf-8") as out:
        out.write("ward;district;category;n\n")
        for ward_row, district_row in pieces(options.side):
            for ward_column, district_column in pieces(options.side):
                counts = [0] * options.categories
                persons = draw.randint(options.persons // 2, options.persons * 3 // 2)
                for category in draw.choices(range(options.categories), weights, k=persons):
                    counts[category] += 1
                for category, number in enumerate(counts):
                    if number:
                        out.write(f"w{ward_row}.{ward_column};d{district_row}.{district_column};c{category};{number}\n")


def main():
    arguments = sys.argv[1:]
    more = arguments[arguments.index("--") + 1:] if "--" in arguments else []
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna")
    parser.add_argument("--side", type=int, default=32)
    parser.add_argument("--categories", type=int, default=50)
    parser.add_argument("--persons", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments[:arguments.index("--")] if "--" in arguments else arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "job.toml").write_text(JOB, encoding="utf-8")
        write_records(folder / "persons.csv", options)
        command = [options.lacuna, "audit", str(folder / "job.toml"), "--verdicts-only", "--json", *more]
        start = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - start
    if run.returncode not in (0, 2):
        sys.exit(run.stderr)
    report = json.loads(run.stdout)
    kinds = " ".join(f"{kind} {found['exposed']}/{sum(found.values())}" for kind, found in report["kinds"].items())
    undecided = sum(found["undecided"] for found in report["kinds"].values())
    note = next((line for line in run.stderr.splitlines() if "nobody publishes" in line), "")
    print(f"side {options.side} categories {options.categories} persons {options.persons} seed {options.seed}: "
          f"{seconds:.1f} s, exposed of all: {kinds}, undecided {undecided}; {note}")


if __name__ == "__main__":
    main()
