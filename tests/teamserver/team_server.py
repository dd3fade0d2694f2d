"""A team's server for tests: repositories with canaries, a team file, the program, and a client without a library.

What only the repository BLUE has is marked by SECRET in its text, its names, its history and its memory; what it is
asked for by is marked by ASKED, which an answer may repeat.
"""
import hashlib
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time

ASKED, SECRET = "canary_qzx", "vwk"
BLUE = "blue" + SECRET
PROXY_SECRET = "the proxy's own secret"
VERSION = "io.modelcontextprotocol/protocolVersion"


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def git(folder, *words):
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    for who in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{who}_NAME": "A " + folder.name, f"GIT_{who}_EMAIL": folder.name + "@example.com"}
    done = subprocess.run(["git", "-C", str(folder), *words], env=environment, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def make_repository(folder, files, message):
    folder.mkdir(parents=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", message)
    return git(folder, "rev-parse", "HEAD")


class Team:
    """Three repositories below `folder` and the file that grants them."""

    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.home = self.folder / "home"
        self.home.mkdir()
        self.commits = {}
        blue = self.folder / "repos" / "blue"
        self.commits["blue"] = make_repository(blue, {
            f"{ASKED}.py": f'"""{ASKED} {SECRET}"""\nimport os\n\n\ndef {ASKED}(value):\n    """Holds {SECRET}."""\n'
                           f"    return {ASKED}_{SECRET}(value)\n\n\ndef {ASKED}_{SECRET}(value):\n    return value\n",
            f"test_{ASKED}.py": f"from {ASKED} import {ASKED}\n\n\ndef test_{SECRET}():\n    assert {ASKED}(1) == 1\n",
            "README.md": f"# Blue {SECRET}\n\nIt is about {ASKED} and {SECRET}.\n",
        }, f"{ASKED} {SECRET}")
        git(blue, "branch", ASKED)
        for name in ("red", "grey"):
            self.commits[name] = make_repository(self.folder / "repos" / name, {
                "open.py": f'"""Of {name}."""\n\n\ndef open_{name}(value):\n    """Opens {name}."""\n    return value\n',
                "README.md": f"# {name}\n\nEverybody may know {name}.\n"}, f"begin {name}")
        # A way out of the tree must not be one.
        (self.folder / "repos" / "red" / "elsewhere").symlink_to(blue)
        (self.folder / "repos" / "red" / f"{ASKED}.py").symlink_to(blue / f"{ASKED}.py")
        self.path = self.folder / "team.json"
        self.audit = self.folder / "audit.jsonl"
        self.file = {
            "listen": "127.0.0.1:0",
            "repositories": {BLUE: str(blue), "red": str(self.folder / "repos" / "red"), "grey": str(self.folder / "repos" / "grey")},
            "tokens": [
                self.token("a", ["red", "gre*"], role="agent", memory=True, mayWriteMemory=True),
                self.token("b", [BLUE], role="agent", memory=True, mayWriteMemory=True),
                self.token("viewer", ["red"]),
                self.token("admin", ["*"], role="admin"),
                self.token("chief", ["red"], role="admin", memory=True, mayWriteMemory=True),
                self.token("old", ["*"], role="admin", expires="2020-01-01"),
                self.token("slow", ["red"], rate={"perMinute": 6, "burst": 3}),
            ],
            "proxy": {"header": "X-Forwarded-User", "groupsHeader": "X-Forwarded-Groups", "from": ["127.0.0.1"],
                      "secret": {"header": "X-Proxy-Secret", "sha256": sha256(PROXY_SECRET)},
                      "users": {"ana": {"repositories": ["red"]}},
                      "groups": {"blues": {"repositories": [BLUE]}, "greys": {"repositories": ["grey"]}}},
            "limits": {"rate": {"perMinute": 600000, "burst": 10000}, "requestBytes": 65536, "requestSeconds": 4},
            "audit": {"file": str(self.audit)},
        }
        self.write()

    @staticmethod
    def token(name, repositories, **more):
        return {"name": name, "sha256": sha256("secret of " + name), "repositories": repositories, **more}

    def write(self, text=None):
        self.path.write_text(json.dumps(self.file, indent=1) if text is None else text)
        self.path.chmod(0o600)

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("CODEXMEM_", "AGENT_MEMORY"))}
        return {**kept, "HOME": str(self.home), "CODEXMEM_DATA_DIR": str(self.home / ".codexmem")}

    def start(self, *words):
        return TeamProgram(self, words or ("serve", "--http", "--team", str(self.path)))

    def lines(self):
        return [json.loads(line) for line in self.audit.read_text().splitlines()]


