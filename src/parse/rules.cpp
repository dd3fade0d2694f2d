// Compiles the queries of a language to tables by kind of node.
//
// A pattern whose own node has no capture, `(parent field: (child) @a @b)`, is an edge rule: what
// `parent` does with that child. A pattern whose own node is captured, `(kind ...) @action`, is run
// when the walk enters a node of that kind; captures inside it are slots. Matching looks only at
// the fields and children that a pattern names, so its cost is that of a few field look-ups, on the
// few kinds of node that have patterns. Children without a field are matched in order: each takes
// the first child after its forerunner's that fits.
//
// The queries are part of the program, so a mistake in them is a bug and ends it.
// Tested by rules_test.cpp, which also gives every query to Tree-sitter.
#include "parse/rules.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/result.h"
#include "parse/grammar_table.h"

namespace codexmem::parse {
namespace {

struct ActionRow {
  std::string_view name;
  Action action;
  std::uint8_t sort = 0;
};

template <typename T>
constexpr std::uint8_t value_of(T value) {
  return static_cast<std::uint8_t>(value);
}

// Captures of a pattern's own node. `symbol.<type>.<kind>` and `bound.<type>.<kind>` are read
// apart.
constexpr ActionRow kActions[] = {
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
    {"import.specifier", Action::kImportSpecifier},
    {"import.specifier.type", Action::kImportSpecifierType},
    {"import.equals", Action::kImportEquals},
    {"import.list", Action::kImportList},
    {"import.from", Action::kImportFrom},
    {"import.future", Action::kImportFuture},
    {"import.require", Action::kRequire},
    {"import.require.declarator", Action::kRequireDeclarator},
    {"import.dynamic", Action::kDynamicImport},
    {"import.dynamic.declarator", Action::kDynamicImportDeclarator},
    {"scope.function", Action::kScope, value_of(ScopeKind::kFunction)},
    {"scope.class", Action::kScope, value_of(ScopeKind::kClass)},
    {"scope.block", Action::kScope, value_of(ScopeKind::kBlock)},
    {"scope.comprehension", Action::kScope, value_of(ScopeKind::kComprehension)},
    {"scope.namespace", Action::kScope, value_of(ScopeKind::kNamespace)},
    {"scope.global", Action::kScope, value_of(ScopeKind::kGlobal)},
    {"scope.type_parameters", Action::kScope, value_of(ScopeKind::kTypeParameters)},
    {"declaration.none", Action::kDeclaration, value_of(DeclarationSort::kNone)},
    {"declaration.var", Action::kDeclaration, value_of(DeclarationSort::kVar)},
    {"declaration.let", Action::kDeclaration, value_of(DeclarationSort::kLet)},
    {"declaration.const", Action::kDeclaration, value_of(DeclarationSort::kConst)},
    {"declarator", Action::kDeclarator},
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
    {"comment.run", Action::kComment, 2},
    {"access", Action::kAccess},
    {"names", Action::kNames},
    {"container", Action::kContainer},
    {"package", Action::kPackage},
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
    {"value.tuple", Action::kValue, value_of(TermSort::kTuple)},
    {"value.object", Action::kValue, value_of(TermSort::kObject)},
    {"value.function", Action::kValue, value_of(TermSort::kFunction)},
    {"value.module", Action::kValue, value_of(TermSort::kModule)},
    {"value.nothing", Action::kValue, value_of(TermSort::kNothing)},
    {"value.literal", Action::kValue, value_of(TermSort::kLiteral)},
    {"value.omitted", Action::kValue, value_of(TermSort::kOmitted)},
    {"value.apply", Action::kValue, value_of(TermSort::kApply)},
    {"type.name", Action::kTypeText, value_of(TermSort::kName)},
    {"type.pass", Action::kTypeText, value_of(TermSort::kPass)},
    {"type.typeof", Action::kTypeText, value_of(TermSort::kTypeOf)},
    {"type.union", Action::kTypeText, value_of(TermSort::kUnion)},
    {"type.item", Action::kTypeText, value_of(TermSort::kItem)},
    {"type.array", Action::kTypeText, value_of(TermSort::kArray)},
    {"type.tuple", Action::kTypeText, value_of(TermSort::kTuple)},
    {"type.object", Action::kTypeText, value_of(TermSort::kObject)},
    {"type.function", Action::kTypeText, value_of(TermSort::kFunction)},
    {"type.this", Action::kTypeText, value_of(TermSort::kThis)},
    {"type.literal", Action::kTypeText, value_of(TermSort::kLiteral)},
    {"type.nothing", Action::kTypeText, value_of(TermSort::kNothing)},
    {"type.generic", Action::kTypeText, value_of(TermSort::kGeneric)},
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
    {"parameter", Action::kParameter, 0},
    {"parameter.optional", Action::kParameter, kOptionalParameter},
    {"parameter.rest", Action::kParameter, kRestParameter},
    {"parameter.keywords", Action::kParameter, kRestParameter | kKeywordParameter},
    {"parameter.mark", Action::kParameter, kKeywordsFollow},
    {"parameter.none", Action::kParameter, kNoParameter},
    {"function.async", Action::kFunctionFlag, value_of(FunctionFlag::kAsync)},
    {"function.generator", Action::kFunctionFlag, value_of(FunctionFlag::kGenerator)},
    {"function.constructor", Action::kFunctionFlag, value_of(FunctionFlag::kConstructor)},
    {"test.is", Action::kTest, value_of(TestSort::kIs)},
    {"test.and", Action::kTest, value_of(TestSort::kAnd)},
    {"narrow", Action::kNarrow},
    {"yield", Action::kYield},
    {"yield.from", Action::kYield, 1},
    {"this", Action::kConstantValue, value_of(ReceiverKind::kThis)},
    {"super", Action::kConstantValue, value_of(ReceiverKind::kSuper)},
    {"string_type", Action::kStringType},
    {"annotation", Action::kAnnotation},
    {"type_parameters", Action::kTypeParameters},
    {"return", Action::kReturn},
    {"skip", Action::kSkip},
};

struct ContextRow {
  std::string_view name;
  Context context;
};

// Captures of the child of an edge rule.
constexpr ContextRow kContexts[] = {
    {"inherit", Context::kInherit},
    {"inherit.part", Context::kInheritPart},
    {"inherit.type", Context::kInheritType},
    {"inherit.capture", Context::kInheritCapture},
    {"inherit.argument", Context::kInheritArgument},
    {"read", Context::kRead},
    {"call", Context::kCall},
    {"write", Context::kWrite},
    {"type", Context::kType},
    {"extends", Context::kExtends},
    {"bind.variable", Context::kVariable},
    {"bind.local", Context::kLocal},
    {"bind.parameter", Context::kParameter},
    {"bind.type_parameter", Context::kTypeParameter},
    {"bind.assign", Context::kAssign},
    {"bind.walrus", Context::kWalrus},
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
    {"element", Context::kElementName},
    {"element.end", Context::kElementEnd},
    {"none", Context::kSkip},
};

struct ValueRow {
  std::string_view name;
  Value value;
};

constexpr ValueRow kValues[] = {
    {"value", Value::kSame},
    {"value.receiver", Value::kReceiver},
    {"value.called", Value::kCalled},
};

struct PartRow {
  std::string_view name;
  Part part;
};

constexpr PartRow kParts[] = {
    {"part.same", Part::kSame},       {"part.key", Part::kKey},
    {"part.name", Part::kName},       {"part.name.default", Part::kNameDefault},
    {"part.default", Part::kDefault}, {"part.item", Part::kItem},
    {"part.list", Part::kList},       {"part.rest", Part::kRest},
    {"part.nothing", Part::kNothing}, {"part.assigned", Part::kAssigned},
};

struct ExpectRow {
  std::string_view name;
  Expect expect;
};

constexpr ExpectRow kExpects[] = {
    {"expect.none", Expect::kNone},
    {"expect.same", Expect::kSame},
    {"expect.argument", Expect::kArgument},
    {"expect.keyword", Expect::kKeyword},
    {"expect.key", Expect::kKey},
    {"expect.method", Expect::kMethod},
    {"expect.element", Expect::kElement},
    {"expect.declared", Expect::kDeclared},
    {"expect.left", Expect::kLeft},
    {"expect.result", Expect::kResult},
    {"expect.cast", Expect::kCast},
    {"expect.attribute", Expect::kAttribute},
    {"keys.of.this", Expect::kKeysOfThis},
    {"keys.of.outer", Expect::kKeysOfOuter},
    {"keys.of.taken", Expect::kKeysOfTaken},
    {"keys.of.call", Expect::kKeysOfCall},
    {"keys.of.props", Expect::kKeysOfProps},
    {"keys.of.class", Expect::kKeysOfClass},
};

struct SlotRow {
  std::string_view name;
  Slot slot;
};

constexpr SlotRow kSlots[] = {
    {"name", Slot::kName},           {"alias", Slot::kAlias},     {"body", Slot::kBody},
    {"value", Slot::kValue},         {"type", Slot::kType},       {"return", Slot::kReturn},
    {"start", Slot::kStart},         {"source", Slot::kSource},   {"inner", Slot::kInner},
    {"other", Slot::kOther},         {"element", Slot::kElement}, {"context", Slot::kContext},
    {"object", Slot::kObject},       {"list", Slot::kList},       {"block", Slot::kBlock},
    {"condition", Slot::kCondition}, {"keys", Slot::kKeys},       {"container", Slot::kContainer},
};

template <typename Row>
const Row* find_row(std::span<const Row> rows, std::string_view name) {
  auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

// Reads one language's query text; the grammar of what it reads is a subset of Tree-sitter's.
class RuleCompiler {
 public:
  RuleCompiler(Rules& rules, std::string_view source)
      : rules_(rules), grammar_(rules.grammar_), source_(source) {}

  void compile() {
    for (skip_space(); position_ < source_.size(); skip_space()) compile_pattern();
  }

 private:
  [[noreturn]] void fail(std::string_view message) {
    check_failed(fmt::format("query: {} at \"{:.60}\"", message, source_.substr(position_)).c_str(),
                 __FILE__, __LINE__);
  }

  void skip_space() {
    while (position_ < source_.size()) {
      if (source_[position_] == ';') {
        position_ = std::min(source_.find('\n', position_), source_.size());
      } else if (std::isspace(static_cast<unsigned char>(source_[position_])) != 0) {
        ++position_;
      } else {
        return;
      }
    }
  }

  char peek() {
    skip_space();
    return position_ < source_.size() ? source_[position_] : '\0';
  }

  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++position_;
    return true;
  }

  void expect(char wanted) {
    if (!take(wanted)) fail(fmt::format("'{}' expected", wanted));
  }

  std::string_view word() {
    skip_space();
    std::size_t begin = position_;
    while (position_ < source_.size()) {
      char c = source_[position_];
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && c != '.' && c != '-' &&
          c != '?') {
        break;
      }
      ++position_;
    }
    return source_.substr(begin, position_ - begin);
  }

