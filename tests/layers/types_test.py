#!/usr/bin/env python3
"""What one of the two compilers or the linker would let pass: two types of one name in a namespace (the linker takes
the functions of one for both, and says nothing), and algorithms that clang 14, the sanitizers' compiler, cannot compile.

  tests/layers/types_test.py .
"""

import collections
import pathlib
import re
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else ".")

RAW = re.compile(r'R"(\w*)\(.*?\)\1"', re.S)
SILENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'", re.S)
NAMESPACE = re.compile(r"(?:^|\s)namespace\s*([\w:]*)\s*$")
TYPE = re.compile(r"(?:^|\s)(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)(?:\s+final)?\s*(?::[^:].*)?$", re.S)


def types_of(text):
    """The types of named namespaces, with the namespace; one by one."""
    open_braces, head = [], ""
    for piece in re.findall(r"[{};]|[^{};]+", SILENT.sub(" ", RAW.sub('""', text))):
        if piece == "{":
            namespace, kind = NAMESPACE.search(head.strip()), TYPE.search(head.strip())
            if kind and all(open_braces):
                yield "::".join([*open_braces, kind.group(1)])
            open_braces.append(namespace.group(1) if namespace else "")
        elif piece == "}" and open_braces:
            open_braces.pop()
        head = piece if piece not in "{};" else ""


class Types(unittest.TestCase):
    def test_each_has_a_name_of_its_own(self):
        files = collections.defaultdict(list)
        for path in sorted((SOURCE / "src").rglob("*.*")):
            if path.suffix in (".h", ".cpp"):
                for name in types_of(path.read_text(encoding="utf-8")):
                    files[name].append(str(path.relative_to(SOURCE)))
        self.assertGreater(len(files), 1000)
        self.assertEqual({name: paths for name, paths in files.items() if len(paths) > 1}, {})

    def test_no_range_algorithm_returns_a_subrange(self):
        subranges = re.compile(r"std::ranges::(?:unique|remove|remove_if|partition|stable_partition|rotate|equal_range"
                               r"|search|search_n|find_end)\b|std::views::")
        found = {str(path.relative_to(SOURCE)): used.group()
                 for folder in ("src", "tests", "bench")
                 for path in (SOURCE / folder).rglob("*.[ch]*") if path.suffix in (".h", ".cpp")
                 if (used := subranges.search(SILENT.sub(" ", path.read_text(encoding="utf-8"))))}
        self.assertEqual(found, {})


if __name__ == "__main__":
    unittest.main()
