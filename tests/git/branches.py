#!/usr/bin/env python3
"""After git has changed the work tree, the first answer already describes the new files.

  tests/git/branches.py --program build/dev/bin/codexmem [--files 400] [--rounds 10] [--with-hook]

A repository with two branches that differ in hundreds of files. A server runs all the time; after
each checkout, stash, rebase, reset, merge and switch of a linked work tree it is asked at once, and
so is the shell. Every answer must be of the files as they are: a name of the branch that is checked
out is found at its place, one of the other is not. Prints how long the answers took.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time


class Server:
    def __init__(self, program, root, env):
        self.errors = tempfile.TemporaryFile()
        self.child = subprocess.Popen([program, "serve", str(root)], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=self.errors, env=env)
        self.number = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "branches", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            line = self.child.stdout.readline()
            if not line:
                self.errors.seek(0)
                sys.exit("the server ended: " + self.errors.read().decode())
            message = json.loads(line)
            if message.get("id") == self.number:
                return message["result"]

    def symbols(self, name):
        begin = time.monotonic()
        result = self.ask("tools/call", {"name": "find_symbol", "arguments": {"symbol": name}})
        took = time.monotonic() - begin
        content = result["structuredContent"]
        if result.get("isError"):
            return {"error": content}, took
        found = {(item["file"]["path"], item["symbol"]["startLine"]) for item in content["results"]
                 if item.get("match", "exact") == "exact"}
        return ({"stale": content["stale"]} if "stale" in content else found), took

    def stop(self):
        self.child.stdin.close()
        self.child.wait(timeout=20)


class Test:
    def __init__(self, options, folder):
        self.options = options
        self.program = str(pathlib.Path(options.program).resolve())
        self.folder = folder
        self.root = folder / "repo"
        home = folder / "home"
        home.mkdir()
        self.env = {**os.environ, "HOME": str(home), "CODEXMEM_DATA_DIR": str(folder / "data"),
                    "GIT_CONFIG_NOSYSTEM": "1", "CODEXMEM_LOG": "error",
                    "PATH": f"{pathlib.Path(self.program).parent}:{os.environ['PATH']}"}
        self.times = {}
        self.failures = []

    def git(self, *words, cwd=None):
        done = subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words],
                              cwd=cwd or self.root, env=self.env, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"git {' '.join(words)}: {done.stderr}")
        return done.stdout

    def write_branch(self, branch):
        """Every file has a function of its branch, one line lower for each branch."""
        for number in range(self.options.files):
            lower = "\n" * (1 if branch == "main" else 3)
            path = self.root / f"src/part{number % 20}/file{number}.ts"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{lower}export function {branch}Thing{number}() {{ return {number}; }}\n"
                            f"export const shared{number} = '{branch}';\n")
        only = self.root / f"src/{branch}_only"
        only.mkdir(exist_ok=True)
        (only / "new.ts").write_text(f"export class Only{branch.capitalize()} {{}}\n")

    def make_repository(self):
        self.root.mkdir()
        self.git("init", "-q", "-b", "main")
        self.write_branch("main")
        self.git("add", "-A")
        self.git("commit", "-qm", "main")
        self.git("checkout", "-qb", "other")
        self.git("rm", "-rq", "src/main_only")
        self.write_branch("other")
        self.git("add", "-A")
        self.git("commit", "-qm", "other")
        self.git("checkout", "-q", "main")
        subprocess.run([self.program, "index", str(self.root), "-q"], env=self.env, check=True)
        if self.options.with_hook:
            subprocess.run([self.program, "init", str(self.root)], env=self.env, check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def expect(self, what, got, wanted):
        if got != wanted:
            self.failures.append(f"{what}: got {got}, wanted {wanted}")

    def note(self, who, took):
        self.times.setdefault(who, []).append(took * 1000)

    def check(self, server, what, branch, number, root=None):
        """The checked-out branch of `root` is `branch`: no answer may differ."""
        other = "other" if branch == "main" else "main"
        line = 2 if branch == "main" else 4
        path = f"src/part{number % 20}/file{number}.ts"
        here, took = server.symbols(f"{branch}Thing{number}")
        self.note("server, first answer", took)
        self.expect(f"{what}: server, {branch}Thing{number}", here, {(path, line)})
        gone, took = server.symbols(f"{other}Thing{number}")
        self.note("server, second answer", took)
        self.expect(f"{what}: server, {other}Thing{number}", gone, set())
        only, _ = server.symbols(f"Only{branch.capitalize()}")
        self.expect(f"{what}: server, Only{branch}", only, {(f"src/{branch}_only/new.ts", 1)})

    def shell(self, what, branch, number, root=None):
        line = 2 if branch == "main" else 4
        path = f"src/part{number % 20}/file{number}.ts"
        begin = time.monotonic()
        done = subprocess.run([self.program, "-C", str(root or self.root), "symbol", "--json",
                               f"{branch}Thing{number}"], env=self.env, capture_output=True,
                              text=True)
        self.note("shell, first answer", time.monotonic() - begin)
        items = json.loads(done.stdout) if done.stdout else []
        items = items["results"] if isinstance(items, dict) else items
        found = {(item["file"]["path"], item["symbol"]["startLine"]) for item in items
                 if item.get("match", "exact") == "exact"}
        self.expect(f"{what}: shell, {branch}Thing{number} ({done.stderr.strip()})", found,
                    {(path, line)})

    def run(self):
        self.make_repository()
        server = Server(self.program, self.root, self.env)
        server.symbols("nothing")  # the first run is done
        files = self.options.files
        for turn in range(self.options.rounds):
            number = (turn * 37) % files
            # The server first in even turns, the shell first in odd ones: they share the lock.
            for branch in ("other", "main"):
                self.git("checkout", "-q", branch)
                if turn % 2:
                    self.shell("checkout", branch, number)
                self.check(server, "checkout", branch, number)
                if not turn % 2:
                    self.shell("checkout", branch, number)

            # Work in progress on all files, put aside and taken back.
            self.write_branch("other")
            self.git("stash", "-q")
            self.check(server, "stash", "main", number)
            self.git("stash", "pop", "-q")
            there, took = server.symbols(f"otherThing{number}")
            self.note("server, first answer", took)
            self.expect("stash pop", there, {(f"src/part{number % 20}/file{number}.ts", 4)})
            self.git("checkout", "-q", "--", ".")
            self.git("clean", "-fdq")
            self.check(server, "checkout -- .", "main", number)

            # A rebase: main gets a file more, other is replayed on it.
            extra = self.root / f"extra{turn}.ts"
            extra.write_text(f"export class Extra{turn} {{}}\n")
            self.git("add", "-A")
            self.git("commit", "-qm", f"extra {turn}")
            self.git("checkout", "-q", "other")
            self.git("rebase", "-q", "main")
            self.check(server, "rebase", "other", number)
            found, _ = server.symbols(f"Extra{turn}")
            self.expect("rebase, Extra", found, {(f"extra{turn}.ts", 1)})
            self.git("commit", "-q", "--amend", "--allow-empty", "-m", "again")
            self.check(server, "amend", "other", number)
            self.git("reset", "-q", "--hard", "main")
            self.check(server, "reset", "main", number)
            self.git("reset", "-q", "--hard", "ORIG_HEAD")
            self.shell("reset back", "other", number)
            self.check(server, "reset back", "other", number)
            self.git("checkout", "-q", "main")
        server.stop()
        self.worktree()

    def worktree(self):
        """A linked work tree has an index of its own, and so has its server."""
        linked = self.folder / "linked"
        self.git("worktree", "add", "-q", str(linked), "other")
        server = Server(self.program, linked, self.env)
        for turn in range(max(1, self.options.rounds // 2)):
            number = (turn * 11) % self.options.files
            self.check(server, "worktree", "other", number)
            self.git("checkout", "-q", "--detach", "main", cwd=linked)
            self.check(server, "worktree, main", "main", number)
            self.shell("worktree, main", "main", number, linked)
            self.git("checkout", "-q", "other", cwd=linked)
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--files", type=int, default=400, help="that differ between the branches")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--with-hook", action="store_true", help="with codexmem's git hook")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="codexmem-branches-") as folder:
        test = Test(options, pathlib.Path(folder))
        test.run()
    for who, times in test.times.items():
        times.sort()
        print(f"{who}: {len(times)} times, median {statistics.median(times):.0f} ms, "
              f"p90 {times[int(len(times) * 0.9)]:.0f} ms, greatest {times[-1]:.0f} ms")
    for failure in test.failures[:20]:
        print("FAILED", failure)
    print(f"{len(test.failures)} answers were wrong")
    sys.exit(1 if test.failures else 0)


main()
