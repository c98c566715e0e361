#!/usr/bin/env python3
"""device_commands_test.py BINARY: checks `plimsoll taint device` and `plimsoll get devices` in all
their forms, valid and invalid, and pods that request devices as extended resources."""

import json
import sys

from cluster import Scenes, check
from device_cluster import BUDGET, DRIVER, GROUP, device_cluster, device_pod

MODEL = f"device.attributes['{DRIVER}'].model == 'A100'"
FIRST = f"{DRIVER}/gpu-0/device-0"
RULE = "devicetaintrule.resource.k8s.io/"

# Arguments of `plimsoll`, exit code, and error text.
MISTAKES = [
    (["taint", "device"], 2, "want DRIVER/POOL/DEVICE and a taint"),
    (["taint", "device", "k:None"], 2, "say which devices"),
    (["taint", "device", "gpu-0", "k:None"], 2, '"gpu-0" is no device'),
    (["taint", "device", FIRST, "k"], 2, '"k" is no taint'),
    (["taint", "device", FIRST, "k:NoExecut"], 2, "did you mean NoExecute?"),
    (["taint", "device", FIRST, "k=v-"], 2, "by its key, and effect, alone: k-"),
    (["taint", "device", FIRST, "k:None", "more"], 2, "want DRIVER/POOL/DEVICE and a taint"),
    (["taint", "device", FIRST, "k:None", "--driver=d"], 2, "exclude each other"),
    (["taint", "device", FIRST, "k:None", "--rate=0"], 2, "from 1 to 1000000, not \"0\""),
    (["taint", "device", FIRST, "k:None", "--rate=many"], 2, "from 1 to 1000000, not \"many\""),
    (["taint", "device", FIRST, "k!:None"], 2, "spec.taint.key: Invalid value"),
    (["taint", "device", FIRST, "k:None", "--name=A_b"], 2, "metadata.name: Invalid value"),
    (["taint", "device", "--cel=1", "k:None", "--preview"], 2, "must evaluate to bool"),
    (["taint", "device", "--class=nic.exmple.com", "k:None"], 2, 'did you mean "nic.example.com"?'),
    (["taint", "device", FIRST, "k-"], 1, 'has a taint "k"'),
    (["taint", "device", FIRST, f"{BUDGET}-"], 1, "it is the driver's"),
    (["get", "devices", "-o", "xml"], 2, "want text, wide, json, yaml or name"),
    (["get", "devices", "gpu-0"], 2, 'unexpected argument "gpu-0"'),
]


def mistakes(c):
    """Mistakes are reported, and nothing is written."""
    for words, code, wanted in MISTAKES:
        done = c.call_plimsoll(*words)
        check(done.returncode == code and wanted in done.stderr, words, done)
    check(not c.get(f"{GROUP}/devicetaintrules")["items"], "there is a rule")


def tainting(c):
    """A taint is created, changed, found unchanged, and removed."""
    def taint(*words):
        return c.plimsoll("taint", "device", *words)
    made = taint(FIRST, "hot=1:NoSchedule", "--description=fan stuck")
    check(made.startswith(RULE) and made.endswith(" created\n"), made)
    name = made.split()[0]
    for words, wanted in ((["hot=1:NoSchedule", "--description=fan stuck"], "unchanged"),
                          (["hot=2:NoExecute", "--rate=5"], "configured"),
                          (["hot:NoExecute-", "--preview"], "would be deleted"),
                          (["hot-"], "deleted")):
        check(taint(FIRST, *words) == f"{name} {wanted}\n", words)
        if wanted == "configured":
            spec = json.loads(c.kubectl("get", name, "-o", "json"))["spec"]["taint"]
            check(spec.pop("timeAdded") and spec == {"key": "hot", "value": "2", "effect": "NoExecute",
                                                     "evictionsPerSecond": 5}, spec)
    for flags, count in ((["--driver=nic.example.com"], 2), (["--pool=gpu-0"], 5),
                         (["--class=nic.example.com"], 2), ([f"--cel={MODEL}"], 3),
                         ([f"--driver={DRIVER}", "--cel=true", f"--cel={MODEL}"], 3)):
        shown = taint(*flags, "k:None", "--preview")
        check(f"{count} devices are selected." in shown and "Nothing was changed." in shown, shown)
        check(taint(*flags, "k:None", "--name=many") == f"{RULE}many created\n", flags)
        check(c.plimsoll("get", "devices").count("k:None (rule/many)") == count, flags)
        check(taint("k-", "--name=many") == f"{RULE}many deleted\n", flags)
    done = c.call_plimsoll("taint", "device", "--driver=other.example.com", "k:None", "--name=none")
    check(done.returncode == 0 and "no published device is selected" in done.stderr, done)
    taint("--driver=other.example.com", "k-")


def listing(c):
    """Devices are listed with their taints, as text and as JSON, all of them or some."""
    wide = c.plimsoll("get", "devices", "-o", "wide").splitlines()
    check(len(wide) == 6 and "model=A100" in wide[1] and "memory=40Gi" in wide[1], wide)
    listed = json.loads(c.plimsoll("get", "devices", "-o", "json", "--tainted", "--node=gpu-0"))
    check([one["device"] for one in listed] == ["device-0", "device-1"], listed)
    taint = listed[0]["taints"][0]
    check(taint.pop("timeAdded") and taint == {"key": BUDGET, "value": "8", "effect": "NoSchedule",
                                               "source": "driver"}, taint)
    check(c.call_plimsoll("get", "devices", "--node=none").stderr == "No devices found\n", "found")


def extended_resources(c):
    """A pod that requests an extended resource gets a claim, and is evicted for the taints of its
    devices. The resource has a name in its class, or the implicit one."""
    c.kubectl("patch", "deviceclass", DRIVER, "--type=merge",
              "-p", '{"spec":{"extendedResourceName":"example.com/gpu"}}')
    names = {"example.com/gpu": (1, ["gpu-0/device-2"]),
             "deviceclass.resource.kubernetes.io/nic.example.com": (2, ["gpu-0/nic-0", "gpu-0/nic-1"])}
    for resource, (count, wanted) in names.items():
        pod = c.run(device_pod("extended", "extended", {"limits": {resource: count}}))
        check(sorted(c.devices_of(pod)) == wanted, c.devices_of(pod))
        mapping = pod["status"]["extendedResourceClaimStatus"]["requestMappings"]
        check([one["resourceName"] for one in mapping] == [resource], mapping)
        c.apply(device_pod("next", "next", {"limits": {resource: count}}))
        c.refusal_of("next", "cannot allocate all claims")
        device = wanted[0].split("/")[1]
        c.set_health(device, "dead:NoExecute")
        c.await_end("extended")
        check(not c.pod("next")["spec"].get("nodeName"), "it got a dead device")
        c.set_health(device, None)
        check(sorted(c.devices_of(c.running("next", 1)[0])) == wanted, "it went elsewhere")
        c.kubectl("delete", "pod", "next", "--force", "--grace-period=0")


def main():
    scenes = Scenes()
    with device_cluster(sys.argv[1]) as c:
        scenes.run(c, mistakes, tainting, listing, extended_resources)
    return scenes.outcome()


if __name__ == "__main__":
    sys.exit(main())
