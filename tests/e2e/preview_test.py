#!/usr/bin/env python3
"""preview_test.py BINARY: checks that previews of `plimsoll taint node`, `drain` and `cordon` on a
running cluster say what then happens: who goes, when, who stays, and where replacements run. Also
checks `plimsoll lines` and `plimsoll evictions`, and that nothing is written without a yes."""

import datetime
import json
import os
import subprocess
import sys
import time

from cluster import Cluster, check, play
from server import Server

RISK = "failure-probability"
OK, FINDINGS, USAGE = 0, 1, 2


def deployment(name, replicas, line, seconds=None):
    """A Deployment that tolerates risks below the line, and has some seconds after that."""
    tolerated = {"key": RISK, "operator": "Lt", "value": line, "effect": "NoExecute"}
    if seconds is not None:
        tolerated["tolerationSeconds"] = seconds
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name},
            "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}},
                     "template": {"metadata": {"labels": {"app": name}},
                                  "spec": {"tolerations": [tolerated], "containers": [
                                      {"name": "c", "image": "i",
                                       "resources": {"requests": {"cpu": "100m"}}}]}}}}


class Previewed(Cluster):
    """A whole cluster with four nodes, and `plimsoll` for it."""

    def __init__(self, server, binary):
        super().__init__(server)
        self.binary = binary
        for thing in (deployment("hasty", 3, "5"), deployment("patient", 3, "5", 3),
                      deployment("brave", 2, "50")):
            self.kubectl("apply", "-f", "-", stdin=json.dumps(thing))
        self.await_true("eight running pods", lambda: len(self.pods()) == 8)

    def run(self, *words, code=OK):
        done = subprocess.run([self.binary, *words], text=True, capture_output=True, timeout=90,
                              env={**os.environ, "KUBECONFIG": str(self.server.kubeconfig)},
                              stdin=subprocess.DEVNULL, check=False)
        check(done.returncode == code, *words, "gave", done.returncode, done.stdout, done.stderr)
        return done.stdout, done.stderr

    def tree(self, *words):
        return json.loads(self.run(*words, "-o", "json")[0])

    def pods(self):
        """Returns the running pods that do not terminate, by uid."""
        found = self.get("/api/v1/namespaces/default/pods")["items"]
        return {one["metadata"]["uid"]: one for one in found
                if one["spec"].get("nodeName") and one["status"].get("phase") == "Running"
                and "deletionTimestamp" not in one["metadata"]}

    def busiest_node(self):
        nodes = [one["spec"]["nodeName"] for one in self.pods().values()]
        return max(set(nodes), key=nodes.count)

    def settle(self):
        self.await_true("eight running pods", lambda: len(self.pods()) == 8)


def gone_times(cluster, before, begin, wanted):
    """Returns the seconds from the begin until pods had gone, by uid. Returns a moment after as
    many as wanted are gone, or after 20 seconds."""
    times = {}
    end = begin + 20
    while time.monotonic() < end:
        for uid in before - set(cluster.pods()) - set(times):
            times[uid] = time.monotonic() - begin
            if len(times) == wanted:
                end = min(end, time.monotonic() + 3)
        time.sleep(0.1)
    return times


def a_taint_evicts_as_previewed(binary):
    with Server(binary, "--nodes=4", command="up", store="memory") as server:
        cluster = Previewed(server, binary)
        node = cluster.busiest_node()
        words = ("taint", "node", node, f"{RISK}=8:NoExecute")
        preview = cluster.tree(*words, "--preview")
        going = {one["uid"]: one["afterSeconds"] for one in preview["going"]}
        check(going, "the node has nobody to evict", preview)
        check("taints" not in cluster.get(f"/api/v1/nodes/{node}")["spec"], "it was written")
        text = cluster.run(*words, "--preview")[0]
        check(f"Taint {RISK}=8:NoExecute on 1 node: {node}" in text, text)
        check("Nothing was changed." in text, text)

        told = cluster.run(*words, code=USAGE)[1]
        check("Add --yes to confirm" in told, told)
        check("taints" not in cluster.get(f"/api/v1/nodes/{node}")["spec"], "it was written")

        before, begin = set(cluster.pods()), time.monotonic()
        check(f"node/{node} tainted" in cluster.run(*words, "--yes")[0])
        times = gone_times(cluster, before, begin, len(going))
        check(times.keys() == going.keys(), "previewed", going, "went", times)
        for uid, after in going.items():
            check(after - 1 <= times[uid] <= after + 4, "previewed", after, "went after", times[uid])
        placed = sum(preview["room"]["nodes"].values())
        check(placed == len(going) and node not in preview["room"]["nodes"], preview["room"])
        cluster.settle()
        on_node = [one for one in cluster.pods().values() if one["spec"]["nodeName"] == node]
        check(all(one["metadata"]["labels"]["app"] == "brave" for one in on_node), on_node)

        lines = cluster.tree("lines", RISK)
        check({one["workload"] for one in lines["lines"]} == {
            "deployment/hasty", "deployment/patient", "deployment/brave"}, lines)
        check(lines["taints"][0]["values"][0]["value"] == "8", lines)
        cluster.run("taint", "node", node, f"{RISK}-", "--yes")
        check("taints" not in cluster.get(f"/api/v1/nodes/{node}")["spec"], "it is still there")


