#!/usr/bin/env python3
"""kubectl_test.py BINARY [VERSION…]: runs typical commands with every installed version of kubectl.
Prints a line per version; on failure, the command and its output."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
from concurrent import futures

from server import Server, kubectls

TIMEOUT_SECONDS = 60


class Failure(Exception):
    pass


class Kubectl:
    """One version of kubectl in one namespace."""

    def __init__(self, name, binary, server):
        self.name = name
        self.binary = binary
        self.namespace = "e2e-" + name.replace(".", "-")
        self.node = "n-" + name.replace(".", "-")
        self.steps = 0
        self.home = tempfile.mkdtemp(prefix="kubectl-home-")
        self.environment = dict(os.environ, KUBECONFIG=str(server.kubeconfig), HOME=self.home)

    def run(self, *words, stdin=None, fails=False, env=None):
        """Returns the output of a command in the namespace, with stderr if it fails as expected."""
        self.steps += 1
        if os.environ.get("E2E_TRACE"):
            print("+", *words, file=sys.stderr, flush=True)
        command = [self.binary, "--namespace", self.namespace, *words]
        done = subprocess.run(command, input=stdin, text=True, capture_output=True,
                              timeout=TIMEOUT_SECONDS, env=dict(self.environment, **(env or {})),
                              check=False)
        output = done.stdout + done.stderr
        # diff exits with 1 if there is a difference.
        if (done.returncode != 0) != fails:
            wanted = "fail" if fails else "succeed"
            raise Failure(f"{self.name}: should {wanted}: {' '.join(words)}\n{output}")
        return output

    def want(self, text, *words, **options):
        output = self.run(*words, **options)
        if text not in output:
            raise Failure(f"{self.name}: {' '.join(words)}\nwanted: {text}\ngot: {output}")
        return output

    def json(self, *words):
        return json.loads(self.run(*words, "-o", "json"))


def pod(name, spec="", labels="app: web"):
    return f"""
apiVersion: v1
kind: Pod
metadata: {{name: {name}, labels: {{{labels}}}}}
spec:
  containers: [{{name: main, image: registry.example.com/web:1}}]
{spec}
"""


def discovery(k):
    k.want("pods", "api-resources")
    k.want("deployments", "api-resources", "--api-group=apps", "-o", "wide")
    k.want("apps/v1", "api-versions")
    k.want("Server Version", "version")
    k.want("Kubernetes control plane", "cluster-info")


def reading(k):
    k.run("apply", "-f", "-", stdin=pod("reader"))
    k.want("reader", "get", "pods")
    k.want("NOMINATED NODE", "get", "pods", "-o", "wide")
    k.want("registry.example.com/web:1", "get", "pod", "reader", "-o", "yaml")
    k.want('"kind": "Pod"', "get", "pod", "reader", "-o", "json")
    k.want("registry.example.com/web:1", "get", "pods", "-o",
           "jsonpath={.items[*].spec.containers[*].image}")
    k.want("NAME", "get", "pods", "-o", "custom-columns=NAME:.metadata.name")
    k.want("pod/reader", "get", "pods", "-o", "name")
    k.want("reader", "get", "pods", "-l", "app in (web, x)")
    k.want("No resources found", "get", "pods", "-l", "app=none")
    k.want("reader", "get", "pods", "--field-selector", "status.phase=Pending")
    k.want("field label not supported", "get", "pods", "--field-selector", "spec.foo=1", fails=True)
    k.want("Service Account:", "describe", "pod", "reader")
    k.want("NotFound", "get", "pod", "nobody", fails=True)
    k.want("reader", "get", "pods", "-A", "--chunk-size=1")
    k.want("reader", "get", "pods", "--show-labels")


def creating(k):
    k.want("configmap/settings created", "create", "configmap", "settings", "--from-literal=a=b")
    k.want("already exists", "create", "configmap", "settings", fails=True)
    k.want("secret/keys created", "create", "secret", "generic", "keys", "--from-literal=p=w")
    k.want("serviceaccount/robot created", "create", "serviceaccount", "robot")
    k.want("deployment.apps/web created", "create", "deployment", "web", "--image=nginx:1",
           "--replicas=2")
    k.want("service/web exposed", "expose", "deployment", "web", "--port=80")
    k.want("ClusterIP", "get", "service", "web")
    k.want("job.batch/once created", "create", "job", "once", "--image=busybox")
    k.want("poddisruptionbudget", "create", "poddisruptionbudget", "web", "--selector=app=web",
           "--min-available=1")
    k.want("pod/runner created", "run", "runner", "--image=busybox")
    k.want("is invalid", "create", "-f", "-", stdin=pod("Bad_Name"), fails=True)
    k.want('unknown field "spec.tolerationz"', "create", "-f", "-",
           stdin=pod("strict", "  tolerationz: []"), fails=True)
    k.want("created (server dry run)", "create", "configmap", "dry", "--dry-run=server")
    k.want("NotFound", "get", "configmap", "dry", fails=True)
    k.want("must be a valid decimal integer", "create", "-f", "-", fails=True,
           stdin=pod("gt", "  tolerations: [{key: sla, operator: Gt, value: '0950'}]"))


def applying(k):
    k.want("pod/applied created", "apply", "-f", "-", stdin=pod("applied"))
    k.want("pod/applied unchanged", "apply", "-f", "-", stdin=pod("applied"))
    changed = pod("applied", labels="app: web, tier: front")
    k.want("tier: front", "diff", "-f", "-", stdin=changed, fails=True)
    k.want("pod/applied configured", "apply", "-f", "-", stdin=changed)
    k.want("front", "get", "pod", "applied", "-o", "jsonpath={.metadata.labels.tier}")
    k.want("Forbidden", "apply", "-f", "-", fails=True,
           stdin=pod("applied", "  hostNetwork: true"))

    config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\ndata: {color: %s}\n"
    k.want("serverside-applied", "apply", "--server-side", "--field-manager=a", "-f", "-",
           stdin=config % "red")
    k.want("conflict", "apply", "--server-side", "--field-manager=b", "-f", "-",
           stdin=config % "blue", fails=True)
    k.want("serverside-applied", "apply", "--server-side", "--field-manager=b",
           "--force-conflicts", "-f", "-", stdin=config % "blue")
    k.want("blue", "get", "configmap", "shared", "-o", "jsonpath={.data.color}")
    k.want("manager: b", "get", "configmap", "shared", "-o", "yaml", "--show-managed-fields")


ATOMIC_DEFAULTS = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: defaults}
spec:
  replicas: 0
  selector: {matchLabels: {app: defaults}}
  template:
    metadata: {labels: {app: defaults}}
    spec:
      containers:
      - name: a
        image: nginx
        resources: {requests: {cpu: 0.5}}
        env: [{name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: defaults}
spec:
  replicas: 0
  serviceName: defaults
  selector: {matchLabels: {app: defaults}}
  template:
    metadata: {labels: {app: defaults}}
    spec:
      containers: [{name: a, image: nginx}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1024Mi}}}
"""


