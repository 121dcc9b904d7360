#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two builds of lacuna side by side: the same runs in turn, so that a busy machine is busy for both.

  bench/compare_builds.py OLD NEW [INSTANCE...] [--set FOLDER] [--methods suppress,interval,combined,adjust]
                          [--rounds 3] [--again 2] [--limit 10] [--work UNITS] [--options="--effort fast"]
                          [--markdown FILE]

A method is one of `lacuna protect` or
  audit    `lacuna audit --verdicts-only` of the pattern that OLD finds by suppress --effort fast, once for both
  ranges   the same with exact ranges; of --set, tables of up to RANGES_BYTES
  counts   the tables of counts_audit.py instead of the instances, audited in whole numbers
--set takes all tables of FOLDER/real and FOLDER/castro and ten of FOLDER/oyl, the middle one of each tenth by size;
methods are then those of SET_WORK, each with its own limit of work, so that no clock decides.

Prints one line per instance and method: CPU seconds (the least of all rounds), cost, bound and verdict of both; of
audits the numbers of requirements and questions that hold, and of those that do not, in place of cost and bound. One
that differs, and a verdict that is not "protected" in NEW where it is in OLD, are marked; runs that the limit ended may
differ, since the clock decides them. Runs in which NEW needs more than SUSPECT times the CPU of OLD are measured
--again so many times. The last lines have the ratio NEW / OLD by method: geometric mean and worst, the worst of runs
of at least LEAST seconds, since shorter ones say nothing; runs that the
limit ended are left out. Exit code 1: a verdict was lost."""

import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile
import types

import counts_audit

OYL_TABLES = 10
SUSPECT = 1.1
LEAST = 0.2  # seconds of CPU
START = 0.02  # as many seconds on both sides of a ratio, so that the start of a process is no change
# Units of work of each method on the tables of --set: meant to keep all runs of two builds near 12 minutes of a core (an estimate).
SET_WORK = {"suppress": 500_000, "interval": 500_000, "combined": 500_000, "adjust": 500_000, "audit": 0, "ranges": 0,
            "counts": 0}
COUNTS_SCALE = 1
RANGES_BYTES = 30_000  # of --set: exact ranges of all requirements of larger (packed) tables take minutes


def tables_of_set(folder):
    """The tables that changes of the engines are measured on."""
    for family in ("real", "castro", "oyl"):  # docs/bench.md says where they are from
        if not (folder / family).is_dir():
            print(f"{folder / family} is not there: its tables are left out", file=sys.stderr)
    by_size = sorted((folder / "oyl").glob("*.jj.xz"), key=lambda path: (path.stat().st_size, path.name))
    chosen = sorted({int((i + 0.5) / OYL_TABLES * len(by_size)) for i in range(OYL_TABLES)}) if by_size else []
    return [*sorted((folder / "real").glob("*.jj.xz")), *sorted((folder / "castro").glob("*.jj.xz")),
            *(by_size[i] for i in chosen)]


def run(command):
    """What the program says of one run, with its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        return cpu, json.loads(done.stdout.splitlines()[-1] if command[1] == "protect" else done.stdout)
    except (IndexError, ValueError):
        return cpu, {"status": "failed", "verdict": done.stderr.strip()[:60]}


def protect(program, instance, method, args):
    work = args.work or (SET_WORK.get(method) if args.set else None)
    limit = ["--work", work] if work else []
    return run([program, "protect", instance, "--method", method, "--threads", "1", "--json", "--quiet",
                "--time-limit", args.limit, *limit, *args.options.split()])


def audit(program, instance, method, pattern, limit):
    """With the numbers of answers where methods have cost and bound."""
    words = [] if method == "ranges" else ["--verdicts-only"]
    words += ["--counts", "--threshold", counts_audit.THRESHOLD] if method == "counts" else []
    cpu, said = run([program, "audit", instance, *(["--pattern", pattern] if pattern else []), "--threads", "1",
                     "--json", "--quiet", "--time-limit", limit, *words])
    counts, kinds = said.get("counts", {}), said.get("kinds", {}).values()
    stopped = said.get("seconds", 0) >= limit
    total = lambda word: counts.get(word, 0) + sum(kind.get(word, 0) for kind in kinds)
    return cpu, {**said, "status": said.get("status", "limit" if stopped else "done"), "objective": total("protected"),
                 "bound": total("exposed"), "undecided": total("undecided")}


def pattern_of(args, instance, folder):
    """Where OLD hides what; without one, the sensitive cells alone are hidden."""
    path = pathlib.Path(folder) / (pathlib.Path(instance).name + ".pattern.json")
    if not path.exists():
        run([args.old, "protect", instance, "--method", "suppress", "--effort", "fast", "--threads", "1", "--quiet",
             "--json", "--work", SET_WORK["suppress"], "--time-limit", args.limit, "-o", path])
    return path if path.exists() else None


def counts_tables(folder):
    """Name, table and pattern of what counts_audit.py measures."""
    for name in ("tree", "cube", "geographies"):
        problem = getattr(counts_audit, name)(COUNTS_SCALE)
        table, pattern = pathlib.Path(folder) / f"{name}.json", pathlib.Path(folder) / f"{name}.pattern.txt"
        problem.write(table)
        pattern.write_text("\n".join(map(str, sorted(counts_audit.boxes(problem)))) + "\n", encoding="utf-8")
        yield table, pattern


