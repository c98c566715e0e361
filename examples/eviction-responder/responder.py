#!/usr/bin/env python3
"""responder.py: saves the work of pods before they are evicted.

A pod names its responders in spec.evictionResponders. This program is such a responder. When its
turn comes, it runs a command that saves the pod's work, sends heartbeats meanwhile, and reports its
completion; then the next responder evicts the pod. When the eviction is cancelled, it stops the
command, and the pod goes on.

    responder.py --name acme.io/saver -- ./save.sh

The command gets the pod in the variables POD_NAMESPACE, POD_NAME and POD_UID. It must bear to be
killed and started again: a new responder process repeats work that no process has completed.
Needs the official Python client (Debian: python3-kubernetes) and the rights of responder.yaml."""

import argparse
import datetime
import os
import subprocess
import sys
import threading
import time

from kubernetes import client, config, dynamic
from kubernetes.client.exceptions import ApiException
from kubernetes.dynamic.exceptions import DynamicApiError

HEARTBEAT_SECONDS = 30  # the API server accepts one every 20 seconds; without one for 20 minutes the turn ends
WATCH_SECONDS = 300
RETRY_SECONDS = 2
POLL_SECONDS = 0.2


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Work:
    """The command for one Eviction, in a thread of its own."""

    def __init__(self, responder, eviction):
        self.responder = responder
        self.namespace = eviction.metadata.namespace
        self.name = eviction.metadata.name
        self.pod = eviction.spec.target.pod
        self.is_cancelled = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        environment = dict(os.environ, POD_NAMESPACE=self.namespace, POD_NAME=self.pod.name,
                           POD_UID=self.pod.uid)
        print(f"saving {self.namespace}/{self.pod.name}", flush=True)
        with subprocess.Popen(self.responder.command, env=environment) as process:
            beat_at = 0
            while process.poll() is None:
                if self.is_cancelled.wait(POLL_SECONDS):
                    process.terminate()
                    print(f"cancelled {self.namespace}/{self.pod.name}", flush=True)
                    return
                if time.monotonic() >= beat_at:
                    self.report(heartbeatTime=now(), message="saving the pod's work")
                    beat_at = time.monotonic() + HEARTBEAT_SECONDS
        code = process.returncode
        message = "saved" if code == 0 else f"could not save: exit code {code}"
        # A failure ends the turn, too: waiting longer would not save the work.
        self.report(completionTime=now(), message=message)
        print(f"{message} {self.namespace}/{self.pod.name}", flush=True)

    def report(self, **fields):
        """Patches the responder's own report. A strategic merge keeps those of others."""
        body = {"status": {"responders": [{"name": self.responder.name, **fields}]}}
        while not self.is_cancelled.is_set():
            try:
                self.responder.evictions.status.patch(
                    body=body, name=self.name, namespace=self.namespace,
                    content_type="application/strategic-merge-patch+json")
                return
            except DynamicApiError as error:
                if error.status in (404, 422):  # the turn is over
                    print(f"report rejected: {error.body}", file=sys.stderr, flush=True)
                    return
                time.sleep(RETRY_SECONDS)


class Responder:
    """Watches the Evictions in which this responder takes part."""

    def __init__(self, api, name, namespace, command):
        self.name = name
        self.namespace = namespace
        self.command = command
        self.evictions = dynamic.DynamicClient(api).resources.get(
            api_version="lifecycle.k8s.io/v1alpha1", kind="Eviction")
        self.works = {}  # by uid of the Eviction

    def is_active(self, eviction):
        status = eviction.status  # the client returns None for missing fields
        return any(one.name == self.name and one.state == "Active"
                   for one in status and status.targetResponders or [])

    def see(self, kind, eviction):
        uid = eviction.metadata.uid
        if kind != "DELETED" and self.is_active(eviction):
            if uid not in self.works:
                self.works[uid] = Work(self, eviction)
        elif work := self.works.pop(uid, None):
            work.is_cancelled.set()

    def follow(self):
        """Lists the Evictions, then watches them until the server ends the watch. Every participant
        of an Eviction is the key of a label on it."""
        query = {"namespace": self.namespace, "label_selector": self.name}
        found = self.evictions.get(**query)
        for eviction in found.items:
            self.see("ADDED", eviction)
        for uid in self.works.keys() - {one.metadata.uid for one in found.items}:
            self.works.pop(uid).is_cancelled.set()
        for event in self.evictions.watch(resource_version=found.metadata.resourceVersion,
                                          timeout=WATCH_SECONDS, **query):
            if event["type"] not in ("ADDED", "MODIFIED", "DELETED"):
                return
            self.see(event["type"], event["object"])

    def run(self):
        while True:
            try:
                self.follow()
            except (ApiException, DynamicApiError, OSError) as error:
                print(f"trying again: {error}", file=sys.stderr, flush=True)
                time.sleep(RETRY_SECONDS)


def connect(kubeconfig):
    if kubeconfig:
        return config.new_client_from_config(kubeconfig)
    config.load_incluster_config()
    return client.ApiClient()


def main():
    parser = argparse.ArgumentParser(description="Saves the work of pods before they are evicted.")
    parser.add_argument("--name", required=True, help="name of the responder, such as acme.io/saver")
    parser.add_argument("--namespace", help="only pods of this namespace; all if unset")
    parser.add_argument("--kubeconfig", help="the service account of the pod if unset")
    parser.add_argument("command", nargs="+", help="command that saves the work of a pod")
    words = parser.parse_args()
    Responder(connect(words.kubeconfig), words.name, words.namespace, words.command).run()


if __name__ == "__main__":
    main()