def migrating(k):
    """From client-side to server-side apply of the same file, with atomic fields that have defaults."""
    workloads = ATOMIC_DEFAULTS
    k.want("created", "apply", "-f", "-", stdin=workloads)
    k.want("conflict", "apply", "--server-side", "--field-manager=b", "-f", "-", stdin=workloads, fails=True)
    k.want("serverside-applied", "apply", "--server-side", "-f", "-", stdin=workloads)
    k.want("serverside-applied", "apply", "--server-side", "-f", "-", stdin=workloads)
    k.run("delete", "-f", "-", stdin=workloads)


def changing(k):
    k.want("labeled", "label", "configmap", "settings", "team=a")
    k.want("already has a value", "label", "configmap", "settings", "team=b", fails=True)
    k.want("labeled", "label", "configmap", "settings", "team=b", "--overwrite")
    k.want("unlabeled", "label", "configmap", "settings", "team-")
    k.want("annotate", "annotate", "configmap", "settings", "note=x")
    k.want("patched", "patch", "configmap", "settings", "--type=merge", "-p",
           '{"data":{"a":"c"}}')
    k.want("patched", "patch", "configmap", "settings", "--type=json", "-p",
           '[{"op":"add","path":"/data/z","value":"1"}]')
    k.want("patched", "patch", "deployment", "web", "-p",
           '{"spec":{"template":{"spec":{"containers":[{"name":"nginx","image":"nginx:2"}]}}}}')
    k.want("nginx:2", "get", "deployment", "web", "-o", "yaml")
    k.want("image updated", "set", "image", "deployment/web", "nginx=nginx:3")
    k.want("scaled", "scale", "deployment", "web", "--replicas=3")
    k.want("3", "get", "deployment", "web", "-o", "jsonpath={.spec.replicas}")
    k.want("restarted", "rollout", "restart", "deployment/web")
    editor = pathlib.Path(k.home) / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/a: c/a: edited/' \"$1\"\n")
    editor.chmod(0o755)
    k.want("edited", "edit", "configmap", "settings", env={"KUBE_EDITOR": str(editor)})
    k.want("edited", "get", "configmap", "settings", "-o", "jsonpath={.data.a}")


