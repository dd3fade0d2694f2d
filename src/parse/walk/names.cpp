// Identifiers: bindings and uses.
#include "parse/walk/names.h"

#include <algorithm>
#include <cctype>

#include "base/ascii.h"
#include "parse/preprocess/c_words.h"
#include "parse/walk/receivers.h"

namespace codexmem::parse {
namespace {

// True for the parts of a.b.
bool is_dotted(std::string_view text, ByteRange name) {
  return (name.begin > 0 && text[name.begin - 1] == '.') ||
         (name.end < text.size() && text[name.end] == '.');
}

// True for a in a.b, if a is an object and not part of a longer name.
bool is_dotted_before(std::string_view text, ByteRange name) {
  return name.end < text.size() && text[name.end] == '.' &&
         (name.end + 1 >= text.size() || text[name.end + 1] != '.');
}

// True for a in `a = b` and `a: b`.
bool is_assigned(std::string_view text, ByteRange name) {
  const std::size_t next = std::min(text.find_first_not_of(" \t\r\n", name.end), text.size());
  const std::string_view after = text.substr(next, 2);
  return after.starts_with(':') ||
         (after.starts_with('=') && !after.ends_with('=') && !after.ends_with('>')) || after == "=";
}

bool is_behind_extends(std::string_view text, ByteRange name) {
  constexpr std::string_view kWord = "extends";
  std::string_view before = text.substr(0, name.begin);
  const std::size_t end = before.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return false;
  return before.substr(0, end + 1).ends_with(kWord);
}

// True for the default of a parameter whose children are all bound names: val a: A = B.
bool is_default(std::string_view text, ByteRange name, const KindRules& parent) {
  const std::size_t before = text.substr(0, name.begin).find_last_not_of(" \t\r\n");
  return before != std::string_view::npos && text[before] == '=' &&
         !parent.parameter_patterns.empty();
}

}  // namespace

void NameBuilder::identifier(const Node& node, const KindRules& rules, Field field, Kind kind) {
  if (frames_.empty() || is_missing(node)) return;
  const std::string_view text = source_.text();
  const std::uint32_t parent_index = frames_.size() - 1;
  Frame& parent = frames_.back();
  const EdgeRule* edge = Rules::edge(parent.rules->edges, field, kind);
  const std::uint32_t position = parent.children++;
  bool is_part = false;
  Context context = frames_.context_of(edge, parent, &is_part);
  const Declarator* declarator = frames_.declarator(frames_.declarator_of(edge, parent_index));
  ByteRange range = range_of(node);
  if (range.size() == 0) return;                        // missing, according to the grammar
  const bool is_operator = text[range.end - 1] == ':';  // Haskell's :+:
  if (text[range.begin] == ':' && range.size() > 1 && !is_operator) ++range.begin;  // Ruby's :name
  range.end = range.begin + static_cast<std::uint32_t>(key_size(text_of(range)));
  std::string_view name = text_of(range);
  if (name.size() > 2 && name.front() == '`' && name.back() == '`') {
    name = name.substr(1, name.size() - 2);  // Kotlin's `a name`
  }
  bool is_member =
      edge != nullptr && (edge->is_member || (edge->is_optional_member && parent.has_receiver));
  Value value_role = edge != nullptr ? edge->value : Value::kNone;
  const bool has_sigils = rules.identifier_sort == IdentifierSort::kSigil;
  const char sign = range.begin == 0 ? '\0' : text[range.begin - 1];
  if (has_sigils && sign == '$' && name == "this") {
    frames_.give_value(parent, value_role, ReceiverKind::kThis, kNoIndex);
    return;
  }
  if (has_sigils && value_role == Value::kReference && parent.has_receiver) {
    // A::B
    if (name == "class") return;
    is_member = true;
    value_role = Value::kSame;
    context = Context::kRead;
  } else if (value_role == Value::kReference && parent.has_receiver) {
    // a::b
    is_member = true;
    value_role = Value::kNone;
    context = Context::kCall;
    sink_.add_call({range.begin, kNoIndex});
  }
  if (value_role == Value::kChained) {
    // a.b, a plus b: the second name is a member of the first.
    is_member = position == 1 && parent.has_receiver;
    if (position != 1) context = Context::kRead;
    if (position == 1 && text.substr(0, range.begin).ends_with("::")) {
      context = Context::kCall;  // a reference, whose arguments are unknown
      sink_.add_call({range.begin, kNoIndex});
    }
    value_role = position == 0 ? Value::kReceiver : position == 1 ? Value::kSame : Value::kNone;
  }

  ReceiverKind receiver_kind = ReceiverKind::kNone;
  std::uint32_t receiver = kNoIndex;
  if (field == 0 && sign == '.' && !is_member && !has_sigils && !facts_.occurrences.empty()) {
    // A part of a dotted name that is a single node.
    const Occurrence& before = facts_.occurrences.back();
    bool is_spread = range.begin > 1 && text[range.begin - 2] == '.';
    if (is_spread) {
      // ...rest, and Python's ..module
      if (context == Context::kImportModule) receiver_kind = ReceiverKind::kOther;
    } else if (before.offset + sink_.text_of(before.name).size() + 1 == range.begin) {
      receiver_kind = ReceiverKind::kName;
      receiver = static_cast<std::uint32_t>(facts_.occurrences.size() - 1);
    } else {
      receiver_kind = ReceiverKind::kOther;
    }
  }
  const bool is_global = !is_member && source_.rules().declares_in_classes() &&
                         text.substr(0, range.begin).ends_with("::");
  if (is_global) {
    receiver_kind = ReceiverKind::kSuper;
    receiver = kNoIndex;
  } else if (rules.identifier_sort == IdentifierSort::kOwn) {
    receiver_kind = ReceiverKind::kThis;
    receiver = kNoIndex;  // (s.@x is an error)
    is_member = true;
  } else if (is_member) {
    receiver_kind = parent.receiver;
    receiver = parent.receiver_index;
  } else if (frames_.is_self(name) && (context == Context::kNone || context == Context::kRead ||
                                       context == Context::kCall)) {
    // self is the instance; it is not a symbol that users look up. (When called, it is the class.)
    if (context == Context::kCall) sink_.add_occurrence(name, range.begin, Role::kCall);
    frames_.give_value(parent, value_role, ReceiverKind::kThis, kNoIndex);
    return;
  }

  if (has_sigils && !is_member && sign != '$') {
    receiver_kind = receiver_by_sign(range.begin, &receiver);
  }

  if (rules.is_access && (name == "private" || name == "protected" || name == "public")) {
    parent.access = name;
  }

  if (source_.rules().binds_declarators() && receiver_kind == ReceiverKind::kNone) {
    if (is_tag_keyword(name)) return;  // the grammar was confused
    if (source_.rules().has_tags() &&
        (context == Context::kTag || is_behind_tag_keyword(text, range.begin))) {
      context = Context::kTag;
      receiver_kind = ReceiverKind::kTag;
    }
  }

  const bool is_label = context == Context::kTag && !source_.rules().has_tags();
  if ((context == Context::kMacro || is_label) && receiver_kind == ReceiverKind::kNone) {
    receiver_kind = ReceiverKind::kTag;
  }
  if (context == Context::kPattern && std::isupper(static_cast<unsigned char>(name.front())) != 0) {
    context = Context::kRead;
  }
  if (context == Context::kToken) return token(name, range, is_in_quote(parent_index));

  // The name of a symbol that was declared when the walk entered its node.
  if (sink_.take_announced(range.begin)) {
    if (receiver_kind == ReceiverKind::kNone) {
      receiver = places_.whole_of_key(parent_index, node, field, kind);
      // (A Ruby symbol is a key.)
      const bool is_key = rules.identifier_sort == IdentifierSort::kProperty && range.begin > 0 &&
                          text[range.begin - 1] == ':';
      if (receiver != kNoIndex || is_key) receiver_kind = ReceiverKind::kKey;
    }
    std::uint32_t added =
        sink_.add_occurrence(name, range.begin, Role::kDefinition, receiver_kind, receiver);
    frames_.give_value(parent, value_role, ReceiverKind::kName, added);
    return;
  }

  if (context == Context::kTypeParameter && is_behind_extends(text, range)) {
    context = Context::kType;  // infer T extends A
  }
  if (context == Context::kParameter && is_default(text, range, *parent.rules)) {
    context = Context::kRead;
  }
  Role role = Role::kRead;
  switch (context) {
    case Context::kMacro:
      role = Role::kCall;
      break;
    case Context::kCall:
      // (If a bare name may be a call, so may the first name of a.b.)
      role = is_dotted_before(text, range) && !source_.rules().has_own_names() ? Role::kRead
                                                                               : Role::kCall;
      break;
    case Context::kWrite:
      role = Role::kWrite;
      if (is_member) {
        if (!source_.rules().has_own_names()) {
          note_attribute(name, range, parent_index, declarator);
        }
      } else if (const EdgeRule* part = Rules::edge(parent.rules->part_edges, field, kind);
                 part != nullptr) {
        assignments_.add(frames_.scope(), sink_.id_of(name),
                         places_.given(part, parent_index, node, position, nullptr, context));
      }
      break;
    case Context::kType:
    case Context::kTag:
      role = Role::kType;
      break;
    case Context::kExtends:
      if (is_dotted_before(text, range) && rules.identifier_sort == IdentifierSort::kTypeName) {
        context = Context::kType;  // the first name of a.b
        role = Role::kType;
        break;
      }
      role = Role::kInherit;
      break;
    case Context::kVariable:
    case Context::kLocal:
    case Context::kPattern:
    case Context::kParameter:
    case Context::kTypeParameter:
    case Context::kAssign:
    case Context::kWalrus:
    case Context::kOwn:
    case Context::kCapture:
    case Context::kGlobal:
    case Context::kNonlocal:
      if (context == Context::kCapture && is_dotted(text, range)) break;
      if (is_member) {
        role = Role::kWrite;
        if (rules.identifier_sort == IdentifierSort::kOwn) {
          declare_own(name, range, parent_index, node, field, kind, position, declarator);
          break;
        }
        note_attribute(name, range, parent_index, declarator);
      } else {
        const EdgeRule* part = Rules::edge(parent.rules->part_edges, field, kind);
        TermId term = kNoIndex;
        if (context == Context::kTypeParameter) {
          const Field named = fields().constraint != 0 ? fields().constraint : fields().type;
          const Node bound = child_by_field(parent.node, named);
          term = nodes_.type_term(bound ? bound : parent.node);
        } else if (context != Context::kGlobal && context != Context::kNonlocal) {
          term = places_.given(part, parent_index, node, position, declarator, context);
        }
        role = bind(context, node, parent_index, declarator, is_part, term);
      }
      break;
    case Context::kField: {
      if (source_.is_blank(name)) break;
      if (!parent.is_owned || frames_.symbol() == kNoIndex) {
        // A name of a type that has no name itself.
        role = Role::kDefinition;
        receiver_kind = ReceiverKind::kKey;
        break;
      }
      declare_field(name, range, parent_index,
                    declarator == nullptr ? TermId{kNoIndex}
                                          : places_.given(nullptr, parent_index, node, position,
                                                          declarator, context));
      role = Role::kDefinition;
      break;
    }
    case Context::kMember: {
      frames_.push(node, rules, field, kind);
      const std::uint32_t symbol =
          symbols_.add_symbol(parent_index + 1, {.type = SymbolType::kProperty,
                                                 .kind = "enum_member",
                                                 .name = name,
                                                 .name_range = range,
                                                 .is_pushed = false});
      sink_.add_binding(name, frames_.scope(), BindingKind::kSymbol, symbol, range.begin);
      sink_.add_occurrence(name, range.begin, Role::kDefinition);
      frames_.pop();
      return;
    }
    case Context::kImportDefault:
      sink_.bind_import(parent.import, "default", name, frames_.scope(), range.begin, range.begin);
      role = Role::kImport;
      break;
    case Context::kImportNamespace:
      sink_.bind_module(parent.import, name, frames_.scope(), range.begin);
      role = Role::kDefinition;
      break;
    case Context::kImportName:
    case Context::kImportModule:
      role = Role::kImport;
      break;
    case Context::kImportAlias:
      role = Role::kDefinition;
      break;
    case Context::kExportName:
      role = Role::kExport;
      break;
    case Context::kKeyRead:
      receiver_kind = ReceiverKind::kKey;
      break;
    case Context::kKeyWrite:
      role = Role::kWrite;
      receiver_kind = ReceiverKind::kKey;
      break;
    case Context::kKeyAssigned:
      if (!is_assigned(text, range)) break;
      role = Role::kWrite;
      receiver_kind = ReceiverKind::kKey;
      break;
    case Context::kElementName:
    case Context::kElementEnd:
      // Lower-case names are built-in elements.
      if (!is_member && std::islower(static_cast<unsigned char>(name.front())) != 0 &&
          value_role == Value::kNone) {
        return;
      }
      role = context == Context::kElementEnd ? Role::kRead : Role::kCall;
      break;
    case Context::kSkip:
      frames_.give_value(parent, value_role, ReceiverKind::kOther, kNoIndex);
      return;
    default:
      if (rules.identifier_sort == IdentifierSort::kTypeName) role = Role::kType;
      if (rules.identifier_sort == IdentifierSort::kCalled && !is_member && !is_bound(name)) {
        role = Role::kCall;
      }
      if (rules.identifier_sort == IdentifierSort::kProperty && !is_member) {
        receiver_kind = ReceiverKind::kKey;
      }
      break;
  }

  TermId whole = kNoIndex;
  const bool is_shorthand = rules.identifier_sort == IdentifierSort::kShorthand ||
                            rules.identifier_sort == IdentifierSort::kShorthandPattern ||
                            context == Context::kShorthand;
  if (is_shorthand || receiver_kind == ReceiverKind::kKey) {
    whole = places_.whole_of_key(parent_index, node, field, kind);
    if (receiver_kind == ReceiverKind::kKey) receiver = whole;
  }
  std::uint32_t added = sink_.add_occurrence(name, range.begin, role, receiver_kind, receiver);
  if (nominal_.waits()) nominal_.meet(range.begin, added);
  // { a } names both a variable and a key.
  if (rules.identifier_sort == IdentifierSort::kShorthand || context == Context::kShorthand) {
    sink_.add_occurrence(name, range.begin, Role::kWrite, ReceiverKind::kKey, whole);
    if (parent.is_exports_object) {
      sink_.add_export({.offset = range.begin, .commonjs = true}, name, name);
    }
  } else if (rules.identifier_sort == IdentifierSort::kShorthandPattern) {
    sink_.add_occurrence(name, range.begin, Role::kRead, ReceiverKind::kKey, whole);
  }
  // (A use in the class body was recorded there.)
  if (context == Context::kExtends && frames_.symbol() != kNoIndex &&
      (has_sigils || facts_.symbols[frames_.symbol()].body.empty() ||
       range.begin < facts_.symbols[frames_.symbol()].body.begin)) {
    sink_.add_heritage({frames_.symbol(), added, nodes_.supertype_term(range.begin)});
  }
  frames_.give_value(frames_.back(), value_role, ReceiverKind::kName, added);
}

Role NameBuilder::bind(Context context, const Node& node, std::uint32_t parent,
                       const Declarator* declarator, bool is_part, TermId term) {
  const ByteRange range = range_of(node);
  const std::string_view name = text_of(range);
  const bool is_late = declarator != nullptr && declarator->is_late;
  const bool is_annotated = is_late || (declarator != nullptr && !is_part &&
                                        (declarator->type || declarator->documented != kNoIndex));
  std::uint32_t scope = frames_.scope();
  switch (context) {
    case Context::kGlobal:
    case Context::kNonlocal:
      // In the module's own scope it has no effect.
      if (scope != 0) {
        const bool is_global = context == Context::kGlobal;
        sink_.add_binding(name, scope, is_global ? BindingKind::kGlobal : BindingKind::kNonlocal,
                          kNoIndex, range.begin);
      }
      return Role::kRead;
    case Context::kVariable:
      // Without a keyword it is an assignment (`for (x of y)`).
      if (frames_[parent].declaration == DeclarationSort::kNone) return Role::kWrite;
      if (frames_[parent].declaration == DeclarationSort::kVar) scope = function_scope();
      break;
    case Context::kWalrus:
      while (facts_.scopes[scope].kind == ScopeKind::kComprehension) {
        scope = facts_.scopes[scope].parent;
      }
      break;
    case Context::kOwn:
      if (const std::uint32_t bound = scope_binding(sink_.id_of(name)); bound != kNoIndex) {
        scope = bound;
      }
      break;
    default:
      break;
  }
  bool rebinds =
      context == Context::kAssign || context == Context::kOwn || context == Context::kWalrus ||
      context == Context::kCapture ||
      (context == Context::kVariable && frames_[parent].declaration == DeclarationSort::kVar);
  if (rebinds) {
    std::uint32_t known = sink_.find_binding(scope, sink_.id_of(name));
    // try: import x ... except ImportError: x = None defines x again.
    bool replaces_import = known != PairMap::kAbsent && scope == 0 &&
                           facts_.bindings[known].kind == BindingKind::kImport;
    if (known != PairMap::kAbsent && !replaces_import) {
      assignments_.add_to_binding(known, term);
      return Role::kWrite;
    }
  }
  if (declarator != nullptr && declarator->import != kNoIndex) {
    std::string_view imported = declarator->member;
    if (is_part) {
      imported = imported.empty() ? key_of_pattern(parent, name) : std::string_view{};
    } else if (imported.empty()) {
      imported = "*";
    }
    if (!imported.empty()) {
      std::uint32_t offset =
          imported == "*" ? facts_.imports[declarator->import].range.begin : range.begin;
      sink_.bind_import(declarator->import, imported, name, frames_.scope(), offset, range.begin);
      return Role::kDefinition;
    }
  }

  if (source_.is_blank(name)) return Role::kWrite;
  ScopeKind scope_kind = facts_.scopes[scope].kind;
  bool is_parameter = context == Context::kParameter || context == Context::kTypeParameter;
  bool is_symbol = !is_parameter && context != Context::kLocal && context != Context::kOwn &&
                   context != Context::kPattern &&
                   (scope_kind == ScopeKind::kModule || scope_kind == ScopeKind::kNamespace ||
                    scope_kind == ScopeKind::kGlobal ||
                    (scope_kind == ScopeKind::kClass && context == Context::kAssign));
  if (is_symbol) {
    NewSymbol added;
    bool in_class = scope_kind == ScopeKind::kClass;
    added.type = in_class ? SymbolType::kProperty : SymbolType::kVariable;
    added.kind = in_class                                                 ? "attribute"
                 : frames_[parent].declaration == DeclarationSort::kConst ? "const"
                                                                          : "variable";
    if (in_class && frames_.symbol() != kNoIndex &&
        facts_.symbols[frames_.symbol()].kind == "enum") {
      added.kind = "enum_member";
    }
    added.name = name;
    added.name_range = range;
    added.is_pushed = declarator != nullptr && !is_part;
    added.parent = facts_.scopes[scope].symbol;
    if (declarator != nullptr) {
      added.value = declarator->value;
      // A loop or `with` does not define its variable as a symbol.
      added.is_name_only = declarator->element || declarator->context || declarator->keys;
      if (added.is_name_only) added.is_pushed = false;
    }
    const std::uint32_t symbol =
        symbols_.add_symbol(declarator != nullptr ? declarator->frame : parent, added);
    const bool is_enum_member = facts_.symbols[symbol].kind == "enum_member";
    sink_.symbol(symbol).term = is_enum_member ? kNoIndex : term;
    const std::uint32_t binding =
        sink_.add_binding(name, scope, BindingKind::kSymbol, symbol, range.begin);
    sink_.set_annotated(binding, is_annotated || is_enum_member);
    return Role::kDefinition;
  }
  BindingKind kind = context == Context::kParameter       ? BindingKind::kParameter
                     : context == Context::kTypeParameter ? BindingKind::kTypeParameter
                                                          : BindingKind::kLocal;
  const std::uint32_t added = sink_.add_binding(name, scope, kind, kNoIndex, range.begin, term);
  sink_.set_annotated(added, is_annotated);
  if (is_late) sink_.binding(added).seen_from = seen_from(declarator, context);
  if (kind == BindingKind::kTypeParameter && fields().constraint != 0) {
    sink_.binding(added).fallback =
        nodes_.type_term(child_by_field(frames_[parent].node, fields().value));
  }
  return Role::kDefinition;
}

// Where a name of `declarator` becomes visible: after the declarator, for a parameter in its
// function's body; never if there is no body.
std::uint32_t NameBuilder::seen_from(const Declarator* declarator, Context context) const {
  if (context != Context::kParameter) {
    const Node& node = frames_[declarator->frame].node;
    const Node body = child_by_field(node, fields().body);  // of a loop
    return body ? range_of(body).begin : range_of(node).end;
  }
  const OpenFunction* function = functions_.innermost();
  if (function == nullptr) return 0;
  const Node node = frames_[function->frame].node;
  const Node body = child_by_field(node, fields().body);
  return body ? range_of(body).begin : range_of(node).end;
}

// The field's range is the whole declaration, which may declare other names as well; `given` is the
// type from its declarator.
void NameBuilder::declare_field(std::string_view name, ByteRange range, std::uint32_t parent,
                                TermId given) {
  const std::uint32_t symbol = symbols_.add_symbol(parent, {.type = SymbolType::kProperty,
                                                            .kind = "field",
                                                            .name = name,
                                                            .name_range = range,
                                                            .is_pushed = false});
  if (!source_.rules().has_terms()) return;
  const Node type = child_by_field(frames_[parent].node, fields().type);
  sink_.symbol(symbol).term = given == kNoIndex ? nodes_.type_term(type) : given;
  if (!type) return;
  // The members of an unnamed type belong to the field, or to the last of several fields.
  const std::size_t next = source_.text().find_first_not_of(" \t", range.end);
  const bool is_last = next == std::string_view::npos || source_.text()[next] != ',';
  if (is_last && !rules_of(type).is_identifier) frames_.open_symbol(parent, symbol);
}

// The property that a name in a destructuring pattern takes: in { a: b }, b takes a. Empty if the
// name does not take a property of the whole value: in arrays and nested patterns.
std::string_view NameBuilder::key_of_pattern(std::uint32_t parent, std::string_view name) const {
  const Declarator* declarator = frames_.declarator(frames_[parent].declarator);
  if (declarator == nullptr) return {};
  std::uint32_t top = declarator->frame + 1;
  if (parent < top || kind_of(frames_[top].node) != fields().object_pattern) return {};
  if (parent == top) return name;
  // { a: b }, { a: b = 1 } and { a = 1 }; anything deeper is a part of a part.
  Node key = child_by_field(frames_[top + 1].node, fields().key);
  if (!key) return parent == top + 1 ? name : std::string_view{};
  if (parent == top + 1) return source_.member_name(key);
  bool has_default =
      parent == top + 2 && kind_of(frames_[parent].node) == fields().assignment_pattern;
  return has_default ? source_.member_name(key) : std::string_view{};
}

void NameBuilder::note_attribute(std::string_view name, ByteRange range, std::uint32_t parent,
                                 const Declarator* from) {
  if (frames_[parent].receiver != ReceiverKind::kThis || from == nullptr) return;
  std::uint32_t owner = frames_.own_class();
  if (owner == kNoIndex) return;
  Attribute attribute;
  attribute.owner = owner;
  attribute.name = name;
  attribute.name_range = range;
  attribute.range = range_of(frames_[from->frame].node);
  attribute.is_function = from->value && source_.opens(ScopeKind::kFunction, from->value);
  attribute.is_annotated = from->documented != kNoIndex;
  attribute.term = places_.taken(parent);
  attribute.has_known_value = has_known_value(attribute.term);
  assignments_.add_attribute(attribute);
}

}  // namespace codexmem::parse
