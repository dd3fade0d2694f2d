#!/usr/bin/env python3
"""What the pre-commit hook adds to `git commit`, side by side.

  bench/git/commit_times.py --program build/release/bin/codexmem [--files 4000] [--commits 40]

Commits in three clones of one repository, in turn: without hooks, with one that does nothing, with
codexmem's, of a changed file each. Prints the median and the 90th percentile of each, and of what
the two hooks add: git takes its time for any hook.
--repository takes a real one instead of one that is made up.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))]


def make_repository(root, files):
    root.mkdir()
    for number in range(files):
        path = root / f"src/part{number % 80}/file{number}.ts"
        path.parent.mkdir(parents=True, exist_ok=True)
        body = "\n".join(f"/** Step {step} of part {number}. */\n"
                         f"export function step{number}_{step}(value: number) {{\n"
                         f"  return value * {step} + {number};\n}}" for step in range(12))
        path.write_text(f"import {{ step{number // 2}_1 }} from "
                        f"'../part{number // 2 % 80}/file{number // 2}';\n{body}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--files", type=int, default=4000)
    parser.add_argument("--commits", type=int, default=40)
    parser.add_argument("--repository", help="a git repository to clone")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    with tempfile.TemporaryDirectory(prefix="codexmem-commits-") as name:
        folder = pathlib.Path(name)
        (folder / "home").mkdir()
        env = {**os.environ, "HOME": str(folder / "home"), "GIT_CONFIG_NOSYSTEM": "1",
               "CODEXMEM_DATA_DIR": str(folder / "data"),
               "PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}"}

        def git(root, *words):
            subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=root,
                           env=env, check=True, capture_output=True)

        source = folder / "source"
        if options.repository:
            git(folder, "clone", "-q", "--depth", "1",
                "file://" + str(pathlib.Path(options.repository).resolve()), str(source))
        else:
            make_repository(source, options.files)
            git(source, "init", "-q")
            git(source, "add", "-A")
            git(source, "commit", "-qm", "all")
        clones = {}
        for kind in ("without", "empty", "with"):
            clones[kind] = folder / kind
            git(folder, "clone", "-q", str(source), str(clones[kind]))
        subprocess.run([program, "index", str(clones["with"]), "-q"], env=env, check=True)
        subprocess.run([program, "init", "--git-hook", str(clones["with"])], env=env, check=True,
                       capture_output=True)
        empty = clones["empty"] / ".git/hooks/pre-commit"
        empty.write_text("#!/bin/sh\n:\n")
        empty.chmod(0o755)
        tracked = subprocess.run(["git", "ls-files"], cwd=source, env=env, capture_output=True,
                                 text=True).stdout.split("\n")
        code = [path for path in tracked if path.endswith((".ts", ".py", ".js"))]
        times = {kind: [] for kind in clones}
        for commit in range(options.commits):
            path = code[commit * 97 % len(code)]
            # In turn, so that what else the machine does falls on both.
            kinds = list(clones)
            for kind in kinds[commit % 3:] + kinds[:commit % 3]:
                root = clones[kind]
                comment = "#" if path.endswith(".py") else "//"
                with open(root / path, "a") as file:
                    file.write(f"{comment} {commit}\n")
                git(root, "add", path)
                begin = time.monotonic()
                git(root, "commit", "-qm", f"change {commit}")
                times[kind].append((time.monotonic() - begin) * 1000)
        def beyond(kind):
            return [a - b for a, b in zip(times[kind], times["without"])]

        added = beyond("with")
        print(f"{len(tracked)} files, {options.commits} commits each, load {os.getloadavg()[0]:.1f}")
        for kind, values in [*times.items(), ("an empty hook adds", beyond("empty")),
                             ("codexmem's adds", added)]:
            print(f"{kind:18} median {statistics.median(values):6.0f} ms   "
                  f"p90 {percentile(values, 0.9):6.0f} ms")
        # The hooks' work goes on in the background: let it end before its folder goes.
        subprocess.run([program, "index", str(clones["with"]), "-q"], env=env, check=True)
        sys.exit(1 if percentile(added, 0.9) > 200 else 0)


main()
