#!/usr/bin/env python3
"""hostile_test.py BINARY: sends a server what no honest client sends, and requests everything as a
user without rights. The server must reject each request with the right status, stay ready, leak
nothing and exit cleanly. Prints the failures, and a summary line."""

import base64
import json
import os
import pathlib
import socket
import struct
import sys
import tempfile
import time

from server import Server
from wire import BROKEN, Client, Credentials, dial, read_all

BODY_BYTES_MAX = 3 << 20
CASE_SECONDS_MAX = 60  # long enough for a busy machine
MEMORY_BYTES_MAX = 1 << 30
DROPPED_CONNECTIONS = 200
STALLED_CONNECTIONS = 20
HEAD_SECONDS_MAX = 60  # the server allows ten seconds for a request head
# Upstream answers some invalid input with a plain 500 without reason. A 500 with the reason
# InternalError is a failure of the server.
PLAIN = 500
ANSWERED = set(range(200, 500))
TOKEN = "a-token-without-rights"

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
TARGET = CONFIG_MAPS + "/target"
JSON = "application/json"
YAML = "application/yaml"
PROTOBUF = "application/vnd.kubernetes.protobuf"
JSON_PATCH = "application/json-patch+json"
MERGE_PATCH = "application/merge-patch+json"
STRATEGIC_PATCH = "application/strategic-merge-patch+json"
APPLY_YAML = "application/apply-patch+yaml"


def head(line, *headers):
    return "\r\n".join((line, "Host: x", *headers, "", "")).encode()


def post(*headers):
    return head(f"POST {CONFIG_MAPS} HTTP/1.1", f"Content-Type: {JSON}", *headers)


SMUGGLED = head("GET /version HTTP/1.1")
GET = "GET /readyz HTTP/1.1"

# Bytes that are no valid request, and the allowed statuses. 0 means no answer.
MALFORMED = [
    ("no request line", b"GARBAGE\r\n\r\n", {400}),
    ("binary", bytes(range(256)) + b"\r\n\r\n", {400}),
    ("only line ends", b"\r\n" * 50000, {400, 431, 0}),
    ("two words", b"GET /readyz\r\nHost: x\r\n\r\n", {400}),
    ("four words", b"GET /readyz x HTTP/1.1\r\nHost: x\r\n\r\n", {400}),
    ("tab in the request line", b"GET\t/readyz\tHTTP/1.1\r\nHost: x\r\n\r\n", {400}),
    ("another protocol", b"GET /readyz RTSP/1.0\r\nHost: x\r\n\r\n", {400}),
    ("a later version", b"GET /readyz HTTP/9.9\r\nHost: x\r\n\r\n", {400, 505}),
    ("HTTP/2 preface without it agreed", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {400, 405, 505}),
    ("bare LF", b"GET /readyz HTTP/1.1\nHost: x\n\n", {400}),
    ("bare LF in a header", b"GET /readyz HTTP/1.1\r\nHost: x\nA: b\r\n\r\n", {400}),
    ("bare CR in a header", b"GET /readyz HTTP/1.1\r\nHost: x\rA: b\r\n\r\n", {400}),
    ("NUL in a header", b"GET /readyz HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n", {400}),
    ("folded header", head(GET, "A: b", " c"), {400}),
    ("space before the colon", head(GET, "A : b"), {400}),
    ("no colon", head(GET, "A"), {400}),
    ("empty header name", head(GET, ": b"), {400}),
    ("no host", b"GET /readyz HTTP/1.1\r\n\r\n", {400}),
    ("two hosts", head(GET, "Host: y"), {400}),
    ("one huge header", head(GET, "A: " + "b" * (2 << 20)), {431}),
    ("many headers", head(GET, *(f"A{i}: b" for i in range(20000))), {431}),
    ("huge request line", head("GET /" + "a" * (2 << 20) + " HTTP/1.1"), {414, 431}),
    ("length and chunks", post("Content-Length: 5", "Transfer-Encoding: chunked")
     + b"0\r\n\r\n" + SMUGGLED, {400}),
    ("two lengths", post("Content-Length: 5", "Content-Length: 6") + b"{}   " + SMUGGLED, {400}),
    ("list of lengths", post("Content-Length: 5, 6") + b"{}   " + SMUGGLED, {400}),
    ("negative length", post("Content-Length: -1"), {400}),
    ("signed length", post("Content-Length: +5") + b"{}   ", {400}),
    ("length in hex", post("Content-Length: 0x5") + b"{}   ", {400}),
    ("length beyond 64 bits", post("Content-Length: 99999999999999999999"), {400, 413}),
    ("unknown coding", post("Transfer-Encoding: gzip") + SMUGGLED, {400, 501}),
    ("chunked not last", post("Transfer-Encoding: chunked, gzip") + SMUGGLED, {400, 501}),
    ("chunked twice", post("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")
     + b"0\r\n\r\n" + SMUGGLED, {400, 501}),
    ("bad chunk size", post("Transfer-Encoding: chunked") + b"zz\r\n{}\r\n0\r\n\r\n", {400}),
    ("negative chunk", post("Transfer-Encoding: chunked") + b"-1\r\n{}\r\n0\r\n\r\n", {400}),
    ("endless chunk size", post("Transfer-Encoding: chunked") + b"f" * 100000, {400, 413}),
    ("chunk longer than said", post("Transfer-Encoding: chunked") + b"1\r\n{}\r\n0\r\n\r\n", {400}),
    ("unknown expectation", post("Expect: 200-ok", "Content-Length: 2") + b"{}", {400, 417, 422}),
]


def config_map(**more):
    return json.dumps({"apiVersion": "v1", "kind": "ConfigMap", **more})


