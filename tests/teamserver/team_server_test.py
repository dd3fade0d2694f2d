"""A token never sees another's repository: every route, tool, resource, prompt and completion, in both eras.

CODEXMEM_PROGRAM is the program. Needs no network.
"""
import http.client
import json
import os
import re
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from team_server import ASKED, BLUE, PROXY_SECRET, SECRET, Caller, Team, sha256

PROGRAM = os.environ["CODEXMEM_PROGRAM"]

# Of each tool: what asks for the canary. A tool that is missing here is asked with GENERIC.
ASKS = {
    "find_symbol": [{"symbol": ASKED}, {"symbol": "canary*"}, {"symbol": ASKED, "at": "{blue}"}, {"symbol": ASKED, "at": ASKED}],
    "search_code": [{"query": ASKED}, {"query": f"/{ASKED}/"}, {"query": f'"{ASKED}"'}, {"query": "it is about a canary"},
                    {"query": ASKED, "at": "{blue}"}],
    "get_references": [{"symbol": ASKED}],
    "get_context": [{"file_path": f"{ASKED}.py"}, {"symbol": ASKED}, {"file_path": f"../blue/{ASKED}.py"},
                    {"file_path": "{folder}/repos/blue/" + ASKED + ".py"}, {"file_path": f"elsewhere/{ASKED}.py"}],
    "analyze_dependencies": [{"file_path": f"{ASKED}.py"}, {"file_path": f"../blue/{ASKED}.py"}],
    "trace_calls": [{"to": ASKED}, {"from": ASKED}],
    "analyze_change": [{}, {"symbols": [ASKED]}, {"since": "{blue}"}, {"since": ASKED}],
    "plan_rename": [{"symbol": ASKED, "new_name": "other"}],
    "repository_overview": [{}, {"path": "../blue"}, {"path": "elsewhere"}],
    "index_repository": [{}, {"path": "{folder}/repos/blue"}, {"path": "../blue"}, {"path": "elsewhere"}],
    "search": [{"query": ASKED}, {"query": ASKED, "project": BLUE[:-len(SECRET)]}, {}],
    "timeline": [{"anchor": "1"}, {"query": ASKED}, {"anchor": "1", "project": "*"}, {"anchor_id": "1"}],
    "get_observations": [{"ids": [1, 2, 3, 4, 5]}],
    "get_entries": [{"ids": [1, 2, 3]}, {"ids": ["1"]}, {"ids": ["{entry}", "{decision}"]}],
    "save_memory": [{"text": f"what a says of {ASKED}", "title": "of a"}, {"text": "of a, too", "project": "blue"},
                    {"text": "cites", "files": [f"../blue/{ASKED}.py", f"elsewhere/{ASKED}.py"], "symbols": [ASKED]}],
    "ingest_docs": [{"sources": ["../blue/README.md"]}, {"sources": ["{folder}/repos/blue/README.md"]}, {"sources": ["elsewhere/README.md"]},
                    {"sources": ["."]}, {"sources": ["../blue"]}],
    "retention_dry_run": [{"max_age_days": 0}, {"project": "blue"}],
    "search_decisions": [{"query": ASKED}, {"query": "for", "project": "*"}],
    "record_decision": [{"title": "A of red", "target": ASKED, "rationale": "because it is so"}],
    "supersede_decision": [{"old_decision_ids": ["{decision}"], "title": "mine", "target": ASKED, "rationale": "because it is so"}],
    "accept_proposal": [{"proposal_id": "{decision}"}],
}


class TeamCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="codexmem-team-")
        cls.team = Team(PROGRAM, cls.place.name)
        cls.program = cls.team.start()
        b = cls.caller("b", BLUE)
        cls.saved = [b.call("save_memory", {"text": f"{ASKED} means {SECRET}", "title": f"{ASKED} {SECRET}"}),
                     b.call("record_decision", {"title": f"{ASKED} {SECRET}", "target": ASKED, "rationale": f"for the sake of {SECRET}"})]
        assert not any(each.get("isError") for each in cls.saved), cls.saved
        cls.decision = re.search(r"decision_\w+", json.dumps(cls.saved[1]))[0]
        cls.entry = str(cls.saved[0]["structuredContent"].get("entry_id", cls.saved[0]["structuredContent"].get("id", 1)))

    @classmethod
    def tearDownClass(cls):
        code = cls.program.stop()
        cls.place.cleanup()
        assert code == 0, (code, cls.program.notes)

    @classmethod
    def caller(cls, name=None, repository=None, **more):
        return Caller(cls.program.port, name, repository, **more)


