#!/usr/bin/env python3
"""codexmem worktrees, and indexes of worktrees, with the real git.

  tests/git/worktrees_test.py --program build/dev/bin/codexmem
"""

import argparse
import json
import pathlib
import shutil
import tempfile

from git_repository import Repository

FILES = {
    "shop/__init__.py": "",
    "shop/price.py": "def price_of(item):\n    return item.cost * 2\n\n\ndef tax_of(item):\n    return 1\n",
    "shop/cart.py": "from .price import price_of\n\n\ndef total(items):\n    return sum(price_of(i) for i in items)\n",
    "shop/page.py": "def page():\n    return ''\n",
}


def answer_of(repository, cwd=None, code=0):
    done = repository.codexmem("worktrees", "--json", cwd=cwd)
    assert done.returncode == code, (done.returncode, done.stderr, done.stdout)
    return json.loads(done.stdout)


def check_changes(program, folder):
    repository = Repository(program, folder)
    assert "no commit yet" in repository.codexmem("worktrees").stdout
    repository.commit(FILES)
    alone = repository.codexmem("worktrees")
    assert alone.returncode == 1 and "no other worktree" in alone.stderr, alone
    a, b = repository.base / "a", repository.base / "b"
    repository.git("worktree", "add", "-q", "-b", "tax", a)
    repository.git("worktree", "add", "-q", "-b", "page", b)
    # Committed, not committed, untracked; the default branch goes on meanwhile.
    repository.write({"shop/price.py": FILES["shop/price.py"].replace("tax_of(item)", "tax_of(item, rate)")}, root=a)
    repository.git("commit", "-qam", "rate", cwd=a)
    repository.write({"shop/cart.py": FILES["shop/cart.py"].replace("sum(", "2 * sum(")}, root=a)
    repository.write({"shop/cart.py": FILES["shop/cart.py"].replace("sum(", "3 * sum("),
                      "shop/bill.py": "from .price import tax_of\n\n\ndef bill(item):\n    return tax_of(item)\n"}, root=b)
    repository.commit({"shop/other.py": "def other():\n    return 1\n"})
    answer = answer_of(repository, cwd=b)
    by_branch = {each["branch"]: each for each in answer["worktrees"]}
    assert list(by_branch) == ["page", "main", "tax"] and by_branch["page"]["isHere"], answer
    assert by_branch["main"]["files"] == [], by_branch["main"]
    assert by_branch["tax"]["files"] == ["shop/cart.py", "shop/price.py"], by_branch["tax"]
    assert {(s["name"], s["change"]) for s in by_branch["tax"]["symbols"]} == {("total", "body"), ("tax_of", "signature")}
    assert {(s["name"], s["change"]) for s in by_branch["page"]["symbols"]} == {("total", "body"), ("bill", "added")}
    meetings = {(m["kind"], pathlib.Path(m["first"]).name, pathlib.Path(m["second"]).name, m.get("symbol", {"name": m["path"]})["name"])
                for m in answer["meetings"]}
    assert meetings == {("text", "b", "a", "shop/cart.py"), ("both", "b", "a", "total"), ("uses", "a", "b", "tax_of")}, meetings
    text = repository.codexmem("worktrees", cwd=b).stdout
    for line in ("shop/price.py:5  function tax_of: signature", "total: page and tax both change it",
                 "shop/cart.py: git cannot merge page and tax",
                 "tax_of: signature in tax, named in a new place in page"):
        assert line in text, text
    # An impact names what the others change too, also before an edit.
    for words, of in (((), b), (("total",), b)):
        impact = json.loads(repository.codexmem("impact", "--json", *words, cwd=of).stdout)
        assert any("shop/cart.py  total: page and tax both change it" in line for line in impact["otherWorktrees"]), impact
    text = repository.codexmem("impact", cwd=b).stdout
    assert "tax_of: signature in tax, named in a new place in page" in text, text
    assert "otherWorktrees" not in json.loads(repository.codexmem("impact", "other", "--json").stdout)
    # A merged change no longer counts.
    repository.git("commit", "-qam", "thrice", cwd=a)
    repository.git("merge", "-q", "tax")
    assert [each["files"] for each in answer_of(repository)["worktrees"] if each["branch"] == "tax"] == [[]]
    shutil.rmtree(a)
    assert [each["branch"] for each in answer_of(repository)["worktrees"]] == ["main", "page"]


def check_indexes(program, folder):
    repository = Repository(program, folder)
    repository.commit({**FILES, **{f"many/m{i}.py": f"def m{i}():\n    return {i}\n" for i in range(60)}})
    repository.index()
    tree = repository.base / "tree"
    repository.git("worktree", "add", "-q", "-b", "work", tree)
    repository.write({"shop/page.py": "def page_of():\n    return ''\n"}, root=tree)
    found = repository.codexmem("symbol", "page_of", cwd=tree)  # the first question makes the index
    assert found.returncode == 0 and "shop/page.py" in found.stdout, found
    assert repository.codexmem("refs", "price_of", cwd=tree).stdout == repository.codexmem("refs", "price_of").stdout
    again = json.loads(repository.codexmem("index", "--json", cwd=tree).stdout)["stats"]
    assert again["filesProcessed"] == 0, again
    assert repository.codexmem("debug", "check", cwd=tree).returncode == 0
    # Only the file that differs was read: status says what the last run that changed something did.
    other = repository.base / "other"
    repository.git("worktree", "add", "-q", "-b", "more", other, "work")
    report = json.loads(repository.codexmem("index", "--json", cwd=other).stdout)["stats"]
    assert report["filesProcessed"] <= 1, report


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    for check in (check_changes, check_indexes):
        with tempfile.TemporaryDirectory(prefix="codexmem-worktrees-") as folder:
            check(program, folder)
            print(check.__name__, "passed")


if __name__ == "__main__":
    main()
