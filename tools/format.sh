#!/usr/bin/env bash
# format.sh [--check]: formats the C++ sources, or lists those that are not formatted.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[[ ${1:-} == --check ]] && mode=(--dry-run --Werror)
find src tests bench fuzz -name '*.h' -o -name '*.cc' | sort | xargs clang-format-19 "${mode[@]}"
