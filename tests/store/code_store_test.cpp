// A workspace's rows through their writer and reader.
#include <gtest/gtest.h>

#include <cstring>

#include "store/code/workspace.h"
#include "support/temporary_directory.h"

namespace codexmem::store {
namespace {

FileRecord record_of(const std::string& path, const std::string& content,
                     const std::string& identifiers) {
  FileRecord record;
  record.file.path = path;
  record.file.language = "python";
  record.file.hash = "hash of " + content;
  record.file.size = static_cast<std::int64_t>(content.size());
  record.file.mtime_ns = 1'700'000'000'000'000'000;
  record.file.line_count = 1;
  record.content = content;
  record.identifiers = identifiers;
  record.facts = "facts of " + path;
  record.trigrams = "trigrams of " + content;
  SymbolRow outer;
  outer.id = static_cast<SymbolId>(0);
  outer.name = "Outer";
  outer.type = SymbolType::kClass;
  outer.kind = "class";
  outer.range = {0, static_cast<std::uint32_t>(content.size())};
  outer.exported = true;
  SymbolRow inner = outer;
  inner.id = static_cast<SymbolId>(1);
  inner.name = "inner";
  inner.type = SymbolType::kMethod;
  inner.container = "Outer";
  inner.parent = outer.id;
  inner.range = {4, 8};
  inner.signature_range = {4, 6};
  inner.docstring_range = {1, 4};
  record.symbols = {outer, inner};
  ChunkRow chunk;
  chunk.range = {0, static_cast<std::uint32_t>(content.size())};
  chunk.symbol = outer.id;
  record.chunks = {chunk};
  return record;
}

class CodeStoreTest : public ::testing::Test {
 protected:
  CodeStoreTest()
      : workspace_(Workspace::open(directory_.path()).value()),
        writer_(*workspace_->writer().value()) {
    EXPECT_TRUE(writer_.begin_generation().ok());
  }

  FileId add(const FileRecord& record) { return writer_.add_file(record).value(); }

  std::vector<std::int64_t> chunks_with(const std::string& term) {
    std::vector<std::int64_t> ids;
    auto reader = workspace_->reader().value();
    const std::vector<std::string> terms = {term};
    EXPECT_TRUE(reader
                    ->match_chunks(terms,
                                   [&](const ChunkMatch& match) {
                                     ids.push_back(static_cast<std::int64_t>(match.id));
                                     return true;
                                   })
                    .ok());
    return ids;
  }

