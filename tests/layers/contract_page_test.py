"""Each row of docs/design/contract.md works, or says what is otherwise, and names tests that are there; each case of contract_test has its row.

Usage: contract_page_test.py SOURCE
"""
import pathlib
import sys
import unittest

from promises import Tests, read_rows, test_names

SOURCE = pathlib.Path(sys.argv[1])


class ContractPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = read_rows(SOURCE / "docs/design/contract.md")
        cls.tests = Tests(SOURCE)

    def test_each_row_works_and_has_its_tests(self):
        self.assertGreater(len(self.rows), 150)
        for row in self.rows:
            with self.subTest(row=row[0]):
                asked, seen, tests, state = row  # a ValueError: a cell too many or too few
                self.assertTrue(asked and seen)
                self.assertRegex(state, r"^(works|otherwise: .{20,})$")
                self.assertTrue(test_names(tests), "no test")
                for name in test_names(tests):
                    self.assertTrue(self.tests.is_test(name), f"{name} is not a test")

    def test_each_case_of_the_contract_test_has_its_row(self):
        named = set(test_names((SOURCE / "docs/design/contract.md").read_text(encoding="utf-8")))
        _, cases = self.tests.python["contract"]
        self.assertEqual({f"contract_test.{case}" for case in cases} - named, set())

    def test_what_is_no_test_is_seen(self):
        for name in ("no_such_test", "contract_test.no_such_case", "worker_routes_test.search_items", "Tools.NoSuchCase"):
            self.assertFalse(self.tests.is_test(name), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
