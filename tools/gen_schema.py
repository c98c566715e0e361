#!/usr/bin/env python3
"""Compiles the kinds' descriptions (src/api/schema/kinds/*.kinds) into C++ tables.

    gen_schema.py --out DIRECTORY --tags protobuf_tags.txt FILE...

It writes, below DIRECTORY:
- api/schema/fields.h: a constant per field, so that code can say core_v1::PodSpec::kTolerations;
- api/schema/tables.cc: the tables that api/schema/schema.h declares;
- the views, which gen_views.py writes: a header per `header` line, and the decoders in api/decode.

src/api/README.md describes the format.
"""

import argparse
import dataclasses
import json
import pathlib
import random
import re
import sys

import gen_views
from gen_views import Fault

SCALARS = {
    "string": ("String", "string"),
    "int32": ("Int32", "int32"),
    "int64": ("Int64", "int64"),
    "bool": ("Bool", "bool"),
    "bytes": ("Bytes", "[]uint8"),
    "quantity": ("Quantity", "resource.Quantity"),
    "time": ("Time", "v1.Time"),
    "microtime": ("MicroTime", "v1.MicroTime"),
    "int-or-string": ("IntOrString", "intstr.IntOrString"),
    "any": ("Any", "runtime.RawExtension"),
}
FIELD_FLAGS = {"required"}
FIELD_ATTRIBUTES = {
    "default", "set", "fill", "enum", "listType", "listMapKeys", "mergeKey", "patchStrategy",
    "mapType",
}
TYPE_ATTRIBUTES = {"mapType", "unions"}
LIST_TYPES = {"atomic", "set", "map"}
MAP_TYPES = {"atomic", "granular"}
MASK64 = (1 << 64) - 1
NO_SLOT = 0xFF
INLINED = 0xFF
TAG_MAX = 0xFF
RESOURCE_LIST = "v1.ResourceList"
# Fields that all objects and lists have; apiserver/openapi/schema_text.cc describes them.
OBJECT_FIELDS = {"apiVersion", "kind", "metadata"}
DESCRIBED_FIELDS = OBJECT_FIELDS | {"items", "spec", "status"}


@dataclasses.dataclass
class Field:
    name: str
    type: str
    required: bool
    attributes: dict
    doc: str
    place: str
    shape: int = -1


@dataclasses.dataclass
class Type:
    package: "Package"
    name: str
    attributes: dict
    hook: bool
    doc: str
    place: str
    fields: list = dataclasses.field(default_factory=list)
    tags: dict = dataclasses.field(default_factory=dict)  # protobuf: (field number, is pointer)
    index: int = -1

    @property
    def go_name(self):
        return f"{self.package.go}.{self.name}"


@dataclasses.dataclass
class Kind:
    package: "Package"
    name: str
    place: str
    type: str = ""
    list_kind: str = ""
    item_kind: str = ""
    plural: str = ""
    singular: str = ""
    namespaced: bool = False
    short: list = dataclasses.field(default_factory=list)
    categories: list = dataclasses.field(default_factory=list)
    verbs: list = dataclasses.field(default_factory=list)
    subresources: list = dataclasses.field(default_factory=list)
    columns: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Package:
    stem: str
    name: str = ""
    group: str = ""
    version: str = ""
    go: str = ""
    kinds: list = dataclasses.field(default_factory=list)
    types: dict = dataclasses.field(default_factory=dict)
    headers: list = dataclasses.field(default_factory=list)  # of the views


# ---- reading ------------------------------------------------------------------------------------


def split_words(text, place):
    """Splits at blanks; a quoted word may contain blanks."""
    words = re.findall(r'"[^"]*"(?=\s|$)|\S+', text)
    if not words:
        raise Fault(f"{place}: nothing here")
    return words


