# The front door. Every target is complete by itself on a fresh Debian 12 machine: it installs what
# is missing (as root, or with sudo), configures, builds and runs.
#
# Times are for two cores. "From nothing" is an empty build/ and an empty compiler cache (ccache); after an edit of one file a build takes
# seconds with `make build`, 1 to 2 minutes with the others. Disk is that of the build directory.
#
#   make build            release build, file by file; programs in build/release/bin/    longest from nothing; then seconds per edit
#   make up               build the program and run the control plane with its demo,     3.5 min from nothing; runs until Ctrl-C
#                         data in .plimsoll/    UP_FLAGS='--nodes 50 --detach'
#   make down             stop it, if it runs in the background    DOWN_FLAGS=--purge    seconds
#   make test             everything that must hold: release, ASan+UBSan, TSan, golden   about 42 min from nothing: builds 13.5, 10 and 4,
#                         cases, own linter                                              tests 14; 7.5 GB. The parts were measured apart
#   make tsan             tests of threaded code under the thread sanitizer              4 min from nothing, then the tests; 0.6 GB
#   make stories          examples of the design documents, played with kubectl          the release build, then the stories
#                         STORIES_ARGS='--only kep-5471/*'
#   make lint             formatting, own linter, prose, clang build, clang-tidy         a clang build
#                         LINT_ALL=1: of all files
#   make fmt              format the sources                                             seconds
#   make docs             pictures of docs/ from a real run, and the site build/site     as make up, then 2 min
#   make bench            benchmarks    BENCH_ARGS=--benchmark_filter=Taint              the release build, then the benchmarks
#   make stress           tolerations under load, at each of two sizes                   the release build, then 20 min
#                         STRESS_ARGS='--minutes=1 --sizes=100x1000'
#   make fuzz             every fuzz target for FUZZ_SECONDS (10)                        a clang build, then the time for each target
#   make soak             the store and the API server under kill -9    ROUNDS=3000      the release build, then the rounds
#   make soak-etcd        the store, and replicas of the control plane, on etcd under    the release build, then the rounds and
#                         faults    ETCD_ROUNDS=300 ETCD_MINUTES=30                      twice 30 min
#   make package          build/release/package/plimsoll_*.deb, for Debian 12            the release build of the program
#   make package-test     install it in a clean Debian 12 and start its service          as root; downloads a Debian, 0.7 GB
#   make three-machines   docs/operations.md on three clean Debian 12                    as root; downloads a Debian, 2.6 GB
#   make fresh-machine    the README's quick start and make test, in a clean Debian 12   as root; downloads a Debian; up 5 min, test 52 min
#                         FRESH_ARGS=up
#   make deps             install what is missing to build and test                      half a minute on a new machine
#   make clean            remove build/
#   make help             this list

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 10
ROUNDS ?= 3000
ETCD_ROUNDS ?= 300
ETCD_MINUTES ?= 30
BENCH_ARGS ?=
STRESS_ARGS ?=
STORIES_ARGS ?=
FRESH_ARGS ?=
UP_FLAGS ?=
DOWN_FLAGS ?=

NINJA := ninja -j $(JOBS)
# Their output is for a person or a log; the summary of a failed build stays readable in both.
export NINJA_STATUS = [%f/%t %es] 

.PHONY: build all up down package package-test three-machines fresh-machine test stories soak soak-etcd tsan bench stress fuzz lint fmt docs deps deps-sanitizers deps-fuzz deps-lint deps-up deps-docs deps-e2e deps-package deps-package-test deps-clean-root clean help

# The developer's build: an edit of one file compiles that file.
build: deps build/release/build.ninja
	$(NINJA) -C build/release

# Other targets use the developer's build where there is one. Otherwise they use the build that takes the least time from nothing:
# `ci` compiles groups of sources as one, with the same options; `quick` makes one program, without warnings.
BUILD := $(if $(wildcard build/release/build.ninja),release,ci)
UP_BUILD := $(firstword $(foreach name,release ci,$(if $(wildcard build/$(name)/build.ninja),$(name))) quick)

all: deps build/$(BUILD)/build.ninja
	$(NINJA) -C build/$(BUILD)

up: deps-up build/$(UP_BUILD)/build.ninja
	$(NINJA) -C build/$(UP_BUILD) plimsoll
	@tools/up.sh build/$(UP_BUILD)/bin $(UP_FLAGS)

down:
	@build/$(UP_BUILD)/bin/plimsoll down --data-dir .plimsoll $(DOWN_FLAGS)

package: deps-package build/$(BUILD)/build.ninja
	$(NINJA) -C build/$(BUILD) plimsoll package_files
	cd build/$(BUILD) && cpack --config CPackConfig.cmake

package-test: deps-package-test package
	tests/debian/package_test.py build/$(BUILD)/package build/package-test

