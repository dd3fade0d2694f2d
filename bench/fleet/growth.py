#!/usr/bin/env python3
"""How a fleet on one Chroma server grows: bytes, memory, push and search times.

  bench/fleet/growth.py --program PROGRAM --node NODE --chroma CLI --data FOLDER [--every N] [--limit S] ROOT...

Starts a Chroma server (CLI is cli.mjs of npm's chromadb) on FOLDER, pushes the indexed repositories
ROOT one after the other, and after each N of them asks twenty questions five times, of all
repositories and of one. Prints a line a step; ends after S seconds.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

from eval_fleet import Server

QUESTIONS = [
    "retry a request with exponential backoff", "parse a cron expression", "rate limiter", "open a database connection",
    "validate an email address", "upload a file in parts", "read configuration from the environment",
    "escape html in a template", "compute a hash of a file", "cache with expiry", "send a web socket message",
    "serialize an object to json", "handle a signal and shut down", "match a route", "render a component",
    "walk a syntax tree", "migrate a schema", "sort by several keys", "compare two versions", "EventEmitter",
]


def rss_kib(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    return 0


def disk_kib(folder):
    return int(subprocess.check_output(["du", "-sk", folder]).split()[0])


def times_of(server, **more):
    times = []
    for _ in range(5):
        for question in QUESTIONS:
            begun = time.monotonic()
            server.search(question, fleet=True, **more)
            times.append(1000 * (time.monotonic() - begun))
    times.sort()
    return times[len(times) // 2], times[len(times) * 9 // 10]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--node", default="node")
    parser.add_argument("--chroma", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--port", type=int, default=9931)
    parser.add_argument("--every", type=int, default=10)
    parser.add_argument("--limit", type=float, default=1e9)
    parser.add_argument("roots", nargs="+")
    options = parser.parse_args()
    os.environ["CODEXMEM_FLEET_URL"] = f"http://127.0.0.1:{options.port}"
    chroma = subprocess.Popen([options.node, options.chroma, "run", "--path", options.data, "--port", str(options.port)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                urllib.request.urlopen(os.environ["CODEXMEM_FLEET_URL"] + "/api/v2/heartbeat", timeout=1).read()
                break
            except OSError:
                time.sleep(0.1)
        pieces = files = sent = 0
        seconds = 0.0
        began = time.monotonic()
        print("repositories files pieces MB-sent push-s s/1000 disk-MiB KiB/piece rss-MiB all-p50 all-p90 one-p50 one-p90")
        for number, root in enumerate(options.roots, 1):
            done = subprocess.run([options.program, "fleet", "push", root, "--no-refresh", "--json", "--name",
                                   pathlib.Path(root).name], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print("failed:", root, done.stderr.strip(), file=sys.stderr)
                continue
            answer = json.loads(done.stdout)
            server = answer["servers"][0]
            pieces += server["piecesSent"]
            files += server["filesSent"]
            sent += server["bytesSent"]
            seconds += answer["seconds"]
            is_over = time.monotonic() - began > options.limit
            if number % options.every and number != len(options.roots) and not is_over:
                continue
            searcher = Server(options.program, "")
            searcher.search("warm up", fleet=True)
            everything = times_of(searcher)
            one = times_of(searcher, repositories=[pathlib.Path(root).name])
            searcher.close()
            disk = disk_kib(options.data)
            print(f"{number} {files} {pieces} {sent / 1e6:.1f} {seconds:.0f} {1000 * seconds / pieces:.2f} {disk / 1024:.0f} "
                  f"{disk / pieces:.2f} {rss_kib(chroma.pid) / 1024:.0f} {everything[0]:.0f} {everything[1]:.0f} "
                  f"{one[0]:.0f} {one[1]:.0f}", flush=True)
            if is_over:
                break
        begun = time.monotonic()
        for root in options.roots[:number]:
            subprocess.run([options.program, "fleet", "push", root, "--no-refresh", "--json", "--name",
                            pathlib.Path(root).name], capture_output=True, check=False)
        print(f"pushed once more, with nothing changed: {(time.monotonic() - begun) / number:.2f} s a repository")
    finally:
        chroma.terminate()
        chroma.wait(30)


if __name__ == "__main__":
    sys.exit(main())
