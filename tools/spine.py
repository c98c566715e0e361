#!/usr/bin/env python3
"""Draws docs/pictures/architecture.svg: the folders of src/, their includes, and the way of a pod.

The includes are read from the sources. A folder stands above all folders that it includes. An arrow that follows
from others is left out. The way of a pod (STEPS) is written down here; each of its hops must be an include between
the two folders, so a change of the structure fails the check. `spine.py` writes the picture, `spine.py --check`
fails if the committed one differs. The picture has no counts, so that only a change of the structure changes it.
"""

import argparse
import re
import sys
from html import escape
from pathlib import Path

import tidy

PICTURE = Path("docs/pictures/architecture.svg")
INCLUDE = re.compile(r'^#include "([a-z0-9_]+)/', re.M)

# The way of a pod, from the POST to the eviction: (folder, what happens there).
STEPS = [
    ("net", "reads the POST of a pod"),
    ("apiserver", "authenticates, sets defaults, admits, validates"),
    ("store", "commits it; one order for all changes"),
    ("apiserver", "puts it into the cache, tells the watches"),
    ("net", "carries the event: a socket, or a call in the process"),
    ("client", "informer: keeps the objects, passes the change on"),
    ("runner", "feeds the cores; sends their actions back by client"),
    ("scheduler", "decides: Bind the pod to a node"),
    ("runner", "feeds the agent, when the binding comes back"),
    ("agent", "admits the pod, runs it, reports its status"),
    ("runner", "feeds the controllers, when a taint changes"),
    ("controller", "decides: Evict, when the line is crossed"),
]

# Folder -> column, from the left: pure folders first, I/O at the right. A folder without one stands at the right end.
COLUMNS = {
    "base": 1.75, "cel": 0, "codec": 1, "net": 2.5, "store": 3.5, "api": 0.5, "match": 0.5, "client": 2.5,
    "dra": 0, "agent": 1.5, "apiserver": 3.5, "scheduler": 0, "controller": 1, "runner": 2.5, "cli": 3.5,
}  # fmt: skip
BOX_WIDTH, BOX_HEIGHT = 116, 42
COLUMN_WIDTH, ROW_HEIGHT = 142, 84
MARGIN, TOP = 30, 66
LEGEND_WIDTH = 440

# (class, light, dark): the picture follows the colours of the reader's system.
STYLE = [
    (".card", "fill:#ffffff;stroke:#d0d7de", "fill:#161b22;stroke:#30363d"),
    (".pure", "fill:#eef4fb;stroke:#7b93ad", "fill:#1b2a3a;stroke:#5b7590"),
    (".io", "fill:#fbf3e6;stroke:#b09365", "fill:#33291a;stroke:#8d7448"),
    (".other", "fill:#f3f3f3;stroke:#8f8f8f", "fill:#24282e;stroke:#6b7178"),
    (".way", "fill:none;stroke:#c2410c", "fill:none;stroke:#fb923c"),
    (".include", "fill:none;stroke:#a3abb3", "fill:none;stroke:#565e67"),
    (".tip", "fill:#a3abb3", "fill:#565e67"),
    (".badge", "fill:#c2410c", "fill:#fb923c"),
    (".number", "fill:#ffffff", "fill:#161b22"),
    (".text", "fill:#1f2328", "fill:#e6edf3"),
    (".faint", "fill:#59636e", "fill:#9198a1"),
]


def read_includes(root):
    """Returns folder -> the set of other folders that its sources include, without its tests."""
    source = root / "src"
    folders = sorted(path.name for path in source.iterdir() if path.is_dir())
    includes = {}
    for folder in folders:
        found = set()
        for path in (source / folder).rglob("*"):
            if path.suffix in (".h", ".cc") and not path.stem.endswith(("_test", "_for_test")):
                found.update(INCLUDE.findall(path.read_text()))
        includes[folder] = found.intersection(folders) - {folder}
    return includes


def rank_of(folder, includes, path=()):
    """Returns 0 for a folder that includes no other, otherwise one more than the highest that it includes."""
    if folder in path:
        raise ValueError("folders include each other: " + " -> ".join([*path, folder]))
    return max((1 + rank_of(other, includes, (*path, folder)) for other in includes[folder]), default=0)


def reaches(start, end, includes):
    return any(other == end or reaches(other, end, includes) for other in includes[start])


def drawn_arrows(includes):
    """Returns the includes that do not follow from others."""
    return [(folder, other) for folder in sorted(includes) for other in sorted(includes[folder])
            if not any(reaches(between, other, includes) for between in includes[folder])]


def hops(steps):
    return [(here, there) for (here, _), (there, _) in zip(steps, steps[1:])]


def check_steps(steps, includes):
    """Yields the hops of the way that no include supports."""
    for here, there in hops(steps):
        if there not in includes.get(here, ()) and here not in includes.get(there, ()):
            yield f"a pod goes from {here}/ to {there}/, but neither includes the other: correct STEPS in tools/spine.py"


