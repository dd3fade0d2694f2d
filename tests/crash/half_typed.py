#!/usr/bin/env python3
"""Files as they look while one types: prefixes, and cuts of up to 40 tokens from the middle of a line, in every language.

  tests/crash/half_typed.py --program build/ci/bin/codexmem --seconds 20
  tests/crash/half_typed.py --program ... --seconds 1200 --files 400 --sources FOLDER...

Each round gives every file of a repository another half-typed text, and indexes. Then

  the run ends well, and nothing in the index is damaged (codexmem debug check);
  what the index says of each file is what a parse says (codexmem debug verify);
  it is the index of a run over nothing, and a second run changes nothing;
  questions of each kind are answered.

A failure prints the seed and the round, which find it again with --seed and --from.
"""
import argparse
import collections
import os
import pathlib
import random
import re
import shutil
import sys
import tempfile
import time

import common
from common import Failure, Program, check

TESTDATA = pathlib.Path(__file__).resolve().parents[2] / "testdata/languages"
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
MAX_BYTES, MAX_TOKENS = 20_000, 40
QUESTIONS = [("search", "read the file"), ("overview",), ("unused",)]


def gather(sources, count, seed):
    """{name in the repository: text} of `count` files, spread over languages and then over folders."""
    by_kind, kinds = collections.defaultdict(list), {}
    for path in sorted(TESTDATA.glob("*/*/input.*")):
        kinds.setdefault(path.suffix, path.parent.parent.name)
        by_kind[path.parent.parent.name].append(path)
    for folder in sources:
        for path in sorted(pathlib.Path(folder).rglob("*.*")):
            if path.suffix in kinds and path.is_file() and not path.is_symlink() and ".git" not in path.parts:
                by_kind[kinds[path.suffix]].append(path)
    dice, files = random.Random(seed), {}
    for paths in by_kind.values():
        dice.shuffle(paths)
    while len(files) < count and any(by_kind.values()):
        for kind in sorted(by_kind):
            while by_kind[kind]:
                path = by_kind[kind].pop()
                text = path.read_bytes()
                if 40 < len(text) < MAX_BYTES and len(files) < count:
                    name = f"{kind.strip('.')}/f{len(files)}{path.suffix}"
                    try:
                        files[name] = text.decode()
                    except UnicodeDecodeError:
                        continue
                    break
    return files


def half_typed(dice, text):
    tokens = TOKEN.findall(text)
    first = dice.randrange(len(tokens))
    if dice.random() < 0.4:
        return "".join(tokens[:first])
    last = min(first + dice.randint(1, MAX_TOKENS), len(tokens))
    line = next((i for i in range(first, last) if "\n" in tokens[i]), last)
    return "".join(tokens[:first] + tokens[max(line, first + 1):])


def ask(program, root, names, dice):
    report = root.parent / "report"
    report.write_text("reading the file fails\n")
    asked = [*QUESTIONS, ("locate", report)]
    for name in dice.sample(sorted(names), 2):
        words = re.findall(r"[A-Za-z_]\w{3,}", (root / name).read_text()) or ["main"]
        asked += [("context", name), ("symbol", dice.choice(words)), ("refs", dice.choice(words))]
    for words in asked:
        program.run("-C", root, *words, codes=(0, 1))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--seconds", type=float, default=20)
    arguments.add_argument("--files", type=int, default=150)
    arguments.add_argument("--sources", nargs="*", default=[])
    arguments.add_argument("--seed", type=int, default=47)
    arguments.add_argument("--from", type=int, default=0, dest="first")
    options = arguments.parse_args()
    program = Program(options.program)
    with tempfile.TemporaryDirectory(prefix="codexmem-typed-") as folder:
        work = pathlib.Path(folder)
        for name in ("HOME", "XDG_STATE_HOME", "CODEXMEM_DATA_DIR"):
            common.QUIET[name] = str(work / name.lower())
        root, clean = work / "repository", work / "clean"
        files = gather(options.sources, options.files, options.seed)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        program.index(root)
        end, number, texts = time.monotonic() + options.seconds, options.first, 0
        while number == options.first or time.monotonic() < end:
            dice = random.Random(f"{options.seed} {number}")
            try:
                for name, text in files.items():
                    (root / name).write_text(half_typed(dice, text))
                texts += len(files)
                program.index(root)
                program.run("debug", "check", root)
                program.run("debug", "verify", root)
                there = program.dump(root)
                program.index(root)
                check(program.dump(root) == there, "a second run changes the index")
                shutil.rmtree(clean, ignore_errors=True)
                shutil.copytree(root, clean, ignore=shutil.ignore_patterns(".codexmem"))
                program.index(clean)
                wanted = program.dump(clean)
                check(there == wanted, "not the index of a run over nothing:\n" +
                      "\n".join(sorted(set(there) ^ set(wanted))[:10]))
                ask(program, root, files, dice)
            except Failure as failure:
                kept = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-typed-failed-"))
                shutil.copytree(root, kept / "repository")
                print(f"--seed {options.seed} --from {number}, kept in {kept}: {failure}", file=sys.stderr)
                return 1
            number += 1
        kinds = len({name.split("/")[0] for name in files})
        print(f"all held: {texts} texts of {len(files)} files in {kinds} kinds, {number - options.first} rounds")
    return 0


if __name__ == "__main__":
    os.environ.pop("CODEXMEM_PACK", None)
    sys.exit(main())
