"""The program as its clients meet it: a repository on disk, the shell, MCP over stdio, a worker over HTTP."""

import http.client
import json
import os
import pathlib
import queue
import subprocess
import sys
import threading
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "worker"))
from running_worker import WatchedWorker  # noqa: E402

TIMEOUT = 60  # seconds, for any one answer

# A service, a user of it, a package in the same repository, Python, text that is not code, and files that are
# not indexed.
FILES = {
    "src/services/UserService.ts": (
        "import { merge } from \"lodash\";\n"
        "import { Base } from \"../base\";\n"
        "\n"
        "/** Service for user management operations */\n"
        "export class UserService extends Base {\n"
        "  private users = new Map<string, number>();\n"
        "\n"
        "  /** Finds a user by name. */\n"
        "  findUser(name: string): number | undefined {\n"
        "    return this.users.get(name);\n"
        "  }\n"
        "\n"
        "  options(more: object) {\n"
        "    return merge({}, more);\n"
        "  }\n"
        "}\n"),
    "src/base.ts": "export class Base {\n  label(): string {\n    return \"base\";\n  }\n}\n",
    "src/controller.ts": (
        "import { UserService } from \"./services/UserService\";\n"
        "\n"
        "export function greet(name: string): string {\n"
        "  const \U0001f600s = 1; const service = new UserService();\n"
        "  return `hello ${service.findUser(name)}`;\n"
        "}\n"),
    "src/index.ts": "export { greet } from \"./controller\";\n",
    "src/kinds.ts": (
        "export enum Colour { Red, Green }\n"
        "export interface Shape { area(): number; }\n"
        "export type Name = string;\n"
        "export const limit = 10;\n"
        "export namespace Tools { export function sharpen(): void {} }\n"),
    "src/cycle_a.ts": "import { b } from \"./cycle_b\";\nexport const a = () => b;\n",
    "src/cycle_b.ts": "import { a } from \"./cycle_a\";\nexport const b = () => a;\n",
    "src/old.js": "const { Base } = require(\"./base\");\nconst fs = require(\"fs\");\nmodule.exports = [Base, fs];\n",
    "src/plain.c": "#include \"plain.h\"\n#include <stdio.h>\nint plain(void) { return 1; }\n",
    "src/plain.h": "int plain(void);\n",
    "src/plain.scala": "import other.Thing\nobject Plain { def plainToo() = 1 }\n",
    "tools/report.py": (
        "import json\n"
        "\n"
        "\n"
        "def render_report(rows):\n"
        "    \"\"\"Renders rows as a table.\"\"\"\n"
        "    return json.dumps(rows)\n"),
    "settings.yaml": "report:\n  width: 80\n",
    "README.md": "# Demo\n\nGreets users by name.\n",
    "run.rb": "puts \"a language without a grammar: walrus\"\n",
    ".gitignore": "build/\n",
    ".codexmemignore": "private/\n",
    "build/made.ts": "export const made = 1;\n",
    "private/notes.ts": "export const hiddenNote = 1;\n",
    "dist/app.min.js": "function tiny(){return 1};" * 400 + "\n",
    "docs/session-log.md": "# Log\n\n## Monday\n\nThe queue was drained by hand.\n",
    "docs/decisions.md": "# Decisions\n\n## Storage\n\nSQLite keeps everything in one file.\n",
}


