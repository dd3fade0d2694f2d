"""Each promise of docs/contract.md names tests that exist; each case of contract_test is named there.

Usage: contract_page_test.py SOURCE
"""
import pathlib
import re
import sys
import unittest

from promises import Tests, read_promises, test_names

SOURCE = pathlib.Path(sys.argv[1])
PAGE = SOURCE / "docs/contract.md"


class ContractPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tests = Tests(SOURCE)

    def test_each_promise_has_its_tests(self):
        promises = read_promises(PAGE)
        self.assertEqual(len(promises), len(re.findall(r"^- ", PAGE.read_text(encoding="utf-8"), re.MULTILINE)))
        self.assertGreater(len(promises), 200)
        for promise, line in promises:
            with self.subTest(promise=promise):
                self.assertTrue(test_names(line), "no test")
                for name in test_names(line):
                    self.assertTrue(self.tests.is_test(name), f"{name} is not a test")

    def test_each_case_of_the_contract_test_has_its_promise(self):
        named = set(test_names(PAGE.read_text(encoding="utf-8")))
        _, cases = self.tests.python["contract"]
        self.assertEqual({f"contract_test.{case}" for case in cases} - named, set())

    def test_names_are_read(self):
        self.assertEqual(test_names("`a_test`, `b_test.{c,d}`, `E.F`"), ["a_test", "b_test.c", "b_test.d", "E.F"])
        for name in ("no_such_test", "contract_test.no_such_case", "worker_routes_test.search_items", "Tools.NoSuchCase"):
            self.assertFalse(self.tests.is_test(name), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
