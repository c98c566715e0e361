#!/usr/bin/env python3
"""access_table_test.py BINARY: sends every verb for every resource and subresource, with every path
scope. It does so as a node, a namespace's owner, its admin, its viewer, a user without rights and
an anonymous client. Each answer must be the one that access_evaluator.py computes."""

import collections
import itertools
import json
import sys

from access_evaluator import (FORBIDDEN, LET_IN, NO_SUCH_METHOD, NO_SUCH_PATH, Evaluator, Identity, Request,
                              read_kinds)
from server import Server
from wire import Client, Credentials

AUTHENTICATED = "system:authenticated"
NODE = Identity("node", "system:node:n1", ("system:nodes", AUTHENTICATED), "node-token")
OWNER = Identity("owner", "owner", (AUTHENTICATED,), "owner-token")
ADMIN = Identity("admin", "admin", (AUTHENTICATED,), "admin-token")
VIEWER = Identity("viewer", "viewer", (AUTHENTICATED,), "viewer-token")
NOBODY = Identity("nobody", "nobody", (AUTHENTICATED,), "nobody-token")
ANONYMOUS = Identity("anonymous", "system:anonymous", ("system:unauthenticated",))
IDENTITIES = (NODE, OWNER, ADMIN, VIEWER, NOBODY, ANONYMOUS)

OWN = "t1"
OTHER = "t2"
NAMESPACES = ("", OWN, OTHER, "kube-system", "kube-node-lease")
MISMATCHES_SHOWN = 40


def requests(kinds):
    """Yields every path form of every resource, valid and invalid, with every method."""
    for kind in kinds:
        names = {"", "x", "n1"} if kind.plural in ("nodes", "leases", "csinodes") else {"", "x"}
        if kind.plural == "namespaces":
            names |= {OWN, OTHER}
        below = ["", "nothing", *dict(kind.subresources)]
        for namespace, name, subresource in itertools.product(NAMESPACES, sorted(names), below):
            if subresource and not name:
                continue
            for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
                yield Request(method, kind, namespace, name, subresource)
            if not name:
                yield Request("GET", kind, namespace, watch=True)
            if subresource:
                yield Request("GET", kind, namespace, name, subresource, rest="more")


def outcome(status, answer):
    """Classifies an answer. A rejection by admission or a handler means that authorization let the
    request in."""
    message = answer.get("message", "") if isinstance(answer, dict) else ""
    if status == 403 and " cannot " in message:
        return FORBIDDEN
    if status == 404 and message == "the server could not find the requested resource":
        return NO_SUCH_PATH
    if status == 405:
        return NO_SUCH_METHOD
    if status == 500 and message == "target.name: Required value":
        return LET_IN  # upstream's status for a Binding without a node, such as an empty one
    if status == 501 and message.startswith("containers are simulated"):
        return LET_IN  # the metrics
    return f"{status} {message}" if status in (401, 429) or status >= 500 else LET_IN


def ask(client, request):
    # Nothing is stored, and no watch starts because its selector is invalid.
    query = "?watch=true&labelSelector=a%20b" if request.watch else "?dryRun=All"
    # Options in a body replace those of the query.
    body = {"GET": None, "DELETE": '{"dryRun":["All"]}'}.get(request.method, "{}")
    content_type = "application/merge-patch+json" if request.method == "PATCH" else "application/json"
    return outcome(*client.request(request.method, request.path + query, body, content_type))


def prepare(admin):
    """Creates two tenants, and the rights of each identity in the first one."""
    rbac = "/apis/rbac.authorization.k8s.io/v1"

    def create(path, body):
        status, answer = admin.request("POST", path, body)
        assert status == 201, answer

    for name in (OWN, OTHER):
        create("/api/v1/namespaces", {"metadata": {"name": name}})
    every = [{"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]}]
    create(f"{rbac}/namespaces/{OWN}/roles", {"metadata": {"name": "everything"}, "rules": every})
    for user, kind, role in (("owner", "Role", "everything"), ("admin", "ClusterRole", "admin"),
                             ("viewer", "ClusterRole", "view")):
        create(f"{rbac}/namespaces/{OWN}/rolebindings", {
            "metadata": {"name": user},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": role},
            "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}]})


def objects_outside(admin, kinds):
    """Returns every object outside the tenant, with its version."""
    found = {}
    for kind in kinds:
        if not {"list", "get", "watch"} <= kind.verbs or kind.plural in ("events", "leases"):
            continue
        for item in admin.request("GET", f"{kind.root}/{kind.plural}")[1]["items"]:
            meta = item["metadata"]
            if OWN not in (meta.get("namespace"), meta["name"]):
                found[kind.root, kind.plural, meta.get("namespace"), meta["name"]] = meta["resourceVersion"]
    return found


def run(binary):
    server = Server(binary, store="memory")
    tokens = server.directory / "tokens.csv"
    tokens.write_text("".join(
        f'{who.token},{who.user},{who.name},"{",".join(who.groups[:-1])}"\n' for who in IDENTITIES if who.token))
    server.flags.append(f"--token-auth-file={tokens}")
    with server:
        credentials = Credentials(server)
        admin = Client(server, credentials.admin)
        prepare(admin)
        kinds = read_kinds(admin)
        evaluator = Evaluator(admin)
        before = objects_outside(admin, kinds)
        wrong, counts = [], collections.Counter()
        for identity in IDENTITIES:
            headers = {"Authorization": f"Bearer {identity.token}"} if identity.token else {}
            client = Client(server, credentials.stranger, headers)
            for request in requests(kinds):
                want, got = evaluator.expect(identity, request), ask(client, request)
                counts[want] += 1
                if got != want:
                    what = f"{request.method} {request.path}{' (watch)' if request.watch else ''}"
                    wrong.append(f"{identity.name}: {what}: {got}; expected {want}")
        after = objects_outside(admin, kinds)
        wrong += [f"changed: {key}" for key in before if before[key] != after.get(key)]
    for line in wrong[:MISMATCHES_SHOWN]:
        print(line)
    print(f"{sum(counts.values())} requests, {json.dumps(counts)}: {len(wrong)} answered otherwise")
    # Every outcome must occur often, or the table would prove nothing.
    is_varied = all(counts[kind] > 100 for kind in (LET_IN, FORBIDDEN, NO_SUCH_METHOD, NO_SUCH_PATH))
    return 1 if wrong or not is_varied else 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1]))
