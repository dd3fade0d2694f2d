#!/usr/bin/env python3
"""What an answer costs: bytes to the first relevant piece, and recall by the tokens that a client has read.

usage: answer_cost.py CODEXMEM SET CHECKOUTS [NAME...]      (SET and CHECKOUTS as of search_bench.cpp)

Each query is asked of three ways to find code, and what they give is read from the beginning:

  search_code    an answer's JSON, as a client gets it; an item counts when read whole. Bytes with the defaults, recall
                 with limit 50, threshold 0 and max_tokens as large as the tokens
  grep, read     `grep -rniF` for each content word of the query; files by distinct words, then lines, read whole. A file
                 counts at its end, a function at its last line; what grep prints is not counted
  grep lines     the same lines, those of the rarest words first; `rg -niF` where it is installed

Relevant is what covers a target: its file; of targets with lines, an item that holds their first line or lies within
them, a line within them. Four bytes are a token. Bytes are of the queries that were answered at all, with their share;
"of all" is the median with the others as infinite. Folders are copied and indexed anew, without their histories.
"""

import functools
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from mcp_client import Server

BUDGETS = (500, 1000, 2000, 4000, 8000)
BYTES_A_TOKEN = 4
STOP_WORDS = set(
    "a an and are as at be been by can do does for from has have how if in into is it its may no not of on or so that the their "
    "then there these this those to using was were what when where which who why will with".split())
IGNORED = (".git", ".codexmem", "node_modules")


class CodeServer(Server):
    """The server of a repository."""

    def search(self, arguments):
        """The items of an answer, each with the bytes that a client has read at its end."""
        text = self.call("search_code", arguments)["content"][0]["text"]
        items, at, size = [], 1, 1
        while text.startswith("[") and text[at:at + 1] == "{":
            item, end = json.JSONDecoder().raw_decode(text, at)
            size += len(text[at:end].encode()) + 1
            items.append((size, item))
            at = end + 1
        return items


def read_targets(fields):
    """(path, first line, last line) each; lines 0: the whole file."""
    targets = []
    for text in filter(None, ";".join(fields).split(";")):
        lines = re.fullmatch(r"(.+):(\d+)-(\d+)", text.strip())
        targets.append((lines[1], int(lines[2]), int(lines[3])) if lines else (text.strip(), 0, 0))
    return targets


def is_path(path, other):
    return path == other or path.endswith("/" + other) or other.endswith("/" + path)


def item_covers(item, target):
    path, first, last = target
    start, end = item["startLine"], item["endLine"]
    return is_path(item["file"]["path"], path) and (first == 0 or start <= first <= end or first <= start and end <= last)


class Tree:
    """A folder and what grep finds in it."""

    def __init__(self, root):
        self.root = root
        self.grep = ["rg", "-niF", "--no-heading", "--sort=path"] if shutil.which("rg") else ["grep", "-rniIF"]

    @functools.lru_cache(maxsize=None)
    def lines_with(self, word):
        """(path, number, bytes printed) of each line."""
        ignored = [] if self.grep[0] == "rg" else [f"--exclude-dir={name}" for name in IGNORED]
        printed = subprocess.run([*self.grep, *ignored, "-e", word, "."], cwd=self.root, capture_output=True).stdout
        found = []
        for line in printed.split(b"\n"):
            path, _, rest = line.partition(b":")
            number, colon, _ = rest.partition(b":")
            if colon and number.isdigit():
                found.append((path.decode(errors="replace").removeprefix("./"), int(number), len(line) - 1))
        return sorted(found)

    @functools.lru_cache(maxsize=None)
    def line_ends(self, path):
        """The bytes up to the end of each line."""
        ends, size = [], 0
        for line in (self.root / path).read_bytes().split(b"\n"):
            size += len(line) + 1
            ends.append(size)
        return ends


def content_words(query):
    words = re.findall(r"\w+", query.lower())
    return list(dict.fromkeys(word for word in words if len(word) > 1 and word not in STOP_WORDS))


def costs_of_search(server, task, **arguments):
    items = server.search({"query": task["query"][:1000], **arguments})
    return [min((size for size, item in items if item_covers(item, target)), default=math.inf) for target in task["targets"]]


