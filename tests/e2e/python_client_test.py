#!/usr/bin/env python3
"""python_client_test.py BINARY: uses a whole cluster with the official Python client, Debian's
python3-kubernetes. Exits with 77 if that is not installed."""

import importlib.util
import json
import os
import sys
import threading
import time

DEBIAN_PYTHON = "/usr/bin/python3"
if importlib.util.find_spec("kubernetes") is None:
    # Debian's packages need Debian's Python, which may not be the first on PATH.
    if os.path.realpath(sys.executable) == os.path.realpath(DEBIAN_PYTHON) \
            or not os.path.exists(DEBIAN_PYTHON):
        print("python_client_test: no python3-kubernetes here; nothing was tested")
        sys.exit(77)
    os.execv(DEBIAN_PYTHON, [DEBIAN_PYTHON, *sys.argv])

from kubernetes import client, config, dynamic, utils, watch  # noqa: E402
from kubernetes.client.exceptions import ApiException  # noqa: E402
from kubernetes.dynamic.exceptions import ConflictError, NotFoundError  # noqa: E402

from cluster import check  # noqa: E402
from server import Server  # noqa: E402

NAMESPACE = "python"
WATCH_SECONDS = 20
NODES = 2


class Clients:
    """The typed clients and the dynamic one for one server."""

    def __init__(self, server):
        self.api = config.new_client_from_config(str(server.kubeconfig))
        self.core = client.CoreV1Api(self.api)
        self.apps = client.AppsV1Api(self.api)
        self.dynamic = dynamic.DynamicClient(self.api)


def config_map(name, data=None, **labels):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": labels},
            "data": data or {}}


def refused(code, reason, call, *args, **kwargs):
    """Checks that the server rejects a call, and returns its message."""
    try:
        call(*args, **kwargs)
    except ApiException as error:
        body = client.ApiClient().sanitize_for_serialization(error.body)
        check(error.status == code, "want", code, "got", error.status, body)
        check(f'"reason":"{reason}"' in str(body), "want", reason, "in", body)
        return str(body)
    check(False, "wanted", code, reason, "and the call was accepted")
    return ""


def lists(c):
    """Checks pages, selectors, and a list over all namespaces."""
    for number in range(5):
        c.core.create_namespaced_config_map(
            NAMESPACE, config_map(f"page-{number}", kind="page", parity=str(number % 2)))
    names, token = [], None
    while True:
        page = c.core.list_namespaced_config_map(NAMESPACE, label_selector="kind=page", limit=2,
                                                 _continue=token)
        names += [one.metadata.name for one in page.items]
        token = page.metadata._continue
        if not token:
            break
    check(names == [f"page-{number}" for number in range(5)], names)
    odd = c.core.list_config_map_for_all_namespaces(label_selector="kind=page,parity in (1)")
    check([one.metadata.name for one in odd.items] == ["page-1", "page-3"], odd.items)
    one = c.core.list_namespaced_config_map(NAMESPACE, field_selector="metadata.name=page-2")
    check([each.metadata.name for each in one.items] == ["page-2"], one.items)
    # The client sends Python's `True` and `False` for booleans.
    check(c.core.list_namespaced_config_map(NAMESPACE, label_selector="kind=page",
                                            watch=False).items, "watch=False is no list")
    refused(400, "BadRequest", c.core.list_namespaced_config_map, NAMESPACE, label_selector="a in")
    refused(404, "NotFound", c.core.read_namespaced_config_map, "missing", NAMESPACE)


def watches(c):
    """Each change arrives while the watch connection is open."""
    version = c.core.list_namespaced_config_map(NAMESPACE).metadata.resource_version
    stream = watch.Watch()
    seen = []
    c.core.create_namespaced_config_map(NAMESPACE, config_map("watched", {"turn": "0"}))
    for event in stream.stream(c.core.list_namespaced_config_map, NAMESPACE,
                               field_selector="metadata.name=watched", resource_version=version,
                               timeout_seconds=WATCH_SECONDS):
        seen.append((event["type"], (event["object"].data or {}).get("turn")))
        # Each change is made only after the previous one has arrived.
        if len(seen) == 1:
            c.core.patch_namespaced_config_map("watched", NAMESPACE, {"data": {"turn": "1"}})
        elif len(seen) == 2:
            c.core.delete_namespaced_config_map("watched", NAMESPACE)
        else:
            stream.stop()
    check(seen == [("ADDED", "0"), ("MODIFIED", "1"), ("DELETED", "1")], seen)

    # The same with the plain parameter, which the client spells `True`.
    answer = c.core.list_namespaced_config_map(NAMESPACE, watch=True, timeout_seconds=1,
                                               _preload_content=False)
    lines = b"".join(answer.stream()).splitlines()
    check(lines and all(line.startswith(b'{"type":"ADDED"') for line in lines), lines[:2])


def patches(c):
    """Checks a JSON patch, a strategic merge patch, and a replacement with a conflict."""
    made = c.core.create_namespaced_config_map(NAMESPACE, config_map("patched", {"a": "1"}))
    # The client sends a list as JSON patch and a dict as strategic merge patch.
    patched = c.core.patch_namespaced_config_map(
        "patched", NAMESPACE, [{"op": "add", "path": "/data/b", "value": "2"}])
    check(patched.data == {"a": "1", "b": "2"}, patched.data)
    patched = c.core.patch_namespaced_config_map("patched", NAMESPACE, {"data": {"a": None}})
    check(patched.data == {"b": "2"}, patched.data)
    patched = c.core.patch_namespaced_config_map(
        "patched", NAMESPACE, {"data": {"c": "3"}}, dry_run="All", field_manager="python")
    check(patched.data == {"b": "2", "c": "3"}, patched.data)
    made.data = {"late": "yes"}
    refused(409, "Conflict", c.core.replace_namespaced_config_map, "patched", NAMESPACE, made)
    read = c.core.read_namespaced_config_map("patched", NAMESPACE)
    check(read.data == {"b": "2"}, read.data)


