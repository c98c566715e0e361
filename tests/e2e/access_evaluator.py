"""Decides which requests a server must admit: which paths are served, and what RBAC and the node
authorizer allow. It is written from Kubernetes' documentation, and shares with the server only the
objects of discovery and the RBAC API."""

import dataclasses

NO_SUCH_PATH = "404, no such path"
FORBIDDEN = "403, not authorized"
NO_SUCH_METHOD = "405, no such method"
LET_IN = "let in"

VERBS = {"POST": "create", "GET": "get", "PUT": "update", "PATCH": "patch", "DELETE": "delete"}


@dataclasses.dataclass(frozen=True)
class Identity:
    name: str
    user: str
    groups: tuple
    token: str = ""


@dataclasses.dataclass(frozen=True)
class Kind:
    """A resource in discovery."""
    group: str
    version: str
    plural: str
    namespaced: bool
    verbs: frozenset
    subresources: tuple  # (name, verbs) pairs

    @property
    def root(self):
        return f"/apis/{self.group}/{self.version}" if self.group else f"/api/{self.version}"


@dataclasses.dataclass(frozen=True)
class Request:
    """A request, given by the parts from which its path is built."""
    method: str
    kind: Kind
    namespace: str = ""  # for a path below namespaces/NAMESPACE
    name: str = ""
    subresource: str = ""
    rest: str = ""  # further path segments
    watch: bool = False

    @property
    def path(self):
        parts = [self.kind.root]
        if self.namespace:
            parts += ["namespaces", self.namespace]
        parts += [part for part in (self.kind.plural, self.name, self.subresource, self.rest) if part]
        return "/".join(parts)

    @property
    def verb(self):
        verb = VERBS[self.method]
        if self.name:
            return verb
        if verb == "get":
            return "watch" if self.watch else "list"
        return "deletecollection" if verb == "delete" else verb


def read_kinds(client):
    """Returns all resources in the server's discovery."""
    documents = [f"/api/{version}" for version in client.request("GET", "/api")[1]["versions"]]
    for group in client.request("GET", "/apis")[1]["groups"]:
        documents += [f"/apis/{version['groupVersion']}" for version in group["versions"]]
    kinds = []
    for document in documents:
        answer = client.request("GET", document)[1]
        group, _, version = answer["groupVersion"].rpartition("/")
        rows = {row["name"]: row for row in answer["resources"]}
        for name, row in rows.items():
            if "/" in name:
                continue
            below = tuple((other.partition("/")[2], frozenset(rows[other]["verbs"]))
                          for other in rows if other.startswith(name + "/"))
            kinds.append(Kind(group, version, name, row["namespaced"], frozenset(row["verbs"]), below))
    return kinds


def is_served_path(request):
    """Returns True if the path fits its resource's scope and its subresource exists."""
    kind = request.kind
    if request.rest:
        return False
    if request.subresource and request.subresource not in dict(kind.subresources):
        return False
    if not kind.namespaced:
        return not request.namespace
    return bool(request.namespace) or (not request.name and "list" in kind.verbs)


def is_served_method(request):
    if request.subresource:
        return request.verb in dict(request.kind.subresources)[request.subresource]
    collection = {"list", "watch", "create", "deletecollection"}
    if (request.verb in collection) == bool(request.name):
        return False
    if request.kind.namespaced and not request.namespace and request.verb not in ("list", "watch"):
        return False
    return request.verb in request.kind.verbs


def matches(rule, request):
    def has(values, wanted):
        return "*" in values or wanted in values

    resource = request.kind.plural
    resources = rule.get("resources", [])
    if request.subresource:
        full = f"{resource}/{request.subresource}"
        is_named = has(resources, full) or f"*/{request.subresource}" in resources
    else:
        is_named = has(resources, resource)
    names = rule.get("resourceNames", [])
    return (has(rule.get("verbs", []), request.verb) and has(rule.get("apiGroups", []), request.kind.group)
            and is_named and (not names or request.name in names))


class Rbac:
    """The current RBAC rules of a server."""

    GROUP = "/apis/rbac.authorization.k8s.io/v1"

    def __init__(self, client):
        def items(plural):
            return client.request("GET", f"{self.GROUP}/{plural}")[1]["items"]

        self.rules = {("ClusterRole", "", role["metadata"]["name"]): role.get("rules") or []
                      for role in items("clusterroles")}
        self.rules |= {("Role", role["metadata"]["namespace"], role["metadata"]["name"]): role.get("rules") or []
                       for role in items("roles")}
        self.bindings = items("clusterrolebindings") + items("rolebindings")

    def allows(self, identity, request):
        # A namespace counts as being inside itself.
        namespace = request.namespace
        if request.kind.plural == "namespaces" and not request.kind.group:
            namespace = request.name
        for binding in self.bindings:
            bound_in = binding["metadata"].get("namespace", "")
            if bound_in and bound_in != namespace:
                continue
            if not any(self.is_subject(subject, identity) for subject in binding.get("subjects") or []):
                continue
            reference = binding["roleRef"]
            place = bound_in if reference["kind"] == "Role" else ""
            if any(matches(rule, request)
                   for rule in self.rules.get((reference["kind"], place, reference["name"]), [])):
                return True
        return False

    @staticmethod
    def is_subject(subject, identity):
        if subject["kind"] == "User":
            return subject["name"] == identity.user
        return subject["kind"] == "Group" and subject["name"] in identity.groups


class NodeRules:
    """Rights of a kubelet without pods: those of the role system:node, except those that depend on
    its pods or on the owner of an object."""

    # Allowed only through a pod on the node.
    BY_POD = {"secrets", "configmaps", "persistentvolumeclaims", "persistentvolumes", "volumeattachments",
              "resourceclaims", "serviceaccounts"}

    def __init__(self, rules):
        self.rules = rules

    def allows(self, identity, request):
        node = identity.user.removeprefix("system:node:")
        plural, verb, below = request.kind.plural, request.verb, request.subresource
        if request.kind.group == "metrics.k8s.io":  # its nodes and pods are others
            return any(matches(rule, request) for rule in self.rules)
        if plural in self.BY_POD:
            return False
        if plural == "nodes":
            if verb in ("create", "update", "patch"):
                return below in ("", "status") and not (below and verb == "create")
            return not below and verb in ("get", "list", "watch") and request.name == node
        if plural == "pods":
            if below:
                return (below, verb) in (("status", "update"), ("status", "patch"), ("eviction", "create"))
            return verb in ("create", "delete")
        if plural in ("leases", "csinodes"):
            if plural == "leases" and request.namespace != "kube-node-lease":
                return False
            if plural == "csinodes" and below:
                return False
            return verb == "create" or (verb in ("get", "update", "patch", "delete") and request.name == node)
        if plural == "resourceslices":
            return not below and verb == "create"
        return any(matches(rule, request) for rule in self.rules)


class Evaluator:
    def __init__(self, client):
        self.rbac = Rbac(client)
        self.node_rules = NodeRules(self.rbac.rules["ClusterRole", "", "system:node"])

    def expect(self, identity, request):
        if not is_served_path(request):
            return NO_SUCH_PATH
        is_node = identity.user.startswith("system:node:") and "system:nodes" in identity.groups
        is_allowed = ("system:masters" in identity.groups or self.rbac.allows(identity, request)
                      or (is_node and self.node_rules.allows(identity, request)))
        if not is_allowed:
            return FORBIDDEN
        return LET_IN if is_served_method(request) else NO_SUCH_METHOD
