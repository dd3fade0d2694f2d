#!/usr/bin/env python3
"""codexmem impact and analyze_change, on small changes of small repositories.

  tests/git/impact_test.py --program build/dev/bin/codexmem
"""

import argparse
import json
import sys
import tempfile
import time

from git_repository import Repository

PYTHON = {
    "shop/__init__.py": "",
    "shop/price.py": "def price_of(item):\n    return item.cost * 2\n\n\ndef unused(item):\n    return item\n",
    "shop/cart.py": "from .price import price_of\n\n\ndef total(items):\n    return sum(price_of(i) for i in items)\n",
    "tests/test_price.py": "from shop.price import price_of\n\n\ndef test_price():\n    assert price_of(None)\n",
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total():\n    assert total([]) == 0\n",
    "tests/test_other.py": "def test_nothing():\n    assert True\n",
    "tests/helpers.py": "from shop.price import price_of\n\n\ndef free():\n    return price_of(0)\n",
}


def answer_of(repository, *words, code=0):
    done = repository.codexmem("impact", "--json", *words)
    assert done.returncode == code, (done.returncode, done.stderr, done.stdout)
    return json.loads(done.stdout)


def tests_of(answer):
    return [test["path"] for test in answer["tests"]]


def check_python(program, folder):
    repository = Repository(program, folder)
    repository.commit(PYTHON)
    assert "nothing has changed" in repository.codexmem("impact").stdout
    assert answer_of(repository, code=1)["changed"] == []
    repository.write({"shop/price.py": PYTHON["shop/price.py"].replace("* 2", "* 3  # dearer")})
    answer = answer_of(repository)
    assert [(c["symbol"], c["change"], c["line"]) for c in answer["changed"]] == [("price_of", "body", 1)], answer
    assert tests_of(answer)[:2] == ["tests/test_price.py", "tests/test_cart.py"], answer["tests"]
    assert "tests/test_other.py" not in tests_of(answer) and "tests/helpers.py" not in tests_of(answer)
    assert answer["run"] == ["pytest tests/test_price.py tests/test_cart.py"], answer["run"]
    places = {(a["file"]["path"], a["symbol"], a["depth"], a["uses"]) for a in answer["affected"]}
    assert ("shop/cart.py", "total", 1, "price_of") in places and ("tests/helpers.py", "free", 1, "price_of") in places
    assert answer["broken"] == [] and "notSeen" not in answer, answer
    text = repository.codexmem("impact").stdout
    for line in ("shop/price.py:1  body price_of", "pytest tests/test_price.py", "shop/cart.py:5  total  uses price_of"):
        assert line in text, text
    # Comments affect nothing; a removed definition breaks its uses, and is reported.
    repository.write({"shop/price.py": "# Prices.\n" + PYTHON["shop/price.py"]})
    answer = answer_of(repository)
    assert answer["commentsOrFormattingOnly"] == ["shop/price.py"] and answer["affected"] == [], answer
    repository.write({"shop/price.py": PYTHON["shop/price.py"].replace("price_of", "cost_of")})
    answer = answer_of(repository)
    assert answer["changed"][0]["change"] == "renamed" and answer["changed"][0]["was"] == {"symbol": "price_of"}, answer
    assert {finding["file"]["path"] for finding in answer["broken"]} >= {"shop/cart.py", "tests/test_price.py"}, answer
    # A moved definition breaks the tests that import it from its old place.
    repository.git("checkout", "-q", "--", ".")
    repository.git("mv", "shop/price.py", "shop/cost.py")
    answer = answer_of(repository)
    assert [c["change"] for c in answer["changed"]] == ["moved", "moved"], answer["changed"]
    assert answer["tests"][0] == {"path": "tests/test_price.py", "likelihood": answer["tests"][0]["likelihood"],
                                  "why": "is broken by it"}, answer["tests"]
    repository.git("mv", "shop/cost.py", "shop/price.py")
    # Before a change, by name; an unknown name is an error with similar names.
    repository.git("checkout", "-q", "--", ".")
    answer = answer_of(repository, "total")
    assert tests_of(answer)[0] == "tests/test_cart.py" and answer["affected"] == [], answer
    done = repository.codexmem("impact", "totl")
    assert done.returncode == 1 and 'nothing is called "totl"; near: total' in done.stderr, done
    assert repository.codexmem("impact", "--since", "nowhere").returncode == 2
    assert "a revision: --since takes it" in repository.codexmem("impact", "HEAD").stderr
    # Staged alone, and all that a branch changes.
    repository.write({"shop/price.py": PYTHON["shop/price.py"].replace("return item\n", "return None\n")})
    repository.git("add", "-A")
    repository.write({"shop/cart.py": PYTHON["shop/cart.py"].replace("sum", "max")})
    assert [c["symbol"] for c in answer_of(repository, "--staged")["changed"]] == ["unused"]
    repository.commit({})
    assert {c["symbol"] for c in answer_of(repository, "--since", "HEAD~1")["changed"]} == {"unused", "total"}


