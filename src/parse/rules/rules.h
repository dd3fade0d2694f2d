// parse/rules/rules.h - a language's queries, compiled for one walk over the tree.
//
// Internal to parse. The files grammars/<folder>/*.scm are Tree-sitter queries of a restricted form
// (docs/how-it-works.md, "Parse" lists the forms and the capture names). Tree-sitter's query cursor
// takes 0.4 of the parsing time for a single pattern. So the queries are compiled to tables by kind
// of node, and the walk in parse/walk/walker.h looks up each node that it enters.
//
// A pattern may contain fields, `[(a) (b)]`, `"token"`, `_`, `?`, `!field`, `.` before a child (the
// next named child), captures, and the predicates #eq?, #any-of?, #begins-with?, #ends-with?,
// #holds? (a part), each with `not-` for the contrary, and #makes? (the macro of that name, of the
// same file, declares its first name behind one of these words: macro_makers.h). A predicate in
// `((kind) @action (#...? @action "x"))` asks for the own node. Children without a field match in
// order. Of the patterns that declare a symbol, or make a term, the first that fits counts, so
// special ones come before general ones; of the others all that fit apply. Of edge rules the first
// that fits counts, among roles, `part.*`, and `expect.*` with `keys.*` each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/symbol_type.h"
#include "parse/facts/facts.h"
#include "parse/rules/languages.h"
#include "parse/rules/rule_sorts.h"
#include "parse/walk/syntax.h"

