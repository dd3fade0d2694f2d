#!/usr/bin/env python3
"""Neovim, without a screen, asks codexmem lsp by its own client: definition, references, hover, rename.

  tests/lsp/editor_test.py --program build/ci/bin/codexmem

Passes with a message where there is no Neovim.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import five_languages as truth
from language_client import LanguageClient

# Lua: starts the server for the open file, does what tests say, and writes what came of it.
SCRIPT = r"""
local program, root, out = ...
local results = {}
local function ask(method, more)
  local params = vim.lsp.util.make_position_params(0, 'utf-16')
  local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend('force', params, more or {}), 20000)
  for _, answer in pairs(answers or {}) do
    if answer.error then return { error = answer.error.message } end
    return answer.result or vim.NIL
  end
  return vim.NIL
end
local function go(line, column) vim.api.nvim_win_set_cursor(0, { line, column }) end

local id = vim.lsp.start_client({ name = 'codexmem', cmd = { program, 'lsp' }, root_dir = root,
  workspace_folders = { { uri = vim.uri_from_fname(root), name = root } } })
vim.lsp.buf_attach_client(0, id)
vim.wait(20000, function() return vim.lsp.get_client_by_id(id).initialized or vim.lsp.get_client_by_id(id).server_capabilities ~= nil end)
local client = vim.lsp.get_client_by_id(id)
results.capabilities = client.server_capabilities

for _, step in ipairs(vim.json.decode(os.getenv('STEPS'))) do
  if step.insert then
    vim.api.nvim_buf_set_lines(0, step.insert, step.insert, true, { step.text })
  else
    go(step.line, step.column)
    table.insert(results, ask(step.method, step.more))
  end
end
if os.getenv('RENAME') then
  local step = vim.json.decode(os.getenv('RENAME'))
  go(step.line, step.column)
  local edit = ask('textDocument/rename', { newName = step.name })
  vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
  vim.cmd('silent wall')
end
local file = io.open(out, 'w')
file:write(vim.json.encode(results))
file:close()
vim.lsp.stop_client(id)
vim.wait(5000, function() return vim.lsp.client_is_stopped(id) end)
vim.cmd('qall!')
"""


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def cursor(text, marked, **more):
    """Neovim's cursor, line from 1 and bytes from 0, where `marked` has `|`."""
    before, _, after = marked.partition("|")
    offset = text.index(before + after) + len(before)
    begin = text.rfind("\n", 0, offset) + 1
    return {"line": text.count("\n", 0, offset) + 1, "column": len(text[begin:offset].encode()), **more}


class Editor:
    def __init__(self, nvim, program, root, home):
        self.nvim, self.program, self.root, self.home = nvim, program, root, home
        self.script = home / "steps.lua"
        self.script.write_text(SCRIPT)

    def run(self, path, steps, rename=None):
        out = self.home / "out.json"
        environment = dict(os.environ, HOME=str(self.home), CODEXMEM_DATA_DIR=str(self.home) + "/store", STEPS=json.dumps(steps),
                           XDG_CONFIG_HOME=str(self.home), XDG_STATE_HOME=str(self.home), XDG_DATA_HOME=str(self.home))
        if rename:
            environment["RENAME"] = json.dumps(rename)
        command = f"lua assert(loadfile({json.dumps(str(self.script))}))({json.dumps(self.program)}, {json.dumps(str(self.root))}, {json.dumps(str(out))})"
        done = subprocess.run([self.nvim, "--clean", "--headless", "-n", str(self.root / path), "-c", command, "-c", "qall!"],
                              env=environment, capture_output=True, text=True, timeout=120)
        check(out.exists(), f"Neovim: {done.stdout} {done.stderr}")
        found = json.loads(out.read_text())
        out.unlink()
        return [found[key] for key in sorted((key for key in found if key.isdigit()), key=int)]


def starts(locations):
    return sorted((os.path.basename(each["uri"]), each["range"]["start"]["line"] + 1) for each in locations)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program = os.path.abspath(parser.parse_args().program)
    nvim = shutil.which("nvim")
    if nvim is None:
        print("skipped: there is no Neovim here (apt-get install neovim)")
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(os.path.realpath(folder))
        home, root = folder / "home", folder / "repo"
        home.mkdir()
        truth.write_repository(root)
        first = LanguageClient(program, root, home)  # makes the index
        first.wait_for_index()
        first.end()

        editor = Editor(nvim, program, root, home)
        text = truth.FILES["ts/app.ts"]
        inserted = "const é = '😀', other = add([]);"
        longer = text.replace("\n\n", f"\n{inserted}\n\n", 1)
        uses = {"context": {"includeDeclaration": False}}
        found = editor.run("ts/app.ts", [
            cursor(text, "return |add", method="textDocument/definition"),
            cursor(text, "return |add", method="textDocument/references", more=uses),
            cursor(text, "return |add", method="textDocument/hover"),
            {"insert": 1, "text": inserted},
            cursor(longer, "other = |add", method="textDocument/definition"),
            cursor(longer, "other = |add", method="textDocument/references", more=uses)])
        check(starts(found[0]) == [("shape.ts", 14)], f"definition: {found[0]}")
        check(starts(found[1]) == [("app.ts", 1), ("app.ts", 1), ("app.ts", 5)], f"references: {found[1]}")
        check("Adds up the areas" in found[2]["contents"]["value"], f"hover: {found[2]}")
        check(starts(found[3]) == [("shape.ts", 14)], f"definition from an unsaved line: {found[3]}")
        check(starts(found[4]) == [("app.ts", 1), ("app.ts", 1), ("app.ts", 2), ("app.ts", 6)], f"references in an unsaved text: {found[4]}")

        editor.run("c/util.c", [], rename=cursor(truth.FILES["c/util.c"], "int |clamp", name="limit"))
        for path in ("c/util.h", "c/util.c", "c/main.c"):
            check((root / path).read_text() == truth.FILES[path].replace("clamp", "limit"), f"rename in {path}: {(root / path).read_text()}")
    print("Neovim: definition, references, hover, rename: ok")


if __name__ == "__main__":
    sys.exit(main())
