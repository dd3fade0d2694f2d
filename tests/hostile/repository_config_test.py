"""Runs every command of the program in a repository whose configuration names programs, FIFOs and other
folders, and with few file descriptors.

CODEXMEM_PROGRAM is the program. The commands come from the program itself (its completions), so a new
one is tried as well. Needs git and no network.
"""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from commands import Commands  # noqa: E402

PROGRAM = os.environ["CODEXMEM_PROGRAM"]

# Each names a program that leaves a file `canary-NAME` when somebody starts it.
CONFIG = """
[core]
\trepositoryformatversion = 0
\tfsmonitor = {fsmonitor}
\thooksPath = evil
\tpager = {pager}
\teditor = {editor}
\tsshCommand = {ssh}
\taskPass = {askpass}
\tattributesFile = {root}/attributes
[diff]
\texternal = {external}
[diff "evil"]
\ttextconv = {textconv}
\tcommand = {diffcommand}
[filter "evil"]
\tclean = {clean}
\tsmudge = {smudge}
\tprocess = {process}
\trequired = true
[merge "evil"]
\tdriver = {driver}
[credential]
\thelper = !{credential}
[gpg]
\tprogram = {gpg}
[commit]
\tgpgSign = true
[sequence]
\teditor = {sequence}
[alias]
\tls-files = !{alias}
\trev-parse = !{alias}
\tstatus = !{alias}
[remote "origin"]
\turl = ext::{remote}
\tpromisor = true
\tpartialclonefilter = blob:none
\tuploadpack = {uploadpack}
[submodule "sub"]
\turl = ext::{remote}
\tupdate = !{submodule}
[include]
\tpath = ../included
[includeIf "gitdir:**"]
\tpath = ../included
"""
INCLUDED = "[core]\n\tfsmonitor = {included}\n[pager]\n\tstatus = {included}\n"
NAMES = ["fsmonitor", "pager", "editor", "ssh", "askpass", "external", "textconv", "diffcommand", "clean", "smudge",
         "process", "driver", "credential", "gpg", "sequence", "alias", "remote", "uploadpack", "submodule", "included"]
PROGRAMS = ["git", "bun", "node", "npm", "sh", "bash", "less", "codexmem", "codexmem-hook", "ssh", "python3", "curl", "vi"]


def clean_environment(folder):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("GIT_", "CODEXMEM_", "XDG_"))}
    environment.update(HOME=str(folder / "home"), CODEXMEM_DATA_DIR=str(folder / "data"), GIT_CONFIG_NOSYSTEM="1",
                       CODEXMEM_WORKER_PORT="0")
    (folder / "home").mkdir(exist_ok=True)
    return environment


class Repository(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-config-")).resolve()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.environment = clean_environment(self.folder)
        self.root = self.folder / "repo"
        (self.root / "src").mkdir(parents=True)
        (self.root / "src/a.ts").write_text("export function helper(): number { return 1; }\n")
        (self.root / "src/b.ts").write_text('import { helper } from "./a";\nexport const b = helper();\n')
        (self.root / "README.md").write_text("# Title\n\nText.\n")
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-qm", "first")

    def git(self, *words, cwd=None):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", "-c", "protocol.file.allow=always", *words],
                       cwd=cwd or self.root, env=self.environment, check=True, capture_output=True)

    def run_program(self, *words, root=None, seconds=60, environment=None, prefix=(), text="", **options):
        try:
            return subprocess.run([*prefix, PROGRAM, *words], cwd=root or self.root, timeout=seconds, input=text,
                                  capture_output=True, text=True, errors="replace",
                                  env={**self.environment, **(environment or {})}, **options)
        except subprocess.TimeoutExpired:
            self.fail(f"codexmem {' '.join(words)} did not end within {seconds} s")


