# SPDX-License-Identifier: Apache-2.0
"""What the published examples and tests of gconfid and pytauargus (and of its sibling piargus) are about, with data of
our own: tables of the same shapes, the same rules, the same questions. compare_python_peers.py runs them by both and
docs/python_peers.md shows them; python/tests/test_peers.py runs them through the Python package.

An Example is records with dimensions, rules and a method. job_text() gives it as a job of ours; what is passed to the
others is made of the same fields (compare_python_peers.py)."""
from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Field = str | int | float
Rows = tuple[tuple[Field, ...], ...]
Tree = Mapping[str, Sequence[str]]  # code -> the codes below it
RECORDS = "records.csv"


@dataclass(frozen=True)
class Rule:
    """A safety rule: its name in a job of ours and its parameters."""

    type: str
    values: Mapping[str, int]


@dataclass(frozen=True)
class Example:
    """Records and what is asked of them. Names of columns are those of the records."""

    key: str
    peer: str
    title: str
    origin: str  # the example or test of the peer
    columns: tuple[str, ...]
    rows: Rows
    dims: tuple[str, ...]
    value: str
    rules: tuple[Rule, ...] = ()
    totals: Mapping[str, str] = field(default_factory=dict)
    trees: Mapping[str, Sequence[Tree]] = field(default_factory=dict)
    unit: str = "firm"
    holding: str = ""
    weight: str = ""
    waiver: str = ""
    negative: bool = False
    apriori: str = ""  # lines of an .hst file
    tables: tuple[tuple[str, ...], ...] = ()  # several tables; all dimensions if empty
    method: str = "suppress"
    base: int = 0
    steps: int = 0  # bases beyond the next multiple
    freed: tuple[tuple[str, ...], ...] = ()  # withheld by the peer, then published by hand
    ready: bool = False  # the rows are cells of a table, totals included
    frequency: str = ""
    largest: tuple[str, ...] = ()
    status: str = ""
    weights: str = ""
    their_method: str = ""  # of the peer, if there is a choice
    attackers: tuple[str, ...] = ("outsider", "respondents")  # against whom it is run and judged

    def total(self, dim: str) -> str:
        return self.totals.get(dim, "Total")

    def column(self, name: str) -> list[Field]:
        return [row[self.columns.index(name)] for row in self.rows]

    def asked(self) -> tuple[tuple[str, ...], ...]:
        return self.tables or (self.dims,)


def percent(p: int) -> Rule:
    return Rule("p-percent", {"p": p})


def dominance(n: int, k: int) -> Rule:
    return Rule("dominance", {"n": n, "k": k})


def frequency(n: int, level: int = 0) -> Rule:
    return Rule("frequency", {"n": n, "range": level} if level else {"n": n})


def csv_text(example: Example) -> str:
    lines = [",".join(example.columns)]
    return "\n".join(lines + [",".join(str(cell) for cell in row) for row in example.rows]) + "\n"


def job_text(example: Example, respondents: bool) -> str:
    """The example as a job over RECORDS, against the outsider alone or against the respondents, too."""
    lines = ["[input]", f'{"table" if example.ready else "records"} = "{RECORDS}"', 'separator = ","']
    lines += ["negative = true"] if example.negative else []
    lines += ["[columns]"]
    if example.value:
        lines.append(f'value = "{example.value}"')
    for key, name in (("respondent", example.unit), ("holding", example.holding), ("weight", example.weight),
                      ("waiver", example.waiver), ("frequency", example.frequency), ("status", example.status)):
        lines += [f'{key} = "{name}"'] if name else []
    lines += [f"largest = {quoted(example.largest)}"] if example.largest else []
    lines += ['waiver_codes = ["1"]'] if example.waiver else []
    for rule in example.rules:
        lines += ["[[rule]]", f'type = "{rule.type}"'] + [f"{name} = {value}" for name, value in rule.values.items()]
    lines += ["[defaults]", 'level = "20%"'] if example.status else []  # as tau-ARGUS takes for statuses by hand
    lines += ["[attackers]", f"respondents = {str(respondents).lower()}"]
    lines += ["[apriori]", 'file = "manual.hst"'] if example.apriori else []
    for dim in example.dims:
        lines += ["[[dimension]]", f'name = "{dim}"', f'total = "{example.total(dim)}"']
        for tree in example.trees.get(dim, ()):
            lines += ["[[dimension.tree]]"] + [f'"{code}" = {quoted(below)}' for code, below in tree.items()]
    for number, dims in enumerate(example.tables):
        lines += ["[[table]]", f'name = "table{number + 1}"', f"dimensions = {quoted(dims)}"]
    return "\n".join(lines) + "\n"


