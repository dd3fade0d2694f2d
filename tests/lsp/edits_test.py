#!/usr/bin/env python3
"""Random edits of open texts: what the server answers then is what it answers of the same texts opened afresh.

  tests/lsp/edits_test.py --program build/ci/bin/codexmem [--edits 10000] [--seed 1]
"""
import argparse
import os
import pathlib
import random
import sys
import tempfile

import five_languages as truth
from language_client import LanguageClient, position

PIECES = ["\n", " ", "x", "é", "😀", "e\u0301", "// a\n", "# b\n", "{", "}", "(", ")", "\r\n", "total", "name", "def f(a):\n    return a\n",
          "function g() { return total([]); }\n", "func H() int { return Work(nil) }\n", "int k(void) { return clamp(1, 2); }\n",
          "class Z extends Base { int twice() { return 1; } }\n", "\"", "'", "\t"]
PATHS = ["ts/shape.ts", "ts/app.ts", "py/store.py", "py/main.py", "go/work.go", "java/src/demo/Pile.java", "c/util.c", "c/main.c", "lua/list.lua"]


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def random_edit(chance, text):
    """A change of `text`, and the text after it."""
    begin = chance.randrange(len(text) + 1)
    end = min(len(text), begin + (2000 if len(text) > 4000 else chance.choice([0, 0, 0, 1, 1, 5, 40])))
    # Between the characters of a line break there is no position.
    while begin > 0 and text[begin - 1:begin + 1] == "\r\n":
        begin -= 1
    while 0 < end < len(text) and text[end - 1:end + 1] == "\r\n":
        end += 1
    piece = chance.choice(PIECES)
    change = {"range": {"start": position(text, begin), "end": position(text, end)}, "text": piece}
    return change, text[:begin] + piece + text[end:]


def answers(client, path, text, chance):
    """The server's answers at some places of the file, the seed's included."""
    document = {"uri": client.uri(path)}
    found = [client.ask("textDocument/documentSymbol", textDocument=document)]
    for _ in range(4):
        at = position(text, chance.randrange(len(text) + 1))
        found.append(client.ask("textDocument/definition", textDocument=document, position=at))
        found.append(client.ask("textDocument/references", textDocument=document, position=at, context={"includeDeclaration": True}))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--edits", type=int, default=10_000)
    parser.add_argument("--comparisons", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(os.path.realpath(folder))
        home, root = folder / "home", folder / "repo"
        home.mkdir()
        truth.write_repository(root)
        edited, fresh = LanguageClient(program, root, home), LanguageClient(program, root, home)
        edited.wait_for_index()
        fresh.wait_for_index()
        texts = {path: truth.FILES[path] for path in PATHS}
        for path in PATHS:
            edited.open(path)
        every = max(1, options.edits // options.comparisons)
        for number in range(1, options.edits + 1):
            path = chance.choice(PATHS)
            changes = []
            for _ in range(chance.choice([1, 1, 1, 3])):
                change, texts[path] = random_edit(chance, texts[path])
                changes.append(change)
            if chance.random() < 0.002:
                texts[path] = truth.FILES[path]
                changes.append({"text": texts[path]})
            edited.change(path, number, *changes)
            if number % every and number != options.edits:
                continue
            for each in PATHS:
                fresh.open(each, texts[each])
            seed = chance.random()
            found = answers(edited, path, texts[path], random.Random(seed))
            wanted = answers(fresh, path, texts[path], random.Random(seed))
            check(found == wanted, f"after {number} edits of seed {options.seed}, {path} is {texts[path]!r}: {found}, not {wanted}")
            for each in PATHS:
                fresh.close(each)
        check(edited.end() == 0 and fresh.end() == 0, "the exit code")
    print(f"{options.edits} edits: answers equal a fresh open's")


if __name__ == "__main__":
    sys.exit(main())
