# SPDX-License-Identifier: Apache-2.0
"""A plan of many generated tables: clusters of tables over the same units, whose tables share cells, and clusters of
responses of their own, which do not.

  make_plan.py FOLDER CLUSTERS TABLES_PER_CLUSTER SEED"""
import pathlib
import random
import sys

AREAS, KINDS, SIZES = 4, 3, 3


def units(draw):
    """Amounts by area, kind and size; a few are small, which makes cells sensitive."""
    return {
        (a, k, s): draw.choice([0, draw.randint(1, 5), draw.randint(50, 900), draw.randint(50, 900)])
        for a in range(AREAS) for k in range(KINDS) for s in range(SIZES)
    }


def table_csv(amounts, dims):
    """All cells of the table over two of the three dimensions, one row each."""
    names = {"area": [f"a{i}" for i in range(AREAS)], "kind": [f"k{i}" for i in range(KINDS)],
             "size": [f"s{i}" for i in range(SIZES)]}
    order = ["area", "kind", "size"]
    lines = [";".join(dims) + ";value;status;lower;upper"]

    def value(codes):
        return sum(v for key, v in amounts.items()
                   if all(codes.get(d) in (None, "T", names[d][key[order.index(d)]]) for d in order))

    for first in ["T"] + names[dims[0]]:
        for second in ["T"] + names[dims[1]]:
            number = value({dims[0]: first, dims[1]: second})
            sensitive = 0 < number < 120 and first != "T" and second != "T"
            lines.append(f"{first};{second};{number};{'u' if sensitive else 's'};"
                         + (f"{max(1, number // 5)};{max(1, number // 5)}" if sensitive else ";"))
    return "\n".join(lines) + "\n"


JOB = """[input]
table = "{csv}"
separator = ";"
[columns]
value = "value"
status = "status"
lower_level = "lower"
upper_level = "upper"
[attackers]
respondents = false
[[dimension]]
name = "{first}"
total = "T"
[[dimension]]
name = "{second}"
total = "T"
"""


def make(folder, clusters, tables, seed):
    """Writes plan.toml and its inputs; returns the number of tables."""
    folder = pathlib.Path(folder)
    (folder / "in").mkdir(parents=True, exist_ok=True)
    draw = random.Random(seed)
    plan = ['[plan]\noutput = "out"\n[options]\nmethod = "suppress"\neffort = "fast"\n']
    pairs = [("area", "kind"), ("area", "size"), ("kind", "size")]
    count = 0
    for cluster in range(clusters):
        amounts = units(draw)
        for t in range(tables):
            first, second = pairs[t % len(pairs)]
            if t >= len(pairs):  # further ones are of another response, tied to nothing but their like
                amounts = units(draw) if t % len(pairs) == 0 else amounts
            name = f"c{cluster}t{t}"
            (folder / "in" / f"{name}.csv").write_text(table_csv(amounts, (first, second)))
            (folder / "in" / f"{name}.toml").write_text(JOB.format(csv=f"{name}.csv", first=first, second=second))
            plan.append(f'[[table]]\ninput = "in/{name}.toml"\nresponse = "r{cluster}_{t // len(pairs)}"\n')
            count += 1
    (folder / "plan.toml").write_text("".join(plan))
    return count


if __name__ == "__main__":
    print(make(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
