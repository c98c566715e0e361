#!/usr/bin/env python3
"""first_hour_test.py BINARY: plays docs/first-hour.md and the README as a new user does, line by line in one shell, from the
start screen to the evicted pod and the user's own workloads. Every command and every manifest comes from the pages."""

import json
import pathlib
import re
import subprocess
import sys

from cluster import Cluster, check, play
from server import Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS_MAX = 120
# A command that runs until Ctrl-C ends when it has printed this.
ENDLESS = {"kubectl get events -w": "Marking for deletion Pod"}


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def commands_of(block):
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


class Shell:
    """A bash that keeps its variables between commands, as a user's terminal does."""

    def __init__(self, server, binary):
        self.directory = server.directory / "home"
        self.directory.mkdir()
        (self.directory / "bin").mkdir()
        (self.directory / "bin" / "plimsoll").symlink_to(pathlib.Path(binary).resolve())
        self.state = self.directory / "state"
        self.state.write_text(f"export KUBECONFIG={server.kubeconfig} PATH={self.directory}/bin:$PATH\n")

    def run(self, command):
        """Returns the output. Fails if the command fails, or does not end in time."""
        for start, wanted in ENDLESS.items():
            if command.startswith(start):
                return self.watch(command, wanted)
        script = f"source {self.state}\n{command}\ncode=$?\ndeclare -p NODE 2>/dev/null >> {self.state}\nexit $code"
        done = subprocess.run(["bash", "-c", script], cwd=self.directory, capture_output=True, text=True,
                              timeout=SECONDS_MAX, check=False)
        check(done.returncode == 0, command, "ended with", done.returncode, done.stdout, done.stderr)
        return done.stdout

    def watch(self, command, wanted):
        """Runs a command that does not end until it has printed the text. `timeout` ends it if that does not come."""
        script = f"source {self.state}; exec timeout {SECONDS_MAX} {command.partition('#')[0]}"
        with subprocess.Popen(["bash", "-c", script], cwd=self.directory, stdout=subprocess.PIPE, text=True) as process:
            output = ""
            for line in process.stdout:
                output += line
                if wanted in line:
                    process.terminate()
                    return output
        check(False, command, "did not print", wanted, "but", output)
        return output


class Walk(Cluster):
    def __init__(self, server, binary):
        super().__init__(server)
        self.shell = Shell(server, binary)
        self.page = (ROOT / "docs" / "first-hour.md").read_text()

    def section(self, title):
        found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", self.page, re.M | re.S)
        check(found, "the page has no section", title)
        return found.group(1)

    def play_section(self, title):
        """Runs every command of a section. Returns {command: output}."""
        commands = [one for block in blocks(self.section(title), "console") for one in commands_of(block)]
        check(commands, title, "has no command")
        return {command: self.shell.run(command) for command in commands}

    def ready(self, deployment):
        words = ("get", "deployment", deployment, "-o", "jsonpath={.status.readyReplicas}/{.spec.replicas}")
        ready, wanted = self.kubectl(*words).split("/")
        return ready == wanted

    def nodes_of(self, app):
        pods = json.loads(self.kubectl("get", "pods", "-l", f"app={app}", "-o", "json"))["items"]
        return {one["spec"].get("nodeName") for one in pods if "deletionTimestamp" not in one["metadata"]}


def contains(there, shown):
    """Returns true if the stored value has everything that the page shows."""
    if isinstance(shown, dict):
        return isinstance(there, dict) and all(contains(there.get(key), value) for key, value in shown.items())
    if isinstance(shown, list):
        return isinstance(there, list) and all(any(contains(one, wanted) for one in there) for wanted in shown)
    return there == shown