  std::string quoted() {
    expect('"');
    std::string text;
    while (position_ < source_.size() && source_[position_] != '"') {
      if (source_[position_] == '\\') ++position_;
      text += source_[position_++];
    }
    expect('"');
    return text;
  }

  Kind named_kind(std::string_view name) {
    if (name == "_") return 0;
    if (name == "ERROR") return kErrorKind;
    Kind kind = grammar_.kind(name, true);
    if (kind == 0) fail(fmt::format("no kind '{}'", name));
    return kind;
  }

  Kind token_kind() {
    std::string text = quoted();
    token_ = text;
    Kind kind = grammar_.kind(text, false);
    if (kind == 0) fail(fmt::format("no token '{}'", text));
    return kind;
  }

  // A node: (kind items...), [alternatives], "token" or _.
  void read_node(PatternItem* item) {
    if (peek() == '"') {
      item->kinds.push_back(token_kind());
    } else if (take('[')) {
      while (!take(']')) {
        if (peek() == '"') {
          item->kinds.push_back(token_kind());
        } else {
          expect('(');
          item->kinds.push_back(named_kind(word()));
          expect(')');
        }
      }
    } else if (take('_')) {
      item->is_any = true;
    } else {
      expect('(');
      if (Kind kind = named_kind(word()); kind != 0) item->kinds.push_back(kind);
      read_items(&item->children);
      expect(')');
    }
  }

