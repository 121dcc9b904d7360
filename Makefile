# SPDX-License-Identifier: Apache-2.0
# The everyday commands. Each one begins with scripts/setup, which says what it will install, and does
# nothing once the machine is ready. CMAKE_ARGS is passed to CMake's configure step.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build
.NOTPARALLEL:

JOBS ?= $(shell nproc)
TEST_JOBS ?= 2
CMAKE_ARGS ?=
SOURCES = $$(find $(wildcard include src apps bench c python r tests) -name '*.h' -o -name '*.cpp')

ifeq ($(LACUNA_WITHOUT_HIGHS),1)
export LACUNA_WITHOUT_HIGHS
override CMAKE_ARGS += -DLACUNA_HIGHS=OFF
else
override CMAKE_ARGS += -DLACUNA_HIGHS=AUTO
endif

.PHONY: help plan setup setup-static configure build all test test-all test-offline run-tests test-core sanitized check setup-python setup-r setup-engines setup-guests demo bench fuzz reference layers format tidy install deb sbom portable python wheel sdist r r-source setup-site site proof clean

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

plan:  ## say what scripts/setup would install on this machine
	@scripts/setup --print-plan

setup:
	@scripts/setup

# What is passed on has HiGHS inside.
setup-static:
	@scripts/setup --with-static-highs

HIGHS = -DLACUNA_HIGHS_PREFIX="$$(scripts/setup --print-highs)"

# With the packages for Python and R where scripts/setup --with-python and --with-r found all that
# they need.
configure: setup
	python=$$(scripts/setup --print-python); r=$$(scripts/setup --print-r); \
	cmake --preset release $(HIGHS) \
	  -DLACUNA_PYTHON=$${python:+ON} -DLACUNA_PYTHON_EXECUTABLE="$$python" \
	  -DLACUNA_R=$${r:+ON} -DLACUNA_R_EXECUTABLE="$$r" \
	  -DLACUNA_ENGINES_PYTHON="$$(scripts/setup --print-engines)" $(CMAKE_ARGS)

build: configure  ## build the program: build/lacuna
	cmake --build --preset release --parallel $(JOBS) --target lacuna
	@test -x build/lacuna
	@echo "build: the program is build/lacuna"

all: configure  ## build the program, the tests and the benchmarks
	cmake --build --preset release --parallel $(JOBS)
	@test -x build/lacuna

check:  ## check the dependency and style rules, and that the checks work
	scripts/check_layers.py --self-test
	scripts/check_layers.py
	scripts/layers_page.py --self-test
	scripts/layers_page.py --check
	scripts/floors.py --check
	scripts/check_style.py --self-test
	scripts/check_style.py
	scripts/check_python_imports.py --self-test
	scripts/check_python_imports.py
	scripts/fuzz.py --self-test
	scripts/left_out.py --self-test
	scripts/check_data.py --self-test
	scripts/check_data.py
	scripts/unity_groups.py --self-test
	scripts/r_check --self-test
	scripts/site.py --self-test
	scripts/readability.py --self-test

setup-python:
	@scripts/setup --with-python

setup-r:
	@scripts/setup --with-r

setup-engines:
	@scripts/setup --with-engines

setup-guests:
	@scripts/setup --with-guests

test: NOT_RUN = -LE '^(engines|slow)$$'
test: setup-python setup-r all run-tests  ## build everything, run the tests and checks that each change needs
	@echo "test: all tests and checks passed; the long ones, and those with other programs, run by make test-all"

test-all: export LACUNA_TESTS = whole
test-all: export SANITIZE_PRESET = asan
test-all: export SANITIZE_POINTERS = ON
test-all: setup-static setup-python setup-r setup-engines setup-guests all run-tests  ## run every test there is
	cmake --build --preset release --parallel $(JOBS) --target bench_programs
	@test -n "$$(scripts/setup --print-engines)" || \
	  echo "test: WITHOUT ENGINES: Spark, Dask and Ray were not tested (see above)" >&2
	@test -n "$$(scripts/setup --print-guests)" || \
	  echo "test: WITHOUT GUESTS: ACRO, dbt and a client of MCP were not tested with (see above)" >&2
	@echo "test: all tests and checks passed"

run-tests:
	@scripts/setup --with-clang
	@scripts/setup --with-duckdb
	@scripts/setup --with-browser
	@scripts/setup --with-site
	ctest --preset release --parallel $(TEST_JOBS) $(NOT_RUN) \
	  --output-junit "$(CURDIR)/build/tests.xml" \
	  --test-output-size-passed 1000000 --test-output-size-failed 1000000
	@$(MAKE) --no-print-directory sanitized
	@$(MAKE) --no-print-directory check
	@test -n "$$(scripts/setup --print-python)" || \
	  echo "test: WITHOUT PYTHON: the Python package was neither built nor tested (see above)" >&2
	@test -n "$$(scripts/setup --print-r)" || \
	  echo "test: WITHOUT R: the R package was neither built nor tested (see above)" >&2
	@command -v chromium >/dev/null && test -n "$$(scripts/setup --print-browser)" || \
	  echo "test: WITHOUT A BROWSER: the page of lacuna serve was not tested in Chromium (see above)" >&2
	@scripts/left_out.py build/tests.xml

# Needs no network and nothing but Debian's packages.
test-offline: all  ## the tests that need no network and no further set-up
	ctest --preset release --parallel $(TEST_JOBS) -L '^offline$$' -LE '^slow$$'

