"""A thousand requests with texts that are cut or no UTF-8, over each way to the program: each is
answered with its id.

JavaScript cuts texts in the middle of an emoji and writes the half (JSON.stringify gives "\\ud83d");
other programs send bytes that are no UTF-8. A client that gets another id than its own waits for ever.
CODEXMEM_PROGRAM is the program, CODEXMEM_SEED another seed. Needs no network.
"""
import http.client
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "worker"))
from running_worker import WatchedWorker

PROGRAM = os.environ["CODEXMEM_PROGRAM"]
SEED = int(os.environ.get("CODEXMEM_SEED", "18"))
REQUESTS = 1000
HIGH, LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)
# Invalid UTF-8: lone bytes, truncated and overlong forms, surrogates by themselves, beyond U+10FFFF.
RAW = [b"\xff", b"\x80", b"\xc0\xaf", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\xbd", b"\xf4\x90\x80\x80"]


class Raw(bytes):
    """Bytes that stand in a text as they are."""


def literal(pieces, chance):
    """The JSON text of a string: of texts, code units that are escaped, and raw bytes."""
    out = b'"'
    for piece in pieces:
        if isinstance(piece, int):
            digits = f"{piece:04x}"
            out += b"\\u" + "".join(chance.choice((d.lower(), d.upper())) for d in digits).encode()
        elif isinstance(piece, Raw):
            out += piece
        else:
            out += json.dumps(piece, ensure_ascii=chance.random() < 0.5)[1:-1].encode()
    return out + b'"'


def broken(chance, escaped_only=False):
    """The pieces of a text of which at least one is broken."""
    def unit():
        return chance.choice([
            [chance.choice(HIGH)], [chance.choice(LOW)],
            [chance.choice(HIGH), chance.choice(HIGH)], [chance.choice(LOW), chance.choice(HIGH)],
            [chance.choice(HIGH), "x", chance.choice(LOW)],
            [chance.choice(HIGH), chance.choice(LOW), chance.choice(HIGH)],
            [chance.choice(HIGH), "\\u" + f"{chance.choice(LOW):04x}"]])
    texts = ["", "a", "émoji \U0001F600", 'quote " \\ / \n', "main", "\u2028"]
    pieces = [chance.choice(texts)]
    for _ in range(chance.randint(1, 3)):
        is_raw = not escaped_only and chance.random() < 0.3
        pieces += [Raw(chance.choice(RAW))] if is_raw else unit()
        pieces.append(chance.choice(texts[1:]))  # or two halves might make a whole
    return pieces


def dump(value, chance):
    if isinstance(value, list):
        return b"[" + b",".join(dump(each, chance) for each in value) + b"]"
    if isinstance(value, dict):
        return b"{" + b",".join(dump(name, chance) + b":" + dump(each, chance)
                                for name, each in value.items()) + b"}"
    if isinstance(value, tuple):
        return literal(value, chance)
    if isinstance(value, Raw):
        return bytes(value)
    return json.dumps(value).encode()


def read_back(pieces):
    """The text that a client finds in `pieces` when they come back as they went."""
    return json.loads(literal(pieces, random.Random(0)))


class Requests:
    """`count` requests of one seed: (name, bytes, id)."""

    KINDS = ["value", "key", "nested", "id", "method", "tool", "meta", "extra", "unparsable"]

    def __init__(self, seed, count=REQUESTS):
        self.chance = random.Random(seed)
        self.count = count

    def __iter__(self):
        for number in range(self.count):
            kind = self.KINDS[number % len(self.KINDS)]
            yield (f"{number}: {kind}", *self.make(kind, number + 1000))

    def make(self, kind, number):
        chance = self.chance
        text = tuple(broken(chance))
        method, name = "tools/call", "find_symbol"
        arguments, meta, extra = {"symbol": "main"}, {}, {}
        number = sent = chance.choice([number, f"id {number}"])
        if kind == "value":
            name, arguments = chance.choice([
                ("find_symbol", {"symbol": text}), ("search_code", {"query": text}),
                ("get_references", {"symbol": "main", "file_path": text}),
                ("get_context", {"file_path": text}), ("search", {"query": text}),
                ("save_memory", {"text": ("kept ", *text), "title": text}),
                ("get_entries", {"ids": [text]}), ("timeline", {"anchor": text})])
        elif kind == "key":
            arguments = {text: 1, "symbol": "main", tuple(broken(chance)): text}
        elif kind == "nested":
            name = "save_memory"
            arguments = {"text": "a text", "metadata": {"list": [[text], {text: {"deep": text}}]}}
        elif kind == "id":
            pieces = (f"{sent} ", *broken(chance, escaped_only=True))
            number, sent = read_back(pieces), pieces
        elif kind == "method":
            method = ("tools/", *text)
        elif kind == "tool":
            name = text
        elif kind == "meta":
            meta = {"progressToken": text, text: [text]}
        elif kind == "extra":
            extra = {text: {text: text}}
        params = {"name": name, "arguments": arguments, **({"_meta": meta} if meta else {})}
        if kind == "unparsable":
            params["arguments"] = Raw(chance.choice(
                [b'{"symbol":"\\x"}', b'{"a":1,}', b"NaN", b"[" * 70 + b"]" * 70, b'{"a":1e999}',
                 b"\xff", b'"\\ud8"', b'{"a" 1}', b'"a\tb"', b"'a'"]))
        members = [("jsonrpc", "2.0"), ("id", sent), ("method", method), ("params", params),
                   *extra.items()]
        chance.shuffle(members)
        return dump(dict(members), chance), number


def environment(folder):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("CODEXMEM_") and not name.endswith("_API_KEY")}
    return dict(kept, HOME=str(folder), CODEXMEM_DATA_DIR=str(folder / "data"))


