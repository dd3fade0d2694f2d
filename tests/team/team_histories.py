#!/usr/bin/env python3
"""Three members with repositories and stores of their own share memories and decisions through one git server.

Each sequence is random edits, removals, decisions, branches, merges, rebases, pulls and pushes. Then all is merged.
In the end every member's store must have what the files say: nothing lost, nothing doubled, all three equal, and
equal to what a model of the rules in this file makes of the files. No canary may be in any file or store.

    team_histories.py --program build/ci/bin/codexmem --sequences 1000 --seed 1
"""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

TARGETS = ["database", "cache", "queue"]
# In the shape of a secret, and in a private part.
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PRIVATE = "canary-of-a-private-part"


class Member:
    def __init__(self, args, home, name, origin):
        self.program, self.name = args.program, name
        self.folder = home / name / "shop"
        self.data = home / name / "data"
        self.environment = dict(
            os.environ, HOME=str(home / name), CODEXMEM_DATA_DIR=str(self.data), AGENT_MEMORY_SECRET="x" * 20,
            CODEXMEM_DECISION_COOLDOWN_MS="0", GIT_CONFIG_GLOBAL=str(home / "gitconfig"), GIT_CONFIG_NOSYSTEM="1",
            GIT_AUTHOR_NAME=name, GIT_AUTHOR_EMAIL=f"{name}@example.org", GIT_COMMITTER_NAME=name,
            GIT_COMMITTER_EMAIL=f"{name}@example.org", GIT_EDITOR="true")
        for variable in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
            self.environment.pop(variable, None)
        self.folder.parent.mkdir(parents=True)
        subprocess.run(["git", "clone", "-q", str(origin), str(self.folder)], env=self.environment, check=True,
                       stderr=subprocess.DEVNULL)

    def git(self, *words, check=True):
        done = subprocess.run(["git", *words], cwd=self.folder, env=self.environment, capture_output=True, text=True)
        if check and done.returncode != 0:
            raise AssertionError(f"{self.name}: git {' '.join(words)}: {done.stdout}{done.stderr}")
        return done

    def run(self, *words, fine=(0,), stdin=None):
        done = subprocess.run([self.program, *words], cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, input=stdin)
        if done.returncode not in fine:
            raise AssertionError(f"{self.name}: codexmem {' '.join(words)}: {done.returncode} {done.stdout}{done.stderr}")
        return done

    def shared(self):
        return json.loads(self.run("share", "--json", fine=(0, 1)).stdout)

    def files(self):
        return sorted((self.folder / ".codexmem-shared").glob("*.md"))

    # What members do.

    def save(self, rng, number):
        text = f"note {number} of {self.name}: the {rng.choice(TARGETS)} is slow on {rng.randrange(100)}"
        saved = self.run("memory", "save", text, "--json")
        self.run("share", str(json.loads(saved.stdout)["id"]))

    def save_canaries(self, number):
        """What must not reach a file: a secret is refused, a private part is left out."""
        self.run("memory", "save", f"the key is {SECRET}", fine=(2,))
        saved = self.run("memory", "save", f"note {number} <private>{PRIVATE}</private> of all", "--json")
        self.run("share", str(json.loads(saved.stdout)["id"]))

    def decide(self, rng, number):
        target = rng.choice(TARGETS)
        words = ["--rationale", f"because of reason {number} of {self.name}", "--json"]
        title = f"{target} choice {number} of {self.name}"
        done = self.run("decision", "record", title, "--target", target, *words, fine=(0, 2))
        if done.returncode == 2:
            found = re.search(r"exist: \[([^\]]+)\]", done.stderr + done.stdout)
            if not found:
                raise AssertionError(f"{self.name}: {done.stderr}{done.stdout}")
            done = self.run("decision", "supersede", title, "--old", found.group(1), "--target", target, *words)
        made = json.loads(done.stdout)
        self.run("share", made.get("decision_id") or made["id"])

    def edit(self, rng, number):
        files = [path for path in self.files() if "kind: memory" in path.read_text()]
        if files:
            path = rng.choice(files)
            path.write_text(path.read_text() + f"\nline {number} of {self.name}\n")

    def remove(self, rng):
        if files := self.files():
            rng.choice(files).unlink()

    def look(self):
        self.run("share", "--json", fine=(0, 1))

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "work", check=False)

    def settle_conflict(self, rng):
        """As people do: one side of each file, or both branches' removal."""
        while True:
            status = self.git("status", "--porcelain").stdout.splitlines()
            for line in status:
                if line[:2] in ("UU", "AA"):
                    self.git("checkout", rng.choice(["--ours", "--theirs"]), "--", line[3:].strip('"'))
                    self.git("add", "--", line[3:].strip('"'))
                elif "U" in line[:2] or line[:2] == "DD":
                    if rng.random() < 0.5 or not (self.folder / line[3:].strip('"')).exists():
                        self.git("rm", "-q", "--cached", "--ignore-unmatch", "--", line[3:].strip('"'))
                        (self.folder / line[3:].strip('"')).unlink(missing_ok=True)
                    else:
                        self.git("add", "--", line[3:].strip('"'))
            git_folder = self.folder / ".git"
            if (git_folder / "rebase-merge").exists() or (git_folder / "rebase-apply").exists():
                if self.git("rebase", "--continue", check=False).returncode != 0:
                    if self.git("diff", "--name-only", "--diff-filter=U").stdout == "":
                        self.git("rebase", "--skip", check=False)
                    continue
            elif (git_folder / "MERGE_HEAD").exists():
                self.git("commit", "-q", "--no-edit", check=False)
            return

    def branch(self, rng):
        self.commit()
        name = f"b{rng.randrange(2)}-{self.name}"
        if self.git("checkout", "-q", name, check=False).returncode != 0:
            self.git("checkout", "-q", "-b", name)

    def merge(self, rng):
        self.commit()
        branches = self.git("branch", "--format=%(refname:short)").stdout.split()
        words = ["rebase", "-q"] if rng.random() < 0.3 else ["merge", "-q", "--no-edit"]
        if self.git(*words, rng.choice(branches), check=False).returncode != 0:
            self.settle_conflict(rng)

    def pull(self, rng):
        self.commit()
        if self.git("checkout", "-q", "main", check=False).returncode != 0:
            return
        words = ["pull", "-q", "--rebase"] if rng.random() < 0.4 else ["pull", "-q", "--no-rebase", "--no-edit"]
        if self.git(*words, "origin", "main", check=False).returncode != 0:
            self.settle_conflict(rng)
        self.git("push", "-q", "origin", "main", check=False)

    def merge_all(self, rng):
        self.commit()
        self.git("checkout", "-q", "main")
        for name in self.git("branch", "--format=%(refname:short)").stdout.split():
            if name != "main" and self.git("merge", "-q", "--no-edit", name, check=False).returncode != 0:
                self.settle_conflict(rng)
        self.pull(rng)


