// Go: which types implement which interfaces, and what a call through one may reach.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "graph/uses/neighbours.h"
#include "graph/uses/symbol_search.h"
#include "support/marked_case.h"

namespace codexmem::graph {
namespace {

using testing::MarkedCase;

// ---- Uses.

class GoInterfaceUses : public ::testing::TestWithParam<MarkedCase> {};

TEST_P(GoInterfaceUses, AreLikelyUsesOfWhatImplements) { testing::expect_marked(GetParam()); }

const MarkedCase kUses[] = {
    {"OfAMethodThatImplements",
     {{"go.mod", "module example.com/m\n"},
      {"a/a.go",
       "package a\n\ntype Runner interface {\n\tRun(n int) error\n\tStop()\n}\n\n"
       "func Go(r Runner) { r.<?>Run(1) }\n"},
      {"b/b.go",
       "package b\n\nimport \"example.com/m/a\"\n\ntype B struct{}\n\n"
       "func (b *B) <!>Run(n int) error { return nil }\nfunc (b *B) Stop() {}\n"
       "func f(r a.Runner, b *B) { r.<?>Run(1); b.<>Run(1) }\n"}}},
    {"NotOfATypeThatLacksAMethod",
     {{"a.go",
       "package a\n\ntype Runner interface {\n\tRun()\n\tStop()\n}\n\n"
       "func Go(r Runner) { r.Run() }\n\ntype B struct{}\n\nfunc (b *B) <!>Run() {}\n"}}},
    {"NotOfAnotherSignature",
     {{"a.go",
       "package a\n\ntype Runner interface{ Run(n int) }\n\n"
       "func Go(r Runner) { r.Run(1) }\n\ntype B struct{}\n\n"
       "func (b B) <!>Run(n string) {}\ntype C struct{}\nfunc (c C) Run(n int) {}\n"}}},
    {"NotOfTheMethodThatAStructHides",
     {{"a.go",
       "package a\n\ntype A struct{}\n\nfunc (A) Run() {}\n\ntype B struct{ A }\n\n"
       "func (B) <!>Run() {}\n\nfunc f(a A, b B) { a.Run(); b.<>Run() }\n"}}},
};

INSTANTIATE_TEST_SUITE_P(Go, GoInterfaceUses, ::testing::ValuesIn(kUses), testing::case_name);

// ---- Hierarchies.

struct TypeCase {
  std::string name;
  std::map<std::string, std::string> files;
  std::string symbol;
  std::vector<std::string> want;  // what it is, name, " likely", depth
};

class GoHierarchies : public ::testing::TestWithParam<TypeCase> {};

TEST_P(GoHierarchies, AreAsTheCompilerSees) {
  const TypeCase& c = GetParam();
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
                     (each.confidence == Confidence::kLikely ? " likely" : "") +
                     (each.depth > 1 ? " " + std::to_string(each.depth) : ""));
    }
  };
  add("super", found->supertypes);
  add("sub", found->subtypes);
  add("overrides", found->overrides);
  add("by", found->overridden_by);
  EXPECT_EQ(list, c.want);
}

const std::map<std::string, std::string> kShapes = {
    {"go.mod", "module example.com/m\n"},
    {"shape/shape.go",
     "package shape\n\nimport \"io\"\n\ntype Point struct{}\n\ntype Empty interface{}\n\n"
     "type Named interface{ Name() string }\n\ntype Shape interface {\n\tNamed\n"
     "\tMove(by Point, f func(int) error) (*Point, error)\n}\n\n"
     "type Kept interface {\n\tShape\n\tio.Closer\n}\n\ntype Number interface {\n\t~int | ~string\n"
     "\tName() string\n}\n\ntype hidden interface{ secret() }\n"},
    {"use/use.go",
     "package use\n\nimport . \"example.com/m/shape\"\n\ntype Circle struct{ base }\n\n"
     "func (c *Circle) Name() string { return \"\" }\n\ntype base struct{}\n\n"
     "func (base) Move(Point, func(int) error) (*Point, error) { return nil, nil }\n\n"
     "type Saved struct{ *Circle }\n\nfunc (Saved) Close() error { return nil }\n\n"
     "type Wrong struct{ base }\n\nfunc (Wrong) Name() int { return 0 }\nfunc (Wrong) secret() "
     "{}\n"},
    {"use/more.go", "package use\n\ntype Alone int\n\n"},
    {"use/methods.go", "package use\n\nfunc (a Alone) Name() string { return \"\" }\n"}};

const std::map<std::string, std::string> kGenerics = {
    {"a.go",
     "package m\n\ntype Item struct{}\n\ntype Stream[T any] interface{ Next() (T, error) }\n"
     "type Items = Stream[Item]\n\ntype Server interface {\n\tServe(Stream[Item]) error\n}\n\n"
     "type Impl struct{}\n\nfunc (*Impl) Serve(s Items) error { return nil }\n\n"
     "type Strings struct{}\n\nfunc (*Strings) Next() (string, error) { return \"\", nil }\n"
     "type More struct{}\n\nfunc (*More) Serve(s Stream[int]) error { return nil }\n"}};

INSTANTIATE_TEST_SUITE_P(
    Go, GoHierarchies,
    ::testing::ValuesIn(std::vector<TypeCase>{
        {"TypesBelowAnInterface",
         kShapes,
         "Shape",
         {"super shape.Named", "sub shape.Kept", "sub use.Circle", "sub use.Saved 2"}},
        {"WithMethodsOfTheLibrary",
         kShapes,
         "Kept",
         {"super shape.Shape", "super shape.Named 2", "sub use.Saved"}},
        {"InterfacesAboveAType",
         kShapes,
         "use.Saved",
         {"super use.Circle", "super use.base 2", "super shape.Shape", "super shape.Named"}},
        {"MethodsInOtherFiles", kShapes, "Alone.Name", {"overrides shape.Named.Name"}},
        {"AMethodThatIsPromoted", kShapes, "base.Move", {"overrides shape.Shape.Move"}},
        {"MethodsBelow", kShapes, "Shape.Move", {"by use.base.Move"}},
        {"NothingImplementsAnEmptyInterface", kShapes, "Empty", {}},
        {"NothingImplementsASetOfTypes", kShapes, "Number", {"super shape.Named"}},
        {"MethodsOfAPackageAreItsOwn", kShapes, "hidden", {}},
        {"TypeParametersMayBeAnything", kGenerics, "Stream", {"sub m.Strings likely"}},
        {"AliasesAreWhatTheyStandFor", kGenerics, "Server", {"sub m.Impl"}},
    }),
    [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace codexmem::graph
