#!/usr/bin/env python3
"""explain_objects_test.py BINARY: `plimsoll explain` of workloads, nodes, claims and devices, `match`
and `get tolerations|taints` against a server without scheduler, so that pods wait. All commands run
as the kubectl plugin, found by its name on PATH."""

import json
import os
import pathlib
import subprocess
import sys

from cluster import Cluster, Component, Scenes, check, node, pod, taint, toleration
from server import Server
from stock import StockServer

RISK = "failure-probability"
OK, FINDINGS, USAGE = 0, 1, 2
CONTAINER = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "3"}}}


class Plugin(Cluster):
    """A cluster, and `kubectl plimsoll` for it."""

    def __init__(self, server, binary, kubeconfig=None):
        super().__init__(server)
        directory = str(pathlib.Path(binary).resolve().parent)
        self.environment = {**os.environ, "KUBECONFIG": str(kubeconfig or server.kubeconfig),
                            "PATH": directory + os.pathsep + os.environ["PATH"]}

    def plimsoll(self, *words, code=OK, stdin=None, program="kubectl"):
        """Returns the output of both streams of `kubectl plimsoll …`."""
        first = [self.kubectl_path, "plimsoll"] if program == "kubectl" else [program]
        done = subprocess.run([*first, *words], env=self.environment, input=stdin, text=True,
                              capture_output=True, timeout=60, check=False)
        check(done.returncode == code, *words, "gave", done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr


def says(text, *pieces):
    for piece in pieces:
        check(piece in text, "want", repr(piece), "in", text)


def template(tolerations=(), **spec):
    return {"metadata": {"labels": {"app": "web"}},
            "spec": {"containers": [CONTAINER], "tolerations": list(tolerations), **spec}}


def workload(kind, name, spec, group="apps/v1"):
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name}, "spec": spec}


# Others would taint the nodes, which have no agent.
CONTROLLERS = "--controllers=deployment,replicaset,statefulset,daemonset,job"
SELECTOR = {"matchLabels": {"app": "web"}}
LOW_RISK = [toleration(RISK, "Lt", "5")]


def a_deployment_without_pods(cluster):
    deployment = workload("Deployment", "draft",
                          {"replicas": 3, "selector": SELECTOR, "template": template(LOW_RISK)})
    text = cluster.plimsoll("explain", "deployment", "-f", "-", code=FINDINGS, stdin=json.dumps(deployment))
    says(text, "Deployment default/draft: 0 of 3 pods have a node\n", "a new pod:\n  3 nodes → 2 after taints\n",
         "2 of 3 missing pods would fit now, placed one after the other: 1 on line, 1 on safe\n",
         "then: 0/3 nodes are available: ")
    check("draft" not in cluster.kubectl("get", "deployments", "-o", "name"), "asking has created it")


def a_deployment_whose_pods_wait(cluster):
    cluster.apply(workload("Deployment", "web",
                           {"replicas": 3, "selector": SELECTOR, "template": template(LOW_RISK)}))
    cluster.await_true("three pods", lambda: len(cluster.get(
        "/api/v1/namespaces/default/pods?labelSelector=app=web")["items"]) == 3)
    for form in (("deploy/web",), ("deployments.apps", "web"), ("deployment", "web")):
        says(cluster.plimsoll("explain", *form, code=FINDINGS),
             "Deployment default/web: 0 of 3 pods have a node\n", "waiting (3): web-",
             "\n  3 nodes → 2 after taints\n", "2 of 3 missing pods would fit now")
    answer = json.loads(cluster.plimsoll("explain", "deploy/web", "-o", "json", "--replicas", "2"))
    check(answer["room"]["placed"] == answer["room"]["missing"] == 2, answer)
    name = cluster.get("/apis/apps/v1/namespaces/default/replicasets")["items"][0]["metadata"]["name"]
    says(cluster.plimsoll("explain", f"rs/{name}", code=FINDINGS), f"ReplicaSet default/{name}: 0 of 3 pods")
    says(cluster.plimsoll("explain", "deploy", "wen", code=FINDINGS), "did you mean web?")


