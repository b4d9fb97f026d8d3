#!/bin/bash
# opensm_test.sh WEIR RANDOM_TREE: our forwarding tables against those of the real OpenSM, which
# routes the same fabrics in ibsim. Equal means: opensm-lfts.dump, byte for byte.
#
# Where Weir's ftree refuses a fabric, OpenSM must have refused it too, and the tables to which it
# fell back must be those of our minhop. Exit status: 0 all equal, 1 a difference, 77 no OpenSM here.
set -uo pipefail

weir=$(realpath "$1")
random_tree=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/weir-opensm-XXXXXX")
trap 'rm -rf "$work"' EXIT
cases=0 refusals=0 entries=0 failures=0

# The entries of a dump without what ibsim invents, the GUIDs of HCA ports.
entries_of() { awk '/^Unicast/ { print } /^0x/ { print $1, $2 }' "$1"; }

# compare NAME NETFILE ENGINE [ROOT GUID | connect-roots]...
compare() {
  local name=$1 net=$2 engine=$3 rule=$3 root folder=$work/run
  shift 3
  local configuration=("routing_engine $engine") options=()
  rm -rf "$folder" && mkdir "$folder"
  if [ "${1:-}" = connect-roots ]; then
    shift
    configuration+=("connect_roots TRUE")
    options+=(--connect-roots)
    name+=", connect_roots"
  fi
  if [ $# -gt 0 ]; then
    printf '%s\n' "$@" >"$work/roots"
    configuration+=("root_guid_file $work/roots")
    for root in "$@"; do options+=(--root "$root"); done
    name+=", roots named"
  fi
  "$here/run_opensm.sh" "$net" "$folder" "${configuration[@]}" 2>"$work/why"
  local status=$?
  if [ $status -eq 77 ]; then
    echo "SKIPPED: OpenSM and ibsim are not installed"
    exit 77
  fi
  cases=$((cases + 1))
  if [ $status -ne 0 ]; then
    failures=$((failures + 1))
    echo "FAILED  $name, $engine: OpenSM did not route it: $(tail -3 "$work/why")"
    return
  fi
  if ! "$weir" fabric tables "$net" --routing "$rule" "${options[@]}" -o "$work/ours" 2>"$work/why"; then
    if [ "$engine" = ftree ] && grep -q 'ftree: cannot build' "$folder/opensm.log"; then
      refusals=$((refusals + 1))
      rule="minhop, since both refuse ftree"
      "$weir" fabric tables "$net" --routing minhop -o "$work/ours"
    else
      failures=$((failures + 1))
      echo "FAILED  $name, $engine: only Weir refuses it: $(cat "$work/why")"
      return
    fi
  fi
  local lines
  lines=$(grep -c '^0x' "$folder/opensm-lfts.dump")
  entries=$((entries + lines))
  if [ "$name" = "a real fabric" ]; then
    entries_of "$folder/opensm-lfts.dump" >"$work/theirs" && mv "$work/theirs" "$folder/opensm-lfts.dump"
    entries_of "$work/ours" >"$work/short" && mv "$work/short" "$work/ours"
  fi
  if cmp -s "$folder/opensm-lfts.dump" "$work/ours"; then
    printf 'equal   %-44s %-36s %7d entries\n' "$name" "$rule" "$lines"
  else
    failures=$((failures + 1))
    echo "FAILED  $name, $rule: the tables differ; first lines (OpenSM <, Weir >):"
    diff "$folder/opensm-lfts.dump" "$work/ours" | head -6
  fi
}

# Fabrics of the reference architectures, up to 1,020 HCAs.
for name in dgx-a100-20 dgx-h100-31 dgx-h100-95 dgx-h100-127 dgx-b200-64 dgx-b300-72 gb200-nvl72-8; do
  "$weir" fabric generate "$name" -o "$work/net" >/dev/null || exit 1
  compare "$name" "$work/net" ftree
  compare "$name" "$work/net" minhop
done
# shellcheck disable=SC2046 # one word a root
compare gb200-nvl72-8 "$work/net" ftree \
  $(grep -oE '"S-[0-9a-f]+".*spine' "$work/net" | grep '^"S' | grep -oE '^"S-[0-9a-f]+' | sed 's/"S-/0x/' | sort -u)

# Trees of any size: three ranks, oversubscribed, one pod not full.
while read -r shape; do
  # shellcheck disable=SC2086
  "$weir" fabric generate $shape -o "$work/net" >/dev/null || exit 1
  compare "$shape" "$work/net" ftree
  compare "$shape" "$work/net" ftree connect-roots
  compare "$shape" "$work/net" minhop
done <<'SHAPES'
--nodes 24 --rails 2 --ports 8
--nodes 40 --rails 2 --ports 16 --uplinks 6
--nodes 100 --rails 1 --ports 12
SHAPES

# A dump of a real fabric: cables missing, adapters on spines.
dump=${WEIR_TEST_DATA:-$here/../../../shared/data}/ib-samples/ibnetdiscover/ndr-dgx-40sw-582ca.ibnetdiscover.xz
if [ -r "$dump" ]; then
  xz -dc "$dump" >"$work/net"
  compare "a real fabric" "$work/net" ftree
  compare "a real fabric" "$work/net" minhop
fi

# Shapes that nobody chose.
for seed in $(seq 1 "${WEIR_PEER_SEEDS:-5}"); do
  for fault in none empty cut sideways; do
    "$random_tree" "$seed" "$fault" >"$work/net"
    compare "random tree $seed ($fault)" "$work/net" ftree
    # shellcheck disable=SC2046
    compare "random tree $seed ($fault)" "$work/net" ftree $("$random_tree" "$seed" "$fault" roots)
    [ "$fault" = none ] || compare "random tree $seed ($fault)" "$work/net" minhop
  done
done

echo "$cases cases, $entries table entries, $refusals trees that both refuse, $failures failures"
[ "$failures" -eq 0 ] && [ "$refusals" -gt 0 ]
