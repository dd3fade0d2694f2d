#include "base/stop_scope.h"
#include "graph/imports/dependencies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/uses/neighbours.h"
#include "graph/uses/symbol_search.h"
#include "support/code_fixture.h"

namespace codexmem::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::map<std::string, std::string> kFiles = {
    {"app.ts",
     "import { one } from './one';\nimport { two } from './two';\nimport _ from 'lodash';\n"
     "import { more } from './one';\nimport './missing';\n"},
    {"one.ts", "import { two } from './two';\nexport const one = two, more = 1;\n"},
    {"two.ts", "import { three } from './three';\nexport const two = three;\n"},
    {"three.ts", "import { one } from './one';\nexport const three = () => one;\n"},
    {"alone.ts", "export {};\n"}};

std::vector<std::string> lines(const std::vector<DependencyItem>& items) {
  std::vector<std::string> list;
  for (const DependencyItem& item : items) {
    std::string text = std::to_string(item.depth) + " " +
                       (item.is_external ? "external " + item.package : item.path);
    for (const std::string& symbol : item.symbols) text += " " + symbol;
    list.push_back(std::move(text));
  }
  return list;
}

class Dependencies : public ::testing::Test {
 protected:
  Result<DependencyAnswer> ask(const DependencyQuery& query) {
    auto lease = fixture_.workspace().reader();
    return analyze_dependencies(**lease, query);
  }
  testing::CodeFixture fixture_{kFiles};
};

TEST_F(Dependencies, AStopEndsTheWalk) {
  std::stop_source stop;
  stop.request_stop();
  auto lease = fixture_.workspace().reader();
  const auto answer = analyze_dependencies(**lease, {.file_path = "app.ts"}, stop.get_token());
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code(), ErrorCode::kCancelled);
}

TEST(Templates, AreNamedByCode) {
  testing::CodeFixture fixture(
      {{"shop/views.py",
        "def cart(request):\n    return render(request, 'shop/cart.html')\n"
        "def old(request):\n    return render(request, 'cart.html')\n"},
       {"other/views.py", "def cart(r):\n    return render(r, 'other/cart.html')\n"},
       {"pages.py", "@app.route('/')\ndef index():\n    return render_template('cart.html')\n"},
       {"web.js", "app.get('/', (q, s) => s.render('about'));\nconst about = 'about';\n"},
       {"shop/templates/shop/cart.html", "{% include 'shop/item.html' %}\n"},
       {"shop/templates/shop/item.html", "<p></p>\n"},
       {"other/templates/other/cart.html", "<p></p>\n"},
       {"templates/cart.html", "<p></p>\n"},
       {"views/about.ejs", "<p></p>\n"},
       {"app/views/carts/show.html.erb", "<p></p>\n"},
       {"app/controllers/carts_controller.rb",
        "class CartsController\n  def index\n    render partial: 'carts/item'\n  end\n  def show; "
        "end\nend\n"},
       {"app/views/carts/_item.html.erb", "<p></p>\n"}});
  auto lease = fixture.workspace().reader();
  const auto ask = [&](const std::string& path) {
    auto answer = analyze_dependencies(**lease, {.file_path = path});
    EXPECT_TRUE(answer.ok());
    return *std::move(answer);
  };
  const DependencyAnswer item = ask("shop/templates/shop/item.html");
  EXPECT_THAT(lines(item.dependents),
              ElementsAre("1 shop/templates/shop/cart.html", "2 shop/views.py"));
  EXPECT_EQ(item.dependents[1].line, 2U);
  EXPECT_EQ(item.dependents[1].import_type, "template");
  EXPECT_THAT(lines(ask("templates/cart.html").dependents),
              ElementsAre("1 pages.py", "1 shop/views.py"));
  EXPECT_THAT(lines(ask("views/about.ejs").dependents), ElementsAre("1 web.js"));
  const DependencyAnswer show = ask("app/views/carts/show.html.erb");
  EXPECT_THAT(lines(show.dependents), ElementsAre("1 app/controllers/carts_controller.rb"));
  EXPECT_EQ(show.dependents[0].line, 5U);
  EXPECT_THAT(lines(ask("app/views/carts/_item.html.erb").dependents),
              ElementsAre("1 app/controllers/carts_controller.rb"));
  EXPECT_THAT(lines(ask("shop/views.py").dependencies),
              ElementsAre("1 shop/templates/shop/cart.html", "1 templates/cart.html",
                          "2 shop/templates/shop/item.html"));
}

