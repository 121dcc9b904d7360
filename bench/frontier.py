#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cost and proven bound of complete suppression over work, of two builds side by side.

  bench/frontier.py OLD NEW INSTANCE... [--limit 120] [--threads 2] [--options="--effort best"]
                    [--markdown FILE] [--plot FILE.svg] [--commits OLD,NEW]

Every table is protected by both builds in turn with the same limit; each run writes its history (`--trace`). Prints a
table with cost, bound, gap, seconds and verdict of both, and draws one small plot per table: best pattern (solid) and
bound (dashed) over seconds, old in grey and new in colour, in shares of the cheaper cost. The SVG needs no library.
Exit code 2 if a release is not protected."""

import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 300, 190, 44, 26, 28, 10
COLOURS = {"old": "#9a9a9a", "new": "#0b6e99"}


def run(program, instance, args, folder):
    trace = pathlib.Path(folder) / "trace.csv"
    trace.unlink(missing_ok=True)
    command = [program, "protect", instance, "--method", "suppress", "--json", "--quiet", "--time-limit",
               str(args.limit), "--threads", str(args.threads), "--trace", str(trace), *args.options.split()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        said = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        said = {"status": "failed", "verdict": "none", "seconds": float("nan")}
    points = []
    if trace.exists():
        with open(trace, newline="", encoding="utf-8") as file:
            points = [tuple(float(row[name]) for name in ("seconds", "incumbent", "bound"))
                      for row in csv.DictReader(file)]
    return said, points


def steps(points, which, place, last):
    """A staircase; what is not finite yet is left out."""
    path, before = [], None
    for point in points:
        if not point[which] < float("inf"):
            continue
        if before is not None:
            path.append(place(point[0], before))
        path.append(place(point[0], point[which]))
        before = point[which]
    if before is not None:
        path.append(place(last, before))
    return " ".join(path)


def small_plot(name, runs, column, row):
    """One panel; `runs`: by build, what was said and the history."""
    best = min((said["objective"] for said, _ in runs.values() if "objective" in said), default=1) or 1
    last = max([point[0] for _, points in runs.values() for point in points] + [1])
    top = 2.0  # times the cheaper cost: beyond, lines leave the panel
    x0, y0 = column * WIDTH, row * HEIGHT

    def place(seconds, value):
        x = x0 + LEFT + (WIDTH - LEFT - RIGHT) * seconds / last
        y = y0 + HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(value / best, top) / top
        return f"{x:.1f},{y:.1f}"

    parts = [f'<text x="{x0 + LEFT}" y="{y0 + 16}" font-size="12">{name}</text>']
    for share in (0, 0.5, 1, 1.5, 2):
        at = place(0, share * best).split(",")[1]
        parts.append(f'<line x1="{x0 + LEFT}" x2="{x0 + WIDTH - RIGHT}" y1="{at}" y2="{at}" stroke="#ddd"/>'
                     f'<text x="{x0 + LEFT - 4}" y="{float(at) + 4:.1f}" text-anchor="end">{share:g}</text>')
    parts.append(f'<text x="{x0 + WIDTH - RIGHT}" y="{y0 + HEIGHT - 10}" text-anchor="end">{last:.0f} s</text>')
    for build, (_, points) in runs.items():
        for which, dash in ((1, ""), (2, ' stroke-dasharray="4 3"')):
            line = steps(points, which, place, last)
            if line:
                parts.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[build]}" '
                             f'stroke-width="1.6"{dash}/>')
    return "".join(parts)


def plot(rows, target):
    across = 3
    down = (len(rows) + across - 1) // across
    panels = "".join(small_plot(name, runs, i % across, i // across) for i, (name, runs) in enumerate(rows))
    legend = (f'<text x="{LEFT}" y="{down * HEIGHT + 14}">best pattern (solid) and proven bound (dashed) as shares of '
              f'the cheaper final cost; grey: before, blue: after</text>')
    target.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{across * WIDTH}" height="{down * HEIGHT + 24}" '
                      f'font-family="sans-serif" font-size="10"><rect width="100%" height="100%" fill="white"/>'
                      f'{panels}{legend}</svg>\n', encoding="utf-8")


def number(said, name):
    return f"{said[name]:,.0f}" if isinstance(said.get(name), (int, float)) else "-"


def row_text(name, runs):
    old, new = runs["old"][0], runs["new"][0]
    gap = lambda said: f"{100 * said['gap']:.1f}%" if isinstance(said.get("gap"), (int, float)) else "-"
    return (f"| {name} | {new.get('cells', '-')} | {new.get('primary', '-')} | {number(old, 'objective')} | "
            f"{number(new, 'objective')} | {number(old, 'bound')} | {number(new, 'bound')} | {gap(old)} | {gap(new)} | "
            f"{old['seconds']:.1f} | {new['seconds']:.1f} | {new['status']} | {new['verdict']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("instances", nargs="+")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--options", default="--effort best")
    parser.add_argument("--commits", default="old,new")
    parser.add_argument("--markdown", type=pathlib.Path)
    parser.add_argument("--plot", type=pathlib.Path)
    args = parser.parse_args()
    before, after = args.commits.split(",")
    lines = [f"`{args.options} --time-limit {args.limit:g} --threads {args.threads}`, {before} (before) and {after} "
             "(after) in turn:", "",
             "| table | cells | primary | cost before | after | bound before | after | gap before | after | s before | "
             "after | status | verdict |", "|" + "---|" * 13]
    rows, safe = [], True
    print("\n".join(lines), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for instance in args.instances:
            name = pathlib.Path(instance).name.split(".")[0]
            runs = {"old": run(args.old, instance, args, folder), "new": run(args.new, instance, args, folder)}
            rows.append((name, runs))
            lines.append(row_text(name, runs))
            print(lines[-1], flush=True)
            safe = safe and runs["new"][0]["verdict"] == "protected"
    if args.markdown:
        args.markdown.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if args.plot:
        plot(rows, args.plot)
    return 0 if safe else 2


if __name__ == "__main__":
    sys.exit(main())
