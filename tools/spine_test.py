#!/usr/bin/env python3
"""Tests what spine.py reads from the sources, and that it notices a way that no include supports."""

import tempfile
import unittest
from pathlib import Path

import spine


class SpineTest(unittest.TestCase):
    def read(self, **files):
        """Returns the includes of a tree; names of files are folder__name, values what they include."""
        with tempfile.TemporaryDirectory() as directory:
            for name, included in files.items():
                path = Path(directory, "src", *name.split("__")).with_suffix(".cc")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(f'#include "{other}"\n' for other in included))
            return spine.read_includes(Path(directory))

    def test_includes_are_read_from_sources_but_not_from_tests(self):
        self.assertEqual(self.read(a__x=["b/y.h", "a/z.h", "gtest/gtest.h"], a__x_test=["c/w.h"], b__y=[], c__w=[]),
                         {"a": {"b"}, "b": set(), "c": set()})

    def test_a_folder_stands_above_all_that_it_includes(self):
        layout = spine.Layout({"a": {"b", "c"}, "b": {"c"}, "c": set()})
        self.assertEqual(layout.ranks, {"a": 2, "b": 1, "c": 0})
        self.assertLess(layout.top("a"), layout.top("b"))

    def test_folders_that_include_each_other_are_an_error(self):
        with self.assertRaisesRegex(ValueError, "a -> b -> a"):
            spine.Layout({"a": {"b"}, "b": {"a"}})

    def test_an_arrow_that_follows_from_others_is_left_out(self):
        self.assertEqual(spine.drawn_arrows({"a": {"b", "c"}, "b": {"c"}, "c": set()}), [("a", "b"), ("b", "c")])

    def test_a_hop_needs_an_include_in_either_direction(self):
        includes = {"a": {"b"}, "b": set(), "c": set()}
        self.assertEqual(list(spine.check_steps([("b", ""), ("a", ""), ("b", "")], includes)), [])
        self.assertEqual(len(list(spine.check_steps([("b", ""), ("c", "")], includes))), 1)
        self.assertEqual(len(list(spine.check_steps([("b", ""), ("gone", "")], includes))), 1)

    def test_the_picture_depends_on_the_includes_and_on_nothing_else(self):
        steps = [("b", "one"), ("a", "two")]
        first = spine.draw({"a": {"b"}, "b": set(), "c": set()}, steps)
        self.assertEqual(first, spine.draw({"c": set(), "b": set(), "a": {"b"}}, steps))
        self.assertNotEqual(first, spine.draw({"a": {"b"}, "b": set(), "c": {"b"}}, steps))


if __name__ == "__main__":
    unittest.main()
