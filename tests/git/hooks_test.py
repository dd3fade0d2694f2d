#!/usr/bin/env python3
"""The hooks, with the real git and (where it is installed) the real pre-commit.

  tests/git/hooks_test.py --program build/dev/bin/codexmem [NAME...]
"""

import argparse
import os
import pathlib
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import traceback

from git_repository import Repository

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def stored(root, repository=None):
    """{path: text} of the index; of worktrees, which may share pages, by a copy."""
    path = f"{root}/.codexmem/index.db"
    with tempfile.TemporaryDirectory() as folder:
        if repository is not None:
            path = f"{folder}/copy.db"
            assert repository.codexmem("debug", "copy", path, cwd=root).returncode == 0
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20) as db:
            return dict(db.execute("SELECT path, content FROM files"))


def wait_for(what, condition, seconds=20):
    """The hook's work goes on in the background."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError(f"never: {what}")


def wait_for_text(root, path, text, repository=None):
    wait_for(f"{path} has {text!r}", lambda: text in stored(root, repository).get(path, ""))


def background(root):
    """The ids of the processes that work in `root`: what a hook has left behind."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") == str(root) and os.readlink(process / "exe"):
                found.append(int(process.name))
        except OSError:
            pass
    return found


def settle(root):
    wait_for("the background ends", lambda: not background(root), seconds=60)


def make(program, folder, files=None, hook=True):
    repository = Repository(program, folder)
    repository.commit(files or {"a.ts": "export const a = 1;\n", "b.ts": "export const b = 1;\n"})
    repository.index()
    if hook:
        install(repository)
    return repository


def install(repository, root=None):
    done = repository.codexmem("init", "--git-hook", cwd=root)
    assert done.returncode == 0, done.stderr + done.stdout


def change(repository, text, path="a.ts", root=None):
    repository.write({path: f"export const a = '{text}';\n"}, root)


def test_commits(program, folder):
    """add + commit, commit -a, of one path alone, --amend, of a deleted file."""
    repository = make(program, folder)
    change(repository, "added")
    repository.git("add", "a.ts")
    repository.git("commit", "-qm", "added")
    wait_for_text(repository.root, "a.ts", "added")

    change(repository, "all")
    repository.git("commit", "-qam", "all")
    wait_for_text(repository.root, "a.ts", "all")

    change(repository, "partial")
    change(repository, "left", "b.ts")
    repository.git("add", "b.ts")
    repository.git("commit", "-qm", "partial", "a.ts")  # GIT_INDEX_FILE is another than usual
    wait_for_text(repository.root, "a.ts", "partial")
    # Changes that were not committed are still in the work tree.
    wait_for_text(repository.root, "b.ts", "left")
    repository.git("commit", "-qm", "the rest")

    change(repository, "amended")
    repository.git("commit", "-qa", "--amend", "--no-edit")
    wait_for_text(repository.root, "a.ts", "amended")

    repository.git("rm", "-q", "b.ts")
    repository.git("commit", "-qm", "gone")
    wait_for("b.ts goes", lambda: "b.ts" not in stored(repository.root))

    # The store describes the work tree, not the staged files.
    change(repository, "staged")
    repository.git("add", "a.ts")
    change(repository, "working")
    repository.git("commit", "-qm", "differs from the work tree")
    wait_for_text(repository.root, "a.ts", "working")


