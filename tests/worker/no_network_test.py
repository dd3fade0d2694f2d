#!/usr/bin/env python3
"""Nothing leaves the machine because of a key that other programs are meant for.

    tests/worker/no_network_test.py --programs build/release/bin [--hooks 360]

Runs every command, and an hour's hooks with the worker, in an environment with keys of many vendors and
a proxy that listens on this machine, under strace: whatever is connected or sent to is an address of
this machine, no name is looked up, and the proxy is never asked. Then one setting chooses a model, and
the proxy must be asked, so that a test that sees nothing does not pass. Where strace may not trace,
that is said, and the proxy alone decides.
"""

import argparse
import ipaddress
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from commands import list_commands, usual_lines  # noqa: E402
from running_worker import Failure, RunningWorker, check  # noqa: E402

KEYS = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "MISTRAL_API_KEY",
        "OPENROUTER_API_KEY", "COHERE_API_KEY", "VOYAGE_API_KEY", "AZURE_OPENAI_API_KEY"]
PROXIES = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
STRACE = ["strace", "-D", "-f", "-qq", "--seccomp-bpf", "-s", "0", "-e", "trace=network"]



def message(method, **params):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def framed(*messages):
    return "".join(f"Content-Length: {len(text)}\r\n\r\n{text}" for text in map(json.dumps, messages))


# How commands are run, in this order; those without a row are run before "check", as usual_lines() says. What begins with "{" or a header is standard input.
COMMANDS = {
    "index": [["-q"], ["-q", "--force"]],
    "pack": [["-q"]],
    "export": [["--scip", "shop.scip"], ["--ctags", "shop.tags"], ["--dot", "shop.dot", "--of", "calls"]],
    "symbol": [["total"], ["total", "--at", "HEAD"]],
    "trace": [["--to", "total"]],
    "impact": [[], ["total"]],
    "change": [["total", "--add-parameter", "more", "--value", "0"]],
    "check": [[]],
    "memory save": [["Prices are in cents", "--title", "Prices"]],
    "share": [[], ["1"], ["--on"]],
    "fleet push": [[]],
    "fleet search": [["timeout"]],
    "fleet status": [[]],
    "fleet remove": [["demo"]],
    "memory search": [["in which unit are prices"]],
    "memory list": [[]],
    "memory timeline": [["1"]],
    "memory get": [["1"]],
    "memory ingest": [[]],
    "memory retention": [["--max-age", "90"]],
    "memory export": [[]],
    "memory import": [["-", json.dumps({"codexmem_memory": 1}) + "\n"]],
    "memory check": [["the password is in the vault"]],
    "memory forget": [["1", "--yes"]],
    "decision record": [["Use SQLite", "--target", "database", "--rationale", "One file"]],
    "decision supersede": [["Use files", "--target", "database", "--rationale", "Fewer"]],
    "decision search": [["database"]],
    "decision accept": [["1"]],
    "decision list": [[]],
    "decision show": [["1"]],
    "decision propose": [[]],
    "decision deprecate": [["1"]],
    "decision reject": [["1"]],
    "decision log": [[]],
    "status": [[], ["--json"], ["--why", "shop.py"]],
    "workspace": [[], ["--index"]],
    "worktrees": [[]],
    "serve": [[json.dumps(message("initialize", protocolVersion="2025-06-18", capabilities={},
                                  clientInfo={"name": "t", "version": "1"}))
               + "\n" + json.dumps(message("tools/call", name="search_code", arguments={"query": "total"}))
               + "\n" + json.dumps(message("tools/call", name="search", arguments={"query": "prices"})) + "\n"]],
    "lsp": [[framed(message("initialize", capabilities={}), message("workspace/symbol", query="total"))]],
    "worker start": [["--port", "0"]],
    "open": [["--print"]],
    "worker status": [[], ["--json"]],
    "hook": [["claude-code", "context", "{}"]],
    "init": [["--dry-run"], []],
    "uninit": [[]],
    "config list": [["--origin"]],
    "config get": [["provider"]],
    "config set": [["log", "warn"]],
    "config unset": [["log"]],
    "config path": [[]],
    "config schema": [[]],
    "doctor": [[], ["--json"]],
    "debug": [["parse", "shop.py"], ["symbol", "total"], ["edges", "shop.py"], ["facts", "shop.py"],
              ["match", "total"], ["dump"], ["check"], ["schema"], ["stats"]],
    "completion": [["bash"]],
    "languages": [[]],
    "version": [[]],
    "help": [[], ["worker"]],
    "worker stop": [[]],
    "worker run": [],  # run_hooks() does
}


