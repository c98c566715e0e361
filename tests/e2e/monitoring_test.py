#!/usr/bin/env python3
"""monitoring_test.py BINARY: checks deploy/monitoring against a running `plimsoll up`. Every metric of a rule or panel is
exported, promtool accepts the files, and Prometheus scrapes the server with the documented rights: each rule evaluates, and
a healthy cluster causes no alert."""

import contextlib
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from cluster import Cluster, await_true, check, play
from server import Server

FILES = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "monitoring"
SECRETS = "/etc/prometheus/plimsoll"
SECONDS_MAX = 60
RECORD = re.compile(r"plimsoll:[\w:]+")
# A metric in an expression: a word with an underscore, or `up`; labels and their values are cut before.
METRIC = re.compile(r"(?<![\w:])(?:[a-z]\w*_\w+|up)(?![\w:(])")
FUNCTIONS = {"histogram_quantile"}
# Samples of these appear only after the first event of their kind.
LAZY = {"apiserver_audit_error_total"}


def metrics_of(expression):
    """Returns the names of the metrics in an expression, without those of recording rules."""
    bare = re.sub(r"\{[^}]*\}|\b(?:by|without|on|ignoring)\s*\([^)]*\)|\[[^\]]*\]", "", expression)
    return set(METRIC.findall(RECORD.sub("", bare))) - FUNCTIONS


def rule_expressions():
    """Returns (name, expression) of each rule, and of each panel of the dashboard."""
    text = (FILES / "rules.yml").read_text()
    found = re.findall(r"- (?:record|alert): (\S+)\n\s+expr: (.*)", text)
    check(len(found) == len(re.findall(r"\bexpr:", text)), "a rule is not of one line")
    panels = json.loads((FILES / "dashboard.json").read_text())["panels"]
    return found + [(panel["title"], target["expr"]) for panel in panels for target in panel.get("targets", [])]


def exported(text):
    """Returns the names of the samples that a page of metrics has or announces."""
    names = {line.split("{")[0].split(" ")[0] for line in text.splitlines() if line and not line.startswith("#")}
    for name, kind in re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M):
        names |= {name} if kind in ("counter", "gauge") else {f"{name}_{part}" for part in ("bucket", "sum", "count")}
    return names


class Stage(Cluster):
    """A cluster with a pod that runs, and a directory with the files of deploy/monitoring for it."""

    def __init__(self, server):
        super().__init__(server)
        self.folder = server.directory / "monitoring"
        shutil.copytree(FILES, self.folder)
        (self.folder / "ca.crt").write_bytes((server.directory / "data" / "pki" / "ca.crt").read_bytes())
        self.kubectl("create", "namespace", "monitoring")
        self.kubectl("create", "serviceaccount", "prometheus", "-n", "monitoring")
        self.kubectl("create", "clusterrolebinding", "scrapers", "--clusterrole=system:monitoring",
                     "--serviceaccount=monitoring:prometheus")
        self.kubectl("create", "clusterrole", "pod-metrics", "--verb=get", "--non-resource-url=/metrics/pods")
        self.kubectl("create", "clusterrolebinding", "pod-metrics", "--clusterrole=pod-metrics",
                     "--serviceaccount=monitoring:prometheus")
        status, answer = self.client.request(
            "POST", "/api/v1/namespaces/monitoring/serviceaccounts/prometheus/token",
            {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}})
        check(status in (200, 201), "no token:", status, answer)
        (self.folder / "token").write_text(answer["status"]["token"])
        self.kubectl("create", "deployment", "web", "--image=registry.example.com/web:1")
        await_true("a pod", lambda: "Running" in self.kubectl("get", "pods"))

    def page(self, path):
        status, text = self.client.request("GET", path)
        check(status == 200, path, status)
        return text.decode()

    def configuration(self):
        """Returns the path of prometheus.yml for this server. The components are in its process, so their job goes."""
        text = (self.folder / "prometheus.yml").read_text()
        text = text[:text.index("# Components that run")].replace(SECRETS, str(self.folder))
        check("127.0.0.1:6443" in text, "prometheus.yml has another port")
        text = text.replace("127.0.0.1:6443", f"127.0.0.1:{self.server.port}")
        text = re.sub(r"((?:scrape|evaluation)_interval): \d+s", r"\1: 1s", text)
        (self.folder / "here.yml").write_text(text)
        return self.folder / "here.yml"


