#include "parse/walk/frame_stack.h"

#include <cctype>
#include <utility>

namespace codexmem::parse {
namespace {

bool binds(Context context) {
  switch (context) {
    case Context::kVariable:
    case Context::kLocal:
    case Context::kPattern:
    case Context::kParameter:
    case Context::kTypeParameter:
    case Context::kAssign:
    case Context::kWalrus:
    case Context::kOwn:
    case Context::kCapture:
      return true;
    default:
      return false;
  }
}

bool names_type(Context context) {
  return context == Context::kType || context == Context::kExtends;
}

}  // namespace

void FrameStack::reset() {
  frames_.clear();
  declarators_.clear();
  scopes_.assign(1, 0);
  symbols_.clear();
  selves_.clear();
  containers_.clear();
}

Context FrameStack::context_of(const EdgeRule* edge, const Frame& parent, bool* is_part) const {
  *is_part = false;
  if (edge == nullptr) return Context::kNone;
  switch (edge->context) {
    case Context::kInherit:
      *is_part = parent.is_part;
      return parent.context;
    case Context::kInheritPart:
      *is_part = true;
      return parent.context;
    case Context::kInheritType:
      return names_type(parent.context) ? parent.context : Context::kNone;
    case Context::kInheritArgument:
      return names_type(parent.context) ? Context::kType : Context::kNone;
    case Context::kInheritCall:
      return parent.context == Context::kCall ? Context::kCall : Context::kNone;
    case Context::kInheritWrite:
      return parent.context == Context::kWrite || parent.context == Context::kOwn ? Context::kWrite
                                                                                  : Context::kCall;
    case Context::kInheritCapture:
      return parent.context == Context::kCapture ? Context::kCapture : Context::kNone;
    default:
      return edge->context;
  }
}

std::uint32_t FrameStack::declarator_of(const EdgeRule* edge, std::uint32_t parent) const {
  std::uint32_t declarator = frames_[parent].declarator;
  if (declarator == kNoIndex || edge == nullptr) return declarator;
  if (!binds(edge->context) && edge->context != Context::kWrite) return declarator;
  // A rule that binds names must not inherit the declarator: in a variable's function value, the
  // parameters are not declared by that variable.
  return declarators_[declarator].frame == parent ? declarator : kNoIndex;
}

void FrameStack::push(const Node& node, const KindRules& rules, Field field, Kind kind) {
  Frame frame;
  frame.node = node;
  frame.rules = &rules;
  frame.field = field;
  if (!frames_.empty()) {
    Frame& parent = frames_.back();
    const EdgeRule* edge = Rules::edge(parent.rules->edges, field, kind);
    frame.position = parent.children++;
    frame.context = context_of(edge, parent, &frame.is_part);
    frame.declarator = declarator_of(edge, size() - 1);
    frame.declaration = parent.declaration;
    frame.import = parent.import;
    frame.is_in_items = parent.is_in_items;
    if (edge != nullptr) {
      frame.value_role = edge->value;
      if (edge->value == Value::kChained) {
        frame.context = Context::kRead;
        frame.value_role = frame.position == 0 ? Value::kReceiver : Value::kNone;
      }
      if (parent.has_receiver && (edge->is_member || edge->is_optional_member)) {
        frame.receiver = parent.receiver;
        frame.receiver_index = parent.receiver_index;
        frame.has_receiver = true;
      }
      frame.is_exports_object = edge->is_owned && parent.is_exports_object;
      frame.is_owned = edge->is_owned &&
                       (parent.symbol != kNoIndex || parent.is_owned || parent.is_exports_object);
    }
  }
  frames_.push_back(std::move(frame));
}

void FrameStack::pop() {
  const Frame& frame = frames_.back();
  if (frame.pops_scope) scopes_.pop_back();
  if (frame.pops_self) selves_.pop_back();
  if (frame.pops_container) containers_.pop_back();
  symbols_.resize(symbols_.size() - frame.pushed_symbols);
  frames_.pop_back();
}

void FrameStack::close(std::uint32_t frame) {
  Frame& at = frames_[frame];
  if (std::exchange(at.pops_scope, false)) scopes_.pop_back();
  symbols_.resize(symbols_.size() - std::exchange(at.pushed_symbols, 0));
  at.symbol = kNoIndex;
}

void FrameStack::give_value(Frame& parent, Value role, ReceiverKind value, std::uint32_t index) {
  if (role == Value::kNone || parent.has_fixed_value) return;
  if (role == Value::kReceiver || role == Value::kReference || role == Value::kChained) {
    parent.receiver = value;
    parent.receiver_index = index;
    parent.has_receiver = true;
    return;
  }
  if (role == Value::kCalled) {
    // cls(...) makes an instance of the class that self is one of; other calls have a term.
    if (value != ReceiverKind::kThis) value = ReceiverKind::kOther;
    index = kNoIndex;
  }
  parent.value = value;
  parent.value_occurrence = index;
}

std::uint32_t FrameStack::own_class() const {
  if (!selves_.empty()) return selves_.back().symbol;
  auto makes_instances = [](const Symbol& symbol) {
    bool is_constructor = symbol.type == SymbolType::kFunction && !symbol.name.empty() &&
                          std::isupper(static_cast<unsigned char>(symbol.name.front())) != 0;
    return symbol.type == SymbolType::kClass || symbol.type == SymbolType::kInterface ||
           (symbol.type == SymbolType::kType && symbol.kind == "enum") || is_constructor;
  };
  for (auto at = symbols_.rbegin(); at != symbols_.rend(); ++at) {
    const Symbol& symbol = facts_.symbols[*at];
    if (makes_instances(symbol)) return *at;
    if (symbol.type != SymbolType::kMethod && symbol.type != SymbolType::kProperty) continue;
    // X.prototype.f = function is outside X.
    if (symbol.parent == kNoIndex) return kNoIndex;
    return makes_instances(facts_.symbols[symbol.parent]) ? symbol.parent : kNoIndex;
  }
  return kNoIndex;
}

void FrameStack::open_declarator(const Declarator& declarator) {
  frames_[declarator.frame].declarator = static_cast<std::uint32_t>(declarators_.size());
  declarators_.push_back(declarator);
}

void FrameStack::open_scope(std::uint32_t frame, std::uint32_t scope) {
  scopes_.push_back(scope);
  frames_[frame].pops_scope = true;
}

void FrameStack::open_symbol(std::uint32_t frame, std::uint32_t symbol) {
  symbols_.push_back(symbol);
  ++frames_[frame].pushed_symbols;
}

std::uint32_t FrameStack::hide_symbol() {
  const std::uint32_t symbol = symbols_.back();
  symbols_.pop_back();
  return symbol;
}

void FrameStack::open_self(std::uint32_t frame, std::string_view name, std::uint32_t owner) {
  selves_.push_back({name, owner});
  frames_[frame].pops_self = true;
}

void FrameStack::open_container(std::uint32_t frame, std::string_view name, bool is_public) {
  containers_.push_back({name, symbols_.size(), is_public});
  frames_[frame].pops_container = true;
}

const OpenContainer* FrameStack::container() const {
  const bool is_here = !containers_.empty() && containers_.back().depth == symbols_.size();
  return is_here ? &containers_.back() : nullptr;
}

}  // namespace codexmem::parse
