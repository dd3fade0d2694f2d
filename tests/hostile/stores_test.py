"""Stores that came with a repository, or were exchanged under its user: none is believed.

Each store below is put in the place of a victim's own, as a checkout, an archive or a copy would;
then questions are asked. Each must end in time, without a crash, with the answer of an index of the
files as they are or with an error; and the next index run must leave the dump of a clean index.

CODEXMEM_PROGRAM is the program, CODEXMEM_HOSTILE_SCALE makes more mutations (1: 60).
"""
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.environ["CODEXMEM_PROGRAM"]
SCALE = int(os.environ.get("CODEXMEM_HOSTILE_SCALE", "1"))
TIMEOUT = 60 * int(os.environ.get("CODEXMEM_SLOWNESS", "1"))  # a sanitizer's program is slow

GOOD = {
    "pay.ts": "import { charge } from './charge';\n\n/** Pays what is due. */\n"
              "export function payInvoice(amount: number) { return charge(amount); }\n",
    "charge.ts": "export function charge(amount: number) { return amount * 100; }\n",
    "README.md": "# Payments\n\nHow an invoice is paid.\n",
}
EVIL = "attackersAccount"
QUESTIONS = [("symbol", "payInvoice"), ("search", "invoice")]


def heavy(value="1"):
    return ("(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000000000)"
            f" SELECT coalesce(max(i), {value}) FROM n)")


def sql_store(*statements):
    """The victim's own store, changed by statements of somebody who may write its schema."""
    def change(store):
        database = sqlite3.connect(store / "index.db", isolation_level=None)
        database.execute("PRAGMA writable_schema=ON")
        before = (store / "index.db").read_bytes()
        for statement in statements:
            try:
                database.executescript(statement)
            except sqlite3.Error:
                pass  # what was changed so far makes the next one fail: hostile enough
        try:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:
            pass
        database.close()
        assert before != (store / "index.db").read_bytes(), statements
    return change


POISON = (f"UPDATE file_rows SET text = replace(text, 'charge(amount)', '{EVIL}(amount)')",)


def put_sql(name, sql):
    return f"UPDATE sqlite_schema SET sql = '{sql}' WHERE name = '{name}'"


