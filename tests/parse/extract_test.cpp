#include "parse/walk/extract.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <string>

#include "parse/rules/languages.h"
#include "support/growth.h"

namespace codexmem::parse {
namespace {

using std::chrono::milliseconds;

const Language& language(std::string_view name) { return *find_language(name); }

std::string repeat(std::string_view text, std::size_t count) {
  std::string repeated;
  repeated.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) repeated += text;
  return repeated;
}

struct DeepCase {
  const char* name;
  const char* language;
  std::string text;
};

TEST(Extract, TenThousandLevelsOverflowNoStack) {
  constexpr std::size_t kDepth = 10000;
  const DeepCase cases[] = {
      {"parentheses", "typescript",
       "x = " + repeat("(", kDepth) + "1" + repeat(")", kDepth) + ";\nfunction after() {}"},
      {"unclosed", "javascript", repeat("[{a:", kDepth)},
      {"blocks", "javascript", repeat("{", kDepth) + repeat("}", kDepth) + "\nfunction after() {}"},
      {"functions", "javascript", repeat("function f(){", kDepth) + repeat("}", kDepth)},
      {"members", "typescript", "a" + repeat(".b()", kDepth) + ";"},
      {"arrows", "typescript", repeat("f((a, b = a) => ", kDepth) + "a" + repeat(")", kDepth)},
      {"objects", "typescript",
       "x({a:" + repeat("{a:", kDepth) + "b" + repeat("}", kDepth) + "});"},
      {"patterns", "javascript",
       "const " + repeat("{a:", kDepth) + "b" + repeat("}", kDepth) + " = c"},
      {"conditions", "javascript",
       "if (x instanceof A" + repeat(" && x instanceof A", kDepth) + ") x.a;"},
      {"types", "typescript", "type T = " + repeat("A<", kDepth) + "B" + repeat(">", kDepth)},
      {"elements", "tsx", "x = " + repeat("<a>", kDepth) + repeat("</a>", kDepth)},
      {"lists", "python",
       "x = " + repeat("[", kDepth) + repeat("]", kDepth) + "\ndef after(): 1\n"},
      {"sums", "python", "x = 1" + repeat(" + y", kDepth) + "\n"},
  };
  Extractor extractor;
  for (const DeepCase& c : cases) {
    ExtractOptions options;
    options.time_limit = milliseconds(20000 * CODEXMEM_SLOWNESS);
    Result<FileFacts> facts = extractor.extract(language(c.language), c.text, options);
    ASSERT_TRUE(facts.ok()) << c.name;
    EXPECT_FALSE(facts->chunks.empty()) << c.name;
  }
}

TEST(Extract, AUnionOfTenThousandTypesOverflowsNoStack) {
  Extractor extractor;
  const std::string text = "let x: " + repeat("'a' | ", 20000) +
                           "B;\ntype X = " + repeat("'a' | ", 20000) +
                           "B;\nfunction after(): A | B {}\n";
  ExtractOptions options;
  options.time_limit = milliseconds(20000 * CODEXMEM_SLOWNESS);
  FileFacts facts = extractor.extract(language("typescript"), text, options).value();
  ASSERT_FALSE(facts.symbols.empty());
  EXPECT_EQ(facts.symbols.back().name, "after");
  ASSERT_NE(facts.symbols.back().term, kNoIndex);
  const Function& after = facts.functions.at(facts.terms.at(facts.symbols.back().term).at);
  EXPECT_EQ(facts.terms.at(after.result).kind, TermKind::kUnion);
}

// At the end of such a text Tree-sitter copies its stack tens of thousands of times in one step.
TEST(Extract, AParseThatTakesTooMuchMemoryIsLeft) {
  Extractor extractor;
  const auto begin = testing::ProcessorClock::now();
  FileFacts facts = extractor.extract(language("typescript"), repeat("a<b,", 20000)).value();
  EXPECT_TRUE(facts.truncated);
  EXPECT_FALSE(facts.chunks.empty());
  EXPECT_LT(testing::ProcessorClock::now() - begin,
            std::chrono::seconds(30 * CODEXMEM_SLOWNESS));  // it was minutes
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  EXPECT_LT(used.ru_maxrss, 1 << 20);  // KB; it was 6 GB
  FileFacts next = extractor.extract(language("typescript"), "function f() {}").value();
  EXPECT_FALSE(next.truncated);
  EXPECT_EQ(next.symbols.size(), 1U);
}

TEST(Extract, AMegabyteInOneLineIsRead) {
  std::string text = "var data = [" + repeat("{k:1,v:'x'},", 80000) + "];function after(){}";
  ASSERT_GT(text.size(), std::size_t{900000});
  Extractor extractor;
  ExtractOptions options;
  options.time_limit = milliseconds(20000 * CODEXMEM_SLOWNESS);
  FileFacts facts = extractor.extract(language("javascript"), text, options).value();
  EXPECT_FALSE(facts.truncated);
  ASSERT_FALSE(facts.symbols.empty());
  EXPECT_EQ(facts.symbols.back().name, "after");
  EXPECT_LT(facts.symbols.size(), 10U);
}

TEST(Extract, WhenTimeIsUpTheTextIsStillChunked) {
  std::string text = repeat("const a = { b: [1, 2, 3] };\n", 100000);
  Extractor extractor;
  ExtractOptions options;
  options.time_limit = milliseconds(0);
  FileFacts facts = extractor.extract(language("typescript"), text, options).value();
  EXPECT_TRUE(facts.truncated);
  EXPECT_TRUE(facts.symbols.empty());
  EXPECT_GT(facts.chunks.size(), 1000U);
  // The parser starts afresh with the next file.
  FileFacts next = extractor.extract(language("typescript"), "function f() {}").value();
  EXPECT_FALSE(next.truncated);
  ASSERT_EQ(next.symbols.size(), 1U);
  EXPECT_EQ(next.symbols[0].name, "f");
}

TEST(Extract, AStopEndsIt) {
  std::stop_source source;
  source.request_stop();
  Extractor extractor;
  Result<FileFacts> facts =
      extractor.extract(language("python"), "x = 1\n", {}, source.get_token());
  ASSERT_FALSE(facts.ok());
  EXPECT_EQ(facts.error().code(), ErrorCode::kCancelled);
}

TEST(Extract, NulBytesAreText) {
  std::string text("function a() {}\n\0\0\nfunction b() {}\n", 35);
  Extractor extractor;
  for (std::string_view name : {"javascript", "typescript", "tsx", "python"}) {
    FileFacts facts = extractor.extract(language(name), text).value();
    EXPECT_FALSE(facts.unparsed.empty()) << name;
    EXPECT_FALSE(facts.chunks.empty()) << name;
  }
}

// Found by fuzzing: within a class that a macro hides, a cast looks like a local declaration.
TEST(Extract, AConversionDeclaredInAFunctionIsRead) {
  Extractor extractor;
  const Result<FileFacts> facts = extractor.extract(
      language("cpp"), "void f() {\n  explicit operator bool() const;\n  operator int();\n}\n");
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts->symbols.size(), 1u);
}

