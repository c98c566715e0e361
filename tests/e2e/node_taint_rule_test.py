#!/usr/bin/env python3
"""node_taint_rule_test.py BINARY: checks NodeTaintRules with a real Prometheus that scrapes a small exporter: a value
crosses a threshold and comes back, the exporter dies, a rival owns the taint, a rule expires, and the controller is
killed in the middle."""

import contextlib
import http.server
import json
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

from cluster import Cluster, Component, await_true, check, play, pod, toleration
from server import Server

KEY = "failure-probability"
RULES = "/apis/plimsoll.io/v1alpha1/nodetaintrules"
GRACE_SECONDS = 8
SECONDS_MAX = 60


class Exporter:
    """Serves one metric per node."""

    def __init__(self):
        self.values = {}
        exporter = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # noqa: N802
                lines = [f'node_failure_probability{{node="{node}"}} {value}' for node, value in exporter.values.items()]
                body = ("\n".join(lines) + "\n").encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.handler = Handler
        self.server = None
        self.port = free_port()

    def start(self):
        http.server.ThreadingHTTPServer.allow_reuse_address = True
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), self.handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()
            self.server = None


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextlib.contextmanager
def prometheus(directory, exporter):
    """Runs Prometheus, and returns its URL."""
    address = f"127.0.0.1:{free_port()}"
    (directory / "prometheus.yml").write_text(json.dumps({
        "global": {"scrape_interval": "1s"},
        "scrape_configs": [{"job_name": "exporter", "honor_labels": True,
                            "static_configs": [{"targets": [f"127.0.0.1:{exporter.port}"]}]}]}))
    with open(directory / "prometheus.log", "wb") as log:
        process = subprocess.Popen(
            ["prometheus", f"--config.file={directory}/prometheus.yml", f"--storage.tsdb.path={directory}/tsdb",
             f"--web.listen-address={address}", "--query.lookback-delta=5s"], stdout=log, stderr=log)
    try:
        def is_ready():
            try:
                return urllib.request.urlopen(f"http://{address}/-/ready", timeout=5).status == 200
            except OSError:
                return False
        await_true("Prometheus", is_ready, SECONDS_MAX)
        yield f"http://{address}"
    finally:
        process.terminate()
        process.wait(timeout=60)


