#include "parse/walk/lists.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace codexmem::parse {
namespace {

// "a|b" of the list behind the first `name` in `text`, "-" without one.
std::string list_of(std::string_view language, std::string_view text, std::string_view name,
                    bool is_declared) {
  const WrittenLists lists(*find_language(language), text);
  const auto offset = static_cast<std::uint32_t>(text.find(name));
  const auto list = is_declared ? lists.parameters_of(offset) : lists.arguments_of(offset);
  if (!list) return "-";
  std::string all = list->has_block ? "{}" : "";
  for (const ByteRange& item : list->items) {
    if (!all.empty()) all += "|";
    all += text.substr(item.begin, item.size());
  }
  return all + (list->is_broken ? "!" : "");
}

TEST(WrittenLists, ArgumentsAreDividedAsTheLanguageDoes) {
  const struct {
    std::string_view language, text, want;
  } cases[] = {
      {"python", "x.run(1, (2, 3), *a, k=',', **d)", "1|(2, 3)|*a|k=','|**d"},
      {"python", "run(a for a in b)", "a for a in b"},
      {"python", "g(run)", "-"},
      {"python", "run\n(1)", "-"},
      {"typescript", "a.b?.run(new Map<string, number>(), /* one, */ g)",
       "new Map<string, number>()|g"},
      {"typescript", "run<string, number>(1, `a,${b}`,)", "1|`a,${b}`"},
      {"typescript", "run?.(1)", "1"},
      {"go", "package p\nfunc g() { a.run(1, []int{1, 2}, x...) }", "1|[]int{1, 2}|x..."},
      {"java", "class A { void g() { this.<T>run(1, a < b, c > d); } }", "1|a < b|c > d"},
      {"rust", "fn g() { run::<u8, u8>(1, |a, b| a); }", "1||a, b| a"},
      {"cpp", "void g() { A::run<int, int>(1, h(2, 3)); }", "1|h(2, 3)"},
      {"c", "void g(void) { p->run(\"(,\", ','); }", "\"(,\"|','"},
      {"csharp", "class A { void G() { this.run<int>(1, b: 2, out var c); } }", "1|b: 2|out var c"},
      {"kotlin", "fun g() { a.run(1, b = 2) }", "1|b = 2"},
      {"kotlin", "fun g() { a.run(1) { it } }", "{}|1"},
      {"php", "<?php $a->run(1, ...$b, c: 2);", "1|...$b|c: 2"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(list_of(each.language, each.text, "run", false), each.want) << each.text;
  }
}

TEST(WrittenLists, ParametersStandBehindTheNameOrInItsValue) {
  const struct {
    std::string_view language, text, want;
  } cases[] = {
      {"python", "def run(self, a: int = 1, *, b): pass", "self|a: int = 1|*|b"},
      {"typescript", "const run = async (a: string, b?: number) => a", "a: string|b?: number"},
      {"typescript", "interface A { run(a: string): void }", "a: string"},
      {"typescript", "interface A { run: (a: string) => void }", "a: string"},
      {"javascript", "const run = memo((a) => a)", "-"},
      {"javascript", "exports.run = function (a, b) {}", "a|b"},
      {"go", "package p\nfunc (s *S) run(a, b int, c ...string) (int, error) {}",
       "a, b int|c ...string"},
      {"java", "class A { <T> void run(final int a, T... b) {} }", "final int a|T... b"},
      {"rust", "impl A { fn run<'a>(&'a self, b: (u8, u8)) {} }", "&'a self|b: (u8, u8)"},
      {"c", "static char *run(const char *a, int (*b)(int, int), ...);",
       "const char *a|int (*b)(int, int)|..."},
      {"c", "#define run(a, b) a", "a|b"},
      {"cpp", "int A::run(int a = 1) const {}", "int a = 1"},
      {"csharp", "class A { int run(this int a, params int[] b) => 1; }",
       "this int a|params int[] b"},
      {"kotlin", "fun <T> A.run(a: Int = 1, vararg b: T) {}", "a: Int = 1|vararg b: T"},
      {"php", "<?php class A { function run(int $a, ?B $b = null) {} }", "int $a|?B $b = null"},
  };
  for (const auto& each : cases) {
    EXPECT_EQ(list_of(each.language, each.text, "run", true), each.want) << each.text;
  }
}

}  // namespace
}  // namespace codexmem::parse
