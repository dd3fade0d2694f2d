#!/usr/bin/env python3
"""Many at once on one store: servers, callers, index runs, a git hook, an editor and a SQLite shell.

  tests/crash/stress.py --program build/release/bin/codexmem --seconds 60

Two `codexmem serve` with twelve callers between them, `codexmem index` in a loop, `git add` and
`codexmem index --staged` in a loop, an editor that rewrites every file as a whole, and readers of the
contract's tables with little patience (half a second). Each name in a file contains the version of the
file, so an answer that mixes two states is detected. Asserted:

  no caller gets an error that the database is locked or busy, and nothing else fails;
  within an answer, and within a row of SQL, a file has one version;
  the database's log stays small;
  the servers rebuild a store that is deleted or replaced at the end;
  in the end the index equals an index made from nothing.
"""

import argparse
import collections
import itertools
import json
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from common import Failure, Program, Tree, check, check_integrity

NAME = re.compile(r"\bm(\d+)_[fC]\d+_v(\d+)")
TABLES = [
    "SELECT f.path, f.content, group_concat(s.name, ' ') FROM files AS f JOIN symbols AS s"
    " ON s.file_id = f.id GROUP BY f.id",
    "SELECT f.path, f.content, group_concat(e.content, ' ') FROM files AS f JOIN embeddings AS e"
    " ON e.file_id = f.id GROUP BY f.id",
    "SELECT f.path, f.content, group_concat(d.import_path, ' ') FROM files AS f JOIN dependencies"
    " AS d ON d.source_file_id = f.id GROUP BY f.id",
]
MOST_LOG_BYTES = 48 << 20
# An outside program that closes the database asks for it alone, to remove the log, and holds up for
# a moment those that are just coming: the outside readers each other. (Ours do not ask.)
PATIENCE_S = 0.5


def check_one_version(text, what):
    """All names of a module carry one version."""
    versions = collections.defaultdict(set)
    for module, version in NAME.findall(text):
        versions[module].add(version)
    for module, found in versions.items():
        check(len(found) == 1, f"{what}: m{module} is of versions {sorted(found)}:\n{text[:3000]}")


