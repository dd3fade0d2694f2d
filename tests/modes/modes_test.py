"""The modes of all that codexmem writes: files 0600, folders 0700, whatever the umask is.

    modes_test.py --program codexmem --hook codexmem-hook

A session of index, server, hooks, worker and memory, with stores that are migrated, damaged and
backed up; then its files. Once more over a store that older programs left open to everybody."""

import argparse
import json
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
STORES = SOURCE / "testdata/stores"


class Session:
    def __init__(self, programs, folder, umask):
        self.program, self.hook = programs
        self.umask = umask
        self.repository = folder / "repository"
        self.data = folder / "deep/er/data"  # folders above it are made as well
        self.export = folder / "export.jsonl"
        self.cache = folder / "cache"
        self.environment = {
            **{name: value for name, value in os.environ.items()
               if not name.startswith("CODEXMEM_") and not name.endswith("_API_KEY")},
            "HOME": str(folder), "XDG_CACHE_HOME": str(self.cache),
            "CODEXMEM_DATA_DIR": str(self.data), "CODEXMEM_WORKER_PORT": "0",
        }

    def run(self, *words, program=None, text="", codes=(0, 1)):
        done = subprocess.run([program or self.program, *map(str, words)], input=text, text=True,
                              cwd=self.repository, env=self.environment, umask=self.umask,
                              capture_output=True, timeout=300)
        assert done.returncode in codes, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout

    def index(self):
        (self.repository / "more.py").write_text(f"def more():\n    return {os.urandom(4).hex()!r}\n")
        self.run("index", codes=(0,))

    def send_hook(self, event, **fields):
        fields |= {"session_id": "s1", "cwd": str(self.repository)}
        self.run("claude-code", event, program=self.hook, text=json.dumps(fields))

    def use(self):
        self.index()
        self.index()
        self.run("memory", "save", "the lamp needs two batteries", "--project", "demo", codes=(0,))
        self.send_hook("session-init", prompt="what does the lamp need")  # no worker: the spool
        self.run("worker", "start", codes=(0,))
        self.send_hook("observation", tool_name="Read", tool_input={"file_path": "more.py"},
                       tool_response={"content": "lamp"})
        self.run("worker", "stop", codes=(0,))
        self.run("memory", "export", self.export, codes=(0,))
        self.run("serve", text=json.dumps({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                       "clientInfo": {"name": "t", "version": "1"}}}) + "\n")
        self.run("memory", "forget", "--project", "demo", "--yes")

    # A store of an older program is migrated, with a backup next to it; a damaged one is set aside.
    def replace_stores(self):
        store = self.repository / ".codexmem"
        for path in store.glob("index.db*"):
            path.unlink()
        shutil.copy(STORES / "v2.db", store / "index.db")
        self.index()
        (store / "index.db").write_bytes(b"garbage" * 1000)
        self.index()
        old = self.data.parent / "old"
        old.mkdir()
        shutil.copy(STORES / "user/v1.db", old / "memory.db")
        (old / "memory.db").chmod(0o644)
        self.environment["CODEXMEM_DATA_DIR"] = str(old)
        self.run("memory", "list", codes=(0,))
        self.environment["CODEXMEM_DATA_DIR"] = str(self.data)
        names = {path.name.split("-2")[0] for path in self.written()}
        for name in ("index.db.damaged", "memory.db.v1.bak", "memory.db", "lock", "vectors.faiss",
                     "worker.log", ".gitignore"):
            assert name in names, (name, names)

    def folders(self):
        return [self.repository / ".codexmem", self.data.parent.parent]

    def written(self):
        for folder in self.folders():
            yield folder
            yield from folder.rglob("*")
        yield self.export

    def expect_private(self):
        for path in self.written():
            info = path.lstat()
            mode, want = stat.S_IMODE(info.st_mode), 0o700 if path.is_dir() else 0o600
            assert stat.S_ISDIR(info.st_mode) or stat.S_ISREG(info.st_mode), path
            assert mode == want, f"umask {self.umask:03o}: {path} is {mode:03o}"

    # As the first release left them.
    def open_to_all(self):
        for folder in (self.repository / ".codexmem", self.data):
            for path in folder.iterdir():
                path.chmod(0o777 if path.is_dir() else 0o666)
            folder.chmod(0o755)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--hook", required=True)
    given = parser.parse_args()
    programs = [str(pathlib.Path(path).resolve()) for path in (given.program, given.hook)]
    for umask in (0o000, 0o022):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            session = Session(programs, folder, umask)
            session.repository.mkdir()
            shutil.copytree(STORES / "small", session.repository, dirs_exist_ok=True)
            session.use()
            session.expect_private()
            session.replace_stores()
            session.expect_private()
            session.open_to_all()
            session.index()
            session.run("memory", "list")
            session.expect_private()
            # Files of the repository itself are nobody's secret.
            for path in (session.repository / "more.py", session.repository / "src/main.ts"):
                assert stat.S_IMODE(path.stat().st_mode) & 0o044, path
    print("ok")


if __name__ == "__main__":
    main()
