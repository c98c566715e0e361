#!/usr/bin/env python3
"""golden_http_test.py BINARY [--every=N]: sends the golden validation cases, or a sample, over
HTTPS and compares the whole answer: 201 (200 for an update) for a valid object, else the Status of
422 with message, reason, code and causes. golden_runner checks every case in one process; this test
checks what a client sees."""

import argparse
import copy
import functools
import json
import pathlib
import sys
import time

from server import Server
from wire import administrator

GOLDEN = pathlib.Path(__file__).resolve().parent.parent / "golden"
MAX_REPORTED = 10

PODS = "/api/v1/namespaces/default/pods"
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
NODES = "/api/v1/nodes"
VOLUMES = "/api/v1/persistentvolumes"
BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets"


class Request:
    """The request for a case, and the expected field errors."""

    def __init__(self, path, kind, new, errors, old=None, any_order=False):
        self.path = path
        self.kind = kind  # as in the message
        self.new = new
        self.errors = errors
        self.old = old  # for an update
        self.stored = None  # object as stored by the server
        self.any_order = any_order  # upstream iterates over a map, so errors come in random order

    def rename(self, name):
        for version in (self.old, self.new):
            version["metadata"]["name"] = name


def pod(spec):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
            "spec": {"containers": [{"name": "c", "image": "img:1"}], **spec}}


def config_map(metadata):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c", **metadata}}


def volume(given):
    """Returns the case's volume without fields that only the server sets."""
    made = copy.deepcopy(given)
    made.update(apiVersion="v1", kind="PersistentVolume")
    for name in ("uid", "resourceVersion"):
        made["metadata"].pop(name, None)
    return made


def tolerations(given, expect, gate="gateOn"):
    if given["op"] == "create":
        return Request(PODS, "Pod", pod({"tolerations": given["tolerations"]}), expect[gate])
    return Request(PODS, "Pod", pod({"tolerations": given["newTolerations"]}), expect[gate],
                   old=pod({"tolerations": given["oldTolerations"]}))


def taints(given, expect):
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"},
            "spec": {"taints": given["taints"]}}
    return Request(NODES, "Node", node, expect["strategyErrors"])


def node_selectors(given, expect):
    if given["op"] == "podCreate":
        spec = {"affinity": {"nodeAffinity": given["nodeAffinity"]}}
        return Request(PODS, "Pod", pod(spec), expect["strategyErrors"])
    if given["op"] == "podCreateNodeSelectorMap":
        return Request(PODS, "Pod", pod({"nodeSelector": given["nodeSelector"]}),
                       expect["strategyErrors"], any_order=True)
    return Request(PODS, "Pod", pod(given["newSpec"]), expect["errors"], old=pod(given["oldSpec"]))


def volumes(given, expect, gate="gateOff"):
    if given["op"] == "create":
        return Request(VOLUMES, "PersistentVolume", volume(given["persistentVolume"]),
                       expect["strategyErrors"])
    return Request(VOLUMES, "PersistentVolume", volume(given["new"]), expect[gate],
                   old=volume(given["old"]))


def invalid(field, value, details):
    """Returns the field errors that one string causes at a field."""
    shown = json.dumps(value, ensure_ascii=False)
    return [{"type": "FieldValueInvalid", "field": field,
             "string": f"{field}: Invalid value: {shown}: {detail}"} for detail in details]


def labels(given, expect):
    """Puts a single string where the API accepts such a string. There is no place for a C
    identifier, and an empty name is a different error."""
    operation, errors = given["op"], expect["errors"]
    if operation == "labels":
        return Request(CONFIG_MAPS, "ConfigMap", config_map({"labels": given["labels"]}), errors,
                       any_order=True)
    if operation == "labelSelector":
        budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget",
                  "metadata": {"name": "b"},
                  "spec": {"minAvailable": 1, "selector": given["labelSelector"]}}
        return Request(BUDGETS, "PodDisruptionBudget.policy", budget, errors, any_order=True)
    text = given["s"]
    if operation == "qualifiedName":
        return Request(CONFIG_MAPS, "ConfigMap", config_map({"labels": {text: "v"}}),
                       invalid("metadata.labels", text, errors))
    if operation == "labelValue":
        return Request(CONFIG_MAPS, "ConfigMap", config_map({"labels": {"k": text}}),
                       invalid("metadata.labels", text, errors))
    if text and operation == "dns1123subdomain":
        return Request(CONFIG_MAPS, "ConfigMap", config_map({"name": text}),
                       invalid("metadata.name", text, errors))
    if text and operation == "dns1123label":
        spec = {"containers": [{"name": text, "image": "img:1"}]}
        return Request(PODS, "Pod", pod(spec), invalid("spec.containers[0].name", text, errors))
    return None


# By feature gates of the server: functions that make the requests for the cases of a file.
RUNS = {
    "": {"validate_tolerations.json": tolerations, "validate_taints.json": taints,
         "validate_nodeselector.json": node_selectors, "validate_pv_nodeaffinity.json": volumes,
         "validate_labels.json": labels},
    "TaintTolerationComparisonOperators=false,MutablePVNodeAffinity=true": {
        "validate_tolerations.json": functools.partial(tolerations, gate="gateOff"),
        "validate_pv_nodeaffinity.json": functools.partial(volumes, gate="gateOn")},
}


