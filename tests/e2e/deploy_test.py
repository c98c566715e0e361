#!/usr/bin/env python3
"""deploy_test.py BINARY: checks that the rights in deploy/ are sufficient and minimal. With all of
them, no request of the programs is denied; without any one of them, some request is, and both the
audit log and the program report it."""

import contextlib
import copy
import json
import pathlib
import random
import sys
import time
import types

from cluster import Cluster, Component, Failure, check, node, play, pod
from server import Server

DEPLOY = pathlib.Path(__file__).resolve().parents[2] / "deploy"
SCHEDULER = "plimsoll-scheduler"
MANAGER = "plimsoll-controller-manager"
ACT = f"{MANAGER}-act"
# Our server has no separate right for a claim's allocation; Kubernetes 1.36 has.
NOT_ASKED_HERE = {("resource.k8s.io", "resourceclaims/binding", "patch")}
DRIVER = "gpu.example.com"
GROUP = "/apis/resource.k8s.io/v1"
AT_ONCE = 6
EVICTORS = ("controller-manager", "controller-manager-act")
BOUNDS = ("eviction-policies", "node-taint-rules")
# Kinds of which the programs create objects by server-side apply.
APPLIED = {("lifecycle.k8s.io", "evictionrequests"), ("plimsoll.io", "evictionrecords")}
MERGE_PATCH = "application/merge-patch+json"


class Right:
    """One verb of one resource in one role."""

    def __init__(self, role, group, resource, verb):
        self.role = role["metadata"]["name"]
        self.key = (group, resource, verb)
        self.is_lease = resource == "leases"

    def taken_from(self, role):
        """Returns the role without this right."""
        if role["metadata"]["name"] != self.role or (role["kind"] == "Role") != self.is_lease:
            return role
        group, resource, verb = self.key
        rules = []
        for rule in role["rules"]:
            for one in rule["resources"]:
                verbs = [v for v in rule["verbs"]
                         if (v, one) != (verb, resource) or group not in rule["apiGroups"]]
                if verbs:
                    rules.append({**rule, "resources": [one], "verbs": verbs})
        return {**role, "rules": rules}

    @property
    def asked_as(self):
        """Returns the request that needs the right. A server-side apply that creates an object is
        a patch."""
        group, resource, verb = self.key
        return (group, resource, "patch") if verb == "create" and (group, resource) in APPLIED else self.key

    def __str__(self):
        group, resource, verb = self.key
        return f"{verb} {resource}.{group or 'core'} of {self.role}"


class Rights:
    """Several rights. Use it for those whose denials do not depend on each other."""

    def __init__(self, rights):
        self.rights = list(rights)

    def taken_from(self, role):
        for right in self.rights:
            role = right.taken_from(role)
        return role


class Stage(Cluster):
    """A server with RBAC and an audit log, and programs with the rights of the manifests."""

    def __init__(self, server, audit):
        super().__init__(server)
        self.audit = audit
        self.scheduler = None  # scheduler of the scenes' pods; None: the program under test
        self.read = 0
        self.read_manifests = {}
        self.denied = {}  # by user: denied (group, resource, verb)
        self.asked = {}   # by user: allowed (group, resource, verb)
        (server.directory / "ca.crt").write_bytes((server.directory / "certificate-authority").read_bytes())

    def manifests(self, *names):
        found = []
        for name in names:
            if name not in self.read_manifests:
                text = self.kubectl("apply", "--dry-run=client", "-o", "json", "-f", str(DEPLOY / f"{name}.yaml"))
                listed = json.loads(text)
                self.read_manifests[name] = listed.get("items", [listed])
            found += self.read_manifests[name]
        return found

    def post(self, path, body):
        status, answer = self.client.request("POST", path, body)
        check(status in (200, 201), "POST", path, status, answer)
        return answer

    def patch(self, path, body):
        status, answer = self.client.request("PATCH", path, body, MERGE_PATCH)
        check(status == 200, "PATCH", path, status, answer)
        return answer

    def has(self, path):
        return self.client.request("GET", path)[0] == 200

    def is_allowed(self, user, right):
        group, resource, verb = right.key
        resource, _, subresource = resource.partition("/")
        review = self.post("/apis/authorization.k8s.io/v1/subjectaccessreviews", {
            "apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
            "spec": {"user": user, "resourceAttributes": {
                "group": group, "resource": resource, "subresource": subresource, "verb": verb}}})
        return review["status"]["allowed"]

    def take_audit(self):
        with open(self.audit, encoding="utf-8") as lines:
            lines.seek(self.read)
            for line in iter(lines.readline, ""):
                if not line.endswith("\n"):
                    break
                self.read += len(line.encode())
                event = json.loads(line)
                ref = event.get("objectRef", {})
                parts = [ref.get("resource", ""), ref.get("subresource", "")]
                key = (ref.get("apiGroup", ""), "/".join(filter(None, parts)), event["verb"])
                is_denied = event.get("responseStatus", {}).get("code") == 403
                sums = self.denied if is_denied else self.asked
                sums.setdefault(event["user"]["username"], set()).add(key)

    def denials(self, user):
        self.take_audit()
        return self.denied.get(user, set())


