#!/usr/bin/env python3
"""docs_pictures.py BINARY: plays a session with the program and kubectl, and writes docs/pictures/*.svg from it."""

import pathlib
import sys

import docs_record
import docs_svg

PICTURES = docs_record.ROOT / "docs" / "pictures"


def draw_screens(screens):
    """Returns the screenshots. Equal programs draw equal ones; tests/e2e/pictures_test.py relies on it."""
    return {name: docs_svg.terminal(f"plimsoll {name}", lines) for name, lines in screens.items()}


def draw(recorded):
    """Returns the text of each picture by its name."""
    load, funnel, timeline = recorded["load_line"], recorded["funnel"], recorded["timeline"]
    end = max([at for at, _ in timeline["values"]] + [at for at, _ in timeline["events"]]) + 4
    return {
        **draw_screens(recorded["screens"]),
        "move": docs_svg.terminal("A threshold is crossed, and a pod moves", recorded["move"]),
        "funnel": docs_svg.funnel("plimsoll explain pod reports: no node can take it", funnel["stages"], funnel["nearest"]),
        "load-line": docs_svg.load_line("The demo cluster: nodes, and the lines of two workloads", load["nodes"],
                                        load["limits"], load["pods"]),
        "eviction": docs_svg.timeline("Lt 5 with tolerationSeconds: 30", timeline["limit"], timeline["values"],
                                      timeline["events"], end),
    }


def main(words):
    if len(words) != 1 or not pathlib.Path(words[0]).is_file():
        print(__doc__, file=sys.stderr)
        return 2
    PICTURES.mkdir(exist_ok=True)
    for name, content in draw(docs_record.record(pathlib.Path(words[0]).resolve())).items():
        (PICTURES / f"{name}.svg").write_text(content, encoding="utf-8")
        print(f"docs_pictures: wrote docs/pictures/{name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