  std::int64_t count(const std::string& sql) {
    return workspace_->writer().value()->find_integer(sql).value().value_or(-1);
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<Workspace> workspace_;
  CodeWriter writer_;
};

TEST_F(CodeStoreTest, ATypeThatThereIsNotIsAVariable) {
  FileRecord record = record_of("a.py", "some text", "");
  record.symbols[1].type = static_cast<SymbolType>(7);
  const FileId file = add(record);
  const auto symbols = workspace_->reader().value()->list_symbols(file);
  ASSERT_TRUE(symbols.ok());
  EXPECT_EQ(symbols->at(1).type, SymbolType::kVariable);
}

TEST_F(CodeStoreTest, AFileComesBackWhole) {
  const FileId id = add(record_of("a.py", "connect the sockets", "Outer inner"));
  auto reader = workspace_->reader().value();
  const auto file = reader->find_file("a.py").value();
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->id, id);
  EXPECT_EQ(file->generation, reader->generation().value());
  EXPECT_EQ(reader->find_content(id).value(), "connect the sockets");
  EXPECT_EQ(reader->find_facts(id).value(), "facts of a.py");
  const auto symbols = reader->list_symbols_named("inner").value();
  ASSERT_EQ(symbols.size(), 1U);
  EXPECT_EQ(symbols[0].qualified_name(), "Outer.inner");
  EXPECT_EQ(symbols[0].parent, symbol_id(id, 0));
  EXPECT_EQ(reader->find_symbol_at(id, 5).value()->name, "inner");
  EXPECT_EQ(reader->find_symbol_at(id, 2).value()->name, "Outer");
  EXPECT_EQ(reader->list_files_with_identifier("inner").value(), std::vector<FileId>{id});
  EXPECT_TRUE(reader->list_files_with_identifier("inn").value().empty());
  EXPECT_EQ(reader->list_files_with_identifier("an inner b").value(), std::vector<FileId>{id});
  EXPECT_EQ(reader->term_totals().value().chunks, 1);
  EXPECT_EQ(reader->term_totals().value().terms, 3);
}

TEST_F(CodeStoreTest, DefinitionsLengthsAndIdentifiersAreVisitedInOrder) {
  const FileId a = add(record_of("a.py", "connect the sockets", "Outer inner"));
  const FileId b = add(record_of("b.py", "connect two", "Outer zebra"));
  auto reader = workspace_->reader().value();
  std::vector<std::string> seen;
  ASSERT_TRUE(reader
                  ->visit_definitions(std::nullopt,
                                      [&](const DefinitionName& d) {
                                        seen.push_back(std::string(d.name) + "/" +
                                                       std::string(d.kind));
                                      })
                  .ok());
  EXPECT_EQ(seen,
            (std::vector<std::string>{"Outer/class", "inner/class", "Outer/class", "inner/class"}));
  std::vector<std::pair<ChunkId, std::uint32_t>> lengths;
  const auto note = [&](ChunkId id, std::uint32_t length) { lengths.emplace_back(id, length); };
  ASSERT_TRUE(reader->visit_chunk_lengths(b, note).ok());
  EXPECT_EQ(lengths, (std::vector<std::pair<ChunkId, std::uint32_t>>{{chunk_id(b, 0), 2}}));
  lengths.clear();
  ASSERT_TRUE(reader->visit_chunk_lengths(std::nullopt, note).ok());
  EXPECT_EQ(lengths, (std::vector<std::pair<ChunkId, std::uint32_t>>{{chunk_id(a, 0), 3},
                                                                     {chunk_id(b, 0), 2}}));
  std::vector<std::pair<std::string, FileId>> names;
  const auto visited = reader->visit_identifiers(
      [&](std::string_view name, FileId file) { names.emplace_back(name, file); });
  ASSERT_TRUE(visited.ok()) << visited.error().message();
  EXPECT_EQ(names, (std::vector<std::pair<std::string, FileId>>{
                       {"Outer", a}, {"Outer", b}, {"inner", a}, {"zebra", b}}));
}

TEST_F(CodeStoreTest, TermsAreStemmedAndCounted) {
  const FileId id = add(record_of("a.py", "getHTTPResponse connects connecting", "Outer"));
  auto reader = workspace_->reader().value();
  const std::vector<std::string> terms = {"connect", "=gethttpresponse", "absent"};
  int seen = 0;
  ASSERT_TRUE(reader
                  ->match_chunks(terms,
                                 [&](const ChunkMatch& match) {
                                   ++seen;
                                   EXPECT_EQ(match.id, chunk_id(id, 0));
                                   EXPECT_EQ(match.counts[0], 2U);
                                   EXPECT_EQ(match.counts[1], 1U);
                                   EXPECT_EQ(match.counts[2], 0U);
                                   return true;
                                 })
                  .ok());
  EXPECT_EQ(seen, 1);
}

TEST_F(CodeStoreTest, ReplacingLeavesNothingOfTheOldFile) {
  const FileId id = add(record_of("a.py", "connect", "Outer oldname"));
  VectorRow vector{chunk_id(id, 0), std::string(2, '\0')};
  const ModelId model = writer_.put_model({.name = "m", .dimension = 2, .code_values = {}}).value();
  ASSERT_TRUE(writer_.put_vectors(model, std::span(&vector, 1)).ok());
  ASSERT_TRUE(writer_.begin_generation().ok());
  ASSERT_TRUE(
      writer_.replace_file(id, record_of("a.py", "listen", "Outer newname"), "Outer oldname").ok());
  EXPECT_TRUE(chunks_with("connect").empty());
  EXPECT_EQ(chunks_with("listen").size(), 1U);
  auto reader = workspace_->reader().value();
  EXPECT_TRUE(reader->list_files_with_identifier("oldname").value().empty());
  EXPECT_EQ(reader->list_files_with_identifier("newname").value(), std::vector<FileId>{id});
  EXPECT_EQ(reader->counts().value().vectors, 0);
  EXPECT_EQ(reader->find_file("a.py").value()->generation, reader->generation().value());
  EXPECT_EQ(count("SELECT count(*) FROM symbols"), 2);
  EXPECT_EQ(reader->find_trigrams(id).value(), "trigrams of listen");
  std::vector<std::string> filters;
  EXPECT_TRUE(
      reader->visit_trigrams([&](FileId, std::string_view filter) { filters.emplace_back(filter); })
          .ok());
  EXPECT_EQ(filters, std::vector<std::string>({"trigrams of listen"}));
}

TEST_F(CodeStoreTest, RemovingKeepsTheEdgesOfOthersUnresolved) {
  const FileId used = add(record_of("used.py", "x", "x"));
  const FileId user = add(record_of("user.py", "y", "y"));
  DependencyRow edge;
  edge.target = used;
  edge.import_path = "used";
  edge.import_type = "import";
  edge.symbols = {"x"};
  ASSERT_TRUE(writer_.put_dependencies(user, std::span(&edge, 1)).ok());
  EXPECT_EQ(workspace_->reader().value()->list_dependents(used).value().size(), 1U);
  ASSERT_TRUE(writer_.remove_file(used, "x").ok());
  auto reader = workspace_->reader().value();
  const auto left = reader->list_dependencies(user).value();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_FALSE(left[0].target.has_value());
  EXPECT_EQ(left[0].symbols, std::vector<std::string>{"x"});
  EXPECT_TRUE(reader->list_files_with_identifier("x").value().empty());
  EXPECT_EQ(count("SELECT count(*) FROM symbol_rows"), 2);
  EXPECT_EQ(count("SELECT count(*) FROM file_facts"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM file_trigrams"), 1);
}

TEST_F(CodeStoreTest, RenamingKeepsTheRows) {
  const FileId id = add(record_of("a.py", "connect", "Outer"));
  ASSERT_TRUE(writer_.rename_file(id, "b.py", 5).ok());
  auto reader = workspace_->reader().value();
  EXPECT_FALSE(reader->find_file("a.py").value().has_value());
  EXPECT_EQ(reader->find_file("b.py").value()->id, id);
  EXPECT_EQ(chunks_with("connect").size(), 1U);
}

TEST_F(CodeStoreTest, ContractViewsSliceTheContent) {
  const FileId id = add(record_of("a.py", "0123456789", "Outer"));
  std::string values;
  for (int code = 0; code < 256; ++code) {
    const auto value = static_cast<float>(code) - 127.0F;
    values.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  VectorRow chunk{chunk_id(id, 0), std::string("\x00\x7f\xff", 3)};
  VectorRow whole{chunk_id(id, kFileVectorIndex), chunk.codes};
  const VectorRow rows[] = {chunk, whole};
  const ModelRow model{.name = "m", .dimension = 3, .code_values = values};
  ASSERT_TRUE(writer_.put_vectors(writer_.put_model(model).value(), rows).ok());
  EXPECT_EQ(
      count("SELECT count(*) FROM symbols WHERE name = 'inner' AND definition = '4567'"
            " AND type = 'method' AND docstring = '123' AND signature = '45' AND modifiers = '[]'"),
      1);
  EXPECT_EQ(
      count("SELECT count(*) FROM embeddings WHERE chunk_index = 0 AND content = 'a' || char(10)"
            " || '0123456789' AND typeof(embedding) = 'blob'"
            " AND json_extract(metadata, '$.model') = 'm'"),
      1);
  // -127, 0 and 128 as little-endian float32.
  EXPECT_EQ(count("SELECT count(*) FROM embeddings WHERE embedding = x'0000FEC20000000000000043'"),
            2);
  EXPECT_EQ(count("SELECT count(*) FROM embeddings WHERE chunk_index = -1 AND symbol_id IS NULL"),
            1);
}

TEST_F(CodeStoreTest, ADefinitionIsCutBetweenCharacters) {
  std::string content = "x";
  for (int i = 0; i < 500; ++i) content += "\xC3\xA9";
  add(record_of("a.py", content, "Outer"));
  auto query = workspace_->writer().value()->statement(
      "SELECT definition FROM symbols WHERE name = 'Outer'");
  ASSERT_TRUE(query->step().value());
  EXPECT_EQ(query->text(0), content.substr(0, 1 + 2 * 399));
}

TEST_F(CodeStoreTest, FileListNeverReadsTheContent) {
  auto query = workspace_->writer().value()->statement(
      "EXPLAIN QUERY PLAN SELECT id, path, language, hash, size, line_count, flags, generation"
      " FROM file_rows INDEXED BY files_scan ORDER BY path");
  ASSERT_TRUE(query->step().value());
  EXPECT_NE(query->text(3).find("COVERING INDEX files_scan"), std::string_view::npos)
      << query->text(3);
}

TEST_F(CodeStoreTest, NamesAreFoundThroughTheirIndexWhateverTheirCase) {
  for (const char* sql :
       {"EXPLAIN QUERY PLAN SELECT id FROM symbol_rows WHERE name = ?1 COLLATE NOCASE AND name = ?1"
        " ORDER BY id",
        "EXPLAIN QUERY PLAN SELECT id FROM symbol_rows WHERE name = ?1 COLLATE NOCASE ORDER BY "
        "id"}) {
    auto query = workspace_->writer().value()->statement(sql);
    ASSERT_TRUE(query->step().value());
    EXPECT_NE(query->text(3).find("INDEX symbol_rows_"), std::string_view::npos) << query->text(3);
  }
  add(record_of("a.py", "x", "Outer"));
  EXPECT_EQ(workspace_->reader().value()->list_symbols_named_ignoring_case("OUTER").value().size(),
            1U);
}

TEST(Workspace, IsRefusedWhereTheUsersStoreIs) {
  const testing::TemporaryDirectory home;
  ::setenv("CODEXMEM_DATA_DIR", (home.path() / ".codexmem").c_str(), 1);
  const auto refused = Workspace::open(home.path());
  ::unsetenv("CODEXMEM_DATA_DIR");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument);
}

TEST(Workspace, ClosingLeavesNoLogBehind) {
  const testing::TemporaryDirectory root;
  {
    auto workspace = Workspace::open(root.path()).value();
    CodeWriter writer(*workspace->writer().value());
    ASSERT_TRUE(writer.begin_generation().ok());
    ASSERT_TRUE(workspace->reader().value()->generation().ok());
    EXPECT_GT(std::filesystem::file_size(root.path() / ".codexmem/index.db-wal"), 0U);
  }
  EXPECT_EQ(std::filesystem::file_size(root.path() / ".codexmem/index.db-wal"), 0U);
}

TEST(Workspace, LinksDoNotLeadTheStoreElsewhere) {
  const testing::TemporaryDirectory elsewhere;
  for (const char* name : {".codexmem", ".codexmem/index.db", ".codexmem/lock"}) {
    const testing::TemporaryDirectory root;
    const std::filesystem::path link = root.path() / name;
    std::filesystem::create_directories(link.parent_path());
    std::filesystem::create_symlink(elsewhere.path() / "target", link);
    const auto refused = Workspace::open(root.path());
    ASSERT_FALSE(refused.ok()) << name;
    EXPECT_EQ(refused.error().code(), ErrorCode::kInvalidArgument) << name;
    EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path())) << name;
  }
}

TEST(Workspace, WithoutIndexSaysHowToMakeOne) {
  const testing::TemporaryDirectory root;
  const auto missing = Workspace::open_existing(root.path());
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message().find("codexmem index"), std::string::npos);
}

}  // namespace
}  // namespace codexmem::store
