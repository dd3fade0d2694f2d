#!/usr/bin/env python3
"""Events of many sessions over many connections, the worker killed and started again on the way.

    tests/worker/load.py --program build/release/bin/codexmem

Each session sends its events one after the other; a sender that gets no answer sends the same event
again (with the same eventId), as hooks do. In the end each event must be there once, and in order in
its session. Prints throughput, latencies, and the worker's contents. ctest has a quick version.
"""

import argparse
import os
import queue
import shutil
import sys
import tempfile
import threading
import time

from running_worker import Connection, Failure, RunningWorker, check

PROMPT_EVERY = 50


class Session:
    def __init__(self, number, events):
        self.number = number
        self.name = f"load-session-{number:03d}"
        self.events = events
        self.next = 0

    def requests(self):
        """The next requests, oldest first: (path, body), one event and the calls that belong to it."""
        at = self.next
        base = {"contentSessionId": self.name, "cwd": f"/work/project-{self.number % 5}"}
        if at % PROMPT_EVERY == 0:
            yield "/api/sessions/init", {
                **base,
                "project": f"project-{self.number % 5}",
                "prompt": f"Change part {at // PROMPT_EVERY} of session {self.number}",
                "eventId": f"init-{self.number}-{at}",
            }
        event = {**base, "eventId": f"{self.number}-{at}"}
        path = f"/work/project-{self.number % 5}/src/file_{self.number}_{at}.py"
        if at % 3 == 0:
            event |= {
                "tool_name": "Write",
                "tool_input": {
                    "file_path": path,
                    "content": f"def compute_{at}(value):\n    return value + {at}\n" * 8,
                },
                "tool_response": {"success": True},
            }
        elif at % 3 == 1:
            event |= {
                "tool_name": "Edit",
                "tool_input": {
                    "file_path": path,
                    "old_string": f"def compute_{at}(value):\n    return value\n",
                    "new_string": f"def compute_{at}(value, more):\n    return value + more\n",
                },
                "tool_response": {"filePath": path},
            }
        else:
            event |= {
                "tool_name": "Bash",
                "tool_input": {"command": f"make part_{self.number}_{at}"},
                "tool_response": {"stdout": "compiling\n" * 40 + f"done {at}\n", "stderr": ""},
            }
        yield "/api/sessions/observations", event
        if at + 1 == self.events:
            yield "/api/sessions/summarize", {
                **base,
                "last_assistant_message": f"All {self.events} are done.",
                "eventId": f"end-{self.number}",
            }
            yield "/api/sessions/complete", {**base, "eventId": f"complete-{self.number}"}


class Load:
    def __init__(self, worker, sessions):
        self.worker = worker
        self.free = queue.Queue()
        for session in sessions:
            self.free.put(session)
        self.total = sum(session.events for session in sessions)
        self.done = 0
        self.retries = 0
        self.latencies = []
        self.lock = threading.Lock()
        self.failure = None

    def run(self):
        connection = None
        latencies = []
        try:
            while self.failure is None:
                try:
                    session = self.free.get_nowait()
                except queue.Empty:
                    with self.lock:
                        if self.done == self.total:
                            return
                    time.sleep(0.005)
                    continue
                for _ in range(10):
                    if session.next == session.events:
                        break
                    for path, body in session.requests():
                        connection = self.send(connection, path, body, latencies)
                    session.next += 1
                    with self.lock:
                        self.done += 1
                if session.next < session.events:
                    self.free.put(session)
        except Exception as error:  # reported by the waiting thread
            self.failure = error
        finally:
            if connection is not None:
                connection.close()
            with self.lock:
                self.latencies += latencies

    def send(self, connection, path, body, latencies):
        end = time.monotonic() + 60
        while True:
            begin = time.monotonic()
            try:
                if connection is None:
                    connection = Connection(self.worker)
                    begin = time.monotonic()
                status, reply = connection.post(path, body)
            except OSError:
                if connection is not None:
                    connection.close()
                connection = None
                with self.lock:
                    self.retries += 1
                check(time.monotonic() < end, "the worker did not come back")
                time.sleep(0.02)
                continue
            if status == 503:
                time.sleep(0.02)
                continue
            latencies.append(time.monotonic() - begin)
            check(status == 200, f"{path}: {status} {reply}")
            check(reply.get("status") != "skipped", f"{path} {body['eventId']}: {reply}")
            return connection


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))] * 1000