INITIALIZE = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {},
    "clientInfo": {"name": "broken text", "version": "1"}}}


class BrokenText(unittest.TestCase):
    def setUp(self):
        self.made = tempfile.TemporaryDirectory(prefix="codexmem-broken-")
        self.addCleanup(self.made.cleanup)
        self.folder = pathlib.Path(self.made.name)
        self.repository = self.folder / "repository"
        (self.repository / ".git").mkdir(parents=True)
        (self.repository / "main.c").write_text("int main(void) { return 0; }\n")

    def start(self, *more):
        child = subprocess.Popen([PROGRAM, "serve", self.repository, *more], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 env=environment(self.folder))
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.wait, 60)
        self.addCleanup(child.stdin.close)
        self.addCleanup(child.terminate)
        return child

    def check(self, name, sent, number, answer):
        self.assertEqual(answer.get("id"), number, (name, sent, answer))
        self.assertIn("error" if "unparsable" in name else "jsonrpc", answer, (name, sent))

    def test_standard_input(self):
        child = self.start()

        def ask(line):
            child.stdin.write(line + b"\n")
            child.stdin.flush()
            while True:
                answer = child.stdout.readline()
                self.assertTrue(answer, line)
                message = json.loads(answer.decode("utf-8", "strict"))
                if "method" not in message:  # progress comes before
                    return message
        ask(json.dumps(INITIALIZE).encode())
        for name, sent, number in Requests(SEED):
            self.check(name, sent, number, ask(sent))

    def test_http(self):
        child = self.start("--http", "--port", "0")
        port = int(child.stdout.readline().decode().split(":")[2].split("/")[0])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.addCleanup(connection.close)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}

        def ask(body):
            connection.request("POST", "/mcp", body, headers)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "strict")
            if "Mcp-Session-Id" in answer.headers:
                headers["Mcp-Session-Id"] = answer.headers["Mcp-Session-Id"]
            return json.loads(text)
        ask(json.dumps(INITIALIZE))
        for name, sent, number in Requests(SEED + 1):
            self.check(name, sent, number, ask(sent))

    def test_worker(self):
        """The worker's routes take the same texts that the tools take."""
        worker = WatchedWorker(PROGRAM, self.folder / "data", CODEXMEM_PROVIDER="rule-based")
        self.addCleanup(worker.stop)
        connection = http.client.HTTPConnection("127.0.0.1", worker.port, timeout=60)
        self.addCleanup(connection.close)

        def post(path, body):
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read().decode("utf-8", "strict"))
        worker.wait_for(lambda: post("/api/observations/batch", b'{"ids":[1]}')[0] == 200, "it")
        chance = random.Random(SEED + 2)
        for number in range(200):
            text = ("a memory ", *broken(chance))
            body = dump({"text": text, "title": ("T", *text), "project": "p",
                         "metadata": {text: [text]}, "concepts": [text]}, chance)
            status, saved = post("/api/memory/save", body)
            self.assertEqual(status, 200, (body, saved))
            self.assertIn("\ufffd", saved["title"])
            status, there = post("/api/observations/batch", json.dumps({"ids": [saved["id"]]}))
            self.assertEqual(status, 200)
            self.assertIn("\ufffd", there[0]["narrative"])
        session = dump({"contentSessionId": "s", "project": "p",
                        "prompt": ("look ", *broken(chance))}, chance)
        self.assertEqual(post("/api/sessions/init", session)[0], 200)


if __name__ == "__main__":
    unittest.main()
