"""Every command of the program in a terminal (a pty), in a repository whose names would steer it.

Usage: hostile_names_test.py CODEXMEM. Files, symbols, texts, branches, authors, memories, decisions and
projects bear control characters, marks of direction and line breaks. Nothing of that may reach the
terminal but as U+FFFD, or in JSON as an escape, and no name begins a line of its own.
"""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from commands import Commands  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])

# What a name has in it; OWNLINE begins the line that a break would begin.
HOSTILE = "\x1b]0;T\x07\x1b[31m\x9b31m\u0085\u202e\u2066\u200f\u061c\u2028\ufeff\U000e0041\x7f"
BROKEN = "x\nOWNLINE\rOWNLINE"
RAW = b"\x9b31m"  # not UTF-8
# The colours that Console itself writes, and how a status line is drawn.
OWN = re.compile(rb"\x1b\[(?:0|1|2|31|1;31|32|35|36)m|\r\x1b\[K|\r(?=[^\n]*\x1b\[K)|\x1b\[K")
DIRECTION = "\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"


class HostileNames(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-names-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.root = self.folder / ("repo" + HOSTILE)
        (self.root / "src").mkdir(parents=True)
        self.environment = {"HOME": str(self.folder / "home"), "CODEXMEM_DATA_DIR": str(self.folder / "data"), "TERM": "xterm-256color", "CODEXMEM_PAGER": "cat",
                            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "CODEXMEM_LOG": "debug", "GIT_CONFIG_NOSYSTEM": "1"}
        (self.folder / "home").mkdir()
        text = (f'/** Doc {HOSTILE} of it. */\nexport function helper(word = "{HOSTILE}"): number {{ return 1; }}\n'
                f"export const evil = 'x{HOSTILE}helper';\n")
        (self.root / "src/a.ts").write_text(text)
        self.name = f"b{HOSTILE}{BROKEN}.ts"
        (self.root / "src" / self.name).write_text('import { helper, gone } from "./a";\nexport const b = helper() + gone();\n')
        (self.root / "src/c.py").write_text(f'"""Doc {HOSTILE}"""\ndef helper_in_python():\n    return "{HOSTILE}"\n')
        (self.root / "docs").mkdir()
        (self.root / "docs/page.md").write_text(f"# Title {HOSTILE} helper\n\nText {HOSTILE} helper\n")
        os.mkfifo(self.root / f"fifo{BROKEN}")
        with open(os.fsencode(self.root) + b"/raw" + RAW, "w", encoding="utf-8") as file:
            file.write("helper\n")
        (self.root / "codexmem.json").write_text(json.dumps({f"modle{HOSTILE}{BROKEN}": HOSTILE}))
        (self.root / ".mcp.json").write_text(json.dumps({"mcpServers": {"codexmem": {"command": "sh", "args": [HOSTILE + BROKEN]}}}))
        git = ["git", "-C", str(self.root), "-c", f"user.name=A{HOSTILE}", "-c", "user.email=a@b", "-c", "core.quotePath=false"]
        for words in [["init", "-q", "-b", "main\u202e\u009b"], ["add", "-A"], ["commit", "-qm", f"subject {HOSTILE}"],
                      ["remote", "add", "origin", f"https://example.org/{HOSTILE}x"]]:
            subprocess.run([*git, *words], check=True, capture_output=True, env={**os.environ, "HOME": str(self.folder / "home")})
        (self.root / "src/a.ts").write_text(text + "// other\n")
        self.query = f"helper {HOSTILE}"

    def in_terminal(self, words, text, seconds=60):
        """What the command line wrote to a terminal that is standard output and standard error."""
        master, slave = pty.openpty()
        source = tempfile.TemporaryFile()
        source.write(text.encode())
        source.seek(0)
        process = subprocess.Popen([PROGRAM, *words], stdin=source, stdout=slave, stderr=slave, cwd=self.root, env=self.environment,
                                   start_new_session=True)
        os.close(slave)
        out = b""
        end = time.monotonic() + seconds
        if words[:2] == ["worker", "run"]:
            end = time.monotonic() + 5
        asked = False
        while True:
            if time.monotonic() > end and not asked:
                os.kill(process.pid, signal.SIGTERM)
                asked, end = True, time.monotonic() + 10
            self.assertFalse(asked and time.monotonic() > end, words)
            if not select.select([master], [], [], 0.2)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                got = os.read(master, 65536)
            except OSError:  # the last who had the terminal is gone
                break
            if not got:
                break
            out += got
        process.wait()
        source.close()
        os.close(master)
        return out.replace(b"\r\n", b"\n")  # as the terminal's driver writes a line break

    def assert_harmless(self, out, words):
        rest = OWN.sub(b"", out)
        bad = re.findall(rb".{0,30}[\x00-\x08\x0b-\x1f\x7f].{0,30}", rest)
        self.assertEqual(bad, [], words)
        try:
            text = rest.decode()
        except UnicodeDecodeError as error:
            self.fail(f"{words}: {error}")
        for character in text:
            self.assertFalse("\u0080" <= character <= "\u009f" or character in DIRECTION or "\U000e0000" <= character <= "\U000e007f",
                             (words, hex(ord(character)), [line for line in text.splitlines() if character in line][:1]))
        for line in text.split("\n"):
            self.assertFalse(line.lstrip().startswith("OWNLINE"), (words, text[:2000]))

    def test_no_command_lets_a_name_steer_the_terminal(self):
        commands = Commands(PROGRAM, self.environment, file=f"src/{self.name}", symbol="helper", query=self.query)
        named = Commands(PROGRAM, self.environment, file="src/a.ts", symbol=f"p{HOSTILE}{BROKEN}", query=self.query)
        request = [{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": HOSTILE, "version": "1"}}},
                   {"jsonrpc": "2.0", "method": "notifications/initialized"},
                   {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "search_code", "arguments": {"query": "helper"}}}]
        served = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in request)
        self.environment["AGENT_MEMORY_SECRET"] = "s3cret-of-the-test"
        shown = b""
        for words in [*commands.lines, *named.lines]:
            out = self.in_terminal(words, served if words == ["serve"] else commands.input)
            self.assert_harmless(out, words)
            shown += out
        for word in [b"helper", b"\xef\xbf\xbd", b"\\u009b", b"\x1b[35m", b"search_code"]:
            self.assertIn(word, shown)

    def test_a_pipe_has_the_same_and_json_has_it_all(self):
        run = lambda *words: subprocess.run([PROGRAM, *words], cwd=self.root, env={**self.environment, "CODEXMEM_LOG": "off"},
                                            capture_output=True, check=False).stdout
        run("index")
        paths = [row["file"]["path"] for row in json.loads(run("refs", "helper", "--json"))]
        self.assertIn(f"src/{self.name}", paths)
        self.assert_harmless(run("refs", "helper", "--json"), "json")
        self.assert_harmless(run("refs", "helper"), "pipe")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
