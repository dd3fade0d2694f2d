#!/usr/bin/env python3
"""Makes a set of queries for search_bench from the doc comments of repositories: sentence -> the function it describes.

usage: docstring_queries.py OUT CHECKOUTS NAME=FOLDER:LANGUAGE ...   (python, typescript, go, rust, java)

Draws at most 60 documented functions, methods and classes of CHECKOUTS/NAME/FOLDER, three of a file; none of tests,
examples or generated files. The query is the first sentence of the doc comment without the words of the name. The doc
comments of what was drawn are taken out of a copy, OUT/trees/NAME, and a sentence that the repository has twice is not
drawn, so nothing is found by the sentence itself. Then: search_bench OUT OUT/trees
"""

import ast
import os
import random
import re
import shutil
import sys
from collections import Counter
from pathlib import Path

MOST_QUERIES, MOST_OF_A_FILE = 60, 3
LEAST_DOC_WORDS, LEAST_SENTENCE_WORDS, LEAST_QUERY_WORDS, LEAST_CONTENT_WORDS, LEAST_LINES = 8, 6, 5, 3, 3
MOST_QUERY_LETTERS, MOST_FILE_BYTES = 300, 2_000_000
ENDINGS = {"python": (".py",), "typescript": (".ts", ".tsx"), "go": (".go",), "rust": (".rs",), "java": (".java",)}
TEXT = tuple(ending for endings in ENDINGS.values() for ending in endings) + (
    ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".c", ".h", ".cc", ".cpp", ".hpp", ".rb", ".kt", ".md", ".mdx", ".rst", ".txt")
IGNORED = (".git", ".codexmem", "node_modules", "vendor", "third_party", "dist", "build", "target", "__pycache__")
NOT_PRODUCT = re.compile(
    r"(^|/)(_?tests?|testing|testdata|__tests__|spec|fixtures|_?examples?|samples?|demos?|docs?|bench\w*|playground|migrations|"
    r"generated)/|(^|/)(test_|conftest)|([._-](test|spec)|_test|\.d|_pb2?|\.pb)\.\w+$", re.I)
STOP_WORDS = set("a an and are as at be been by can for from if in is it its may no not of on or that the these this those to was "
                 "were will with".split())

DOC = {"go": re.compile(r"(?:^//.*\n)+", re.M), "rust": re.compile(r"(?:^[ \t]*///(?!/).*\n)+", re.M)}
DOC["typescript"] = DOC["java"] = re.compile(r"^[ \t]*/\*\*(?!/)[\s\S]*?\*/[ \t]*\n", re.M)
NOT_CODE = {
    "go": r"`[^`]*`|'(?:\\.|[^'\\\n])+'",
    "rust": r'r(?P<h>#*)"[\s\S]*?"(?P=h)|\'(?:\\[^\n]+?|[^\'\\\n])\'',
    "java": r'"""[\s\S]*?"""|\'(?:\\.|[^\'\\\n])+\'',
    "typescript": r"`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'"}
NOT_CODE = {name: re.compile(r'//[^\n]*|/\*[\s\S]*?\*/|' + own + r'|"(?:\\[\s\S]|[^"\\])*"') for name, own in NOT_CODE.items()}
DECLARATION = {
    "go": re.compile(r"func\s+(?:\([^)]*\)\s*)?(\w+)\s*[\[(]|type\s+(\w+)(?:\[.*?\])?\s+(?:struct|interface)\b"),
    "rust": re.compile(r"(?:(?:pub(?:\(.*?\))?|default|async|const|unsafe|extern(?:\s+\S+)?)\s+)*(?:fn|struct|enum|trait|union)\s+(\w+)"),
    "java": re.compile(r"(?:[a-z-]+\s+)*?(?:class|interface|enum|record)\s+(\w+)|"
                       r"(?!return|new|throw|else)(?:[a-z]+\s+)*(?:<[^(]*?>\s*)?[\w.]+(?:<[^()=]*>)?(?:\[\])*\s+(\w+)\s*\("),
    "typescript": re.compile(
        r"(?:(?:export|default|declare|abstract|public|private|protected|static|async|override|get|set)\s+)*(?:function\b\s*\*?\s*([\w$]+)|"
        r"class\s+([\w$]+)|const\s+([\w$]+)[^=\n]*=\s*(?:async\s*)?(?:<.*?>\s*)?(?:\(|function)|(?!(?:if|for|while|switch|catch|"
        r"return|new|throw|await|function|constructor|super)\b)\*?([\w$]+)\s*(?:<[^(]*>)?\()")}
