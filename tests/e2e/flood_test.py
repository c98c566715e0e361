#!/usr/bin/env python3
"""flood_test.py BINARY: floods a server with anonymous connections, large bodies and slow clients.
The server must use little memory, answer the administrator meanwhile, and recover without a
restart. Prints each failure, and a summary line."""

import concurrent.futures
import json
import pathlib
import socket
import sys
import time

from server import Server
from wire import BROKEN, Credentials, Client, dial, read_all

CONNECTIONS = 300
BODY_BYTES = 3 << 20
GROWTH_BYTES_MAX = 100 << 20
FILES_MAX = 256  # limit of the small server: 128 connections, and 128 files for the store
PODS = "/api/v1/namespaces/default/pods"
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


def head(path, *headers, method="POST", host="x"):
    return "\r\n".join((f"{method} {path} HTTP/1.1", f"Host: {host}", *headers, "", "")).encode()


class Flood:
    def __init__(self, server):
        self.server = server
        self.credentials = Credentials(server)
        self.admin = Client(server, self.credentials.admin)
        self.faults = []
        self.notes = []

    def fault(self, *words):
        self.faults.append(" ".join(str(word)[:300] for word in words))

    def rss(self, key="VmRSS"):
        text = pathlib.Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(text.split(f"{key}:")[1].split()[0]) << 10

    def alive(self, when):
        try:
            status, _ = self.admin.request("GET", "/readyz")
            if status != 200:
                self.fault(when, "readyz", status)
        except BROKEN as broken:
            self.fault(when, "readyz", repr(broken))

    def send_body(self, connection, size):
        """Sends as much as the server accepts. Returns the start of its answer."""
        part = b"x" * 65536
        try:
            for _ in range(size // len(part)):
                connection.sendall(part)
        except OSError:
            pass
        return read_all(connection, 64)

    def anonymous_bodies(self):
        """Every client announces a body of 3 MiB, waits for all others, and sends most of it."""
        before = self.rss()
        connections = []
        for _ in range(CONNECTIONS):
            connection = dial(self.server, self.credentials.stranger)
            connection.sendall(head(PODS, "Content-Type: application/json", f"Content-Length: {BODY_BYTES}")
                               + b"x" * 10000)
            connections.append(connection)
        self.alive("amid the flood")
        with concurrent.futures.ThreadPoolExecutor(50) as pool:
            answers = list(pool.map(lambda one: self.send_body(one, BODY_BYTES - (128 << 10)), connections))
        grown = self.rss("VmHWM") - before
        self.notes.append(f"{CONNECTIONS} anonymous bodies of 3 MiB: {grown / (1 << 20):.1f} MiB more")
        if grown > GROWTH_BYTES_MAX:
            self.fault("anonymous bodies: memory grew by", grown >> 20, "MiB")
        # The server closed the other connections before the client read its answer.
        refused = sum(answer.startswith(b"HTTP/1.1 403") for answer in answers)
        if refused == 0 or any(answer and not answer.startswith(b"HTTP/1.1 403") for answer in answers):
            self.fault("anonymous bodies:", refused, "of", CONNECTIONS, "were told 403")
        for connection in connections:
            connection.close()

    def heads_without_end(self):
        """Sends request heads of 40 KB that never end."""
        before = self.rss()
        connections = []
        for _ in range(CONNECTIONS):
            connection = dial(self.server, self.credentials.stranger)
            connection.sendall(head("/", "A: " + "x" * 40000)[:-2])
            connections.append(connection)
        self.alive("amid heads without end")
        grown = self.rss() - before
        if grown > CONNECTIONS << 16:
            self.fault("heads without end: memory grew by", grown >> 20, "MiB")
        for connection in connections:
            connection.close()

    def large_hellos(self):
        """Sends the start of TLS ClientHello messages of 128 KiB."""
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", self.server.port), timeout=5) as connection:
                connection.sendall(b"\x16\x03\x01\x40\x00\x01\x02\x00\x00" + b"x" * 1000)
                try:
                    connection.recv(100)
                except TimeoutError:
                    self.fault("large hellos: the server waits for the rest")
                except OSError:
                    pass

    def bodies_in_flight(self):
        """A user may have 1 MiB of bodies in flight here; each of these is half of it and never
        ends."""
        held = []
        length = f"Content-Length: {512 << 10}"
        for _ in range(2):
            connection = dial(self.server, self.credentials.admin)
            connection.sendall(head(CONFIG_MAPS, "Content-Type: application/json", length,
                                    "Expect: 100-continue"))
            answer = connection.recv(100)
            if not answer.startswith(b"HTTP/1.1 100 Continue"):
                self.fault("bodies in flight: a body within the budget got", answer)
            held.append(connection)
        third = dial(self.server, self.credentials.admin)
        third.sendall(head(CONFIG_MAPS, "Content-Type: application/json", length))
        answer = read_all(third, 4096)
        if not answer.startswith(b"HTTP/1.1 429") or b"Retry-After: 1\r\n" not in answer:
            self.fault("bodies in flight: a body beyond the budget got", answer)
        for connection in (*held, third):
            connection.close()
        self.recovers("after bodies in flight", "flight")

    def too_large(self):
        connection = dial(self.server, self.credentials.admin)
        connection.sendall(head(CONFIG_MAPS, "Content-Type: application/json",
                                f"Content-Length: {BODY_BYTES + 1}", "Connection: close"))
        answer = read_all(connection, 4096)
        if not answer.startswith(b"HTTP/1.1 413") or b"limit is 3145728" not in answer:
            self.fault("too large:", answer)
        connection.close()

    def recovers(self, when, name):
        """Waits until a write succeeds again, after the server has noticed the closed
        connections."""
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
        deadline = time.monotonic() + 30
        status = 0
        while time.monotonic() < deadline:
            try:
                status, _ = self.admin.request("POST", CONFIG_MAPS, body)
            except BROKEN:
                status = 0
            if status == 201:
                return
            time.sleep(0.05)
        self.fault(when, "a write gets", status)


def few_files(binary):
    """Opens more connections than a server with few file descriptors may have, then closes them."""
    probe = Server(binary)
    probe.prefix = ["prlimit", f"--nofile={FILES_MAX}"]
    with probe:
        flood = Flood(probe)
        flood.alive("at first")
        connections = []
        for _ in range(2 * FILES_MAX):
            try:
                raw = socket.create_connection(("127.0.0.1", probe.port), timeout=5)
                connections.append(raw)
            except OSError:
                pass
        flood.alive("with more connections than files")
        # A new administrator connection succeeds although clients of the same address use every
        # slot.
        flood.admin.close()
        flood.recovers("few files", "few-files")
        for connection in connections:
            connection.close()
        flood.recovers("after few files", "few-files-after")
    return flood.faults


def ask_plain(port, request):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request)
        return read_all(connection, 4096)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def insecure_port(binary):
    """The insecure port logs a warning, and rejects requests that a browser sends for a foreign
    page."""
    faults = []
    port = free_port()
    own = f"localhost:{port}"
    end = "Connection: close"
    body = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "made"}}).encode()
    length = f"Content-Length: {len(body)}"
    with Server(binary, f"--insecure-loopback-port={port}") as server:
        for name, request, wanted in (
                ("own host", head("/api/v1/nodes", end, method="GET", host=own), 200),
                ("own address", head("/api/v1/nodes", end, method="GET", host=f"127.0.0.1:{port}"), 200),
                ("another host", head("/api/v1/nodes", end, method="GET", host=f"evil.example:{port}"), 403),
                ("another port", head("/api/v1/nodes", end, method="GET", host="localhost"), 403),
                ("an origin", head("/api/v1/nodes", end, "Origin: http://evil.example", method="GET",
                                   host=own), 403),
                ("another site", head("/api/v1/nodes", end, "Sec-Fetch-Site: cross-site", method="GET",
                                      host=own), 403),
                ("no type", head(CONFIG_MAPS, end, length, host=own) + body, 415),
                ("a form's type", head(CONFIG_MAPS, end, length, "Content-Type: text/plain", host=own)
                 + body, 415),
                ("a write", head(CONFIG_MAPS, end, length, "Content-Type: application/json", host=own)
                 + body, 201)):
            answer = ask_plain(port, request)
            if not answer.startswith(f"HTTP/1.1 {wanted} ".encode()):
                faults.append(f"insecure port: {name}: {answer[:200]}, not {wanted}")
        if "WARNING: --insecure-loopback-port is on" not in server.log_path.read_text():
            faults.append("insecure port: it does not warn")
    return faults


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    begun = time.monotonic()
    with Server(sys.argv[1], f"--max-body-bytes-inflight-per-user={1 << 20}") as server:
        flood = Flood(server)
        flood.alive("at first")
        flood.recovers("at first", "first")
        for attack in (flood.anonymous_bodies, flood.heads_without_end, flood.large_hellos,
                       flood.bodies_in_flight,
                       flood.too_large):
            attack()
            flood.alive(attack.__name__)
            flood.recovers(attack.__name__, attack.__name__.replace("_", "-"))
        flood.admin.close()
    faults = flood.faults + few_files(sys.argv[1]) + insecure_port(sys.argv[1])
    for line in faults:
        print(line, file=sys.stderr)
    print(f"flood_test: {'; '.join(flood.notes)}; {len(faults)} faults in {time.monotonic() - begun:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
