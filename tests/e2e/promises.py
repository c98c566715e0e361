"""Checks the scheduler and the controllers from outside during faults: no pod is bound twice, no
node is overcommitted, no pod is evicted too early, and none is forgotten."""

import datetime
import json
import threading
import time

from cluster import check, node
from wire import BROKEN, Client

PODS = "/api/v1/namespaces/default/pods"
NODES = [f"node-{number}" for number in range(4)]
CPUS = 4  # of a node; a pod requests one
GRACE_SECONDS = 3
TAINT = {"key": "leaks", "value": "yes", "effect": "NoExecute"}
MERGE = "application/merge-patch+json"


def pod(name, tolerates):
    """`tolerates` is "ever", "while" (for GRACE_SECONDS) or "not"."""
    toleration = {"key": TAINT["key"], "operator": "Exists", "effect": "NoExecute"}
    if tolerates == "while":
        toleration["tolerationSeconds"] = GRACE_SECONDS
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name},
            "spec": {"terminationGracePeriodSeconds": 0,
                     "tolerations": [] if tolerates == "not" else [toleration],
                     "containers": [{"name": "c", "image": "registry.example.com/c:1",
                                     "resources": {"requests": {"cpu": "1"}}}]}}


class Watcher(threading.Thread):
    """Records the changes of pods in order, with the times of observation."""

    def __init__(self, fleet, since):
        super().__init__(daemon=True)
        self.clients = [Client(server, fleet.credentials.admin, timeout=6)
                        for server in fleet.servers]
        self.reached = since
        self.lock = threading.Lock()
        self.nodes = {}  # uid -> node
        # If a server dies during a deletion, the pod may keep its deletionTimestamp until a kubelet
        # deletes it, as upstream; there is no kubelet here.
        self.leaving = {}  # name -> time at which its deletion was first seen
        self.gone = set()
        self.bound = {}  # name -> node
        self.faults = []
        self.is_over = False

    def run(self):
        number = 0
        while not self.is_over:
            client = self.clients[number % 2]
            number += 1
            try:
                response = client.open("GET", f"{PODS}?watch=true&allowWatchBookmarks=true"
                                       f"&timeoutSeconds=5&resourceVersion={self.reached}")
                while response.status == 200 and (line := response.readline()).endswith(b"\n"):
                    self.take(json.loads(line))
            except BROKEN:
                time.sleep(0.05)
            client.close()

    def take(self, event):
        thing = event["object"]
        with self.lock:
            if event["type"] == "ERROR":
                self.faults.append(f"the watch of pods ended: {event}")
                return
            self.reached = int(thing["metadata"]["resourceVersion"])
            if event["type"] != "BOOKMARK":
                self.take_pod(event["type"], thing["metadata"], thing["spec"].get("nodeName"))

    def take_pod(self, kind, metadata, place):
        uid, name = metadata["uid"], metadata["name"]
        if kind == "DELETED" or "deletionTimestamp" in metadata:
            self.leaving.setdefault(name, time.time())
        before = self.nodes.get(uid)
        if before is not None and place != before:
            self.faults.append(f"{name} was on {before} and then on {place}")
        if kind == "DELETED":
            self.nodes.pop(uid, None)
            self.gone.add(name)
            return
        if place is not None and before is None:
            self.nodes[uid] = self.bound[name] = place
            there = sum(1 for one in self.nodes.values() if one == place)
            if there > CPUS:
                self.faults.append(f"{place} has {there} pods and room for {CPUS}")


class Promises:
    def __init__(self, fleet):
        self.fleet = fleet
        self.client = fleet.client(timeout=20)
        for name in NODES:
            self.client.retry("POST", "/api/v1/nodes", node(name, cpu=str(CPUS)), accepts=(201, 409))
            self.set_taints(name, [])
        listed = self.client.get(PODS)
        self.watcher = Watcher(fleet, int(listed["metadata"]["resourceVersion"]))
        self.watcher.start()
        self.wanted = {}  # name -> "ever", "while" or "not"
        self.tainted = None
        self.counts = {"bound": 0, "evicted": 0}

    def set_taints(self, name, taints):
        return self.client.retry("PATCH", f"/api/v1/nodes/{name}", {"spec": {"taints": taints}}, MERGE)

    def begin(self, number):
        """Creates pods that fill three quarters of the nodes."""
        self.wanted = {f"r{number}-{tolerates}-{i}": tolerates
                       for i in range(CPUS) for tolerates in ("ever", "while", "not")}
        self.create(self.wanted)
        self.await_all("a pod to be bound", lambda name: name in self.watcher.bound)

    def create(self, wanted):
        for name, tolerates in wanted.items():
            self.client.retry("POST", PODS, pod(name, tolerates), accepts=(201, 409))

    def stir(self, number):
        """Taints a node and creates more pods during the fault."""
        with self.watcher.lock:
            places = [self.watcher.bound[name] for name, how in self.wanted.items()
                      if how == "while"]
        place = max(NODES, key=places.count)
        now = self.set_taints(place, [TAINT])
        # timeAdded has whole seconds; tolerationSeconds count from it.
        added = next(one["timeAdded"] for one in now["spec"]["taints"] if one["key"] == TAINT["key"])
        since = datetime.datetime.strptime(added + "+0000", "%Y-%m-%dT%H:%M:%SZ%z").timestamp()
        self.tainted = place, since
        more = {f"r{number}-more-{i}": "not" for i in range(2)}
        self.wanted |= more
        self.create(more)

    def await_all(self, what, holds, seconds=40):
        deadline = time.monotonic() + seconds
        while True:
            with self.watcher.lock:
                missing = [name for name in self.wanted if not holds(name)]
            if not missing:
                return
            check(time.monotonic() < deadline, what, "is forgotten:", *missing, "which is",
                  self.client.read(f"{PODS}/{missing[0]}"), self.watcher.faults)
            self.fleet.keep_running()
            time.sleep(0.05)

    def end(self):
        """After the fault, checks that all pods are bound, and that the right ones were evicted,
        not too early."""
        watcher, (place, since) = self.watcher, self.tainted
        self.await_all("a pod to be bound", lambda name: name in watcher.bound)
        self.await_all("an eviction", lambda name: name in watcher.leaving or self.may_stay(name))
        with watcher.lock:
            for name, when in watcher.leaving.items():
                if name not in self.wanted:
                    continue
                check(watcher.bound[name] == place and self.wanted[name] != "ever", name, "on",
                      watcher.bound[name], "was evicted without a reason")
                check(self.wanted[name] != "while" or when - since >= GRACE_SECONDS, name,
                      "was evicted after", when - since, "seconds")
                self.counts["evicted"] += 1
            self.counts["bound"] += len(self.wanted)
            check(not watcher.faults, *watcher.faults)
            staying = [name for name in self.wanted if name not in watcher.gone]
        for name in staying:
            self.client.retry("DELETE", f"{PODS}/{name}", {"gracePeriodSeconds": 0},
                              accepts=(200, 404))
        self.await_all("a deletion", lambda name: name in watcher.gone)
        self.set_taints(place, [])

    def may_stay(self, name):
        return self.watcher.bound[name] != self.tainted[0] or self.wanted[name] == "ever"

    def text(self):
        return f"{self.counts['bound']} pods bound, {self.counts['evicted']} evicted in time"
