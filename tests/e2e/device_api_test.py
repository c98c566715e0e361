#!/usr/bin/env python3
"""device_api_test.py BINARY [VERSION…]: uses the device API with every installed kubectl: slices,
classes, claims, templates and taint rules in all their versions. Runs without scheduler and
controllers: only the server is tested."""

import json
import subprocess
import sys

from kubectl_test import Failure, Kubectl
from server import Server, kubectls

SLICE = """
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: %(slice)s}
spec:
  driver: gpu.example.com
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
  nodeName: n1
  devices:
  - name: gpu-0
    attributes: {model: {string: a100}, errorBudget: {int: 8}}
    capacity: {memory: {value: 40Gi}}
    taints: [{key: example.com/degraded, value: "8", effect: NoSchedule}]
  - name: gpu-1
    attributes: {model: {string: a100}}
"""

CLAIM = """
apiVersion: resource.k8s.io/v1beta2
kind: ResourceClaim
metadata: {name: claim}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu
        selectors: [{cel: {expression: "device.attributes['gpu.example.com'].model == 'a100'"}}]
        tolerations:
        - {key: example.com/degraded, operator: Gt, value: "1"}
        - {expression: "taint.key == 'example.com/slow'"}
"""

RULE = """
apiVersion: resource.k8s.io/v1alpha3
kind: DeviceTaintRule
metadata: {name: %(rule)s}
spec:
  deviceSelector:
    driver: gpu.example.com
    selectors: [{cel: {expression: "device.attributes['gpu.example.com'].errorBudget < 10"}}]
  taint: {key: example.com/broken, effect: None, evictionsPerSecond: 5, description: "fan stuck"}
"""


def names(kubectl):
    suffix = kubectl.name.replace(".", "-")
    return {"slice": "slice-" + suffix, "rule": "rule-" + suffix, "class": "gpu-" + suffix}


def apply(kubectl, text, *flags):
    return kubectl.run("apply", *flags, "-f", "-", stdin=text % names(kubectl))


def discovery(kubectl):
    versions = kubectl.run("api-versions").split()
    for version in ("v1", "v1beta2", "v1alpha3"):
        if f"resource.k8s.io/{version}" not in versions:
            raise Failure(f"{kubectl.name}: {version} is not served")
    group = json.loads(kubectl.run("get", "--raw", "/apis/resource.k8s.io"))
    if group["preferredVersion"]["version"] != "v1":
        raise Failure(f"{kubectl.name}: prefers {group['preferredVersion']}")
    kubectl.want("devicetaintrules", "api-resources", "--api-group=resource.k8s.io")
    kubectl.want("10 per second by default", "explain", "devicetaintrule.spec.taint.evictionsPerSecond")
    kubectl.want("FIELD", "explain", "resourceclaim.spec.devices.requests.exactly.tolerations."
                 "expression", "--api-version=resource.k8s.io/v1beta2")


def slices(kubectl):
    own = names(kubectl)
    apply(kubectl, SLICE)
    taint = kubectl.json("get", "resourceslice", own["slice"])["spec"]["devices"][0]["taints"][0]
    if not taint.get("timeAdded", "").endswith("Z"):
        raise Failure(f"{kubectl.name}: the taint has no time: {taint}")
    kubectl.want("gpu.example.com", "get", "resourceslice", own["slice"])
    kubectl.want("Error Budget", "describe", "resourceslice", own["slice"])
    found = kubectl.run("get", "resourceslices", "--field-selector",
                        "spec.driver=gpu.example.com,spec.pool.name=n1", "-o", "name")
    if own["slice"] not in found:
        raise Failure(f"{kubectl.name}: not selected: {found}")
    kubectl.want("field is immutable", "patch", "resourceslice", own["slice"], "--type=merge",
                 "-p", '{"spec":{"driver":"other.com"}}', fails=True)
    kubectl.want("driver names should be lowercase", "create", "--dry-run=server", "-f", "-",
                 stdin=(SLICE % {"slice": "upper"}).replace("driver: gpu", "driver: GPU"))


