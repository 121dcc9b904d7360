#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Peers of the bench, with stand-ins for the real ones: one withholds the primaries alone, which the audit must find
exposed; one says that it cannot be installed, which is a line of the summary and no failure.

  bench_peers.py LACUNA"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile

STAND_IN = """#!/usr/bin/env python3
import json, sys
peer, problem, pattern, seconds = sys.argv[1:]
if peer == "pytauargus":
    print("the stand-in is not for such tables", file=sys.stderr)
    sys.exit(5)
cells = json.load(open(problem))["cells"]
open(pattern, "w").write("".join(f"{i}\\n" for i, cell in enumerate(cells) if cell.get("status") == "primary"))
print(json.dumps({"seconds": 0.25, "version": "1.2"}))
"""


def main(lacuna):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        runner = folder / "run_peer"
        runner.write_text(STAND_IN)
        runner.chmod(0o755)
        done = subprocess.run([lacuna, "bench", "serpell", "--tables", "2", "--peers", "-o", folder / "out"],
                              capture_output=True, text=True, check=False,
                              env=os.environ | {"LACUNA_PEER_RUNNER": str(runner)})
        with (folder / "out" / "rows.csv").open(newline="") as file:
            rows = {row["method"]: row for row in csv.DictReader(file)}
    failures = []
    if done.returncode != 0:
        failures.append(f"exit {done.returncode}: {done.stderr}")
    peer = rows.get("gconfid", {})
    if (peer.get("verdict"), peer.get("engine"), peer.get("secondary")) != ("exposed", "gconfid 1.2", "0"):
        failures.append(f"the peer's row is {peer}")
    if "pytauargus" in rows or "the stand-in is not for such tables" not in done.stdout:
        failures.append("what cannot be run is not said")
    if rows.get("suppress", {}).get("verdict") != "protected":
        failures.append("ours is not protected")
    print("\n".join(failures) or "as expected")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
