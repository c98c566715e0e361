#!/usr/bin/env python3
"""authn_test.py BINARY: checks authentication with OpenID Connect issuers and webhooks on loopback,
and with keys and certificates that are replaced while the server runs."""

import base64
import contextlib
import hashlib
import hmac
import http.client
import json
import pathlib
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import time

from cluster import await_true, check, play
from issuer import OPENSSL, Authority, Issuer, RsaKey, TlsServer, base64url, openssl
from server import Server

WHOAMI = "/apis/authentication.k8s.io/v1/selfsubjectreviews"


class Caller:
    """A client with a persistent connection."""

    def __init__(self, server, token=None, certificate=None, ca=None):
        context = ssl.create_default_context(cadata=ca or authority_of(server))
        context.check_hostname = False
        if certificate:
            context.load_cert_chain(*certificate)
        self.connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=context, timeout=30)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(self, method, path, body=None):
        headers = dict(self.headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(body)
        self.connection.request(method, path, body=body, headers=headers)
        response = self.connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text.startswith(b"{") else text.decode()

    def serial(self):
        """Returns the fingerprint of the server's certificate."""
        if self.connection.sock is None:
            self.connection.connect()
        return hashlib.sha256(self.connection.sock.getpeercert(binary_form=True)).hexdigest()


def authority_of(server):
    text = server.kubeconfig.read_text()
    return base64.b64decode(re.search(r"certificate-authority-data: (\S+)", text).group(1)).decode()


def admin(server):
    text = server.kubeconfig.read_text()
    pair = []
    for name in ("client-certificate-data", "client-key-data"):
        path = server.directory / name
        path.write_bytes(base64.b64decode(re.search(rf"{name}: (\S+)", text).group(1)))
        pair.append(path)
    return Caller(server, certificate=pair)


def who(server, token):
    """Returns the user's name and groups, or the status of a failure."""
    status, answer = Caller(server, token).ask("POST", WHOAMI, {"apiVersion": "authentication.k8s.io/v1",
                                                                "kind": "SelfSubjectReview"})
    if status != 201:
        return status
    user = answer["status"]["userInfo"]
    return user["username"], sorted(set(user.get("groups", [])) - {"system:authenticated"})


@contextlib.contextmanager
def stage():
    """Yields a directory, a certificate authority in it, and a stack for cleanup."""
    with tempfile.TemporaryDirectory(prefix="plimsoll-authn-") as directory, contextlib.ExitStack() as stack:
        yield pathlib.Path(directory), Authority(directory, "others"), stack


def oidc_by_flags(binary):
    """Tokens of an issuer authenticate users; hostile tokens do not; unknown keys do not cause a
    request each."""
    with stage() as (directory, authority, stack):
        issuer = Issuer(authority, directory)
        stack.callback(issuer.close)
        with Server(binary, f"--oidc-issuer-url={issuer.url}", "--oidc-client-id=client",
                    f"--oidc-ca-file={authority.certificate}", "--oidc-groups-claim=groups",
                    store="memory") as server:
            check(who(server, issuer.token(groups=["devs"])) == (f"{issuer.url}#jane", ["devs"]), "a good token")
            hostile_tokens(server, issuer)
            key_rotation(server, issuer)


def hostile_tokens(server, issuer):
    now = int(time.time())
    key = issuer.keys[0]
    good = issuer.token()
    head, claims, signature = good.split(".")
    stranger = RsaKey(issuer.directory, "one", "stranger")  # another key with the same id
    confused = base64url(json.dumps({"alg": "HS256", "kid": "one"})) + "." + claims
    mac = hmac.new(key.public_pem, confused.encode(), hashlib.sha256).digest()
    for name, token in {
            "alg none": base64url('{"alg":"none"}') + "." + claims + ".",
            "alg none with a signature": base64url('{"alg":"none"}') + "." + claims + "." + signature,
            "HS256 with the public key": confused + "." + base64url(mac),
            "no signature": f"{head}.{claims}.",
            "claims of another": f"{head}." + base64url(json.dumps(issuer.claims(sub="root"))) + f".{signature}",
            "a stranger's key": stranger.token(issuer.claims()),
            "wrong audience": issuer.token(aud="other"),
            "no audience": key.token({k: v for k, v in issuer.claims().items() if k != "aud"}),
            "expired": issuer.token(exp=now - 1),
            "no expiry": key.token({k: v for k, v in issuer.claims().items() if k != "exp"}),
            "not yet valid": issuer.token(nbf=now + 3600),
            "another issuer": issuer.token(iss="https://evil.example"),
            "no name": issuer.token(sub=""),
            "a name that is no text": issuer.token(sub={"a": 1}),
            "the administrators' group": issuer.token(groups=["system:masters"]),
            "groups that are no texts": issuer.token(groups=[1]),
            "huge": issuer.token(more="x" * 20000),
            "deep": key.token(issuer.claims()) + "." + "." * 100,
            "nonsense": "..",
    }.items():
        check(who(server, token) == 401, name, "was let in, or not answered with 401:", who(server, token))
    check(who(server, good) == (f"{issuer.url}#jane", []), "the good token is good no more")


def key_rotation(server, issuer):
    before = issuer.fetches()
    caller = Caller(server)
    for number in range(300):
        forged = base64url(json.dumps({"alg": "RS256", "kid": f"k{number}"})) + "." + base64url(
            json.dumps(issuer.claims())) + "." + base64url(b"x" * 256)
        caller.headers = {"Authorization": f"Bearer {forged}"}
        check(caller.ask("GET", "/version")[0] == 401, "a forged token was let in")
    check(issuer.fetches() - before <= 4, "unknown keys made the server ask", issuer.fetches() - before, "times")
    issuer.keys.append(RsaKey(issuer.directory, "two"))
    await_true("the new key", lambda: who(server, issuer.token()) == (f"{issuer.url}#jane", []))


CONFIGURATION = """apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: %(url)s
    certificateAuthority: |
%(ca)s
    audiences: [client, other]
    audienceMatchPolicy: MatchAny
  claimValidationRules:
  - expression: "!has(claims.banned) || !claims.banned"
    message: banned
  claimMappings:
    username: {expression: "'%(prefix)s' + claims.sub"}
    groups: {expression: "claims.?roles.orValue('').split(',')"}
    uid: {claim: sub}
  userValidationRules:
  - expression: "user.groups.all(g, !g.startsWith('system:'))"
    message: reserved
anonymous:
  enabled: true
  conditions: [{path: /livez}]
"""


def oidc_by_configuration(binary):
    """Checks the structured configuration: expressions, anonymous paths, and reload."""
    with stage() as (directory, authority, stack):
        issuer = Issuer(authority, directory)
        stack.callback(issuer.close)
        path = directory / "config.yaml"

        def write(prefix):
            ca = "".join(f"      {line}\n" for line in authority.certificate.read_text().splitlines())
            path.write_text(CONFIGURATION % {"url": issuer.url, "ca": ca, "prefix": prefix})

        write("a:")
        with Server(binary, f"--authentication-config={path}", store="memory") as server:
            check(who(server, issuer.token(roles="x,y")) == ("a:jane", ["x", "y"]), "a good token")
            check(who(server, issuer.token(aud=["other"])) == ("a:jane", []), "the other audience")
            check(who(server, issuer.token(banned=True)) == 401, "a rule over claims")
            check(who(server, issuer.token(roles="system:masters")) == 401, "a rule over users")
            check(Caller(server).ask("GET", "/livez")[0] == 200, "anonymous at /livez")
            check(Caller(server).ask("GET", "/version")[0] == 401, "anonymous elsewhere")
            write("b:")
            await_true("the new configuration", lambda: who(server, issuer.token())[0] == "b:jane")
            path.write_text("nonsense: [")
            server.process.send_signal(signal.SIGHUP)
            await_true("a complaint", lambda: "Cannot reload" in server.log_path.read_text())
            check(who(server, issuer.token()) == ("b:jane", []), "the last good configuration counts")


def kubeconfig_of(directory, authority, url):
    path = directory / f"webhook-{url.rsplit(':', 1)[1]}.kubeconfig"
    path.write_text(json.dumps({
        "kind": "Config", "current-context": "w",
        "clusters": [{"name": "w", "cluster": {"server": url + "/review",
                                               "certificate-authority": str(authority.certificate)}}],
        "users": [{"name": "w", "user": {}}],
        "contexts": [{"name": "w", "context": {"cluster": "w", "user": "w"}}]}))
    return path


def webhooks(binary):
    """Webhooks authenticate and authorize; answers are cached, and an unreachable webhook grants
    nothing."""
    with stage() as (directory, authority, stack):
        def authenticate(_, __, body):
            token = json.loads(body)["spec"]["token"]
            if not token.startswith("good-"):
                return 200, {"status": {"authenticated": False, "error": "unknown"}}
            return 200, {"status": {"authenticated": True, "user": {"username": token[5:], "groups": ["hooked"]}}}

        def authorize(_, __, body):
            spec = json.loads(body)["spec"]
            attributes = spec.get("resourceAttributes", {})
            if attributes.get("resource") == "secrets":
                return 200, {"status": {"allowed": False, "denied": True, "reason": "never secrets"}}
            return 200, {"status": {"allowed": spec["user"] == "jane" and attributes.get("verb") == "list"}}

        tokens = TlsServer(authority, authenticate)
        rights = TlsServer(authority, authorize)
        stack.callback(rights.close)
        with Server(binary, f"--authentication-token-webhook-config-file={kubeconfig_of(directory, authority, tokens.url)}",
                    "--authentication-token-webhook-version=v1", "--authorization-mode=Node,RBAC,Webhook",
                    f"--authorization-webhook-config-file={kubeconfig_of(directory, authority, rights.url)}",
                    "--authorization-webhook-version=v1", store="memory") as server:
            check(who(server, "good-jane") == ("jane", ["hooked"]), "a good token")
            check(who(server, "bad") == 401, "a bad token")
            asked = len(tokens.asked)
            jane = Caller(server, "good-jane")
            for _ in range(20):
                check(jane.ask("GET", "/api/v1/namespaces/default/pods")[0] == 200, "jane may list")
            check(len(tokens.asked) == asked, "the token was asked about again")
            check(sum(b'"pods"' in body for _, _, body in rights.asked) == 1, "the right was asked for again")
            check(jane.ask("DELETE", "/api/v1/namespaces/default/pods/x")[0] == 403, "jane may not delete")
            status, answer = jane.ask("GET", "/api/v1/namespaces/default/secrets")
            check(status == 403 and "never secrets" in answer["message"], "secrets are denied", answer)
            check(Caller(server, "good-joe").ask("GET", "/api/v1/namespaces/default/pods")[0] == 403, "joe may not")
            check(admin(server).ask("GET", "/api/v1/namespaces/default/secrets")[0] == 200, "the administrator may")
            tokens.close()
            check(who(server, "good-new") == 401, "a token that nobody vouches for")
            check(jane.ask("GET", "/api/v1/namespaces/default/pods")[0] == 200, "what is known stays known")


def bootstrap_tokens(binary):
    """Secrets in kube-system are bootstrap tokens if their fields enable it."""
    with Server(binary, "--enable-bootstrap-token-auth", store="memory") as server:
        root = admin(server)
        secret = {"apiVersion": "v1", "kind": "Secret", "type": "bootstrap.kubernetes.io/token",
                  "metadata": {"name": "bootstrap-token-abcdef", "namespace": "kube-system"},
                  "stringData": {"token-id": "abcdef", "token-secret": "0123456789abcdef",
                                 "usage-bootstrap-authentication": "true",
                                 "auth-extra-groups": "system:bootstrappers:nodes"}}
        check(who(server, "abcdef.0123456789abcdef") == 401, "before there is one")
        check(root.ask("POST", "/api/v1/namespaces/kube-system/secrets", secret)[0] == 201, "the Secret")
        check(who(server, "abcdef.0123456789abcdef") == (
            "system:bootstrap:abcdef", ["system:bootstrappers", "system:bootstrappers:nodes"]), "a good token")
        check(who(server, "abcdef.0123456789abcdee") == 401, "another secret")
        check(root.ask("DELETE", "/api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef")[0] == 200, "delete")
        check(who(server, "abcdef.0123456789abcdef") == 401, "after it was deleted")


def account_token(server):
    status, answer = admin(server).ask(
        "POST", "/api/v1/namespaces/default/serviceaccounts/robot/token",
        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 3600}})
    check(status == 201, "no token:", answer)
    return answer["status"]["token"]


