// Types whose parts are written in several places. Tested by golden_test.cpp.
#include "parse/walk/nominal.h"

#include <algorithm>

namespace codexmem::parse {
namespace {

constexpr int kMaxTypeDepth = 6;            // around the name of an embedded type
constexpr std::uint32_t kMaxOwnNames = 16;  // type parameters of a receiver

}  // namespace

void NominalBuilder::reset() {
  waiting_.clear();
  list_ = nullptr;
}

// The last name of a type, without pointers and type arguments.
Node NominalBuilder::name_of(Node type) const {
  for (int depth = 0; depth < kMaxTypeDepth && type; ++depth) {
    if (rules_of(type).is_identifier) return type;
    Node inner = child_by_field(type, fields().name);
    if (!inner) inner = child_by_field(type, fields().type);
    if (!inner && named_child_count(type) == 1) inner = named_child(type, 0);
    type = inner;
  }
  return {};
}

void NominalBuilder::embed(const Node& type, std::uint32_t symbol) {
  const Node name = type ? name_of(type) : Node{};
  if (!name || symbol == kNoIndex) return;
  const TermId term = nodes_.type_term(type);
  const bool has_arguments = term != kNoIndex && facts_.terms[term].part_count > 0;
  waiting_.push_back({range_of(name).begin, symbol, has_arguments ? term : kNoIndex, true});
}

void NominalBuilder::belong(const Node& type, const Node& list, std::uint32_t symbol) {
  const Node name = type ? name_of(type) : Node{};
  if (!name || symbol == kNoIndex) return;
  waiting_.push_back({range_of(name).begin, symbol, kNoIndex, false});
  if (!list) return;
  std::uint32_t position = 0;
  source_.each_child(list, kMaxOwnNames, [&](const Node& child, const KindRules&) {
    const std::uint32_t at = position++;
    const Node own = name_of(child);
    if (!own || source_.is_blank(text_of(own))) return;
    const TermId whole = nodes_.type_term(name);
    sink_.add_binding(text_of(own), frames_.scope(), BindingKind::kLocal, kNoIndex,
                      range_of(own).begin, terms_.add(TermKind::kOwnParameter, at, {whole}));
    sink_.announce(range_of(own).begin);
  });
}

void NominalBuilder::extend(const Node& type, const Node& trait) {
  Extension added{.scope = frames_.scope()};
  if (const Node name = name_of(type)) added.type = range_of(name).begin;
  added.type_term = nodes_.type_term(type);
  if (trait) {
    if (const Node name = name_of(trait)) added.trait = range_of(name).begin;
    added.trait_term = nodes_.type_term(trait);
  }
  sink_.add_extension(added);
}

void NominalBuilder::bound(const Node& clause, const Node& name) {
  const NameId id = sink_.id_of(text_of(name));
  for (const std::uint32_t scope : frames_.scopes()) {
    const std::uint32_t binding = sink_.find_binding(scope, id);
    if (binding == PairMap::kAbsent ||
        facts_.bindings[binding].kind != BindingKind::kTypeParameter) {
      continue;
    }
    TermId term = kNoIndex;
    source_.each_child(clause, kMaxOwnNames, [&](const Node& child, const KindRules&) {
      if (child.id != name.id) term = terms_.union_of(term, nodes_.type_term(child));
    });
    sink_.binding(binding).term = term;
  }
}

void NominalBuilder::bind_clause(std::uint32_t index) {
  if (index == 0) return;
  const Node alias = child_by_field(frames_[index - 1].node, fields().alias);
  const Node name = alias ? name_of(alias) : Node{};
  if (!name || source_.is_blank(text_of(name))) return;
  // In a clause with several types, the name keeps the type of the value.
  Node type;
  std::size_t types = 0;
  Cursor cursor(frames_[index].node);
  for (bool more = cursor.goto_first_child(); more && types < 2;
       more = cursor.goto_next_sibling()) {
    if (cursor.field() != fields().type || !rules_of(cursor.node()).is_named) continue;
    type = cursor.node();
    ++types;
  }
  if (types != 1 || text_of(type) == "nil") return;
  const std::uint32_t added =
      sink_.add_binding(text_of(name), frames_.scope(), BindingKind::kLocal, kNoIndex,
                        range_of(name).begin, nodes_.type_term(type));
  sink_.binding(added).seen_from = range_of(type).end;
  sink_.set_annotated(added, true);
}

void NominalBuilder::repeat(const Node& list, Node* type, Node* value) {
  if (*type || *value) {
    list_ = list.id;
    type_ = *type;
    value_ = *value;
  } else if (list_ == list.id) {
    *type = type_;
    *value = value_;
  }
}

void NominalBuilder::meet(std::uint32_t offset, std::uint32_t added) {
  const auto found = std::ranges::find(waiting_, offset, &Waiting::offset);
  if (found == waiting_.end()) return;
  sink_.add_heritage({found->symbol, added, found->term});
  if (found->is_embedded) sink_.occurrence(added).role = Role::kInherit;
  waiting_.erase(found);
}

}  // namespace codexmem::parse
