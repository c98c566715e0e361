#!/usr/bin/env python3
"""devices_test.py BINARY: checks devices with taints on simulated nodes, and the pods that use
them: error budgets, taints by drivers and monitors, shared claims, and evictions that are
previewed, rate-limited, cancelled, and continued by other controllers."""

import signal
import sys
import time

from cluster import check, play
from device_cluster import (BUDGET, DRIVER, EXAMPLES, GROUP, claiming_pod, device_cluster,
                            equal_devices, template_of)

BURST = 10  # evictions without rate limit


def error_budget(binary):
    """KEP-5471, story 5: inference uses devices with more than 24 hours left, training with more
    than one hour. Training is evicted when the budget of its device is used up."""
    with device_cluster(binary) as c:
        c.kubectl("apply", "-f", str(EXAMPLES / "error-budget.yaml"))
        c.running("inference", 2)
        c.running("training", 1)
        c.kubectl("scale", "deployment/training", "--replicas=0")
        c.await_end("training")
        c.kubectl("rollout", "restart", "deployment/inference")
        inference = c.running("inference", 2)
        used = sorted(name for one in inference for name in c.devices_of(one))
        check(used == ["gpu-0/device-1", "gpu-0/device-2"], used)

        c.kubectl("scale", "deployment/inference", "--replicas=3")
        told = c.refusal_of(c.waiting("inference"), "cannot allocate all claims")
        check(f"device(s) had untolerated taint {{{BUDGET}: 8}}" in told, told)
        c.kubectl("scale", "deployment/training", "--replicas=1")
        training = c.running("training", 1)[0]
        check(c.devices_of(training) == ["gpu-0/device-0"], c.devices_of(training))

        shown = c.plimsoll("get", "devices", f"--driver={DRIVER}")
        check(f"{BUDGET}=8:NoSchedule (driver)" in shown and training["metadata"]["name"] in shown,
              shown)
        shown = c.kubectl("describe", "resourceclaims")
        check("device-0" in shown and training["metadata"]["name"] in shown, shown)
        c.set_health("device-0", f"{BUDGET}=0:NoExecute")
        c.await_true("the eviction of training",
                     lambda: training["metadata"]["uid"] not in c.staying("training"))
        c.await_true("its event", lambda: c.events("DeviceTaintManagerEviction",
                                                   training["metadata"]["name"]))
        check({one["metadata"]["uid"] for one in inference} <= c.staying("inference").keys(),
              "inference was evicted")
        c.refusal_of(c.waiting("training"), "cannot allocate all claims")

        c.set_health("device-0", None)
        check(c.devices_of(c.running("training", 1)[0]) == ["gpu-0/device-0"], "it went elsewhere")


def tainted_by_driver(binary):
    """KEP-5055: a driver taints a degraded device, in the device or in a slice of taints. Only
    claims that tolerate the taint get the device. No claim gets a dead device."""
    tolerations = [{"key": "degraded", "operator": "Exists", "effect": "NoSchedule"}]
    shapes = {"nic.example.com": ("nic-0", "nic-1", "taints"),
              DRIVER: ("device-2", None, "devices")}
    with device_cluster(binary) as c:
        for driver, (device, other, field) in shapes.items():
            c.set_health(device, "degraded:NoSchedule")
            c.await_true("the taint", lambda: "degraded:NoSchedule (driver)" in c.plimsoll(
                "get", "devices", "--tainted", f"--driver={driver}"))
            slices = [one["spec"].get(field) for one in c.get(f"{GROUP}/resourceslices")["items"]
                      if one["spec"]["driver"] == driver]
            check("'degraded'" in str(slices), f"not in {field}:", slices)
            c.apply(template_of(f"picky-{device}", driver),
                    template_of(f"modest-{device}", driver, tolerations=tolerations),
                    claiming_pod("picky", "picky", resourceClaimTemplateName=f"picky-{device}"))
            if other is None:
                told = c.refusal_of("picky", "cannot allocate all claims")
                check("device(s) had untolerated taint {" in told, told)
            else:
                found = c.devices_of(c.running("picky", 1)[0])
                check(found == [f"gpu-0/{other}"], found)
            modest = c.run(claiming_pod("modest", "modest",
                                        resourceClaimTemplateName=f"modest-{device}"))
            check(c.devices_of(modest) == [f"gpu-0/{device}"], c.devices_of(modest))

            c.set_health(device, "degraded=dead:NoExecute")
            c.await_end("modest")
            check(c.staying("picky"), "picky was evicted")
            c.set_health(device, None)
            c.running("picky", 1)
            c.kubectl("delete", "pod", "picky", "--force", "--grace-period=0")


