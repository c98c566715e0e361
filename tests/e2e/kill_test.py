#!/usr/bin/env python3
"""kill_test.py BINARY [ROUNDS]: repeatedly kills a server under load, and checks over HTTP that it
keeps what it has acknowledged.

In each round, writers create, update and delete ConfigMaps and increment counters, watchers follow,
and the server is killed with kill -9 at a random moment and restarted. A last write, the marker,
ends the round, and the watch events up to it are the history. Every acknowledged write must be in
it once, at its resourceVersion and complete. Every other event must be an attempt without answer.
The history must lead to what a list shows, and every watcher must have seen exactly it.

Without ROUNDS it runs for SECONDS. The seed is printed; SEED=… sets it. It repeats the choices of a
run, but not the scheduling of threads."""

import hashlib
import json
import os
import random
import signal
import sys
import threading
import time

from server import Server
from wire import BROKEN, Client, Credentials

SECONDS = 40
COLLECTION = "/api/v1/namespaces/default/configmaps"
WRITERS = 3
NAMES_PER_WRITER = 6
COUNTERS = ("counter-a", "counter-b")
INCREMENTERS = 2  # per counter
HISTORY_MAX = 20000  # events kept for comparison


class Failure(Exception):
    pass


def check(holds, *words):
    if not holds:
        raise Failure(" ".join(str(word) for word in words))


def checksum(data):
    text = "\0".join(f"{key}={data[key]}" for key in sorted(data) if key != "sum")
    return hashlib.sha256(text.encode()).hexdigest()


def config_map(name, attempt, rng, **data):
    data = dict(data, attempt=attempt, pad=rng.randbytes(rng.choice((0, 10, 3000))).hex())
    data["sum"] = checksum(data)
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": data}


def revision(thing):
    return int(thing["metadata"]["resourceVersion"])


def whole(thing):
    name = thing["metadata"]["name"]
    check(thing.get("data", {}).get("sum") == checksum(thing["data"]), name, "is damaged:", thing)
    return thing


class Event:
    """The parts of a watch event that must be equal for all watchers."""

    def __init__(self, kind, thing):
        self.kind = kind
        self.thing = thing
        self.name = thing["metadata"]["name"]
        self.revision = revision(thing)

    def key(self):
        return self.revision, self.kind, self.name, self.thing["data"]["attempt"]

    def attempt(self):
        # A deletion names the object that it removed.
        return self.kind, self.name, self.thing["data"]["attempt"]


class Ledger:
    """The attempts of one round and their outcomes."""

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = {}  # attempt -> resourceVersion; None if the answer had none
        self.unanswered = set()
        self.refused = set()

    def write(self, client, request, attempt, refusal=None):
        """Sends the request. Returns the resulting object, or None for an allowed rejection."""
        with self.lock:
            self.unanswered.add(attempt)
        status, answer = client.request(*request)
        check(status in (200, 201, refusal), request[0], attempt, "answered", status, answer)
        with self.lock:
            self.unanswered.discard(attempt)
            if status == refusal:
                self.refused.add(attempt)
                return None
            is_object = answer["kind"] == "ConfigMap" and attempt[0] != "DELETED"
            self.acknowledged[attempt] = revision(answer) if is_object else None
        return answer


class Worker(threading.Thread):
    """Repeats its step until the connection breaks. Keeps a Failure for the referee."""

    def __init__(self, server, credentials):
        super().__init__(daemon=True)
        self.client = Client(server, credentials.admin)
        self.failure = None

    def run(self):
        try:
            while True:
                self.step()
        except TimeoutError:
            self.failure = Failure("the server does not answer")
        except BROKEN:
            pass
        except Exception as failure:  # pylint: disable=broad-except
            self.failure = failure
        finally:
            self.client.close()


