#!/usr/bin/env python3
"""incremental_build.py [--dry-run] BUILD: edits one source in each of four modules, and builds plimsoll.

An edit must compile that file, archive and link, and nothing else: no other file, and no CMake. BUILD is a
configured build folder without unity groups, such as build/release, in which plimsoll is up to date.

--dry-run asks ninja what it would do, and builds nothing. Then build.ninja tells if CMake would run. Otherwise the time of each build is printed, with the
load of the machine. The "edit" is a new modification time, which is set back at the end.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

SOURCES = (
    "src/api/object.cc",
    "src/scheduler/plugins/taint_toleration.cc",
    "src/apiserver/write/writer.cc",
    "src/cli/app.cc",
)
TARGET = "plimsoll"
SKIPPED = 77  # for CTest
# Work that each build does: ninja looks for new files that match the patterns of CMakeLists.txt.
ALWAYS = ("Re-checking globbed directories",)


def steps_of(output):
    """Returns the descriptions of the steps in ninja's output."""
    steps = re.findall(r"^\[\d+/\d+\] (.*)$", output, re.MULTILINE)
    return [step for step in steps if not step.startswith(ALWAYS)]


def faults_of(steps, source):
    """Returns what an edit of `source` caused and should not have."""
    name = Path(source).name
    compiled = [step for step in steps if "Building CXX object" in step]
    other = [step for step in steps if step not in compiled and "Linking CXX" not in step]
    if not compiled:
        yield f"{source}: it was not compiled"
    for step in compiled:
        if not step.endswith(f"/{name}.o"):
            yield f"{source}: another file was compiled: {step}"
    for step in other:
        yield f"{source}: {step}"
    if len(compiled) > 1:
        yield f"{source}: {len(compiled)} files were compiled"


def split_manifest(text):
    """Returns build.ninja without the statement that runs CMake again, and that statement. A dry run would stop there:
    it cannot know that no new file matches the patterns of CMakeLists.txt."""
    found = re.search(r"^build build\.ninja: RERUN_CMAKE.*\n(?:  .*\n)*", text, re.MULTILINE)
    return (text[:found.start()] + text[found.end():], found[0]) if found else (text, "")


def run_ninja(build, *options):
    environment = {**os.environ, "NINJA_STATUS": "[%f/%t] "}
    result = subprocess.run(["ninja", "-C", build, *options, TARGET], capture_output=True, text=True,
                            env=environment, check=False)
    if result.returncode != 0:
        sys.exit(result.stdout + result.stderr)
    return result.stdout


def plan(build):
    """Returns the steps that ninja would do now, without a run of CMake."""
    manifest = Path(build) / "incremental_build.ninja"
    manifest.write_text(split_manifest((Path(build) / "build.ninja").read_text())[0])
    try:
        return steps_of(run_ninja(build, "-n", "-f", manifest.name))
    finally:
        manifest.unlink()


def measure(root, build, source, is_dry):
    """Returns the steps of the build after an edit, and its seconds."""
    path = root / source
    before = path.stat()
    try:
        os.utime(path)
        start = time.monotonic()
        steps = plan(build) if is_dry else steps_of(run_ninja(build))
        return steps, time.monotonic() - start
    finally:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def main(arguments):
    is_dry = "--dry-run" in arguments
    folders = [argument for argument in arguments if argument != "--dry-run"]
    if len(folders) != 1:
        sys.exit(__doc__)
    build = folders[0]
    root = Path(__file__).resolve().parent.parent
    pending = plan(build)
    if pending:
        print(f"skipped: {TARGET} is not up to date in {build}: {len(pending)} steps are pending")
        return SKIPPED
    faults = []
    rerun = split_manifest((Path(build) / "build.ninja").read_text())[1].split()
    for source in SOURCES:
        if str(root / source) in rerun:
            faults.append(f"{source}: an edit runs CMake")
        steps, seconds = measure(root, build, source, is_dry)
        faults += faults_of(steps, source)
        took = "" if is_dry else f"{seconds:6.1f} s, load {os.getloadavg()[0]:.1f}"
        print(f"{source:45} {len(steps):2} steps {took}")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
