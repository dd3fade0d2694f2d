"""Several repositories at once: a workspace file and a client's roots, from the shell and over MCP. Checks
which repositories answer, reports about the others, and that a repository cannot bring a
workspace along.

CODEXMEM_PROGRAM is the program. Needs git and no network.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("CODEXMEM_PROGRAM", "build/ci/bin/codexmem")

LIBRARY = {
    "package.json": '{"name": "@acme/money", "version": "1.2.0", "main": "src/index.ts"}\n',
    "src/index.ts": "/** Parses an amount of money. */\nexport function parseAmount(text: string): number {\n"
                    "  return Number(text);\n}\n\nexport function formatAmount(amount: number): string {\n"
                    "  return amount.toFixed(2);\n}\n",
    "src/ledger.ts": "import { formatAmount } from './index';\n\nexport class Ledger {\n  print(amount: number) {\n"
                     "    return formatAmount(amount);\n  }\n}\n",
    "tests/index.test.ts": "import { parseAmount } from '../src/index';\n\ntest('amount', () => parseAmount('1'));\n",
}
SHOP = {
    "package.json": '{"name": "shop", "dependencies": {"@acme/money": "^1.0.0"}}\n',
    "src/checkout.ts": "import { parseAmount } from '@acme/money';\n\nexport function checkout(text: string) {\n"
                       "  return parseAmount(text);\n}\n",
    "src/main.ts": "import { checkout } from './checkout';\n\ncheckout('5');\n",
}
TOOLS = {"report/run.py": "def run_report(lines):\n    \"\"\"Prints a report of all orders.\"\"\"\n    return lines\n"}


class Workplace:
    """A folder with three git repositories, and a home."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "NO_COLOR": "1",
            "CODEXMEM_DATA_DIR": str(self.folder / "home/.codexmem"), "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "a",
            "GIT_COMMITTER_EMAIL": "a@example.com"}
        (self.folder / "home").mkdir()
        self.work = self.folder / "work"
        for name, files in {"money": LIBRARY, "shop": SHOP, "tests": TOOLS}.items():
            self.repository(self.work / name, files)

    def repository(self, root, files):
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        self.git(root, "init", "-q")
        self.git(root, "add", "-A")
        self.git(root, "commit", "-q", "-m", "first")

    def git(self, root, *words):
        return subprocess.run(["git", "-C", root, *words], env=self.environment, check=True, capture_output=True,
                              text=True).stdout.strip()

    def name(self, repositories, folder=None):
        path = (folder or self.work) / "codexmem.workspace.json"
        path.write_text(json.dumps({"repositories": repositories}))
        return path

    def run(self, *words, root="money"):
        return subprocess.run([PROGRAM, *words], cwd=self.work / root, env=self.environment, capture_output=True,
                              text=True, timeout=120)

    def json(self, *words, root="money"):
        done = self.run(*words, "--json", root=root)
        assert done.stdout, done.stderr
        return json.loads(done.stdout)

    def index(self, *roots):
        for root in roots:
            assert self.run("index", "-q", root=root).returncode == 0


