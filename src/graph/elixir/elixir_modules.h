// graph/elixir/elixir_modules.h - modules by their full name, and the names visible at a place.
//
// Results are kept as long as the Resolver. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/core/resolver.h"

namespace codexmem::graph {

/// A directive: import `import` of `file`.
struct ElixirDirective {
  const FileModel* file = nullptr;
  std::uint32_t import = 0;
};

/// What a name of a function or type is asked with.
struct ElixirName {
  std::string name;
  std::uint32_t arity = 0;
  bool has_arity = false;
  bool is_type = false;
};

class ElixirModules : public Resolver::Memory {
 public:
  /// The symbol of the module around a place, or kNoIndex.
  std::uint32_t module_at(const FileModel& file, std::uint32_t offset) const;

  /// The full name of a module's symbol, with the modules around it: "A.B".
  const std::string& full_name(Resolver& resolver, const FileModel& file, std::uint32_t symbol);

  /// The full name of the module that a dotted name, as it is written, means at a place.
  std::string expanded(Resolver& resolver, const FileModel& file, std::string_view written,
                       std::uint32_t offset, int depth = 0);

  /// True where a directive before `offset` binds `name`.
  bool is_alias(const FileModel& file, std::string_view name, std::uint32_t offset) const;

  /// The full name of the module that occurrence `index`, part of a dotted name or an attribute,
  /// means; "" where that is not known.
  std::string named_by(Resolver& resolver, const FileModel& file, std::uint32_t index);

  /// The modules and protocols of that full name.
  Entities modules(Resolver& resolver, const std::string& full);

  /// Functions, macros and callbacks, or types, of the module of that full name.
  Entities members(Resolver& resolver, const std::string& full, const ElixirName& name,
                   const FileModel* only = nullptr);

  /// Attributes and fields: what else a module has under a name.
  Entities values(Resolver& resolver, const std::string& full, const std::string& name,
                  SymbolType type);

  /// What `use` of a module gives its users under that name.
  Entities injected_members(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                            const ElixirName& name);

  /// What a bare name of a function or type means at a place; empty where nothing known has it.
  Entities bare(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                const ElixirName& name);

  /// The directives that a place sees, of the modules that it uses too.
  const std::vector<ElixirDirective>& seen_at(Resolver& resolver, const FileModel& file,
                                              std::uint32_t offset);

 private:
  const parse::Import* alias_at(const FileModel& file, std::uint32_t scope, parse::NameId name,
                                std::uint32_t offset) const;
  void inject(Resolver& resolver, const std::string& full, const std::string& part, int depth,
              std::vector<ElixirDirective>& to);
  std::string path_of(Resolver& resolver, const ElixirDirective& directive);

  /// The symbols called `name` that are in the module or function of that full name.
  const std::vector<const store::SymbolRow*>& rows_in(Resolver& resolver, const std::string& name,
                                                      const std::string& container);

  using RowsByContainer = std::unordered_map<std::string, std::vector<const store::SymbolRow*>>;
  std::unordered_map<std::string, RowsByContainer> rows_;  // by name
  std::map<std::pair<const FileModel*, std::uint32_t>, std::string> full_names_;
  std::map<std::string, Entities> modules_;
  std::map<std::pair<const FileModel*, std::uint32_t>, std::vector<ElixirDirective>> seen_;
};

/// The number of arguments that functions take which the symbol declares: from, to.
std::pair<std::uint32_t, std::uint32_t> elixir_arities(const FileModel& file, std::uint32_t symbol);

}  // namespace codexmem::graph