class Program(Component):
    """A program of a manifest under its own name, as a service account with its rights, or all but
    one of them."""

    def __init__(self, stage, binary, manifests, name, without=None, flags=()):
        self.name = name
        self.user = f"system:serviceaccount:kube-system:{name}"
        self.without = without
        self.roles = {}  # paths and bodies of the ClusterRoles, by their names in the manifests
        kinds = {}
        for one in manifests:
            kinds.setdefault(one["kind"], []).append(copy.deepcopy(one))
        base = kinds["ServiceAccount"][0]["metadata"]["name"]
        stage.post("/api/v1/namespaces/kube-system/serviceaccounts", {
            "apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": name, "namespace": "kube-system"}})
        rbac = "/apis/rbac.authorization.k8s.io/v1"
        where = {"ClusterRole": f"{rbac}/clusterroles", "ClusterRoleBinding": f"{rbac}/clusterrolebindings",
                 "Role": f"{rbac}/namespaces/kube-system/roles",
                 "RoleBinding": f"{rbac}/namespaces/kube-system/rolebindings"}
        own = {one["metadata"]["name"] for kind in where for one in kinds[kind]}

        def renamed(of_manifest):
            """Names of roles are unique, so that each program has its own."""
            if of_manifest not in own:
                return of_manifest
            return of_manifest.replace(base, name, 1) if base in of_manifest else f"{name}:{of_manifest}"
        for kind, path in where.items():
            for one in kinds[kind]:
                made = without.taken_from(one) if without and kind.endswith("Role") else one
                of_manifest = made["metadata"]["name"]
                made["metadata"] = {"name": renamed(of_manifest)}
                for rule in made.get("rules", []):
                    if "resourceNames" in rule:
                        rule["resourceNames"] = [name]
                if "roleRef" in made:
                    made["roleRef"]["name"] = renamed(made["roleRef"]["name"])
                    made["subjects"][0]["name"] = name
                if kind == "ClusterRole":
                    self.roles[of_manifest] = (f"{path}/{made['metadata']['name']}", made)
                stage.post(path, made)
        token = stage.post(f"/api/v1/namespaces/kube-system/serviceaccounts/{name}/token", {
            "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}})
        directory = stage.server.directory
        (directory / f"{name}.token").write_text(token["status"]["token"])
        # The manifest's kubeconfig, with its in-pod paths replaced.
        text = kinds["ConfigMap"][0]["data"]["kubeconfig"]
        for old, new in (("https://kubernetes.default.svc", f"https://127.0.0.1:{stage.server.port}"),
                         ("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt", str(directory / "ca.crt")),
                         ("/var/run/secrets/kubernetes.io/serviceaccount/token",
                          str(directory / f"{name}.token"))):
            check(old in text, "no", old, "in the kubeconfig")
            text = text.replace(old, new)
        kubeconfig = directory / f"{name}.kubeconfig"
        kubeconfig.write_text(text)
        container = kinds["Deployment"][0]["spec"]["template"]["spec"]["containers"][0]
        arguments = [word for word in container["args"][1:] if not word.startswith("--kubeconfig")]
        if name != base:
            arguments = [word for word in arguments if not word.startswith("--scheduler-name")]
            if base == SCHEDULER:
                arguments.append(f"--scheduler-name={name}")
            arguments.append(f"--leader-elect-resource-name={name}")
        known_as = types.SimpleNamespace(kubeconfig=kubeconfig, directory=directory, prefix=[])
        super().__init__(container["args"][0], binary, known_as, "--server=kubernetes", *arguments, *flags)


@contextlib.contextmanager
def stage(binary):
    with Server(binary, store="memory") as server:
        audit = server.directory / "audit.log"
        server.stop()
        server.flags.append(f"--audit-log-path={audit}")
        server.start()
        made = Stage(server, audit)
        made.post("/apis/storage.k8s.io/v1/storageclasses", storage_class("local", "kubernetes.io/no-provisioner"))
        made.post("/apis/storage.k8s.io/v1/storageclasses", storage_class("made", "storage.example.com"))
        made.post(f"{GROUP}/deviceclasses", {
            "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"},
            "spec": {"extendedResourceName": "example.com/gpu",
                     "selectors": [{"cel": {"expression": f'device.driver == "{DRIVER}"'}}]}})
        for name, value in (("low", 1), ("high", 1000)):
            made.post("/apis/scheduling.k8s.io/v1/priorityclasses", {
                "apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name},
                "value": value})
        # Controllers that any cluster has.
        with Component("controller-manager", binary, server, "--no-leader-elect",
                       "--controllers=persistentvolume-binder,disruption"):
            yield made


def storage_class(name, provisioner):
    return {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": name},
            "provisioner": provisioner, "volumeBindingMode": "WaitForFirstConsumer"}


# Scenes. Each takes the stage and the name of the program, which is also the name of its node and
# namespace, and exercises the rights that it needs.

def new_home(c, name, devices=()):
    """Creates a node and a namespace for one program."""
    c.post("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
    c.post("/api/v1/namespaces/" + name + "/serviceaccounts", {
        "apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}})
    c.apply(node(name, labels={"home": name}))
    if devices:
        c.post(f"{GROUP}/resourceslices", {
            "apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": name},
            "spec": {"driver": DRIVER, "nodeName": name, "devices": list(devices),
                     "pool": {"name": name, "generation": 1, "resourceSliceCount": 1}}})


def put_pod(c, home, name, cpu="0", resources=None, **spec):
    made = pod(name, **spec)
    made["spec"].update(schedulerName=c.scheduler or home, terminationGracePeriodSeconds=0)
    if "nodeName" not in spec:
        made["spec"]["nodeSelector"] = {"home": home}
    amounts = resources or {"requests": {"cpu": cpu}}
    made["spec"]["containers"][0]["resources"] = amounts
    return c.post(f"/api/v1/namespaces/{home}/pods", made)


def pod_of(c, home, name):
    status, body = c.client.request("GET", f"/api/v1/namespaces/{home}/pods/{name}")
    return body if status == 200 else None


def volume_claim(name, storage):
    return {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name},
            "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": storage,
                     "resources": {"requests": {"storage": "1Gi"}}}}


def mounting(claim):
    return [{"name": "data", "persistentVolumeClaim": {"claimName": claim}}]


def places(c, home):
    new_home(c, home)
    put_pod(c, home, "plain")


def refuses(c, home):
    new_home(c, home)
    put_pod(c, home, "huge", cpu="1000")


def spoil_twice(c, home):
    """Causes one fault, another one, and the first again: a repeated event becomes a series."""
    for value in ("[", "{}", "["):
        c.kubectl("annotate", "pod", "huge", f"--namespace={home}", "--overwrite",
                  f"plimsoll.io/tolerations={value}")


def preempts(c, home):
    new_home(c, home)
    put_pod(c, home, "low", cpu="3", priorityClassName="low", nodeName=home)
    put_pod(c, home, "high", cpu="3", priorityClassName="high")


def sets_volumes_aside(c, home):
    new_home(c, home)
    c.post("/api/v1/persistentvolumes", {
        "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": home},
        "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "local",
                 "local": {"path": "/mnt"},
                 "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                     {"key": "home", "operator": "In", "values": [home]}]}]}}}})
    claims = f"/api/v1/namespaces/{home}/persistentvolumeclaims"
    c.post(claims, volume_claim("there", "local"))
    c.post(claims, volume_claim("to-make", "made"))
    put_pod(c, home, "on-disk", volumes=mounting("there"))
    put_pod(c, home, "on-new-disk", volumes=mounting("to-make"))


def allocates(c, home):
    """Uses a user's claim, and one made for the pod and deleted with it, because its device is
    never ready."""
    new_home(c, home, [{"name": "gpu-0"}])
    c.post(f"{GROUP}/namespaces/{home}/resourceclaims", {
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "one"},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}}})
    put_pod(c, home, "claims", resources={"claims": [{"name": "d"}]},
            resourceClaims=[{"name": "d", "resourceClaimName": "one"}])


