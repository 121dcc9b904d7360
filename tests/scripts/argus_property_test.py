#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random jobs of tau-ARGUS: what they write is read from disk and judged apart.

  argus_property_test.py PROGRAM [JOBS [SEED]]

Records, hierarchies, rules and methods are drawn at random; tables are written as type 2, which is
what a reader sees. Withheld cells: the same job converted to one of ours is audited with these files
as the release. Rounded: multiples of the base next to the truth that add up. Adjusted: numbers that
add up, sensitive cells beyond their levels. One secondary published by hand must be noticed.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
JOBS = int(sys.argv[2]) if len(sys.argv) > 2 else 40
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
counts = {"protected": 0, "refused": 0, "noticed": 0, "numbers": 0}


def fail(folder, what):
    print(f"FAILED (seed {SEED}, {folder.name}): {what}")
    for path in sorted(folder.iterdir()):
        if path.suffix in (".arb", ".rda", ".hrc"):
            print(f"--- {path.name}\n{path.read_text()}")
    sys.exit(1)


def run(folder, *arguments):
    done = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def write_data(draw, folder):
    """Records of two or three variables, the first with a tree, some firms alone in their cells."""
    leaves = [f"{p}{i}" for p in "abc"[:draw.randint(2, 3)] for i in range(draw.randint(2, 3))]
    tree = "".join(f"{p}\n" + "".join(f"@{c}\n" for c in leaves if c[0] == p)
                   for p in sorted({c[0] for c in leaves}))
    (folder / "sector.hrc").write_text(tree)
    regions = "NSEW"[:draw.randint(2, 4)]
    sizes = "123"[:draw.randint(2, 3)]
    lines = [f"{draw.choice(leaves)};{draw.choice(regions)};{draw.choice(sizes)};"
             f"{int(draw.paretovariate(1.0) * 10)}" for _ in range(draw.randint(15, 120))]
    (folder / "data.csv").write_text("\n".join(lines) + "\n")
    (folder / "data.rda").write_text(
        '<SEPARATOR> ";"\nSector 2\n<RECODEABLE>\n<HIERARCHICAL>\n<HIERCODELIST> "sector.hrc"\n'
        '<HIERLEADSTRING> "@"\nRegion 1\n<RECODEABLE>\nSize 1\n<RECODEABLE>\nTurnover 9\n<NUMERIC>\n')


def job_text(draw, tables, suppress):
    text = '<OPENMICRODATA> "data.csv"\n<OPENMETADATA> "data.rda"\n'
    rule = draw.choice(["P(10,1)", "P(20,1)|FREQ(3,20)", "NK(1,70)|NK(2,85)", "FREQ(3,30)",
                        "P(15,50,1)|FREQ(2,10)|ZERO(20)"])
    for table in tables:
        names = "".join(f'"{name}"' for name in table)
        cost = draw.choice(["|", '|"-2"', '|"-1"', '|"Turnover",0.5'])
        text += f'<SPECIFYTABLE> {names}|"Turnover"|{cost}\n<SAFETYRULE> {rule}\n'
    text += "<READMICRODATA>\n" + suppress
    for number in range(1, len(tables) + 1):
        text += f'<WRITETABLE> ({number},2,SE+,"out_table {number}.csv")\n'
        if "RND" not in suppress and "CTA" not in suppress:
            text += f'<WRITETABLE> ({number},5,SE+,"all_table {number}.csv")\n'
    return text


def rows_of(path):
    for line in path.read_text().splitlines():
        yield [field.strip().strip('"') for field in line.split(",")]


def pattern_of(tables):
    return "out_{table}.csv" if len(tables) > 1 else "out_table 1.csv"


def check_hidden(folder, tables):
    """Audit of the files against the converted job; then one secondary less."""
    code, out, err = run(folder, "audit", "job.toml", "--pattern", pattern_of(tables), "--json",
                         "--quiet")
    said = json.loads(out) if out else {}
    if code == 5 and said["table"]["withheld"] == 0:
        return  # the rules of tau-ARGUS, which the converted job does not have, find nothing
    if code != 0 or said["verdict"] != "protected":
        fail(folder, f"what was written is not protected: {out}{err}")
    counts["protected"] += 1
    if len(tables) > 1:
        return
    true = {}
    for line in (folder / "all_table 1.csv").read_text().splitlines():
        fields = [field.strip().strip('"').strip() for field in line.split(";")]
        if fields[-3] == "M":
            true[tuple(fields[:len(tables[0])])] = fields[len(tables[0])]
    if not true:
        return
    shown = sorted(true)[0]
    lines = []
    for fields in rows_of(folder / "out_table 1.csv"):
        if tuple(field.strip() for field in fields[:-1]) == shown:
            fields[-1] = true[shown]
        lines.append(",".join(fields))
    (folder / "shown.csv").write_text("\n".join(lines) + "\n")
    code, out, _ = run(folder, "audit", "job.toml", "--pattern", "shown.csv", "--json", "--quiet")
    counts["noticed"] += 1 if code == 2 else 0


