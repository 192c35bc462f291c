#!/usr/bin/env bash
# The long attacks, each in full; the short tests run a sample of each. Counts are in docs/reliability.md.
#
#   scripts/attack.sh faults          every call of the commands that write fails, once and for good
#   scripts/attack.sh damages [N]     N random damages (default 1000), half on each of two books
#   scripts/attack.sh kills [N]       N kills (default 12000) over all commands that write
#
# NOVEL_BIN is the binary that is killed (default: the one Cargo builds for the tests); with NOVEL_KILLED="plan,undo" only the
# commands of these names are.
set -euo pipefail
cd "$(dirname "$0")/.."
run() { cargo nextest run -p novel-cli --profile full --no-fail-fast --no-capture "$@"; }

case ${1:-} in
faults) NOVEL_FULL_MATRIX=1 run fault_matrix::every_failing_call ;;
damages) NOVEL_DAMAGES=${2:-1000} run damages:: ;;
kills) NOVEL_KILLS=${2:-12000} run kill_storm:: ;;
*)
  sed -n 's/^# \{0,1\}//p' "$0" | sed 1d >&2
  exit 2
  ;;
esac
