#!/usr/bin/env python3
"""Sessions of a real coding tool, with our hooks in its configuration and a scripted model.

  tests/worker/client_session.py --client codex --programs build/dev/bin [--capture FOLDER]

The tool runs as a user runs it: it is given a prompt, reads, edits and runs what the model asks for,
and calls the hooks itself. Then the worker must have observations and a summary of it, give them
through its routes and through MCP, and give them to the next session as context. Sessions without a
worker wait in the spool, and of a private one nothing is kept. With --observer model the worker's own
model is model_server.py, which first misbehaves in four ways. --capture keeps what the hooks were
given, with the machine's paths taken out: testdata/hooks.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from model_server import ModelServer
from scripted_model import ScriptedModel

EVENTS = {"SessionStart": "context", "UserPromptSubmit": "session-init",
          "PostToolUse": "observation", "Stop": "summarize", "SessionEnd": "session-complete"}
CLAUDE_EVENTS = {**EVENTS, "PostToolUseFailure": "observation"}

TEST = ("import unittest\n\nfrom cart import total\n\n\nclass CartTest(unittest.TestCase):\n"
        "    def test_total(self):\n        self.assertEqual(total([1, 2]), 3)\n\n\n"
        "if __name__ == '__main__':\n    unittest.main()\n")
RUN_TESTS = "python3 -m unittest test_cart"
CANARY = "zebra-canary-77"


def find_one(folder, pattern):
    """The program of this machine's kind, which npm has chosen."""
    for path in sorted(folder.glob(pattern)):
        return path
    raise RuntimeError(f"there is no {folder}/{pattern}: scripts/test fetches it")


class Codex:
    def __init__(self, modules, base, model, hook_of):
        self.program = find_one(modules, "@openai/codex-linux-*/vendor/*/bin/codex")
        self.home = base / "home"
        self.home.mkdir()
        hooks = {event: [{"hooks": [{"type": "command", "command": hook_of(event)}]}]
                 for event in EVENTS}
        (self.home / "hooks.json").write_text(json.dumps({"hooks": hooks}))
        (self.home / "config.toml").write_text(
            'model = "gpt-5.5"\nmodel_provider = "scripted"\napproval_policy = "never"\n'
            'sandbox_mode = "danger-full-access"\ncheck_for_update_on_startup = false\n'
            '[analytics]\nenabled = false\n'
            f'[model_providers.scripted]\nname = "scripted"\nbase_url = "{model.url}/v1"\n'
            'wire_api = "responses"\n')

    def environment(self):
        return {"HOME": str(self.home), "CODEX_HOME": str(self.home)}

    def command(self, prompt):
        return [self.program, "exec", "--dangerously-bypass-hook-trust", prompt]

    def run_step(self, command):
        return {"tool": "exec_command", "input": {"cmd": command}}

    def edit_step(self, folder, old, new):
        return {"tool": "apply_patch",
                "input": f"*** Begin Patch\n*** Update File: cart.py\n@@\n def total(items):\n"
                         f"-{old}\n+{new}\n*** End Patch\n"}


class ClaudeCode:
    def __init__(self, modules, base, model, hook_of):
        self.program = find_one(modules, "@anthropic-ai/claude-code-linux-*/claude")
        self.home = base / "home"
        self.url = model.url
        (self.home / ".claude").mkdir(parents=True)
        hooks = {event: [{"hooks": [{"type": "command", "command": hook_of(event), "timeout": 10}]}]
                 for event in CLAUDE_EVENTS}
        (self.home / ".claude/settings.json").write_text(json.dumps({"hooks": hooks}))

    def environment(self):
        return {"HOME": str(self.home), "CLAUDE_CONFIG_DIR": str(self.home / ".claude"),
                "ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": "none",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}

    def command(self, prompt):
        return [self.program, "-p", prompt, "--allowedTools", "Read,Edit,Bash"]

    def run_step(self, command):
        return {"tool": "Bash", "input": {"command": command, "description": "run it"}}

    def edit_step(self, folder, old, new):
        return {"tool": "Edit", "input": {"file_path": str(folder / "cart.py"), "old_string": old,
                                          "new_string": new}}


class Worker:
    def __init__(self, programs, environment):
        self.child = subprocess.Popen([programs / "codexmem", "worker", "run", "--port", "0"],
                                      env=environment, stdout=subprocess.DEVNULL)
        address = pathlib.Path(environment["CODEXMEM_DATA_DIR"]) / "worker.json"
        until("the worker is there", address.exists)
        self.url = f"http://127.0.0.1:{json.loads(address.read_text())['port']}"
        until("the worker is ready", lambda: self.status("/api/readiness") == 200)

    def status(self, path):
        try:
            return urllib.request.urlopen(self.url + path, timeout=10).status
        except urllib.error.HTTPError as error:
            return error.code

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.load(answer)

    def items(self, kind):
        return self.get(f"/api/{kind}?project=shop&limit=100")["items"]

    def close(self):
        self.child.send_signal(signal.SIGTERM)
        self.child.wait(60)


