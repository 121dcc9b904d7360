# SPDX-License-Identifier: Apache-2.0
"""A running `lacuna serve` for tests, and a client of its HTTP interface (docs/serve.md).

Nothing beyond Python's own library. The server has a folder of its own to serve and one for its temporary files, so
that a test can say what is left of it."""
import http.client
import json
import os
import pathlib
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time

WAIT = 120  # seconds for anything that takes a moment; far more than a loaded machine needs
FINAL = {"done", "refused", "failed", "cancelled"}
LINK = re.compile(r"^http://(127\.0\.0\.\d+|\[::1\]):(\d+)/#([0-9A-Za-z_-]{43,})$")  # a token of 256 bits


def hears_hang_ups():
    """In the server, before it begins: tests may run under nohup, which it would take for a wish to go on."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Answer:
    """What came back: status, headers (names in small letters) and body."""

    def __init__(self, status, headers, body):
        self.status, self.body = status, body
        self.headers = {}
        for name, value in headers:
            self.headers.setdefault(name.lower(), value)

    def json(self):
        return json.loads(self.body)

    @property
    def message(self):
        """The sentence of an error, or an empty text."""
        try:
            return self.json()["error"]["message"]
        except (ValueError, KeyError, TypeError):
            return ""

    def __repr__(self):
        return f"{self.status} {self.body[:400]!r}"


class Server:
    """`lacuna serve --no-open` over a folder; a context manager that ends it and looks at how it ended."""

    def __init__(self, lacuna, folder, *arguments, file=None):
        self.lacuna, self.folder = str(lacuna), pathlib.Path(folder)
        self.scratch = tempfile.mkdtemp(prefix="lacuna_served_")  # its TMPDIR
        self.log = open(os.path.join(self.scratch + ".log"), "w+b")  # pylint: disable=consider-using-with
        web = os.environ.get("LACUNA_TEST_WEB")  # the page from a folder instead of the one in the program
        command = [self.lacuna, "serve", str(file or self.folder), "--no-open", *map(str, arguments)]
        command += ["--web", web] if web else []
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=self.log,
                                        env={**os.environ, "TMPDIR": self.scratch}, preexec_fn=hears_hang_ups)
        line = self._first_line()
        found = LINK.match(line)
        if not found:
            self.process.kill()
            raise AssertionError(f"no link but {line!r}; standard error: {self.errors()}")
        self.host, self.port, self.first_token = found.group(1), int(found.group(2)), found.group(3)
        self.origin = f"http://{self.host}:{self.port}"
        self.token = None
        self.token = self.trade(self.first_token)  # the secret of the session

    def trade(self, token):
        """The secret of the session for the token of a link."""
        answer = self.request("POST", "/api/session", {"token": token}, token=None)
        assert answer.status == 200, answer
        return answer.json()["session"]

    @property
    def link(self):
        """Another link: each is good for one window."""
        return self.post("/api/links", status=201)["link"]

    def _first_line(self):
        ready, _, _ = select.select([self.process.stdout], [], [], WAIT)
        return self.process.stdout.readline().decode().rstrip("\n") if ready else ""

    def errors(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text(encoding="utf-8", errors="replace")

    # ---- requests

    def request(self, method, path, body=None, headers=None, token=True, mark=True, timeout=WAIT):
        """One request on a connection of its own. `body`: bytes, or anything else as JSON."""
        sent = {"X-Lacuna": "1"} if mark else {}
        if token:
            sent["Authorization"] = f"Bearer {self.token if token is True else token}"
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        connection = http.client.HTTPConnection(self.host.strip("[]"), self.port, timeout=timeout)
        try:
            connection.request(method, path, body=body, headers=sent)
            answer = connection.getresponse()
            return Answer(answer.status, answer.getheaders(), answer.read())
        finally:
            connection.close()

    def get(self, path, status=200):
        answer = self.request("GET", path)
        assert answer.status == status, f"GET {path}: {answer}"
        return answer.json()

    def post(self, path, body=None, status=200):
        answer = self.request("POST", path, body={} if body is None else body)
        assert answer.status == status, f"POST {path} {body}: {answer}"
        return answer.json() if answer.body else None

    def raw(self, data, read=True, timeout=WAIT):
        """Bytes as they are, and what comes back until the server closes or has answered."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as connection:
            try:
                connection.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # it had enough; what it said is read below
            return read_answer(connection) if read else None

    def alive(self):
        return self.process.poll() is None and self.request("GET", "/api/about").status == 200

    # ---- the course of a run

    def open(self, file, **more):
        return self.post("/api/documents", {"file": file, **more}, 201)

    def start(self, document, command="protect", **options):
        texts = {name.replace("_", "-"): value if isinstance(value, bool) else str(value)
                 for name, value in options.items()}
        return self.post(f"/api/documents/{document}/runs", {"command": command, "options": texts}, 202)

    def finish(self, run):
        """The run in its final state."""
        limit = time.monotonic() + WAIT
        while True:
            seen = self.get(f"/api/runs/{run}")
            if seen["state"] in FINAL:
                return seen
            assert time.monotonic() < limit, f"run {run} does not end: {seen}"
            time.sleep(0.05)

    def protect(self, document, **options):
        return self.finish(self.start(document, **options)["id"])

    def until_inferred(self, published):
        """What was inferred from published tables, once that is over."""
        limit = time.monotonic() + WAIT
        while True:
            seen = self.get(f"/api/published/{published}")
            if seen["state"] in FINAL:
                return seen
            assert time.monotonic() < limit, f"the inference {published} does not end: {seen}"
            time.sleep(0.05)

    def bytes(self, path):
        answer = self.request("GET", path)
        assert answer.status == 200, f"GET {path}: {answer}"
        return answer.body

    def export(self, run, what, form):
        answer = self.request("GET", f"/api/runs/{run}/export?what={what}&format={form}")
        assert answer.status == 200, f"export {what} {form}: {answer}"
        return answer.body

    def upload(self, name, data, into=None):
        more = "" if into is None else f"&into={into}"
        answer = self.request("POST", f"/api/uploads?name={name}{more}", body=data)
        assert answer.status == 201, answer
        return answer.json()["file"]

    # ---- the end

    def end(self, how=signal.SIGTERM):
        """Ends the server as asked; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            code = self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise
        self.process.stdout.close()
        return code

    def left(self):
        """What is still in its folder for temporary files."""
        return sorted(str(p.relative_to(self.scratch)) for p in pathlib.Path(self.scratch).rglob("*"))

    def remove(self):
        self.log.close()
        os.unlink(self.log.name)
        shutil.rmtree(self.scratch, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        self.remove()


def read_answer(connection):
    """Status, headers and what there is of the body; status 0 if the server closed without a word."""
    data = b""
    try:
        while b"\r\n\r\n" not in data:
            part = connection.recv(65536)
            if not part:
                break
            data += part
    except ConnectionResetError:
        pass
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    found = re.match(r"HTTP/1\.[01] (\d+)", lines[0])
    headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:] if ":" in line]
    return Answer(int(found.group(1)) if found else 0, headers, body)


def events(server, run):
    """The runs that the event stream tells, one after the other."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=WAIT)
    connection.request("GET", f"/api/runs/{run}/events",
                       headers={"X-Lacuna": "1", "Authorization": f"Bearer {server.token}"})
    answer = connection.getresponse()
    assert answer.status == 200 and answer.getheader("Content-Type").startswith("text/event-stream"), answer.status
    kind, data = None, []
    for line in answer:
        line = line.decode("utf-8").rstrip("\r\n")
        if line.startswith("event:"):
            kind = line[6:].strip()
        elif line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
        elif line == "" and data:
            assert kind == "run", kind
            yield json.loads("\n".join(data))
            kind, data = None, []
    connection.close()


