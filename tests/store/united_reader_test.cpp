// Several stores read as one: ids, paths, orders, links across.
#include "store/code/united_reader.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/code/code_writer.h"
#include "store/code/workspace.h"
#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

// A store with files of one class each, called as the file is.
class Member {
 public:
  explicit Member(const std::vector<std::string>& paths)
      : workspace_(Workspace::open(directory_.path()).value()) {
    CodeWriter writer(*workspace_->writer().value());
    EXPECT_TRUE(writer.begin_generation().ok());
    for (const std::string& path : paths) ids_.push_back(add(writer, path));
  }

  FileId id(std::size_t file) const { return ids_[file]; }
  Workspace& workspace() { return *workspace_; }

  void depend(const std::vector<DependencyRow>& rows) {
    CodeWriter writer(*workspace_->writer().value());
    EXPECT_TRUE(writer.put_dependencies(rows.front().source, rows).ok());
  }

  void touch() {
    CodeWriter writer(*workspace_->writer().value());
    EXPECT_TRUE(writer.begin_generation().ok());
  }

 private:
  static FileId add(CodeWriter& writer, const std::string& path) {
    FileRecord record;
    record.file.path = path;
    record.file.language = path.ends_with(".py") ? "python" : "typescript";
    record.file.hash = "hash of " + path;
    record.content = "class " + path;
    record.facts = "facts of " + path;
    record.identifiers = "Shared " + path.substr(0, 1);
    SymbolRow symbol;
    symbol.name = path.substr(0, path.find('.'));
    symbol.type = SymbolType::kClass;
    symbol.kind = "class";
    symbol.range = {0, static_cast<std::uint32_t>(record.content.size())};
    SymbolRow inner = symbol;
    inner.id = SymbolId{1};
    inner.name = "run";
    inner.parent = symbol.id;
    record.symbols = {symbol, inner};
    ChunkRow chunk;
    chunk.range = symbol.range;
    chunk.symbol = symbol.id;
    record.chunks = {chunk};
    return writer.add_file(record).value();
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<Workspace> workspace_;
  std::vector<FileId> ids_;
};

DependencyRow import_of(FileId source, std::optional<FileId> target, std::uint32_t index,
                        const std::string& path) {
  DependencyRow row;
  row.source = source;
  row.target = target;
  row.import_path = path;
  row.import_type = "import";
  row.is_external = !target.has_value();
  row.import_index = index;
  row.line = index + 1;
  return row;
}

class UnitedReaderTest : public ::testing::Test {
 protected:
  UnitedReaderTest()
      : library_({"src.ts", "b.py"}),
        app_({"a.ts", "main.ts", "z.ts"}),
        library_reader_(library_.workspace().reader().value()),
        app_reader_(app_.workspace().reader().value()) {}

  std::unique_ptr<UnitedReader> united() {
    std::vector<UnitedMember> members = {
        {"zod", nullptr}, {"lib", &*library_reader_}, {"lib-app", &*app_reader_}};
    sort_members(members);
    return UnitedReader::make(std::move(members));
  }

  Member library_, app_;
  ReaderLease library_reader_, app_reader_;
};

std::vector<std::string> paths_of(const std::vector<FileRow>& rows) {
  std::vector<std::string> paths;
  for (const FileRow& row : rows) paths.push_back(row.path);
  return paths;
}

using Paths = std::vector<std::string>;

TEST_F(UnitedReaderTest, FilesAreListedByPath) {
  const auto reader = united();
  const auto files = reader->list_files().value();
  // '-' comes before ':'.
  EXPECT_EQ(paths_of(files), (Paths{"lib-app:/a.ts", "lib-app:/main.ts", "lib-app:/z.ts",
                                    "lib:/b.py", "lib:/src.ts"}));
  EXPECT_TRUE(std::ranges::is_sorted(paths_of(files)));
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(reader->find_file(files[i].path).value()->id, files[i].id);
    EXPECT_EQ(reader->find_file(files[i].id).value()->path, files[i].path);
    EXPECT_EQ(paths_of(reader->list_files_after(files[i].path, 10).value()).size(),
              files.size() - i - 1);
  }
  EXPECT_EQ(paths_of(reader->list_files_after("", 4).value()),
            (Paths{"lib-app:/a.ts", "lib-app:/main.ts", "lib-app:/z.ts", "lib:/b.py"}));
  EXPECT_EQ(paths_of(reader->list_files_after("lib-zzz", 2).value()),
            (Paths{"lib:/b.py", "lib:/src.ts"}));
  EXPECT_EQ(paths_of(reader->list_files_in("lib:").value()), (Paths{"lib:/b.py", "lib:/src.ts"}));
  EXPECT_TRUE(reader->list_files_in("").value().empty());
  EXPECT_FALSE(reader->find_file("lib/src.ts").value());
  EXPECT_FALSE(reader->find_file("zod:/src.ts").value());
  Paths visited;
  EXPECT_TRUE(
      reader->visit_files([&](const FileStamp& file) { visited.emplace_back(file.path); }).ok());
  EXPECT_EQ(visited, paths_of(files));
}

