#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parts of the build that may be left out: off, they are; asked for and missing, configure ends with
a sentence that says what to do; and the summary says what came of it. Nothing is looked for in a
home folder, and nothing is fetched.

  options_test.py <cmake> <source folder> <prefix of HiGHS, may be empty>
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

FEATURES = ["LACUNA_HIGHS", "LACUNA_CLP", "LACUNA_SERVE", "LACUNA_TLS", "LACUNA_MANUAL", "LACUNA_SBOM",
            "LACUNA_WORKBOOKS", "LACUNA_READSTAT"]  # fmt: skip
LEAST = ["-DLACUNA_TESTS=OFF", "-DLACUNA_BENCH=OFF", "-DLACUNA_BENCH_SETS=OFF", "-DCMAKE_BUILD_TYPE=Release"]
failures = []


def configure(cmake, source, build, *options):
    env = {k: v for k, v in os.environ.items() if k not in ("HOME", "LACUNA_HIGHS_PREFIX", "XDG_CACHE_HOME", "LACUNA_CACHE")}
    env["HOME"] = str(build / "nobody")
    done = subprocess.run([cmake, "-S", source, "-B", build, "-G", "Ninja", *LEAST, *options],
                          capture_output=True, text=True, env=env)  # fmt: skip
    # Long sentences are broken over lines.
    return done.returncode, re.sub(r"\s+", " ", done.stdout + done.stderr)


def expect(condition, text):
    if not condition:
        failures.append(text)


def says(text, name, state):
    found = re.search(rf"{name}: (ON|OFF)(?: \(AUTO\))?, (.*?)(?= -- )", text)
    expect(found and found[1] == state and found[2], f"the summary does not say {name}: {state}")


def main():
    cmake, source, highs = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        build = root / "build"
        given = [f"-DLACUNA_HIGHS_PREFIX={highs}"] if highs else []

        # As much as possible is left out, one after the other in the same folder.
        code, text = configure(cmake, source, build, *(f"-D{f}=OFF" for f in FEATURES if f != "LACUNA_CLP"))
        expect(code == 0, f"all OFF but Clp: {text[-500:]}")
        for feature in FEATURES:
            says(text, feature, "ON" if feature == "LACUNA_CLP" else "OFF")
        expect("no integer programs" in text, "nobody says what Clp alone means")
        code, text = configure(cmake, source, build, "-DLACUNA_CLP=OFF")
        expect(code != 0 and "There is no engine" in text, "a build without any engine is taken")
        code, text = configure(cmake, source, build, "-DLACUNA_CLP=maybe")
        expect(code != 0 and "must be ON, OFF or AUTO" in text, "LACUNA_CLP=maybe is taken")

        # Asked for and missing.
        nothing = ["-DCMAKE_DISABLE_FIND_PACKAGE_HIGHS=ON", "-DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON",
                   "-DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON", "-DLACUNA_BOOST_INCLUDE_DIR=LACUNA_BOOST_INCLUDE_DIR-NOTFOUND",
                   "-DCMAKE_SYSTEM_IGNORE_PATH=/usr/include;/usr/local/include"]  # fmt: skip
        auto = ["-DLACUNA_CLP=AUTO", "-DLACUNA_HIGHS=OFF", "-DLACUNA_SERVE=OFF", "-DLACUNA_TLS=OFF"]
        for feature, remedy in (("LACUNA_HIGHS", "LACUNA_HIGHS_PREFIX"), ("LACUNA_SERVE", "Boost_ROOT"),
                                ("LACUNA_TLS", "libssl-dev"), ("LACUNA_WORKBOOKS", "libpugixml-dev"),
                                ("LACUNA_READSTAT", "libreadstat-dev")):  # fmt: skip
            code, text = configure(cmake, source, build, *auto, *nothing, f"-D{feature}=ON")
            expect(code != 0 and f"{feature} is ON, but there is no" in text and remedy in text,
                   f"{feature}=ON without what it needs: {text[-300:]}")  # fmt: skip
            code, text = configure(cmake, source, build, *auto, *nothing, f"-D{feature}=AUTO")
            expect(code == 0, f"{feature}=AUTO without what it needs: {text[-300:]}")
            says(text, feature, "OFF")

        # Found by headers alone, as where Boost brings no package of CMake.
        headers = root / "boost" / "include" / "boost"
        headers.mkdir(parents=True)
        (headers / "beast.hpp").write_text("")
        for number, state in ((108100, "ON"), (107400, "OFF")):
            (headers / "version.hpp").write_text(f"#define BOOST_VERSION {number}\n")
            code, text = configure(cmake, source, build, *auto, *nothing, "-DLACUNA_SERVE=AUTO",
                                   "-ULACUNA_BOOST_INCLUDE_DIR", f"-DBoost_ROOT={root / 'boost'}")  # fmt: skip
            expect(code == 0, f"Boost {number}: {text[-300:]}")
            says(text, "LACUNA_SERVE", state)
        code, text = configure(cmake, source, root / "second", *given, "-DLACUNA_CLP=OFF")
        if highs:
            expect(code == 0, f"HiGHS alone: {text[-300:]}")
            says(text, "LACUNA_HIGHS", "ON")
            says(text, "LACUNA_CLP", "OFF")
        # Flags of the linker that GNU's knows are used.
        rules = (root / "second" / "build.ninja").read_text() if code == 0 else ""
        for flag in ("-z,defs", "--exclude-libs,ALL", "-z,nodelete", "--as-needed", "--version-script="):
            expect(not rules or sys.platform != "linux" or flag in rules, f"the link line lacks {flag}")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