def yaml_bomb(levels, width):
    lines = ["apiVersion: v1", "kind: ConfigMap", "metadata: {name: bomb}", "x0: &x0 [lol]"]
    for i in range(levels):
        lines.append(f"x{i + 1}: &x{i + 1} [" + ",".join([f"*x{i}"] * width) + "]")
    return "\n".join(lines)


def nested(depth, opening="[", closing="]"):
    return config_map(metadata={"name": "deep"})[:-1] + ',"data":' + opening * depth \
        + closing * depth + "}"


# Bodies of a POST: name, content type, body, allowed statuses.
BODIES = [
    ("a byte too many", JSON, config_map(metadata={"name": "big"}).ljust(BODY_BYTES_MAX + 1),
     {413}),
    ("a value too large", JSON, config_map(metadata={"name": "big"},
                                           data={"a": "x" * ((1 << 20) + 1)}), {422}),
    ("empty", JSON, "", {400}),
    ("blank", JSON, "  \n", {400}),
    ("null", JSON, "null", {400, 422}),
    ("a number", JSON, "1e999", {400}),
    ("a string", JSON, '"ConfigMap"', {400}),
    ("a list", JSON, "[]", {400}),
    ("cut off", JSON, config_map(metadata={"name": "cut"})[:-1], {400}),
    ("more behind it", JSON, config_map(metadata={"name": "more"}) + "{}", {400}),
    ("not UTF-8", JSON, b'{"metadata":{"name":"\xff"}}', {400, 422}),
    ("half a surrogate", JSON, '{"metadata":{"name":"\\ud800"}}', {400, 422}),
    ("NUL in the name", JSON, config_map(metadata={"name": "a\0b"}), {422}),
    ("path as the name", JSON, config_map(metadata={"name": "../../nodes/a"}), {422}),
    ("deep lists", JSON, nested(100000), {400}),
    ("deep objects", JSON, nested(100000, '{"a":', "}").replace(":}", ":1}", 1), {400}),
    ("never closed", JSON, "[" * 1000000, {400}),
    ("deep in what is unknown", JSON, nested(100000).replace('"data"', '"unknown"'), {400}),
    ("another kind", JSON, config_map(metadata={"name": "a"}).replace("ConfigMap", "Pod"), {400}),
    ("another group", JSON, config_map(metadata={"name": "a"}).replace('"v1"', '"x/v1"'), {400}),
    ("another namespace", JSON, config_map(metadata={"name": "a", "namespace": "b"}), {400}),
    ("wrong types", JSON, config_map(metadata={"name": "a"}, data=[1]), {400}),
    ("metadata of a wrong type", JSON, config_map(metadata="a"), {400}),
    ("no name", JSON, config_map(metadata={}), {422}),
    ("YAML aliases that double", YAML, yaml_bomb(40, 2), {400, 413}),
    ("YAML aliases that multiply", YAML, yaml_bomb(9, 10), {400, 413}),
    ("YAML that holds itself", YAML, "a: &a [*a]", {400}),
    ("YAML of unknown alias", YAML, "a: *b", {400}),
    ("YAML deep", YAML, "a: " + "[" * 100000 + "]" * 100000, {400}),
    ("YAML deep by indent", YAML, "\n".join(" " * i + "a:" for i in range(2000)), {400}),
    ("YAML broken", YAML, "a: b: c: [", {400}),
    ("YAML tag", YAML, "!!python/object/apply:os.system ['true']", {400}),
    ("protobuf without its magic", PROTOBUF, b"\x0a\x00", {400}),
    ("protobuf of noise", PROTOBUF, b"k8s\0" + bytes(range(255, -1, -1)) * 8, {400}),
    ("protobuf with a length beyond its end", PROTOBUF, b"k8s\0\x0a\xff\xff\xff\xff\x0f", {400}),
    ("protobuf with an endless varint", PROTOBUF, b"k8s\0" + b"\xff" * 100000, {400}),
    ("text", "text/plain", config_map(metadata={"name": "a"}), {415}),
    ("XML", "application/xml", "<a/>", {415}),
    ("a form", "application/x-www-form-urlencoded", "a=b", {415}),
    ("no type that is one", "json", "{}", {415}),
    ("an endless type", "application/" + "a" * 10000, "{}", {415}),
    ("a patch's type", MERGE_PATCH, "{}", {415}),
]

ACCEPTS = [
    ("application/xml", {406}),
    ("text/html", {406}),
    ("garbage", {406}),
    (";;;,,,//", {406}),
    ("application/json;as=Nonsense;g=meta.k8s.io;v=v1", {406}),
    ("application/json;q=nonsense", {200, 406}),
    (",".join(["application/x"] * 3000), {406}),
]

# Paths that do not exist, requested by the administrator.
PATHS = [
    "//api/v1/nodes", "/api//v1/nodes", "/api/v1//nodes", "/api/v1/nodes//",
    "/api/v1/../v1/nodes", "/api/v1/%2e%2e/v1/nodes", "/api/v1/nodes/%2e%2e", "/api/v1/nodes/..",
    "/api/v1/nodes/%2e", "/api/v1/nodes;a=b", "/api/v1/nodes/a;b", "/api/v1/nodes/%00",
    "/api/v1/nodes/a%00b", "/api/v1/nodes/a%2fb", "/api/v1/nodes/%ff%fe", "/api/v1/nodes/%zz",
    "/api/v1/nodes/%", "/api/v1/nodes/%2", "/api/v1/nodes/" + "a" * 20000, "/" * 20000,
    "/api/v1/nodes" + "/a" * 10000, "/API/V1/NODES", "/api/v1/nodes/a/b/c/d",
    "/api/v1/namespaces//configmaps",
    "/api/v1/namespaces/%2e%2e/configmaps/a", "/apis//v1/pods", "/apis/apps", "/apis/apps/v1/nope",
    "/apis/nope/v1/a", "/api/v2/nodes", "/\\api\\v1", "/api/v1/nodes\\a", "/../../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd", "/openapi/v3/../../api", "/openapi/v3/api/v9", "api/v1/nodes", "*",
    "http://x/api/v1/nope", "http://[/api",
]
# These exist nevertheless: trailing slashes are ignored.
EXISTING_PATHS = {"/apis/apps", "/api/v1/nodes//"}