def allocates_for_resources(c, home):
    new_home(c, home, [{"name": "gpu-0", "bindingConditions": ["ready"], "bindingFailureConditions": ["broken"]}])
    put_pod(c, home, "asks", resources={"requests": {"example.com/gpu": "1"}, "limits": {"example.com/gpu": "1"}})

    def is_allocated():
        claims = c.get(f"{GROUP}/namespaces/{home}/resourceclaims")["items"]
        return any(one.get("status", {}).get("allocation") for one in claims)
    return is_allocated


SCENES = {("", "pods/binding", "create"): places, ("", "pods/status", "patch"): refuses,
          ("", "pods", "delete"): preempts, ("events.k8s.io", "events", "create"): places,
          ("events.k8s.io", "events", "patch"): refuses,
          ("", "persistentvolumes", "patch"): sets_volumes_aside,
          ("", "persistentvolumeclaims", "patch"): sets_volumes_aside,
          ("resource.k8s.io", "resourceclaims/status", "patch"): allocates,
          ("resource.k8s.io", "resourceclaims", "patch"): allocates,
          ("resource.k8s.io", "resourceclaims", "create"): allocates_for_resources,
          ("resource.k8s.io", "resourceclaims", "delete"): allocates_for_resources}


def device_claim(c, home, device, user):
    """Creates a claim with the device, reserved for the pod."""
    path = f"{GROUP}/namespaces/{home}/resourceclaims"
    claim = c.post(path, {
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": device},
        "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}}})
    made = put_pod(c, home, user, nodeName=home, resources={"claims": [{"name": "d"}]},
                   resourceClaims=[{"name": "d", "resourceClaimName": device}])
    claim["status"] = {
        "allocation": {"devices": {"results": [
            {"request": "r", "driver": DRIVER, "pool": home, "device": device}]}},
        "reservedFor": [{"resource": "pods", "name": user, "uid": made["metadata"]["uid"]}]}
    status, answer = c.client.request("PUT", f"{path}/{device}/status", claim)
    check(status == 200, "the claim's status", status, answer)


def evicts(c, home):
    """Taints a node and two devices before the program starts, one by its driver and one by a
    rule."""
    new_home(c, home, [{"name": "by-driver", "taints": [{"key": "sick", "value": "1", "effect": "NoExecute"}]},
                       {"name": "by-rule"}])
    put_pod(c, home, "on-node", nodeName=home)
    c.kubectl("taint", "nodes", home, "gone=1:NoExecute")
    device_claim(c, home, "by-driver", "on-sick")
    device_claim(c, home, "by-rule", "on-ruled")
    c.post(f"{GROUP}/devicetaintrules", {
        "apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule", "metadata": {"name": home},
        "spec": {"deviceSelector": {"driver": DRIVER, "pool": home, "device": "by-rule"},
                 "taint": {"key": "ruled", "value": "1", "effect": "NoExecute"}}})


def pardons(c, home):
    """Taints and untaints a node twice, so that an eviction is announced and cancelled: the same
    event twice."""
    new_home(c, home)
    put_pod(c, home, "lingers", nodeName=home,
            tolerations=[{"key": "gone", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 900}])


def taint_twice(c, home):
    for _ in range(2):
        c.kubectl("taint", "nodes", home, "gone=1:NoExecute")
        c.kubectl("taint", "nodes", home, "gone-")


EVENT_PATCH = ("", "events", "patch")
SERVED = {"list", "watch"}  # verbs that programs always use


def enough(binary):
    """With exactly these rights the programs do all their work, nothing is denied, and each right
    is used."""
    with stage(binary) as c, contextlib.ExitStack() as programs:
        scheduling = c.manifests("scheduler")
        evicting = c.manifests("controller-manager", "controller-manager-act")
        pardons(c, "pardons")
        evicts(c, "evicts")
        both = [programs.enter_context(Program(c, binary, scheduling, SCHEDULER)),
                programs.enter_context(Program(c, binary, evicting, MANAGER, flags=["--act"]))]
        with playing_for(c, "plimsoll"):
            places(c, "places")
            refuses(c, "refuses")
            spoil_twice(c, "refuses")
            preempts(c, "preempts")
            sets_volumes_aside(c, "volumes")
            allocates(c, "claims")
            is_allocated = allocates_for_resources(c, "resources")
        for home, name in (("places", "plain"), ("preempts", "high"), ("volumes", "on-disk"), ("claims", "claims")):
            c.await_true(f"a node for {name}", lambda: pod_of(c, home, name)["spec"].get("nodeName") == home, 30)
        c.await_true("the end of low", lambda: pod_of(c, "preempts", "low") is None)
        c.await_true("the node for the new disk", lambda: "selected-node" in json.dumps(c.get(
            "/api/v1/namespaces/volumes/persistentvolumeclaims/to-make")["metadata"].get("annotations", {})))
        c.await_true("devices for resources", is_allocated)
        c.kubectl("delete", "pod", "asks", "--namespace=resources", "--grace-period=0", "--force")
        c.await_true("the end of the claim that was made for it",
                     lambda: not c.get(f"{GROUP}/namespaces/resources/resourceclaims")["items"])
        for name in ("on-node", "on-sick", "on-ruled"):
            c.await_true(f"the eviction of {name}", lambda: pod_of(c, "evicts", name) is None, 30)
        c.await_true("the rule's condition", lambda: any(
            one["type"] == "EvictionInProgress" and one["status"] == "False" for one in
            c.get(f"{GROUP}/devicetaintrules/evicts").get("status", {}).get("conditions", [])), 30)
        taint_twice(c, "pardons")
        for program, manifests in zip(both, (scheduling, evicting)):
            wanted = {right.key for right in rights_of(manifests)} - NOT_ASKED_HERE

            def missing():
                c.take_audit()
                return wanted - c.asked.get(program.user, set())
            with contextlib.suppress(Failure):
                c.await_true("the use of all rights", lambda: not missing())
            check(not missing(), program.user, "did not need", missing())
            check(not c.denials(program.user), program.user, "was denied", c.denials(program.user))
            extra = {key for key in c.asked[program.user] if key[1]} - wanted
            check(not extra, program.user, "asked for more:", extra)


@contextlib.contextmanager
def playing_for(c, scheduler):
    """Assigns the pods of the scenes to this scheduler for the duration of the block."""
    c.scheduler = scheduler
    yield
    c.scheduler = None


def rights_of(manifests):
    found = []
    for role in manifests:
        for rule in role["rules"] if role["kind"] in ("ClusterRole", "Role") else ():
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    found += [Right(role, group, resource, verb) for verb in rule["verbs"]]
    return found


def scheduler_needs_each(binary):
    """Without any one right, the scheduler is denied something that it does."""
    with stage(binary) as c:
        manifests = c.manifests("scheduler")
        rights = [right for right in rights_of(manifests) if right.key not in NOT_ASKED_HERE]
        check({right.key for right in rights} >= set(SCENES), "a scene for a right that there is not")
        runs = []
        for i, right in enumerate(rights):
            program = Program(c, binary, manifests, f"s-{i}", right)
            runs.append((program, SCENES.get(right.key)))
        run_all(c, runs)


def go_on(c, program):
    """Does what a scene needs after the program has started."""
    if program.without.key == ("events.k8s.io", "events", "patch"):
        spoil_twice(c, program.name)
    elif program.without.key == ("resource.k8s.io", "resourceclaims", "delete"):
        # The pod is deleted while it waits for its device, so the claim made for it must be
        # deleted.
        claims = f"{GROUP}/namespaces/{program.name}/resourceclaims"
        c.await_true("devices for resources", lambda: any(
            one.get("status", {}).get("allocation") for one in c.get(claims)["items"]))
        c.kubectl("delete", "pod", "asks", f"--namespace={program.name}", "--grace-period=0", "--force")
    elif program.without.key == EVENT_PATCH:
        taint_twice(c, program.name)


def evictors_need_each(binary):
    """Same for the evictors: those that only report, and those that act."""
    with stage(binary) as c:
        telling = c.manifests("controller-manager")
        runs = []
        for i, right in enumerate(rights_of(telling)):
            program = Program(c, binary, telling, f"t-{i}", right)
            scene = pardons if right.key == EVENT_PATCH else None if right.is_lease else evicts
            runs.append((program, None if right.key[2] in SERVED else scene))
        run_all(c, runs)
        acting = c.manifests("controller-manager", "controller-manager-act")
        runs = []
        for i, right in enumerate(one for one in rights_of(acting) if one.role == ACT):
            # Programs that may evict handle only devices, so that they do not evict the pods of the
            # others.
            of_devices = right.key[1] == "devicetaintrules/status"
            program = Program(c, binary, acting, f"a-{i}", right, flags=["--act"])
            program.words = [word for word in program.words if not word.startswith("--controllers")] + [
                f"--controllers={'device-' if of_devices else ''}taint-eviction"]
            runs.append((program, evicts))
        run_all(c, runs)


# Scenes of EvictionPolicies, NodeTaintRules, EvictionRequests and EvictionRecords.

OURS = "/apis/plimsoll.io/v1alpha1"
LIFECYCLE = "/apis/lifecycle.k8s.io/v1alpha1/namespaces/bounds"
PODS = "/api/v1/namespaces/bounds/pods"
OWNERS = {"ReplicationController": "/api/v1", "ReplicaSet": "/apis/apps/v1", "StatefulSet": "/apis/apps/v1",
          "DaemonSet": "/apis/apps/v1"}
# Records of so many entries in all that the oldest is deleted.
RECORDS = 51
RECORD_ENTRIES = 2000


def bound_by(c, key, labels=None, **spec):
    """Creates a policy for a taint, and a node for it."""
    c.post("/api/v1/nodes", node(key))
    c.post(f"{OURS}/evictionpolicies", {
        "apiVersion": "plimsoll.io/v1alpha1", "kind": "EvictionPolicy", "metadata": {"name": key},
        "spec": {"selector": {"taintKeys": [key], "namespaces": {"matchLabels": labels or {}}}, **spec}})


def run_on(c, home, name, owner=None, **spec):
    """Creates a ready pod on a node."""
    made = pod(name, nodeName=home, terminationGracePeriodSeconds=0, **spec)
    made["metadata"].update(namespace="bounds", labels={"on": home})
    if owner:
        made["metadata"]["ownerReferences"] = [{
            "apiVersion": owner["apiVersion"], "kind": owner["kind"], "name": owner["metadata"]["name"],
            "uid": owner["metadata"]["uid"], "controller": True}]
    made = c.post(PODS, made)
    c.patch(f"{PODS}/{name}/status", {
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}})
    return made


def taint_node(c, home, effect="NoExecute"):
    c.patch(f"/api/v1/nodes/{home}", {"spec": {"taints": [{"key": home, "value": "1", "effect": effect}]}})


def pods_on(c, home):
    return [one["metadata"]["name"] for one in c.get(f"{PODS}?labelSelector=on%3D{home}")["items"]]


def holds(c, policy, reason, count):
    status = c.get(f"{OURS}/evictionpolicies/{policy}").get("status", {})
    return {"reason": reason, "pods": count} in status.get("heldBackBy", [])


def set_bounds(c):
    """Creates policies with a rate, a budget, maxUnavailable and each `via`, and pods that they
    bound."""
    c.post("/api/v1/namespaces", {"apiVersion": "v1", "kind": "Namespace",
                                  "metadata": {"name": "bounds", "labels": {"tier": "prod"}}})
    c.post("/api/v1/namespaces/bounds/serviceaccounts", {
        "apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default"}})
    bound_by(c, "by-rate", {"tier": "prod"}, rate={"perSecond": "10m", "burst": 1})
    bound_by(c, "by-budget", disruptionBudgets={"mode": "Respect"})
    bound_by(c, "by-owner", maxUnavailable=1)
    bound_by(c, "by-eviction", via="Eviction")
    bound_by(c, "by-request", via="EvictionRequest")
    for home in ("by-rate", "by-budget"):
        run_on(c, home, f"{home}-0")
        run_on(c, home, f"{home}-1")
    c.post("/apis/policy/v1/namespaces/bounds/poddisruptionbudgets", {
        "apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"on": "by-budget"}}}})
    for kind, version in OWNERS.items():
        own_two(c, kind, version)
    run_on(c, "by-eviction", "evicted")
    run_on(c, "by-request", "requested")


def own_two(c, kind, version):
    """Creates an owner that wants three pods, and two of them."""
    name = kind.lower()
    labels = {"app": name}
    spec = {"selector": labels if kind == "ReplicationController" else {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": {"containers": [
                {"name": "c", "image": "registry.example.com/c:1"}]}}}
    spec.update({} if kind == "DaemonSet" else {"replicas": 3})
    path = f"{version}/namespaces/bounds/{name}s"
    owner = c.post(path, {"apiVersion": version.split("/", 2)[2], "kind": kind, "metadata": {"name": name},
                          "spec": spec})
    if kind == "DaemonSet":
        c.patch(f"{path}/{name}/status", {"status": {
            "currentNumberScheduled": 2, "desiredNumberScheduled": 3, "numberMisscheduled": 0, "numberReady": 2}})
    for i in range(2):
        run_on(c, "by-owner", f"{name}-{i}", owner)


