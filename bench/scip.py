#!/usr/bin/env python3
"""SCIP files: whether the public program `scip` takes ours, and how they compare with a compiler's.

  bench/scip.py check --codexmem build/release/bin/codexmem --scip ~/go/bin/scip DIR ...
  bench/scip.py compare OURS.scip THEIRS.scip

check exports each folder and runs `scip lint`, `scip stats` and `scip snapshot` on the file. Two faults of that program
as of November 2026 are passed over: lint looks for the symbols of relationships only in documents that it happens to
have read before, so the symbol is looked for here; snapshot fails with --strict whatever the file. compare takes every
definition that both files have, by its place, and compares the lines on which the files place its uses: F1 is the
mean over definitions that have a use in either, `of all` counts all uses together.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

DEFINITION, FORWARD = 1, 0x40


def fields(data):
    """Yields (number, value) of a protobuf message: a whole number, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            size = varint()
            yield key >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError(f"wire type {key & 7}")


def numbers(data):
    at, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            at.append(value)
            value = shift = 0
    return at


def places(path):
    """(symbol, file, line, column, roles) of each occurrence of a symbol that is not a local."""
    for number, document in fields(pathlib.Path(path).read_bytes()):
        if number != 2:
            continue
        parts = list(fields(document))
        name = next(value.decode() for field, value in parts if field == 1)
        for field, value in parts:
            if field != 2:
                continue
            occurrence = dict(fields(value))
            symbol = occurrence.get(2, b"").decode()
            if symbol and not symbol.startswith("local "):
                line, column = numbers(occurrence[1])[:2]
                yield symbol, name, line, column, occurrence.get(3, 0)


def described(path):
    """The symbols that documents describe."""
    found = set()
    for number, document in fields(pathlib.Path(path).read_bytes()):
        if number == 2:
            found.update(dict(fields(value))[1].decode() for field, value in fields(document) if field == 3)
    return found


def is_of_relationship(line, known):
    named = re.search(r"has a relationship to '(.*)' \(#2\), but couldn't find #2", line)
    return bool(named) and named[1] in known


class File:
    def __init__(self, path):
        self.uses = collections.defaultdict(set)  # symbol: {(file, line)}
        self.defined = {}                         # (file, line, column): symbol
        self.files = set()
        for symbol, name, line, column, roles in places(path):
            self.files.add(name)
            if roles & (DEFINITION | FORWARD):
                self.defined.setdefault((name, line, column), symbol)
            else:
                self.uses[symbol].add((name, line))


def compare(ours, theirs):
    ours, theirs = File(ours), File(theirs)
    both = ours.files & theirs.files
    pairs = [(at, symbol, theirs.defined[at]) for at, symbol in sorted(ours.defined.items()) if at in theirs.defined and at[1:] != (0, 0)]
    scores, right, found, wanted, missed, wrong = [], 0, 0, 0, [], []
    for at, mine, other in pairs:
        got = {use for use in ours.uses[mine] if use[0] in both}
        want = {use for use in theirs.uses[other] if use[0] in both}
        if not got and not want:
            continue
        same = len(got & want)
        scores.append(2 * same / (len(got) + len(want)))
        right, found, wanted = right + same, found + len(got), wanted + len(want)
        missed += [(other, use) for use in sorted(want - got)]
        wrong += [(other, use) for use in sorted(got - want)]
    precision, recall = right / max(found, 1), right / max(wanted, 1)
    return {"files": len(both), "definitions": len(pairs), "ofTheirs": len(theirs.defined), "used": len(scores),
            "f1": round(sum(scores) / max(len(scores), 1), 3), "precision": round(precision, 3), "recall": round(recall, 3),
            "ofAll": round(2 * right / max(found + wanted, 1), 3)}, missed, wrong


def check(options):
    bad = 0
    for folder in options.paths:
        with tempfile.TemporaryDirectory() as scratch:
            file = pathlib.Path(scratch) / "index.scip"
            begin = time.monotonic()
            said = subprocess.run([options.codexmem, "export", "--scip", file, "--repo", folder], capture_output=True, text=True, check=True).stderr
            seconds = time.monotonic() - begin
            known = described(file)
            for words in (["lint", file], ["stats", "--from", file, "--project-root", folder],
                          ["snapshot", "--strict=false", "--from", file, "--to", f"{scratch}/snapshot", "--project-root", folder]):
                done = subprocess.run([options.scip, *words], capture_output=True, text=True)
                errors = [line for line in (done.stderr or done.stdout).splitlines() if not is_of_relationship(line, known)]
                if done.returncode and errors:
                    bad += 1
                    print(f"{folder}: scip {words[0]}: {len(errors)} lines\n" + "\n".join(errors)[:1000])
            lines = " ".join(line.split(": ", 1)[-1] for line in said.splitlines())
            print(f"{pathlib.Path(folder).name}: {seconds:.1f} s, {file.stat().st_size / 1e6:.1f} MB; {lines}", flush=True)
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "compare"])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--codexmem", default="build/release/bin/codexmem")
    parser.add_argument("--scip", default="scip")
    parser.add_argument("--show", type=int, default=0, help="so many of the differences")
    options = parser.parse_args()
    if options.what == "check":
        return check(options)
    report, missed, wrong = compare(*options.paths)
    print(json.dumps(report))
    for name, list_ in (("missed", missed), ("wrong", wrong)):
        for symbol, (file, line) in list_[::max(1, len(list_) // max(options.show, 1))][:options.show]:
            print(f"{name} {file}:{line + 1} {symbol}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
