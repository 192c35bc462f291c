#!/usr/bin/env bash
# The program of the `command` executor in scripts/real-agent-cli.sh: one agent call through Claude
# Code. The prompt comes on standard input, the answer goes to standard output, everything else into a
# temporary directory.
#
#   claude-agent.sh CLAUDE URL
set -euo pipefail
own=$(mktemp -d)
trap 'rm -rf "$own"' EXIT
export ANTHROPIC_BASE_URL=$2 ANTHROPIC_API_KEY=none ANTHROPIC_MODEL=scripted
export CLAUDE_CONFIG_DIR=$own/config CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1
cat >"$own/prompt.txt"
cd "$own"
"$1" -p --tools "" --output-format text --system-prompt "按要求只输出所要的文字。" <"$own/prompt.txt"
