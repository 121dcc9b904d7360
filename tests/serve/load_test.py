#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Twenty clients and a hundred jobs at once: nothing lost, nothing mixed up, memory bounded.

Each client has a table open and starts several methods on it. What the server releases of each must be what the command line releases of that
table, byte by byte but for times. One job is cancelled while it runs, one client vanishes in the middle of its stream
of events; all others must not notice.

  load_test.py LACUNA [unittest options]
"""
import http.client
import json
import pathlib
import re
import sys
import tempfile
import threading
import time
import unittest

import served

LACUNA = sys.argv.pop(1)
CLIENTS, JOBS_EACH = 20, 5
TABLES = 10  # different ones; each is open twice
METHODS = [{}, {"method": "perturb"}, {"method": "interval"}, {"weights": "unity"}, {"method": "adjust"}]
RSS_LIMIT = 1 << 30  # bytes, after all is done


def resident(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
    return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024


class Load(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.place.name)
        for k in range(TABLES):
            served.command(LACUNA, cls.folder, "generate", "-o", f"t{k}.json", "--sizes", 4 + k % 3, 5 + k % 4,
                           "--seed", 100 + k)
        served.command(LACUNA, cls.folder, "generate", "-o", "long.json", "--kind", "hierarchical", "--depths", "3",
                       "3", "--fan-least", "4", "--fan-most", "4", "--sensitive-percent", "20", "--weight", "value")
        cls.server = served.Server(LACUNA, cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.server.end()
        cls.server.remove()
        cls.place.cleanup()

    def patient(self, method, path, body=None):
        """A request that is repeated while the server says that it is busy or has no place for a connection."""
        limit = time.monotonic() + served.WAIT
        while True:
            try:
                answer = self.server.request(method, path, body)
                if answer.status != 503:
                    return answer
            except (ConnectionError, TimeoutError, http.client.HTTPException):
                pass
            if time.monotonic() > limit:
                raise AssertionError(f"{method} {path}: busy for too long")
            time.sleep(0.05)

    def client(self, number, results, errors):
        """Starts its jobs at once, then waits for each; leaves (table, options) -> release."""
        try:
            started = []
            table = number % TABLES
            answer = self.patient("POST", "/api/documents", {"file": f"t{table}.json"})
            assert answer.status == 201, answer
            document = answer.json()["id"]
            for k in range(JOBS_EACH):
                options = METHODS[(number + k) % len(METHODS)]
                texts = {name: str(value) for name, value in options.items()}
                answer = self.patient("POST", f"/api/documents/{document}/runs",
                                      {"command": "protect", "options": {**texts, "threads": "1"}})
                assert answer.status == 202, answer
                started.append((table, options, document, answer.json()["id"]))
            for table, options, document, run in started:
                seen = self.patient("GET", f"/api/runs/{run}").json()
                while seen["state"] not in served.FINAL:
                    time.sleep(0.2)
                    seen = self.patient("GET", f"/api/runs/{run}").json()
                assert seen["document"] == document and seen["state"] == "done", seen
                office = self.patient("GET", f"/api/runs/{run}/export?what=office&format=json")
                results.append((table, json.dumps(options), served.timeless(office.body)))
        except Exception as error:  # pylint: disable=broad-except
            errors.append(f"client {number}: {error!r}")

    def vanish(self):
        """Listens to a run that takes long, and is gone after the first bytes."""
        document = self.patient("POST", "/api/documents", {"file": "long.json"}).json()["id"]
        run = self.patient("POST", f"/api/documents/{document}/runs",
                           {"command": "protect", "options": {"effort": "best", "threads": "1"}}).json()["id"]
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=served.WAIT)
        connection.request("GET", f"/api/runs/{run}/events",
                           headers={"X-Lacuna": "1", "Authorization": f"Bearer {self.server.token}"})
        connection.getresponse().read(10)
        connection.sock.close() if connection.sock else None
        connection.close()
        return run

    def test_nothing_lost_nothing_mixed_up(self):
        long_run = self.vanish()
        results, errors = [], []
        threads = [threading.Thread(target=self.client, args=(k, results, errors)) for k in range(CLIENTS)]
        for thread in threads:
            thread.start()
        killed = self.patient("DELETE", f"/api/runs/{long_run}")
        self.assertIn(killed.status, (200, 202, 204), killed)
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(len(results), CLIENTS * JOBS_EACH)
        expected = {}
        for table, options, result in results:
            if (table, options) not in expected:
                words = [word for name, value in json.loads(options).items() for word in (f"--{name}", str(value))]
                served.command(LACUNA, self.folder, "protect", f"t{table}.json", *words, "--threads", "1", "--quiet",
                               "-o", "expected.json")
                expected[table, options] = served.timeless((self.folder / "expected.json").read_bytes())
                (self.folder / "expected.json").unlink()
            self.assertEqual(json.dumps(result), json.dumps(expected[table, options]), (table, options))
        self.assertGreater(len({json.dumps(r["release"]) for r in expected.values()}), TABLES, "they are different")
        self.assertTrue(self.server.alive())
        about = self.server.get("/api/about")
        self.assertEqual((about["running"], about["queued"]), (0, 0), about)
        self.assertLess(resident(self.server.process), RSS_LIMIT)

    def test_memory_does_not_grow_with_requests(self):
        document = self.server.open("t0.json")["id"]
        for _ in range(50):
            self.server.get(f"/api/documents/{document}/page")
        before = resident(self.server.process)
        for _ in range(1000):
            self.server.get(f"/api/documents/{document}/page")
            self.server.request("GET", "/api/nothing")
        self.assertLess(resident(self.server.process) - before, 32 << 20)

    def test_closed_documents_free_their_memory(self):
        served.command(LACUNA, self.folder, "generate", "-o", "wide.json", "--sizes", "150", "150", "--seed", "5")
        def course():
            document = self.server.open("wide.json")["id"]
            self.server.get(f"/api/documents/{document}/page")
            self.server.request("DELETE", f"/api/documents/{document}")
        for _ in range(3):
            course()
        before = resident(self.server.process)
        for _ in range(10):
            course()
        self.assertLess(resident(self.server.process) - before, 128 << 20)


if __name__ == "__main__":
    unittest.main()