def quoted(codes: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{code}"' for code in codes) + "]"


def draws(seed: int) -> Iterator[float]:
    """Numbers in [0, 1), the same on every machine: a linear congruential generator."""
    state = seed
    while True:
        state = (state * 1103515245 + 12345) % 2**31
        yield state / 2**31


def skewed_firms(seed: int, regions: Sequence[str], branches: Sequence[str], each: int) -> Rows:
    """Some firms per cell, a few of them very large."""
    numbers = draws(seed)
    rows: list[tuple[Field, ...]] = []
    for region in regions:
        for branch in branches:
            for _ in range(each):
                rows.append((f"f{len(rows) + 1:03}", region, branch, 1 + int(1200 * next(numbers) ** 6)))
    return tuple(rows)


def small_firms(seed: int) -> Rows:
    """One to four firms in each of nine cells."""
    numbers = draws(seed * 7919)
    rows: list[tuple[Field, ...]] = []
    for region in "NSW":
        for branch in "xyz":
            for _ in range(1 + int(4 * next(numbers))):
                rows.append((f"f{len(rows) + 1:03}", region, branch, 1 + int(1200 * next(numbers) ** 4)))
    return tuple(rows)


FIRMS = ("firm", "region", "branch", "turnover")
TEN = tuple("abcdefghij")

# Three branches, of which two have one firm per region: "sensitive alone" and "sensitive together".
SOLE = (("k1", "N", "food", 120), ("k2", "S", "food", 95), ("k3", "N", "wood", 260),
        ("k4", "N", "steel", 140), ("k5", "N", "steel", 210), ("k6", "N", "steel", 330))

# Firms in several cells; the fourth column says who has agreed to disclosure in that cell.
WAIVED = (("w1", "N", "c1", 0, 85), ("w2", "N", "c1", 1, 150), ("w2", "N", "c2", 1, 220), ("w3", "N", "c2", 0, 25),
          ("w4", "N", "c2", 1, 130), ("w4", "N", "c3", 0, 105), ("w5", "N", "c3", 0, 35), ("w6", "N", "c3", 1, 190),
          ("w7", "S", "c1", 1, 115), ("w8", "S", "c2", 0, 95), ("w9", "S", "c2", 0, 55), ("w10", "S", "c2", 0, 75),
          ("w10", "S", "c3", 0, 45), ("w11", "S", "c3", 0, 32), ("w12", "S", "c3", 0, 12))

PROFILES = ((100,), (80, 20), (55, 45), (72, 22, 6), (48, 46, 6), (73, 14, 13), (35, 33, 32), (72, 18, 7, 3),
            (45, 43, 8, 4), (30, 26, 23, 21), (71, 11, 10, 8), (96, 2, 1, 1))


def waiver_rows() -> Rows:
    """Each profile of a cell with every choice of those who agreed to disclosure: 122 cells in a row."""
    rows: list[tuple[Field, ...]] = []
    for number, profile in enumerate(PROFILES):
        for agreed in itertools.product((0, 1), repeat=len(profile)):
            code = f"c{number:02}" + "".join(str(yes) for yes in agreed)
            rows += [(f"u{len(rows) + k}", code, yes, size) for k, (size, yes) in enumerate(zip(profile, agreed))]
    return tuple(rows)


