"""The tarball and the packages with the same programs, made by scripts/package: their contents, their requirements, and that
each works.

Usage: portable_test.py FOLDER. Installs nothing outside of a temporary folder; npm is kept from the network, and pip.
"""
import glob
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

FOLDER = os.path.abspath(sys.argv[1])
HERE = os.path.dirname(os.path.abspath(__file__))


def one(pattern):
    (path,) = glob.glob(os.path.join(FOLDER, pattern))
    return path


class Portable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.home = os.path.join(cls.scratch.name, "home")
        os.mkdir(cls.home)
        cls.env = {"PATH": os.environ["PATH"], "HOME": cls.home, "LC_ALL": "C.UTF-8", "npm_config_offline": "true",
                   "npm_config_audit": "false", "npm_config_fund": "false", "npm_config_update_notifier": "false"}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def folder(self, name):
        path = os.path.join(self.scratch.name, name)
        os.mkdir(path)
        return path

    def run_in(self, folder, *words, **more):
        done = subprocess.run(words, cwd=folder, env=self.env, capture_output=True, text=True, **more)
        self.assertEqual(done.returncode, 0, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def repository(self, name):
        path = self.folder(name)
        os.mkdir(os.path.join(path, ".git"))
        with open(os.path.join(path, "cart.py"), "w", encoding="utf-8") as file:
            file.write("def total_of_cart(items):\n    return sum(items)\n")
        return path

    def answers_over_mcp(self, words, repository):
        server = subprocess.Popen(words, cwd=repository, env=self.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True)
        try:
            for id, method, params in [
                (1, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {},
                                   "clientInfo": {"name": "t", "version": "1"}}),
                (2, "tools/call", {"name": "find_symbol", "arguments": {"symbol": "total_of_cart"}}),
            ]:
                server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + "\n")
                server.stdin.flush()
                answer = ""
                while f'"id":{id}' not in answer:
                    answer = server.stdout.readline()
                    self.assertTrue(answer, f"{words} ended without an answer")
            self.assertIn("cart.py", answer)
        finally:
            server.stdin.close()
            server.wait(timeout=20)
            server.stdout.close()

    def command_in(self, path):
        with open(path, encoding="utf-8") as file:
            entries = json.load(file)
        return (entries.get("servers") or entries["mcpServers"])["codexmem"]["command"]

    def test_tarball(self):
        place = self.folder("tarball")
        self.run_in(place, "tar", "-xzf", one("codexmem-*-linux-x64.tar.gz"))
        root = os.path.join(place, "codexmem")
        for name in ["README.md", "bin/codexmem", "bin/codexmem-hook", "share/man/man1/codexmem.1.gz",
                     "share/bash-completion/completions/codexmem", "share/doc/codexmem/copyright"]:
            self.assertGreater(os.path.getsize(os.path.join(root, name)), 0, name)
        programs = [os.path.join(root, "bin", name) for name in ("codexmem", "codexmem-hook")]
        self.run_in(place, os.path.join(HERE, "runs_on_old_glibc"), "2.31", *programs)
        for program in programs:
            self.assertNotIn(".symtab", self.run_in(place, "readelf", "-WS", program))
            self.assertRegex(self.run_in(place, "readelf", "-Wd", program), r"FLAGS_1.*NOW.*PIE")
        # The hook, which starts often, holds little of the other.
        self.assertLess(os.path.getsize(programs[1]), 10e6)
        repository = self.repository("with-tarball")
        self.run_in(repository, programs[0], "index", ".")
        self.answers_over_mcp([programs[0], "serve"], repository)
        self.env["PATH"] = "/usr/bin:/bin"
        try:
            self.run_in(repository, programs[0], "init", "--client", "vscode")
            self.assertEqual(self.command_in(os.path.join(repository, ".vscode/mcp.json")), os.path.realpath(programs[0]))
        finally:
            self.env["PATH"] = os.environ["PATH"]

    def test_every_file_has_its_checksum(self):
        self.run_in(FOLDER, "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS")
        with open(os.path.join(FOLDER, "SHA256SUMS"), encoding="utf-8") as file:
            listed = [line.split()[1] for line in file]
        self.assertEqual(sorted([*listed, "SHA256SUMS"]), sorted(entry.name for entry in os.scandir(FOLDER) if entry.is_file()))

    def test_packages_name_the_server_as_the_registry_lists_it(self):
        with open(os.path.join(HERE, "../../packaging/server.json"), encoding="utf-8") as file:
            name = json.load(file)["name"]
        with tarfile.open(one("codexmem-[0-9]*.tgz")) as package:
            self.assertEqual(json.load(package.extractfile("package/package.json"))["mcpName"], name)
        with zipfile.ZipFile(one("*.whl")) as wheel:
            (metadata,) = [entry for entry in wheel.namelist() if entry.endswith("/METADATA")]
            self.assertIn(f"mcp-name: {name} ", wheel.read(metadata).decode())

    @unittest.skipUnless(importlib.util.find_spec("ensurepip"), "no venv")
    def test_wheel(self):
        place, repository = self.folder("wheel"), self.repository("with-wheel")
        self.run_in(place, sys.executable, "-m", "venv", ".")
        self.run_in(place, "bin/pip", "install", "--no-index", "--quiet", one("codexmem-*-manylinux_2_31_x86_64.whl"))
        self.run_in(place, "bin/pip", "check")
        program = os.path.join(place, "bin/codexmem")
        self.run_in(repository, program, "index", ".")
        self.answers_over_mcp([program, "serve"], repository)
        self.answers_over_mcp([os.path.join(place, "bin/python"), "-m", "codexmem", "serve"], repository)
        self.assertRegex(self.run_in(place, "bin/codexmem-hook", "--help", stdin=subprocess.DEVNULL), "codexmem")
        self.run_in(place, "bin/pip", "uninstall", "--quiet", "--yes", "codexmem")
        self.assertEqual(glob.glob(f"{place}/**/*codexmem*", recursive=True), [])

    def test_mcp_bundle(self):
        place, repository = self.folder("bundle"), self.repository("with-bundle")
        with zipfile.ZipFile(one("codexmem-*-linux-x64.mcpb")) as bundle:
            for entry in bundle.infolist():
                os.chmod(bundle.extract(entry, place), entry.external_attr >> 16)
            with bundle.open("manifest.json") as file:
                server = json.load(file)["server"]
        self.assertTrue(os.access(os.path.join(place, server["entry_point"]), os.X_OK))
        config = server["mcp_config"]
        filled = [word.replace("${__dirname}", place).replace("${user_config.repository}", repository)
                  for word in (config["command"], *config["args"])]
        self.answers_over_mcp(filled, self.home)

    def test_extension(self):
        place = self.folder("extension")
        with zipfile.ZipFile(one("codexmem-*-linux-x64.vsix")) as package:
            program = package.extract("extension/bin/codexmem", place)
            os.chmod(program, package.getinfo("extension/bin/codexmem").external_attr >> 16)
        self.assertIn("0.", self.run_in(place, program, "version"))
        with zipfile.ZipFile(one("codexmem-?.?.?.vsix")) as package:
            self.assertNotIn("extension/bin/codexmem", package.namelist())

    @unittest.skipUnless(shutil.which("npx"), "no npx")
    def test_npx(self):
        repository = self.repository("with-npx")
        npx = ["npx", "--yes", f"codexmem@file:{one('codexmem-[0-9]*.tgz')}"]
        self.run_in(repository, *npx, "index", ".")
        self.answers_over_mcp(npx + ["serve"], repository)
        self.run_in(repository, *npx, "init", "--client", "vscode")
        command = self.command_in(os.path.join(repository, ".vscode/mcp.json"))
        self.assertTrue(os.path.isabs(command), command)
        self.assertIn("0.", self.run_in(repository, command, "version"))

    @unittest.skipUnless(shutil.which("npm"), "no npm")
    def test_npm_with_and_without_scripts(self):
        packages = [one("codexmem-[0-9]*.tgz"), one("codexmem-linux-x64-*.tgz")]
        for name, option in [("scripts", "--ignore-scripts=false"), ("no-scripts", "--ignore-scripts")]:
            place = self.folder(name)
            self.run_in(place, "npm", "install", "--global", "--prefix", place, option, *packages)
            for program in ["codexmem", "codexmem-hook"]:
                self.assertRegex(self.run_in(place, os.path.join(place, "bin", program), "--help", stdin=subprocess.DEVNULL), "codexmem")
            with open(os.path.join(place, "bin/codexmem"), "rb") as file:
                self.assertEqual(file.read(4), b"\x7fELF" if name == "scripts" else b"#!/u")
            failed = subprocess.run([os.path.join(place, "bin/codexmem"), "no-such-command"], env=self.env, capture_output=True)
            self.assertEqual(failed.returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