def tainted_by_monitor(binary):
    """KEP-5055: a monitor takes a broken device out of service with a rule."""
    with device_cluster(binary) as c:
        c.apply(template_of("gpu", DRIVER, tolerations=[{"key": BUDGET, "operator": "Exists"}]))
        for i in range(3):
            c.apply(claiming_pod(f"user-{i}", "user", resourceClaimTemplateName="gpu"))
        users = c.running("user", 3)
        victim = next(one for one in users if c.devices_of(one) == ["gpu-0/device-0"])
        c.kubectl("apply", "-f", str(EXAMPLES / "broken-device.yaml"))
        c.await_true("the eviction", lambda: c.staying("user").keys() ==
                     {one["metadata"]["uid"] for one in users} - {victim["metadata"]["uid"]})
        c.await_eviction("device-0-broken")
        check("rule/device-0-broken" in c.plimsoll("get", "devices", "--tainted"), "not shown")
        shown = c.kubectl("describe", "devicetaintrule", "device-0-broken")
        check("row remapping failed" in shown and
              "1 pod evicted since starting the controller." in shown, shown)


def safe_eviction(binary):
    """KEP-5055: a rule first previews its evictions, then evicts at its rate. If it is deleted
    halfway, it evicts no more. kubectl can wait for the end."""
    rate = 2
    with device_cluster(binary, equal_devices(40), 40) as c:
        c.crowd(40)
        c.kubectl("apply", "-f", str(EXAMPLES / "retire-driver.yaml"))
        told = c.await_true("the preview", lambda: c.condition("retire-driver"))
        check(told["status"] == "False" and told["reason"] == "NoEffect" and told["message"]
              .startswith("40 published devices selected. 40 allocated devices selected. 40 pods "
                          "would be evicted in 1 namespace if the effect was NoExecute."), told)
        check(len(c.staying("crowd")) == 40, "a rule without effect evicted")
        shown = c.taint_driver("admin.example.com/retired:NoExecute", f"--rate={rate}", "--preview")
        check("40 pods will be evicted in 1 namespace: default (40)." in shown and
              "At 2 per second, with 10 at once, that takes 15s." in shown, shown)

        c.kubectl("patch", "devicetaintrule", "retire-driver", "--type=merge",
                  "-p", '{"spec":{"taint":{"effect":"NoExecute"}}}')
        c.await_true("the first evictions", lambda: len(c.staying("crowd")) < 40)
        began = time.monotonic()
        c.await_true("progress", lambda: c.condition("retire-driver")["status"] == "True")
        time.sleep(max(0.0, 5 - (time.monotonic() - began)))
        passed = time.monotonic() - began
        left = len(c.staying("crowd"))
        check(40 - BURST - rate * passed - 4 <= left <= 40 - rate * passed + 4,
              left, "left after", passed)
        c.kubectl("delete", "devicetaintrule", "retire-driver")
        time.sleep(1)
        left = c.staying("crowd")
        check(left, "all were evicted")
        time.sleep(4)
        check(c.staying("crowd") == left, "it went on without the rule")
        some = sorted(left.values())[0]
        check(c.events("DeviceTaintManagerEviction", some) == ["Cancelling deletion"],
              c.events("DeviceTaintManagerEviction", some))

        made = c.taint_driver("admin.example.com/retired:NoExecute", "--rate=100")
        c.await_eviction(made.split()[0].split("/")[1])
        c.await_true("the end of all", lambda: not c.staying("crowd"), 10)
        c.taint_driver("admin.example.com/retired-")
        check(not c.get(f"{GROUP}/devicetaintrules")["items"], "the rule is still there")


def sharing(binary):
    """Two pods share a claim. When its device is tainted, no further pod gets it. When the last pod
    is gone, the claim is released and gets another device."""
    with device_cluster(binary) as c:
        c.kubectl("apply", "-f", str(EXAMPLES / "shared-claim.yaml"))
        left, right = c.running("sharing", 2)
        first = c.devices_of(left)
        check(len(first) == 1 and first == c.devices_of(right), first)
        reserved = c.claim("shared-nic")["status"]["reservedFor"]
        check({one["name"] for one in reserved} == {"left", "right"}, reserved)

        c.plimsoll("taint", "device", f"nic.example.com/{first[0]}", "flaky:NoSchedule")
        c.apply(claiming_pod("late", "late", resourceClaimName="shared-nic"))
        told = c.refusal_of("late", "1 resourceclaim not available on the node")
        check("device(s) had untolerated taint {flaky: }" in told, told)
        c.kubectl("delete", "pod", "left", "--force", "--grace-period=0")
        c.await_true("one consumer less", lambda: len(
            c.claim("shared-nic")["status"].get("reservedFor", [])) == 1)
        check(not c.pod("late")["spec"].get("nodeName"), "it got a tainted device")
        c.kubectl("delete", "pod", "right", "--force", "--grace-period=0")
        second = c.devices_of(c.running("late", 1)[0])
        check(second and second != first, "was", first, "and is", second)
        c.kubectl("delete", "pod", "late", "--force", "--grace-period=0")
        c.await_true("deallocation", lambda: not c.claim("shared-nic").get("status"))


