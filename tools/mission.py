#!/usr/bin/env python3
"""Checks docs/mission.md against the tree.

Its tables name files, tests and stories in brackets, as Markdown links whose targets are in one
list at the end. Every name must resolve to something that exists:

  [match/toleration.cc]            a file or folder of src/
  [tools/tidy.py]                  or of the root
  [ToleratesTest.Answers]          a test of a C++ test program
  [living_test.threshold]          a scene, or another function, of a script in tests/e2e/
  [kep-5500/story-1]               a story, a folder of tests/stories/
  [golden/semver.json]             a file of tests/

With --write the list is rewritten from the names. Without, an outdated list is an error, and so is
a name that does not resolve. Errors are printed as `path:line: what is wrong`.
"""

import re
import sys
from pathlib import Path

DOCUMENT = Path("docs/mission.md")
HEADING = "\n<!-- Where the names lead; `tools/mission.py --write` keeps this list. -->\n"

CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)
NAME = re.compile(r"\[([^\[\]\n]+)\](?!\()")
CASE = re.compile(r"^(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)"
                  r"\(\s*(\w+),\s*(\w+)", re.M)
FUNCTION = re.compile(r"^def (\w+)\(", re.M)


class Tree:
    """The things that names may refer to."""

    def __init__(self, root):
        self.root = root
        self.tests = {}
        for path in sorted((root / "src").rglob("*_test.cc")):
            for suite, case in CASE.findall(path.read_text()):
                self.tests.setdefault(f"{suite}.{case}", path)
        for path in sorted((root / "tests" / "e2e").glob("*_test.py")):
            for function in FUNCTION.findall(path.read_text()):
                self.tests[f"{path.stem}.{function}"] = path

    def find(self, name):
        """Returns the path of a name from the root, or None."""
        if name in self.tests:
            return self.tests[name].relative_to(self.root)
        for folder in ("src", "tests", "tests/stories", "."):
            if "/" in name and (self.root / folder / name).exists():
                return Path(folder) / name
        return None


def body_of(text):
    return text.split(HEADING)[0].rstrip("\n") + "\n"


def names_in(body):
    """Yields (line, name) of each name outside of code."""
    blank = CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), body)
    for number, line in enumerate(blank.splitlines(), 1):
        for name in NAME.findall(line):
            yield number, name


def with_links(body, tree):
    """Returns the document with its list of link targets."""
    names = sorted({name for _, name in names_in(body)})
    found = {name: tree.find(name) for name in names}
    lines = [f"[{name}]: ../{path.as_posix()}" for name, path in found.items() if path]
    return body + HEADING + "\n".join(lines) + "\n"


def check(root):
    """Returns all errors of the document, as lines of text."""
    path = root / DOCUMENT
    text, tree = path.read_text(), Tree(root)
    body = body_of(text)
    faults = [f"{DOCUMENT}:{line}: [{name}] leads nowhere" for line, name in names_in(body)
              if tree.find(name) is None]
    if not faults and text != with_links(body, tree):
        faults.append(f"{DOCUMENT}:1: the list of links is not up to date; "
                      "tools/mission.py --write makes it so")
    return faults


def main(words):
    root = Path(__file__).resolve().parent.parent
    if words == ["--write"]:
        path = root / DOCUMENT
        path.write_text(with_links(body_of(path.read_text()), Tree(root)))
    faults = check(root)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
