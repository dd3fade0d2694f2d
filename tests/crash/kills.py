#!/usr/bin/env python3
"""Kills `codexmem index` at random moments and checks the remains.

  tests/crash/kills.py --program build/release/bin/codexmem --kills 200
  tests/crash/kills.py --program ... --kills 0 --migrations 20 --store FOLDER
  tests/crash/kills.py --program ... --kills 0 --openings 200 --writes 200

Runs of five kinds take turns: the first index of a repository, one after a few edits, one after
many, and those that are killed while they write the vectors' file or the ranking's. After each kill:

  the database passes SQLite's integrity_check;
  every file is wholly as it was before the run or wholly as it is now (codexmem debug dump);
  the report of the last completed run is there, and status reports an incomplete run;
  a search finds the same files with the ranking's file and without it;
  the next run completes, and leaves the dump of an index from nothing.

With --openings, the opening of a store is killed: while a new one is made, one that is not the user's
own is set aside, a log that a shell deleted is made again, or the user's key is new. The next run uses
or rebuilds the remains, and no run after that rebuilds anything.

With --writes, what else writes is killed: a pack, an import into the memory, a file of the team, a
rename, the migration of a memory of each earlier schema. The next run of each completes, and leaves what
one that is not killed leaves, and no more. A migration leaves the old memory, whole, or the new one and the
old one's backup.

With --migrations, FOLDER is a repository with the store of an earlier schema, large enough that
bringing it up to date takes a while, and the same holds.
"""

import argparse
import collections
import glob
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import sys
import tempfile
import time

from common import QUIET, Failure, Program, Tree, by_file, check, check_integrity, key_file, seal

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GROWN = 3000  # entries of a memory that is migrated


