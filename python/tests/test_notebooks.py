# SPDX-License-Identifier: Apache-2.0
"""The notebooks run from begin to end, and are saved without what they show."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

NOTEBOOKS = pathlib.Path(__file__).resolve().parent.parent / "notebooks"


def saved(name: str) -> dict[str, Any]:
    notebook: dict[str, Any] = json.loads((NOTEBOOKS / name).read_text())
    return notebook


def outputs_of(name: str, folder: pathlib.Path) -> tuple[str, list[str]]:
    """Runs a notebook; what it shows, as text, and the kinds of all that it shows."""
    for module in ("ipykernel", "matplotlib", "pandas", "polars"):
        pytest.importorskip(module)
    nbclient: Any = pytest.importorskip("nbclient")
    nbformat: Any = pytest.importorskip("nbformat")
    notebook = nbformat.read(NOTEBOOKS / name, as_version=4)
    nbclient.NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=240,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    shown = [
        output
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    assert all(output.output_type != "error" for output in shown)
    data = [output.data for output in shown if "data" in output]
    kinds = [kind for each in data for kind in each]
    return "\n".join(str(each.get("text/plain", "")) for each in data), kinds


def test_there_are_three() -> None:
    assert [path.name for path in sorted(NOTEBOOKS.glob("*.ipynb"))] == [
        "1_records_to_release.ipynb",
        "2_somebody_elses_table.ipynb",
        "3_methods_compared.ipynb",
    ]


@pytest.mark.parametrize("name", [path.name for path in sorted(NOTEBOOKS.glob("*.ipynb"))])
def test_saved_without_outputs(name: str) -> None:
    for cell in saved(name)["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            assert all(len(line.rstrip("\n")) <= 100 for line in cell["source"])


def test_records_to_release(tmp_path: pathlib.Path) -> None:
    text, kinds = outputs_of("1_records_to_release.ipynb", tmp_path)
    assert "<Audit: exposed" in text
    assert "<Release: protected by suppress" in text
    assert "Verification(verdict='protected'" in text
    assert "text/html" in kinds
    lines = (tmp_path / "turnover.csv").read_text().splitlines()
    assert lines[0] == "sector;region;value;state"
    assert sum(line.endswith("withheld") for line in lines) == 14
    assert (tmp_path / "turnover.html").exists() and (tmp_path / "certificate.json").exists()
    assert "f000" not in text  # no respondent


def test_somebody_elses_table(tmp_path: pathlib.Path) -> None:
    text, _ = outputs_of("2_somebody_elses_table.ipynb", tmp_path)
    assert "<Audit: exposed; 0 of 5 requirements hold>" in text
    assert "compared with the earlier release: 5 cells kept, 0 dropped" in text
    before, after = text.split("<Release: protected")
    assert before.count("exposed") == 4 and before.count("protected") == 0
    assert after.count("exposed") == 0 and after.count("protected") == 3


def test_methods_compared(tmp_path: pathlib.Path) -> None:
    text, kinds = outputs_of("3_methods_compared.ipynb", tmp_path)
    assert kinds.count("image/png") == 3
    for method in ("suppress", "interval", "combined", "round", "adjust"):
        (row,) = (line for line in text.splitlines() if line.startswith(method) and "pro" in line)
        assert row.split()[2] == "protected"
