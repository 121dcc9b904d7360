#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mcp_test.py LACUNA EXAMPLES: `lacuna mcp` by a plain client: the protocol, the tools, and what must be refused."""
import json
import os
import pathlib
import shutil
import sys
import tempfile
import time
import unittest

from client import LATEST, Client

LACUNA = EXAMPLES = None
REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
TOOLS = ["inspect", "audit", "infer", "protect", "explain", "report"]
SALES_HIDDEN = ["18"]  # the sensitive number of examples/sales.csv


class Folder(unittest.TestCase):
    """A folder with the examples, and one beside it that nobody may reach."""

    def setUp(self):
        self.all = pathlib.Path(tempfile.mkdtemp(prefix="lacuna_mcp_"))
        self.addCleanup(shutil.rmtree, self.all)
        self.folder = self.all / "tables"
        shutil.copytree(EXAMPLES, self.folder, ignore=shutil.ignore_patterns("embed*"))
        (self.all / "outside.csv").write_text((self.folder / "sales.csv").read_text())

    def client(self, *options, **more):
        return Client(LACUNA, self.folder, *options, **more)


class Protocol(Folder):
    def test_revisions(self):
        for asked, answered in [*((each, each) for each in REVISIONS), ("2026-07-28", LATEST), ("1", LATEST)]:
            with self.client(begin=False) as client:
                result = client.ask("initialize", {"protocolVersion": asked, "capabilities": {}})["result"]
                self.assertEqual(result["protocolVersion"], answered)
                self.assertEqual(result["serverInfo"]["name"], "lacuna")
                self.assertIn("tools", result["capabilities"])

    def test_nothing_before_initialize_but_ping(self):
        with self.client(begin=False) as client:
            self.assertEqual(client.ask("ping")["result"], {})
            self.assertEqual(client.ask("tools/list")["error"]["code"], -32600)
            self.assertEqual(client.ask("initialize", {})["error"]["code"], -32602)

    def test_tools(self):
        with self.client() as client:
            tools = client.ask("tools/list")["result"]["tools"]
            self.assertEqual([tool["name"] for tool in tools], TOOLS)
            for tool in tools:
                schema = tool["inputSchema"]
                self.assertEqual(schema["type"], "object")
                self.assertFalse(schema["additionalProperties"])
                self.assertLessEqual(set(schema.get("required", [])), set(schema["properties"]))
                for each in schema["properties"].values():
                    self.assertTrue(each["description"])
            protect = tools[3]["inputSchema"]["properties"]
            self.assertEqual(protect["time_limit"]["exclusiveMinimum"], 0)
            self.assertIn("suppress", protect["method"]["enum"])
            self.assertEqual(protect["threads"]["type"], "integer")

    def test_no_tool_moves_what_is_asked(self):
        """Whoever may move a threshold or a level finds out what it is compared with."""
        asking = {"threshold", "zeros", "withheld_means", "kinds", "coalition", "ambiguity", "counts", "reals", "status",
                  "apriori", "policy", "unasked", "exposed", "zero_levels", "value", "only", "means", "near"}
        with self.client() as client:
            for tool in client.ask("tools/list")["result"]["tools"]:
                if tool["name"] != "infer":  # of published files alone
                    self.assertFalse(asking & set(tool["inputSchema"]["properties"]), tool["name"])

    def test_read_only(self):
        with self.client("--read-only") as client:
            tools = client.ask("tools/list")["result"]["tools"]
            self.assertEqual([tool["name"] for tool in tools], ["inspect", "audit", "infer", "explain"])
            error = client.ask("tools/call", {"name": "protect", "arguments": {}})["error"]
            self.assertEqual(error["code"], -32602)

    def test_wrong_messages_are_answered(self):
        wrong = [(b"{", -32700), (b"nonsense", -32700), (b"\xff\xfe", -32700), (b"[" * 100000, -32700), (b"7", -32600),
                 (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600), (b"null", -32600), (b'"text"', -32600),
                 (b'{"id":1,"method":"ping"}', -32600), (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
                 (b'{"jsonrpc":"2.0","id":1}', -32600), (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
                 (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
                 (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', -32602),
                 (b'{"jsonrpc":"2.0","id":1,"method":"tools/call"}', -32602),
                 (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}', -32602),
                 (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"audit","arguments":[1]}}', -32602),
                 (b'{"jsonrpc":"2.0","id":1,"method":"resources/list"}', -32601),
                 (b'{"jsonrpc":"2.0","id":1,"method":"server/discover"}', -32601),
                 (b'{"a":' * 5000, -32700), (b'{"a":' * 50 + b"1" + b"}" * 50, -32700)]
        with self.client() as client:
            for text, code in wrong:
                client.write(text + b"\n")
                answer = client.hear()
                self.assertEqual(answer["error"]["code"], code, text[:80])
            client.write(b"\n \n")  # no message
            client.send({"jsonrpc": "2.0", "method": "notifications/of_another_kind", "params": {"x": 1}})
            client.send({"jsonrpc": "2.0", "id": 5, "result": {}})  # an answer to nothing
            client.write(b'{"jsonrpc":"2.0","method":"ping","params":5}\n')
            self.assertEqual(client.ask("ping")["result"], {})

    def test_long_lines(self):
        with self.client("--line-limit", "1") as client:
            client.write(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + b"x" * (3 << 20) + b'"}}\n')
            self.assertEqual(client.hear()["error"]["code"], -32600)
            client.write(b"y" * (5 << 20) + b"\n")
            self.assertEqual(client.hear()["error"]["code"], -32600)
            self.assertEqual(client.ask("ping")["result"], {})

    def test_random_bytes(self):
        import random
        dice = random.Random(7)
        good = json.dumps({"jsonrpc": "2.0", "id": 3, "method": "tools/call",
                           "params": {"name": "audit", "arguments": {"path": "sales.toml"}}}).encode()
        with self.client() as client:
            for _ in range(300):
                text = bytearray(good)
                for _ in range(dice.randint(1, 6)):
                    text[dice.randrange(len(text))] = dice.choice(b'{}[]":,\\0a\x00\xff e-')
                client.write(bytes(text).replace(b"\n", b" ") + b"\n")
            client.request("ping")
            while client.hear().get("id") != client.number:
                pass

    def test_ids_are_kept(self):
        with self.client() as client:
            for number in ("a", 0, -1, 1.5, "1", 2 ** 53):
                client.send({"jsonrpc": "2.0", "id": number, "method": "ping"})
                self.assertEqual(client.hear()["id"], number)

    def test_ended_input_answers_what_was_asked(self):
        import subprocess
        lines = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": LATEST}},
                 {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "inspect", "arguments": {}}}]
        done = subprocess.run([LACUNA, "mcp", str(self.folder)], input="\n".join(map(json.dumps, lines)), text=True,
                              capture_output=True, timeout=100, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([json.loads(line)["id"] for line in done.stdout.splitlines()], [1, 2])

    def test_no_such_folder(self):
        import subprocess
        for options in (["nowhere"], [str(self.folder), "--published", "../outside.csv"], [str(self.folder), "--policy", "nope"],
                        [str(self.folder), "--published", "gone"]):
            done = subprocess.run([LACUNA, "mcp", *options], input="", text=True, capture_output=True, check=False)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_cancelled(self):
        """A run that would take minutes ends, no answer comes for it, and what waits behind it is done."""
        import subprocess
        subprocess.run([LACUNA, "generate", "--sizes", "14,14,14", "--seed", "3", "-o", str(self.folder / "large.jj")], check=True,
                       capture_output=True)
        with self.client() as client:
            slow = client.request("tools/call", {"name": "protect", "arguments": {
                "path": "large.jj", "output": "large.csv", "result": "large.json", "effort": "best", "threads": 1}})
            waiting = client.request("tools/call", {"name": "inspect", "arguments": {}})
            last = client.request("tools/call", {"name": "inspect", "arguments": {"path": "sales.csv"}})
            self.assertEqual(client.ask("ping")["result"], {})  # while the run is busy
            time.sleep(1)
            client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": waiting}})
            client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": slow}})
            client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "unknown"}})
            self.assertEqual(client.hear()["id"], last)
            self.assertIsNone(client.hear(0.5))
        self.assertFalse((self.folder / "large.csv").exists())
        self.assertFalse((self.folder / "large.json").exists())