namespace codexmem::parse {

/// How names in a node are used, by the node's place in its parent. An edge rule sets it for a
/// child; kNone without a rule.
enum class Context : std::uint8_t {
  kNone,             // a use: read
  kInherit,          // as the parent
  kInheritPart,      // as the parent, one part of several
  kInheritType,      // as the parent if that is kType or kExtends, else kNone
  kInheritCapture,   // as the parent if that is kCapture, else kNone
  kInheritCall,      // as the parent if that is kCall, else kNone
  kInheritArgument,  // kType below a type or supertype, else kNone
  kInheritWrite,     // kWrite below an assignment's left, else kCall
  kRead,
  kCall,
  kWrite,
  kType,
  kTag,        // C's struct x
  kMacro,      // Rust's x!()
  kToken,      // a token of a macro call, which is not parsed
  kShorthand,  // both a variable and the key with its name
  kPattern,    // bound in the innermost scope, except a capitalised name: that is a constant
  kExtends,    // the supertype of a class
  kVariable,   // bound by a declaration whose keyword is known
  kLocal,      // bound in the innermost scope
  kParameter,
  kTypeParameter,
  kAssign,   // Python: binds in the function's scope unless it is bound there already
  kWalrus,   // the same, past comprehensions
  kOwn,      // the same, in the comprehension that binds it already, else here; never a symbol
  kCapture,  // the same, in a pattern of `match`, if the name has no dots
  kMember,   // a member of an enum
  kField,    // a field of a type that is declared here
  kGlobal,
  kNonlocal,
  kImportDefault,
  kImportNamespace,
  kImportName,
  kImportAlias,
  kImportModule,  // a part of a module's dotted name
  kExportName,
  kKeyRead,
  kKeyWrite,
  kKeyAssigned,  // a key if "=" or ":" follows, else a use
  kElementName,  // JSX: a component if it starts with a capital or has a receiver
  kElementEnd,   // the same in the closing tag
  kSkip,         // no occurrence
};

/// How a child's value determines its parent's, when the parent precedes a dot.
enum class Value : std::uint8_t {
  kNone,       // nothing
  kSame,       // the parent's value is the child's
  kReceiver,   // the child is the expression before the parent's dot
  kCalled,     // the parent is a call of the child
  kReference,  // the first such child is the expression before the sign, the second a member of it
  kChained,    // the same, but the child's place decides: a.b, a plus b
};

/// The part of a destructured value that a child of a pattern receives; by edge rule.
enum class Part : std::uint8_t {
  kNone,         // not a part: the whole value
  kSame,         // the parent's value
  kKey,          // its member named by the parent's `key`
  kName,         // its member of the child's own name
  kNameDefault,  // the same, or the value of the parent's `right`
  kDefault,      // the parent's value, or the value of its `right`
  kItem,         // its item at the child's position
  kRest,         // a list of its elements: ...rest in a list
  kList,         // a list of it: *args: T
  kAssigned,     // the value of the parent's `right`
  kNth,          // the value at the child's position, or that element of the only value
  kPayload,      // the parent's value, seen as the variant that the parent's `type` names
  kPayloadItem,  // the item of that at the child's position
  kComponent,    // component number (the child's position) of the destructured value
  kSelected,     // the `value` of the node two levels above the parent: an arm of a match
  kNothing,
};

/// The type expected of an expression at its place, or the object of a key; by edge rule.
enum class Expect : std::uint8_t {
  kNone,
  kSame,       // the type expected of the parent
  kArgument,   // the type of this argument of the call above the parent
  kTrailing,   // the type of the argument after all others of the call that is the parent
  kKeyword,    // the type of the argument with the parent's `name` of the call above the parent's
               // parent
  kKey,        // the member, named by the parent's `key`, of the type expected of the object above
  kMethod,     // the member of the child's own `name`
  kElement,    // an element of the type expected of the parent
  kDeclared,   // the parent's `type`
  kLeft,       // the type of the parent's `left`
  kResult,     // a result of the enclosing function
  kCast,       // the type among the parent's children
  kFirst,      // the parent's first child
  kPart,       // the member, named by the parent's first child, of the type matched by the pattern
               // above
  kAttribute,  // the property, named by the parent's first child, of the element above
  // For keys:
  kKeysOfThis,      // the type expected of the parent
  kKeysOfOuter,     // the type expected of the parent's parent
  kKeysOfTaken,     // the value that the parent, a pattern, destructures
  kKeysOfCall,      // the keyword arguments of the call above the parent
  kKeysOfProps,     // the properties of the element above the parent
  kKeysOfClass,     // the class of the pattern or annotation above
  kKeysOfSelector,  // the `condition` of the nearest node above that has one
  kKeysOfElements,  // the elements of the `receiver` of the call above the parent
};

/// How a child is handled, by its parent's kind, its field and its own kind.
struct EdgeRule {
  Field field = 0;  // 0: any
  Kind child = 0;   // 0: any named
  Context context = Context::kNone;
  Value value = Value::kNone;
  Part part = Part::kNone;
  Expect expect = Expect::kNone;
  bool is_member = false;           // names in it belong to the parent's receiver
  bool is_optional_member = false;  // the same, if the parent has one
  bool is_owned = false;            // members written in it belong to the enclosing symbol
};

/// Captures inside a pattern, by the name in the query.
enum class Slot : std::uint8_t {
  kName,
  kAlias,
  kBody,
  kValue,
  kType,
  kReturn,
  kStart,
  kSource,
  kInner,
  kOther,
  kElement,
  kContext,
  kObject,
  kList,
  kBlock,
  kCondition,
  kKeys,
  kContainer,
  kRanged,
  kArguments,
  kPrivate,  // the first of kPrivateSlots for @_names of predicates
};
inline constexpr std::size_t kPrivateSlots = 3;
inline constexpr std::size_t kSlotCount = static_cast<std::size_t>(Slot::kPrivate) + kPrivateSlots;

/// The nodes that a pattern captured; no node where an optional part is missing.
class Captures {
 public:
  const Node& operator[](Slot slot) const { return at(static_cast<std::size_t>(slot)); }
  const Node& at(std::size_t slot) const {
    static const Node kNone;
    return (set_ >> slot & 1U) != 0 ? nodes_[slot] : kNone;
  }
  void set(std::size_t slot, const Node& node) {
    nodes_[slot] = node;
    set_ |= 1U << slot;
  }
  void clear() { set_ = 0; }
  /// Call it between trees: nodes are cached by address, and addresses are reused.
  void forget() {
    clear();
    cached_root_ = nullptr;
  }

  /// The child of `root` in `field`, cached because several patterns of a kind use the same few
  /// fields.
  const Node& field_of(const Node& root, Field field) {
    if (root.id != cached_root_) {
      cached_root_ = root.id;
      cached_ = 0;
    }
    std::size_t used = std::min(cached_, kCachedFields);
    for (std::size_t i = 0; i < used; ++i) {
      if (fields_[i] == field) return children_[i];
    }
    std::size_t at = cached_++ % kCachedFields;
    fields_[at] = field;
    children_[at] = child_by_field(root, field);
    return children_[at];
  }

