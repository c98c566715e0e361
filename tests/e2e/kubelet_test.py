#!/usr/bin/env python3
"""kubelet_test.py BINARY: checks simulated nodes with kubectl: pods that run, finish, crash,
terminate slowly and are rejected; nodes from a template; kubelets that are killed or stop sending
heartbeats."""

import pathlib
import signal
import sys
import time

from cluster import Cluster, Component, Scenes, check, pod, taint, toleration
from server import Server

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "kubelet"


def kubelet_of(binary, server, *flags):
    return Component("kubelet", binary, server, "--lease-renewal=1s", *flags)


def on(node_name, name, annotations=None, tolerations=(), **spec):
    body = pod(name, tolerations, nodeName=node_name, **spec)
    body["metadata"]["annotations"] = {f"plimsoll.io/{key}": value
                                       for key, value in (annotations or {}).items()}
    return body


def await_nodes(c, count, seconds=20):
    def ready():
        nodes = c.get("/api/v1/nodes")["items"]
        good = [one for one in nodes for condition in one.get("status", {}).get("conditions", [])
                if condition["type"] == "Ready" and condition["status"] == "True"]
        return nodes if len(good) == count else None
    return c.await_true(f"{count} ready nodes", ready, seconds)


def await_phase(c, name, phase):
    c.await_true(f"{name} to be {phase}",
                 lambda: c.pod(name).get("status", {}).get("phase") == phase)


def await_column(c, name, status):
    """Waits for this STATUS in the output of `kubectl get pods`."""
    c.await_true(f"{name} to be shown as {status}",
                 lambda: c.kubectl("get", "pod", name, "--no-headers").split()[2] == status)


def is_gone(c, name):
    return c.client.request("GET", f"/api/v1/namespaces/default/pods/{name}")[0] == 404


def lease_time(c, name):
    path = f"/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/{name}"
    return c.get(path)["spec"]["renewTime"]


def living(c):
    c.apply(on("node-0", "web"))
    await_phase(c, "web", "Running")
    line = c.kubectl("get", "pod", "web", "-o", "wide", "--no-headers").split()
    check(line[1:4] == ["1/1", "Running", "0"] and line[6] == "node-0", line)
    described = c.kubectl("describe", "pod", "web")
    for text in ("Container started", "PodReadyToStartContainers   True", "IP:  10.64."):
        check(text in described, text, "is not in", described)
    c.kubectl("delete", "pod", "web", "--wait=false")
    c.await_true("the end of web", lambda: is_gone(c, "web"), 5)


def ending(c):
    c.apply(on("node-1", "done", {"run-time": "500ms"}, restartPolicy="Never"),
            on("node-1", "bad", {"run-time": "500ms", "exit-code": "3"}, restartPolicy="Never"),
            on("node-1", "loop", {"run-time": "100ms", "exit-code": "1"}))
    await_column(c, "done", "Completed")
    await_column(c, "bad", "Error")
    await_column(c, "loop", "CrashLoopBackOff")
    check(c.pod("done")["status"]["phase"] == "Succeeded", "done")
    check(c.pod("bad")["status"]["phase"] == "Failed", "bad")
    status = c.pod("loop")["status"]["containerStatuses"][0]
    check(status["restartCount"] == 1, status)
    check(status["state"]["waiting"]["message"].startswith("back-off 10s restarting failed"), status)


def leaving_slowly(c):
    c.apply(on("node-0", "lingers", {"stop-time": "60s"}))
    await_phase(c, "lingers", "Running")
    began = time.monotonic()
    c.kubectl("delete", "pod", "lingers", "--grace-period=2", "--wait=false")
    await_column(c, "lingers", "Terminating")
    c.await_true("the end of the grace", lambda: is_gone(c, "lingers"))
    check(1 < time.monotonic() - began < 4, "took", time.monotonic() - began)


def refusing(c):
    c.kubectl("taint", "nodes", "node-2", "risk=7:NoExecute")
    c.apply(on("node-2", "careful", tolerations=[toleration("risk", "Lt", "5", "NoExecute")]),
            on("node-2", "bold", tolerations=[toleration("risk", "Lt", "9", "NoExecute")]))
    await_phase(c, "bold", "Running")
    await_phase(c, "careful", "Failed")
    status = c.pod("careful")["status"]
    body = "Predicate TaintToleration failed: node(s) had taints that the pod didn't tolerate"
    check(status["reason"] == "TaintToleration", status)
    check(status["message"] == "Pod was rejected: " + body, status)
    c.await_true("the event", lambda: any(
        one["message"] == body and one["source"]["host"] == "node-2" for one in c.get(
            "/api/v1/namespaces/default/events?fieldSelector=reason=TaintToleration")["items"]))
    c.kubectl("taint", "nodes", "node-2", "risk-")


