#!/usr/bin/env bash
# up.sh BIN: runs the control plane on https://127.0.0.1:6443 with its data in ./.plimsoll, 20
# simulated nodes and two Deployments, and says what to try. Ctrl-C stops it.
set -euo pipefail
cd "$(dirname "$0")/.."
exec "$1/plimsoll" up --data-dir .plimsoll --nodes 20 --node-template examples/living/nodes.yaml.template \
  --manifests examples/living/workloads.yaml --tour
