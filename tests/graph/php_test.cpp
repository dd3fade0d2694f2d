// Which uses of PHP's names mean a definition.
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

class PhpUsages : public UsageTest {};

TEST_P(PhpUsages, AreThoseThatTheLanguageSees) { check(); }

const UsageCase kPhpCases[] = {
    {"NamespacesAndImports",
     {{"a/Foo.php", "<?php\nnamespace A\\B;\nclass Foo {}\n"},
      {"a/Near.php", "<?php\nnamespace A\\B { class Near { private Foo $foo; } }\n"},
      {"b/Used.php", "<?php\nnamespace X;\nuse A\\B\\Foo;\nclass Used extends Foo {}\n"},
      {"b/Alias.php", "<?php\nuse A\\{B\\Foo as F, C};\nnew F();\n"},
      {"b/Part.php", "<?php\nuse A\\B;\n$x = new B\\Foo;\n"},
      {"b/Full.php", "<?php\nnamespace X;\n$x = \\A\\B\\Foo::class;\n"},
      {"b/None.php", "<?php\nnamespace X;\nnew Foo();\n"},
      {"c/Foo.php", "<?php\nnamespace C;\nclass Foo { private Foo $foo; }\n"}},
     "Foo",
     "a/Foo.php",
     {"a/Near.php:2:38", "b/Alias.php:2:10", "b/Alias.php:2:17", "b/Alias.php:3:5",
      "b/Full.php:3:11", "b/Part.php:3:12", "b/Used.php:3:9", "b/Used.php:4:20"}},
    {"DeclaredByAFunction",
     {{"a.php", "<?php\nnamespace A;\nfunction boot() { class C {} }\nnew C;\nnew \\A\\C;\nnew \\C;\n"}},
     "C",
     "",
     {"a.php:4:5", "a.php:5:8"}},
    {"SeveralNamespacesOfAFile",
     {{"a.php", "<?php\nnamespace A;\nclass C {}\nnamespace B;\nclass C {}\nnew C;\n"},
      {"b.php", "<?php\nnamespace A;\nnew C;\n"}},
     "B.C",
     "",
     {"a.php:6:5"}},
    {"FunctionsFallBackToTheGlobalOnes",
     {{"f.php", "<?php\nfunction go() {}\nfunction other() {}\n"},
      {"a.php", "<?php\nnamespace A;\ngo(); \\go(); A\\go(); namespace\\go();\n"},
      {"b.php", "<?php\nnamespace B;\nfunction go() {}\ngo();\n"},
      {"c.php", "<?php\nnamespace C;\nuse function go as run;\nrun();\n"}},
     "go",
     "f.php",
     {"a.php:3:1", "a.php:3:8", "a.php:3:32", "c.php:3:14", "c.php:3:20", "c.php:4:1"}},
    {"Constants",
     {{"k.php", "<?php\nnamespace A;\nconst LIMIT = 1;\ndefine('OTHER', 2);\n"},
      {"a.php", "<?php\nnamespace A;\necho LIMIT, \\A\\LIMIT, limit, OTHER;\n"},
      {"b.php", "<?php\nuse const A\\LIMIT;\necho LIMIT;\n"}},
     "LIMIT",
     "",
     {"a.php:3:6", "a.php:3:16", "b.php:2:13", "b.php:3:6"}},
    {"CaseSaysNothing",
     {{"a.php", "<?php\nclass Box { public $size; function getSize() { return $this->size; } }\n"},
      {"b.php", "<?php\n$b = new BOX();\n$b->GETSIZE();\nbox::getsize();\necho $b->SIZE;\n"}},
     "getSize",
     "",
     {"b.php:3:5", "b.php:4:6"}},
    {"CaseOfClasses",
     {{"a.php", "<?php\nnamespace A;\nclass Box {}\n"},
      {"b.php", "<?php\nuse a\\box;\nnew BOX();\n"}},
     "Box",
     "",
     {"b.php:2:7", "b.php:3:5"}},
    {"CaseOfVariablesAndProperties",
     {{"a.php",
       "<?php\nclass A { public $size; function f() { return $this->size + $this->Size; } }\n"}},
     "size",
     "",
     {"a.php:2:54"}},
    {"MembersOfTraitsComeBeforeThoseOfParents",
     {{"a.php",
       "<?php\nclass P { function go() {} }\ntrait T { function go() {} }\n"
       "class C extends P { use T; }\n(new C)->go();\n(new P)->go();\n"}},
     "T.go",
     "",
     {"a.php:5:10"}},
    {"SelfStaticAndParent",
     {{"a.php",
       "<?php\nclass P { const K = 1; static function make(): static { return new static; }\n"
       "  function own() { self::make(); static::make(); } }\n"
       "class C extends P { function up() { parent::make(); $x = self::K; self::make()->up(); } "
       "}\n"}},
     "make",
     "",
     {"a.php:3:26", "a.php:3:42", "a.php:4:45", "a.php:4:73"}},
    {"StaticGivesWhatItIsCalledOn",
     {{"a.php",
       "<?php\nclass P { static function make(): static { return new static; } }\n"
       "class C extends P { function up() {} }\nC::make()->up();\nP::make()->up();\n"}},
     "up",
     "",
     {"a.php:4:12"}},
    {"EnumsAndTheirCases",
     {{"a.php",
       "<?php\nenum Suit: string { case Red = 'r'; const Wild = self::Red;\n"
       "  function label() { return $this->value; } }\n"
       "Suit::Red->label(); Suit::Wild; Suit::from('r');\n"
       "function f(Suit $s) { return match ($s) { Suit::Red => $s->label() }; }\n"}},
     "Red",
     "",
     {"a.php:2:56", "a.php:4:7", "a.php:5:49"}},
    {"TypedAndPromotedProperties",
     {{"a.php",
       "<?php\nclass Engine { function start() {} }\n"
       "class Car { private ?Engine $spare; function __construct(private Engine $engine) {}\n"
       "  function go() { $this->engine->start(); $this->spare?->start(); } }\n"}},
     "start",
     "",
     {"a.php:4:34", "a.php:4:58"}},
    {"PropertiesOfParametersArePromoted",
     {{"a.php",
       "<?php\nclass Car { function __construct(private int $speed, $other) { $this->speed; }\n"
       "  function go() { return $this->speed; } }\nnew Car(speed: 1, other: 2);\n"}},
     "speed",
     "",
     {"a.php:2:71", "a.php:3:33", "a.php:4:9"}},
    {"LocalsTellTheirTypes",
     {{"a.php", "<?php\nclass A { function go(): A {} static function of(): ?A {} }\n"},
      {"b.php",
       "<?php\nfunction f(A $a, A|int $u) { $a->go(); $u->go(); $b = new A; $b->go()->go(); }\n"
       "function g() { $c = A::of(); $d = clone $c; $d->go(); $e = $x ?? $c; $e->go(); }\n"
       "function h() { $f = fn(A $a) => $a->go(); $g = function () use ($f) { $h = new A; "
       "return $h->go(); }; }\n"
       "function i($x) { if ($x instanceof A) { $x->go(); } foreach ([new A] as $y) { $y->go(); "
       "} }\n"
       "function j() { $z = new Z; $z->go(); }\n"}},
     "go",
     "",
     {"b.php:2:34", "b.php:2:44", "b.php:2:66", "b.php:2:72", "b.php:3:49", "b.php:3:74",
      "b.php:4:37", "b.php:4:94", "b.php:5:45", "b.php:5:83"}},
    {"PropertiesAreWhatTheyAreAssigned",
     {{"a.php",
       "<?php\nclass Item { function go() {} }\nclass Shelf {\n  private $item;\n"
       "  function __construct(Item $item) { $this->item = $item; }\n"
       "  function f() { $this->item->go(); $this->other = new Item; $this->other->size; }\n}\n"}},
     "go",
     "",
     {"a.php:6:31"}},
    {"ConditionsTellOfWhatFollows",
     {{"a.php",
       "<?php\nclass Item { function go() {} }\nclass Other { function go() {} }\n"
       "function f($x) { if (!$x instanceof Item) { return; } $x->go(); }\n"
       "function g($x) { assert($x instanceof Item); $x->go(); }\n"
       "function h($x) { return $x instanceof Item && $x->go(); }\n"
       "class C { private Other|Item $y; function i() { if ($this->y instanceof Item) { "
       "$this->y->go(); } } }\n"}},
     "Item.go",
     "",
     {"a.php:4:59", "a.php:5:50", "a.php:6:51", "a.php:7:91"}},
    {"DocumentationTellsTypes",
     {{"a.php", "<?php\nnamespace A;\nclass Item { function go() {} }\n"},
      {"b.php",
       "<?php\nnamespace B;\nuse A\\Item;\nclass Shelf {\n  /** @var Item[] */\n"
       "  private array $items;\n  /** @var array<string, \\A\\Item>|null */\n  private $byName;\n"
       "  /**\n   * @param iterable<Item> $more\n   * @param array{first: Item} $shape\n"
       "   * @return Item|null\n   */\n  function f($more, array $shape) {\n"
       "    foreach ($this->items as $i) { $i->go(); }\n    $this->byName['x']->go();\n"
       "    foreach ($more as $m) $m->go();\n    /** @var Item $v */\n    $v = x();\n    "
       "$v->go();\n"
       "    $this->f([], [])->go();\n  }\n}\n"}},
     "go",
     "",
     {"b.php:15:40", "b.php:16:25", "b.php:17:31", "b.php:20:9", "b.php:21:23"}},
    {"TemplatesOfDocumentation",
     {{"a.php",
       "<?php\nclass Item { function go() {} }\n/** @template T */\nclass Bag {\n"
       "  /** @return T */\n  function first() {}\n"
       "  /** @param callable(T): void $f */\n  function each($f) {}\n}\n"
       "/** @extends Bag<Item> */\nclass Items extends Bag {}\n"
       "/**\n * @template C\n * @param class-string<C> $c\n * @return C\n */\nfunction make($c) "
       "{}\n"
       "(new Items)->first()->go();\n(new Items)->each(fn($i) => $i->go());\n"
       "/** @var Bag<Item> $b */\n$b = x();\n$b->first()->go();\nmake(Item::class)->go();\n"}},
     "go",
     "",
     {"a.php:18:23", "a.php:19:33", "a.php:22:14", "a.php:23:20"}},
    {"MembersOfDocumentation",
     {{"a.php",
       "<?php\nclass Item { function go() {} }\n"
       "/**\n * @property Item $item\n * @method Item find(int $id)\n */\nclass Model {}\n"
       "function f(Model $m) { $m->item->go(); $m->find(1)->go(); }\n"}},
     "go",
     "",
     {"a.php:8:34", "a.php:8:53"}},
    {"MembersOfTheLibraryAreNobodys",
     {{"a.php", "<?php\nclass Mine { function getMessage() {} function format() {} }\n"},
      {"b.php",
       "<?php\ntry { } catch (Exception $e) { $e->getMessage(); }\n(new DateTime)->format('x');\n"
       "function f(Mine $m) { $m->getMessage(); }\n"}},
     "getMessage",
     "",
     {"b.php:4:27"}},
    {"VariablesOfFunctionsAreTheirOwn",
     {{"a.php",
       "<?php\n$total = 1;\nfunction f() { $total = 2; return $total; }\n"
       "function g() { global $total; return $total; }\necho $total;\n"}},
     "total",
     "",
     {"a.php:4:24", "a.php:4:39", "a.php:5:7"}},
};

INSTANTIATE_TEST_SUITE_P(Cases, PhpUsages, ::testing::ValuesIn(kPhpCases), usage_case_name);

TEST(PhpHierarchy, GoesThroughNamespacesAndTraits) {
  testing::CodeFixture fixture(std::map<std::string, std::string>{
      {"a/Shape.php", "<?php\nnamespace A;\ninterface Shape { function area(); }\n"},
      {"a/Sized.php", "<?php\nnamespace A;\ntrait Sized { function size() {} }\n"},
      {"b/Box.php",
       "<?php\nnamespace B;\nuse A\\{Shape, Sized};\nclass Box implements Shape { use Sized; }\n"
       "class Cube extends box { function area() {} }\n"}});
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
  EXPECT_EQ(names("Shape", "implements"), (std::vector<std::string>{"B.Box", "B.Cube"}));
  EXPECT_EQ(names("Shape.area", "overrides"), (std::vector<std::string>{"B.Cube.area"}));
  EXPECT_EQ(names("Cube", "extended_by"),
            (std::vector<std::string>{"A.Shape", "A.Sized", "B.Box"}));
}

}  // namespace
}  // namespace codexmem::graph
