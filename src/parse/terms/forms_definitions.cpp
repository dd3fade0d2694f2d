// Definitions and imports of Elixir's forms.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "parse/terms/forms.h"

namespace codexmem::parse {
namespace {

constexpr std::array<std::string_view, 10> kDefinitions = {
    "def",       "defp",        "defmacro", "defmacrop", "defguard",
    "defguardp", "defdelegate", "defn",     "defnp",     "defoverridable"};
constexpr std::array<std::string_view, 4> kDirectives = {"alias", "import", "require", "use"};
constexpr std::array<std::string_view, 6> kTypeAttributes = {"spec",   "type",     "typep",
                                                             "opaque", "callback", "macrocallback"};

// Forms that occur in every file; their uses are not recorded.
constexpr std::array<std::string_view, 10> kSilent = {
    "case", "cond", "for", "with", "try", "receive", "fn", "unquote", "unquote_splicing", "super"};

}  // namespace

// True if the whole call was read here.
bool FormReader::visit_special(const Node& call, std::string_view name) {
  if (name == "defmodule" || name == "defprotocol" || name == "defimpl") {
    define_module(call, name);
    return true;
  }
  if (is_one_of(name, kDefinitions)) {
    define_function(call, name);
    return true;
  }
  if (is_one_of(name, kDirectives)) {
    read_directive(call, name);
    return true;
  }
  const bool is_quote = name == "quote";
  if (is_quote || is_one_of(name, kSilent)) {
    quotes_ += is_quote ? 1 : 0;
    const bool unquotes = name.starts_with("unquote");
    const std::uint32_t outer = quotes_;
    if (unquotes) quotes_ = 0;
    const std::size_t before = bound_.size();
    for (const Node& argument : arguments_of(call)) visit(argument, Mode::kValue);
    visit(child_of(call, grammar_.do_block), Mode::kValue);
    for (; bound_.size() > before; bound_.pop_back()) --variables_[bound_.back()];
    if (unquotes) quotes_ = outer;
    quotes_ -= is_quote ? 1 : 0;
    return true;
  }
  if (name == "defstruct" || name == "defexception") {
    if (const Node list = child_of(call, grammar_.arguments)) define_fields(list);
    return true;
  }
  return false;
}

void FormReader::define_module(const Node& call, std::string_view form) {
  const std::vector<Node> arguments = arguments_of(call);
  if (!arguments.empty()) {
    const Node name = arguments.front();
    if (form == "defimpl" && is(name, grammar_.alias)) {
      // It is called by the protocol's name, which refers to the protocol.
      const std::uint32_t protocol = add_alias(name, Role::kInherit);
      const std::uint32_t last = range_of(name).end -
                                 static_cast<std::uint32_t>(text_of(name).size()) +
                                 static_cast<std::uint32_t>(text_of(name).rfind('.') + 1);
      if (const auto found = named_.find(last); found != named_.end()) {
        Symbol& symbol = sink_.symbol(found->second);
        symbol.name_range = {symbol.range.begin, symbol.range.begin};
        sink_.add_heritage({found->second, protocol, kNoIndex});
      }
    } else if (is(name, grammar_.alias)) {
      const ByteRange range = range_of(name);
      const std::string_view text = text_of(name);
      const std::size_t last = text.rfind('.') + 1;
      sink_.add_occurrence(text.substr(last), range.begin + static_cast<std::uint32_t>(last),
                           Role::kDefinition);
    } else {
      visit(name, Mode::kValue);
    }
    for (std::size_t i = 1; i < arguments.size(); ++i) visit(arguments[i], Mode::kValue);
  }
  auto variables = std::exchange(variables_, {});
  auto bound = std::exchange(bound_, {});
  visit(child_of(call, grammar_.do_block), Mode::kValue);
  variables_ = std::move(variables);
  bound_ = std::move(bound);
}

void FormReader::define_function(const Node& call, std::string_view form) {
  const std::vector<Node> arguments = arguments_of(call);
  if (form == "defoverridable" || arguments.empty()) {
    for (const Node& argument : arguments) visit(argument, Mode::kValue);
    return;
  }
  auto variables = std::exchange(variables_, {});
  auto bound = std::exchange(bound_, {});
  Node head = arguments.front();
  if (is(head, grammar_.binary) && operator_of(head) == "when") {
    define_head(child_by_field(head, grammar_.left), form);
    visit(child_by_field(head, grammar_.right), Mode::kValue);
    head = child_by_field(head, grammar_.left);
  } else {
    define_head(head, form);
  }
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (form != "defdelegate") {
      visit(arguments[i], Mode::kValue);
      continue;
    }
    last_alias_ = kNoIndex;
    const Node to = option(arguments[i], "to");
    visit(to, Mode::kValue);
    const Node as = option(arguments[i], "as");
    if (last_alias_ == kNoIndex) continue;
    const auto arity =
        is(head, grammar_.call) ? static_cast<std::uint32_t>(arguments_of(head).size()) : 0;
    if (!as) {
      // The original name; the declared name belongs to the new function.
      const Node name = is(head, grammar_.call) ? child_by_field(head, grammar_.target) : head;
      if (!is(name, grammar_.identifier)) continue;
      const std::uint32_t at = facts_.occurrences[last_alias_].offset;
      const std::uint32_t called =
          sink_.add_occurrence(text_of(name), at, Role::kCall, ReceiverKind::kName, last_alias_);
      sink_.occurrence(called).by_syntax = true;
      sink_.add_call({at, call_term(arity)});
      continue;
    }
    if (!is(as, grammar_.atom)) continue;
    const ByteRange range = range_of(as);
    sink_.add_occurrence(text_of(range).substr(1), range.begin + 1, Role::kCall,
                         ReceiverKind::kName, last_alias_);
    sink_.add_call({range.begin + 1, call_term(arity)});
  }
  visit(child_of(call, grammar_.do_block), Mode::kValue);
  variables_ = std::move(variables);
  bound_ = std::move(bound);
}