def parse_attributes(words, known, flags, place):
    attributes, seen_flags = {}, set()
    for word in words:
        name, separator, value = word.partition("=")
        if not separator and name in flags:
            seen_flags.add(name)
        elif separator and name in known and name not in attributes:
            attributes[name] = value
        else:
            raise Fault(f"{place}: unknown or repeated attribute '{word}'")
    for name in ("default", "set", "fill", "unions"):
        if name in attributes:
            try:
                json.loads(attributes[name])
            except ValueError as error:
                raise Fault(f"{place}: {name} is no JSON: {error}") from error
    if attributes.get("listType", "atomic") not in LIST_TYPES:
        raise Fault(f"{place}: unknown listType")
    if attributes.get("mapType", "atomic") not in MAP_TYPES:
        raise Fault(f"{place}: unknown mapType")
    return attributes, seen_flags


def parse_kind_line(kind, words, place):
    head, rest = words[0], words[1:]
    if head == "type":
        kind.type = rest[0]
    elif head == "list":
        kind.list_kind = rest[0]
    elif head == "lists":
        kind.item_kind = rest[0]
    elif head == "resource":
        kind.plural, kind.singular, scope = rest
        if scope not in ("Namespaced", "Cluster"):
            raise Fault(f"{place}: a resource is Namespaced or Cluster, not '{scope}'")
        kind.namespaced = scope == "Namespaced"
    elif head in ("short", "categories", "verbs"):
        setattr(kind, head, rest)
    elif head == "subresource":
        parts = rest[1].split("/")
        group, version = parts[:2] if len(parts) == 3 else (kind.package.group,
                                                            kind.package.version)
        kind.subresources.append((rest[0], group, version, parts[-1], rest[2:]))
    elif head == "column":
        attributes, _ = parse_attributes(rest[2:], {"format", "priority", "value"}, set(), place)
        kind.columns.append((rest[0].strip('"'), rest[1], attributes))
    else:
        raise Fault(f"{place}: unknown word '{head}'")


def parse_file(path):
    package = Package(stem=path.stem)
    current = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{path.name}:{number}"
        text, _, doc = line.partition(" -- ")
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        words = split_words(text, place)
        if not line.startswith(" "):
            current = parse_top_line(package, words, doc.strip(), place)
        elif isinstance(current, Kind):
            parse_kind_line(current, words, place)
        elif isinstance(current, Type):
            attributes, flags = parse_attributes(words[2:], FIELD_ATTRIBUTES, FIELD_FLAGS, place)
            current.fields.append(
                Field(words[0], words[1], "required" in flags, attributes, doc.strip(), place))
        elif isinstance(current, gen_views.Block):
            gen_views.parse_block_line(current, words, doc.strip(), place)
        else:
            raise Fault(f"{place}: belongs to no kind, type or view")
    return package


def parse_top_line(package, words, doc, place):
    head = words[0]
    if head in ("package", "group", "version", "go"):
        setattr(package, "name" if head == "package" else head, words[1].strip('"'))
        return None
    if head == "kind":
        kind = Kind(package, words[1], place)
        package.kinds.append(kind)
        return kind
    if head == "type":
        attributes, flags = parse_attributes(words[2:], TYPE_ATTRIBUTES, {"hook"}, place)
        if words[1] in package.types:
            raise Fault(f"{place}: type {words[1]} is described twice")
        described = Type(package, words[1], attributes, "hook" in flags, doc, place)
        package.types[words[1]] = described
        return described
    if head == "header":
        package.headers.append(gen_views.Header(words[1], doc, package.stem))
        return None
    if head in ("view", "enum", "texts"):
        header = package.headers[-1] if package.headers else None
        return gen_views.parse_block(words, header, package, doc, place)
    raise Fault(f"{place}: unknown word '{head}'")


def parse_tag(described, word, place):
    """Parses one `field=2.1*` of a type."""
    match = re.fullmatch(r"(\w+)=(?:(\d+)\.)?(\d+)(\*?)", word)
    names = [field.name for field in described.fields]
    if match is None or match[1] not in names:
        raise Fault(f"{place}: no field of {described.name}, or no tag: '{word}'")
    outer, inner = int(match[2] or 0), int(match[3])
    if not (outer <= TAG_MAX and 0 < inner <= TAG_MAX):
        raise Fault(f"{place}: tag out of range: '{word}'")
    if outer:
        if described.tags.setdefault(outer, (INLINED, False)) != (INLINED, False):
            raise Fault(f"{place}: {outer} of '{word}' is a field of its own")
    tag, field = outer << 8 | inner, names.index(match[1])
    if tag in described.tags or any(field == taken for taken, _ in described.tags.values()):
        raise Fault(f"{place}: '{word}' is there twice")
    described.tags[tag] = (field, bool(match[4]))


