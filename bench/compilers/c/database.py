#!/usr/bin/env python3
"""Prints one compilation database: those given, and commands for further files.

    database.py [DATABASE ...] [--root DIR --flags "-I. -DX" --files FILE ...] > compile_commands.json

Further files are examples and tests that the build leaves out; they are compiled in DIR with the flags.
"""
import argparse
import json
import os
import shlex
import sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("databases", nargs="*")
parser.add_argument("--root", default=".")
parser.add_argument("--flags", default="")
parser.add_argument("--files", nargs="*", default=[])
options = parser.parse_args()
commands = []
for name in options.databases:
    with open(name, encoding="utf-8") as text:
        commands += json.load(text)
root = os.path.realpath(options.root)
for name in options.files:
    full = os.path.join(root, name)
    commands.append({"directory": root, "file": full, "arguments": ["cc", *shlex.split(options.flags), "-c", full]})
json.dump(commands, sys.stdout, indent=0)
