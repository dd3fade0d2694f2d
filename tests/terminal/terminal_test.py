"""Every command and its common errors in terminals of 80 and 120 columns, dark and light (tmux), and into pipes.

Usage: terminal_test.py CODEXMEM [--show]. --show prints the transcript to look at. Checked is what a program
can see: exit codes, no line wider than the terminal that is not the user's own text, errors that begin as they
should, no colours where none are wanted, and that Ctrl-C ends what runs.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
SHOW = "--show" in sys.argv

CART = '''import { priceOf, roundedToFullCents, withTheDiscountOfThe, currencyOfTheShop } from "./prices";

/** Adds up what lies in the cart, with its discount. */
export function totalOfTheCart(items: string[]): number {
  return roundedToFullCents(items.reduce((sum, item) => sum + priceOf(item, currencyOfTheShop), 0) * 0.9);
}
'''
PRICES = '''export const currencyOfTheShop = "EUR";
export function priceOf(item: string, currency: string): number { return item.length; }
export function roundedToFullCents(sum: number): number { return Math.round(sum * 100) / 100; }
export function withTheDiscountOfThe(sum: number): number { return sum; }
'''

# Files that import each other, a signature and a comment that are wide, a line behind tabs.
STEP = '''import {{ the_{other}_step }} from "./{other}_step_of_the_checkout";
/** The {this} step of the checkout, which asks for the {other} one and comes before all others there are. */
export function the_{this}_step(address_of_the_customer: string, voucher_of_the_spring_sale: string | null): boolean {{
\t\treturn address_of_the_customer > voucher_of_the_spring_sale && the_{other}_step(voucher_of_the_spring_sale, null);
}}
'''
LONG_TITLE = "What a person wrote above a memory without a thought of the width that a terminal happens to have"

# (command line, exit code). Other tests check the contents of the answers.
LINES = [
    ("codexmem", 2),
    ("codexmem --help", 0),
    ("codexmem serch", 2),
    ("codexmem help search", 0),
    ("codexmem index", 0),
    ("codexmem index", 0),
    ("codexmem index /nowhere/at/all", 2),
    ("codexmem -C /nowhere status", 2),
    ("codexmem status", 0),
    ("codexmem status --why src/nothing.ts", 1),
    ("codexmem search sum of the cart", 0),
    ("codexmem search zzzqqq --threshold 0.99", 1),
    ("codexmem search", 2),
    ("codexmem search --limit many cart", 2),
    ("codexmem search --lang typescript cart", 2),
    ("codexmem search --language typoscript cart", 2),
    ("codexmem symbol totalOfTheCart", 0),
    ("codexmem symbol totalOfTheCard", 1),
    ("codexmem refs priceOf", 0),
    ("codexmem refs --explain priceOf", 0),
    ("codexmem refs nothingOfTheKindIsThereAtAll", 1),
    ("codexmem deps src/cart.ts", 0),
    ("codexmem deps src/card.ts", 1),
    ("codexmem deps src/first_step_of_the_checkout.ts", 0),
    ("codexmem symbol first_step", 0),
    ("codexmem context src/first_step_of_the_checkout.ts", 0),
    ("codexmem search first step of the checkout", 0),
    ("codexmem context src/prices.ts --symbol priceOf", 0),
    ("codexmem memory", 2),
    ("codexmem memory list", 1),
    ("codexmem memory save 'The discount is ten percent, which the gateway takes off before it bills' --title 'The discount of the shop'", 0),
    ("codexmem memory search discount", 0),
    ("codexmem memory get 1", 0),
    ("codexmem memory get 99", 1),
    ("codexmem memory timeline 1", 0),
    (f"codexmem memory save 'The parts of a title' --title '{LONG_TITLE}'", 0),
    ("codexmem memory get 2", 0),
    ("codexmem memory retention", 1),
    ("codexmem memory forget", 2),
    ("codexmem decision list", 1),
    ("codexmem decision record 'Use SQLite' --target database --rationale 'One file'", 2),
    ("codexmem decision log", 0),
    ("codexmem worker status", 1),
    ("codexmem worker start --port 80x", 2),
    ("codexmem worker stop", 1),
    ("codexmem check", 0),
    ("codexmem check --format xml", 2),
    ("codexmem check --format sarif --json", 2),
    ("codexmem doctor", 1),
    ("codexmem doctor --all", 1),
    ("codexmem config list", 0),
    ("codexmem config get nothing", 2),
    ("codexmem init --client vscode --dry-run", 0),
    ("codexmem init --tools some", 2),
    ("codexmem uninit --dry-run", 0),
    ("codexmem search --color sometimes cart", 2),
    ("codexmem debug stats", 0),
    ("codexmem debug check", 0),
    ("codexmem debug nothing", 2),
    ("codexmem completion csh", 2),
    ("codexmem version", 0),
]
# Lines that may be longer: with paths of this machine, and lines of a diff.
AS_IT_IS = re.compile(r"/tmp/")
DIFF = re.compile(r"[-+ @]")
# What a terminal says of its colours: foreground;background.
DARK, LIGHT = "15;0", "0;15"


@unittest.skipUnless(shutil.which("tmux"), "no tmux")
class Terminal(unittest.TestCase):
    def setUp(self):
        # What a command left in the background may still write while the folder goes.
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(f"{self.folder}/shop/src")
        for name, text in [("cart.ts", CART), ("prices.ts", PRICES)]:
            with open(f"{self.folder}/shop/src/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        for this, other in [("first", "second"), ("second", "first")]:
            with open(f"{self.folder}/shop/src/{this}_step_of_the_checkout.ts", "w", encoding="utf-8") as file:
                file.write(STEP.format(this=this, other=other))
        subprocess.run(["git", "init", "--quiet", f"{self.folder}/shop"], check=True)
        self.count = 0
        self.terminals = 0

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", f"{self.folder}/tmux{self.terminals}", *words], capture_output=True, text=True,
                              check=False).stdout

    def open_terminal(self, width=80, **env):
        env = {"HOME": f"{self.folder}/home", "PATH": f"{os.path.dirname(PROGRAM)}:/usr/bin:/bin",
               "TERM": "screen-256color", "LC_ALL": "C.UTF-8", "PS1": "$ ",
               **{name: os.environ[name] for name in ["TSAN_OPTIONS"] if name in os.environ}, **env}
        os.makedirs(env["HOME"], exist_ok=True)
        self.terminals += 1  # each has a server of its own
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", "300", "-s", "s",
                  "-c", f"{self.folder}/shop",
                  "env -i " + " ".join(f"{name}='{value}'" for name, value in env.items()) + " bash --norc --noprofile")
        self.addCleanup(self.tmux, "kill-server")
        self.wait(lambda: "$" in self.tmux("capture-pane", "-t", "s", "-p"), "the shell's start")

    def run_line(self, line, colours=False):
        """What LINE showed, as lines of the terminal joined where they wrapped, and its exit code."""
        self.count += 1
        done = f"{self.folder}/done{self.count}"
        with open(f"{self.folder}/line", "w", encoding="utf-8") as file:
            file.write(line + "\n")
        self.tmux("send-keys", "-t", "s", f"clear; . {self.folder}/line; echo $? > {done}", "Enter")
        self.wait(lambda: os.path.exists(done) and os.path.getsize(done) > 0, line)
        time.sleep(0.05)
        shown = self.tmux("capture-pane", "-t", "s", "-p", "-J", *(["-e"] if colours else []))
        with open(done, encoding="utf-8") as file:
            return shown.rstrip().removesuffix("$").rstrip(), int(file.read())

    def wait(self, is_so, what, seconds=60):
        end = time.monotonic() + seconds
        while not is_so():
            self.assertLess(time.monotonic(), end, f"no end of: {what}")
            time.sleep(0.02)

    def test_each_command_and_its_errors(self):
        self.walk(80, DARK)

    def test_each_command_in_a_wide_light_terminal(self):
        self.walk(120, LIGHT)

    def walk(self, width, colours):
        self.open_terminal(width, COLORFGBG=colours)
        for line, want in LINES:
            shown, code = self.run_line(line)
            if SHOW:
                print(f"\n$ {line}\n{shown}\n[{code}]")
            with self.subTest(line=line):
                self.assertEqual(code, want, shown)
                self.assertNotEqual(shown, "")
                for text in shown.splitlines():
                    if not AS_IT_IS.search(text) and not ("--dry-run" in line and DIFF.match(text)):
                        self.assertLessEqual(len(text), width, text)
                if code == 2 and "Usage:" not in shown:
                    self.assertTrue(shown.startswith("codexmem: error: "), shown)

    def program(self, *words):
        env = {"HOME": f"{self.folder}/home", "PATH": f"{os.path.dirname(PROGRAM)}:/usr/bin:/bin",
               "TERM": "screen-256color", "LC_ALL": "C.UTF-8", "COLORFGBG": LIGHT}
        os.makedirs(env["HOME"], exist_ok=True)
        return subprocess.run(["bash", "-c", " ".join(words)], cwd=f"{self.folder}/shop", env=env, capture_output=True,
                              check=False)

    def test_into_a_pipe_nothing_steers_a_terminal(self):
        for line, want in LINES:
            with self.subTest(line=line):
                done = self.program(line)
                self.assertEqual(done.returncode, want, done)
                self.assertNotIn(b"\x1b", done.stdout + done.stderr)
                self.assertNotIn(b"\r", done.stdout + done.stderr)
                if want == 2 and b"Usage:" not in done.stdout:
                    self.assertEqual(done.stdout, b"", "errors are no answers")

    def test_each_help_fits_into_80_columns(self):
        todo, count = [""], 0
        while todo:
            words = todo.pop()
            done = self.program("codexmem", words, "--help")
            text = done.stdout.decode()
            with self.subTest(words=words):
                count += 1
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                for shown in text.splitlines():
                    self.assertLessEqual(len(shown), 80, shown)
            commands = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.MULTILINE)
            if not words:
                self.assertLessEqual(len(text.splitlines()), 40)
                todo += re.findall(r"^  (\S+)  ", text, re.MULTILINE)
                todo += re.search(r"^More: ((?:[^`\n].*\n)+)", text, re.MULTILINE).group(1).replace("\n", " ").split(", ")
            elif commands:
                todo += [f"{words} {name}" for name in re.findall(r"^  (\S+)  ", commands.group(1), re.MULTILINE)]
        self.assertGreater(count, 40)

    def test_colours_only_where_they_are_wanted(self):
        for env, wanted in [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]:
            with self.subTest(env=env):
                self.open_terminal(**env)
                self.run_line("codexmem index --quiet")
                shown, _ = self.run_line("codexmem refs priceOf", colours=True)
                self.assertEqual("\x1b[35m" in shown, wanted, repr(shown))
                shown, _ = self.run_line("codexmem refs priceOf | cat", colours=True)
                self.assertNotIn("\x1b[35m", shown)
                shown, _ = self.run_line("codexmem refs priceOf --color never", colours=True)
                self.assertNotIn("\x1b[35m", shown)
                shown, _ = self.run_line("codexmem search price --color always | cat", colours=True)
                self.assertIn("\x1b[35m", shown)
                self.tmux("kill-server")

    def test_uses_are_grouped_by_file_and_into_a_pipe_a_line_each(self):
        self.open_terminal()
        self.run_line("codexmem index --quiet")
        shown, _ = self.run_line("codexmem refs priceOf")
        self.assertRegex(shown, r"^src/prices.ts  1 definition\n  2:17  definition  export function priceOf")
        self.assertRegex(shown, r"\nsrc/cart.ts  2 uses\n  1:10  import      .*\n  5:63  call        ")
        shown, _ = self.run_line("codexmem refs priceOf --limit 1")
        self.assertIn("... 2 more: --limit 0 shows all", shown)
        shown, _ = self.run_line("codexmem refs priceOf | cat")
        self.assertRegex(shown, r"^src/prices.ts:2:17  definition  ")
        self.assertRegex(shown, r"\nsrc/cart.ts:5:63  call        ")

    def test_names_that_have_no_room_are_in_lines_of_their_own(self):
        self.open_terminal()
        self.run_line("codexmem index --quiet")
        shown, _ = self.run_line("codexmem deps src/cart.ts")
        names = "{priceOf, roundedToFullCents, withTheDiscountOfThe, currencyOfTheShop}"
        self.assertTrue(shown.startswith(f"imports\n  src/prices.ts\n      {names}\n"), shown)

    def test_a_long_answer_goes_through_the_pager(self):
        self.open_terminal(CODEXMEM_PAGER="sed s/^/paged:/")
        self.run_line("codexmem index --quiet")
        self.assertNotIn("paged:", self.run_line("codexmem refs priceOf")[0], "it fits")
        self.tmux("resize-window", "-t", "s", "-x", "80", "-y", "5")
        line = "codexmem refs priceOf > out; cat out; rm out"
        self.assertNotIn("paged:", self.run_line(line)[0], "no terminal")
        self.assertNotIn("paged:", self.run_line("codexmem refs priceOf --no-pager")[0])
        shown, code = self.run_line("codexmem refs priceOf")
        self.assertEqual((code, "paged:" in shown), (0, True), shown)
        # One that ends early, one that is not there, none.
        self.assertEqual(self.run_line("CODEXMEM_PAGER='head -1' codexmem refs priceOf")[1], 0)
        shown, code = self.run_line("CODEXMEM_PAGER=/nowhere/pager codexmem refs priceOf")
        self.assertEqual((code, "call" in shown), (0, True), shown)
        self.assertNotIn("paged:", self.run_line("CODEXMEM_PAGER= codexmem refs priceOf")[0])
        self.assertNotIn("paged:", self.run_line("CODEXMEM_PAGER=cat codexmem refs priceOf")[0])

    @unittest.skipUnless(shutil.which("less"), "no less")
    def test_less_is_the_pager_where_none_is_named(self):
        self.open_terminal()
        self.run_line("codexmem index --quiet")
        self.tmux("resize-window", "-t", "s", "-x", "80", "-y", "5")
        done = f"{self.folder}/quit"
        self.tmux("send-keys", "-t", "s", f"clear; codexmem refs priceOf; echo $? > {done}", "Enter")
        self.wait(lambda: self.tmux("capture-pane", "-t", "s", "-p").rstrip().endswith(":"), "less")
        self.tmux("send-keys", "-t", "s", "C-c")  # less goes on
        time.sleep(0.3)
        self.assertFalse(os.path.exists(done))
        self.tmux("send-keys", "-t", "s", "q")
        self.wait(lambda: os.path.exists(done) and os.path.getsize(done) > 0, "less ends")
        with open(done, encoding="utf-8") as file:
            self.assertEqual(file.read().strip(), "0")

    def test_a_pipe_that_ends_early_is_quiet(self):
        self.open_terminal()
        self.run_line("codexmem index --quiet")
        shown, _ = self.run_line("codexmem debug schema | head -1; codexmem refs priceOf | head -1; codexmem --help | head -1")
        self.assertEqual(len(shown.splitlines()), 3, shown)

    def test_interrupting_ends_it(self):
        self.open_terminal()
        for line in ["codexmem serve", "codexmem memory save -", "codexmem worker run --port 0"]:
            with self.subTest(line=line):
                self.tmux("send-keys", "-t", "s", f"clear; {line}; echo ended", "Enter")
                time.sleep(1)
                self.tmux("send-keys", "-t", "s", "C-c")
                # bash leaves the rest of a line whose command died of the signal.
                self.wait(lambda: re.search(r"\$$", self.tmux("capture-pane", "-t", "s", "-p").rstrip()), line, 20)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
