// Which uses of C#'s names mean a definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "graph/uses/relatives.h"
#include "graph/uses/symbol_search.h"
#include "support/code_fixture.h"
#include "graph/usage_case.h"

namespace codexmem::graph {
namespace {

class CSharpUsages : public UsageTest {};

TEST_P(CSharpUsages, AreThoseThatTheCompilerSees) { check(); }

const UsageCase kCSharpCases[] = {
    {"NamespacesAndUsings",
     {{"a/Foo.cs", "namespace A.B;\npublic class Foo {}\n"},
      {"a/Near.cs", "namespace A.B { class Near { Foo foo; } }\n"},
      {"a/Inner.cs", "namespace A.B.C { class Inner { Foo foo; } }\n"},
      {"b/Named.cs", "using A.B;\nnamespace X { class Named : Foo {} }\n"},
      {"b/Alias.cs", "using F = A.B.Foo;\nclass Alias { F foo; }\n"},
      {"b/Full.cs", "namespace A { class Full { B.Foo foo = new global::A.B.Foo(); } }\n"},
      {"b/None.cs", "class None { Foo foo; }\n"},
      {"c/Foo.cs", "namespace C { class Foo { Foo foo; } }\n"}},
     "Foo",
     "a/Foo.cs",
     {"a/Inner.cs:1:33", "a/Near.cs:1:30", "b/Alias.cs:1:7", "b/Alias.cs:1:15", "b/Alias.cs:2:15",
      "b/Full.cs:1:30", "b/Full.cs:1:56", "b/Named.cs:2:29"}},
    {"GlobalUsings",
     {{"p/P.csproj", "<Project></Project>\n"},
      {"p/Usings.cs", "global using A;\n"},
      {"p/Use.cs", "class Use { Foo foo; }\n"},
      {"q/Other.cs", "class Other { Foo foo; }\n"},
      {"a/Foo.cs", "namespace A; public class Foo {}\n"}},
     "Foo",
     "a/Foo.cs",
     {"p/Use.cs:1:13"}},
    {"UsingsOfTheProject",
     {{"p/P.csproj", "<Project><ItemGroup><Using Include=\"A\" /></ItemGroup></Project>\n"},
      {"p/Use.cs", "class Use { Foo foo; }\n"},
      {"q/Other.cs", "class Other { Foo foo; }\n"},
      {"a/Foo.cs", "namespace A; public class Foo {}\n"}},
     "Foo",
     "a/Foo.cs",
     {"p/Use.cs:1:13"}},
    {"UsingStatic",
     {{"a/Util.cs", "namespace A; public static class Util { public static int Go() => 1; }\n"},
      {"b/B.cs", "using static A.Util;\nclass B { int x = Go(); }\n"},
      {"b/D.cs", "class D { int Go() => Go(); }\n"}},
     "Go",
     "a/Util.cs",
     {"b/B.cs:2:19"}},
    {"PartialTypesAreOne",
     {{"a/One.cs", "namespace A; partial class Both { int first; void F() { Second(); } }\n"},
      {"a/Two.cs",
       "namespace A; partial class Both { void Second() { first = 1; this.first = 2; } }\n"},
      {"a/Use.cs", "namespace A; class Use { Both both; }\n"}},
     "first",
     "a/One.cs",
     {"a/Two.cs:1:51", "a/Two.cs:1:67"}},
    {"PartsOfATypeAreTheType",
     {{"a/One.cs", "namespace A; partial class Both { }\n"},
      {"a/Two.cs", "namespace A; partial class Both { }\n"},
      {"a/Use.cs", "namespace A; class Use { Both both; }\n"}},
     "Both",
     "a/Two.cs",
     {"a/Use.cs:1:26"}},
    {"ExtensionMethods",
     {{"a/Ext.cs",
       "namespace A; public static class Ext { public static int Twice(this Box x, int n) => 2; "
       "}\n"},
      {"a/Box.cs", "namespace A; public class Box { public Box Next; }\n"},
      {"b/Use.cs",
       "using A;\nclass Use { void F(Box b) { b.Next.Twice(1); Ext.Twice(b, 1); b?.Twice(2); } "
       "}\n"},
      {"c/Other.cs", "class Other { void Twice(int n) { this.Twice(1); } }\n"}},
     "Twice",
     "a/Ext.cs",
     {"b/Use.cs:2:36", "b/Use.cs:2:50", "b/Use.cs:2:66"}},
    {"GenericsAndLinq",
     {{"a/Item.cs", "class Item { public string Title; public Item Next() => this; }\n"},
      {"a/Use.cs",
       "using System.Linq;\nusing System.Collections.Generic;\nclass Use {\n"
       "  List<Item> items;\n"
       "  void F() {\n"
       "    var a = items[0].Title;\n"
       "    foreach (var item in items) a = item.Title;\n"
       "    a = items.Where(i => i.Title != null).Select(i => i.Next()).First().Title;\n"
       "    var q = from i in items where i.Title == a select i.Title;\n"
       "    var d = new Dictionary<string, Item>(); if (d.TryGetValue(a, out var o)) a = o.Title;\n"
       "    items.ForEach(x => a = x.Title);\n"
       "  }\n}\n"}},
     "Title",
     "a/Item.cs",
     {"a/Use.cs:6:22", "a/Use.cs:7:42", "a/Use.cs:8:28", "a/Use.cs:8:73", "a/Use.cs:9:37",
      "a/Use.cs:9:57", "a/Use.cs:10:84", "a/Use.cs:11:30"}},
    {"TypesByTheirParameters",
     {{"a/A.cs", "class Box { }\nclass Box<T> { }\n"},
      {"a/Use.cs", "class Use { Box a; Box<int> b = new Box<int>(); Box c = new Box(); }\n"}},
     "Box",
     "a/A.cs",
     {"a/Use.cs:1:13", "a/Use.cs:1:20", "a/Use.cs:1:37", "a/Use.cs:1:49", "a/Use.cs:1:61"}},
    {"Attributes",
     {{"a/A.cs", "class MarkAttribute : System.Attribute { public int Level; }\nclass Mark { }\n"},
      {"a/Use.cs", "[Mark(Level = 1)] class Use { }\n[MarkAttribute] class Also { Mark m; }\n"}},
     "MarkAttribute",
     "a/A.cs",
     {"a/Use.cs:1:2", "a/Use.cs:2:2"}},
    {"InitialisersAndPatterns",
     {{"a/A.cs", "class A { public int Size { get; set; } public A Inner { get; set; } }\n"},
      {"a/Use.cs",
       "class Use { void F(object o) {\n  var a = new A { Size = 1, Inner = { Size = 2 } };\n"
       "  if (o is A { Size: 3 } b) b.Size = nameof(A.Size).Length;\n"
       "  if (o is A c && c.Size > 1) { }\n} }\n"}},
     "Size",
     "a/A.cs",
     {"a/Use.cs:2:19", "a/Use.cs:2:39", "a/Use.cs:3:16", "a/Use.cs:3:31", "a/Use.cs:3:47",
      "a/Use.cs:4:21"}},
    {"OverloadsByTheirArguments",
     {{"a/A.cs",
       "class A {\n  void F(int n) { }\n  void F(string s) { }\n  void F(int n, string s = null) { "
       "}\n"
       "  void G() { F(1); F(\"x\"); F(1, \"x\"); }\n}\n"}},
     "A.F",
     "a/A.cs",
     {"a/A.cs:5:14", "a/A.cs:5:20", "a/A.cs:5:28"}},
    {"MembersOfTheirTypesName",
     {{"a/A.cs",
       "enum Color { Red }\nclass Car { Color Color; bool F() => Color == Color.Red; }\n"}},
     "Color.Red",
     "a/A.cs",
     {"a/A.cs:2:53"}},
    {"OperatorsOfEitherOperand",
     {{"A.cs",
       "struct Money {\n"
       "  public static Money operator +(Money a, Money b) { return a; }\n"
       "  public static Money operator +(int a, Money b) { return b; }\n"
       "}\n"
       "class Use {\n"
       "  Money Sum(Money a, Money b) { a += b; return a + b; }\n"
       "  Money More(Money a) { return 1 + a; }\n"
       "  int Plain(int a, int b) { return a + b; }\n"
       "}\n"}},
     "Money.+",
     "A.cs",
     {"A.cs:6:35", "A.cs:6:50"},
     2},
    {"IndexersAndDispose",
     {{"A.cs",
       "class Row {\n"
       "  public int this[int i] { get { return i; } set { } }\n"
       "}\n"
       "class Use {\n"
       "  int One(Row row, int[] plain) { row[0] = 1; return row[1] + plain[0]; }\n"
       "}\n"}},
     "Row.this",
     "A.cs",
     {"A.cs:5:38", "A.cs:5:57"}},
    {"ConstructorsThatConstructorsCall",
     {{"A.cs",
       "class Base {\n"
       "  public Base(int a) { }\n"
       "  public Base(string a) { }\n"
       "}\n"
       "class Sub : Base {\n"
       "  public Sub() : this(1) { }\n"
       "  public Sub(int a) : base(a) { }\n"
       "  public Sub(string a) : base(a) { }\n"
       "}\n"}},
     "Base.Base",
     "A.cs",
     {"A.cs:7:23"},
     2},
    {"ParametersOfRecords",
     {{"A.cs",
       "record Size(int Width, int Height = 1);\n"
       "record Box(Size Inner);\n"
       "class Use {\n"
       "  Size Make() { return new Size(Width: 2); }\n"
       "  bool Is(Size s) { return s is { Width: 3 }; }\n"
       "  int Of(Box b) { return b switch { { Inner: { Width: 1 } } => 1, _ => 0 }; }\n"
       "  int In(Size s) { switch (s) { case { Width: 1 }: return 1; } return 0; }\n"
       "}\n"}},
     "Size.Width",
     "A.cs",
     {"A.cs:4:33", "A.cs:5:35", "A.cs:6:48", "A.cs:7:40"}},
    {"StaticMethodsDoNotOverride",
     {{"A.cs",
       "class Base { public static void Check(int a) { } }\n"
       "class Sub : Base { public static new void Check(int a) { } }\n"
       "class Use { void Run() { Base.Check(1); Sub.Check(1); } }\n"}},
     "Sub.Check",
     "A.cs",
     {"A.cs:3:45"}},
};

INSTANTIATE_TEST_SUITE_P(CSharp, CSharpUsages, ::testing::ValuesIn(kCSharpCases), usage_case_name);

TEST(CSharpHierarchy, GoesThroughPartsAndInterfaces) {
  testing::CodeFixture fixture(std::map<std::string, std::string>{
      {"a/I.cs", "namespace A; interface IShape { int Area(); }\n"},
      {"a/Base.cs",
       "namespace A; abstract partial class Base { public virtual int Area() => 0; }\n"},
      {"a/Base.Shape.cs", "namespace A; partial class Base : IShape { }\n"},
      {"b/Box.cs",
       "using A;\nnamespace B { class Box : Base { public override int Area() => 1; } }\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  const auto names = [&](const std::string& symbol, const std::string& relation) {
    const auto symbols = find_symbols(**lease, {.symbol = symbol});
    const auto found =
        find_relatives(cache, **lease, symbols->results, *parse_relation(relation), 20);
    EXPECT_TRUE(found.ok());
    std::vector<std::string> all;
    for (const Relative& each : found->found) all.push_back(each.match.symbol.qualified_name());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  };
  EXPECT_EQ(names("IShape", "implements"), (std::vector<std::string>{"A.Base", "B.Box"}));
  EXPECT_EQ(names("IShape.Area", "overrides"),
            (std::vector<std::string>{"A.Base.Area", "B.Box.Area"}));
  EXPECT_EQ(names("Box", "extended_by"), (std::vector<std::string>{"A.Base", "A.IShape"}));
}

}  // namespace
}  // namespace codexmem::graph
