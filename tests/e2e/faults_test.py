#!/usr/bin/env python3
"""faults_test.py BINARY [MINUTES]: injects one fault after the other into a control plane of
several replicas, each in its own network namespace. After each fault, referee.py checks every
answer, read and watch event, and promises.py checks the scheduler and the controllers.

Without MINUTES, every fault is injected once. ONLY=name,… selects faults; SEED=… repeats the
choices of a run."""

import os
import random
import shutil
import signal
import sys
import time
import urllib.request

import etcd
import machines
from cluster import Failure, check
from fleet import Fleet
from promises import Promises
from referee import COLLECTION, Referee

WRITES = 25  # writes that must succeed during a fault that must not stop them
TROUBLE_SECONDS = 3  # duration of a fault that does not end by itself


class Stage:
    def __init__(self, fleet, places, seed, change_seconds):
        self.fleet = fleet
        self.places = places
        self.change_seconds = change_seconds  # between changes of etcd's leader
        self.rng = random.Random(seed)
        self.referee = Referee(fleet, seed)
        self.promises = Promises(fleet)

    def server(self):
        return self.rng.choice(self.fleet.servers)

    def leader(self):
        deadline = time.monotonic() + 30
        while (leader := self.fleet.etcd.leader()) is None:
            check(time.monotonic() < deadline, "etcd has no leader")
        return leader

    def follower(self):
        leader = self.leader()
        return self.rng.choice([one for one in self.fleet.etcd.members if one is not leader])

    def go_on(self):
        """Waits for successful writes during the fault."""
        self.referee.await_writes(WRITES)


def api_server_killed(stage):
    server = stage.server()
    server.stop(signal.SIGKILL)
    stage.go_on()
    server.start()


def scheduler_and_controllers_killed(stage):
    for part in stage.fleet.parts.values():
        part.stop(signal.SIGKILL)
    stage.fleet.keep_running()


def follower_killed(stage):
    stage.follower().kill()
    stage.go_on()
    stage.fleet.etcd.start_missing()


def leader_killed(stage):
    stage.leader().kill()
    stage.go_on()
    stage.fleet.etcd.start_missing()


def all_members_killed(stage):
    for member in stage.fleet.etcd.members:
        member.kill()
    stage.fleet.etcd.start_missing()


def two_members_killed(stage):
    """One of three members must not acknowledge anything."""
    for member in stage.rng.sample(stage.fleet.etcd.members, 2):
        member.kill()
    before = stage.referee.acknowledged()
    time.sleep(TROUBLE_SECONDS)
    # Requests in flight may still have been answered.
    check(stage.referee.acknowledged() - before <= 20, "one member of three takes writes")
    stage.fleet.etcd.start_missing()


def leader_changed(stage):
    for _ in range(2):
        time.sleep(stage.change_seconds)
        leader = stage.leader()
        others = [status for member, status in stage.fleet.etcd.statuses() if member is not leader]
        wanted = stage.rng.choice(others)["header"]["member_id"]
        stage.fleet.etcd.control("move-leader", f"{wanted:x}", members=[leader])
        stage.go_on()


def member_cut_off(stage):
    place = stage.rng.choice(stage.places[:3])
    place.cut_off()
    time.sleep(TROUBLE_SECONDS)
    stage.go_on()
    place.join()


def leader_cut_off(stage):
    place = stage.leader().machine
    place.cut_off()
    stage.go_on()
    time.sleep(TROUBLE_SECONDS)
    place.join()


def api_server_cut_off(stage):
    """Also disconnects the scheduler and the controllers on that machine, one of which may lead."""
    place = stage.rng.choice(stage.places[3:])
    place.cut_off()
    time.sleep(TROUBLE_SECONDS)
    stage.go_on()
    place.join()


def slow_network(stage):
    place = stage.rng.choice(stage.places[:3])
    place.slow_down(40, 30, 0.01)
    stage.go_on()
    time.sleep(TROUBLE_SECONDS)
    place.speed_up()


def slow_network_of_a_server(stage):
    place = stage.rng.choice(stage.places[3:])
    place.slow_down(40, 30, 0.01)
    stage.go_on()
    time.sleep(TROUBLE_SECONDS)
    place.speed_up()


def slow_disk_of_the_leader(stage):
    member = stage.leader()
    member.slow_disk(150)
    time.sleep(TROUBLE_SECONDS)
    stage.go_on()
    member.fast_disk()


