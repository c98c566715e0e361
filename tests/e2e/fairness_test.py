#!/usr/bin/env python3
"""fairness_test.py BINARY: checks API priority and fairness from outside: one tenant uses all it
can get, and another is still served. Idle requests hold no seat, floods of reads and writes leave
others their share, and FlowSchemas and PriorityLevelConfigurations apply."""

import pathlib
import sys
import tempfile
import threading
import time

from server import Server
from wire import BROKEN, Client, Credentials, dial, read_all

IDLE_REQUESTS = 400
FLOOD_CONNECTIONS = 48
PROMPT_SECONDS = 2.0  # far less than the flood would need to end
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
FLOW_CONTROL = "/apis/flowcontrol.apiserver.k8s.io/v1"
SCHEMAS = FLOW_CONTROL + "/flowschemas"
LEVELS = FLOW_CONTROL + "/prioritylevelconfigurations"
LEVEL_NAMES = {"exempt", "catch-all", "system", "node-high", "leader-election", "workload-high",
               "workload-low", "global-default"}
# Few seats, so that a flood is cheap.
LIMITS = ("--max-requests-inflight=20", "--max-mutating-requests-inflight=10")


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(part) for part in what))


class Tenants:
    """The administrator, tenant a that misbehaves, and tenant b that must not be affected."""

    def __init__(self, server):
        self.server = server
        self.credentials = Credentials(server)
        self.admin = Client(server, self.credentials.admin)
        status, answer = self.admin.request("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
            "metadata": {"name": "tenants"},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "edit"},
            "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": name}
                         for name in ("a", "b")]})
        check(status == 201, status, answer)

    def client(self, name):
        return Client(self.server, self.credentials.stranger, {"Authorization": f"Bearer token-{name}"})

    def metric(self, name, **labels):
        """Returns the sum of the series with these labels."""
        total = 0.0
        for line in self.admin.request("GET", "/metrics")[1].decode().splitlines():
            wanted = all(f'{key}="{value}"' in line for key, value in labels.items())
            if line.startswith(name + "{") and wanted:
                total += float(line.rsplit(" ", 1)[1])
        return total


def timed(client, method, path, body=None):
    began = time.monotonic()
    status, answer = client.request(method, path, body)
    return time.monotonic() - began, status, answer


def defaults_are_there(tenants):
    status, levels = tenants.admin.request("GET", LEVELS)
    check(status == 200, status)
    names = {item["metadata"]["name"] for item in levels["items"]}
    check(names == LEVEL_NAMES, "the priority levels are", names)
    _, schemas = tenants.admin.request("GET", SCHEMAS)
    check(len(schemas["items"]) == 13, "there are", len(schemas["items"]), "FlowSchemas")
    uids = {item["metadata"]["name"]: item["metadata"]["uid"]
            for item in levels["items"] + schemas["items"]}
    response = tenants.client("b").open("GET", CONFIG_MAPS)
    response.read()
    by_name = {item["metadata"]["name"]: item["metadata"]["uid"] for item in schemas["items"]}
    check(response.headers["X-Kubernetes-PF-FlowSchema-UID"] == by_name["global-default"],
          dict(response.headers))
    by_name = {item["metadata"]["name"]: item["metadata"]["uid"] for item in levels["items"]}
    check(response.headers["X-Kubernetes-PF-PriorityLevel-UID"] == by_name["global-default"], uids)
    deadline = time.monotonic() + 30
    while True:
        _, schema = tenants.admin.request("GET", f"{SCHEMAS}/probes")
        conditions = schema.get("status", {}).get("conditions", [])
        if [c["status"] for c in conditions if c["type"] == "Dangling"] == ["False"]:
            break
        check(time.monotonic() < deadline, "the condition Dangling is", conditions)
        time.sleep(0.05)


def mandatory_objects_are_fixed(tenants):
    for path in (f"{SCHEMAS}/catch-all", f"{LEVELS}/catch-all"):
        _, current = tenants.admin.request("GET", path)
        if "rules" in current["spec"]:
            current["spec"]["matchingPrecedence"] = 77
        else:
            current["spec"]["limited"]["nominalConcurrencyShares"] = 77
        status, answer = tenants.admin.request("PUT", path, current)
        check(status == 422 and "must equal the fixed value" in answer["message"], status, answer)


def idle_requests_hold_no_seat(tenants, path):
    """The attack: each request waits three seconds for a revision that never exists."""
    connections = [dial(tenants.server, tenants.credentials.stranger) for _ in range(IDLE_REQUESTS)]
    request = (f"GET {path}?resourceVersion=99999999 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
               "Authorization: Bearer token-a\r\n\r\n").encode()
    friend = tenants.client("b")
    timed(friend, "GET", CONFIG_MAPS)  # opens the connection
    for connection in connections:
        connection.sendall(request)
    for _ in range(20):
        seconds, status, answer = timed(friend, "GET", CONFIG_MAPS)
        check(status == 200, "the other tenant's list:", status, answer)
        check(seconds < PROMPT_SECONDS, "the other tenant's list took", seconds)
    seconds, status, answer = timed(friend, "POST", CONFIG_MAPS, {"metadata": {"generateName": "b-"}})
    check(status == 201 and seconds < PROMPT_SECONDS, "its create:", status, answer, seconds)
    answers = [read_all(connection) for connection in connections]
    for answer in answers:
        check(b" 504 " in answer[:20] and b"Too large resource version: 99999999" in answer, answer[:400])
    for connection in connections:
        connection.close()


