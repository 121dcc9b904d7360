#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the history of a run: bound and incumbent over time, as SVG.

  lacuna protect IN --trace trace.csv
  bench/instances/plot_trace.py trace.csv trace.svg "title"
"""

import csv
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 400, 90, 20, 40, 50


def main(source, target, title):
    with open(source, newline="") as file:
        points = [tuple(float(row[name]) for name in ("seconds", "incumbent", "bound"))
                  for row in csv.DictReader(file)]
    if not points:
        print("plot_trace.py: the trace is empty", file=sys.stderr)
        return 1
    finite = [p[1] for p in points if p[1] < float("inf")]
    last, high = points[-1][0] or 1, max(finite + [p[2] for p in points]) or 1

    def place(seconds, value):
        x = LEFT + (WIDTH - LEFT - RIGHT) * seconds / last
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / high
        return f"{x:.1f},{y:.1f}"

    def steps(values):
        line, before = [], None
        for seconds, value in values:
            if before is not None:
                line.append(place(seconds, before))
            line.append(place(seconds, value))
            before = value
        return " ".join(line)

    bound = steps([(p[0], p[2]) for p in points])
    incumbent = steps([(p[0], p[1]) for p in points if p[1] < float("inf")])
    labels = "".join(
        f'<text x="{LEFT - 8}" y="{place(0, high * k / 4).split(",")[1]}" text-anchor="end">'
        f"{high * k / 4:,.0f}</text>" for k in range(5))
    ticks = "".join(
        f'<text x="{place(last * k / 4, 0).split(",")[0]}" y="{HEIGHT - BOTTOM + 20}" '
        f'text-anchor="middle">{last * k / 4:.1f}</text>' for k in range(5))
    with open(target, "w") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
            f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" '
            f'fill="white"/><text x="{WIDTH / 2}" y="20" text-anchor="middle">{title}</text>'
            f'{labels}{ticks}<text x="{WIDTH / 2}" y="{HEIGHT - 10}" text-anchor="middle">seconds'
            f'</text><polyline fill="none" stroke="#b03030" stroke-width="2" points="{incumbent}"/>'
            f'<polyline fill="none" stroke="#3050b0" stroke-width="2" points="{bound}"/>'
            f'<text x="{WIDTH - RIGHT - 10}" y="{TOP + 10}" text-anchor="end" fill="#b03030">'
            f'best pattern</text><text x="{WIDTH - RIGHT - 10}" y="{TOP + 28}" text-anchor="end" '
            f'fill="#3050b0">proven bound</text></svg>\n')
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
