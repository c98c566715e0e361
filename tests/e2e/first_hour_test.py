#!/usr/bin/env python3
"""first_hour_test.py BINARY: plays docs/first-hour.md, the README and the first example of docs/match.md as a new user does, line
by line in one shell, from the start screen to the evicted pod and the user's own workloads. Every command and every manifest
comes from the pages, and no command of the first hour is left out."""

import json
import pathlib
import re
import subprocess
import sys

from cluster import Cluster, check, play
from server import Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS_MAX = 120
# A command of a console block that no scene plays, and why.
NOT_PLAYED = {"plimsoll up --demo": "the server of this test is started so, and start_screen compares its screen"}
# A message of "If it does not start" that this test cannot cause, and where it is caused.
OTHER_MESSAGES = {"the disk of": "needs a full disk: up_test.py", "the store in": "needs a store of another version: up_test.py"}
# A command that runs until Ctrl-C ends when it has printed this.
ENDLESS = {"kubectl get events -w": "Marking for deletion Pod"}


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def commands_of(block):
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


class Shell:
    """A bash that keeps its variables between commands, as a user's terminal does, with a home directory of its own."""

    def __init__(self, directory, binary, kubeconfig=None):
        self.directory = directory
        (directory / "bin").mkdir(parents=True)
        # Other tests use the default port at the same time.
        program = directory / "bin" / "plimsoll"
        program.write_text(f'#!/bin/sh\n[ "$1" = up ] && [ "$FREE_PORT" ] && set -- "$@" --port=0\n'
                           f'exec {pathlib.Path(binary).resolve()} "$@"\n')
        program.chmod(0o755)
        self.state = directory / "state"
        known = f"KUBECONFIG={kubeconfig}" if kubeconfig else "FREE_PORT=1"
        self.state.write_text(f"unset KUBECONFIG; export HOME={directory} {known} PATH={directory}/bin:$PATH\n")

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
        self.binary = binary
        self.shell = Shell(server.directory / "home", binary, server.kubeconfig)
        self.page = (ROOT / "docs" / "first-hour.md").read_text()
        self.played = set(NOT_PLAYED)

    def section(self, title):
        found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", self.page, re.M | re.S)
        check(found, "the page has no section", title)
        return found.group(1)

    def play_section(self, title, shell=None):
        """Runs every command of a section. Returns {command: output}."""
        commands = [one for block in blocks(self.section(title), "console") for one in commands_of(block)]
        check(commands, title, "has no command")
        self.played |= set(commands)
        return {command: (shell or self.shell).run(command) for command in commands}

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


def background(walk):
    """A run in the background, with a home directory of its own. `plimsoll status` prints the lines of the page."""
    shell = Shell(walk.server.directory / "other-home", walk.binary)
    try:
        outputs = walk.play_section("Run it in the background", shell)
        block = blocks(walk.section("Run it in the background"), "console")[0]
        shown = block.partition("$ plimsoll status\n")[2].partition("$ ")[0]
        there = outputs["plimsoll status"]

        def shape(text):
            return [re.sub(r"\S*/", "", line.split()[0]) if line.startswith("  ") else line.split(":")[0]
                    for line in text.splitlines() if line]
        check(shape(there) == shape(shown), "the page shows", shape(shown), "and the program prints", there)
        for line in ("ready         yes", "nodes         20 of 20 ready"):
            check(line in there and line in shown, line, "is not in", there)
        check(f"{shell.directory}/.kube/config as plimsoll" in there, "not merged:", there)
        check("Stopped after" in outputs["plimsoll down"], outputs)
        check("plimsoll" not in (shell.directory / ".kube" / "config").read_text(), "down leaves the context")
        done = subprocess.run(["bash", "-c", f"source {shell.state}; plimsoll status"], cwd=shell.directory,
                              capture_output=True, check=False)
        check(done.returncode == 1, "exit code of status after down:", done.returncode)
        shell.run("plimsoll down")  # also 0 if nothing runs
        shell.run("plimsoll down --purge")
        check(not (shell.directory / ".plimsoll").exists(), "--purge leaves the directory")
    finally:
        subprocess.run(["bash", "-c", f"source {shell.state}; plimsoll down"], cwd=shell.directory, capture_output=True, check=False)


def demo(walk):
    """`plimsoll demo` and `plimsoll demo --kubeconfig FILE`, as the section "Start" has them."""
    section = walk.section("Start")
    check("`plimsoll demo`" in section and "`plimsoll demo --kubeconfig FILE`" in section, "the page does not mention the demo")
    nodes = ("get", "nodes", "-o", "jsonpath={.items[*].spec.taints[*].value}")
    walk.await_true("the payments", lambda: walk.ready("payment-processor"))
    before = walk.kubectl(*nodes)
    own = walk.shell.run("plimsoll demo --no-pause")
    running = walk.shell.run(f"plimsoll demo --no-pause --kubeconfig {walk.server.kubeconfig}")
    for told in (own, running):
        check("was evicted from" in told and "$ kubectl taint nodes" in told, told)
    check(walk.kubectl(*nodes) == before, "the demo leaves other taints behind")


