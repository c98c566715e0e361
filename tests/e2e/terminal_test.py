#!/usr/bin/env python3
"""terminal_test.py BINARY: runs the program on a real terminal, and its completion scripts in real shells, with a real
API server: colours, folded lines, the progress line, candidates from the server."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from cluster import Cluster, Scenes, check, node, pod, taint, toleration
from server import Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import pty_run  # noqa: E402  pylint: disable=wrong-import-position,import-error

RED, GREEN, YELLOW, BOLD, PLAIN = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[0m"
TOUR = ["--pod", "examples/tour/pod.yaml", "--nodes", "examples/tour/nodes.yaml"]
COMPLETION_SECONDS_MAX = 2  # the program waits for one second


class Shown(Cluster):
    """A server with a few objects, and the program beside it."""

    def __init__(self, server, binary):
        super().__init__(server)
        self.binary = binary
        self.path = f"{pathlib.Path(binary).resolve().parent}:{os.environ['PATH']}"
        self.apply(node("spot-1", [taint("risk", "1")]), node("spot-2"),
                   pod("web-0", [toleration("risk", "Lt", "5")]), pod("web-1"))
        self.kubectl("create", "namespace", "shop")

    def environment(self, **more):
        plain = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM", "COLUMNS")}
        return {**plain, "KUBECONFIG": str(self.server.kubeconfig), "PATH": self.path, "TERM": "xterm-256color", **more}

    def on_terminal(self, *words, columns=100, **environment):
        return pty_run.run([self.binary, *words], columns, self.environment(**environment), ROOT)[1]

    def piped(self, *words):
        return subprocess.run([self.binary, *words], env=self.environment(), cwd=ROOT, capture_output=True, text=True,
                              timeout=60, check=False)

    def completed(self, *words, **environment):
        """Returns what the bash function offers for the last word."""
        script = ('source <(plimsoll completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plimsoll; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "--norc", "-c", script, "bash", "plimsoll", *words], capture_output=True,
                              env=self.environment(**environment), text=True, timeout=60, check=True)
        check(done.stderr == "", words, "printed", done.stderr)
        return done.stdout.split()


def verdicts_are_coloured(shown):
    text = shown.on_terminal("match", *TOUR)
    check(f"{GREEN}accepted{PLAIN}" in text and f"{RED}refused{PLAIN}" in text and f"{BOLD}NODE{PLAIN}" in text, text)
    check(f"{YELLOW}hint{PLAIN}" in shown.on_terminal("check", "examples/tour"), "hints are not yellow")
    check(f"{RED}error:{PLAIN}" in shown.on_terminal("check", "/none"), "errors are not red")
    check(f"{GREEN}can be placed{PLAIN}" in shown.on_terminal("explain", "pod", "web-1"), "explain is not coloured")
    check(f"{GREEN}true{PLAIN}" in shown.on_terminal("cel", "eval", "true", "--taint", "a=1:NoSchedule"), "cel")
    check(f"{BOLD}Usage{PLAIN}" in shown.on_terminal("check", "--help"), "headings are not bold")


def colours_can_be_switched(shown):
    for what, text in (("NO_COLOR", shown.on_terminal("match", *TOUR, NO_COLOR="1")),
                       ("dumb", shown.on_terminal("match", *TOUR, TERM="dumb")),
                       ("never", shown.on_terminal("match", *TOUR, "--color=never")),
                       ("a pipe", shown.piped("match", *TOUR).stdout)):
        check("\x1b" not in text, what, repr(text))
    check(RED in shown.piped("match", *TOUR, "--color=always").stdout, "--color=always has no colours")
    check(RED in shown.on_terminal("match", *TOUR, "--color=always", NO_COLOR="1"), "the flag does not win")
    check(RED in shown.piped("--no-such-flag", "--color=always").stderr, "a usage error has no colours")


def each_stream_is_judged_by_itself(shown):
    words = " ".join([shown.binary, "check", "/none", "2>/dev/null"])
    check("\x1b" not in pty_run.run(["bash", "-c", words], 80, shown.environment(), ROOT)[1])
    redirected = " ".join([shown.binary, "match", *TOUR, "--no-such-flag", ">/dev/null"])
    check(RED in pty_run.run(["bash", "-c", redirected], 80, shown.environment(), ROOT)[1], "stderr is a terminal")


def lines_are_folded(shown):
    text = re.sub(r"\x1b\[\d+m", "", shown.on_terminal("match", *TOUR, columns=60))
    check(max(len(line) for line in text.splitlines()) <= 60, text)
    reasons = [line for line in text.splitlines() if line.startswith(" " * 24)]
    check(len(reasons) > 4, "continuations are below the last column:", text)
    whole = shown.piped("match", *TOUR).stdout
    check(max(len(line) for line in whole.splitlines()) > 100, "a pipe gets folded lines:", whole)


def names_do_not_control_the_terminal(shown):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write('{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "evil\\u001b]0;owned\\u0007\\u009b2J"}}')
        file.flush()
        for output in ("text", "wide", "json", "yaml", "name"):
            text = shown.on_terminal("match", "--pod", TOUR[1], "--nodes", file.name, "--color=never", "-o", output)
            check(not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text), output, repr(text))


def bash_completes_names_of_the_server(shown):
    check(shown.completed("explain", "pod", "web") == ["web-0", "web-1"], shown.completed("explain", "pod", "web"))
    check(shown.completed("explain", "pod", "-n", "shop", "") == [], "pods of another namespace")
    check(shown.completed("explain", "pod", "--node", "=", "sp") == ["spot-1", "spot-2"], "nodes")
    check("shop" in shown.completed("check", "-n", ""), "namespaces")
    contexts = shown.kubectl("config", "get-contexts", "-o", "name").split()
    check(shown.completed("get", "devices", "--context", "") == contexts, "contexts")


def completion_never_waits_long(shown):
    kubeconfig = shown.server.kubeconfig.read_text()
    silent = re.sub(r"server: .*", "server: https://192.0.2.1:6443", kubeconfig)  # an address that never answers
    with tempfile.NamedTemporaryFile("w", suffix=".kubeconfig") as file:
        file.write(silent)
        file.flush()
        began = time.monotonic()
        check(shown.completed("explain", "pod", "", KUBECONFIG=file.name) == [], "candidates without a server")
        check(time.monotonic() - began < COMPLETION_SECONDS_MAX, "took", time.monotonic() - began)
    check(shown.completed("explain", "pod", "", KUBECONFIG="/none") == [], "candidates without a kubeconfig")


def bash_completes_what_is_typed(shown):
    with pty_run.Terminal(["bash", "--norc", "-i"], environment=shown.environment(PS1="$ "), cwd=ROOT) as terminal:
        terminal.send("source <(plimsoll completion bash)\n")
        for typed, want in (("plimsoll che\t", "plimsoll check "), ("examples/tour/no\t", "examples/tour/nodes.yaml")):
            terminal.send(typed)
            text = terminal.read_until(lambda text, want=want: want in text, 20)
            check(want in text, typed, "gave", repr(text))


def other_shells_take_the_script(shown):
    for shell, words in (("zsh", ["zsh", "-f", "-c", "autoload -U compinit; compinit -u -d /dev/null; "
                                  "source <(plimsoll completion zsh); whence -w _plimsoll"]),
                         ("fish", ["fish", "--no-config", "-c", "plimsoll completion fish | source; "
                                   "complete -C 'plimsoll che'"])):
        if shutil.which(shell) is None:
            print(f"        {shell} is not installed")
            continue
        done = subprocess.run(words, env=shown.environment(), capture_output=True, text=True, timeout=60, check=False)
        wanted = "_plimsoll: function" if shell == "zsh" else "check"
        check(done.returncode == 0 and wanted in done.stdout, shell, done.stdout, done.stderr)


def main(binary):
    scenes = Scenes()
    with Server(binary) as server:
        scenes.run(Shown(server, binary), verdicts_are_coloured, colours_can_be_switched,
                   each_stream_is_judged_by_itself, lines_are_folded, names_do_not_control_the_terminal,
                   bash_completes_names_of_the_server, completion_never_waits_long, bash_completes_what_is_typed,
                   other_shells_take_the_script)
    return scenes.outcome()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
