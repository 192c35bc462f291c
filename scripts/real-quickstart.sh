#!/usr/bin/env bash
# Quick start and a plan of three chapters by a real language model on this machine.
#
#   scripts/real-quickstart.sh [WORKDIR]
#
# World, cast, style and plan are asked from the model, each with its JSON Schema, which the server
# enforces while it writes. The three trial chapters are the offline author's: a chapter by this model
# is what scripts/real-model.sh shows. Needs the same as that script, and takes the same variables.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/real-llm/book.sh"
real_book "$@"
novel() { "$novel" --lang en "$@"; }

. "$here/real-llm/setup.sh"
step "model and server"
real_llm_setup
trap real_llm_stop EXIT
real_llm_start "$work/server.log"
echo "$real_llm_model at $real_llm_url"

step "a new book"
novel init "$book" --title 雾港来信 --genre 悬疑 --protagonist '陆砚，二十三岁的投递员' \
  --conflict '一封写着明天日期的信' --style-template plain
cd "$book"
cat >>novel.toml <<TOML

[plan]
chapters = 6
chunk = 3
material = "known"

[llm]
api = "openai"
base_url = "$real_llm_url/v1"
temperature = 0.6
max_output_tokens = 3000
first_byte_seconds = 900
silent_seconds = 900
total_seconds = 1800

[context]
input_tokens = 8000

[models]
default = "$real_llm_model"
TOML

# tries COMMAND…: a step may be refused twice in a row with models so small; sound answers are found in
# the ledger and not asked for again.
tries() {
  local code=0 _
  "$@" || code=$?
  for _ in 1 2; do
    if [ "$code" -ne 5 ] && [ "$code" -ne 2 ]; then break; fi
    echo "-- exit code $code; tried again"
    code=0
    "$@" --retry || code=$?
  done
  return "$code"
}

begun=$SECONDS
step "world, cast and style by $real_llm_model"
models_part() {
  case $(novel --quiet next) in quickstart:world | quickstart:characters | quickstart:style) ;; *) return 1 ;; esac
}
for _ in 1 2 3 4 5 6; do
  models_part || break
  # The model's part ends where the trial begins: there the run is asked to stop, as with Ctrl-C.
  "$novel" --lang en quickstart --executor llm --retry >"$work/quickstart.log" 2>&1 &
  run=$!
  while kill -0 "$run" 2>/dev/null; do
    if [ -e volumes/vol-01/outline.md ]; then kill -INT "$run" 2>/dev/null || true; break; fi
    sleep 1
  done
  wait "$run" || true
  cat "$work/quickstart.log"
done
if models_part; then
  echo "-- the model did not get through its part of the quick start; what it answered is in logs/calls/"
  exit 1
fi
step "trial chapters by the offline author"
novel quickstart --executor offline --retry
novel quickstart accept

step "plan of chapters 4 to 6 by $real_llm_model"
code=0
tries novel plan --executor llm || code=$?
took=$((SECONDS - begun))
real_llm_stop
trap - EXIT

step "what the book says"
for file in world/rules.json storylines/storylines.json characters/active/*.json style-profile.json; do
  printf -- '-- %s\n' "$file"
  cat "$file"
done
if [ "$code" -eq 0 ]; then
  novel plan show
else
  echo "-- no plan was accepted (exit code $code); what the model answered is in logs/calls/"
fi
novel doctor
novel cost
printf '\nquick start and plan took %s s by %s; exit code of the plan %s; the book is in %s\n' \
  "$took" "$real_llm_model" "$code" "$book"
exit "$code"
