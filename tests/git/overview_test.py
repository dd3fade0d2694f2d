#!/usr/bin/env python3
"""codexmem overview and repository_overview, on a small repository of several languages.

  tests/git/overview_test.py --program build/dev/bin/codexmem
"""

import argparse
import json
import tempfile

from git_repository import Repository

FILES = {
    "README.md": "# Shop\n\n[![ok](a.svg)](b)\n\nWe have released version 2 of it now.\n\n"
                 "Shop is a small web shop in *Python*, with a [page](web) in TypeScript.\n",
    "pyproject.toml": "[project]\nname = \"shop\"\ndescription = \"A small shop\"\n[project.scripts]\nshop = \"shop.cli:main\"\n",
    "Makefile": "all: build ## everything\nbuild:\n\tcc -o tool tools/tool.c\n",
    "tox.ini": "[testenv:lint]\ndescription = look at the style\ncommands = ruff\n",
    "shop/__init__.py": "\"\"\"All of the shop.\n\nMore of it.\n\"\"\"\nfrom .web.app import App\nfrom .core.price import price_of\n\n__all__ = [\"App\", \"price_of\"]\n",
    "shop/__main__.py": "from shop.cli import main\n\nmain()\n",
    "shop/cli.py": "from shop.web.app import App\n\n\ndef main():\n    App().run()\n\n\nif __name__ == \"__main__\":\n    main()\n",
    "shop/web/__init__.py": "# Copyright by us, all rights reserved.\n\n\"\"\"What people see.\"\"\"\n",
    "shop/web/app.py": "from shop.core.price import price_of\nfrom shop.core.money import Money\nfrom shop.data.rows import Row\n\n\nclass App:\n    def run(self):\n        return price_of(Row(), Money())\n",
    "shop/core/__init__.py": "",
    "shop/core/README.md": "# Core\n\nPrices and money, and nothing of the web.\n",
    "shop/core/price.py": "from shop.data.rows import Row\n\n\ndef price_of(row, money):\n    return row\n",
    # The one import against the layers; the other is only for types.
    "shop/core/money.py": "import typing\n\nfrom shop.web.app import App\n\n\nclass Money:\n    app = App\n",
    "shop/data/__init__.py": "",
    "shop/data/rows.py": "import typing\n\nif typing.TYPE_CHECKING:\n    from shop.web.app import App\n\n\nclass Row:\n    pass\n\n\nclass Table:\n    pass\n",
    "web/package.json": json.dumps({"name": "shop-page", "description": "The page", "bin": {"page": "./page.js"},
                                    "scripts": {"test": "vitest", "build": "tsc"}, "devDependencies": {"vitest": "1"}}),
    "web/src/index.ts": "export { Page } from './page';\n",
    "web/src/page.ts": "export class Page {}\n",
    "web/src/page.test.ts": "import { Page } from './page';\ntest('it', () => { new Page(); });\n",
    "tools/tool.c": "#include <stdio.h>\nint main(void) { return 0; }\n",
    "tests/test_app.py": "from shop import App\n\n\ndef test_app():\n    App()\n",
    "tests/test_price.py": "from shop.core.price import price_of\n\n\ndef test_price():\n    price_of(1, 2)\n",
    "docs/conf.py": "project = 'shop'\n",
    "notes.bin": "\0\1\2",
}


def answer_of(repository, *words):
    done = repository.codexmem("overview", "--json", *words)
    assert done.returncode == 0, (done.returncode, done.stderr, done.stdout)
    return json.loads(done.stdout)


