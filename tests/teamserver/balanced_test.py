"""Two instances behind a balancer that gives each request to the next one: real clients notice nothing.

CODEXMEM_PROGRAM is the program; tests/clients has the clients. Needs no network.
"""
import collections
import http.client
import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

from team_server import Caller, Team

PROGRAM = os.environ["CODEXMEM_PROGRAM"]
CLIENT = pathlib.Path(__file__).resolve().parent.parent / "clients" / "team_client.mjs"
NODE = os.environ.get("CODEXMEM_NODE", "node")


class Balancer(http.server.ThreadingHTTPServer):
    """Passes requests on in turn, streams as they come."""
    daemon_threads = True

    def __init__(self, ports):
        super().__init__(("127.0.0.1", 0), Passing)
        self.ports, self.turn, self.lock = ports, 0, threading.Lock()
        self.passed = collections.Counter()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def next_port(self):
        with self.lock:
            self.turn += 1
            port = self.ports[self.turn % len(self.ports)]
            self.passed[port] += 1
            return port


class Passing(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        connection = http.client.HTTPConnection("127.0.0.1", self.server.next_port(), timeout=60)
        headers = {key: value for key, value in self.headers.items() if key.lower() not in ("connection", "content-length")}
        connection.request(self.command, self.path, body or None, headers)
        reply = connection.getresponse()
        self.send_response(reply.status)
        for key, value in reply.getheaders():
            if key.lower() not in ("connection", "transfer-encoding", "content-length", "keep-alive"):
                self.send_header(key, value)
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            while part := reply.read1(65536):
                self.wfile.write(part)
                self.wfile.flush()
        except OSError:
            pass  # the client has gone
        self.close_connection = True
        connection.close()

    do_GET = do_POST = do_DELETE = do_OPTIONS = do_HEAD = pass_on

    def log_message(self, *_):
        pass


class Balanced(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="codexmem-team-")
        cls.team = Team(PROGRAM, cls.place.name)
        cls.team.file["limits"].pop("requestSeconds")
        cls.team.write()
        cls.programs = [cls.team.start(), cls.team.start()]
        cls.balancer = Balancer([program.port for program in cls.programs])
        cls.port = cls.balancer.server_address[1]

    @classmethod
    def tearDownClass(cls):
        cls.balancer.shutdown()
        codes = [program.stop() for program in cls.programs]
        cls.balancer.server_close()
        cls.place.cleanup()
        assert codes == [0, 0], codes

    def test_a_session_goes_on_at_any_instance(self):
        caller = Caller(self.port, "a", "red")
        caller.begin()
        for _ in range(6):
            self.assertEqual(caller.in_session("ping").status, 200)
            self.assertIn("open_red", json.dumps(caller.call("find_symbol", {"symbol": "open_red"}, "session")))
        for program in self.programs:  # and for nobody else
            self.assertEqual(Caller(program.port, "viewer").in_session("ping", session=caller.session).status, 404)
            self.assertEqual(Caller(program.port, "a", "grey").in_session("ping", session=caller.session).status, 404)
            forged = caller.session[:-1] + ("0" if caller.session[-1] != "0" else "1")
            self.assertEqual(Caller(program.port, "a", "red").in_session("ping", session=forged).status, 404)

    def test_what_one_instance_saves_the_other_finds(self):
        first, second = (Caller(program.port, "a", "red") for program in self.programs)
        first.call("save_memory", {"text": "the release is on Fridays", "title": "release day"})
        self.assertIn("release day", json.dumps(second.call("search", {"query": "when is the release"})))

    @unittest.skipUnless((CLIENT.parent / "node_modules").exists(), "scripts/test installs the clients")
    def test_real_clients_notice_nothing(self):
        done = subprocess.run([NODE, str(CLIENT), f"http://127.0.0.1:{self.port}/mcp?repository=red", "secret of a", "open_red", "20"],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        for era in ("session", "stateless"):
            self.assertEqual(len(seen[era]["answers"]), 1, seen)
            self.assertIn("open_red", seen[era]["answers"][0])
            self.assertGreater(seen[era]["tools"], 10)
            self.assertGreater(seen[era]["resources"], 1)
            self.assertGreater(seen[era]["prompts"], 1)
        counts = sorted(self.balancer.passed.values())
        self.assertGreater(counts[0], 20)


if __name__ == "__main__":
    unittest.main(verbosity=2)
