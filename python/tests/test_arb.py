# SPDX-License-Identifier: Apache-2.0
"""Batch jobs of tau-ARGUS, with their files and without any."""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import subprocess

import pytest

import lacuna_sdc as lc

RECORDS = """\
N1 3 20
N1 1  2
N1 1 30
N1 3  8
N1 2  5
N2 1  5
N2 1  5
N2 3  8
N2 2 12
N2 1 12
S1 3  2
S1 2 12
S1 2  5
S1 2 30
S1 3  2
S2 1  3
S2 3 12
S2 2 12
S2 3 90
S2 3 80
"""

METADATA = """\
Reg 1 2
<RECODEABLE>
<TOTCODE> "Total"
<HIERARCHICAL>
<HIERCODELIST> "reg.hrc"
<HIERLEADSTRING> "@"
Size 4 1
<RECODEABLE>
<TOTCODE> "All"
V 6 2
<NUMERIC>
"""

READ = """\
<OPENMICRODATA> "m.asc"
<OPENMETADATA> "m.rda"
<SPECIFYTABLE> "Reg""Size"|"V"||
<SAFETYRULE> NK(1,75)|FREQ(3,30)
<READMICRODATA>
"""

JOB = (
    '<SOLVER> CPLEX,"licence"\n<LOGBOOK> "log.txt"\n'
    + READ
    + '<SUPPRESS> OPT(1)\n<WRITETABLE> (1,2,,"safe.csv")\n//lacuna: public 1 "public.json"\n'
)


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "m.asc").write_text(RECORDS)
    (tmp_path / "m.rda").write_text(METADATA)
    (tmp_path / "reg.hrc").write_text("N\n@N1\n@N2\nS\n@S1\n@S2\n")
    return tmp_path


def job(folder: pathlib.Path, text: str) -> pathlib.Path:
    path = folder / "demo.arb"
    path.write_text(text)
    return path


def test_nothing_is_written(folder: pathlib.Path) -> None:
    path = job(folder, JOB)
    before = sorted(os.listdir(folder))
    run = lc.run_arb(path, write=False)
    assert sorted(os.listdir(folder)) == before
    assert run.written == []
    (table,) = run.tables
    assert table.audit is not None and table.audit.verdict == "protected"
    assert "Start of batch" in run.log


def test_same_release_with_files_and_without(folder: pathlib.Path) -> None:
    path = job(folder, JOB)
    quiet = lc.run_arb(path, write=False).tables[0]
    run = lc.run_arb(path)
    written = run.tables[0]
    for frame in ("safe", "status", "unsafe"):
        assert getattr(quiet, frame)().to_dict() == getattr(written, frame)().to_dict()
    assert [pathlib.Path(name).name for name in run.written] == [
        "safe.csv",
        "safe.html",
        "public.json",
    ]
    # The file that readers get says the same as the frame.
    lines = (folder / "safe.csv").read_text().splitlines()[1:]
    shown = [line.rsplit(",", 1)[1] for line in lines]
    assert len(shown) == len(quiet.safe())
    for text, value, state in zip(
        shown, quiet.safe()["value"], quiet.safe()["state"], strict=True
    ):
        if state == "published":
            assert float(text) == value
        else:
            assert text == {"withheld": "x", "empty": "-"}[state]
            assert value is None
    # And the release is the one of the job's public file, audited again.
    assert quiet.release is not None
    again = lc.audit(quiet.release.problem, folder / "public.json")
    assert again.verdict == "protected"
    public = json.loads((folder / "public.json").read_text())
    withheld = [cell for cell in public["cells"] if cell["state"] == "withheld"]
    assert len(withheld) == quiet.release.published["state"].count("withheld")


def test_same_as_the_command_line(folder: pathlib.Path) -> None:
    program = os.environ.get("LACUNA_PROGRAM")
    if not program:
        pytest.skip("LACUNA_PROGRAM names no program to compare with")
    path = job(folder, JOB)
    run = lc.run_arb(path, threads=1)
    printed = subprocess.run(
        [program, "argus", "--quiet", "--json", "--threads", "1", str(path)],
        capture_output=True,
        check=True,
        timeout=60,
    )
    there, here = json.loads(printed.stdout), run.result
    for name in ("method", "status", "objective", "bound", "verdict", "suppressed", "written"):
        assert here[name] == there[name], name


