#!/usr/bin/env python3
"""Damages a store in many ways; checks which damage is reported and that the store is repaired.

  tests/crash/damage.py --program build/release/bin/codexmem --rounds 200

Each round damages a good store once: bytes of the database's header or of anywhere in it flipped, a
page of noise, the file cut, empty, or garbage; bytes of the vectors' or the ranking's file flipped,
that file cut, or exchanged. Then `codexmem debug check` looks for damage, queries run on the store as
it is, and after `codexmem index --force` the index must equal an index made from nothing, whatever it
was before.

The table at the end counts, for each kind of damage, how it was noticed: by a command that refused and
named it, by the check, or not at all although the rows differ (a byte within a value that nothing
checks). Asserted: no crash, the repair always works, and all damage except of a byte within a value is
noticed.
"""

import argparse
import collections
import pathlib
import random
import shutil
import sys
import tempfile

from common import Failure, Program, Tree, check

QUESTIONS = [
    ("symbol", "m1_"),
    ("search", "counts sorts and merges part 3"),
    ("deps", "pkg1/m1"),
]


class Damage:
    def __init__(self, program, work, files, seed):
        self.program = program
        self.random = random.Random(seed)
        self.root = work / "repository"
        self.store = self.root / ".codexmem"
        self.good = work / "good"
        tree = Tree(self.root, files, seed)
        self.first = sorted(tree.versions)[1]
        program.index(self.root)
        self.clean = program.dump(self.root)
        self.answers = self.ask()
        shutil.copytree(self.store, self.good)
        self.table = collections.defaultdict(collections.Counter)
        self.kinds = {
            "header": lambda: self.flip("index.db", 0, 100),
            "byte": lambda: self.flip("index.db", 100, None),
            "page": self.noise,
            "cut": lambda: self.cut("index.db"),
            "empty": lambda: (self.store / "index.db").write_bytes(b""),
            "garbage": lambda: (self.store / "index.db").write_bytes(self.random.randbytes(99999)),
            "vectors: byte": lambda: self.flip("vectors.faiss", 0, None),
            "vectors: cut": lambda: self.cut("vectors.faiss"),
            "ranking: byte": lambda: self.flip("ranking.bin", 0, None),
            "ranking: cut": lambda: self.cut("ranking.bin"),
            "vectors: side byte": lambda: self.flip("vectors.faiss.meta", 0, None),
            "vectors: side cut": lambda: self.cut("vectors.faiss.meta"),
            "vectors: no side": lambda: (self.store / "vectors.faiss.meta").unlink(),
        }

    def flip(self, name, begin, end):
        data = bytearray((self.store / name).read_bytes())
        data[self.random.randrange(begin, end or len(data))] ^= self.random.randrange(1, 256)
        (self.store / name).write_bytes(data)

    def noise(self):
        data = bytearray((self.store / "index.db").read_bytes())
        page = self.random.randrange(len(data) // 4096) * 4096
        data[page:page + 4096] = self.random.randbytes(4096)
        (self.store / "index.db").write_bytes(data)

    def cut(self, name):
        data = (self.store / name).read_bytes()
        (self.store / name).write_bytes(data[:self.random.randrange(1, len(data))])

    def ask(self):
        """What the questions answer from the store as it is; None for one that is refused."""
        answers = []
        for command, text in QUESTIONS:
            text = self.first if command == "deps" else text
            child = self.program.start("-C", self.root, command, "--no-refresh", "--json", text)
            out, error = child.communicate()
            check(child.returncode in (0, 1, 2), f"{command}: {child.returncode}: {error.decode()}")
            answers.append(None if child.returncode == 2 else out)
            if child.returncode == 2:
                check(b"codexmem index" in error or b"damage" in error,
                      f"{command} names no cure: {error.decode()}")
        return answers

    def round(self, kind):
        shutil.rmtree(self.store)
        shutil.copytree(self.good, self.store)
        self.kinds[kind]()
        counts = self.table[kind]
        counts["rounds"] += 1
        looked = self.program.start("debug", "check", self.root)
        said = looked.communicate()
        check(looked.returncode in (0, 1, 2), f"check: {looked.returncode}: {said[1].decode()}")
        noticed = looked.returncode != 0
        answers = self.ask()
        refused = None in answers
        wrong = [a for a, b in zip(answers, self.answers) if a is not None and a != b]
        try:
            differs = self.program.dump(self.root) != self.clean
        except Failure:
            differs, refused = True, True
        counts["refused"] += refused
        counts["found by the check"] += noticed and not refused
        counts["harmless"] += not refused and not noticed and not differs
        unseen = differs and not refused and not noticed
        counts["unseen"] += unseen
        if kind.startswith(("vectors", "ranking")):
            check(not wrong, f"{kind}: another answer")
        check(not unseen or kind in ("byte", "page", "header", "empty"), f"{kind} went unseen")
        counts["another answer"] += bool(wrong)
        self.program.index(self.root, "--force")
        check(self.program.dump(self.root) == self.clean, f"{kind}: --force left another index")
        check(self.ask() == self.answers, f"{kind}: other answers after --force")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--rounds", type=int, default=200)
    arguments.add_argument("--files", type=int, default=40)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="codexmem-damage-") as folder:
        at = 0
        damage = Damage(Program(given.program), pathlib.Path(folder).resolve(), given.files,
                        given.seed)
        kinds = list(damage.kinds)
        try:
            for at in range(given.rounds):
                damage.round(kinds[at % len(kinds)])
        except Failure as failure:
            print(f"round {at}, seed {given.seed}: {failure}", file=sys.stderr)
            return 1
        for kind, counts in damage.table.items():
            print(f"{kind:<14}", ", ".join(f"{name} {n}" for name, n in counts.items() if n))
    return 0


if __name__ == "__main__":
    sys.exit(main())
