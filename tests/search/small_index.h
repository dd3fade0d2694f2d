// tests/search/small_index.h - a workspace whose rows are put directly: no parser, no pipeline.
//
// Chunks are the parts of a text between blank lines. A definition is the line that holds its name
// first, and all lines below it that are indented deeper.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "text/trigrams.h"
#include "text/words.h"
#include "embed/static_model.h"
#include "embed/vector_codes.h"
#include "store/code/code_writer.h"
#include "store/code/workspace.h"
#include "support/temporary_directory.h"

namespace codexmem::search {

struct SmallDefinition {
  std::string name;
  SymbolType type = SymbolType::kFunction;
  std::string kind = "function";
};

struct SmallFile {
  std::string path;
  std::string content;
  std::vector<SmallDefinition> definitions = {};
  std::string language = "python";
};

class SmallIndex {
 public:
  SmallIndex()
      : workspace_(store::Workspace::open(directory_.path()).value()),
        writer_(*workspace_->writer().value()),
        model_(embed::StaticModel::built_in().value()) {}

  store::Workspace& workspace() { return *workspace_; }
  store::CodeWriter& writer() { return writer_; }

  /// Adds files in one generation.
  void add(const std::vector<SmallFile>& files, bool with_vectors = false) {
    EXPECT_TRUE(writer_.begin_generation().ok());
    for (const SmallFile& file : files) {
      const store::FileRecord record = record_of(file);
      const store::FileId id = writer_.add_file(record).value();
      if (with_vectors) add_vectors(id, record);
    }
  }

  /// For each pair, makes the file of the first path import the file of the second; unknown ones
  /// are not found.
  void add_imports(const std::vector<std::pair<std::string, std::string>>& pairs) {
    auto reader = workspace_->reader().value();
    std::map<store::FileId, std::vector<store::DependencyRow>> rows;
    for (const auto& [source, target] : pairs) {
      store::DependencyRow row;
      row.source = reader->find_file(source).value()->id;
      if (const auto file = reader->find_file(target).value()) row.target = file->id;
      row.import_path = target;
      row.import_type = "import";
      rows[row.source].push_back(std::move(row));
    }
    for (const auto& [source, of_source] : rows) {
      EXPECT_TRUE(writer_.put_dependencies(source, of_source).ok());
    }
  }

  void replace(const SmallFile& file, const SmallFile& by) {
    EXPECT_TRUE(writer_.begin_generation().ok());
    const auto id = workspace_->reader().value()->find_file(file.path).value()->id;
    EXPECT_TRUE(writer_.replace_file(id, record_of(by), record_of(file).identifiers).ok());
  }

  void remove(const SmallFile& file) {
    EXPECT_TRUE(writer_.begin_generation().ok());
    const auto id = workspace_->reader().value()->find_file(file.path).value()->id;
    EXPECT_TRUE(writer_.remove_file(id, record_of(file).identifiers).ok());
  }

 private:
  static store::FileRecord record_of(const SmallFile& file) {
    store::FileRecord record;
    record.file.path = file.path;
    record.file.language = file.language;
    record.file.hash = file.content;
    record.file.size = static_cast<std::int64_t>(file.content.size());
    record.content = file.content;
    record.trigrams = TrigramFilterMaker().make(file.content);
    std::uint32_t ordinal = 0;
    for (const SmallDefinition& definition : file.definitions) {
      record.symbols.push_back(symbol_of(file.content, definition, ordinal++));
    }
    std::uint32_t line = 1, index = 0;
    for (std::size_t at = 0; at < file.content.size();) {
      const std::size_t end = std::min(file.content.find("\n\n", at), file.content.size());
      store::ChunkRow chunk;
      chunk.id = store::chunk_id(store::FileId{0}, index++);
      chunk.range = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)};
      chunk.start_line = line;
      chunk.end_line = line + lines_in(file.content.substr(at, end - at));
      record.chunks.push_back(chunk);
      line = chunk.end_line + 2;
      at = end + 2;
    }
    std::set<std::string> identifiers;
    std::string word;
    for (const char c : file.content + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
      } else if (!word.empty()) {
        identifiers.insert(std::exchange(word, ""));
      }
    }
    for (const std::string& one : identifiers) {
      record.identifiers += (record.identifiers.empty() ? "" : " ") + one;
    }
    return record;
  }

  static std::uint32_t lines_in(const std::string& text) {
    return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
  }

  static store::SymbolRow symbol_of(const std::string& content, const SmallDefinition& definition,
                                    std::uint32_t ordinal) {
    store::SymbolRow symbol;
    symbol.id = store::symbol_id(store::FileId{0}, ordinal);
    symbol.name = definition.name;
    symbol.type = definition.type;
    symbol.kind = definition.kind;
    const std::size_t name = content.find(definition.name);
    EXPECT_NE(name, std::string::npos) << definition.name;
    const std::size_t before = content.rfind('\n', name);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    std::size_t end = content.find('\n', name);
    while (end != std::string::npos && end + 1 < content.size() && content[end + 1] == ' ') {
      end = content.find('\n', end + 1);
    }
    end = std::min(end, content.size());
    symbol.range = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    symbol.start = {1 + lines_in(content.substr(0, begin)), 1};
    symbol.end = {1 + lines_in(content.substr(0, end)), 9};
    symbol.name_byte = static_cast<std::uint32_t>(name);
    symbol.name_start = symbol.start;
    return symbol;
  }

  void add_vectors(store::FileId id, const store::FileRecord& record) {
    embed::WordBagCollector collector(*model_);
    const auto model = writer_
                           .put_model({.name = model_->id(),
                                       .dimension = model_->dimension(),
                                       .code_values = embed::code_values().value()})
                           .value();
    std::vector<store::VectorRow> rows;
    const auto put = [&](std::uint32_t index) {
      const embed::WordBag bag = collector.take();
      std::vector<float> vector(model_->dimension());
      model_->document_vector(bag, vector);
      rows.push_back(
          {store::chunk_id(id, index), embed::encode_vectors(vector, model_->dimension()).value()});
    };
    for (std::uint32_t i = 0; i < record.chunks.size(); ++i) {
      const ByteRange range = record.chunks[i].range;
      collector.add(std::string_view(record.content).substr(range.begin, range.size()));
      put(i);
    }
    collector.add(record.file.path);
    collector.add(record.file.path);
    for (const auto& symbol : record.symbols) collector.add(symbol.name);
    put(store::kFileVectorIndex);
    EXPECT_TRUE(writer_.put_vectors(model, rows).ok());
  }

  testing::TemporaryDirectory directory_;
  std::unique_ptr<store::Workspace> workspace_;
  store::CodeWriter writer_;
  std::shared_ptr<const embed::StaticModel> model_;
};

}  // namespace codexmem::search
