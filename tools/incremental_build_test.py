#!/usr/bin/env python3
"""Tests how incremental_build.py reads the output of ninja, and what it finds wrong in it."""

import unittest

import incremental_build

GOOD = """ninja: Entering directory `build/release'
[0/1] Re-checking globbed directories...
[1/3] Building CXX object src/api/CMakeFiles/plimsoll_api.dir/object.cc.o
[2/3] Linking CXX static library src/api/libplimsoll_api.a
[3/3] Linking CXX executable bin/plimsoll
"""


class IncrementalBuildTest(unittest.TestCase):
    def faults(self, output):
        return list(incremental_build.faults_of(incremental_build.steps_of(output), "src/api/object.cc"))

    def test_one_compile_an_archive_and_a_link_are_right(self):
        self.assertEqual(len(incremental_build.steps_of(GOOD)), 3)
        self.assertEqual(self.faults(GOOD), [])

    def test_another_file_is_a_fault(self):
        faults = self.faults(GOOD + "[4/4] Building CXX object src/api/CMakeFiles/plimsoll_api.dir/create.cc.o\n")
        self.assertIn("another file was compiled", faults[0])
        self.assertIn("2 files were compiled", faults[1])

    def test_a_run_of_cmake_is_a_fault(self):
        self.assertEqual(self.faults("[0/1] Re-running CMake...\n" + GOOD), ["src/api/object.cc: Re-running CMake..."])

    def test_a_file_that_is_not_compiled_is_a_fault(self):
        self.assertEqual(self.faults("ninja: no work to do.\n"), ["src/api/object.cc: it was not compiled"])

    def test_the_statement_that_runs_cmake_is_taken_out(self):
        rerun = "build build.ninja: RERUN_CMAKE | /src/a.cc CMakeLists.txt\n  pool = console\n"
        rest, found = incremental_build.split_manifest("rule a\n\n" + rerun + "\nbuild b: a\n")
        self.assertEqual(found, rerun)
        self.assertEqual(rest, "rule a\n\n\nbuild b: a\n")
        self.assertEqual(incremental_build.split_manifest("build b: a\n"), ("build b: a\n", ""))

    def test_the_sources_exist(self):
        root = incremental_build.Path(__file__).resolve().parent.parent
        for source in incremental_build.SOURCES:
            self.assertTrue((root / source).exists(), source)


if __name__ == "__main__":
    unittest.main()
