// Finds the values that are converted to an interface. A type of another module would no longer
// implement the interface if a method were renamed, and nothing in the repository says that it
// implements it. A value can be converted where it is passed to a parameter, assigned to a field or
// variable, returned as a result, converted explicitly, or listed. Each place that names the
// interface is one of these or, as an assertion or a part of another type, not understood; the
// types of the values are read from the expressions written there. Cost: the files that name the
// interface, or its parameters, fields and variables.
//
// Tested by git/rename_test.py.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/text.h"
#include "graph/core/code_text.h"
#include "graph/core/resolver.h"
#include "graph/go/go_semantics.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;
using parse::Role;
using parse::TermId;
using parse::TermKind;

struct ConversionMemory final : Resolver::Memory {
  std::unordered_map<const FileModel*, std::string> texts;
  std::map<std::pair<const FileModel*, std::uint32_t>, std::string> known;  // by interface
};

// The parts of `text` between commas outside of brackets and texts.
std::vector<std::string_view> parts_between_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"' || c == '`' || c == '\'') {
      std::size_t end = i + 1;
      while (end < text.size() && text[end] != c) end += text[end] == '\\' && c != '`' ? 2 : 1;
      i = end;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      parts.push_back(trim(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (const auto last = trim(text.substr(std::min(begin, text.size()))); !last.empty()) {
    parts.push_back(last);
  }
  return parts;
}

class ConversionSearch {
 public:
  ConversionSearch(Resolver& resolver, const FileModel& file, std::uint32_t interface)
      : resolver_(resolver), memory_(resolver.memory<ConversionMemory>()) {
    types_.push_back({EntityKind::kSymbol, &file, interface});
  }

  // The first place where a value of a type from outside the repository may be converted to the
  // interface; empty without one.
  std::string run() {
    for (std::size_t i = 0; i < types_.size() && doubt_.empty(); ++i) {
      for_uses(types_[i],
               [&](const FileModel& file, std::uint32_t index) { look_at_type(file, index); });
    }
    for (std::size_t i = 0; i < takers_.size() && doubt_.empty(); ++i) look_at_taker(takers_[i]);
    return doubt_;
  }

 private:
  // What takes a value of the interface: a field or variable, a function's parameter number `at`.
  struct Taker {
    Entity symbol;
    std::uint32_t at = kNoIndex;
    bool is_rest = false;
  };

  const std::string& text_of(const FileModel& file) {
    const auto [text, is_new] = memory_.texts.try_emplace(&file);
    if (is_new) text->second = resolver_.text_of(file.id).value_or("");
    return text->second;
  }

  template <typename Visit>
  void for_uses(const Entity& meant, Visit visit) {
    const std::string& name = symbol_of(meant).name;
    for (const store::FileId id : resolver_.files_naming(meant.file->family, name)) {
      const FileModel* file = resolver_.model(id);
      const auto known = file == nullptr ? std::nullopt : file->find_name(name);
      if (!known) continue;
      for (const std::uint32_t index : file->occurrences_of(*known)) {
        if (!doubt_.empty()) return;
        const std::uint32_t offset = file->facts.occurrences[index].offset;
        if (file->symbol_named_at(offset) != kNoIndex || file->is_documentation(offset)) continue;
        const Entities found = resolver_.resolve(*file, index);
        if (std::ranges::any_of(found, [&](const Entity& entity) {
              return entity.is_same(meant) || entity.kind == EntityKind::kUnknown;
            })) {
          visit(*file, index);
        }
      }
    }
  }

  void doubt(const FileModel& file, std::uint32_t offset) {
    const std::string_view before = std::string_view(text_of(file)).substr(0, offset);
    const auto line = std::ranges::count(before, '\n') + 1;
    doubt_ =
        fmt::format("a type outside of the repository may be given for its interface: see {}:{}",
                    file.path, line);
  }

  void add_taker(const Entity& symbol, std::uint32_t at = kNoIndex, bool is_rest = false) {
    const bool is_known = std::ranges::any_of(takers_, [&](const Taker& taker) {
      return taker.symbol.is_same(symbol) && taker.at == at;
    });
    if (!is_known) takers_.push_back({symbol, at, is_rest});
  }

  static bool is_type_at(const FileModel& file, TermId term, std::uint32_t index) {
    return term != kNoIndex && file.facts.terms[term].kind == TermKind::kType &&
           file.facts.terms[term].at == index;
  }

  // A place that names the interface.
  void look_at_type(const FileModel& file, std::uint32_t index) {
    const auto& facts = file.facts;
    const parse::Occurrence& at = facts.occurrences[index];
    const std::string_view text = text_of(file);
    const std::string_view after =
        without_blanks(text.substr(at.offset + file.name(at.name).size()));
    if (at.role == Role::kInherit) return look_at_embedding(file, index);
    // v.(Interface), case Interface: the value may come from anywhere.
    const std::string_view until = text.substr(0, at.offset);
    const std::string_view line = trim(until.substr(until.rfind('\n') + 1));
    if (first_word(line) == "case" || line.find(".(") != std::string_view::npos) {
      return doubt(file, at.offset);
    }
    for (std::uint32_t function = 0; function < facts.functions.size(); ++function) {
      if (look_at_function(file, function, index)) return;
    }
    for (std::uint32_t symbol = 0; symbol < facts.symbols.size(); ++symbol) {
      if (!is_type_at(file, facts.symbols[symbol].term, index)) continue;
      add_taker({EntityKind::kSymbol, &file, symbol});
      return check_initial(file, after);
    }
    for (std::uint32_t binding = 0; binding < facts.bindings.size(); ++binding) {
      if (!is_type_at(file, facts.bindings[binding].term, index)) continue;
      return look_at_local(file, binding, after);
    }
    if (until.ends_with(']') && after.starts_with('{')) return check_listed(file, after);
    // var _ Interface = value
    if (begins_assignment(after)) return check_initial(file, after);
    if (after.starts_with('(') && !until.ends_with('.') && at.role != Role::kDefinition) {
      return check(file, bracketed(after).inside);  // a conversion
    }
    if (until.ends_with(") ")) {  // func() Interface { ... }, which the facts leave out
      const ByteRange body = literal_body(file, kNoIndex, index);
      if (!body.empty()) return check_results(file, body, 0, 1);
    }
    doubt(file, at.offset);
  }

  // []Interface{a, b}, map[string]Interface{"a": a}
  void check_listed(const FileModel& file, std::string_view after) {
    for (std::string_view value : parts_between_commas(bracketed(after).inside)) {
      const std::size_t colon = value.find(':');
      if (colon != std::string_view::npos) value.remove_prefix(colon + 1);
      check(file, value);
    }
  }

  // An interface that embeds it is one too; a struct has a field of its name.
  void look_at_embedding(const FileModel& file, std::uint32_t index) {
    for (const parse::Heritage& heritage : file.facts.heritage) {
      if (heritage.occurrence != index) continue;
      const Entity type{EntityKind::kSymbol, &file, heritage.symbol};
      if (symbol_of(type).type != SymbolType::kInterface) break;
      if (std::ranges::none_of(types_, [&](const Entity& known) { return known.is_same(type); })) {
        types_.push_back(type);
      }
      return;
    }
    doubt(file, file.facts.occurrences[index].offset);
  }

  // True if the interface at `index` is a parameter's or result's of the function.
  bool look_at_function(const FileModel& file, std::uint32_t function, std::uint32_t index) {
    const auto& facts = file.facts;
    const parse::Function& at = facts.functions[function];
    const auto owner = std::ranges::find_if(facts.symbols, [&](const parse::Symbol& symbol) {
      return symbol.term != kNoIndex && facts.terms[symbol.term].kind == TermKind::kFunction &&
             facts.terms[symbol.term].at == function;
    });
    const auto symbol = static_cast<std::uint32_t>(owner - facts.symbols.begin());
    for (std::uint32_t i = 0; i < at.parameters.size(); ++i) {
      const parse::Parameter& parameter = at.parameters[i];
      TermId term = parameter.term;
      if (parameter.is_rest && term != kNoIndex && facts.terms[term].kind == TermKind::kArray) {
        const auto parts = file.parts_of(facts.terms[term]);
        if (parts.size() == 1) term = parts[0];
      }
      if (!is_type_at(file, term, index)) continue;
      if (owner == facts.symbols.end()) {
        look_at_unnamed(file, function, index, i);
      } else {
        add_taker({EntityKind::kSymbol, &file, symbol}, i, parameter.is_rest);
      }
      return true;
    }
    if (at.result == kNoIndex) return false;
    std::size_t number = 0, count = 1;
    if (facts.terms[at.result].kind == TermKind::kTuple) {
      const auto parts = file.parts_of(facts.terms[at.result]);
      count = parts.size();
      while (number < count && !is_type_at(file, parts[number], index)) ++number;
      if (number == count) return false;
    } else if (!is_type_at(file, at.result, index)) {
      return false;
    }
    // (What a type of functions says of its results, the functions say themselves.)
    const ByteRange body =
        owner == facts.symbols.end() ? literal_body(file, at.result, index) : owner->body;
    check_results(file, body, number, count);
    return true;
  }

  // A function that is written where it is given is called by who takes it, by a name for it. Who
  // takes one has such a type too, and its calls are looked at.
  void look_at_unnamed(const FileModel& file, std::uint32_t function, std::uint32_t index,
                       std::uint32_t at) {
    const auto& facts = file.facts;
    const std::uint32_t offset = facts.occurrences[index].offset;
    bool is_bound = false;
    for (std::uint32_t binding = 0; binding < facts.bindings.size(); ++binding) {
      const TermId term = facts.bindings[binding].term;
      if (term == kNoIndex || facts.terms[term].kind != TermKind::kFunction ||
          facts.terms[term].at != function) {
        continue;
      }
      is_bound = true;
      for (const std::uint32_t use : file.occurrences_of(facts.bindings[binding].name)) {
        if (facts.occurrences[use].role != Role::kCall) continue;
        const Entities meant = resolver_.resolve(file, use);
        if (std::ranges::any_of(meant, [&](const Entity& entity) {
              return entity.kind == EntityKind::kLocal && entity.index == binding;
            })) {
          look_at_call(file, use, {{}, at, facts.functions[function].parameters[at].is_rest});
        }
      }
    }
    const std::string_view before = std::string_view(text_of(file)).substr(0, offset);
    const std::string_view outside = trim(before.substr(0, before.rfind("func(")));
    const std::uint32_t around = file.symbol_at(offset);
    const bool is_signature = around != kNoIndex && facts.symbols[around].body.empty();
    if (!is_bound && !is_signature && !outside.ends_with('(') && !outside.ends_with(',')) {
      doubt(file, offset);
    }
  }

  // The body of the function without a name whose result `result` has the type at `index`; empty
  // for a type of functions.
  ByteRange literal_body(const FileModel& file, TermId result, std::uint32_t index) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    const std::uint32_t begin = at.offset + static_cast<std::uint32_t>(file.name(at.name).size());
    std::string_view after = without_blanks(std::string_view(text_of(file)).substr(begin));
    if (result != kNoIndex && file.facts.terms[result].kind == TermKind::kTuple) {
      const std::size_t close = after.find(')');
      after = without_blanks(after.substr(std::min(close, after.size() - 1) + 1));
    }
    const std::uint32_t scope = file.scope_at(begin);
    if (!after.starts_with('{') || scope == kNoIndex) return {};
    return {static_cast<std::uint32_t>(after.data() - text_of(file).data()),
            file.facts.scopes[scope].range.end};
  }

  // What a function returns as its result `number` of `count`.
  void check_results(const FileModel& file, ByteRange function, std::size_t number,
                     std::size_t count) {
    const std::string_view body = text_at(text_of(file), function);
    if (body.empty()) return;                      // a method of an interface
    const auto is_own = [&](std::size_t offset) {  // not of a function inside
      std::uint32_t scope = file.scope_at(static_cast<std::uint32_t>(offset));
      while (scope != kNoIndex && file.facts.scopes[scope].kind != parse::ScopeKind::kFunction) {
        scope = file.facts.scopes[scope].parent;
      }
      return scope == kNoIndex || file.facts.scopes[scope].range.begin <= function.begin;
    };
    for (std::size_t at = body.find("return"); at != std::string_view::npos;
         at = body.find("return", at + 1)) {
      if (at > 0 && is_identifier_byte(body[at - 1])) continue;
      if (!is_own(function.begin + at)) continue;
      std::string_view rest = body.substr(at + 6);
      if (!rest.empty() && is_identifier_byte(rest.front())) continue;
      const auto values = parts_between_commas(rest.substr(0, end_of_statement(rest)));
      if (values.size() != count)
        return doubt(file, function.begin + static_cast<std::uint32_t>(at));
      check(file, values[number]);
    }
  }

  // Where the statement ends that begins `text`: at a line's end outside of brackets.
  static std::size_t end_of_statement(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && --depth < 0) return i;
      if ((c == '\n' || c == ';') && depth == 0) return i;
      if (c == '/' && depth == 0 && text.substr(i, 2) == "//") return i;
    }
    return text.size();
  }

  void check_initial(const FileModel& file, std::string_view after) {
    if (!begins_assignment(after)) return;
    check(file, after.substr(1, end_of_statement(after.substr(1))));
  }

  // A local: the values assigned to it.
  void look_at_local(const FileModel& file, std::uint32_t binding, std::string_view after) {
    check_initial(file, after);
    const parse::Binding& bound = file.facts.bindings[binding];
    for (const std::uint32_t index : file.occurrences_of(bound.name)) {
      const Entities meant = resolver_.resolve(file, index);
      if (std::ranges::any_of(meant, [&](const Entity& entity) {
            return entity.kind == EntityKind::kLocal && entity.index == binding;
          })) {
        look_at_written(file, index);
      }
    }
  }

  // x = value, X{field: value}
  void look_at_written(const FileModel& file, std::uint32_t index) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    const std::string_view after = without_blanks(
        std::string_view(text_of(file)).substr(at.offset + file.name(at.name).size()));
    if (at.receiver_kind == parse::ReceiverKind::kKey && after.starts_with(':')) {
      const auto values = parts_between_commas(after.substr(1, end_of_statement(after.substr(1))));
      return values.empty() ? doubt(file, at.offset) : check(file, values.front());
    }
    if (begins_assignment(after)) return check_initial(file, after);
    if (at.role == Role::kWrite) doubt(file, at.offset);
  }

  void look_at_taker(const Taker& taker) {
    if (taker.at != kNoIndex) {
      return for_uses(taker.symbol, [&](const FileModel& file, std::uint32_t index) {
        look_at_call(file, index, taker);
      });
    }
    for_uses(taker.symbol,
             [&](const FileModel& file, std::uint32_t index) { look_at_written(file, index); });
    const std::uint32_t owner = taker.symbol.file->owner_of(taker.symbol.index);
    if (owner == kNoIndex) return;
    // X{value}, without the names of fields.
    for_uses({EntityKind::kSymbol, taker.symbol.file, owner},
             [&](const FileModel& file, std::uint32_t index) {
               const parse::Occurrence& at = file.facts.occurrences[index];
               const std::string_view after =
                   std::string_view(text_of(file)).substr(at.offset + file.name(at.name).size());
               if (!after.starts_with('{')) return;
               const std::string_view inside = without_blanks(after.substr(1));
               if (inside.starts_with('}')) return;
               const std::string_view key = first_word(inside);
               if (key.empty() || !without_blanks(inside.substr(key.size())).starts_with(':')) {
                 doubt(file, at.offset);
               }
             });
  }

  void look_at_call(const FileModel& file, std::uint32_t index, const Taker& taker) {
    const parse::Occurrence& at = file.facts.occurrences[index];
    const std::string_view after =
        std::string_view(text_of(file)).substr(at.offset + file.name(at.name).size());
    if (!after.starts_with('(')) return doubt(file, at.offset);
    const auto arguments = parts_between_commas(bracketed(after).inside);
    if (taker.is_rest) {
      for (std::size_t i = taker.at; i < arguments.size(); ++i) check(file, arguments[i]);
      return;
    }
    if (taker.at >= arguments.size()) return doubt(file, at.offset);
    check(file, arguments[taker.at]);
  }

  // The value that an expression has must be of a type of the repository.
  void check(const FileModel& file, std::string_view expression) {
    expression = trim(expression);
    if (!doubt_.empty() || expression == "nil") return;
    const auto offset = static_cast<std::uint32_t>(expression.data() - text_of(file).data());
    const Entities values = values_of(file, expression);
    const bool is_ours = !values.empty() && std::ranges::all_of(values, [](const Entity& value) {
      return is_known(value) && (is_instance(value) || value.kind == EntityKind::kSymbol) &&
             is_type_like(symbol_of(value));
    });
    if (!is_ours || !have_own_methods(values)) doubt(file, offset);
  }

  // True if the methods of the interface are of the repository too: not of what a value's type
  // embeds.
  bool have_own_methods(const Entities& values) {
    for (const std::uint32_t method : types_.front().file->all_members(types_.front().index)) {
      const std::string& name = types_.front().file->facts.symbols[method].name;
      for (const Entity& value : values) {
        const Entities found =
            resolver_.members({{EntityKind::kInstance, value.file, value.index}}, name);
        if (found.empty() || !std::ranges::all_of(found, [](const Entity& member) {
              return member.kind == EntityKind::kSymbol && is_known(member);
            })) {
          return false;
        }
      }
    }
    return true;
  }

  // What T{}, &T{}, (*T)(nil), f(), a.b, a.b() give; unknown for what else may be written.
  Entities values_of(const FileModel& file, std::string_view expression) {
    const Entities unknown = {kUnknownEntity};
    while (expression.starts_with('&') || expression.starts_with('*')) expression.remove_prefix(1);
    if (expression.starts_with("(*")) {
      const Bracketed type = bracketed(expression);
      if (!type.behind.starts_with("(nil)")) return unknown;
      return type_at(file, without_blanks(type.inside.substr(1)));
    }
    Entities values = unknown;
    std::string_view rest = expression;
    while (true) {
      const std::string_view word = first_word(rest);
      const auto offset = static_cast<std::uint32_t>(word.data() - text_of(file).data());
      const std::uint32_t index = word.empty() ? kNoIndex : file.occurrence_at(offset);
      if (index == kNoIndex) return unknown;
      rest.remove_prefix(word.size());
      const Entities meant = resolver_.resolve(file, index);
      if (rest.starts_with('{')) {
        values = meant;
        rest = bracketed(rest).behind;
      } else if (rest.starts_with('(')) {
        values = resolver_.call_results(meant);
        const bool is_type = !meant.empty() && std::ranges::all_of(meant, [](const Entity& each) {
          return each.kind == EntityKind::kSymbol && is_type_like(symbol_of(each));
        });
        if (is_type) values = meant;
        rest = bracketed(rest).behind;
      } else {
        values = resolver_.values_at(file, index);
      }
      if (!rest.starts_with('.')) break;
      rest.remove_prefix(1);
    }
    return trim(rest).empty() ? values : unknown;
  }

  // The type that `text`, a name with its package, names.
  Entities type_at(const FileModel& file, std::string_view text) {
    const std::string_view word = last_word(text);
    const auto offset = static_cast<std::uint32_t>(word.data() - text_of(file).data());
    const std::uint32_t index = word.empty() ? kNoIndex : file.occurrence_at(offset);
    return index == kNoIndex ? Entities{kUnknownEntity} : resolver_.resolve(file, index);
  }

  Resolver& resolver_;
  ConversionMemory& memory_;
  std::vector<Entity> types_;  // the interface, and those that embed it
  std::vector<Taker> takers_;
  std::string doubt_;
};

}  // namespace

std::string GoSemantics::tied_outside(Resolver& resolver, const FileModel& file,
                                      std::uint32_t symbol) const {
  const std::uint32_t owner = file.owner_of(symbol);
  const char first = file.facts.symbols[symbol].name.front();
  // (No other package can have a method with a small first letter.)
  if (owner == kNoIndex || file.facts.symbols[owner].type != SymbolType::kInterface ||
      (first >= 'a' && first <= 'z') || first == '_') {
    return {};
  }
  auto& known = resolver.memory<ConversionMemory>().known;
  if (const auto at = known.find({&file, owner}); at != known.end()) return at->second;
  std::string why = ConversionSearch(resolver, file, owner).run();
  return known[{&file, owner}] = std::move(why);
}

}  // namespace codexmem::graph
