#!/usr/bin/env python3
"""explain_test.py BINARY: checks `plimsoll explain pod` on a server without scheduler, so that the
answers are its own: pods that are pending, would fit, are bound, will be evicted, or do not
exist."""

import json
import os
import subprocess
import sys
import tempfile

from cluster import Cluster, Scenes, check, node, pod, taint, toleration
from server import Server

RISK = "failure-probability"
OK, FINDINGS, USAGE = 0, 1, 2
FAILURE = FINDINGS


class Explained(Cluster):
    """A cluster of three nodes for `plimsoll explain pod`."""

    def __init__(self, server, binary):
        super().__init__(server)
        self.binary = binary
        self.apply(node("safe", [taint(RISK, "1")], cpu="1"),
                   node("line", [taint(RISK, "5")]),
                   node("spot", [taint(RISK, "20")]))

    def explain(self, *words, code, stdin=None, kubeconfig=None):
        """Returns the output of both streams."""
        done = subprocess.run(
            [self.binary, "explain", "pod", *words],
            env={**os.environ, "KUBECONFIG": str(kubeconfig or self.server.kubeconfig)},
            input=stdin, capture_output=True, text=True, timeout=60, check=False)
        check(done.returncode == code, *words, "gave", done.returncode, done.stdout, done.stderr)
        return done.stdout + done.stderr


def risky(name, limit, **spec):
    return pod(name, [toleration(RISK, "Lt", limit)], **spec)


def says(text, *pieces):
    for piece in pieces:
        check(piece in text, "want", repr(piece), "in", text)


def a_pod_that_fits_nowhere(cluster):
    cluster.apply(risky("large", "5", containers=[
        {"name": "c", "image": "i", "resources": {"requests": {"cpu": "1300m"}}}]))
    says(cluster.explain("large", code=FINDINGS),
         "3 nodes → 1 after taints → 0 after resources\n",
         f"2 nodes: node(s) had untolerated taint {{{RISK}: ",
         f"nearest: line: taint {RISK}=5:NoSchedule: toleration 0 (Lt 5): taint 5 is not less than 5\n",
         "safe: 300m cpu short: the pod wants 1300m, 1 of 1 are free\n")
    answer = json.loads(cluster.explain("large", "-o", "json", "--all-nodes", code=FINDINGS))
    check([stage["left"] for stage in answer["placement"]["funnel"]] == [1, 0], answer)
    check([one["node"] for one in answer["nodes"]] == ["line", "safe", "spot"], answer)


def a_pod_that_is_only_a_file(cluster):
    text = cluster.explain("-f", "-", code=OK, stdin=json.dumps(risky("idea", "6")))
    says(text, "Pod default/idea: can be placed\n3 nodes → 2 after taints\n", "2 nodes fit:\n")
    names = cluster.kubectl("get", "pods", "-o", "name")
    check("idea" not in names, "asking has created the pod:", names)


def a_bound_pod_whose_taint_crosses_the_line(cluster):
    guest = risky("guest", "6", nodeName="line")
    guest["spec"]["tolerations"][0].update(effect="NoExecute", tolerationSeconds=600)
    guest["spec"]["tolerations"].append(toleration(RISK, "Lt", "6"))
    cluster.apply(guest)
    says(cluster.explain("guest", code=OK), "bound to line since ", "It would be accepted there again")
    cluster.kubectl("taint", "nodes", "line", f"{RISK}=15:NoExecute")
    says(cluster.explain("guest", code=FINDINGS), "It would not be accepted there again:\n",
         "It is to be evicted at ", "taint 15 is not less than 6")


def names_that_are_not_there(cluster):
    says(cluster.explain("larg", code=FAILURE), 'no pod "larg" in namespace "default"; did you mean large?')
    says(cluster.explain("large", "-n", "kube-system", code=FAILURE), "-n default")
    says(cluster.explain("large", "--node", "sfae", code=FAILURE), "did you mean safe?")
    says(cluster.explain("--nodes", "nodes.yaml", code=USAGE), "--nodes wants a pod from a file")


def a_server_that_does_not_answer(cluster):
    with tempfile.NamedTemporaryFile("w", suffix=".kubeconfig") as file:
        text = cluster.server.kubeconfig.read_text()
        file.write(text.replace(f":{cluster.server.port}", ":9"))
        file.flush()
        says(cluster.explain("large", code=FAILURE, kubeconfig=file.name),
             "the server does not answer: ", f"of {file.name}. Is it running?", "`plimsoll up` starts one")


def main(binary):
    scenes = Scenes()
    with Server(binary) as server:
        scenes.run(Explained(server, binary), a_pod_that_fits_nowhere, a_pod_that_is_only_a_file,
                   a_bound_pod_whose_taint_crosses_the_line, names_that_are_not_there,
                   a_server_that_does_not_answer)
    return scenes.outcome()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