class Writer(Worker):
    """Creates, updates and deletes objects that no other thread writes, so it knows their state."""

    def __init__(self, server, credentials, ledger, number, state, seed):
        super().__init__(server, credentials)
        self.ledger = ledger
        self.number = number
        self.rng = random.Random(seed)
        self.names = [f"w{number}-{i}" for i in range(NAMES_PER_WRITER)]
        self.known = {name: state[name] for name in self.names if name in state}
        self.count = 0
        self.prefix = f"{seed}-{number}"

    def step(self):
        self.count += 1
        name = self.rng.choice(self.names)
        attempt = f"{self.prefix}-{self.count}"
        new = config_map(name, attempt, self.rng)
        path = f"{COLLECTION}/{name}"
        if name not in self.known:
            self.known[name] = self.ledger.write(
                self.client, ("POST", COLLECTION, new), ("ADDED", name, attempt))
            return
        old = self.known[name]
        way = self.rng.choice(("put", "put", "patch", "delete", "stale"))
        if way == "delete":
            options = {"preconditions": {"resourceVersion": str(revision(old))}}
            self.ledger.write(self.client, ("DELETE", path, options),
                              ("DELETED", name, old["data"]["attempt"]))
            del self.known[name]
            return
        precondition = revision(old) - 1 if way == "stale" else revision(old)
        new["metadata"]["resourceVersion"] = str(precondition)
        request = ("PUT", path, new)
        if way == "patch":
            request = ("PATCH", path, new, "application/merge-patch+json")
        answer = self.ledger.write(self.client, request, ("MODIFIED", name, attempt),
                                   refusal=409 if way == "stale" else None)
        check((answer is None) == (way == "stale"), name, "ignored a precondition:", answer)
        if answer is not None:
            check(revision(answer) > revision(old), name, "went back in revisions")
            self.known[name] = answer


class Incrementer(Worker):
    """Increments a counter that others increment too."""

    def __init__(self, server, credentials, ledger, name, prefix):
        super().__init__(server, credentials)
        self.ledger = ledger
        self.path = f"{COLLECTION}/{name}"
        self.name = name
        self.rng = random.Random(prefix)
        self.prefix = prefix
        self.count = 0

    def step(self):
        self.count += 1
        status, old = self.client.request("GET", self.path)
        check(status == 200, "GET", self.path, "answered", status, old)
        attempt = f"{self.prefix}-{self.count}"
        new = config_map(self.name, attempt, self.rng, value=str(int(old["data"]["value"]) + 1))
        new["metadata"]["resourceVersion"] = old["metadata"]["resourceVersion"]
        self.ledger.write(self.client, ("PUT", self.path, new),
                          ("MODIFIED", self.name, attempt), refusal=409)


class Watcher(threading.Thread):
    """Watches from one revision to another, and continues after every restart."""

    def __init__(self, server, credentials, since, serving, bookmarks=False):
        super().__init__(daemon=True)
        self.client = Client(server, credentials.admin)
        self.since = since  # start of the watch; reset after a 410
        self.reached = since
        self.serving = serving
        self.query = "&allowWatchBookmarks=true" if bookmarks else ""
        self.condition = threading.Condition()
        self.events = []
        self.relists = 0
        self.failure = None
        self.is_over = False

    def run(self):
        try:
            while not self.is_over:
                self.serving.wait()
                try:
                    self.follow()
                except BROKEN:
                    time.sleep(0.01)
        except Exception as failure:  # pylint: disable=broad-except
            with self.condition:
                self.failure = failure
                self.condition.notify_all()
        finally:
            self.client.close()

    def follow(self):
        response = self.client.open(
            "GET", f"{COLLECTION}?watch=true&resourceVersion={self.reached}{self.query}")
        if response.status == 410:
            self.relist()
            return
        check(response.status == 200, "the watch answered", response.status)
        while line := response.readline():
            if not line.endswith(b"\n"):
                break  # the server was killed
            event = json.loads(line)
            if event["type"] == "ERROR":
                check(event["object"].get("code") == 410, "the watch ended with", event)
                self.relist()
                return
            self.take(event)
        self.client.close()

    def take(self, event):
        at = revision(event["object"])
        with self.condition:
            if event["type"] == "BOOKMARK":
                check(at >= self.reached, "a bookmark goes back from", self.reached, "to", at)
            else:
                check(at > self.reached, "an event of", at, "came behind", self.reached)
                self.events.append(Event(event["type"], whole(event["object"])))
            self.reached = at
            self.condition.notify_all()

    def relist(self):
        self.client.close()
        status, answer = self.client.request("GET", COLLECTION)
        check(status == 200, "the list answered", status)
        with self.condition:
            self.relists += 1
            self.events = []
            self.since = self.reached = revision(answer)
            self.condition.notify_all()

    def events_until(self, at):
        """Waits until it has seen this revision, and returns its events."""
        with self.condition:
            done = self.condition.wait_for(
                lambda: self.failure or self.reached >= at, timeout=60)
            if self.failure:
                raise self.failure
            check(done, "a watcher from", self.since, "is stuck at", self.reached, "before", at)
            return list(self.events)

    def forget(self, at):
        """Drops the events up to this revision, which have been compared."""
        with self.condition:
            self.events = [event for event in self.events if event.revision > at]
            self.since = at

    def end(self):
        self.is_over = True