def crashing_on_demand(c):
    c.apply(on("node-0", "victim"))
    await_phase(c, "victim", "Running")
    c.kubectl("annotate", "pod", "victim", "plimsoll.io/crash=now")
    c.await_true("a restart", lambda: c.pod("victim")["status"]["containerStatuses"][0][
        "restartCount"] == 1)


def falling_silent(c):
    c.kubectl("annotate", "node", "node-1", "plimsoll.io/heartbeats=false")
    time.sleep(0.5)
    before = lease_time(c, "node-1")
    time.sleep(2.5)
    check(lease_time(c, "node-1") == before, "a silent node renews its lease")
    c.kubectl("annotate", "node", "node-1", "plimsoll.io/heartbeats-")
    c.await_true("a heartbeat", lambda: lease_time(c, "node-1") != before, 5)
    c.kubectl("annotate", "node", "node-1", "plimsoll.io/condition.Ready=False")
    c.await_true("a node that is not ready", lambda: "NotReady" in c.kubectl("get", "node", "node-1"))
    c.kubectl("annotate", "node", "node-1", "plimsoll.io/condition.Ready-")
    await_nodes(c, 3)


def killed(both):
    """After kill -9 of the kubelet, pods continue unchanged."""
    c, kubelet = both
    c.apply(on("node-0", "stays"))
    await_phase(c, "stays", "Running")
    before = c.pod("stays")["status"]
    kubelet.stop(signal.SIGKILL)
    c.apply(on("node-0", "late"))
    kubelet.start()
    await_phase(c, "late", "Running")
    after = c.pod("stays")["status"]
    check(after["containerStatuses"] == before["containerStatuses"], before, after)
    check(c.pod("late")["status"]["podIP"] != after["podIP"], "one address twice")


def gates_off(binary):
    """With the gates off, tolerations of the features match nothing."""
    gates = ("TaintTolerationComparisonOperators", "TaintTolerationCEL",
             "TaintTolerationNodeAffinitySemverComparisonOperators")
    cases = {"number": (taint("risk", "3", "NoExecute"), toleration("risk", "Lt", "5", "NoExecute")),
             "version": (taint("kernel", "6.1.0", "NoExecute"),
                         toleration("kernel", "SemverGt", "5.0.0", "NoExecute")),
             "expression": (taint("zone", "a", "NoExecute"), {"expression": "taint.key == 'zone'"})}
    off = "--feature-gates=" + ",".join(f"{gate}=false" for gate in gates)
    with Server(binary, store="memory") as server:
        c = Cluster(server)
        with kubelet_of(binary, server, "--nodes=3", off):
            await_nodes(c, 3)
            for number, (kind, (mark, tolerates)) in enumerate(cases.items()):
                c.kubectl("taint", "nodes", f"node-{number}",
                          f"{mark['key']}={mark['value']}:NoExecute")
                c.apply(on(f"node-{number}", f"off-{kind}", tolerations=[tolerates]))
                await_phase(c, f"off-{kind}", "Failed")
        with kubelet_of(binary, server, "--nodes=3"):
            for number, (kind, (_, tolerates)) in enumerate(cases.items()):
                c.apply(on(f"node-{number}", f"on-{kind}", tolerations=[tolerates]))
                await_phase(c, f"on-{kind}", "Running")


def templates(binary):
    with Server(binary, store="memory") as server:
        c = Cluster(server)
        template = f"--node-template={EXAMPLES / 'nodes.yaml.template'}"
        with kubelet_of(binary, server, template, "--count=20", "--first-node=10", "--adopt"):
            nodes = {one["metadata"]["name"]: one for one in await_nodes(c, 20)}
            check(set(nodes) == {f"{('spot', 'ondemand')[i % 2]}-{i}" for i in range(10, 30)}, nodes)
            values = {one["key"]: one["value"] for one in nodes["spot-10"]["spec"]["taints"]
                      if "value" in one}
            check(values["example.com/failure-probability"] == "25", values)
            check(values["example.com/gpu-compute-score"] == "370", values)
            c.kubectl("apply", "-f", str(EXAMPLES / "pods.yaml"))
            c.client.request("POST", "/api/v1/nodes", {
                "apiVersion": "v1", "kind": "Node", "metadata": {
                    "name": "adopted", "annotations": {"plimsoll.io/simulated": "true"}}})
            await_nodes(c, 21)
            c.apply(on("adopted", "guest"))
            await_phase(c, "guest", "Running")


def main(binary):
    scenes = Scenes()
    with Server(binary, store="memory") as server:
        cluster = Cluster(server)
        with kubelet_of(binary, server, "--nodes=3") as kubelet:
            await_nodes(cluster, 3)
            scenes.run(cluster, living, ending, leaving_slowly, refusing, crashing_on_demand,
                       falling_silent)
            scenes.run((cluster, kubelet), killed)
    scenes.run(binary, gates_off, templates)
    return scenes.outcome()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
