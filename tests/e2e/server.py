"""Starts `plimsoll apiserver` (or `up`) in a temporary directory, and finds the installed versions
of kubectl."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time


class Server:
    """A running API server. Use it with `with`."""

    def __init__(self, binary, *flags, store="rocksdb", command="apiserver", cwd=None, machine=None):
        """`machine`: where it runs, with its address and the command prefix that runs something
        there."""
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="plimsoll-e2e-"))
        self.binary = binary
        self.command = command
        self.flags = [f"--store={store}", *flags]
        self.cwd = cwd
        self.prefix = []
        self.host = "127.0.0.1"
        if machine is not None:
            self.prefix = machine.prefix
            self.host = machine.address
            self.flags.append(f"--bind-address={self.host}")
        self.process = None
        self.port = 0

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()
        self.remove()

    def remove(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    @property
    def kubeconfig(self):
        return self.directory / "data" / "admin.kubeconfig"

    @property
    def log_path(self):
        return self.directory / "log"

    def start(self):
        self.launch()
        self.await_serving()

    def launch(self):
        """Starts the process, but does not wait until it serves."""
        self.kubeconfig.unlink(missing_ok=True)
        with open(self.log_path, "ab") as log:
            # The port stays the same across restarts, because clients use it.
            self.process = subprocess.Popen(
                [*self.prefix, self.binary, self.command, "--data-dir", str(self.directory / "data"),
                 f"--secure-port={self.port}", *self.flags],
                stdout=log, stderr=log, cwd=self.cwd)

    def await_serving(self):
        deadline = time.monotonic() + 60
        while not self.kubeconfig.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the server did not start:\n" + self.log_path.read_text())
            time.sleep(0.02)
        text = self.kubeconfig.read_text()
        self.port = int(re.search(r"server: https://[\d.]+:(\d+)", text).group(1))

    def stop(self, how=signal.SIGTERM):
        if self.process is None:
            return None
        self.process.send_signal(how)
        try:
            return self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            self.process = None


def kubectls():
    """Returns the kubectl binaries to test with, by name: all supported versions beside the one on
    PATH, or that one alone."""
    on_path = shutil.which("kubectl")
    if on_path is None:
        return {}
    found = {}
    for path in sorted(pathlib.Path(os.path.realpath(on_path)).parent.glob("kubectl.1.*")):
        minor = int(path.name.rsplit(".", 1)[1])
        if 27 <= minor <= 33:
            found[f"1.{minor}"] = str(path)
    return found or {"kubectl": on_path}
