#!/usr/bin/env python3
"""scheduler_test.py BINARY: checks the scheduler with kubectl: messages of pending pods, pods that
are scheduled when a value crosses their threshold, preferences, preemption, disabled gates; and
schedulers that are killed or replicated while pods arrive."""

import json
import signal
import sys
import threading
import time

from cluster import Cluster, Component, Scenes, check, node, pod, taint, toleration
from server import Server
from wire import Client, Credentials

BURST_PODS = 10_000
BURST_NODES = 200
PODS_PER_NODE = 60  # so that the burst nearly fills them


def requesting(cpu):
    return [{"name": "c", "image": "registry.example.com/c:1",
             "resources": {"requests": {"cpu": cpu}}}]


def crossing(c):
    """A pod is pending with the right message, and is scheduled as soon as a value crosses its
    threshold."""
    kinds = {
        "number": ("failure-probability", "7", "3", toleration("failure-probability", "Lt", "5")),
        "version": ("kernel", "1.31.0", "1.32.0", toleration("kernel", "SemverGt", "1.31.99")),
        "expression": ("zone", "east", "west",
                       {"expression": "taint.key == 'zone' && taint.value == 'west'"}),
    }
    for kind, (key, bad, good, tolerates) in kinds.items():
        c.apply(node(f"{kind}-1", [taint(key, bad)], labels={"kind": kind}),
                pod(f"pod-{kind}", [tolerates], nodeSelector={"kind": kind}))
        message = c.refusal_of(f"pod-{kind}", f"1 node(s) had untolerated taint {{{key}: {bad}}}")
        check(message.startswith("0/") and "nodes are available: " in message, message)
        check("preemption: 0/" in message, message)
        c.kubectl("taint", "nodes", f"{kind}-1", f"{key}={good}:NoSchedule", "--overwrite")
        began = time.monotonic()
        check(c.node_of(f"pod-{kind}", 5) == f"{kind}-1", kind)
        check(time.monotonic() - began < 1, "took longer than a second:", kind)
        events = c.get("/api/v1/namespaces/default/events?fieldSelector="
                       f"involvedObject.name=pod-{kind},reason=Scheduled")["items"]
        wanted = f"Successfully assigned default/pod-{kind} to {kind}-1"
        c.await_true(wanted, lambda k=kind, w=wanted: any(
            one["message"] == w for one in c.get(
                "/api/v1/namespaces/default/events?fieldSelector="
                f"involvedObject.name=pod-{k},reason=Scheduled")["items"]))
        check(len(events) <= 1, events)


def adding_a_toleration(c):
    c.apply(node("add-1", [taint("tier", "2")], labels={"kind": "add"}),
            pod("pod-add", nodeSelector={"kind": "add"}))
    c.refusal_of("pod-add", "1 node(s) had untolerated taint {tier: 2}")
    patch = [{"op": "add", "path": "/spec/tolerations/-", "value": toleration("tier", "Gt", "1")}]
    c.kubectl("patch", "pod", "pod-add", "--type=json", "-p", json.dumps(patch))
    began = time.monotonic()
    check(c.node_of("pod-add", 5) == "add-1", "add")
    check(time.monotonic() - began < 1, "took longer than a second: adding a toleration")


def preferring(c):
    """KEP-5721: of two nodes with a PreferNoSchedule version taint, the tolerated one is chosen."""
    for name, version in (("prefer-a", "v1.0.0"), ("prefer-b", "v2.0.0")):
        c.apply(node(name, [taint("driver", version, "PreferNoSchedule")], {"kind": "prefer"}))
    for number in range(12):
        name = f"pod-prefer-{number}"
        c.apply(pod(name, [toleration("driver", "SemverGt", "v1.5.0", "PreferNoSchedule")],
                    nodeSelector={"kind": "prefer"}))
        check(c.node_of(name) == "prefer-b", name, "went to the wrong node")


def preempting(c):
    c.apply({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
             "metadata": {"name": "high"}, "value": 1000},
            node("preempt-1", labels={"kind": "preempt"}, cpu="2"),
            pod("pod-low", nodeSelector={"kind": "preempt"}, containers=requesting("2"),
                terminationGracePeriodSeconds=0))
    c.node_of("pod-low")
    c.apply(pod("pod-high", nodeSelector={"kind": "preempt"}, containers=requesting("2"),
                priorityClassName="high"))
    # No kubelet runs here to stop the victim, so the test deletes it.
    def leaving():
        status, body = c.client.request("GET", "/api/v1/namespaces/default/pods/pod-low")
        return status == 404 or body["metadata"].get("deletionTimestamp")
    c.await_true("the victim's end", leaving)
    c.client.request("DELETE", "/api/v1/namespaces/default/pods/pod-low",
                     {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 0})
    check(c.node_of("pod-high") == "preempt-1", "the preemptor's node")


