#!/usr/bin/env python3
"""Crafted git stores of a few kilobytes that name billions of files or folders: every question ends soon, in
little memory, and says what it does not do.

  tests/git/bomb_test.py --program build/dev/bin/codexmem
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time

from git_repository import Repository

MEMORY, SECONDS = 1 << 30, 60  # address space; a busy machine has the time that it needs
CODE = "def first():\n    return {}\n\n\ndef caller():\n    return first()\n"


class Store(Repository):
    def put(self, kind, data):
        done = subprocess.run(["git", "hash-object", "-t", kind, "-w", "--stdin", "--literally"], cwd=self.root,
                              input=data, capture_output=True, env=self.env, check=True)
        return done.stdout.decode().strip()

    def tree(self, entries):
        return self.put("tree", b"".join(f"{mode} {name}".encode() + b"\0" + bytes.fromhex(oid)
                                         for mode, name, oid in entries))

    def nest(self, tree, levels, names):
        for _ in range(levels):
            tree = self.tree(("40000", name, tree) for name in names)
        return tree

    def add(self, bomb):
        """The commit "bomb" has the folder z; its child, which is checked out, has not."""
        code = self.git("rev-parse", "HEAD:a.py").strip()
        tree = self.tree([("100644", "a.py", code), ("40000", "z", bomb)])
        commit = self.git("commit-tree", tree, "-p", "HEAD", "-m", "bomb").strip()
        self.git("branch", "bomb", commit)
        self.write({"a.py": CODE.format(2)})
        self.git("add", "-A")
        after = self.git("commit-tree", self.git("write-tree").strip(), "-p", commit, "-m", "after").strip()
        self.git("update-ref", "refs/heads/main", after)

    def ask(self, *words):
        begun = time.monotonic()
        done = subprocess.run([self.program, *words], cwd=self.root, env=self.env, capture_output=True, text=True,
                              timeout=SECONDS,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        assert "bad_alloc" not in done.stderr and "memory" not in done.stderr.lower(), (words, done.stderr)
        return done, time.monotonic() - begun


NAMES = [f"d{i:02}" for i in range(32)]
BOMBS = {
    "files": lambda store, blob: store.nest(store.tree(("100644", f"{name}.py", blob) for name in NAMES), 4, NAMES),
    "empty folders": lambda store, blob: store.nest(store.tree([]), 7, NAMES),
    "depth": lambda store, blob: store.nest(store.tree([("100644", "f.py", blob)]), 3000, ["d" * 100]),
    "one folder": lambda store, blob: store.tree(("100644", f"f{i:06}.py", blob) for i in range(600_000)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    for name, make in BOMBS.items():
        with tempfile.TemporaryDirectory() as folder:
            store = Store(program, folder)
            store.commit({"a.py": CODE.format(1)})
            store.add(make(store, store.put("blob", b"def bomb():\n    pass\n")))
            store.index()
            slowest = 0.0
            for words in (["refs", "first", "--at", "bomb"], ["check", "--since", "bomb"], ["impact", "--since", "bomb"]):
                done, seconds = store.ask(*words)
                assert done.returncode == 2 and "too large to compare" in done.stderr, (name, words, done)
                slowest = max(slowest, seconds)
            for words in (["history", "first"], ["context", "a.py"], ["overview"], ["check"]):
                done, seconds = store.ask(*words)
                assert done.returncode == 0, (name, words, done)
                slowest = max(slowest, seconds)
            print(f"{name}: refused, slowest {slowest:.1f} s", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(program, folder)
        store.commit({"a.py": CODE.format(1)})
        blob = store.put("blob", b"x = 1\n" * 2_600_000)
        store.add(store.tree(("100644", f"f{i:03}.py", blob) for i in range(400)))
        store.index()
        for words in (["refs", "first", "--at", "bomb"], ["check", "--since", "bomb"]):
            done, seconds = store.ask(*words)
            assert done.returncode == 0, (words, done)
            print(f"large files: {words[0]} in {seconds:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
