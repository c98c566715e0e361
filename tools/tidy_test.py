#!/usr/bin/env python3
"""Breaks each rule of tidy.py once, and checks that it is reported."""

import tempfile
import unittest
from pathlib import Path

import tidy

HEADER = "#pragma once\n"


class TidyTest(unittest.TestCase):
    def setUp(self):
        for table in "TESTED_ELSEWHERE", "UNUSED_ALLOWED", "ERROR_TEXT_ALLOWED":
            self.addCleanup(setattr, tidy, table, getattr(tidy, table))
            setattr(tidy, table, {})
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name)
        (self.root / "src").mkdir()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        parts = path.relative_to(self.root).parts
        if parts[0] == "src" and len(parts) > 2:
            (self.root / "src" / parts[1] / "README.md").touch()

    def faults(self):
        return tidy.check_tree(self.root)

    def assert_one_fault(self, start, text):
        faults = self.faults()
        self.assertEqual(len(faults), 1, faults)
        self.assertTrue(faults[0].startswith(start), faults[0])
        self.assertIn(text, faults[0])

    def test_a_sound_tree_has_no_faults(self):
        self.write("src/base/a.h", HEADER)
        self.write("src/base/a.cc", '#include "base/a.h"\n')
        self.write("src/base/a_test.cc", '#include "base/a.h"\n#include <fstream>\n')
        self.write("src/api/b.h", HEADER + '#include "base/a.h"\n#include "codec/c.h"\n')
        self.write("tests/x.cc", "std::ifstream in;\n")
        self.assertEqual(self.faults(), [])

    def test_a_comment_begins_with_its_subject(self):
        self.write("src/base/a.h", HEADER + "/// Returns the size.\n/// As in Go, 0 for none.\n\n/// Whether it is there.\n")
        self.assert_one_fault("src/base/a.h:5:", "begins with Whether")

    def test_a_question_may_begin_with_what(self):
        self.write("src/base/a.h", HEADER + "// What if both are set? The last one counts.\n")
        self.assertEqual(self.faults(), [])

    def test_the_table_of_folders_is_the_one_that_is_enforced(self):
        rows = [f"| `{folder}/` | x | {includes.replace(' ', ', ') or 'third-party only'} | "
                f"{'pure' if folder in tidy.PURE else 'I/O'} |" for folder, includes in tidy.LAYERS.items()]
        self.write("docs/architecture.md", "\n".join(rows))
        self.assertEqual(self.faults(), [])
        self.write("docs/architecture.md", "\n".join(rows).replace("base, cel, api |", "base, api |"))
        self.assert_one_fault("docs/architecture.md:1:", "match/ must say: base, cel, api; pure")

    def test_layers(self):
        self.write("src/base/a.h", HEADER + '#include "api/b.h"\n')
        self.assert_one_fault("src/base/a.h:2:", "base/ may not include api/")

    def test_the_top_may_include_all(self):
        self.write("src/cli/a.h", HEADER + '#include "match/b.h"\n#include "sim/c.h"\n')
        self.assertEqual(self.faults(), [])

    def test_relative_include(self):
        self.write("src/api/a.h", HEADER + '#include "../base/b.h"\n')
        self.assert_one_fault("src/api/a.h:2:", "never by ../")

    def test_pure_folders(self):
        self.write("src/match/a.h", HEADER + "#include <mutex>\n")
        self.assert_one_fault("src/match/a.h:2:", "match/ is pure: no <mutex>")

    def test_heavy_headers(self):
        self.write("src/base/a.h", HEADER + "#include <prometheus/counter.h>\n")
        self.assert_one_fault("src/base/a.h:2:", "in a header is paid for")

    def test_bans(self):
        for line, what in {
            "auto t = std::chrono::steady_clock::now();": "steady_clock",
            "auto t = std::time (nullptr);": "std::time (",
            "std::this_thread::sleep_for(d);": "sleep_for",
            "usleep(3);": "usleep(",
            "std::mt19937_64 g;": "std::mt19937_64",
            "std::thread t;": "std::thread",
            "std::unordered_map<int, int> m;": "std::unordered_map",
            "const char* e = std::getenv(name);": "getenv",
        }.items():
            with self.subTest(line):
                self.write("src/dra/a.h", HEADER + line + "\n")
                self.assert_one_fault("src/dra/a.h:2:", f"{what} is banned in dra/")

    def test_errors_are_told_apart_by_reason(self):
        for code in ('bool a = refusal.reason == "Expired";',
                     'bool a = status.error().message.contains("gone");',
                     'bool a = token.error().text.find("is not enabled") != 0;',
                     'if (response.body.contains("AlreadyExists")) return;',
                     'bool a = fault.text == "gone";',
                     'bool a = std::string(fault->what()).starts_with("gone");',
                     'auto at = message.find("ParseInt");'):
            with self.subTest(code):
                self.write("src/base/a.h", f"#pragma once\n{code}\n")
                self.assert_one_fault("src/base/a.h:2:", "compares the text of an error")
        for code in ("bool a = error.reason == Reason::Expired;", 'bool a = text.find("x") == 0;',
                     'bool a = request.body.contains("x");'):
            self.write("src/base/a.h", f"#pragma once\n{code}\n")
            self.assertEqual(self.faults(), [])

    def test_an_error_without_kinds_may_be_read_from_its_text(self):
        tidy.ERROR_TEXT_ALLOWED = {"base/a.h": "the library has no codes"}
        self.write("src/base/a.h", HEADER + 'bool a = fault.text.contains("gone");\n')
        self.assertEqual(self.faults(), [])
        self.write("src/base/b.h", HEADER + 'bool a = fault.text.contains("gone");\n')
        self.assert_one_fault("src/base/b.h:2:", "compares the text of an error")

    def test_a_source_that_may_read_the_text_must_do_so(self):
        tidy.ERROR_TEXT_ALLOWED = {"base/a.h": "the library has no codes"}
        self.write("src/base/a.h", HEADER)
        self.assert_one_fault("tools/tidy.py:1:", "base/a.h compares no text of an error")

    def test_bans_hold_for_code_only(self):
        self.write("src/api/a.h", HEADER + '// No std::thread.\nauto x = "std::thread";\n')
        self.assertEqual(self.faults(), [])

    def test_bans_know_their_places(self):
        self.write("src/base/a.h", HEADER + "std::thread t;\n")
        self.write("src/base/a_test.cc", "std::this_thread::sleep_for(d);\n")
        self.assert_one_fault("src/base/a_test.cc:1:", "sleep_for is banned")

    def test_unfinished(self):
        self.write("fuzz/a.cc", "// TODO: all\n")
        self.assert_one_fault("fuzz/a.cc:1:", "TODO: finish it")

    def test_macros(self):
        self.write("src/base/a.h", HEADER + "#define PL_TRY(x) x\n#define MAX 3\n")
        self.assert_one_fault("src/base/a.h:3:", "macro MAX")

    def test_lengths(self):
        self.write("src/base/a.h", HEADER + "\n" * tidy.SOURCE_LINES_MAX)
        self.assert_one_fault("src/base/a.h:1:", "501 lines, the limit is 500")
        self.write("src/base/a.h", HEADER + "\n" * (tidy.SOURCE_LINES_MAX - 1))
        self.assertEqual(self.faults(), [])
        self.write("src/base/a_test.cc", "\n" * (tidy.TEST_LINES_MAX + 1))
        self.assert_one_fault("src/base/a_test.cc:1:", "1001 lines")

    def test_pragma_once(self):
        self.write("src/base/a.h", "int x;\n")
        self.assert_one_fault("src/base/a.h:1:", "#pragma once")

    def test_every_source_has_a_test(self):
        self.write("src/api/core/a.cc", '#include "api/core/both.h"\n#include "api/core/c.h"\n')
        self.assert_one_fault("src/api/core/a.cc:1:", "has no test")
        self.write("src/api/both_test.cc", '#include "api/core/c.h"\n')
        self.assert_one_fault("src/api/core/a.cc:1:", "has no test")
        self.write("src/api/both_test.cc", '#include "api/core/both.h"\n')
        self.assertEqual(self.faults(), [])

    def test_exceptions_must_be_true(self):
        for name in "src/api/core/a.cc", "src/api/core":
            with self.subTest(name):
                tidy.TESTED_ELSEWHERE = {name: "tests/a.cc"}
                self.assert_one_fault("tools/tidy.py:1:", f"{name} is not there, or has tests")
                self.write("src/api/core/a.cc", "\n")
                self.assert_one_fault("tools/tidy.py:1:", f"tests/a.cc, for {name}, is not there")
                self.write("tests/a.cc", "\n")
                self.assertEqual(self.faults(), [])
                self.write("src/api/core/a_test.cc", "\n")
                self.assert_one_fault("tools/tidy.py:1:", f"{name} is not there, or has tests")
                for path in "src/api/core/a.cc", "src/api/core/a_test.cc", "tests/a.cc":
                    (self.root / path).unlink()

    def test_production_code_includes_no_test_helper(self):
        self.write("src/base/b_for_test.h", HEADER)
        self.write("src/base/a_test.cc", '#include "base/b_for_test.h"\n')
        self.write("src/base/c_for_test.h", HEADER + '#include "base/b_for_test.h"\n')
        self.assertEqual(self.faults(), [])
        self.write("src/base/a.h", HEADER + '#include "base/b_for_test.h"\n')
        self.assert_one_fault("src/base/a.h:2:", "is for tests only")

    def test_a_header_of_tests_says_so(self):
        self.write("src/base/a.h", HEADER)
        self.write("src/base/a_test.cc", '#include "base/a.h"\n')
        self.assert_one_fault("src/base/a.h:1:", "its name must end in _for_test.h")
        self.write("src/base/b.h", HEADER + '#include "base/a.h"\n')
        self.assertEqual(self.faults(), [])

    def test_declared_names_are_used(self):
        user = '#include "base/a.h"\nint y = '
        self.write("src/base/a_test.cc", user + "Twice(2);\n")
        for declaration, name in {
            "int Twice(int x);": "Twice",
            "constexpr int kTwice = 2;": "kTwice",
            "extern const int kTwice;": "kTwice",
            "class Twice {\n public:\n  Twice();\n private:\n  int Half();\n};": "Twice",
            "class A {\n public:\n  int Twice();\n};\nA Make();": "Twice",
        }.items():
            with self.subTest(declaration):
                self.write("src/base/a.h", HEADER + declaration + "\n")
                self.write("src/base/a.cc", '#include "base/a.h"\nA a = Make();\nint Twice(int x) {}\n')
                self.write("src/base/b.h", HEADER + "// Twice, kTwice\nA b = Make();\n")
                self.assert_one_fault("src/base/a.h:1:", f"{name} is declared here")
                self.assertIn("delete it", self.faults()[0])
                self.write("src/base/b.h", HEADER + f"A b = Make({name});\n")
                self.assertEqual(self.faults(), [])

    def test_a_name_of_one_source_needs_no_header(self):
        self.write("src/base/a.h", HEADER + "int Twice(int x);\n")
        self.write("src/base/a.cc", '#include "base/a.h"\nint Four() {\n  return Twice(2);\n}\n')
        self.write("src/base/a_test.cc", '#include "base/a.h"\n')
        self.write("src/base/b.h", HEADER + '#include "base/a.h"\n')
        self.assert_one_fault("src/base/a.h:1:", "Twice is declared here")
        self.assertIn("move it to the source", self.faults()[0])
        self.write("src/base/a_test.cc", '#include "base/a.h"\nint y = Twice(2);\n')
        self.assertEqual(self.faults(), [])

    def test_exceptions_of_unused_names_must_be_true(self):
        self.write("src/base/a.h", HEADER + "int Twice(int x);\n")
        tidy.UNUSED_ALLOWED = {"base/a.h: Twice": "a bench uses it"}
        self.assertEqual(self.faults(), [])
        tidy.UNUSED_ALLOWED["base/a.h: Thrice"] = "a bench uses it"
        self.assert_one_fault("tools/tidy.py:1:", "base/a.h: Thrice is not there, or is used")

    def test_folders(self):
        (self.root / "src/base").mkdir()
        self.assert_one_fault("src/base:1:", "has no README.md")
        (self.root / "src/base/README.md").touch()
        self.write("src/helpers/README.md", "")
        self.assert_one_fault("src/helpers:1:", "is no folder of docs/architecture.md")


if __name__ == "__main__":
    unittest.main()
