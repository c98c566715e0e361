#!/usr/bin/env python3
"""Tests prose.py: each rule finds its fault, and leaves alone what looks like one."""

import pathlib
import tempfile
import unittest

import prose

LONG = "The server " + "really " * 22 + "answers."  # 25 words


class ProseTest(unittest.TestCase):
    def assert_fault(self, text, part, line=1):
        found = prose.check_page(text)
        self.assertEqual(len(found), 1, found)
        self.assertEqual(found[0][0], line)
        self.assertIn(part, found[0][1])

    def assert_clean(self, text):
        self.assertEqual(prose.check_page(text), [])

    def test_a_sentence_has_at_most_25_words(self):
        self.assert_clean(LONG)
        self.assert_fault(LONG.replace("answers", "always answers"), "26 words")
        self.assert_clean(f"{LONG} {LONG}")

    def test_inline_code_is_one_word_and_the_target_of_a_link_is_none(self):
        self.assert_clean(LONG.replace("answers", "`kubectl get pods -o wide`"))
        self.assert_clean(LONG.replace("answers", "[answers](a-page.md#with-an-anchor)"))

    def test_an_abbreviation_ends_no_sentence(self):
        self.assert_fault(LONG.replace("really answers", "e.g. A lot more answers"), "28 words")

    def test_a_link_to_a_file_may_start_a_sentence(self):
        self.assert_clean(f"{LONG} [examples/one.sh](one.sh) shows it.")

    def test_some_words_start_no_sentence(self):
        for start in ("What", "Whether", "Of", "As", "Likewise", "Who"):
            self.assert_fault(f"All is well. {start} the server does is written here.", f"starts with '{start}'")

    def test_a_question_may_start_so(self):
        self.assert_clean("What does the server do? Who asks? Whatever is asked by a client. Assume nothing.")

    def test_a_heading_is_no_sentence(self):
        self.assert_clean("## What is served\n\nAll kinds.\n")

    def test_someone_refuses(self):
        self.assert_fault("The pod\nis refused.", "instead of 'is refused'")
        self.assert_fault("They are not told.", "instead of 'are not told'")
        self.assert_clean("The pod is refused by the node. The server refuses it. The refused pod waits.")

    def test_no_words_of_old_books(self):
        for word in ("dear", "Whoever", "whence", "of another's", "takes no notice"):
            self.assert_fault(f"It is {word} here.", f"plain word for '{word}'")
        self.assert_clean("A deadline is near.")

    def test_code_is_not_checked(self):
        self.assert_clean("Text:\n\n    is refused, dear\n\n```console\nis refused, dear\n```\n\n`is refused`\n")
        self.assert_fault("```\ncode\n```\nIt is refused.", "is refused", line=4)
        self.assert_fault("- An item.\n\n    It is refused.", "is refused", line=3)

    def test_definitions_of_links_are_no_sentences(self):
        self.assert_clean("All is well.\n\n" + "".join(f"[A link {i}]: target.md\n" for i in range(30)))

    def test_cells_of_a_table_are_checked_but_not_its_head(self):
        table = "| What is refused |\n| --- |\n| fine |\n| it is refused |\n"
        self.assert_fault(table, "is refused", line=4)
        self.assert_clean("| a |\n| --- |\n| " + LONG.replace("really answers.", "ends; a new one") + " starts |\n")

    def test_items_of_a_list_are_sentences_of_their_own(self):
        self.assert_clean(f"- {LONG.rstrip('.')}\n- {LONG.rstrip('.')}\n  \n1. {LONG}\n")



class SourceTest(unittest.TestCase):
    def lines(self, name, text):
        return [line for line, _ in prose.check_text(name, text)]

    def test_comments_of_sources(self):
        self.assertEqual(self.lines("src/a/b.h", "int a;\n/// It\n/// is refused.\n\n  // It is told.\nint b;  // is refused\n"), [5, 2])
        self.assertEqual(self.lines("src/a/b.cc", "/// Fine.\n///\n/// Whether it is so.\n"), [3])
        self.assertEqual(self.lines("src/a/b.h", f"/// {LONG.rstrip('.')}\n// by us.\n"), [])

    def test_a_drawing_in_a_comment_is_no_sentence(self):
        self.assertEqual(self.lines("src/a/b.h", "/// States:\n///\n///   Head is refused\n///   Body\n///\n/// It is refused.\n"), [6])
        self.assertEqual(self.lines("src/a/b.h", "/// Items:\n///\n///   - It is refused.\n"), [3])
        self.assertEqual(self.lines("src/a/b.h", "/// Expands to:\n///   x is refused\n/// It is told.\n"), [3])

    def test_help_texts(self):
        text = 'Add("--flag",\n    "Whether it "\n    "does what it says");\n'
        self.assertEqual(self.lines("src/cli/a.cc", text), [2])
        self.assertEqual(self.lines("src/cli/a_test.cc", text), [])
        self.assertEqual(self.lines("src/store/a.cc", text), [])
        self.assertEqual(self.lines("src/apiserver/openapi/path_text.cc", text), [2])
        self.assertEqual(self.lines("src/cli/a.cc", 'R"(  As it is refused  )"; "As is"; Add("A \\"dear\\" and long text");\n'), [1])

    def test_each_line_of_a_literal_is_a_sentence(self):
        self.assertEqual(self.lines("src/cli/a.cc", f'"{LONG.rstrip(".")}\\n"\n"  and the next line of it";\n'), [])

    def test_descriptions_of_fields(self):
        text = "type A -- What it is for us.\n  ready bool -- Whether it is ready now.\n# Whether this is so.\n  size int32 -- Its size.\n"
        self.assertEqual(self.lines("src/api/schema/kinds/a_v1.kinds", text), [1, 2, 3])

    def test_comments_of_manifests_and_scripts(self):
        for name in ("deploy/a.yaml", "examples/a.sh", "packaging/a.service", "packaging/postinst"):
            self.assertEqual(self.lines(name, "#!/bin/sh\n# It is refused.\nkey: is refused # is refused\n"), [2], name)
        self.assertEqual(self.lines("packaging/CMakeLists.txt", 'set(A\n    "how old, fast or\ndear they are")\n'), [2])
        self.assertEqual(self.lines("deploy/a.json", "# It is refused.\n"), [])

    def test_the_whole_repository_is_checked(self):
        names = ["README.md", "docs/commands.md", "docs/stories.md", "docs/adr/1.md", "tests/stories/d/s/story.md", "src/a/b.h", "src/a/b.cc",
                 "src/api/schema/kinds/a.kinds", "packaging/a.service", "deploy/a.yaml", "examples/e/a.yaml"]
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            for name in [*names, "build/a.md", "tests/a.cc"]:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                mark = "" if name.endswith(".md") else "// " if name.endswith((".h", ".cc")) else "# "
                (root / name).write_text(f"{mark}It is refused.\n")
            found = prose.check_files(root, prose.all_sources(root))
            self.assertEqual([fault.split(":")[0] for fault in found], sorted(names))


if __name__ == "__main__":
    unittest.main()
