"""Plain HTTPS to the API server, as the administrator of its kubeconfig."""

import base64
import http.client
import json
import re
import ssl


class Https:
    """One connection, kept alive; use it from one thread."""

    def __init__(self, server):
        text = server.kubeconfig.read_text()
        self.context = ssl.create_default_context(
            cadata=self._blob(text, "certificate-authority-data").decode())
        # The ssl module reads client certificates from files alone.
        pair = server.directory / "client.pem"
        pair.touch(mode=0o600)
        pair.write_bytes(self._blob(text, "client-certificate-data")
                         + b"\n" + self._blob(text, "client-key-data"))
        self.context.load_cert_chain(pair)
        self.connection = http.client.HTTPSConnection("127.0.0.1", server.port, timeout=20,
                                                      context=self.context)

    @staticmethod
    def _blob(text, key):
        return base64.b64decode(re.search(rf"{key}: *(\S+)", text).group(1))

    def call(self, method, path, body=None):
        """The HTTP code and the JSON that came with it."""
        data = None if body is None else json.dumps(body).encode()
        self.connection.request(method, path, data, {"Content-Type": "application/json",
                                                     "Accept": "application/json"})
        answer = self.connection.getresponse()
        return answer.status, json.loads(answer.read())

    def close(self):
        self.connection.close()