TEST(Extract, EmptyTextHasAModuleAndNothingElse) {
  Extractor extractor;
  FileFacts facts = extractor.extract(language("python"), "").value();
  EXPECT_EQ(facts.scopes.size(), 1U);
  EXPECT_TRUE(facts.symbols.empty());
  EXPECT_TRUE(facts.chunks.empty());
  EXPECT_TRUE(facts.unparsed.empty());
}

TEST(Extract, ALanguageWithoutGrammarHasChunksAlone) {
  Extractor extractor;
  FileFacts facts = extractor.extract(language("markdown"), "# Title\n\nText.\n").value();
  ASSERT_EQ(facts.chunks.size(), 1U);
  EXPECT_TRUE(facts.symbols.empty());
  EXPECT_TRUE(facts.scopes.empty());
}

TEST(Extract, ChunksOnlyLeavesOutTheRest) {
  Extractor extractor;
  ExtractOptions options;
  options.chunks_only = true;
  FileFacts facts = extractor.extract(language("python"), "def f(): pass\n", options).value();
  EXPECT_EQ(facts.chunks.size(), 1U);
  EXPECT_TRUE(facts.symbols.empty());
  EXPECT_TRUE(facts.occurrences.empty());
}

TEST(Extract, AnAbandonedParseLeavesNothingBehind) {
  // Under AddressSanitizer: Python's scanner was lost with each of them.
  const std::string text = repeat("if a:\n  def f(b):\n    return f'{b}'\n", 30000);
  Extractor extractor;
  ExtractOptions options;
  options.time_limit = milliseconds(5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(extractor.extract(language("python"), text, options).value().truncated);
  }
}

