#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The HTTP interface of `lacuna serve`, route by route, as docs/serve.md describes it.

What is exported is read from disk and judged again by the program, and the command line that a run gives must give
the same release. The description (web/openapi.json) and the routes are compared both ways.

  api_test.py LACUNA EXAMPLES_FOLDER OPENAPI_JSON [unittest options]
"""
import csv
import io
import json
import pathlib
import re
import shutil
import sys
import tempfile
import time
import unittest
import urllib.parse
import zipfile

import served

LACUNA, EXAMPLES, OPENAPI = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)), pathlib.Path(sys.argv.pop(1))
DOCUMENT = {"id", "name", "file", "kind", "job", "columns", "cells", "equations", "sensitive", "withheld",
            "requirements", "attackers", "dimensions", "tables", "counts", "notes", "changes", "can_undo", "can_redo",
            "command_line", "manual_range"}
RUN = {"id", "document", "command", "options", "state", "seconds", "progress", "history", "summary", "verdict",
       "message", "notes", "error", "command_line", "needs_word", "stopped", "lifted", "repeat"}
CELL = {"cell", "label", "codes", "value", "status", "frequency", "weight", "lower", "upper", "reason", "levels",
        "shares", "equations"}
EXPORTS = [("public", form) for form in ("csv", "json", "xlsx", "px", "sdmx.csv")] + [
    ("office", "json"), ("office", "csv"), ("office", "xlsx"), ("report", "html"), ("public-report", "html"),
    ("certificate", "json"), ("job", "toml"), ("repeat", "zip")]

PEOPLE = """[input]
records = "people.csv"
[[dimension]]
name = "part"
total = "T"
[[rule]]
type = "frequency"
n = 4
"""


class Case(unittest.TestCase):
    """A server per class, over a folder with the examples, a random table and a job of tau-ARGUS."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        served.copy_examples(EXAMPLES, cls.folder)
        served.write_argus(cls.folder)
        served.command(LACUNA, cls.folder, "generate", "-o", "random.json", "--kind", "hierarchical",
                       "--sensitive-percent", "15", "--seed", "7")
        cls.server = served.Server(LACUNA, cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.server.end()
        cls.server.remove()
        cls.place.cleanup()

    def keys(self, value, names):
        self.assertLessEqual(names, set(value), f"missing: {names - set(value)}")

    def fails(self, status, method, path, body=None):
        answer = self.server.request(method, path, body)
        self.assertEqual(answer.status, status, f"{method} {path}: {answer}")
        self.assertTrue(answer.message, answer)
        return answer.json()["error"]

    def cell_of(self, document, *codes):
        """The number of the cell with these codes."""
        seen = self.server.get(f"/api/documents/{document}")
        for cell in range(seen["cells"]):
            if self.server.get(f"/api/documents/{document}/cells/{cell}")["codes"] == list(codes):
                return cell
        raise AssertionError(codes)


class Session(Case):
    def test_a_token_once_for_the_session(self):
        token = self.server.link.split("#")[1]
        answer = self.server.request("POST", "/api/session", {"token": token}, token=None)
        self.assertEqual(answer.status, 200, answer)
        self.assertNotIn("set-cookie", answer.headers, "cookies go to every port of the machine")
        session = answer.json()["session"]
        self.assertNotEqual(session, token)
        self.assertEqual(self.server.request("GET", "/api/about", token=session).status, 200)
        self.assertEqual(self.server.request("GET", "/api/about", token=token).status, 401, "a token opens no call")
        again = self.server.request("POST", "/api/session", {"token": token}, token=None)
        self.assertEqual(again.status, 401)
        self.assertIn("press Enter", again.message)

    def test_links_that_nobody_opens_do_not_pile_up(self):
        tokens = [self.server.link.split("#")[1] for _ in range(20)]
        for token, status in ((tokens[0], 401), (tokens[-1], 200)):
            self.assertEqual(self.server.request("POST", "/api/session", {"token": token}, token=None).status, status)

    def test_page_and_its_modules(self):
        page = self.server.request("GET", "/", token=None, mark=False)
        self.assertEqual(page.status, 200)
        self.assertTrue(page.headers["content-type"].startswith("text/html"))
        text = page.body.decode("utf-8")
        self.assertIsNone(re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=|https?://", text), "nothing inline")
        for path, kind in (("/app.js", "text/javascript"), ("/style.css", "text/css"),
                           ("/shared/grid.js", "text/javascript"), ("/texts.js", "text/javascript")):
            answer = self.server.request("GET", path, token=None, mark=False)
            self.assertEqual(answer.status, 200, path)
            self.assertTrue(answer.headers["content-type"].startswith(kind), answer.headers)

    def test_about_and_files(self):
        about = self.server.get("/api/about")
        self.keys(about, {"version", "commit", "folder", "examples", "cores", "running", "queued"})
        self.assertIn("example:sales.toml", [e["file"] for e in about["examples"]])
        (self.folder / "sub").mkdir(exist_ok=True)
        shutil.copy(self.folder / "sales.csv", self.folder / "sub" / "copy.csv")
        (self.folder / ".hidden").write_text("x", encoding="utf-8")
        entries = {e["name"]: e for e in self.server.get("/api/files")["entries"]}
        self.assertNotIn(".hidden", entries)
        self.assertTrue(entries["sub"]["folder"])
        self.assertEqual(entries["sales.csv"]["kind"], "table")
        self.assertEqual(entries["sales.toml"]["kind"], "job")
        self.assertEqual(entries["small.arb"]["kind"], "argus")
        self.assertEqual(entries["random.json"]["kind"], "problem")
        self.assertEqual(entries["sales.csv"]["bytes"], (self.folder / "sales.csv").stat().st_size)
        below = self.server.get("/api/files?folder=sub")
        self.assertEqual([e["file"] for e in below["entries"]], ["sub/copy.csv"])
        self.fails(422, "GET", "/api/files?folder=nowhere")
        (self.folder / ".hidden").unlink()

    def test_unknown_and_wrong_methods(self):
        self.fails(404, "GET", "/api/nothing")
        self.fails(404, "GET", "/api/documents/999")
        self.fails(404, "GET", "/api/runs/999")
        self.fails(405, "DELETE", "/api/about")
        self.fails(405, "POST", "/api/about", {})
        self.fails(405, "PUT", "/api/documents", {})


class Documents(Case):
    def test_table(self):
        document = self.server.open("sales.toml")
        self.keys(document, DOCUMENT)
        self.assertEqual((document["kind"], document["cells"], document["sensitive"]), ("table", 32, 3))
        self.assertEqual([d["name"] for d in document["dimensions"]], ["product", "region"])
        self.assertIn("[[dimension]]", document["job"]["text"])
        self.assertEqual([d["name"] for d in document["job"]["spec"]["dimension"]], ["product", "region"])
        self.assertIn("turnover", [c["name"] for c in document["columns"]])
        self.assertFalse(document["can_undo"] or document["can_redo"] or document["changes"])
        self.assertIn(document["id"], [d["id"] for d in self.server.get("/api/documents")])
        self.assertEqual(self.server.get(f"/api/documents/{document['id']}")["cells"], 32)

    def test_kinds(self):
        for file, kind in (("example:sales.toml", "table"), ("example:linked.toml", "records"),
                           ("business.toml", "records"), ("random.json", "problem"), ("sales.jj", "problem"),
                           ("small.arb", "argus")):
            document = self.server.open(file)
            self.assertEqual(document["kind"], kind, file)
            self.assertGreater(document["cells"] if kind != "argus" else 1, 0, file)
        linked = self.server.open("linked.toml")
        self.assertEqual(linked["tables"], ["activity by region", "activity by size", "region by size"])

    def test_page_and_cells(self):
        document = self.server.open("sales.toml")["id"]
        page = self.server.get(f"/api/documents/{document}/page")
        self.assertGreater(len(json.dumps(page)), 500)
        cell = self.cell_of(document, "A2", "East")
        seen = self.server.get(f"/api/documents/{document}/cells/{cell}")
        self.keys(seen, CELL)
        self.assertEqual((seen["value"], seen["frequency"]), ("18", "2"), seen)
        self.assertEqual([(e["lower"], e["upper"]) for e in seen["levels"]][:1], [("4", "4")])
        for equation in seen["equations"]:
            self.assertIn(cell, [t["cell"] for t in equation["terms"]])
            self.assertTrue(equation["text"])
        self.fails(404, "GET", f"/api/documents/{document}/cells/32")
        self.fails(404, "GET", f"/api/documents/{document}/cells/-1")
        self.fails(404, "GET", f"/api/documents/{document}/cells/x")

    def test_contributors_as_shares(self):
        document = self.server.open("business.toml")["id"]
        cell = self.server.get(f"/api/documents/{document}/cells/0")
        shares = [float(s) for s in cell["shares"]]
        self.assertTrue(shares and shares == sorted(shares, reverse=True) and 0 < sum(shares) <= 100.5, shares)
        self.assertNotRegex(json.dumps(cell), r"\bf\d{3}\b|\bg\d\b")  # no respondent's name

    def test_errors_of_readers(self):
        (self.folder / "broken.csv").write_text(
            (self.folder / "sales.csv").read_text(encoding="utf-8").replace("Total;East;300", "Total;East;3oo"),
            encoding="utf-8")
        (self.folder / "broken.toml").write_text(
            (self.folder / "sales.toml").read_text(encoding="utf-8").replace("sales.csv", "broken.csv"),
            encoding="utf-8")
        error = self.fails(422, "POST", "/api/documents", {"file": "broken.toml"})
        self.assertEqual((error["file"], error["line"], error["column"]), ("broken.csv", 4, 12), error)
        self.fails(422, "POST", "/api/documents", {"file": "nowhere.csv"})
        self.fails(400, "POST", "/api/documents", {"name": "sales.csv"})

    def test_a_corrected_job(self):
        job = (self.folder / "sales.toml").read_text(encoding="utf-8")
        (self.folder / "wrong.toml").write_text(job.replace('"turnover"', '"turnoverr"'), encoding="utf-8")
        answer = self.server.request("POST", "/api/documents", {"file": "wrong.toml"})
        self.assertEqual(answer.status, 422)
        draft = answer.json()["draft"]
        self.assertIn("turnoverr", draft["job"]["text"])
        self.assertIn("turnover", [c["name"] for c in draft["columns"]])
        document = self.server.open("wrong.toml", job=draft["job"]["text"].replace("turnoverr", "turnover"))
        self.assertEqual(document["sensitive"], 3)
        self.assertEqual(self.server.protect(document["id"])["verdict"], "protected")

    def test_a_job_as_a_value(self):
        """What a form does: the value is changed, the text follows, and either opens the same table."""
        keys = {s["name"]: s for s in self.server.get("/api/job-keys")["sections"]}
        self.assertIn("frequency", [c for k in keys["rule"]["keys"] if k["name"] == "type" for c in k["choices"]])
        text = "# Ours.\n" + (self.folder / "sales.toml").read_text(encoding="utf-8")
        job = self.server.post("/api/jobs", {"text": text})
        self.assertEqual(job["text"], text)
        job["spec"].setdefault("rule", []).append({"type": "frequency", "n": 8})
        edited = self.server.post("/api/jobs", {"text": text, "spec": job["spec"]})
        self.assertEqual(edited["spec"], job["spec"])
        self.assertTrue(edited["text"].startswith("# Ours.\n"), edited["text"])
        self.assertEqual((edited["lost"], edited.get("error")), ([], None))
        self.assertIn('type = "frequency"', edited["text"].splitlines()[edited["lines"]["rule[0]"]])
        seen = [self.server.open("sales.toml", job=each) for each in (edited["text"], edited["spec"])]
        self.assertEqual([d["sensitive"] for d in seen], [7, 7])
        runs = [self.server.export(self.server.protect(d["id"])["id"], "public", "csv") for d in seen]
        self.assertEqual(runs[0], runs[1])
        saved = self.server.request("GET", f"/api/documents/{seen[0]['id']}/job").body.decode()
        (self.folder / "saved.toml").write_text(saved, encoding="utf-8")  # what was saved opens again
        self.assertEqual((saved, self.server.open("saved.toml")["sensitive"]), (edited["text"], 7))

    def test_the_form_says_where_a_key_is_wrong(self):
        answer = self.server.post("/api/jobs", {"text": "[input]\ntable = \"t.csv\"\nseperator = \";\"\n"})
        self.assertEqual((answer["error"]["line"], answer["spec"]["input"]["seperator"]), (3, ";"))
        answer = self.server.post("/api/jobs", {"text": "[input\n"})
        self.assertEqual((answer["spec"], answer["error"]["line"]), (None, 1))
        self.fails(422, "POST", "/api/jobs", {"text": "[input\n", "spec": {}})

    def test_uploads_that_belong_together(self):
        job = self.server.upload("sales.toml", (EXAMPLES / "sales.toml").read_bytes())
        into = re.match(r"upload:(\d+)/sales\.toml$", job).group(1)
        for name in ("sales.csv", "products.hrc"):
            self.server.upload(name, (EXAMPLES / name).read_bytes(), into)
        document = self.server.open(job)
        self.assertEqual((document["cells"], document["sensitive"]), (32, 3))
        self.assertEqual(self.server.protect(document["id"])["summary"]["objective"], 353)

    def test_close(self):
        document = self.server.open("sales.toml")["id"]
        self.assertIn(self.server.request("DELETE", f"/api/documents/{document}").status, (200, 204))
        self.fails(404, "GET", f"/api/documents/{document}")


class Changes(Case):
    def test_status_undo_redo(self):
        document = self.server.open("sales.toml")["id"]
        path = f"/api/documents/{document}"
        cell = self.cell_of(document, "B2", "South")
        before = self.server.get(path + "/page")
        changed = self.server.post(path + "/changes", {"cells": [cell], "status": "unsafe", "reason": "by request"})
        self.assertEqual((changed["sensitive"], changed["can_undo"], changed["can_redo"]), (4, True, False))
        self.assertEqual(changed["changes"][0]["reason"], "by request")
        self.assertNotEqual(self.server.get(path + "/page"), before)
        undone = self.server.post(path + "/undo")
        self.assertEqual((undone["sensitive"], undone["can_undo"], undone["can_redo"]), (3, False, True))
        self.assertEqual(self.server.get(path + "/page"), before)
        self.assertEqual(self.server.post(path + "/redo")["sensitive"], 4)
        self.fails(422, "POST", path + "/redo", {})
        run = self.server.protect(document)
        self.assertEqual(run["verdict"], "protected")
        self.assertIn(cell, withheld(self.server.export(run["id"], "office", "json")))

    def test_a_selection(self):
        document = self.server.open("sales.toml")["id"]
        path = f"/api/documents/{document}"
        cells = [self.cell_of(document, "A3", "North"), self.cell_of(document, "A1", "North")]
        changed = self.server.post(path + "/changes", {"cells": cells, "status": "protected"})
        self.assertEqual(len(self.server.get(path)["changes"]), len(changed["changes"]))
        for cell in cells:  # a protected cell is always published
            self.assertNotEqual(self.server.get(f"{path}/cells/{cell}")["status"], "s")
        costly = self.cell_of(document, "A1", "East")
        self.server.post(path + "/changes", {"cells": [costly], "cost": "100000"})
        self.assertEqual(self.server.get(f"{path}/cells/{costly}")["weight"], 100000)
        run = self.server.protect(document)
        gone = withheld(self.server.export(run["id"], "office", "json"))
        self.assertFalse(set(cells + [costly]) & gone, "protected and dear cells stay")
        apriori = self.server.request("GET", path + "/apriori").body.decode()
        self.assertEqual(len([line for line in apriori.splitlines() if line.strip()]), 1 + 3, apriori)

    def test_levels_and_bounds(self):
        document = self.server.open("sales.toml")["id"]
        path = f"/api/documents/{document}"
        cell = self.cell_of(document, "A2", "East")
        self.server.post(path + "/changes", {"cells": [cell], "lower": "6", "upper": "7"})
        level = self.server.get(f"{path}/cells/{cell}")["levels"][0]
        self.assertEqual((level["lower"], level["upper"]), ("6", "7"))
        other = self.cell_of(document, "A1", "North")
        self.server.post(path + "/changes", {"cells": [other], "lower_bound": "100", "upper_bound": "150"})
        seen = self.server.get(f"{path}/cells/{other}")
        self.assertEqual((seen["lower"], seen["upper"]), ("100", "150"))
        self.assertEqual(self.server.protect(document)["verdict"], "protected")

    def test_what_cannot_be(self):
        document = self.server.open("sales.toml")["id"]
        path = f"/api/documents/{document}/changes"
        for body in ({"cells": [99], "status": "safe"}, {"cells": [1], "status": "odd"}, {"cells": [1], "cost": "x"},
                     {"cells": [1], "lower_bound": "100000"}, {"cells": [], "status": "safe"}):
            answer = self.server.request("POST", path, body)
            self.assertIn(answer.status, (400, 422), f"{body}: {answer}")
            self.assertTrue(answer.message)
        self.assertFalse(self.server.get(f"/api/documents/{document}")["can_undo"], "nothing half done")

    def test_collapse(self):
        document = self.server.open("sales.toml")["id"]
        path = f"/api/documents/{document}"
        smaller = self.server.post(path + "/collapse", {"dimension": "product", "code": "A"})
        self.assertEqual((smaller["cells"], smaller["sensitive"]), (20, 1))
        self.assertEqual(self.server.post(path + "/undo")["cells"], 32)
        self.assertEqual(self.server.post(path + "/redo")["cells"], 20)
        run = self.server.protect(document)
        self.assertEqual((run["verdict"], run["summary"]["cells"]), ("protected", 20))
        self.fails(422, "POST", path + "/collapse", {"dimension": "product", "code": "Z"})
        self.fails(422, "POST", path + "/collapse", {"dimension": "nothing", "code": "A"})

    def test_a_changed_table_can_be_repeated(self):
        """Job and a-priori file as saved, on the command line: the same release."""
        document = self.server.open("sales.toml")["id"]
        cell = self.cell_of(document, "B2", "South")
        self.server.post(f"/api/documents/{document}/changes", {"cells": [cell], "status": "unsafe", "upper": "9"})
        run = self.server.protect(document)
        with tempfile.TemporaryDirectory() as name:
            served.copy_examples(EXAMPLES, name)
            where = pathlib.Path(name)
            named = re.search(r"--apriori (\S+)", run["command_line"]).group(1)
            (where / named).write_bytes(self.server.export(run["id"], "apriori", "csv"))
            (where / "sales.toml").write_bytes(self.server.export(run["id"], "job", "toml"))
            served.repeat(LACUNA, where, run["command_line"], "-o", "again.json", "--quiet")
            again = json.loads((where / "again.json").read_text(encoding="utf-8"))
        self.assertEqual(again["release"], json.loads(self.server.export(run["id"], "office", "json"))["release"])


    def test_cells_go_by_their_codes(self):
        """A number is another cell's once a code is collapsed; the codes are the same or gone."""
        document = self.server.open("business.toml")["id"]
        path = f"/api/documents/{document}"
        self.server.post(path + "/collapse", {"dimension": "activity", "code": "C"})
        self.fails(422, "POST", path + "/changes", {"codes": [["C10", "North"]], "status": "safe"})
        self.fails(422, "POST", path + "/changes", {"codes": [["C"]], "status": "safe"})
        self.assertEqual(len(self.server.get(path)["changes"]), 1, "nothing half done")
        changed = self.server.post(path + "/changes", {"codes": [["C", "North"]], "status": "unsafe"})
        self.assertEqual(changed["changes"][1]["label"], "activity=C|region=North")
        cell = self.cell_of(document, "C", "North")
        self.assertEqual(self.server.get(f"{path}/cells/{cell}")["status"], "sensitive")

    def test_unsafe_by_hand_has_a_level(self):
        """Percent of the value, as the job says, against everyone whom the rules' cells are kept from."""
        job = (EXAMPLES / "business.toml").read_text(encoding="utf-8")
        wide = job.replace("frequency_range = 15", "manual_range = 50\nfrequency_range = 15")
        found = {}
        for share, text in (("20", job), ("50", wide)):
            document = self.server.open("business.toml", job=text)
            self.assertEqual(document["manual_range"], share)
            path = f"/api/documents/{document['id']}"
            cell = self.cell_of(document["id"], "Total", "North")
            before = self.server.get(f"{path}/cells/{cell}")
            self.assertEqual((before["status"], before["levels"]), ("free", []))
            self.server.post(path + "/changes", {"cells": [cell], "status": "unsafe", "reason": "asked for"})
            after = self.server.get(f"{path}/cells/{cell}")
            self.assertEqual(after["reason"], "unsafe: set by hand (asked for)")
            outsider = next(level for level in after["levels"] if level["attacker"] == "outsider")
            for side in ("lower", "upper"):
                self.assertAlmostEqual(float(outsider[side]), float(share) / 100 * float(before["value"]), delta=0.11)
            self.assertGreater(len(after["levels"]), 1, "respondents as well")
            found[share] = float(outsider["upper"])
            run = self.server.protect(document["id"])
            self.assertEqual((run["state"], run["verdict"]), ("done", "protected"), run)
            seen = self.server.get(f"/api/runs/{run['id']}/cells/{cell}")
            self.assertGreaterEqual(float(seen["findings"][0]["high"]), float(before["value"]) + found[share] - 0.11)
        self.assertGreater(found["50"], 2 * found["20"])

    def test_the_file_of_changes_comes_back(self):
        """Status and collapsed codes, saved and read again: by the page and by --apriori."""
        document = self.server.open("sales.toml")["id"]
        path = f"/api/documents/{document}"
        self.fails(422, "GET", path + "/apriori")  # there is no file of nothing
        self.server.post(path + "/changes", {"codes": [["A1", "North"]], "status": "unsafe"})
        self.server.post(path + "/collapse", {"dimension": "product", "code": "B"})
        changed = self.server.post(path + "/changes", {"codes": [["B", "South"]], "status": "unsafe"})
        saved = self.server.request("GET", path + "/apriori")
        self.assertIn("sales-changes.csv", saved.headers["content-disposition"])
        self.assertIn("B,,collapse", saved.body.decode())
        again = self.server.open("sales.toml")["id"]
        file = self.server.upload("sales-changes.csv", saved.body)
        read = self.server.post(f"/api/documents/{again}/apriori", {"file": file})
        self.assertEqual((read["cells"], read["sensitive"]), (changed["cells"], changed["sensitive"]))
        pages = [self.server.get(f"/api/documents/{one}/page") for one in (again, document)]
        for page in pages:
            del page["reasons"]  # the file that a status comes from is named
        self.assertEqual(*pages)
        self.assertEqual(self.server.post(f"/api/documents/{again}/undo")["cells"], 32, "one change, taken back at once")
        file = self.server.upload("sales-changes.csv", saved.body)  # the first went when it was read
        plain = self.server.protect(again, apriori=file)  # as an option of the run
        own = self.server.protect(document)
        self.assertEqual(self.server.export(plain["id"], "public", "csv"), self.server.export(own["id"], "public", "csv"))
        (self.folder / "broken-changes.csv").write_text("product,region,status\nB,North,collapse\n", encoding="utf-8")
        error = self.fails(422, "POST", path + "/apriori", {"file": "broken-changes.csv"})
        self.assertEqual((error["file"], error["line"]), ("broken-changes.csv", 2), error)

    def repeated(self, run):
        """The public file that the command line gives where nothing but the archive is."""
        with tempfile.TemporaryDirectory() as name:
            where = pathlib.Path(name)
            archive = zipfile.ZipFile(io.BytesIO(self.server.export(run["id"], "repeat", "zip")))
            archive.extractall(where)
            line = (where / "command.txt").read_text(encoding="utf-8").strip()
            self.assertEqual(line, run["command_line"])
            served.repeat(LACUNA, where, line, "--public", "again.csv", "-o", "again.json", "--quiet")
            return (where / "again.csv").read_bytes()

    def test_an_edited_job_is_repeated_from_what_is_saved(self):
        """The job of the page, not the one in the folder: byte for byte the same public file."""
        job = (EXAMPLES / "sales.toml").read_text(encoding="utf-8") + '\n[[rule]]\ntype = "frequency"\nn = 8\n'
        document = self.server.open("sales.toml", job=job)["id"]
        self.server.post(f"/api/documents/{document}/collapse", {"dimension": "product", "code": "B"})
        self.server.post(f"/api/documents/{document}/changes", {"codes": [["A3", "East"]], "status": "unsafe"})
        run = self.server.protect(document)
        self.assertEqual(run["verdict"], "protected", run)
        self.assertEqual(run["repeat"], {"unsaved": ["job", "changes"], "exact": True})
        self.assertIn("sales-edited.toml", run["command_line"])
        self.assertEqual(self.repeated(run), self.server.export(run["id"], "public", "csv"))
        # Pasted where nothing was saved it does not run another job, it does not run.
        served.repeat(LACUNA, self.folder, run["command_line"], "-o", "nothing.json", "--quiet", code=1)

    def test_uploads_examples_and_options_are_in_the_archive(self):
        job = self.server.upload("mine.toml", (EXAMPLES / "sales.toml").read_bytes())
        into = re.match(r"upload:(\d+)/", job).group(1)
        for name in ("sales.csv", "products.hrc"):
            self.server.upload(name, (EXAMPLES / name).read_bytes(), into)
        hand = self.server.upload("hand.csv", b"product,region,status\nB2,South,U\n")
        for file, missing in ((job, ["input", "options"]), ("example:sales.toml", ["input", "options"]),
                              ("sales.toml", ["options"])):
            run = self.server.protect(self.server.open(file)["id"], apriori=hand)
            self.assertEqual(run["repeat"]["unsaved"], missing)
            self.assertNotRegex(run["command_line"], r"upload|example|\d/")
            self.assertEqual(self.repeated(run), self.server.export(run["id"], "public", "csv"))
        plain = self.server.protect(self.server.open("sales.toml")["id"])
        self.assertEqual(plain["repeat"], {"unsaved": [], "exact": True})

    def test_what_was_not_asked_is_told(self):
        (self.folder / "people.csv").write_text("part\n" + "a\n" * 10 + "c\nc\nd\nd\n", encoding="utf-8")
        (self.folder / "people.toml").write_text(PEOPLE, encoding="utf-8")
        document = self.server.open("people.toml")["id"]
        whole = self.server.protect(document)
        self.assertEqual((whole["verdict"], whole["summary"]["limits"]), ("protected", []))
        run = self.server.protect(document, reals=True)
        self.assertEqual(run["verdict"], "protected")
        self.assertIn("read as real numbers", run["summary"]["limits"][0])
        moved = self.server.protect(document, method="adjust")
        self.assertIn("read as numbers alone", moved["summary"]["limits"][0])

    def test_cells_called_safe_by_hand_are_told(self):
        document = self.server.open("sales.toml")["id"]
        self.assertEqual(self.server.protect(document)["lifted"], {"count": 0, "cells": []})
        self.server.post(f"/api/documents/{document}/changes", {"codes": [["A2", "East"]], "status": "safe"})
        self.assertEqual(self.server.protect(document)["lifted"],
                         {"count": 1, "cells": ["product=A2|region=East"]})


def withheld(result):
    """The cells that a result withholds."""
    return {entry["cell"] for entry in json.loads(result)["release"] if entry["state"] == "withheld"}


class Runs(Case):
    def test_options_from_the_program(self):
        options = self.server.get("/api/options/protect")
        names = {o["name"] for o in options["options"]}
        self.assertLessEqual({"method", "weights", "effort", "time-limit", "base", "seed"}, names)
        self.assertIn("suppress", [m["name"] for m in options["methods"]])
        for option in options["options"]:
            self.assertIn(option["kind"], {"text", "number", "whole", "flag", "choice", "list"})
            self.assertTrue(option["help"], option)
        base = next(o for o in options["options"] if o["name"] == "base")
        self.assertIn("round", base["methods"])
        self.assertIn("all", {o["name"] for o in self.server.get("/api/options/audit")["options"]})
        self.fails(404, "GET", "/api/options/nothing")

    def test_three_methods_and_the_command_line(self):
        """The release of the page and of the command line that it shows are the same."""
        for file, base in (("sales.toml", 10), ("random.json", 1000)):
            document = self.server.open(file)["id"]
            for options in ({}, {"method": "round", "base": base}, {"method": "interval"},
                            {"method": "adjust", "seed": 3}):
                run = self.server.protect(document, **options)
                self.keys(run, RUN)
                self.assertEqual((run["state"], run["verdict"]), ("done", "protected"), run)
                again = f"again{run['id']}.json"
                served.repeat(LACUNA, self.folder, run["command_line"], "-o", again, "--quiet")
                ours = served.timeless(self.server.export(run["id"], "office", "json"))
                theirs = served.timeless((self.folder / again).read_bytes())
                self.assertEqual(json.dumps(ours), json.dumps(theirs), run["command_line"])

    def test_examples_can_be_repeated(self):
        document = self.server.open("example:sales.toml")["id"]
        self.assertEqual(self.server.protect(document)["summary"]["objective"], 353)

    def test_events(self):
        document = self.server.open("linked.toml")["id"]
        run = self.server.start(document)["id"]
        seen = list(served.events(self.server, run))
        self.assertEqual(seen[-1]["state"], "done")
        self.assertEqual({s["id"] for s in seen}, {run})
        order = ["queued", "running", "stopping", "done"]
        states = [order.index(s["state"]) for s in seen]
        self.assertEqual(states, sorted(states))
        self.assertEqual([s["state"] for s in served.events(self.server, run)], ["done"], "a late listener")

    def test_why_a_cell_is_withheld(self):
        document = self.server.open("sales.toml")["id"]
        run = self.server.protect(document)["id"]
        cells = [self.server.get(f"/api/runs/{run}/cells/{cell}") for cell in range(32)]
        secondary = next(c["cell"] for c in cells if c["state"] == "withheld" and c["status"] != "sensitive")
        told = self.server.get(f"/api/runs/{run}/cells/{secondary}/explanation")
        self.assertEqual(told["role"], "secondary")
        self.assertTrue(told["if_published"]["keeps_safe"])
        self.assertIn("for the sake of others", told["text"])
        shown = next(c["cell"] for c in cells if c["state"] == "exact")
        self.assertEqual(self.server.get(f"/api/runs/{run}/cells/{shown}/explanation")["role"], "published")
        self.fails(404, "GET", f"/api/runs/{run}/cells/32/explanation")

    def test_page_cells_and_history_of_a_run(self):
        document = self.server.open("sales.toml")["id"]
        run = self.server.protect(document)
        self.assertGreater(len(json.dumps(self.server.get(f"/api/runs/{run['id']}/page"))), 500)
        cell = self.cell_of(document, "A2", "East")
        seen = self.server.get(f"/api/runs/{run['id']}/cells/{cell}")
        self.keys(seen, CELL | {"state", "published", "findings", "needed_by"})
        self.assertEqual(seen["state"], "withheld")
        finding = seen["findings"][0]
        self.assertEqual((finding["verdict"], finding["need_low"], finding["need_high"]), ("protected", "14", "22"))
        self.assertLessEqual(float(finding["low"]), 14)
        self.assertGreaterEqual(float(finding["high"]), 22)
        secondary = self.cell_of(document, "A1", "South")
        needed = self.server.get(f"/api/runs/{run['id']}/cells/{secondary}")["needed_by"]
        self.assertTrue(needed and all(n["label"] for n in needed), needed)
        self.assertEqual(self.server.get(f"/api/runs/{run['id']}/exposed"), [])
        self.assertEqual([r["id"] for r in self.server.get(f"/api/runs?document={document}")], [run["id"]])
        self.fails(404, "GET", f"/api/runs/{run['id']}/cells/32")

    def test_periods_and_derived_numbers(self):
        files = {
            "then.csv": "branch;n;status\nall;400;\na;100;\nb;130;u\nc;170;\n",
            "then_pub.csv": "branch;value;state\nall;400;published\na;100;published\nb;;withheld\nc;;withheld\n",
            "now.csv": "branch;n;status\nall;420;\na;110;\nb;150;u\nc;160;\n",
            "now.toml": '[input]\ntable = "now.csv"\n[columns]\nvalue = "n"\nstatus = "status"\n'
            '[[dimension]]\nname = "branch"\ntotal = "all"\n[[before]]\nname = "then"\ninput = "then.csv"\n'
            'release = "then_pub.csv"\ndifferences = "none"\n[[derived]]\nname = "pct"\ntype = "percentage"\n',
        }
        for name, text in files.items():
            (self.folder / name).write_text(text)
        run = self.server.protect(self.server.open("now.toml")["id"])["id"]
        told = self.server.get(f"/api/runs/{run}/periods")
        self.keys(told, {"periods", "rows", "left_out"})
        self.assertEqual(told["periods"], ["then", "this period"])
        row = next(r for r in told["rows"] if r["label"] == "branch=b")
        self.keys(row, {"cell", "label", "texts", "note"})
        self.assertEqual(row["texts"], ["\u00d7", "\u00d7"])
        self.assertTrue(row["note"].startswith("since then"), row)
        self.assertEqual(told["left_out"] + len(told["rows"]), 4)
        page = self.server.get(f"/api/runs/{run}/page")
        column = next(c for c in page["columns"] if c["name"] == "pct")
        self.assertIn("38.1", column["text"].split("|"))
        plain = self.server.protect(self.server.open("sales.toml")["id"])["id"]
        self.assertEqual(self.server.get(f"/api/runs/{plain}/periods"), {"periods": [], "rows": [], "left_out": 0})

    def test_wrong_options(self):
        document = self.server.open("sales.toml")["id"]
        path = f"/api/documents/{document}/runs"
        for options in ({"method": "none"}, {"gap": "five"}, {"nothing": "1"}, {"time-limit": "-1"}):
            answer = self.server.request("POST", path, {"command": "protect", "options": options})
            self.assertIn(answer.status, (400, 422), f"{options}: {answer}")
            self.assertTrue(answer.message)
        self.fails(422, "POST", path, {"command": "generate", "options": {}})
        # Files to write are named in an export, never in a run.
        for name in ("output", "public", "certificate", "checkpoint", "log"):
            answer = self.server.request("POST", path, {"command": "protect", "options": {name: "out.json"}})
            self.assertIn(answer.status, (400, 422), f"{name}: {answer}")
        self.assertFalse((self.folder / "out.json").exists())

    def test_a_job_names_a_policy(self):
        """Published rules are applied as the job says, and told; a run takes no others."""
        (self.folder / "ruled.csv").write_text("area;n\nTotal;40\nA;25\nB;9\nC;6\n")
        (self.folder / "ruled.toml").write_text(
            'policy = "cms-cell-size"\n\n[input]\ntable = "ruled.csv"\n\n[columns]\nfrequency = "n"\n\n'
            '[[dimension]]\nname = "area"\n')
        document = self.server.open("ruled.toml")
        self.assertEqual(document["sensitive"], 2)
        self.assertTrue(any(note.startswith("policy cms-cell-size: ") for note in document["notes"]))
        run = self.server.protect(document["id"])
        self.assertTrue(run["summary"]["policy"].startswith("policy cms-cell-size: "), run)
        self.fails(422, "POST", f"/api/documents/{document['id']}/runs",
                   {"command": "protect", "options": {"policy": "uk-llc"}})

    def test_files_of_options_stay_below_the_folder(self):
        document = self.server.open("sales.toml")["id"]
        outside = tempfile.NamedTemporaryFile(suffix=".json")  # pylint: disable=consider-using-with
        for name in (outside.name, "../x.json", "/etc/passwd", ".hidden.json"):
            for command, option in (("protect", "prefer"), ("audit", "pattern")):
                answer = self.server.request("POST", f"/api/documents/{document}/runs",
                                             {"command": command, "options": {option: name}})
                self.assertIn(answer.status, (400, 403, 404, 422), f"{name}: {answer}")
        outside.close()

    def test_no_safe_release(self):
        """What cannot be protected is refused, not released, and nothing of it can be exported."""
        served.command(LACUNA, self.folder, "generate", "-o", "stuck.json", "--sizes", "3", "3",
                       "--sensitive-count", "1", "--published-percent", "100")
        document = self.server.open("stuck.json")["id"]
        run = self.server.protect(document)
        self.assertIn(run["state"], ("refused", "failed"), run)
        self.assertTrue(run["message"] or run["error"], run)
        self.assertIn(self.server.request("GET", f"/api/runs/{run['id']}/export?what=public&format=csv").status,
                      (404, 409, 422))


class Stops(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        served.command(LACUNA, cls.folder, "generate", "-o", "long.json", "--kind", "hierarchical", "--depths", "3",
                       "3", "--fan-least", "4", "--fan-most", "4", "--sensitive-percent", "20", "--weight", "value")

    def running(self, document, **options):
        run = self.server.start(document, effort="best", **options)["id"]
        limit = time.monotonic() + served.WAIT
        while (seen := self.server.get(f"/api/runs/{run}"))["state"] == "queued" or not seen["progress"]:
            self.assertEqual("running" in seen["state"] or seen["state"] == "queued", True, seen)
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.02)
        return run

    def test_stop_with_the_best_so_far(self):
        document = self.server.open("long.json")["id"]
        run = self.running(document)
        limit = time.monotonic() + served.WAIT
        while not self.server.get(f"/api/runs/{run}")["history"] and time.monotonic() < limit:
            time.sleep(0.05)  # there is something to release
        self.assertIn(self.server.post(f"/api/runs/{run}/stop")["state"], ("stopping", "done"))
        seen = self.server.finish(run)
        self.assertEqual((seen["state"], seen["verdict"]), ("done", "protected"), seen)
        self.assertEqual((seen["stopped"], seen["repeat"]["exact"]), (True, False), "another run may differ")
        (self.folder / "stopped.json").write_bytes(self.server.export(run, "office", "json"))
        served.command(LACUNA, self.folder, "audit", "long.json", "--pattern", "stopped.json", "--quiet")

    def test_cancel(self):
        document = self.server.open("long.json")["id"]
        run = self.running(document)
        self.assertIn(self.server.request("DELETE", f"/api/runs/{run}").status, (200, 202, 204))
        limit = time.monotonic() + served.WAIT
        while (answer := self.server.request("GET", f"/api/runs/{run}")).status != 404:
            self.assertIn(answer.json()["state"], ("stopping", "cancelled"))
            if answer.json()["state"] == "cancelled":
                break
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.05)
        self.assertTrue(self.server.alive())

    def test_more_runs_than_cores_wait(self):
        document = self.server.open("long.json")["id"]
        cores = self.server.get("/api/about")["cores"]
        runs = [self.server.start(document, effort="best", threads=1)["id"] for _ in range(cores + 2)]
        states = [self.server.get(f"/api/runs/{run}")["state"] for run in runs]
        about = self.server.get("/api/about")
        self.assertLessEqual(states.count("running"), cores)
        self.assertGreaterEqual(about["queued"], 1, states)
        for run in reversed(runs):
            self.server.request("DELETE", f"/api/runs/{run}")


class Attacks(Case):
    def test_audit_of_a_foreign_table(self):
        """The primaries alone are crossed out: exposed, explained step by step."""
        rows = list(csv.reader(io.StringIO((self.folder / "sales.csv").read_text(encoding="utf-8")), delimiter=";"))
        lines = [";".join([row[0], row[1], "x" if row[4] == "u" else row[2]]) for row in rows]
        file = self.server.upload("foreign.csv", ("\n".join(lines) + "\n").encode())
        document = self.server.open("sales.toml")["id"]
        run = self.server.finish(self.server.start(document, command="audit", pattern=file, all=True)["id"])
        self.assertEqual((run["state"], run["verdict"]), ("done", "exposed"), run)
        self.assertIn("--pattern foreign.csv", run["command_line"])
        for what, form in (("public", "csv"), ("office", "json"), ("public-report", "html")):
            self.fails(422, "GET", f"/api/runs/{run['id']}/export?what={what}&format={form}")
        exposed = self.server.get(f"/api/runs/{run['id']}/exposed")
        self.assertTrue(exposed)
        labels = {e["label"] for e in exposed}
        self.assertTrue(any("B1" in label and "South" in label for label in labels), labels)
        for entry in exposed:
            self.assertEqual(entry["verdict"], "exposed")
            self.assertTrue(entry["steps"], entry)
        south = next(e for e in exposed if "B1" in e["label"] and "South" in e["label"])
        self.assertTrue(any("=" in step for step in south["steps"]), south)
        cell = self.server.get(f"/api/runs/{run['id']}/cells/{south['cell']}")
        self.assertEqual(cell["findings"][0]["verdict"], "exposed")
        self.assertTrue(cell["findings"][0]["steps"])

    def test_audit_of_a_release_that_is_safe(self):
        document = self.server.open("sales.toml")["id"]
        run = self.server.protect(document)
        (self.folder / "published.csv").write_bytes(self.server.export(run["id"], "public", "csv"))
        audit = self.server.finish(self.server.start(document, command="audit", pattern="published.csv")["id"])
        self.assertEqual((audit["state"], audit["verdict"]), ("done", "protected"), audit)

    def test_compare(self):
        document = self.server.open("sales.toml")["id"]
        runs = [self.server.protect(document, **options)["id"]
                for options in ({}, {"method": "interval"}, {"method": "round", "base": 10})]
        seen = self.server.get("/api/compare?runs=" + ",".join(map(str, runs)))
        self.assertEqual([r["id"] for r in seen["runs"]], runs)
        self.assertEqual([r["method"] for r in seen["runs"]], ["suppress", "interval", "round"])
        for run in seen["runs"]:
            self.assertEqual(run["verdict"], "protected")
            self.assertTrue(run["loss"])
        self.assertGreater(seen["differing"], 0)
        self.assertEqual(len(seen["cells"]), min(seen["differing"], 1000))
        for cell in seen["cells"]:
            self.assertEqual(len(cell["states"]), 3)
            self.assertGreater(len(set(cell["states"])), 1, cell)
        self.fails(404, "GET", "/api/compare?runs=999,998")

    def test_argus(self):
        document = self.server.open("small.arb")
        run = self.server.finish(self.server.start(document["id"], command="argus")["id"])
        self.assertEqual((run["state"], run["verdict"]), ("done", "protected"), run)
        self.assertEqual(len(run["tables"]), 1)
        self.assertTrue(self.server.get(f"/api/runs/{run['id']}/page?table=0"))
        self.fails(422, "GET", f"/api/runs/{run['id']}/page?table=1")
        public = self.server.request("GET", f"/api/runs/{run['id']}/export?what=public&format=csv&table=0")
        self.assertEqual((public.status, public.body.count(b"withheld")), (200, 4), public)


class Exports(Case):
    def setUp(self):
        self.document = self.server.open("sales.toml")["id"]
        self.run_id = self.server.protect(self.document)["id"]

    def test_every_file(self):
        for what, form in EXPORTS:
            answer = self.server.request("GET", f"/api/runs/{self.run_id}/export?what={what}&format={form}")
            self.assertEqual(answer.status, 200, f"{what} {form}: {answer}")
            self.assertIn("attachment", answer.headers["content-disposition"])
            self.assertTrue(answer.body, what)
        self.fails(422, "GET", f"/api/runs/{self.run_id}/export?what=apriori&format=csv")  # nothing was decided
        self.fails(422, "GET", f"/api/runs/{self.run_id}/export?what=public&format=exe")
        self.fails(422, "GET", f"/api/runs/{self.run_id}/export?what=everything&format=csv")

    def test_what_is_exported_is_safe(self):
        for what, form in (("public", "csv"), ("public", "json"), ("public", "sdmx.csv"), ("office", "json")):
            name = f"exported_{what}.{form}"
            (self.folder / name).write_bytes(self.server.export(self.run_id, what, form))
            served.command(LACUNA, self.folder, "audit", "sales.toml", "--pattern", name, "--quiet")
        (self.folder / "proof.json").write_bytes(self.server.export(self.run_id, "certificate", "json"))
        served.command(LACUNA, self.folder, "verify", "sales.toml", "proof.json", "--pattern", "exported_public.csv")
        # A certificate of another release is none: the check can fail.
        other = self.server.protect(self.document, method="interval")["id"]
        (self.folder / "other.json").write_bytes(self.server.export(other, "office", "json"))
        served.command(LACUNA, self.folder, "verify", "sales.toml", "proof.json", "--pattern", "other.json", code=1)

    def test_public_files_tell_no_secret(self):
        office = self.server.export(self.run_id, "office", "csv").decode()
        self.assertRegex(office, r"A2;East;18\b")
        for what, form in (("public", "csv"), ("public", "json"), ("public", "px"), ("public", "sdmx.csv"),
                           ("public-report", "html")):
            text = self.server.export(self.run_id, what, form).decode()
            if form == "html":  # what a reader sees, and the data behind it; not the page's style and script
                text = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", text, flags=re.DOTALL)
                self.assertIn("North", text)
            self.assertNotRegex(text, r"(?<![\w.#-])18(?![\w.-])", f"{what} {form} holds the value of A2 East")

    def test_public_files_of_what_nobody_asked_about(self):
        """Nothing is sensitive and there is no rule: public files need a word of their own. Rules are an answer."""
        (self.folder / "unasked.csv").write_text("region;value;firms\nAll;30;30\nA;10;10\nB;20;20\n", encoding="utf-8")
        job = ('[input]\ntable = "unasked.csv"\nseparator = ";"\n[columns]\nvalue = "value"\nfrequency = "firms"\n'
               '[[dimension]]\nname = "region"\ntotal = "All"\n')
        run = self.server.protect(self.server.open("unasked.csv", job=job)["id"])
        self.assertEqual((run["state"], run["verdict"], run["needs_word"]), ("done", "unasked", True), run)
        path = f"/api/runs/{run['id']}/export"
        for what, form in (("public", "csv"), ("public", "xlsx"), ("public-report", "html")):
            for word in ("", "&unasked=", "&unasked=refuse", "&unasked=true"):
                self.assertIn("nothing was asked", self.fails(422, "GET", f"{path}?what={what}&format={form}{word}")["message"])
            self.fails(422, "POST", path, {"what": what, "format": form, "file": f"unasked_out.{form}"})
            self.assertFalse((self.folder / f"unasked_out.{form}").exists())
            answer = self.server.request("GET", f"{path}?what={what}&format={form}&unasked=publish")
            self.assertEqual(answer.status, 200, answer)
            self.server.post(path, {"what": what, "format": form, "file": f"unasked_out.{form}", "unasked": "publish"}, 201)
        self.server.export(run["id"], "office", "json")  # the office has its own tables
        ruled = self.server.protect(self.server.open(
            "unasked.csv", job=job + '[[rule]]\ntype = "frequency"\nn = 3\n')["id"])
        self.assertEqual((ruled["verdict"], ruled["needs_word"]), ("unasked", False))
        self.server.export(ruled["id"], "public", "csv")

    def test_written_below_the_folder(self):
        path = f"/api/runs/{self.run_id}/export"
        body = {"what": "public", "format": "csv", "file": "out/public.csv", "overwrite": False}
        (self.folder / "out").mkdir(exist_ok=True)
        answer = self.server.request("POST", path, body)
        self.assertIn(answer.status, (200, 201), answer)
        written = self.folder / "out" / "public.csv"
        self.assertEqual(written.read_bytes(), self.server.export(self.run_id, "public", "csv"))
        written.write_text("mine", encoding="utf-8")
        self.fails(409, "POST", path, body)
        self.assertEqual(written.read_text(encoding="utf-8"), "mine")
        self.assertIn(self.server.request("POST", path, {**body, "overwrite": True}).status, (200, 201))
        self.assertNotEqual(written.read_text(encoding="utf-8"), "mine")
        # Never over an input.
        before = (self.folder / "sales.csv").read_bytes()
        self.server.request("POST", path, {**body, "file": "sales.csv", "overwrite": False})
        self.assertEqual((self.folder / "sales.csv").read_bytes(), before)


class Published(Case):
    """Published tables alone: what `lacuna infer` says, and nothing but it."""

    TABLE = "region,size,value\nAll,All,100\nAll,a,40\nAll,b,60\nN,All,30\nN,a,x\nN,b,x\nS,All,70\nS,a,25\nS,b,x\n"

    def setUp(self):
        (self.folder / "theirs.csv").write_text(self.TABLE, encoding="utf-8")

    def inferred(self, files, **options):
        begun = self.server.post("/api/published", {"files": files, "options": options}, 202)
        self.keys(begun, {"id", "files", "names", "options", "state"})
        return self.server.until_inferred(begun["id"])

    def test_it_is_what_the_command_line_says(self):
        job = self.inferred(["theirs.csv"])
        self.assertEqual(job["state"], "done", job)
        done = served.command(LACUNA, self.folder, "infer", "theirs.csv", "--json", code=2)
        self.assertEqual(job["result"], json.loads(done))
        self.assertEqual(self.server.bytes(f"/api/published/{job['id']}/export?form=json").decode(), done)
        self.assertEqual((job["result"]["exact"], job["result"]["too_narrow"]), (3, True))
        self.assertIn("no number is below 0", job["known"])

    def test_options_and_several_files(self):
        (self.folder / "more.csv").write_text("region,size,value\nN,All,30\nN,a,x\nN,b,15\n", encoding="utf-8")
        job = self.inferred(["theirs.csv", "more.csv"], sensitive=["region=S"], protection="10%")
        self.assertEqual(job["names"], ["theirs.csv", "more.csv"])
        self.assertEqual(job["result"]["exact"], 1)
        rounded = self.inferred(["theirs.csv"], **{"rounded-to": "5", "counts": True})
        self.assertIn("rounded to 5", rounded["known"])
        self.assertTrue(rounded["result"]["counts"])

    def test_exports(self):
        job = self.inferred(["theirs.csv"])
        at = f"/api/published/{job['id']}/export?form="
        certificate = json.loads(self.server.bytes(at + "certificate"))
        self.assertEqual(certificate["format"], "lacuna-inference-1")
        self.assertEqual(certificate["cells"][4]["from"][0]["at"], "theirs.csv:6:5")
        self.assertIn(b"exactly known", self.server.bytes(at + "page"))
        self.assertIn(b"3 of 3 withheld numbers", self.server.bytes(at + "text"))
        self.fails(422, "GET", at + "pdf")

    def test_contradictions_are_told(self):
        (self.folder / "wrong.csv").write_text(self.TABLE.replace("S,a,25", "S,a,75"), encoding="utf-8")
        result = self.inferred(["wrong.csv"])["result"]
        self.assertTrue(result["contradicted"])
        self.assertTrue(result["corrections"])

    def test_what_is_wrong_is_told(self):
        self.fails(400, "POST", "/api/published", {})
        self.fails(400, "POST", "/api/published", {"files": [3]})
        self.fails(422, "POST", "/api/published", {"files": []})
        self.fails(422, "POST", "/api/published", {"files": ["nowhere.csv"]})
        self.fails(422, "POST", "/api/published", {"files": ["../theirs.csv"]})
        self.fails(422, "POST", "/api/published", {"files": ["/etc/passwd"]})
        body = {"files": ["theirs.csv"], "options": {}}
        for name, value in (("certificate", "c.json"), ("report", "r.html"), ("policy", "/etc/passwd"), ("nothing", "1")):
            self.fails(422, "POST", "/api/published", {**body, "options": {name: value}})
        self.assertFalse((self.folder / "c.json").exists())
        job = self.inferred(["theirs.csv"], protection="150%")
        self.assertEqual((job["state"], job["error"]["where"]), ("failed", "--protection"))
        self.fails(422, "GET", f"/api/published/{job['id']}/export?form=json")
        self.assertEqual(self.server.request("DELETE", f"/api/published/{job['id']}").status, 204)
        self.fails(404, "GET", f"/api/published/{job['id']}")

    def test_a_job_reads_nothing_outside_the_folder(self):
        outside = pathlib.Path(tempfile.mkdtemp())
        (outside / "secret.csv").write_text(self.TABLE, encoding="utf-8")
        (self.folder / "job.toml").write_text(
            f'[input]\ntable = "{outside}/secret.csv"\n[columns]\nvalue = "value"\n'
            '[[dimension]]\nname = "region"\ntotal = "All"\n[[dimension]]\nname = "size"\ntotal = "All"\n',
            encoding="utf-8")
        error = self.fails(422, "POST", "/api/published", {"files": ["job.toml"]})
        self.assertNotIn(str(outside), json.dumps(error))
        shutil.rmtree(outside)

    def test_an_upload_goes_with_its_answer(self):
        answer = self.server.request("POST", "/api/uploads?name=sent.csv", self.TABLE.encode())
        name = answer.json()["file"]
        job = self.inferred([name])
        self.assertEqual(job["names"], ["sent.csv"])
        again = self.inferred([name], protection="10%")
        self.assertEqual(again["state"], "done")


class Described(Case):
    """web/openapi.json and the routes agree: what is described is there, and what a test uses is described."""

    def test_it_is_served(self):
        described = json.loads(OPENAPI.read_text(encoding="utf-8"))
        self.assertEqual(self.server.get("/api/openapi.json"), described)
        self.assertTrue(described["openapi"].startswith("3."))

    def test_references_lead_somewhere(self):
        described = json.loads(OPENAPI.read_text(encoding="utf-8"))
        for name in re.findall(r'"\$ref": *"#/([^"]+)"', OPENAPI.read_text(encoding="utf-8")):
            value = described
            for part in name.split("/"):
                self.assertIn(part, value, name)
                value = value[part]

    def test_every_described_route_is_there(self):
        """A method that is not described is 405, a described one is anything but 404 and 405 of an unknown route."""
        described = json.loads(OPENAPI.read_text(encoding="utf-8"))["paths"]
        document = self.server.open("sales.toml")["id"]
        self.server.post(f"/api/documents/{document}/changes", {"cells": [0], "cost": "3"})
        run = self.server.protect(document)["id"]
        published = self.server.post("/api/published", {"files": ["published.csv"]}, 202)["id"]
        self.server.until_inferred(published)
        numbers = {"document": document, "run": run, "cell": 0, "command": "protect", "published": published}
        for path, item in described.items():
            place = re.sub(r"\{(\w+)\}", lambda m: str(numbers[m.group(1)]), path)
            methods = {m.upper() for m in item if m in ("get", "post", "delete", "put")}
            self.assertTrue(methods, path)
            for method in {"GET", "POST", "DELETE", "PUT"} - methods:
                answer = self.server.request(method, place, body={} if method != "GET" else None)
                self.assertEqual(answer.status, 405, f"{method} {place}: {answer}")
            if "GET" in methods:
                answer = self.server.request("GET", self.with_query(place, item["get"], run))
                self.assertEqual(answer.status, 200, f"GET {place}: {answer}")
                self.assertIn("200", item["get"]["responses"])

    def with_query(self, place, operation, run):
        chosen = {"runs": str(run), "what": "public", "format": "csv", "form": "json"}
        query = {p["name"]: chosen[p["name"]] for p in operation.get("parameters", [])
                 if p["in"] == "query" and p.get("required")}
        return place + ("?" + urllib.parse.urlencode(query) if query else "")

    def test_schemas_hold(self):
        """What comes back has the members that the description calls required."""
        schemas = json.loads(OPENAPI.read_text(encoding="utf-8"))["components"]["schemas"]
        document = self.server.open("sales.toml")
        run = self.server.protect(document["id"])
        cell = self.server.get(f"/api/documents/{document['id']}/cells/3")
        about = self.server.get("/api/about")
        key = self.server.get("/api/job-keys")["sections"][0]
        published = self.server.post("/api/published", {"files": ["published.csv"]}, 202)
        for name, value in (("Document", document), ("Run", run), ("Cell", cell), ("About", about),
                            ("Job", document["job"]), ("JobKey", key), ("Published", published),
                            ("Periods", self.server.get(f"/api/runs/{run['id']}/periods"))):
            schema = schemas[name]
            self.keys(value, set(schema["required"]))
            self.assertLessEqual(set(value), set(schema["properties"]), f"{name} has members that are not described")


if __name__ == "__main__":
    unittest.main()