class Verbs(Folder):
    def test_inspect(self):
        with self.client("--published", "sales.csv") as client:
            files = {each["path"]: each for each in client.done("inspect")["files"]}
            self.assertEqual(files["sales.toml"]["kind"], "job")
            self.assertEqual(files["sales.csv"], {"path": "sales.csv", "kind": "table", "published": True})
            self.assertNotIn("../outside.csv", files)
            table = client.done("inspect", path="sales.csv")
            self.assertIn("[columns]", table["job"])
            job = client.done("inspect", path="sales.toml")
            self.assertGreater(job["counts"]["sensitive"], 0)
            self.assertEqual({each["name"] for each in job["dimensions"]} & {"product", "region"}, {"product", "region"})

    def test_protect_explain_report_audit(self):
        with self.client() as client:
            made = client.done("protect", path="sales.toml", output="public.csv", result="result.json",
                               certificate="proof.json", effort="best", seed=1)
            self.assertEqual(made["verdict"], "protected")
            self.assertEqual(made["withheld"], len(made["withheld_cells"]))
            self.assertGreater(made["withheld"], made["sensitive"])
            self.assertEqual(made["written"], ["public.csv", "result.json", "proof.json"])
            again = client.done("audit", path="sales.toml", release="public.csv")
            self.assertEqual((again["verdict"], again["exposed"]), ("protected", []))
            alone = client.done("audit", path="sales.toml")
            self.assertEqual(alone["verdict"], "exposed")
            self.assertGreater(len(alone["exposed"]), 0)
            for cell in made["withheld_cells"]:
                told = client.done("explain", result="result.json", cells=[cell.replace("|", ",")])["cells"][0]
                self.assertEqual(told["cell"], cell)
                self.assertIn(told["role"], ("sensitive", "secondary"))
                if told["role"] == "secondary":
                    self.assertTrue(told["keeps_safe"])
            page = client.done("report", result="result.json", output="page.html", public=True)
            self.assertEqual((page["verdict"], page["written"]), ("protected", ["page.html"]))
            self.assertIn("<html", (self.folder / "page.html").read_text())
            for line in client.heard:
                for number in SALES_HIDDEN:
                    self.assertNotIn(f'"{number}"', line)

    def test_nothing_is_overwritten(self):
        before = (self.folder / "sales.csv").read_bytes()
        with self.client() as client:
            for name in ("sales.csv", "products.hrc"):
                error = client.refused("protect", path="sales.toml", output=name)
                self.assertEqual(error["code"], "file-unwritable")
            client.done("protect", path="sales.toml", output="p.csv", result="r.json")
            self.assertEqual(client.refused("report", result="r.json", output="p.csv")["code"], "file-unwritable")
        self.assertEqual((self.folder / "sales.csv").read_bytes(), before)

    def test_nothing_outside_is_reached(self):
        (self.folder / "link.csv").symlink_to(self.all / "outside.csv")
        (self.folder / "way").symlink_to(self.all)
        (self.folder / "job.toml").write_text(
            (self.folder / "sales.toml").read_text().replace("sales.csv", "../outside.csv"))
        os.mkfifo(self.folder / "pipe.csv")
        with self.client() as client:
            for path in ("../outside.csv", str(self.all / "outside.csv"), "/etc/passwd", "link.csv", "way/outside.csv", "job.toml",
                         "./sales.csv", "a/../sales.csv", "", "sales.csv\n", "pipe.csv", "nothing.csv", "\0", "."):
                for tool, more in (("inspect", {}), ("audit", {}), ("protect", {"output": "x.csv"})):
                    if not (tool == "inspect" and path == ""):
                        client.refused(tool, path=path, **more)
                client.refused("infer", paths=[path])
                client.refused("explain", result=path, cells=["0"])
            for output in ("-", "/dev/stdout", "../x.csv", "/tmp/x.csv", "way/x.csv", "no/x.csv", "x", "x.exe", ".", "-", "x.csv/"):
                client.refused("protect", path="sales.toml", output=output)
            self.assertEqual({each["path"] for each in client.done("inspect")["files"]} & {"link.csv", "way/outside.csv", "pipe.csv"},
                             set())
        self.assertFalse((self.all / "x.csv").exists())

    def test_wrong_arguments(self):
        with self.client() as client:
            self.assertIn("did you mean 'path'", client.refused("audit", pth="sales.toml")["message"])
            self.assertEqual(client.refused("audit")["where"], "path")
            for given in ({"path": 7}, {"path": ["sales.toml"]}, {"path": {"a": 1}}, {"path": True}):
                client.refused("audit", **given)
            for given in ({"seed": "x"}, {"time_limit": 0}, {"method": "magic"}, {"threads": [1, 2]}, {"threshold": 3},
                          {"unasked": "publish"}, {"gap": {}}):
                client.refused("protect", path="sales.toml", output="never.csv", **given)
            client.refused("explain", result="sales.toml", cells=[])
            client.done("audit", path="sales.toml", release=None)
        self.assertFalse((self.folder / "never.csv").exists())

    def test_nothing_asked_is_not_published(self):
        (self.folder / "plain.csv").write_text("a;b;v\n" + "".join(
            f"{a};{b};{v}\n" for a, b, v in (("x", "p", 511), ("x", "q", 622), ("x", "T", 1133), ("y", "p", 733), ("y", "q", 844),
                                             ("y", "T", 1577), ("T", "p", 1244), ("T", "q", 1466), ("T", "T", 2710))))
        with self.client() as client:
            content, _ = client.call("protect", path="plain.csv", output="plain_public.csv")
            self.assertNotEqual(content.get("verdict"), "protected", content)
        self.assertFalse((self.folder / "plain_public.csv").exists())

    def test_infer(self):
        (self.folder / "seen.csv").write_text("region;value\nTotal;1000\nN;600\nS;\nW;11\n")
        with self.client() as client:
            told = client.done("infer", paths=["seen.csv"])
            self.assertEqual((told["blanks"], told["known_exactly"], told["cells_known_exactly"]), (1, 1, ["region=S"]))
            self.assertNotIn("389", json.dumps(told))
            self.assertIn("published", client.refused("infer", paths=["seen.csv"], protection="10%")["message"])
        with self.client("--published", "seen.csv") as client:
            self.assertIn("389", json.dumps(client.done("infer", paths=["seen.csv"], protection="10%")))

    def test_policy_of_the_owner(self):
        (self.folder / "counts.csv").write_text("region;n\nAll;100\nN;60\nS;3\nW;30\nE;7\n")
        with self.client("--policy", "cms-cell-size") as client:
            made = client.done("protect", path="counts.csv", output="counts_public.csv")
            self.assertEqual(made["verdict"], "protected")
            self.assertIn("region=S", made["withheld_cells"])


def main():
    global LACUNA, EXAMPLES  # pylint: disable=global-statement
    LACUNA, EXAMPLES = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    unittest.main(argv=[sys.argv[0], "-v", *sys.argv[3:]])


if __name__ == "__main__":
    main()
