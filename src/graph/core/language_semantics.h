// graph/core/language_semantics.h - the questions that resolution asks of a language.
//
// The core (resolver, usage search, checks) works on facts, scopes, terms and types, and asks here
// for everything that differs between families of languages. A family implements this interface in
// its own folder (graph/ecma, graph/python) and has a row in graph/stored/language_registry.cpp;
// for all other languages the defaults apply, which match names by spelling only. A difference that
// is data belongs in the traits or the library tables; one that needs code is a function.
//
// Stateless, so one object serves all threads; state of a question is kept in Resolver::memory().
// Design: docs/how-it-works.md, "Resolution".
//
// To resolve the names of another family: a folder with a class that implements LanguageSemantics
// (resolves_names is true), a ModuleFinder for its imports, a library.txt, and a row in
// language_registry.cpp and in src/graph/CMakeLists.txt. tests/graph/semantics_test.cpp fails when
// the core names a language.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/core/language_rules.h"
#include "graph/core/library_tables.h"
#include "graph/core/library_units.h"
#include "parse/facts/facts.h"
#include "parse/rules/languages.h"

namespace codexmem::graph {

/// Languages whose names may mean each other's definitions. A number, to be compared only.
using Family = parse::Family;

class ModuleFinder;
class ProjectTree;

/// A type of the language with values that are not objects.
struct Primitive {
  std::string_view name;
  std::string_view boxed = {};  // the library's class that boxes a value; empty for null, which is
                                // of every type except the primitive ones
  std::uint32_t widens_to = 0;  // bits, by number: the types that a value converts to
};

/// How well a language is supported; each level includes the previous ones.
enum class Knowledge : std::uint8_t {
  kSpelling,  // names are matched by spelling only, and imports have no rows
  kImports,   // imports lead to files
  kNames,     // names are resolved
  kChecked,   // changes are checked for uses that they break
};

/// Names of functions that the language and its library know, and reserved names.
struct KnownNames {
  std::string_view main_function = {};  // that a program begins with
  /// The name of the module where a program begins; modules compare it with the variable that holds
  /// their own name.
  std::string_view main_module = {};
  std::string_view own_module = {};
  std::span<const std::string_view> called_unseen = {};  // called by name, without a use
  /// Names by which code reaches other names at run time, except common words.
  std::span<const std::string_view> reflection = {};
  std::span<const std::string_view> reserved = {};  // no symbol may have these names
};

/// How paths of files map to modules.
struct ModuleFiles {
  /// Base names of files that configure imports; "*.x" is any name with that ending.
  std::span<const std::string_view> configuration = {};
  std::span<const std::string_view> long_extensions = {};  // of more than one part, with the dots
  std::span<const std::string_view> folder_modules = {};   // named after their folder: index,
                                                           // __init__
  std::string_view unnamed_folder = {};                    // left out of the names of modules
};

/// Names that texts may hold.
struct TextNames {
  /// Functions that reach a member by a text: getattr(x, "a"). A module that defines one itself may
  /// have any name in its texts.
  std::span<const std::string_view> reach = {};
  bool name_types = false;        // List["A"]
  bool format_names = false;      // "{a:>b$}" names variables, where a macro formats it
  bool keys_are_members = false;  // { "a": 1 } has a member a
};

/// The members that the language's syntax uses.
struct Protocol {
  std::string_view self = "this";                    // the receiver's name, in conditions
  std::string_view constructor = {};                 // makes an instance
  std::string_view call = {};                        // makes instances callable
  std::string_view item = {};                        // gives a[b]
  std::string_view next = {};                        // gives an iterator's current value
  std::span<const std::string_view> iterators = {};  // give an iterator
  std::span<const std::string_view> enter = {};      // give what `with` binds
  std::string_view root_type = {};  // the base of all types, as the library declares it
};

/// Assumptions about values returned by code outside of the repository.
struct Foreign {
  /// A value that the library leaves open may be anything, also of the repository.
  bool untold_is_unknown = false;
  bool results_are_unknown = false;     // the result of a call may be of the repository
  bool instances_are_external = false;  // an instance of an outside class is external
  bool things_hold_ours = false;  // contents may be of the repository: a field, the type argument
                                  // of a template
};

/// How declarations give types.
struct DeclaredTypes {
  /// A field without a type is the field that a superclass declares with a type.
  bool typed_members_win = false;
  bool overrides_inherit = false;       // a member without a type has the type of the overridden
                                        // member
  bool async_is_awaited = false;        // async f() -> A gives a promise of A
  bool rest_is_list = false;            // ...args: A[] takes arguments that are each an A
  bool documentation_mentions = false;  // names in documentation are mentions and give no types
};

/// Whether a use of a member may mean its overrides.
enum class Overriding : std::uint8_t {
  kNone,  // nothing
  kFew,   // it may mean an override, if only a few symbols have the name
  kAll,   // it may mean an override
};

/// Differences between languages that are data.
struct LanguageTraits {
  Knowledge knowledge = Knowledge::kSpelling;
  KnownNames names = {};
  ModuleFiles files = {};
  TextNames texts = {};
  Protocol protocol = {};
  Foreign foreign = {};
  DeclaredTypes declared = {};
  Overriding overriding = Overriding::kNone;

