#!/bin/bash
# slurm_topology_test.sh WEIR: the topology.conf that `weir fabric convert` writes, given to a real
# slurmctld: `scontrol show topology` must tell the same switches, nodes and cables.
#
# The controller runs alone, on loopback and in a scratch folder, without munge. Exit status: 0 all
# equal, 1 a difference, 77 no Slurm here. Nothing is left running.
set -uo pipefail

weir=$(realpath "$1")
PATH=$PATH:/usr/sbin
for program in slurmctld scontrol; do
  command -v "$program" >/dev/null || {
    echo "SKIPPED: $program is not installed (Debian packages slurmctld, slurm-client)"
    exit 77
  }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/weir-slurm-XXXXXX")
controller='' failures=0 seconds=${WEIR_PEER_SECONDS:-60}
end_controller() {
  [ -n "$controller" ] || return 0
  { kill -KILL "$controller" && wait "$controller"; } 2>/dev/null || true
  controller=''
}
trap 'end_controller; rm -rf "$work"' EXIT
mkfifo "$work/pause" && exec 8<>"$work/pause"

listens() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
# Somewhere to start, so that two of these tests seldom ask for the same one.
port=$((20000 + $$ % 10000))

# configure TOPOLOGY FOLDER: writes slurm.conf for its nodes, which nobody serves.
configure() {
  local folder=$2 nodes count
  while listens "$port"; do port=$((port + 1)); done
  # scontrol reads a configuration before it expands names.
  printf 'ClusterName=weir\nSlurmctldHost=localhost\n' >"$SLURM_CONF"
  nodes=$(sed -n 's/^SwitchName=.* Nodes=\([^ ]*\).*/\1/p' "$1" | paste -sd,)
  count=$(scontrol show hostnames "$nodes" | wc -l)
  mkdir -p "$folder/state"
  cp "$1" "$folder/topology.conf"
  cat >"$SLURM_CONF" <<CONF
ClusterName=weir
SlurmctldHost=localhost
CommunicationParameters=NoCtldInAddrAny
SlurmUser=$(id -un)
AuthType=auth/none
CredType=cred/none
StateSaveLocation=$folder/state
SlurmctldPidFile=$folder/slurmctld.pid
SlurmctldPort=$port
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
TopologyPlugin=topology/tree
NodeName=$nodes NodeAddr=127.0.0.1 NodeHostname=localhost Port=[40001-$((40000 + count))] CPUs=1
PartitionName=main Nodes=ALL Default=YES
CONF
}

# "SwitchName=s Nodes=a[1-2]" or "SwitchName=s Switches=b[1-2]" a line, sorted. scontrol also tells
# the nodes below a switch of switches, levels and speeds.
switches_of() {
  sed -n -e 's/^\(SwitchName=[^ ]*\).* \(Switches=[^ ]*\).*/\1 \2/p;t' \
    -e 's/^\(SwitchName=[^ ]*\).* \(Nodes=[^ ]*\).*/\1 \2/p' "$1" | sort
}

# compare NAME FILE: any file that `weir fabric convert` reads.
compare() {
  local folder=$work/$1 name=$1
  mkdir -p "$folder"
  "$weir" fabric convert "$2" --to topology.conf -o "$folder/ours" || exit 1
  export SLURM_CONF=$folder/slurm.conf
  configure "$folder/ours" "$folder"
  slurmctld -D -f "$SLURM_CONF" >"$folder/log" 2>&1 8>&- &
  controller=$!
  until listens "$port" && timeout 10 scontrol show topology >"$folder/theirs" 2>"$folder/why"; do
    if ! kill -0 "$controller" 2>/dev/null || [ "$SECONDS" -ge "$seconds" ]; then
      echo "FAILED  $name: slurmctld does not serve this topology.conf:"
      tail -5 "$folder/log"
      failures=$((failures + 1))
      end_controller
      return
    fi
    read -rt 0.05 -u 8 _ || true # a pause without a process
  done
  end_controller
  switches_of "$folder/ours" >"$folder/our_switches"
  switches_of "$folder/theirs" >"$folder/their_switches"
  if grep -q 'error:.*TOPOLOGY' "$folder/log"; then
    echo "FAILED  $name: slurmctld complains:"
    grep 'error:.*TOPOLOGY' "$folder/log"
    failures=$((failures + 1))
  elif diff "$folder/our_switches" "$folder/their_switches" >"$folder/diff"; then
    printf 'equal   %-20s %4d switches\n' "$name" "$(wc -l <"$folder/our_switches")"
  else
    echo "FAILED  $name: the trees differ; first lines (Weir <, Slurm >):"
    head -6 "$folder/diff"
    failures=$((failures + 1))
  fi
}

"$weir" fabric generate dgx-h100-127 -o "$work/two-levels.net" >/dev/null || exit 1
compare two-levels "$work/two-levels.net"
"$weir" fabric generate --nodes 64 --rails 2 --ports 8 -o "$work/three-levels.net" >/dev/null || exit 1
compare three-levels "$work/three-levels.net"
# Two fabrics that nothing joins, with names that count in several places.
cat >"$work/apart.conf" <<'CONF'
SwitchName=a Nodes=rack[1-2]srv[01-03]
SwitchName=b Nodes=rack3srv01,login
SwitchName=ab Switches=a,b
SwitchName=c Nodes=gpu[08-12]
CONF
compare apart "$work/apart.conf"
[ "$failures" -eq 0 ]
