"""Whom the servers serve: as another user of the machine, each route, page, stream and socket refuses.

CODEXMEM_PROGRAM is the program, CODEXMEM_SOURCE the repository. Needs root, to be another user; what
needs that is skipped without. Needs no network.
"""
import http.client
import json
import os
import pathlib
import pickle
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from routes_test import documented_routes, written_routes
from running_worker import WatchedWorker

PROGRAM = os.environ["CODEXMEM_PROGRAM"]
HERE = pathlib.Path(__file__).resolve().parent
NOBODY = 65_534
SOMEBODY = 54_321
REFUSED = {"error": "this server serves only the user who runs it"}
SECRET = "def only_for_the_owner_of_this_folder"
MARK = "written-by-another-user"
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-06-18", "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"}}}


def as_user(user, function):
    """What `function` returns in a process of `user`, who has no groups."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
            result = ("is", function())
        except BaseException as error:  # reported to the parent
            result = ("failed", repr(error))
        with os.fdopen(write_end, "wb") as out:
            pickle.dump(result, out)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, "rb") as answer:
        kind, value = pickle.load(answer)
    os.waitpid(child, 0)
    if kind == "failed":
        raise AssertionError(f"as user {user}: {value}")
    return value


def ask(port, method, path, body=None, headers=()):
    """Status and body of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    text = None if body is None else json.dumps(body)
    given = {"Content-Type": "application/json",
             "Accept": "application/json, text/event-stream", **dict(headers)}
    connection.request(method, path, text, given)
    with connection.getresponse() as reply:
        is_stream = reply.headers.get_content_type() == "text/event-stream"
        status, answer = reply.status, "a stream" if is_stream else reply.read().decode()
    connection.close()
    return status, answer


def unread(port, head):
    """What comes for the beginning of a request, all of it."""
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        connection.sendall(head.encode())
        answer = b""
        while part := connection.recv(65_536):
            answer += part
    return answer.decode()


def open_sockets(process):
    """What `process` listens with: lines of /proc/net, by the sockets it has."""
    mine = set()
    for each in pathlib.Path(f"/proc/{process}/fd").iterdir():
        try:
            target = os.readlink(each)
        except OSError:
            continue
        if target.startswith("socket:["):
            mine.add(target[8:-1])
    listening = []
    for kind, inode_at in {"tcp": 9, "tcp6": 9, "udp": 9, "udp6": 9, "raw": 9, "unix": 6}.items():
        try:
            lines = pathlib.Path(f"/proc/{process}/net/{kind}").read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            is_listening = kind not in ("tcp", "tcp6") or fields[3] == "0A"
            if fields[inode_at] in mine and is_listening:
                listening.append((kind, fields[1]))
    return listening


