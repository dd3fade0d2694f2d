#include "index/run/open_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "index/run/indexer.h"
#include "temporary_tree.h"

namespace codexmem::index {
namespace {

using Files = std::map<std::string, std::string>;

const Files kSaved = {
    {"a.ts", "import { b } from './b';\nexport function a() { return b(); }\n"},
    {"b.ts", "export function b() { return 1; }\nexport const unused = 2;\n"},
    {"c.py", "from d import D\n\n\nclass C(D):\n    def run(self):\n        return self.go()\n"},
    {"d.py", "class D:\n    def go(self):\n        return 'word'\n"},
    {"notes.md", "# Notes\n\nb is a word.\n"},
    {"sub/e.ts", "import { a } from '../a';\na();\n"}};

// What the editor shows of them, and of files that nobody has saved.
const Files kOpen = {
    {"a.ts",
     "import { unused } from './b';\nimport { g } from './sub/g';\n"
     "export function renamed() { return unused + g(); }\n"},
    {"b.ts", "// A line before.\nexport function b() { return 1; }\nexport const unused = 2;\n"},
    {"d.py",
     "class D:\n    def go(self):\n        return 1\n\n    def stop(self):\n        pass\n"},
    {"sub/f.ts", "import { b } from '../b';\nexport const f = b();\n"},
    {"notes.md", "# Notes\n\nb is a word.\n"}};

template <typename T>
T taken(Result<T> result) {
  EXPECT_TRUE(result.ok());
  return std::move(result).value();
}

class Repository {
 public:
  explicit Repository(const Files& files) {
    for (const auto& [path, text] : files) tree_.write(path, text);
    workspace_ = store::Workspace::open(tree_.root()).value();
    IndexOptions options;
    options.skip_embeddings = true;
    EXPECT_TRUE(index_repository(*workspace_, options).ok());
  }

  TemporaryTree tree_;
  std::unique_ptr<store::Workspace> workspace_;
};

// Everything that a reader says, with paths for ids, a line each.
class Shown {
 public:
  explicit Shown(store::CodeReader& reader) : reader_(reader) {
    const auto rows = reader.list_files().value();
    for (const store::FileRow& row : rows) paths_[row.id] = row.path;
    for (const store::FileRow& row : rows) show_file(row);
    std::set<std::string> names;
    EXPECT_TRUE(reader.visit_symbol_names([&](auto name) { names.emplace(name); }).ok());
    for (const std::string& name : names) show_named(name);
    for (const char* word : {"b", "unused", "renamed", "word", "stop", "D"}) show_word(word);
    for (const auto& row : taken(reader.list_all_dependencies())) {
      lines.insert("dependency " + written(row));
    }
    EXPECT_TRUE(reader
                    .visit_imports([&](store::FileId a, store::FileId b) {
                      lines.insert("imports " + paths_[a] + " " + paths_[b]);
                    })
                    .ok());
    EXPECT_TRUE(reader
                    .visit_definitions({},
                                       [&](const store::DefinitionName& each) {
                                         lines.insert("definition " + std::string(each.name) +
                                                      paths_[store::file_of(each.id)]);
                                       })
                    .ok());
    EXPECT_TRUE(reader
                    .visit_identifiers([&](std::string_view name, store::FileId id) {
                      lines.insert("identifier " + std::string(name) + " " + paths_[id]);
                    })
                    .ok());
    for (const char* folder : {"", "sub", "none"}) {
      for (const auto& row : taken(reader.list_files_in(folder))) {
        lines.insert(std::string("in ") + folder + ": " + row.path);
      }
    }
    for (const auto& row : taken(reader.list_files_after("b.ts", 3))) {
      lines.insert("after: " + row.path);
    }
  }

  std::set<std::string> lines;

 private:
  std::string written(const store::DependencyRow& row) {
    return paths_[row.source] + " " + row.import_path + " " +
           (row.target ? paths_[*row.target] : "nowhere") + " " + std::to_string(row.line) +
           (row.is_external ? " external" : "");
  }

  std::string written(const store::SymbolRow& row) {
    return paths_[store::file_of(row.id)] + " " + row.qualified_name() + " " + row.kind + " " +
           row.modifiers + " " + std::to_string(row.range.begin) + " " +
           std::to_string(row.start.line) + " " + std::to_string(row.name_byte) +
           (row.is(store::Modifier::kStatic) ? " static" : "");
  }