  // ---- Names and modules.
  bool has_scripts = false;  // a file without imports and exports shares its names with others
  bool imports_are_exports = false;  // other files can import the imports at a module's top level
  /// A name may be imported in one branch and defined in the other (try: import x, except: x =
  /// None): it means both.
  bool imports_have_alternatives = false;
  /// An undeclared bare name counts as external: it may be the library's.
  bool absent_names_are_external = false;
  /// A language that shares names with this one, in both directions.
  std::string_view shares_names_with = {};
  /// The container of a declaration need not be a symbol of its file: void A::f(), namespace a::b.
  bool containers_are_apart = false;
  /// A name of a function's scopes is only visible behind its declaration (Binding::seen_from).
  bool names_are_seen_behind = false;
  /// An import may name a folder: its files form one package (graph/imports/packages.h).
  bool imports_name_folders = false;
  bool imports_make_no_cycles = false;    // the language forbids import cycles
  bool packages_need_no_imports = false;  // files of a package name each other's declarations
  /// The file of an import depends on declarations of files, not only on paths.
  bool imports_name_declarations = false;
  bool names_have_dollars = false;
  /// Names of types, functions and methods ignore (ASCII) case.
  bool names_ignore_case = false;
  /// A key that is not a member of the expected type may be a plain name: the label of a switch.
  bool keys_may_be_names = false;
  bool is_compiled = false;  // a compiler knows the type of every receiver

  // ---- Types and members.
  std::span<const Primitive> primitives = {};
  bool assignments_make_members = false;  // x.a = 1 makes an a
  bool assignments_use_members = false;   // this.x = 1 uses the x that a superclass declares
  bool first_base_wins = false;           // of several bases with a member
  /// A name bound twice in a scope is two variables, each with its own type.
  bool locals_are_distinct = false;
  bool arrays_are_elements = false;  // C: a pointer and an array are what they point to and hold
  bool types_are_looked_up = false;  // A[K] gives the types of A's members
  bool types_have_members = false;   // `this` may have a type that is not a class: an enum
  /// Merged declarations of a type are one type: its parts share members and supertypes.
  bool parts_are_one = false;
  /// The least deep members of embedded types count; an embedded type is itself a member.
  bool promotes_by_depth = false;

  // ---- Functions and containers.
  /// Functions of one name are different symbols; when a call may mean several, each is likely.
  bool overloads_are_distinct = false;
  /// A name with several separate declarations means one of them, depending on the build: #if.
  bool alternatives_are_likely = false;
  bool aliases_are_alternatives = false;  // so are functions of other names that a name may mean
  /// Of several definitions, the one with a body is not called.
  bool signatures_have_no_body = false;
  /// A call of a field or variable calls a function assigned to it: ops->open().
  bool values_hold_functions = false;
  /// Code cannot call a value: a called name that is not a function is a value, read through an
  /// implicit accessor.
  bool calls_reach_values = false;
  bool types_are_called = false;    // T(x) makes a T of x
  bool map_keys_are_names = false;  // a key of a map's literal is an expression
  bool maps_hold_items = false;     // iterating a map gives its keys, and m["x"] is a value, not
                                    // member x
};

/// Symbol `symbol` of `file`, implicitly above or below another, and whether that is certain.
struct Implied {
  const FileModel* file = nullptr;
  std::uint32_t symbol = 0;
  bool is_sure = true;
};

/// An occurrence of another name that uses a symbol, or may use it if its meaning is unknown.
struct UnwrittenUse {
  const FileModel* file = nullptr;
  std::uint32_t occurrence = 0;
  bool is_unknown = false;

