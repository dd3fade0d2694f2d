"""The worker with a model that misbehaves: events in over HTTP, observations and summaries out.

CODEXMEM_PROGRAM is the program. Needs no network.
"""
import http.client
import json
import os
import pathlib
import shutil
import sqlite3
import tempfile
import unittest
import urllib.parse

from model_server import ModelServer
from running_worker import WatchedWorker

PROGRAM = os.environ["CODEXMEM_PROGRAM"]
TIMEOUT = 60
KEY = "k-of-the-test-" + "9d" * 8


class Worker(WatchedWorker):
    def __init__(self, folder, **environment):
        super().__init__(PROGRAM, folder, **environment)
        self.wait_for(lambda: self.ask("GET", "/api/readiness")[0] == 200, "readiness")

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.request(method, path, None if body is None else json.dumps(body))
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def get(self, path, **query):
        status, body = self.ask("GET", path + "?" + urllib.parse.urlencode(query))
        assert status == 200, (path, body)
        return body

    def post(self, path, body):
        status, reply = self.ask("POST", path, body)
        assert status == 200, (path, reply)
        return reply

    def drain(self):
        self.wait_for(lambda: self.get("/api/processing-status")["queueDepth"] == 0, "the queue")


def events_of(session):
    """The hook events of a turn: two edits and a test run."""
    return [
        {"contentSessionId": session, "tool_name": "Edit", "tool_use_id": f"{session}-1", "cwd": "/r",
         "tool_input": {"file_path": "/r/src/auth.py", "old_string": "def login():\n    return 1\n",
                        "new_string": "def login():\n    return 2\n"}, "tool_response": {}},
        {"contentSessionId": session, "tool_name": "Bash", "tool_use_id": f"{session}-2", "cwd": "/r",
         "tool_input": {"command": "pytest -q"},
         "tool_response": {"stdout": f"12 passed in 0.1s\n# {session}", "stderr": ""}},
    ]


# (name, the server's plan, provider, classes of failures, metrics that rise, answers wanted)
OBSERVED = [
    ("good", [], "openai", [], {}),
    ("fenced", ["fenced"], "openai", [], {}),
    ("chatter", ["chatter"], "openai", [], {}),
    ("thoughts", ["thoughts"], "openai", [], {}),
    ("xml", ["xml"], "openai", [], {}),
    ("no-usage", ["no-usage"], "openai", [], {}),
    ("drip", ["drip:0.5"], "openai", [], {}),
    ("odd-type", ["odd-type"], "openai", [], {"schema_fail": 1}),
    ("babble", ["babble"], "openai", [], {"parse_fail": 1}),
    ("garbage", ["garbage"], "openai", [], {"parse_fail": 1}),
    ("truncated", ["truncated"], "openai", [], {"parse_fail": 1}),
    ("wrong-shape", ["wrong-shape"], "openai", [], {"schema_fail": 1}),
    ("null", ["null"], "openai", [], {"parse_fail": 1}),
    ("429", ["429:1"], "openai", ["rate_limit"], {}),
    ("500", ["500"], "openai", ["server_error"], {}),
    ("502", ["502"], "openai", ["server_error"], {}),
    ("error-200", ["error-200"], "openai", ["server_error"], {}),
    ("close", ["close", "close"], "openai", ["network"], {}),
    ("cut-body", ["cut-body"], "openai", ["network"], {}),
    ("hang", ["hang:4"], "openai", ["timeout"], {}),
    ("garbage-twice", ["garbage", "garbage"], "rule-based", ["parse_fail"],
     {"parse_fail": 2, "repair_fail": 1, "fallback_used": 1}),
    ("truncated-twice", ["truncated", "truncated"], "rule-based", ["parse_fail"],
     {"parse_fail": 2, "repair_fail": 1, "fallback_used": 1}),
    ("wrong-shape-twice", ["wrong-shape", "wrong-shape"], "rule-based", ["schema_fail"],
     {"schema_fail": 2, "repair_fail": 1, "fallback_used": 1}),
    ("401", ["401"], "rule-based", ["auth"], {"fallback_used": 1}),
    ("quota", ["quota"], "rule-based", ["rate_limit"], {"fallback_used": 1}),
    ("refusal", ["refusal"], "rule-based", ["unknown"], {"fallback_used": 1}),
    ("always-500", ["500"] * 4, "rule-based", ["server_error"] * 4, {"fallback_used": 1}),
    # Last: what a server refuses is not asked for again.
    ("no-schema", ["no-schema"], "openai", [], {}),
    ("no-json", ["no-json"], "openai", [], {}),
]
SUMMED = [
    ("good", [], "the model's lesson"),
    ("xml", ["xml"], "the model's lesson"),
    ("garbage-twice", ["garbage", "garbage"], None),
    ("429", ["429:1"], "the model's lesson"),
]


