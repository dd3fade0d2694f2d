// Constants are global once they are defined, so a class or module is found in the index of symbols
// by its last name and its container, wherever it is opened. A constant is looked for in the
// modules around the place, then in the ancestors of the innermost one, then at the top level; a
// name that Ruby itself has there is Ruby's. Tested by graph/ruby_test.cpp.
#include "graph/ruby/ruby_types.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/path.h"
#include "base/text.h"
#include "config/path_kind.h"
#include "graph/core/resolver_step.h"

namespace codexmem::graph {

using parse::kNoIndex;
using parse::ReceiverKind;
using parse::Role;
using parse::ScopeKind;

namespace {

constexpr std::size_t kMaxOpenings = 64;          // of one class or module
constexpr std::size_t kMaxResolutionOrder = 256;  // of an order
constexpr std::size_t kMaxBelow = 64;             // members of one name that are compared
constexpr int kMaxRubyAliases = 8;
constexpr std::size_t kMaxLoaded = 256;    // files that one loads
constexpr std::size_t kMaxIncluders = 64;  // files and classes that are looked at
constexpr std::size_t kMaxArguments = 16;  // before the one that is asked for
constexpr std::string_view kGivenBlock = "class_methods";

bool is_ruby_type_row(const store::SymbolRow& row) { return row.type == SymbolType::kClass; }

bool is_constant_row(const store::SymbolRow& row) {
  return is_ruby_type_row(row) || (row.type == SymbolType::kVariable && is_upper(row.name.front()));
}

bool is_ruby_member_row(const store::SymbolRow& row) {
  return row.type == SymbolType::kMethod || row.type == SymbolType::kFunction ||
         row.type == SymbolType::kProperty;
}

// Of a setter and a reader of one name, the one that is meant.
bool is_asked_row(const store::SymbolRow& row, const RubyAsked& asked) {
  if (!is_ruby_member_row(row)) return false;
  if (row.type == SymbolType::kProperty) return asked.is_set || row.kind != "writer";
  return asked.is_set == (row.kind == "setter" || row.kind == "class_setter");
}

std::string joined(const std::string& container, const std::string& name) {
  return container.empty() ? name : container + "." + name;
}

// "HTTPServer" and "http_server" are one.
std::string plain_ruby_name(std::string_view name) {
  std::string text = to_lower_ascii(name);
  std::erase(text, '_');
  return text;
}

// The call that occurrence `index`, one of its arguments, is given to: "include" of include A::B.
std::string_view call_around(const FileModel& file, std::uint32_t index) {
  for (std::size_t steps = 0; steps < kMaxArguments; ++steps) {
    while (file.facts.occurrences[index].receiver_kind == ReceiverKind::kName) {
      index = file.facts.occurrences[index].receiver;
    }
    if (index == 0) return {};
    const parse::Occurrence& before = file.facts.occurrences[--index];
    if (before.role == Role::kCall) return file.name(before.name);
    if (before.role != Role::kInherit) return {};
  }
  return {};
}

// True for the block of class_methods do ... end.
bool is_given_block(const FileModel& file, std::uint32_t scope) {
  const std::uint32_t begin = file.facts.scopes[scope].range.begin;
  const auto size = static_cast<std::uint32_t>(kGivenBlock.size());
  if (begin <= size) return false;
  const std::uint32_t at = file.occurrence_at(begin - size - 1);
  return at != kNoIndex && file.name(file.facts.occurrences[at].name) == kGivenBlock;
}

// The scope that a method is declared in.
std::uint32_t scope_of_function(const FileModel& file, std::uint32_t symbol) {
  std::uint32_t scope = file.scope_at(file.facts.symbols[symbol].name_range.begin);
  while (scope != kNoIndex && file.facts.scopes[scope].symbol == symbol) {
    scope = file.facts.scopes[scope].parent;
  }
  return scope;
}

}  // namespace

bool is_ruby_type(const parse::Symbol& symbol) { return symbol.type == SymbolType::kClass; }

const std::string& RubyTypes::full_name(Resolver& resolver, const FileModel& file,
                                        std::uint32_t symbol) {
  const auto [at, is_new] = full_names_.try_emplace({&file, symbol});
  if (!is_new || symbol == kNoIndex) return at->second;
  const store::SymbolRow* row = resolver.row_of(file, symbol);
  if (row != nullptr) at->second = row->qualified_name();
  return at->second;
}

RubySide RubyTypes::side_of(Resolver& resolver, const FileModel& file, std::uint32_t symbol) {
  const store::SymbolRow* row = resolver.row_of(file, symbol);
  return row == nullptr ? RubySide::kInstance : side_of(file, symbol, *row);
}

RubySide RubyTypes::side_of(const FileModel& file, std::uint32_t symbol,
                            const store::SymbolRow& row) const {
  if (row.kind == "class_method" || row.kind == "class_setter") return RubySide::kType;
  std::uint32_t scope = scope_of_function(file, symbol);
  while (scope != kNoIndex && file.facts.scopes[scope].kind == ScopeKind::kComprehension) {
    if (is_given_block(file, scope)) return RubySide::kGiven;
    scope = file.facts.scopes[scope].parent;
  }
  const bool is_of_type = scope != kNoIndex && file.facts.scopes[scope].kind == ScopeKind::kClass &&
                          file.facts.scopes[scope].symbol == kNoIndex;
  return is_of_type ? RubySide::kType : RubySide::kInstance;
}

RubySelf RubyTypes::self_at(Resolver& resolver, const FileModel& file, std::uint32_t offset) {
  RubySelf self;
  for (std::uint32_t scope = file.scope_at(offset); scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    const parse::Scope& at = file.facts.scopes[scope];
    if (at.kind == ScopeKind::kComprehension && self.method == kNoIndex) self.is_in_block = true;
    if (at.kind == ScopeKind::kFunction && at.symbol != kNoIndex && self.method == kNoIndex) {
      self.method = at.symbol;
    }
    if (at.kind == ScopeKind::kClass) break;
  }
  std::uint32_t type = kNoIndex;
  if (self.method != kNoIndex) type = file.owner_of(self.method);
  if (type == kNoIndex) type = file.symbol_at(offset);
  while (type != kNoIndex && !is_ruby_type(file.facts.symbols[type])) type = file.surrounding(type);
  if (type != kNoIndex) self.type = full_name(resolver, file, type);
  self.is_type =
      self.method == kNoIndex || side_of(resolver, file, self.method) != RubySide::kInstance;
  return self;
}

const RubyTypes::Rows& RubyTypes::rows_in(Resolver& resolver, const std::string& name,
                                          const std::string& container) {
  static const Rows kNone;
  const auto [at, is_new] = rows_.try_emplace(name);
  if (is_new) {
    for (const store::SymbolRow& row : resolver.symbol_rows(family_of("ruby"), name)) {
      at->second[row.container].push_back(&row);
    }
  }
  const auto found = at->second.find(container);
  return found == at->second.end() ? kNone : found->second;
}

bool RubyTypes::has_constant(Resolver& resolver, const std::string& container,
                             const std::string& name) {
  return std::ranges::any_of(rows_in(resolver, name, container),
                             [](const store::SymbolRow* row) { return is_constant_row(*row); });
}

// Constant `name` of a class or module, or of its ancestors.
std::string RubyTypes::found_in(Resolver& resolver, const std::string& type,
                                const std::string& name) {
  if (has_constant(resolver, type, name)) return joined(type, name);
  for (const RubyStep& step : order(resolver, type, RubySide::kInstance).steps) {
    if (has_constant(resolver, step.type, name)) return joined(step.type, name);
  }
  return {};
}

const std::string& RubyTypes::constant_at(Resolver& resolver, const FileModel& file,
                                          std::uint32_t index) {
  static const std::string kNowhere;
  const auto known = constants_.find({&file, index});
  if (known != constants_.end()) return known->second;
  const Resolver::RecursionGuard step(resolver);
  if (step.over_limit()) return kNowhere;
  constants_[{&file, index}] = {};  // meanwhile
  std::string path = constant(resolver, file, index);
  return constants_[{&file, index}] = std::move(path);
}

std::string RubyTypes::constant(Resolver& resolver, const FileModel& file, std::uint32_t index) {
  const parse::Occurrence& at = file.facts.occurrences[index];
  const std::string& name = file.name(at.name);
  if (name.empty() || !is_upper(name.front())) return {};
  if (const std::uint32_t symbol = file.symbol_named_at(at.offset); symbol != kNoIndex) {
    return full_name(resolver, file, symbol);
  }
  switch (at.receiver_kind) {
    case ReceiverKind::kNone:
      break;
    case ReceiverKind::kName: {
      const std::string& before = constant_at(resolver, file, at.receiver);
      return before.empty() ? std::string() : found_in(resolver, type_of(resolver, before), name);
    }
    case ReceiverKind::kOther: {
      // ::A
      return has_constant(resolver, "", name) ? name : std::string();
    }
    default: {
      const RubySelf self = self_at(resolver, file, at.offset);
      return self.type.empty() ? std::string() : found_in(resolver, self.type, name);
    }
  }
  std::string innermost;
  for (std::uint32_t around = file.symbol_at(at.offset); around != kNoIndex;
       around = file.surrounding(around)) {
    const parse::Symbol& type = file.facts.symbols[around];
    // A superclass is named outside of its class.
    const bool is_inside = is_ruby_type(type) && at.offset >= type.body.begin && !type.body.empty();
    if (!is_inside) continue;
    const std::string& full = full_name(resolver, file, around);
    if (innermost.empty()) innermost = full;
    if (has_constant(resolver, full, name)) return joined(full, name);
  }
  if (!innermost.empty()) {
    std::string above = found_in(resolver, innermost, name);
    if (!above.empty()) return above;
  }
  const bool is_of_ruby = semantics_of(file.family).library().has("constants", name);
  return !is_of_ruby && has_constant(resolver, "", name) ? name : std::string();
}

std::string RubyTypes::type_of(Resolver& resolver, const std::string& path, int depth) {
  if (path.empty() || depth > kMaxRubyAliases) return path;
  for (const Entity& declared : declarations(resolver, path)) {
    const parse::Symbol& symbol = symbol_of(declared);
    if (is_ruby_type(symbol)) return path;
    // A = B
    if (symbol.term == kNoIndex) continue;
    const parse::Term& term = declared.file->facts.terms[symbol.term];
    if (term.kind != parse::TermKind::kName) continue;
    const std::string& other = constant_at(resolver, *declared.file, term.at);
    if (!other.empty() && other != path) return type_of(resolver, other, depth + 1);
  }
  return path;
}

const Entities& RubyTypes::openings(Resolver& resolver, const std::string& path) {
  const auto [at, is_new] = openings_.try_emplace(path);
  if (!is_new) return at->second;
  const std::size_t dot = path.rfind('.');
  const bool is_inner = dot != std::string::npos;
  const std::string name = path.substr(is_inner ? dot + 1 : 0);
  // First declarations in a file of their name, then sources before tests.
  std::vector<std::pair<int, const store::SymbolRow*>> ranked;
  for (const store::SymbolRow* row :
       rows_in(resolver, name, is_inner ? path.substr(0, dot) : std::string())) {
    if (!is_ruby_type_row(*row)) continue;
    const store::FileRow* file = resolver.files().find(store::file_of(row->id));
    if (file == nullptr) continue;
    const bool is_its_file = plain_ruby_name(file_stem(file->path)) == plain_ruby_name(name);
    ranked.emplace_back((is_test_path(file->path) ? 2 : 0) + (is_its_file ? 0 : 1), row);
  }
  std::ranges::stable_sort(ranked, {}, [](const auto& each) { return each.first; });
  if (ranked.size() > kMaxOpenings) ranked.resize(kMaxOpenings);
  Entities found;
  for (const auto& [rank, row] : ranked) {
    if (const auto entity = resolver.symbol(row->id)) add(found, *entity);
  }
  return openings_[path] = std::move(found);
}

const Entities& RubyTypes::declarations(Resolver& resolver, const std::string& path) {
  const auto [at, is_new] = declarations_.try_emplace(path);
  if (!is_new) return at->second;
  Entities found;
  if (const Entities& types = openings(resolver, path); !types.empty()) {
    found.push_back(types.front());
  } else {
    const std::size_t dot = path.rfind('.');
    const bool is_inner = dot != std::string::npos;
    for (const store::SymbolRow* row : rows_in(resolver, path.substr(is_inner ? dot + 1 : 0),
                                               is_inner ? path.substr(0, dot) : std::string())) {
      if (!is_constant_row(*row) || found.size() > kMaxBelow) continue;
      if (const auto entity = resolver.symbol(row->id)) add(found, *entity);
    }
  }
  return declarations_[path] = std::move(found);
}

// The class or module that occurrence `index` names as one above. What a class of a gem, or Ruby's
// own, has may be added to where the repository opens it again.
std::string RubyTypes::type_above(Resolver& resolver, const FileModel& file, std::uint32_t index,
                                  bool* is_open) {
  std::string path = type_of(resolver, constant_at(resolver, file, index));
  if (!path.empty()) return path;
  *is_open = true;
  const parse::Occurrence* at = &file.facts.occurrences[index];
  path = file.name(at->name);
  for (std::size_t depth = 0; depth < kMaxArguments; ++depth) {
    if (at->receiver_kind != ReceiverKind::kName) break;
    at = &file.facts.occurrences[at->receiver];
    path.insert(0, file.name(at->name) + ".");
  }
  return openings(resolver, path).empty() ? std::string() : path;
}

void RubyTypes::add_parts(Resolver& resolver, const std::string& type) {
  Parts parts;
  const Entities all = openings(resolver, type);
  for (const Entity& opening : all) {
    const FileModel& file = *opening.file;
    for (const parse::Heritage* heritage : file.heritage_of(opening.index)) {
      const std::uint32_t offset = file.facts.occurrences[heritage->occurrence].offset;
      const std::string path = type_above(resolver, file, heritage->occurrence, &parts.is_open);
      const parse::Symbol& symbol = symbol_of(opening);
      if (symbol.body.empty() || offset < symbol.body.begin) {
        if (!path.empty() && path != type) parts.superclasses.push_back(path);
        continue;
      }
      const std::string_view call = call_around(file, heritage->occurrence);
      const std::uint32_t scope = file.scope_at(offset);
      const bool is_of_type =
          call == "extend" ||
          (scope != kNoIndex && file.facts.scopes[scope].kind == ScopeKind::kClass &&
           file.facts.scopes[scope].symbol == kNoIndex);
      if (!path.empty() && path != type) {
        auto& list = is_of_type          ? parts.extended
                     : call == "prepend" ? parts.prepended
                                         : parts.included;
        list.push_back(path);
      }
    }
    const store::SymbolRow* row = resolver.row_of(file, opening.index);
    const bool is_module = row != nullptr && row->kind == "module";
    // extend self, module_function: the module also has its instance members.
    for (const std::string_view word : {"module_function", "extend"}) {
      parts.extends_itself = parts.extends_itself || (is_module && file.find_name(word));
    }
  }
  parts_[type] = std::move(parts);
}

const RubyOrder& RubyTypes::order(Resolver& resolver, const std::string& type, RubySide side) {
  const auto [at, is_new] = orders_.try_emplace({type, side});
  if (!is_new) return at->second;
  at->second.steps.push_back({type, side});  // meanwhile
  const Resolver::RecursionGuard step(resolver);
  if (type.empty() || step.over_limit()) return at->second;
  if (!parts_.contains(type)) {
    parts_[type];
    add_parts(resolver, type);
  }
  const Parts parts = parts_[type];
  RubyOrder made;
  made.is_open = parts.is_open;
  const auto add_step = [&](const RubyStep& each) {
    const bool is_known = std::ranges::find(made.steps, each) != made.steps.end();
    if (!is_known && made.steps.size() < kMaxResolutionOrder) made.steps.push_back(each);
  };
  const auto add_order = [&](const std::string& other, RubySide other_side) {
    const RubyOrder above = order(resolver, other, other_side);
    made.is_open = made.is_open || above.is_open;
    for (const RubyStep& each : above.steps) add_step(each);
  };
  if (side == RubySide::kInstance) {
    for (auto name = parts.prepended.rbegin(); name != parts.prepended.rend(); ++name) {
      add_order(*name, side);
    }
    add_step({type, side});
    for (auto name = parts.included.rbegin(); name != parts.included.rend(); ++name) {
      add_order(*name, side);
    }
  } else {
    add_step({type, RubySide::kType});
    for (auto name = parts.extended.rbegin(); name != parts.extended.rend(); ++name) {
      add_order(*name, RubySide::kInstance);
    }
    // The members that a module gives to classes that include it.
    for (const auto* list : {&parts.included, &parts.prepended}) {
      for (const std::string& name : *list) {
        const RubyOrder above = order(resolver, name, RubySide::kInstance);
        made.is_open = made.is_open || above.is_open;
        for (const RubyStep& each : above.steps) {
          add_step({each.type, RubySide::kGiven});
          const std::string given = each.type + ".ClassMethods";
          if (has_constant(resolver, each.type, "ClassMethods")) {
            add_order(given, RubySide::kInstance);
          }
        }
      }
    }
    if (parts.extends_itself) add_order(type, RubySide::kInstance);
  }
  for (const std::string& name : parts.superclasses) add_order(name, side);
  return orders_[{type, side}] = std::move(made);
}

Entities RubyTypes::own_members(Resolver& resolver, const RubyStep& step, const RubyAsked& asked) {
  Entities found;
  for (const store::SymbolRow* row : rows_in(resolver, asked.name, step.type)) {
    if (!is_asked_row(*row, asked)) continue;
    const auto member = resolver.symbol(row->id);
    if (member && side_of(*member->file, member->index, *row) == step.side) add(found, *member);
    if (found.size() > kMaxAlternatives) break;
  }
  // A method that is written takes the place of an attribute's.
  const auto is_attribute = [](const Entity& each) { return !is_callable(symbol_of(each)); };
  if (!std::ranges::all_of(found, is_attribute)) std::erase_if(found, is_attribute);
  return found;
}

Entities RubyTypes::members(Resolver& resolver, const std::string& type, RubySide side,
                            const RubyAsked& asked, std::size_t first) {
  const std::vector<RubyStep> steps = order(resolver, type, side).steps;
  for (std::size_t i = first; i < steps.size(); ++i) {
    Entities found = own_members(resolver, steps[i], asked);
    if (!found.empty()) return found;
  }
  return {};
}

bool RubyTypes::is_below(Resolver& resolver, const std::string& type, const std::string& wanted) {
  if (type == wanted) return false;
  return std::ranges::any_of(order(resolver, type, RubySide::kInstance).steps,
                             [&](const RubyStep& step) { return step.type == wanted; });
}

Entities RubyTypes::members_below(Resolver& resolver, const std::string& type, RubySide side,
                                  const RubyAsked& asked) {
  Entities found;
  const auto& rows = resolver.symbol_rows(family_of("ruby"), asked.name);
  if (rows.size() > kMaxBelow || type.empty()) return found;
  for (const store::SymbolRow& row : rows) {
    if (!is_asked_row(row, asked) || row.container.empty()) continue;
    if (!is_below(resolver, row.container, type)) continue;
    const auto member = resolver.symbol(row.id);
    if (member && side_of(*member->file, member->index, row) == side) add(found, *member);
  }
  return found;
}

// The classes and modules that include or extend a type, by their own words.
const std::vector<std::string>& RubyTypes::includers(Resolver& resolver, const std::string& type) {
  const auto [at, is_new] = includers_.try_emplace(type);
  if (!is_new) return at->second;
  const std::string name = type.substr(type.rfind('.') + 1);  // (npos + 1 is 0)
  std::vector<std::string> found;
  std::size_t files = 0;
  for (const store::FileId id : resolver.files_naming(family_of("ruby"), name)) {
    if (++files > kMaxIncluders || found.size() > kMaxIncluders) break;
    const FileModel* file = resolver.model(id);
    if (file == nullptr) continue;
    for (const parse::Heritage& heritage : file->facts.heritage) {
      if (file->name(file->facts.occurrences[heritage.occurrence].name) != name) continue;
      if (type_of(resolver, constant_at(resolver, *file, heritage.occurrence)) != type) continue;
      found.push_back(full_name(resolver, *file, heritage.symbol));
    }
  }
  return includers_[type] = std::move(found);
}

Entities RubyTypes::sibling_members(Resolver& resolver, const std::string& type,
                                    const RubyAsked& asked) {
  Entities found;
  for (const std::string& includer : std::vector<std::string>(includers(resolver, type))) {
    add_all(found, members(resolver, includer, RubySide::kInstance, asked));
    if (found.size() > kMaxBelow) break;
  }
  return found;
}

Entities RubyTypes::variables(Resolver& resolver, const std::string& type,
                              const std::string& name) {
  Entities found;
  for (const store::SymbolRow* row : rows_in(resolver, name, type)) {
    if (const auto member = resolver.symbol(row->id)) add(found, *member);
    if (found.size() > kMaxAlternatives) break;
  }
  return found;
}

Entities RubyTypes::variables_below(Resolver& resolver, const std::string& type,
                                    const std::string& name) {
  Entities found;
  const auto& rows = resolver.symbol_rows(family_of("ruby"), name);
  if (rows.size() > kMaxBelow) return found;
  for (const store::SymbolRow& row : rows) {
    if (row.container.empty() || !is_below(resolver, row.container, type)) continue;
    if (const auto member = resolver.symbol(row.id)) add(found, *member);
  }
  return found;
}

// True if `file` loads `other`, directly or indirectly.
bool RubyTypes::requires_file(Resolver& resolver, const FileModel& file, const FileModel& other) {
  const auto [at, is_new] = loaded_.try_emplace(&file);
  if (is_new) {
    std::vector<store::FileId> open = {file.id};
    for (std::size_t i = 0; i < open.size() && open.size() < kMaxLoaded; ++i) {
      for (const store::DependencyRow& row : resolver.dependencies(open[i])) {
        if (row.target && std::ranges::find(open, *row.target) == open.end()) {
          open.push_back(*row.target);
        }
      }
    }
    at->second = std::move(open);
  }
  return std::ranges::find(at->second, other.id) != at->second.end();
}

Entities RubyTypes::functions(Resolver& resolver, const FileModel& file, std::uint32_t offset,
                              const std::string& name) {
  Entities own;
  Entities others;
  for (const store::SymbolRow* row : rows_in(resolver, name, "")) {
    if (row->type != SymbolType::kFunction && row->type != SymbolType::kMethod) continue;
    const auto member = resolver.symbol(row->id);
    if (!member) continue;
    add(member->file == &file ? own : others, *member);
  }
  for (std::uint32_t scope = own.size() > 1 ? file.scope_at(offset) : kNoIndex; scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    Entities inner;
    for (const Entity& each : own) {
      if (scope_of_function(file, each.index) == scope) inner.push_back(each);
    }
    if (!inner.empty()) return inner;
  }
  if (!own.empty()) return own;
  const auto is_elsewhere = [&](const Entity& other) { return other.file != others.front().file; };
  if (others.empty() || std::ranges::any_of(others, is_elsewhere)) return {};
  if (!requires_file(resolver, file, *others.front().file)) return {};
  others.push_back(kUnknownEntity);
  return others;
}

Entities RubyTypes::only_members(Resolver& resolver, const FileModel& file,
                                 const RubyAsked& asked) {
  const bool is_test = is_test_path(file.path);
  const std::string* owner = nullptr;
  Rows candidates;
  for (const store::SymbolRow& row : resolver.symbol_rows(family_of("ruby"), asked.name)) {
    if (!is_asked_row(row, asked) || row.container.empty()) continue;
    const store::FileRow* declaring = resolver.files().find(store::file_of(row.id));
    if (declaring == nullptr || (!is_test && is_test_path(declaring->path))) continue;
    if (owner != nullptr && *owner != row.container) return {};
    owner = &row.container;
    candidates.push_back(&row);
    if (candidates.size() > kMaxBelow) return {};
  }
  Entities found;
  for (const store::SymbolRow* row : candidates) {
    if (const auto member = resolver.symbol(row->id)) add(found, *member);
  }
  return found;
}

}  // namespace codexmem::graph
