#!/usr/bin/env python3
"""documents_test.py BINARY: runs the queries by which the design documents and
examples/feature-users.sh find users of numeric, semver and CEL tolerations, in a shell with every
installed kubectl."""

import json
import os
import pathlib
import subprocess
import sys
import time

from server import Server, kubectls
from wire import administrator

TIMEOUT_SECONDS = 60
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "examples" / "feature-users.sh"

TOLERATIONS = ("""kubectl get pods -A -o jsonpath='{range .items[*]}{.metadata.name}{": "}"""
               """{.spec.tolerations[?(@.operator=="%s")]}{"\\n"}{end}' | grep -v "^[^:]*: *$\"""")
AFFINITY = ("""kubectl get pods -A -o jsonpath='{range .items[*]}{.metadata.name}{": "}"""
            """{.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"""
            """.nodeSelectorTerms[*].matchExpressions[?(@.operator=="%s")]}{"\\n"}{end}'"""
            """ | grep -v "^[^:]*: *$\"""")
EXPRESSIONS = ("""kubectl get pods -A -o jsonpath='{range .items[*]}{.metadata.namespace}/"""
               """{.metadata.name}: {.spec.tolerations[?(@.expression)]}{"\\n"}{end}'"""
               """ | grep -v ": \\[\\]$\"""")
NODE_LINES = ("""kubectl get nodes -o jsonpath='{range .items[*]}"""
              """{.spec.taints[?(@.key=="node.kubernetes.io/sla")]}{"\\n"}{end}'""")


def toleration(operator, value, key="node.kubernetes.io/sla"):
    return {"key": key, "operator": operator, "value": value, "effect": "NoSchedule"}


GT, LT = toleration("Gt", "949"), toleration("Lt", "5", "example.com/failures")
GT_AGAIN = toleration("Gt", "10", "example.com/generation")
SEMVER_GT = toleration("SemverGt", "1.20.0", "example.com/driver")
SEMVER_LT = toleration("SemverLt", "2.0.0", "example.com/driver")
SEMVER_EQ = toleration("SemverEq", "1.21.3", "example.com/driver")
CEL = {"expression": 'taint.key == "node.kubernetes.io/sla" && int(taint.value) >= 950'}


def term(*operators):
    return {"matchExpressions": [requirement(operator) for operator in operators]}


def requirement(operator):
    return {"key": "example.com/kernel", "operator": operator, "values": ["5.10.0"]}


# Name: tolerations and required node selector terms. Pods at odd positions are in another
# namespace.
PODS = {
    "plain": ([], []),
    "classic": ([toleration("Equal", "950")], [term("In")]),
    "numeric": ([GT, LT], []),
    "numeric-twice": ([toleration("Equal", "950"), GT, GT_AGAIN], []),
    "semver": ([SEMVER_GT, SEMVER_LT, SEMVER_EQ], []),
    "semver-affinity": ([], [term("In", "SemverGt"), term("SemverLt"), term("SemverGt")]),
    "semver-pinned": ([SEMVER_EQ], [term("SemverEq")]),
    "cel": ([CEL], []),
}
NODES = {"bare": [], "spot": [{"key": "node.kubernetes.io/sla", "value": "950",
                               "effect": "NoSchedule"}],
         "gpu": [{"key": "example.com/driver", "value": "1.21.3", "effect": "NoSchedule"}]}

# Expected result of each query, by pod.
FOUND = [
    (TOLERATIONS % "Gt", {"numeric": [GT], "numeric-twice": [GT, GT_AGAIN]}),
    (TOLERATIONS % "SemverGt", {"semver": [SEMVER_GT]}),
    (TOLERATIONS % "SemverLt", {"semver": [SEMVER_LT]}),
    (TOLERATIONS % "SemverEq", {"semver": [SEMVER_EQ], "semver-pinned": [SEMVER_EQ]}),
    (AFFINITY % "SemverGt", {"semver-affinity": [requirement("SemverGt"),
                                                 requirement("SemverGt")]}),
    (AFFINITY % "SemverEq", {"semver-pinned": [requirement("SemverEq")]}),
    (AFFINITY % "SemverLt", {"semver-affinity": [requirement("SemverLt")]}),
]

# Objects other than pods that use an operator.
DEVICE_LT = {"key": "example.com/failures", "operator": "Lt", "value": "5", "effect": "NoExecute"}
OTHERS = {
    "/apis/apps/v1/namespaces/odd/deployments": {
        "metadata": {"name": "web"},
        "spec": {"replicas": 0, "selector": {"matchLabels": {"app": "web"}},
                 "template": {"metadata": {"labels": {"app": "web"}},
                              "spec": {"containers": [{"name": "c", "image": "i"}],
                                       "tolerations": [LT, SEMVER_EQ, CEL]}}}},
    "/api/v1/persistentvolumes": {
        "metadata": {"name": "disk"},
        "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
                 "hostPath": {"path": "/disk"},
                 "nodeAffinity": {"required": {"nodeSelectorTerms": [term("SemverLt")]}}}},
    "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims": {
        "metadata": {"name": "gpu"},
        "spec": {"devices": {"requests": [
            {"name": "one", "exactly": {"deviceClassName": "gpu", "tolerations": [DEVICE_LT]}}]}}},
    "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates": {
        "metadata": {"name": "gpus"},
        "spec": {"spec": {"devices": {"requests": [
            {"name": "one", "firstAvailable": [
                {"name": "a", "deviceClassName": "gpu", "tolerations": [DEVICE_LT]}]}]}}}},
}
# Output lines of examples/feature-users.sh, by its arguments.
USERS = {
    "Lt Gt": {"Pod default/numeric": [GT], "Pod odd/numeric-twice": [GT, GT_AGAIN],
              "Deployment odd/web": [LT], "ResourceClaim default/gpu": [DEVICE_LT],
              "ResourceClaimTemplate default/gpus": [DEVICE_LT]},
    "SemverLt": {"Pod default/semver": [SEMVER_LT],
                 "Pod odd/semver-affinity": [requirement("SemverLt")],
                 "PersistentVolume /disk": [requirement("SemverLt")]},
    "SemverGt": {"Pod default/semver": [SEMVER_GT],
                 "Pod odd/semver-affinity": [requirement("SemverGt"), requirement("SemverGt")]},
    "SemverEq": {"Pod default/semver": [SEMVER_EQ],
                 "Pod default/semver-pinned": [SEMVER_EQ, requirement("SemverEq")],
                 "Deployment odd/web": [SEMVER_EQ]},
    "expression": {"Pod odd/cel": [CEL], "Deployment odd/web": [CEL]},
}


