#!/usr/bin/env python3
"""living_test.py BINARY: checks running pods on simulated nodes: crossed thresholds, controllers
killed meanwhile, nodes without heartbeat, and rollouts of workloads."""

import signal
import sys
import threading
import time

from cluster import Cluster, Component, check, play, pod, toleration
from server import Server

RISK = "failure-probability"


def workload(name, tolerations=(), replicas=1, kind="Deployment", **spec):
    body = {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name},
            "spec": {"selector": {"matchLabels": {"app": name}},
                     "template": {"metadata": {"labels": {"app": name}},
                                  "spec": pod(name, tolerations)["spec"]}, **spec}}
    if kind != "DaemonSet":
        body["spec"]["replicas"] = replicas
    return body


def pods_of(c, app):
    return c.get(f"/api/v1/namespaces/default/pods?labelSelector=app%3D{app}")["items"]


def running(c, app, count):
    """Waits until exactly this many pods of an app exist and run, and returns them."""
    def probe():
        items = pods_of(c, app)
        good = [one for one in items if one.get("status", {}).get("phase") == "Running"
                and "deletionTimestamp" not in one["metadata"]]
        return items if len(good) == count == len(items) else None
    return c.await_true(f"{count} running pods of {app}", probe, 30)


def events(c, reason, name):
    selector = f"fieldSelector=reason%3D{reason},involvedObject.name%3D{name}"
    return [one["message"] for one in c.get(f"/api/v1/namespaces/default/events?{selector}")["items"]]


def set_risk(c, node, value):
    c.kubectl("taint", "nodes", node, f"{RISK}={value}:NoExecute", "--overwrite")


def await_schedulable(c, count):
    def probe():
        nodes = c.get("/api/v1/nodes")["items"]
        return len(nodes) == count and not any(
            one["key"].startswith("node.kubernetes.io/")
            for node in nodes for one in node["spec"].get("taints", []))
    c.await_true(f"{count} nodes without taints of their condition", probe, 30)


def threshold(binary):
    """The example of the documents: within its threshold a pod stays; beyond it, the pod has 30
    seconds, even if the controllers are killed meanwhile."""
    with Server(binary, store="memory") as server, Component("scheduler", binary, server), \
            Component("kubelet", binary, server, "--nodes=2"):
        c = Cluster(server)
        controllers = Component("controller-manager", binary, server, "--no-leader-elect")
        controllers.start()
        await_schedulable(c, 2)
        for name in ("node-0", "node-1"):
            set_risk(c, name, 2)
        c.kubectl("cordon", "node-1")
        payment = toleration(RISK, "Lt", "5", "NoExecute")
        c.apply(workload("payment", [{**payment, "tolerationSeconds": 30}]),
                workload("batch", [toleration(RISK, "Lt", "20", "NoExecute")]))
        first = running(c, "payment", 1)[0]["metadata"]
        batch = running(c, "batch", 1)[0]["metadata"]
        for value in (3, 4):
            set_risk(c, "node-0", value)
        set_risk(c, "node-0", 15)
        time.sleep(1)
        set_risk(c, "node-0", 3)
        c.await_true("the cancellation", lambda: any(
            one.startswith("Cancelling deletion of Pod")
            for one in events(c, "TaintManagerEviction", first["name"])))
        check(running(c, "payment", 1)[0]["metadata"]["uid"] == first["uid"], "it was evicted")

        set_risk(c, "node-0", 15)
        crossed = time.monotonic()
        c.kubectl("uncordon", "node-1")
        time.sleep(10 - (time.monotonic() - crossed))
        controllers.stop(signal.SIGKILL)
        time.sleep(15 - (time.monotonic() - crossed))
        controllers.start()

        def has_left():
            return all(one["metadata"]["uid"] != first["uid"] or
                       "deletionTimestamp" in one["metadata"] for one in pods_of(c, "payment"))
        while time.monotonic() - crossed < 28:
            check(not has_left(), "it was evicted too early")
            time.sleep(0.2)
        c.await_true("the eviction", has_left, 10)
        check(time.monotonic() - crossed < 33, "took", time.monotonic() - crossed)
        told = events(c, "TaintManagerEviction", first["name"])
        check(any(one.startswith(f"Marking for deletion Pod default/{first['name']}") and
                  "taint 15 is not less than 5" in one for one in told), told)
        check(running(c, "payment", 1)[0]["spec"]["nodeName"] == "node-1", "it went elsewhere")
        check(running(c, "batch", 1)[0]["metadata"]["uid"] == batch["uid"], "batch was evicted")
        controllers.stop(signal.SIGTERM)


