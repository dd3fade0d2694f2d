#!/usr/bin/env python3
"""codexmem unused, on a small repository in Python, TypeScript, Go and C++.

  tests/git/unused_test.py --program build/dev/bin/codexmem
"""

import argparse
import json
import tempfile

from git_repository import Repository

FILES = {
    "shop/__init__.py": "from .api import offered\n",
    "shop/api.py": "from .tools import used, imported_only\n\n\ndef offered():\n    return used()\n",
    "shop/tools.py": """import ast


def used():
    _count()
    return _kept


def imported_only():
    pass


def _count():
    pass


_kept = 1


def _dead():
    return _of_dead()


def _of_dead():
    return _of_dead() + 1


def _in_circle_a():
    _in_circle_b()


def _in_circle_b():
    _in_circle_a()


@ast.register
def _decorated():
    pass


def _quoted():
    pass


def handle_start():
    pass


NAMES = ["_quoted"]


def call(name):
    return find("handle_" + name)


class _Reader(ast.NodeVisitor):
    def visit_Name(self):
        pass


_reader = _Reader()
print(_reader, call)


def _configured():
    pass


def _tested():
    pass


def main_of(_local):
    _local()


def _local():
    pass


print(main_of)
""",
    "tests/test_tools.py": "from shop.tools import _tested\n\n\ndef test_it():\n    _tested()\n",
    "deploy.yaml": "run: shop.tools:_configured\n",
    "web/index.ts": "export * from './page';\n",
    "web/page.ts": """export function shown() { return new Page().go(); }
class Page {
  go() { return next(); }
  private gone() {}
  #hidden() {}
  #seen() {}
  constructor() { this.#seen(); }
}
let counter = 0;
function next() { return counter++; }
function lonely() {}
""",
    "web/inner.ts": "export function inner() {}\nexport default function renamed() {}\n",
    "web/main.ts": "import other from './inner';\nother();\n",
    "cmd/main.go": """package main

type shape interface{ area() int }

type square struct{}

func (s square) area() int { return 1 }

func init() {}

func main() { var s shape = square{}; s.area() }

type lost struct{}

func (l lost) nothing() {}

func unusedHelper() {}
""",
    "go.mod": "module shop\n",
    "native/tool.h": "int offered_tool();\nint lost_tool();\n",
    "native/tool.cpp": """#define _GNU_SOURCE
#include "tool.h"

namespace {

enum Bits { kFirst = 1, kSecond = 2 };
enum LostBits { kThird = 4 };

struct Guard {
  ~Guard() { tidy(); }
  bool operator==(const Guard&) const { return true; }
  using is_transparent = void;
};

int helper(int a) {
  TRY_ASSIGN(const int b, twice(a));
  return b;
}

int left_over() { return 1; }

}  // namespace

int offered_tool() {
  Guard guard;
  return helper(kFirst);
}

int lost_tool() { return kSecond; }
""",
    "rust/Cargo.toml": "[package]\nname = \"bin\"\n",
    "rust/src/main.rs": """fn count(of: &[u8]) -> usize { of.len() }

fn forgotten() {}

fn main() {
    let count = count(&[]);
    println!("{}", count);
}

mod checks {
    #[test]
    #[ignore] // takes an hour
    fn slow() {}
}
""",
    "ruby/shape.rb": """class Shape
  def area
    sides = sides(1)
    eval <<~CODE
      #{sides} text_made(:x)
    CODE
  end

  private

  def sides(of)
    of
  end

  def text_made(what)
    what
  end
end
""",
    "sharp/Text.cs": """namespace Sharp;

internal static class TextParts
{
    internal static string FirstPart(this string text) { return text; }
}

public class Program
{
    public static void Main() { "a".FirstPart(); new Tool(); new Player(); new Saved(); }
}
""",
    "typed/global.ts": "export {};\ndeclare global {\n  interface Window { shop: number }\n}\n",
    "shown/menu.ts": "export const menu = 1;\nfunction openFromTemplate() {\n  return opened();\n}\nfunction opened() {}\n",
    "shown/menu.unknown": "<a onclick=openFromTemplate()>\n",
    "native/widget.c": "DEFINE_TYPE(Widget, shop_widget, TYPE_BASE)\n\nstatic void shop_widget_class_init(int of) {}\n",
    "sharp/Saved.cs": """namespace Sharp;

internal static class Extras
{
    internal static string LastPart(this string text) { return text; }
}

internal class OnlyByName
{
    internal string Name() { return "a".LastPart(); }
}

internal static class Added
{
    extension(string text)
    {
        public string NextPart() { return text; }
    }
}

public class Saved
{
    [OnSaving]
    private void BeforeSaving() { }
}

[Command("tool")]
public class Tool
{
    private void OnExecute() { }
}

public class Player : MonoBehaviour
{
    private void Update() { }
}
""",
    "shop/shown.py": "class _Shown:\n    def _repr_html_(self):\n        return 1\n\n\nprint(_Shown())\n",
    "shop/types.d.ts": "export namespace Shop {\n  type Basket = string[];\n}\n",
    "native/starts.cpp": "static struct Starts { Starts(); } starts_all;\n",
    "site/page.js": "function openMenu() {\n  return 1;\n}\n",
    "native/forward.h": "class Item;\nstatic inline int in_header(int of) { return of; }\nnamespace n { static inline int in_namespace(int of) { return of; } }\n",
    "native/item.h": "class Item : public QObject {};\n",
    "native/feed.h": """#include "item.h"
class Feed : public Item {
  void timerEvent(int event) override;
  void changeEvent(int event);
};
class Row {
  void paintRow() override;
};
""",
    "native/pasted.c": """static int repo_formatter(int of) { return of; }
#define FORMAT(type) { type ## _formatter }
#define show SUFFIX(show_)
static void show_16(int of) {}
static void lost_end(int of) {
#ifdef A
  if (of) {
#else
  if (!of) {
#endif
  }
}
static const struct listener all = { lost_end };
static int held_by_lost(void) { return all.first; }
int offered_pasted(void) { return held_by_lost(); }
typedef short flex_int;
static yyconst flex_int table[2] = {1, 2};
""",
    "ruby/main.rb": "require_relative 'project'\n\nProject.new.copy(['wiki'])\n",
    "ruby/project.rb": """class Project
  def copy(parts)
    parts.each { |name| send :"copy_#{name}" }
  end

  private

  def copy_wiki
    1
  end
end
""",
    "native/main.cpp": "#include \"feed.h\"\n#include \"tool.h\"\n\nFeed feed;\nRow row;\n\nint main() { return offered_tool() + feed.size() + row.size(); }\n",
}


