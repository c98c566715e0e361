"""Writes the views of the kinds: the C++ structs with the fields that code reads, and their decoders.

gen_schema.py parses the descriptions and calls this module. A `header` line of a description opens
a generated header; the blocks `view`, `enum` and `texts` that follow are declared in it. The
section "Views" of src/api/README.md describes these blocks.
"""

import dataclasses
import re
import textwrap

COLUMNS = 100
TEXT_SHAPES = {"String", "Time", "MicroTime", "Bytes"}
CPP_KEYWORDS = {"default", "namespace", "operator", "template"}
MEMBER_FLAGS = {"optional", "int64", "tree", "keys"}
ZERO = {"std::int32_t": "0", "std::int64_t": "0", "bool": "false"}
TREE = "const codec::Value*"
# C++ type -> the header that declares it. Views are found by name.
INCLUDES = {
    "std::int32_t": "<cstdint>", "std::int64_t": "<cstdint>", "std::uint8_t": "<cstdint>",
    "std::string_view": "<string_view>", "std::optional": "<optional>",
    "std::vector": "<vector>", "Quantity": '"base/quantity.h"',
    "StringMap": '"api/meta/string_map.h"', "ResourceList": '"api/core/resource_list.h"',
    "NamedQuantity": '"api/core/resource_list.h"',
}
BANNER = "// Written by tools/gen_schema.py from src/api/schema/kinds{}. Do not edit."


class Fault(Exception):
    """A mistake in a description, with its location."""


@dataclasses.dataclass
class Member:
    """A line of a view."""
    place: str
    doc: str
    name: str = ""  # of the C++ member; may be one within a `member`: facts.driver
    paths: list = dataclasses.field(default_factory=list)  # alternatives, as texts
    flags: set = dataclasses.field(default_factory=set)
    view: str = ""  # view of the value, if its type has several
    hook: str = ""
    enum: str = ""
    enum_use: str = ""  # oneof, typeof
    cpp_type: str = ""  # given for `member`, else found from the schema
    include: str = ""


@dataclasses.dataclass
class Block:
    """A `view`, `enum` or `texts`."""
    word: str
    name: str
    header: "Header"
    package: object
    place: str
    doc: str
    type_names: list = dataclasses.field(default_factory=list)
    base: str = ""
    flags: set = dataclasses.field(default_factory=set)
    after: str = ""
    members: list = dataclasses.field(default_factory=list)
    entries: list = dataclasses.field(default_factory=list)  # (name, doc) of enum and texts
    types: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Header:
    path: str
    doc: str
    stem: str
    blocks: list = dataclasses.field(default_factory=list)


# ---- reading ------------------------------------------------------------------------------------


def parse_block(words, header, package, doc, place):
    """Parses the first line of a block."""
    if header is None:
        raise Fault(f"{place}: no `header` line says where {words[1]} is declared")
    block = Block(words[0], words[1], header, package, place, doc)
    header.blocks.append(block)
    rest = words[2:]
    if block.word != "view" and rest:
        raise Fault(f"{place}: unknown word '{rest[0]}'")
    while rest:
        word = rest.pop(0)
        if word == "of":
            while rest and rest[0] not in ("extends", "equal", "empty") and "=" not in rest[0]:
                block.type_names.append(rest.pop(0))
        elif word == "extends" and rest:
            block.base = rest.pop(0)
        elif word in ("equal", "empty"):
            block.flags.add(word)
        elif word.startswith("after="):
            block.after = word[len("after="):]
        else:
            raise Fault(f"{place}: unknown word '{word}'")
    block.type_names = block.type_names or [block.name]
    return block


def parse_block_line(block, words, doc, place):
    """Parses an indented line of a block."""
    if block.word != "view":
        block.entries.append((words[0], doc))
        return
    member = Member(place, doc)
    rest = words[1:]
    if words[0] == "member":
        member.name, member.cpp_type, rest = words[1], words[2], words[3:]
    elif words[0] in ("oneof", "typeof"):
        member.enum_use, member.enum, rest = words[0], words[1], words[2:]
    else:
        member.paths = words[0].split("|")
    while rest:
        word = rest.pop(0)
        key, _, value = word.partition("=")
        if word == "as" and rest:
            member.name = rest.pop(0)
        elif word in MEMBER_FLAGS:
            member.flags.add(word)
        elif key in ("view", "hook", "include") and value:
            setattr(member, key, value)
        else:
            raise Fault(f"{place}: unknown word '{word}'")
    if not member.name and not member.hook:
        member.name = snake_case(words[0].split("|")[0].split(".")[-1])
    block.members.append(member)


