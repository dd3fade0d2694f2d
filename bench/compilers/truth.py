#!/usr/bin/env python3
"""Truth for a scorer from what a compiler says of a repository (go/, java/, c/ and rust/ print it).

    truth.py --rows ROWS.jsonl --repo NAME --language go|java|c|cpp|rust|csharp|php|elixir --out DIR [--commit C] [--symbols 150] [--seed 7]
             [--foreign FOLDER ...]

Writes NAME.jsonl.gz (sampled symbols, their references, and places that are neither right nor wrong),
NAME.defs.jsonl.gz (definitions) and NAME.deps.jsonl.gz (imports of each file). Nothing is sampled from foreign
folders, copies of other projects. Python 3.9, standard library.
"""
import argparse
import collections
import gzip
import json
import os
import random
import re

ACCEPT = {"function": ["function"], "class": ["class"], "interface": ["interface"], "type": ["type"],
          "enum": ["type", "enum", "class"], "enum_member": ["property", "enum_member", "variable"],
          "method": ["method", "function"], "constructor": ["method", "constructor", "class"],
          "property": ["property", "variable", "field"], "variable": ["variable", "constant"],
          "namespace": ["type", "namespace", "module"]}
MACRO = ["function", "variable", "constant", "macro"]
TYPEDEF = ["type", "class", "enum"]
UNDECIDED = ("doc", "keyword", "macro", "ambiguous", "undef", "dependent", "construct", "self")  # roles of uses that count neither way
AUXILIARY = re.compile(r"(^|/)(_?examples?|tests?|testing|testdata|testutils?|docs?|bench(marks?)?|scripts?)/|_test\.go$|Tests?\.java$")


def place(at):
    path, line, column = at.rsplit(":", 2)
    return [path, int(line), int(column)]


class Repository:
    """The rows of an oracle, by what is asked of them."""

    def __init__(self, rows):
        self.files, self.imports, self.definitions = {}, collections.defaultdict(list), {}
        self.uses, self.unknown = collections.defaultdict(list), collections.defaultdict(list)
        self.family, self.declarations = collections.defaultdict(set), collections.defaultdict(list)
        for row in map(json.loads, rows):
            kind = row["row"]
            if kind == "file":
                self.files[row["path"]] = row["taken"]
            elif kind == "import":
                self.imports[row["path"]].append(row)
            elif kind == "family":
                self.family[row["a"]].add(row["b"])
                self.family[row["b"]].add(row["a"])
            elif kind == "def":
                self.definitions[row["at"]] = row
            elif kind == "decl":
                self.declarations[row["of"]].append(row["at"])
            elif row.get("to"):
                self.uses[row["to"]].append(row)
            elif "ext" not in row:
                self.unknown[row["name"]].append(row)
        self.parts = collections.defaultdict(list)  # C#: by name and file, types that have a part there
        for at, places in self.declarations.items():
            if at in self.definitions:
                for other in places:
                    self.parts[self.definitions[at]["name"], place(other)[0]].append(at)
        seen = collections.Counter()
        self.names = collections.Counter(d["name"] for d in self.definitions.values() if d["scope"] != "local")
        self.namesakes = collections.defaultdict(list)
        for at, d in self.definitions.items():
            d["path"], d["line"], d["col"] = place(at)
            identifier = f"{d['path']}#{d['qname']}:{d['kind']}"
            seen[identifier] += 1
            d["id"] = identifier if seen[identifier] == 1 else f"{identifier}~{seen[identifier]}"
            d["count"] = sum(use.get("role") not in UNDECIDED for use in self.uses[at])
            if d["scope"] != "local":
                self.namesakes[d["name"], d["path"]].append(d)

    def sample(self, wanted, seed, foreign):
        """Definitions of all kinds, numbers of uses and sorts of names in turn; few unused ones, few in tests."""
        strata = collections.defaultdict(list)
        for at, d in sorted(self.definitions.items()):
            if d["scope"] == "local" or len(d["name"]) < 2 or d["name"] in ("init", "main") or d["count"] > 1500:
                continue
            if not self.files[d["path"]] or not d.get("asked", True) or d["path"].startswith(foreign):
                continue
            bucket = 0 if d["count"] == 0 else 1 if d["count"] <= 2 else 3 if d["count"] <= 9 else 10
            d["aux"] = bool(AUXILIARY.search(d["path"]))
            strata[d["kind"], bucket, self.names[d["name"]] > 1, d["aux"], bool(self.family[at])].append(d)
        draw = random.Random(seed)
        for key in sorted(strata):
            draw.shuffle(strata[key])
        picked, unused, auxiliary, limit = [], 0, 0, wanted * .2
        while len(picked) < wanted:
            before = len(picked)
            for key in sorted(strata):
                if len(picked) >= wanted or not strata[key]:
                    continue
                if key[1] == 0 and unused >= wanted * .08 or key[3] and auxiliary >= limit:
                    continue
                unused += key[1] == 0
                auxiliary += key[3]
                picked.append(strata[key].pop())
            if len(picked) == before:
                if limit > wanted * .2:
                    break
                limit = wanted * .45
        return picked

    def references(self, d):
        """Uses of a definition, and what counts neither way: [path, line, column, kind or reason]."""
        refs, open_ = {}, {}
        for use in self.uses[d["at"]]:
            if use.get("role") in UNDECIDED:
                open_[use["at"]] = use["role"]
            else:
                alias = "a" if use["name"] != d["name"] else ""
                refs[use["at"]] = ("i" if use.get("role") == "import" else "r") + alias
        for other in self.declarations[d["at"]]:
            open_.setdefault(other, "decl")
        for other in self.parts[d["name"], d["path"]]:
            if other != d["at"]:
                for use in self.uses[other]:
                    open_.setdefault(use["at"], "part")
        for other in self.family[d["at"]]:
            open_.setdefault(other, "family")
            for use in self.uses[other]:
                open_.setdefault(use["at"], "family")
        for use in self.unknown[d["name"]]:
            open_.setdefault(use["at"], "doc" if use.get("role") == "doc" else "unresolved")
        return ([place(at) + [kind] for at, kind in sorted(refs.items())],
                [place(at) + [why] for at, why in sorted(open_.items()) if at not in refs and at != d["at"]])

    def optional_definitions(self, names):
        """C, C++, Rust: other declarations, and what branches and files that no unit took may define."""
        for at, d in self.definitions.items():
            for other in self.declarations[at]:
                if d["scope"] != "local":
                    yield d["name"], other
        for name in names:
            for use in self.unknown[name]:
                yield name, use["at"]

    def classes(self, d):
        found = ["ambiguous" if self.names[d["name"]] > 1 else "unique"]
        if d["scope"] == "class" and d["kind"] in ("method", "property"):
            found.append("method")
        if self.family[d["at"]]:
            found.append("family")
        if sum(o["kind"] == d["kind"] for o in self.namesakes[d["name"], d["path"]]) > 1:
            found.append("same-file")
        return found


