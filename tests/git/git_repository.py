"""A git repository with an index, for the tests of this folder."""

import json
import os
import pathlib
import subprocess


class Repository:
    def __init__(self, program, folder, name="repo"):
        self.program = str(pathlib.Path(program).resolve())
        self.base = pathlib.Path(folder)
        self.root = self.base / name
        self.root.mkdir(parents=True)
        home = self.base / "home"
        home.mkdir(exist_ok=True)
        self.env = {key: value for key, value in os.environ.items()
                    if not key.startswith(("GIT_", "CODEXMEM_", "PRE_COMMIT"))}
        self.env.update(HOME=str(home), CODEXMEM_DATA_DIR=str(self.base / "data"),
                        GIT_CONFIG_NOSYSTEM="1", GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t",
                        GIT_COMMITTER_NAME="t", GIT_COMMITTER_EMAIL="t@t", CODEXMEM_LOG="error",
                        XDG_CACHE_HOME=str(home / ".cache"),
                        PATH=f"{pathlib.Path(self.program).parent}:{os.environ['PATH']}")
        self.git("init", "-q", "-b", "main")

    def run(self, *words, cwd=None, env=None, input=None):
        return subprocess.run([str(word) for word in words], cwd=cwd or self.root,
                              env={**self.env, **(env or {})}, capture_output=True, text=True,
                              input=input)

    def git(self, *words, cwd=None, env=None):
        done = self.run("git", "-c", "protocol.file.allow=always", *words, cwd=cwd, env=env)
        assert done.returncode == 0, f"git {' '.join(map(str, words))}: {done.stderr}{done.stdout}"
        return done.stdout

    def codexmem(self, *words, **options):
        return self.run(self.program, *words, **options)

    def write(self, files, root=None):
        for path, text in files.items():
            target = (root or self.root) / path
            if text is None:
                target.unlink()
            else:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text)

    def commit(self, files, message="change"):
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def index(self):
        done = self.codexmem("index", "-q", "--skip-embeddings")
        assert done.returncode == 0, done.stderr

    def findings(self, *words, **options):
        """{"file:line kind name"} and the exit code."""
        done = self.codexmem("check", "--json", *words, **options)
        assert done.stdout, done.stderr
        report = json.loads(done.stdout)
        return ({f"{item['file']}:{item['line']} {item['kind']} {item['name']}"
                 for item in report["findings"]}, done.returncode)

    def unchecked(self, *words, **options):
        """{"file:line name"} of which nothing is known."""
        done = self.codexmem("check", "--json", *words, **options)
        assert done.stdout, done.stderr
        return {f"{use['file']}:{use['line']} {use['name']}"
                for use in json.loads(done.stdout).get("usesNotChecked", [])}