def toleration_time(binary):
    """KEP-5055: pods that tolerate a taint for some seconds stay exactly that long. Their
    replacements stay pending, also with a shared claim, until the rule is deleted."""
    seconds = 6
    with device_cluster(binary, equal_devices(1), 1) as c:
        c.apply({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                 "metadata": {"name": "shared", "namespace": "default"},
                 "spec": {"devices": {"requests": [{"name": "r", "exactly": {
                     "deviceClassName": DRIVER, "tolerations": [
                         {"key": "hot", "operator": "Exists", "effect": "NoExecute",
                          "tolerationSeconds": seconds}]}}]}}})
        template = claiming_pod("x", "patient", resourceClaimName="shared")
        template["spec"]["terminationGracePeriodSeconds"] = 0
        c.apply({"apiVersion": "apps/v1", "kind": "Deployment",
                 "metadata": {"name": "patient", "namespace": "default"},
                 "spec": {"replicas": 3, "selector": {"matchLabels": {"app": "patient"}},
                          "template": {"metadata": {"labels": {"app": "patient"}},
                                       "spec": template["spec"]}}})
        first = {one["metadata"]["uid"] for one in c.running("patient", 3)}
        began = time.monotonic()
        c.taint_driver("hot:NoExecute", "--name=hot")
        c.await_true("the first eviction", lambda: first - set(c.staying("patient")), 30)
        stayed = time.monotonic() - began
        check(stayed >= seconds, "the pods had", stayed, "seconds, not", seconds)
        c.kubectl("wait", "--for=condition=EvictionInProgress=false", "devicetaintrule/hot",
                  "--timeout=60s")
        told = c.refusal_of(c.waiting("patient"), "cannot allocate all claims")
        check("device(s) had untolerated taint {hot: }" in told, told)
        explained = c.call_plimsoll("explain", "pod", c.waiting("patient")).stdout
        check(f"its tolerationSeconds of {seconds} ended at" in explained, explained)
        evicted = c.get("/api/v1/namespaces/default/events?"
                        "fieldSelector=reason%3DDeviceTaintManagerEviction")["items"]
        check(len(evicted) <= 6, "evicted", len(evicted), "pods for 3 replicas")
        c.kubectl("delete", "devicetaintrule/hot")
        c.running("patient", 3)


def check_progress(c, everybody, passed, extra, rate):
    """Checks that no more pods were evicted than the rate allows after `passed` seconds, and in
    order."""
    went = sorted(set(everybody) - set(c.staying("crowd").values()))
    check(len(went) <= BURST + rate * passed + extra, "too fast:", len(went), "went in", passed)
    check(passed < 40, "too slow:", len(went), "went in", passed)
    # The pods of a burst are deleted concurrently.
    check(not went or everybody.index(went[-1]) < len(went) + BURST, "out of order:", went)


def restart(binary):
    """Controllers are killed during an eviction. Their successors continue at the same rate and in
    the same order, and evict no pod twice."""
    rate = 4
    with device_cluster(binary, equal_devices(60), 60, has_controllers=False) as c:
        controllers = c.controllers()
        controllers.start()
        everybody = sorted(one["metadata"]["name"] for one in c.crowd(60))
        c.taint_driver("gone:NoExecute", f"--rate={rate}")
        c.await_true("the first evictions", lambda: len(c.staying("crowd")) < 60)
        began = time.monotonic()
        while time.monotonic() - began < 3:
            check_progress(c, everybody, time.monotonic() - began, rate, rate)
            time.sleep(0.1)
        controllers.stop(signal.SIGKILL)
        left = c.staying("crowd")
        time.sleep(1)
        check(c.staying("crowd") == left, "evictions without a controller")
        controllers.start()
        while c.staying("crowd"):
            check_progress(c, everybody, time.monotonic() - began, BURST + rate, rate)
            time.sleep(0.1)
        # If the controller dies during an eviction, its event may be recorded again.
        told = [len(c.events("DeviceTaintManagerEviction", name)) for name in everybody]
        check(all(told) and sum(told) <= 60 + 5, "told", sum(told), "times")
        controllers.stop(signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], error_budget, tainted_by_driver, tainted_by_monitor, safe_eviction,
                  sharing, toleration_time, restart))