# What reads files of others and what checks evidence, under the address and undefined-behaviour
# sanitizers: compiled by clang without optimizing, in groups of files and without the checks of pointers
# before each use, all of which save the compiler's time (docs/results/build.md). `make test-all` takes
# g++, which optimizes, with these checks; the whole suite under all of them, file by file, and under the
# thread sanitizer: the presets asan and tsan.
SANITIZE_PRESET ?= sanitized
SANITIZE_POINTERS ?= OFF
SANITIZED = unit_base unit_table unit_draft unit_columns unit_files unit_formats unit_spec unit_infer unit_problems \
  unit_policies unit_publish unit_certificate unit_jobfile unit_ptable_files unit_argus unit_attack unit_audit fuzz_readers
sanitized:  ## readers and evidence under sanitizers
	@scripts/setup --with-fuzzer
	cmake --preset $(SANITIZE_PRESET) -DLACUNA_UNITY=ON -DLACUNA_SANITIZE_POINTERS=$(SANITIZE_POINTERS) $(HIGHS) $(CMAKE_ARGS)
	cmake --build --preset $(SANITIZE_PRESET) --parallel $(JOBS) --target $(SANITIZED)
	ctest --preset $(SANITIZE_PRESET) --parallel $(TEST_JOBS) -R '^($(subst $() ,|,$(SANITIZED)))$$'

demo: build  ## build the program and show it at work
	scripts/demo

bench: all  ## run the micro benchmarks
	@test -f bench/CMakeLists.txt || { echo "bench: this tree has no benchmarks" >&2; exit 1; }
	cmake --build --preset release --target run_bench

# SECONDS of the processor per target; TARGET names one (default: all).
fuzz: SECONDS = 60
fuzz:  ## let libFuzzer attack the readers: make fuzz SECONDS=60 TARGET=certificate
	@scripts/setup --with-fuzzer
	cmake --preset fuzz $(HIGHS) $(CMAKE_ARGS)
	cmake --build --preset fuzz --parallel $(JOBS)
	scripts/fuzz.py --seconds $(SECONDS) $(addprefix --target ,$(TARGET))

reference: configure  ## write docs/options.md, the page of all options
	cmake --build --preset release --parallel $(JOBS) --target lacuna_bench
	build/lacuna-bench --reference > docs/options.md

layers:  ## write the tables of docs/architecture.md that src/layers.txt makes
	scripts/layers_page.py

format:  ## format all sources in place
	clang-format-14 -i $(SOURCES)

tidy: setup  ## run clang-tidy on all sources
	LACUNA_HIGHS_PREFIX="$$(scripts/setup --print-highs)" cmake --workflow --preset tidy

# PREFIX: where to. LIBDIR: the folder of libraries below it.
PREFIX ?= /usr/local
LIBDIR ?= lib
install: setup-static  ## install program, library and headers: make install PREFIX=/opt/lacuna
	cmake --preset release $(HIGHS) \
	  -DCMAKE_INSTALL_PREFIX="$(PREFIX)" -DCMAKE_INSTALL_LIBDIR="$(LIBDIR)" $(CMAKE_ARGS)
	cmake --build --preset release --parallel $(JOBS) --target lacuna_install
	cmake --install build

deb: setup-static  ## Debian packages of program and library: build/packages/*.deb
	@scripts/setup --with-packaging
	cmake --preset release $(HIGHS) \
	  -DCMAKE_INSTALL_PREFIX=/usr \
	  -DCMAKE_INSTALL_LIBDIR="lib/$$(dpkg-architecture -qDEB_HOST_MULTIARCH)" \
	  -DLACUNA_ZSH_DIR=share/zsh/vendor-completions $(CMAKE_ARGS)
	cmake --build --preset release --parallel $(JOBS) --target lacuna_install
	cd build && cpack
	@ls build/packages/*.deb

sbom: configure  ## the list of all that is linked in (SPDX): build/lacuna.spdx.json
	cmake --build --preset release --parallel $(JOBS) --target lacuna_sbom
	@ls build/lacuna.spdx.json

portable: setup-static  ## a tarball with a program that needs nothing but the C library
	cmake --preset portable $(HIGHS) $(CMAKE_ARGS)
	cmake --build --preset portable --parallel $(JOBS)
	scripts/portable

# scikit-build-core takes CMAKE_ARGS from the environment.
python: setup-static setup-python build  ## build the wheel, install it into a new environment, test it there
	CMAKE_ARGS="$(CMAKE_ARGS)" LACUNA_PROGRAM="$(CURDIR)/build/lacuna" scripts/wheel --test

wheel: setup-static setup-python  ## the Python package as a wheel: build-wheel/dist/*.whl
	CMAKE_ARGS="$(CMAKE_ARGS)" scripts/wheel

sdist: setup-python  ## the source distribution of the Python package: build-wheel/dist/*.tar.gz
	scripts/wheel --sdist

r-source: setup setup-r  ## the source package of the R package: build-r/lacuna_*.tar.gz
	scripts/r_package

r: r-source  ## build the source package for R and check it as CRAN does
	@scripts/setup --with-r-check
	scripts/r_check

setup-site:
	@scripts/setup --with-site

# Needs no network once scripts/setup has what it needs, and neither do those who read it.
site: setup-site  ## the pages as a site to read in a browser, searchable, links checked: build/site
	@python=$$(scripts/setup --print-site); \
	test -n "$$python" || { echo "site: what makes the site could not be had (see above)" >&2; exit 1; }; \
	scripts/site.py --out build/site --python "$$python"

proof:  ## check the proofs of the proven checker, and build it: build/lacuna-proven
	@scripts/setup --with-proof
	$(MAKE) --no-print-directory -C proof proofs
	$(MAKE) --no-print-directory -C proof program

clean:  ## remove build/
	rm -rf build