def command(lacuna, folder, *arguments, code=0):
    """Runs the program in a folder; standard output."""
    done = subprocess.run([str(lacuna), *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == code, f"lacuna {' '.join(map(str, arguments))}: {done.returncode}: {done.stderr}"
    return done.stdout


def repeat(lacuna, folder, line, *more, code=0):
    """Runs a command line that the server gave, with options added."""
    words = shlex.split(line)
    assert words[0] == "lacuna", line
    return command(lacuna, folder, *words[1:], *more, code=code)


TIMES = {"seconds", "start_seconds", "finished", "input", "options", "threads", "audit_seconds"}


def timeless(result):
    """A result without what differs from run to run and from place to place."""
    if isinstance(result, bytes | str):
        result = json.loads(result)
    return {**result, "run": {key: value for key, value in result["run"].items() if key not in TIMES}}


def copy_examples(examples, folder):
    for path in pathlib.Path(examples).iterdir():
        if path.is_file():
            shutil.copy(path, folder)


# A job of tau-ARGUS over a ready table of three rows and columns, with one unsafe cell.
ARGUS = {
    "small.csv": "\n".join(["T;T;100;20;S", "T;x;60;12;S", "T;y;40;8;S", "A;T;55;11;S", "A;x;35;7;S", "A;y;20;4;U",
                            "B;T;45;9;S", "B;x;25;5;S", "B;y;20;4;S"]) + "\n",
    "small.rda": "\n".join(['<SEPARATOR> ";"', "Row", "<RECODEABLE>", "<TOTCODE> T", "Col", "<RECODEABLE>",
                            "<TOTCODE> T", "V", "<NUMERIC>", "N", "<FREQUENCY>", "St", "<STATUS>"]) + "\n",
    "small.arb": "\n".join(['<OPENTABLEDATA> "small.csv"', '<OPENMETADATA> "small.rda"',
                            '<SPECIFYTABLE> "Row""Col"|"V"||', "<SAFETYRULE> MAN(25)", "<READTABLE> 0",
                            "<SUPPRESS> MOD(1)", '<WRITETABLE> (1,2,AS-,"small_out.csv")']) + "\n",
}


def write_argus(folder):
    for name, text in ARGUS.items():
        (pathlib.Path(folder) / name).write_text(text, encoding="utf-8")
