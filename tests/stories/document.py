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

What the design documents promise, as it is seen at a prompt. Everything below is played by `make stories`, with the
real kubectl against a real cluster, and this page is written from what is played: `tests/stories/document.py`.

Where a story does not say otherwise it begins on an empty cluster, `plimsoll up --nodes=0 --adopt`, with its
`KUBECONFIG` exported, in the story's folder. Nodes come alive because of their annotation
`plimsoll.io/simulated: "true"`. `…` stands for whatever is there, `# for 3s` for what does not change for so long,
and `# exit 1` for a command that is refused. What a reader has to wait for is asked again until it is there.
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
    path = f"{LINK}/{story.name}"
    files = ", ".join(f"[{one.name}]({path}/{one.name})" for one in story.other_files)
    return f"### {story.title}\n\n{story.text}\n" + (f"\nFiles: {files}\n" if files else "")


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
