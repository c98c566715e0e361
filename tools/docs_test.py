#!/usr/bin/env python3
"""Tests the pictures of docs/ (docs_svg.py, docs_record.py) and the hooks of the site (docs_hooks.py)."""

import pathlib
import re
import tempfile
import unittest
import xml.dom.minidom

import docs_hooks
import docs_record
import docs_svg


class PictureTest(unittest.TestCase):
    def texts(self, svg):
        """Returns the texts of a picture, which must be well-formed."""
        return ["".join(node.data for node in text.childNodes if node.nodeType == node.TEXT_NODE)
                for text in xml.dom.minidom.parseString(svg).getElementsByTagName("text")]

    def test_a_terminal_shows_and_marks_its_lines(self):
        svg = docs_svg.terminal("t", [(0, "command", "kubectl get pods"), (0.5, "output", "a <b> & c"), (0.5, "mark", "gone")])
        self.assertEqual(self.texts(svg), ["t", "kubectl get pods", "a <b> & c", "gone"])
        self.assertRegex(svg, r'class="mono row bad strong"[^>]*>gone<')

    def test_colours_of_the_terminal_are_shown(self):
        svg = docs_svg.terminal("t", [(0, "output", "\x1b[1mNODE\x1b[0m"), (0, "output", "a<b \x1b[31mrefused\x1b[0m \x1b[32mok\x1b[0m")])
        self.assertEqual(len(self.texts(svg)), 3)
        self.assertIn('<tspan class="strong">NODE</tspan></text>', svg)
        self.assertIn('>a&lt;b <tspan class="red">refused</tspan> <tspan class="green">ok</tspan></text>', svg)
        self.assertNotIn("\x1b", svg)
        with self.assertRaises(ValueError):
            docs_svg.coloured("\x1b[35mpurple")

    def test_escape_codes_take_no_room(self):
        words = "\x1b[31m" + "x" * docs_svg.COLUMNS + "\x1b[0m"
        self.assertEqual(docs_svg.rows_of([(0, "output", words)]), [(0.0, words, "output")])

    def test_a_long_line_is_wrapped_and_a_long_pause_is_cut(self):
        rows = docs_svg.rows_of([(0, "command", "x " * 80), (90, "output", "late")])
        self.assertEqual([kind for _, _, kind in rows], ["command", "more", "output"])
        self.assertTrue(all(len(words) <= docs_svg.COLUMNS for _, words, _ in rows))
        self.assertEqual(rows[-1][0], docs_svg.PAUSE_SECONDS_MAX)

    def test_a_funnel_shows_what_is_left(self):
        texts = self.texts(docs_svg.funnel("t", [("all nodes", 20), ("taints", 1)], [("taints", "n1: too high")]))
        self.assertIn("20 nodes", texts)
        self.assertIn("1 node", texts)
        self.assertIn("nearest: n1: too high", texts)

    def test_a_node_beyond_all_lines_is_marked(self):
        svg = docs_svg.load_line("t", [("safe", 3), ("middle", 10), ("risky", 30)], [("pay", 5), ("batch", 20)], [("pay", "safe")])
        self.assertEqual(len(re.findall(r'<rect class="bad"', svg)), 1)
        self.assertEqual(svg.count("<circle"), 1)
        self.assertIn("pay: Lt 5", self.texts(svg))

    def test_a_countdown_ends_with_the_next_event(self):
        svg = docs_svg.timeline("t", 5, [(0, 2), (10, 15), (20, 3)], [(20, "Cancelling")], 40)
        shade = xml.dom.minidom.parseString(svg).getElementsByTagName("rect")[1]
        scale = (860 - 70 - docs_svg.MARGIN - 20) / 40
        self.assertAlmostEqual(float(shade.getAttribute("width")), 10 * scale, places=2)
        with self.assertRaises(AssertionError):
            docs_svg.timeline("t", 50, [(0, 2)], [], 40)

    def test_both_colour_schemes_and_no_other_host(self):
        svg = docs_svg.terminal("t", [(0, "output", "x")])
        self.assertIn("prefers-color-scheme:dark", svg)
        self.assertEqual(re.findall(r"https?://(?!www\.w3\.org/2000/svg)", svg), [])

    def test_times_of_events(self):
        self.assertEqual(docs_record.time_of({"eventTime": "1970-01-01T00:01:00.500000Z"}), 60.5)
        self.assertEqual(docs_record.time_of({"lastTimestamp": "1970-01-01T00:00:02Z"}), 2)


class SiteTest(unittest.TestCase):
    def test_links_to_the_repository_lead_into_the_site(self):
        page = docs_hooks.DOCS / "check.md"
        for link, wanted in (("../README.md#why", "index.md#why"), ("match.md", "match.md"),
                             ("../examples/tour/pod.yaml", "files/examples/tour/pod.yaml.txt"),
                             ("../src/cel/", "src/cel/README.md"), ("https://example.com/x", "https://example.com/x"),
                             ("#hints", "#hints")):
            self.assertEqual(docs_hooks.rewrite(page, f"see [it `now`]({link})."), f"see [it `now`]({wanted}).")
        self.assertEqual(docs_hooks.rewrite(docs_hooks.HOME, "[a](docs/check.md)"), "[a](check.md)")
        self.assertEqual(docs_hooks.rewrite(docs_hooks.ROOT / "src/cel/README.md", "[a](../../docs/cel.md)"), "[a](../../cel.md)")

    def test_code_keeps_its_links(self):
        for text in ("`[a](../README.md)`", "```\n[a](../README.md)\n```", "x\n\n    [a](../README.md)\n"):
            self.assertEqual(docs_hooks.rewrite(docs_hooks.DOCS / "check.md", text), text)

    def test_an_escaped_bar_in_code_loses_its_backslash(self):
        page = docs_hooks.DOCS / "match.md"
        self.assertEqual(docs_hooks.rewrite(page, "| `a\\|b` | c\\|d |"), "| `a|b` | c\\|d |")
        self.assertEqual(docs_hooks.rewrite(page, "```\na\\|b\n```"), "```\na\\|b\n```")

    def test_definitions_of_links(self):
        self.assertEqual(docs_hooks.rewrite(docs_hooks.DOCS / "mission.md", "[x]: ../Makefile\n"), "[x]: files/Makefile.txt\n")

    def test_requests_to_other_hosts_are_found(self):
        for text in ('<script src="https://cdn.example.com/x.js">', "<link href='//fonts.example.com/x' rel=stylesheet>",
                     "@import url(https://example.com/x.css)", "<img alt=x src=http://example.com/x.png>"):
            self.assertRegex(text, docs_hooks.EXTERNAL)
        for text in ('<script src="assets/x.js">', '<a href="https://example.com">', '<link rel="canonical" href="https://e.com">'):
            self.assertNotRegex(text, docs_hooks.EXTERNAL)

    def test_broken_anchors_are_found(self):
        with tempfile.TemporaryDirectory() as directory:
            site = pathlib.Path(directory)
            (site / "a.html").write_text('<h1 id="top"></h1><a href="#top"><a href="b.html#no"><a href="c.html"><img alt="x" src="d.svg">')
            (site / "b.html").write_text('<h1 id="yes"></h1><a href="a.html#top">')
            self.assertEqual(list(docs_hooks.broken_anchors(site)),
                             ["a.html: no anchor for b.html#no", "a.html: no file for c.html",
                              "a.html: no file for d.svg"])


if __name__ == "__main__":
    unittest.main()
