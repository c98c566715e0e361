#!/usr/bin/env python3
"""start_times.py BINARY [ROUNDS]: measures how long `plimsoll up --detach` takes from nothing until every node is Ready, for
20, 1,000 and 5,000 nodes. Each round has a new data directory on the disk of TMPDIR. Prints medians and ranges, and the load
of the machine."""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

SIZES = (20, 1_000, 5_000)
STORES = ("rocksdb", "memory")


def start_seconds(binary, nodes, store):
    """Returns the wall time until the command has returned, which it does when all nodes are Ready."""
    with tempfile.TemporaryDirectory(prefix="plimsoll-start-") as directory:
        data = ["--data-dir", f"{directory}/data"]
        began = time.monotonic()
        try:
            subprocess.run([binary, "up", "--detach", "--port=0", "--no-demo", f"--nodes={nodes}", f"--store={store}", *data],
                           stdout=subprocess.DEVNULL, check=True, timeout=600)
            return time.monotonic() - began
        finally:
            subprocess.run([binary, "down", *data], stdout=subprocess.DEVNULL, check=True, timeout=600)


def main(binary, rounds="5"):
    binary = pathlib.Path(binary).resolve()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {rounds} rounds in turn")
    found = {(store, nodes): [] for store in STORES for nodes in SIZES}
    for _ in range(int(rounds)):
        for store, nodes in found:
            found[store, nodes].append(start_seconds(binary, nodes, store))
    for (store, nodes), seconds in found.items():
        print(f"{store:8} {nodes:6,} nodes: median {statistics.median(seconds):.2f} s, {min(seconds):.2f} to {max(seconds):.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