def check_all(program, folder):
    repository = Repository(program, folder)
    repository.commit(FILES)
    for number in range(3):
        repository.commit({"shop/core/price.py": FILES["shop/core/price.py"] + f"# {number}\n"})
    answer = answer_of(repository)
    assert answer["summary"] == "Shop is a small web shop in Python, with a page in TypeScript.", answer["summary"]
    assert answer["languages"][0]["language"] == "python" and answer["languages"][0]["files"] == 13, answer["languages"]
    packages = {(p["folder"], p["kind"], p["name"]): p.get("about") for p in answer["packages"]}
    assert packages == {(".", "python", "shop"): "A small shop", ("web", "npm", "shop-page"): "The page"}, packages
    folders = {f["path"]: f for f in answer["folders"]}
    assert folders["shop"]["about"] == "All of the shop." and folders["shop"]["files"] == 3, folders
    assert folders["shop/web"]["about"] == "What people see."
    assert folders["shop/core"]["about"] == "Prices and money, and nothing of the web."
    assert folders["shop/data"]["names"][0] == "Row" and "about" not in folders["shop/data"], folders["shop/data"]
    assert folders["web"]["about"] == "The page" and set(folders) >= {"tools", "tests", "docs"}, folders
    assert answer["programs"] == [
        {"command": "shop", "runs": "shop.cli:main", "file": {"path": "pyproject.toml"}},
        {"command": "page", "runs": "./page.js", "file": {"path": "web/package.json"}}], answer["programs"]
    starts = {(s["file"]["path"], s["line"]) for s in answer["starts"]}
    assert starts == {("shop/__main__.py", 1), ("shop/cli.py", 8), ("tools/tool.c", 2)}, starts
    apis = {api["path"]: api["names"] for api in answer["api"]}
    assert apis == {"shop/__init__.py": ["App", "price_of"], "web/src/index.ts": ["Page"]}, apis
    assert answer["layers"] == [["shop"], ["shop/web"], ["shop/core"], ["shop/data"]], answer["layers"]
    assert answer["cycles"] == [["shop/core", "shop/web"]], answer["cycles"]
    assert answer["inversions"] == [{"from": "shop/core", "to": "shop/web", "imports": 1, "otherWay": 2,
                                     "file": {"path": "shop/core/money.py"}, "line": 3}], answer["inversions"]
    assert answer["central"][0]["importers"] >= 2, answer["central"]
    assert answer["hot"][0] == {"path": "shop/core/price.py", "commits": 4} and answer["commits"] == 4, answer["hot"]
    assert answer["tests"] == [{"folder": "tests", "files": 2}, {"folder": "web/src", "files": 1}], answer["tests"]
    assert answer["runTests"] == ["pytest tests/test_app.py", "(cd web && npx vitest run src/page.test.ts)"], answer["runTests"]
    commands = {c["command"]: c.get("runs") for c in answer["commands"]}
    assert commands["make all"] == "everything" and commands["tox -e lint"] == "look at the style", commands
    assert commands["(cd web && npm test)"] == "vitest", commands
    assert any("1 path not indexed" in what for what in answer["notSeen"]), answer["notSeen"]
    assert "omitted" not in answer, answer["omitted"]
    # Deeper, and as a person reads it.
    assert {f["path"] for f in answer_of(repository, "--depth", "1")["folders"]} <= set(folders)
    text = repository.codexmem("overview").stdout
    for line in ("Shop is a small web shop", "shop/core/money.py:3  shop/core imports shop/web", "run one: pytest tests/test_app.py"):
        assert line in text, text