def other_workloads(cluster):
    selector = {"matchLabels": {"app": "web"}}
    cluster.apply(workload("DaemonSet", "agent", {"selector": selector, "template": template()}),
                  workload("StatefulSet", "db", {"replicas": 2, "selector": selector, "serviceName": "db",
                                                 "template": template(nodeSelector={"disk": "ssd"})}),
                  workload("Job", "once", {"parallelism": 2, "completions": 4,
                                           "template": template(restartPolicy="Never")}, "batch/v1"))
    cluster.await_true("their pods", lambda: all(
        any(one["metadata"]["name"].startswith(name) for one in cluster.get("/api/v1/namespaces/default/pods")["items"])
        for name in ("db-0", "once-")))
    says(cluster.plimsoll("explain", "ds", "agent"), "DaemonSet default/agent: 0 of 0 nodes have a pod\n",
         "nodes without a pod:\n", f"  1 node: taint {RISK}=20:NoSchedule: no toleration for key {RISK}\n    spot\n")
    says(cluster.plimsoll("explain", "sts/db", code=FINDINGS), "0 of 2 pods have a node", "waiting (1): db-0 of db\n",
         "0 of 2 missing pods would fit now")
    says(cluster.plimsoll("explain", "job", "once", code=FINDINGS), "Job default/once: 0 of 2 pods have a node",
         "waiting (2): once-")


def a_node(cluster):
    cluster.apply(pod("guest", [toleration(RISK, "Lt", "13")], nodeName="line"), pod("shy"))
    says(cluster.plimsoll("explain", "no/line"), "Node line: 1 pod, 1 taint\n", "cpu: 4 of 4 free\n",
         f"taint {RISK}=3:NoSchedule: tolerated by ", f"  1 pod by {RISK} Lt 13:NoSchedule, margin 10: default/guest\n",
         "pods on it: 1 of at most 110\n  default/guest", "waiting pods: 3 pods could run here",
         f"  1 pod: taints: node(s) had untolerated taint {{{RISK}: 3}}\n    default/shy\n")
    answer = json.loads(cluster.plimsoll("explain", "node", "line", "-o", "json"))
    check(answer["pods"][0]["pod"] == "default/guest" and len(answer["waiting"]["accepted"]) == 3, answer)


