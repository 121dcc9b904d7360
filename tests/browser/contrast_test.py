#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The colours of the report have a contrast of at least 4.5 to 1 (WCAG 2, level AA) in both schemes.

  contrast_test.py STYLE_CSS"""
import pathlib
import re
import sys

LEAST = 4.5
PAIRS = [("ink", "ground"), ("soft", "ground"), ("link", "ground"), ("ink", "head"), ("soft", "head"),
         ("good", "ground"), ("bad", "ground"), ("mark-p", "mark-w"), ("mark-p", "ground")]
PAIRS += [("ink", f"mark-{state}") for state in "wir"] + [(f"s{k}", "ground") for k in range(6)]


def luminance(color):
    parts = [int(color[k:k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def main(path):
    assert contrast("#777777", "#ffffff") < LEAST < contrast("#767676", "#ffffff"), "the formula is wrong"
    schemes = re.findall(r":root \{(.*?)\}", pathlib.Path(path).read_text(encoding="utf-8"), re.DOTALL)[:2]
    low = []
    for name, scheme in zip(("light", "dark"), schemes):
        colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", scheme))
        low += [f"{name}: {a} on {b}" for a, b in PAIRS if contrast(colors[a], colors[b]) < LEAST]
    print("\n".join(low) or f"{len(PAIRS)} pairs in {len(schemes)} schemes")
    return 1 if low or len(schemes) != 2 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
