#!/usr/bin/env python3
"""Puts the questions of a reference benchmark to `codexmem serve` and writes its answers.

    eval_refs.py --codexmem BIN --repos DIR --what refs|defs|deps --queries Q.jsonl --out A.jsonl

Questions are one JSON object a line, each with "repo", a folder below DIR:
    refs  symbol_id, symbol, file_path         -> {"repo","symbol_id","refs":[{"path","line","col"}]}
    defs  query_id, symbol, type (or null)     -> {"repo","query_id","results":[{"path","line","kind"}]}
    deps  path                                 -> {"repo","path","deps":[...],"external":[...]}
One server for each repository, one question at a time, over MCP. The repository is indexed first.
At the end the time of an answer is told: median and 90th percentile. Python 3.9, standard library.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import time


class McpServer:
    """A `codexmem serve` process and the conversation with it."""

    def __init__(self, binary, root):
        self.process = subprocess.Popen([binary, "serve", root], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, encoding="utf-8")
        self.last_id = 0
        client = {"name": "eval_refs", "version": "1"}
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.last_id and ("result" in message or "error" in message):
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
        raise RuntimeError(f"the server ended before it answered {method}")

    def call(self, tool, arguments):
        """The structured answer of a tool; None when it failed, which is told."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        if result.get("isError"):
            print(f"{tool} {arguments}: {result['content'][0]['text']}", file=sys.stderr)
            return None
        return result["structuredContent"]

    def call_all(self, tool, arguments):
        """The `results` of a tool, all pages of them."""
        found, offset = [], 0
        while offset is not None:
            answer = self.call(tool, {**arguments, "offset": offset})
            if answer is None:
                break
            found += answer["results"]
            offset = answer.get("nextOffset")
        return found

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def ask_refs(server, query, options):
    arguments = {"symbol": query["symbol"], "file_path": query["file_path"]}
    if options.by_line:
        arguments["line"] = query["line"]
    if options.min_confidence:
        arguments["min_confidence"] = options.min_confidence
    items = server.call_all("get_references", arguments)
    refs = [{"path": item["file"]["path"], "line": item["line"], "col": item["column"],
             "confidence": item.get("confidence")} for item in items if item["type"] != "definition"]
    return {"repo": query["repo"], "symbol_id": query["symbol_id"], "refs": refs}


def ask_defs(server, query, _options):
    arguments = {"symbol": query["symbol"]}
    if query.get("type"):
        arguments["type"] = query["type"]
    items = server.call_all("find_symbol", arguments)
    results = [{"path": item["file"]["path"],
                "line": item["symbol"].get("nameLine", item["symbol"]["startLine"]),
                "kind": item["symbol"]["type"]} for item in items if item["score"] >= 1.0]
    return {"repo": query["repo"], "query_id": query["query_id"], "results": results}


def ask_deps(server, query, _options):
    edges, offset = [], 0
    while offset is not None:
        answer = server.call("analyze_dependencies", {"file_path": query["path"], "depth": 1,
                                                      "include_external": True, "offset": offset}) or {}
        edges += answer.get("dependencies", [])
        offset = answer.get("nextOffset")
    internal = [edge["file"]["path"] for edge in edges if not edge["isExternal"] and edge.get("file")]
    external = [edge.get("package") or edge["importPath"] for edge in edges if edge["isExternal"]]
    if query.get("lang") in ("go", "java", "rust"):  # module@version
        external = [package.split("@")[0] for package in external]
    if query.get("lang") == "rust":  # as code calls a package
        external = [package.replace("-", "_") for package in external]
    return {"repo": query["repo"], "path": query["path"], "deps": internal, "external": external}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codexmem", required=True, help="the program to ask")
    parser.add_argument("--repos", required=True, help="the folder that holds the repositories")
    parser.add_argument("--what", required=True, choices=["refs", "defs", "deps"])
    parser.add_argument("--queries", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--by-line", action="store_true",
                        help="ask for the definition at its line, not for all of the name in the file")
    parser.add_argument("--min-confidence", choices=["name", "possible", "likely", "resolved"], default="likely")
    options = parser.parse_args()
    ask = {"refs": ask_refs, "defs": ask_defs, "deps": ask_deps}[options.what]

    by_repo = collections.defaultdict(list)
    with open(options.queries, encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                query = json.loads(line)
                by_repo[query["repo"]].append(query)
    times = []
    with open(options.out, "w", encoding="utf-8") as out:
        for repo, queries in sorted(by_repo.items()):
            root = os.path.join(options.repos, repo)
            if not os.path.isdir(root):
                print(f"{repo}: there is no {root}, left out", file=sys.stderr)
                continue
            subprocess.run([options.codexmem, "index", root, "--quiet"], check=True)
            server = McpServer(options.codexmem, root)
            for query in queries:
                begin = time.perf_counter()
                answer = ask(server, query, options)
                times.append((time.perf_counter() - begin) * 1000)
                out.write(json.dumps(answer, ensure_ascii=False) + "\n")
            server.close()
            print(f"{repo}: {len(queries)} questions", file=sys.stderr)
    times.sort()
    if times:
        print(f"{len(times)} answers, median {times[len(times) // 2]:.1f} ms, "
              f"p90 {times[len(times) * 9 // 10]:.1f} ms, worst {times[-1]:.1f} ms", file=sys.stderr)


if __name__ == "__main__":
    main()