def snake_case(name):
    spaced = re.sub(r"([A-Z]+)([A-Z][a-z]{2,})", r"\1_\2", name)
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", spaced).lower()
    return spaced + "_" if spaced in CPP_KEYWORDS else spaced


def capitalized(name):
    return name[:1].upper() + name[1:]


# ---- meaning ------------------------------------------------------------------------------------


@dataclasses.dataclass
class Target:
    """The end of a path in one type."""
    fields: list  # names from the type to the value; empty: the value of the type itself
    shape: tuple  # (kind, element, type, Go name) of the value
    element: tuple = None  # after []: (type of the elements, fields to a value in them, its shape)


class Views:
    """All views, with the types that they decode."""

    def __init__(self, schema, headers):
        self.schema = schema
        self.headers = headers
        self.blocks = {}
        for header in headers:
            for block in header.blocks:
                if block.name in self.blocks:
                    raise Fault(f"{block.place}: {block.name} is there twice")
                self.blocks[block.name] = block
        self.by_type = {}  # index of a type -> its views
        for block in self.all("view"):
            if block.type_names == ["none"]:
                continue
            block.types = [schema.find_type(name, block.package, block.place)
                           for name in block.type_names]
            for one in block.types:
                self.by_type.setdefault(one.index, []).append(block)
        for block in self.all("view"):
            for member in block.members:
                member.cpp_type = member.cpp_type or self.member_type(block, member)

    def all(self, word):
        return [block for header in self.headers for block in header.blocks if block.word == word]

    def find(self, name, word, place):
        block = self.blocks.get(name)
        if block is None or block.word != word:
            raise Fault(f"{place}: there is no {word} '{name}'")
        return block

    def struct_shape(self, one):
        return ("Struct", 0, one.index, one.go_name)

    def follow(self, one, steps):
        """Follows field names from a type. Returns the shape, or None if there is no such field."""
        shape = self.struct_shape(one)
        for step in steps:
            if shape[0] != "Struct":
                return None
            found = [f for f in self.schema.types[shape[2]].fields if f.name == step]
            if not found:
                return None
            shape = self.schema.shapes[found[0].shape]
        return shape

    def target(self, one, member):
        """Finds the member's value in a type, or returns None."""
        for path in member.paths:
            head, brackets, tail = path.partition("[].")
            steps = [] if head == "." else head.split(".")
            shape = self.follow(one, steps)
            if shape is None:
                continue
            if not brackets:
                return Target(steps, shape)
            element = self.schema.shapes[shape[1]]
            if shape[0] not in ("List", "Map") or element[0] != "Struct":
                raise Fault(f"{member.place}: {head} is no list or map of objects")
            below = self.follow(self.schema.types[element[2]], tail.split("."))
            if below is None:
                raise Fault(f"{member.place}: {path} leads nowhere")
            return Target(steps, shape, (self.schema.types[element[2]], tail.split("."), below))
        return None

    def view_of(self, type_index, member):
        """Returns the view that stands for a type."""
        views = self.by_type.get(type_index, [])
        if member.view:
            views = [view for view in views if view.name == member.view]
        if len(views) != 1:
            name = self.schema.types[type_index].name
            raise Fault(f"{member.place}: {len(views)} views of {name}; add view=, or one view")
        return views[0]

    def value_type(self, shape, member):
        """Returns the C++ type of a value."""
        kind, element, type_index, _ = shape
        if kind in TEXT_SHAPES:
            return "std::string_view"
        if kind in ("Int32", "Int64"):
            return "std::int32_t" if kind == "Int32" and "int64" not in member.flags else "std::int64_t"
        if kind == "Bool":
            return "bool"
        if kind == "Quantity":
            return "Quantity"
        if kind == "Struct":
            return self.view_of(type_index, member).name
        below = self.schema.shapes[element] if kind in ("List", "Map") else None
        if kind == "List":
            return f"std::vector<{self.value_type(below, member)}>"
        if kind == "Map" and below[0] == "String":
            return "StringMap"
        if kind == "Map" and below[0] == "Quantity":
            is_list = self.schema.is_resource_list(self.schema.shapes.index(shape))
            return "ResourceList" if is_list else "std::vector<NamedQuantity>"
        raise Fault(f"{member.place}: {kind} has no C++ type; keep the tree, or add a hook")

    def member_type(self, block, member):
        """Returns the C++ type of a member, or "" if the line declares none."""
        if member.enum:
            self.find(member.enum, "enum", member.place)
            return TREE if "tree" in member.flags else member.enum
        targets = [target for one in block.types if (target := self.target(one, member))]
        if not targets:
            raise Fault(f"{member.place}: no type of {block.name} has a field {'|'.join(member.paths)}")
        if member.hook or "." in member.name:
            return ""
        if "tree" in member.flags:
            return TREE
        if "keys" in member.flags:
            return "std::vector<std::string_view>"
        found = {self.target_type(target, member) for target in targets}
        if len(found) > 1:
            raise Fault(f"{member.place}: the types of {block.name} disagree on {member.name}")
        return f"std::optional<{found.pop()}>" if "optional" in member.flags else found.pop()

    def target_type(self, target, member):
        if target.element is None:
            return self.value_type(target.shape, member)
        leaf = self.value_type(target.element[2], member)
        if target.shape[0] == "List":
            return f"std::vector<{leaf}>"
        if leaf != "Quantity":
            raise Fault(f"{member.place}: only quantities can be read from the objects of a map")
        return "std::vector<NamedQuantity>"

    def kind_views(self):
        """Returns (view, type) of every kind that has a view."""
        kinds = {self.schema.find_type(kind.type or kind.name, package, kind.place).index
                 for package in self.schema.packages.values() for kind in package.kinds}
        return [(block, one) for block in self.all("view") for one in block.types
                if one.index in kinds]


