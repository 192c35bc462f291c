#!/usr/bin/env bash
# The program of the `command` executor in scripts/real-agent-cli.sh: one agent call through Claude
# Code, against a model on this machine. The prompt comes on standard input, the answer goes to
# standard output, everything else into a temporary directory.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/setup.sh"
own=$(mktemp -d)
trap 'real_llm_stop; rm -rf "$own"' EXIT
cat >"$own/prompt.txt"
case $NOVEL_STEP in
  *:draft) ;;
  *)
    # The server takes no schema on this wire, and a model this small ends no list without one:
    # tries of the summarizer had no usable answer after eight minutes.
    echo "$NOVEL_STEP: this model writes no JSON without a schema" >&2
    exit 1
    ;;
esac
"$real_llm_python" "$here/chapter.py" grammar "$NOVEL_PROJECT" >"$own/answer.gbnf"
real_llm_start "$own/server.log" --grammar "$own/answer.gbnf" >&2

export ANTHROPIC_BASE_URL=$real_llm_url ANTHROPIC_API_KEY=none ANTHROPIC_MODEL=$real_llm_model
export CLAUDE_CONFIG_DIR=$own/config CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1
export API_TIMEOUT_MS=1800000 CLAUDE_CODE_MAX_OUTPUT_TOKENS=3000
cd "$own"
"$real_llm_cache/agent-cli/node_modules/.bin/claude" -p --tools "" --output-format text \
  --system-prompt "按要求只输出所要的文字。" <"$own/prompt.txt"