class Proxy:
    """Counts who comes, says no, and keeps the first line of what they ask."""

    def __init__(self):
        self.asked = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(5)
                try:
                    self.asked.append(connection.recv(4096).split(b"\r\n")[0].decode(errors="replace"))
                    connection.sendall(b"HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")
                except OSError:
                    self.asked.append("")

    def close(self):
        self.listener.close()


class Case:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.proxy = Proxy()
        self.traces = self.folder / "traces"
        self.traces.mkdir()
        (self.folder / "home").mkdir()
        self.root = self.folder / "shop"
        self.root.mkdir()
        (self.root / "shop.py").write_text("def total(prices):\n    return sum(prices)\n\n\nprint(total([1, 2]))\n")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "TERM": "dumb",
            "CODEXMEM_DATA_DIR": str(self.folder / "data"), "CODEXMEM_WORKER_PORT": "0",
            "GIT_CONFIG_GLOBAL": "/dev/null", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
            **{name: f"decoy-of-{name.lower()}" for name in KEYS},
            **{name: f"http://127.0.0.1:{self.proxy.port}" for name in PROXIES},
        }
        for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
            subprocess.run(["git", *words], cwd=self.root, env=self.environment, check=True)
        self.is_traced = self._may_trace()

    def _may_trace(self):
        try:
            done = subprocess.run(["strace", "-qq", "-o", "/dev/null", "true"], capture_output=True, check=False)
        except FileNotFoundError:
            return False
        return done.returncode == 0

    def traced(self, name, command):
        """`command` as it is run to be traced."""
        return [*STRACE, "-o", str(self.traces / name), *map(str, command)] if self.is_traced else list(map(str, command))

    def run(self, name, *words, program="codexmem", text=""):
        command = self.traced(name, [self.options.programs / program, *words])
        # Into files: whoever traces a worker that was started would hold pipes open.
        with open(self.folder / "out", "w+") as out, open(self.folder / "err", "w+") as err:
            done = subprocess.run(command, cwd=self.root, env=self.environment, input=text, text=True,
                                  stdout=out, stderr=err, timeout=60, check=False)
            for file in (out, err):
                file.seek(0)
            done.stdout, done.stderr = out.read(), err.read()
        return done

    def places(self):
        """Every address that a traced process connected or sent to, and in which trace."""
        pattern = re.compile(r"sin6?_port=htons\((\d+)\).*?(?:inet_addr\(\"|AF_INET6, \")([^\"]+)\"")
        for trace in sorted(self.traces.iterdir()):
            for line in trace.read_text(errors="replace").splitlines():
                if re.search(r"\b(connect|sendto|sendmsg|sendmmsg)\(", line):
                    for port, address in pattern.findall(line):
                        yield trace.name, ipaddress.ip_address(address), int(port)

    def check_silence(self):
        check(not self.proxy.asked, f"the proxy was asked: {self.proxy.asked[:3]}")
        places = list(self.places())
        outside = [place for place in places if not place[1].is_loopback]
        check(not outside, f"addresses of other machines: {outside[:5]}")
        names = [place for place in places if place[2] in (53, 853, self.proxy.port)]
        check(not names, f"names were looked up, or the proxy: {names[:5]}")
        check(places or not self.is_traced, "the trace shows no connection, not even those to the worker")
        return len(places)


def run_commands(case):
    def printed(*words):
        return case.run("of-" + "-".join(words), *words).stdout

    names = list_commands(printed)
    check(len(names) > 10, f"the completions offer {names}")
    gone = [each for each in COMMANDS if each not in names]
    check(not gone, f"there are no such commands: {gone}")
    values = {"file": "shop.py", "symbol": "total", "query": "where is the total computed"}
    usual = {name: [[word.format(**values) for word in words] for words in usual_lines(printed(*name.split(), "--help"))]
             for name in names if name not in COMMANDS}
    first = list(COMMANDS).index("check")
    commands = [*list(COMMANDS.items())[:first], *usual.items(), *list(COMMANDS.items())[first:]]
    count = 0
    for number, (command, lines) in enumerate(commands):
        for words in lines:
            text = words[-1] if words and words[-1].startswith(("{", "Content-Length")) else ""
            done = case.run(f"{number:02}-{count}-{command.replace(' ', '-')}", *command.split(),
                            *(words[:-1] if text else words), text=text)
            # Decisions without a secret are refused, and there is no fleet.
            codes = (0, 1, 2) if command.startswith(("decision", "fleet")) else (0, 1)
            check(done.returncode in codes, f"{command} {words}: {done.returncode} {done.stderr}")
            check("Usage:" not in done.stderr, f"{command} {words}: {done.stderr}")
            count += 1
    return count


