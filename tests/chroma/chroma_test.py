#!/usr/bin/env python3
"""The vector backends of a worker against a real Chroma server.

  tests/chroma/chroma_test.py --program build/dev/bin/codexmem [--node NODE]

The server comes from npm's chromadb (package.json here); it is started, frozen, killed and wiped.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
POOL = "Database connections are pooled, at most eight at a time."
POOL_QUERY = "how many postgres sockets may be open"  # near, and without a word of it
COOKIE = "The login page crashed when the session cookie expired; the token is refreshed first."
COOKIE_QUERY = "authentication credential renewal"
KETTLE = "The kettle in the kitchen is blue and made of steel."
PATIENCE = 30


def ask(url, body=None, method=None, timeout=PATIENCE):
    """The status and the JSON of an answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=timeout) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or b"null")


def wait_until(what, is_so):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if is_so():
                return
        time.sleep(0.05)
    raise AssertionError(f"after {PATIENCE} s not yet: {what}")


class Chroma:
    def __init__(self, node, folder):
        self.node, self.path = node, folder / "chroma"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.api = self.url + "/api/v2/tenants/default_tenant/databases/default_database/collections"
        self.process = None

    def start(self):
        command = [self.node, HERE / "node_modules/chromadb/dist/cli.mjs", "run", "--path",
                   self.path, "--port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=self.path.parent, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until("Chroma listens", lambda: ask(self.url + "/api/v2/heartbeat")[0] == 200)

    def send(self, number):
        self.process.send_signal(number)

    def freeze(self):
        """All its threads have stopped afterwards: some may still answer when the signal was only sent."""
        self.send(signal.SIGSTOP)
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task")
        wait_until("Chroma is stopped", lambda: all(
            "State:\tT" in (task / "status").read_text() for task in tasks.iterdir()))

    def stop(self, number=signal.SIGINT):
        if self.process is None:
            return
        self.send(number)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process = None

    def wipe(self):
        self.stop()
        shutil.rmtree(self.path)
        self.start()

    def rows(self, name):
        """The metadata of each row by its id; none without the collection."""
        status, collection = ask(f"{self.api}/{name}")
        if status != 200:
            return {}
        found = ask(f"{self.api}/{collection['id']}/get", {"include": ["metadatas"]})[1]
        return dict(zip(found["ids"], found["metadatas"]))


class Worker:
    def __init__(self, program, folder, **settings):
        self.program, self.data = program, folder / "data"
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith(("CODEXMEM_", "OPENAI_"))}
        self.environment |= {"CODEXMEM_DATA_DIR": str(self.data), "CODEXMEM_PROJECT": "demo"}
        self.environment |= settings
        self.process = None

    def shell(self, *arguments):
        done = subprocess.run([self.program, "memory", *arguments], env=self.environment, text=True,
                              capture_output=True, timeout=PATIENCE)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def start(self):
        self.log = open(self.data.parent / "worker.log", "ab")
        self.process = subprocess.Popen([self.program, "worker", "run", "--port", "0"],
                                        env=self.environment, stdout=self.log, stderr=self.log)
        wait_until("the worker listens", (self.data / "worker.json").exists)
        port = json.loads((self.data / "worker.json").read_text())["port"]
        self.url = f"http://127.0.0.1:{port}"
        wait_until("the worker is ready", lambda: ask(self.url + "/api/readiness")[0] == 200)

    def stop(self):
        if self.process is None:
            return
        begun = time.monotonic()
        self.process.terminate()
        assert self.process.wait(PATIENCE) == 0
        assert time.monotonic() - begun < 10
        self.process = None
        self.log.close()

    def save(self, text, project="demo"):
        status, answer = ask(self.url + "/api/memory/save", {"text": text, "project": project})
        assert status == 200, answer
        return answer["id"]

    def search(self, query, **more):
        """The ids of the observations found, and why not all of them may be there."""
        query = urllib.parse.urlencode({"query": query, "format": "json", **more})
        status, answer = ask(f"{self.url}/api/search?{query}", timeout=10)
        assert status == 200, answer
        return [row["id"] for row in answer["observations"]], answer.get("note", "")

    def status(self):
        status, answer = ask(self.url + "/api/ops/index-status")
        assert status == 200, answer
        return answer

    def backfill(self, **body):
        status, answer = ask(self.url + "/api/ops/backfill/chroma", body, method="POST")
        assert status == 200, answer
        return answer

    def wait_until_sent(self):
        wait_until("nothing waits to be sent", lambda: self.status()["chroma"]["pending"] == 0)