def until(what, holds, seconds=30):
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise RuntimeError(f"not within {seconds} s: {what}")
        time.sleep(0.05)


def check(what, holds, shown=None):
    if not holds:
        raise RuntimeError(f"not so: {what}" + (f": {shown}" if shown is not None else ""))
    print(f"ok: {what}", flush=True)


def ask_mcp(programs, folder, environment, calls):
    """The texts that `codexmem serve` answers."""
    child = subprocess.Popen([programs / "codexmem", "serve", folder], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, text=True,
                             env=dict(environment, CODEXMEM_TOOLS="memory"))
    messages = [("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "test", "version": "1"}})]
    messages += [("tools/call", {"name": name, "arguments": given}) for name, given in calls]
    texts = []
    for number, (method, parameters) in enumerate(messages):
        child.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method,
                                      "params": parameters}) + "\n")
        child.stdin.flush()
        answer = json.loads(child.stdout.readline())
        texts.append(json.dumps(answer["result"]))
        if number == 0:
            child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    child.stdin.close()
    child.wait(60)
    return texts[1:]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--client", required=True, choices=["codex", "claude-code"])
    arguments.add_argument("--programs", required=True, type=pathlib.Path)
    arguments.add_argument("--modules", type=pathlib.Path,
                           default=pathlib.Path(__file__).resolve().parent / "node_modules")
    arguments.add_argument("--observer", choices=["rules", "model"], default="rules")
    arguments.add_argument("--capture", type=pathlib.Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="codexmem-session-") as folder:
        Session(given, pathlib.Path(folder).resolve()).run()


