#!/usr/bin/env python3
"""three_machines_test.py PACKAGES SCRATCH: follows docs/operations.md, with the commands and units
of the page itself, on three clean Debian 12 machines on one bridge. It installs the package,
schedules and evicts pods, kills one machine, and restores a backup. Needs root and a network for
installation; exits with 77 without root."""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

from machine import (PACKAGE, Machine, await_true, check, clean_root, exit_with, fetch_dependencies, newest_package,
                     play, run)

ADDRESSES = ("10.0.0.1", "10.0.0.2", "10.0.0.3")
BRIDGE = "plimsoll0"
PAGE = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/operations.md"
UNITS = ("plimsoll-etcd", "plimsoll-apiserver", "plimsoll-scheduler", "plimsoll-controller-manager")
KUBECONFIG = "var/lib/plimsoll/admin.kubeconfig"
INSIDE = "PLIMSOLL_TEST_NETWORK"
RISK = "risk"


class Page:
    """The page docs/operations.md: units to copy and commands to run."""

    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")

    def unit(self, name):
        found = re.search(rf"`/etc/systemd/system/{name}\.service`.*?```ini\n(.*?)```", self.text, re.S)
        check(found, "the page has no unit", name)
        return found.group(1)

    def lines(self, first):
        """Returns the commands of the block that begins with this one, without prompts and
        output."""
        found = re.search(rf"```console\n([$#] {re.escape(first)}.*?)```", self.text, re.S)
        check(found, "no lines of the page begin with", first)
        said = [line for line in found.group(1).splitlines() if re.match(r"[$#] | ", line)]
        return "\n".join(line[2:] for line in said)


class Trio:
    """The three machines, as an operator uses them."""

    def __init__(self, machines):
        self.machines = machines
        self.page = Page(PAGE)

    def on(self, number, first):
        """Runs the page's block that begins with this line as root, with the machine's own address
        instead of the first one's."""
        text = self.page.lines(first)
        own = re.sub(rf"^m={ADDRESSES[0]}$", f"m={ADDRESSES[number]}", text, flags=re.M)
        return self.machines[number].run("bash", "-ec", f"cd /root\n{own}").stdout

    def on_all(self, first):
        with concurrent.futures.ThreadPoolExecutor(len(self.machines)) as pool:
            return list(pool.map(lambda number: self.on(number, first), range(len(self.machines))))

    def kubectl(self, number, *words, check_it=True):
        return self.machines[number].kubectl(*words, kubeconfig=KUBECONFIG, check=check_it)

    def healthy_members(self):
        said = self.machines[0].run("bash", "-c", "cd /root\n" + self.page.lines("export ETCDCTL_API"), check=False)
        return len(re.findall("is healthy", said.stdout + said.stderr))

    def holder(self, number, lease):
        return self.kubectl(number, "get", "lease", lease, "--namespace=kube-system", "--output",
                            "jsonpath={.spec.holderIdentity}", check_it=False)


def post(machine, path, thing, *flags, **options):
    """Creates an object at a path with any version of kubectl."""
    file = machine.root / "root/thing.json"
    file.write_text(json.dumps(thing), encoding="utf-8")
    return json.loads(machine.kubectl("create", f"--raw={path}", f"--filename={file}", *flags, **options))


