#!/usr/bin/env bash
# Runs every target of fuzz/ for a while, all at once.
#
#   .ci/fuzz.sh [SECONDS]     a minute by default; 0 only builds
#
# libFuzzer with coverage on the stable compiler. The address sanitizer needs a nightly one and has
# little to find in code without `unsafe`. A failing input stays in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"

seconds=${1:-60}
host=$(rustc -vV | sed -n 's/^host: //p')
coverage=(
  -Cpasses=sancov-module
  -Cllvm-args=-sanitizer-coverage-level=4
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
  -Cllvm-args=-sanitizer-coverage-pc-table
  -Cllvm-args=-sanitizer-coverage-trace-compares
)
# The versions of the workspace; what only fuzzing needs is resolved on top of them.
[[ Cargo.lock -nt ../Cargo.lock ]] || cp ../Cargo.lock Cargo.lock
# With --target the flags stay away from build scripts and macros.
env RUSTFLAGS="${coverage[*]}" cargo build --quiet --release --target "$host"
((seconds)) || exit 0

fuzz() { # TARGET
  mkdir -p "corpus/$1" "artifacts/$1"
  local log="target/$1.log"
  if "target/$host/release/$1" -max_total_time="$seconds" -timeout=30 -rss_limit_mb=2048 \
    -artifact_prefix="artifacts/$1/" "corpus/$1" "seeds/$1" >"$log" 2>&1; then
    echo "$1: $(tail -n 1 "$log")"
  else
    cat "$log" >&2
    echo "$1 failed" >&2
    return 255
  fi
}
export -f fuzz
export seconds host
find fuzz_targets -name '*.rs' -printf '%f\n' | sed 's/\.rs$//' | sort |
  xargs -P 0 -I{} bash -euo pipefail -c 'fuzz {}'
