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
        cls.program.write("src/around.ts", "export function perimeter(side: number) {\n  return 4 * side;\n}\n"
                          "export function fence() {\n  return perimeter(2);\n}\n")
        cls.program.write("tests/shapes.test.ts", 'import { area } from "../src/shapes";\n'
                          'import { perimeter } from "../src/around";\nfunction check() { perimeter(1); }\n')
        cls.program.write("src/pen.ts", "export class Pen {\n  width = 1;\n  draw() {}\n}\n"
                          "export function use(p: Pen, x) {\n  p.draw();\n  x.draw();\n  x.set({ width: p.width });\n}\n")
        cls.program.write("src/other.ts", "class Card {\n  draw() {}\n}\nexport const f = (x) => x.set({ width: 2 });\n")
        cls.program.write("java/Lookup.java", "package java;\npublic class Lookup {}\n")
        cls.program.write("java/Named.java", "package other;\nimport java.Lookup;\n/** See {@link Lookup}. */\nclass Named {}\n")
        cls.program.write("java/Used.java", "package other;\nimport java.Lookup;\nclass Used {\n  Lookup one;\n"
                          "  void add(int a) {}\n  void add(String a) {}\n"
                          '  void f() {\n    add(1);\n    add("a");\n  }\n}\n')
        cls.program.write("java/Mender.java", "package java;\nclass Mender {\n  Mender(int a) {}\n  void patch(int a) { sew(a); }\n"
                          "  void patch(String a) { sew(a); }\n  void sew(Object a) {}\n}\n")
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
        self.assertIn("of type decision, in full: Only metres\\nFeet were dropped.", answer)
        self.assertNotIn("degraded", answer)

    def test_importers_alone(self):
        for direction, shown in (("importers", []), ("imports", ["src/shapes.ts"])):
            answer = self.call(self.json, "analyze_dependencies", {"file_path": "src/yard.ts", "direction": direction})
            edges = answer["structuredContent"]
            self.assertEqual([edge["file"]["path"] for edge in edges["dependencies"]], shown)
            self.assertEqual(edges["dependents"], [])

    def test_importers_and_the_tests_among_them(self):
        text = self.ask_text("analyze_dependencies", {"file_path": "src/shapes.ts", "direction": "importers"})
        self.assertIn("imported by tests\n  tests: shapes.test.ts\n", text)
        self.assertIn("2 importers and 1 test in up to 2 steps; ", text)
        text = self.ask_text("analyze_dependencies", {"file_path": "java/Lookup.java", "direction": "importers"})
        self.assertIn("java/Named.java  only the import or documentation  {Lookup}\n", text)
        self.assertIn("java/Used.java  {Lookup}\n", text)

    def test_a_tree_of_callers_says_whether_it_is_whole(self):
        text = self.ask_text("trace_calls", {"to": "perimeter"})
        self.assertIn("2 callers, and no others: each place with these names was understood.", text)
        self.assertIn("tests/shapes.test.ts:3  check  call on line 3  test", text)
        text = self.ask_text("trace_calls", {"to": "Pen.draw"})
        self.assertIn("1 more place of the name draw may be calls too", text)
        self.assertNotIn("no others", text)

    def test_parameters_choose_an_overload(self):
        text = self.ask_text("get_references", {"symbol": "Used.add(String)"})
        self.assertIn("1 definition, 1 certain; ", text)
        self.assertIn('add("a")', text)
        self.assertNotIn("add(1)", text)

    def test_overloads_are_one_row_and_a_constructor_is_not_named_by_its_class(self):
        text = self.ask_text("locate", {"text": "Mender does not patch what is torn"})
        self.assertTrue(text.startswith("java/Mender.java:4  Mender.patch  "), text)
        self.assertEqual(text.count("Mender.patch  "), 1)
        self.assertIn("1 more overload", text)

    def test_a_rename_says_where_its_possible_uses_are(self):
        text = self.ask_text("plan_rename", {"symbol": "Pen.width", "new_name": "breadth"})
        self.assertIn("\n  src/pen.ts:8  x.set({ width: p.width });\n  src/other.ts:4  export const f = (x) => x.set({ width: 2 });\n"
                      "  possible, because what it is a key of is unknown\n", text)

    def ask_text(self, name, arguments):
        answer = self.call(self.text, name, arguments)
        self.assertFalse(answer.get("isError"), answer)
        return answer["content"][0]["text"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    program, rest = parser.parse_known_args()
    program = program.program
    unittest.main(argv=[sys.argv[0], *rest])