class Referee:
    def __init__(self, server, seed):
        self.server = server
        self.seed = seed
        self.rng = random.Random(seed)
        self.credentials = Credentials(server)
        self.client = Client(server, self.credentials.admin)
        self.serving = threading.Event()
        self.serving.set()
        self.counts = {"acknowledged": 0, "unanswered": 0, "came true": 0, "events": 0,
                       "late watchers": 0, "relists": 0, "killed at start": 0}
        self.history = []  # events since the oldest revision that is kept
        for name in COUNTERS + ("marker",):
            status, answer = self.client.request(
                "POST", COLLECTION, config_map(name, "first", self.rng, value="0"))
            check(status == 201, "POST", name, "answered", status, answer)
        self.state, self.settled = self.list()
        self.first = self.oldest = self.settled
        self.live = [self.watcher(self.settled), self.watcher(self.settled, bookmarks=True)]

    def watcher(self, since, bookmarks=False):
        watcher = Watcher(self.server, self.credentials, since, self.serving, bookmarks)
        watcher.start()
        return watcher

    def list(self):
        status, answer = self.client.request("GET", COLLECTION)
        check(status == 200, "the list answered", status, answer)
        return ({item["metadata"]["name"]: whole(item) for item in answer["items"]
                 if "attempt" in item.get("data", {})}, revision(answer))

    def any_revision(self):
        if not self.history or self.rng.random() < 0.2:
            return self.first  # the server may have compacted it
        return self.rng.choice(self.history).revision

    def round(self, number):
        ledger = Ledger()
        workers = [Writer(self.server, self.credentials, ledger, i, self.state,
                          f"{self.seed}-{number}") for i in range(WRITERS)]
        workers += [Incrementer(self.server, self.credentials, ledger, name,
                                f"{self.seed}-{number}-i{i}")
                    for name in COUNTERS for i in range(INCREMENTERS)]
        for worker in workers:
            worker.start()
        load_seconds = self.rng.uniform(0, 0.7) ** 1.5
        time.sleep(load_seconds / 2)
        late = [self.watcher(self.any_revision())]
        time.sleep(load_seconds / 2)
        self.kill_and_restart()
        for worker in workers:
            worker.join(60)
            check(not worker.is_alive(), "a client hangs on a dead server")
            if worker.failure:
                raise worker.failure
        late.append(self.watcher(self.any_revision()))
        self.settle(ledger, late)

    def kill_and_restart(self):
        self.serving.clear()
        self.client.close()
        self.server.stop(signal.SIGKILL)
        while self.rng.random() < 0.15:
            self.server.launch()
            time.sleep(self.rng.uniform(0, 0.4))
            self.server.stop(signal.SIGKILL)
            self.counts["killed at start"] += 1
        self.server.start()
        self.serving.set()

    def settle(self, ledger, late):
        """Ends the round with the marker, and compares the events of all watchers."""
        marker = config_map("marker", f"marker-{self.settled}", self.rng)
        end = revision(ledger.write(self.client, ("PUT", f"{COLLECTION}/marker", marker),
                                    ("MODIFIED", "marker", f"marker-{self.settled}")))
        check(end > self.settled, "the marker went back from", self.settled, "to", end)
        reader = self.watcher(self.settled)
        events = reader.events_until(end)
        check(reader.relists == 0, "the last round is not to be read back from", self.settled)
        reader.end()
        self.judge(events, ledger)
        self.history += events
        self.compare(late, end)
        self.compare(self.live, end)
        for watcher in late:
            watcher.end()
        for watcher in self.live:
            watcher.forget(end)
        if len(self.history) > HISTORY_MAX:
            self.oldest = self.history[-HISTORY_MAX // 2].revision
            self.history = [event for event in self.history if event.revision > self.oldest]
        self.settled = end
        self.counts["acknowledged"] += len(ledger.acknowledged)
        self.counts["unanswered"] += len(ledger.unanswered)
        self.counts["events"] += len(events)
        self.counts["late watchers"] += len(late)

    def judge(self, events, ledger):
        seen = {}
        for event in events:
            attempt = event.attempt()
            check(attempt not in seen, attempt, "happened twice")
            seen[attempt] = event.revision
            is_known = attempt in ledger.acknowledged or attempt in ledger.unanswered
            check(is_known, attempt, "happened, but nobody was to do that; refused:",
                  attempt in ledger.refused)
            self.counts["came true"] += attempt in ledger.unanswered
            self.apply(event)
        for attempt, at in ledger.acknowledged.items():
            check(attempt in seen, attempt, "was acknowledged at", at, "and is lost")
            check(at in (None, seen[attempt]), attempt, "was at", at, "now at", seen[attempt])
        listed, _ = self.list()
        check(listed == self.state, "the list is not what the events lead to:", listed, self.state)

    def apply(self, event):
        old = self.state.get(event.name)
        check((old is None) == (event.kind == "ADDED"), event.key(), "does not follow from", old)
        if event.kind == "DELETED":
            check(old["data"] == event.thing["data"], event.key(), "deleted another:", old)
            del self.state[event.name]
            return
        if event.name in COUNTERS:
            check(int(event.thing["data"]["value"]) == int(old["data"]["value"]) + 1,
                  event.key(), "lost an increment:", old, event.thing)
        self.state[event.name] = event.thing

    def compare(self, watchers, end):
        for watcher in watchers:
            seen = watcher.events_until(end)
            since = max(watcher.since, self.oldest)
            got = [event.key() for event in seen if event.revision > since]
            wanted = [event.key() for event in self.history if event.revision > since]
            check(got == wanted, "a watcher from", watcher.since, "saw", len(got), "events, not",
                  len(wanted), "; first difference:",
                  next(((a, b) for a, b in zip(got + [None], wanted + [None]) if a != b), None))
            self.counts["relists"] += watcher.relists
            watcher.relists = 0


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    rounds = int(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("ROUNDS", 0))
    seed = int(os.environ.get("SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"kill_test: seed {seed}", flush=True)
    begun = time.monotonic()
    done = 0
    with Server(sys.argv[1]) as server:
        try:
            referee = Referee(server, seed)
            while done < rounds if rounds else time.monotonic() - begun < SECONDS:
                referee.round(done)
                done += 1
            code = server.stop()
            check(code == 0, "the server ended with", code)
        except Exception as failure:  # pylint: disable=broad-except
            print(f"kill_test: seed {seed}, round {done}: {type(failure).__name__}: {failure}",
                  "the server's last words:", *server.log_path.read_text().splitlines()[-20:],
                  sep="\n", file=sys.stderr)
            return 1
    counts = ", ".join(f"{count} {what}" for what, count in referee.counts.items())
    print(f"kill_test: {done} rounds in {time.monotonic() - begun:.0f} s: {counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
