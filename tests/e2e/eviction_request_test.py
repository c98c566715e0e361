#!/usr/bin/env python3
"""eviction_request_test.py BINARY: evicts pods by EvictionRequests, with the responder of
examples/eviction-responder and the official Python client, Debian's python3-kubernetes. Exits with
77 if that is not installed."""

import importlib.util
import os
import pathlib
import signal
import subprocess
import sys

DEBIAN_PYTHON = "/usr/bin/python3"
if importlib.util.find_spec("kubernetes") is None:
    # Debian's packages need Debian's Python, which may not be the first on PATH.
    if os.path.realpath(sys.executable) == os.path.realpath(DEBIAN_PYTHON) \
            or not os.path.exists(DEBIAN_PYTHON):
        print("eviction_request_test: no python3-kubernetes here; nothing was tested")
        sys.exit(77)
    os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])

from cluster import Cluster, Component, check, node, play, pod  # noqa: E402
from server import Server  # noqa: E402

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples/eviction-responder"
SAVER = "acme.io/saver"
EVICTOR = "imperative-eviction.k8s.io/evictor"
BASE = "/apis/lifecycle.k8s.io/v1alpha1/namespaces/default"
MERGE_PATCH = "application/merge-patch+json"
# Saves until the test allows the end. The directory is the test's.
SAVE = 'touch "$DIR/$POD_NAME.started"; until [ -e "$DIR/$POD_NAME.may-end" ]; do sleep 0.1; done; ' \
       'touch "$DIR/$POD_NAME.saved"'


class Evictions(Cluster):
    """A server with a node, and the controllers that evict."""

    def __init__(self, binary, server):
        super().__init__(server)
        self.binary = binary
        self.directory = server.directory
        self.apply(node("node-1"))

    def controllers(self):
        return Component("controller-manager", self.binary, self.server, "--no-leader-elect",
                         "--controllers=eviction-request,disruption,garbage-collector")

    def run(self, name, responders=(), **labels):
        """Creates a pod that its node lets go at once, running and ready."""
        thing = pod(name, nodeName="node-1", terminationGracePeriodSeconds=0,
                    evictionResponders=list(responders))
        thing["metadata"]["labels"] = {"app": name, **labels}
        self.apply(thing)
        ready = {"type": "Ready", "status": "True"}
        self.patch(f"/api/v1/namespaces/default/pods/{name}/status",
                   {"status": {"phase": "Running", "conditions": [ready]}})
        return self.pod(name)["metadata"]["uid"]

    def patch(self, path, body, code=200):
        status, answer = self.client.request("PATCH", path, body, MERGE_PATCH)
        check(status == code, path, status, answer)
        return answer

    def request(self, name, target, uid, requester="acme.io/maintenance"):
        body = {"apiVersion": "lifecycle.k8s.io/v1alpha1", "kind": "EvictionRequest",
                "metadata": {"name": name},
                "spec": {"requester": requester, "intent": "Eviction",
                         "target": {"pod": {"name": target, "uid": uid}}}}
        status, answer = self.client.request("POST", f"{BASE}/evictionrequests", body)
        check(status == 201, status, answer)

    def withdraw(self, name):
        self.patch(f"{BASE}/evictionrequests/{name}", {"spec": {"intent": "Withdrawn"}})

    def has_pod(self, name):
        return self.client.request("GET", f"/api/v1/namespaces/default/pods/{name}")[0] == 200

    def states(self, uid):
        status, body = self.client.request("GET", f"{BASE}/evictions/{uid}")
        if status != 200:
            return {}
        return {one["name"]: one["state"]
                for one in body.get("status", {}).get("targetResponders", [])}

    def report(self, uid, responder):
        status, body = self.client.request("GET", f"{BASE}/evictions/{uid}")
        found = body.get("status", {}).get("responders", []) if status == 200 else []
        return next((one for one in found if one["name"] == responder), {})

    def reason(self, request, condition):
        """Returns the reason of a condition that is true."""
        body = self.get(f"{BASE}/evictionrequests/{request}")
        for one in body.get("status", {}).get("conditions", []):
            if one["type"] == condition and one["status"] == "True":
                return one["reason"]
        return None

    def file(self, name):
        return self.directory / name


