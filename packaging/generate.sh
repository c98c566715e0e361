#!/usr/bin/env bash
# generate.sh PROGRAM CHANGELOG OUT: what the package has of the program's own making: manual pages and completions.
set -euo pipefail
program=$1 changelog=$2 out=$3
rm -rf "$out"
mkdir -p "$out/man"
"$program" __manual man "$out/man"
"$program" completion bash > "$out/plimsoll.bash"
"$program" completion zsh > "$out/_plimsoll"
"$program" completion fish > "$out/plimsoll.fish"
cp "$changelog" "$out/changelog"
# -n: no time inside, so that the same sources give the same package.
gzip -9n "$out"/man/*.1 "$out/changelog"
