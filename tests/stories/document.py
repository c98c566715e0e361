#!/usr/bin/env python3
"""document.py [--check]: writes docs/stories.md from the stories, or checks that it is up to
date."""

import itertools
import pathlib
import re
import sys

from story import ROOT, all_stories, titled_text

TARGET = pathlib.Path(__file__).resolve().parents[2] / "docs" / "stories.md"
# Path from docs/ to the stories.
LINK = "../tests/stories"

# A longer manifest is folded.
MANIFEST_LINES_MAX = 40

CONSOLE = re.compile(r"^```console\n.*?^```$", re.M | re.S)

HEAD = """\
# Stories

These stories show the examples of the design documents in a running cluster. `make stories` runs every command below with the
real kubectl. `tests/stories/document.py` writes this page from the same files.

Each story runs in its own folder. Unless it says otherwise, it starts with an empty cluster (`plimsoll up --nodes=0 --adopt`).
`KUBECONFIG` is set. Simulated nodes have the annotation `plimsoll.io/simulated: "true"`. A manifest stands before the first command
that uses it.

In the output, `…` stands for any text. After a command, `# for 3s` means that the output stays the same for three seconds, and
`# exit 1` that the command fails. If a command only reads, the runner repeats it until its output
is as shown.
"""


def anchor(heading):
    """Returns the anchor that GitHub makes of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def page(root=ROOT):
    documents = [(name, list(stories), *titled_text(root / name / "README.md"))
                 for name, stories in itertools.groupby(all_stories(root), lambda one: one.document)]
    parts = [HEAD]
    for _, stories, title, _ in documents:
        parts.append(f"**[{title}](#{anchor(title)})**\n")
        parts.append("\n".join(f"- [{one.title}](#{anchor(one.title)})" for one in stories) + "\n")
    for _, stories, title, text in documents:
        parts.append(f"## {title}\n\n{text}\n")
        parts += map(section, stories)
    return "\n".join(parts)


def section(story):
    """Returns a story. Each of its other files is shown before the first command that names it, or at the end."""
    left, parts, end = {path.name: path for path in story.other_files}, [f"### {story.title}\n"], 0
    for block in CONSOLE.finditer(story.text):
        parts.append(story.text[end:block.start()].strip() + "\n")
        used = sorted((at, name) for name in left if (at := first_use(name, block.group())) is not None)
        parts += [manifest(left.pop(name)) for _, name in used]
        parts.append(block.group() + "\n")
        end = block.end()
    parts.append(story.text[end:].strip() + "\n")
    parts += map(manifest, left.values())
    return "\n".join(part for part in parts if part.strip())


def first_use(name, block):
    """Returns where a block of commands names a file; nothing if it does not."""
    match = re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", block)
    return match and match.start()


def manifest(path):
    """Returns a file of a story. A reader can unfold a long one."""
    text = path.read_text().strip()
    link = f"[{path.name}]({LINK}/{path.parent.parent.name}/{path.parent.name}/{path.name})"
    block = f"```yaml\n{text}\n```\n"
    if len(text.splitlines()) <= MANIFEST_LINES_MAX:
        return f"{link}:\n\n{block}"
    return f'<details markdown="1"><summary><code>{path.name}</code></summary>\n\n{link}\n\n{block}\n</details>\n'


def main(words):
    wanted = page()
    if words == ["--check"]:
        if not TARGET.exists() or TARGET.read_text() != wanted:
            print("docs/stories.md is not as the stories are; tests/stories/document.py writes it")
            return 1
        return 0
    TARGET.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