def namespace_of(position):
    return ("default", "odd")[position % 2]


def prepare(client):
    def create(path, body):
        code, answer = client.request("POST", path, body)
        if code != 201:
            raise RuntimeError(f"POST {path}: {code} {answer}")

    create("/api/v1/namespaces", {"metadata": {"name": "odd"}})
    for name, taints in NODES.items():
        create("/api/v1/nodes", {"metadata": {"name": name}, "spec": {"taints": taints}})
    for position, (name, (tolerations, terms)) in enumerate(PODS.items()):
        spec = {"containers": [{"name": "c", "image": "i"}], "tolerations": tolerations}
        if terms:
            spec["affinity"] = {"nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
        create(f"/api/v1/namespaces/{namespace_of(position)}/pods",
               {"metadata": {"name": name}, "spec": spec})
    for path, body in OTHERS.items():
        create(path, body)


def objects_in(text):
    """Returns the JSON objects of a line; kubectl separates them with a space."""
    decoder, found, text = json.JSONDecoder(), [], text.strip()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].lstrip()
    return found


def lines_of(output):
    """Returns {name: objects} for lines `name: objects`, in the order of the lines."""
    return {name: objects_in(rest) for name, rest in
            (line.split(": ", 1) for line in output.splitlines())}


class Shell:
    """A shell in which `kubectl` is one specific version."""

    def __init__(self, binary, server, name):
        tools = server.directory / f"tools-{name}"
        tools.mkdir()
        (tools / "kubectl").symlink_to(pathlib.Path(binary).resolve())
        self.environment = dict(os.environ, KUBECONFIG=str(server.kubeconfig), HOME=str(tools),
                                PATH=f"{tools}:{os.environ['PATH']}")

    def run(self, command):
        done = subprocess.run(["sh", "-c", command], text=True, capture_output=True,
                              timeout=TIMEOUT_SECONDS, env=self.environment, check=False)
        if done.stderr or done.returncode != 0:
            return f"exit {done.returncode}: {done.stdout}{done.stderr}"
        return done.stdout


def expect(failures, name, command, output, read, wanted):
    try:
        got = read(output)
    except ValueError:
        got = None
    if got != wanted:
        failures.append(f"{name}: {command}\n  said {output}\n  wanted {wanted}")


def ask(shell, name):
    """Runs all queries. Returns their number and the failures."""
    failures = []
    for command, wanted in FOUND:
        expect(failures, name, command, shell.run(command), lines_of, wanted)
    # kubectl prints nothing for an empty result, while this query's grep looks for []. So pods
    # without an expression stay in the list, with nothing after the colon.
    everyone = {f"{namespace_of(position)}/{pod}": [CEL] if pod == "cel" else []
                for position, pod in enumerate(PODS)}
    expect(failures, name, EXPRESSIONS, shell.run(EXPRESSIONS), lines_of, everyone)
    # A node without the taint gives an empty line, so that `wc -l` counts all nodes.
    taints = sorted((NODES[node] if node == "spot" else [] for node in NODES), key=str)
    expect(failures, name, NODE_LINES, shell.run(NODE_LINES),
           lambda output: sorted(map(objects_in, output.splitlines()), key=str), taints)
    count = NODE_LINES + " | wc -l"
    expect(failures, name, count, shell.run(count), int, len(NODES))
    return len(FOUND) + 3, failures


def find_users(shell, name):
    """Runs examples/feature-users.sh. Returns the same as ask."""
    failures = []
    for operators, users in USERS.items():
        command = f"{SCRIPT} {operators}"
        expect(failures, name, command, shell.run(command), lines_of, users)
    return len(USERS), failures


def main(binary):
    versions = kubectls()
    if not versions:
        print("documents_test: no kubectl here; nothing was tested")
        return 77
    began, queries, failures = time.monotonic(), 0, []
    with Server(binary, store="memory") as server:
        client = administrator(server)
        prepare(client)
        client.close()
        for name, path in versions.items():
            shell = Shell(path, server, name)
            # The script calls kubectl many times, so it runs only with the oldest and the newest
            # version.
            is_end = name in (next(iter(versions)), next(reversed(versions)))
            for query in [ask, find_users] if is_end else [ask]:
                asked, wrong = query(shell, name)
                queries += asked
                failures += wrong
        if server.stop() != 0:
            failures.append("the server did not end well:\n" + server.log_path.read_text()[-4000:])
    for failure in failures:
        print(failure)
    print(f"documents_test: {queries} queries with kubectl {', '.join(versions)}, "
          f"{len(failures)} wrong, {time.monotonic() - began:.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
