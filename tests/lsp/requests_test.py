#!/usr/bin/env python3
"""Each request of codexmem lsp on a repository in five languages, with saved and with unsaved texts.

  tests/lsp/requests_test.py --program build/ci/bin/codexmem
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import five_languages as truth
from language_client import Failed, LanguageClient, position, uri_of


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def check_each(problems):
    check(not problems, "\n".join(problems))


def split(place):
    path, _, marked = place.partition(":")
    return path, marked


def spots(folder, places, texts):
    """Marked places as "path:line:column"."""
    found = []
    for place in places:
        path, marked = split(place)
        text = texts.get(path) or (folder / path).read_text()
        before, _, after = marked.partition("|")
        if before + after not in text: raise ValueError(f"{place!r} is not in the file")
        at = position(text, text.index(before + after) + len(before))
        found.append(f"{path}:{at['line'] + 1}:{at['character'] + 1}")
    return sorted(found)


def params(client, place, texts, **more):
    path, marked = split(place)
    return {**client.at(path, marked, texts.get(path)), **more}


def check_places(client, folder, texts):
    problems = []
    for request, place, expected in truth.PLACES:
        more = {"context": {"includeDeclaration": False}} if request == "references" else {}
        found = client.places(client.ask(f"textDocument/{request}", **params(client, place, texts, **more)))
        wanted = spots(folder, expected, texts)
        if found != wanted:
            problems.append(f"{request} of {place!r}: {found}, not {wanted}")
    check_each(problems)


def names(items):
    return sorted(each["name"] for each in items)


def check_hierarchies(client, texts):
    for place, callers, callees in truth.CALLS:
        item = client.ask("textDocument/prepareCallHierarchy", **params(client, place, texts))[0]
        incoming = client.ask("callHierarchy/incomingCalls", item=item)
        check(names(each["from"] for each in incoming) == callers, f"callers of {place!r}: {incoming}")
        check(all(each["fromRanges"] for each in incoming), f"calls of {place!r}: {incoming}")
        outgoing = client.ask("callHierarchy/outgoingCalls", item=item)
        check(names(each["to"] for each in outgoing) == callees, f"callees of {place!r}: {outgoing}")
    for place, above, below in truth.TYPES:
        item = client.ask("textDocument/prepareTypeHierarchy", **params(client, place, texts))[0]
        check(names(client.ask("typeHierarchy/supertypes", item=item)) == above, f"above {place!r}")
        check(names(client.ask("typeHierarchy/subtypes", item=item)) == below, f"below {place!r}")


def outline(symbols):
    return [(each["name"], outline(each.get("children", []))) for each in symbols]


def check_symbols(client):
    for path, expected in truth.OUTLINES:
        found = outline(client.ask("textDocument/documentSymbol", textDocument={"uri": client.uri(path)}))
        check(sorted(found) == sorted(expected), f"symbols of {path}: {found}")
    found = client.ask("workspace/symbol", query="clamp")
    check({each["name"] for each in found} == {"clamp"}, f"clamp: {found}")
    check("Square" in [each["name"] for each in client.ask("workspace/symbol", query="squa")], "squa")
    check(client.ask("workspace/symbol", query="") == [], "no query")


def edits_of(client, edit):
    """The edits as places, and the texts that they write."""
    locations, written = [], set()
    for document in edit["documentChanges"]:
        for each in document["edits"]:
            locations.append({"uri": document["textDocument"]["uri"], "range": each["range"]})
            written.add(each["newText"])
    return client.places(locations), written


def check_renames(client, folder, texts):
    for place, name, expected in truth.RENAMES:
        asked = params(client, place, texts)
        prepared = client.ask("textDocument/prepareRename", **asked)
        check(prepared["placeholder"] in place.replace("|", ""), f"{place!r}: {prepared}")
        found, written = edits_of(client, client.ask("textDocument/rename", newName=name, **asked))
        check(written == {name}, f"{place!r}: {written}")
        check(found == spots(folder, expected, texts), f"rename of {place!r}: {found}, not {spots(folder, expected, texts)}")
    for place, name, word in truth.REFUSED:
        try:
            edit = client.ask("textDocument/rename", newName=name, **params(client, place, texts))
        except Failed as failure:
            check(word in str(failure), f"{place!r} to {name}: {failure}")
        else:
            raise AssertionError(f"{place!r} to {name} was not refused: {edit}")


def check_hover(client, texts):
    shown = client.ask("textDocument/hover", **params(client, "ts/app.ts: return |add(", texts))["contents"]
    check(shown["kind"] == "markdown" and "```typescript\n" in shown["value"], shown)
    check("total(shapes: Shape[]): number" in shown["value"] and "Adds up the areas" in shown["value"], shown)
    check("3 uses" in shown["value"], shown)
    shown = client.ask("textDocument/hover", **params(client, "py/store.py:class |Store", texts))["contents"]["value"]
    check("\\<by name\\>" in shown and "\\[here\\]\\(http" in shown, shown)
    shown = client.ask("textDocument/hover", **params(client, "go/work.go:q.Push(na|me)", texts))["contents"]["value"]
    check("for" in shown and "range" in shown, shown)
    check(client.ask("textDocument/hover", **params(client, "c/main.c:return clamp(|7", texts)) is None, "a number")


def check_highlights(client, texts):
    found = client.ask("textDocument/documentHighlight", **params(client, "ts/shape.ts:let |sum", texts))
    check([each["kind"] for each in found] == [3, 3, 2], f"kinds of sum: {found}")


def check_all(client, folder, texts):
    check_places(client, folder, texts)
    check_hierarchies(client, texts)
    check_symbols(client)
    check_hover(client, texts)
    check_highlights(client, texts)
    check_renames(client, folder, texts)


def check_memory(client, program, folder, home):
    """The hover of a symbol shows its memories and decisions."""
    environment = dict(os.environ, HOME=str(home), CODEXMEM_DATA_DIR=str(home) + "/store")
    subprocess.run([program, "memory", "save", "py/store.py::Store.put must stay *idempotent*", "--title", "About put [x](y)"],
                   cwd=folder, env=environment, check=True, capture_output=True)
    shown = client.ask("textDocument/hover", **params(client, "py/store.py:def |put", {}))["contents"]["value"]
    check("About put" in shown and "[x](y)" not in shown, shown)


def check_unsaved(client, folder):
    """Answers are of the open text, and nothing of it gets into the index."""
    text = (folder / "ts/app.ts").read_text()
    client.open("ts/app.ts", text)
    added = "// 😀 é\nfunction extra(): number { return add([]) + run(); }\nexport const more = extra();\n"
    client.change("ts/app.ts", 2, {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}, "text": added})
    lines = text.split("\n")
    now = "\n".join([lines[0], *added.split("\n")[:-1], *lines[1:]])
    texts = {"ts/app.ts": now}
    found = client.places(client.ask("textDocument/references", **params(client, "ts/shape.ts:function |total", texts), context={"includeDeclaration": False}))
    expected = spots(folder, ["ts/app.ts:{ Square, |total", "ts/app.ts:total as |add", "ts/app.ts:return |add([])", "ts/app.ts:return |add([one"], texts)
    check(found == expected, f"uses in an unsaved text: {found}")
    found = client.places(client.ask("textDocument/definition", **params(client, "ts/app.ts:more = |extra", texts)))
    check(found == spots(folder, ["ts/app.ts:function |extra"], texts), f"a definition in an unsaved text: {found}")
    check("extra" in names(client.ask("workspace/symbol", query="extra")), "an unsaved symbol")
    found = edits_of(client, client.ask("textDocument/rename", newName="further", **params(client, "ts/app.ts:function |extra", texts)))
    check(found == (spots(folder, ["ts/app.ts:function |extra", "ts/app.ts:more = |extra"], texts), {"further"}), f"{found}")
    moved = "// 😀 é\n\n" + text
    client.change("ts/app.ts", 3, {"text": moved})
    check_all(client, folder, {"ts/app.ts": moved})

    client.change("ts/app.ts", 4, {"text": "import { total } from './shape';\nimport { helper } from './new';\nexport const x = total([]) + helper();\n"})
    found = client.places(client.ask("textDocument/references", **client.at("ts/shape.ts", "function |total"), context={"includeDeclaration": False}))
    check(found == ["ts/app.ts:1:10", "ts/app.ts:3:18"], f"after the whole text: {found}")
    client.open("ts/new.ts", "export function helper(): number { return 1; }\n")
    client.close("ts/app.ts")
    found = client.places(client.ask("textDocument/references", **client.at("ts/shape.ts", "function |total"), context={"includeDeclaration": False}))
    check(found == spots(folder, ["ts/app.ts:{ Square, |total", "ts/app.ts:total as |add", "ts/app.ts:return |add"], {}), f"after closing: {found}")
    check("helper" in names(client.ask("workspace/symbol", query="helper")), "a file that is not saved yet")
    client.close("ts/new.ts")
    check("helper" not in names(client.ask("workspace/symbol", query="helper")), "a closed file that was never saved")


def check_saved(client, folder):
    """A file that changes on disk is read again."""
    path = folder / "go/work.go"
    text = path.read_text()
    path.write_text(text.replace("func Work", "// One more line.\nfunc Work"))
    found = client.places(client.ask("textDocument/references", **client.at("go/queue.go", "(q *Queue) |Push"), context={"includeDeclaration": False}))
    check(found == ["go/work.go:7:5", "go/work.go:9:11"], f"after a change on disk: {found}")
    path.write_text(text)


def check_outside(client, folder):
    """Nothing outside of the root is read, and nothing of such a file is known."""
    secret = folder.parent / "secret.ts"
    secret.write_text("export function hidden() {}\n")
    (folder / "link.ts").symlink_to(secret)
    for uri in (uri_of(secret), client.uri("../secret.ts"), client.uri("ts/../../secret.ts"), client.uri("link.ts"),
                client.uri("%2e%2e/secret.ts").replace("%25", "%"), "untitled:Untitled-1", "file://elsewhere/x.ts", "file:///%zz", ""):
        place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 17}}
        check(not client.ask("textDocument/definition", **place), uri)
        check(not client.ask("textDocument/documentSymbol", textDocument={"uri": uri}), uri)
    client.notify("textDocument/didOpen", textDocument={"uri": uri_of(secret), "languageId": "typescript", "version": 1, "text": secret.read_text()})
    check(not client.ask("workspace/symbol", query="hidden"), "a file outside of the root")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(os.path.realpath(folder))
        home, root = folder / "home", folder / "a repo %C3 ö"
        home.mkdir()
        truth.write_repository(root)
        link = folder / "link"
        link.symlink_to(root)

        client = LanguageClient(program, root, home)
        client.wait_for_index()
        check(any(each["value"]["kind"] == "end" for each in client.progress), f"progress: {client.progress}")
        check_all(client, root, {})
        check_memory(client, program, root, home)
        check_unsaved(client, root)
        check_saved(client, root)
        check_outside(client, root)
        check(client.end() == 0, "the exit code")
        check(not client.errors, client.errors.decode())

        # Through a link, in other units, with a client that takes little.
        client = LanguageClient(program, link, home, capabilities={}, encodings=["utf-8", "utf-16"])
        check(client.initialized["capabilities"]["positionEncoding"] == "utf-8", client.initialized)
        client.wait_for_index()
        check_places(client, link, {})
        hover = client.ask("textDocument/hover", **client.at("ts/app.ts", " return |add("))["contents"]
        check(hover["kind"] == "plaintext" and "```" not in hover["value"], hover)
        flat = client.ask("textDocument/documentSymbol", textDocument={"uri": client.uri("ts/shape.ts")})
        check(all("location" in each for each in flat), flat)
        edit = client.ask("textDocument/rename", newName="limit", **client.at("c/util.h", "int |clamp"))
        check(len(edit["changes"]) == 3, edit)
        text = "// 😀é\nexport const a = '😀', b = 1; const c = b;\n"
        client.open("ts/emoji.ts", text)
        found = client.ask("textDocument/definition", textDocument={"uri": client.uri("ts/emoji.ts")}, position={"line": 1, "character": 42})
        check([each["range"]["start"]["character"] for each in found] == [25], f"in bytes: {found}")
        client.end()
    print("requests on five languages: ok")


if __name__ == "__main__":
    sys.exit(main())