def tainted(k, taints):
    return f"apiVersion: v1\nkind: Node\nmetadata: {{name: {k.node}}}\nspec: {{taints: [{taints}]}}\n"


def taint_by(k, manager, taints):
    k.want("serverside-applied", "apply", "--server-side", f"--field-manager={manager}", "-f", "-",
           stdin=tainted(k, taints))


def own_taints(k):
    """Two managers own one taint each. Each can remove its own, and `kubectl taint` still works."""
    taint_by(k, "one", "{key: a, effect: NoSchedule}")
    taint_by(k, "two", "{key: b, effect: NoSchedule}")
    k.want("tainted", "taint", "nodes", k.node, "c=1:NoSchedule")
    taint_by(k, "one", "")
    k.want("duplicate entries for key", "apply", "--server-side", "-f", "-",
           stdin=tainted(k, "{key: a, effect: NoSchedule}, {key: a, effect: NoSchedule}"), fails=True)
    keys = {taint["key"] for taint in k.json("get", "node", k.node)["spec"]["taints"]}
    if not keys >= {"b", "c"} or "a" in keys:
        raise Failure(f"{k.name}: a manager removed its own taint a, and these are left: {keys}")
    k.want("untainted", "taint", "nodes", k.node, "c-")
    taint_by(k, "two", "")


def nodes(k):
    k.run("apply", "-f", "-", stdin=f"apiVersion: v1\nkind: Node\nmetadata: {{name: {k.node}}}\n")
    k.want("tainted", "taint", "nodes", k.node, "failure-probability=5:NoSchedule")
    k.want("already has", "taint", "nodes", k.node, "failure-probability=6:NoSchedule", fails=True)
    k.want("modified", "taint", "nodes", k.node, "failure-probability=6:NoSchedule", "--overwrite")
    k.want("6", "get", "node", k.node, "-o",
           "jsonpath={.spec.taints[?(@.key=='failure-probability')].value}")
    k.want("tainted", "taint", "nodes", k.node, "gone=1:NoExecute")
    taints = k.json("get", "node", k.node)["spec"]["taints"]
    if not any("timeAdded" in taint for taint in taints if taint["effect"] == "NoExecute"):
        raise Failure(f"{k.name}: a NoExecute taint has no timeAdded: {taints}")
    k.want("untainted", "taint", "nodes", k.node, "gone:NoExecute-")
    k.want("untainted", "taint", "nodes", k.node, "failure-probability-")
    own_taints(k)
    k.want("cordoned", "cordon", k.node)
    k.want("SchedulingDisabled", "get", "nodes")
    k.want("uncordoned", "uncordon", k.node)
    k.want("Taints:", "describe", "node", k.node)

    bound = f"  nodeName: {k.node}\n  terminationGracePeriodSeconds: 0"
    k.run("apply", "-f", "-", stdin=pod("on-node", bound, "app: drained"))
    k.want("drained", "drain", k.node, "--force", "--ignore-daemonsets", "--grace-period=0",
           "--timeout=30s")
    k.want("NotFound", "get", "pod", "on-node", fails=True)
    k.want("deleted", "delete", "node", k.node)


def explaining(k):
    k.want("tolerations", "explain", "pod.spec")
    k.want("expression", "explain", "pod.spec.tolerations.expression")
    k.want("FIELD", "explain", "deployment.spec.replicas")


def security(k):
    k.want("yes", "auth", "can-i", "create", "pods")
    k.want("no", "auth", "can-i", "create", "pods", "--as=nobody", fails=True)
    k.run("create", "role", "reader", "--verb=get,list", "--resource=pods")
    k.run("create", "rolebinding", "reader", "--role=reader", "--user=nobody")
    k.want("yes", "auth", "can-i", "list", "pods", "--as=nobody")
    k.want("reader", "get", "pods", "--as=nobody")
    k.want('cannot list resource "secrets"', "get", "secrets", "--as=nobody", fails=True)
    k.want("pods", "auth", "can-i", "--list", "--as=nobody")
    if k.name != "1.27":  # 1.27 uses a version of the review that upstream has dropped
        k.want("kubernetes-admin", "auth", "whoami")
    k.want(".", "create", "token", "robot")