# Attempts to bypass the authorizer: allowed paths with detours to others.
DETOURS = [prefix + tail for prefix in ("/healthz", "/readyz", "/livez", "/version") for tail in (
    "/../api/v1/nodes", "/%2e%2e/api/v1/nodes", "//../api/v1/nodes", "/..;/api/v1/nodes",
    "/..%2fapi/v1/nodes", "%2f..%2fapi/v1/nodes", "\\..\\api\\v1\\nodes")] + [
        "//api/v1/nodes", "/./api/v1/nodes", "/%61pi/v1/nodes", "/api/v1/nodes?/readyz",
        "/api/v1/nodes/?a=/readyz", "/api/v1/nodes;/readyz", "/API/v1/nodes", "/api/v1/%6eodes",
        "http://x/api/v1/nodes", "/api/v1/watch/nodes", "/api/v1/proxy/nodes/a", "/metrics/",
        "/debug/pprof/", "/logs/", "/configz", "/", "/api", "/apis", "/openapi/v2", "/openapi/v3"]



def continue_token(start):
    token = json.dumps({"v": "meta.k8s.io/v1", "rv": 1, "start": start}).encode()
    return base64.urlsafe_b64encode(token).decode().rstrip("=")


QUERIES = [
    ("limit=abc", {400}), ("limit=1.5", {400}), ("limit=99999999999999999999", {400}),
    ("limit=9223372036854775807", {200}), ("limit=-1", {200, 400, 422}), ("limit=%zz", {200, 400}),
    ("%zz=%zz", {200, 400}), ("&&&===&&", {200}), ("a=b;c=d", {200, 400}),
    ("watch=nonsense&labelSelector=a%20b", {400}),
    ("continue=garbage&limit=1", {400}), ("continue=%00%ff&limit=1", {400}),
    ("continue=" + continue_token("../../nodes"), {400}),
    ("continue=" + continue_token(".."), {400}),
    ("continue=" + continue_token("a/../.."), {400}),
    ("continue=" + continue_token(""), {400}),
    ("continue=" + "A" * 20000, {400}), ("continue=e30", {400}),
    ("resourceVersion=abc", {400, PLAIN}), ("resourceVersion=-1", {400, PLAIN}),
    ("resourceVersion=99999999999999999999999", {400, PLAIN}),
    ("resourceVersion=1&resourceVersionMatch=Nonsense", {422}),
    ("resourceVersionMatch=Exact", {422}), ("sendInitialEvents=true", {422}),
    ("timeoutSeconds=abc", {400}), ("watch=1&resourceVersion=abc", {400, PLAIN}),
    ("watch=1&labelSelector=!!", {400}),
    ("labelSelector=a+in+(", {400}), ("labelSelector=a+in+b", {400}), ("labelSelector===", {400}),
    ("labelSelector=!!a", {400}), ("labelSelector=a=b=c", {400}), ("labelSelector=a>b", {400}),
    ("labelSelector=" + "a" * 64, {400}), ("labelSelector=/", {400}),
    ("labelSelector=%00", {200, 400}),
    ("labelSelector=-a", {400}), ("labelSelector=a,,b", {400}),
    ("labelSelector=" + "(" * 20000, {400}),
    ("labelSelector=" + ",".join(f"a{i}" for i in range(5000)), {200}),
    ("fieldSelector=a=b", {400}), ("fieldSelector=metadata.name", {400}),
    ("fieldSelector=metadata.name>a", {400}), ("fieldSelector=%00=%00", {400}),
    ("fieldSelector=metadata.name=a\\", {400}),
]


def operation(op, path, **more):
    return json.dumps([{"op": op, "path": path, **more}])