TEST(Packages, AreNodesOfTheirFolders) {
  testing::CodeFixture fixture(
      {{"go.mod", "module example.com/m\n"},
       {"m.go", "package m\n\nimport (\n\t\"fmt\"\n\t\"example.com/m/a\"\n)\n"},
       {"a/a.go", "package a\n"},
       {"a/b.go", "package a\n\nimport \"example.com/m/c\"\n"},
       {"a/b_test.go", "package a\n\nimport \"example.com/m/t\"\n"},
       {"c/c.go", "package c\n"},
       {"t/t.go", "package t\n"}});
  auto lease = fixture.workspace().reader();
  const auto ask = [&](const std::string& path) {
    auto answer = analyze_dependencies(**lease, {.file_path = path, .include_external = true});
    EXPECT_TRUE(answer.ok());
    return *std::move(answer);
  };
  const DependencyAnswer root = ask("m.go");
  EXPECT_THAT(lines(root.dependencies), ElementsAre("1 external fmt *", "1 a *", "2 c *"));
  EXPECT_TRUE(root.dependencies[1].is_package);
  EXPECT_EQ(root.dependencies[2].via, "a");
  EXPECT_THAT(lines(ask("c/c.go").dependents), ElementsAre("1 a/b.go *", "2 m.go *"));
  EXPECT_THAT(lines(ask("a/b.go").dependents), ElementsAre("1 m.go *"));
  EXPECT_THAT(lines(ask("a/b_test.go").dependents), IsEmpty());
}

TEST_F(Dependencies, EachFileOnceAtItsSmallestDepth) {
  const auto answer = ask({.file_path = "app.ts", .depth = 3});
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(lines(answer->dependencies),
              ElementsAre("1 one.ts one more", "1 two.ts two", "2 three.ts three"));
  EXPECT_THAT(answer->unresolved, ElementsAre("./missing"));
  EXPECT_EQ(answer->external_omitted, 1U);
  EXPECT_THAT(answer->cycles, IsEmpty());
}

TEST_F(Dependencies, DependentsAreFollowedToo) {
  const auto answer = ask({.file_path = "three.ts", .depth = 2});
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(lines(answer->dependents),
              ElementsAre("1 two.ts three", "2 app.ts two", "2 one.ts two"));
}

TEST_F(Dependencies, CyclesAreReported) {
  const auto answer = ask({.file_path = "one.ts", .depth = 10});
  ASSERT_TRUE(answer.ok());
  ASSERT_EQ(answer->cycles.size(), 1U);
  EXPECT_THAT(answer->cycles[0], ElementsAre("one.ts", "two.ts", "three.ts"));
}

TEST_F(Dependencies, ExternalPackagesOnRequest) {
  const auto answer = ask({.file_path = "app.ts", .depth = 1, .include_external = true});
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(lines(answer->dependencies),
              ElementsAre("1 one.ts one more", "1 two.ts two", "1 external lodash default"));
}

TEST(DocumentedImports, AreNoDependencies) {
  testing::CodeFixture fixture({{"a.js", "/** @typedef {import('./b').B} B */\nexport {};\n"},
                                {"b.js", "export class B {}\n"}});
  auto lease = fixture.workspace().reader();
  EXPECT_THAT(analyze_dependencies(**lease, {.file_path = "a.js"})->dependencies, IsEmpty());
  EXPECT_THAT(analyze_dependencies(**lease, {.file_path = "b.js"})->dependents, IsEmpty());
}

