#!/usr/bin/env python3
"""Compares the account of get_references with `grep -w`, for names drawn at random.

    account.py --codexmem BIN [--names N] [--seed S] REPOSITORY...

Each repository is indexed first. Of each, N names of its definitions are drawn, words of letters, digits and
`_`, all definitions having the same chance. The drawers of the account must add up to what
`grep -owF NAME` counts in the indexed files. Prints a line for each repository and each name that does
not add up, and what all drawers hold together; exit 1 when one does not. Python 3.9, GNU grep.
"""
import argparse
import collections
import os
import random
import re
import sqlite3
import subprocess
import sys
import time

from eval_refs import McpServer

DRAWERS = ("definition", "certain", "likely", "possible", "other", "text", "unread")


def draw_names(index, number, seed):
    with sqlite3.connect(f"file:{index}?mode=ro", uri=True) as store:
        rows = store.execute("SELECT name FROM symbol_rows ORDER BY id").fetchall()
        files = [row[0] for row in store.execute("SELECT path FROM file_rows ORDER BY path")]
    names = [row[0] for row in rows if re.fullmatch(r"\w+", row[0])]
    random.Random(seed).shuffle(names)
    return list(dict.fromkeys(names))[:number], files


def count_by_grep(root, files, name):
    listed = "\0".join(files).encode()
    found = subprocess.run(["xargs", "-0", "grep", "-aowhF", "--", name], cwd=root, input=listed, stdout=subprocess.PIPE,
                           env=dict(os.environ, LC_ALL="C.UTF-8"), check=False)
    return found.stdout.count(b"\n")


def check(options, root):
    subprocess.run([options.codexmem, "index", root, *options.index], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    names, files = draw_names(os.path.join(root, ".codexmem", "index.db"), options.names, options.seed)
    server = McpServer(options.codexmem, root)
    sums, wrong, times = collections.Counter(), 0, []
    for name in names:
        begin = time.perf_counter()
        answer = server.call("get_references", {"symbol": name})
        times.append(time.perf_counter() - begin)
        account = answer.get("account") if answer else None
        if account is None:
            print(f"  {name}: no account")
            wrong += 1
            continue
        sums.update({drawer: account[drawer] for drawer in DRAWERS})
        found = count_by_grep(root, files, name)
        if account["total"] != sum(account[drawer] for drawer in DRAWERS) or account["total"] != found:
            wrong += 1
            print(f"  {name}: {found} by grep, account {account}")
    server.close()
    times.sort()
    half, most = (times[len(times) * part // 10] * 1000 for part in (5, 9)) if times else (0, 0)
    print(f"{os.path.basename(root.rstrip('/'))}: {len(names)} names, {wrong} wrong; "
          f"{half:.1f} ms at p50, {most:.1f} at p90; {dict(sums)}")
    return len(names), wrong, sums


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codexmem", required=True)
    parser.add_argument("--names", type=int, default=140)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("repositories", nargs="+", metavar="REPOSITORY")
    options = parser.parse_args()
    options.codexmem, options.index = os.path.abspath(options.codexmem), []
    names, wrong, sums = 0, 0, collections.Counter()
    for root in options.repositories:
        one = check(options, root)
        names, wrong = names + one[0], wrong + one[1]
        sums += one[2]
    print(f"{names} names, {wrong} wrong: {dict(sums)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
