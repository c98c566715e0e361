#!/usr/bin/env bash
# deps.sh GROUP…: installs the missing Debian packages of these groups. If none is missing, it needs
# neither root nor network. docs/dependencies.md explains the use of each package.
set -euo pipefail

build=(g++ make cmake ninja-build ccache mold pkg-config python3 libfmt-dev libcli11-dev libyaml-dev
  librapidcheck-dev libgtest-dev libgmock-dev libbenchmark-dev prometheus-cpp-dev libboost1.81-dev
  libboost-context1.81-dev
  libre2-dev tzdata librocksdb-dev libssl-dev libsodium-dev zlib1g-dev libjemalloc-dev
  libprotobuf-dev protobuf-compiler libgrpc++-dev protobuf-compiler-grpc etcd-server etcd-client openssl)
fuzz=(clang-19 libclang-rt-19-dev)
# Clang compiles the sanitizer builds in half of GCC's time.
sanitizers=("${fuzz[@]}")
lint=(clang-19 clang-tidy-19 clang-format-19)
# mkdocs 1.4 and the theme of docs/.
docs=(mkdocs mkdocs-material)
package=(dpkg-dev man-db groff-base)
# For making and booting clean Debian systems.
clean_root=(debootstrap systemd-container)
# Clients for tests. A kubectl from another source is kept, because a newer one is a better test.
kubectl=()
command -v kubectl > /dev/null || kubectl+=(kubernetes-client)
e2e=("${kubectl[@]}" strace iproute2 python3-kubernetes prometheus zsh fish)
command -v node > /dev/null || e2e+=(nodejs)
command -v npm > /dev/null || e2e+=(npm)

fail() {
  echo "deps: $*" >&2
  exit 1
}

wanted=()
for group in "$@"; do
  case $group in
    build) wanted+=("${build[@]}") ;;
    sanitizers) wanted+=("${sanitizers[@]}") ;;
    fuzz) wanted+=("${fuzz[@]}") ;;
    lint) wanted+=("${lint[@]}") ;;
    docs) wanted+=("${docs[@]}") ;;
    kubectl) wanted+=("${kubectl[@]}") ;;
    e2e) wanted+=("${e2e[@]}") ;;
    package) wanted+=("${package[@]}") ;;
    clean-root) wanted+=("${clean_root[@]}") ;;
    *) fail "no group '$group'; there are build, sanitizers, fuzz, lint, docs, kubectl, e2e, package and clean-root" ;;
  esac
done

if ! command -v dpkg-query > /dev/null; then
  # Another distribution may have them installed; CMake reports what is missing.
  echo "deps: no dpkg here; taking it that these are installed: ${wanted[*]}" >&2
  exit 0
fi

declare -A installed=()
while read -r state package; do
  [[ $state == installed ]] && installed[$package]=1
done < <(dpkg-query --show --showformat '${db:Status-Status} ${Package}\n')

declare -A missing=()
for package in "${wanted[@]}"; do
  [[ -v installed[$package] ]] || missing[$package]=1
done
((${#missing[@]})) || exit 0

# Debian permits the headers of only one Boost version. The user must choose which.
if [[ -v missing[libboost1.81-dev] ]]; then
  for package in "${!installed[@]}"; do
    if [[ $package =~ ^libboost.*-dev$ && ! $package =~ 1\.81 ]]; then
      fail "libboost1.81-dev is needed and conflicts with $package, which is installed;" \
        "remove it first: apt-get remove libboost1.74-dev"
    fi
  done
fi

as_root=()
if ((EUID != 0)); then
  command -v sudo > /dev/null || fail "run as root, or install sudo, to get: ${!missing[*]}"
  as_root=(sudo)
fi
# Shows progress on a terminal only.
progress=(--quiet=2)
if [[ -t 1 ]]; then progress=(--show-progress); fi
echo "deps: installing ${!missing[*]}"
"${as_root[@]}" apt-get update --quiet=2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install --yes "${progress[@]}" --no-install-recommends "${!missing[@]}"
