"""Starts etcd on loopback, on an address that is this process's own, so that no two tests want the
same port."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import threading

PROGRAM = "/usr/bin/etcd"
SERVING = b"ready to serve client requests"


def is_installed():
    return os.access(PROGRAM, os.X_OK)


class Etcd:
    """One member; use it with `with`."""

    def __init__(self, *flags):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="plimsoll-etcd-"))
        self.flags = flags
        process = os.getpid()
        host = f"127.{process >> 16 & 255}.{process >> 8 & 255}.{process & 255}"
        self.url = f"http://{host}:21000"
        self.peer_url = f"http://{host}:21001"
        self.process = None
        self.reader = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.directory, ignore_errors=True)

    def start(self):
        """Returns when it serves."""
        self.process = subprocess.Popen(
            [PROGRAM, "--name=m", f"--data-dir={self.directory}",
             f"--listen-client-urls={self.url}", f"--advertise-client-urls={self.url}",
             f"--listen-peer-urls={self.peer_url}",
             f"--initial-advertise-peer-urls={self.peer_url}",
             f"--initial-cluster=m={self.peer_url}", "--max-request-bytes=8388608", *self.flags],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        serves = threading.Event()
        said = []
        self.reader = threading.Thread(target=self.read, args=(serves, said), daemon=True)
        self.reader.start()
        serves.wait()
        if not any(SERVING in line for line in said):
            raise RuntimeError("etcd did not start:\n" + b"".join(said).decode())

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
        self.process.kill()
        self.process.wait()
        self.reader.join()
