"""Promises of docs/contract.md that were settled after the first release, each because something was seen to hurt."""

import json
import math
import pathlib
import sqlite3
import struct
import subprocess
import sys

from cases import Result
from memory_cases import RECORDS
from program import Program
from repository import PROGRAM, Repository

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "providers"))
from embedding_server import EmbeddingServer  # noqa: E402


class Settled(Repository):
    def another(self, name):
        """The program with a home and a data directory of its own, and no repository yet."""
        program = Program(PROGRAM, self.folder / name)
        program.root.mkdir(parents=True)
        return program

    def git(self, program, *words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *words], cwd=program.root,
                       env=program.environment, check=True, capture_output=True)

    # the protocol

    def test_halves_of_characters_are_repaired(self):
        server = self.start()
        server.send_line('{"jsonrpc":"2.0","id":"h","method":"tools/call","params":{"name":"save_memory",'
                         '"arguments":{"text":"cut here \\ud83d and on"}}}')
        saved = Result(server.answer("h")["result"])
        kept = Result(server.call("get_entries", {"ids": [saved.data["id"]]}))
        self.assertEqual(kept.data["items"][0]["body"], "cut here \ufffd and on")

    def test_a_bad_line_is_answered_with_its_id(self):
        server = self.start()
        server.send_line('{"jsonrpc":"2.0","id":"7a","method":"tools/list","params":{]}')
        answer = server.receive()
        self.assertEqual((answer["id"], answer["error"]["code"]), ("7a", -32700))

    def test_trouble_ends_no_server(self):
        for settings, why in (({"CODEXMEM_VECTOR_BACKEND": "nonsense"}, "degraded"), ({"CODEXMEM_DATA_DIR": "/proc/none"}, "code"),
                              ({"CODEXMEM_SCOPE": "nonsense"}, "code")):
            with self.subTest(settings=settings):
                server = self.start(**settings)
                self.assertIn(why, Result(server.call("search", {"query": "a"})).data)
                self.assertFalse(Result(server.call("find_symbol", {"symbol": "Base"})).is_error)
        self.assertEqual(self.program.run("serve", "--nope").returncode, 2)

    def test_numbers_may_be_texts(self):
        server = self.start()
        found = Result(server.call("search_code", {"query": "export", "limit": "2", "threshold": "0"}))
        self.assertEqual(len(found.json), 2)
        usages = Result(server.call("get_references", {"symbol": "Base", "include_definitions": "false"}))
        self.assertEqual({item["type"] for item in usages.json}, {"usage"})
        self.assertFalse(Result(server.call("search", {"query": "a", "limit": "5"})).is_error)
        self.assertTrue(Result(server.call("get_observations", {"ids": ["1"]})).is_error)

    def test_no_schema_has_a_list_of_types(self):
        def types(value):
            if isinstance(value, dict):
                if isinstance(value.get("type"), list):
                    yield value["type"]
                value = value.values()
            if not isinstance(value, str):
                for each in value if hasattr(value, "__iter__") else ():
                    yield from types(each)
        for tool in self.start().ask("tools/list")["result"]["tools"]:
            with self.subTest(tool=tool["name"]):
                self.assertEqual(list(types(tool["inputSchema"])), [])

    def test_a_second_text_has_what_stands_beside_an_array(self):
        server = self.start()
        found = Result(server.call("search_code", {"query": "export", "threshold": 0, "limit": 20, "max_tokens": 400}))
        self.assertIn(str(found.data["nextOffset"]), found.texts[1])
        used = Result(server.call("get_references", {"symbol": "Base", "include_hierarchy": True}))
        for part in ("coverage", "definitions", "hierarchy"):
            self.assertIn(part, "".join(used.texts[1:]))

    # projects

    def test_a_project_without_git_has_its_folders_name(self):
        program = self.another("plain")
        program.root.rename(program.folder / "meadow")
        program.root = program.folder / "meadow"
        server = program.serve()
        self.open.append(server)
        self.assertEqual(Result(server.call("save_memory", {"text": "grass"})).data["project"], "meadow")
        self.assertIn("in meadow", program.run("memory", "save", "flowers").stdout)
        worker = program.worker()
        try:
            program.run("hook", "raw", "session-init", input=json.dumps(
                {"sessionId": "s", "cwd": str(program.root), "prompt": "hello"}))
            # A busy worker may not answer a hook in time; then it hears of it from the spool.
            prompt = worker.wait_for(lambda: worker.get("/api/prompts").json["items"], "the prompt")[0]
            self.assertEqual(prompt["project"], "meadow")
            worker.wait_for(lambda: "meadow" in program.run("hook", "claude-code", "context", input=json.dumps(
                {"session_id": "s", "cwd": str(program.root)})).stdout, "a context that names the folder")
        finally:
            worker.stop()

    def test_repositories_of_one_name_are_told_apart(self):
        program = self.another("twins")
        names = []
        for owner in ("one", "two"):
            program.root = program.folder / owner / "twin"
            program.write("a.ts", "export const a = 1;\n")
            self.git(program, "init", "-q")
            self.git(program, "remote", "add", "origin", f"https://example.org/{owner}/twin.git")
            server = program.serve()
            self.open.append(server)
            names.append(Result(server.call("save_memory", {"text": f"of {owner}"})).data["project"])
        self.assertEqual(names, ["twin", "twin~2"])

    # decisions

    def test_without_a_secret_writing_is_not_offered(self):
        server = self.start()
        self.assertNotIn("record_decision", server.introduction["instructions"])
        tools = {tool["name"]: tool for tool in server.ask("tools/list")["result"]["tools"]}
        self.assertIn("AGENT_MEMORY_SECRET", tools["record_decision"]["description"])
        server = self.start(AGENT_MEMORY_SECRET="x")
        self.assertIn("record_decision", server.introduction["instructions"])

    def test_a_secret_is_made_on_request(self):
        program = self.another("secret")
        self.git(program, "init", "-q")
        done = program.run("init", "--client", "claude-code", "--decisions")
        self.assertEqual(done.returncode, 0, done.stderr)
        file = program.data / "settings.json"
        self.assertEqual(oct(file.stat().st_mode)[-3:], "600")
        secret = json.loads(file.read_text())["agentMemorySecret"]
        self.assertNotIn(secret, done.stdout + done.stderr)
        server = program.serve()
        self.open.append(server)
        self.assertFalse(Result(server.call("record_decision", {
            "title": "Use SQLite", "target": "store", "rationale": "One file, no server"})).is_error)

    # memory

    def test_what_was_superseded_says_so_in_every_shape(self):
        program = self.another("successors")
        server = program.serve()
        self.open.append(server)
        old, new = "The pump is red.", "The pump is green."
        for text in (old, new):
            program.write("docs/decisions.md", f"# Log\n\n## Pump\n\n{text}\n")
            server.call("ingest_docs", {})
        found = Result(server.call("search", {"query": "pump", "format": "json"}))
        rows = {item["id"]: item for item in found.data["items"]}
        bodies = {item["id"]: item for item in Result(server.call("get_entries", {"ids": list(rows)})).data["items"]}
        first, second = (next(i for i, item in bodies.items() if text in item["body"]) for text in (old, new))
        self.assertEqual(found.data["items"][0]["id"], second)
        observed = {str(row["id"]): row for row in Result(server.call("get_observations", {"ids": [int(first), int(second)]})).json}
        line = {item["id"]: item for item in Result(server.call("timeline", {"anchor_id": first})).data["items"]}
        for shape in (rows, bodies, observed, line):
            self.assertIn(second, json.dumps(shape[first]["superseded_by"]))
            self.assertIn(first, json.dumps(shape[second]["supersedes"]))

    def test_a_day_is_one_of_the_zone_that_answers_show(self):
        program = self.another("days")
        worker = program.worker()
        worker.post("/api/import", RECORDS)  # at 03:10 UTC on January 2nd
        worker.stop()
        server = program.serve(TZ="America/New_York")
        self.open.append(server)
        found = Result(server.call("search", {"dateStart": "2026-01-01", "dateEnd": "2026-01-01", "type": "bugfix"}))
        self.assertEqual(found.data["total"], 3)
        self.assertIn("### Jan 1, 2026", found.text)

    def test_every_search_leaves_a_trace(self):
        program = self.another("traces")
        server = program.serve()
        server.call("search", {"query": "over the protocol"})
        server.stop()
        program.run("memory", "search", "by the shell")
        worker = program.worker()
        try:
            worker.get("/api/search", query="by a route")
            asked = {row["query"] for row in worker.get("/api/ops/search-traces").json["traces"]}
            self.assertEqual(asked, {"over the protocol", "by the shell", "by a route"})
        finally:
            worker.stop()

    # code

    def test_words_of_any_script_are_searched(self):
        server = self.start()
        self.program.write("src/script.py", "# Печатает отчёт о продажах\ndef fn():\n    pass\n")
        self.program.write("src/cjk.py", "# 打印销售报告\ndef fm():\n    pass\n")
        for query, path in (("отчёт продажах", "src/script.py"), ("销售", "src/cjk.py")):
            with self.subTest(query=query):
                found = Result(server.call("search_code", {"query": query}))
                self.assertEqual(found.json[0]["file"]["path"], path)

    def test_a_comment_belongs_to_its_definition(self):
        found = Result(self.start().call("search_code", {"query": "find a user by name"}))
        self.assertEqual(found.json[0]["symbol"]["name"], "findUser")

    def test_a_model_that_makes_no_vector_is_said(self):
        refusing = EmbeddingServer()
        refusing.status = 401
        self.addClassCleanup(refusing.stop)
        server = self.start(CODEXMEM_OPENAI_EMBEDDING_MODEL="m", CODEXMEM_OPENAI_EMBEDDING_BASE_URL=refusing.url)
        said = Result(server.call("index_repository", {"force": True}))
        stats = said.data["stats"]
        self.assertTrue(stats.get("embeddingsError") or stats["embeddingsPending"], said)
        asked = Result(server.call("index_repository", {"force": True, "skip_embeddings": False}))
        self.assertEqual((asked.is_error, asked.data["type"]), (True, "EmbeddingError"))

    def test_the_text_of_a_vector_is_the_one_that_was_embedded(self):
        server = self.start()
        server.call("index_repository", {})
        with sqlite3.connect(f"file:{self.program.root}/.codexmem/index.db?mode=ro", uri=True) as database:
            rows = database.execute("SELECT content, embedding, metadata FROM embeddings").fetchall()
        for content, embedding, metadata in rows:
            self.assertIn("type", json.loads(metadata))
            vector = struct.unpack(f"<{len(embedding) // 4}f", embedding)
            self.assertTrue(content)
            # Of a text whose words the model does not know it is nothing.
            self.assertIn(round(math.hypot(*vector), 1), (0, 1))

    def test_files_that_changed_together_are_told(self):
        program = self.another("together")
        self.git(program, "init", "-q", "-b", "main")
        for n in range(4):
            program.write("pump.py", f"def pump():\n    return {n}\n")
            program.write("valve.py", f"def valve():\n    return {n}\n")
            program.write(f"other{n}.py", "def other():\n    return 1\n")
            self.git(program, "add", "-A")
            self.git(program, "commit", "-q", "-m", f"change {n}")
        server = program.serve()
        self.open.append(server)
        context = Result(server.call("get_context", {"file_path": "pump.py"}))
        self.assertEqual([(item["path"], item["commits"]) for item in context.data["changedTogether"]][0], ("valve.py", 4))

    # the shell

    def test_a_run_that_finds_nothing_says_why(self):
        program = self.another("nothing")
        self.git(program, "init", "-q")
        program.write("a.ts", "export const a = 1;\n")
        program.write(".gitignore", "*\n")
        done = program.run("index")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(".gitignore", done.stdout + done.stderr)

    def test_a_question_indexes_no_folder_that_is_none(self):
        program = self.another("elsewhere")
        program.write("a.ts", "export const a = 1;\n")
        done = program.run("search", "a")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("codexmem index", done.stderr)
        self.assertFalse((program.root / ".codexmem").exists())
