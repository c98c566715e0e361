#!/usr/bin/env python3
"""Tests gen_views.py: the structs and decoders of small descriptions, and their mistakes."""

import pathlib
import tempfile
import unittest

import gen_schema
import gen_views

TYPES = """
package com.example.v1
group example.com
version v1
go v1
kind Box
type Box
  metadata Meta
  spec BoxSpec
  status BoxSpec
type Meta
  name string
type BoxSpec
  size int32
  hostIP string
  limits map[quantity]:v1.ResourceList
  counts map[quantity]
  labels map[string]
  items []Item
  namespace string
  sizes map[Item]
  either int-or-string
  left Item
  right Item
type Item
  weight quantity
  name string
  kind string
header core/box.h -- Boxes.
view Meta
  name
"""


class GenViewsTest(unittest.TestCase):
    def files(self, views):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory) / "example_v1.kinds"
            path.write_text(TYPES + views)
            package = gen_schema.parse_file(path)
        return gen_views.write_all(gen_schema.Schema([package]), package.headers)

    def header(self, views):
        return self.files(views)["api/core/box.h"]

    def decoder(self, views):
        return self.files(views)["api/decode/decode.cc"]

    def assert_fault(self, views, text):
        with self.assertRaises(gen_views.Fault) as raised:
            self.files(views)
        self.assertIn(text, str(raised.exception))

    def test_members_have_the_types_of_their_fields(self):
        for line, member in (
                ("size", "std::int32_t size = 0;"),
                ("size int64", "std::int64_t size = 0;"),
                ("size optional", "std::optional<std::int32_t> size;"),
                ("hostIP", "std::string_view host_ip;"),
                ("namespace", "std::string_view namespace_;"),
                ("hostIP as address -- of the host", "std::string_view address;  // of the host"),
                ("limits", "ResourceList limits;"),
                ("counts", "std::vector<NamedQuantity> counts;"),
                ("counts keys", "std::vector<std::string_view> counts;"),
                ("labels", "StringMap labels;"),
                ("items[].name as names", "std::vector<std::string_view> names;"),
                ("sizes[].weight as sizes", "std::vector<NamedQuantity> sizes;"),
                ("left.name as left", "std::string_view left;"),
                ("either tree", "const codec::Value* either = nullptr;"),
                (". as source tree", "const codec::Value* source = nullptr;"),
                ("member facts cel::Facts include=cel/facts.h", "cel::Facts facts;")):
            with self.subTest(line):
                self.assertIn(f"\n  {member}\n", self.header(f"view BoxSpec\n  {line}\n"))

    def test_a_path_that_is_walked_has_a_function(self):
        text = self.decoder("view Box\n  metadata\n  spec.left.name as left\n  spec as source tree\n")
        self.assertIn("void DecodeBoxSpecLeft(const codec::Value& tree, Box& out) {\n"
                      "  using F = fields::example_v1::Item;\n"
                      "  for (const codec::Member& member : tree.members()) {\n"
                      "    if (member.field == F::kName) Decode(member.value, out.left);\n", text)
        self.assertIn("        out.source = &value;\n        DecodeBoxSpec(value, out);\n", text)

    def test_the_further_types_of_a_view_have_functions_of_their_own(self):
        text = self.decoder("view Named of Meta Item\n  name\n  kind\n"
                            "view BoxSpec\n  left view=Named\n  items view=Named\n")
        self.assertIn("DecodeItem(value, out.left);", text)
        self.assertIn("DecodeItems(value, out.items, DecodeItem);", text)

    def test_a_view_may_tell_its_type_and_which_field_is_set(self):
        enums = "enum Shape\n  Box\nenum Side\n  Neither\n  left\n  right -- hand\n"
        views = enums + "view Box\n  typeof Shape as shape\n  metadata\n" \
                        "view BoxSpec\n  oneof Side as side\n  oneof Side as item tree\n"
        self.assertIn("enum class Shape : std::uint8_t { Box };", self.header(views))
        self.assertIn("  Right,  // hand\n", self.header(views))
        self.assertIn("  Side side = Side::Neither;\n", self.header(views))
        self.assertIn("  out.shape = Shape::Box;\n", self.decoder(views))
        self.assertIn("        out.side = Side::Left;\n        out.item = &value;\n", self.decoder(views))

    def test_hooks_are_called(self):
        text = self.decoder("view Box after=Finish\n  metadata\n  spec hook=DecodeSpec\n")
        self.assertIn("        DecodeSpec(value, out);\n", text)
        self.assertIn("  Finish(out);\n}\n", text)

    def test_kinds_are_alternatives_of_the_variant(self):
        files = self.files("view Box\n  metadata\n")
        self.assertIn("std::variant<UntypedObject, Box>", files["api/decode/views.h"])
        self.assertIn("case fields::example_v1::Box::kTypeId:", files["api/decode/decode.cc"])

    def test_long_comments_stand_above(self):
        text = self.header("view BoxSpec\n  size -- " + "word " * 20 + "\n")
        self.assertIn("  /// word", text)
        self.assertLessEqual(max(map(len, text.splitlines())), gen_views.COLUMNS)

    def test_mistakes_are_named(self):
        for views, text in (
                ("view Nothing\n  name\n", "no type 'Nothing'"),
                ("view Meta\n  name\n", "Meta is there twice"),
                ("view BoxSpec\n  colour\n", "no type of BoxSpec has a field colour"),
                ("view BoxSpec\n  left\n", "0 views of Item"),
                ("view BoxSpec\n  either\n", "IntOrString has no C++ type"),
                ("view BoxSpec\n  size red\n", "unknown word 'red'"),
                ("view BoxSpec red\n  size\n", "unknown word 'red'"),
                ("view BoxSpec\n  items[].colour as c\n", "leads nowhere"),
                ("view BoxSpec\n  size[].name as c\n", "no list or map of objects"),
                ("view BoxSpec\n  oneof Side as side\n", "there is no enum 'Side'"),
                ("enum Side\n  None\n  up\nview BoxSpec\n  oneof Side as side\n", "has no field up"),
                ("view Box\n  spec hook=DecodeSpec\n", "a view of a kind needs the field metadata")):
            with self.subTest(views):
                self.assert_fault(views, text)


if __name__ == "__main__":
    unittest.main()
