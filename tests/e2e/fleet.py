"""A whole control plane with replicas: three etcd members, two API servers, and beside each of
these a scheduler and a controller-manager with leader election. Runs on loopback, or each on its
own machine."""

import random
import shutil
import signal
import time

import etcd
from cluster import Cluster, Component, check
from server import Server
from wire import BROKEN, Client, Credentials

# A quarter of upstream's times, so that tests do not wait for leases.
LEASE_FLAGS = ("--leader-elect-lease-duration=4s", "--leader-elect-renew-deadline=2600ms",
               "--leader-elect-retry-period=500ms")
TIMEOUT_SECONDS = 8


class Fleet:
    """A control plane. Use it with `with`."""

    def __init__(self, binary, machines=None, controllers="*", lease_flags=LEASE_FLAGS):
        """`machines`: five, for the members and the servers; None: all run here."""
        self.binary = binary
        self.etcd = etcd.EtcdCluster(machines[:3] if machines else [None] * 3)
        places = machines[3:5] if machines else [None] * 2
        self.servers = [Server(binary, f"--etcd-servers={self.etcd.url}", machine=place)
                        for place in places]
        self.controllers = controllers
        self.lease_flags = lease_flags
        self.parts = {}  # (command, number of its server) -> Component
        self.clusters = []
        self.credentials = None

    def __enter__(self):
        self.etcd.__enter__()
        self.servers[0].start()
        data = self.servers[1].directory / "data"
        data.mkdir()
        shutil.copytree(self.servers[0].directory / "data" / "pki", data / "pki")
        self.servers[1].start()
        self.credentials = Credentials(self.servers[0])
        self.clusters = [Cluster(server) for server in self.servers]
        for number, server in enumerate(self.servers):
            self.parts["scheduler", number] = Component(
                "scheduler", self.binary, server, *self.lease_flags)
            self.parts["controller-manager", number] = Component(
                "controller-manager", self.binary, server, f"--controllers={self.controllers}",
                *self.lease_flags)
        for part in self.parts.values():
            part.start()
        return self

    def __exit__(self, *_):
        for part in self.parts.values():
            if part.process is not None and part.process.poll() is None:
                part.stop(signal.SIGKILL)
        for server in self.servers:
            server.stop(signal.SIGKILL)
            server.remove()
        self.etcd.__exit__()

    def keep_running(self):
        """Restarts components that exited because they lost their lease, as a service manager
        does."""
        for part in self.parts.values():
            if part.process.poll() is not None:
                part.start()

    def client(self, first=0, timeout=TIMEOUT_SECONDS):
        return AnyServer(self, first, timeout)

    def holder(self, command, client):
        """Returns the identity of the leader, or None."""
        lease = client.get("/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-" + command)
        return lease and lease["spec"].get("holderIdentity")


class Unanswered(Exception):
    """The outcome of the request is unknown."""


class AnyServer:
    """A client that switches to the other server when one does not answer. For one thread."""

    def __init__(self, fleet, first, timeout):
        self.clients = [Client(server, fleet.credentials.admin, timeout=timeout)
                        for server in fleet.servers]
        self.current = first
        self.broken = 0  # requests without complete answer, or with 5xx

    def once(self, method, path, body=None, content_type="application/json"):
        """Sends one request. Returns status and answer. Raises Unanswered if the outcome is
        unknown; the next request goes to the other server."""
        try:
            status, answer = self.clients[self.current].request(method, path, body, content_type)
        except BROKEN as failure:
            self.turn()
            raise Unanswered(str(failure)) from failure
        if status >= 500 or status == 429:
            self.turn()
            raise Unanswered(f"{status} {answer}")
        return status, answer

    def turn(self):
        self.broken += 1
        self.current = 1 - self.current

    def read(self, path, seconds=60):
        """Retries a read until it is answered."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return self.once("GET", path)
            except Unanswered as failure:
                check(time.monotonic() < deadline, "GET", path, "is not answered:", failure)
                time.sleep(random.uniform(0.05, 0.2))

    def get(self, path):
        status, answer = self.read(path)
        check(status in (200, 404), path, status, answer)
        return answer if status == 200 else None

    def retry(self, method, path, body=None, content_type="application/json", accepts=(200, 201),
              seconds=60):
        """Retries a write that may be applied twice, or that returns 409 or 404 the second time."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                status, answer = self.once(method, path, body, content_type)
                check(status in accepts, method, path, "answered", status, answer)
                return answer
            except Unanswered as failure:
                check(time.monotonic() < deadline, method, path, "is not answered:", failure)
                time.sleep(random.uniform(0.05, 0.2))

    def close(self):
        for client in self.clients:
            client.close()
