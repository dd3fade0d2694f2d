"""Every link of the Markdown pages leads somewhere, the commands that they show exist, and the guide is short.

Usage: docs_test.py SOURCE
"""
import pathlib
import re
import sys
import unittest
import urllib.parse

SOURCE = pathlib.Path(sys.argv[1]).resolve()
FOLDERS = ("docs", "bench", "testdata", "tests", "scripts", "src")
MAX_WORDS = {
    "README.md": 700,
    "docs/guide.md": 3000,
    "docs/security.md": 3000,
    "docs/contract.md": 4500,
    "docs/how-it-works.md": 10000,
}
# What the package installs (cmake/packaging/codexmem_install.cmake): a link to any other file would dangle there.
INSTALLED = re.compile(r"README\.md|docs|bench|docs/(?!.*\.schema\.json|layers\.txt).*|bench/[^/]*\.md")


def pages():
    found = list(SOURCE.glob("*.md"))
    for folder in FOLDERS:
        found += (path for path in (SOURCE / folder).rglob("*.md") if "node_modules" not in path.parts)
    return sorted(found)


def without_code(text):
    """The text without blocks in ``` and code in backticks; lines stay where they are."""
    text = re.sub(r"^(```+).*?^\1", lambda block: "\n" * block[0].count("\n"), text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(    |\t).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)


def links(text):
    """(line, target) of each link and picture."""
    for number, line in enumerate(without_code(text).splitlines(), 1):
        for target in re.findall(r"\]\(([^()\s]+)(?: \"[^\"]*\")?\)", line):
            yield number, target
        for target in re.findall(r"(?:src|href|srcset)=\"([^\"]+)\"", line):
            yield number, target


def anchors(text):
    """The names by which a page's headings can be linked, as GitHub makes them."""
    seen, found = {}, set()
    text = re.sub(r"^(```+).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#{1,6} +(.+?)\s*#*$", text, re.MULTILINE):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        found.add(f"{name}-{count}" if count else name)
    return found | set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))


def fault_of(page, target, source):
    """The problem with a link of `page`, or None."""
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = urllib.parse.unquote(target).partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.is_relative_to(source):
        return "leads out of the repository"
    if not file.exists():
        return "there is no such file"
    name, from_name = file.relative_to(source).as_posix(), page.relative_to(source).as_posix()
    if INSTALLED.fullmatch(from_name) and not INSTALLED.fullmatch(name):
        return "is not in the package: write its name without a link"
    if anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
        return "the page has no such heading"
    return None


class Links(unittest.TestCase):
    def test_each_leads_somewhere(self):
        faults = []
        for page in pages():
            for line, target in links(page.read_text(encoding="utf-8")):
                fault = fault_of(page, target, SOURCE)
                if fault:
                    faults.append(f"{page.relative_to(SOURCE)}:{line}: {target}: {fault}")
        self.assertEqual(faults, [])

    def test_each_page_is_in_the_index(self):
        index = SOURCE / "docs/README.md"
        linked = {(index.parent / target.partition("#")[0]).resolve() for _, target in links(index.read_text(encoding="utf-8"))}
        folders = {path.parent for path in linked if path.name == "README.md"}  # one that has an index of its own
        wanted = [page for page in pages() if SOURCE / "docs" in page.parents or page.parent == SOURCE / "bench"]
        missing = [str(page.relative_to(SOURCE)) for page in wanted
                   if page not in linked | {index} and page.parent not in folders]
        self.assertEqual(missing, [])

    def test_sections_that_sources_name_exist(self):
        named = {}
        for file in (SOURCE / "src").rglob("*.*"):
            if file.suffix in (".h", ".cpp", ".js") and "node_modules" not in file.parts:
                text = re.sub(r"\s*\n\s*//+\s*", " ", file.read_text(encoding="utf-8"))
                for page, section in re.findall(r"(docs/[\w-]+\.md), \"([^\"\n]+)\"", text):
                    named.setdefault((page, section), file.name)
        self.assertGreater(len(named), 20)
        headings = {page: re.findall(r"^#+ (.+)$", (SOURCE / page).read_text(encoding="utf-8"), re.MULTILINE)
                    for page, _ in named}
        self.assertEqual({name: file for name, file in named.items() if name[1] not in headings[name[0]]}, {})

    def test_mistakes_are_found(self):
        page = SOURCE / "docs/README.md"
        for target in ("nothing.md", "guide.md#nothing", "../../etc/passwd", "../CMakeLists.txt"):
            self.assertIsNotNone(fault_of(page, target, SOURCE), target)
        self.assertIsNone(fault_of(page, "guide.md#check-in-ci", SOURCE))
        self.assertEqual(list(links("a [b](c.md) `[d](e.md)`\n\n    [f](g.md)\n\n![h](i.png)\n")), [(1, "c.md"), (5, "i.png")])


