#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "layers/layer_check.h"

namespace codexmem::layers {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

const fs::path kRoot = CODEXMEM_SOURCE_DIR;

// Every .h and .cpp file under `folder`, ordered by path.
std::vector<SourceFile> read_sources(const fs::path& folder) {
  std::vector<SourceFile> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cpp") continue;
    auto text = read_file(path);
    if (!text.ok()) {
      ADD_FAILURE() << text.error().message();
      continue;
    }
    files.push_back({path.lexically_relative(folder).generic_string(), std::move(*text)});
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

TEST(Layers, SourcesIncludeOnlyWhatTheTableAllows) {
  auto text = read_file(kRoot / "docs/layers.txt");
  ASSERT_TRUE(text.ok()) << text.error().message();
  auto table = parse_table(*text);
  ASSERT_TRUE(table.ok()) << "docs/layers.txt: " << table.error().message();
  const std::vector<SourceFile> files = read_sources(kRoot / "src");
  ASSERT_GT(files.size(), 10U);
  for (const std::string& violation : find_violations(*table, files)) ADD_FAILURE() << violation;
}

// The paths of test files that `text` names, such as "store/store_test.cpp".
std::vector<std::string> named_tests(std::string_view text) {
  constexpr std::string_view kPathBytes = "abcdefghijklmnopqrstuvwxyz0123456789_/";
  std::vector<std::string> names;
  for (std::size_t at = text.find("_test."); at != text.npos; at = text.find("_test.", at + 1)) {
    const std::size_t begin = text.find_last_not_of(kPathBytes, at) + 1;
    const std::size_t end = text.find_first_not_of(kPathBytes, at + 6);
    const std::string_view name = text.substr(begin, end - begin);
    const bool is_file = name.ends_with(".cpp") || name.ends_with(".py");
    if (is_file && name.find('/') != name.npos) names.emplace_back(name);
  }
  return names;
}

TEST(Sources, NameTestsThatAreThere) {
  std::size_t names = 0;
  for (const SourceFile& file : read_sources(kRoot / "src")) {
    for (const std::string& name : named_tests(file.text)) {
      ++names;
      const bool file_exists = fs::exists(kRoot / name) || fs::exists(kRoot / "tests" / name);
      EXPECT_TRUE(file_exists) << "src/" << file.path << ": there is no " << name;
    }
  }
  EXPECT_GT(names, 100U);
}

// A small tree that keeps every rule; each test below breaks one of them.
constexpr char kTable[] = R"(# folder: what it may include
base:
text: base
store: base
graph: text store
outside sqlite3.h: store
outside tree_sitter/: graph
shell commands: store
)";

std::vector<SourceFile> clean_tree() {
  return {
      {"text/json.h", "#include <nlohmann/json.hpp>\n"},
      {"text/parse_json.h", "#include \"text/json.h\"\n"},
      {"base/text.h", "#include <string>\n"},
      {"text/words.cpp", "#include \"base/text.h\"\n#include \"text/json.h\"\n"},
      {"store/handle.h", "#include <sqlite3.h>\n"},
      {"store/row.h", "#include \"base/text.h\"\n"},
      {"store/row.cpp",
       "#include \"store/row.h\"\n#include \"store/handle.h\"\nauto kSql = \"SELECT 1\";\n"
       "auto kCure = \"run `codexmem index`\";\n"},
      {"graph/edges.cpp",
       "#include <tree_sitter/api.h>\n\n#include \"store/row.h\"\n#include \"text/json.h\"\n"},
  };
}

std::vector<std::string> violations_with(SourceFile added) {
  auto table = parse_table(kTable);
  if (!table.ok()) return {table.error().message()};
  std::vector<SourceFile> files = clean_tree();
  files.push_back(std::move(added));
  return find_violations(*table, files);
}

TEST(LayerCheck, ACleanTreeHasNoViolations) {
  EXPECT_THAT(violations_with({"graph/edges.h", "#include <vector>\n"}), IsEmpty());
}

TEST(LayerCheck, SeesWhatBreaksARule) {
  struct Case {
    const char* name;
    SourceFile file;
    const char* want;
  };
  const Case cases[] = {
      {"an upward include",
       {"store/up.cpp", "\n#include \"store/row.h\"\n#include \"graph/edges.cpp\"\n"},
       "src/store/up.cpp:3: store may not include graph (graph/edges.cpp)"},
      {"blanks around the #",
       {"base/up.h", "  #  include \"store/row.h\"  // why not\n"},
       "src/base/up.h:1: base may not include store (store/row.h)"},
      {"a header that is not there",
       {"store/gone.cpp", "#include \"row.h\"\n"},
       "src/store/gone.cpp:1: there is no src/row.h: name headers from src"},
      {"another folder's library",
       {"graph/sql.cpp", "#include <sqlite3.h>\n"},
       "src/graph/sql.cpp:1: <sqlite3.h> is only for store"},
      {"another folder's library, by its start",
       {"store/parse.cpp", "#include <tree_sitter/api.h>\n"},
       "src/store/parse.cpp:1: <tree_sitter/api.h> is only for graph"},
      {"a header that brings another folder's library",
       {"graph/handles.cpp", "#include \"store/handle.h\"\n"},
       "src/graph/handles.cpp:1: store/handle.h brings sqlite3.h into graph"},
      {"the JSON library past its door",
       {"text/raw.cpp", "#include <nlohmann/json_fwd.hpp>\n"},
       "src/text/raw.cpp:1: <nlohmann/json_fwd.hpp> is only for text/json.h"},
      {"JSON in a header",
       {"graph/answer.h", "#include \"text/json.h\"\n"},
       "src/graph/answer.h:1: text/json.h is only for .cpp files"},
      {"JSON in a header, by way of its parser",
       {"graph/answer.h", "#include \"text/parse_json.h\"\n"},
       "src/graph/answer.h:1: text/parse_json.h is only for .cpp files"},
      {"SQL outside of store",
       {"graph/sql.cpp", "// SELECT 1\nconstexpr char kSql[] = \"SELECT 1\";\n"},
       "src/graph/sql.cpp:2: SQL is only for store"},
      {"a command of the shell below what people use",
       {"graph/cure.cpp", "// `codexmem index`\nauto kCure = \"run `codexmem index`\";\n"},
       "src/graph/cure.cpp:2: graph may not name commands of the shell"},
      {"a folder that the table does not have",
       {"extra/new.cpp", ""},
       "src/extra/new.cpp:1: its folder is not in the table"},
      {"a file in no folder", {"main.cpp", ""}, "src/main.cpp:1: its folder is not in the table"},
  };
  for (const Case& c : cases) EXPECT_THAT(violations_with(c.file), ElementsAre(c.want)) << c.name;
}

TEST(LayerCheck, SeesAGrantThatNoFileUses) {
  auto table = parse_table(std::string(kTable) + "search: store text\n");
  ASSERT_TRUE(table.ok());
  std::vector<SourceFile> files = clean_tree();
  files.push_back({"search/rank.cpp", "#include \"store/row.h\"\n"});
  EXPECT_THAT(find_violations(*table, files),
              ElementsAre("docs/layers.txt: search may include text but does not"));
}

TEST(LayerCheck, SeesALibraryThroughTwoHeaders) {
  auto table = parse_table(kTable);
  ASSERT_TRUE(table.ok());
  std::vector<SourceFile> files = clean_tree();
  files.push_back({"store/all.h", "#include \"store/handle.h\"\n"});
  files.push_back({"graph/all.cpp", "#include \"store/all.h\"\n"});
  EXPECT_THAT(find_violations(*table, files),
              ElementsAre("src/graph/all.cpp:1: store/all.h brings sqlite3.h into graph"));
}

TEST(LayerTable, RefusesWhatCannotBeATable) {
  struct Case {
    const char* name;
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"a folder below its user", "store: base\nbase:\n", "line 1: no line above is for base"},
      {"a folder twice", "base:\nbase:\n", "line 2: given twice"},
      {"no colon", "base\n", "line 1: no colon"},
      {"a library of two folders", "a:\nb: a\noutside x/: a b\n", "line 3: not `folder: folders`"},
      {"a library of no known folder", "a:\noutside x/: c\n", "line 2: no line above is for c"},
  };
  for (const Case& c : cases) {
    auto table = parse_table(c.text);
    ASSERT_FALSE(table.ok()) << c.name;
    EXPECT_THAT(table.error().message(), testing::StartsWith(c.want)) << c.name;
  }
}

}  // namespace
}  // namespace codexmem::layers
