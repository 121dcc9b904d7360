#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs of others with recorded outputs, run as they are in a copy of their folder.

  argus_recorded.py PROGRAM

The jobs are data of others (tests/test_data.py); argus_made.py draws jobs of the same shapes.

Of the recorded type 5 files every cell must come out alike: codes with their blanks, value,
frequency, shadow, cost, largest contributions, primaries, levels; with no more secondaries and no
higher cost. What was written is read back and audited, and the converted job gives the same release.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import test_data

JOBS = ["checktauargus_ex1/batch_ex1.arb", "sas2argus_example1/Example1.ARB",
        "sas2argus_example2/Example2.ARB", "tauargus_recode/TestRecode.arb",
        "tauargus_table/TestTable.arb"]
RECORDED = {"sas2argus_example1/Example1.ARB": "Example1_Out_5_1",
            "sas2argus_example2/Example2.ARB": "Example2_Out_5_1"}
OPTIMAL = {"sas2argus_example1/Example1.ARB": 4}  # secondaries, proven
failures = 0


def check(good, what):
    global failures
    if not good:
        failures += 1
        print("FAILED:", what)


def run(program, folder, *arguments):
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def names_of(rda):
    """The variables of a metadata file, and how many of them are codes."""
    names, codes = [], 0
    for line in rda.read_text(encoding="latin-1").splitlines():
        if line and not line.startswith((" ", "\t", "<", "/")):
            names.append(line.split()[0])
        elif "<RECODEABLE>" in line:
            codes += 1
    return names, codes


def cells_of(folder, stem):
    """Cells by their codes: a map from names of variables to texts."""
    names, codes = names_of(folder / f"{stem}.rda")
    cells = {}
    for line in (folder / f"{stem}.csv").read_text(encoding="latin-1").splitlines():
        fields = line.split(";")
        key = tuple(field.strip('"') for field in fields[:codes])
        cells[key] = {n: f.strip() for n, f in zip(names[codes:], fields[codes:])}
    return cells


def same_number(a, b):
    return abs(float(a) - float(b)) <= 1e-9 * max(1.0, abs(float(a)))


def compare(folder, recorded, stem, name):
    old, new = cells_of(recorded, stem), cells_of(folder, stem)
    check(list(old) == list(new), f"{name}: codes and their order")
    cost = {"old": 0.0, "new": 0.0}
    secondaries = {"old": 0, "new": 0}
    different = 0
    for key, before in old.items():
        after = new.get(key, {})
        for column, text in before.items():
            if column not in after:
                # A third contribution, always zero, that old versions wrote for NK(2,k).
                different += 0 if column.startswith("Top") and float(text) == 0 else 1
            elif column == "StatusVar":
                same = text == after[column] or {text, after[column]} == {"S", "M"}
                different += 0 if same else 1
            else:
                different += 0 if same_number(text, after[column]) else 1
        for which, cell in (("old", before), ("new", after)):
            cost[which] += float(cell["Resp_Cost"]) if cell["StatusVar"] in "UM" else 0
            secondaries[which] += cell["StatusVar"] == "M"
    check(different == 0, f"{name}: {different} fields differ from the recorded ones")
    check(secondaries["new"] <= secondaries["old"], f"{name}: secondaries {secondaries}")
    check(cost["new"] <= cost["old"], f"{name}: cost {cost}")
    print(f"{name}: {len(old)} cells alike; secondaries {secondaries}, cost {cost}")


def read_back(program, folder, stem, name):
    """The table that was written is a table with its statuses: it passes the audit as it is."""
    names, codes = names_of(folder / f"{stem}.rda")
    variables = "".join(f'"{n}"' for n in names[:codes])
    (folder / "back.arb").write_text(
        f'<OPENTABLEDATA> "{stem}.csv"\n<OPENMETADATA> "{stem}.rda"\n'
        f'<SPECIFYTABLE> {variables}|"Resp"|"Resp_Shadow"|"Resp_Cost"\n<READTABLE> 0\n'
        '<WRITETABLE> (1,1,,"back.csv")\n<WRITETABLE> (1,5,,"back5.csv")\n')
    code, out, err = run(program, folder, "argus", "back.arb", "--json")
    check(code == 0, f"{name}: read back: {err}")
    check(code == 0 and json.loads(out)["verdict"] == "protected", f"{name}: read back: verdict")
    if code == 0:
        first, again = cells_of(folder, stem), cells_of(folder, "back5")
        bare = [(tuple(k.strip() for k in key), cell) for key, cell in first.items()]
        check(bare == [(tuple(k.strip() for k in key), cell) for key, cell in again.items()],
              f"{name}: written, read and written again")


def converted(program, folder, job, stem, name):
    code, _, err = run(program, folder, "convert", job, "converted.toml")
    check(code == 0, f"{name}: convert: {err}")
    code, _, err = run(program, folder, "protect", "converted.toml", "-o", "converted.json")
    check(code == 0, f"{name}: converted job: {err}")
    if code != 0:
        return
    release = json.loads((folder / "converted.json").read_text())["release"]
    ours = {tuple(c["codes"]) for c in release if c["state"] == "withheld"}
    theirs = {tuple(k.strip() for k in key) for key, cell in cells_of(folder, stem).items()
              if cell["StatusVar"] in "UM"}
    check(ours == theirs, f"{name}: the converted job gives another release")


def main():
    program, source = pathlib.Path(sys.argv[1]).resolve(), test_data.need_shared("instances/argus")
    with tempfile.TemporaryDirectory() as temporary:
        for job in JOBS:
            folder = pathlib.Path(temporary) / job.split("/")[0]
            shutil.copytree(source / folder.name, folder)
            for path in [folder, *folder.iterdir()]:
                path.chmod(0o755)
            code, out, err = run(program, folder, "argus", job.split("/")[1], "--json")
            check(code == 0, f"{job}: exit code {code}: {err}")
            if code != 0:
                continue
            result = json.loads(out)
            if result["runs"]:
                check(result["verdict"] == "protected", f"{job}: verdict {result['verdict']}")
            if job in OPTIMAL:
                check(result["secondary"] == OPTIMAL[job] and result["status"] == "optimal",
                      f"{job}: {result['secondary']} secondaries, {result['status']}")
            if job in RECORDED:
                compare(folder, source / folder.name, RECORDED[job], job)
                read_back(program, folder, RECORDED[job], job)
            if job in OPTIMAL:
                converted(program, folder, job.split("/")[1], RECORDED[job], job)
            code, out, err = run(program, folder, "argus", job.split("/")[1], "--check")
            check(code == 0 and "table 1:" in out, f"{job}: --check: {err}")
    print("failures:", failures)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