def check_runners(program, folder):
    repository = Repository(program, folder, name="runners")
    repository.commit({
        "package.json": '{"scripts": {"test": "vitest"}, "devDependencies": {"vitest": "1"}}\n',
        "src/a.ts": "export function one() { return 1; }\n",
        "src/a.test.ts": "import { one } from './a';\ntest('one', () => { one(); });\n",
        "old/package.json": '{"scripts": {"test": "mocha"}}\n',
        "old/b.js": "exports.two = function () { return 2; };\n",
        "old/b.test.js": "const { two } = require('./b');\nit('two', () => { two(); });\n",
        "go/go.mod": "module example.org/x\n\ngo 1.20\n",
        "go/c/c.go": "package c\n\nfunc Three() int { return 3 }\n",
        "go/c/c_test.go": "package c\n\nimport \"testing\"\n\nfunc TestThree(t *testing.T) { Three() }\n",
        "pom.xml": "<project/>\n",
        "src/main/java/D.java": "class D { static int four() { return 4; } }\n",
        "src/test/java/DTest.java": "class DTest { void four() { D.four(); } }\n",
        "rust/Cargo.toml": "[package]\nname = \"e\"\n",
        "rust/src/lib.rs": "pub fn five() -> i32 { 5 }\n",
        "rust/tests/five.rs": "use e::five;\n#[test]\nfn it() { five(); }\n",
        "it's/test_six.py": "def six():\n    return 6\n",
    })
    for name, command in {"one": "npx vitest run src/a.test.ts", "two": "(cd old && npx mocha b.test.js)",
                          "Three": "go -C go test ./c", "D.four": "mvn test -Dtest=DTest",
                          "five": "cargo test --manifest-path rust/Cargo.toml --test five"}.items():
        answer = answer_of(repository, name)
        assert answer["run"] == [command], (name, answer["run"], answer["tests"])
    # What a repository calls its files is a word to the shell.
    repository.write({"it's/test_six.py": "def six():\n    return 7\n"})
    assert answer_of(repository)["run"] == ["pytest 'it'\\''s/test_six.py'"]
    repository.git("checkout", "-q", "--", ".")
    repository.commit({"tests/$(date)_test.cpp": "int seven() { return 7; }\n", "tests/eight_test.cpp": "int eight() { return 8; }\n",
                       "-x_test.py": "def nine():\n    return 9\n"})
    repository.write({"tests/$(date)_test.cpp": "int seven() { return 8; }\n", "tests/eight_test.cpp": "int eight() { return 9; }\n",
                      "-x_test.py": "def nine():\n    return 10\n"})
    assert sorted(answer_of(repository)["run"]) == ["ctest -R '\\$\\(date\\)_test|eight_test'", "pytest ./-x_test.py"], answer_of(repository)


