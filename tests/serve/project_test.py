#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files before they are tables, projects, what was closed, and the checker's desk, by the HTTP interface.

A project is opened by another server over another folder: its releases must be the same bytes, and the command line of
each run, in its folder of the archive, must give the public file that lies there.

  project_test.py LACUNA EXAMPLES_FOLDER [unittest options]
"""
import io
import json
import pathlib
import shlex
import sys
import tempfile
import unittest
import zipfile

import served

LACUNA, EXAMPLES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))


class Case(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name)
        served.copy_examples(EXAMPLES, self.folder)
        self.server = self.begin(self.folder)

    def begin(self, folder):
        server = served.Server(LACUNA, folder)
        self.addCleanup(server.remove)
        self.addCleanup(server.end)
        return server

    def write(self, name, text, encoding="utf-8"):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_bytes(text.encode(encoding))

    def look(self, file, said=None, **more):
        return self.server.post("/api/looks", {"file": file, "said": said or {}, **more}, 200)

    def fails(self, path, body, status=422):
        answer = self.server.request("POST", path, body)
        self.assertEqual(answer.status, status, answer)
        return answer.json()["error"]


class Looks(Case):
    WIDE = "Title of the table\n\nregion;North;South;Total\nA;1;2;3\nB;4;5;9\nTotal;5;7;12\n\nSource: nobody\n"

    def test_titles_headings_cells_and_footnotes(self):
        self.write("wide.csv", self.WIDE)
        seen = self.look("wide.csv")
        self.assertEqual(seen["raw"]["rows"][2], ["region", "North", "South", "Total"])
        kinds = seen["raw"]["kinds"]
        self.assertEqual(kinds[0], "title")
        self.assertEqual(kinds[2:6], ["heading", "cell", "cell", "cell"])
        self.assertEqual(kinds[7], "footnote")
        self.assertEqual(seen["open"], [])
        self.assertTrue(seen["job"]["spec"]["input"]["wide"])

    def test_what_is_said_stays_and_the_rest_is_found_around_it(self):
        self.write("latin.csv", "région;branche;valeur;entreprises\nNord;A;10;3\nSud;A;20;4\nTotal;A;30;7\n", "latin-1")
        seen = self.look("latin.csv")
        self.assertEqual(seen["encoding"], "windows-1252")
        self.assertIn("région", [c["name"] for c in seen["columns"]])
        seen = self.look("latin.csv", {"columns": {"value": "valeur"}, "input": {"encoding": "latin-1"}})
        self.assertEqual(seen["job"]["spec"]["columns"]["value"], "valeur")
        self.assertEqual(seen["job"]["spec"]["input"]["encoding"], "latin-1")
        seen = self.look("latin.csv", {"input": {"separator": ","}})
        self.assertEqual(len(seen["columns"]), 1, "a wrong separator shows at once")

    def test_a_decimal_mark_that_could_be_either(self):
        self.write("mark.csv", "a;value\nx;1.234\ny;2.345\nz;3.456\n")
        for mark, value in ((",", ","), (".", ".")):
            seen = self.look("mark.csv", {"input": {"decimal_mark": mark}})
            self.assertEqual(seen["job"]["spec"]["input"]["decimal_mark"], value)

    def test_a_file_without_heading(self):
        self.write("bare.csv", "x;1\ny;2\nz;3\n")
        seen = self.look("bare.csv")
        self.assertFalse(seen["has_header"])
        self.assertEqual(seen["raw"]["kinds"], ["cell"] * 3)
        seen = self.look("bare.csv", {"input": {"header": ["code", "amount"]}})
        self.assertEqual([c["name"] for c in seen["columns"]], ["code", "amount"])
        seen = self.look("bare.csv", {"input": {"skip": 0}})
        self.assertEqual(seen["raw"]["kinds"][0], "heading", "its first row is one if the user says so")

    def test_rows_come_in_parts(self):
        self.write("long.csv", "a;value\n" + "".join(f"x{k};{k}\n" for k in range(2000)))
        seen = self.look("long.csv", first=1990, rows=5)
        self.assertEqual(seen["raw"]["total"], 2001)
        self.assertEqual(seen["raw"]["rows"][0], ["x1989", "1989"])
        self.assertEqual(len(seen["raw"]["rows"]), 5)

    def test_what_holds_nothing_is_refused(self):
        self.write("empty.csv", "\n")
        (self.folder / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4)
        self.assertIn("empty", self.fails("/api/looks", {"file": "empty.csv"})["message"])
        self.assertTrue(self.fails("/api/looks", {"file": "picture.csv"})["message"])
        self.fails("/api/looks", {"file": "../outside.csv"})
        self.fails("/api/looks", {"file": "sales.csv", "said": []})
        self.assertIn("colour", self.fails("/api/looks", {"file": "sales.csv", "said": {"input": {"colour": 1}}})["message"])
        self.assertEqual(self.server.get("/api/documents"), [], "nothing was opened")


class Closing(Case):
    def test_a_table_comes_back_with_its_decisions_and_runs(self):
        document = self.server.open("sales.toml")["id"]
        self.server.post(f"/api/documents/{document}/changes", {"cells": [5], "status": "unsafe"})
        run = self.server.protect(document)["id"]
        before = self.server.get(f"/api/runs/{run}/page")
        self.assertEqual(self.server.request("DELETE", f"/api/documents/{document}?undo=keep").status, 204)
        self.assertEqual(self.server.get("/api/documents"), [])
        self.assertEqual(self.server.request("GET", f"/api/runs/{run}").status, 404)
        self.assertEqual(self.server.post("/api/reopen", {}, 200), {"document": document, "runs": [run]})
        self.assertEqual(len(self.server.get(f"/api/documents/{document}")["changes"]), 1)
        self.assertEqual(self.server.get(f"/api/runs/{run}/page"), before)
        self.fails("/api/reopen", {})

    def test_a_run_by_its_number_and_not_what_was_closed_for_good(self):
        document = self.server.open("sales.toml")["id"]
        runs = [self.server.protect(document)["id"] for _ in range(3)]
        for run in runs[:2]:
            self.server.request("DELETE", f"/api/runs/{run}?undo=keep")
        self.server.request("DELETE", f"/api/runs/{runs[2]}")
        self.fails(f"/api/reopen?run={runs[2]}", {})
        self.assertEqual(self.server.post(f"/api/reopen?run={runs[0]}", {}, 200)["runs"], [runs[0]])
        self.assertEqual([r["id"] for r in self.server.get("/api/runs")], [runs[0]])


class Projects(Case):
    def save(self, **more):
        return self.server.post("/api/project", {"file": "day.lacuna", "page": {"history": [1]}, **more}, 201)

    def fill(self):
        """Two tables, decisions of both kinds, one taken back, and runs before and after them."""
        sales = self.server.open("sales.toml")["id"]
        first = self.server.protect(sales)["id"]
        self.server.post(f"/api/documents/{sales}/changes", {"cells": [5], "status": "unsafe", "reason": "asked for"})
        self.server.post(f"/api/documents/{sales}/collapse", {"dimension": "product", "code": "B"})
        self.server.post(f"/api/documents/{sales}/changes", {"cells": [2], "cost": "7"})
        self.server.post(f"/api/documents/{sales}/undo", {})
        second = self.server.protect(sales, method="round", base="100")["id"]
        business = self.server.open("business.toml")["id"]
        third = self.server.protect(business)["id"]
        return [sales, business], [first, second, third]

    def exported(self, server, run):
        return server.request("GET", f"/api/runs/{run}/export?what=public&format=csv").body

    def test_it_opens_again_elsewhere_with_the_same_releases(self):
        tables, runs = self.fill()
        self.save()
        with tempfile.TemporaryDirectory() as empty:
            (pathlib.Path(empty) / "day.lacuna").write_bytes((self.folder / "day.lacuna").read_bytes())
            other = self.begin(pathlib.Path(empty))
            opened = other.post("/api/projects", {"file": "day.lacuna"}, 201)
            self.assertEqual(opened["notes"], [])
            self.assertEqual(opened["page"], {"history": [1]})
            self.assertEqual(len(opened["documents"]), 2)
            for run in opened["runs"]:
                other.finish(run)
            for before, after in zip(tables, opened["documents"]):
                one, two = self.server.get(f"/api/documents/{before}"), other.get(f"/api/documents/{after}")
                for key in ("name", "cells", "sensitive", "requirements", "changes", "can_undo", "can_redo", "dimensions"):
                    self.assertEqual(one[key], two[key], key)
            for before, after in zip(runs, opened["runs"]):
                one, two = self.server.get(f"/api/runs/{before}"), other.get(f"/api/runs/{after}")
                for key in ("state", "verdict", "options", "command", "history"):
                    self.assertEqual(one[key], two[key], f"{key}: {two['message']}")
                self.assertEqual(self.exported(self.server, before), self.exported(other, after))
            sales = opened["documents"][0]
            other.post(f"/api/documents/{sales}/redo", {})
            self.assertEqual(len(other.get(f"/api/documents/{sales}")["changes"]), 3)
            other.post(f"/api/documents/{sales}/undo", {})
            other.post(f"/api/documents/{sales}/undo", {})

    def test_the_command_lines_of_the_archive_give_the_same_bytes(self):
        self.fill()
        bytes_ = self.server.request("GET", "/api/project").body
        with tempfile.TemporaryDirectory() as place, zipfile.ZipFile(io.BytesIO(bytes_)) as archive:
            archive.extractall(place)
            record = json.loads((pathlib.Path(place) / "project.json").read_text(encoding="utf-8"))
            runs = [run for document in record["documents"] for run in document["runs"]]
            self.assertEqual(len(runs), 3)
            for run in runs:
                folder = pathlib.Path(place) / "runs" / str(run["id"])
                words = shlex.split((folder / "command.txt").read_text(encoding="utf-8"))
                served.command(LACUNA, folder, *words[1:], "--public", "again.csv", "--quiet")
                self.assertEqual((folder / "again.csv").read_bytes(), (folder / "public.csv").read_bytes(), words)
                self.assertIn(b"<html", (folder / "report.html").read_bytes()[:200])

    def test_an_edited_job_and_uploads_are_inside(self):
        job = self.server.open("sales.toml")["job"]["text"] + '\n[[rule]]\ntype = "frequency"\nn = 8\n'
        document = self.server.post("/api/documents", {"file": "sales.toml", "job": job}, 201)
        self.server.protect(document["id"])
        self.save()
        opened = self.server.post("/api/projects", {"file": "day.lacuna"}, 201)
        again = [self.server.get(f"/api/documents/{k}") for k in opened["documents"]]
        self.assertIn(document["sensitive"], [d["sensitive"] for d in again])
        self.assertEqual([d["job"]["text"] for d in again if d["sensitive"] == document["sensitive"]], [job])

    def test_a_release_that_was_tampered_with_is_not_believed(self):
        document = self.server.open("sales.toml")["id"]
        run = self.server.protect(document)["id"]
        self.save()
        path = self.folder / "day.lacuna"
        name = f"runs/{run}/result.json"
        with zipfile.ZipFile(path) as archive:
            members = {n: archive.read(n) for n in archive.namelist()}
        result = json.loads(members[name])
        withheld = [cell for cell in result["release"] if cell["state"] == "withheld"]
        self.assertGreater(len(withheld), 3)
        result["release"] = withheld[:3]  # the others are published as they are
        members[name] = json.dumps(result).encode()
        with zipfile.ZipFile(path, "w") as archive:
            for each, data in members.items():
                archive.writestr(each, data)
        opened = self.server.post("/api/projects", {"file": "day.lacuna"}, 201)
        last = self.server.finish(opened["runs"][0])
        self.assertEqual(last["state"], "failed", last)
        self.assertEqual(self.server.request("GET", f"/api/runs/{last['id']}/export?what=public&format=csv").status, 422)

    def test_bad_projects_and_names(self):
        self.write("no.lacuna", "this is no archive")
        self.assertTrue(self.fails("/api/projects", {"file": "no.lacuna"})["message"])
        with zipfile.ZipFile(self.folder / "empty.lacuna", "w") as archive:
            archive.writestr("other.txt", "x")
        self.assertIn("project.json", self.fails("/api/projects", {"file": "empty.lacuna"})["message"])
        self.server.open("sales.toml")
        self.fails("/api/project", {"file": "day.zip"})
        self.fails("/api/project", {"file": "../day.lacuna"})
        self.save()
        self.assertEqual(self.server.request("POST", "/api/project", {"file": "day.lacuna"}).status, 409)
        self.save(overwrite=True)

    def test_names_that_lead_out_are_refused(self):
        self.server.open("sales.toml")
        self.save()
        path = self.folder / "day.lacuna"
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("documents/1/../../../out.csv", "x")
        opened = self.server.request("POST", "/api/projects", {"file": "day.lacuna"})
        if opened.status == 201:
            self.assertEqual(opened.json()["documents"], [])
            self.assertTrue(opened.json()["notes"])
        self.assertFalse((self.folder.parent / "out.csv").exists())


class Periods(Case):
    """Jobs over records that name an earlier period, or a store: the page judges with them, as the command line does."""
    ROWS = [(k, branch, 10000 * k + 500) for k, branch in enumerate(["Fishing"] * 3 + ["Trade"] * 3 + ["Crafts"] * 3, 1)]
    MORE = [(10, "Fishing", 9640), *((k, "Trade", 6000 + 100 * k) for k in (11, 12, 13)), *((k, "Crafts", 2100) for k in (14, 15, 16))]
    JOB = ('[input]\nrecords = "{0}.csv"\n[columns]\nvalue = "amount"\nrespondent = "firm"\n[attackers]\nrespondents = false\n'
           '[[dimension]]\nname = "branch"\ntotal = "all"\n[[rule]]\ntype = "frequency"\nn = 3\nrange = 10\n')
    BEFORE = '[[before]]\nname = "April"\ninput = "april.csv"\nrelease = "april_public.csv"\ncumulated = true\n'
    STORE = '[store]\nfolder = "kept"\ncumulated = true\n'

    def setUp(self):
        super().setUp()
        for name, rows in (("april", self.ROWS), ("may", self.ROWS + self.MORE)):
            self.write(name + ".csv", "\n".join(";".join(map(str, row)) for row in [("firm", "branch", "amount"), *rows]) + "\n")
            self.write(name + ".toml", self.JOB.format(name))
        served.command(LACUNA, self.folder, "protect", "april.toml", "--public", "april_public.csv", "--quiet")

    def released(self, more):
        """The public file of May on the page; it is that of the command line, here and from the archive of the run."""
        self.write("may.toml", self.JOB.format("may") + more)
        document = self.server.open("may.toml")
        self.assertGreater(document["requirements"], 0, "the change of Fishing is asked about")
        run = self.server.protect(document["id"])
        self.assertEqual(run["verdict"], "protected", run)
        public = self.server.export(run["id"], "public", "csv")
        served.command(LACUNA, self.folder, "protect", "may.toml", "--public", "same.csv", "--quiet")
        self.assertEqual((self.folder / "same.csv").read_bytes(), public)
        self.assertIn(b"Fishing;;withheld", public)
        archive = zipfile.ZipFile(io.BytesIO(self.server.bytes(f"/api/runs/{run['id']}/export?what=repeat&format=zip")))
        with tempfile.TemporaryDirectory() as name:
            archive.extractall(name)
            line = (pathlib.Path(name) / "command.txt").read_text(encoding="utf-8")
            served.repeat(LACUNA, name, line, "--public", "again.csv", "--quiet")
            self.assertEqual((pathlib.Path(name) / "again.csv").read_bytes(), public)
        return run

    def test_an_earlier_period(self):
        run = self.released(self.BEFORE)
        told = self.server.get(f"/api/runs/{run['id']}/periods")
        self.assertEqual(told["periods"], ["April", "this period"])
        self.assertEqual(next(row["texts"] for row in told["rows"] if row["label"] == "branch=Fishing")[1], "\u00d7")

    def test_a_store(self):
        served.command(LACUNA, self.folder, "store", "kept", "--new")
        self.write("april.toml", self.JOB.format("april") + self.STORE)
        served.command(LACUNA, self.folder, "protect", "april.toml", "--record", "--unasked", "publish", "--quiet")
        self.released(self.STORE)

    def test_what_is_not_there_is_said_when_the_table_is_opened(self):
        self.write("may.toml", self.JOB.format("may") + self.BEFORE.replace("april.csv", "none.csv"))
        error = self.fails("/api/documents", {"file": "may.toml"})
        self.assertIn("none.csv", error["message"] + error["where"])


class Desk(Case):
    ALL = "region,sex,n\nNorth,F,120\nNorth,M,110\nNorth,All,230\nSouth,F,80\nSouth,M,95\nSouth,All,175\nAll,F,200\nAll,M,205\nAll,All,405\n"
    ADULTS = "region,sex,n\nNorth,F,117\nNorth,M,90\nNorth,All,207\nSouth,F,60\nSouth,M,75\nSouth,All,135\nAll,F,177\nAll,M,165\nAll,All,342\n"

    def setUp(self):
        super().setUp()
        self.write("project/all.csv", self.ALL)
        self.write("project/adults.csv", self.ADULTS)
        self.write("project/lacuna-check.toml", '[[table]]\nfile = "adults.csv"\nsubset = "age >= 18"\n')

    def test_as_the_command_says(self):
        told = self.server.post("/api/checks", {"folder": "project"}, 200)
        printed = json.loads(served.command(LACUNA, self.folder, "check", "project", "--json", code=2))
        for key in ("passes", "fail", "review", "pass", "findings", "hold_back", "outputs"):
            self.assertEqual(told[key], printed[key], key)
        self.assertFalse((self.folder / "project.released.log").exists(), "looking writes nothing")

    def test_decisions_are_kept_beside_the_folder(self):
        self.fails("/api/checks", {"folder": "project", "options": {"accept": ["all.csv"]}})
        told = self.server.post("/api/checks", {"folder": "project", "options": {
            "accept": ["all.csv"], "by": "A. Checker", "why": "the total is public already"}}, 200)
        self.assertIn("all.csv", (self.folder / "project.released.log").read_text(encoding="utf-8"))
        self.assertEqual(told["store"], "project.released.log")
        again = self.server.post("/api/checks", {"folder": "project"}, 200)
        self.assertEqual([o["released"] for o in again["outputs"] if o["name"] == "all.csv"], [True])

    def test_no_files_elsewhere(self):
        for name in ("output", "store"):
            self.fails("/api/checks", {"folder": "project", "options": {name: "x.html"}})
        self.fails("/api/checks", {"folder": "../"})
        page = self.server.request("POST", "/api/checks", {"folder": "project", "form": "page"})
        self.assertTrue(page.headers["content-type"].startswith("text/html"))


if __name__ == "__main__":
    unittest.main()