class Programs(Repository):
    """No program that a repository names is started, whoever would start it."""

    def plant(self):
        bait = {}
        (self.root / "evil").mkdir()
        for name in NAMES:
            bait[name] = self.bait(self.root / "evil" / name, name)
        for hook in ["pre-commit", "post-checkout", "post-index-change", "fsmonitor-watchman", "reference-transaction"]:
            self.bait(self.root / "evil" / hook, "hook")
            self.bait(self.root / ".git/hooks" / hook, "hook")
        for program in PROGRAMS:
            self.bait(self.root / program, "path-" + program)
        for tool in ["node_modules/.bin", ".venv/bin"]:
            (self.root / tool).mkdir(parents=True)
            for program in PROGRAMS:
                self.bait(self.root / tool / program, "tool-" + program)
        (self.root / "included").write_text(INCLUDED.format(**bait))
        (self.root / "attributes").write_text("*.md filter=evil diff=evil merge=evil ident\n")
        (self.root / ".gitattributes").write_text("* filter=evil diff=evil merge=evil text=auto ident\n")
        (self.root / ".gitmodules").write_text('[submodule "sub"]\n\tpath = sub\n\turl = ../sub\n\tupdate = !%s\n' % bait["submodule"])
        return CONFIG.format(root=self.root, **bait)

    def bait(self, path, name):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n: > '{self.folder}/canary-{name}'\n")
        path.chmod(0o755)
        return path

    def assert_no_canary(self, root):
        # The files differ from the staged ones, so comparing them requires reading them.
        (root / "src/a.ts").write_text("export function helper(): number { return 2; }\n")
        (root / "README.md").write_text("# Title $Id$\r\n\r\nOther.\r\n")
        environment = {"PATH": f".:{self.root}/node_modules/.bin::{self.environment['PATH']}", "PAGER": str(self.root / "evil/pager"),
                       "GIT_PAGER": str(self.root / "evil/pager"), "GIT_EXTERNAL_DIFF": str(self.root / "evil/external"),
                       "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": str(self.root / "evil/fsmonitor"),
                       "GIT_SSH_COMMAND": str(self.root / "evil/ssh"), "EDITOR": str(self.root / "evil/editor")}
        commands = Commands(PROGRAM, self.environment)
        self.assertGreater(len(commands.lines), 40)
        strace = shutil.which("strace")
        for words in commands.lines:
            log = self.folder / "trace"
            # (The worker stays, and strace with it.)
            is_traced = strace and words[:2] != ["worker", "start"] and words[0] != "open"
            prefix = [strace, "-f", "-qq", "-o", str(log), "-e", "trace=execve,execveat"] if is_traced else []
            self.run_program(*words, root=root, environment=environment, prefix=prefix, text=commands.input)
            self.assertEqual(sorted(self.folder.glob("canary-*")), [], words)
            if is_traced:
                # The first is the program itself.
                started = [line for line in log.read_text(errors="replace").splitlines() if "exec" in line][1:]
                self.assertEqual(started, [], words)
        self.run_program("worker", "stop", root=root)

    def test_in_a_repository(self):
        (self.root / ".git/config").write_text(self.plant())
        self.assert_no_canary(self.root)

    def test_in_a_linked_work_tree_and_a_submodule(self):
        self.git("worktree", "add", "-q", "../linked")
        self.git("init", "-q", "../other")
        self.git("-C", "../other", "commit", "-q", "--allow-empty", "-m", "first")
        self.git("submodule", "--quiet", "add", "../other", "sub")
        config = self.plant()
        (self.root / ".git/config").write_text(config)
        (self.root / ".git/modules/sub/config").write_text(config + "[core]\n\tworktree = ../../../sub\n")
        shutil.copy(self.root / ".gitattributes", self.folder / "linked/.gitattributes")
        self.assertTrue((self.folder / "linked/.git").is_file())
        for words in [("index",), ("doctor",), ("check",), ("check", "--staged"), ("init", "--dry-run"), ("status",)]:
            for root in [self.folder / "linked", self.root / "sub", self.root]:
                self.run_program(*words, root=root)
                self.assertEqual(sorted(self.folder.glob("canary-*")), [], (words, root))

    def test_the_hook_passes_by_a_program_of_the_repository(self):
        home = self.folder / "bin"
        home.mkdir()
        os.symlink(PROGRAM, home / "codexmem")
        self.run_program("init", "--git-hook", "--client", "vscode", environment={"PATH": f"{home}:{self.environment['PATH']}"})
        self.bait(self.root / "codexmem", "path-codexmem")
        (self.root / "src/a.ts").write_text("export const changed = 1;\n")
        self.environment["PATH"] = ".:" + self.environment["PATH"]
        self.git("commit", "-qam", "second")
        self.assertEqual(sorted(self.folder.glob("canary-*")), [])


class WorkTree(Repository):
    """What was not named is not looked at, whatever a repository says of its work tree."""

    def test_a_work_tree_elsewhere_is_not_entered(self):
        secret = self.folder / "elsewhere"
        secret.mkdir()
        (secret / "secret.ts").write_text("export function secretOfAnother() {}\n")
        for place in ["/", str(secret), "../.."]:
            self.git("config", "core.worktree", place)
            for words in [("index",), ("check",), ("check", "--staged"), ("doctor",), ("status",), ("index", "--staged")]:
                self.run_program(*words, seconds=30)
            self.assertEqual(self.run_program("symbol", "secretOfAnother", "--no-refresh").returncode, 1)
            self.assertEqual(self.run_program("symbol", "helper").returncode, 0)
            result = self.run_program("check")
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertIn("work tree", result.stderr)

    def test_real_work_trees_work(self):
        self.git("worktree", "add", "-q", "../linked")
        self.git("init", "-q", "--separate-git-dir", "../separate.git", "../apart")
        (self.folder / "apart/x.ts").write_text("export function apart() {}\n")
        (self.folder / "linked/new.ts").write_text("export function fresh() {}\n")
        for root, name in [(self.folder / "linked", "fresh"), (self.folder / "apart", "apart")]:
            self.assertEqual(self.run_program("symbol", name, root=root).returncode, 0)
            self.assertEqual(self.run_program("check", root=root).returncode, 0)


