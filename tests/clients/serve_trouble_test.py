"""`codexmem serve` with invalid settings and unusable stores: it answers `initialize`, the affected tools
report the problem and how to fix it, and the others work.

CODEXMEM_PROGRAM is the program. Needs no network.
"""
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["CODEXMEM_PROGRAM"]
NOBODY = 65534


class Server:
    """One that is served on standard input, until `with` ends."""

    def __init__(self, folder, *arguments, user=None, **settings):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("CODEXMEM_") and not name.endswith("_API_KEY")}
        environment.update(HOME=str(folder / "home"), **settings)
        self.errors = tempfile.TemporaryFile()
        self.child = subprocess.Popen([PROGRAM, "serve", *arguments], cwd=folder / "repository",
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=self.errors, env=environment, user=user)
        self.number = 0

    def __enter__(self):
        self.initialized = self.ask("initialize", protocolVersion="2025-11-25", capabilities={},
                                    clientInfo={"name": "trouble", "version": "1"})
        return self

    def __exit__(self, *_):
        self.child.stdin.close()
        self.status = self.child.wait(60)
        self.child.stdout.close()
        self.errors.close()

    def ask(self, method, **params):
        self.number += 1
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method,
                                           "params": params}).encode() + b"\n")
        self.child.stdin.flush()
        while True:
            line = self.child.stdout.readline()
            if not line:
                self.errors.seek(0)
                raise AssertionError(f"the server has ended: {self.errors.read().decode()}")
            message = json.loads(line)
            if message.get("id") == self.number:
                return message["result"]

    def call(self, tool, **arguments):
        """(it failed, all of its texts)"""
        result = self.ask("tools/call", name=tool, arguments=arguments)
        return result.get("isError", False), "\n".join(each["text"] for each in result["content"])

    def names(self):
        return [tool["name"] for tool in self.ask("tools/list")["tools"]]


