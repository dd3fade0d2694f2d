#!/usr/bin/env python3
"""Requests a second and their times over HTTP: `serve --http` against `serve --http --team`, in turn, in one run.

  bench/team_server/request_times.py --program build/release/bin/codexmem --repository PATH [--callers 4] [--rounds 5]

Each caller keeps a connection and asks by the stateless protocol. Both servers have the same repository open; each
round asks each of them, the order changing.
"""
import argparse
import hashlib
import http.client
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"}}
ASKS = {"find_symbol": [{"symbol": name} for name in ("Session", "open", "read_file", "JsonValue", "Workspace.open", "serve", "parse")],
        "search_code": [{"query": text} for text in ("where is a session opened", "read a file within a limit", "rate of requests",
                                                     "walk the syntax tree", "compare two secrets")]}


def start(program, environment, *words):
    child = subprocess.Popen([program, "serve", "--http", *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return child, int(child.stdout.readline().rsplit(":", 1)[1].split("/")[0])


def caller(port, path, headers, tool, count, times):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    for number in range(count):
        body = json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call",
                           "params": {"name": tool, "arguments": ASKS[tool][number % len(ASKS[tool])], "_meta": META}})
        begun = time.perf_counter()
        connection.request("POST", path, body, {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
                                                "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool, **headers})
        reply = connection.getresponse()
        text = reply.read().decode()  # one that took half a second is a stream of events
        answer = json.loads(text if text.startswith("{") else [line[6:] for line in text.splitlines() if line.startswith("data: ")][-1])
        times.append(time.perf_counter() - begun)
        assert reply.status == 200 and not answer["result"].get("isError"), answer
    connection.close()


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--program", required=True)
    options.add_argument("--repository", required=True, type=pathlib.Path)
    options.add_argument("--callers", type=int, default=4)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--requests", type=int, default=200, help="of each caller, a round")
    given = options.parse_args()
    given.program = str(pathlib.Path(given.program).resolve())
    with tempfile.TemporaryDirectory(prefix="codexmem-bench-") as place:
        environment = {**os.environ, "HOME": place, "CODEXMEM_DATA_DIR": place + "/data"}
        repository = str(given.repository.resolve())
        subprocess.run([given.program, "index"], cwd=repository, env=environment, check=True, stdout=subprocess.DEVNULL)
        tokens = [{"name": f"t{i}", "sha256": hashlib.sha256(f"t{i}".encode()).hexdigest(), "repositories": ["code"]} for i in range(200)]
        file = pathlib.Path(place, "team.json")
        file.write_text(json.dumps({"listen": "127.0.0.1:0", "repositories": {"code": repository}, "tokens": tokens,
                                    "limits": {"rate": {"perMinute": 1000000, "burst": 100000}},
                                    "audit": {"file": place + "/audit.jsonl"}}))
        file.chmod(0o600)
        servers = {"serve --http": (*start(given.program, environment, repository, "--port", "0"), "/mcp"),
                   "serve --http --team": (*start(given.program, environment, "--team", str(file)), "/mcp?repository=code")}
        times = {(name, tool): [] for name in servers for tool in ASKS}
        spent = dict.fromkeys(times, 0.0)
        try:
            for round_ in range(-1, given.rounds):  # the first one warms
                for tool in ASKS:
                    for name in sorted(servers, reverse=round_ % 2 == 1):
                        _, port, path = servers[name]
                        seen, threads = [], []
                        begun = time.perf_counter()
                        for number in range(given.callers):
                            headers = {"Authorization": f"Bearer t{number * 40}"} if "team" in name else {}
                            threads.append(threading.Thread(target=caller, args=(port, path, headers, tool, given.requests, seen)))
                            threads[-1].start()
                        for thread in threads:
                            thread.join()
                        assert len(seen) == given.callers * given.requests
                        if round_ >= 0:
                            times[name, tool] += seen
                            spent[name, tool] += time.perf_counter() - begun
        finally:
            for child, _, _ in servers.values():
                child.terminate()
                child.wait()
        print("| | requests | a second | median | p90 |\n|---|---|---|---|---|")
        for (name, tool), all_ in times.items():
            print(f"| {tool}, `{name}` | {len(all_):,} | {len(all_) / spent[name, tool]:,.0f} | {statistics.median(all_) * 1000:.1f} ms "
                  f"| {statistics.quantiles(all_, n=10)[8] * 1000:.1f} ms |")


if __name__ == "__main__":
    main()
