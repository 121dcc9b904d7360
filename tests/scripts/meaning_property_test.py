#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a release tells its readers of blanks and of rounded numbers must not tell which cells are sensitive: two tables
that differ only in which of the withheld cells are (one or another corner of a rectangle that is cheap to withhold,
two of them, all four) have releases whose public files are the same, byte by byte, in every format, notes and
metadata included.

  meaning_property_test.py LACUNA [--tables N] [--seed S]
"""
import argparse
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

ENDINGS = (".csv", ".json", ".px", ".sdmx.csv", ".sdmx.json", ".jsonstat.json", ".xlsx")
SAYS = (".json", ".px", ".sdmx.json", ".jsonstat.json")  # texts that have a place for the sentences


class Drawn:
    """A table of two dimensions and a rectangle in it whose cells cost little."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.rows = [f"r{i}" for i in range(self.draw.randint(3, 5))]
        self.columns = [f"c{i}" for i in range(self.draw.randint(3, 5))]
        self.inner = {key: self.draw.randint(20, 400) for key in itertools.product(self.rows, self.columns)}
        pick = lambda names: self.draw.sample(names, 2)
        self.corners = sorted(itertools.product(pick(self.rows), pick(self.columns)))
        self.method = self.draw.choice([["--method", "suppress"], ["--method", "suppress"], ["--method", "interval"]])

    def value(self, row, column):
        return sum(value for (r, c), value in self.inner.items() if row in ("T", r) and column in ("T", c))

    def write(self, folder, sensitive):
        lines = ["row,column,value,status,cost,low,up"]
        for row, column in itertools.product(["T", *self.rows], ["T", *self.columns]):
            key = (row, column)
            is_sensitive = key in sensitive
            cost = 1 if key in self.corners else 100000
            lines.append(f"{row},{column},{self.value(*key)},{'u' if is_sensitive else 's'},{cost},"
                         f"{2 if is_sensitive else ''},{2 if is_sensitive else ''}")
        (folder / "t.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (folder / "t.toml").write_text(
            '[input]\ntable = "t.csv"\n[columns]\nvalue = "value"\nstatus = "status"\nweight = "cost"\n'
            'lower_level = "low"\nupper_level = "up"\n'
            '[[dimension]]\nname = "row"\ntotal = "T"\n[[dimension]]\nname = "column"\ntotal = "T"\n', encoding="utf-8")

    def released(self, place, name, sensitive):
        """The public files, by ending; nothing if the run has no release."""
        folder = place / name
        folder.mkdir()
        self.write(folder, sensitive)
        endings = [e for e in ENDINGS if self.method[1] == "suppress" or e in (".csv", ".json", ".xlsx")]
        outputs = [word for ending in endings for word in ("--public", f"out{ending}")]
        done = subprocess.run([LACUNA, "protect", "t.toml", *self.method, "--threads", "1", "--meaning", "sidecar",
                               "--weights", "cost", *outputs], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"protect ended with {done.returncode}: {done.stderr}")
        return {path.name: path.read_bytes() for path in sorted(folder.glob("out*"))}


def main():
    pairs, failed, said = 0, 0, 0
    for seed in range(ARGUMENTS.seed, ARGUMENTS.seed + ARGUMENTS.tables):
        drawn = Drawn(seed)
        choices = [drawn.corners[:1], drawn.corners[3:], [drawn.corners[0], drawn.corners[3]], drawn.corners]
        with tempfile.TemporaryDirectory() as folder:
            files = [drawn.released(pathlib.Path(folder), str(k), choice) for k, choice in enumerate(choices)]
        for one, other in itertools.combinations(files, 2):
            if one["out.csv"] != other["out.csv"]:
                continue  # the releases themselves differ
            pairs += 1
            for name in one:
                if one[name] != other.get(name):
                    failed += 1
                    print(f"seed {seed}: {name} tells two tables apart that have the same release")
        for name, data in files[0].items():
            is_told = b"confidentiality" in data
            said += is_told
            if name.endswith(SAYS) and not is_told:
                failed += 1
                print(f"seed {seed}: {name} does not say what a blank means")
    print(f"{ARGUMENTS.tables} tables, {pairs} pairs with the same release, {said} files with sentences: {failed} failed")
    return 1 if failed or pairs < ARGUMENTS.tables else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    ARGUMENTS = parser.parse_args()
    LACUNA = str(pathlib.Path(ARGUMENTS.lacuna).resolve())
    sys.exit(main())