def answer_of(repository, *words):
    done = repository.codexmem("unused", "--json", *words)
    assert done.returncode in (0, 1), (done.returncode, done.stderr, done.stdout)
    return json.loads(done.stdout)


def check_all(program, folder):
    repository = Repository(program, folder)
    repository.commit(FILES)
    answer = answer_of(repository, "--limit", "0")
    found = {each["symbol"]: each for each in answer["unused"]}
    sure = {name for name, each in found.items() if each["certainty"] == "certain"}
    assert {"_dead", "_of_dead", "_in_circle_a", "_in_circle_b", "_local", "lonely", "Page.#hidden", "Page.gone",
            "main.lost", "main.unusedHelper", "left_over", "LostBits"} <= sure, (sure, found)
    # Shadowed by its own value, in a text of code, an extension, a global, run by an attribute.
    for name in ("main.count", "count", "Shape.sides", "Shape.text_made", "TextParts", "Sharp.TextParts", "Window", "checks", "slow", "checks.slow", "openMenu", "Feed.timerEvent", "Feed.changeEvent", "Row.paintRow", "repo_formatter", "show_16", "flex_int", "lost_end", "in_header", "Sharp.Added",
                 "Project.copy_wiki", "openFromTemplate", "opened", "shop_widget_class_init", "Sharp.Saved.BeforeSaving", "Sharp.Extras",
                 "Sharp.Tool.OnExecute", "Sharp.Player.Update", "_Shown._repr_html_", "Shop.Basket", "starts_all", "n.in_namespace"):
        assert name not in sure, (name, found[name])
    assert "forgotten" in sure, found
    assert found["_dead"]["why"] == "private, nothing names it, and nothing with its name is unread", found["_dead"]
    assert found["_of_dead"]["why"].startswith("private, only unused code names it"), found["_of_dead"]
    assert all("why" not in each for each in found.values() if each["certainty"] != "certain"), found
    assert found["_of_dead"]["usedOnlyBy"] == ["_dead"] and "usedOnlyBy" not in found["_dead"], found
    for name in ("used", "offered", "_count", "_kept", "_tested", "shown", "Page", "Page.go", "Page.#seen", "counter", "next",
                 "renamed", "helper", "Bits", "Guard", "Guard.~Guard", "Guard.is_transparent", "offered_tool", "main.main", "main.init", "main.square", "call"):
        assert name not in found, (name, found[name])
    for name, certainty, reason in [
            ("imported_only", "likely", "imported, and not used, at shop/api.py:1"),
            ("_decorated", "possible", "decorates or annotates"),
            ("_quoted", "possible", "a string names it at shop/tools.py:"),
            ("handle_start", "possible", "\"handle_\" begins names"),
            ("_Reader.visit_Name", "possible", "NodeVisitor"),
            ("_configured", "possible", "named at deploy.yaml:1"),
            ("_GNU_SOURCE", "possible", "a header"),
            ("lost_tool", "likely", "exported"),
            ("inner", "likely", "exported"),
            ("openFromTemplate", "possible", "named in shown/menu.unknown, which is not indexed"),
            ("shop_widget_class_init", "possible", "a macro of its file"),
            ("Sharp.Extras", "likely", "a member of it"),
            ("Sharp.Tool.OnExecute", "likely", "attributes of its class"),
            ("Sharp.Player.Update", "likely", "MonoBehaviour"),
            ("openMenu", "likely", "a page may use it"),
            ("Feed.changeEvent", "possible", "QObject"),
            ("Row.paintRow", "possible", "says that it overrides"),
            ("repo_formatter", "possible", "\"_formatter\" ends names"),
            ("Project.copy_wiki", "possible", "\"copy_\" begins names")]:
        assert found[name]["certainty"] == certainty, found[name]
        assert any(reason in each for each in found[name]["mayBeReached"]), found[name]
    assert [each["symbol"] for each in answer["unused"]].count("lost_tool") == 1, found  # its prototype is no other
    order = [(["certain", "likely", "possible"].index(each["certainty"]), -each["lines"]) for each in answer["unused"]]
    assert order == sorted(order), order
    # By page, by path, by certainty, and as a person reads it.
    page = answer_of(repository, "--limit", "2", "--offset", "1")
    assert page["unused"] == answer["unused"][1:3] and page["nextOffset"] == 3, page
    assert {each["file"]["path"] for each in answer_of(repository, "web")["unused"]} <= {"web/page.ts", "web/inner.ts"}
    assert len(answer_of(repository, "--certainty", "certain")["unused"]) == answer["certain"] == len(sure)
    text = repository.codexmem("unused").stdout
    assert "      private, nothing names it, and nothing with its name is unread\n" in text, text
    assert "used only by _dead" in text and text.startswith("certain\n"), text
    assert repository.codexmem("unused", "nowhere").returncode != 0
    assert repository.codexmem("unused", "shop/__init__.py").returncode == 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    with tempfile.TemporaryDirectory() as folder:
        check_all(parser.parse_args().program, folder)
    print("ok")


if __name__ == "__main__":
    main()
