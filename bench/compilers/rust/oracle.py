#!/usr/bin/env python3
"""What rust-analyzer knows of every identifier of a repository, as bench/accuracy.md says.

    oracle.py DIR [--scip INDEX] > rows.jsonl

All packages below DIR that no other one's workspace has are loaded with their tests. The rate of expressions
whose type rust-analyzer does not know is told on stderr: without the library's sources (`rustup component add
rust-src`) it is high and the rows are worthless. Bodies of macros and what `cfg` leaves out are unknown.
Python 3.9, standard library.
"""
import argparse
import bisect
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

TOKENS = re.compile(r"""
    (?P<comment>//[^\n]*|/\*) | (?P<raw>(?:br|cr|r)(?P<hashes>\#*)"(?:.|\n)*?"(?P=hashes))
  | (?P<string>[bc]?"(?:\\(?:.|\n)|[^"\\])*") | (?P<char>b?'(?:\\(?:[^u]|u\{[^}]*\})[^']{0,3}|[^'\\])')
  | (?P<lifetime>'[A-Za-z_]\w*) | (?P<name>(?:r\#)?[^\W\d]\w*) | (?P<number>\d[\w]*(?:\.\d\w*)?)
  | (?P<sign>::|=>|->|[^\s\w])""", re.X)
KEYWORDS = set("""as async await break const continue crate dyn else enum extern false fn for if impl in let loop match
    mod move mut pub ref return self Self static struct super trait true type unsafe use where while union""".split())
SYMBOL = re.compile(r"rust-analyzer cargo (\S+) (\S+) (.*)", re.S)
DESCRIPTOR = re.compile(r"\[(?:`(?:[^`]|``)*`|[^\]]*)\]|(`(?:[^`]|``)*`|[\w$+-]*)(\(\)\.|\(\+\d+\)\.|[/#.:!])")
# Numbers of SymbolInformation.Kind
KINDS = {17: "function", 26: "method", 80: "method", 70: "method", 68: "method", 66: "method", 49: "class", 59: "class", 11: "enum", 12: "enum_member",
         15: "property", 53: "interface", 55: "type", 4: "type", 8: "variable", 82: "variable", 81: "variable",
         25: "function", 29: "type", 54: "type"}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of a protobuf message."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            size, at = varint(data, at) if key & 7 == 2 else (8 if key & 7 == 1 else 4, at)
            value = data[at:at + size]
            at += size
        yield key >> 3, value


def numbers(data):
    found, at = [], 0
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found if len(found) != 3 else [found[0], found[1], found[0], found[2]]


class Text:
    """The names and signs of a file: (start, end, kind, text), offsets in characters."""

    def __init__(self, name):
        with open(name, encoding="utf-8", errors="replace", newline="") as file:
            self.text = file.read()
        self.lines = [0] + [m.end() for m in re.finditer("\n", self.text)]
        self.tokens, self.index, at = [], {}, 0
        while match := TOKENS.search(self.text, at):
            at = match.end()
            kind = match.lastgroup
            if kind == "hashes":
                kind = "raw"
            if kind == "comment" and match[0] == "/*":
                depth = 1
                while depth:
                    mark = re.compile(r"/\*|\*/").search(self.text, at)
                    if not mark:
                        at = len(self.text)
                        break
                    at = mark.end()
                    depth += 1 if mark[0] == "/*" else -1
            if kind in ("name", "sign"):
                self.index[match.start()] = len(self.tokens)
                self.tokens.append((match.start(), match.end(), kind, match[0]))

    def offset(self, line, column):
        """Of a place that counts in bytes of UTF-8."""
        if line >= len(self.lines):
            return -1
        start = self.lines[line]
        end = self.lines[line + 1] if line + 1 < len(self.lines) else len(self.text)
        text = self.text[start:end]
        return start + (column if text.isascii() else len(text.encode()[:column].decode(errors="replace")))

    def place(self, offset):
        line = bisect.bisect_right(self.lines, offset)
        before = self.text[self.lines[line - 1]:offset]
        return line, len(before.encode("utf-16-le")) // 2 + 1

    def at(self, index):
        return self.tokens[index][3] if 0 <= index < len(self.tokens) else ""

    def is_call(self, index):
        if self.at(index + 1) == "::" and self.at(index + 2) == "<":
            depth, index = 0, index + 2
            while index < len(self.tokens):
                depth += {"<": 1, ">": -1}.get(self.at(index), 0)
                if depth == 0:
                    break
                index += 1
        return self.at(index + 1) == "("