STORES = {
    "poisoned rows": sql_store(*POISON),
    "poisoned names": sql_store("UPDATE symbol_rows SET start_line = 1, name_place = (6 << 32) + 1"),
    "trigger on meta": sql_store(
        *POISON, f"CREATE TRIGGER t AFTER INSERT ON meta BEGIN INSERT INTO meta (key, value)"
        f" SELECT 'k' || hex(randomblob(8)), {heavy()}; END"),
    "trigger on files": sql_store(
        *POISON, "CREATE TRIGGER t BEFORE DELETE ON file_rows BEGIN UPDATE file_rows SET text ="
        " randomblob(100000000); END"),
    "trigger that calls itself": sql_store(
        "PRAGMA recursive_triggers=ON", "CREATE TRIGGER t AFTER INSERT ON meta BEGIN INSERT INTO"
        " meta (key, value) VALUES (hex(randomblob(8)), 1); END"),
    "trigger on a view": sql_store(
        *POISON, "CREATE TRIGGER t INSTEAD OF DELETE ON symbols BEGIN DELETE FROM file_rows; END"),
    "view in place of files": sql_store(
        "CREATE TABLE f2 AS SELECT * FROM file_rows", "DROP TABLE file_rows",
        "CREATE VIEW file_rows AS SELECT id, path, hash, size, language, indexed_at, line_count, flags,"
        " generation, book, text_size, text FROM f2"),
    "view in place of meta": sql_store(
        "DROP TABLE meta", f"CREATE VIEW meta AS SELECT 'store' AS key, {heavy()} AS value"),
    "recursive view": sql_store(
        "DROP VIEW symbols", f"CREATE VIEW symbols AS SELECT {heavy()} AS id, 1 AS file_id"),
    "view of itself": sql_store(
        "DROP VIEW text_blocks", "CREATE VIEW text_blocks AS SELECT * FROM text_blocks"),
    "generated column": sql_store(
        "ALTER TABLE chunk_rows ADD COLUMN g INTEGER AS (length(hex(zeroblob(200000000))))"),
    "heavy CHECK": sql_store(
        "CREATE TABLE m2 (key TEXT PRIMARY KEY, value ANY NOT NULL CHECK"
        " (length(hex(zeroblob(300000000))) > length(value))) STRICT, WITHOUT ROWID",
        "INSERT INTO m2 SELECT * FROM meta", "DROP TABLE meta", "ALTER TABLE m2 RENAME TO meta"),
    "default that computes": sql_store(
        "ALTER TABLE skipped_files ADD COLUMN d TEXT DEFAULT (hex(zeroblob(100000000)))"),
    "partial index on an expression": sql_store(
        "CREATE INDEX p ON file_rows (length(hex(zeroblob(1000000)))) WHERE length(text) > 1"),
    "index on an expression": sql_store(
        "CREATE INDEX p ON meta (replace(hex(zeroblob(1000)), '0', key))"),
    "collation that is unknown": sql_store(
        put_sql("symbol_rows_name", "CREATE INDEX symbol_rows_name ON symbol_rows(name COLLATE X)")),
    "one table more": sql_store("CREATE TABLE more (x)"),
    "a virtual table more": sql_store("CREATE VIRTUAL TABLE more USING fts5(x)"),
    "dbstat": sql_store("CREATE VIRTUAL TABLE more USING dbstat"),
    "a module that is unknown": sql_store(
        "INSERT INTO sqlite_schema VALUES ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING evil(x)')"),
    "fts5 with another tokenizer": sql_store(
        put_sql("chunk_terms", "CREATE VIRTUAL TABLE chunk_terms USING fts5(terms, content='''', columnsize=0,"
                " detail=none, tokenize=trigram)")),
    "shadow table exchanged": sql_store(
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name ="
        " 'file_rows') WHERE name = 'chunk_terms_data'"),
    "two tables on one page": sql_store(
        "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name ="
        " 'meta') WHERE name = 'file_rows'"),
    "page that is not there": sql_store(
        "UPDATE sqlite_schema SET rootpage = 999999 WHERE name = 'file_rows'"),
    "schema that does not parse": sql_store(put_sql("file_rows", "CREATE TABLE file_rows (((")),
    "schema that names another": sql_store(
        "UPDATE sqlite_schema SET tbl_name = 'meta' WHERE name = 'file_rows'"),
    "schema of a megabyte": sql_store(
        put_sql("file_facts", "CREATE TABLE file_facts (file_id, facts" + ", c" * 200000 + ")")),
    "wrong types": sql_store("PRAGMA ignore_check_constraints=ON",
                             "UPDATE file_rows SET text = 7, hash = x'00', size = 'x', language = 1.5"),
    "a huge blob": sql_store("UPDATE file_rows SET text = zeroblob(90000000)"),
    "many rows": sql_store(
        "INSERT INTO skipped_files SELECT 'p' || value, 'r', 'd', 1, 1 FROM (WITH RECURSIVE n(value)"
        " AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT 300000) SELECT value FROM n)"),
    "newer schema": sql_store("PRAGMA user_version=99"),
    "schema of no number": sql_store("PRAGMA user_version=-1"),
    "another application": sql_store("PRAGMA application_id=1"),
    "auto_vacuum": sql_store("PRAGMA auto_vacuum=FULL", "VACUUM"),
    "UTF-16": sql_store("UPDATE file_rows SET text = CAST(text AS BLOB)"),
    "in rollback mode": sql_store(*POISON, "PRAGMA journal_mode=DELETE"),
    "empty": lambda store: (store / "index.db").write_bytes(b""),
    "truncated": lambda store: os.truncate(store / "index.db", 8192 + 17),
    "garbage": lambda store: (store / "index.db").write_bytes(random.Random(1).randbytes(50000)),
    "an earlier schema": lambda store: shutil.copyfile(
        pathlib.Path(__file__).parents[2] / "testdata/stores/v2.db", store / "index.db"),
}