TEST_F(UnitedReaderTest, RowsOfTwoStoresWithEqualIdsAreApart) {
  const auto reader = united();
  EXPECT_EQ(library_.id(0), app_.id(0));
  const FileId in_app = united_id(0, app_.id(0)), in_library = united_id(1, library_.id(0));
  EXPECT_EQ(reader->find_content(in_app).value(), "class a.ts");
  EXPECT_EQ(reader->find_content(in_library).value(), "class src.ts");
  EXPECT_EQ(reader->find_facts(in_library).value(), "facts of src.ts");
  const auto symbols = reader->list_symbols(in_library).value();
  ASSERT_EQ(symbols.size(), 2U);
  EXPECT_EQ(file_of(symbols[1].id), in_library);
  EXPECT_EQ(symbols[1].parent, symbols[0].id);
  EXPECT_EQ(reader->find_symbol(symbols[1].id).value()->name, "run");
  EXPECT_EQ(reader->list_chunks(in_library).value().front().symbol, symbols[0].id);
  const auto runs = reader->list_symbols_named("run").value();
  EXPECT_EQ(runs.size(), 5U);
  EXPECT_TRUE(std::ranges::is_sorted(runs, {}, &SymbolRow::id));
  const auto files = reader->list_files_with_identifier("Shared").value();
  EXPECT_EQ(files.size(), 5U);
  EXPECT_TRUE(std::ranges::is_sorted(files));
  EXPECT_EQ(member_of(files.back()), 1U);
  EXPECT_EQ(own_id(in_library), library_.id(0));
}

TEST_F(UnitedReaderTest, UnknownIdsGiveNothing) {
  const auto reader = united();
  for (const FileId id : {FileId{0}, FileId{-1}, united_id(2, FileId{1}), united_id(9, FileId{1}),
                          united_id(1, FileId{77})}) {
    EXPECT_FALSE(reader->find_file(id).value());
    EXPECT_FALSE(reader->find_content(id).value());
    EXPECT_TRUE(reader->list_symbols(id).value().empty());
    EXPECT_TRUE(reader->list_dependencies(id).value().empty());
    EXPECT_TRUE(reader->list_dependents(id).value().empty());
    EXPECT_FALSE(reader->find_symbol(symbol_id(id, 0)).value());
  }
}

TEST_F(UnitedReaderTest, CountsAreSums) {
  const auto reader = united();
  EXPECT_EQ(reader->counts().value().files, 5);
  const auto languages = reader->count_languages().value();
  ASSERT_EQ(languages.size(), 2U);
  EXPECT_EQ(languages[0].language, "python");
  EXPECT_EQ(languages[1].files, 4U);
  EXPECT_EQ(reader->list_symbol_names().value(), (Paths{"a", "b", "main", "run", "src", "z"}));
  EXPECT_EQ(reader->list_symbol_names("", 3).value(), (Paths{"a", "b", "main"}));
}

