#!/usr/bin/env python3
"""up_test.py BINARY: checks the first minutes with `plimsoll up`: its output, Ctrl-C, data that
survives, and its errors at the start, each of which must name the cause and the remedy."""

import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

from cluster import Cluster, check, play
from rocks_log import replace_in_log
from server import Server


def start_up(binary, *flags):
    return Server(binary, *flags, command="up")


def refusal(binary, *flags, wrapper=()):
    """Returns the error of `up` when it does not start."""
    done = subprocess.run([*wrapper, binary, "up", *flags], capture_output=True, text=True,
                          timeout=60, check=False)
    check(done.returncode == 1, "ended with", done.returncode, done.stdout, done.stderr)
    return done.stderr


def check_says(text, pattern):
    check(re.search(pattern, text), "wanted", repr(pattern), "in:", text)


def screen(server):
    """Returns the output of its last start, from the log."""
    text = server.log_path.read_text()
    return text[text.rindex("Plimsoll is up"):]


def demo_stays(binary):
    """The demo starts with five things to try, and Ctrl-C ends it with 0. The next start finds the
    data; --fresh deletes it while the kubeconfig stays valid."""
    with start_up(binary, "--demo") as server:
        c = Cluster(server)
        c.await_true("its screen", lambda: "Ctrl-C stops it" in server.log_path.read_text())
        said = screen(server)
        check(f"export KUBECONFIG={server.kubeconfig}" in said, said)
        check("20 simulated nodes" in said and "(new)" in said, said)
        check(len(re.findall(r"^  (?:NODE=\$\()?kubectl ", said, re.M)) >= 5, said)
        check(len(said.splitlines()) <= 23, "more than a screen:", said)
        c.await_true("the payments", lambda: c.kubectl(
            "get", "deployment", "payment-processor", "-o", "jsonpath={.status.readyReplicas}") == "4")
        check("kubectl create deployment nginx --image=nginx " in said, said)
        c.kubectl("create", "deployment", "nginx", "--image=nginx")
        c.await_true("the visitor's own pod", lambda: c.kubectl(
            "get", "deployment", "nginx", "-o", "jsonpath={.status.readyReplicas}") == "1")
        check(server.stop(signal.SIGINT) == 0, "Ctrl-C did not end it well")
        check(f"Stopped. The data stays in {server.directory}/data." in screen(server), screen(server))

        server.flags = ["--nodes=1"]
        server.start()
        c.await_true("its screen", lambda: "from an earlier run" in screen(server))
        check("payment-processor" in c.kubectl("get", "deployments"), "lost its data")
        check(server.stop(signal.SIGTERM) == 0, "SIGTERM did not end it well")

        authority = (server.directory / "data" / "pki" / "ca.crt").read_text()
        server.flags = ["--fresh", "--no-demo"]
        server.start()
        check("payment-processor" not in c.kubectl("get", "deployments"), "kept its data")
        check(authority == (server.directory / "data" / "pki" / "ca.crt").read_text(), "changed")


def directory_in_use(binary):
    """A second process reports which process uses the directory; a killed process leaves no
    lock."""
    with start_up(binary) as server:
        said = refusal(binary, "--data-dir", str(server.directory / "data"), "--port=0")
        pid = server.process.pid
        check_says(said, rf"is in use by process {pid}: stop it with 'kill {pid}', or choose")
        server.stop(signal.SIGKILL)
        server.start()


def port_taken(binary):
    with socket.socket() as taken, tempfile.TemporaryDirectory() as directory:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refusal(binary, "--data-dir", directory, f"--port={port}")
        check_says(said, rf"cannot listen on 127.0.0.1:{port}: the port is taken; stop what")


def data_of_another_version(binary):
    with start_up(binary) as server:
        server.stop()
        data = server.directory / "data"
        replace_in_log(next(pathlib.Path(data / "store").glob("*.log")), b"\x06format\x011",
                       b"\x06format\x019")
        said = refusal(binary, "--data-dir", str(data), "--port=0")
        check_says(said, "is of format 9, and this program knows format 1 only: use the version that "
                         "wrote it, or another directory")


def nowhere_to_write(binary):
    check_says(refusal(binary, "--data-dir=/proc/none"),
               "cannot keep data in /proc/none: .*; choose a directory that you may write to with "
               "--data-dir")
    with tempfile.NamedTemporaryFile() as a_file:
        check_says(refusal(binary, "--data-dir", a_file.name), "exists and is not a directory; choose")


def disk_full(binary):
    """Uses a full file system in a mount namespace of the test."""
    mount = 'mount -t tmpfs -o size=1m plimsoll "$0" && exec "$@"'
    with tempfile.TemporaryDirectory() as small:
        wrapper = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, small]
        if shutil.which("unshare") is None or \
                subprocess.run([*wrapper, "true"], capture_output=True, check=False).returncode != 0:
            print("        this machine lets nobody mount: disk_full is not played")
            return
        said = refusal(binary, "--data-dir", small, "--port=0", wrapper=wrapper)
        check_says(said, "is full: [01] MiB are free, 32 are needed; free some, or choose a directory")


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], demo_stays, directory_in_use, port_taken, data_of_another_version,
                  nowhere_to_write, disk_full))