# ---- the headers of the structs -----------------------------------------------------------------


def comment(text, indent=""):
    """Returns the lines of a comment before a declaration."""
    return textwrap.wrap(text, COLUMNS, initial_indent=f"{indent}/// ",
                         subsequent_indent=f"{indent}/// ", break_on_hyphens=False,
                         break_long_words=False) if text else []


def with_comments(rows):
    """Returns the lines of declarations; comments of neighbours are aligned, as by clang-format."""
    lines, at = [], 0
    while at < len(rows):
        code, doc = rows[at]
        if not doc:
            lines.append(code)
            at += 1
            continue
        end = at
        widest, longest = 0, 0
        while end < len(rows) and rows[end][1]:
            wider = max(widest, len(rows[end][0]))
            longer = max(longest, len(rows[end][1]))
            if end > at and wider + longer + 5 > COLUMNS:
                break
            widest, longest, end = wider, longer, end + 1
        if widest + longest + 5 > COLUMNS:
            lines += comment(doc, "  ") + [code]
        else:
            lines += [f"{code:{widest}}  // {text}" for code, text in rows[at:end]]
        at = end
    return lines


def declare_enum(block):
    rows = [(f"  {capitalized(name)},", doc) for name, doc in block.entries]
    names = ", ".join(capitalized(name) for name, _ in block.entries)
    line = f"enum class {block.name} : std::uint8_t {{ {names} }};"
    if len(line) <= COLUMNS and not any(doc for _, doc in rows):
        return comment(block.doc) + [line]
    return [*comment(block.doc), f"enum class {block.name} : std::uint8_t {{", *with_comments(rows),
            "};"]


def declare_texts(block):
    rows = [(f'inline constexpr std::string_view k{name} = "{name}";', doc)
            for name, doc in block.entries]
    return [*comment(block.doc), f"namespace {block.name} {{", *with_comments(rows),
            f"}}  // namespace {block.name}"]


def declare_view(views, block):
    rows = []
    for member in block.members:
        if not member.cpp_type:
            continue
        zero = ZERO.get(member.cpp_type)
        if member.cpp_type == TREE:
            zero = "nullptr"
        if member.enum and member.cpp_type == member.enum:
            first = views.blocks[member.enum].entries[0][0]
            zero = f"{member.enum}::{capitalized(first)}"
        rows.append((f"  {member.cpp_type} {member.name}{f' = {zero}' if zero else ''};", member.doc))
    lines = with_comments(rows)
    if "empty" in block.flags:
        every = " && ".join(f"{member.name}.empty()" for member in block.members)
        lines += ["", f"  bool empty() const {{ return {every}; }}"]
    if "equal" in block.flags:
        line = f"  friend bool operator==(const {block.name}&, const {block.name}&) = default;"
        if len(line) > COLUMNS:
            line = line.replace("&, ", "&,\n" + " " * len("  friend bool operator==("), 1)
        lines += ["", line]
    base = f" : {block.base}" if block.base else ""
    return [*comment(block.doc), f"struct {block.name}{base} {{", *lines, "};"]


