"""Each promise of docs/design/trust.md names a test that is there.

Usage: trust_page_test.py SOURCE
"""
import pathlib
import sys
import unittest

from promises import Tests, read_rows, test_names

SOURCE = pathlib.Path(sys.argv[1])


class TrustPage(unittest.TestCase):
    def test_each_promise_has_its_test(self):
        promises = read_rows(SOURCE / "docs/design/trust.md", end="## What leaves the machine")
        self.assertGreater(len(promises), 15)
        tests = Tests(SOURCE)
        for promise, named in promises:
            names = test_names(named)
            self.assertTrue(names, f"no test for: {promise}")
            for name in names:
                self.assertTrue(tests.is_test(name), f"{name} is not a test, which is to hold: {promise}")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
