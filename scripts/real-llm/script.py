#!/usr/bin/env python3
"""A script for the test server: the answers of the offline author to one chapter of a book.

    script.py BOOK CHAPTER           prints the script
    script.py --asked REQUESTS.jsonl prints what the server was asked
"""
import json
import pathlib
import subprocess
import sys

# First heading of an agent's prompt, and the step it works at.
AGENTS = [("# 写手", "draft"), ("# 书记", "summarize"), ("# 润色师", "refine"), ("# 评审", "judge")]


def calls(book: pathlib.Path) -> list:
    """All kept answers: used ones are compressed (`zstdcat`), others in files of their own."""
    found = []
    for used in sorted((book / "logs/calls").glob("*.zst")):
        lines = subprocess.run(["zstdcat", used], check=True, capture_output=True, text=True).stdout
        found += [json.loads(line) for line in lines.splitlines()]
    for alone in sorted((book / "logs/calls").glob("*/*.json")):
        if not alone.name.endswith(".rejected.json"):
            found.append(json.loads(alone.read_text()))
    return found


def script(book: pathlib.Path, chapter: int) -> dict:
    rules = []
    for heading, step in AGENTS:
        text = next(call["text"] for call in calls(book) if call["step"] == f"chapter:{chapter:03}:{step}")
        answer = {"text": text, "chars_per_event": 64, "tokens": {"input": 900, "output": 300}}
        rules.append({"when": f"{heading}\n", "then": {"answer": answer}})
    # Whatever else the program wants to know.
    rules.append({"then": {"answer": {"text": "好"}}})
    return {"rules": rules}


def asked(log: pathlib.Path) -> None:
    for line in log.read_text().splitlines():
        request = json.loads(line)
        prompt = json.dumps(request["body"], ensure_ascii=False)
        step = next((step for heading, step in AGENTS if heading + "\\n" in prompt), "other")
        print(f"{request['number']:>3}  {request['method']} {request['path']}  {step}, {len(prompt)} characters")


if __name__ == "__main__":
    if sys.argv[1] == "--asked":
        asked(pathlib.Path(sys.argv[2]))
    else:
        json.dump(script(pathlib.Path(sys.argv[1]), int(sys.argv[2])), sys.stdout, ensure_ascii=False)
