#!/usr/bin/env python3
"""Rules of decisions: each kind broken and kept, in check, the pre-commit hook, impact, decision search and context.

  tests/git/rules_test.py --program build/dev/bin/codexmem
"""

import argparse
import json
import resource
import sys
import tempfile
import time

from git_repository import Repository

FILES = {
    "src/ui/page.ts": "import { shown } from './shown';\n\nexport function page() {\n  return shown();\n}\n",
    "src/ui/shown.ts": "export function shown() {\n  return 'x';\n}\n",
    "src/ui/old.ts": "import { rows } from '../db/rows';\n\nexport const old = rows;\n",
    "src/db/rows.ts": "export function rows() {\n  return [];\n}\n\nexport function slowRows() {\n  return [];\n}\n",
    "src/net/get.ts": "import axios from 'axios';\n\nexport const get = axios.get;\n",
    "src/app.ts": "import { rows, slowRows } from './db/rows';\n\nexport function main() {\n  return [rows(), slowRows()];\n}\n",
}
RULES = {
    "layers": "forbid import src/ui -> src/db",
    "client": "only src/net may use axios",
    "main": "symbol main must exist",
    "slow": "no new uses of slowRows",
}


def record(repository, target, rule, code=0):
    done = repository.codexmem("decision", "record", f"About {target}", "--target", target, "--rationale",
                               "It was agreed upon by all.", "--check", rule,
                               env={"AGENT_MEMORY_SECRET": "s", "CODEXMEM_DECISION_COOLDOWN_MS": "0"})
    assert done.returncode == code, (done.returncode, done.stderr, done.stdout)
    return done


def findings(repository, *words, code):
    done = repository.codexmem("check", "--json", *words)
    assert done.returncode == code, (done.returncode, done.stderr, done.stdout)
    return [(f["file"], f["line"], f["kind"], f["name"]) for f in json.loads(done.stdout)["findings"]]


def check_each_kind(repository):
    broken = [
        ("src/ui/page.ts", "import { rows } from '../db/rows';\n" + FILES["src/ui/page.ts"], 1, RULES["layers"]),
        ("src/app.ts", FILES["src/app.ts"] + "import axios from 'axios';\nexport const a = axios;\n", 6, RULES["client"]),
        ("src/app.ts", FILES["src/app.ts"].replace("main", "start"), 3, RULES["main"]),
        ("src/net/get.ts", FILES["src/net/get.ts"] + "import { slowRows } from '../db/rows';\nslowRows();\n", 4, RULES["slow"]),
    ]
    for path, text, line, rule in broken:
        repository.write({path: text})
        found = findings(repository, code=1)
        assert (path, line, "rule", rule) in found, (rule, found)
        assert {name for _, _, kind, name in found if kind == "rule"} == {rule}, found
        done = repository.codexmem("check")
        assert f'"{rule}", of decision "About' in done.stdout, done.stdout
        assert any(f["file"]["path"] == path and f["line"] == line and rule in f["message"]
                   for f in json.loads(repository.codexmem("impact", "--json").stdout)["broken"])
        # The hook of pre-commit runs this.
        repository.git("add", "-A")
        assert repository.codexmem("check", "--staged", "--hook").returncode == 1
        repository.git("reset", "-q", "--hard")
    # A rename that would break one is put back.
    done = repository.codexmem("rename", "src/app.ts::main", "start", "--apply")
    assert done.returncode == 1 and RULES["main"] in done.stderr and "put back" in done.stderr, done.stderr
    assert repository.git("status", "--porcelain") == ""
    # Allowed: a change in the same files, and one in a file that broke a rule before.
    repository.write({"src/ui/old.ts": FILES["src/ui/old.ts"].replace("old", "older"),
                      "src/net/get.ts": FILES["src/net/get.ts"].replace("get", "post"),
                      "src/app.ts": "// The start.\n" + FILES["src/app.ts"]})
    assert findings(repository, code=0) == []
    repository.git("add", "-A")
    assert repository.codexmem("check", "--staged", "--hook").returncode == 0
    repository.git("reset", "-q", "--hard")
    # A file that broke one is moved.
    repository.git("mv", "src/ui/old.ts", "src/ui/moved.ts")
    assert findings(repository, code=0) == []
    repository.write({"src/ui/more.ts": FILES["src/ui/old.ts"]})
    assert len(findings(repository, code=1)) == 1
    (repository.root / "src/ui/more.ts").unlink()
    repository.git("reset", "-q", "--hard")
    repository.codexmem("index", ".")
    # For a commit, the staged files count, not the work tree's.
    repository.write({"src/ui/page.ts": broken[0][1]})
    assert repository.codexmem("check", "--staged", "--hook").returncode == 0
    repository.git("add", "-A")
    repository.write({"src/ui/page.ts": FILES["src/ui/page.ts"]})
    assert repository.codexmem("check", "--staged", "--hook").returncode == 1
    repository.git("reset", "-q", "--hard")


