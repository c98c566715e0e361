#!/usr/bin/env bash
# instructions.sh BIN ROW…: counts the instructions that the scheduler needs for one pod of a row of
# scheduler_bench, with callgrind. It takes the difference of two runs, so that nodes do not count.
set -euo pipefail
bin="$1"
shift
count() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null \
    --toggle-collect='plimsoll::scheduler::Scheduler::Observe(*' \
    --toggle-collect='plimsoll::scheduler::Scheduler::Wake(*' \
    "$bin/scheduler_bench" --row "$1" --pods "$2" 2>&1 | sed -n 's/.*Collected : //p'
}
for row in "$@"; do
  few="$(count "$row" 1000)"
  many="$(count "$row" 2000)"
  echo "row $row: $(((many - few) / 1000)) instructions per pod"
done
