#!/usr/bin/env bash
# One chapter of the demo book by a real agent program: Claude Code as the `command` executor. Program,
# process, standard input and output, sandbox and write boundary are real. The model behind it is not:
# the test server of this repository (crates/novel-mockllm, Messages wire, loopback) answers with what
# the offline author wrote for the same chapter of a twin of the book.
#
#   scripts/real-agent-cli.sh [WORKDIR]
#
# Needs python3, zstd, node with npm, and the package registry. The first run fetches about 240 MB into
# ${XDG_CACHE_HOME:-~/.cache}/novel-real-llm. No key is used: the program is pointed at loopback.
# NOVEL and MOCKLLM are the binaries (default: those of target/release, built if they are not there).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
version=2.1.197
. "$here/real-llm/book.sh"
real_book "$@"
mockllm=${MOCKLLM:-$(built mockllm novel-mockllm)}

step "agent program"
cli=${XDG_CACHE_HOME:-$HOME/.cache}/novel-real-llm/agent-cli
if [ "$(cat "$cli/installed.txt" 2>/dev/null)" != "$version" ]; then
  mkdir -p "$cli"
  npm install --silent --no-audit --no-fund --prefix "$cli" "@anthropic-ai/claude-code@$version"
  # npm may be told not to run the scripts of packages; this one puts the program in its place.
  node "$cli/node_modules/@anthropic-ai/claude-code/install.cjs"
  echo "$version" >"$cli/installed.txt"
fi
"$cli/node_modules/.bin/claude" --version

step "demo book, first chapter by the offline author; a twin with two"
"$novel" --lang en demo "$book" --language zh-CN --chapters 1
"$novel" --lang en --quiet demo "$work/twin" --language zh-CN --chapters 2 >"$work/twin.log"
python3 "$here/real-llm/script.py" "$work/twin" 2 >"$work/script.json"

step "server"
coproc SERVER { "$mockllm" "$work/script.json" --log "$work/requests.jsonl"; }
read -r url <&"${SERVER[0]}"
echo "scripted answers at $url"

cd "$book"
# `executor` belongs before the first table of the file, the tables after the last line.
{
  echo 'executor = "command"'
  cat novel.toml
  cat <<TOML

[command]
program = ["$here/real-llm/claude-agent.sh", "$cli/node_modules/.bin/claude", "$url"]
timeout_seconds = 600

[models]
default = "claude-code/scripted"
TOML
} >novel.toml.new
mv novel.toml.new novel.toml

step "chapter 2 by Claude Code through the command executor"
"$novel" --lang en continue 1

step "what the server was asked"
python3 "$here/real-llm/script.py" --asked "$work/requests.jsonl"

step "what the book says"
python3 "$here/real-llm/chapter.py" report . 2
"$novel" --lang en doctor
head -n 5 chapters/chapter-002.md
printf '\nthe book is in %s\n' "$book"
