#!/usr/bin/env python3
"""Tests what mission.py reports about a document, and what it writes into it."""

import tempfile
import unittest
from pathlib import Path

import mission

TESTS = "TEST(PlainTest, Holds) {}\nTEST_P(\n    CasesTest, Hold) {}\n"


class MissionTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = Path(directory.name)
        self.write("src/match/toleration.cc", "")
        self.write("src/match/toleration_test.cc", TESTS)
        self.write("tests/e2e/living_test.py", "def rollback(binary):\n    pass\n")
        self.write("tests/stories/kep-1/story-1/README.md", "")
        self.write("tests/golden/semver.json", "")
        self.write("tools/tidy.py", "")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def linked(self, body):
        return mission.with_links(body, mission.Tree(self.root))

    def faults(self, text):
        self.write("docs/mission.md", text)
        return mission.check(self.root)

    def test_every_kind_of_name_leads_somewhere(self):
        for name, path in {
            "match/toleration.cc": "src/match/toleration.cc",
            "match": None,  # a plain word in brackets is not a path
            "src/match": "src/match",
            "PlainTest.Holds": "src/match/toleration_test.cc",
            "CasesTest.Hold": "src/match/toleration_test.cc",
            "living_test.rollback": "tests/e2e/living_test.py",
            "kep-1/story-1": "tests/stories/kep-1/story-1",
            "golden/semver.json": "tests/golden/semver.json",
            "tools/tidy.py": "tools/tidy.py",
            "PlainTest.Breaks": None,
            "living_test.threshold": None,
            "kep-1/story-2": None,
        }.items():
            with self.subTest(name):
                wanted = Path(path) if path else None
                self.assertEqual(mission.Tree(self.root).find(name), wanted)

    def test_links_are_listed_in_order_and_once(self):
        text = self.linked("| [kep-1/story-1] | [PlainTest.Holds], [PlainTest.Holds] |\n")
        self.assertTrue(text.endswith(
            "-->\n[PlainTest.Holds]: ../src/match/toleration_test.cc\n"
            "[kep-1/story-1]: ../tests/stories/kep-1/story-1\n"), text)
        self.assertEqual(self.faults(text), [])

    def test_a_name_that_leads_nowhere(self):
        self.assertEqual(self.faults("# Title\n\n[match/gone.cc]\n"),
                         ["docs/mission.md:3: [match/gone.cc] leads nowhere"])

    def test_a_list_of_yesterday(self):
        text = self.linked("[PlainTest.Holds]\n").replace("toleration_test", "other_test")
        self.assertIn("not up to date", self.faults(text)[0])

    def test_code_and_ordinary_links_name_nothing(self):
        text = self.linked("`tolerations[0].value` ```\n[a]\n``` [b](https://example.com)\n")
        self.assertEqual(self.faults(text), [])

    def test_writing_twice_changes_nothing(self):
        text = self.linked("[PlainTest.Holds]\n")
        self.assertEqual(self.linked(mission.body_of(text)), text)


if __name__ == "__main__":
    unittest.main()
