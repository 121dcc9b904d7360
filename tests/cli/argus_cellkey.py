#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Jobs of tau-ARGUS with <SUPPRESS> CKM, cell by cell through type 7.

  argus_cellkey.py PROGRAM             generated records against the method written down here, in fractions
  argus_cellkey.py PROGRAM --vectors   the numbers of tau-ARGUS itself (tests/data/counts)
"""

import csv
import itertools
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction as F

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import test_data

failures = 0


def check(good, what):
    global failures
    if not good:
        failures += 1
        print("FAILED:", what)


def run(program, folder, name="job.arb"):
    done = subprocess.run([program, "argus", "--quiet", name], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stderr


# ---- the job

def job_of(dims, response, ptables="", options="AO+AD+AC+", rule="MAN(20)"):
    quoted = "".join(f'"{d}"' for d in dims)
    return (f'<OPENMICRODATA> "m.csv"\n<OPENMETADATA> "m.rda"\n'
            f'<SPECIFYTABLE> {quoted}|"{response}"||"",1\n<SAFETYRULE> {rule}\n<READMICRODATA>\n'
            f'<SUPPRESS> CKM(1) {ptables}\n<WRITETABLE> (1,7,{options},"o.csv")\n')


def rda_of(columns, trees, digits, value=None, files=("p.txt", "l.txt", "s.txt")):
    """`value`: the lines of the response named in it."""
    text = '<SEPARATOR> ";"\n'
    for column in columns:
        text += f"{column} 12\n"
        if column in trees:
            text += '<RECODEABLE>\n<TOTCODE> "T"\n'
            if trees[column]:
                text += f'<HIERARCHICAL>\n<HIERCODELIST> "{column}.hrc"\n<HIERLEADSTRING> "@"\n'
        elif column == "key":
            text += f'<RECORDKEY>\n<PFILE> "{files[0]}"\n<PFILE_CONT> "{files[1]}"\n<PFILE_SEP> "{files[2]}"\n'
            text += f"<DECIMALS> {digits}\n"
        elif column == "weight":
            text += "<WEIGHT>\n"
        elif value and column == "income":
            text += "<NUMERIC>\n<DECIMALS> 6\n" + value
        else:
            text += "<NUMERIC>\n"
    return text


def written(path, dims):
    """Type 7: codes to published, original, difference, key."""
    cells = {}
    for line in path.read_text().splitlines():
        fields = [field.strip('"') for field in line.split(";")]
        cells[tuple(code.strip() for code in fields[:dims])] = fields[dims:]
    return cells


# ---- numbers of tau-ARGUS

REGION = {"a": ["R1", "T"], "b": ["R1", "T"], "c": ["R2", "T"], "d": ["R2", "T"], "e": ["R2", "T"]}


def copy_records(source, folder):
    lines = source.read_text().splitlines()
    (folder / "m.csv").write_text("\n".join(lines[1:]) + "\n")
    return lines[0].split(";")


def against_vectors(program, vectors):
    jobs = [("counts1", "counts1/expected_tauargus.csv", ["region", "sex"], 4, "cnt_D2_V1.05_js1", None),
            ("counts2", "counts2/expected_tauargus.csv", ["region", "sex", "age"], 8, "cnt_D5_V3_js2", None)]
    for name, kind, scaling, apart in (("top1", "T(1)", "F(0.03,0.2,1000,2)", "N"),
                                       ("top3", "T(3)", "F(0.03,0.2,1000,2,0.5,0.3)", "N"),
                                       ("top3_sep", "T(3)", "F(0.03,0.2,1000,2,0.5,0.3)", "Y")):
        lines = f"<CKM> {kind}\n<INCLUDEZEROS> N\n<PARITY> N\n<SEPARATION> {apart}\n<SCALING> {scaling}\n"
        jobs.append(("counts2", f"magnitude/tauargus_{name}.csv", ["region", "sex", "age"], 8, "cnt_D5_V3_js2", lines))
    for micro, expected, dims, digits, table, value in jobs:
        with tempfile.TemporaryDirectory() as where:
            folder = pathlib.Path(where)
            columns = copy_records(vectors / micro / "micro.csv", folder)
            for name, source in (("p", table), ("l", "num_D10_V3_step2"), ("s", "num_small_D5_V1_step5")):
                (folder / f"{name}.txt").write_text((vectors / "ptables" / f"{source}.txt").read_text())
            leaves = "abcde" if micro == "counts2" else "abcd"
            (folder / "region.hrc").write_text(
                "".join(f"{r}\n" + "".join(f"@{c}\n" for c in leaves if REGION[c][0] == r) for r in ("R1", "R2")))
            trees = {d: d == "region" for d in dims}
            (folder / "m.rda").write_text(rda_of(columns, trees, digits, value))
            (folder / "job.arb").write_text(job_of(dims, "income" if value else "<freq>"))
            code, err = run(program, folder)
            check(code == 0, f"{expected}: exit {code}: {err}")
            if code != 0:
                continue
            cells = written(folder / "o.csv", len(dims))
            rows = list(csv.DictReader((vectors / expected).open(), delimiter=";"))
            check(len(rows) == len(cells), f"{expected}: {len(rows)} rows, {len(cells)} cells")
            for row in rows:
                shown, truth, _, key = cells[tuple(row[d] for d in dims)]
                check(F(truth) == F(row["value" if value else "count"]), f"{expected}: truth of {row}")
                check(abs(F(shown) - F(row["perturbed"])) <= F(1, 10**5), f"{expected}: {shown} for {row}")
                check(abs(F(key) - F(row["cell_key"])) < F(1, 10**digits), f"{expected}: key {key} for {row}")
            print(f"{expected}: {len(rows)} cells")


# ---- the method, in fractions (docs/cellkey.md)

def look(row, key):
    return next((v for upper, v in row if key < upper), row[-1][1])


def noise(rows, at, key):
    counts = sorted(rows)
    at = min(at, F(counts[-1]))
    if at in rows:
        return look(rows[at], key)
    low, high = max(i for i in counts if i < at), min(i for i in counts if i > at)
    share = (at - low) / (high - low)
    return (1 - share) * look(rows[low], key) + share * look(rows[high], key)


def perturbed(records, setting, tables):
    x = sum((r["w"] * r["x"] for r in records), F(0))
    key = sum(r["key"] for r in records if setting["zeros"] or r["x"] != 0) % 10**8
    sizes = sorted(((abs(r["x"]), r["w"]) for r in records), key=lambda pair: -pair[0])
    kind, s1, eps = setting["kind"], setting["s1"], setting["eps"]
    if kind == "T":
        parts = [size * weight for size, weight in sizes]
    elif kind == "M":
        parts = [x / sum(r["w"] for r in records)]
    else:
        parts = [x if kind == "V" else sizes[0][0] - sizes[-1][0]]
    small = tables["s"]["all"]
    last = max(small)
    moment = sum(float(v * v) * float(p) for p, v in zip(setting["small_p"], [v for _, v in small[last]]))
    zs = F(moment**.5 / (float(s1) * float(sum(e * e for e in eps))**.5)) if setting["apart"] else F(0)
    kinds = ("even" if len(records) % 2 == 0 else "odd") if setting["parity"] else "all"

    def flex(z):
        if setting["point"] == 0 or z < setting["point"]:
            return s1
        s0, f, q = setting["s0"], setting["point"], 2
        return s0 * (1 + (s1 * z - s0 * f) / (s0 * f) * (2 * f / (z + f))**q)

    now = x
    for j in range(min(len(eps), len(parts))):
        part = parts[j]
        tiny = abs(part) < zs
        if tiny and j > 0:
            continue
        delta = F(1) if tiny else part * eps[j] * flex(abs(part))
        if abs(now) < abs(delta):
            delta = now
            if abs(now / (s1 * eps[j])) < zs:
                if j > 0:
                    continue
                delta, tiny = F(1), True
        if delta == 0 or now == 0:
            continue
        digits = f"{key:08d}"
        key = int(digits[1:] + digits[0])
        v = noise(small if tiny else tables["l"][kinds], abs(now / delta), F(key, 10**8))
        mu = setting["mu"] if setting["unsafe"](records) and j == 0 and not tiny else 0
        move = abs(delta) * (mu + abs(v)) * (-1 if v < 0 else 1)
        if move < 0:
            move = max(move, -abs(now))
        now += move if now >= 0 else -move
    return x, now


def ptable_text(rows):
    text = "i;j;p;v;p_ub;type\n"
    for kind, by_count in rows.items():
        for i, entries in sorted(by_count.items()):
            before = F(0)
            for upper, v in entries:
                text += f"{i};{float(i + v)};{float(upper - before)};{float(v)};{float(upper)};{kind}\n"
                before = upper
    return text


def drawn_ptable(rng, kinds, counts, steps):
    """Noise in multiples of 1/steps, rising ends that are whole hundredths."""
    rows = {}
    for kind in kinds:
        rows[kind] = {0: [(F(1), F(0))]}
        for i in counts:
            ends = sorted(rng.sample(range(5, 96), 2 * steps))
            least = -min(i * steps, steps)
            rows[kind][i] = [(F(end, 100), F(least + n, steps)) for n, end in enumerate(ends + [100])]
    return rows


SETTINGS = [dict(kind="T", eps=[F(1)]), dict(kind="T", eps=[F(1), F(1, 2), F(1, 4)]), dict(kind="M"), dict(kind="D"),
            dict(kind="V"), dict(kind="T", parity=True), dict(kind="M", parity=True, apart=True),
            dict(kind="T", eps=[F(1), F(1, 2)], apart=True), dict(kind="D", zeros=True), dict(kind="T", point=F(0)),
            dict(kind="T", weights=True, eps=[F(1), F(1, 2)]), dict(kind="M", weights=True), dict(kind="T", mu=F(2)),
            dict(kind="V", mu=F(1), apart=True)]


def generated(program):
    for number, given in enumerate(SETTINGS):
        rng = random.Random(1000 + number)
        setting = dict(eps=[F(1)], parity=False, apart=False, zeros=False, weights=False, mu=F(0), s0=F(3, 100),
                       s1=F(1, 5), point=F(100), unsafe=lambda records: 0 < len(records) < 4) | given
        setting["unsafe"] = setting["unsafe"] if setting["mu"] else lambda records: False
        records = [dict(r=rng.choice("abcd"), s=rng.choice("mf"), key=rng.randrange(10**8),
                        x=F(0) if rng.random() < .15 else F(rng.choice([1, 3, 9, 60, 200, 4000]) + rng.randrange(9)),
                        w=F(rng.randrange(1, 6)) if setting["weights"] else F(1)) for _ in range(60)]
        tables = {"l": drawn_ptable(rng, ("even", "odd") if setting["parity"] else ("all",), (1, 4, 9), 2),
                  "s": drawn_ptable(rng, ("all",), (1, 2), 4)}
        last = tables["s"]["all"][2]
        setting["small_p"] = [b[0] - a for a, b in zip([F(0)] + [end for end, _ in last], last)]
        with tempfile.TemporaryDirectory() as where:
            folder = pathlib.Path(where)
            for name, table in tables.items():
                (folder / f"{name}.txt").write_text(ptable_text(table))
            (folder / "p.txt").write_text("i;j;p;v;p_ub\n0;0;1;0;1\n1;0;0.5;-1;0.5\n1;2;0.5;1;1\n")
            (folder / "m.csv").write_text("".join(f"{r['r']};{r['s']};{r['w']};{r['x']};0.{r['key']:08d}\n"
                                                  for r in records))
            (folder / "r.hrc").write_text("R1\n@a\n@b\nR2\n@c\n@d\n")
            kind = f"T({len(setting['eps'])})" if setting["kind"] == "T" else setting["kind"]
            more = "".join(f",{float(e)}" for e in setting["eps"][1:])
            yes = {True: "Y", False: "N"}
            scaling = f"F(0.03,0.2,100,2{more})" if setting["point"] else f"N(0.2{more})"
            value = (f"<CKM> {kind}\n<INCLUDEZEROS> {yes[setting['zeros']]}\n<PARITY> {yes[setting['parity']]}\n"
                     f"<SEPARATION> {yes[setting['apart']]}\n<SCALING> {scaling}\n")
            (folder / "m.rda").write_text(rda_of(["r", "s", "weight", "income", "key"], {"r": True, "s": False}, 8, value))
            mu = f"||{float(setting['mu'])}" if setting["mu"] else ""
            rule = "FREQ(4,5)" if setting["mu"] else "MAN(20)"
            if setting["weights"]:
                rule += "|WGT(1)"
            arb = job_of(["r", "s"], "income", mu, rule=rule)
            (folder / "job.arb").write_text(arb.replace("<SUPPRESS>", "//lacuna: option exposed report\n<SUPPRESS>"))
            code, err = run(program, folder)
            check(code in (0, 6), f"{given}: exit {code}: {err}")  # done, or waived as asked
            if code not in (0, 6):
                continue
            cells = written(folder / "o.csv", 2)
            check(len(cells) == 7 * 3, f"{given}: {len(cells)} cells")
            regions = {"T": "abcd", "R1": "ab", "R2": "cd", **{c: c for c in "abcd"}}
            for region, sex in itertools.product(regions, "Tmf"):
                own = [r for r in records if r["r"] in regions[region] and sex in ("T", r["s"])]
                truth, shown = perturbed(own, setting, tables) if own else (F(0), F(0))
                got = cells[(region, sex)]
                check(F(got[1]) == truth, f"{given} {region} {sex}: {got} is not {float(truth)}")
                check(abs(F(got[0]) - shown) < F(2, 10**6), f"{given} {region} {sex}: {got} instead of {float(shown)}")
                check(F(got[2]) == F(got[0]) - F(got[1]), f"{given} {region} {sex}: the difference of {got}")
    print(f"{len(SETTINGS)} settings")


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    if len(sys.argv) < 3:
        generated(program)
    else:
        against_vectors(program, test_data.test_data("counts"))
    sys.exit(1 if failures else 0)


main()
