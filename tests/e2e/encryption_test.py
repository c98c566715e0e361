#!/usr/bin/env python3
"""encryption_test.py BINARY: checks that Secrets are encrypted in the store's files and in etcd,
and that keys can be replaced. A value that cannot be decrypted must affect nothing else."""

import base64
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

import etcd
from server import Server
from wire import administrator

SECRETS = "/api/v1/namespaces/default/secrets"
CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
PLAIN = "correct-horse-battery-staple"
ENCODED = base64.b64encode(PLAIN.encode()).decode()  # as in the object


class Failure(Exception):
    pass


def check(holds, *words):
    if not holds:
        raise Failure(" ".join(str(word) for word in words))


def key(number):
    return base64.b64encode(bytes([number]) * 32).decode()


def write_config(path, *providers):
    """Providers are (kind, key name, key number); the first one encrypts. None is identity."""
    lines = ["apiVersion: apiserver.config.k8s.io/v1", "kind: EncryptionConfiguration", "resources:",
             "- resources: [secrets]", "  providers:"]
    for provider in providers:
        if provider is None:
            lines.append("  - identity: {}")
            continue
        kind, name, number = provider
        lines.append(f"  - {kind}: {{keys: [{{name: {name}, secret: {key(number)}}}]}}")
    path.write_text("\n".join(lines) + "\n")


def create(client, path, kind, name, **content):
    status, made = client.request("POST", path, {
        "apiVersion": "v1", "kind": kind, "metadata": {"name": name}, **content})
    check(status == 201, "POST", name, "answered", status, made)
    return made


def run(binary, *words, code=0):
    done = subprocess.run([binary, *words], capture_output=True, text=True, check=False)
    check(done.returncode == code, words, "ended with", done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def files_with(directory, text):
    return [str(path) for path in pathlib.Path(directory).rglob("*")
            if path.is_file() and text.encode() in path.read_bytes()]


def no_plain_text_in(directory):
    for text in (PLAIN, ENCODED):
        check(not files_with(directory, text), text, "stands in", files_with(directory, text))


def secret_is_there(client, name="s"):
    status, secret = client.request("GET", f"{SECRETS}/{name}")
    check(status == 200 and secret["data"]["password"] == ENCODED, "GET answered", status, secret)
    return secret


def on_files(binary, config):
    """Checks encryption, key rotation, re-encryption of plain text, and a lost key."""
    with Server(binary) as server:
        data = server.directory / "data"
        client = administrator(server)
        create(client, SECRETS, "Secret", "old", data={"password": ENCODED})
        check(files_with(data, ENCODED), "without a configuration it is in plain text")

        write_config(config, ("aescbc", "one", 1), None)
        server.flags.append(f"--encryption-provider-config={config}")
        server.stop()
        said = run(binary, "storage", "rewrite", "--store", f"rocksdb:{data}",
                   "--encryption-provider-config", str(config))
        check("Rewrote" in said, said)
        no_plain_text_in(data)
        server.start()
        client.close()
        secret_is_there(client, "old")
        create(client, SECRETS, "Secret", "s", data={"password": ENCODED})
        create(client, CONFIG_MAPS, "ConfigMap", "c", data={"a": "plain-in-a-config-map"})
        secret_is_there(client)
        no_plain_text_in(data)
        check(files_with(data, "k8s:enc:aescbc:v1:one:"), "no value has upstream's prefix")
        server.stop(signal.SIGKILL)
        no_plain_text_in(data)

        # With a new first key, an update without changes re-encrypts the object.
        write_config(config, ("secretbox", "two", 2), ("aescbc", "one", 1))
        server.start()
        client.close()
        before = secret_is_there(client)
        status, after = client.request("PUT", f"{SECRETS}/s", before)
        check(status == 200 and after["metadata"]["resourceVersion"] !=
              before["metadata"]["resourceVersion"], "a stale value was not rewritten", after)
        status, again = client.request("PUT", f"{SECRETS}/s", after)
        check(status == 200 and again == after, "a fresh value was rewritten", again)
        server.stop()
        check("Rewrote 0 " not in run(binary, "storage", "rewrite", "--store", f"rocksdb:{data}",
                                      "--encryption-provider-config", str(config)), "old stayed old")
        check(not files_with(data, "k8s:enc:aescbc"), "a value of the old key is left")
        write_config(config, ("secretbox", "two", 2))
        server.start()
        client.close()
        secret_is_there(client, "old")
        secret_is_there(client)
        snapshots(binary, server, config)
        lost_key(server, client, config)


def snapshots(binary, server, config):
    """A snapshot contains encrypted values, and a restored store is ahead of all revisions ever
    returned."""
    client = administrator(server)
    _, listed = client.request("GET", SECRETS)
    before = int(listed["metadata"]["resourceVersion"])
    server.stop()
    file = server.directory / "snapshot"
    run(binary, "snapshot", "save", str(file), "--store", f"rocksdb:{server.directory / 'data'}")
    check(b"k8s:enc:secretbox:v1:two:" in file.read_bytes(), "the snapshot has no encrypted value")
    check(ENCODED.encode() not in file.read_bytes(), "the snapshot has plain text")
    with_restored = Server(binary, f"--encryption-provider-config={config}")
    try:
        run(binary, "snapshot", "restore", str(file), "--store",
            f"rocksdb:{with_restored.directory / 'data'}")
        with_restored.start()
        restored = administrator(with_restored)
        secret_is_there(restored)
        _, listed = restored.request("GET", SECRETS)
        after = int(listed["metadata"]["resourceVersion"])
        check(after > before + 900_000_000, "the revision is", after, "after", before)
        check(all(int(one["metadata"]["resourceVersion"]) > before for one in listed["items"]),
              "an object has a revision of before")
        for query in ("watch=true&", "limit=1&resourceVersionMatch=Exact&"):
            response = restored.open("GET", f"{SECRETS}?{query}resourceVersion={before}")
            text = response.read(600) if response.status != 200 else response.readline()
            check(response.status == 410 or b'"code":410' in text, query, response.status, text)
            restored.close()
    finally:
        with_restored.stop(signal.SIGKILL)
        with_restored.remove()
    wrong = server.directory / "wrong"
    said = run(binary, "snapshot", "save", str(file), "--store", f"rocksdb:{wrong}", code=1)
    check("there is no store in" in said and not wrong.exists(), said)
    server.start()


def lost_key(server, client, config):
    """The Secret cannot be read, but everything else can."""
    server.stop()
    write_config(config, ("aesgcm", "three", 3))
    server.start()
    client.close()
    for path in (f"{SECRETS}/s", SECRETS, "/api/v1/secrets"):
        status, answer = client.request("GET", path)
        check(status == 500 and "unable to transform key \"/registry/secrets/default/" in
              answer["message"] and "no matching prefix found" in answer["message"],
              path, "answered", status, answer)
    status, answer = client.request("GET", "/api/v1/namespaces/kube-system/secrets")
    check(status == 200, "another namespace answered", status, answer)
    status, answer = client.request("GET", f"{CONFIG_MAPS}/c")
    check(status == 200 and answer["data"]["a"] == "plain-in-a-config-map", status, answer)
    create(client, SECRETS, "Secret", "new", data={"password": ENCODED})
    secret_is_there(client, "new")
    status, answer = client.request("POST", SECRETS, {
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}})
    check(status == 500, "a create over it answered", status, answer)
    check(client.request("GET", "/readyz")[0] == 200, "not ready")
    # When the key is back, the Secret can be read again.
    server.stop()
    write_config(config, ("aesgcm", "three", 3), ("secretbox", "two", 2))
    server.start()
    client.close()
    secret_is_there(client)
    secret_is_there(client, "new")