// f(a, b \\ 1), f, a + b
void FormReader::define_head(const Node& head, std::string_view form) {
  const bool is_call = is(head, grammar_.call);
  Node name = is_call ? child_by_field(head, grammar_.target) : head;
  std::vector<Node> parameters = is_call ? arguments_of(head) : std::vector<Node>();
  if (is(head, grammar_.binary)) {
    name = child_by_field(head, grammar_.operation);
    parameters = {child_by_field(head, grammar_.left), child_by_field(head, grammar_.right)};
  } else if (!is(name, grammar_.identifier)) {
    visit(name, Mode::kValue);
    name = Node();
  }
  if (name && !is_missing(name)) {
    const ByteRange range = range_of(name);
    const auto found = named_.find(range.begin);
    if (found != named_.end()) {
      sink_.add_occurrence(text_of(range), range.begin, Role::kDefinition);
    } else {
      // A further clause.
      add_call(name, static_cast<std::uint32_t>(parameters.size()), Role::kDefinition,
               ReceiverKind::kThis, kNoIndex);
    }
    if (found != named_.end() && facts_.symbols[found->second].term == kNoIndex &&
        facts_.functions.size() < kMaxTerms) {
      const std::uint32_t index = sink_.add_function();
      Function& function = sink_.function(index);
      function.is_private = form.ends_with('p');
      for (const Node& parameter : parameters) {
        function.parameters.push_back(
            {.is_optional = is(parameter, grammar_.binary) && operator_of(parameter) == "\\\\"});
      }
      sink_.symbol(found->second).term = terms_.add(TermKind::kFunction, index, {});
    }
  }
  for (const Node& parameter : parameters) visit(parameter, Mode::kPattern);
}

