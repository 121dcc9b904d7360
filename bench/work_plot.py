#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws quality over work: the cost of the best pattern so far against the work done.

  work_plot.py OUT.svg NAME=TRACE.csv [NAME=TRACE.csv ...]

The traces are those of `lacuna protect --trace`. Costs are shown relative to the last one of their
trace, in percent, both axes in logarithms.
"""
import csv
import math
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 360, 64, 48, 16, 128
COLORS = ("#1b6ca8", "#c2571a", "#3c8d40", "#7a3e9d", "#666666")
LEAST_ABOVE = 0.1  # percent: what is nearer to the last cost is drawn here


def points(path):
    """(work in units, percent above the last cost), falling."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [(float(row["work"]), float(row["incumbent"])) for row in csv.DictReader(file)
                if row["incumbent"] != "inf"]
    if not rows:
        raise SystemExit(f"{path}: no pattern in this trace")
    last = min(cost for _, cost in rows)
    best, found = math.inf, []
    for work, cost in rows:
        if cost < best:
            best = cost
            found.append((max(work, 1.0), max((cost / last - 1) * 100, LEAST_ABOVE)))
    found.append((max(rows[-1][0], 1.0), LEAST_ABOVE))
    return found


class Axis:
    def __init__(self, values, begin, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.begin, self.end = begin, end

    def at(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)

    def ticks(self):
        return [10.0 ** k for k in range(self.low, self.high + 1)]


def short(number):
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"


def draw(curves):
    x = Axis([p[0] for c in curves.values() for p in c], LEFT, WIDTH - RIGHT)
    y = Axis([p[1] for c in curves.values() for p in c], HEIGHT - BOTTOM, TOP)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for tick in x.ticks():
        out.append(f'<path d="M{x.at(tick):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
                   f'<text x="{x.at(tick):.1f}" y="{HEIGHT - BOTTOM + 16}" '
                   f'text-anchor="middle">{short(tick)}</text>')
    for tick in y.ticks():
        out.append(f'<path d="M{LEFT} {y.at(tick):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{y.at(tick) + 4:.1f}" '
                   f'text-anchor="end">{tick:g}%</text>')
    for number, (name, curve) in enumerate(curves.items()):
        color = COLORS[number % len(COLORS)]
        path = f"M{x.at(curve[0][0]):.1f} {y.at(curve[0][1]):.1f}"
        for work, above in curve[1:]:
            path += f"H{x.at(work):.1f}V{y.at(above):.1f}"
        out.append(f'<path d="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
                   f'<text x="{WIDTH - RIGHT + 8}" y="{TOP + 16 + 18 * number}" '
                   f'fill="{color}">{name}</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" '
               'text-anchor="middle">work, units</text>'
               f'<text transform="translate(14 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" '
               'text-anchor="middle">cost above the last</text></svg>')
    return "\n".join(out) + "\n"


def main(arguments):
    if len(arguments) < 2 or not all("=" in each for each in arguments[1:]):
        raise SystemExit(__doc__)
    curves = {}
    for each in arguments[1:]:
        name, path = each.split("=", 1)
        curves[name] = points(path)
    with open(arguments[0], "w", encoding="utf-8") as file:
        file.write(draw(curves))


if __name__ == "__main__":
    main(sys.argv[1:])
