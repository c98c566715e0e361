#!/usr/bin/env python3
"""pages_test.py BINARY: checks that the secure port of a component serves health to everybody, and
metrics only to users whom the API server authorizes. Prints each failure, and a summary line."""

import http.client
import json
import socket
import ssl
import sys
import tempfile
import time

from cluster import Component
from server import Server
from wire import BROKEN, administrator

START_SECONDS_MAX = 60
TOKENS = 'reader-token,reader,1,"system:monitoring"\nother-token,other,2,"others"\n'


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def ask(port, path, token=None, certificate=None):
    """Returns the status and the text of a page."""
    context = ssl._create_unverified_context()  # pylint: disable=protected-access
    if certificate is not None:
        context.load_cert_chain(*certificate)
    connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=30)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        response = connection.getresponse()
        return response.status, response.read().decode(errors="replace")
    finally:
        connection.close()


def await_serving(port):
    deadline = time.monotonic() + START_SECONDS_MAX
    while time.monotonic() < deadline:
        try:
            if ask(port, "/healthz")[0] == 200:
                return
        except BROKEN:
            pass
        time.sleep(0.05)
    raise RuntimeError("the component shows no health")


def check_pages(binary, server, command, faults):
    port = free_port()
    component = Component(command, binary, server, f"--kubeconfig={server.directory}/data/{command}.kubeconfig",
                          f"--client-ca-file={server.directory}/certificate-authority")
    component.words = [*(word for word in component.words if word != "--secure-port=0"),
                       f"--secure-port={port}"]
    certificate = (server.directory / "client-certificate", server.directory / "client-key")
    with component:
        await_serving(port)
        for name, path, token, shown, wanted, text in (
                ("health", "/healthz", None, None, 200, "ok"),
                ("life", "/livez", None, None, 200, "ok"),
                ("metrics of a stranger", "/metrics", None, None, 403,
                 'forbidden: User \\"system:anonymous\\" cannot get path \\"/metrics\\"'),
                ("anything of a stranger", "/other", None, None, 403, "forbidden"),
                ("a wrong token", "/metrics", "wrong", None, 401, "Unauthorized"),
                ("a token without rights", "/metrics", "other-token", None, 403, "forbidden"),
                ("a token with rights", "/metrics", "reader-token", None, 200, "# HELP"),
                ("a certificate", "/metrics", None, certificate, 200, "# HELP"),
                ("profiles of a stranger", "/debug/pprof/profile?seconds=1", None, None, 403, "forbidden"),
                ("profiles of a reader of metrics", "/debug/pprof/heap", "reader-token", None, 403, "forbidden"),
                ("the list of profiles", "/debug/pprof/", None, certificate, 200, "profile?seconds="),
                ("memory in use", "/debug/pprof/heap", None, certificate, 200, "heap profile: "),
                ("time of the processor", "/debug/pprof/profile?seconds=1", None, certificate, 200, "plimsoll"),
                ("far too long", "/debug/pprof/profile?seconds=3600", None, certificate, 400, "from 1 to 300"),
                ("anything else", "/other", None, certificate, 404, "404 page not found")):
            status, body = ask(port, path, token, shown)
            if status != wanted or text not in body:
                faults.append(f"{command}: {name}: {status} {body[:200]}, not {wanted}")


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    faults = []
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as tokens:
        tokens.write(TOKENS)
        tokens.flush()
        with Server(sys.argv[1], f"--token-auth-file={tokens.name}") as server:
            admin = administrator(server)
            status, role = admin.request("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:monitoring")
            if status != 200:
                faults.append(f"no role for those who scrape: {json.dumps(role)}")
            for command in ("scheduler", "controller-manager"):
                check_pages(sys.argv[1], server, command, faults)
            admin.close()
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"pages_test: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