 private:
  static constexpr std::size_t kCachedFields = 6;
  std::uint32_t set_ = 0;  // a bit for each slot, so that clearing is cheap
  std::array<Node, kSlotCount> nodes_;
  const void* cached_root_ = nullptr;
  std::size_t cached_ = 0;
  std::array<Field, kCachedFields> fields_{};
  std::array<Node, kCachedFields> children_;
};

/// The effect of a pattern's own node; capture_table.h has the names for queries.
enum class Action : std::uint8_t {
  kSymbol,
  kBoundSymbol,        // its name is bound in the enclosing scope
  kParameterProperty,  // a constructor's parameter that is also a property
  kSelfAttribute,      // self.x = ..., this.x = ...
  kMemberAssignment,   // X.y = ...
  kExportsAssignment,  // exports.y = ..., module.exports.y = ...
  kModuleExports,      // module.exports = ...
  kDefaultExport,      // export default <expression>
  kAssignExport,       // export = <expression>
  kExportStar,
  kExportNamespace,
  kExportFrom,
  kExportSpecifier,
  kExportsMember,  // a key of module.exports = {...}
  kAllExport,      // __all__ = [...]
  kBodyApart,      // the body of the function declared just before it
  kDocumentation,  // @value documents the next declaration, or the enclosing one
  kImport,
  kImportType,
  kImportSpecifier,
  kImportSpecifierType,
  kImportEquals,
  kImportList,  // Python: import a, b
  kImportFrom,
  kImportFuture,
  kImportQualified,  // Java: import a.b.C, import static a.b.C.d, import a.b.*
  kRequire,          // require("x")
  kRequireDeclarator,
  kDynamicImport,
  kDynamicImportDeclarator,
  kScope,
  kDeclaration,
  kDeclarator,
  kWrapper,
  kExportWrapper,
  kDecorator,
  kDecoratorKind,
  kModifier,
  kModifierList,
  kComment,
  kDocumented,  // the comment before it also documents its contents
  kConditional,
  kTypeChecking,
  kDynamic,
  kDeclarators,      // C: the node's declarators make the declarations
  kAccess,           // following siblings have this access
  kNames,            // text whose names are occurrences
  kWords,            // the words of @list, or of the node, are occurrences
  kItems,            // its children are items, not keys
  kContainer,        // declarations in it belong to @name
  kNamespace,        // declarations in it, or after it, belong to the dotted name @name
  kLocalName,        // binds @name, with @type, @value or an @element; or the parameter of a setter
  kBounds,           // the type parameter @name has the types of the children as bounds
  kPackage,          // the file's top level belongs to @name
  kImportInclude,    // #include "x"
  kImportPackage,    // import "a/b": binds the package's name, or the name in the import
  kEmbedded,         // the enclosing type has the members of @type
  kApart,            // the method belongs to @type, which has the type parameters @list
  kExtension,        // adds members to @type, which thereby implements @other
  kImportTree,       // use a::{b, c::*}
  kImportModule,     // mod a;
  kPasting,          // a macro that may put names together: [<a $b>]
  kImportModules,    // a macro call that may stand for such: mod_pub!(a b);
  kImportNamespace,  // using a.b: binds all names in it, or the name space as @name
  kImportUse,        // use a\b, function c\{d as e}
  kClause,           // a clause of a type switch: its name has the clause's type
  kAnonymous,        // it may have the body of a class that extends @type, else the enclosing type
  kAnonymousBody,    // that body, or the class without its constructor call
  kTemplate,         // a text that contains names as $name
  kReceiver,         // binds the receiver of the function, or of the lambda by its place
  kCall,             // a call whose arguments select one of several functions
  kOperator,         // calls a member of @value without naming it
  kSelf,
  kDocstring,
  kIdentifier,
  kValue,           // the term of a value
  kTypeText,        // the term of a type
  kEntry,           // of an object literal, a type literal or an interface
  kParameter,       // of a list of parameters
  kFunctionFlag,    // an additional property of a function
  kTest,            // a condition that tests a type
  kNarrow,          // where a condition is known to be true
  kYield,           // the enclosing function yields @value
  kConstantValue,   // this, super
  kAnnotation,      // @inner is an annotation in any place
  kTextMember,      // @name, or strings in @list, name members of @object, else of the enclosing
                    // class
  kReturn,          // the enclosing function returns @value
  kTypeParameters,  // Python's [T, U: Bound]
  kStringType,      // a string that is an annotation in type position
  kSkip,            // its contents are skipped
  kForms,           // a whole file; forms.h reads its names and imports
};

struct PatternItem {
  Field field = 0;
  bool is_negated = false;  // !field: the field must be absent
  bool is_optional = false;
  bool is_anchored = false;  // the next named child only
  bool accepts_any = false;  // `_`: tokens as well
  std::vector<Kind> kinds;   // empty: any named node
  int slot = -1;
  std::vector<PatternItem> children;
};

struct Predicate {
  int slot = -1;  // -1: the pattern's own node
  bool is_negated = false;
  bool is_ending = false;          // the text ends with one of these
  bool is_beginning = false;       // it begins with one
  bool is_holding = false;         // it holds one
  bool is_making = false;          // the macro with that name declares names after one of these
                                   // words
  std::vector<std::string> texts;  // the captured text is one of these
};

struct Pattern {
  Action action = Action::kSymbol;
  std::uint8_t sort = 0;  // depends on the action: SymbolType, ScopeKind, DynamicKind, ...
  std::string kind;       // of a symbol; of a value, the built-in type that it has
  std::string token;      // a token that the pattern requires, if any
  std::vector<PatternItem> items;
  std::vector<Predicate> predicates;
};

struct KindRules {
  std::vector<EdgeRule> edges;          // with this kind as the parent; the first match applies
  std::vector<EdgeRule> part_edges;     // likewise
  std::vector<EdgeRule> expect_edges;   // likewise
  std::vector<Pattern> patterns;        // run when the walk enters such a node, in order
  std::vector<Pattern> value_patterns;  // run on demand
  std::vector<Pattern> type_patterns;
  std::vector<Pattern> entry_patterns;
  std::vector<Pattern> parameter_patterns;
  std::vector<Pattern> flag_patterns;
  std::vector<Pattern> test_patterns;
  std::vector<Pattern> self_patterns;
  std::vector<Pattern> docstring_patterns;
  IdentifierSort identifier_sort = IdentifierSort::kPlain;
  bool is_named = false;
  bool is_identifier = false;
  bool is_wrapper = false;
  bool is_export_wrapper = false;
  bool is_decorator = false;
  bool is_modifier = false;
  bool is_modifier_list = false;
  bool is_comment = false;
  bool is_documented = false;
  bool is_cast = false;  // it casts its value to the type before it
  bool is_conditional = false;
  bool is_skipped = false;
  bool is_attribute = false;
  bool is_names = false;
  bool is_access = false;  // an identifier that may be private or public
  bool is_string_type = false;
  bool has_fields = false;                            // some edge rule needs the field of a child
  ReceiverKind constant_value = ReceiverKind::kNone;  // kThis, kSuper
};

/// The kinds of node that parse/terms/declarators.cpp reads; 0 if the grammar does not have the
/// kind.
struct DeclaratorKinds {
  Kind identifier = 0;
  Kind field_identifier = 0;
  Kind type_identifier = 0;
  Kind primitive_type = 0;
  Kind operator_name = 0;
  Kind operator_cast = 0;
  Kind destructor_name = 0;
  Kind qualified_identifier = 0;
  Kind template_function = 0;
  Kind template_method = 0;
  Kind function_declarator = 0;
  Kind parenthesized_declarator = 0;
  Kind reference_declarator = 0;
  Kind init_declarator = 0;
  Kind attributed_declarator = 0;
  Kind parameter_list = 0;
  Kind macro_type_specifier = 0;
  Kind friend_declaration = 0;
  Kind namespace_definition = 0;
  Kind field_declaration_list = 0;
  Kind structured_binding_declarator = 0;
  Kind abstract_function_declarator = 0;
  Kind placeholder_type_specifier = 0;
  Kind trailing_return_type = 0;
  Kind template_parameter_list = 0;
};

/// The fields and kinds that several languages share; 0 if the grammar does not have it.
struct Fields {
  Field body = 0;
  Field name = 0;
  Field alias = 0;
  Field key = 0;
  Field return_type = 0;
  Field parameters = 0;
  Field type_parameters = 0;
  Field type = 0;
  Field type_arguments = 0;
  Field parameter = 0;
  Field constraint = 0;
  Field value = 0;
  Field left = 0;
  Field right = 0;
  Field receiver = 0;
  Field property = 0;
  Field declarator = 0;
  Field default_value = 0;
  Field condition = 0;
  Field dimensions = 0;
  Kind object_pattern = 0;
  Kind assignment_pattern = 0;
  bool has_keyword_parameters = false;  // after *args
};

/// The compiled queries of one language. Immutable; shared by all threads.
class Rules {
 public:
  /// The rules of `language`, which must have a grammar; compiled at the first call.
  static const Rules& of(const Language& language);

