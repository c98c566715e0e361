"""Draws the pictures of README.md and docs/ as SVG, from the data that docs_record.py has recorded.

A picture follows the colours of the reader's system and needs no other file."""

import re
import textwrap
from html import escape

# (class, light, dark)
COLOURS = [
    (".card", "fill:#ffffff;stroke:#d0d7de", "fill:#161b22;stroke:#30363d"),
    (".bar", "fill:#f3f4f6", "fill:#21262d"),
    (".dot", "fill:#c6ccd3", "fill:#484f58"),
    (".text", "fill:#1f2328", "fill:#e6edf3"),
    (".faint", "fill:#59636e", "fill:#9198a1"),
    (".prompt", "fill:#1f6f43", "fill:#56d364"),
    (".good", "fill:#2f6f9f", "fill:#6cb6ff"),
    (".bad", "fill:#c2410c", "fill:#fb923c"),
    (".green", "fill:#1a7f37", "fill:#3fb950"),
    (".red", "fill:#cf222e", "fill:#ff7b72"),
    (".yellow", "fill:#9a6700", "fill:#d29922"),
    (".axis", "stroke:#8c959f;fill:none", "stroke:#6b7178;fill:none"),
    (".limit", "stroke:#c2410c;fill:none", "stroke:#fb923c;fill:none"),
    (".level", "stroke:#2f6f9f;fill:none", "stroke:#6cb6ff;fill:none"),
    (".shade", "fill:#fbe3d6", "fill:#3d2618"),
]
MARGIN = 24
# Size of one character of the terminal.
GLYPH_WIDTH, LINE_HEIGHT = 7.8, 19
COLUMNS = 104
BAR_HEIGHT = 34
# A longer pause of the recording lasts this long in the picture.
PAUSE_SECONDS_MAX = 2.5


def picture(width, height, label, parts, extra_style=""):
    """Returns an SVG document with a card as its background."""
    light = "".join(f"{name}{{{rule}}}" for name, rule, _ in COLOURS)
    dark = "".join(f"{name}{{{rule}}}" for name, _, rule in COLOURS)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" role="img" aria-label="{escape(label)}">',
        "<!-- Written by tools/docs_pictures.py from a real run. -->",
        "<style>text{font-family:system-ui,sans-serif;font-size:14px}"
        ".mono{font-family:ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;font-size:13px;white-space:pre}"
        ".strong{font-weight:600}.small{font-size:12.5px}.middle{text-anchor:middle}.end{text-anchor:end}"
        f"{extra_style}{light}@media(prefers-color-scheme:dark){{{dark}}}</style>",
        f'<rect class="card" x="0.5" y="0.5" width="{width - 1:g}" height="{height - 1:g}" rx="9"/>',
        *parts,
        "</svg>",
        "",
    ])


def text(x, y, words, classes="text"):
    return f'<text class="{classes}" x="{x:g}" y="{y:g}">{escape(words)}</text>'


def line(x1, y1, x2, y2, classes="axis", width=1.4, dash=""):
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="{classes}" d="M{x1:g} {y1:g}L{x2:g} {y2:g}" stroke-width="{width:g}"{dashes}/>'


# --- Terminal ---

# Classes of the select-graphic-rendition codes that the program writes.
RENDITIONS = {"1": "strong", "31": "red", "32": "green", "33": "yellow"}
RENDITION = re.compile("\x1b\\[([0-9;]*)m")


def coloured(words):
    """Returns the SVG text of a line of terminal output: escape codes become pieces with a class."""
    parts, classes = [], []
    # The separator is kept, so that codes and pieces alternate.
    for number, piece in enumerate(RENDITION.split(words)):
        if number % 2 == 0:
            parts.append(f'<tspan class="{" ".join(classes)}">{escape(piece)}</tspan>' if classes and piece else escape(piece))
            continue
        for code in piece.split(";"):
            if code in ("", "0"):
                classes = []
            elif code in RENDITIONS:
                classes.append(RENDITIONS[code])
            else:
                raise ValueError(f"the picture has no colour for escape code {code}")
    return "".join(parts)


