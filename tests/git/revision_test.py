#!/usr/bin/env python3
"""--at: answers about revisions equal the answers of a clean index of a checkout; nothing is checked out,
and nothing is lost.

  tests/git/revision_test.py --program build/dev/bin/codexmem
"""

import argparse
import json
import pathlib
import shutil
import sys
import tempfile

from git_repository import Repository

FIRST = {
    "package.json": '{"name": "shop"}\n',
    "src/cart.ts": "import { price } from './price';\n\n/** The sum of all. */\nexport function total(items) {\n  return items.map(price);\n}\n",
    "src/price.ts": "export function price(item) {\n  return item.cost;\n}\n",
    "src/old.ts": "import { total } from './cart';\n\nexport const oldTotal = total([]);\n",
    "tools/run.py": "def run():\n    return 1\n",
}
SECOND = {
    "src/cart.ts": "import { priceOf } from './prices/price';\n\nexport class Cart {\n  total() {\n    return priceOf(this);\n  }\n}\n",
    "src/price.ts": None,
    "src/prices/price.ts": "export function priceOf(item) {\n  return item.cost * 2;\n}\n",
    "src/old.ts": None,
    "tools/run.py": "from .more import more\n\n\ndef run():\n    return more()\n",
    "tools/more.py": "def more():\n    return 2\n",
    "tools/__init__.py": "",
}
QUESTIONS = [
    ["symbol", "total"], ["symbol", "Cart.total"], ["symbol", "priceOf"], ["refs", "price"], ["refs", "priceOf"],
    ["refs", "more"], ["deps", "src/cart.ts"], ["deps", "src/price.ts"], ["deps", "tools/run.py"],
    ["search", "the sum of all"], ["search", "cost"], ["context", "src/cart.ts"], ["context", "src/old.ts"],
    ["context", "run"], ["refs", "total"],
]


def answer_of(repository, words, *more):
    done = repository.codexmem(*words, "--json", *more)
    answer = json.loads(done.stdout) if done.stdout else {}
    if isinstance(answer, dict):
        answer.pop("searchTime", None)
    return done.returncode, answer, done.stderr.replace(str(repository.root), "")


def check_answers(program, folder, repository, revisions):
    for i, revision in enumerate(revisions):
        checkout = Repository(program, folder / f"checkout{i}")
        shutil.rmtree(checkout.root)
        repository.git("clone", "-q", repository.root, checkout.root)
        checkout.git("checkout", "-q", "--detach", repository.git("rev-parse", revision).strip())
        assert checkout.codexmem("index", "-q").returncode == 0
        for words in QUESTIONS:
            want, have = answer_of(checkout, words), answer_of(repository, words, "--at", revision)
            assert want == have, (revision, words, want, have)
        # A second time, from the kept store.
        assert answer_of(repository, QUESTIONS[0], "--at", revision) == answer_of(checkout, QUESTIONS[0])


def check_kept(repository):
    kept = repository.root / ".codexmem" / "revisions"
    assert {len(path.name) for path in kept.iterdir()} == {49}, list(kept.iterdir())
    for i in range(6):
        repository.commit({"src/more.ts": f"export const more{i} = {i};\n"})
    for i in range(5):
        done = repository.codexmem("symbol", f"more{i}", "--at", f"HEAD~{5 - i}")
        assert done.returncode == 0 and "src/more.ts:1" in done.stdout, (done.stdout, done.stderr)
    assert len(list(kept.iterdir())) == 4, list(kept.iterdir())
    # One of which only the folder is left is made again.
    for path in kept.iterdir():
        (path / ".codexmem" / "index.db").unlink()
    assert repository.codexmem("symbol", "more4", "--at", "HEAD~1").returncode == 0
    # Files that are ignored now are not answered from the kept store.
    for name in (".codexmemignore", "src/.codexmemignore"):
        repository.write({name: "more.ts\n"})
        assert repository.codexmem("symbol", "more4", "--at", "HEAD~1").returncode == 1, name
        (repository.root / name).unlink()
        assert repository.codexmem("symbol", "more4", "--at", "HEAD~1").returncode == 0, name
    # A missing store is made again; the folder of a killed run is not used.
    shutil.rmtree(kept)
    kept.mkdir()
    (kept / "making-abcdef").mkdir()
    assert repository.codexmem("symbol", "more2", "--at", "HEAD~3").returncode == 0


def check_hostile(repository):
    """A repository that brings a link in the place of the kept ones loses nothing, elsewhere neither."""
    kept, elsewhere = repository.root / ".codexmem" / "revisions", repository.base / "elsewhere"
    shutil.rmtree(kept)
    for name in ("a", "b", *(f"{digit * 40}-{digit * 8}" for digit in "01234")):
        (elsewhere / name).mkdir(parents=True)
    kept.symlink_to(elsewhere)
    done = repository.codexmem("symbol", "more2", "--at", "HEAD~3")
    assert done.returncode == 2 and "is a link" in done.stderr, done.stderr
    assert len(list(elsewhere.iterdir())) == 7
    kept.unlink()
    elsewhere.rename(kept)
    assert repository.codexmem("symbol", "more2", "--at", "HEAD~3").returncode == 0
    assert (kept / "a").is_dir() and (kept / "b").is_dir()


def check_work_tree(repository):
    """The work tree stays unchanged, and uncommitted changes are not part of a revision."""
    repository.write({"src/new.ts": "export const brandNew = 1;\n", "src/cart.ts": "export const changed = 1;\n"})
    status = repository.git("status", "--porcelain")
    assert repository.codexmem("symbol", "brandNew").returncode == 0
    assert repository.codexmem("symbol", "brandNew", "--at", "HEAD").returncode == 1
    done = repository.codexmem("symbol", "Cart", "--at", "HEAD")
    assert done.returncode == 0 and "class Cart" in done.stdout, done.stdout
    assert repository.codexmem("symbol", "changed").returncode == 0
    assert repository.git("status", "--porcelain") == status
    repository.git("checkout", "-q", "--", ".")
    (repository.root / "src/new.ts").unlink()


def check_errors(repository):
    done = repository.codexmem("symbol", "total", "--at", "nosuch")
    assert done.returncode == 2 and 'git knows no revision "nosuch"' in done.stderr, done.stderr
    done = repository.codexmem("symbol", "total", "--at", "--all")
    assert done.returncode == 2, done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        repository = Repository(program, folder)
        repository.commit(FIRST)
        first = repository.git("rev-parse", "HEAD").strip()
        repository.commit(SECOND)
        second = repository.git("rev-parse", "HEAD").strip()
        repository.commit({"src/third.ts": "import { Cart } from './cart';\n\nexport const third = new Cart();\n"})
        repository.index()
        check_answers(program, folder, repository, [first, second, "HEAD"])
        check_kept(repository)
        check_hostile(repository)
        check_work_tree(repository)
        check_errors(repository)
    print("revisions: all as they should be")


if __name__ == "__main__":
    sys.exit(main())
