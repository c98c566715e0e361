"""Talks to a Server with HTTP and with raw bytes, with and without the administrator's
certificate."""

import base64
import http.client
import json
import re
import socket
import ssl
import time

TIMEOUT_SECONDS = 30
IDLE_SECONDS_MAX = 90  # the server may close a connection that is idle for longer
# Exceptions that end a request early: its outcome is unknown.
BROKEN = (OSError, http.client.HTTPException, json.JSONDecodeError)


class Credentials:
    """The contents of a server's kubeconfig, read once: they stay valid across restarts."""

    def __init__(self, server):
        text = server.kubeconfig.read_text()
        paths = {}
        for key in ("certificate-authority", "client-certificate", "client-key"):
            encoded = re.search(rf"\b{key}-data: (\S+)", text).group(1)
            paths[key] = server.directory / key
            paths[key].write_bytes(base64.b64decode(encoded))
        self.stranger = ssl.create_default_context(cafile=paths["certificate-authority"])
        self.admin = ssl.create_default_context(cafile=paths["certificate-authority"])
        self.admin.load_cert_chain(paths["client-certificate"], paths["client-key"])


class Client:
    """One connection, reopened when it breaks. For one thread."""

    def __init__(self, server, context, headers=None, timeout=TIMEOUT_SECONDS):
        self.server = server
        self.timeout = timeout
        self.context = context
        self.headers = headers or {}
        self.connection = None
        self.used_at = 0

    def request(self, method, path, body=None, content_type="application/json"):
        """Returns the status and the body: decoded if it is JSON, else bytes."""
        response = self.open(method, path, body, content_type)
        try:
            text = response.read()
        except BROKEN:
            self.close()
            raise
        if response.will_close:
            self.close()
        if "json" in response.headers.get("Content-Type", ""):
            return response.status, json.loads(text)
        return response.status, text

    def open(self, method, path, body=None, content_type="application/json"):
        """Returns the response with its body unread."""
        headers = dict(self.headers)
        if body is not None:
            headers["Content-Type"] = content_type
            if not isinstance(body, (bytes, str)):
                body = json.dumps(body)
        if time.monotonic() - self.used_at > IDLE_SECONDS_MAX:
            self.close()
        self.used_at = time.monotonic()
        try:
            if self.connection is None:
                self.connection = http.client.HTTPSConnection(
                    self.server.host, self.server.port, context=self.context, timeout=self.timeout)
            self.connection.request(method, path, body, headers)
            return self.connection.getresponse()
        except BROKEN:
            self.close()
            raise

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def administrator(server):
    """Returns a client with all rights."""
    return Client(server, Credentials(server).admin)


def dial(server, context, timeout=TIMEOUT_SECONDS):
    """Returns a TLS socket for raw bytes."""
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=timeout)
    return context.wrap_socket(raw, server_hostname="127.0.0.1")


def read_all(connection, most=1 << 20):
    """Returns everything received until the other side closes the connection or a timeout."""
    data = b""
    try:
        while len(data) < most:
            part = connection.recv(65536)
            if not part:
                break
            data += part
    except OSError:
        pass
    return data