def a_value_that_returns_cancels_as_previewed(binary):
    with Server(binary, "--nodes=4", command="up", store="memory") as server:
        cluster = Previewed(server, binary)
        cluster.kubectl("apply", "-f", "-", stdin=json.dumps(deployment("patient", 3, "5", 60)))
        cluster.kubectl("rollout", "status", "deployment/patient")
        cluster.settle()
        node = next(one["spec"]["nodeName"] for one in cluster.pods().values()
                    if one["metadata"]["labels"]["app"] == "patient")
        cluster.run("taint", "node", node, f"{RISK}=8:NoExecute", "--yes")
        waiting = cluster.await_true("a countdown", lambda: [
            one for one in cluster.tree("evictions")["evictions"] if one["state"] == "Waiting"])
        due = datetime.datetime.fromisoformat(waiting[0]["due"].replace("Z", "+00:00"))
        left = (due - datetime.datetime.now(datetime.timezone.utc)).total_seconds()
        check(30 < left <= 61, "due in", left)
        preview = cluster.tree("taint", "node", node, f"{RISK}-", "--preview")
        cancelled = {one["uid"] for one in preview["cancelled"]}
        check(cancelled == {one["uid"] for one in waiting}, preview, waiting)
        text = cluster.run("evictions", "cancel", "pod", waiting[0]["pod"], code=FINDINGS)[0]
        check(f"plimsoll taint node {node} {RISK}:NoExecute-" in text, text)
        cluster.run("taint", "node", node, f"{RISK}-", "--yes")
        check(not [one for one in cluster.tree("evictions")["evictions"]
                   if one["state"] == "Waiting"], "countdowns go on")
        check(cancelled <= cluster.pods().keys(), "they went all the same")


def a_drain_evicts_as_previewed(binary):
    with Server(binary, "--nodes=4", command="up", store="memory") as server:
        cluster = Previewed(server, binary)
        cluster.kubectl("create", "poddisruptionbudget", "hasty", "--selector=app=hasty",
                        "--min-available=2")
        cluster.await_true("the budget", lambda: cluster.get(
            "/apis/policy/v1/namespaces/default/poddisruptionbudgets/hasty")["status"].get(
                "disruptionsAllowed") == 1)
        node = cluster.busiest_node()
        preview = cluster.tree("drain", node, "--preview")
        going = {one["uid"] for one in preview["going"]}
        check("unschedulable" not in cluster.get(f"/api/v1/nodes/{node}")["spec"], "it was written")
        text = cluster.run("drain", node, "--yes", "--timeout", "60s")[0]
        check(f"node/{node} drained" in text, text)
        check(cluster.get(f"/api/v1/nodes/{node}")["spec"].get("unschedulable"), "not cordoned")
        cluster.settle()
        check(not going & cluster.pods().keys(), "they are still there")
        check(all(one["spec"]["nodeName"] != node for one in cluster.pods().values()), "on it")
        check(f"node/{node} uncordoned" in cluster.run("uncordon", node, "--yes")[0])
        check("unschedulable" not in cluster.get(f"/api/v1/nodes/{node}")["spec"], "cordoned")
        check(f"node/{node} cordoned" in cluster.run("cordon", node, "--yes")[0])


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], a_taint_evicts_as_previewed,
                  a_value_that_returns_cancels_as_previewed, a_drain_evicts_as_previewed))
