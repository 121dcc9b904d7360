#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/dist makes without a compiler: the source archive, the same in two runs; the recipes of package
managers, with its address and checksums; checksums of all of it; and their signature, where there is minisign.

  dist_test.py <source folder> [<program>]

The program, if given, runs what the recipe of Homebrew tests it with."""
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

SKIPPED = 77
URL = "https://downloads.lacuna.invalid/releases"
RECIPES = {"conda/recipe.yaml", "homebrew/lacuna.rb", "r-universe/packages.json", "vcpkg/portfile.cmake",
           "vcpkg/vcpkg.json"}


def dist(source, folder, *options, code=0):
    done = subprocess.run([source / "scripts/dist", *options, folder], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stderr


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def check_archive(archive, source):
    with tarfile.open(archive) as packed:
        names = set(packed.getnames())
    listed = subprocess.run(["git", "-C", source, "ls-tree", "-r", "--name-only", "-z", "HEAD"], capture_output=True,
                            text=True, check=True).stdout.split("\0")
    root = archive.name.removesuffix(".tar.gz")
    missing = {f"{root}/{name}" for name in listed if name} - names
    assert not missing, sorted(missing)[:5]


def check_recipes(folder, archive):
    made = {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()}
    assert made == RECIPES, made
    texts = {name: (folder / name).read_text() for name in made}
    for name, text in texts.items():
        assert not re.search(r"@[A-Z0-9]+@", text), f"{name} has a gap"
    data = archive.read_bytes()
    version = archive.name.removeprefix("lacuna-").removesuffix(".tar.gz")
    for name in ("conda/recipe.yaml", "homebrew/lacuna.rb"):
        assert hashlib.sha256(data).hexdigest() in texts[name], name
    assert hashlib.sha512(data).hexdigest() in texts["vcpkg/portfile.cmake"]
    for name in ("conda/recipe.yaml", "homebrew/lacuna.rb", "vcpkg/portfile.cmake"):
        assert f"{URL}/{archive.name}" in texts[name], name
    assert json.loads(texts["vcpkg/vcpkg.json"])["version"] == version
    assert json.loads(texts["r-universe/packages.json"])[0]["url"] == URL


def check_sums(folder):
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, check=True)
    listed = {line.split("  ", 1)[1] for line in (folder / "SHA256SUMS").read_text().splitlines()}
    assert listed == {name for name in contents(folder) if not name.startswith("SHA256SUMS")}


def check_signature(source, root):
    folder, key = root / "signed", root / "secret"
    subprocess.run(["minisign", "-G", "-W", "-p", root / "public", "-s", key], check=True, capture_output=True)
    dist(source, folder, "--parts", "source", "--key", key)
    verify = ["minisign", "-V", "-p", root / "public", "-m", folder / "SHA256SUMS"]
    assert subprocess.run(verify, check=False, capture_output=True).returncode == 0
    with open(folder / "SHA256SUMS", "a", encoding="utf-8") as sums:
        sums.write("0" * 64 + "  another\n")
    assert subprocess.run(verify, check=False, capture_output=True).returncode != 0


def check_formula(text, program, folder):
    table = re.search(r"<<~CSV\n(.*?)\n +CSV\n", text, re.S)[1]
    (folder / "table.csv").write_text(re.sub(r"^ +", "", table, flags=re.M) + "\n")
    words = re.search(r'system bin/"lacuna", (.*)', text)[1]
    subprocess.run([program, *json.loads(f"[{words}]")], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def main(source, program=None):
    if subprocess.run(["git", "-C", source, "rev-parse"], capture_output=True, check=False).returncode != 0:
        print("git: this tree is no clone, and scripts/dist begins with one")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        said = dist(source, root / "a", "--parts", "source,recipes", "--url", URL + "/")
        assert "is not signed" in said, said
        archive, = (root / "a").glob("lacuna-*.tar.gz")
        check_archive(archive, source)
        check_recipes(root / "a/recipes", archive)
        check_sums(root / "a")
        said = dist(source, root / "b", "--parts", "source,recipes")
        assert "recipes are left out" in said and not (root / "b/recipes").exists(), said
        assert (root / "b" / archive.name).read_bytes() == archive.read_bytes(), "two runs, two archives"
        assert "must be one of" in dist(source, root / "c", "--parts", "sorce", code=1)
        assert "there is no key" in dist(source, root / "c", "--parts", "source", "--key", root / "none", code=1)
        assert not (root / "c").exists()
        if program:
            check_formula((root / "a/recipes/homebrew/lacuna.rb").read_text(), pathlib.Path(program).resolve(), root)
        if shutil.which("minisign"):
            check_signature(source, root)
        else:
            print("minisign: it is not there, and signatures were not tested")
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), *sys.argv[2:]))