def bounds_hold(c):
    """Taints the nodes and checks what each policy allows."""
    budget = "/apis/policy/v1/namespaces/bounds/poddisruptionbudgets/b"
    c.await_true("the budget", lambda: c.get(budget).get("status", {}).get("disruptionsAllowed") == 1)
    for home in ("by-rate", "by-budget", "by-owner", "by-eviction", "by-request"):
        taint_node(c, home)
    for home, reason in (("by-rate", "Rate"), ("by-budget", "Budget")):
        c.await_true(f"{reason} in the status", lambda: holds(c, home, reason, 1))
        c.await_true(f"one eviction {home}", lambda: len(pods_on(c, home)) == 1)
    c.await_true("MaxUnavailable in the status", lambda: holds(c, "by-owner", "MaxUnavailable", 8))
    check(len(pods_on(c, "by-owner")) == 8, "an owner misses a pod already:", pods_on(c, "by-owner"))
    c.patch(f"{OURS}/evictionpolicies/by-owner", {"spec": {"maxUnavailable": 2}})
    c.await_true("one pod of each owner", lambda: len(pods_on(c, "by-owner")) == 4)
    owners = {one.rsplit("-", 1)[0] for one in pods_on(c, "by-owner")}
    check(owners == {kind.lower() for kind in OWNERS}, owners)
    for home in ("by-eviction", "by-request"):
        c.await_true(f"the eviction {home}", lambda: not pods_on(c, home))


