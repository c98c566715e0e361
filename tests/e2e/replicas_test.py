#!/usr/bin/env python3
"""replicas_test.py BINARY: checks two API servers on one etcd with clients that use either of them.
Lists show what the other server has just acknowledged; pages and watches continue at the other. One
server is killed, and etcd is restarted."""

import json
import shutil
import signal
import subprocess
import sys
import threading

import etcd
from cluster import Cluster, Failure, Scenes, check
from server import Server, kubectls
from wire import BROKEN, Client, Credentials

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"


class Replicas:
    """Two servers with the same certificate authority, with a client and kubectl for each."""

    def __init__(self, binary, store):
        self.store = store
        self.servers = [Server(binary, f"--etcd-servers={store.url}") for _ in range(2)]
        self.servers[0].start()
        (self.servers[1].directory / "data").mkdir()
        shutil.copytree(self.servers[0].directory / "data" / "pki",
                        self.servers[1].directory / "data" / "pki")
        self.servers[1].start()
        self.one, self.two = (Cluster(server) for server in self.servers)

    def close(self):
        for server in self.servers:
            server.stop(signal.SIGKILL)
            server.remove()


def create(cluster, name, **data):
    status, thing = cluster.client.request("POST", CONFIG_MAPS, {
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data})
    check(status == 201, name, status, thing)
    return thing


def names(listed):
    return [item["metadata"]["name"] for item in listed["items"]]


def reads_see_what_the_other_acknowledged(replicas):
    # So large that the watch event arrives later than the writer's answer.
    filling = "x" * 900_000
    for i in range(40):
        writer, reader = (replicas.one, replicas.two)[::1 if i % 2 else -1]
        made = create(writer, f"fresh-{i}", filling=filling)
        check(reader.get(f"{CONFIG_MAPS}/fresh-{i}") == made, "a get is older than a write")
        listed = reader.get(CONFIG_MAPS)
        check(f"fresh-{i}" in names(listed), "a list is older than a write")
        check(int(listed["metadata"]["resourceVersion"]) >=
              int(made["metadata"]["resourceVersion"]), "a list says that it is older")
        status, answer = reader.client.request("DELETE", f"{CONFIG_MAPS}/fresh-{i}")
        check(status == 200, status, answer)
        check(f"fresh-{i}" not in names(writer.get(CONFIG_MAPS)), "a list shows what is deleted")


def a_stale_write_is_refused_by_both(replicas):
    old = create(replicas.one, "shared", value="1")
    new = dict(old, data={"value": "2"})
    status, _ = replicas.two.client.request("PUT", f"{CONFIG_MAPS}/shared", new)
    check(status == 200, status)
    status, answer = replicas.one.client.request("PUT", f"{CONFIG_MAPS}/shared", new)
    check(status == 409, status, answer)


def pages_go_on_at_the_other(replicas):
    for i in range(25):
        create(replicas.one, f"page-{i:02}")
    seen = []
    token, revision = "", None
    servers = [replicas.one, replicas.two]
    while True:
        page = servers[0].get(f"{CONFIG_MAPS}?limit=10&continue={token}")
        servers.reverse()
        create(servers[0], f"between-{len(seen)}")
        revision = revision or page["metadata"]["resourceVersion"]
        check(page["metadata"]["resourceVersion"] == revision, "the pages are of two revisions")
        seen += names(page)
        token = page["metadata"].get("continue")
        if not token:
            break
    whole = servers[0].get(f"{CONFIG_MAPS}?resourceVersion={revision}&resourceVersionMatch=Exact")
    check(seen == names(whole), "the pages are not the list:", seen)


def a_watch_goes_on_at_the_other(replicas):
    revision = replicas.one.get(CONFIG_MAPS)["metadata"]["resourceVersion"]
    made = []
    writers = [threading.Thread(target=lambda c=cluster, n=name: made.extend(
        create(c, f"watched-{n}-{i}")["metadata"]["resourceVersion"] for i in range(30)))
        for name, cluster in (("a", Cluster(replicas.servers[0])),
                              ("b", Cluster(replicas.servers[1])))]
    for writer in writers:
        writer.start()
    told = []
    servers = list(replicas.servers)
    while len(told) < 60:
        cluster = Cluster(servers[0])
        servers.reverse()
        stream = cluster.client.open("GET", f"{CONFIG_MAPS}?watch=true&resourceVersion={revision}")
        check(stream.status == 200, stream.status)
        for _ in range(min(7, 60 - len(told))):
            event = json.loads(stream.readline())
            check(event["type"] == "ADDED", event)
            revision = event["object"]["metadata"]["resourceVersion"]
            told.append(revision)
        cluster.client.close()
    for writer in writers:
        writer.join()
    check(told == sorted(made, key=int), "the watch told", told, "and made was", made)


