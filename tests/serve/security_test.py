#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What must be refused by `lacuna serve`, and that it goes on serving afterwards (docs/serve.md, threats).

Every class has one server; after each test it must be alive, and at the end it must have told neither its token nor a
confidential value on standard error, and must have left nothing behind.

  security_test.py LACUNA EXAMPLES_FOLDER [unittest options]
"""
import gzip
import http.client
import json
import lzma
import os
import pathlib
import pty
import re
import select
import shlex
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import warnings

import served

LACUNA, EXAMPLES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
SECRET = "987654321987"  # a value of the table; it may be in no log
CODE = "Geheimcode"      # a code of the table
UPLOAD_MB = 1            # the limit of the server of these tests
GIGABYTE = 1 << 30


def secret_table():
    """A table of one row whose cells are a sensitive value and a rest."""
    return ("region;value;status\n" f"All;{int(SECRET) + 5};s\n{CODE};{SECRET};u\nRest;5;s\n").encode()


def session_request(port, token):
    """The bytes that trade a token."""
    body = json.dumps({"token": token})
    return (f"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Lacuna: 1\r\nConnection: close\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}").encode()


def duckdb_is_there():
    """Whether the program finds DuckDB's library."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "x.parquet"
        path.write_bytes(b"")
        done = subprocess.run([LACUNA, "inspect", path], capture_output=True, text=True, check=False)
    return "DuckDB's library" not in done.stderr


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.outside = pathlib.Path(cls.place.name)
        cls.folder = cls.outside / "served"
        cls.folder.mkdir()
        served.copy_examples(EXAMPLES, cls.folder)
        (cls.folder / "secret.csv").write_bytes(secret_table())
        (cls.outside / "outside.csv").write_bytes(secret_table())
        (cls.folder / ".dot.csv").write_bytes(secret_table())
        (cls.folder / ".dots").mkdir()
        (cls.folder / ".dots" / "inside.csv").write_bytes(secret_table())
        (cls.folder / "link.csv").symlink_to(cls.outside / "outside.csv")
        (cls.folder / "linked").symlink_to(cls.outside)
        os.mkfifo(cls.folder / "pipe.csv")
        (cls.folder / "device.csv").symlink_to("/dev/zero")
        cls.server = served.Server(LACUNA, cls.folder, "--upload-limit", UPLOAD_MB)

    @classmethod
    def tearDownClass(cls):
        try:
            code = cls.server.end(signal.SIGTERM)
            errors = cls.server.errors()
            assert code in (0, -signal.SIGTERM, 128 + signal.SIGTERM), f"exit {code}: {errors}"
            for word in (cls.server.token, cls.server.first_token, SECRET, CODE):
                assert word not in errors, f"standard error holds {word}"
            assert not cls.server.left(), f"left behind: {cls.server.left()}"
        finally:
            cls.server.remove()
            cls.place.cleanup()

    def tearDown(self):
        self.assertTrue(self.server.alive(), "the server must go on")

    def refused(self, answer, *statuses):
        self.assertIn(answer.status, statuses, repr(answer))
        self.assertNotIn(SECRET.encode(), answer.body)
        self.assertNotIn(self.server.token.encode(), answer.body)


