#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws records of firms in the shape of a real register: activities of six digits by county.

  bench/records/firms.py FOLDER [--times 1] [--seed 1]

Writes FOLDER/firms.csv and FOLDER/firms.toml. Once: 90,000 records, 50,000 cells,
of which 28,000 are sensitive, and 25,000 firms in these: 700 million pairs. `--times 10`
draws ten times as many records, firms and cells. Equal seeds give equal files everywhere."""

import argparse
import math
import pathlib
import random

JOB = """[input]
records = "firms.csv"
separator = ","

[columns]
value = "amount"
respondent = "firm"

[[dimension]]
name = "activity"
digits = [2, 1, 3]

[[dimension]]
name = "county"
columns = ["region", "county"]

[[rule]]
type = "p-percent"
p = 10

[[rule]]
type = "frequency"
n = 3
"""


def activities_of(draw, count):
    """Codes of six digits in a tree that branches unevenly, the popular ones first."""
    codes = set()
    while len(codes) < count:
        sector = 11 + int(20 * draw.random() ** 1.3)
        codes.add(f"{sector}" + "".join(str(1 + int(6 * draw.random() ** 1.5)) for _ in range(4)))
    codes = sorted(codes)
    draw.shuffle(codes)
    return codes


def pick(draw, things, skew):
    return things[int(len(things) * draw.random() ** skew)]


def write_records(path, draw, times):
    activities = activities_of(draw, int(400 * times**0.55))
    counties = [f"{1 + n // 14:02d}{n:04d}" for n in range(int(159 * times**0.55))]
    with path.open("w", encoding="ascii", newline="\n") as file:
        file.write("firm,activity,region,county,amount\n")
        for firm in range(65_000 * times):
            activity, county = pick(draw, activities, 3.5), pick(draw, counties, 3)
            size = math.exp(draw.gauss(9.5, 1.4))
            for _ in range(1 + min(30, int(draw.expovariate(1 / 0.75)))):
                here = county if draw.random() < 0.6 else pick(draw, counties, 3)
                what = activity if draw.random() < 0.6 else pick(draw, activities, 3.5)
                amount = 1 + int(size * (0.2 + draw.random()))
                file.write(f"F{firm:07d},{what},R{here[:2]},C{here[2:]},{amount}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    write_records(args.folder / "firms.csv", random.Random(args.seed), args.times)
    (args.folder / "firms.toml").write_text(JOB, encoding="utf-8")


if __name__ == "__main__":
    main()