# Two ways to add up the same provinces.
PROVINCES = {
    "province": (
        {"All": ["East", "West"], "East": ["p1", "p2", "p3"], "West": ["p4", "p5", "p6"]},
        {"All": ["Coast", "Inland"], "Coast": ["p1", "p5"], "Inland": ["p2", "p3", "p4", "p6"]},
    )
}


def province_rows() -> Rows:
    return skewed_firms(11, ("p1", "p2", "p3", "p4", "p5", "p6"), ("A", "B"), 4)


# A firm that dominates one cell (as in the first example of pytauargus).
DOMINATED = (("d1", "North", "Retail", 120), ("d2", "North", "Retail", 6), ("d3", "North", "Retail", 5),
             ("d4", "North", "Services", 11), ("d5", "North", "Services", 12), ("d6", "North", "Services", 13),
             ("d7", "South", "Retail", 22), ("d8", "South", "Retail", 21), ("d9", "South", "Retail", 20),
             ("d10", "South", "Services", 31), ("d11", "South", "Services", 32), ("d12", "South", "Services", 33))

# Six records in four cells: everything inside is sensitive (as in the first example of piargus).
SIX = (("s1", "Town", "A", 51), ("s2", "Town", "C", 47), ("s3", "Town", "A", 44),
       ("s4", "City", "C", 33), ("s5", "City", "A", 48), ("s6", "City", "C", 41))

NACE = ({"Total": ["150", "160"], "150": ["151", "152"], "160": ["161", "162"]},)
AREAS = ({"Total": ["Sea", "Top"], "Sea": ["Bay", "Dam"], "Top": ["Mil", "Pit"]},)
UNEVEN = ({"Total": ["Sea", "Hills"], "Sea": ["Bay", "Port"], "Hills": ["Mill", "Pit"]},)


def group_rows() -> Rows:
    """Firms with the group that owns them; every second one is part of a group of three."""
    return tuple((firm, region, branch, size, f"g{int(str(firm)[1:]) // 3}" if int(str(firm)[1:]) % 2 else str(firm))
                 for firm, region, branch, size in skewed_firms(23, ("N", "S", "W"), ("x", "y", "z"), 5))


def weighted_rows() -> Rows:
    return (("v1", "D1", 210, 1), ("v2", "D1", 32, 1), ("v3", "D1", 12, 1), ("v4", "D2", 210, 1), ("v5", "D2", 32, 1),
            ("v6", "D2", 12, 4), ("v7", "D3", 210, 3), ("v8", "D3", 32, 1), ("v9", "D3", 12, 2), ("v10", "D4", 210, 3),
            ("v11", "D4", 32, 2), ("v12", "D4", 12, 2))


def person_rows() -> Rows:
    """Persons by age and town, for tables of counts."""
    counts = {("young", "A"): 13, ("young", "B"): 1, ("young", "C"): 7, ("middle", "A"): 21, ("middle", "B"): 8,
              ("middle", "C"): 2, ("old", "A"): 9, ("old", "B"): 14, ("old", "C"): 11}
    rows = [(age, town, 1) for (age, town), count in counts.items() for _ in range(count)]
    return tuple((f"n{number}", *row) for number, row in enumerate(rows))


def even_firms() -> Rows:
    """Five firms of about the same size in each of six cells: nothing is sensitive."""
    places = [(region, branch) for region in "NS" for branch in "xyz"]
    return tuple((f"e{5 * at + k}", *place, 40 + 3 * k + at) for at, place in enumerate(places) for k in range(5))


def agreed_rows() -> Rows:
    """Two to four firms in a cell; in the first cell all have agreed to disclosure."""
    cells = (("N", "x", (90, 60), 1), ("N", "y", (70, 45, 38), 0), ("S", "x", (80, 75, 52), 0),
             ("S", "y", (66, 51, 47, 20), 0), ("W", "x", (58, 49, 44, 39), 1), ("W", "y", (77, 31, 29, 28, 12), 0))
    rows = [(region, branch, agreed, size) for region, branch, sizes, agreed in cells for size in sizes]
    return tuple((f"a{number}", *row) for number, row in enumerate(rows))


