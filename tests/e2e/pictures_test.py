#!/usr/bin/env python3
"""pictures_test.py BINARY: draws the screenshots of docs/pictures again from the output of the program, and compares
them with the stored ones. The pictures of a running cluster differ from run to run and are not compared."""

import difflib
import pathlib
import re
import sys

from cluster import check, play

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import docs_pictures  # noqa: E402  pylint: disable=wrong-import-position,import-error
import docs_record  # noqa: E402  pylint: disable=wrong-import-position,import-error


def screenshots_are_todays_output(binary):
    drawn = docs_pictures.draw_screens(docs_record.record_screens(binary))
    check(set(drawn) == set(docs_record.SCREENS), "drew", *drawn)
    for name, content in drawn.items():
        stored = (docs_pictures.PICTURES / f"{name}.svg").read_text(encoding="utf-8")
        changes = [line for line in difflib.unified_diff(stored.splitlines(), content.splitlines(), lineterm="", n=0)
                   if not line.startswith(("---", "+++", "@@"))]
        check(not changes, f"docs/pictures/{name}.svg is not what the program prints; run make docs\n", *changes[:20])


def every_picture_is_shown(_):
    """No page shows a picture that is missing, and none is left over."""
    shown = set()
    for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        shown |= {pathlib.Path(name).name for name in re.findall(r"\]\([^)]*?([\w-]+\.svg)\)", page.read_text(encoding="utf-8"))}
    stored = {path.name for path in docs_pictures.PICTURES.glob("*.svg")}
    check(shown == stored, "shown only:", shown - stored, "stored only:", stored - shown)


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], screenshots_are_todays_output, every_picture_is_shown))
