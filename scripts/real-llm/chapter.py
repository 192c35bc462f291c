"""The chapter that comes next in a book, for the real-model run.

    chapter.py grammar BOOK    GBNF for the prose of that chapter
    chapter.py report BOOK N   what the log of chapter N says, as a table
"""

import json
import pathlib
import re
import sys


def grammar(book):
    """A heading, and four paragraphs of sentences.

    A model as small as this one neither stops nor keeps to a heading by itself. The program sends a
    schema with every structured answer; prose has none, so the server holds it to this form.
    """
    checkpoint = json.loads((book / ".checkpoint.json").read_text(encoding="utf-8"))
    number = checkpoint["last_completed_chapter"] + 1
    outline = (book / "volumes/vol-01/outline.md").read_text(encoding="utf-8")
    title = re.search(rf"^### 第 {number} 章[：:]\s*(.+)$", outline, re.M)
    if not title:
        sys.exit(f"chapter {number} is not in the outline")
    heading = json.dumps(f"# 第 {number} 章 {title.group(1).strip()}\n\n", ensure_ascii=False)
    body = r' "\n\n" '.join(["paragraph"] * 4)
    print(f"root ::= {heading} {body} " + r'"\n"')
    print("paragraph ::= sentence{2,4}")
    print('sentence ::= clause ("，" clause){0,3} [。！？]')
    print("clause ::= [一-鿿]{3,14}")


def report(book, number):
    """What a chapter took, from its log; answers that were refused stand in brackets."""
    log = json.loads((book / f"logs/chapter-{number:03}-log.json").read_text(encoding="utf-8"))
    row = "{:<12} {:<8} {:<16} {:>8} {:>8} {:>9} {:>9}".format
    print(row("stage", "executor", "model", "input", "output", "attempts", "seconds"))
    total = [0, 0, 0.0]
    for stage in log["stages"]:
        seconds = (stage["duration_ms"] or 0) / 1000
        read, written = stage["input_tokens"] or 0, stage["output_tokens"] or 0
        total = [total[0] + read, total[1] + written, total[2] + seconds]
        name = f"({stage['name']})" if stage.get("rejected") else stage["name"]
        cells = (name, stage["executor"], stage["model"], read, written)
        print(row(*cells, stage["attempts"], f"{seconds:.1f}"))
    print(row("total", "", "", total[0], total[1], "", f"{total[2]:.1f}"))
    print(f"gate: {log['gate_decision']}, overall {log['judges']['overall_final']}")
    used = {stage["name"] for stage in log["stages"] if stage["executor"] and not stage.get("rejected")}
    missing = {"draft", "summarize", "refine", "judge"} - used
    if missing:
        sys.exit(f"no agent answered for {sorted(missing)}")


def main():
    if sys.argv[1] == "grammar":
        grammar(pathlib.Path(sys.argv[2]))
    else:
        report(pathlib.Path(sys.argv[2]), int(sys.argv[3]))


main()
