#!/usr/bin/env python3
"""leaders_test.py BINARY: checks leader election of schedulers and controller-managers. Leaders are
stopped during their work until another leads, and continued; are disconnected from the server; are
killed; are asked to exit. The server's audit log shows all writes, and each process has its own
user name in it."""

import json
import re
import signal
import socket
import sys
import threading
import time

from cluster import Cluster, Component, check, node, play, taint
from fleet import LEASE_FLAGS
from server import Server

PODS = "/api/v1/namespaces/default/pods"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases"
COMMANDS = ("scheduler", "controller-manager")
NAMES = ("first", "second")
READS = ("get", "list", "watch")
NODES = 20
PODS_AT_ONCE = 1200


class Proxy(threading.Thread):
    """A proxy between a client and the server. When frozen, it forwards nothing and closes no
    connection."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.is_frozen = False
        self.start()

    def run(self):
        while True:
            client, _ = self.listener.accept()
            other = socket.create_connection((self.server.host, self.server.port))
            for one, two in ((client, other), (other, client)):
                threading.Thread(target=self.carry, args=(one, two), daemon=True).start()

    def carry(self, source, target):
        try:
            while data := source.recv(65536):
                if self.is_frozen:
                    return
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Candidate(Component):
    """A component with its own user name, optionally behind a proxy."""

    def __init__(self, command, binary, server, name, proxy=None):
        super().__init__(command, binary, server, *LEASE_FLAGS)
        self.name = f"{command}-{name}"
        text = server.kubeconfig.read_text()
        text = re.sub(r"client-certificate-data: .*\n\s*client-key-data: .*",
                      f"token: {self.name}", text)
        if proxy is not None:
            text = re.sub(r"(server: https://[\d.]+):\d+", rf"\1:{proxy.port}", text)
        path = server.directory / f"{self.name}.kubeconfig"
        path.write_text(text)
        self.words[self.words.index("--kubeconfig") + 1] = str(path)


class Stage:
    """A server with an audit log."""

    def __init__(self, binary):
        self.binary = binary
        tokens = [f"{command}-{name}" for command in COMMANDS for name in NAMES]
        self.server = Server(binary)
        path = self.server.directory / "tokens.csv"
        path.write_text("".join(f'{token},{token},{token},"system:masters"\n' for token in tokens))
        self.audit = self.server.directory / "audit"
        self.server.flags += [f"--token-auth-file={path}", f"--audit-log-path={self.audit}"]
        self.cluster = None
        self.candidates = []

    def __enter__(self):
        self.server.start()
        self.cluster = Cluster(self.server)
        for number in range(NODES):
            self.cluster.client.request("POST", "/api/v1/nodes", node(f"node-{number}", cpu="64"))
        self.taint_nodes([])
        return self

    def __exit__(self, *_):
        for candidate in self.candidates:
            if candidate.process is not None and candidate.process.poll() is None:
                candidate.stop(signal.SIGKILL)
        self.server.__exit__()

    def candidate(self, command, name, proxy=None):
        self.candidates.append(Candidate(command, self.binary, self.server, name, proxy))
        return self.candidates[-1]

    def writes(self):
        """Returns (time, user, verb, resource) of every write except those to leases, in order of
        arrival."""
        found = []
        for line in self.audit.read_text().splitlines():
            event = json.loads(line)
            where = event.get("objectRef", {})
            if event["verb"] in READS or where.get("resource") == "leases":
                continue
            found.append((event["requestReceivedTimestamp"], event["user"]["username"], event["verb"],
                          where.get("resource")))
        return sorted(found)

    def lease(self, command):
        status, lease = self.cluster.client.request("GET", f"{LEASES}/kube-{command}")
        return lease["spec"] if status == 200 else {}

    def await_leader(self, command, before=None):
        """Waits for a leader other than `before`, and returns its lease."""
        def led():
            lease = self.lease(command)
            return lease if lease.get("holderIdentity") not in ("", None, before) else None
        return self.cluster.await_true(f"a leader of {command}s", led, seconds=30)

    def taint_nodes(self, taints):
        for number in range(NODES):
            status, answer = self.cluster.client.request(
                "PATCH", f"/api/v1/nodes/node-{number}", {"spec": {"taints": taints}},
                "application/merge-patch+json")
            check(status == 200, status, answer)

    def create_pods(self, prefix, count):
        for number in range(count):
            status, answer = self.cluster.client.request("POST", PODS, {
                "apiVersion": "v1", "kind": "Pod", "metadata": {"name": f"{prefix}-{number}"},
                "spec": {"terminationGracePeriodSeconds": 0,
                         "containers": [{"name": "c", "image": "registry.example.com/c:1"}]}})
            check(status == 201, status, answer)

    def bound(self, prefix):
        return sum(1 for item in self.cluster.get(PODS)["items"]
                   if item["metadata"]["name"].startswith(prefix + "-") and item["spec"].get("nodeName"))

    def there(self, prefix):
        return sum(1 for item in self.cluster.get(PODS)["items"]
                   if item["metadata"]["name"].startswith(prefix + "-"))


def schedule(stage, prefix):
    """Work for a scheduler. Returns a function that starts it and one that counts what is done. The
    nodes are opened after all pods exist, so that a stopped leader has much work in progress."""
    stage.taint_nodes([taint("closed", "1")])
    stage.create_pods(prefix, PODS_AT_ONCE)
    return lambda: stage.taint_nodes([]), lambda: stage.bound(prefix)


def evict(stage, prefix):
    """Work for a controller-manager: every pod must be evicted."""
    stage.create_pods(prefix, PODS_AT_ONCE)
    for number in range(PODS_AT_ONCE):
        name = f"{prefix}-{number}"
        status, answer = stage.cluster.client.request("POST", f"{PODS}/{name}/binding", {
            "apiVersion": "v1", "kind": "Binding", "metadata": {"name": name},
            "target": {"apiVersion": "v1", "kind": "Node", "name": f"node-{number % NODES}"}})
        check(status in (200, 201), status, answer)
    return (lambda: stage.taint_nodes([taint("gone", "1", "NoExecute")]),
            lambda: PODS_AT_ONCE - stage.there(prefix))


WORK = {"scheduler": schedule, "controller-manager": evict}


def at_work(stage, command, prefix, first):
    """Starts both candidates and the work. Returns when some of it is done: the leader, the second
    candidate, and the function that counts."""
    first.start()
    leader = stage.await_leader(command)["holderIdentity"]
    second = stage.candidate(command, "second")
    second.start()
    begin, done = WORK[command](stage, prefix)
    begin()
    stage.cluster.await_true("some work", lambda: done() > PODS_AT_ONCE // 50, seconds=60)
    return leader, second, done


def finish(stage, second, done):
    stage.cluster.await_true("all of the work", lambda: done() == PODS_AT_ONCE, seconds=90)
    check(second.stop(signal.SIGTERM) == 0, second.log_path.read_text())
    check(stage.lease(second.name.rsplit("-", 1)[0])["holderIdentity"] == "",
          "a leader that ended did not give the lease up")


def nothing_is_written_after(stage, name, lease):
    late = [write for write in stage.writes() if write[1] == name and write[0] >= lease["acquireTime"]]
    check(not late, name, "wrote after another led at", lease["acquireTime"], ":", *late[:5])


def stopped(binary, command):
    """SIGSTOP until another leads, then SIGCONT: the process may have been stopped anywhere."""
    with Stage(binary) as stage:
        first = stage.candidate(command, "first")
        leader, second, done = at_work(stage, command, "stopped", first)
        first.process.send_signal(signal.SIGSTOP)
        lease = stage.await_leader(command, leader)
        first.process.send_signal(signal.SIGCONT)
        # A kernel timer killed it at the end of its lease, before it could do another step.
        check(first.process.wait(timeout=30) == -signal.SIGKILL, first.process.returncode)
        finish(stage, second, done)
        nothing_is_written_after(stage, first.name, lease)
        writers = {write[1] for write in stage.writes()}
        check({first.name, second.name} <= writers, "one of them did nothing:", writers)


def cut_off(binary, command):
    """The server is unreachable: the leader exits before another one leads."""
    with Stage(binary) as stage:
        proxy = Proxy(stage.server)
        first = stage.candidate(command, "first", proxy)
        leader, second, done = at_work(stage, command, "cut-off", first)
        proxy.is_frozen = True
        code = first.process.wait(timeout=30)
        check(stage.lease(command)["holderIdentity"] == leader, "another led while it still ran")
        check(code in (1, -signal.SIGKILL), "it ended with", code)
        check("Leaderelection lost" in first.log_path.read_text(), first.log_path.read_text())
        lease = stage.await_leader(command, leader)
        finish(stage, second, done)
        nothing_is_written_after(stage, first.name, lease)


def killed(binary, command):
    with Stage(binary) as stage:
        first = stage.candidate(command, "first")
        leader, second, done = at_work(stage, command, "killed", first)
        began = time.monotonic()
        first.stop(signal.SIGKILL)
        stage.await_leader(command, leader)
        # Lease duration plus one retry period.
        check(time.monotonic() - began < 4 + 1.2 + 2, "it took", time.monotonic() - began, "seconds")
        finish(stage, second, done)


def told_to_end(binary, command):
    """A leader that exits orderly releases its lease, so that the other need not wait."""
    with Stage(binary) as stage:
        first = stage.candidate(command, "first")
        leader, second, done = at_work(stage, command, "ended", first)
        began = time.monotonic()
        check(first.stop(signal.SIGTERM) == 0, first.log_path.read_text())
        lease = stage.await_leader(command, leader)
        check(time.monotonic() - began < 3, "it took", time.monotonic() - began, "seconds")
        finish(stage, second, done)
        nothing_is_written_after(stage, first.name, lease)


def scenes():
    for command in COMMANDS:
        for scene in (stopped, cut_off, killed, told_to_end):
            def run(binary, scene=scene, command=command):
                scene(binary, command)
            run.__name__ = f"{command} {scene.__name__}"
            yield run


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], *scenes()))