def set_rule(c, name, source, effect="NoSchedule", **spec):
    """Creates a rule, and a node for it."""
    if not c.has(f"/api/v1/nodes/{name}"):
        c.post("/api/v1/nodes", node(name))
    c.post(f"{OURS}/nodetaintrules", {
        "apiVersion": "plimsoll.io/v1alpha1", "kind": "NodeTaintRule", "metadata": {"name": name},
        "spec": {"nodes": {"names": [name]}, "taint": {"key": name, "effect": effect}, "value": source, **spec}})


def taint_on(c, name):
    return [one.get("value") for one in c.get(f"/api/v1/nodes/{name}")["spec"].get("taints", []) if one["key"] == name]


def soon(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))


def rules_hold(c):
    """Rules of each source without Prometheus, one that conflicts, and one that ends."""
    c.post("/api/v1/nodes", node("noted"))
    c.patch("/api/v1/nodes/noted", {"metadata": {"annotations": {"risk": "7"}}})
    set_rule(c, "noted", {"annotation": "risk"})
    set_rule(c, "computed", {"expression": "size(node.metadata.name)"})
    set_rule(c, "ended", {"constant": "on"}, expires=soon(3))
    c.post("/api/v1/nodes", node("fought"))
    taint_node(c, "fought", "NoSchedule")
    set_rule(c, "fought", {"constant": "5"})
    for name, value in (("noted", "7"), ("computed", "8")):
        c.await_true(f"the taint {name}", lambda: taint_on(c, name) == [value])
    c.await_true("the conflict", lambda: any(
        one["type"] == "Conflict" and one["status"] == "True" for one in
        c.get(f"{OURS}/nodetaintrules/fought").get("status", {}).get("conditions", [])))
    check(taint_on(c, "fought") == ["1"], "the rule fought:", taint_on(c, "fought"))
    c.await_true("the end of a rule", lambda: not c.has(f"{OURS}/nodetaintrules/ended"))
    check(not taint_on(c, "ended"), "the taint outlived its rule")
    c.kubectl("delete", "nodetaintrule", "noted")
    check(not taint_on(c, "noted"), "the taint outlived its rule")


