// graph/core/file_model.h - the facts of one file, with the lookups that resolution needs.
//
// Built once from a file's packed facts, then read-only and shared by threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/core/compiler_uses.h"
#include "graph/core/language_semantics.h"
#include "parse/facts/facts.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

class FileModel {
 public:
  /// `of_library`: see is_library.
  FileModel(const store::FileRow& row, parse::FileFacts facts, bool of_library = false,
            CompilerUses compiler = {});

  store::FileId id;
  std::string path;
  std::string language;
  Family family = Family::kNone;
  const LanguageSemantics& semantics;  // of the family
  /// A unit of the language's library (core/library_units.h): its path is like "go:net/http", its
  /// id is below the store's ids, and its symbols cannot be asked for.
  const bool is_library;
  parse::FileFacts facts;
  const CompilerUses compiler;  // what a compiler's indexer said of it, if one did

  /// True if a compiler's index describes the file.
  bool is_covered() const { return !compiler.tool.empty(); }

  /// Symbol number `number` of those that are called `qualified_name`; kNoIndex without one.
  std::uint32_t symbol_called(std::string_view qualified_name, std::uint32_t number) const;

  /// The number by which symbol_called() finds `symbol`.
  std::uint32_t number_of(std::uint32_t symbol) const;

  const std::string& name(parse::NameId id_of_name) const { return facts.names[id_of_name]; }

  /// The id of `text` among the file's names.
  std::optional<parse::NameId> find_name(std::string_view text) const;

  /// Occurrences of a name, by offset.
  std::span<const std::uint32_t> occurrences_of(parse::NameId wanted) const;

  /// The occurrence that begins at byte `offset`; kNoIndex without one.
  std::uint32_t occurrence_at(std::uint32_t offset) const;

  /// The occurrence of the name before the dot of `occurrence`, without its type arguments: for
  /// a<T>::b, of a. kNoIndex when the receiver is not a name.
  std::uint32_t named_receiver(std::uint32_t occurrence) const;

  /// The innermost scope that holds `offset`.
  std::uint32_t scope_at(std::uint32_t offset) const;

  /// Bindings of a name in one scope, by offset.
  std::span<const std::uint32_t> bindings_in(std::uint32_t scope, parse::NameId wanted) const;

  /// The binding with an identifier that begins at `offset`; kNoIndex without one.
  std::uint32_t binding_at(std::uint32_t offset) const;

  /// True if the name of a binding is visible at `offset`: behind its declaration, or anywhere in
  /// its scope for type parameters.
  bool is_seen(std::uint32_t binding, std::uint32_t offset) const;

  /// The symbol that a symbol is a member of; kNoIndex at top level. Its parent, or for X.y = ...
  /// and X.prototype.y = ... the symbol X.
  std::uint32_t owner_of(std::uint32_t symbol) const { return owners_[symbol]; }

  /// Symbols called `wanted` that symbol `owner` owns (kNoIndex: top level).
  std::span<const std::uint32_t> members_of(std::uint32_t owner, parse::NameId wanted) const;
  std::span<const std::uint32_t> all_members(std::uint32_t owner) const;
  bool has_members(std::uint32_t owner) const;

  /// True if the symbol has an owner, or is a method of a type in another file.
  bool is_member(std::uint32_t symbol) const {
    return owners_[symbol] != parse::kNoIndex || facts.symbols[symbol].type == SymbolType::kMethod;
  }

  /// True for a member that an assignment makes: this.x = ..., self.x = ...
  bool is_assigned_member(std::uint32_t symbol) const;

  /// True for a symbol that is only a type or only a value; a class is both.
  bool is_only_type(std::uint32_t symbol) const;
  bool is_only_value(std::uint32_t symbol) const;

  /// The symbol with its name at `offset`; kNoIndex without one.
  std::uint32_t symbol_named_at(std::uint32_t offset) const;

  /// The innermost symbol whose range holds `offset`; kNoIndex at top level.
  std::uint32_t symbol_at(std::uint32_t offset) const;

  /// The symbol around the text of `symbol`. It is not the parent when a member is written
  /// elsewhere: self.x = 1 is in __init__, its parent is the class.
  std::uint32_t surrounding(std::uint32_t symbol) const { return surrounding_[symbol]; }

  /// Names of the symbol and those around it, joined by ".".
  std::string qualified_name(std::uint32_t symbol) const;

  /// Exports under a name, by offset.
  std::span<const std::uint32_t> exports_named(parse::NameId wanted) const;
  /// Exports of all names of other modules.
  const std::vector<std::uint32_t>& star_exports() const { return star_exports_; }
  /// Imports of all names into the module's scope.
  const std::vector<std::uint32_t>& star_imports() const { return star_imports_; }

  /// The name of an import statement whose token begins at `offset`: (import, index of its name).
  std::optional<std::pair<std::uint32_t, std::uint32_t>> imported_name_at(
      std::uint32_t offset) const;

  /// The export with a name token that begins at `offset`; kNoIndex without one.
  std::uint32_t export_at(std::uint32_t offset) const;

  /// The supertypes that a symbol names, in source order.
  std::vector<const parse::Heritage*> heritage_of(std::uint32_t symbol) const;

  /// The type parameters of a symbol, in source order: bindings.
  std::vector<std::uint32_t> type_parameters_of(std::uint32_t symbol) const;

  /// The type that name `wanted` is narrowed to at `offset`: a term; kNoIndex where it is not.
  parse::TermId narrowed_at(parse::NameId wanted, std::uint32_t offset) const;

  /// The call that has `occurrence` as its callee; nothing when it passes no arguments, kNoIndex
  /// when they are not known.
  std::optional<parse::TermId> call_of(std::uint32_t occurrence) const;

  /// The parts of a term.
  std::span<const parse::TermId> parts_of(const parse::Term& term) const {
    return {facts.term_parts.data() + term.first_part, term.part_count};
  }

  /// True if `offset` is in documentation: names there have a meaning, but are not uses.
  bool is_documentation(std::uint32_t offset) const;

  /// True if the file is a script: without imports and exports, so that its names are global.
  bool is_script() const;

  /// Approximate bytes of memory held.
  std::size_t memory_bytes() const { return memory_bytes_; }

 private:
  std::vector<std::uint32_t> occurrences_by_name_;
  std::vector<std::uint32_t> occurrence_begins_;  // by name: first index; one more than names
  std::vector<std::uint32_t> bindings_by_scope_;  // by (scope, name, offset)
  std::vector<std::uint32_t> bindings_by_offset_;
  void find_owners();

  std::vector<std::uint32_t> owners_;
  std::unordered_map<std::uint32_t, parse::NameId> apart_;  // methods to the names of their types
  std::vector<std::uint32_t> symbols_by_owner_;             // by (owner, name)
  std::vector<std::uint32_t> symbols_by_name_offset_;
  std::vector<std::uint32_t> exports_by_name_;
  std::vector<std::uint32_t> exports_by_offset_;
  std::vector<std::uint32_t> star_exports_;
  std::vector<std::uint32_t> star_imports_;
  struct ImportedAt {
    std::uint32_t offset, import, name;
  };
  std::vector<ImportedAt> imported_by_offset_;
  std::vector<std::uint32_t> type_parameters_;     // bindings, by symbol and offset
  std::vector<std::uint32_t> heritage_by_symbol_;  // in source order for each
  std::vector<std::uint32_t> surrounding_;
  std::vector<parse::NameId> symbol_names_;  // by symbol; kNoIndex when not among the names
  std::size_t memory_bytes_ = 0;
};

}  // namespace codexmem::graph