def claims(kubectl):
    apply(kubectl, CLAIM)
    kubectl.want("pending", "get", "resourceclaim", "claim")
    kubectl.want("Device Class Name", "describe", "resourceclaim", "claim")
    kubectl.want("field is immutable", "patch", "resourceclaim", "claim", "--type=json", "-p",
                 '[{"op":"replace","path":"/spec/devices/requests/0/exactly/count","value":2}]',
                 fails=True)
    kubectl.want("must be a valid decimal integer", "create", "-f", "-", fails=True,
                 stdin=CLAIM.replace('value: "1"', 'value: "one"'))
    kubectl.want("admin access to devices requires", "create", "-f", "-", fails=True,
                 stdin=CLAIM.replace("deviceClassName: gpu",
                                     "deviceClassName: gpu\n        adminAccess: true"))
    kubectl.run("label", "namespace", kubectl.namespace,
                "resource.kubernetes.io/admin-access=true")
    kubectl.run("create", "--dry-run=server", "-f", "-",
                stdin=CLAIM.replace("deviceClassName: gpu",
                                    "deviceClassName: gpu\n        adminAccess: true")
                .replace("name: claim", "name: admin"))
    reserved = kubectl.json("get", "resourceclaim", "claim")
    reserved["status"] = {"reservedFor": [{"resource": "pods", "name": "p", "uid": "1"}]}
    path = f"/apis/{reserved['apiVersion']}/namespaces/{kubectl.namespace}/resourceclaims/claim/status"
    kubectl.want("may not be specified when", "replace", f"--raw={path}", "-f", "-", fails=True,
                 stdin=json.dumps(reserved))
    kubectl.run("delete", "resourceclaim", "claim")


def rules(kubectl):
    own = names(kubectl)
    apply(kubectl, RULE)
    before = kubectl.json("get", "devicetaintrule", own["rule"])
    if before["apiVersion"] != "resource.k8s.io/v1" or before["metadata"]["generation"] != 1:
        raise Failure(f"{kubectl.name}: {before}")
    kubectl.want("example.com/broken", "get", "devicetaintrule", own["rule"])
    kubectl.want("fan stuck", "describe", "devicetaintrule", own["rule"])
    apply(kubectl, RULE.replace("effect: None", "effect: NoExecute"), "--server-side",
          "--force-conflicts")
    after = kubectl.json("get", "devicetaintrules.v1alpha3.resource.k8s.io", own["rule"])
    if after["apiVersion"] != "resource.k8s.io/v1alpha3" or after["metadata"]["generation"] != 2:
        raise Failure(f"{kubectl.name}: {after}")
    edited = kubectl.run("edit", "devicetaintrule", own["rule"],
                         env={"KUBE_EDITOR": "sed -i s/NoExecute/NoSchedule/"})
    if "edited" not in edited:
        raise Failure(f"{kubectl.name}: {edited}")
    kubectl.want("Unsupported value", "patch", "devicetaintrule", own["rule"], "--type=merge",
                 "-p", '{"spec":{"taint":{"effect":"PreferNoSchedule"}}}', fails=True)
    kubectl.want("must be greater than zero", "patch", "devicetaintrule", own["rule"],
                 "--type=merge", "-p", '{"spec":{"taint":{"evictionsPerSecond":0}}}', fails=True)
    kubectl.want("selects every device", "patch", "devicetaintrule", own["rule"], "--type=json",
                 "-p", '[{"op":"replace","path":"/spec/deviceSelector","value":{}}]')
    kubectl.run("delete", "devicetaintrule", own["rule"])


def classes(kubectl):
    own = names(kubectl)
    kubectl.run("create", "-f", "-", stdin=json.dumps(
        {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",
         "metadata": {"name": own["class"]},
         "spec": {"selectors": [{"cel": {"expression": "device.driver == 'gpu.example.com'"}}],
                  "extendedResourceName": "example.com/gpu"}}))
    kubectl.want("must evaluate to bool", "patch", "deviceclass", own["class"], "--type=json",
                 "-p", '[{"op":"replace","path":"/spec/selectors/0/cel/expression",'
                       '"value":"device.driver"}]', fails=True)
    kubectl.want("example.com/gpu", "describe", "deviceclass", own["class"])


def watch(kubectl):
    """A watch uses the version in which it was requested."""
    own = names(kubectl)
    process = subprocess.Popen(
        [kubectl.binary, "get", "resourceslices.v1beta2.resource.k8s.io", own["slice"], "--watch",
         "-o", "jsonpath={.apiVersion} {.metadata.labels.seen}{'\\n'}"],
        stdout=subprocess.PIPE, text=True, env=kubectl.environment)
    try:
        first = process.stdout.readline().strip()
        kubectl.run("label", "resourceslice", own["slice"], "seen=yes")
        second = process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()
    if [first, second] != ["resource.k8s.io/v1beta2", "resource.k8s.io/v1beta2 yes"]:
        raise Failure(f"{kubectl.name}: watched {first!r}, {second!r}")


def main():
    binaries = kubectls()
    wanted = sys.argv[2:] or list(binaries)
    if not binaries:
        return 77
    with Server(sys.argv[1], store="memory") as server:
        for name in wanted:
            kubectl = Kubectl(name, binaries[name], server)
            kubectl.run("create", "namespace", kubectl.namespace)
            discovery(kubectl)
            slices(kubectl)
            claims(kubectl)
            rules(kubectl)
            classes(kubectl)
            watch(kubectl)
            print(f"{name}: {kubectl.steps} steps", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