def header_of(token):
    head = token.split(".")[0]
    return json.loads(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))


def service_account_keys(binary):
    """Keys rotate while the server runs; other parties verify tokens through the server's discovery
    documents."""
    with stage() as (directory, _, __):
        signing, verifying = directory / "sign.pem", directory / "verify.pem"
        old, new = RsaKey(directory, "old"), RsaKey(directory, "new")
        signing.write_bytes(old.path.read_bytes())
        verifying.write_bytes(old.public_pem)
        with Server(binary, f"--service-account-signing-key-file={signing}", f"--service-account-key-file={verifying}",
                    "--service-account-issuer=https://new.example", "--service-account-issuer=https://old.example",
                    "--service-account-jwks-uri=https://new.example/jwks", store="memory") as server:
            check(admin(server).ask("POST", "/api/v1/namespaces/default/serviceaccounts",
                                    {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "robot"}})[0]
                  == 201, "the account")
            robot = ("system:serviceaccount:default:robot", ["system:serviceaccounts", "system:serviceaccounts:default"])
            first = account_token(server)
            check(who(server, first) == robot, "the first token", who(server, first))
            check(header_of(first)["alg"] == "RS256", "the algorithm")
            check(Caller(server).ask("GET", "/openid/v1/jwks")[0] == 403, "anonymous may not see the keys")
            status, found = Caller(server, first).ask("GET", "/.well-known/openid-configuration")
            check(status == 200 and found == {
                "issuer": "https://new.example", "jwks_uri": "https://new.example/jwks",
                "response_types_supported": ["id_token"], "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"]}, "the discovery document", found)
            status, found = Caller(server, first).ask("GET", "/openid/v1/jwks")
            der = openssl("pkey", "-in", old.path, "-pubout", "-outform", "DER")
            check(status == 200 and found["keys"] == [{**old.jwk(), "kid": base64url(hashlib.sha256(der).digest())}],
                  "the keys", found)
            check(header_of(first)["kid"] == found["keys"][0]["kid"], "the token names its key")

            signing.write_bytes(new.path.read_bytes())
            await_true("the new key signs", lambda: header_of(account_token(server)) != header_of(first))
            second = account_token(server)
            check(who(server, first) == robot and who(server, second) == robot, "both keys verify")
            verifying.write_bytes(new.public_pem)
            await_true("the old key is gone", lambda: who(server, first) == 401)
            check(who(server, second) == robot, "the new key verifies")