class Strangers(Case):
    """Requests that do not come from the page or from someone with the token."""

    def test_no_and_wrong_tokens(self):
        right = self.server.token
        for token in (None, "wrong", right[:-1], right + "x", right[::-1], right.swapcase() + "_", " "):
            self.refused(self.server.request("GET", "/api/about", token=token), 401)
            self.refused(self.server.request("POST", "/api/documents", {"file": "secret.csv"}, token=token), 401)
        for token in ("", "wrong", right[:-1], None, 7, [right], {"a": 1}):
            answer = self.server.request("POST", "/api/session", {"token": token}, token=None)
            self.refused(answer, 400, 401)
            self.assertNotIn("set-cookie", answer.headers)
        # In a place where it would end in logs it does not count.
        self.refused(self.server.request("GET", f"/api/about?token={right}", token=None), 401)

    def test_a_session_of_another_server(self):
        with served.Server(LACUNA, self.folder) as other:
            self.refused(self.server.request("GET", "/api/about", token=other.token), 401)
            token = other.link.split("#")[1]
            self.refused(self.server.request("POST", "/api/session", {"token": token}, token=None), 401)

    def test_a_cookie_is_worth_nothing(self):
        """Browsers send cookies to every port of a machine: whoever reads one there has nothing by it."""
        for cookie in (f"lacuna_{self.server.port}={self.server.token}", f"lacuna-session={self.server.token}",
                       f"Authorization=Bearer {self.server.token}"):
            self.refused(self.server.request("GET", "/api/about", token=None, headers={"Cookie": cookie}), 401)
        for path in ("/", "/app.js", "/api/about"):
            self.assertNotIn("set-cookie", self.server.request("GET", path).headers)

    def test_a_link_that_was_opened_opens_nothing(self):
        """The address stays in the browser's history; what stands there is spent."""
        for token in (self.server.first_token, self.server.first_token.upper()):
            answer = self.server.request("POST", "/api/session", {"token": token}, token=None)
            self.refused(answer, 401)
            self.assertIn("Enter", answer.message)
            self.refused(self.server.request("GET", "/api/about", token=token), 401)

    def test_every_route_asks_for_the_token(self):
        for method, path in (("GET", "/api/about"), ("GET", "/api/files"), ("POST", "/api/uploads?name=a.csv"),
                             ("GET", "/api/documents"), ("GET", "/api/documents/1/page"), ("GET", "/api/runs/1/events"),
                             ("GET", "/api/runs/1/export?what=public&format=csv"), ("POST", "/api/runs/1/export"),
                             ("GET", "/api/options/protect"), ("GET", "/api/nothing"), ("GET", "/api/compare?runs=1")):
            self.refused(self.server.request(method, path, body=b"{}" if method == "POST" else None, token=None), 401)

    def test_every_described_route_asks_for_the_session(self):
        described = self.server.get("/api/openapi.json")["paths"]
        self.assertGreater(len(described), 20)
        for path, methods in described.items():
            for method in methods:
                if path == "/api/session":
                    continue
                body = b"{}" if method == "post" else None
                self.refused(self.server.request(method.upper(), re.sub(r"\{\w+\}", "1", path), body=body, token=None), 401)

    def test_wrong_hosts(self):
        """DNS rebinding: the name in the address bar is a stranger's, the address is ours."""
        port = self.server.port
        for host in ("evil.example", f"evil.example:{port}", f"127.0.0.1:{port + 1}", "127.0.0.1", f"0.0.0.0:{port}",
                     f"localhost.evil.example:{port}", f"127.0.0.1.evil.example:{port}", f"127.0.0.1:{port}@evil", "",
                     f"[::2]:{port}", f"127.0.0.1:{port}, evil.example"):
            for path in ("/api/about", "/", "/app.js"):
                self.refused(self.server.request("GET", path, headers={"Host": host}), 400, 403)
        for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
            self.assertEqual(self.server.request("GET", "/api/about", headers={"Host": host}).status, 200)
        for host in (f"127.1:{port}", f"2130706433:{port}", f"0x7f000001:{port}", f"LOCALHOST.:{port}",
                     f"127.0.0.1.:{port}", f"user@127.0.0.1:{port}", f"127.0.0.1:0{port}", f"[::ffff:127.0.0.1]:{port}"):
            answer = self.server.request("GET", "/api/about", headers={"Host": host,
                                                                       "X-Forwarded-Host": f"127.0.0.1:{port}"})
            self.refused(answer, 400, 403)

    def test_two_hosts_and_none(self):
        head = f"GET /api/about HTTP/1.1\r\nX-Lacuna: 1\r\nAuthorization: Bearer {self.server.token}\r\n"
        good = f"Host: 127.0.0.1:{self.server.port}\r\n"
        self.refused(self.server.raw((head + "\r\n").encode()), 0, 400, 403)
        self.refused(self.server.raw((head + good + "Host: evil.example\r\n\r\n").encode()), 0, 400, 403)
        self.refused(self.server.raw((head + "Host: evil.example\r\n" + good + "\r\n").encode()), 0, 400, 403)
        absolute = head.replace("GET /api", "GET http://evil.example/api")
        self.refused(self.server.raw((absolute + good + "\r\n").encode()), 0, 400, 403, 404)

    def test_foreign_origins(self):
        port = self.server.port
        for origin in ("http://evil.example", "null", f"https://127.0.0.1:{port}", f"http://127.0.0.1:{port + 1}",
                       f"http://127.0.0.1:{port}.evil.example", "http://127.0.0.1", "file://"):
            for method, path in (("GET", "/api/about"), ("POST", "/api/documents"), ("POST", "/api/session")):
                answer = self.server.request(method, path, {"file": "secret.csv"} if method == "POST" else None,
                                             headers={"Origin": origin})
                self.refused(answer, 403)
                self.assertNotIn("access-control-allow-origin", answer.headers)
        self.assertEqual(self.server.request("GET", "/api/about", headers={"Origin": self.server.origin}).status, 200)

    def test_fetch_metadata(self):
        for site in ("cross-site", "same-site", "unknown", "SAME-ORIGIN"):
            self.refused(self.server.request("GET", "/api/about", headers={"Sec-Fetch-Site": site}), 403)
        for site in ("same-origin", "none"):
            self.assertEqual(self.server.request("GET", "/api/about", headers={"Sec-Fetch-Site": site}).status, 200)

    def test_the_header_of_our_own(self):
        """A form or an image of a foreign page cannot send it; asking first (CORS) is never granted."""
        self.refused(self.server.request("GET", "/api/about", mark=False), 403)
        self.refused(self.server.request("POST", "/api/documents", {"file": "secret.csv"}, mark=False), 403)
        answer = self.server.request("OPTIONS", "/api/documents", token=None, mark=False, headers={
            "Origin": "http://evil.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "x-lacuna"})
        self.refused(answer, 403, 404, 405)
        self.assertFalse([name for name in answer.headers if name.startswith("access-control")])

    def test_headers_of_every_answer(self):
        for path in ("/", "/app.js", "/api/about", "/api/nothing", "/nothing"):
            headers = self.server.request("GET", path).headers
            policy = headers["content-security-policy"]
            for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
                         "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"):
                self.assertIn(part, policy, path)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            self.assertEqual(headers["referrer-policy"], "no-referrer")
            self.assertEqual(headers["cross-origin-opener-policy"], "same-origin")
            self.assertEqual(headers["cross-origin-resource-policy"], "same-origin")
            self.assertIn("no-store", headers["cache-control"])


class Climbing(Case):
    """Files outside the folder, by any spelling."""

    NAMES = ("../outside.csv", "linked/outside.csv", "link.csv", "device.csv", "pipe.csv", ".dot.csv",
             ".dots/inside.csv", "sub/../../outside.csv", "./../outside.csv", "..\\outside.csv", "%2e%2e/outside.csv",
             "..%2foutside.csv", "upload:../outside.csv", "upload:1/../../outside.csv", "upload:0/x", "upload:",
             "example:../CMakeLists.txt", "example:../../outside.csv", "example:/etc/passwd", "file:///etc/passwd",
             "/etc/passwd", "/dev/zero", "/proc/self/environ", "secret.csv\0.toml", "", ".", "..", "/", "~/x.csv",
             "\u2025/outside.csv", "a" * 5000 + ".csv")

    def test_documents(self):
        for name in (*self.NAMES, str(self.outside / "outside.csv"), str(self.folder / "secret.csv")):
            if name == str(self.folder / "secret.csv"):
                continue  # below the folder, under its full name: either answer is right
            answer = self.server.request("POST", "/api/documents", {"file": name}, timeout=30)
            self.refused(answer, 400, 403, 404, 422)
            self.assertNotIn(b"root:", answer.body)

    def test_folders(self):
        for name in ("..", "/", "/etc", "linked", ".dots", "../served", "sub/../..", "secret.csv", "\0"):
            answer = self.server.request("GET", "/api/files?folder=" + urllib.parse.quote(name))
            self.refused(answer, 400, 403, 404, 422)
            self.assertNotIn(b"outside.csv", answer.body)
        names = {e["name"] for e in self.server.get("/api/files")["entries"]}
        self.assertFalse({n for n in names if n.startswith(".")})

    def test_jobs_that_name_files_outside(self):
        """A job is text from anywhere: the files that it names are held to the same rule."""
        job = '[input]\ntable = "{}"\n[columns]\nvalue = "value"\nstatus = "status"\n[[dimension]]\nname = "region"\n'
        for name in ("../outside.csv", "link.csv", "linked/outside.csv", str(self.outside / "outside.csv"),
                     "..\\u002foutside.csv", "\\u002e\\u002e/outside.csv", "sub/../../outside.csv",
                     "./" * 300 + "../outside.csv"):
            (self.folder / "climb.toml").write_text(job.format(name), encoding="utf-8")
            spec = {"input": {"table": json.loads(f'"{name}"')}, "columns": {"value": "value", "status": "status"},
                    "dimension": [{"name": "region"}]}  # the same as a value
            for body in ({"file": "climb.toml"}, {"file": "secret.csv", "job": job.format(name)},
                         {"file": "secret.csv", "job": spec}):
                self.refused(self.server.request("POST", "/api/documents", body), 400, 403, 404, 422)
        with_tree = job.format("secret.csv") + 'hierarchy = "../outside.csv"\n'
        self.refused(self.server.request("POST", "/api/documents", {"file": "secret.csv", "job": with_tree}),
                     400, 403, 404, 422)
        uploaded = self.server.upload("climb.toml", job.format(str(self.outside / "outside.csv")).encode())
        self.refused(self.server.request("POST", "/api/documents", {"file": uploaded}), 400, 403, 404, 422)

    def test_every_key_of_a_job_that_names_a_file(self):
        """Outside the folder nothing is read, whatever names it, and nothing is written."""
        far = self.outside / "far_side.csv"
        far.write_text("code;parent\nEast;\n", encoding="utf-8")
        (self.folder / "side.csv").write_text(far.read_text(encoding="utf-8"), encoding="utf-8")
        (self.folder / "rows.csv").write_text("region;value;status\nAll;30;s\nA;10;u\nB;20;s\n", encoding="utf-8")
        before = {p.name: p.read_bytes() for p in self.outside.iterdir() if p.is_file()}
        head = '[input]\ntable = {}\nseparator = ";"\n{}\n[columns]\nvalue = "value"\nstatus = "status"\n'
        side = '[[dimension]]\nname = "region"\ntotal = "All"\n{}\n{}\n'

        def job(table='"rows.csv"', given="", dimension="", more=""):
            return head.format(table, given) + side.format(dimension, more)

        self.assertEqual(self.server.request("POST", "/api/documents", {"file": "rows.csv", "job": job()}).status, 201)
        for name in (str(far), "../far_side.csv", "linked/far_side.csv"):
            named = f'"{name}"'
            for text in (job(table=named), job(table=f'["rows.csv", {named}]'), job(dimension=f"hierarchy = {named}"),
                         job(dimension=f"parents = {named}"), job(dimension=f"correspondence = {named}"),
                         job(given=f"apriori = {named}"), job().replace("table =", "records =").replace('"rows.csv"', named),
                         *(job(more=f"[options]\n{key} = {named}") for key in
                           ("pattern", "released", "known", "prefer", "cells", "ptable", "apriori", "trace", "checkpoint")),
                         job(more=f"[output]\npublic = {named}"), job(more=f"[output]\nresult = {named}")):
                for sent in (text, self.server.post("/api/jobs", {"text": text})["spec"]):
                    answer = self.server.request("POST", "/api/documents", {"file": "rows.csv", "job": sent})
                    self.assertIn(answer.status, (400, 404, 422), sent)
        for key, method in (("prefer", "suppress"), ("cells", "perturb")):  # a file that comes after the job was looked at
            late = self.outside / "late.csv"
            late.unlink(missing_ok=True)
            given = f'[options]\n{key} = "{late}"'
            document = self.server.open("rows.csv", job=job(more=given))["id"]
            late.write_text("region;value;state\nAll;30;published\nA;;withheld\nB;;withheld\n", encoding="utf-8")
            started = self.server.request("POST", f"/api/documents/{document}/runs",
                                          {"command": "protect", "options": {"method": method}})
            if started.status == 202:
                self.assertNotEqual(self.server.finish(started.json()["id"])["state"], "done", key)
            late.unlink()
        after = {p.name: p.read_bytes() for p in self.outside.iterdir() if p.is_file()}
        self.assertEqual(before, after)

    def test_engines_of_jobs(self):
        """DuckDB's library opens what a query, a table or a pattern names: nothing of it outside the folder."""
        records = "region;x\nEast;{}\nEast;3\nRest;5\n"
        (self.outside / "far_records.csv").write_text(records.format(SECRET), encoding="utf-8")
        (self.folder / "near_records.csv").write_text(records.format(4), encoding="utf-8")
        (self.folder / "far_link.csv").symlink_to(self.outside / "far_records.csv")
        far = self.outside / "far_records.csv"
        job = ('[input]\nengine = "duckdb"\ndecimals = 0\nseparator = ";"\n{}\n[columns]\nvalue = "x"\n'
               '[[dimension]]\nname = "region"\n[[rule]]\ntype = "frequency"\nn = 3\n')
        target = self.outside / "written.csv"
        for place in (f'records = "{far}"', 'records = "../far_records.csv"', 'records = "far_link.csv"',
                      'records = ["near_records.csv", "../far_records.csv"]', 'records = "../far_*.csv"',
                      'records = "*_records.csv"', f"from_query = \"SELECT * FROM read_csv('{far}')\"",
                      f'from_table = "{far}"', f'records = "near_records.csv"\ntemporary = "{self.outside}/spill"',
                      f"from_query = \"SELECT 1 AS x) AS t; COPY (SELECT 1) TO '{target}'; SELECT * FROM (SELECT 1\"",
                      'records = "near_records.csv"\naggregates = ".."'):
            (self.folder / "engine.toml").write_text(job.format(place), encoding="utf-8")
            self.refused(self.server.request("POST", "/api/documents", {"file": "engine.toml"}), 400, 403, 404, 422)
            self.assertFalse(target.exists() or (self.outside / "spill").exists(), place)
        if not duckdb_is_there():
            return
        (self.folder / "engine.toml").write_text(job.format('records = "near_records.csv"'), encoding="utf-8")
        answer = self.server.request("POST", "/api/documents", {"file": "engine.toml"})
        self.assertLess(answer.status, 300, repr(answer))  # the same below the folder is right: the test can fail

    def test_jobs_of_tau_argus(self):
        served.write_argus(self.folder)
        text = served.ARGUS["small.arb"]
        (self.outside / "far.csv").write_text(served.ARGUS["small.csv"], encoding="utf-8")
        (self.outside / "far.hrc").write_text("x\ny\n", encoding="utf-8")
        # Beside, in full, in other letters, by backslashes: τ-ARGUS looks for files generously.
        for name in ("../far.csv", str(self.outside / "far.csv"), "../FAR.CSV", "..\\far.csv"):
            (self.folder / "read.arb").write_text(text.replace("small.csv", name), encoding="utf-8")
            self.assertNotEqual(self.state_of_argus("read.arb"), "done", name)
        # A file that a file of the job names.
        (self.folder / "far.rda").write_text(
            served.ARGUS["small.rda"].replace("Col\n<RECODEABLE>", 'Col\n<RECODEABLE>\n<HIERARCHICAL>\n'
                                              '<HIERCODELIST> "../far.hrc"\n<HIERLEADSTRING> "@"'), encoding="utf-8")
        (self.folder / "near.arb").write_text(text.replace("small.rda", "far.rda"), encoding="utf-8")
        self.assertNotEqual(self.state_of_argus("near.arb"), "done")
        shutil.copy(self.outside / "far.hrc", self.folder)  # the same below the folder is right: the test can fail
        (self.folder / "far.rda").write_text(
            (self.folder / "far.rda").read_text(encoding="utf-8").replace("../far.hrc", "far.hrc"), encoding="utf-8")
        self.assertEqual(self.state_of_argus("near.arb"), "done")
        for command in ('<OPENMETADATA> "../small.rda"', '<OPENMICRODATA> "../far.csv"', '<APRIORI> "../far.csv",1,";"',
                        '<LOGBOOK> "../written.log"'):
            shutil.copy(self.folder / "small.rda", self.outside / "small.rda")
            (self.folder / "more.arb").write_text(command + "\n" + text, encoding="utf-8")
            self.state_of_argus("more.arb")
            self.assertFalse((self.outside / "written.log").exists(), command)
            if "LOGBOOK" not in command:
                self.assertNotEqual(self.state_of_argus("more.arb"), "done", command)
        for target in ("../written.csv", str(self.outside / "written.csv")):
            (self.folder / "write.arb").write_text(text.replace("small_out.csv", target), encoding="utf-8")
            self.state_of_argus("write.arb")
            self.assertFalse((self.outside / "written.csv").exists(), target)

    def state_of_argus(self, file):
        """How a job ends, or that it is refused before."""
        answer = self.server.request("POST", "/api/documents", {"file": file})
        if answer.status != 201:
            return f"refused: {answer.message}"
        answer = self.server.request("POST", f"/api/documents/{answer.json()['id']}/runs",
                                     {"command": "argus", "options": {}})
        return self.server.finish(answer.json()["id"])["state"] if answer.status == 202 else "refused"

    def test_uploads_have_plain_names(self):
        for name in ("../x.csv", "a/b.csv", "/tmp/x.csv", "..", ".", "", ".dot.csv", "x\0.csv", "n" * 400):
            answer = self.server.request("POST", "/api/uploads?name=" + urllib.parse.quote(name, safe=""), body=b"a;b\n")
            self.refused(answer, 400, 403, 422)
        for into in ("../..", "-1", "999", "x"):
            answer = self.server.request("POST", "/api/uploads?name=a.csv&into=" + urllib.parse.quote(into), body=b"a\n")
            self.refused(answer, 400, 403, 404, 422)
        self.server.upload("plain.csv", b"a;b\n")
        folders = [p for p in pathlib.Path(self.server.scratch).rglob("*") if p.is_dir()]
        self.assertTrue(folders)
        for path in folders:  # the outermost ones; nobody else can look below them
            if path.parent == pathlib.Path(self.server.scratch):
                self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o700, path)

    def test_exports_stay_below(self):
        run = self.server.protect(self.server.open("sales.toml")["id"])["id"]
        path = f"/api/runs/{run}/export"
        before = sorted(p.name for p in self.outside.iterdir())
        for name in ("../written.csv", str(self.outside / "written.csv"), "linked/written.csv", ".written.csv",
                     ".dots/written.csv", "link.csv", "device.csv", "sub/../../written.csv", "", "upload:1/x.csv",
                     "example:sales.csv"):
            for overwrite in (False, True):
                answer = self.server.request("POST", path, {"what": "public", "format": "csv", "file": name,
                                                            "overwrite": overwrite}, timeout=30)
                self.refused(answer, 400, 403, 404, 409, 422)
        self.assertEqual(sorted(p.name for p in self.outside.iterdir()), before)
        self.assertEqual((self.outside / "outside.csv").read_bytes(), secret_table())

    JOB = ('[input]\ntable = "{table}"\nseparator = ";"\n[columns]\nvalue = "value"\nstatus = "status"\n'
           '[[dimension]]\nname = "region"\ntotal = "All"\n[options]\n{line}\n')

    def test_jobs_that_write(self):
        """What a job says of a run writes no file, wherever the job comes from and whenever the file appears."""
        far, victim = self.outside / "far.bin", self.folder / "victim.csv"
        victim.write_text("mine", encoding="utf-8")
        (self.folder / "dangling.csv").symlink_to(self.outside / "dangled.csv")
        before = sorted(p.name for p in self.outside.iterdir())
        for key in ("trace", "checkpoint"):
            for target in (far, victim, "victim.csv", "dangling.csv", "../written.csv", "new.csv", "/dev/stdout"):
                job = self.JOB.format(table="secret.csv", line=f'{key} = "{target}"')
                (self.folder / "writes.toml").write_text(job, encoding="utf-8")
                sent = self.server.upload("writes.toml", job.encode())
                self.server.upload("secret.csv", secret_table(), into=sent.split(":")[1].split("/")[0])
                spec = self.server.post("/api/jobs", {"text": job})["spec"]
                for body in ({"file": "writes.toml"}, {"file": sent}, {"file": "secret.csv", "job": job},
                             {"file": "secret.csv", "job": spec}):
                    answer = self.server.request("POST", "/api/documents", body)
                    self.assertEqual(answer.status, 422, answer)
                    self.assertIn(f"'{key}' in [options] writes a file", answer.message)
                    line = 14 if isinstance(body.get("job"), dict) else 11  # our text has lines between sections
                    self.assertEqual(answer.json()["error"]["line"], line, answer)
            document = self.server.open("secret.csv")["id"]
            answer = self.server.request("POST", f"/api/documents/{document}/runs",
                                         {"command": "protect", "options": {key: "new.csv"}})
            self.refused(answer, 422)
        self.assertEqual(victim.read_text(encoding="utf-8"), "mine")
        self.assertFalse((self.folder / "new.csv").exists())
        self.assertEqual(sorted(p.name for p in self.outside.iterdir()), before)
        good = self.JOB.format(table="secret.csv", line='effort = "fast"')  # the same job without is right
        self.assertEqual(self.server.protect(self.server.open("secret.csv", job=good)["id"])["state"], "done")

    def test_exports_follow_no_link(self):
        run = self.server.protect(self.server.open("sales.toml")["id"])["id"]
        (self.folder / "own.csv").write_text("mine", encoding="utf-8")
        (self.folder / "inner").mkdir(exist_ok=True)
        for name, target in (("dang.csv", self.outside / "via_export.csv"), ("dang2.csv", "../via_export.csv"),
                             ("loop.csv", "loop.csv"), ("within.csv", "own.csv"), ("inner/up.csv", "../own.csv")):
            (self.folder / name).symlink_to(target)
            for overwrite in (False, True):
                answer = self.server.request("POST", f"/api/runs/{run}/export", {
                    "what": "public", "format": "csv", "file": name, "overwrite": overwrite})
                self.refused(answer, 422)
                self.assertIn("link", answer.message)
            self.assertTrue((self.folder / name).is_symlink())
        self.assertFalse((self.outside / "via_export.csv").exists())
        self.assertEqual((self.folder / "own.csv").read_text(encoding="utf-8"), "mine")
        answer = self.server.request("POST", f"/api/runs/{run}/export", {
            "what": "public", "format": "csv", "file": "inner/plain.csv"})
        self.assertEqual(answer.status, 201, answer)
        self.assertEqual([p for p in (self.folder / "inner").iterdir() if p.name.startswith(".")], [], "no rest")

    def test_exports_have_the_ending_of_what_they_are(self):
        run = self.server.protect(self.server.open("sales.toml")["id"])["id"]
        for name in ("e.sh", "e.html", "e", "e.csv.exe", "e.json", "e.csv/", "e.desktop", ".csv"):
            answer = self.server.request("POST", f"/api/runs/{run}/export",
                                         {"what": "public", "format": "csv", "file": name})
            self.refused(answer, 422)
            self.assertFalse((self.folder / name.rstrip("/")).exists())
        for what, form, name in (("public", "csv", "e.csv"), ("public", "csv", "packed.csv.gz"), ("report", "html", "e.html"),
                                 ("public", "sdmx.csv", "e.sdmx.csv"), ("certificate", "json", "e.json")):
            answer = self.server.request("POST", f"/api/runs/{run}/export", {"what": what, "format": form, "file": name})
            self.assertEqual(answer.status, 201, answer)
        self.assertEqual(gzip.decompress((self.folder / "packed.csv.gz").read_bytes()), (self.folder / "e.csv").read_bytes())

    def test_names_of_downloads_and_command_lines(self):
        """A name that a stranger chose is data in a header and in a shell."""
        name = "a'b\";$(touch x);`id` é.csv"
        (self.folder / name).write_bytes(secret_table())
        document = self.server.open(name)
        words = shlex.split(document["command_line"])
        self.assertEqual(words[:2], ["lacuna", "protect"])
        self.assertTrue(any(word in (name, name.replace(".csv", ".toml")) for word in words), words)
        run = self.server.protect(document["id"])["id"]
        answer = self.server.request("GET", f"/api/runs/{run}/export?what=public&format=csv")
        self.assertRegex(answer.headers["content-disposition"], r'^attachment; filename="[A-Za-z0-9._-]+"$')

    def uploads(self):
        """The files that were sent and are still there."""
        return sorted(p.name for p in pathlib.Path(self.server.scratch).rglob("uploads/*/*"))

    def test_uploads_go_with_their_table(self):
        for document in self.server.get("/api/documents"):
            self.server.request("DELETE", f"/api/documents/{document['id']}")
        self.server.open("sales.toml")  # and with it the form of what was refused
        self.assertEqual([n for n in self.uploads() if n.startswith("kept")], [])
        file = self.server.upload("kept.csv", secret_table())
        document = self.server.open(file)["id"]
        released = self.server.upload("kept_released.csv", b"region;value\nAll;9\n")
        self.server.request("POST", f"/api/documents/{document}/runs", {"command": "audit",
                                                                        "options": {"pattern": released}})
        preview = self.server.open(file, job=self.JOB.format(table="kept.csv", line=""))["id"]
        self.server.request("DELETE", f"/api/documents/{preview}?upload=keep")
        self.assertIn("kept.csv", self.uploads())
        self.assertEqual(self.server.request("DELETE", f"/api/documents/{document}").status, 204)
        limit = time.monotonic() + served.WAIT  # a run may be at its end
        while [n for n in self.uploads() if n.startswith("kept")] and time.monotonic() < limit:
            time.sleep(0.05)
        self.assertEqual([n for n in self.uploads() if n.startswith("kept")], [])
        answer = self.server.request("POST", "/api/documents", {"file": file})
        self.refused(answer, 422)
        self.assertIn("was removed together with its table", answer.message)

    def test_uploads_that_were_read_go(self):
        document = self.server.open("sales.toml")["id"]
        for text in (b"A3,East,s\n", b"nonsense\n"):
            file = self.server.upload("by_hand.csv", text)
            self.server.request("POST", f"/api/documents/{document}/apriori", {"file": file})
            self.assertNotIn("by_hand.csv", self.uploads())

    def test_refused_uploads_go(self):
        empty = self.server.upload("nothing.csv", b"")
        self.refused(self.server.request("POST", "/api/documents", {"file": empty}), 422)
        self.assertNotIn("nothing.csv", self.uploads(), "there is nothing to correct")
        first = self.server.upload("first.csv", b"region;value\nA;1x\n")
        self.refused(self.server.request("POST", "/api/documents", {"file": first}), 422)
        self.assertIn("first.csv", self.uploads(), "the form may correct it")
        self.server.open("sales.toml")
        self.assertNotIn("first.csv", self.uploads())

    def test_names_that_deceive(self):
        for name in ("a\nb.csv", "a\rb.csv", "a\tb.csv", "\x1b[2J.csv", "\u202evsc.exe.csv", "a\u2066b.csv", "a\u200fb.csv",
                     "a\u2028b.csv", "a\x7f.csv"):
            answer = self.server.request("POST", "/api/uploads?name=" + urllib.parse.quote(name, safe=""), body=b"a;b\n")
            self.refused(answer, 400, 422)
        answer = self.server.request("POST", "/api/uploads?name=%ff.csv", body=b"a;b\n")
        self.refused(answer, 400, 422)
        run = self.server.protect(self.server.open("sales.toml")["id"])["id"]
        for name in ("a\nb.csv", "\u202evsc.csv"):
            answer = self.server.request("POST", f"/api/runs/{run}/export", {"what": "public", "format": "csv", "file": name})
            self.refused(answer, 422)
        (self.folder / "un\u202eseen.csv").write_bytes(b"a;b\n")
        self.assertNotIn("un\u202eseen.csv", [e["name"] for e in self.server.get("/api/files")["entries"]])
        self.server.upload(urllib.parse.quote("été 東京.csv"), secret_table())  # other letters are right

    def test_an_existing_file_needs_consent(self):
        run = self.server.protect(self.server.open("sales.toml")["id"])["id"]
        (self.folder / "mine.csv").write_text("mine", encoding="utf-8")
        for consent in ({}, {"overwrite": False}, {"overwrite": "true"}, {"overwrite": 1}):
            answer = self.server.request("POST", f"/api/runs/{run}/export",
                                         {"what": "public", "format": "csv", "file": "mine.csv", **consent})
            self.refused(answer, 400, 409)
            self.assertEqual((self.folder / "mine.csv").read_text(encoding="utf-8"), "mine")

    def test_assets(self):
        for path in ("/../CMakeLists.txt", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd",
                     "/shared/../../README.md", "/examples/../../x", "/.git/config", "/app.js/", "/app.js%00.css",
                     "/" + "a/" * 2000):
            head = (f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nConnection: close\r\n\r\n")
            self.refused(self.server.raw(head.encode()), 400, 403, 404, 414)


class Floods(Case):
    """Too much, too slow, too deep."""

    def head(self, path, *lines, method="POST"):
        return "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.server.port}", "X-Lacuna: 1",
                            f"Authorization: Bearer {self.server.token}", *lines, "", ""]).encode()

    def test_a_gigabyte_by_its_length_alone(self):
        answer = self.server.raw(self.head("/api/uploads?name=big.csv", f"Content-Length: {GIGABYTE}"))
        self.refused(answer, 413)
        for path in ("/api/documents", "/api/session"):
            self.refused(self.server.raw(self.head(path, f"Content-Length: {GIGABYTE}")), 413)
        self.refused(self.server.raw(self.head("/api/documents", "Content-Length: 99999999999999999999999")), 0, 400, 413)
        self.refused(self.server.raw(self.head("/api/documents", "Content-Length: -1")), 0, 400)

    def streamed(self, head, piece, rounds):
        """Sends until the server has had enough; how many bytes went out, and the answer."""
        sent = 0
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=served.WAIT) as connection:
            try:
                connection.sendall(head)
                for _ in range(rounds):
                    connection.sendall(piece)
                    sent += len(piece)
            except (BrokenPipeError, ConnectionResetError):
                pass
            return sent, served.read_answer(connection)

    def test_a_gigabyte_streamed(self):
        block = b"x" * 65536
        for head, piece in ((self.head("/api/uploads?name=big.csv", f"Content-Length: {GIGABYTE}"), block),
                            (self.head("/api/uploads?name=big.csv", "Transfer-Encoding: chunked"),
                             b"10000\r\n" + block + b"\r\n")):
            sent, answer = self.streamed(head, piece, GIGABYTE // 65536)
            self.refused(answer, 0, 413)
            self.assertLess(sent, 64 << 20, "refused early")
        held = sum(p.stat().st_size for p in pathlib.Path(self.server.scratch).rglob("*") if p.is_file())
        self.assertLess(held, 2 << 20, "nothing of it is kept")

    def test_the_limit_itself(self):
        self.server.upload("fits.csv", b"x" * ((UPLOAD_MB << 20) - 4096))
        answer = self.server.request("POST", "/api/uploads?name=over.csv", body=b"x" * ((UPLOAD_MB << 20) + 4096))
        self.refused(answer, 413)

    def test_huge_headers(self):
        for lines in (["X-Long: " + "a" * 100_000], [f"X-{k}: {k}" for k in range(5000)],
                      ["Cookie: " + "; ".join(f"a{k}={k}" for k in range(4000))]):
            self.refused(self.server.raw(self.head("/api/about", *lines, method="GET")), 0, 431)
        self.refused(self.server.raw(b"GET /" + b"a" * 1_000_000 + b" HTTP/1.1\r\n\r\n"), 0, 400, 414, 431)

    def test_what_is_no_http(self):
        for data in (b"\x00" * 100, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 200, b"hello\r\n\r\n",
                     b"GET / HTTP/9.9\r\n\r\n", b"GET /\r\n\r\n", b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
                     b"GET / HTTP/1.1\r\n x: folded\r\n\r\n"):
            answer = self.server.raw(data + b"\r\n\r\n")
            self.refused(answer, 0, 400, 403, 431, 505)

    def test_two_lengths(self):
        """What a proxy could read in another way is not read at all."""
        for lines in (["Content-Length: 2", "Content-Length: 9"], ["Content-Length: 2", "Transfer-Encoding: chunked"]):
            self.refused(self.server.raw(self.head("/api/documents", *lines) + b"{}"), 0, 400, 401, 422)

    def test_slow_senders_block_nobody(self):
        """Connections that never finish a request; others are served meanwhile."""
        slow = []
        try:
            for _ in range(8):
                connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=served.WAIT)
                connection.sendall(b"GET /api/about HTTP/1.1\r\nHost: 127")
                slow.append(connection)
            half = socket.create_connection(("127.0.0.1", self.server.port), timeout=served.WAIT)
            half.sendall(self.head("/api/documents", "Content-Length: 1000") + b'{"file"')
            slow.append(half)
            for _ in range(5):
                self.assertEqual(self.server.request("GET", "/api/about", timeout=30).status, 200)
        finally:
            for connection in slow:
                connection.close()

    def test_strangers_do_not_shut_the_page_out(self):
        """Whoever has no session can open as many connections as they like: the page is served meanwhile."""
        kept = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=served.WAIT)
        said = {"X-Lacuna": "1", "Authorization": f"Bearer {self.server.token}"}
        kept.request("GET", "/api/about", headers=said)
        self.assertEqual((kept.getresponse().read() or b"")[:1], b"{")
        slow = []
        starts = (b"", b"GET / HTTP/1.1\r\nHost: 127", b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ",
                  f"POST /api/session HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\nX-Lacuna: 1\r\n"
                  "Content-Length: 4000\r\n\r\n{".encode())
        try:
            for k in range(240):
                connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=served.WAIT)
                slow.append(connection)
                connection.sendall(starts[k % len(starts)])
            for _ in range(20):  # one after the other, each at the first try
                self.assertEqual(self.server.request("GET", "/api/about").status, 200)
                self.assertEqual(self.server.request("GET", "/app.js", token=None, mark=False).status, 200)
            sock = kept.sock
            kept.request("GET", "/api/about", headers=said)
            self.assertEqual(kept.getresponse().status, 200)
            self.assertIs(kept.sock, sock, "whoever has the session keeps the connection")
        finally:
            kept.close()
            for connection in slow:
                connection.close()

    def test_a_stranger_sends_little(self):
        self.refused(self.server.raw(self.head("/api/session", "Content-Length: 5000")), 413)

    def test_packed_files_that_grow(self):
        """A few kilobytes that unpack to more than the limit of uploads, as a table and as records."""
        huge = b"region;value;status\n" + b"A;1;s\n" * (UPLOAD_MB << 20)
        for name, packed in (("bomb.csv.gz", gzip.compress(huge)), ("bomb.csv.xz", lzma.compress(huge, preset=0))):
            self.assertLess(len(packed), 100_000)
            file = self.server.upload(name, packed)
            answer = self.server.request("POST", "/api/documents", {"file": file})
            self.refused(answer, 422)
            self.assertIn(f"unpacks to more than {UPLOAD_MB} megabytes", answer.message)
            self.assertIn("--upload-limit", answer.message)
            job = (f'[input]\nrecords = "{name}"\nseparator = ";"\n[columns]\nvalue = "value"\n'
                   '[[dimension]]\nname = "region"\n[[rule]]\ntype = "frequency"\nn = 3\n')
            number = self.server.upload(name, packed).split(":")[1].split("/")[0]
            records = self.server.upload("bomb.toml", job.encode(), into=number)
            answer = self.server.request("POST", "/api/documents", {"file": records})
            self.refused(answer, 422)
            self.assertIn("unpacks to more than", answer.message)
        small = self.server.upload("small.csv.gz", gzip.compress(secret_table()))
        self.assertEqual(self.server.open(small)["cells"], 3)

    def test_folded_headers(self):
        """A header over two lines is one thing to a proxy and another to a server."""
        for lines in (["X-A: 1\r\n X-B: 2"], ["X-A: 1\r\n\tmore"], ["X-A:\r\n 1"]):
            answer = self.server.raw(self.head("/api/about", *lines, "Connection: close", method="GET"))
            self.refused(answer, 400)
        answer = self.server.raw(self.head("/api/about", "X-A: 1", "Connection: close", method="GET"))
        self.assertEqual(answer.status, 200)

    def test_requests_behind_each_other(self):
        """What is sent behind a body that was refused is not read as a request."""
        port = self.server.port
        inner = f"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
        for first in (self.head("/api/nothing", f"Content-Length: {len(inner)}"),
                      self.head("/api/about", "Content-Length: 9, 9", method="GET"),
                      self.head("/api/documents", "Content-Length: +5"),
                      self.head("/api/documents", "Transfer-Encoding: chunked, identity"),
                      self.head("/api/documents", "Content-Length : 5")):
            with socket.create_connection(("127.0.0.1", port), timeout=served.WAIT) as connection:
                connection.sendall(first + inner.encode())
                data = b""
                try:
                    while part := connection.recv(65536):
                        data += part
                except ConnectionResetError:
                    pass
            self.assertLessEqual(data.count(b"HTTP/1.1 "), 1, data)
            self.assertNotIn(b"HTTP/1.1 2", data)

    def test_many_connections(self):
        idle = []
        try:
            for _ in range(300):
                try:
                    idle.append(socket.create_connection(("127.0.0.1", self.server.port), timeout=10))
                except OSError:
                    break
        finally:
            for connection in idle:
                connection.close()
        limit = time.monotonic() + served.WAIT
        while time.monotonic() < limit:
            try:
                if self.server.request("GET", "/api/about", timeout=10).status == 200:
                    return
            except OSError:
                time.sleep(0.1)
        self.fail("the server does not answer any more")

    def test_malformed_json(self):
        for text in (b"", b"{", b"[", b"nul", b'{"file":}', b'{"file":"a" "b"}', b"\xff\xfe", b'{"file":"\xff"}',
                     b'{"file":1e999}', b'"text"', b"7", b"null", b"[]", b'{"a":1,}', b"{}x", b"// {}",
                     b'{"file":"sales.toml"', b"[" * 100_000, b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
                     b"[" * 50_000 + b"]" * 50_000, b'{"file":"' + b"a" * 500_000 + b'"}'):
            for path in ("/api/documents", "/api/session"):
                answer = self.server.request("POST", path, body=text)
                self.refused(answer, 400, 401, 404, 413, 422)
                self.assertTrue(answer.message, (text[:40], answer))

    def test_wrong_types(self):
        document = self.server.open("sales.toml")["id"]
        for path, body in (("/api/documents", {"file": 7}), ("/api/documents", {"file": ["sales.toml"]}),
                           ("/api/documents", {"file": "sales.toml", "job": 7}),
                           (f"/api/documents/{document}/changes", {"cells": "all", "status": "safe"}),
                           (f"/api/documents/{document}/changes", {"cells": [1.5], "status": "safe"}),
                           (f"/api/documents/{document}/changes", {"cells": [-1], "status": "safe"}),
                           (f"/api/documents/{document}/changes", {"cells": [1 << 70], "status": "safe"}),
                           (f"/api/documents/{document}/changes", {"cells": [1], "cost": "nan"}),
                           (f"/api/documents/{document}/changes", {"cells": [1], "cost": "1" * 400}),
                           (f"/api/documents/{document}/runs", {"command": 7}),
                           (f"/api/documents/{document}/runs", {"command": "protect", "options": []}),
                           (f"/api/documents/{document}/runs", {"command": "protect", "options": {"method": {}}}),
                           (f"/api/documents/{document}/collapse", {"dimension": 0, "code": None})):
            answer = self.server.request("POST", path, body)
            self.refused(answer, 400, 404, 422)
            self.assertTrue(answer.message)
        for path in ("/api/documents/99999999999999999999", "/api/documents/1e3", "/api/documents/%31x", "/api/runs/-1",
                     "/api/compare?runs=1,,2", "/api/compare?runs=x", "/api/documents/%ff"):
            self.refused(self.server.request("GET", path), 400, 404, 422)

    def test_wrong_methods(self):
        for method in ("PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "HEAD", "OPTIONS"):
            for path in ("/api/about", "/api/session"):
                answer = self.server.raw(self.head(path, "Connection: close", method=method))
                self.refused(answer, 400, 403, 405, 501)

    def test_a_table_that_is_small_on_the_disk_and_huge_in_memory(self):
        job = b'[input]\ntable = "secret.csv"\n[columns]\nvalue = "value"\n' + b"".join(
            b'[[dimension]]\nname = "d%d"\n' % k for k in range(3000))
        file = self.server.upload("wide.toml", job)
        self.refused(self.server.request("POST", "/api/documents", {"file": file}), 400, 404, 422)


class Logs(Case):
    """Standard error has routes and counts (tearDownClass looks for what may not be there)."""

    def test_a_course_with_confidential_values(self):
        document = self.server.open("secret.csv")
        path = f"/api/documents/{document['id']}"
        self.server.get(path + "/page")
        self.assertIn(SECRET, [self.server.get(f"{path}/cells/{c}")["value"] for c in range(document["cells"])])
        run = self.server.protect(document["id"])
        self.server.request("GET", f"/api/runs/{run['id']}/export?what=office&format=json")
        broken = secret_table().replace(b"Rest;5", b"Rest;" + SECRET.encode() + b"x")
        answer = self.server.request("POST", "/api/documents", {"file": self.server.upload("broken.csv", broken)})
        self.assertIn(answer.status, (201, 422))


class Ends(unittest.TestCase):
    """How it ends, and what is left: nothing."""

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        served.copy_examples(EXAMPLES, self.place.name)

    def tearDown(self):
        self.place.cleanup()

    def test_nothing_is_left(self):
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            server = served.Server(LACUNA, self.place.name)
            try:
                server.upload("sales.csv", secret_table())
                run = server.start(server.open("linked.toml")["id"], effort="best")["id"]
                server.get(f"/api/runs/{run}")
                self.assertTrue(server.left(), "the upload is somewhere")
                code = server.end(how)
                self.assertIn(code, (0, -how, 128 + how), server.errors())
                self.assertEqual(server.left(), [], how)
            finally:
                server.remove()

    def test_nothing_survives_a_restart(self):
        with served.Server(LACUNA, self.place.name) as first:
            unused, session, port = first.link.split("#")[1], first.token, first.port
        with served.Server(LACUNA, self.place.name, "--port", port) as second:
            self.assertEqual(second.port, port)
            self.assertEqual(second.request("GET", "/api/about", token=session).status, 401)
            self.assertEqual(second.request("POST", "/api/session", {"token": unused}, token=None).status, 401)

    def test_enter_prints_another_link(self):
        """At the terminal; each link opens one window."""
        child, terminal = pty.fork()
        if child == 0:
            os.execv(LACUNA, [LACUNA, "serve", self.place.name, "--no-open"])
        try:
            said = b""
            links = []
            limit = time.monotonic() + served.WAIT
            while len(links) < 3 and time.monotonic() < limit:
                ready, _, _ = select.select([terminal], [], [], 1)
                said += os.read(terminal, 65536) if ready else b""
                found = re.findall(rb"http://127\.0\.0\.1:\d+/#[0-9a-f]{64}", said)
                if len(found) > len(links) and b"Ctrl-C" in said:
                    links = found
                    os.write(terminal, b"\n")
            self.assertEqual(len(set(links[:3])), 3, said)
            port = int(re.search(rb":(\d+)/", links[0]).group(1))
            for link, status in ((links[1], 200), (links[0], 200), (links[1], 401)):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=served.WAIT)
                connection.request("POST", "/api/session", body=json.dumps({"token": link.split(b"#")[1].decode()}),
                                   headers={"X-Lacuna": "1"})
                self.assertEqual(connection.getresponse().status, status)
                connection.close()
        finally:
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)
            os.close(terminal)

    def test_the_token_is_in_no_command_line(self):
        with served.Server(LACUNA, self.place.name) as server:
            words = pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
            self.assertNotIn(server.first_token.encode(), words)
            self.assertNotIn(server.token.encode(), words)

    def test_the_browser_gets_the_link_by_a_file_of_the_user(self):
        """What opens the browser may stay (some are the browser itself); the server does not wait for it."""
        where = pathlib.Path(self.place.name)
        (where / "bin").mkdir()
        opener = where / "bin" / "xdg-open"
        opener.write_text('#!/bin/sh\necho "$@" > "$OPENED.part"\nmv "$OPENED.part" "$OPENED"\nexec sleep 15\n',
                          encoding="utf-8")
        opener.chmod(0o755)
        (where / "tmp").mkdir()
        process = subprocess.Popen(
            [LACUNA, "serve", self.place.name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={
                **os.environ, "PATH": f"{where / 'bin'}:{os.environ['PATH']}", "OPENED": str(where / "opened"),
                "TMPDIR": str(where / "tmp")})
        try:
            limit = time.monotonic() + served.WAIT
            while not (where / "opened").exists():
                self.assertLess(time.monotonic(), limit)
                time.sleep(0.05)
            words = (where / "opened").read_text(encoding="utf-8").strip()
            page = pathlib.Path(words.removeprefix("file://"))
            self.assertEqual(stat.S_IMODE(page.stat().st_mode), 0o600)
            link = re.search(r"http://127\.0\.0\.1:(\d+)/#([0-9a-f]{64})", page.read_text(encoding="utf-8"))
            self.assertNotIn(link.group(2), words)
            with socket.create_connection(("127.0.0.1", int(link.group(1))), timeout=served.WAIT) as connection:
                connection.sendall(session_request(link.group(1), link.group(2)))
                self.assertEqual(served.read_answer(connection).status, 200)
        finally:
            process.terminate()
            process.wait(served.WAIT)
            process.stdout.close()
        self.assertEqual(list((where / "tmp").iterdir()), [])

    def test_loopback_alone(self):
        """No other address of this machine answers."""
        with served.Server(LACUNA, self.place.name) as server:
            addresses = {a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
            for address in addresses - {"127.0.0.1"}:
                if address.startswith("127."):
                    continue
                with self.assertRaises(OSError):
                    socket.create_connection((address, server.port), timeout=5).close()

    def test_other_names_of_this_machine(self):
        """A link leads to the address that was asked for, and that address is answered."""
        for address, host in (("127.0.0.2", "127.0.0.2"), ("::1", "[::1]"), ("localhost", "127.0.0.1")):
            try:
                family = socket.AF_INET6 if ":" in address else socket.AF_INET
                with socket.socket(family) as probe:
                    probe.bind((address, 0))
            except OSError:
                continue  # this machine has no such address
            with served.Server(LACUNA, self.place.name, "--bind", address) as server:
                self.assertEqual(server.host, host)
                self.assertEqual(server.request("GET", "/", token=None, mark=False).status, 200)
                self.assertEqual(server.get("/api/about")["running"], 0)
                self.assertTrue(server.link.startswith(f"http://{host}:{server.port}/#"))
                self.assertEqual(server.request("GET", "/api/about", headers={"Origin": server.origin}).status, 200)

    def test_a_tunnel_with_another_port(self):
        """Whoever opens the page through a tunnel whose ends differ reads what to do."""
        with served.Server(LACUNA, self.place.name) as server:
            for host in ("127.0.0.1:9", "localhost:9", "127.0.0.1"):
                answer = server.request("GET", "/", token=None, mark=False, headers={"Host": host})
                self.assertEqual(answer.status, 403)
                self.assertTrue(answer.headers["content-type"].startswith("text/html"), answer.headers)
                self.assertIn(f"ssh -L {server.port}:127.0.0.1:{server.port}", answer.body.decode())
                self.assertIn("ssh -L", server.request("GET", "/api/about", headers={"Host": host}).message)
            answer = server.request("GET", "/", token=None, mark=False, headers={"Host": "evil.example:9"})
            self.assertEqual(answer.message, "this server does not have that name")

    def start(self, *arguments):
        return subprocess.run([LACUNA, "serve", self.place.name, "--no-open", *arguments], capture_output=True,
                              text=True, check=False, timeout=served.WAIT)

    def test_beyond_loopback_asks_for_tls(self):
        certificate = pathlib.Path(self.place.name) / "c.pem"
        for arguments in (["--bind", "0.0.0.0"], ["--bind", "::"], ["--bind", "192.0.2.1"],
                          ["--bind", "0.0.0.0", "--tls-certificate", "missing.pem", "--tls-key", "missing.key"],
                          ["--bind", "0.0.0.0", "--tls-certificate", str(certificate)], ["--port", "99999999"],
                          ["--port", "x"], ["--upload-limit", "-1"]):
            done = self.start(*arguments)
            self.assertEqual(done.returncode, 1, (arguments, done))
            self.assertEqual(done.stdout, "")
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_a_folder_that_is_not_there(self):
        done = subprocess.run([LACUNA, "serve", self.place.name + "/nowhere", "--no-open"], capture_output=True,
                              text=True, check=False, timeout=served.WAIT)
        self.assertEqual((done.returncode, done.stdout), (1, ""))

    def test_a_port_that_is_taken(self):
        with served.Server(LACUNA, self.place.name) as server:
            done = self.start("--port", str(server.port))
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertTrue(server.alive())

    def test_tls(self):
        """Beyond loopback with a certificate, where openssl can make one and the program has TLS."""
        if not shutil.which("openssl"):
            self.skipTest("there is no openssl here")
        where = pathlib.Path(self.place.name)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", where / "k.pem", "-out", where / "c.pem"],
                       check=True, capture_output=True)
        process = subprocess.Popen([LACUNA, "serve", self.place.name, "--no-open", "--bind", "0.0.0.0",
                                    "--tls-certificate", where / "c.pem", "--tls-key", where / "k.pem"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            link = process.stdout.readline().strip()
            if not link:
                self.assertEqual(process.wait(served.WAIT), 1)
                message = process.stderr.read()
                self.assertIn("TLS", message)
                self.skipTest("this program has no TLS: " + message.strip())
            self.assertTrue(link.startswith("https://"), link)
            parts = urllib.parse.urlsplit(link)
            context = ssl.create_default_context(cafile=str(where / "c.pem"))
            with socket.create_connection(("127.0.0.1", parts.port), timeout=served.WAIT) as plain:
                with context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
                    connection.sendall(session_request(parts.port, parts.fragment))
                    answer = served.read_answer(connection)
                    self.assertEqual(answer.status, 200)
                    self.assertNotIn("set-cookie", answer.headers)
            old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
            old.set_ciphers("ALL:@SECLEVEL=0")  # this side would speak it
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that nobody should
                old.maximum_version = ssl.TLSVersion.TLSv1_1
            with socket.create_connection(("127.0.0.1", parts.port), timeout=served.WAIT) as plain:
                with self.assertRaises(OSError):
                    old.wrap_socket(plain, server_hostname="127.0.0.1")
        finally:
            process.terminate()
            process.wait(served.WAIT)
            process.stdout.close()
            process.stderr.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)  # with the reasons of what is skipped
