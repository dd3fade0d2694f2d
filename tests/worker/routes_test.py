"""Every route of the worker over HTTP: each status that docs/reference/routes.md names, and each key.

CODEXMEM_PROGRAM is the program, CODEXMEM_SOURCE the repository. Needs no network.
"""
import csv
import http.client
import io
import json
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from running_worker import WatchedWorker

PROGRAM = os.environ["CODEXMEM_PROGRAM"]
SOURCE = pathlib.Path(os.environ["CODEXMEM_SOURCE"])
TIMEOUT = 60

OBSERVATION = set("""id memory_session_id project text type title subtitle facts narrative concepts
    files_read files_modified prompt_number discovery_tokens created_at created_at_epoch facts_list
    concepts_list files_read_list files_modified_list""".split())
SUMMARY = set("""id memory_session_id project request investigated learned completed next_steps
    files_read files_edited notes prompt_number discovery_tokens created_at created_at_epoch
    files_read_list files_edited_list""".split())
PROMPT = set("""id content_session_id project prompt_number prompt_text created_at
    created_at_epoch""".split())
ITEMS = {"items", "hasMore", "offset", "limit"}
OUTCOMES = {"success", "parse_fail", "schema_fail", "repair_fail", "fallback_used"}
CLASSES = set("""timeout rate_limit auth network server_error parse_fail schema_fail storage
    unknown""".split())


def documented_routes():
    """(method, pattern): statuses, by docs/reference/routes.md; ID at a pattern's end is '/' there."""
    routes = {}
    for line in (SOURCE / "docs/reference/routes.md").read_text().splitlines():
        row = re.match(r"\| `(GET|POST|DELETE|OPTIONS) (\S+)` \|.*\| ([0-9, ]+) \|$", line)
        if row:
            routes[row[1], row[2].removesuffix("ID")] = {int(each) for each in row[3].split(",")}
    return routes


def written_routes():
    """(method, pattern) by the tables of the program's source."""
    text = "".join(path.read_text() for path in (SOURCE / "src/serve").glob("*_routes.cpp"))
    return set(re.findall(r'Route\{"(\w+)",\s*"([^"]+)"', text))


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        self.text = body.decode(errors="replace")

    @property
    def json(self):
        return json.loads(self.body)


