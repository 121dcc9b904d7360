#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples of peer_examples.py, run by gconfid or pytauargus and by lacuna; what comes out is audited by lacuna.

  compare_python_peers.py LACUNA [--python PYTHON] [--random N] [--rules] [--exposed] [EXAMPLE...]

PYTHON is an interpreter with gconfid 2 and pytauargus (this one if not given). What a peer is not there for is said and
left out; the exit code is 0. Every run of a peer is a process of its own, so that one that crashes is a line of the
table. A release is audited twice: against the outsider alone, which is what both peers promise, and against the
respondents, who know what they have reported. With --exposed, every requirement of theirs that does not hold is
printed; with --random, N small random tables are run by each peer instead of the examples, and counted; with --rules,
the sensitive cells of gconfid and ours are compared for 122 cells with all choices of waivers."""
from __future__ import annotations

import argparse
import collections
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from typing import Any

import peer_examples
from peer_examples import EXAMPLES, Example, named

Cells = dict[tuple[str, ...], Any]  # codes -> what is published, None if withheld
SECONDS = 120


# ---- theirs, inside a process that may crash

def sums_text(trees: Any) -> str:
    return ": ".join(f"{code} {' '.join(below)}" for tree in trees for code, below in tree.items())


def gconfid_hierarchy(example: Example) -> str:
    """Each dimension ends with a semicolon; sums are separated by colons."""
    parts = []
    for dim in example.dims:
        leaves = sorted({str(code) for code in example.column(dim)})
        parts.append(sums_text(example.trees.get(dim) or [{example.total(dim): leaves}]))
    return "; ".join(parts) + ";"


def gconfid_tables(example: Example) -> Any:
    """Their first step: cells with sensitivities, and the sums."""
    import gconfid
    import pandas

    rules = {rule.type: rule.values for rule in example.rules}
    words: dict[str, Any] = {"p_waiver": example.waiver, "weight": example.weight}
    words["min_resp"] = rules.get("frequency", {}).get("n", 0)
    nk = rules.get("dominance")
    p = rules.get("p-percent", {"p": 1})["p"]
    return gconfid.sensitiv(
        indata=pandas.DataFrame(list(example.rows), columns=list(example.columns)), outcell="pandas",
        outconstraint="pandas", unit_id=example.unit, var=example.value, dimension=" ".join(example.dims),
        hierarchy=gconfid_hierarchy(example), accept_negative=example.negative,
        s_rule=f"nk {nk['n']} {nk['k']}" if nk else f"pq {p / 100}",
        **{name: value for name, value in words.items() if value})


def gconfid_rounded(example: Example, found: Any) -> dict[str, Any]:
    import gconfid

    cells = found.outcell[found.outcell["Type"] == "C"].assign(Weight=1.0)
    cells["Total"] = cells["TotalVar"]
    known = set(cells["CellId"])
    sums = found.outconstraint.groupby("ConstraintId").filter(lambda rows: set(rows["CellId"]) <= known)
    start = time.monotonic()
    run = gconfid.OptRounding(incell=cells[["CellId", "Total", "Weight"]], additive_con=sums, outround="pandas",
                              additive_bound=sums[["ConstraintId"]].drop_duplicates(), base=example.base)
    spent = time.monotonic() - start
    shown = dict(zip(run.outround["CellId"], run.outround["RoundedTotal"]))
    table = [[[row[dim] for dim in example.dims], shown[row["CellId"]]] for row in cells.to_dict("records")]
    return {"tables": [table], "sensitive": [], "seconds": spent}


def by_gconfid(example: Example) -> dict[str, Any]:
    import logging

    import gconfid

    logging.disable(logging.CRITICAL)
    found = gconfid_tables(example)
    cells = found.outcell
    if example.method == "round":
        return gconfid_rounded(example, found)
    if example.key.startswith("rule "):
        return {"sensitive": [[code] for code in cells[(cells["Status"] == "S") & (cells["Type"] == "C")]["cell"]]}
    codes = list(zip(*(cells[dim] for dim in example.dims)))
    kept = [tuple(line.split(";")[:-1]) for line in example.apriori.splitlines()]
    cells["Status"] = ["P" if at in kept else status for at, status in zip(codes, cells["Status"])]
    start = time.monotonic()
    run = gconfid.Suppression(incell=cells, inconstraint=found.outconstraint, outsuppress="pandas",
                              cost_function1=example.their_method or "SIZE")
    spent = time.monotonic() - start
    out = run.outsuppress
    if out is None:
        raise RuntimeError("no result, only outsuppress_failed")
    freed = [at in example.freed for at in zip(*(out[dim] for dim in example.dims))]
    out["OutStatus"] = ["P" if free else status for free, status in zip(freed, out["OutStatus"])]
    judged = gconfid.Auditing(incell=out, inconstraint=found.outconstraint, outaudit="pandas").outaudit
    problems = judged["ProblemIndicator"] > 0 if "ProblemIndicator" in judged else []  # nothing is withheld
    return gconfid_answer(example, out, spent, int(sum(problems)))


def gconfid_answer(example: Example, out: Any, spent: float, problems: int) -> dict[str, Any]:
    table, sensitive = [], []
    for row in out.to_dict("records"):
        if row["Type"] != "C":
            continue
        codes = [row[dim] for dim in example.dims]
        table.append([codes, None if row["OutStatus"] in ("X", "S") else row["TotalVar"]])
        if row["Sensitivity"] > 0:
            sensitive.append(codes)
    return {"tables": [table], "sensitive": sensitive, "seconds": spent, "own_audit": problems}


RULES = {"p-percent": "P({p},1)", "dominance": "NK({n},{k})", "frequency": "FREQ({n},{range})"}


def argus_rules(example: Example) -> str:
    rules = [RULES[rule.type].format(**{"range": 20, **rule.values}) for rule in example.rules]
    return "|".join((["NK(0,0)", "NK(0,0)"] if example.holding else []) + rules)  # the third NK is of the holdings


def hrc_text(tree: Mapping[str, Any], code: str, depth: int = 0) -> str:
    lines = [("@" * (depth - 1) + code + "\n") if depth else ""]
    return "".join(lines + [hrc_text(tree, below, depth + 1) for below in tree.get(code, ())])


def write_records(example: Example, folder: pathlib.Path) -> pathlib.Path:
    """Their generator writes data, metadata and a batch job; lines by hand come after the data are read."""
    from pytauargus import protect

    trees = {}
    for dim, (tree, *_) in example.trees.items():
        (folder / f"{dim}.hrc").write_text(hrc_text(tree, example.total(dim)), encoding="ascii")
        trees[dim] = str(folder / f"{dim}.hrc")
    micro = {name: example.column(name) for name in example.columns if name != example.unit}
    made = protect(micro, [list(dims) for dims in example.asked()], response=example.value,
                   safety_rules=argus_rules(example), suppress=example.their_method, hrc=trees or None,
                   cost_var="-2" if example.weights == "unity" else None, holding_var=example.holding or None,
                   workdir=str(folder), run=False)
    job = pathlib.Path(made.files["arb"])
    if example.apriori:
        (folder / "manual.hst").write_text(example.apriori, encoding="ascii")
        text = job.read_text().replace("<READMICRODATA>", '<READMICRODATA>\n<APRIORI> "manual.hst",1,";",0,0')
        job.write_text(text)
    return job


def write_ready(example: Example, folder: pathlib.Path) -> pathlib.Path:
    """A table with its metadata and a batch job, as tau-ARGUS wants them."""
    kinds = {example.value: "<NUMERIC>\n  <DECIMALS> 0", example.frequency: "<FREQUENCY>",
             example.status: '<STATUS>\n  <SAFE> "S"\n  <UNSAFE> "U"\n  <PROTECT> "P"'} | {
                 name: "<MAXSCORE>" for name in example.largest} | {
                 dim: f'<RECODEABLE>\n  <TOTCODE> "{example.total(dim)}"' for dim in example.dims}
    (folder / "t.rda").write_text('<SEPARATOR> ";"\n' + "".join(
        f"{name}\n  {kinds[name]}\n" for name in example.columns), encoding="ascii")
    lines = [";".join(str(field) for field in row) + "\n" for row in example.rows]
    (folder / "t.tab").write_text("".join(lines), encoding="ascii")
    job = folder / "batch.arb"
    dims = "".join(f'"{dim}"' for dim in example.dims)
    job.write_text(f'<OPENTABLEDATA> "t.tab"\n<OPENMETADATA> "t.rda"\n<SPECIFYTABLE> {dims}|"{example.value}"||\n'
                   f"<SAFETYRULE> {argus_rules(example)}\n<READTABLE>\n<SUPPRESS> {example.their_method}\n"
                   f'<WRITETABLE> (1,5,SO+,"{folder}/tab1.tab")\n')
    return job


def by_pytauargus(example: Example) -> dict[str, Any]:
    from pytauargus.engine import run_batch
    from pytauargus.result import TableResult

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        job = (write_ready if example.ready else write_records)(example, folder)
        start = time.monotonic()
        engine = run_batch(str(job))
        spent = time.monotonic() - start
        tables, sensitive, problems = [], [], 0
        for number, dims in enumerate(example.asked()):
            table = TableResult(str(folder / f"tab{number + 1}.tab"), dims, example.value)
            shown = table.unsafe() if example.method == "round" else table.safe(None)
            codes = [[str(row[dim]).strip() for dim in dims] for row in table.rows]
            tables.append([list(cell) for cell in zip(codes, shown)])
            sensitive += [at for at, status in zip(codes, table.status()) if status == "U"]
            if example.method != "round":
                problems += sum(bool(row["unsafe"]) for row in engine.audit(number))
    return {"tables": tables, "sensitive": sensitive, "seconds": spent, "own_audit": problems}


def inside(key: str, output: str) -> None:
    example = named(key)
    answer = by_gconfid(example) if example.peer == "gconfid" else by_pytauargus(example)
    pathlib.Path(output).write_text(json.dumps(answer), encoding="utf-8")


# ---- ours

class Lacuna:
    """The program on the files of one example, in a folder of its own."""

    def __init__(self, program: str, folder: pathlib.Path, example: Example) -> None:
        self.program, self.folder, self.example = program, folder, example
        (folder / peer_examples.RECORDS).write_text(peer_examples.csv_text(example), encoding="utf-8")
        if example.apriori:
            (folder / "manual.hst").write_text(example.apriori, encoding="utf-8")
        for who in ("outsider", "respondents"):
            (folder / f"{who}.toml").write_text(peer_examples.job_text(example, who == "respondents"), encoding="utf-8")

    def run(self, *words: str) -> tuple[int, dict[str, Any], str]:
        done = subprocess.run([self.program, *words, "--json", "--quiet"], cwd=self.folder, capture_output=True,
                              text=True, check=False, timeout=SECONDS)
        return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else {}, done.stderr.strip()

    def cells(self) -> Cells:
        """Codes -> value and whether it is sensitive."""
        done = subprocess.run([self.program, "convert", "outsider.toml", "problem.json"], cwd=self.folder,
                              capture_output=True, text=True, check=False, timeout=SECONDS)
        if done.returncode != 0:
            raise SystemExit(f"{self.example.key}: {done.stderr.strip()}")
        problem = json.loads((self.folder / "problem.json").read_text(encoding="utf-8"))
        names = [dim["codes"] for dim in problem["dimensions"]]
        unit = 10 ** problem.get("decimals", 0)
        return {tuple(codes[at] for codes, at in zip(names, cell["codes"])):
                (cell["value"] / unit, cell.get("status") == "primary") for cell in problem["cells"]}

    def protect(self, who: str) -> tuple[dict[str, Any], Cells]:
        words = ["--weights", self.example.weights] if self.example.weights else []
        if self.example.method == "round":
            words += ["--method", "round", "--base", str(self.example.base), "--levels", "minimal",
                      "--steps", str(self.example.steps)]
        code, said, trouble = self.run("protect", f"{who}.toml", "--public", f"{who}.csv", "--threads", "1", *words)
        if code != 0:
            return {"trouble": trouble, "code": code}, {}
        lines = (self.folder / f"{who}.csv").read_text(encoding="utf-8").splitlines()
        count = len(self.example.dims)
        rows = [line.split(";") for line in lines[1:]]
        return said, {tuple(row[:count]): row[count] if row[count] else None for row in rows}

    def audit(self, who: str, published: Cells) -> dict[str, Any]:
        """Of what anyone has published."""
        rounded = self.example.method == "round"
        lines = [";".join([*self.example.dims, *(["value", "state", "base", "steps"] if rounded else ["published"])])]
        more = ["rounded", str(self.example.base), str(self.example.steps)] if rounded else []
        for codes, value in published.items():
            lines.append(";".join([*codes, "x" if value is None else f"{value:.10g}", *more]))
        (self.folder / "theirs.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        words = ["--levels", "minimal"] if rounded else []
        _, said, trouble = self.run("audit", f"{who}.toml", "--pattern", "theirs.csv", *words)
        return said or {"verdict": trouble}


def cost(example: Example, cells: Cells, shown: Cells) -> float:
    """Of the secondaries, in the measure of the example; of a rounded table, how far it is from the truth."""
    if example.method == "round":
        return float(sum(abs(float(shown[codes]) - cells[codes][0]) for codes in cells))
    sizes = [abs(cells[codes][0]) for codes, value in shown.items() if value is None and not cells[codes][1]]
    if example.weights == "unity":
        return len(sizes)
    return float(sum(math.log10(1 + size) for size in sizes) if example.weights == "log" else sum(sizes))


def secondaries(cells: Cells, shown: Cells) -> int:
    return sum(value is None and not cells[codes][1] for codes, value in shown.items())


def widened(example: Example, number: int, codes: list[str]) -> tuple[str, ...]:
    """Codes of one of several tables as codes of all dimensions."""
    given = dict(zip(example.asked()[number], codes))
    return tuple(given.get(dim, example.total(dim)) for dim in example.dims)


def together(example: Example, tables: list[Any]) -> Cells:
    """What is known of each cell from all tables of the peer."""
    shown: Cells = {}
    for number, cells in enumerate(tables):
        for codes, value in cells:
            key = widened(example, number, codes)
            shown[key] = value if shown.get(key) is None else shown[key]
    return shown


# ---- the table

def run_peer(python: str, example: Example, folder: pathlib.Path) -> tuple[dict[str, Any], str]:
    """The answer of the peer, or how it ended."""
    output = folder / "answer.json"
    try:
        done = subprocess.run([python, __file__, "--inside", example.key, str(output)], cwd=folder, capture_output=True,
                              text=True, errors="replace", check=False, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return {}, f"does not end in {SECONDS} seconds"
    if done.returncode < 0:
        return {}, f"crash, signal {-done.returncode}"
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["?"])[-1]
        return {}, "error: " + (last.partition(": ")[2] or last)
    return json.loads(output.read_text(encoding="utf-8")), ""


class Comparison:
    """One example by both, audited."""

    def __init__(self, lacuna: str, python: str, example: Example) -> None:
        self.example = example
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            program = Lacuna(lacuna, folder, example)
            self.cells = program.cells()
            self.ours = {who: program.protect(who) for who in example.attackers}
            self.answer, self.trouble = run_peer(python, example, folder)
            self.shown: Cells = {}
            self.audits: dict[str, dict[str, Any]] = {}
            if not self.trouble:
                everything = together(example, self.answer["tables"])
                self.shown = {codes: value for codes, value in everything.items() if codes in self.cells}
                self.audits = {who: program.audit(who, self.shown) for who in self.ours}

    def sensitive(self) -> str:
        ours = sum(sensitive for _, sensitive in self.cells.values())
        if self.trouble or self.example.method == "round":
            return f"{ours}"
        widest = {widened(self.example, number, codes) for number, dims in enumerate(self.example.asked())
                  for codes in self.answer["sensitive"] if len(codes) == len(dims)}
        return f"{ours}" if ours == len(widest) else f"{ours} ({len(widest)})"

    def loss(self, shown: Cells) -> str:
        amount = f"{cost(self.example, self.cells, shown):,.10g}" if self.example.weights != "log" else (
            f"{cost(self.example, self.cells, shown):.2f}")
        return amount if self.example.method == "round" else f"{secondaries(self.cells, shown)}, {amount}"

    def ours_text(self, who: str) -> str:
        if who not in self.ours:
            return "not run"
        said, shown = self.ours[who]
        return f"refused (exit {said['code']})" if "trouble" in said else self.loss(shown)

    def verdict(self, who: str) -> str:
        if who not in self.audits:
            return "not run"
        said = self.audits[who]
        failed = said.get("counts", {}).get("exposed", 0)
        if "counts" not in said:
            return "not a release of this table"
        return f"{said['verdict']} ({failed})" if failed else str(said["verdict"])

    def row(self) -> str:
        parts = [self.example.key, self.example.origin, self.sensitive()]
        if self.trouble:
            parts += [self.trouble.replace("|", "/")[:80], "", "", ""]
        else:
            own = self.answer.get("own_audit")
            parts += [self.loss(self.shown), "" if own is None else f"{own} found" if own else "content",
                      self.verdict("outsider"), self.verdict("respondents")]
        parts += [self.ours_text("outsider"), self.ours_text("respondents"), self.seconds()]
        return "| " + " | ".join(parts) + " |"

    def seconds(self) -> str:
        said = self.ours["outsider"][0]
        theirs = f"{self.answer['seconds']:.2f}" if self.answer else "-"
        return f"{theirs}, {said['seconds']:.2f}" if "seconds" in said else f"{theirs}, -"

    def exposed(self) -> list[str]:
        return [f"{self.example.key}, {who}: {'/'.join(cell['codes'])} in [{cell['lower']}, {cell['upper']}] for "
                f"{cell['attacker']}: {cell.get('reason', '')}" for who, said in self.audits.items()
                for cell in said.get("cells", []) if cell["verdict"] == "exposed"]


HEAD = ("| example | from | sensitive | theirs: secondaries, cost | own audit | outsider | respondents | "
        "ours, outsider | ours, respondents | seconds |\n|---|---|---|---|---|---|---|---|---|---|")


def has(python: str, peer: str) -> bool:
    return subprocess.run([python, "-c", f"import {peer}"], capture_output=True, check=False).returncode == 0


def contributors(example: Example, codes: list[str]) -> int:
    """Of a cell of flat dimensions."""
    at = [(example.columns.index(dim), code) for dim, code in zip(example.dims, codes) if code != example.total(dim)]
    return len({row[example.columns.index(example.unit)] for row in example.rows if all(row[i] == c for i, c in at)})


def count_one(one: Comparison, found: collections.Counter[str]) -> None:
    best = cost(one.example, one.cells, one.ours["outsider"][1])
    theirs = cost(one.example, one.cells, one.shown)
    found["tables"] += 1
    found["at the optimum"] += theirs == best
    found["cost of theirs"] += round(theirs)
    found["cost of ours, outsider"] += round(best)
    found["cost of ours, respondents"] += round(cost(one.example, one.cells, one.ours["respondents"][1]))
    found["found by their own audit"] += bool(one.answer.get("own_audit"))
    found["no release of the table"] += "counts" not in one.audits["outsider"]
    for who, said in one.audits.items():
        found[f"exposed to the {who}"] += said["verdict"] == "exposed"
    bad = [cell for cell in one.audits["respondents"].get("cells", []) if cell["verdict"] == "exposed"]
    found["of these cells with one contributor"] += any(contributors(one.example, c["codes"]) == 1 for c in bad)


def count_random(lacuna: str, python: str, kind: str, number: int) -> None:
    """Small random tables, added up."""
    found: collections.Counter[str] = collections.Counter()
    for seed in range(1, number + 1):
        one = Comparison(lacuna, python, named(f"{kind} random {seed}"))
        if one.trouble:
            found["not run"] += 1
        else:
            count_one(one, found)
    print(f"{kind}: " + ", ".join(f"{name} {value}" for name, value in found.items()), flush=True)


def compare_rules(lacuna: str, python: str) -> None:
    print("| rule | cells | sensitive: theirs | ours | they differ in |\n|---|---|---|---|---|")
    for text in peer_examples.RULES:
        example = named(f"rule {text}")
        with tempfile.TemporaryDirectory() as name:
            cells = Lacuna(lacuna, pathlib.Path(name), example).cells()
            answer, trouble = run_peer(python, example, pathlib.Path(name))
        theirs = {tuple(codes) for codes in answer.get("sensitive", [])}
        ours = {codes for codes, (_, sensitive) in cells.items() if sensitive}
        print(f"| {text} | {len(cells)} | {trouble or len(theirs)} | {len(ours)} | {len(theirs - ours)} only theirs, "
              f"{len(ours - theirs)} only ours |", flush=True)


def main(words: list[str]) -> int:
    if words[:1] == ["--inside"]:
        inside(*words[1:])
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lacuna")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--exposed", action="store_true")
    parser.add_argument("example", nargs="*")
    given = parser.parse_intermixed_args(words)
    lacuna = str(pathlib.Path(given.lacuna).resolve())
    for peer in ("gconfid", "pytauargus"):
        if not has(given.python, peer):
            print(f"{peer} is not there for {given.python}: nothing is compared with it")
        elif given.rules:
            if peer == "gconfid":
                compare_rules(lacuna, given.python)
        elif given.random:
            for kind in ("gconfid",) if peer == "gconfid" else ("pytauargus", "pairs", "counts"):
                count_random(lacuna, given.python, kind, given.random)
        else:
            wanted = [e for e in EXAMPLES if e.peer == peer and e.key in (given.example or [e.key])]
            compare(lacuna, given.python, wanted, given.exposed)
    return 0


def compare(lacuna: str, python: str, examples: list[Example], exposed: bool) -> None:
    if not examples:
        return
    print(f"\n{examples[0].peer}\n\n{HEAD}")
    lines = []
    for example in examples:
        one = Comparison(lacuna, python, example)
        print(one.row(), flush=True)
        lines += one.exposed()
    if exposed:
        print("\n" + "\n".join(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
