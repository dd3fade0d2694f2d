// graph/uses/named_place.h - the name at a place of a file, and what it means there.
//
// By its position alone: the occurrence, definition, import or path that is written there is
// resolved, so names that are spelled alike are kept apart. Several questions about one name share
// what a Resolver keeps. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/core/resolver.h"
#include "graph/uses/found_usages.h"
#include "store/code/code_reader.h"
#include "text/ranges.h"

namespace codexmem::graph {

/// A name in a file.
struct FilePlace {
  store::FileId file{};
  ByteRange range;

  auto operator<=>(const FilePlace&) const = default;
};

struct NamedPlace {
  ByteRange range;   // of the name in the file
  std::string name;  // as the facts have it; of a path the path
  /// The definitions that it means, each once, with the other declarations of each.
  std::vector<store::SymbolId> symbols;
  /// Where a local, a parameter or a key without a symbol is declared.
  std::vector<FilePlace> locals;
  std::vector<store::FileId> files;  // the modules that it means
  bool is_definition = false;        // it is the name of a definition
  /// Nothing says what it means; `symbols` are the few that have the name.
  bool is_guess = false;

  bool empty() const { return symbols.empty() && locals.empty() && files.empty(); }
};

/// The name that holds byte `offset` of `file` or ends there; nothing where no name is. Errors: the
/// store's.
Result<std::optional<NamedPlace>> find_named_place(Resolver& resolver, store::CodeReader& reader,
                                                   store::FileId file, std::uint32_t offset);

/// The types of the values that the name there has, or of the values that its function gives.
/// Errors: the store's.
Result<std::vector<store::SymbolId>> find_types_at(Resolver& resolver, store::CodeReader& reader,
                                                   store::FileId file, std::uint32_t offset);

/// A place that means the name in question.
struct FileUse {
  FilePlace place;
  UsageKind kind = UsageKind::kRead;
  bool is_definition = false;
};

/// The places in `file` that mean one of what `named` means, definitions included, by offset.
/// Errors: the store's; kCancelled.
Result<std::vector<FileUse>> list_uses_in(Resolver& resolver, store::CodeReader& reader,
                                          store::FileId file, const NamedPlace& named);

/// The same of `local` in its file, and in calls of other files that name the parameter that it is;
/// by file and offset.
Result<std::vector<FileUse>> list_local_uses(Resolver& resolver, store::CodeReader& reader,
                                             const FilePlace& local, const std::string& name);

/// The certain, likely and possible uses of `symbols`, by path and offset, and how many files that
/// were searched have parts that were not understood. Without what only texts say, and without an
/// account, in a third of the time of find_references(). Kept in `cache`. Errors: kCancelled; the
/// store's.
Result<std::shared_ptr<const FoundUsages>> find_uses(FactsCache& cache, Resolver& resolver,
                                                     store::CodeReader& reader,
                                                     const std::vector<store::SymbolId>& symbols);

/// The name at `offset` of `text`: `name` if that is written there, else the identifier.
ByteRange name_range(std::string_view text, std::uint32_t offset, std::string_view name);

}  // namespace codexmem::graph