TEST_F(UnitedReaderTest, LinksTakeThePlaceOfExternalImports) {
  const FileId a = app_.id(0), main = app_.id(1);
  app_.depend({import_of(main, a, 0, "./a"), import_of(main, std::nullopt, 1, "lib"),
               import_of(main, std::nullopt, 2, "react"), import_of(main, a, 3, "./a")});
  const auto reader = united();
  const FileId source = united_id(0, main), target = united_id(1, library_.id(0));
  EXPECT_EQ(reader->list_dependencies(source).value().size(), 4U);
  EXPECT_TRUE(reader->list_dependents(target).value().empty());
  const std::int64_t before = reader->generation().value();

  reader->set_links(std::make_shared<const CrossLinks>(
      std::vector<DependencyRow>{import_of(source, target, 1, "lib"),
                                 import_of(source, united_id(1, library_.id(1)), 1, "lib/b")}));
  EXPECT_NE(reader->generation().value(), before);
  const auto rows = reader->list_dependencies(source).value();
  Paths imports;
  for (const DependencyRow& row : rows) imports.push_back(row.import_path);
  EXPECT_EQ(imports, (Paths{"./a", "lib", "lib/b", "react", "./a"}));
  EXPECT_EQ(rows[1].target, target);
  EXPECT_FALSE(rows[3].target);
  ASSERT_EQ(reader->list_dependents(target).value().size(), 1U);
  EXPECT_EQ(reader->list_dependents(target).value().front().source, source);
  EXPECT_EQ(reader->list_all_dependencies().value().size(), 5U);
  EXPECT_EQ(reader->count_unresolved_imports(source).value(), 0U);
  std::map<std::pair<FileId, FileId>, int> pairs;
  EXPECT_TRUE(reader->visit_imports([&](FileId from, FileId to) { ++pairs[{from, to}]; }).ok());
  EXPECT_EQ(pairs.size(), 3U);
  for (const auto& [pair, times] : pairs) EXPECT_EQ(times, 1);
}

TEST_F(UnitedReaderTest, FoldersOfImportsAreUnited) {
  DependencyRow row = import_of(app_.id(0), app_.id(1), 0, "example.com/app/pkg");
  row.package = "pkg/";
  DependencyRow root = import_of(app_.id(0), app_.id(2), 1, "example.com/app");
  root.package = "./";
  app_.depend({row, root});
  const auto reader = united();
  const auto rows = reader->list_dependencies(united_id(0, app_.id(0))).value();
  EXPECT_EQ(rows[0].package, "lib-app:/pkg/");
  EXPECT_EQ(rows[1].package, "lib-app:/");
}

TEST_F(UnitedReaderTest, GenerationChangesWithEachMember) {
  const auto reader = united();
  const std::int64_t first = reader->generation().value();
  app_.touch();
  const std::int64_t second = reader->generation().value();
  library_.touch();
  const std::int64_t third = reader->generation().value();
  EXPECT_NE(first, second);
  EXPECT_NE(second, third);
  const auto less =
      UnitedReader::make({{"lib-app", &*app_reader_}, {"lib", nullptr}, {"zod", nullptr}});
  EXPECT_NE(less->generation().value(), third);
}

TEST_F(UnitedReaderTest, MomentHoldsAllStores) {
  const auto reader = united();
  {
    const auto moment = reader->begin_read();
    ASSERT_TRUE(moment.ok());
    const std::int64_t before = reader->generation().value();
    library_.touch();
    app_.touch();
    EXPECT_EQ(reader->generation().value(), before);
  }
  EXPECT_TRUE(reader->begin_read().ok());
}

TEST(UnitedPath, NamesRepositoryAndFile) {
  EXPECT_EQ(united_path("zod", "src/a.ts"), "zod:/src/a.ts");
  EXPECT_EQ(united_path("zod", ""), "zod:");
  EXPECT_EQ(split_united_path("zod:/src/a.ts")->path, "src/a.ts");
  EXPECT_EQ(split_united_path("zod:")->name, "zod");
  for (const char* none : {"", "src/a.ts", "src:x/a.ts", ":/a.ts", "a/zod:/b", "..:/b"}) {
    EXPECT_FALSE(split_united_path(none)) << none;
  }
  for (const char* bad : {"", ".", "..", "a/b", "a:b", "a\nb", "\xFF"}) {
    EXPECT_FALSE(is_member_name(bad)) << bad;
  }
  EXPECT_TRUE(is_member_name("@scope my-repo.js"));
}

}  // namespace
}  // namespace codexmem::store
