#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `lacuna infer` says of a published table alone must be what `lacuna audit` says with the truth at hand, on
random tables of one to three dimensions, with hierarchies, blanks, ranges and rounded numbers; and every certificate
must be confirmed by scripts/verify_certificate.py from the public file alone.

  infer_property_test.py LACUNA [--tables N] [--seed S]
"""
import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "verify_certificate.py"


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def tree_of(draw, letter):
    """A total with two to four parts, some of them with parts of their own: code -> parts."""
    total, parts = "Total", {}
    parts[total] = [f"{letter}{i}" for i in range(draw.randint(2, 4))]
    if draw.random() < 0.4:
        for code in list(parts[total]):
            if draw.random() < 0.5:
                parts[code] = [f"{code}{i}" for i in range(draw.randint(2, 3))]
    return parts


def codes_of(tree, code="Total"):
    yield code
    for part in tree.get(code, []):
        yield from codes_of(tree, part)


def leaves_of(tree, code):
    parts = tree.get(code, [])
    return [leaf for part in parts for leaf in leaves_of(tree, part)] if parts else [code]


CONTRADICTED = []  # tables whose rounded numbers do not add up


class Drawn:
    """A true table, and what was published of it."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.trees = [tree_of(draw, letter) for letter in "abc"[:draw.choice([1, 2, 2, 2, 3])]]
        self.names = [f"d{i}" for i in range(len(self.trees))]
        self.flat = all(len(tree) == 1 for tree in self.trees)
        leaves = {key: draw.choice([0, 1, 3, draw.randint(1, 20), draw.randint(10, 1000)])
                  for key in itertools.product(*[leaves_of(tree, "Total") for tree in self.trees])}
        self.values = {key: sum(leaves[leaf] for leaf in itertools.product(*map(leaves_of, self.trees, key)))
                       for key in itertools.product(*[list(codes_of(tree)) for tree in self.trees])}
        share = draw.choice([0.15, 0.3, 0.5])
        self.kind = draw.choice(["blanks", "blanks", "ranges", "rounded", "counts"])
        self.base = draw.choice([4, 10])  # halves are whole
        self.hidden = {key for key in self.values if draw.random() < share and set(key) != {"Total"}}
        if not self.hidden:
            self.hidden = {next(key for key in self.values if set(key) != {"Total"})}

    def job(self, table):
        lines = ["[input]", f'table = "{table}"', "[columns]", 'value = "value"']
        for name, tree in zip(self.names, self.trees):
            lines += ["[[dimension]]", f'name = "{name}"']
            if len(tree) == 1:
                lines.append('total = "Total"')
                continue
            lines.append("[[dimension.tree]]")
            lines += [f"{code} = [{', '.join(json.dumps(part) for part in parts)}]" for code, parts in tree.items()]
        return "\n".join(lines) + "\n"

    def rounded(self, value):
        return (value + self.base // 2) // self.base * self.base

    def printed(self, key):
        value = self.values[key]
        if key in self.hidden:
            return "<5" if self.kind == "ranges" and value < 5 else "x"
        return str(self.rounded(value) if self.kind == "rounded" else value)

    def statement(self, key):
        """Value, state, lower and upper as our own public files say it."""
        value, text = self.values[key], self.printed(key)
        if text == "x":
            return ";withheld;;"
        if text == "<5":
            return ";interval;0;5"
        if self.kind != "rounded":
            return f"{value};published;;"
        number, half = self.rounded(value), self.base / 2
        low, high = max(0, number - half), number + half
        return f"{number};altered;{low:g};{high:g}"

    def write(self, folder):
        head = ";".join(self.names)
        (folder / "true.csv").write_text(head + ";value\n" + "".join(
            ";".join(key) + f";{value}\n" for key, value in self.values.items()))
        (folder / "true.toml").write_text(self.job("true.csv"))
        (folder / "public.csv").write_text(head + ";value\n" + "".join(
            ";".join(key) + f";{self.printed(key)}\n" for key in self.values))
        (folder / "public.toml").write_text(self.job("public.csv"))
        (folder / "release.csv").write_text(head + ";value;state;lower;upper\n" + "".join(
            ";".join(key) + f";{self.statement(key)}\n" for key in self.values))


def by_codes(cells, names):
    found = {}
    for cell in cells:
        codes = cell["codes"]
        key = tuple(codes[name] for name in names) if isinstance(codes, dict) else tuple(codes)
        found[key] = tuple(None if end is None else Fraction(str(end)) for end in
                           (cell.get("lower_exact", cell["lower"]), cell.get("upper_exact", cell["upper"])))
    return found


def differences(drawn, folder):
    """What is wrong with this table: a list of sentences."""
    drawn.write(folder)
    options = {"rounded": ["--rounded-to", drawn.base], "counts": ["--counts"]}.get(drawn.kind, [])
    public = folder / ("public.csv" if drawn.flat and drawn.base == 4 else "public.toml")
    certificate = folder / "inference.json"
    code, out, err = run(LACUNA, "infer", public, *options, "--json", "--quiet", "--certificate", certificate)
    if code not in (0, 2):
        return [f"infer ended with {code}: {err}"]
    said = json.loads(out)
    inferred = by_codes([{**cell, **cell.get("real", {})} for cell in said["cells"]], drawn.names)
    code, out, err = run(LACUNA, "audit", folder / "true.toml", "--pattern", folder / "release.csv", "--all", "--json",
                         "--quiet")
    if code not in (0, 2, 5):
        return [f"audit ended with {code}: {err}"]
    told = json.loads(out)
    audited = by_codes(told["cells"], drawn.names)
    wrong = [f"{key}: infer {inferred.get(key)}, audit {audited.get(key)}" for key in sorted(drawn.hidden)
             if inferred.get(key) is None or inferred.get(key) != audited.get(key)]
    wrong += [f"{key}: {low} to {high} leaves out {drawn.values[key]}" for key, (low, high) in
              by_codes(said["cells"], drawn.names).items()
              if (low is not None and low > drawn.values[key]) or (high is not None and high < drawn.values[key])]
    wrong += ["the numbers are called contradictory"] if said["contradicted"] else []
    code, out, err = run(sys.executable, SCRIPT, "--public", certificate, folder / "public.csv")
    if code != 0:
        wrong.append(f"the certificate is not confirmed: {out}{err}")
    if drawn.kind == "rounded":
        wrong += contradictions(drawn, folder, certificate)
    return wrong


def contradictions(drawn, folder, certificate):
    """The same file without a word on its rounding: numbers are corrected, and the certificate holds for these."""
    public = folder / "public.toml"
    code, out, err = run(LACUNA, "infer", public, "--json", "--quiet", "--certificate", certificate)
    if code not in (0, 2):
        return [f"without --rounded-to infer ended with {code}: {err}"]
    said = json.loads(out)
    wrong = []
    if said["contradicted"] != bool(said["corrections"]):
        wrong.append("contradicted, and no corrections")
    if not said["least_correction"]:
        wrong.append("the correction is not shown to be the least")
    off = sum(abs(each["corrected"] - float(each["published"])) for each in said["corrections"] if " " not in each["published"])
    truth = sum(abs(drawn.rounded(value) - value) for key, value in drawn.values.items() if key not in drawn.hidden)
    if off > truth:
        wrong.append(f"corrected by {off}, and the truth is {truth} away")
    code, out, err = run(sys.executable, SCRIPT, "--public", certificate, folder / "public.csv")
    if code != 0:
        wrong.append(f"the certificate of the corrected numbers is not confirmed: {out}{err}")
    if said["contradicted"]:
        CONTRADICTED.append(1)
    return wrong + beside_the_fitting_truth(drawn, folder, said, json.loads(certificate.read_text()))


def beside_the_fitting_truth(drawn, folder, said, certificate):
    """The intervals of corrected numbers are those that the audit finds for the corrected table: the one that fits is
    taken for the truth, every number that was published is published as corrected, and the blanks are withheld."""
    unit = Fraction(1, 10 ** certificate["knowledge"]["decimals"])
    fitting = {tuple(cell["codes"]): item["value"] * unit
               for cell, item in zip(certificate["cells"], certificate["problem"]["cells"])}
    wrong = []
    for key, value in fitting.items():
        parts = next(([(*key[:d], part, *key[d + 1:]) for part in tree[key[d]]] for d, tree in enumerate(drawn.trees)
                      if key[d] in tree), None)
        if parts and value != sum(fitting[part] for part in parts):
            wrong.append(f"the corrected table does not add up at {key}")
    by_cell = {tuple(cell["codes"]): cell for cell in certificate["cells"]}
    moved = {tuple(each["codes"][name] for name in drawn.names) for each in said["corrections"]}
    for key in set(fitting) - drawn.hidden - moved:
        if fitting[key] != Fraction(by_cell[key]["from"][0]["number"]):
            wrong.append(f"{key} was corrected without a word")
    places = certificate["knowledge"]["decimals"]
    printed = {key: f"{float(value):.{places}f}" if places else str(value) for key, value in fitting.items()}
    head = ";".join(drawn.names)
    (folder / "fitting.csv").write_text(head + ";value\n" + "".join(f"{';'.join(key)};{printed[key]}\n" for key in printed))
    (folder / "fitting.toml").write_text(drawn.job("fitting.csv"))
    (folder / "corrected.csv").write_text(head + ";value;state\n" + "".join(
        ";".join(key) + (";;withheld\n" if key in drawn.hidden else f";{printed[key]};published\n") for key in printed))
    code, out, err = run(LACUNA, "audit", folder / "fitting.toml", "--pattern", folder / "corrected.csv", "--all", "--json", "--quiet")
    if code not in (0, 2, 5):
        return wrong + [f"the audit of the corrected table ended with {code}: {err}"]
    inferred = by_codes([{**cell, **cell.get("real", {})} for cell in said["cells"]], drawn.names)
    audited = by_codes(json.loads(out)["cells"], drawn.names)
    return wrong + [f"{key}, corrected: infer {inferred.get(key)}, audit {audited.get(key)}" for key in sorted(drawn.hidden)
                    if inferred.get(key) is None or inferred.get(key) != audited.get(key)]


def main():
    failed, kinds = 0, {}
    for seed in range(ARGUMENTS.seed, ARGUMENTS.seed + ARGUMENTS.tables):
        drawn = Drawn(seed)
        with tempfile.TemporaryDirectory() as folder:
            wrong = differences(drawn, pathlib.Path(folder))
        kinds[drawn.kind] = kinds.get(drawn.kind, 0) + 1
        for sentence in wrong:
            print(f"seed {seed} ({drawn.kind}): {sentence}")
        failed += bool(wrong)
    print(f"{ARGUMENTS.tables} tables {kinds}, {len(CONTRADICTED)} of which contradict themselves: {failed} failed")
    return 1 if failed or (kinds.get("rounded", 0) > 5 and not CONTRADICTED) else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("lacuna")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    ARGUMENTS = parser.parse_args()
    LACUNA = ARGUMENTS.lacuna
    sys.exit(main())
