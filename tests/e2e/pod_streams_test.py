#!/usr/bin/env python3
"""pod_streams_test.py BINARY [VERSION…]: runs logs, exec, attach, port-forward, cp and top with every
installed kubectl. No container runs, so kubectl must print the server's sentences about that, and
upstream's texts for a missing pod, a pod without a node and an unknown container."""

import json
import os
import subprocess
import sys
import tempfile

from cluster import Cluster, Scenes, check, node, pod
from server import Server, kubectls

EVERYTHING = [{"operator": "Exists"}]
OF_PODS = {"pods/attach": ["create", "get"], "pods/exec": ["create", "get"], "pods/log": ["get"],
           "pods/portforward": ["create", "get"]}


class Kubectl:
    """One version of kubectl."""

    def __init__(self, binary, server, user=None):
        self.binary = binary
        self.home = tempfile.mkdtemp(prefix="kubectl-home-")
        self.environment = dict(os.environ, KUBECONFIG=str(server.kubeconfig), HOME=self.home)
        self.user = [] if user is None else ["--as", user]

    def fails(self, wanted, *words):
        """Checks that the command fails, and that its last line contains `wanted` and no cause of the
        transport."""
        output = self.output(1, *words)
        check(wanted in output.splitlines()[-1], *words, "should say", wanted, "got", output)
        for word in ("websocket", "SPDY", "unable to upgrade connection"):
            check(word not in output, *words, "mentions", word, output)

    def output(self, code, *words):
        done = subprocess.run([self.binary, *self.user, *words], stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                              env=self.environment, check=False)
        check(done.returncode == code, *words, "gave", done.returncode, done.stdout)
        return done.stdout


def simulated(name, node_name, why):
    return f'containers of pod "{name}" are simulated: node "{node_name}" runs no containers, so {why}'


def a_pod_on_a_simulated_node(kubectl):
    no_command = simulated("web", "node-0", "no command can run in them")
    kubectl.fails(simulated("web", "node-0", "there are no logs"), "logs", "web")
    kubectl.fails(simulated("web", "node-0", "there are no logs"), "logs", "-f", "web", "-c", "b")
    kubectl.fails(no_command, "exec", "web", "-c", "a", "--", "ls")
    kubectl.fails(no_command, "exec", "-i", "web", "-c", "b", "--", "sh")
    kubectl.fails(no_command, "cp", "web:/etc/hosts", os.path.join(kubectl.home, "hosts"), "-c", "a")
    kubectl.fails(no_command, "cp", __file__, "web:/tmp/copy", "-c", "a")
    kubectl.fails(simulated("web", "node-0", "there is no process to attach to"), "attach", "web")
    kubectl.fails(simulated("web", "node-0", "there is no port to forward to"),
                  "port-forward", "pod/web", ":80")


def a_pod_on_another_node(kubectl):
    sentence = 'pod "foreign" is on node "real", and this server does not forward requests to kubelets'
    kubectl.fails(sentence, "logs", "foreign")
    kubectl.fails(sentence, "exec", "foreign", "--", "ls")


def upstreams_refusals(kubectl):
    check(kubectl.output(0, "logs", "waiting") == "", "a pod without a node has an empty log")
    kubectl.fails("pod waiting does not have a host assigned", "exec", "waiting", "--", "ls")
    kubectl.fails("pod waiting does not have a host assigned", "attach", "waiting")
    kubectl.fails('pods "none" not found', "logs", "none")
    kubectl.fails('pods "none" not found', "exec", "none", "--", "ls")
    kubectl.fails("container x is not valid for pod web", "exec", "web", "-c", "x", "--", "ls")


def nothing_is_measured(kubectl):
    sentence = "containers are simulated, so there is no use of processor or memory to show"
    for words in (["pods"], ["pods", "-A"], ["pod", "web", "--containers"], ["nodes"], ["node", "node-0"]):
        kubectl.fails(sentence, "top", *words)