def volumes(c):
    """KEP-5721, story 4: a volume for newer kernels is bound, and its pod scheduled, only on a node
    with such a kernel, with both volume binding modes."""
    kernel = "node.kubernetes.io/kernel-version"
    for mode in ("WaitForFirstConsumer", "Immediate"):
        name = mode.lower()
        c.apply({"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
                 "metadata": {"name": name}, "provisioner": "kubernetes.io/no-provisioner",
                 "volumeBindingMode": mode},
                {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": f"pv-{name}"},
                 "spec": {"capacity": {"storage": "100Gi"}, "accessModes": ["ReadWriteOnce"],
                          "storageClassName": name, "local": {"path": "/mnt/disk"},
                          "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                              {"key": kernel, "operator": "SemverGt", "values": ["5.10.0"]}]}]}}}},
                {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
                 "metadata": {"name": f"claim-{name}"},
                 "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": name,
                          "resources": {"requests": {"storage": "10Gi"}}}},
                node(f"{name}-old", labels={"kind": name, kernel: "5.4.0"}),
                pod(f"pod-{name}", nodeSelector={"kind": name},
                    volumes=[{"name": "data", "persistentVolumeClaim":
                              {"claimName": f"claim-{name}"}}]))
        is_delayed = mode == "WaitForFirstConsumer"
        c.refusal_of(f"pod-{name}",
                     "didn't find available persistent volumes to bind" if is_delayed
                     else "didn't match PersistentVolume's node affinity")
        claim = c.get(f"/api/v1/namespaces/default/persistentvolumeclaims/claim-{name}")
        check((claim["status"].get("phase") == "Bound") != is_delayed, claim["status"])
        c.apply(node(f"{name}-new", labels={"kind": name, kernel: "6.1.0"}))
        check(c.node_of(f"pod-{name}") == f"{name}-new", "the node of", name)
        c.await_true(f"claim-{name} is bound", lambda name=name: c.get(
            f"/api/v1/namespaces/default/persistentvolumeclaims/claim-{name}")["status"].get("phase") == "Bound")
        volume = c.get(f"/api/v1/persistentvolumes/pv-{name}")
        check(volume["status"]["phase"] == "Bound", volume["status"])
        check(volume["spec"]["claimRef"]["name"] == f"claim-{name}", volume["spec"])


def volumes_apart(binary):
    """Same with scheduler and controllers in their own processes."""
    with Server(binary) as server, Component("scheduler", binary, server), \
            Component("controller-manager", binary, server,
                      "--controllers=persistentvolume-binder"):
        volumes(Cluster(server))


def gates_off(binary):
    """Stored tolerations of a disabled feature match nothing."""
    gates = ("TaintTolerationComparisonOperators", "TaintTolerationCEL",
             "TaintTolerationNodeAffinitySemverComparisonOperators")
    with Server(binary, "--insecure-loopback-port=0") as server:
        c = Cluster(server)
        cases = {"number": (taint("risk", "3"), toleration("risk", "Lt", "5")),
                 "version": (taint("kernel", "6.1.0"), toleration("kernel", "SemverGt", "5.0.0")),
                 "expression": (taint("zone", "a"), {"expression": "taint.key == 'zone'"})}
        for kind, (bad, tolerates) in cases.items():
            c.apply(node(f"{kind}-1", [bad], labels={"kind": kind}),
                    pod(f"pod-{kind}", [tolerates], nodeSelector={"kind": kind}))
        off = ",".join(f"{gate}=false" for gate in gates)
        with Component("scheduler", binary, server, f"--feature-gates={off}", "--no-leader-elect"):
            for kind, (bad, _) in cases.items():
                text = f"1 node(s) had untolerated taint {{{bad['key']}: {bad['value']}}}"
                c.refusal_of(f"pod-{kind}", text)
        with Component("scheduler", binary, server, "--no-leader-elect"):
            for kind in cases:
                check(c.node_of(f"pod-{kind}") == f"{kind}-1", kind, "with the gates on")


class Burst:
    """Pods created by several threads, and a watch that records where they are bound."""

    def __init__(self, server, name):
        self.server = server
        self.name = name
        self.credentials = Credentials(server)
        self.client = Client(server, self.credentials.admin)
        self.failures = []

    def prepare(self):
        for number in range(BURST_NODES):
            body = node(f"{self.name}-{number}", labels={"burst": self.name}, cpu="1000",
                        pods=PODS_PER_NODE)
            status, answer = self.client.request("POST", "/api/v1/nodes", body)
            check(status == 201, answer)
            status, answer = self.client.request(
                "PATCH", f"/api/v1/nodes/{self.name}-{number}", {"spec": {"taints": None}},
                "application/merge-patch+json")
            check(status == 200, answer)

    def create(self, first, step):
        client = Client(self.server, self.credentials.admin)
        for number in range(first, BURST_PODS, step):
            body = pod(f"{self.name}-{number}", nodeSelector={"burst": self.name})
            body["metadata"]["labels"] = {"burst": self.name}
            status, answer = client.request("POST", "/api/v1/namespaces/default/pods", body)
            if status != 201:
                self.failures.append(answer)

    def run(self, disturb):
        threads = [threading.Thread(target=self.create, args=(n, 4)) for n in range(4)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            disturb()
        for thread in threads:
            thread.join()
        check(not self.failures, self.failures[:1])

    def pods(self):
        path = f"/api/v1/namespaces/default/pods?labelSelector=burst%3D{self.name}"
        return self.client.request("GET", path)[1]["items"]

    def await_bound(self, seconds):
        deadline = time.monotonic() + seconds
        while True:
            items = self.pods()
            waiting = sum(1 for one in items if not one["spec"].get("nodeName"))
            if len(items) == BURST_PODS and waiting == 0:
                return items
            check(time.monotonic() < deadline, waiting, "of", len(items), "pods still wait")
            time.sleep(0.1)

    def verify(self, items):
        per_node = {}
        for one in items:
            name = one["spec"]["nodeName"]
            per_node[name] = per_node.get(name, 0) + 1
        check(max(per_node.values()) <= PODS_PER_NODE, "a node is over capacity:", per_node)
        path = ("/api/v1/namespaces/default/events?limit=0&fieldSelector="
                "reason%3DScheduled")
        told = {}
        for event in self.client.request("GET", path)[1]["items"]:
            told.setdefault(event["involvedObject"]["uid"], set()).add(event["message"])
        for one in items:
            messages = told.get(one["metadata"]["uid"], set())
            check(len(messages) <= 1, "bound twice:", messages)


def killed(binary):
    """kill -9 during a burst: every pod is bound once, and no node is over capacity."""
    with Server(binary) as server:
        burst = Burst(server, "killed")
        burst.prepare()
        scheduler = Component("scheduler", binary, server, "--no-leader-elect")
        scheduler.start()

        def disturb():
            time.sleep(0.4)
            scheduler.stop(signal.SIGKILL)
            scheduler.start()
        burst.run(disturb)
        items = burst.await_bound(120)
        scheduler.stop(signal.SIGTERM)
        burst.verify(items)


def replicas(binary):
    """Two schedulers with leader election; the leader is killed, and the other continues."""
    with Server(binary) as server:
        burst = Burst(server, "replicas")
        burst.prepare()
        config = server.directory / "scheduler.yaml"
        config.write_text(
            "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
            "leaderElection: {leaseDuration: 3s, renewDeadline: 2s, retryPeriod: 500ms}\n")
        pair = [Component("scheduler", binary, server, f"--config={config}") for _ in range(2)]
        for one in pair:
            one.start()
        deaths = []

        def disturb():
            time.sleep(0.7)
            if not deaths:
                deaths.append(pair[0])
                pair[0].stop(signal.SIGKILL)
        burst.run(disturb)
        items = burst.await_bound(120)
        pair[1].stop(signal.SIGTERM)
        burst.verify(items)


def main(binary):
    scenes = Scenes()
    with Server(binary, "--controllers=*,-node-lifecycle", store="memory", command="up") as server:
        scenes.run(Cluster(server), crossing, adding_a_toleration, preferring, preempting, volumes)
    scenes.run(binary, volumes_apart, gates_off, killed, replicas)
    return scenes.outcome()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
