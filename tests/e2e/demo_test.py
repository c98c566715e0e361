#!/usr/bin/env python3
"""demo_test.py BINARY: plays `plimsoll demo` on a cluster of its own and on a running one, interrupts it, and checks
that it fails where its story cannot happen."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from cluster import Cluster, check, play
from server import Server

SECONDS_MAX = 60


def demo(binary, temporary, *flags):
    return subprocess.run([binary, "demo", "--no-pause", *flags], capture_output=True, text=True, timeout=180, check=False,
                          env=dict(os.environ, TMPDIR=str(temporary)))


def check_told(said):
    """Checks that the output tells one pod's move, step by step, with the commands that do the same."""
    check("\x1b" not in said and "\r" not in said, "moves the cursor of a file:", repr(said))
    node = re.search(r"\$ kubectl taint nodes (\S+) failure-probability=15:NoExecute --overwrite", said)
    check(node, said)
    old = node[1]
    pod = re.search(r"^   (payment-processor-\S+) was evicted from (\S+)\.$", said, re.M)
    check(pod and pod[2] == old, said)
    check(re.search(rf"^   {pod[1]} leaves in \d+ s$", said, re.M), "no countdown:", said)
    check(re.search(rf"Marking for deletion Pod default/{pod[1]}\b", said), "no event:", said)
    new = re.search(r"The Deployment made a new pod\. It runs on (\S+)\.", said)
    check(new and new[1] != old, said)
    check(re.search(r"\$ plimsoll explain pod payment-processor-\S+ --node " + re.escape(old), said), said)
    check(f"bound to {new[1]}" in said and f"node {old}: refuses the pod" in said, said)
    check(len(re.findall(r"^\d+\. ", said, re.M)) == 8, "not all steps:", said)
    check(len(re.findall(r"^   \$ (kubectl|plimsoll) ", said, re.M)) in (7, 8), "not all commands:", said)


def plays_on_its_own_cluster(binary):
    with tempfile.TemporaryDirectory() as temporary:
        began = time.monotonic()
        done = demo(binary, temporary)
        check(done.returncode == 0, done.returncode, done.stdout, done.stderr)
        check(time.monotonic() - began < SECONDS_MAX, "took", time.monotonic() - began, "s")
        check_told(done.stdout)
        check(len(re.findall(r"^   (ondemand|spot|gpu)-\d+ +\d+ +\w+$", done.stdout, re.M)) == 20, done.stdout)
        check(done.stderr == "", done.stderr)
        check(not os.listdir(temporary), "left", os.listdir(temporary))


def plays_on_a_running_cluster(binary):
    """The nodes have their old taints at the end."""
    with Server(binary, "--demo", "--time-scale=20", command="up") as server, tempfile.TemporaryDirectory() as temporary:
        c = Cluster(server)
        columns = "custom-columns=N:.metadata.name,T:.spec.taints[*].key,V:.spec.taints[*].value,E:.spec.taints[*].effect"

        def taints():
            return {line.split()[0]: sorted(line.split()[1:]) for line in c.kubectl("get", "nodes", "-o", columns).splitlines()}
        c.await_true("ready nodes", lambda: "not-ready" not in str(taints()) and len(taints()) == 21)
        before = taints()
        for flags in (["--kubeconfig", str(server.kubeconfig)], ["--data-dir", str(server.directory / "data")]):
            done = demo(binary, temporary, *flags)
            check(done.returncode == 0, done.returncode, done.stdout, done.stderr)
            check_told(done.stdout)
            check(taints() == before, "the taints differ:", taints(), before)
        done = demo(binary, temporary, "--kubeconfig", str(server.kubeconfig), "--speed=9")
        check(done.returncode == 2 and "--speed: only a cluster of the demo's own" in done.stderr, done)


def ctrl_c_leaves_nothing(binary):
    with tempfile.TemporaryDirectory() as temporary:
        process = subprocess.Popen([binary, "demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=dict(os.environ, TMPDIR=temporary))
        for line in process.stdout:
            if line.startswith("1. "):
                break
        check(os.listdir(temporary), "its data is elsewhere")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        check(process.returncode == 130 and "Stopped." in said, process.returncode, said)
        check(not os.listdir(temporary), "left", os.listdir(temporary))


def a_story_that_does_not_happen_fails(binary):
    """On a cluster without the demo, and on one whose payments do not move."""
    with Server(binary, "--nodes=1", "--time-scale=20", command="up") as server, tempfile.TemporaryDirectory() as temporary:
        done = demo(binary, temporary, "--kubeconfig", str(server.kubeconfig))
        check(done.returncode == 1 and "start the cluster with 'plimsoll up --demo'" in done.stderr, done)
    done = subprocess.run([binary, "demo", "--kubeconfig=/none"], capture_output=True, text=True, timeout=60, check=False)
    check(done.returncode != 0 and "/none" in done.stderr, done)


def keeps_the_data_where_it_is_asked_to(binary):
    with tempfile.TemporaryDirectory() as temporary:
        data = pathlib.Path(temporary) / "data"
        done = demo(binary, temporary, "--data-dir", str(data), "--speed=20")
        check(done.returncode == 0, done.stdout, done.stderr)
        check((data / "store" / "CURRENT").exists(), "its data is gone")


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], plays_on_its_own_cluster, plays_on_a_running_cluster, ctrl_c_leaves_nothing,
                  a_story_that_does_not_happen_fails, keeps_the_data_where_it_is_asked_to))
