#!/usr/bin/env python3
"""A text saved in a folder is in the project whose context the folder's sessions get.

    tests/worker/projects_test.py --programs build/release/bin

Hooks, tools, shell and worker are asked in folders without git, in two repositories of one name, in a
clone, in the home directory: all name the same project, and nothing of another one is injected.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from running_worker import Connection, Failure, RunningWorker, check


class Machine:
    def __init__(self, programs, base, worker):
        self.codexmem, self.hook = programs / "codexmem", programs / "codexmem-hook"
        self.base, self.worker = base, worker
        self.home = base / "home"
        self.environment = {**worker.environment, "HOME": str(self.home)}

    def run(self, words, folder, given=""):
        done = subprocess.run([str(word) for word in words], cwd=folder, env=self.environment,
                              input=given, capture_output=True, text=True, timeout=60)
        check(done.returncode == 0, f"{words} in {folder}: {done.returncode}: {done.stderr}")
        return done.stdout

    def by_tool(self, folder, text):
        """The project that a server started in `folder` saves to."""
        messages = [
            {"id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"}}},
            {"id": 1, "method": "tools/call", "params": {
                "name": "save_memory", "arguments": {"text": text, "title": text}}}]
        output = self.run([self.codexmem, "serve"], folder,
                        "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in messages))
        answers = {one.get("id"): one for one in map(json.loads, output.splitlines())}
        return answers[1]["result"]["structuredContent"]["project"]

    def by_shell(self, folder, text):
        return json.loads(self.run([self.codexmem, "memory", "save", text, "--json"],
                                   folder))["project"]

    def by_hook(self, folder, session):
        """The project that a session in `folder` is kept in."""
        self.run([self.hook, "claude-code", "session-init"], folder, json.dumps({
            "session_id": session, "cwd": str(folder), "hook_event_name": "UserPromptSubmit",
            "prompt": f"What is {session}?"}))
        return self.wait_for(
            "SELECT p.name FROM prompts AS q JOIN sessions AS s ON s.id = q.session_id "
            "JOIN projects AS p ON p.id = q.project_id WHERE s.content_session_id = ?", session)

    def wait_for(self, sql, value):
        """What comes of an event, which a busy worker takes from the spool."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            rows = self.worker.rows(sql, value)
            if rows:
                return rows[0][0]
            time.sleep(0.05)
        raise Failure(f"nothing was made of {value}")

    def by_worker(self, folder, session):
        """The project that the worker gives to an event whose hook named none."""
        with Connection(self.worker) as connection:
            connection.post("/api/sessions/observations", {
                "contentSessionId": session, "tool_name": "Bash", "cwd": str(folder),
                "tool_input": {"command": f"echo {session}"}, "tool_response": "done"})
        return self.wait_for("SELECT project FROM observations WHERE title LIKE '%' || ? || '%'",
                             session)

    def context(self, folder):
        """The text injected into a session; retried, because a busy worker is not waited for."""
        end = time.monotonic() + 60
        while True:
            output = self.run([self.hook, "claude-code", "context"], folder, json.dumps({
                "session_id": "looks", "cwd": str(folder), "hook_event_name": "SessionStart",
                "source": "startup"}))
            if "additionalContext" in output or time.monotonic() > end:
                return output


def repository(folder, remote=None):
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    if remote:
        subprocess.run(["git", "-C", str(folder), "remote", "add", "origin", remote], check=True)
    return folder


def check_folder(machine, folder, project):
    """All ways name `project`, and what each saved there is put into a session there."""
    name = f"{folder.parent.name}-{folder.name}"
    ways = {"the tool": machine.by_tool(folder, f"tool {name}"),
            "the shell": machine.by_shell(folder, f"shell {name}"),
            "the hook": machine.by_hook(folder, f"hook-{name}"),
            "the worker": machine.by_worker(folder, f"event-{name}")}
    for way, named in ways.items():
        check(named == project, f"{folder}: {way} names {named}, not {project}")
    output = machine.context(folder)
    for text in (f"tool {name}", f"shell {name}"):
        check(text in output, f"{text} is not put into a session in {folder}: {output}")
    return output


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    programs = parser.parse_args().programs.resolve()
    with tempfile.TemporaryDirectory() as made:
        base = pathlib.Path(made).resolve()
        (base / "home").mkdir()
        with RunningWorker(programs / "codexmem", base / "data", HOME=str(base / "home")) as worker:
            machine = Machine(programs, base, worker)
            notes = base / "a/notes"
            notes.mkdir(parents=True)
            check_folder(machine, notes, "notes")
            check_folder(machine, repository(base / "a/shop", "https://example.com/a/shop.git"),
                         "shop")
            output = check_folder(machine, repository(base / "b/shop", "git@example.com:b/shop.git"),
                                "shop~2")
            check("a-shop" not in output, f"another repository's memory is put into shop~2: {output}")
            check_folder(machine, repository(base / "c/shop", "git@example.com:a/shop.git"), "shop")
            check_folder(machine, machine.home, "default")
            (base / "a").rename(base / "moved")
            output = check_folder(machine, base / "moved/notes", "notes")
            check("tool a-notes" in output, f"what was saved before the folder was moved: {output}")
            (base / "b/shop/shop.py").write_text("def sell():\n    return 1\n")
            machine.run([machine.codexmem, "index", "-q"], base / "b/shop")
            status = json.loads(machine.run([machine.codexmem, "status", "--json"],
                                            base / "b/shop"))
            check(status["project"] == "shop~2", status)
    print("projects: ok")


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"not so: {failure}")