def check_many_tests(program, folder):
    """A few tests are run, of less likely ones the path is given; a long line of files is one of folders."""
    repository = Repository(program, folder, name="many")
    deep = "tests/" + "/".join(["quite_a_long_name_of_a_folder"] * 2)
    files = {f"{deep}/test_use_{number:02}.py": f"from core import work\n\n\ndef test_{number}():\n    work()\n" for number in range(40)}
    repository.commit({**files, "core.py": "def work():\n    return 1\n", "test_core.py": "from core import work\n\n\ndef test():\n    work()\n"})
    answer = answer_of(repository, "work")
    assert tests_of(answer)[0] == "test_core.py" and len(answer["tests"]) <= 10, answer["tests"]
    assert len(answer["tests"]) + len(answer["lessLikelyTests"]) + answer["omitted"]["lessLikelyTests"] == 41, answer
    repository.write({name: text.replace("work()\n", "work() + 1\n") for name, text in list(files.items())[:10]})
    answer = answer_of(repository)
    assert len(answer["tests"]) == 10 and answer["run"] == [f"pytest {deep}/"], answer["run"]
    text = repository.codexmem("impact", "work").stdout
    assert "  less likely: tests/" in text, text


def check_companions(program, folder):
    repository = Repository(program, folder, name="companions")
    for number in range(6):
        repository.commit({"a.py": f"def a():\n    return {number}\n", "schema.sql": f"-- {number}\n",
                           "test_far.py": f"x = {number}\n"})
    repository.write({"a.py": "def a():\n    return 9\n"})
    answer = answer_of(repository)
    together = {one["path"]: one for one in answer["changedTogether"]}
    assert set(together) == {"schema.sql", "test_far.py"}, answer  # tests may have to be changed, too
    schema = together["schema.sql"]
    assert schema.pop("likelihood") > 0.3, answer
    assert schema == {"path": "schema.sql", "why": "changed with a.py in 6 of 6 commits", "with": "a.py", "commits": 6, "of": 6}, answer
    assert answer["tests"][0]["path"] == "test_far.py" and "6 of 6 commits" in answer["tests"][0]["why"], answer
    # A memory that cites the file comes along.
    saved = repository.codexmem("memory", "save", "a() must stay fast", "--title", "Speed of a", "--file", "a.py")
    assert saved.returncode == 0, saved.stderr
    assert [note["title"] for note in answer_of(repository)["memories"]] == ["Speed of a"]
    # Files removed from the tree are not suggested, however often they changed.
    repository.commit({"test_far.py": None, "schema.sql": None})
    repository.write({"a.py": "def a():\n    return 10\n"})
    answer = answer_of(repository)
    assert answer["changedTogether"] == [] and answer["tests"] == [] and answer["run"] == [], answer
    # What no language of ours checks is said.
    repository.commit({"one.lua": "function helper_one()\n  return 1\nend\n", "use.lua": "helper_one()\n"})
    repository.write({"one.lua": "function helper_two()\n  return 2\nend\n"})
    assert any("of lua: they are not checked" in line for line in answer_of(repository)["notSeen"]), answer_of(repository)
    repository.git("checkout", "-q", "--", ".")
    # An answer keeps to its size and says what it left out.
    many = "".join(f"def f{i}():\n    return {i}\n\n\n" for i in range(400))
    repository.commit({"many.py": many})
    repository.write({"many.py": many.replace("return", "return 1 +")})
    begin = time.monotonic()
    answer = answer_of(repository)
    assert len(answer["changed"]) + answer["omitted"]["changed"] == 400, answer["omitted"]
    assert time.monotonic() - begin < 20
    assert repository.codexmem("impact", "f1", "--staged").returncode == 2


