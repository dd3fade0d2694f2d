"""Texts and pairs to train on, from public sources of permissive licence (sources.tsv).

    corpus.py sentences --mirror DIR --packages DIR --wordnet DIR --out DIR
    corpus.py pairs     --mirror DIR --packages DIR --wordnet DIR --out DIR
    corpus.py more      --mirror DIR --packages DIR --wordnet DIR --out DIR

--mirror holds a bare git directory OWNER+NAME/repo for each repository of sources.tsv, --packages the lists pypi.tsv and npm.tsv of package names
and summaries, --wordnet the dictionary files data.noun, data.verb and so on (Debian's wordnet-base). Debian's package descriptions
are read from `apt-cache dumpavail`, manual pages from /usr/share/man.

sentences writes OUT/sentences.txt, one short English sentence a line: subjects and bodies of commits, package summaries, glosses and examples
of WordNet. pairs writes OUT/pairs.tsv: kind, origin, question, text; with kinds doc (a docstring's first sentence and its function), line (a
comment and the lines below it), head (heading and paragraph), next (two neighbouring sentences), commit (subject and body), package (summary and
name), word (synonyms and gloss), example (gloss and example). more writes OUT/more.txt: sentences of pairs.tsv for the teacher, all questions among
them.
Texts are cut to the words of the model's tokenizer when they are read for training, not here.
"""
import argparse
import gzip
import os
import random
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
SKIP = re.compile(r"(^|/)(vendor|third_party|node_modules|dist|generated|testdata|fixtures?|snapshots?|locales?|i18n)(/|$)|\.min\.|\.pb\.go$|_pb2\.py$|\.d\.ts$")
CODE = {".py": "py", ".ts": "c", ".tsx": "c", ".js": "c", ".mjs": "c", ".go": "c", ".rs": "c", ".java": "c", ".c": "c", ".h": "c", ".cc": "c",
        ".cpp": "c", ".hpp": "c", ".rb": "rb", ".ex": "rb"}
PROSE = {".md", ".mdx", ".rst", ".adoc", ".txt"}


