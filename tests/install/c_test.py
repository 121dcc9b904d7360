#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The C interface as others see it. Installs the library into a temporary folder, builds
examples/embed_c against it as C99 with every warning an error, by CMake and by pkg-config, with gcc
and, if it is there, clang, and compares what it prints with what the program says of the same two
tables. The program of docs/c.md must do what the page says. Then Python calls the library without a line of C, by ctypes. The library must show the
functions of its header and nothing else.

  c_test.py <cmake> <build folder> <examples>
"""

import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
# The table of examples/embed_c/table.c as files.
TABLE = """region;size;status;value
N;a;u;11\nN;b;f;22\nN;All;f;33\nS;a;f;31\nS;b;f;44\nS;All;f;75\nAll;a;f;42\nAll;b;f;66\nAll;All;f;108
"""
JOB = """[input]
table = "sizes.csv"
[columns]
value = "value"
status = "status"
[[dimension]]
name = "region"
total = "All"
[[dimension]]
name = "size"
total = "All"
"""


def run(*command, env=None, cwd=None):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=env, cwd=cwd)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def compilers():
    yield "gcc"
    for name in ("clang", "clang-14"):
        if shutil.which(name):
            yield name
            return
    print("no clang here: gcc alone")


def by_the_program(lacuna, job, public, *options):
    """The verdict and the public file, as the example prints them."""
    summary = json.loads(run(lacuna, "protect", job, "--public", public, "--json", *options))
    return f"{summary['verdict']}\n{public.read_text()}"


def expected(lacuna, examples, root):
    (root / "sizes.csv").write_text(TABLE)
    (root / "sizes.toml").write_text(JOB)
    rounded = ("--method", "round", "--base", "5", "--threads", "1")
    return by_the_program(lacuna, examples / "sales.toml", root / "1.csv") + by_the_program(
        lacuna, root / "sizes.toml", root / "2.csv", *rounded
    )


def must_print(program, job, wanted, env=None):
    printed = run(program, job, env=env)
    if printed != wanted:
        sys.exit(f"{program} printed\n{printed}instead of\n{wanted}")


def by_cmake(cmake, compiler, example, prefix, build):
    run(cmake, "-S", example, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_C_FLAGS={' '.join(WARNINGS[1:])}")  # fmt: skip
    run(cmake, "--build", build)
    return build / "embed_c"


def by_pkg_config(compiler, example, library, program):
    env = dict(os.environ, PKG_CONFIG_PATH=str(library / "pkgconfig"))
    flags = run("pkg-config", "--cflags", "--libs", "lacuna_c", env=env).split()
    run(compiler, *WARNINGS, example / "main.c", example / "table.c", "-o", program, *flags)
    return program


def check_symbols(shared, header):
    """What the header declares is there, and nothing else is."""
    declared = set(re.findall(r"^LACUNA_C_API [^(;]*?\b(lacuna_\w+)\(", header.read_text(), re.M))
    lines = run("nm", "-D", "--defined-only", shared).splitlines()
    shown = {line.split()[-1].split("@")[0] for line in lines if line.split()[-2] != "A"}
    if not declared or shown != declared:
        sys.exit(f"{shared} and {header} differ in {sorted(shown ^ declared)[:10]}")
    print(f"{shared.name}: {len(shown)} functions")


def page_program(page, library, root):
    """The blocks of docs/c.md one after the other are a program."""
    env = dict(os.environ, PKG_CONFIG_PATH=str(library / "pkgconfig"))
    flags = run("pkg-config", "--cflags", "--libs", "lacuna_c", env=env).split()
    blocks = re.findall(r"^```c\n(.*?)^```$", page.read_text(), re.M | re.S)
    (root / "page.c").write_text("\n".join(blocks))
    run("gcc", *WARNINGS, root / "page.c", "-o", root / "page", *flags)
    return root / "page"


def check_page(page, library, examples, root):
    program = page_program(page, library, root)
    env = dict(os.environ, LD_LIBRARY_PATH=str(library))
    printed = run(program, examples / "sales.toml", examples / "published.csv", env=env, cwd=root)
    for wanted in ("some blanks are too narrow\n", "audit: protected\ncertificate: protected\nprotected\n", ";;withheld\n"):
        if wanted not in printed:
            sys.exit(f"the program of {page} printed\n{printed}without\n{wanted}")
    for name in ("release.csv", "result.json", "certificate.json", "report.html"):
        if not (root / name).is_file():
            sys.exit(f"the program of {page} wrote no {name}")
    print(f"{page.name}: runs")


# ---- another language, without a compiler


class Library:
    """Handles are addresses; what a call gives comes back, or its error is raised."""

    def __init__(self, shared):
        self.c = ctypes.CDLL(str(shared))
        self.c.lacuna_error_message.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        out, error = ctypes.c_void_p(), ctypes.c_void_p()
        arguments = [a.encode() if isinstance(a, str) else a for a in arguments]
        if getattr(self.c, name)(*arguments, ctypes.byref(out), ctypes.byref(error)):
            raise ValueError(self.c.lacuna_error_message(error).decode())
        return out

    def text(self, name, *arguments):
        text = self.call(name, *arguments)
        return ctypes.string_at(text).decode()


def by_ctypes(shared, job, root):
    library = Library(shared)
    problem = library.call("lacuna_problem_read", job, None, None)
    release = library.call("lacuna_problem_protect", problem, None, None, None)
    verdict = library.text("lacuna_release_verdict", release)
    out = root / "ctypes.csv"
    error = ctypes.c_void_p()
    options = json.dumps({"public": str(out)}).encode()
    if library.c.lacuna_release_save(release, options, ctypes.byref(error)):
        sys.exit("ctypes: nothing was saved")
    wanted = (root / "1.csv").read_text()
    if verdict != "protected" or out.read_text() != wanted:
        sys.exit(f"by ctypes: {verdict}\n{out.read_text()}instead of\n{wanted}")
    try:
        library.call("lacuna_problem_protect", problem, '{"metod": "round"}', None, None)
        sys.exit("ctypes: an option that does not exist was taken")
    except ValueError as refused:
        if "method" not in str(refused):
            sys.exit(f"ctypes: {refused}")
    for handle, free in ((release, "lacuna_release_free"), (problem, "lacuna_problem_free")):
        getattr(library.c, free)(handle)
    print("ctypes")


def main():
    cmake, build, examples = sys.argv[1], *(pathlib.Path(each).resolve() for each in sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        prefix = root / "prefix"
        run(cmake, "--install", build, "--prefix", prefix)
        shared = next(prefix.rglob("liblacuna_c.so"))
        check_symbols(shared, prefix / "include" / "lacuna.h")
        wanted = expected(prefix / "bin" / "lacuna", examples, root)
        for compiler in compilers():
            program = by_cmake(cmake, compiler, examples / "embed_c", prefix, root / compiler)
            must_print(program, examples / "sales.toml", wanted)
            program = by_pkg_config(compiler, examples / "embed_c", shared.parent, root / f"{compiler}-pc")
            env = dict(os.environ, LD_LIBRARY_PATH=str(shared.parent))
            must_print(program, examples / "sales.toml", wanted, env)
            print(f"{compiler}: CMake, pkg-config")
        check_page(examples.parent / "docs" / "c.md", shared.parent, examples, root)
        by_ctypes(shared, str(examples / "sales.toml"), root)


if __name__ == "__main__":
    main()
