#!/usr/bin/env python3
"""failover_times.py BINARY [ROUNDS]: measures how long a client waits when a process is killed. The
control plane has two API servers and three etcd members on this machine, and upstream's lease
times. Prints minimum, median and maximum."""

import signal
import statistics
import subprocess
import sys
import time

import etcd
from cluster import check, node
from fleet import Fleet

MAPS = "/api/v1/namespaces/default/configmaps"
PODS = "/api/v1/namespaces/default/pods"


class Times:
    def __init__(self, fleet, rounds):
        self.fleet = fleet
        self.rounds = rounds
        self.client = fleet.client(timeout=15)
        self.count = 0

    def name(self):
        self.count += 1
        return f"thing-{self.count}"

    def write(self):
        """Retries one write at both servers until it is acknowledged."""
        name = self.name()
        self.client.retry("POST", MAPS, {"apiVersion": "v1", "kind": "ConfigMap",
                                         "metadata": {"name": name}}, accepts=(201, 409))

    def measure(self, what, strike, work, heal):
        taken = []
        for _ in range(self.rounds):
            work()
            strike()
            began = time.monotonic()
            work()
            taken.append(time.monotonic() - began)
            heal()
        print(f"{what:<58} {min(taken):6.2f} {statistics.median(taken):6.2f} {max(taken):6.2f} s",
              flush=True)

    def bind(self):
        """Creates a pod and waits until it is bound."""
        name = self.name()
        self.client.retry("POST", PODS, {
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"containers": [{"name": "c", "image": "registry.example.com/c:1"}]}},
            accepts=(201, 409))
        deadline = time.monotonic() + 60
        while "nodeName" not in self.client.get(f"{PODS}/{name}")["spec"]:
            check(time.monotonic() < deadline, name, "is not bound")
            time.sleep(0.01)

    def leading_part(self, command):
        """Returns the leader of the two, according to their logs."""
        parts = [part for (name, _), part in self.fleet.parts.items() if name == command]
        led = [part.log_path.read_text().count("Became leader") for part in parts]
        lost = [part.log_path.read_text().count("Stopped leading") for part in parts]
        return next((part for part, a, b in zip(parts, led, lost)
                     if a > b and part.process.poll() is None), None)

    def kill_scheduler(self):
        part = self.leading_part("scheduler")
        check(part is not None, "no scheduler leads")
        part.stop(signal.SIGKILL)
        part.log_path.write_text("")

    def kill_server(self):
        self.fleet.servers[self.client.current].stop(signal.SIGKILL)

    def start_servers(self):
        for server in self.fleet.servers:
            if server.process is None:
                server.start()
        self.fleet.keep_running()

    def kill_etcd_leader(self):
        self.fleet.etcd.leader().kill()

    def kubectl(self):
        """Retries with both kubeconfigs, as a script would."""
        deadline = time.monotonic() + 60
        name = self.name()
        while True:
            for cluster in self.fleet.clusters:
                done = subprocess.run(
                    [cluster.kubectl_path, "--kubeconfig", str(cluster.server.kubeconfig), "create",
                     "configmap", name], capture_output=True, text=True, check=False)
                if done.returncode == 0 or "AlreadyExists" in done.stderr:
                    return
            check(time.monotonic() < deadline, "kubectl does not get through:", done.stderr)


def main():
    if not etcd.is_installed():
        print("there is no etcd")
        return 77
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with Fleet(sys.argv[1], lease_flags=(), controllers="taint-eviction-controller") as fleet:
        times = Times(fleet, rounds)
        for number in range(3):
            times.client.retry("POST", "/api/v1/nodes", node(f"node-{number}", cpu="64"))
            times.client.retry("PATCH", f"/api/v1/nodes/node-{number}", {"spec": {"taints": []}},
                               "application/merge-patch+json")
        print(f"{'from the kill until it works again':<58} {'least':>6} {'median':>6} {'most':>6}")
        nothing = lambda: None  # pylint: disable=unnecessary-lambda-assignment
        times.measure("nothing killed: a write", nothing, times.write, nothing)
        times.measure("API server killed: a write of a client that knows both", times.kill_server,
                      times.write, times.start_servers)
        times.measure("API server killed: kubectl create, with the other next", times.kill_server,
                      times.kubectl, times.start_servers)
        times.measure("etcd's leader killed: a write", times.kill_etcd_leader, times.write,
                      fleet.etcd.start_missing)
        times.measure("nothing killed: a pod is created and bound", nothing, times.bind, nothing)
        times.measure("leading scheduler killed: a pod is created and bound", times.kill_scheduler,
                      times.bind, fleet.keep_running)
    return 0


if __name__ == "__main__":
    sys.exit(main())
