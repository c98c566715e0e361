#!/usr/bin/env python3
"""audit_test.py BINARY: checks the audit log of a server with deploy/audit-policy.yaml: levels, no
secrets, rotation, and failures to write the log."""

import json
import pathlib
import subprocess
import sys

from cluster import await_true, check
from server import Server
from wire import Client, Credentials

ROOT = pathlib.Path(__file__).resolve().parents[2]
POLICY = ROOT / "deploy" / "audit-policy.yaml"
PODS = "/api/v1/namespaces/default/pods"


def pod(name, **meta):
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, **meta},
            "spec": {"containers": [{"name": "c", "image": "i"}]}}


def events_of(*paths):
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def find(events, uri, verb):
    return [event for event in events if event["requestURI"].split("?")[0] == uri and event["verb"] == verb]


def policy(binary):
    """Each request is logged at the level that the policy sets for it."""
    with Server(binary, store="memory") as server:
        log = server.directory / "audit.log"
        server.stop()
        server.flags += [f"--audit-policy-file={POLICY}", f"--audit-log-path={log}"]
        server.start()
        client = Client(server, Credentials(server).admin)
        secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"},
                  "stringData": {"password": "tr0ub4dor"}}
        check(client.request("POST", "/api/v1/namespaces/default/secrets", json.dumps(secret))[0] == 201)
        check(client.request("GET", "/api/v1/namespaces/default/secrets/s")[0] == 200)
        label = {"metadata": {"labels": {"pod-security.kubernetes.io/enforce": "baseline",
                                         "pod-security.kubernetes.io/audit": "restricted"}}}
        check(client.request("PATCH", "/api/v1/namespaces/default", json.dumps(label),
                             "application/merge-patch+json")[0] == 200)
        check(client.request("POST", PODS, json.dumps(pod("web")))[0] == 201)
        check(client.request("GET", PODS + "/none")[0] == 404)
        check(client.request("GET", "/healthz")[0] == 200)
        role = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "r"},
                "rules": []}
        check(client.request("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", json.dumps(role))[0] == 201)
        nobody = Client(server, Credentials(server).stranger, {"Authorization": "Bearer s3cret"})
        check(nobody.request("GET", PODS)[0] == 401)
        server.stop()
        text = log.read_text()
        check("tr0ub4dor" not in text and "s3cret" not in text, "a secret is in the audit log")
        events = events_of(log)

        [created] = find(events, "/api/v1/namespaces/default/secrets", "create")
        check(created["level"] == "Metadata" and "requestObject" not in created, created)
        check(created["objectRef"]["name"] == "s" and created["stage"] == "ResponseComplete", created)
        check(created["user"]["groups"][0] == "system:masters", created)
        check(created["sourceIPs"] == ["127.0.0.1"] and created["responseStatus"]["code"] == 201, created)

        [made] = find(events, PODS, "create")
        check(made["level"] == "Request" and "responseObject" not in made, made)
        check(made["requestObject"]["spec"]["restartPolicy"] == "Always", "without defaults", made)
        notes = made["annotations"]
        check(notes["authorization.k8s.io/decision"] == "allow", notes)
        check(notes["pod-security.kubernetes.io/enforce-policy"] == "baseline:latest", notes)
        check(notes["pod-security.kubernetes.io/audit-violations"].startswith(
            'would violate PodSecurity "restricted:latest": '), notes)

        [patched] = find(events, "/api/v1/namespaces/default", "patch")
        check(patched["requestObject"] == label, patched)
        # The server itself creates the default roles in the same way.
        roles = find(events, "/apis/rbac.authorization.k8s.io/v1/clusterroles", "create")
        [granted] = [event for event in roles if event["objectRef"]["name"] == "r"]
        check(granted["responseObject"]["metadata"]["uid"], granted)
        check("managedFields" not in granted["responseObject"]["metadata"], granted)
        [missing] = find(events, PODS + "/none", "get")
        check(missing["responseStatus"]["reason"] == "NotFound", missing)
        check(not find(events, "/healthz", "get"), "health is written")
        refused = [event for event in events if event["responseStatus"]["code"] == 401]
        check(len(refused) == 1, refused)
        check(refused[0]["responseStatus"]["message"] == "Authentication failed, attempted: bearer", refused)


def rotation(binary):
    """Every event is in one of the rotated files."""
    with Server(binary, store="memory") as server:
        log = server.directory / "audit.log"
        server.stop()
        server.flags += [f"--audit-log-path={log}", "--audit-log-maxsize=1", "--audit-log-mode=blocking"]
        server.start()
        client = Client(server, Credentials(server).admin)
        filler = "x" * 3000
        for number in range(600):
            check(client.request("GET", f"/api/v1/namespaces/default/configmaps/n{number}?{filler}")[0] == 404)
        server.stop()
        files = sorted(server.directory.glob("audit*.log"))
        check(len(files) >= 2, files)
        check(all(path.stat().st_size <= 1 << 20 for path in files), files)
        seen = {event["objectRef"]["name"] for event in events_of(*files)
                if event.get("objectRef", {}).get("resource") == "configmaps"}
        check({f"n{number}" for number in range(600)} <= seen, "events are lost")


def unwritable(binary):
    """A full disk does not stop the server, except in strict mode."""
    for mode, code in (("batch", 200), ("blocking", 200), ("blocking-strict", 500)):
        with Server(binary, store="memory") as server:
            server.stop()
            server.flags += ["--audit-log-path=/dev/full", f"--audit-log-mode={mode}",
                             f"--audit-policy-file={server.directory}/policy.yaml"]
            # Audits only Secrets, so that the server itself can start.
            (server.directory / "policy.yaml").write_text(
                "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n"
                "- {level: Metadata, resources: [{group: '', resources: [secrets]}]}\n")
            server.start()
            client = Client(server, Credentials(server).admin)
            got, answer = client.request("GET", "/api/v1/namespaces/default/secrets")
            check(got == code, mode, got, answer)

            def counters(client=client):
                return client.request("GET", "/metrics")[1].decode().splitlines()

            # A batch is written after the answer.
            await_true(f"a counted error in mode {mode}", lambda: any(
                line.startswith('apiserver_audit_error_total{plugin="log"} ') and not line.endswith(" 0")
                for line in counters()))
            lines = counters()
            rejected = "apiserver_audit_requests_rejected_total " + ("1" if code == 500 else "0")
            check(rejected in lines, mode, lines)


def bad_policy(binary):
    """An invalid policy stops the start with an error."""
    with Server(binary, store="memory") as server:
        server.stop()
        path = server.directory / "policy.yaml"
        path.write_text("apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Everything}]\n")
        done = subprocess.run([binary, "apiserver", "--store=memory", "--secure-port=0",
                               f"--data-dir={server.directory}/other", "--audit-log-path=-",
                               f"--audit-policy-file={path}"], capture_output=True, text=True, timeout=60, check=False)
        check(done.returncode != 0 and 'rules[0].level: Unsupported value: "Everything"' in done.stderr, done)


def main(binary):
    for part in (policy, rotation, unwritable, bad_policy):
        part(binary)
    print("audit: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