def replaced(change):
    """As a checkout replaces a file: the old one is deleted, and there is a new one."""
    def put(store):
        aside = store.with_name("aside")
        shutil.copytree(store, aside)
        change(aside)
        for name in ("index.db", "index.db-wal", "index.db-shm"):
            (store / name).unlink(missing_ok=True)
        shutil.copyfile(aside / "index.db", store / "index.db")
        shutil.rmtree(aside)
    return put


def written_over(change):
    """As `cp` writes over a file: it stays the same one."""
    def put(store):
        aside = store.with_name("aside")
        shutil.copytree(store, aside)
        database = sqlite3.connect(aside / "index.db")
        database.execute("UPDATE meta SET value = 'another' WHERE key = 'store'")
        database.commit()
        database.close()
        change(aside)
        with open(store / "index.db", "r+b") as own:
            own.truncate(0)
            own.write((aside / "index.db").read_bytes())
        shutil.rmtree(aside)
    return put


def evil_log(store, suffix):
    """Another database's log, or a journal that would turn the own one into another."""
    aside = store.with_name("aside")
    shutil.copytree(store, aside)
    database = sqlite3.connect(aside / "index.db", isolation_level=None)
    database.execute("PRAGMA wal_autocheckpoint=0")
    if suffix == "-journal":
        database.execute("PRAGMA journal_mode=DELETE")
        database.execute("PRAGMA synchronous=OFF")
    for statement in POISON:
        database.execute(statement)
    if suffix == "-journal":
        database.execute("BEGIN")
        database.execute(f"UPDATE file_rows SET text = replace(text, '{EVIL}', 'charge')")
    log = (aside / f"index.db{suffix}").read_bytes()
    database.close()
    shutil.rmtree(aside)
    assert len(log) > 4096
    (store / f"index.db{suffix}").unlink(missing_ok=True)
    (store / f"index.db{suffix}").write_bytes(log)


def special(name, kind):
    def put(store):
        path = store / name
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "folder":
            (path / "in").mkdir(parents=True)
        elif kind == "link":
            path.symlink_to("/dev/zero")
        elif kind == "device":
            os.mknod(path, 0o600 | 0o020000, os.makedev(1, 5))  # /dev/zero
        else:
            os.chdir(store)  # a socket's path is short
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(name)
    return put


