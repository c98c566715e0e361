#!/usr/bin/env bash
# generate.sh PROGRAM CHANGELOG OUT: writes the files that the program generates: manual pages and completions.
set -euo pipefail
program=$1 changelog=$2 out=$3
rm -rf "$out"
mkdir -p "$out/man"
"$program" __manual man "$out/man"
"$program" completion bash > "$out/plimsoll.bash"
"$program" completion zsh > "$out/_plimsoll"
"$program" completion fish > "$out/plimsoll.fish"
cp "$changelog" "$out/changelog"
# -n leaves out the time, so that the same sources give the same package.
gzip -9n "$out"/man/*.1 "$out/changelog"
