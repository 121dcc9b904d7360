# SPDX-License-Identifier: Apache-2.0
"""Debian's Firefox, driven by its own remote protocol (Marionette): no program besides Firefox is needed."""
import json
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

PREFERENCES = {"marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
               "toolkit.telemetry.reportingpolicy.firstRun": False, "browser.startup.page": 0, "app.update.enabled": False,
               "intl.accept_languages": "en-US", "browser.startup.homepage_override.mstone": "ignore",
               "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False}
WAIT = 60  # seconds
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key of an element, by the WebDriver standard


def firefox():
    """The program; None where there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One window; a context manager."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="lacuna_firefox_")
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (pathlib.Path(self.folder) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        self.process = subprocess.Popen([firefox(), "--headless", "--marionette", "--no-remote", "--profile", self.folder],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.connection = self._connect()
        self.rest, self.last = b"", 0
        self._read()  # the greeting
        self.call("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": False}}})
        self.call("WebDriver:SetWindowRect", {"width": 1400, "height": 950})

    def _connect(self):
        port = pathlib.Path(self.folder) / "MarionetteActivePort"
        limit = time.monotonic() + WAIT
        while time.monotonic() < limit:
            try:
                return socket.create_connection(("127.0.0.1", int(port.read_text(encoding="utf-8"))), WAIT)
            except (OSError, ValueError):
                time.sleep(0.2)
        raise RuntimeError("Firefox does not answer")

    def _read(self):
        while b":" not in self.rest:
            self.rest += self._more()
        size, _, self.rest = self.rest.partition(b":")
        while len(self.rest) < int(size):
            self.rest += self._more()
        message, self.rest = self.rest[:int(size)], self.rest[int(size):]
        return json.loads(message)

    def _more(self):
        data = self.connection.recv(65536)
        if not data:
            raise RuntimeError("Firefox has ended")
        return data

    def call(self, command, parameters=None):
        self.last += 1
        message = json.dumps([0, self.last, command, parameters or {}]).encode()
        self.connection.sendall(str(len(message)).encode() + b":" + message)
        _, number, error, answer = self._read()
        assert number == self.last
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return answer

    # ---- what a test does

    def go(self, url):
        self.call("WebDriver:Navigate", {"url": url})

    def run(self, script, *arguments):
        return self.call("WebDriver:ExecuteScript", {"script": script, "args": list(arguments)})["value"]

    def run_async(self, script):
        return self.call("WebDriver:ExecuteAsyncScript", {"script": script, "args": []})["value"]

    def until(self, script, *arguments):
        """Waits until the script says something true, and returns it."""
        limit = time.monotonic() + WAIT
        while time.monotonic() < limit:
            if found := self.run("return " + script, *arguments):
                return found
            time.sleep(0.1)
        raise AssertionError(f"not so after {WAIT} seconds: {script} {arguments}")

    def find(self, css):
        self.until("[...document.querySelectorAll(arguments[0])].some(e => e.checkVisibility())", css)
        found = self.call("WebDriver:FindElements", {"using": "css selector", "value": css})
        for element in found:
            if self.run("return arguments[0].checkVisibility()", element):
                return element
        raise AssertionError(css)

    def click(self, name):
        self.click_at(f'[data-test="{name}"]')

    def click_at(self, css):
        element = self.find(css)
        self.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        self.call("WebDriver:ElementClick", {"id": element[ELEMENT]})

    def type(self, name, text):
        self.call("WebDriver:ElementSendKeys", {"id": self.find(f'[data-test="{name}"]')[ELEMENT], "text": text})

    def text(self, name):
        self.find(f'[data-test="{name}"]')
        return self.run("return document.querySelector(arguments[0]).innerText", f'[data-test="{name}"]')

    def choose(self, name, value):
        self.find(f'[data-test="{name}"]')
        self.run("const e = document.querySelector(arguments[0]); e.value = arguments[1];"
                 "e.dispatchEvent(new Event('change', { bubbles: true }))", f'[data-test="{name}"]', value)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
