#!/usr/bin/env python3
"""Memories and decisions of branches, through random histories of the real git.

  tests/git/branch_memory_test.py --program build/dev/bin/codexmem [--histories 300] [--seed 1]

Each commit adds a file of its own, so a tree says which commits it has, however they came there. A memory or
decision that was made on a branch belongs to the next commit there (without one, to the last). It may be seen
where that commit's file is, and must be seen on its branch; once the default branch has had the file, it should
be everybody's; if not, `memory staged` must list it. Prints what was seen, a line for each way a branch ended.
"""

import argparse
import collections
import json
import random
import tempfile
import time

from git_repository import Repository

ENDS = ["merge", "fast-forward", "squash", "squash-message", "squash-conflict", "request", "rebase", "rebase-conflict",
        "pick", "pick-other", "revert", "amend", "reorder", "drop", "delete", "rename", "partial", "stack", "remade",
        "merge-main"]
# Ways in which git keeps a commit, or its change, as it is.
KEPT = set(ENDS) - {"squash", "squash-message", "squash-conflict", "request"}
SECRET = {"AGENT_MEMORY_SECRET": "s", "CODEXMEM_DECISION_COOLDOWN_MS": "0", "CODEXMEM_MEMORY_BRANCHES": "staged"}


class Note:
    def __init__(self, name, branch, kind, carrier):
        self.name, self.branch, self.kind, self.carrier = name, branch, kind, carrier
        self.was_on_main = self.is_settled = False


