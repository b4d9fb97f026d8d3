#!/bin/bash
# run_opensm.sh NETFILE FOLDER [CONFIGURATION LINE]...: lets the real OpenSM route a fabric in ibsim.
#
# NETFILE is ibnetdiscover text. What OpenSM dumped is afterwards in FOLDER (opensm-lfts.dump,
# opensm-subnet.lst, opensm.log). Exit status: 0 routed, 77 the programs are not here, 1 else.
# Nothing is left running: both programs end with this script, whichever way it ends.
set -euo pipefail

net=$(realpath "$1")
folder=$(realpath "$2")
shift 2
for program in ibsim opensm; do
  PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || {
    echo "run_opensm.sh: $program is not installed (Debian packages opensm, ibsim-utils, libumad2sim0)" >&2
    exit 77
  }
done
shim=$(dpkg-query -L libumad2sim0 2>/dev/null | grep 'libumad2sim.so$') || {
  echo "run_opensm.sh: libumad2sim0 is not installed" >&2
  exit 77
}

cd "$folder"
rm -f opensm-lfts.dump opensm.log guid2lid # from an earlier run
seconds=${WEIR_PEER_SECONDS:-120}
export IBSIM_SOCKNAME="weir-$$"
simulator='' manager=''
clean_up() {
  local pid
  for pid in $manager $simulator; do kill -KILL "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf console pause sys-* 2>/dev/null || true
}
trap clean_up EXIT

# ibsim spins when its console ends: this shell keeps the FIFO open. Its tables are made to measure.
rm -f console pause && mkfifo console pause && exec 9<>console 8<>pause
nodes=$(grep -cE '^(Ca|Rt|Switch)' "$net")
switches=$(grep -c '^Switch' "$net")
ports=$(awk '/^(Ca|Rt|Switch)/ { all += $2 + 1 } END { print all }' "$net")
ibsim -s -N $((nodes + 10)) -S $((switches + 10)) -P $((ports + 100)) "$net" \
  <&9 9>&- 8>&- >ibsim.log 2>ibsim.err &
simulator=$!

# A client that comes before the simulator listens tries again only after two seconds.
deadline() {
  [ "$SECONDS" -lt "$seconds" ] || {
    echo "run_opensm.sh: $1 after $seconds s (WEIR_PEER_SECONDS)" >&2
    exit 1
  }
  read -rt 0.02 -u 8 _ || true # a pause without a process
}
until grep -q "@$IBSIM_SOCKNAME:out9@" /proc/net/unix; do
  kill -0 "$simulator" 2>/dev/null || {
    echo "run_opensm.sh: ibsim ended at once:" >&2
    tail -3 ibsim.err >&2
    exit 1
  }
  deadline "the simulator does not listen"
done

first_hca=$(grep -m1 -oE '"H-[0-9a-f]+"' "$net" | tr -d '"')
{
  echo "guid 0x0"
  echo "log_file $folder/opensm.log"
  echo "dump_files_dir $folder"
  echo "log_flags 0x43"
  echo "force_log_flush TRUE"
  echo "sweep_interval 0"
  printf '%s\n' "$@"
} >opensm.conf
OSM_TMP_DIR=$folder OSM_CACHE_DIR=$folder SIM_HOST=$first_hca LD_PRELOAD=$shim PATH=$PATH:/usr/sbin \
  opensm -F opensm.conf 9>&- 8>&- >opensm.out 2>&1 &
manager=$!

# OpenSM writes its dumps before it says that the subnet is up.
until grep -q 'SUBNET UP' opensm.log 2>/dev/null; do
  kill -0 "$manager" 2>/dev/null || {
    echo "run_opensm.sh: OpenSM ended before the subnet was up:" >&2
    tail -5 opensm.out >&2
    exit 1
  }
  deadline "no subnet"
done
