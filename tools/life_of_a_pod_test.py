#!/usr/bin/env python3
"""Tests that life_of_a_pod.py accepts a true page, and notices each kind of false one."""

import tempfile
import unittest
from pathlib import Path

import life_of_a_pod

CODE = """namespace plimsoll {
api::Answer<std::optional<Deleted>> TryDelete(Writer& writer, int count) {
  Prepare(count);
  const int left = Count(count);
  return Finish(writer.Remove(left));
}
void Cache::OnChanges(std::span<const Change> changes) {}
class Loop {
  bool OnEvent(int event) override { return Deliver(event); }
  const Bitmap& Filter(int handle);
};
}
"""


def stop(number=1, name="src/a/b.cc", functions="TryDelete", following="writer.Remove"):
    return f"### {number}. {name}: {functions}\n\nText.\n\n- Next: `{following}`\n\n"


class LifeOfAPodTest(unittest.TestCase):
    def faults(self, page):
        """Returns the findings for a page over a tree with src/a/b.cc and src/a/c.cc."""
        with tempfile.TemporaryDirectory() as directory:
            for name in ("b", "c"):
                path = Path(directory, "src", "a", f"{name}.cc")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(CODE)
            return [fault for _, fault in life_of_a_pod.check_page(Path(directory), page)]

    def test_a_true_page_passes(self):
        page = stop(functions="TryDelete, OnChanges") + stop(2, "src/a/c.cc", "OnEvent, Filter")
        self.assertEqual(self.faults(page + "## Leaves\n\n| 2 | src/a/b.cc | Filter | text |\n"), [])

    def test_a_call_is_no_definition(self):
        for name in ("Prepare", "Count", "Finish", "Remove", "Deliver"):
            self.assertEqual(self.faults(stop(functions=name)), [f"src/a/b.cc does not define or declare {name}"])

    def test_a_part_of_a_name_is_no_function(self):
        self.assertEqual(len(self.faults(stop(functions="Delete"))), 1)

    def test_files_must_exist(self):
        self.assertEqual(self.faults(stop(name="src/a/gone.cc")), ["there is no file src/a/gone.cc"])
        self.assertEqual(self.faults(stop() + "| 1 | src/a/gone.cc | Filter | text |\n"),
                         ["there is no file src/a/gone.cc"])

    def test_functions_of_leaves_must_exist(self):
        self.assertEqual(self.faults(stop() + "| 1 | src/a/c.cc | Gone | text |\n"),
                         ["src/a/c.cc does not define or declare Gone"])

    def test_a_leaf_belongs_to_a_stop(self):
        self.assertEqual(self.faults(stop() + "| 2 | src/a/c.cc | Filter | text |\n"), ["there is no stop 2"])

    def test_the_call_that_leads_on_must_occur(self):
        self.assertEqual(self.faults(stop(following="writer.Commit")),
                         ["src/a/b.cc does not contain the call writer.Commit"])
        self.assertEqual(self.faults("### 1. src/a/b.cc: TryDelete\n\nText.\n"), ["stop 1 has no line `- Next:`"])
        self.assertEqual(self.faults("### 1. src/a/b.cc: TryDelete\n\n" + stop(2, "src/a/c.cc")),
                         ["stop 1 has no line `- Next:`"])

    def test_stops_are_numbered_in_order_and_differ(self):
        self.assertEqual(self.faults(stop(2)), ["want number 1"])
        self.assertEqual(self.faults(stop() + stop(2)), ["src/a/b.cc is a stop already"])

    def test_headings_and_rows_have_one_form(self):
        self.assertEqual(self.faults(stop() + "### src/a/c.cc\n"),
                         ["want `### <number>. src/<file>: <function>, <function>`"])
        self.assertEqual(self.faults(stop() + "| src/a/c.cc | Filter |\n"),
                         ["want `| <stop> | src/<file> | <function>, <function> | <text> |`"])

    def test_there_are_stops_but_not_too_many(self):
        self.assertEqual(self.faults("# Life\n"), ["the page has no stops"])
        many = "".join(stop(i + 1) for i in range(life_of_a_pod.STOPS_MAX + 1))
        self.assertIn("26 stops; want at most 25", self.faults(many))


if __name__ == "__main__":
    unittest.main()