def filled(value, words):
    if isinstance(value, str):
        for key, word in words.items():
            value = value.replace("{" + key + "}", word)
        return value
    if isinstance(value, list):
        return [filled(each, words) for each in value]
    return {key: filled(each, words) for key, each in value.items()} if isinstance(value, dict) else value


def generic(schema):
    kinds = {"string": ASKED, "number": 1, "integer": 1, "boolean": True, "array": [ASKED], "object": {}}
    return {name: kinds.get(row.get("type"), ASKED) for name, row in schema.get("properties", {}).items()}


class EveryRoute(TeamCase):
    def sweep(self, name, repository, era):
        """Asks for everything there is; the answers by what was asked."""
        caller = self.caller(name, repository)
        answers = {}
        if era == "session":
            answers["initialize"] = caller.begin().text
        else:
            answers["discover"] = caller.stateless("server/discover").text
        words = {"blue": self.team.commits["blue"], "folder": str(self.team.folder), "decision": self.decision, "entry": self.entry}

        def ask(key, method, params=None):
            answer = caller.stateless(method, params) if era == "stateless" else caller.in_session(method, params)
            answers[key] = answers.get(key, "") + answer.text
            self.assertLess(answer.status, 500, (key, params, answer.text))
            return answer.messages[-1].get("result", {}) if answer.messages else {}

        tools = ask("tools/list", "tools/list")["tools"]
        self.assertTrue(tools)
        for tool in tools:
            for arguments in [*ASKS.get(tool["name"], []), generic(tool["inputSchema"]), {}]:
                ask(tool["name"], "tools/call", {"name": tool["name"], "arguments": filled(arguments, words)})
        for other in set(ASKS) - {tool["name"] for tool in tools}:  # not permitted: unknown
            ask(other, "tools/call", {"name": other, "arguments": filled(ASKS[other][0], words)})
        cursor = {}
        while True:
            page = ask("resources/list", "resources/list", cursor)
            if "nextCursor" not in page:
                break
            cursor = {"cursor": page["nextCursor"]}
        ask("resources/list", "resources/list", {"cursor": f"after:{ASKED}"})
        ask("resources/templates/list", "resources/templates/list")
        for uri in ("codexmem://status", f"codexmem://file/{ASKED}.py", f"codexmem://file/../blue/{ASKED}.py",
                    f"codexmem://file/%2e%2e/blue/{ASKED}.py", f"codexmem://file/{self.team.folder}/repos/blue/{ASKED}.py",
                    f"codexmem://file/elsewhere/{ASKED}.py", f"codexmem://symbol/{ASKED}",
                    f"file://{self.team.folder}/repos/blue/{ASKED}.py"):
            ask("resources/read " + uri.split("/")[2], "resources/read", {"uri": uri})
            if era == "session":
                ask("resources/subscribe", "resources/subscribe", {"uri": uri})
                ask("resources/unsubscribe", "resources/unsubscribe", {"uri": uri})
        prompts = ask("prompts/list", "prompts/list").get("prompts", [])
        self.assertTrue(prompts)
        for prompt in prompts:
            given = {row["name"]: ASKED for row in prompt.get("arguments", [])}
            ask("prompts/get " + prompt["name"], "prompts/get", {"name": prompt["name"], "arguments": given})
            ask("prompts/get " + prompt["name"], "prompts/get",
                {"name": prompt["name"], "arguments": {key: f"../blue/{ASKED}.py" for key in given}})
            for key in given:
                ask("complete " + key, "completion/complete", {"ref": {"type": "ref/prompt", "name": prompt["name"]},
                                                               "argument": {"name": key, "value": ASKED[:5]}})
        for template, key in (("codexmem://file/{+path}", "path"), ("codexmem://symbol/{+name}", "name")):
            for value in ("", ASKED[:5], "../blue/"):
                ask("complete " + key, "completion/complete", {"ref": {"type": "ref/resource", "uri": template},
                                                               "argument": {"name": key, "value": value}})
        if era == "session":
            ask("logging", "logging/setLevel", {"level": "debug"})
            ask("ping", "ping")
        ask("unknown", SECRET[:1] + "/unknown")
        return caller, answers

    def test_the_canary_can_be_found_by_its_own_token(self):
        """Else the next test shows nothing."""
        for era in ("stateless", "session"):
            _, answers = self.sweep("b", BLUE, era)
            for key in ("find_symbol", "search_code", "get_references", "get_context", "repository_overview", "search", "timeline",
                        "get_observations", "search_decisions", "resources/read symbol", "resources/read file",
                        "complete name", "prompts/get explain"):
                self.assertIn(SECRET, answers.get(key, ""), (era, key))

    def test_another_token_finds_nothing_of_it(self):
        for era in ("stateless", "session"):
            for name, repository in (("a", "red"), ("a", "grey"), ("viewer", None), ("viewer", "red"), ("admin", "red"), ("chief", "red")):
                caller, _ = self.sweep(name, repository, era)
                for answer in caller.answers:
                    self.assertNotIn(SECRET, answer.text, (era, name))
                    self.assertNotIn(SECRET, json.dumps(answer.headers), (era, name))
                self.assertGreater(len(caller.answers), 60)

    def test_tools_are_those_of_the_role(self):
        def tools(name, repository):
            return {row["name"] for row in self.caller(name, repository).result("tools/list")["tools"]}
        viewer = tools("viewer", "red")
        self.assertIn("find_symbol", viewer)
        for name in ("index_repository", "search", "save_memory", "record_decision", "search_decisions", "ingest_docs"):
            self.assertNotIn(name, viewer)
            answer = self.caller("viewer", "red").stateless("tools/call", {"name": name, "arguments": {}})
            self.assertIn("Unknown tool", answer.text)
        self.assertIn("save_memory", tools("a", "red"))
        self.assertNotIn("index_repository", tools("a", "red"))
        self.assertIn("index_repository", tools("admin", "red"))
        self.assertNotIn("search", tools("admin", "red"))

    def test_a_repository_that_is_not_and_one_that_may_not_be_known_look_the_same(self):
        for headers, query in ((None, "?repository={}"), ({"X-Codexmem-Repository": "{}"}, "")):
            seen = []
            for name in (BLUE, "nosuch", "../blue", str(self.team.folder / "repos" / "blue"), "*"):
                given = {key: value.format(name) for key, value in (headers or {}).items()}
                answer = self.caller("a").ask(body="{}", headers=given, query=query.format(name))
                seen.append((answer.status, answer.text))
            self.assertEqual(len(set(seen)), 1, seen)
            self.assertEqual(seen[0][0], 403)
            self.assertIn("grey, red", seen[0][1])
        self.assertEqual(self.caller("a").ask(body="{}").status, 400)  # which of two
        both = self.caller("a", "red", headers={"X-Codexmem-Repository": BLUE}).ask(body="{}")
        twice = self.caller("a").ask(body="{}", query=f"?repository=red&repository={BLUE}")
        self.assertEqual((both.status, twice.status), (400, 400))
        self.assertNotIn(SECRET, both.text + twice.text)

    def test_sessions_are_their_callers(self):
        b = self.caller("b", BLUE)
        b.begin()
        for name, repository in (("a", "red"), ("admin", "red"), ("viewer", None)):
            other = self.caller(name, repository)
            for answer in (other.in_session("tools/call", {"name": "find_symbol", "arguments": {"symbol": ASKED}}, b.session),
                           other.ask("GET", headers={"Mcp-Session-Id": b.session, "Accept": "text/event-stream", "Last-Event-ID": "0.0"}),
                           other.ask("DELETE", headers={"Mcp-Session-Id": b.session}),
                           other.ask(body=json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}),
                                     headers={"Mcp-Session-Id": b.session})):
                self.assertEqual(answer.status, 404)
                self.assertNotIn(SECRET, answer.text)
        # The admin, who may see both, has no way from one repository's session to the other's either.
        admin = self.caller("admin", "red")
        admin.begin()
        self.assertEqual(self.caller("admin", "grey").in_session("ping", session=admin.session).status, 404)
        self.assertIn(SECRET, b.in_session("tools/call", {"name": "find_symbol", "arguments": {"symbol": ASKED}}).text)
        self.assertEqual(b.ask("DELETE", headers={"Mcp-Session-Id": b.session}).status, 204)
        self.assertEqual(b.in_session("ping").status, 404)  # it does not come back by its name

    def test_roots_of_a_client_open_nothing(self):
        a = self.caller("viewer", "red")
        a.begin({"roots": {"listChanged": True}})
        connection = http.client.HTTPConnection("127.0.0.1", self.program.port, timeout=10)
        connection.request("GET", "/mcp?repository=red", headers={**a.headers, "Mcp-Session-Id": a.session, "Accept": "text/event-stream"})
        stream = connection.getresponse()
        self.assertEqual(stream.status, 200)
        while True:
            line = stream.readline().decode()
            if line.startswith("data: {"):
                break
        asked = json.loads(line[6:])
        self.assertEqual(asked["method"], "roots/list")
        roots_reply = {"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": [{"uri": f"file://{self.team.folder}/repos/blue"}]}}
        self.assertEqual(a.ask(body=json.dumps(roots_reply), headers={"Mcp-Session-Id": a.session}).status, 202)
        connection.close()
        for tool, arguments in (("find_symbol", {"symbol": ASKED}), ("repository_overview", {})):
            self.assertNotIn(SECRET, json.dumps(a.call(tool, arguments, "session")))

    def test_memory_is_kept_by_repository(self):
        a = self.caller("a", "grey")
        a.call("save_memory", {"text": "only grey knows this", "title": "of grey"})
        self.assertIn("of grey", json.dumps(a.call("search", {"query": "grey"})))
        self.assertNotIn("of grey", json.dumps(self.caller("a", "red").call("search", {"query": "grey"})))
        stores = {path.parent.name for path in (self.team.home / ".codexmem" / "team").glob("*/memory.db")}
        self.assertEqual(stores, {BLUE, "red", "grey"})
        self.assertFalse((self.team.home / ".codexmem" / "memory.db").exists())


