"""Expected console output, in which `…` stands for any text."""

import re

ANYTHING = "…"


class Expectation:
    """The complete expected lines of an output. `…` within a line matches any text; alone on a
    line, any lines. The number of spaces between words and at the end of a line does not matter."""

    def __init__(self, lines):
        self.lines = list(lines)
        self._pattern = re.compile("".join(map(_pattern_of, self.lines)))

    def is_met_by(self, output):
        seen = "".join(_plain(line) + "\n" for line in output.rstrip().splitlines())
        return self._pattern.fullmatch(seen) is not None

    def __str__(self):
        return "\n".join(self.lines)


def _plain(line):
    """Normalizes spaces, because the columns of a table depend on its longest entry."""
    return re.sub(r"[ \t]+", " ", line).rstrip()


def _pattern_of(line):
    if line.strip() == ANYTHING:
        return r"(?:.*\n)*?"
    return ".*".join(map(re.escape, _plain(line).split(ANYTHING))) + r"\n"
