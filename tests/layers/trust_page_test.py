"""Each promise of docs/trust.md names a test that is there.

Usage: trust_page_test.py SOURCE
"""
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv[1])


class TrustPage(unittest.TestCase):
    def test_each_promise_has_its_test(self):
        page = (SOURCE / "docs/trust.md").read_text(encoding="utf-8").split("## What leaves the machine")[0]
        promises = [line.strip("|").rsplit("|", 1) for line in page.splitlines()
                    if line.startswith("|") and not re.match(r"\|[- |]+$|\| what holds ", line)]
        self.assertGreater(len(promises), 15)
        files = [path.read_text(encoding="utf-8") for path in SOURCE.glob("tests/*/*")
                 if path.name == "CMakeLists.txt" or path.suffix in (".cpp", ".py")]
        everything = "\n".join(files)
        for promise, tests in promises:
            names = re.findall(r"`([\w.]+)`", tests)
            self.assertTrue(names, f"no test for: {promise}")
            for name in names:
                suite, _, case = name.partition(".")
                known = (re.search(rf"\bTEST(_F|_P)?\({suite}, {case}\)", everything) if case else
                         re.search(rf"NAME {name}\b", everything) or
                         re.search(rf"foreach\(test [^)]*\b{name.removesuffix('_test')}\b", everything))
                self.assertTrue(known, f"{name} is not a test, which is to hold: {promise}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