def check_numbers(folder, tables, base):
    """Rounded or adjusted: read the files, look at sums and distances."""
    code, out, err = run(folder, "convert", "job.toml", "problem.json")
    if code != 0:
        fail(folder, f"convert: {err}")
    problem = json.loads((folder / "problem.json").read_text())
    names = [d["name"] for d in problem["dimensions"]]
    published = {}
    header = None
    for fields in rows_of(folder / "out_table 1.csv"):
        if header is None:
            header = fields
            continue
        published[tuple(f.strip() for f in fields[:-1])] = fields[-1]
    order = [header.index(name) for name in names]
    codes = [d["codes"] for d in problem["dimensions"]]
    values = []
    for cell in problem["cells"]:
        labels = [codes[d][c] for d, c in enumerate(cell["codes"])]
        key = [""] * len(names)
        for d, place in enumerate(order):
            key[place] = labels[d]
        shown = published.get(tuple(key), "0")  # SE+ leaves zeros out
        if shown in ("x", "-"):
            fail(folder, f"{key}: no number")
        values.append(float(shown))
        true = float(cell["value"])
        if base and (abs(values[-1]) % base != 0 or abs(values[-1] - true) >= base):
            fail(folder, f"{key}: {true} is published as {shown}, base {base}")
    for equation in problem["equations"]:
        parts = zip(equation["coefficients"], equation["cells"])
        if sum(coefficient * values[cell] for coefficient, cell in parts) != 0:
            fail(folder, f"numbers do not add up: {equation}")
    if not base:  # adjusted: beyond the levels, on one side or the other
        for need in problem["requirements"]:
            away = values[need["cell"]] - float(problem["cells"][need["cell"]]["value"])
            if -need["lower"] < away < need["upper"]:
                fail(folder, f"an adjusted cell within its levels: {need}")
    counts["numbers"] += 1


def one(draw, folder):
    write_data(draw, folder)
    variables = ["Sector", "Region", "Size"]
    kind = draw.choice(["OPT", "OPT", "MOD", "GH", "NET", "linked", "turns", "RND", "CTA"])
    tables = [draw.sample(variables, draw.randint(1, 3))]
    if kind in ("linked", "turns"):
        tables = [["Sector", "Region"], ["Sector", "Size"]]
    base = draw.choice([500, 1000, 5000]) if kind == "RND" else 0
    suppress = {"OPT": "<SUPPRESS> OPT(1,1)\n",
                "MOD": f"<SUPPRESS> MOD(1,1,{draw.randint(0, 1)},{draw.randint(0, 1)},1)\n",
                "GH": f"<SUPPRESS> GH(1,{draw.choice([50, 100])},0,{draw.randint(0, 1)})\n",
                "NET": "<SUPPRESS> NET(1)\n",
                "linked": "<SUPPRESS> MOD(0,1,1,1,1)\n",
                "turns": "<SUPPRESS> OPT(1,1)\n<SUPPRESS> OPT(2,1)\n",
                "RND": f"<SUPPRESS> RND(1,{base})\n",
                "CTA": "<SUPPRESS> CTA(1)\n"}[kind]
    job = job_text(draw, tables, suppress)
    (folder / "job.arb").write_text(job)
    code, out, err = run(folder, "argus", "job.arb", "--quiet")
    if code == 2:
        counts["refused"] += 1
        if list(folder.glob("out_*")):
            fail(folder, f"refused, but something was written: {err}")
        if not err.startswith("lacuna: job.arb:"):
            fail(folder, f"an error without its place: {err}")
        return
    if code != 0:
        fail(folder, f"exit code {code}: {err}")
    if kind == "turns":  # judged together, against the outsider
        job = job.replace(suppress, "<SUPPRESS> MOD(0,1,0,0,0)\n")
        (folder / "job.arb").write_text(job)
    code, _, err = run(folder, "convert", "job.arb", "job.toml")
    if code != 0:
        fail(folder, f"convert: {err}")
    if kind in ("RND", "CTA"):
        check_numbers(folder, tables, base)
    else:
        check_hidden(folder, tables)


def main():
    draw = random.Random(SEED)
    with tempfile.TemporaryDirectory() as temporary:
        for number in range(JOBS):
            folder = pathlib.Path(temporary) / f"job{number}"
            folder.mkdir()
            one(draw, folder)
    print(counts)
    good = counts["protected"] > JOBS // 4 and counts["noticed"] > 0 and counts["numbers"] > 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
