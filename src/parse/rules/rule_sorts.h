// parse/rules/rule_sorts.h - the variants of query rules (parse/rules/rules.h).
//
// Internal to parse.
#pragma once

#include <cstdint>

namespace codexmem::parse {

/// The sorts of identifier.
enum class IdentifierSort : std::uint8_t {
  kPlain,
  kTypeName,
  kProperty,
  kShorthand,
  kShorthandPattern,
  kSigil,   // a variable after a "$", else a type, function or constant
  kOwn,     // a member of the enclosing class, created by assignment: @name
  kCalled,  // a call, unless an enclosing scope binds it
};

/// How the words of a text are used (Action::kWords).
enum class WordSort : std::uint8_t {
  kRead,
  kWrite,
  kCall,
  kType,
  kDeclared,  // read, if the file declares them earlier
};

/// The keyword of a declaration.
enum class DeclarationSort : std::uint8_t { kNone, kVar, kLet, kConst };

/// How a node's term is built from the nodes below it.
enum class TermSort : std::uint8_t {
  kName,         // the node, or its @name, is the name
  kPass,         // the term of @inner
  kNew,          // new @inner with the arguments @list
  kCall,         // a call of @inner with @list or @other; for Python's TypeVar, also the type @type
  kAwait,        // @inner awaited
  kElement,      // an element of @inner
  kCast,         // the type @inner
  kTypeOf,       // the value @inner
  kUnion,        // @inner or @other, or else one of the children
  kConditional,  // @inner or @other, depending on whether @object is a @type
  kItem,         // @object[@other], or else @object[the other children]
  kArray,        // a list of @inner, or else of the children
  kList,         // a list of values of the type @inner
  kTuple,        // the children
  kObject,       // an object with the child entries
  kFunction,     // the node is a function
  kThis,         // an instance of the enclosing class
  kLiteral,
  kLanguageType,  // the built-in type that the pattern names, or else the type that the node names;
                  // with @inner as type argument, if any
  kModule,        // the module named by @source
  kNothing,       // unknown
  kOmitted,       // not a positional argument
  kApply,         // @inner with the type arguments @list
  kGeneric,       // the type @name with the arguments @list, or else with the other children
  kString,        // an annotation in quotes
  kOperator,      // of @inner and @other, or only @inner
  kMap,           // from @inner to @other
  kChannel,       // of @inner
  kResults,       // of a list of parameters: their types, if more than one
  kOnly,          // the child, if only one
  kAnyItem,       // @object[whatever]
  kLast,          // the last child, unless a ";" ends it
  kNamed,         // @inner as the argument named @name
};

/// The sorts of entry in an object.
enum class EntrySort : std::uint8_t {
  kValue,      // @name: @value
  kType,       // @name: the type @type
  kShorthand,  // the node is name and value
  kMethod,     // @name; the node is a function
  kGetter,
  kSetter,
  kSpread,      // ...@inner
  kCall,        // a call or construct signature
  kOther,       // any other key has the type @type
  kSameKeys,    // each key of @inner has the type @type
  kMadeKeys,    // a key computed from a key of @inner has the type @type
  kListedKeys,  // each value of @inner is a key of the type @type
};

/// Properties of a parameter in addition to its @name, @type and @value; bits.
enum ParameterBits : std::uint8_t {
  kOptionalParameter = 1,
  kRestParameter = 2,
  kKeywordParameter = 4,
  kKeywordsFollow = 8,  // a mark: the parameters after it are passed by name
  kNoParameter = 16,    // a mark, or `this`
  kNextIsRest = 32,     // a mark: the next parameter takes several
};

/// Additional properties of a function.
enum class FunctionFlag : std::uint8_t {
  kAsync,
  kGenerator,
  kConstructor,
  kTyped,  // its result is its `type` field
};

/// The sorts of declarator; bits.
enum DeclaratorBits : std::uint8_t {
  kLateDeclarator = 1,       // its names are visible after it, parameters only in the body
  kRepeatedDeclarator = 2,   // without type and value it repeats those from the previous declarator
  kSharedDeclarator = 4,     // int a, b: all have the same type
  kRestDeclarator = 8,       // the type is the type of an element: T... x
  kModifiedDeclarator = 16,  // likewise if `vararg` precedes it
};

/// The sort of a scope that may be nested in scopes other than functions.
inline constexpr std::uint8_t kInnerScope = 0x80;

/// The sorts of condition.
enum class TestSort : std::uint8_t {
  kIs,   // @name is of the type @type
  kAnd,  // @inner and, if given, @other
};

}  // namespace codexmem::parse
