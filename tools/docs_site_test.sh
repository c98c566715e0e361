#!/usr/bin/env bash
# docs_site_test.sh: builds the site of docs/ into a temporary directory. A broken link, or a page of docs/ that the menu omits,
# is an error. Exits with 77 if mkdocs or its theme is not installed.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v mkdocs > /dev/null || ! { [[ -d /usr/share/mkdocs/themes/material ]] || python3 -c 'import material' 2> /dev/null; }; then
  echo "docs_site: mkdocs or its theme is not installed; make docs installs both"
  exit 77
fi
scratch=$(mktemp --directory)
trap 'rm -rf "$scratch"' EXIT
if ! mkdocs build --strict --site-dir "$scratch/site" &> "$scratch/log"; then
  cat "$scratch/log"
  exit 1
fi
# --strict does not count omitted pages. Those outside docs/ are reached by links only.
if grep -E '^  - [a-z0-9-]+\.md$' "$scratch/log"; then
  echo "docs_site: mkdocs.yml has no menu entry for these pages"
  exit 1
fi