  void show_file(const store::FileRow& row) {
    EXPECT_EQ(reader_.find_file(row.path).value()->id, row.id);
    EXPECT_EQ(reader_.find_file(row.id).value()->path, row.path);
    lines.insert("file " + row.path + " " + row.language + " " + std::to_string(row.line_count));
    lines.insert("text " + row.path + " " + reader_.find_content(row.id).value().value());
    lines.insert("facts " + row.path + " " + reader_.find_facts(row.id).value().value());
    for (const auto& symbol : taken(reader_.list_symbols(row.id))) {
      EXPECT_EQ(written(reader_.find_symbol(symbol.id).value().value()), written(symbol));
      lines.insert("symbol " + written(symbol));
    }
    for (const auto& each : taken(reader_.list_dependencies(row.id))) {
      lines.insert("from " + row.path + ": " + written(each));
    }
    for (const auto& each : taken(reader_.list_dependents(row.id))) {
      lines.insert("to " + row.path + ": " + written(each));
    }
    lines.insert("unresolved " + row.path + " " +
                 std::to_string(reader_.count_unresolved_imports(row.id).value()));
  }

  void show_named(const std::string& name) {
    for (const auto& row : taken(reader_.list_symbols_named(name))) {
      lines.insert("named " + written(row));
    }
    for (const auto& row : taken(reader_.list_symbols_named_ignoring_case(name))) {
      lines.insert("named, any case " + written(row));
    }
  }

  void show_word(const std::string& word) {
    for (const store::FileId id : taken(reader_.list_files_with_identifier(word))) {
      lines.insert("has " + word + ": " + paths_[id]);
    }
    for (const store::WordFile& file : taken(reader_.list_files_with_word(word))) {
      const auto text = reader_.find_content(file.id).value().value();
      if (text.find(word) != std::string::npos)
        lines.insert("holds " + word + ": " + paths_[file.id]);
    }
  }

  store::CodeReader& reader_;
  std::map<store::FileId, std::string> paths_;
};

// What only one of two says.
std::vector<std::string> differences(const Shown& a, const Shown& b) {
  std::vector<std::string> found;
  std::ranges::set_symmetric_difference(a.lines, b.lines, std::back_inserter(found));
  return found;
}
using Nothing = std::vector<std::string>;

TEST(OpenTexts, ReadAsIfTheyWereSavedAndLeaveTheStoreAsItIs) {
  const Repository repository(kSaved);
  Files all = kSaved;
  for (const auto& [path, text] : kOpen) all[path] = text;
  const Repository saved(all);
  auto reader = saved.workspace_->reader().value();
  const Shown want(*reader);

  const auto texts = OpenTexts::make(repository.tree_.root()).value();
  for (const auto& [path, text] : kOpen) texts->put(path, text);
  auto below = repository.workspace_->reader().value();
  const Shown before(*below);
  const auto overlay = texts->over(*below).value();
  EXPECT_EQ(overlay->files.size(), kOpen.size() - 1);  // one equals the saved file
  const auto over = store::make_overlay_reader(*below, overlay);
  EXPECT_EQ(differences(Shown(*over), want), Nothing());
  EXPECT_NE(over->generation().value(), below->generation().value());
  EXPECT_EQ(differences(Shown(*below), before), Nothing());

  for (const auto& [path, text] : kOpen) texts->remove(path);
  const auto closed = store::make_overlay_reader(*below, texts->over(*below).value());
  EXPECT_EQ(differences(Shown(*closed), before), Nothing());
  EXPECT_EQ(closed->generation().value(), below->generation().value());
}

TEST(OpenTexts, AreParsedOnceAndGoWhenTheyAreSaved) {
  const Repository repository(kSaved);
  const auto texts = OpenTexts::make(repository.tree_.root()).value();
  texts->put("b.ts", kOpen.at("b.ts"));
  {
    auto reader = repository.workspace_->reader().value();
    const auto first = texts->over(*reader).value();
    EXPECT_EQ(first->files.size(), 1U);
    EXPECT_EQ(texts->over(*reader).value(), first);
    texts->put("b.ts", kOpen.at("b.ts") + "export const more = 3;\n");
    EXPECT_NE(texts->over(*reader).value()->version, first->version);
  }
  repository.tree_.write("b.ts", kOpen.at("b.ts"));
  EXPECT_TRUE(index_repository(*repository.workspace_).ok());
  texts->put("b.ts", kOpen.at("b.ts"));
  auto reader = repository.workspace_->reader().value();
  EXPECT_TRUE(texts->over(*reader).value()->files.empty());
}

TEST(OpenTexts, LeaveOutWhatIsNoCode) {
  const Repository repository(kSaved);
  const auto texts = OpenTexts::make(repository.tree_.root()).value();
  texts->put("a.ts", std::string("const a = '\0';\n", 15));
  texts->put("big.ts", std::string((1 << 20) + 1, '\n'));
  texts->put("unknown.zzz", "words\n");
  auto reader = repository.workspace_->reader().value();
  EXPECT_TRUE(texts->over(*reader).value()->files.empty());
}

}  // namespace
}  // namespace codexmem::index