def includes_of(views, header):
    """Returns the headers that the declarations need, the standard ones first."""
    standard, own = set(), set()
    words = set()
    for block in header.blocks:
        words |= {"std::uint8_t"} if block.word == "enum" else set()
        words |= {"std::string_view"} if block.word == "texts" else set()
        words |= {block.base} if block.base else set()
        for member in block.members:
            words |= set(re.findall(r"[\w:]+", member.cpp_type))
            if member.include:
                own.add(f'"{member.include}"')
    for word in words:
        found = INCLUDES.get(word, "")
        if word in views.blocks and views.blocks[word].header is not header:
            found = f'"api/{views.blocks[word].header.path}"'
        if found:
            (standard if found.startswith("<") else own).add(found)
    lines = [f"#include {name}" for name in sorted(standard)]
    if standard and own:
        lines.append("")
    return lines + [f"#include {name}" for name in sorted(own)]


def write_struct_header(views, header):
    lines = [BANNER.format(f"/{header.stem}.kinds"), "#pragma once", "",
             *includes_of(views, header), ""]
    if any(member.cpp_type == TREE for block in header.blocks for member in block.members):
        lines += ["namespace plimsoll::codec {", "class Value;", "}", ""]
    lines += [*comment(header.doc), "namespace plimsoll::api {", ""]
    for block in header.blocks:
        if block.word == "enum":
            lines += declare_enum(block)
        elif block.word == "texts":
            lines += declare_texts(block)
        else:
            lines += declare_view(views, block)
        lines.append("")
    return "\n".join([*lines, "}  // namespace plimsoll::api", ""])


# ---- the decoders -------------------------------------------------------------------------------


@dataclasses.dataclass
class Node:
    """A value in a tree: what is done with it, and with its fields."""
    statements: list = dataclasses.field(default_factory=list)
    children: dict = dataclasses.field(default_factory=dict)

    def below(self, fields):
        node = self
        for name in fields:
            node = node.children.setdefault(name, Node())
        return node


def decoder_name(block, one):
    """Returns the name of the function that decodes a type into a view. The first type of a view
    has the overload that all may call."""
    is_first = one is block.types[0] and not any(m.enum_use == "typeof" for m in block.members)
    return "Decode" if is_first else f"Decode{one.name}"