def silence(binary):
    """A node without heartbeat is tainted, and its pods are evicted after their tolerationSeconds.
    It recovers when the heartbeat returns."""
    unreachable = {"key": "node.kubernetes.io/unreachable", "operator": "Exists",
                   "effect": "NoExecute", "tolerationSeconds": 2}
    with Server(binary, "--nodes=3", "--lease-renewal=1s", "--node-monitor-period=500ms",
                "--node-monitor-grace-period=4s", store="memory", command="up") as server:
        c = Cluster(server)
        await_schedulable(c, 3)
        c.apply(workload("web", [unreachable]))
        web = running(c, "web", 1)[0]
        name = web["spec"]["nodeName"]
        c.kubectl("annotate", "node", name, "plimsoll.io/heartbeats=false")

        def taints():
            node = c.get(f"/api/v1/nodes/{name}")
            return {(one["key"], one["effect"]) for one in node["spec"].get("taints", [])}
        wanted = {("node.kubernetes.io/unreachable", "NoSchedule"),
                  ("node.kubernetes.io/unreachable", "NoExecute")}
        c.await_true("its taints", lambda: wanted <= taints(), 30)
        check("NotReady" in c.kubectl("get", "node", name), "it is shown as ready")

        def replaced():
            return [one for one in pods_of(c, "web") if one["spec"].get("nodeName") not in (name, None)
                    and one["status"].get("phase") == "Running"]
        c.await_true("a pod elsewhere", replaced, 30)
        c.kubectl("annotate", "node", name, "plimsoll.io/heartbeats-")
        c.await_true("a node without taints", lambda: not taints(), 30)
        running(c, "web", 1)


def rolling(c, kind, name):
    """A new image reaches all pods of a workload, and `kubectl rollout status` succeeds."""
    before = {one["metadata"]["uid"] for one in pods_of(c, name)}
    c.kubectl("set", "image", f"{kind}/{name}", "c=registry.example.com/c:2")
    c.kubectl("rollout", "status", f"{kind}/{name}", "--timeout=50s")
    items = c.await_true("only new pods", lambda: [
        one for one in pods_of(c, name)] if before.isdisjoint(
            one["metadata"]["uid"] for one in pods_of(c, name)) else None, 30)
    check(all(one["spec"]["containers"][0]["image"].endswith(":2") for one in items), items)
    return items


def workloads(binary):
    """Checks Deployments, StatefulSets, DaemonSets and Jobs with kubectl, and a drain that respects
    a PodDisruptionBudget."""
    with Server(binary, "--nodes=4", store="memory", command="up") as server:
        c = Cluster(server)
        await_schedulable(c, 4)
        c.apply(workload("web", replicas=6), workload("daemon", kind="DaemonSet"),
                workload("db", replicas=3, kind="StatefulSet", serviceName="db"))
        running(c, "web", 6)
        running(c, "daemon", 4)
        names = [one["metadata"]["name"] for one in running(c, "db", 3)]
        check(names == ["db-0", "db-1", "db-2"], names)
        rolling(c, "deployment", "web")
        rolling(c, "daemonset", "daemon")
        rolling(c, "statefulset", "db")
        c.kubectl("rollout", "undo", "deployment/web")
        c.kubectl("rollout", "status", "deployment/web", "--timeout=50s")
        c.kubectl("scale", "statefulset/db", "--replicas=1")
        check(running(c, "db", 1)[0]["metadata"]["name"] == "db-0", "the first is the last to go")

        c.apply({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "sum"},
                 "spec": {"completions": 5, "parallelism": 2, "template": {
                     "spec": {**pod("sum")["spec"], "restartPolicy": "Never"}}}})
        c.kubectl("wait", "job/sum", "--for=condition=Complete", "--timeout=50s")
        check(c.get("/apis/batch/v1/namespaces/default/jobs/sum")["status"]["succeeded"] == 5, "sum")

        c.kubectl("delete", "job/sum", "daemonset/daemon", "--cascade=foreground", "--timeout=50s")
        c.await_true("the end of their pods", lambda: not pods_of(c, "daemon"))
        c.kubectl("delete", "statefulset/db", "--cascade=orphan", "--timeout=50s")
        check(running(c, "db", 1)[0]["metadata"].get("ownerReferences") is None, "db-0 is owned")

        c.apply({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web"},
                 "spec": {"minAvailable": 5, "selector": {"matchLabels": {"app": "web"}}}})
        c.await_true("the budget", lambda: c.get(
            "/apis/policy/v1/namespaces/default/poddisruptionbudgets/web").get("status", {}).get(
                "disruptionsAllowed") == 1)
        low = []
        drained = []

        def watch():
            ready = [one for one in pods_of(c, "web") if "deletionTimestamp" not in one["metadata"]
                     and one["status"].get("phase") == "Running"]
            if len(ready) < 5:
                low.append(len(ready))
        drain = threading.Thread(target=lambda: drained.append(c.kubectl(
            "drain", "node-0", "--ignore-daemonsets", "--force", "--timeout=50s")))
        drain.start()
        while drain.is_alive():
            watch()
        drain.join()
        check(drained, "the drain failed")
        check(not low, "the budget was broken:", low)
        check(not [one for one in pods_of(c, "web") if one["spec"].get("nodeName") == "node-0"],
              "pods stayed on the drained node")
        running(c, "web", 6)
        c.kubectl("create", "namespace", "shop")
        c.kubectl("create", "configmap", "-n", "shop", "prices", "--from-literal=a=1")
        c.kubectl("create", "deployment", "-n", "shop", "till", "--image=i:1", "--replicas=3")
        c.kubectl("delete", "namespace", "shop", "--timeout=50s")
        check(not c.get("/api/v1/namespaces/shop/pods")["items"], "pods outlived their namespace")

        c.kubectl("delete", "deployment/web", "--timeout=50s")
        c.await_true("the end of its pods", lambda: not pods_of(c, "web"), 30)
        left = c.get("/apis/apps/v1/namespaces/default/replicasets")["items"]
        check(not left, left)


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], *([globals()[name] for name in sys.argv[2:]] or
                                 (threshold, silence, workloads))))
