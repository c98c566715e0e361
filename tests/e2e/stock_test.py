#!/usr/bin/env python3
"""stock_test.py BINARY: checks the scheduler and the evictors with a stock API server: annotations
replace the fields that it lacks, and nobody is evicted if another evictor is active."""

import contextlib
import datetime
import json
import socket
import ssl
import subprocess
import sys
import urllib.request

from cluster import Cluster, Component, check, node, play, pod, taint, toleration
from server import Server
from stock import StockServer

TOLERATIONS = "plimsoll.io/tolerations"
AFFINITY = "plimsoll.io/node-affinity"
EVICTORS = "--controllers=taint-eviction,device-taint-eviction"
LEASE = "plimsoll-controller-manager"
PODS = "/api/v1/namespaces/default/pods"
GROUP = "/apis/resource.k8s.io/v1"


def annotated(name, noted_tolerations, noted_affinity=None, **spec):
    made = pod(name, **spec)
    values = {TOLERATIONS: noted_tolerations, AFFINITY: noted_affinity}
    made["metadata"]["annotations"] = {key: json.dumps(value) for key, value in values.items()
                                       if value is not None}
    return made


def affinity_to(key, operator, value):
    return {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [
        {"matchExpressions": [{"key": key, "operator": operator, "values": [value]}]}]}}


def events(c, name, reason, namespace="default"):
    selector = f"involvedObject.name%3D{name},reason%3D{reason}"
    found = c.get(f"/api/v1/namespaces/{namespace}/events?fieldSelector={selector}")
    return [one["message"] for one in found["items"]]


def is_there(c, name):
    status, body = c.client.request("GET", f"{PODS}/{name}")
    return status == 200 and "deletionTimestamp" not in body["metadata"]


@contextlib.contextmanager
def stock_cluster(binary):
    """A cluster with two nodes, whose taints show an old and a new kernel."""
    with StockServer(binary) as stock:
        c = Cluster(stock.server)
        c.apply(node("old", [taint("kernel", "5.4.0")], labels={"driver": "1.4.0"}),
                node("new", [taint("kernel", "6.5.0")], labels={"driver": "2.1.0"}))
        yield stock, c


def annotations(binary):
    """Pods are scheduled by their annotations, and the server stores no field that it does not
    know."""
    with stock_cluster(binary) as (stock, c), \
            Component("scheduler", binary, stock, "--scheduler-name=plimsoll"):
        newer = toleration("kernel", "SemverGt", "6.1.0")
        for one in (newer, {"expression": "taint.key == 'kernel'"}):
            status, _ = c.client.request("POST", PODS, pod("refused", [one]))
            check(status == 422, "the server took", one, status)
        ours = {"schedulerName": "plimsoll"}
        c.apply(annotated("by-version", [newer], **ours),
                annotated("by-expression", [{"expression": "taint.value == '5.4.0'"}], **ours),
                annotated("by-affinity", [{"operator": "Exists"}],
                          affinity_to("driver", "SemverLt", "2.0.0"), **ours),
                annotated("by-both", [{"operator": "Exists"}],
                          affinity_to("driver", "SemverLt", "2.0.0"),
                          affinity={"nodeAffinity": affinity_to("driver", "In", "2.1.0")}, **ours),
                annotated("of-another", [newer]))
        check(c.node_of("by-version") == "new", "the node of by-version")
        check(c.node_of("by-expression") == "old", "the node of by-expression")
        check(c.node_of("by-affinity") == "old", "the node of by-affinity")
        c.refusal_of("by-both", "didn't match Pod's node affinity/selector")
        check(not c.pod("of-another").get("status", {}).get("conditions"), "another's pod was touched")
        check("SemverGt" not in json.dumps(c.pod("by-version")["spec"]), "the spec was written to")
        c.get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/plimsoll-scheduler")
        told = subprocess.run([binary, "explain", "pod", "by-version", "--kubeconfig", stock.kubeconfig],
                              capture_output=True, text=True, timeout=60, check=False).stdout
        check("(SemverGt 6.1.0): taint 5.4.0 is not greater than 6.1.0" in told, "explain:", told)


