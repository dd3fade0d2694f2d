// graph/core/resolver.h - the meaning of an identifier: scopes, imports, exports, members, values.
//
// A small interpreter over facts. An occurrence is resolved to entities: a bare name through the
// scopes to a binding, and from a binding to a symbol, a local, or through an import to another
// file; a member through the value of its receiver, found by evaluating terms
// (parse/facts/facts.h). An empty answer, a local, an external or another symbol are certain; where
// the facts do not suffice, the answer holds kUnknown.
//
// Works on one snapshot of the facts, read through one CodeReader; results are cached for the life
// of a Resolver, so make a new one for each question. One thread. Design: docs/how-it-works.md,
// "Resolution".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/core/entity.h"
#include "graph/core/environments.h"
#include "graph/stored/facts_cache_impl.h"
#include "graph/core/file_model.h"
#include "graph/stored/question_files.h"
#include "graph/core/language_semantics.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

class Resolver {
 public:
  Resolver(FactsCache::Impl& cache, store::CodeReader& reader)
      : cache_(cache), reader_(reader), files_(cache, reader) {}

  /// The model of a file; nullptr when it has no facts. Valid as long as the Resolver.
  const FileModel* model(store::FileId id);

  /// Unit `name` of the library of a family (core/library_units.h); nullptr when it has none.
  /// Valid as long as the Resolver.
  const FileModel* library(const LanguageSemantics& semantics, std::string_view name);

  /// What occurrence `index` of `file` means.
  const Entities& resolve(const FileModel& file, std::uint32_t index);

  /// What a compiler's index says that the name at byte `offset` of `file` means: symbols of the
  /// repository, or kExternalEntity for anything else. Nothing where it does not mention the name,
  /// or where what it named is gone.
  std::optional<Entities> said_by_compiler(const FileModel& file, std::uint32_t offset);

  /// The values that term `term` of `file` has; of kNoIndex, unknown.
  const Entities& evaluate(const FileModel& file, parse::TermId term);

  /// What name `imported` of import `import` of `file` means.
  Entities resolve_import(const FileModel& file, std::uint32_t import, std::uint32_t name);

  /// What other files get when they import `name` from `file`.
  const Entities& exported(const FileModel& file, std::string_view name);

  /// The meaning of export `index` of `file`.
  Entities resolve_export(const FileModel& file, std::uint32_t index);

  /// The meaning of binding `index` of `file`.
  Entities resolve_binding(const FileModel& file, std::uint32_t index);

  /// Member `name` of `receivers`. Holds kUnknown when a receiver's type is not known well enough
  /// to say that the member does not exist.
  Entities members(const Entities& receivers, std::string_view name);

  /// Member `name` of the types that mapped types among `receivers` take their keys from: { [K in
  /// keyof T]: ... } has the members of T. Holds kUnknown when such a type is unknown; empty for
  /// other types.
  Entities members_by_key(const Entities& receivers, std::string_view name);

  /// members_below() of subtypes.h of a type without regard to its arguments, kept.
  const Entities& members_below(const Entity& owner, std::string_view name);

  /// The values before the dot of occurrence `index`. Empty for a bare name.
  Entities receivers(const FileModel& file, std::uint32_t index);

  /// Direct supertypes of a class or interface: instances of those that are generic.
  Entities supertypes(const FileModel& file, std::uint32_t symbol);

  /// The members of supertypes that member `symbol` of `file` overrides or implements.
  Entities overridden(const FileModel& file, std::uint32_t symbol);

  /// What a field of `owner` is where a class above declares it; empty where none does.
  Entities declared_above(const Entity& owner, std::uint32_t member, const Entity& receiver);

  /// Declarations of other files that a declaration merges with: of a `declare module "./x"` those
  /// of that module, of a global one the others of its name.
  Entities merged_with(const FileModel& file, std::uint32_t symbol) {
    return file.semantics.merged_with(*this, file, symbol);
  }

  /// Rows of table dependencies of a file, by import_index. A unit of a library has none.
  const std::vector<store::DependencyRow>& dependencies(store::FileId id);

  /// The same of the files that import it.
  const std::vector<store::DependencyRow>& dependents(store::FileId id);

  QuestionFiles& files() { return files_; }
  /// The path of a kFolder.
  const std::string& folder(std::uint32_t index) const { return folders_[index].path; }

