#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the records of tests/data/counts, and the table of noise of counts3, from one seed.

  scripts/make_test_records.py           write them anew
  scripts/make_test_records.py --check   compare them with what is there; exit 1 if they differ
"""

import pathlib
import sys

COUNTS = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "counts"


class Draw:
    """A linear congruential generator, which any language can repeat."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % limit


def text_of(head, rows, separator=";"):
    return "".join(separator.join(str(field) for field in row) + "\n" for row in [head, *rows])


def counts1(draw):
    """30 records with keys of 4 decimals; nobody is in (d, m)."""
    rows = []
    while len(rows) < 30:
        region, sex = "aaaabbccccd"[draw.below(11)], "mf"[draw.below(2)]
        if (region, sex) != ("d", "m"):
            rows.append((len(rows) + 1, region, sex, f"0.{draw.below(10000):04d}"))
    return text_of(["id", "region", "sex", "key"], rows)


def income_of(draw):
    """Of 1,000 persons 100 have none, 200 little, and 50 very much."""
    share = draw.below(1000)
    if share < 100:
        return 0
    if share < 300:
        return share - 99
    return 5 * share + draw.below(400) if share < 950 else 20000 + 37 * draw.below(2000)


def counts2(draw):
    """400 records with weights, incomes, and keys of 8 decimals that never end in a zero."""
    rows = []
    for number in range(1, 401):
        region, sex = "aaaaaaaabbbbccde"[draw.below(16)], "mf"[draw.below(2)]
        age = "yyyymmmmooox"[draw.below(12)]
        key = draw.below(10**7) * 10 + 1 + draw.below(9)
        income = income_of(draw)
        rows.append((number, region, sex, age, 1 + draw.below(5), income, f"0.{key:08d}"))
    return text_of(["id", "region", "sex", "age", "weight", "income", "key"], rows)


def counts3(draw):
    """2,400 records with whole keys; one count is above 750, where the table of noise ends."""
    rows = []
    for number in range(1, 2401):
        place = draw.below(2400)
        area = "P" if place < 1030 else "Q" if place < 1790 else "R" if place < 2380 else "S"
        category = "uvw"[0 if draw.below(100) < 96 else 1 + draw.below(2)]
        rows.append((number, area, category, draw.below(16)))
    return text_of(["id", "area", "cat", "key"], rows)


def noise_of(count, key):
    place = (key * 5 + count * 7) % 16
    if count == 1:
        return 2 if place < 5 else -1
    if count == 2:
        return 1 if place < 11 else -2
    return {3: 1, 4: 1, 5: 1, 6: -2, 9: -1, 10: -1, 11: -1, 12: 2}.get(place, 0)


def noise_table():
    rows = [(count, key, noise_of(count, key)) for count in range(1, 751) for key in range(16)]
    return text_of(["pcv", "ckey", "pvalue"], rows, ",")


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print("usage: make_test_records.py [--check]", file=sys.stderr)
        return 2
    draw = Draw(2026)
    files = {"counts1/micro.csv": counts1(draw), "counts2/micro.csv": counts2(draw),
             "counts3/micro.csv": counts3(draw), "counts3/ptable.csv": noise_table()}
    different = [name for name, text in files.items() if (COUNTS / name).read_text(encoding="utf-8") != text]
    for name in different:
        print(f"tests/data/counts/{name} is another than the one that is drawn", file=sys.stderr)
        if not sys.argv[1:]:
            (COUNTS / name).write_text(files[name], encoding="utf-8")
    return 1 if different and sys.argv[1:] else 0


if __name__ == "__main__":
    sys.exit(main())
