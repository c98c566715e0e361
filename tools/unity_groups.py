#!/usr/bin/env python3
"""unity_groups.py FILE…: sorts the sources of a folder into groups that are compiled as one file
each, so that headers are parsed and templates instantiated once per group. Prints `group;file`
lines for CMake.

Names that a source declares in an anonymous namespace or with `using` become visible to its whole
group. So a source is never grouped with one that mentions such a name in any sense, unless both
have the same `using`. A source stays alone if it hides a name that a header of the folder declares.
"""

import os
import re
import sys
from pathlib import Path

GROUP_LINES_MAX = 2500

ANONYMOUS = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.S | re.M)
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.S)
# Names introduced by `using` or a namespace alias: the declaration, and the name in it.
BORROWED = re.compile(r"^((?:using|namespace)(?: enum)? (?:[\w:]*::)?(\w+)(?: = [\w:]+)?;)$", re.M)
NOT_A_NAME = re.compile(r"using [\w: ]+;|namespace |template|static_assert|return |public:|private:|protected:"
                        r"|TEST|TYPED_TEST|INSTANTIATE_|RC_GTEST_")
MATCHER = re.compile(r"MATCHER\w*\((\w+)")
TYPE = re.compile(r"(?:struct|class|enum class|enum|union|concept) (\w+)|using (\w+) =")
OTHER = re.compile(r"(\w+)\s*[(={\[;]")
GENERATED = re.compile(r"^(?:view|enum|texts) (\w+)", re.M)  # in a description of kinds
MENTION = re.compile(r"(?<![\w.>:])[A-Za-z_]\w*|(?<=[^-]>)[A-Za-z_]\w*")


def names_declared(body):
    """Yields names declared in lines that start in column 0; clang-format puts only declarations
    there."""
    for line in body.splitlines():
        if line[:1].isalpha() and not NOT_A_NAME.match(line):
            if found := TYPE.match(line) or MATCHER.match(line) or OTHER.search(line):
                yield found.group(found.lastindex)


class Source:
    """A source file and the names in it."""

    def __init__(self, path):
        text = Path(path).read_text()
        code = COMMENT_OR_TEXT.sub(lambda found: '""' if found[0][-1] == '"' else "", text)
        self.path = path
        self.lines = text.count("\n")
        self.hidden = {name for body in ANONYMOUS.findall(text) for name in names_declared(body)}
        # name -> what it means: something in this file, or what the declaration says
        self.own = {name: declaration for declaration, name in BORROWED.findall(text)} | \
            dict.fromkeys(self.hidden, path)
        self.mentioned = {*MENTION.findall(code), *self.own}


class Group:
    """Files that can be compiled together."""

    def __init__(self):
        self.sources, self.lines, self.own, self.mentioned = [], 0, {}, set()

    def takes(self, source):
        if self.lines and self.lines + source.lines > GROUP_LINES_MAX:
            return False
        touched = (self.own.keys() & source.mentioned) | (source.own.keys() & self.mentioned)
        return all(self.own.get(name) == source.own.get(name) for name in touched)

    def add(self, source):
        self.sources.append(source)
        self.lines += source.lines
        self.own |= source.own
        self.mentioned |= source.mentioned


def groups_of(sources, public_names=frozenset()):
    """Puts each source into the first group that accepts it: few groups, and neighbours with common
    headers together."""
    groups, alone = [], []
    for source in sources:
        if not public_names.isdisjoint(source.hidden):
            group = Group()
            alone.append(group)
        else:
            group = next((group for group in groups if group.takes(source)), None)
            if group is None:
                group = Group()
                groups.append(group)
        group.add(source)
    return groups + alone


def public_names_of(folder):
    """Returns the names that headers of the folder declare, and those that gen_schema.py will write
    into headers."""
    names = {name for path in folder.rglob("*.h") for name in names_declared(path.read_text())}
    for path in folder.rglob("*.kinds"):
        names.update(GENERATED.findall(path.read_text()))
    return frozenset(names)


def main(paths):
    folder = Path(os.path.commonpath([Path(path).parent for path in paths]))
    groups = groups_of([Source(path) for path in sorted(paths)], public_names_of(folder))
    for number, group in enumerate(groups):
        for source in group.sources:
            print(f"{number};{source.path}")


if __name__ == "__main__":
    main(sys.argv[1:])