def border_rows() -> Rows:
    """Firms of about the same size, but for one cell whose two largest have exactly 88%."""
    even = tuple(row for row in even_firms() if row[1:3] != ("N", "x"))
    return (*even, *((f"b{n}", "N", "x", size) for n, size in enumerate((45, 43, 8, 4))))


# Each cell mixes profits and losses.
PROFITS = (("l1", "A", 180), ("l2", "A", 32), ("l3", "A", 14), ("l1", "B", -95), ("l2", "B", 31), ("l3", "B", 44),
           ("l1", "C", -90), ("l2", "C", 42), ("l3", "C", -38))

# Counts of 2 x 2 x 2: no rounding to even numbers adds up (Causey, Cox and Ernst).
CUBE = tuple((f"q{n}", *codes, 1) for n, codes in enumerate((("a", "a", "a"), ("a", "b", "b"), ("b", "a", "b"),
                                                            ("b", "b", "a"))))

# A ready table: value, contributors and largest contribution of each cell.
READY = (("a1", "small", 110, 11, 21), ("a1", "large", 52, 5, 14), ("a1", "Total", 162, 16, 21),
         ("a2", "small", 33, 2, 22), ("a2", "large", 24, 5, 9), ("a2", "Total", 57, 7, 22),
         ("a6", "small", 64, 8, 15), ("a6", "large", 46, 6, 43), ("a6", "Total", 110, 14, 43),
         ("Total", "small", 207, 21, 22), ("Total", "large", 122, 16, 43), ("Total", "Total", 329, 37, 43))
READY_COLUMNS = ("activity", "size", "value", "n", "max")
MARKED = tuple((*row, "U" if row[:2] in (("a2", "small"), ("a6", "large")) else "S") for row in READY)

def two_level(letter: str, groups: int, each: int) -> tuple[Tree, ...]:
    """A tree of codes of three characters."""
    below = {f"{letter}{g}x": [f"{letter}{g}{k}" for k in range(each)] for g in range(groups)}
    return ({"Total": list(below), **below},)


def leaves(trees: Sequence[Tree]) -> tuple[str, ...]:
    return tuple(code for code in itertools.chain(*trees[0].values()) if code not in trees[0])


REGIONS, BRANCHES = two_level("r", 6, 5), two_level("b", 5, 6)

REGION_BRANCH: dict[str, Any] = {"columns": FIRMS, "dims": ("region", "branch"), "value": "turnover"}

