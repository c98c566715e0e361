#!/usr/bin/env python3
"""eviction_policy_test.py BINARY: checks that EvictionPolicies bound evictions by taints: a flapping
value evicts nobody, a wrong value on all nodes trips the breaker, budgets hold, deadlines override,
and the limits hold although the controllers are killed all the time."""

import contextlib
import datetime
import random
import signal
import sys
import threading
import time

from cluster import Cluster, Component, check, node, play, taint
from server import Server

POLICIES = "/apis/plimsoll.io/v1alpha1/evictionpolicies"
PODS = "/api/v1/namespaces/default/pods"
RISK = "risk"


class Stage(Cluster):
    """Nodes without node agents, pods that are deleted at once, and the controllers."""

    def __init__(self, server, binary):
        super().__init__(server)
        self.controllers = Component(
            "controller-manager", binary, server, "--no-leader-elect",
            "--controllers=taint-eviction,eviction-policy,disruption")

    def send(self, method, path, body, kind="application/json"):
        status, answer = self.client.request(method, path, body, kind)
        check(status in (200, 201), method, path, status, answer)
        return answer

    def nodes(self, count):
        for i in range(count):
            self.send("POST", "/api/v1/nodes", node(f"n{i}"))

    def pods(self, count, nodes=1, labels=None):
        for i in range(count):
            name = f"p{i:03}"
            self.send("POST", PODS, {
                "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": labels or {}},
                "spec": {"nodeName": f"n{i % nodes}", "terminationGracePeriodSeconds": 0,
                         "containers": [{"name": "c", "image": "registry.example.com/c:1"}]}})
            self.send("PATCH", f"{PODS}/{name}/status",
                      {"status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}},
                      "application/merge-patch+json")

    def policy(self, **spec):
        self.send("POST", POLICIES, {
            "apiVersion": "plimsoll.io/v1alpha1", "kind": "EvictionPolicy",
            "metadata": {"name": "p"}, "spec": {"selector": {"taintKeys": [RISK]}, **spec}})

    def change_policy(self, **spec):
        self.send("PATCH", f"{POLICIES}/p", {"spec": spec}, "application/merge-patch+json")

    def taint_nodes(self, count, value):
        taints = [taint(RISK, value, "NoExecute")] if value else []
        for i in range(count):
            self.send("PATCH", f"/api/v1/nodes/n{i}", {"spec": {"taints": taints}},
                      "application/merge-patch+json")

    def left(self):
        return len(self.get(PODS)["items"])

    def status(self):
        return self.get(f"{POLICIES}/p").get("status", {})

    def is_true(self, condition):
        return any(one["type"] == condition and one["status"] == "True"
                   for one in self.status().get("conditions", []))

    def never_below(self, count, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            left = self.left()
            check(left >= count, left, "pods are left, at least", count, "must be")
            time.sleep(0.1)


@contextlib.contextmanager
def stage(binary):
    with Server(binary) as server:
        one = Stage(server, binary)
        with one.controllers:
            yield one


def flapping(binary):
    """A value that is over the line for two of three seconds evicts nobody with `settle`."""
    with stage(binary) as c:
        c.nodes(1)
        c.pods(3)
        c.policy(settle="4s")
        for _ in range(4):
            c.taint_nodes(1, "100")
            time.sleep(2)
            c.taint_nodes(1, None)
            time.sleep(1)
        check(c.left() == 3, c.left())
        c.taint_nodes(1, "100")
        c.never_below(3, 2)
        c.await_true("the evictions", lambda: c.left() == 0)


def wrong_exporter(binary):
    """100 on all nodes trips the breaker at ten percent, until somebody resumes."""
    with stage(binary) as c:
        c.nodes(5)
        c.pods(50, 5)
        c.policy(breaker={"window": "1m", "maxPercent": 10, "per": "Cluster"})
        c.taint_nodes(5, "100")
        c.await_true("the breaker", lambda: c.is_true("Tripped"))
        c.never_below(45, 3)
        check(c.left() == 45, c.left())
        c.await_true("the events", lambda: "EvictionDelayed" in c.kubectl("get", "events"))
        now = datetime.datetime.now(datetime.timezone.utc)
        c.change_policy(resumedAt=now.strftime("%Y-%m-%dT%H:%M:%SZ"))
        c.await_true("five more", lambda: c.left() == 40)
        c.taint_nodes(5, None)
        c.await_true("the cancellation", lambda: c.status().get("heldBack") == 0)


def budgets(binary):
    """A disruption budget holds pods back, until its time is over."""
    with stage(binary) as c:
        c.nodes(1)
        c.pods(4, labels={"app": "web"})
        c.send("POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets", {
            "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"},
            "spec": {"minAvailable": 3, "selector": {"matchLabels": {"app": "web"}}}})
        c.await_true("the budget", lambda: c.get(
            "/apis/policy/v1/namespaces/default/poddisruptionbudgets/b")["status"].get("disruptionsAllowed") == 1)
        c.policy(disruptionBudgets={"mode": "Respect", "atMost": "10s"})
        c.taint_nodes(1, "100")
        c.await_true("one eviction", lambda: c.left() == 3)
        c.never_below(3, 6)
        c.await_true("the others", lambda: c.left() == 0)


def deadline(binary):
    """Whatever the limits, the pods are gone when the deadline is over."""
    with stage(binary) as c:
        c.nodes(1)
        c.pods(5)
        c.policy(paused=True, deadline="6s", breaker={"window": "1m", "maxPods": 1})
        c.taint_nodes(1, "100")
        c.never_below(5, 4)
        c.await_true("the evictions", lambda: c.left() == 0, 10)


def kills(binary):
    """Kills the controllers again and again. The rate and the breaker are kept."""
    per_second, burst, most = 10, 5, 90
    with stage(binary) as c:
        c.nodes(4)
        c.pods(120, 4)
        c.policy(rate={"perSecond": per_second, "burst": burst}, breaker={"window": "10m", "maxPods": most})
        looks = [(time.monotonic(), time.monotonic(), 120)]  # begin, end, and pods that are left
        ended = threading.Event()

        def watch():
            watcher = Cluster(c.server)
            while not ended.is_set():
                begin = time.monotonic()
                left = len(watcher.get(PODS)["items"])
                looks.append((begin, time.monotonic(), left))
                time.sleep(0.02)

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            c.taint_nodes(4, "100")
            chance = random.Random(7)
            for _ in range(12):
                time.sleep(chance.uniform(0.05, 2))
                c.controllers.stop(signal.SIGKILL)
                c.controllers.start()
            c.await_true("the breaker", lambda: c.is_true("Tripped"), 120)
            c.never_below(120 - most, 2)
        finally:
            ended.set()
            thread.join()
        # A pod that was counted when the controller died waits if the breaker has tripped meanwhile.
        check(120 - most <= looks[-1][2] <= 120 - most + burst, looks[-1][2], "pods are left")
        # Evictions wait for a busy server, and then come together.
        slack = per_second // 2
        for i, (begin, _, before) in enumerate(looks):
            for _, end, after in looks[i + 1:]:
                allowed = burst + slack + per_second * (end - begin)
                check(before - after <= allowed, before - after, "evictions in", end - begin, "seconds")


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], flapping, wrong_exporter, budgets, deadline, kills))