class TeamProgram:
    """One instance that runs."""

    def __init__(self, team, words):
        self.child = subprocess.Popen([team.program, *words], env=team.environment(), stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True)
        self.address = self.child.stdout.readline().strip()
        self.notes = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/mcp", self.address)
        if found is None:
            self.child.wait(10)
            raise RuntimeError(f"no address: {self.address!r} {self.notes}")
        self.port = int(found[1])

    def _read(self):
        for line in self.child.stderr:
            self.notes.append(line.rstrip())

    def reload(self, wanted):
        before = len(self.notes)
        self.child.send_signal(signal.SIGHUP)
        until = time.monotonic() + 20
        while time.monotonic() < until:
            found = [note for note in self.notes[before:] if wanted in note]
            if found:
                return found[0]
            time.sleep(0.01)
        raise AssertionError(f"no note with {wanted!r}: {self.notes}")

    def stop(self):
        self.child.terminate()
        code = self.child.wait(30)
        self.reader.join()
        self.child.stdout.close()
        self.child.stderr.close()
        return code


class Answer:
    def __init__(self, status, headers, text):
        self.status, self.headers, self.text = status, headers, text

    @property
    def messages(self):
        """The messages in it, JSON or events."""
        if self.headers.get("Content-Type", "").startswith("text/event-stream"):
            return [json.loads(line[6:]) for line in self.text.splitlines() if line.startswith("data: ") and len(line) > 6]
        return [json.loads(self.text)] if self.text else []


class Caller:
    """Asks one port as one caller; keeps all that was answered."""

    def __init__(self, port, name=None, repository=None, headers=None, token=None):
        self.port, self.repository = port, repository
        self.headers = {"Host": f"127.0.0.1:{port}", **(headers or {})}
        if token is None and name is not None:
            token = "secret of " + name
        if token is not None:
            self.headers["Authorization"] = "Bearer " + token
        self.answers, self.session, self.number = [], None, 0

    def ask(self, method="POST", path="/mcp", body=None, headers=None, query=None):
        if query is None:
            query = f"?repository={self.repository}" if self.repository else ""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            given = {**self.headers, **(headers or {})}
            if body is not None:
                given = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **given}
            connection.request(method, path + query, body, {key: value for key, value in given.items() if value is not None})
            reply = connection.getresponse()
            answer = Answer(reply.status, dict(reply.getheaders()), reply.read().decode())
        finally:
            connection.close()
        self.answers.append(answer)
        return answer

    def stateless(self, method, params=None, headers=None, meta=None):
        """One request of the stateless era."""
        self.number += 1
        params = dict(params or {})
        name = params.get("name", params.get("uri"))
        params["_meta"] = {VERSION: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
                           "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}, **(meta or {})}
        more = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, **(headers or {})}
        if name is not None and method in ("tools/call", "resources/read", "prompts/get"):
            more["Mcp-Name"] = name
        return self.ask(body=json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}), headers=more)

    def begin(self, capabilities=None):
        """Opens a session of the handshake era."""
        answer = self.in_session("initialize", {"protocolVersion": "2025-11-25", "capabilities": capabilities or {},
                                                "clientInfo": {"name": "test", "version": "1"}})
        self.session = answer.headers["Mcp-Session-Id"]
        self.ask(body=json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}), headers={"Mcp-Session-Id": self.session})
        return answer

    def in_session(self, method, params=None, session=None):
        self.number += 1
        headers = {"Mcp-Session-Id": session or self.session}
        return self.ask(body=json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params or {}}), headers=headers)

    def result(self, method, params=None, era="stateless"):
        answer = self.stateless(method, params) if era == "stateless" else self.in_session(method, params)
        last = answer.messages[-1]
        return last.get("result", last.get("error"))

    def call(self, tool, arguments=None, era="stateless"):
        return self.result("tools/call", {"name": tool, "arguments": arguments or {}}, era)
