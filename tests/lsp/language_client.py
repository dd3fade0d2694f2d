"""A client of `codexmem lsp` for tests: sends messages, keeps what comes, answers what it is asked."""
import json
import os
import pathlib
import subprocess
import threading
import time
import urllib.parse

CAPABILITIES = {
    "window": {"workDoneProgress": True},
    "workspace": {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]}},
    "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
                     "hover": {"contentFormat": ["markdown"]}, "rename": {"prepareSupport": True}}}


class Failed(Exception):
    def __init__(self, error):
        super().__init__(error["message"])
        self.code = error["code"]


def uri_of(path):
    return "file://" + urllib.parse.quote(str(path))


def framed(text):
    data = text.encode()
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


class LanguageClient:
    def __init__(self, program, root, home, words=(), capabilities=None, initialize=True, encodings=None):
        environment = dict(os.environ, HOME=str(home), CODEXMEM_DATA_DIR=str(home) + "/store")
        self.root = pathlib.Path(root)
        self.process = subprocess.Popen([program, "lsp", *words], cwd=str(root), env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.answers, self.messages, self.progress = {}, [], []
        self.changed = threading.Condition()
        self.last_id = 0
        self.counts = {}  # answers by id
        threading.Thread(target=self.read, daemon=True).start()
        self.errors = b""
        threading.Thread(target=self.read_errors, daemon=True).start()
        if initialize:
            capabilities = dict(CAPABILITIES if capabilities is None else capabilities)
            if encodings:
                capabilities["general"] = {"positionEncodings": encodings}
            self.initialized = self.ask("initialize", processId=None, rootUri=uri_of(root), capabilities=capabilities)
            self.notify("initialized")

    def read_errors(self):
        for line in self.process.stderr:
            self.errors += line

    def read(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    return
                if line == b"\r\n":
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            message = json.loads(out.read(length))
            with self.changed:
                if "method" not in message:
                    key = json.dumps(message.get("id"))
                    self.answers[key] = message
                    self.counts[key] = self.counts.get(key, 0) + 1
                elif "id" in message:
                    self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
                elif message["method"] == "$/progress":
                    self.progress.append(message["params"])
                else:
                    self.messages.append(message["params"]["message"])
                self.changed.notify_all()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(framed(json.dumps(message)))

    def notify(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def start(self, method, **params):
        """Sends a request; its id."""
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        return self.last_id

    def wait(self, identifier, seconds=60):
        """The whole answer to the request `identifier`."""
        key = json.dumps(identifier)
        with self.changed:
            if not self.changed.wait_for(lambda: key in self.answers, seconds):
                raise AssertionError(f"no answer to {key}; stderr: {self.errors.decode()[-2000:]}")
            return self.answers[key]

    def ask(self, method, **params):
        answer = self.wait(self.start(method, **params))
        if "error" in answer:
            raise Failed(answer["error"])
        return answer["result"]

    def wait_for_index(self, seconds=120):
        end = time.monotonic() + seconds
        while self.ask("workspace/symbol", query="a") is None:
            if time.monotonic() > end:
                raise AssertionError(f"no index: {self.messages}")
            time.sleep(0.05)

    # ---- Documents and places. A place is written as "path:text|rest": before "rest", where the file has "textrest".

    def uri(self, path):
        return uri_of(self.root / path)

    def open(self, path, text=None):
        text = (self.root / path).read_text() if text is None else text
        self.notify("textDocument/didOpen", textDocument={"uri": self.uri(path), "languageId": "x", "version": 1, "text": text})

    def change(self, path, version, *changes):
        self.notify("textDocument/didChange", textDocument={"uri": self.uri(path), "version": version}, contentChanges=list(changes))

    def close(self, path):
        self.notify("textDocument/didClose", textDocument={"uri": self.uri(path)})

    def at(self, path, marked, text=None):
        """The params of the place that `marked` shows with `|` in the file, or in `text`."""
        text = (self.root / path).read_text() if text is None else text
        before, _, after = marked.partition("|")
        offset = text.index(before + after) + len(before)
        return {"textDocument": {"uri": self.uri(path)}, "position": position(text, offset)}

    def places(self, locations):
        """Locations as "path:line:column" from 1, in order."""
        found = []
        for each in locations or []:
            path = urllib.parse.unquote(each["uri"][len("file://"):])
            start = each["range"]["start"]
            found.append(f"{os.path.relpath(path, self.root)}:{start['line'] + 1}:{start['character'] + 1}")
        return sorted(found)

    def end(self):
        """Ends the server as the protocol wants it; its exit code."""
        self.ask("shutdown")
        self.notify("exit")
        return self.process.wait(30)


def position(text, offset):
    line_begin = max(text.rfind("\n", 0, offset), -1) + 1
    before = text[line_begin:offset]
    return {"line": text.count("\n", 0, offset), "character": len(before.encode("utf-16-le")) // 2}