class History:
    def __init__(self, program, folder, rng):
        self.rng = rng
        self.repository = Repository(program, folder)
        self.repository.env.update(SECRET)
        self.git = self.repository.git
        self.counter = 0
        self.notes = []
        self.last = {}          # the last own commit of a branch
        self.current = "main"   # of the root
        self.ever_on_main = set()
        self.problems = []
        self.commit("main")
        self.commit("main")
        self.trees = {}
        self.git("branch", "other")
        self.git("branch", "feature")
        for branch in ("other", "feature"):
            if rng.random() < 0.5:
                tree = self.repository.base / branch
                self.git("worktree", "add", "-q", tree, branch)
                self.trees[branch] = tree
        self.commit("other")

    # ---- Git

    def at(self, branch):
        """A work tree that has the branch checked out."""
        if branch in self.trees:
            return self.trees[branch]
        if self.current != branch:
            self.git("switch", "-q", branch)
            self.current = branch
        return self.repository.root

    def commit(self, branch, message=None, files=None):
        root = self.repository.root if branch == "main" and self.counter < 2 else self.at(branch)
        self.counter += 1
        name = f"work/{self.counter}.txt"
        self.repository.write({name: f"{branch} {self.counter}\n" * 3, **(files or {})}, root=root)
        self.git("add", "-A", cwd=root)
        self.git("commit", "-q", "-m", message or f"{branch}: work {self.counter}", cwd=root)
        self.last[branch] = name
        for note in self.notes:
            if note.branch == branch and not note.is_settled:
                note.carrier, note.is_settled = name, True
        return name

    def files(self, revision):
        return set(self.git("ls-tree", "-r", "--name-only", revision).splitlines())

    # ---- Memory

    def note(self, branch):
        self.counter += 1
        name = f"note{self.counter}x"
        kind = self.rng.choice(["memory", "decision"])
        root = self.at(branch)
        if kind == "memory":
            words = ["memory", "save", f"{name} is remembered", "--title", name]
        else:
            words = ["decision", "record", name, "--target", f"target {name}", "--rationale", "because it has to be so"]
        done = self.repository.codexmem(*words, cwd=root)
        assert done.returncode == 0, (words, done.stderr)
        self.notes.append(Note(name, branch, kind, self.last.get(branch)))

    def seen(self, branch):
        root = self.at(branch)
        memories = self.repository.codexmem("memory", "list", "--limit", "100", "--json", cwd=root)
        decisions = self.repository.codexmem("decision", "list", "--limit", "100", "--status", "active", "--json", cwd=root)
        assert memories.returncode in (0, 1) and decisions.returncode in (0, 1), (memories.stderr, decisions.stderr)
        return {note.name for note in self.notes
                if f'"{note.name}"' in (memories.stdout if note.kind == "memory" else decisions.stdout)}

    def check(self, where, branches):
        self.ever_on_main |= self.files("main")
        for branch in branches:
            seen = self.seen(branch)
            files = self.files(branch)
            for note in self.notes:
                may = note.carrier in self.ever_on_main or (note.carrier in files and note.carrier is not None)
                if branch != note.branch and note.name in seen and not may:
                    self.problems.append(f"leak {where}: {note.name} of {note.branch} seen on {branch}")
                if branch == note.branch and note.name not in seen:
                    self.problems.append(f"missing {where}: {note.name} is not seen on its branch {branch}")

    # ---- How a branch ends

    def begin(self):
        for _ in range(self.rng.randint(2, 5)):
            step = self.rng.random()
            if step < 0.45:
                self.note("feature")
            elif step < 0.9:
                self.commit("feature")
            else:
                self.commit("main")
            if self.rng.random() < 0.3:
                self.check("on the way", self.rng.sample(["main", "other", "feature"], 1))
        if self.rng.random() < 0.3:
            self.note("other")
        self.commit("feature", files={"shared.txt": "feature's\n"})
        if self.rng.random() < 0.7:
            self.note("feature")
        if self.rng.random() < 0.5:
            self.commit("main")
        self.check("before", ["main", "other", "feature"])

    def rebase(self, conflict):
        root = self.at("feature")
        done = self.repository.run("git", "rebase", "-q", "main", cwd=root)
        while done.returncode != 0:
            assert conflict, done.stderr
            self.repository.write({"shared.txt": "both\n"}, root=root)
            self.git("add", "-A", cwd=root)
            done = self.repository.run("git", "-c", "core.editor=true", "rebase", "--continue", cwd=root)

    def squash(self, words=(), conflict=False):
        root = self.at("main")
        done = self.repository.run("git", "merge", "-q", "--squash", "feature", cwd=root)
        if conflict:
            self.repository.write({"shared.txt": "both\n"}, root=root)
            self.git("add", "-A", cwd=root)
        else:
            assert done.returncode == 0, done.stderr
        self.git("commit", "-q", *(words or ["--no-edit"]), cwd=root)

    def end(self, how):
        main = lambda: self.at("main")
        if how == "merge":
            self.git("merge", "-q", "--no-ff", "-m", "Merge branch 'feature'", "feature", cwd=main())
        elif how == "fast-forward":
            self.rebase(False)
            self.git("merge", "-q", "--ff-only", "feature", cwd=main())
        elif how == "merge-main":
            self.commit("main")
            self.git("merge", "-q", "-m", "Merge main", "main", cwd=self.at("feature"))
            self.note("feature")
            self.check("after main came in", ["main", "other", "feature"])
            self.squash(["-m", "All of it"])
        elif how == "squash":
            self.squash()
        elif how == "squash-message":
            self.squash(["-m", "Everything at once"])
        elif how == "squash-conflict":
            self.commit("main", files={"shared.txt": "main's\n"})
            self.squash(self.rng.choice([(), ["-m", "Everything, as it fits"]]), conflict=True)
        elif how == "request":  # as a host squashes a pull request, with a conflict that was settled
            subjects = self.git("log", "--format=* %s%n", "main..feature")
            self.commit("main", files={"shared.txt": "main's\n"})
            self.squash(["-m", "Feature (#7)", "-m", subjects.strip()], conflict=True)
        elif how == "rebase":
            self.commit("main")
            self.rebase(False)
            self.check("rebased", ["main", "other", "feature"])
            self.git("merge", "-q", "--no-ff", "-m", "Merge", "feature", cwd=main())
        elif how == "rebase-conflict":
            self.commit("main", files={"shared.txt": "main's\n"})
            self.rebase(True)
            self.git("merge", "-q", "--ff-only", "feature", cwd=main())
        elif how in ("pick", "pick-other"):
            target = "main" if how == "pick" else "other"
            commits = self.git("rev-list", "--reverse", "--no-merges", "main..feature").split()
            # One alone, or all of them.
            for commit in self.rng.choice([commits, [self.rng.choice(commits)]]):
                self.git("cherry-pick", commit, cwd=self.at(target))
        elif how == "revert":
            self.git("merge", "-q", "--no-ff", "-m", "Merge", "feature", cwd=main())
            self.check("merged", ["main", "feature"])
            self.git("revert", "--no-edit", "-m", "1", "HEAD", cwd=main())
        elif how == "amend":
            root = self.at("feature")
            self.repository.write({"shared.txt": "amended\n"}, root=root)
            self.git("commit", "-qa", "--amend", "--no-edit", cwd=root)
            self.check("amended", ["main", "feature"])
            self.git("merge", "-q", "--no-ff", "-m", "Merge", "feature", cwd=main())
        elif how == "reorder":  # the last commit is taken off and picked again under a new one
            root = self.at("feature")
            tip = self.git("rev-parse", "HEAD", cwd=root).strip()
            self.git("reset", "-q", "--hard", "HEAD~1", cwd=root)
            self.commit("feature")
            self.git("cherry-pick", tip, cwd=root)
            self.git("merge", "-q", "--no-ff", "-m", "Merge", "feature", cwd=main())
        elif how == "drop":
            root = self.at("feature")
            self.git("reset", "-q", "--hard", "HEAD~1", cwd=root)
            self.commit("feature")
            self.git("merge", "-q", "--no-ff", "-m", "Merge", "feature", cwd=main())
        elif how in ("delete", "remade"):
            self.remove("feature")
            if how == "remade":
                time.sleep(1.1)  # git's logs count in seconds
                self.git("branch", "feature", "main")
                self.trees.pop("feature", None)
                self.last.pop("feature", None)
                for note in self.notes:
                    if note.branch == "feature":
                        note.branch = "an older feature"
                self.commit("feature")
                self.check("remade", ["main", "other", "feature"])
        elif how == "rename":
            self.at("feature")
            self.git("branch", "-m", "feature", "renamed")
            self.trees = {("renamed" if b == "feature" else b): t for b, t in self.trees.items()}
            self.current = "renamed" if self.current == "feature" else self.current
            for note in self.notes:
                note.branch = "renamed" if note.branch == "feature" else note.branch
            self.check("renamed", ["main", "renamed"])
            self.git("merge", "-q", "--no-ff", "-m", "Merge", "renamed", cwd=main())
        elif how == "partial":  # merged, and worked on
            self.git("merge", "-q", "--no-ff", "-m", "Merge", "feature", cwd=main())
            self.check("merged", ["main", "feature"])
            for note in self.notes:
                note.is_settled = note.is_settled or note.branch == "feature"
            self.commit("feature")
            self.note("feature")
            self.commit("feature")
        elif how == "stack":
            self.git("merge", "-q", "--no-ff", "-m", "Merge", "feature", cwd=self.at("other"))
            self.check("merged to other", ["main", "other"])
            self.git("merge", "-q", "--no-ff", "-m", "Merge", "other", cwd=main())
        if how in ("merge", "squash", "squash-message", "request", "fast-forward") and self.rng.random() < 0.6:
            self.remove("feature")

    def remove(self, branch):
        self.at("main")
        if branch in self.trees:
            self.git("worktree", "remove", "--force", self.trees.pop(branch))
        self.git("branch", "-q", "-D", branch)

    def run(self, how):
        self.begin()
        self.end(how)
        branches = self.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split()
        self.check("after " + how, branches)
        moved = waiting = late = 0
        on_main = self.seen("main")
        staged = self.repository.codexmem("memory", "staged", "--json").stdout
        for note in self.notes:
            is_listed = note.name in staged
            if note.name in on_main and is_listed:
                self.problems.append(f"{note.name} is everybody's and waits")
            if note.name not in on_main and not is_listed:
                self.problems.append(f"lost: {note.name} of {note.branch}")
            if note.carrier in self.ever_on_main:
                moved += note.name in on_main
                late += note.name not in on_main
            else:
                waiting += is_listed
        return moved, late, waiting


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--histories", type=int, default=len(ENDS))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    problems = []
    for number in range(arguments.histories):
        how = ENDS[number % len(ENDS)]
        with tempfile.TemporaryDirectory(prefix="codexmem-branches-") as folder:
            history = History(arguments.program, folder, random.Random(f"{arguments.seed} {number}"))
            counts = history.run(how)
            for i, count in enumerate((1, *counts)):
                sums[how][i] += count
            problems += [f"history {number} ({how}): {problem}" for problem in history.problems]
    for how, (histories, moved, late, waiting) in sums.items():
        print(f"{how}: {histories} histories, {moved} moved, {late} merged and not moved, {waiting} wait")
    total = [sum(row[i] for row in sums.values()) for i in range(4)]
    kept = [sum(row[i] for how, row in sums.items() if how in KEPT) for i in range(4)]
    print(f"all: {total[0]} histories, moved {total[1]} of {total[1] + total[2]}, "
          f"where commits are kept {kept[1]} of {kept[1] + kept[2]}, {total[3]} wait")
    for problem in problems[:30]:
        print(problem)
    assert not problems, f"{len(problems)} problems"
    assert total[1] >= 0.9 * (total[1] + total[2]) and kept[2] <= 0.03 * (kept[1] + kept[2]), total


if __name__ == "__main__":
    main()
