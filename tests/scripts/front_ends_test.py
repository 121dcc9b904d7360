#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""front_ends_test.py LACUNA [--tables N] [--seed S] [--python EXE] [--r EXE] [--serve]: what every front end says of a
release of which nothing was asked, of blanks from elsewhere that sums tell, and of what is exposed and waived.

For each small random table t.toml (nothing is marked), m.toml (some cells are) and r.csv (a release with random blanks)
the command line, Python, R and the server are asked to protect t, and to audit and report r. What sums tell for sure is
found here, by elimination in fractions and without a line of the library. No word of safety may stand beside it:
  - t as it is: the verdict is `unasked`;
  - r of t: no tick, and not `protected` where a blank is told;
  - r of m, with a marked blank that is told: `exposed`, and `waived` with the word for it.
`lacuna bench safety` reads the command line on many more tables; front ends that are not named here are left out, and
the end says so. Python is a Python that finds lacuna_sdc by PYTHONPATH, R one that finds lacuna by R_LIBS."""
import argparse
import fractions
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

JOB = '[input]\ntable = "{}.csv"\n[columns]\nvalue = "v"\n{}[[dimension]]\nname = "r"\ntotal = "T"\n[[dimension]]\nname = "c"\ntotal = "T"\n'
TICK = re.compile("\u2713|Safe, and checked|Confidentiality checked|Protected: safe|card protected")
CALLED = re.compile(r'^protected\b|^An audit: protected|<Audit: protected|"verdict": ?"protected"|^verdict: protected', re.M)
PARTS = ("protect", "elsewhere", "page", "public page", "exposed", "waived")
END = "\x1e\n"

PYTHON = """
import re, sys, lacuna_sdc as lc
folder, tables = sys.argv[1], int(sys.argv[2])
def say(i, part, *texts):
    sys.stdout.write(f"{i} {part}\\n" + "\\n".join(re.sub("<(script|style).*?</\\\\1>", "", t, flags=re.S) for t in texts) + "\\x1e\\n")
def shown(audit):
    return repr(audit), audit._repr_html_(), f"verdict: {audit.verdict}"
for i in range(tables):
    t, m, r = (f"{folder}/{name}{i}{end}" for name, end in (("t", ".toml"), ("m", ".toml"), ("r", ".csv")))
    made = lc.protect(t)
    say(i, "protect", made.summary, repr(made), made._repr_html_(), *shown(made.audit))
    say(i, "elsewhere", *shown(lc.audit(t, r)))
    say(i, "page", made.report(), lc.report(t, r))
    say(i, "public page", made.report(public=True, unasked="publish"))
    say(i, "exposed", *shown(lc.audit(m, r)))
    say(i, "waived", *shown(lc.audit(m, r, waive="exposed")), lc.report(m, r, waive="exposed"))