def test_every_command_is_told_of(folder: pathlib.Path) -> None:
    notes = lc.run_arb(job(folder, JOB), write=False).notes
    assert [note.line for note in notes] == list(range(1, 11))
    by_command = {note.command.split()[0].strip("/:"): note for note in notes}
    assert by_command["<SOLVER>"].done == "done differently"
    assert by_command["<READMICRODATA>"].done == "done"
    assert by_command["<SUPPRESS>"].done == "done differently"
    assert by_command["<SUPPRESS>"].texts
    assert by_command["<WRITETABLE>"].texts[-1].endswith("is not written")
    assert str(by_command["<READMICRODATA>"]) == "7: <READMICRODATA>: done"


def test_a_refusal_says_what_was_done(folder: pathlib.Path) -> None:
    path = job(folder, READ + '<APRIORI> "none.hst",1,","\n<SUPPRESS> OPT(1)\n')
    with pytest.raises(lc.RefusedError) as caught:
        lc.run_arb(path, write=False)
    run = caught.value.run
    assert run is not None
    assert [note.done for note in run.notes[-2:]] == ["refused", "not reached"]
    assert "none.hst" in run.notes[-2].texts[-1]
    (table,) = run.tables
    assert table.release is None and table.audit is None
    assert len(table.status()) > 0
    with pytest.raises(lc.UnsupportedError, match="not protected"):
        table.safe()


def test_a_job_that_cannot_be_read(folder: pathlib.Path) -> None:
    with pytest.raises(lc.RefusedError, match="unknown command"):
        lc.run_arb(job(folder, "<NONSENSE>\n"))
    with pytest.raises(lc.RefusedError, match="does not exist"):
        lc.run_arb(folder / "none.arb")
    with pytest.raises(lc.OptionError):
        lc.run_arb(folder / "none.arb", data=folder / "none")


def test_data_elsewhere(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    other = tmp_path / "jobs"
    other.mkdir()
    run = lc.run_arb(job(other, READ + "<SUPPRESS> GH(1,75,1)\n"), data=folder, write=False)
    assert run.tables[0].counts["Safe"] > 0


def test_frames(folder: pathlib.Path) -> None:
    table = lc.run_arb(job(folder, JOB), write=False).tables[0]
    assert table.safe().names == ["Reg", "Size", "value", "state"]
    assert table.unsafe().names == ["Reg", "Size", "value", "frequency", "status"]
    assert table.status().names == ["Reg", "Size", "status", "why"]
    assert table.unsafe()["value"][0] == sum(int(line[5:]) for line in RECORDS.splitlines())
    pandas = pytest.importorskip("pandas")
    frame = table.status().to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert set(frame["status"]) <= set("SUPME")


def test_tables_protected_together_share_their_release(folder: pathlib.Path) -> None:
    text = (
        '<OPENMICRODATA> "m.asc"\n<OPENMETADATA> "m.rda"\n'
        '<SPECIFYTABLE> "Reg""Size"|"V"||\n<SAFETYRULE> NK(1,75)|FREQ(3,30)\n'
        '<SPECIFYTABLE> "Size"|"V"||\n<SAFETYRULE> NK(1,75)|FREQ(3,30)\n'
        "<READMICRODATA>\n<SUPPRESS> OPT(0)\n"
    )
    run = lc.run_arb(job(folder, text), write=False)
    first, second = (table.release for table in run.tables)
    assert first is not None and second is not None
    assert first.to_dict() == second.to_dict()
    assert list(first.tables) == ["table 1", "table 2"]
    safe = dict(zip(run.tables[1].safe()["Size"], run.tables[1].safe()["value"], strict=True))
    shown = first.tables["table 2"].to_dict()
    assert safe == dict(zip(shown["Size"], shown["value"], strict=True))


def test_a_release_is_like_any_other(folder: pathlib.Path) -> None:
    release = lc.run_arb(job(folder, JOB), write=False).tables[0].release
    assert release is not None
    assert lc.verify(release.problem, release.certificate).verdict == "protected"
    release.write(folder / "out.csv")
    assert (folder / "out.csv").read_text().count("\n") == len(release) + 1
    again = pickle.loads(pickle.dumps(release))
    assert again.to_dict() == release.to_dict()
    assert "<html" in release.report(public=True)


def test_nothing_confidential_is_shown(folder: pathlib.Path) -> None:
    run = lc.run_arb(job(folder, JOB), write=False)
    table = run.tables[0]
    safe = table.safe().to_dict()
    hidden = {
        f"{value:g}"
        for value, state in zip(table.unsafe()["value"], safe["state"], strict=True)
        if state == "withheld"
    }
    counts = {str(count) for count in table.counts.values()}
    for text in (repr(table), table._repr_html_()):
        words = set("".join(c if c.isalnum() else " " for c in text).split())
        assert not words & (hidden - counts - {"1"})
    assert repr(run).startswith("<ArgusRun: 1 tables; commands: ")
    assert "<table" in run._repr_html_()
