// Which uses of Java's names mean a definition.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "graph/uses/references.h"
#include "support/code_fixture.h"
#include "graph/usage_case.h"

namespace codexmem::graph {
namespace {

class JavaUsages : public UsageTest {};

TEST_P(JavaUsages, AreThoseThatTheCompilerSees) { check(); }

const UsageCase kJavaCases[] = {
    {"ImportsAndPackages",
     {{"src/main/java/a/Foo.java", "package a;\npublic class Foo {}\n"},
      {"src/main/java/a/Near.java", "package a;\nclass Near { Foo foo; }\n"},
      {"src/test/java/a/NearTest.java", "package a;\nclass NearTest { Foo foo = new Foo(); }\n"},
      {"src/main/java/b/Named.java", "package b;\nimport a.Foo;\nclass Named extends Foo {}\n"},
      {"src/main/java/b/Star.java", "package b;\nimport a.*;\nclass Star { Foo foo; }\n"},
      {"src/main/java/b/Full.java", "package b;\nclass Full { a.Foo foo = new a.Foo(); }\n"},
      {"src/main/java/b/None.java", "package b;\nclass None { Foo foo; }\n"},
      {"src/main/java/c/Foo.java", "package c;\nclass Foo { Foo foo; }\n"}},
     "Foo",
     "src/main/java/a/Foo.java",
     {"src/main/java/a/Near.java:2:14", "src/main/java/b/Full.java:2:16",
      "src/main/java/b/Full.java:2:32", "src/main/java/b/Named.java:2:10",
      "src/main/java/b/Named.java:3:21", "src/main/java/b/Star.java:3:14",
      "src/test/java/a/NearTest.java:2:18", "src/test/java/a/NearTest.java:2:32"}},
    {"StaticImports",
     {{"a/Util.java", "package a;\npublic class Util { public static int go() { return 1; } }\n"},
      {"b/B.java", "package b;\nimport static a.Util.go;\nclass B { int x = go(); }\n"},
      {"b/C.java", "package b;\nimport static a.Util.*;\nclass C { int x = go(); }\n"},
      {"b/D.java", "package b;\nclass D { int go() { return go(); } }\n"}},
     "go",
     "a/Util.java",
     {"b/B.java:2:22", "b/B.java:3:19", "b/C.java:3:19"}},
    {"FieldsAndMethodsOfOneName",
     {{"a/A.java",
       "package a;\nclass A {\n  int size;\n  int size() { return size; }\n"
       "  int twice() { return size() + this.size + this.size(); }\n}\n"}},
     "A.size",
     "a/A.java",
     {"a/A.java:4:23", "a/A.java:5:24", "a/A.java:5:38", "a/A.java:5:50"}},
    {"InheritedAndOuterMembers",
     {{"a/Base.java", "package a;\nclass Base { void stop() {} }\n"},
      {"a/Sub.java",
       "package a;\nclass Sub extends Base {\n  void go() { stop(); super.stop(); }\n"
       "  class Inner { void in() { stop(); Sub.this.stop(); } }\n"
       "  Runnable r = new Runnable() { public void run() { stop(); } };\n}\n"},
      {"a/Other.java", "package a;\nclass Other { void stop() {} void go() { stop(); } }\n"}},
     "stop",
     "a/Base.java",
     {"a/Sub.java:3:15", "a/Sub.java:3:29", "a/Sub.java:4:29", "a/Sub.java:4:46",
      "a/Sub.java:5:53"}},
    {"GenericsThroughInheritance",
     {{"a/Item.java", "package a;\nclass Item { Item next() { return this; } }\n"},
      {"a/Box.java", "package a;\nclass Box<T> { T get() { return null; } T held; }\n"},
      {"a/Items.java",
       "package a;\nclass Items extends Box<Item> {\n"
       "  void go() { get().next(); held.next().next(); var x = get(); x.next(); }\n}\n"}},
     "next",
     "a/Item.java",
     {"a/Items.java:3:21", "a/Items.java:3:34", "a/Items.java:3:41", "a/Items.java:3:66"}},
    {"LambdasByTheirInterface",
     {{"a/Item.java", "package a;\nclass Item { int rank() { return 1; } }\n"},
      {"a/Fn.java", "package a;\ninterface Fn<A, B> { B apply(A a); }\n"},
      {"a/Use.java",
       "package a;\nclass Use {\n  <R> R each(Fn<Item, R> fn) { return null; }\n"
       "  void go() {\n    each(i -> i.rank());\n    each((i) -> { return i.rank(); });\n"
       "    each(Item::rank);\n    Fn<Item, Integer> f = i -> i.rank();\n  }\n}\n"}},
     "rank",
     "a/Item.java",
     {"a/Use.java:5:17", "a/Use.java:6:28", "a/Use.java:7:16", "a/Use.java:8:34"}},
    {"PatternsAndSwitches",
     {{"a/Shape.java", "package a;\nclass Shape { int area() { return 1; } }\n"},
      {"a/Use.java",
       "package a;\nclass Use {\n  void go(Object o) {\n    if (o instanceof Shape s) s.area();\n"
       "    if (!(o instanceof Shape t)) return;\n    t.area();\n"
       "    switch (o) { case Shape u -> u.area(); default -> {} }\n  }\n}\n"}},
     "area",
     "a/Shape.java",
     {"a/Use.java:4:33", "a/Use.java:6:7", "a/Use.java:7:36"}},
    {"LabelsOfSwitchesAreConstants",
     {{"a/Color.java",
       "package a;\nenum Color { RED, GREEN { void f() { g(); } }; void g() {} }\n"},
      {"a/Use.java",
       "package a;\nclass Use {\n  int go(Color c) {\n    switch (c) { case RED: return 1; }\n"
       "    return c == Color.RED ? 1 : 0;\n  }\n}\n"}},
     "RED",
     "a/Color.java",
     {"a/Use.java:4:23", "a/Use.java:5:23"}},
    {"OverloadsByTheirParameters",
     {{"a/A.java",
       "package a;\nclass A {\n  void go(A a) {}\n  void go(B b) {}\n  void go() {}\n"
       "  void use(A a, B b) { go(a); go(b); go(); }\n}\n"},
      {"a/B.java", "package a;\nclass B {}\n"}},
     "go",
     "a/A.java",
     {"a/A.java:6:24", "a/A.java:6:31", "a/A.java:6:38"}},
    {"AccessorsThatLombokMakes",
     {{"a/Item.java",
       "package a;\nimport lombok.Data;\n@Data\nclass Item { private int count; boolean big; }\n"},
      {"a/Use.java",
       "package a;\nclass Use {\n  int go(Item i, Other o) {\n    i.setCount(2);\n"
       "    return i.getCount() + o.getCount();\n  }\n}\n"},
      {"a/Other.java",
       "package a;\nclass Other { int count; int getCount() { return count; } }\n"}},
     "count",
     "a/Item.java",
     {"a/Use.java:4:7", "a/Use.java:5:14"}},
    {"AccessorsOfAnnotatedFieldsAlone",
     {{"a/Item.java",
       "package a;\nimport lombok.Getter;\nclass Item { @Getter boolean big; boolean old; }\n"},
      {"a/Use.java",
       "package a;\nclass Use {\n  boolean go(Item i) { return i.isBig() || i.isOld(); }\n}\n"}},
     "big",
     "a/Item.java",
     {"a/Use.java:3:33"}},
    {"ElementsOfAnnotations",
     {{"a/Ann.java", "package a;\n@interface Ann { int level(); }\n"},
      {"a/Use.java", "package a;\n@Ann(level = 2)\nclass Use { int level; }\n"}},
     "level",
     "a/Ann.java",
     {"a/Use.java:2:6"}},
    {"NestedTypes",
     {{"a/Outer.java", "package a;\npublic class Outer { public static class Inner { int x; } }\n"},
      {"b/Use.java",
       "package b;\nimport a.Outer;\nimport a.Outer.Inner;\n"
       "class Use extends Outer { Inner i; Outer.Inner j = new Outer.Inner(); }\n"}},
     "Inner",
     "a/Outer.java",
     {"b/Use.java:3:16", "b/Use.java:4:27", "b/Use.java:4:42", "b/Use.java:4:62"}},
    {"StaticMethodsDoNotOverride",
     {{"a/Base.java",
       "package a;\nclass Base {\n  static void check(Object o) {}\n  static void check(Object... o) {}\n"
       "  void run(String s) {}\n}\n"},
      {"a/Sub.java",
       "package a;\nclass Sub extends Base {\n  static void check(Sub s) {}\n"
       "  static void check(Sub... s) {}\n  void run(Integer i) {}\n}\n"},
      {"a/Use.java",
       "package a;\nclass Use {\n  void f(Object o, Sub s) {\n    Base.check(o);\n"
       "    Base.check(o, o);\n    Sub.check(s);\n    Sub.check(\"a\");\n  }\n}\n"}},
     "Sub.check",
     "a/Sub.java",
     {"a/Use.java:6:9"}},
    {"AnotherParameterOverridesNothing",
     {{"a/A.java",
       "package a;\nclass Base { void run(String s) {} }\n"
       "class Sub extends Base { void run(Integer i) {} }\n"
       "class Use { void f(Base b, Sub s) { b.run(\"\"); s.run(1); } }\n"}},
     "Sub.run",
     "a/A.java",
     {"a/A.java:4:50"}},
    {"ConstructorsThatConstructorsCall",
     {{"a/A.java",
       "package a;\nclass Base {\n  Base(int a) {}\n  Base(String a) {}\n}\n"
       "class Sub extends Base {\n  Sub() { this(1); }\n  Sub(int a) { super(a); }\n"
       "  Sub(String a) { super(a); }\n}\n"
       "enum Size {\n  SMALL(1);\n  Size(int a) {}\n}\n"}},
     "Base.Base",
     "a/A.java",
     {"a/A.java:8:16"},
     3},
    {"ConstantsCallTheirConstructor",
     {{"a/A.java", "package a;\nenum Size {\n  SMALL(1), LARGE(2);\n  Size(int a) {}\n}\n"}},
     "Size.Size",
     "a/A.java",
     {"a/A.java:3:8", "a/A.java:3:18"},
     4},
};

INSTANTIATE_TEST_SUITE_P(Java, JavaUsages, ::testing::ValuesIn(kJavaCases), usage_case_name);

TEST(JavaUsage, DocumentationMentions) {
  testing::CodeFixture fixture(
      {{"a/A.java",
        "package a;\nclass A {\n  void go(int a) {}\n  void go(String a) {}\n  int size;\n}\n"},
       {"b/B.java",
        "package b;\nimport a.A;\nclass B {\n"
        "  /** As {@link A#go(int)}, {@code A#go}.\n   * @see a.A#go */\n  void use() {}\n}\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  ReferenceQuery query;
  query.symbol = "go";
  query.file_path = "a/A.java";
  query.min_confidence = Confidence::kName;
  auto answer = find_references(cache, **lease, query);
  ASSERT_TRUE(answer.ok());
  std::vector<std::string> found;
  for (const ReferenceItem& item : answer->items) {
    if (item.is_definition) continue;
    found.push_back(std::to_string(item.position.line) + ":" +
                    std::to_string(item.position.column) + " " +
                    std::string(usage_kind_name(item.kind)) + " " +
                    std::string(confidence_name(item.confidence)));
  }
  EXPECT_EQ(found, (std::vector<std::string>{"4:19 doc name", "4:38 doc name", "5:15 doc name"}));
}

TEST(JavaUsage, OverloadsAreToldApartByLine) {
  testing::CodeFixture fixture({{"a/A.java",
                                 "package a;\nclass A {\n  void go(A a) {}\n  void go(B b) {}\n"
                                 "  void use(A a, B b) { go(a); go(b); }\n}\n"},
                                {"a/B.java", "package a;\nclass B {}\n"}});
  FactsCache cache;
  auto lease = fixture.workspace().reader();
  ASSERT_TRUE(lease.ok());
  ReferenceQuery query;
  query.symbol = "go";
  query.file_path = "a/A.java";
  query.line = 4;
  auto answer = find_references(cache, **lease, query);
  ASSERT_TRUE(answer.ok());
  std::vector<std::uint32_t> columns;
  for (const ReferenceItem& item : answer->items) {
    if (!item.is_definition) columns.push_back(item.position.column);
  }
  EXPECT_EQ(columns, std::vector<std::uint32_t>{31});
}

}  // namespace
}  // namespace codexmem::graph