def useful_flags(walk):
    """Every flag of the table is one of `plimsoll up`, and `make up` passes flags."""
    table = re.findall(r"^\| (`-.*?`) \|", walk.section("Useful flags"), re.M)
    flags = {flag for cell in table for flag in re.findall(r"(?<!-)--?[a-z][a-z-]*", cell)}
    text = walk.shell.run("plimsoll up --help") + walk.shell.run("plimsoll --help")
    missing = [flag for flag in flags if not re.search(rf"(?<![\w-]){flag}(?![\w-])", text)]
    check(len(flags) > 8 and not missing, "plimsoll up has no such flags:", *missing)
    check("$(UP_FLAGS)" in (ROOT / "Makefile").read_text(), "make up passes no flags")


def messages(walk):
    """Each cause of "If it does not start" gives its message, and no data directory."""
    rows = re.findall(r"^\| `(.+?)` \| ", walk.section("If it does not start"), re.M)
    new = walk.shell.directory / "new"
    causes = {"cannot listen on": ["--data-dir", str(new), f"--port={walk.server.port}"],
              "… is in use by": ["--data-dir", str(walk.server.directory / "data"), "--port=0"],
              "cannot keep data in": ["--data-dir", "/dev/null/data", "--port=0"]}
    for row in rows:
        if any(row.startswith(start) for start in OTHER_MESSAGES):
            continue
        cause = next((flags for start, flags in causes.items() if row.startswith(start)), None)
        check(cause is not None, "nothing causes the message", row)
        # A number stands for any number, an ellipsis for any path.
        wanted = re.sub(r"\d+", r"\\d+", re.escape(row)).replace("…", ".*")
        for flags in (cause, [*cause, "--detach"]):
            done = subprocess.run([walk.binary, "up", "--no-demo", "--nodes=0", *flags], capture_output=True, text=True,
                                  timeout=SECONDS_MAX, check=False)
            check(done.returncode == 1, flags, "ended with", done.returncode, done.stderr)
            check(re.search(wanted, done.stderr), flags, "said", done.stderr, "and not", wanted)
    check(len(rows) == len(causes) + len(OTHER_MESSAGES), "the page has other messages:", *rows)


def everything_is_played(walk):
    commands = {one for block in blocks(walk.page, "console") for one in commands_of(block)}
    check(not commands - walk.played, "no scene plays", *(commands - walk.played))
    check(set(NOT_PLAYED) <= commands, "the page does not have", *(set(NOT_PLAYED) - commands))


def indented_blocks(text):
    return [[line[4:] for line in block.strip("\n").splitlines()]
            for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.M)]


def readme(walk):
    """The commands of the quick start are targets of make, or run after them."""
    text = (ROOT / "README.md").read_text()
    quick_start = text.partition("## Quick start\n")[2].partition("\n## ")[0]
    lines = [line for block in indented_blocks(quick_start) for line in block]
    played = 0
    for line in lines:
        if line.startswith("git clone "):
            played += 1
        elif line.startswith("make "):
            check(re.search(rf"^{line.split()[1]}:", (ROOT / "Makefile").read_text(), re.M), "make has no such target:", line)
            played += 1
        elif line.startswith("export KUBECONFIG="):
            check(line.endswith("/.plimsoll/admin.kubeconfig"), line)  # as tools/up.sh; the server of this test has its own
            played += 1
        else:
            walk.shell.run(line)
            played += 1
    check(played >= 6 and "make test" in quick_start, "the quick start has other commands:", *lines)


def match_page(walk):
    """The first example of docs/match.md prints what the page shows."""
    lines = next(block for block in indented_blocks((ROOT / "docs" / "match.md").read_text()) if block[0].startswith("$ "))
    done = subprocess.run(["bash", "-c", f"source {walk.shell.state}; {lines[0][2:]}"], cwd=ROOT, capture_output=True,
                          text=True, timeout=SECONDS_MAX, check=False)
    there = [line.rstrip() for line in done.stdout.splitlines()]
    check(there == [line.rstrip() for line in lines[1:]], lines[0], "printed", *map(repr, there), done.stderr)


def main(binary):
    with Server(binary, "--demo", command="up") as server:
        return play(Walk(server, binary), start_screen, manifests_are_true, own_deployment, pod_moves, own_pod, readme, match_page,
                    background, demo, useful_flags, messages, everything_is_played)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
