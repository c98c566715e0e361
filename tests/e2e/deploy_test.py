#!/usr/bin/env python3
"""deploy_test.py BINARY: checks that the rights in deploy/ are sufficient and minimal. With all of
them, no request of the programs is denied; without any one of them, some request is, and both the
audit log and the program report it."""

import contextlib
import copy
import json
import pathlib
import sys
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

    def __str__(self):
        group, resource, verb = self.key
        return f"{verb} {resource}.{group or 'core'} of {self.role}"


class Stage(Cluster):
    """A server with RBAC and an audit log, and programs with the rights of the manifests."""

    def __init__(self, server, audit):
        super().__init__(server)
        self.audit = audit
        self.scheduler = None  # scheduler of the scenes' pods; None: the program under test
        self.read = 0
        self.denied = {}  # by user: denied (group, resource, verb)
        self.asked = {}   # by user: allowed (group, resource, verb)
        (server.directory / "ca.crt").write_bytes((server.directory / "certificate-authority").read_bytes())

    def manifests(self, *names):
        found = []
        for name in names:
            text = self.kubectl("apply", "--dry-run=client", "-o", "json", "-f", str(DEPLOY / f"{name}.yaml"))
            listed = json.loads(text)
            found += listed.get("items", [listed])
        return found

    def post(self, path, body):
        status, answer = self.client.request("POST", path, body)
        check(status in (200, 201), "POST", path, status, answer)
        return answer

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
        for kind, path in where.items():
            for one in kinds[kind]:
                made = without.taken_from(one) if without and kind.endswith("Role") else one
                made["metadata"] = {"name": made["metadata"]["name"].replace(base, name, 1)}
                for rule in made.get("rules", []):
                    if "resourceNames" in rule:
                        rule["resourceNames"] = [name]
                if "roleRef" in made:
                    made["roleRef"]["name"] = made["roleRef"]["name"].replace(base, name, 1)
                    made["subjects"][0]["name"] = name
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
        # A component that any cluster has.
        with Component("controller-manager", binary, server, "--no-leader-elect",
                       "--controllers=persistentvolume-binder"):
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
    sys.exit(play(sys.argv[1], enough, scheduler_needs_each, evictors_need_each))