def same_text(got, wanted):
    """Compares two texts. The cases have `<diff>` instead of upstream's diffs, which are not
    stable."""
    head, cut, _ = wanted.partition("\n<diff>")
    return got.startswith(head + "\n") if cut else got == wanted


def causes_of(errors):
    return [(error["type"], error["field"], error["string"].removeprefix(error["field"] + ": "))
            for error in errors]


def message_of(request, causes):
    """Returns the message. Equal errors appear once; a single error has no brackets."""
    texts = list(dict.fromkeys(f"{field}: {text}" for _, field, text in causes))
    listed = texts[0] if len(texts) == 1 else "[" + ", ".join(texts) + "]"
    return f'{request.kind} "{request.new["metadata"]["name"]}" is invalid: {listed}'


def wrong_status(request, answer):
    """Returns what is wrong in the body of a 422; "" if nothing is."""
    kind, _, group = request.kind.partition(".")
    details = answer.get("details", {})
    got = [(c.get("reason"), c.get("field"), c.get("message")) for c in details.get("causes", [])]
    wanted = causes_of(request.errors)
    if request.any_order:
        got.sort()
        wanted.sort()
    same = len(got) == len(wanted) and all(
        g[:2] == w[:2] and same_text(g[2], w[2]) for g, w in zip(got, wanted))
    if not same:
        return f"causes {got}\n  wanted {wanted}"
    # The message lists the causes in the order that is compared above.
    sent = [(c["reason"], c["field"], c["message"]) for c in details["causes"]]
    expected = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
                "message": message_of(request, sent), "reason": "Invalid", "code": 422,
                "details": {"name": request.new["metadata"]["name"], "kind": kind,
                            "causes": details["causes"]}}
    if group:
        expected["details"]["group"] = group
    return "" if answer == expected else f"{answer}\n  wanted {expected}"


def changed(stored, old, new):
    """Returns what a client sends that read the stored object and changes it to `new`. Fields that
    the server added to `old` are kept."""
    spec = {key: value for key, value in stored["spec"].items() if key not in old["spec"]}
    made = {**stored, "spec": {**spec, **copy.deepcopy(new["spec"])}}
    if "tolerations" in old["spec"]:
        added = stored["spec"]["tolerations"][len(old["spec"]["tolerations"] or []):]
        made["spec"]["tolerations"] = (made["spec"]["tolerations"] or []) + added
    return made


class Tally:
    def __init__(self):
        self.checked = 0
        self.unsendable = 0
        self.failures = []


def requests_of(files, every, tally):
    """Returns {title: request} for the cases of the files."""
    made = {}
    for name, make in files.items():
        for case in json.loads((GOLDEN / name).read_text())["cases"][::every]:
            request = make(case["input"], case["expect"])
            if request is None:
                tally.unsendable += 1
                continue
            if request.old is not None:  # all old objects are stored at the same time
                request.rename(f"{request.new['metadata']['name']}-{case['id']}")
            made[f"{name} {case['id']} {json.dumps(case['input'])}"] = request
    return made


def store_old(client, requests, tally):
    """Stores the objects that updates start from. Drops those that no server would store."""
    for title, request in list(requests.items()):
        if request.old is None:
            continue
        code, request.stored = client.request("POST", request.path, request.old)
        if code == 201:
            continue
        del requests[title]
        if code == 422:
            tally.unsendable += 1
        else:
            tally.failures.append(f"{title}\n  the old object: {code} {request.stored}")


def check(client, request):
    """Sends the request. Returns what is wrong with the answer."""
    if request.old is None:
        success = 201
        code, answer = client.request("POST", request.path + "?dryRun=All", request.new)
    else:
        success = 200
        path = f"{request.path}/{request.new['metadata']['name']}?dryRun=All"
        code, answer = client.request("PUT", path,
                                      changed(request.stored, request.old, request.new))
    wanted = 422 if request.errors else success
    if code != wanted:
        return (f"HTTP {code}, wanted {wanted}: {answer.get('message')}\n"
                f"  wanted {causes_of(request.errors)}")
    return wrong_status(request, answer) if code == 422 else ""


def run(binary, gates, every, tally):
    """Runs all files for a server with these gates. Old objects are stored by a server with the
    default gates, because they may use a disabled feature."""
    requests = requests_of(RUNS[gates], every, tally)
    with Server(binary) as server:
        client = administrator(server)
        store_old(client, requests, tally)
        if gates:
            client.close()
            if server.stop() != 0:
                tally.failures.append("the server did not end well before its restart")
            server.flags.append(f"--feature-gates={gates}")
            server.start()
            client = administrator(server)
        for title, request in requests.items():
            tally.checked += 1
            wrong = check(client, request)
            if wrong:
                tally.failures.append(f"{title}\n  got {wrong}")
        client.close()
        if server.stop() != 0:
            tally.failures.append("the server did not end well:\n"
                                  + server.log_path.read_text()[-4000:])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary")
    parser.add_argument("--every", type=int, default=1, help="take each Nth case (default 1)")
    options = parser.parse_args()
    tally = Tally()
    began = time.monotonic()
    for gates in RUNS:
        run(options.binary, gates, options.every, tally)
    for failure in tally.failures[:MAX_REPORTED]:
        print(failure)
    print(f"golden_http_test: {tally.checked} cases, {len(tally.failures)} wrong, "
          f"{tally.unsendable} not sendable, {time.monotonic() - began:.1f} s")
    return 1 if tally.failures or tally.checked == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
