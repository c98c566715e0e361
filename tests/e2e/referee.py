"""Load on several API servers, and the checks of their answers.

Writers create, update and delete their own ConfigMaps and increment shared counters. Watchers
follow, and continue at another server when the connection breaks. A last write, the marker, ends a
round, and the watch events up to it are the history. Every acknowledged write must be in it once,
at its resourceVersion. It must contain nothing that was rejected or never requested. Every write
must have found its object as expected, so that compare-and-swap is linearizable for each key. No
read that began after a write was acknowledged may be older than it. The history must lead to what
each server lists. Every watcher must have seen exactly the history, once and in order, or have
received 410 and listed again."""

import json
import random
import threading
import time

from cluster import Failure, check
from fleet import Unanswered
from wire import BROKEN, Client

COLLECTION = "/api/v1/namespaces/default/configmaps"
WRITERS = 2  # per server
NAMES_PER_WRITER = 5
COUNTERS = ("counter-a", "counter-b")
WATCH_SILENCE_SECONDS = 6  # bookmarks are more frequent than that, or the server is down


def revision(thing):
    return int(thing["metadata"]["resourceVersion"])


class Attempt:
    """A requested write and its outcome."""

    def __init__(self, ident, kind, name, expected):
        self.ident = ident
        self.kind = kind  # type of the expected watch event
        self.name = name
        self.expected = expected  # revision that it must find; 0: none
        self.acknowledged = None  # acknowledged revision; 0: the answer had none
        self.is_refused = False
        self.is_repeated = False  # a retry: the earlier request may have succeeded

    def __str__(self):
        return f"{self.kind} {self.name} by {self.ident} from {self.expected}"


class Ledger:
    """All attempts of a round."""

    def __init__(self):
        self.lock = threading.Lock()
        self.attempts = {}
        self.floors = {}  # by name: latest acknowledged revision, unless it was a deletion

    def ask(self, attempt):
        with self.lock:
            attempt.is_repeated = (attempt.kind, attempt.ident) in self.attempts
            self.attempts[attempt.kind, attempt.ident] = attempt

    def acknowledge(self, attempt, at):
        with self.lock:
            attempt.acknowledged = at
            if at:
                self.floors[attempt.name] = max(at, self.floors.get(attempt.name, 0))

    def refuse(self, attempt):
        with self.lock:
            attempt.is_refused = not attempt.is_repeated

    def floor(self, name):
        with self.lock:
            return self.floors.get(name, 0)

    def count(self, holds):
        with self.lock:
            return sum(1 for attempt in self.attempts.values() if holds(attempt))


class Worker(threading.Thread):
    """Repeats its step until the round is over. Keeps a Failure for the referee."""

    def __init__(self, referee, ledger, number, prefix):
        super().__init__(daemon=True)
        self.referee = referee
        self.ledger = ledger
        self.client = referee.fleet.client(number % 2)
        self.rng = random.Random(f"{prefix}-{number}")
        self.number = number
        self.prefix = f"{prefix}-{number}"
        self.count = 0
        self.failure = None

    def run(self):
        try:
            while not self.referee.is_over:
                try:
                    self.step()
                except Unanswered:
                    time.sleep(self.rng.uniform(0.01, 0.1))
        except Exception as failure:  # pylint: disable=broad-except
            self.failure = failure
        finally:
            self.client.close()

    def read(self, name):
        """Returns the object or None. It must not be older than what was acknowledged before."""
        floor = self.ledger.floor(name)
        status, found = self.client.once("GET", f"{COLLECTION}/{name}")
        check(status in (200, 404), "GET", name, "answered", status, found)
        if status == 404:
            return None
        check(revision(found) >= floor, "a read of", name, "found", revision(found), "after", floor,
              "was acknowledged")
        return found

    def write(self, method, attempt, body, may_conflict):
        self.ledger.ask(attempt)
        path = COLLECTION if method == "POST" else f"{COLLECTION}/{attempt.name}"
        status, answer = self.client.once(method, path, body)
        if status in (404, 409):
            self.ledger.refuse(attempt)
            check(may_conflict, attempt, "met", status, answer, "and there is",
                  self.client.read(f"{COLLECTION}/{attempt.name}"))
            return
        check(status in (200, 201), attempt, "answered", status, answer)
        has_revision = method != "DELETE" and answer["kind"] == "ConfigMap"
        self.ledger.acknowledge(attempt, revision(answer) if has_revision else 0)

    def new(self, name, old, **data):
        self.count += 1
        ident = f"{self.prefix}-{self.count}"
        thing = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
                 "data": dict(data, by=ident, pad="x" * self.rng.choice((0, 100, 3000)))}
        if old is not None:
            thing["metadata"]["resourceVersion"] = old["metadata"]["resourceVersion"]
        return ident, thing