def clean(text):
    """A text without markup, on one line."""
    text = re.sub(r"(?s)```.*?```|<!--.*?-->", " ", text)
    text = re.sub(r"\{@\w+\s+([^}|]*)(\|[^}]*)?\}", r"\1", text)
    text = re.sub(r":[\w:.+-]+:`~?!?([^`<]*?)(\s*<[^`]*>)?`", r"\1", text)
    text = re.sub(r"!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    text = re.sub(r"<[^>\s][^>]*>", " ", text)
    text = re.sub(r"https?://\S+", " ", text)
    return re.sub(r"\s+", " ", re.sub(r"[`*|]+", "", text)).strip()


def sentences_of(text):
    return [s.strip() for s in re.split(r"(?<=[.!?])\s+(?=[A-Z])", text)]


def is_sentence(text, low=4, high=24):
    """Whether a text is a short line of English."""
    found = re.findall(r"[A-Za-z']+", text)
    return low <= len(found) <= high and text.isascii() and sum(map(len, found)) > 0.65 * len(text) and len(text) < 220


def subject(text):
    """A commit's subject without its ticket, scope and pull request."""
    text = re.sub(r"\s*\(?#\d+\)?", "", text)
    text = re.sub(r"^\s*(\[[^\]]*\]\s*)+", "", text)
    text = re.sub(r"^(?:[A-Z]+-\d+[:;]?\s*|MINOR:\s*|(?:feat|fix|chore|docs|refactor|test|perf|build|ci|style)(?:\([^)]*\))?!?:\s*|[\w./,*{}-]+:\s+)+", "", text)
    return clean(text)


def commits(git):
    """(subject, body, changed files) of the newest 12,000 commits."""
    raw = subprocess.run(["git", f"--git-dir={git}", "log", "--no-merges", "-n", "12000", "--format=%x1e%s%x1f%b%x1f"], capture_output=True).stdout
    for entry in raw.decode("utf-8", "replace").split("\x1e")[1:]:
        s, b, *_ = entry.split("\x1f")
        b = "\n".join(l for l in b.split("\n") if not re.match(r"\s*([\w-]+-by|Change-Id|Fixes|Closes|Reviewed-on|Reviewers?|Author|PR|Issue|See|Ref\w*|git-svn\S*|Cc|Release note\w*|Epic):", l, re.I))
        b = re.sub(r"(?m)^\s*[*-]\s*", "", b)
        yield subject(s), b


def summaries(packages, random_pypi, top_pypi, top_npm, rng):
    """(name, summary) of packages: the most used and some others."""
    rest = []
    for line in open(os.path.join(packages, "pypi.tsv"), encoding="utf-8", errors="replace"):
        f = line.rstrip("\n").split("\t")
        if len(f) >= 5 and is_sentence(f[4]):
            if f[3].isdigit() and int(f[3]) <= top_pypi:
                yield f[0], f[4]
            else:
                rest.append((f[0], f[4]))
    yield from rng.sample(rest, min(random_pypi, len(rest)))
    npm = []
    for line in open(os.path.join(packages, "npm.tsv"), encoding="utf-8", errors="replace"):
        f = line.rstrip("\n").split("\t")
        if len(f) >= 4 and f[2].isdigit() and is_sentence(f[3]):
            npm.append((int(f[2]), f[0], f[3]))
    for _, n, s in sorted(npm, reverse=True)[:top_npm]:
        yield n, s


def glosses(wordnet):
    """(words, definition, examples) of WordNet's synonym sets."""
    for part in ("noun", "verb", "adj", "adv"):
        for line in open(os.path.join(wordnet, f"data.{part}")):
            if line.startswith("  "):
                continue
            head, _, gloss = line.partition(" | ")
            f = head.split()
            names = [f[4 + 2 * i].replace("_", " ") for i in range(int(f[3], 16))]
            examples = re.findall(r'"([^"]+)"', gloss)
            yield part, [re.sub(r"\(\w+\)$", "", n) for n in names], re.sub(r'"[^"]*"', "", gloss).strip(" ;\n"), examples


def debian():
    """(name, short description, long description) of Debian's packages."""
    raw = subprocess.run(["apt-cache", "dumpavail"], capture_output=True).stdout.decode("utf-8", "replace")
    for entry in raw.split("\n\n"):
        m = re.search(r"(?ms)^Description(?:-en)?: ([^\n]*)\n((?: [^\n]*\n)*)", entry + "\n")
        n = re.match(r"Package: (\S+)", entry)
        if m and n and not re.search(r"-(dbg|dev|doc|l10n-\w+|data|common)$", n[1]):
            yield n[1], m[1], m[2]


def repositories(mirror):
    for line in open(os.path.join(HERE, "sources.tsv")):
        f = line.rstrip("\n").split("\t")
        git = os.path.join(mirror, f[0].replace("/", "+"), "repo")
        if os.path.isdir(git):
            yield f[0], git


def make_sentences(a):
    rng = random.Random(1)
    out = set()
    for name, git in repositories(a.mirror):
        subjects, bodies = set(), set()
        for s, b in commits(git):
            if is_sentence(s) and len(s) > 24:
                subjects.add(s)
            for x in sentences_of(clean(b))[:3]:
                if is_sentence(x, 6):
                    bodies.add(x)
        out.update(rng.sample(sorted(subjects), min(600, len(subjects))))
        out.update(rng.sample(sorted(bodies), min(350, len(bodies))))
        print(name, len(subjects), len(bodies), len(out), flush=True)
    out.update(clean(s) for _, s in summaries(a.packages, 6000, 10000, 8000, rng))
    out.update(rng.sample([s for _, s, _ in debian() if is_sentence(s)], 4000))
    defs, examples = [], []
    for _, names, definition, said in glosses(a.wordnet):
        if is_sentence(definition):
            defs.append(definition)
        examples += [x for x in said if is_sentence(x)]
    out.update(rng.sample(defs, 12000))
    out.update(rng.sample(examples, 14000))
    out = sorted(out)
    rng.shuffle(out)
    with open(os.path.join(a.out, "sentences.txt"), "w") as f:
        f.write("\n".join(out) + "\n")
    print(len(out), "sentences")


DECL = re.compile(r"^\s*(?:(?:export|default|declare|abstract|public|private|protected|static|async|override|readonly|final|pub(?:\([^)]*\))?|const|unsafe|inline|virtual|extern|synchronized)\s+)*"
                  r"(?:fn|func|function|class|struct|enum|trait|interface|type|impl|def|[\w<>\[\]:*&,.]+)\s+[*&]?[\w$:~]+\s*[(<{:=]|^\s+\*?[\w$]+\s*\([^;]*\{\s*$|^func \(|^type ")
NOT_DECL = re.compile(r"^\s*(if|for|while|switch|return|else|case|import|from|package|use|using|throw|await|assert|var|let|self|this|try|match)\b|^\s*#(define|include|if|endif)")


def flat(lines):
    return re.sub(r"\s+", " ", "\n".join(lines))[:1500].strip()


def first_sentence(doc):
    doc = re.split(r"\n\s*\n|\n\s*(?=[@:\\]\w)|\n\s*#", doc.strip())[0]
    return re.sub(r"^[@\\]\w+\s+", "", sentences_of(clean(doc))[0]).rstrip(".:")


def python_pairs(text):
    """Docstring and the function without it; comments and the lines after them."""
    import ast
    import warnings
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return
    lines = text.split("\n")
    for n in ast.walk(tree):
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            doc = ast.get_docstring(n)
            if doc and len(n.body) > 1:
                b = n.body[0]
                yield "doc", first_sentence(doc), flat(lines[n.lineno - 1:b.lineno - 1] + lines[b.end_lineno:n.end_lineno])


def block_end(lines, at, close):
    """The last line of a definition, by its indentation."""
    indent = len(lines[at]) - len(lines[at].lstrip())
    for i in range(at + 1, min(len(lines), at + 80)):
        s = lines[i]
        if s.strip() and len(s) - len(s.lstrip()) <= indent:
            return i + 1 if s.strip().startswith(close) else i if i > at + 1 else at + 1
    return min(len(lines), at + 80)


def comment_pairs(text, mark, close):
    """Comments before definitions (doc), and comments before other lines (line)."""
    lines, i = text.split("\n"), 0
    is_comment = re.compile(r"\s*(?:" + mark + ")")
    while i < len(lines):
        if not is_comment.match(lines[i]):
            i += 1
            continue
        a = i
        if lines[i].lstrip().startswith("/*"):
            while i < len(lines) and "*/" not in lines[i]:
                i += 1
            i += 1
        else:
            while i < len(lines) and is_comment.match(lines[i]) and not lines[i].lstrip().startswith("/*"):
                i += 1
        doc = "\n".join(re.sub(r"^\s*(?:/\*+!?|//+!?|\*+/|\*|#+)\s?|\*/\s*$", "", l) for l in lines[a:i])
        j = i
        while j < len(lines) and re.match(r"\s*(@\w|#\[)", lines[j]):
            j += 1
        if j >= len(lines) or not lines[j].strip() or re.search(r"(?i)copyright|licen[sc]e|eslint|TODO|nolint", doc):
            continue
        if DECL.match(lines[j]) and not NOT_DECL.match(lines[j]):
            end = block_end(lines, j, close)
            if end - j >= 2:
                yield "doc", first_sentence(doc), flat(lines[j:end])
        else:
            yield "line", first_sentence(doc), flat(lines[j:j + 7])


def prose_pairs(text):
    """Heading and paragraph, neighbouring sentences of a paragraph."""
    heading = None
    text = re.sub(r"(?s)```.*?```|\A---.*?\n---", "", text)
    for block in re.split(r"\n\s*\n", text):
        m = re.match(r"\s*#+\s+(.+)|\s*(\S[^\n]*)\n\s*[=~^\"*-]{4,}\s*$", block)
        if m:
            heading = clean(m[1] or m[2])
            continue
        if re.match(r"\s*([|:.]|    )", block):
            continue
        found = [s for s in sentences_of(clean(block)) if is_sentence(s, 4, 40)]
        if heading and found and len(heading.split()) >= 2:
            yield "head", heading, " ".join(found[:4])
        for x, y in list(zip(found, found[1:]))[:2]:
            yield "next", x, y


def files(git, rng):
    """(path, size, text) of the source and prose files of the newest commit; blobs that the copy lacks are left out."""
    env = {**os.environ, "GIT_NO_LAZY_FETCH": "1"}
    listed = subprocess.run(["git", f"--git-dir={git}", "ls-tree", "-r", "-l", "HEAD"], capture_output=True, env=env).stdout.decode("utf-8", "replace")
    wanted = []
    for line in listed.split("\n"):
        head, _, path = line.partition("\t")
        f = head.split()
        ext = os.path.splitext(path)[1].lower()
        if len(f) < 4 or not f[3].isdigit() or int(f[3]) > 400_000 or SKIP.search(path) or ext not in CODE and ext not in PROSE:
            continue
        test = re.search(r"(^|/)(tests?|__tests__|spec)(/|$)|_test\.|\.test\.|\.spec\.", path)
        if ext not in CODE or not test or rng.random() < 0.2:
            wanted.append((path, int(f[3]), f[2]))
    rng.shuffle(wanted)
    blobs = subprocess.Popen(["git", f"--git-dir={git}", "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
    for path, size, blob in wanted:
        blobs.stdin.write(blob.encode() + b"\n")
        blobs.stdin.flush()
        head = blobs.stdout.readline().split()
        if len(head) == 3:
            data = blobs.stdout.read(int(head[2]) + 1)
            yield path, size, data.decode("utf-8", "replace")
    blobs.stdin.close()
    blobs.wait()


def make_pairs(a):
    rng = random.Random(2)
    out = open(os.path.join(a.out, "pairs.tsv"), "w")
    total = {}

    def write(kind, q, t, origin):
        q, t = clean(q), re.sub(r"\s+", " ", t).strip()
        if q and t and q.isascii():
            out.write(f"{kind}\t{origin}\t{q}\t{t}\n")
            total[kind] = total.get(kind, 0) + 1

    for name, git in repositories(a.mirror):
        found = {"doc": {}, "line": {}, "head": {}, "next": {}, "commit": {}}
        budget = 12_000_000
        for path, size, text in files(git, rng):
            ext = os.path.splitext(path)[1].lower()
            if ext in CODE and budget < 0:
                continue
            budget -= size if ext in CODE else 0
            if ext in PROSE:
                pairs = prose_pairs(text)
            elif ext == ".py":
                pairs = list(python_pairs(text)) + [p for p in comment_pairs(text, "#", ")") if p[0] == "line"]
            elif CODE[ext] == "c":
                pairs = comment_pairs(text, r"//|/\*", "}")
            else:
                pairs = comment_pairs(text, "#", "end")
            for kind, q, t in pairs:
                if is_sentence(q, 3 if kind != "head" else 2, 40):
                    found[kind].setdefault(q, t)
        for s, b in commits(git):
            body = [x for x in sentences_of(clean(b)) if is_sentence(x, 4, 40)]
            if body and is_sentence(s, 3):
                found["commit"].setdefault(s, " ".join(body[:3]))
        for kind, cap in (("doc", 7000), ("line", 2500), ("head", 2500), ("next", 4000), ("commit", 2500)):
            for q in rng.sample(sorted(found[kind]), min(cap, len(found[kind]))):
                write(kind, q, found[kind][q], name)
        print(name, {k: len(v) for k, v in found.items()}, flush=True)
    for name, s in summaries(a.packages, 60000, 15000, 40000, rng):
        write("package", s, name, "packages")
    for name, short, long in debian():
        if is_sentence(short, 2):
            write("package", short, name + " " + clean(long)[:300], "debian")
    for _, names, definition, said in glosses(a.wordnet):
        write("word", ", ".join(names), definition, "wordnet")
        for x in said[:2]:
            write("example", definition, x, "wordnet")
    for path in sorted(os.listdir("/usr/share/man/man1")) + sorted(os.listdir("/usr/share/man/man8")):
        try:
            text = gzip.open(f"/usr/share/man/man{path.split('.')[-2][0]}/{path}", "rt", errors="replace").read()
        except (OSError, IndexError):
            continue
        m = re.search(r"(?ms)^\.SH \"?NAME\"?\n(.*?)\n\.S[HS] ", text)
        d = re.search(r"(?ms)^\.SH \"?DESCRIPTION\"?\n(.*?)\n\.S[HS] ", text)
        if m and d:
            strip = lambda x: clean(re.sub(r"\\f.|\\|(?m:^\.\w+ ?)", "", x))
            write("package", strip(m[1]).split(" - ", 1)[-1], strip(d[1])[:300], "man")
    print(total)


def make_more(a):
    rng = random.Random(5)
    have = set(open(os.path.join(a.out, "sentences.txt")).read().split("\n"))
    asked, by = set(), {}
    for line in open(os.path.join(a.out, "pairs.tsv")):
        kind, _, q, t = line.rstrip("\n").split("\t")
        asked.update(x for x in (q, t) if x.endswith("?") and is_sentence(x, 3))
        if is_sentence(q, 3 if kind == "head" else 5):
            by.setdefault(kind, set()).add(q)
    for kind, n in (("doc", 14000), ("next", 9000), ("head", 4000), ("line", 3000)):
        asked.update(rng.sample(sorted(by[kind]), n))
    out = sorted(asked - have)
    rng.shuffle(out)
    with open(os.path.join(a.out, "more.txt"), "w") as f:
        f.write("\n".join(out) + "\n")
    print(len(out), "sentences")


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("what", choices=["sentences", "pairs", "more"])
    for o in ("mirror", "packages", "wordnet", "out"):
        p.add_argument("--" + o, required=True)
    a = p.parse_args()
    {"sentences": make_sentences, "pairs": make_pairs, "more": make_more}[a.what](a)


if __name__ == "__main__":
    main()
