// tests/support/code_fixture.h - a small repository in a real store: files, facts, dependencies.
//
// For tests of what reads the store. It does by hand what an index run does, one file at a time:
// extract, write, resolve imports. Link graph.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "text/json.h"
#include "text/line_index.h"
#include "base/text.h"
#include "graph/imports/import_resolver.h"
#include "graph/stored/stored_declarations.h"
#include "parse/text/chunks.h"
#include "parse/components/component_script.h"
#include "parse/walk/extract.h"
#include "parse/facts/facts_codec.h"
#include "parse/rules/languages.h"
#include "store/code/code_writer.h"
#include "store/code/workspace.h"
#include "support/temporary_directory.h"

namespace codexmem::testing {

/// The record of a file as an index run would write it.
inline store::FileRecord make_record(const std::string& path, const std::string& text,
                                     const parse::FileFacts& facts) {
  store::FileRecord record;
  record.file.path = path;
  const parse::Language* language = parse::detect_language(path, text);
  record.file.language = language == nullptr ? "text" : language->name;
  record.file.hash = path;
  record.file.size = static_cast<std::int64_t>(text.size());
  record.content = text;
  const LineIndex lines(text);
  record.file.line_count = lines.line_count();
  for (std::uint32_t i = 0; i < facts.symbols.size(); ++i) {
    const parse::Symbol& symbol = facts.symbols[i];
    store::SymbolRow row;
    row.id = store::symbol_id(store::FileId{0}, i);
    row.name = parse::asked_name(symbol, path);
    row.type = symbol.type;
    row.kind = symbol.kind;
    if (symbol.parent != parse::kNoIndex) {
      row.parent = store::symbol_id(store::FileId{0}, symbol.parent);
    }
    if (symbol.qualified_name.size() > symbol.name.size() &&
        symbol.qualified_name.ends_with("." + symbol.name)) {
      row.container =
          symbol.qualified_name.substr(0, symbol.qualified_name.size() - symbol.name.size() - 1);
    }
    row.range = symbol.range;
    row.start = lines.position_of(symbol.range.begin);
    row.end = lines.position_of(symbol.range.end);
    row.name_byte = symbol.name_range.begin;
    row.name_start = lines.position_of(symbol.name_range.begin);
    row.signature_range = symbol.signature;
    row.docstring_range = symbol.docstring;
    row.modifiers = dump_json(Json(symbol.modifiers));
    row.exported = symbol.exported;
    record.symbols.push_back(std::move(row));
  }
  const auto chunks = language == nullptr ? parse::chunk_lines(text) : facts.chunks;
  for (std::uint32_t i = 0; i < chunks.size(); ++i) {
    record.chunks.push_back({store::chunk_id(store::FileId{0}, i), chunks[i].range,
                             chunks[i].start_line, chunks[i].end_line, std::nullopt});
  }
  record.facts = parse::encode_facts(facts).value();
  record.identifiers = join(facts.names, " ");
  return record;
}

class CodeFixture : private graph::ConfigSource {
 public:
  explicit CodeFixture(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {
    auto opened = store::Workspace::open(directory_.path());
    EXPECT_TRUE(opened.ok()) << (opened.ok() ? "" : opened.error().message());
    workspace_ = std::move(opened).value();
    write();
  }

  store::Workspace& workspace() { return *workspace_; }
  const std::string& text(const std::string& path) const { return texts_.at(path); }

 private:
  std::optional<std::string> read(std::string_view path) override {
    const auto found = texts_.find(std::string(path));
    return found == texts_.end() ? std::nullopt : std::optional(found->second);
  }

  void write() {
    store::Database* database = workspace_->writer().value();
    store::CodeWriter writer(*database);
    auto transaction = store::Transaction::begin(*database);
    ASSERT_TRUE(transaction.ok());
    ASSERT_TRUE(writer.begin_generation().ok());
    parse::Extractor extractor;
    std::vector<graph::ProjectFile> files;
    std::vector<parse::FileFacts> all_facts;
    for (const auto& [path, text] : texts_) {
      const parse::Language* language = parse::detect_language(path, text);
      parse::FileFacts facts;
      if (language != nullptr) {
        auto extracted = extractor.extract(*language, text);
        ASSERT_TRUE(extracted.ok()) << path;
        facts = std::move(extracted).value();
      }
      auto id = writer.add_file(make_record(path, text, facts));
      ASSERT_TRUE(id.ok()) << path << ": " << (id.ok() ? "" : id.error().message());
      files.push_back({*id, path, language ? parse::family_of(*language) : parse::Family::kNone});
      all_facts.push_back(std::move(facts));
    }
    store::StoreReader reader(*database);
    graph::StoredDeclarations declarations(reader);
    graph::ImportResolver resolver(files, *this, {}, &declarations);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const auto lines = graph::import_lines(all_facts[i], LineIndex(texts_.at(files[i].path)));
      const auto rows = resolver.make_dependencies(files[i], all_facts[i], lines);
      ASSERT_TRUE(writer.put_dependencies(files[i].id, rows).ok());
    }
    ASSERT_TRUE(transaction->commit().ok());
  }

  std::map<std::string, std::string> texts_;
  TemporaryDirectory directory_;
  std::unique_ptr<store::Workspace> workspace_;
};

}  // namespace codexmem::testing