def run_guarded(c, name):
    """Creates a pod whose responder never reports, so that its eviction stays."""
    if not c.has("/api/v1/nodes/quiet"):
        c.post("/api/v1/nodes", node("quiet"))
    return run_on(c, "quiet", name, evictionResponders=[{"name": "acme.io/saver", "priority": 10000}])


def ask(c, name, target, requester="acme.io/one"):
    """Creates a request, and returns the path of the eviction."""
    uid = target["metadata"]["uid"]
    c.post(f"{LIFECYCLE}/evictionrequests", {
        "apiVersion": "lifecycle.k8s.io/v1alpha1", "kind": "EvictionRequest", "metadata": {"name": name},
        "spec": {"requester": requester, "intent": "Eviction",
                 "target": {"pod": {"name": target["metadata"]["name"], "uid": uid}}}})
    return f"{LIFECYCLE}/evictions/{uid}"


def is_active(c, eviction):
    status, body = c.client.request("GET", eviction)
    return status == 200 and "Active" in json.dumps(body.get("status", {}))


def cancel(c, name, target):
    """Asks for an eviction and takes the request back."""
    eviction = ask(c, name, target)
    c.await_true("the eviction", lambda: is_active(c, eviction))
    c.patch(f"{LIFECYCLE}/evictionrequests/{name}", {"spec": {"intent": "Withdrawn"}})
    c.await_true("its cancellation", lambda: "Canceled" in json.dumps(c.get(eviction)["status"]))
    return eviction


