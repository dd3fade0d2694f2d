"""Every command of the program as command lines that a test can run: the program lists the commands.

A command without a row in WORDS gets the words that its usage asks for, alone and with --json. It needs a row
only when these do not run it, or when other options matter.
"""
import json
import re
import subprocess

# What stands for the words of a usage line; another word makes a row necessary.
PLACEHOLDERS = {"NAME": "{symbol}", "SYMBOL": "{symbol}", "OLD": "{symbol}", "NEW": "renamed", "FILE": "{file}", "PLACE": "{file}", "QUERY": "{query}", "ID": "1"}

# Words after the command; each list is a line. {file}, {symbol} and {query} are the test's.
WORDS = {
    "index": [[], ["--explain"], ["--staged"], ["--force", "--json"]],
    "pack": [["--key"], ["--json"], ["-o", "{symbol}.pack"]],
    "export": [["--scip", "{symbol}.scip"], ["--ctags", "-"], ["--ctags", "-", "--format", "json"], ["--dot", "-", "--of", "calls"], ["--graphml", "-"]],
    "search": [["{query}"], ["{query}", "--explain"], ["{query}", "--json"], ["/{query}/"]],
    "symbol": [["{symbol}"], ["{symbol}", "--json"], ["{symbol}", "--at", "HEAD"], ["{symbol}", "--relation", "extends"]],
    "refs": [["{symbol}"], ["{symbol}", "--explain", "--hierarchy"], ["{symbol}", "--json"]],
    "deps": [["{file}"], ["{file}", "--json", "--external"]],
    "overview": [[], ["--depth", "3"], ["--json"]],
    "routes": [[], ["--path", "/{symbol}"], ["--json"]],
    "trace": [["--to", "{symbol}"], ["--from", "{symbol}", "--json"], ["--from", "{symbol}", "--to", "{symbol}"]],
    "impact": [[], ["--staged"], ["--since", "HEAD"], ["{symbol}"], ["--json"]],
    "unused": [[], ["{file}", "--certainty", "certain"], ["--json"]],
    "rename": [["{symbol}", "renamed"], ["{symbol}", "renamed", "--strings", "--json"], ["{symbol}", "{query}", "--apply"]],
    "change": [["{symbol}", "--add-parameter", "more", "--value", "0"], ["{symbol}", "--remove", "1", "--json"]],
    "check": [[], ["--staged"], ["--since", "HEAD"], ["--json"], ["{file}"]],
    "share": [[], ["--json"], ["1"], ["--on"], ["{symbol}"], ["--off"]],
    "fleet push": [[], ["--json"]],
    "fleet search": [["{query}"], ["{query}", "--json"]],
    "fleet status": [[], ["--json"]],
    "fleet remove": [["{symbol}"]],
    "workspace": [[], ["--json"], ["--index"], ["{file}"]],
    "worktrees": [[], ["--json"]],
    "status": [[], ["--json"], ["--why", "{file}"], ["--why", "nothing of it"]],
    "serve": [[], ["--team", "{file}"], ["--team-token", "{symbol}"]],
    "lsp": [[], ["--stdio"], ["{symbol}"]],
    "hook": [["claude-code", "session-init"], ["claude-code", "observation"], ["claude-code", "{symbol}"], ["{symbol}", "context"]],
    "init": [["--dry-run", "--client", "all"], ["--dry-run", "--json"], ["--client", "all", "--edit-guard"], ["--no-edit-guard"]],
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
              ["schema"], ["stats"], ["check"], ["dump"], ["copy", "{file}"], ["man"], ["{symbol}"]],
}


def usual_lines(help_text):
    """The command lines of a command by its --help: with the words that it requires, and with --json."""
    usage = re.search(r"^Usage: codexmem (.*)", help_text, re.MULTILINE)[1].split("[OPTIONS]")[1].split()
    words = [PLACEHOLDERS[word.rstrip(".")] for word in usage if not word.startswith("[")]
    return [words, [*words, "--json"]] if "--json" in help_text else [words]


def list_commands(run):
    """Every command as words, in the order of --help; `run` returns what the program prints."""
    def after(*words):
        shown = run("completion", "words", *words, "").splitlines()[1:]
        return [line.split("\t")[0] for line in shown if not line.startswith("-")]

    names = []
    for word in after():
        is_group = f"codexmem {word} COMMAND" in run(word, "--help")
        names += [f"{word} {each}" for each in after(word)] if is_group else [word]
    return names


class Commands:
    def __init__(self, program, environment, file="src/a.ts", symbol="helper", query="helper"):
        self.input = json.dumps({"session_id": symbol, "cwd": "/nowhere", "prompt": query, "tool_name": symbol}) + "\n"
        self.lines = []
        def run(*words):
            return subprocess.run([program, *words], env=environment, capture_output=True, check=True, text=True, errors="replace").stdout
        for name in list_commands(run):
            for words in WORDS.get(name) or usual_lines(run(*name.split(), "--help")):
                self.lines.append([*name.split(), *(word.format(file=file, symbol=symbol, query=query) for word in words)])
        # Worker and servers, and what they leave, come last; so does taking things out.
        self.lines.sort(key=lambda line: (line[0] in ("worker", "open", "uninit"), line[0] == "memory" and line[1] != "save"))