def claims_and_devices(cluster):
    group = "resource.k8s.io/v1"
    slice_of = {"apiVersion": group, "kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": {
        "driver": "gpu.example.com", "nodeName": "line",
        "pool": {"name": "line", "generation": 1, "resourceSliceCount": 1},
        "devices": [{"name": "good", "attributes": {"model": {"string": "A100"}}},
                    {"name": "bad", "taints": [taint("broken", "7")]}]}}
    request = {"name": "r", "exactly": {"deviceClassName": "gpu", "allocationMode": "All"}}
    cluster.apply({"apiVersion": group, "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {}}, slice_of,
                  {"apiVersion": group, "kind": "ResourceClaim", "metadata": {"name": "both"},
                   "spec": {"devices": {"requests": [request]}}})
    says(cluster.plimsoll("explain", "claim", "both", code=FINDINGS),
         "ResourceClaim default/both: not allocated; 0 of 3 nodes could satisfy it\n",
         "request r: wants all devices of a node; 1 device usable, 1 not\n",
         "1 device: Tainted: driver: taint broken=7:NoSchedule: the pod has no tolerations\n    gpu.example.com/line/bad\n")
    says(cluster.plimsoll("explain", "device", "gpu.example.com/line/bad"),
         "Device gpu.example.com/line/bad: on node line, 1 taint\n",
         "taint broken=7:NoSchedule (driver)", "not by 1\n", "no claim uses it\n")
    says(cluster.plimsoll("explain", "device/gpu.example.com/line/god", code=FINDINGS),
         "did you mean gpu.example.com/line/good?")


def match_asks_the_cluster(cluster):
    manifest = json.dumps(pod("p", LOW_RISK))
    text = cluster.plimsoll("match", "--pod", "-", stdin=manifest)
    says(text, "line   accepted", "safe   accepted", "spot   refused", "taint 20 is not less than 5")
    says(cluster.plimsoll("match", "--pod", "-", "--node", "spt", code=FINDINGS, stdin=manifest),
         'the server has no node "spt"; did you mean "spot"?')


def tolerations_and_taints(cluster):
    row = cluster.plimsoll("get", "tolerations", "guest").splitlines()[1].split()
    check(row[:5] == ["guest", RISK, "Lt", "13", "NoSchedule"] and row[-2:] == ["3", "10"], row)
    answer = json.loads(cluster.plimsoll("get", "tolerations", "-l", "app=e2e", "-A", "-o", "json"))
    check([one["operator"] for one in answer if one["key"] == RISK] == ["Lt"], answer)
    cluster.kubectl("taint", "nodes", "safe", "team=a:PreferNoSchedule", "--field-manager=ops")
    row = [line.split() for line in cluster.plimsoll("get", "taints", "safe").splitlines() if "team" in line][0]
    check(row[:4] == ["safe", "team", "a", "PreferNoSchedule"] and row[5] == "ops", row)
    says(cluster.plimsoll("get", "taints", "safer", code=FINDINGS), 'no node "safer"; did you mean safe?')


def usage_and_completion_name_kubectl(cluster):
    says(cluster.plimsoll("explain", "--help"), "Usage: kubectl plimsoll explain")
    says(cluster.plimsoll("explain", "pod", "--nodse", code=USAGE), "Did you mean --nodes?",
         "Run 'kubectl plimsoll explain pod --help' for usage.")
    check(cluster.plimsoll("explain", "de", program="kubectl_complete-plimsoll") == "deployment\ndevice\n:4\n",
          "completion")
    done = subprocess.run([cluster.kubectl_path, "__complete", "plimsoll", "explain", "de"], text=True,
                          env=cluster.environment, capture_output=True, timeout=60, check=False)
    says(done.stdout, "deployment\ndevice\n:4\n")


def a_stock_server(binary):
    with StockServer(binary) as stock:
        cluster = Plugin(stock.server, binary, stock.kubeconfig)
        noted = pod("noted", nodeName="n1")
        noted["metadata"]["annotations"] = {"plimsoll.io/tolerations": json.dumps([toleration(RISK, "Lt", "13")])}
        cluster.apply(node("n1", [taint(RISK, "3")]), noted)
        row = next(line.split() for line in cluster.plimsoll("get", "tolerations", "noted").splitlines()
                   if RISK in line)
        check(row[1:4] == [RISK, "Lt", "13"] and row[-2:] == ["3", "10"], row)
        says(cluster.plimsoll("explain", "node", "n1"), f"1 pod by {RISK} Lt 13:NoSchedule, margin 10: default/noted\n")
        says(cluster.plimsoll("get", "taints"), "1/1")


def main(binary):
    scenes = Scenes()
    with Server(binary) as server, Component("controller-manager", binary, server, CONTROLLERS):
        cluster = Plugin(server, binary)
        cluster.apply(node("safe", [taint(RISK, "1")]), node("line", [taint(RISK, "3")]),
                      node("spot", [taint(RISK, "20")]))
        scenes.run(cluster, a_deployment_without_pods, a_deployment_whose_pods_wait, a_node, other_workloads,
                   claims_and_devices, match_asks_the_cluster, tolerations_and_taints,
                   usage_and_completion_name_kubectl)
    scenes.run(binary, a_stock_server)
    return scenes.outcome()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