class Kills:
    def __init__(self, program, work, files, seed):
        self.program = program
        self.random = random.Random(seed)
        self.root = work / "repository"
        self.clean = work / "clean"
        self.scratch = work / "scratch"
        self.tree = Tree(self.root, files, seed)
        self.store = self.root / ".codexmem"
        self.durations = {}  # of a run of each kind, seconds
        self.outcomes = collections.Counter()
        program.index(self.root)
        self.settled = program.dump(self.root)
        self.acknowledged = program.status(self.root)["lastRun"]

    def kill(self, kind):
        before = by_file(self.settled)
        if kind == "first":
            shutil.rmtree(self.store)
            before, self.acknowledged = ({}, {}), None
            self.settled = None
        else:
            self.tree.edit(3 if kind == "few" else max(6, len(self.tree.versions) // 3))
        if kind == "ranking":
            (self.store / "ranking.bin").unlink(missing_ok=True)
        wanted = self.clean_dump()
        if kind not in self.durations:
            self.durations[kind] = self.duration()
        self.run_and_kill(kind)
        self.look(before, wanted, kind)
        self.search_both_ways()
        self.program.index(self.root)
        left = self.program.dump(self.root)
        check(left == wanted, "the next run leaves another index:\n" + difference(left, wanted))
        status = self.program.status(self.root)
        check(status["incompleteRun"] is None, "the next run left its mark")
        self.settled, self.acknowledged = wanted, status["lastRun"]

    def clean_dump(self):
        shutil.rmtree(self.clean, ignore_errors=True)
        shutil.copytree(self.root, self.clean, ignore=shutil.ignore_patterns(".codexmem"))
        self.program.index(self.clean)
        return self.program.dump(self.clean)

    def search_both_ways(self):
        if not (self.store / "index.db").exists():
            return
        answers = []
        for with_file in (True, False):
            if not with_file:
                (self.store / "ranking.bin").unlink(missing_ok=True)
            found = self.program.run("-C", self.root, "search", "m1 f1 v0", "--json", "--no-refresh",
                                     codes=(0, 1, 2))
            answers.append(sorted(set(re.findall(r'"filePath": ?"([^"]*)"', found))))
        check(answers[0] == answers[1], f"the ranking's file changes the results: {answers}")

    def duration(self):
        """How long the run takes that is to be killed: in a copy."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        shutil.copytree(self.root, self.scratch)
        begin = time.monotonic()
        self.program.index(self.scratch)
        return time.monotonic() - begin

    def run_and_kill(self, kind):
        child = self.program.start("index", "-q", self.root)
        if kind in ("vectors", "ranking"):
            name = {"vectors": "vectors.faiss", "ranking": "ranking.bin"}[kind]
            while child.poll() is None and not glob.glob(str(self.store / f"{name}.*.tmp")):
                pass
            time.sleep(self.random.uniform(0, 0.004))
        else:
            time.sleep(self.random.uniform(0, 1.05 * self.durations[kind]))
        child.kill()
        child.communicate()

    def look(self, before, wanted, kind):
        if not (self.store / "index.db").exists():
            self.outcomes["nothing yet"] += 1
            return
        check_integrity(self.store, self.scratch)
        dump = self.program.dump(self.root)
        status = self.program.status(self.root)
        rows, derived = by_file(dump)
        if self.settled is None and not rows and status["incompleteRun"] is None:
            self.outcomes["nothing yet"] += 1  # a schema and no run
            return
        after = by_file(wanted)
        for path in set(rows) | set(before[0]) | set(after[0]):
            there = rows.get(path)
            check(
                there in (before[0].get(path), after[0].get(path)),
                f"{path} is neither as it was nor as it is:\n" + "\n".join(there or ["nothing"]),
            )
            known = set(before[1].get(path, ())) | set(after[1].get(path, ()))
            for line in derived.get(path, ()):
                # A vector may be missing still, and an import not lead anywhere yet.
                check(
                    line in known or " none" in line or line.startswith("import"),
                    f"a line of no version: {line}",
                )
        if status["incompleteRun"] is not None:
            self.outcomes["interrupted, and reported"] += 1
        elif dump == self.settled:
            self.outcomes["not begun"] += 1
        else:
            check(dump == wanted, "incomplete and not reported:\n" + difference(dump, wanted))
            self.outcomes["complete"] += 1
        if self.acknowledged is not None:
            check(
                status["lastRun"] is not None
                and status["lastRun"]["finished_at"] >= self.acknowledged["finished_at"],
                "the report of a completed run is gone",
            )


class Openings:
    """Kills in the first moments of a command: src/store/code/own_database.cpp."""

    def __init__(self, program, work, seed):
        self.program = program
        self.random = random.Random(seed)
        self.root = work / "opened"
        self.store = self.root / ".codexmem"
        self.outcomes = collections.Counter()
        Tree(self.root, 4, seed)
        begin = time.monotonic()
        program.index(self.root)
        self.duration = time.monotonic() - begin
        self.wanted = program.dump(self.root)
        self.kinds = {
            "new": lambda: shutil.rmtree(self.store),
            "foreign": self.exchange,
            "log": lambda: [(self.store / f"index.db{s}").unlink() for s in ("-wal", "-shm")],
            "key": self.lose_key,
        }

    def exchange(self):
        self.forget_aside()
        (self.store / "index.db").rename(self.store / "old")
        shutil.copyfile(self.store / "old", self.store / "index.db")
        (self.store / "old").unlink()

    def kill(self, kind):
        self.kinds[kind]()
        child = self.program.start(*self.random.choice([
            ("index", "-q", self.root), ("-C", self.root, "symbol", "m1_f1_v0", "--json"),
            ("-C", self.root, "status", "--json")]))
        time.sleep(self.random.uniform(0, self.duration))
        child.kill()
        child.communicate()
        there = (self.store / "index.db").exists()
        found = self.program.run("-C", self.root, "symbol", "m1_f1_v0", "--json", "--no-refresh",
                                 codes=(0, 1, 2))
        check("_v1" not in found, "an answer of no version")
        self.program.index(self.root)
        check(self.program.dump(self.root) == self.wanted, f"{kind}: another index")
        number = (self.store / "index.db").stat().st_ino
        again = json.loads(self.program.run("index", "--json", self.root))["stats"]
        check(again["filesProcessed"] == 0, f"{kind}: rebuilt once more: {again}")
        check((self.store / "index.db").stat().st_ino == number, f"{kind}: another database")
        check(len(list(self.store.glob("seal.*"))) < 2, "what was not finished is left")
        self.outcomes[f"{kind}: {'a' if there else 'no'} database left"] += 1

    def lose_key(self):
        self.forget_aside()
        key_file().unlink()

    def forget_aside(self):
        """One that was set aside before sends the next one to the cache."""
        for path in self.store.glob("index.db.foreign-*"):
            path.unlink()


class Writes:
    """Kills of what else writes."""

    def __init__(self, program, work, seed):
        self.program = program
        self.random = random.Random(seed)
        self.work = work / "writes"
        self.root = self.work / "repository"
        self.data = self.work / "data"
        QUIET["CODEXMEM_DATA_DIR"] = str(self.data)
        self.outcomes = collections.Counter()
        self.durations = {}
        self.memories, self.wanted = {}, {}  # of earlier schemas
        Tree(self.root, 20, seed)
        (self.root / "shared").mkdir()
        self.users = [self.root / "shared" / f"user{i}.py" for i in range(30)]
        program.index(self.root, "--skip-embeddings")
        self.lines = [json.dumps({"codexmem_memory": 1})] + [
            json.dumps({"kind": "entry", "project": "demo", "type": "note", "title": f"Note {i}",
                        "text": f"What was learned on day {i}.", "created_at_ms": 1_700_000_000_000 + i})
            for i in range(400)]
        (self.work / "memory.jsonl").write_text("\n".join(self.lines) + "\n")

    def cut(self, kind, *words):
        """Kills the command at a moment of its usual time; true when it was done by then."""
        child = self.program.start(*words)
        time.sleep(self.random.uniform(0, 1.05 * self.durations[kind]))
        child.kill()
        child.communicate()
        return child.returncode == 0

    def timed(self, kind, *words):
        begin = time.monotonic()
        self.program.run(*words)
        self.durations.setdefault(kind, time.monotonic() - begin)

    def kill(self, kind):
        done = getattr(self, "kill_" + kind)()
        self.outcomes[f"{kind}: {'done' if done else 'cut off'}"] += 1

    def kill_pack(self):
        folder = self.work / "packs"
        folder.mkdir(exist_ok=True)
        words = ("pack", "-q", "-o", folder / "a.pack", self.root)
        self.timed("pack", *words)
        wanted = (folder / "a.pack").read_bytes()
        if self.random.random() < 0.5:
            (folder / "a.pack").unlink()
        done = self.cut("pack", *words)
        if (folder / "a.pack").exists():
            check((folder / "a.pack").read_bytes() == wanted, "half a pack")
        self.program.run(*words)
        check((folder / "a.pack").read_bytes() == wanted, "another pack")
        check(len(list(folder.iterdir())) <= 2, f"left: {sorted(folder.iterdir())}")
        shutil.rmtree(folder)
        return done

    def kill_memory(self):
        words = ("memory", "import", self.work / "memory.jsonl")
        if "memory" not in self.durations:
            self.timed("memory", *words)
        shutil.rmtree(self.data)
        done = self.cut("memory", *words)
        self.program.run(*words)
        out = [json.loads(line) for line in self.program.run("memory", "export").splitlines()]
        check(sorted(each["text"] for each in out if each.get("kind") == "entry") ==
              sorted(json.loads(line)["text"] for line in self.lines[1:]), "entries are lost or doubled")
        check(number(self.data / "memory.db", "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1,
              "the memory is damaged")
        return done

    def kill_migration(self):
        old = self.random.choice(sorted((SOURCE / "testdata/stores/user").glob("v*.db")))
        store = self.data / "memory.db"
        kind = f"migration of {old.stem}"
        export = ("memory", "export")

        def fresh():
            shutil.rmtree(self.data, ignore_errors=True)
            self.data.mkdir(mode=0o700)
            if old not in self.memories:
                self.memories[old] = self.work / old.name
                grow_memory(old, self.memories[old])
            shutil.copy(self.memories[old], store)

        def exported():
            return self.program.run(*export).splitlines()[1:]  # the first says when

        version = number(old, "PRAGMA user_version")
        if kind not in self.durations:
            fresh()
            self.timed(kind, *export)
            self.wanted[old] = exported()
        fresh()
        done = self.cut(kind, *export)
        look = self.work / "look"  # a reader would write beside the store
        shutil.rmtree(look, ignore_errors=True)
        shutil.copytree(self.data, look)
        there = number(look / "memory.db", "PRAGMA user_version", is_copy=True)
        backup = look / f"memory.db.{old.stem}.bak"
        check(number(look / "memory.db", "PRAGMA integrity_check", is_copy=True) == "ok", "the memory is damaged")
        check(number(look / "memory.db", "SELECT count(*) FROM entries", is_copy=True) == GROWN, "entries are lost")
        check(there == version or backup.exists(), "migrated without a backup")
        if backup.exists():
            check(number(backup, "PRAGMA user_version") == version, "a backup of another schema")
            check(number(backup, "PRAGMA integrity_check") == "ok", "the backup is damaged")
            check(number(backup, "SELECT count(*) FROM entries") == GROWN, "the backup lacks entries")
        check(exported() == self.wanted[old], "the next start finds another memory")
        left = {path.name for path in self.data.iterdir() if path.name.endswith(".tmp")}
        check(not left, f"left: {left}")
        self.outcomes[f"{kind}: schema {'old' if there == version else 'new'}"] += 1
        return done

    def kill_share(self):
        shared = self.root / ".codexmem-shared"
        shutil.rmtree(shared, ignore_errors=True)
        shutil.rmtree(self.data, ignore_errors=True)
        self.program.run("-C", self.root, "memory", "save", "The queue is drained by hand.", "--title", "Queue")
        words = ("-C", self.root, "share", "1")
        self.timed("share", *words)
        (file,) = shared.glob("*.md")
        wanted = file.read_bytes()
        self.program.run("-C", self.root, "share", "--remove", "1")
        done = self.cut("share", *words)
        for each in shared.glob("*.md"):
            check(each.read_bytes() == wanted, "half a file")
        self.program.run(*words)
        check([each.read_bytes() for each in shared.glob("*.md")] == [wanted], "another file, or two")
        return done

    def kill_rename(self):
        for path in self.users:
            path.write_text("from shared.sold import sell_all\n\n\ndef use(shop):\n    return sell_all(shop)\n")
        (self.root / "shared/sold.py").write_text("def sell_all(shop):\n    return shop\n")
        words = ("-C", self.root, "rename", "sell_all", "close_shop", "--apply")
        if "rename" not in self.durations:
            self.timed("rename", *words)
            return self.kill_rename()
        self.program.index(self.root, "--skip-embeddings")
        done = self.cut("rename", *words)
        self.program.run(*words, codes=(0, 1, 2))  # puts back what was cut off, or has nothing to do
        self.program.run(*words, codes=(0, 1, 2))
        texts = [path.read_text() for path in [*self.users, self.root / "shared/sold.py"]]
        check(not any("sell_all" in text for text in texts), "not all was renamed")
        check({path.name for path in (self.root / "shared").iterdir()} ==
              {path.name for path in self.users} | {"sold.py"}, "files are left behind")
        return done


def difference(there, wanted):
    there, wanted = set(there), set(wanted)
    lines = [f"+ {line[:200]}" for line in sorted(there - wanted)[:8]]
    lines += [f"- {line[:200]}" for line in sorted(wanted - there)[:8]]
    return "\n".join(lines)


def grow_memory(small, path):
    """A memory of many entries of the schema that `small` has."""
    shutil.copy(small, path)
    database = sqlite3.connect(path)
    columns = [row[1] for row in database.execute("PRAGMA table_info(entries)") if row[1] not in ("id", "content_hash", "title")]
    names = ", ".join(columns)
    (there,) = database.execute("SELECT count(*) FROM entries").fetchone()
    # Full-text rows have the program's own tokenizer, and the migration writes them again.
    triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'entries'").fetchall()
    for name, _ in triggers:
        database.execute(f"DROP TRIGGER {name}")
    for i in range(GROWN - there):
        database.execute(f"INSERT INTO entries (title, content_hash, {names}) SELECT ?, randomblob(32), {names} FROM entries"
                         " ORDER BY id LIMIT 1", (f"Note {i} of many",))
    for _, sql in triggers:
        database.execute(sql)
    database.commit()
    database.close()


def number(path, sql, is_copy=False):
    database = sqlite3.connect(f"file:{path}?mode={'rw' if is_copy else 'ro'}", uri=True)
    try:
        return database.execute(sql).fetchone()[0]
    finally:
        database.close()


def kill_migrations(program, work, folder, kills, seed):
    """A store of an earlier schema, at the moment of its migration."""
    chance = random.Random(seed)
    content = ("SELECT count(*) || ' ' || coalesce(sum(length(content)), 0) || ' ' ||"
               " (SELECT count(*) FROM symbols) FROM files")
    root = work / "migrated"
    store = root / ".codexmem"

    def fresh():
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        shutil.copytree(folder / ".codexmem", store)
        seal(store)

    fresh()
    old = number(store / "index.db", "PRAGMA user_version")
    files = number(store / "index.db", content)
    begin = time.monotonic()
    program.run("-C", root, "status", "--json")
    duration = time.monotonic() - begin
    new = number(store / "index.db", "PRAGMA user_version")
    check(new > old, f"the store is of schema {old}, which is not an earlier one")
    of_schema = {old: files, new: number(store / "index.db", content)}
    wanted = program.dump(root)
    outcomes = collections.Counter()
    for _ in range(kills):
        fresh()
        child = program.start("-C", root, "status", "--json")
        time.sleep(chance.uniform(0, duration))
        child.kill()
        child.communicate()
        check_integrity(store, work / "scratch")
        version = number(work / "scratch/index.db", "PRAGMA user_version")
        check(version in (old, new), f"schema {version}")
        check(number(work / "scratch/index.db", content) == of_schema[version],
              f"the rows do not match schema {version}")
        backup = store / f"index.db.v{old}.bak"
        if version == new or backup.exists():
            check(backup.exists(), "migrated without a backup")
            check(number(backup, "PRAGMA user_version") == old, "a backup of another schema")
            check(number(backup, content) == files, "the backup's files differ")
            check(number(backup, "PRAGMA integrity_check") == "ok", "the backup is damaged")
        outcomes[f"schema {version}" + (", backup" if backup.exists() else "")] += 1
        check(program.dump(root) == wanted, "the next start leaves another store")
    print(f"{kills} kills in a migration of {duration:.2f} s: {dict(outcomes)}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--program", required=True)
    arguments.add_argument("--kills", type=int, default=200)
    arguments.add_argument("--files", type=int, default=120)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--openings", type=int, default=0)
    arguments.add_argument("--writes", type=int, default=0)
    arguments.add_argument("--migrations", type=int, default=0)
    arguments.add_argument("--store", type=pathlib.Path)
    given = arguments.parse_args()
    program = Program(given.program)
    with tempfile.TemporaryDirectory(prefix="codexmem-kills-") as folder:
        work = pathlib.Path(folder).resolve()
        done = 0
        QUIET["HOME"] = str(work / "home")  # a user of its own
        QUIET["XDG_STATE_HOME"] = str(work / "state")
        QUIET["XDG_CACHE_HOME"] = str(work / "cache")
        try:
            if given.kills:
                kills = Kills(program, work, given.files, given.seed)
                kinds = ["first", "few", "many", "vectors", "ranking"]
                for done in range(given.kills):
                    kills.kill(kinds[done % len(kinds)])
                spans = {kind: round(took, 2) for kind, took in kills.durations.items()}
                print(f"{given.kills} kills of runs of {spans} s: {dict(kills.outcomes)}")
            if given.openings:
                openings = Openings(program, work, given.seed)
                kinds = list(openings.kinds)
                for done in range(given.openings):
                    openings.kill(kinds[done % len(kinds)])
                print(f"{given.openings} kills of openings: {dict(openings.outcomes)}")
            if given.writes:
                writes = Writes(program, work, given.seed)
                kinds = ["pack", "memory", "share", "rename", "migration"]
                for done in range(given.writes):
                    writes.kill(kinds[done % len(kinds)])
                print(f"{given.writes} kills of other writes: {dict(sorted(writes.outcomes.items()))}")
            if given.migrations:
                kill_migrations(program, work, given.store, given.migrations, given.seed)
        except Failure as failure:
            print(f"kill {done}, seed {given.seed}: {failure}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
