// The core of graph asks a language's semantics and knows no language, and what the families say of
// their libraries can be read.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/text.h"
#include "graph/core/language_semantics.h"

namespace codexmem::graph {
namespace {

namespace fs = std::filesystem;

// Code without comments that speaks of a family or a language: an enumerator, or a name as text.
bool names_a_language(std::string_view line) {
  static const std::regex names(
      R"re(Family::k(?!None\b)|"(ecmascript|python|typescript|tsx|javascript|go|java|rust|c|cpp|ruby|lua)")re",
      std::regex::ECMAScript);
  static const std::regex identifiers(R"(ecma|python)", std::regex::icase);
  line = line.substr(0, line.find("//"));
  return std::regex_search(line.begin(), line.end(), names) ||
         std::regex_search(line.begin(), line.end(), identifiers);
}

TEST(LanguageSemantics, CoreNamesNoLanguage) {
  EXPECT_TRUE(names_a_language("if (file.family == Family::kPython) {"));
  EXPECT_TRUE(names_a_language("if (file.language == \"tsx\") {"));
  EXPECT_FALSE(names_a_language("Family family = Family::kNone;  // not python"));
  const fs::path root = fs::path(CODEXMEM_SOURCE_DIR) / "src/graph";
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const std::string path = entry.path().lexically_relative(root).generic_string();
    if (!path.ends_with(".cpp") && !path.ends_with(".h")) continue;
    // A family's own folder, and the table of families.
    const bool is_core = path.find('/') == path.npos || path.starts_with("core/");
    if (!is_core || path == "language_registry.cpp") continue;
    ++files;
    const auto text = read_file(entry.path());
    ASSERT_TRUE(text.ok()) << path;
    for (const std::string_view line : split(*text, '\n')) {
      EXPECT_FALSE(names_a_language(line)) << path << ": " << line;
    }
  }
  EXPECT_GT(files, 30U);
}

TEST(LanguageSemantics, LanguagesWithoutAResolverAreKnownByName) {
  EXPECT_TRUE(resolves_names(family_of("tsx")));
  EXPECT_TRUE(resolves_names(family_of("python")));
  EXPECT_TRUE(resolves_names(family_of("go")));
  EXPECT_TRUE(resolves_names(family_of("rust")));
  EXPECT_TRUE(resolves_names(family_of("ruby")));
  EXPECT_FALSE(resolves_names(family_of("lua")));
  EXPECT_FALSE(resolves_names(family_of("markdown")));
  EXPECT_EQ(&semantics_of(family_of("typescript")), &semantics_of(family_of("javascript")));
  EXPECT_NE(family_of("go"), family_of("java"));
}

TEST(LibraryTables, TypesMethodsAndFunctionsOfEachFamily) {
  const LibraryTables& ecma = semantics_of(family_of("typescript")).library();
  const LibraryTables& python = semantics_of(family_of("python")).library();
  EXPECT_EQ(ecma.find_type("ReturnType")->type, LibraryType::kResultOf);
  EXPECT_EQ(ecma.find_type("Map")->container, ContainerKind::kMap);
  EXPECT_EQ(python.find_type("Coroutine")->first, 2U);
  EXPECT_FALSE(python.find_type("Map"));
  const auto map = ecma.find_method(ContainerKind::kTuple, "map");
  ASSERT_TRUE(map);
  EXPECT_EQ(ecma.method(ContainerKind::kTuple, *map).result, Flow::kCallbackList);
  EXPECT_EQ(ecma.method(ContainerKind::kTuple, *map).first, Flow::kElement);
  EXPECT_FALSE(python.find_method(ContainerKind::kTuple, "map"));
  EXPECT_EQ(ecma.function("Promise.all"), Flow::kPromiseOfEach);
  EXPECT_EQ(python.function("filter"), Flow::kSecondElements);
  EXPECT_TRUE(python.has("bases", "OverflowError"));
  EXPECT_FALSE(python.has("no_such_section", "print"));
}

}  // namespace
}  // namespace codexmem::graph
