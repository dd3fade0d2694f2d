"""Runs the program on hostile repositories, as a user would.

CODEXMEM_PROGRAM is the program; CODEXMEM_HOSTILE_SCALE makes the trees larger (1 in the quick
test; 100 gives 100,000 files). Needs no network. What needs to be root, or a mount namespace, is
skipped without.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import one_hash  # noqa: E402
import trees  # noqa: E402

PROGRAM = os.environ["CODEXMEM_PROGRAM"]
SCALE = int(os.environ.get("CODEXMEM_HOSTILE_SCALE", "1"))
SLOWNESS = int(os.environ.get("CODEXMEM_SLOWNESS", "1"))  # of a sanitizer's program
TIMEOUT = 120 * max(1, SCALE) * SLOWNESS
IS_ROOT = os.geteuid() == 0


def can_mount():
    return IS_ROOT and shutil.which("unshare") is not None and subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
        capture_output=True).returncode == 0


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-hostile-"))
        os.chmod(self.folder, 0o755)
        self.environment = dict(os.environ, HOME=str(self.folder / "home"), NO_COLOR="1",
                                XDG_CACHE_HOME=str(self.folder / "cache"),
                                XDG_CONFIG_HOME=str(self.folder / "config"),
                                GIT_CONFIG_NOSYSTEM="1")

    def tearDown(self):
        # rm knows folders that are deeper than a path may be long.
        subprocess.run(["chmod", "-R", "u+rwX", str(self.folder)], capture_output=True)
        subprocess.run(["rm", "-rf", str(self.folder)], check=False)

    def tree(self, name):
        root = self.folder / name
        trees.build(name, root, SCALE)
        return root

    def run_program(self, root, *words, prefix=(), want=0):
        done = subprocess.run([*prefix, PROGRAM, "-C", str(root), *words], timeout=TIMEOUT,
                              capture_output=True, env=self.environment)
        done.text = done.stdout.decode(errors="replace")
        done.message = done.stderr.decode(errors="replace")
        if want is not None:
            self.assertEqual(done.returncode, want, (words, done.text[-500:], done.message[-2000:]))
        return done

    def index(self, root, *words, **options):
        return json.loads(self.run_program(root, "index", "--json", *words, **options).stdout)["stats"]

    def status(self, root, **options):
        return json.loads(self.run_program(root, "status", "--json", **options).stdout)

    def is_found(self, root, name, **options):
        return self.run_program(root, "symbol", name, "--no-refresh", want=None,
                                **options).returncode == 0

    def assert_answers(self, root, **options):
        """The good files next to the hostile ones are indexed and answer; a second run is idle."""
        found = self.run_program(root, "refs", "helper", "--no-refresh", **options)
        self.assertIn("good/keep.ts:2", found.text)
        again = self.index(root, **options)
        self.assertEqual(again["filesProcessed"], 0, again)

    def assert_indexed(self, name, files, **skipped):
        root = self.tree(name)
        self.index(root)
        status = self.status(root)
        self.assertEqual(status["files"], files + 2, status)
        self.assertEqual(status["skippedByReason"], skipped)
        self.assert_answers(root)
        return root

    # trees

    def test_links_lead_nowhere(self):
        root = self.assert_indexed("links", 0, symlink=10)
        self.assertFalse(self.is_found(root, "secretOutside"))
        self.assertFalse(self.is_found(root, "deepOutside"))
        for path in ["out_folder/deep.ts", "magic/etc/passwd", "good/up/good/keep.ts"]:
            self.assertNotEqual(self.run_program(root, "deps", path, want=None).returncode, 0)

    def test_many_files(self):
        self.assert_indexed("many_files", 1000 * SCALE)

    def test_folders_deeper_than_a_path(self):
        root = self.assert_indexed("deep_folders", 2, unreadable=1)
        self.assertTrue(self.is_found(root, "level50"))

    def test_empty_folders(self):
        self.assert_indexed("shallow_but_many", 0)

    def test_odd_names(self):
        root = self.assert_indexed("names", 31, name_not_utf8=4, unknown_type=2)
        self.assertFalse(list(root.rglob("pwned")))
        listed = self.run_program(root, "symbol", "inOddName", "--no-refresh")
        self.assertNotIn("\x1b[31m", listed.text)
        rows = json.loads(self.run_program(root, "symbol", "inOddName", "--no-refresh", "--json").stdout)
        self.assertIn("new\nline.ts", [row["file"]["path"] for row in rows])
        self.run_program(root, "context", "new\nline.ts")
        self.run_program(root, "status", "--why", "invalid\udcff\udcfe.ts", want=None)

    def test_special_files(self):
        devices = 2 if IS_ROOT else 0
        self.assert_indexed("special_files", 0, not_regular=7 + devices)

    def test_configurations_that_are_folders(self):
        self.assert_indexed("config_folders", 8)

    def test_configurations_that_are_links(self):
        self.assert_indexed("config_links", 0, symlink=8)

    def test_huge_configurations(self):
        root = self.tree("config_huge")
        self.index(root)
        self.assertTrue(self.is_found(root, "inDeep"))

    def test_thousands_of_ignore_patterns(self):
        self.assert_indexed("ignore_patterns", 401)

    def test_git_files_that_lead_elsewhere(self):
        root = self.assert_indexed("git_files", 6)
        self.assertFalse(list(root.rglob("pwned")))

    def test_cycles_of_configurations_and_exports(self):
        root = self.tree("config_cycles")
        self.index(root)
        self.assert_answers(root)
        for words in [("refs", "missing"), ("refs", "b"), ("deps", "chain/m0.ts", "--depth", "10"),
                      ("deps", "py/a.py"), ("context", "src/c.ts"), ("symbol", "A"), ("refs", "A"),
                      ("deps", "self/a.ts", "--external")]:
            self.assertIn(self.run_program(root, *words, want=None).returncode, (0, 1), words)

    def test_sources_that_nest_or_repeat(self):
        root = self.tree("sources")
        self.index(root)
        self.assert_answers(root)

    def test_files_full_of_symbols(self):
        root = self.tree("crowded")
        self.index(root)
        self.assert_answers(root)
        for words in [("context", "symbols.py"), ("deps", "imports.py", "--external"),
                      ("context", "nested.ts")]:
            self.run_program(root, *words, "--no-refresh")
        # A sanitizer's program ends the largest of these files at its limit of time.
        self.assertGreater(self.status(root)["symbols"], 50000 if SLOWNESS == 1 else 2000)

    # what the system refuses

    @unittest.skipUnless(not IS_ROOT or shutil.which("setpriv"), "root may read everything")
    def test_names_of_one_hash(self):
        root = self.folder / "hash"
        root.mkdir()
        names = one_hash.names()
        for at in range(0, len(names), 8_000):
            lines = [f"export const {name} = 1;\n" for name in names[at:at + 8_000]]
            (root / f"names{at}.ts").write_text("".join(lines))
        self.assertEqual(self.index(root)["filesProcessed"], 8)
        begun = time.monotonic()
        self.run_program(root, "search", "names of constants", want=None)
        # In tables that anybody can foresee: minutes.
        self.assertLess(time.monotonic() - begun, 40 * SLOWNESS)

    def test_unreadable_files_and_folders(self):
        root = self.tree("unreadable")
        prefix = []
        if IS_ROOT:
            prefix = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
            (self.folder / "cache").mkdir()
            os.chown(self.folder / "cache", 65534, 65534)
        self.index(root, prefix=prefix)
        status = self.status(root, prefix=prefix)
        self.assertEqual(status["skippedByReason"], {"unreadable": 2})
        self.assert_answers(root, prefix=prefix)

    @unittest.skipUnless(can_mount(), "needs a mount namespace")
    def test_a_read_only_tree(self):
        root = self.tree("links")
        self.run_in_mount(
            f'mount --bind "{root}" "{root}" && mount -o remount,bind,ro "{root}"',
            f'cd "{root}/good" && "$P" -C .. index >out 2>&1; "$P" -C "{root}" index 2>&1 || exit 1; '
            f'"$P" -C "{root}/good" refs helper && "$P" -C "{root}" status; '
            f'test ! -e "{root}/.codexmem"')
        stores = list((self.folder / "cache" / "codexmem").iterdir())
        self.assertEqual(len(stores), 1)
        self.assertEqual(stores[0].stat().st_mode & 0o777, 0o700)

    def run_in_mount(self, mount, script):
        done = subprocess.run(["unshare", "-m", "bash", "-c", f"{mount} || exit 77\n{script}"],
                              capture_output=True, timeout=TIMEOUT,
                              env=dict(self.environment, P=PROGRAM))
        self.assertEqual(done.returncode, 0, done.stdout.decode() + done.stderr.decode())
        return done.stdout.decode() + done.stderr.decode()

    @unittest.skipUnless(can_mount(), "needs a mount namespace")
    def test_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        source = self.tree("changing")
        for room in (0, 200, 600, 1200, 2000):
            result = self.run_in_mount(
                f'mount -t tmpfs -o size=50m tmpfs "{disk}"',
                f'cp -r "{source}" "{disk}/repo" && cd "{disk}/repo" || exit 1\n'
                f'used=$(df --output=used -k . | tail -1)\n'
                f'mount -o remount,size=$((used + {room}))k "{disk}" || exit 1\n'
                '"$P" index; code=$?; [ $code = 0 -o $code = 2 ] || exit 2\n'
                'ls -A .codexmem | grep -E "tmp|journal" && exit 3\n'
                f'mount -o remount,size=50m "{disk}" && "$P" index && "$P" refs helper || exit 4\n')
            if room < 1000:
                self.assertIn("No space left", result)

    @unittest.skipUnless(can_mount(), "needs a mount namespace")
    def test_a_disk_that_becomes_full(self):
        disk = self.folder / "disk"
        disk.mkdir()
        source = self.tree("changing")
        result = self.run_in_mount(
            f'mount -t tmpfs -o size=20m tmpfs "{disk}"',
            f'cp -r "{source}" "{disk}/repo" && cd "{disk}/repo" && "$P" index -q || exit 1\n'
            'echo "export function later() {}" >> good/keep.ts\n'
            'head -c 100m /dev/zero > ../fill 2>/dev/null\n'
            '"$P" index; [ $? = 2 ] || exit 2\n'
            '"$P" symbol helper || exit 3\n'
            '"$P" symbol keepMe && exit 4  # its file has changed: no line would be sure\n'
            'rm ../fill; "$P" symbol later || exit 5\n')
        self.assertIn("there is no room", result)

    # what changes

    def test_files_that_change_while_they_are_read(self):
        root = self.tree("changing")
        outside = self.folder / "outside"
        outside.mkdir()
        (outside / "secret.ts").write_text("export function secretOutside() {}\n")
        stop = threading.Event()
        mangler = threading.Thread(target=mangle, args=(root, outside, stop))
        mangler.start()
        try:
            for _ in range(6):
                self.index(root)
        finally:
            stop.set()
            mangler.join()
        self.index(root)
        self.assertFalse(self.is_found(root, "secretOutside"))
        # Where the work of the runs led is where one run over the tree as it is leads.
        dump = self.run_program(root, "debug", "dump").stdout
        shutil.rmtree(root / ".codexmem")
        self.index(root)
        self.assertEqual(dump, self.run_program(root, "debug", "dump").stdout)

    # the server

    def test_the_server_lives_on(self):
        root = self.tree("names")
        trees.links(root, 1)
        requests = [("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "hostile", "version": "1"}})]
        for tool, arguments in [
                ("find_symbol", {"symbol": "helper"}), ("get_references", {"symbol": "helper"}),
                ("search_code", {"query": "in odd name"}), ("find_symbol", {"symbol": "x" * 100000}),
                ("search_code", {"query": "a " * 50000}), ("search_code", {"query": "(" * 10000}),
                ("get_context", {"file_path": "new\nline.ts"}),
                ("get_context", {"file_path": "../" * 1000 + "etc/passwd"}),
                ("analyze_dependencies", {"file_path": "out_folder/deep.ts"}),
                ("analyze_dependencies", {"file_path": "a" * 100000}),
                ("index_repository", {"path": "/proc/self/root"}),
                ("find_symbol", {"symbol": "keepMe"})]:
            requests.append(("tools/call", {"name": tool, "arguments": arguments}))
        lines = "".join(json.dumps({"jsonrpc": "2.0", "id": i, "method": method, "params": given}) + "\n"
                        for i, (method, given) in enumerate(requests))
        done = subprocess.run([PROGRAM, "serve", str(root)], input=lines.encode(), timeout=TIMEOUT,
                              capture_output=True, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        answers = {row["id"]: row for row in map(json.loads, done.stdout.splitlines()) if "id" in row}
        self.assertEqual(len(answers), len(requests))
        self.assertIn("good/keep.ts", json.dumps(answers[len(requests) - 1]))
        self.assertNotIn("secretOutside", done.stdout.decode())


def mangle(root, outside, stop):
    """Changes, removes, truncates, swaps for folders and links, what an index run reads."""
    chance = random.Random(7)
    source = pathlib.Path(root) / "src"
    count = 0
    while not stop.is_set():
        count += 1
        path = source / ("d%d" % chance.randrange(10)) / ("f%d.ts" % chance.randrange(300))
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif chance.random() < 0.3 and path.exists():
                path.unlink()
            what = chance.randrange(6)
            if what == 0:
                path.write_text("export function changed%d() {}\n" % count * chance.randrange(1, 400))
            elif what == 1 and path.exists():
                os.truncate(path, chance.randrange(200))
            elif what == 2:
                path.unlink(missing_ok=True)
                path.mkdir()
                (path / "in.ts").write_text("export function below%d() {}\n" % count)
            elif what == 3:
                path.unlink(missing_ok=True)
                path.symlink_to(outside / "secret.ts")
            elif what == 4:
                folder = source / ("d%d" % chance.randrange(10))
                aside = source / "aside"
                folder.rename(aside)
                folder.symlink_to(outside)
                folder.unlink()
                aside.rename(folder)
            else:
                path.rename(source / ("d%d" % chance.randrange(10)) / path.name)
        except OSError:
            pass


if __name__ == "__main__":
    unittest.main(verbosity=2)
