#!/usr/bin/env python3
"""Replays commits that change a definition and its uses, with one use left out, through the edit guard.

  bench/edit_guard.py --programs build/release/bin --repository FOLDER... [--commits 60] [--json FILE]

A commit counts if one file D changes how a definition is called or what it is called, by regular
expressions that know nothing of codexmem, and another file changes a use of it in the same commit:
  - a rename: D no longer has the name and no added line defines it; a line of another file that has the
    name is removed,
  - other parameters: the number of arguments that a call of the other file has (a call without spread
    or named arguments) is among those that the old parameters take and not among the new ones'.
The checkout is put at the commit's parent, with all files as the commit leaves them, but for D and for
one use, chosen by lot: of a rename all changes of one file that mention the name (an import without its
use would be broken before), of parameters the one hunk with the call; and all changes of that file which
mention what the name is used through (a module or class whose import goes is broken before as well). After `codexmem index` the real
hook is given the edit of D as Claude Code would: Edit where the change is one hunk, else Write. Found, by
a question with time for all uses: the left-out line is among the broken uses, or among the possible ones, or
its file is among those that use the type of a member which is gone with it.
Trees of Go without a go.mod are left out. Then the use is put right, and the same edit must find the guard silent: else it is an alarm. An alarm is
right if lines show that the commit itself leaves the use broken (nothing of that name is declared in the
language any more, or the call does not fit), else false. Times are those of the hook's process, from its
start to its end, once for each edit; said: the hook's answer had a text.
"""

import argparse
import collections
import io
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import tokenize
import urllib.request

LANGUAGES = {".py": "python", ".ts": "typescript", ".tsx": "typescript", ".go": "go", ".java": "java",
             ".cs": "csharp", ".rs": "rust", ".php": "php", ".rb": "ruby", ".ex": "elixir", ".exs": "elixir"}
WORDS = r"(?:(?:public|protected|private|internal|static|final|abstract|async|override|virtual|sealed|synchronized|readonly|export|default|declare|partial|unsafe|extern|new|get|set)\s+)"
FUNCTIONS = {
    "python": r"^\s*(?:async\s+)?def\s+(\w+)\s*(\()",
    "typescript": r"^\s*" + WORDS + r"*function\s+(\w+)\s*(?:<[^>(]*>)?(\()|^\s+(?:async\s+)?(?:public|private|protected|static|override)\s+" + WORDS + r"*(\w+)\s*(?:<[^>(]*>)?(\()",
    "go": r"^func\s+(?:\([^)]*\)\s*)?(\w+)(?:\[[^\]]*\])?(\()",
    "java": r"^\s*" + WORDS + r"+(?:<[^>]*>\s*)?[\w<>\[\],.?]+(?:\s+[\w<>\[\],.?]+)?\s+(\w+)\s*(\()",
    "csharp": r"^\s*" + WORDS + r"+[\w<>\[\],.?]+(?:\s+[\w<>\[\],.?]+)?\s+(\w+)\s*(?:<[^>]*>)?(\()",
    "rust": r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+|unsafe\s+)*fn\s+(\w+)\s*(?:<[^(]*>)?(\()",
    "php": r"^\s*" + WORDS + r"*function\s+&?(\w+)\s*(\()",
    "ruby": r"^\s*def\s+(?:self\.)?(\w+[?!]?)()",
    "elixir": r"^\s*defp?\s+(\w+[?!]?)()",
}
TYPES = {
    "python": r"^\s*class\s+(\w+)", "typescript": r"^\s*" + WORDS + r"*(?:class|interface|enum|type)\s+(\w+)\b(?!\s*[,}]|\s+from)",
    "go": r"^type\s+(\w+)\s", "java": r"^\s*" + WORDS + r"*(?:class|interface|enum|record)\s+(\w+)",
    "csharp": r"^\s*" + WORDS + r"*(?:class|interface|enum|struct|record)\s+(\w+)",
    "rust": r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait)\s+(\w+)", "php": r"^\s*(?:abstract\s+|final\s+)*(?:class|interface|trait|enum)\s+(\w+)",
    "ruby": r"^\s*(?:class|module)\s+(\w+)\s*(?:<|$)", "elixir": r"^\s*defmodule\s+[\w.]*?(\w+)\s+do",
}
FUNCTIONS = {name: re.compile(text) for name, text in FUNCTIONS.items()}
TYPES = {name: re.compile(text) for name, text in TYPES.items()}
MAX_FILES, MAX_SITES = 60, 2  # of a commit; of a commit that are left out, one at a time


