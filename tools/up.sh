#!/usr/bin/env bash
# up.sh BIN: shows on the examples what there is so far, and what to try next.
set -euo pipefail
cd "$(dirname "$0")/.."
plimsoll=$1/plimsoll
story=examples/kep-5471/story-1

run() {
  echo "\$ plimsoll $*"
  "$plimsoll" "$@"
  echo
}

run check examples/
run match --pod $story-pod.yaml --nodes $story-nodes.yaml

cat << END
Try next, with $1 in your PATH:
  plimsoll match --pod $story-pod.yaml --nodes $story-nodes.yaml --node NAME   why, taint by taint
  kubectl get nodes -o json | plimsoll match --pod pod.yaml --nodes -          your own nodes
  plimsoll check my-manifests/                                                 your own manifests
  plimsoll help
END
