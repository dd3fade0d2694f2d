#!/usr/bin/env python3
"""Packs that are signed: whose they are, and that no other is used once somebody is trusted."""
import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from git_repository import Repository  # noqa: E402

FILES = {f"shop{i}.py": f"def sell_{i}(price):\n    return price * {i}\n" for i in range(30)}


@unittest.skipUnless(shutil.which("ssh-keygen"), "needs ssh-keygen")
class PackSignatureTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="codexmem-signed-")
        self.addCleanup(self.folder.cleanup)
        base = pathlib.Path(self.folder.name)
        self.ann, self.bob = (Repository(PROGRAM, base / name, "shop") for name in ("ann", "bob"))
        for member in (self.ann, self.bob):
            member.commit(FILES)
        self.keys = {name: base / name / "key" for name in ("ann", "eve")}
        for name, key in self.keys.items():
            key.parent.mkdir(exist_ok=True)
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"{name}@shop", "-f", key], check=True)
        self.pack = base / "a.pack"

    def ask(self, member, *words, codes=(0,)):
        done = member.codexmem(*words)
        self.assertIn(done.returncode, codes, f"{words}: {done.stdout}{done.stderr}")
        return done

    def make(self, key=None):
        self.ask(self.ann, "pack", "-q", "-o", self.pack, *(["--sign", self.keys[key]] if key else []))

    def trust(self, name):
        return self.ask(self.bob, "pack", "--trust", f"{self.keys[name]}.pub").stdout

    def use(self, codes=(0,)):
        return self.ask(self.bob, "index", "--skip-embeddings", "--pack", self.pack, codes=codes)

    def test_a_pack_of_somebody_trusted_is_used_and_status_says_whose_it_is(self):
        self.make("ann")
        self.assertIn("ann@shop", self.trust("ann"))
        self.assertRegex(self.use().stdout, r"packs +30 +files")
        shown = self.ask(self.bob, "status").stdout
        self.assertRegex(shown, r"packs +30 files of .*a\.pack, signed by ann@shop; 20 compared")
        self.assertIn("30 files parsed again: the index says the same of each", self.ask(self.bob, "debug", "verify").stdout)
        self.assertRegex(self.ask(self.bob, "status").stdout, r"signed by ann@shop; all compared")
        self.assertEqual(json.loads(self.ask(self.bob, "status", "--json").stdout)["packs"]["compared"], 30)

    def test_no_other_pack_is_used_then(self):
        self.trust("ann")
        for key in (None, "eve"):
            self.make(key)
            self.assertIn("it is not signed by anybody", self.use(codes=(2,)).stderr)
        self.make("ann")
        data = bytearray(self.pack.read_bytes())
        data[len(data) // 2] ^= 1
        self.pack.write_bytes(data)
        self.assertIn("its signature by ann@shop is of other bytes", self.use(codes=(2,)).stderr)
        # A signature of something else, by the same key.
        self.make()
        pathlib.Path(f"{self.pack}.sig").unlink()
        subprocess.run(["ssh-keygen", "-q", "-Y", "sign", "-f", self.keys["ann"], "-n", "git", self.pack], check=True, capture_output=True)
        self.assertRegex(self.use(codes=(2,)).stderr, "not signed by anybody|of other bytes")
        self.assertFalse((self.bob.root / ".codexmem/index.db").exists())

    def test_the_bytes_that_were_verified_are_those_that_are_used(self):
        self.make("ann")
        self.trust("ann")
        self.ann.commit({"shop1.py": "def other():\n    return 2\n"})
        other = self.pack.with_name("other.pack")
        self.ask(self.ann, "pack", "-q", "-o", other)
        # Behind the signature's back, the pack becomes another one.
        folder = self.pack.with_name("bin")
        folder.mkdir()
        real = shutil.which("ssh-keygen")
        (folder / "ssh-keygen").write_text(f"""#!/bin/sh
{real} "$@"; code=$?
case " $* " in *" verify "*) cp '{other}' '{self.pack}.new'; mv '{self.pack}.new' '{self.pack}';; esac
exit $code
""")
        (folder / "ssh-keygen").chmod(0o755)
        self.bob.env["PATH"] = f"{folder}:{self.bob.env['PATH']}"
        self.assertRegex(self.use().stdout, r"packs +30 +files")
        self.assertEqual(self.pack.read_bytes(), other.read_bytes())
        self.assertEqual(list((self.bob.root / ".codexmem").glob("pack.*")), [])

    def test_a_run_and_a_server_that_idles_compare_the_rest(self):
        self.make("ann")
        self.trust("ann")
        self.use()
        self.assertRegex(self.ask(self.bob, "status").stdout, r"; 20 compared, 10 left \(`codexmem debug verify`")
        for _ in range(30):  # at least one file each time
            self.ask(self.bob, "index", "-q", "--skip-embeddings")
            if re.search(r"signed by ann@shop; (2[1-9] compared|all compared)", self.ask(self.bob, "status").stdout):
                break
        else:
            self.fail(self.ask(self.bob, "status").stdout)
        # A server does so by itself.
        self.ask(self.bob, "index", "--skip-embeddings", "--force", "--pack", self.pack)
        server = subprocess.Popen([self.bob.program, "serve"], cwd=self.bob.root, env=self.bob.env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
        try:
            end = time.monotonic() + 60
            while "; all compared" not in self.ask(self.bob, "status").stdout:
                self.assertLess(time.monotonic(), end, self.ask(self.bob, "status").stdout)
                time.sleep(0.5)
        finally:
            server.communicate()

    def test_without_trust_packs_are_as_they_were(self):
        self.make()
        self.assertRegex(self.use().stdout, r"packs +30 +files")
        self.assertIn("a.pack, not signed; 20 compared", self.ask(self.bob, "status").stdout)

    def test_what_is_no_key_is_not_trusted(self):
        for path in (self.keys["ann"], self.bob.root / "shop1.py"):
            self.assertIn("is not a public SSH key", self.ask(self.bob, "pack", "--trust", path, codes=(2,)).stderr)
        self.trust("ann")
        self.trust("ann")
        signers = (self.bob.base / "data/pack-signers").read_text()
        self.assertEqual(signers.count("\n"), 1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    args, rest = parser.parse_known_args()
    PROGRAM = args.program
    unittest.main(argv=[sys.argv[0], *rest])
