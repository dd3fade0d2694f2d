// Tested by exchange/scip_export_test.cpp, and by bench/scip.py with the public program `scip`.
#include "exchange/scip_export.h"

#include <algorithm>
#include <map>
#include <protozero/pbf_builder.hpp>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/percent.h"
#include "config/path_kind.h"
#include "exchange/scip_schema.h"
#include "exchange/scip_symbol.h"
#include "privacy/shown_code.h"
#include "text/declaration_text.h"
#include "text/line_index.h"

namespace codexmem::exchange {
namespace {

using graph::CertainMeaning;
using graph::Entity;
using graph::EntityKind;
using graph::FileModel;
using parse::kNoIndex;
template <typename T>
using Builder = protozero::pbf_builder<T>;

// Line and columns from 0, as SCIP has them.
std::vector<std::int32_t> scip_range(const LineIndex& lines, ByteRange range) {
  const auto column = [&](std::uint32_t offset, std::uint32_t line) {
    return static_cast<std::int32_t>(offset - lines.line_begin(line));
  };
  const std::uint32_t first = lines.line_of(range.begin), last = lines.line_of(range.end);
  std::vector<std::int32_t> numbers = {static_cast<std::int32_t>(first) - 1,
                                       column(range.begin, first)};
  if (last != first) numbers.push_back(static_cast<std::int32_t>(last) - 1);
  numbers.push_back(column(range.end, last));
  return numbers;
}

template <typename T>
std::string framed(T tag, const std::string& message) {
  std::string bytes;
  Builder<T>(bytes).add_message(tag, message);
  return bytes;
}

class ScipExport {
 public:
  ScipExport(store::CodeReader& reader, const ScipHead& head, const Output& output)
      : reader_(reader), head_(head), output_(output) {}

  Result<ScipReport> run(graph::FactsCache& cache) {
    CODEXMEM_TRY(output_(framed(scip::Index::kMetadata, metadata())));
    CODEXMEM_ASSIGN(report_.walked, walk_code(cache, reader_, [&](WalkedFile& file) {
                      return write_document(file);
                    }));
    for (const auto& [symbol, name] : outside_) {
      std::string information;
      Builder<scip::SymbolInformation> builder(information);
      builder.add_string(scip::SymbolInformation::kSymbol, symbol);
      builder.add_string(scip::SymbolInformation::kDisplayName, name);
      CODEXMEM_TRY(output_(framed(scip::Index::kExternalSymbols, information)));
    }
    return report_;
  }

 private:
  std::string metadata() const {
    std::string tool, bytes;
    Builder<scip::ToolInfo> info(tool);
    info.add_string(scip::ToolInfo::kName, scip::kOwnTool);
    info.add_string(scip::ToolInfo::kVersion, head_.version);
    Builder<scip::Metadata> metadata(bytes);
    metadata.add_message(scip::Metadata::kToolInfo, tool);
    metadata.add_string(scip::Metadata::kProjectRoot,
                        "file://" + percent_encoded(head_.root, "/-._~"));
    metadata.add_enum(scip::Metadata::kTextEncoding, scip::kTextUtf8);
    return bytes;
  }

  Result<void> write_document(WalkedFile& file) {
    CODEXMEM_ASSIGN(const auto content, reader_.find_content(file.row.id));
    const std::string text = content.value_or("");
    const LineIndex lines(text);
    lines_ = &lines;
    document_.clear();
    written_.clear();
    described_.clear();
    Builder<scip::Document> document(document_);
    document.add_string(scip::Document::kRelativePath, file.row.path);
    document.add_string(scip::Document::kLanguage, std::string(scip_language(file.row.language)));
    document.add_enum(scip::Document::kPositionEncoding,
                      static_cast<std::int32_t>(scip::Columns::kUtf8));
    every_role_ = is_test_path(file.row.path) ? scip::kTest : 0;
    if ((file.row.flags & store::kFileGenerated) != 0) every_role_ |= scip::kGenerated;
    add_module(file, document);
    for (std::uint32_t i = 0; i < file.model.facts.occurrences.size(); ++i) {
      if (!file.model.facts.occurrences[i].by_syntax) add_occurrence(file, i, document);
    }
    CODEXMEM_TRY(add_symbols(file, text, document));
    return output_(framed(scip::Index::kDocuments, document_));
  }

  // The file itself is a symbol, which begins with it.
  void add_module(const WalkedFile& file, Builder<scip::Document>& document) {
    const std::string symbol = scip_file_symbol(head_.package, file.row.path);
    add_place(document, symbol, {0, 0}, scip::kDefinition, nullptr);
    std::string information;
    Builder<scip::SymbolInformation> builder(information);
    builder.add_string(scip::SymbolInformation::kSymbol, symbol);
    builder.add_enum(scip::SymbolInformation::kKind, 16);  // File
    builder.add_string(scip::SymbolInformation::kDisplayName, file.row.path);
    document.add_message(scip::Document::kSymbols, information);
  }

