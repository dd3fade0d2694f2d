"""Pages of docs/ whose tables say of each promise which test holds it.

A test is named as `Suite.Case` (GoogleTest), `name_test` (a test of ctest) or `name_test.case`: a function of a Python test,
or the first text of a row of its tables.
"""
import pathlib
import re


def read_rows(page, begin="", end=None):
    """The cells of each row of the page's tables, without heads; of the part between the two texts."""
    text = page.read_text(encoding="utf-8")
    text = text[text.index(begin):text.index(end) if end else len(text)]
    rows = []
    lines = text.splitlines()
    for line, following in zip(lines, [*lines[1:], ""]):
        is_frame = re.match(r"\|[- |]+$", line) or re.match(r"\|[- |]+$", following)
        if line.startswith("|") and not is_frame:
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def test_names(cell):
    return re.findall(r"`([\w.-]+)`", cell)


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
        """What functions and rows the Python files beside a CMakeLists.txt have, by folder."""
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
        """Named as it is, or by a loop over what stands for ${...} in a name."""
        if re.search(rf"\bNAME {re.escape(name)}\b", cmake) or re.search(rf"codexmem_test\({name}\b", cmake):
            return True
        for variable, values in re.findall(r"foreach\((\w+) ([^)]*)\)", cmake):
            for pattern in re.findall(r"\bNAME (\S*\$\{%s\}\S*)" % variable, cmake):
                if any(pattern.replace("${%s}" % variable, value) == name for value in values.split()):
                    return True
        return False