def compacted(stage):
    for _ in range(3):
        stage.referee.await_writes(WRITES)
        stage.referee.watch_late()
        at = int(stage.referee.client.get(COLLECTION)["metadata"]["resourceVersion"])
        said = stage.fleet.etcd.control("compact", str(at), members=[stage.leader()])
        check(said is not None, "etcd could not be compacted")
        stage.referee.watch_late()


def database_full(stage):
    member = stage.leader()
    alarm = f'{{"action":"ACTIVATE","memberID":{member_id(stage, member)},"alarm":"NOSPACE"}}'
    check(set_alarm(member, alarm), "the alarm could not be raised")
    client = stage.fleet.client()
    deadline = time.monotonic() + 20
    while True:
        status, answer = client.clients[0].request("POST", COLLECTION, {
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "full-"}})
        if status == 503:
            break
        check(status == 201 and time.monotonic() < deadline, "a write to a full etcd:", status, answer)
    check("reached its quota" in answer["message"], answer)
    for number in range(2):
        status, answer = client.clients[number].request("GET", COLLECTION)
        check(status == 200, "a read of a full etcd:", status, answer)
    check(stage.fleet.etcd.control("alarm", "disarm") is not None, "the alarm could not be ended")
    client.close()


def member_id(stage, member):
    return next(status["header"]["member_id"] for one, status in stage.fleet.etcd.statuses()
                if one is member)


def set_alarm(member, request):
    """Uses etcd's JSON gateway, because etcdctl can clear an alarm but not raise one."""
    asked = urllib.request.Request(member.url + "/v3/maintenance/alarm", request.encode(),
                                   {"Content-Type": "application/json"})
    with urllib.request.urlopen(asked, timeout=5) as answer:
        return answer.status == 200


FAULTS = [api_server_killed, follower_killed, leader_killed, all_members_killed, two_members_killed,
          scheduler_and_controllers_killed, leader_changed, member_cut_off, leader_cut_off,
          api_server_cut_off, slow_network, slow_network_of_a_server, slow_disk_of_the_leader,
          compacted, database_full]


def play(stage, number, fault):
    began = time.monotonic()
    stage.promises.begin(number)
    stage.referee.begin(number)
    stage.referee.await_writes(WRITES)
    stage.referee.watch_late()
    struck = time.monotonic()
    stage.promises.stir(number)
    fault(stage)
    stage.fleet.keep_running()
    stage.referee.await_writes(WRITES)
    healed = time.monotonic()
    stage.referee.watch_late()
    stage.promises.end()
    acknowledged = stage.referee.acknowledged()
    stage.referee.end()
    print(f"ok      {fault.__name__}: writes went on after {healed - struck:.1f} s, {acknowledged} writes in "
          f"{time.monotonic() - began:.1f} s", flush=True)


def choose(minutes, rng):
    """Yields each fault once, and then random ones until the time is over."""
    only = os.environ.get("ONLY")
    faults = [one for one in FAULTS if not only or one.__name__ in only.split(",")]
    yield from faults
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        yield rng.choice(faults)


def main():
    missing = [name for name in ("etcdctl", "strace", "ip", "unshare", "nsenter")
               if shutil.which(name) is None]
    if missing or not etcd.is_installed():
        print("there is no", *(missing or ["etcd"]))
        return 77
    if not machines.enter():
        print("there can be no network namespaces")
        return 77
    seed = int(os.environ.get("SEED", random.SystemRandom().randrange(1 << 32)))
    minutes = float(sys.argv[2]) if len(sys.argv) > 2 else 0
    print(f"faults_test: seed {seed}", flush=True)
    machines.start_network()
    places = [machines.Machine(number) for number in range(11, 16)]
    began = time.monotonic()
    with Fleet(sys.argv[1], places, controllers="taint-eviction-controller") as fleet:
        stage = Stage(fleet, places, seed, 10 if minutes else 0)
        number, fault = 0, None
        try:
            for number, fault in enumerate(choose(minutes, random.Random(seed))):
                play(stage, number, fault)
        except (Failure, OSError, RuntimeError) as failure:
            print(f"FAILED  {fault.__name__}, round {number}, seed {seed}: {failure}", flush=True)
            return 1
        print(f"faults_test: {number + 1} faults in {time.monotonic() - began:.0f} s: "
              f"{stage.referee.text()}; {stage.promises.text()}; nothing lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
