#include "parse/walk/assignments.h"

#include <algorithm>
#include <utility>

namespace codexmem::parse {
namespace {

constexpr std::size_t kMaxAssigned = 4;  // values of one variable that are kept

}  // namespace

void Assignments::reset() {
  attributes_.clear();
  assigned_.clear();
  later_terms_.clear();
}

void Assignments::add(std::uint32_t scope, NameId name, TermId term) {
  if (term != kNoIndex) assigned_.push_back({scope, name, term});
}

void Assignments::add_to_symbol(std::uint32_t symbol, TermId term) {
  later_terms_.push_back({true, symbol, term, false});
}

void Assignments::add_to_binding(std::uint32_t known, TermId term) {
  if (term == kNoIndex || sink_.is_annotated(known)) return;
  const Binding& binding = facts_.bindings[known];
  switch (binding.kind) {
    case BindingKind::kSymbol: {
      const SymbolType type = facts_.symbols[binding.target].type;
      if (type != SymbolType::kVariable && type != SymbolType::kProperty) return;
      return add_to_symbol(binding.target, term);
    }
    case BindingKind::kLocal:
    case BindingKind::kParameter:
      later_terms_.push_back({false, known, term, false});
      return;
    case BindingKind::kGlobal:
      return add(0, binding.name, term);
    case BindingKind::kNonlocal:
      return add(facts_.scopes[binding.scope].parent, binding.name, term);
    default:
      return;
  }
}

bool Assignments::has_known_value(std::uint32_t owner, std::string_view name) const {
  return std::ranges::any_of(attributes_, [&](const Attribute& attribute) {
    return attribute.has_known_value && attribute.owner == owner && attribute.name == name;
  });
}

void Assignments::finish() {
  finish_attributes();
  finish_names();
  finish_terms();
}

// The first assignment declares the attribute unless the class does; the values of all assignments
// count.
void Assignments::finish_attributes() {
  const std::size_t declared = facts_.symbols.size();
  for (const Attribute& attribute : attributes_) {
    std::uint32_t known = sink_.find_member(attribute.owner, sink_.id_of(attribute.name));
    const bool is_new = known == PairMap::kAbsent;
    // (Languages that declare fields do not declare them by assignment.)
    if (is_new && source_.rules().folds_names()) continue;
    if (is_new) known = declare(attribute);
    if (attribute.name.starts_with('@')) {
      // attr_reader :name returns the value of @name.
      const std::uint32_t read =
          sink_.find_member(attribute.owner, sink_.id_of(attribute.name.substr(1)));
      if (read != PairMap::kAbsent && facts_.symbols[read].kind == "attribute") {
        add_to_symbol(read, attribute.term);
      }
    }
    if (attribute.is_annotated) later_terms_.push_back({true, known, attribute.term, true});
    if (is_new || attribute.is_annotated) continue;
    // A declaration without type or value takes its value from assignments.
    const Symbol& symbol = facts_.symbols[known];
    const bool is_open =
        known >= declared ||
        (symbol.term == kNoIndex &&
         (symbol.kind == "attribute" || symbol.kind == "field" || symbol.kind == "property"));
    if (is_open && attribute.term != kNoIndex) add_to_symbol(known, attribute.term);
  }
}

std::uint32_t Assignments::declare(const Attribute& attribute) {
  const Symbol& owner = facts_.symbols[attribute.owner];
  Symbol symbol;
  symbol.name = attribute.name;
  symbol.type = attribute.is_function ? SymbolType::kMethod : SymbolType::kProperty;
  symbol.kind = attribute.is_function ? "method" : "attribute";
  symbol.qualified_name = owner.qualified_name + "." + symbol.name;
  symbol.parent = attribute.owner;
  symbol.range = attribute.range;
  symbol.name_range = attribute.name_range;
  symbol.term = attribute.term;
  const std::string_view text = source_.text_of(attribute.range);
  const std::size_t line = std::min(text.find_first_of("\r\n"), text.size());
  symbol.signature = {attribute.range.begin,
                      attribute.range.begin + static_cast<std::uint32_t>(line)};
  symbol.exported =
      owner.exported && !symbol.name.starts_with('_') && !symbol.name.starts_with('#');
  const auto found = std::ranges::lower_bound(facts_.occurrences, attribute.name_range.begin, {},
                                              &Occurrence::offset);
  if (found != facts_.occurrences.end() && found->offset == attribute.name_range.begin) {
    sink_.occurrence(static_cast<std::uint32_t>(found - facts_.occurrences.begin())).role =
        Role::kDefinition;
  }
  return sink_.add_symbol(std::move(symbol), attribute.name);
}

// Adds each assigned value to its variable, which may be declared later or around the enclosing
// function.
void Assignments::finish_names() {
  for (std::size_t i = 0; i < assigned_.size(); ++i) {
    const Assigned at = assigned_[i];
    for (std::uint32_t scope = at.scope; scope != kNoIndex; scope = facts_.scopes[scope].parent) {
      if (facts_.scopes[scope].kind == ScopeKind::kClass && scope != at.scope) continue;
      const std::uint32_t binding = sink_.find_binding(scope, at.name);
      if (binding == PairMap::kAbsent) continue;
      add_to_binding(binding, at.term);
      break;
    }
  }
}

// Joins the later values of symbols and bindings with their first value.
void Assignments::finish_terms() {
  std::ranges::stable_sort(later_terms_, [](const LaterTerm& a, const LaterTerm& b) {
    return a.is_symbol != b.is_symbol ? a.is_symbol : a.index < b.index;
  });
  for (std::size_t i = 0; i < later_terms_.size();) {
    const LaterTerm& first = later_terms_[i];
    TermId& term =
        first.is_symbol ? sink_.symbol(first.index).term : sink_.binding(first.index).term;
    std::vector<TermId> all;
    TermId annotated = kNoIndex;
    if (term != kNoIndex) all.push_back(term);
    for (; i < later_terms_.size() && later_terms_[i].is_symbol == first.is_symbol &&
           later_terms_[i].index == first.index;
         ++i) {
      if (later_terms_[i].is_annotated) annotated = later_terms_[i].term;
      if (all.size() < kMaxAssigned) all.push_back(later_terms_[i].term);
    }
    term = annotated != kNoIndex ? annotated : sink_.terms().union_of(all);
  }
}

}  // namespace codexmem::parse