  void read_items(std::vector<PatternItem>* items) {
    while (peek() != ')' && position_ < source_.size()) {
      if (source_.substr(position_).starts_with("(#")) {
        read_predicate();
        continue;
      }
      PatternItem item;
      if (take('.')) item.is_anchored = true;
      if (take('!')) {
        item.is_negated = true;
        item.field = field(word());
        items->push_back(std::move(item));
        continue;
      }
      if (std::isalpha(static_cast<unsigned char>(peek())) != 0) {
        item.field = field(word());
        expect(':');
      }
      read_node(&item);
      if (take('?')) item.is_optional = true;
      while (take('@')) item_captures(&item);
      items->push_back(std::move(item));
    }
  }

  Field field(std::string_view name) {
    Field found = grammar_.field(name);
    if (found == 0) fail(fmt::format("no field '{}'", name));
    return found;
  }

  void item_captures(PatternItem* item) {
    std::string_view name = word();
    edge_captures_.push_back(name);
    if (const SlotRow* row = find_row<SlotRow>(kSlots, name); row != nullptr) {
      item->slot = static_cast<int>(row->slot);
    } else if (name.starts_with('_')) {
      auto found = std::ranges::find(privates_, name);
      if (found == privates_.end()) {
        privates_.push_back(name);
        found = privates_.end() - 1;
      }
      item->slot = static_cast<int>(Slot::kPrivate) + static_cast<int>(found - privates_.begin());
      if (item->slot >= static_cast<int>(kSlotCount)) fail("too many private captures");
    } else {
      unknown_slot_ = name;
    }
  }

