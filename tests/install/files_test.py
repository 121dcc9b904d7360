#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is installed beside program and library is where it belongs: a page of the manual for every
command, completions, documentation whose links lead somewhere, examples that run, the licence and the
list of what is linked in.

  files_test.py <cmake> <build folder>
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    cmake, build = sys.argv[1:]
    cache = (pathlib.Path(build) / "CMakeCache.txt").read_text()
    failures = []
    with tempfile.TemporaryDirectory() as name:
        prefix = pathlib.Path(name) / "prefix"
        subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True, capture_output=True)
        share = prefix / "share"
        doc = share / "doc" / "lacuna"
        lacuna = prefix / "bin" / "lacuna"
        wanted = [doc / file for file in ("README.md", "CHANGELOG.md", "LICENSE", "docs/install.md", "examples/sales.toml")]
        if not re.search("^LACUNA_MANUAL:.*=OFF$", cache, re.M):
            wanted += [share / file for file in ("bash-completion/completions/lacuna", "man/man1/lacuna.1",
                       "zsh/site-functions/_lacuna", "fish/vendor_completions.d/lacuna.fish")]  # fmt: skip
            page = subprocess.run([lacuna, "--man"], capture_output=True, text=True, check=True).stdout
            commands = re.findall(r"^\\fB(lacuna\\-[a-z\\-]+)\\fR\(1\)", page, re.M)
            wanted += [share / "man" / "man1" / (command.replace("\\", "") + ".1") for command in commands]
            if len(commands) < 10:
                failures.append(f"lacuna(1) names {len(commands)} pages")
        if not re.search("^LACUNA_SBOM:.*=OFF$", cache, re.M):
            wanted.append(doc / "lacuna.spdx.json")
        failures += [f"{file.relative_to(prefix)} is missing or empty" for file in wanted
                     if not file.is_file() or not file.stat().st_size]  # fmt: skip
        if (doc / "lacuna.spdx.json").is_file():
            version = subprocess.run([lacuna, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
            packages = json.loads((doc / "lacuna.spdx.json").read_text())["packages"]
            if packages[0]["versionInfo"] != version:
                failures.append(f"the list is of {packages[0]['versionInfo']}, the program is {version}")
        subprocess.run([lacuna, "protect", doc / "examples" / "sales.toml", "--quiet"], check=True, capture_output=True)
        for page in doc.rglob("*.md"):
            for link in re.findall(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)", page.read_text()):
                target = (page.parent / link).resolve()
                # Sources are not installed.
                if not target.exists() and re.match(r"(docs|examples)/", str(target.relative_to(doc.resolve()))):
                    failures.append(f"{page.relative_to(doc)}: {link} leads nowhere")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(wanted)} files, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