def start_screen(walk):
    """The screen is the one of the page, apart from names of directories and the port."""
    walk.await_true("the screen", lambda: "Ctrl-C stops it" in walk.server.log_path.read_text())
    text = walk.server.log_path.read_text()
    screen = text[text.rindex("Plimsoll is up"):]

    def bare(line):
        return re.sub(r":\d{4,5}\b", ":PORT", re.sub(r"/\S+?/(?:\.plimsoll|data)(?=[ /]|$)", "DIR", line.rstrip()))
    shown = [bare(line) for line in blocks(walk.section("Start"), "console")[0].splitlines()[1:] if "…" not in line]
    there = [bare(line) for line in screen.splitlines()]
    missing = [line for line in shown if line not in there]
    check(not missing, "the screen lacks", *map(repr, missing), "in", *map(repr, there))


def manifests_are_true(walk):
    """Each object that the page shows is stored so."""
    walk.await_true("the payments", lambda: walk.ready("payment-processor"))
    shown = 0
    for block in blocks(walk.section("Look at the nodes"), "yaml"):
        read = walk.kubectl("create", "--dry-run=client", "--validate=false", "-o", "json", "-f", "-", stdin=block)
        decoder, at = json.JSONDecoder(), 0
        while at < len(read.rstrip()):
            wanted, at = decoder.raw_decode(read, at + len(read[at:]) - len(read[at:].lstrip()))
            there = json.loads(walk.kubectl("get", wanted["kind"], wanted["metadata"]["name"], "-o", "json"))
            check(contains(there["spec"], wanted["spec"]), "not as shown:", wanted, there["spec"])
            shown += 1
    check(shown >= 3, "the page shows only", shown, "objects")


def own_deployment(walk):
    outputs = walk.play_section("Look at the nodes")
    check(any(output.count("\n") == 21 for output in outputs.values()), "no table of 20 nodes:", outputs)
    walk.await_true("the user's own Deployment", lambda: walk.ready("nginx"))


def pod_moves(walk):
    before = walk.nodes_of("payment-processor")
    outputs = walk.play_section("See a pod move")
    tainted = re.search(r"node/(\S+)", outputs["kubectl taint nodes $NODE failure-probability=15:NoExecute --overwrite"])
    check(tainted and tainted.group(1) in before, "the wrong node:", outputs, before)
    walk.await_true("another node", lambda: walk.ready("payment-processor") and
                    tainted.group(1) not in walk.nodes_of("payment-processor"))


def own_pod(walk):
    section = walk.section("Write a pod of your own")
    name = re.search(r"Save this as `([\w.]+)`", section).group(1)
    (walk.shell.directory / name).write_text(blocks(section, "yaml")[0])
    outputs = walk.play_section("Write a pod of your own")
    check(len(outputs) >= 3, outputs)
    walk.await_true("the user's own pod", lambda: walk.pod("mine")["status"]["phase"] == "Running")


def readme(walk):
    """The README's commands run, and print what it shows. A line with an ellipsis stands for any number of lines."""
    text = (ROOT / "README.md").read_text()
    played = 0
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.M):
        lines = [line[4:] for line in block.strip("\n").splitlines()]
        if not lines[0].startswith("$ plimsoll "):
            continue
        done = subprocess.run(["bash", "-c", f"source {walk.shell.state}; {lines[0][2:]}"], cwd=ROOT, capture_output=True,
                              text=True, timeout=SECONDS_MAX, check=False)
        there = [line.rstrip() for line in done.stdout.splitlines()]
        missing = [line for line in lines[1:] if line != "…" and line not in there]
        check(not missing, lines[0], "did not print", *map(repr, missing), "but", *map(repr, there), done.stderr)
        played += 1
    check(played >= 1, "the README shows no command with its output")
    targets = re.findall(r"^    make (\S+)", text, re.M)
    known = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M)
    check(targets and set(targets) <= set(known), "no such targets:", targets)


def main(binary):
    with Server(binary, "--demo", command="up") as server:
        return play(Walk(server, binary), start_screen, manifests_are_true, own_deployment, pod_moves, own_pod, readme)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
