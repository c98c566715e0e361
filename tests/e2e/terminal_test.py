#!/usr/bin/env python3
"""terminal_test.py BINARY: runs the program on a real terminal, and its completion scripts in real shells, with a real
API server: colours, folded lines, the progress line, candidates from the server."""

import json
import os
import pathlib
import re
import shutil
import signal
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
MANY_NODES = 12_000  # so many that their start takes several seconds


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


def bare(text):
    return re.sub(r"\x1b\[\d+m", "", text)


def progress_of_a_start_and_a_stop(shown):
    """`up --detach` counts the nodes that are Ready; `down` shows how long it waits for a process that does not end. The line
    is gone at the end."""
    with tempfile.TemporaryDirectory() as directory:
        data = ["--data-dir", f"{directory}/data"]
        try:
            text = shown.on_terminal("up", "--detach", "--port=0", "--store=memory", f"--nodes={MANY_NODES}", *data)
            lines = re.findall(rf"\rWaiting for nodes \[[#.]{{20}}\] \d+% (\d+)/{MANY_NODES}, \d+", text)
            check(lines and 0 <= int(lines[0]) < MANY_NODES, "no progress line:", repr(text))
            check(re.search(r"\r +\rPlimsoll is up", bare(text)), "the line is left behind:", repr(text))
            pid = json.loads(shown.piped("status", "-o", "json", *data).stdout)["pid"]
            os.kill(pid, signal.SIGSTOP)
            with pty_run.Terminal([shown.binary, "down", *data], 100, shown.environment(), ROOT) as terminal:
                wanted = rf"\rStopping process {pid}, \ds of 1m0s"
                text = terminal.read_until(lambda text: re.search(wanted, text), 20)
                check(re.search(wanted, text), "no progress line:", repr(text))
                os.kill(pid, signal.SIGCONT)
                text = terminal.read_until(lambda text: "The data stays" in text, 60)
                check(re.search(r"\r +\rStopped after", text), "the line is left behind:", repr(text))
        finally:
            shown.piped("down", "--purge", *data)


def explanations_are_coloured(shown):
    text = shown.on_terminal("explain", "node", "spot-1")
    check(f"{BOLD}Node spot-1: {PLAIN}" in text and f"{RED}not by " in text, "node:", repr(text))
    text = shown.on_terminal("get", "tolerations", "web-0")
    check("web-0" in text, repr(text))
    text = shown.on_terminal("get", "taints")
    check(f"{BOLD}NODE{PLAIN}" in text or BOLD in text, "taints:", repr(text))
    check(f"{RED}Plimsoll is not running{PLAIN}" in shown.on_terminal("status", "--data-dir", "/none"), "status")


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


def bash_completes_explained_objects(shown):
    shown.kubectl("create", "deployment", "shop-front", "--image=i", "--replicas=0")
    shown.apply({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "slice"},
                 "spec": {"driver": "gpu.example.com", "nodeName": "spot-1", "devices": [{"name": "gpu-0"}],
                          "pool": {"name": "spot-1", "generation": 1, "resourceSliceCount": 1}}})
    for kind, begun, want in (("deployment", "sh", "shop-front"), ("deploy", "", "shop-front"), ("node", "spot-2", "spot-2"),
                              ("device", "gpu", "gpu.example.com/spot-1/gpu-0")):
        found = shown.completed("explain", kind, begun)
        check(found == [want], kind, "gave", found)


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


def zsh_completes_what_is_typed(shown):
    """compinit must not write its cache (-D): it replaces the file of -d, also if that is /dev/null."""
    check(shutil.which("zsh"), "zsh is not installed: tools/deps.sh e2e")
    with tempfile.TemporaryDirectory() as home, pty_run.Terminal(
            ["zsh", "-f", "-i"], environment=shown.environment(PS1="$ ", HOME=home, ZDOTDIR=home), cwd=ROOT) as terminal:
        terminal.send("autoload -U compinit; compinit -u -D; source <(plimsoll completion zsh); echo rea''dy\n")
        check("ready" in terminal.read_until(lambda text: "ready\r" in text, 20), repr(terminal.text))
        for typed, want in (("plimsoll che\t", "plimsoll check "), ("\x15plimsoll explain pod web-\t", "web-0")):
            terminal.send(typed)
            text = bare(terminal.read_until(lambda text, want=want: want in bare(text), 20))
            check(want in text, typed, "gave", repr(text))


def fish_completes_what_is_typed(shown):
    check(shutil.which("fish"), "fish is not installed: tools/deps.sh e2e")
    with tempfile.TemporaryDirectory() as home:
        for typed, want in (("plimsoll che", "check"), ("plimsoll explain pod web-", "web-1"),
                            ("plimsoll match -o ", "yaml")):
            done = subprocess.run(["fish", "--no-config", "-c", f"plimsoll completion fish | source; complete -C '{typed}'"],
                                  env=shown.environment(HOME=home), capture_output=True, text=True, timeout=60, check=False)
            check(done.returncode == 0 and want in done.stdout.split(), typed, done.stdout, done.stderr)


def main(binary):
    scenes = Scenes()
    with Server(binary) as server:
        scenes.run(Shown(server, binary), verdicts_are_coloured, colours_can_be_switched,
                   each_stream_is_judged_by_itself, lines_are_folded, names_do_not_control_the_terminal,
                   bash_completes_names_of_the_server, completion_never_waits_long, bash_completes_what_is_typed,
                   bash_completes_explained_objects, zsh_completes_what_is_typed, fish_completes_what_is_typed,
                   explanations_are_coloured, progress_of_a_start_and_a_stop)
    return scenes.outcome()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
