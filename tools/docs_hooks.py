"""Hooks of mkdocs.yml: links from docs/ to files elsewhere in the repository, and the check of the finished site.

A page links as GitHub needs it: `../examples/tour/pod.yaml`. In the site such a file gets a place of its own, so that the
link works there as well: Markdown as a page, everything else as text. README.md is the first page, `index.md`."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
HOME = ROOT / "README.md"
# `[text](target)`, and the definition `[name]: target` at the end of a page.
LINK = re.compile(r"(\[[^\]\n]*(?:\n[^\]\n]*)?\]\(|^\[[^\]\n]+\]: )([^)\s]+)(\)|$)", re.M)
# A fenced or indented block, or code within a line: what looks like a link there is none.
CODE = re.compile(r"^(```|~~~).*?^\1|^(?: {4}|\t).*?$|`[^`\n]+`", re.M | re.S)
EXTERNAL = re.compile(r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?(?:https?:)?//"""
                      r"""|<link\b(?![^>]*\brel=["']?canonical)[^>]*\bhref=["']?(?:https?:)?//"""
                      r"""|@import\s+(?:url\()?["']?(?:https?:)?//|url\(["']?(?:https?:)?//""")


def place_of(path):
    """Returns where a file of the repository stands in the site, relative to its root and before Markdown is rendered."""
    if path == HOME:
        return "index.md"
    if path.is_relative_to(DOCS):
        return str(path.relative_to(DOCS))
    name = str(path.relative_to(ROOT))
    return name if name.endswith(".md") else f"files/{name}.txt"


def target_of(page, link):
    """Returns the file in the repository that a link of a page leads to, and the anchor; nothing for other links."""
    if re.match(r"[a-z]+:|#|/", link):
        return None
    name, _, anchor = link.partition("#")
    path = pathlib.Path(os.path.normpath(page.parent / name))
    return (page_of(path) if path.is_dir() else path), anchor


def page_of(folder):
    """Returns the page that describes a folder: its own, or that of the nearest folder above."""
    own = [folder / name for name in ("README.md", "story.md") if (folder / name).exists()]
    return own[0] if own else page_of(folder.parent)


def outside_code(text):
    """Yields (part, is_code) of a Markdown text."""
    end = 0
    for code in CODE.finditer(text):
        yield text[end:code.start()], False
        yield code.group(), True
        end = code.end()
    yield text[end:], False


def rewrite(page, text):
    """Returns the text of a page with its links as the site needs them."""
    here = os.path.dirname(place_of(page)) or "."

    def changed(match):
        found = target_of(page, match.group(2))
        if found is None or not found[0].is_relative_to(ROOT):
            return match.group()
        path, anchor = found
        return match.group(1) + os.path.relpath(place_of(path), here) + (f"#{anchor}" if anchor else "") + match.group(3)

    # A link's text may have code, so links are found in the text with code replaced by placeholders.
    codes = []

    def hide(match):
        # GitHub needs `\|` for a bar in a table's code; the site's Markdown would print the backslash.
        codes.append(match.group() if "\n" in match.group() else match.group().replace("\\|", "|"))
        return f"\0{len(codes) - 1}\0"

    hidden = LINK.sub(changed, CODE.sub(hide, text))
    return re.sub("\0(\\d+)\0", lambda number: codes[int(number.group(1))], hidden)


def linked_files():
    """Returns all files outside docs/ that the site needs: README.md, and what is linked from a page in the site."""
    pages, found = [HOME, *sorted(DOCS.rglob("*.md"))], {HOME}
    for page in pages:
        for match in LINK.finditer(CODE.sub("", page.read_text(encoding="utf-8"))):
            target = target_of(page, match.group(2))
            if target is None or not target[0].is_file():
                continue
            path = target[0]
            if not path.is_relative_to(DOCS) and path.is_relative_to(ROOT) and path not in found:
                found.add(path)
                # A page in the site, whose links must work as well.
                if path.suffix == ".md":
                    pages.append(path)
    return sorted(found)


def on_files(files, config):
    from mkdocs.structure.files import File  # pylint: disable=import-outside-toplevel
    for path in linked_files():
        place = place_of(path)
        file = File(place, str(ROOT), config["site_dir"], config["use_directory_urls"])
        file.abs_src_path = str(path)
        files.append(file)
    return files


def repository_path(page):
    return pathlib.Path(page.file.abs_src_path)


def on_page_markdown(markdown_text, page, config, files):
    del config, files
    return rewrite(repository_path(page), markdown_text)


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    faults = [f"{path.relative_to(site)}: {match.group()[:80]}" for path in sorted(site.rglob("*"))
              if path.suffix in (".html", ".css") for match in EXTERNAL.finditer(path.read_text(encoding="utf-8"))]
    faults += broken_anchors(site)
    if faults:
        sys.exit("docs: the site loads from other hosts, or has broken links:\n  " + "\n  ".join(faults))


def broken_anchors(site):
    """Yields links between pages of the site, and pictures, whose file or anchor does not exist. mkdocs checks no anchors."""
    ids = {}
    for path in site.rglob("*.html"):
        ids[path] = set(re.findall(r"""\bid=["']?([^"'\s>]+)""", path.read_text(encoding="utf-8")))
    for path in sorted(ids):
        if path.name == "404.html":
            continue
        for link in re.findall(r"""<(?:a\b[^>]*\bhref|img\b[^>]*\bsrc)="([^"]+)""", path.read_text(encoding="utf-8")):
            if re.match(r"[a-z]+:|//", link):
                continue
            name, _, anchor = link.partition("#")
            target = pathlib.Path(os.path.normpath(path.parent / name)) if name else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                yield f"{path.relative_to(site)}: no file for {link}"
            elif anchor and target in ids and anchor not in ids[target]:
                yield f"{path.relative_to(site)}: no anchor for {link}"
