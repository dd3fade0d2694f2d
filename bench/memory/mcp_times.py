#!/usr/bin/env python3
"""Times of `search` over MCP on a store that memory_bench has filled, and the server's memory.

  mcp_times.py --codexmem PROGRAM --bench MEMORY_BENCH --store DIRECTORY [--queries N] [--words-only]
"""
import argparse, collections, json, os, subprocess, sys, time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from mcp_client import Server


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--codexmem", required=True)
    parser.add_argument("--bench", required=True)
    parser.add_argument("--store", required=True)
    parser.add_argument("--queries", default="40")
    parser.add_argument("--words-only", action="store_true")
    options = parser.parse_args()
    lines = subprocess.run([options.bench, "queries", options.store, options.queries], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    environment = {"CODEXMEM_EMBEDDING_PROVIDER": "none"} if options.words_only else {}
    server = Server(options.codexmem, options.store, environment)
    began = time.perf_counter()
    server.call("search", {"query": "the first question"})
    print(f"first search {(time.perf_counter() - began) * 1000:.0f} ms")
    times = collections.defaultdict(list)
    for line in lines:
        question = json.loads(line)
        began = time.perf_counter()
        answer = server.call("search", question["arguments"])
        times[question["kind"]].append((time.perf_counter() - began) * 1000)
        if answer.get("isError"):
            print(question, answer["content"][0]["text"])
    times["all"] = [ms for one in times.values() for ms in one]
    for kind, one in times.items():
        one.sort()
        print(f"{kind:20} p50 {one[len(one) // 2]:8.1f}  p90 {one[len(one) * 9 // 10]:8.1f}  "
              f"p99 {one[min(len(one) - 1, len(one) * 99 // 100)]:8.1f} ms")
    print(f"memory {server.memory_mb():.0f} MB, most {server.memory_mb('VmHWM'):.0f} MB")
    server.close()


if __name__ == "__main__":
    main()
