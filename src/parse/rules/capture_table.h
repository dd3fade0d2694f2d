// parse/rules/capture_table.h - the captures that queries may use, and how the compiler treats
// each.
//
// Internal to parse. docs/how-it-works.md, "Parse" describes their meaning.
//
// `symbol.<type>.<kind>` and `bound.<type>.<kind>` declare @name; `bound` also binds it in the
// scope around. @container names the type that it belongs to, if that is written before the name.
// With @list, each of its children is such a name. A function directly in a class scope is a
// method, a variable there a property. A kind may begin with
//
//   member_              counts only inside of something owned; where it does not count, the next
//                        pattern is tried
//   outer_               counts only outside of functions, likewise
//   scoped_, private_    gives the modifier
//   clause_              joins the symbol before with the same name and number of children in
//                        @other
//   dotted_              the last part of a dotted name is the name, the rest its container
//   once_                once a file, with the range of the wrappers around; further ones are uses
//   each_                declares each word of the children of @list, or of the node, of the kind
//                        of @element if given
//   behind_              with @list: all but the first
//   key_                 a key of configuration, with its path; a file has a limit of them
//                        (symbols.h)
//
//   declarator           gives names a @value, @type, @element (a loop), @keys (for ... in) or
//                        @context
//   declarator.modified  the same, of several names where `vararg` is before them
//   declarator.late      the same, of names that are seen behind it; .repeated: without type and
//                        value it repeats the one before
//   wrapper              a statement that belongs to the range and modifiers of its content
//   container            with @type its members are seen wherever that is
//   namespace            each part of @name is a symbol; .file: for what follows; .package: a class
//                        of kind `package`, to the next one
//   words                the words of @list and its siblings of the same kind are names; `::`
//                        divides parts; .declared: only words that the file declares as variables
//                        before
//   identifier.sigil     a `$` before it says that it is a variable; .own: a member of the class
//                        around, which an assignment declares; .called: a call where nothing binds
//                        it
//   operator.X           a call of the member X of @value, of each @element, of @inner or @type,
//                        that only a sign says. It is at @name, else behind the operand, and passes
//                        @object, then @other. SIGN at the end of X is the text of @name, ASSIGNED
//                        that without `=`. any.X: of an unknown value; bound.X: not of a name of
//                        something else than a variable; static.X: passes the operands too; read.X:
//                        not if written to; known.X: only of operands of which the file says
//                        something. Literals have none
//   comment.run          comments whose run directly before a declaration documents it; .links:
//                        with names as in Javadoc; .types: with types, .bare: without braces
//   documentation        @value documents the next declaration; .outer: the one around; .adjacent:
//                        the node itself documents the declaration right behind it
//   attribute            a node that names a macro by its path, unless the language knows the name
//   local                binds @name; local.value: the `value` that a setter is given
//   narrow               where @condition holds; .subject: of the subject of the selection around
//   text_member          @name, or strings of @list, are keys of @object; .own: of the class
//                        around; .call: and called; .path: a string is a path A\B::c
//   value.language.X     a value of the language's own type X, of the type argument @inner if any
#pragma once

#include <cstdint>
#include <string_view>

#include "parse/rules/rules.h"