class Responder:
    """The example's responder as a process."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.process = None

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, str(EXAMPLE / "responder.py"), "--kubeconfig",
             str(self.cluster.server.kubeconfig), "--name", SAVER, "--", "sh", "-c", SAVE],
            env=dict(os.environ, DIR=str(self.cluster.directory)))
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)


def saves_before_it_goes(c):
    """The pod stays until its responder has saved the work, then pods/eviction removes it."""
    uid = c.run("worker", [{"name": SAVER, "priority": 10000}])
    with Responder(c):
        c.request("first", "worker", uid)
        c.await_true("the start of the command", c.file("worker.started").exists)
        c.await_true("a heartbeat", lambda: c.report(uid, SAVER).get("heartbeatTime"))
        check(c.states(uid) == {SAVER: "Active", EVICTOR: "Inactive"}, c.states(uid))
        check(c.has_pod("worker"), "the pod went before its work was saved")
        c.file("worker.may-end").touch()
        c.await_true("the pod's end", lambda: not c.has_pod("worker"))
    check(c.file("worker.saved").exists(), "nothing was saved")
    c.await_true("the condition", lambda: c.reason("first", "TargetEvicted") == "TargetDeleted")
    c.await_true("both to complete", lambda: c.states(uid) == {SAVER: "Completed",
                                                               EVICTOR: "Completed"})
    labels = c.get(f"{BASE}/evictions/{uid}")["metadata"]["labels"]
    check(labels == {"acme.io/maintenance": "requester", SAVER: "responder", EVICTOR: "responder"},
          labels)


def goes_on_after_a_withdrawal(c):
    """The value returns in time: all requesters withdraw, the command ends, the pod stays."""
    uid = c.run("lucky", [{"name": SAVER, "priority": 10000}])
    with Responder(c):
        c.request("second", "lucky", uid)
        c.request("third", "lucky", uid, requester="acme.io/upgrade")
        c.await_true("the start of the command", c.file("lucky.started").exists)
        c.withdraw("second")
        c.await_true("the first withdrawal", lambda: "Withdrawn" in str(
            c.get(f"{BASE}/evictions/{uid}")["status"]["requesters"]))
        check(c.states(uid)[SAVER] == "Active", "one requester still wants it", c.states(uid))
        c.withdraw("third")
        c.await_true("the cancellation", lambda: c.states(uid)[SAVER] == "Canceled")
    c.await_true("the condition", lambda: c.reason("third", "Failed") == "Canceled")
    check(c.states(uid)[EVICTOR] == "Inactive", c.states(uid))
    check(c.has_pod("lucky") and not c.file("lucky.saved").exists(), "the pod did not go on")


def a_budget_holds(c):
    """pods/eviction does not exceed a budget, and goes on when the budget allows it."""
    c.apply({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
             "metadata": {"name": "strict"},
             "spec": {"minAvailable": 1, "selector": {"matchLabels": {"budget": "strict"}}}})
    uid = c.run("only", budget="strict")
    c.await_true("the budget", lambda: c.get(
        "/apis/policy/v1/namespaces/default/poddisruptionbudgets/strict").get("status", {}).get(
            "currentHealthy") == 1)
    c.request("fourth", "only", uid)
    c.await_true("the refusal", lambda: "disruption budget" in c.report(uid, EVICTOR).get(
        "message", ""), 60)
    check(c.has_pod("only"), "the pod went in spite of its budget")
    check(c.states(uid) == {EVICTOR: "Active"}, c.states(uid))
    c.kubectl("patch", "pdb", "strict", "-p", '{"spec":{"minAvailable":0}}')
    c.await_true("the pod's end", lambda: not c.has_pod("only"), 120)
    c.await_true("the condition", lambda: c.reason("fourth", "TargetEvicted"))


def the_status_is_guarded(c):
    """A request cannot bring its own status, nor a responder act out of turn."""
    uid = c.run("guarded", [{"name": SAVER, "priority": 10000}])
    c.request("fifth", "guarded", uid)
    c.await_true("the turn", lambda: c.states(uid).get(SAVER) == "Active")
    path = f"{BASE}/evictions/{uid}"
    states = c.patch(path, {"status": {"targetResponders": None}})["status"]["targetResponders"]
    check(states, "an update of the object changed its status")
    done = [{"name": SAVER}, {"name": EVICTOR, "completionTime": "2026-01-01T00:00:00Z"}]
    told = c.patch(f"{path}/status", {"status": {"responders": done}}, code=422)
    check("only the report of an Active responder may change" in told["message"], told)
    told = c.patch(path, {"spec": {"target": {"pod": {"name": "other"}}}}, code=422)
    check("field is immutable" in told["message"], told)
    for verb, rights in (("create", "no"), ("patch", "no")):
        shown = subprocess.run(
            [c.kubectl_path, "--kubeconfig", str(c.server.kubeconfig), "auth", "can-i", verb,
             "evictions.lifecycle.k8s.io", "--subresource=status", "--as=tenant"],
            capture_output=True, text=True, timeout=60, check=False).stdout.strip()
        check(shown == rights, verb, shown)


def main(binary):
    with Server(binary, store="memory") as server:
        c = Evictions(binary, server)
        with c.controllers():
            return play(c, saves_before_it_goes, goes_on_after_a_withdrawal, a_budget_holds,
                        the_status_is_guarded)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
