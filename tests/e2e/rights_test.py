#!/usr/bin/env python3
"""rights_test.py BINARY: checks that the eviction controllers work with upstream's rights: each may
read everything, and write what its service account may write."""

import contextlib
import json
import re
import sys
import types

from cluster import Component, check, play, pod, toleration
from device_cluster import DRIVER, claiming_pod, device_cluster, template_of

# Service accounts by the names in `--controllers`.
ACCOUNTS = {"taint-eviction": "node-controller",
            "device-taint-eviction": "device-taint-eviction-controller",
            "resourceclaim": "resource-claim-controller"}


def restricted(c, controller, account):
    """Starts the controller alone, with the token of its service account."""
    c.kubectl("create", "serviceaccount", account, "--namespace=kube-system")
    c.kubectl("create", "clusterrolebinding", f"{account}-looks", f"--serviceaccount=kube-system:{account}",
              "--clusterrole=system:kube-controller-manager")
    # Same as `kubectl create token`, which old versions lack.
    request = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest"}
    answer = c.kubectl("create", f"--raw=/api/v1/namespaces/kube-system/serviceaccounts/{account}/token",
                       "--filename=-", stdin=json.dumps(request))
    token = json.loads(answer)["status"]["token"]
    # Edited as text, because `kubectl config set-credentials` fails with old versions.
    administrators = c.server.kubeconfig.read_text()
    without_key = re.sub(r"\n\s+client-key-data: \S+", "", administrators)
    text = re.sub(r"\bclient-certificate-data: \S+", f"token: {token}", without_key)
    check(token in text and "client-" not in text, "the kubeconfig has another form:", administrators)
    path = c.server.directory / f"{account}.kubeconfig"
    path.write_text(text)
    known_as = types.SimpleNamespace(kubeconfig=path, directory=c.server.directory, prefix=[])
    return Component("controller-manager", c.binary, known_as, "--no-leader-elect",
                     f"--controllers={controller}")


@contextlib.contextmanager
def restricted_cluster(binary):
    """Runs all other controllers with an administrator's rights."""
    with contextlib.ExitStack() as stack:
        c = stack.enter_context(device_cluster(binary, has_controllers=False))
        others = ",".join(["*", *(f"-{name}" for name in ACCOUNTS)])
        stack.enter_context(c.controllers(f"--controllers={others}"))
        for controller, account in ACCOUNTS.items():
            stack.enter_context(restricted(c, controller, account))
        yield c


def devices(binary):
    """A claim is created from its template; its pod is evicted when the device is tainted; the
    claim is deleted too."""
    with restricted_cluster(binary) as c:
        c.apply(template_of("one", DRIVER))
        c.run(claiming_pod("user", "user", resourceClaimTemplateName="one"))
        c.taint_driver("gone:NoExecute", "--name=gone")
        c.await_end("user")
        c.await_eviction("gone")
        check(c.events("DeviceTaintManagerEviction", "user"), "no event")
        c.await_true("the end of its claim",
                     lambda: not c.kubectl("get", "resourceclaims", "-o", "name"))


def nodes(binary):
    """A pod is evicted when its threshold is crossed, and its condition tells why."""
    with restricted_cluster(binary) as c:
        c.apply(pod("careful", [toleration("risk", "Lt", "5", "NoExecute")]))
        c.await_true("the pod", lambda: c.pod("careful")["status"].get("phase") == "Running")
        c.kubectl("taint", "nodes", "gpu-0", "risk=7:NoExecute")
        c.await_true("its end", lambda: c.client.request(
            "GET", "/api/v1/namespaces/default/pods/careful")[0] == 404, 60)
        check(c.events("TaintManagerEviction", "careful"), "no event")


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], devices, nodes))
