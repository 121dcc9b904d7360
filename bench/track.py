#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Costs and bounds of pinned runs: nothing gets worse unnoticed.

  bench/track.py LACUNA [--set small|large] [--only TEXT] [--shared FOLDER] [--update] [--markdown FILE]

A run is a table (drawn by `lacuna generate`, or a file of tests/data or of the shared instances), a method and an
amount of work. Work is counted and not timed, so the same code gives the same cost and the same bound on every
machine, and a change of more than TOLERANCE is a change of the code. bench/track/SET.json has the runs with the cost
and the bound that they gave last; `small` is part of `make test`, `large` takes about twenty minutes.

Worse is a cost above, or a bound below, what is pinned by more than TOLERANCE, another status or a verdict that is not
"protected": exit code 1, with every such run. Better by more than TOLERANCE passes with a line that asks for --update,
which writes the pinned numbers anew; who worsens one on purpose does the same, and says why in the commit. A file that
is not here is counted and said; with none of its tables there, a set is not passed but skipped (77)."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOLERANCE = 0.02
SKIPPED = 77


def number(value):
    return "-" if value is None else f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"


class Runner:
    def __init__(self, program, shared, folder):
        self.program, self.shared, self.folder = program, shared, pathlib.Path(folder)

    def table(self, run):
        """The file of the run, or None if it is not here."""
        if "draw" in run:
            path = self.folder / ("-".join(run["draw"]).replace("=", "").replace(",", "_").replace("--", "") + ".json")
            if not path.exists():
                subprocess.run([self.program, "generate", *run["draw"], "-o", path], check=True, capture_output=True)
            return path
        path = ROOT / run["file"] if "file" in run else self.shared / run["shared"] if self.shared else None
        return path if path is not None and path.exists() else None

    def measure(self, run):
        """What the program says of the run: status, verdict, cost and bound; None if the table is not here."""
        path = self.table(run)
        if path is None:
            return None
        command = [self.program, "protect", path, *run["options"], "--threads", "1", "--json", "--quiet"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL)
        try:
            said = json.loads(done.stdout.splitlines()[-1])
            said["status"]
        except (IndexError, KeyError, ValueError):
            return {"status": "failed", "verdict": "none", "cost": None, "bound": None, "seconds": 0.0,
                    "why": done.stderr.strip()}
        return {"status": said["status"], "verdict": said["verdict"], "cost": said["objective"],
                "bound": said["bound"], "seconds": said["seconds"]}


def name_of(run):
    table = " ".join(run["draw"]) if "draw" in run else pathlib.Path(run.get("file") or run["shared"]).name
    return f"{table}: {' '.join(run['options'])}"


def changes(pinned, got):
    """What is worse and what is better than pinned, in words."""
    worse, better = [], []
    if got["verdict"] != "protected":
        worse.append(f"the verdict is {got['verdict']}{': ' + got['why'] if got.get('why') else ''}")
    if got["status"] != pinned["status"]:
        (better if got["status"] == "optimal" else worse).append(
            f"the status is {got['status']} and was {pinned['status']}")
    for key, sign in (("cost", 1), ("bound", -1)):
        before, now = pinned[key], got[key]
        if before is None or now is None:
            if before != now:
                (worse if now is None else better).append(f"the {key} is {number(now)} and was {number(before)}")
            continue
        room = TOLERANCE * max(abs(before), 1e-9)
        if abs(now - before) > room:
            side = worse if sign * (now - before) > 0 else better
            side.append(f"the {key} is {number(now)} and was {number(before)}")
    return worse, better


def line_of(run, got):
    return (f"| {name_of(run)} | {got['status']} | {number(got['cost'])} | {number(got['bound'])} | "
            f"{got['seconds']:.2f} | {got['verdict']} |")


def self_test():
    """The comparison says no where it has to."""
    pinned = {"status": "work", "cost": 100.0, "bound": 50.0}
    same = {"status": "work", "verdict": "protected", "cost": 101.9, "bound": 49.1}
    assert changes(pinned, same) == ([], [])
    assert len(changes(pinned, {**same, "cost": 102.1})[0]) == 1
    assert len(changes(pinned, {**same, "bound": 48.9})[0]) == 1
    assert len(changes(pinned, {**same, "cost": 97.9})[1]) == 1
    assert len(changes(pinned, {**same, "verdict": "exposed"})[0]) == 1
    assert len(changes({**pinned, "status": "optimal"}, same)[0]) == 1
    assert len(changes(pinned, {**same, "bound": None})[0]) == 1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lacuna")
    parser.add_argument("--set", default="small", choices=("small", "large"))
    parser.add_argument("--only", default="", help="runs whose line has this text")
    parser.add_argument("--shared", default=os.environ.get("LACUNA_SHARED", ""))
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--markdown")
    return parser.parse_args()


def main():
    args = arguments()
    self_test()
    pins = ROOT / "bench" / "track" / f"{args.set}.json"
    runs = json.loads(pins.read_text(encoding="utf-8"))
    failed, improved, absent, done = 0, 0, 0, 0
    lines = ["| run | status | cost | bound | seconds | verdict |", "|---|---|---:|---:|---:|---|"]
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(args.lacuna, pathlib.Path(args.shared) if args.shared else None, folder)
        for run in runs:
            if args.only not in name_of(run):
                continue
            got = runner.measure(run)
            if got is None:
                absent += 1
                continue
            done += 1
            lines.append(line_of(run, got))
            if "pinned" not in run and not args.update:
                sys.exit(f"{name_of(run)} has no pinned numbers: --update writes them")
            worse, better = changes(run["pinned"], got) if "pinned" in run else ([], [])
            print(f"{'WORSE' if worse else 'better' if better else 'same'}: {name_of(run)}"
                  + "".join(f"; {each}" for each in worse + better), flush=True)
            failed += bool(worse)
            improved += bool(better) and not worse
            if args.update:
                run["pinned"] = {key: got[key] for key in ("status", "cost", "bound")}
    if args.markdown:
        pathlib.Path(args.markdown).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if args.update:
        text = ",\n".join("  " + json.dumps(run) for run in runs)
        pins.write_text(f"[\n{text}\n]\n", encoding="utf-8")
        return 0
    if absent:
        print(f"{absent} tables are not here and were left out")
    if improved:
        print(f"{improved} runs are better than pinned: bench/track.py LACUNA --set {args.set} --update")
    if done == 0:
        print("needs the shared instances: no table of the set is here")
        return SKIPPED
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
