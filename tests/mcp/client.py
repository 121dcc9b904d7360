# SPDX-License-Identifier: Apache-2.0
"""A running `lacuna mcp` for tests, and a plain client of it: JSON-RPC 2.0, a message per line, nothing but Python."""
import json
import select
import subprocess
import time

WAIT = 120  # seconds for anything that takes a moment; far more than a loaded machine needs
LATEST = "2025-11-25"


class Client:
    """`lacuna mcp FOLDER ...`; a context manager that ends it and looks at how it ended."""

    def __init__(self, lacuna, folder, *options, begin=True):
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [str(lacuna), "mcp", str(folder), *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.number = 0
        self.rest = b""
        self.heard = []  # every line that came
        if begin:
            self.begun = self.ask("initialize", {"protocolVersion": LATEST, "capabilities": {},
                                                 "clientInfo": {"name": "test", "version": "1"}})
            self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.process.stdin.close()
        try:
            code = self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = "killed: it did not end with its input"
        self.said = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        if kind is None:
            assert code == 0 and not self.said, f"exit code {code}: {self.said}"

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def hear(self, wait=WAIT):
        """The next message, or None if none comes."""
        end = time.monotonic() + wait
        while b"\n" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            more = self.process.stdout.read1(1 << 16)
            if not more:
                raise AssertionError(f"it has ended: {self.process.stderr.read().decode()}")
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        self.heard.append(line.decode())
        return json.loads(line)

    def request(self, method, params=None):
        """Sends a request and returns its id."""
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method}
        if params is not None:
            message["params"] = params
        self.send(message)
        return self.number

    def ask(self, method, params=None):
        number = self.request(method, params)
        answer = self.hear()
        assert answer is not None and answer.get("id") == number, answer
        return answer

    def call(self, tool, **arguments):
        """The structured content of a result, and whether it is an error."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"], result["isError"]

    def done(self, tool, **arguments):
        content, is_error = self.call(tool, **arguments)
        assert not is_error, content
        return content

    def refused(self, tool, **arguments):
        content, is_error = self.call(tool, **arguments)
        assert is_error, content
        return content["error"]
