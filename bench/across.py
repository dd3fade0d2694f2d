#!/usr/bin/env python3
"""References from one repository to another: codexmem against a compiler that has all of them in one project.

    across.py truth --rows ROWS.jsonl --out T.jsonl     of the rows that bench/compilers/go prints;
                                                        bench/compilers/typescript/across.mjs prints a truth
    across.py score --codexmem BIN --root DIR --truth T.jsonl [--workspace] [--by-line] [--worst N]

Repositories lie side by side in one folder, and the first folder of a path says whose a file is. A line of the
truth is a definition: symbol_id, name, path, line, `refs`, the places in the other repositories that use it,
and `dontcare`, places that count neither way; both as [path, line, ...]. `score` asks `codexmem serve` for the
references of each, leaves out those in the definition's own repository and counts lines. DIR is indexed as one tree,
or it has a codexmem.workspace.json that names its folders (--workspace): each is then a repository of its own. A question by name
and file is asked once, and means all of the name in the file. Definitions without
a use in another repository are in the truth too: an answer to them is wrong. Python 3.9, standard library.
"""
import argparse
import collections
import gzip
import json
import os
import random
import sys
import time

from eval_refs import McpServer
from compilers.truth import Repository


def member(path):
    return path.split("/", 1)[0]


def of_rows(options):
    with open(options.rows, encoding="utf-8") as rows:
        repository = Repository(rows)
    held = collections.defaultdict(set)  # name -> members whose files have it
    for uses in (*repository.uses.values(), *repository.unknown.values()):
        for use in uses:
            held[use["name"]].add(member(use["at"]))
    used, unused = [], []
    for d in repository.definitions.values():
        if d["scope"] == "local" or d["name"] in ("init", "main"):
            continue
        refs, dontcare = repository.references(d)
        own = member(d["path"])
        refs = [ref for ref in refs if member(ref[0]) != own]
        dontcare = [place for place in dontcare if member(place[0]) != own]
        row = {"symbol_id": d["id"], "name": d["name"], "kind": d["kind"], "path": d["path"], "line": d["line"],
               "refs": refs, "dontcare": dontcare}
        if refs:
            used.append(row)
        elif held[d["name"]] - {own}:
            unused.append(row)
    random.Random(options.seed).shuffle(unused)
    with open(options.out, "w", encoding="utf-8") as out:
        for row in used + unused[:options.unused]:
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{len(used)} definitions that other repositories use, {sum(len(r['refs']) for r in used)} references; "
          f"{min(len(unused), options.unused)} whose name others have and that they do not use")


class Tally:
    def __init__(self):
        self.right = self.wrong = self.missed = 0
        self.shares = []  # precision, recall, F1 of each definition

    def add(self, right, wrong, missed):
        self.right += right
        self.wrong += wrong
        self.missed += missed
        precision = right / (right + wrong) if right + wrong else float(missed == 0)
        recall = right / (right + missed) if right + missed else 1.0
        self.shares.append((precision, recall, f1(precision, recall)))

    def text(self):
        precision = self.right / (self.right + self.wrong or 1)
        recall = self.right / (self.right + self.missed or 1)
        macro = [sum(share[i] for share in self.shares) / len(self.shares) for i in range(3)]
        return (f"{len(self.shares):5} {self.right:6} {self.wrong:6} {self.missed:6} | {precision:.3f} {recall:.3f} "
                f"{f1(precision, recall):.3f} | {macro[0]:.3f} {macro[1]:.3f} {macro[2]:.3f}")


def f1(precision, recall):
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


