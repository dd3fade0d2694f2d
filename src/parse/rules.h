// parse/rules.h - a language's queries, compiled for one walk over the tree.
//
// Internal to parse. The files grammars/<folder>/*.scm are Tree-sitter queries of a restricted form
// (docs/design/parse.md lists the forms and the capture names). Tree-sitter's own query cursor
// costs 0.4 of the parse for a single pattern, so they are compiled to tables by kind of node
// instead, which the walk in parse/walker.h looks up as it enters each node.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/symbol_type.h"
#include "parse/facts.h"
#include "parse/languages.h"
#include "parse/rule_sorts.h"
#include "parse/syntax.h"

namespace codexmem::parse {

/// What a node's place in its parent makes of the names in it. An edge rule sets it for a child;
/// kNone where no rule speaks.
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
  kToken,      // a token of what a macro is given, which is not parsed
  kShorthand,  // a variable, and the key of its name
  kPattern,    // bound in the innermost scope unless it begins with a capital: that is a constant
  kExtends,    // the supertype of a class
  kVariable,   // bound by a declaration whose keyword is known
  kLocal,      // bound in the innermost scope
  kParameter,
  kTypeParameter,
  kAssign,   // Python: binds in the function's scope unless it is bound there already
  kWalrus,   // the same, past comprehensions
  kOwn,      // the same in the comprehension that binds it already, else here; never a symbol
  kCapture,  // the same in a pattern of `match`, if the name has no dots
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
  kKeyAssigned,  // a key where "=" or ":" follows, else a use
  kElementName,  // JSX: a component if it starts with a capital or has a receiver
  kElementEnd,   // the same in the closing tag
  kSkip,         // no occurrence
};

/// What a child's value means for its parent's, when the parent stands before a dot.
enum class Value : std::uint8_t {
  kNone,       // nothing
  kSame,       // the parent's value is the child's
  kReceiver,   // the child is what stands before the parent's dot
  kCalled,     // the parent is a call of the child
  kReference,  // the first such child is what stands before the sign, the second a member of it
  kChained,    // the same, where the child's place says which it is: a.b, a plus b
};

/// What a child of a pattern that takes a value apart is given of it; by edge rule.
enum class Part : std::uint8_t {
  kNone,         // no part of a pattern: the whole of what is bound
  kSame,         // what the parent is given
  kKey,          // its member named by the parent's `key`
  kName,         // its member of the child's own name
  kNameDefault,  // the same, or the value of the parent's `right`
  kDefault,      // what the parent is given, or the value of its `right`
  kItem,         // its item at the child's position
  kRest,         // a list of its elements: ...rest in a list
  kList,         // a list of it: *args: T
  kAssigned,     // the value of the parent's `right`
  kNth,          // the value at the child's position, or that number of what the only value gives
  kPayload,      // what the parent is given, taken for what the parent's `type` names
  kPayloadItem,  // the item of that at the child's position
  kComponent,    // number of the child's position of what the whole is taken apart to
  kSelected,     // the `value` of the node two above the parent: an arm of a match
  kNothing,
};

/// What the place of an expression expects of it, or what a key is a key of; by edge rule.
enum class Expect : std::uint8_t {
  kNone,
  kSame,      // what is expected of the parent
  kArgument,  // the call above the parent: what it takes as this argument
  kTrailing,  // the call that the parent is: what it takes behind its other arguments
  kKeyword,   // the call above the parent's parent: what it takes under the parent's `name`
  kKey,       // the member, named by the parent's `key`, of what the object above is expected to be
  kMethod,    // the member of the child's own `name`
  kElement,   // an element of what is expected of the parent
  kDeclared,  // the parent's `type`
  kLeft,      // what the parent's `left` is
  kResult,    // a result of the function around
  kCast,      // the type among the parent's children
  kFirst,     // the parent's first child
  kAttribute,  // the property, named by the parent's first child, of the element above
  // Of keys:
  kKeysOfThis,      // what is expected of the parent
  kKeysOfOuter,     // what is expected of the parent's parent
  kKeysOfTaken,     // what the parent, a pattern, takes apart
  kKeysOfCall,      // the keyword arguments of the call above the parent
  kKeysOfProps,     // the properties of the element above the parent
  kKeysOfClass,     // the class of the pattern or annotation above
  kKeysOfSelector,  // the `condition` of the nearest node above that has one
};