def on_etcd(binary, config):
    """Same in etcd, re-encrypted while a server runs."""
    write_config(config, ("aesgcm", "one", 1), None)
    with etcd.Etcd() as store, Server(binary, f"--etcd-servers={store.url}",
                                      f"--encryption-provider-config={config}") as server:
        client = administrator(server)
        create(client, SECRETS, "Secret", "s", data={"password": ENCODED})
        secret_is_there(client)

        def stored():
            return subprocess.run(
                ["etcdctl", "--endpoints", store.url, "get", "/registry/secrets/default/s"],
                capture_output=True, check=True, env={**os.environ, "ETCDCTL_API": "3"}).stdout
        check(b"\nk8s:enc:aesgcm:v1:one:" in stored(), "etcd holds", stored()[:80])
        no_plain_text_in(store.directory)
        server.stop()
        write_config(config, ("aescbc", "two", 2), ("aesgcm", "one", 1))
        server.start()
        client.close()
        said = run(binary, "storage", "rewrite", "--store", f"etcd:{store.url}",
                   "--encryption-provider-config", str(config))
        check(said.startswith("Rewrote 1 of 1 "), said)
        check(b"\nk8s:enc:aescbc:v1:two:" in stored(), "etcd holds", stored()[:80])
        secret_is_there(client)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    binary = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="plimsoll-encryption-") as directory:
        config = pathlib.Path(directory) / "encryption.yaml"
        try:
            on_files(binary, config)
            if etcd.is_installed():
                on_etcd(binary, config)
        except Failure as failure:
            print(f"encryption_test: {failure}", file=sys.stderr)
            return 1
    print("encryption_test: Secrets are encrypted on RocksDB" +
          (" and etcd" if etcd.is_installed() else "") + ", keys can be replaced")
    return 0


if __name__ == "__main__":
    sys.exit(main())
