#!/usr/bin/env python3
"""run.py BINARY: runs the stories of this folder with the real kubectl, several at a time, each on
its own cluster. Prints a table of the results."""

import argparse
import concurrent.futures
import fnmatch
import os
import subprocess
import sys
import textwrap
import time

from stage import Stage, Unmet, newest_kubectl
from story import all_stories

SKIPPED = 77  # CTest's exit code for a skipped test


def play(story, binary, kubectl):
    """Returns the failure, or None, and the duration."""
    began = time.monotonic()
    failure = None
    try:
        with Stage(story, binary, kubectl) as stage:
            stage.play()
    except (Unmet, OSError, RuntimeError, subprocess.TimeoutExpired) as error:
        failure = str(error)
    return failure, time.monotonic() - began


def play_all(stories, arguments, kubectl):
    """Returns {story: (failure, seconds)}. Prints failures as they occur."""
    outcomes = {}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        playing = {pool.submit(play, one, arguments.binary, kubectl): one for one in stories}
        for future in concurrent.futures.as_completed(playing):
            name, outcome = playing[future].name, future.result()
            outcomes[name] = outcome
            if outcome[0]:
                print(f"{name} failed:\n{textwrap.indent(outcome[0], '    ')}\n", flush=True)
    return outcomes


def print_table(outcomes, total_seconds):
    width = max(map(len, outcomes), default=0)
    print(f"{'story':{width}}  passed  seconds")
    for name, (failure, seconds) in sorted(outcomes.items()):
        print(f"{name:{width}}  {'no' if failure else 'yes':6}  {seconds:7.1f}")
    passed = sum(failure is None for failure, _ in outcomes.values())
    print(f"{passed} of {len(outcomes)} stories passed in {total_seconds:.0f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", help="plimsoll")
    parser.add_argument("--only", default="*", metavar="PATTERN",
                        help="stories to play, as kep-5471/* or *taint*")
    parser.add_argument("--kubectl", metavar="PATH", help="instead of the newest that is found")
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1),
                        help="how many stories at a time; they mostly wait")
    arguments = parser.parse_args()
    kubectl = arguments.kubectl or newest_kubectl()
    if kubectl is None:
        print("there is no kubectl; nothing was played")
        return SKIPPED
    stories = [one for one in all_stories() if fnmatch.fnmatch(one.name, arguments.only)]
    if not stories:
        print(f"no story is called {arguments.only}")
        return 1
    began = time.monotonic()
    outcomes = play_all(stories, arguments, kubectl)
    print_table(outcomes, time.monotonic() - began)
    return 1 if any(failure for failure, _ in outcomes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
