#!/usr/bin/env python3
"""No private text and no secret is in any file of the data directory.

    tests/worker/privacy.py --program build/release/bin/codexmem

Sends a running worker turns that are wholly or partly private, and secrets in every place of a hook's
event, and then searches every byte of every file: the database and its log while the worker runs, its
log at the most verbose level, and all of them once more after it was killed. Then hooks send the same
while it is away: the spool, and how it is processed. Last, every shape in which coding tools report
their tools (tool_shapes.py), over hooks and over HTTP, with a model that keeps its requests.
"""

import argparse
import http.server
import json
import pathlib
import random
import shutil
import string
import subprocess
import sys
import tempfile
import threading
import time

import tool_shapes
from running_worker import Connection, Failure, RunningWorker, check

# Prompts of which nothing is left.
WHOLLY_PRIVATE = [
    "<private>{0}</private>",
    "  <PRIVATE>{0}</Private>\n",
    "<private reason='a > b' x=\"</private>\">{0}</private>",
    "<private>{0} <private>{0}</private> {0}</private>",
    "<private>{0}",
    "<private {0}",
    "<system-reminder>{0}</system-reminder><private>{0}</private>",
    "<private>{0}</private> </private>",
    "",
]

# Texts of which something is left, "kept".
PARTLY_PRIVATE = [
    "kept <private>{0}</private> kept",
    "kept <Private a=b>{0} <private>{0}</PRIVATE> {0}</private> kept",
    "kept <codexmem-context>{0}</codexmem-context> kept",
    "kept <system_instruction>{0}</system_instruction> kept",
    "kept <private>{0}",
]


SECRETS = ["github", "cloud", "bearer", "url", "key"]


class Canaries:
    """Words that must not be found anywhere."""

    def __init__(self):
        self.words = []

    def new(self, text="canary{0}"):
        word = "".join(random.choice(string.ascii_lowercase) for _ in range(12))
        self.words.append((word, text))
        return text.format(word)


