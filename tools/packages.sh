# What ./dev needs from Debian 12, by command, and how it gets it. Sourced by ./dev.
# shellcheck shell=bash

# run, build: all that a user's machine must have.
build_packages=(g++ cmake ninja-build pkg-config libfmt-dev libsodium-dev liblzma-dev zlib1g-dev
  libtomlplusplus-dev libcli11-dev libboost1.81-dev libyaml-cpp-dev libssl-dev libsqlite3-dev
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc)
# test, bench.
test_packages=(libgtest-dev libgmock-dev librapidcheck-dev xz-utils)
# The real subnet manager on a simulated fabric (tests/peers). Its package starts a service, which
# must not meet a real fabric: where there is InfiniBand hardware it is left out, the test skipped.
compgen -G '/sys/class/infiniband/*' >/dev/null ||
  test_packages+=(opensm ibsim-utils libumad2sim0)
# The real Slurm controller (tests/peers). Its packages start munged: only where the machine denies
# that packages start anything, as containers do (exit status 101); elsewhere the test is skipped.
[ ! -x /usr/sbin/policy-rc.d ] || /usr/sbin/policy-rc.d munge start >/dev/null 2>&1 ||
  [ $? -ne 101 ] || test_packages+=(slurmctld slurm-client)
# check, format, fuzz, sanitizers with clang.
clang_packages=(clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev llvm-19 lld-19 git)

# need PACKAGE...: returns when all are installed, installing what is missing; exits if it cannot.
# When nothing is missing this is one question to dpkg (some 20 ms).
need() {
  local missing
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  local packages
  read -ra packages <<<"$missing"
  refuse_if_we_cannot_install "${packages[@]}"
  say "installing ${#packages[@]} Debian package(s): ${packages[*]}"
  local started=$SECONDS log
  log=$(mktemp)
  if ! ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; then update_lists "$log"; fi
  # A failure is most often a package list older than the archive: fetch the lists, try once more.
  if ! install_packages "${packages[@]}" >"$log" 2>&1; then
    update_lists "$log"
    install_packages "${packages[@]}" >"$log" 2>&1 || {
      tail -20 "$log" >&2
      die "apt-get could not install: ${packages[*]} (whole log: $log)"
    }
  fi
  rm -f "$log"
  missing=$(missing_packages "$@")
  [ -z "$missing" ] || die "apt-get reported success, but these are still missing: $missing"
  say "installed in $((SECONDS - started)) s"
}

# Prints those of the packages that are not installed, in one line.
missing_packages() {
  if ! command -v dpkg-query >/dev/null; then echo "$*"; return; fi
  local installed package missing=()
  installed=" $(dpkg-query -W -f='${db:Status-Status}:${Package} ' "$@" 2>/dev/null || true)"
  for package in "$@"; do
    [[ $installed == *" installed:$package "* ]] || missing+=("$package")
  done
  echo "${missing[*]}"
}

refuse_if_we_cannot_install() {
  local list="$*"
  command -v apt-get >/dev/null ||
    die "Weir builds on Debian 12 and this machine has no apt-get. It lacks the equivalents of: $list"
  [ "${WEIR_NO_INSTALL:-}" != 1 ] || die "missing packages (WEIR_NO_INSTALL=1): $list"
  [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null &&
    die "missing packages, and neither root nor sudo to install them. As root: apt-get install $list"
  local ID='' VERSION_ID=''
  # shellcheck source=/dev/null
  [ ! -r /etc/os-release ] || source /etc/os-release
  [ "$ID $VERSION_ID" = "debian 12" ] ||
    say "this is ${ID:-an unknown system} ${VERSION_ID:-}, Weir is built and tested on Debian 12: going on"
}

update_lists() {
  say "fetching the package lists"
  as_root apt-get update -q >"$1" 2>&1 || { tail -5 "$1" >&2; say "apt-get update failed: going on"; }
}

install_packages() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@"
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}