// defstruct [:a, b: 1]
void FormReader::define_fields(const Node& arguments) {
  std::vector<Node> parts = children_of(arguments);
  const std::uint32_t owner = symbol_around(range_of(arguments).begin);
  const auto declare = [&](ByteRange range, ByteRange whole) {
    const std::string_view name = text_of(range);
    if (owner == kNoIndex || name.empty() || name.size() > kMaxNameBytes) return;
    Symbol symbol;
    symbol.name = name;
    symbol.type = SymbolType::kProperty;
    symbol.kind = "field";
    symbol.qualified_name = facts_.symbols[owner].qualified_name + "." + symbol.name;
    symbol.parent = owner;
    symbol.range = whole;
    symbol.name_range = range;
    symbol.signature = whole;
    symbol.exported = true;
    sink_.add_symbol(std::move(symbol), name);
    sink_.add_occurrence(name, range.begin, Role::kDefinition);
  };
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Node part = parts[i];
    const ByteRange range = range_of(part);
    if (is(part, grammar_.list) || is(part, grammar_.keywords)) {
      const std::vector<Node> inner = children_of(part);
      parts.insert(parts.end(), inner.begin(), inner.end());
    } else if (is(part, grammar_.atom)) {
      declare({range.begin + 1, range.end}, range);
    } else if (is(part, grammar_.pair)) {
      const Node key = child_by_field(part, grammar_.key);
      const ByteRange at = range_of(key);
      const auto size = static_cast<std::uint32_t>(key_size(text_of(at)));
      if (is(key, grammar_.keyword)) declare({at.begin, at.begin + size}, range);
      visit(child_by_field(part, grammar_.value), Mode::kValue);
    } else {
      visit(part, Mode::kValue);
    }
  }
}

// The innermost module around.
std::uint32_t FormReader::symbol_around(std::uint32_t offset) const {
  std::uint32_t found = kNoIndex;
  for (std::uint32_t scope = scope_at(offset); scope != kNoIndex && found == kNoIndex;
       scope = facts_.scopes[scope].parent) {
    const std::uint32_t symbol = facts_.scopes[scope].symbol;
    if (symbol == kNoIndex || facts_.scopes[scope].kind != ScopeKind::kClass) continue;
    found = symbol;
  }
  return found;
}

// ---- alias, import, require, use

void FormReader::read_directive(const Node& call, std::string_view form) {
  const std::vector<Node> arguments = arguments_of(call);
  if (arguments.empty()) {
    add_call(child_by_field(call, grammar_.target), 0, Role::kCall, ReceiverKind::kNone, kNoIndex);
    return;
  }
  const Node named = arguments.front();
  const Node options = arguments.size() > 1 ? arguments.back() : Node();
  const Node right = is(named, grammar_.dot) ? child_by_field(named, grammar_.right) : Node();
  if (is(right, grammar_.tuple)) {
    // A.{B, C.D}
    const Node left = child_by_field(named, grammar_.left);
    std::uint32_t before = kNoIndex;
    if (is(left, grammar_.alias)) {
      before = add_alias(left, Role::kRead);
    } else {
      last_alias_ = kNoIndex;
      visit(left, Mode::kValue);
      before = last_alias_;
    }
    for (const Node& leaf : children_of(right)) {
      if (is(leaf, grammar_.alias)) {
        import_leaf(call, leaf, text_of(left), before, form, options);
      } else {
        visit(leaf, Mode::kValue);
      }
    }
  } else if (is(named, grammar_.alias) || is(right, grammar_.alias) ||
             text_of(named) == "__MODULE__") {
    import_leaf(call, named, {}, kNoIndex, form, options);
  } else {
    visit(named, Mode::kValue);
  }
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (is(arguments[i], grammar_.keywords) && form != "use") {
      for (const Node& pair : children_of(arguments[i])) {
        const Node key = child_by_field(pair, grammar_.key);
        const Node value = child_by_field(pair, grammar_.value);
        const std::string_view word = key ? text_of(key) : std::string_view();
        const bool is_read =
            word.starts_with("as:") || word.starts_with("only:") || word.starts_with("except:");
        if (!is_read) visit(value, Mode::kValue);
      }
    } else {
      visit(arguments[i], Mode::kValue);
    }
  }
}

