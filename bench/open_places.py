#!/usr/bin/env python3
"""How many places the account of a symbol leaves open, and why: what somebody would still look at.

  bench/open_places.py --codexmem FILE [--count N] [--examples N] REPOSITORY...

Draws by lot N (250) symbols of the index of each repository whose definitions stand outside of tests and vendored code,
asks `get_references` for each over MCP, and counts the certain uses of the first pages, the possible ones by their
reason, and the symbols that have any. --examples prints some of the possible ones, which is how missing rules are found:
many possible uses beside few certain ones are a fault more often than not.
"""
import argparse
import collections
import os
import random
import sqlite3
import subprocess

from eval_refs import McpServer


def symbols_of(repository):
    rows = sqlite3.connect(f"{repository}/.codexmem/index.db").execute("SELECT name, container FROM symbol_rows")
    names = {f"{container}.{name}" if container else name for name, container in rows if len(name) > 2}
    names = sorted(name for name in names if len(name) <= 100)  # what a question may have
    random.Random(5).shuffle(names)
    return names


def count(options, repository):
    subprocess.run([options.codexmem, "index", "."], cwd=repository, check=True, capture_output=True)
    server = McpServer(options.codexmem, repository)
    asked = with_open = certain = 0
    reasons, examples = collections.Counter(), collections.defaultdict(list)
    for name in symbols_of(repository):
        answer = server.call("get_references", {"symbol": name})
        places = answer["results"] if answer else []
        homes = [place["file"]["path"] for place in places if place["type"] == "definition"]
        if not homes or any("test" in home.lower() or "vendor" in home for home in homes):
            continue
        possible = [place for place in places if place["confidence"] == "possible"]
        asked += 1
        with_open += bool(possible)
        certain += sum(place["confidence"] == "resolved" and place["type"] != "definition" for place in places)
        for place in possible:
            reasons[place["why"]] += 1
            examples[place["why"]].append(f"{name}  {place['file']['path']}:{place['line']}  {place['context'][:90]}")
        if asked == options.count:
            break
    server.process.kill()
    print(f"{os.path.basename(repository)}: {asked} symbols, {with_open} with open places; {certain} certain uses, "
          f"{sum(reasons.values())} possible: {dict(reasons)}")
    for reason, places in examples.items():
        for place in random.Random(1).sample(places, min(options.examples, len(places))):
            print(f"  {reason}: {place}")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--codexmem", required=True)
parser.add_argument("--count", type=int, default=250)
parser.add_argument("--examples", type=int, default=0)
parser.add_argument("repositories", nargs="+")
given = parser.parse_args()
for each in given.repositories:
    count(given, os.path.abspath(each))