def test_returns(program, folder):
    """The work begins when git has ended; nobody waits for it, and nothing is held open."""
    repository = make(program, folder)
    store = repository.root / ".codexmem"
    # The message takes its time: the hook's work waits for the end of git.
    editor = repository.base / "editor"
    editor.write_text("#!/bin/sh\nsleep 1\necho message > \"$1\"\n")
    editor.chmod(0o755)
    change(repository, "edited")
    repository.git("add", "a.ts")
    with subprocess.Popen(["git", "commit", "-q"], cwd=repository.root, start_new_session=True,
                          env={**repository.env, "GIT_EDITOR": str(editor)}) as commit:
        time.sleep(0.7)
        assert "edited" not in stored(repository.root)["a.ts"], "it has begun before the commit"
        assert background(repository.root), "nobody waits"
        assert commit.wait(timeout=20) == 0
    wait_for_text(repository.root, "a.ts", "edited")

    # Somebody indexes for long: git returns, all pipes of its caller are closed, and what the hook has
    # left has no terminal. Of all the commits made meanwhile one run takes in the changes.
    settle(repository.root)
    reading, writing = os.pipe()
    with subprocess.Popen(["flock", str(store / "lock"), "cat"], stdin=subprocess.PIPE) as holder:
        wait_for("it holds the lock", lambda: subprocess.run(
            ["flock", "-n", str(store / "lock"), "true"]).returncode == 1)
        for number in range(5):
            change(repository, f"burst {number}")
            begin = time.monotonic()
            done = subprocess.run(["git", "commit", "-qam", "burst"], cwd=repository.root,
                                  env=repository.env, pass_fds=[writing], capture_output=True)
            assert done.returncode == 0 and not done.stderr, done
            assert time.monotonic() - begin < 5
        os.close(writing)
        wait_for("one waits, the others are gone", lambda: len(background(repository.root)) == 1)
        assert os.read(reading, 1) == b"", "the pipe has an end"
        waiting = pathlib.Path(f"/proc/{background(repository.root)[0]}")
        fields = (waiting / "stat").read_text().rsplit(")", 1)[1].split()
        assert fields[4] == "0", f"it has a terminal: {fields}"
        assert {os.readlink(waiting / f"fd/{fd}") for fd in range(3)} == {"/dev/null"}
        # Killed while it waits: the next commit's takes its place, and nothing is lost.
        os.kill(int(waiting.name), signal.SIGKILL)
        settle(repository.root)
        change(repository, "after", "b.ts")
        repository.git("commit", "-qam", "after")
        wait_for("another waits", lambda: len(background(repository.root)) == 1)
        holder.stdin.close()
    os.close(reading)
    wait_for_text(repository.root, "b.ts", "after")
    assert "burst 4" in stored(repository.root)["a.ts"], "of the commit whose process was killed"

    # Killed in the middle: the index stays whole, and the next commit brings it up to date.
    settle(repository.root)
    for turn in range(4):
        repository.write({f"many/{turn}/{number}.ts": f"export const c{turn}_{number} = 1;\n"
                          for number in range(150)})
        repository.git("add", "-A")
        repository.git("commit", "-qm", "many")
        wait_for("it works", lambda: background(repository.root))
        time.sleep(0.05 * turn)
        for process in background(repository.root):
            os.kill(process, signal.SIGKILL)
        settle(repository.root)
    change(repository, "last")
    repository.git("commit", "-qam", "last")
    wait_for_text(repository.root, "a.ts", "last")
    settle(repository.root)
    assert len([path for path in stored(repository.root) if path.startswith("many/")]) == 600

    # A hook that waits for what it has begun does not wait for ours.
    hook = repository.root / ".git/hooks/pre-commit"
    hook.write_text(hook.read_text() + "sleep 0.1 &\nwait\n")
    change(repository, "waits")
    begin = time.monotonic()
    repository.git("commit", "-qam", "waits")
    assert time.monotonic() - begin < 10
    wait_for_text(repository.root, "a.ts", "waits")


def test_worktree(program, folder):
    """A linked work tree commits into an index of its own, and does not change the other's."""
    repository = make(program, folder)
    linked = repository.base / "linked"
    repository.git("worktree", "add", "-q", linked, "-b", "side")
    repository.codexmem("index", "-q", cwd=linked)
    change(repository, "linked", root=linked)
    repository.git("commit", "-qam", "linked", cwd=linked)
    wait_for_text(linked, "a.ts", "linked", repository)
    assert "linked" not in stored(repository.root, repository)["a.ts"]
    # A rebase runs through it.
    change(repository, "main", "b.ts")
    repository.git("commit", "-qam", "main")
    repository.git("rebase", "-q", "main", cwd=linked)
    change(repository, "after", root=linked)
    repository.git("commit", "-qam", "after", cwd=linked)
    wait_for_text(linked, "a.ts", "after", repository)


def test_submodule(program, folder):
    library = Repository(program, folder, "library")
    library.commit({"lib.ts": "export const a = 1;\n"})
    repository = make(program, folder, hook=False)
    repository.git("submodule", "add", "-q", str(library.root), "lib")
    repository.git("commit", "-qm", "submodule")
    repository.index()
    inner = repository.root / "lib"
    install(repository, inner)
    assert (repository.root / ".git/modules/lib/hooks/pre-commit").exists()
    # It has no index of its own: the index of the enclosing repository is updated.
    change(repository, "inner", "lib.ts", inner)
    repository.git("commit", "-qam", "inner", cwd=inner)
    wait_for_text(repository.root, "lib/lib.ts", "inner")
    assert not (inner / ".codexmem").exists()


