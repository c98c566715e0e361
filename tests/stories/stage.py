"""The environment of one story: its own control plane, and a shell in which `kubectl` and
`plimsoll` are those under test."""

import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))

from cluster import NOT_READY, Component  # noqa: E402
from server import Server, kubectls  # noqa: E402

# Long enough for a busy machine. Normally an answer takes a fraction of a second.
PATIENCE_SECONDS = 60
PAUSE_SECONDS = 0.1

DEFAULT_CLUSTER = "plimsoll up --nodes=0 --adopt"
_SERVERS = ("up", "apiserver")
_COMPONENTS = ("scheduler", "controller-manager", "kubelet")
_READS = re.compile(r"kubectl (get|describe|events|auth|explain|api-resources) |plimsoll ")
_ASSIGNS = re.compile(r"([A-Z_]+)=\$\(")
_CREATED_NODE = re.compile(r"^node/(\S+) created$", re.MULTILINE)
# Prints a line for each node: name, is simulated, is ready, taints.
_NODES = """kubectl get nodes -o jsonpath='{range .items[*]}{.metadata.name}\
|{.metadata.annotations.plimsoll\\.dev/simulated}|{.status.conditions[?(@.type=="Ready")].status}\
|{.spec.taints[*].key}{"\\n"}{end}'"""


def newest_kubectl():
    """Returns the newest kubectl, or None."""
    return next(reversed(kubectls().values()), None)


class Unmet(Exception):
    """A step did not give the expected result."""


def program_of(command):
    """Returns the component that a line starts, or None. It runs until the end of the story."""
    words = command.split()
    if words[0] == "plimsoll" and words[1] in _SERVERS + _COMPONENTS:
        return words[1]
    return None


def starts_server(command):
    return program_of(command) in _SERVERS


class Stage:
    """Use it with `with`, which stops everything it started and checks the exit codes."""

    def __init__(self, story, binary, kubectl):
        self.story = story
        self.binary = str(pathlib.Path(binary).resolve())
        starts = sum(starts_server(step.command) for step in story.steps)
        # Only a story that restarts its server needs a durable store.
        self.server = Server(self.binary, store="rocksdb" if starts > 1 else "memory",
                             cwd=story.folder)
        self.store_flags = list(self.server.flags)
        self.components = {}
        tools = self.server.directory / "tools"
        tools.mkdir()
        (tools / "kubectl").symlink_to(pathlib.Path(kubectl).resolve())
        (tools / "plimsoll").symlink_to(self.binary)
        self.environment = dict(os.environ, KUBECONFIG=str(self.server.kubeconfig), HOME=str(tools),
                                PATH=f"{tools}:{os.environ['PATH']}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        codes = [one.stop(signal.SIGTERM) for one in self.components.values()]
        codes.append(self.server.stop())
        log = self.server.log_path.read_text() if self.server.log_path.exists() else ""
        self.server.remove()
        if kind is None and any(codes):
            raise Unmet(f"the control plane did not end well: {codes}\n{log[-2000:]}")

    def play(self):
        if program_of(self.story.steps[0].command) is None:
            self._start(DEFAULT_CLUSTER)
        for step in self.story.steps:
            if program_of(step.command):
                self._start(step.command)
            elif assignment := _ASSIGNS.match(step.command):
                self._assign(step, assignment.group(1))
            else:
                self._expect(step)

    def _start(self, command):
        """Starts a component, or restarts it with other flags."""
        program, flags = command.split()[1], shlex.split(command)[2:]
        if program in _SERVERS:
            self.server.stop()
            self.server.command, self.server.flags = program, self.store_flags + flags
            self.server.start()
            if program == "up":
                wanted = int(_flag(flags, "--nodes", "0"))
                self._await_nodes(lambda nodes: sum(ready for _, _, ready in nodes) >= wanted)
            return
        if program in self.components:
            self.components[program].stop(signal.SIGTERM)
        # Component adds its own kubeconfig, which a reader has in $KUBECONFIG.
        flags = [flag for flag in flags if not flag.startswith("--kubeconfig=")]
        self.components[program] = Component(program, self.binary, self.server, *flags,
                                             cwd=self.story.folder)
        self.components[program].start()

    @property
    def _makes_nodes_ready(self):
        return self.server.command == "up" or {"kubelet", "controller-manager"} <= set(self.components)

    @property
    def _time_scale(self):
        return int(_flag(self.server.flags, "--time-scale", "1"))

    def _assign(self, step, variable):
        def answer():
            code, output = self._run(f'{step.command}\nprintf %s "${variable}"')
            return code == 0 and output != "", code, output
        self.environment[variable] = self._await(step, answer)

    def _expect(self, step):
        def answer():
            code, output = self._run(step.command)
            return code == step.exit_code and step.expectation.is_met_by(output), code, output
        if not _READS.match(step.command):
            is_met, code, output = answer()
            if not is_met:
                raise _unmet(step, code, output)
            created = set(_CREATED_NODE.findall(output))
            if created and self._makes_nodes_ready:
                self._await_nodes(lambda nodes: all(ready for name, simulated, ready in nodes
                                                    if simulated and name in created))
            return
        self._await(step, answer)
        if step.stays_seconds:
            self._observe(step, answer)

    def _await(self, step, answer):
        """Repeats the command until the answer is as expected, and returns it."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            is_met, code, output = answer()
            if is_met:
                return output
            if time.monotonic() > deadline:
                raise _unmet(step, code, output)
            time.sleep(PAUSE_SECONDS)

    def _observe(self, step, answer):
        """Checks that the answer stays as expected. An answer that arrives after the time does not
        count."""
        until = time.monotonic() + step.stays_seconds / self._time_scale
        while time.monotonic() < until:
            is_met, code, output = answer()
            if not is_met and time.monotonic() < until:
                raise _unmet(step, code, output, f"for {step.stays_seconds} s, but then ")
            time.sleep(PAUSE_SECONDS)

    def _await_nodes(self, are_there):
        """Waits for the nodes, because a pod that is tried too early keeps the message of that
        moment."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not are_there(self._nodes()):
            if time.monotonic() > deadline:
                raise Unmet(f"not all nodes became ready:\n{self._run(_NODES)[1]}")
            time.sleep(PAUSE_SECONDS)

    def _nodes(self):
        """Returns (name, has the annotation `simulated`, accepts pods) of each node."""
        # kubectl may print other lines, for example about throttling.
        nodes = [line.split("|") for line in self._run(_NODES)[1].splitlines() if line.count("|") == 3]
        return [(name, bool(simulated), ready == "True" and NOT_READY not in taints.split())
                for name, simulated, ready, taints in nodes]

    def _run(self, command):
        done = subprocess.run(["sh", "-c", command], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              timeout=PATIENCE_SECONDS, cwd=self.story.folder,
                              env=self.environment, check=False)
        return done.returncode, done.stdout


def _flag(flags, name, default):
    """Returns the last value of a flag, or the default."""
    values = [flag.partition("=")[2] for flag in flags if flag.startswith(name + "=")]
    return values[-1] if values else default


def _unmet(step, code, output, when=""):
    return Unmet(f"$ {step.command}\n-- expected, with exit code {step.exit_code} --\n"
                 f"{step.expectation}\n-- {when}seen, with exit code {code} --\n{output.rstrip()}")