class Trouble(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="codexmem-trouble-")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.folder.chmod(0o755)
        self.repository = self.folder / "repository"
        self.data = self.folder / "home/.codexmem"
        (self.repository / ".git").mkdir(parents=True)
        (self.repository / "main.c").write_text("int answer(void) { return 42; }\n")
        (self.folder / "home").mkdir()

    def serve(self, *arguments, **more):
        return Server(self.folder, *arguments, **more)

    def works(self, server, tool, **arguments):
        failed, text = server.call(tool, **arguments)
        self.assertFalse(failed, (tool, text))
        return text

    def fails(self, server, words, tool, **arguments):
        failed, text = server.call(tool, **arguments)
        self.assertTrue(failed, (tool, text))
        for word in words:
            self.assertIn(word, text.replace('\\"', '"'), tool)
        return text

    def code_works(self, server):
        self.assertIn("main.c", self.works(server, "find_symbol", symbol="answer"))
        self.assertIn("main.c", self.works(server, "get_context", file_path="main.c"))

    def memory_works(self, server):
        saved = json.loads(self.works(server, "save_memory", text="the answer is known"))
        self.assertIn(f"#{saved['id']}", self.works(server, "search", query="answer"))

    def code_fails(self, server, *words):
        self.fails(server, words, "search_code", query="answer")
        self.fails(server, words, "find_symbol", symbol="answer")
        self.fails(server, words, "get_references", symbol="answer")
        self.fails(server, words, "analyze_dependencies", file_path="main.c")
        self.fails(server, words, "get_context", file_path="main.c")
        self.fails(server, words, "index_repository")

    def memory_fails(self, server, *words):
        self.fails(server, words, "search", query="answer")
        self.fails(server, words, "timeline", query="answer")
        self.fails(server, words, "get_observations", ids=[1])
        self.fails(server, words, "get_entries", ids=["1"])
        self.fails(server, words, "save_memory", text="the answer is known")
        self.fails(server, words, "ingest_docs", sources=["main.c"])
        self.fails(server, words, "retention_dry_run")
        self.fails(server, words, "search_decisions", query="answer")
        self.decisions_fail(server, *words)

    def decisions_fail(self, server, *words):
        decision = {"title": "A title", "target": "answer", "rationale": "because it is so, always"}
        self.fails(server, words, "record_decision", **decision)
        self.fails(server, words, "supersede_decision", **decision, old_decision_ids=["x"])
        self.fails(server, words, "accept_proposal", proposal_id="decision_x.md")

    def all_are_listed(self, server):
        reference = subprocess.run([PROGRAM, "debug", "reference", "tools"], capture_output=True, check=True, text=True).stdout
        self.assertEqual(list(server.names()), re.findall(r"^## (\w+)$", reference, re.MULTILINE))

    # Settings

    def test_a_vector_backend_that_there_is_not(self):
        with self.serve(CODEXMEM_VECTOR_BACKEND="faiss") as server:
            self.all_are_listed(server)
            self.code_works(server)
            self.memory_works(server)
            self.assertIn('CODEXMEM_VECTOR_BACKEND must be sqlite, chroma or hybrid, got "faiss"',
                          self.works(server, "search", query="answer"))

    def test_a_scope_that_there_is_not(self):
        self.remember_of_another()
        with self.serve(CODEXMEM_SCOPE="projct") as server:
            self.all_are_listed(server)
            self.code_works(server)
            self.memory_fails(server, 'CODEXMEM_SCOPE must be project or all, got "projct"')
            context = json.loads(self.works(server, "get_context", file_path="main.c"))
            self.assertIn("CODEXMEM_SCOPE", context["memoriesMissing"])

    def remember_of_another(self):
        with self.serve() as server:
            self.works(server, "save_memory", text="the answer of others", project="another")

    def test_a_scope_in_a_file_that_there_is_not(self):
        self.remember_of_another()
        for place, text in [(self.data / "settings.json", '{"scope": "projct"}'),
                            (self.repository / "codexmem.json", '{"scope": 1}'),
                            (self.data / "settings.json", '{"scope": "project"'),
                            (self.data / "settings.json", "scope = 'project'\n")]:
            place.write_text(text)
            with self.serve() as server:
                self.code_works(server)
                self.memory_fails(server, place.name)
            with self.serve(CODEXMEM_SCOPE="all") as server:  # the environment says it
                self.memory_works(server)
            place.unlink()
        # A repository that would like to show more is passed over as before.
        (self.repository / "codexmem.json").write_text('{"scope": "all"}')
        with self.serve() as server:
            self.memory_works(server)

    def test_a_role_that_there_is_not(self):
        secret = {"AGENT_MEMORY_SECRET": "a secret"}
        with self.serve(CODEXMEM_ROLE="wiever", **secret) as server:
            self.all_are_listed(server)
            self.code_works(server)
            self.memory_works(server)
            self.works(server, "search_decisions", query="answer")
            self.decisions_fail(server, 'the role must be viewer, agent or admin, got "wiever"')
        self.data.mkdir(exist_ok=True)
        (self.data / "settings.json").write_text('{"role": "reader"}')
        with self.serve(**secret) as server:
            self.memory_works(server)
            self.decisions_fail(server, "settings.json: role: must be viewer, agent or admin")
        with self.serve(CODEXMEM_ROLE="agent", **secret) as server:
            self.works(server, "record_decision", title="A title", target="answer",
                       rationale="because it is so")

    def test_a_cooldown_that_is_no_number(self):
        with self.serve(CODEXMEM_DECISION_COOLDOWN_MS="2s", AGENT_MEMORY_SECRET="s") as server:
            self.code_works(server)
            self.memory_works(server)
            self.decisions_fail(server, "CODEXMEM_DECISION_COOLDOWN_MS must be a number")

    def test_watches_that_are_no_number(self):
        for wrong in ["many", "99999999999999999999999"]:
            with self.serve(CODEXMEM_WATCHES=wrong) as server:
                self.all_are_listed(server)
                self.memory_works(server)
                self.code_fails(server, "CODEXMEM_WATCHES must be a whole number", "unset")

    def test_tools_that_there_are_not(self):
        with self.serve(CODEXMEM_TOOLS="code,memry") as server:
            self.code_works(server)
            self.memory_fails(server, "CODEXMEM_TOOLS", '"memry"; did you mean "memory"?', "unset")
        with self.serve(CODEXMEM_TOOLS="nothing") as server:
            self.code_fails(server, "CODEXMEM_TOOLS")
            self.memory_fails(server, "CODEXMEM_TOOLS")
        with self.serve(CODEXMEM_TOOLS="code") as server:
            self.assertIn("find_symbol", server.names())
            self.assertNotIn("search", server.names())

    def test_a_data_directory_that_is_none(self):
        with self.serve(CODEXMEM_DATA_DIR="relative") as server:
            self.code_works(server)
            self.memory_fails(server, "absolute path", "relative")

    def test_a_wrong_command_line_is_refused(self):
        for arguments in (["--role", "wiever"], ["--port", "1"], [str(self.folder / "nowhere")]):
            done = subprocess.run([PROGRAM, "serve", *arguments], stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=60)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertEqual(done.stdout, b"")

    # Stores

    def index(self):
        subprocess.run([PROGRAM, "index", self.repository], check=True, capture_output=True,
                       env=dict(os.environ, HOME=str(self.folder / "home")))
        return self.repository / ".codexmem"

    def test_an_index_of_a_newer_program(self):
        index = self.index() / "index.db"
        with sqlite3.connect(index) as database:
            database.execute("PRAGMA user_version = 99")
        for arguments in ([], [str(self.repository)]):
            with self.serve(*arguments) as server:
                self.all_are_listed(server)
                self.memory_works(server)
                self.code_fails(server, "newer codexmem", "update codexmem", "delete the file")
        with self.serve() as server:
            self.code_fails(server, "newer codexmem")
            for part in index.parent.glob("index.db*"):
                part.unlink()
            self.code_works(server)  # without another start

    def test_a_damaged_index(self):
        index = self.index() / "index.db"
        index.write_bytes(os.urandom(20_000))
        with self.serve() as server:
            self.memory_works(server)
            self.code_works(server)  # it is rebuilt

    def test_an_index_folder_that_is_none(self):
        place = self.repository / ".codexmem"
        place.write_text("a file\n")
        with self.serve() as server:
            self.memory_works(server)
            self.code_fails(server, ".codexmem", "remove")
            place.unlink()
            self.code_works(server)
        shutil.rmtree(place)
        place.symlink_to(self.folder)
        with self.serve() as server:
            self.memory_works(server)
            self.code_fails(server, "symbolic link", "remove the link")

    def test_folders_that_may_not_be_used(self):
        """Folders of another user. The user's own ones get their access rights back, and the index may be
        in the cache: then the tools work."""
        if os.geteuid() != 0:
            self.skipTest("needs root, to be another user")
        if subprocess.run([PROGRAM, "version"], user=NOBODY, capture_output=True,
                          check=False).returncode != 0:
            self.skipTest("nobody may not run the program here")
        index = self.index()
        shutil.rmtree(self.folder / "home")
        self.data.mkdir(parents=True)
        for path in [self.folder / "home", self.data, self.repository]:
            os.chown(path, NOBODY, NOBODY)
        index.chmod(0o000)
        with self.serve(user=NOBODY) as server:
            self.all_are_listed(server)
            self.memory_works(server)
            failed, text = server.call("find_symbol", symbol="answer")
            self.assertIn(str(index) if failed else "main.c", text)
        shutil.rmtree(index)
        for path in [self.data, *self.data.iterdir()]:
            os.chown(path, 0, 0)
            path.chmod(0o555 if path.is_dir() else 0o444)
        with self.serve(user=NOBODY) as server:
            self.code_works(server)
            self.fails(server, [str(self.data)], "save_memory", text="the answer is another one")

    def test_a_memory_that_cannot_be_used(self):
        with self.serve() as server:
            self.memory_works(server)
        store = self.data / "memory.db"
        with sqlite3.connect(store) as database:
            database.execute("PRAGMA user_version = 99")
        with self.serve() as server:
            self.code_works(server)
            self.memory_fails(server, "newer codexmem")
        for part in self.data.glob("memory.db-*"):
            part.unlink()
        store.write_bytes(os.urandom(20_000))
        with self.serve() as server:
            self.code_works(server)
            self.memory_fails(server, "memory.db")


if __name__ == "__main__":
    unittest.main()
