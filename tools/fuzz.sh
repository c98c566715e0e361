#!/usr/bin/env bash
# fuzz.sh BUILD SECONDS: runs every fuzz target for this time. It starts from the seeds in
# fuzz/corpus/NAME and from the corpus of earlier runs under BUILD. Inputs that cause a failure are
# kept in BUILD/crashes.
set -euo pipefail
build=$1
seconds=$2
crashes=$build/crashes
mkdir -p "$crashes"
found=0
for program in "$build"/bin/*_fuzz; do
  [[ -x $program ]] || continue
  found=1
  name=${program##*/}
  grown=$build/corpus/$name
  mkdir -p "$grown"
  corpora=("$grown")
  for seeds in "fuzz/corpus/$name" "fuzz/corpus/${name%_fuzz}"; do
    [[ -d $seeds ]] && corpora+=("$seeds")
  done
  dictionary=fuzz/$name.dict
  echo "== $name, $seconds s, seeds: ${corpora[*]:1}"
  log=$build/$name.log
  # libFuzzer logs every new input; only its final statistics, or the end after a failure, are shown.
  if ! "$program" "${corpora[@]}" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$crashes/$name-" $([[ -f $dictionary ]] && echo "-dict=$dictionary") \
    -print_final_stats=1 > "$log" 2>&1; then
    tail -60 "$log"
    echo "fuzz: $name failed; its input is in $crashes, the whole log in $log" >&2
    exit 1
  fi
  grep -E 'number_of_executed_units|average_exec_per_sec' "$log"
done
((found)) || { echo "fuzz: no programs in $build/bin" >&2; exit 1; }