def needs_the_right_of_the_subresource(cluster):
    viewer = Kubectl(cluster.kubectl_path, cluster.server, user="viewer")
    cluster.kubectl("create", "rolebinding", "viewer", "--clusterrole=view", "--user=viewer")
    viewer.fails("are simulated", "logs", "web", "-c", "a")
    # kubectl sends a GET with a WebSocket or a POST, by its version.
    for words in (["exec", "web", "-c", "a", "--", "ls"], ["attach", "web"],
                  ["port-forward", "pod/web", ":80"]):
        viewer.fails("is forbidden: User \"viewer\" cannot", *words)


def metrics_trip_no_controller(cluster):
    """Pods and nodes without a group stay those of the core group. A namespace can be deleted, and dependents are collected."""
    listed = {one["name"]: one["verbs"] for one in cluster.get("/apis/metrics.k8s.io/v1beta1")["resources"]}
    check(listed == {"nodes": ["get", "list"], "pods": ["get", "list"]}, listed)
    check("web" in cluster.kubectl("get", "pods", "-o", "name"), "kubectl reads the wrong pods")
    check("KIND:       Pod\n" in cluster.kubectl("explain", "pods"), "kubectl explains the wrong kind")
    check("metrics.k8s.io" not in json.dumps(cluster.get("/openapi/v3")["paths"]), "OpenAPI describes the metrics")
    cluster.kubectl("create", "namespace", "short")
    labels = {"app": "owner"}
    template = {"metadata": {"labels": labels},  # without a node, so that no agent has to end them
                "spec": {"schedulerName": "nobody", "containers": [{"name": "a", "image": "i"}]}}
    cluster.apply({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "owner", "namespace": "short"},
                   "spec": {"replicas": 2, "selector": {"matchLabels": labels}, "template": template}})
    pods = ("-n", "short", "get", "pods", "-o", "name")
    cluster.await_true("pods", lambda: len(cluster.kubectl(*pods).split()) == 2)
    cluster.kubectl("-n", "short", "delete", "deployment", "owner")
    cluster.await_true("no pods", lambda: not cluster.kubectl(*pods).split())
    cluster.kubectl("delete", "namespace", "short", "--timeout=60s")


def discovery_lists_them(cluster):
    listed = {one["name"]: one["verbs"] for one in cluster.get("/api/v1")["resources"]}
    for name, verbs in OF_PODS.items():
        check(listed.get(name) == verbs, name, listed.get(name))
    check("pods/proxy" not in listed, "pods/proxy is not served")


def prepare(cluster):
    containers = [{"name": name, "image": "i"} for name in ("a", "b")]
    foreign = node("real")
    foreign["status"]["nodeInfo"] = {"containerRuntimeVersion": "containerd://1.7.0"}
    cluster.kubectl("create", "-f", "-", stdin=json.dumps(foreign))
    cluster.apply(pod("foreign", EVERYTHING, nodeName="real"),
                  pod("waiting", schedulerName="nobody"),
                  pod("web", EVERYTHING, nodeName="node-0", containers=containers))
    cluster.await_true("web runs", lambda: cluster.pod("web")["status"].get("phase") == "Running")


def main(binary, *versions):
    stage = Scenes()
    with Server(binary, "--nodes=1", "--no-demo", command="up") as server:
        cluster = Cluster(server)
        name = cluster.await_true("a node", lambda: cluster.get("/api/v1/nodes")["items"])[0]["metadata"]["name"]
        check(name == "node-0", "the first node is", json.dumps(name))
        prepare(cluster)
        for version, path in kubectls().items():
            if versions and version not in versions:
                continue
            print(f"kubectl {version}:")
            stage.run(Kubectl(path, server), a_pod_on_a_simulated_node, a_pod_on_another_node,
                      upstreams_refusals, nothing_is_measured)
        stage.run(cluster, needs_the_right_of_the_subresource, discovery_lists_them,
                  metrics_trip_no_controller)
    return stage.outcome()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
