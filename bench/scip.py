#!/usr/bin/env python3
"""SCIP files: whether the public program `scip` takes ours, and how they compare with a compiler's.

  bench/scip.py check --codexmem build/release/bin/codexmem --scip ~/go/bin/scip DIR ...
  bench/scip.py compare OURS.scip THEIRS.scip
  bench/scip.py import --codexmem build/release/bin/codexmem THEIRS.scip DIR

check exports each folder and runs `scip lint`, `scip stats` and `scip snapshot` on the file. Two faults of that program
as of November 2026 are passed over: lint looks for the symbols of relationships only in documents that it happens to
have read before, so the symbol is looked for here; snapshot fails with --strict whatever the file. compare takes every
definition that both files have, by its place, and compares the lines on which the files place its uses: F1 is the
mean over definitions that have a use in either, `ofAll` counts all uses together. A use of a constructor counts as one of
its class. import takes THEIRS into the index of DIR, and compares the certain uses that `codexmem refs` lists of 200
definitions with the compiler's, line by line.
"""

import argparse
import collections
import json
import pathlib
import random
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
            if symbol.endswith("`<constructor>`()."):  # scip-typescript: `new A()` uses A, too
                if not roles & DEFINITION:
                    self.uses[symbol[:-len("`<constructor>`().")]].add((name, line))
            elif roles & (DEFINITION | FORWARD):
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


def take_in(options):
    theirs, folder = options.paths
    run = lambda *words: subprocess.run([options.codexmem, *words], cwd=folder, capture_output=True, text=True)
    taken = run("index", "--skip-embeddings", "--scip", pathlib.Path(theirs).resolve())
    print(taken.stdout.splitlines()[-1].strip() if taken.returncode == 0 else taken.stderr)
    theirs = File(theirs)
    places = collections.Counter(theirs.defined.values())
    wanted = [(at, symbol) for at, symbol in sorted(theirs.defined.items()) if at[1:] != (0, 0) and places[symbol] == 1 and theirs.uses[symbol]]
    random.Random(48).shuffle(wanted)
    equal = asked = passed_over = open_places = 0
    for (file, line, column), symbol in wanted:
        if asked == 200:
            break
        text = (pathlib.Path(folder) / file).read_text(encoding="utf-8").split("\n")[line][column:]
        name = re.match(r"[\w$#]+", text)
        answer = name and run("refs", name[0], "--file", file, "--json", "--no-refresh", "--limit", "0", "--definitions")
        answer = json.loads(answer.stdout) if answer and answer.stdout else []
        own = [each for each in answer if each["type"] == "definition"]
        # A name and a file must mean this symbol alone.
        if len(own) != 1 or own[0].get("nameLine", own[0]["line"]) != line + 1:
            passed_over += 1
            continue
        asked += 1
        uses = [each for each in answer if each["type"] != "definition" and each["file"]["path"] in theirs.files]
        got = {(each["file"]["path"], each["line"] - 1) for each in uses if each["confidence"] == "resolved"}
        want = theirs.uses[symbol]
        equal += got == want
        open_places += any(each["confidence"] == "possible" for each in uses)
        if got != want and options.show > 0:
            options.show -= 1
            print(symbol, "missed", sorted(want - got)[:3], "more", sorted(got - want)[:3])
    print(json.dumps({"asked": asked, "equal": equal, "withPossibleUsesInItsFiles": open_places, "notAsked": passed_over}))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "compare", "import"])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--codexmem", default="build/release/bin/codexmem")
    parser.add_argument("--scip", default="scip")
    parser.add_argument("--show", type=int, default=0, help="so many of the differences")
    options = parser.parse_args()
    if options.what == "check":
        return check(options)
    if options.what == "import":
        return take_in(options)
    report, missed, wrong = compare(*options.paths)
    print(json.dumps(report))
    for name, list_ in (("missed", missed), ("wrong", wrong)):
        for symbol, (file, line) in list_[::max(1, len(list_) // max(options.show, 1))][:options.show]:
            print(f"{name} {file}:{line + 1} {symbol}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
