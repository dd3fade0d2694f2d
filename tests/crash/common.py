"""What kills.py and stress.py share: a program to run, a repository to make up, a store to look at."""

import hashlib
import hmac
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess

QUIET = {**os.environ, "CODEXMEM_LOG": "error"}


class Failure(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Failure(message)


class Program:
    """The codexmem under test."""

    def __init__(self, path):
        self.path = str(pathlib.Path(path).resolve())

    def start(self, *arguments, **options):
        return subprocess.Popen(
            [self.path, *map(str, arguments)],
            env=QUIET,
            stdin=options.pop("stdin", subprocess.DEVNULL),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **options,
        )

    def run(self, *arguments, codes=(0,)):
        child = self.start(*arguments)
        out, error = child.communicate()
        check(
            child.returncode in codes,
            f"{' '.join(map(str, arguments))}: exit {child.returncode}: {error.decode()}",
        )
        return out.decode()

    def index(self, root, *options):
        return self.run("index", "-q", *options, root)

    def status(self, root):
        return json.loads(self.run("-C", root, "status", "--json"))

    def dump(self, root):
        """The canonical dump, as a list of lines without the mark of a broken-off run."""
        lines = self.run("debug", "dump", root).splitlines()
        return [line for line in lines if not line.startswith("meta run")]


class Tree:
    """A repository of small files, each of which says its version in every name."""

    def __init__(self, root, files, seed):
        self.root = pathlib.Path(root)
        self.random = random.Random(seed)
        self.versions = {}
        self.next = 0
        for _ in range(files):
            self.add()

    def add(self):
        suffix = self.random.choice(["py", "py", "ts"])
        self.put(f"pkg{self.next % 7}/m{self.next}.{suffix}", 0)
        self.next += 1

    def put(self, path, version):
        self.versions[path] = version
        write_whole(self.root / path, source(path, version, list(self.versions)))

    def edit(self, count):
        """Rewrites some files, deletes some, adds some."""
        for path in self.random.sample(sorted(self.versions), min(count, len(self.versions))):
            if self.random.random() < 0.15:
                del self.versions[path]
                (self.root / path).unlink()
            else:
                self.put(path, self.versions[path] + 1)
        for _ in range(count // 6):
            self.add()


def write_whole(path, text):
    """Replaces a file so that no reader ever sees a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_text(text)
    os.replace(temporary, path)


def source(path, version, others):
    name = pathlib.Path(path).stem
    # Which file it imports depends on the name alone, so that the same tree is the same text.
    other = pathlib.Path(sorted(others)[hash_of(name) % len(others)])
    lines = []
    if path.endswith(".py"):
        lines.append(f"from {other.parent.name}.{other.stem} import *")
        for i in range(8):
            lines += [
                f"\n\ndef {name}_f{i}_v{version}(value):",
                f'    """Version {version} of part {i} of {name}: counts, sorts and merges."""',
                f"    total_v{version} = value + {i}",
                f"    return {name}_f{max(i - 1, 0)}_v{version}(total_v{version})",
            ]
    else:
        lines.append(f"import * as other from '../{other.parent.name}/{other.stem}';")
        for i in range(8):
            lines += [
                f"\n/** Version {version} of part {i}: reads, parses and prints. */",
                f"export class {name}_C{i}_v{version} {{",
                f"  run_v{version}(value: number) {{ return value + {i}; }}",
                "}",
            ]
    return "\n".join(lines) + "\n"


def hash_of(text):
    value = 2166136261
    for byte in text.encode():
        value = (value ^ byte) * 16777619 % 2**32
    return value


def by_file(dump):
    """The lines of each file, those about imports and vectors apart."""
    rows, derived = {}, {}
    for line in dump:
        kind, _, rest = line.partition(" ")
        if kind in ("file", "symbol", "chunk", "facts", "names"):
            path = json.JSONDecoder().raw_decode(rest)[0]
            rows.setdefault(path, []).append(line)
        elif kind in ("import", "vector"):
            path = json.JSONDecoder().raw_decode(rest)[0]
            derived.setdefault(path, []).append(line)
    return rows, derived


def check_integrity(directory, scratch):
    """Looks at a copy: opening a store recovers its log, and is for the program to do."""
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(directory, scratch)
    if not (scratch / "index.db").exists():
        return
    with sqlite3.connect(scratch / "index.db") as database:
        found = database.execute("PRAGMA integrity_check").fetchall()
        check(found == [("ok",)], f"integrity_check: {found[:3]}")
    database.close()


def key_file():
    """The user's key (src/store/user_key.h) in an environment with XDG_STATE_HOME."""
    return pathlib.Path(QUIET["XDG_STATE_HOME"]) / "codexmem/store.key"


def seal(store):
    """Seals a store that was put in its place, as src/store/code/seal.cpp does."""
    if not key_file().exists():
        key_file().parent.mkdir(mode=0o700, parents=True)
        key_file().write_bytes(os.urandom(32))
        key_file().chmod(0o600)
    database = sqlite3.connect(store / "index.db")
    database.execute("PRAGMA journal_mode=WAL")
    identity = database.execute("SELECT value FROM meta WHERE key = 'store'").fetchone()[0]
    database.close()
    text = "codexmem seal 1\n"
    for name, known in (("index.db", identity), ("index.db-shm", ""), ("index.db-wal", "")):
        (store / name).touch()
        number, born = subprocess.run(["stat", "-c", "%i %.9W", store / name], check=True,
                                      capture_output=True, text=True).stdout.split()
        text += f"{name} {number} {born.replace('.', '')} {known}\n"
    code = hmac.new(key_file().read_bytes(), text.encode(), hashlib.sha256).hexdigest()
    (store / "seal").write_text(f"{text}{code}\n")


def tail(path):
    return path.read_text(errors="replace")[-2000:] if path.exists() else ""