class Server:
    """One `codexmem serve`; any number of threads may ask."""

    def __init__(self, program, root):
        self.child = program.start("serve", root, stdin=subprocess.PIPE)
        self.ids = itertools.count(1)
        self.answers = {}
        self.arrived = threading.Condition()
        self.errors = []
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.read_errors, daemon=True).start()
        hello = {"protocolVersion": "2025-06-18", "capabilities": {},
                 "clientInfo": {"name": "stress", "version": "1"}}
        self.ask("initialize", hello)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        line = json.dumps(message).encode() + b"\n"
        with self.arrived:
            self.child.stdin.write(line)
            self.child.stdin.flush()

    def read(self):
        for line in self.child.stdout:
            message = json.loads(line)
            if "id" in message:
                with self.arrived:
                    self.answers[message["id"]] = message
                    self.arrived.notify_all()
        with self.arrived:
            self.answers[None] = "the server has ended"
            self.arrived.notify_all()

    def read_errors(self):
        for line in self.child.stderr:
            self.errors.append(line.decode(errors="replace"))

    def ask(self, method, parameters):
        number = next(self.ids)
        self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters})
        with self.arrived:
            there = self.arrived.wait_for(
                lambda: number in self.answers or None in self.answers, 120)
            check(there and number in self.answers, f"no answer to {parameters}: {self.errors[-3:]}")
            return self.answers.pop(number)

    def call(self, tool, **arguments):
        """The text of an answer, and whether it is a failure."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        check("result" in answer, f"{tool}: {answer}")
        result = answer["result"]
        return result["content"][0]["text"], result.get("isError", False)

    def stop(self):
        self.child.stdin.close()
        check(self.child.wait(30) == 0, f"serve: exit {self.child.returncode}: {self.errors[-3:]}")


class Stress:
    def __init__(self, program, work, files, seconds, seed):
        self.program = program
        self.root = work / "repository"
        self.work = work
        self.seed = seed
        self.tree = Tree(self.root, files, seed)
        self.paths = sorted(self.tree.versions)
        self.end = time.monotonic() + seconds
        self.failed = None
        self.counts = collections.Counter()
        self.most_log = 0
        self.git("init", "-q")
        self.git("add", "-A")
        program.index(self.root)

    def git(self, *arguments):
        subprocess.run(["git", "-C", str(self.root), *arguments], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def loop(self, name, turn):
        """Takes turns until the time is over or somebody has failed, on a thread of its own."""
        def work():
            try:
                while self.failed is None and time.monotonic() < self.end:
                    turn()
                    self.counts[name] += 1
            except Exception as failure:  # of any kind: the thread must report it
                self.failed = self.failed or Failure(f"{name}: {failure!r}")
        thread = threading.Thread(target=work)
        thread.start()
        return thread

    def caller(self, server, seed):
        chance = random.Random(seed)

        def turn():
            path = chance.choice(self.paths)
            module = pathlib.Path(path).stem
            tool, arguments = chance.choice([
                ("search_code", {"query": f"version of part {chance.randrange(8)} of {module}"}),
                ("find_symbol", {"symbol": f"{module}_", "file_path": path}),
                ("get_context", {"file_path": path}),
                ("analyze_dependencies", {"file_path": path}),
                ("get_references", {"symbol": f"{module}_f1_v{self.tree.versions[path]}"}),
            ])
            text, failed = server.call(tool, **arguments)
            if failed and "another index run is under way" in text:
                self.counts["asked to retry"] += 1  # what docs/security.md says, after 5 s
                return
            if failed:
                # A name of a version that is gone may be nowhere.
                check("NotFound" in text or "not found" in text, f"{tool} {arguments}: {text}")
            check_one_version(text, f"{tool} {arguments}")
        return turn

    def edit(self):
        chance = random.Random(self.counts["edits"])
        for path in chance.sample(self.paths, max(1, len(self.paths) // 4)):
            self.tree.put(path, self.tree.versions[path] + 1)
        time.sleep(0.02)

    def hook(self):
        self.git("add", "-A")
        self.program.index(self.root, "--staged")

    def read_tables(self):
        database = sqlite3.connect(self.root / ".codexmem/index.db", timeout=PATIENCE_S)
        try:
            for sql in TABLES:
                for path, content, rest in database.execute(sql):
                    # sqlite3's text: group_concat of chunk texts; its names are the content's.
                    check_one_version(content + " " + rest, f"{sql[:60]} of {path}")
        finally:
            database.close()
        log = self.root / ".codexmem/index.db-wal"
        if log.exists():
            self.most_log = max(self.most_log, log.stat().st_size)

    def run_shell(self):
        shell = subprocess.run(
            ["sqlite3", "-cmd", f".timeout {int(PATIENCE_S * 1000)}",
             str(self.root / ".codexmem/index.db"), TABLES[0]],
            capture_output=True, check=False)
        check(shell.returncode == 0, f"the shell: {shell.stderr.decode()}")
        time.sleep(0.1)

    def lose_store(self, servers):
        """The store is deleted, then another put in its place, under the servers."""
        store = self.root / ".codexmem"
        spare = self.work / "spare"
        for turn in ("deleted", "replaced", "cleaned"):
            if turn == "deleted":
                shutil.copytree(store, spare)
                shutil.rmtree(store)
            elif turn == "replaced":
                for name in ("index.db-wal", "index.db-shm"):
                    (store / name).unlink(missing_ok=True)
                (spare / "index.db").replace(store / "index.db")
            else:
                self.git("clean", "-fdxq")
            for server, path in itertools.product(servers, self.paths[:3]):
                text, failed = server.call("get_context", file_path=path)
                check(not failed and path in text, f"store {turn}: {text}")
                check_one_version(text, f"store {turn}")

    def run(self):
        servers = [Server(self.program, self.root) for _ in range(2)]
        threads = [self.loop("questions", self.caller(servers[i // 10], self.seed + i))
                   for i in range(12)]
        threads.append(self.loop("edits", self.edit))
        threads.append(self.loop("runs", lambda: self.program.index(self.root)))
        threads.append(self.loop("hooks", self.hook))
        threads.append(self.loop("reads", self.read_tables))
        if shutil.which("sqlite3"):
            threads.append(self.loop("shells", self.run_shell))
        for thread in threads:
            thread.join()
        if self.failed:
            for server in servers:
                server.child.kill()
                server.child.wait()
            raise self.failed
        lines = [line for server in servers for line in server.errors]
        check(not [line for line in lines if "locked" in line or "busy" in line], f"{lines}")
        for server in servers:
            text, failed = server.call("index_repository")
            check(not failed, text)
        log = self.root / ".codexmem/index.db-wal"
        left = log.stat().st_size if log.exists() else 0
        check(self.most_log <= MOST_LOG_BYTES, f"the log grew to {self.most_log} bytes")
        self.lose_store(servers)
        for server in servers:
            server.stop()
        check_integrity(self.root / ".codexmem", self.work / "scratch")
        clean = self.work / "clean"
        shutil.copytree(self.root, clean, ignore=shutil.ignore_patterns(".codexmem"))
        self.program.index(clean)
        wanted, there = self.program.dump(clean), self.program.dump(self.root)
        check(there == wanted, "another index than one from nothing: "
              f"{sorted(set(there) ^ set(wanted))[:6]}")
        print(f"{dict(self.counts)}; the log: at most {self.most_log / 1e6:.1f} MB, "
              f"{left / 1e6:.1f} MB in the end")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--files", type=int, default=80)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="codexmem-stress-") as folder:
        work = pathlib.Path(folder).resolve()
        try:
            Stress(Program(given.program), work, given.files, given.seconds, given.seed).run()
        except Failure as failure:
            print(f"seed {given.seed}: {failure}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