class Waiting(Repository):
    """A FIFO or a device in place of a file is never waited for."""

    WORDS = [("index",), ("status",), ("doctor",), ("pack", "-o", "/dev/null/x"), ("pack", "--key"), ("check",), ("check", "--staged"), ("impact",), ("overview",), ("workspace",), ("unused",), ("history", "helper"),
             ("symbol", "helper", "--at", "HEAD"), ("rename", "helper", "aid", "--apply"), ("index", "--staged"), ("init", "--dry-run"),
             ("search", "helper"), ("config", "list"), ("decision", "list"), ("memory", "ingest", "."), ("serve",)]

    def test_fifos_of_git(self):
        cases = {".git/config": None, ".git/index": None, ".git/HEAD": None, ".git/packed-refs": None,
                 ".git/objects/info/alternates": None, ".git/info/exclude": None, ".git/config.worktree": None,
                 ".git/refs/heads/main": None, ".git": None,
                 "trap": "[include]\n\tpath = ../trap\n", "trap2": '[includeIf "gitdir:a=b"] path = ../trap2 # why\n',
                 "ignores": "[core]\n\texcludesFile = ../ignores\n"}
        for path, config in cases.items():
            root = self.folder / "copy"
            shutil.copytree(self.root, root, symlinks=True)
            target = root / path
            shutil.rmtree(target) if target.is_dir() else target.unlink(missing_ok=True)
            target.parent.mkdir(exist_ok=True)
            os.mkfifo(target)
            if config:
                with open(root / ".git/config", "a", encoding="utf-8") as file:
                    file.write(config)
            for words in self.WORDS:
                with self.subTest(fifo=path, words=words):
                    done = self.run_program(*words, root=root, seconds=20)
                    self.assertIn(done.returncode, (0, 1, 2), done.stderr)
            shutil.rmtree(root)

    def test_fifos_of_the_tree(self):
        for path in [".gitignore", "src/.gitignore", ".gitattributes", "src/.gitattributes", ".gitmodules", ".codexmemignore",
                     "codexmem.json", "package.json", "tsconfig.json", ".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json",
                     "AGENTS.md", "CLAUDE.md", "docs/page.md", ".pre-commit-config.yaml", ".codexmem/lock", "src/c.ts"]:
            (self.root / path).parent.mkdir(exist_ok=True)
            os.mkfifo(self.root / path)
        (self.root / "src/b.ts").write_text('import { gone } from "./a";\nexport const b = gone();\n')
        for words in self.WORDS:
            with self.subTest(words=words):
                done = self.run_program(*words, seconds=20)
                self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        for event in ["observation", "summarize", "context"]:
            os.mkfifo(self.folder / event)
            done = self.run_program("hook", "claude-code", event, seconds=20, text=json.dumps(
                {"session_id": "s", "cwd": str(self.root), "transcript_path": str(self.folder / event)}))
            self.assertEqual(done.returncode, 0, done.stderr)


class Descriptors(Repository):
    """With too few file descriptors a command says so; it never aborts."""

    def test_few_descriptors(self):
        self.run_program("index", "--skip-embeddings")
        event = json.dumps({"session_id": "s", "cwd": str(self.root), "prompt": "p"})
        # A sanitizer itself needs some, to look at memory.
        least = 3 if os.environ.get("CODEXMEM_SLOWNESS", "1") == "1" else 12
        for limit in [*range(least, 16), 20, 24, 28, 32, 40]:
            for words in [("index", "--force", "--skip-embeddings"), ("status",), ("search", "helper"), ("serve",),
                          ("worker", "run", "--port", "0"), ("doctor",), ("hook", "claude-code", "session-init")]:
                with self.subTest(limit=limit, words=words):
                    is_worker = words[0] == "worker"
                    prefix = ["timeout", "--foreground", "--preserve-status", "-s", "TERM", "3"] if is_worker else []
                    done = self.run_program(*words, seconds=60, text=event, prefix=prefix, preexec_fn=lambda: resource.setrlimit(
                        resource.RLIMIT_NOFILE, (limit, limit)))
                    # 127: not even the loader had what it needs; it says so.
                    self.assertIn(done.returncode, (0, 1, 2, 127), done.stderr)
                    if done.returncode == 2 and words[0] != "doctor":
                        self.assertRegex(done.stderr, "file descriptors|[Tt]oo many open files")
                    if words[0] == "hook" and done.returncode != 127:
                        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