class Layout:
    """Places of the folders."""

    def __init__(self, includes):
        self.ranks = {folder: rank_of(folder, includes) for folder in includes}
        self.rows = max(self.ranks.values()) + 1
        last = max(COLUMNS.values())
        unplaced = [folder for folder in sorted(includes) if folder not in COLUMNS]
        self.columns = {**COLUMNS, **{folder: last + 1 + i for i, folder in enumerate(unplaced)}}
        self.width = MARGIN * 2 + BOX_WIDTH + COLUMN_WIDTH * max(self.columns[folder] for folder in includes)
        self.height = TOP + self.rows * ROW_HEIGHT - 12

    def center(self, folder):
        return MARGIN + BOX_WIDTH / 2 + self.columns[folder] * COLUMN_WIDTH

    def top(self, folder):
        return TOP + (self.rows - 1 - self.ranks[folder]) * ROW_HEIGHT

    def curve(self, upper, lower, shift=0.0):
        """Returns the path from the bottom of the upper folder to the top of the lower one."""
        x1, y1 = self.center(upper) + shift, self.top(upper) + BOX_HEIGHT
        x2, y2 = self.center(lower) + shift, self.top(lower)
        # Straight through the rows between, then across in the gap above the lower folder.
        bend = min(y2 - y1, ROW_HEIGHT - BOX_HEIGHT)
        start = y2 - bend
        return f"M{x1:g} {y1:g}V{start:g}C{x1:g} {start + bend * 0.55:g} {x2:g} {y2 - bend * 0.55:g} {x2:g} {y2:g}"


def style():
    rules = "".join(f"{name}{{{light}}}" for name, light, _ in STYLE)
    dark = "".join(f"{name}{{{rule}}}" for name, _, rule in STYLE)
    return (f"<style>text{{font-family:system-ui,sans-serif;font-size:14px}}.room{{font-weight:600;text-anchor:middle}}"
            f".number{{font-size:11px;font-weight:700;text-anchor:middle}}.title{{font-size:17px;font-weight:600}}"
            f".faint{{font-size:12.5px}}{rules}@media(prefers-color-scheme:dark){{{dark}}}</style>")


def badge(x, y, number):
    return (f'<circle class="badge" cx="{x:g}" cy="{y:g}" r="9.5"/>'
            f'<text class="number" x="{x:g}" y="{y + 4:g}">{number}</text>')


def room(layout, folder, numbers):
    kind = "pure" if folder in tidy.PURE else "other" if folder in tidy.COMPOSITION or not layout.ranks[folder] else "io"
    x, y = layout.center(folder), layout.top(folder)
    parts = [f'<rect class="{kind}" x="{x - BOX_WIDTH / 2:g}" y="{y:g}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="7"'
             f' stroke-width="1.4"/><text class="text room" x="{x:g}" y="{y + 26:g}">{escape(folder)}/</text>']
    # On the upper left corner, side by side.
    parts += [badge(x - BOX_WIDTH / 2 + 8 + i * 21, y, number) for i, number in enumerate(numbers)]
    return "".join(parts)


def legend(layout, steps):
    x = layout.width + 14
    parts = [f'<text class="text title" x="{x}" y="40">The way of a pod</text>']
    for number, (folder, text) in enumerate(steps, 1):
        y = 62 + number * 30
        parts.append(badge(x + 9, y - 5, number))
        parts.append(f'<text class="text" x="{x + 28}" y="{y}"><tspan font-weight="600">{escape(folder)}</tspan>'
                     f'<tspan class="faint" dx="7">{escape(text)}</tspan></text>')
    y = 62 + (len(steps) + 2) * 30
    for kind, text in (("pure", "pure: values in, values out"), ("io", "files, sockets, threads"),
                       ("other", "tools for all folders, and the composition of all")):
        parts.append(f'<rect class="{kind}" x="{x}" y="{y - 13}" width="26" height="16" rx="4" stroke-width="1.4"/>'
                     f'<text class="faint" x="{x + 36}" y="{y}">{text}</text>')
        y += 25
    parts.append(f'<path class="include" d="M{x} {y - 5}h18" stroke-width="1.4" marker-end="url(#tip)"/>'
                 f'<text class="faint" x="{x + 36}" y="{y}">includes; an arrow that follows from others is left out</text>')
    y += 25
    parts.append(f'<path class="way" d="M{x} {y - 5}h26" stroke-width="4.5" stroke-linecap="round"/>'
                 f'<text class="faint" x="{x + 36}" y="{y}">a pod goes here</text>')
    return parts


def draw(includes, steps):
    """Returns the picture as SVG."""
    layout = Layout(includes)
    width, height = layout.width + LEGEND_WIDTH, layout.height
    way = {tuple(sorted(hop, key=lambda folder: -layout.ranks[folder])) for hop in hops(steps)}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        ' role="img" aria-label="Folders of src, their includes, and the way of a pod through them">',
        "<!-- Written by tools/spine.py. -->",
        style(),
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>',
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="10"/>',
        f'<text class="text title" x="{MARGIN}" y="40">Folders of src/</text>',
    ]
    for upper, lower in drawn_arrows(includes):
        if (upper, lower) not in way:
            lines.append(f'<path class="include" d="{layout.curve(upper, lower)}" stroke-width="1.4" marker-end="url(#tip)"/>')
    for upper, lower in sorted(way):
        lines.append(f'<path class="way" d="{layout.curve(upper, lower)}" stroke-width="4.5" stroke-linecap="round"/>')
    for folder in sorted(includes):
        numbers = [number for number, (name, _) in enumerate(steps, 1) if name == folder]
        lines.append(room(layout, folder, numbers))
    lines += legend(layout, steps)
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def faults_of(root, is_check):
    """Writes the picture, or only compares it. Returns what is wrong."""
    includes = read_includes(root)
    faults = list(check_steps(STEPS, includes))
    if faults:
        return faults
    try:
        drawn = draw(includes, STEPS)
    except ValueError as error:
        return [str(error)]
    picture = root / PICTURE
    if not is_check:
        picture.parent.mkdir(exist_ok=True)
        picture.write_text(drawn)
    elif not picture.exists() or picture.read_text() != drawn:
        return [f"{PICTURE}: out of date; run tools/spine.py"]
    return []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail if the committed picture is out of date")
    arguments = parser.parse_args()
    faults = faults_of(Path(__file__).resolve().parent.parent, arguments.check)
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
