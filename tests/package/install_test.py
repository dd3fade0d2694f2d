"""scripts/install with ready tarballs, in a copy of the scripts and a prefix of its own.

Usage: install_test.py SOURCE. The programs in the tarballs are shell scripts; tests/package/try_in_bare_roots takes real ones.
"""
import hashlib
import http.server
import io
import os
import platform
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
import threading
import unittest

SOURCE = os.path.abspath(sys.argv[1])
MACHINE = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
NAME = f"codexmem-9.8.7-linux-{MACHINE}.tar.gz"


class Install(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.prefix = f"{folder.name}/checkout", f"{folder.name}/my prefix"
        os.makedirs(f"{self.root}/scripts")
        for name in ("install", "common.sh"):
            shutil.copy(f"{SOURCE}/scripts/{name}", f"{self.root}/scripts")
        with open(f"{self.root}/CMakeLists.txt", "w", encoding="utf-8") as file:
            file.write("project(codexmem VERSION 9.8.7 LANGUAGES C CXX)\n")
        # In place of a build.
        with open(f"{self.root}/scripts/package", "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\necho "built: $*" >&2\nexit 7\n')
        os.chmod(f"{self.root}/scripts/package", 0o755)

    def release(self, folder="dist", program="#!/bin/sh\necho one\n", checksum=None, name=NAME):
        place = f"{self.root}/{folder}"
        os.makedirs(place, exist_ok=True)
        with tarfile.open(f"{place}/{name}", "w:gz") as tarball:
            for path in ("codexmem", "codexmem-hook"):
                entry = tarfile.TarInfo(f"codexmem/bin/{path}")
                entry.mode, entry.size = 0o755, len(program)
                tarball.addfile(entry, io.BytesIO(program.encode()))
        with open(f"{place}/{name}", "rb") as file:
            checksum = checksum or hashlib.sha256(file.read()).hexdigest()
        with open(f"{place}/SHA256SUMS", "w", encoding="utf-8") as file:
            file.write(f"{'0' * 64}  other.tar.gz\n{checksum}  {name}\n")
        return place

    def install(self, *words, code=0, **env):
        done = subprocess.run([f"{self.root}/scripts/install", "--prefix", self.prefix, *words], capture_output=True, text=True,
                              env={"PATH": os.environ["PATH"], "HOME": self.root, **env}, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def says(self):
        return subprocess.run([f"{self.prefix}/bin/codexmem"], capture_output=True, text=True, check=True).stdout

    def held(self):
        return sorted(os.path.join(folder, name) for folder, _, names in os.walk(self.prefix) for name in names)

    def test_takes_what_lies_in_dist_and_updates_it(self):
        self.release()
        self.assertIn("PATH", self.install())
        self.assertEqual(self.says(), "one\n")
        self.release(program="#!/bin/sh\necho two\n")
        self.assertNotIn("PATH", self.install(PATH=f"{self.prefix}/bin:{os.environ['PATH']}"))
        self.assertEqual(self.says(), "two\n")
        self.assertEqual(os.listdir(f"{self.prefix}/opt"), ["codexmem"])
        self.install("--remove")
        self.assertEqual(self.held(), [])

    def test_takes_it_from_the_folder_that_is_named(self):
        self.install(CODEXMEM_RELEASES=self.release("elsewhere"))
        self.assertEqual(self.says(), "one\n")

    def test_another_file_than_the_listed_one_is_refused(self):
        self.release()
        self.install()
        before = self.held()
        self.release(program="#!/bin/sh\necho evil\n", checksum="1" * 64)
        self.assertIn("nothing was installed", self.install(code=1))
        self.assertEqual((self.says(), self.held()), ("one\n", before))

    def test_a_program_that_does_not_run_here_leaves_the_old_one(self):
        self.release()
        self.install()
        before = self.held()
        self.release(program="#!/no/such/interpreter\n")
        self.assertIn("does not run on this system", self.install(code=1))
        self.assertEqual((self.says(), self.held()), ("one\n", before))

    def test_only_folders_and_https_are_trusted(self):
        for address in ("http://127.0.0.1:9/", "ftp://127.0.0.1/", "file:///tmp"):
            self.assertIn("only a folder or an https address", self.install(code=1, CODEXMEM_RELEASES=address))
        self.assertIn("there is no https://127.0.0.1:9/SHA256SUMS", self.install(code=1, CODEXMEM_RELEASES="https://127.0.0.1:9"))
        self.assertIn("there is no /no/such/SHA256SUMS", self.install(code=1, CODEXMEM_RELEASES="/no/such"))

    @unittest.skipUnless(shutil.which("curl") and shutil.which("openssl"), "no curl or openssl")
    def test_takes_it_from_a_server_with_https_and_follows_none_without(self):
        place, certificate = self.release("served"), f"{self.root}/certificate"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost", "-keyout", certificate, "-out", f"{certificate}.pem"], check=True, capture_output=True)
        requested = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                requested.append(self.path)
                if self.path.startswith("/moved/"):
                    self.send_response(302)
                    self.send_header("Location", f"http://localhost:{plain.server_port}{self.path[6:]}")
                    self.end_headers()
                else:
                    super().do_GET()

            def log_message(self, *_):
                pass

            def __init__(self, *words):
                super().__init__(*words, directory=place)

        servers = [http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) for _ in range(2)]
        plain, secret = servers
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{certificate}.pem", certificate)
        secret.socket = context.wrap_socket(secret.socket, server_side=True)
        for server in servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)
        address = f"https://localhost:{secret.server_port}"
        self.assertIn("SHA256SUMS", self.install(code=1, CODEXMEM_RELEASES=address))  # a certificate that nobody trusts
        trust = {"CURL_CA_BUNDLE": f"{certificate}.pem", "NO_PROXY": "localhost"}
        self.install(code=1, CODEXMEM_RELEASES=f"{address}/moved", **trust)
        self.assertEqual((requested, self.held()), (["/moved/SHA256SUMS"], []))
        self.install(CODEXMEM_RELEASES=f"{address}/", **trust)
        self.assertEqual(self.says(), "one\n")

    def test_without_a_ready_file_of_this_version_it_builds(self):
        self.assertIn("built: --only deb", self.install(code=7))
        self.release(name=f"codexmem-1.0.0-linux-{MACHINE}.tar.gz")
        self.assertIn("built: --only deb", self.install(code=7))
        self.assertIn(f"there is no ready {NAME}", self.install("--ready", code=1))

    def test_remove_leaves_what_is_not_ours(self):
        os.makedirs(f"{self.prefix}/bin")
        with open(f"{self.prefix}/bin/codexmem", "w", encoding="utf-8") as file:
            file.write("mine")
        self.install("--remove")
        self.assertEqual(self.held(), [f"{self.prefix}/bin/codexmem"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