  /// The first error of the store that was met; answers are incomplete from then on.
  const Result<void>& status() const { return status_.ok() ? files_.status() : status_; }
  /// How many files were needed whose facts cannot be read.
  std::size_t damaged_files() const { return damaged_files_; }

  // ---- For the semantics of languages: parts of the interpreter, and what they keep.

  class RecursionGuard;  // one level of recursion: graph/core/resolver_step.h

  /// What a family keeps as long as the Resolver.
  struct Memory {
    virtual ~Memory() = default;
  };

  /// The one memory of its type, made when it is first asked for.
  template <typename T>
  T& memory() {
    std::unique_ptr<Memory>& kept = memories_[typeid(T)];
    if (kept == nullptr) kept = std::make_unique<T>();
    return static_cast<T&>(*kept);
  }

  /// Direct supertypes of a type in its environment.
  Entities supertypes(const Entity& owner);

  /// What the type parameters of `function` are when it is called on `receiver`, which is given as
  /// its first parameter.
  const Environment* extension_environment(const Entity& function, const Entity& receiver);

  /// What `callees` give when they are called.
  Entities call_results(const Entities& callees);

  /// Rows of the symbols called `name` of all files of a family. Valid as long as the Resolver.
  const std::vector<store::SymbolRow>& symbol_rows(Family family, const std::string& name);

  /// The row of a symbol, which says its kind and modifiers; nullptr for the library's. Valid as
  /// long as the Resolver.
  const store::SymbolRow* row_of(const FileModel& file, std::uint32_t symbol);

  /// The same of symbols whose name differs in case alone (of ASCII).
  const std::vector<store::SymbolRow>& symbol_rows_ignoring_case(Family family,
                                                                 const std::string& name);

  /// The text of a file; nothing without one.
  std::optional<std::string> text_of(store::FileId id);

  /// Files of a family in which the identifier `name` occurs.
  std::vector<store::FileId> files_naming(Family family, const std::string& name);

  /// The one environment that says the same.
  const Environment* environment(Environment stated) {
    return environments_.intern(std::move(stated));
  }

  /// `entities` with what `environment` says put in.
  Entities substitute(const Entities& entities, const Environment* environment) {
    return environments_.substitute(entities, environment);
  }

  /// Symbols called `name` of all files of a family.
  Entities list_symbols(Family family, std::string_view name);

  /// The symbol that a row of the store is of; nothing where its file cannot be read.
  std::optional<Entity> symbol(store::SymbolId id);

  /// The rows of symbols called `name` of all files of a family, by folder: no model is loaded.
  struct Named {
    store::SymbolId id{};
    std::string container;
  };
  const std::vector<Named>& symbols_in(Family family, std::string_view name,
                                       std::string_view folder);

  /// The underlying type of an instance's declared type, if that is a distinct named type; else
  /// empty.
  Entities underlying(const Entity& value);

  /// The type parameters of a class, interface or alias, as entities.
  std::vector<Entity> type_parameters(const Entity& type);

  /// A folder as a package.
  Entity folder_entity(std::string_view path, const LanguageSemantics& semantics);

  /// What `name` means in a scope or one around it.
  Entities lookup(const FileModel& file, std::uint32_t scope, parse::NameId name,
                  parse::Role role = parse::Role::kInherit, std::uint32_t offset = parse::kNoIndex);

  /// The meanings of the bindings of `name` in one scope; empty without bindings.
  Entities bindings_of(const FileModel& file, std::uint32_t scope, parse::NameId name);

  /// The values that the type named by an occurrence has.
  Entities typed(const FileModel& file, std::uint32_t occurrence,
                 const std::vector<Entities>& arguments);

  /// The values of occurrence `occurrence` of `file` at its position.
  Entities values_at(const FileModel& file, std::uint32_t occurrence);

  /// What the things hold that a name means.
  Entities values_of(const Entities& meant);

  /// What iterating `given` gives.
  Entities elements(const Entities& given);

  /// Instances of the classes that `types` are.
  Entities instances(const Entities& types);

  /// A container of the library of a family.
  Entities container(Family family, ContainerKind kind, std::vector<Entities> arguments);

  /// What the type parameters of `owner`, and `this`, are in a member that is reached through
  /// `receiver`.
  const Environment* member_environment(const Entity& owner, const Entity& receiver);