def an_address_is_given_once(replicas):
    """Both servers get concurrent requests for the same address or port."""
    services = "/api/v1/namespaces/default/services"
    clients = [Client(server, Credentials(server).admin) for server in replicas.servers]
    together = threading.Barrier(2)
    made = [[], []]

    def ask(number):
        for i in range(40):
            spec = {"ports": [{"port": 80}], "clusterIP": f"10.100.0.{i + 1}"}
            if i % 2:
                spec = {"ports": [{"port": 80, "nodePort": 30100 + i}], "type": "NodePort"}
            together.wait()
            status, answer = clients[number].request("POST", services, {
                "apiVersion": "v1", "kind": "Service", "spec": spec,
                "metadata": {"name": f"service-{i}-{number}"}})
            is_refused = status == 422 and "already allocated" in answer["message"]
            made[number].append(answer if status == 201 else None)
            if status != 201 and not is_refused:
                made[number][-1] = Failure(f"{status} {answer}")
    askers = [threading.Thread(target=ask, args=(number,)) for number in range(2)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    for one, two in zip(*made):
        check(not isinstance(one, Failure) and not isinstance(two, Failure), one, two)
        check((one is None) + (two is None) <= 1, "nobody got what was free")
    items = replicas.one.get(services)["items"]
    addresses = [item["spec"]["clusterIP"] for item in items]
    ports = [port["nodePort"] for item in items for port in item["spec"]["ports"] if "nodePort" in port]
    check(len(set(addresses)) == len(addresses), "an address was given twice:", sorted(addresses))
    check(len(set(ports)) == len(ports), "a port was given twice:", sorted(ports))
    check(len(ports) == 20, "ports:", sorted(ports))


def kubectl_sees_one_cluster(replicas):
    for version, path in kubectls().items():
        replicas.one.kubectl_path = replicas.two.kubectl_path = path
        name = "kubectl-" + version.replace(".", "-")
        replicas.one.kubectl("create", "configmap", name, "--from-literal=a=1")
        check(name in replicas.two.kubectl("get", "configmap", name), version)
        replicas.two.kubectl("delete", "configmap", name)
        check(name not in replicas.one.kubectl("get", "configmaps"), version)


def snapshots_and_migrations_hold_everything(replicas):
    def counted(*words):
        done = subprocess.run([replicas.servers[0].binary, *words], capture_output=True, text=True,
                              check=False)
        check(done.returncode == 0, *words, done.stderr)
        return int(done.stdout.split()[1])
    directory = replicas.servers[0].directory
    rocks = f"rocksdb:{directory}/restored"
    saved = counted("snapshot", "save", f"{directory}/snapshot", "--store",
                    f"etcd:{replicas.store.url}")
    restored = counted("snapshot", "restore", f"{directory}/snapshot", "--store", rocks)
    moved = counted("migrate", "--from", rocks, "--to", f"etcd:{replicas.store.url}",
                    "--etcd-prefix=/elsewhere")
    back = counted("migrate", "--from", f"etcd:{replicas.store.url}", "--to",
                   f"rocksdb:{directory}/back", "--etcd-prefix=/elsewhere")
    check(saved == restored == moved == back, saved, restored, moved, back)
    check(saved > len(replicas.one.get(CONFIG_MAPS)["items"]), saved)


def one_dies_and_the_other_serves(replicas):
    replicas.servers[0].stop(signal.SIGKILL)
    create(replicas.two, "alone")
    replicas.servers[0].start()
    replicas.one.client.close()
    check("alone" in names(replicas.one.get(CONFIG_MAPS)), "it came back and is behind")


def etcd_dies_and_comes_back(replicas):
    before = names(replicas.one.get(CONFIG_MAPS))
    replicas.store.kill()
    status, answer = replicas.one.client.request("POST", CONFIG_MAPS, {
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "nobody-knows"}})
    check(status >= 500, "a write without etcd:", status, answer)
    replicas.store.start()

    def listed():
        try:
            status, answer = replicas.two.client.request("GET", CONFIG_MAPS)
        except BROKEN:
            return None
        return answer if status == 200 else None

    after = names(replicas.two.await_true("a list after etcd came back", listed, seconds=60))
    check(set(before) <= set(after) <= set(before) | {"nobody-knows"}, before, after)
    create(replicas.two, "after")
    check("after" in names(replicas.one.get(CONFIG_MAPS)), "a list is older than a write")


def main():
    if not etcd.is_installed():
        print("there is no etcd")
        return 77
    scenes = Scenes()
    with etcd.Etcd() as store:
        replicas = Replicas(sys.argv[1], store)
        try:
            scenes.run(replicas, reads_see_what_the_other_acknowledged,
                       a_stale_write_is_refused_by_both, pages_go_on_at_the_other,
                       a_watch_goes_on_at_the_other, an_address_is_given_once,
                       kubectl_sees_one_cluster,
                       snapshots_and_migrations_hold_everything, one_dies_and_the_other_serves,
                       etcd_dies_and_comes_back)
        finally:
            replicas.close()
    return scenes.outcome()


if __name__ == "__main__":
    sys.exit(main())