def create(trio, number, name):
    """Creates a pod that tolerates risk below 5."""
    spec = {"containers": [{"name": "main", "image": "registry.example.com/web:1"}],
            "tolerations": [{"key": RISK, "operator": "Lt", "value": "5", "effect": "NoExecute"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}
    post(trio.machines[number], "/api/v1/namespaces/default/pods", pod, kubeconfig=KUBECONFIG)


def phase(trio, number, name):
    return trio.kubectl(number, "get", "pod", name, "--ignore-not-found", "--output", "jsonpath={.status.phase}",
                        check_it=False)


def runs(trio, number, name, seconds=60):
    return await_true(f"pod {name} runs", lambda: phase(trio, number, name) == "Running", seconds)


def start_agents(trio):
    """Starts two simulated nodes, which the page does not describe."""
    trio.machines[1].run("systemd-run", "--unit=agents", "plimsoll", "kubelet", "--nodes=2",
                         "--kubeconfig=/var/lib/plimsoll/admin.kubeconfig")


def programs_are_installed(trio):
    packages = trio.page.lines("apt-get install")
    typed = re.sub(r"\./plimsoll_\S+\.deb", PACKAGE, packages).replace("apt-get install", "apt-get install --yes")
    for machine in trio.machines:
        machine.run("bash", "-ec", typed)


def certificates_are_made(trio):
    trio.on(0, "new=")
    first = trio.machines[0].root / "root"
    for machine, address in zip(trio.machines[1:], ADDRESSES[1:]):
        for name in ("ca.crt", f"{address}.crt", f"{address}.key"):
            (machine.root / "root" / name).write_bytes((first / name).read_bytes())
    trio.on_all("m=10.0.0.1\n# mkdir")


def units_are_sound(trio):
    for machine in trio.machines:
        for name in UNITS[:3]:
            (machine.root / f"etc/systemd/system/{name}.service").write_text(trio.page.unit(name), encoding="utf-8")
        manager = trio.page.unit("plimsoll-scheduler").replace("scheduler", "controller-manager")
        (machine.root / "etc/systemd/system/plimsoll-controller-manager.service").write_text(manager, encoding="utf-8")
        machine.run("systemctl", "daemon-reload")
    verified = trio.machines[0].run("systemd-analyze", "verify", "--man=no", *(f"{name}.service" for name in UNITS))
    check(verified.stderr + verified.stdout == "", verified.stderr, verified.stdout)


def etcd_serves(trio):
    trio.on_all("systemctl enable --now plimsoll-etcd")
    await_true("three healthy members", lambda: trio.healthy_members() == 3)


def api_servers_are_one(trio):
    trio.on(0, "systemctl enable --now plimsoll-apiserver")
    first = trio.machines[0].root
    for machine in trio.machines[1:]:
        machine.run("mkdir", "--parents", "/var/lib/plimsoll")
        run("cp", "--archive", str(first / "var/lib/plimsoll/pki"), str(machine.root / "var/lib/plimsoll"))
    for number in (1, 2):
        trio.on(number, "systemctl enable --now plimsoll-apiserver")
    trio.kubectl(0, "create", "configmap", "seen-everywhere")
    for number in range(3):
        check(trio.kubectl(number, "get", "--raw=/readyz") == "ok")
        trio.kubectl(number, "get", "configmap", "seen-everywhere")


def pods_are_placed_and_evicted(trio):
    trio.on_all("systemctl enable --now plimsoll-scheduler")
    await_true("leaders", lambda: trio.holder(0, "kube-scheduler") and trio.holder(0, "kube-controller-manager"))
    start_agents(trio)
    create(trio, 2, "first")
    runs(trio, 0, "first")
    node = trio.kubectl(0, "get", "pod", "first", "--output", "jsonpath={.spec.nodeName}")
    trio.kubectl(1, "taint", "node", node, f"{RISK}=4:NoExecute")
    check(phase(trio, 0, "first") == "Running")
    trio.kubectl(1, "taint", "node", node, f"{RISK}=7:NoExecute", "--overwrite")
    await_true("the pod goes", lambda: phase(trio, 0, "first") == "")
    trio.kubectl(1, "taint", "node", node, f"{RISK}-")


def what_one_has_signed_all_accept(trio):
    trio.kubectl(0, "create", "serviceaccount", "robot")
    group = "authentication.k8s.io/v1"
    token = post(trio.machines[0], "/api/v1/namespaces/default/serviceaccounts/robot/token",
                 {"apiVersion": group, "kind": "TokenRequest"}, kubeconfig=KUBECONFIG)["status"]["token"]
    for machine, address in zip(trio.machines, ADDRESSES):
        said = post(machine, f"/apis/{group}/selfsubjectreviews", {"apiVersion": group, "kind": "SelfSubjectReview"},
                    f"--server=https://{address}:6443", f"--token={token}",
                    f"--certificate-authority={machine.root / 'var/lib/plimsoll/pki/ca.crt'}", kubeconfig="/dev/null")
        check(said["status"]["userInfo"]["username"] == "system:serviceaccount:default:robot", address, said)


def a_machine_is_lost_and_comes_back(trio):
    """Kills the first machine after it has become the leader."""
    for number in (1, 2):
        trio.machines[number].run("systemctl", "stop", "plimsoll-scheduler", "plimsoll-controller-manager")
    await_true("the first leads", lambda: all(trio.holder(0, lease).startswith("m1_") for lease in
                                             ("kube-scheduler", "kube-controller-manager")))
    for number in (1, 2):
        trio.machines[number].run("systemctl", "start", "plimsoll-scheduler", "plimsoll-controller-manager")
    trio.machines[0].power_off()
    writes = await_true("a write at another", lambda: "created" in trio.kubectl(
        2, "create", "configmap", "after-the-loss", check_it=False))
    create(trio, 2, "second")
    print(f"        a write after {writes:.1f} s, a pod runs after {writes + runs(trio, 2, 'second'):.1f} s")
    check(not trio.holder(2, "kube-scheduler").startswith("m1_"), "the dead one leads")
    trio.machines[0].__enter__()
    await_true("three healthy members", lambda: trio.healthy_members() == 3)
    await_true("its server", lambda: trio.kubectl(0, "get", "--raw=/readyz", check_it=False) == "ok")
    trio.kubectl(0, "get", "configmap", "after-the-loss")
    for name in UNITS:
        await_true(f"{name} of the first", lambda name=name: trio.machines[0].run(
            "systemctl", "is-active", name, check=False).stdout == "active\n")


def a_backup_is_gone_back_to(trio):
    trio.machines[0].run("bash", "-ec", "cd /root\n" + trio.page.lines("export ETCDCTL_API").splitlines()[0] + "\n" +
                         trio.page.lines("etcdctl --endpoints https://10.0.0.1:2379 snapshot save"))
    ours = trio.on(0, "plimsoll snapshot save")
    counts = re.findall(r"^(?:Saved|Restored) (\d+) objects, as of revision \d+", ours, re.M)
    check(len(counts) == 2 and counts[0] == counts[1], ours)
    trio.kubectl(0, "create", "configmap", "after-the-backup")
    trio.machines[1].run("systemctl", "stop", "agents")
    backup = (trio.machines[0].root / "root/backup.db").read_bytes()
    for machine in trio.machines[1:]:
        (machine.root / "root/backup.db").write_bytes(backup)
    trio.on_all("systemctl stop plimsoll-controller-manager")
    trio.on_all("m=10.0.0.1\n# mv /var/lib/plimsoll-etcd")
    for number in range(3):
        trio.kubectl(number, "get", "configmap", "seen-everywhere", "after-the-loss")
        check("after-the-backup" not in trio.kubectl(number, "get", "configmaps"), "of after the backup")
    create(trio, 0, "third")
    start_agents(trio)
    runs(trio, 1, "third")


def prepare(packages, scratch):
    """Makes three copies of one clean root with all downloads, while there is a network."""
    root = clean_root(scratch, "systemd-sysv", "dbus", "iproute2")
    named = Page(PAGE).lines("apt-get install").splitlines()[0].split()
    fetch_dependencies(root, newest_package(packages), *named[named.index("install") + 2:])
    for number, address in enumerate(ADDRESSES, 1):
        own = scratch / f"m{number}"
        run("rm", "-rf", str(own))
        run("cp", "--archive", "--reflink=auto", str(root), str(own))
        (own / "etc/hostname").write_text(f"m{number}\n")
        (own / "etc/systemd/network/10-bridge.network").write_text(
            f"[Match]\nName=host0\n[Network]\nAddress={address}/24\nLinkLocalAddressing=no\n")
        run("systemctl", f"--root={own}", "enable", "systemd-networkd")


def main():
    if os.geteuid() != 0:
        print("three_machines_test needs root")
        return 77
    packages, scratch = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    if INSIDE not in os.environ:
        prepare(packages, scratch)
        # The bridge lives in a network namespace of the test, which disappears with it.
        return subprocess.run(["unshare", "--net", sys.executable, *sys.argv], check=False,
                              env={**os.environ, INSIDE: "1"}).returncode
    run("ip", "link", "add", BRIDGE, "type", "bridge")
    run("ip", "link", "set", BRIDGE, "up")
    machines = [Machine(scratch / f"m{number}", BRIDGE) for number in (1, 2, 3)]
    with machines[0], machines[1], machines[2]:
        play(Trio(machines), programs_are_installed, certificates_are_made, units_are_sound, etcd_serves,
             api_servers_are_one, pods_are_placed_and_evicted, what_one_has_signed_all_accept,
             a_machine_is_lost_and_comes_back, a_backup_is_gone_back_to)
    return 0


if __name__ == "__main__":
    exit_with(main)
