"""The files by which others list codexmem: one version, what their hosts demand, and in the plugin just what init writes.

Usage: listings_test.py CODEXMEM SOURCE. What the hosts themselves say of them: tests/hosts/hosts_test.py, client "plugins".
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = map(os.path.abspath, sys.argv[1:3])
PLUGIN = f"{SOURCE}/packaging/plugin"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_json(path):
    return json.loads(read(path))


class Listings(unittest.TestCase):
    def test_all_have_the_version_of_the_project(self):
        version = re.search(r"project\(codexmem VERSION ([\d.]+) ", read(f"{SOURCE}/CMakeLists.txt"))[1]
        server = read_json(f"{SOURCE}/packaging/server.json")
        manifests = [server, *server["packages"], read_json(f"{SOURCE}/packaging/mcpb/bundle/manifest.json")]
        manifests += [read_json(f"{PLUGIN}/{name}") for name in
                      (".claude-plugin/plugin.json", ".codex-plugin/plugin.json", "gemini-extension.json")]
        self.assertEqual([manifest["version"] for manifest in manifests], [version] * len(manifests))

    def test_the_plugin_holds_what_init_writes(self):
        with tempfile.TemporaryDirectory() as home:
            os.mkdir(f"{home}/.git")
            env = {"HOME": home, "PATH": f"{os.path.dirname(PROGRAM)}:/usr/bin:/bin"}
            subprocess.run([PROGRAM, "init", "--project", "--client", "claude-code,codex,gemini"], cwd=home, env=env, check=True,
                           capture_output=True)
            for ours, written in ((".mcp.json", ".mcp.json"), ("hooks/claude-code.json", ".claude/settings.json"),
                                  ("hooks/codex.json", ".codex/hooks.json")):
                self.assertEqual(read_json(f"{PLUGIN}/{ours}"), read_json(f"{home}/{written}"), ours)
            for folder in (".claude", ".agents"):
                self.assertEqual(read(f"{PLUGIN}/skills/codexmem/SKILL.md"), read(f"{home}/{folder}/skills/codexmem/SKILL.md"))
            self.assertEqual(read_json(f"{PLUGIN}/gemini-extension.json")["mcpServers"],
                             read_json(f"{home}/.gemini/settings.json")["mcpServers"])

    def test_paths_in_manifests_exist(self):
        (listed,) = read_json(f"{SOURCE}/.claude-plugin/marketplace.json")["plugins"]
        self.assertEqual(os.path.normpath(f"{SOURCE}/{listed['source']}"), PLUGIN)
        for manifest in (".claude-plugin", ".codex-plugin"):
            fields = read_json(f"{PLUGIN}/{manifest}/plugin.json")
            for path in (fields[name] for name in ("hooks", "skills", "mcpServers") if name in fields):
                self.assertTrue(os.path.exists(f"{PLUGIN}/{path}"), path)
        # Claude Code and Gemini CLI both read hooks/hooks.json by themselves, and mean other events by it.
        self.assertFalse(os.path.exists(f"{PLUGIN}/hooks/hooks.json"))

    def test_the_registry_would_take_the_server(self):
        # What the schema of 2025-12-11 and the registry's own checks demand.
        server = read_json(f"{SOURCE}/packaging/server.json")
        self.assertEqual(server["$schema"], "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json")
        self.assertRegex(server["name"], r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$")
        self.assertTrue(1 <= len(server["description"]) <= 100)
        self.assertTrue(1 <= len(server["title"]) <= 100)
        self.assertEqual([one["registryType"] for one in server["packages"]], ["npm", "pypi"])
        for one in server["packages"]:
            self.assertEqual(set(one), {"registryType", "identifier", "version", "runtimeHint", "packageArguments", "transport"})
            self.assertEqual(one["transport"], {"type": "stdio"})
            for argument in one["packageArguments"]:
                self.assertEqual(argument["type"], "positional")
                self.assertTrue("value" in argument or "valueHint" in argument)
            words = [argument.get("value", ".") for argument in one["packageArguments"]]
            shown = subprocess.run([PROGRAM, words[0], "--help"], check=True, capture_output=True, text=True).stdout
            self.assertIn(words[1], shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