class Writer(Worker):
    """Writes objects that no other thread writes. Only its own writes without answer can cause a
    conflict."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.doubtful = self.referee.doubtful  # over all rounds

    def step(self):
        name = f"w{self.number}-{self.rng.randrange(NAMES_PER_WRITER)}"
        old = self.read(name)
        ident, new = self.new(name, old)
        may_conflict = name in self.doubtful
        self.doubtful.add(name)  # until there is an answer
        if old is None:
            self.write("POST", Attempt(ident, "ADDED", name, 0), new, may_conflict)
        elif self.rng.random() < 0.25:
            # A deletion event contains the object that was deleted.
            self.write("DELETE", Attempt(old["data"]["by"], "DELETED", name, revision(old)),
                       {"preconditions": {"resourceVersion": str(revision(old))}}, may_conflict)
        else:
            self.write("PUT", Attempt(ident, "MODIFIED", name, revision(old)), new, may_conflict)
        if not may_conflict:
            self.doubtful.discard(name)


class Incrementer(Worker):
    """Increments a counter that others increment too."""

    def step(self):
        name = self.rng.choice(COUNTERS)
        old = self.read(name)
        check(old is not None, name, "is not there")
        ident, new = self.new(name, old, value=str(int(old["data"]["value"]) + 1))
        self.write("PUT", Attempt(ident, "MODIFIED", name, revision(old)), new, True)


class Watcher(threading.Thread):
    """Watches from a revision at one server, and switches to the other when the connection
    breaks."""

    def __init__(self, fleet, first, since):
        super().__init__(daemon=True)
        self.clients = [Client(server, fleet.credentials.admin, timeout=WATCH_SILENCE_SECONDS)
                        for server in fleet.servers]
        self.current = first
        self.since = self.reached = since
        self.condition = threading.Condition()
        self.events = []
        self.relists = 0
        self.breaks = 0
        self.failure = None
        self.is_over = False

    def run(self):
        try:
            while not self.is_over:
                try:
                    self.follow(self.clients[self.current])
                except BROKEN:
                    self.breaks += 1
                    time.sleep(0.05)
                self.clients[self.current].close()
                self.current = 1 - self.current
        except Exception as failure:  # pylint: disable=broad-except
            with self.condition:
                self.failure = failure
                self.condition.notify_all()
        finally:
            for client in self.clients:
                client.close()

    def follow(self, client):
        # A short timeout, so that a disconnected watcher does not wait there.
        response = client.open("GET", f"{COLLECTION}?watch=true&allowWatchBookmarks=true"
                               f"&timeoutSeconds=5&resourceVersion={self.reached}")
        if response.status == 410:
            return self.relist(client)
        if response.status >= 500 or response.status == 429:
            time.sleep(0.05)
            return None
        check(response.status == 200, "the watch answered", response.status)
        while (line := response.readline()) and not self.is_over:
            if not line.endswith(b"\n"):
                return None
            event = json.loads(line)
            if event["type"] == "ERROR":
                code = event["object"].get("code", 0)
                check(code == 410 or code >= 500, "the watch ended with", event)
                return self.relist(client) if code == 410 else None
            self.take(event)
        return None

    def take(self, event):
        at = revision(event["object"])
        with self.condition:
            if event["type"] == "BOOKMARK":
                check(at >= self.reached, "a bookmark goes back from", self.reached, "to", at)
            else:
                check(at > self.reached, "an event of", at, "came behind", self.reached)
                self.events.append((at, event["type"], event["object"]))
            self.reached = at
            self.condition.notify_all()

    def relist(self, client):
        client.close()
        status, answer = client.request("GET", COLLECTION)
        if status != 200:
            return
        with self.condition:
            self.relists += 1
            self.events = []
            self.since = self.reached = revision(answer)
            self.condition.notify_all()

    def events_until(self, at):
        """Waits until it has seen this revision, and returns the events up to it."""
        with self.condition:
            done = self.condition.wait_for(lambda: self.failure or self.reached >= at, timeout=90)
            if self.failure:
                raise self.failure
            check(done, "a watcher from", self.since, "is stuck at", self.reached, "before", at)
            return [event for event in self.events if event[0] <= at]

    def forget(self, at):
        with self.condition:
            self.events = [event for event in self.events if event[0] > at]
            self.since = max(self.since, at)


class Referee:
    def __init__(self, fleet, seed):
        self.fleet = fleet
        self.seed = seed
        self.rng = random.Random(seed)
        self.client = fleet.client(timeout=20)
        self.is_over = True
        self.ledger = None
        self.doubtful = set()
        self.workers = []
        self.counts = {"acknowledged": 0, "refused": 0, "unanswered": 0, "came true": 0, "events": 0,
                       "watches resumed": 0, "relists": 0}
        for name in COUNTERS + ("marker",):
            self.client.retry("POST", COLLECTION, {
                "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
                "data": {"by": "first", "value": "0"}}, accepts=(201, 409))
        listed = self.client.get(COLLECTION)
        self.settled = revision(listed)
        self.state = self.objects(listed)
        self.live = [self.watcher(number % 2, self.settled) for number in range(3)]
        self.late = []

    def watcher(self, first, since):
        watcher = Watcher(self.fleet, first, since)
        watcher.start()
        return watcher

    @staticmethod
    def objects(listed):
        return {item["metadata"]["name"]: item for item in listed["items"]
                if "by" in item.get("data", {})}

    def begin(self, number):
        """Starts the load of a round."""
        self.is_over = False
        self.ledger = Ledger()
        prefix = f"{self.seed}-{number}"
        self.workers = [Writer(self, self.ledger, i, prefix) for i in range(2 * WRITERS)]
        self.workers += [Incrementer(self, self.ledger, 2 * WRITERS + i, prefix) for i in range(2)]
        for worker in self.workers:
            worker.start()
        self.late = []

    def watch_late(self):
        """Adds a watcher that starts at a revision of this round."""
        since = self.rng.randint(self.settled, max(watcher.reached for watcher in self.live))
        self.late.append(self.watcher(self.rng.randrange(2), since))

    def acknowledged(self):
        return self.ledger.count(lambda attempt: attempt.acknowledged is not None)

    def await_writes(self, more, seconds=60):
        """Waits until this many more writes are acknowledged."""
        wanted = self.acknowledged() + more
        deadline = time.monotonic() + seconds
        while self.acknowledged() < wanted:
            for worker in self.workers:
                if worker.failure:
                    raise worker.failure
            check(time.monotonic() < deadline, "writes do not go on")
            time.sleep(0.02)

    def end(self):
        """Stops the load and checks the round."""
        self.is_over = True
        for worker in self.workers:
            worker.join(60)
            check(not worker.is_alive(), "a client hangs")
            if worker.failure:
                raise worker.failure
        end = self.put_marker()
        self.judge(end)

    def put_marker(self):
        for number in range(1000):
            status, old = self.client.read(f"{COLLECTION}/marker")
            check(status == 200, status, old)
            attempt = Attempt(f"marker-{self.settled}-{number}", "MODIFIED", "marker", revision(old))
            self.ledger.ask(attempt)
            new = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"by": attempt.ident},
                   "metadata": {"name": "marker", "resourceVersion": str(revision(old))}}
            try:
                status, answer = self.client.once("PUT", f"{COLLECTION}/marker", new)
            except Unanswered:
                time.sleep(0.1)
                continue
            if status == 200:
                self.ledger.acknowledge(attempt, revision(answer))
                return revision(answer)
            check(status == 409, status, answer)
            self.ledger.refuse(attempt)
        raise Failure("the marker could not be written")

    def judge(self, end):
        seen_by = {watcher: watcher.events_until(end) for watcher in self.live + self.late}
        whole = [watcher for watcher in self.live if watcher.since <= self.settled]
        if not whole:
            whole = [self.watcher(0, self.settled)]
            seen_by[whole[0]] = whole[0].events_until(end)
            check(whole[0].since <= self.settled, "nobody saw the whole round")
        truth = seen_by[whole[0]]
        self.judge_events(truth)
        for watcher, events in seen_by.items():
            wanted = [key_of(event) for event in truth if event[0] > watcher.since]
            got = [key_of(event) for event in events if event[0] > self.settled]
            check(got == wanted, "a watcher from", watcher.since, "saw", len(got), "events, not",
                  len(wanted), "; first difference:",
                  next(((a, b) for a, b in zip(got + [None], wanted + [None]) if a != b), None))
            self.counts["watches resumed"] += watcher.breaks
            self.counts["relists"] += watcher.relists
            watcher.breaks = watcher.relists = 0
        for watcher in self.late + [one for one in whole if one not in self.live]:
            watcher.is_over = True
        for watcher in self.live:
            watcher.forget(end)
        self.settled = end
        for what, holds in (("acknowledged", lambda a: a.acknowledged is not None),
                            ("refused", lambda a: a.is_refused),
                            ("unanswered", lambda a: a.acknowledged is None and not a.is_refused)):
            self.counts[what] += self.ledger.count(holds)
        self.counts["events"] += len(truth)
        for number in range(2):
            listed = self.fleet.client(number).get(COLLECTION)
            check(self.objects(listed) == self.state, "server", number,
                  "lists what the events do not lead to")

    def judge_events(self, events):
        seen = {}
        for at, kind, thing in events:
            key = kind, thing["data"]["by"]
            attempt = self.ledger.attempts.get(key)
            check(attempt is not None, at, *key, "is what nobody asked for")
            check(not attempt.is_refused, attempt, "was refused and happened at", at)
            check(key not in seen, attempt, "happened at", seen.get(key), "and at", at)
            seen[key] = at
            self.counts["came true"] += attempt.acknowledged is None
            self.apply(attempt, at, kind, thing)
        for key, attempt in self.ledger.attempts.items():
            if attempt.acknowledged is None:
                continue
            check(key in seen, attempt, "was acknowledged and is lost")
            check(attempt.acknowledged in (0, seen[key]), attempt, "was acknowledged at",
                  attempt.acknowledged, "and happened at", seen[key])

    def apply(self, attempt, at, kind, thing):
        old = self.state.get(attempt.name)
        check((revision(old) if old else 0) == attempt.expected, attempt, "at", at, "found",
              revision(old) if old else 0)
        if kind == "DELETED":
            del self.state[attempt.name]
            return
        if attempt.name in COUNTERS:
            check(int(thing["data"]["value"]) == int(old["data"]["value"]) + 1, attempt,
                  "lost an increment")
        self.state[attempt.name] = thing

    def text(self):
        return ", ".join(f"{count} {what}" for what, count in self.counts.items())


def key_of(event):
    at, kind, thing = event
    return at, kind, thing["metadata"]["name"], thing["data"]["by"]
