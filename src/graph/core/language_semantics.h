// graph/core/language_semantics.h - what resolution asks of a language.
//
// The core (resolver, usage search, checks) knows facts, scopes, terms and types; whatever differs
// between families of languages it asks here. A family implements this in a folder of its own
// (graph/ecma, graph/python) and has a row in graph/language_registry.cpp; all others are known by
// their spelling only, which is what the defaults say. A difference that is data is one of the
// traits or of the library tables, one that needs code is a function.
//
// Stateless, so one object serves all threads; what has to be kept for a question is
// Resolver::memory(). Design: docs/design/graph.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/core/library_tables.h"
#include "graph/core/library_units.h"
#include "parse/facts.h"
#include "parse/languages.h"

namespace codexmem::store {
class CodeReader;
struct SymbolRow;
}  // namespace codexmem::store

namespace codexmem::graph {

/// Languages whose names may mean each other's definitions. A number, to be compared only.
using Family = parse::Family;

class FileModel;
class HiddenNames;
class ModuleFinder;
class ProjectTree;
class Resolver;
struct Entity;
using Entities = std::vector<Entity>;

/// A type of the language whose values are no objects.
struct Primitive {
  std::string_view name;
  std::string_view boxed = {};  // the class of the library that holds one; of null none: it is of
                                // every type but the primitive ones
  std::uint32_t widens_to = 0;  // bits: by number, what a value may be given for as well
};

/// Differences between languages that are data.
struct LanguageTraits {
  /// False: names are known by their spelling alone, and imports have no rows.
  bool resolves_names = false;

  // ---- Names and modules.
  bool has_scripts = false;  // a file without imports and exports shares its names with others
  bool imports_are_exports = false;  // what a module imports at its top, others import from it
  /// A name may be imported in one branch and defined in the other (try: import x, except: x =
  /// None): it means both.
  bool imports_have_alternatives = false;
  /// Names by which code reaches other names at run time, but for common words.
  std::span<const std::string_view> reflection = {};
  /// Base names of the files that say what imports mean; "*.x" is any that ends so.
  std::span<const std::string_view> configuration_files = {};
  /// Extensions of more than one part, each with its dots.
  std::span<const std::string_view> long_extensions = {};
  /// Modules of these names are called by their folder: index, __init__.
  std::span<const std::string_view> folder_modules = {};
  /// The function that a program begins with.
  std::string_view main_function = {};
  /// Functions and methods that the language or its library calls by their name, without a use.
  std::span<const std::string_view> called_unseen = {};
  /// The name of the module that a program begins with; others compare it with what holds their
  /// own.
  std::string_view main_module = {};
  std::string_view own_module_name = {};
  /// A folder that the names of modules leave out.
  std::string_view unnamed_folder = {};

  bool finds_imports = false;  // though names are not resolved
  bool checks_uses = true;     // changes are checked for uses that they break
  /// A bare name that nothing declares is said to be external: it may be the library's.
  bool absent_names_are_external = false;
  /// A language whose files may use names of this one, and the other way round.
  std::string_view shares_names_with = {};
  /// What a name is declared in need be no symbol of its file: void A::f(), namespace a::b.
  bool containers_are_apart = false;
  /// A name of a function's scopes is seen behind its declaration alone (Binding::seen_from).
  bool names_are_seen_behind = false;
  /// An import may name a folder, whose files are one package (graph/packages.h).
  bool imports_name_folders = false;
  bool imports_make_no_cycles = false;  // the language forbids them
  /// What an import leads to depends on what files declare, not on their paths alone.
  bool imports_name_declarations = false;

