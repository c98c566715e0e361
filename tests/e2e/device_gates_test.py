#!/usr/bin/env python3
"""device_gates_test.py BINARY: checks device taints and DeviceTaintRules with their feature gates
off."""

import json
import sys
import time

from cluster import Cluster, check, play
from device_cluster import (BUDGET, CLAIMS, DRIVER, EXAMPLES, GROUP, claiming_pod, device_cluster,
                            template_of)
from server import Server

NO_TAINTS = "DRADeviceTaints=false"
NO_RULES = "DRADeviceTaintRules=false"
TAINT = {"key": "degraded", "value": "1", "effect": "NoSchedule"}


def objects(name):
    """Returns every kind of object with a field of the gate, by the location of the field."""
    def published(suffix, **content):
        return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice",
                "metadata": {"name": f"{name}-{suffix}"},
                "spec": {"driver": DRIVER, "nodeName": "n", **content,
                         "pool": {"name": f"{name}-{suffix}", "generation": 1,
                                  "resourceSliceCount": 1}}}
    request = {"name": "r", "exactly": {
        "deviceClassName": DRIVER, "tolerations": [{"key": "degraded", "operator": "Exists"}]}}
    return {
        f"{GROUP}/resourceslices/{name}-devices": published(
            "devices", devices=[{"name": "gpu-0", "taints": [TAINT]}]),
        f"{GROUP}/resourceslices/{name}-taints": published(
            "taints", taints=[{"device": "gpu-0", "taint": TAINT}]),
        f"{CLAIMS}/{name}": {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
                             "metadata": {"name": name},
                             "spec": {"devices": {"requests": [request]}}}}


def stored_fields(binary):
    """With the gate off, taints and tolerations are dropped from new objects and kept in stored
    ones."""
    with Server(binary, store="rocksdb") as server:
        def mentions(path):
            return "'degraded'" in str(Cluster(server).get(path)["spec"])
        old = objects("old")
        Cluster(server).apply(*old.values())
        check(all(mentions(path) for path in old), "the gate is on")
        server.stop()
        server.flags.append(f"--feature-gates={NO_TAINTS}")
        server.start()
        c = Cluster(server)
        for path, one in old.items():
            c.kubectl("label", one["kind"], one["metadata"]["name"], "touched=yes")
            check(mentions(path), "dropped from", path)
        new = objects("new")
        c.apply(*new.values())
        for path in new:
            check(not mentions(path), "kept in", path)


def taints_ignored(binary):
    """Without DRADeviceTaints, the scheduler and the controllers ignore all taints."""
    with device_cluster(binary, gates=NO_TAINTS) as c:
        c.kubectl("apply", "-f", str(EXAMPLES / "broken-device.yaml"))
        c.apply(template_of("gpu", DRIVER))
        for i in range(3):
            c.apply(claiming_pod(f"user-{i}", "user", resourceClaimTemplateName="gpu"))
        users = c.running("user", 3)
        c.set_health("device-1", f"{BUDGET}=0:NoExecute")
        c.await_true("the taint", lambda: f"{BUDGET}=0:NoExecute" in c.plimsoll("get", "devices"))
        time.sleep(2)
        check(c.staying("user").keys() == {one["metadata"]["uid"] for one in users}, "evicted")
        check(c.condition("device-0-broken") is None, "the rule has a status")


def rules_ignored(binary):
    """Without DRADeviceTaintRules, stored rules are ignored, and the drivers' taints still
    count."""
    with device_cluster(binary, gates=NO_RULES) as c:
        c.apply(template_of("gpu", DRIVER), template_of("any", DRIVER, tolerations=[
            {"key": BUDGET, "operator": "Exists", "effect": "NoSchedule"}]))
        c.taint_driver("retired:NoExecute", "--name=retired")
        free = c.run(claiming_pod("free", "free", resourceClaimTemplateName="gpu"))
        check(c.devices_of(free) == ["gpu-0/device-2"], c.devices_of(free))
        c.apply(claiming_pod("picky", "picky", resourceClaimTemplateName="gpu"))
        c.refusal_of("picky", "cannot allocate all claims")
        modest = c.run(claiming_pod("modest", "modest", resourceClaimTemplateName="any"))
        c.set_health(c.devices_of(modest)[0].split("/")[1], "dead:NoExecute")
        c.await_end("modest")
        check(c.staying("free"), "a rule evicted")
        rule = json.loads(c.kubectl("get", "devicetaintrule", "retired", "-o", "json"))
        check(rule["spec"]["taint"]["effect"] == "NoExecute" and not rule["status"], rule)


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], stored_fields, taints_ignored, rules_ignored))