class Flood:
    """Tenant a repeats one request on many connections until stopped."""

    def __init__(self, tenants, method, path, body=None):
        self.statuses = {}
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(tenants.client("a"), method, path, body))
                        for _ in range(FLOOD_CONNECTIONS)]

    def run(self, client, method, path, body):
        while not self.stopped.is_set():
            try:
                status, _ = client.request(method, path, body)
            except BROKEN:
                status = "broken"
            with self.lock:
                self.statuses[status] = self.statuses.get(status, 0) + 1

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopped.set()
        for thread in self.threads:
            thread.join()


def floods_leave_others_their_share(tenants):
    filler = "x" * 4000
    for i in range(300):
        status, answer = tenants.admin.request(
            "POST", CONFIG_MAPS, {"metadata": {"name": f"filler-{i}"}, "data": {"x": filler}})
        check(status == 201, status, answer)
    friend = tenants.client("b")
    floods = [("GET", f"{CONFIG_MAPS}?labelSelector=none%3Dfound", None),
              ("GET", CONFIG_MAPS, None),
              ("POST", CONFIG_MAPS, {"metadata": {"generateName": "a-"}})]
    for method, path, body in floods:
        with Flood(tenants, method, path, body) as flood:
            time.sleep(0.5)
            for i in range(10):
                seconds, status, answer = timed(friend, "GET", f"{CONFIG_MAPS}/filler-{i}")
                check(status == 200, "a get during a flood of", method, path, ":", status, answer)
                check(seconds < PROMPT_SECONDS, "a get during a flood of", method, path, "took", seconds)
                seconds, status, answer = timed(friend, "POST", CONFIG_MAPS,
                                                {"metadata": {"generateName": "b-"}})
                check(status == 201, "a create during a flood of", method, path, ":", status, answer)
                check(seconds < PROMPT_SECONDS, "a create during a flood of", method, path, "took", seconds)
        check(sum(flood.statuses.values()) > FLOOD_CONNECTIONS, "the flood was", flood.statuses)
    dispatched = tenants.metric("apiserver_flowcontrol_dispatched_requests_total",
                                flow_schema="global-default", priority_level="global-default")
    check(dispatched > 100, "dispatched:", dispatched)


def schemas_are_obeyed(tenants):
    level = {"metadata": {"name": "no-seats"},
             "spec": {"type": "Limited", "limited": {
                 "nominalConcurrencyShares": 0, "borrowingLimitPercent": 0,
                 "limitResponse": {"type": "Reject"}}}}
    schema = {"metadata": {"name": "a-is-out"},
              "spec": {"priorityLevelConfiguration": {"name": "no-seats"}, "matchingPrecedence": 50,
                       "rules": [{"subjects": [{"kind": "User", "user": {"name": "a"}}],
                                  "resourceRules": [{"verbs": ["list"], "apiGroups": [""],
                                                     "resources": ["configmaps"], "namespaces": ["*"]}]}]}}
    for path, body in ((LEVELS, level), (SCHEMAS, schema)):
        status, answer = tenants.admin.request("POST", path, body)
        check(status == 201, status, answer)
    out, friend = tenants.client("a"), tenants.client("b")
    response = out.open("GET", CONFIG_MAPS)
    text = response.read()
    check(response.status == 429 and response.headers["Retry-After"] == "1", response.status, text)
    check(text == b"Too many requests, please try again later.\n", text)
    check(friend.request("GET", CONFIG_MAPS)[0] == 200, "the other tenant's list")
    check(out.request("GET", f"{CONFIG_MAPS}/filler-1")[0] == 200, "a verb that the rule does not name")
    rejected = tenants.metric("apiserver_flowcontrol_rejected_requests_total",
                              flow_schema="a-is-out", reason="concurrency-limit")
    check(rejected == 1, "rejected:", rejected)
    check(tenants.admin.request("DELETE", f"{SCHEMAS}/a-is-out")[0] == 200, "the schema's deletion")
    check(out.request("GET", CONFIG_MAPS)[0] == 200, "without the schema")


def limits_without_fairness(binary, flags):
    with Server(binary, *flags, *LIMITS, "--enable-priority-and-fairness=false", store="memory") as server:
        tenants = Tenants(server)
        response = tenants.client("b").open("GET", CONFIG_MAPS)
        response.read()
        check(response.status == 200, response.status)
        check(response.headers["X-Kubernetes-PF-FlowSchema-UID"] is None, dict(response.headers))


def main():
    with tempfile.TemporaryDirectory() as directory:
        tokens = pathlib.Path(directory) / "tokens.csv"
        tokens.write_text('token-a,a,1,"tenants"\ntoken-b,b,2,"tenants"\n')
        flags = [f"--token-auth-file={tokens}"]
        with Server(sys.argv[1], *flags, *LIMITS, store="memory") as server:
            tenants = Tenants(server)
            defaults_are_there(tenants)
            mandatory_objects_are_fixed(tenants)
            idle_requests_hold_no_seat(tenants, CONFIG_MAPS)
            idle_requests_hold_no_seat(tenants, CONFIG_MAPS + "/any")
            floods_leave_others_their_share(tenants)
            schemas_are_obeyed(tenants)
            check(server.stop() == 0, "the server's end")
        limits_without_fairness(sys.argv[1], flags)
    print("fairness: one tenant's idle requests and floods leave another its share")


if __name__ == "__main__":
    main()
