// graph/resolver.h - what an identifier means: scopes, imports, exports, members, receiver types.
//
// Works on the facts of one moment, read through one CodeReader; results are memoised for the life
// of a Resolver, so make one for a question. One thread. How: docs/graph.md and resolver.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/facts_cache_impl.h"
#include "graph/file_model.h"
#include "graph/file_table.h"
#include "store/code_reader.h"

namespace codexmem::graph {

enum class EntityKind : std::uint8_t {
  kUnknown,    // cannot be told from the facts
  kExternal,   // something of a package outside the repository
  kSymbol,     // `index`: symbol of `file`
  kInstance,   // a value whose type is that symbol
  kContainer,  // a list, map or promise of such values
  kLocal,      // `index`: binding of `file`: a local, a parameter, a type parameter
  kModule,     // the module `file`
  kFolder,     // `index`: a Python package without __init__, see Resolver::folder()
};

/// Something that a name can mean.
struct Entity {
  EntityKind kind = EntityKind::kUnknown;
  const FileModel* file = nullptr;
  std::uint32_t index = 0;

  bool operator==(const Entity&) const = default;
};

/// What a name may mean: several where it is declared several times (overloads, try/except). Empty
/// when it is known to mean nothing of the sort asked for.
using Entities = std::vector<Entity>;

bool has_kind(const Entities& entities, EntityKind kind);

class Resolver {
 public:
  Resolver(FactsCache::Impl& cache, store::CodeReader& reader,
           std::shared_ptr<const FileTable> files)
      : cache_(cache), reader_(reader), files_(std::move(files)) {}

  /// The model of a file; nullptr when it has no facts. Valid as long as the Resolver.
  const FileModel* model(store::FileId id);

  /// What occurrence `index` of `file` means.
  const Entities& resolve(const FileModel& file, std::uint32_t index);

  /// What name `imported` of import `import` of `file` means.
  Entities resolve_import(const FileModel& file, std::uint32_t import, std::uint32_t name);

  /// What other files get when they import `name` from `file`.
  Entities exported(const FileModel& file, std::string_view name);

  /// What export `index` of `file` stands for.
  Entities resolve_export(const FileModel& file, std::uint32_t index);

  /// What binding `index` of `file` stands for.
  Entities resolve_binding(const FileModel& file, std::uint32_t index);

  /// Member `name` of what `receivers` may be. Holds kUnknown when a receiver's type is not known
  /// well enough to say that there is none.
  Entities members(const Entities& receivers, std::string_view name);

  /// What stands before the dot of occurrence `index`: what it holds. Empty for a bare name.
  Entities receivers(const FileModel& file, std::uint32_t index);

  /// Direct supertypes of a class or interface.
  Entities supertypes(const FileModel& file, std::uint32_t symbol);

  /// The members of supertypes that member `symbol` of `file` overrides or implements.
  Entities overridden(const FileModel& file, std::uint32_t symbol);

  /// Rows of table dependencies of a file, by import_index.
  const std::vector<store::DependencyRow>& dependencies(store::FileId id);

  const FileTable& files() const { return *files_; }
  const std::string& folder(std::uint32_t index) const { return folders_[index]; }

  /// The first error of the store that was met; answers are incomplete from then on.
  const Result<void>& status() const { return status_; }
  /// How many files were needed whose facts cannot be read.
  std::size_t damaged_files() const { return damaged_files_; }

 private:
  struct Frame;  // guards recursion

  Entities resolve_uncached(const FileModel& file, std::uint32_t index);
  Entities resolve_bare(const FileModel& file, std::uint32_t index);
  Entities lookup(const FileModel& file, std::uint32_t scope, parse::NameId name,
                  parse::Role role = parse::Role::kInherit);
  Entities bindings_of(const FileModel& file, std::uint32_t scope, parse::NameId name);
  bool fits(const FileModel& file, std::uint32_t binding, parse::Role role) const;
  Entities enclosing_owner(const FileModel& file, std::uint32_t offset);
  Entities module_name(const FileModel& file, std::string_view name);
  Entities module_members(const FileModel& file, std::string_view name);
  Entities folder_member(std::string_view folder, std::string_view name);
  Entities commonjs_module(const FileModel& file);
  Entities top_package(const parse::Import& import, const store::DependencyRow& row);
  Entities star_import(const FileModel& file, std::uint32_t import, std::string_view name);
  Entities type_members(const FileModel& file, std::uint32_t symbol, std::string_view name,
                        bool include_own);
  Entities value_of(const Entity& entity);
  Entities value_of_hint(const FileModel& file, const parse::TypeHint& hint,
                         std::uint32_t name_offset = parse::kNoIndex);
  Entities taken_apart(const FileModel& file, const parse::TypeHint& hint);
  Entities values_of(const Entities& meant);
  Entities resolve_key(const FileModel& file, std::uint32_t index);
  Entities instances(const Entities& types);
  Entities contained(const Entities& values, EntityKind from, EntityKind to);
  Entities call_results(const Entities& called);
  Entities call_results(const FileModel& file, std::uint32_t index);
  bool returns_own_type(const Entity& callee);
  std::uint32_t intern_folder(std::string_view folder);

  FactsCache::Impl& cache_;
  store::CodeReader& reader_;
  std::shared_ptr<const FileTable> files_;
  Result<void> status_;
  std::unordered_map<store::FileId, std::shared_ptr<const FileModel>> models_;
  std::size_t damaged_files_ = 0;
  std::unordered_map<store::FileId, std::vector<store::DependencyRow>> dependencies_;
  struct FileMemo {
    std::unordered_map<std::uint32_t, Entities> by_occurrence;
  };
  std::unordered_map<const FileModel*, FileMemo> memo_;
  std::vector<std::string> folders_;
  int depth_ = 0;
};

}  // namespace codexmem::graph
