"""Third parties on loopback, with keys, certificates and tokens: an OpenID Connect issuer and a
webhook. Everything is made with the openssl program."""

import base64
import http.server
import json
import pathlib
import shutil
import ssl
import subprocess
import threading
import time

OPENSSL = shutil.which("openssl")


def openssl(*words, data=None):
    return subprocess.run([OPENSSL, *map(str, words)], input=data, check=True, capture_output=True).stdout


def base64url(data):
    if isinstance(data, str):
        data = data.encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Authority:
    """A certificate authority for servers and clients."""

    def __init__(self, directory, name):
        self.directory = pathlib.Path(directory)
        self.name = name
        self.key = self.directory / f"{name}.key"
        self.certificate = self.directory / f"{name}.crt"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", f"/CN={name}", "-keyout", self.key, "-out", self.certificate)

    def issue(self, stem, subject, san=None):
        """Writes STEM.crt and STEM.key."""
        stem = self.directory / stem
        extension = self.directory / f"{stem.name}.ext"
        extension.write_text(f"subjectAltName={san}\nextendedKeyUsage=serverAuth\n" if san
                             else "extendedKeyUsage=clientAuth\n")
        request = openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                          "-subj", subject, "-keyout", f"{stem}.new.key")
        certificate = openssl("x509", "-req", "-days", "1", "-CA", self.certificate, "-CAkey", self.key,
                              "-CAcreateserial", "-extfile", extension, data=request)
        pathlib.Path(f"{stem}.new.key").replace(f"{stem}.key")
        pathlib.Path(f"{stem}.crt").write_bytes(certificate)
        return f"{stem}.crt", f"{stem}.key"


class RsaKey:
    def __init__(self, directory, kid, file=None):
        self.kid = kid
        self.path = pathlib.Path(directory) / f"rsa-{file or kid}.pem"
        openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", self.path)
        self.public_pem = openssl("pkey", "-in", self.path, "-pubout")

    def jwk(self):
        modulus = openssl("rsa", "-in", self.path, "-noout", "-modulus").decode().strip().split("=")[1]
        return {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.kid, "n": base64url(bytes.fromhex(modulus)),
                "e": "AQAB"}

    def token(self, claims, **header):
        head = {"alg": "RS256", "kid": self.kid, **header}
        text = base64url(json.dumps(head)) + "." + base64url(json.dumps(claims))
        signature = openssl("dgst", "-sha256", "-sign", self.path, data=text.encode())
        return text + "." + base64url(signature)


class TlsServer:
    """Answers each request with the status and JSON of `answer(method, path, body)`, and records
    it."""

    def __init__(self, authority, answer):
        self.asked = []
        self.is_closed = False
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def reply(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if owner.is_closed:  # a connection that the client kept open
                    self.close_connection = True
                    return
                owner.asked.append((self.command, self.path, body))
                status, value = answer(self.command, self.path, body)
                data = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = reply

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.url = f"https://127.0.0.1:{self.port}"
        certificate, key = authority.issue(f"server-{self.port}", "/CN=server", "IP:127.0.0.1")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.is_closed = True
        self.server.shutdown()
        self.server.server_close()


class Issuer(TlsServer):
    """An OpenID Connect issuer."""

    def __init__(self, authority, directory):
        self.directory = directory
        self.keys = [RsaKey(directory, "one")]
        super().__init__(authority, self.answer)

    def answer(self, _, path, __):
        if path == "/.well-known/openid-configuration":
            return 200, {"issuer": self.url, "jwks_uri": self.url + "/keys"}
        if path == "/keys":
            return 200, {"keys": [key.jwk() for key in self.keys]}
        return 404, {}

    def claims(self, **more):
        now = int(time.time())
        return {"iss": self.url, "aud": "client", "sub": "jane", "iat": now, "exp": now + 600, **more}

    def token(self, **more):
        return self.keys[-1].token(self.claims(**more))

    def fetches(self):
        return sum(path == "/keys" for _, path, _ in self.asked)
