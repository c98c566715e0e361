#!/usr/bin/env bash
# clang_tidy.sh BUILD JOBS: runs clang-tidy on the sources that differ from main, including those
# whose own header has changed. Runs on all sources if LINT_ALL is set or there is no base to compare
# with. Skips unit tests, because most findings would come from gtest's macros, and bench/adr, which is not
# part of the build.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
jobs=$2

mapfile -t all < <(find src tests bench -name '*.cc' ! -name '*_test.cc' ! -path 'bench/adr/*' | sort)
files=()
base=$(git merge-base HEAD "${LINT_BASE:-main}" 2> /dev/null || true)
if [[ -n ${LINT_ALL:-} || -z $base || $base == "$(git rev-parse HEAD)" ]]; then
  files=("${all[@]}")
else
  declare -A changed=()
  while read -r path; do
    changed[${path%.*}]=1
  done < <(git diff --name-only "$base" -- '*.cc' '*.h'; git ls-files --others --exclude-standard -- '*.cc' '*.h')
  for path in "${all[@]}"; do
    [[ -v changed[${path%.*}] ]] && files+=("$path")
  done
fi
((${#files[@]})) || { echo "clang-tidy: nothing changed"; exit 0; }
echo "clang-tidy: ${#files[@]} files"
printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$jobs" clang-tidy-19 -p "$build" --quiet
