// parse/facts.h - what one file says, extracted from its syntax tree once.
//
// FileFacts is all that later stages know of a file: rows are written from it, and what no row
// holds is kept as one packed blob (parse/facts_codec.h). Facts never mention another file: which
// file an import means and which definition a name means is decided in graph, when asked. Plain
// values, in source order; indices refer to the vectors of the same FileFacts. Design:
// docs/parse.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ranges.h"
#include "base/symbol_type.h"

namespace codexmem::parse {

/// "No index": the absent value of every index field below.
inline constexpr std::uint32_t kNoIndex = 0xFFFFFFFFU;

/// Index into FileFacts::names.
using NameId = std::uint32_t;

using codexmem::SymbolType;

/// What is known of a value's type without leaving the file: how it was written.
/// stored: never renumber.
enum class HintKind : std::uint8_t {
  kNone = 0,
  kAnnotation = 1,  // x: T, -> T; `occurrence` is T's last identifier
  kNew = 2,         // x = new T(...); in Python a call is kCall, graph finds out that T is a class
  kCall = 3,        // x = f(...)
  kAwaitCall = 4,   // x = await f(...)
  kAlias = 5,       // x = y, x = a.b
  kElement = 6,     // for x of y, for x in y
  kCast = 7,        // x = y as T, cast(T, y)
  kContext = 8,     // with f() as x
  kContainer = 9,   // x: T[], Array<T>, list[T]: `occurrence` is the element's type
  // A name of an object pattern is a member of what the pattern takes apart. Its key is the name,
  // or the key that the occurrence before it is ({ key: name }).
  kPart = 10,        // const { x } = y, = a.b
  kPartOfCall = 11,  // const { x } = f(), = await f()
  kPartOfType = 12,  // ({ x }: T), const { x } = y as T, = new T(), = this
};

struct TypeHint {
  HintKind kind = HintKind::kNone;
  std::uint32_t occurrence = kNoIndex;  // index into FileFacts::occurrences
};

/// A definition that can be asked for by name. Locals of functions are bindings, not symbols.
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
  ByteRange docstring;  // comment or literal, as docstring_text() takes it; empty: none
  std::vector<std::string>
      modifiers;  // source order: export, default, async, static, abstract, readonly, private,
                  // get, set, declare, decorators as "@name", ...
  bool exported = false;  // visible to other files: `export`, module.exports; in Python every
                          // module-level name without a leading underscore, or what __all__ lists
  TypeHint hint;          // declared or initialised type; of functions the return type
};

/// stored: never renumber.
enum class ScopeKind : std::uint8_t {
  kModule = 0,
  kFunction = 1,
  kClass = 2,  // in Python its names are not seen by functions inside
  kBlock = 3,
  kComprehension = 4,
  kNamespace = 5,
  kTypeParameters = 6,
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
  kGlobal = 5,    // Python `global x`: the module's x; never in the module's scope
  kNonlocal = 6,  // Python `nonlocal x`: the enclosing function's x; likewise
};

/// A name that a scope binds. Class members reached through an instance are symbols, not bindings
/// (in Python a class body's names are both).
struct Binding {
  NameId name = 0;
  std::uint32_t scope = 0;
  BindingKind kind = BindingKind::kLocal;
  std::uint32_t target = kNoIndex;
  std::uint32_t imported_name = kNoIndex;
  std::uint32_t offset = 0;  // byte offset of the binding identifier
  TypeHint hint;             // of locals and parameters
};

/// stored: never renumber.
enum class ImportKind : std::uint8_t {
  kImport = 0,    // import ..., from ... import ..., import type
  kRequire = 1,   // require("..."), import x = require("...")
  kDynamic = 2,   // import("..."), importlib.import_module("...")
  kReexport = 3,  // export ... from "..."
};

/// One name of an import statement.
struct ImportedName {
  NameId imported = 0;      // name in the other file; "default"; "*" for a namespace or star import
  NameId local = kNoIndex;  // name bound here; kNoIndex when none is (star import, re-export)
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

/// What an identifier does where it stands. stored: never renumber.
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

/// What stands before the dot. stored: never renumber.
enum class ReceiverKind : std::uint8_t {
  kNone = 0,   // a bare name: resolved through the scopes
  kThis = 1,   // this.x; self.x and cls.x (first parameter of a method)
  kSuper = 2,  // super.x, super().x
  kName = 3,   // r.x: `receiver` is the occurrence of r, which may itself have a receiver
  kCall = 4,   // r().x
  kNew = 5,    // new r().x
  kOther = 6,  // an expression that is not followed
  kKey = 7,    // a key: object literal, keyword argument, JSX attribute, destructuring pattern
};

/// True for the kinds of which Occurrence::receiver says what the receiver is.
constexpr bool needs_receiver(ReceiverKind kind) {
  return kind == ReceiverKind::kName || kind == ReceiverKind::kCall || kind == ReceiverKind::kNew;
}

/// An identifier in the text. Sorted by offset; a receiver stands before what it receives.
struct Occurrence {
  NameId name = 0;
  std::uint32_t offset = 0;
  Role role = Role::kRead;
  ReceiverKind receiver_kind = ReceiverKind::kNone;
  std::uint32_t receiver = kNoIndex;  // index into occurrences for kName, kCall, kNew
};

/// A class or interface and one thing it extends or implements.
struct Heritage {
  std::uint32_t symbol = 0;      // the subtype
  std::uint32_t occurrence = 0;  // the supertype's last identifier
};

/// Something that could hide a reference from a reader of syntax. stored: never renumber.
enum class DynamicKind : std::uint8_t {
  kEval = 0,            // eval, exec, new Function
  kComputedMember = 1,  // a[b] with b no literal
  kReflection = 2,      // getattr, setattr, globals()
  kComputedImport = 3,  // import(x), require(x), __import__(x) with x no literal
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
  std::vector<std::string> names;  // distinct, sorted by bytes
  std::vector<Symbol> symbols;     // by range.begin, the enclosing one first
  std::vector<Scope> scopes;
  std::vector<Binding> bindings;  // by offset
  std::vector<Import> imports;
  std::vector<Export> exports;
  std::vector<Occurrence> occurrences;
  std::vector<Heritage> heritage;
  std::vector<DynamicConstruct> dynamics;
  std::vector<ByteRange> unparsed;  // error nodes of the tree: what was not understood
  std::vector<Chunk> chunks;
  bool has_all = false;    // Python: __all__ is given, exports holds it
  bool truncated = false;  // the parse hit its time or size limit: facts are incomplete
};

}  // namespace codexmem::parse