GCONFID = (
    Example("sole", "gconfid", "sole contributors, p% rule 15", "user guide, sensitivity 1", rows=SOLE,
            rules=(percent(15),), totals={"region": "All", "branch": "All"}, **REGION_BRANCH),
    Example("waivers", "gconfid", "firms that agreed to disclosure, p% rule 20", "user guide, sensitivity 2 to 4",
            columns=("firm", "region", "class", "agreed", "sales"), rows=WAIVED, dims=("region", "class"),
            value="sales", rules=(percent(20),), totals={"region": "All", "class": "All"}, waiver="agreed"),
    Example("two trees", "gconfid", "provinces added up in two ways, p% rule 20", "test_14_hierarchy",
            columns=("firm", "province", "industry", "turnover"), rows=province_rows(), dims=("province", "industry"),
            value="turnover", rules=(percent(20),), totals={"province": "All", "industry": "Both"}, trees=PROVINCES),
    Example("one run", "gconfid", "100 firms in 20 cells, p% rule 10, cost = size", "test_integration",
            rows=skewed_firms(7, TEN, ("A", "B"), 5), rules=(percent(10),), totals={"region": "All", "branch": "Both"},
            **REGION_BRANCH),
    Example("each cell 1", "gconfid", "the same, every cell costs 1", "test_1_suppress, CONSTANT",
            rows=skewed_firms(7, TEN, ("A", "B"), 5), rules=(percent(10),), totals={"region": "All", "branch": "Both"},
            weights="unity", their_method="CONSTANT", **REGION_BRANCH),
    Example("digits", "gconfid", "the same, cost = logarithm of the value", "test_1_suppress, DIGITS",
            rows=skewed_firms(7, TEN, ("A", "B"), 5), rules=(percent(10),), totals={"region": "All", "branch": "Both"},
            weights="log", their_method="DIGITS", **REGION_BRANCH),
    Example("larger", "gconfid", "720 firms in 120 cells, p% rule 10", "sample program, suppress example 1",
            rows=skewed_firms(5, tuple(f"r{i:02}" for i in range(12)), TEN, 6), rules=(percent(10),),
            totals={"region": "All", "branch": "All"}, **REGION_BRANCH),
    Example("thousand", "gconfid", "8,100 firms, two hierarchies, 1,332 cells", "sample program, suppress example 1",
            rows=skewed_firms(17, leaves(REGIONS), leaves(BRANCHES), 9), rules=(percent(10),),
            trees={"region": REGIONS, "branch": BRANCHES}, attackers=("outsider",), **REGION_BRANCH),
    Example("nobody", "gconfid", "no sensitive cell", "test_no_sensitive_cells",
            rows=even_firms(), rules=(percent(10),), totals={"region": "All", "branch": "All"}, **REGION_BRANCH),
    Example("weights", "gconfid", "sampling weights, p% rule 20", "test_03, WEIGHT LINEAR",
            columns=("firm", "cell", "value", "w"), rows=weighted_rows(), dims=("cell",), value="value",
            rules=(percent(20),), weight="w"),
    Example("diagonal", "gconfid", "two sole contributors in different rows and columns, p% rule 10",
            "test_integration, smaller", rows=small_firms(100), rules=(percent(10),),
            totals={"region": "All", "branch": "All"}, **REGION_BRANCH),
    Example("border", "gconfid", "two firms with exactly 88%, (2,88) dominance", "test_04_waiver_weight_1a, nk 2 88",
            rows=border_rows(), rules=(dominance(2, 88),), totals={"region": "All", "branch": "All"}, **REGION_BRANCH),
    Example("few", "gconfid", "fewer than 3 firms, unless all agreed", "test_16_waiver_sensitivity",
            columns=("firm", "region", "branch", "agreed", "turnover"), rows=agreed_rows(), dims=("region", "branch"),
            value="turnover", rules=(percent(15), frequency(4)), totals={"region": "All", "branch": "All"},
            waiver="agreed"),
    Example("losses", "gconfid", "negative values, p% rule 20", "test_03, ACCEPTNEGATIVE",
            columns=("firm", "unit", "profit"), rows=PROFITS, dims=("unit",), value="profit", rules=(percent(20),),
            negative=True),
    Example("kept", "gconfid", "one cell must be published", "test_include_skipped_cellids",
            rows=SOLE, rules=(percent(15),), totals={"region": "All", "branch": "All"}, apriori="N;All;p\n",
            **REGION_BRANCH),
    Example("forced", "gconfid", "too many cells must be published", "test_infeasible", rows=SOLE, rules=(percent(15),),
            totals={"region": "All", "branch": "All"}, apriori="N;All;p\nAll;All;p\n", **REGION_BRANCH),
    Example("edited", "gconfid", "a complement is published by hand", "audit tutorial",
            rows=skewed_firms(7, TEN, ("A", "B"), 5), rules=(percent(10),), totals={"region": "All", "branch": "Both"},
            freed=(("d", "B"),), **REGION_BRANCH),
    Example("round 5", "gconfid", "counts rounded to base 5", "rounding, example 1",
            columns=("person", "age", "town", "one"), rows=person_rows(), dims=("age", "town"), value="one",
            rules=(frequency(3),), unit="person", method="round", base=5),
    Example("cube", "gconfid", "2 x 2 x 2 counts to base 2: impossible", "rounding, example 3 (infeasible)",
            columns=("person", "u", "v", "w", "one"), rows=CUBE, dims=("u", "v", "w"), value="one",
            rules=(frequency(2),), unit="person", method="round", base=2, steps=1),
)

