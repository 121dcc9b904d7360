#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What must be refused by `lacuna serve`, and that it goes on serving afterwards (docs/serve.md, threats).

Every class has one server; after each test it must be alive, and at the end it must have told neither its token nor a
confidential value on standard error, and must have left nothing behind.

  security_test.py LACUNA EXAMPLES_FOLDER [unittest options]
"""
import os
import pathlib
import re
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

import served

LACUNA, EXAMPLES = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
SECRET = "987654321987"  # a value of the table; it may be in no log
CODE = "Geheimcode"      # a code of the table
UPLOAD_MB = 1            # the limit of the server of these tests
GIGABYTE = 1 << 30


def secret_table():
    """A table of one row whose cells are a sensitive value and a rest."""
    return ("region;value;status\n" f"All;{int(SECRET) + 5};s\n{CODE};{SECRET};u\nRest;5;s\n").encode()


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
            for word in (cls.server.token, SECRET, CODE):
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

    def test_a_cookie_of_another_server(self):
        with served.Server(LACUNA, self.folder) as other:
            answer = other.request("POST", "/api/session", {"token": other.token}, token=None)
            value = answer.headers["set-cookie"].split(";")[0].split("=", 1)[1]
            self.refused(self.server.request("GET", "/api/about", token=None,
                                             headers={"Cookie": f"lacuna_{self.server.port}={value}"}), 401)

    def test_every_route_asks_for_the_token(self):
        for method, path in (("GET", "/api/about"), ("GET", "/api/files"), ("POST", "/api/uploads?name=a.csv"),
                             ("GET", "/api/documents"), ("GET", "/api/documents/1/page"), ("GET", "/api/runs/1/events"),
                             ("GET", "/api/runs/1/export?what=public&format=csv"), ("POST", "/api/runs/1/export"),
                             ("GET", "/api/options/protect"), ("GET", "/api/nothing"), ("GET", "/api/compare?runs=1")):
            self.refused(self.server.request(method, path, body=b"{}" if method == "POST" else None, token=None), 401)

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
        for site in ("cross-site", "same-site"):
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
            for body in ({"file": "climb.toml"}, {"file": "secret.csv", "job": job.format(name)}):
                self.refused(self.server.request("POST", "/api/documents", body), 400, 403, 404, 422)
        with_tree = job.format("secret.csv") + 'hierarchy = "../outside.csv"\n'
        self.refused(self.server.request("POST", "/api/documents", {"file": "secret.csv", "job": with_tree}),
                     400, 403, 404, 422)
        uploaded = self.server.upload("climb.toml", job.format(str(self.outside / "outside.csv")).encode())
        self.refused(self.server.request("POST", "/api/documents", {"file": uploaded}), 400, 403, 404, 422)

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
            answer = first.request("POST", "/api/session", {"token": first.token}, token=None)
            cookie = answer.headers["set-cookie"].split(";")[0]
            token, port = first.token, first.port
        with served.Server(LACUNA, self.place.name, "--port", port) as second:
            self.assertEqual(second.port, port)
            self.assertNotEqual(second.token, token)
            self.assertEqual(second.request("GET", "/api/about", token=token).status, 401)
            self.assertEqual(second.request("GET", "/api/about", token=None, headers={"Cookie": cookie}).status, 401)

    def test_the_token_is_in_no_command_line(self):
        with served.Server(LACUNA, self.place.name) as server:
            words = pathlib.Path(f"/proc/{server.process.pid}/cmdline").read_bytes()
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
                connection.sendall(f"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{link.group(1)}\r\nX-Lacuna: 1\r\n"
                                   f"Authorization: Bearer {link.group(2)}\r\nConnection: close\r\n\r\n".encode())
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
                    connection.sendall(f"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1:{parts.port}\r\nX-Lacuna: 1\r\n"
                                       f"Authorization: Bearer {parts.fragment}\r\nConnection: close\r\n\r\n".encode())
                    self.assertEqual(served.read_answer(connection).status, 200)
        finally:
            process.terminate()
            process.wait(served.WAIT)
            process.stdout.close()
            process.stderr.close()


if __name__ == "__main__":
    unittest.main()