class Served(unittest.TestCase):
    """A worker and `serve --http` of this user, next to a folder that nobody else may read."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-users-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.folder.chmod(0o755)  # so that the modes below count
        self.repository = self.folder / "repository"
        self.repository.mkdir(0o700)
        (self.repository / "secret.py").write_text(f"{SECRET}():\n    return 1\n")
        (self.repository / ".git").mkdir()
        (self.repository / ".git/HEAD").write_text("ref: refs/heads/main\n")
        self.data = self.folder / "data"

    def start_worker(self, wrapper=()):
        program = PROGRAM
        if wrapper:
            program = self.folder / "program"
            program.write_text(f'#!/bin/sh\nexec {" ".join(wrapper)} {PROGRAM} "$@"\n')
            program.chmod(0o755)
        worker = WatchedWorker(str(program), self.data, CODEXMEM_PROVIDER="rule-based")
        self.addCleanup(worker.stop)
        return worker

    def await_ready(self, worker, headers=()):
        worker.wait_for(lambda: ask(worker.port, "GET", "/api/readiness", None, headers)[0] == 200,
                        "readiness")
        return worker

    def start_server(self):
        environment = dict(os.environ, CODEXMEM_DATA_DIR=str(self.data), HOME=str(self.folder))
        server = subprocess.Popen(
            [PROGRAM, "serve", "--http", "--port", "0", str(self.repository)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        self.addCleanup(server.wait, 30)
        self.addCleanup(server.terminate)
        self.addCleanup(server.stdout.close)
        server.port = int(server.stdout.readline().split(":")[2].split("/")[0])
        return server

    def environment(self):
        return dict(os.environ, CODEXMEM_DATA_DIR=str(self.data), HOME=str(self.folder))


@unittest.skipUnless(os.geteuid() == 0, "needs root, to be another user")
class OtherUsersTest(Served):
    def setUp(self):
        super().setUp()
        self.worker = self.await_ready(self.start_worker())
        self.server = self.start_server()

    def rows(self):
        database = json.loads(ask(self.worker.port, "GET", "/api/stats")[1])["database"]
        return {name: database[name] for name in ("observations", "sessions", "summaries")}

    def test_each_route_refuses(self):
        """The routes come from docs/reference/routes.md, which routes_test compares with the program."""
        routes = documented_routes()
        self.assertEqual(set(routes), written_routes())
        self.assertGreater(len(routes), 30)
        saved = {"text": MARK, "title": MARK, "project": "x", "contentSessionId": MARK,
                 "prompt": MARK, "ids": [1], "observations": [{"title": MARK}]}
        before = self.rows()

        def attack():
            wrong = []
            targets = [(method, pattern + ("1" if pattern.endswith("/") and pattern != "/" else ""))
                       for method, pattern in routes]
            targets += [("GET", "/nothing"), ("HEAD", "/api/health"), ("PUT", "/mcp"),
                        ("POST", f"/mcp?repository={self.repository}"),
                        ("GET", "/viewer?token=x"), ("GET", "/api/health?token=")]
            for method, path in targets:
                body = saved if method in ("POST", "PUT") else None
                if path.startswith("/mcp") and body:
                    body = INITIALIZE
                status, answer = ask(self.worker.port, method, path, body)
                if status != 403 or (method != "HEAD" and json.loads(answer) != REFUSED):
                    wrong.append((method, path, status, answer[:100]))
            return wrong

        self.assertEqual(as_user(NOBODY, attack), [])
        self.assertEqual(as_user(SOMEBODY, attack), [])
        self.assertEqual(self.rows(), before)

    def test_serve_refuses(self):
        def attack():
            return [ask(self.server.port, method, path, INITIALIZE if method == "POST" else None)
                    for path in ("/mcp", f"/mcp?repository={self.repository}", "/")
                    for method in ("POST", "GET", "DELETE", "OPTIONS")]

        for status, answer in as_user(NOBODY, attack):
            self.assertEqual((status, json.loads(answer)), (403, REFUSED))

    def test_nothing_of_a_request_is_read(self):
        """The refusal comes before a request is there, with a head or without one."""
        for port in (self.worker.port, self.server.port):
            for head in ("", "G", "POST /mcp HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n"):
                answer = as_user(NOBODY, lambda: unread(port, head))
                self.assertTrue(answer.startswith("HTTP/1.1 403 Forbidden\r\n"), answer)

    def test_whoever_sends_and_closes_is_not_served(self):
        """The kernel reports a socket that is closed already as root's, who runs this test."""
        def attack():
            text = json.dumps({"text": MARK, "project": "x"}).encode()
            head = (f"POST /api/memory/save HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                    f"Content-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n")
            for at_once in (False, True):
                connection = socket.create_connection(("127.0.0.1", self.worker.port), 20)
                connection.sendall(head.encode() + text)
                if at_once:  # with a reset
                    linger = b"\1\0\0\0\0\0\0\0"
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                connection.close()

        before = self.rows()
        os.kill(self.worker.process.pid, signal.SIGSTOP)
        try:
            as_user(NOBODY, attack)
        finally:
            os.kill(self.worker.process.pid, signal.SIGCONT)
        # Connections are taken in the order they came.
        self.assertEqual(ask(self.worker.port, "GET", "/api/health")[0], 200)
        time.sleep(0.5)
        self.assertEqual(self.rows(), before)
        status, answer = ask(self.worker.port, "GET", f"/api/search?query={MARK}")
        self.assertEqual(status, 200)
        self.assertNotIn("#1", answer)

    def test_no_other_socket_is_open(self):
        for process, port in ((self.worker.process.pid, self.worker.port),
                              (self.server.pid, self.server.port)):
            self.assertEqual(open_sockets(process), [("tcp", f"0100007F:{port:04X}")])

    def test_no_file_is_open_to_others(self):
        for path in [self.data, *self.data.rglob("*")]:
            mode = path.lstat().st_mode
            if stat.S_ISDIR(mode) or path.name in ("worker.json", "token"):
                self.assertEqual(stat.S_IMODE(mode) & 0o077, 0, path)

        def read():
            try:
                return os.listdir(self.data)
            except PermissionError:
                return "refused"

        self.assertEqual(as_user(NOBODY, read), "refused")

    def test_this_user_is_served_meanwhile(self):
        """Others cannot keep its connections, threads or descriptors from this user."""
        def attack():
            held = []
            end = time.monotonic() + 5
            while len(held) < 600 and time.monotonic() < end:
                connection = socket.socket()
                connection.settimeout(5)
                held.append(connection)
                try:
                    connection.connect(("127.0.0.1", self.worker.port))
                    connection.sendall(b"P")
                except OSError:
                    pass  # refused already
            time.sleep(1)
            for connection in held:
                connection.close()

        attacking = threading.Thread(target=as_user, args=(NOBODY, attack))
        attacking.start()
        while attacking.is_alive():
            begun = time.monotonic()
            self.assertEqual(ask(self.worker.port, "GET", "/api/stats")[0], 200)
            self.assertLess(time.monotonic() - begun, 5)
        attacking.join()


@unittest.skipUnless(os.geteuid() == 0, "needs root, to be another user")
class SharedFolderTest(unittest.TestCase):
    """A folder that all may write, such as /tmp, above a project."""

    def test_a_repository_of_another_user_above_is_not_used(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-shared-"))
        self.addCleanup(shutil.rmtree, folder, True)
        folder.chmod(0o1777)

        def plant():
            for name in (".git/objects", ".git/refs"):
                (folder / name).mkdir(parents=True)
            (folder / ".git/HEAD").write_text("ref: refs/heads/main\n")
            (folder / "codexmem.json").write_text('{"project": "of another"}')
            (folder / "theirs.ts").write_text("export function theirs() {}\n")

        as_user(SOMEBODY, plant)
        mine = folder / "mine"
        mine.mkdir()
        (mine / "a.ts").write_text("export function own() {}\n")
        home = tempfile.mkdtemp(prefix="codexmem-home-")
        self.addCleanup(shutil.rmtree, home, True)
        environment = dict(os.environ, HOME=home, CODEXMEM_DATA_DIR=f"{home}/data")
        run = lambda *words: subprocess.run([PROGRAM, *words], cwd=mine, env=environment, text=True,
                                            capture_output=True)
        done = run("index")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("belongs to another user and is not used", done.stderr)
        self.assertFalse((folder / ".codexmem").exists())
        self.assertTrue((mine / ".codexmem/index.db").exists())
        self.assertEqual(run("symbol", "own").returncode, 0)
        self.assertEqual(run("symbol", "theirs").returncode, 1)
        saved = json.loads(run("memory", "save", "a fact about this place", "--json").stdout)
        self.assertNotEqual(saved["project"], "of another")


class TokenTest(Served):
    """Where the system does not say who asks, the token of the data directory is asked for."""

    def check_tokens(self, worker, user=None):
        do = (lambda function: as_user(user, function)) if user else (lambda function: function())
        port = worker.port
        status, answer = do(lambda: ask(port, "GET", "/api/health"))
        self.assertEqual(status, 403)
        self.assertIn("X-Codexmem-Token", answer)
        self.assertIn("which user asks is unknown", answer)
        token = (self.data / "token").read_text().strip()
        self.assertEqual(stat.S_IMODE((self.data / "token").stat().st_mode), 0o600)
        for wrong in ("", "x", token[:-1], token + "0", token.upper()):
            with self.subTest(wrong=wrong):
                given = {"X-Codexmem-Token": wrong} if wrong else {}
                self.assertEqual(do(lambda: ask(port, "GET", "/api/stats", None, given))[0], 403)
                self.assertEqual(do(lambda: ask(port, "GET", f"/viewer?token={wrong}"))[0], 403)
        right = {"X-Codexmem-Token": token}
        self.assertEqual(do(lambda: ask(port, "GET", "/api/stats", None, right))[0], 200)
        self.assertEqual(do(lambda: ask(port, "GET", f"/viewer?token={token}"))[0], 200)
        # In an address it reads, it does not write; and it does not replace the other checks.
        saved = {"text": MARK, "project": "x"}
        path = "/api/memory/save"
        self.assertEqual(do(lambda: ask(port, "POST", f"{path}?token={token}", saved))[0], 403)
        elsewhere = {**right, "Host": "evil.example"}
        self.assertEqual(do(lambda: ask(port, "POST", path, saved, elsewhere))[0], 403)
        self.assertEqual(do(lambda: ask(port, "POST", path, saved, right))[0], 200)

    def test_without_an_answer_of_the_system(self):
        wrapper = [sys.executable, str(HERE / "without_netlink.py")]
        worker = self.start_worker(wrapper)
        worker.wait_for(lambda: (self.data / "token").exists(), "the token")
        token = (self.data / "token").read_text().strip()
        self.await_ready(worker, {"X-Codexmem-Token": token})
        self.check_tokens(worker)
        # Our own clients send it.
        status = subprocess.run([PROGRAM, "worker", "status", "--json"], env=self.environment(),
                                capture_output=True, text=True, check=False)
        self.assertEqual(status.returncode, 0, status.stderr)
        self.assertEqual(json.loads(status.stdout)["provider"]["provider"], "rule-based")
        started = subprocess.run([PROGRAM, "worker", "start"], env=self.environment(),
                                 capture_output=True, text=True, check=False)
        self.assertIn(f"/viewer?token={token}", started.stdout)
        event = {"session_id": "s", "cwd": str(self.folder), "prompt": "Change the parser",
                 "hook_event_name": "UserPromptSubmit"}
        hook = subprocess.run([PROGRAM, "hook", "claude-code", "session-init"],
                              env=self.environment(), input=json.dumps(event),
                              capture_output=True, text=True, check=False)
        self.assertEqual(hook.stderr, "")
        right = {"X-Codexmem-Token": token}
        worker.wait_for(lambda: "Change the parser" in ask(
            worker.port, "GET", "/api/prompts", None, right)[1], "the prompt")

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to be another user")
    def test_in_a_user_namespace(self):
        """Who has no number there could be anybody, even when asked by name."""
        wrapper = ["unshare", "--user", "--map-root-user"]
        if subprocess.run([*wrapper, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("user namespaces are not allowed here")
        worker = self.await_ready(self.start_worker(wrapper))  # this user has a number there
        self.check_tokens(worker, SOMEBODY)

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to be another user")
    def test_root_is_asked_for_it(self):
        """Root may be a proxy that passes on what others ask."""
        shutil.copy(PROGRAM, self.folder / "codexmem")
        os.chown(self.folder, SOMEBODY, SOMEBODY)
        wrapper = ["setpriv", f"--reuid={SOMEBODY}", f"--regid={SOMEBODY}", "--clear-groups"]
        program = self.folder / "program"
        program.write_text(f'#!/bin/sh\nexec {" ".join(wrapper)} {self.folder}/codexmem "$@"\n')
        program.chmod(0o755)
        worker = WatchedWorker(str(program), self.data, CODEXMEM_PROVIDER="rule-based")
        self.addCleanup(worker.stop)
        worker.wait_for(lambda: as_user(SOMEBODY, lambda: ask(
            worker.port, "GET", "/api/readiness"))[0] == 200, "readiness")
        self.check_tokens(worker)


if __name__ == "__main__":
    unittest.main()