  // ---- Types and members.
  std::string_view self_name = "this";  // of what a method is called on, in conditions
  std::string_view constructor = {};    // the method that makes an instance
  std::string_view call_method = {};    // that makes instances callable
  std::string_view item_method = {};    // that gives a[b]
  std::string_view next_method = {};    // that gives what an iterator is at
  std::span<const std::string_view> iterator_methods = {};  // that give an iterator
  std::span<const std::string_view> enter_methods = {};     // that give what `with` binds
  bool assignments_make_members = false;                    // x.a = 1 makes an a
  bool assignments_use_members = false;  // this.x = 1 uses the x that a class above declares
  /// A field that says nothing of its type is the one that a class above declares with a type.
  bool typed_members_win = false;
  bool first_base_wins = false;  // of several that have a member
  /// Names of types and functions, also of methods, have no regard to case (of ASCII).
  bool names_ignore_case = false;
  /// A name bound twice in a scope is two variables, each with its own type.
  bool locals_are_distinct = false;
  bool arrays_are_elements = false;  // C: a pointer and an array are what they point to and hold
  bool types_are_looked_up = false;  // A[K] is what the members of A are
  std::span<const Primitive> primitives = {};
  std::string_view root_type = {};  // that all others extend, as the library declares it
  /// Functions of one name are different ones; where a call leaves several, each is likely.
  bool overloads_are_distinct = false;
  /// What has several declarations that are not one is one of them, by how it is built: #if.
  bool alternatives_are_likely = false;
  /// A call of a field or variable calls a function that code gives it: ops->open().
  bool values_hold_functions = false;
  /// What merges with a type is one with it: its parts have each other's members and supertypes.
  bool parts_are_one = false;
  /// Code cannot call a value: what a call names that is no function is a value that an accessor,
  /// which is not written, gives.
  bool calls_reach_values = false;
  /// What the library does not tell of a value may be of the repository: any.
  bool untold_is_unknown = false;
  /// What something outside the repository gives when it is called may be of the repository.
  bool foreign_results_are_unknown = false;
  /// An instance of a class outside of it is not.
  bool foreign_instances_are_external = false;
  /// A key that is none of what it stands for may be a name: the label of a switch.
  bool keys_may_be_names = false;
  bool documentation_mentions = false;    // the names in documentation mention, they give no types
  bool types_have_members = false;        // `this` may be of a type that is no class: an enum
  bool uses_reach_overridden = false;     // a use of what a member overrides may be one of it
  bool only_few_override = false;         // where more than a few do, a use may be of none of them
  bool aliases_are_alternatives = false;  // functions of other names that a name may mean are some
  bool overrides_inherit_types =
      false;  // what says nothing of its type has that of what it overrides

  /// Of what a type embeds, the members that lie least deep count; an embedded type is a member.
  bool promotes_by_depth = false;
  bool types_are_called = false;    // T(x) makes a T of x
  bool map_keys_are_names = false;  // a key of a map's literal is an expression

  // ---- Functions and containers.
  bool signatures_have_no_body =
      false;  // of several definitions, the one with a body is not called
  bool async_annotation_is_awaited = false;  // async f() -> A gives a promise of A
  bool rest_annotation_is_list = false;      // ...args: A[] takes arguments that are each an A
  bool maps_hold_items = false;  // iterating a map gives its keys, and m["x"] a value: no member x

  // ---- Renaming.
  std::span<const std::string_view> reserved_words = {};  // that nothing may be called
  /// Functions that reach what a text names: getattr(x, "a"). A module that defines one itself may
  /// have any name that its texts have.
  std::span<const std::string_view> reach_by_text = {};
  bool texts_name_types = false;  // List["A"]
  bool names_have_dollars = false;
  bool quoted_keys_are_members = false;  // { "a": 1 } has a member a
};

/// What is known of a name that is not found: it is there, it is not or, if `hidden` says why, it
/// may be.
struct Verdict {
  bool is_found = true;
  std::string hidden = {};
  bool is_of_unknown = false;  // a member of what is not known at all
};

/// Symbol `symbol` of `file`, and whether all is known that makes it stand above or below another.
struct Implied {
  const FileModel* file = nullptr;
  std::uint32_t symbol = 0;
  bool is_sure = true;
};

class LanguageSemantics {
 public:
  LanguageSemantics() = default;
  explicit LanguageSemantics(LanguageTraits traits, std::string_view library = {},
                             LibraryArchive units = {})
      : traits_(traits), library_(library), library_units_(units) {}
  virtual ~LanguageSemantics() = default;
  LanguageSemantics(const LanguageSemantics&) = delete;
  LanguageSemantics& operator=(const LanguageSemantics&) = delete;

  const LanguageTraits& traits() const { return traits_; }
  const LibraryTables& library() const { return library_; }
  /// The interfaces of the library. A resolver gets them from Resolver::library().
  const LibraryUnits& library_units() const { return library_units_; }

  // ---- Imports, while indexing.

  /// Finds the files that imports mean; nullptr if nobody can.
  virtual std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const;

  // ---- Names.

  /// What occurrence `index` means by its form alone. Asked of members before what stands before
  /// the dot is looked at, and of bare names before scopes are.
  virtual std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                                  std::uint32_t index) const;

