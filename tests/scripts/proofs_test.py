#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The proofs of proof/coq hold, rest on no axiom, and the code that is kept is what Coq extracts from them.

  proofs_test.py FOLDER     where Coq writes what it makes; exit code 77 where there is no Coq

A proof with a gap, and an axiom, have to be noticed: the test tries both."""
import pathlib
import shutil
import subprocess
import sys

PROOF = pathlib.Path(__file__).resolve().parents[2] / "proof"
LEFT_OUT = 77


def checked(folder, sources):
    return subprocess.run(["make", "-s", "-C", sources, "proofs", f"WORK={folder}"], capture_output=True, text=True,
                          check=False)


def touched(folder, file, old, new):
    """A copy of the proofs with another text in one file."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PROOF, folder)
    path = folder / file
    text = path.read_text()
    assert old in text, f"{file} does not have '{old}' any more"
    path.write_text(text.replace(old, new, 1))
    return folder


def main(folder):
    if shutil.which("coqc") is None:
        print("left out: coqc is not there; scripts/setup --with-proof installs what the proofs need")
        return LEFT_OUT
    folder.mkdir(parents=True, exist_ok=True)
    done = checked(folder / "work", PROOF)
    print(done.stdout + done.stderr)
    if done.returncode != 0:
        return 1
    wrong = [("an axiom that a theorem uses", "coq/Assumptions.v", "Print Assumptions ranges_are_judged_right.",
              "Axiom shortcut : 1 = 2.\nTheorem with_gap : 2 = 1. Proof. symmetry; exact shortcut. Qed.\n"
              "Print Assumptions with_gap."),
             ("a checker that takes every level for met", "coq/Checker.v", "Z.leb (level * d) n", "Z.leb n n"),
             ("other code than Coq's", "extracted/checker.ml", "let rec all_zero", "let rec all_zero ")]
    for what, file, old, new in wrong:
        shutil.rmtree(folder / "touched-work", ignore_errors=True)
        shutil.copytree(folder / "work", folder / "touched-work")
        if checked(folder / "touched-work", touched(folder / "touched", file, old, new)).returncode == 0:
            print(f"not noticed: {what}")
            return 1
        print(f"noticed: {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