class Server:
    """`codexmem serve` and a client with `roots`."""

    def __init__(self, workplace, roots, *words, cwd=None):
        self.roots = roots
        self.process = subprocess.Popen([PROGRAM, "serve", *words], cwd=cwd or workplace.folder / "home", text=True,
                                        env=workplace.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.id = 0
        capabilities = {"roots": {}} if roots is not None else {}
        self.request("initialize", protocolVersion="2025-06-18", capabilities=capabilities,
                     clientInfo={"name": "t", "version": "1"})
        self.send(method="notifications/initialized")
        if roots is not None:
            self.read_until(None)  # its question for the roots

    def send(self, **message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def read_until(self, wanted):
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("method") == "roots/list":
                self.send(id=message["id"],
                          result={"roots": [{"uri": root.as_uri(), "name": root.name} for root in self.roots]})
                if wanted is None:
                    return None
            if "result" in message and message.get("id") == wanted:
                return message["result"]
            assert "error" not in message, message
        raise AssertionError("the server has ended")

    def request(self, method, **params):
        self.id += 1
        self.send(id=self.id, method=method, params=params)
        return self.read_until(self.id)

    def call(self, tool, **arguments):
        return self.request("tools/call", name=tool, arguments=arguments)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


def found(answer):
    """(repository, path) of the results, each once, in their order."""
    items = answer if isinstance(answer, list) else answer["results"]
    return list(dict.fromkeys((item.get("repository"), item["file"]["path"]) for item in items))


class Workspaces(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="codexmem-workspace-")
        self.addCleanup(made.cleanup)
        self.workplace = Workplace(made.name)

    # At the shell, a file above the repositories.

    def test_a_file_above_makes_one_of_them(self):
        place = self.workplace
        place.index("money", "shop", "tests")
        alone = place.run("symbol", "checkout")
        self.assertEqual(alone.returncode, 1)
        place.name(["money", {"path": "shop", "name": "web"}, "tests"])
        self.assertEqual(found(place.json("symbol", "checkout")), [("web", "src/checkout.ts")])
        self.assertEqual(found(place.json("symbol", "parseAmount", root="shop")), [("money", "src/index.ts")])
        self.assertEqual(found(place.json("search", "report", "of", "all", "orders"))[0], ("tests", "report/run.py"))
        # What one publishes and another imports is one.
        self.assertIn(("web", "src/checkout.ts"), found(place.json("refs", "parseAmount")))
        self.assertEqual(place.json("workspace")["packages"],
                         [{"repository": "web", "uses": "money", "package": "@acme/money", "ecosystem": "npm",
                           "imports": 1, "required": "^1.0.0", "version": "1.2.0", "agrees": True}])
        manifest = place.work / "money/package.json"
        manifest.write_text(manifest.read_text().replace("1.2.0", "2.0.0"))
        place.index("money")
        self.assertIn("web uses @acme/money of money: 1 import, asks for ^1.0.0, which 2.0.0 is not",
                      place.run("workspace").stdout)
        uses = found(place.json("refs", "checkout"))
        self.assertEqual(uses, [("web", "src/checkout.ts"), ("web", "src/main.ts")])
        # A repository called tests makes no tests of its files.
        self.assertNotIn("report", place.run("search", "report", "of", "all", "orders", "--tests", "only").stdout)
        # The answer is of one where that is wished, and as it was.
        self.assertEqual(place.run("symbol", "checkout", "--workspace", "none").stdout, alone.stdout)
        self.assertEqual(found(place.json("search", "amount", "--repository", "web")), [("web", "src/checkout.ts")])
        wrong = place.run("search", "amount", "--repository", "nowhere")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("money, tests, web", wrong.stderr)
        shown = place.run("refs", "checkout").stdout
        self.assertIn("web:/src/main.ts:1", shown)
        self.assertIn("web at " + place.git(place.work / "shop", "rev-parse", "HEAD")[:12], shown)

    def test_a_path_may_name_its_repository(self):
        place = self.workplace
        place.index("money", "shop")
        place.name(["money", "shop"])
        for path in ["shop:/src/checkout.ts", "shop/src/checkout.ts", "../shop/src/checkout.ts",
                     str(place.work / "shop/src/checkout.ts")]:
            answer = place.json("deps", path)
            self.assertEqual(answer["repository"], "shop", path)
            self.assertEqual(answer["file"]["path"], "src/checkout.ts", path)
            self.assertEqual([each["file"]["path"] for each in answer["dependents"]], ["src/main.ts"], path)
            self.assertEqual(place.json("context", path)["repository"], "shop", path)
        self.assertEqual(place.json("deps", "src/index.ts")["repository"], "money")
        self.assertEqual(found(place.json("symbol", "shop/src/checkout.ts::checkout")), [("shop", "src/checkout.ts")])
        self.assertEqual(place.run("deps", "/etc/passwd").returncode, 2)
        self.assertEqual(place.run("deps", "../../home/x").returncode, 2)

    def test_a_path_is_one_of_the_repository_that_is_named(self):
        place = self.workplace
        (place.work / "shop/src/index.ts").write_text("export function shop() {\n  return 1;\n}\n")
        for name in ["money", "shop"]:
            (place.work / name / "src/own.ts").write_text(f"export function {name}Only() {{\n  return 1;\n}}\n")
        (place.work / "shop/src/parse.ts").write_text("export function parseAmount() {\n  return 2;\n}\n")
        place.index("money", "shop")
        place.name(["money", "shop"])

        def pieces(*words, root="money"):
            answer = place.json("context", *words, root=root)
            return (answer["repository"], answer["file"]["path"])

        for words in [["src/index.ts"], ["shop:/src/index.ts"], ["../shop/src/index.ts"], ["shop/src/index.ts"]]:
            self.assertEqual(pieces(*words, "--repository", "shop"), ("shop", "src/index.ts"), words)
        self.assertEqual(pieces("src/index.ts"), ("money", "src/index.ts"))
        self.assertEqual(pieces("parseAmount", "--repository", "shop"), ("shop", "src/parse.ts"))
        self.assertEqual(pieces("parseAmount", "--repository", "money"), ("money", "src/index.ts"))
        for word in ["money:/src/index.ts", "src/ledger.ts"]:
            done = place.run("context", word, "--repository", "shop")
            self.assertEqual((done.returncode, done.stdout), (2, ""), word)
            self.assertIn("must be a path in the repository shop", done.stderr)

        def unused(*words):
            return {(each["repository"], each["symbol"]) for each in place.json("unused", *words)["unused"]}

        self.assertEqual(unused("src/own.ts", "--repository", "shop"), {("shop", "shopOnly")})
        self.assertEqual(unused("src/own.ts"), {("money", "moneyOnly")})
        self.assertEqual(unused(".", "--repository", "shop"), unused("--repository", "shop"))
        self.assertLessEqual({("shop", "shopOnly")}, unused(".", "--repository", "shop"))
        self.assertEqual(unused("../shop/src/own.ts", "--repository", "shop"), {("shop", "shopOnly")})
        with Server(place, None, cwd=place.work / "money") as server:
            answer = server.call("get_context", file_path="src/index.ts", repository="shop")["structuredContent"]
            self.assertEqual((answer["repository"], answer["file"]["path"]), ("shop", "src/index.ts"))

    def test_changes_are_seen_in_each(self):
        place = self.workplace
        place.index("money", "shop")
        place.name(["money", "shop"])
        (place.work / "shop/src/more.ts").write_text("import { checkout } from './checkout';\ncheckout('6');\n")
        self.assertIn(("shop", "src/more.ts"), found(place.json("refs", "checkout")))
        self.assertIn("shop at", place.run("refs", "checkout").stdout)
        self.assertIn("changed since", place.run("refs", "checkout").stdout)

    def test_what_cannot_answer_is_said(self):
        place = self.workplace
        place.index("money")
        place.name(["money", "shop", "gone"])
        done = place.run("symbol", "parseAmount")
        self.assertEqual(done.returncode, 0)
        self.assertIn("without shop: it has no index yet", done.stderr)
        self.assertIn("without gone: there is no directory", done.stderr)
        self.assertFalse((place.work / "shop/.codexmem").exists())
        listed = place.json("workspace")["repositories"]
        self.assertEqual([each["name"] for each in listed], ["money", "shop", "gone"])
        self.assertIn("no index", listed[1]["missing"])
        self.assertEqual(place.run("workspace", "--index").returncode, 2)  # one is gone
        self.assertEqual(place.json("workspace")["repositories"][1]["files"], 3)
        self.assertEqual(found(place.json("symbol", "checkout")), [("shop", "src/checkout.ts")])
        # Damage in one keeps nothing from the others.
        for path in (place.work / "shop/.codexmem").iterdir():
            if path.is_file():
                path.write_bytes(b"damaged")
        done = place.run("symbol", "parseAmount")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_impact_is_of_all(self):
        place = self.workplace
        place.index("money", "shop")
        place.name(["money", "shop"])
        answer = place.json("impact", "formatAmount")
        self.assertEqual([(each["repository"], each["file"]["path"]) for each in answer["affected"]],
                         [("money", "src/ledger.ts")])
        source = place.work / "money/src/index.ts"
        source.write_text(source.read_text().replace("Number(text)", "Number(text) || 0"))
        answer = place.json("impact")
        self.assertEqual([(each["repository"], each["symbol"]) for each in answer["changed"]], [("money", "parseAmount")])
        self.assertEqual(answer["tests"][0]["path"], "tests/index.test.ts")
        self.assertEqual(answer["tests"][0]["repository"], "money")

    # Questions about one of them.

    def test_outside_of_all_no_repository_is_guessed(self):
        place = self.workplace
        place.index("money", "shop")
        path = str(place.name(["money", "shop"]))
        for words in [["unused"], ["history", "checkout"], ["rename", "checkout", "pay"], ["check"], ["overview"],
                      ["search", "amount"], ["refs", "checkout", "--at", "HEAD"]]:
            done = place.run(*words, root=".")
            self.assertNotEqual(done.returncode, 0, words)
            self.assertEqual(done.stdout, "", words)
            self.assertIn("ask in one of money, shop, or name ", done.stderr, words)
            self.assertIn("--repo" if words == ["check"] else "--workspace", done.stderr, words)
        self.assertEqual(len(json.loads(place.run("workspace", "--json", root=".").stdout)["repositories"]), 2)
        for words in [["history", "checkout"], ["rename", "checkout", "pay"], ["overview"],
                      ["refs", "checkout", "--at", "HEAD"], ["search", "amount", "--at", "HEAD"]]:
            done = place.run(*words, "-w", path, root="../home")
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("about one repository: name it with --repository (money, shop)", done.stderr, words)
            done = place.run(*words, "-w", path, "--repository", "shop", root="../home")
            self.assertEqual(done.returncode, 0, (words, done.stderr))
            self.assertNotIn("only", done.stderr, words)
            self.assertIn("money, shop", place.run(*words, "-w", path, "--repository", "x", root="../home").stderr)
        done = place.run("impact", "-w", path, root="../home")
        self.assertEqual(done.returncode, 2)
        self.assertIn("name symbols, or ask inside one of money, shop: ", done.stderr)
        self.assertEqual(place.run("impact", "checkout", "-w", path, root="../home").returncode, 0)
        self.assertEqual(place.run("unused", "-w", path, root="../home").returncode, 0)

    def test_inside_of_one_the_others_are_named(self):
        place = self.workplace
        place.index("money", "shop")
        place.name(["money", "shop"])
        said = "codexmem: about money only; --repository names another: shop\n"
        for words in [["history", "parseAmount"], ["rename", "parseAmount", "parse"], ["overview"],
                      ["refs", "parseAmount", "--at", "HEAD"]]:
            done = place.run(*words)
            self.assertEqual((done.returncode, done.stderr.startswith(said)), (0, True), (words, done.stderr))
            self.assertNotIn("only", place.run(*words, "--workspace", "none").stderr)
        self.assertIn(said, place.run("history", "checkout").stderr)
        self.assertIn("src/checkout.ts", place.run("refs", "checkout", "--at", "HEAD", "--repository", "shop").stdout)
        self.assertIn("first", place.run("history", "checkout", "--repository", "shop").stdout)
        # A check says what it does not look at, but in a hook.
        source = place.work / "money/src/index.ts"
        source.write_text(source.read_text().replace("Number(text)", "Number(text) || 0"))
        not_checked = "not looked at: the other repositories of the workspace: shop"
        self.assertIn(not_checked, place.run("check").stderr)
        strict = place.run("check", "--strict")  # these do not count
        self.assertEqual((strict.returncode, not_checked in strict.stderr), (0, True))
        self.assertNotIn(not_checked, place.run("check", "--hook").stderr)
        self.assertEqual(place.json("check")["repositoriesNotChecked"], ["shop"])

    def test_what_another_uses_is_not_unused(self):
        place = self.workplace
        (place.work / "money/src/cents.ts").write_text(
            "export function toCents(amount: number) {\n  return amount * 100;\n}\n\n"
            "export function lonely() {\n  return 1;\n}\n")
        (place.work / "shop/src/till.ts").write_text(
            "import { toCents } from '@acme/money/src/cents';\n\ntoCents(5);\n\n"
            "export function dusty() {\n  return 2;\n}\n")
        # It imports nothing of money: its uses are of something else.
        (place.work / "tests/report/more.ts").write_text("declare const it: any;\nit.lonely();\n")
        place.index("money", "shop", "tests")

        def unused(*words, root="money"):
            return {(each.get("repository"), each["symbol"]) for each in place.json("unused", *words, root=root)["unused"]}

        self.assertLessEqual({(None, "toCents"), (None, "lonely")}, unused())
        place.name(["money", "shop", "tests"])
        everywhere = unused()
        self.assertNotIn(("money", "toCents"), everywhere)
        self.assertLessEqual({("money", "lonely"), ("shop", "dusty")}, everywhere)
        self.assertEqual(unused(root="shop"), everywhere)
        self.assertEqual({each[0] for each in unused("--repository", "shop")}, {"shop"})
        self.assertEqual(unused("."), {each for each in everywhere if each[0] == "money"})
        self.assertEqual(unused("../shop/src"), {each for each in everywhere if each[0] == "shop"})
        self.assertIn((None, "toCents"), unused("--workspace", "none"))
        self.assertIn("money:/src/cents.ts:5", place.run("unused").stdout)

    def test_a_prototype_is_hidden_by_its_own_repository_only(self):
        place = self.workplace
        (place.work / "money/rates.h").write_text("int find_rate(int day);\n")
        (place.work / "shop/rates.c").write_text("int find_rate(int day) {\n  return day + 1;\n}\n")
        place.index("money", "shop")
        place.name(["money", "shop"])
        found = {(each["repository"], each["symbol"]) for each in place.json("unused")["unused"]}
        self.assertLessEqual({("money", "find_rate"), ("shop", "find_rate")}, found)

    # Who may choose the files to read.

    def test_a_repository_brings_no_workspace_along(self):
        place = self.workplace
        place.index("money", "shop")
        place.name(["../money", "."], folder=place.work / "shop")
        self.assertEqual(found(place.json("symbol", "checkout", root="shop")), [(None, "src/checkout.ts")])
        self.assertEqual(place.run("symbol", "parseAmount", root="shop").returncode, 1)
        # Named, it is meant.
        answer = place.json("symbol", "parseAmount", "--workspace", "codexmem.workspace.json", root="shop")
        self.assertEqual(found(answer), [("money", "src/index.ts")])

    def test_an_archive_does_not_reach_out_of_its_folder(self):
        place = self.workplace
        archive = place.work / "archive"
        place.repository(archive / "inner", {"a.py": "def inner():\n    return 1\n"})
        place.repository(archive / "other", {"b.py": "def other():\n    return 1\n"})
        place.index("money", "archive/inner", "archive/other")
        os.symlink(place.work / "money", archive / "link")
        place.name(["inner", "other", "../money", "link"], folder=archive)
        done = place.run("symbol", "parseAmount", root="archive/inner")
        self.assertEqual(done.returncode, 1)
        self.assertNotIn("src/index.ts", done.stdout)
        self.assertIn("outside of", done.stderr)
        self.assertEqual(found(place.json("symbol", "other", root="archive/inner")), [("other", "b.py")])

    def test_a_file_that_is_wrong_is_not_used(self):
        place = self.workplace
        place.index("money", "shop")
        for text in ["{", "[]", '{"repositories": [7]}', '{"repositories": []}', '{"repositories": ["money"]}']:
            (place.work / "codexmem.workspace.json").write_text(text)
            done = place.run("symbol", "parseAmount", "--json")
            self.assertEqual(found(json.loads(done.stdout)), [(None, "src/index.ts")], text)
        os.remove(place.work / "codexmem.workspace.json")
        os.mkfifo(place.work / "codexmem.workspace.json")
        self.assertEqual(place.run("symbol", "parseAmount").returncode, 0)
        self.assertEqual(place.run("symbol", "parseAmount", "-w", "../codexmem.workspace.json").returncode, 2)

    def test_in_its_own_folder_a_file_that_is_wrong_is_an_error(self):
        place = self.workplace
        place.index("money")
        (place.work / "codexmem.workspace.json").write_text("{")
        for words in [["workspace"], ["search", "amount"], ["check"]]:
            done = place.run(*words, root=".")
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn("codexmem.workspace.json", done.stderr, words)
            self.assertNotIn("no workspace", done.stderr, words)

    # Over MCP.

    def check_answers(self, server, shop):
        answer = server.call("find_symbol", symbol="checkout")["structuredContent"]
        self.assertEqual(found(answer), [(shop, "src/checkout.ts")])
        self.assertEqual([each["name"] for each in answer["repositories"]], [shop])
        head = self.workplace.git(self.workplace.work / "shop", "rev-parse", "HEAD")
        self.assertEqual(answer["repositories"][0]["revision"], head)
        self.assertFalse(answer["repositories"][0]["changed"])
        answer = server.call("search_code", query="parse an amount of money")["structuredContent"]
        self.assertIn(("money", "src/index.ts"), found(answer))
        answer = server.call("get_references", symbol="checkout")
        self.assertIn((shop, "src/main.ts"), found(answer["structuredContent"]))
        details = json.loads(answer["content"][1]["text"])
        self.assertEqual([each["name"] for each in details["repositories"]], [shop])
        answer = server.call("get_context", file_path=f"{shop}/src/checkout.ts")["structuredContent"]
        self.assertEqual(answer["repository"], shop)
        answer = server.call("search_code", query="amount", repository=shop)["structuredContent"]
        self.assertEqual({each[0] for each in found(answer)}, {shop})
        # Questions that are about one say so, or which there are.
        answer = server.call("repository_overview", repository=shop)["structuredContent"]
        self.assertEqual((answer["files"], "repositories" in answer, "only" in answer), (2, False, False))
        wrong = server.call("repository_overview", repository="nowhere")
        self.assertTrue(wrong["isError"])
        self.assertIn(f"money, {shop}", " ".join(wrong["structuredContent"]["message"].split()))

    def check_nothing_is_chosen(self, server, shop):
        for tool, arguments in [("repository_overview", {}), ("analyze_change", {}),
                                ("plan_rename", {"symbol": "checkout", "new_name": "pay"}),
                                ("find_symbol", {"symbol": "checkout", "at": "HEAD"}),
                                ("search_code", {"query": "amount", "at": "HEAD"})]:
            answer = server.call(tool, **arguments)
            self.assertTrue(answer.get("isError"), tool)
            self.assertIn(f"money, {shop}", answer["structuredContent"]["message"], tool)
        answer = server.call("plan_rename", symbol="checkout", new_name="pay", repository=shop)["structuredContent"]
        self.assertEqual({each["file"]["path"] for each in answer["edits"]}, {"src/checkout.ts", "src/main.ts"})
        answer = server.call("find_symbol", symbol="checkout", at="HEAD", repository=shop)["structuredContent"]
        self.assertEqual(found(answer), [(None, "src/checkout.ts")])

    def wait_for(self, server, repositories):
        """Their first indexes are made while questions are answered from the others."""
        for _ in range(200):
            answer = server.call("find_symbol", symbol="nowhere")["structuredContent"]
            missing = [each for each in answer["repositories"] if "missing" in each]
            if not missing:
                return
            self.assertLessEqual({each["name"] for each in missing}, set(repositories), answer)
        raise AssertionError(answer)

    def test_roots_are_a_workspace(self):
        work = self.workplace.work
        with Server(self.workplace, [work / "money", work / "shop", work / "tests"]) as server:
            self.wait_for(server, ["shop", "tests"])
            self.check_answers(server, "shop")
            self.check_nothing_is_chosen(server, "shop")
            # Edits are visible at once.
            (work / "shop/src/late.ts").write_text("import { checkout } from './checkout';\ncheckout('7');\n")
            for _ in range(100):
                answer = server.call("get_references", symbol="checkout")["structuredContent"]
                if ("shop", "src/late.ts") in found(answer):
                    break
            self.assertIn(("shop", "src/late.ts"), found(answer))
            self.assertTrue(answer["repositories"][0]["changed"])

    def test_two_roots_in_one_repository_are_one(self):
        work = self.workplace.work
        with Server(self.workplace, [work / "money", work / "money/src"]) as server:
            answer = server.call("find_symbol", symbol="parseAmount")["structuredContent"]
            self.assertEqual(found(answer), [(None, "src/index.ts")])
            self.assertNotIn("repositories", answer)

    def test_a_root_that_is_gone_is_said(self):
        work = self.workplace.work
        with Server(self.workplace, [work / "money", work / "shop", pathlib.Path("/")]) as server:
            self.wait_for_some(server)
            answer = server.call("find_symbol", symbol="parseAmount")["structuredContent"]
            self.assertEqual(found(answer), [("money", "src/index.ts")])
            self.assertIn("/ is not a repository", json.dumps(answer["repositories"]))

    def wait_for_some(self, server):
        for _ in range(200):
            answer = server.call("find_symbol", symbol="checkout")["structuredContent"]
            if answer["results"]:
                return

    def test_a_server_is_started_for_a_file(self):
        place = self.workplace
        place.index("money", "shop")
        path = place.name(["work/money", {"path": "work/shop", "name": "web"}], folder=place.folder)
        with Server(place, None, "--workspace", str(path)) as server:
            self.check_answers(server, "web")
            self.check_nothing_is_chosen(server, "web")

    def test_a_server_in_a_repository_finds_the_file_above(self):
        place = self.workplace
        place.index("money", "shop")
        place.name(["money", "shop"])
        with Server(place, None, cwd=place.work / "money") as server:
            self.check_answers(server, "shop")
            # One is asked in, and the answer says that it is of that one.
            answer = server.call("repository_overview")
            self.assertEqual(answer["structuredContent"]["only"], {"repository": "money", "others": ["shop"]})
            self.assertIn("about money only; repository names another: shop", answer["content"][-1]["text"])
            answer = server.call("find_symbol", symbol="parseAmount", at="HEAD")["structuredContent"]
            self.assertEqual(answer["only"]["repository"], "money")
            self.assertNotIn("only", server.call("find_symbol", symbol="parseAmount")["structuredContent"])
            answer = server.call("plan_rename", symbol="checkout", new_name="pay")
            self.assertTrue(answer["isError"])
            self.assertIn("about money only", answer["structuredContent"]["message"])
        # For a repository that was named, roots change nothing, but the file above holds.
        os.remove(place.work / "codexmem.workspace.json")
        with Server(place, [place.work / "shop", place.work / "money"], str(place.work / "money")) as server:
            answer = server.call("find_symbol", symbol="checkout")["structuredContent"]
            self.assertNotIn("repositories", answer)
            self.assertEqual(answer["results"], [])


if __name__ == "__main__":
    unittest.main()