def run(options, directory):
    with RunningWorker(options.program, os.path.join(directory, "data")) as worker:
        send_all(options, worker)


def send_all(options, worker):
    counts = [options.events // options.sessions] * options.sessions
    counts[0] += options.events - sum(counts)
    sessions = [Session(number, count) for number, count in enumerate(counts)]
    load = Load(worker, sessions)
    begin = time.monotonic()
    away = 0
    threads = [threading.Thread(target=load.run) for _ in range(options.connections)]
    for thread in threads:
        thread.start()
    early = None
    for kill in range(1, options.kills + 1):
        while load.done < load.total * kill // (options.kills + 1) and load.failure is None:
            time.sleep(0.005)
        killed = time.monotonic()
        worker.kill()
        worker.start()
        away += time.monotonic() - killed
    started = load.done
    while any(thread.is_alive() for thread in threads):
        if early is None and load.done > started + (load.total - started) // 4:
            early = worker.state()
        time.sleep(0.01)
    if load.failure is not None:
        raise load.failure
    sent = time.monotonic() - begin
    worker.await_idle()
    drained = time.monotonic() - begin
    late = worker.state()

    rows = worker.rows(
        "SELECT s.content_session_id, e.source_ref FROM entries AS e JOIN sessions AS s"
        " ON s.id = e.session_id ORDER BY s.id, e.id"
    )
    for session in sessions:
        got = [ref for name, ref in rows if name == session.name]
        want = [f"event:{session.number}-{at}" for at in range(session.events)]
        check(len(got) == len(want), f"{session.name}: {len(got)} observations of {len(want)}")
        check(got == want, f"{session.name}: not in order")
    summaries = worker.rows("SELECT count(*), count(DISTINCT session_id) FROM summaries")[0]
    check(summaries == (len(sessions), len(sessions)), f"summaries: {summaries}")
    prompts = sum(-(-session.events // PROMPT_EVERY) for session in sessions)
    check(worker.rows("SELECT count(*) FROM prompts")[0][0] == prompts, "prompts twice or lost")
    check(worker.rows("SELECT count(*) FROM queue")[0][0] == 0, "the queue is not empty")
    active = worker.rows("SELECT count(*) FROM sessions WHERE status = 'active'")[0][0]
    check(active == 0, f"{active} sessions are not completed")
    check(worker.stop() == 0, "the worker did not end well")

    print(
        f"{load.total} events of {len(sessions)} sessions over {options.connections} connections,"
        f" {options.kills} kills ({away:.1f} s away, {load.retries} repeated)"
    )
    print(
        f"sent in {sent:.1f} s ({load.total / (sent - away):.0f}/s while there), drained after"
        f" {drained:.1f} s ({load.total / (drained - away):.0f}/s)"
    )
    print(
        f"a request: p50 {percentile(load.latencies, 0.5):.1f} ms, p90"
        f" {percentile(load.latencies, 0.9):.1f} ms, p99 {percentile(load.latencies, 0.99):.1f} ms"
    )
    print(
        f"the worker: {late['rss_mb']:.0f} MB ({late['peak_mb']:.0f} MB at most), files"
        f" {early['files'] if early else '?'} -> {late['files']}, threads"
        f" {early['threads'] if early else '?'} -> {late['threads']}"
    )
    if options.max_mb:
        check(late["peak_mb"] <= options.max_mb, f"the worker took {late['peak_mb']:.0f} MB")
    if early:
        check(late["files"] <= early["files"] + 4, "open files grow")
        check(late["threads"] <= early["threads"] + 2, "threads grow")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--events", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--max-mb", type=int, default=0, help="fail beyond it; 0: never")
    parser.add_argument("--keep", help="a folder for the data, which stays there")
    options = parser.parse_args()
    directory = options.keep or tempfile.mkdtemp(prefix="codexmem-load-")
    os.makedirs(directory, exist_ok=True)
    try:
        run(options, directory)
    except Failure as failure:
        print(f"failed: {failure} (see {directory})", file=sys.stderr)
        options.keep = directory
        return 1
    finally:
        if not options.keep:
            shutil.rmtree(directory, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