def certificates(binary):
    """Certificates are replaced while the server runs, without breaking connections or watches."""
    with stage() as (directory, authority, _):
        pair = authority.issue("tls", "/CN=server", "IP:127.0.0.1")
        clients = Authority(directory, "clients")
        ca = directory / "client-ca.crt"
        ca.write_bytes(clients.certificate.read_bytes())
        trusted = authority.certificate.read_text()
        with Server(binary, f"--tls-cert-file={pair[0]}", f"--tls-private-key-file={pair[1]}",
                    f"--client-ca-file={ca}", store="memory") as server:
            def name_of(certificate):
                caller = Caller(server, certificate=certificate, ca=trusted)
                status, answer = caller.ask("POST", WHOAMI, {"apiVersion": "authentication.k8s.io/v1",
                                                             "kind": "SelfSubjectReview"})
                return answer["status"]["userInfo"]["username"] if status == 201 else status

            jane = clients.issue("jane", "/CN=jane/O=devs")
            check(name_of(jane) == "jane", "a client of the other authority", name_of(jane))
            kept = Caller(server, certificate=jane, ca=trusted)
            check(kept.ask("GET", "/version")[0] == 200, "the first request")
            first = kept.serial()
            watch = subprocess.Popen(["kubectl", "--kubeconfig", server.kubeconfig, "get", "namespaces", "--watch",
                                      "-o", "name"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            check(watch.stdout.readline().startswith("namespace/"), "the watch begins")
            authority.issue("tls", "/CN=server", "IP:127.0.0.1")
            await_true("the new certificate", lambda: Caller(server, ca=trusted).serial() != first)
            check(kept.ask("GET", "/version")[0] == 200 and kept.serial() == first, "the old connection goes on")
            second = Caller(server, ca=trusted).serial()
            pathlib.Path(pair[1]).write_text("nonsense")
            server.process.send_signal(signal.SIGHUP)
            await_true("a complaint", lambda: "Cannot reload" in server.log_path.read_text())
            check(Caller(server, ca=trusted).serial() == second, "the last good certificate is shown")
            authority.issue("tls", "/CN=server", "IP:127.0.0.1")

            others = Authority(directory, "clients2")
            ca.write_bytes(others.certificate.read_bytes())
            joe = others.issue("joe", "/CN=joe")
            await_true("the new client authority", lambda: name_of(joe) == "joe")
            check(name_of(jane) == 401, "a client of the old authority", name_of(jane))
            root = subprocess.run(["kubectl", "--kubeconfig", server.kubeconfig, "create", "namespace", "after"],
                                  capture_output=True, text=True)
            check(root.returncode == 0, "the administrator's kubeconfig:", root.stderr)
            await_true("the watch goes on", lambda: "namespace/after" in watch.stdout.readline())
            check(watch.poll() is None, "the watch has ended")
            watch.kill()
            watch.wait()


def no_anonymous(binary):
    """--anonymous-auth=false rejects requests without credentials."""
    with Server(binary, "--anonymous-auth=false", store="memory") as server:
        check(Caller(server).ask("GET", "/healthz")[0] == 401, "anonymous at /healthz")
        check(admin(server).ask("GET", "/healthz")[0] == 200, "the administrator at /healthz")


if __name__ == "__main__":
    if OPENSSL is None:
        print("there is no openssl")
        sys.exit(77)
    sys.exit(play(sys.argv[1], oidc_by_flags, oidc_by_configuration, webhooks, bootstrap_tokens, service_account_keys,
                  certificates, no_anonymous))
