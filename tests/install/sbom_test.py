#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The list of what is linked in (scripts/sbom) has all that is: every library that program and shared
libraries load, every library of their link lines, and every library that src/layers.txt knows, each
with a version and a licence. A list without one of them must be found at fault.

  sbom_test.py <build folder> <source folder>
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

PRODUCTS = ["lacuna", "lib/liblacuna.so", "lib/liblacuna_c.so"]
# Words of src/layers.txt, and what they are called in the list. None: part of the system, or of a
# package that is built apart.
WORDS = {"gmp": "GMP", "fmt": "fmt", "threads": None, "dl": None, "eigen": "Eigen", "highs": "HiGHS",
         "clp": "Clp", "json": "JSON for Modern C++", "toml": "toml++", "zlib": "zlib", "lzma": "xz",
         "pugixml": "pugixml", "readstat": "ReadStat", "system": None,
         "boost": "Boost", "cli11": "CLI11", "nanobind": None, "r": None}  # fmt: skip
# Features without which a build has no such library.
FEATURES = {"highs": "LACUNA_HIGHS", "clp": "LACUNA_CLP", "boost": "LACUNA_SERVE",
            "pugixml": "LACUNA_WORKBOOKS", "readstat": "LACUNA_READSTAT"}  # fmt: skip
# Of a link line, by the file's name.
ARCHIVES = {"highs": "HiGHS", "ClpSolver": "Clp", "Clp": "Clp", "CoinUtils": "CoinUtils", "gmp": "GMP",
            "gmpxx": "GMP", "z": "zlib", "lzma": "xz", "fmt": "fmt", "tomlplusplus": "toml++", "ssl": "OpenSSL",
            "crypto": "OpenSSL", "pugixml": "pugixml", "readstat": "ReadStat", "bz2": "bzip2", "lapack": "LAPACK", "blas": "LAPACK"}  # fmt: skip


def output(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=True).stdout


def loaded(build):
    """Names of shared libraries, by the loader and by the files themselves."""
    names = set()
    for product in PRODUCTS:
        if (build / product).exists():
            names |= set(re.findall(r"Shared library: \[(\S+)\]", output("readelf", "-d", build / product)))
            names |= {pathlib.Path(p).name for p in re.findall(r"^\s*(\S+) (?:=>|\()", output("ldd", build / product), re.M)}
    return {name for name in names if not name.startswith(("liblacuna", "linux-vdso", "linux-gate"))}


def linked(build):
    """Libraries on the link lines that are none of the build's own."""
    rules = build / "build.ninja"
    if not rules.exists():
        print("not built by Ninja: link lines were not looked at")
        return set()
    text = rules.read_text()
    names = set()
    for product in ("lacuna", r"lib/liblacuna\.so\.[\d.]+", r"lib/liblacuna_c\.so\.[\d.]+"):
        for line in re.findall(rf"^build {product}[: ].*\n(?:  .*\n)*?  LINK_LIBRARIES = (.*)$", text, re.M):
            for word in line.split():
                file = re.fullmatch(r"(?:\S*/)?lib([\w+-]+?)\.(?:so|a)[\d.]*", word)
                if file and not re.match(r"(lacuna|src/|apps/|bench/|c/)", word) and not file[1].startswith("lacuna"):
                    names.add(file[1])
    if not names:
        sys.exit("build.ninja has no link line that this test can read")
    return names


def off(build):
    """Words whose feature this build is without."""
    known = {line.split("\t")[0] for line in (build / "components.tsv").read_text().splitlines()}
    return {word for word in FEATURES if WORDS[word] not in known}


def faults(document, build, source):
    packages = {package["name"]: package for package in document["packages"]}
    said = {word for p in packages.values() for word in re.findall(r"[\w.+-]+", p.get("comment", ""))}
    for name in sorted(loaded(build) - said):
        yield f"{name} is loaded and not in the list"
    for name in sorted(linked(build)):
        if ARCHIVES.get(name) is None:
            yield f"{name} is linked and this test does not know it"
        # Of Clp's own three the loader knows which are needed.
        elif ARCHIVES[name] not in packages and name not in ("bz2", "lapack", "blas"):
            yield f"{name} is linked and not in the list"
    words = set(re.findall(r"\S+", " ".join(re.findall(r"^  libraries +(.*)", (source / "src/layers.txt").read_text(), re.M))))
    for word in sorted(words - off(build)):
        if word not in WORDS:
            yield f"src/layers.txt: this test does not know the library {word}"
        elif WORDS[word] and WORDS[word] not in packages:
            yield f"{WORDS[word]} is compiled in and not in the list"
    components = {line.split("\t")[0] for line in (build / "components.tsv").read_text().splitlines()}
    for name in sorted(components - set(packages)):
        yield f"{name} is part of this build and not in the list"
    for name in sorted(components & set(packages)):
        if packages[name]["versionInfo"] == "NOASSERTION" or packages[name]["licenseDeclared"] == "NOASSERTION":
            yield f"{name} has no version or no licence"
    known = {package["SPDXID"] for package in packages.values()}
    related = {relation["relatedSpdxElement"] for relation in document["relationships"]}
    if known != related or len(known) != len(document["packages"]):
        yield f"packages and relationships differ: {sorted(known ^ related)}"


def main():
    build, source = (pathlib.Path(each).resolve() for each in sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        first, second = pathlib.Path(folder) / "1.json", pathlib.Path(folder) / "2.json"
        for target in (first, second):
            subprocess.run([sys.executable, source / "scripts" / "sbom", build, target], check=True)
        if first.read_bytes() != second.read_bytes():
            sys.exit("two runs write different lists")
        document = json.loads(first.read_text())
    found = list(faults(document, build, source))
    for name in [package["name"] for package in document["packages"] if package["name"] != "lacuna"]:
        less = json.loads(json.dumps(document))
        less["packages"] = [package for package in less["packages"] if package["name"] != name]
        if not [fault for fault in faults(less, build, source) if not fault.startswith("packages and")]:
            found.append(f"nobody misses {name}")
    for fault in found:
        print(fault, file=sys.stderr)
    print(f"{len(document['packages'])} packages, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
