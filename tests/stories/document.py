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

HEAD = f"""\
# Stories

These stories show the promises of the design documents at a prompt. `make stories` runs every command below, with the
real kubectl and a real cluster. `tests/stories/document.py` writes this page from the same files.

A story starts in its folder, on an empty cluster (`plimsoll up --nodes=0 --adopt`) with `KUBECONFIG` exported, unless it
says otherwise. Simulated nodes have the annotation `plimsoll.io/simulated: "true"`. In the output, `…` stands for any
text. After a command, `# for 3s` means that the output stays the same for three seconds, and `# exit 1` that the command
fails. If a reader must wait for an output, the runner repeats the command until it comes. The manifests of a story
follow its text.
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
    return f"### {story.title}\n\n{story.text}\n" + "".join(map(manifest, story.other_files))


def manifest(path):
    """Returns a file of a story, which a reader can unfold."""
    link = f"{LINK}/{path.parent.parent.name}/{path.parent.name}/{path.name}"
    return (f'\n<details markdown="1"><summary><code>{path.name}</code></summary>\n\n[{path.name}]({link})\n\n'
            f"```yaml\n{path.read_text().strip()}\n```\n\n</details>\n")


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
