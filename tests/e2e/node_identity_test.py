#!/usr/bin/env python3
"""node_identity_test.py BINARY: attacks a server with the stolen token of a node, which must give
access only to the node's own objects. Each step from a node to the administrator must fail;
requests that a node needs must succeed. Prints the failures, and a summary line."""

import json
import pathlib
import sys
import tempfile

from server import Server
from wire import Client, Credentials

NODE = "node-token"
OTHER = "other-node-token"
TENANT = "tenant-token"
TOKENS = f"""{NODE},system:node:n1,1,"system:nodes"
{OTHER},system:node:n2,2,"system:nodes"
{TENANT},jane,3,"tenants"
"""
MERGE = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
APPLY = "application/apply-patch+yaml"
MIRROR = "kubernetes.io/config.mirror"
NS = "/api/v1/namespaces/kube-system"
CORE = "/api/v1"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases"
CSI_NODES = "/apis/storage.k8s.io/v1/csinodes"
SLICES = "/apis/resource.k8s.io/v1/resourceslices"
CLAIMS = "/apis/resource.k8s.io/v1/namespaces/kube-system/resourceclaims"
DAY = 24 * 3600


class Attack:
    def __init__(self, server):
        credentials = Credentials(server)
        self.admin = Client(server, credentials.admin)
        self.node = self.client(server, credentials, NODE)
        self.other = self.client(server, credentials, OTHER)
        self.tenant = self.client(server, credentials, TENANT)
        self.cases = 0
        self.faults = []

    @staticmethod
    def client(server, credentials, token):
        return Client(server, credentials.stranger, {"Authorization": f"Bearer {token}"})

    def expect(self, what, wanted, client, method, path, body=None, content_type="application/json"):
        """Returns the decoded answer. Its status must be one of `wanted`."""
        self.cases += 1
        status, answer = client.request(method, path, body, content_type)
        if status not in wanted:
            self.faults.append(f"{what}: {method} {path} answered {status}, not {sorted(wanted)}: "
                               f"{str(answer)[:400]}")
        return answer

    def made(self, path, body):
        return self.expect("preparation", {201}, self.admin, "POST", path, body)


def pod(name, node="n1", **spec):
    return {"metadata": {"name": name},
            "spec": {"nodeName": node, "containers": [{"name": "c", "image": "i"}], **spec}}


def mirror(name, owner, **spec):
    made = pod(name, **spec)
    made["metadata"].update(annotations={MIRROR: "x"}, ownerReferences=[owner])
    return made


def prepare(attack):
    """Creates two nodes, the secret and the service account that an attacker wants, and a pod on
    each node."""
    for name in ("n1", "n2"):
        attack.expect("a node registers itself", {201}, attack.node if name == "n1" else attack.other,
                      "POST", f"{CORE}/nodes", {"metadata": {"name": name}})
    attack.made(f"{NS}/secrets", {"metadata": {"name": "crown"}, "stringData": {"k": "jewels"}})
    attack.made(f"{NS}/configmaps", {"metadata": {"name": "map"}})
    attack.made(f"{NS}/serviceaccounts", {"metadata": {"name": "chief"}})
    attack.made(f"{NS}/serviceaccounts", {"metadata": {"name": "worker"}})
    attack.made("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
        "metadata": {"name": "chief"}, "roleRef": {"kind": "ClusterRole", "name": "cluster-admin"},
        "subjects": [{"kind": "ServiceAccount", "name": "chief", "namespace": "kube-system"}]})
    attack.made(CLAIMS, {"metadata": {"name": "gpu"}, "spec": {"devices": {}}})
    attack.made(f"{NS}/pods", pod("task", serviceAccountName="worker", volumes=[
        {"name": "t", "projected": {"sources": [{"serviceAccountToken": {"path": "t"}}]}}]))
    attack.made(f"{NS}/pods", pod("elsewhere", node="n2"))


def owner(attack):
    uid = attack.expect("a node reads itself", {200}, attack.node, "GET", f"{CORE}/nodes/n1")["metadata"]["uid"]
    return {"apiVersion": "v1", "kind": "Node", "name": "n1", "uid": uid, "controller": True}