"""

R = """
suppressMessages(library(lacuna))
given <- commandArgs(TRUE)
say <- function(i, part, ...) {
  texts <- gsub("(?s)<(script|style).*?</\\\\1>", "", c(...), perl = TRUE)
  cat(i, " ", part, "\\n", paste(texts, collapse = "\\n"), "\\x1e\\n", sep = "")
}
shown <- function(audit) c(format(audit), summary(audit)$lines, paste("verdict:", audit$verdict))
for (i in seq_len(as.integer(given[2])) - 1L) {
  named <- function(name, end) paste0(given[1], "/", name, i, end)
  made <- protect(named("t", ".toml"))
  say(i, "protect", format(made), shown(audit(made)))
  say(i, "elsewhere", shown(audit(named("t", ".toml"), named("r", ".csv"))))
  say(i, "page", unclass(report(made)), unclass(report(named("t", ".toml"), named("r", ".csv"))))
  say(i, "public page", unclass(report(made, public = TRUE, unasked = "publish")))
  say(i, "exposed", shown(audit(named("m", ".toml"), named("r", ".csv"))))
  say(i, "waived", shown(audit(named("m", ".toml"), named("r", ".csv"), waive = "exposed")))
}
"""


def told(equations, blanks):
    """The blanks that the equations determine: whose unit row is a combination of the rows, restricted to blanks."""
    order = sorted(blanks)
    basis = {}  # leading column -> row
    for equation in equations:
        row = [fractions.Fraction(equation.get(cell, 0)) for cell in order]
        for lead, other in basis.items():
            if row[lead]:
                row = [a - row[lead] * b for a, b in zip(row, other)]
        lead = next((k for k, a in enumerate(row) if a), None)
        if lead is None:
            continue
        row = [a / row[lead] for a in row]
        for key, other in basis.items():
            basis[key] = [a - other[lead] * b for a, b in zip(other, row)]
        basis[lead] = row
    return {order[lead] for lead, row in basis.items() if sum(1 for a in row if a) == 1}


class Drawn:
    """A table with margins, cells that are marked, and a release of it with blanks."""

    def __init__(self, rng):
        rows, columns = "abc"[:rng.randint(2, 3)], "xyz"[:rng.randint(2, 3)]
        self.values = {(r, c): rng.randint(1, 60) for r in rows for c in columns}
        for r in rows:
            self.values[r, "T"] = sum(self.values[r, c] for c in columns)
        for c in columns + "T":
            self.values["T", c] = sum(self.values[r, c] for r in rows)
        self.equations = [{(r, "T"): -1} | {(r, c): 1 for c in columns} for r in rows + "T"]
        self.equations += [{("T", c): -1} | {(r, c): 1 for r in rows} for c in columns + "T"]
        inner = [cell for cell in self.values if "T" not in cell]
        self.blanks = {rng.choice(inner)} | {cell for cell in self.values if rng.random() < 0.2}
        if rng.random() < 0.5:  # a rectangle, which no sum tells
            across, down = rng.sample(rows, 2), rng.sample(columns, 2)
            self.blanks = {(r, c) for r in across for c in down}
        self.told = told(self.equations, self.blanks)
        self.marked = set(rng.sample(sorted(self.blanks), min(len(self.blanks), rng.randint(1, 2))))
        self.exposed = bool(self.marked & self.told)

    def write(self, folder, i):
        lines = [(";".join(cell), value, cell) for cell, value in self.values.items()]
        text = {"t": "r;c;v\n" + "".join(f"{codes};{value}\n" for codes, value, _ in lines),
                "m": "r;c;v;s\n" + "".join(f"{codes};{value};{'u' if cell in self.marked else 's'}\n" for codes, value, cell in lines),
                "r": "r;c;v\n" + "".join(f"{codes};{'x' if cell in self.blanks else value}\n" for codes, value, cell in lines)}
        for name, table in text.items():
            (folder / f"{name}{i}.csv").write_text(table)
        (folder / f"t{i}.toml").write_text(JOB.format(f"t{i}", ""))
        (folder / f"m{i}.toml").write_text(JOB.format(f"m{i}", 'status = "s"\n'))


def wrong(part, drawn, text):
    """Why the text cannot stand, or nothing."""
    nothing_asked = part in ("protect", "public page") or (part in ("elsewhere", "page") and not drawn.blanks)
    if part in ("exposed", "waived") and not drawn.exposed:
        return None
    if found := TICK.search(text):
        return "a tick: " + text[max(0, found.start() - 200):found.end() + 200]
    if CALLED.search(text) and (nothing_asked or part in ("exposed", "waived") or drawn.told):
        return "called protected"
    word = {"protect": "unasked", "exposed": "exposed", "waived": "waived"}.get(part)
    if word and word not in text:
        return f"not called {word}"
    return None


def by_command_line(lacuna, folder, tables):
    def run(*words):
        done = subprocess.run([lacuna, *words, "--threads", "1"], cwd=folder, capture_output=True, text=True, check=False)
        return done.stdout

    for i in range(tables):
        t, m, r = f"t{i}.toml", f"m{i}.toml", f"r{i}.csv"
        yield i, "protect", run("protect", t, "--certificate", "c.json", "-o", "o.json") + run("verify", t, "c.json")
        yield i, "elsewhere", run("audit", t, "--pattern", r, "--certificate", "d.json") + run(
            "verify", t, "d.json", "--pattern", r)
        yield i, "exposed", run("audit", m, "--pattern", r)
        yield i, "waived", run("audit", m, "--pattern", r, "--waive", "exposed")


def by_reader(command, folder, tables):
    done = subprocess.run([*command, str(folder), str(tables)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ends with {done.returncode}:\n{done.stderr[-3000:]}")
    for said in done.stdout.split(END)[:-1]:
        head, text = said.split("\n", 1)
        number, part = head.split(" ", 1)
        yield int(number), part, text


def by_server(lacuna, folder, tables):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "serve"))
    import served  # pylint: disable=import-outside-toplevel,import-error

    with served.Server(lacuna, folder) as server:
        for i in range(tables):
            for part, table, options in (("protect", "t", {}), ("elsewhere", "t", {"command": "audit"}),
                                         ("exposed", "m", {"command": "audit"}),
                                         ("waived", "m", {"command": "audit", "waive": "exposed"})):
                document = server.open(f"{table}{i}.toml")["id"]
                if "command" in options:
                    options["pattern"] = f"r{i}.csv"
                run = server.finish(server.start(document, **options)["id"])
                yield i, part, json.dumps(run, ensure_ascii=False)
                if part in ("protect", "elsewhere"):
                    page = server.request("GET", f"/api/runs/{run['id']}/export?what=report&format=html").body.decode()
                    yield i, "page", re.sub(r"<(script|style).*?</\1>", "", page, flags=re.S)
                server.request("DELETE", f"/api/documents/{document}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna", type=pathlib.Path)
    parser.add_argument("--tables", type=int, default=25)
    parser.add_argument("--seed", type=int, default=38)
    parser.add_argument("--python")
    parser.add_argument("--r")
    parser.add_argument("--serve", action="store_true")
    given = parser.parse_args()
    lacuna, rng = str(given.lacuna.resolve()), random.Random(given.seed)
    drawn = [Drawn(rng) for _ in range(given.tables)]
    failures, counts = [], {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for i, table in enumerate(drawn):
            table.write(folder, i)
        (folder / "read.R").write_text(R)
        readers = {"command line": lambda: by_command_line(lacuna, folder, given.tables),
                   "Python": given.python and (lambda: by_reader([given.python, "-c", PYTHON], folder, given.tables)),
                   "R": given.r and (lambda: by_reader([given.r, "--vanilla", "--no-echo", "-f", str(folder / "read.R"), "--args"], folder, given.tables)),
                   "server": given.serve and (lambda: by_server(lacuna, folder, given.tables))}
        for who, read in readers.items():
            for i, part, text in read() if read else ():
                counts[who] = counts.get(who, 0) + 1
                if why := wrong(part, drawn[i], text):
                    failures.append(f"{who}, table {i}, {part}: {why}\n  {text[:300]!r}")
    failures += [f"{who}: {counts[who]} texts of {given.tables} tables" for who in counts if counts[who] < 4 * given.tables]
    failures += [f"{who}: nothing was read" for who, read in readers.items() if read and who not in counts]
    told_tables, exposed = sum(1 for d in drawn if d.told), sum(1 for d in drawn if d.exposed)
    if not 0 < exposed <= told_tables < len(drawn):
        failures.append(f"the drawing shows nothing: {told_tables} told, {exposed} of them marked, of {len(drawn)}")
    print("\n".join(failures[:20]))
    print(f"{given.tables} tables, {told_tables} with blanks that sums tell, {exposed} of them marked; texts read: "
          + ", ".join(f"{who} {counts.get(who, 0)}" for who in readers) + f"; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