PATCHES = [
    ("object as JSON patch", JSON_PATCH, "{}", {400}),
    ("broken JSON patch", JSON_PATCH, "[{", {400}),
    ("string in a JSON patch", JSON_PATCH, '["a"]', {400}),
    ("unknown operation", JSON_PATCH, operation("burn", "/data"), {400, 422}),
    ("no operation", JSON_PATCH, '[{"path":"/data"}]', {400, 422}),
    ("no path", JSON_PATCH, '[{"op":"remove"}]', {400, 422}),
    ("path without slash", JSON_PATCH, operation("replace", "data", value={}), {400, 422}),
    ("remove what is not there", JSON_PATCH, operation("remove", "/nope/nope"), {422}),
    ("replace what is not there", JSON_PATCH, operation("replace", "/nope/nope", value=1), {422}),
    ("failing test", JSON_PATCH, operation("test", "/kind", value="Pod"), {422}),
    ("move into itself", JSON_PATCH, operation("move", "/metadata/a", **{"from": "/metadata"}),
     {400, 422}),
    ("copy from nowhere", JSON_PATCH, operation("copy", "/a", **{"from": "/nope"}), {200, 422}),
    ("an index beyond", JSON_PATCH, operation("add", "/metadata/finalizers/99", value="a/b"),
     {422}),
    ("replaced by a number", JSON_PATCH, operation("replace", "", value=1), {400, 422}),
    ("removed as a whole", JSON_PATCH, operation("remove", ""), {400, 422}),
    ("too many operations", JSON_PATCH,
     json.dumps([{"op": "test", "path": "/kind", "value": "ConfigMap"}] * 10001), {413}),
    ("copies that double", JSON_PATCH,
     json.dumps([{"op": "copy", "from": "", "path": f"/x{i}"} for i in range(40)]),
     {400, 413, 422}),
    ("list as merge patch", MERGE_PATCH, "[]", {400, 422}),
    ("number as merge patch", MERGE_PATCH, "1", {400, 422}),
    ("broken merge patch", MERGE_PATCH, '{"data":', {400}),
    ("merge of wrong types", MERGE_PATCH, '{"data":1}', {400, 422}),
    ("merge that renames", MERGE_PATCH, '{"metadata":{"name":"other"}}', {400, 422}),
    ("merge to another kind", MERGE_PATCH, '{"kind":"Pod"}', {400}),
    ("deep merge patch", MERGE_PATCH, '{"a":' * 100000 + "1" + "}" * 100000, {400, 422}),
    ("list as strategic patch", STRATEGIC_PATCH, "[]", {400, 422}),
    ("broken strategic patch", STRATEGIC_PATCH, "{", {400}),
    ("unknown directive", STRATEGIC_PATCH, '{"data":{"$patch":"burn"}}', {400, 422, PLAIN}),
    ("directive of a wrong type", STRATEGIC_PATCH, '{"metadata":{"$patch":1}}', {400, 422, PLAIN}),
    ("strategic of wrong types", STRATEGIC_PATCH, '{"data":[1]}', {400, 422, PLAIN}),
    ("keyless element", STRATEGIC_PATCH, '{"metadata":{"ownerReferences":[{"a":1}]}}',
     {400, 422, PLAIN}),
    ("deep strategic patch", STRATEGIC_PATCH, '{"a":' * 100000 + "1" + "}" * 100000, {400, 422}),
    ("apply of a list", APPLY_YAML, "[]", {400}),
    ("apply of nothing", APPLY_YAML, "", {400}),
    ("apply of broken YAML", APPLY_YAML, "a: [", {400}),
    ("apply of another name", APPLY_YAML,
     "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}", {400, 409, 422}),
    ("apply of another group", APPLY_YAML,
     "apiVersion: apps/v1\nkind: ConfigMap\nmetadata: {name: target}", {400}),
    ("apply with managed fields", APPLY_YAML, "apiVersion: v1\nkind: ConfigMap\nmetadata: "
     "{name: target, managedFields: [{manager: a}]}", {400}),
    ("apply of an unknown field", APPLY_YAML, "apiVersion: v1\nkind: ConfigMap\nmetadata: "
     "{name: target}\nnope: 1", {400, 422, PLAIN}),
    ("apply of a bomb", APPLY_YAML, yaml_bomb(9, 10), {400, 413}),
    ("unknown patch", "application/nonsense-patch+json", "{}", {415}),
    ("no patch type", JSON, "{}", {415}),
    ("patch too large", MERGE_PATCH, "{}".ljust(BODY_BYTES_MAX + 1), {413}),
]

# Patches that remove the identity of an object. If they are accepted, it must be unchanged.
IDENTITY_PATCHES = [
    (JSON_PATCH, operation("remove", "/kind")), (JSON_PATCH, operation("remove", "/apiVersion")),
    (JSON_PATCH, operation("replace", "/kind", value="Pod")),
    (JSON_PATCH, operation("remove", "/metadata")),
    (JSON_PATCH, operation("remove", "/metadata/uid")),
    (MERGE_PATCH, '{"kind":null}'), (MERGE_PATCH, '{"kind":""}'), (MERGE_PATCH, '{"kind":1}'),
    (MERGE_PATCH, '{"apiVersion":null}'), (MERGE_PATCH, '{"apiVersion":"x/v1"}'),
    (MERGE_PATCH, '{"metadata":null}'), (MERGE_PATCH, '{"metadata":{"uid":null}}'),
    (MERGE_PATCH, '{"metadata":{"creationTimestamp":null}}'),
    (MERGE_PATCH, '{"metadata":{"namespace":null}}'),
    (MERGE_PATCH, '{"metadata":{"namespace":"a"}}'),
    (STRATEGIC_PATCH, '{"kind":null}'), (STRATEGIC_PATCH, '{"apiVersion":null}'),
    (STRATEGIC_PATCH, '{"metadata":null}'), (STRATEGIC_PATCH, '{"$patch":"delete"}'),
    (STRATEGIC_PATCH, '{"$patch":"replace"}'), (STRATEGIC_PATCH, '{"$retainKeys":["x"]}'),
    (APPLY_YAML, "apiVersion: v1"), (APPLY_YAML, "kind: ConfigMap"),
    (APPLY_YAML, "{apiVersion: v1, kind: Pod}"), (APPLY_YAML, "{apiVersion: v1, kind: Nonsense}"),
    (APPLY_YAML, "{apiVersion: apps/v1, kind: ConfigMap}"),
    (APPLY_YAML, "{apiVersion: v1, kind: ConfigMap, metadata: null}"),
]

