#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the libFuzzer programs of the preset `fuzz`, one target after the other, and keeps what they
found: `make fuzz SECONDS=60 TARGET=certificate`.

Every input that reaches something new stays in build-fuzz/corpus/<target>, where the next run goes
on. Of these the few that reach most go to tests/fuzz/corpus/<target>, which the seeded test replays;
files there that were named by hand are never touched. A crash, a hang or a leak ends the run of its
target, is kept in build-fuzz/found/<target>, and makes the exit code 1.

Seconds are those of the processor, so that a busy machine tries as much as an idle one.

  scripts/fuzz.py --seconds N [--target NAME]... [--jobs N]
  scripts/fuzz.py --self-test
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-fuzz"
PROGRAMS = BUILD / "tests" / "fuzz"
KEPT = ROOT / "tests" / "fuzz" / "corpus"
HASH = re.compile(r"[0-9a-f]{40}")  # how libFuzzer names an input
MOST_FILES = 12  # per target: with 12 targets about 150 files
MOST_BYTES = 20_000  # per target
LIMITS = ["-max_len=6000", "-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=0"]


def choose(features, sizes, taken):
    """A greedy cover: the input with most features that `taken` lacks, again and again, until the
    limits of the kept corpus are reached. `features` and `sizes` by name."""
    chosen, seen, room = [], set(taken), MOST_BYTES
    left = dict(features)
    while len(chosen) < MOST_FILES:
        fitting = [name for name in left if sizes[name] <= room]
        best = max(fitting, key=lambda name: (len(left[name] - seen), -sizes[name], name), default=None)
        if best is None or not left[best] - seen:
            break
        chosen.append(best)
        seen |= left.pop(best)
        room -= sizes[best]
    return chosen


def read_control(text):
    """The control file of a merge: how many inputs, how many of them first, their names, and then
    lines 'FT index feature...'. Gives the features by name."""
    lines = text.splitlines()
    count = int(lines[0])
    names = lines[2 : 2 + count]
    features = {name: set() for name in names}
    for line in lines[2 + count :]:
        words = line.split()
        if words[:1] == ["FT"]:
            features[names[int(words[1])]] = set(map(int, words[2:]))
    return features


def features_of(program, folders):
    with tempfile.TemporaryDirectory() as scratch:
        control = pathlib.Path(scratch) / "control"
        out = pathlib.Path(scratch) / "out"
        out.mkdir()
        command = [program, "-merge=1", f"-merge_control_file={control}", *LIMITS, out, *folders]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return read_control(control.read_text())


def keep(program, target, work):
    """Puts the chosen inputs into the corpus of the tree, in place of those chosen before."""
    folder = KEPT / target
    by_hand = [file for file in folder.iterdir() if not HASH.fullmatch(file.name)]
    features = features_of(program, [work, folder])
    taken = set()
    for file in by_hand:
        taken |= features.get(str(file), set())
    found = {pathlib.Path(name): seen for name, seen in features.items() if HASH.fullmatch(pathlib.Path(name).name)}
    chosen = choose(found, {file: file.stat().st_size for file in found}, taken)
    contents = {file.name: file.read_bytes() for file in chosen}
    for file in folder.iterdir():
        if HASH.fullmatch(file.name):
            file.unlink()
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return len(contents)


def processor_seconds(process):
    """What a running program has used; an ended one has used nothing more."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run_for(command, seconds, log):
    """The exit code of a program that is interrupted after so many seconds of the processor; libFuzzer then ends
    with 0."""
    with log.open("w") as out, subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT) as process:
        while process.poll() is None:
            if processor_seconds(process.pid) >= seconds:
                process.send_signal(signal.SIGINT)
                break
            time.sleep(0.2)
        return process.wait()


def run(target, seconds, seeds):
    """Whether the target found nothing; prints one line."""
    program = PROGRAMS / f"fuzz_{target}"
    work = BUILD / "corpus" / target
    found = BUILD / "found" / target
    for folder in (work, found):
        folder.mkdir(parents=True, exist_ok=True)
    command = [program, *LIMITS, f"-artifact_prefix={found}/"]
    dictionary = ROOT / "tests" / "fuzz" / "words.dict"
    command += [f"-dict={dictionary}", work, KEPT / target, seeds / target]
    log = BUILD / "found" / f"{target}.log"
    code = run_for(command, seconds, log)
    runs = re.findall(r"^#(\d+)\s", log.read_text(errors="replace"), re.M)
    line = f"{target}: {runs[-1] if runs else 0} runs, "
    if code != 0:
        new = sorted(found.iterdir(), key=lambda file: file.stat().st_mtime)
        repeat = f"{program} {new[-1]}" if new else f"see {log}"
        print(line + f"FAILED; repeat with: {repeat}", flush=True)
        return False
    print(line + f"nothing found, {keep(program, target, work)} inputs kept", flush=True)
    return True


def self_test():
    control = "3\n1\na\nb\nc\nSTARTED 0 4\nFT 0 1 2\nCOV 0 7\nSTARTED 1 4\nFT 1 2 3 4\nSTARTED 2 1\nFT 2 4\n"
    features = read_control(control)
    assert features == {"a": {1, 2}, "b": {2, 3, 4}, "c": {4}}, features
    sizes = {"a": 1, "b": 1, "c": 1}
    assert choose(features, sizes, set()) == ["b", "a"]
    assert choose(features, sizes, {1, 2, 3, 4}) == []
    assert choose(features, {**sizes, "b": MOST_BYTES + 1}, set()) == ["a", "c"]
    many = {i: {i} for i in range(2 * MOST_FILES)}
    assert len(choose(many, dict.fromkeys(many, 1), set())) == MOST_FILES
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch) / "log"
        assert run_for([sys.executable, "-c", "print('said'); raise SystemExit(3)"], 60, log) == 3
        assert log.read_text() == "said\n"
        busy = "import signal, sys\nsignal.signal(signal.SIGINT, lambda *_: sys.exit(0))\nwhile True: pass"
        assert run_for([sys.executable, "-c", busy], 1, log) == 0
    print("fuzz: the self-test passed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--target", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    known = sorted(file.name for file in KEPT.iterdir())
    unknown = set(options.target) - set(known)
    if unknown:
        sys.exit(f"fuzz: there is no target {', '.join(sorted(unknown))}; known: {', '.join(known)}")
    with tempfile.TemporaryDirectory() as scratch:
        seeds = pathlib.Path(scratch)
        subprocess.run([PROGRAMS / "fuzz_write_seeds", seeds], check=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            clean = list(pool.map(lambda target: run(target, options.seconds, seeds), options.target or known))
    sys.exit(0 if all(clean) else 1)


if __name__ == "__main__":
    main()
