#!/usr/bin/env bash
# One step of the demo book by a real agent program: Claude Code as the `command` executor, talking
# to a small language model on this machine. It writes the draft of chapter 2; the structured steps
# are beyond this model on this wire, so the run stops there and the offline author takes over.
#
#   scripts/real-agent-cli.sh [WORKDIR]
#
# Needs what scripts/real-model.sh needs, and node with npm. The first run fetches about 600 MB into
# ${XDG_CACHE_HOME:-~/.cache}/novel-real-llm. No key is used: the program is pointed at loopback.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
version=2.1.197
work=${1:-$(mktemp -d "${TMPDIR:-/tmp}/novel-agent-cli.XXXXXX")}
mkdir -p "$work"
work=$(cd "$work" && pwd)
book=$work/book
if [ -e "$book" ]; then echo "there is a book in $work already" >&2; exit 2; fi
step() { printf '\n== %s ==\n' "$*"; }

novel=${NOVEL:-$here/../target/release/novel}
if [ ! -x "$novel" ]; then
  step "building novel"
  (cd "$here/.." && cargo build --release -p novel-cli)
fi
novel=$(cd "$(dirname "$novel")" && pwd)/$(basename "$novel")

. "$here/real-llm/setup.sh"
step "model, server and agent program"
real_llm_setup
cli=$real_llm_cache/agent-cli
if [ "$(cat "$cli/installed.txt" 2>/dev/null)" != "$version" ]; then
  mkdir -p "$cli"
  npm install --silent --no-audit --no-fund --prefix "$cli" "@anthropic-ai/claude-code@$version"
  # npm may be told not to run the scripts of packages; this one puts the program in its place.
  node "$cli/node_modules/@anthropic-ai/claude-code/install.cjs"
  echo "$version" >"$cli/installed.txt"
fi
"$cli/node_modules/.bin/claude" --version

step "demo book, first chapter by the offline author"
"$novel" --lang en demo "$book" --language zh-CN --chapters 1
cd "$book"
{
  echo 'executor = "command"'
  cat novel.toml
  cat <<TOML

[command]
program = ["$here/real-llm/claude-agent.sh"]
timeout_seconds = 3600

[context]
input_tokens = 5200

[models]
default = "claude-code/gemma-3-270m"
TOML
} >novel.toml.new
mv novel.toml.new novel.toml

step "chapter 2 by Claude Code through the command executor"
code=0
"$novel" --lang en continue 1 || code=$?
if [ "$code" -ne 5 ]; then
  echo "expected a stop at the summarizer (exit code 5), got $code" >&2
  exit 1
fi

step "the rest of chapter 2 by the offline author"
code=0
"$novel" --lang en continue 1 --retry --executor offline || code=$?
if [ "$code" -eq 3 ]; then
  echo "-- the gate waits for the author (exit code 3); accepted by this script, for the record"
  "$novel" --lang en gate accept 2 --reason "real-agent-cli.sh: the run is about the executor, not prose"
  "$novel" --lang en commit --chapter 2
elif [ "$code" -ne 0 ]; then
  exit "$code"
fi

step "what the book says"
"$real_llm_python" "$here/real-llm/chapter.py" report . 2
"$novel" --lang en doctor
head -n 5 chapters/chapter-002.md
printf '\nthe book is in %s\n' "$book"
