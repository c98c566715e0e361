#!/usr/bin/env python3
"""storage_test.py BINARY: checks the RocksDB store from an operator's view: a start with a missing
log fails, data loss can be accepted, a full store accepts only deletions, and checksums are
verified in the background."""

import base64
import os
import subprocess
import sys
import time

from server import Server
from wire import administrator

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
EXCEEDED = "etcdserver: mvcc: database space exceeded"


class Failure(Exception):
    pass


def check(holds, *words):
    if not holds:
        raise Failure(" ".join(str(word) for word in words))


def create(client, name, data):
    return client.request("POST", CONFIG_MAPS, {
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data})


def metric(client, name):
    text = client.request("GET", "/metrics")[1].decode()
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith(name + " "))


def await_true(what, question, seconds=60):
    deadline = time.monotonic() + seconds
    while not question():
        check(time.monotonic() < deadline, "waited in vain until", what)
        time.sleep(0.1)


def start_fails(server):
    """Returns the error of a server that does not start."""
    done = subprocess.run(
        [server.binary, "apiserver", "--data-dir", str(server.directory / "data"), "--secure-port=0",
         *server.flags], capture_output=True, text=True, check=False, timeout=60)
    check(done.returncode == 1, "it ended with", done.returncode, done.stderr)
    return done.stderr


def losses(binary):
    with Server(binary) as server:
        client = administrator(server)
        for i in range(20):
            status, answer = create(client, f"c{i}", {"a": "x" * 1000})
            check(status == 201, status, answer)
        before = int(answer["metadata"]["resourceVersion"])
        server.stop()
        store = server.directory / "data" / "store"
        logs = sorted(store.glob("*.log"))
        whole = logs[-1].read_bytes()
        logs[-1].write_bytes(whole[:-2500])
        said = start_fails(server)
        check("has lost acknowledged changes" in said and "--accept-data-loss" in said, said)
        check(logs[-1].read_bytes() == whole[:-2500], "a refusal has changed the log")
        logs[-1].unlink()
        check("has lost acknowledged changes" in start_fails(server), "a missing log was not seen")
        logs[-1].write_bytes(whole)
        server.start()
        client.close()
        check(client.request("GET", f"{CONFIG_MAPS}/c19")[0] == 200, "what was put back is not there")
        server.stop()

        # Without any log, the high-water mark still keeps revisions from going back.
        for path in store.glob("*.log"):
            path.unlink()
        server.flags.append("--accept-data-loss")
        server.start()
        client.close()
        status, made = create(client, "after", {})
        check(status == 201 and int(made["metadata"]["resourceVersion"]) >= before, status, made)
        server.stop()
        for path in store.glob("*.log"):
            path.unlink()
        server.flags.remove("--accept-data-loss")
        check("has lost acknowledged changes" in start_fails(server), "the last change is gone")
        server.flags.append("--accept-data-loss")
        server.start()
        client.close()
        _, listed = client.request("GET", CONFIG_MAPS)
        check(int(listed["metadata"]["resourceVersion"]) > before + 900_000_000,
              "the revision is", listed["metadata"]["resourceVersion"], "after", before)
        check("Accepted the loss" in server.log_path.read_text(), "the log says nothing")


def quota(binary):
    with Server(binary, "--quota-backend-bytes=4000000", "--scrub-interval=1s") as server:
        client = administrator(server)
        filling = base64.b64encode(os.urandom(300_000)).decode()
        made = []
        for i in range(40):
            status, answer = create(client, f"big{i}", {"a": filling})
            if status != 201:
                break
            made.append(f"big{i}")
        check(status == 500 and answer["message"] == EXCEEDED, "the write answered", status, answer)
        check(made, "not even one was taken")
        check(client.request("GET", f"{CONFIG_MAPS}/{made[0]}")[0] == 200, "reads do not go on")
        check(metric(client, "plimsoll_store_quota_exceeded") == 1, "the metric says otherwise")
        status, text = client.request("GET", "/readyz?verbose")
        check(status == 500 and b"[-]storage-quota failed" in text, "/readyz answered", status, text)
        check(client.request("GET", "/livez")[0] == 200, "it does not live")
        for name in made:
            status, answer = client.request("DELETE", f"{CONFIG_MAPS}/{name}")
            check(status == 200, "a deletion answered", status, answer)
        await_true("a scrub has finished",
                   lambda: metric(client, "plimsoll_store_scrub_last_finished_timestamp_seconds") > 0)
        check(metric(client, "plimsoll_store_scrub_corruptions_total") == 0, "corruptions")
        server.stop()
        server.flags[:] = [flag for flag in server.flags if "quota" not in flag]
        server.start()
        client.close()
        check(create(client, "again", {"a": filling})[0] == 201, "a larger quota does not help")


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    binary = os.path.abspath(sys.argv[1])
    try:
        losses(binary)
        quota(binary)
    except Failure as failure:
        print(f"storage_test: {failure}", file=sys.stderr)
        return 1
    print("storage_test: losses are refused, a full store takes deletions, checksums are verified")
    return 0


if __name__ == "__main__":
    sys.exit(main())