BEFORE_DECLARATION = re.compile(r"[ \t]*(?:@(?!interface)[\w.]+|#\[|//|\n)")


def blanked(text, language):
    """The text with comments and literals as spaces, at the same places."""
    return NOT_CODE[language].sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def closing(code, at):
    """Where the bracketed groups that begin after `at` on its line are closed: the end of that line."""
    depth = 0
    for at in range(at, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if code[at] == "\n" and depth <= 0:
            break
    return at


def end_of_body(code, at):
    """The end of the first braces outside other brackets, or None: a declaration without a body."""
    depth, in_body = 0, False
    for at in range(at, len(code)):
        if code[at] in "([{":
            in_body = in_body or code[at] == "{" and depth == 0
            depth += 1
        elif code[at] in ")]}":
            depth -= 1
            if depth < 0 or in_body and depth == 0:
                return at if in_body and depth == 0 else None
        elif code[at] == ";" and depth == 0:
            return None
    return None


def documented_with_braces(text, language):
    """Yields name, doc text, first and last line of the doc comment, of the declaration and of its body."""
    code = blanked(text, language)
    line_of = lambda at: text.count("\n", 0, at) + 1
    for doc in DOC[language].finditer(text):
        at = doc.end()
        while (before := BEFORE_DECLARATION.match(text, at)) and before[0] != "\n":
            at = closing(code, before.start()) + 1
        start = re.compile(r"[ \t]*").match(text, at).end()
        declared = DECLARATION[language].match(text, start)
        end = declared and end_of_body(code, start)
        if not end:
            continue
        name = next(group for group in declared.groups() if group)
        words = re.sub(r"(?m)^[ \t]*(?:/\*\*|///?|\*(?!/))? ?|\*/[ \t]*$", "", doc[0])
        yield name, words, line_of(doc.start()), line_of(doc.end() - 1), line_of(start), line_of(end)


def documented_in_python(text):
    """The same of Python, whose docstrings lie within the definitions."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    waiting = [tree]
    while waiting:
        for node in ast.iter_child_nodes(waiting.pop()):
            if isinstance(node, (ast.ClassDef, ast.If, ast.Try)):
                waiting.append(node)
            if isinstance(node, kinds) and len(node.body) > 1 and ast.get_docstring(node):
                doc = node.body[0]
                if node.lineno < doc.lineno and doc.end_lineno < node.body[1].lineno:
                    yield node.name, ast.get_docstring(node), doc.lineno, doc.end_lineno, node.lineno, node.end_lineno


def without_markup(text):
    text = re.sub(r"```[\s\S]*?```", " ", text)
    text = re.sub(r"\{@\w+\s+([^}|]*)[^}]*\}", r"\1", text)
    text = re.sub(r":[\w:.+-]+:`[~!]?([^`<]*)[^`]*`", r"\1", text)
    text = re.sub(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    return re.sub(r"</?[a-zA-Z][^>\n]*>|[`*]+", " ", text)


def plain_words(text):
    return " ".join(re.findall(r"[a-z0-9]+", without_markup(text).lower()))


def first_sentence(doc):
    paragraph = re.split(r"\n\s*\n|\n\s*[@:#]", doc.strip())[0]
    text = " ".join(without_markup(paragraph).split())
    return re.sub(r"\s+([.,:;)])", r"\1", re.split(r"(?<=[.!?:])\s+(?=[A-Z\"'])", text)[0]).rstrip(".:!? ")


def parts_of(word):
    return [part.lower() for part in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", word)]


def stem(word):
    return re.sub(r"(?<=\w{3})(?:ations?|ings?|ies|[eo]rs?|ed|es|s|e|y)$", "", word)


def is_related(word, other):
    one, two = sorted((stem(word), stem(other)), key=len)
    return one == two or len(one) >= 4 and two.startswith(one)


def query_of(sentence, name):
    """The sentence without the words of the name."""
    own = [part for part in parts_of(name) if len(part) > 1]
    words = [word.strip("'./-") for word in re.findall(r"[A-Za-z][\w'./-]*", sentence)]
    return [word for word in words if word and (
        word.lower() in STOP_WORDS or not any(is_related(part, name_part) for part in parts_of(word) for name_part in own))]


def is_fit(name, doc, sentence, query, lines):
    content = [word for word in query if word.lower() not in STOP_WORDS]
    return (len(doc.split()) >= LEAST_DOC_WORDS and len(sentence.split()) >= LEAST_SENTENCE_WORDS and lines >= LEAST_LINES and
            len(query) >= LEAST_QUERY_WORDS and len(content) >= LEAST_CONTENT_WORDS and len(" ".join(query)) <= MOST_QUERY_LETTERS and
            not re.match(r"__|test", name, re.I) and not re.search(r"deprecated|internal use", doc[:200], re.I))


def texts_of(tree):
    """The texts of the tree by path."""
    found = {}
    for folder, folders, names in os.walk(tree):
        folders[:] = sorted(name for name in folders if name not in IGNORED)
        for path in (Path(folder) / name for name in sorted(names)):
            if path.suffix in TEXT and not path.is_symlink() and path.stat().st_size <= MOST_FILE_BYTES:
                found[str(path.relative_to(tree))] = path.read_text(errors="replace").replace("\r\n", "\n")
    return found


def draw(texts, language):
    """Which definitions are asked for: (path, query, doc's lines, definition's lines)."""
    found, names = [], Counter()
    for path, text in texts.items():
        if not path.endswith(ENDINGS[language]) or NOT_PRODUCT.search(path):
            continue
        documented = documented_in_python(text) if language == "python" else documented_with_braces(text, language)
        for name, doc, doc_first, doc_last, first, last in documented:
            sentence = first_sentence(doc)
            query = query_of(sentence, name)
            names[path, name] += 1
            lines = last - first + 1 - (doc_last - doc_first + 1 if language == "python" else 0)
            if is_fit(name, doc, sentence, query, lines):
                found.append((path, name, query, sentence, (doc_first, doc_last), (first, last)))
    random.Random(7).shuffle(found)
    everything = "\n".join(plain_words(text) for text in texts.values())
    drawn, of_file = [], Counter()
    for path, name, query, sentence, doc, lines in found:
        beginning = " ".join(plain_words(sentence).split()[:10])
        if (len(drawn) < MOST_QUERIES and of_file[path] < MOST_OF_A_FILE and names[path, name] == 1 and
                everything.count(beginning) == 1):
            drawn.append((path, " ".join(query), doc, lines))
            of_file[path] += 1
    return sorted(drawn)


def make(tree, copy, language):
    """Writes the copy without the doc comments; returns the rows of annotations."""
    texts = texts_of(tree)
    drawn = draw(texts, language)
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(tree, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".codexmem"))
    gone = {}
    for path, _, (first, last), _ in drawn:
        gone.setdefault(path, set()).update(range(first, last + 1))
    for path, lines in gone.items():
        kept = [line for number, line in enumerate(texts[path].split("\n"), 1) if number not in lines]
        (copy / path).write_text("\n".join(kept))
    moved = lambda path, line: line - sum(number < line for number in gone[path])
    return [f"function\t{query}\t{path}:{moved(path, first)}-{moved(path, last)}\t\n" for path, query, _, (first, last) in drawn]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    out, checkouts = Path(sys.argv[1]), Path(sys.argv[2])
    (out / "annotations").mkdir(parents=True, exist_ok=True)
    rows = []
    for argument in sys.argv[3:]:
        name, _, rest = argument.partition("=")
        folder, _, language = rest.partition(":")
        if language not in ENDINGS:
            sys.exit(f"{argument}: the language must be one of {', '.join(ENDINGS)}")
        annotations = make(checkouts / name / folder, out / "trees" / name, language)
        (out / "annotations" / f"{name}.tsv").write_text("".join(annotations))
        rows.append("\t".join((name, name, "0", "0", language, ".", "docstring")) + "\n")
        print(f"{name}: {len(annotations)} queries")
    (out / "repos.tsv").write_text("".join(rows))


if __name__ == "__main__":
    main()
