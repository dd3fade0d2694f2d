// parse/facts/facts.h - the facts in one file, extracted from its syntax tree once.
//
// Later stages know a file only by its FileFacts: rows are written from it, and everything else is
// kept as one packed blob (parse/facts/facts_codec.h). Facts never mention another file: graph
// resolves imports and names when asked. Plain values, in source order; indices refer to vectors of
// the same FileFacts. Design:
// docs/how-it-works.md, "Parse".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "text/ranges.h"
#include "base/symbol_type.h"

namespace codexmem::parse {

/// "No index": the absent value of every index field below.
inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFU;

/// Index into FileFacts::names.
using NameId = std::uint32_t;

using codexmem::SymbolType;

/// Index into FileFacts::terms.
using TermId = std::uint32_t;

/// How a value is computed or what a type is, as written: a small expression language over the
/// occurrences of the file. A term describes the values of an expression, or the values that a
/// variable of a type may hold; graph evaluates it when asked. Each kind describes `at` and its
/// parts. A part is kNoIndex if nothing is known. stored: never renumber.
enum class TermKind : std::uint8_t {
  kName = 0,        // the meaning of occurrence `at`: a, a.b, this.x; in types: typeof a
  kType = 1,        // of the type that occurrence `at` names; parts: its type arguments
  kThis = 2,        // this, self, and the types `this` and Self: of the class of symbol `at`
  kLiteral = 3,     // a string, a number, ...: a value of the language itself
  kNew = 4,         // new parts[0](parts[1], ...)
  kCall = 5,        // parts[0](parts[1], ...); a JSX element is a call without arguments
  kAwait = 6,       // await parts[0]
  kElement = 7,     // an element when iterating parts[0]; also ...parts[0] among arguments
  kEntered = 8,     // Python: with parts[0] as
  kMember = 9,      // member of name `at` of parts[0]: a key of a pattern, x["a"], T["a"]
  kItem = 10,       // parts[0][i]: `at` is i if that is a number, else kNoIndex; parts[1..]: the
                    // contents of the brackets (Python's X[A, B] may be a type; T[K])
  kUnion = 11,      // one of the parts: a || b, a ? b : c, A | B; also A & B and { ...a, b }
  kArray = 12,      // a list of each part's values: T[], [a, b]
  kTuple = 13,      // [A, B] as a type, Python's a, b
  kFunction = 14,   // functions[at]
  kObject = 15,     // objects[at]
  kApply = 16,      // parts[0] with the type arguments parts[1..]: f<T>(x), class A extends B<T>
  kParameter = 17,  // the type of parameter number `at` that the place of the function parts[0]
                    // expects
  kArgument = 18,  // the expected type of argument number `at` of the call or new parts[0]; for the
                   // keys of keyword arguments `at` is kNoIndex. parts[1], if any, is the type that
                   // the place of the call expects
  kResult = 19,    // the result of the function parts[0]
  kModule = 20,    // the module of import `at`: require("a"), import("a")
  kOperator = 21,  // parts[0] + parts[1], -parts[0]: name `at` is the operator
  kMap = 22,       // a map from values of parts[0] to values of parts[1]
  kChannel = 23,   // a channel of parts[0]
  kNth = 24,       // number `at` of the values of parts[0]: a, b := f()
  kRanged = 25,    // variable number `at` of a loop over parts[0]
  kOwnParameter = 26,  // type parameter number `at` of the type parts[0]: func (s Set[T])
  kOwnType = 27,       // a distinct type declared as parts[0]: type A B
  kLanguageType = 28,  // of the language's own type called `at`, a name: "x" is of String, 1 of
                       // int, T.class of Class; parts: its type arguments
  kDefaulted = 29,     // parts[0], or parts[1] if that is absent: a in { a = b }
  kConditional = 30,   // parts[0] extends parts[1] ? parts[2] : parts[3]
  kVariant = 31,       // parts[0], matched by a pattern of variant `at`, an occurrence: Some(x)
};

struct Term {
  TermKind kind = TermKind::kName;
  std::uint32_t at = kNoIndex;
  std::uint32_t first_part = 0;  // into FileFacts::term_parts; each part is smaller than its term
  std::uint32_t part_count = 0;
};

/// Maximum number of terms in a file, and of functions and of objects. Beyond it, values are
/// unknown.
inline constexpr std::size_t kMaxTerms = std::size_t{1} << 20U;

/// A parameter as callers see it; receiver parameters (self, this) are left out.
struct Parameter {
  NameId name = kNoIndex;  // kNoIndex for a pattern
  TermId term = kNoIndex;  // its annotation, else its default
  bool is_annotated = false;
  bool is_optional = false;  // x?, x = 1
  bool is_rest = false;      // ...x, *x: the term is the declared type of the rest parameter, or in
                             // Python's *x the type of one element
  bool is_keyword = false;   // Python: after *, or **x (which is_rest too)
};

/// A function, method, arrow, function type or signature.
struct Function {
  std::vector<Parameter> parameters;
  TermId result = kNoIndex;     // annotated, otherwise the union of the returned values (at most
                                // kMaxResults)
  bool is_annotated = false;    // the result is annotated
  bool is_async = false;        // a result that is not annotated is wrapped in a promise
  bool is_generator = false;    // a result that is not annotated is the union of the yielded values
  bool is_constructor = false;  // of type new () => T
  bool is_private = false;      // only its file can call it; only in languages with overloading
  bool is_extension = false;    // can be called on its first parameter like a member
};
inline constexpr std::size_t kMaxResults = 8;

/// A key of an object literal, type literal or interface that is written out.
struct ObjectKey {
  NameId name = 0;
  std::uint32_t occurrence = kNoIndex;  // of the key; kNoIndex for a quoted one
  TermId term = kNoIndex;
};

/// stored: never renumber. The source of an object's keys.
enum class KeySort : std::uint8_t {
  kWritten = 0,  // written out
  kSame = 1,     // { [K in keyof T]: ... }: the keys of T, `keys_of`
  kMade = 2,     // { [K in keyof T as ...]: ... }: computed from the keys of T, `keys_of`
  kListed = 3,   // { [K in T]: ... }: the values of T, `keys_of`
};

/// An object literal, a type literal, or the signatures of an interface (whose keys are symbols).
struct Object {
  std::vector<ObjectKey> keys;       // in source order
  std::vector<std::uint32_t> calls;  // call and construct signatures, into functions
  std::vector<TermId> spreads;       // ...a; empty for mapped types
  TermId other = kNoIndex;           // the value of any other key: index signatures, mapped types
  KeySort key_sort = KeySort::kWritten;
  TermId keys_of = kNoIndex;  // for a mapped type, see `key_sort`
};

/// x has a type for the length of a block: isinstance(x, T), x instanceof T.
struct Narrowing {
  NameId name = 0;  // a bare name, or names with dots between: a.b
  ByteRange range;  // where it holds
  TermId term = 0;  // values of that type
};

/// A definition that can be looked up by name. Locals of functions are bindings, not symbols.
struct Symbol {
  std::string name;
  SymbolType type = SymbolType::kVariable;
  std::string
      kind;  // finer than type: function, generator, class, enum, namespace, interface, type,
             // const, variable, field, getter, setter, constructor, method, enum_member, ...
  std::string qualified_name;       // names of the enclosing symbols and this one, joined by "."
  std::uint32_t parent = kNoIndex;  // index of the innermost enclosing symbol
  ByteRange range;                  // the whole declaration: decorators, export keyword, body
  ByteRange name_range;             // the identifier; empty for an anonymous default export
  ByteRange body;                   // the body, or empty
  ByteRange signature;  // the declaration without its body: signature_text() of it is shown
  ByteRange docstring;  // comment or literal, input of docstring_text(); may be empty
  std::vector<std::string>
      modifiers;  // source order: export, default, async, static, abstract, readonly, private,
                  // get, set, declare, decorators as "@name", ...
  bool exported = false;   // visible to other files: `export`, module.exports; in Python every
                           // module-level name without a leading underscore, or what __all__ lists
  TermId term = kNoIndex;  // its annotation, else its value; of functions and methods a kFunction;
                           // of type aliases the aliased type; of interfaces a kObject with their
                           // signatures, if any; of classes kNoIndex
};

/// stored: never renumber.
enum class ScopeKind : std::uint8_t {
  kModule = 0,
  kFunction = 1,
  kClass = 2,  // in Python, functions inside do not see its names
  kBlock = 3,
  kComprehension = 4,
  kNamespace = 5,
  kTypeParameters = 6,
  kGlobal = 7,  // declare global: its names are visible in every file
};

/// A region in which names are bound. Scopes[0] is the module; children come after their parents.
struct Scope {
  ScopeKind kind = ScopeKind::kModule;
  std::uint32_t parent = kNoIndex;
  ByteRange range;
  std::uint32_t symbol = kNoIndex;  // the symbol whose body or parameters this is, if any
};

/// stored: never renumber.
enum class BindingKind : std::uint8_t {
  kSymbol = 0,  // target: index into symbols
  kImport = 1,  // target: index into imports; imported_name: index into its names
  kParameter = 2,
  kLocal = 3,
  kTypeParameter = 4,
  kGlobal = 5,    // Python `global x`: the module's x; never in the module's own scope
  kNonlocal = 6,  // Python `nonlocal x`: the enclosing function's x; never in the module's own
                  // scope
  kAlias = 7,     // TypeScript `import a = b.c`: like kSymbol, for a symbol that is an alias
};

/// A name that a scope binds. Class members reached through an instance are symbols, not bindings
/// (in Python a class body's names are both).
struct Binding {
  NameId name = 0;
  std::uint32_t scope = 0;
  BindingKind kind = BindingKind::kLocal;
  std::uint32_t target = kNoIndex;
  std::uint32_t imported_name = kNoIndex;
  std::uint32_t offset = 0;     // byte offset of the binding identifier
  std::uint32_t seen_from = 0;  // where it becomes visible, if that is after its identifier; else 0
  TermId term = kNoIndex;       // of locals and parameters as for symbols; of a parameter without
                                // annotation the union of its default and the type expected at its
                                // function's place (kParameter); of a type parameter its bound
  TermId fallback = kNoIndex;   // of a type parameter its default
};

/// stored: never renumber.
enum class ImportKind : std::uint8_t {
  kImport = 0,      // import ..., from ... import ..., import type
  kRequire = 1,     // require("..."), import x = require("...")
  kDynamic = 2,     // import("..."), importlib.import_module("...")
  kReexport = 3,    // export ... from "..."
  kDocumented = 4,  // import("...") and @import in JSDoc: no dependency of the program
  kInclude = 5,     // #include: "<x.h>" keeps its brackets
};

/// One name of an import statement.
struct ImportedName {
  NameId imported = 0;      // name in the other file; "default"; "*" for a namespace or star import
  NameId local = kNoIndex;  // name bound here; kNoIndex for a star import or re-export
  std::uint32_t offset =
      0;  // byte offset of the imported name's token ("*" and require: of the statement)
  bool type_only = false;
};

/// One imported module. `import a, b` in Python gives two.
struct Import {
  std::string
      path;  // as written, without quotes; Python's relative imports keep their dots (".a.b", "..")
  ImportKind kind = ImportKind::kImport;
  ByteRange range;                // the statement or call
  std::uint32_t path_offset = 0;  // byte offset of the path's first character
  std::uint32_t scope = 0;
  bool type_only = false;          // import type; inside `if TYPE_CHECKING`
  bool conditional = false;        // inside if, try or a function body
  bool from_import = false;        // Python `from path import names`: each name may be a submodule
  bool binds_top_package = false;  // Python `import a.b.c`: binds `a`, not a.b.c
  std::vector<ImportedName> names;
};

/// A name that other files can import. Python files have them only for __all__ (its strings).
struct Export {
  NameId exported =
      0;  // "default"; "*" for `export * from`; module.exports = X counts as "default"
  NameId local =
      kNoIndex;  // name in this file, or in the other file for a re-export; kNoIndex: an expression
  std::uint32_t import = kNoIndex;  // index into imports for a re-export
  std::uint32_t symbol = kNoIndex;  // the symbol when the export declares it
  std::uint32_t offset = 0;         // byte offset of the exported name's token, or of the statement
  bool type_only = false;
  bool commonjs = false;
};

/// How an identifier is used at its place. stored: never renumber.
enum class Role : std::uint8_t {
  kRead = 0,
  kWrite = 1,
  kCall = 2,        // f(...), new F(...), <F/>, a decorator
  kType = 3,        // in type position
  kInherit = 4,     // extends, implements, a base class
  kImport = 5,      // a name of an import statement
  kExport = 6,      // export { name }, a string of __all__
  kDefinition = 7,  // the name of a symbol or binding where it is declared
};

/// The kind of expression before the dot. stored: never renumber.
enum class ReceiverKind : std::uint8_t {
  kNone = 0,   // a bare name: resolved through the scopes
  kThis = 1,   // this.x; self.x and cls.x (first parameter of a method)
  kSuper = 2,  // super.x, super().x; in C++ ::x, of the global namespace
  kName = 3,   // r.x: `receiver` is the occurrence of r, which may itself have a receiver
  kTerm = 4,   // f().x, new A().x, (await p).x, a[0].x: `receiver` is a term
  kOther = 5,  // an expression that is not followed
  kKey = 6,    // a key: object literal, keyword argument, JSX attribute, destructuring pattern;
               // `receiver` is the term of the object: of the destructured value, or of the type
               // expected at the literal's place; kNoIndex if unknown
  kTag = 7,    // struct x, x!(): a name of the name space of tags (C) or macros (Rust)
};

/// An identifier in the text. Sorted by offset; a receiver comes before its member.
struct Occurrence {
  NameId name = 0;
  std::uint32_t offset = 0;
  Role role = Role::kRead;
  ReceiverKind receiver_kind = ReceiverKind::kNone;
  std::uint32_t receiver = kNoIndex;  // of kName an occurrence, of kTerm and kKey a term
  bool by_syntax = false;  // not written there: an operator, a + b, calls a function `plus`
};

/// The arguments of a call with a named callee. Only in languages with overloading. A call without
/// an entry has no arguments.
struct Call {
  std::uint32_t occurrence = 0;  // the callee's
  TermId term = kNoIndex;        // a kCall or kNew; kNoIndex if the arguments are unknown: a::b
};

/// A class or interface and one type that it extends, implements or embeds; or a method written
/// outside its type, and that type.
struct Heritage {
  std::uint32_t symbol = 0;      // the subtype
  std::uint32_t occurrence = 0;  // the supertype's last identifier
  TermId term = kNoIndex;        // a kType with its type arguments, if any
};

/// A block that adds members to a named type: impl Trait for Type { }.
struct Extension {
  std::uint32_t scope = 0;         // of the block
  std::uint32_t type = kNoIndex;   // occurrence: the last identifier of the type, if it has one
  std::uint32_t trait = kNoIndex;  // likewise of the implemented interface
  TermId type_term = kNoIndex;
  TermId trait_term = kNoIndex;
};

/// A construct that can hide references from static analysis. stored: never renumber.
enum class DynamicKind : std::uint8_t {
  kEval = 0,            // eval, exec, new Function
  kComputedMember = 1,  // a[b] where b is not a literal
  kReflection = 2,      // getattr, setattr, globals()
  kComputedImport = 3,  // import(x), require(x), __import__(x) where x is not a literal
};

struct DynamicConstruct {
  DynamicKind kind = DynamicKind::kEval;
  std::uint32_t offset = 0;
};

/// A syntactic piece of the text (SEARCH.md, section 3); ascending, without overlap.
struct Chunk {
  ByteRange range;
  std::uint32_t start_line = 1;  // 1-based, inclusive
  std::uint32_t end_line = 1;
};

struct FileFacts {
  std::string package;             // from the file's package clause, if any
  std::vector<std::string> names;  // distinct, sorted by bytes
  std::vector<Symbol> symbols;     // by range.begin, the enclosing one first
  std::vector<Scope> scopes;
  std::vector<Binding> bindings;  // by offset
  std::vector<Import> imports;
  std::vector<Export> exports;
  std::vector<Occurrence> occurrences;
  std::vector<Heritage> heritage;
  std::vector<Call> calls;  // by occurrence
  std::vector<Extension> extensions;
  std::vector<Term> terms;
  std::vector<TermId> term_parts;
  std::vector<Function> functions;
  std::vector<Object> objects;
  std::vector<Narrowing> narrowings;  // by range.begin
  std::vector<DynamicConstruct> dynamics;
  std::vector<ByteRange> documents;  // comments whose names are occurrences, in order; these names
                                     // document and do not count as uses
  std::vector<ByteRange> unparsed;   // error nodes of the tree: text that was not understood
  std::vector<Chunk> chunks;
  bool has_all = false;    // Python: the file defines __all__; exports lists its names
  bool truncated = false;  // the parse hit its time or size limit: facts are incomplete
};

}  // namespace codexmem::parse