TEST(Extract, ThousandsOfNamesInOneDeclarationStayCheap) {
  std::string text = "export const first = 1" + repeat(",\n  name = make(first)", 30000) + ";\n";
  Extractor extractor;
  ExtractOptions options;
  options.time_limit = milliseconds(20000 * CODEXMEM_SLOWNESS);
  FileFacts facts = extractor.extract(language("typescript"), text, options).value();
  ASSERT_EQ(facts.symbols.size(), 30001U);
  EXPECT_EQ(facts.symbols.back().modifiers, std::vector<std::string>{"export"});
}

TEST(Extract, ThousandsOfArgumentsAndTargetsStayCheap) {
  std::string text = "f(" + repeat("{ a: 1 }, (b) => b.c(), ", 20000) + "g);\n[" +
                     repeat("{ d }, ", 20000) + "e] = f;\nlet h;\n" + repeat("h = f(h);\n", 20000);
  Extractor extractor;
  ExtractOptions options;
  options.time_limit = milliseconds(20000 * CODEXMEM_SLOWNESS);
  const auto begin = testing::ProcessorClock::now();
  FileFacts facts = extractor.extract(language("javascript"), text, options).value();
  EXPECT_FALSE(facts.truncated);
  EXPECT_EQ(facts.symbols.back().name, "h");
  EXPECT_LT(testing::ProcessorClock::now() - begin, std::chrono::seconds(10 * CODEXMEM_SLOWNESS));
}

TEST(Extract, HostileDocumentationStaysCheap) {
  const auto repeated = [](std::string_view part, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += part;
    return text;
  };
  std::string text;
  for (const std::string& type :
       {repeated("(", 7000) + repeated(")", 7000), repeated("{a:", 4000) + repeated("}", 4000),
        repeated("A<", 6000), repeated("?", 15000), repeated("[", 7000) + repeated("]", 7000),
        repeated("A|", 7000), repeated("A.", 7000), repeated("import(\"", 1500),
        repeated("(a)=>", 2500), repeated("typeof ", 2000), repeated("/* ", 5000)}) {
    text += "/** @type {" + type + "} */\nvar x = 1;\n";
  }
  text += repeated("x = ", 5000) + "function () {};\n" + repeated("/* a */ (x);", 5000);
  text += "/** @typedef {Object} T" + repeated("\n * @property {A} x", 500) + " */\n";
  Extractor extractor;
  ExtractOptions options;
  options.time_limit = milliseconds(1000 * CODEXMEM_SLOWNESS);
  const auto facts = extractor.extract(*find_language("javascript"), text, options);
  ASSERT_TRUE(facts.ok());
  EXPECT_FALSE(facts->truncated);
}

TEST(Extract, ThousandsOfQuotedKeysStayCheap) {
  // Names that are no identifiers must not pile up: this was quadratic.
  std::string text = "const table = {" + repeat("'some key': 1, a: b,\n", 20000) + "};\n";
  Extractor extractor;
  ExtractOptions options;
  options.time_limit = milliseconds(20000 * CODEXMEM_SLOWNESS);
  FileFacts facts = extractor.extract(language("javascript"), text, options).value();
  EXPECT_FALSE(facts.truncated);
  EXPECT_EQ(facts.symbols.front().name, "table");
}

}  // namespace
}  // namespace codexmem::parse
