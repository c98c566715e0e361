#!/usr/bin/env python3
"""fresh_machine.py SCRATCH [up] [test]: plays the README's quick start in a new Debian 12, and times
each stage. The machine has only make, git and a repository with the last commit, which it clones. `up`
is the quick start, line by line. It ends when a pod was evicted because a taint crossed the pod's
threshold, and fails after ten minutes. `test` is `make test`. Needs root and a network for
installation; exits with 77 without root."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

from machine import Container, clean_root, exit_with, run

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
HOME = "root/plimsoll"
UP_SECONDS_MAX = 600
# Output of `make up` at the end of each stage.
UP_STAGES = (("packages", "cmake --preset"), ("configure", "ninja "), ("build", "Plimsoll is up"))
CLONE, MAKE_UP = "git clone URL plimsoll && cd plimsoll", "make up"
REPOSITORY = "srv/plimsoll.bundle"
EVICTION = "toleration 0 (Lt 5): taint 15 is not less than 5"
PAYMENTS = ("get", "pods", "-l", "app=payment-processor", "-o",
            "jsonpath={range .items[?(@.status.phase==\"Running\")]}{.spec.nodeName} {end}")


class Stopwatch:
    """Prints the time of each stage when it ends."""

    def __init__(self):
        self.began = self.last = time.monotonic()

    def lap(self, stage):
        now = time.monotonic()
        print(f"{stage:20} {now - self.last:7.1f} s", flush=True)
        self.last = now

    def total(self, what):
        seconds = time.monotonic() - self.began
        print(f"{what:20} {seconds:7.1f} s", flush=True)
        return seconds


def authorities(root):
    """Returns flags that pass this machine's own certificate authority, if it has one, to npm in
    the container."""
    known = os.environ.get("NODE_EXTRA_CA_CERTS")
    if not known:
        return []
    shutil.copy(known, root / "srv/authorities.pem")
    return ["--setenv=NODE_EXTRA_CA_CERTS=/srv/authorities.pem"]


def make(root, log, *words):
    """Returns a container that runs make, with its output in a pipe."""
    return Container(root, "--as-pid2", "--resolv-conf=copy-host", *authorities(root), f"--chdir=/{HOME}", "make",
                     *words, stdout=subprocess.PIPE, stderr=log, text=True)


def await_line(lines, start, log):
    for line in lines:
        log.write(line)
        log.flush()
        if line.startswith(start):
            return
    raise RuntimeError(f"make ended without '{start}'; {log.name} has what it said")


def await_answer(container, words, is_wanted, seconds):
    deadline = time.monotonic() + seconds
    while True:
        answer = container.run("env", f"KUBECONFIG=/{HOME}/.plimsoll/admin.kubeconfig", "kubectl", *words).stdout
        if is_wanted(answer):
            return answer
        if time.monotonic() > deadline:
            raise RuntimeError(f"kubectl {' '.join(words)} still says:\n{answer}")
        time.sleep(0.2)


def quick_start():
    """Returns the commands of the README's quick start, without the first two."""
    section = (SOURCE / "README.md").read_text().partition("## Quick start\n")[2].partition("\n## ")[0]
    lines = [line[4:] for line in section.splitlines() if line.startswith("    ")]
    if lines[:2] != [CLONE, MAKE_UP]:
        raise RuntimeError(f"the quick start begins with {lines[:2]}")
    return lines[2:]


def walk_script():
    """Returns a script of these commands. The last one watches events; it ends with the first of them."""
    *lines, watching = quick_start()
    if not watching.startswith("kubectl get events -w"):
        raise RuntimeError(f"the quick start ends with {watching}")
    return "\n".join([f"cd /{HOME}", *lines, f"timeout 90 {watching} | grep --line-buffered --max-count=1 Marking"])


def up(root, log):
    """Runs `make up`, and the commands that follow it, until the pod is evicted."""
    watch = Stopwatch()
    with make(root, log, "up", "UP_FLAGS=--port=0") as container:
        for stage, end in UP_STAGES:
            await_line(container.process.stdout, end, log)
            watch.lap(stage)
        await_answer(container, PAYMENTS, lambda answer: len(answer.split()) == 4, 60)
        watch.lap("four payments run")
        told = container.run("bash", "-c", walk_script()).stdout
        watch.lap("one is evicted")
    if EVICTION not in told:
        raise RuntimeError(f"the commands of the quick start say:\n{told}")
    print(told.rstrip())
    if watch.total("make up, in all") > UP_SECONDS_MAX:
        raise RuntimeError(f"more than {UP_SECONDS_MAX} s")


def test(root, log):
    """Runs `make test` in the same root."""
    watch = Stopwatch()
    with make(root, log, "test") as container:
        for line in container.process.stdout:
            log.write(line)
            log.flush()
            if "tests passed" in line:
                print(line.rstrip())
        code = container.process.wait()
    watch.total("make test")
    if code != 0:
        raise RuntimeError(f"make test ended with {code}; {log.name} has what it said")


def main():
    if os.geteuid() != 0:
        print("fresh_machine needs root")
        return 77
    scratch = pathlib.Path(sys.argv[1]).resolve()
    commands = [{"up": up, "test": test}[word] for word in sys.argv[2:]] or [up, test]
    root = clean_root(scratch, "make", "git")
    run("git", "-C", str(SOURCE), "bundle", "create", str(root / REPOSITORY), "HEAD")
    run("chroot", str(root), "bash", "-c", f"cd /{pathlib.Path(HOME).parent} && {CLONE.replace('URL', '/' + REPOSITORY)}")
    for command in commands:
        with (scratch / f"{command.__name__}.log").open("w") as log:
            command(root, log)
    return 0


if __name__ == "__main__":
    exit_with(main)
