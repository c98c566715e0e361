"""Reads stories from their folders: a Markdown text for a reader, whose ```console blocks are run.
README.md describes the format."""

import collections
import pathlib
import re
from dataclasses import dataclass

from expectation import Expectation

ROOT = pathlib.Path(__file__).resolve().parent
TEXT_NAME = "story.md"

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(r"\s+# (?:(exit) (\d+)|(for) (\d+)s)$")


class Malformed(Exception):
    """A folder that is not a valid story."""


@dataclass(frozen=True)
class Step:
    """One command and its expected result."""

    command: str  # as the reader types it; continued lines are joined as in a shell
    expectation: Expectation
    exit_code: int = 0
    stays_seconds: int = 0  # by the cluster's clock, after it was first as expected


@dataclass(frozen=True)
class Story:
    """A folder with a story.md."""

    name: str  # document/story
    folder: pathlib.Path
    title: str
    text: str  # without the title
    steps: tuple

    @property
    def document(self):
        return self.folder.parent.name

    @property
    def other_files(self):
        return sorted(path for path in self.folder.iterdir() if path.name != TEXT_NAME)


def read_story(folder):
    title, text = titled_text(folder / TEXT_NAME)
    name = f"{folder.parent.name}/{folder.name}"
    steps = tuple(step for block in _BLOCK.findall(text) for step in _steps_of(block, name))
    if not steps:
        raise Malformed(f"{name}: there is nothing to do")
    return Story(name, folder, title, text, steps)


def titled_text(path):
    """Returns the heading of a Markdown file, and the rest."""
    heading, _, text = path.read_text().partition("\n")
    if not heading.startswith("# "):
        raise Malformed(f"{path}: the first line is no title")
    return heading.removeprefix("# "), text.strip()


def all_stories(root=ROOT):
    """Returns all stories, sorted by the names of their folders."""
    stories = [read_story(path.parent) for path in sorted(root.glob(f"*/*/{TEXT_NAME}"))]
    titles = collections.Counter(story.title for story in stories)
    if twice := [title for title, count in titles.items() if count > 1]:
        raise Malformed(f"several stories are called {twice}")
    return stories


def _steps_of(block, name):
    """`$` starts a command, `>` continues it, and other lines are its expected output."""
    commands, outputs = [], []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append(line.removeprefix("$ "))
            outputs.append([])
        elif not commands:
            raise Malformed(f"{name}: a block that begins without a command: {line}")
        elif line.startswith("> ") and not outputs[-1]:
            commands[-1] += "\n" + line.removeprefix("> ")
        else:
            outputs[-1].append(line)
    return [_step(command, output) for command, output in zip(commands, outputs)]


def _step(command, output):
    notes = {}
    while note := _NOTE.search(command):
        exit_word, code, _, seconds = note.groups()
        notes.update({"exit_code": int(code)} if exit_word else {"stays_seconds": int(seconds)})
        command = command[:note.start()]
    return Step(command, Expectation(output), **notes)
