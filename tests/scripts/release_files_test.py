#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is written for dissemination says the same in every format, and nothing else.

Random tables are protected by several methods and written in all public formats. Workbooks, PX and SDMX
files are read here by parsers of their own and compared with the public JSON, cell by cell. What the
program reads back (CSV, JSON, SDMX-CSV) is audited again. No public file tells sensitive cells from
others: with other cells of the same pattern sensitive it says the same.

  release_files_test.py LACUNA [unittest options]
"""
import csv
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
import zipfile
from fractions import Fraction

LACUNA = sys.argv.pop(1)
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
REL = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
SHAPES = [
    ["--sizes", "5", "4"],
    ["--kind", "hierarchical", "--depths", "2", "1"],
    ["--sizes", "2", "3", "2", "--decimals", "2"],
]
METHODS = {"suppress": True, "round --base 5": True, "adjust": True, "interval": False}  # fits .px?


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def lines_of(path):
    return pathlib.Path(path).read_text(encoding="utf-8").splitlines()


def without_date(path):
    """What the file says, but for the day on which it was made."""
    if path.suffix == ".xlsx":
        return {name: [r for r in rows if r[:1] != ["date"]] for name, rows in workbook(path).items()}
    return re.sub(rb'CREATION-DATE=[^;]*;|"(updated|prepared)":"[^"]*"', b"", path.read_bytes())


ASKED = rb'(Figures that the office calls confidential|Some figures are not shown as they are)[^"#]*'


def without_audit(path):
    """The same, but for what it says of the audit: of the other table nothing was asked."""
    said = without_date(path)
    if path.suffix != ".xlsx":
        return re.sub(ASKED, b"", said.replace(b'"\n"', b""))  # texts of PX go on in the next line
    asked = [row for rows in said.values() for row in rows if row[:1] == ["note"] and re.match(ASKED, row[1].encode())]
    assert len(asked) == 1, asked
    return {name: [r for r in rows if r[:1] != ["audit"] and r not in asked] for name, rows in said.items()}


def workbook(path):
    """The sheets by name, each a list of rows of texts and numbers."""
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        assert not [n for n in names if "docProps" in n or "comment" in n or "calcChain" in n], names
        assert all(info.date_time == (1980, 1, 1, 0, 0, 0) for info in archive.infolist())
        links = {r.get("Id"): r.get("Target")
                 for r in ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))}
        sheets = {}
        for sheet in ElementTree.fromstring(archive.read("xl/workbook.xml")).iter(MAIN + "sheet"):
            assert sheet.get("state") is None  # not hidden
            page = ElementTree.fromstring(archive.read("xl/" + links[sheet.get(REL + "id")]))
            sheets[sheet.get("name")] = [row_of(row) for row in page.iter(MAIN + "row")]
            assert page.find(f".//{MAIN}pane").get("state") == "frozen"
        return sheets


def row_of(row):
    values = {}
    for cell in row.iter(MAIN + "c"):
        column = 0
        for letter in re.match("[A-Z]+", cell.get("r")).group():
            column = column * 26 + ord(letter) - 64
        text = "".join(t.text or "" for t in cell.iter(MAIN + "t"))
        values[column - 1] = text if cell.get("t") == "inlineStr" else Fraction(cell.find(MAIN + "v").text)
    return [values.get(c, "") for c in range(max(values, default=-1) + 1)]


def px_file(path):
    """Keywords with their lists, and the cells by their codes."""
    text, keys, at = pathlib.Path(path).read_text("utf-8"), {}, 0
    assert all(len(line) <= 256 for line in text.splitlines())
    while True:
        name, at = text[at:text.index("=", at)].strip(), text.index("=", at) + 1
        end, quoted = at, False
        while text[end] != ";" or quoted:
            quoted ^= text[end] == '"'
            end += 1
        value, at = text[at:end], end + 1
        keys[name] = re.findall(r'"([^"]*)"', value) if name != "DATA" else value.split()
        if name == "DATA":
            assert text[at:].strip() == ""
            break
    variables = keys["STUB"] + keys.get("HEADING", [])
    cells = [()]
    for variable in variables:
        cells = [codes + (code,) for codes in cells for code in keys[f'CODES("{variable}")']]
    assert len(cells) == len(keys["DATA"])
    return keys, variables, dict(zip(cells, keys["DATA"]))


class ReleaseFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def protect(self, table, method, *options):
        code, _, err = run(LACUNA, "protect", table, "--method", *method.split(), "--quiet", *options)
        return code == 0, err

    def releases(self):
        for number, shape in enumerate(SHAPES):
            table = self.path / f"table{number}.json"
            self.assertEqual(run(LACUNA, "generate", table, *shape, "--seed", number + 3)[0], 0)
            for method, fits in METHODS.items():
                name = self.path / f"t{number}_{method.split()[0]}"
                endings = [".json", ".csv", ".xlsx"] + ([".px", ".sdmx.csv", ".sdmx.json", ".jsonstat.json"] if fits else [])
                offices = [".json", ".csv", ".xlsx", ".sdmx.csv", ".csv.gz", ".2.json", ".3.json"]
                done = [self.protect(table, method, "--public", f"{name}{e}", "-o", f"{name}.office{o}")
                        for e, o in zip(endings, offices)]
                if done[0][0]:  # some table may have no rounding
                    self.assertTrue(all(ok for ok, _ in done), done)
                    yield table, name, fits

    def test_every_format_says_the_same(self):
        count = 0
        for table, name, fits in self.releases():
            with self.subTest(name=name.name):
                public = json.loads(name.with_name(name.name + ".json").read_text())
                cells = {tuple(c["codes"]): c for c in public["cells"]}
                number = {key: Fraction(str(c["value"])) if "value" in c else None for key, c in cells.items()}
                width = len(public["dimensions"])
                rows = workbook(f"{name}.xlsx")
                self.assertEqual(list(rows)[-1], "about")
                head, *body = rows[list(rows)[0]]
                self.assertEqual(head[:width + 2], public["dimensions"] + ["value", "state"])
                self.assertEqual({tuple(r[:width]): None if r[width] == "×" else r[width] for r in body}, number)
                texts = list(csv.DictReader(lines_of(f"{name}.csv"), delimiter=";"))
                self.assertEqual({tuple(r[d] for d in public["dimensions"]): Fraction(r["value"]) if r["value"] else None
                                  for r in texts}, number)
                self.assertEqual([tuple(r[d] for d in public["dimensions"]) for r in texts], list(cells))
                if fits:
                    self.check_px(f"{name}.px", number)
                    self.check_json_stat(f"{name}.jsonstat.json", number)
                    self.check_sdmx_json(f"{name}.sdmx.json", number)
                    self.check_sdmx(f"{name}.sdmx.csv", number, width)
                count += 1
        self.assertGreater(count, 8)

    def check_px(self, path, number):
        keys, _, cells = px_file(path)
        self.assertEqual(keys["CHARSET"] + keys["AXIS-VERSION"] + keys["CODEPAGE"], ["ANSI", "2013", "utf-8"])
        for key, shown in cells.items():
            wanted = '"-"' if key not in number else '".."' if number[key] is None else number[key]
            self.assertEqual(shown if isinstance(wanted, str) else Fraction(shown), wanted, key)

    def check_json_stat(self, path, number):
        said = json.loads(pathlib.Path(path).read_text("utf-8"), parse_float=str, parse_int=str)
        self.assertEqual((said["version"], said["class"]), ("2.0", "dataset"))
        lists = [said["dimension"][d]["category"]["index"] for d in said["id"]]
        self.assertEqual([len(codes) for codes in lists], [int(size) for size in said["size"]])
        keys = list(itertools.product(*lists))
        values = said["value"] if isinstance(said["value"], dict) else dict(enumerate(said["value"]))
        cells = {keys[int(place)]: None if value is None else Fraction(value) for place, value in values.items()}
        self.assertEqual(cells, number)
        hidden = {keys[int(place)]: word for place, word in said.get("status", {}).items()}
        self.assertEqual(hidden, {key: "c" for key, value in number.items() if value is None})

    def check_sdmx_json(self, path, number):
        data = json.loads(pathlib.Path(path).read_text("utf-8"), parse_float=str)["data"]
        lists = [[v["id"] for v in d["values"]] for d in data["structures"][0]["dimensions"]["observation"]]
        cells = {}
        for key, (value, status, conf) in data["dataSets"][0]["observations"].items():
            codes = tuple(codes[int(place)] for place, codes in zip(key.split(":"), lists))
            cells[codes] = None if value is None else Fraction(value)
            self.assertEqual((status, conf), (0, 0) if value is not None else (1, 1))
        self.assertEqual(cells, number)

    def check_sdmx(self, path, number, width):
        head, *rows = csv.reader(lines_of(path))
        self.assertEqual(head[:3] + head[3 + width:],
                         ["STRUCTURE", "STRUCTURE_ID", "ACTION", "OBS_VALUE", "OBS_STATUS", "CONF_STATUS"])
        for row in rows:
            wanted = number.pop(tuple(row[3:3 + width]))
            value, status, conf = row[3 + width:]
            self.assertEqual(Fraction(value) if value else None, wanted)
            self.assertEqual((status, conf), ("A", "F") if value else ("Q", "C"))
        self.assertEqual(number, {})

    def test_what_is_read_back_is_safe(self):
        for table, name, fits in self.releases():
            suppressed = "suppress" in name.name
            files = [".json", ".csv", ".office.json", ".office.csv"] + ([".sdmx.csv"] if fits and suppressed else [])
            for ending in files:
                with self.subTest(file=name.name + ending):
                    code, out, err = run(LACUNA, "audit", table, "--pattern", f"{name}{ending}", "--verdicts-only",
                                         "--quiet")
                    self.assertEqual((code, err), (0, ""), out)

    def test_no_public_file_tells_which_cells_are_sensitive(self):
        """The same pattern with none of its cells sensitive gives the same file."""
        table = self.path / "table.json"
        self.assertEqual(run(LACUNA, "generate", table, "--sizes", 5, 5, "--seed", 9)[0], 0)
        problem = json.loads(table.read_text())
        self.assertTrue(self.protect(table, "suppress", "-o", self.path / "first.json")[0])
        hidden = {e["cell"] for e in json.loads((self.path / "first.json").read_text())["release"]}
        sensitive = {i for i, c in enumerate(problem["cells"]) if c["status"] == "primary"}
        self.assertLess(sensitive, hidden)
        for cell in hidden:  # all withheld already, none of them by a rule
            problem["cells"][cell]["status"] = "withheld"
        problem["requirements"] = []
        (self.path / "other").mkdir()
        other = self.path / "other" / "table.json"
        other.write_text(json.dumps(problem))
        for ending in (".csv", ".json", ".xlsx", ".px", ".sdmx.csv", ".sdmx.json", ".jsonstat.json"):
            for flags in ("auto", "abdv", "c", "conf-status", "none"):
                with self.subTest(ending=ending, flags=flags):
                    names = [self.path / ("one" + ending), self.path / ("two" + ending)]
                    for source, name in zip((table, other), names):
                        code, _, err = run(LACUNA, "protect", source, "--quiet", "--public", name,
                                           "--flags", flags, "--unasked", "publish")
                        self.assertEqual(code, 0 if source is table else 5, err)
                    self.assertEqual(*map(without_audit, names))
        office = self.path / "office.csv"
        self.assertTrue(self.protect(table, "suppress", "-o", office)[0])
        flags = {row["flag"] for row in csv.DictReader(lines_of(office), delimiter=";")}
        self.assertEqual(flags, {"A", "D", "V"})  # the office's own does tell


if __name__ == "__main__":
    unittest.main()
