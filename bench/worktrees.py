#!/usr/bin/env python3
"""How well codexmem worktrees foretells what git cannot merge, on merges of real histories.

  bench/worktrees.py --program build/release/bin/codexmem [--merges 40 | --planted 12] REPOSITORY...

Each merge commit whose parents git cannot merge by itself, and as many that it can, is replayed: one worktree at
each parent, the default branch where the two part. The files that git finds in conflict (git merge-tree) are
compared with those that `codexmem worktrees --json` names. Prints a line for each repository.

With --planted, conflicts of meaning are made, which git merges without a word: one worktree renames a function with all
its uses, gives it a parameter, or removes it; another calls it in a new place. Each is followed by one without a
conflict: the other worktree calls a function that nobody changes.
"""

import argparse
import json
import pathlib
import random
import re
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


# By a file's ending: a function at the top of a file, and code that calls one.
SHAPES = {
    ".py": (r"^def (\w{6,})\((.*?)\)", "\n\ndef planted_use():\n    return {name}()\n", "planted"),
    ".ts": (r"^export (?:async )?function (\w{6,})\((.*?)\)", "\nexport function plantedUse() {{ return {name}(); }}\n", "planted: number"),
    ".js": (r"^(?:export )?(?:async )?function (\w{6,})\((.*?)\)", "\nexport function plantedUse() {{ return {name}(); }}\n", "planted"),
    ".go": (r"^func (\w{6,})\((.*?)\)", "\nfunc plantedUse() {{ _ = {name} }}\n", "planted int"),
    ".rs": (r"^pub fn (\w{6,})\((.*?)\)", "\nfn planted_use() {{ let _ = {name}; }}\n", "planted: u8"),
}


def functions_of(root):
    """(path, name, its definition's beginning) of functions that one place defines and another file names."""
    found = []
    for path in git(root, "ls-files").splitlines():
        shape = SHAPES.get(pathlib.Path(path).suffix)
        if not shape or "test" in path.lower():
            continue
        try:
            text = (root / path).read_text()
        except (UnicodeDecodeError, OSError):
            continue
        found += [(path, match[1], match[0]) for match in re.finditer(shape[0], text, re.M)]
    names = [name for _, name, _ in found]
    return [each for each in found if names.count(each[1]) == 1]


def append_call(tree, path, name):
    file = tree / path
    file.write_text(file.read_text() + SHAPES[file.suffix][1].format(name=name))


def change(program, tree, kind, path, name, begin):
    """Whether the change could be made."""
    file = tree / path
    if kind == "rename":
        done = subprocess.run([program, "rename", f"{path}::{name}", name + "Planted", "--take", "all", "--apply"], cwd=tree,
                              capture_output=True, text=True)
        return done.returncode == 0
    text = file.read_text()
    if kind == "signature":
        at = text.index(begin) + begin.index("(") + 1
        rest = text[at:]
        file.write_text(text[:at] + SHAPES[file.suffix][2] + ("" if rest.lstrip().startswith(")") else ", ") + rest)
    else:  # what follows becomes part of another function, as when somebody merges two by hand
        file.write_text(text.replace(begin, begin.replace(name, name + "Gone", 1), 1))
    return True


def replay_planted(program, source, wanted, folder):
    root, one, two = folder / "main", folder / "one", folder / "two"
    git(folder, "clone", "-q", str(source), str(root))
    git(root, "remote", "remove", "origin")
    git(root, "checkout", "-q", "-B", "main")
    for tree in (one, two):
        git(root, "worktree", "add", "-q", "-b", tree.name, str(tree))
    subprocess.run([program, "index", "-q"], cwd=one, capture_output=True)
    lot = random.Random(source.parent.name)
    functions = functions_of(root)
    lot.shuffle(functions)
    planted = foretold = quiet = alarms = 0
    for path, name, begin in functions:
        if planted == wanted:
            break
        users = [user for user in git(root, "grep", "-lw", name, ok=(0, 1)).splitlines()
                 if user != path and pathlib.Path(user).suffix == pathlib.Path(path).suffix]
        other = lot.choice(functions)
        if not users or other[1] == name:
            continue
        kind = ("rename", "signature", "remove")[planted % 3]
        for tree in (one, two):
            git(tree, "checkout", "-qf", ".")
        if not change(program, one, kind, path, name, begin):
            continue
        planted += 1
        for called in (name, other[1]):
            git(two, "checkout", "-qf", ".")
            append_call(two, lot.choice(users), called)
            answer = json.loads(subprocess.run([program, "worktrees", "--json"], cwd=two, capture_output=True, text=True).stdout)
            uses = {meeting["symbol"]["name"] for meeting in answer["meetings"] if meeting["kind"] == "uses"}
            if called == name:
                named = any(name in use for use in uses)
                foretold += named
                if not named:
                    print(f"  not foretold: {kind} of {path} {name}", flush=True)
            else:
                quiet += not uses
                alarms += bool(uses)
    print(f"{source.parent.name}: {foretold} of {planted} foretold; without a conflict {alarms} of {quiet + alarms} named", flush=True)
    return foretold, planted - foretold, alarms


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--merges", type=int, default=40)
    parser.add_argument("--planted", type=int)
    parser.add_argument("repositories", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    program = str(pathlib.Path(arguments.program).resolve())
    sums = [0, 0, 0]
    for repository in arguments.repositories:
        with tempfile.TemporaryDirectory(prefix="codexmem-merges-") as folder:
            if arguments.planted:
                found = replay_planted(program, repository.resolve(), arguments.planted, pathlib.Path(folder))
            else:
                found = replay(program, repository.resolve(), arguments.merges, pathlib.Path(folder))
        sums = [a + b for a, b in zip(sums, found)]
    hits, misses, false = sums
    print(f"all: foretold {hits} of {hits + misses}, {false} others named")


if __name__ == "__main__":
    main()
