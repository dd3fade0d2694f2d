#!/usr/bin/env python3
"""Makes a set of queries for search_bench from the histories of repositories.

usage: commit_queries.py OUT CHECKOUTS NAME=FOLDER[:LANGUAGE] ...

The query is a commit's subject, its answers are the one to three source files that the commit changed, as far as they
still exist. CHECKOUTS/NAME is a clone with its history; FOLDER is what search_bench indexes. Commits of tests, releases
and upkeep say nothing about where code is and are left out. A proxy only: a commit also changes files that use what its
subject names, and large files change more often.
"""

import random
import re
import subprocess
import sys
from pathlib import Path

SOURCES = (".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".go", ".java", ".rs", ".c", ".h", ".cc", ".cpp", ".hpp")
UPKEEP = re.compile(
    r"\b(bump|release|changelog|typo|version|lint|revert|merge|format|prettier|docs?|readme|deps?|dependenc\w*|upgrade|"
    r"update|wip|tests?|coverage|ci|pre-commit|type hints?|mypy|ruff|eslint)\b", re.I)
NOT_PRODUCT = re.compile(
    r"(^|/)(tests?|__tests__|spec|dts-test|benchmarks?|examples?|docs?)/|\.(test|spec)\.|[-_]test\.|type-tests|\.d\.ts$")
PREFIX = re.compile(r"^\s*(feat|fix|perf|refactor|types|chore|docs|test|build|ci|style|release|\w{2,12}\([^)]*\))(\([^)]*\))?!?:\s*")
MOST_QUERIES = 60


def git(clone, *arguments):
    return subprocess.run(["git", "-C", clone, *arguments], capture_output=True, text=True, errors="replace", check=True).stdout


def queries(clone, folder):
    there = set(git(clone, "ls-tree", "-r", "--name-only", "HEAD").splitlines())
    log = git(clone, "log", "--no-merges", "-n", "6000", "--no-renames", "--name-only", "--format=%x01%s")
    found = {}
    for entry in log.split("\x01")[1:]:
        subject, *changed = entry.split("\n")
        changed = [path for path in changed if path]
        subject = PREFIX.sub("", re.sub(r"\(?#\d+\)?", "", subject)).strip(" .`").replace("\t", " ")
        if UPKEEP.search(subject) or not 4 <= len(subject.split()) <= 14 or len(changed) > 12:
            continue
        sources = [path for path in changed if path.endswith(SOURCES) and not NOT_PRODUCT.search(path)]
        sources = [path for path in sources if folder == "." or path.startswith(folder + "/")]
        if 1 <= len(sources) <= 3 and there.issuperset(sources):
            found.setdefault(subject.lower(), (subject, sources))
    chosen = list(found.values())
    random.Random(7).shuffle(chosen)
    return chosen[:MOST_QUERIES]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    out, checkouts = Path(sys.argv[1]), Path(sys.argv[2])
    (out / "annotations").mkdir(parents=True, exist_ok=True)
    rows = []
    for argument in sys.argv[3:]:
        name, _, rest = argument.partition("=")
        folder, _, language = rest.partition(":")
        clone = checkouts / name
        commit = git(clone, "rev-parse", "HEAD").strip()
        chosen = queries(clone, folder)
        lines = [f"commit\t{subject}\t{';'.join(sources)}\t\n" for subject, sources in chosen]
        (out / "annotations" / f"{name}.tsv").write_text("".join(lines))
        rows.append("\t".join([name, name, commit, commit, language or "any", folder, "commits"]) + "\n")
        print(name, len(lines))
    (out / "repos.tsv").write_text("".join(rows))


if __name__ == "__main__":
    main()