three-machines: deps-package-test package
	tests/debian/three_machines_test.py build/$(BUILD)/package build/three-machines

fresh-machine: deps-clean-root
	tests/debian/fresh_machine.py build/fresh-machine $(FRESH_ARGS)

# The folders whose code runs on several threads: the thread sanitizer tests these and no others.
TSAN_FOLDERS := base net store client runner apiserver
TSAN_TESTS := $(TSAN_FOLDERS:%=%_test)
TSAN_SUBDIRS := $(TSAN_FOLDERS:%=../tsan/src/%)

# One CTest run over all the builds, so that one closing line counts everything.
test: deps-e2e deps-sanitizers all build/asan/build.ninja build/tsan/build.ninja
	$(NINJA) -C build/asan
	$(NINJA) -C build/tsan $(TSAN_TESTS)
	mkdir -p build/test
	echo 'subdirs(../$(BUILD) ../asan $(TSAN_SUBDIRS))' > build/test/CTestTestfile.cmake
	ctest --test-dir build/test --parallel $(JOBS) --output-on-failure --no-tests=error --progress

tsan: deps-sanitizers build/tsan/build.ninja
	$(NINJA) -C build/tsan $(TSAN_TESTS)
	mkdir -p build/test_tsan
	echo 'subdirs($(TSAN_SUBDIRS))' > build/test_tsan/CTestTestfile.cmake
	ctest --test-dir build/test_tsan --parallel $(JOBS) --output-on-failure --no-tests=error

stories: deps-e2e all
	tests/stories/run.py build/$(BUILD)/bin/plimsoll $(STORIES_ARGS)

soak: deps build/$(BUILD)/build.ninja
	$(NINJA) -C build/$(BUILD) store_kill plimsoll
	ROUNDS=$(ROUNDS) build/$(BUILD)/bin/store_kill
	tests/e2e/kill_test.py build/$(BUILD)/bin/plimsoll $(ROUNDS)

soak-etcd: deps-e2e build/$(BUILD)/build.ninja
	$(NINJA) -C build/$(BUILD) etcd_faults plimsoll
	mkdir -p build/soak
	ROUNDS=$(ETCD_ROUNDS) build/$(BUILD)/bin/etcd_faults | tee build/soak/etcd_faults.txt
	tests/e2e/faults_test.py build/$(BUILD)/bin/plimsoll $(ETCD_MINUTES) | tee build/soak/cluster_faults.txt
	tests/e2e/rolling_test.py build/$(BUILD)/bin/plimsoll $(ETCD_MINUTES) | tee build/soak/rolling.txt

bench: all
	tools/bench.sh build/$(BUILD)/bin $(BENCH_ARGS)

stress: all
	build/$(BUILD)/bin/stress $(STRESS_ARGS)

fuzz: deps-fuzz build/fuzz/build.ninja
	$(NINJA) -C build/fuzz fuzz_targets
	tools/fuzz.sh build/fuzz $(FUZZ_SECONDS)

lint: deps-lint build/clang/build.ninja
	tools/tidy.py
	tools/prose.py
	tools/format.sh --check
	$(NINJA) -C build/clang
	tools/clang_tidy.sh build/clang $(JOBS)

fmt: deps-lint
	tools/format.sh

docs: deps-docs build/$(UP_BUILD)/build.ninja
	$(NINJA) -C build/$(UP_BUILD) plimsoll
	tools/docs_pictures.py build/$(UP_BUILD)/bin/plimsoll
	mkdocs build --quiet
	@echo "docs: open build/site/index.html"

deps:
	@tools/deps.sh build

deps-sanitizers:
	@tools/deps.sh build sanitizers

deps-fuzz:
	@tools/deps.sh build fuzz

deps-lint:
	@tools/deps.sh build lint

deps-up:
	@tools/deps.sh build kubectl

deps-docs:
	@tools/deps.sh build kubectl docs

deps-e2e:
	@tools/deps.sh build e2e

deps-package:
	@tools/deps.sh build package

deps-package-test:
	@tools/deps.sh build e2e package clean-root

deps-clean-root:
	@tools/deps.sh clean-root

# Ninja itself notices every later change of a CMakeLists.txt, but not of the presets. Order-only
# on the packages: a build directory without them could not be configured.
build/%/build.ninja: CMakePresets.json | deps
	cmake --preset $* --log-level=WARNING
	@touch $@

# The presets that need clang.
build/asan/build.ninja: | deps-sanitizers
build/tsan/build.ninja: | deps-sanitizers
build/fuzz/build.ninja: | deps-fuzz
build/clang/build.ninja: | deps-lint

clean:
	rm -rf build

help:
	@sed -n '/^# Times/,/^$$/s/^# \{0,3\}//p' Makefile
