#!/usr/bin/env python3
"""devices_test.py BINARY: devices with taints on simulated nodes, and the pods that use them: error
budgets that fall, drivers and monitors that taint, claims that are shared, evictions that are looked at
before, slowed down, called off, and gone on with by other controllers."""

import json
import pathlib
import signal
import subprocess
import sys
import time

from cluster import Cluster, Component, Scenes, check
from server import Server

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "devices"
DRIVER = "device.example.com"
BUDGET = "device.example.com/error-budget-in-hours"
GROUP = "/apis/resource.k8s.io/v1"
CLAIMS = f"{GROUP}/namespaces/default/resourceclaims"


class Devices(Cluster):
    """A cluster with devices."""

    def __init__(self, server, binary):
        super().__init__(server)
        self.binary = binary
        self.kubectl("apply", "-f", str(EXAMPLES / "classes.yaml"))

    def await_devices(self, count):
        def probe():
            slices = self.get(f"{GROUP}/resourceslices")["items"]
            return sum(len(one["spec"].get("devices", [])) for one in slices) == count
        self.await_true(f"{count} devices", probe, 30)

    def plimsoll(self, *words):
        done = subprocess.run([self.binary, *words, "--kubeconfig", str(self.server.kubeconfig)],
                              capture_output=True, text=True, timeout=60, check=False)
        check(done.returncode == 0, "plimsoll", *words, "failed:", done.stderr)
        return done.stdout

    def pods(self, selector=""):
        return self.get(f"/api/v1/namespaces/default/pods?labelSelector={selector}")["items"]

    def running(self, app, count):
        """The pods of an app, once so many run and none is going."""
        def probe():
            items = [one for one in self.pods(f"app%3D{app}")
                     if one.get("status", {}).get("phase") == "Running"
                     and "deletionTimestamp" not in one["metadata"]]
            return items if len(items) == count else None
        return self.await_true(f"{count} running pods of {app}", probe, 30)

    def devices_of(self, pod):
        """The devices that a pod's claims have."""
        found = []
        for name in claim_names(pod):
            allocation = self.get(f"{CLAIMS}/{name}").get("status", {}).get("allocation", {})
            found += [f"{one['pool']}/{one['device']}"
                      for one in allocation.get("devices", {}).get("results", [])]
        return found

    def condition(self, rule):
        conditions = self.get(f"{GROUP}/devicetaintrules/{rule}").get("status", {}) \
            .get("conditions", [])
        return next((one for one in conditions if one["type"] == "EvictionInProgress"), None)

    def events(self, reason, name):
        selector = f"fieldSelector=reason%3D{reason},involvedObject.name%3D{name}"
        items = self.get(f"/api/v1/namespaces/default/events?{selector}")["items"]
        return [one["message"] for one in items]


def claim_names(pod):
    made = {one["name"]: one.get("resourceClaimName")
            for one in pod.get("status", {}).get("resourceClaimStatuses", [])}
    return [one.get("resourceClaimName") or made[one["name"]]
            for one in pod["spec"].get("resourceClaims", [])]


def claiming_pod(name, app, **claim):
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "labels": {"app": app}},
            "spec": {"terminationGracePeriodSeconds": 0,
                     "resourceClaims": [{"name": "device", **claim}],
                     "containers": [{"name": "c", "image": "registry.example.com/c:1",
                                     "resources": {"claims": [{"name": "device"}]}}]}}


def template_of(name, device_class, **request):
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate",
            "metadata": {"name": name},
            "spec": {"spec": {"devices": {"requests": [
                {"name": "r", "exactly": {"deviceClassName": device_class, **request}}]}}}}


def many_devices(server, count):
    """A template of nodes with so many equal devices."""
    path = server.directory / "many.yaml.template"
    path.write_text(
        "apiVersion: v1\nkind: Node\nmetadata: {name: 'gpu-{{i}}'}\n---\n"
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\n"
        f"metadata: {{annotations: {{plimsoll.dev/devices: '{count}'}}}}\n"
        f"spec: {{driver: {DRIVER}, devices: [{{name: 'device-{{{{d}}}}'}}]}}\n")
    return path