def descriptors(symbol):
    """[(name, suffix)] of a symbol; of impl blocks ("impl", [types as written])."""
    match = SYMBOL.match(symbol)
    if not match:
        return "", []
    found = []
    for part in DESCRIPTOR.finditer(match[3]):
        if part[0].startswith("["):
            found[-1][1].append(part[0][1:-1].strip("`"))
        else:
            name = part[1].strip("`")
            found.append((name, [] if name == "impl" and part[2] == "#" else part[2]))
    return match[1], found


def simple(text):
    """The name of a type that is written with its path and arguments."""
    text = re.sub(r"<.*", "", re.sub(r"^(?:&|\*|'\w+|mut |const |dyn |\s)+", "", text), flags=re.S)
    return re.sub(r"\W+$", "", text).split("::")[-1].strip()


class Oracle:
    def __init__(self, root):
        self.root, self.texts, self.documents = root, {}, {}
        self.symbols = {}  # symbol -> kind
        self.definitions = collections.defaultdict(list)  # symbol -> [(path, offset, range)]

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = Text(os.path.join(self.root, path))
        return self.texts[path]

    def read(self, index, base):
        with open(index, "rb") as file:
            data = file.read()
        for number, value in fields(data):
            if number != 2:
                continue
            parts = collections.defaultdict(list)
            for key, part in fields(value):
                parts[key].append(part)
            path = os.path.normpath(os.path.join(base, parts[1][0].decode()))
            path = os.path.relpath(os.path.realpath(os.path.join(self.root, path)), self.root)
            if path.startswith("..") or not os.path.isfile(os.path.join(self.root, path)):
                continue
            is_again = path in self.documents  # a file of two packages
            kinds = {}
            for part in parts[3]:
                found = dict(fields(part))
                kinds[found[1].decode()] = found.get(5, 0)
            text, occurrences = self.text(path), []
            for part in parts[2]:
                found = dict(fields(part))
                line, column, last, end = numbers(found[1])
                symbol = found.get(2, b"").decode()
                if symbol.startswith("local "):
                    symbol = f"{path} {symbol}"
                start = text.offset(line, column)
                is_definition = bool(found.get(3, 0) & 1)
                if is_definition:
                    around = numbers(found[7]) if 7 in found else [line, column, last, end]
                    self.symbols[symbol] = kinds.get(symbol, kinds.get(symbol.replace(path + " ", "", 1), 0))
                    self.definitions[symbol].append((path, start, text.offset(around[0], around[1]),
                                                     text.offset(around[2], around[3])))
                occurrences.append((start, symbol, is_definition))
            if not is_again:
                self.documents[path] = occurrences

    def rows(self):
        files = sorted(os.path.relpath(os.path.join(folder, name), self.root)
                       for folder, folders, names in os.walk(self.root) for name in names
                       if name.endswith(".rs") and not re.search(r"(^|/)(target|\.git|node_modules|\.codexmem)(/|$)", os.path.relpath(folder, self.root)))
        self.all_files = files
        self.traits = traits = collections.defaultdict(list)  # (trait, member) -> rows
        self.packages = {descriptors(symbol)[0] for symbol in self.definitions} - {""}
        members = []
        known = {}  # symbol -> places of definitions that have rows
        for symbol, places in self.definitions.items():
            for path, offset, begin, end in sorted(set(places)):
                row = self.definition(symbol, path, offset, begin)
                if row is None:
                    continue
                known.setdefault(symbol, []).append((path, row["at"], begin, end, row))
                _, parts = descriptors(symbol)
                if len(parts) > 1 and isinstance(parts[-2][1], list) and len(parts[-2][1]) == 2:
                    members.append((simple(parts[-2][1][1]), row))
                elif len(parts) > 1 and parts[-2][1] == "#":
                    traits[parts[-2][0], row["name"]].append(row)
        self.places = {place[1] for places in known.values() for place in places}
        for places in known.values():
            for place in places:
                yield place[4]
        for trait, row in members:
            for other in traits[trait, row["name"]]:
                if other["at"] != row["at"]:
                    yield {"row": "family", "a": row["at"], "b": other["at"]}
        functions = collections.defaultdict(list)
        for symbol, places in known.items():
            for path, at, begin, end, row in places:
                if row["kind"] in ("function", "method"):
                    functions[path].append((begin, end, at))
        for path in files:
            taken = path in self.documents
            yield {"row": "file", "path": path, "taken": taken}
            yield from self.uses(path, known, sorted(functions[path], key=lambda f: (f[0], -f[1])))
            if taken:
                yield from self.imports(path)

    def definition(self, symbol, path, offset, begin):
        text, kind = self.text(path), self.symbols[symbol]
        index = text.index.get(offset)
        if index is None or text.tokens[index][2] != "name":
            return None
        name = text.at(index).replace("r#", "")
        scope = "local"
        qualifiers = []
        if SYMBOL.match(symbol):
            _, parts = descriptors(symbol)
            if not parts or parts[-1][0].replace("r#", "") not in (name, "r#" + name):
                return None
            scope = "module"
            for part, suffix in parts[:-1]:
                if isinstance(suffix, list):
                    qualifiers.append(simple(suffix[0]) if suffix else part)
                    scope = "class"
                elif suffix == "#":
                    qualifiers.append(part)
                    scope = "class"
                elif suffix.startswith("("):
                    scope = "local"
                    break
        if scope != "local" and kind not in KINDS:
            return None
        if name in KEYWORDS or name == "_":
            return None
        kind_name = KINDS.get(kind, "variable")
        if kind_name == "method" and scope != "class":
            kind_name = "function"
        if kind_name == "function" and scope == "class" and kind != 25:
            kind_name = "method"
        if kind == 4 and scope == "module":
            scope = "class"
        if kind_name in ("type", "class") and text.at(index - 1) == "fn":
            kind_name = "function"  # of a macro, or one that a macro makes something else of
        row = {"row": "def", "at": ":".join(map(str, (path, *text.place(offset)))), "name": name,
               "qname": ".".join([*qualifiers, name]), "kind": kind_name, "scope": scope,
               "start": text.place(max(begin, 0))[0]}
        if kind == 25:
            row["detail"] = "macro"
        return row

    def uses(self, path, known, functions):
        text = self.text(path)
        places = collections.defaultdict(list)
        for start, symbol, is_definition in self.documents.get(path, []):
            places[start].append((symbol, is_definition))
        inside_use = self.use_tokens(text)
        ends = []
        for index, (start, end, kind, name) in enumerate(text.tokens):
            if kind != "name" or name in KEYWORDS and name not in ("self", "Self", "super", "crate", "union"):
                continue
            function = next((at for begin, last, at in functions if begin <= start < last), None)
            at = ":".join(map(str, (path, *text.place(start))))
            row = {"row": "use", "at": at, "name": name.replace("r#", "")}
            if index in inside_use:
                row["role"] = "import"
            if name in ("self", "Self", "super", "crate"):
                row["role"] = "keyword"
            if function:
                row["in"] = function
            if text.is_call(index):
                row["call"] = True
            # A type that a trait has: it is the trait's for rust-analyzer.
            is_implied = text.at(index - 1) == "type" and at not in self.places
            if not places[start] or is_implied:
                if "role" not in row or row["role"] != "keyword":
                    yield row
                continue
            for symbol, is_definition in places[start]:
                if is_definition:
                    continue
                found = known.get(symbol)
                if symbol.endswith("/") and len({d[0] for d in self.definitions.get(symbol, [])}) > 1:
                    # Targets of a package share the names of their modules.
                    found = [f for f in found or [] if f[0] == path]
                if found:
                    if len(found) > 1:
                        own = [f for f in found if f[0] == path]
                        if len(own) == 1:
                            found = own
                    for f in found:
                        yield {**row, "to": f[1], **({"role": "ambiguous"} if len(found) > 1 else {})}
                elif made := self.made(symbol):
                    for other in made:
                        yield {**row, "to": other["at"], "role": "ambiguous"}
                elif symbol in self.definitions:
                    yield {**row, "ext": "module" if symbol.endswith("/") else "made"}
                elif self.is_projected(symbol):
                    if row.get("role") != "keyword":
                        yield row  # of a type that a macro makes of one that has a place
                else:
                    yield {**row, "ext": descriptors(symbol)[0] or "local"}

    def made(self, symbol):
        """What a member implements of which nothing but its use is known: a macro made the block."""
        package, parts = descriptors(symbol)
        if package not in self.packages or symbol in self.definitions or len(parts) < 2:
            return []
        block = parts[-2][1]
        return self.traits[simple(block[1]), parts[-1][0]] if isinstance(block, list) and len(block) == 2 else []

    def is_projected(self, symbol):
        package, parts = descriptors(symbol)
        is_of_trait = len(parts) > 1 and isinstance(parts[-2][1], list) and len(parts[-2][1]) == 2
        return package in self.packages and symbol not in self.definitions and not is_of_trait

    @staticmethod
    def use_tokens(text):
        inside, index = set(), 0
        while index < len(text.tokens):
            if text.at(index) == "use" and text.at(index + 1) != "<" and text.at(index - 1) != ".":
                while index < len(text.tokens) and text.at(index) != ";":
                    inside.add(index)
                    index += 1
            index += 1
        return inside

    def imports(self, path):
        text = self.text(path)
        places = collections.defaultdict(list)
        for start, symbol, is_definition in self.documents[path]:
            places[start].append(symbol)
        index = 0
        while index < len(text.tokens):
            token = text.at(index)
            if token == "mod" and text.at(index + 2) == ";":
                name = text.at(index + 1)
                files = {self.home(*d[:2]) for s in places[text.tokens[index + 1][0]] for d in self.definitions.get(s, [])} - {path}
                row = {"row": "import", "path": path, "line": text.place(text.tokens[index][0])[0], "spec": name, "kind": "mod"}
                yield {**row, "target": files.pop()} if len(files) == 1 else {**row, "any": self.guesses([name])}
                index += 2
            elif token == "extern" and text.at(index + 1) == "crate":
                yield {"row": "import", "path": path, "line": text.place(text.tokens[index][0])[0],
                       "spec": text.at(index + 2), "kind": "use", "any": self.guesses([text.at(index + 2)])}
                index += 2
            elif token == "use" and text.at(index + 1) != "<":
                last = index
                while last < len(text.tokens) and text.at(last) != ";":
                    last += 1
                line = text.place(text.tokens[index][0])[0]
                for segments in self.leaves(text, index + 1, last):
                    yield from self.edge(path, line, text, segments, places)
                index = last
            index += 1

    @staticmethod
    def leaves(text, first, last):
        """Lists of indices of the segments of each leaf of a use tree."""
        stack, current = [], []
        index = first
        while index < last:
            token = text.at(index)
            if token == "{":
                stack.append(current)
                current = list(current)
            elif token in (",", "}"):
                if not stack:
                    return
                if current != stack[-1]:
                    yield current
                current = list(stack[-1])
                if token == "}":
                    stack.pop()
                    current = list(stack[-1]) if stack else []
                    if stack:
                        current = list(stack[-1])
            elif token == "as":
                index += 1
            elif token not in ("::", ):
                current = current + [index]
            index += 1
        if current and not stack:
            yield current

    def edge(self, path, line, text, segments, places):
        spec, all_segments = "::".join(text.at(i) for i in segments), segments
        target = external = None
        is_known = is_unsure = False
        if segments and not places[text.tokens[segments[-1]][0]] and text.at(segments[-1]) != "*":
            segments = []
        for index in segments:
            symbols = places[text.tokens[index][0]]
            if symbols:
                is_known = True
            for symbol in symbols:
                package, _ = descriptors(symbol)
                if symbol.endswith("/"):
                    files = self.homes(symbol, path)
                    if len(files) == 1:
                        target, external = next(iter(files)), None
                    elif files:
                        is_unsure = True
                    elif package in self.packages:
                        target = self.child(target or path, text.at(index))
                        external, is_known = None, target is not None
                    elif not target and not external:
                        external = package.replace("-", "_")
                elif symbol not in self.definitions and package and not target and not external:
                    external = package.replace("-", "_")
        row = {"row": "import", "path": path, "line": line, "spec": spec, "kind": "use"}
        if not is_known or is_unsure:
            yield {**row, "any": self.guesses([text.at(i) for i in all_segments])}
        elif target and target != path:
            yield {**row, "target": target}
        elif external:
            yield {**row, "external": external}
        else:
            yield row

    def homes(self, symbol, path):
        """Files of a module. All targets of a package are called `crate`: the file itself, else its library."""
        places = self.definitions.get(symbol, [])
        files = {self.home(*d[:2]) for d in places}
        whole = {d[0] for d in places if d[1] == 0 and d[2] == 0}
        if len(files) > 1 and not symbol.endswith(" crate/"):
            # Blocks of tests may be called as a module of the library.
            files = {path} if path in files else whole or files
        if len(files) > 1 and symbol.endswith(" crate/"):
            libraries = {f for f in files if f.endswith("src/lib.rs")}
            outside = [f for f in libraries if not path.startswith(os.path.dirname(f) + "/")]
            files = {path} if path in files and not outside else libraries
        return files

    def home(self, path, offset):
        """The file of a module that is defined there: of `mod a;` among a macro's items the one beside or below."""
        text = self.text(path)
        index = text.index.get(offset)
        if index is None or text.at(index - 1) != "mod" or text.at(index + 1) != ";":
            return path
        return self.child(path, text.at(index)) or path

    def child(self, path, module):
        """The file of a module in that of `path`, by its name."""
        folder, name = os.path.split(path)
        if name not in ("mod.rs", "lib.rs", "main.rs"):
            folder = os.path.join(folder, name[:-3])
        below = os.path.join(folder, module)
        return next((f for f in (below + ".rs", below + "/mod.rs") if f in self.all_files), None)

    def guesses(self, names):
        def fits(file):
            stem = os.path.basename(file)[:-3]
            folder = os.path.basename(os.path.dirname(file))
            return stem in names or stem in ("lib", "main") or stem == "mod" and folder in names or \
                stem == "mod" and {"super", "self"} & set(names)
        return [f for f in self.all_files if fits(f)]