def rows_of(lines):
    """Returns (seconds, text, class) for each row of the terminal. Long lines are wrapped, long pauses are cut."""
    rows, shown, before = [], 0.0, None
    for seconds, kind, words in lines:
        if before is not None:
            shown += min(seconds - before, PAUSE_SECONDS_MAX)
        before = seconds
        wrapped = [words]
        if len(RENDITION.sub("", words)) > COLUMNS:
            wrapped = textwrap.wrap(words, COLUMNS, subsequent_indent="    ", break_on_hyphens=False)
        rows += [(shown, part, kind if index == 0 or kind != "command" else "more") for index, part in enumerate(wrapped)]
    return rows


def terminal(title, lines):
    """Returns a terminal in which lines appear as they did. A line is (seconds, kind, text); kind is command, output,
    mark (output that the reader must see) or note. A viewer without animations shows all lines at once."""
    rows = rows_of(lines)
    width = MARGIN * 2 + COLUMNS * GLYPH_WIDTH
    height = BAR_HEIGHT + 22 + len(rows) * LINE_HEIGHT
    parts = [f'<path class="bar" d="M1 {BAR_HEIGHT}V9a8 8 0 0 1 8-8H{width - 9:g}a8 8 0 0 1 8 8V{BAR_HEIGHT}z"/>']
    parts += [f'<circle class="dot" cx="{MARGIN + i * 18}" cy="{BAR_HEIGHT / 2:g}" r="5.5"/>' for i in range(3)]
    parts.append(text(width / 2, BAR_HEIGHT / 2 + 5, title, "faint small middle"))
    colours = {"command": "text strong", "more": "text strong", "output": "text", "mark": "bad strong", "note": "faint"}
    for number, (seconds, words, kind) in enumerate(rows):
        x, y = MARGIN, BAR_HEIGHT + 24 + number * LINE_HEIGHT
        delay = f' style="animation-duration:{seconds:.2f}s"' if seconds else ""
        prompt = '<tspan class="prompt">$ </tspan>' if kind == "command" else ""
        parts.append(f'<text xml:space="preserve" class="mono row {colours[kind]}" x="{x}" y="{y}"{delay}>{prompt}{coloured(words)}'
                     "</text>")
    # An animation hides a line until its time has come; the line itself is visible.
    style = "@keyframes wait{from,to{opacity:0}}@media(prefers-reduced-motion:no-preference){.row{animation:wait 0s}}"
    return picture(width, height, title, parts, style)


# --- Funnel of `plimsoll explain pod` ---

def funnel(title, stages, reasons):
    """Returns the funnel. A stage is (name, nodes that are left); a reason is (name of the stage, text)."""
    width, bar_left, bar_width, step = 860, 140, 250, 76
    most = max(nodes for _, nodes in stages)
    parts = [text(MARGIN, 38, title, "text strong")]
    by_stage = dict(reasons)
    for number, (name, nodes) in enumerate(stages):
        y = 60 + number * step
        length = max(bar_width * nodes / most, 2)
        parts.append(text(bar_left - 14, y + 24, name, "text end"))
        if number:
            lost = bar_width * stages[number - 1][1] / most
            parts.append(f'<rect class="shade" x="{bar_left}" y="{y}" width="{lost:g}" height="36" rx="4"/>')
        parts.append(f'<rect class="{"good" if nodes else "bad"}" x="{bar_left}" y="{y}" width="{length:g}" height="36" rx="4"/>')
        words = f"{nodes} node{'' if nodes == 1 else 's'}"
        parts.append(text(bar_left + bar_width + 16, y + 13, words, "text strong"))
        nearest = f"nearest: {by_stage[name]}" if name in by_stage else ""
        for row, part in enumerate(textwrap.wrap(nearest, 66, break_on_hyphens=False)[:3]):
            parts.append(text(bar_left + bar_width + 16, y + 30 + row * 16, part, "faint small"))
    return picture(width, 60 + len(stages) * step + 10, title, parts)


# --- Values of nodes against the lines of workloads ---

