#!/usr/bin/env python3
"""How well codexmem worktrees foretells what git cannot merge, on merges of real histories.

  bench/worktrees.py --program build/release/bin/codexmem [--merges 40] REPOSITORY...

Each merge commit whose parents git cannot merge by itself, and as many that it can, is replayed: one worktree at
each parent, the default branch where the two part. The files that git finds in conflict (git merge-tree) are
compared with those that `codexmem worktrees --json` names. Prints a line for each repository.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time


def git(root, *words, ok=(0,)):
    done = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True)
    assert done.returncode in ok, (words, done.stderr)
    return done.stdout


def conflicts_of(root, one, two):
    """The files that git finds in conflict; None where it moves folders about, which is a guess of its own."""
    out = git(root, "merge-tree", "--write-tree", "--name-only", one, two, ok=(0, 1))
    head, _, messages = out.partition("\n\n")
    if "directory rename" in messages or "submodule" in messages:
        return None
    return set(head.splitlines()[1:])


def choose(root, wanted):
    """(parents, conflicts) of merges, the newest first: half with conflicts, half without."""
    clean, broken = [], []
    for line in git(root, "log", "--merges", "--format=%P", "-n", "6000").splitlines():
        parents = line.split()
        if len(parents) != 2 or len(git(root, "merge-base", "--all", *parents, ok=(0, 1)).split()) != 1:
            continue
        conflicts = conflicts_of(root, *parents)
        if conflicts is None:
            continue
        chosen = broken if conflicts else clean
        if len(chosen) < wanted // 2:
            chosen.append((parents, conflicts))
        if len(broken) == len(clean) == wanted // 2:
            break
    return broken + clean[:len(broken)]


def replay(program, source, wanted, folder):
    root, one, two = folder / "main", folder / "one", folder / "two"
    git(folder, "clone", "-q", "--no-checkout", str(source), str(root))
    git(root, "remote", "remove", "origin")
    git(root, "checkout", "-q", "--detach")
    for branch in git(root, "for-each-ref", "--format=%(refname)", "refs/heads").split():
        git(root, "update-ref", "-d", branch)
    merges = choose(root, wanted)
    hits = misses = false = 0
    seconds = []
    for parents, conflicts in merges:
        base = git(root, "merge-base", *parents).strip()
        git(root, "update-ref", "refs/heads/main", base)
        for tree, parent in zip((one, two), parents):
            if tree.exists():
                git(tree, "checkout", "-q", "--detach", "--force", parent)
            else:
                git(root, "worktree", "add", "-q", "--detach", str(tree), parent)
        begin = time.monotonic()
        done = subprocess.run([program, "worktrees", "--json"], cwd=one, capture_output=True, text=True)
        seconds.append(time.monotonic() - begin)
        answer = json.loads(done.stdout)
        named = {(m["path"]) for m in answer["meetings"] if m["kind"] == "text"
                 and {pathlib.Path(m["first"]).name, pathlib.Path(m["second"]).name} == {"one", "two"}}
        hits += len(named & conflicts)
        misses += len(conflicts - named)
        false += len(named - conflicts)
    seconds.sort()
    print(f"{source.parent.name}: {len(merges)} merges, {hits + misses} files in conflict, {hits} foretold, "
          f"{false} others named, median {seconds[len(seconds) // 2]:.2f} s" if merges else f"{source.parent.name}: no merges",
          flush=True)
    return hits, misses, false


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--merges", type=int, default=40)
    parser.add_argument("repositories", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    sums = [0, 0, 0]
    for repository in arguments.repositories:
        with tempfile.TemporaryDirectory(prefix="codexmem-merges-") as folder:
            found = replay(program, repository.resolve(), arguments.merges, pathlib.Path(folder))
        sums = [a + b for a, b in zip(sums, found)]
    hits, misses, false = sums
    print(f"all: foretold {hits} of {hits + misses}, {false} others named")


if __name__ == "__main__":
    main()
