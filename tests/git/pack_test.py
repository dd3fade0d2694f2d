#!/usr/bin/env python3
"""Packs as people use them: made here, taken there, over the web, old, damaged, and with vectors that were paid for."""
import argparse
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

TESTS = pathlib.Path(__file__).parent.parent
sys.path[:0] = [str(TESTS / "git"), str(TESTS / "providers")]
from embedding_server import EmbeddingServer  # noqa: E402
from git_repository import Repository  # noqa: E402

LANGUAGES = TESTS.parent / "testdata/languages"


class Web:
    """Serves bytes at /pack, a way to it at /there, and no end of ways at /loop."""

    def __init__(self, body):
        outer = self
        self.body, self.asked = body, []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                places = {"/there": "/pack", "/loop": "/loop", "/away": "http://example.invalid/pack"}
                if self.path in places:
                    self.send_response(302)
                    self.send_header("Location", places[self.path])
                    self.end_headers()
                elif self.path.startswith("/pack"):
                    self.send_response(200)
                    self.end_headers()
                    self.wfile.write(outer.body)
                else:
                    self.send_error(404)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Server:
    """`codexmem serve` of a member's repository, on standard input."""

    def __init__(self, member, **settings):
        self.errors = tempfile.TemporaryFile("w+")
        self.child = subprocess.Popen([PROGRAM, "serve"], cwd=member.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=self.errors, text=True, env={**member.env, "CODEXMEM_LOG": "info", **settings})
        self.ask(1, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})

    def ask(self, number, method, **params):
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n")
        self.child.stdin.flush()
        for line in self.child.stdout:
            if (message := json.loads(line)).get("id") == number:
                return message["result"]
        raise AssertionError("the server has ended")

    def find(self, symbol):
        return self.ask(2, "tools/call", name="find_symbol", arguments={"symbol": symbol})

    def stop(self):
        """What it has written on standard error."""
        self.child.stdin.close()
        self.child.wait(60)
        self.child.stdout.close()
        self.errors.seek(0)
        with self.errors as errors:
            return errors.read()


class PackTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="codexmem-pack-")
        base = pathlib.Path(self.folder.name)
        self.ann = Repository(PROGRAM, base / "ann", "shop")
        files = {}
        for path in sorted(LANGUAGES.glob("*/*/input.*")):
            try:
                files[f"{path.parent.parent.name}/{path.parent.name}{path.suffix}"] = path.read_text()
            except UnicodeDecodeError:
                pass
        self.ann.commit(files)
        self.count = len(files)
        self.pack = base / "a.pack"

    def tearDown(self):
        self.folder.cleanup()

    def make(self, *words):
        done = self.ann.codexmem("pack", "-o", self.pack, "--json", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def clone(self, name):
        other = Repository(PROGRAM, pathlib.Path(self.folder.name) / name, "shop")
        other.git("pull", "-q", str(self.ann.root), "main")
        return other

    def index(self, member, *words, code=0):
        done = member.codexmem("index", "--json", *words)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout)["stats"] if done.stdout else {}, done.stderr

    def dump(self, member):
        return member.codexmem("debug", "dump").stdout

    def test_another_machine_takes_what_this_one_learned(self):
        report = self.make()
        self.assertGreater(report["files"], 100)
        self.assertEqual(report["leftOut"], 0)
        self.assertEqual(report["tree"], self.ann.git("rev-parse", "HEAD^{tree}").strip())
        bob = self.clone("bob")
        stats, _ = self.index(bob, "--pack", self.pack)
        self.assertGreater(stats["packs"]["taken"], 100)
        self.assertEqual(stats["packs"]["refused"] + stats["packs"]["otherVersion"], 0)
        self.assertGreaterEqual(stats["packs"]["compared"], 20)
        carol = self.clone("carol")
        self.index(carol)
        self.assertEqual(self.dump(bob), self.dump(carol))
        output = bob.codexmem("index", "--force", "--pack", self.pack).stdout
        self.assertRegex(output, r"packs +\d+  files")

    def test_the_same_commit_gives_the_same_bytes_and_key(self):
        self.make()
        first = self.pack.read_bytes()
        bob = self.clone("bob")
        done = bob.codexmem("pack", "-q", "-o", self.pack)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.pack.read_bytes(), first)
        keys = {member.codexmem("pack", "--key").stdout for member in (self.ann, bob)}
        self.assertEqual(len(keys), 1)
        bob.commit({"more.py": "a = 1\n"})
        other = bob.codexmem("pack", "--key").stdout
        self.assertNotIn(other, keys)
        self.assertEqual(other.rpartition("-")[0], keys.pop().rpartition("-")[0])

    def test_uncommitted_files_stay_here(self):
        self.ann.write({"notes.py": "salary_of_bob = 1\n"})
        report = self.make()
        self.assertEqual(report["leftOut"], 1)
        stats, _ = self.index(self.ann, "--force", "--pack", self.pack)
        self.assertGreaterEqual(stats["packs"]["made"], 1)
        self.assertEqual(self.make("--all")["leftOut"], 0)

    def test_a_file_that_is_no_pack_is_an_error_before_anything_is_written(self):
        self.make()
        whole = self.pack.read_bytes()
        cut = pathlib.Path(self.folder.name) / "cut"
        for bytes_ in (b"", b"x" * 100, whole[:-1], whole[:1000], whole[:500] + b"?" + whole[501:],
                       b"codexmem pack 2\n" + whole[16:]):
            cut.write_bytes(bytes_)
            bob = self.clone("bob")
            done = bob.codexmem("index", "--pack", cut)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(str(cut), done.stderr)
            self.assertFalse((bob.root / ".codexmem").exists())
            shutil.rmtree(bob.base)
        done = self.ann.codexmem("index", "--pack", self.folder.name + "/none")
        self.assertEqual(done.returncode, 2)

    def test_over_the_web(self):
        self.make()
        web = Web(self.pack.read_bytes())
        try:
            for path in ("/pack?token=geheim", "/there"):
                bob = self.clone("bob" + path[1:3])
                stats, error = self.index(bob, "--pack", web.url + path)
                self.assertGreater(stats["packs"]["taken"], 100)
                self.assertNotIn("geheim", error)
                self.assertEqual([p.name for p in (bob.root / ".codexmem").iterdir() if "tmp" in p.name], [])
            for path in ("/none", "/loop", "/away"):
                done = bob.codexmem("index", "--pack", web.url + path)
                self.assertEqual(done.returncode, 2, path)
            self.assertIn("https://", done.stderr)
            done = bob.codexmem("index", "--pack", "http://example.invalid/pack")
            self.assertEqual(done.returncode, 2)
            self.assertIn("begins with https://", done.stderr)
            # The user may set one, and it need not be there; a repository may not.
            asked = len(web.asked)
            settings = {"CODEXMEM_PACK": web.url + "/pack"}
            done = bob.codexmem("index", "--force", "--json", env=settings)
            self.assertGreater(json.loads(done.stdout)["stats"]["packs"]["taken"], 100)
            done = bob.codexmem("index", env={"CODEXMEM_PACK": web.url + "/none"})
            self.assertEqual(done.returncode, 0)
            self.assertIn("no pack is used", done.stderr)
            asked = len(web.asked)
            bob.write({"codexmem.json": json.dumps({"pack": web.url + "/pack"})})
            self.index(bob, "--force")
            self.assertEqual(len(web.asked), asked)
        finally:
            web.stop()

    def test_the_first_index_of_a_server_takes_from_the_users_pack(self):
        self.ann.commit({"most_unusual.py": "def most_unusual_name():\n    return 1\n"})
        self.make()
        web = Web(self.pack.read_bytes())
        try:
            bob, carol = self.clone("bob"), self.clone("carol")
            server = Server(bob, CODEXMEM_PACK=web.url + "/pack?token=geheim")
            found = server.find("most_unusual_name")
            self.assertIn("most_unusual.py", json.dumps(found))
            error = server.stop()
            self.assertRegex(error, r": \d{3} of \d{3} files were taken from a pack")
            self.assertNotIn("geheim", error)
            self.assertEqual(web.asked, ["/pack?token=geheim"])
            self.index(carol)
            self.assertEqual(self.dump(bob), self.dump(carol))
            # Where there is an index the pack is not asked for again, whatever has changed.
            bob.write({"other.py": "def another_name():\n    return 1\n"})
            server = Server(bob, CODEXMEM_PACK=web.url + "/pack")
            self.assertIn("other.py", json.dumps(server.find("another_name")))
            server.stop()
            self.assertEqual(len(web.asked), 1)
            # It need not be there; and a repository names none.
            dave = self.clone("dave")
            server = Server(dave, CODEXMEM_PACK=web.url + "/none")
            self.assertIn("most_unusual.py", json.dumps(server.find("most_unusual_name")))
            self.assertIn("no pack is used", server.stop())
            eve = self.clone("eve")
            eve.write({"codexmem.json": json.dumps({"pack": web.url + "/pack"})})
            server = Server(eve)
            self.assertIn("most_unusual.py", json.dumps(server.find("most_unusual_name")))
            self.assertNotIn("taken from a pack", server.stop())
            self.assertEqual(len(web.asked), 2)
        finally:
            web.stop()

    def test_a_server_asks_for_no_vector_that_the_pack_has(self):
        provider = EmbeddingServer()
        try:
            paid = {"CODEXMEM_OPENAI_EMBEDDING_MODEL": "m", "CODEXMEM_OPENAI_EMBEDDING_BASE_URL": provider.url,
                    "CODEXMEM_OPENAI_EMBEDDING_API_KEY": "k"}
            self.ann.env.update(paid)
            self.index(self.ann)
            self.assertGreater(self.make()["vectors"], 100)
            provider.forget()
            bob = self.clone("bob")
            bob.env.update(paid, CODEXMEM_PACK=str(self.pack))
            server = Server(bob)
            server.find("anything")
            end = time.monotonic() + 60
            while json.loads(bob.codexmem("status", "--json").stdout)["vectors"]["pendingFiles"]:
                self.assertLess(time.monotonic(), end)
                time.sleep(0.1)
            self.assertIn("taken from a pack", server.stop())
            self.assertEqual(provider.requests, [])
        finally:
            provider.stop()

    def test_vectors_that_were_paid_for_come_along(self):
        server = EmbeddingServer()
        try:
            paid = {"CODEXMEM_OPENAI_EMBEDDING_MODEL": "m", "CODEXMEM_OPENAI_EMBEDDING_BASE_URL": server.url,
                    "CODEXMEM_OPENAI_EMBEDDING_API_KEY": "k"}
            self.ann.env.update(paid)
            self.index(self.ann)
            self.assertGreater(len(server.requests), 0)
            report = self.make()
            self.assertGreater(report["vectors"], 100)
            server.forget()
            bob = self.clone("bob")
            bob.env.update(paid)
            stats, _ = self.index(bob, "--pack", self.pack)
            self.assertGreater(stats["embeddingsGenerated"], 100)
            self.assertEqual(server.requests, [])
            status = json.loads(bob.codexmem("status", "--json").stdout)["vectors"]
            self.assertEqual(status["pendingFiles"], 0)
        finally:
            server.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    options, rest = parser.parse_known_args()
    PROGRAM = os.path.abspath(options.program)
    unittest.main(argv=[sys.argv[0], *rest])
