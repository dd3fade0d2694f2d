#!/usr/bin/env python3
"""`codexmem serve --text`: answers as short text, without structuredContent, and JSON where a call asks for it.

  tests/mcp/text_answers_test.py --program build/ci/bin/codexmem
"""
import argparse
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "contract"))
from program import Program

CALLS = {
    "get_references": {"symbol": "area"},
    "find_symbol": {"symbol": "area"},
    "search_code": {"query": "area of a shape"},
    "locate": {"text": "area of a square is wrong"},
    "get_context": {"file_path": "src/shapes.ts"},
    "analyze_dependencies": {"file_path": "src/shapes.ts"},
    "analyze_change": {"symbols": ["area"]},
    "trace_calls": {"to": "area"},
    "plan_rename": {"symbol": "area", "new_name": "surface"},
    "repository_overview": {},
}
SHAPES = "/** The area of a square. */\nexport function area(side: number) {\n  return side * side;\n}\n"


class TextAnswers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.program = Program(program, cls.scratch.name)
        cls.program.write("src/shapes.ts", SHAPES)
        uses = "".join(f"console.log(area({i}));\n" for i in range(60))
        for name in ("yard", "garden"):
            cls.program.write(f"src/{name}.ts", 'import { area } from "./shapes";\n' + uses)
        subprocess.run(["git", "init", "-q"], cwd=cls.program.root, check=True)
        cls.text, cls.json = cls.program.serve("--text"), cls.program.serve()

    @classmethod
    def tearDownClass(cls):
        for server in (cls.text, cls.json):
            server.child.stdin.close()
            server.child.wait(60)
        cls.scratch.cleanup()

    def call(self, server, name, arguments):
        return server.ask("tools/call", {"name": name, "arguments": arguments})["result"]

    def test_tools_are_listed_without_output_schemas(self):
        texts, objects = (server.ask("tools/list")["result"]["tools"] for server in (self.text, self.json))
        guides = {"important_workflow", "__IMPORTANT"}  # answered, but the instructions say the same
        self.assertEqual([tool["name"] for tool in texts],
                         [tool["name"] for tool in objects if tool["name"] not in guides])
        self.assertIn("search", self.call(self.text, "important_workflow", {})["content"][0]["text"])
        self.assertFalse([tool["name"] for tool in texts if "outputSchema" in tool])
        self.assertTrue([tool["name"] for tool in objects if "outputSchema" in tool])

    def test_each_code_tool_answers_in_text_alone_or_in_json_when_asked(self):
        for name, arguments in CALLS.items():
            with self.subTest(name):
                answer = self.call(self.text, name, arguments)
                self.assertNotIn("structuredContent", answer)
                self.assertFalse(answer.get("isError"), answer)
                text = answer["content"][0]["text"]
                self.assertNotIn(text[:1], "[{")
                self.assertNotIn("--", text, "options of the shell")
                asked = self.call(self.text, name, {**arguments, "format": "json"})
                self.assertEqual(asked["structuredContent"].keys(),
                                 self.call(self.json, name, arguments)["structuredContent"].keys())

    def test_uses_stand_below_their_file_in_a_third_of_the_bytes(self):
        text = self.call(self.text, "get_references", CALLS["get_references"])["content"][0]["text"]
        whole = self.call(self.json, "get_references", CALLS["get_references"])["structuredContent"]
        self.assertEqual(text.count("src/yard.ts"), 1)
        self.assertIn("  3:13  call  console.log(area(1));", text)
        self.assertEqual(text.count("  call  "), 120)
        self.assertIn("A search of the text finds these places and no others.", text)
        self.assertLess(len(text), 0.34 * len(json.dumps(whole, separators=(",", ":"))))

    def test_a_cut_answer_says_how_to_go_on(self):
        text = self.call(self.text, "get_references", {"symbol": "area", "max_tokens": 600})["content"][0]["text"]
        self.assertRegex(text, r"\d+ more, offset \d+ goes on")

    def test_failures_and_memories_are_text_too(self):
        failure = self.call(self.text, "get_context", {"file_path": "nowhere.ts"})
        self.assertTrue(failure["isError"])
        self.assertNotIn("structuredContent", failure)
        self.assertIn("FileNotFoundError", failure["content"][0]["text"])
        saved = self.call(self.text, "save_memory", {"text": "The yard is measured in metres."})
        self.assertNotIn("structuredContent", saved)
        found = self.call(self.text, "search", {"query": "yard"})
        self.assertIn("The first says: The yard is measured in metres.", found["content"][0]["text"])
        self.assertNotIn("structuredContent", found)

    def test_a_decision_that_was_saved_as_a_memory_is_pointed_to(self):
        self.call(self.text, "save_memory", {"text": "Feet were dropped.", "title": "Only metres", "type": "decision"})
        answer = self.call(self.text, "search_decisions", {"query": "feet or metres"})["content"][0]["text"]
        self.assertIn("1 memory is of type decision", answer)
        self.assertIn("Only metres", answer)
        self.assertNotIn("degraded", answer)

    def test_importers_alone(self):
        for direction, shown in (("importers", []), ("imports", ["src/shapes.ts"])):
            answer = self.call(self.json, "analyze_dependencies", {"file_path": "src/yard.ts", "direction": direction})
            edges = answer["structuredContent"]
            self.assertEqual([edge["file"]["path"] for edge in edges["dependencies"]], shown)
            self.assertEqual(edges["dependents"], [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program, rest = parser.parse_known_args()
    program = program.program
    unittest.main(argv=[sys.argv[0], *rest])
