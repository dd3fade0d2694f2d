"""The ten commonest questions of an agent, as three kinds of clients see the answers: those that show a
model only texts, those that show it only structuredContent, and those that have it search for tools
first. An answer mentions everything that it leaves out, and the mention leads to the rest.

CODEXMEM_PROGRAM is the program. Needs no network.
"""
import collections
import json
import math
import pathlib
import re
import tempfile
import unittest

from serve_trouble_test import Server

USES, HANDLERS, IMPORTERS, MEMORIES, DECISIONS = 200, 60, 120, 60, 12
SMALL = 300  # tokens: a page of everything below is smaller than the whole


class Text:
    """What a client of texts shows: all of them, and no more."""

    def __init__(self, result):
        self.texts = [block["text"] for block in result["content"]]
        first = json.loads(self.texts[0])
        self.details = first if isinstance(first, dict) else {}
        for text in self.texts[1:]:
            self.details |= json.loads(text)
        self.list = first if isinstance(first, list) else None


class Structured:
    """What a client of structuredContent shows."""

    def __init__(self, result):
        self.details = result["structuredContent"]
        self.list = self.details.get("results")


VIEWS = [Text, Structured]


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory(prefix="codexmem-questions-")
        cls.addClassCleanup(made.cleanup)
        folder = pathlib.Path(made.name)
        (folder / "home").mkdir()
        cls.fill(folder / "repository")
        cls.server = Server(folder, AGENT_MEMORY_SECRET="a secret", CODEXMEM_DECISION_COOLDOWN_MS="0")
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.__exit__)
        cls.ids = []
        for number in range(MEMORIES):
            saved = cls.ask("save_memory", text=f"The cache was cold in case {number}. " * 5,
                            title=f"Cold cache {number}")
            cls.ids.append(saved["structuredContent"]["observation_id"])
        for number in range(DECISIONS):
            cls.ask("record_decision", title=f"Keep the cache {number}", target=f"cache {number}",
                    rationale="It is what makes the start quick, and costs little. " * 3)

    @staticmethod
    def fill(root):
        (root / ".git").mkdir(parents=True)
        source = root / "app"
        source.mkdir()
        (source / "__init__.py").write_text("")
        (source / "hub.py").write_text('def compute_total(items):\n    """The total of all items."""\n'
                                       "    return sum(items)\n")
        for number in range(IMPORTERS):
            uses = USES // IMPORTERS + (1 if number < USES % IMPORTERS else 0)
            (source / f"user{number}.py").write_text(
                "from app.hub import compute_total\n" + "".join(
                    f"\n\ndef total_of_{number}_{use}(items):\n"
                    f'    """Total of the items of kind {number}."""\n'
                    f"    return compute_total(items)\n" for use in range(uses)))
        (source / "handlers.py").write_text("".join(
            f'class Page{number}:\n    def handler(self):\n        """Shows page {number}."""\n'
            f"        return {number}\n\n\n" for number in range(HANDLERS)))

    @classmethod
    def ask(cls, tool, **arguments):
        result = cls.server.ask("tools/call", name=tool, arguments=arguments)
        assert not result.get("isError"), result
        return result

    def pages(self, view, key, tool, **arguments):
        """All items, by following what each page says of the next one."""
        found, offset = [], None
        while True:
            more = {} if offset is None else {"offset": offset}
            page = view(self.ask(tool, **arguments, **more))
            items = page.list if page.list is not None else page.details[key]
            found += [json.dumps(item, sort_keys=True) for item in items]
            self.assertTrue(items or not found, "a page has something")
            omitted, offset = page.details.get("omitted", 0), page.details.get("nextOffset")
            self.assertEqual(omitted > 0, offset is not None, page.details)
            if offset is None:
                return found
            self.assertEqual(offset, len(found))
            self.assertLess(len(items), len(found) + omitted)

    def all_come(self, count, key, tool, **arguments):
        """Whatever is shown, the whole is found, each item once."""
        for view in VIEWS:
            first = view(self.ask(tool, **arguments)).details
            self.assertGreater(first.get("omitted", 0), 0, f"{tool}: the page holds everything")
            found = self.pages(view, key, tool, **arguments)
            self.assertEqual(len(set(found)), len(found), (tool, view.__name__))
            if count is not None:
                self.assertEqual(len(found), count, (tool, view.__name__))

    def same_details(self, tool, **arguments):
        """A list's second text has the same content as structuredContent, except the list."""
        result = self.ask(tool, **arguments)
        text, structured = Text(result), Structured(result)
        self.assertEqual(text.list, structured.list)
        details = {name: value for name, value in structured.details.items() if name != "results"}
        self.assertEqual(text.details, details)
        return details

    def test_1_where_is_it_done(self):
        self.all_come(None, "results", "search_code", query="total of the items", limit=50,
                      max_tokens=600, threshold=0)
        self.same_details("search_code", query="total of the items")

    def test_2_where_is_it_defined(self):
        self.all_come(HANDLERS, "results", "find_symbol", symbol="handler", max_tokens=SMALL)
        details = self.same_details("find_symbol", symbol="handler")
        self.assertIn("coverage", details)
        self.assertIn("note", self.same_details("find_symbol", symbol="handlr"))

    def test_3_who_uses_it(self):
        # Each user imports it, too.
        self.all_come(1 + IMPORTERS + USES, "results", "get_references", symbol="compute_total",
                      max_tokens=600)
        details = self.same_details("get_references", symbol="handler", max_tokens=600)
        self.assertIn("coverage", details)
        self.assertEqual(len(details["definitions"]) + details.get("definitionsOmitted", 0), HANDLERS)

    def test_4_what_would_a_change_reach(self):
        details = self.same_details("get_references", symbol="compute_total", include_hierarchy=True)
        hierarchy = details["hierarchy"][0]
        self.assertEqual(len(hierarchy["callers"]), 50)
        self.assertEqual(hierarchy["cut"], ["callers"])
        small = self.same_details("get_references", symbol="compute_total", include_hierarchy=True,
                                 max_tokens=600)
        self.assertEqual(small["hierarchyOmitted"], 1)

    def test_5_which_files_depend_on_it(self):
        self.all_come(IMPORTERS, "dependents", "analyze_dependencies", file_path="app/hub.py",
                      max_tokens=600)

    def test_6_what_to_know_before_an_edit(self):
        for view in VIEWS:
            about = view(self.ask("get_context", file_path="app/hub.py", symbol="compute_total")).details
            self.assertLessEqual(len(about["callers"]), 5)
            self.assertIn("callers", about["cut"])
            many = view(self.ask("get_context", file_path="app/handlers.py")).details
            self.assertEqual(len(many["symbols"]) + many["omitted"]["symbols"], 2 * HANDLERS)

    def test_7_what_was_done_before(self):
        shown, offset = set(), 0
        while offset is not None:
            result = self.ask("search", query="cold cache", type="observations", offset=offset)
            text, structured = result["content"][0]["text"], result["structuredContent"]
            rows = set(re.findall(r"#(\d+)\b", text))
            self.assertEqual(rows, {item["id"] for item in structured["items"]})
            self.assertFalse(rows & shown)
            shown |= rows
            more = re.search(r"(\d+) more: offset=(\d+) goes on", text)
            self.assertEqual(more is not None, len(shown) < MEMORIES, text)
            if more:
                self.assertEqual(int(more[1]), MEMORIES - len(shown))
            offset = int(more[2]) if more else None
            self.assertEqual(offset, structured.get("nextOffset"))
        self.assertEqual(shown, {str(number) for number in self.ids})

    def test_8_what_happened_around_it(self):
        result = self.ask("timeline", anchor=self.ids[30], depth_before=20, depth_after=20,
                          max_tokens=SMALL)
        items = result["structuredContent"]["items"]
        omitted = result["structuredContent"]["omitted"]
        self.assertEqual(len(items) + omitted, 41)
        self.assertIn(f"{omitted} records farther away are left out: max_tokens",
                      result["content"][0]["text"])

    def test_9_what_was_it_exactly(self):
        self.all_come(MEMORIES, "results", "get_observations", ids=self.ids, max_tokens=SMALL)
        self.all_come(MEMORIES, "results", "get_observations", ids=self.ids, limit=7)
        details = self.same_details("get_observations", ids=[*self.ids[:3], 99999], max_tokens=SMALL)
        self.assertEqual(details["missing"], [99999])
        self.all_come(MEMORIES, "items", "get_entries", ids=[str(each) for each in self.ids],
                      max_tokens=SMALL)

    def test_10_what_was_decided(self):
        self.all_come(DECISIONS, "results", "search_decisions", query="cache", mode="audit", limit=5)

    def test_tools_are_found_by_what_agents_ask(self):
        """A client that shows a model the names alone has it search names, words and arguments."""
        tools = self.server.ask("tools/list")["tools"]
        for words, name in [
                ("search code by meaning", "search_code"),
                ("find where a symbol is defined", "find_symbol"),
                ("find references and usages of a function", "get_references"),
                ("callers and callees hierarchy", "get_references"),
                ("which files import this file dependencies", "analyze_dependencies"),
                ("context of a file before editing", "get_context"),
                ("search memory of earlier sessions", "search"),
                ("timeline of what happened", "timeline"),
                ("get full observations by ids", "get_observations"),
                ("remember a fact, save memory", "save_memory"),
                ("search decisions", "search_decisions")]:
            found = best_eight(tools, words)
            self.assertIn(name, found, words)
            self.assertFalse({"important_workflow", "__IMPORTANT"} & set(found), (words, found))
        self.assertIn("important_workflow", best_eight(tools, "workflow guide"))


def words_of(text):
    return re.findall(r"[a-z0-9]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower())


def best_eight(tools, query):
    """The names of the eight tools that BM25 ranks first, as clients do; none without a word of it."""
    documents = {tool["name"]: words_of(" ".join(
        [tool["name"], tool["title"], tool["description"], json.dumps(tool["inputSchema"])]))
        for tool in tools}
    mean = sum(map(len, documents.values())) / len(documents)
    scores = {}
    for name, words in documents.items():
        counts = collections.Counter(words)
        for word in words_of(query):
            having = sum(word in other for other in documents.values())
            if counts[word]:
                weight = math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))
                scores[name] = scores.get(name, 0) + weight * counts[word] * 2.2 / (
                    counts[word] + 1.2 * (0.25 + 0.75 * len(words) / mean))
    return sorted(scores, key=scores.get, reverse=True)[:8]


if __name__ == "__main__":
    unittest.main()
