#!/usr/bin/env python3
"""Of each level of confidence, how many places that get_references gives are right.

    likely.py --codexmem BIN --repos DIR --truth DIR [--repo NAME ...] [--symbols N] [--list wrong|missed]

The truth is what compilers/truth.py writes (NAME.jsonl.gz), each NAME a folder of --repos. Every sampled definition
is asked for by its line, with min_confidence possible. A place is a path and a line: right if the truth has it, undecided
if the truth cannot tell (families of overrides among them), else wrong. A use is missed silently when no level has
it. Definitions of one name on one line are one question. Python 3.9, standard library.
"""
import argparse
import collections
import glob
import gzip
import json
import os
import subprocess

from eval_refs import McpServer

LEVELS = ["resolved", "likely", "possible"]


def read_truth(path):
    """The questions: those definitions that answers by name, file and line take together."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    together = collections.defaultdict(list)
    for row in rows:
        together[row["name"], row["path"], row["line"]].append(row)
    return [group for group in together.values() if any(row["sampled"] for row in group)]


def compare(server, group):
    """(level or "missed", what the truth says, path, line, text) of each place."""
    asked = group[0]
    uses = {tuple(ref[:2]) for row in group for ref in row["refs"]}
    undecided = {tuple(ref[:2]) for row in group for ref in row["dontcare"]} - uses
    declared = {(row["path"], line) for row in group for line, _ in row["decls"]}
    found = {}
    for item in server.call_all("get_references", {"symbol": asked["name"], "file_path": asked["path"],
                                                   "line": asked["line"], "min_confidence": "possible"}):
        if item["type"] == "definition":
            declared |= {(item["file"]["path"], item["line"]), (item["file"]["path"], item.get("nameLine"))}
            continue
        place = item["file"]["path"], item["line"]
        level = item["confidence"]
        if place not in found or LEVELS.index(level) < LEVELS.index(found[place][0]):
            found[place] = level, item.get("context", "").strip()
    for place, (level, text) in found.items():
        if place in uses:
            yield (level, "right", *place, text)
        elif place not in declared:
            yield (level, "undecided" if place in undecided else "wrong", *place, text)
    for place in uses - found.keys() - declared:
        yield ("missed", "missed", *place, "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("codexmem", "repos", "truth"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--repo", nargs="*", default=[])
    parser.add_argument("--symbols", type=int, help="at most so many of a repository")
    parser.add_argument("--list", nargs="*", default=[], help="likely.wrong, missed ...: print those places")
    options = parser.parse_args()
    counts = collections.defaultdict(collections.Counter)
    for path in sorted(glob.glob(os.path.join(options.truth, "*.jsonl.gz"))):
        repo = os.path.basename(path)[: -len(".jsonl.gz")]
        if "." in repo and repo.endswith((".defs", ".deps")) or options.repo and repo not in options.repo:
            continue
        root = os.path.join(options.repos, repo)
        subprocess.run([options.codexmem, "index", root, "--quiet"], check=True)
        server = McpServer(options.codexmem, root)
        for group in read_truth(path)[: options.symbols]:
            for level, verdict, file, line, text in compare(server, group):
                for key in (group[0]["lang"], f"{group[0]['lang']}: {repo}"):
                    counts[key][level, verdict] += 1
                    counts[key]["right"] += verdict == "right"
                if level == verdict and level in options.list or f"{level}.{verdict}" in options.list:
                    print(f"{level}.{verdict}\t{repo}\t{group[0]['path']}:{group[0]['line']} {group[0]['qname']}"
                          f"\t{file}:{line}\t{text}")
        server.close()
    print(f"{'':28}" + "".join(f"{level + ' right/all':>20} {'prec':>6} {'?':>5}" for level in LEVELS) +
          f"{'missed':>8} {'per 1000':>8}")
    for key in sorted(counts):
        row = counts[key]
        cells = ""
        for level in LEVELS:
            right, wrong = row[level, "right"], row[level, "wrong"]
            share = f"{right / (right + wrong):.3f}" if right + wrong else "-"
            cells += f"{right:>13}/{right + wrong:<6} {share:>6} {row[level, 'undecided']:>5}"
        missed, uses = row["missed", "missed"], row["right"] + row["missed", "missed"]
        print(f"{key:28}{cells}{missed:>8} {1000 * missed / uses if uses else 0:>8.1f}")


if __name__ == "__main__":
    main()
