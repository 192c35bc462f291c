#!/usr/bin/env bash
# Kills the real binary at every file-system call of a commit, an advance, a changed setting and a submit, one call
# after the other, and checks what the next commands find.
#
#   .ci/crash-matrix.sh PATH-TO-NOVEL
#
# After every kill: `novel next` works at once; a writer (`novel doctor --fix`) leaves the project
# byte for byte as before or as after the command; and the command, run again, leaves it as after.
set -euo pipefail
cd "$(dirname "$0")/.."

NOVEL=$(realpath "${1:?usage: .ci/crash-matrix.sh PATH-TO-NOVEL}")
# Every call that names a file, and every one that changes, syncs, locks or lists an open one.
CALLS='%file,write,pwrite64,writev,fsync,fdatasync,ftruncate,fallocate,copy_file_range,flock,getdents64'
export NOVEL CALLS

base=/tmp
[[ -w /dev/shm ]] && base=/dev/shm
work=$(mktemp -d "$base/novel-crash.XXXXXX")
trap 'rm -rf "$work"' EXIT
export work

novel() { # DIR ARGS...
  local dir=$1
  shift
  # Without a cache: what it reads depends on the age of files, and the calls are counted.
  (cd "$dir" && exec env -i HOME="$work" XDG_CACHE_HOME="$dir/.cache" TZ=UTC LANG=C.UTF-8 SOURCE_DATE_EPOCH=1772323200 \
    "$NOVEL" --json "$@")
}

# Everything in a project: names, kinds, contents. Only the time of day in the log of operations
# is left out.
digest() { # DIR
  (
    cd "$1"
    find . -printf '%y %p\n' | LC_ALL=C sort
    find . -type f ! -path ./logs/operations.jsonl -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum
    if [[ -f logs/operations.jsonl ]]; then
      sed -E 's/"at":"[^"]*"/"at":""/; s/"sum":"[^"]*"/"sum":""/' logs/operations.jsonl
    fi
  ) | sha256sum | cut -d' ' -f1
}

fail() { # POINT MESSAGE
  echo "FAILED $matrix, call $1: $2" >&2
  sed -n "$1p" "$work/$matrix.calls" >&2
}

# The command under test. A submit reads its answer from a file, so that it can be run again.
act() { # DIR
  # shellcheck disable=SC2086
  novel "$1" $command
}

point() { # K, as `LINE CALL NTH`: strace counts each call by itself
  local k call nth state
  read -r k call nth <<<"$1"
  local dir="$work/$matrix-$k"
  cp -a "$work/$matrix.before" "$dir"
  (
    cd "$dir"
    # shellcheck disable=SC2086
    env -i HOME="$work" XDG_CACHE_HOME="$PWD/.cache" TZ=UTC LANG=C.UTF-8 SOURCE_DATE_EPOCH=1772323200 \
      strace -f -qq -o /dev/null -e trace="$call" -e inject="$call:signal=SIGKILL:when=$nth" \
      "$NOVEL" --json $command >/dev/null 2>&1
  ) 2>/dev/null && { fail "$k" "the process was not killed"; return 255; }

  novel "$dir" next >/dev/null || { fail "$k" "next does not work"; return 255; }

  cp -a "$dir" "$dir.recovered"
  novel "$dir.recovered" doctor --fix >/dev/null || { fail "$k" "doctor --fix does not work"; return 255; }
  state=$(digest "$dir.recovered")
  if [[ $state != "$before" && $state != "$after" ]]; then
    fail "$k" "neither before nor after"
    diff -rq "$work/$matrix.before" "$dir.recovered" >&2
    return 255
  fi

  # A step that was accepted already is refused; a commit is the same twice.
  if ! act "$dir" >/dev/null && [[ $matrix == commit || $state == "$before" ]]; then
    fail "$k" "the command does not work again"
    return 255
  fi
  if [[ $(digest "$dir") != "$after" ]]; then
    fail "$k" "not as after"
    diff -rq "$work/$matrix.after" "$dir" >&2
    return 255
  fi
  if [[ $state == "$before" ]]; then echo before; else echo after; fi >>"$work/$matrix.outcomes"
  rm -rf "$dir" "$dir.recovered"
}
export -f novel digest fail act point

run_matrix() { # NAME POINT COMMAND
  export matrix=$1 command=$3
  echo "preparing: $matrix"
  NOVEL_BIN=$NOVEL cargo run -q -p novel-cli --example prepare_book -- "$work/$matrix.home" "$2"
  mv "$work/$matrix.home/book" "$work/$matrix.before"
  [[ -f $work/$matrix.home/verdict.json ]] && mv "$work/$matrix.home/verdict.json" "$work/verdict.json"

  # A sound project is not changed by the writer that stands for any writer.
  cp -a "$work/$matrix.before" "$work/$matrix.after"
  before=$(digest "$work/$matrix.before")
  novel "$work/$matrix.before" doctor --fix >/dev/null
  [[ $(digest "$work/$matrix.before") == "$before" ]] || { echo "doctor --fix changed a sound project" >&2; exit 1; }
  act "$work/$matrix.after" >/dev/null
  after=$(digest "$work/$matrix.after")
  [[ $after != "$before" ]] || { echo "the command changed nothing" >&2; exit 1; }
  export before after

  cp -a "$work/$matrix.before" "$work/$matrix.count"
  (
    cd "$work/$matrix.count"
    # shellcheck disable=SC2086
    env -i HOME="$work" XDG_CACHE_HOME="$PWD/.cache" TZ=UTC LANG=C.UTF-8 SOURCE_DATE_EPOCH=1772323200 \
      strace -f -qq -o "$work/$matrix.calls" -e trace="$CALLS" -e signal=none "$NOVEL" --json $command >/dev/null
  )
  local threads calls
  threads=$(cut -d' ' -f1 "$work/$matrix.calls" | sort -u | wc -l)
  # Before its own execve there is no process to kill.
  sed -i '/^[0-9]* *execve(/d' "$work/$matrix.calls"
  calls=$(wc -l <"$work/$matrix.calls")
  [[ $threads == 1 ]] || { echo "the command has $threads threads; the count is per thread" >&2; exit 1; }
  : >"$work/$matrix.outcomes"
  awk '{ call = $2; sub(/\(.*/, "", call); print NR, call, ++nth[call] }' "$work/$matrix.calls" |
    xargs -P 2 -I{} bash -c 'point "{}"' 
  local tried forward
  tried=$(wc -l <"$work/$matrix.outcomes")
  forward=$(grep -c after "$work/$matrix.outcomes" || true)
  [[ $tried == "$calls" ]] || { echo "only $tried of $calls points passed" >&2; exit 1; }
  [[ $forward -gt 0 && $forward -lt $tried ]] || { echo "no kill on one side of the commit point" >&2; exit 1; }
  echo "$matrix: $tried crash points tried, $((tried - forward)) discarded, $forward rolled forward"
}

run_matrix commit judged 'commit --chapter 2'
run_matrix advance drafted 'advance chapter:002:draft'
run_matrix config drafted 'config set chapter.min_words 900'
run_matrix submit refined "submit chapter:002:judge $work/verdict.json"