  void add_occurrence(WalkedFile& file, std::uint32_t index, Builder<scip::Document>& document) {
    const FileModel& model = file.model;
    const parse::Occurrence& at = model.facts.occurrences[index];
    const ByteRange range{at.offset,
                          at.offset + static_cast<std::uint32_t>(model.name(at.name).size())};
    if (add_local_definition(model, range, document)) return;
    const CertainMeaning meaning = file.meanings.at(model, index);
    const std::int32_t role = role_of(model, index);
    switch (meaning.kind) {
      case CertainMeaning::Kind::kSymbols:
        for (const Entity& entity : meaning.entities) {
          add_symbol_place(file, entity, range, role, document);
        }
        return;
      case CertainMeaning::Kind::kModule: {
        const FileModel& module = *meaning.entities[0].file;
        if (module.is_library) {
          return add_outside(scip_outside_symbol(module.path, {}), module.path, range, role,
                             document);
        }
        return add_place(document, scip_file_symbol(head_.package, module.path), range, role,
                         nullptr);
      }
      case CertainMeaning::Kind::kLocal:
        return add_place(document, local_symbol(model, meaning.entities[0].index), range, role,
                         nullptr);
      case CertainMeaning::Kind::kOutside:
        if (meaning.package.empty()) {
          ++report_.outside;
          return;
        }
        return add_outside(scip_outside_symbol(meaning.package, meaning.name), model.name(at.name),
                           range, role, document);
      case CertainMeaning::Kind::kUncertain:
        ++report_.uncertain;
        return;
      case CertainMeaning::Kind::kNothing:
        return;
    }
  }

  void add_symbol_place(WalkedFile& file, const Entity& entity, ByteRange range, std::int32_t role,
                        Builder<scip::Document>& document) {
    if (graph::is_of_library(entity)) {
      return add_outside(scip_symbol({}, *entity.file, entity.index), symbol_of(entity).name, range,
                         role, document);
    }
    const bool is_own =
        entity.file == &file.model && symbol_of(entity).name_range.begin == range.begin;
    const Entity main = file.meanings.representative(entity);
    const std::string symbol = scip_symbol(head_.package, *main.file, main.index);
    if (!is_own) return add_place(document, symbol, range, role, nullptr);
    const bool is_main = main.file == entity.file && main.index == entity.index;
    const bool is_elsewhere = !is_main && main.file != entity.file;
    add_place(document, symbol, range, is_elsewhere ? scip::kForwardDefinition : scip::kDefinition,
              &symbol_of(entity).range);
  }

  void add_outside(const std::string& symbol, const std::string& name, ByteRange range,
                   std::int32_t role, Builder<scip::Document>& document) {
    outside_.try_emplace(symbol, name);
    add_place(document, symbol, range, role, nullptr);
  }

  // The declaration of a local, a parameter or a type parameter; false where none is.
  bool add_local_definition(const FileModel& model, ByteRange range,
                            Builder<scip::Document>& document) {
    const std::uint32_t binding = model.binding_at(range.begin);
    if (binding == kNoIndex || model.symbol_named_at(range.begin) != kNoIndex) return false;
    const parse::Binding& bound = model.facts.bindings[binding];
    if (bound.kind != parse::BindingKind::kParameter && bound.kind != parse::BindingKind::kLocal &&
        bound.kind != parse::BindingKind::kTypeParameter) {
      return false;
    }
    const bool is_first = model.bindings_in(bound.scope, bound.name).front() == binding;
    add_place(document, local_symbol(model, binding), range,
              is_first ? scip::kDefinition : scip::kWriteAccess, nullptr);
    return true;
  }

  static std::string local_symbol(const FileModel& model, std::uint32_t binding) {
    const parse::Binding& bound = model.facts.bindings[binding];
    return "local " + std::to_string(model.bindings_in(bound.scope, bound.name).front());
  }

  static std::int32_t role_of(const FileModel& model, std::uint32_t occurrence) {
    switch (graph::usage_kind(model, occurrence)) {
      case graph::UsageKind::kImport:
        return scip::kImport;
      case graph::UsageKind::kWrite:
        return scip::kWriteAccess;
      case graph::UsageKind::kRead:
      case graph::UsageKind::kCall:
        return scip::kReadAccess;
      default:
        return 0;
    }
  }

