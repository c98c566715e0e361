#!/usr/bin/env python3
"""pod_security_test.py BINARY: checks the Pod Security Standards with kubectl: rejections,
warnings, labels of namespaces, defaults, exemptions and metrics."""

import pathlib
import subprocess
import sys

from cluster import check
from server import Server, kubectls

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Kubectl:
    def __init__(self, program, server):
        self.words = [program, f"--kubeconfig={server.kubeconfig}"]

    def __call__(self, *words, stdin=None):
        """Returns the exit code and the output of both streams."""
        done = subprocess.run([*self.words, *words], input=stdin, text=True, capture_output=True,
                              timeout=60, check=False)
        return done.returncode, done.stdout + done.stderr


def pod(name, namespace, **spec):
    lines = [f"  {key}: {value}" for key, value in spec.items()]
    return "\n".join(["apiVersion: v1", "kind: Pod",
                      f"metadata: {{name: {name}, namespace: {namespace}}}", "spec:",
                      "  containers: [{name: c, image: i}]", *lines, ""])


GOOD = """apiVersion: v1
kind: Pod
metadata: {name: good, namespace: strict}
spec:
  securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
  containers:
  - {name: c, image: i, securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}
"""

DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: strict}
spec:
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: c, image: i}]}
"""

REFUSAL = ('pods "bare" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false '
           '(container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities '
           '(container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or '
           'container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set '
           'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")')


def labels(kubectl):
    """The labels of a namespace apply to its pods, and are validated."""
    kubectl("create", "namespace", "strict")
    code, said = kubectl("label", "namespace", "strict", "pod-security.kubernetes.io/enforce=strict")
    check(code != 0 and "must be one of privileged, baseline, restricted" in said, said)
    code, said = kubectl("label", "namespace", "strict", "pod-security.kubernetes.io/enforce=restricted")
    check(code == 0, said)

    code, said = kubectl("apply", "-f", "-", stdin=pod("bare", "strict"))
    check(code != 0 and REFUSAL in said, said)
    code, said = kubectl("apply", "-f", "-", stdin=GOOD)
    check(code == 0 and "Warning" not in said, said)
    code, said = kubectl("set", "image", "pod/good", "c=j", "-n", "strict")
    check(code == 0, said)

    # A workload only causes a warning; its pods are rejected later.
    code, said = kubectl("apply", "-f", "-", stdin=DEPLOYMENT)
    check(code == 0 and 'Warning: would violate PodSecurity "restricted:latest"' in said, said)


def existing(kubectl):
    """A stricter label causes a warning with the pods that would no longer be admitted."""
    kubectl("create", "namespace", "old")
    for name in ("a", "b", "c"):
        code, said = kubectl("apply", "-f", "-", stdin=pod(name, "old", hostPID="true"))
        check(code == 0, said)
    code, said = kubectl("label", "--dry-run=server", "namespace", "old",
                         "pod-security.kubernetes.io/enforce=baseline")
    check(code == 0, said)
    check('existing pods in namespace "old" violate the new PodSecurity enforce level "baseline:latest"' in said, said)
    check("a (and 2 other pods): host namespaces" in said, said)
    # A dry run changes nothing.
    code, said = kubectl("apply", "-f", "-", stdin=pod("d", "old", hostPID="true"))
    check(code == 0, said)


def metrics(kubectl):
    _, said = kubectl("get", "--raw=/metrics")
    want = ('pod_security_evaluations_total{decision="deny",mode="enforce",policy_level="restricted",'
            'policy_version="latest",request_operation="create",resource="pod",subresource=""} 1')
    check(want in said, "no metric", [line for line in said.splitlines() if "pod_security" in line])


def defaults(kubectl):
    """Checks the defaults of deploy/admission-config.yaml."""
    kubectl("create", "namespace", "plain")
    code, said = kubectl("apply", "-f", "-", stdin=pod("a", "plain", hostPID="true"))
    check(code != 0 and 'violates PodSecurity "baseline:latest"' in said, said)
    code, said = kubectl("apply", "-f", "-", stdin=pod("a", "plain"))
    check(code == 0 and 'would violate PodSecurity "restricted:latest"' in said, said)
    code, said = kubectl("apply", "-f", "-", stdin=pod("a", "kube-system", hostPID="true"))
    check(code == 0 and "Warning" not in said, said)


def main(binary):
    found = kubectls()
    if not found:
        print("pod_security: skipped, there is no kubectl")
        return 77
    program = list(found.values())[-1]
    with Server(binary, store="memory") as server:
        kubectl = Kubectl(program, server)
        labels(kubectl)
        existing(kubectl)
        metrics(kubectl)
    config = ROOT / "deploy" / "admission-config.yaml"
    with Server(binary, f"--admission-control-config-file={config}", store="memory") as server:
        defaults(Kubectl(program, server))
    print("pod_security: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