def front_matter(text):
    head, body = text.split("\n---\n", 1)
    values, key = {}, None
    for line in head.splitlines()[1:]:
        if line.startswith("  - "):
            values.setdefault(key, []).append(json.loads(line[4:]))
        else:
            key, _, value = line.partition(":")
            if value.strip():
                values[key] = json.loads(value) if value.strip().startswith('"') else value.strip()
    return values, body.strip()


def model(folder):
    """What the files mean: (id, status or "", heading and text) of each file."""
    files = [front_matter(path.read_text()) for path in sorted((folder / ".codexmem-shared").glob("*.md"))]
    decisions = {values["id"]: values for values, _ in files if values["kind"] == "decision"}
    order = {id: (values["created"], id) for id, values in decisions.items()}
    over = {old for id, values in decisions.items() for old in values.get("supersedes", [])
            if old in order and order[old] < order[id]}
    holds = {}
    for id, values in decisions.items():
        if id not in over:
            holds[values["target"]] = max(holds.get(values["target"], order[id]), order[id])
    out = set()
    for values, body in files:
        status = ""
        if values["kind"] == "decision":
            status = "active" if holds.get(values["target"], ("", ""))[1] == values["id"] else "superseded"
        out.add((values["kind"], status, body.splitlines()[0][2:]))
    return len(files), out