def parse_tags(path, packages):
    """Adds protobuf tags to the described types."""
    types = {f"{p.name}.{name}": one for p in packages for name, one in p.types.items()}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        place = f"{path.name}:{number}"
        if not line.strip() or line.startswith("#"):
            continue
        name, *words = line.split()
        if name not in types:
            raise Fault(f"{place}: no type '{name}' is described")
        if types[name].tags:
            raise Fault(f"{place}: type {name} is there twice")
        for word in words:
            parse_tag(types[name], word, place)


def check_docs(packages):
    """Fails unless every type and every field has a description, which `kubectl explain` prints."""
    for one in (one for package in packages for one in package.types.values()):
        if not one.doc:
            raise Fault(f"{one.place}: type {one.name} has no description (` -- text`)")
        is_object = OBJECT_FIELDS <= {field.name for field in one.fields}
        for field in one.fields:
            if not field.doc and not (is_object and field.name in DESCRIBED_FIELDS):
                raise Fault(f"{field.place}: field {one.name}.{field.name} has no description "
                            "(` -- text`)")


# ---- meaning ------------------------------------------------------------------------------------


def closing_bracket(text, opening):
    """Returns the index of the matching closing bracket: a map may contain lists."""
    depth = 0
    for at in range(opening, len(text)):
        depth += {"[": 1, "]": -1}.get(text[at], 0)
        if depth == 0:
            return at
    return -1


class Schema:
    """All packages, with numbered types and unique shapes of fields."""

    def __init__(self, packages):
        self.packages = {package.stem: package for package in packages}
        self.types = [t for p in packages for t in p.types.values()]
        self.shapes = []  # (kind, element shape, type, Go name)
        self.shape_numbers = {}
        for index, one in enumerate(self.types):
            one.index = index
            if len({field.name for field in one.fields}) != len(one.fields):
                raise Fault(f"{one.place}: a field of {one.name} is described twice")
            if len(one.fields) >= NO_SLOT:
                raise Fault(f"{one.place}: {one.name} has too many fields")
        for one in self.types:
            for field in one.fields:
                field.shape = self.shape(field.type, one.package, field.place)
        self.reaches_defaults = self.find_reach()

    def shape(self, text, package, place):
        kind, element, type_index, go_name = "", 0, 0, ""
        if text.startswith("[]"):
            element = self.shape(text[2:], package, place)
            kind, go_name = "List", "[]" + self.shapes[element][3]
        elif text.startswith("map["):
            end = closing_bracket(text, 3)
            element = self.shape(text[4:end], package, place)
            kind, go_name = "Map", "map[string]" + self.shapes[element][3]
            if text[end + 1:].startswith(":"):
                go_name = text[end + 2:]
        else:
            base, _, named = text.partition(":")
            if base in SCALARS:
                kind, go_name = SCALARS[base]
                if named:
                    go_name = named if "." in named else f"{package.go}.{named}"
            else:
                found = self.find_type(base, package, place)
                kind, type_index, go_name = "Struct", found.index, found.go_name
        key = (kind, element, type_index, go_name)
        if key not in self.shape_numbers:
            self.shape_numbers[key] = len(self.shapes)
            self.shapes.append(key)
        return self.shape_numbers[key]

    def find_type(self, name, package, place):
        stem, _, bare = name.rpartition(".")
        home = self.packages.get(stem) if stem else package
        if home is None or bare not in home.types:
            raise Fault(f"{place}: no type '{name}' is described")
        return home.types[bare]

    def struct_of(self, shape):
        """Returns the index of the struct type that a shape contains, or None."""
        kind, element, type_index, _ = self.shapes[shape]
        if kind in ("List", "Map"):
            return self.struct_of(element)
        return type_index if kind == "Struct" else None

    def is_resource_list(self, shape):
        return self.shapes[shape][3] == RESOURCE_LIST

    def find_reach(self):
        """Returns the types in or below which the server sets or normalizes a field. A walk may skip
        all others."""
        reach = {
            one.index
            for one in self.types
            if one.hook or any({"set", "fill"} & field.attributes.keys() or
                               self.is_resource_list(field.shape) for field in one.fields)
        }
        grew = True
        while grew:
            grew = False
            for one in self.types:
                below = {self.struct_of(field.shape) for field in one.fields}
                if one.index not in reach and reach & below:
                    reach.add(one.index)
                    grew = True
        return reach