  void read_predicate() {
    position_ += 2;
    std::string_view name = word();
    Predicate predicate;
    predicate.is_negated = name.starts_with("not-");
    if (name != "eq?" && name != "not-eq?" && name != "any-of?" && name != "not-any-of?") {
      fail("unknown predicate");
    }
    expect('@');
    std::string_view capture = word();
    if (const SlotRow* row = find_row<SlotRow>(kSlots, capture); row != nullptr) {
      predicate.slot = static_cast<int>(row->slot);
    } else {
      auto found = std::ranges::find(privates_, capture);
      if (found == privates_.end()) fail("predicate on an unknown capture");
      predicate.slot =
          static_cast<int>(Slot::kPrivate) + static_cast<int>(found - privates_.begin());
    }
    while (peek() == '"') predicate.texts.push_back(quoted());
    expect(')');
    predicates_.push_back(std::move(predicate));
  }

  void compile_pattern() {
    privates_.clear();
    predicates_.clear();
    edge_captures_.clear();
    unknown_slot_ = {};
    token_.clear();
    PatternItem root;
    read_node(&root);
    std::vector<std::string_view> actions;
    while (take('@')) actions.push_back(word());
    if (actions.empty()) {
      add_edge(root);
      return;
    }
    if (!unknown_slot_.empty()) fail(fmt::format("unknown capture '{}'", unknown_slot_));
    for (std::string_view action : actions) add_pattern(root, action);
  }

  void add_edge(const PatternItem& root) {
    if (root.children.size() != 1 || edge_captures_.empty()) fail("an edge rule has one child");
    const PatternItem& child = root.children.front();
    EdgeRule rule;
    rule.field = child.field;
    bool has_part = false;
    bool has_expect = false;
    bool has_other = false;
    for (std::string_view name : edge_captures_) {
      if (const PartRow* part = find_row<PartRow>(kParts, name); part != nullptr) {
        rule.part = part->part;
        has_part = true;
        continue;
      }
      if (const ExpectRow* expect = find_row<ExpectRow>(kExpects, name); expect != nullptr) {
        rule.expect = expect->expect;
        has_expect = true;
        continue;
      }
      has_other = true;
      if (name == "member") {
        rule.is_member = true;
      } else if (name == "owned") {
        rule.is_owned = true;
      } else if (const ValueRow* value = find_row<ValueRow>(kValues, name); value != nullptr) {
        rule.value = value->value;
      } else if (const ContextRow* context = find_row<ContextRow>(kContexts, name);
                 context != nullptr) {
        rule.context = context->context;
      } else {
        fail(fmt::format("unknown capture '{}'", name));
      }
    }
    const auto add = [&](KindRules& parent) {
      parent.has_fields = parent.has_fields || rule.field != 0;
      if (has_other) parent.edges.push_back(rule);
      if (has_part) parent.part_edges.push_back(rule);
      if (has_expect) parent.expect_edges.push_back(rule);
    };
    for (Kind parent : root.kinds) {
      if (child.kinds.empty()) add(rules_.kinds_[parent]);
      for (Kind kind : child.kinds) {
        rule.child = kind;
        add(rules_.kinds_[parent]);
      }
      rule.child = 0;
    }
  }

