#!/usr/bin/env python3
"""Compares what `codexmem serve` says of a Ruby project with what trace.rb saw while its tests ran.

    score.py --codexmem BIN --repo DIR --truth PREFIX [--wrong FILE]

Constants are asked for by name and file of their definition; places are compared in the files that were loaded.
Methods are asked for one by one, those of tests only where they ran. An edge (place of the call, definition) is right
when a call of that name on that line reached that definition; where no call of the name ran on the line it does not
count. Recall is of the pairs of line and definition that ran, where the line has the name (or new, or super).
Python 3.9, standard library.
"""
import argparse
import collections
import os
import re
import sqlite3
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
from eval_refs import McpServer  # noqa: E402


def rows_of(path):
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines if line.strip()]


def is_test(path):
    return re.search(r"(^|/)(tests?|spec)/", path) is not None


def ratio(right, all_of):
    return f"{right / max(1, all_of):.4f} ({right}/{all_of})"


class Score:
    def __init__(self, options):
        self.root = options.repo
        self.truth = options.truth
        self.wrong = []
        self.texts = {}
        subprocess.run([options.codexmem, "index", self.root, "--quiet"], check=True)
        self.server = McpServer(options.codexmem, self.root)

    def uses(self, symbol, path, line=None):
        arguments = {"symbol": symbol, "file_path": path}
        if line:
            arguments["line"] = line
        for item in self.server.call_all("get_references", arguments):
            if item["type"] != "definition" and item.get("confidence") != "name":
                yield item

    def line(self, path, number):
        if path not in self.texts:
            try:
                with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
                    self.texts[path] = file.read().split("\n")
            except OSError:
                self.texts[path] = []
        lines = self.texts[path]
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def constants(self):
        meant = {(path, int(line), int(column)): (name, home)
                 for path, line, column, name, home, _ in rows_of(self.truth + ".consts.tsv")}
        files = {place[0] for place in meant}
        wanted = collections.defaultdict(set)
        for place, (name, home) in meant.items():
            if home != "-":
                wanted[(name, home)].add(place)
        right = wrong = missed = 0
        for (name, home), places in sorted(wanted.items()):
            found = {(item["file"]["path"], item["line"], item["column"]) for item in self.uses(name, home)}
            found = {place for place in found if place[0] in files and place in meant}
            right += len(found & places)
            wrong += len(found - places)
            missed += len(places - found)
            self.wrong += [("constant", "wrong", name, home, *place) for place in found - places]
            self.wrong += [("constant", "missed", name, home, *place) for place in places - found]
        precision, recall = right / max(1, right + wrong), right / max(1, right + missed)
        print(f"constants: {len(wanted)} names, {right + missed} uses, precision {precision:.4f}, recall {recall:.4f}, "
              f"F1 {2 * precision * recall / max(1e-9, precision + recall):.4f}")

    def methods(self):
        database = sqlite3.connect(f"file:{self.root}/.codexmem/index.db?mode=ro", uri=True)
        return database.execute(
            "SELECT f.path, s.name, s.kind, s.start_line, s.name_line FROM symbols AS s JOIN files AS f ON f.id = s.file_id "
            "WHERE f.language = 'ruby' AND s.type IN ('method', 'function', 'property')").fetchall()

    def calls(self):
        ran = collections.defaultdict(set)
        for path, line, name, home, at in rows_of(self.truth + ".calls.tsv"):
            name = name.rstrip("=") if name[0].isalpha() or name[0] == "_" else name
            ran[(path, int(line), name)].add((home, int(at)))
        reached = {target for targets in ran.values() for target in targets}
        said = collections.defaultdict(dict)
        for path, name, kind, start, named in self.methods():
            # (An alias is reached as what it stands for.)
            if name.startswith("@") or kind in ("alias", "delegate") or "alias_method" in self.line(path, start):
                continue
            if is_test(path) and not any((path, line) in reached for line in range(start, named + 1)):
                continue
            for item in self.uses(name, path, named):
                if item.get("kind") in ("call", "write", "read"):
                    said[(item["file"]["path"], item["line"], name)][(path, start, named)] = item["confidence"]
        edges = collections.Counter()
        hit = collections.defaultdict(set)
        for place, targets in said.items():
            for (path, start, named), confidence in targets.items():
                if place not in ran:
                    continue
                is_right = any(home == path and start <= at <= named for home, at in ran[place])
                edges[(confidence, is_right)] += 1
                if is_right:
                    hit[place].add((path, start, named))
                else:
                    self.wrong.append(("call", confidence, *place, path, start))
        for confidence in (("resolved",), ("likely",), ("resolved", "likely")):
            right = sum(edges[(each, True)] for each in confidence)
            print(f"calls, {' and '.join(confidence)}: precision "
                  f"{ratio(right, right + sum(edges[(each, False)] for each in confidence))}")
        found = asked = 0
        for place, targets in ran.items():
            path, line, name = place
            word = r"(?<![\w@$])" + re.escape("new" if name == "initialize" else name) + r"(?![\w])"
            text = self.line(path, line)
            if not re.search(word, text) and "super" not in text:
                continue
            for home, at in targets:
                if home == "-":
                    continue
                asked += 1
                found += any(home == file and start <= at <= named for file, start, named in hit.get(place, ()))
        print(f"calls: recall {ratio(found, asked)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codexmem", required=True)
    parser.add_argument("--repo", required=True)
    parser.add_argument("--truth", required=True, help="the OUT of trace.rb")
    parser.add_argument("--wrong", help="what was wrong or missed, a row each")
    options = parser.parse_args()
    score = Score(options)
    score.constants()
    score.calls()
    score.server.close()
    if options.wrong:
        with open(options.wrong, "w", encoding="utf-8") as out:
            out.writelines("\t".join(map(str, row)) + "\n" for row in score.wrong)


if __name__ == "__main__":
    main()
