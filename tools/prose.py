#!/usr/bin/env python3
"""prose.py [FILE…]: checks the sentences of this project, by the rules of plain writing that a machine can tell.

  - A sentence has at most 25 words. Code and a link count as their words, inline code as one word.
  - A sentence that is not a question does not start with What, Whether, Of, As, Likewise or Who.
  - The sentence names who refuses, says or asks: "the server rejects X", not "X is refused".
  - No words that only an old book uses.

It reads Markdown pages, comments of C++ sources, help texts of the program, descriptions of fields (`kubectl explain`) and
comments of manifests and configuration. Headings and code are not checked. Without FILE it checks the whole repository."""

import dataclasses
import functools
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCES = ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "src/**/*.md", "tests/*/README.md", "tests/stories/**/*.md", "tests/stories/**/*.yaml*",
           "bench/**/README.md", "deploy/**/*", "examples/**/*", "fuzz/README.md", "packaging/*",
           "src/**/*.h", "src/**/*.cc", "src/api/schema/kinds/*.kinds")
# String literals of these files are sentences for users.
HELP = re.compile(r"src/cli/.*(?<!_test)\.cc$|src/apiserver/openapi/path_text\.cc$")
# Help texts of upstream's metrics.
UPSTREAM = {"src/cli/components/component_metrics.cc"}
# A shorter literal is a name, a flag or a part of a line.
HELP_WORDS_MIN = 4

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


def page_of(text):
    """Reads Markdown."""
    yield 1, text


def comments_of(text, mark):
    """Yields (line, text) of each comment: adjacent lines that begin with a mark. Their texts are Markdown.

    Indented lines after an empty one or after a colon are a drawing, such as a grammar, and stay out."""
    pattern, lines, begin, is_drawing = re.compile(rf"\s*{mark}(?: (.*)|$)"), [], 0, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        match = pattern.match(line)
        if match:
            begin = begin if lines else number
            words = match.group(1) or ""
            may_begin = not lines or not lines[-1] or lines[-1].endswith(":")
            is_drawing = words.startswith("  ") and not ITEM.match(words) and (is_drawing or may_begin)
            lines.append("" if is_drawing else words)
        elif lines:
            yield begin, "\n".join(lines)
            lines, is_drawing = [], False


def literals_of(text):
    """Yields (line, text) of each literal with several words. Adjacent literals are one; a line in it is a paragraph.

    Raw literals are examples, such as commands and manifests, and stay out."""
    text = re.sub(r"^\s*(?://|#).*$", "", text, flags=re.M)
    text = re.sub(r'R"(\w*)\(.*?\)\1"', lambda raw: "\n" * raw.group().count("\n"), text, flags=re.S)
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*', text):
        parts = re.findall(r'"((?:[^"\\]|\\.)*)"', match.group())
        literal = "".join(parts).replace("\\n", "\n\n").replace('\\"', '"')
        if len(literal.split()) >= HELP_WORDS_MIN:
            yield text.count("\n", 0, match.start()) + 1, literal


def descriptions_of(text):
    """Yields (line, text) of the descriptions of kinds and fields."""
    for number, line in enumerate(text.splitlines(), 1):
        before, mark, description = line.partition(" -- ")
        if mark and not before.lstrip().startswith("#"):
            yield number, description
    yield from comments_of(text, "#")


def readers_of(name):
    """Returns the functions that find the sentences of a file; none for a file without sentences."""
    if name.endswith(".md"):
        return [page_of]
    if name.endswith((".h", ".cc")):
        found = [functools.partial(comments_of, mark="//"), functools.partial(comments_of, mark="///")]
        return found + ([literals_of] if HELP.search(name) and name not in UPSTREAM else [])
    if name.endswith(".kinds"):
        return [descriptions_of]
    if name.endswith("CMakeLists.txt"):
        return [functools.partial(comments_of, mark="#"), literals_of]
    if name.endswith((".yaml", ".yml", ".template", ".sh", ".service", ".default", "inst", "rm")):
        return [functools.partial(comments_of, mark="#")]
    return []


def check_text(name, text):
    """Returns (line, fault) of each fault of a file. Its name from the root on tells where its sentences are."""
    return [(begin + line - 1, fault) for reader in readers_of(name) for begin, part in reader(text)
            for line, fault in check_page(part)]


def all_sources(root):
    """Returns the names of all files to check."""
    return sorted({path.relative_to(root).as_posix() for pattern in SOURCES for path in root.glob(pattern) if path.is_file()})


def check_files(root, names):
    return [f"{name}:{line}: {fault}" for name in names if readers_of(name)
            for line, fault in check_text(name, (root / name).read_text(encoding="utf-8"))]


def main(words):
    names = [pathlib.Path(word).resolve().relative_to(ROOT).as_posix() for word in words] or all_sources(ROOT)
    faults = check_files(ROOT, names)
    for fault in faults:
        print(fault)
    if faults:
        print(f"prose: {len(faults)} faults", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
