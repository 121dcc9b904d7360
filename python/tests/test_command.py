# SPDX-License-Identifier: Apache-2.0
"""The command of the package is the program: same output, exit codes and answer to signals."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import pytest

from lacuna_sdc import __version__, _core

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
SALES = str(SOURCE / "examples" / "sales.toml")
PACKAGE = [sys.executable, "-m", "lacuna_sdc"]


def run(command: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, timeout=120, check=False
    )


def program() -> list[str]:
    path = os.environ.get("LACUNA_PROGRAM", "")
    if not path:
        pytest.skip("LACUNA_PROGRAM names no program to compare with")
    return [path]


def test_version() -> None:
    assert __version__ == _core.version()
    assert run(PACKAGE, "--version").stdout == f"lacuna {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["show", SALES], ["protct", SALES], ["protect", "nowhere.csv"], []],
)
def test_same_as_the_program(arguments: list[str]) -> None:
    ours, theirs = run(PACKAGE, *arguments), run(program(), *arguments)
    theirs.stdout = theirs.stdout.replace(program()[0], "lacuna")  # its own name in the help
    assert (ours.returncode, ours.stdout, ours.stderr) == (
        theirs.returncode,
        theirs.stdout,
        theirs.stderr,
    )


def test_same_release_as_the_program(tmp_path: pathlib.Path) -> None:
    for name, command in (("ours", PACKAGE), ("theirs", program())):
        done = run(command, "protect", SALES, "--public", str(tmp_path / f"{name}.csv"), "--quiet")
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "ours.csv").read_bytes() == (tmp_path / "theirs.csv").read_bytes()


def test_exit_codes_without_leaving(capfd: pytest.CaptureFixture[str]) -> None:
    assert _core.main(["lacuna", "--version"]) == 0
    assert _core.main(["lacuna", "nonsense"]) == 1
    captured = capfd.readouterr()
    assert captured.out == f"lacuna {__version__}\n"  # flushed before the call returns
    assert "there is no command 'nonsense'" in captured.err


def test_signals_as_before() -> None:
    # Its own handlers: a process that was started in the background ignores Ctrl-C.
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, signal.default_int_handler) for number in numbers]
    try:
        assert _core.main(["lacuna", "audit", SALES, "--quiet"]) in (0, 2)
        for number in numbers:
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), number)
                time.sleep(10)  # the handler of Python runs in between
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def test_closed_pipe() -> None:
    """Whoever stops reading ends the command, silently."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PACKAGE, "--reference"], stdout=writing, stderr=subprocess.PIPE, timeout=120, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


def test_name_that_is_no_utf8(tmp_path: pathlib.Path) -> None:
    name = os.fsdecode(bytes(tmp_path) + b"/sales-\xff.csv")
    shutil.copyfile(SOURCE / "examples" / "sales.csv", name)
    assert _core.main(["lacuna", "convert", name, str(tmp_path / "out.json")]) in (0, 1)
    with pytest.raises(TypeError):
        _core.main(["lacuna", 1])  # type: ignore[list-item]


def test_interrupt_stops_the_run(tmp_path: pathlib.Path) -> None:
    """Ctrl-C while a run is under way: the audited best so far is written, if there is one."""
    problem, result, log = (tmp_path / name for name in ("problem.json", "result.json", "log"))
    shape = ["--kind", "hierarchical", "--depths", "4", "4", "--sensitive-percent", "5"]
    assert run(PACKAGE, "generate", str(problem), *shape).returncode == 0
    with log.open("w") as output:
        child = subprocess.Popen(
            [*PACKAGE, "protect", str(problem), "-o", str(result), "--effort", "best"],
            stdout=output,
            stderr=output,
        )
        while child.poll() is None and not catches_interrupt(child.pid):
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        child.wait(timeout=240)
    assert "stopped" in log.read_text()
    assert child.returncode == (0 if result.exists() else 3), log.read_text()


def catches_interrupt(pid: int) -> bool:
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
    caught = next(line for line in status.splitlines() if line.startswith("SigCgt:"))
    mask = int(caught.split()[1], 16)
    # Python catches SIGINT by itself, and SIGTERM only while a job runs.
    return bool(mask >> (signal.SIGTERM - 1) & 1)