def git(folder, *words, **more):
    return subprocess.run(["git", "-C", folder, *words], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, **more).stdout.decode(errors="replace")


def defined(language, line):
    """The name that a line defines, and where its parameters begin (-1: it has none)."""
    match = FUNCTIONS[language].match(line)
    if match:
        groups = [number for number in range(1, len(match.groups()) + 1) if match.group(number) is not None]
        return match.group(groups[0]), match.start(groups[1]) if match.group(groups[1]) else -1
    match = TYPES[language].match(line)
    return (match.group(1), -1) if match else (None, -1)


def code_of(line):
    """A line without what is in quotes or a comment."""
    line = re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`", '""', line)
    return re.sub(r"(^|\s)(#|//|--|\*).*", "", line)


def code_lines(text, name):
    """The lines of Python where the name is code: no word of a docstring."""
    try:
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        return {token.start[0] for token in tokens if token.type == tokenize.NAME and token.string == name}
    except (tokenize.TokenError, SyntaxError):  # Python 2
        return set(range(text.count("\n") + 2))


def split_list(text, begin):
    """What commas divide in the brackets at `begin`; None if they are not closed or too odd to count."""
    depth, items, start, quote, at = 0, [], begin + 1, "", begin
    while at < len(text) and at - begin < 4000:
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "\"'`" and not (char == "'" and re.match(r"'[a-z_]+\b(?!')", text[at:at + 20])):
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                items.append(text[start:at])
                items = [item.strip() for item in items]
                return items if items != [""] and items[-1] else items[:-1]
        elif char == "," and depth == 1:
            items.append(text[start:at])
            start = at + 1
        elif char == "<" and re.match(r"<[\w\s,<>\[\]?.&':*]*>", text[at:at + 200]) and depth == 1:
            closing = re.match(r"<[\w\s,<>\[\]?.&':*]*?>+", text[at:at + 200])
            at += closing.end() - 1
        elif char in "#/" and (char == "#" or text[at:at + 2] in ("//", "/*")):
            return None
        at += 1
    return None


def accepted(language, items):
    """How many arguments a function with these parameters takes: least and most; None: not known."""
    least = most = 0
    for item in items:
        if language == "python" and item in ("*", "/") or item.startswith(("*", "...")) or "..." in item:
            return None
        if item in ("self", "cls", "&self", "&mut self", "mut self") or item.startswith(("this ", "self:", "this:", "@")):
            if item in ("self", "cls", "&self", "&mut self", "mut self", "self: Self"):
                continue
            return None
        if "params " in item:
            return None
        most += 1
        optional = "=" in item or language == "typescript" and re.match(r"\w+\?", item)
        least += 0 if optional else 1
    return least, most


def hunks_of(patch):
    """{path: [(old line, old lines, new line, new lines)]} of a diff without context."""
    files, path = {}, None
    for line in patch.split("\n"):
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
            if path:
                files[path] = []
        elif line.startswith("--- ") or line.startswith("diff "):
            path = path if line.startswith("--- ") and path else None
        elif line.startswith("@@") and path:
            match = re.match(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line)
            files[path].append([int(match.group(1)), [], int(match.group(3)), []])
        elif path and files[path] and line[:1] == "-":
            files[path][-1][1].append(line[1:])
        elif path and files[path] and line[:1] == "+":
            files[path][-1][3].append(line[1:])
    return files


class Case:
    def __init__(self, commit, kind, language, name, definition, use, left_out, lines):
        self.commit, self.kind, self.language, self.name = commit, kind, language, name
        self.definition, self.use = definition, use  # paths
        self.left_out = left_out                     # numbers of hunks of `use`
        self.lines = lines                           # of the left-out uses, in the text with them


def with_old_hunks(old_text, hunks, kept_old):
    """The new text but for the hunks in `kept_old`; for these the new numbers of their old lines."""
    lines, out, at, places = old_text.split("\n"), [], 0, {}
    for number, (start, old, _, new) in enumerate(hunks):
        begin = start - 1 if old else start
        out += lines[at:begin]
        if number in kept_old:
            places[number] = len(out) + 1
            out += lines[begin:begin + len(old)]
        else:
            out += new
        at = begin + len(old)
    return "\n".join(out + lines[at:]), places


def cases_of(folder, commit, files, show, lot):
    """The cases in a commit, each of one definition and one use."""
    removed, added = collections.defaultdict(set), set()
    signatures = collections.defaultdict(dict)
    for path, hunks in files.items():
        language = LANGUAGES.get(pathlib.Path(path).suffix)
        if language is None:
            continue
        for start, old, new_start, new in hunks:
            for number, line in enumerate(old):
                name, begin = defined(language, line)
                if name and len(name) > 2:
                    removed[name].add(path)
                    signatures[path, name].setdefault("old", []).append((start + number, begin))
            for number, line in enumerate(new):
                name, begin = defined(language, line)
                if name:
                    added.add(name)
                    signatures[path, name].setdefault("new", []).append((new_start + number, begin))
    for name, paths in removed.items():
        if len(paths) != 1 or name.startswith("__") or name.lower().startswith("test"):
            continue
        path = next(iter(paths))
        language = LANGUAGES[pathlib.Path(path).suffix]
        word = re.compile(r"(?<![\w$])" + re.escape(name) + r"(?![\w$])")
        new_text = show(commit, path)
        old_text = show(commit + "~1", path)
        if old_text is None or new_text is None:
            continue
        users = [user for user in files if user != path and LANGUAGES.get(pathlib.Path(user).suffix) == language]
        found = []
        if name not in added and not word.search(new_text):
            for user in users:
                numbers = {number for number, (_, old, _, _) in enumerate(files[user])
                           if any(word.search(code_of(line)) for line in old)}
                mentions = {number for number, (_, old, _, new) in enumerate(files[user])
                            if any(word.search(line) for line in old)}
                if numbers and not any(word.search(line) for number in numbers for line in files[user][number][3]):
                    found.append(("rename", user, with_qualifiers(files[user], mentions, name)))
        elif signatures[path, name].keys() == {"old", "new"}:
            shapes = []
            for which, text in (("old", old_text), ("new", new_text)):
                places = signatures[path, name][which]
                if len(places) != 1 or places[0][1] < 0:
                    break
                offset = sum(len(line) + 1 for line in text.split("\n")[:places[0][0] - 1]) + places[0][1]
                items = split_list(text, offset)
                shapes.append(accepted(language, items) if items is not None else None)
            if len(shapes) == 2 and None not in shapes and shapes[0] != shapes[1]:
                found += calls_that_break(commit, files, users, show, name, word, shapes)
        found = [each for each in found
                 if not may_mean_another(commit, path, name, each[1], files, show, word)]
        lot.shuffle(found)
        for kind, user, numbers in found[:1]:
            text = show(commit + "~1", user)
            if text is None or show(commit, user) is None:
                continue
            _, places = with_old_hunks(text, files[user], numbers)
            lines = [places[number] + at for number in sorted(numbers) for at, line in
                     enumerate(files[user][number][1]) if word.search(code_of(line))]
            if language == "python":
                code = code_lines(with_old_hunks(text, files[user], numbers)[0], name)
                lines = [line for line in lines if line in code]
            if lines:
                yield Case(commit, kind, language, name, path, user, numbers, lines)


def calls_that_break(commit, files, users, show, name, word, shapes):
    (old_least, old_most), (least, most) = shapes
    for user in users:
        text = show(commit + "~1", user)
        # (A file that has the name no more does not import it either.)
        if text is None or not word.search(show(commit, user) or ""):
            continue
        lines = text.split("\n")
        for number, (start, old, _, _) in enumerate(files[user]):
            for at, line in enumerate(old):
                match = word.search(line)
                if not match or defined(LANGUAGES[pathlib.Path(user).suffix], line)[0]:
                    continue
                offset = sum(len(each) + 1 for each in lines[:start - 1 + at]) + match.end()
                if text[offset:offset + 1] != "(":
                    continue
                items = split_list(text, offset)
                if items is None or any(item.startswith(("*", "...", "&")) and item.startswith(("*", "...")) or
                                        re.match(r"\w+\s*[=:](?!=)", item) for item in items):
                    continue
                # (A function of PHP may be given more than it takes.)
                fits = least <= len(items) and (len(items) <= most or LANGUAGES[pathlib.Path(user).suffix] == "php")
                if old_least <= len(items) <= old_most and not fits:
                    yield "parameters", user, with_qualifiers(files[user], {number}, name)
                    break


def with_qualifiers(hunks, numbers, name):
    """The hunks `numbers`, and those that mention what the name is used through there: a and B in a.B.name."""
    used_through = {word for number in numbers for line in hunks[number][1]
                    for match in re.findall(r"((?:[A-Za-z_]\w*(?:\.|::|->))+)" + re.escape(name) + r"(?![\w$])", line)
                    for word in re.findall(r"\w+", match)} - {"self", "this", "crate", "super", "cls"}
    if not used_through:
        return numbers
    words = re.compile(r"(?<![\w$])(?:" + "|".join(map(re.escape, used_through)) + r")(?![\w$])")
    return numbers | {number for number, (_, old, _, _) in enumerate(hunks) if any(words.search(line) for line in old)}


def may_mean_another(commit, path, name, user, files, show, word):
    """True if the file that uses the name declares one itself, or got it through a third file that the commit
    changed as well: then the use does not hang on the definition, or was broken before the edit."""
    text = show(commit + "~1", user)
    own = re.compile(r"(^|[(,])\s*" + re.escape(name) + r"\s*(,|=(?!=)|:(?!:)|\)\s*[:{])", re.M)
    if text is None or own.search("\n".join(code_of(line) for line in text.split("\n"))):
        return True
    imports = re.compile(r"\b(import|from|export|use|using|require)\b.*" + word.pattern)
    if any(imports.search(line) for line in text.split("\n")):
        return False
    return any(imports.search(line) or re.match(r"\s*" + re.escape(name) + r",?$", line) for third, hunks in files.items()
               if third not in (user, path) for _, old, _, _ in hunks for line in old)


def types_around(language, text, name):
    """The types that a definition of the name stands in, by the lines before it that are indented less."""
    lines, found = text.split("\n"), set()
    for number, line in enumerate(lines):
        if defined(language, line)[0] != name:
            continue
        indent = len(line) - len(line.lstrip())
        for above in reversed(lines[:number]):
            own = len(above) - len(above.lstrip())
            match = TYPES[language].match(above) or re.match(r"\s*impl\b.*?(\w+)(?:<[^{]*>)?\s*(?:\{|$)", above)
            if own < indent and match:
                found.add(match.group(1))
                indent = own
    return found


class Replay:
    def __init__(self, programs, source, base, lot):
        self.programs, self.lot = programs, lot
        self.folder = base / pathlib.Path(source).resolve().parent.name if pathlib.Path(source).name == "repo" \
            else base / pathlib.Path(source).name
        git(".", "clone", "--quiet", "--no-checkout", "--shared", str(source), str(self.folder))
        (self.folder / ".git/info/exclude").write_text(".codexmem\n")
        self.environment = dict(os.environ, CODEXMEM_DATA_DIR=str(base / "data"), HOME=str(base),
                                CODEXMEM_PROVIDER="rule-based")
        self.texts = {}
        self.sessions = 0

    def show(self, commit, path):
        key = commit, path
        if key not in self.texts:
            done = subprocess.run(["git", "-C", self.folder, "show", f"{commit}:{path}"],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            try:
                self.texts[key] = done.stdout.decode() if done.returncode == 0 else None
            except UnicodeDecodeError:
                self.texts[key] = None
            if len(self.texts) > 2000:
                self.texts.pop(next(iter(self.texts)))
        return self.texts[key]

    def find_cases(self, count):
        """At most `count`, of the newest commits, by lot where there are more."""
        log = git(self.folder, "log", "--no-merges", "--format=%x00%H", "--name-only", "--no-renames", "-n", "4000")
        blocks = [block.split() for block in log.split("\0") if block.strip()]
        commits = [block[0] for block in blocks
                   if len(block) - 1 <= MAX_FILES and
                   sum(pathlib.Path(path).suffix in LANGUAGES for path in block[1:]) >= 2]
        self.lot.shuffle(commits)
        cases = []
        for commit in commits:
            if len(cases) >= count:
                break
            try:
                patch = git(self.folder, "show", "--format=", "-U0", "--no-color", "--no-ext-diff", "--no-renames",
                            "--diff-filter=AMD", commit)
            except subprocess.CalledProcessError:  # a clone without all files
                continue
            if any(path.endswith(".go") for path in hunks_of(patch)) and not self.has_go_module(commit):
                continue
            own = list(cases_of(self.folder, commit, hunks_of(patch), self.show, self.lot))
            self.lot.shuffle(own)
            cases += own[:MAX_SITES]
        order = {commit: at for at, commit in enumerate(git(self.folder, "rev-list", "HEAD").split())}
        return sorted(cases[:count], key=lambda case: -order.get(case.commit, 0))

    def has_go_module(self, commit):
        """False for a tree of before Go's modules: its imports need a GOPATH, which no index knows."""
        names = git(self.folder, "ls-tree", "-r", "--name-only", commit).split("\n")
        return any(pathlib.PurePosixPath(name).name == "go.mod" for name in names)

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, newline="")

    def index(self):
        subprocess.run(["nice", self.programs / "codexmem", "index", "--quiet", "--skip-embeddings"], cwd=self.folder,
                       env=self.environment, check=True, stderr=subprocess.DEVNULL)

    def ask(self, case):
        """The hook's text, its time in ms, and the breaks that the worker knows of."""
        old, new = self.show(case.commit + "~1", case.definition), self.show(case.commit, case.definition)
        file = str(self.folder / case.definition)
        common = os.path.commonprefix([old, new])
        begin = common.rfind("\n") + 1
        tail = os.path.commonprefix([old[begin:][::-1], new[begin:][::-1]])
        end = len(tail) if not tail else len(tail[:tail.rfind("\n") + 1])
        before, after = old[begin:len(old) - end], new[begin:len(new) - end]
        is_edit = before and old.count(before) == 1 and before.count("\n") <= 12
        name, given = ("Edit", {"file_path": file, "old_string": before, "new_string": after}) if is_edit \
            else ("Write", {"file_path": file, "content": new})
        self.sessions += 1
        event = {"session_id": f"{self.folder.name}-{self.sessions}", "cwd": str(self.folder), "transcript_path": "",
                 "hook_event_name": "PreToolUse", "permission_mode": "default", "tool_name": name, "tool_input": given}
        begun = time.perf_counter()
        done = subprocess.run([self.programs / "codexmem-hook", "claude-code", "before-edit"], env=self.environment,
                              input=json.dumps(event).encode(), stdout=subprocess.PIPE, check=True)
        took = (time.perf_counter() - begun) * 1000
        said = json.loads(done.stdout).get("hookSpecificOutput", {}).get("additionalContext", "")
        address = json.loads((pathlib.Path(self.environment["CODEXMEM_DATA_DIR"]) / "worker.json").read_text())
        request = urllib.request.Request(
            f"http://127.0.0.1:{address['port']}/api/context/edit", method="POST",
            data=json.dumps(dict(contentSessionId=event["session_id"] + "-again", cwd=event["cwd"], tool_name=name,
                                 tool_input=given, timeMs=2000)).encode(),
            headers={"Content-Type": "application/json", "X-Codexmem-Token": address.get("token", "")})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return said, took, json.load(answer)

    def count_definitions(self, case):
        """How many lines of the tree before the commit define the name, in its language."""
        ends = ["*" + end for end, language in LANGUAGES.items() if language == case.language]
        done = subprocess.run(["git", "-C", self.folder, "grep", "-hw", "-e", case.name, case.commit + "~1", "--", *ends],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return sum(defined(case.language, line)[0] == case.name
                   for line in done.stdout.decode(errors="replace").split("\n"))

    def is_broken(self, case, found):
        """Whether the commit itself leaves these uses broken, as far as lines show it."""
        name = found["name"].rsplit(".", 1)[-1]
        word = re.compile(r"(?<![\w$])" + re.escape(name) + r"(?![\w$])")
        places = [(each["path"], each["line"]) for each in found["broken"] + found["possible"]]
        if found.get("unfit"):
            text = self.show(case.commit, case.definition)
            shapes, offset = [], 0
            for line in text.split("\n"):
                defines, begin = defined(case.language, line)
                if defines == name and begin >= 0:
                    items = split_list(text, offset + begin)
                    shapes.append(accepted(case.language, items) if items is not None else None)
                    names = [re.split(r"\W", item)[0] for item in items or []]
                offset += len(line) + 1
            if len(shapes) != 1 or shapes[0] is None:
                return False
            for path, number in places:
                text = self.show(case.commit, path)
                lines = text.split("\n")
                match = word.search(lines[number - 1])
                items = match and split_list(text, sum(len(line) + 1 for line in lines[:number - 1]) + match.end())
                if items is None:
                    return False
                named = [each[1] for each in (re.match(r"(\w+)\s*=(?!=)", item) for item in items) if each]
                if shapes[0][0] <= len(items) <= shapes[0][1] and all(word in names for word in named):
                    return False
            return True
        ends = ["*" + end for end, language in LANGUAGES.items() if language == case.language]
        done = subprocess.run(["git", "-C", self.folder, "grep", "-nw", "-e", name, case.commit, "--", *ends],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for row in done.stdout.decode(errors="replace").split("\n"):
            _, path, number, line = (row.split(":", 3) + ["", "", ""])[:4]
            if not number or not word.search(code_of(line)):
                continue
            # Another thing of that name: the uses may mean it.
            if defined(case.language, line)[0] == name or \
                    re.search(r"(?<![\w$.])" + re.escape(name) + r"\s*(?:[:=](?!=)|,.*=)|\b(?:import|as)\b.*\b" + re.escape(name), line) and \
                    (path, int(number)) not in places:
                return False
        return True

    def run(self, case):
        files = hunks_of(git(self.folder, "show", "--format=", "-U0", "--no-renames", case.commit))
        git(self.folder, "checkout", "--quiet", "--force", "--detach", case.commit)
        self.write(case.definition, self.show(case.commit + "~1", case.definition))
        text, _ = with_old_hunks(self.show(case.commit + "~1", case.use), files[case.use], case.left_out)
        self.write(case.use, text)
        self.index()
        said, took, answer = self.ask(case)
        place = lambda kind: {(each["path"], each["line"]) for one in answer["breaks"] for each in one[kind]}
        wanted = {(case.use, line) for line in case.lines}
        found = "broken" if wanted & place("broken") else "possible" if wanted & place("possible") else "missed"
        types = types_around(case.language, self.show(case.commit + "~1", case.definition), case.name)
        if found == "missed" and any(each["name"].rsplit(".", 1)[-1] in types and place["path"] == case.use
                                     for each in answer["breaks"] for place in each["broken"]):
            found = "broken"  # its type is gone as well, and the answer names the file for that
        if found == "missed" and any(each["name"].rsplit(".", 1)[-1] == case.name and each.get("namingFiles")
                                     for each in answer["breaks"]):
            found = "possible"  # there was no time for more than the number of files
        git(self.folder, "checkout", "--quiet", "--force", case.commit, "--", case.use)
        self.index()
        alarm, took_whole, whole = self.ask(case)
        is_only = self.count_definitions(case) == 1
        is_right = bool(whole["breaks"]) and all(self.is_broken(case, each) for each in whole["breaks"])
        return {"repository": self.folder.name, "commit": case.commit, "kind": case.kind, "language": case.language,
                "name": case.name, "definition": case.definition, "use": case.use, "lines": case.lines,
                "found": found, "said": said, "ms": [round(took, 1), round(took_whole, 1)],
                "is_right": is_right, "is_only": is_only,
                "alarm": alarm or (json.dumps(whole["breaks"]) if whole["breaks"] else "")}


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else 0


def report(rows):
    print(f"{'':28} {'cases':>5} {'broken':>7} {'possible':>8} {'recall':>6} {'said':>5} {'alarms':>6} {'false':>6} {'p50 ms':>7} {'p90 ms':>7}")
    groups = [("all", rows), ("names of one definition", [row for row in rows if row["is_only"]]),
              ("names of several", [row for row in rows if not row["is_only"]])]
    groups = [group for group in groups if group[1]]
    for by in ("kind", "language", "repository"):
        for value in sorted({row[by] for row in rows}):
            groups.append((f"{by} {value}", [row for row in rows if row[by] == value]))
    for name, own in groups:
        count = collections.Counter(row["found"] for row in own)
        times = [each for row in own for each in row["ms"]]
        found = count["broken"] + count["possible"]
        print(f"{name[:28]:28} {len(own):5} {count['broken']:7} {count['possible']:8} {found / len(own):6.3f} "
              f"{sum(1 for row in own if row['found'] != 'missed' and row['said']):5} "
              f"{sum(1 for row in own if row['alarm']):6} {sum(1 for row in own if row['alarm'] and not row['is_right']):6} {percentile(times, .5):7.1f} {percentile(times, .9):7.1f}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--programs", required=True, type=pathlib.Path)
    arguments.add_argument("--repository", nargs="+", required=True)
    arguments.add_argument("--commits", type=int, default=60, help="of each repository, at most")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--json", type=pathlib.Path, help="the cases, a line each")
    given = arguments.parse_args()
    programs = given.programs.resolve()
    rows = []
    with tempfile.TemporaryDirectory(prefix="codexmem-replay-") as name:
        base = pathlib.Path(name).resolve()
        (base / "data").mkdir(mode=0o700)
        environment = dict(os.environ, CODEXMEM_DATA_DIR=str(base / "data"), HOME=str(base), CODEXMEM_PROVIDER="rule-based")
        worker = subprocess.Popen([programs / "codexmem", "worker", "run", "--port", "0"], env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for source in given.repository:
                replay = Replay(programs, source, base, random.Random(given.seed))
                cases = replay.find_cases(given.commits)
                print(f"{replay.folder.name}: {len(cases)} cases", file=sys.stderr, flush=True)
                for case in cases:
                    try:
                        rows.append(replay.run(case))
                    except (subprocess.CalledProcessError, UnicodeDecodeError) as error:
                        print(f"{case.commit}: {error}", file=sys.stderr)
                        continue
                    if given.json:
                        with given.json.open("a") as file:
                            file.write(json.dumps(rows[-1]) + "\n")
                subprocess.run(["rm", "-rf", str(replay.folder)], check=True)
        finally:
            worker.terminate()
            worker.wait(60)
    report(rows)


if __name__ == "__main__":
    main()