  bool operator==(const UnwrittenUse&) const = default;
};

class LanguageSemantics : public PackageRules, public RenameRules, public ChangeRules {
 public:
  LanguageSemantics() = default;
  explicit LanguageSemantics(LanguageTraits traits, std::string_view library = {},
                             LibraryArchive units = {})
      : traits_(traits), library_(library), library_units_(units) {}
  ~LanguageSemantics() override = default;
  LanguageSemantics(const LanguageSemantics&) = delete;
  LanguageSemantics& operator=(const LanguageSemantics&) = delete;

  const LanguageTraits& traits() const { return traits_; }
  const LibraryTables& library() const { return library_; }
  /// The interfaces of the library. A resolver gets them from Resolver::library().
  const LibraryUnits& library_units() const { return library_units_; }

  // ---- Imports, while indexing.

  /// Finds the files of imports; nullptr if the language has no finder.
  virtual std::unique_ptr<ModuleFinder> make_module_finder(ProjectTree& tree) const;

  // ---- Names.

  /// The meaning of occurrence `index` if its form alone decides it. For members it is asked before
  /// the receiver is evaluated, for bare names before scopes are searched.
  virtual std::optional<Entities> meaning_by_form(Resolver& resolver, const FileModel& file,
                                                  std::uint32_t index) const;

  /// True if `binding` of `scope` is not seen by a name of that role in an inner scope, or
  /// (`is_own`) in that one.
  virtual bool is_hidden(const FileModel& file, const parse::Scope& scope, std::uint32_t binding,
                         parse::Role role, bool is_own) const;

  /// False for a type where a value is needed, and for a value where a type is needed.
  virtual bool fits(const FileModel& file, std::uint32_t binding, parse::Role role) const;

  /// The meaning of a name that no scope of `file` binds.
  virtual Entities unbound_name(Resolver& resolver, const FileModel& file,
                                std::string_view name) const;

  // ---- Modules.

  /// The meaning of `name` of import `import`; with "*" the module.
  virtual Entities imported(Resolver& resolver, const FileModel& file, std::uint32_t import,
                            std::string_view name) const;

  /// The entities that other files get when they import `name` from `file`.
  virtual Entities exported(Resolver& resolver, const FileModel& file, std::string_view name) const;

  /// Module or package `name` in a folder.
  virtual Entities folder_member(Resolver& resolver, std::string_view folder,
                                 std::string_view name) const;

  // ---- Types.

  /// Declarations elsewhere that merge with symbol `symbol` of `file`.
  virtual Entities merged_with(Resolver& resolver, const FileModel& file,
                               std::uint32_t symbol) const;

  /// Member `name` of the declarations that merge with the type `owner`, reached through
  /// `receiver`.
  virtual Entities merged_members(Resolver& resolver, const Entity& owner, std::string_view name,
                                  const Entity& receiver) const;

  /// The other declarations of the type `owner`, whose supertypes are its own as well.
  virtual Entities merged_types(Resolver& resolver, const Entity& owner) const;

  /// Member `name` of the type `owner`, reached through `receiver`, in a language where types get
  /// members outside of their declaration and their supertypes; else nothing.
  virtual std::optional<Entities> members_of(Resolver& resolver, const Entity& owner,
                                             std::string_view name, const Entity& receiver) const;

  /// The result of calling `callee`, which is not a function, with `arguments` in `file`; nothing
  /// when the language has no rule.
  virtual std::optional<Entities> called(Resolver& resolver, const FileModel& file,
                                         const Entity& callee,
                                         std::span<const parse::TermId> arguments) const;

