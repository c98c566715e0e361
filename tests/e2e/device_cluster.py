"""A cluster with simulated devices, for the tests with devices."""

import contextlib
import json
import pathlib
import subprocess

from cluster import Cluster, Component, check
from server import Server

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "devices"
DRIVER = "device.example.com"
BUDGET = "device.example.com/error-budget-in-hours"
GROUP = "/apis/resource.k8s.io/v1"
CLAIMS = f"{GROUP}/namespaces/default/resourceclaims"
# One node with three GPUs, with 8 hours, 30 hours and no limit left, and two network cards.
EXAMPLE_NODE = (EXAMPLES / "nodes.yaml.template").read_text(encoding="utf-8")
EXAMPLE_DEVICES = 5


def equal_devices(count):
    """Returns a template of a node with this many identical devices."""
    return ("apiVersion: v1\nkind: Node\nmetadata: {name: 'gpu-{{i}}'}\n---\n"
            "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\n"
            f"metadata: {{annotations: {{plimsoll.io/devices: '{count}'}}}}\n"
            f"spec: {{driver: {DRIVER}, devices: [{{name: 'device-{{{{d}}}}'}}]}}\n")


class Devices(Cluster):
    """kubectl and plimsoll for a cluster with devices."""

    def __init__(self, server, binary):
        super().__init__(server)
        self.binary = binary
        self.kubectl("apply", "-f", str(EXAMPLES / "classes.yaml"))

    def controllers(self, *flags):
        """Returns a controller-manager that is not started yet."""
        return Component("controller-manager", self.binary, self.server, "--no-leader-elect", *flags)

    def await_devices(self, count):
        def probe():
            slices = self.get(f"{GROUP}/resourceslices")["items"]
            return sum(len(one["spec"].get("devices", [])) for one in slices) == count
        self.await_true(f"{count} devices", probe, 30)

    def call_plimsoll(self, *words):
        return subprocess.run([self.binary, *words, "--kubeconfig", str(self.server.kubeconfig)],
                              capture_output=True, text=True, timeout=60, check=False)

    def plimsoll(self, *words):
        done = self.call_plimsoll(*words)
        check(done.returncode == 0, "plimsoll", *words, "failed:", done.stderr)
        return done.stdout

    def taint_driver(self, *words):
        """Adds a taint to all GPUs, or removes it."""
        return self.plimsoll("taint", "device", f"--driver={DRIVER}", *words)

    def set_health(self, device, taints):
        """Has the driver taint a device of the first node: `key=value:Effect`; None: as before."""
        name = f"plimsoll.io/device-taints.{device}"
        self.kubectl("annotate", "--overwrite", "node", "gpu-0",
                     f"{name}-" if taints is None else f"{name}={taints}")

    def pods(self, app):
        return self.get(f"/api/v1/namespaces/default/pods?labelSelector=app%3D{app}")["items"]

    def staying(self, app):
        """Returns the pods without deletionTimestamp, as names by uid."""
        return {one["metadata"]["uid"]: one["metadata"]["name"] for one in self.pods(app)
                if "deletionTimestamp" not in one["metadata"]}

    def running(self, app, count):
        """Waits until exactly this many pods of an app run and none is terminating, and returns
        them."""
        def probe():
            items = [one for one in self.pods(app)
                     if one.get("status", {}).get("phase") == "Running"
                     and "deletionTimestamp" not in one["metadata"]]
            return items if len(items) == count else None
        return self.await_true(f"{count} running pods of {app}", probe, 30)

    def run(self, pod):
        """Creates the pod and waits until it runs."""
        self.apply(pod)
        return self.running(pod["metadata"]["labels"]["app"], 1)[0]

    def crowd(self, count):
        """Creates this many pods, each with its own device, and waits until they run."""
        self.apply(template_of("one", DRIVER))
        pods = [claiming_pod(f"crowd-{i:03}", "crowd", resourceClaimTemplateName="one")
                for i in range(count)]
        self.kubectl("apply", "-f", "-",
                     stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": pods}))
        return self.running("crowd", count)

    def waiting(self, app):
        """Returns the name of an unscheduled pod of the app."""
        return self.await_true(f"a waiting pod of {app}", lambda: next(
            (one["metadata"]["name"] for one in self.pods(app) if not one["spec"].get("nodeName")),
            None))

    def await_end(self, app):
        self.await_true(f"the end of {app}", lambda: not self.pods(app))

    def claim(self, name):
        return self.get(f"{CLAIMS}/{name}")

    def devices_of(self, pod):
        """Returns the devices of a pod's claims."""
        found = []
        for name in claim_names(pod):
            allocation = self.claim(name).get("status", {}).get("allocation", {})
            found += [f"{one['pool']}/{one['device']}"
                      for one in allocation.get("devices", {}).get("results", [])]
        return found

    def condition(self, rule):
        """Returns the condition EvictionInProgress, or None."""
        conditions = self.get(f"{GROUP}/devicetaintrules/{rule}").get("status", {}) \
            .get("conditions", [])
        return next((one for one in conditions if one["type"] == "EvictionInProgress"), None)

    def await_eviction(self, rule):
        """Waits with the command of the design document."""
        self.kubectl("wait", "--for=condition=EvictionInProgress=false", f"DeviceTaintRule/{rule}",
                     "--timeout=60s")

    def events(self, reason, name):
        selector = f"fieldSelector=reason%3D{reason},involvedObject.name%3D{name}"
        items = self.get(f"/api/v1/namespaces/default/events?{selector}")["items"]
        return [one["message"] for one in items]


@contextlib.contextmanager
def device_cluster(binary, template=EXAMPLE_NODE, count=EXAMPLE_DEVICES, has_controllers=True,
                   gates=None):
    """Starts a control plane and a node of the template, and waits until all its devices are
    published. The gates apply to the scheduler and the controllers, not to the server."""
    flags = [f"--feature-gates={gates}"] if gates else []
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Server(binary, store="memory"))
        path = server.directory / "nodes.yaml.template"
        path.write_text(template, encoding="utf-8")
        c = Devices(server, binary)
        stack.enter_context(Component("scheduler", binary, server, *flags))
        if has_controllers:
            stack.enter_context(c.controllers(*flags))
        stack.enter_context(Component("kubelet", binary, server, "--nodes=1",
                                      f"--node-template={path}"))
        c.await_devices(count)
        yield c


def claim_names(pod):
    status = pod.get("status", {})
    made = {one["name"]: one.get("resourceClaimName")
            for one in status.get("resourceClaimStatuses", [])}
    names = [one.get("resourceClaimName") or made[one["name"]]
             for one in pod["spec"].get("resourceClaims", [])]
    if "extendedResourceClaimStatus" in status:
        names.append(status["extendedResourceClaimStatus"]["resourceClaimName"])
    return names


def device_pod(name, app, resources, **spec):
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "labels": {"app": app}},
            "spec": {"terminationGracePeriodSeconds": 0,
                     "containers": [{"name": "c", "image": "registry.example.com/c:1",
                                     "resources": resources}], **spec}}


def claiming_pod(name, app, **claim):
    return device_pod(name, app, {"claims": [{"name": "device"}]},
                      resourceClaims=[{"name": "device", **claim}])


def template_of(name, device_class, **request):
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate",
            "metadata": {"name": name},
            "spec": {"spec": {"devices": {"requests": [
                {"name": "r", "exactly": {"deviceClassName": device_class, **request}}]}}}}