  /// True if `binding` of `scope` is not seen by a name of that role in an inner scope, or
  /// (`is_own`) in that one.
  virtual bool is_hidden(const FileModel& file, const parse::Scope& scope, std::uint32_t binding,
                         parse::Role role, bool is_own) const;

  /// False for a type where a value is meant, and the other way round.
  virtual bool fits(const FileModel& file, std::uint32_t binding, parse::Role role) const;

  /// What a name that no scope of `file` binds means.
  virtual Entities unbound_name(Resolver& resolver, const FileModel& file,
                                std::string_view name) const;

  /// What a bare name means that leads nowhere: `found`, or what it has without being bound.
  virtual Entities unknown_name(const FileModel& file, std::string_view name, Entities found) const;

  // ---- Modules.

  /// What a build must be to have the file at `path` with that text, as the language writes it;
  /// "" for any. Files may declare one name under different conditions.
  virtual std::string build_condition(std::string_view path, std::string_view text) const;

  /// False if it is known that no build has both files.
  virtual bool may_build_together(const FileModel& file, const FileModel& other) const;

  /// What `name` of import `import` means; with "*" the module.
  virtual Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                            std::string_view name) const;

  /// What other files get when they import `name` from `file`.
  virtual Entities exported(Resolver& resolver, const FileModel& file, std::string_view name) const;

  /// True for a file that may give others names without saying so.
  virtual bool may_export_unseen(const FileModel& file) const;

  /// Where packages are folders: false for a file of the folder that importers do not see.
  virtual bool is_part_of_package(std::string_view path) const;

  /// Module or package `name` in a folder.
  virtual Entities folder_member(Resolver& resolver, std::string_view folder,
                                 std::string_view name) const;

  // ---- Types.

  /// Declarations elsewhere that are one with symbol `symbol` of `file`.
  virtual Entities merged_with(Resolver& resolver, const FileModel& file,
                               std::uint32_t symbol) const;

  /// Member `name` of the declarations that are one with the type `owner`, reached through
  /// `receiver`.
  virtual Entities merged_members(Resolver& resolver, const Entity& owner, std::string_view name,
                                  const Entity& receiver) const;

  /// Member `name` of the type `owner`, reached through `receiver`, in a language whose types get
  /// members elsewhere than in their declaration and in what they extend; else nothing.
  virtual std::optional<Entities> members_of(Resolver& resolver, const Entity& owner,
                                             std::string_view name, const Entity& receiver) const;

  /// What calling `callee`, which is not a function, gives with `arguments` in `file`; nothing when
  /// the language does not say.
  virtual std::optional<Entities> called(Resolver& resolver, const FileModel& file,
                                         const Entity& callee,
                                         std::span<const parse::TermId> arguments) const;

  /// What iterating `value`, an instance or a class, gives; nothing when its methods say so.
  virtual std::optional<Entities> iterated(Resolver& resolver, const Entity& value) const;

  /// The member that is part number `position` of `value`, an instance that is taken apart; nothing
  /// when the language does not say.
  virtual std::optional<Entity> part_of(Resolver& resolver, const Entity& value,
                                        std::uint32_t position) const;

  /// What waiting for `value` gives; nothing when it is what it is.
  virtual std::optional<Entities> awaited(Resolver& resolver, const Entity& value) const;

  /// The values that have the type which the variable or function `named` stands for.
  virtual Entities values_of_type_name(Resolver& resolver, const Entity& named) const;

  /// The type parameters of a type that names none of its own.
  virtual std::vector<Entity> implied_type_parameters(Resolver& resolver, const Entity& type) const;

  /// Names besides its own by which symbol `symbol` is used: of methods that are made for it.
  virtual std::vector<std::string> implied_names(const FileModel& file, std::uint32_t symbol) const;

  /// What a method `name` of `type` reads that is not written itself: a record's component.
  virtual Entities implied_members(Resolver& resolver, const Entity& type,
                                   std::string_view name) const;

  /// What the operator `sign` makes of operands, `right` of one that has a single one being empty;
  /// nothing where methods of theirs say so.
  virtual std::optional<Entities> operated(Resolver& resolver, const FileModel& file,
                                           std::string_view sign, const Entities& left,
                                           const Entities& right) const;

  /// What is called when the value `instance` is: its methods that make it callable.
  virtual Entities called_members(Resolver& resolver, const Entity& instance) const;

  /// What stands above symbol `symbol` of `file` though nothing says so: of a type the interfaces
  /// that it implements by having their methods, of a method those of them that it implements.
  virtual std::vector<Implied> implied_above(Resolver& resolver, const FileModel& file,
                                             std::uint32_t symbol) const;

  /// What stands below a symbol though nothing says so: of an interface the types that implement it
  /// by having its methods, of a method of one those that implement it.
  virtual std::vector<Implied> implied_below(Resolver& resolver, const FileModel& file,
                                             std::uint32_t symbol) const;

  /// What `parameter`, a local of which its function says nothing, holds because something else
  /// says so: what a tool gives a parameter of that name; empty when nothing does.
  virtual Entities given_by_name(Resolver& resolver, const Entity& parameter) const;

  // ---- Uses.

  /// False if `base`, a member of a supertype with the name of member `symbol` of `file`, is not
  /// overridden by it.
  virtual bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const;

  /// False for a member name that subtypes do not share with their supertypes.
  virtual bool may_override(std::string_view name) const;

  /// False if a member of something unknown in `file` is never one that `declaring` declares.
  virtual bool may_mean_member(const FileModel& file, const FileModel& declaring) const;

  /// False if occurrence `index` of `file`, a member of something unknown, is never `member`, by
  /// what is done with it or where it stands.
  virtual bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const;

  // ---- Renaming.

  /// Why `symbol` of `file` cannot be called `new_name` wherever it is named: the language
  /// or a tool knows it by its name. Empty: nothing is known against it.
  virtual std::string objection_to(const FileModel& file, const store::SymbolRow& symbol,
                                   std::string_view new_name) const;

  /// Why something outside of the repository may have to have member `symbol` of `file` under its
  /// name, though nothing in the repository says so of it: a type of another module implements the
  /// interface. Empty: nothing does.
  virtual std::string tied_outside(Resolver& resolver, const FileModel& file,
                                   std::uint32_t symbol) const;

  /// The path that `file` needs when its symbol `symbol` is called `new_name`; empty: its own.
  virtual std::string path_for(const FileModel& file, std::uint32_t symbol,
                               std::string_view new_name) const;

  // ---- What a change leaves without a meaning.

  /// The names that other files can import from one, as it says itself, without those of stars.
  virtual std::set<std::string> names_given(const parse::FileFacts& facts) const;

  /// True for an import that can only be of a file.
  virtual bool names_a_file(std::string_view import_path) const;

  /// What is known of `name`, which name an import of `file` wants of module `target`; exported()
  /// gave `found`, nothing that is known.
  virtual Verdict judge_missing_export(HiddenNames& hidden, const FileModel& file,
                                       std::uint32_t import, const FileModel& target,
                                       const std::string& name, const Entities& found,
                                       bool was_defined) const;

  /// `file` and the modules whose names it takes over as a whole.
  virtual std::vector<const FileModel*> modules_of(Resolver& resolver, const FileModel& file) const;

  /// Why other files may find `name` in `module`, which may do things to its names when it runs.
  virtual std::string hidden_in_module(HiddenNames& hidden, const FileModel& module,
                                       bool was_defined) const;

  /// Why a bare `name` may mean something in `module`.
  virtual std::string hidden_in_scope(HiddenNames& hidden, const FileModel& module,
                                      const std::string& name) const;

  /// Why a type may have members that its declaration does not show.
  virtual std::string hidden_in_type(HiddenNames& hidden, const FileModel& file,
                                     const parse::Symbol& type) const;

  /// Why module `path`, as an import in `file` writes it, may be found when it runs.
  virtual Result<std::string> hidden_module(HiddenNames& hidden, store::CodeReader& reader,
                                            const FileModel& file, std::string_view path) const;

 private:
  LanguageTraits traits_;
  LibraryTables library_;
  LibraryUnits library_units_;
};

/// The semantics of a family. Of one without a resolver, the defaults.
const LanguageSemantics& semantics_of(Family family);

/// Those that find imports, each once.
std::span<const LanguageSemantics* const> importing_semantics();

/// The family of files.language; kNone if nothing is known of its names.
Family family_of(std::string_view language);

/// True where files of the one family may use names of the other.
bool share_names(Family a, Family b);

/// True where names are resolved. In other families they are known by their spelling alone.
inline bool resolves_names(Family family) { return semantics_of(family).traits().resolves_names; }

/// True where the files are known that imports mean.
inline bool finds_imports(Family family) {
  return resolves_names(family) || semantics_of(family).traits().finds_imports;
}

}  // namespace codexmem::graph