  void add_pattern(const PatternItem& root, std::string_view name) {
    Pattern pattern;
    pattern.items = root.children;
    pattern.predicates = predicates_;
    pattern.token = token_;
    if (name.starts_with("symbol.") || name.starts_with("bound.") ||
        name.starts_with("declarators.")) {
      pattern.action = name.starts_with("symbol.")  ? Action::kSymbol
                       : name.starts_with("bound.") ? Action::kBoundSymbol
                                                    : Action::kDeclarators;
      name.remove_prefix(name.find('.') + 1);
      std::size_t dot = name.find('.');
      std::optional<SymbolType> type = parse_symbol_type(name.substr(0, dot));
      if (!type || dot == std::string_view::npos) fail("symbol.<type>.<kind> expected");
      pattern.sort = value_of(*type);
      pattern.kind = name.substr(dot + 1);
    } else if (name.starts_with("parameter_property")) {
      pattern.action = Action::kParameterProperty;
      pattern.sort = value_of(SymbolType::kProperty);
      pattern.kind = "field";
    } else if (const ActionRow* row = find_row<ActionRow>(kActions, name); row != nullptr) {
      pattern.action = row->action;
      pattern.sort = row->sort;
    } else {
      fail(fmt::format("unknown capture '{}'", name));
    }
    if (root.kinds.empty()) fail("the root of a pattern is any node");
    for (Kind kind : root.kinds) {
      add_to_kind(rules_.kinds_[kind == kErrorKind ? rules_.kinds_.size() - 1 : kind], pattern);
    }
  }

  // A pattern that only names a kind becomes a flag of the kind.
  void add_to_kind(KindRules& rules, const Pattern& pattern) {
    switch (pattern.action) {
      case Action::kIdentifier:
        rules.is_identifier = true;
        rules.identifier_sort = static_cast<IdentifierSort>(pattern.sort);
        return;
      case Action::kExportWrapper:
        rules.is_export_wrapper = true;
        rules.is_wrapper = true;
        return;
      case Action::kWrapper:
        rules.is_wrapper = true;
        return;
      case Action::kDecorator:
        rules.is_decorator = true;
        rules.is_modifier = true;
        return;
      case Action::kModifier:
        rules.is_modifier = true;
        return;
      case Action::kModifierList:
        rules.is_modifier_list = true;
        return;
      case Action::kComment:
        rules.is_comment = true;
        if (pattern.sort == 1) rules_.has_typed_comments_ = true;
        if (pattern.sort == 2) rules_.doc_style_ = DocStyle::kCommentRun;
        return;
      case Action::kDocumented:
        rules.is_documented = true;
        if (pattern.sort == 1) rules.is_cast = true;
        return;
      case Action::kConditional:
        rules.is_conditional = true;
        return;
      case Action::kSkip:
        rules.is_skipped = true;
        return;
      case Action::kNames:
        rules.is_names = true;
        return;
      case Action::kAccess:
        rules.is_access = true;
        break;
      case Action::kStringType:
        rules.is_string_type = true;
        return;
      case Action::kValue:
        rules_.has_terms_ = true;
        rules.value_patterns.push_back(pattern);
        return;
      case Action::kTypeText:
        rules.type_patterns.push_back(pattern);
        return;
      case Action::kEntry:
        rules.entry_patterns.push_back(pattern);
        return;
      case Action::kParameter:
        rules.parameter_patterns.push_back(pattern);
        return;
      case Action::kFunctionFlag:
        rules.flag_patterns.push_back(pattern);
        return;
      case Action::kTest:
        rules.test_patterns.push_back(pattern);
        return;
      case Action::kSelf:
        rules.self_patterns.push_back(pattern);
        return;
      case Action::kDocstring:
        rules.docstring_patterns.push_back(pattern);
        rules_.doc_style_ = DocStyle::kBodyString;
        return;
      case Action::kConstantValue:
        if (pattern.items.empty()) {
          rules.constant_value = static_cast<ReceiverKind>(pattern.sort);
          return;
        }
        break;
      default:
        break;
    }
    rules.patterns.push_back(pattern);
  }