/// What is done with a child, by its parent's kind, its field and its own kind.
struct EdgeRule {
  Field field = 0;  // 0: any
  Kind child = 0;   // 0: any named
  Context context = Context::kNone;
  Value value = Value::kNone;
  Part part = Part::kNone;
  Expect expect = Expect::kNone;
  bool is_member = false;           // names in it belong to the parent's receiver
  bool is_optional_member = false;  // the same, where the parent has one
  bool is_owned = false;            // members written in it belong to the symbol around it
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
  /// To be called between trees: it knows nodes by address, and addresses come again.
  void forget() {
    clear();
    cached_root_ = nullptr;
  }

  /// The child of `root` in `field`. Several patterns of one kind ask for the same few fields.
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
  std::uint32_t set_ = 0;  // a bit for each slot, so that clearing costs nothing
  std::array<Node, kSlotCount> nodes_;
  const void* cached_root_ = nullptr;
  std::size_t cached_ = 0;
  std::array<Field, kCachedFields> fields_{};
  std::array<Node, kCachedFields> children_;
};

/// What a pattern's own node means; the names in the queries are in capture_table.h.
enum class Action : std::uint8_t {
  kSymbol,
  kBoundSymbol,        // its name is bound in the scope around it
  kParameterProperty,  // a constructor's parameter that is a property too
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
  kBodyApart,      // the body of the function whose declaration ends before it
  kDocumentation,  // @value documents what is declared next, or what is around it
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
  kDocumented,  // the comment before it is also that of what it holds
  kConditional,
  kTypeChecking,
  kDynamic,
  kDeclarators,      // C: what is declared is said by the node's declarators
  kAccess,           // what follows among its siblings has this access
  kNames,            // text whose names are occurrences
  kWords,            // the words of @list, or of the node, are occurrences
  kItems,            // what is in it are items, no keys
  kContainer,        // what is declared in it belongs to @name
  kNamespace,        // what is declared in it, or behind it, belongs to the dotted name @name
  kLocalName,        // binds @name, of @type, @value or an @element; or what a setter is given
  kBounds,           // the type parameter @name is of each of the children's types
  kPackage,          // the file's top level belongs to @name
  kImportInclude,    // #include "x"
  kImportPackage,    // import "a/b": binds what the package is called, or what the import says
  kEmbedded,         // the type around has the members of @type
  kApart,            // the method belongs to @type, which has the type parameters @list
  kExtension,        // gives members to @type, which so implements @other
  kImportTree,       // use a::{b, c::*}
  kImportModule,     // mod a;
  kImportNamespace,  // using a.b: binds all that is in it, or it as @name
  kImportUse,        // use a\b, function c\{d as e}
  kClause,           // of a switch over types: its name is of the clause's type
  kAnonymous,        // it may have the body of a class that extends @type, else the type around
  kAnonymousBody,    // that body, or all of the class but what makes it
  kTemplate,         // a text in which $name is a name
  kReceiver,         // binds what the function, or the place of the lambda, is called on
  kCall,             // a call whose arguments tell which of several functions is meant
  kSelf,
  kDocstring,
  kIdentifier,
  kValue,           // the term of a value
  kTypeText,        // the term of a type
  kEntry,           // of an object literal, a type literal or an interface
  kParameter,       // of a list of parameters
  kFunctionFlag,    // what a function is besides
  kTest,            // a condition that tells a type
  kNarrow,          // where a condition's truth holds
  kYield,           // the function around yields @value
  kConstantValue,   // this, super
  kAnnotation,      // @inner is an annotation wherever it stands
  kReturn,          // the function around gives @value
  kTypeParameters,  // Python's [T, U: Bound]
  kStringType,      // a string that is an annotation when it stands in type position
  kSkip,            // nothing inside is looked at
  kForms,           // a whole file, whose names and imports forms.h reads
};