def crowd(c, count):
    """So many pods that run, each with a device of its own."""
    c.apply(template_of("one", DRIVER))
    pods = [claiming_pod(f"crowd-{i}", "crowd", resourceClaimTemplateName="one")
            for i in range(count)]
    c.kubectl("apply", "-f", "-",
              stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": pods}))
    return c.running("crowd", count)


def staying(c, app="crowd"):
    return {one["metadata"]["uid"] for one in c.pods(f"app%3D{app}")
            if "deletionTimestamp" not in one["metadata"]}


def error_budget(binary):
    """KEP-5471, story 5: inference takes devices with more than 24 hours left, training with more than
    one; when the budget of its device is used up, training is evicted."""
    with Server(binary, store="memory") as server, Component("scheduler", binary, server), \
            Component("controller-manager", binary, server, "--no-leader-elect"), \
            Component("kubelet", binary, server, "--nodes=1",
                      f"--node-template={EXAMPLES / 'nodes.yaml.template'}"):
        c = Devices(server, binary)
        c.await_devices(5)
        c.kubectl("apply", "-f", str(EXAMPLES / "error-budget.yaml"))
        inference = c.running("inference", 2)
        c.running("training", 1)
        c.kubectl("scale", "deployment/training", "--replicas=0")
        c.await_true("the end of training", lambda: not c.pods("app%3Dtraining"))
        c.kubectl("rollout", "restart", "deployment/inference")
        inference = c.running("inference", 2)
        used = sorted(name for one in inference for name in c.devices_of(one))
        check(used == ["gpu-0/device-1", "gpu-0/device-2"], used)

        c.kubectl("scale", "deployment/inference", "--replicas=3")
        third = c.await_true("a third pod", lambda: [
            one for one in c.pods("app%3Dinference") if not one["spec"].get("nodeName")])
        c.refusal_of(third[0]["metadata"]["name"], "cannot allocate all claims")
        c.kubectl("scale", "deployment/training", "--replicas=1")
        training = c.running("training", 1)[0]
        check(c.devices_of(training) == ["gpu-0/device-0"], c.devices_of(training))

        shown = c.plimsoll("get", "devices", f"--driver={DRIVER}")
        check(f"{BUDGET}=8:NoSchedule (driver)" in shown and training["metadata"]["name"] in shown,
              shown)
        c.kubectl("annotate", "node", "gpu-0",
                  f"plimsoll.dev/device-taints.device-0={BUDGET}=0:NoExecute")
        c.await_true("the eviction of training", lambda: training["metadata"]["uid"] not in
                     staying(c, "training"))
        c.await_true("its event", lambda: c.events("DeviceTaintManagerEviction",
                                                   training["metadata"]["name"]))
        check({one["metadata"]["uid"] for one in inference} <= staying(c, "inference"),
              "inference was evicted")
        waiting = c.await_true("its successor", lambda: [
            one for one in c.pods("app%3Dtraining") if not one["spec"].get("nodeName")])
        c.refusal_of(waiting[0]["metadata"]["name"], "cannot allocate all claims")

        c.kubectl("annotate", "node", "gpu-0", "plimsoll.dev/device-taints.device-0-")
        check(c.devices_of(c.running("training", 1)[0]) == ["gpu-0/device-0"], "it went elsewhere")


def tainted_by_driver_and_monitor(binary):
    """KEP-5055: a degraded device is tainted by its driver, in the device or in a slice of taints, and a
    broken one by a monitor's rule."""
    with Server(binary, store="memory") as server, Component("scheduler", binary, server), \
            Component("controller-manager", binary, server, "--no-leader-elect"), \
            Component("kubelet", binary, server, "--nodes=1",
                      f"--node-template={EXAMPLES / 'nodes.yaml.template'}"):
        c = Devices(server, binary)
        c.await_devices(5)
        c.kubectl("annotate", "node", "gpu-0", "plimsoll.dev/device-taints.nic-0=degraded:NoSchedule")
        c.await_true("the taint", lambda: "degraded:NoSchedule (driver)" in c.plimsoll(
            "get", "devices", "--tainted"))
        slices = c.get(f"{GROUP}/resourceslices")["items"]
        check(any(one["spec"].get("taints") for one in slices), "no slice has it")
        c.apply(template_of("nic", "nic.example.com"),
                template_of("any-nic", "nic.example.com", tolerations=[
                    {"key": "degraded", "operator": "Exists", "effect": "NoSchedule"}]))
        for name, template, wanted in (("picky", "nic", "gpu-0/nic-1"),
                                       ("modest", "any-nic", "gpu-0/nic-0")):
            c.apply(claiming_pod(name, name, resourceClaimTemplateName=template))
            found = c.devices_of(c.running(name, 1)[0])
            check(found == [wanted], name, found)

        c.apply(template_of("gpu", DRIVER, tolerations=[{"key": BUDGET, "operator": "Exists"}]))
        for i in range(3):
            c.apply(claiming_pod(f"user-{i}", "user", resourceClaimTemplateName="gpu"))
        users = c.running("user", 3)
        victim = next(one for one in users if c.devices_of(one) == ["gpu-0/device-0"])
        c.kubectl("apply", "-f", str(EXAMPLES / "broken-device.yaml"))
        c.await_true("the eviction", lambda: staying(c, "user") ==
                     {one["metadata"]["uid"] for one in users} - {victim["metadata"]["uid"]})
        c.kubectl("wait", "--for=condition=EvictionInProgress=false",
                  "devicetaintrule/device-0-broken", "--timeout=30s")
        check("rule/device-0-broken" in c.plimsoll("get", "devices", "--tainted"), "not shown")


def safe_eviction(binary):
    """KEP-5055: what a rule would evict is told first; then it evicts at its rate; deleted half-way, it
    evicts no more; and kubectl can wait for the end."""
    with Server(binary, store="memory") as server, Component("scheduler", binary, server), \
            Component("controller-manager", binary, server, "--no-leader-elect"), \
            Component("kubelet", binary, server, "--nodes=1",
                      f"--node-template={many_devices(server, 40)}"):
        c = Devices(server, binary)
        c.await_devices(40)
        crowd(c, 40)
        c.kubectl("apply", "-f", str(EXAMPLES / "retire-driver.yaml"))
        told = c.await_true("the preview", lambda: c.condition("retire-driver"))
        check(told["status"] == "False" and told["reason"] == "NoEffect" and told["message"]
              .startswith("40 published devices selected. 40 allocated devices selected. 40 pods "
                          "would be evicted in 1 namespace if the effect was NoExecute."), told)
        check(len(staying(c)) == 40, "a rule without effect evicted")
        shown = c.plimsoll("taint", "device", f"--driver={DRIVER}",
                           "admin.example.com/retired:NoExecute", "--rate=2", "--preview")
        check("40 pods will be evicted in 1 namespace: default (40)." in shown and
              "At 2 per second, with 10 at once, that takes 15s." in shown, shown)

        c.kubectl("patch", "devicetaintrule", "retire-driver", "--type=merge",
                  "-p", '{"spec":{"taint":{"effect":"NoExecute"}}}')
        c.await_true("the first evictions", lambda: len(staying(c)) < 40)
        began = time.monotonic()
        c.await_true("progress", lambda: (c.condition("retire-driver") or {}).get("status") == "True")
        time.sleep(max(0.0, 5 - (time.monotonic() - began)))
        passed = time.monotonic() - began
        left = len(staying(c))
        check(40 - 10 - 2 * passed - 4 <= left <= 40 - 2 * passed + 4, left, "left after", passed)
        c.kubectl("delete", "devicetaintrule", "retire-driver")
        time.sleep(1)
        left = staying(c)
        check(left, "all were evicted")
        time.sleep(4)
        check(staying(c) == left, "it went on without the rule")

        made = c.plimsoll("taint", "device", f"--driver={DRIVER}",
                          "admin.example.com/retired:NoExecute", "--rate=100")
        rule = made.split()[0]
        c.kubectl("wait", "--for=condition=EvictionInProgress=false", rule, "--timeout=60s")
        c.await_true("the end of all", lambda: not staying(c), 10)
        c.plimsoll("taint", "device", f"--driver={DRIVER}", "admin.example.com/retired-")
        check(not c.get(f"{GROUP}/devicetaintrules")["items"], "the rule is still there")


def sharing(binary):
    """Two pods share a claim. When its device is tainted, no further pod gets it; when the last has left,
    the claim is free, and gets another device."""
    with Server(binary, store="memory") as server, Component("scheduler", binary, server), \
            Component("controller-manager", binary, server, "--no-leader-elect"), \
            Component("kubelet", binary, server, "--nodes=1",
                      f"--node-template={EXAMPLES / 'nodes.yaml.template'}"):
        c = Devices(server, binary)
        c.await_devices(5)
        c.kubectl("apply", "-f", str(EXAMPLES / "shared-claim.yaml"))
        left, right = c.running("sharing", 2)
        first = c.devices_of(left)
        check(len(first) == 1 and first == c.devices_of(right), first)
        reserved = c.get(f"{CLAIMS}/shared-nic")["status"]["reservedFor"]
        check({one["name"] for one in reserved} == {"left", "right"}, reserved)

        pool, device = first[0].split("/")
        c.plimsoll("taint", "device", f"nic.example.com/{pool}/{device}", "flaky:NoSchedule")
        c.apply(claiming_pod("late", "late", resourceClaimName="shared-nic"))
        c.await_true("its refusal", lambda: c.events("FailedScheduling", "late"))
        check(not c.pod("late")["spec"].get("nodeName"), "it got a tainted device")
        c.kubectl("delete", "pod", "left", "--force", "--grace-period=0")
        c.await_true("one consumer less", lambda: len(
            c.get(f"{CLAIMS}/shared-nic")["status"].get("reservedFor", [])) == 1)
        check(not c.pod("late")["spec"].get("nodeName"), "it got a tainted device")
        c.kubectl("delete", "pod", "right", "--force", "--grace-period=0")
        second = c.devices_of(c.running("late", 1)[0])
        check(second and second != first, "was", first, "and is", second)


def restart(binary):
    """Controllers that are killed amid an eviction: the next go on, at the same rate, and evict nobody
    twice."""
    with Server(binary, store="memory") as server, Component("scheduler", binary, server), \
            Component("kubelet", binary, server, "--nodes=1",
                      f"--node-template={many_devices(server, 60)}"):
        c = Devices(server, binary)
        controllers = Component("controller-manager", binary, server, "--no-leader-elect")
        controllers.start()
        c.await_devices(60)
        pods = crowd(c, 60)
        rate = 4
        c.plimsoll("taint", "device", f"--driver={DRIVER}", "gone:NoExecute", f"--rate={rate}")
        c.await_true("the first evictions", lambda: len(staying(c)) < 60)
        began = time.monotonic()
        time.sleep(3)
        controllers.stop(signal.SIGKILL)
        left = len(staying(c))
        time.sleep(1)
        check(len(staying(c)) == left, "evictions without a controller")
        controllers.start()
        while staying(c):
            passed = time.monotonic() - began
            check(60 - len(staying(c)) <= 10 + rate * passed + 10 + rate, "too fast:",
                  len(staying(c)), "left after", passed)
            check(passed < 40, "too slow:", len(staying(c)), "left after", passed)
            time.sleep(0.2)
        # A pod that was told of its eviction when the controller died is told again.
        told = [len(c.events("DeviceTaintManagerEviction", one["metadata"]["name"])) for one in pods]
        check(all(told) and sum(told) <= 60 + 5, "told", sum(told), "times")
        controllers.stop(signal.SIGTERM)


def main():
    scenes = Scenes()
    scenes.run(sys.argv[1], error_budget, tainted_by_driver_and_monitor, safe_eviction, sharing,
               restart)
    return scenes.outcome()


if __name__ == "__main__":
    sys.exit(main())