def faults(binary):
    """A pod with an invalid annotation stays pending with a message, and is scheduled once it is
    corrected."""
    with stock_cluster(binary) as (stock, c), \
            Component("scheduler", binary, stock, "--scheduler-name=plimsoll"):
        c.apply(node("open"))
        wrong = {"key": "kernel", "operator": "SemverGt", "value": "six"}
        c.apply(annotated("wrong", [wrong], schedulerName="plimsoll"),
                annotated("misspelt", [{"expresion": "true"}], schedulerName="plimsoll"),
                annotated("right", [], schedulerName="plimsoll"))
        c.node_of("right")
        place = f"metadata.annotations[{TOLERATIONS}][0]"
        for name, fault in (("wrong", f"{place}.value: Invalid value: \"six\""),
                            ("misspelt", f"{place}: strict decoding error: unknown field \"expresion\"")):
            for reason in ("InvalidAnnotation", "FailedScheduling"):
                c.await_true(f"{reason} of {name}",
                             lambda: any(fault in one for one in events(c, name, reason)))
            def condition():
                return next((one for one in c.pod(name)["status"].get("conditions", [])
                             if one["type"] == "PodScheduled"), None)
            told = c.await_true("its condition", condition)
            check(told["status"] == "False" and fault in told["message"], told)
            check("nodeName" not in c.pod(name)["spec"], name, "was placed")
        c.kubectl("annotate", "pod", "wrong", "--overwrite",
                  f"{TOLERATIONS}={json.dumps([{**wrong, 'value': '6.0.0'}])}")
        c.node_of("wrong")


def device_claim(name, tolerations):
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
            "metadata": {"name": name, "annotations": {TOLERATIONS: json.dumps(tolerations)}},
            "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "gpu"}}]}}}


DEVICE_CLASS = {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {}}


def device_slice(taints):
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "s"},
            "spec": {"driver": "gpu.example.com", "nodeName": "new", "devices": [{"name": "gpu-0", "taints": taints}],
                     "pool": {"name": "new", "generation": 1, "resourceSliceCount": 1}}}


def claiming(name, claim):
    made = annotated(name, [{"operator": "Exists"}], schedulerName="plimsoll",
                     resourceClaims=[{"name": "d", "resourceClaimName": claim}])
    made["spec"]["containers"][0]["resources"] = {"claims": [{"name": "d"}]}
    return made


def devices(binary):
    """A claim tolerates device taints in an annotation. Its allocation contains no field that the
    server does not know, and the evictor uses the annotation too."""
    with stock_cluster(binary) as (stock, c), \
            Component("scheduler", binary, stock, "--scheduler-name=plimsoll"):
        budget = {"key": "budget", "value": "30", "effect": "NoExecute"}
        more = {"key": "budget", "operator": "Gt", "value": "10"}
        refused = device_claim("refused", [])
        refused["spec"]["devices"]["requests"][0]["exactly"]["tolerations"] = [more]
        status, _ = c.client.request("POST", f"{GROUP}/namespaces/default/resourceclaims", refused)
        check(status == 422, "the server took Gt:", status)
        published = device_slice([budget])
        c.apply(DEVICE_CLASS, published, device_claim("wrong", [{**more, "value": "x"}]),
                device_claim("strict", [{**more, "value": "40"}]),
                claiming("of-wrong", "wrong"), claiming("of-strict", "strict"))
        c.refusal_of("of-wrong", "resourceclaim wrong has invalid annotations: ")
        c.refusal_of("of-strict", "cannot allocate all claims")
        c.apply(device_claim("right", [more]), claiming("of-right", "right"))
        check(c.node_of("of-right") == "new", "the node of of-right")
        claim = c.get(f"{GROUP}/namespaces/default/resourceclaims/right")
        check("tolerations" not in claim["status"]["allocation"]["devices"]["results"][0], claim["status"])
        with Component("controller-manager", binary, stock, "--controllers=device-taint-eviction", "--act"):
            published["spec"]["devices"][0]["taints"] = [{**budget, "value": "20"}]
            c.apply(published)
            c.kubectl("annotate", "resourceclaim", "right", "--overwrite",
                      f"{TOLERATIONS}={json.dumps([{**more, 'value': '5'}])}")
            published["spec"]["devices"][0]["taints"] = [{**budget, "value": "7"}]
            c.apply(published)
            check(is_there(c, "of-right"), "evicted within its line")
            published["spec"]["devices"][0]["taints"] = [{**budget, "value": "3"}]
            c.apply(published)
            c.await_true("the eviction", lambda: not is_there(c, "of-right"))


