#!/usr/bin/env python3
"""codexmem history: how a definition appeared, changed, was renamed and moved.

  tests/git/history_test.py --program build/dev/bin/codexmem
"""

import argparse
import json
import sys
import tempfile

from git_repository import Repository

FIRST = "def price(item):\n    return item.cost\n\n\ndef other():\n    return 2\n"
STEPS = [  # the files of a commit, and its message
    ({"shop/price.py": FIRST}, "begin"),
    ({"shop/price.py": FIRST.replace("item.cost", "item.cost * 2")}, "dearer"),
    ({"shop/price.py": "# Prices.\n" + FIRST.replace("item.cost", "item.cost * 2")}, "a comment"),
    ({"shop/price.py": FIRST.replace("item.cost", "item.cost * 2").replace("return 2", "return 3")}, "another one"),
    ({"shop/price.py": FIRST.replace("item.cost", "item.cost * 2").replace("price", "price_of")}, "a better name"),
    ({"shop/price.py": "def other():\n    return 2\n",
      "shop/cart.py": "def price_of(item):\n    return item.cost * 2\n"}, "to the cart"),
    ({"shop/cart.py": "def price_of(item, count):\n    return item.cost * 2 * count\n"}, "more of them"),
    ({"shop/readme.md": "# Shop\n"}, "no code"),
]


def history_of(repository, *words, code=0):
    done = repository.codexmem("history", *words, "--json")
    assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
    return json.loads(done.stdout) if done.stdout else done.stderr


HEADER = "#pragma once\nnamespace shop {\nclass Cart {\n public:\n  int total() const;\n  int total(int rate) const { return RATE; }\n};\n}\n"
SOURCE = "#include \"cart.h\"\nnamespace shop {\nint Cart::total() const { return SUM; }\nint unrelated() { return OTHER; }\n}\n"


def check_cpp(program, folder):
    """Overloads in a header and its source are one; TEST(Cart, total) is another; a missing blob is passed over."""
    repository = Repository(program, folder, name="cpp")

    def commit(at, message, **words):
        texts = {"cart.h": HEADER, "cart.cpp": SOURCE, "data.cpp": "int DATA;\n"}
        for name, value in {"RATE": "1", "SUM": "1", "OTHER": "1", "DATA": "data", **words}.items():
            texts = {path: text.replace(name, value) for path, text in texts.items()}
        test = "#include \"../cart.h\"\nTEST(Cart, total) { shop::Cart().total(); }\n"
        repository.env["GIT_COMMITTER_DATE"] = f"2026-01-01T10:00:{at:02} +0000"
        repository.commit({**texts, "tests/cart_test.cpp": test}, message)

    commit(1, "begin")
    commit(2, "in the header", RATE="2")
    commit(3, "in the source", RATE="2", SUM="2")
    commit(4, "elsewhere", RATE="2", SUM="2", OTHER="2")
    commit(5, "data", RATE="2", SUM="2", OTHER="2", DATA="changed")
    answer = history_of(repository, "Cart::total")
    assert [c["summary"] for c in answer["commits"]] == ["in the source", "in the header", "begin"], answer
    assert [c["summary"] for c in history_of(repository, "shop::Cart::total", "--limit", "1")["commits"]] == ["in the source"]
    # Git lacks a blob, of a file that the definition is not in.
    blob = repository.git("rev-parse", "HEAD:data.cpp").strip()
    (repository.root / ".git/objects" / blob[:2] / blob[2:]).unlink()
    repository.write({"data.cpp": "int other;\n"})
    assert len(history_of(repository, "Cart::total")["commits"]) == 3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    with tempfile.TemporaryDirectory() as folder:
        repository = Repository(program, folder)
        for at, (files, message) in enumerate(STEPS):
            repository.env["GIT_COMMITTER_DATE"] = f"2026-01-01T10:00:{at:02} +0000"
            repository.commit(files, message)
        # A merge brings what other commits changed.
        repository.git("checkout", "-q", "-b", "side", "HEAD~2")
        repository.commit({"shop/side.py": "def side():\n    return 1\n"}, "next to it")
        repository.git("checkout", "-q", "main")
        repository.git("merge", "-q", "--no-ff", "-m", "both", "side")
        answer = history_of(repository, "price_of")
        found = [(c["summary"], c["change"], c["file"]["path"], c["symbol"], c.get("was")) for c in answer["commits"]]
        assert found == [
            ("more of them", "signature", "shop/cart.py", "price_of", None),
            ("to the cart", "moved", "shop/cart.py", "price_of", {"path": "shop/price.py", "symbol": "price_of"}),
            ("a better name", "renamed", "shop/price.py", "price_of", {"symbol": "price"}),
            ("dearer", "body", "shop/price.py", "price", None),
            ("begin", "added", "shop/price.py", "price", None),
        ], found
        assert "note" not in answer and answer["commits"][0]["author"] == "t"
        assert answer["commits"][4]["commit"] == repository.git("rev-list", "--max-parents=0", "HEAD").strip()
        assert [c["summary"] for c in history_of(repository, "side")["commits"]] == ["next to it"]
        short = history_of(repository, "price_of", "--limit", "2")
        assert len(short["commits"]) == 2 and "--limit asks for more" in short["note"], short
        text = repository.codexmem("history", "price_of").stdout
        assert "renamed price_of, was price" in text and "moved price_of, was shop/price.py" in text, text
        assert "nothing is called" in history_of(repository, "nosuch", code=1)["message"]
        # The other side of a merge moved the file.
        repository.git("checkout", "-q", "-b", "fast", "HEAD")
        repository.commit({"shop/side.py": "def side():\n    return 1 + 1\n"}, "faster")
        repository.git("checkout", "-q", "main")
        repository.git("mv", "shop/side.py", "shop/aside.py")
        repository.git("commit", "-q", "-m", "moved away")
        repository.git("merge", "-q", "--no-ff", "-m", "both again", "fast")
        found = {c["summary"] for c in history_of(repository, "side")["commits"]}
        assert found >= {"faster", "next to it"}, found
        repository.git("mv", "shop/aside.py", "shop/side.py")
        repository.git("commit", "-q", "-m", "back")
        # A clone without older commits says so.
        repository.git("clone", "-q", "--depth", "2", f"file://{repository.root}", repository.base / "shallow")
        done = repository.codexmem("history", "side", "--json", cwd=repository.base / "shallow")
        assert done.returncode in (0, 1) and "no older commits" in json.loads(done.stdout)["note"], (done.stdout, done.stderr)
        repository.write({"shop/new.py": "def fresh():\n    return 1\n", "shop/two.py": "def side():\n    return 2\n"})
        assert history_of(repository, "fresh", code=1)["note"] == "Not committed yet: added."
        # Moved and given another name since the last commit.
        repository.git("mv", "shop/cart.py", "shop/basket.py")
        moved = history_of(repository, "price_of")
        assert moved["note"] == "Not committed yet: moved." and len(moved["commits"]) == 5, moved
        text = (repository.root / "shop/basket.py").read_text()
        repository.write({"shop/basket.py": text.replace("price_of", "cost_of")})
        renamed = history_of(repository, "cost_of")
        assert len(renamed["commits"]) == 5 and renamed["note"].startswith("Not committed yet: "), renamed
        assert "2 definitions are called" in history_of(repository, "side", code=2)["message"]
        assert len(history_of(repository, "shop/side.py::side")["commits"]) >= 3
    with tempfile.TemporaryDirectory() as folder:
        check_cpp(program, folder)
    print("history: all as it should be")


if __name__ == "__main__":
    sys.exit(main())