def check_what_is_said(repository):
    done = repository.codexmem("decision", "search", "layers", "--json")
    checks = {c["rule"]: c for r in json.loads(done.stdout)["results"] for c in r.get("checks", [])}
    assert checks[RULES["layers"]] == {"rule": RULES["layers"], "holds": False,
                                       "places": [{"path": "src/ui/old.ts", "line": 1}]}, checks
    done = repository.codexmem("decision", "search", "main client", "--json")
    checks = {c["rule"]: c for r in json.loads(done.stdout)["results"] for c in r.get("checks", [])}
    assert checks[RULES["client"]]["holds"] and checks[RULES["main"]]["holds"], checks
    assert "broken: forbid import src/ui -> src/db: src/ui/old.ts:1" in repository.codexmem(
        "decision", "search", "layers").stdout
    rules = json.loads(repository.codexmem("context", "src/ui/old.ts", "--json").stdout)["rules"]
    assert [(r["rule"], r["holds"]) for r in rules] == [(RULES["layers"], False)], rules
    rules = json.loads(repository.codexmem("context", "src/ui/page.ts", "--json").stdout)["rules"]
    assert [(r["rule"], r["holds"]) for r in rules] == [(RULES["layers"], True)], rules
    assert "rules" not in json.loads(repository.codexmem("context", "src/net/get.ts", "--json").stdout)


def check_bad_rules(repository):
    for rule in ("forbid import a", "only may use x", "forbid import -> b", "symbol must exist", "no uses of x", ""):
        done = record(repository, "bad", rule, code=2)
        assert "a rule is " in done.stderr, done.stderr
    # Several places, with commas between; several rules.
    done = repository.codexmem("decision", "record", "Many", "--target", "many", "--rationale", "It was agreed upon by all.",
                               "--check", "forbid import src/ui, src/net -> src/app.ts", "--check", "no new uses of old, older",
                               env={"AGENT_MEMORY_SECRET": "s", "CODEXMEM_DECISION_COOLDOWN_MS": "0"})
    assert done.returncode == 0, done.stderr
    done = repository.codexmem("decision", "search", "many", "--json")
    checks = [c["rule"] for r in json.loads(done.stdout)["results"] for c in r.get("checks", [])]
    assert {"forbid import src/ui, src/net -> src/app.ts", "no new uses of old, older"} <= set(checks), checks
    done = record(repository, "typo", "forbid import src/ui -> src/dbb")
    done = repository.codexmem("decision", "search", "typo", "--json")
    checks = [c for r in json.loads(done.stdout)["results"] for c in r.get("checks", [])]
    assert {"rule": "forbid import src/ui -> src/dbb", "holds": True, "unknown": ["src/dbb"]} in checks, checks


def check_many_rules(repository):
    """A hundred rules cost a check some milliseconds more, each kind among them."""
    repository.write({"src/app.ts": FILES["src/app.ts"].replace("rows(),", "rows(), 1,")})

    def seconds():
        """The processor time of a check, the least of ten."""
        def used():
            now = resource.getrusage(resource.RUSAGE_CHILDREN)
            return now.ru_utime + now.ru_stime

        least = 1.0
        for _ in range(10):
            begin = used()
            assert repository.codexmem("check").returncode == 0
            least = min(least, used() - begin)
        return least

    few = seconds()
    for i in range(25):
        for kind, rule in (("a", f"forbid import src/ui{i} -> src/db{i}"), ("b", f"only src/net may use client{i}"),
                           ("c", "symbol rows must exist"), ("d", f"no new uses of slowRows{i}")):
            record(repository, f"{kind}{i}", rule)
    many = seconds()
    print(f"100 rules cost {1000 * (many - few):.1f} ms of processor time")
    assert many - few < 0.05, (few, many)
    repository.git("reset", "-q", "--hard")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        repository = Repository(program, name)
        repository.commit(FILES)
        assert findings(repository, code=0) == []
        for target, rule in RULES.items():
            record(repository, target, rule)
        check_each_kind(repository)
        check_what_is_said(repository)
        check_bad_rules(repository)
        check_many_rules(repository)
    print(f"rules: all as they should be, {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    sys.exit(main())