def test_hooks_path(program, folder):
    """core.hooksPath, and husky, which rewrites its own folder."""
    repository = make(program, folder, hook=False)
    repository.git("config", "core.hooksPath", ".githooks")
    install(repository)
    assert (repository.root / ".githooks/pre-commit").exists()
    change(repository, "hooksPath")
    repository.git("commit", "-qam", "1")
    wait_for_text(repository.root, "a.ts", "hooksPath")

    husky = repository.root / ".husky"
    repository.write({".husky/_/pre-commit": '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n',
                      ".husky/_/h": 'sh -e "$(dirname "$(dirname "$0")")/$(basename "$0")" "$@"\n',
                      ".husky/pre-commit": "echo checked > checked\n"})
    (husky / "_/pre-commit").chmod(0o755)
    repository.git("config", "core.hooksPath", ".husky/_")
    install(repository)
    assert "codexmem index" in (husky / "pre-commit").read_text()
    change(repository, "husky")
    repository.git("commit", "-qam", "2")
    wait_for_text(repository.root, "a.ts", "husky")
    assert (repository.root / "checked").exists(), "husky's own hook runs too"

    # Hooks that serve other repositories too are nobody's to change.
    shared = repository.base / "shared"
    shared.mkdir()
    repository.git("config", "core.hooksPath", str(shared))
    repository.codexmem("init")
    assert not list(shared.iterdir())


def test_chained(program, folder):
    """A hook that was there goes on deciding."""
    repository = make(program, folder, hook=False)
    hook = repository.root / ".git/hooks/pre-commit"
    for interpreter, text in (("sh", 'echo "$0" > ran; test ! -e stop\n'),
                              ("python3", "import pathlib, sys\npathlib.Path('ran').touch()\n"
                                          "sys.exit(pathlib.Path('stop').exists())\n")):
        hook.write_text(f"#!/usr/bin/env {interpreter}\n{text}")
        hook.chmod(0o755)
        before = hook.read_text()
        install(repository)
        change(repository, interpreter)
        repository.git("commit", "-qam", interpreter)
        assert (repository.root / "ran").exists()
        wait_for_text(repository.root, "a.ts", interpreter)
        (repository.root / "ran").unlink()
        (repository.root / "stop").touch()
        change(repository, "stopped")
        done = repository.run("git", "commit", "-qam", "no")
        assert done.returncode != 0, "its verdict counts"
        (repository.root / "stop").unlink()
        repository.codexmem("init", "--no-git-hook")
        assert hook.read_text() == before


def path_without_program(path, tools):
    """`path`; a folder that has codexmem, such as /usr/bin, is replaced by links to all else in it."""
    parts = []
    for number, part in enumerate(path.split(":")):
        if os.access(f"{part}/codexmem", os.X_OK):
            links = tools / str(number)
            links.mkdir(parents=True)
            for name in os.listdir(part):
                if not name.startswith("codexmem"):
                    (links / name).symlink_to(f"{part}/{name}")
            part = str(links)
        parts.append(part)
    return ":".join(parts)


