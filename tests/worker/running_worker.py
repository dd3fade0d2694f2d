"""A worker of its own for a test: the program, a data directory, and connections to it."""

import json
import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import time


class Failure(Exception):
    pass


def check(condition, message):
    if not condition:
        raise Failure(message)


class WatchedWorker:
    """A worker whose standard error is kept for the test; it runs, and may not be ready yet."""

    PATIENCE = 60  # seconds, for whatever is waited for

    def __init__(self, program, folder, **environment):
        self.folder = pathlib.Path(folder)
        self.errors = ""  # after stop()
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith("CODEXMEM_") and not name.endswith("_API_KEY")}
        self.process = subprocess.Popen(
            [program, "worker", "run", "--port", "0"], cwd=self.folder.parent,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env=dict(kept, CODEXMEM_DATA_DIR=str(self.folder), HOME=str(self.folder.parent),
                     **environment))
        self.port = self.wait_for(self.read_port, "worker.json")

    def read_port(self):
        try:
            address = json.loads((self.folder / "worker.json").read_text())
        except (OSError, ValueError):
            return None
        return address["port"] if address["pid"] == self.process.pid else None

    def wait_for(self, look, what):
        end = time.monotonic() + self.PATIENCE
        while time.monotonic() < end:
            found = look()
            if found:
                return found
            if self.process.poll() is not None:
                raise AssertionError(f"the worker ended: {self.process.stderr.read().decode()}")
            time.sleep(0.01)
        raise AssertionError(f"waited in vain for {what}")

    def stop(self):
        """Ends it with SIGTERM; how it ended."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(self.PATIENCE)
        if not self.process.stderr.closed:
            self.errors = self.process.stderr.read().decode()
            self.process.stderr.close()
        return status


class RunningWorker:
    def __init__(self, program, directory, **settings):
        self.program = str(pathlib.Path(program).resolve())
        self.directory = pathlib.Path(directory)
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("CODEXMEM_", "OPENAI_"))},
            "CODEXMEM_DATA_DIR": str(self.directory),
            "CODEXMEM_WORKER_PORT": "0",
            **settings,
        }
        self.process = None
        self.port = None

    def __enter__(self):
        return self.start()

    def __exit__(self, *ignored):
        if self.process is not None and self.process.poll() is None:
            self.kill()

    def command(self):
        return [self.program, "worker", "run"]

    def start(self, seconds=60):
        """Starts it, and waits until it is ready."""
        log = open(self.directory.parent / "worker.log", "ab")
        self.process = subprocess.Popen(
            self.command(),
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
        log.close()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            check(self.process.poll() is None, f"the worker has ended: {self.process.returncode}")
            try:
                address = json.loads((self.directory / "worker.json").read_text())
                if address["pid"] == self.process.pid:
                    self.port = address["port"]
                    with Connection(self) as connection:
                        if connection.get("/api/readiness")[0] == 200:
                            return self
            except (OSError, ValueError):
                pass
            time.sleep(0.01)
        raise Failure("the worker did not become ready")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self, seconds=30):
        """Ends it as `worker stop` does; how it ended."""
        if self.process is None or self.process.poll() is not None:
            return None
        self.process.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure("the worker did not stop") from None

    def await_idle(self, seconds=120):
        """Waits until nothing is pending or processing."""
        end = time.monotonic() + seconds
        with Connection(self) as connection:
            while time.monotonic() < end:
                if connection.get("/api/processing-status")[1]["queueDepth"] == 0:
                    return
                time.sleep(0.02)
        raise Failure("the queue is not drained")

    def rows(self, sql, *values):
        database = sqlite3.connect(f"file:{self.directory}/memory.db?mode=ro", uri=True)
        try:
            return database.execute(sql, values).fetchall()
        finally:
            database.close()

    def state(self):
        """Memory in MB now and at most, open files, threads."""
        base = pathlib.Path(f"/proc/{self.process.pid}")
        lines = dict(
            line.split(":", 1) for line in (base / "status").read_text().splitlines() if ":" in line
        )
        return {
            "rss_mb": int(lines["VmRSS"].split()[0]) / 1024,
            "peak_mb": int(lines["VmHWM"].split()[0]) / 1024,
            "files": len(list((base / "fd").iterdir())),
            "threads": int(lines["Threads"]),
        }


class Connection:
    """One HTTP connection that is kept open. Errors: OSError when the worker is gone."""

    def __init__(self, worker, seconds=30):
        self.socket = socket.create_connection(("127.0.0.1", worker.port), seconds)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def close(self):
        self.socket.close()

    def get(self, path):
        return self.ask(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())

    def post(self, path, body):
        text = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(text)}\r\n\r\n"
        )
        return self.ask(head.encode() + text)

    def ask(self, request):
        self.socket.sendall(request)
        data = self.rest
        while (end := data.find(b"\r\n\r\n")) < 0:
            data += self.receive()
        head = data[:end].decode("latin-1")
        length = 0
        for line in head.split("\r\n")[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "content-length":
                length = int(value)
        body = data[end + 4 :]
        while len(body) < length:
            body += self.receive()
        self.rest = body[length:]
        return int(head.split(" ", 2)[1]), json.loads(body[:length])

    def receive(self):
        data = self.socket.recv(65536)
        if not data:
            raise OSError("the worker has closed the connection")
        return data