def requests_hold(c):
    """Two requesters of one pod, and a new request after a cancellation."""
    both = run_guarded(c, "both")
    eviction = ask(c, "both-1", both)
    c.await_true("the eviction", lambda: is_active(c, eviction))
    ask(c, "both-2", both, "acme.io/two")
    c.await_true("the label", lambda: "acme.io/two" in c.get(eviction)["metadata"]["labels"])
    again = run_guarded(c, "again")
    eviction = cancel(c, "again-1", again)
    before = c.get(eviction)["metadata"]["uid"]
    ask(c, "again-2", again, "acme.io/two")
    c.await_true("another eviction", lambda: is_active(c, eviction) and c.get(eviction)["metadata"]["uid"] != before)


def fill_history(c):
    """Creates more entries than the history keeps."""
    for i in range(RECORDS):
        c.post(f"{OURS}/evictionrecords", {
            "apiVersion": "plimsoll.io/v1alpha1", "kind": "EvictionRecord", "entries": [],
            "metadata": {"name": f"old-{i}", "annotations": {"plimsoll.io/entries": str(RECORD_ENTRIES)}}})


def records_of(c):
    return {one["metadata"]["name"] for one in c.get(f"{OURS}/evictionrecords")["items"]}


def program_for(c, binary, name, files, controllers, without=None):
    """Returns a program that acts, with the rights of these files and of the evictors."""
    program = Program(c, binary, c.manifests(*EVICTORS, *files), name, without, ["--act"])
    program.words = [word for word in program.words if not word.startswith("--controllers")] + [
        f"--controllers={controllers}"]
    return program


def bounding(c, binary, name, without=None):
    return program_for(c, binary, name, BOUNDS,
                       "taint-eviction,device-taint-eviction,eviction-policy,node-taint-rule", without)


def requesting(c, binary, name, without=None):
    return program_for(c, binary, name, ["eviction-requests"], "eviction-request", without)


def recording(c, binary, name, without=None):
    return program_for(c, binary, name, ["eviction-history"], "eviction-history", without)


def enough_for_bounds(binary):
    """With the rights for policies, rules, requests and history, the controllers do all their work,
    nothing is denied, and each right is used."""
    with stage(binary) as c, contextlib.ExitStack() as programs:
        set_bounds(c)
        fill_history(c)
        all_three = [(bounding(c, binary, MANAGER), BOUNDS),
                     (requesting(c, binary, "requests"), ["eviction-requests"]),
                     (recording(c, binary, "history"), ["eviction-history"])]
        for program, _ in all_three:
            programs.enter_context(program)
        c.await_true("the removal of a record", lambda: len(
            {one for one in records_of(c) if one.startswith("old")}) < RECORDS)
        bounds_hold(c)
        rules_hold(c)
        requests_hold(c)
        c.await_true("a record of the taints", lambda: "by-rate" in json.dumps([
            one.get("entries") for one in c.get(f"{OURS}/evictionrecords")["items"]]))
        for program, files in all_three:
            wanted = {right.asked_as for right in rights_of(c.manifests(*files))}
            known = wanted | {right.key for right in rights_of(c.manifests(*EVICTORS))}
            c.take_audit()
            asked = c.asked[program.user]
            check(not wanted - asked, program.user, "did not need", wanted - asked)
            check(not c.denials(program.user), program.user, "was denied", c.denials(program.user))
            extra = {key for key in asked if key[1]} - known
            check(not extra, program.user, "asked for more:", extra)


def bound_pod(c, name, **spec):
    """Has a pod evicted under a new policy. Returns whether it is gone."""
    bound_by(c, name, **spec)
    run_on(c, name, name)
    taint_node(c, name)
    return lambda: not pods_on(c, name)


def ask_by_policy(c, name):
    bound_pod(c, name, via="EvictionRequest")
    uid = c.get(f"{PODS}/{name}")["metadata"]["uid"]
    return lambda: c.has(f"{LIFECYCLE}/evictionrequests/plimsoll-{uid}")


def rule(c, name):
    set_rule(c, name, {"constant": "1"})
    return lambda: taint_on(c, name) == ["1"]


def end_rule(c, name):
    set_rule(c, name, {"constant": "1"}, expires=soon(1))
    return lambda: not c.has(f"{OURS}/nodetaintrules/{name}")


def ask_once(c, name):
    eviction = ask(c, name, run_guarded(c, name))
    return lambda: is_active(c, eviction)


def ask_and_hear(c, name):
    """Requests the eviction of a pod. The end of the pod is a condition of the request."""
    c.post("/api/v1/nodes", node(name))
    ask(c, name, run_on(c, name, name))
    return lambda: c.get(f"{LIFECYCLE}/evictionrequests/{name}").get("status", {}).get("conditions")