void FormReader::import_leaf(const Node& call, const Node& leaf, std::string_view prefix,
                             std::uint32_t before, std::string_view form, const Node& options) {
  const ByteRange range = range_of(leaf);
  Import import;
  if (!prefix.empty()) import.path = std::string(prefix) + ".";
  for (const char c : text_of(leaf)) {
    if (!is_space(c)) import.path += c;
  }
  if (import.path.size() > 4 * kMaxNameBytes) return;
  import.kind = form == "use"       ? ImportKind::kInclude
                : form == "require" ? ImportKind::kRequire
                                    : ImportKind::kImport;
  import.range = range_of(call);
  import.path_offset = range.begin;
  import.scope = scope_at(range.begin);
  import.conditional = facts_.scopes[import.scope].kind == ScopeKind::kFunction;
  import.from_import = form == "import";
  std::uint32_t module = kNoIndex;
  if (is(leaf, grammar_.alias)) {
    module = add_alias(leaf, Role::kImport, before);
  } else {
    last_alias_ = kNoIndex;
    visit(leaf, Mode::kValue);
    module = last_alias_;
    if (module != kNoIndex) sink_.occurrence(module).role = Role::kImport;
  }
  const std::uint32_t index = sink_.add_import(std::move(import));
  const std::string_view text = text_of(leaf);
  const std::size_t last = text.rfind('.') + 1;
  const std::string_view name = text.substr(last);
  const std::uint32_t offset = range.begin + static_cast<std::uint32_t>(last);
  if (form == "import") {
    const Node only = option(options, "only");
    if (only && !is(only, grammar_.atom)) {
      read_import_list(only, index, module);
    } else {
      sink_.name_all(index);
      if (const Node except = option(options, "except")) read_import_list(except, kNoIndex, module);
    }
    return;
  }
  if (form == "use") {
    if (is(options, grammar_.atom)) {
      sink_.name_import(index, text_of(options).substr(1), range_of(options).begin + 1, false);
    }
    return;
  }
  const Node as = option(options, "as");
  if (is(as, grammar_.alias)) {
    const ByteRange at = range_of(as);
    sink_.bind_import(index, name, text_of(as), scope_at(range.begin), offset, at.begin);
    sink_.add_occurrence(text_of(as), at.begin, Role::kDefinition);
  } else if (form == "alias" && name != "__MODULE__") {
    sink_.bind_import(index, name, name, scope_at(range.begin), offset, offset);
  } else {
    sink_.name_import(index, name, offset, false);
  }
}

// only: [f: 1, g: 2]
void FormReader::read_import_list(const Node& list, std::uint32_t import, std::uint32_t module) {
  std::vector<Node> parts = children_of(list);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is(parts[i], grammar_.keywords)) {
      const std::vector<Node> inner = children_of(parts[i]);
      parts.insert(parts.end(), inner.begin(), inner.end());
    }
    if (!is(parts[i], grammar_.pair)) continue;
    const Node key = child_by_field(parts[i], grammar_.key);
    const Node value = child_by_field(parts[i], grammar_.value);
    if (!is(key, grammar_.keyword) || !is(value, grammar_.integer)) continue;
    const ByteRange range = range_of(key);
    const std::string_view name = text_of(range).substr(0, key_size(text_of(range)));
    std::uint32_t arity = 0;
    for (const char c : text_of(value)) {
      if (is_digit(c))
        arity = std::min<std::uint32_t>(arity * 10 + static_cast<std::uint32_t>(c - '0'), 255);
    }
    if (import != kNoIndex) sink_.name_import(import, name, range.begin, false);
    if (module == kNoIndex) continue;
    sink_.add_occurrence(name, range.begin, Role::kImport, ReceiverKind::kName, module);
    sink_.add_call({range.begin, call_term(arity)});
  }
}

// ---- Attributes

