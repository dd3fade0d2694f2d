#!/usr/bin/env python3
"""codexmem export: what readtags, vim, Graphviz and an XML parser make of the files.

  tests/git/export_test.py --program build/dev/bin/codexmem

Programs that are not there are passed over, and said.
"""

import argparse
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
        for check in (check_tags, check_graphs, check_scip, check_mistakes):
            check(repository)
    print("exports are read by other programs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