# Bodies that are sent to every resource; the server may accept or reject them.
ANY_BODIES = [
    "{}", '{"metadata":{"name":"thing"}}',
    '{"metadata":{"name":"thing"},"spec":null,"status":null}',
    '{"metadata":{"name":"thing"},"spec":[],"status":[]}',
    '{"metadata":{"name":"thing"},"spec":{},"status":{},"rules":null,"data":null}',
    '{"metadata":{"name":"thing","labels":{"":""},"ownerReferences":[{}],"finalizers":[""]}}',
    '{"metadata":{"name":"thing","generation":-1,"deletionTimestamp":"x"}}',
]
POD_SPEC = {"containers": [{"name": "a", "image": "a"}]}
TEMPLATE = {"metadata": {"labels": {"a": "b"}}, "spec": POD_SPEC}
SELECTOR = {"matchLabels": {"a": "b"}}
# Valid specs, which patches then damage.
SPECS = {
    "/api/v1/namespaces/default/pods": POD_SPEC,
    "/api/v1/nodes": {"taints": [{"key": "a", "effect": "NoSchedule"}]},
    "/api/v1/namespaces/default/replicationcontrollers": {"selector": {"a": "b"},
                                                          "template": TEMPLATE},
    "/apis/apps/v1/namespaces/default/deployments": {"selector": SELECTOR, "template": TEMPLATE},
    "/apis/apps/v1/namespaces/default/replicasets": {"selector": SELECTOR, "template": TEMPLATE},
    "/apis/apps/v1/namespaces/default/daemonsets": {"selector": SELECTOR, "template": TEMPLATE},
    "/apis/apps/v1/namespaces/default/statefulsets": {"selector": SELECTOR, "template": TEMPLATE,
                                                      "serviceName": "a"},
    "/apis/batch/v1/namespaces/default/jobs": {
        "template": {"spec": dict(POD_SPEC, restartPolicy="Never")}},
    "/apis/policy/v1/namespaces/default/poddisruptionbudgets": {"minAvailable": 1,
                                                                "selector": SELECTOR},
    "/apis/coordination.k8s.io/v1/namespaces/default/leases": {"holderIdentity": "a"},
}
SPOILING_PATCHES = [
    '{"spec":{"template":{"spec":{"containers":null}}}}', '{"spec":{"template":{"spec":null}}}',
    '{"spec":{"template":{"metadata":null}}}', '{"spec":{"selector":null}}',
    '{"spec":{"selector":{}}}', '{"spec":{"selector":{"matchExpressions":[{}]}}}',
    '{"spec":{"selector":{"matchExpressions":[null]}}}', '{"spec":{"replicas":-1}}',
    '{"spec":{"replicas":1e30}}', '{"spec":{"replicas":null}}', '{"spec":{"containers":[]}}',
    '{"spec":{"containers":[null]}}', '{"spec":{"containers":[{}]}}', '{"spec":{"nodeName":1}}',
    '{"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"x"}}}]}}',
    '{"spec":{"containers":[{"name":"a","resources":{"requests":{"cpu":"1e999999"}}}]}}',
    '{"spec":{"containers":[{"name":"a","resources":{"limits":{"":{}}}}]}}',
    '{"spec":{"containers":[{"name":"a","ports":[{}],"env":[{}],"volumeMounts":[{}]}]}}',
    '{"spec":{"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{}}}}}',
    '{"spec":{"affinity":{"podAffinity":'
    '{"preferredDuringSchedulingIgnoredDuringExecution":[{}]}}}}',
    '{"spec":{"tolerations":[{}],"topologySpreadConstraints":[{}],"schedulingGates":[{}]}}',
    '{"spec":{"volumes":[{}],"overhead":{"a":null},"priority":1e18}}', '{"spec":{"taints":[{}]}}',
    '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":"x%"}}}}',
    '{"spec":{"minAvailable":"101%","maxUnavailable":{}}}', '{"status":{"conditions":[{}]}}',
    '{"status":{"capacity":{"cpu":"x"},"allocatable":{"cpu":[]}}}',
    '{"spec":{"podFailurePolicy":{"rules":[{}]},"completions":-1,"completionMode":"x"}}',
    '{"spec":{"leaseDurationSeconds":-1,"renewTime":"x"}}',
    '{"metadata":{"labels":{"a":1},"annotations":{"a":null}}}',
    '{"metadata":{"ownerReferences":[null]}}',
    '{"metadata":{"managedFields":[{"fieldsV1":{"x":1}}]}}',
]
ANY_PATCHES = [
    (JSON_PATCH, operation("remove", "/spec")), (JSON_PATCH, operation("remove", "/metadata")),
    (JSON_PATCH, operation("add", "/spec", value=[[]])), (MERGE_PATCH, '{"spec":null}'),
    (MERGE_PATCH, '{"spec":{"template":null,"selector":null},"status":null}'),
    (MERGE_PATCH, '{"metadata":{"managedFields":[{}]}}'), (MERGE_PATCH, '{"spec":"a"}'),
    (STRATEGIC_PATCH, '{"spec":{"$patch":"delete"}}'),
    (STRATEGIC_PATCH, '{"spec":{"template":{"spec":{"containers":[null]}}}}'),
    (STRATEGIC_PATCH, '{"metadata":{"$deleteFromPrimitiveList/finalizers":[1]}}'),
]

METHODS = {"get": "GET", "list": "GET", "watch": "GET", "create": "POST", "update": "PUT",
           "patch": "PATCH", "delete": "DELETE", "deletecollection": "DELETE"}
ON_COLLECTIONS = {"list", "watch", "create", "deletecollection"}
# Resources that every authenticated user may create: reviews of oneself.
OPEN_TO_ALL = {"selfsubjectaccessreviews", "selfsubjectreviews", "selfsubjectrulesreviews"}
PUBLIC_PATHS = {"/healthz", "/livez", "/readyz", "/version"}