def test_never_fails(program, folder):
    """Whatever is wrong with codexmem, git commits."""
    repository = make(program, folder)
    store = repository.root / ".codexmem"
    number = iter(range(100))

    def commits(what, env=None):
        change(repository, f"{what} {next(number)}")
        begin = time.monotonic()
        done = repository.run("git", "commit", "-qam", what, env=env)
        assert done.returncode == 0, f"{what}: {done.stderr}"
        assert not done.stderr and not done.stdout, f"{what}: {done.stderr}{done.stdout}"
        assert time.monotonic() - begin < 10, f"{what} took {time.monotonic() - begin}"
        check = repository.codexmem("check", "--since", "HEAD~1", "--hook", env=env)
        assert check.returncode == 0, f"{what}: {check.stderr}{check.stdout}"
        return check.stderr

    assert commits("all is well") == ""

    # No program, another program.
    path = path_without_program(repository.env["PATH"], repository.base / "tools")
    change(repository, "none")
    done = repository.run("git", "commit", "-qam", "none", env={"PATH": path})
    assert done.returncode == 0 and "codexmem is not in PATH" in done.stderr, done.stderr
    broken = repository.base / "bin"
    broken.mkdir()
    (broken / "codexmem").write_text("#!/bin/sh\nexit 139\n")
    (broken / "codexmem").chmod(0o755)
    change(repository, "broken")
    done = repository.run("git", "commit", "-qam", "broken", env={"PATH": f"{broken}:{path}"})
    assert done.returncode == 0, done.stderr

    # Another run under way: it holds the lock for long. The hook waits in the background.
    holder = subprocess.Popen(["flock", str(store / "lock"), "sleep", "60"])
    try:
        time.sleep(0.2)
        change(repository, "busy")
        begin = time.monotonic()
        repository.git("commit", "-qam", "busy")
        assert time.monotonic() - begin < 5
    finally:
        subprocess.run(["pkill", "-P", str(holder.pid)], check=False)
        holder.terminate()
        holder.wait()
    wait_for_text(repository.root, "a.ts", "busy")

    # A store that cannot be written.
    if os.geteuid() != 0:
        store.chmod(0o500)
        commits("read-only")
        store.chmod(0o700)

    # No room: a file cannot grow (SIGXFSZ is ignored, so that writes fail as on a full disk).
    change(repository, "full")
    done = repository.run("bash", "-c", "trap '' XFSZ; ulimit -f 1; git commit -qam full --no-gpg-sign"
                          " --no-status")
    assert done.returncode == 0, done.stderr
    done = repository.run("bash", "-c", f"trap '' XFSZ; ulimit -f 8; '{repository.program}' check "
                          "--since HEAD~2 --hook")
    assert done.returncode == 0, done.stderr

    # A damaged store.
    wait_for("nobody works", lambda: repository.codexmem("index", "-q").returncode == 0)
    for trouble in (b"this is no database at all, but long enough to be taken for one" * 100, b""):
        (store / "index.db").write_bytes(trouble)
        for extra in ("index.db-wal", "index.db-shm"):
            (store / extra).unlink(missing_ok=True)
        commits("damaged")
    wait_for("nobody works", lambda: repository.codexmem("index", "-q").returncode == 0)
    with open(store / "index.db", "r+b") as database:
        size = database.seek(0, 2)
        for page in range(3, size // 4096, 7):
            database.seek(page * 4096)
            database.write(b"\xff" * 512)
    commits("torn")

    # No index: a commit begins none.
    wait_for("nobody works", lambda: repository.codexmem("index", "-q").returncode == 0)
    settle(repository.root)
    shutil.rmtree(store)
    change(repository, "no index")
    assert repository.run("git", "commit", "-qam", "no index").returncode == 0
    time.sleep(0.3)
    assert not store.exists(), "what indexes a commit makes no index"
    assert "first, once" in commits("a check makes one") and store.exists()


def test_entries(program, folder):
    """What .pre-commit-hooks.yaml runs, in a shell: without the program, with one, and strict."""
    entries = {}
    text = (SOURCE / ".pre-commit-hooks.yaml").read_text()
    for block in text.split("\n- id: ")[1:]:
        # A folded scalar: its lines are one.
        lines = block.split("entry: >-\n")[1].split("\n")
        folded = [line for line in lines[:next(i for i, line in enumerate(lines) if line[:4].strip())]]
        entries[block.split("\n")[0]] = shlex.split(" ".join(line.strip() for line in folded))
    assert set(entries) == {"codexmem-index", "codexmem-check"}, entries
    repository = make(program, folder, {"a.py": "def f():\n    pass\n", "b.py": "from a import f\n"},
                      hook=False)
    path = {"PATH": path_without_program(repository.env["PATH"], repository.base / "tools")}
    for name, entry in entries.items():
        done = repository.run(*entry, env=path)
        assert done.returncode == 0 and "no codexmem in PATH" in done.stderr, f"{name}: {done}"
        done = repository.run(*entry)
        assert done.returncode == 0 and not done.stderr, f"{name}: {done}"
    check = entries["codexmem-check"]
    done = repository.run(*check, "--strict", env=path)
    assert done.returncode == 2 and "nothing was checked" in done.stderr, done
    assert repository.run(*check, "--strict").returncode == 0

    # Unchecked places are reported; only --strict fails.
    repository.write({"a.py": "def __getattr__(name):\n    return 1\n"})
    repository.git("add", "-A")
    done = repository.run(*check)
    assert done.returncode == 0, done
    assert "not checked: 1 file, 1 use: a.py has a __getattr__ (b.py:1 f)" in done.stderr, done
    done = repository.run(*check, "--strict")
    assert done.returncode == 2 and "not checked: 1 file" in done.stderr, done
    # So does trouble of codexmem's own.
    shutil.rmtree(repository.root / ".codexmem")
    late = {"CODEXMEM_CHECK_SECONDS": "0"}
    done = repository.run(*check, env=late)
    assert done.returncode == 0 and "NOTHING WAS CHECKED" in done.stderr, done
    assert repository.run(*check, "--strict", env=late).returncode == 2


def test_shell_waits(program, folder):
    """While somebody else indexes, an answer from the index as it was would be about the past."""
    repository = make(program, folder, hook=False)
    with subprocess.Popen(["flock", str(repository.root / ".codexmem/lock"), "sleep", "1"]):
        time.sleep(0.2)
        repository.write({"a.ts": "export const later = 1;\n"})
        done = repository.codexmem("symbol", "later")
        assert done.returncode == 0 and "later" in done.stdout, done.stdout + done.stderr
        assert "as it is" not in done.stderr, done.stderr


def test_pre_commit(program, folder):
    """The hooks of .pre-commit-hooks.yaml, by the real pre-commit."""
    if not shutil.which("pre-commit"):
        print("pre-commit is not installed: skipped")
        return
    hooks = Repository(program, folder, "hooks")
    hooks.commit({".pre-commit-hooks.yaml": (SOURCE / ".pre-commit-hooks.yaml").read_text()})
    revision = hooks.git("rev-parse", "HEAD").strip()
    repository = make(program, folder, {
        "a.ts": "export const a = 1;\n", "b.ts": "import { a } from './a';\na;\n",
        ".pre-commit-config.yaml": f"repos:\n- repo: {hooks.root}\n  rev: {revision}\n  hooks:\n"
                                   "  - id: codexmem-index\n  - id: codexmem-check\n"}, hook=False)
    env = {"PRE_COMMIT_HOME": str(repository.base / "cache"), "PRE_COMMIT_COLOR": "never"}
    done = repository.run("pre-commit", "install", env=env)
    assert done.returncode == 0, done.stdout + done.stderr

    def commit(message):
        return repository.run("git", "commit", "-m", message, env=env)

    repository.write({"c.ts": "export const c = 1;\n"})
    repository.git("add", "-A")
    done = commit("fine")
    assert done.returncode == 0, done.stdout + done.stderr
    wait_for("c.ts is indexed", lambda: "c.ts" in stored(repository.root))

    # The staged files break b.ts; the work tree no longer does.
    repository.write({"a.ts": "export const other = 1;\n"})
    repository.git("add", "-A")
    repository.write({"a.ts": "export const a = 1;\nexport const other = 1;\n"})
    done = commit("breaks")
    assert done.returncode == 1, done.stdout + done.stderr
    assert 'b.ts:1:10: import of a from "./a": a.ts has no such name' in done.stderr + done.stdout, \
        done.stdout + done.stderr
    assert (repository.root / "a.ts").read_text().startswith("export const a = 1"), "unstaged stays"
    repository.git("add", "-A")
    done = commit("mended")
    assert done.returncode == 0, done.stdout + done.stderr

    # A commit that only deletes.
    repository.git("rm", "-q", "a.ts")
    done = commit("deletes")
    assert done.returncode == 1 and 'import of "./a"' in done.stderr + done.stdout, \
        done.stdout + done.stderr
    repository.git("reset", "-q", "--hard")

    # Over all files, between two revisions, and without an index.
    assert repository.run("pre-commit", "run", "--all-files", env=env).returncode == 0
    repository.write({"a.ts": "export const other = 2;\n"})
    repository.git("commit", "-qam", "broken", "--no-verify")
    done = repository.run("pre-commit", "run", "--from-ref", "HEAD~1", "--to-ref", "HEAD", env=env)
    assert done.returncode == 1 and "b.ts:1:10" in done.stdout, done.stdout + done.stderr
    settle(repository.root)
    shutil.rmtree(repository.root / ".codexmem")
    done = repository.run("pre-commit", "run", "--from-ref", "HEAD~1", "--to-ref", "HEAD", env=env)
    assert done.returncode == 1 and "b.ts:1:10" in done.stdout, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("names", nargs="*", help="tests that begin so; default: all")
    options = parser.parse_args()
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        name = name.removeprefix("test_")
        if options.names and not name.startswith(tuple(options.names)):
            continue
        begin = time.monotonic()
        try:
            with tempfile.TemporaryDirectory(prefix="codexmem-hooks-",
                                             ignore_cleanup_errors=True) as folder:
                test(options.program, folder)
        except AssertionError as error:
            failed += 1
            traceback.print_exc()
            print(f"FAILED {name}: {error}")
        else:
            print(f"ok {name} ({time.monotonic() - begin:.1f} s)")
    sys.exit(1 if failed else 0)


main()