  /// The elements of iterating `value`, an instance or a class; nothing when its methods decide.
  virtual std::optional<Entities> iterated(Resolver& resolver, const Entity& value) const;

  /// The member at `position` when the instance `value` is destructured; nothing when the language
  /// has no rule.
  virtual std::optional<Entity> part_of(Resolver& resolver, const Entity& value,
                                        std::uint32_t position) const;

  /// The result of awaiting `value`; nothing when it stays the same.
  virtual std::optional<Entities> awaited(Resolver& resolver, const Entity& value) const;

  /// The values of the type that the variable or function `named` holds.
  virtual Entities values_of_type_name(Resolver& resolver, const Entity& named) const;

  /// The type parameters of a type that does not declare its own.
  virtual std::vector<Entity> implied_type_parameters(Resolver& resolver, const Entity& type) const;

  /// Other names by which symbol `symbol` is used: of methods generated for it.
  virtual std::vector<std::string> implied_names(const FileModel& file, std::uint32_t symbol) const;

  /// Uses of symbol `symbol` of `file` that do not contain its name: a sign, the parts of a
  /// generated name.
  virtual std::vector<UnwrittenUse> unwritten_uses(Resolver& resolver, const FileModel& file,
                                                   std::uint32_t symbol) const;

  /// The member that an implicit method `name` of `type` reads: a record's component.
  virtual Entities implied_members(Resolver& resolver, const Entity& type,
                                   std::string_view name) const;

  /// The result of the operator `sign`; `right` is empty for a single operand. Nothing when methods
  /// of the operands decide.
  virtual std::optional<Entities> operated(Resolver& resolver, const FileModel& file,
                                           std::string_view sign, const Entities& left,
                                           const Entities& right) const;

  /// The symbols called when the value `instance` is called: the methods that make it callable.
  virtual Entities called_members(Resolver& resolver, const Entity& instance) const;

  /// The implicit supertypes or overridden methods of symbol `symbol` of `file`: for a type, the
  /// interfaces that it implements by having their methods; for a method, the interface methods
  /// that it implements.
  virtual std::vector<Implied> implied_above(Resolver& resolver, const FileModel& file,
                                             std::uint32_t symbol) const;

  /// The implicit subtypes or overrides of a symbol: for an interface, the types that implement it
  /// by having its methods; for its methods, the methods that implement them.
  virtual std::vector<Implied> implied_below(Resolver& resolver, const FileModel& file,
                                             std::uint32_t symbol) const;

  /// The values that a tool passes to `parameter` by its name, if its function gives no type; empty
  /// without any.
  virtual Entities given_by_name(Resolver& resolver, const Entity& parameter) const;

  // ---- Uses.

  /// False if `base`, a member of a supertype with the name of member `symbol` of `file`, is not
  /// overridden by it.
  virtual bool overrides(const FileModel& file, std::uint32_t symbol, const Entity& base) const;

  /// False for a member name that subtypes do not share with their supertypes.
  virtual bool may_override(std::string_view name) const;

  /// False if occurrence `index` of `file`, a member of an unknown receiver, can never mean
  /// `member`, judged by how or where it is used.
  virtual bool may_use(const FileModel& file, std::uint32_t index, const Entity& member) const;

 private:
  LanguageTraits traits_;
  LibraryTables library_;
  LibraryUnits library_units_;
};

/// The semantics of a family; the defaults for a family without a resolver.
const LanguageSemantics& semantics_of(Family family);

/// The semantics that find imports, each once.
std::span<const LanguageSemantics* const> importing_semantics();

/// The family of files.language; kNone if nothing is known of its names.
Family family_of(std::string_view language);

/// True if files of one family may use names of the other.
bool share_names(Family a, Family b);

/// True if names are resolved. In other families they are matched by spelling only.
bool resolves_names(Family family);

/// True if changes are checked for broken uses.
bool checks_uses(Family family);

/// True if imports are resolved to files.
bool finds_imports(Family family);

}  // namespace codexmem::graph