 private:
  /// A function that may be called, in its environment.
  struct Callable {
    const FileModel* file = nullptr;
    std::uint32_t function = 0;
    const Environment* environment = nullptr;
    std::uint32_t symbol = parse::kNoIndex;  // whose function it is, if any
    std::uint32_t leading = 0;               // parameters that what it is called on fills
  };

  /// What was computed once.
  struct Memo {
    Entities entities;
    std::uint32_t level = 0;  // on which it is being computed
    std::uint32_t cut = 0;  // the lowest level that it was computed from while that was unfinished
    std::uint64_t question = 0;  // by which
    bool is_final = false;
  };

  struct FileMemo {
    std::unordered_map<std::uint32_t, Memo> by_occurrence;
    std::unordered_map<std::uint32_t, Memo> by_term;
    std::unordered_map<std::string, Memo> by_export;
    std::unordered_map<std::string, Memo> below;  // by type and name
  };

  template <typename Key, typename Compute>
  const Entities& memoised(std::unordered_map<Key, Memo> FileMemo::*table, const FileModel& file,
                           const Key& key, const Entities& meanwhile, Compute compute);

  // resolver.cpp: occurrences, scopes.
  Entities resolve_as_compiled(const FileModel& file, std::uint32_t index, Entities own);
  Entities resolve_uncached(const FileModel& file, std::uint32_t index);
  Entities resolve_bare(const FileModel& file, std::uint32_t index);
  Entities resolve_key(const FileModel& file, std::uint32_t index);
  Entities enclosing_owner(const FileModel& file, std::uint32_t offset);

  // resolver_keywords.cpp: keyword arguments.
  Entities keyword_argument(const FileModel& file, parse::TermId call, std::string_view name);
  Entities copied_field(const FileModel& file, std::span<const parse::TermId> call,
                        std::string_view name);
  static Entities declared_by(const Callable& made, const Entity& type, parse::NameId name);
  Entities unpacked_field(const FileModel& file, parse::TermId annotation, std::string_view name);

  // resolver_modules.cpp: imports, exports, packages.
  Entities module_members(const FileModel& file, std::string_view name);

  // resolver_members.cpp: members and supertypes.
  Entities type_members(const Entity& owner, std::string_view name, bool include_own,
                        const Entity& receiver);
  Entities type_members(const Entity& owner, std::string_view name, bool include_own,
                        const Entity& receiver, Entities& seen);
  Entities own_members(const Entity& owner, std::string_view name, const Entity& receiver);
  Entities promoted_members(const Entity& owner, std::string_view name, const Entity& receiver);
  Entities embedded_field(const Entity& owner, std::string_view name);
  Entities object_members(const Entity& object, std::string_view name);
  using RowsByFile = std::unordered_map<store::FileId, std::vector<store::DependencyRow>>;
  const std::vector<store::DependencyRow>& rows_of(
      RowsByFile& known, store::FileId id,
      Result<std::vector<store::DependencyRow>> (store::CodeReader::*list)(store::FileId));
  Entities container_members(const Entity& container, std::string_view name);

  // resolver_types.cpp: what types give; resolver_values.cpp: what names hold and terms give.
  Entities evaluate_uncached(const FileModel& file, parse::TermId id);
  Entities settle(const Entities& values);
  Entities settled_late(const Entity& late);
  Entities conditional(const FileModel& file, const parse::Term& term,
                       const Environment* environment);
  Entities looked_up(const Entities& objects);
  Entities value_of(const Entity& entity);
  Entities overridden_parameter(const Entity& parameter);
  Entities inherited_type(const Entity& field);
  Entities library_type(const FileModel& file, std::string_view name,
                        const std::vector<Entities>& arguments);
  Entities language_type(const FileModel& file, const parse::Term& term);
  Entities instance_of(const Entity& type, const std::vector<Entities>& arguments);
  Entities constraint(const Entity& parameter);
  std::optional<Entities> method_results(const Entity& instance, std::string_view name);
  std::optional<Entities> item_results(const Entity& instance);
  Entities items(const FileModel& file, const parse::Term& term);
  Entities items_of(const Entities& given, std::uint32_t position);
  Entities nth(const Entities& values, std::uint32_t position);
  Entities ranged(const Entities& values, std::uint32_t position);
  bool is_of_elements(const Entities& values);
  Entities variant(const FileModel& file, const parse::Term& term);
  Entities named_items(const Entities& given, std::string_view name);
  Entities entered(const Entities& values);
  Entities operated(const FileModel& file, const parse::Term& term);
  Entities awaited(const Entities& given);
  Entities foreign(const FileModel& file, ContainerKind kind, std::vector<Entities> arguments);

