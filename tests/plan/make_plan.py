# SPDX-License-Identifier: Apache-2.0
"""A plan of many generated tables: clusters of tables over the same units, whose tables share cells, and clusters of
responses of their own, which do not.

  make_plan.py FOLDER CLUSTERS TABLES_PER_CLUSTER SEED
  make_plan.py FOLDER regions REGIONS TOWNS KINDS SIZES SEED UNIT_CELLS    one table that falls into parts"""
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


AREA_JOB = JOB.replace('name = "{first}"\ntotal = "T"', 'name = "area"\ntotal = "T"\nparents = "areas.csv"')
TOWNS = 3  # of a region


def region_lines(draw, regions, towns, kinds, sizes, sensitive):
    """One table of towns, whose regions must be published, by kind and size: a part per region, which has all cells
    of its towns. A share of the cells is sensitive."""
    nation = {}
    yield "area;kind;size;value;status;lower;upper"
    for r in range(regions):
        region = {}
        for t in range(towns):
            town = {}
            for k in range(kinds):
                for s in range(sizes):
                    number = draw.randint(1, 5) if draw.random() < sensitive else draw.randint(50, 900)
                    for cell in ((f"k{k}", f"s{s}"), (f"k{k}", "T"), ("T", f"s{s}"), ("T", "T")):
                        town[cell] = town.get(cell, 0) + number
            for (k, s), number in town.items():
                region[k, s] = region.get((k, s), 0) + number
                nation[k, s] = nation.get((k, s), 0) + number
                level = max(1, number // 5)
                yield f"r{r}t{t};{k};{s};{number};" + (f"u;{level};{level}" if number < 40 else "s;;")
        for (k, s), number in region.items():
            yield f"r{r};{k};{s};{number};z;;"
    for (k, s), number in nation.items():
        yield f"T;{k};{s};{number};z;;"


def make_regions(folder, unit_cells, regions, towns=TOWNS, kinds=KINDS, sizes=SIZES, seed=2, sensitive=0.25,
                 options="", extra=""):
    """A plan of one table that falls into a part per region; returns its path."""
    folder = pathlib.Path(folder)
    (folder / "in").mkdir(parents=True, exist_ok=True)
    with open(folder / "in" / "regions.csv", "w") as file:
        draw = random.Random(seed)
        file.writelines(line + "\n" for line in region_lines(draw, regions, towns, kinds, sizes, sensitive))
    with open(folder / "in" / "areas.csv", "w") as file:
        file.write("code,parent\n")
        for r in range(regions):
            file.write(f"r{r},T\n" + "".join(f"r{r}t{t},r{r}\n" for t in range(towns)))
    job = AREA_JOB.format(csv="regions.csv", second="kind") + '[[dimension]]\nname = "size"\ntotal = "T"\n'
    (folder / "in" / "regions.toml").write_text(job)
    plan = folder / "plan.toml"
    plan.write_text(f'[plan]\noutput = "out"\nunit_cells = {unit_cells}\n[options]\n'
                    + (options or 'method = "suppress"\n') + '[[table]]\ninput = "in/regions.toml"\n' + extra)
    return plan


if __name__ == "__main__":
    if sys.argv[2] == "regions":
        REGIONS, OF_REGION, OF_KIND, OF_SIZE, SEED, CELLS = map(int, sys.argv[3:9])
        FAST = 'method = "suppress"\neffort = "fast"\n'
        print(make_regions(sys.argv[1], CELLS, REGIONS, OF_REGION, OF_KIND, OF_SIZE, SEED, 0.05, FAST))
    else:
        print(make(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])))
