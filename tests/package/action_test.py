"""What action.yml runs (packaging/action/check): annotations, summary, exit code, and SARIF as the specification wants it.

Usage: action_test.py CODEXMEM SOURCE.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = map(os.path.abspath, sys.argv[1:3])
USER = "def test_load():\n    from a import load\n    assert load('x') == 'x'\n"


class Action(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.home = folder.name
        self.repository = f"{self.home}/shop"
        os.mkdir(self.repository)
        self.env = {"PATH": f"{os.path.dirname(PROGRAM)}:{os.environ['PATH']}", "HOME": self.home, "LC_ALL": "C.UTF-8",
                    "RUNNER_TEMP": self.home, "GITHUB_OUTPUT": f"{self.home}/output",
                    "GITHUB_STEP_SUMMARY": f"{self.home}/summary", "SINCE": "HEAD^1", "STRICT": "false"}
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit({"a.py": "def load(path):\n    return path\n", "test_a.py": USER})

    def git(self, *words):
        identity = ["-c", "user.name=n", "-c", "user.email=n@example.org"]
        subprocess.run(["git", *identity, *words], cwd=self.repository, env=self.env, check=True, capture_output=True)

    def commit(self, files):
        for name, text in files.items():
            with open(f"{self.repository}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "m")

    def check(self, **env):
        return subprocess.run([f"{SOURCE}/packaging/action/check"], cwd=self.repository, env={**self.env, **env}, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)

    def read(self, name):
        with open(f"{self.home}/{name}", encoding="utf-8") as file:
            return file.read()

    def sarif(self):
        """The report, after a look at what SARIF 2.1.0 (OASIS, sections 3.13 to 3.30) requires of its parts."""
        self.assertEqual(self.read("output"), f"sarif={self.home}/codexmem.sarif\n")
        log = json.loads(self.read("codexmem.sarif"))
        self.assertEqual(log["version"], "2.1.0")
        (run,) = log["runs"]
        driver = run["tool"]["driver"]
        self.assertTrue(driver["name"])
        rules = [rule["id"] for rule in driver["rules"]]
        self.assertEqual(len(rules), len(set(rules)))
        for result in run["results"]:
            self.assertTrue(result["message"]["text"])
            self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])
            self.assertIn(result["level"], ["none", "note", "warning", "error"])
            for location in result["locations"]:
                place = location["physicalLocation"]
                self.assertNotRegex(place["artifactLocation"]["uri"], r"^/|\\|\s")
                self.assertGreaterEqual(place["region"]["startLine"], 1)
                self.assertGreaterEqual(place["region"].get("startColumn", 1), 1)
        for invocation in run["invocations"]:
            self.assertIsInstance(invocation["executionSuccessful"], bool)
        return run["results"]

    def test_a_change_that_breaks_something(self):
        self.commit({"a.py": "def load(path, mode):\n    return path\n"})
        done = self.check()
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("::error file=test_a.py,line=3,", done.stdout)
        (result,) = self.sarif()
        self.assertEqual((result["ruleId"], result["level"]), ("call", "error"))
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]), ("test_a.py", 3))
        summary = self.read("summary")
        self.assertIn("    test_a.py:3:", summary)
        self.assertRegex(summary, r"(?m)^      pytest test_a.py$")
        # Only headings are not in a block: no text of the repository is Markdown.
        outside = [line for line in summary.splitlines() if line and not line.startswith("    ")]
        self.assertEqual(outside, ["## What this change breaks", "## What it touches, and tests to run"])

    def test_a_merge_that_breaks_nothing(self):
        self.git("switch", "--quiet", "--create", "topic")
        self.commit({"b.py": "from a import load\n\nload('y')\n"})
        self.git("switch", "--quiet", "main")
        self.commit({"c.py": "x = 1\n"})
        self.git("merge", "--quiet", "--no-edit", "topic")
        done = self.check()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.sarif(), [])
        self.assertIn("b.py", self.read("summary"))
        self.assertNotIn("c.py", self.read("summary"))

    def test_a_long_report_is_cut_and_says_so(self):
        self.commit({"test_a.py": USER + "".join(f"def test_{i}():\n    from a import load\n    load({i})\n" for i in range(500))})
        self.commit({"a.py": "def load(path, mode):\n    return path\n"})
        self.assertEqual(self.check().returncode, 1)
        self.assertRegex(self.read("summary"), r"(?m)^[1-9]\d* more lines are left out\.$")

    def test_a_shallow_clone_says_what_is_missing(self):
        done = self.check()  # one commit
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stdout, "^::error title=codexmem::there is no revision HEAD.1 here: .*fetch-depth")

    def test_paths_of_the_action_exist(self):
        with open(f"{SOURCE}/action.yml", encoding="utf-8") as file:
            text = file.read()
        named = re.findall(r"\$GITHUB_ACTION_PATH/([\w/]+)", text)
        self.assertEqual(len(named), 2)
        for path in named:
            self.assertTrue(os.access(f"{SOURCE}/{path}", os.X_OK), path)
        # What others chose is in variables, never in the text of a script.
        for script in re.findall(r"run: (?:\|\n)?(.*?)(?=\n    - |\Z)", text, re.DOTALL):
            self.assertNotIn("${{", script)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
