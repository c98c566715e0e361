#!/usr/bin/env python3
"""Checks docs/life-of-a-pod.md against the sources.

A stop is a heading `### 7. src/a/b.cc: First, Second`, followed by a line "- Next: `call`". A leaf is a row
`| 7 | src/a/b.cc | First, Second | text |` of a table. The check fails if a file does not exist, if it does not define
or declare a function, if the call does not occur in it, or if there are too many stops.
Prints `path:line: what is wrong` and exits with 1 if there is any finding.
"""

import re
import sys
from pathlib import Path

PAGE = Path("docs/life-of-a-pod.md")
STOPS_MAX = 25

STOP = re.compile(r"### (\d+)\. (src/\S+): (\w+(?:, \w+)*)")
LEAF = re.compile(r"\| (\d+) \| (\S+) \| (\w+(?:, \w+)*) \| .* \|")
NEXT = re.compile(r"- Next: `([^`]+)`")
# A statement that begins with such a word is a call.
NOT_A_TYPE = r"(?!\s*(?:return|co_return|else|throw|new|delete|case)\b)"


def declares(code, function):
    """Returns true if a line defines or declares the function. A call has no type before it, or is indented."""
    name = rf"(?:[\w<>]+::)*{function}\("
    return re.search(rf"^(?:{name}|{NOT_A_TYPE}\s*[\w:<>,&*\[\] ]*[\w>&*\]]\s+[&*]*{name})", code, re.M) is not None


def check_file(root, name, functions):
    """Yields what is wrong with a file and its functions."""
    path = root / name
    if not path.is_file():
        yield f"there is no file {name}"
        return
    code = path.read_text()
    for function in functions.split(", "):
        if not declares(code, function):
            yield f"{name} does not define or declare {function}"


def check_next(root, name, call):
    if (root / name).is_file() and call not in (root / name).read_text():
        yield f"{name} does not contain the call {call}"


def check_page(root, text):
    """Yields (line, what is wrong)."""
    files = []
    is_next_due = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            if is_next_due:
                yield number, f"stop {len(files)} has no line `- Next:`"
            is_next_due = False
        if line.startswith("### "):
            stop = STOP.fullmatch(line)
            if stop is None:
                yield number, "want `### <number>. src/<file>: <function>, <function>`"
                continue
            files.append(stop[2])
            is_next_due = True
            if int(stop[1]) != len(files):
                yield number, f"want number {len(files)}"
            if files.count(stop[2]) > 1:
                yield number, f"{stop[2]} is a stop already"
            for fault in check_file(root, stop[2], stop[3]):
                yield number, fault
        elif found := NEXT.fullmatch(line):
            is_next_due = False
            for fault in check_next(root, files[-1], found[1]) if files else ():
                yield number, fault
        elif "src/" in line and line.startswith("|"):
            leaf = LEAF.fullmatch(line)
            if leaf is None:
                yield number, "want `| <stop> | src/<file> | <function>, <function> | <text> |`"
                continue
            if not 1 <= int(leaf[1]) <= len(files):
                yield number, f"there is no stop {leaf[1]}"
            for fault in check_file(root, leaf[2], leaf[3]):
                yield number, fault
    if is_next_due:
        yield number, f"stop {len(files)} has no line `- Next:`"
    if not files:
        yield 1, "the page has no stops"
    if len(files) > STOPS_MAX:
        yield 1, f"{len(files)} stops; want at most {STOPS_MAX}"


def main():
    root = Path(__file__).resolve().parent.parent
    faults = list(check_page(root, (root / PAGE).read_text()))
    for line, fault in faults:
        print(f"{PAGE}:{line}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