def check(name, got, want):
    assert got == want, f"{name}: got {got}, want {want}"


def life(program, chroma, folder, backend):
    """A store that is there before, texts that are saved, and all that can befall the server."""
    worker = Worker(program, folder, CODEXMEM_VECTOR_BACKEND=backend,
                    CODEXMEM_CHROMA_URL=chroma.url)
    name = "cm__demo"
    worker.shell("save", POOL)
    worker.start()
    try:
        worker.wait_until_sent()
        check("rows of an existing store", set(chroma.rows(name)),
              {"obs_1_narrative", "obs_1_text"})
        metadata = chroma.rows(name)["obs_1_narrative"]
        check("metadata", (metadata["sqlite_id"], metadata["doc_type"], metadata["project"],
                           metadata["field_type"]), (1, "observation", "demo", "narrative"))
        check("id", worker.save(KETTLE), 2)
        check("id", worker.save(COOKIE), 3)
        worker.wait_until_sent()
        wait_until("rows come behind a save", lambda: "obs_3_text" in chroma.rows(name))
        check("by meaning", worker.search(POOL_QUERY), ([1], ""))
        check("by meaning", worker.search(COOKIE_QUERY, project="demo"), ([3], ""))
        check("of another project", worker.search(POOL_QUERY, project="other"), ([], ""))
        check("from the shell", [row["id"] for row in
                                 json.loads(worker.shell("search", POOL_QUERY, "--json"))["items"]],
              ["1"])
        status = worker.status()
        check("backend", status["backend"], backend)
        check("collection", status["chroma"]["collection"].startswith("cm__"), True)
        check("count", status["chroma"]["count"], 6)

        # A forgotten entry is no longer found, and its copies are removed.
        worker.shell("forget", "2", "--yes")
        check("forgotten", 2 in worker.search(KETTLE)[0], False)
        wait_until("copies are deleted", lambda: set(chroma.rows(name)) ==
                   {"obs_1_narrative", "obs_1_text", "obs_3_narrative", "obs_3_text"})

        # Killed while it is asked.
        answers, failures, is_over = [], [], threading.Event()

        def go_on():
            while not is_over.is_set():
                begun = time.monotonic()
                try:
                    found, why = worker.search(POOL_QUERY)
                    answers.append((found, why, time.monotonic() - begun))
                except Exception as error:  # each is a failure of the test
                    failures.append(repr(error))

        askers = [threading.Thread(target=go_on) for _ in range(4)]
        for asker in askers:
            asker.start()
        time.sleep(0.3)
        chroma.stop(signal.SIGKILL)
        wait_until("searches report that it is away", lambda: worker.search(POOL_QUERY)[1] != "")
        begun = time.monotonic()
        check("id", worker.save("Idle connections to the database are closed after a minute."), 4)
        took = time.monotonic() - begun
        assert took < 2, f"a save took {took:.1f} s while Chroma was away"
        is_over.set()
        for asker in askers:
            asker.join()
        check("failed searches", failures, [])
        slowest = max(took for _, _, took in answers)
        assert slowest < 3, f"a search took {slowest:.1f} s"
        found, why = worker.search(POOL_QUERY)
        check("without Chroma", found != [], backend == "hybrid")
        assert "Chroma" in why, why
        check("by words", worker.search("pooled eight")[0], [1])
        check("backfill without Chroma", worker.backfill()["success"], False)
        check("reachable", worker.status()["chroma"]["reachable"], False)

        # Back again: a question notices it.
        chroma.start()

        def has_caught_up():
            worker.search(POOL_QUERY)
            return "obs_4_text" in chroma.rows(name)

        wait_until("what was saved meanwhile is sent", has_caught_up)
        found, why = worker.search(POOL_QUERY)
        check("after it came back", (1 in found, why), (True, ""))

        # Frozen: it takes connections and answers nothing.
        if backend == "chroma":  # ten seconds of rest follow
            chroma.freeze()
            begun = time.monotonic()
            found, why = worker.search(POOL_QUERY)
            took = time.monotonic() - begun
            assert took < 3 and why != "", f"{took:.1f} s, {why}"
            chroma.send(signal.SIGCONT)
            wait_until("it is asked again", lambda: worker.search(POOL_QUERY)[1] == "")

        # Emptied.
        chroma.wipe()
        check("backfill", worker.backfill(), {"success": True, "observations": 3, "summaries": 0,
                                              "prompts": 0, "skipped": False})
        check("rows", len(chroma.rows(name)), 6)
        check("after a backfill", worker.search(COOKIE_QUERY), ([3], ""))
        chroma.wipe()

        def is_repaired():
            worker.search(POOL_QUERY)
            return len(chroma.rows(name)) == 6

        wait_until("a loss is noticed by a question", is_repaired)
        print(f"{backend}: {len(answers)} searches around the kill, the slowest {slowest:.2f} s")
    finally:
        worker.stop()


