#!/usr/bin/env python3
"""Writes CustomResourceDefinitions of the kinds of plimsoll.io, for clusters whose API server is not
plimsoll's.

    gen_crds.py            writes deploy/crds/plimsoll.io.yaml
    gen_crds.py --check    fails if that file differs from what would be written

The schemas come from the descriptions in src/api/schema/kinds, from which the API server's own
tables are made. The descriptions have no limits of numbers and lists, so the tables here add them;
they follow the validation in src/api/validation."""

import json
import pathlib
import sys

import gen_schema

ROOT = pathlib.Path(__file__).resolve().parent.parent
KINDS = ROOT / "src/api/schema/kinds"
OUTPUT = ROOT / "deploy/crds/plimsoll.io.yaml"
STEM = "plimsoll_v1alpha1"

DURATION = r"^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$|^0$"
QUANTITY = (r"^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))"
            r"(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$")

SCALARS = {
    "string": {"type": "string"},
    "int32": {"type": "integer", "format": "int32"},
    "int64": {"type": "integer", "format": "int64"},
    "bool": {"type": "boolean"},
    "bytes": {"type": "string", "format": "byte"},
    "time": {"type": "string", "format": "date-time"},
    "microtime": {"type": "string", "format": "date-time"},
    "int-or-string": {"anyOf": [{"type": "integer"}, {"type": "string"}],
                      "x-kubernetes-int-or-string": True},
    "quantity": {"anyOf": [{"type": "integer"}, {"type": "string"}], "pattern": QUANTITY,
                 "x-kubernetes-int-or-string": True},
}

# Limits by type and field.
LIMITS = {
    ("EvictionBreaker", "maxPercent"): {"minimum": 1, "maximum": 100},
    ("EvictionBreaker", "maxPods"): {"minimum": 1},
    ("EvictionBreaker", "window"): {"pattern": DURATION},
    ("EvictionBreakerState", "counts"): {"maxItems": 32},
    ("EvictionBudgets", "atMost"): {"pattern": DURATION},
    ("EvictionPolicySpec", "deadline"): {"pattern": DURATION},
    ("EvictionPolicySpec", "settle"): {"pattern": DURATION},
    ("EvictionPolicyStatus", "breakers"): {"maxItems": 256},
    ("EvictionPolicyStatus", "conditions"): {"maxItems": 100},
    ("EvictionPolicyStatus", "heldBackBy"): {"maxItems": 32},
    ("EvictionPolicyStatus", "reserved"): {"maxItems": 1000},
    ("EvictionRate", "burst"): {"minimum": 1, "maximum": 100000},
    ("EvictionRecord", "entries"): {"maxItems": 2000},
    ("EvictionRecordEntry", "message"): {"maxLength": 1024},
    ("EvictionSelector", "taintKeys"): {"maxItems": 32},
    ("NodeTaintPrometheus", "interval"): {"pattern": DURATION},
    ("NodeTaintPrometheus", "query"): {"maxLength": 10240},
    ("NodeTaintPrometheus", "timeout"): {"pattern": DURATION},
    ("NodeTaintRuleNodes", "cel"): {"maxLength": 10240},
    ("NodeTaintRuleNodes", "names"): {"maxItems": 1000},
    ("NodeTaintRuleSpec", "description"): {"maxLength": 1024},
    ("NodeTaintRuleSpec", "hysteresis"): {"minimum": 0},
    ("NodeTaintRuleSpec", "maxChangesPerMinute"): {"minimum": 1},
    ("NodeTaintRuleSpec", "minInterval"): {"pattern": DURATION},
    ("NodeTaintRuleSpec", "step"): {"minimum": 1},
    ("NodeTaintRuleStatus", "conditions"): {"maxItems": 100},
    ("NodeTaintRuleStatus", "conflicts"): {"maxItems": 10},
    ("NodeTaintStale", "after"): {"pattern": DURATION},
    ("NodeTaintValue", "expression"): {"maxLength": 10240},
}

# CEL rules by type.
RULES = {
    "EvictionBreaker": [{"rule": "has(self.maxPods) || has(self.maxPercent)",
                         "message": "must set maxPods, maxPercent or both"}],
}

# JSONPath and type of printer columns. The path language cannot express the others.
COLUMNS = {
    "Age": (".metadata.creationTimestamp", "date"),
    "EvictionPolicy/Evicted": (".status.evicted", "integer"),
    "EvictionPolicy/Held Back": (".status.heldBack", "integer"),
    "EvictionPolicy/Paused": (".spec.paused", "boolean"),
    "EvictionPolicy/Rate": (".spec.rate.perSecond", "string"),
    "EvictionPolicy/Taints": (".spec.selector.taintKeys", "string"),
    "EvictionRecord/First": (".entries[0].time", "date"),
    "NodeTaintRule/Effect": (".spec.taint.effect", "string"),
    "NodeTaintRule/Healthy": ('.status.conditions[?(@.type=="SourceHealthy")].status', "string"),
    "NodeTaintRule/Key": (".spec.taint.key", "string"),
    "NodeTaintRule/Max": (".status.values.max", "string"),
    "NodeTaintRule/Median": (".status.values.median", "string"),
    "NodeTaintRule/Min": (".status.values.min", "string"),
    "NodeTaintRule/Nodes": (".status.nodes.selected", "integer"),
}


