"""The contents and the dependencies of the Debian package of a build.

Usage: package_test.py BUILD SOURCE. Made without compression in a folder of its own; nothing is
installed (tests/package/try_in_bare_root does that).
"""
import gzip
import os
import re
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE = map(os.path.abspath, sys.argv[1:3])
PROGRAMS = ["usr/bin/codexmem", "usr/bin/codexmem-hook"]
PAGES = ["usr/share/man/man1/codexmem.1.gz", "usr/share/man/man1/codexmem-hook.1.gz"]
FILES = [
    "usr/share/bash-completion/completions/codexmem",
    "usr/share/zsh/vendor-completions/_codexmem",
    "usr/share/fish/vendor_completions.d/codexmem.fish",
    "usr/share/doc/codexmem/README.md",
    "usr/share/doc/codexmem/copyright",
    "usr/share/doc/codexmem/docs/guide.md",
    "usr/share/doc/codexmem/docs/how-it-works.md",
    "usr/share/doc/codexmem/bench/performance.md",
]


def run(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        run("cpack", "-G", "DEB", "-B", cls.folder.name, "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none",
            "--config", f"{BUILD}/CPackConfig.cmake", cwd=BUILD)
        (cls.deb,) = [os.path.join(cls.folder.name, name) for name in os.listdir(cls.folder.name)
                      if name.endswith(".deb")]
        cls.root = os.path.join(cls.folder.name, "root")
        run("dpkg-deb", "-x", cls.deb, cls.root)
        cls.depends = run("dpkg-deb", "-f", cls.deb, "Depends")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def packages_of(self, library):
        """The installed Debian packages that bring LIBRARY (a soname)."""
        found = subprocess.run(["dpkg", "-S", f"*/{library}"], capture_output=True, text=True).stdout
        names = {line.split(":")[0] for line in found.splitlines()}
        # A package may go by what it provides: libspdlog1.10-fmt9.
        provided = run("dpkg-query", "-W", "-f", "${Provides}, ", *names) if names else ""
        return names | {word.split()[0] for word in provided.split(",") if word.strip()}

    def names_one_of(self, packages):
        words = set(re.split(r"[\s,|]+", self.depends))
        return bool(packages & words)

    def test_holds_programs_pages_completions_and_docs(self):
        lines = run("dpkg-deb", "-c", self.deb).splitlines()
        held = {line.split()[5].removeprefix("./"): line for line in lines}
        for name in PROGRAMS + PAGES + FILES:
            self.assertIn(name, held)
            self.assertIn(" root/root ", held[name])
            self.assertTrue(held[name].startswith("-rwxr-xr-x" if name in PROGRAMS else "-rw-r--r--"),
                            held[name])
            self.assertGreater(os.path.getsize(os.path.join(self.root, name)), 0, name)
        for name in held:
            self.assertNotIn("node_modules", name)
            self.assertFalse(name.endswith((".cxm", ".scm", ".a", ".h", "layers.txt")), name)

    def test_schemas_of_settings_are_there(self):
        for name in os.listdir(f"{SOURCE}/docs"):
            if name.endswith(".schema.json"):
                self.assertTrue(os.path.exists(f"{self.root}/usr/share/codexmem/{name}"), name)

    def test_programs_are_stripped_and_small(self):
        for name in PROGRAMS:
            path = os.path.join(self.root, name)
            sections = run("readelf", "-WS", path)
            self.assertNotIn(".symtab", sections)
            self.assertNotIn(".debug_info", sections)
            self.assertNotIn("RUNPATH", run("readelf", "-d", path))
            self.assertLess(os.path.getsize(path), 48e6, name)

    def test_depends_on_every_library_that_is_linked(self):
        for name in PROGRAMS:
            needed = re.findall(r"NEEDED.*\[(.*)\]", run("readelf", "-d", os.path.join(self.root, name)))
            self.assertTrue(needed)
            for library in needed:
                if not library.startswith("ld-linux"):
                    self.assertTrue(self.names_one_of(self.packages_of(library)),
                                    f"{library} of {name} is not in: {self.depends}")

    def test_depends_on_every_library_that_is_loaded(self):
        loaded = set()
        for folder, _, names in os.walk(f"{SOURCE}/src"):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                    text = file.read()
                if "dlopen(" in text:
                    loaded |= set(re.findall(r'"(lib[\w.+-]+\.so[.\d]*)"', text))
        self.assertTrue(loaded)
        for library in loaded:
            packages = self.packages_of(library)
            if packages:  # one of several that will do need not be on this machine
                self.assertTrue(self.names_one_of(packages), f"{library} is not in: {self.depends}")

    def test_says_whose_parts_are_in_it(self):
        with open(f"{self.root}/usr/share/doc/codexmem/copyright", encoding="utf-8") as file:
            terms = file.read()
        for grammar in os.listdir(f"{SOURCE}/grammars/node_modules"):
            if grammar.startswith("tree-sitter"):
                self.assertIn(f"---- {grammar} ----", terms)
        for package in ["d3-hierarchy", "dagre", "highlight.js", "libfaiss-dev", "nlohmann-json3-dev", "libcli11-dev",
                        "libcpp-httplib-dev", "libtomlplusplus-dev", "libprotozero-dev"]:
            self.assertIn(f"---- {package} ----", terms)

    def test_pages_are_right_roff(self):
        for page in PAGES:
            path = os.path.join(self.root, page)
            shown = subprocess.run(["man", "--warnings", "-l", path], capture_output=True, text=True,
                                   env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""})
            self.assertEqual(shown.stderr, "", page)
            self.assertEqual(shown.returncode, 0)
            for line in shown.stdout.splitlines():
                self.assertLessEqual(len(re.sub(".\b|\x1b\\[[0-9;]*m", "", line)), 80, line)
            with gzip.open(path, "rt", encoding="utf-8") as file:
                self.assertTrue(file.read().startswith(".TH CODEXMEM"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