def accepted(d):
    return MACRO if d.get("detail") == "macro" else TYPEDEF if d.get("detail") == "typedef" else ACCEPT[d["kind"]]


def write(folder, name, rows):
    with gzip.GzipFile(os.path.join(folder, name), "wb", 9, mtime=0) as out:
        for row in rows:
            out.write((json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("rows", "repo", "language", "out"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--commit", default="")
    parser.add_argument("--symbols", type=int, default=150)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--foreign", nargs="*", default=[])
    options = parser.parse_args()
    with open(options.rows, encoding="utf-8") as rows:
        repository = Repository(rows)
    picked = repository.sample(options.symbols, options.seed, tuple(f.rstrip("/") + "/" for f in options.foreign))
    sampled = {d["id"] for d in picked}
    asked = {d["id"]: d for d in picked}
    for d in picked:
        for other in repository.namesakes[d["name"], d["path"]]:
            asked.setdefault(other["id"], other)
    symbols = []
    for d in asked.values():
        refs, dontcare = repository.references(d)
        symbols.append({"repo": options.repo, "symbol_id": d["id"], "lang": options.language, "name": d["name"],
                        "qname": d["qname"], "kind": d["kind"], "path": d["path"], "line": d["line"],
                        "col": d["col"], "decls": [[d["line"], d["col"]]], "sampled": d["id"] in sampled,
                        "aux": bool(AUXILIARY.search(d["path"])), "classes": repository.classes(d),
                        "refs": refs, "dontcare": dontcare})
    names = {d["name"] for d in picked}
    definitions = [{"symbol_id": d["id"], "name": d["name"], "qname": d["qname"], "kind": d["kind"],
                    "accept": accepted(d), "scope": d["scope"],
                    "required": d["scope"] != "local" and d.get("asked", True),
                    "path": d["path"], "line": d["line"], "col": d["col"], "start": d["start"],
                    "decls": [[d["line"], d["col"]]]}
                   for d in repository.definitions.values() if d["scope"] != "local" or d["name"] in names]
    if options.language in ("c", "cpp", "rust", "csharp", "elixir"):
        for name, at in sorted(set(repository.optional_definitions(names))):
            path, line, column = place(at)
            definitions.append({"symbol_id": f"{at}:{name}", "name": name, "qname": name, "kind": "declaration",
                                "accept": sorted({kind for kinds in ACCEPT.values() for kind in kinds}),
                                "scope": "declaration", "required": False, "path": path, "line": line,
                                "col": column, "start": line, "decls": [[line, column]]})
    edges = [{"repo": options.repo, "path": path, "lang": options.language, "taken": taken, "edges":
              [{"spec": i["spec"], "line": i["line"], "kind": i.get("kind", "import"), "target": i.get("target"),
                "external": i.get("external"), **({"note": i["note"]} if "note" in i else {})}
               for i in repository.imports[path]],
              "optional": sorted({f for i in repository.imports[path] for f in i.get("any", [])})}
             for path, taken in sorted(repository.files.items()) if taken or options.language not in ("csharp", "elixir", "kotlin", "rust")]
    os.makedirs(options.out, exist_ok=True)
    write(options.out, options.repo + ".jsonl.gz", symbols)
    write(options.out, options.repo + ".defs.jsonl.gz", definitions)
    write(options.out, options.repo + ".deps.jsonl.gz", edges)
    print(json.dumps({"repo": options.repo, "language": options.language, "commit": options.commit,
                      "files": len(repository.files), "not taken": sum(not t for t in repository.files.values()),
                      "definitions": sum(d["required"] for d in definitions), "sampled": len(picked),
                      "references": sum(len(s["refs"]) for s in symbols),
                      "uses": sum(map(len, repository.uses.values())),
                      "unknown": sum(map(len, repository.unknown.values()))}))


if __name__ == "__main__":
    main()