def load_line(title, nodes, limits, pods):
    """Returns the picture of nodes (name, value), limits (app, value), and pods (app, node)."""
    left, top, bar, height = MARGIN, 84, 28, 230
    highest = max([value for _, value in nodes] + [value for _, value in limits]) * 1.1
    hosts = {app: {node for name, node in pods if name == app} for app, _ in limits}

    def y_of(value):
        return top + height * (1 - value / highest)

    parts = [text(MARGIN, 36, title, "text strong")]
    for number, (name, value) in enumerate(sorted(nodes, key=lambda node: (node[1], node[0]))):
        x = left + 12 + number * bar
        over = all(value >= limit for _, limit in limits)
        parts.append(f'<rect class="{"bad" if over else "good"}" x="{x}" y="{y_of(value):g}" width="{bar - 10}"'
                     f' height="{top + height - y_of(value):g}" rx="2"><title>{escape(name)}: {value}</title></rect>')
        parts.append(text(x + bar / 2 - 5, y_of(value) - 5, str(value), "faint small middle"))
        for row, (app, _) in enumerate(limits):
            if name in hosts[app]:
                parts.append(f'<circle class="good" cx="{x + bar / 2 - 5:g}" cy="{top + height + 18 + row * 22}" r="5"/>')
    right = left + 12 + len(nodes) * bar
    parts.append(line(left, top + height, right, top + height))
    for row, (app, limit) in enumerate(limits):
        parts.append(line(left, y_of(limit), right, y_of(limit), "limit", 1.8, "6 4"))
        parts.append(text(right + 8, y_of(limit) + 5, f"{app}: Lt {limit}", "bad strong"))
        if hosts[app]:
            parts.append(text(right + 8, top + height + 22 + row * 22, f"pods of {app}", "faint small"))
    parts.append(text(left, top - 14, "value of the taint failure-probability on each node", "faint small"))
    return picture(right + 236, top + height + 18 + len(limits) * 22, title, parts)


# --- Value of one taint over time ---

def timeline(title, limit, values, events, end):
    """Returns the value of a taint over time. A value is (seconds, number); an event is (seconds, text); a countdown
    is shaded from the crossing of the limit to the next event."""
    width, left, top, height = 860, 70, 74, 190
    scale = (width - left - MARGIN - 20) / end
    highest = max([value for _, value in values] + [limit]) * 1.25

    def x_of(seconds):
        return left + seconds * scale

    def y_of(value):
        return top + height * (1 - value / highest)

    parts = [text(MARGIN, 36, title, "text strong")]
    crossed = None
    for (seconds, value), before in zip(values, [(0, 0), *values]):
        if value >= limit > before[1]:
            crossed = seconds
            until = min((at for at, _ in events if at > seconds), default=end)
            parts.append(f'<rect class="shade" x="{x_of(seconds):g}" y="{top}" width="{(until - seconds) * scale:g}"'
                         f' height="{height}"/>')
            parts.append(text(x_of(seconds) + 6, top + 16, "countdown", "faint small"))
    assert crossed is not None, "no value crosses the limit"
    path, last = "", None
    for seconds, value in [*values, (end, values[-1][1])]:
        path += f"M{x_of(seconds):g} {y_of(value):g}" if last is None else f"H{x_of(seconds):g}V{y_of(value):g}"
        last = value
    parts.append(line(left, y_of(limit), width - MARGIN, y_of(limit), "limit", 1.8, "6 4"))
    parts.append(text(left - 8, y_of(limit) + 5, f"Lt {limit}", "bad strong end"))
    parts.append(f'<path class="level" d="{path}" stroke-width="2.6"/>')
    for seconds, value in values:
        parts.append(text(x_of(seconds) + 5, y_of(value) - 7, str(value), "text small strong"))
    parts.append(line(left, top + height, width - MARGIN, top + height))
    for tick in range(0, int(end) + 1, 10):
        parts.append(line(x_of(tick), top + height, x_of(tick), top + height + 5))
        parts.append(text(x_of(tick), top + height + 20, f"{tick} s", "faint small middle"))
    for seconds, words in events:
        parts.append(line(x_of(seconds), top - 6, x_of(seconds), top + height, "axis", 1.4, "2 3"))
        parts.append(text(x_of(seconds), top - 12, words, "text small middle"))
    return picture(width, top + height + 38, title, parts)