def secret(kind):
    """A made-up secret of a kind, and the part of it that must not be found."""
    letters = "".join(random.choice(string.ascii_letters + string.digits) for _ in range(80))
    if kind == "github":
        value = "gh" + "p_" + letters[:36]
        return value, value
    if kind == "cloud":
        value = "AK" + "IA" + "".join(random.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") for _ in range(16))
        return value, value
    if kind == "bearer":
        return "Authorization: Bearer " + letters[:40], letters[:40]
    if kind == "url":
        return f"postgres://admin:{letters[:20]}@db.internal:5432/x", letters[:20]
    if kind == "key":
        body = "\n".join("".join(random.choice(string.ascii_letters) for _ in range(64)) for _ in range(8))
        name = "PRIVATE " + "KEY-----"
        return f"-----BEGIN RSA {name}\n{body}\n-----END RSA {name}", body.split("\n")[3]
    raise AssertionError(kind)


def post_event(connection, path, body, want):
    status, reply = connection.post(f"/api/sessions/{path}", body)
    got = reply.get("reason") or reply.get("status") or "started"
    check(status == 200 and got == want, f"{path} {body}: {status} {reply}, not {want}")
    return reply


def files_with(directory, words):
    found = []
    for path in pathlib.Path(directory).rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        found += [f"{what} in {path.name}" for word, what in words if word.encode() in data]
    return found


def run(program, directory):
    with RunningWorker(program, f"{directory}/data", CODEXMEM_LOG="debug") as worker:
        send_all(worker, directory)


def send_all(worker, directory):
    canaries = Canaries()
    with Connection(worker) as connection:
        for number, prompt in enumerate(WHOLLY_PRIVATE):
            session = {"contentSessionId": f"private-{number}"}
            project = {**session, "project": "demo"}
            post_event(connection, "init", {**project, "prompt": f"public {number}"}, "started")
            before = int(time.time() * 1000)
            time.sleep(0.002)
            text = prompt.format(canaries.new())
            post_event(connection, "init", {**project, "prompt": text}, "private")
            seen = int(time.time() * 1000)
            for more in ({}, {"at": before}, {"at": seen}, {"eventId": canaries.new()}):
                event = {
                    **session,
                    "tool_name": "Bash",
                    "tool_use_id": canaries.new(),
                    "tool_input": {"command": canaries.new("echo {0}")},
                    "tool_response": canaries.new(),
                    "cwd": "/work/" + canaries.new(),
                    **more,
                }
                post_event(connection, "observations", event, "private")
            post_event(connection, "summarize", {**session, "last_assistant_message": canaries.new()}, "private")
            time.sleep(0.002)
            post_event(connection, "init", {**project, "prompt": f"public again {number}"}, "started")
            # What was seen in the private turn comes when the next one is there.
            late = {
                **session,
                "tool_name": "Bash",
                "tool_input": {"command": canaries.new("late {0}")},
                "at": seen,
            }
            post_event(connection, "observations", late, "private")
            post_event(connection, "observations", {**session, "tool_name": "Bash", "tool_input": {"command": "ls"}}, "queued")

        kept = 0
        for number, text in enumerate(PARTLY_PRIVATE):
            session = {"contentSessionId": f"partly-{number}"}
            post_event(connection, "init", {**session, "project": "demo", "prompt": text.format(canaries.new())}, "started")
            inner = '{"a":"\\u003cprivate\\u003e' + canaries.new() + '\\u003c/private\\u003e"}'
            event = {
                **session,
                "tool_name": "Bash",
                "tool_input": {
                    "command": text.format(canaries.new()),
                    text.format(canaries.new()): [{"deep": text.format(canaries.new())}],
                    "json": inner,
                },
                "tool_response": {"stdout": text.format(canaries.new()), "code": 0},
                "cwd": "/work/demo",
            }
            post_event(connection, "observations", event, "queued")
            long = "x" * 100_000 + text.format(canaries.new()) + "y" * 100_000
            post_event(connection, "observations", {**event, "tool_response": long}, "queued")
            message = {**session, "last_assistant_message": text.format(canaries.new())}
            post_event(connection, "summarize", message, "queued")
            kept += 1

        for kind in SECRETS:
            session = {"contentSessionId": f"secret-{kind}"}
            texts = []
            for place in range(6):
                text, word = secret(kind)
                canaries.words.append((word, f"{kind} {place}"))
                texts.append(text)
            prompt = f"use {texts[0]} please"
            post_event(connection, "init", {**session, "project": "demo", "prompt": prompt}, "started")
            event = {
                **session,
                "tool_name": "Bash",
                "tool_input": {"command": f"run {texts[1]} now", "lines": [texts[2]]},
                "tool_response": {"stdout": f"got {texts[3]}\n"},
                "cwd": "/work/demo",
            }
            post_event(connection, "observations", event, "queued")
            long = ("x" * 48_900) + " " + texts[4] + " " + "y" * 200_000
            post_event(connection, "observations", {**event, "tool_response": long}, "queued")
            message = {**session, "last_assistant_message": f"done with {texts[5]}"}
            post_event(connection, "summarize", message, "queued")
        password, word = "hunter" + canaries.new("{0}"), canaries.words[-1][0]
        event = {
            "contentSessionId": "secret-github",
            "tool_name": "Write",
            "tool_input": {"password": password + "9Z"},
            "tool_response": f"saved {password}9Z",
        }
        post_event(connection, "observations", event, "queued")

    worker.await_idle()
    public = files_with(directory, [("public again 0", "a public prompt")])
    check(public, "public text is not found either")
    found = files_with(directory, canaries.words)
    check(not found, f"while it runs: {found[:5]}")
    rows = worker.rows("SELECT count(*) FROM entries WHERE body LIKE '%kept%'")[0][0]
    check(rows >= kept, f"{rows} public rows were kept")
    redacted = worker.rows("SELECT count(*) FROM entries WHERE body LIKE '%[REDACTED:%'")[0][0]
    check(redacted > 0, "no marker of a secret is there")
    worker.kill()
    found = files_with(directory, canaries.words)
    check(not found, f"after a kill: {found[:5]}")
    spool(worker, directory, canaries)
    print(f"{len(canaries.words)} canaries, none found")


def hook(worker, event, body, platform="raw"):
    done = subprocess.run(
        [worker.program, "hook", platform, event],
        input=json.dumps(body).encode(),
        env=worker.environment,
        capture_output=True,
        timeout=20,
        check=False,
    )
    check(done.returncode == 0, f"hook {event}: {done.returncode} {done.stderr.decode()}")


def spool(worker, directory, canaries):
    """The same over hooks, while the worker is away."""

    def turn(session, prompt, text):
        base = {"sessionId": session, "cwd": directory}
        hook(worker, "session-init", {**base, "prompt": prompt})
        event = {**base, "toolName": "Bash", "toolInput": {"command": text}, "toolResponse": text}
        hook(worker, "observation", event)
        hook(worker, "summarize", {**base, "lastAssistantMessage": text})

    # To a host a prompt without words is an image, say, and not private.
    private = [prompt for prompt in WHOLLY_PRIVATE if prompt]
    for number, prompt in enumerate(private):
        turn(f"spooled-{number}", f"spooled {number}", "kept")
        turn(f"spooled-{number}", prompt.format(canaries.new()), canaries.new())
        turn(f"spooled-{number}", f"spooled {number} again", "kept, too")
    for number, text in enumerate(PARTLY_PRIVATE):
        turn(f"spooled-partly-{number}", text.format(canaries.new()), text.format(canaries.new()))
    for kind in SECRETS:
        text, word = secret(kind)
        canaries.words.append((word, f"{kind} in the spool"))
        turn(f"spooled-{kind}", f"use {text}", f"run {text} now")
    waiting = list((worker.directory / "spool").glob("*.json"))
    check(len(waiting) > 30, f"{len(waiting)} events wait in the spool")
    found = files_with(directory, canaries.words)
    check(not found, f"in the spool: {found[:5]}")
    worker.start()
    end = time.monotonic() + 30
    while list((worker.directory / "spool").glob("*.json")) and time.monotonic() < end:
        time.sleep(0.02)
    worker.await_idle()
    spooled = worker.rows("SELECT count(*) FROM prompts WHERE prompt_text LIKE 'spooled%'")[0][0]
    check(spooled == 2 * len(private), f"{spooled} prompts came out of the spool")
    found = files_with(directory, canaries.words)
    check(not found, f"out of the spool: {found[:5]}")


class Model:
    """Keeps every byte that it is sent, and cannot answer."""

    def __init__(self):
        self.sent = b""
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                model.sent += self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(401)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *ignored):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


