#!/usr/bin/env python3
"""The account of get_references adds up to what `grep -w` finds: names drawn from testdata and this repository.

  tests/ask/account_test.py --program build/dev/bin/codexmem
"""
import argparse
import os
import pathlib
import shutil
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
import account  # noqa: E402  (of bench)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    options.codexmem, options.names, options.seed = os.path.abspath(options.program), 100, 7
    options.index = ["--skip-embeddings"]
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(HOME=folder, CODEXMEM_DATA_DIR=folder + "/store")
        for parts in (["testdata/languages", "testdata/hostile"], ["src", "docs", "tests", "bench", "scripts"]):
            tree = pathlib.Path(folder, "tree", parts[0].replace("/", "_"))
            for part in parts:
                if (ROOT / part).is_dir():
                    shutil.copytree(ROOT / part, tree / part, symlinks=True,
                                    ignore=shutil.ignore_patterns("node_modules", ".codexmem", "library.stubs"))
            names, wrong, _ = account.check(options, str(tree))
            assert names >= 90 and wrong == 0, f"{wrong} of {names} names of {parts} do not add up"


if __name__ == "__main__":
    main()
