#!/usr/bin/env python3
"""How high `codexmem locate` ranks the files and functions that a fix changed.

  locate.py CODEXMEM CASES

CASES is a file of JSON lines: {"id", "tree": a checkout of the commit before the fix, "text": the issue or the message of the
fix, "files": [path, ...], "functions": [[path, name, line of the name], ...], "all": whether each file (function) must be
found, or one of them}. Trees are indexed when they are not yet.
"""
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

PLACES = (1, 5, 10)


def locate(program, case):
    tree = Path(case["tree"])
    if not (tree / ".codexmem").exists():
        subprocess.run([program, "index", str(tree), "--quiet"], check=True)
    begin = time.perf_counter()
    done = subprocess.run([program, "locate", "-", "--repo", str(tree), "--no-refresh", "--json", "--limit", "50"],
                          input=case["text"][:20000], capture_output=True, text=True)
    rows = json.loads(done.stdout) if done.returncode in (0, 1) and done.stdout else []
    return rows if isinstance(rows, list) else [], time.perf_counter() - begin


def is_found(wanted, found, every):
    return bool(wanted) and (every(each in found for each in wanted))


def main():
    program, cases = sys.argv[1], [json.loads(line) for line in open(sys.argv[2])]
    hits = {kind: dict.fromkeys(PLACES, 0) for kind in ("file", "function")}
    seconds, probabilities, right = [], [], []
    for case in cases:
        rows, took = locate(program, case)
        seconds.append(took)
        every = all if case["all"] else any
        files = list(dict.fromkeys(row["path"] for row in rows))
        functions = [(row["path"], row["line"]) for row in rows]
        wanted = [(path, line) for path, _, line in case["functions"]]
        for place in PLACES:
            hits["file"][place] += is_found(case["files"], files[:place], every)
            hits["function"][place] += is_found(wanted, functions[:place], every)
        if rows:
            probabilities.append(rows[0]["probability"])
            right.append(functions[0] in wanted)
    for kind, counts in hits.items():
        print(kind, *(f"@{place} {count / len(cases):.3f}" for place, count in counts.items()))
    print(f"first function: probability {statistics.mean(probabilities):.2f}, right {statistics.mean(right):.2f}")
    print(f"median {1000 * statistics.median(seconds):.0f} ms of {len(cases)} calls")


if __name__ == "__main__":
    main()
