#!/usr/bin/env python3
"""rolling_test.py BINARY [MINUTES]: restarts every part of a replicated control plane one after the
other, like an upgrade: etcd members, API servers, schedulers, controller-managers. Meanwhile
clients that know both servers retry unanswered requests, as client libraries and load balancers do.
One kubectl per server retries only when the outcome of a request is unknown. No request may fail,
and the referee checks every answer. Without MINUTES, each part is restarted once."""

import os
import random
import signal
import subprocess
import sys
import threading
import time

import etcd
from cluster import Failure, check
from fleet import Fleet
from promises import Promises
from referee import Referee

WRITES = 25


class Kubectl(threading.Thread):
    """Lists and changes objects with kubectl at a server that is not being restarted."""

    def __init__(self, fleet):
        super().__init__(daemon=True)
        self.fleet = fleet
        self.lock = threading.Lock()
        self.away = None  # number of the server that is being restarted
        self.count = 0
        self.doubts = 0  # number of writes interrupted by the restart of an etcd member
        self.failures = []
        self.is_over = False

    def run(self):
        while not self.is_over:
            with self.lock:  # the server in use must not be restarted
                number = next(i for i in (self.count % 2, 1 - self.count % 2) if i != self.away)
                self.step(self.fleet.clusters[number])

    def step(self, cluster):
        self.count += 1
        name = f"kubectl-{self.count}"
        # Second element: the server's answer to a retry if the first attempt had succeeded.
        for words, done_before in ((["create", "configmap", name], "(AlreadyExists)"),
                                   (["get", "configmaps,nodes"], None),
                                   (["delete", "configmap", name], "(NotFound)")):
            answer = self.ask(cluster, words)
            if done_before and "it is unknown whether" in answer:
                self.doubts += 1
                answer = self.ask(cluster, words)
                if done_before in answer:
                    continue
            if answer:
                self.failures.append(answer)

    @staticmethod
    def ask(cluster, words):
        """Returns the error, or "" if it succeeded."""
        try:
            cluster.kubectl(*words, "--namespace=kube-public")
            return ""
        except (Failure, subprocess.TimeoutExpired) as failure:
            return str(failure)


def turns(fleet, kubectl):
    """Yields the name of each part, and a function that restarts it."""
    for member in fleet.etcd.members:
        def restart(member=member):
            member.end(signal.SIGTERM)
            member.start()
        yield f"etcd {member.name}", restart
    for number, server in enumerate(fleet.servers):
        def restart(number=number, server=server):
            with kubectl.lock:
                kubectl.away = number
            check(server.stop() == 0, "the server ended badly:", server.log_path.read_text()[-2000:])
            server.start()
            with kubectl.lock:
                kubectl.away = None
        yield f"apiserver {number}", restart
    for (command, number), part in fleet.parts.items():
        def restart(part=part):
            # A leader that lost its lease meanwhile exits with 1.
            check(part.stop(signal.SIGTERM) in (0, 1), part.log_path.read_text()[-2000:])
            part.start()
        yield f"{command} {number}", restart


def roll(number, fleet, referee, promises, kubectl):
    promises.begin(number)
    referee.begin(number)
    referee.await_writes(WRITES)
    promises.stir(number)
    for name, restart in turns(fleet, kubectl):
        began = time.monotonic()
        restart()
        referee.await_writes(WRITES)
        print(f"ok      {name}: {time.monotonic() - began:.1f} s", flush=True)
    promises.end()
    hidden = sum(worker.client.broken for worker in referee.workers)
    referee.end()
    check(not kubectl.failures, "kubectl failed:", *kubectl.failures[:3])
    return hidden


def main():
    if not etcd.is_installed():
        print("there is no etcd")
        return 77
    seed = int(os.environ.get("SEED", random.SystemRandom().randrange(1 << 32)))
    end = time.monotonic() + 60 * (float(sys.argv[2]) if len(sys.argv) > 2 else 0)
    with Fleet(sys.argv[1], controllers="taint-eviction-controller") as fleet:
        referee, promises, kubectl = Referee(fleet, seed), Promises(fleet), Kubectl(fleet)
        kubectl.start()
        number = hidden = 0
        try:
            while number == 0 or time.monotonic() < end:
                hidden += roll(number, fleet, referee, promises, kubectl)
                number += 1
        except (Failure, OSError, RuntimeError) as failure:
            print(f"FAILED  seed {seed}: {failure}")
            return 1
        kubectl.is_over = True
        kubectl.join()
        print(f"rolling_test: {number} rounds: {referee.text()}; {promises.text()}; {hidden} conversations "
              f"broke off and were taken up again; kubectl came {kubectl.count} times, {kubectl.doubts} of them twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
