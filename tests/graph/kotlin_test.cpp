// Which uses of Kotlin's names mean a definition, and how Kotlin and Java see each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>
#include "graph/uses/relatives.h"
#include "graph/uses/symbol_search.h"
#include "graph/usage_case.h"

namespace codexmem::graph {
namespace {

class KotlinUsages : public UsageTest {};

TEST_P(KotlinUsages, AreThoseThatTheCompilerSees) { check(); }

const UsageCase kKotlinCases[] = {
    {"ANamedArgumentIsAPropertyOfTheHeadAlone",
     {{"a.kt",
       "class Bar(width: Int, val depth: Int) {\n  val width = width\n}\n"
       "val bar = Bar(width = 1, depth = 2)\nval sum = bar.width + bar.depth\n"}},
     "Bar.width",
     "",
     {"a.kt:5:15"}},
    {"PackagesAndImports",
     {{"a/Foo.kt", "package a.b\nclass Foo\n"},
      {"a/Near.kt", "package a.b\nval near: Foo = Foo()\n"},
      {"b/Named.kt", "package c\nimport a.b.Foo\nclass Named : Foo()\n"},
      {"b/Alias.kt", "package c\nimport a.b.Foo as F\nval alias = F()\n"},
      {"b/Star.kt", "package c\nimport a.b.*\nfun star(foo: Foo) {}\n"},
      {"b/Full.kt", "package c\nval full = a.b.Foo()\n"},
      {"b/None.kt", "package c\nval none = Foo()\n"},
      {"c/Foo.kt", "package d\nclass Foo\nval own = Foo()\n"}},
     "Foo",
     "a/Foo.kt",
     {"a/Near.kt:2:11", "a/Near.kt:2:17", "b/Alias.kt:2:12", "b/Alias.kt:2:19", "b/Alias.kt:3:13",
      "b/Full.kt:2:16", "b/Named.kt:2:12", "b/Named.kt:3:15", "b/Star.kt:3:15"}},
    {"ExtensionsByReceiver",
     {{"a.kt",
       "package a\n"
       "open class Base\n"
       "class Left : Base()\n"
       "class Right\n"
       "fun Base.twice(): Base = this\n"
       "fun Right.twice(): Int = 1\n"
       "fun <T : Base> T.twice(x: Int): T = this\n"},
      {"b.kt",
       "package b\n"
       "import a.*\n"
       "fun use(left: Left, right: Right) {\n"
       "  left.twice()\n"
       "  right.twice()\n"
       "  left.twice(1)\n"
       "  left.apply { twice() }\n"
       "}\n"}},
     "Base.twice",
     "a.kt",
     {"b.kt:4:8", "b.kt:7:16"}},
    {"DefaultsOfClassParameters",
     {{"a.kt",
       "package a\nconst val NONE = 1\n"
       "class A(val x: Int = NONE, y: Int = NONE)\n"
       "annotation class J(val name: Int = NONE, val other: Boolean = false)\n"}},
     "NONE",
     "a.kt",
     {"a.kt:3:22", "a.kt:3:37", "a.kt:4:36"}},
    {"ExtensionsOfThisBeforeFunctions",
     {{"a.kt",
       "package a\nclass Node\nclass Json\n"
       "fun <T> json(block: Json.() -> T): T = Json().block()\n"
       "fun parse(node: Node): Int = json { parse(node) }\n"
       "private fun Json.parse(node: Node): Int = 1\n"
       "private fun Json.all(node: Node): Int = parse(node)\n"
       "fun other(node: Node): Int = parse(node)\n"}},
     "Json.parse",
     "a.kt",
     {"a.kt:5:37", "a.kt:7:41"}},
    {"AFunctionOfAClassesName",
     {{"a.kt",
       "package a\nfun Box(list: List<Int>): Box = Box(list.toMutableList())\n"
       "class Box(val value: MutableList<Int>)\n"},
      {"b.kt", "package a\nval box = Box(mutableListOf(1))\n"}},
     "Box",
     "a.kt",
     {"a.kt:2:27", "a.kt:2:33", "b.kt:2:11"}},
    {"LambdasAndTheirReceivers",
     {{"a.kt",
       "package a\n"
       "class Item(val name: String) { fun child(): Item = this }\n"
       "class Other(val name: String)\n"
       "fun build(block: Item.(Other) -> Unit) {}\n"
       "fun use(items: List<Item>, map: Map<String, Item>) {\n"
       "  items.map { it.name }\n"
       "  items.filter { x -> x.child().name == \"\" }.first().name\n"
       "  build { name + it.name }\n"
       "  with(items[0]) { name }\n"
       "  items.firstOrNull()?.let { it.child() }?.name\n"
       "  for ((key, value) in map) println(value.name)\n"
       "  val item by lazy { items.last() }\n"
       "  item.name\n"
       "}\n"}},
     "Item.name",
     "a.kt",
     {"a.kt:6:18", "a.kt:7:33", "a.kt:7:54", "a.kt:8:11", "a.kt:9:20", "a.kt:10:44", "a.kt:11:43",
      "a.kt:13:8"}},
    {"SmartCastsAndCompanions",
     {{"a.kt",
       "package a\n"
       "sealed interface Shape\n"
       "class Square(val side: Int) : Shape {\n"
       "  companion object { val unit = Square(side = 1) }\n"
       "}\n"
       "class Circle(val side: Int) : Shape\n"
       "fun area(shape: Shape): Int {\n"
       "  if (shape is Square && shape.side > 0) return shape.side\n"
       "  return when (shape) {\n"
       "    is Square -> shape.side\n"
       "    is Circle -> shape.side\n"
       "  }\n"
       "}\n"
       "val one = Square.unit.side + (one as Square).copy(side = 2).side\n"}},
     "Square.side",
     "a.kt",
     {"a.kt:4:40", "a.kt:8:32", "a.kt:8:55", "a.kt:10:24", "a.kt:14:23"}},
    {"InnerNamesAndConstructors",
     {{"a.kt",
       "package a\n"
       "open class Base(name: String) { open fun run(name: String) {} }\n"
       "class A(val name: String) : Base(name) {\n"
       "  val length = name.length\n"
       "  override fun run(name: String) { name.trim(); this.name.trim() }\n"
       "  inner class B { fun f() = this@A.name + name }\n"
       "}\n"}},
     "A.name",
     "a.kt",
     {"a.kt:3:34", "a.kt:4:16", "a.kt:5:54", "a.kt:6:36", "a.kt:6:43"}},
    {"JavaCallsKotlin",
     {{"src/a/User.kt",
       "package a\n"
       "class User(var name: String) {\n"
       "  companion object { fun of(): User = User(\"\") }\n"
       "}\n"
       "fun greet(user: User) {}\n"},
      {"src/a/Main.java",
       "package a;\n"
       "class Main {\n"
       "  void run() {\n"
       "    User user = new User(\"x\");\n"
       "    user.setName(user.getName());\n"
       "    UserKt.greet(User.Companion.of());\n"
       "  }\n"
       "}\n"}},
     "User.name",
     "src/a/User.kt",
     {"src/a/Main.java:5:10", "src/a/Main.java:5:23"}},
    {"JavaCallsTopLevelFunctions",
     {{"src/a/User.kt", "package a\nclass User\nfun greet(user: User) {}\n"},
      {"src/a/Main.java",
       "package a;\nclass Main {\n  void run() { UserKt.greet(new User()); }\n}\n"},
      {"src/b/Main.java",
       "package b;\nimport static a.UserKt.greet;\nclass Main {\n  void run() { greet(null); "
       "}\n}\n"}},
     "greet",
     "",
     {"src/a/Main.java:3:23", "src/b/Main.java:2:24", "src/b/Main.java:4:16"}},
    {"KotlinCallsJava",
     {{"src/a/Person.java",
       "package a;\n"
       "public class Person {\n"
       "  public String getName() { return \"\"; }\n"
       "  public static Person make() { return new Person(); }\n"
       "}\n"},
      {"src/b/use.kt",
       "package b\n"
       "import a.Person\n"
       "class Child : Person() { fun own() = name }\n"
       "fun use(person: Person) = person.name + Person.make().getName()\n"}},
     "getName",
     "",
     {"src/b/use.kt:3:38", "src/b/use.kt:4:34", "src/b/use.kt:4:55"}},
    {"NamesWithSpaces",
     {{"a/A.kt", "package a\nfun `goes on`() {}\nfun run() = `goes on`()\n"},
      {"b/B.kt", "package a\nfun again() = `goes on`()\n"}},
     "goes on",
     "a/A.kt",
     {"a/A.kt:3:13", "b/B.kt:2:15"}},
    {"WhatTakesTheArgumentsIsCalled",
     {{"a/A.kt",
       "package a\nclass A(val all: A.(String) -> Int)\n"
       "fun A.all(text: String, by: () -> Int) = this\n"
       "fun A.twice() = all(\"\") { 1 }\nfun A.once() = all(\"\")\n"
       "fun A.name(all: String) = all(all) { 2 }\n"}},
     "A.all",
     "a/A.kt",
     {"a/A.kt:4:17", "a/A.kt:5:16", "a/A.kt:6:27"}},
    {"TypesOfTheLanguageComeBeforeThoseOfJava",
     {{"a/A.kt",
       "package a\nclass A\nfun add(all: Iterable<A>) {}\nfun add(vararg all: A) {}\n"
       "fun run() {\n  add(A())\n  if (!done(A())) add(listOf(A()))\n}\n"
       "fun done(a: A) = buildString { note(\"\") }.isEmpty()\n"
       "fun StringBuilder.note(text: String) {}\n"}},
     "note",
     "a/A.kt",
     {"a/A.kt:9:32"}},
    {"OperatorsCallTheirFunctions",
     {{"a.kt",
       "class Money(val cents: Int) {\n"
       "  operator fun plus(other: Money) = Money(cents + other.cents)\n"
       "  operator fun plus(cents: Int) = Money(this.cents + cents)\n"
       "}\n"
       "fun all(a: Money, b: Money): Money {\n"
       "  var sum = a + b\n"
       "  sum += a\n"
       "  val more = a + 5\n"
       "  val count = 1 + 2\n"
       "  return sum\n"
       "}\n"}},
     "Money.plus",
     "a.kt",
     {"a.kt:6:15", "a.kt:7:8"},
     2},
    {"ConventionsCallTheirFunctions",
     {{"a.kt",
       "class Grid {\n"
       "  operator fun get(x: Int, y: Int) = 1\n"
       "  operator fun set(x: Int, y: Int, value: Int) {}\n"
       "}\n"
       "fun use(grid: Grid, list: List<Int>) {\n"
       "  grid[1, 2] = grid[0, 0]\n"
       "  grid[3, 3] += list[0]\n"
       "}\n"}},
     "Grid.get",
     "a.kt",
     {"a.kt:6:20", "a.kt:7:7"}},
    {"InvokeOfWhatIsHeld",
     {{"a.kt",
       "class Task { operator fun invoke(n: Int) = n }\n"
       "class Runner(val task: Task) {\n"
       "  fun go() = task(1)\n"
       "}\n"
       "fun run(task: Task, block: () -> Unit) {\n"
       "  task(2)\n"
       "  block()\n"
       "}\n"}},
     "Task.invoke",
     "a.kt",
     {"a.kt:3:18", "a.kt:6:7"}},
    {"NamedArgumentsOfCopyAreProperties",
     {{"a.kt",
       "data class Point(val x: Int, val y: Int) {\n"
       "  fun right() = copy(x = x + 1)\n"
       "}\n"
       "class Plain(val x: Int) { fun copy(x: Int) = Plain(x) }\n"
       "fun move(p: Point, q: Plain) = listOf(p.copy(x = 2), q.copy(x = 3), Point(x = 1, y = "
       "0))\n"}},
     "Point.x",
     "a.kt",
     {"a.kt:2:22", "a.kt:2:26", "a.kt:5:46", "a.kt:5:75"}},
};

INSTANTIATE_TEST_SUITE_P(All, KotlinUsages, ::testing::ValuesIn(kKotlinCases), usage_case_name);

TEST(KotlinHierarchy, GoesThroughPackagesAndDelegation) {
  testing::CodeFixture fixture(std::map<std::string, std::string>{
      {"a/I.kt", "package a\ninterface Shape { fun area(): Int }\n"},
      {"a/Base.kt", "package a\nopen class Base : Shape { override fun area() = 0 }\n"},
      {"b/Box.kt", "package b\nimport a.*\nclass Box : Base() { override fun area() = 1 }\n"},
      {"b/Lent.kt",
       "package b\nimport a.*\nclass Lent(s: Shape) : Shape by s {\n  override fun area() = "
       "2\n}\n"}});
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
    return all;
  };
  EXPECT_EQ(names("Shape", "implements"), (std::vector<std::string>{"Base", "Box", "Lent"}));
  EXPECT_EQ(names("Shape.area", "overrides"),
            (std::vector<std::string>{"Base.area", "Box.area", "Lent.area"}));
}

}  // namespace
}  // namespace codexmem::graph
