#!/usr/bin/env python3
"""codexmem export: what readtags, vim, Graphviz and an XML parser make of the files; and SCIP taken in again.

  tests/git/export_test.py --program build/dev/bin/codexmem

Programs that are not there are passed over, and said.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from git_repository import Repository

FILES = {
    "web/app.py": "from core.price import price\n\n\ndef show(x):\n    price()\n    x.sell()\n",
    "core/__init__.py": "",
    "core/price.py": "def price():\n    return tax()\n\n\ndef tax():\n    return 1\n",
    "core/odd <&> \"name\".py": "from core.price import tax\n\n\nclass Shop:\n    def sell(self):\n        return tax()\n",
    "readme.md": "# Shop\n",
}


def has(name):
    if shutil.which(name):
        return True
    print(f"{name} is not here: not checked")
    return False


def exported(repository, *words):
    done = repository.codexmem("export", *words)
    assert done.returncode == 0, (words, done.stderr)
    return done


def check_tags(repository):
    exported(repository, "--ctags", "tags")
    lines = (repository.root / "tags").read_text().splitlines()
    tags = [line for line in lines if not line.startswith("!")]
    assert tags == sorted(tags) and len(tags) == 5, tags
    if has("readtags"):
        found = repository.run("readtags", "-t", "tags", "-en", "sell")
        assert found.returncode == 0 and "class:Shop" in found.stdout, (found.stdout, found.stderr)
    if has("vim"):
        found = repository.run("vim", "-u", "NONE", "-es", "-c", "set tags=tags", "-c", "tag tax", "-c", "redir! > place", "-c",
                               "echo expand('%') line('.')", "-c", "redir END", "-c", "qa!")
        assert (repository.root / "place").read_text().split() == ["core/price.py", "5"], found.stderr
    # In another folder the paths are whole.
    elsewhere = repository.base / "tags"
    exported(repository, "--ctags", elsewhere)
    assert f"\t{repository.root}/core/price.py\t" in elsewhere.read_text()


def check_graphs(repository):
    for words in (["--of", "deps"], ["--by", "folder"], ["--of", "calls"], ["--of", "calls", "--by", "symbol"]):
        exported(repository, *words, "--dot", "g.dot", "--graphml", "g.graphml")
        first = (repository.root / "g.dot").read_bytes()
        assert first.count(b"->") >= 1, first
        exported(repository, *words, "--dot", "g.dot")
        assert (repository.root / "g.dot").read_bytes() == first
        if has("dot"):
            drawn = repository.run("dot", "-Tsvg", "g.dot", "-o", "g.svg")
            assert drawn.returncode == 0, drawn.stderr
        graph = xml.etree.ElementTree.parse(repository.root / "g.graphml").getroot()
        space = "{http://graphml.graphdrawing.org/xmlns}"
        nodes = {node.get("id") for node in graph.iter(f"{space}node")}
        edges = list(graph.iter(f"{space}edge"))
        assert edges and all(edge.get("source") in nodes and edge.get("target") in nodes for edge in edges)
    done = exported(repository, "--of", "calls", "--dot", "g.dot")
    assert "left out: 1 call " in done.stderr, done.stderr


def check_scip(repository):
    done = exported(repository, "--scip", "index.scip")
    assert "left out: 1 name that may mean" in done.stderr, done.stderr
    quiet = exported(repository, "--scip", "again.scip", "-q")
    assert not quiet.stderr and (repository.root / "index.scip").read_bytes() == (repository.root / "again.scip").read_bytes()
    piped = subprocess.run([repository.program, "export", "--scip", "-"], cwd=repository.root, env=repository.env, capture_output=True)
    assert piped.stdout == (repository.root / "index.scip").read_bytes()


def compilers(repository):
    return sum(json.loads(repository.codexmem("status", "--json").stdout)["compilers"].values())


def check_import(repository):
    """What an index says stays until its file changes, and no longer."""
    repository.index()
    before = repository.codexmem("refs", "tax").stdout
    exported(repository, "--scip", "index.scip")
    done = repository.codexmem("index", "--skip-embeddings", "--scip", "index.scip")
    assert done.returncode == 2 and "says nothing new" in done.stderr, done.stderr
    index = repository.root / "index.scip"
    index.write_bytes(index.read_bytes().replace(b"codexmem", b"compiler", 1))  # the tool's name
    done = repository.codexmem("index", "--skip-embeddings", "--scip", "index.scip")
    assert done.returncode == 0 and "4  files, " in done.stdout and "by compiler " in done.stdout, (done.stdout, done.stderr)
    assert repository.codexmem("refs", "tax").stdout == before
    assert "is read by compiler" in repository.codexmem("refs", "tax", "--explain").stdout
    assert compilers(repository) == 4
    for bad in (b"", b"no protobuf", (repository.root / "index.scip").read_bytes()[:-3], b"\x0a\x00\x12\x06\x0a\x04../x"):
        (repository.root / "bad.scip").write_bytes(bad)
        done = repository.codexmem("index", "--skip-embeddings", "--scip", "bad.scip")
        assert done.returncode == 2 and "bad.scip" in done.stderr, (bad[:20], done.stderr)
        assert compilers(repository) == 4
    assert repository.codexmem("index", "--scip", "none.scip").returncode == 2
    repository.codexmem("index", "--skip-embeddings", "--force")
    assert compilers(repository) == 4  # the same bytes
    repository.write({"core/price.py": FILES["core/price.py"] + "\n\ntax()\n"})
    assert "core/price.py:9:1" in repository.codexmem("refs", "tax").stdout
    assert compilers(repository) == 3
    done = repository.codexmem("index", "--skip-embeddings", "--scip", "index.scip")
    assert "not used for core/price.py: it has changed after the index was written" in done.stderr, done.stderr
    repository.write({"web/app.py": None})
    repository.index()
    assert compilers(repository) == 2


def check_mistakes(repository):
    for words in ([], ["--ctags", "t", "--format", "xml"], ["--dot", "-", "--scip", "-"], ["--dot", "d", "--by", "symbol"],
                  ["--dot", "no/such/folder/d"]):
        done = repository.codexmem("export", *words)
        assert done.returncode == 2 and done.stderr, (words, done)
    assert not (repository.root / "d").exists()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        repository = Repository(options.program, scratch)
        repository.write({".gitignore": "tags\ng.*\n*.scip\nplace\nd\n"})
        repository.commit(FILES)
        for check in (check_tags, check_graphs, check_scip, check_mistakes, check_import):
            check(repository)
    print("exports are read by other programs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
