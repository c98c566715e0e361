#!/usr/bin/env python3
"""Tests which sources unity_groups.py groups together."""

import tempfile
import unittest
from pathlib import Path

import unity_groups


def hidden(*lines):
    """Returns a source with these lines in its anonymous namespace."""
    body = "\n".join(lines)
    return f"namespace plimsoll {{\nnamespace {{\n\n{body}\n\n}}  // namespace\n}}  // namespace plimsoll\n"


class UnityGroupsTest(unittest.TestCase):
    def groups(self, *texts, header="", kinds=""):
        """Returns the groups as lists of indexes."""
        with tempfile.TemporaryDirectory() as directory:
            paths = [Path(directory) / f"{place}.cc" for place in range(len(texts))]
            for path, text in zip(paths, texts):
                path.write_text(text)
            (Path(directory) / "some.h").write_text(header)
            (Path(directory) / "some.kinds").write_text(kinds)
            found = unity_groups.groups_of([unity_groups.Source(str(path)) for path in paths],
                                           unity_groups.public_names_of(Path(directory)))
        return [[int(Path(source.path).stem) for source in group.sources] for group in found]

    def assert_apart(self, one, other):
        self.assertEqual(self.groups(one, other), [[0], [1]])
        self.assertEqual(self.groups(other, one), [[0], [1]])

    def test_strangers_are_together(self):
        self.assertEqual(self.groups(hidden("int One() {", "  return 1;", "}"),
                                     hidden("int Two() {", "  return 2;", "}")), [[0, 1]])

    def test_every_kind_of_declaration_is_seen(self):
        for line in ("std::map<int, int> Name(int count) {", "constexpr int Name = 1;", "struct Name {",
                     "class Name final : public Other {", "enum class Name : uint8_t { One };",
                     "using Name = int;", "Name::Name(int one) {", "thread_local int Name;",
                     "constexpr Entry Name[] = {"):
            with self.subTest(line):
                self.assert_apart(hidden(line), "void Use() { Name(1); }\n")

    def test_tests_hide_no_name_but_their_matchers_do(self):
        for line in ("TEST(Suite, Case) {", "TEST_F(Suite, Case) {", "RC_GTEST_PROP(Suite, Case, ()) {",
                     "INSTANTIATE_TEST_SUITE_P(All, Suite, Values(1));"):
            with self.subTest(line):
                self.assertEqual(self.groups(hidden(line), hidden(line)), [[0, 1]])
        self.assert_apart(hidden('MATCHER_P(Name, wanted, "") {'), "void Use() { Name(1); }\n")

    def test_only_the_left_edge_counts(self):
        text = hidden("int One() {", "  int Name = 1;", "  return Name;", "}")
        self.assertEqual(self.groups(text, "int x = Name();\n"), [[0, 1]])

    def test_what_cannot_mean_the_hidden_one_is_no_mention(self):
        for line in ("x.Name();", "x->Name();", "other::Name();", "// Name", 'f("Name");', 'f(R"(Name "Name")");'):
            with self.subTest(line):
                self.assertEqual(self.groups(hidden("int Name() {", "}"), f"void Use() {{ {line}\n}}\n"), [[0, 1]])

    def test_using_the_same_declaration_does_not_part(self):
        text = hidden("using testing::Name;", "namespace core = api::core;")
        self.assertEqual(self.groups(text, text), [[0, 1]])

    def test_different_declarations_of_a_name_do(self):
        self.assert_apart(hidden("using codec::Value;"), "using cel::Value;\n")
        self.assert_apart(hidden("using codec::Value;"), hidden("class Value {", "};"))
        self.assert_apart("namespace core = api::core;\n", "int core = 1;\n")

    def test_who_hides_a_public_name_is_alone(self):
        self.assertEqual(self.groups("int x;\n", hidden("struct Operation {", "};"), "int y;\n",
                                     header="enum class Operation : uint8_t { Create };\n"), [[0, 2], [1]])

    def test_who_hides_a_generated_name_is_alone(self):
        self.assertEqual(self.groups("int x;\n", hidden("int Pod() {", "}"), "int y;\n",
                                     kinds="view Pod -- A pod.\n  metadata\n"), [[0, 2], [1]])

    def test_a_later_file_may_join_an_earlier_group(self):
        clash = hidden("int Name() {", "}")
        self.assertEqual(self.groups(clash, clash, "int x;\n"), [[0, 2], [1]])

    def test_groups_do_not_grow_without_end(self):
        long = "\n" * (unity_groups.GROUP_LINES_MAX - 10)
        self.assertEqual(self.groups(long, long, "\n" * 10, "\n" * (unity_groups.GROUP_LINES_MAX + 1)),
                         [[0, 2], [1], [3]])


if __name__ == "__main__":
    unittest.main()
