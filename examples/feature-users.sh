#!/bin/sh
# feature-users.sh OPERATOR...  |  feature-users.sh expression
#
# Lists every stored object that uses one of these operators (Lt, Gt, SemverLt, SemverGt, SemverEq) or an
# expression that a feature gate enables. Finds them in tolerations of pods, workload templates and device
# requests. Finds versions also in node affinity of pods, templates and persistent volumes.
# Prints a line for each object: its kind, its name, its uses. Works with any kubectl.
set -eu

# list RESOURCE JSONPATH...: prints the objects in which one of the paths finds a value.
list() {
  resource=$1; shift
  uses=
  for path in "$@"; do uses="$uses{$path}"; done
  kubectl get "$resource" -A --ignore-not-found \
    -o jsonpath="{range .items[*]}{.kind}{' '}{.metadata.namespace}{'/'}{.metadata.name}{': '}$uses{'\n'}{end}" |
    grep -v ': *$' || true
}

# Uses of one filter in a pod's spec at a path, as in .spec or .spec.template.spec.
of_tolerations() { echo "$1.tolerations$2"; }
of_affinity() {
  at=$1.affinity.nodeAffinity
  for terms in "$at.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[*]" \
               "$at.preferredDuringSchedulingIgnoredDuringExecution[*].preference"; do
    echo "$terms.matchExpressions$2" "$terms.matchFields$2"
  done
}

for word in "$@"; do
  filter="[?(@.operator==\"$word\")]"
  [ "$word" = expression ] && filter='[?(@.expression)]'
  affinity=:
  case $word in Semver*) affinity=of_affinity ;; esac
  list pods $(of_tolerations .spec "$filter") $($affinity .spec "$filter")
  for workload in deployments replicasets statefulsets daemonsets jobs; do
    list $workload $(of_tolerations .spec.template.spec "$filter") $($affinity .spec.template.spec "$filter")
  done
  requests='.devices.requests[*]'
  for owner in resourceclaims=.spec resourceclaimtemplates=.spec.spec; do
    list "${owner%%=*}" "${owner#*=}$requests.exactly.tolerations$filter" \
      "${owner#*=}$requests.firstAvailable[*].tolerations$filter"
  done
  case $word in Semver*)
    terms='.spec.nodeAffinity.required.nodeSelectorTerms[*]'
    list persistentvolumes "$terms.matchExpressions$filter" "$terms.matchFields$filter" ;;
  esac
done