def promtool(*words, cwd=FILES):
    done = subprocess.run(["promtool", *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=60, check=False)
    check(done.returncode == 0, "promtool", *words, done.stdout, done.stderr)


def tools_accept_the_files(stage):
    whole = (FILES / "prometheus.yml").read_text().replace(SECRETS, str(stage.folder))
    (stage.folder / "whole.yml").write_text(whole)
    promtool("check", "config", stage.folder / "whole.yml")
    promtool("check", "rules", "rules.yml")
    promtool("test", "rules", "rules_test.yml")


def every_metric_is_exported(stage):
    there = exported(stage.page("/metrics")) | {"up"}
    missing = [f"{name}: {metric}" for name, expression in rule_expressions()
               for metric in sorted(metrics_of(expression) - there)]
    check(not missing, "not exported:", *missing)
    records = set(re.findall(r"record: (\S+)", (FILES / "rules.yml").read_text()))
    used = {record for _, expression in rule_expressions() for record in RECORD.findall(expression)}
    check(used <= records, "no rule records", used - records)
    # The page of the documentation, too.
    text = (FILES.parents[1] / "docs" / "monitoring.md").read_text()
    pods = exported(stage.page("/metrics/pods"))
    named = {word for word in re.findall(r"`((?:scheduler|apiserver|plimsoll_store|kube_pod|process|workqueue|rest_client|kubernetes|\w*taint_eviction_controller)_\w+)`", text)}
    bases = there | pods | {name.rsplit("_", 1)[0] for name in there}
    check(named and named <= bases, "docs/monitoring.md names", named - bases)


@contextlib.contextmanager
def prometheus(stage):
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{one.getsockname()[1]}"
    with open(stage.folder / "log", "wb") as log:
        process = subprocess.Popen(
            ["prometheus", f"--config.file={stage.configuration()}", f"--storage.tsdb.path={stage.folder}/tsdb",
             f"--web.listen-address={address}"], stdout=log, stderr=log)
    try:
        yield lambda path: ask(f"http://{address}/api/v1/{path}")
    except Exception:
        print((stage.folder / "log").read_text()[-4000:])
        raise
    finally:
        process.terminate()
        process.wait(timeout=60)


def ask(url):
    """Returns the data of an answer, or nothing while Prometheus starts."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return json.load(answer)["data"]
    except OSError:
        return None


def prometheus_evaluates_the_rules(stage):
    with prometheus(stage) as get:
        def values(expression):
            data = get("query?query=" + urllib.parse.quote(expression))
            return data["result"] if data else []

        def jobs_up():
            return {one["metric"]["job"] for one in values("up == 1")} == {"plimsoll-apiserver", "plimsoll-pods"}

        await_true("scrapes of both jobs", jobs_up, SECONDS_MAX)
        # A rate needs two scrapes.
        for record in ("apiserver_requests:rate5m", "scheduler_pods:rate5m", "evictions:rate5m",
                       "store_fsync_seconds:p99_5m", "apiserver_errors:ratio5m"):
            await_true(record, lambda record=record: values(f"plimsoll:{record}"), SECONDS_MAX)

        def rules():
            groups = get("rules")["groups"]
            return [rule for group in groups for rule in group["rules"]]

        await_true("each rule is evaluated", lambda: all(rule["health"] != "unknown" for rule in rules()), SECONDS_MAX)
        for rule in rules():
            check(rule["health"] == "ok", rule["name"], rule.get("lastError"))
            check(rule.get("state") != "firing", rule["name"], "fires in a healthy cluster")
        check(len(rules()) == len(re.findall(r"\bexpr:", (FILES / "rules.yml").read_text())), "rules are missing")
        # Each metric has samples, or is one that begins with its first event.
        metrics = {metric for _, expression in rule_expressions() for metric in metrics_of(expression)}
        silent = {metric for metric in metrics if not values(f"count({metric})")}
        check(silent <= LAZY, "no samples of", silent - LAZY)


def main(binary):
    if shutil.which("prometheus") is None or shutil.which("promtool") is None:
        print("monitoring_test: no prometheus here; nothing was tested")
        return 77
    began = time.monotonic()
    # Without an audit log there is no metric of it.
    with Server(binary, "--nodes=2", "--audit-log-path=-", store="rocksdb", command="up") as server:
        code = play(Stage(server), tools_accept_the_files, every_metric_is_exported, prometheus_evaluates_the_rules)
    print(f"monitoring_test: {time.monotonic() - began:.0f} s")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
