#!/usr/bin/env python3
"""What scripts/fuzz and scripts/sanitize note in bench/robustness.md."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop())


def run(script, function, *words, cwd=None):
    """Calls a function of a script without the rest of it."""
    text = (ROOT / "scripts" / script).read_text()
    (body,) = re.findall(rf"^{function}\(\) {{\n.*?^}}$", text, re.M | re.S)
    line = f"set -euo pipefail\ngit() {{ echo abc1234; }}\n{body}\n{function} \"$@\""
    return subprocess.run(["bash", "-c", line, "bash", *map(str, words)], cwd=cwd, capture_output=True, text=True,
                          check=True).stdout.strip()


class Notes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.page = self.folder / "bench/robustness.md"
        self.page.parent.mkdir()
        self.page.write_text((ROOT / "bench/robustness.md").read_text())
        self.log = self.folder / "log"

    def line(self, script):
        (line,) = [line for line in self.page.read_text().splitlines() if line.startswith(f"- `scripts/{script}`: ")]
        return line

    def test_inputs_are_added_up(self):
        before = int(self.line("fuzz").split("`: ")[1].split()[0].replace(",", ""))
        for count in (1_234_567, 9_000_000):
            run("fuzz", "add_to_total", count, self.page)
        self.assertRegex(self.line("fuzz"), rf": {before + 10_234_567:,} executions, the last on \d{{4}}-\d\d-\d\d at commit abc1234$")

    def test_a_run_that_ends_early_counts(self):
        for text, count in (("#2\tINITED\n#4096\tpulse\nstat::number_of_executed_units: 5000\nstat::x: 1\n", 5000),
                            ("#2\tINITED\n#4096\tpulse\n== ERROR\n", 4096), ("", 0)):
            self.log.write_text(text)
            self.assertEqual(run("fuzz", "executions_of", self.log), str(count))

    def test_a_sanitized_run_is_noted_with_what_failed(self):
        for text, noted in (("99% tests passed, 2 tests failed out of 312\n\nThe following tests FAILED:\n\t  3 - store_test (Failed)\n"
                             "\t 14 - kills_test (Timeout)\n", "312 tests: failed: kills_test store_test"),
                            ("100% tests passed, 0 tests failed out of 300\n", "300 tests: all passed")):
            self.log.write_text(text)
            run("sanitize", "note", "asan", self.log, cwd=self.folder)
            self.assertRegex(self.line("sanitize asan"), rf": \d{{4}}-\d\d-\d\d, commit abc1234, {noted}$")


if __name__ == "__main__":
    unittest.main()
