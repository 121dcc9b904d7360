#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random tables written in every format and shape, and read back: the same table.

Each table crosses two or three dimensions with totals. It is written as text (one row per cell, wide,
with titles and footnotes, with flags behind the numbers, in several styles of numbers), as a workbook
(.xlsx, with one and with two rows of heading), as PX, SDMX-CSV, JSON-stat and in Eurostat's form, by
writers of their own here. What the program publishes of it, one row per cell, must be the table. Of wide
tables some cells are withheld as well: the public file of the same shape must differ in these alone.

  shapes_property_test.py LACUNA [TABLES] [SEED]"""
import csv
import io
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import zipfile
from xml.sax.saxutils import escape

LACUNA = str(pathlib.Path(sys.argv[1]).resolve())
TABLES = int(sys.argv[2]) if len(sys.argv) > 2 else 40
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
WORDS = ["north", "south", "east", "west", "centre", "coast", "hills", "lakes", "plains"]


class Table:
    """Dimensions with their codes, the total last, and a number for each combination."""

    def __init__(self, draw):
        names = draw.sample(["region", "branch", "sex", "size"], draw.choice([2, 2, 3]))
        self.dims = {}
        for name in names:
            codes = draw.sample(WORDS, draw.randint(3, 5))
            self.dims[name] = [f"{name[0]}-{code}" for code in codes] + ["Total"]
        inner = [codes[:-1] for codes in self.dims.values()]
        self.cells = {}
        for key in itertools.product(*inner):
            self.cells[key] = draw.randint(1, 9999)
        for d in range(len(names)):
            for key, value in list(self.cells.items()):
                total = key[:d] + ("Total",) + key[d + 1:]
                self.cells[total] = self.cells.get(total, 0) + value
        self.names = names

    def keys(self):
        return itertools.product(*self.dims.values())


def delimited(rows, separator):
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\n").writerows(rows)
    return out.getvalue()


def long_rows(table, shown=str):
    return [[*table.names, "value"]] + [[*key, shown(table.cells[key])] for key in table.keys()]


def wide_rows(table, shown=str):
    """The codes of the last dimension stand in the heading."""
    *rows, last = table.names
    head = [*rows, *table.dims[last]]
    body = [[*key, *[shown(table.cells[(*key, code)]) for code in table.dims[last]]]
            for key in itertools.product(*[table.dims[name] for name in rows])]
    return [head, *body]


def grouped(mark):
    return lambda value: f"{value:,}".replace(",", mark)


def cell_reference(row, column):
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row + 1}"


def workbook(rows, merged=()):
    """The least that is an .xlsx: texts in their cells, numbers as numbers."""
    lines = []
    for r, row in enumerate(rows):
        cells = []
        for c, text in enumerate(row):
            if text == "":
                continue
            where = cell_reference(r, c)
            if isinstance(text, int):
                cells.append(f'<c r="{where}"><v>{text}</v></c>')
            else:
                cells.append(f'<c r="{where}" t="inlineStr"><is><t>{escape(str(text))}</t></is></c>')
        lines.append(f'<row r="{r + 1}">{"".join(cells)}</row>')
    spans = "".join(f'<mergeCell ref="{each}"/>' for each in merged)
    if spans:
        spans = f'<mergeCells count="{len(merged)}">{spans}</mergeCells>'
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml":
            f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            f'<Override PartName="/xl/workbook.xml" ContentType="{types}.sheet.main+xml"/>'
            f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{types}.worksheet+xml"/></Types>',
        "_rels/.rels":
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
            f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml":
            f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
            f'<sheet name="Table" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels":
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
            f'Type="{office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml":
            f'<worksheet xmlns="{main}"><sheetData>{"".join(lines)}</sheetData>{spans}</worksheet>',
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + text)
    return out.getvalue()


def eurostat(table):
    *rows, last = table.names
    lines = [f"{','.join(rows)}\\{last}\t" + "\t".join(f"{code} " for code in table.dims[last])]
    for key in itertools.product(*[table.dims[name] for name in rows]):
        lines.append(",".join(key) + "\t" +
                     "\t".join(f"{table.cells[(*key, code)]} " for code in table.dims[last]))
    return "\n".join(lines) + "\n"


def sdmx_csv(table):
    rows = [["DATAFLOW", *[name.upper() for name in table.names], "OBS_VALUE", "OBS_STATUS"]]
    rows += [["OFFICE:T(1.0)", *key, table.cells[key], "A"] for key in table.keys()]
    return delimited(rows, ",")


def json_stat(table):
    dims = {name: {"category": {"index": codes}} for name, codes in table.dims.items()}
    return json.dumps({"version": "2.0", "class": "dataset", "label": "random", "id": table.names,
                       "size": [len(codes) for codes in table.dims.values()], "dimension": dims,
                       "value": [table.cells[key] for key in table.keys()]})


def px(table):
    *rows, last = table.names
    quoted = lambda texts: ",".join(f'"{each}"' for each in texts)
    lines = ['CHARSET="ANSI";', 'AXIS-VERSION="2013";', 'CODEPAGE="utf-8";', "DECIMALS=0;",
             'SUBJECT-AREA="random";', 'SUBJECT-CODE="R";', 'MATRIX="R";', 'TITLE="random";',
             'CONTENTS="random";', 'UNITS="number";', f"STUB={quoted(rows)};", f'HEADING="{last}";']
    lines += [f'VALUES("{name}")={quoted(codes)};' for name, codes in table.dims.items()]
    numbers = " ".join(str(table.cells[key]) for key in table.keys())
    return "\n".join(lines) + f"\nDATA=\n{numbers};\n"


def two_headings(table, title=False):
    """Of three dimensions: the second stands in merged cells above the third."""
    first, second, third = table.names
    upper, lower, merged = [""], [first], []
    for code in table.dims[second]:
        merged.append(f"{cell_reference(0, len(lower))}:"
                      f"{cell_reference(0, len(lower) + len(table.dims[third]) - 1)}")
        upper += [code] + [""] * (len(table.dims[third]) - 1)
        lower += table.dims[third]
    rows = [upper, lower]
    for code in table.dims[first]:
        rows.append([code, *[table.cells[(code, a, b)] for a in table.dims[second]
                             for b in table.dims[third]]])
    return rows, merged


def padded(rows, above, below):
    width = max(len(row) for row in rows)
    fill = lambda texts: [[text, *[""] * (width - 1)] for text in texts]
    return fill(above) + rows + fill(below)


ABOVE = ["Table 7: firms, in thousands", ""]
BELOW = ["", "1 Without branches abroad.", "Source: office"]


def written(table, draw):
    """Name, bytes, options, and how the names of dimensions read back."""
    *_, last = table.names
    wide = ["--wide", last]
    flags = lambda value: f"{value} {draw.choice(['e', 'p', '(p)'])}" if draw.random() < 0.3 else str(value)
    ragged = lambda rows, sep: "\n".join([*ABOVE, delimited(rows, sep).rstrip("\n"), *BELOW]) + "\n"
    kinds = {
        "long": ("t.csv", delimited(long_rows(table), draw.choice(";,\t|")), []),
        "grouped": ("t.csv", delimited(long_rows(table, grouped(" ")), ";"), []),
        "wide": ("t.csv", delimited(wide_rows(table), draw.choice(";,\t")), wide),
        "wide, grouped": ("t.csv", delimited(wide_rows(table, grouped(" ")), ";"), wide),
        "flags": ("t.csv", delimited(long_rows(table, flags), ";"), []),
        "wide, flags": ("t.csv", delimited(wide_rows(table, flags), ","), wide),
        "titles": ("t.csv", ragged(long_rows(table), ";"), []),
        "wide, titles": ("t.csv", ragged(wide_rows(table), ","), wide),
        "wide, padded": ("t.csv", delimited(padded(wide_rows(table), ABOVE, BELOW), ","), wide),
        "tsv": ("t.tsv", eurostat(table), []),
        "sdmx": ("t.csv", sdmx_csv(table), []),
        "json-stat": ("t.json", json_stat(table), []),
        "px": ("t.px", px(table), []),
        "xlsx": ("t.xlsx", workbook(padded(long_rows(table, int), ABOVE, BELOW)), []),
        "xlsx, wide": ("t.xlsx", workbook(padded(wide_rows(table, int), ABOVE, BELOW)), wide),
    }
    if len(table.names) == 3:
        rows, merged = two_headings(table)
        kinds["xlsx, two headings"] = ("t.xlsx", workbook(rows, merged),
                                       [*wide[:1], table.names[1], "--wide", last])
    return kinds


def totals(table):
    return [part for name in table.names for part in ("--total", f"{name}=Total")]


def run(folder, *arguments):
    return subprocess.run([LACUNA, *arguments], cwd=folder, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=300, check=False)


def read_back(path, names):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    upper = {name: next(key for key in rows[0] if key.lower() == name.lower()) for name in names}
    return {tuple(row[upper[name]] for name in names): row["value"] for row in rows}


def same_table(folder, table, name, data, options):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    done = run(folder, "protect", name, *options, "--unasked", "publish", "--public", "back.csv",
               "--public-shape", "long")
    if done.returncode != 5:
        return f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    back = read_back(folder / "back.csv", table.names)
    wanted = {key: str(value) for key, value in table.cells.items()}
    if back == wanted:
        return ""
    differs = [key for key in wanted if back.get(key) != wanted[key]]
    return f"{len(back)} cells instead of {len(wanted)}; {differs[:3]} differ"


def same_shape(folder, table, name, data, options):
    """A wide text with some cells withheld: the same text but for these."""
    done = run(folder, "protect", name, *options, "--counts", "--threshold", "400", "--public", "shape.csv",
               "--effort", "fast")
    if done.returncode == 2:
        return ""  # no release stands the attack
    if done.returncode:
        return f"same shape: exit {done.returncode}\n{done.stdout}{done.stderr}"
    old, new = data.splitlines(), (folder / "shape.csv").read_text(encoding="utf-8").splitlines()
    if len(old) != len(new):
        return "same shape: another number of lines"
    hidden = 0
    for was, now in zip(old, new):
        parts = list(zip(next(csv.reader([was])) or [""], next(csv.reader([now])) or [""]))
        hidden += sum(b == "x" for a, b in parts)
        if any(a != b and b != "x" for a, b in parts):
            return f"same shape: {was} became {now}"
    small = sum(value < 400 for value in table.cells.values())
    if small and not hidden:
        return "same shape: nothing is withheld"
    audit = run(folder, "audit", name, *options, "--pattern", "shape.csv", "--counts", "--threshold", "400")
    return "" if audit.returncode == 0 else f"same shape, audited: {audit.stdout}{audit.stderr}"


def main():
    failed = 0
    for number in range(TABLES):
        draw = random.Random(f"{SEED}-{number}")
        table = Table(draw)
        kinds = written(table, draw)
        kind = list(kinds)[number % len(kinds)]
        name, data, options = kinds[kind]
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            named = [] if kind == "sdmx" else totals(table)
            trouble = same_table(folder, table, name, data, [*options, *named])
            if not trouble and kind == "wide, titles":
                trouble = same_shape(folder, table, name, data, [*options, *named])
            if trouble:
                failed += 1
                print(f"table {number} of seed {SEED}, {kind}: {trouble}")
                if failed < 4 and isinstance(data, str):
                    print(data[:2000])
    print(f"{TABLES - failed} of {TABLES} tables read back")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
