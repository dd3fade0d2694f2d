"""Every command of the program as command lines that a test can run: which there are, the program says itself.

A command that has no row in WORDS fails the test that asks: add one.
"""
import json
import subprocess

# Words after the command; each list is a line. {file}, {symbol} and {query} are the test's.
WORDS = {
    "index": [[], ["--explain"], ["--staged"], ["--force", "--json"]],
    "pack": [["--key"], ["--json"], ["-o", "{symbol}.pack"]],
    "search": [["{query}"], ["{query}", "--explain"], ["{query}", "--json"], ["/{query}/"]],
    "symbol": [["{symbol}"], ["{symbol}", "--json"], ["{symbol}", "--at", "HEAD"], ["{symbol}", "--relation", "extends"]],
    "refs": [["{symbol}"], ["{symbol}", "--explain", "--hierarchy"], ["{symbol}", "--json"]],
    "deps": [["{file}"], ["{file}", "--json", "--external"]],
    "context": [["{file}"], ["{file}", "--json"]],
    "overview": [[], ["--depth", "3"], ["--json"]],
    "trace": [["--to", "{symbol}"], ["--from", "{symbol}", "--json"], ["--from", "{symbol}", "--to", "{symbol}"]],
    "history": [["{symbol}"], ["{symbol}", "--json"]],
    "impact": [[], ["--staged"], ["--since", "HEAD"], ["{symbol}"], ["--json"]],
    "unused": [[], ["{file}", "--certainty", "certain"], ["--json"]],
    "rename": [["{symbol}", "renamed"], ["{symbol}", "renamed", "--strings", "--json"], ["{symbol}", "{query}", "--apply"]],
    "check": [[], ["--staged"], ["--since", "HEAD"], ["--json"], ["{file}"]],
    "share": [[], ["--json"], ["1"], ["--on"], ["{symbol}"], ["--off"]],
    "fleet push": [[], ["--json"]],
    "fleet search": [["{query}"], ["{query}", "--json"]],
    "fleet status": [[], ["--json"]],
    "fleet remove": [["{symbol}"]],
    "workspace": [[], ["--json"], ["--index"], ["{file}"]],
    "status": [[], ["--json"], ["--why", "{file}"], ["--why", "nothing of it"]],
    "serve": [[], ["--team", "{file}"], ["--team-token", "{symbol}"]],
    "hook": [["claude-code", "session-init"], ["claude-code", "observation"], ["claude-code", "{symbol}"], ["{symbol}", "context"]],
    "init": [["--dry-run", "--client", "all"], ["--dry-run", "--json"], ["--client", "all"]],
    "uninit": [["--dry-run"], []],
    "doctor": [[], ["--json"]],
    "open": [["--print"], ["{file}", "--print"]],
    "completion": [["bash"], ["{symbol}"], ["words", "context", ""], ["words", "symbol", ""], ["words", "refs", "h"]],
    "languages": [[], ["--json"]],
    "version": [[], ["--json"]],
    "help": [[], ["index"], ["{symbol}"]],
    "memory save": [["{query}", "--title", "{symbol}"], ["{query} again", "--json", "--title", "{symbol}"]],
    "memory search": [["{query}"], ["{query}", "--json"]],
    "memory list": [[], ["--json"]],
    "memory timeline": [["1"], ["1", "--json"]],
    "memory get": [["1", "2", "99"], ["1", "--json"]],
    "memory ingest": [["."], [".", "--json"]],
    "memory retention": [["--max-age", "0"], ["--json"]],
    "memory forget": [["99"], ["--project", "{symbol}"]],
    "memory export": [[]],
    "memory import": [["{file}"]],
    "memory check": [["{query}"], ["{query}", "--json"]],
    "decision record": [["{query}", "--target", "{symbol}", "--rationale", "{query}"]],
    "decision supersede": [["{symbol}", "{query}", "--rationale", "{query}"]],
    "decision search": [["{query}"], ["{query}", "--json"]],
    "decision accept": [["{symbol}"]],
    "decision list": [[], ["--json"]],
    "decision show": [["{symbol}"]],
    "decision propose": [["{query}", "--target", "{symbol}", "--rationale", "{query}"]],
    "decision deprecate": [["{symbol}"]],
    "decision reject": [["{symbol}"]],
    "decision log": [[], ["--json"]],
    "worker run": [["--port", "{symbol}"]],
    "worker start": [["--port", "0"]],
    "worker stop": [[]],
    "worker status": [[], ["--json"]],
    "config list": [[], ["--origin"], ["--json"]],
    "config get": [["workerPort"], ["{symbol}"]],
    "config set": [["workerPort", "{symbol}"]],
    "config unset": [["{symbol}"]],
    "config path": [[]],
    "config schema": [[]],
    "debug": [["parse", "{file}"], ["symbol", "{symbol}"], ["edges", "{file}"], ["facts", "{file}"], ["match", "/{query}/"],
              ["schema"], ["stats"], ["check"], ["dump"], ["man"], ["{symbol}"]],
}


class Commands:
    def __init__(self, program, environment, file="src/a.ts", symbol="helper", query="helper"):
        self.input = json.dumps({"session_id": symbol, "cwd": "/nowhere", "prompt": query, "tool_name": symbol}) + "\n"
        self.lines = []
        for name in self._names(program, environment, []):
            for words in WORDS[name]:  # a KeyError: a new command, which needs a row above
                self.lines.append([*name.split(), *(word.format(file=file, symbol=symbol, query=query) for word in words)])
        # Worker and servers, and what they leave, come last; so does taking things out.
        self.lines.sort(key=lambda line: (line[0] in ("worker", "open", "uninit"), line[0] == "memory" and line[1] != "save"))

    def _names(self, program, environment, group):
        answer = subprocess.run([program, "completion", "words", *group, ""], env=environment, capture_output=True, check=True,
                                text=True, errors="replace").stdout.splitlines()
        names = []
        for line in answer[1:]:
            name = " ".join([*group, line.split("\t")[0]])
            is_group = any(row.startswith(name + " ") for row in WORDS)
            names += self._names(program, environment, name.split()) if is_group else [name]
        return names
