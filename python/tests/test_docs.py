# SPDX-License-Identifier: Apache-2.0
"""The page about the package: its blocks are run one after the other."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import pytest

DOCS = pathlib.Path(__file__).resolve().parent.parent.parent / "docs"


@pytest.mark.skipif(not DOCS.exists(), reason="there is no documentation beside the tests")
def test_python_page(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 6
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "python.md", "exec"), names)
    assert {"turnover.csv", "office.html", "proof.json", "office.json"} <= {
        file.name for file in tmp_path.iterdir()
    }