def manifests(root):
    """Folders to load: of packages and workspaces that none of those before has."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in ("target", ".git", "node_modules") and
                            not (os.path.basename(folder) == "tests" and f in ("fail", "ui")))
        if "Cargo.toml" in names:
            found.append(folder)
    done, roots = set(), []
    for folder in sorted(found, key=lambda f: f.count("/")):
        if folder in done:
            continue
        run = subprocess.run(["cargo", "metadata", "--format-version", "1"], cwd=folder, capture_output=True, text=True)
        if run.returncode != 0:
            print(f"{folder}: {run.stderr.strip()[-300:]}", file=sys.stderr)
            continue
        data = json.loads(run.stdout)
        members = set(data["workspace_members"])
        done |= {os.path.dirname(p["manifest_path"]) for p in data["packages"] if p["id"] in members}
        done.add(folder)
        if data["workspace_root"] not in roots:
            roots.append(data["workspace_root"])
    return roots


def unknown_rate(folder):
    run = subprocess.run(["rust-analyzer", "analysis-stats", ".", "--skip-lowering", "--skip-mir-stats", "--skip-const-eval", "-q"],
                         cwd=folder, capture_output=True, text=True)
    match = re.search(r"exprs: ([\d_,]+), \?\?ty: ([\d_,]+).*?\?ty: ([\d_,]+)", run.stdout + run.stderr)
    return match[0] if match else "unknown rate not told"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    options = parser.parse_args()
    root = os.path.realpath(options.root)
    oracle = Oracle(root)
    for folder in manifests(root):
        print(f"{os.path.relpath(folder, root)}: {unknown_rate(folder)}", file=sys.stderr)
        with tempfile.TemporaryDirectory() as scratch:
            index = os.path.join(scratch, "index.scip")
            config = os.path.join(scratch, "config.json")
            with open(config, "w", encoding="utf-8") as file:
                json.dump({"cargo": {"features": "all", "allTargets": True}}, file)
            run = subprocess.run(["rust-analyzer", "scip", ".", "--output", index, "--config-path", config],
                                 cwd=folder, capture_output=True, text=True)
            if run.returncode != 0 or not os.path.exists(index):
                print(f"{folder}: {run.stderr[-300:]}", file=sys.stderr)
                continue
            oracle.read(index, os.path.relpath(folder, root))
    out = sys.stdout
    for row in oracle.rows():
        out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
