"""Shared code of the tests with whole clusters: kubectl and a client, other components as
processes, short forms of objects, and the runner of scenes."""

import json
import re
import signal
import subprocess
import sys
import time

from server import kubectls
from wire import Client, Credentials

NOT_READY = "node.kubernetes.io/not-ready"


class Failure(Exception):
    pass


def check(holds, *words):
    if not holds:
        raise Failure(" ".join(str(word) for word in words))


def await_true(what, probe, seconds=30):
    """Returns the first value of the probe that is true."""
    deadline = time.monotonic() + seconds
    while not (value := probe()):
        check(time.monotonic() < deadline, "this did not come:", what)
        time.sleep(0.05)
    return value


class Cluster:
    """kubectl and an HTTP client for one server."""

    def __init__(self, server):
        self.server = server
        self.kubectl_path = list(kubectls().values())[-1]
        self.client = Client(server, Credentials(server).admin)

    def kubectl(self, *words, stdin=None):
        done = subprocess.run(
            [self.kubectl_path, "--kubeconfig", str(self.server.kubeconfig), *words],
            input=stdin, capture_output=True, text=True, timeout=60, check=False)
        check(done.returncode == 0, "kubectl", *words, "failed:", done.stderr)
        return done.stdout

    def apply(self, *things):
        for thing in things:
            self.kubectl("apply", "-f", "-", stdin=json.dumps(thing))
            if thing["kind"] == "Node":
                # No kubelet runs here, so the test removes the not-ready taint.
                self.kubectl("taint", "nodes", thing["metadata"]["name"], NOT_READY + "-")

    def get(self, path):
        status, body = self.client.request("GET", path)
        check(status == 200, path, status, body)
        return body

    def pod(self, name):
        return self.get(f"/api/v1/namespaces/default/pods/{name}")

    def await_true(self, what, probe, seconds=30):
        return await_true(what, probe, seconds)

    def node_of(self, name, seconds=20):
        return self.await_true(f"a node for {name}",
                               lambda: self.pod(name)["spec"].get("nodeName"), seconds)

    def refusal_of(self, name, wanted):
        """Waits until the condition and the event of a pending pod contain this text."""
        def condition():
            for one in self.pod(name).get("status", {}).get("conditions", []):
                if one["type"] == "PodScheduled" and wanted in one.get("message", ""):
                    check(one["status"] == "False" and one["reason"] == "Unschedulable", one)
                    return one["message"]
            return None
        message = self.await_true(f"condition of {name}: {wanted}", condition)

        def event():
            selector = f"involvedObject.name={name},reason=FailedScheduling"
            events = self.get(f"/api/v1/namespaces/default/events?fieldSelector={selector}")
            return any(one["message"] == message and one["type"] == "Warning"
                       for one in events["items"])
        self.await_true(f"event of {name}: {message}", event)
        return message


class Component:
    """`plimsoll scheduler`, `controller-manager` or `kubelet` in its own process."""

    def __init__(self, command, binary, server, *flags, cwd=None):
        self.words = [*server.prefix, binary, command, "--kubeconfig", str(self.kubeconfig_of(command, server)),
                      "--secure-port=0", *flags]
        self.log_path = server.directory / f"{command}-{id(self)}.log"
        self.cwd = cwd
        self.process = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        check(self.stop(signal.SIGTERM) == 0, self.log_path.read_text())
        refused = re.search(r'forbidden: User \\*"system:kube-.*', self.log_path.read_text())
        check(not refused, "the component lacks a right:", refused and refused.group(0))

    @staticmethod
    def kubeconfig_of(command, server):
        """Returns the component's own kubeconfig if the server wrote one, else the server's."""
        own = server.kubeconfig.with_name(f"{command}.kubeconfig")
        return own if server.kubeconfig.name == "admin.kubeconfig" and own.exists() else server.kubeconfig

    def start(self):
        with open(self.log_path, "ab") as log:
            self.process = subprocess.Popen(self.words, stdout=log, stderr=log, cwd=self.cwd)

    def stop(self, how):
        self.process.send_signal(how)
        return self.process.wait(timeout=60)


def node(name, taints=(), labels=None, cpu="4", pods=110):
    amounts = {"cpu": cpu, "memory": "8Gi", "pods": str(pods)}
    return {"apiVersion": "v1", "kind": "Node",
            "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, **(labels or {})}},
            "spec": {"taints": list(taints)},
            "status": {"capacity": amounts, "allocatable": amounts}}


def taint(key, value, effect="NoSchedule"):
    return {"key": key, "value": value, "effect": effect}


def pod(name, tolerations=(), **spec):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"app": "e2e"}},
            "spec": {"containers": [{"name": "c", "image": "registry.example.com/c:1"}],
                     "tolerations": list(tolerations), **spec}}


def toleration(key, operator, value, effect="NoSchedule"):
    return {"key": key, "operator": operator, "value": value, "effect": effect}


class Scenes:
    """Runs scenes, also after failures, and reports the result of each."""

    def __init__(self):
        if not kubectls():
            print("there is no kubectl")
            sys.exit(77)
        self.failed = []

    def run(self, argument, *scenes):
        for scene in scenes:
            began = time.monotonic()
            try:
                scene(argument)
                print(f"ok      {scene.__name__} ({time.monotonic() - began:.1f} s)", flush=True)
            except (Failure, OSError, RuntimeError) as failure:
                self.failed.append(scene.__name__)
                print(f"FAILED  {scene.__name__}: {failure}", flush=True)

    def outcome(self):
        return 1 if self.failed else 0


def play(argument, *scenes):
    """Runs scenes that all take the same argument. Returns the exit code."""
    stage = Scenes()
    stage.run(argument, *scenes)
    return stage.outcome()
