#!/usr/bin/env python3
"""lifecycle_test.py BINARY: checks `plimsoll up --detach`, `status` and `down`: starts and failures in the
background, the user's kubeconfig and its renewed certificate, deleted data, and that no wrong flag creates
a data directory."""

import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

from cluster import await_true, check, play
from server import Server, kubectls

OPENSSL = shutil.which("openssl")


class Lab:
    """A directory with a home and a data directory for one scene. The end of the scene stops what runs in it."""

    def __init__(self, binary):
        self.binary = binary
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="plimsoll-e2e-"))
        self.data = self.root / "data"
        self.home = self.root / "home"
        self.home.mkdir()
        self.environment = dict(os.environ, HOME=str(self.home))
        self.environment.pop("KUBECONFIG", None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run("down", "--timeout=20s")
        shutil.rmtree(self.root, ignore_errors=True)

    def run(self, command, *flags):
        return subprocess.run([self.binary, command, "--data-dir", str(self.data), *flags], capture_output=True,
                              text=True, timeout=120, check=False, env=self.environment, stdin=subprocess.DEVNULL,
                              cwd=self.root)

    def succeed(self, command, *flags):
        done = self.run(command, *flags)
        check(done.returncode == 0, command, *flags, "ended with", done.returncode, done.stdout, done.stderr)
        return done.stdout

    def up(self, *flags):
        return self.succeed("up", "--detach", "--port=0", *flags)

    def status(self):
        done = self.run("status", "-o", "json")
        found = json.loads(done.stdout)
        check(done.returncode == (0 if found["running"] else 1), done.returncode, found)
        return found

    def kubectl(self, *words, kubeconfig=None):
        path = list(kubectls().values())[-1]
        where = [] if kubeconfig is None else ["--kubeconfig", str(kubeconfig)]
        done = subprocess.run([path, *where, *words], capture_output=True, text=True, timeout=60, check=False,
                              env=self.environment)
        check(done.returncode == 0, "kubectl", *words, "failed:", done.stderr)
        return done.stdout

    @property
    def kubeconfig(self):
        return self.data / "admin.kubeconfig"

    @property
    def users_config(self):
        return self.home / ".kube" / "config"


def check_says(text, *patterns):
    for pattern in patterns:
        check(re.search(pattern, text), "wanted", repr(pattern), "in:", text)


def has_ended(pid):
    """Returns true if the process is gone, or waits for the init process of this machine to notice its end."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].startswith("Z")
    except FileNotFoundError:
        return True


def runs_in_the_background(binary):
    """The command returns when everything is ready. It holds no file of the process that started it: otherwise
    subprocess.run would wait for the end of its output."""
    with Lab(binary) as lab:
        check(not lab.status()["running"] and not lab.data.exists(), "a question has created something")
        screen = lab.up("--demo")
        check_says(screen, "Plimsoll is up: https://127.0.0.1:", "20 simulated nodes",
                   rf"plimsoll down --data-dir {re.escape(str(lab.data))} stops it")
        ready = lab.kubectl("get", "nodes", "-o", "jsonpath={.items[*].status.conditions[?(@.type=='Ready')].status}",
                            kubeconfig=lab.kubeconfig)
        check(ready.split() == ["True"] * 20, ready)
        check("payment-processor" in lab.kubectl("get", "deployments", kubeconfig=lab.kubeconfig), "no workloads")
        found = lab.status()
        check(found["ready"] and found["nodes"] == {"ready": 20, "total": 20}, found)
        check(found["server"] in screen and found["dataBytes"] > 0 and found["version"], found)
        check({one["file"] for one in found["certificates"]} >= {"pki/ca.crt", "pki/admin.crt"}, found)
        check(str(found["pid"]) == (lab.data / "pid").read_text().strip(), found)
        check(os.getsid(found["pid"]) == found["pid"], "it is in the session of this test")
        log = (lab.data / "plimsoll.log").read_text()
        check("Serving securely" in log, log)
        await_true("all pods run", lambda: lab.status()["pods"] == {"Running": 16})
        check_says(lab.succeed("status"), r"nodes +20 of 20 ready\n", r"pods +16 Running\n", "pki/.*crt ends first, 20")
        check_says(lab.run("status", "-o", "yaml").stdout, "running: true")

        again = lab.run("up", "--detach", "--port=0")
        check(again.returncode == 1, again)
        check_says(again.stderr, rf"is in use by process {found['pid']}: stop it")
        check(log == (lab.data / "plimsoll.log").read_text()[:len(log)], "the log of the running one is damaged")

        check_says(lab.succeed("down"), rf"Stopping process {found['pid']}\.", r"Stopped after \d+\.\d s\.")
        check(has_ended(found["pid"]), "it still runs")
        check_says(lab.run("status").stdout, "Plimsoll is not running in ", "Data of earlier runs: ")
        check_says(lab.succeed("down"), "Plimsoll is not running in ")
        check_says(lab.up("--nodes=1"), "found from an earlier run")
        check("payment-processor" in lab.kubectl("get", "deployments", kubeconfig=lab.kubeconfig), "lost its data")
        check_says(lab.succeed("down", "--purge"), "Stopped after", "Deleted ")
        check(not lab.data.exists(), "the data is still there")
        check_says(lab.succeed("down", "--purge"), "There is no ")


def speaks_to_programs(binary):
    """`-o json` of up, status and down; `-o name` of status."""
    with Lab(binary) as lab:
        manifest = lab.root / "spaces.yaml"
        manifest.write_text("\n---\n".join(f"{{apiVersion: v1, kind: Namespace, metadata: {{name: s-{i}}}}}" for i in range(20)))
        up = json.loads(lab.up("--nodes=2", "--cluster-name=lab", f"--manifests={manifest}", "-o", "json"))
        check(up["nodes"] == 2 and up["context"] == "lab" and up["dataDirectory"] == str(lab.data), up)
        check(up["kubeconfig"] == str(lab.kubeconfig) and not up["hadData"], up)
        check(len(lab.kubectl("get", "ns", "-o", "name", kubeconfig=up["kubeconfig"]).split()) >= 20, "no namespaces")
        check(lab.status()["server"] == up["server"], lab.status())
        check(lab.run("status", "-o", "name").stdout == "lab\n", lab.run("status", "-o", "name"))
        pid = lab.status()["pid"]
        down = json.loads(lab.succeed("down", "-o", "json"))
        check(down["wasRunning"] and down["pid"] == pid and down["seconds"] >= 0 and not down["deleted"], down)
        down = json.loads(lab.succeed("down", "--purge", "-o", "json"))
        check(not down["wasRunning"] and down["deleted"] and "pid" not in down, down)
        alone = lab.run("up", "-o", "json")
        check(alone.returncode == 2 and "-o: json and yaml are for --detach" in alone.stderr, alone)
        check(not lab.data.exists(), "a wrong flag has created the directory")


def a_failed_start_is_reported(binary):
    with Lab(binary) as lab, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = lab.run("up", "-d", f"--port={taken.getsockname()[1]}")
        check(done.returncode == 1 and done.stdout == "", done)
        check_says(done.stderr, r"^error: cannot listen on 127.0.0.1:\d+: the port is taken")
        check(not lab.status()["running"], "it runs although it failed")
        done = lab.run("up", "-d", "--feature-gates=NoSuchGate=true")
        check(done.returncode == 2, done)
        check_says(done.stderr, "^error: .*NoSuchGate")
        done = lab.run("up", "-d", "--port=0", "--manifests=-")
        check(done.returncode == 0, "empty input is no error:", done)


def a_signal_cancels_the_start(binary):
    """Ctrl-C while everything starts stops the process in the background, too."""
    with Lab(binary) as lab:
        template = lab.root / "nodes.yaml"
        template.write_text("apiVersion: v1\nkind: Node\nmetadata: {name: 'n-{{i}}', annotations: "
                            "{plimsoll.io/condition.Ready: 'False'}}\n")
        starter = subprocess.Popen([binary, "up", "-d", "--port=0", "--nodes=1", f"--node-template={template}",
                                    "--data-dir", str(lab.data)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=lab.environment)
        await_true("the process", lambda: lab.status()["running"])
        starter.send_signal(signal.SIGINT)
        _, said = starter.communicate(timeout=60)
        check(starter.returncode != 0 and "stopped before everything was ready" in said, starter.returncode, said)
        check(not lab.status()["running"], "it still runs")


def a_process_is_never_mistaken(binary):
    """`status` and `down` know a foreground process, and no process that only has the PID in the file."""
    with Server(binary, "--demo", command="up") as server, Lab(binary) as lab:
        lab.data = server.directory / "data"
        check(lab.status()["pid"] == server.process.pid, lab.status())
        server.stop(signal.SIGKILL)
        check(not lab.status()["running"], "a killed process counts as running")
        with subprocess.Popen(["sleep", "60"]) as bystander:
            (lab.data / "pid").write_text(f"{bystander.pid}\n")
            check(not lab.status()["running"], "another process with this PID counts as running")
            check_says(lab.succeed("down"), "is not running")
            check(bystander.poll() is None, "another process was stopped")
            bystander.kill()
        server.start()
        check_says(lab.succeed("down"), "Stopped after")
        check(server.process.wait(timeout=60) == 0, "it did not end well")
        server.process = None


def purge_keeps_other_files(binary):
    with Lab(binary) as lab:
        lab.up()
        (lab.data / "notes.txt").write_text("mine")
        done = lab.run("down", "--purge")
        check(done.returncode == 2, done)
        check_says(done.stderr, "is not deleted: notes.txt in it is no file of a server")
        check((lab.data / "store" / "CURRENT").exists(), "half of it is gone")
        for place in ("/", str(lab.home), str(lab.root)):
            done = subprocess.run([binary, "down", "--purge", "--data-dir", place], capture_output=True, text=True,
                                  timeout=60, check=False, env=lab.environment)
            check(done.returncode == 2 and "is not deleted" in done.stderr, place, done)


OTHERS = """apiVersion: v1
kind: Config
preferences: {colors: true}
clusters:
- {name: work, cluster: {server: 'https://work.example.com', unknown-field: 7}}
users:
- {name: jane, user: {token: abc}}
contexts:
- {name: work, context: {cluster: work, user: jane, namespace: shop}}
current-context: work
"""


def merges_the_kubeconfig(binary):
    with Lab(binary) as lab:
        lab.users_config.parent.mkdir()
        lab.users_config.write_text(OTHERS)
        screen = lab.up("--nodes=1", "--cluster-name=lab", "--merge-kubeconfig")
        check("export KUBECONFIG" not in screen and "(context lab)" in screen, screen)
        check(lab.kubectl("config", "current-context").strip() == "lab", "not the current context")
        check("node-0" in lab.kubectl("get", "nodes"), "kubectl without flags reaches another server")
        check(lab.users_config.stat().st_mode & 0o777 == 0o600, "others can read the key")
        merged = lab.users_config.read_text()
        check("unknown-field: 7" in merged and "colors: true" in merged, merged)
        contexts = lab.kubectl("config", "get-contexts", "-o", "name").split()
        check(contexts == ["lab", "work"], contexts)
        check(lab.status()["mergedKubeconfig"] == str(lab.users_config), lab.status())
        check("lab" in lab.kubectl("config", "get-contexts", "-o", "name", kubeconfig=lab.kubeconfig), "another name")

        other = lab.run("up", "--merge-kubeconfig", "--cluster-name=work", "--port=0", f"--data-dir={lab.root}/second")
        check(other.returncode == 2 and "has another cluster" in other.stderr, other)
        check(not (lab.root / "second").exists(), "created a data directory")

        os.kill(lab.status()["pid"], signal.SIGKILL)
        await_true("its end", lambda: not lab.status()["running"])
        check_says(lab.succeed("down"), r"Removed the cluster, user and context lab from .*config")
        check(lab.kubectl("config", "get-contexts", "-o", "name").split() == ["work"], "left an entry")
        check(lab.kubectl("config", "current-context").strip() == "work", "did not restore the context")
        check("unknown-field: 7" in lab.users_config.read_text(), "lost a field")


def never_writes_a_malformed_kubeconfig(binary):
    with Lab(binary) as lab:
        lab.users_config.parent.mkdir()
        for broken in ("clusters: [", "clusters: 7\n", "users:\n- user: {}\n"):
            lab.users_config.write_text(broken)
            done = lab.run("up", "--port=0", "--merge-kubeconfig")
            check(done.returncode == 2, broken, done)
            check_says(done.stderr, r"^error: --merge-kubeconfig: .*is no kubeconfig: .*nothing was written")
            check(lab.users_config.read_text() == broken, "it was changed")
            check(not lab.data.exists(), "a server started")


def certificate_in(text):
    return base64.b64decode(re.search(r"client-certificate-data: (\S+)", text)[1])


def renewed_certificates_reach_all_kubeconfigs(binary):
    """Gives the administrator a certificate that ends in five days. The running server renews it, and both
    kubeconfigs follow."""
    if OPENSSL is None:
        print("        there is no openssl: renewed_certificates_reach_all_kubeconfigs is not played")
        return
    with Lab(binary) as lab:
        lab.up("--merge-kubeconfig")
        pki = lab.data / "pki"
        request = lab.root / "admin.csr"
        short = lab.root / "short.crt"
        for words in (["req", "-new", "-key", pki / "admin.key", "-subj", "/O=system:masters/CN=kubernetes-admin",
                       "-out", request],
                      ["x509", "-req", "-in", request, "-CA", pki / "ca.crt", "-CAkey", pki / "ca.key",
                       "-CAserial", lab.root / "serial", "-CAcreateserial", "-days", "5", "-out", short]):
            subprocess.run([OPENSSL, *map(str, words)], check=True, capture_output=True)
        before = certificate_in(lab.kubeconfig.read_text())
        check(certificate_in(lab.users_config.read_text()) == before, "the files differ from the start")
        os.replace(short, pki / "admin.crt")
        await_true("a new certificate", lambda: certificate_in(lab.kubeconfig.read_text()) != before)
        renewed = certificate_in(lab.kubeconfig.read_text())
        check(renewed == (pki / "admin.crt").read_bytes(), "the kubeconfig has another certificate")
        await_true("it in the user's file", lambda: certificate_in(lab.users_config.read_text()) == renewed)
        ends = next(one["notAfter"] for one in lab.status()["certificates"] if one["file"] == "pki/admin.crt")
        days = subprocess.run([OPENSSL, "x509", "-checkend", str(300 * 86400), "-in", pki / "admin.crt"], check=False,
                              capture_output=True)
        check(days.returncode == 0, "the new certificate ends", ends)
        check("default" in lab.kubectl("get", "namespaces"), "the user's file does not work")


WRONG = [
    (["--port=99999"], "--port: want a whole number from 0 to 65535, not \"99999\""),
    (["--nodes=-1"], "--nodes: want a whole number from 0 to 1000000, not \"-1\""),
    (["--time-scale=5000"], "--time-scale: want a whole number from 1 to 1000, not \"5000\""),
    (["--feature-gates=Nope=true"], "Nope"),
    (["--runtime-config=nope"], "nope"),
    (["--controllers=nope"], "nope"),
    (["--cluster-name=a b"], "--cluster-name: want "),
    (["--bind-address=300.1.1.1"], "300.1.1.1"),
    (["--node-cidr=x"], "x"),
    (["--lease-renewal=soon"], "--lease-renewal: 'soon' is no duration"),
    (["--node-monitor-period=0s"], "--node-monitor-period"),
    (["--scrub-interval=x"], "--scrub-interval"),
    (["--service-account-max-token-expiration=1m"], "between 1 hour"),
    (["--manifests={none}"], "{none}"),
    (["--manifests={broken}"], "{broken}"),
    (["--nodes=1", "--node-template={none}"], "{none}"),
    (["--nodes=1", "--node-template={broken}"], ""),
    (["--scheduler-config={none}"], "{none}"),
    (["--scheduler-config={broken}"], "{broken}"),
    (["--encryption-provider-config={none}"], "{none}"),
    (["--encryption-provider-config={broken}"], "{broken}"),
    (["--admission-control-config-file={broken}"], "{broken}"),
    (["--audit-log-path=-", "--audit-policy-file={broken}"], "{broken}"),
    (["--audit-policy-file={broken}"], "--audit-log-path"),
    (["--authentication-config={broken}"], "{broken}"),
    (["--token-auth-file={none}"], "{none}"),
    (["--service-account-key-file={broken}"], "{broken}"),
    (["--service-account-signing-key-file={none}"], "{none}"),
    (["--authorization-mode=Nope"], "Nope"),
    (["--tls-cert-file={broken}"], "must be given together"),
    (["--tls-cert-file={broken}", "--tls-private-key-file={broken}"], ""),
    (["--client-ca-file={broken}"], "{broken}"),
    (["--etcd-servers=http://127.0.0.1:1", "--etcd-cafile={none}"], "{none}"),
    (["--etcd-servers=http://127.0.0.1:1", "--fresh"], "--fresh"),
]


def a_wrong_flag_creates_nothing(binary):
    """Neither the data directory nor a log file in it, in the foreground or in the background."""
    with Lab(binary) as lab:
        broken = lab.root / "broken.yaml"
        broken.write_text("kind: Nonsense\napiVersion: example.com/v1\n")
        files = {"none": str(lab.root / "none.yaml"), "broken": str(broken)}
        for flags, text in WRONG:
            flags = [flag.format(**files) for flag in flags]
            for more in ((f"--log-file={lab.data}/log",), ("--detach",)):
                done = lab.run("up", *more, "--port=0", *flags)
                check(done.returncode in (1, 2), *flags, "ended with", done.returncode, done.stdout, done.stderr)
                check(done.stderr.startswith("error: ") and text.format(**files) in done.stderr, *flags, done.stderr)
                check(not lab.data.exists(), *flags, *more, "created", list(lab.root.rglob("*")))


TAINTED = """apiVersion: v1
kind: Node
metadata: {name: "n-{{i}}"}
spec:
  taints:
  - {key: example.com/gpu, value: "yes", effect: NoSchedule}
  - {key: maintenance, effect: NoExecute}
"""


def commands_of(screen):
    """Returns the commands of a start screen. A watch would never end, so it becomes a list."""
    text = screen.split("Try in another terminal:\n\n")[1].split("\n\n")[0].replace(" -w ", " ")
    return "set -euo pipefail\n" + text.replace(
        "kubectl get pods -o wide", "kubectl wait pod --all --for=condition=Ready --timeout=60s; kubectl get pods -o wide")


def the_screen_proposes_what_works(binary):
    """Plays the commands of the start screen as they are printed, for nodes of different templates."""
    if shutil.which("kubectl") is None:
        return
    for flags, is_tainted in ((["--nodes=2"], False), (["--nodes=2"], True), (["--demo", "--nodes=3"], False),
                              (["--demo"], False)):
        with Lab(binary) as lab:
            template = lab.root / "nodes.yaml"
            template.write_text(TAINTED)
            screen = lab.up("--time-scale=20", *flags, *([f"--node-template={template}"] if is_tainted else []))
            with contextlib.suppress(OSError):
                lab.users_config.unlink()
            if "--demo" in flags:
                await_true("the payments", lambda l=lab: l.status()["pods"].get("Running") == 16)
            done = subprocess.run(["bash", "-c", commands_of(screen)], capture_output=True, text=True, timeout=120,
                                  check=False, env=lab.environment)
            check(done.returncode == 0, *flags, "its commands failed:", done.stdout, done.stderr, screen)
            await_true("an eviction", lambda l=lab: "TaintManagerEviction" in l.kubectl(
                "get", "events", kubeconfig=l.kubeconfig))
    with Lab(binary) as lab:
        screen = lab.up()
        done = subprocess.run(["bash", "-c", commands_of(screen)], capture_output=True, text=True, timeout=120,
                              check=False, env=lab.environment)
        check(done.returncode == 0, "without nodes:", done.stdout, done.stderr, screen)


if __name__ == "__main__":
    sys.exit(play(sys.argv[1], runs_in_the_background, speaks_to_programs, a_failed_start_is_reported, a_signal_cancels_the_start,
                  a_process_is_never_mistaken, purge_keeps_other_files, merges_the_kubeconfig,
                  never_writes_a_malformed_kubeconfig, renewed_certificates_reach_all_kubeconfigs,
                  a_wrong_flag_creates_nothing, the_screen_proposes_what_works))