def ask_twice(c, name):
    target = run_guarded(c, name)
    eviction = ask(c, f"{name}-1", target)
    c.await_true("the eviction", lambda: is_active(c, eviction))
    ask(c, f"{name}-2", target, "acme.io/two")
    return lambda: "acme.io/two" in c.get(eviction)["metadata"]["labels"]


def ask_again(c, name):
    target = run_guarded(c, name)
    eviction = cancel(c, f"{name}-1", target)
    ask(c, f"{name}-2", target, "acme.io/two")
    return lambda: is_active(c, eviction)


def ask_for_unguarded(c, name):
    c.post("/api/v1/nodes", node(name))
    ask(c, name, run_on(c, name, name))
    return lambda: not pods_on(c, name)


# What is done without a right. Each returns whether it has succeeded, as it does with the right.
BOUND_SCENES = {
    ("plimsoll.io", "evictionpolicies/status", "patch"): lambda c, name: bound_pod(c, name, rate={"perSecond": 5}),
    ("", "pods/eviction", "create"): lambda c, name: bound_pod(c, name, via="Eviction"),
    ("lifecycle.k8s.io", "evictionrequests", "create"): ask_by_policy,
    ("lifecycle.k8s.io", "evictionrequests", "patch"): ask_by_policy,
    ("", "nodes", "patch"): rule, ("plimsoll.io", "nodetaintrules", "patch"): rule,
    ("plimsoll.io", "nodetaintrules/status", "patch"): rule, ("plimsoll.io", "nodetaintrules", "delete"): end_rule}
REQUEST_SCENES = {
    ("lifecycle.k8s.io", "evictionrequests/status", "patch"): ask_and_hear,
    ("lifecycle.k8s.io", "evictions", "create"): ask_once, ("lifecycle.k8s.io", "evictions/status", "patch"): ask_once,
    ("lifecycle.k8s.io", "evictions", "patch"): ask_twice, ("lifecycle.k8s.io", "evictions", "delete"): ask_again,
    ("", "pods/eviction", "create"): ask_for_unguarded}


def needs(c, program, right, name, scene):
    """Without the right the program is denied, and with it again it goes on."""
    path, role = program.roles[right.role]
    named = {**role, "metadata": {"name": right.role}}
    c.patch(path, {"rules": right.taken_from(named)["rules"]})
    c.await_true(f"the removal of: {right}", lambda: not c.is_allowed(program.user, right))
    c.take_audit()
    c.denied.pop(program.user, None)
    is_done = scene(c, name)
    c.await_true(f"denied: {right}", lambda: right.asked_as in c.denials(program.user), 40)
    c.patch(path, {"rules": role["rules"]})
    c.await_true(f"success with: {right}", is_done, 60)


def bounds_need_each(binary):
    """Without any one of the rights for policies, rules, requests and history, the program is
    denied something that it does."""
    with stage(binary) as c:
        set_bounds(c)
        fill_history(c)
        kinds = ((bounding, "p", BOUNDS), (requesting, "r", ["eviction-requests"]),
                 (recording, "h", ["eviction-history"]))
        started = []
        for make, name, files in kinds:
            rights = rights_of(c.manifests(*files))
            # Each list and each watch is asked for, whatever others are denied.
            for verb in SERVED:
                some = [right for right in rights if right.key[2] == verb]
                started.append((make(c, binary, f"{name}-{verb}", Rights(some)), some))
            if make is recording:
                started += [(make(c, binary, f"{name}-{one.key[2]}", one), [one]) for one in rights
                            if one.key[2] not in SERVED]
        with contextlib.ExitStack() as running:
            for program, _ in started:
                running.enter_context(program)
            for program, rights in started:
                def missing():
                    return {one.asked_as for one in rights} - c.denials(program.user)

                def is_denied():
                    # A node's taint is a fact for the history.
                    taint_node(c, "by-rate", random.choice(("NoSchedule", "PreferNoSchedule")))
                    return not missing()
                c.await_true(f"denials of {program.user}", is_denied, 60)
        for (make, name, files), scenes in zip(kinds, (BOUND_SCENES, REQUEST_SCENES)):
            rights = [one for one in rights_of(c.manifests(*files)) if one.key[2] not in SERVED]
            check({one.key for one in rights} == set(scenes), "rights without scenes, or scenes without rights")
            with make(c, binary, name) as program:
                for i, right in enumerate(rights):
                    needs(c, program, right, f"{name}-{i}", scenes[right.key])


def run_all(c, runs):
    """Runs some programs at a time. The objects of a scene are created before its program
    starts."""
    for program, scene in runs:
        if scene:
            scene(c, program.name)
    waiting = list(runs)
    while waiting:
        batch, waiting = waiting[:AT_ONCE], waiting[AT_ONCE:]
        with contextlib.ExitStack() as running:
            for program, _ in batch:
                running.enter_context(program)
            for program, scene in batch:
                if scene:
                    go_on(c, program)
                c.await_true(f"denied: {program.without}",
                             lambda: program.without.key in c.denials(program.user), 40)


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], enough, scheduler_needs_each, evictors_need_each, enough_for_bounds, bounds_need_each))
