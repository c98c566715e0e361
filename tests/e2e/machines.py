"""Machines for tests, each a network namespace on one bridge. All of it lies in a namespace of the test's
own, which goes with the test: nothing outside is seen or changed, and nothing need be cleaned up."""

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
    """Starts the program again in a network of its own, unless it is there. False: that cannot be had."""
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
    """Something with an address of its own, on which programs run, and which can be cut off."""

    def __init__(self, number):
        self.address = f"{NETWORK}{number}"
        self.port = f"port{number}"
        self.slowed_by = None
        # It holds the namespace, and ends when the test does, however that ends.
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
        """What it sends and what is sent to it vanishes; nobody is told."""
        run("ip", "link", "set", self.port, "nomaster")

    def join(self):
        run("ip", "link", "set", self.port, "master", "bridge0")

    def slow_down(self, delay_ms, jitter_ms, loss):
        """Every frame takes its time or is lost, both ways."""
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
    """The bridge, with the test on it."""
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "bridge0", "type", "bridge")
    run("ip", "addr", "add", TEST_ADDRESS + "/24", "dev", "bridge0")
    run("ip", "link", "set", "bridge0", "up")
    run(sys.executable, WIRE, "plain", "bridge0")