class Stores(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-stores-"))
        cls.start = os.getcwd()
        cls.environment = {k: v for k, v in os.environ.items()
                           if not k.startswith(("XDG_", "CODEXMEM_"))}
        cls.environment.update(NO_COLOR="1", GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="a",
                               GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="a",
                               GIT_COMMITTER_EMAIL="a@b", HOME=str(cls.folder / "home"))
        (cls.folder / "home").mkdir()
        cls.clean = cls.folder / "clean"
        cls.make_tree(cls.clean)
        cls.run_program(cls.clean, "index", "-q")
        cls.wanted = cls.run_program(cls.clean, "debug", "dump").stdout
        cls.answers = [cls.run_program(cls.clean, *question, "--json").stdout
                       for question in QUESTIONS]
        assert b"payInvoice" in cls.answers[0]

    @classmethod
    def tearDownClass(cls):
        os.chdir(cls.start)
        shutil.rmtree(cls.folder)

    @classmethod
    def make_tree(cls, root):
        root.mkdir()
        for name, text in GOOD.items():
            (root / name).write_text(text)
        cls.git(root, "init", "-q")
        cls.git(root, "add", "-A")
        cls.git(root, "commit", "-qm", "good")

    @classmethod
    def git(cls, root, *words):
        subprocess.run(["git", "-C", str(root), *words], env=cls.environment, check=True,
                       capture_output=True, timeout=TIMEOUT)

    @classmethod
    def run_program(cls, root, *words, **environment):
        return subprocess.run([PROGRAM, "-C", str(root), *words], capture_output=True,
                              env={**cls.environment, **environment}, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL, check=False)

    def victim(self, name="victim"):
        """A repository with its user's own index."""
        root = self.folder / name
        if root.exists():
            shutil.rmtree(root)
        self.make_tree(root)
        self.assertEqual(self.run_program(root, "index", "-q").returncode, 0)
        return root

    def assert_harmless(self, root, message=b""):
        """Questions as the store is, then with a refresh: right, or an error. Then all is well."""
        errors = b""
        for at, refresh in [(0, ["--no-refresh"]), (1, ["--no-refresh"]), (0, []), (1, [])]:
            done = self.run_program(root, *QUESTIONS[at], "--json", *refresh)
            self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            self.assertNotIn(EVIL.encode(), done.stdout + done.stderr)
            errors += done.stderr
            if done.returncode == 0:
                self.assertEqual(done.stdout, self.answers[at])
            else:
                self.assertIn(b"error", done.stderr)
        done = self.run_program(root, "index", "-q")
        if done.returncode == 2 and (b"remove" in done.stderr or b"newer codexmem" in done.stderr):
            return False  # a link, a FIFO as lock, the own one written by a newer program: as reported
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_program(root, "debug", "dump").stdout, self.wanted)
        self.assertIn(message, errors)
        return True

    def test_hostile_stores_that_replace_the_own_one(self):
        for name, change in STORES.items():
            with self.subTest(name):
                root = self.victim()
                replaced(change)(root / ".codexmem")
                self.assert_harmless(root, message=b"is not what your codexmem made here")
                aside = list((root / ".codexmem").glob("index.db.foreign-*Z"))
                self.assertEqual(len(aside), 1, aside)

    def test_hostile_stores_that_come_with_a_clone(self):
        for name in ("poisoned rows", "trigger on meta", "in rollback mode", "an earlier schema"):
            with self.subTest(name):
                origin = self.victim("origin")
                STORES[name](origin / ".codexmem")
                self.git(origin, "add", "-f", ".codexmem/index.db")
                self.git(origin, "commit", "-qm", "evil")
                clone = self.folder / "clone"
                if clone.exists():
                    shutil.rmtree(clone)
                self.git(self.folder, "clone", "-q", str(origin), str(clone))
                self.assert_harmless(clone, message=b"is not what your codexmem made here")

    def test_hostile_stores_that_are_written_over_the_own_one(self):
        for name, change in STORES.items():
            with self.subTest(name):
                root = self.victim()
                written_over(change)(root / ".codexmem")
                self.assert_harmless(root)

    def test_a_checkout_replaces_the_own_one_under_a_server(self):
        root = self.victim()
        self.git(root, "checkout", "-qb", "pull-request")
        shutil.copytree(root / ".codexmem", self.folder / "kept")
        STORES["poisoned rows"](root / ".codexmem")
        self.git(root, "add", "-f", ".codexmem")
        self.git(root, "commit", "-qm", "evil")
        self.git(root, "checkout", "-q", "master")
        self.assertEqual(self.run_program(root, "index", "-q").returncode, 0)
        server = subprocess.Popen([PROGRAM, "serve", str(root)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env=self.environment)
        try:
            def call(number, method, params):
                line = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
                server.stdin.write(json.dumps(line).encode() + b"\n")
                server.stdin.flush()
                while True:
                    answer = json.loads(server.stdout.readline())
                    if answer.get("id") == number:
                        return json.dumps(answer)
            call(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                   "clientInfo": {"name": "t", "version": "1"}})
            ask = ("tools/call", {"name": "find_symbol", "arguments": {"symbol": "payInvoice"}})
            self.assertIn("charge(amount)", call(1, *ask))
            self.git(root, "checkout", "-qf", "pull-request")
            for number in (2, 3, 4):
                answer = call(number, *ask)
                self.assertNotIn(EVIL, answer)
                self.assertIn("charge(amount)", answer)
                # A second one, and one without the others' files.
                self.git(root, "checkout", "-qf", "master" if number == 2 else "pull-request")
            self.assertEqual(self.run_program(root, "index", "-q").returncode, 0)
        finally:
            server.stdin.close()
            server.wait(TIMEOUT)
            server.stdout.close()
            server.stderr.close()
        self.assert_harmless(root)

    def test_logs_of_others(self):
        for suffix in ("-wal", "-journal"):
            with self.subTest(suffix):
                root = self.victim()
                evil_log(root / ".codexmem", suffix)
                self.assert_harmless(root)
        with self.subTest("an index of the log"):
            root = self.victim()
            path = root / ".codexmem/index.db-shm"
            path.unlink()
            path.write_bytes(random.Random(3).randbytes(32768))
            self.assert_harmless(root)

    def test_an_old_store_of_the_own_user_that_comes_back(self):
        root = self.victim()
        old = self.folder / "pushed"
        shutil.copytree(root / ".codexmem", old)  # with its seal
        sql_store(*POISON)(old)
        for name in os.listdir(root / ".codexmem"):
            (root / ".codexmem" / name).unlink()
        for name in os.listdir(old):
            shutil.copyfile(old / name, root / ".codexmem" / name)
        self.assert_harmless(root, message=b"is not what your codexmem made here")
        shutil.rmtree(old)

    def test_vectors_of_others(self):
        root = self.victim()
        vectors = root / ".codexmem/vectors.faiss"
        if vectors.exists():
            bytes_ = bytearray(vectors.read_bytes())
            vectors.unlink()
            vectors.write_bytes(bytes_)
        self.assert_harmless(root)

    def test_entries_that_are_not_files(self):
        kinds = ["fifo", "folder", "link", "socket"] + (["device"] if os.geteuid() == 0 else [])
        for name in ("index.db", "index.db-wal", "index.db-shm", "index.db-journal", "lock", "seal",
                     "vectors.faiss", "vectors.faiss.meta", "embeddings.db", ".gitignore"):
            for kind in kinds:
                with self.subTest(f"{kind} as {name}"):
                    root = self.victim()
                    try:
                        special(name, kind)(root / ".codexmem")
                    except PermissionError:
                        continue  # no devices in a container
                    finally:
                        os.chdir(self.start)
                    healed = self.assert_harmless(root)
                    self.assertTrue(healed or kind == "link" or name in ("lock", "seal", "vectors.faiss", "vectors.faiss.meta"))

    def test_mutations(self):
        good = self.victim("good")
        database = sqlite3.connect(good / ".codexmem/index.db")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        whole = (good / ".codexmem/index.db").read_bytes()
        self.assertEqual(self.run_program(good, "index", "-q").returncode, 0)
        for seed in range(60 * SCALE):
            with self.subTest(seed=seed):
                chance = random.Random(seed)
                mutated = bytearray(whole)
                for _ in range(chance.choice((1, 3, 30, 300))):
                    where = chance.randrange(len(mutated))
                    if chance.random() < 0.3:
                        where = chance.randrange(200)
                    mutated[where] = chance.randrange(256)
                if chance.random() < 0.2:
                    del mutated[chance.randrange(len(mutated)):]
                root = self.victim()
                path = root / ".codexmem/index.db"
                path.unlink()
                path.write_bytes(mutated)
                self.assert_harmless(root, message=b"is not what your codexmem made here")

    def test_a_run_ends_on_sigterm(self):
        root = self.victim()
        replaced(STORES["trigger on meta"])(root / ".codexmem")
        (root / "pay.ts").write_text(GOOD["pay.ts"] + "// changed\n")
        child = subprocess.Popen([PROGRAM, "-C", str(root), "index"], env=self.environment,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(10)
        finally:
            child.kill()

    def test_another_environment_does_not_fight(self):
        """Two users of one tree with different keys: each makes an index once."""
        root = self.victim("two")
        other = str(self.folder / "other-home")
        os.makedirs(other, exist_ok=True)
        made = []
        for turn in range(6):
            home = self.environment["HOME"] if turn % 2 else other
            done = self.run_program(root, "symbol", "payInvoice", "--json", HOME=home)
            self.assertEqual(done.stdout, self.answers[0], done.stderr)
            if b"first, once" in done.stderr:
                made.append(turn)
        self.assertEqual(made, [0, 1])

    def test_a_key_that_cannot_be_kept(self):
        root = self.victim()
        home = self.folder / "no-home"
        home.write_text("a file")
        temporary = self.folder / "tmp"
        temporary.mkdir(exist_ok=True)
        for turn in range(2):
            done = self.run_program(root, "symbol", "payInvoice", "--json", HOME=str(home),
                                    XDG_CACHE_HOME=str(self.folder / "cache"), TMPDIR=str(temporary))
            self.assertEqual(done.stdout, self.answers[0], done.stderr)
            self.assertEqual(b"the key that marks your indexes" in done.stderr, turn == 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