PYTAUARGUS = (
    Example("dominated", "pytauargus", "one dominated cell, NK(2,75), OPT", "README, protect a DataFrame",
            columns=("firm", "Region", "Sector", "Turnover"), rows=DOMINATED, dims=("Region", "Sector"),
            value="Turnover", rules=(dominance(2, 75),), their_method="OPT(1,2)"),
    Example("six", "pytauargus", "six records in four cells, P(10), OPT", "piargus, microdata_basic",
            columns=("firm", "regio", "symbol", "income"), rows=SIX, dims=("symbol", "regio"), value="income",
            rules=(percent(10),), their_method="OPT(1,2)"),
    Example("trees", "pytauargus", "two hierarchies, NK(3,70), OPT", "piargus, microdata_hierarchy",
            columns=("firm", "area", "nace", "income"),
            rows=skewed_firms(3, ("Bay", "Dam", "Mil", "Pit"), ("151", "152", "161", "162"), 6),
            dims=("nace", "area"), value="income", rules=(dominance(3, 70),), trees={"nace": NACE, "area": AREAS},
            their_method="OPT(1,2)"),
    Example("modular", "pytauargus", "the same with MOD", "README, OPT and MOD",
            columns=("firm", "area", "nace", "income"),
            rows=skewed_firms(3, ("Bay", "Dam", "Mil", "Pit"), ("151", "152", "161", "162"), 6),
            dims=("nace", "area"), value="income", rules=(dominance(3, 70),), trees={"nace": NACE, "area": AREAS},
            their_method="MOD(1,5,1,1,1)"),
    Example("two tables", "pytauargus", "two tables with common totals, NK(2,80)", "piargus, microdata_linked",
            rows=skewed_firms(2, ("N", "S", "W"), ("x", "y", "z"), 5), rules=(dominance(2, 80),),
            tables=(("branch",), ("region", "branch")), their_method="OPT(1,2)", **REGION_BRANCH),
    Example("groups", "pytauargus", "holdings, NK(1,60)", "piargus, microdata_holding",
            columns=(*FIRMS, "group"), rows=group_rows(), dims=("region", "branch"), value="turnover",
            rules=(dominance(1, 60),), holding="group", their_method="OPT(1,2)"),
    Example("singles", "pytauargus", "sole contributors, FREQ(2), OPT", "README, few contributors",
            rows=SOLE, rules=(frequency(2, 20),), their_method="OPT(1,2)", **REGION_BRANCH),
    Example("thousand too", "pytauargus", "8,100 firms, two hierarchies, 1,332 cells", "piargus, microdata_hierarchy",
            rows=skewed_firms(17, leaves(REGIONS), leaves(BRANCHES), 9), rules=(percent(10),),
            trees={"region": REGIONS, "branch": BRANCHES}, attackers=("outsider",), their_method="OPT(1,2)",
            **REGION_BRANCH),
    Example("uneven", "pytauargus", "a hierarchy with codes of unequal length", "piargus, microdata_hierarchy",
            columns=("firm", "area", "nace", "income"),
            rows=skewed_firms(3, ("Bay", "Port", "Mill", "Pit"), ("151", "152", "161", "162"), 6),
            dims=("nace", "area"), value="income", rules=(dominance(3, 70),), trees={"nace": NACE, "area": UNEVEN},
            their_method="OPT(1,2)"),
    Example("by hand", "pytauargus", "status, cost and level by hand, NK(3,70) and FREQ(3,20)",
            "piargus, microdata_apriori", columns=("firm", "area", "nace", "income"),
            rows=skewed_firms(3, ("Bay", "Dam", "Mil", "Pit"), ("151", "152", "161", "162"), 6),
            dims=("nace", "area"), value="income", rules=(dominance(3, 70), frequency(3, 20)),
            apriori="151;Bay;s\nTotal;Dam;p\nTotal;Pit;c;9000\n162;Pit;pl;50;50\n", their_method="OPT(1,2)"),
    Example("persons", "pytauargus", "counts, FREQ(3,20), every cell costs 1", "piargus, microdata_response",
            columns=("person", "age", "town", "one"), rows=person_rows(), dims=("age", "town"), value="one",
            rules=(frequency(3, 20),), unit="person", weights="unity", their_method="OPT(1,2)"),
    Example("ready", "pytauargus", "a ready table, FREQ(3,10) and NK(1,85)", "piargus, tabledata_basic",
            columns=READY_COLUMNS, rows=READY, dims=("activity", "size"), value="value", unit="", ready=True,
            rules=(frequency(3, 10), dominance(1, 85)), frequency="n", largest=("max",), their_method="OPT(1,2)"),
    Example("marked", "pytauargus", "a ready table with statuses", "piargus, tabledata_status",
            columns=(*READY_COLUMNS, "status"), rows=MARKED, dims=("activity", "size"), value="value", unit="",
            ready=True, frequency="n", largest=("max",), status="status", their_method="OPT(1,2)"),
    Example("round 10", "pytauargus", "counts rounded to base 10", "README, controlled rounding",
            columns=("person", "age", "town", "one"), rows=person_rows(), dims=("age", "town"), value="one",
            rules=(frequency(3, 20),), unit="person", method="round", base=10, their_method="RND(1,10)"),
    Example("round 5 too", "pytauargus", "counts rounded to base 5", "README, controlled rounding",
            columns=("person", "age", "town", "one"), rows=person_rows(), dims=("age", "town"), value="one",
            rules=(frequency(3, 20),), unit="person", method="round", base=5, their_method="RND(1,5)"),
)