def check_companions_by_code(program, folder):
    """History follows moved files and leaves out commits of many files; words and names count as well."""
    repository = Repository(program, folder, name="by_code")
    for number in range(4):
        repository.commit({"lib/a.py": f"def a():\n    return {number}\n", "notes.txt": f"{number}\n"})
    many = {f"many/m{number}.py": "x = 1\n" for number in range(40)}
    repository.commit({**many, "lib/a.py": "def a():\n    return 9\n", "tables.py": "RATE_OF_TAX = 1\n"})
    repository.git("mv", "lib/a.py", "core.py")
    repository.commit({})
    repository.write({"core.py": "def a():\n    return 9 * RATE_OF_TAX\n"})
    together = {one["path"]: one for one in answer_of(repository)["changedTogether"]}
    assert together["notes.txt"]["why"] == "changed with core.py in 4 of 5 commits", together
    assert together["tables.py"]["why"] == "has RATE_OF_TAX, which the change adds or removes", together
    assert not set(together) & set(many), together


def check_traces(program, folder):
    repository = Repository(program, folder, name="traces")
    repository.commit({
        "app.ts": "import { start } from './engine';\nexport function main() {\n  start();\n}\n",
        "engine.ts": "import { Store, FileStore } from './store';\n\nexport function start() {\n"
                     "  run(new FileStore());\n}\nfunction run(store: Store) {\n  store.save('x');\n}\n",
        "store.ts": "export interface Store {\n  save(text: string): void;\n}\n"
                    "export class FileStore implements Store {\n  save(text: string) {\n    write(text);\n  }\n}\n"
                    "function write(text: string) {\n  write(text);\n}\n"})

    def trace(*words, code=0):
        done = repository.codexmem("trace", "--json", *words)
        assert done.returncode == code, (done.returncode, done.stderr, done.stdout)
        return json.loads(done.stdout) if code != 2 else done.stderr

    paths = trace("--from", "main", "--to", "write")["paths"]
    assert [[s["symbol"] for s in p] for p in paths] == [["main", "start", "run", "FileStore.save", "write"]], paths
    assert [s.get("callLine") for s in paths[0]] == [None, 3, 4, 7, 6], paths
    assert [s.get("confidence") for s in paths[0]] == [None, "resolved", "resolved", "likely", "resolved"], paths
    callers = trace("--to", "write", "--depth", "9")["callers"]
    once = [s["symbol"] for s in callers if not s.get("repeated")]
    assert once == ["write", "FileStore.save", "run", "start", "main"], callers
    # `run` calls two implementations, and `write` itself: both are shown where they call.
    assert [s["symbol"] for s in callers if s.get("repeated")] == ["write", "run"], callers
    assert [s["symbol"] for s in trace("--from", "main", "--depth", "1")["callees"]] == ["main", "start"]
    assert "No calls lead from write to main" in trace("--from", "write", "--to", "main", code=1)["note"]
    text = repository.codexmem("trace", "--from", "main", "--to", "write").stdout
    assert "      store.ts:5  FileStore.save  call on line 7, likely\n" in text, text
    assert "main\nno calls of it are known\n" in repository.codexmem("trace", "--to", "main").stdout
    assert repository.codexmem("trace").returncode == 2
    assert 'nothing is called "maim"; near: main' in repository.codexmem("trace", "--to", "maim").stderr


def check_files_called_alike(program, folder):
    """Each of many files called index has its test next to it."""
    repository = Repository(program, folder, name="alike")
    repository.commit({f"src/{name}/{file}": text.replace("NAME", name) for name in ("cart", "price") for file, text in (
        ("index.ts", "export function NAME() {\n  return 1;\n}\n"),
        ("index.test.ts", "import { NAME } from '.';\ntest('NAME', () => { NAME(); });\n"))})
    assert tests_of(answer_of(repository, "cart")) == ["src/cart/index.test.ts"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    for case in (check_python, check_runners, check_many_tests, check_companions, check_companions_by_code, check_files_called_alike, check_traces):
        with tempfile.TemporaryDirectory(prefix="codexmem-impact-test-") as folder:
            case(options.program, folder)
            print(f"{case.__name__}: passed")
    sys.exit(0)


main()
