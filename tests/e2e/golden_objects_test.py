#!/usr/bin/env python3
"""golden_objects_test.py BINARY: creates objects as dry runs and compares the server's result with
that of upstream's code: defaults, structs that are always printed, canonical quantities, dropped
fields. Skips kinds that the server does not serve."""

import json
import os
import pathlib
import sys
import time

from server import Server
from wire import Client, Credentials

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
NAMESPACE = "ns1"
MAX_REPORTED = 20
COMPARED_MIN = 1000  # a server that rejects everything would differ in nothing

# Fields set by admission plugins, which the recording of upstream lacks. [] stands for list items.
ADMITTED = {
    "Pod.spec.priority", "Pod.spec.preemptionPolicy", "Pod.spec.serviceAccount",
    "Pod.spec.serviceAccountName", "Pod.spec.tolerations", "Node.spec.taints",
    "PersistentVolumeClaim.spec.storageClassName",
}
# Placeholders for names, uids and addresses, which the server chooses itself.
CHOSEN = ("abcde", "11111111-2222-3333-4444-555555555555", "<allocated", "<now>")
# Differences from upstream 1.37, with reasons.
UNLIKE_UPSTREAM = {
    # Upstream sets it when it reads the object from the store; the recording ends before.
    "PersistentVolumeClaim.status.phase",
    # Services and nodes have only IPv4 addresses, and nodes no address ranges.
    "Service.spec.ipFamilies", "Service.spec.ipFamilyPolicy", "Service.spec.clusterIPs",
    "Node.spec.podCIDR", "Node.spec.podCIDRs", "Node.spec.podCIDRs[]",
    # Fields with gates that are off by default upstream; here they have no gate.
    "Lease.spec.strategy", "Lease.spec.preferredHolder", "Node.spec.configSource",
    "Pod.spec.schedulingGroup", "Pod.spec.containers[].lifecycle.stopSignal",
    "Pod.spec.containers[].restartPolicyRules[].exitCodes.values",
    # The default is one pod at a time; upstream writes it into the object.
    "StatefulSet.spec.updateStrategy.rollingUpdate",
    "StatefulSet.spec.updateStrategy.rollingUpdate.maxUnavailable",
    # Templates stored by an older version lack these fields, and are immutable.
    "StatefulSet.spec.volumeClaimTemplates[].apiVersion",
    "StatefulSet.spec.volumeClaimTemplates[].kind",
    *(f"{kind}.spec.template.spec.serviceAccount" for kind in (
        "DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet")),
    # Fields that no component here reads.
    "CSIDriver.metadata.generation", "CSIDriver.spec.preventPodSchedulingIfMissing",
    "PersistentVolumeClaim.spec.dataSource", "PersistentVolumeClaim.spec.dataSourceRef",
    "Pod.spec.containers[].securityContext.appArmorProfile",
    "Pod.spec.volumes[].image.pullPolicy",
    # Go prints an empty list of rules; here it is omitted like a missing one.
    "Role.rules", "ClusterRole.rules",
}


def differences(got, want, path):
    """Yields (path, ours, upstream's) for each different field."""
    if isinstance(got, dict) and isinstance(want, dict):
        for key in sorted(got.keys() | want.keys()):
            yield from differences(got.get(key), want.get(key), f"{path}.{key}")
    elif isinstance(got, list) and isinstance(want, list) and len(got) == len(want):
        for one, other in zip(got, want):
            yield from differences(one, other, path + "[]")
    elif got != want:
        yield path, got, want


def is_expected(path, theirs):
    return path in ADMITTED or path in UNLIKE_UPSTREAM or any(
        word in json.dumps(theirs) for word in CHOSEN)


def resources(client):
    """Returns the collection's path by (apiVersion, kind)."""
    found = {}
    status, groups = client.request("GET", "/apis")
    assert status == 200, groups
    versions = ["/api/v1"] + ["/apis/" + version["groupVersion"] for group in groups["groups"]
                              for version in group["versions"]]
    for root in versions:
        for one in client.request("GET", root)[1]["resources"]:
            if "/" not in one["name"] and "create" in one["verbs"]:
                home = f"/namespaces/{NAMESPACE}" if one["namespaced"] else ""
                version = root.removeprefix("/apis/").removeprefix("/api/")
                found[version, one["kind"]] = f"{root}{home}/{one['name']}"
    return found


def main(binary):
    vectors = pathlib.Path(os.environ.get("PLIMSOLL_VECTORS") or GOLDEN)
    cases = json.loads((vectors / "create_objects.json").read_text())["cases"]
    began = time.monotonic()
    compared, failed = 0, 0
    with Server(binary, store="memory") as server:
        client = Client(server, Credentials(server).admin)
        client.request("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        served = resources(client)
        for case in cases:
            given, want = case["input"], case["expect"].get("object")
            path = served.get((given["apiVersion"], given["kind"]))
            if path is None or want is None:
                continue
            status, got = client.request(
                "POST", path + "?dryRun=All&fieldValidation=Strict", given["object"])
            if status != 201:
                continue  # golden_http_test.py covers rejected objects
            compared += 1
            for name in ("managedFields", "uid", "creationTimestamp"):
                got["metadata"].pop(name, None)
            wrong = [one for one in differences(got, want, given["kind"])
                     if not is_expected(one[0], one[2])]
            failed += bool(wrong)
            if wrong and failed <= MAX_REPORTED:
                print(f"{case['name']}:", *(f"{path}: {ours!r}, upstream {theirs!r}"
                                            for path, ours, theirs in wrong), sep="\n  ")
    print(f"golden_objects_test: {compared} objects compared, {failed} differ, "
          f"{time.monotonic() - began:.1f} s")
    return 0 if compared > COMPARED_MIN and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