def jobs(args, folder):
    """Instance, method and what runs it with a program."""
    methods = args.methods.split(",")
    for instance in args.instances:
        for method in methods:
            if method == "ranges" and args.set and pathlib.Path(instance).stat().st_size > RANGES_BYTES:
                continue
            if method in ("audit", "ranges"):
                pattern = pattern_of(args, instance, folder)
                yield instance, method, lambda program: audit(program, instance, method, pattern, args.limit)
            elif method != "counts":
                yield instance, method, lambda program: protect(program, instance, method, args)
    for table, pattern in counts_tables(folder) if "counts" in methods else ():
        yield table, "counts", lambda program: audit(program, table, "counts", pattern, args.limit)


def measured(args, runs):
    """The least CPU of each build and what it said."""
    programs, least, said = {"old": args.old, "new": args.new}, {}, {}
    for turn in range(args.rounds + args.again):
        if turn >= args.rounds and least["new"] <= SUSPECT * least["old"]:
            break
        for which in ("old", "new") if turn % 2 == 0 else ("new", "old"):
            cpu, said[which] = runs(programs[which])
            least[which] = min(cpu, least.get(which, cpu))
    return least, said


def differs(old, new, name):
    a, b = old.get(name), new.get(name)
    if a is None or b is None:
        return a is not b
    return abs(a - b) > 1e-6 * max(1.0, abs(a), abs(b))


def line_of(instance, method, least, said):
    old, new = said["old"], said["new"]
    marks = [name for name in ("objective", "bound", "undecided") if differs(old, new, name)]
    if old.get("verdict") == "protected" and new.get("verdict") != "protected":
        marks.append("verdict")
    number = lambda run, name: f"{run[name]:.8g}" if isinstance(run.get(name), (int, float)) else "-"
    both = lambda name: number(old, name) if name not in marks else f"{number(old, name)} / {number(new, name)}"
    status = old["status"] if old["status"] == new["status"] else f"{old['status']} / {new['status']}"
    return [pathlib.Path(instance).name.split(".")[0], method, f"{least['old']:.2f}", f"{least['new']:.2f}",
            both("objective"), both("bound"), status, new.get("verdict", "-"), " ".join(marks)]


def ratios(rows):
    """Lines about NEW / OLD, of each method and of all."""
    groups = {}
    for name, method, least in rows:
        ratio = (least["new"] + START) / (least["old"] + START)
        for group in (method, "all"):
            groups.setdefault(group, []).append((ratio, name, method, least))
    for group in [*(name for name in groups if name != "all"), "all"]:
        runs = groups.get(group, [])
        mean = math.exp(sum(math.log(run[0]) for run in runs) / max(1, len(runs)))
        total = types.SimpleNamespace(**{which: sum(run[3][which] for run in runs) for which in ("old", "new")})
        long = [run for run in runs if max(run[3].values()) >= LEAST]
        worst = max(long, default=None, key=lambda run: run[0])
        words = f"worst {worst[0]:.3f} ({worst[1]}, {worst[2]})" if worst else "none long enough for a worst"
        above = sum(run[0] > 1.2 for run in long)
        yield (f"{group}: {len(runs)} runs, {total.old:.1f} s before, {total.new:.1f} s after; ratio: geometric mean "
               f"{mean:.3f}, {words}, above 1.2: {above} of {len(long)} with {LEAST} s")


def parsed():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("instances", nargs="*")
    parser.add_argument("--set", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--methods")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--again", type=int, default=2)
    parser.add_argument("--limit", type=float, default=None, help="seconds of a run; 10, with --set or --work 60")
    parser.add_argument("--work", type=int, help="units of lacuna protect, for all methods")
    parser.add_argument("--options", default="", help="of lacuna protect, for all runs")
    parser.add_argument("--markdown")
    args = parser.parse_args()
    args.instances += [str(path) for path in tables_of_set(args.set)] if args.set else []
    args.methods = args.methods or ",".join(SET_WORK if args.set else ("suppress", "interval", "combined", "adjust"))
    args.rounds = args.rounds or (1 if args.set else 3)
    args.limit = args.limit or (60 if args.set or args.work else 10)
    if not args.instances and "counts" not in args.methods.split(","):
        parser.error("no instances")
    return args


def main():
    args = parsed()
    lines, rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        for instance, method, runs in jobs(args, folder):
            least, said = measured(args, runs)
            lines.append(line_of(instance, method, least, said))
            stopped = {each.get("status") for each in said.values()} & {"limit", "cancelled", "failed"}
            if not stopped:
                rows.append((lines[-1][0], method, least))
            print(" ".join(lines[-1]), flush=True)
    said = [*ratios(rows), f"without a ratio, since the clock ended a run or it failed: {len(lines) - len(rows)}"]
    print("\n".join(said))
    if args.markdown:
        head = ["instance", "method", "CPU s before", "CPU s after", "objective", "bound", "status", "verdict", "differs"]
        table = [head, ["---"] * len(head)] + lines
        text = "".join("| " + " | ".join(row) + " |\n" for row in table) + "\n" + "".join(f"- {line}\n" for line in said)
        pathlib.Path(args.markdown).write_text(text, encoding="utf-8")
    return 1 if any("verdict" in line[-1] for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
