#!/usr/bin/env python3
"""prose.py [FILE…]: checks the sentences of Markdown pages, by the rules of plain writing that a machine can tell.

  - A sentence has at most 25 words. Code and a link count as their words, inline code as one word.
  - A sentence that is not a question does not start with What, Whether, Of, As, Likewise or Who.
  - The sentence names who refuses, says or asks: "the server rejects X", not "X is refused".
  - No words that only an old book uses.

Headings, code and generated pages are not checked. Without FILE it checks all pages of the repository."""

import dataclasses
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGES = ("README.md", "CONTRIBUTING.md", "docs/*.md", "docs/adr/README.md", "src/*/README.md", "src/*/*.md", "tests/*/README.md",
         "bench/**/README.md", "deploy/**/README.md", "examples/**/README.md", "fuzz/README.md")
# Written by a program from other sources, which have checks of their own.
GENERATED = {"docs/commands.md": "plimsoll __manual markdown", "docs/stories.md": "tests/stories/document.py"}

WORDS_MAX = 25
STARTS = re.compile(r"(What|Whether|Of|As|Likewise|Who)\b")
PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:(?:not|never|also|then|always|only)\s+)?(refused|told|said|asked|heard)\b")
ARCHAIC = re.compile(
    r"\b(dear|dearer|whoever|whomever|whosoever|whence|whither|thence|thereof|hereby|lest|anew|seldom|nought|"
    r"of late|for want of|in the midst|(?:of )?another's|takes? no notice|as it were)\b", re.I)

# The target of a link, written apart from its text.
DEFINITION = re.compile(r"^\[[^\]]+\]: \S")
FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")
ROW = re.compile(r"^\s*\|")
RULER = re.compile(r"^\s*\|[\s:|-]+\|\s*$")
# A full stop ends a sentence if what follows can start one.
END = re.compile(r"(?<=[.!?…])[)\"*_]*\s+(?=[\"'(*_`\[]*[A-Z0-9`…])")
ABBREVIATION = re.compile(r"(?:\be\.g|\bi\.e|\betc|\bvs|\bcf|\bNo)\.$")
WORD = re.compile(r"[\w'’/.+%-]*[\w%][\w'’/.+%-]*")


@dataclasses.dataclass(frozen=True)
class Block:
    """A paragraph, an item of a list, or a cell of a table."""

    line: int
    text: str
    is_cell: bool = False


def cells_of(row):
    """Returns the cells of a table's row. A bar in code does not end a cell."""
    row = re.sub(r"`[^`]*`", lambda code: code.group().replace("|", "/"), row.strip().replace(r"\|", "/"))
    return [cell.strip() for cell in row.strip("|").split("|")]


def blocks_of(text):
    """Yields the blocks of a page. Headings, code, HTML and the head of a table are left out."""
    text = re.sub(r"<!--.*?-->|<[a-z/][^>]*>", lambda tag: "\n" * tag.group().count("\n"), text, flags=re.S)
    lines, paragraph, begin, fence, in_list = text.splitlines(), [], 0, None, False
    for number, line in enumerate(lines, 1):
        mark = FENCE.match(line)
        is_row = ROW.match(line) and not fence
        is_code = fence or mark or DEFINITION.match(line) or (line.startswith(("    ", "\t")) and not paragraph and not in_list)
        ends = is_code or is_row or not line.strip() or line.startswith("#") or ITEM.match(line)
        if ends and paragraph:
            yield Block(begin, " ".join(paragraph))
            paragraph = []
        if mark:
            fence = None if fence == mark.group(1) else fence or mark.group(1)
        if is_code or line.startswith("#"):
            in_list = in_list and is_code
            continue
        if line.strip() and not line.startswith(" "):
            in_list = bool(ITEM.match(line))
        if is_row:
            is_head = number < len(lines) and RULER.match(lines[number])
            if not is_head and not RULER.match(line):
                yield from (Block(number, cell, True) for cell in cells_of(line) if cell)
        elif line.strip():
            begin = begin if paragraph else number
            paragraph.append(ITEM.sub("", line.strip()) if ITEM.match(line) else line.strip().lstrip("> "))
    if paragraph:
        yield Block(begin, " ".join(paragraph))


def plain(text):
    """Returns the text without marks of Markdown. Inline code becomes one word."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    text = re.sub(r"(`+)(.+?)\1", "Code", text)
    # A link may start a sentence with the name of a file.
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", lambda link: link.group(1)[:1].upper() + link.group(1)[1:], text)
    return re.sub(r"\*\*|(?<!\w)[*_]|[*_](?!\w)", "", text)


def sentences_of(block):
    """Returns the sentences of a block. In a cell of a table a semicolon ends one, too."""
    text, found, start = plain(block.text), [], 0
    for end in END.finditer(text):
        if not ABBREVIATION.search(text[start:end.start()]):
            found.append(text[start:end.end()].strip())
            start = end.end()
    found.append(text[start:].strip())
    if block.is_cell:
        found = [part.strip() for one in found for part in one.split(";")]
    return [one for one in found if one]


def faults_of(block):
    """Yields the faults of a block."""
    for sentence in sentences_of(block):
        shown = sentence if len(sentence) < 60 else sentence[:57] + "..."
        words = len(WORD.findall(sentence))
        if words > WORDS_MAX:
            yield f"{words} words in a sentence, at most {WORDS_MAX}: {shown}"
        start = STARTS.match(sentence.lstrip("\"'(*_ "))
        if start and not sentence.rstrip(")\"*_ ").endswith("?") and (not block.is_cell or words > 3):
            yield f"a sentence starts with '{start.group(1)}'; name its subject first: {shown}"
        for match in PASSIVE.finditer(sentence):
            if not re.match(r"\s+(?:\w+\s+){0,3}?by\b", sentence[match.end():]):
                yield f"say who does it, instead of '{match.group()}': {shown}"
        for match in ARCHAIC.finditer(sentence):
            yield f"use a plain word for '{match.group()}': {shown}"


def check_page(text):
    """Returns (line, fault) of each fault of a page."""
    return [(block.line, fault) for block in blocks_of(text) for fault in faults_of(block)]


def all_pages(root):
    found = {path for pattern in PAGES for path in root.glob(pattern)}
    return sorted(path for path in found if str(path.relative_to(root)) not in GENERATED)


def check_tree(root):
    """Returns the faults of all pages."""
    return [f"{path.relative_to(root)}:{line}: {fault}" for path in all_pages(root)
            for line, fault in check_page(path.read_text(encoding="utf-8"))]


def main(words):
    if words:
        faults = [f"{name}:{line}: {fault}" for name in words
                  for line, fault in check_page(pathlib.Path(name).read_text(encoding="utf-8"))]
    else:
        faults = check_tree(ROOT)
    for fault in faults:
        print(fault)
    if faults:
        print(f"prose: {len(faults)} faults", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
