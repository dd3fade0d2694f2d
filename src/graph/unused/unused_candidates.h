// graph/unused/unused_candidates.h - the definitions that may be unused, with the names by which
// they are found and what names them. Internal to graph/unused_*.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/imports/file_table.h"
#include "graph/unused/unused_code.h"
#include "graph/uses/use_drawers.h"
#include "parse/facts/facts.h"
#include "store/code/code_reader.h"
#include "text/text_hash.h"

namespace codexmem::graph {

/// How code names a definition.
enum class NameHitKind : std::uint8_t {
  kUse,
  kImport,    // and no more
  kQuoted,    // a string of its own, or a path
  kInString,  // among other words
  kElsewhere  // in configuration, a template, another language
};

/// A place that names definitions.
struct NameHit {
  std::uint32_t file = 0;  // in FileTable::rows()
  std::uint32_t offset = 0;
  NameHitKind kind = NameHitKind::kUse;
  std::uint32_t inside = parse::kNoIndex;  // the innermost definition around it
  std::uint32_t meant = parse::kNoIndex;   // a definition; parse::kNoIndex: any of the name
};

/// The definitions of a name, by their places in UnusedCandidates::all, and what names them.
struct NamedAlike {
  std::vector<std::uint32_t> definitions;
  std::vector<NameHit> hits;
};

/// A definition that is unused unless something that is used names it.
struct UnusedCandidate {
  store::SymbolRow row;
  std::uint32_t file = 0;
  std::uint32_t outer = parse::kNoIndex;  // the innermost definition around it
  bool is_used = false;
  bool has_used_member = false;  // or one that is not looked at
  UnusedCertainty certainty = UnusedCertainty::kCertain;
  std::vector<std::pair<UnusedCertainty, std::string>> doubts;
  std::set<std::uint32_t> users;         // that are unused, too
  std::optional<UseAccount> account;     // where it was taken
  std::vector<const NamedAlike*> names;  // its own, and of an enum's members
};

/// All definitions that are looked at; files are called by their places in FileTable::rows().
class UnusedCandidates {
 public:
  /// Lists the definitions, and the files to read for their uses. Errors: the store's errors.
  static Result<UnusedCandidates> list(FactsCache& cache, store::CodeReader& reader);

  const store::FileRow& row_of(std::uint32_t file) const { return files->rows()[file]; }
  /// The innermost candidate around a place; kNoIndex without one.
  std::uint32_t innermost(std::uint32_t file, std::uint32_t offset) const;
  /// The outermost unused candidate around a hit; kNoIndex when all code around it is used.
  std::uint32_t unused_around(const NameHit& hit) const;
  /// True if a hit is in the code of `candidate`.
  bool is_within(const NameHit& hit, std::uint32_t candidate) const;
  /// All candidates of a name are used.
  void use_all(std::string_view name);
  /// Whether code of `file` may mean a candidate: of its own repository, or of one of the workspace
  /// that it uses, directly or not.
  bool may_mean(std::uint32_t file, std::uint32_t candidate) const;
  /// Code at a place names one of `named`, or the one that is `meant`.
  void add(NamedAlike& named, std::uint32_t file, std::uint32_t offset, NameHitKind kind,
           std::uint32_t meant = parse::kNoIndex);

  std::shared_ptr<const FileTable> files;
  std::vector<bool> is_main;  // by file: part of the main code, of a language that resolves names
  std::vector<UnusedCandidate> all;
  std::unordered_map<store::SymbolId, std::uint32_t> by_symbol;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_file;  // in source order
  TextMap<NamedAlike> names;
  std::map<std::uint32_t, std::vector<const std::string*>> holds;  // files to names in them
  std::set<std::string> prefixes, suffixes;                        // of names that are put together

 private:
  Result<void> list_names(store::CodeReader& reader);
  Result<void> list_uses_of_repositories(store::CodeReader& reader);
  Result<void> list_holders(store::CodeReader& reader,
                            const std::unordered_map<store::FileId, std::uint32_t>& places);
  void add_name(std::string_view name, std::uint32_t candidate);
  void drop_macro_calls();
  Result<void> list_in_file(store::CodeReader& reader, std::uint32_t file);

  // Repositories of a workspace, by their numbers: one that uses, and one that is used.
  std::set<std::pair<std::size_t, std::size_t>> repository_uses_;
};

}  // namespace codexmem::graph