  const Grammar& grammar() const { return grammar_; }
  DocStyle doc_style() const { return doc_style_; }
  Visibility visibility() const { return visibility_; }
  /// True if the queries describe values; otherwise there are no terms.
  bool has_terms() const { return has_terms_; }
  /// C: declarators have types and scopes.
  bool binds_declarators() const { return has_terms_ && declarator_kinds_.init_declarator != 0; }
  /// C: struct, union and enum have a separate name space.
  bool has_tags() const { return binds_declarators() && !declares_in_classes(); }
  /// C++: types, functions and variables share a name space, and functions can be overloaded.
  bool declares_in_classes() const {
    return binds_declarators() && declarator_kinds_.qualified_identifier != 0;
  }
  const Fields& fields() const { return fields_; }
  const DeclaratorKinds& declarator_kinds() const { return declarator_kinds_; }
  /// True if documentation contains types (JSDoc).
  bool has_typed_comments() const { return has_typed_comments_; }
  /// True if names of types and functions ignore case: identifiers have sigils.
  bool folds_names() const { return folds_names_; }
  /// True if calls have entries of their own, because functions can be overloaded.
  bool has_calls() const { return has_calls_; }
  /// True if fields are marked in their names: an assignment to another member declares nothing.
  bool has_own_names() const { return has_own_names_; }
  /// True if types in documentation are written without braces (PHP).
  bool has_bare_comments() const { return has_bare_comments_; }
  /// True if comments link to names like Javadoc.
  bool has_linked_comments() const { return has_linked_comments_; }
  const KindRules& operator[](Kind kind) const {
    return kinds_[kind < kinds_.size() ? kind : kinds_.size() - 1];
  }
  /// The matching rule in `edges` for such a child, or nullptr.
  static const EdgeRule* edge(const std::vector<EdgeRule>& edges, Field field, Kind child) {
    for (const EdgeRule& rule : edges) {
      if ((rule.field == 0 || rule.field == field) && (rule.child == 0 || rule.child == child)) {
        return &rule;
      }
    }
    return nullptr;
  }

  /// True if `pattern`, for the kind of `node`, matches; fills `captures`. `text` is the parsed
  /// text.
  bool matches(const Pattern& pattern, const Node& node, std::string_view text,
               Captures* captures) const;

  /// The text of the queries as compiled, for the test that Tree-sitter accepts it.
  static std::string query_text(std::string_view language_name);

 private:
  explicit Rules(const Language& language);
  void compile(std::string_view source);
  bool match_items(const std::vector<PatternItem>& items, const Node& node, bool is_root,
                   Captures* captures) const;
  bool match_item(const PatternItem& item, const Node& node, Captures* captures) const;

  Grammar grammar_;
  DocStyle doc_style_ = DocStyle::kNone;
  Visibility visibility_ = Visibility::kStatement;
  bool has_typed_comments_ = false;
  bool has_bare_comments_ = false;
  bool folds_names_ = false;
  bool has_own_names_ = false;
  bool has_linked_comments_ = false;
  bool has_terms_ = false;
  bool has_calls_ = false;
  Fields fields_;
  DeclaratorKinds declarator_kinds_;
  std::vector<KindRules> kinds_;  // by kind; the last is the error node's

  friend class RuleCompiler;
};

}  // namespace codexmem::parse