def costs_of_reading(tree, task):
    words = content_words(task["query"])
    files = {}
    for word in words:
        for path, _, _ in tree.lines_with(word):
            files.setdefault(path, []).append(word)
    costs, read = [math.inf] * len(task["targets"]), 0
    for path in sorted(files, key=lambda path: (-len(set(files[path])), -len(files[path]), path)):
        ends = tree.line_ends(path)
        for i, (wanted, _, last) in enumerate(task["targets"]):
            if is_path(path, wanted):
                costs[i] = min(costs[i], read + (ends[min(last, len(ends)) - 1] if last else ends[-1]))
        read += ends[-1]
    return costs


def costs_of_lines(tree, task):
    words = sorted(content_words(task["query"]), key=lambda word: len(tree.lines_with(word)))
    costs, read, seen = [math.inf] * len(task["targets"]), 0, set()
    for path, number, size in (line for word in words for line in tree.lines_with(word)):
        if (path, number) in seen:
            continue
        seen.add((path, number))
        read += size + 1
        for i, (wanted, first, last) in enumerate(task["targets"]):
            if costs[i] == math.inf and is_path(path, wanted) and (first == 0 or first <= number <= last):
                costs[i] = read
    return costs


def measure(codexmem, checkout, folder, tasks, into):
    """Adds to into[way] for each task: bytes to the first, recall at each budget."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / "tree"
        shutil.copytree(checkout / folder, root, symlinks=True, ignore=shutil.ignore_patterns(*IGNORED))
        environment = dict(os.environ, CODEXMEM_DATA_DIR=scratch + "/data")
        subprocess.run([codexmem, "index", root], env=environment, check=True, capture_output=True)
        server, tree = CodeServer(codexmem, scratch + "/data", root=root), Tree(root)
        for task in tasks:
            def add(way, first, costs_at):
                recalls = [sum(cost <= budget * BYTES_A_TOKEN for cost in costs_at(budget)) / len(task["targets"])
                           for budget in BUDGETS]
                into.setdefault(way, []).append((min(first), recalls))

            add("search_code", costs_of_search(server, task),
                lambda budget: costs_of_search(server, task, limit=50, threshold=0, max_tokens=budget))
            read, lines = costs_of_reading(tree, task), costs_of_lines(tree, task)
            add("grep, read", read, lambda _: read)
            add(tree.grep[0] + " lines", lines, lambda _: lines)
        server.close()


def print_table(title, measured):
    print(f"{title}\n  {'':<12} {'queries':>7}  {'answered':>8}  {'median':>8}  {'mean':>8}  {'of all':>8}    recall at",
          *(f"{budget:>6}" for budget in BUDGETS))
    for way, rows in measured.items():
        sizes = [size for size, _ in rows]
        answered = [size for size in sizes if size < math.inf] or [math.inf]
        recalls = (statistics.fmean(recall[i] for _, recall in rows) for i in range(len(BUDGETS)))
        print(f"  {way:<12} {len(rows):>7}  {sum(size < math.inf for size in sizes) / len(rows):>8.3f}  "
              f"{statistics.median(answered):>8.0f}  {statistics.fmean(answered):>8.0f}  {statistics.median(sizes):>8.0f}             ",
              *(f"{recall:>6.3f}" for recall in recalls), flush=True)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    codexmem, annotated, checkouts = os.path.abspath(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    names, everything = sys.argv[4:], {}
    for row in (annotated / "repos.tsv").read_text().splitlines():
        name, _, _, _, _, folder, *_ = row.split("\t")
        if names and name not in names:
            continue
        tasks = []
        for line in (annotated / "annotations" / f"{name}.tsv").read_text().splitlines():
            if line.strip():
                _, query, *targets = line.split("\t")
                tasks.append({"query": query, "targets": read_targets(targets[:2])})
        tasks = [task for task in tasks if task["targets"]]
        measured = {}
        measure(codexmem, checkouts / name, folder, tasks, measured)
        print_table(name, measured)
        for way, rows in measured.items():
            everything.setdefault(way, []).extend(rows)
    print_table("all", everything)


if __name__ == "__main__":
    main()
