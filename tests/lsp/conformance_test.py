#!/usr/bin/env python3
"""400 messages to codexmem lsp, wrong ones among them: no crash, and each request is answered exactly once.

  tests/lsp/conformance_test.py --program build/ci/bin/codexmem
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from language_client import CAPABILITIES, LanguageClient, framed, uri_of

METHODS = ["definition", "declaration", "typeDefinition", "implementation", "references", "documentHighlight", "documentSymbol",
           "hover", "prepareCallHierarchy", "prepareTypeHierarchy", "prepareRename", "rename"]
OTHERS = ["workspace/symbol", "callHierarchy/incomingCalls", "callHierarchy/outgoingCalls", "typeHierarchy/supertypes",
          "typeHierarchy/subtypes", "textDocument/completion", "workspace/executeCommand", "$/nothing", ""]
TEXT = "export class A { run(): number { return 1; } }\nexport function f(a: A) { return a.run(); }\n"


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def odd_value(chance):
    return chance.choice([None, True, -1, 0.5, 2**53, "", "x", "\ud83d", [], {}, [[]], {"line": {}}, {"uri": 1}])


def odd_params(chance, params):
    """Params with something that does not belong there."""
    params = json.loads(json.dumps(params))
    where = params
    while isinstance(where, dict) and where:
        name = chance.choice(list(where))
        if chance.random() < 0.6 or not isinstance(where[name], dict):
            if chance.random() < 0.3:
                del where[name]
            else:
                where[name] = odd_value(chance)
            break
        where = where[name]
    return params if chance.random() < 0.9 else odd_value(chance)


def request(chance, client):
    place = {"textDocument": {"uri": client.uri("a.ts")}, "position": {"line": chance.randrange(3), "character": chance.randrange(50)}}
    if chance.random() < 0.7:
        return "textDocument/" + chance.choice(METHODS), dict(place, newName="other", context={"includeDeclaration": True})
    item = {"name": "A", "kind": 5, "uri": client.uri("a.ts"), "selectionRange": {"start": {"line": 0, "character": 13}}}
    return chance.choice(OTHERS), {"item": item, "query": "run"}


def run_requests(client, chance, count, start):
    """Sends `count` messages; the ids that must be answered, and the cancelled ids."""
    wanted, cancelled = set(), set()
    for number in range(start, start + count):
        identifier = number if number % 3 else f"id-{number}"
        method, params = request(chance, client)
        kind = chance.randrange(12)
        if kind == 0:
            client.write(framed("{" + str(number)))
        elif kind == 1:
            client.write(framed(json.dumps({"jsonrpc": "1.0", "id": identifier, "method": method})))
            wanted.add(json.dumps(identifier))
        elif kind == 2:
            client.write(chance.choice([b"Content-Length: x\r\n\r\n", b"\r\n\r\n", b"Nothing: 1\r\n\r\n", framed("[]"), framed("1"), framed("")]))
        elif kind == 3:
            client.notify("textDocument/didChange", **{"textDocument": odd_value(chance), "contentChanges": odd_value(chance)})
        elif kind == 4:
            client.change("a.ts", number, {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": chance.randrange(2)}},
                                           "text": chance.choice(["", " ", "\n", "// é😀"])})
        elif kind == 5:
            client.send({"jsonrpc": "2.0", "id": "server-99", "result": odd_value(chance)})
        else:
            params = odd_params(chance, params) if chance.random() < 0.4 else params
            client.send({"jsonrpc": "2.0", "id": identifier, "method": method, "params": params})
            wanted.add(json.dumps(identifier))
            if chance.random() < 0.3:
                client.notify("$/cancelRequest", id=chance.choice([identifier, identifier, number - 1, None, []]))
                cancelled.add(json.dumps(identifier))
    return wanted, cancelled


def check_order(program, root, home):
    """Requests before initialize, twice initialized, after shutdown."""
    client = LanguageClient(program, root, home, initialize=False)
    first = client.wait(client.start("textDocument/hover"))
    check(first["error"]["code"] == -32002, first)
    client.notify("textDocument/didOpen", textDocument={"uri": client.uri("a.ts"), "text": "x"})
    client.ask("initialize", rootUri=uri_of(root), capabilities=CAPABILITIES)
    again = client.wait(client.start("initialize", rootUri=uri_of(root), capabilities={}))
    check(again["error"]["code"] == -32600, again)
    unknown = client.wait(client.start("textDocument/completion"))
    check(unknown["error"]["code"] == -32601, unknown)
    client.wait_for_index()
    missing = client.wait(client.start("textDocument/definition"))
    check(missing["error"]["code"] == -32602, missing)
    client.ask("shutdown")
    late = client.wait(client.start("textDocument/hover"))
    check(late["error"]["code"] == -32600, late)
    client.notify("exit")
    check(client.process.wait(30) == 0, "the exit code")

    client = LanguageClient(program, root, home)
    client.notify("exit")
    check(client.process.wait(30) == 1, "exit without shutdown")
    client = LanguageClient(program, root, home)
    identifier = client.start("workspace/symbol", query="run")
    client.process.stdin.close()
    client.wait(identifier)
    check(client.process.wait(30) == 1, "the end of the input")


def check_cancelled(client):
    """A request that is cancelled while another one runs is not carried out."""
    codes = set()
    for _ in range(20):
        running = [client.start("workspace/symbol", query=f"nothing {number}") for number in range(5)]
        last = client.start("textDocument/references", **client.at("a.ts", "|run(): number"), context={"includeDeclaration": True})
        client.notify("$/cancelRequest", id=last)
        codes.add(client.wait(last).get("error", {}).get("code"))
        for each in running:
            client.wait(each)
    check(-32800 in codes and codes <= {None, -32800}, f"cancelled: {codes}")


def check_places_without_repository(program, folder, home):
    """At home there is nothing to index: answers are empty, and a message says why."""
    client = LanguageClient(program, home, home)
    check(client.ask("workspace/symbol", query="run") is None, "an answer without a repository")
    check(any("not a repository" in text for text in client.messages), client.messages)
    check(client.end() == 0, "the exit code")
    check(not (pathlib.Path(home) / ".codexmem" / "index.db").exists(), "an index of the home folder")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(os.path.realpath(folder))
        home, root = folder / "home", folder / "repo"
        home.mkdir()
        root.mkdir()
        (root / "a.ts").write_text(TEXT)
        subprocess.run(["git", "init", "-q", root], check=True)
        check_order(program, root, home)
        check_places_without_repository(program, folder, home)

        client = LanguageClient(program, root, home)
        client.wait_for_index()
        check_cancelled(client)
        client.open("a.ts")
        for seed in (1, 2, 3, 4):
            before = dict(client.counts)
            wanted, cancelled = run_requests(client, random.Random(seed), 100, seed * 1000)
            for identifier in wanted:
                client.wait(json.loads(identifier))
            time.sleep(0.1)
            for identifier in wanted:
                count = client.counts[identifier] - before.get(identifier, 0)
                check(count == 1, f"{identifier} was answered {count} times: {client.answers[identifier]}")
                code = client.answers[identifier].get("error", {}).get("code")
                check(code != -32603, f"{identifier}: {client.answers[identifier]}")
                check(code != -32800 or identifier in cancelled, f"{identifier} was not cancelled")
            check(client.process.poll() is None, f"it has ended: {client.errors.decode()[-2000:]}")
        check(client.answers["null"]["error"]["code"] == -32700 or client.answers["null"]["error"]["code"] == -32600, "wrong JSON")
        check(client.end() == 0, "the exit code")
    print("400 messages: each request was answered once")


if __name__ == "__main__":
    sys.exit(main())