namespace codexmem::parse {

struct ActionRow {
  std::string_view name;
  Action action;
  std::uint8_t sort = 0;
};

template <typename T>
inline constexpr std::uint8_t value_of(T value) {
  return static_cast<std::uint8_t>(value);
}

// Captures of a pattern's own node. `symbol.<type>.<kind>` and `bound.<type>.<kind>` are parsed
// elsewhere.
inline constexpr ActionRow kActions[] = {
    {"self_attribute", Action::kSelfAttribute},
    {"member_assignment", Action::kMemberAssignment},
    {"exports_assignment", Action::kExportsAssignment},
    {"module_exports", Action::kModuleExports},
    {"export.default", Action::kDefaultExport},
    {"export.assign", Action::kAssignExport},
    {"export.star", Action::kExportStar},
    {"export.namespace", Action::kExportNamespace},
    {"export.from", Action::kExportFrom},
    {"export.from.type", Action::kExportFrom, 1},
    {"export.specifier", Action::kExportSpecifier},
    {"export.member", Action::kExportsMember},
    {"export.all", Action::kAllExport},
    {"import", Action::kImport},
    {"import.type", Action::kImportType},
    {"import.declared", Action::kImportType, 1},
    {"import.package", Action::kImportPackage},
    {"import.include", Action::kImportInclude},
    {"import.specifier", Action::kImportSpecifier},
    {"import.specifier.type", Action::kImportSpecifierType},
    {"import.equals", Action::kImportEquals},
    {"import.list", Action::kImportList},
    {"import.from", Action::kImportFrom},
    {"import.future", Action::kImportFuture},
    {"import.qualified", Action::kImportQualified},
    {"import.require", Action::kRequire},
    {"import.require.declarator", Action::kRequireDeclarator},
    {"import.dynamic", Action::kDynamicImport},
    {"import.dynamic.declarator", Action::kDynamicImportDeclarator},
    {"scope.function", Action::kScope, value_of(ScopeKind::kFunction)},
    {"scope.class", Action::kScope, value_of(ScopeKind::kClass)},
    {"scope.block", Action::kScope, value_of(ScopeKind::kBlock)},
    {"scope.inner", Action::kScope, kInnerScope},
    {"scope.comprehension", Action::kScope, value_of(ScopeKind::kComprehension)},
    {"scope.namespace", Action::kScope, value_of(ScopeKind::kNamespace)},
    {"scope.global", Action::kScope, value_of(ScopeKind::kGlobal)},
    {"scope.type_parameters", Action::kScope, value_of(ScopeKind::kTypeParameters)},
    {"declaration.none", Action::kDeclaration, value_of(DeclarationSort::kNone)},
    {"declaration.var", Action::kDeclaration, value_of(DeclarationSort::kVar)},
    {"declaration.let", Action::kDeclaration, value_of(DeclarationSort::kLet)},
    {"declaration.const", Action::kDeclaration, value_of(DeclarationSort::kConst)},
    {"declarator", Action::kDeclarator},
    {"declarator.late", Action::kDeclarator, kLateDeclarator},
    {"declarator.repeated", Action::kDeclarator, kLateDeclarator | kRepeatedDeclarator},
    {"declarator.shared", Action::kDeclarator, kSharedDeclarator},
    {"declarator.rest", Action::kDeclarator, kRestDeclarator},
    {"declarator.modified", Action::kDeclarator, kModifiedDeclarator},
    {"wrapper", Action::kWrapper},
    {"wrapper.export", Action::kExportWrapper},
    {"decorator", Action::kDecorator},
    {"decorator.getter", Action::kDecoratorKind, 0},
    {"decorator.setter", Action::kDecoratorKind, 1},
    {"decorator.deleter", Action::kDecoratorKind, 2},
    {"decorator.static", Action::kDecoratorKind, 3},
    {"modifier", Action::kModifier},
    {"modifiers", Action::kModifierList},
    {"comment", Action::kComment},
    {"comment.types", Action::kComment, 1},
    {"comment.types.bare", Action::kComment, 4},
    {"comment.run", Action::kComment, 2},
    {"comment.links", Action::kComment, 3},
    {"body.apart", Action::kBodyApart},
    {"documentation", Action::kDocumentation},
    {"documentation.outer", Action::kDocumentation, 1},
    {"documentation.adjacent", Action::kDocumentation, 2},
    {"access", Action::kAccess},
    {"names", Action::kNames},
    {"attribute", Action::kNames, 1},
    {"words", Action::kWords, value_of(WordSort::kRead)},
    {"words.write", Action::kWords, value_of(WordSort::kWrite)},
    {"words.call", Action::kWords, value_of(WordSort::kCall)},
    {"words.type", Action::kWords, value_of(WordSort::kType)},
    {"words.declared", Action::kWords, value_of(WordSort::kDeclared)},
    {"items", Action::kItems},
    {"container", Action::kContainer},
    {"namespace", Action::kNamespace},
    {"namespace.file", Action::kNamespace, 1},
    {"namespace.package", Action::kNamespace, 2},
    {"local", Action::kLocalName},
    {"local.value", Action::kLocalName, 1},
    {"bounds", Action::kBounds},
    {"package", Action::kPackage},
    {"embedded", Action::kEmbedded},
    {"apart", Action::kApart},
    {"clause", Action::kClause},
    {"forms", Action::kForms},
    {"extension", Action::kExtension},
    {"import.tree", Action::kImportTree},
    {"import.module", Action::kImportModule},
    {"import.modules", Action::kImportModules},
    {"pasting", Action::kPasting},
    {"import.namespace", Action::kImportNamespace},
    {"import.use", Action::kImportUse},
    {"package.name", Action::kPackage, 1},
    {"anonymous", Action::kAnonymous},
    {"anonymous.body", Action::kAnonymousBody},
    {"anonymous.class", Action::kAnonymousBody, 1},
    {"call", Action::kCall},
    {"receiver", Action::kReceiver},
    {"template", Action::kTemplate},
    {"documented", Action::kDocumented},
    {"documented.cast", Action::kDocumented, 1},
    {"conditional", Action::kConditional},
    {"type_checking", Action::kTypeChecking},
    {"dynamic.eval", Action::kDynamic, value_of(DynamicKind::kEval)},
    {"dynamic.member", Action::kDynamic, value_of(DynamicKind::kComputedMember)},
    {"dynamic.reflection", Action::kDynamic, value_of(DynamicKind::kReflection)},
    {"dynamic.import", Action::kDynamic, value_of(DynamicKind::kComputedImport)},
    {"self", Action::kSelf},
    {"docstring", Action::kDocstring},
    {"identifier", Action::kIdentifier, value_of(IdentifierSort::kPlain)},
    {"identifier.type", Action::kIdentifier, value_of(IdentifierSort::kTypeName)},
    {"identifier.sigil", Action::kIdentifier, value_of(IdentifierSort::kSigil)},
    {"identifier.own", Action::kIdentifier, value_of(IdentifierSort::kOwn)},
    {"identifier.called", Action::kIdentifier, value_of(IdentifierSort::kCalled)},
    {"identifier.property", Action::kIdentifier, value_of(IdentifierSort::kProperty)},
    {"identifier.shorthand", Action::kIdentifier, value_of(IdentifierSort::kShorthand)},
    {"identifier.shorthand.pattern", Action::kIdentifier,
     value_of(IdentifierSort::kShorthandPattern)},
    {"value.name", Action::kValue, value_of(TermSort::kName)},
    {"value.pass", Action::kValue, value_of(TermSort::kPass)},
    {"value.new", Action::kValue, value_of(TermSort::kNew)},
    {"value.call", Action::kValue, value_of(TermSort::kCall)},
    {"value.await", Action::kValue, value_of(TermSort::kAwait)},
    {"value.element", Action::kValue, value_of(TermSort::kElement)},
    {"value.cast", Action::kValue, value_of(TermSort::kCast)},
    {"value.union", Action::kValue, value_of(TermSort::kUnion)},
    {"value.item", Action::kValue, value_of(TermSort::kItem)},
    {"value.array", Action::kValue, value_of(TermSort::kArray)},
    {"value.list", Action::kValue, value_of(TermSort::kList)},
    {"value.tuple", Action::kValue, value_of(TermSort::kTuple)},
    {"value.object", Action::kValue, value_of(TermSort::kObject)},
    {"value.function", Action::kValue, value_of(TermSort::kFunction)},
    {"value.module", Action::kValue, value_of(TermSort::kModule)},
    {"value.this", Action::kValue, value_of(TermSort::kThis)},
    {"value.nothing", Action::kValue, value_of(TermSort::kNothing)},
    {"value.literal", Action::kValue, value_of(TermSort::kLiteral)},
    {"value.omitted", Action::kValue, value_of(TermSort::kOmitted)},
    {"value.apply", Action::kValue, value_of(TermSort::kApply)},
    {"value.operator", Action::kValue, value_of(TermSort::kOperator)},
    {"type.name", Action::kTypeText, value_of(TermSort::kName)},
    {"type.pass", Action::kTypeText, value_of(TermSort::kPass)},
    {"type.typeof", Action::kTypeText, value_of(TermSort::kTypeOf)},
    {"type.union", Action::kTypeText, value_of(TermSort::kUnion)},
    {"type.conditional", Action::kTypeText, value_of(TermSort::kConditional)},
    {"type.item", Action::kTypeText, value_of(TermSort::kItem)},
    {"type.array", Action::kTypeText, value_of(TermSort::kArray)},
    {"type.tuple", Action::kTypeText, value_of(TermSort::kTuple)},
    {"type.object", Action::kTypeText, value_of(TermSort::kObject)},
    {"type.function", Action::kTypeText, value_of(TermSort::kFunction)},
    {"type.this", Action::kTypeText, value_of(TermSort::kThis)},
    {"type.literal", Action::kTypeText, value_of(TermSort::kLiteral)},
    {"type.language", Action::kTypeText, value_of(TermSort::kLanguageType)},
    {"type.nothing", Action::kTypeText, value_of(TermSort::kNothing)},
    {"value.item.any", Action::kValue, value_of(TermSort::kAnyItem)},
    {"value.last", Action::kValue, value_of(TermSort::kLast)},
    {"value.named", Action::kValue, value_of(TermSort::kNamed)},
    {"value.this", Action::kValue, value_of(TermSort::kThis)},
    {"value.only", Action::kValue, value_of(TermSort::kOnly)},
    {"type.generic", Action::kTypeText, value_of(TermSort::kGeneric)},
    {"type.map", Action::kTypeText, value_of(TermSort::kMap)},
    {"type.channel", Action::kTypeText, value_of(TermSort::kChannel)},
    {"type.results", Action::kTypeText, value_of(TermSort::kResults)},
    {"type.string", Action::kTypeText, value_of(TermSort::kString)},
    {"entry", Action::kEntry, value_of(EntrySort::kValue)},
    {"entry.type", Action::kEntry, value_of(EntrySort::kType)},
    {"entry.shorthand", Action::kEntry, value_of(EntrySort::kShorthand)},
    {"entry.method", Action::kEntry, value_of(EntrySort::kMethod)},
    {"entry.getter", Action::kEntry, value_of(EntrySort::kGetter)},
    {"entry.setter", Action::kEntry, value_of(EntrySort::kSetter)},
    {"entry.spread", Action::kEntry, value_of(EntrySort::kSpread)},
    {"entry.call", Action::kEntry, value_of(EntrySort::kCall)},
    {"entry.other", Action::kEntry, value_of(EntrySort::kOther)},
    {"entry.same", Action::kEntry, value_of(EntrySort::kSameKeys)},
    {"entry.made", Action::kEntry, value_of(EntrySort::kMadeKeys)},
    {"entry.listed", Action::kEntry, value_of(EntrySort::kListedKeys)},
    {"parameter", Action::kParameter, 0},
    {"parameter.optional", Action::kParameter, kOptionalParameter},
    {"parameter.rest", Action::kParameter, kRestParameter},
    {"parameter.keywords", Action::kParameter, kRestParameter | kKeywordParameter},
    {"parameter.mark", Action::kParameter, kKeywordsFollow},
    {"parameter.none", Action::kParameter, kNoParameter},
    {"parameter.next.rest", Action::kParameter, kNoParameter | kNextIsRest},
    {"function.async", Action::kFunctionFlag, value_of(FunctionFlag::kAsync)},
    {"function.generator", Action::kFunctionFlag, value_of(FunctionFlag::kGenerator)},
    {"function.constructor", Action::kFunctionFlag, value_of(FunctionFlag::kConstructor)},
    {"function.typed", Action::kFunctionFlag, value_of(FunctionFlag::kTyped)},
    {"test.is", Action::kTest, value_of(TestSort::kIs)},
    {"test.and", Action::kTest, value_of(TestSort::kAnd)},
    {"narrow", Action::kNarrow},
    {"narrow.subject", Action::kNarrow, 1},
    {"yield", Action::kYield},
    {"yield.from", Action::kYield, 1},
    {"this", Action::kConstantValue, value_of(ReceiverKind::kThis)},
    {"super", Action::kConstantValue, value_of(ReceiverKind::kSuper)},
    {"string_type", Action::kStringType},
    {"annotation", Action::kAnnotation},
    {"text_member", Action::kTextMember},
    {"text_member.own", Action::kTextMember, 1},
    {"text_member.path", Action::kTextMember, 2},
    {"text_member.call", Action::kTextMember, 3},
    {"type_parameters", Action::kTypeParameters},
    {"return", Action::kReturn},
    {"return.last", Action::kReturn, 1},
    {"skip", Action::kSkip},
};

struct ContextRow {
  std::string_view name;
  Context context;
};

// Captures of the child of an edge rule.
inline constexpr ContextRow kContexts[] = {
    {"inherit", Context::kInherit},
    {"inherit.part", Context::kInheritPart},
    {"inherit.type", Context::kInheritType},
    {"inherit.capture", Context::kInheritCapture},
    {"inherit.call", Context::kInheritCall},
    {"inherit.argument", Context::kInheritArgument},
    {"inherit.write", Context::kInheritWrite},
    {"read", Context::kRead},
    {"call", Context::kCall},
    {"write", Context::kWrite},
    {"type", Context::kType},
    {"tag", Context::kTag},
    {"macro", Context::kMacro},
    {"token", Context::kToken},
    {"shorthand", Context::kShorthand},
    {"bind.pattern", Context::kPattern},
    {"extends", Context::kExtends},
    {"bind.variable", Context::kVariable},
    {"bind.local", Context::kLocal},
    {"bind.parameter", Context::kParameter},
    {"bind.type_parameter", Context::kTypeParameter},
    {"bind.assign", Context::kAssign},
    {"bind.walrus", Context::kWalrus},
    {"bind.own", Context::kOwn},
    {"bind.capture", Context::kCapture},
    {"bind.member", Context::kMember},
    {"bind.field", Context::kField},
    {"bind.global", Context::kGlobal},
    {"bind.nonlocal", Context::kNonlocal},
    {"import.default", Context::kImportDefault},
    {"import.namespace", Context::kImportNamespace},
    {"import.name", Context::kImportName},
    {"import.alias", Context::kImportAlias},
    {"import.module", Context::kImportModule},
    {"export.name", Context::kExportName},
    {"key.read", Context::kKeyRead},
    {"key.write", Context::kKeyWrite},
    {"key.assigned", Context::kKeyAssigned},
    {"element", Context::kElementName},
    {"element.end", Context::kElementEnd},
    {"none", Context::kSkip},
};

struct ValueRow {
  std::string_view name;
  Value value;
};

inline constexpr ValueRow kValues[] = {
    {"value", Value::kSame},
    {"value.receiver", Value::kReceiver},
    {"value.called", Value::kCalled},
    {"value.reference", Value::kReference},
    {"value.chained", Value::kChained},
};

struct PartRow {
  std::string_view name;
  Part part;
};

inline constexpr PartRow kParts[] = {
    {"part.same", Part::kSame},         {"part.key", Part::kKey},
    {"part.name", Part::kName},         {"part.name.default", Part::kNameDefault},
    {"part.default", Part::kDefault},   {"part.item", Part::kItem},
    {"part.list", Part::kList},         {"part.rest", Part::kRest},
    {"part.nothing", Part::kNothing},   {"part.component", Part::kComponent},
    {"part.assigned", Part::kAssigned}, {"part.nth", Part::kNth},
    {"part.payload", Part::kPayload},   {"part.payload.item", Part::kPayloadItem},
    {"part.selected", Part::kSelected},
};

struct ExpectRow {
  std::string_view name;
  Expect expect;
};

inline constexpr ExpectRow kExpects[] = {
    {"expect.none", Expect::kNone},
    {"expect.same", Expect::kSame},
    {"expect.argument", Expect::kArgument},
    {"expect.trailing", Expect::kTrailing},
    {"expect.keyword", Expect::kKeyword},
    {"expect.key", Expect::kKey},
    {"expect.method", Expect::kMethod},
    {"expect.element", Expect::kElement},
    {"expect.declared", Expect::kDeclared},
    {"expect.left", Expect::kLeft},
    {"expect.result", Expect::kResult},
    {"expect.cast", Expect::kCast},
    {"expect.first", Expect::kFirst},
    {"expect.part", Expect::kPart},
    {"expect.attribute", Expect::kAttribute},
    {"keys.of.this", Expect::kKeysOfThis},
    {"keys.of.outer", Expect::kKeysOfOuter},
    {"keys.of.taken", Expect::kKeysOfTaken},
    {"keys.of.call", Expect::kKeysOfCall},
    {"keys.of.props", Expect::kKeysOfProps},
    {"keys.of.class", Expect::kKeysOfClass},
    {"keys.of.selector", Expect::kKeysOfSelector},
    {"keys.of.elements", Expect::kKeysOfElements},
};

struct SlotRow {
  std::string_view name;
  Slot slot;
};

inline constexpr SlotRow kSlots[] = {
    {"name", Slot::kName},       {"alias", Slot::kAlias},
    {"body", Slot::kBody},       {"value", Slot::kValue},
    {"type", Slot::kType},       {"return", Slot::kReturn},
    {"start", Slot::kStart},     {"source", Slot::kSource},
    {"inner", Slot::kInner},     {"other", Slot::kOther},
    {"element", Slot::kElement}, {"context", Slot::kContext},
    {"object", Slot::kObject},   {"list", Slot::kList},
    {"block", Slot::kBlock},     {"condition", Slot::kCondition},
    {"keys", Slot::kKeys},       {"container", Slot::kContainer},
    {"ranged", Slot::kRanged},   {"arguments", Slot::kArguments},
};

}  // namespace codexmem::parse
