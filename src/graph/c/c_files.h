// graph/c/c_files.h - what files of C and C++ see of each other through includes.
//
// Internal to the two languages. Nothing is kept but in the Resolver's memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "graph/core/language_semantics.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// A set of files: a bit for each.
class FileSet {
 public:
  bool contains(store::FileId id) const;

  /// True for a file that was not in it.
  bool insert(store::FileId id);

  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  std::vector<std::uint64_t> words_;
};

/// The file and all that it includes, as far as they are in the repository.
std::shared_ptr<const FileSet> files_seen(Resolver& resolver, store::FileId id);

/// The file and all that include it.
std::shared_ptr<const FileSet> files_around(Resolver& resolver, store::FileId id);

/// Of `rows`, declarations of one name and kind, those that are one with `own`, which may be among
/// them: what it sees or what sees it, what sees a prototype that it sees too; all of them where
/// one alone is the definition.
std::vector<const store::SymbolRow*> declarations_of_one(
    Resolver& resolver, const store::SymbolRow& own,
    const std::vector<const store::SymbolRow*>& rows);

inline bool is_macro(const store::SymbolRow& row) {
  return row.kind == "macro" || row.kind == "include_guard";
}
inline bool is_prototype(const store::SymbolRow& row) { return row.kind == "prototype"; }

/// What C and C++ have in common: includes.
class IncludingSemantics : public LanguageSemantics {
 public:
  using LanguageSemantics::LanguageSemantics;

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  bool names_a_file(std::string_view import_path) const override;
};

}  // namespace codexmem::graph