class Schemas:
    """Structural schemas of the described types."""

    def __init__(self, packages):
        self.packages = {package.stem: package for package in packages}
        self.used_limits = set()

    def of_text(self, text, package):
        """Returns the schema of a type as written in a description."""
        if text.startswith("[]"):
            return {"type": "array", "items": self.of_text(text[2:], package)}
        if text.startswith("map["):
            end = gen_schema.closing_bracket(text, 3)
            return {"type": "object", "additionalProperties": self.of_text(text[4:end], package)}
        base = text.partition(":")[0]
        if base in SCALARS:
            return dict(SCALARS[base])
        stem, _, name = base.rpartition(".")
        home = self.packages[stem] if stem else package
        return self.of_type(home.types[name])

    def of_type(self, described):
        """Returns the schema of a described type."""
        schema = {"description": described.doc, "type": "object"}
        required = [field.name for field in described.fields if field.required]
        if required:
            schema["required"] = required
        schema["properties"] = {field.name: self.of_field(described, field)
                                for field in described.fields}
        if "mapType" in described.attributes:
            schema["x-kubernetes-map-type"] = described.attributes["mapType"]
        if "unions" in described.attributes:
            schema |= {"minProperties": 1, "maxProperties": 1}
        if described.name in RULES:
            schema["x-kubernetes-validations"] = RULES[described.name]
        return schema

    def of_field(self, described, field):
        """Returns the schema of a field, with its own description."""
        if field.name == "metadata":
            return {"type": "object"}
        schema = self.of_text(field.type, described.package)
        if field.doc:
            schema = {"description": field.doc} | {key: value for key, value in schema.items()
                                                   if key != "description"}
        attributes = field.attributes
        if "enum" in attributes:
            schema["enum"] = attributes["enum"].split("|")
        for word in ("set", "fill"):
            if word in attributes:
                schema["default"] = json.loads(attributes[word])
        if "listType" in attributes:
            schema["x-kubernetes-list-type"] = attributes["listType"]
        if "listMapKeys" in attributes:
            schema["x-kubernetes-list-map-keys"] = attributes["listMapKeys"].split(",")
        if (described.name, field.name) in LIMITS:
            self.used_limits.add((described.name, field.name))
            schema |= LIMITS[described.name, field.name]
        return schema


def definition_of(kind, schemas):
    """Returns the CustomResourceDefinition of a kind."""
    package = kind.package
    columns = []
    for name, _, _ in kind.columns:
        path, form = COLUMNS.get(f"{kind.name}/{name}") or COLUMNS.get(name) or (None, None)
        if path is not None:
            columns.append({"name": name, "type": form, "jsonPath": path})
    names = {"plural": kind.plural, "singular": kind.singular, "kind": kind.name,
             "listKind": kind.list_kind}
    if kind.short:
        names["shortNames"] = kind.short
    version = {"name": package.version, "served": True, "storage": True,
               "additionalPrinterColumns": columns}
    if any(subresource[0] == "status" for subresource in kind.subresources):
        version["subresources"] = {"status": {}}
    version["schema"] = {"openAPIV3Schema": schemas.of_type(package.types[kind.type])}
    return {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{kind.plural}.{package.group}"},
            "spec": {"group": package.group, "names": names,
                     "scope": "Namespaced" if kind.namespaced else "Cluster",
                     "versions": [version]}}


def yaml_lines(value, indent):
    """Yields the lines of a mapping or a list in block style."""
    space = " " * indent
    pairs = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for key, item in pairs:
        head = f"{space}- " if key is None else f"{space}{key}:"
        if not item and isinstance(item, (dict, list)):
            yield f"{head.rstrip()} {json.dumps(item)}"
        elif isinstance(item, (dict, list)):
            lines = list(yaml_lines(item, indent + 2))
            if key is None:
                yield head + lines[0].lstrip()
                yield from lines[1:]
            else:
                yield head
                yield from lines
        else:
            text = json.dumps(item, ensure_ascii=False)
            yield f"{head.rstrip()} {text}"


def definitions():
    packages = [gen_schema.parse_file(path) for path in sorted(KINDS.glob("*.kinds"))]
    schemas = Schemas(packages)
    found = [definition_of(kind, schemas) for kind in schemas.packages[STEM].kinds if kind.plural]
    unused = LIMITS.keys() - schemas.used_limits
    if unused:
        raise SystemExit(f"gen_crds: limits of fields that do not exist: {sorted(unused)}")
    return found


def text():
    """Returns the whole file."""
    head = ("# Kinds of plimsoll.io for clusters with another API server. Written by tools/gen_crds.py; "
            "do not edit.\n# plimsoll's own API server serves these kinds without definitions.\n")
    return head + "".join("---\n" + "\n".join(yaml_lines(one, 0)) + "\n" for one in definitions())


def main(words):
    if words == ["--check"]:
        if not OUTPUT.exists() or OUTPUT.read_text(encoding="utf-8") != text():
            print(f"gen_crds: {OUTPUT.relative_to(ROOT)} is out of date: run tools/gen_crds.py")
            return 1
        return 0
    if words:
        print(__doc__)
        return 2
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
