#!/usr/bin/env python3
"""package_test.py PACKAGES SCRATCH: installs the newest package of a directory in a clean Debian 12
and checks what a new user would see: the service runs unprivileged and sandboxed, its configuration
applies, manual, completions and documents exist, and nothing is left after removal. Needs root; exits with 77
without."""

import os
import pathlib
import re
import sys

from machine import (PACKAGE, Machine, await_true, check, clean_root, exit_with, fetch_dependencies, newest_package,
                     play, run)

# Score of `systemd-analyze security`, from 0 (nothing allowed) to 10.
EXPOSURE_MAX = 2.0


def await_nodes(machine, count):
    await_true(f"{count} ready nodes", lambda: len(
        re.findall(r"^\S+\s+Ready\s", machine.kubectl("get", "nodes"), re.M)) == count)


def set_flags(machine, flags):
    (machine.root / "etc/default/plimsoll").write_text(f'PLIMSOLL_FLAGS="{flags}"\n')


def installing_starts_the_service(machine):
    machine.run("apt-get", "install", "--yes", "--no-install-recommends", PACKAGE)
    check(machine.run("systemctl", "is-active", "plimsoll").stdout == "active\n")
    check(machine.run("systemctl", "is-enabled", "plimsoll").stdout == "enabled\n")
    await_nodes(machine, 3)
    machine.kubectl("create", "deployment", "web", "--image=registry.example.com/web:1")
    machine.kubectl("wait", "--for=condition=Available", "deployment/web", "--timeout=30s")


def service_may_do_little(machine):
    verified = machine.run("systemd-analyze", "verify", "--man=no", "plimsoll.service")
    check(verified.stderr + verified.stdout == "", verified.stderr, verified.stdout)
    said = machine.run("systemd-analyze", "security", "--no-pager", "plimsoll.service").stdout
    exposure = float(re.search(r"Overall exposure level for plimsoll.service: ([\d.]+)", said).group(1))
    print(f"        exposure {exposure} of 10")
    check(exposure <= EXPOSURE_MAX, said)
    pid = machine.run("systemctl", "show", "--property=MainPID", "--value", "plimsoll").stdout.strip()
    facts = dict(line.split(":", 1) for line in
                 machine.run("cat", f"/proc/{pid}/status").stdout.splitlines())
    check(facts["Uid"].split()[0] != "0", "it runs as root")
    check(int(facts["CapEff"], 16) == 0 and int(facts["CapBnd"], 16) == 0, facts["CapEff"])
    check(facts["NoNewPrivs"].strip() == "1" and facts["Seccomp"].strip() == "2", facts)


def configuration_counts_and_data_stays(machine):
    set_flags(machine, "--nodes 5")
    machine.run("systemctl", "restart", "plimsoll")
    await_nodes(machine, 5)
    check("web" in machine.kubectl("get", "deployments"), "its data is gone")


def wrong_flag_is_told(machine):
    set_flags(machine, "--nodse 5")
    check(machine.run("systemctl", "restart", "plimsoll", check=False).returncode != 0, "it started")
    said = machine.run("journalctl", "--no-pager", "--unit=plimsoll", "--lines=20").stdout
    check("unknown flag: --nodse" in said and "Did you mean --nodes?" in said, said)
    check(machine.run("systemctl", "show", "--property=NRestarts", "--value", "plimsoll").stdout == "0\n")
    set_flags(machine, "--nodes 3")
    machine.run("systemctl", "restart", "plimsoll")


def manual_and_completions_are_there(machine):
    pages = sorted((machine.root / "usr/share/man/man1").glob("plimsoll*.1.gz"))
    check(len(pages) > 10, pages)
    for page in pages:
        shown = run("man", "--warnings", "--encoding=UTF-8", "--local-file", str(page),
                    env={**os.environ, "MANWIDTH": "100", "MANPAGER": "cat"})
        check(shown.stderr == "" and "SYNOPSIS" in shown.stdout, page, shown.stderr)
    completed = machine.run(
        "bash", "-c", "source /usr/share/bash-completion/completions/plimsoll; COMP_WORDS=(plimsoll che); "
        'COMP_CWORD=1; _plimsoll; echo "${COMPREPLY[@]}"').stdout
    check(completed == "check\n", completed)
    # kubectl finds the plugin and its completion by the names of two links.
    check(machine.run("kubectl-plimsoll", "version").stdout.startswith("plimsoll "), "no plugin")
    check(machine.run("kubectl_complete-plimsoll", "che").stdout == "check\n:4\n", "no completion")
    for script in ("zsh/vendor-completions/_plimsoll", "fish/vendor_completions.d/plimsoll.fish"):
        check("plimsoll __complete" in (machine.root / "usr/share" / script).read_text(encoding="utf-8"), script)


def documents_are_there(machine):
    documents = machine.root / "usr/share/doc/plimsoll"
    for name in ("README.md", "monitoring.md", "examples/tour/pod.yaml", "deploy/scheduler.yaml", "deploy/monitoring/rules.yml",
                 "deploy/monitoring/dashboard.json"):
        check((documents / name).stat().st_size > 0, name)


def nothing_stays(machine):
    machine.run("apt-get", "purge", "--yes", "plimsoll")
    left = machine.run("find", "/usr", "/etc", "/var/lib", "/lib/systemd/system", "-path", "/var/lib/dpkg",
                       "-prune", "-o", "-path", "/var/lib/apt", "-prune", "-o", "-iname", "*plimsoll*",
                       "-print").stdout
    check(left == "", "left behind:", left)


def main():
    if os.geteuid() != 0:
        print("package_test needs root")
        return 77
    packages, scratch = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    root = clean_root(scratch, "systemd-sysv", "dbus")
    fetch_dependencies(root, newest_package(packages))
    with Machine(root) as machine:
        play(machine, installing_starts_the_service, service_may_do_little, configuration_counts_and_data_stays,
             wrong_flag_is_told, manual_and_completions_are_there, documents_are_there, nothing_stays)
    return 0


if __name__ == "__main__":
    exit_with(main)