def workloads(c):
    """A Deployment from YAML runs, is scaled through its subresource, and can be decoded into
    models, which reject objects without fields that upstream always sends."""
    utils.create_from_dict(c.api, {
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {"name": "web", "namespace": NAMESPACE},
        "spec": {"replicas": 1, "selector": {"matchLabels": {"app": "web"}},
                 "template": {"metadata": {"labels": {"app": "web"}},
                              "spec": {"containers": [{"name": "main", "image": "nginx:1"}]}}}})
    c.apps.patch_namespaced_deployment_scale("web", NAMESPACE, {"spec": {"replicas": 2}})
    stream = watch.Watch()
    ready = 0
    for event in stream.stream(c.apps.list_namespaced_deployment, NAMESPACE,
                               timeout_seconds=WATCH_SECONDS):
        ready = event["object"].status.ready_replicas or 0
        if ready == 2:
            stream.stop()
    check(ready == 2, "2 pods of web are not ready but", ready)
    # Only the two changes of the spec increment the generation, not the controller's revision
    # annotation.
    web = c.apps.read_namespaced_deployment("web", NAMESPACE)
    check(web.metadata.annotations["deployment.kubernetes.io/revision"] == "1", web.metadata)
    check(web.metadata.generation == 2, "generation is", web.metadata.generation)
    pods = c.core.list_namespaced_pod(NAMESPACE, label_selector="app=web").items
    check(len(pods) == 2 and all(one.status.container_statuses[0].ready for one in pods), pods)
    check(all(one.spec.containers[0].resources is not None for one in pods),
          "containers without resources")
    nodes = c.core.list_node().items
    check(len(nodes) == NODES, nodes)
    check(all(one.status.node_info.kubelet_version for one in nodes), nodes)
    # The client raises ValueError for an object without a field that its model requires.
    for every in (c.core.list_event_for_all_namespaces, c.core.list_namespace,
                  c.core.list_service_for_all_namespaces, c.apps.list_replica_set_for_all_namespaces,
                  client.RbacAuthorizationV1Api(c.api).list_cluster_role_binding,
                  client.CoordinationV1Api(c.api).list_lease_for_all_namespaces,
                  client.SchedulingV1Api(c.api).list_priority_class):
        check(every().items, every.__name__, "lists nothing")
    c.apps.delete_namespaced_deployment("web", NAMESPACE, propagation_policy="Foreground")


def dynamic_client(c):
    """The dynamic client finds resources through discovery, and applies, patches, watches and
    deletes."""
    maps = c.dynamic.resources.get(api_version="v1", kind="ConfigMap")
    deployments = c.dynamic.resources.get(api_version="apps/v1", kind="Deployment")
    check(deployments.namespaced and "deploy" in deployments.short_names, deployments)
    made = maps.create(body=config_map("dynamic", {"a": "1"}), namespace=NAMESPACE)
    maps.patch(name="dynamic", namespace=NAMESPACE, body={"data": {"b": "2"}},
               content_type="application/merge-patch+json")

    def apply(data, **options):
        # Debian's version of the client sends a non-JSON body only as text.
        return maps.server_side_apply(body=json.dumps(config_map("dynamic", data)), name="dynamic",
                                      namespace=NAMESPACE, **options)

    applied = apply({"c": "3"}, field_manager="python-dynamic")
    check(applied.to_dict()["data"] == {"a": "1", "b": "2", "c": "3"}, applied.data)
    try:
        apply({"a": "9"}, field_manager="another")
        check(False, "an apply over another's field was accepted")
    except ConflictError as error:
        check("conflict" in str(error.body), error.body)
    apply({"a": "9"}, field_manager="another", force_conflicts=True)

    deleted = threading.Event()
    seen = []

    def follow():
        for event in maps.watch(namespace=NAMESPACE, field_selector="metadata.name=dynamic",
                                resource_version=made.metadata.resourceVersion,
                                timeout=WATCH_SECONDS):
            seen.append(event["type"])
            if event["type"] == "DELETED":
                deleted.set()
                return

    follower = threading.Thread(target=follow)
    follower.start()
    maps.delete(name="dynamic", namespace=NAMESPACE)
    follower.join()
    check(deleted.is_set(), seen)
    check(seen == ["MODIFIED", "MODIFIED", "MODIFIED", "DELETED"], seen)
    try:
        maps.get(name="dynamic", namespace=NAMESPACE)
        check(False, "a deleted object is still there")
    except NotFoundError:
        pass
    kinds = {item.kind for group in ("v1", "apps/v1", "resource.k8s.io/v1")
             for item in c.dynamic.resources.search(group_version=group)}
    check({"Pod", "Node", "DaemonSet", "ResourceSlice"} <= kinds, kinds)


def main(binary):
    with Server(binary, f"--nodes={NODES}", store="memory", command="up") as server:
        clients = Clients(server)
        clients.core.create_namespace({"metadata": {"name": NAMESPACE}})
        began = time.monotonic()
        stories = (lists, watches, patches, workloads, dynamic_client)
        for story in stories:
            story(clients)  # a failure raises an exception, which ends the program with 1
        if server.stop() != 0:
            print("the server did not end well:\n" + server.log_path.read_text()[-4000:])
            return 1
    print(f"python_client_test: {len(stories)} stories good, {time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