class Model(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-model-"))
        self.server = ModelServer()
        self.worker = None

    def tearDown(self):
        if self.worker is not None and self.worker.process.poll() is None:
            self.assertEqual(self.worker.stop(), 0)
        self.server.stop()
        shutil.rmtree(self.root, ignore_errors=True)

    def start(self, **environment):
        given = {"CODEXMEM_OPENAI_BASE_URL": self.server.url, "CODEXMEM_OPENAI_MODEL": "test-model",
                 "CODEXMEM_OPENAI_API_KEY": KEY, "CODEXMEM_OPENAI_TIMEOUT": "2"}
        given.update(environment)
        self.worker = Worker(self.root / "data", **given)

    def metrics(self, task):
        return self.worker.get("/api/ops/agent-metrics")[task]

    def turn(self, name, plan, message=None):
        """One session of project `name`: its events, and its end."""
        self.server.plan(plan)
        self.worker.post("/api/sessions/init", {"contentSessionId": name, "project": name,
                                                "prompt": f"Fix the login ({name})"})
        for event in events_of(name):
            self.assertEqual(self.worker.post("/api/sessions/observations", event)["status"], "queued")
        if message is not None:
            self.worker.post("/api/sessions/summarize",
                             {"contentSessionId": name, "last_assistant_message": message})
        self.worker.post("/api/sessions/complete", {"contentSessionId": name})
        self.worker.drain()

    def observations(self, project):
        return self.worker.get("/api/observations", project=project, limit=100)["items"]

    def test_observations_through_all_misbehaviour(self):
        self.start()
        for name, plan, provider, classes, rises in OBSERVED:
            with self.subTest(name):
                before = self.metrics("observation")
                failures = self.worker.get("/api/ops/failure-summary")["counts"]
                session = f"o-{name}"
                self.turn(session, plan)
                items = self.observations(session)
                titles = sorted(item["title"] for item in items)
                if provider == "openai":
                    self.assertEqual(titles, ["Model saw Bash: Tests passed: pytest, 12 passed",
                                              "Model saw Edit: Edited src/auth.py: changed login()"])
                else:
                    self.assertEqual(titles, ["Edited src/auth.py: changed login()",
                                              "Tests passed: pytest, 12 passed"])
                after = self.metrics("observation")
                for key in ("parse_fail", "schema_fail", "repair_fail", "fallback_used"):
                    self.assertEqual(after[key] - before[key], rises.get(key, 0), key)
                self.assertGreater(after["success"], before["success"] - (provider != "openai"))
                now = self.worker.get("/api/ops/failure-summary")["counts"]
                risen = {key for key in now if now[key] > failures.get(key, 0)}
                self.assertEqual(risen, set(classes))
        self.assertEqual(self.server.problems, [])
        self.assertEqual(self.server.keys, {f"Bearer {KEY}"})
        # What a model is asked is one batch and never an earlier one.
        for request, _ in self.server.requests:
            self.assertLessEqual(len(request["messages"]), 4)
        with sqlite3.connect(self.root / "data" / "memory.db") as database:
            tokens, calls = database.execute("SELECT sum(tokens), sum(calls) FROM token_usage").fetchone()
        self.assertGreater(tokens, 1000)
        self.assertGreater(calls, len(OBSERVED) / 2)
        self.assertEqual(self.worker.stop(), 0)
        self.assertNotIn(KEY, self.worker.errors)
        for path in (self.root / "data").iterdir():
            if path.is_file():
                self.assertNotIn(KEY.encode(), path.read_bytes(), path)

    def test_summaries(self):
        self.start()
        for name, plan, learned in SUMMED:
            with self.subTest(name):
                session = f"s-{name}"
                self.worker.post("/api/sessions/init", {"contentSessionId": session, "project": session,
                                                        "prompt": "Fix the login"})
                self.server.plan(plan)
                self.worker.post("/api/sessions/summarize", {
                    "contentSessionId": session,
                    "last_assistant_message": "Login works.\n\nNext: remove the old endpoint."})
                self.worker.drain()
                items = self.worker.get("/api/summaries", project=session)["items"]
                self.assertEqual(len(items), 1)
                if learned is not None:
                    self.assertEqual(items[0]["learned"], learned)
                else:
                    self.assertEqual(items[0]["next_steps"], "remove the old endpoint.")
        # Nothing worth a summary: none, and nothing fails.
        self.server.plan(["nothing"])
        self.worker.post("/api/sessions/init", {"contentSessionId": "s-nothing", "project": "s-nothing",
                                                "prompt": "Hello"})
        self.worker.post("/api/sessions/summarize", {"contentSessionId": "s-nothing",
                                                     "last_assistant_message": "Hello."})
        self.worker.drain()
        self.assertEqual(self.worker.get("/api/summaries", project="s-nothing")["items"], [])

    def test_a_turn_is_found(self):
        self.start()
        self.turn("whole", [], message="Login works.")
        found = self.worker.get("/api/search", query="login", project="whole", format="json")
        self.assertIn("Model saw Edit: Edited src/auth.py: changed login()",
                      [row["title"] for row in found["observations"]])
        self.assertEqual(self.worker.get("/api/summaries", project="whole")["items"][0]["learned"],
                         "the model's lesson")

    def test_the_budget_of_a_day(self):
        self.start(CODEXMEM_TOKEN_BUDGET="1500")
        self.turn("b-1", [])
        asked = len(self.server.did())
        self.assertGreater(asked, 0)
        for n in range(2, 5):
            self.turn(f"b-{n}", [])
        self.assertLess(len(self.server.did()), 5)
        shown = self.worker.get("/api/ops/provider")
        self.assertEqual((shown["provider"], shown["model"]), ("openai", "test-model"))
        self.assertEqual(shown["tokenBudget"], 1500)
        self.assertEqual(shown["callsToday"], len(self.server.did()))
        self.assertGreater(shown["tokensToday"], 0)
        self.assertIn("Edited src/auth.py: changed login()",
                      [item["title"] for item in self.observations("b-4")])

    def test_no_fallback(self):
        self.start(CODEXMEM_FALLBACK="none")
        self.server.plan(["401"])
        self.worker.post("/api/sessions/init", {"contentSessionId": "n", "project": "n", "prompt": "x"})
        self.worker.post("/api/sessions/observations", events_of("n")[0])
        self.worker.post("/api/sessions/complete", {"contentSessionId": "n"})
        self.worker.drain()
        self.assertEqual(self.observations("n"), [])
        self.assertEqual(self.worker.get("/api/ops/failure-summary")["counts"].get("auth"), 1)
        self.assertEqual(self.worker.post("/api/ops/retry-failed", {})["retried"], 1)
        self.worker.drain()
        self.assertEqual(len(self.observations("n")), 1)

    def test_without_a_key_nothing_leaves(self):
        self.start(CODEXMEM_OPENAI_BASE_URL="", CODEXMEM_OPENAI_API_KEY="", CODEXMEM_OPENAI_MODEL="")
        self.turn("rules", [], message="Done.")
        self.assertEqual(len(self.observations("rules")), 2)
        self.assertEqual(self.server.did(), [])


if __name__ == "__main__":
    unittest.main()
