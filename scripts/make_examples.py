#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the invented microdata of examples/: the same bytes on every machine.

  scripts/make_examples.py            write the files
  scripts/make_examples.py --check    exit 1 if the files are not what this script writes
"""
import pathlib
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


class Numbers:
    """A linear congruential generator (Knuth's MMIX constants); Python's own may change."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound

    def pick(self, items):
        return items[self.below(len(items))]

    def size(self, largest):
        """A turnover with a long tail, in thousands with one decimal."""
        tenths = 10 + self.below(400) * (1 + self.below(5)) ** self.below(4)
        return f"{min(tenths, largest) // 10}.{min(tenths, largest) % 10}"


def business():
    """Turnover of firms by activity and region; firms of one group are one contributor."""
    numbers = Numbers(11)
    activities = ["C10", "C11", "C13", "F41", "F43", "G45", "G46", "G47"]
    regions = ["North", "East", "South", "West"]
    lines = ["firm,group,activity,region,turnover"]
    for firm in range(1, 141):
        group = f"g{numbers.below(6)}" if numbers.below(8) == 0 else ""
        lines.append(f"f{firm:03},{group},{numbers.pick(activities)},{numbers.pick(regions)},{numbers.size(90000)}")
    return "\n".join(lines) + "\n"


def linked():
    """Investment of firms by activity (digits), region (nested in areas) and size class."""
    numbers = Numbers(23)
    areas = {"R1": "Coast", "R2": "Coast", "R3": "Hills", "R4": "Hills", "R5": "Hills"}
    lines = ["firm;activity;area;region;size;investment"]
    for firm in range(1, 201):
        region = numbers.pick(sorted(areas))
        size = numbers.pick(["small", "small", "medium", "large"])
        activity = numbers.pick(["11", "12", "21", "22", "23", "31"])
        lines.append(f"{firm};{activity};{areas[region]};{region};{size};{10 + numbers.below(900) * (1 + numbers.below(6))}")
    return "\n".join(lines) + "\n"


def people():
    """Persons by age, sex, education and work, in columns of fixed width."""
    numbers = Numbers(37)
    lines = []
    for person in range(1, 601):
        age = numbers.pick(["15-29", "30-44", "45-64", "65+  "])
        sex = numbers.pick("FM")
        education = numbers.pick("1223334")
        work = numbers.pick(["employed", "employed", "employed", "at home ", "student ", "        "])
        lines.append(f"{person:04}{age}{sex}{education}{work}")
    return "\n".join(lines) + "\n"


FILES = {"business.csv": business, "linked.csv": linked, "people.txt": people}


def main(arguments):
    if arguments not in ([], ["--check"]):
        print("usage: make_examples.py [--check]", file=sys.stderr)
        return 2
    wrong = 0
    for name, make in FILES.items():
        path = EXAMPLES / name
        if not arguments:
            path.write_text(make(), encoding="utf-8", newline="\n")
        elif not path.is_file() or path.read_bytes() != make().encode():
            print(f"examples/{name} is not what scripts/make_examples.py writes", file=sys.stderr)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
