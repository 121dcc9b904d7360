#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What it costs that readers know which cells and which units are not empty (docs/knowledge.md).

  bench/absent_rows.py PROGRAM [--tables 100] [--first 1] [--work 20000000]

Random persons, counted without rows for empty cells: tables of 5 x 4 and of 4 x 3 x 2 inner cells,
and wards and districts by age as one system, these also with empty cells listed, so that only the
inhabited units are known. Each table is protected twice by suppression: as it is,
and with all lower bounds at 0, as if a blank could be an empty cell. The second release is then
audited with what readers know. Prints a row of a Markdown table per kind; the script fails if a
release of the first sort does not pass the audit of its file."""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

THRESHOLD = 3
AREAS = {"ward": 3, "district": 3, "age": 2}
LINKED = [["ward", "age"], ["district", "age"]]
TABLES = {  # sizes, linked tables, whether empty cells are listed
    "5 x 4": ({"r": 5, "c": 4}, None, False),
    "4 x 3 x 2": ({"r": 4, "c": 3, "s": 2}, None, False),
    "wards and districts by age": (AREAS, LINKED, False),
    "the same, empty cells listed": (AREAS, LINKED, True),
}


def write_job(folder, sizes, linked, listed, generator):
    """Records and their job: as many persons as make about two in an inner cell, unevenly spread."""
    names = list(sizes)
    inner = 1
    for size in sizes.values():
        inner *= size
    rows = [names]
    for _ in range(2 * inner):
        rows.append([f"{name}{min(generator.randrange(sizes[name]), generator.randrange(sizes[name]))}" for name in names])
    (folder / "records.csv").write_text("".join(";".join(row) + "\n" for row in rows))
    text = '[input]\nrecords = "records.csv"\nseparator = ";"\n' + ("empty_cells = true\n" if listed else "")
    text += "".join(f'[[dimension]]\nname = "{name}"\ntotal = "T"\n' for name in names)
    for i, dimensions in enumerate(linked or []):
        text += f'[[table]]\nname = "t{i}"\ndimensions = {json.dumps(dimensions)}\n'
    if linked:
        text += '[differencing]\nareas = ["ward", "district"]\n'
    text += f"[counts]\nthreshold = {THRESHOLD}\n"
    (folder / "job.toml").write_text(text)


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 2) and "no release can" not in done.stderr:
        sys.exit(f"{' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done


def forgetful(problem):
    """The same problem for readers who think that any count may be 0."""
    for cell in problem["cells"]:
        if cell["value"] > 0 and cell.get("lower", 0) is not None:
            cell["lower"] = 0
    return problem


def measure(program, folder, kind, seed, work):
    sizes, linked, listed = kind
    write_job(folder, sizes, linked, listed, random.Random(f"{seed} {sorted(sizes.items())}"))
    run(program, "convert", folder / "job.toml", folder / "now.json")
    problem = json.loads((folder / "now.json").read_text())
    (folder / "before.json").write_text(json.dumps(forgetful(problem)))
    found = {"cells": sum(cell.get("published", True) for cell in problem["cells"]),
             "sensitive": sum(cell["status"] == "primary" and cell.get("published", True) for cell in problem["cells"])}
    for name in ("before", "now"):
        release = folder / f"{name}.release.json"
        release.unlink(missing_ok=True)
        done = run(program, "protect", folder / f"{name}.json", "-o", release, "--work", work, "--json", "--quiet")
        if done.returncode != 0:
            return None if name == "before" else {**found, "refused": 1}
        cells = json.loads(release.read_text())["release"]
        shown = [cell.get("published", True) for cell in problem["cells"]]
        found[name] = sum(shown[cell["cell"]] for cell in cells if cell["state"] == "withheld")
    audit = lambda name: json.loads(run(program, "audit", folder / "now.json", "--pattern", folder / f"{name}.release.json", "--json").stdout)
    now, before = audit("now"), audit("before")
    if now["verdict"] != "protected":
        sys.exit(f"seed {seed}: the release is {now['verdict']}")
    found["told"] = sum(cell["verdict"] == "exposed" for cell in before["cells"] if "kind" in cell)
    found["asked"] = sum("kind" in cell for cell in before["cells"])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--work", type=int, default=20_000_000)
    args = parser.parse_args()
    print("| table | tables | cells | sensitive | withheld before | withheld now | more | releases before that tell something | questions told then | no release now |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, kind in TABLES.items():
        rows = []
        with tempfile.TemporaryDirectory() as folder:
            for seed in range(args.first, args.first + args.tables):
                found = measure(args.program, pathlib.Path(folder), kind, seed, args.work)
                if found is not None:
                    rows.append(found)
        both = [row for row in rows if "now" in row]
        total = lambda key: sum(row[key] for row in both)
        cells, before, now = total("cells"), total("before"), total("now")
        print(f"| {name} | {len(rows)} | {cells} | {total('sensitive')} | {before} ({100 * before / cells:.1f} %) | "
              f"{now} ({100 * now / cells:.1f} %) | {100 * (now - before) / max(before, 1):.1f} % | "
              f"{sum(row['told'] > 0 for row in both)} of {len(both)} | {total('told')} of {total('asked')} | {len(rows) - len(both)} |", flush=True)


if __name__ == "__main__":
    main()