def events(count):
    """The hook events of Claude Code within an hour."""
    session = {"session_id": "s-1", "transcript_path": "/nowhere.jsonl", "permission_mode": "default"}
    for number in range(count):
        if number % 30 == 0:
            yield "session-init", {**session, "prompt": f"Change part {number} of the shop"}
        yield "observation", {
            **session, "tool_name": "Edit", "tool_use_id": f"t-{number}",
            "tool_input": {"file_path": "shop.py", "old_string": f"a{number}", "new_string": f"b{number}"},
            "tool_response": {"filePath": "shop.py", "structuredPatch": [{"lines": [f"-a{number}", f"+b{number}"]}]}}
        if number % 30 == 29:
            yield "summarize", {**session, "last_assistant_message": f"Part {number} is done."}
    yield "session-complete", session


def run_hooks(case):
    folder = case.folder / "events"
    folder.mkdir()
    lines = []
    for number, (event, body) in enumerate(events(case.options.hooks)):
        (folder / f"{number}").write_text(json.dumps({**body, "cwd": str(case.root)}))
        lines.append(f"{case.options.programs}/codexmem-hook claude-code {event} < {folder}/{number} || exit 1")
    script = case.folder / "hooks.sh"
    script.write_text("\n".join(lines))
    settings = {**case.environment, "CODEXMEM_DATA_DIR": str(case.folder / "worker")}
    with TracedWorker(case, settings) as worker:
        done = subprocess.run(case.traced("hooks", ["sh", script]), env=settings, cwd=case.root,
                              capture_output=True, text=True, timeout=200, check=False)
        check(done.returncode == 0 and not done.stderr, f"a hook failed: {done.stderr[:300]}")
        worker.await_idle()
        kept = worker.rows("SELECT count(*) FROM entries")[0][0]
        check(kept > case.options.hooks / 2, f"only {kept} entries came of it")
        worker.stop()
    return len(lines)


class TracedWorker(RunningWorker):
    def __init__(self, case, settings):
        super().__init__(case.options.programs / "codexmem", settings["CODEXMEM_DATA_DIR"])
        self.environment = settings
        self.case = case
        pathlib.Path(settings["CODEXMEM_DATA_DIR"]).mkdir(exist_ok=True)

    def command(self):
        return self.case.traced("worker", super().command())


def a_choice_is_seen(case):
    """The same with a model chosen: now the proxy is asked, and for OpenAI's host alone."""
    settings = {**case.environment, "CODEXMEM_DATA_DIR": str(case.folder / "chosen"),
                "CODEXMEM_PROVIDER": "openai"}
    with TracedWorker(case, settings):
        for event, body in list(events(1))[:2]:
            subprocess.run([case.options.programs / "codexmem-hook", "claude-code", event],
                           input=json.dumps({**body, "cwd": str(case.root)}), text=True, env=settings,
                           capture_output=True, timeout=20, check=True)
        end = time.monotonic() + 30
        while not case.proxy.asked and time.monotonic() < end:
            time.sleep(0.02)
    check(case.proxy.asked, "a model was chosen and the proxy was not asked: this test sees nothing")
    check(all(line.startswith("CONNECT api.openai.com:443") for line in case.proxy.asked), case.proxy.asked)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--programs", required=True, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--hooks", type=int, default=360)
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="codexmem-network-")
    try:
        case = Case(options, folder)
        if not case.is_traced:
            print("strace may not trace here (or is missing): only the proxy is looked at")
        commands = run_commands(case)
        hooks = run_hooks(case)
        seen = case.check_silence()
        print(f"{commands} command lines, {hooks} hooks, {seen} connections, all on this machine")
        a_choice_is_seen(case)
    except Failure as failure:
        print(f"failed: {failure}", file=sys.stderr)
        return 1
    finally:
        subprocess.run([options.programs / "codexmem", "worker", "stop"], capture_output=True, check=False,
                       env={"PATH": os.environ["PATH"], "HOME": folder, "CODEXMEM_DATA_DIR": f"{folder}/data"})
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