class Attack:
    def __init__(self, server):
        self.server = server
        self.credentials = Credentials(server)
        self.admin = self.client()
        self.cases = 0
        self.faults = []

    def client(self, context=None, **headers):
        return Client(self.server, context or self.credentials.admin, headers)

    def fault(self, group, name, *words):
        self.faults.append(f"{group}: {str(name)[:160]}: " + " ".join(str(word) for word in words))

    def judge(self, group, name, answer, wanted, wants_status=True):
        """`answer` returns (status, decoded body). A rejection must also be a Status with that
        code."""
        self.cases += 1
        begun = time.monotonic()
        try:
            status, body = answer()
        except BROKEN as broken:
            self.fault(group, name, "broke off:", repr(broken))
            return
        seconds = time.monotonic() - begun
        if seconds > CASE_SECONDS_MAX:
            self.fault(group, name, f"took {seconds:.0f} s")
        if status not in wanted:
            self.fault(group, name, "answered", status, "not", sorted(wanted)[:9], str(body)[:300])
        elif wants_status and status >= 400:
            is_status = isinstance(body, dict) and body.get("kind") == "Status" \
                and body.get("code") == status and body.get("message") \
                and bool(body.get("reason")) == (status != PLAIN)
            if not is_status:
                self.fault(group, name, "has no whole Status body:", status, str(body)[:300])

    def raw(self, data, context=None):
        """Returns the first status for these bytes (0: none) and all received bytes."""
        connection = dial(self.server, context or self.credentials.admin, CASE_SECONDS_MAX)
        with connection:
            try:
                connection.sendall(data)
            except OSError:
                pass  # the server need not read everything
            answer = read_all(connection)
        line = answer.split(b"\r\n", 1)[0].split(b" ")
        return (int(line[1]) if len(line) > 1 and line[1].isdigit() else 0), answer

    def alive(self, group):
        """Checks that the server is ready; restarts it if it is dead, so that the other groups
        run."""
        self.cases += 1
        try:
            status, body = self.client().request("GET", "/readyz")
        except BROKEN as broken:
            status, body = 0, repr(broken)
        if status == 200:
            return
        time.sleep(1)  # a process that aborts needs a moment to exit
        if (code := self.server.process.poll()) is not None:
            self.fault(group, "the server", "died with", code, *self.last_words())
            self.server.start()
            self.admin.close()
        else:
            self.fault(group, "the server", "is not ready:", status, body, *self.last_words())

    def last_words(self):
        return ["\n" + line for line in self.server.log_path.read_text().splitlines()[-5:]]

    def malformed(self):
        for name, data, wanted in MALFORMED:
            def answer(data=data):
                status, text = self.raw(data)
                if text.count(b"HTTP/1.1 ") > 1 or b"gitVersion" in text:
                    self.fault("malformed", name, "read a second request out of it:", text[:300])
                return status, text
            self.judge("malformed", name, answer, wanted, wants_status=False)

    def bodies(self):
        for name, kind, body, wanted in BODIES:
            self.judge("body", name, lambda b=body, k=kind: self.client().request(
                "POST", CONFIG_MAPS, b, k), wanted)
        chunked = post("Transfer-Encoding: chunked", "Connection: close") + b"".join(
            b"10000\r\n" + b" " * 0x10000 + b"\r\n" for _ in range(49)) + b"0\r\n\r\n"
        self.judge("body", "too many chunks", lambda: self.raw(chunked), {413}, wants_status=False)

    def accepts(self):
        for accept, wanted in ACCEPTS:
            self.judge("accept", accept, lambda a=accept: self.client(Accept=a).request(
                "GET", CONFIG_MAPS), wanted)

    def ask_raw(self, path, context, *headers):
        return self.raw(head(f"GET {path} HTTP/1.1", "Connection: close", *headers), context)

    def paths(self):
        for path in PATHS:
            wanted = {200} if path in EXISTING_PATHS else {301, 307, 308, 400, 403, 404, 405, 414}
            self.judge("path", path, lambda p=path: self.ask_raw(p, self.credentials.admin), wanted,
                       wants_status=False)

    def queries(self):
        for query, wanted in QUERIES:
            path = f"{CONFIG_MAPS}?{query}"
            self.judge("query", query, lambda p=path: self.client().request("GET", p), wanted)

    def patches(self):
        target = json.loads(config_map(metadata={"name": "target"}, data={"a": "b"}))
        status, made = self.admin.request("POST", CONFIG_MAPS, target)
        if status != 201:
            self.fault("patch", "target", status, made)
        for name, kind, body, wanted in PATCHES:
            path = TARGET + ("?fieldManager=hostile" if kind == APPLY_YAML else "")
            self.judge("patch", name, lambda b=body, k=kind, p=path: self.client().request(
                "PATCH", p, b, k), wanted)
        self.judge("patch", "apply by nobody", lambda: self.client().request(
            "PATCH", TARGET, config_map(metadata={"name": "target"}), APPLY_YAML), {400, 422})
        self.cases += 1
        status, left = self.admin.request("GET", TARGET)
        if left != made:
            self.fault("patch", "target", "was changed by a refused patch:", left)

    def identity(self):
        def essence(thing):
            metadata = thing.get("metadata", {})
            return [thing.get("apiVersion"), thing.get("kind")] + [
                metadata.get(key) for key in ("name", "namespace", "uid", "creationTimestamp")]

        for number, (kind, body) in enumerate(IDENTITY_PATCHES):
            path = f"{CONFIG_MAPS}/identity-{number}"
            _, made = self.admin.request(
                "POST", CONFIG_MAPS, config_map(metadata={"name": f"identity-{number}"}))
            for _ in range(2):  # the second request may fail on what the first has broken
                self.judge("identity", f"{kind} {body}", lambda b=body, k=kind, p=path:
                           self.client().request("PATCH", p + "?fieldManager=hostile", b, k),
                           {200, 400, 409, 422, PLAIN})
            self.alive(f"{kind} {body}")
            status, left = self.admin.request("GET", path)
            if status != 200 or essence(left) != essence(made):
                self.fault("identity", f"{kind} {body}", "left", status, essence(left), "of",
                           essence(made))
            self.judge("identity", f"delete after {kind} {body}", lambda p=path:
                       self.admin.request("DELETE", p), {200})
        self.judge("identity", "create another kind by apply", lambda: self.client().request(
            "PATCH", CONFIG_MAPS + "/other?fieldManager=hostile",
            "{apiVersion: v1, kind: Pod, metadata: {name: other}}", APPLY_YAML), {400, 422, PLAIN})

    def everything(self):
        """Sends small unsuitable bodies to all resources: the server must answer each."""
        for collection, thing, _ in list(self.served()):
            for method, path in (("POST", collection), ("PUT", thing)):
                # A binding without a target gives a plain error.
                wanted = ANSWERED | ({PLAIN} if path.endswith(("/bindings", "/binding")) else set())
                for body in ANY_BODIES:
                    self.judge("everything", f"{method} {path} {body}",
                               lambda m=method, p=path, b=body: self.admin.request(m, p, b),
                               wanted)
            for kind, body in ANY_PATCHES:
                self.judge("everything", f"PATCH {thing} {body}", lambda p=thing, k=kind, b=body:
                           self.admin.request("PATCH", p, b, k), ANSWERED)
            for method, path in (("GET", collection), ("GET", thing), ("DELETE", thing)):
                # The server has no metrics, and says why.
                wanted = {501} if method == "GET" and path.startswith("/apis/metrics.k8s.io/") else ANSWERED
                self.judge("everything", f"{method} {path}", lambda m=method, p=path:
                           self.admin.request(m, p), wanted)

    def spoil(self):
        """Sends patches that damage valid objects. They may be rejected, but must not cause a
        500."""
        for collection, spec in SPECS.items():
            made = {"metadata": {"name": "spoilt"}, "spec": spec}
            self.judge("spoil", f"POST {collection}", lambda c=collection, m=made:
                       self.admin.request("POST", c, m), {201})
            for patch in SPOILING_PATCHES:
                for kind in (MERGE_PATCH, STRATEGIC_PATCH):
                    for tail in ("", "/status"):
                        path = f"{collection}/spoilt{tail}"
                        wanted = ANSWERED | ({PLAIN} if kind == STRATEGIC_PATCH else set())
                        self.judge("spoil", f"{kind} {path} {patch}",
                                   lambda p=path, k=kind, b=patch:
                                   self.admin.request("PATCH", p, b, k), wanted)
            self.judge("spoil", f"GET {collection}", lambda c=collection:
                       self.admin.request("GET", c), {200})
            self.judge("spoil", f"DELETE {collection}", lambda c=collection:
                       self.admin.request("DELETE", c), {200})

    def watches(self):
        """Ends watches in unusual ways; the server must not keep any of them."""
        request = head(f"GET {CONFIG_MAPS}?watch=1 HTTP/1.1")
        for _ in range(30):
            connection = dial(self.server, self.credentials.admin)
            connection.sendall(request)
            self.cases += 1
            if not connection.recv(4096).startswith(b"HTTP/1.1 200"):
                self.fault("watch", "start", "was refused")
            # Closes only the sending side: the client still reads.
            socket.socket.shutdown(connection, socket.SHUT_WR)
            connection.close()
        for end in (b"\0" * 1000, b"GET / HTTP/1.1\r\n\r\n" * 1000):
            self.cases += 1
            connection = dial(self.server, self.credentials.admin)
            try:
                connection.sendall(request + end)
                connection.recv(4096)
            except OSError:
                pass
            connection.close()

    def dropped(self):
        """Opens many connections at once, and closes each in the middle of its request."""
        body = config_map(metadata={"name": "dropped"})
        whole = post(f"Content-Length: {len(body)}") + body.encode()
        connections = []
        for i in range(DROPPED_CONNECTIONS):
            connection = dial(self.server, self.credentials.admin)
            connection.sendall(whole[:1 + i * (len(whole) - 2) // DROPPED_CONNECTIONS])
            connections.append(connection)
        self.alive("holding half requests")
        for connection in connections:
            self.cases += 1
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
        self.judge("dropped", "half a request", lambda: self.admin.request(
            "GET", CONFIG_MAPS + "/dropped"), {404})

    def no_tls(self):
        for data in (b"", b"GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n", os.urandom(10000),
                     b"\x16\x03\x01\xff\xff" + b"\0" * 100, b"\x16\x03\x01\x02\x00\x01"):
            self.cases += 1
            with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                connection.settimeout(CASE_SECONDS_MAX)
                answer = read_all(connection)
                if answer.startswith(b"HTTP/1.1 2") or answer.startswith(b"HTTP/1.0 2"):
                    self.fault("no TLS", data[:20], "was served:", answer[:100])

    def stall(self):
        """Opens connections that never complete their request."""
        stalled = []
        for i in range(STALLED_CONNECTIONS):
            connection = dial(self.server, self.credentials.admin, HEAD_SECONDS_MAX)
            connection.sendall(head(GET)[:i + 1])
            stalled.append(connection)
        return stalled

    def stalled_are_ended(self, stalled):
        """Checks that the server closes them; their timeouts end at the same time."""
        for connection in stalled:
            self.cases += 1
            try:
                while connection.recv(4096):
                    pass
            except TimeoutError:
                self.fault("slow", "half a head", "is still waited for")
            except OSError:
                pass
            connection.close()

    def served(self):
        """Yields (collection path, object path, name) of every served resource."""
        versions = ["/api/v1"]
        _, groups = self.admin.request("GET", "/apis")
        for group in groups["groups"]:
            versions += ["/apis/" + version["groupVersion"] for version in group["versions"]]
        for version in versions:
            _, found = self.admin.request("GET", version)
            for resource in found["resources"]:
                name, _, subresource = resource["name"].partition("/")
                scope = "/namespaces/default" if resource["namespaced"] else ""
                collection = f"{version}{scope}/{name}"
                thing = f"{collection}/thing" + (f"/{subresource}" if subresource else "")
                yield (thing if subresource else collection), thing, resource["name"]
                if resource["namespaced"] and not subresource and "list" in resource["verbs"]:
                    yield f"{version}/{name}", thing, resource["name"]

    def rights(self):
        """Sends every verb for every resource, as users without rights."""
        stranger = self.credentials.stranger
        strangers = [("anonymous", self.client(stranger), 403),
                     ("a wrong token", self.client(stranger, Authorization="Bearer nope"), 401),
                     ("no right", self.client(stranger, Authorization=f"Bearer {TOKEN}"), 403)]
        for collection, thing, name in list(self.served()):
            for verb, method in METHODS.items():
                path = collection if verb in ON_COLLECTIONS else thing
                path += "?watch=true&timeoutSeconds=1" if verb == "watch" else ""
                for who, client, due in strangers:
                    wanted = {due}
                    if who == "no right" and verb == "create" and name in OPEN_TO_ALL:
                        wanted = {201, 400, 422}
                    self.judge("rights", f"{who}: {verb} {path}", lambda c=client, m=method, p=path:
                               c.request(m, p, "{}" if m != "GET" else None,
                                         MERGE_PATCH if m == "PATCH" else JSON), wanted)
        _, index = self.admin.request("GET", "/")
        for path in index["paths"]:
            wanted = {200} if path in PUBLIC_PATHS else {403}
            self.judge("rights", path, lambda p=path: strangers[0][1].request("GET", p), wanted)
            self.judge("rights", path, lambda p=path: strangers[1][1].request("GET", p), {401})
        self.detours(stranger)

    def detours(self, stranger):
        for path in DETOURS:
            self.judge("detour", path, lambda p=path: self.ask_raw(p, stranger),
                       {301, 307, 308, 400, 403, 404}, wants_status=False)
        for who in ("", f"Authorization: Bearer {TOKEN}"):
            for claim in (["Impersonate-User: admin"], ["Impersonate-Group: system:masters"],
                          ["Impersonate-User: admin", "Impersonate-Group: system:masters"],
                          ["X-Remote-User: admin", "X-Remote-Group: system:masters"],
                          ["X-HTTP-Method-Override: GET"], ["X-Forwarded-For: 127.0.0.1"],
                          ["X-Original-URL: /readyz"]):
                headers = [header for header in (who, *claim) if header]
                # Impersonating groups without a user is an invalid request.
                has_no_user = claim == ["Impersonate-Group: system:masters"]
                wanted = {400, 403, PLAIN} if has_no_user else {403}
                self.judge("detour", " ".join(headers), lambda h=headers: self.ask_raw(
                    "/api/v1/nodes", stranger, *h), wanted, wants_status=False)
        for scheme in ("Basic YWRtaW46YWRtaW4=", "Bearer", "Bearer ", "Bearer a b", "Bearer ..",
                       "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.", "bearer", TOKEN,
                       "Bearer " + "a" * 30000):
            self.judge("detour", scheme, lambda s=scheme: self.ask_raw(
                "/api/v1/nodes", stranger, f"Authorization: {s}"), {401, 403}, wants_status=False)

    def left_over(self, files_before):
        """Checks file descriptors and memory, after the server has noticed the closed
        connections."""
        self.cases += 2
        process = pathlib.Path(f"/proc/{self.server.process.pid}")
        deadline = time.monotonic() + CASE_SECONDS_MAX
        while (files := len(list((process / "fd").iterdir()))) > files_before + 10:
            if time.monotonic() > deadline:
                self.fault("left over", "files", files, "are open; at first", files_before)
                break
            time.sleep(0.1)
        pages = int((process / "statm").read_text().split()[1])
        if pages * os.sysconf("SC_PAGE_SIZE") > MEMORY_BYTES_MAX:
            self.fault("left over", "memory", pages * os.sysconf("SC_PAGE_SIZE") >> 20, "MiB")

    def run(self):
        self.alive("the start")
        files = len(list(pathlib.Path(f"/proc/{self.server.process.pid}/fd").iterdir()))
        stalled = self.stall()
        for group in (self.malformed, self.bodies, self.accepts, self.paths, self.queries,
                      self.patches, self.identity, self.watches, self.dropped, self.no_tls,
                      self.rights, self.everything, self.spoil):
            begun = time.monotonic()
            try:
                group()
            except BROKEN as broken:
                self.fault(group.__name__, "the group", "broke off:", repr(broken))
            self.alive(group.__name__)
            if os.environ.get("E2E_TRACE"):
                print(f"{group.__name__}: {time.monotonic() - begun:.1f} s", file=sys.stderr)
        self.stalled_are_ended(stalled)
        self.admin.close()
        self.left_over(files)
        self.cases += 1
        code = self.server.stop()
        if code != 0:
            self.fault("the end", "SIGTERM", "ended with", code)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    begun = time.monotonic()
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as tokens:
        tokens.write(f'{TOKEN},nobody,42,"lost"\n')
        tokens.flush()
        with Server(sys.argv[1], f"--token-auth-file={tokens.name}") as server:
            attack = Attack(server)
            attack.run()
    for fault in attack.faults:
        print(fault, file=sys.stderr)
    print(f"hostile_test: {attack.cases} cases, {len(attack.faults)} faults"
          f" in {time.monotonic() - begun:.0f} s")
    return 1 if attack.faults else 0


if __name__ == "__main__":
    sys.exit(main())
