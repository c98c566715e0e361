#!/usr/bin/env python3
"""js_client_test.py BINARY: runs the tests of js/ with the official JavaScript client. Exits with
77 if node or npm is missing."""

import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

from server import Server

HERE = pathlib.Path(__file__).resolve().parent / "js"
INSTALL_SECONDS = 300
RUN_SECONDS = 120


def install():
    """Installs the packages unless the lock file is unchanged. Returns an error, if any."""
    lock = HERE / "package-lock.json"
    stamp = HERE / "node_modules" / ".installed-lock"
    if stamp.exists() and stamp.read_bytes() == lock.read_bytes():
        return ""
    done = subprocess.run(["npm", "ci", "--prefer-offline", "--no-audit", "--no-fund"], cwd=HERE,
                          capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    if done.returncode != 0:
        return f"npm ci failed:\n{done.stdout}{done.stderr}"
    stamp.write_bytes(lock.read_bytes())
    return ""


def drive(server):
    """Runs the client, and restarts the server when the client requests it. Returns the exit code,
    the number of passed tests, and the output."""
    node = subprocess.Popen(["node", "client.test.mjs"], cwd=HERE, text=True,
                            env=dict(os.environ, KUBECONFIG=str(server.kubeconfig)),
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    alarm = threading.Timer(RUN_SECONDS, node.kill)  # ends the loop below
    alarm.start()
    said, good = [], 0
    try:
        for line in node.stdout:
            if line == "restart\n":
                if server.stop() != 0:
                    said.append("the server did not end well before its restart\n")
                server.start()
                node.stdin.write("done\n")
                node.stdin.flush()
                continue
            said.append(line)
            good += line.endswith(": good\n")
        return node.wait(), good, "".join(said)
    finally:
        alarm.cancel()
        node.kill()
        node.wait()


def main(binary):
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            print(f"js_client_test: no {tool} here; nothing was tested")
            return 77
    problem = install()
    if problem:
        print(problem)
        print("js_client_test: FAILED, the client could not be installed")
        return 1
    began = time.monotonic()
    with Server(binary) as server:
        code, good, said = drive(server)
        ended = server.stop()
        failed = code != 0 or good == 0 or ended != 0 or "did not end well" in said
        if failed:
            print(said)
            if ended != 0:
                print(f"the server ended with {ended}:\n" + server.log_path.read_text()[-4000:])
    print(f"js_client_test: {good} stories good, {'FAILED' if failed else 'none failed'}, "
          f"{time.monotonic() - began:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
