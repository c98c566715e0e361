#!/usr/bin/env bash
# quick_build_test.sh DIR: configures the build of `make up` in DIR and builds its first folder. Its precompiled headers
# include generated ones, so this fails if they are not generated first. The whole build would take minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
rm -rf "$1"
cmake --preset quick -B "$1" > /dev/null
ninja -C "$1" plimsoll_base