  void add_place(Builder<scip::Document>& document, const std::string& symbol, ByteRange range,
                 std::int32_t role, const ByteRange* around) {
    if (!written_.insert({range.begin, symbol}).second) return;
    ++report_.occurrences;
    std::string bytes;
    Builder<scip::Occurrence> builder(bytes);
    const auto numbers = scip_range(*lines_, range);
    builder.add_packed_int32(scip::Occurrence::kRange, numbers.begin(), numbers.end());
    builder.add_string(scip::Occurrence::kSymbol, symbol);
    if (role + every_role_ != 0) builder.add_int32(scip::Occurrence::kRoles, role | every_role_);
    if (around != nullptr) {
      const auto outer = scip_range(*lines_, *around);
      builder.add_packed_int32(scip::Occurrence::kEnclosingRange, outer.begin(), outer.end());
    }
    document.add_message(scip::Document::kOccurrences, bytes);
    if (symbol.starts_with("local ") && described_.insert(symbol).second) {
      std::string information;
      Builder<scip::SymbolInformation>(information)
          .add_string(scip::SymbolInformation::kSymbol, symbol);
      document.add_message(scip::Document::kSymbols, information);
    }
  }

  // What the file's own symbols are.
  Result<void> add_symbols(WalkedFile& file, const std::string& text,
                           Builder<scip::Document>& document) {
    CODEXMEM_ASSIGN(const auto rows, reader_.list_symbols(file.row.id));
    privacy::ShownCode shown(text);
    for (const store::SymbolRow& row : rows) {
      const std::uint32_t index = store::ordinal_of(row.id);
      if (index >= file.model.facts.symbols.size()) continue;
      const Entity own{EntityKind::kSymbol, &file.model, index};
      const Entity main = file.meanings.representative(own);
      if (main.file != own.file) continue;  // described where it is defined
      const std::string symbol = scip_symbol(head_.package, file.model, main.index);
      if (!described_.insert(symbol).second) continue;
      ++report_.symbols;
      if (symbol_of(own).name_range.empty()) {  // an anonymous default export
        const std::uint32_t begin = symbol_of(own).range.begin;
        add_place(document, symbol, {begin, begin}, scip::kDefinition, &symbol_of(own).range);
      }
      std::string information;
      Builder<scip::SymbolInformation> builder(information);
      builder.add_string(scip::SymbolInformation::kSymbol, symbol);
      if (!row.docstring_range.empty()) {
        builder.add_string(scip::SymbolInformation::kDocumentation,
                           docstring_text(shown.part(row.docstring_range)));
      }
      add_relationships(file, own, symbol, builder);
      builder.add_enum(scip::SymbolInformation::kKind, scip_kind(row));
      builder.add_string(scip::SymbolInformation::kDisplayName, row.name);
      if (!row.signature_range.empty()) {
        std::string signature;
        Builder<scip::Document> lines(signature);
        lines.add_string(scip::Document::kLanguage, std::string(scip_language(file.row.language)));
        lines.add_string(scip::Document::kText, signature_text(shown.part(row.signature_range)));
        builder.add_message(scip::SymbolInformation::kSignature, signature);
      }
      builder.add_string(scip::SymbolInformation::kEnclosingSymbol,
                         scip_enclosing_symbol(head_.package, file.model, main.index));
      document.add_message(scip::Document::kSymbols, information);
    }
    return {};
  }

  // What a type extends and a member overrides, as far as that is certain.
  void add_relationships(WalkedFile& file, const Entity& own, const std::string& symbol,
                         Builder<scip::SymbolInformation>& builder) {
    const bool is_type = graph::is_type_like(symbol_of(own));
    const graph::Entities above = is_type ? file.resolver.supertypes(file.model, own.index)
                                          : file.resolver.overridden(file.model, own.index);
    std::set<std::string> known = {symbol};
    for (const Entity& entity : above) {
      const bool is_symbol = entity.kind == EntityKind::kSymbol || graph::is_instance(entity);
      if (!is_symbol || graph::is_of_library(entity)) continue;
      const Entity main =
          file.meanings.representative({EntityKind::kSymbol, entity.file, entity.index});
      const std::string other = scip_symbol(head_.package, *main.file, main.index);
      if (!known.insert(other).second) continue;
      std::string bytes;
      Builder<scip::Relationship> relationship(bytes);
      relationship.add_string(scip::Relationship::kSymbol, other);
      if (!is_type) relationship.add_bool(scip::Relationship::kIsReference, true);
      relationship.add_bool(scip::Relationship::kIsImplementation, true);
      builder.add_message(scip::SymbolInformation::kRelationships, bytes);
    }
  }

  store::CodeReader& reader_;
  const ScipHead& head_;
  const Output& output_;
  ScipReport report_;
  std::map<std::string, std::string> outside_;  // external symbols, with their names
  // Of the document that is being written.
  std::string document_;
  const LineIndex* lines_ = nullptr;
  std::int32_t every_role_ = 0;
  std::set<std::pair<std::uint32_t, std::string>> written_;  // places, by offset and symbol
  std::set<std::string> described_;
};

}  // namespace

Result<ScipReport> export_scip(graph::FactsCache& cache, store::CodeReader& reader,
                               const ScipHead& head, const Output& output) {
  return ScipExport(reader, head, output).run(cache);
}

}  // namespace codexmem::exchange
