#!/usr/bin/env python3
"""Compares the definitions of an index with those of universal-ctags, file by file.

    definitions.py --codexmem BIN LANGUAGE=FOLDER ... [--examples N] [--indexed]

Each folder is a checkout; it is indexed first, without vectors, unless --indexed says that it is. A definition is a
file, a name and a line; ctags may have it two lines apart. What either has alone is listed by kind with examples, to
be read: ctags guesses by patterns in many languages, and what it takes for a definition need not be one.
Python 3.9, standard library, `ctags`.
"""
import argparse
import collections
import json
import os
import re
import sqlite3
import subprocess

NAMES = {"shell": "Sh", "html": "HTML", "css": "CSS", "php": "PHP", "r": "R", "sql": "SQL", "ocaml": "OCaml"}  # what ctags calls them
# The kinds that are definitions, where not all are: no packages, aliases of imports, documents.
KINDS = {"shell": "f", "kotlin": "icomTCvaf", "php": "cdfitv", "haskell": "tcf", "ocaml": "ctfrC", "r": "f", "sql": "fptTvsPE", "protobuf": "mfeogsr",
         "html": "I", "css": "c", "perl": "cfps", "yaml": "a", "ruby": "cfmSCAa"}
WHOLE = {"shell", "r", "haskell"}  # names may have dots and colons
NONE = {"describe", "context"}  # what RSpec describes
LOCAL = {"constant", "variable"}  # in a function these are locals
CLAUSES = {"elixir", "haskell", "css"}  # a function's clauses, or the rules about a class, are one definition
FUNCTIONS = {"function", "method"}
LINES_APART = 2


def of_index(folder, language):
    """(path, name, line) -> kind, of every symbol."""
    store = sqlite3.connect(f"file:{folder}/.codexmem/index.db?mode=ro", uri=True)
    rows = store.execute("SELECT f.path, s.name, s.name_line, s.kind FROM symbols AS s JOIN files AS f ON f.id = s.file_id"
                         " WHERE f.language = ?", (language,))
    found = {(path, name, line): kind for path, name, line, kind in rows}
    paths = [path for (path,) in store.execute("SELECT path FROM files WHERE language = ?", (language,))]
    return found, paths


def of_ctags(folder, language, paths):
    called = NAMES.get(language, language.capitalize())
    command = ["ctags", "--quiet=yes", "--output-format=json", "-f", "-", "-L", "-", "--fields=NFnKs",
               f"--language-force={called}"]
    if language in KINDS:
        command.append(f"--kinds-{called}={KINDS[language]}")
    lines = subprocess.run(command, input="\n".join(paths), capture_output=True, text=True, check=True, cwd=folder,
                           errors="replace").stdout.splitlines()
    found = {}
    for line in lines:
        tag = json.loads(line)
        is_local = tag.get("kind") in LOCAL and tag.get("scopeKind") in FUNCTIONS
        if tag.get("name") and tag.get("kind") not in NONE and not is_local and not re.match("<|__anon|Anonymous|anonFunc", tag["name"]):
            name = re.sub(r"^([\"'`])(.*)\1$", r"\2", tag["name"])
            if language == "css":  # the class of ".nav .item:hover" is the last one
                name = re.split(r"[\s>+~]", re.sub(r"[:\[].*", "", name).strip())[-1]
            if language not in WHOLE:
                name = re.split(r"[.:\\](?=\w)", name)[-1]
            found[tag["path"], name, tag["line"]] = tag["kind"]
    return found


def compare(ours, theirs):
    """What only `ours` and only `theirs` has, as (kind, key), and how many both have."""
    left = collections.defaultdict(set)
    for path, name, line in theirs:
        left[path, name].add(line)
    alone = []
    for (path, name, line), kind in sorted(ours.items()):
        near = [other for other in left[path, name] if abs(other - line) <= LINES_APART]
        if near:
            left[path, name].remove(min(near, key=lambda other: abs(other - line)))
        else:
            alone.append((kind, (path, name, line)))
    missing = [(theirs[path, name, line], (path, name, line)) for (path, name), lines in sorted(left.items()) for line in lines]
    return alone, missing, len(ours) - len(alone)


def show(title, entries, examples):
    kinds = collections.defaultdict(list)
    for kind, key in entries:
        kinds[kind].append(key)
    for kind, keys in sorted(kinds.items(), key=lambda item: -len(item[1])):
        some = keys[::max(1, len(keys) // examples)][:examples] if examples else []
        print(f"  {title} {kind}: {len(keys)}", *(f"{path}:{line} {name}" for path, name, line in some), sep="\n      ")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--codexmem", default="codexmem")
    parser.add_argument("--examples", type=int, default=5)
    parser.add_argument("--indexed", action="store_true", help="the folders are indexed already")
    parser.add_argument("folders", nargs="+", metavar="LANGUAGE=FOLDER")
    args = parser.parse_args()
    for item in args.folders:
        language, folder = item.split("=", 1)
        if not args.indexed:
            subprocess.run([args.codexmem, "index", "--skip-embeddings", "--quiet", folder], check=True)
        ours, paths = of_index(folder, language)
        theirs = of_ctags(folder, language, paths)
        alone, missing, both = compare(ours, theirs)
        if language in CLAUSES:
            known = {(path, name) for path, name, _ in ours}
            missing = [entry for entry in missing if entry[1][:2] not in known]
        print(f"{language} {os.path.basename(os.path.abspath(folder))}: {len(paths)} files, both {both}, "
              f"ours alone {len(alone)}, theirs alone {len(missing)} ({both / max(1, both + len(missing)):.3f} of theirs)")
        show("ours", alone, args.examples)
        show("theirs", missing, args.examples)


if __name__ == "__main__":
    main()