class DecoderWriter:
    """Collects the functions of the source, each below those that it calls."""

    def __init__(self, views):
        self.views = views
        self.schema = views.schema
        self.declarations = []
        self.helpers = []
        self.functions = []
        self.leaf_types = {}
        self.parents = {}  # (type, path as in a name) -> (the path before it, its last field)

    def write_all(self):
        for block in self.views.all("view"):
            for one in block.types:
                name = decoder_name(block, one)
                text = self.function(name, one, block.name, self.tree_of(block, one), block.after)
                if name == "Decode":
                    self.functions += [*text, ""]
                else:
                    self.declarations.append(
                        f"void {name}(const codec::Value& tree, {block.name}& out);")
                    self.helpers += [*text, ""]

    def tree_of(self, block, one):
        """Returns what is done with each value of a tree of the type."""
        root = Node()
        members = block.members
        if block.base:
            members = self.views.find(block.base, "view", block.place).members + members
        for member in members:
            if member.enum_use == "typeof":
                root.statements.append(f"out.{member.name} = {member.enum}::{one.name};")
            elif member.enum_use == "oneof":
                self.add_alternatives(root, one, member)
            elif member.paths and (target := self.views.target(one, member)):
                node = root.below(target.fields)
                node.statements.append(self.statement(member, target))
        return root

    def add_alternatives(self, root, one, member):
        """Adds the fields of the type that an enum lists; its first entry stands for the others."""
        for name, _ in self.views.find(member.enum, "enum", member.place).entries[1:]:
            if self.views.follow(one, [name]) is None:
                raise Fault(f"{member.place}: {one.name} has no field {name}")
            value = "&VALUE" if "tree" in member.flags else f"{member.enum}::{capitalized(name)}"
            root.below([name]).statements.append(f"out.{member.name} = {value};")

    def statement(self, member, target):
        """Returns the statement that reads the value VALUE."""
        out = f"out.{member.name}"
        if member.hook:
            return f"{member.hook}(VALUE, out);"
        if "tree" in member.flags:
            return f"{out} = &VALUE;"
        if "keys" in member.flags:
            return f"DecodeKeys(VALUE, {out});"
        if target.element is not None:
            reader = self.leaf_reader(*target.element, member)
            word = "DecodeItems" if target.shape[0] == "List" else "DecodeNamed"
            return f"{word}(VALUE, {out}, {reader});"
        is_list = target.shape[0] == "List"
        shape = self.schema.shapes[target.shape[1]] if is_list else target.shape
        if shape[0] == "Struct":
            view = self.views.view_of(shape[2], member)
            decoder = decoder_name(view, self.schema.types[shape[2]])
            if decoder != "Decode" and is_list:
                return f"DecodeItems(VALUE, {out}, {decoder});"
            if decoder != "Decode" and "optional" in member.flags:
                return f"{decoder}(VALUE, {out}.emplace());"
            return f"{decoder}(VALUE, {out});"
        return f"Decode(VALUE, {out});"

    def leaf_reader(self, one, fields, shape, member):
        """Returns the name of a function that reads one value below an element of a list."""
        cpp_type = self.views.value_type(shape, member)
        name = f"Decode{one.name}{''.join(capitalized(field) for field in fields)}"
        if self.leaf_types.setdefault(name, (one.index, cpp_type)) != (one.index, cpp_type):
            raise Fault(f"{member.place}: two types have the decoder {name}")
        declaration = f"void {name}(const codec::Value& tree, {cpp_type}& out);"
        if declaration not in self.declarations:
            self.declarations.append(declaration)
            root = Node()
            root.below(fields).statements.append("Decode(VALUE, out);")
            self.helpers += [*self.function(name, one, cpp_type, root), ""]
        return name

    def function(self, name, one, out_type, root, after="", path=""):
        """Returns the lines of a function; adds those of the values below it to the helpers."""
        lines = [f"void {name}(const codec::Value& tree, {out_type}& out) {{"]
        cases = []
        for field, node in root.children.items():
            case = list(node.statements)
            if node.children:
                helper = f"Decode{one.name}{path}{capitalized(field)}"
                self.add_helper(helper, one, out_type, field, node, path)
                case.append(f"{helper}(VALUE, out);")
            cases.append((field, case))
        if cases:
            owner = self.type_at(one, path)
            lines.append(f"  using F = fields::{owner.package.stem}::{owner.name};")
        lines += ["  " + text.replace("VALUE", "tree") for text in root.statements]
        lines += switch_lines(cases)
        if after:
            lines.append(f"  {after}(out);")
        return [*lines, "}"]

    def add_helper(self, name, one, out_type, field, node, path):
        self.parents[(one.index, path + capitalized(field))] = (path, field)
        below = Node(children=node.children)
        text = self.function(name, one, out_type, below, path=path + capitalized(field))
        self.declarations.append(f"void {name}(const codec::Value& tree, {out_type}& out);")
        self.helpers += [*text, ""]

    def type_at(self, one, path):
        """Returns the type of the value at a path that add_helper has seen."""
        if not path:
            return one
        before, field = self.parents[(one.index, path)]
        owner = self.type_at(one, before)
        shape = self.views.follow(owner, [field])
        return self.schema.types[shape[2]]


def switch_lines(cases):
    """Returns the loop over the members of a tree."""
    if not cases:
        return []
    if len(cases) == 1:
        field, statements = cases[0]
        body = [text.replace("VALUE", "member.value") for text in statements]
        head = f"    if (member.field == F::k{capitalized(field)})"
        loop = "  for (const codec::Member& member : tree.members()) {"
        if len(body) == 1 and len(head) + len(body[0]) < COLUMNS:
            return [loop, f"{head} {body[0]}", "  }"]
        return [loop, head + " {", *("      " + text for text in body), "    }", "  }"]
    lines = ["  for (const auto& [key, value, field] : tree.members()) {", "    switch (field) {"]
    for field, statements in cases:
        lines.append(f"      case F::k{capitalized(field)}:")
        lines += ["        " + text.replace("VALUE", "value") for text in statements]
        lines.append("        break;")
    return [*lines, "      default:", "        break;", "    }", "  }"]


