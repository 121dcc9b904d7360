#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/run_peer tells the programs of others, and how it ends them. None of them is needed."""
import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "run_peer"


def load():
    loader = importlib.machinery.SourceFileLoader("run_peer", str(SCRIPT))
    spec = importlib.util.spec_from_loader("run_peer", loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def problem():
    """Two dimensions, one with two levels; values with one decimal."""
    region = {"name": "region", "codes": ["T", "a", "b"], "relations": [{"parent": 0, "children": [1, 2]}]}
    branch = {"name": "branch", "codes": ["all", "x", "x1", "x2", "y"],
              "relations": [{"parent": 0, "children": [1, 4]}, {"parent": 1, "children": [2, 3]}]}
    cells = [{"value": 300, "lower": 0, "upper": None, "weight": 2.5, "status": "free", "codes": [0, 0]},
             {"value": 125, "lower": 0, "upper": 900, "status": "primary", "frequency": 1, "codes": [1, 2]}]
    needs = [{"cell": 1, "attacker": 0, "lower": 15, "upper": 20, "sliding": 40},
             {"cell": 1, "attacker": 1, "lower": 99, "upper": 99}]
    return {"decimals": 1, "dimensions": [region, branch], "cells": cells, "requirements": needs}


def check_terms(peer):
    given = peer.in_own_unit(problem())
    assert [cell["value"] for cell in given["cells"]] == [30, 12.5]
    assert given["cells"][0]["upper"] is None
    assert peer.levels_of(given) == {1: (2, 2)}, "half of the sliding level, of the outsider alone"
    tiny = {"requirements": [{"cell": 3, "sliding": 0.00001}, {"cell": 4, "sliding": 8}]}
    assert peer.levels_of(tiny) == {3: (0, 1), 4: (4, 4)}, "what is too small for them becomes 1"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        peer.write_argus_job(given, folder, 1, 1)
        assert (folder / "dim0.hrc").read_text() == "c00001\nc00002\n"
        assert (folder / "dim1.hrc").read_text() == "c00001\n@c00002\n@c00003\nc00004\n"
        metadata = (folder / "table.rda").read_text()
        assert metadata.count("<HIERARCHICAL>") == 1, "a flat dimension has no tree"
        lines = (folder / "table.tab").read_text().splitlines()
        assert lines[1] == "c00001;c00002;12.500000;1.000000;1;U;2.000000;2.000000", lines[1]
        assert "MOD(1,1,1,1,1)" in (folder / "job.arb").read_text()


def check_refusals(peer):
    two_trees = {"codes": ["T", "a", "b"], "relations": [{"parent": 0, "children": [1]}, {"parent": 0, "children": [2]}]}
    no_total = {"codes": ["T", "a"], "relations": []}
    for dimension in (two_trees, no_total):
        try:
            peer.tree_of(dimension)
        except peer.Cannot:
            continue
        raise AssertionError("a dimension that is no tree was taken")
    done = subprocess.run([sys.executable, SCRIPT, "nobody", "a", "b", "1"], capture_output=True, text=True, check=False)
    assert done.returncode == 2, "a tool that nobody knows"


def check_end(peer):
    peer.TO_START = 0
    # Its child would go on for an hour and keep the output open.
    hangs = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(3600)'])"
    assert peer.run_limited([sys.executable, "-c", hangs], 0.5) == peer.LATE
    assert peer.run_limited([sys.executable, "-c", "import sys; sys.exit(5)"], 60) == peer.CANNOT
    assert peer.run_limited([sys.executable, "-c", "import os; os.abort()"], 60) > 128


def main():
    peer = load()
    check_terms(peer)
    check_refusals(peer)
    check_end(peer)
    print("as expected")


if __name__ == "__main__":
    main()
