"""Starts etcd, one member or several, on loopback or on machines of the test's own. On loopback every
process has an address that is its alone, so that no two tests want the same port."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading

PROGRAM = "/usr/bin/etcd"
SERVING = b"ready to serve client requests"


def is_installed():
    return os.access(PROGRAM, os.X_OK)


class Here:
    """This machine, by the address that is this process's own."""

    prefix = []

    def __init__(self):
        process = os.getpid()
        self.address = f"127.{process >> 16 & 255}.{process >> 8 & 255}.{process & 255}"


class Etcd:
    """One member, alone or of several; use it with `with`."""

    def __init__(self, *flags, machine=None, number=0):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="plimsoll-etcd-"))
        self.flags = flags
        self.machine = machine or Here()
        self.name = f"m{number}"
        self.url = f"http://{self.machine.address}:{21000 + 2 * number}"
        self.peer_url = f"http://{self.machine.address}:{21001 + 2 * number}"
        self.peers = f"{self.name}={self.peer_url}"
        self.process = None
        self.reader = None
        self.slowed_by = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def start(self):
        """Returns when it serves."""
        self.launch()()

    def launch(self):
        """What it gives waits until it serves, which needs most of its peers."""
        self.process = subprocess.Popen(
            [*self.machine.prefix, PROGRAM, f"--name={self.name}", f"--data-dir={self.directory}",
             f"--listen-client-urls={self.url}", f"--advertise-client-urls={self.url}",
             f"--listen-peer-urls={self.peer_url}",
             f"--initial-advertise-peer-urls={self.peer_url}",
             f"--initial-cluster={self.peers}", *self.flags],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        serves = threading.Event()
        said = []
        self.reader = threading.Thread(target=self.read, args=(serves, said), daemon=True)
        self.reader.start()

        def await_serving():
            serves.wait()
            if not any(SERVING in line for line in said):
                raise RuntimeError("etcd did not start:\n" + b"".join(said).decode())
        return await_serving

    def read(self, serves, said):
        """To the end, so that it never waits for somebody to read."""
        for line in self.process.stdout:
            if not serves.is_set():
                said.append(line)
                if SERVING in line:
                    serves.set()
        serves.set()

    def kill(self):
        """As a crash does."""
        self.end(signal.SIGKILL)

    def end(self, how):
        if self.process is None:
            return
        self.process.send_signal(how)
        self.process.wait()
        self.reader.join()
        self.process = None

    def slow_disk(self, milliseconds):
        """Every sync takes so much longer, from now on: strace holds the system call up, as a preloaded
        library could not in a program that makes its system calls itself."""
        self.slowed_by = subprocess.Popen(
            ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync",
             "-e", f"inject=fdatasync,fsync:delay_exit={1000 * milliseconds}",
             "-p", str(self.process.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def fast_disk(self):
        self.slowed_by.terminate()
        self.slowed_by.wait()
        self.slowed_by = None


class EtcdCluster:
    """Several members that agree with each other; use it with `with`."""

    def __init__(self, machines, *flags):
        self.members = [Etcd(*flags, machine=machine, number=number)
                        for number, machine in enumerate(machines)]
        for member in self.members:
            member.peers = ",".join(f"{one.name}={one.peer_url}" for one in self.members)

    def __enter__(self):
        self.start_missing()
        return self

    def __exit__(self, *_):
        for member in self.members:
            member.__exit__()

    @property
    def url(self):
        return ",".join(member.url for member in self.members)

    def start_missing(self):
        """Returns when all serve."""
        for await_serving in [one.launch() for one in self.members if one.process is None]:
            await_serving()

    def control(self, *words, members=None):
        """etcdctl; what it says, or None if it failed."""
        endpoints = ",".join(member.url for member in members or self.members)
        done = subprocess.run(
            ["etcdctl", "--endpoints", endpoints, "--command-timeout=3s", "--dial-timeout=2s", *words],
            capture_output=True, text=True, check=False, env={**os.environ, "ETCDCTL_API": "3"})
        return done.stdout if done.returncode == 0 else None

    def statuses(self):
        """By member, what those say that answer."""
        found = []
        for member in self.members:
            said = self.control("endpoint", "status", "--write-out=json", members=[member])
            if said:
                found.append((member, json.loads(said)[0]["Status"]))
        return found

    def leader(self):
        """The member that leads, or None."""
        for member, status in self.statuses():
            # It is left out while there is none.
            if status.get("leader") == status["header"]["member_id"]:
                return member
        return None