class WhoMayAsk(TeamCase):
    def test_without_a_token_nothing_is_answered(self):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        for name, headers in ((None, {}), ("nobody", {}), ("old", {}), (None, {"Authorization": "Basic YTpi"}), (None, {"Authorization": "Bearer"}),
                              (None, {"Authorization": "Bearer "}), (None, {"X-Forwarded-User": "ana"}),
                              (None, {"X-Forwarded-User": "ana", "X-Proxy-Secret": "wrong"}),
                              (None, {"X-Codexmem-Token": "secret of a"}), (None, {"X-Codexmem-Repository": "red"})):
            for method, path in (("POST", "/mcp"), ("GET", "/mcp"), ("DELETE", "/mcp"), ("PUT", "/mcp"), ("OPTIONS", "/mcp"), ("GET", "/"),
                                 ("GET", "/viewer"), ("GET", "/api/events"), ("POST", "/health")):
                answer = self.caller(name, headers=headers).ask(method, path, body if method in ("POST", "PUT") else None,
                                                                query="?repository=red&token=secret of a".replace(" ", "%20"))
                self.assertEqual(answer.status, 401, (name, headers, method, path))
                self.assertIn("Bearer", answer.headers["WWW-Authenticate"])
                self.assertNotIn("grey", answer.text)
                self.assertNotIn("/", answer.text)

    def test_a_name_or_site_that_is_not_ours_is_refused(self):
        for headers in ({"Host": "evil.example"}, {"Host": f"127.0.0.1.evil.example:{self.program.port}"}, {"Origin": "https://evil.example"},
                        {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
            answer = self.caller("a", "red", headers=headers).ask(body="{}")
            self.assertEqual(answer.status, 403, headers)

    def test_other_routes_are_not_there(self):
        for path in ("/", "/viewer", "/api/map", "/api/events", "/mcp/", "/mcp/x", "/team.json", "/health/x"):
            self.assertEqual(self.caller("admin", "red").ask("GET", path).status, 404, path)

    def test_health_says_only_that_it_is_well(self):
        for headers in ({}, {"Host": "10.0.0.7"}):
            answer = self.caller(headers=headers).ask("GET", "/health", query="")
            self.assertEqual((answer.status, answer.text), (200, '{"status":"ok"}'))
        self.assertEqual(self.caller().ask("HEAD", "/health", query="").status, 200)

    def test_the_proxys_word_counts_with_its_secret(self):
        proxy = {"X-Proxy-Secret": PROXY_SECRET}
        ana = self.caller(headers={**proxy, "X-Forwarded-User": "ana"})
        self.assertIn("open_red", json.dumps(ana.call("find_symbol", {"symbol": "open_red"})))
        bob = {**proxy, "X-Forwarded-User": "bob"}
        self.assertEqual(self.caller(headers=bob).ask(body="{}").status, 403)
        blues = self.caller(headers={**bob, "X-Forwarded-Groups": "x, blues"})
        self.assertIn(SECRET, json.dumps(blues.call("find_symbol", {"symbol": ASKED})))
        greys = self.caller(headers={**bob, "X-Forwarded-Groups": "greys"})
        self.assertNotIn(SECRET, json.dumps(greys.call("find_symbol", {"symbol": ASKED})))
        self.assertEqual(self.caller(repository=BLUE, headers={**bob, "X-Forwarded-Groups": "greys"}).ask(body="{}").status, 403)
        # A token is worth more than a header, and a wrong one is not made good by it.
        self.assertEqual(self.caller("a", BLUE, headers={**proxy, "X-Forwarded-User": "bob", "X-Forwarded-Groups": "blues"}).ask(body="{}").status, 403)
        self.assertEqual(self.caller("nobody", headers={**proxy, "X-Forwarded-User": "ana"}).ask(body="{}").status, 401)

    def test_a_header_that_comes_twice_is_refused(self):
        for name, first, second in (("X-Forwarded-User", "ana", "bob"), ("X-Proxy-Secret", PROXY_SECRET, "x"), ("X-Codexmem-Repository", "red", "grey"),
                                    ("Authorization", "Bearer secret of a", "Bearer secret of b"), ("Host", "127.0.0.1", "localhost")):
            lines = [f"{name}: {first}", f"{name}: {second}"]
            if name != "Host":
                lines.append("Host: 127.0.0.1")
            reply = self.raw("POST /mcp HTTP/1.1\r\n" + "\r\n".join(lines) + "\r\nContent-Length: 2\r\n\r\n{}")
            self.assertTrue(reply.startswith("HTTP/1.1 400 "), (name, reply))

    def raw(self, text):
        with socket.create_connection(("127.0.0.1", self.program.port), 20) as connection:
            connection.sendall(text.encode())
            answer = b""
            while part := connection.recv(65536):
                answer += part
        return answer.decode()

    def test_a_body_is_bounded_and_has_its_time(self):
        large = self.caller("viewer").ask(body="x" * 70_000)
        self.assertEqual(large.status, 413)
        head = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer secret of viewer\r\nContent-Type: application/json\r\n"
        begun = time.monotonic()
        self.assertTrue(self.raw(head + "Content-Length: 100\r\n\r\n{").startswith("HTTP/1.1 408 "))
        self.assertLess(time.monotonic() - begun, 20)
        statuses = [line["status"] for line in self.team.lines() if line.get("caller") == "token:viewer"]
        self.assertIn(413, statuses)
        self.assertIn(408, statuses)
        # Who is not known is refused before anything of a body is read.
        begun = time.monotonic()
        self.assertTrue(self.raw(head.replace("of viewer", "of nobody") + "Content-Length: 60000\r\n\r\n").startswith("HTTP/1.1 401 "))
        self.assertLess(time.monotonic() - begun, 3.5)

    def test_who_asks_too_often_waits(self):
        slow = self.caller("slow")
        statuses = [slow.ask("GET", "/mcp").status for _ in range(5)]
        self.assertEqual(statuses[3:], [429, 429])
        self.assertNotIn(429, statuses[:3])
        self.assertIn(int(slow.answers[-1].headers["Retry-After"]), range(1, 12))
        self.assertNotEqual(self.caller("viewer").ask("GET", "/mcp").status, 429)  # others do not

    def test_the_audit_log_has_each_request(self):
        secret = "Bearer secret of a"
        callers = [self.caller("a", "red"), self.caller("a", BLUE), self.caller(headers={"X-Request-Id": "from-the-proxy"})]
        callers[0].call("find_symbol", {"symbol": "the argument"})
        callers[0].result("resources/read", {"uri": "codexmem://status"})
        callers[0].begin()
        callers[0].call("search_code", {"query": "the argument"}, "session")
        callers[1].ask(body="{}")
        time.sleep(1.1)  # of strangers at most ten lines a second are kept
        callers[2].ask("GET", "/mcp")
        lines = {line["request"]: line for line in self.team.lines()}
        for caller in callers:
            for answer in caller.answers:
                line = lines[answer.headers["X-Request-Id"]]
                self.assertEqual(line["status"], answer.status)
                self.assertIn("ms", line)
                self.assertEqual(line["from"], "127.0.0.1")
        first = lines[callers[0].answers[0].headers["X-Request-Id"]]
        self.assertEqual([first[key] for key in ("caller", "http", "method", "tool", "repository")],
                         ["token:a", "POST /mcp", "tools/call", "find_symbol", "red"])
        self.assertNotIn("repository", lines[callers[1].answers[0].headers["X-Request-Id"]])
        self.assertEqual(lines["from-the-proxy"]["status"], 401)
        text = self.team.audit.read_text()
        self.assertNotIn("the argument", text)
        self.assertNotIn(secret, text)
        self.assertEqual(self.team.audit.stat().st_mode & 0o777, 0o600)


class Reloading(TeamCase):
    def test_the_file_is_read_again(self):
        a, viewer = self.caller("a", "red"), self.caller("viewer", "red")
        a.begin()
        viewer.begin()
        original = json.loads(json.dumps(self.team.file))
        # A broken file changes nothing.
        self.team.write('{"tokens": [')
        self.assertIn("still applies", self.program.reload("still applies"))
        self.team.write()
        self.team.path.chmod(0o666)
        self.assertIn("chmod", self.program.reload("still applies"))
        self.team.file["repositories"]["gone"] = "/nowhere/at/all"
        self.team.write()
        self.assertIn("is not a folder", self.program.reload("still applies"))
        self.assertEqual(a.in_session("ping").status, 200)
        # One caller may see less from now on: his sessions end, others' go on.
        del self.team.file["repositories"]["gone"]
        self.team.file["tokens"][0]["repositories"] = ["grey"]
        self.team.write()
        self.program.reload("read again")
        self.assertEqual(a.in_session("ping").status, 403)
        self.assertEqual(viewer.in_session("ping").status, 200)
        self.assertIn("open_grey", json.dumps(self.caller("a").call("find_symbol", {"symbol": "open_grey"})))
        # A token that is taken away.
        stream = self.caller("viewer", "red")
        stream.begin()
        connection = http.client.HTTPConnection("127.0.0.1", self.program.port, timeout=30)
        connection.request("GET", "/mcp?repository=red", headers={**stream.headers, "Mcp-Session-Id": stream.session, "Accept": "text/event-stream"})
        reply = connection.getresponse()
        self.team.file["tokens"] = [row for row in self.team.file["tokens"] if row["name"] != "viewer"]
        self.team.write()
        self.program.reload("read again")
        reply.read()  # its stream has ended
        connection.close()
        self.assertEqual(viewer.in_session("ping").status, 401)
        # After the log was moved away, a new one is created, by a signal and without one.
        self.team.audit.rename(self.team.folder / "audit.1")
        self.program.reload("read again")
        self.caller("a").ask("GET", "/mcp")
        self.assertTrue(self.team.audit.exists())
        self.team.audit.rename(self.team.folder / "audit.2")
        time.sleep(1.1)
        self.caller("a").ask("GET", "/mcp")
        self.assertTrue(self.team.audit.exists())
        self.team.file = original


    def test_calls_of_others_go_on_while_it_is_read(self):
        until, seen, failures = time.monotonic() + 3, [], []

        def ask(name, repository, symbol):
            while time.monotonic() < until:
                answer = self.caller(name, repository).stateless("tools/call", {"name": "find_symbol", "arguments": {"symbol": symbol}})
                seen.append(answer.status)
                if answer.status != 200 or symbol not in answer.text or (SECRET in answer.text and name != "b"):
                    failures.append(answer.text)

        threads = [threading.Thread(target=ask, args=words) for words in (("b", BLUE, ASKED), ("admin", "red", "open_red"), ("admin", "grey", "open_grey"))]
        for thread in threads:
            thread.start()
        original = json.loads(json.dumps(self.team.file))
        while time.monotonic() < until:
            self.team.file["tokens"][0]["repositories"] = ["red"] if len(seen) % 2 else ["grey"]
            self.team.write()
            self.program.reload("read again")
        for thread in threads:
            thread.join()
        self.team.file = original
        self.team.write()
        self.program.reload("read again")
        self.assertEqual(failures, [])
        self.assertGreater(len(seen), 10)


class Starting(unittest.TestCase):
    def test_few_repositories_are_open_at_once(self):
        with tempfile.TemporaryDirectory(prefix="codexmem-team-") as place:
            team = Team(PROGRAM, place)
            team.file["limits"]["openRepositories"] = 1
            team.write()
            program = team.start()
            for number in range(8):
                name = ("red", "grey")[number % 2]
                answer = Caller(program.port, "a", name).call("find_symbol", {"symbol": "open_" + name})
                self.assertIn("open_" + name, json.dumps(answer))
            self.assertEqual(program.stop(), 0)

    def test_a_file_that_others_write_is_refused(self):
        with tempfile.TemporaryDirectory(prefix="codexmem-team-") as place:
            team = Team(PROGRAM, place)

            def says(text):
                done = subprocess.run([PROGRAM, "serve", "--http", "--team", str(team.path)], env=team.environment(),
                                      capture_output=True, text=True, timeout=60)
                self.assertEqual(done.returncode, 2)
                self.assertIn(text, done.stderr)

            team.path.chmod(0o620)
            says("others can write it")
            team.write()
            outside, team.path = team.path, team.folder / "repos" / "red" / "team.json"
            team.write()
            says("this file is in it")
            team.path = outside
            team.file["repositories"]["part"] = str(team.folder / "repos" / "red" / "sub")
            (team.folder / "repos" / "red" / "sub").mkdir()
            team.write()
            says("is part of the git repository")
            del team.file["repositories"]["part"]
            team.file["listen"] = "0.0.0.0:0"
            team.write()
            says("hosts: is missing")
            team.file["listen"] = "127.0.0.1:0"
            team.write()
            words = [PROGRAM, "serve", "--http", "--team", str(team.path), "--port", "1"]
            self.assertEqual(subprocess.run(words, env=team.environment(), capture_output=True, timeout=60).returncode, 2)

    def test_a_stream_ends_with_its_token(self):
        with tempfile.TemporaryDirectory(prefix="codexmem-team-") as place:
            team = Team(PROGRAM, place)
            ends = time.time() + 6
            team.file["tokens"].append(team.token("soon", ["red"], expires=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ends))))
            team.write()
            program = team.start()
            caller = Caller(program.port, "soon")
            caller.begin()
            answer = caller.ask("GET", headers={"Mcp-Session-Id": caller.session, "Accept": "text/event-stream"})  # until its end
            self.assertEqual(answer.status, 200)
            self.assertGreaterEqual(time.time(), int(ends))
            self.assertEqual(caller.in_session("ping").status, 401)
            self.assertEqual(program.stop(), 0)

    def test_a_new_token_is_printed_with_its_entry(self):
        done = subprocess.run([PROGRAM, "serve", "--team-token", "ci"], capture_output=True, text=True, timeout=60)
        token, entry = done.stdout.splitlines()
        self.assertEqual(json.loads(entry)["sha256"], sha256(token))
        self.assertEqual(json.loads(entry)["name"], "ci")


if __name__ == "__main__":
    unittest.main(verbosity=2)
