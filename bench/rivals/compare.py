#!/usr/bin/env python3
"""codexmem beside CodeGraph (npm: @colbymchenry/codegraph) on one repository: a full index and one question.

Usage: compare.py REPOSITORY CODEXMEM CODEGRAPH [ROUNDS]

REPOSITORY is a checkout that both may write their folders into (they are removed before each index). The
question is "who uses NAME", for 30 functions that are used most, over MCP: get_references, and codegraph_explore,
the one tool that CodeGraph lists. Prints medians of ROUNDS (3), the two programs taking turns.
"""
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

ROUNDS = 3
QUESTIONS = 30
FOLDERS = {"codexmem": ".codexmem", "CodeGraph": ".codegraph"}


def children_seconds():
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def index(name, command, repository):
    shutil.rmtree(f"{repository}/{FOLDERS[name]}", ignore_errors=True)
    processor, start = children_seconds(), time.monotonic()
    process = subprocess.Popen(command, cwd=repository, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    _, status, use = os.wait4(process.pid, 0)
    assert status == 0, (name, status)
    size = sum(os.path.getsize(os.path.join(at, file)) for at, _, files in os.walk(f"{repository}/{FOLDERS[name]}")
               for file in files)
    return {"wall s": time.monotonic() - start, "processor s": children_seconds() - processor,
            "memory MB": use.ru_maxrss / 1024, "index MB": size / 1e6}


class Server:
    def __init__(self, command, repository):
        self.process = subprocess.Popen(command, cwd=repository, text=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.last = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "compare", "version": "1"}})
        self.send({"method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while line := self.process.stdout.readline():
            reply = json.loads(line)
            if reply.get("id") == self.last and "method" not in reply:
                return reply["result"]
        raise RuntimeError("the server ended")

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def ask_all(command, repository, tool, argument, texts):
    server = Server(command, repository)
    server.ask("tools/call", {"name": tool, "arguments": {argument: texts[0]}})  # the first opens the index
    times, sizes = [], []
    for text in texts:
        start = time.monotonic()
        result = server.ask("tools/call", {"name": tool, "arguments": {argument: text}})
        times.append((time.monotonic() - start) * 1000)
        sizes.append(len(result["content"][0]["text"].encode()))
    server.end()
    return {"answer ms": statistics.median(times), "90th ms": sorted(times)[int(len(times) * 0.9)],
            "answer bytes": statistics.median(sizes)}


def used_most(repository):
    rows = subprocess.run(["sqlite3", f"{repository}/.codexmem/index.db",
                           "SELECT name FROM symbols WHERE type = 'function' AND length(name) > 4 GROUP BY name "
                           "HAVING count(*) = 1 ORDER BY name"], capture_output=True, text=True, check=True)
    names = rows.stdout.split()
    text = subprocess.run(["git", "grep", "-ohwE", r"[A-Za-z_]+\("], cwd=repository, capture_output=True, text=True,
                          check=False).stdout
    counts = {}
    for call in text.split():
        counts[call[:-1]] = counts.get(call[:-1], 0) + 1
    return sorted(names, key=lambda name: -counts.get(name, 0))[:QUESTIONS]


def main():
    repository, codexmem, codegraph = map(os.path.abspath, sys.argv[1:4])
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else ROUNDS
    os.environ.update(DO_NOT_TRACK="1", CODEGRAPH_TELEMETRY="0")
    figures = {name: [] for name in FOLDERS}
    for _ in range(rounds):
        figures["codexmem"].append(index("codexmem", [codexmem, "index"], repository))
        figures["CodeGraph"].append(index("CodeGraph", [codegraph, "init", "."], repository))
        names = used_most(repository)
        figures["codexmem"][-1] |= ask_all([codexmem, "serve"], repository, "get_references", "symbol", names)
        figures["CodeGraph"][-1] |= ask_all([codegraph, "serve", "--mcp"], repository, "codegraph_explore", "query",
                                            [f"who uses {name}" for name in names])
    for figure in figures["codexmem"][0]:
        ours, theirs = (statistics.median(each[figure] for each in figures[name]) for name in FOLDERS)
        print(f"{figure:14} codexmem {ours:10.2f}  CodeGraph {theirs:10.2f}  {theirs / ours:6.1f} times")


if __name__ == "__main__":
    main()
