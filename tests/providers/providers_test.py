#!/usr/bin/env python3
"""Embedding providers, from the outside: the program, a repository, and an endpoint on this machine.

    providers_test.py --program build/dev/bin/codexmem [NAME ...]
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from embedding_server import EmbeddingServer

KEY = "sk-test-" + "a1b2c3d4" * 4


class Failure(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Failure(message)


class Case:
    """A repository of `files` small files, a server, and the program with settings of its own."""

    def __init__(self, program, files=12, **server):
        self.program = str(pathlib.Path(program).resolve())
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name) / "repo"
        (self.root / ".git").mkdir(parents=True)
        (self.root / "src").mkdir()
        for number in range(files):
            self.write(number)
        (self.root / "src/harbour.py").write_text(
            "def moor(vessel):\n    '''Tie a vessel to the quay.'''\n    return vessel\n"
        )
        self.server = EmbeddingServer(**server)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("CODEXMEM_", "OPENAI_"))}
        self.plain = {**kept, "HOME": self.folder.name, "NO_COLOR": "1"}
        self.model = "openai:" + self.server.url.removeprefix("http://") + "#bag"
        self.remote = {
            **self.plain,
            "CODEXMEM_OPENAI_EMBEDDING_MODEL": "bag",
            "CODEXMEM_OPENAI_EMBEDDING_BASE_URL": self.server.url,
            "CODEXMEM_OPENAI_EMBEDDING_API_KEY": KEY,
        }

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.stop()
        self.folder.cleanup()

    def write(self, number, word="plain"):
        (self.root / f"src/part{number}.py").write_text(
            f"class Part{number}:\n    def work_{word}(self):\n        return {number}\n"
        )

    def run(self, *arguments, settings=None, codes=(0,)):
        done = subprocess.run(
            [self.program, "-C", str(self.root), *arguments],
            env=self.remote if settings is None else settings,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        check(KEY not in done.stdout + done.stderr, f"{arguments}: the key is shown")
        check(done.returncode in codes, f"{arguments}: {done.returncode}: {done.stderr}")
        return done

    def index(self, *options, **more):
        return json.loads(self.run("index", "--json", *options, **more).stdout)

    def status(self, **more):
        return json.loads(self.run("status", "--json", **more).stdout)["vectors"]

    def search(self, query, **more):
        """The items and the text on stderr."""
        done = self.run("search", "--json", "--explain", query, codes=(0, 1), **more)
        return json.loads(done.stdout or "[]"), done.stderr

    def is_dense(self, query, **more):
        items, _ = self.search(query, **more)
        return any(
            part["name"] in ("dense_chunks", "dense_file") for item in items for part in item["why"]
        )

    def models(self):
        """The models whose vectors the index shows to any reader of the database."""
        with sqlite3.connect(self.root / ".codexmem/index.db") as database:
            rows = database.execute(
                "SELECT json_extract(metadata, '$.model'), length(embedding) FROM embeddings"
            )
            return set(rows)


def index_search_and_nothing_twice(program):
    with Case(program) as case:
        stats = case.index()["stats"]
        check(stats["embeddingsGenerated"] == 26, stats)  # a chunk and the names of 13 files
        sent = case.server.sent()
        check(len(sent) == len(set(sent)) == 26, f"{len(sent)} texts")
        chunk = next(text for text in sent if "Tie a vessel" in text)
        check(chunk.startswith("src/harbour\ndef moor(vessel):"), chunk)
        check(case.server.keys == {f"Bearer {KEY}"}, case.server.keys)
        check(case.models() == {(case.model, 256)}, case.models())
        status = case.status()
        check(status["pendingFiles"] == 0 and status["lastError"] is None, status)
        check((status["provider"], status["dimension"]) == ("openai", 64), status)

        case.server.forget()
        items, error = case.search("tie a vessel to the quay")
        check(items[0]["file"]["path"] == "src/harbour.py" and not error, error)
        check(any(part["name"] == "dense_chunks" for part in items[0]["why"]), items[0]["why"])
        check(case.server.requests == [["tie a vessel to the quay"]], case.server.requests)

        case.server.forget()
        case.index()
        case.index("--force")
        check(case.server.requests == [], "a second run sends something")
        case.write(3, "changed")
        case.index()
        check(len(case.server.sent()) == 2, case.server.sent())
        check("work_changed" in "".join(case.server.sent()), case.server.sent())
        case.server.forget()
        case.write(3)  # as another branch has it
        case.index()
        check(case.server.requests == [], "what was embedded before is sent")
        # Moved into another folder: its texts begin with that folder's name.
        (case.root / "lib").mkdir()
        shutil.move(case.root / "src/harbour.py", case.root / "lib/harbour.py")
        case.index()
        sent = case.server.sent()
        check(len(sent) == 2 and "lib/harbour\nmoor" in sent, sent)
        check(all(text.startswith("lib/harbour\n") for text in sent), sent)
        # Moved along with its folder: nothing is new.
        case.server.forget()
        (case.root / "deep").mkdir()
        shutil.move(case.root / "lib", case.root / "deep/lib")
        case.index()
        check(case.server.requests == [], "what moved along with its folder is sent")
        case.server.forget()
        for file in (case.root / ".codexmem").glob("index.db*"):
            file.unlink()
        case.index()
        check(case.server.requests == [], "a rebuilt index sends something")
        check(case.is_dense("vessel"), "no vectors")
        stored = b"".join(f.read_bytes() for f in (case.root / ".codexmem").iterdir() if f.is_file())
        check(KEY.encode() not in stored, "the key is stored")


def changes_of_provider(program):
    with Case(program) as case:
        none = {**case.plain, "CODEXMEM_EMBEDDING_PROVIDER": "none"}
        built_in = {**case.remote, "CODEXMEM_EMBEDDING_PROVIDER": "builtin"}
        case.index(settings=case.plain)
        check(case.is_dense("work", settings=case.plain), "no vectors of the built-in model")
        before = case.models()
        check(len(before) == 1 and case.server.requests == [], before)

        _, error = case.search("vessel")  # its own vectors are not there
        check(case.model in error and "by words and names" in error, error)
        check(case.models() == before, "a question changes the vectors")
        check(case.server.requests == [], "a question is embedded for nothing")
        case.index()
        check(case.models() == {(case.model, 256)}, case.models())
        check(case.is_dense("vessel"), "no vectors of the endpoint")

        case.index(settings=built_in)
        check(case.models() == before, case.models())
        check(case.is_dense("work", settings=built_in), "no vectors of the built-in model again")
        case.server.forget()
        case.index()
        check(case.server.requests == [], "back again, it sends what it has")
        check(case.is_dense("vessel"), "no vectors of the endpoint again")

        _, error = case.search("vessel", settings=none)
        check(not error and not case.is_dense("vessel", settings=none), error)
        case.write(1, "changed")
        case.index(settings=none)
        check(case.status(settings=none)["pendingFiles"] == 0, "none is pending")
        case.index(settings=built_in)
        check(case.models() == before, case.models())
        check(case.status(settings=built_in)["pendingFiles"] == 0, "a file was forgotten")

        # Another model with the same name: it is recognised by the dimension of its answers.
        case.index()
        case.server.dimension = 32
        case.write(2, "changed")
        case.index()
        check(case.models() == {(case.model, 128)}, case.models())
        check(case.is_dense("vessel"), "no vectors of the smaller model")

        # A key alone sends nothing anywhere.
        case.server.forget()
        case.index(settings=built_in)
        case.index("--force", settings={**case.plain, "OPENAI_API_KEY": KEY,
                                        "CODEXMEM_OPENAI_BASE_URL": case.server.url})
        check(case.models() == before and case.server.requests == [], "a key chooses a provider")


def commands_without_settings(program):
    with Case(program, files=30) as case:
        case.index()
        before = case.models()
        (model, _), = before
        _, error = case.search("vessel", settings=case.plain)
        check(f"has vectors of {model}" in error and "PROVIDER=builtin" in error, error)
        case.write(1, "changed")
        done = case.run("index", settings=case.plain)
        check(f"has vectors of {model}" in done.stderr, done.stderr)
        check(case.models() == before, "a command without settings changes the vectors")
        check(model in case.status(settings=case.plain)["lastError"], "status")
        check(case.status()["pendingFiles"] == 1, "the changed file alone is pending")
        case.index()

        # A server takes in what another process has indexed.
        with Server(case) as server:
            server.search_until("vessel", lambda answer: "degraded" not in answer)
            for number in range(5):
                case.write(number, "anchored")
                case.run("index", "-q", settings=case.plain)
                server.search_until("anchored", lambda answer: "degraded" not in answer)
        check(case.models() == before and case.status()["pendingFiles"] == 0, "not caught up")
        named = {**case.plain, "CODEXMEM_EMBEDDING_PROVIDER": "builtin"}
        _, error = case.search("vessel", settings=named)
        check(not error and case.models() != before, "a named provider does not switch")


def a_chosen_endpoint_is_sent_the_shared_key(program):
    with Case(program) as case:
        settings = {**case.remote, "OPENAI_API_KEY": KEY}
        del settings["CODEXMEM_OPENAI_EMBEDDING_API_KEY"]
        case.index(settings=settings)
        check(case.server.requests and case.server.keys == {f"Bearer {KEY}"}, case.server.keys)
        case.server.keys.clear()
        case.write(1, "changed")
        case.index(settings={**settings, "CODEXMEM_OPENAI_API_KEY": "of-codexmem"})
        check(case.server.keys == {"Bearer of-codexmem"}, case.server.keys)


def a_named_provider_that_cannot_be_used(program):
    with Case(program) as case:
        unknown = {**case.remote, "CODEXMEM_EMBEDDING_PROVIDER": "cohere"}
        done = case.run("index", settings=unknown, codes=(2,))
        check('"cohere"' in done.stderr and not (case.root / ".codexmem").exists(), done.stderr)
        _, error = case.search("vessel", settings=unknown)
        check('"cohere"' in error and "by words and names" in error, error)
        check('"cohere"' in case.status(settings=unknown)["lastError"], "status")
        without_model = {**case.plain, "CODEXMEM_EMBEDDING_PROVIDER": "openai"}
        done = case.run("index", settings=without_model)
        check("CODEXMEM_OPENAI_EMBEDDING_MODEL" in done.stderr, done.stderr)
        check(case.models() == set(), "vectors of a model that nobody asked for")

        case.server.status = 401
        done = case.run("index")
        check("the API key is refused" in done.stderr, done.stderr)
        check(len(case.server.requests) == 1, "a refused key is tried again")
        status = case.status()
        check("401" in status["lastError"] and status["pendingFiles"] == 13, status)
        begin = time.monotonic()
        items, error = case.search("vessel")
        check(items and "401" in error and "by words and names" in error, error)
        check(time.monotonic() - begin < 2, "a question waits")
        case.server.status = 200
        case.index()
        check(case.status()["lastError"] is None, "an error that is over")

        # The endpoint goes away: existing text is searched by words, quickly.
        case.server.stop()
        begin = time.monotonic()
        items, error = case.search("vessel")
        check(items[0]["file"]["path"] == "src/harbour.py" and "127.0.0.1" in error, error)
        check(time.monotonic() - begin < 2, "a question waits")


def killed_and_resumed(program):
    with Case(program, files=900) as case:
        case.server.delay = 0.05
        child = subprocess.Popen(
            [case.program, "-C", str(case.root), "index", "-q"], env=case.remote
        )
        while len(case.server.answered) < 900:
            time.sleep(0.005)
        child.send_signal(signal.SIGKILL)
        child.wait()
        with sqlite3.connect(case.root / ".codexmem/embeddings.db") as cache:
            (kept,) = cache.execute("SELECT count(*) FROM text_vectors").fetchone()
        check(0 < kept < 1802, f"{kept} kept")
        items, error = case.search("vessel")
        check(items and "being made" in error and "% of the files" in error, error)
        case.server.delay = 0
        case.server.forget()
        case.index()
        sent = case.server.sent()
        check(len(sent) == len(set(sent)) == 1802 - kept, f"{len(sent)} sent, {kept} kept")
        check(case.status()["pendingFiles"] == 0 and case.is_dense("vessel"), "not complete")

        # Ended by hand: the same.
        case.server.delay = 0.05
        for number in range(500):
            case.write(number, "changed")
        case.server.forget()
        child = subprocess.Popen(
            [case.program, "-C", str(case.root), "index", "-q"],
            env=case.remote,
            stderr=subprocess.PIPE,
            text=True,
        )
        while len(case.server.answered) < 300:
            time.sleep(0.005)
        child.send_signal(signal.SIGINT)
        _, error = child.communicate(timeout=20)
        check(child.returncode == 130 and "goes on from there" in error, error)
        case.server.delay = 0
        case.index()
        check(case.status()["pendingFiles"] == 0, "not complete")


class Server:
    """codexmem serve, by lines."""

    def __init__(self, case, settings=None):
        self.child = subprocess.Popen(
            [case.program, "-C", str(case.root), "serve"],
            env=case.remote if settings is None else settings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.number = 0
        threading.Thread(target=lambda: self.child.stderr.read(), daemon=True).start()
        self.request(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.child.stdin.write(json.dumps(message) + "\n")
        self.child.stdin.flush()

    def request(self, method, params):
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = json.loads(self.child.stdout.readline())
            if message.get("id") == self.number:
                return message["result"]

    def call(self, tool, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})[
            "structuredContent"
        ]

    def search(self, query):
        begin = time.monotonic()
        answer = self.call("search_code", query=query)
        answer["seconds"] = time.monotonic() - begin
        return answer

    def search_until(self, query, wanted):
        deadline = time.monotonic() + 20
        while True:
            answer = self.search(query)
            if wanted(answer):
                return answer
            check(time.monotonic() < deadline, answer)
            time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.child.stdin.close()
        self.child.wait(timeout=20)


def served_in_the_background(program):
    with Case(program, files=900) as case:
        case.server.delay = 0.3
        with Server(case) as server:
            answer = server.search("vessel")
            check(answer["degraded"] and "being made" in answer["note"], answer)
            check(answer["results"][0]["file"]["path"] == "src/harbour.py", answer)
            check(answer["seconds"] < 5, "a question waits for the network")
            done = server.call("index_repository", force=True)
            check(done["stats"]["embeddingsGenerated"] == 0, done)
            answer = server.search_until("vessel", lambda answer: "% of the files" in answer["note"])
            case.server.delay = 0
            server.search_until("vessel", lambda answer: "degraded" not in answer)
            check(len(case.server.sent()) - len(set(case.server.sent())) == 0, "sent twice")

            # One file in 900: the vectors are used, and the answer reports the missing one.
            case.server.delay = 1.0
            case.write(5, "anchor")
            answer = server.search("anchor")
            check(answer["degraded"] and "1 of 901 files" in answer["note"], answer)
            case.server.delay = 0
            server.search_until("anchor", lambda answer: "degraded" not in answer)

            # A question is sent once, and none while the endpoint rests.
            case.server.forget()
            for _ in range(3):
                server.search("moor a boat")
            check(case.server.requests == [["moor a boat"]], case.server.requests)
            case.server.status = 500
            case.server.forget()
            for query in ("one vessel", "two vessels", "three vessels"):
                answer = server.search(query)
                check(answer["degraded"] and "500" in answer["note"], answer)
            check(len(case.server.requests) == 1, case.server.requests)
            check("degraded" not in server.search("moor a boat"), "a known question needs nobody")


def served_without_an_endpoint(program):
    with Case(program) as case:
        case.server.status = 403
        with Server(case) as server:
            answer = server.search_until("vessel", lambda answer: "403" in answer.get("note", ""))
            check(answer["degraded"] and answer["results"], answer)
            # Not asked for explicitly: the run is complete, and its numbers show the missing vectors.
            done = server.call("index_repository")
            check("stats" in done, done)
            stats = done["stats"]
            check(stats["embeddingsGenerated"] == 0, stats)
            check(stats["embeddingsPending"] == 13 and "403" in stats["embeddingsError"], stats)
            stats = server.call("index_repository", skip_embeddings=True)["stats"]
            check("embeddingsPending" not in stats, stats)
            failure = server.call("index_repository", skip_embeddings=False)
            check(failure["type"] == "EmbeddingError" and "403" in failure["message"], failure)
        case.server.status = 200
        with Server(case) as server:
            stats = server.call("index_repository", skip_embeddings=False)["stats"]
            check("embeddingsPending" not in stats and "embeddingsError" not in stats, stats)
            check("degraded" not in server.search("vessel"), "not all vectors are there")
        case.server.stop()
        begin = time.monotonic()
        with Server(case) as server:
            answer = server.search("vessel")
            check(answer["degraded"] and answer["results"], answer)
        check(time.monotonic() - begin < 10, "the end of a server waits for an endpoint")


CASES = [
    index_search_and_nothing_twice,
    changes_of_provider,
    commands_without_settings,
    a_chosen_endpoint_is_sent_the_shared_key,
    a_named_provider_that_cannot_be_used,
    killed_and_resumed,
    served_in_the_background,
    served_without_an_endpoint,
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    failed = 0
    for case in CASES:
        if options.names and case.__name__ not in options.names:
            continue
        begin = time.monotonic()
        try:
            case(options.program)
            print(f"ok      {case.__name__} ({time.monotonic() - begin:.1f} s)", flush=True)
        except (Failure, OSError, ValueError, LookupError, subprocess.SubprocessError) as error:
            failed += 1
            print(f"FAILED  {case.__name__}: {type(error).__name__}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
