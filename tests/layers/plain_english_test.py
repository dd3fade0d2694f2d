"""Texts for users must not contain the turns of phrase that newcomers stumbled over.

Read are the string literals of src (messages, help, tool descriptions), the texts of the page and the
user's pages: README.md, docs/*.md, docs/clients, docs/reference. Comments and design notes are not.

Usage: plain_english_test.py SOURCE
"""
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv[1])

# The pattern, and what to write in its place.
PHRASES = [
    (r"(?<!there )(?<!There )\b(?:is|are) no (?!longer\b|more\b|one\b)", "X is not a Y; there is no Y"),
    (r"\btold\b", "named, listed, shown, sent"),
    (r"(?<!it )(?<!them )(?<!stand )(?<!leaves )\balone\b", "only"),
    (r"\bstands? (?:in|on|before|behind|there)\b", "is in, is on"),
    (r"\b[Ww]hoever\b", "anyone who"),
    (r"\bwhat to do stands\b", "the fix is after"),
    (r"\bin vain\b", "without success"),
    (r"\bwhich is none of\b", "which is not one of"),
]

LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'',
    re.S)


def literals(text):
    """(line, text) of each string literal of C++ or JavaScript; neighbours with only space between are one."""
    found, end = [], None
    for match in LITERAL.finditer(text):
        value = match["raw"] if match["text"] is None else match["text"]
        if value is None:
            continue
        if end is not None and not text[end:match.start()].strip():
            found[-1][1] += value
        else:
            found.append([text.count("\n", 0, match.start()) + 1, value])
        end = match.end()
    return found


def is_sql(text):
    return re.search(r"\b(?:SELECT|CREATE|INSERT|UPDATE|DELETE)\b", text)


def paragraphs(text):
    """(line, text) of each paragraph of a page, without its code blocks and `code`."""
    found, line = [], 1
    for paragraph in re.split(r"(\n\s*\n)", text):
        prose = re.sub(r"```.*?```|`[^`]*`", "", paragraph, flags=re.S)
        prose = "\n".join(row for row in prose.split("\n") if not row.startswith("    "))
        found.append((line, " ".join(prose.split())))
        line += paragraph.count("\n")
    return found


def stumbles(texts):
    return [f"{where}: \"{match[0]}\" in \"{text[max(0, match.start() - 50):match.end() + 40]}\": {instead}"
            for where, text in texts for pattern, instead in PHRASES
            if (match := re.search(pattern, text))]


class PlainEnglish(unittest.TestCase):
    maxDiff = None

    def test_the_patterns_find_what_they_are_for(self):
        for text in ["/tmp is no repository", "what was not checked is told", "this machine alone", "it stands in the index",
                     "whoever asks", "what to do stands behind >"]:
            self.assertTrue(stumbles([("", text)]), text)
        for text in ["there is no index", "it is no longer set", "retention leaves it alone", "a standing rule"]:
            self.assertEqual(stumbles([("", text)]), [])

    def test_messages_help_and_descriptions(self):
        texts = [(f"{path.relative_to(SOURCE)}:{line}", text)
                 for pattern in ("*.cpp", "*.h") for path in sorted((SOURCE / "src").rglob(pattern))
                 for line, text in literals(path.read_text(encoding="utf-8")) if not is_sql(text)]
        self.assertGreater(len(texts), 5000)
        self.assertEqual("\n".join(stumbles(texts)), "")

    def test_the_page(self):
        texts = [(f"{path.relative_to(SOURCE)}:{line}", text)
                 for path in sorted((SOURCE / "src/serve/viewer").rglob("*.js")) if "node_modules" not in path.parts
                 for line, text in literals(re.sub(r"`", '"', re.sub(r"\$\{[^{}]*\}", "$", path.read_text(encoding="utf-8")))) if " " in text]
        self.assertGreater(len(texts), 200)
        self.assertEqual("\n".join(stumbles(texts)), "")

    def test_pages_for_users(self):
        pages = [SOURCE / "README.md", *(SOURCE / "docs").glob("*.md"), *(SOURCE / "docs/clients").glob("*.md"),
                 *(SOURCE / "docs/reference").glob("*.md")]
        texts = [(f"{page.relative_to(SOURCE)}:{line}", text)
                 for page in sorted(pages) if page.name != "style.md"
                 for line, text in paragraphs(page.read_text(encoding="utf-8"))]
        self.assertEqual("\n".join(stumbles(texts)), "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
