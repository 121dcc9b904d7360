#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the floors of src/ from src/layers.txt and counts their lines.

  scripts/floors.py            print rooms, lines and the longest way through rooms as Markdown
  scripts/floors.py --draw     the same, and write docs/images/floors.svg
  scripts/floors.py --check    exit 1 if an arrow runs up, if there is a circle, or if the picture
                               does not have the rooms of the table
"""

import html
import re
import sys

from check_layers import Check
from layers import TREE, read_layers

PICTURE = TREE / "docs/images/floors.svg"
SHOWN = ("core", "judge", "data", "protect", "app", "front")
COLORS = ("#dce9f5", "#fbe3d6", "#e3f1df", "#f6efcf", "#eadff2", "#eeeeee")


def lines_of(row):
    """Lines of the sources of a folder, without folders inside it that have rows of their own."""
    return sum(
        len(path.read_text("utf-8").splitlines())
        for path in (TREE / row.folder).rglob("*")
        if path.suffix in (".h", ".cpp") and "r/src/core" not in path.as_posix()
    )


def longest_way(layers):
    """The longest chain of rooms of which each includes the next."""
    way = {}
    for row in layers.rows:
        below = [way[name] for name in row.includes if name in way]
        way[row.name] = [row.name, *max(below, key=len, default=[])]
    return max(way.values(), key=len)


def arrows_up(layers):
    """Includes of a floor by one below it."""
    floors = list(layers.floors)
    return [
        (row.name, name)
        for row in layers.rows
        for name in row.includes
        if floors.index(layers.by_name[name].floor) > floors.index(row.floor)
    ]


def page(layers):
    total = 0
    yield "| Floor | Rooms | Lines |"
    yield "|---|---|---|"
    for floor in layers.floors:
        rows = [row for row in layers.rows if row.floor == floor]
        lines = sum(map(lines_of, rows))
        total += lines
        yield f"| {floor} | {', '.join(f'{row.name} {lines_of(row):,}' for row in rows)} | {lines:,} |"
    yield f"| all | | {total:,} |"
    yield ""
    way = longest_way(layers)
    yield f"The longest way through rooms has {len(way)}: {' → '.join(way)}."


def drawing(layers):
    """One band per floor, the lowest at the bottom; a box per room, as wide as it has lines."""
    width, band, left, gap = 1180, 64, 90, 6
    height = band * len(SHOWN) + 20
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="11">'
    )
    yield "<title>The floors of the sources, with the lines of each room</title>"
    for at, floor in enumerate(reversed(SHOWN)):
        rows = [row for row in layers.rows if row.floor == floor]
        lines = {row.name: lines_of(row) for row in rows}
        top, total = 10 + at * band, sum(lines.values())
        color = COLORS[len(SHOWN) - 1 - at]
        yield f'<rect x="4" y="{top}" width="{width - 8}" height="{band - gap}" fill="{color}" rx="4"/>'
        yield f'<text x="12" y="{top + 24}" font-size="14" font-weight="bold">{floor}</text>'
        yield f'<text x="12" y="{top + 42}" fill="#555">{total:,}</text>'
        least, space = 34, width - left - 14 - gap * len(rows)
        scale = (space - least * len(rows)) / max(total, 1)
        x = left
        for row in rows:
            wide = least + lines[row.name] * scale
            name, size = html.escape(row.name), min(11, wide / (0.6 * len(row.name)))
            yield (
                f'<g><title>{name}: {lines[row.name]:,} lines; {html.escape(row.holds)}</title>'
                f'<rect x="{x:.1f}" y="{top + 8}" width="{wide:.1f}" height="{band - gap - 16}" '
                'fill="#fff" stroke="#999" rx="3"/>'
                f'<text x="{x + wide / 2:.1f}" y="{top + 28}" text-anchor="middle" '
                f'font-size="{size:.1f}">{name}</text>'
                f'<text x="{x + wide / 2:.1f}" y="{top + 42}" text-anchor="middle" fill="#777" '
                f'font-size="{min(10, size):.1f}">{lines[row.name]:,}</text></g>'
            )
            x += wide + gap
    yield "</svg>"


def check(layers):
    """What is wrong, as sentences."""
    told = [f"{name} includes {above}, which stands on a floor above it" for name, above in arrows_up(layers)]
    told += [reason for _, reason in layers.faults]
    told += [found for found in Check(TREE, layers).found]
    drawn = set(re.findall(r"<title>(\S+): ", PICTURE.read_text("utf-8"))) if PICTURE.is_file() else set()
    rooms = {html.escape(row.name) for row in layers.rows}
    if drawn != rooms:
        told.append(f"{PICTURE.name} is not of these rooms ({', '.join(sorted(drawn ^ rooms))}): floors.py --draw")
    return told


def main(arguments):
    layers = read_layers()
    if arguments == ["--check"]:
        told = check(layers)
        for reason in told:
            print(f"floors: {reason}", file=sys.stderr)
        return 1 if told else 0
    if arguments not in ([], ["--draw"]):
        print("usage: floors.py [--draw | --check]", file=sys.stderr)
        return 2
    print("\n".join(page(layers)))
    if arguments:
        PICTURE.write_text("".join(f"{line}\n" for line in drawing(layers)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