def watching(k):
    """A pod is created and deleted while kubectl watches."""
    watch = subprocess.Popen([k.binary, "--namespace", k.namespace, "get", "pods", "-w",
                              "--output-watch-events"],
                             stdout=subprocess.PIPE, text=True, env=k.environment)
    alarm = threading.Timer(TIMEOUT_SECONDS, watch.kill)  # ends the loop below
    alarm.start()
    try:
        watch.stdout.readline()  # the watch has started: the first line is an existing object
        k.run("apply", "-f", "-", stdin=pod("watched"))
        k.run("delete", "pod", "watched", "--now")
        seen = []
        for line in watch.stdout:
            event, name = line.split()[:2]
            if name == "watched":
                seen.append(event)
            if seen and seen[-1] == "DELETED":
                break
        if seen[:1] != ["ADDED"] or seen[-1:] != ["DELETED"]:
            raise Failure(f"{k.name}: get -w saw {seen}")
    finally:
        alarm.cancel()
        watch.kill()
        watch.wait()


def waiting(k):
    k.run("apply", "-f", "-", stdin=pod("ready"))
    k.run("patch", "pod", "ready", "--subresource=status", "--type=merge", "-p",
          '{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}')
    k.want("condition met", "wait", "--for=condition=Ready", "pod/ready", "--timeout=20s")
    k.want("condition met", "wait", "--for=jsonpath={.status.phase}=Running", "pod/ready",
           "--timeout=20s")
    status = {"status": {"observedGeneration": 99, "replicas": 3, "updatedReplicas": 3,
                         "readyReplicas": 3, "availableReplicas": 3}}
    k.run("patch", "deployment", "web", "--subresource=status", "--type=merge", "-p",
          json.dumps(status))
    k.want("successfully rolled out", "rollout", "status", "deployment/web", "--timeout=20s")
    k.run("events")
    k.run("get", "events")


def deleting(k):
    k.want("deleted", "delete", "pod", "ready", "--grace-period=0", "--force")
    k.want("deleted", "delete", "deployment", "web", "--cascade=orphan",
           "--wait=false")
    orphans = k.json("get", "deployments")["items"]
    # Without a garbage collector, the finalizer `orphan` keeps the object.
    for item in orphans:
        k.run("patch", "deployment", item["metadata"]["name"], "--type=merge", "-p",
              '{"metadata":{"finalizers":null}}')
    k.want("deleted", "delete", "job", "once", "--cascade=background")
    k.want("deleted", "delete", "configmap", "settings", "--cascade=background")
    k.want("deleted", "delete", "pods", "--all", "--now")
    k.want("No resources found", "get", "pods")


def old(k):
    """Runs the commands that Debian's kubectl 1.20 supports."""
    k.want("pods", "api-resources")
    k.run("apply", "-f", "-", stdin=pod("web"))
    k.want("NOMINATED NODE", "get", "pods", "-o", "wide")
    k.want("registry.example.com/web:1", "get", "pod", "web", "-o", "yaml")
    k.want("Status:", "describe", "pod", "web")
    k.want("created", "create", "deployment", "web", "--image=nginx:1")
    k.want("scaled", "scale", "deployment", "web", "--replicas=3")
    k.run("apply", "-f", "-", stdin=f"apiVersion: v1\nkind: Node\nmetadata: {{name: {k.node}}}\n")
    k.want("tainted", "taint", "nodes", k.node, "failure-probability=5:NoSchedule")
    k.want("modified", "taint", "nodes", k.node, "failure-probability=6:NoSchedule", "--overwrite")
    own_taints(k)
    k.want("cordoned", "cordon", k.node)
    k.want("expression", "explain", "pod.spec.tolerations.expression")
    k.want("yes", "auth", "can-i", "create", "pods")
    watching(k)
    k.want("deleted", "delete", "pod", "web", "--now")


STORIES = [discovery, reading, creating, applying, migrating, changing, nodes, explaining, security,
           watching, waiting, deleting]


def drive(k):
    k.run("create", "namespace", k.namespace)
    for story in [old] if k.name == "kubectl" else STORIES:
        story(k)


def report(name, path, server):
    began = time.monotonic()
    k = Kubectl(name, path, server)
    try:
        drive(k)
        return True, f"kubectl {name}: {k.steps} commands, {time.monotonic() - began:.1f} s"
    except (Failure, subprocess.TimeoutExpired) as failure:
        return False, f"kubectl {name}: FAILED after {k.steps} commands\n{failure}"


def main(binary, wanted):
    versions = {name: path for name, path in kubectls().items() if not wanted or name in wanted}
    if not versions:
        print("kubectl_test: no kubectl here; nothing was tested")
        return 77
    failed = False
    with Server(binary) as server, futures.ThreadPoolExecutor(max_workers=2) as pool:
        for passed, line in pool.map(lambda item: report(*item, server), versions.items()):
            failed = failed or not passed
            print(line, flush=True)
        if server.stop() != 0:
            failed = True
            print("the server did not end well:\n" + server.log_path.read_text()[-4000:])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
