"""A stock Kubernetes API server: ours with the gates of our extensions off, behind a proxy that
reports another version and hides resources that such a server lacks."""

import http.client
import http.server
import json
import pathlib
import shutil
import tempfile
import threading

from server import Server
from wire import Credentials

OFF = ",".join(f"{gate}=false" for gate in (
    "TaintTolerationComparisonOperators", "TaintTolerationNodeAffinitySemverComparisonOperators",
    "TaintTolerationCEL"))
VERSION = "v1.34.1"
# Resources that Kubernetes 1.34 does not serve in these versions.
GROUP = "/apis/resource.k8s.io"
HIDDEN = (f"{GROUP}/v1/devicetaintrules", f"{GROUP}/v1beta2/devicetaintrules")
HIDDEN_VERSIONS = (f"{GROUP}/v1", f"{GROUP}/v1beta2")
# Fields of DeviceTaintSelector and DeviceTaint that Kubernetes 1.35 does not have.
UNKNOWN_FIELDS = ("deviceClassName", "selectors", "evictionsPerSecond", "description", "data")
PROGRESS_ERROR = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 500, "reason": "InternalError",
                  "message": "etcd does not support RequestWatchProgress"}
HOP_BY_HOP = ("connection", "transfer-encoding", "content-length", "keep-alive")


class Proxy(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # clients that hang up


class StockServer:
    """The server, a kubeconfig for the proxy before it, and the requests to the proxy. Use it with
    `with`."""

    def __init__(self, binary, *flags):
        self.server = Server(binary, f"--feature-gates={OFF}", *flags, store="memory")
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="plimsoll-stock-"))
        self.kubeconfig = self.directory / "kubeconfig"
        self.prefix = []
        self.proxy = None
        self.thread = None

    def __enter__(self):
        self.server.start()
        self.proxy = Proxy(("127.0.0.1", 0), handler_of(self.server))
        self.thread = threading.Thread(target=self.proxy.serve_forever, daemon=True)
        self.thread.start()
        self.kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {
                "server": f"http://127.0.0.1:{self.proxy.server_port}"}}],
            "users": [{"name": "c", "user": {}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]}), encoding="utf-8")
        return self

    def __exit__(self, *_):
        self.proxy.shutdown()
        self.thread.join()
        self.proxy.server_close()
        self.server.stop()
        self.server.remove()
        shutil.rmtree(self.directory, ignore_errors=True)


def without_unknown(rule):
    """Returns the rule as such a server reads it, and the fields that it does not know."""
    unknown = []
    for part in ("deviceSelector", "taint"):
        fields = rule.get("spec", {}).get(part, {})
        for field in UNKNOWN_FIELDS:
            if fields.pop(field, None) is not None:
                unknown.append(f'unknown field "spec.{part}.{field}"')
    return rule, unknown


def without_rules(resources):
    resources["resources"] = [one for one in resources["resources"]
                              if not one["name"].startswith("devicetaintrules")]
    return json.dumps(resources).encode()


def without_unknown_schemas(document):
    for name, schema in document["components"]["schemas"].items():
        if name.endswith((".DeviceTaint", ".DeviceTaintSelector")):
            for field in UNKNOWN_FIELDS:
                schema["properties"].pop(field, None)
    return json.dumps(document).encode()


def handler_of(server):
    """Forwards requests as the administrator; answers those itself that a stock server answers
    differently."""
    context = Credentials(server).admin

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_):
            pass

        def forward(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.path.startswith(HIDDEN):
                return self.answer(404, {"Content-Type": "text/plain"}, b"404 page not found\n")
            if "sendInitialEvents=true" in self.path:
                event = json.dumps({"type": "ERROR", "object": PROGRESS_ERROR}) + "\n"
                return self.answer(200, {"Content-Type": "application/json"}, event.encode())
            if "/devicetaintrules" in self.path and self.command in ("POST", "PUT", "PATCH"):
                body, unknown = without_unknown(json.loads(body))
                if unknown and "fieldValidation=Strict" in self.path:
                    return self.answer(400, {"Content-Type": "application/json"}, json.dumps({
                        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 400,
                        "reason": "BadRequest", "message": f"strict decoding error: {unknown}"}).encode())
                body = json.dumps(body).encode()
            upstream = http.client.HTTPSConnection("127.0.0.1", server.port, context=context)
            try:
                headers = {k: v for k, v in self.headers.items()
                           if k.lower() not in ("host", *HOP_BY_HOP)}
                upstream.request(self.command, self.path, body or None, headers)
                response = upstream.getresponse()
                headers = {k: v for k, v in response.getheaders() if k.lower() not in HOP_BY_HOP}
                if "watch=true" in self.path and response.status == 200:
                    return self.stream(response, headers)
                text = response.read()
                if self.path == "/version":
                    text = json.dumps({**json.loads(text), "gitVersion": VERSION}).encode()
                elif self.path in HIDDEN_VERSIONS:
                    text = without_rules(json.loads(text))
                elif self.path.startswith(f"/openapi/v3{GROUP}/"):
                    text = without_unknown_schemas(json.loads(text))
                return self.answer(response.status, headers, text)
            finally:
                upstream.close()

        def answer(self, status, headers, text):
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def stream(self, response, headers):
            self.send_response(200)
            for key, value in headers.items():
                self.send_header(key, value)
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                while part := response.read1(65536):
                    self.wfile.write(b"%x\r\n%b\r\n" % (len(part), part))
                    self.wfile.flush()
                self.wfile.write(b"0\r\n\r\n")
            except (OSError, http.client.HTTPException):
                self.close_connection = True

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = forward

    return Handler
