// parse/rule_sorts.h - what sort of thing a rule of a query makes of a node (parse/rules.h).
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
  kSigil,   // of a variable where a "$" is before it, else of a type, function or constant
  kOwn,     // a member of the class around, which an assignment makes: @name
  kCalled,  // called, where nothing around binds it
};

/// What words of a text are (Action::kWords).
enum class WordSort : std::uint8_t {
  kRead,
  kWrite,
  kCall,
  kType,
  kDeclared,  // read, where the file declares them before
};

/// The keyword of a declaration.
enum class DeclarationSort : std::uint8_t { kNone, kVar, kLet, kConst };

/// How a node's term is made of what stands below it.
enum class TermSort : std::uint8_t {
  kName,         // the node, or its @name, is the name
  kPass,         // that of @inner
  kNew,          // @inner made with the arguments @list
  kCall,         // @inner called with them or with @other; of Python's TypeVar, the type @type too
  kAwait,        // @inner awaited
  kElement,      // an element of @inner
  kCast,         // the type @inner
  kTypeOf,       // the value @inner
  kUnion,        // @inner or @other, else one of the children
  kConditional,  // @inner or @other, as whether @object is a @type says
  kItem,         // @object[@other], else @object[the other children]
  kArray,        // a list of @inner, else of the children
  kList,         // a list of values of the type @inner
  kTuple,        // the children
  kObject,       // with the entries that are children
  kFunction,     // the node is one
  kThis,         // of the class around
  kLiteral,
  kLanguageType,  // of the language's type that the pattern names, else of the one that the node
                  // is; of the type @inner, if any
  kModule,        // the module that @source names
  kNothing,       // says nothing
  kOmitted,       // no argument by position
  kApply,         // @inner with the type arguments @list
  kGeneric,       // the type @name with the arguments @list, else with the other children
  kString,        // an annotation in quotes
  kOperator,      // of @inner and @other, or of @inner alone
  kMap,           // from @inner to @other
  kChannel,       // of @inner
  kResults,       // of a list of parameters: their types, where there is more than one
  kOnly,          // the child, where there is only one
  kAnyItem,       // @object[whatever]
  kLast,          // the last child, unless a ";" ends it
  kNamed,         // @inner as the argument called @name
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
  kOther,       // any other key gives the type @type
  kSameKeys,    // each key of @inner gives @type
  kMadeKeys,    // what is made from a key of @inner does
  kListedKeys,  // each value of @inner does
};

/// What a parameter is besides its @name, @type and @value; bits.
enum ParameterBits : std::uint8_t {
  kOptionalParameter = 1,
  kRestParameter = 2,
  kKeywordParameter = 4,
  kKeywordsFollow = 8,  // a mark: those after it go by name
  kNoParameter = 16,    // a mark, or this
  kNextIsRest = 32,     // a mark: the one after it takes several
};

/// What a function is besides.
enum class FunctionFlag : std::uint8_t {
  kAsync,
  kGenerator,
  kConstructor,
  kTyped,  // its result is its `type`
};

/// The sorts of declarator; bits.
enum DeclaratorBits : std::uint8_t {
  kLateDeclarator = 1,       // what it declares is seen behind it, parameters in the body alone
  kRepeatedDeclarator = 2,   // without type and value it repeats those of the one before
  kSharedDeclarator = 4,     // int a, b: the type is that of all
  kRestDeclarator = 8,       // the type is that of an element: T... x
  kModifiedDeclarator = 16,  // likewise where `vararg` stands before it
};

/// The sort of a scope that opens below other scopes than functions too.
inline constexpr std::uint8_t kInnerScope = 0x80;

/// The sorts of condition.
enum class TestSort : std::uint8_t {
  kIs,   // @name is of the type @type
  kAnd,  // @inner and, if given, @other
};

}  // namespace codexmem::parse