def shapes(program, directory):
    canaries = Canaries()

    def canary():
        return canaries.new("canary{0}")

    def check_nothing(when):
        found = files_with(directory, canaries.words)
        check(not found, f"{when}: {found[:5]}")

    model = Model()
    settings = {"CODEXMEM_LOG": "debug", "CODEXMEM_OPENAI_BASE_URL": model.url, "CODEXMEM_OPENAI_MODEL": "m"}
    with RunningWorker(program, f"{directory}/shapes", **settings) as worker:
        events = 0
        with Connection(worker) as connection:
            for number, (platform, event, body) in enumerate(tool_shapes.events(canary)):
                session = f"{platform}-{number}"
                ids = {"session_id": session, "conversation_id": session, "cwd": directory}
                hook(worker, "session-init", {**ids, "prompt": f"kept {number}"}, platform)
                hook(worker, event, {**ids, **body}, platform)
                if platform != "cursor":
                    posted = {**body, "contentSessionId": f"posted-{number}", "cwd": "/work/demo"}
                    posted.pop("tool_use_id")
                    post_event(connection, "observations", posted, "queued")
                events += 1
        worker.await_idle()
        check_nothing("shapes of tools")
        kept = worker.rows("SELECT count(*) FROM entries")[0][0]
        check(kept >= events, f"{kept} entries of {events} events")
        check(b"kept" in model.sent, "the model was sent nothing")
        sent = [what for word, what in canaries.words if word.encode() in model.sent]
        check(not sent, f"the model was sent {len(sent)} of {len(canaries.words)}")
        worker.kill()
        for number, (platform, event, body) in enumerate(tool_shapes.events(canary)):
            session = f"{platform}-away-{number}"
            hook(worker, event, {"session_id": session, "conversation_id": session, "cwd": directory, **body}, platform)
        waiting = list((worker.directory / "spool").glob("*.json"))
        check(len(waiting) >= events, f"{len(waiting)} events wait in the spool")
        check_nothing("shapes of tools in the spool")
        check(files_with(worker.directory / "spool", [("kept below", "public")]), "nothing public is in the spool")
    print(f"{len(canaries.words)} canaries in {events} shapes of tools, none found")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    directory = tempfile.mkdtemp(prefix="codexmem-privacy-")
    try:
        run(options.program, directory)
        shapes(options.program, directory)
    except Failure as failure:
        print(f"failed: {failure}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
