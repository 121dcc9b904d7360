#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the library into a temporary folder and builds examples/embed against it: with g++ and, if
it is there, clang++; shared and static by CMake, shared by pkg-config. Each program must print the
table it is known to print. The shared library must show names of lacuna alone, and none of the
solver's. No header needs one of GMP.

  embed_test.py <cmake> <build folder> <examples/embed>
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

EXPECTED = (pathlib.Path(__file__).parent / "embed.expected").read_text()


def run(*command, env=None):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=env)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def compilers():
    yield "g++"
    for name in ("clang++", "clang++-14"):
        if shutil.which(name):
            yield name
            return
    print("no clang++ here: g++ alone")


def must_print(program, env=None):
    printed = run(program, env=env)
    if printed != EXPECTED:
        sys.exit(f"{program} printed\n{printed}instead of\n{EXPECTED}")


def by_cmake(cmake, compiler, static, example, prefix, build):
    run(cmake, "-S", example, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", f"-Dlacuna_USE_STATIC={'ON' if static else 'OFF'}",
        "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")  # fmt: skip
    run(cmake, "--build", build)
    must_print(build / "embed")
    linked = "liblacuna.so" in run("ldd", build / "embed")
    if linked == static:
        sys.exit(f"{build}: linked with the wrong library")


def flags_of(library, *kinds):
    env = dict(os.environ, PKG_CONFIG_PATH=str(library / "pkgconfig"))
    return run("pkg-config", *kinds, "lacuna", env=env).split()


def by_pkg_config(compiler, example, library, program):
    run(compiler, "-std=c++20", example / "main.cpp", "-o", program,
        *flags_of(library, "--cflags", "--libs"))  # fmt: skip
    must_print(program, env=dict(os.environ, LD_LIBRARY_PATH=str(library)))


def without_gmp(compiler, headers, library, folder):
    """All public headers in one program, where headers of GMP stop the compiler."""
    folder.mkdir()
    for name in ("gmp.h", "gmpxx.h"):
        (folder / name).write_text("#error a header of Lacuna includes one of GMP\n")
    program = folder / "all.cpp"
    lines = [f'#include "lacuna/{header.name}"' for header in sorted(headers.glob("*.h"))]
    lines.append("int main() { return lacuna::Integer::parse(\"12\") == lacuna::Integer(12) ? 0 : 1; }")
    program.write_text("\n".join(lines) + "\n")
    run(compiler, "-std=c++20", f"-I{folder}", program, "-o", folder / "all",
        *flags_of(library, "--cflags", "--libs"))  # fmt: skip
    run(folder / "all", env=dict(os.environ, LD_LIBRARY_PATH=str(library)))


def check_symbols(shared):
    """Functions and objects alone: inline functions of the standard library are weak and may show."""
    shown = [line.split(maxsplit=2) for line in run("nm", "-DC", "--defined-only", shared).splitlines()]
    strong = [name for _, kind, name in shown if kind in "TDBR"]
    foreign = [n for n in strong if not n.startswith(("lacuna::", "typeinfo", "vtable", "_init", "_fini"))]
    solver = [name for _, _, name in shown if name.startswith(("Highs", "HEkk", "Clp", "ipx::"))]
    if not strong or foreign or solver:
        sys.exit(f"{shared} shows what it should not: {foreign[:5]} {solver[:5]} ({len(strong)} names)")
    for inner in ("lacuna::suppression::", "lacuna::heuristic::", "lacuna::io::", "lacuna::lp::"):
        if any(name.startswith(inner) for name in strong):
            sys.exit(f"{shared} shows {inner}, which no public header declares")
    print(f"{shared.name}: {len(strong)} names")


def main():
    cmake, build, example = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        prefix = root / "prefix"
        run(cmake, "--install", build, "--prefix", prefix)
        shared = next(prefix.rglob("liblacuna.so"))
        check_symbols(shared)
        run(prefix / "bin" / "lacuna", "--version")
        for compiler in compilers():
            for static in (False, True):
                by_cmake(cmake, compiler, static, example, prefix, root / f"{compiler}-{static}")
            by_pkg_config(compiler, example, shared.parent, root / f"{compiler}-pc")
            without_gmp(compiler, prefix / "include" / "lacuna", shared.parent, root / f"{compiler}-all")
            print(f"{compiler}: shared, static, pkg-config, without headers of GMP")


if __name__ == "__main__":
    main()