def bound(name, uid):
    return {"apiVersion": "v1", "kind": "Pod", "name": name, "uid": uid}


def reads_nothing(attack, after):
    """Checks that the node can read neither the secret nor the service account."""
    for path in ("secrets/crown", "configmaps/map", "serviceaccounts/chief"):
        attack.expect(f"read after {after}", {403}, attack.node, "GET", f"{NS}/{path}")
    attack.expect(f"list after {after}", {403}, attack.node, "GET",
                  f"{NS}/secrets?fieldSelector=metadata.name=crown")
    attack.expect(f"claim after {after}", {403}, attack.node, "GET", f"{CLAIMS}/gpu")
    attack.expect(f"token after {after}", {403}, attack.node, "POST", f"{NS}/serviceaccounts/chief/token",
                  {"spec": {"expirationSeconds": 1 << 32}})


def mirror_pods(attack):
    """A mirror pod with references is rejected, and gives no rights when it loses its
    annotation."""
    own = owner(attack)
    secret = {"name": "v", "secret": {"secretName": "crown"}}
    references = {
        "account": {"serviceAccountName": "chief"}, "account-by-its-old-name": {"serviceAccount": "chief"},
        "secret-volume": {"volumes": [secret]}, "pull-secret": {"imagePullSecrets": [{"name": "crown"}]},
        "environment": {"containers": [{"name": "c", "image": "i",
                                        "envFrom": [{"secretRef": {"name": "crown"}}]}]},
        "variable": {"initContainers": [{"name": "d", "image": "i", "env": [
            {"name": "E", "valueFrom": {"configMapKeyRef": {"name": "map", "key": "k"}}}]}]},
        "config-map": {"volumes": [{"name": "v", "configMap": {"name": "map"}}]},
        "projected": {"volumes": [{"name": "v", "projected": {"sources": [{"secret": {"name": "crown"}}]}}]},
        "projected-token": {"volumes": [{"name": "v", "projected": {
            "sources": [{"serviceAccountToken": {"path": "t"}}]}}]},
        "claim": {"volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "c"}}]},
        "ephemeral": {"volumes": [{"name": "v", "ephemeral": {"volumeClaimTemplate": {"spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}}}]},
        "devices": {"resourceClaims": [{"name": "g", "resourceClaimName": "gpu"}]},
    }
    for name, spec in references.items():
        attack.expect(f"mirror pod with {name}", {403}, attack.node, "POST", f"{NS}/pods",
                      mirror(name, own, **spec))
        strip(attack, name)
        attack.expect("administrator removes it", {200, 404}, attack.admin, "DELETE",
                      f"{NS}/pods/{name}?gracePeriodSeconds=0")
    attack.expect("mirror pod of another node", {403}, attack.node, "POST", f"{NS}/pods",
                  mirror("foreign", own, node="n2"))
    attack.expect("mirror pod without an owner", {403}, attack.node, "POST", f"{NS}/pods",
                  {**pod("orphan"), "metadata": {"name": "orphan", "annotations": {MIRROR: "x"}}})
    attack.expect("mirror pod of another uid", {403}, attack.node, "POST", f"{NS}/pods",
                  mirror("imposter", {**own, "uid": "x"}))
    attack.expect("plain pod", {403}, attack.node, "POST", f"{NS}/pods", pod("plain"))
    attack.expect("honest mirror pod", {201}, attack.node, "POST", f"{NS}/pods", mirror("honest", own))
    strip(attack, "honest")
    kept = attack.admin.request("GET", f"{NS}/pods/honest")[1]["metadata"].get("annotations", {})
    if kept.get(MIRROR) != "x":
        attack.faults.append(f"the mark of a mirror pod has gone: {kept}")
    attack.expect("even the administrator", {422}, attack.admin, "PATCH", f"{NS}/pods/honest/status",
                  {"metadata": {"annotations": {MIRROR: None}}}, MERGE)


def strip(attack, name):
    """Tries every way to remove the annotation of a mirror pod, and checks the resulting rights."""
    path = f"{NS}/pods/{name}"
    gone = {"metadata": {"annotations": {MIRROR: None}}}
    refused = {403, 404, 422}
    for kind, patch in ((MERGE, gone), (STRATEGIC, gone),
                        (STRATEGIC, {"metadata": {"annotations": {"$patch": "replace"}}}),
                        (MERGE, {"metadata": {"annotations": {MIRROR: ""}}}),
                        (JSON_PATCH, [{"op": "remove", "path": "/metadata/annotations"}])):
        for suffix in ("/status", ""):
            attack.expect("unmark by patch", refused, attack.node, "PATCH", path + suffix, patch, kind)
    status, stored = attack.admin.request("GET", path)
    if status == 200:
        stored["metadata"].pop("annotations", None)
        attack.expect("unmark by update", refused, attack.node, "PUT", f"{path}/status", stored)
        token = {"spec": {"expirationSeconds": 1 << 32, "boundObjectRef": bound(name, stored["metadata"]["uid"])}}
        attack.expect("token of a mirror pod", {403}, attack.node, "POST",
                      f"{NS}/serviceaccounts/chief/token", token)
    reads_nothing(attack, f"the mirror pod {name}")


def pod_status(attack):
    """A node may update the status of its own pods, and nothing else of them."""
    path = f"{NS}/pods/task/status"
    attack.expect("status of an own pod", {200}, attack.node, "PATCH", path,
                  {"status": {"phase": "Running"}}, STRATEGIC)
    attack.expect("status of another's pod", {403}, attack.node, "PATCH", f"{NS}/pods/elsewhere/status",
                  {"status": {"phase": "Failed"}}, STRATEGIC)
    before = attack.admin.request("GET", f"{NS}/pods/task")[1]
    for change in ({"metadata": {"labels": {"app": "victim"}}}, {"metadata": {"labels": {"app": ""}}},
                   {"metadata": {"annotations": {"a": "b"}}}, {"metadata": {"finalizers": ["a/b"]}},
                   {"status": {"resourceClaimStatuses": [{"name": "g", "resourceClaimName": "gpu"}]}},
                   {"status": {"extendedResourceClaimStatus": {"resourceClaimName": "gpu",
                                                               "requestMappings": []}}}):
        attack.expect("more than status", {403, 422}, attack.node, "PATCH", path, change, MERGE)
    for change in ({"metadata": {"ownerReferences": [owner(attack)]}}, {"spec": {"serviceAccountName": "chief"}},
                   {"spec": {"volumes": [{"name": "v", "secret": {"secretName": "crown"}}]}}):
        attack.expect("silently kept", {200, 403, 422}, attack.node, "PATCH", path, change, MERGE)
    after = attack.admin.request("GET", f"{NS}/pods/task")[1]
    for part in ("metadata", "spec"):
        left, right = (dict(of[part]) for of in (before, after))
        for changing in ("resourceVersion", "managedFields"):
            left.pop(changing, None)
            right.pop(changing, None)
        if left != right:
            attack.faults.append(f"a status patch changed {part}: {left} -> {right}")
    for suffix, method in (("", "PATCH"), ("/ephemeralcontainers", "PATCH"), ("/resize", "PATCH"),
                           ("/binding", "POST")):
        attack.expect("other writes", {403, 404, 405}, attack.node, method, f"{NS}/pods/task{suffix}",
                      {"metadata": {"name": "task"}, "target": {"name": "n1"}}, MERGE)
    reads_nothing(attack, "status writes")


def own_node(attack):
    """A node cannot change its taints or restricted labels, delete itself, or use another node."""
    path = f"{CORE}/nodes/n1"
    attack.expect("own status", {200}, attack.node, "PATCH", f"{path}/status",
                  {"status": {"phase": "Running"}}, STRATEGIC)
    attack.expect("own label", {200}, attack.node, "PATCH", path,
                  {"metadata": {"labels": {"kubernetes.io/os": "linux"}}}, STRATEGIC)
    refused = [
        {"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Namespace", "name": "x", "uid": "y"}]}},
        {"metadata": {"labels": {"node-restriction.kubernetes.io/a": "b"}}},
        {"metadata": {"labels": {"node-role.kubernetes.io/control-plane": ""}}},
        {"spec": {"taints": [{"key": "a", "effect": "NoSchedule"}]}}, {"spec": {"taints": None}},
        {"spec": {"configSource": {"configMap": {"name": "c", "namespace": "d", "kubeletConfigKey": "k"}}}},
    ]
    for change in refused:
        for suffix in ("", "/status"):
            attack.expect("own node", {403}, attack.node, "PATCH", path + suffix, change, MERGE)
    attack.expect("deletes itself", {403}, attack.node, "DELETE", path)
    for method, where, change in (("PATCH", "/nodes/n2", {"metadata": {"labels": {"a": "b"}}}),
                                  ("PATCH", "/nodes/n2/status", {"status": {"phase": "x"}})):
        attack.expect("another node", {403}, attack.node, method, CORE + where, change, MERGE)
    attack.expect("reads another node", {403}, attack.node, "GET", f"{CORE}/nodes/n2")
    attack.expect("creates another node", {403}, attack.node, "POST", f"{CORE}/nodes",
                  {"metadata": {"name": "n3"}})
    attack.expect("applies another node", {403}, attack.node, "PATCH", f"{CORE}/nodes/n3?fieldManager=x",
                  json.dumps({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n3"}}), APPLY)


def other_objects(attack):
    """A node may write only its own Lease, CSINode and ResourceSlices."""
    for path, kind in ((LEASES, {}), (CSI_NODES, {"spec": {"drivers": []}})):
        attack.expect("own", {201}, attack.node, "POST", path, {"metadata": {"name": "n1"}, **kind})
        attack.expect("another's", {403}, attack.node, "POST", path, {"metadata": {"name": "n2"}, **kind})
        attack.expect("a generated name", {403}, attack.node, "POST", path,
                      {"metadata": {"generateName": "n1"}, **kind})
        attack.expect("another's", {403}, attack.node, "PUT", f"{path}/n2", {"metadata": {"name": "n2"}, **kind})
        attack.expect("another's", {403}, attack.node, "GET", f"{path}/n2")
    attack.expect("lease elsewhere", {403}, attack.node, "POST",
                  "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases", {"metadata": {"name": "n1"}})

    def slice_of(name, **where):
        return {"metadata": {"name": name}, "spec": {
            "driver": "d.example.com", "pool": {"name": name, "generation": 1, "resourceSliceCount": 1}, **where}}

    attack.expect("own slice", {201}, attack.node, "POST", SLICES, slice_of("own", nodeName="n1"))
    attack.expect("another's slice", {403}, attack.node, "POST", SLICES, slice_of("bad", nodeName="n2"))
    attack.expect("a slice of all", {403}, attack.node, "POST", SLICES, slice_of("bad", allNodes=True))
    attack.expect("preparation", {201}, attack.other, "POST", SLICES, slice_of("theirs", nodeName="n2"))
    for method in ("GET", "DELETE"):
        attack.expect("another's slice", {403}, attack.node, method, f"{SLICES}/theirs")
    attack.expect("all slices", {403}, attack.node, "DELETE", SLICES)
    attack.expect("own slices", {200}, attack.node, "DELETE", f"{SLICES}?fieldSelector=spec.nodeName=n1")
    attack.expect("still there", {200}, attack.other, "GET", f"{SLICES}/theirs")


def tokens(attack):
    """A token must be bound to a pod of this node, for one of its audiences, and for at most two
    days."""
    uid = attack.admin.request("GET", f"{NS}/pods/task")[1]["metadata"]["uid"]
    path = f"{NS}/serviceaccounts/worker/token"
    for spec in ({}, {"boundObjectRef": bound("task", "")}, {"boundObjectRef": bound("task", "x")},
                 {"boundObjectRef": {**bound("task", uid), "kind": "Node", "name": "n1"}},
                 {"boundObjectRef": bound("task", uid), "audiences": ["vault"]},
                 {"boundObjectRef": bound("task", uid), "audiences": ["", "vault"]}):
        attack.expect("token", {403}, attack.node, "POST", path, {"spec": spec})
    attack.expect("another's token", {403}, attack.other, "POST", path,
                  {"spec": {"boundObjectRef": bound("task", uid)}})
    answer = attack.expect("own token", {201}, attack.node, "POST", path, {
        "spec": {"expirationSeconds": 1 << 32, "boundObjectRef": bound("task", uid)}})
    if answer.get("spec", {}).get("expirationSeconds") != 2 * DAY:
        attack.faults.append(f"a token lives longer than two days: {answer.get('spec')}")
    dry = attack.expect("dry run", {201}, attack.admin, "POST", f"{path}?dryRun=All", {"spec": {}})
    if dry.get("status", {}).get("token"):
        attack.faults.append("a dry run gave a token")
    return answer.get("status", {}).get("token", "")


def deletes(attack, token):
    """A node may delete and evict its own pods; a token ends with its pod."""
    as_pod = Client(attack.node.server, attack.node.context, {"Authorization": f"Bearer {token}"})
    review = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
    attack.expect("the pod's token", {201}, as_pod, "POST", review, {})
    attack.expect("delete another's pod", {403}, attack.node, "DELETE", f"{NS}/pods/elsewhere")
    attack.expect("evict another's pod", {403}, attack.node, "POST", f"{NS}/pods/elsewhere/eviction",
                  {"metadata": {"name": "elsewhere"}})
    attack.expect("delete an own pod", {200}, attack.node, "DELETE", f"{NS}/pods/task?gracePeriodSeconds=0")
    attack.expect("the pod's token after it", {401}, as_pod, "POST", review, {})
    attack.expect("delete an own mirror pod", {200}, attack.node, "DELETE",
                  f"{NS}/pods/honest?gracePeriodSeconds=0")
    attack.made(f"{NS}/pods", pod("evictable"))
    attack.expect("evict an own pod", {201}, attack.node, "POST", f"{NS}/pods/evictable/eviction",
                  {"metadata": {"name": "evictable"}})


def leaks(attack, server):
    """Error messages reveal no Secret, and warnings no nodes."""
    for kind, patch in ((JSON_PATCH, [{"op": "add", "path": "/type", "value": 5}]),
                        (MERGE, {"data": {"k": [1]}}), (STRATEGIC, {"data": {"k": [1]}})):
        answer = attack.expect("spoiled secret", {400, 422}, attack.admin, "PATCH", f"{NS}/secrets/crown",
                               patch, kind)
        if "amV3ZWxz" in json.dumps(answer):
            attack.faults.append(f"a refusal shows the secret: {answer}")
    if "amV3ZWxz" in server.log_path.read_text():
        attack.faults.append("the log shows the secret")
    attack.made("/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings", {
        "metadata": {"name": "jane"}, "roleRef": {"kind": "ClusterRole", "name": "admin"},
        "subjects": [{"kind": "User", "name": "jane"}]})
    attack.expect("taint", {200}, attack.admin, "PATCH", f"{CORE}/nodes/n1",
                  {"spec": {"taints": [{"key": "sla", "value": "950", "effect": "NoSchedule"}]}}, MERGE)
    wary = {"metadata": {"name": "wary"}, "spec": {"containers": [{"name": "c", "image": "i"}], "tolerations": [
        {"key": "sla", "operator": "Gt", "value": "950", "effect": "NoSchedule"}]}}
    for client, is_told in ((attack.tenant, False), (attack.admin, True)):
        attack.cases += 1
        response = client.open("POST", "/api/v1/namespaces/default/pods?dryRun=All", wary)
        told = response.getheader("Warning") or ""
        response.read()
        if response.status != 201 or ("n1" in told) != is_told:
            attack.faults.append(f"warning for {'the administrator' if is_told else 'a tenant'}: "
                                 f"{response.status} {told!r}")


def main(binary):
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory) / "tokens"
        file.write_text(TOKENS)
        with Server(binary, f"--token-auth-file={file}", "--v=2", store="memory") as server:
            attack = Attack(server)
            prepare(attack)
            mirror_pods(attack)
            pod_status(attack)
            own_node(attack)
            other_objects(attack)
            token = tokens(attack)
            deletes(attack, token)
            leaks(attack, server)
    for fault in attack.faults:
        print(fault)
    print(f"{attack.cases} cases, {len(attack.faults)} faults")
    return 1 if attack.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
