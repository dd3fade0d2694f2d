#!/usr/bin/env python3
"""Crafted git stores: some of a few kilobytes that name billions of files or folders, objects that are replaced in
a circle, huge commits, 100,000 branches, a partial clone. Every question ends within 10 s of processor time and
500 MB, and says what it does not do.

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
MOST_RESIDENT_KB, MOST_CPU_SECONDS = 500 << 10, 10
CODE = "def first():\n    return {}\n\n\ndef caller():\n    return first()\n"


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


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
        begun, before = time.monotonic(), cpu_seconds()
        done = subprocess.run([self.program, *words], cwd=self.root, env=self.env, capture_output=True, text=True,
                              timeout=SECONDS,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        assert "bad_alloc" not in done.stderr and "memory" not in done.stderr.lower(), (words, done.stderr)
        assert cpu_seconds() - before < MOST_CPU_SECONDS, (words, cpu_seconds() - before)
        # Of all children so far, the largest.
        resident = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        assert resident < MOST_RESIDENT_KB, (words, resident)
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
    for make in (replaced_in_a_circle, huge_commit, many_branches, partial_clone):
        with tempfile.TemporaryDirectory() as folder:
            store = Store(program, folder)
            store.commit({"a.py": CODE.format(1)})
            revision = make(store)
            store.index()
            slowest = 0.0
            for words in (["refs", "first", "--at", revision], ["check", "--since", revision], ["impact", "--since", revision],
                          ["history", "first"], ["context", "a.py"], ["overview"], ["check"]):
                done, seconds = store.ask(*words)
                assert done.returncode in (0, 1, 2), (make.__name__, words, done)
                assert done.returncode != 2 or "error" in done.stderr, (make.__name__, words, done)
                slowest = max(slowest, seconds)
            print(f"{make.__name__}: slowest {slowest:.1f} s", flush=True)
    return 0


def replaced_in_a_circle(store):
    """Commits and trees whose replacements are replaced by themselves again."""
    store.commit({"b.py": CODE.format(2)})
    before = store.git("rev-parse", "HEAD~1").strip()
    pairs = [[store.git("rev-parse", each).strip() for each in pair]
             for pair in (("HEAD", "HEAD~1"), ("HEAD^{tree}", "HEAD~1^{tree}"))]
    for pair in pairs:
        for one, other in (pair, pair[::-1]):
            (store.root / ".git/refs/replace").mkdir(exist_ok=True)
            (store.root / ".git/refs/replace" / one).write_text(other + "\n")
    return before


def huge_commit(store):
    """A message of 64 MB, and one of 20,000 parents."""
    tree, head = store.git("rev-parse", "HEAD^{tree}").strip(), store.git("rev-parse", "HEAD").strip()
    who = "t <t@t> 1700000000 +0000"
    heads = [f"parent {head}\n"]
    for parents, message in ((heads, "long " * 13_000_000), (heads * 20_000, "wide")):
        text = f"tree {tree}\n{''.join(parents)}author {who}\ncommitter {who}\n\n{message}\n"
        heads = [f"parent {store.put('commit', text.encode())}\n"]
    store.git("update-ref", "refs/heads/main", heads[0].split()[1])
    return "HEAD~1"


def many_branches(store):
    head = store.git("rev-parse", "HEAD").strip()
    lines = "".join(f"{head} refs/heads/topic/{i:06}\n" for i in range(100_000))
    (store.root / ".git/packed-refs").write_text("# pack-refs with: peeled fully-peeled sorted \n" + lines)
    return "topic/099999"


def partial_clone(store):
    """Blobs of the first commit are not here, as after `git clone --filter=blob:none`."""
    store.write({f"old{i}.py": CODE.format(i + 10) for i in range(200)})
    store.commit({})
    first = store.git("rev-parse", "HEAD").strip()
    gone = store.git("ls-tree", "-r", "--object-only", "HEAD").split()
    store.commit({f"old{i}.py": None for i in range(200)} | {"a.py": CODE.format(3)})
    kept = set(store.git("ls-tree", "-r", "--object-only", "HEAD").split())
    for blob in set(gone) - kept:
        (store.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    return first


if __name__ == "__main__":
    sys.exit(main())