  // resolver_calls.cpp: calls, what they give and what they want; resolver_inference.cpp: what
  // type parameters are.
  Entities call(const FileModel& file, const parse::Term& term);
  Entities result_of(const Callable& callable);
  std::vector<Callable> callables(const Entities& callees);
  std::vector<Callable> constructors(const Entity& type);
  std::vector<Callable> fitting(std::vector<Callable> candidates, std::size_t arguments);
  Entities parameter_of(const Callable& callable, std::uint32_t index);
  std::uint32_t parameter_at(const Callable& callable, const FileModel& file,
                             parse::TermId argument, std::uint32_t position);
  Entities expected_argument(const FileModel& file, const parse::Term& term);
  Entities given_parameter(const Entities& functions, std::uint32_t index);
  Entities library_result(const FileModel& file, Flow flow, const Entities& container,
                          std::span<const parse::TermId> arguments);
  const Environment* infer(const Callable& callable, const FileModel& file,
                           std::span<const parse::TermId> arguments,
                           std::span<const parse::TermId> type_arguments,
                           bool looks_into_functions);
  void unify(const Entities& pattern, const Entities& values, Environment& found,
             bool looks_into_functions, int depth);
  Entities settled(const Entities& values, const Entities& wanted, const FileModel& file);
  std::optional<Entity> seen_as(const Entity& value, const Entity& type);

  FactsCache::Impl& cache_;
  store::CodeReader& reader_;
  QuestionFiles files_;
  Result<void> status_;
  std::unordered_map<store::FileId, std::shared_ptr<const FileModel>> models_;
  std::map<std::pair<const LanguageSemantics*, std::string>, std::shared_ptr<const FileModel>,
           std::less<>>
      library_;
  std::size_t damaged_files_ = 0;
  RowsByFile dependencies_;
  RowsByFile dependents_;
  using RowsByName = std::map<std::pair<Family, std::string>, std::vector<store::SymbolRow>>;
  const std::vector<store::SymbolRow>& named_rows(
      RowsByName& known, Family family, const std::string& name,
      Result<std::vector<store::SymbolRow>> (store::CodeReader::*list)(std::string_view));
  RowsByName symbol_rows_;
  RowsByName folded_rows_;
  std::unordered_map<const FileModel*, FileMemo> memo_;
  const FileModel* memo_file_ = nullptr;  // whose memo was used last
  FileMemo* file_memo_ = nullptr;
  static constexpr std::uint32_t kNotCut = 0xFFFFFFFFU;
  std::uint32_t level_ = 0;      // of memoised computations that are open
  std::uint32_t cut_ = kNotCut;  // the lowest level that the innermost one met unfinished
  std::uint64_t question_ = 0;   // counts those on level 0
  Environments environments_;
  std::unordered_map<std::type_index, std::unique_ptr<Memory>> memories_;
  struct Folder {
    std::string path;
    const LanguageSemantics* semantics = nullptr;
  };
  std::vector<Folder> folders_;
  struct FolderHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  template <typename T>
  using ByText = std::unordered_map<std::string, T, FolderHash, std::equal_to<>>;
  ByText<ByText<std::vector<Named>>> named_;  // by family and name, then folder
  int depth_ = 0;
  std::size_t steps_ = 0;  // since depth 0
};

/// The name of the parameter that `argument` of a call is passed to; ":" when it is written behind
/// the other arguments, for the last parameter (parse/walk/receivers.h). Nothing when its position
/// decides.
std::optional<std::string_view> passed_by_name(const FileModel& file, parse::TermId argument);
/// The argument itself.
parse::TermId passed_value(const FileModel& file, parse::TermId argument);

/// What a kContainer is: its kind, and in whose library.
ContainerKind container_kind(const Entity& container);
Family container_family(const Entity& container);
const LanguageSemantics& container_semantics(const Entity& container);

/// True for what comes of a template that nothing here declares.
inline bool is_foreign(const Entity& entity) {
  return entity.kind == EntityKind::kContainer && container_kind(entity) >= ContainerKind::kForeign;
}

/// Method number `method` of a container, and back: what it is a method of, and its rule.
Entity method_of(const Entity& container, std::uint32_t method);
Entity container_of(const Entity& method);
const LibraryMethodRule& rule_of(const Entity& method);

}  // namespace codexmem::graph