class Server:
    """Asks a `codexmem serve` process."""

    def __init__(self, options):
        self.options = options
        root = options.root
        if options.workspace:  # any of its repositories opens the workspace
            root = next(entry.path for entry in sorted(os.scandir(root), key=lambda e: e.name)
                        if os.path.isdir(os.path.join(entry.path, ".codexmem")))
        self.server = McpServer(options.codexmem, root)

    def references(self, row):
        path = row["path"].replace("/", ":/", 1) if self.options.workspace else row["path"]
        arguments = {"symbol": row["name"], "file_path": path}
        if self.options.by_line:
            arguments["line"] = row["line"]
        items = self.server.call_all("get_references", arguments)
        found = set()
        for item in items:
            of = item["file"].get("repository") or item.get("repository")
            path = f"{of}/{item['file']['path']}" if of else item["file"]["path"]
            if item["type"] != "definition":
                found.add((path, item["line"]))
        return found

    def close(self):
        self.server.close()


class Answers:
    """Answers that are there: lines with symbol_id and refs."""

    def __init__(self, options):
        with open(options.answers, encoding="utf-8") as lines:
            self.rows = {row["symbol_id"]: row["refs"] for row in map(json.loads, lines)}

    def references(self, row):
        return {tuple(place[:2]) for place in self.rows.get(row["symbol_id"], [])}

    def close(self):
        pass


def score(options):
    opener = gzip.open if options.truth.endswith(".gz") else open
    with opener(options.truth, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    namesakes = collections.defaultdict(list)  # a question by name and file is about all of them
    for row in rows:
        namesakes[row["name"], row["path"]].append(row)
    ask = Server(options) if options.codexmem else Answers(options)
    tallies, times, worst = collections.defaultdict(Tally), [], []
    asked = set()
    for row in rows:
        question = row["name"], row["path"], row["line"] if options.by_line else None
        if not row.get("sampled", True) or question in asked:
            continue
        asked.add(question)
        begin = time.perf_counter()
        got = ask.references(row)
        times.append((time.perf_counter() - begin) * 1000)
        group = [row] if options.by_line else namesakes[row["name"], row["path"]]
        want = {tuple(ref[:2]) for one in group for ref in one["refs"] if member(ref[0]) != member(row["path"])}
        other = {tuple(place[:2]) for one in group for place in one["dontcare"]}
        got = {place for place in got if member(place[0]) != member(row["path"])} - (other - want)
        counts = len(got & want), len(got - want), len(want - got)
        used = "used" if want else "unused"
        for key in ("all", used, f"{used} {member(row['path'])}", f"{used} {row['kind']}"):
            tallies[key].add(*counts)
        worst.append((counts[1] + counts[2], row["symbol_id"], sorted(got - want), sorted(want - got)))
    ask.close()
    print(f"{'definitions of':24}     n  right  wrong missed |     P     R    F1 | macro P     R    F1")
    for key in sorted(tallies):
        print(f"{key:24} {tallies[key].text()}")
    times.sort()
    print(f"{len(times)} answers, median {times[len(times) // 2]:.1f} ms, p90 {times[len(times) * 9 // 10]:.1f} ms, "
          f"worst {times[-1]:.1f} ms")
    for count, symbol, wrong, missed in sorted(worst, reverse=True)[:options.worst]:
        if count:
            print(symbol, "wrong", wrong[:4], len(wrong), "missed", missed[:6], len(missed))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    truth = modes.add_parser("truth")
    truth.add_argument("--rows", required=True)
    truth.add_argument("--out", required=True)
    truth.add_argument("--unused", type=int, default=100)
    truth.add_argument("--seed", type=int, default=7)
    scoring = modes.add_parser("score")
    scoring.add_argument("--codexmem")
    scoring.add_argument("--root")
    scoring.add_argument("--workspace", action="store_true")
    scoring.add_argument("--answers", help="a file of answers, in place of --codexmem and --root")
    scoring.add_argument("--truth", required=True)
    scoring.add_argument("--by-line", action="store_true")
    scoring.add_argument("--worst", type=int, default=0)
    options = parser.parse_args()
    {"truth": of_rows, "score": score}[options.mode](options)


if __name__ == "__main__":
    sys.exit(main())