def early_rules(binary):
    """Rules apply in whichever version the server has them."""
    with stock_cluster(binary) as (stock, c), \
            Component("scheduler", binary, stock, "--scheduler-name=plimsoll"), \
            Component("controller-manager", binary, stock, "--controllers=device-taint-eviction", "--act"):
        c.apply(DEVICE_CLASS, device_slice([]), device_claim("own", []), claiming("user", "own"))
        check(c.node_of("user") == "new", "the node of the pod")
        rule = {"apiVersion": "resource.k8s.io/v1alpha3", "kind": "DeviceTaintRule", "metadata": {"name": "broken"},
                "spec": {"deviceSelector": {"driver": "gpu.example.com"},
                         "taint": {"key": "broken", "effect": "NoExecute"}}}
        status, answer = c.client.request("POST", "/apis/resource.k8s.io/v1alpha3/devicetaintrules", rule)
        check(status == 201, answer)
        c.await_true("the eviction", lambda: not is_there(c, "user"))


def run(binary, stock, *words):
    done = subprocess.run([binary, *words, "--kubeconfig", stock.kubeconfig], capture_output=True, text=True, timeout=60,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def taint_commands(binary):
    """A rule with fields that the server does not know is rejected and not written; others are
    created and removed."""
    with stock_cluster(binary) as (stock, c):
        c.apply(DEVICE_CLASS, device_slice([]))
        rules = "/apis/resource.k8s.io/v1alpha3/devicetaintrules"
        for flags, told in ((["--cel", "true"], "selectors (--cel)"), (["--class", "gpu"], "deviceClassName (--class)"),
                            (["--driver", "gpu.example.com", "--rate", "2"], "evictionsPerSecond (--rate)"),
                            (["--driver", "gpu.example.com", "--description", "hot"], "description (--description)")):
            code, _, err = run(binary, stock, "taint", "device", *flags, "broken:NoExecute")
            check(code == 1 and told in err and "nothing was written" in err, flags, code, err)
            check(not c.get(rules)["items"], "a rule was left behind for", flags)
        device = "gpu.example.com/new/gpu-0"
        code, out, err = run(binary, stock, "taint", "device", device, "broken=1:NoExecute")
        check(code == 0 and out.endswith(" created\n"), out, err)
        rule = c.get(rules)["items"][0]["spec"]
        check(rule["deviceSelector"] == {"driver": "gpu.example.com", "pool": "new", "device": "gpu-0"}, rule)
        code, out, err = run(binary, stock, "get", "devices")
        check(code == 0 and "broken=1:NoExecute" in out, out, err)
        code, out, err = run(binary, stock, "taint", "device", device, "broken-")
        check(code == 0 and out.endswith(" deleted\n") and not c.get(rules)["items"], out, err)


def nodes_without_watch_list(binary):
    """If a server answers a watch-list with an error event, the client lists instead and logs
    it."""
    with stock_cluster(binary) as (stock, c), Component("kubelet", binary, stock, "--nodes=2") as kubelet:
        c.await_true("the nodes", lambda: len(c.get("/api/v1/nodes")["items"]) == 4)
        check("RequestWatchProgress" in kubelet.log_path.read_text(), "the refusal is not in the log")


def own_server(binary):
    """On our own server, fields count and annotations are ignored."""
    with Server(binary, store="memory") as server, Component("scheduler", binary, server):
        c = Cluster(server)
        c.apply(node("new", [taint("kernel", "6.5.0")]),
                annotated("noted", [toleration("kernel", "SemverGt", "6.1.0")]),
                pod("said", [toleration("kernel", "SemverGt", "6.1.0")]))
        c.node_of("said")
        c.refusal_of("noted", "untolerated taint")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def dry_run(binary):
    """By default, the evictors only report what they would do, on their lease and in metrics."""
    with stock_cluster(binary) as (stock, c):
        manager = Component("controller-manager", binary, stock, EVICTORS)
        port = free_port()
        manager.words = [*(word for word in manager.words if word != "--secure-port=0"),
                         f"--secure-port={port}"]
        c.apply(pod("goes", nodeName="old"),
                annotated("stays", [toleration("risk", "Lt", "5", "NoExecute")], nodeName="old"))
        with manager:
            c.kubectl("taint", "nodes", "old", "risk=3:NoExecute")
            told = c.await_true("the event", lambda: events(c, LEASE, "DryRun", "kube-system"))
            check(told[0].startswith("TaintManagerEviction would be: Marking for deletion Pod default/goes"),
                  told)
            trust = ssl._create_unverified_context()  # pylint: disable=protected-access
            c.kubectl("create", "serviceaccount", "scraper")
            c.kubectl("create", "clusterrolebinding", "scraper", "--clusterrole=system:monitoring",
                      "--serviceaccount=default:scraper")
            token = c.kubectl("create", "token", "scraper").strip()
            address = f"https://127.0.0.1:{port}/metrics"

            def counted():
                asking = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}"})
                with urllib.request.urlopen(asking, context=trust, timeout=10) as page:
                    return page.read().decode()
            line = 'plimsoll_controller_withheld_actions_total{action="evict",reason="dry-run"} 1\n'
            c.await_true(line, lambda: line in counted())
            check("pod_deletions_total" not in counted(), "it counts what did not happen")
            check(is_there(c, "goes") and not events(c, "goes", "TaintManagerEviction"), "it acted")
            c.kubectl("taint", "nodes", "old", "risk=7:NoExecute", "--overwrite")
            c.await_true("the other pod's turn", lambda: any(
                "default/stays" in one for one in events(c, LEASE, "DryRun", "kube-system")))


