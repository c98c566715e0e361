#!/usr/bin/env bash
# up.sh BIN: shows on the examples what there is so far, and what to try next.
set -euo pipefail
cd "$(dirname "$0")/.."
plimsoll=$1/plimsoll
tour=examples/tour

run() {
  echo "\$ plimsoll $*"
  "$plimsoll" "$@"
  echo
}

run check $tour/
run match --pod $tour/pod.yaml --nodes $tour/nodes.yaml

cat << END
Try next, with $1 in your PATH:
  plimsoll match --pod $tour/pod.yaml --nodes $tour/nodes.yaml --node lab-1   why, taint by taint
  kubectl get nodes -o json | plimsoll match --pod pod.yaml --nodes -          your own nodes
  plimsoll check my-manifests/                                                 your own manifests
  plimsoll help
END