def stored(member):
    answer = member.shared()
    assert answer["read"], answer
    out = set()
    for item in answer["items"]:
        assert "refused" not in item, item
        title, status, kind = item["title"], "", "memory"
        if found := re.fullmatch(r"(.*) \((active|superseded|deprecated)\)", title):
            title, status, kind = found.group(1), found.group(2), "decision"
        out.add((kind, status, title))
    return len(answer["items"]), out


def texts_of(member):
    """Every shared text in the store, once an entry."""
    query = """SELECT count(DISTINCT f.document) FROM shared_files AS f WHERE f.document IS NOT NULL
               UNION ALL SELECT count(*) FROM entries WHERE source = 'shared'
                 AND NOT EXISTS (SELECT 1 FROM shared_files WHERE document = entries.id << 2)
               UNION ALL SELECT count(*) FROM (SELECT 1 FROM decisions WHERE status = 'active' GROUP BY project_id, target_key HAVING count(*) > 1)"""
    done = subprocess.run(["sqlite3", str(member.data / "memory.db"), query], capture_output=True, text=True, check=True)
    return [int(line) for line in done.stdout.split()]


def play(args, seed, home):
    rng = random.Random(seed)
    (home / "gitconfig").write_text("[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n")
    origin = home / "origin.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(origin)], check=True)
    members = [Member(args, home, name, origin) for name in ("ann", "bob", "cy")]
    first = members[0]
    (first.folder / "README.md").write_text("# Shop\n")
    first.git("checkout", "-q", "-b", "main", check=False)
    first.commit()
    first.git("push", "-q", "origin", "main")
    for member in members[1:]:
        member.git("pull", "-q", "origin", "main")
        member.git("checkout", "-q", "main", check=False)
    for member in members:
        member.run("share", "--on", fine=(0, 1))
    if args.canaries:
        first.save_canaries(seed)
    for number in range(args.steps):
        member = rng.choice(members)
        act = rng.choices(["save", "decide", "edit", "remove", "commit", "branch", "merge", "pull", "look"],
                          weights=[5, 4, 2, 1.5, 2, 1.5, 2, 4, 2])[0]
        if args.verbose:
            print(number, member.name, act, flush=True)
        if act in ("save", "decide", "edit"):
            getattr(member, act)(rng, f"{seed}.{number}")
        elif act in ("remove", "branch", "merge", "pull"):
            getattr(member, act)(rng)
        else:
            getattr(member, act)()
    for _ in range(2):
        for member in members:
            member.merge_all(rng)
    heads = {member.git("rev-parse", "HEAD").stdout for member in members}
    for _ in range(5):
        if len(heads) == 1:
            break
        for member in members:
            member.pull(rng)
        heads = {member.git("rev-parse", "HEAD").stdout for member in members}
    assert len(heads) == 1, "the repositories differ"
    expected = model(first.folder)
    for member in members:
        found = stored(member)
        assert found == expected, f"{member.name}: {sorted(found[1] ^ expected[1])} {found[0]} {expected[0]}"
        documents, orphans, doubled = texts_of(member)
        assert documents == len(expected[1]), f"{member.name}: {documents} documents for {len(expected[1])} texts"
        assert orphans == 0 and doubled == 0, (member.name, orphans, doubled)
        for path in member.files():
            text = path.read_text()
            assert SECRET not in text and PRIVATE not in text, path
    return expected[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--sequences", type=int, default=12)
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--canaries", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    args.program = str(pathlib.Path(args.program).resolve())
    files = failed = 0
    for seed in range(args.seed, args.seed + args.sequences):
        home = pathlib.Path(tempfile.mkdtemp(prefix="codexmem-team-"))
        try:
            files += play(args, seed, home)
        except AssertionError as error:
            failed += 1
            print(f"sequence {seed}: {error}", flush=True)
        finally:
            shutil.rmtree(home, ignore_errors=True)
    print(f"{args.sequences} sequences of {args.steps} steps, {files} files in the end: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
