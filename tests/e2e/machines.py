"""Machines for tests: network namespaces on one bridge. All of them are inside a namespace of the
test, so that nothing outside is affected, and no cleanup is needed."""

import os
import subprocess
import sys

INSIDE = "PLIMSOLL_TEST_NETWORK"
NETWORK = "10.99.0."
TEST_ADDRESS = NETWORK + "1"
WIRE = os.path.join(os.path.dirname(__file__), "slow_wire.py")


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {done.stderr.strip()}")


def enter():
    """Restarts the program in its own network namespace, unless it runs there. Returns False if
    that is not possible."""
    if INSIDE in os.environ:
        return True
    way = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--net", "--user",
                                                          "--map-root-user"]
    if subprocess.run([*way, "ip", "link", "add", "bridge0", "type", "bridge"], check=False,
                      capture_output=True).returncode != 0:
        return False
    os.environ[INSIDE] = "1"
    os.execvp(way[0], [*way, sys.executable, *sys.argv])
    return True


class Machine:
    """A machine with its own address, which can run programs and be disconnected."""

    def __init__(self, number):
        self.address = f"{NETWORK}{number}"
        self.port = f"port{number}"
        self.slowed_by = None
        # Holds the namespace open, and exits with the test.
        self.holder = subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        self.prefix = ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net", "--"]
        run("ip", "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns",
            str(self.holder.pid))
        for words in (("addr", "add", self.address + "/24", "dev", "eth0"),
                      ("link", "set", "eth0", "up"), ("link", "set", "lo", "up")):
            run(*self.prefix, "ip", *words)
        run(*self.prefix, sys.executable, WIRE, "plain", "eth0")
        run("ip", "link", "set", self.port, "master", "bridge0", "up")

    def cut_off(self):
        """Drops all its traffic without closing connections."""
        run("ip", "link", "set", self.port, "nomaster")

    def join(self):
        run("ip", "link", "set", self.port, "master", "bridge0")

    def slow_down(self, delay_ms, jitter_ms, loss):
        """Delays or drops each frame, in both directions."""
        aside, inner = self.port + "a", self.port + "b"
        run("ip", "link", "add", aside, "type", "veth", "peer", "name", inner)
        run("ip", "link", "set", aside, "up")
        run("ip", "link", "set", inner, "master", "bridge0", "up")
        self.cut_off()
        self.slowed_by = subprocess.Popen(
            [sys.executable, WIRE, "relay", self.port, aside, str(delay_ms), str(jitter_ms),
             str(loss)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.slowed_by.stdout.readline()

    def speed_up(self):
        self.slowed_by.kill()
        self.slowed_by.wait()
        self.slowed_by = None
        run("ip", "link", "del", self.port + "a")
        self.join()


def start_network():
    """Creates the bridge, with the test on it."""
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "bridge0", "type", "bridge")
    run("ip", "addr", "add", TEST_ADDRESS + "/24", "dev", "bridge0")
    run("ip", "link", "set", "bridge0", "up")
    run(sys.executable, WIRE, "plain", "bridge0")
