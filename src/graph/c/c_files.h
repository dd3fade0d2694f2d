// graph/c/c_files.h - the files of C and C++ that a file sees through includes.
//
// Internal to the two languages. Results are kept in the Resolver's memory only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "graph/core/language_semantics.h"
#include "graph/core/resolver.h"

namespace codexmem::graph {

/// A set of files: a bit for each.
class FileSet {
 public:
  bool contains(store::FileId id) const;

  /// True if the file was not in the set.
  bool insert(store::FileId id);

  std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  std::vector<std::uint64_t> words_;
};

/// The file and all that it includes, as far as they are in the repository.
std::shared_ptr<const FileSet> files_seen(Resolver& resolver, store::FileId id);

/// The file and all that include it.
std::shared_ptr<const FileSet> files_around(Resolver& resolver, store::FileId id);

/// The `rows`, declarations of one name and kind, that declare the same symbol as `own` (perhaps
/// one of them): declarations in files that it sees or that see it, and in files that see a
/// prototype that it also sees; all of them when only one is a definition.
std::vector<const store::SymbolRow*> declarations_of_one(
    Resolver& resolver, const store::SymbolRow& own,
    const std::vector<const store::SymbolRow*>& rows);

inline bool is_macro(const store::SymbolRow& row) {
  return row.kind == "macro" || row.kind == "include_guard";
}

/// The shared part of C and C++: includes and macros.
class IncludingSemantics : public LanguageSemantics {
 public:
  using LanguageSemantics::LanguageSemantics;

  std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const override;
  bool names_a_file(std::string_view import_path) const override;
  std::vector<UnwrittenUse> unwritten_uses(Resolver& resolver, const FileModel& file,
                                           std::uint32_t symbol) const override;
  std::string tied_outside(Resolver& resolver, const FileModel& file,
                           std::uint32_t symbol) const override;
  std::optional<Entities> called(Resolver& resolver, const FileModel& file, const Entity& callee,
                                 std::span<const parse::TermId> arguments) const override;
};

}  // namespace codexmem::graph
