"""What a model's answers came to in a book: from the kept calls and the logs of the runs.

    count.py BOOK          tables: calls and tokens by chapter, refusals by reason, what the gate said
    count.py BOOK written  the last chapter of the book

A step is a stage that was accepted; a call is wasted if its answer was refused. Calls of the offline
author are not counted.
"""

import collections
import json
import pathlib
import re
import sys

from script import calls


def events(book):
    for log in sorted((book / "logs/runs").glob("*.jsonl")):
        run = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        if run[0]["executor"] != "offline":
            yield from run


def refusals(book, call):
    """Why an answer was refused; none if it was not."""
    mark = book / "logs/calls" / call["step"].replace(":", "-") / f"{call['id']}.rejected.json"
    if mark.exists():
        return json.loads(mark.read_text(encoding="utf-8"))["problems"]
    return call.get("rejected")


def reason(problem):
    """The kind of a problem: without its place, and with … for what is quoted or counted."""
    text = re.sub(r"^\S*(staging|logs)/\S+: ", "", problem)
    text = re.sub(r"`[^`]*`|“[^”]*”|\"[^\"]*\"", "…", text)
    return re.sub(r"\d[\d.]*", "N", text)


def table(heads, rows):
    widths = [max(len(str(row[i])) for row in [heads, *rows]) for i in range(len(heads))]
    for row in [heads, *rows]:
        first, *rest = (str(cell) for cell in row)
        print("  ".join([first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:]))]))


class Sum:
    """Calls of a chapter, a kind of step, or all."""

    def __init__(self):
        self.steps = self.calls = self.again = self.refused = self.seconds = 0
        self.tokens = collections.Counter()

    def add(self, call, refused):
        self.calls += 1
        self.again += "retry_of" in call and call["retry_of"] is not None
        self.refused += refused
        self.seconds += (call["duration_ms"] or 0) / 1000
        self.tokens.update({name: count or 0 for name, count in call["usage"].items()})

    def row(self, name):
        per_step = f"{self.calls / self.steps:.2f}" if self.steps else "-"
        cached = f"{100 * self.tokens['cached'] / self.tokens['input']:.0f} %" if self.tokens["input"] else "-"
        seconds = f"{self.seconds:.0f}"
        tokens = (self.tokens["input"], cached, self.tokens["output"])
        return (name, self.steps, self.calls, per_step, self.again, self.refused, *tokens, seconds)


def report(book):
    sums = collections.defaultdict(Sum)
    reasons = collections.Counter()
    for call in calls(book):
        if call["executor"] == "offline":
            continue
        _, chapter, stage = call["step"].split(":")
        why = refusals(book, call)
        for name in (f"chapter {int(chapter)}", stage, "all"):
            sums[name].add(call, why is not None)
        for kind in {reason(problem) for problem in why or []}:
            reasons[(stage, kind)] += 1
    gates = []
    for event in events(book):
        if event["type"] == "step.accepted":
            _, chapter, stage = event["step"].split(":")
            for name in (f"chapter {int(chapter)}", stage, "all"):
                if stage in sums:
                    sums[name].steps += 1
        elif event["type"] == "gate.decided":
            gates.append(f"chapter {event['chapter']}: {event['decision']} at {event['overall']:.2f}, revisions {event['revisions']}")
    heads = ("", "steps", "calls", "a step", "re-asks", "refused", "input", "cached", "output", "seconds")
    order = sorted(name for name in sums if name.startswith("chapter"))
    order += [name for name in ("draft", "summarize", "refine", "judge", "all") if name in sums]
    table(heads, [sums[name].row(name) for name in order])
    print("\nanswers refused, by reason (an answer may have several)")
    for (stage, kind), count in sorted(reasons.items(), key=lambda item: (item[0][0], -item[1])):
        print(f"{count:>4}  {stage}: {kind}")
    print("\nwhat the gate said")
    print("\n".join(gates) or "nothing: no chapter came so far")


def main():
    book = pathlib.Path(sys.argv[1])
    if sys.argv[2:] == ["written"]:
        checkpoint = json.loads((book / ".checkpoint.json").read_text(encoding="utf-8"))
        print(checkpoint["last_completed_chapter"])
    else:
        report(book)


main()