def upstream_event(c):
    """Creates an event like that of kube-controller-manager, with the current time."""
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    c.kubectl("create", "-f", "-", stdin=json.dumps({
        "apiVersion": "v1", "kind": "Event", "metadata": {"name": "theirs", "namespace": "default"},
        "involvedObject": {"kind": "Pod", "namespace": "default", "name": "other"},
        "reason": "TaintManagerEviction", "type": "Normal",
        "message": "Marking for deletion Pod default/other",
        "source": {"component": "taint-eviction-controller"}, "count": 1,
        "firstTimestamp": now, "lastTimestamp": now}))


def act(binary):
    """With --act they evict, unless another evictor is active: one that wrote an event recently, or
    that is seen running."""
    with stock_cluster(binary) as (stock, c):
        manager = Component("controller-manager", binary, stock, EVICTORS, "--act")
        c.apply(pod("goes", nodeName="old"),
                annotated("stays", [toleration("risk", "Lt", "5", "NoExecute")], nodeName="old"))
        c.kubectl("taint", "nodes", "old", "risk=3:NoExecute")

        def objection(words):
            with manager:
                c.await_true(words, lambda: any(
                    words in one for one in events(c, LEASE, "NotActing", "kube-system")))
            check(is_there(c, "goes"), "acted beside another")
        upstream_event(c)
        objection("taint-eviction-controller wrote \"Marking for deletion Pod default/other\"")
        c.kubectl("delete", "event", "theirs")
        theirs = pod("kube-controller-manager-m", nodeName="new")
        theirs["metadata"].update(namespace="kube-system", labels={"component": "kube-controller-manager"})
        theirs["spec"]["containers"][0]["command"] = ["kube-controller-manager", "--v=2"]
        c.apply(theirs)
        objection("Pod kube-system/kube-controller-manager-m runs taint-eviction-controller")
        check(not events(c, "goes", "TaintManagerEviction"), "told of what did not happen")
        theirs["spec"]["containers"][0]["command"][1] = \
            "--controllers=*,-taint-eviction-controller,-device-taint-eviction-controller"
        c.kubectl("delete", "pod", "--namespace=kube-system", "--force", "--grace-period=0",
                  theirs["metadata"]["name"])
        c.apply(theirs)
        with manager:
            c.await_true("the eviction", lambda: not is_there(c, "goes"))
            c.await_true("its event", lambda: events(c, "goes", "TaintManagerEviction"))
            check(is_there(c, "stays"), "the annotation did not count")


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], annotations, faults, devices, early_rules, taint_commands,
                  nodes_without_watch_list, own_server, dry_run, act))
