"""The completions in bash, zsh and fish themselves, each asked as a person asks: with the tab key.

Usage: shells_test.py CODEXMEM.
"""
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])


class Shell:
    """A shell on a terminal of its own."""

    def __init__(self, words, env, folder):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, env)
        self.seen = ""

    def read_until(self, pattern, seconds=20):
        end = time.monotonic() + seconds
        while not re.search(pattern, self.seen):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            if not ready:
                return False
            try:
                bytes_read = os.read(self.terminal, 65536)
            except OSError:
                return False
            self.seen += re.sub("\x1b\\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r|\a", "", bytes_read.decode(errors="replace"))
        return True

    def type(self, text):
        self.seen = ""
        os.write(self.terminal, text.encode())

    def close(self):
        os.close(self.terminal)
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)


class Completions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        home = cls.folder.name
        os.mkdir(f"{home}/shop")
        with open(f"{home}/shop/cart.ts", "w", encoding="utf-8") as file:
            file.write("export function totalOfTheCart() {}\nexport class Till { openTheDrawer() {} }\n")
            # What a repository may have for names: commands, and what a shell would replace.
            file.write("class Odd { [\"zzcart;touch ran\"]() {} [\"zzcart`touch ran`\"]() {} [\"zzcart$(touch${IFS}ran)\"]() {} }\n"
                       "export function zzcartOfOthers() {}\nexport function qqpriceOf$HOME() {}\n")
        cls.shop = f"{home}/shop"
        cls.env = {"HOME": home, "TERM": "xterm", "LC_ALL": "C.UTF-8", "COLUMNS": "100",
                   "PATH": os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]}
        subprocess.run([PROGRAM, "index", "--quiet"], cwd=cls.shop, env=cls.env, check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def complete_with_tab(self, shell, cases):
        for typed, want in cases:
            # The line is left with ^U, so that each begins on an empty one.
            shell.type(typed + "\t")
            self.assertTrue(shell.read_until(want), f"{typed!r}: no {want!r} in {shell.seen!r}")
            shell.type("\x15\x0c")
            shell.read_until(r"> $")

    CASES = [
        ("codexmem sea", r"codexmem search "),
        ("codexmem memory ret", r"codexmem memory retention "),
        ("codexmem search --tes", r"search --tests "),
        ("codexmem search --tests on", r"--tests only "),
        ("codexmem search --tests=on", r"--tests=only"),
        ("codexmem search --kind class,met", r"--kind class,method"),
        ("codexmem refs totalOf", r"refs totalOfTheCart "),
        ("codexmem deps ca", r"deps cart\.ts "),
        ("codexmem symbol zzc", r"symbol zzcartOfOthers "),
        ("codexmem -C ", r"shop"),
    ]

    @unittest.skipUnless(shutil.which("bash"), "no bash")
    def test_bash(self):
        shell = Shell(["bash", "--norc", "--noprofile", "-i"], {**self.env, "PS1": "> "}, self.shop)
        self.addCleanup(shell.close)
        shell.read_until("> $")
        shell.type("bind 'set enable-bracketed-paste off'; source <(codexmem completion bash); cd .; echo re''ady\n")
        self.assertTrue(shell.read_until("ready\n> $"), shell.seen)
        self.complete_with_tab(shell, self.CASES[:-1] + self.QUOTED)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        shell = Shell(["zsh", "-f", "-i"], {**self.env, "PS1": "> ", "PROMPT": "> "}, self.shop)
        self.addCleanup(shell.close)
        shell.type("unsetopt zle_bracketed_paste prompt_sp; PROMPT='> '; autoload -U compinit; compinit -u; "
                   "source <(codexmem completion zsh); echo re''ady\n")
        self.assertTrue(shell.read_until("ready\n"), shell.seen)
        self.complete_with_tab(shell, self.CASES[:-1] + self.QUOTED)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_loads_it_from_its_folder(self):
        functions = f"{self.folder.name}/functions"
        os.mkdir(functions)
        with open(f"{functions}/_codexmem", "w", encoding="utf-8") as file:
            subprocess.run([PROGRAM, "completion", "zsh"], stdout=file, check=True)
        shell = Shell(["zsh", "-f", "-i"], {**self.env, "PS1": "> "}, self.shop)
        self.addCleanup(shell.close)
        shell.type(f"fpath=({functions} $fpath); PROMPT='> '; autoload -U compinit; compinit -u; echo re''ady\n")
        self.assertTrue(shell.read_until("ready\n"), shell.seen)
        self.complete_with_tab(shell, self.CASES[:3])

    # The shell's own quoting of a name; fish is asked on a terminal for this one.
    QUOTED = [("codexmem symbol qqp", r"symbol qqpriceOf\\\$HOME ")]

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_quotes(self):
        shell = Shell(["fish", "--no-config", "--private", "-i"], self.env, self.shop)
        self.addCleanup(shell.close)
        shell.type("function fish_prompt; printf '> '; end; codexmem completion fish | source; echo re''ady\n")
        self.assertTrue(shell.read_until("ready\n"), shell.seen)
        self.complete_with_tab(shell, self.QUOTED)

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish(self):
        for typed, want in self.CASES[:-1]:
            asked = subprocess.run(
                ["fish", "--no-config", "-c", "codexmem completion fish | source; complete -C $argv[1]", typed],
                cwd=self.shop, env=self.env, capture_output=True, text=True, check=False)
            self.assertEqual(asked.stderr, "")
            last = want.split(" ")[-2 if want.endswith(" ") else -1]
            self.assertRegex(asked.stdout, f"(?m)^{last}(\t|$)", typed)
            self.assertNotRegex(asked.stdout, r"(?m)^zzcart[^\t]*[;`$]")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
