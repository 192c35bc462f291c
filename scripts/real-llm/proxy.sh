# Sourced by real-qwen.sh: a LiteLLM proxy in front of the model server, on loopback.
real_proxy_pid=
real_proxy_venv=$real_llm_cache/litellm-venv

real_proxy_setup() {
  local stamp=$real_llm_cache/installed-proxy.txt
  if cmp -s "$real_llm_here/requirements-proxy.txt" "$stamp"; then return; fi
  rm -rf "$real_proxy_venv" "$stamp"
  python3 -m venv "$real_proxy_venv"
  "$real_proxy_venv/bin/pip" install --quiet --disable-pip-version-check -r "$real_llm_here/requirements-proxy.txt"
  cp "$real_llm_here/requirements-proxy.txt" "$stamp"
}

# real_proxy_start DIRECTORY: passes on to the server at real_llm_url; sets real_proxy_url and real_proxy_pid, and
# REAL_PROXY_KEY in the environment: the proxy does not start without a key. This one is made up for the run.
real_proxy_start() {
  local port _
  port=$("$real_llm_python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  cat >"$1/proxy.yaml" <<YAML
model_list:
  - model_name: $real_llm_model
    litellm_params:
      model: hosted_vllm/$real_llm_model
      api_base: $real_llm_url/v1
      api_key: none
litellm_settings:
  request_timeout: 2400
YAML
  REAL_PROXY_KEY=sk-$("$real_llm_python" -c 'import secrets; print(secrets.token_hex(32))')
  export REAL_PROXY_KEY
  # The list of prices comes with the package: it is not fetched.
  LITELLM_MASTER_KEY=$REAL_PROXY_KEY LITELLM_LOCAL_MODEL_COST_MAP=True DISABLE_ADMIN_UI=True "$real_proxy_venv/bin/litellm" --host 127.0.0.1 \
    --port "$port" --config "$1/proxy.yaml" >"$1/proxy.log" 2>&1 &
  real_proxy_pid=$!
  real_proxy_url=http://127.0.0.1:$port
  for _ in $(seq 600); do
    if "$real_llm_python" -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1])' \
      "$real_proxy_url/health/liveliness" 2>/dev/null; then
      return
    fi
    if ! kill -0 "$real_proxy_pid" 2>/dev/null; then break; fi
    sleep 0.5
  done
  tail -n 20 "$1/proxy.log" >&2
  return 1
}

real_proxy_stop() {
  if [ -z "$real_proxy_pid" ]; then return; fi
  kill "$real_proxy_pid" 2>/dev/null || true
  wait "$real_proxy_pid" 2>/dev/null || true
  real_proxy_pid=
}
