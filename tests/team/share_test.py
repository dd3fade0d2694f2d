#!/usr/bin/env python3
"""`codexmem share` as people use it: files, what others read, who wrote it, the check before a commit."""
import argparse
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "git"))
from git_repository import Repository  # noqa: E402

FOLDER = ".codexmem-shared"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


class ShareTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="codexmem-share-")
        base = pathlib.Path(self.folder.name)
        self.ann = Repository(PROGRAM, base / "ann", "shop")
        self.bob = Repository(PROGRAM, base / "bob", "shop")
        for member, name in ((self.ann, "Ann"), (self.bob, "Bob")):
            member.env.update(AGENT_MEMORY_SECRET="x" * 20, CODEXMEM_DECISION_COOLDOWN_MS="0", GIT_AUTHOR_NAME=name)
        self.ann.commit({"src/upload.py": "def send_upload(data):\n    return data\n"})

    def tearDown(self):
        self.folder.cleanup()

    def ask(self, member, *words, codes=(0,)):
        done = member.codexmem(*words)
        self.assertIn(done.returncode, codes, f"{words}: {done.stdout}{done.stderr}")
        return done

    def pull(self, to, of):
        to.git("pull", "-q", "--no-rebase", "--no-edit", str(of.root), "main")

    def share_something(self):
        self.ask(self.ann, "memory", "save", "The proxy closes send_upload() after 60 s", "--title", "Uploads time out",
                 "--symbol", "send_upload")
        self.ask(self.ann, "decision", "record", "Use SQLite", "--target", "database", "--rationale", "One file, no server")
        decision = json.loads(self.ask(self.ann, "decision", "list", "--json").stdout)
        decision = (decision if isinstance(decision, list) else decision["decisions"])[0]["id"]
        self.ask(self.ann, "share", "1", decision)
        self.ann.index()  # git ignores the index, but not the shared files
        self.ann.commit({})
        return decision

    def test_what_ann_shares_bob_finds(self):
        decision = self.share_something()
        self.pull(self.bob, self.ann)
        output = self.ask(self.bob, "index").stderr
        self.assertIn("`codexmem share --on` reads them", output)
        self.assertEqual(json.loads(self.ask(self.bob, "memory", "search", "uploads", "--json", codes=(0, 1)).stdout)["items"], [])
        self.ask(self.bob, "share", "--on")
        found = json.loads(self.ask(self.bob, "memory", "search", "uploads", "--json").stdout)["items"][0]
        self.assertEqual(found["title"], "Uploads time out")
        self.assertEqual(found["shared"]["by"], "Ann")
        self.assertTrue(found["shared"]["file"].startswith(FOLDER))
        head = self.ann.git("rev-parse", "HEAD").strip()
        self.assertEqual(found["shared"]["commit"], head[:12])
        decided = json.loads(self.ask(self.bob, "decision", "search", "database", "--json").stdout)["results"][0]
        self.assertEqual((decided["id"], decided["status"], decided["shared"]["by"]), (decision, "active", "Ann"))
        # It cites the code, and knows when that changes.
        self.assertEqual(found.get("code_state"), "unchanged", found)
        self.bob.commit({"src/upload.py": "def send_upload(data):\n    return list(data)\n"})
        self.bob.index()
        found = json.loads(self.ask(self.bob, "memory", "search", "uploads", "--json").stdout)["items"][0]
        self.assertEqual(found.get("code_state"), "changed", found)
        self.assertNotIn("--on", self.ask(self.bob, "index").stderr)

    def test_removed_entries_disappear(self):
        self.share_something()
        self.pull(self.bob, self.ann)
        self.ask(self.bob, "share", "--on")
        self.ask(self.ann, "share", "--remove", "1")
        self.ann.commit({})
        self.pull(self.bob, self.ann)
        self.assertEqual(json.loads(self.ask(self.bob, "memory", "search", "uploads", "--json", codes=(0, 1)).stdout)["items"], [])
        self.assertEqual(len(json.loads(self.ask(self.ann, "memory", "search", "uploads", "--json").stdout)["items"]), 1)
        self.ask(self.bob, "share", "--off", codes=(0, 1))
        self.assertEqual(json.loads(self.ask(self.bob, "share", "--json", codes=(1,)).stdout)["items"], [])

    def test_the_check_keeps_secrets_from_being_committed(self):
        self.share_something()
        path = next((self.ann.root / FOLDER).glob("uploads*"))
        path.write_text(path.read_text() + f"\nThe key is {SECRET}\n")
        line = path.read_text().count("\n")
        place = f"{path.relative_to(self.ann.root)}:{line}"
        self.ann.git("add", "-A")
        for words in (["--staged"], ["--staged", "--hook"], []):
            done = self.ask(self.ann, "check", *words, codes=(1,))
            self.assertIn(f"{place}:12: shared memory: it holds a secret (github-token)", done.stdout)
            self.assertNotIn(SECRET, done.stdout + done.stderr)
        done = self.ask(self.ann, "check", "--format", "github", codes=(1,))
        self.assertIn(f"line={line},col=12,", done.stdout)
        sarif = json.loads(self.ask(self.ann, "check", "--format", "sarif", codes=(1,)).stdout)
        self.assertIn("shared", json.dumps(sarif))
        self.assertNotIn(SECRET, json.dumps(sarif))
        listed = json.loads(self.ask(self.ann, "share", "--json").stdout)["items"]
        self.assertIn("it holds a secret", [item.get("refused") for item in listed])

    def test_records_of_decisions_are_found(self):
        self.ann.commit({"docs/adr/0001-use-sqlite.md": "# 1. Use SQLite\n\nDate: 2024-05-06\n\n## Status\n\nAccepted\n\n"
                         "## Context\n\nOne file and no server.\n"})
        self.ask(self.ann, "share", "--on")
        decided = json.loads(self.ask(self.ann, "decision", "search", "which database file", "--json").stdout)["results"][0]
        self.assertEqual((decided["title"], decided["status"]), ("Use SQLite", "active"))
        self.assertEqual(decided["created_at"], "2024-05-06T00:00:00.000Z")

    def test_decisions_of_two_branches_name_each_other(self):
        self.pull(self.bob, self.ann)
        made = {}
        for member, title in ((self.ann, "Use SQLite"), (self.bob, "Use PostgreSQL")):
            self.ask(member, "decision", "record", title, "--target", "database", "--rationale", f"{title}: it is enough")
            listed = json.loads(self.ask(member, "decision", "list", "--json").stdout)
            made[title] = (listed if isinstance(listed, list) else listed["decisions"])[0]["id"]
            self.ask(member, "share", made[title])
            member.commit({})
        self.pull(self.bob, self.ann)
        self.pull(self.ann, self.bob)
        for member in (self.ann, self.bob):
            found = json.loads(self.ask(member, "decision", "search", "database", "--json").stdout)["results"]
            self.assertEqual([each["title"] for each in found], ["Use PostgreSQL"])
            self.assertEqual(found[0]["shared"]["rivals"], [made["Use SQLite"]])
            output = self.ask(member, "share").stdout
            self.assertIn("which is active: supersede both", output)
        # One that supersedes both settles it.
        self.ask(self.ann, "decision", "supersede", "Use both", "--old", made["Use PostgreSQL"], "--old", made["Use SQLite"],
                 "--target", "database", "--rationale", "Each where it is better")
        listed = json.loads(self.ask(self.ann, "decision", "list", "--status", "active", "--json").stdout)
        newest = (listed if isinstance(listed, list) else listed["decisions"])[0]["id"]
        self.ask(self.ann, "share", newest)
        self.ann.commit({})
        self.pull(self.bob, self.ann)
        found = json.loads(self.ask(self.bob, "decision", "search", "database", "--json").stdout)["results"]
        self.assertEqual([each["title"] for each in found], ["Use both"])
        self.assertNotIn("rivals", found[0]["shared"])
        for member in (self.ann, self.bob):
            self.assertNotIn("in conflict", self.ask(member, "share").stdout)
        # A superseded decision cannot be superseded again.
        again = self.ask(self.ann, "decision", "supersede", "Use neither", "--old", newest, "--old", made["Use SQLite"],
                         "--target", "database", "--rationale", "A file is enough for all", codes=(2,))
        self.assertIn("is not an active decision", again.stderr)

    def test_a_date_in_the_future_is_marked(self):
        for year in (2024, 9999):
            self.ann.commit({f"{FOLDER}/note-{year}.md": f'---\ncodexmem: 1\nkind: memory\nid: "{year:016}"\ntype: note\ncreated: "{year}-01-01T00:00:00Z"\n'
                             f"---\n\n# Note of {year}\n\nThe queue is drained by hand.\n"})
        self.ask(self.ann, "share", "--on")
        items = json.loads(self.ask(self.ann, "share", "--json").stdout)["items"]
        self.assertEqual([item.get("datedAhead", False) for item in sorted(items, key=lambda each: each["file"])], [False, True])
        self.assertEqual(self.ask(self.ann, "share").stdout.count("dated in the future: the date does not count"), 1)

    def test_a_file_that_has_just_come_back_can_be_removed(self):
        self.pull(self.bob, self.ann)
        self.ask(self.ann, "decision", "record", "Use SQLite", "--target", "database", "--rationale", "One file and no server")
        listed = json.loads(self.ask(self.ann, "decision", "list", "--json").stdout)
        made = (listed if isinstance(listed, list) else listed["decisions"])[0]["id"]
        self.ask(self.ann, "share", made)
        self.ann.commit({})
        self.pull(self.bob, self.ann)
        self.ask(self.bob, "share", "--on")
        for _ in range(2):
            self.ask(self.bob, "share", "--remove", made)
            self.bob.git("checkout", "--", ".")

    def test_switching_is_done_though_nothing_is_shared(self):
        for word in ("--on", "--off"):
            self.ask(self.bob, "share", word, codes=(0,))
        self.ask(self.bob, "share", codes=(1,))

    def test_wrong_calls_are_reported(self):
        for words in (["--on", "--off"], ["--remove"], ["1", "--on"], ["S3"], ["99"], ["decision_x"]):
            done = self.ask(self.ann, "share", *words, codes=(1, 2))
            self.assertIn("error", done.stderr)
        self.assertFalse((self.ann.root / FOLDER).exists())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    args, rest = parser.parse_known_args()
    PROGRAM = args.program
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
