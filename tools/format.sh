#!/usr/bin/env bash
# format.sh [--check]: formats the C++ sources, or only says which are not.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[[ ${1:-} == --check ]] && mode=(--dry-run --Werror)
find src tests bench fuzz -name '*.h' -o -name '*.cc' | sort | xargs clang-format-19 "${mode[@]}"