class Session:
    def __init__(self, given, base):
        self.given = given
        self.base = base
        self.programs = given.programs.resolve()
        self.shop = base / "shop"
        self.data = base / "data"
        self.inputs = base / "inputs"
        self.inputs.mkdir()
        self.shop.mkdir()
        subprocess.run(["git", "init", "--quiet", self.shop], check=True)
        (self.shop / "cart.py").write_text("def total(items):\n    return 0\n")
        (self.shop / "test_cart.py").write_text(TEST)
        self.model = ScriptedModel(self.steps)
        made = Codex if given.client == "codex" else ClaudeCode
        self.client = made(given.modules.resolve(), base, self.model, self.hook)
        self.environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8",
                            "CODEXMEM_DATA_DIR": str(self.data),
                            "CODEXMEM_PROVIDER": "rule-based", **self.client.environment()}

    def hook(self, event):
        program = f"{self.programs}/codexmem-hook {self.given.client} {CLAUDE_EVENTS[event]}"
        return f"tee {self.inputs}/$$-{event}.json | {program}"

    def steps(self, prompt):
        if CANARY in prompt:
            return [self.client.run_step(f"echo {CANARY}"), {"text": f"I have said {CANARY}."}]
        if "discount" in prompt:
            return [self.client.edit_step(self.shop, "    return sum(items)",
                                          "    return sum(items) * 0.9"),
                    {"text": "The discount of a tenth is in total() now."}]
        return [self.client.run_step(RUN_TESTS),
                self.client.edit_step(self.shop, "    return 0", "    return sum(items)"),
                self.client.run_step(RUN_TESTS),
                {"text": "total() adds up the items now, and its test passes."}]

    def turn(self, prompt):
        done = subprocess.run(self.client.command(prompt), cwd=self.shop, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=100)
        # Codex reports how each hook ended.
        failed = re.findall(r"^hook: \w+ (?!Completed).+$", done.stdout, re.MULTILINE)
        if done.returncode != 0 or failed:
            raise RuntimeError(f"{self.client.program}: {done.returncode}\n{done.stdout[-4000:]}")

    def run(self):
        if self.given.observer == "model":
            return self.with_a_model()
        worker = Worker(self.programs, self.environment)
        try:
            self.first_turn(worker)
            if self.given.capture:
                self.capture()
            self.next_session_knows(worker)
        finally:
            worker.close()
        self.without_worker()
        self.model.close()

    def first_turn(self, worker):
        self.turn("Make the total of the cart right and run its test")
        check("the tool did its work", "sum(items)" in (self.shop / "cart.py").read_text())
        until("the queue is empty", lambda: worker.get("/api/processing-status")["queueDepth"] == 0)
        until("there is a summary", lambda: len(worker.items("summaries")) == 1)
        prompts = worker.items("prompts")
        check("the prompt is kept once", [row["prompt_text"] for row in prompts] ==
              ["Make the total of the cart right and run its test"], prompts)
        observations = worker.items("observations")
        check("each event is observed", len(observations) == 3, observations)
        check("the edit is one of them", any("cart.py" in json.dumps(row["files_modified"])
                                             for row in observations), observations)
        check("a red test is a bug", any(row["type"] == "bugfix" for row in observations),
              observations)
        summary = worker.items("summaries")[0]
        check("the summary contains the request", "total of the cart" in summary["request"], summary)
        found = worker.get("/api/search?query=total+of+the+cart&project=shop&format=json")
        check("the worker's search finds them", found["observations"] and found["sessions"], found)
        texts = ask_mcp(self.programs, self.shop, self.environment, [
            ("search", {"query": "total of the cart", "format": "json"}),
            ("get_observations", {"ids": [observations[0]["id"]]})])
        check("MCP search finds them", "cart" in texts[0], texts[0])
        check("MCP gives them whole", observations[0]["title"] in json.loads(texts[1])[
            "content"][0]["text"], texts[1])

    def with_a_model(self):
        observer = ModelServer()
        observer.plan(["429:1", "500", "hang:4", "garbage"])
        self.environment.update(CODEXMEM_PROVIDER="openai", CODEXMEM_OPENAI_BASE_URL=observer.url,
                                CODEXMEM_OPENAI_MODEL="test", CODEXMEM_OPENAI_TIMEOUT="2")
        worker = Worker(self.programs, self.environment)
        try:
            self.turn("Make the total of the cart right and run its test")
            until("there is a summary", lambda: len(worker.items("summaries")) == 1, 60)
            until("the queue is empty",
                  lambda: worker.get("/api/processing-status")["queueDepth"] == 0)
            observations = worker.items("observations")
            check("the model has observed", observations, observations)
            failures = worker.get("/api/ops/failure-summary")
            text = json.dumps(failures)
            check("each failure is reported", all(name in text for name in (
                "rate_limit", "server_error", "timeout")), failures)
            metrics = worker.get("/api/ops/agent-metrics")
            check("the answer that was no JSON is counted, and no rule had to help",
                  '"parse_fail": 1' in json.dumps(metrics) and
                  '"fallback_used": 1' not in json.dumps(metrics), (metrics, observer.did()))
            check("no request was malformed", not observer.problems, observer.problems)
            found = worker.get("/api/search?query=" + urllib.parse.quote(
                observations[0]["title"]) + "&project=shop&format=json")
            check("the worker's search finds it", found["observations"], found)
        finally:
            worker.close()
            observer.stop()
            self.model.close()

    def next_session_knows(self, worker):
        before = len(self.model.requests)
        self.turn("Give a discount of a tenth")
        body = next(json.dumps(body) for path, body in self.model.requests[before:]
                    if body.get("tools"))
        check("the next session's model gets the context", "codexmem-context" in body and "cart.py" in body,
              body[-3000:])
        until("there is a second summary", lambda: len(worker.items("summaries")) == 2)
        check("the injected context is not taken for new",
              not any("codexmem-context" in json.dumps(row) for row in worker.items("prompts")))

    def without_worker(self):
        (self.shop / "cart.py").write_text("def total(items):\n    return 0\n")
        self.turn("Once more: make the total right")
        self.turn(f"<private>Say {CANARY}</private>")
        waiting = sorted((self.data / "spool").glob("*.json"))
        # Three events of tools, and of each session its prompt, its answer and its end; of the
        # private one its prompt, of which nothing is left, and its end.
        check("they wait in the spool", len(waiting) == 8, [path.read_text() for path in waiting])
        worker = Worker(self.programs, self.environment)
        try:
            until("the spool is empty", lambda: not list((self.data / "spool").glob("*.json")))
            until("there is a third summary", lambda: len(worker.items("summaries")) == 3)
            check("the prompt came over the spool", "Once more: make the total right" in
                  [row["prompt_text"] for row in worker.items("prompts")])
            self.turn(f"<PRIVATE reason='x'>Say {CANARY}")
            until("the queue is empty",
                  lambda: worker.get("/api/processing-status")["queueDepth"] == 0)
        finally:
            worker.close()
        kept = [path for path in self.data.rglob("*") if path.is_file() and
                CANARY.encode() in path.read_bytes()]
        check("of the private sessions nothing is kept", not kept, kept)

    def capture(self):
        folder = self.given.capture / self.given.client
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for number, path in enumerate(sorted(self.inputs.iterdir(),
                                             key=lambda path: path.stat().st_mtime_ns)):
            text = path.read_text().replace(str(self.base).replace("/", "-"), "-home-dev")
            text = text.replace(str(self.base), "/home/dev").strip()
            name = path.name.partition("-")[2]
            (folder / f"{number:02}-{name}").write_text(text + "\n")


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(f"{error}")
