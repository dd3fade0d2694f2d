#!/usr/bin/env python3
"""The edit guard, from `codexmem init --edit-guard` to what the model and the person read.

  tests/worker/edit_guard_test.py --programs build/dev/bin [--modules tests/worker/node_modules]

`init` writes the hooks; the commands that it wrote are run with what the hosts write to them. With
--modules, Claude Code runs them itself, and a scripted model makes the edit. The guard does not make a
host wait, so on a busy machine it may say nothing: what must be said is asked for again.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

from client_session import Worker, check, find_one
from scripted_model import ScriptedModel

FILES = {"cart.py": "def total(items):\n    return sum(items)\n",
         "bill.py": "from cart import total\n\n\ndef bill():\n    return total([1])\n",
         "tests/test_cart.py": "from cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"}
OLD, NEW = "def total(items):", "def total(items, tax):"
WARNING = ("codexmem: this edit breaks other code. total: 2 calls do not fit (it needs 2 arguments, and "
           "1 is given): bill.py:5, tests/test_cart.py:5.")
UNSEEN = "codexmem: changed and not looked at: users of total in bill.py; tests tests/test_cart.py"


class Machine:
    def __init__(self, programs, base):
        self.programs = programs.resolve()
        self.shop, self.home = base / "shop", base / "home"
        (self.home / ".claude").mkdir(parents=True)
        (self.home / ".cursor").mkdir()
        for path, text in FILES.items():
            (self.shop / path).parent.mkdir(parents=True, exist_ok=True)
            (self.shop / path).write_text(text)
        subprocess.run(["git", "init", "--quiet", self.shop], check=True)
        self.environment = {"PATH": f"{self.programs}:{os.environ['PATH']}", "LANG": "C.UTF-8",
                            "HOME": str(self.home), "CODEXMEM_DATA_DIR": str(base / "data"),
                            "CODEXMEM_PROVIDER": "rule-based"}

    def codexmem(self, *words):
        done = subprocess.run([self.programs / "codexmem", *words], cwd=self.shop, text=True,
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        check(f"codexmem {shlex.join(words)}", done.returncode == 0, done.stderr)
        return done.stdout

    def hook(self, host, event, **written):
        """The answer of the commands that init wrote for an event of a host."""
        file = self.home / {"claude": ".claude/settings.json", "cursor": ".cursor/hooks.json"}[host]
        groups = json.loads(file.read_text())["hooks"][event]
        commands = [each for group in groups for each in group.get("hooks", [group])]
        answers = [subprocess.run(["sh", "-c", each["command"]], env=self.environment, text=True,
                                  input=json.dumps(dict(written, hook_event_name=event)),
                                  stdout=subprocess.PIPE, check=True).stdout for each in commands]
        check(f"{event} has one command", len(answers) == 1, answers)
        return json.loads(answers[0])

    def claude(self, event, session, **written):
        return self.hook("claude", event, session_id=session, cwd=str(self.shop),
                         transcript_path="", permission_mode="default", **written)


NEUTRAL = {"continue": True, "suppressOutput": True}


def until_said(ask):
    """The answer of `ask`, which is given the name of a new session."""
    for number in range(40):
        answer = ask(f"session-{time.monotonic_ns()}")
        if answer != NEUTRAL and answer != {"continue": True}:
            break
        time.sleep(0.3)
    return answer


def check_hooks(machine):
    file = str(machine.shop / "cart.py")
    edit = {"tool_name": "Edit", "tool_use_id": "toolu_1",
            "tool_input": {"file_path": file, "old_string": OLD, "new_string": NEW,
                           "replace_all": False}}
    sessions = []

    def claude(**planned):
        def ask(session):
            sessions.append(session)
            return machine.claude("PreToolUse", session, **planned)
        return until_said(ask)

    answer = claude(**edit)
    check("the model reads what the edit breaks", answer == {"hookSpecificOutput": {
        "hookEventName": "PreToolUse", "additionalContext": WARNING}}, answer)
    session = sessions[-1]
    check("it reads it once", machine.claude("PreToolUse", session, **edit) == NEUTRAL)
    answer = claude(tool_name="MultiEdit", tool_input={
        "file_path": file, "edits": [{"old_string": OLD, "new_string": NEW},
                                     {"old_string": "return sum", "new_string": "return tax + sum"}]})
    check("several edits are one", answer["hookSpecificOutput"]["additionalContext"] == WARNING, answer)
    answer = claude(tool_name="Write", tool_input={
        "file_path": file, "content": FILES["cart.py"].replace("total", "amount")})
    check("a whole file is compared", "total is gone (now amount?), 4 uses left" in
          answer["hookSpecificOutput"]["additionalContext"], answer)
    harmless = dict(edit, tool_input={"file_path": file, "old_string": "sum(items)",
                                      "new_string": "sum(items) + 0"})
    check("a harmless edit passes in silence", machine.claude("PreToolUse", "four", **harmless) == NEUTRAL)
    answer = until_said(lambda name: machine.hook(
        "cursor", "preToolUse", conversation_id=name, generation_id="g", workspace_roots=[str(machine.shop)],
        tool_name="Write", tool_input={"file_path": "cart.py", "old_string": OLD, "new_string": NEW}))
    check("Cursor gets it as well", answer == {"continue": True, "additional_context": WARNING,
                                               "agent_message": WARNING}, answer)
    stop = {"stop_hook_active": False, "last_assistant_message": "Done."}
    check("what was not edited is not asked for", machine.claude("Stop", session, **stop) == NEUTRAL)
    machine.claude("PostToolUse", session, tool_response={"filePath": file}, **edit)
    answer = until_said(lambda _: machine.claude("Stop", session, **stop))
    check("the person reads what was not looked at",
          answer == {"continue": True, "systemMessage": UNSEEN}, answer)
    check("once", machine.claude("Stop", session, **stop) == NEUTRAL)


def check_claude_code(machine, program):
    """Claude Code itself: the text is in the request that follows the edit."""
    file = str(machine.shop / "cart.py")
    model = ScriptedModel(lambda prompt: [
        {"tool": "Read", "input": {"file_path": file}},
        {"tool": "Edit", "input": {"file_path": file, "old_string": OLD, "new_string": NEW}},
        {"text": "Done."}])
    try:
        for _ in range(5):
            (machine.shop / "cart.py").write_text(FILES["cart.py"])
            done = subprocess.run(
                [program, "-p", "Add a tax", "--allowedTools", "Read,Edit"], cwd=machine.shop,
                env=dict(machine.environment, ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none",
                         CLAUDE_CONFIG_DIR=str(machine.home / ".claude"), DISABLE_AUTOUPDATER="1",
                         CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1"),
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                timeout=100)
            check("Claude Code made the edit", NEW in (machine.shop / "cart.py").read_text(), done.stdout)
            bodies = [json.dumps(body) for _, body in model.requests]
            if any(WARNING in body for body in bodies):
                break
        check("its model reads the warning", any(WARNING in body for body in bodies), bodies[-1][-3000:])
    finally:
        model.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--programs", required=True, type=pathlib.Path)
    arguments.add_argument("--modules", type=pathlib.Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="codexmem-guard-") as folder:
        machine = Machine(given.programs, pathlib.Path(folder).resolve())
        machine.codexmem("index")
        machine.codexmem("init", "-c", "claude-code", "-c", "cursor", "--edit-guard", "--no-git-hook")
        worker = Worker(machine.programs, machine.environment)
        try:
            check_hooks(machine)
            if given.modules:
                check_claude_code(machine, find_one(given.modules.resolve(), "@anthropic-ai/claude-code-linux-*/claude"))
        finally:
            worker.close()
        machine.codexmem("init", "-c", "claude-code", "-c", "cursor", "--no-edit-guard", "--no-git-hook")
        for path in (".claude/settings.json", ".cursor/hooks.json"):
            text = (machine.home / path).read_text()
            check(f"{path} has the other hooks alone", "before-edit" not in text and "summarize" in text)


if __name__ == "__main__":
    try:
        main()
    except RuntimeError as error:
        sys.exit(f"{error}")
