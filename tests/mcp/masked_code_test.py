#!/usr/bin/env python3
"""Secrets in code are masked wherever code is shown: in every tool, resource, page and command, as JSON and as text.

  tests/mcp/masked_code_test.py --program build/ci/bin/codexmem
"""
import argparse
import collections
import json
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "contract"))
from program import Program
from secret_code import left, make_files

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SHOP = f'''"""The shop signs its orders with {TOKEN}."""


def sign_order(order, token="{TOKEN}"):
    """Signs with "{TOKEN}" by default."""
    return send(order, "{TOKEN}")


def send(order, token):
    return order
'''
USER = f'from shop import sign_order\n\n\ndef pay(order):\n    return sign_order(order, "{TOKEN}")\n'
PASSWORD = "gR7x!qLp2Zt"
KEY_LINE = "QxZ7pLm3" * 6
# Secrets that only the lines before them give away.
KEPT = f'''from shop import send

KEY = """-----BEGIN RSA PRIVATE {"KEY"}-----
{KEY_LINE}
{KEY_LINE}/send/{KEY_LINE}
QxZ7/send/QxZ7=
-----END RSA PRIVATE {"KEY"}-----
"""
SETUP = """
password:
  "{PASSWORD}/send"
"""
client = log_in(
    password=
    "{PASSWORD}", first=send(1, 2))
'''
CALLS = {
    "search_code": [{"query": "sign an order"}, {"query": "sign_order"}, {"query": f'"{TOKEN}"'}, {"query": "signs token", "format": "json"}],
    "locate": [{"text": "signing an order fails in sign_order"}],
    "find_symbol": [{"symbol": "sign_order"}],
    "get_references": [{"symbol": "sign_order"}, {"name": TOKEN}],
    "get_context": [{"file_path": "shop.py"}, {"file_path": "shop.py", "symbol": "sign_order"}, {"file_path": "pay.py"}],
    "analyze_change": [{"symbols": ["sign_order"]}, {}],
    "analyze_dependencies": [{"file_path": "pay.py"}],
    "trace_calls": [{"to": "send"}],
    "plan_rename": [{"symbol": "sign_order", "new_name": "seal_order"}],
    "symbol_history": [{"symbol": "sign_order"}],
    "repository_overview": [{}],
}
COMMANDS = [["search", "sign an order"], ["search", f'"{TOKEN}"'], ["symbol", "sign_order"], ["refs", "sign_order"], ["context", "shop.py"],
            ["locate", "-"], ["rename", "sign_order", "seal_order"], ["check"], ["impact", "sign_order"]]