def existing_store(program, chroma, folder):
    """FAISS alone, then copies of all at once, in one collection."""
    sqlite = Worker(program, folder, CODEXMEM_VECTOR_BACKEND="sqlite",
                    CODEXMEM_CHROMA_URL=chroma.url, CODEXMEM_CHROMA_COLLECTION="everything")
    sqlite.start()
    try:
        for number in range(150):
            sqlite.save(f"Note {number}: the cache of part {number} holds "
                        f"{number * 7 % 31} pages.", f"project {number % 3}")
        check("nothing is sent", chroma.rows("everything"), {})
        check("a part", sqlite.backfill(project="project 1", limit=20)["observations"], 20)
        check("the rest of it", sqlite.backfill(project="project 1")["observations"], 50)
        check("rows", len(chroma.rows("everything")), 100)
        check("all", sqlite.backfill()["observations"], 150)
        check("rows", len(chroma.rows("everything")), 300)
        status, answer = ask(sqlite.url + "/api/ops/backfill/chroma", {"limit": "x"})
        check("a wrong limit", (status, list(answer)), (400, ["error"]))
    finally:
        sqlite.stop()
    both = Worker(program, folder, CODEXMEM_VECTOR_BACKEND="hybrid",
                  CODEXMEM_CHROMA_URL=chroma.url, CODEXMEM_CHROMA_COLLECTION="everything")
    both.start()
    try:
        check("pending", both.status()["chroma"]["pending"], 0)
        found, why = both.search("cached pages", project="project 2", limit=100)
        assert found and all(number % 3 == 0 for number in found) and why == "", (found, why)
    finally:
        both.stop()
    none = Worker(program, folder)
    none.start()
    try:
        check("without a URL", none.backfill(), {"success": True, "observations": 0, "summaries": 0,
                                                 "prompts": 0, "skipped": True,
                                                 "reason": "CODEXMEM_CHROMA_URL is not set"})
        check("without a URL", none.status()["chroma"]["configured"], False)
    finally:
        none.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--node", default="node")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        for name, test in (("chroma", life), ("hybrid", life), ("existing", existing_store)):
            folder = root / name
            folder.mkdir()
            chroma = Chroma(options.node, folder)
            chroma.start()
            try:
                if test is life:
                    life(program, chroma, folder, name)
                else:
                    test(program, chroma, folder)
            except BaseException:
                sys.stdout.write((folder / "worker.log").read_text())
                raise
            finally:
                chroma.stop()
    print("ok")


if __name__ == "__main__":
    main()