def key_bits(key):
    """Must compute the same as KeyBits() in schema.h."""
    data = key.encode()
    size = len(data)
    if size >= 8:
        first, last = data[:8], data[-8:]
    elif size >= 4:
        first, last = data[:4], data[-4:]
    else:
        first, last = bytes([data[0], data[size // 2], data[-1]]), b""
    mixed = int.from_bytes(last, "little")
    mixed = ((mixed << 29) | (mixed >> 35)) & MASK64
    return int.from_bytes(first, "little") ^ mixed ^ size


def perfect_hash(names, place):
    """Returns (shift, multiplier, slots) such that every name has its own slot."""
    bits = [key_bits(name) for name in names]
    if len(set(bits)) != len(bits):
        raise Fault(f"{place}: two fields look alike to the hash; extend key_bits")
    rng = random.Random(1)
    log_size = max(1, (2 * len(names) - 1).bit_length())
    while True:
        for _ in range(20000):
            multiplier = rng.getrandbits(64) | 1
            slots = [NO_SLOT] * (1 << log_size)
            for index, value in enumerate(bits):
                slot = ((value * multiplier) & MASK64) >> (64 - log_size)
                if slots[slot] != NO_SLOT:
                    break
                slots[slot] = index
            else:
                return 64 - log_size, multiplier, slots
        log_size += 1


# ---- writing ------------------------------------------------------------------------------------


def quoted(text):
    return json.dumps(text)


def constant(name):
    return "k" + name[0].upper() + name[1:]


def write_header(schema):
    out = ["// Written by tools/gen_schema.py from src/api/schema/kinds. Do not edit.", "#pragma once",
           "", '#include "api/schema/schema.h"', "", "namespace plimsoll::api::fields {", ""]
    for package in schema.packages.values():
        out.append(f"namespace {package.stem} {{")
        for one in package.types.values():
            names = [f"{constant(field.name)} = {i}" for i, field in enumerate(one.fields)]
            out.append(f"struct {one.name} {{")
            out.append(f"  static constexpr TypeId kTypeId{{{one.index}}};")
            if names:
                out.append("  enum Id : codec::FieldId { " + ", ".join(names) + " };")
            out.append("};")
        out += [f"}}  // namespace {package.stem}", ""]
    out.append("}  // namespace plimsoll::api::fields")
    return "\n".join(out) + "\n"


class TableWriter:
    """Collects the arrays that the descriptions refer to."""

    def __init__(self):
        self.lines = []
        self.texts = {}

    def text_list(self, items):
        if not items:
            return "{}"
        key = tuple(items)
        if key not in self.texts:
            name = f"kTexts{len(self.texts)}"
            self.texts[key] = name
            values = ", ".join(quoted(item) for item in items)
            self.lines.append(f"constexpr std::string_view {name}[] = {{{values}}};")
        return self.texts[key]


def field_row(field, writer):
    a = field.attributes
    row = [f".name = {quoted(field.name)}", f".shape = &kShapes[{field.shape}]"]
    if field.required:
        row.append(".required = true")
    if "fill" in a:
        row.append(".fills_zero = true")
    if "listType" in a:
        row.append(f".list_type = ListType::{a['listType'].capitalize()}")
    if "mapType" in a:
        row.append(f".map_type = MapType::{a['mapType'].capitalize()}")
    if "default" in a:
        row.append(f".default_json = {quoted(a['default'])}")
    if "set" in a or "fill" in a:
        row.append(f".set_json = {quoted(a.get('set', a.get('fill')))}")
    if "mergeKey" in a:
        row.append(f".merge_key = {quoted(a['mergeKey'])}")
    if "patchStrategy" in a:
        row.append(f".patch_strategies = {writer.text_list(a['patchStrategy'].split(','))}")
    if "listMapKeys" in a:
        row.append(f".list_map_keys = {writer.text_list(a['listMapKeys'].split(','))}")
    if "enum" in a:
        row.append(f".enum_values = {writer.text_list(a['enum'].split('|'))}")
    if field.doc:
        row.append(f".doc = {quoted(field.doc)}")
    return "    {" + ", ".join(row) + "},"


def write_type(schema, one, writer):
    prefix = f"{one.package.stem}_{one.name}"
    row = [f".id = TypeId{{{one.index}}}",
           f".name = {quoted(one.package.name + '.' + one.name)}",
           f".go_name = {quoted(one.go_name)}"]
    if one.fields:
        rows = [field_row(field, writer) for field in one.fields]
        writer.lines += [f"constinit const FieldDesc kFields_{prefix}[] = {{", *rows, "};"]
        shift, multiplier, slots = perfect_hash([f.name for f in one.fields], one.place)
        writer.lines.append(f"constexpr std::uint8_t kSlots_{prefix}[] = "
                            f"{{{', '.join(map(str, slots))}}};")
        row += [f".fields = kFields_{prefix}", f".slots = kSlots_{prefix}",
                f".multiplier = {multiplier:#x}u", f".shift = {shift}"]
    if one.tags:
        tags = ", ".join(f"{{{tag}, {field}, {str(is_pointer).lower()}}}"
                         for tag, (field, is_pointer) in sorted(one.tags.items()))
        writer.lines.append(f"constexpr TagDesc kTags_{prefix}[] = {{{tags}}};")
        row.append(f".tags = kTags_{prefix}")
    defaulted = [i for i, f in enumerate(one.fields) if {"set", "fill"} & f.attributes.keys()]
    if defaulted:
        writer.lines.append(f"constexpr codec::FieldId kDefaulted_{prefix}[] = "
                            f"{{{', '.join(map(str, defaulted))}}};")
        row.append(f".defaulted = kDefaulted_{prefix}")
    if one.index in schema.reaches_defaults:
        row.append(".reaches_defaults = true")
    if one.hook:
        row.append(f".default_hook = defaults::Default{one.name}")
    if "mapType" in one.attributes:
        row.append(f".map_type = MapType::{one.attributes['mapType'].capitalize()}")
    if "unions" in one.attributes:
        row.append(f".unions_json = {quoted(one.attributes['unions'])}")
    if one.doc:
        row.append(f".doc = {quoted(one.doc)}")
    return "    {" + ", ".join(row) + "},"


def shape_row(shape):
    kind, element, type_index, go_name = shape
    row = [f".kind = ShapeKind::{kind}"]
    if go_name == RESOURCE_LIST:
        row.append(".is_resource_list = true")
    if kind in ("List", "Map"):
        row.append(f".element = &kShapes[{element}]")
    if kind == "Struct":
        row.append(f".type = &kTypes[{type_index}]")
    row.append(f".go_name = {quoted(go_name)}")
    return "    {" + ", ".join(row) + "},"


def kind_row(schema, kind, writer):
    package = kind.package
    prefix = f"{package.stem}_{kind.name}"
    described = schema.find_type(kind.type or kind.name, package, kind.place)
    row = [f".group = {quoted(package.group)}", f".version = {quoted(package.version)}",
           f".kind = {quoted(kind.name)}", f".type = &kTypes[{described.index}]"]
    if kind.list_kind:
        row.append(f".list_kind = {quoted(kind.list_kind)}")
    if kind.item_kind:
        row.append(f".item_kind = {quoted(kind.item_kind)}")
    if not kind.plural:
        return "    {" + ", ".join(row) + "},"
    row += [f".plural = {quoted(kind.plural)}", f".singular = {quoted(kind.singular)}"]
    if kind.namespaced:
        row.append(".is_namespaced = true")
    for name, items in (("short_names", kind.short), ("categories", kind.categories),
                        ("verbs", kind.verbs)):
        if items:
            row.append(f".{name} = {writer.text_list(items)}")
    if kind.subresources:
        rows = [f"    {{{quoted(n)}, {quoted(g)}, {quoted(v)}, {quoted(k)}, "
                f"{writer.text_list(verbs)}}}," for n, g, v, k, verbs in kind.subresources]
        writer.lines += [f"constexpr SubresourceDesc kSubresources_{prefix}[] = {{", *rows, "};"]
        row.append(f".subresources = kSubresources_{prefix}")
    if kind.columns:
        rows = [f"    {{{quoted(n)}, {quoted(t)}, {quoted(a.get('format', ''))}, "
                f"{a.get('priority', '0')}, {quoted(a.get('value', ''))}}},"
                for n, t, a in kind.columns]
        writer.lines += [f"constexpr ColumnDesc kColumns_{prefix}[] = {{", *rows, "};"]
        row.append(f".columns = kColumns_{prefix}")
    return "    {" + ", ".join(row) + "},"


def all_kinds(schema):
    """Returns every kind and its implied list kind, in the order in which FindKind searches."""
    kinds = []
    for package in schema.packages.values():
        for kind in package.kinds:
            kinds.append(kind)
            if kind.list_kind:
                home = kind.type[:kind.type.rfind(".") + 1]  # for a type of another file
                kinds.append(Kind(package, kind.list_kind, kind.place, item_kind=kind.name,
                                  type=home + kind.list_kind))
    return sorted(kinds, key=lambda kind: (kind.name, kind.package.group, kind.package.version))


def write_source(schema):
    writer = TableWriter()
    type_rows = [write_type(schema, one, writer) for one in schema.types]
    kind_rows = [kind_row(schema, kind, writer) for kind in all_kinds(schema)]
    shape_rows = [shape_row(shape) for shape in schema.shapes]
    by_name = sorted(schema.types, key=lambda one: f"{one.package.name}.{one.name}")
    # Types, fields and shapes refer to each other, so the arrays are declared first.
    return "\n".join([
        "// Written by tools/gen_schema.py from src/api/schema/kinds. Do not edit.",
        '#include "api/defaults/hooks.h"', '#include "api/schema/tables.h"', "",
        "namespace plimsoll::api::tables {",
        "namespace {", "",
        f"extern const TypeDesc kTypes[{len(type_rows)}];",
        f"extern const Shape kShapes[{len(shape_rows)}];",
        *writer.lines, "",
        f"constinit const TypeDesc kTypes[{len(type_rows)}] = {{", *type_rows, "};",
        f"constinit const Shape kShapes[{len(shape_rows)}] = {{", *shape_rows, "};",
        "constinit const KindDesc kKinds[] = {", *kind_rows, "};",
        "constinit const TypeDesc* const kTypesByName[] = {" +
        ", ".join(f"&kTypes[{one.index}]" for one in by_name) + "};",
        "constexpr Package kPackages[] = {",
        *(f"    {{{quoted(one.stem)}, {quoted(one.name)}}},"
          for one in schema.packages.values()), "};",
        "", "}  // namespace", "",
        "constinit const std::span<const TypeDesc> kAllTypes = kTypes;",
        "constinit const std::span<const KindDesc> kAllKinds = kKinds;",
        "constinit const std::span<const TypeDesc* const> kAllTypesByName = kTypesByName;",
        "constinit const std::span<const Package> kAllPackages = kPackages;",
        "", "}  // namespace plimsoll::api::tables", "",
    ])


def write_if_changed(path, text):
    """Keeps the time of a file that stays the same, so that nothing is compiled again for it."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--tags", required=True, type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        packages = [parse_file(path) for path in sorted(arguments.files)]
        check_docs(packages)
        parse_tags(arguments.tags, packages)
        schema = Schema(packages)
        headers = [header for package in packages for header in package.headers]
        files = {"api/schema/fields.h": write_header(schema),
                 "api/schema/tables.cc": write_source(schema),
                 **gen_views.write_all(schema, headers)}
    except Fault as fault:
        sys.exit(f"gen_schema: {fault}")
    for path, text in files.items():
        write_if_changed(arguments.out / path, text)


if __name__ == "__main__":
    main()
