"""Plays the session that the pictures of docs/ show: `plimsoll up --demo`, kubectl, and a taint that crosses a line.

Every number and every line of output in the result comes from that run."""

import calendar
import contextlib
import json
import os
import pathlib
import re
import shlex
import signal
import socket
import subprocess
import tempfile
import time

import docs_svg
import pty_run

ROOT = pathlib.Path(__file__).resolve().parents[1]
TAINT = "failure-probability"
APP = "payment-processor"
WAIT_SECONDS_MAX = 90
# The screenshots: what the command is called, and the command.
SCREENS = {
    "match": "plimsoll match --pod examples/tour/pod.yaml --nodes examples/tour/nodes.yaml",
    "check": "plimsoll check examples/tour tests/check/broken/gt-leading-zero.yaml",
    "explain": "plimsoll explain pod -f examples/tour/pod.yaml --nodes examples/tour/nodes.yaml --node spot-1",
}
POD_COLUMNS = "POD:.metadata.name,NODE:.spec.nodeName"


class Session:
    """A running cluster, and the lines of its terminal."""

    def __init__(self, binary, directory):
        self.binary, self.directory = str(binary), pathlib.Path(directory)
        self.lines, self.began, self.process, self.log = [], time.monotonic(), None, None
        kubeconfig = str(self.directory / "data" / "admin.kubeconfig")
        # A kubectl of its own, so that nothing of the user's configuration is in the picture.
        self.environment = dict(os.environ, KUBECONFIG=kubeconfig, HOME=str(self.directory))

    def start(self):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        self.log = open(self.directory / "log", "w+", encoding="utf-8")  # pylint: disable=consider-using-with
        self.add("command", "plimsoll up --demo &")
        self.process = subprocess.Popen(
            [self.binary, "up", "--demo", "--data-dir", str(self.directory / "data"), f"--port={port}",
             f"--log-file={self.directory}/server.log"], stdout=self.log, stderr=self.log)
        self.wait("the screen", lambda: "Ctrl-C stops it" in self.screen())
        head = self.screen().splitlines()
        for begin in ("Plimsoll is up", "  runs", "  demo"):
            self.add("output", next(one for one in head if one.startswith(begin)))

    def screen(self):
        return (self.directory / "log").read_text(encoding="utf-8")

    def stop(self):
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=60)
        if self.log is not None:
            self.log.close()

    def add(self, kind, words):
        self.lines.append((time.monotonic() - self.began, kind, words))

    def run(self, command):
        done = subprocess.run(shlex.split(command), env=self.environment, cwd=ROOT, text=True, capture_output=True,
                              timeout=60, check=False)
        return done.stdout if done.returncode == 0 else done.stdout + done.stderr

    def show(self, command, marks=()):
        """Runs a command and shows it with its output. Lines with one of `marks` are marked."""
        self.add("command", command)
        output = self.run(command)
        for one in output.rstrip().splitlines():
            self.add("mark" if any(mark in one for mark in marks) else "output", one.rstrip())
        return output

    def objects(self, kinds):
        return json.loads(self.run(f"kubectl get {kinds} -o json"))["items"]

    def pods(self, app=APP):
        return {pod["metadata"]["name"]: pod["spec"].get("nodeName") for pod in self.objects(f"pods -l app={app}")
                if pod["status"]["phase"] == "Running" and "deletionTimestamp" not in pod["metadata"]}

    def events(self, pod):
        return [event for event in self.objects("events") if event["involvedObject"]["name"] == pod
                and event["reason"] == "TaintManagerEviction"]

    @staticmethod
    def wait(what, is_there):
        deadline = time.monotonic() + WAIT_SECONDS_MAX
        while not is_there():
            if time.monotonic() > deadline:
                raise RuntimeError(f"timed out after {WAIT_SECONDS_MAX} s waiting for {what}")
            time.sleep(0.2)


def record_move(session):
    """Shows how a pod leaves a node whose value crosses its line. Returns the lines."""
    session.wait("four payments", lambda: len(session.pods()) == 4)
    pod, node = sorted(session.pods().items())[0]
    pods = f"kubectl get pods -l app={APP} -o custom-columns={POD_COLUMNS}"
    session.show(pods, marks=[pod])
    session.show(f"kubectl taint nodes {node} {TAINT}=15:NoExecute --overwrite")
    session.add("note", "# The payments tolerate values below 5 (Lt 5), with 30 seconds of grace.")
    session.wait("the eviction", lambda: session.events(pod) and pod not in session.pods())
    session.wait("the new pod", lambda: len(session.pods()) == 4)
    session.add("note", "# 30 seconds later:")
    session.show("kubectl get events --field-selector reason=TaintManagerEviction -o custom-columns=MESSAGE:.message",
                 marks=["Marking"])
    new = next(name for name in sorted(session.pods()) if pod.rsplit("-", 1)[0] in name and name not in str(session.lines))
    session.show(pods, marks=[new])
    return session.lines