class Worker(WatchedWorker):
    """A worker of its own data directory."""

    def __init__(self, folder, **environment):
        self.seen = set()  # (method, path, status)
        super().__init__(PROGRAM, folder, CODEXMEM_PROVIDER="rule-based", **environment)

    def await_ready(self):
        self.wait_for(lambda: self.ask("GET", "/api/readiness").status == 200, "readiness")
        return self

    def ask(self, method, path, body=None, headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
        try:
            connection.request(method, path, body, dict(headers))
            answer = connection.getresponse()
            reply = Reply(answer.status, answer.headers, answer.read())
        finally:
            connection.close()
        self.seen.add((method, path.split("?")[0], reply.status))
        return reply

    def get(self, path, /, **query):
        return self.ask("GET", path + ("?" + urllib.parse.urlencode(query) if query else ""))

    def post(self, path, body=None):
        return self.ask("POST", path, {} if body is None else body)

    def execute(self, sql, *values):
        """Rows that no request makes."""
        with sqlite3.connect(self.folder / "memory.db", timeout=TIMEOUT) as database:
            return database.execute(sql, values).lastrowid


class Routes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-routes-"))
        cls.worker = Worker(cls.root / "data",
                            CODEXMEM_EXCLUDED_PROJECTS="hidden-*,secret").await_ready()
        cls.seen = cls.worker.seen
        cls.fill()

    @classmethod
    def tearDownClass(cls):
        status = cls.worker.stop()
        shutil.rmtree(cls.root, ignore_errors=True)
        if status != 0:
            raise AssertionError(f"the worker ended with {status}")

    @classmethod
    def fill(cls):
        """Records of every kind, of project demo."""
        reply = cls.worker.post("/api/import", {
            "sessions": [{"content_session_id": "c1", "memory_session_id": "m1", "project": "demo",
                          "started_at_epoch": 1767323000000, "status": "completed"}],
            "summaries": [{"memory_session_id": "m1", "project": "demo", "request": "Make tea",
                           "completed": "Tea", "created_at_epoch": 1767323500000}],
            "observations": [
                {"memory_session_id": "m1", "project": "demo", "type": "bugfix",
                 "title": f"Kettle {n}", "narrative": f"It boiled over {n} times",
                 "facts": '["hot"]', "concepts": ["gotcha"], "files_modified": ["src/kettle.cpp"],
                 "created_at_epoch": 1767323400000 + n} for n in range(3)],
            "prompts": [{"content_session_id": "c1", "prompt_number": 1, "prompt_text": "make tea",
                         "created_at_epoch": 1767323300000}]})
        assert reply.status == 200, reply.text
        cls.imported = reply.json

    def ok(self, reply, keys=None, of=None, status=200):
        self.assertEqual(reply.status, status, reply.text[:500])
        value = reply.json
        if keys is not None:
            self.assertEqual(set(value if of is None else of(value)), set(keys), reply.text[:500])
        return value

    def refused(self, reply, error, status=400):
        """An error with exactly this text, or that matches the pattern."""
        self.assertEqual(reply.status, status, reply.text[:500])
        self.assertEqual(reply.headers["Content-Type"], "application/json")
        text = reply.json["error"]
        if isinstance(error, re.Pattern):
            self.assertRegex(text, error)
        else:
            self.assertEqual(text, error)
        return reply.json

    def refused_everywhere(self, path, cases):
        for query, pattern in cases:
            with self.subTest(path=path, query=query):
                self.refused(self.worker.get(f"{path}?{query}"), re.compile(pattern))

    # health

    def test_health(self):
        value = self.ok(self.worker.get("/api/health"),
                        {"status", "version", "initialized", "mcpReady", "pid", "uptime"})
        self.assertEqual(value["status"], "ok")
        self.assertIs(value["initialized"], True)
        self.assertEqual(value["pid"], self.worker.process.pid)
        self.assertIsInstance(value["uptime"], int)
        self.assertEqual(self.ok(self.worker.get("/api/readiness")),
                         {"status": "ready", "mcpReady": True})
        self.assertRegex(self.ok(self.worker.get("/api/version"), {"version"})["version"],
                         r"^\d+\.\d+\.\d+")

    # code

    def index(self, name, **files):
        """A repository that is indexed, of this worker's user."""
        repository = (self.root / name).resolve()
        (repository / ".git").mkdir(parents=True)
        for path, text in files.items():
            file = repository / path.replace("__", "/").replace("_ts", ".ts")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        self.codexmem("index", repository, "--skip-embeddings")
        return repository

    def codexmem(self, *words, cwd=None):
        environment = dict(os.environ, CODEXMEM_DATA_DIR=str(self.root / "data"),
                           HOME=str(self.root))
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
            environment.pop(name, None)
        done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True,
                              timeout=TIMEOUT, env=environment, cwd=cwd)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_code(self):
        repository = self.index(
            "shop", src__money_ts="export function zero() {\n  return 0;\n}\n",
            src__cart_ts="import { zero } from './money';\nexport const total = () => zero();\n")
        known = self.ok(self.worker.get("/api/code/repositories"), {"repositories"})
        code = "/api/code/"
        value = self.ok(self.worker.get(code + "map", repo=repository),
                        {"repo", "name", "path", "files", "lines", "root", "layers", "cut"})
        self.assertEqual((value["repo"], value["files"]), (str(repository), 2))
        self.assertEqual(set(value["root"]), {
            "name", "path", "kind", "files", "lines", "bytes", "language", "code", "size",
            "churn", "memories", "tests", "fanIn", "children"})
        value = self.ok(self.worker.get(code + "file", repo=repository, path="src/money.ts"), {
            "path", "language", "lines", "first", "text", "stale", "symbols", "imports",
            "importedBy", "memories", "decisions", "tests", "cut"})
        self.assertEqual(value["importedBy"], [{"path": "src/cart.ts", "names": ["zero"]}])
        value = self.ok(self.worker.get(code + "dependencies", repo=repository, path="src"),
                        {"repo", "path", "focus", "nodes", "edges", "cycles", "cut", "hidden"})
        self.assertEqual(value["edges"], [{"from": "src/cart.ts", "to": "src/money.ts", "count": 1,
                                           "inCycle": False}])
        value = self.ok(self.worker.get(code + "symbol", repo=repository, name="zero"), {
            "symbol", "others", "code", "callers", "callees", "references", "referencesTotal",
            "account", "tests", "memories", "decisions", "cut"})
        self.assertEqual(value["symbol"]["path"], "src/money.ts")
        self.refused(self.worker.get(code + "symbol", repo=repository), re.compile("name a symbol"))
        self.refused(self.worker.get(code + "symbol", repo=repository, name="nothing_of_it"),
                     re.compile("nothing is called"), 404)
        value = self.ok(self.worker.get(code + "find", repo=repository, q="zero"),
                        {"files", "symbols", "code", "memories"})
        self.assertEqual(value["symbols"][0]["path"], "src/money.ts")
        self.refused(self.worker.get(code + "find", repo=repository, q="x", limit="x"),
                     "limit must be a whole number")
        self.refused(self.worker.get(code + "dependencies", repo=repository, focus="nope.ts"),
                     re.compile("nope.ts"), 404)
        self.ok(self.worker.get(code + "known", repo=repository), {"repo", "files", "cut"})
        times = self.ok(self.worker.get(code + "time", repo=repository))
        self.assertEqual(times.get("missing"), None if times["commits"] else "no git history")
        value = self.ok(self.worker.get(code + "path", repo=repository, to="zero"),
                        {"repo", "answer"})
        self.assertEqual(value["answer"]["callers"][0]["symbol"], "zero")
        self.refused(self.worker.get(code + "path", repo=repository, to="nothing_of_it"),
                     re.compile("nothing_of_it"), 404)
        self.refused(self.worker.get(code + "path", repo=repository), re.compile("from"))
        self.refused(self.worker.get(code + "history", repo=repository), re.compile("."))
        self.refused(self.worker.get(code + "history", repo=repository, symbol="zero"),
                     re.compile("git"), 404)
        self.refused(self.worker.get(code + "change", repo=repository), re.compile("git"), 404)
        git = ["git", "-C", str(repository), "-c", "user.name=T", "-c", "user.email=t@example.org"]
        for words in (["init", "-q"], ["add", "src"], ["commit", "-qm", "begin"]):
            subprocess.run([*git, *words], check=True, capture_output=True)
        (repository / "src/money.ts").write_text("export function zero() {\n  return 1;\n}\n")
        value = self.ok(self.worker.get(code + "change", repo=repository),
                        {"repo", "answer", "files"})
        self.assertEqual(value["files"], ["src/money.ts"])
        self.assertEqual(value["answer"]["changed"][0]["symbol"], "zero")
        self.refused(self.worker.get(code + "change", repo=repository, since="no_such"),
                     re.compile("no_such"))
        subprocess.run([*git, "commit", "-qam", "one"], check=True, capture_output=True)
        (repository / "src/money.ts").write_text("export function zero(a) {\n  return a;\n}\n")
        value = self.ok(self.worker.get(code + "change", repo=repository, commit="HEAD"))
        self.assertEqual(value["files"], ["src/money.ts"])
        self.assertEqual(value["answer"]["changed"][0]["change"], "body")
        subprocess.run([*git, "checkout", "-q", "src"], check=True, capture_output=True)
        value = self.ok(self.worker.get(code + "history", repo=repository, symbol="zero"),
                        {"repo", "answer"})
        self.assertEqual(value["answer"]["commits"][1]["summary"], "begin")
        for path in ("map", "file", "dependencies", "symbol", "find", "known", "time", "change", "path", "history"):
            self.refused(self.worker.get(code + path, repo="relative"),
                         "repo must be the absolute path of a repository")
            self.refused(self.worker.get(code + path, repo="/"), re.compile("repository"), 404)
            self.refused(self.worker.get(code + path, repo=self.root / "nowhere"),
                         re.compile("no folder"), 404)
        bare = self.root / "bare"
        (bare / ".git").mkdir(parents=True)
        self.refused(self.worker.get(code + "map", repo=bare), re.compile("codexmem index"), 404)
        self.assertFalse((bare / ".codexmem").exists())
        self.refused(self.worker.get(code + "map", repo=repository, path="../.."),
                     re.compile("leads out"))
        self.refused(self.worker.get(code + "map", repo=repository, nodes="many"),
                     "nodes must be a whole number")
        self.refused(self.worker.get(code + "file", repo=repository, path="/etc/passwd"),
                     re.compile("leads out"))
        (repository / "out.ts").symlink_to("/etc/passwd")
        for path in ("out.ts", "nope.ts", ".git/config"):
            self.refused(self.worker.get(code + "file", repo=repository, path=path),
                         re.compile("."), 404)

    def test_open_prints_the_address(self):
        repository = self.index("opened", src__a_ts="export const a = 1;\n")
        viewer = f"http://127.0.0.1:{self.worker.port}/viewer"
        printed = self.codexmem("open", "--print", cwd=repository)
        self.assertEqual(printed, f"{viewer}#/map?repo={repository}\n")
        known = self.ok(self.worker.get("/api/code/repositories"))["repositories"]
        self.assertEqual((known[0]["root"], known[0]["openedLast"]), (str(repository), True))
        self.assertEqual(set(known[0]), {"root", "name", "files", "lines", "symbols", "indexedAt",
                                         "openedLast"})
        self.assertEqual(self.ok(self.worker.get("/api/code/map"))["repo"], str(repository))
        printed = self.codexmem("open", "--print", "src/a.ts:1", cwd=repository)
        self.assertEqual(printed, f"{viewer}#/file?repo={repository}&path=src/a.ts&line=1\n")

    # entries

    def test_entries_are_edited_pinned_and_forgotten(self):
        saved = self.ok(self.worker.post("/api/memory/save", {"text": "Use port 80",
                                                              "project": "edited"}))["id"]
        value = self.ok(self.worker.post("/api/entries/edit", {"id": saved, "text": "Use port 8080"}),
                        {"success", "id", "title", "createdAt", "supersedes"})
        self.assertEqual(value["supersedes"], saved)
        self.ok(self.worker.post("/api/entries/pin", {"id": value["id"], "pinned": True}),
                {"success", "id", "pinned"})
        items = self.ok(self.worker.get("/api/entries", project="edited"), ITEMS)["items"]
        self.assertEqual([(item["id"], item["text"], item["pinned"]) for item in items],
                         [(value["id"], "Use port 8080", True)])
        secret = "ghp" + "_" + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA"
        refused = self.refused(self.worker.post("/api/entries/edit",
                                                {"id": value["id"], "text": secret}),
                               re.compile("secret"))
        self.assertEqual(refused["code"], "POLICY_BLOCKED")
        gone = self.ok(self.worker.post("/api/entries/forget", {"id": value["id"]}))
        self.assertEqual(sorted(gone["forgotten"]), [saved, value["id"]])
        self.assertEqual(self.ok(self.worker.get("/api/entries", project="edited"))["items"], [])
        self.refused(self.worker.get("/api/entries", limit="x"), re.compile("limit"))
        for path in ("edit", "pin", "forget"):
            body = {"text": "x", "pinned": True}
            self.refused(self.worker.post("/api/entries/" + path, {**body, "id": "x"}),
                         "id must be the number of an entry")
            self.refused(self.worker.post("/api/entries/" + path, {**body, "id": 999999}),
                         re.compile("no entry #999999"), 404)

    # who may ask, and how

    def test_another_machine_is_refused(self):
        for headers in ({"Host": "evil.example"}, {"Host": f"127.0.0.1.evil.example:{self.worker.port}"},
                        {"Origin": "http://evil.example"}, {"Origin": "null"},
                        {"Origin": "http://127.0.0.1:1"}, {"Origin": "http://localhost"},
                        {"Origin": "https://localhost.evil.example"}):
            for method, path in (("GET", "/api/health"), ("POST", "/api/memory/save")):
                with self.subTest(headers=headers, path=path):
                    self.refused(self.worker.ask(method, path, headers=headers),
                                 re.compile("of this machine"), 403)
        for headers in ({"Host": "localhost"}, {"Host": f"[::1]:{self.worker.port}"},
                        {"Origin": f"http://localhost:{self.worker.port}"}):
            with self.subTest(headers=headers):
                self.ok(self.worker.ask("GET", "/api/health", headers=headers))

    def test_a_body_that_any_page_may_send_is_refused(self):
        body = {"text": "a note", "project": "forms"}
        for kind in ("text/plain", "Text/Plain; charset=application/json", "multipart/form-data; boundary=x",
                     "application/x-www-form-urlencoded"):
            with self.subTest(kind=kind):
                self.refused(self.worker.ask("POST", "/api/memory/save", body, {"Content-Type": kind}),
                             re.compile("Content-Type"), 415)
        self.assertEqual(self.ok(self.worker.get("/api/entries", project="forms"))["items"], [])

    def test_a_page_of_another_site_is_refused(self):
        link = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        image = {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
        frame = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
        for site in ("cross-site", "same-site"):
            for path, mode in (("/api/search?query=x", image), ("/api/search?query=x", link),
                               ("/viewer", image), ("/viewer", frame), ("/api/events", image)):
                with self.subTest(site=site, path=path, mode=mode):
                    reply = self.worker.ask("GET", path, headers={"Sec-Fetch-Site": site, **mode})
                    self.refused(reply, re.compile("of this machine"), 403)
            reply = self.worker.ask("GET", "/viewer", headers={"Sec-Fetch-Site": site, **link})
            self.assertEqual(reply.status, 200)
        for site in ("same-origin", "none"):
            self.ok(self.worker.ask("GET", "/api/version", headers={"Sec-Fetch-Site": site, **image}))

    def test_it_listens_on_loopback_alone(self):
        for address in {"127.0.0.2", own_address()} - {None, "127.0.0.1"}:
            with self.subTest(address=address), self.assertRaises(OSError):
                socket.create_connection((address, self.worker.port), timeout=5).close()

    def test_unknown_paths_and_methods(self):
        for path in ("/api/nope", "/nope", "/api/observations/", "/api"):
            with self.subTest(path=path):
                self.refused(self.worker.get(path), "Not found", 404)
        reply = self.worker.ask("DELETE", "/api/observations")
        self.refused(reply, re.compile("GET"), 405)
        self.assertEqual(reply.headers["Allow"], "GET")
        self.refused(self.worker.get("/api/memory/save"), re.compile("POST"), 405)
        head = self.worker.ask("HEAD", "/api/version")
        self.assertEqual((head.status, head.body), (200, b""))

    def test_bodies_that_are_none(self):
        posts = [path for method, path in written_routes()
                 if method == "POST" and path not in ("/api/ops/agent-metrics/reset", "/mcp")]
        self.assertGreaterEqual(len(posts), 3)
        for path in posts:
            for body in ("{bad", "[1]", "3", '{"a":'):
                with self.subTest(path=path, body=body):
                    reply = self.worker.ask("POST", path, body)
                    self.refused(reply, re.compile("."))

    def test_a_body_that_is_too_large(self):
        body = json.dumps({"text": "x" * (20 << 20)})
        self.refused(self.worker.ask("POST", "/api/memory/save", body), re.compile("too large"), 413)

    @unittest.skipUnless(os.environ.get("CODEXMEM_SLOWNESS", "1") == "1", "a sanitizer keeps what was freed")
    def test_what_a_large_body_took_goes_back(self):
        worker = Worker(self.root / "large").await_ready()
        try:
            for response in ('["%s"]' % ("ab " * 3_000_000), "[" + '{"a":1},' * 400_000 + "1]",
                             "[" + '"ab",' * 600_000 + "1]"):
                self.ok(worker.ask("POST", "/api/sessions/observations", (
                    '{"contentSessionId":"s","tool_name":"T","tool_response":%s}' % response)))
            status = pathlib.Path(f"/proc/{worker.process.pid}/status").read_text()
            resident_kb = int(re.search(r"VmRSS:\s+(\d+)", status)[1])
            self.assertLess(resident_kb, 100 << 10)
        finally:
            worker.stop()

    def test_a_body_that_is_nested_too_deeply(self):
        deep = "[" * 100_000 + "]" * 100_000
        for path, body in [("/api/memory/save", '{"text":"x","metadata":{"a":%s}}'),
                           ("/api/import", '{"observations":[{"text":"x","facts":%s}]}'),
                           ("/api/observations/batch", '{"ids":%s}'),
                           ("/api/ops/retry-failed", '{"sessionDbId":%s}'),
                           ("/api/ops/backfill/chroma", '{"project":%s}')]:
            with self.subTest(path=path):
                self.refused(self.worker.ask("POST", path, (body % deep).encode()),
                             re.compile("^the body is nested more than 100 levels"))
        self.ok(self.worker.ask("POST", "/api/sessions/observations", (
            '{"contentSessionId":"deep","tool_name":"T","tool_input":%s}' % deep).encode()))

    # what hooks call

    def init(self, session, prompt="make tea", project="hooked"):
        return self.worker.post("/api/sessions/init", {"contentSessionId": session,
                                                       "project": project, "prompt": prompt})

    def observe(self, session, status, reason=None, **more):
        body = {"contentSessionId": session, "tool_name": "Read", "cwd": "/tmp/hooked",
                "tool_input": {"file_path": f"/tmp/hooked/{session}.txt"},
                "tool_response": {"content": "text"}, **more}
        value = self.ok(self.worker.post("/api/sessions/observations", body))
        self.assertEqual(value, {"status": status, **({"reason": reason} if reason else {})})

    def summarize(self, session, status, reason=None, message="Tea was made."):
        value = self.ok(self.worker.post("/api/sessions/summarize", {
            "contentSessionId": session, "last_assistant_message": message}))
        self.assertEqual(value, {"status": status, **({"reason": reason} if reason else {})})

    def await_drained(self):
        self.worker.wait_for(lambda: not self.worker.get("/api/processing-status").json["queueDepth"],
                             "an empty queue")

    def test_init(self):
        value = self.ok(self.init("i1"), {"sessionDbId", "promptNumber", "skipped"})
        self.assertEqual((value["promptNumber"], value["skipped"]), (1, False))
        again = self.ok(self.init("i1"), {"sessionDbId", "promptNumber", "skipped", "duplicate"})
        self.assertEqual((again["sessionDbId"], again["promptNumber"], again["duplicate"]),
                         (value["sessionDbId"], 1, True))
        self.assertEqual(self.ok(self.init("i1", "and milk"))["promptNumber"], 2)
        private = self.ok(self.init("i1", "<private>what nobody knows</private>"),
                          {"sessionDbId", "promptNumber", "skipped", "reason"})
        self.assertEqual((private["promptNumber"], private["skipped"], private["reason"]),
                         (3, True, "private"))
        self.assertEqual(self.ok(self.init("i1", "and sugar"))["promptNumber"], 4)
        partly = self.ok(self.init("i2", "a <private>b</private> c"))
        self.assertEqual(partly["skipped"], False)
        self.assertEqual(self.ok(self.init("i3", project="hidden-one"))["reason"],
                         "project_excluded")
        for body, error in (({"project": "p", "prompt": "x"}, "Missing contentSessionId"),
                            ({"contentSessionId": " ", "project": "p", "prompt": "x"},
                             "Missing contentSessionId"),
                            ({"contentSessionId": "a", "prompt": "x"}, "Missing project"),
                            ({"contentSessionId": "a", "project": "p"}, "Missing prompt"),
                            ({"contentSessionId": "a", "project": "p", "prompt": 3},
                             "Missing prompt")):
            with self.subTest(body=body):
                self.refused(self.worker.post("/api/sessions/init", body), error)

    def test_observations_of_hooks(self):
        self.ok(self.init("o1"))
        self.observe("o1", "queued")
        self.observe("o1", "deduped")
        self.observe("o1", "queued", tool_use_id="t1")
        self.observe("o1", "deduped", tool_use_id="t1", tool_response="another")
        self.observe("o1", "skipped", "tool_excluded", tool_name="TodoWrite")
        self.observe("o1", "skipped", "session_memory_meta",
                     tool_input={"file_path": "/tmp/session-memory/notes.md"})
        self.observe("never-seen", "queued")
        self.observe("of-hidden", "skipped", "project_excluded", project="secret")
        self.ok(self.init("o1", "<PRIVATE>x"))
        self.observe("o1", "skipped", "private", tool_use_id="t2")
        self.ok(self.init("o1", "in public again"))
        self.observe("o1", "queued", tool_use_id="t3")
        for body, error in (({"tool_name": "Read"}, "Missing contentSessionId"),
                            ({"contentSessionId": "o1"}, "Missing tool_name")):
            self.refused(self.worker.post("/api/sessions/observations", body), error)
        self.await_drained()

    def test_summarize_and_complete(self):
        first = self.ok(self.init("s1", project="summed"))
        self.observe("s1", "queued")
        self.summarize("s1", "queued")
        self.summarize("s1", "deduped")
        value = self.ok(self.worker.post("/api/sessions/complete", {"contentSessionId": "s1"}))
        self.assertEqual(value, {"status": "completed", "sessionDbId": first["sessionDbId"]})
        for session in ("s1", "nobody"):
            value = self.ok(self.worker.post("/api/sessions/complete", {"contentSessionId": session}))
            self.assertEqual(value, {"status": "skipped", "reason": "not_active"})
        self.ok(self.init("s1", "<private>x</private>"))
        self.summarize("s1", "skipped", "private", "another")
        for path in ("summarize", "complete"):
            self.refused(self.worker.post(f"/api/sessions/{path}", {}), "Missing contentSessionId")
        self.await_drained()
        rows = self.ok(self.worker.get("/api/summaries", project="summed"))["items"]
        self.assertEqual([row["session_id"] for row in rows], ["s1"])
        timings = self.ok(self.worker.get("/api/ops/session-timings",
                                          sessionDbId=first["sessionDbId"]))["timings"]
        self.assertEqual({row["messageType"] for row in timings}, {"observation", "summarize"})
        self.assertEqual({row["provider"] for row in timings}, {"rule-based"})
        self.assertTrue(all(row["success"] for row in timings))

    def test_the_queue_is_told_and_failed_messages_are_tried_again(self):
        session = self.ok(self.init("q1", project="queued"))["sessionDbId"]
        message = self.worker.execute(
            "INSERT INTO queue (session_id, prompt_number, kind, status, payload, attempts,"
            " error_class, error_message, happened_at_ms, created_at_ms, failed_at_ms) VALUES (?, 1,"
            " 'observation', 'failed', ?, 3, 'timeout', 'no answer', 1, 1, ?)", session,
            json.dumps({"tool_name": "Read", "tool_input": {"file_path": "/tmp/a.txt"},
                        "tool_response": "text", "cwd": "/tmp"}), int(time.time() * 1000))
        value = self.ok(self.worker.get("/api/pending-queue"),
                        {"queue", "recentlyProcessed", "sessionsWithPendingWork"})
        self.assertEqual(set(value["queue"]), {"messages", "totalPending", "totalProcessing",
                                               "totalFailed", "stuckCount", "refused"})
        self.assertEqual(value["queue"]["totalFailed"], 1)
        row = next(row for row in value["queue"]["messages"] if row["id"] == message)
        self.assertLessEqual(set("""id sessionDbId contentSessionId project messageType status
            promptNumber attempts createdAt happenedAt errorClass errorMessage failedAt
            canRetry""".split()), set(row))
        self.assertEqual((row["status"], row["errorClass"]), ("failed", "timeout"))
        self.ok(self.worker.get("/api/processing-status"), {"isProcessing", "queueDepth"})

        retry = "/api/ops/retry-failed"
        self.assertEqual(self.ok(self.worker.post(retry, {"sessionDbId": session + 999})),
                         {"success": True, "retried": 0})
        self.assertEqual(self.ok(self.worker.post(retry, {"sessionDbId": session})),
                         {"success": True, "retried": 1})
        self.assertEqual(self.ok(self.worker.ask("POST", retry)), {"success": True, "retried": 0})
        self.refused(self.worker.post(retry, {"sessionDbId": "x"}), re.compile("^sessionDbId must"))
        self.await_drained()
        done = self.worker.wait_for(
            lambda: [each for each in self.worker.get("/api/pending-queue").json["recentlyProcessed"]
                     if each["id"] == message], "the message among those that are done")
        self.assertEqual(set(done[0]), {"id", "sessionDbId", "messageType", "provider",
                                        "completedAt"})
        self.assertEqual(self.worker.get("/api/pending-queue").json["queue"]["totalFailed"], 0)
        self.assertEqual(self.ok(self.worker.get("/api/processing-status")),
                         {"isProcessing": False, "queueDepth": 0})

    # vectors

    def test_index_status_and_backfill(self):
        value = self.ok(self.worker.get("/api/ops/index-status"),
                        {"backend", "sqlite", "faiss", "chroma", "model"})
        self.assertEqual(value["backend"], "sqlite")
        self.assertEqual(set(value["sqlite"]), {"embeddings", "pending"})
        self.assertEqual(set(value["faiss"]), {"vectors", "type", "stale"})
        self.assertLessEqual({"configured", "reachable", "collection", "count"},
                             set(value["chroma"]))
        self.assertIs(value["chroma"]["configured"], False)
        value = self.ok(self.worker.post("/api/ops/backfill/chroma", {"project": "demo", "limit": 5}))
        self.assertEqual(value, {"success": True, "observations": 0, "summaries": 0, "prompts": 0,
                                 "skipped": True,
                                 "reason": "CODEXMEM_CHROMA_URL is not set"})
        for body in ({"limit": 0}, {"limit": "x"}, {"project": 3}):
            self.refused(self.worker.post("/api/ops/backfill/chroma", body), re.compile("must be"))

    # search and timeline

    def test_search(self):
        value = self.ok(self.worker.get("/api/search", query="kettle", limit=2), {"content"})
        self.assertEqual([set(each) for each in value["content"]], [{"type", "text"}])
        self.assertIn("Found 3 result(s) matching \"kettle\"", value["content"][0]["text"])
        value = self.ok(self.worker.get("/api/search", query="kettle", format="json", limit=2))
        for key in ("observations", "sessions", "prompts", "totalResults", "query", "items", "total",
                    "limit", "offset"):
            self.assertIn(key, value)
        self.assertEqual(len(value["observations"]), 2)
        self.assertEqual(set(value["observations"][0]), OBSERVATION)
        value = self.ok(self.worker.get("/api/search", project="demo", format="json"))
        self.assertEqual(set(value["sessions"][0]), SUMMARY)
        self.assertEqual(set(value["prompts"][0]), PROMPT)
        self.assertEqual(value["totalResults"], 5)

    def test_search_filters(self):
        def found(**query):
            return self.ok(self.worker.get("/api/search", format="json", **query))["totalResults"]
        self.assertEqual(found(type="bugfix"), 3)
        self.assertEqual(found(type="observations", obs_type="feature"), 0)
        self.assertEqual(found(type="prompts", project="demo"), 1)
        self.assertEqual(found(concepts="gotcha,pattern", type="observations"), 3)
        self.assertEqual(found(files="kettle.cpp"), 3)
        self.assertEqual(found(dateStart="2026-01-02", dateEnd="2026-01-02", project="demo"), 5)
        self.assertEqual(found(dateStart=1767323400, dateEnd=1767323400001, type="observations"), 2)
        self.assertEqual(found(query="kettle", project="nobody"), 0)
        twice = self.worker.get("/api/search?type=bugfix&type=feature&format=json")
        self.assertEqual(self.ok(twice)["totalResults"], 3)

    def test_search_is_refused(self):
        self.refused(self.worker.get("/api/search"), "Either query or filters required for search")
        self.refused_everywhere("/api/search", [
            ("query=a&limit=0", "^limit must be"), ("query=a&limit=abc", "^limit must be"),
            ("query=a&offset=-1", "^offset must be"), ("query=a&format=xml", "^format must be"),
            ("query=a&dateStart=soon", "^dateStart must be"), ("query=a&orderBy=x", "^orderBy must"),
            ("query=a&max_tokens=1", "^max_tokens must be")])
        self.assertEqual(self.worker.get("/api/search", query="a", limit=1000).status, 200)

    def test_timeline(self):
        value = self.ok(self.worker.get("/api/timeline", anchor=1, depth_before=1, depth_after=1),
                        {"content"})
        self.assertIn("# Timeline around anchor: 1", value["content"][0]["text"])
        self.assertIn("ANCHOR", value["content"][0]["text"])
        for anchor in ("S1", "P1", "#2", "2026-01-02T03:10:00Z", "1767323400"):
            with self.subTest(anchor=anchor):
                self.ok(self.worker.get("/api/timeline", anchor=anchor), {"content"})
        value = self.ok(self.worker.get("/api/timeline", query="kettle", format="json"))
        self.assertTrue(any(item.get("is_anchor") for item in value["items"]), value)
        value = self.ok(self.worker.get("/api/timeline", anchor=99999), {"content", "isError"})
        self.assertIs(value["isError"], True)
        self.assertIn("Observation #99999 not found", value["content"][0]["text"])
        value = self.ok(self.worker.get("/api/timeline", query="zzzz qqqq", type="none"), {"content"})
        self.assertIn("No observations found matching", value["content"][0]["text"])
        self.refused(self.worker.get("/api/timeline"), re.compile("anchor or query"))
        self.refused_everywhere("/api/timeline", [("anchor=zzz", "^anchor must be"),
                                                  ("anchor=1&depth_before=x", "^depth_before must")])

    # records

    def test_batch(self):
        rows = self.ok(self.worker.post("/api/observations/batch", {"ids": [1, 2, 3, 999]}))
        self.assertEqual([row["id"] for row in rows], [3, 2, 1])
        self.assertEqual(set(rows[0]), OBSERVATION)
        rows = self.ok(self.worker.post("/api/observations/batch",
                                        {"ids": [1, 2], "orderBy": "date_asc", "limit": 1}))
        self.assertEqual([row["id"] for row in rows], [1])
        for body in ({"ids": []}, {"ids": [999]}, {"ids": [1], "project": "nobody"},
                     {"ids": [1], "type": "feature"}, {"ids": [1], "concepts": ["pattern"]},
                     {"ids": [1], "files": ["teapot"]}):
            with self.subTest(body=body):
                self.assertEqual(self.ok(self.worker.post("/api/observations/batch", body)), [])
        for body, error in (({}, "ids must be an array of numbers"),
                            ({"ids": "1"}, "ids must be an array of numbers"),
                            ({"ids": "[1]"}, "ids must be an array of numbers"),
                            ({"ids": [1.5]}, "All ids must be integers"),
                            ({"ids": ["1"]}, "All ids must be integers"),
                            ({"ids": [1], "orderBy": "x"}, re.compile("^orderBy must be")),
                            ({"ids": list(range(501))}, re.compile("at most 500"))):
            with self.subTest(body=str(body)[:60]):
                self.refused(self.worker.post("/api/observations/batch", body), error)

    def test_a_batch_is_whole(self):
        text = "word " * 20_000
        ids = [self.ok(self.worker.post("/api/memory/save", {"text": f"{n} {text}", "project": "big"}))
               ["id"] for n in range(3)]
        rows = self.ok(self.worker.post("/api/observations/batch", {"ids": ids}))
        self.assertEqual([len(row["narrative"]) for row in rows], [len(text) + 1] * 3)

    def test_one_record(self):
        row = self.ok(self.worker.get("/api/observation/1"), OBSERVATION)
        self.assertEqual((row["facts"], row["facts_list"]), ('["hot"]', ["hot"]))
        self.assertEqual(row["created_at_epoch"], 1767323400000)
        self.ok(self.worker.get("/api/session/1"), SUMMARY)
        self.ok(self.worker.get("/api/prompt/1"), PROMPT)
        for kind, name in (("observation", "Observation"), ("session", "Session"),
                           ("prompt", "Prompt")):
            self.refused(self.worker.get(f"/api/{kind}/99999"), f"{name} #99999 not found", 404)
            for wrong in ("abc", "1x", "", "99999999999999999999", "1/2"):
                with self.subTest(kind=kind, wrong=wrong):
                    self.refused(self.worker.get(f"/api/{kind}/{wrong}"), "Invalid id")

    def test_lists(self):
        for path, keys in (("/api/observations", OBSERVATION),
                           ("/api/summaries", SUMMARY | {"session_id"}), ("/api/prompts", PROMPT)):
            with self.subTest(path=path):
                value = self.ok(self.worker.get(path, project="demo"), ITEMS)
                self.assertEqual(set(value["items"][0]), keys)
                self.assertEqual((value["offset"], value["limit"], value["hasMore"]), (0, 20, False))
                self.assertEqual(self.ok(self.worker.get(path, project="nobody"))["items"], [])
                self.assertEqual(self.ok(self.worker.get(path, limit=5000))["limit"], 100)
                self.refused_everywhere(path, [("limit=0", "^limit must be"),
                                               ("limit=x", "^limit must be"),
                                               ("offset=-1", "^offset must be")])
        value = self.ok(self.worker.get("/api/observations", project="demo", limit=2))
        self.assertEqual(([row["id"] for row in value["items"]], value["hasMore"]), ([3, 2], True))
        value = self.ok(self.worker.get("/api/observations", project="demo", limit=2, offset=2))
        self.assertEqual(([row["id"] for row in value["items"]], value["hasMore"]), ([1], False))

    def test_projects_and_stats(self):
        self.ok(self.worker.post("/api/memory/save", {"text": "newest", "project": "used-last"}))
        names = self.ok(self.worker.get("/api/projects"), {"projects"})["projects"]
        self.assertIn("demo", names)
        self.assertLess(names.index("used-last"), names.index("demo"))
        value = self.ok(self.worker.get("/api/stats"), {"worker", "database"})
        self.assertEqual(set(value["worker"]),
                         {"version", "uptime", "activeSessions", "sseClients", "port"})
        self.assertEqual(set(value["database"]),
                         {"path", "size", "observations", "sessions", "summaries"})
        self.assertEqual(value["worker"]["port"], self.worker.port)
        self.assertGreaterEqual(value["database"]["observations"], 3)

    # saving

    def test_save(self):
        keys = {"success", "id", "title", "project", "message", "created_at"}
        value = self.ok(self.worker.post("/api/memory/save", {
            "text": "The API needs X-API-Key", "title": "Auth", "project": "my-app"}), keys)
        self.assertIs(value["success"], True)
        self.assertIsInstance(value["id"], int)
        self.assertEqual((value["title"], value["project"]), ("Auth", "my-app"))
        self.assertEqual(value["message"], f"Memory saved as observation #{value['id']}")
        again = self.ok(self.worker.post("/api/memory/save", {
            "text": "The API needs X-API-Key", "title": "Auth", "project": "my-app"}))
        self.assertEqual((again["id"], again["duplicate"]), (value["id"], True))
        untitled = self.ok(self.worker.post("/api/memory/save", {"text": "x" * 100}), keys)
        self.assertEqual(untitled["title"], "x" * 60 + "...")
        kept = self.ok(self.worker.post("/api/memory/save", {"text": "a <private>canary</private> b"}))
        self.assertNotIn("canary", self.worker.get(f"/api/observation/{kept['id']}").text)

    def test_save_is_refused(self):
        for body in ({}, {"text": ""}, {"text": "  "}, {"text": 3}, {"text": None},
                     {"text": "<private>only this</private>"}):
            with self.subTest(body=body):
                self.refused(self.worker.post("/api/memory/save", body),
                             "text is required and must be non-empty")
        secret = "ghp" + "_" + "9aB3dE7fG1hJ5kL2mN8pQ4rS6tU0vW1xY3zA"
        value = self.refused(self.worker.post("/api/memory/save", {"text": f"use {secret}"}),
                             re.compile("secret"))
        self.assertEqual(set(value), {"error", "code", "details"})
        self.assertEqual(value["code"], "POLICY_BLOCKED")
        self.assertEqual(value["details"]["rules"], ["github-token"])
        self.assertNotIn(secret, json.dumps(value))

    def test_import(self):
        stats = {"sessionsImported", "sessionsSkipped", "summariesImported", "summariesSkipped",
                 "observationsImported", "observationsSkipped", "promptsImported", "promptsSkipped"}
        self.assertEqual(set(self.imported), {"success", "stats"})
        self.assertEqual(set(self.imported["stats"]), stats)
        self.assertEqual(self.imported["stats"]["observationsImported"], 3)
        row = {"project": "imported", "title": "A", "narrative": "b", "created_at_epoch": 1}
        for imported in (1, 0):
            value = self.ok(self.worker.post("/api/import", {"observations": [row]}))
            self.assertEqual((value["stats"]["observationsImported"],
                              value["stats"]["observationsSkipped"]), (imported, 1 - imported))
        self.refused(self.worker.post("/api/import", {"prompts": 3}), re.compile("^prompts must be"))

    # context

    def test_context(self):
        reply = self.worker.get("/api/context/inject", project="demo")
        self.assertEqual(reply.status, 200)
        self.assertEqual(reply.headers["Content-Type"], "text/plain; charset=utf-8")
        self.assertTrue(reply.text.startswith("<codexmem-context>\n"), reply.text)
        self.assertIn("Kettle 2", reply.text)
        self.assertIn("not instructions", reply.text)
        self.assertLessEqual(len(reply.body), 9_500)
        self.assertEqual(self.worker.get("/api/context/inject", project="demo").body, reply.body)
        both = self.worker.get("/api/context/inject", projects="demo,nobody")
        self.assertIn("[demo]", both.text)
        none = self.worker.get("/api/context/inject", project="nobody")
        self.assertEqual(none.status, 200)
        self.assertIn("remembers nothing of nobody", none.text)
        odd = self.worker.get("/api/context/inject?project=%ff%00%3C/codexmem-context%3E")
        self.assertEqual(odd.body.decode().count("</codexmem-context>"), 1)
        for query in ("", "?project=", "?projects=,"):
            self.refused(self.worker.get("/api/context/inject" + query),
                         "Project(s) parameter is required")

    def test_edit_guard(self):
        edit = {"contentSessionId": "guarded", "cwd": "/nowhere", "tool_name": "Edit",
                "tool_input": {"file_path": "a.py", "old_string": "a", "new_string": "b"}}
        self.assertEqual(self.ok(self.worker.post("/api/context/edit", edit)),
                         {"text": "", "breaks": [], "isComplete": True})
        for missing in ("contentSessionId", "tool_name"):
            rest = {name: value for name, value in edit.items() if name != missing}
            self.refused(self.worker.post("/api/context/edit", rest), "Missing " + missing)
        self.assertEqual(self.ok(self.worker.get("/api/context/unseen", contentSessionId="guarded")),
                         {"text": ""})
        self.refused(self.worker.get("/api/context/unseen"), "Missing contentSessionId")

    # ops

    def test_search_traces(self):
        self.ok(self.worker.get("/api/search", query="traced <private>canary</private>",
                                project="traced-project"))
        value = self.ok(self.worker.get("/api/ops/search-traces", query="TRACED", limit=5),
                        {"traces", "total", "limit"})
        trace = value["traces"][0]
        self.assertEqual(set(trace), set("""id at query project mode vectorBackend vectorHits
            lexicalHits returned ms degraded degradedReason""".split()))
        self.assertEqual(set(trace["ms"]), {"total", "lexical", "vector", "fuse"})
        self.assertEqual((trace["query"], trace["project"]), ("traced", "traced-project"))
        self.assertIn(trace["mode"], ("lexical-only", "hybrid"))
        other = "hybrid" if trace["mode"] == "lexical-only" else "lexical-only"
        for query, found in (({"mode": other}, 0), ({"mode": trace["mode"]}, 1),
                             ({"project": "traced-project"}, 1), ({"project": "nobody"}, 0),
                             ({"from": "2020-01-01"}, 1), ({"to": "2020-01-01"}, 0),
                             ({"from": 1577836800, "to": int(time.time() * 1000) + 60_000}, 1)):
            with self.subTest(query=query):
                value = self.ok(self.worker.get("/api/ops/search-traces", **{
                    "query": "traced", **query}))
                self.assertEqual(min(value["total"], 1), found)
        self.assertEqual(self.ok(self.worker.get("/api/ops/search-traces", limit=9999))["limit"], 500)

    def add_messages(self):
        """What the processor would have written, of session 77."""
        now = int(time.time() * 1000)
        for n, success in ((1, 1), (2, 0)):
            self.worker.execute(
                "INSERT INTO message_timings (message_id, session_id, kind, provider, queue_wait_ms,"
                " model_ms, index_ms, total_ms, success, error_class, at_ms)"
                " VALUES (?, 77, 'observation', 'openai', ?, 20, 2, ?, ?, ?, ?)",
                n, 10 * n, 10 * n + 22, success, None if success else "timeout", now)
        self.worker.execute(
            "INSERT INTO message_failures (message_id, session_id, kind, provider, error_class,"
            " message, attempt, outcome, at_ms)"
            " VALUES (2, 77, 'observation', 'openai', 'timeout', '=no answer', 1, 'failed', ?)", now)

    def test_session_timings(self):
        self.worker.execute("DELETE FROM message_timings WHERE session_id = 77")
        self.add_messages()
        value = self.ok(self.worker.get("/api/ops/session-timings", sessionDbId=77),
                        {"timings", "averages", "total", "limit"})
        self.assertEqual(set(value["timings"][0]), set("""id at messageId sessionDbId messageType
            provider queueWaitMs modelMs indexMs totalMs success errorClass""".split()))
        self.assertEqual(value["averages"], {"queueWaitMs": 15, "modelMs": 20, "indexMs": 2,
                                             "totalMs": 37})
        self.assertEqual([row["errorClass"] for row in value["timings"]], ["timeout", None])
        for query, found in (({"success": "true"}, 1), ({"success": "false"}, 1),
                             ({"messageType": "summarize"}, 0), ({"messageType": "observation"}, 2)):
            with self.subTest(query=query):
                value = self.ok(self.worker.get("/api/ops/session-timings", sessionDbId=77, **query))
                self.assertEqual(value["total"], found)

    def test_failure_summary(self):
        self.worker.execute("DELETE FROM message_failures WHERE session_id = 77")
        self.add_messages()
        value = self.ok(self.worker.get("/api/ops/failure-summary", sessionDbId=77),
                        {"counts", "failures", "total", "limit"})
        self.assertEqual(set(value["counts"]), CLASSES)
        self.assertEqual((value["counts"]["timeout"], value["total"]), (1, 1))
        self.assertEqual(set(value["failures"][0]), set("""id at messageId sessionDbId messageType
            provider errorClass message attempt outcome""".split()))
        for query, found in (({"errorClass": "timeout"}, 1), ({"errorClass": "auth"}, 0),
                             ({"messageType": "summarize"}, 0)):
            with self.subTest(query=query):
                value = self.ok(self.worker.get("/api/ops/failure-summary", sessionDbId=77, **query))
                self.assertEqual(value["total"], found)

    def test_ops_filters_are_refused(self):
        every = [("limit=0", "^limit must be"), ("limit=x", "^limit must be"),
                 ("from=soon", "^from must be"), ("to=x", "^to must be"),
                 ("from=2026-01-02&to=2026-01-01", "^from must not be after to")]
        message = every + [("sessionDbId=x", "^sessionDbId must be"),
                           ("sessionDbId=0", "^sessionDbId must be"),
                           ("messageType=prompt", "^messageType must be")]
        for name, cases in (("search-traces", every + [("mode=vector", "^mode must be")]),
                            ("session-timings", message + [("success=maybe", "^success must be")]),
                            ("failure-summary", message + [("errorClass=x", "^errorClass must be")])):
            self.refused_everywhere(f"/api/ops/{name}", cases)
            self.refused_everywhere(f"/api/ops/{name}/export", cases + [("format=xml",
                                                                         "^format must be")])

    def test_exports(self):
        self.add_messages()
        self.ok(self.worker.get("/api/search", query='=cmd|" /C calc", with\nlines'))
        for name in ("search-traces", "session-timings", "failure-summary"):
            with self.subTest(name=name):
                reply = self.worker.get(f"/api/ops/{name}/export")
                self.assertEqual(reply.status, 200)
                self.assertEqual(reply.headers["Content-Type"], "text/csv; charset=utf-8")
                self.assertEqual(reply.headers["Content-Disposition"],
                                 f'attachment; filename="{name}.csv"')
                self.assertTrue(reply.body.endswith(b"\r\n"))
                rows = list(csv.DictReader(io.StringIO(reply.text, newline="")))
                self.assertGreater(len(rows), 0)
                self.assertFalse([cell for row in rows for cell in row.values()
                                  if cell and cell[0] in "=+-@"])
                reply = self.worker.get(f"/api/ops/{name}/export", format="ndjson", limit=1)
                self.assertEqual(reply.headers["Content-Type"], "application/x-ndjson")
                self.assertEqual(reply.headers["Content-Disposition"],
                                 f'attachment; filename="{name}.ndjson"')
                lines = reply.text.splitlines()
                self.assertEqual(len(lines), 1)
                self.assertEqual(json.loads(lines[0])["id"], int(rows[0]["id"]))
        rows = csv.DictReader(io.StringIO(self.worker.get("/api/ops/search-traces/export").text,
                                          newline=""))
        self.assertIn("'=cmd|\" /C calc\", with\nlines", [row["query"] for row in rows])
        empty = self.worker.get("/api/ops/failure-summary/export", sessionDbId=999999)
        self.assertEqual(empty.text, "id,at,messageId,sessionDbId,messageType,provider,errorClass,"
                                     "message,attempt,outcome\r\n")

    def test_trends(self):
        self.ok(self.worker.get("/api/search", query="counted"))
        value = self.ok(self.worker.get("/api/ops/trends"), {"windowSec", "bucketSec", "buckets"})
        self.assertEqual((value["windowSec"], value["bucketSec"], len(value["buckets"])),
                         (3600, 60, 60))
        for bucket in value["buckets"]:
            self.assertEqual(set(bucket), {"at", "searchCount", "avgSearchMs", "queueCount",
                                           "avgQueueTotalMs", "failureCount"})
            self.assertTrue(bucket["at"].endswith(":00.000Z"), bucket)
        self.assertGreater(sum(bucket["searchCount"] for bucket in value["buckets"]), 0)
        for window, bucket, count in ((60, 10, 6), (86400, 60, 1440), (90, 60, 2), (60, 3600, 1)):
            value = self.ok(self.worker.get("/api/ops/trends", windowSec=window, bucketSec=bucket))
            self.assertEqual(len(value["buckets"]), count)
        self.refused_everywhere("/api/ops/trends", [
            ("windowSec=59", "^windowSec must be"), ("windowSec=86401", "^windowSec must be"),
            ("bucketSec=9", "^bucketSec must be"), ("bucketSec=3601", "^bucketSec must be"),
            ("windowSec=x", "^windowSec must be"), ("windowSec=86400&bucketSec=59", "at most 1440")])

    def test_agent_metrics(self):
        self.worker.execute("INSERT INTO agent_metrics (task, outcome, count) VALUES ('summary',"
                            " 'repair_fail', 5) ON CONFLICT DO UPDATE SET count = count + 5")
        value = self.ok(self.worker.get("/api/ops/agent-metrics"), {"observation", "summary"})
        self.assertEqual([set(value["observation"]), set(value["summary"])], [OUTCOMES, OUTCOMES])
        self.assertEqual(value["summary"]["repair_fail"], 5)
        reset = self.ok(self.worker.post("/api/ops/agent-metrics/reset"), {"success", "previous"})
        self.assertEqual(reset["previous"]["summary"]["repair_fail"], 5)
        after = self.ok(self.worker.get("/api/ops/agent-metrics"))
        self.assertEqual(after["summary"]["repair_fail"], 0)

    # events and the page

    def mcp(self, message, path="/mcp", **headers):
        """A message over MCP; in a session when its id is among the headers."""
        known = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        known.update({name.replace("_", "-"): value for name, value in headers.items()})
        return self.worker.ask("POST", path, {"jsonrpc": "2.0", **message}, known)

    def open_mcp(self, path="/mcp"):
        reply = self.mcp({"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}}, path)
        self.assertEqual(reply.status, 200, reply.text)
        session = reply.headers["Mcp-Session-Id"]
        self.assertRegex(session, "^[0-9a-f]{32}$")
        accepted = self.mcp({"method": "notifications/initialized"}, path, Mcp_Session_Id=session)
        self.assertEqual(accepted.status, 202)
        return session

    def call_tool(self, session, name, arguments, path="/mcp"):
        reply = self.mcp({"id": 2, "method": "tools/call", "params": {
            "name": name, "arguments": arguments}}, path, Mcp_Session_Id=session)
        self.assertEqual(reply.status, 200, reply.text)
        body = reply.text
        if reply.headers["Content-Type"] == "text/event-stream":
            body = [line for line in body.splitlines() if line.startswith("data: {")][-1][6:]
        return json.loads(body)["result"]

    def test_mcp_sessions(self):
        session = self.open_mcp()
        found = self.call_tool(session, "search", {"query": "kettle", "format": "json"})
        self.assertGreaterEqual(found["structuredContent"]["total"], 3)
        code = self.call_tool(session, "find_symbol", {"symbol": "a"})
        self.assertTrue(code["isError"])
        self.assertIn("?repository=", code["structuredContent"]["message"])
        self.assertEqual(self.worker.ask("OPTIONS", "/mcp").status, 204)
        self.assertEqual(self.worker.ask("POST", "/mcp", {"a": 1}).status, 415)
        self.assertEqual(self.worker.ask("PUT", "/mcp", {"a": 1}).status, 405)
        self.assertEqual(self.mcp({"id": 3, "method": "tools/list"}).status, 400)
        self.assertEqual(self.mcp({"id": 3, "method": "x"}, Mcp_Session_Id="0" * 32).status, 404)
        self.assertEqual(self.worker.ask("GET", "/mcp", None, {"Accept": "text/html"}).status, 406)
        self.assertEqual(self.worker.ask("GET", "/mcp").status, 400)
        for method in ("GET", "DELETE"):
            gone = self.worker.ask(method, "/mcp", None, {"Mcp-Session-Id": "1" * 32})
            self.assertEqual(gone.status, 404)
        self.assertEqual(self.worker.ask("DELETE", "/mcp").status, 400)
        ended = self.worker.ask("DELETE", "/mcp", None, {"Mcp-Session-Id": session})
        self.assertEqual(ended.status, 204)
        self.assertEqual(self.mcp({"id": 4, "method": "ping"}, Mcp_Session_Id=session).status, 404)
        for header, value in (("Host", "evil.example"), ("Origin", "http://evil.example")):
            refused = self.mcp({"id": 5, "method": "ping"}, **{header: value})
            self.assertEqual(refused.status, 403)

    def test_mcp_streams_what_happens(self):
        session = self.open_mcp()
        connection = http.client.HTTPConnection("127.0.0.1", self.worker.port, timeout=TIMEOUT)
        connection.request("GET", "/mcp", None, {"Accept": "text/event-stream", "Mcp-Session-Id": session})
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "text/event-stream"))
        self.worker.seen.add(("GET", "/mcp", answer.status))
        self.assertEqual(answer.readline(), b"id: 0.0\n")
        connection.close()

    def test_mcp_of_a_repository(self):
        repository = self.root / "one of many"
        (repository / "src").mkdir(parents=True)
        (repository / ".git").mkdir()
        (repository / "src/kettle.py").write_text("def boil(water):\n    return water\n")
        path = "/mcp?" + urllib.parse.urlencode({"repository": str(repository)})
        session = self.open_mcp(path)
        found = self.call_tool(session, "find_symbol", {"symbol": "boil"}, path)
        self.assertEqual(found["structuredContent"]["results"][0]["file"]["path"], "src/kettle.py")
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}}
        stateless = self.mcp(
            {"id": 6, "method": "tools/call", "params": {
                "name": "find_symbol", "arguments": {"symbol": "boil"}, "_meta": meta}},
            path, MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/call", Mcp_Name="find_symbol")
        self.assertEqual(stateless.json["result"]["structuredContent"]["results"][0]["file"]["path"],
                         "src/kettle.py")
        # Who reaches the port may not have any folder read.
        private = self.root / "private"
        private.mkdir()
        (private / "notes.md").write_text("# Between us\n")
        path = "/mcp?" + urllib.parse.urlencode({"repository": str(private)})
        session = self.open_mcp(path)
        refused = self.call_tool(session, "search_code", {"query": "between us"}, path)
        self.assertTrue(refused["isError"])
        self.assertIn(f"codexmem index {private}", refused["structuredContent"]["message"])
        found = self.call_tool(session, "search", {"query": "kettle", "format": "json"}, path)
        self.assertGreaterEqual(found["structuredContent"]["total"], 3)
        self.assertEqual(sorted(os.listdir(private)), ["notes.md"])
        for bad in ("relative", str(self.root / "nothing")):
            with self.subTest(repository=bad):
                reply = self.mcp({"id": 1, "method": "initialize", "params": {
                    "protocolVersion": "2025-11-25", "capabilities": {}}},
                    "/mcp?" + urllib.parse.urlencode({"repository": bad}))
                self.assertEqual(reply.status, 400)
                self.assertIn("absolute path", reply.text)

    def test_events(self):
        # One that saw events of a run whose clock was ahead hears of new ones, too.
        for path, headers in (("/api/events", {}), ("/stream", {"Last-Event-ID": str(1 << 62)})):
            with self.subTest(path=path):
                connection = http.client.HTTPConnection("127.0.0.1", self.worker.port,
                                                        timeout=TIMEOUT)
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                self.seen.add(("GET", path, answer.status))
                self.assertEqual(answer.status, 200)
                self.assertEqual(answer.headers["Content-Type"], "text/event-stream")
                saved = self.ok(self.worker.post("/api/memory/save", {"text": f"saved on {path}"}))
                event = {}
                while event.get("event") != "record.saved" or "data" not in event:
                    line = answer.readline().decode().rstrip("\n")
                    if not line:
                        event = {}
                    elif not line.startswith(":"):
                        name, _, value = line.partition(": ")
                        event[name] = value
                data = json.loads(event["data"])
                self.assertGreater(int(event["id"]), 0)
                self.assertEqual((data["type"], data["kind"], data["id"]),
                                 ("record.saved", "observation", saved["id"]))
                connection.close()

    def test_the_page(self):
        page = self.worker.get("/viewer")
        self.assertEqual(page.status, 200)
        self.assertEqual(page.headers["Content-Type"], "text/html; charset=utf-8")
        self.assertIn("default-src 'none'", page.headers["Content-Security-Policy"])
        self.assertEqual(self.worker.get("/").headers["Location"], "/viewer")

    def test_the_provider(self):
        value = self.ok(self.worker.get("/api/ops/provider"), set("""provider model fallsBack
            problem hint dataGoesTo tokensToday callsToday tokenBudget warnings""".split()))
        self.assertEqual((value["provider"], value["model"], value["fallsBack"]),
                         ("rule-based", None, True))

    def test_the_settings_that_hold(self):
        rows = self.ok(self.worker.get("/api/ops/settings"), {"settings"})["settings"]
        self.assertTrue(all(set(row) == {"name", "key", "value", "isSet", "summary"} for row in rows))
        held = {row["name"]: row for row in rows}
        self.assertEqual((held["CODEXMEM_EXCLUDED_PROJECTS"]["value"], held["CODEXMEM_PROVIDER"]["isSet"]),
                         ("hidden-*,secret", True))
        self.assertEqual((held["CODEXMEM_OPENAI_TIMEOUT"]["value"], held["CODEXMEM_OPENAI_TIMEOUT"]["isSet"]), ("45", False))

    def test_no_setting_shows_its_secret(self):
        worker = Worker(self.root / "keys", CODEXMEM_OPENAI_API_KEY="sk-canary",
                        CODEXMEM_CHROMA_URL="http://user:canary@127.0.0.1:9").await_ready()
        self.addCleanup(worker.stop)
        reply = worker.get("/api/ops/settings")
        self.assertNotIn("canary", reply.text)
        values = {row["name"]: row["value"] for row in reply.json["settings"]}
        self.assertEqual(values["CODEXMEM_OPENAI_API_KEY"], "set")

    def test_the_log(self):
        self.assertEqual(self.ok(self.worker.get("/api/ops/log"), {"path", "lines"})["lines"], [])
        log = self.root / "data/worker.log"
        self.addCleanup(log.unlink)
        log.write_bytes(b"".join(b"line %d \xff\n" % n for n in range(300)))
        lines = self.ok(self.worker.get("/api/ops/log"))["lines"]
        self.assertEqual((len(lines), lines[0], lines[-1]), (200, "line 100 \ufffd", "line 299 \ufffd"))

    def test_the_status(self):
        """The events of hooks, refused requests with their reasons, and the last failure."""
        self.refused(self.worker.post("/api/sessions/init", {"contentSessionId": "st"}),
                     re.compile("^Missing"))
        self.worker.post("/api/sessions/init", {"contentSessionId": "st", "project": "demo",
                                                "prompt": "look", "platform": "codex"})
        self.worker.post("/api/sessions/observations",
                         {"contentSessionId": "st", "tool_name": "Bash", "tool_input": {},
                          "tool_response": "done", "cwd": "/tmp"})
        value = self.ok(self.worker.get("/api/ops/status"), set("""startedAt lastEvent events queue
            lastFailure store""".split()))
        last = value["lastEvent"]
        self.assertEqual((last["kind"], last["tool"], last["platform"]),
                         ("observation", "Bash", "codex"))
        self.assertGreaterEqual(value["events"]["taken"], 2)
        self.assertTrue(any(reason.startswith("Missing") for reason in value["events"]["refused"]))
        self.assertEqual(set(value["queue"]), {"pending", "processing", "failed"})

    def test_sessions_and_decisions(self):
        value = self.ok(self.worker.get("/api/sessions", project="demo"), ITEMS)
        session = value["items"][0]
        self.assertEqual(set(session), set("""id content_session_id project platform status title
            prompts observations summaries pending failed started_at started_at_epoch completed_at
            completed_at_epoch""".split()))
        value = self.ok(self.worker.get("/api/session-records", sessionDbId=session["id"]),
                        {"session", "hasMore", "observations", "summaries", "prompts"})
        self.assertEqual(set(value["observations"][0]), OBSERVATION)
        self.refused(self.worker.get("/api/session-records", sessionDbId=99999),
                     "Session #99999 not found", 404)
        for query in ("", "?sessionDbId=x", "?sessionDbId=0"):
            self.refused(self.worker.get("/api/session-records" + query),
                         re.compile("^sessionDbId must"))
        self.ok(self.worker.get("/api/decisions"), ITEMS)
        self.refused_everywhere("/api/decisions", [("status=x", "^status must be"),
                                                   ("limit=0", "^limit must be")])
        self.refused_everywhere("/api/sessions", [("limit=0", "^limit must be")])


class NotReady(unittest.TestCase):
    def test_every_route_but_health_waits_for_the_store(self):
        """A store of the first version whose migration cannot begin yet."""
        root = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-routes-"))
        self.addCleanup(shutil.rmtree, root, ignore_errors=True)
        data = root / "data"
        data.mkdir(mode=0o700)
        shutil.copy(SOURCE / "testdata/stores/user/v1.db", data / "memory.db")
        database = sqlite3.connect(data / "memory.db", isolation_level=None)
        database.execute("BEGIN IMMEDIATE")
        worker = Worker(data)
        self.addCleanup(worker.stop)
        try:
            health = worker.get("/api/health")
            self.assertEqual(health.status, 200)
            self.assertEqual((health.json["status"], health.json["initialized"],
                              health.json["mcpReady"]), ("ok", False, False))
            self.assertEqual(worker.get("/api/version").status, 200)
            reply = worker.get("/api/readiness")
            self.assertEqual((reply.status, reply.json["status"]), (503, "initializing"))
            self.assertEqual(set(reply.json), {"status", "message"})
            Routes.not_ready = set(worker.seen)
            for method, path in written_routes() | {("GET", "/api/nope")}:
                if path in ("/api/health", "/api/version", "/viewer", "/"):
                    continue
                with self.subTest(path=path):
                    reply = worker.ask(method, path + ("1" if path.endswith("/") else ""))
                    self.assertEqual((reply.status, reply.json["status"]), (503, "initializing"))
        finally:
            database.execute("ROLLBACK")
            database.close()
        worker.await_ready()
        self.assertEqual(worker.get("/api/observations").status, 200)


def own_address():
    """This machine's address among others; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return probe.getsockname()[0]
        except OSError:
            return None


class StoreFails(unittest.TestCase):
    def test_it_is_told_as_json_and_the_worker_lives_on(self):
        """A file that is no store takes the store's place, and later the store comes back."""
        root = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-routes-"))
        self.addCleanup(shutil.rmtree, root, ignore_errors=True)
        worker = Worker(root / "data").await_ready()
        self.addCleanup(worker.stop)
        self.assertEqual(worker.post("/api/memory/save", {"text": "kept"}).status, 200)
        for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
            if (root / "data" / name).exists():
                os.rename(root / "data" / name, root / name)
        (root / "data/memory.db").write_bytes(b"this is no database" * 1000)
        for method, path in sorted(written_routes()):
            if path in ("/", "/viewer", "/api/events", "/stream", "/mcp") or \
                    path.startswith(("/api/health", "/api/readiness", "/api/version", "/api/code/",
                                     "/api/context/edit", "/api/context/unseen")):
                continue
            query = {"/api/search": "?query=kept", "/api/timeline": "?query=kept",
                     "/api/context/inject": "?project=default",
                     "/api/session-records": "?sessionDbId=1"}.get(path, "")
            body = {"contentSessionId": "a", "project": "p", "prompt": "x", "tool_name": "Read",
                    "ids": [1], "text": "x", "observations": [{"narrative": "x"}], "pinned": True,
                    "id": "decision_20260101_000000_000000_00000001.md"
                    if path.startswith("/api/decisions/") else 1}
            with self.subTest(path=path):
                reply = worker.ask(method, path + ("1" if path.endswith("/") else query),
                                   body if method == "POST" else None)
                # Without Chroma, or without a model, nothing is read; others never read it.
                if path in ("/api/ops/backfill/chroma", "/api/ops/provider", "/api/ops/settings", "/api/ops/log"):
                    self.assertEqual(reply.status, 200)
                    continue
                self.assertEqual(reply.status, 500, reply.text[:300])
                self.assertTrue(reply.json["error"])
        self.assertEqual(worker.get("/api/health").status, 200)
        for name in ("memory.db", "memory.db-wal", "memory.db-shm"):
            (root / "data" / name).unlink(missing_ok=True)
            if (root / name).exists():
                os.rename(root / name, root / "data" / name)
        self.assertEqual(worker.get("/api/observation/1").status, 200)


class WhoMayDecide(unittest.TestCase):
    """That a worker has the secret says nothing of who reaches its port."""
    seen = set()

    def test_over_mcp_the_caller_shows_the_secret(self):
        root = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-routes-"))
        self.addCleanup(shutil.rmtree, root, ignore_errors=True)
        worker = Worker(root / "data", AGENT_MEMORY_SECRET="between us").await_ready()
        self.addCleanup(worker.stop)
        repository = root / "repository"
        (repository / ".git").mkdir(parents=True)

        def record(target, query="", **headers):
            meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                    "io.modelcontextprotocol/clientCapabilities": {}}
            reply = worker.ask("POST", "/mcp" + query, {
                "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
                    "_meta": meta, "name": "record_decision", "arguments": {
                        "title": "Use SQLite", "target": target, "rationale": "One file, no server"}}},
                {"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28",
                 "Mcp-Method": "tools/call", "Mcp-Name": "record_decision", **headers})
            self.assertEqual(reply.status, 200, reply.text)
            return reply.json["result"]["structuredContent"]

        for headers in ({}, {"Authorization": "Bearer wrong us"}, {"Authorization": "between us"}):
            refused = record("store", **headers)
            self.assertIn("Permission Denied", refused["message"])
            self.assertIn("Authorization: Bearer", refused["message"])
        proof = {"Authorization": "Bearer between us"}
        self.assertEqual(record("store", **proof)["status"], "success")
        # The wait between writes is the process's, whatever repository is named.
        query = "?" + urllib.parse.urlencode({"repository": str(repository)})
        self.assertIn("Rate limit exceeded", record("queue", query, **proof)["message"])


    def test_decisions_are_changed_by_those_who_may(self):
        root = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-routes-"))
        self.addCleanup(shutil.rmtree, root, ignore_errors=True)
        worker = Worker(root / "data", AGENT_MEMORY_SECRET="between us",
                        CODEXMEM_ROLE="admin").await_ready()
        self.addCleanup(worker.stop)
        (root / "shop/.git").mkdir(parents=True)
        environment = dict(os.environ, CODEXMEM_DATA_DIR=str(root / "data"), HOME=str(root),
                           AGENT_MEMORY_SECRET="between us")
        subprocess.run([PROGRAM, "decision", "record", "Use SQLite", "--target", "store",
                        "--rationale", "One file, no server"], check=True, cwd=root / "shop",
                       env=environment, capture_output=True, timeout=TIMEOUT)
        one = worker.get("/api/decisions").json["items"][0]["id"]
        proof = {"Authorization": "Bearer between us"}
        bodies = {"/api/decisions/edit": {"rationale": "Because it is one file"},
                  "/api/decisions/deprecate": {}}
        for path, more in bodies.items():
            refused = worker.post(path, {"id": one, **more})
            self.assertEqual(refused.status, 403, refused.text)
            self.assertIn("Authorization: Bearer", refused.json["error"])
            self.assertEqual(worker.post(path, {}).status, 400)
            missing = "decision_20260101_000000_000000_00000001.md"
            self.assertEqual(worker.post(path, {"id": missing}).status, 404)
        edited = worker.ask("POST", "/api/decisions/edit", {"id": one, **bodies["/api/decisions/edit"]},
                            proof)
        self.assertEqual(edited.status, 200, edited.text)
        self.assertEqual(edited.json["supersedes"], one)
        ended = worker.ask("POST", "/api/decisions/deprecate", {"id": edited.json["id"]}, proof)
        self.assertEqual(ended.status, 200, ended.text)
        states = {item["id"]: item["status"] for item in worker.get("/api/decisions").json["items"]}
        self.assertEqual(states, {one: "superseded", edited.json["id"]: "deprecated"})
        self.seen.update(worker.seen)


class Table(unittest.TestCase):
    """The routes of the documentation, of the source and of these tests are the same."""

    def test_routes_are_documented(self):
        self.assertEqual(written_routes() - set(documented_routes()), set())

    def test_every_documented_status_was_seen(self):
        seen = set()
        for method, path, status in Routes.seen | Routes.not_ready | WhoMayDecide.seen:
            for known, pattern in written_routes():
                is_it = (path.startswith(pattern) if pattern != "/" and pattern.endswith("/")
                         else path == pattern)
                if method == known and is_it:
                    seen.add((known, pattern, status))
        wanted = {(*route, status) for route, statuses in documented_routes().items()
                  if route in written_routes() for status in statuses}
        self.assertEqual(wanted - seen, set())


def load_tests(loader, standard, pattern):
    """What was seen is looked at last."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (NotReady, StoreFails, WhoMayDecide, Routes, Table))


if __name__ == "__main__":
    unittest.main(verbosity=1)
