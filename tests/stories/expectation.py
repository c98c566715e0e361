"""What a console must show: text in which `…` stands for anything."""

import re

ANYTHING = "…"


class Expectation:
    """Lines that an output must have, all of them and no others. `…` within a line is any text, and a line
    of its own any lines; blanks at the end of a line, and how many stand between words, do not count."""

    def __init__(self, lines):
        self.lines = list(lines)
        self._pattern = re.compile("".join(map(_pattern_of, self.lines)))

    def is_met_by(self, output):
        seen = "".join(_plain(line) + "\n" for line in output.rstrip().splitlines())
        return self._pattern.fullmatch(seen) is not None

    def __str__(self):
        return "\n".join(self.lines)


def _plain(line):
    """The blanks of a table depend on its longest entry, which may be one that is not asked for."""
    return re.sub(r"[ \t]+", " ", line).rstrip()


def _pattern_of(line):
    if line.strip() == ANYTHING:
        return r"(?:.*\n)*?"
    return ".*".join(map(re.escape, _plain(line).split(ANYTHING))) + r"\n"