struct PatternItem {
  Field field = 0;
  bool is_negated = false;  // !field: the field must be absent
  bool is_optional = false;
  bool is_anchored = false;  // the next named child, not any later one
  bool is_any = false;       // `_`: a token too
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
  bool is_making = false;          // the macro of that name declares behind one of these words
  std::vector<std::string> texts;  // the captured text is one of these
};

struct Pattern {
  Action action = Action::kSymbol;
  std::uint8_t sort = 0;  // of the action: SymbolType, ScopeKind, DynamicKind, ...
  std::string kind;       // of a symbol; of a value the language's type that it is of
  std::string token;      // one that it asks for, if any
  std::vector<PatternItem> items;
  std::vector<Predicate> predicates;
};

struct KindRules {
  std::vector<EdgeRule> edges;          // this kind as the parent; the first that fits
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
  bool is_cast = false;  // the type before it is that of its value
  bool is_conditional = false;
  bool is_skipped = false;
  bool is_attribute = false;
  bool is_names = false;
  bool is_access = false;  // an identifier that may be private or public
  bool is_string_type = false;
  bool has_fields = false;  // some edge rule asks for the field of a child
  ReceiverKind constant_value = ReceiverKind::kNone;  // kThis, kSuper
};

/// The kinds of node that parse/declarators.cpp reads; 0 where the grammar has none.
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

/// The fields and kinds that several languages share; 0 where the grammar has none.
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
  /// The rules of `language`, which has a grammar; compiled at the first call.
  static const Rules& of(const Language& language);

  const Grammar& grammar() const { return grammar_; }
  DocStyle doc_style() const { return doc_style_; }
  Visibility visibility() const { return visibility_; }
  /// True if the queries say how values come about; else there are no terms.
  bool has_terms() const { return has_terms_; }
  /// C: what declarators say has a type and a scope.
  bool binds_declarators() const { return has_terms_ && declarator_kinds_.init_declarator != 0; }
  /// C: struct, union and enum have a name space of their own.
  bool has_tags() const { return binds_declarators() && !declares_in_classes(); }
  /// C++: types, functions and variables share their names, and functions one with each other.
  bool declares_in_classes() const {
    return binds_declarators() && declarator_kinds_.qualified_identifier != 0;
  }
  const Fields& fields() const { return fields_; }
  const DeclaratorKinds& declarator_kinds() const { return declarator_kinds_; }
  /// True if documentation gives types (JSDoc).
  bool has_typed_comments() const { return has_typed_comments_; }
  /// True if names of types and functions have no regard to case: the identifiers have sigils.
  bool folds_names() const { return folds_names_; }
  /// True if fields have names of their own: an assignment to another member makes none.
  bool has_own_names() const { return has_own_names_; }
  /// True if it does so without braces (PHP).
  bool has_bare_comments() const { return has_bare_comments_; }
  /// Comments link to names as Javadoc does.
  bool has_linked_comments() const { return has_linked_comments_; }
  const KindRules& operator[](Kind kind) const {
    return kinds_[kind < kinds_.size() ? kind : kinds_.size() - 1];
  }
  /// The rule of `edges` for such a child, or nullptr.
  static const EdgeRule* edge(const std::vector<EdgeRule>& edges, Field field, Kind child) {
    for (const EdgeRule& rule : edges) {
      if ((rule.field == 0 || rule.field == field) && (rule.child == 0 || rule.child == child)) {
        return &rule;
      }
    }
    return nullptr;
  }

  /// True if `pattern`, which is rooted at `node`'s kind, fits; fills `captures`. `text` is the
  /// parsed text.
  bool matches(const Pattern& pattern, const Node& node, std::string_view text,
               Captures* captures) const;

  /// The queries' text as it is compiled, for the test that Tree-sitter takes it too.
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
  Fields fields_;
  DeclaratorKinds declarator_kinds_;
  std::vector<KindRules> kinds_;  // by kind; the last is the error node's

  friend class RuleCompiler;
};

}  // namespace codexmem::parse