def check_web(program, folder):
    """Routes are counted by file, and listed when asked for; a program's own start comes first."""
    web = Repository(program, folder, name="hello")
    web.commit({
        "README.md": "# Hello\n\n<figure><img src=a><figcaption>The client above is not a server, only a picture.</figcaption></figure>\n\n"
                     "https://hello.example/key.asc\n\nHello allows you to greet &nbsp; people.\n",
        "go.mod": "module example.com/hello\n",
        "scripts/main.go": "package main\n\nfunc main() {}\n",
        "cmd/another/main.go": "package main\n\nfunc main() {}\n",
        "cmd/hello/main.go": "package main\n\nimport \"net/http\"\n\nfunc main() {\n\thttp.HandleFunc(\"GET /a\", a)\n"
                             "\thttp.HandleFunc(\"/b/c\", b)\n}\n\nfunc a() {}\nfunc b() {}\n",
        "lib/hello.h": "#ifndef LIB_HELLO_H\n#define LIB_HELLO_H\n#define LIB_LIMIT 3\nclass Greeter {\n public:\n  ~Greeter();\n};\nint greet();\n#endif\n",
        "config/routes.rb": "Rails.application.routes.draw do\n  devise_for :users\nend\n",
    })
    answer = answer_of(web)
    assert answer["summary"] == "Hello allows you to greet people.", answer["summary"]
    assert [each["file"]["path"] for each in answer["starts"]] == ["cmd/hello/main.go", "cmd/another/main.go", "scripts/main.go"], answer
    assert answer["routes"] == [{"framework": "net/http", "routes": 2, "file": {"path": "cmd/hello/main.go"}}], answer["routes"]
    assert any("routes: 1 place with devise_for" in what for what in answer["notSeen"]), answer["notSeen"]
    lib = next(each for each in answer["folders"] if each["path"] == "lib")
    assert lib["names"][:2] == ["Greeter", "greet"] and "~Greeter" not in lib["names"], lib
    text = web.codexmem("overview").stdout
    assert "   2  cmd/hello/main.go  net/http\n" in text and "codexmem routes lists them" in text, text
    call = [{"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "repository_overview", "arguments": {"routes": "/b"}}}]
    done = web.codexmem("serve", input="".join(json.dumps(each) + "\n" for each in call))
    result = next(m for m in map(json.loads, done.stdout.splitlines()) if m.get("id") == 2)["result"]
    assert [each["path"] for each in result["structuredContent"]["routeList"]] == ["/b/c"], result


def check_gaps(program, folder):
    """Without git, tests or code; links lead nowhere; a long answer is cut and counted."""
    bare = Repository(program, folder, name="bare")
    bare.run("rm", "-rf", ".git")
    bare.write({"a.py": "x = 1\n", "package.json": "{", "README.md": "\0"})
    (bare.root / "Makefile").symlink_to("/etc/passwd")
    bare.index()
    answer = answer_of(bare)
    assert answer["files"] == 1 and "commands" not in answer, answer
    assert any("not a git repository" in what for what in answer["notSeen"]), answer
    assert any("tests:" in what for what in answer["notSeen"]), answer
    empty = Repository(program, folder, name="empty")
    empty.commit({"LICENSE": "x\n"})
    assert empty.codexmem("overview").returncode == 1
    many = Repository(program, folder, name="many")
    many.commit({f"lib/part{i}/inner{j}/mod{i}x{j}.py": f"def f{i}():\n    return {j}\n" for i in range(40) for j in range(8)})
    answer = answer_of(many)
    assert answer["omitted"]["folders"] > 100 and len(json.dumps(answer)) < 4 * 4000, answer
    call = [{"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}},
            {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    for number, tokens in enumerate((200, 500, 2000, 8000), start=2):
        call.append({"jsonrpc": "2.0", "id": number, "method": "tools/call",
                     "params": {"name": "repository_overview", "arguments": {"max_tokens": tokens}}})
    done = many.codexmem("serve", input="".join(json.dumps(each) + "\n" for each in call))
    answers = {m["id"]: m for m in map(json.loads, done.stdout.splitlines()) if "id" in m}
    for number, tokens in enumerate((200, 500, 2000, 8000), start=2):
        result = answers[number]["result"]
        assert not result.get("isError"), result
        size = len(json.dumps(result["structuredContent"], separators=(",", ":")))
        assert size <= 4 * tokens, (tokens, size)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = parser.parse_args().program
    for check in (check_all, check_web, check_gaps):
        with tempfile.TemporaryDirectory() as folder:
            check(program, folder)
    print("ok")


if __name__ == "__main__":
    main()
