"""Starts etcd with one member or several, on loopback or on test machines. On loopback, every
process has its own address, so that tests do not compete for ports."""

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
    """This machine, with an address that is unique to this process."""

    prefix = []

    def __init__(self):
        process = os.getpid()
        self.address = f"127.{process >> 16 & 255}.{process >> 8 & 255}.{process & 255}"


class Etcd:
    """One member. Use it with `with`."""

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
        """Starts the member, and returns when it serves."""
        self.launch()()

    def launch(self):
        """Starts the process. Returns a function that waits until it serves, which needs a
        quorum."""
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
        """Reads the output to the end, so that the process never blocks on its pipe."""
        for line in self.process.stdout:
            if not serves.is_set():
                said.append(line)
                if SERVING in line:
                    serves.set()
        serves.set()

    def kill(self):
        """Kills the member like a crash."""
        self.end(signal.SIGKILL)

    def end(self, how):
        if self.process is None:
            return
        self.process.send_signal(how)
        self.process.wait()
        self.reader.join()
        self.process = None

    def slow_disk(self, milliseconds):
        """Delays every fsync by this much from now on. strace delays the system call; a preloaded
        library cannot, because Go programs make system calls directly."""
        self.slowed_by = subprocess.Popen(
            ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync,fsync",
             "-e", f"inject=fdatasync,fsync:delay_exit={1000 * milliseconds}",
             "-p", str(self.process.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def fast_disk(self):
        self.slowed_by.terminate()
        self.slowed_by.wait()
        self.slowed_by = None


class EtcdCluster:
    """Several members of one cluster. Use it with `with`."""

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
        """Starts the members that are down, and returns when all serve."""
        for await_serving in [one.launch() for one in self.members if one.process is None]:
            await_serving()

    def control(self, *words, members=None):
        """Runs etcdctl. Returns its output, or None if it failed."""
        endpoints = ",".join(member.url for member in members or self.members)
        done = subprocess.run(
            ["etcdctl", "--endpoints", endpoints, "--command-timeout=3s", "--dial-timeout=2s", *words],
            capture_output=True, text=True, check=False, env={**os.environ, "ETCDCTL_API": "3"})
        return done.stdout if done.returncode == 0 else None

    def statuses(self):
        """Returns (member, status) of the members that answer."""
        found = []
        for member in self.members:
            said = self.control("endpoint", "status", "--write-out=json", members=[member])
            if said:
                found.append((member, json.loads(said)[0]["Status"]))
        return found

    def leader(self):
        """Returns the leader, or None."""
        for member, status in self.statuses():
            # The field is missing while there is no leader.
            if status.get("leader") == status["header"]["member_id"]:
                return member
        return None