  Rules& rules_;
  const Grammar& grammar_;
  std::string_view source_;
  std::size_t position_ = 0;
  // Of the pattern that is being read.
  std::vector<std::string_view> privates_;
  std::vector<Predicate> predicates_;
  std::vector<std::string_view> edge_captures_;
  std::string_view unknown_slot_;
  std::string token_;
};

std::string Rules::query_text(std::string_view language_name) {
  for (const GrammarRow& row : grammar_table()) {
    if (row.language == language_name) return std::string(row.queries_begin, row.queries_end);
  }
  return {};
}

Rules::Rules(const Language& language)
    : grammar_(Grammar::find(language.name)),
      doc_style_(DocStyle::kPrecedingComment),
      visibility_(language.visibility) {
  CODEXMEM_CHECK(grammar_.valid());
  kinds_.resize(grammar_.kind_count() + 1);
  for (std::size_t kind = 0; kind + 1 < kinds_.size(); ++kind) {
    kinds_[kind].is_named = grammar_.is_named(static_cast<Kind>(kind));
  }
  kinds_.back().is_named = true;
  const auto kind = [&](std::string_view name) { return grammar_.kind(name, true); };
  declarator_kinds_ = {.identifier = kind("identifier"),
                       .field_identifier = kind("field_identifier"),
                       .type_identifier = kind("type_identifier"),
                       .primitive_type = kind("primitive_type"),
                       .operator_name = kind("operator_name"),
                       .operator_cast = kind("operator_cast"),
                       .destructor_name = kind("destructor_name"),
                       .qualified_identifier = kind("qualified_identifier"),
                       .template_function = kind("template_function"),
                       .template_method = kind("template_method"),
                       .function_declarator = kind("function_declarator"),
                       .parenthesized_declarator = kind("parenthesized_declarator"),
                       .reference_declarator = kind("reference_declarator"),
                       .init_declarator = kind("init_declarator"),
                       .attributed_declarator = kind("attributed_declarator"),
                       .friend_declaration = kind("friend_declaration"),
                       .field_declaration_list = kind("field_declaration_list")};
  std::string text = query_text(language.name);
  CODEXMEM_CHECK(!text.empty());
  compile(text);
}

void Rules::compile(std::string_view source) { RuleCompiler(*this, source).compile(); }

const Rules& Rules::of(const Language& language) {
  struct Entry {
    std::once_flag once;
    std::unique_ptr<const Rules> rules;
  };
  static std::vector<Entry> entries(languages().size());
  Entry& entry = entries[static_cast<std::size_t>(&language - languages().data())];
  std::call_once(entry.once, [&] { entry.rules.reset(new Rules(language)); });
  return *entry.rules;
}

bool Rules::matches(const Pattern& pattern, const Node& node, std::string_view text,
                    Captures* captures) const {
  captures->clear();
  if (!match_items(pattern.items, node, true, captures)) return false;
  for (const Predicate& predicate : pattern.predicates) {
    const Node& captured = captures->at(static_cast<std::size_t>(predicate.slot));
    if (!captured) return false;
    ByteRange range = range_of(captured);
    std::string_view found = text.substr(range.begin, range.size());
    bool equal = std::ranges::find(predicate.texts, found) != predicate.texts.end();
    if (equal == predicate.is_negated) return false;
  }
  return true;
}

bool Rules::match_item(const PatternItem& item, const Node& node, Captures* captures) const {
  Kind kind = kind_of(node);
  if (item.kinds.empty()) {
    if (!item.is_any && !(*this)[kind].is_named) return false;
  } else if (std::ranges::find(item.kinds, kind) == item.kinds.end()) {
    return false;
  }
  if (!item.children.empty() && !match_items(item.children, node, false, captures)) return false;
  if (item.slot >= 0) captures->set(static_cast<std::size_t>(item.slot), node);
  return true;
}

bool Rules::match_items(const std::vector<PatternItem>& items, const Node& node, bool is_root,
                        Captures* captures) const {
  std::optional<Cursor> cursor;  // for children without field
  bool has_child = false;
  for (const PatternItem& item : items) {
    if (item.field != 0) {
      Node child =
          is_root ? captures->field_of(node, item.field) : child_by_field(node, item.field);
      if (item.is_negated) {
        if (child) return false;
        continue;
      }
      if (!child || !match_item(item, child, captures)) {
        if (!item.is_optional) return false;
      }
      continue;
    }
    if (!cursor) {
      cursor.emplace(node);
      has_child = cursor->goto_first_child();
    }
    bool found = false;
    while (has_child && !found) {
      Node child = cursor->node();
      const KindRules& rules = (*this)[kind_of(child)];
      found = match_item(item, child, captures);
      bool gives_up = !found && item.is_anchored && rules.is_named && !rules.is_comment;
      if (gives_up) break;
      has_child = cursor->goto_next_sibling();
    }
    if (!found && !item.is_optional) return false;
  }
  return true;
}

}  // namespace codexmem::parse
