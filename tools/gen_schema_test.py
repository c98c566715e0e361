#!/usr/bin/env python3
"""Tests gen_schema.py: every type and field of a description needs a text for people."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import gen_schema

HEAD = """package com.example.v1
group example.com
version v1
go v1
"""
BOX = """type Box -- Container for goods.
  apiVersion string
  kind string
  metadata Meta
  spec BoxSpec
  status BoxSpec
type BoxList -- List of Box objects.
  apiVersion string
  items []Box required
  kind string
  metadata Meta
type BoxSpec -- Specification of a box.
  size int32 set=1 -- Edge in meters; 1 by default.
type Meta -- Metadata.
  name string -- Name of the object.
"""


class DescriptionsTest(unittest.TestCase):
    def check(self, text):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "example_v1.kinds"
            path.write_text(HEAD + text)
            gen_schema.check_docs([gen_schema.parse_file(path)])

    def assert_fault(self, text, fault):
        with self.assertRaises(gen_schema.Fault) as raised:
            self.check(text)
        self.assertIn(fault, str(raised.exception))

    def test_fields_that_all_objects_have_need_no_text(self):
        self.check(BOX)

    def test_a_field_needs_a_text(self):
        self.assert_fault(BOX.replace(" -- Edge in meters; 1 by default.", ""),
                          "example_v1.kinds:17: field BoxSpec.size has no description")

    def test_a_type_needs_a_text(self):
        self.assert_fault(BOX.replace(" -- Specification of a box.", ""),
                          "example_v1.kinds:16: type BoxSpec has no description")

    def test_an_empty_text_does_not_count(self):
        self.assert_fault(BOX.replace("Specification of a box.", " "), "type BoxSpec")

    def test_a_kind_in_a_type_that_is_no_object_needs_a_text(self):
        self.assert_fault(BOX + "type Reference -- Reference.\n  kind string\n  name string -- Name.\n",
                          "field Reference.kind has no description")

    def test_the_generator_fails(self):
        with tempfile.TemporaryDirectory() as directory:
            kinds = pathlib.Path(directory) / "example_v1.kinds"
            kinds.write_text(HEAD + "type Box\n  size int32 -- Edge in meters.\n")
            tags = pathlib.Path(directory) / "tags.txt"
            tags.write_text("")
            done = subprocess.run(
                [sys.executable, gen_schema.__file__, "--out", directory, "--tags", tags, kinds],
                capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("type Box has no description", done.stderr)


if __name__ == "__main__":
    unittest.main()
