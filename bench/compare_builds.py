#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two builds of lacuna side by side: the same runs in turn, so that a busy machine is busy for both.

  bench/compare_builds.py OLD NEW INSTANCE... [--methods suppress,interval,combined,adjust]
                          [--rounds 3] [--limit 10] [--options="--effort fast"] [--markdown FILE]

Prints one line per instance and method: CPU seconds (the least of all rounds), cost, bound and
verdict of both. A cost or bound that differs, and a verdict that is not "protected" in NEW where it
is in OLD, are marked; runs that the limit ended may differ, since the clock decides them."""

import argparse
import json
import os
import pathlib
import subprocess
import sys


def run(program, instance, method, limit, options):
    """What the program says of one run, with its CPU seconds."""
    command = [program, "protect", instance, "--method", method, "--threads", "1", "--json",
               "--time-limit", str(limit), *options.split()]
    before = os.times()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = os.times()
    cpu = (after.children_user - before.children_user) + (after.children_system - before.children_system)
    try:
        said = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        said = {"status": "failed", "verdict": done.stderr.strip()[:60]}
    return cpu, said


def differs(old, new, name):
    a, b = old.get(name), new.get(name)
    if a is None or b is None:
        return a is not b
    return abs(a - b) > 1e-6 * max(1.0, abs(a), abs(b))


def compare(args):
    programs = {"old": args.old, "new": args.new}
    for instance in args.instances:
        for method in args.methods.split(","):
            least, said = {}, {}
            for turn in range(args.rounds):
                for which in ("old", "new") if turn % 2 == 0 else ("new", "old"):
                    cpu, said[which] = run(programs[which], instance, method, args.limit, args.options)
                    least[which] = min(cpu, least.get(which, cpu))
            yield instance, method, least, said


def line_of(instance, method, least, said):
    old, new = said["old"], said["new"]
    marks = [name for name in ("objective", "bound") if differs(old, new, name)]
    if old.get("verdict") == "protected" and new.get("verdict") != "protected":
        marks.append("verdict")
    number = lambda run, name: f"{run[name]:.8g}" if isinstance(run.get(name), (int, float)) else "-"
    both = lambda name: number(old, name) if name not in marks else f"{number(old, name)} / {number(new, name)}"
    status = old["status"] if old["status"] == new["status"] else f"{old['status']} / {new['status']}"
    return [pathlib.Path(instance).name.split(".")[0], method, f"{least['old']:.2f}", f"{least['new']:.2f}",
            both("objective"), both("bound"), status, new.get("verdict", "-"), " ".join(marks)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("instances", nargs="+")
    parser.add_argument("--methods", default="suppress,interval,combined,adjust")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=10)
    parser.add_argument("--options", default="", help="of lacuna protect, for all runs")
    parser.add_argument("--markdown")
    args = parser.parse_args()
    lines, totals = [], {"old": 0.0, "new": 0.0}
    for instance, method, least, said in compare(args):
        lines.append(line_of(instance, method, least, said))
        for which, cpu in least.items():
            totals[which] += cpu
        print(" ".join(lines[-1]), flush=True)
    print(f"all: {totals['old']:.1f} s before, {totals['new']:.1f} s after")
    if args.markdown:
        head = ["instance", "method", "CPU s before", "CPU s after", "objective", "bound", "status", "verdict", "differs"]
        rows = [head, ["---"] * len(head)] + lines
        text = "".join("| " + " | ".join(row) + " |\n" for row in rows)
        pathlib.Path(args.markdown).write_text(text, encoding="utf-8")
    return 1 if any("verdict" in line[-1] for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
