"""Promises of docs/contract.md: each is an item of a list, with a line below that names the tests which check it.

A test is named as `Suite.Case` (GoogleTest), `name_test` (a test of ctest) or `name_test.case`: a function of a Python test,
or the first text of a row of its tables. `name_test.{a,b}` names two.
"""
import pathlib
import re


def read_promises(page):
    """(promise, line of its tests) of each item of the page; the line is empty if there is none."""
    items = re.findall(r"^- ((?:.+\n)(?:  .+\n)*)", page.read_text(encoding="utf-8"), re.MULTILINE)
    found = []
    for item in items:
        text, _, tests = item.rstrip().rpartition("\n  ")
        found.append((" ".join(text.split()), tests) if tests.startswith("`") else (item, ""))
    return found


def test_names(line):
    names = []
    for name in re.findall(r"`([\w.{},-]+)`", line):
        before, brace, rest = name.partition("{")
        names += [before + case for case in rest.rstrip("}").split(",")] if brace else [name]
    return names


class Tests:
    """All tests of the source."""

    def __init__(self, source):
        self.cmake, self.cases, self.python = "", set(), {}
        for path in sorted(source.glob("tests/*/*")):
            if path.name == "CMakeLists.txt":
                self.cmake += path.read_text(encoding="utf-8")
                self._read_python(path)
            elif path.suffix == ".cpp":
                text = path.read_text(encoding="utf-8")
                self.cases |= {f"{suite}.{case}" for suite, case in re.findall(r"\bTEST(?:_F|_P)?\((\w+),\s*(\w+)\)", text)}

    def _read_python(self, cmake):
        """The functions and rows of the Python files next to a CMakeLists.txt, by folder."""
        text = "\n".join(path.read_text(encoding="utf-8") for path in cmake.parent.glob("*.py"))
        self.python[cmake.parent.name] = (cmake.read_text(encoding="utf-8"),
                                          set(re.findall(r"\bdef (test_\w+)\(", text)) |
                                          set(re.findall(r"^    \(\"(\w+)\",", text, re.MULTILINE)))

    def is_test(self, name):
        suite, _, case = name.partition(".")
        if not case:
            return self._is_of_ctest(suite, self.cmake)
        if not suite.endswith("_test"):
            return name in self.cases
        return any(case in cases and self._is_of_ctest(suite, cmake) for cmake, cases in self.python.values())

    @staticmethod
    def _is_of_ctest(name, cmake):
        """Named literally, or by a loop over the values of ${...} in a name."""
        if re.search(rf"\bNAME {re.escape(name)}\b", cmake) or re.search(rf"codexmem_test\({name}\b", cmake):
            return True
        for variable, values in re.findall(r"foreach\((\w+) ([^)]*)\)", cmake):
            for pattern in re.findall(r"\bNAME (\S*\$\{%s\}\S*)" % variable, cmake):
                if any(pattern.replace("${%s}" % variable, value) == name for value in values.split()):
                    return True
        return False