class Program:
    """The program with a home, a data directory and a repository of its own, all below `folder`."""

    def __init__(self, path, folder, **settings):
        self.path = str(pathlib.Path(path).resolve())
        self.folder = pathlib.Path(folder)
        self.root = self.folder / "demo"
        self.data = self.folder / "data"
        home = self.folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        self.environment = {
            **{name: value for name, value in os.environ.items()
               if not name.startswith(("CODEXMEM_", "OPENAI_", "AGENT_MEMORY_", "GIT_"))},
            "HOME": str(home), "XDG_CACHE_HOME": str(home / ".cache"), "GIT_CONFIG_NOSYSTEM": "1",
            "CODEXMEM_DATA_DIR": str(self.data), "TZ": "UTC", **settings,
        }

    def make_repository(self):
        for path, text in FILES.items():
            self.write(path, text)
        self.write("assets/blob.bin", b"\0\1\2" * 100)
        self.write("src/huge.ts", "// line\n" * 140_000)
        for words in (["init", "-q", "-b", "main"], ["add", "-A"],
                      ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "-m", "first"]):
            subprocess.run(["git", *words], cwd=self.root, env=self.environment, check=True,
                           capture_output=True)

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())

    def run(self, *words, cwd=None, input="", **settings):
        return subprocess.run([self.path, *map(str, words)], cwd=cwd or self.root, input=input,
                              env={**self.environment, **settings}, capture_output=True, text=True,
                              timeout=TIMEOUT)

    def serve(self, *words, cwd=None, **settings):
        return Server(self, words, cwd or self.root, settings)

    def worker(self, **settings):
        return Worker(self, settings)


class Server:
    """`codexmem serve`, spoken to over its standard input and output."""

    def __init__(self, program, words, cwd, settings):
        self.child = subprocess.Popen(
            [program.path, "serve", *map(str, words)], cwd=cwd, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**program.environment, **settings})
        self.errors, self.lines = [], queue.SimpleQueue()
        self.readers = [threading.Thread(target=self._read, args=each, daemon=True)
                        for each in ((self.child.stderr, self.errors.append), (self.child.stdout, self.lines.put))]
        for reader in self.readers:
            reader.start()
        self.number = 0
        self.notifications = []
        self.introduction = self.ask("initialize", {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "contract", "version": "1"}})["result"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    @staticmethod
    def _read(stream, put):
        for line in stream:
            put(line)
        put(b"")

    def send(self, message):
        self.send_line(json.dumps(message))

    def send_line(self, line):
        self.child.stdin.write(line.encode(errors="surrogatepass") + b"\n")
        self.child.stdin.flush()

    def receive(self):
        """The next message. Fails when the server ends or says nothing for long."""
        try:
            line = self.lines.get(timeout=TIMEOUT)
        except queue.Empty:
            raise AssertionError("the server does not answer") from None
        if not line:
            raise AssertionError("the server ended: " + b"".join(self.errors).decode())
        return json.loads(line)

    def answer(self, number):
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                return message
            self.notifications.append(message)

    def ask(self, method, params=None):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params or {}})
        return self.answer(self.number)

    def call(self, tool, arguments, **more):
        """The result of a call of a tool; an error of the protocol as it is."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments, **more})
        return answer.get("result", answer)

    def stop(self):
        self.child.stdin.close()
        code = self.child.wait(timeout=TIMEOUT)
        for reader in self.readers:
            reader.join(TIMEOUT)
        self.child.stdout.close()
        self.child.stderr.close()
        return code


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        self.text = body.decode(errors="replace")

    @property
    def json(self):
        return json.loads(self.body)


class Worker(WatchedWorker):
    """`codexmem worker run`, asked over HTTP."""

    def __init__(self, program, settings):
        program.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        super().__init__(program.path, program.data, TZ="UTC", **settings)
        self.wait_for(lambda: self.get("/api/readiness").status == 200, "readiness")

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return Reply(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path, **query):
        return self.request("GET", path + ("?" + urllib.parse.urlencode(query) if query else ""))

    def post(self, path, body):
        return self.request("POST", path, json.dumps(body).encode(),
                            {"Content-Type": "application/json"})

    def open_events(self, headers=None):
        """The events of GET /api/events, as they come: the JSON of each, with `id` and `event` of its
        lines."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        connection.request("GET", "/api/events", headers=headers or {})
        answer = connection.getresponse()
        event = {}
        for line in answer:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "data":
                event.update(json.loads(value))
            elif name in ("id", "event"):
                event[name] = value
            elif not name and event:
                yield event
                event = {}

    def await_drained(self):
        self.wait_for(lambda: not self.get("/api/processing-status").json["queueDepth"], "an empty queue")