def record_funnel(session):
    """Returns the funnel of a pod that no node takes, and the nearest node of each stage."""
    session.run("kubectl apply -f examples/explain/reports.yaml")
    session.wait("the pod", lambda: "reports" in session.run("kubectl get pods"))
    said = session.run(f"{shlex.quote(session.binary)} explain pod reports")
    stages = [("all nodes", int(re.search(r"(\d+) nodes →", said).group(1)))]
    stages += [(name.strip(), int(count)) for count, name in re.findall(r"→ (\d+) after ([^→\n]+)", said)]
    nearest = dict(re.findall(r"^([a-z ]+) \(\w+\):\n  .*\n    nearest: (.*)$", said, re.M))
    session.run("kubectl delete pod reports --now")
    return {"stages": stages, "nearest": sorted(nearest.items())}


def record_screens(binary):
    """Returns the lines of the terminal for commands that look at placement, with their colours. They need no server."""
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "KUBECONFIG")}
    environment |= {"TERM": "xterm-256color", "PATH": f"{pathlib.Path(binary).resolve().parent}:{environment['PATH']}"}
    screens = {}
    for name, command in SCREENS.items():
        _, text = pty_run.run(shlex.split(command), docs_svg.COLUMNS, environment, ROOT)
        screens[name] = [(0, "command", command)]
        screens[name] += [(0, "output", one.rstrip()) for one in text.rstrip().split("\n")]
    return screens


def record_load_line(session):
    """Returns values of nodes, limits of workloads, and where their pods are."""
    nodes, limits, pods = [], [], []
    for node in session.objects("nodes"):
        nodes += [(node["metadata"]["name"], int(taint["value"])) for taint in node["spec"].get("taints", [])
                  if taint["key"] == TAINT]
    for deployment in session.objects("deployments"):
        app = deployment["metadata"]["name"]
        for toleration in deployment["spec"]["template"]["spec"].get("tolerations", []):
            if toleration.get("key") == TAINT:
                limits.append((app, int(toleration["value"])))
        pods += [(app, node) for node in session.pods(app).values()]
    return {"nodes": nodes, "limits": sorted(limits, key=lambda limit: limit[1]), "pods": sorted(pods)}


def record_timeline(session):
    """Moves one value across the line and back, and across again. Returns values and events with the server's times."""
    pod, node = sorted(session.pods().items())[0]
    values = []

    def taint():
        item = json.loads(session.run(f"kubectl get node {node} -o json"))
        return next(one for one in item["spec"]["taints"] if one["key"] == TAINT)

    def set_value(value):
        session.run(f"kubectl taint nodes {node} {TAINT}={value}:NoExecute --overwrite")
        values.append((time.time(), value))

    values.append((time.time(), int(taint()["value"])))
    for value, seconds in ((15, 10), (16, 8), (3, 6)):
        time.sleep(4 if value == 15 else 0)
        set_value(value)
        time.sleep(seconds)
    set_value(15)
    session.wait("the eviction", lambda: pod not in session.pods())
    events = [(time_of(event), event["message"].split(" Pod ", 1)[0].removesuffix(" of")) for event in session.events(pod)]
    start = values[0][0]
    return {"limit": 5, "values": [(round(at - start, 1), value) for at, value in values],
            "events": sorted((round(at - start, 1), words) for at, words in events)}


def time_of(event):
    """Returns the time of an event as seconds since 1970."""
    words = event.get("eventTime") or event.get("lastTimestamp") or event["metadata"]["creationTimestamp"]
    stamp = re.fullmatch(r"(.{19})(\.\d+)?Z", words)
    whole = time.strptime(stamp.group(1), "%Y-%m-%dT%H:%M:%S")
    return calendar.timegm(whole) + float(stamp.group(2) or 0)


def record(binary):
    with tempfile.TemporaryDirectory() as directory, contextlib.ExitStack() as stack:
        session = Session(binary, directory)
        stack.callback(session.stop)
        session.start()
        session.wait("four payments", lambda: len(session.pods()) == 4)
        load = record_load_line(session)
        return {"move": record_move(session), "funnel": record_funnel(session), "screens": record_screens(binary),
                "load_line": load, "timeline": record_timeline(session)}