class Rules(Cluster):
    """A server with nodes, a controller-manager in its own process, and a rule's neighbourhood."""

    def __init__(self, server, binary, exporter, url):
        super().__init__(server)
        self.exporter = exporter
        self.url = url
        self.nodes = [one["metadata"]["name"] for one in self.get("/api/v1/nodes")["items"]]
        self.manager = Component("controller-manager", binary, server, "--no-leader-elect",
                                 "--controllers=node-taint-rule")

    def rule(self, name, spec):
        self.kubectl("apply", "-f", "-", stdin=json.dumps(
            {"apiVersion": "plimsoll.io/v1alpha1", "kind": "NodeTaintRule", "metadata": {"name": name}, "spec": spec}))

    def metric_rule(self, **spec):
        self.rule("risk", {
            "nodes": {}, "taint": {"key": KEY, "effect": "NoExecute"},
            "value": {"prometheus": {"server": self.url, "query": "node_failure_probability * 100", "interval": "1s"}},
            "step": 5, **spec})

    def condition(self, name, kind):
        status, rule = self.client.request("GET", f"{RULES}/{name}")
        check(status == 200, name, status, rule)
        for one in rule.get("status", {}).get("conditions", []):
            if one["type"] == kind:
                return one["status"]
        return None

    def taints(self, node):
        return {one["key"]: one.get("value", "") for one in self.get(f"/api/v1/nodes/{node}")["spec"].get("taints", [])}

    def set_value(self, node, value):
        self.exporter.values[node] = value

    def await_value(self, node, value):
        await_true(f"the value {value} on {node}", lambda: self.taints(node).get(KEY) == value, SECONDS_MAX)

    def place(self, name, node, seconds=GRACE_SECONDS):
        """Runs a pod that tolerates values below 50, and others for some seconds."""
        one = pod(name, [{**toleration(KEY, "Lt", "50", "NoExecute")},
                         {"key": KEY, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": seconds}],
                  nodeSelector={"kubernetes.io/hostname": node})
        self.kubectl("apply", "-f", "-", stdin=json.dumps(one))
        await_true(f"{name} runs", lambda: self.pod(name).get("status", {}).get("phase") == "Running", SECONDS_MAX)

    def is_there(self, name):
        status, one = self.client.request("GET", f"/api/v1/namespaces/default/pods/{name}")
        return status == 200 and "deletionTimestamp" not in one["metadata"]

    def end(self, name):
        self.kubectl("delete", "nodetaintrule", name)
        for node in self.nodes:
            check(KEY not in self.taints(node), "a taint outlives its rule on", node)

    def kill_manager(self):
        self.manager.stop(signal.SIGKILL)
        self.manager.start()


def crosses_and_returns(c):
    """The value crosses the threshold: the pod is evicted after its grace. It returns in time: the pod stays."""
    first, second = c.nodes[:2]
    for node in c.nodes:
        c.set_value(node, 0.1)
    c.metric_rule()
    c.await_value(first, "10")
    c.place("goes", first)
    c.place("stays", second, 30)
    c.set_value(first, 0.8)
    c.set_value(second, 0.8)
    c.await_value(first, "80")
    began = time.monotonic()
    c.await_value(second, "80")
    c.set_value(second, 0.2)
    c.await_value(second, "20")
    await_true("the eviction", lambda: not c.is_there("goes"), SECONDS_MAX)
    check(time.monotonic() - began > GRACE_SECONDS / 2, "evicted without grace")
    time.sleep(2)
    check(c.is_there("stays"), "evicted although the value returned")
    shown = c.kubectl("get", "nodetaintrules", "risk")
    check(KEY in shown and "NoExecute" in shown and "HEALTHY" in shown, shown)
    await_true("the values in the status", lambda: c.get(f"{RULES}/risk").get("status", {}).get(
        "values", {}).get("max") == "80", SECONDS_MAX)
    check(c.condition("risk", "SourceHealthy") == "True", c.get(f"{RULES}/risk")["status"])
    c.set_value(first, 0.1)
    c.await_value(first, "10")


def survives_a_kill(c):
    """The controller is killed while a countdown runs: the pod goes at its time, and nothing is written twice."""
    first = c.nodes[0]
    c.place("killed", first)
    c.set_value(first, 0.9)
    c.await_value(first, "90")
    before = c.get(f"/api/v1/nodes/{first}")["metadata"]["annotations"]["taint-rule.plimsoll.io/risk"]
    c.kill_manager()
    await_true("the eviction", lambda: not c.is_there("killed"), SECONDS_MAX)
    after = c.get(f"/api/v1/nodes/{first}")["metadata"]["annotations"]["taint-rule.plimsoll.io/risk"]
    check(before == after, "the taint was written again:", before, after)
    c.set_value(first, 0.1)
    c.await_value(first, "10")


def a_dead_exporter_evicts_nobody(c):
    """Without values the taints stay, and the rule reports it."""
    first = c.nodes[0]
    c.place("careful", first, 1)
    c.metric_rule(stale={"after": "3s", "then": "Value", "value": "100"})
    c.exporter.stop()
    await_true("SourceHealthy is False", lambda: c.condition("risk", "SourceHealthy") == "False", SECONDS_MAX)
    time.sleep(8)
    check(c.taints(first).get(KEY) == "10" and c.is_there("careful"), "a dead source changed", c.taints(first))
    c.exporter.start()
    await_true("SourceHealthy is True", lambda: c.condition("risk", "SourceHealthy") == "True", SECONDS_MAX)
    c.end("risk")


def a_rival_keeps_its_taint(c):
    """A taint that an administrator has set is reported as a conflict and stays."""
    first = c.nodes[0]
    c.kubectl("taint", "nodes", first, f"{KEY}=7:NoExecute")
    c.rule("rival", {"nodes": {"names": [first]}, "taint": {"key": KEY, "effect": "NoExecute"},
                     "value": {"constant": "5"}})
    await_true("the conflict", lambda: c.condition("rival", "Conflict") == "True", SECONDS_MAX)
    check(c.taints(first)[KEY] == "7", c.taints(first))
    conflict = c.get(f"{RULES}/rival")["status"]["conflicts"][0]
    check(conflict["node"] == first and conflict["value"] == "7" and conflict["manager"], conflict)
    c.kubectl("delete", "nodetaintrule", "rival")
    check(c.taints(first)[KEY] == "7", "the rule removed another's taint")
    c.kubectl("taint", "nodes", first, f"{KEY}-")


def expires(c):
    """The taint and its rule go when the time is over."""
    first = c.nodes[0]
    end = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 6))
    c.rule("repair", {"nodes": {"names": [first]}, "taint": {"key": "repair", "effect": "NoSchedule"},
                      "value": {"constant": "disk"}, "expires": end, "description": "change the disk"})
    await_true("the taint", lambda: c.taints(first).get("repair") == "disk", SECONDS_MAX)
    await_true("its end", lambda: "repair" not in c.taints(first), SECONDS_MAX)
    await_true("the end of the rule", lambda: c.client.request("GET", f"{RULES}/repair")[0] == 404, SECONDS_MAX)


def main(binary):
    if shutil.which("prometheus") is None:
        print("node_taint_rule_test: no prometheus here; nothing was tested")
        return 77
    exporter = Exporter()
    exporter.start()
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(
            binary, "--nodes=4", "--controllers=*,-node-taint-rule", command="up"))
        url = stack.enter_context(prometheus(server.directory, exporter))
        c = Rules(server, binary, exporter, url)
        stack.enter_context(c.manager)
        await_true("ready nodes", lambda: all(not c.taints(node) for node in c.nodes), SECONDS_MAX)
        return play(c, crosses_and_returns, survives_a_kill, a_dead_exporter_evicts_nobody, a_rival_keeps_its_taint,
                    expires)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
