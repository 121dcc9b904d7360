#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Certificates of `lacuna infer` are confirmed by scripts/verify_certificate.py --public from the published file alone, in
every format that it reads, and are not once a number, a blank or a claim has been touched. What it does not read it
names, with code 3.

  verify_public_test.py LACUNA [unittest options]
"""
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "verify_certificate.py"
LACUNA = str(pathlib.Path(sys.argv.pop(1)).resolve())

ROWS, COLUMNS = ["T", "a", "b", "c"], ["All", "N", "S"]
VALUES = {"T": [100.5, 60.25, 40.25], "a": [50, None, None], "b": [30.5, None, None], "c": [20, 15, 5]}


def text_of(value):
    return "" if value is None else f"{value:g}"


# ---- the same table in each format

def as_csv(values):
    return ("row,column,value\n" + "".join(f"{row},{column},{text_of(values[row][k]) or 'x'}\n"
                                           for row in ROWS for k, column in enumerate(COLUMNS))).encode()


def as_sdmx_csv(values):
    lines = ["DATAFLOW,ROW,COLUMN,OBS_VALUE,OBS_STATUS,CONF_STATUS"]
    for row in ROWS:
        for k, column in enumerate(COLUMNS):
            value = values[row][k]
            lines.append(f"X:Y(1.0),{row},{column},{text_of(value)},{'A' if value is not None else 'Q'},"
                         f"{'F' if value is not None else 'C'}")
    return ("\n".join(lines) + "\n").encode()


def as_tsv(values):
    lines = ["freq,row,geo\\TIME_PERIOD\t" + "\t".join(["2020 "])]
    for row in ROWS:
        for k, column in enumerate(COLUMNS):
            value = values[row][k]
            lines.append(f"A,{row},{column}\t{text_of(value) if value is not None else ': @C'} ")
    return ("\n".join(lines) + "\n").encode()


def as_px(values):
    quoted = lambda names: ",".join(f'"{name}"' for name in names)
    data = "\n".join(" ".join(text_of(value) or '".."' for value in values[row]) for row in ROWS)
    return ('CHARSET="ANSI";\nAXIS-VERSION="2013";\nCODEPAGE="utf-8";\nDECIMALS=2;\nMATRIX="t";\nSUBJECT-CODE="0";\n'
            'SUBJECT-AREA="t";\nTITLE="t";\nCONTENTS="t";\nUNITS="number";\nSTUB="row";\nHEADING="column";\n'
            f'VALUES("row")={quoted(ROWS)};\nVALUES("column")={quoted(COLUMNS)};\n'
            f'DATASYMBOL2="withheld for confidentiality";\nDATA=\n{data};\n').encode()


def as_json_stat(values):
    flat = [values[row][k] for row in ROWS for k in range(len(COLUMNS))]
    return json.dumps({
        "version": "2.0", "class": "dataset", "label": "t", "id": ["row", "column"], "size": [4, 3],
        "dimension": {"row": {"category": {"index": ROWS}},
                      "column": {"category": {"index": {c: k for k, c in enumerate(COLUMNS)}}}},
        "value": flat, "status": {str(i): "c" for i, value in enumerate(flat) if value is None},
        "extension": {"status": {"label": {"c": "confidential"}}}}).encode()


def as_sdmx_json(values):
    dimension = lambda name, codes, place: {"id": name, "keyPosition": place,
                                            "values": [{"id": code, "name": code} for code in codes]}
    observations = {f"{i}:{k}": [values[row][k], 0 if values[row][k] is not None else 1]
                    for i, row in enumerate(ROWS) for k in range(len(COLUMNS))}
    return json.dumps({"meta": {"schema": "sdmx-json"}, "data": {
        "structures": [{"name": "t", "dimensions": {"observation": [dimension("ROW", ROWS, 0), dimension("COLUMN", COLUMNS, 1)]},
                        "measures": {"observation": [{"id": "OBS_VALUE"}]},
                        "attributes": {"observation": [{"id": "CONF_STATUS", "values": [{"id": "F"}, {"id": "C"}]}]}}],
        "dataSets": [{"structure": 0, "action": "Information", "observations": observations}]}}).encode()


def as_xlsx(values, wide=False):
    """With shared texts, inline ones and a title above, as programs write them."""
    shared, cells = [], []

    def cell(place, value):
        if value is None:
            return f'<c r="{place}" t="inlineStr"><is><t>x</t></is></c>'
        if isinstance(value, str):
            if value not in shared:
                shared.append(value)
            return f'<c r="{place}" t="s"><v>{shared.index(value)}</v></c>'
        return f'<c r="{place}"><v>{value!r}</v></c>'

    rows = [["A table of something"], []]
    if wide:
        rows += [["row", *COLUMNS]] + [[row, *values[row]] for row in ROWS]
    else:
        rows += [["row", "column", "value"]] + [[row, column, values[row][k]] for row in ROWS for k, column in enumerate(COLUMNS)]
    for number, row in enumerate(rows, 1):
        cells.append(f'<row r="{number}">' + "".join(cell("ABCDEFG"[k] + str(number), value) for k, value in enumerate(row)) + "</row>")
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    relations = lambda items: (f'<Relationships xmlns="{package}/relationships">' + "".join(
        f'<Relationship Id="{i}" Type="{office}/{kind}" Target="{target}"/>' for i, kind, target in items) + "</Relationships>")
    texts = "".join(f"<si><r><t>{text[:1]}</t></r><r><t>{text[1:]}</t></r><rPh sb='0' eb='1'><t>said</t></rPh></si>" for text in shared)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as book:
        book.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
                      '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>')
        book.writestr("_rels/.rels", relations([("r1", "officeDocument", "xl/workbook.xml")]))
        book.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>')
        book.writestr("xl/_rels/workbook.xml.rels", relations([("r1", "worksheet", "worksheets/sheet1.xml"), ("r2", "sharedStrings", "/xl/sharedStrings.xml")]))
        book.writestr("xl/sharedStrings.xml", f'<sst xmlns="{main}">{texts}</sst>')
        book.writestr("xl/worksheets/sheet1.xml", f'<worksheet xmlns="{main}"><sheetData>{"".join(cells)}</sheetData></worksheet>')
    return made.getvalue()


FORMATS = {"t.csv": as_csv, "t.sdmx.csv": as_sdmx_csv, "t.tsv": as_tsv, "t.px": as_px, "t.jsonstat.json": as_json_stat,
           "t.sdmx.json": as_sdmx_json, "t.xlsx": as_xlsx, "wide.xlsx": lambda values: as_xlsx(values, wide=True)}


class Public(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def infer(self, name, *options):
        done = subprocess.run([LACUNA, "infer", name, "--certificate", "c.json", "--quiet", *options], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, (0, 2), done.stderr)
        return done.stdout

    def verify(self, *names, certificate="c.json"):
        done = subprocess.run([sys.executable, str(SCRIPT), "--public", certificate, *names], cwd=self.folder,
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def options(self, name):
        return ["--total", "row=T", "--total", "geo=All"] if name == "t.tsv" else []

    def test_every_format_is_confirmed(self):
        for name, make in FORMATS.items():
            with self.subTest(name):
                (self.folder / name).write_bytes(make(VALUES))
                said = self.infer(name, *self.options(name))
                self.assertIn("4 withheld numbers", said)
                code, text = self.verify(name)
                self.assertEqual(code, 0, text)
                self.assertIn("4 intervals, 12 published numbers and blanks compared, 0 ends not shown", text)

    def test_a_number_that_changed_is_noticed(self):
        """Also one that changed in its last decimal, and one that stands where a blank was."""
        for name, make in FORMATS.items():
            (self.folder / name).write_bytes(make(VALUES))
            self.infer(name, *self.options(name))
            for row, column, value in (("T", 0, 100.51), ("c", 2, 6), ("c", 1, None), ("a", 1, 30)):
                touched = {key: list(numbers) for key, numbers in VALUES.items()}
                touched[row][column] = value
                (self.folder / name).write_bytes(make(touched))
                with self.subTest(name, row=row, value=value):
                    code, text = self.verify(name)
                    self.assertEqual(code, 1, text)

    def test_a_certificate_that_was_touched_is_noticed(self):
        for name, make in FORMATS.items():
            (self.folder / name).write_bytes(make(VALUES))
            self.infer(name, *self.options(name))
            good = json.loads((self.folder / "c.json").read_text())
            touches = {
                "a narrower interval": lambda c: c["intervals"][0].update(lower=c["intervals"][0]["upper"]),
                "another number": lambda c: next(f for cell in c["cells"] for f in cell["from"] if f["number"]).update(number="77"),
                "another place": lambda c: c["cells"][0]["from"][0].update(at=c["cells"][1]["from"][0]["at"]),
                "more knowledge": lambda c: c["knowledge"].update(withheld=["20-30"]),
                "a blank called a number": lambda c: next(f for cell in c["cells"] for f in cell["from"] if not f["number"]).update(number="5", sign=""),
            }
            for what, touch in touches.items():
                certificate = json.loads(json.dumps(good))
                touch(certificate)
                (self.folder / "touched.json").write_text(json.dumps(certificate))
                with self.subTest(name, what=what):
                    code, text = self.verify(name, certificate="touched.json")
                    self.assertIn(code, (1, 2), text)

    def test_what_is_not_read_is_named(self):
        (self.folder / "t.csv").write_bytes(as_csv(VALUES))
        self.infer("t.csv")
        certificate = (self.folder / "c.json").read_text().replace("t.csv", "t.xls")
        (self.folder / "c.json").write_text(certificate)
        (self.folder / "t.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
        code, text = self.verify("t.xls")
        self.assertEqual(code, 3, text)
        self.assertIn("12 numbers of t.xls were not compared: this script does not read such a file", text)

    def test_workbooks_that_no_program_writes(self):
        (self.folder / "t.xlsx").write_bytes(as_xlsx(VALUES))
        self.infer("t.xlsx")
        whole = as_xlsx(VALUES)
        with zipfile.ZipFile(io.BytesIO(whole)) as book:
            parts = {name: book.read(name) for name in book.namelist()}
        sheet = "xl/worksheets/sheet1.xml"
        bad = {
            "entities": {**parts, sheet: b'<!DOCTYPE x [<!ENTITY a "aa">]>' + parts[sheet]},
            "no sheet": {name: data for name, data in parts.items() if name != sheet},
            "another name": {**parts, "xl/workbook.xml": parts["xl/workbook.xml"].replace(b'"One"', b'"Two"')},
            "no places": {**parts, sheet: parts[sheet].replace(b'<c r="A1"', b"<c")},
        }
        for what, files in bad.items():
            with zipfile.ZipFile(self.folder / "t.xlsx", "w") as book:
                for name, data in files.items():
                    book.writestr(name, data)
            with self.subTest(what):
                code, text = self.verify("t.xlsx")
                self.assertEqual(code, 1, text)

    def test_marks_of_decimals(self):
        """12.5 is not 125, and 1,234 may be both of its readings, but no third one."""
        (self.folder / "t.csv").write_bytes(as_csv(VALUES))
        self.infer("t.csv")
        (self.folder / "t.csv").write_bytes(as_csv(VALUES).replace(b"60.25", b"6025"))
        self.assertEqual(self.verify("t.csv")[0], 1)


if __name__ == "__main__":
    unittest.main()
