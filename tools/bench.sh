#!/usr/bin/env bash
# bench.sh BIN [ARGUMENT…]: runs every benchmark program in BIN, one after the other, so that they
# do not compete for the CPU.
set -euo pipefail
bin=$1
shift
found=0
for program in "$bin"/*_bench; do
  [[ -x $program ]] || continue
  found=1
  echo "== ${program##*/}"
  "$program" "$@"
done
((found)) || { echo "bench: no programs in $bin" >&2; exit 1; }
