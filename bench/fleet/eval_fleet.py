#!/usr/bin/env python3
"""How well a fleet's search answers annotated queries, and how long it takes.

  bench/fleet/eval_fleet.py --program PROGRAM --set SET --checkouts FOLDER [--local] [NAME...]

SET is as bench/search/search_bench.cpp has it, and FOLDER/NAME the repositories' folders, each
pushed under its NAME. Every query is asked three times over MCP: of its own repository by a filter,
of the whole fleet (a hit counts only in its own repository), and with --local of the repository's
own index. CODEXMEM_FLEET_URL names the fleet. NDCG: gain 1 at the rank of the first hit that covers
a target, divided by that of min(10, targets) ones.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import time

RANKS = 10


class Server:
    """`codexmem serve` in a folder."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "serve", folder] if folder else [program, "serve"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True, cwd="/")
        self.next = 0
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                "clientInfo": {"name": "eval", "version": "1"}})
        self.process.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        self.process.stdin.flush()

    def ask(self, method, params):
        self.next += 1
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": self.next, "method": method,
                                             "params": params}) + "\n")
        self.process.stdin.flush()
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError("the server has ended")
            answer = json.loads(line)
            if answer.get("id") == self.next and "method" not in answer:
                return answer

    def search(self, query, **more):
        arguments = {"query": query, "limit": RANKS, "threshold": 0, "max_tokens": 25000} | more
        answer = self.ask("tools/call", {"name": "search_code", "arguments": arguments})
        result = answer["result"]
        body = result.get("structuredContent") or json.loads(result["content"][0]["text"])
        if isinstance(body, list):
            body = {"results": body}
        if "results" not in body:
            raise RuntimeError(str(body))
        return body

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)


def read_targets(text):
    targets = []
    for item in filter(None, (part.strip() for part in text.split(";"))):
        path, _, lines = item.rpartition(":")
        if path and lines.replace("-", "").isdigit():
            first, _, last = lines.partition("-")
            targets.append((path, int(first), int(last or first)))
        else:
            targets.append((item, 0, 0))
    return targets


def covers(hit, target):
    path, first, last = target
    found = hit["file"]["path"]
    same = found == path or found.endswith("/" + path) or path.endswith("/" + found)
    return same and (not first or hit["startLine"] <= last and first <= hit["endLine"])


def ndcg(hits, targets):
    ranks = set()
    for target in targets:
        found = [rank for rank, hit in enumerate(hits[:RANKS]) if hit and covers(hit, target)]
        ranks.update(found[:1])
    gain = sum(1 / math.log2(rank + 2) for rank in ranks)
    ideal = sum(1 / math.log2(i + 2) for i in range(min(RANKS, len(targets))))
    return gain / ideal if ideal else 0


def read_set(folder, names):
    for line in (folder / "repos.tsv").read_text().splitlines():
        name, _, _, _, _, below, *_ = line.split("\t")
        if names and name not in names:
            continue
        tasks = []
        for row in (folder / "annotations" / f"{name}.tsv").read_text().splitlines():
            columns = row.split("\t")
            if len(columns) < 3 or columns[0] == "category":
                continue
            targets = read_targets(columns[2]) + (read_targets(columns[3]) if len(columns) > 3 else [])
            if targets:
                tasks.append((columns[0], columns[1], targets))
        yield name, below, tasks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--set", required=True, type=pathlib.Path)
    parser.add_argument("--checkouts", required=True, type=pathlib.Path)
    parser.add_argument("--local", action="store_true")
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    fleet = Server(options.program, "")
    fleet.search("warm up", fleet=True)
    scores = {"own": [], "whole": [], "local": []}
    times = {"own": [], "whole": [], "local": []}
    degraded = 0
    print(f"{'repository':12} {'queries':>7} {'own':>6} {'whole':>6} {'local':>6}")
    for name, below, tasks in read_set(options.set, options.names):
        local = Server(options.program, str(options.checkouts / name / below)) if options.local else None
        means = {"own": [], "whole": [], "local": []}
        for _, query, targets in tasks:
            for kind, ask in (("own", lambda: fleet.search(query, fleet=True, repositories=[name])),
                              ("whole", lambda: fleet.search(query, fleet=True)),
                              ("local", lambda: local.search(query) if local else {"results": []})):
                begun = time.monotonic()
                answer = ask()
                times[kind].append(time.monotonic() - begun)
                degraded += kind != "local" and bool(answer.get("degraded"))
                hits = [hit if hit.get("repository", name) == name else None
                        for hit in answer["results"]]
                means[kind].append(ndcg(hits, targets))
                if options.misses and kind == "own" and means[kind][-1] < 0.5:
                    print("   ", round(means[kind][-1], 2), query, "->", targets[0][0], "| got",
                          [hit["file"]["path"] for hit in answer["results"][:3]])
        if local:
            local.close()
        for kind in scores:
            scores[kind] += means[kind]
        print(f"{name:12} {len(tasks):7} " + " ".join(
            f"{sum(means[kind]) / max(len(means[kind]), 1):6.3f}" for kind in scores), flush=True)
    fleet.close()
    print(f"{'all':12} {len(scores['own']):7} " + " ".join(
        f"{sum(scores[kind]) / max(len(scores[kind]), 1):6.3f}" for kind in scores))
    for kind, all_times in times.items():
        all_times.sort()
        if all_times:
            print(f"{kind}: p50 {1000 * all_times[len(all_times) // 2]:.0f} ms, "
                  f"p90 {1000 * all_times[len(all_times) * 9 // 10]:.0f} ms, "
                  f"longest {1000 * all_times[-1]:.0f} ms")
    print(f"answers that were not complete: {degraded}")


if __name__ == "__main__":
    sys.exit(main())
