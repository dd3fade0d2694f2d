#!/usr/bin/env python3
"""Saves memories from many places at once, and kills the savers; then checks what was saved.

  tests/crash/memories.py --program build/release/bin/codexmem --seconds 60 --saves 200

First two `codexmem serve` with four callers each, `codexmem memory save` in a loop, and an outside
SQLite shell with half a second's patience. Callers save texts of their own and texts that others
save too. Then servers are killed at random moments until so many saves were acknowledged. Asserted:

  no caller gets an error that the database is locked or busy, and nothing else fails;
  every acknowledged save is there, with the acknowledged id, for every reader;
  a text saved by several callers is there once, and all of them got the same id;
  the database passes SQLite's integrity_check.
"""

import argparse
import collections
import json
import pathlib
import random
import shutil
import sqlite3
import sys
import tempfile
import threading
import time

import common
from common import Failure, Program, check
from stress import Server


class Memories:
    def __init__(self, program, work, seed):
        self.program = program
        self.work = work
        self.root = work / "repository"
        self.root.mkdir()
        self.data = work / "data"
        common.QUIET["CODEXMEM_DATA_DIR"] = str(self.data)
        self.seed = seed
        self.lock = threading.Lock()
        self.ids = {}  # by text, as acknowledged
        self.without_id = set()  # texts that a shell saved
        self.failures = []
        self.counts = collections.Counter()
        self.times = []  # of the saves, in seconds

    def save(self, server, text):
        begin = time.monotonic()
        answer, is_error = server.call("save_memory", text=text, project="crash")
        check(not is_error, f"save_memory: {answer}")
        saved = json.loads(answer)
        with self.lock:
            self.times.append(time.monotonic() - begin)
            known = self.ids.setdefault(text, saved["id"])
            check(known == saved["id"], f"{text}: the ids {known} and {saved['id']}")
            self.counts["saves"] += 1
            self.counts["duplicates"] += bool(saved.get("duplicate"))

    def caller(self, number, server, until):
        chance = random.Random(self.seed + number)
        while time.monotonic() < until:
            if chance.random() < 0.3:
                text = f"a shared memory, number {chance.randrange(300)}"
            else:
                text = f"caller {number} remembers {chance.getrandbits(64):x}"
            self.save(server, text)

    def shell(self, until):
        number = 0
        while time.monotonic() < until:
            text = f"a shell remembers {number}"
            self.program.run("memory", "save", text, "--project", "crash")
            with self.lock:
                self.without_id.add(text)
                self.counts["shell saves"] += 1
            number += 1

    def reader(self, until):
        last = 0
        while time.monotonic() < until:
            database = sqlite3.connect(self.data / "memory.db", timeout=0.5)
            now = database.execute("SELECT count(*) FROM entries").fetchone()[0]
            database.close()
            check(now >= last, f"{last} entries, and then {now}")
            last = now
            self.counts["reads"] += 1
            time.sleep(0.02)

    def guarded(self, work, *arguments):
        try:
            work(*arguments)
        except Exception as error:  # noqa: BLE001 - reported by the main thread
            self.failures.append(f"{work.__name__}: {error}")

    def together(self, seconds):
        servers = [Server(self.program, self.root) for _ in range(2)]
        self.save(servers[0], "the first memory")  # there is a store
        until = time.monotonic() + seconds
        threads = [threading.Thread(target=self.guarded, args=(self.caller, n, servers[n % 2], until))
                   for n in range(8)]
        threads.append(threading.Thread(target=self.guarded, args=(self.shell, until)))
        threads.append(threading.Thread(target=self.guarded, args=(self.reader, until)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check(not self.failures, "\n".join(self.failures))
        self.look(servers[0])
        for server in servers:
            server.stop()
            busy = [line for line in server.errors if "locked" in line or "busy" in line]
            check(not busy, f"a server says: {busy[:3]}")
        times = sorted(self.times)
        print(f"{seconds} s together: {dict(self.counts)}; a save took {times[len(times) // 2]:.3f} s,"
              f" one of a hundred {times[-len(times) // 100]:.3f} s, the slowest {times[-1]:.2f} s")

    def kills(self, saves):
        chance = random.Random(self.seed)
        kills = acknowledged = 0
        while acknowledged < saves:
            server = Server(self.program, self.root)
            threading.Timer(chance.uniform(0.05, 0.4), server.child.kill).start()
            try:
                while True:
                    self.save(server, f"before a kill: {chance.getrandbits(64):x}")
                    acknowledged += 1
            except (Failure, BrokenPipeError):
                pass
            server.child.wait()
            kills += 1
        server = Server(self.program, self.root)
        self.look(server)
        server.stop()
        print(f"{kills} kills in {acknowledged} acknowledged saves: all are there")

    def look(self, server):
        texts = {saved_id: text for text, saved_id in self.ids.items()}
        check(len(texts) == len(self.ids), "two texts got one id")
        ids = sorted(texts, key=int)
        for at in range(0, len(ids), 200):
            answer, is_error = server.call("get_entries", ids=ids[at:at + 200])
            check(not is_error, f"get_entries: {answer[:300]}")
            there = {item["id"]: item["body"] for item in json.loads(answer)["items"]}
            for saved_id in ids[at:at + 200]:
                check(there.get(saved_id) == texts[saved_id], f"{saved_id} should be '{texts[saved_id]}', "
                      f"is '{there.get(saved_id)}'")
        scratch = self.work / "scratch"
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.copytree(self.data, scratch)
        database = sqlite3.connect(scratch / "memory.db")
        check(database.execute("PRAGMA integrity_check").fetchall() == [("ok",)], "integrity_check")
        bodies = collections.Counter(row[0] for row in database.execute("SELECT body FROM entries"))
        database.close()
        twice = [body for body, times in bodies.items() if times > 1]
        check(not twice, f"there twice: {twice[:3]}")
        lost = (set(self.ids) | self.without_id) - set(bodies)
        check(not lost, f"lost: {sorted(lost)[:3]}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--seconds", type=float, default=60)
    arguments.add_argument("--saves", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=int(time.time()))
    given = arguments.parse_args()
    print(f"seed {given.seed}")
    work = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-memories-"))
    try:
        memories = Memories(Program(given.program), work, given.seed)
        memories.together(given.seconds)
        memories.kills(given.saves)
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
