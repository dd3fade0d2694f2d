#!/usr/bin/env python3
"""Many worktrees of one repository, and everything that git does with them: each answer is a clean index's.

  tests/git/worktree_steps_test.py --program build/dev/bin/codexmem [--steps 300] [--kills 100] [--seed 1]

Up to ten worktrees. A step edits, commits, switches, merges, rebases, stashes, adds or removes a worktree, or has git
collect garbage; before some answers a run is killed at a moment drawn by lot. Then one worktree is asked for
definitions and uses, and so is a copy of its files with an index of its own.
"""

import argparse
import random
import shutil
import signal
import subprocess
import tempfile
import time

from git_repository import Repository

WORKTREES = 10
FILES = 60


class Steps:
    def __init__(self, program, folder, seed):
        self.random = random.Random(seed)
        self.repository = Repository(program, folder)
        self.git = self.repository.git
        self.names = [f"f{i}" for i in range(FILES)]
        self.number = 0
        self.repository.commit({f"src/m{i}.py": self.module(i) for i in range(FILES)})
        self.trees = [self.repository.root]
        self.kills = self.compared = 0

    def fresh(self):
        self.number += 1
        return f"{self.random.choice(['load', 'save', 'find'])}_{self.number}"

    def module(self, number):
        """A function that calls functions of other modules."""
        others = self.random.sample(range(FILES), 3)
        own = self.names[number] if self.random.random() < 0.7 else self.fresh()
        self.names[number] = own
        text = "".join(f"from m{i} import {self.names[i]}\n" for i in others)
        calls = "".join(f"    {self.names[i]}({self.random.randint(0, 99)})\n" for i in others)
        return f"{text}\n\ndef {own}(x):\n{calls}    return x\n" + "\n# pad" * self.random.randint(0, 5) + "\n"

    # ---- Steps; each returns the worktree that it concerns.

    def tree(self):
        return self.random.choice(self.trees)

    def clean(self, tree):
        self.git("add", "-A", cwd=tree)
        self.git("commit", "-q", "--allow-empty", "-m", f"work {self.number}", cwd=tree)

    def edit(self):
        tree = self.tree()
        for _ in range(self.random.randint(1, 6)):
            number = self.random.randrange(FILES)
            path = tree / f"src/m{number}.py"
            if self.random.random() < 0.15 and path.exists():
                path.unlink()
            else:
                path.write_text(self.module(number))
        return tree

    def commit(self):
        tree = self.edit()
        self.clean(tree)
        return tree

    def switch(self):
        tree = self.tree()
        self.clean(tree)
        taken = {line[len("branch refs/heads/"):] for line in self.git("worktree", "list", "--porcelain").splitlines()
                 if line.startswith("branch ")}
        free = [b for b in self.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split() if b not in taken]
        if free and self.random.random() < 0.7:
            self.git("switch", "-q", self.random.choice(free), cwd=tree)
        else:
            self.number += 1
            self.git("switch", "-q", "-c", f"b{self.number}", cwd=tree)
        return tree

    def join(self, *words):
        tree = self.tree()
        self.clean(tree)
        branch = self.random.choice(self.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split())
        done = self.repository.run("git", *words, branch, cwd=tree)
        if done.returncode != 0 and self.random.random() < 0.7:  # else the conflict stays in the files
            self.repository.run("git", words[0], "--abort", cwd=tree)
        elif done.returncode != 0 and words[0] == "rebase":
            self.asked(tree)
            self.repository.run("git", "rebase", "--abort", cwd=tree)
        return tree

    def merge(self):
        return self.join("merge", "-q", "-m", "merge")

    def rebase(self):
        return self.join("rebase", "-q")

    def stash(self):
        tree = self.edit()
        self.repository.run("git", "stash", "-q", "-u", cwd=tree)
        self.asked(tree)
        self.repository.run("git", "stash", "pop", "-q", cwd=tree)
        return tree

    def add(self):
        if len(self.trees) >= WORKTREES:
            return self.remove()
        self.number += 1
        tree = self.repository.base / f"tree{self.number}"
        self.git("worktree", "add", "-q", "-b", f"b{self.number}", tree, cwd=self.tree())
        self.trees.append(tree)
        return tree

    def remove(self):
        if len(self.trees) > 1:
            tree = self.random.choice(self.trees[1:])
            self.trees.remove(tree)
            if self.random.random() < 0.5:
                self.git("worktree", "remove", "--force", tree)
            else:
                shutil.rmtree(tree)
            assert not tree.exists()
        return self.tree()

    def collect(self):
        self.git("worktree", "prune")
        self.git("gc", "-q", "--prune=now")
        return self.tree()

    # ---- Answers

    def kill(self, tree):
        words = self.random.choice([["index"], ["refs", self.random.choice(self.names)], ["index", "--force"]])
        child = subprocess.Popen([self.repository.program, *words], cwd=tree, env=self.repository.env,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(self.random.random() * 0.25)
        child.send_signal(signal.SIGKILL)
        child.wait()
        self.kills += 1

    def answers(self, root, names):
        found = []
        for name in names:
            for question in ("symbol", "refs"):
                done = self.repository.codexmem(question, name, "--json", cwd=root)
                assert done.returncode in (0, 1), (question, name, done.stderr)
                found.append((question, name, done.returncode, done.stdout.replace(str(root), "")))
        # All rows of the store, file by file.
        return found + [("dump", self.repository.codexmem("debug", "dump", cwd=root).stdout)]

    def asked(self, tree):
        names = self.random.sample(self.names, 3)
        here = self.answers(tree, names)
        copy = self.repository.base / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        if (tree / "src").exists():
            shutil.copytree(tree / "src", copy / "src")
        subprocess.run(["git", "init", "-q", copy], check=True, env=self.repository.env)
        self.repository.run(self.repository.program, "index", "-q", cwd=copy)
        clean = self.answers(copy, names)
        for mine, other in zip(here, clean):
            assert mine == other, f"in {tree} after {self.step}:\n{mine}\n{other}"
        self.compared += 1

    def run(self, count, kills):
        steps = [self.edit, self.commit, self.switch, self.merge, self.rebase, self.stash, self.add, self.remove,
                 self.collect]
        killed = set(self.random.sample(range(count), min(kills, count)))
        for number in range(count):
            step = self.random.choices(steps, [6, 6, 6, 2, 2, 2, 4, 1, 1])[0]
            self.step = f"step {number}, {step.__name__}"
            tree = step()
            if number in killed:
                self.kill(tree)
            self.asked(tree)
        print(f"{count} steps, {self.compared} answers compared, {self.kills} kills, {len(self.trees)} worktrees at the end")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--kills", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="codexmem-steps-") as folder:
        Steps(arguments.program, folder, arguments.seed).run(arguments.steps, arguments.kills)


if __name__ == "__main__":
    main()
