#!/usr/bin/env python3
"""Calls as models write them: each is answered right, or by one sentence that holds the right call.

  tests/mcp/wrong_calls_test.py --program build/ci/bin/codexmem

A row is a tool, its arguments, what the answer must hold, and what it must not. ROOT in an argument is the folder.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

DEEP = "AClassWithANameThatSaysMuchMoreThanItMust"
FILES = {
    "src/shop/__init__.py": "from .app import App\n",
    "src/shop/app.py": '''"""The shop."""
from .cart import Cart
from .util import rounded


class App:
    """Serves the shop."""

    def make_response(self, rv, *more):
        """Turns a value into an answer."""
        return rounded(Cart().total())

    def run(self):
        return self.make_response(1)


def create_app(name):
    return App()
''',
    "src/shop/cart.py": '''class Cart:
    discount = 0

    def total(self):
        """Adds the prices up."""
        return 1 - self.discount
''',
    "src/shop/util.py": "def rounded(value):\n    return round(value, 2)\n",
    "src/web/util.py": "def escaped(text):\n    return text\n",
    "src/web/deep.py": f"class {DEEP}A:\n    class {DEEP}B:\n        class {DEEP}C:\n            def reach(self):\n                pass\n",
    "lib/models/user.ts": '''export interface Named { name: string; }

export class User implements Named {
  name = "";
  /** Stores the user. */
  save(force: boolean): boolean { return force; }
}

export enum Role { Admin, Guest }
''',
    "lib/main.ts": '''import { User } from "./models/user";

export function main(): boolean { return new User().save(true); }
''',
    "tests/test_app.py": "from shop.app import App\n\n\ndef test_run():\n    assert App().run()\n",
}

APP, CART, USER = "src/shop/app.py", "src/shop/cart.py", "lib/models/user.ts"
REFERENCES_OF_RESPONSE = [APP, '"line": 14']

ROWS = [
    # get_context: a place in one word, and a symbol alone.
    ("get_context", {"symbol": "App"}, [APP, "class App"], ["isError"]),
    ("get_context", {"symbol": "App.make_response"}, ["def make_response"], ["isError"]),
    ("get_context", {"symbol": "create_app", "file_path": None}, ["def create_app"], ["isError"]),
    ("get_context", {"symbol": "create_app", "file_path": ""}, ["def create_app"], ["isError"]),
    ("get_context", {"file_path": "App"}, [APP, "class App"], ["isError"]),
    ("get_context", {"file_path": "App.make_response"}, ["def make_response"], ["isError"]),
    ("get_context", {"file_path": APP + "::App.run"}, ["def run"], ["isError"]),
    ("get_context", {"file_path": "app.py::create_app"}, ["def create_app"], ["isError"]),
    ("get_context", {"name": "Cart.total"}, [CART, "def total"], ["isError"]),
    ("get_context", {"path": CART}, [CART, "class Cart"], ["isError"]),
    ("get_context", {"file": CART, "symbol": None}, [CART], ["isError"]),
    ("get_context", {"files": [CART]}, [CART], ["isError"]),
    ("get_context", {"query": "Cart"}, [CART], ["isError"]),
    ("get_context", {"symbol": "def total", "file_path": CART}, ["def total"], ["isError"]),
    ("get_context", {"symbol": "App.make_response(self, rv)", "file_path": "app.py"}, ["def make_response"], ["isError"]),
    ("get_context", {"file_path": "nowhere.py"}, ["isError", "nowhere.py"], []),
    ("get_context", {"file_path": "shop.app"}, [APP, "class App"], ["isError"]),
    ("get_context", {"symbol": "Nothing"}, ["isError", "no file and no symbol is called"], []),
    ("get_context", {"symbol": "Cart", "file_path": APP}, ["isError", "Cart is defined in " + CART], []),
    ("get_context", {"file_path": "util.py"}, ["src/shop/util.py", "src/web/util.py"], []),
    ("get_context", {}, ["isError", "file_path is required"], []),

    # Ways to write a file.
    ("get_context", {"file_path": "ROOT/src/shop/cart.py"}, [CART, "class Cart"], ["isError"]),
    ("get_context", {"file_path": "file://ROOT/src/shop/cart.py"}, [CART, "class Cart"], ["isError"]),
    ("get_context", {"file_path": "C:\\work\\src\\shop\\cart.py"}, [CART, "class Cart"], ["isError"]),
    ("analyze_dependencies", {"file_path": "src/shop/app.py:10"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "src/shop/app.py:10:5"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "src/shop/app.py#L10-L20"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "src\\shop\\app.py"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "@src/shop/app.py"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "./src/shop/app.py"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "`src/shop/app.py`"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "/src/shop/app.py"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "shop/app.py"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "app.py"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": ["src/shop/app.py"]}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"path": "src/shop/app.py"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"filePath": "src/shop/app.py"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file": "app.py", "depth": "1"}, [APP, CART], ["isError"]),
    ("analyze_dependencies", {"file_path": "/etc/passwd"}, ["isError", "must be a path in the repository"], []),
    ("analyze_dependencies", {"file_path": "src/shop/appp.py"}, ["isError", APP], []),

    # Ways to write a symbol.
    ("find_symbol", {"name": "App"}, [APP, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"q": "App"}, [APP], ["isError"]),
    ("find_symbol", {"query": "App"}, [APP], ["isError"]),
    ("find_symbol", {"symbol_name": "App"}, [APP], ["isError"]),
    ("find_symbol", {"symbol": ["App"]}, [APP], ["isError"]),
    ("find_symbol", {"symbol": "class App"}, [APP, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"symbol": "class Cart:"}, [CART, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"symbol": "def create_app"}, [APP, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"symbol": "def create_app(name):"}, [APP, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"symbol": "App.make_response(self, rv)"}, ['"match": "exact"', "make_response"], ["isError"]),
    ("find_symbol", {"symbol": "`App`"}, [APP, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"symbol": "App->run"}, [APP, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"symbol": "src/shop/app.py:App"}, [APP, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"symbol": "@src/shop/app.py::App"}, [APP, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"symbol": "export class User implements Named"}, [USER, '"match": "exact"'], ["isError"]),
    ("find_symbol", {"symbol": "App", "type": "Class"}, [APP], ["isError"]),
    ("find_symbol", {"symbol": "App", "kind": "class"}, [APP], ["isError"]),
    ("find_symbol", {"symbol": "App", "type": ["class"]}, [APP], ["isError"]),
    ("find_symbol", {"symbol": "Role", "type": "enum"}, ["isError", '"type"'], []),
    ("find_symbol", {"symbol": "create_app", "type": "func"}, [APP], ["isError"]),
    ("find_symbol", {"symbol": "App", "type": "klass"}, ["isError", '\\"class\\"'], []),
    ("find_symbol", {"symbol": "App", "type": None, "file_path": None}, [APP], ["isError"]),
    ("find_symbol", {"symbol": "App", "type": ""}, [APP], ["isError"]),
    ("find_symbol", {"symbol": "App", "path": "app.py"}, [APP], ["isError"]),
    ("find_symbol", {"symbol": "run", "path": CART}, ["run is defined in " + APP], ["isError"]),
    ("find_symbol", {"symbol": "App", "include_body": True}, [APP, "include_body", "unknown argument"], ["isError"]),
    ("find_symbol", {"symbol": "src/shop/app.py"}, ["get_context", APP], []),
    ("find_symbol", {}, ["isError", "symbol is required"], []),
    ("get_references", {"name": "make_response"}, REFERENCES_OF_RESPONSE, ["isError"]),
    ("get_references", {"symbol": "def make_response"}, REFERENCES_OF_RESPONSE, ["isError"]),
    ("get_references", {"symbol": "make_response", "file": "app.py"}, REFERENCES_OF_RESPONSE, ["isError"]),
    ("get_references", {"symbol": "make_response", "file_path": "src\\shop\\app.py:9"}, REFERENCES_OF_RESPONSE, ["isError"]),
    ("get_references", {"symbol": "make_response", "include_definitions": "false"}, ['"line": 14'], ["isError"]),
    ("get_references", {"symbol": "make_response", "max_results": 5}, REFERENCES_OF_RESPONSE + ["max_results", "unknown argument"], ["isError"]),
    ("get_references", {"symbol": f"{DEEP}A.{DEEP}B.{DEEP}C.reach"}, ["def reach"], ["isError"]),
    ("plan_rename", {"symbol": "def rounded", "newName": "round_off"}, ["round_off", "src/shop/util.py"], ["isError"]),
    ("plan_rename", {"old_name": "rounded", "new_name": "round_off"}, ["round_off"], ["isError"]),
    ("plan_rename", {"symbol": "Cart.total", "new_name": "Cart.sum_up"}, ["sum_up"], ["isError"]),
    ("trace_calls", {"from": "App.run()", "to": "`rounded`"}, ["make_response"], ["isError"]),
    ("trace_calls", {"source": "create_app", "target": "App"}, ["create_app"], ["isError"]),
    ("trace_calls", {"symbol": "App.run"}, ["make_response"], ["isError"]),
    ("analyze_change", {"symbols": "class Cart"}, [CART], ["isError"]),
    ("analyze_change", {"symbol": "Cart"}, [CART], ["isError"]),

    # Searching code.
    ("search_code", {"q": "adds the prices up"}, [CART], ["isError"]),
    ("search_code", {"query": "adds the prices up", "file_extensions": ".py"}, [CART], ["isError"]),
    ("search_code", {"query": "adds the prices up", "file_extensions": "py,ts"}, [CART], ["isError"]),
    ("search_code", {"query": "adds the prices up", "extensions": "[\".py\"]"}, [CART], ["isError"]),
    ("search_code", {"query": "adds the prices up", "max_results": "1"}, [CART], ["isError"]),
    ("search_code", {"query": "adds the prices up", "path": "ROOT/src"}, [CART], ["isError"]),
    ("search_code", {"query": "adds the prices up", "path": "@src/shop/"}, [CART], ["isError"]),
    ("search_code", {"query": "adds the prices up", "path": ""}, [CART], ["isError"]),
    ("search_code", {"query": "adds the prices up", "path": []}, [CART], ["isError"]),
    ("search_code", {"query": "adds the prices up", "path": "src/shp"}, ["no file matches path", "src/shop"], ["isError"]),
    ("search_code", {"query": "adds the prices up", "file_extensions": [".pyy"]}, ["no file matches file_extensions", ".py"], ["isError"]),
    ("search_code", {"query": "serves the shop", "kind": "Class"}, [APP], ["isError"]),
    ("search_code", {"query": "serves the shop", "type": "class"}, [APP], ["isError"]),
    ("search_code", {"query": ["adds", "prices"]}, ["isError", "query must be a string"], []),
    ("search_code", {"query": "prices", "limit": 100}, ["isError", "1 to 50"], []),
    ("search_code", {"query": "prices", "regex": True}, [CART, "regex", "unknown argument"], ["isError"]),
    ("locate", {"query": "total() returns a wrong sum of the prices"}, [CART], ["isError"]),
    ("locate", {"issue": "total() returns a wrong sum of the prices"}, [CART], ["isError"]),
    ("index_repository", {"force": "false", "path": "@src/shop"}, ["completed"], ["isError"]),
    ("repository_overview", {"path": "."}, ["src", "unknown argument"], ["isError"]),

    # Memory.
    ("search", {"q": "coupons"}, ["Coupons are rounded"], ["isError"]),
    ("search", {"query": "coupons", "limit": "5"}, ["Coupons are rounded"], ["isError"]),
    ("search", {"query": "coupons", "max_results": 5}, ["Coupons are rounded"], ["isError"]),
    ("search", {"query": "coupons", "project": None, "type": None, "dateStart": None}, ["Coupons are rounded"], ["isError"]),
    ("search", {"query": "coupons", "project": "", "type": "", "files": ""}, ["Coupons are rounded"], ["isError"]),
    ("search", {"query": "coupons", "type": "Bugfix"}, ["Coupons are rounded"], ["isError"]),
    ("search", {"query": "coupons", "type": "bug"}, ["no record", "bugfix"], ["isError"]),
    ("search", {"query": "coupons", "file": "ROOT/src/shop/cart.py"}, ["Coupons are rounded"], ["isError"]),
    ("search", {"query": "coupons", "files": "@src/shop/cart.py:3"}, ["Coupons are rounded"], ["isError"]),
    ("search", {"query": "coupons", "order_by": "date_desc"}, ["Coupons are rounded"], ["isError"]),
    ("search", {"query": "coupons", "colour": "red"}, ["Coupons are rounded", "colour", "unknown argument"], ["isError"]),
    ("timeline", {"anchor": "#1"}, ["Coupons are rounded"], ["isError"]),
    ("timeline", {"id": 1}, ["Coupons are rounded"], ["isError"]),
    ("timeline", {"anchor": 1, "query": None, "depth_before": "2"}, ["Coupons are rounded"], ["isError"]),
    ("get_observations", {"ids": 1}, ["Coupons are rounded"], ["isError"]),
    ("get_observations", {"ids": "[1]"}, ["isError", "ids must be an array of numbers"], []),
    ("get_observations", {"id": 1}, ["Coupons are rounded"], ["isError"]),
    ("get_observations", {"ids": ["#1"]}, ["isError", "get_entries takes"], []),
    ("get_entries", {"ids": "1"}, ["Coupons are rounded"], ["isError"]),
    ("get_entries", {"ids": 1}, ["Coupons are rounded"], ["isError"]),
    ("get_entries", {"ids": "1, S1"}, ["Coupons are rounded"], ["isError"]),
    ("get_entries", {"id": "#1"}, ["Coupons are rounded"], ["isError"]),
    ("save_memory", {"content": "Prices are in cents.", "tags": "gotcha"}, ["saved"], ["isError"]),
    ("save_memory", {"text": "Prices have no tax.", "type": "Decision", "files": "src/shop/cart.py"}, ["saved", "decision"], ["isError"]),
    ("save_memory", {"text": "Prices are whole.", "title": None, "metadata": "{\"a\": 1}"}, ["saved"], ["isError"]),
    ("search_decisions", {"q": "prices"}, ["success"], ["isError"]),
    ("search_decisions", {"query": "prices", "limit": "3", "mode": "Strict"}, ["success"], ["isError"]),
    ("retention_dry_run", {"max_age_days": "30", "project": None}, ["candidates"], ["isError"]),
    ("ingest_docs", {"sources": "docs/decisions.md"}, ["docs/decisions.md"], []),
]


class Server:
    def __init__(self, program, root, home):
        self.root = root
        environment = dict(os.environ, HOME=home, CODEXMEM_DATA_DIR=home + "/store")
        self.process = subprocess.Popen([program, "serve"], cwd=root, env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ids = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {},
                                    "clientInfo": {"name": "test", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.ids += 1
        self.send({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.ids:
                return answer

    def call(self, tool, arguments):
        written = json.dumps(arguments).replace("ROOT", self.root)
        return self.request("tools/call", {"name": tool, "arguments": json.loads(written)})

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)


def check(server):
    failures = []
    for tool, arguments, wanted, unwanted in ROWS:
        answer = server.call(tool, arguments)
        shown = json.dumps(answer, ensure_ascii=False)
        # Quotes are escaped in a text, so the object is searched too.
        plain = shown + json.dumps(answer.get("result", {}).get("structuredContent", {}), ensure_ascii=False)
        plain += answer.get("result", {}).get("structuredContent", {}).get("message") or ""
        wrong = [text for text in wanted if text not in plain] + ["not: " + text for text in unwanted if text in shown]
        if wrong:
            failures.append(f"{tool} {json.dumps(arguments)}\n    wants {wrong}\n    got {shown[:600]}")
    for method in ("tools/list", "ping"):
        answer = server.request(method, None)
        if "result" not in answer:
            failures.append(f"{method} with params null: {answer}")
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    assert len(ROWS) >= 75
    with tempfile.TemporaryDirectory() as folder:
        root, home = os.path.realpath(folder) + "/repo", folder + "/home"
        os.mkdir(home)
        for path, text in FILES.items():
            file = pathlib.Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        subprocess.run(["git", "init", "-q", root], check=True)
        server = Server(program, root, home)
        try:
            server.call("save_memory", {"text": "Coupons are rounded before tax.", "title": "Coupons are rounded",
                                        "type": "bugfix", "files": [CART]})
            failures = check(server)
        finally:
            server.close()
    for failure in failures:
        print(failure)
    print(f"{len(ROWS) - len(failures)} of {len(ROWS)} calls answered")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
