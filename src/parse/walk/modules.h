// parse/walk/modules.h - the imports and exports of a file.
//
// Internal to parse. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/walk/builder.h"
#include "parse/walk/symbols.h"

namespace codexmem::parse {

class ModuleBuilder : private Builder {
 public:
  ModuleBuilder(const Builder& base, SymbolBuilder& symbols) : Builder(base), symbols_(symbols) {}

  /// Begins a new file.
  void reset();

  /// Adds the imports and exports of `pattern`, which matches the node of frame `index`, if any.
  void add_module_fact(const Pattern& pattern, std::uint32_t index, const Captures& captures);

 private:
  /// An export of an import call whose import is not yet known.
  struct PendingReexport {
    const void* call = nullptr;
    std::uint32_t export_index = 0;
  };

  std::uint32_t add_import(std::uint32_t index, ImportKind kind, const Node& source);
  void import_package(std::uint32_t index, const Node& name, const Node& source);
  void import_qualified(std::uint32_t index, const Node& source, const Node& alias);
  void import_use(std::uint32_t index);
  void import_namespace(std::uint32_t index, const Node& name, const Node& source);
  void import_tree(std::uint32_t index);
  void import_module(std::uint32_t index, const Node& name);
  void import_modules(std::uint32_t index, const Node& macro, const Node& tree);
  void import_list(std::uint32_t index, std::uint32_t from_import);
  void import_declarator(std::uint32_t index, const Captures& captures, ImportKind kind);
  void export_specifier(std::uint32_t index, const Captures& captures);
  void add_reexport(const Node& call, const Export& added, std::string_view exported);
  void export_value(std::uint32_t index, std::string_view exported, const Node& at,
                    const Node& value, bool commonjs);
  void export_all(const Captures& captures);

  SymbolBuilder& symbols_;
  std::vector<PendingReexport> pending_reexports_;
  std::vector<const void*> imported_calls_;  // calls whose import a declarator already made
};

}  // namespace codexmem::parse