TEST_F(Dependencies, DepthAndFileAreChecked) {
  EXPECT_EQ(ask({.file_path = "app.ts", .depth = 11}).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(ask({.file_path = "ap.ts"}).error().code(), ErrorCode::kNotFound);
}

TEST(Neighbours, CallersCalleesAndTypes) {
  testing::CodeFixture fixture(
      {{"a.ts",
        "export class Base { run() {} }\nexport class Child extends Base {\n  go() {\n"
        "    this.run();\n    helper();\n    this.run();\n  }\n}\nfunction helper() {}\n"},
       {"b.ts", "import { Base } from './a';\nexport function f(b: Base) { b.run(); }\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  store::CodeReader& reader = **lease;
  const auto id = [&](const std::string& name) {
    return find_symbols(reader, {.symbol = name})->results.at(0).symbol.id;
  };
  const auto names = [](const Result<std::vector<Neighbour>>& list) {
    std::vector<std::string> text;
    for (const Neighbour& n : *list) {
      text.push_back(n.symbol.qualified_name() + " " + std::to_string(n.count));
    }
    return text;
  };
  EXPECT_THAT(names(list_callers({cache, reader}, id("run"), 10)),
              ElementsAre("Child.go 2", "f 1"));
  EXPECT_THAT(names(list_callees({cache, reader}, id("go"), 10)),
              ElementsAre("Base.run 2", "helper 1"));
  EXPECT_THAT(names(list_supertypes({cache, reader}, id("Child"), 10)), ElementsAre("Base 1"));
  EXPECT_THAT(names(list_subtypes({cache, reader}, id("Base"), 10)), ElementsAre("Child 1"));
}

TEST(Neighbours, FieldsAreFollowedByTheFunctionsThatTheyHold) {
  testing::CodeFixture fixture(
      {{"ops.h",
        "struct ops { int (*open)(int); void (*close)(void); };\nint opened(int x);\n"
        "void log_it(void);\n"},
       {"a.c",
        "#include \"ops.h\"\nstatic int my_open(int x) { return x; }\n"
        "static void my_close(void) {}\nint opened(int x) { return x; }\n"
        "static const struct ops table = { .open = my_open, .close = &my_close };\n"
        "void late(struct ops *o) { o->open = opened; }\n"},
       {"other.c",
        "struct other { int (*open)(int); };\nint their_open(int x) { return x; }\n"
        "struct other table = { .open = their_open };\n"},
       {"b.c",
        "#include \"ops.h\"\nvoid user(struct ops *o) { o->open(1); (*o->close)(); log_it(); "
        "}\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  store::CodeReader& reader = **lease;
  const auto id = find_symbols(reader, {.symbol = "user"})->results.at(0).symbol.id;
  const auto found = list_callees({cache, reader}, id, 10);
  std::vector<std::string> callees;
  for (const Neighbour& each : *found) {
    callees.push_back(each.symbol.qualified_name() + " " + each.path + " " +
                      std::string(confidence_name(each.confidence)));
  }
  EXPECT_THAT(callees, ElementsAre("ops.open ops.h resolved", "my_open a.c likely",
                                   "opened a.c likely", "ops.close ops.h resolved",
                                   "my_close a.c likely", "log_it ops.h resolved"));
}

TEST(Neighbours, AStopEndsEachSearch) {
  testing::CodeFixture fixture(
      {{"a.ts", "export class Base { run() {} }\nclass Child extends Base { run() {} }\n"},
       {"b.ts", "import { Base } from './a';\nfunction f(b: Base) { b.run(); }\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  store::CodeReader& reader = **lease;
  const auto id = find_symbols(reader, {.symbol = "Base.run"})->results.at(0).symbol.id;
  std::stop_source source;
  source.request_stop();
  const auto is_cancelled = [](const auto& answer) {
    return !answer.ok() && answer.error().code() == ErrorCode::kCancelled;
  };
  const auto no_test = [](std::string_view) { return false; };
  ASSERT_EQ(list_callers({cache, reader}, id, 10)->size(), 1U);  // what it needs is in memory now
  const StopScope scope(source.get_token());
  EXPECT_TRUE(is_cancelled(list_call_sites({cache, reader}, id, 10, no_test)));
  EXPECT_TRUE(is_cancelled(list_callees({cache, reader}, id, 10)));
  EXPECT_TRUE(is_cancelled(list_types({cache, reader}, id, 10)));
  EXPECT_TRUE(is_cancelled(find_hierarchy({cache, reader}, id, 10)));
}

struct HierarchyCase {
  std::string name;
  std::map<std::string, std::string> files;
  std::string symbol;
  std::vector<std::string> want;  // what it is, name, depth
};

class Hierarchies : public ::testing::TestWithParam<HierarchyCase> {};

TEST_P(Hierarchies, AreAsTheCompilersSee) {
  const HierarchyCase& c = GetParam();
  testing::CodeFixture fixture(c.files);
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto symbol = find_symbols(**lease, {.symbol = c.symbol});
  ASSERT_EQ(symbol->results.size(), 1U);
  const auto found = find_hierarchy({cache, **lease}, symbol->results[0].symbol.id, 20);
  ASSERT_TRUE(found.ok());
  std::vector<std::string> list;
  const auto add = [&](const char* what, const std::vector<Neighbour>& neighbours) {
    for (const Neighbour& each : neighbours) {
      list.push_back(std::string(what) + " " + each.symbol.qualified_name() +
                     (each.depth > 1 ? " " + std::to_string(each.depth) : ""));
    }
  };
  add("super", found->supertypes);
  add("sub", found->subtypes);
  add("overrides", found->overrides);
  add("by", found->overridden_by);
  EXPECT_EQ(list, c.want);
}

const std::map<std::string, std::string> kTypeScriptTypes = {
    {"a.ts",
     "export interface Shape { area(): number; name: string }\n"
     "export abstract class Base implements Shape {\n  constructor() {}\n  area() { return 0; }\n"
     "  name = '';\n  #own() {}\n}\n"},
    {"index.ts", "export { Base as Root } from './a';\n"},
    {"b.ts",
     "import { Root } from './index';\nexport class Box<T> extends Root {\n  constructor() {}\n"
     "  area() { return 1; }\n  set() { this.name = 'x'; }\n  #own() {}\n}\n"
     "export class Cube extends Box<string> {\n  area() { return 2; }\n}\n"
     "class Other { area() {} }\n"}};

const std::map<std::string, std::string> kPythonTypes = {
    {"pkg/__init__.py", "from .base import Base\n"},
    {"pkg/base.py",
     "class Base:\n    limit = 1\n    def __init__(self):\n        self.size = 0\n"
     "    def run(self):\n        pass\n    def __own(self):\n        pass\n"},
    {"use.py",
     "import pkg\nfrom pkg import Base as B\n\nclass One(B):\n    def run(self):\n        pass\n"
     "    def __own(self):\n        pass\n\nclass Two(pkg.Base, One):\n    limit = 2\n"
     "    def run(self):\n        self.size = 2\n\nclass Run:\n    def run(self):\n        "
     "pass\n"}};

INSTANTIATE_TEST_SUITE_P(
    All, Hierarchies,
    ::testing::ValuesIn(std::vector<HierarchyCase>{
        {"TypesAbove", kTypeScriptTypes, "Cube", {"super Box", "super Base 2", "super Shape 3"}},
        {"TypesBelow", kTypeScriptTypes, "Shape", {"sub Base", "sub Box 2", "sub Cube 3"}},
        {"MembersBetween",
         kTypeScriptTypes,
         "Box.area",
         {"overrides Base.area", "overrides Shape.area", "by Cube.area"}},
        {"InterfaceMembersAreImplemented",
         kTypeScriptTypes,
         "Shape.area",
         {"by Base.area", "by Box.area", "by Cube.area"}},
        {"AssignmentsOverrideNothing", kTypeScriptTypes, "Base.name", {"overrides Shape.name"}},
        {"ConstructorsAreTheirClassesOwn", kTypeScriptTypes, "Base.constructor", {}},
        {"PythonTypesAbove", kPythonTypes, "Two", {"super Base", "super One"}},
        {"PythonTypesBelow", kPythonTypes, "Base", {"sub One", "sub Two"}},
        {"PythonMembers", kPythonTypes, "Base.run", {"by One.run", "by Two.run"}},
        {"PythonClassAttributes", kPythonTypes, "Two.limit", {"overrides Base.limit"}},
        {"PythonAssignmentsOverrideNothing", kPythonTypes, "Base.size", {}},
        {"PythonPrivateNames", kPythonTypes, "Base.__own", {}},
    }),
    [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace codexmem::graph