def known_commands():
    """Options by command, "codexmem memory save", as docs/reference/commands.md has them."""
    commands = {}
    for section in (SOURCE / "docs/reference/commands.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        options = re.findall(r"^- `((?:-[^`]*))`", section, re.MULTILINE)
        options += re.findall(r"^\[Also\].*", section, re.MULTILINE)
        commands[section.partition("\n")[0]] = {word for each in options for word in re.findall(r"--?[\w-]+", each)}
    return commands


def shown_commands(text):
    """The command lines of the program in blocks and between backticks; "..." or a variable ends one."""
    text = text.replace("\\\n", " ")
    blocks = "\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    lines = re.findall(r"^(?:\$ )?(codexmem [^\n]*)", blocks, re.MULTILINE)
    lines += re.findall(r"^ {4}(codexmem [^\n]*)", text, re.MULTILINE)
    for line in [*lines, *re.findall(r"`(codexmem [^`]*)`", text)]:
        yield re.split(r"\s#|\s>|\s\||&&|;|  +", line)[0]


def fault_of_command(line, commands):
    words = [word.strip("'\"()[],") for word in line.split()]
    while words[1:2] == ["-C"]:
        del words[1:3]
    name = next((name for name in (" ".join(words[:3]), " ".join(words[:2])) if name in commands), None)
    if name is None:
        return None if len(words) < 2 or not re.fullmatch(r"[a-z]+", words[1]) else f"there is no {' '.join(words[:2])}"
    known = commands[name] | {"--help", "-h", "-C", "--"}
    for word in words:
        option = re.match(r"--?[a-z][\w-]*", word)
        if option and option[0] not in known:
            return f"{name} has no {option[0]}"
    return None


class Commands(unittest.TestCase):
    def test_those_that_are_shown_exist(self):
        commands = known_commands()
        self.assertGreater(len(commands), 40)
        faults = []
        for page in pages():
            if SOURCE / "docs" not in page.parents and page.parent != SOURCE or page.name == "commands.md":
                continue
            for line in shown_commands(page.read_text(encoding="utf-8")):
                fault = fault_of_command(line, commands)
                if fault:
                    faults.append(f"{page.relative_to(SOURCE)}: {line}: {fault}")
        self.assertEqual(faults, [])

    def test_mistakes_are_found(self):
        commands = known_commands()
        for line in ("codexmem serch", "codexmem search --wrong", "codexmem memory save --since x", "codexmem -C /tmp nothing"):
            self.assertIsNotNone(fault_of_command(line, commands), line)
        for line in ("codexmem search 'x' --limit 5", "codexmem memory save x --title y", "codexmem -C /tmp status --json"):
            self.assertIsNone(fault_of_command(line, commands), line)


class Words(unittest.TestCase):
    def test_pages_for_users_are_short(self):
        for name, most in MAX_WORDS.items():
            with self.subTest(page=name):
                self.assertLessEqual(len((SOURCE / name).read_text(encoding="utf-8").split()), most)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
