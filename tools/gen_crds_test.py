#!/usr/bin/env python3
"""Tests gen_crds.py: the committed file is current, and the definitions keep the rules of
structural schemas, which an API server checks."""

import unittest

import gen_crds

SCALARS = {"string", "integer", "boolean", "number"}


def schemas_in(schema, path):
    """Yields all schemas with their paths."""
    yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from schemas_in(inner, f"{path}.{name}")
    for key in ("items", "additionalProperties"):
        if key in schema:
            yield from schemas_in(schema[key], f"{path}[]")


class GenCrdsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.definitions = {one["spec"]["names"]["kind"]: one for one in gen_crds.definitions()}

    def schema(self, kind):
        version = self.definitions[kind]["spec"]["versions"][0]
        return version["schema"]["openAPIV3Schema"]

    def test_the_committed_file_is_current(self):
        self.assertEqual(gen_crds.main(["--check"]), 0)

    def test_all_kinds_are_there(self):
        self.assertEqual(set(self.definitions), {"EvictionPolicy", "EvictionRecord", "NodeTaintRule"})
        for one in self.definitions.values():
            names = one["spec"]["names"]
            self.assertEqual(one["metadata"]["name"], f"{names['plural']}.plimsoll.io")

    def test_schemas_are_structural(self):
        for kind in self.definitions:
            for path, schema in schemas_in(self.schema(kind), kind):
                with self.subTest(path):
                    is_free = schema.get("x-kubernetes-int-or-string", False)
                    self.assertTrue(is_free or schema["type"] in SCALARS | {"object", "array"})
                    self.assertEqual("items" in schema, schema.get("type") == "array")
                    self.assertFalse("properties" in schema and "additionalProperties" in schema)

    def test_keys_of_list_maps_are_required(self):
        for kind in self.definitions:
            for path, schema in schemas_in(self.schema(kind), kind):
                keys = schema.get("x-kubernetes-list-map-keys", [])
                self.assertEqual(bool(keys), schema.get("x-kubernetes-list-type") == "map", path)
                for key in keys:
                    self.assertIn(key, schema["items"]["required"], path)

    def test_items_of_sets_are_scalars(self):
        for kind in self.definitions:
            for path, schema in schemas_in(self.schema(kind), kind):
                if schema.get("x-kubernetes-list-type") == "set":
                    self.assertIn(schema["items"]["type"], SCALARS, path)

    def test_defaults_enums_and_limits(self):
        spec = self.schema("EvictionPolicy")["properties"]["spec"]["properties"]
        self.assertEqual(spec["via"]["default"], "Delete")
        self.assertEqual(spec["via"]["enum"], ["Delete", "Eviction", "EvictionRequest"])
        self.assertEqual(spec["selector"]["properties"]["taintKeys"]["maxItems"], 32)
        self.assertEqual(spec["breaker"]["required"], ["window"])
        self.assertTrue(spec["rate"]["properties"]["perSecond"]["x-kubernetes-int-or-string"])
        value = self.schema("NodeTaintRule")["properties"]["spec"]["properties"]["value"]
        self.assertEqual((value["minProperties"], value["maxProperties"]), (1, 1))

    def test_status_is_a_subresource(self):
        for kind, one in self.definitions.items():
            version = one["spec"]["versions"][0]
            self.assertEqual("subresources" in version, "status" in self.schema(kind)["properties"])

    def test_columns_name_existing_fields(self):
        for kind, one in self.definitions.items():
            for column in one["spec"]["versions"][0]["additionalPrinterColumns"]:
                if column["name"] == "Age" or "?" in column["jsonPath"]:
                    continue
                schema = self.schema(kind)
                for step in column["jsonPath"].strip(".").split("."):
                    schema = schema["properties"][step.partition("[")[0]]
                    schema = schema["items"] if "[" in step else schema

    def test_texts_are_quoted(self):
        lines = list(gen_crds.yaml_lines({"a": 'x: "y"', "b": [{"c": True, "d": []}, 1], "e": {}}, 0))
        self.assertEqual(lines, ['a: "x: \\"y\\""', "b:", "  - c: true", "    d: []", "  - 1",
                                 "e: {}"])


if __name__ == "__main__":
    unittest.main()
