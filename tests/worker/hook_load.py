#!/usr/bin/env python3
"""Hooks of several sessions while their worker is killed, away, stopped in its tracks and started.

    tests/worker/hook_load.py --programs build/release/bin [--events 60] [--sessions 6] [--troubles 6]

Each session calls codexmem-hook for one event after the other, as a host does, and never calls again.
In the end each event must be there once, and in order in its session, whichever way it came: sent, left
in the spool, or both.
"""

import argparse
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from running_worker import Failure, RunningWorker, check

PROMPT_EVERY = 10


def call(program, data, event, body):
    done = subprocess.run([program, "raw", event], input=json.dumps(body).encode(),
                          env={"CODEXMEM_DATA_DIR": str(data), "PATH": "/usr/bin:/bin"},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    check(done.returncode == 0 and not done.stderr, f"{event}: {done.returncode} {done.stderr}")


def session(options, data, number, failures):
    program = options.programs / "codexmem-hook"
    base = {"sessionId": f"hooked-{number}", "cwd": f"/nowhere/project-{number % 2}"}
    try:
        for at in range(options.events):
            if at % PROMPT_EVERY == 0:
                call(program, data, "session-init", {**base, "prompt": f"Do part {at}"})
            call(program, data, "observation", {
                **base, "toolName": "Bash", "toolUseId": f"{number}-{at}",
                "toolInput": {"command": f"make part_{number}_{at}"},
                "toolResponse": {"stdout": f"done {at}\n" * 20}})
        call(program, data, "summarize", {**base, "lastAssistantMessage": "All is done."})
        call(program, data, "session-complete", base)
    except (Failure, subprocess.SubprocessError) as failure:
        failures.append(failure)


def run(options, directory):
    data = pathlib.Path(directory) / "data"
    failures = []
    chance = random.Random(options.seed)
    with RunningWorker(options.programs / "codexmem", data) as worker:
        threads = [threading.Thread(target=session, args=(options, data, number, failures))
                   for number in range(options.sessions)]
        begin = time.monotonic()
        for thread in threads:
            thread.start()
        troubles = 0
        while any(thread.is_alive() for thread in threads):
            time.sleep(chance.uniform(0.05, 0.3))
            if troubles < options.troubles:
                troubles += 1
                if troubles % 2:
                    worker.process.send_signal(signal.SIGSTOP)
                    time.sleep(chance.uniform(0.1, 0.4))
                    worker.process.send_signal(signal.SIGCONT)
                else:
                    worker.kill()
                    time.sleep(chance.uniform(0, 0.4))
                    worker.start()
        took = time.monotonic() - begin
        if failures:
            raise failures[0]
        end = time.monotonic() + 60
        while list((data / "spool").glob("*.json")):
            check(time.monotonic() < end, "the spool is not taken in")
            time.sleep(0.02)
        worker.await_idle()
        rows = worker.rows(
            "SELECT s.content_session_id, e.source_ref FROM entries AS e JOIN sessions AS s"
            " ON s.id = e.session_id ORDER BY s.id, e.id")
        for number in range(options.sessions):
            got = [ref for name, ref in rows if name == f"hooked-{number}"]
            want = [f"tool:{number}-{at}" for at in range(options.events)]
            check(sorted(got) == sorted(want),
                  f"session {number}: {len(got)} observations of {len(want)}: {got}")
            check(got == want, f"session {number}: not in order: {got}")
        prompts = worker.rows("SELECT count(*) FROM prompts")[0][0]
        check(prompts == options.sessions * -(-options.events // PROMPT_EVERY),
              f"{prompts} prompts")
        check(worker.rows("SELECT count(*) FROM summaries")[0][0] == options.sessions, "summaries")
        check(not (data / "spool/bad").exists(), "events were put aside")
        check(worker.stop() == 0, "the worker did not end well")
    calls = options.sessions * (options.events + -(-options.events // PROMPT_EVERY) + 2)
    print(f"{calls} hooks of {options.sessions} sessions in {took:.1f} s, {troubles} troubles")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--events", type=int, default=60)
    parser.add_argument("--sessions", type=int, default=6)
    parser.add_argument("--troubles", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    directory = tempfile.mkdtemp(prefix="codexmem-hook-load-")
    try:
        run(options, directory)
    except Failure as failure:
        print(f"failed: {failure} (see {directory})", file=sys.stderr)
        return 1
    shutil.rmtree(directory, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
