#!/usr/bin/env bash
# up.sh BIN [FLAG…]: runs the control plane with its demo on https://127.0.0.1:6443, with data and log in
# ./.plimsoll, and prints what to try. Flags are those of `plimsoll up`; the last of conflicting flags wins.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1
shift
exec "$program/plimsoll" up --data-dir .plimsoll --log-file .plimsoll/plimsoll.log --demo "$@"