class MaskedCode(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.program = Program(program, scratch.name)

    def make_shop(self):
        self.program.write("shop.py", SHOP)
        self.program.write("pay.py", USER)
        git = ["git", "-c", "user.name=t", "-c", "user.email=t@t"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "the shop"]):
            subprocess.run([*git, *words], cwd=self.program.root, check=True)
        self.program.write("shop.py", SHOP.replace("(order, token=", "(order, copies=1, token="))

    def test_no_tool_and_no_resource_shows_a_token(self):
        self.make_shop()
        for words in ([], ["--text"]):
            server = self.program.serve(*words)
            self.addCleanup(server.stop)
            shown = ""
            for tool, all_arguments in CALLS.items():
                for arguments in all_arguments:
                    with self.subTest(tool, words=words, **arguments):
                        result = server.call(tool, arguments)
                        given = json.dumps(arguments)
                        text = json.dumps(result)
                        self.assertFalse(result.get("isError"), text)
                        if TOKEN not in given:
                            self.assertEqual(left([TOKEN], text), [])
                        else:
                            self.assertNotIn(f'token=\\"{TOKEN}', text.replace("\\\\", "\\"))
                        shown += text
            for uri in ("codexmem://file/shop.py", "codexmem://symbol/sign_order"):
                text = json.dumps(server.ask("resources/read", {"uri": uri}))
                self.assertEqual(left([TOKEN], text), [], uri)
                shown += text
            self.assertGreater(shown.count("[masked*"), 10)

    def test_no_command_shows_a_token(self):
        self.make_shop()
        self.program.run("index")
        for words in COMMANDS:
            for form in ([], ["--json"]):
                with self.subTest(words, form=form):
                    done = self.program.run(*words, *form, input="signing an order fails in sign_order")
                    self.assertIn(done.returncode, (0, 1), done.stderr)
                    text = done.stdout.replace(f'"query":"\\"{TOKEN}\\""', "")
                    self.assertEqual(left([TOKEN], text), [])

    def test_a_line_is_masked_as_its_file_is(self):
        self.make_shop()
        self.program.write("kept.py", KEPT)
        self.program.run("index")
        typed = [PASSWORD + "/send", "QxZ7/send"]  # answers repeat what was asked
        for words in (["refs", "send"], ["rename", "send", "deliver", "--strings"], ["impact", "send"], ["search", '"QxZ7/send"'],
                      ["search", f'"{PASSWORD}/send"'], ["change", "send", "--remove", "2"]):
            for form in ([], ["--json"]):
                with self.subTest(words, form=form):
                    text = self.program.run(*words, *form).stdout
                    self.assertIn("kept.py", text)
                    if words[1].strip('"') in typed:
                        text = text.replace(words[1].strip('"'), "", 1) if form else text
                    self.assertNotIn(PASSWORD, text)
                    self.assertNotIn("QxZ7", text)
        self.program.write("shop.py", SHOP.replace("def send(order, token)", "def send(order, token, copies)"))
        self.program.run("index")
        text = self.program.run("check").stdout
        self.assertIn("kept.py:15", text)
        self.assertNotIn(PASSWORD, text)

    def test_a_change_shows_no_token_and_writes_it(self):
        self.make_shop()
        self.program.run("index")
        words = ["change", "send", "--reorder", "2,1"]
        for form in ([], ["--json"]):
            text = self.program.run(*words, *form).stdout
            self.assertEqual(left([TOKEN], text), [])
            self.assertIn("[masked*", text)
            self.assertIn("only applying the plan here writes it", " ".join(text.split()))
        done = self.program.run(*words, "--apply")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = (self.program.root / "shop.py").read_text()
        self.assertIn(f'send("{TOKEN}", order)', text)
        self.assertIn("def send(token, order)", text)

    def test_all_repositories_of_a_server_are_shown_as_its_user_says(self):
        self.make_shop()
        roots = [self.program.root, self.program.root.parent / "other"]
        self.program.run("index", HOME=str(self.program.data.parent))
        subprocess.run(["cp", "-r", roots[0], roots[1]], check=True)
        self.program.run("index", cwd=roots[1], HOME=str(self.program.data.parent))
        (roots[1] / "codexmem.json").write_text('{"codeSecrets": "shown"}')

        def shown(worker, root):
            query = urllib.parse.urlencode({"repo": str(root), "path": "shop.py"})
            return TOKEN in worker.get("/api/code/file?" + query).text

        worker = self.program.worker()
        self.assertFalse(shown(worker, roots[0]))
        self.program.run("config", "set", "codeSecrets", "shown")  # of the next one
        self.assertEqual([shown(worker, root) for root in [*roots, roots[0]]], [False] * 3)
        worker.stop()
        worker = self.program.worker()
        self.addCleanup(worker.stop)
        self.assertEqual([shown(worker, root) for root in [*roots, roots[0]]], [True] * 3)

    def test_no_page_shows_a_token(self):
        self.make_shop()
        # The worker's home is the folder around its data.
        self.program.run("index", HOME=str(self.program.data.parent))
        worker = self.program.worker()
        self.addCleanup(worker.stop)
        root = str(self.program.root)
        page = worker.get("/api/code/file?" + urllib.parse.urlencode({"repo": root, "path": "shop.py"}))
        self.assertIn("[masked*", page.text, page.text[:300])
        self.assertEqual(left([TOKEN], page.text), [])
        found = worker.get("/api/code/find", repo=root, q="sign_order").json
        symbol = next(each for each in found["symbols"] if each["name"] == "sign_order")
        page = worker.get("/api/code/symbol", repo=root, id=symbol["id"])
        self.assertIn("[masked*", page.text, page.text[:300])
        self.assertEqual(left([TOKEN], page.text), [])

    def test_a_setting_of_the_user_turns_it_off_and_one_of_the_repository_does_not(self):
        self.make_shop()
        self.program.write("codexmem.json", '{"codeSecrets": "shown"}')
        self.assertNotIn(TOKEN, self.program.run("context", "shop.py").stdout)
        shown = self.program.run("context", "shop.py", CODEXMEM_CODE_SECRETS="shown").stdout
        self.assertIn(TOKEN, shown)
        self.assertNotIn("masked", shown)

    def test_lines_and_files_stay_and_a_rename_writes_what_was_there(self):
        self.make_shop()
        before = (self.program.root / "shop.py").read_text()
        server = self.program.serve()
        self.addCleanup(server.stop)
        text = server.ask("resources/read", {"uri": "codexmem://file/shop.py"})["result"]["contents"][0]["text"]
        self.assertEqual([len(line) for line in text.split("\n")], [len(line) for line in before.split("\n")])
        self.program.run("rename", "send", "deliver", "--apply")
        self.assertEqual((self.program.root / "shop.py").read_text(), before.replace("send(", "deliver("))

    def test_at_most_five_of_three_thousand_secrets_are_shown(self):
        files = make_files(options.seed, options.count)
        for path, text, _ in files:
            self.program.write(path, text)
        server = self.program.serve()
        self.addCleanup(server.stop)
        server.call("index_repository", {})
        count, missed = 0, collections.defaultdict(list)
        for path, text, secrets in files:
            uri = "codexmem://file/" + path
            shown = server.ask("resources/read", {"uri": uri})["result"]["contents"][0]["text"]
            self.assertEqual(shown.count("\n"), text.count("\n"))
            context = json.dumps(server.call("get_context", {"file_path": path})["structuredContent"])
            for kind, values in secrets:
                count += 1
                if found := left(values, shown) or left(values, context):
                    line = next(line for line in text.split("\n") if found[0] in line)
                    missed[kind].append(f"{path}: {line}")
        self.assertGreaterEqual(count, options.count)
        if options.show:
            print(count, "secrets,", sum(map(len, missed.values())), "shown:", *sum(missed.values(), []), sep="\n  ")
        self.assertLessEqual(sum(map(len, missed.values())), 5 * count // 3000, json.dumps(missed, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--seed", type=int, default=47)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--show", action="store_true", help="print the secrets that are shown")
    options, rest = parser.parse_known_args()
    program = options.program
    unittest.main(argv=[sys.argv[0], *rest])