void FormReader::visit_attribute(const Node& operand) {
  if (is(operand, grammar_.identifier)) {
    const ByteRange range = range_of(operand);
    if (range.size() == 0) return;
    last_alias_ =
        sink_.add_occurrence(text_of(range), range.begin, Role::kRead, ReceiverKind::kTag);
    return;
  }
  const Node name = is(operand, grammar_.call) ? child_by_field(operand, grammar_.target) : Node();
  if (!is(name, grammar_.identifier)) return visit(operand, Mode::kValue);
  const std::string_view text = text_of(name);
  if (is_one_of(text, kTypeAttributes)) return read_type(operand, text);
  const std::vector<Node> arguments = arguments_of(operand);
  const ByteRange range = range_of(name);
  const auto found = named_.find(range.begin);
  if (found != named_.end()) sink_.add_occurrence(text, range.begin, Role::kDefinition);
  for (const Node& argument : arguments) {
    if (text == "behaviour" && is(argument, grammar_.alias)) {
      const std::uint32_t behaviour = add_alias(argument, Role::kInherit);
      const std::uint32_t module = symbol_around(range.begin);
      if (module != kNoIndex) sink_.add_heritage({module, behaviour, kNoIndex});
      continue;
    }
    visit(argument, Mode::kValue);
    if (found != named_.end() && is(argument, grammar_.alias) && last_alias_ != kNoIndex) {
      sink_.symbol(found->second).term =
          terms_.add(TermKind::kName, facts_.occurrences[last_alias_].offset, {});
    }
  }
}

// @spec f(t) :: r when t: x; @type t(a) :: r; @callback f(t) :: r
void FormReader::read_type(const Node& operand, std::string_view attribute) {
  const std::vector<Node> arguments = arguments_of(operand);
  if (arguments.empty()) return;
  Node whole = arguments.front();
  const std::size_t before = bound_.size();
  const auto declare = [&](std::string_view name) {
    ++variables_[name];
    bound_.push_back(name);
  };
  Node bounds;
  if (is(whole, grammar_.binary) && operator_of(whole) == "when") {
    bounds = child_by_field(whole, grammar_.right);
    whole = child_by_field(whole, grammar_.left);
    for (const Node& pair : children_of(bounds)) {
      const Node key = child_by_field(pair, grammar_.key);
      if (key) declare(text_of(key).substr(0, key_size(text_of(key))));
    }
  }
  const bool has_result = is(whole, grammar_.binary) && operator_of(whole) == "::";
  const Node head = has_result ? child_by_field(whole, grammar_.left) : whole;
  const bool is_call = is(head, grammar_.call);
  const Node name = is_call ? child_by_field(head, grammar_.target) : head;
  const std::vector<Node> parameters = is_call ? arguments_of(head) : std::vector<Node>();
  const auto arity = static_cast<std::uint32_t>(parameters.size());
  const bool is_type = attribute.starts_with("type") || attribute == "opaque";
  if (is(name, grammar_.identifier)) {
    if (attribute == "spec") {
      add_call(name, arity, Role::kRead, ReceiverKind::kNone, kNoIndex);
    } else {
      const ByteRange range = range_of(name);
      sink_.add_occurrence(text_of(range), range.begin, Role::kDefinition);
      const auto found = named_.find(range.begin);
      if (found != named_.end() && facts_.symbols[found->second].term == kNoIndex &&
          facts_.functions.size() < kMaxTerms) {
        const std::uint32_t index = sink_.add_function();
        sink_.function(index).parameters.resize(arity);
        sink_.symbol(found->second).term = terms_.add(TermKind::kFunction, index, {});
      }
    }
  }
  for (const Node& parameter : parameters) {
    if (is_type && is(parameter, grammar_.identifier)) {
      declare(text_of(parameter));
    } else {
      visit(parameter, Mode::kType);
    }
  }
  if (has_result) visit(child_by_field(whole, grammar_.right), Mode::kType);
  if (bounds) visit(bounds, Mode::kType);
  for (; bound_.size() > before; bound_.pop_back()) --variables_[bound_.back()];
}

}  // namespace codexmem::parse
