#!/usr/bin/env python3
"""golden_objects_test.py BINARY: creates, as dry runs, the objects that upstream's code was asked to
create, and compares what the server makes of each with what upstream's code made of it: defaults,
structs that are always printed, canonical quantities, what is dropped. Cases of kinds that the server
does not serve are left out."""

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
COMPARED_MIN = 1000  # A server that refuses everything differs in nothing.

# The oracle has no admission plugins; the server does. A path is that of a field, with [] for items.
ADMITTED = {
    "Pod.spec.priority", "Pod.spec.preemptionPolicy", "Pod.spec.serviceAccount",
    "Pod.spec.serviceAccountName", "Pod.spec.tolerations", "Node.spec.taints",
    "PersistentVolumeClaim.spec.storageClassName",
}
# The server is asked for other names, uids and addresses than the oracle.
CHOSEN = ("abcde", "11111111-2222-3333-4444-555555555555", "<allocated", "<now>")
# Where the server differs from upstream 1.37, with the reason.
UNLIKE_UPSTREAM = {
    # Upstream fills it in when it reads the object from the store, where the oracle ends.
    "PersistentVolumeClaim.status.phase",
    # Services and nodes have IPv4 addresses only, and nodes no ranges.
    "Service.spec.ipFamilies", "Service.spec.ipFamilyPolicy", "Service.spec.clusterIPs",
    "Node.spec.podCIDR", "Node.spec.podCIDRs", "Node.spec.podCIDRs[]",
    # Fields whose gates are off upstream by default and have none here.
    "Lease.spec.strategy", "Lease.spec.preferredHolder", "Node.spec.configSource",
    "Pod.spec.schedulingGroup", "Pod.spec.containers[].lifecycle.stopSignal",
    "Pod.spec.containers[].restartPolicyRules[].exitCodes.values",
    # Without a number, pods are replaced one after the other; upstream writes that down.
    "StatefulSet.spec.updateStrategy.rollingUpdate",
    "StatefulSet.spec.updateStrategy.rollingUpdate.maxUnavailable",
    # Templates of objects that an older version has stored lack these, and may not change.
    "StatefulSet.spec.volumeClaimTemplates[].apiVersion",
    "StatefulSet.spec.volumeClaimTemplates[].kind",
    *(f"{kind}.spec.template.spec.serviceAccount" for kind in (
        "DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet")),
    # Nobody here reads these.
    "CSIDriver.metadata.generation", "CSIDriver.spec.preventPodSchedulingIfMissing",
    "PersistentVolumeClaim.spec.dataSource", "PersistentVolumeClaim.spec.dataSourceRef",
    "Pod.spec.containers[].securityContext.appArmorProfile",
    "Pod.spec.volumes[].image.pullPolicy",
    # Go keeps an empty list of rules; here it is left out like a missing one.
    "Role.rules", "ClusterRole.rules",
}


def differences(got, want, path):
    """(path, ours, theirs) of each field that is not the same."""
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
    """(apiVersion, kind) to the path of its collection."""
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
                continue  # golden_http_test.py shows what is refused.
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