EXAMPLES = GCONFID + PYTAUARGUS


def random_example(kind: str, seed: int) -> Example:
    """Of each kind one per seed: small tables for either peer, pairs of tables, counts to be rounded."""
    key = f"{kind} random {seed}"
    if kind == "pairs":
        return Example(key, "pytauargus", "two tables of 45 firms, NK(2,80)", "",
                       tables=(("branch",), ("region", "branch")),
                       rows=skewed_firms(seed, ("N", "S", "W"), ("x", "y", "z"), 5), rules=(dominance(2, 80),),
                       their_method="OPT(1,2)", **REGION_BRANCH)
    if kind == "counts":
        return Example(key, "pytauargus", "nine counts below 40, none sensitive, to base 100", "",
                       columns=("person", "age", "town", "one"), rows=random_persons(seed), dims=("age", "town"),
                       value="one", rules=(frequency(1, 20),), unit="person", method="round", base=100,
                       their_method="RND(1,100)")
    theirs: dict[str, Any] = {"their_method": "OPT(1,2)"} if kind == "pytauargus" else {}
    return Example(key, kind, "nine cells of one to four firms, p% rule 10", "", rows=small_firms(seed),
                   rules=(percent(10),), **theirs, **REGION_BRANCH)


def random_persons(seed: int) -> Rows:
    numbers = draws(seed * 31)
    places = [(age, town) for age in ("young", "middle", "old") for town in "ABC"]
    rows = [(*place, 1) for place in places for _ in range(int(40 * next(numbers)))]
    return tuple((f"n{number}", *row) for number, row in enumerate(rows))


def rule_example(text: str) -> Example:
    """All waivers under one rule: "nk 2 88" or "pq 20", with "waived" if those who agreed count."""
    kind, *numbers, _ = (text + " .").split() if "waived" not in text else text.split()
    first, *more = (int(number) for number in numbers)
    return Example(f"rule {text}", "gconfid", "all waivers", "test_04_waiver_weight_1a", rows=waiver_rows(),
                   columns=("firm", "cell", "agreed", "size"), dims=("cell",), value="size",
                   rules=(dominance(first, more[0]) if kind == "nk" else percent(first),),
                   waiver="agreed" if "waived" in text else "")


RULES = [f"{rule}{waived}" for rule in ("nk 1 70", "nk 2 88", "nk 3 96", "pq 20") for waived in ("", " waived")]


def named(key: str) -> Example:
    kind, _, seed = key.partition(" random ")
    if key.startswith("rule "):
        return rule_example(key.removeprefix("rule "))
    return random_example(kind, int(seed)) if seed else next(e for e in EXAMPLES if e.key == key)
