#!/usr/bin/env python3
"""Tests the parser of stories and the matching of output, without a cluster."""

import pathlib
import tempfile
import unittest

import document
from expectation import Expectation
from stage import program_of
from story import Malformed, read_story

STORY = """# A title

Words.

```console
$ plimsoll up --nodes=1
$ kubectl taint nodes n \\
>   key=value:NoSchedule
node/n tainted
$ kubectl apply -f bad.yaml   # exit 1
Error from server: no
$ kubectl get pods   # for 3s
POD
…
```

```yaml
not: played
```
"""


class Folder:
    """A tree with one story in it."""

    def __init__(self, text):
        self.directory = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.directory.name)
        self.folder = self.root / "document" / "01-name"
        self.folder.mkdir(parents=True)
        (self.folder.parent / "README.md").write_text("# The document\n\nAbout it.\n")
        (self.folder / "story.md").write_text(text)
        (self.folder / "pod.yaml").write_text("kind: Pod\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.directory.cleanup()


class ExpectationTest(unittest.TestCase):
    CASES = [
        # expected lines, output, matches
        ([], "", True),
        ([], "word", False),
        (["a  b"], "a b   \n", True),
        (["a b"], "ab", False),
        (["a"], "a\nb", False),
        (["a", "…"], "a", True),
        (["a", "…"], "a\nb\nc", True),
        (["…", "c"], "a\nb\nc", True),
        (["…", "c"], "a\nb", False),
        (["a … d"], "a b c d", True),
        (["a … d"], "a b\nc d", False),
        (["a.c"], "abc", False),
    ]

    def test_lines_and_gaps(self):
        for lines, output, is_met in self.CASES:
            with self.subTest(lines=lines, output=output):
                self.assertEqual(Expectation(lines).is_met_by(output), is_met)


class StoryTest(unittest.TestCase):
    def test_console_blocks_become_steps(self):
        with Folder(STORY) as tree:
            story = read_story(tree.folder)
        self.assertEqual((story.name, story.title), ("document/01-name", "A title"))
        self.assertEqual([(one.command, str(one.expectation), one.exit_code, one.stays_seconds)
                          for one in story.steps],
                         [("plimsoll up --nodes=1", "", 0, 0),
                          ("kubectl taint nodes n \\\n  key=value:NoSchedule", "node/n tainted", 0, 0),
                          ("kubectl apply -f bad.yaml", "Error from server: no", 1, 0),
                          ("kubectl get pods", "POD\n…", 0, 3)])

    def test_what_is_no_story_is_refused(self):
        for text in ("Words.\n", "# A title\n\nWords.\n", "# A title\n\n```console\nnode/n\n```\n"):
            with self.subTest(text=text), Folder(text) as tree, self.assertRaises(Malformed):
                read_story(tree.folder)

    def test_parts_of_the_control_plane_run_on(self):
        self.assertEqual(program_of("plimsoll up --nodes=1"), "up")
        self.assertEqual(program_of("plimsoll kubelet"), "kubelet")
        self.assertIsNone(program_of("plimsoll check pod.yaml"))
        self.assertIsNone(program_of("kubectl get pods"))


class DocumentTest(unittest.TestCase):
    def test_the_page_has_the_story_and_its_files(self):
        with Folder(STORY) as tree:
            page = document.page(tree.root)
        self.assertIn("- [A title](#a-title)\n", page)
        self.assertIn("## The document\n\nAbout it.\n\n### A title\n\nWords.\n", page)
        self.assertIn("\n\n[pod.yaml](../tests/stories/document/01-name/pod.yaml):\n\n```yaml\n", page)

    def test_a_manifest_stands_before_the_first_command_that_names_it(self):
        text = ("# A title\n\nFirst.\n\n```console\n$ kubectl apply -f b-pod.yaml\n```\n\nThen.\n\n"
                "```console\n$ kubectl apply -f pod.yaml -f b-pod.yaml\n```\n\nThe end.\n")
        with Folder(text) as tree:
            for name in ("b-pod.yaml", "unused.yaml"):
                (tree.folder / name).write_text("kind: Pod\n")
            page = document.page(tree.root)
        order = ["First.", "[b-pod.yaml]", "-f b-pod", "Then.", "[pod.yaml]", "-f pod.yaml", "The end.", "[unused.yaml]"]
        self.assertEqual(sorted(order, key=page.index), order)
        self.assertEqual(page.count("kind: Pod"), 3)

    def test_a_long_manifest_is_folded(self):
        for lines, is_folded in ((document.MANIFEST_LINES_MAX, False), (document.MANIFEST_LINES_MAX + 1, True)):
            with Folder(STORY) as tree:
                (tree.folder / "pod.yaml").write_text("# line\n" * lines)
                self.assertEqual("<details" in document.page(tree.root), is_folded)


if __name__ == "__main__":
    unittest.main()
