#!/usr/bin/env python3
"""What worktrees and switches of branches cost, and whether answers are a clean index's.

  bench/worktrees_cost.py --program build/ci/bin/codexmem [--worktrees 20] [--branches 10] [--step 100]
      [--folder DIR] REPOSITORY

Clones REPOSITORY and indexes it; then prints
- the disk of all indexes against one: the blocks of their files, each file counted once, and what the file system
  has less (exact where nobody else writes to it and files share blocks, as on btrfs),
- the time of the first answer (`codexmem symbol`) after each `git worktree add`,
- the same after each of the switches through branches that are --step first parents apart, twice,
- the memory of ten servers in as many worktrees, each of which has answered two questions,
- whether `codexmem debug dump` and the references of some symbols are those of an index made from nothing.
"""

import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

import mcp_client


def run(*words, cwd):
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True)
    assert done.returncode in (0, 1), (words, done.stderr)
    return done.stdout


def git(root, *words):
    return run("git", *words, cwd=root).strip()


def index_bytes(roots):
    """The blocks of all files of the indexes; hard links count once."""
    files = {}
    for root in roots:
        for path in (root / ".codexmem").iterdir():
            info = path.lstat()
            files[info.st_dev, info.st_ino] = info.st_blocks * 512
    return sum(files.values())


def used_bytes(folder):
    os.sync()
    about = os.statvfs(folder)
    return (about.f_blocks - about.f_bfree) * about.f_frsize


def seconds_of(*words, cwd):
    """Of the clock and of the processors."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    begin, spent_before = time.monotonic(), spent()
    run(*words, cwd=cwd)
    return time.monotonic() - begin, spent() - spent_before


def spread(runs):
    clock, spent = zip(*runs)
    return (f"median {statistics.median(clock):.2f} s ({min(clock):.2f} to {max(clock):.2f}),"
            f" processor {statistics.median(spent):.2f} s ({min(spent):.2f} to {max(spent):.2f})")


def pss_mb(process):
    for line in pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0


class Bench:
    def __init__(self, program, folder):
        self.program, self.folder, self.main = program, folder, folder / "main"

    def ask(self, root, symbol):
        return seconds_of(self.program, "symbol", symbol, cwd=root)

    def symbols(self, root, count=20):
        names = [line.split()[3].strip('"') for line in run(self.program, "debug", "dump", cwd=root).splitlines()
                 if line.startswith("symbol ") and " function in " in line]
        return sorted(set(names))[::max(1, len(set(names)) // count)][:count]

    def add_worktrees(self, count):
        before, free_before = index_bytes([self.main]), used_bytes(self.folder)
        symbol = self.symbols(self.main)[0]
        roots, seconds = [], []
        for number in range(count - 1):
            root = self.folder / f"w{number}"
            git(self.main, "worktree", "add", "-q", "-b", f"bench-{number}", root)
        sources = used_bytes(self.folder) - free_before
        for number in range(count - 1):
            root = self.folder / f"w{number}"
            seconds.append(self.ask(root, symbol))
            roots.append(root)
        after, less = index_bytes([self.main, *roots]), used_bytes(self.folder) - free_before - sources
        print(f"first answer after git worktree add: {spread(seconds)}")
        print(f"disk: one index {before / 1e6:.1f} MB, {count} {after / 1e6:.1f} MB ({after / before:.2f} times);"
              f" the file system has {less / 1e6:.1f} MB less ({1 + less / before:.2f} times)", flush=True)
        return roots

    def switch(self, branches, step):
        commits = git(self.main, "log", "--first-parent", "--format=%H", f"-{(branches - 1) * step + 1}").split()[::step]
        symbol, seen = self.symbols(self.main)[0], commits[0]
        for round_name in ("never seen", "seen before"):
            seconds, changed = [], []
            for commit in [*commits[1:], commits[0]]:
                changed.append(len(git(self.main, "diff", "--name-only", "--no-renames", seen, commit).splitlines()))
                git(self.main, "checkout", "-q", "--detach", commit)
                seconds.append(self.ask(self.main, symbol))
                seen = commit
            print(f"first answer after each of {len(seconds)} switches of {min(changed)} to {max(changed)} files,"
                  f" {round_name}: {spread(seconds)}")
        print(f"disk after them: {index_bytes([self.main]) / 1e6:.1f} MB", flush=True)
        return commits

    def compare(self, root, commit):
        git(root, "checkout", "-q", "--detach", commit)
        clean = self.folder / "clean"
        run("rm", "-rf", clean, cwd=self.folder)
        run("git", "clone", "-q", "--shared", self.main, clean, cwd=self.folder)
        git(clean, "checkout", "-q", "--detach", commit)
        for place in (root, clean):
            run(self.program, "index", cwd=place)
        dumps = [run(self.program, "debug", "dump", cwd=place) for place in (root, clean)]
        assert dumps[0] == dumps[1], f"{root} at {commit} is not a clean index"
        for symbol in self.symbols(clean):
            answers = [run(self.program, "refs", symbol, cwd=place) for place in (root, clean)]
            assert answers[0] == answers[1], f"{symbol} in {root} at {commit}"

    def servers(self, roots):
        servers = [mcp_client.Server(self.program, os.environ["CODEXMEM_DATA_DIR"], root=root) for root in roots]
        for server in servers:
            server.call("find_symbol", {"symbol": "main"})
            server.call("search_code", {"query": "read the settings"})
        print(f"memory of {len(servers)} servers: {sum(server.memory_mb() for server in servers):.0f} MB resident,"
              f" {sum(pss_mb(server.process) for server in servers):.0f} MB with shared pages counted once")
        for server in servers:
            server.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--worktrees", type=int, default=20)
    parser.add_argument("--branches", type=int, default=10)
    parser.add_argument("--step", type=int, default=100)
    parser.add_argument("--folder", type=pathlib.Path, help="where to work; default: the system's for temporary files")
    parser.add_argument("repository", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="codexmem-worktrees-", dir=arguments.folder) as name:
        folder = pathlib.Path(name)
        os.environ["CODEXMEM_DATA_DIR"] = str(folder / "data")
        bench = Bench(arguments.program.resolve(), folder)
        run("git", "clone", "-q", "--no-hardlinks", arguments.repository.resolve(), bench.main, cwd=folder)
        print(f"{arguments.repository.name}: {len(git(bench.main, 'ls-files').splitlines())} files,"
              f" first index: {spread([seconds_of(bench.program, 'index', cwd=bench.main)])}", flush=True)
        roots = bench.add_worktrees(arguments.worktrees)
        bench.servers(roots[:10])
        commits = bench.switch(arguments.branches, arguments.step)
        for root, commit in ((bench.main, commits[-1]), (roots[0], commits[1]), (roots[0], commits[0])):
            bench.compare(root, commit)
        print("dumps and references equal a clean index's", flush=True)


if __name__ == "__main__":
    main()