def write_decode_source(views):
    writer = DecoderWriter(views)
    writer.write_all()
    cases = []
    for block, one in views.kind_views():
        cases.append(f"    case fields::{one.package.stem}::{one.name}::kTypeId:")
        decoder = decoder_name(block, one)
        cases.append(f"      return Fill<{block.name}>(tree, {decoder}, out);")
    return "\n".join([
        BANNER.format(""), '#include "api/decode/decode.h"', "",
        '#include "api/decode/hooks.h"', '#include "api/decode/read.h"',
        '#include "api/schema/fields.h"', "", "namespace plimsoll::api {", "namespace {", "",
        *writer.declarations, "", *writer.helpers, "}  // namespace", "", *writer.functions,
        "namespace {", "",
        "template <class T>",
        "const ObjectMeta* Fill(const codec::Value& tree, DecodeInto<T> decode, ObjectView& out) {",
        "  T& view = out.emplace<T>();", "  decode(tree, view);", "  return &view.metadata;", "}", "",
        "}  // namespace", "",
        "const ObjectMeta* DecodeView(const codec::Value& tree, const TypeDesc& type,",
        "                             ObjectView& out) {",
        "  switch (type.id) {", *cases, "    default: {",
        "      UntypedObject& view = out.emplace<UntypedObject>();",
        "      DecodeUntyped(tree, type, view);", "      return &view.metadata;", "    }", "  }", "}",
        "", "}  // namespace plimsoll::api", "",
    ])


def write_decode_header(views):
    lines = [BANNER.format(""), "#pragma once", ""]
    lines += [f'#include "{path}"' for path in sorted(
        ["api/decode/views.h", "api/schema/schema.h", "codec/value.h",
         *(f"api/{header.path}" for header in views.headers)])]
    lines += ["", *comment("Decodes trees into structs. REQUIRES: the tree has passed Conform for "
                           "the struct's type, because the decoders use field numbers and do not "
                           "check value types. REQUIRES: `out` is default-constructed. The structs "
                           "point into the tree's document."),
              "namespace plimsoll::api {"]
    for header in views.headers:
        names = [block.name for block in header.blocks
                 if block.types and decoder_name(block, block.types[0]) == "Decode"]
        lines += [""] if names else []
        lines += [f"void Decode(const codec::Value& tree, {name}& out);" for name in names]
    lines += ["",
              *comment("Fills `out` with the view of an object of the type, and returns its "
                       "metadata."),
              "const ObjectMeta* DecodeView(const codec::Value& tree, const TypeDesc& type,",
              "                             ObjectView& out);", "",
              "}  // namespace plimsoll::api", ""]
    return "\n".join(lines)


def write_views_header(views):
    blocks = list(dict.fromkeys(block.name for block, _ in views.kind_views()))
    headers = sorted({f"api/{views.blocks[name].header.path}" for name in blocks} |
                     {"api/meta/object_meta.h"})
    variant = textwrap.wrap(", ".join(["UntypedObject", *blocks]) + ">;", COLUMNS,
                            initial_indent="using ObjectView = std::variant<",
                            subsequent_indent=" " * len("using ObjectView = std::variant<"))
    return "\n".join([
        BANNER.format(""), "#pragma once", "", "#include <variant>", "",
        *(f'#include "{path}"' for path in headers), "", "namespace plimsoll::api {", "",
        *comment("View of an object whose kind has no struct."), "struct UntypedObject {",
        "  ObjectMeta metadata;", "};", "",
        *comment("View of an object of any kind."), *variant, "", "}  // namespace plimsoll::api", "",
    ])


def write_all(schema, headers):
    """Returns the text of each generated file by its path in the include directory."""
    views = Views(schema, headers)
    for block, _ in views.kind_views():
        if not any(member.name == "metadata" for member in block.members):
            raise Fault(f"{block.place}: a view of a kind needs the field metadata")
    files = {f"api/{header.path}": write_struct_header(views, header) for header in headers}
    files["api/decode/views.h"] = write_views_header(views)
    files["api/decode/decode.h"] = write_decode_header(views)
    files["api/decode/decode.cc"] = write_decode_source(views)
    return files
