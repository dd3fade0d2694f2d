#include "parse/facts/fact_sink.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/text.h"
#include "parse/walk/finish.h"

namespace codexmem::parse {
namespace {

template <typename T>
std::uint32_t append(std::vector<T>& items, T item) {
  items.push_back(std::move(item));
  return static_cast<std::uint32_t>(items.size() - 1);
}

}  // namespace

void FactSink::reset() {
  facts_ = FileFacts{};
  terms_.reset();
  names_.clear();
  bound_.clear();
  members_.clear();
  is_annotated_.clear();
  announced_.clear();
  kept_.clear();
}

void FactSink::add_heritage(const Heritage& added) {
  const std::uint32_t head = facts_.symbols[added.symbol].body.begin;
  auto at = facts_.heritage.end();
  if (head == 0 || facts_.occurrences[added.occurrence].offset < head) {
    facts_.heritage.push_back(added);
    return;
  }
  constexpr int kMaxLookedAt = 64;  // of other types, which the body contains as well
  int steps = 0;
  for (auto other = at; other != facts_.heritage.begin() && steps < kMaxLookedAt; ++steps) {
    --other;
    if (other->symbol != added.symbol) continue;
    if (facts_.occurrences[other->occurrence].offset >= head) break;
    at = other;
  }
  facts_.heritage.insert(at, added);
}

void FactSink::fold_names() {
  const std::size_t count = facts_.occurrences.size();
  std::vector<bool> is_done(names_.texts().size());
  for (std::size_t i = 0; i < count; ++i) {
    const Occurrence& at = facts_.occurrences[i];
    const bool is_variable = at.receiver_kind == ReceiverKind::kNone && at.role != Role::kImport;
    const bool is_folded = at.role == Role::kCall || at.role == Role::kType ||
                           at.role == Role::kInherit || at.role == Role::kImport;
    if (is_variable || !is_folded || is_done[at.name]) continue;
    is_done[at.name] = true;
    const std::string_view name = names_.text_of(at.name);
    if (std::ranges::none_of(name, is_upper)) continue;
    id_of_made(to_lower_ascii(name));
  }
}

std::uint32_t FactSink::add_occurrence(std::string_view name, std::uint32_t offset, Role role,
                                       ReceiverKind receiver_kind, std::uint32_t receiver) {
  const bool needs_receiver =
      receiver_kind == ReceiverKind::kName || receiver_kind == ReceiverKind::kTerm;
  if (needs_receiver && receiver == kNoIndex) receiver_kind = ReceiverKind::kOther;
  return append(facts_.occurrences, {id_of(name), offset, role, receiver_kind, receiver});
}

std::uint32_t FactSink::add_scope(const Scope& scope) { return append(facts_.scopes, scope); }

std::uint32_t FactSink::add_symbol(Symbol symbol, std::string_view name) {
  members_.insert(symbol.parent, id_of(name), static_cast<std::uint32_t>(facts_.symbols.size()));
  return append(facts_.symbols, std::move(symbol));
}

std::uint32_t FactSink::add_binding(std::string_view name, std::uint32_t scope, BindingKind kind,
                                    std::uint32_t target, std::uint32_t offset, TermId term) {
  const NameId id = id_of(name);
  const std::uint32_t index = add_binding(
      {.name = id, .scope = scope, .kind = kind, .target = target, .offset = offset, .term = term});
  bound_.insert(scope, id, index);
  return index;
}

std::uint32_t FactSink::add_binding(const Binding& binding) {
  is_annotated_.push_back(false);
  return append(facts_.bindings, binding);
}

std::uint32_t FactSink::add_import(Import import) {
  return append(facts_.imports, std::move(import));
}

void FactSink::bind_import(std::uint32_t import, std::string_view imported, std::string_view local,
                           std::uint32_t scope, std::uint32_t imported_offset,
                           std::uint32_t local_offset) {
  if (import == kNoIndex) return;
  Import& from = facts_.imports[import];
  from.names.push_back({id_of(imported), id_of(local), imported_offset, from.type_only});
  const std::uint32_t bound = add_binding(local, scope, BindingKind::kImport, import, local_offset);
  facts_.bindings[bound].imported_name = static_cast<std::uint32_t>(from.names.size() - 1);
}

void FactSink::name_import(std::uint32_t import, std::string_view imported, std::uint32_t offset,
                           bool type_only) {
  facts_.imports[import].names.push_back({id_of(imported), kNoIndex, offset, type_only});
}

void FactSink::bind_module(std::uint32_t import, std::string_view local, std::uint32_t scope,
                           std::uint32_t local_offset) {
  if (import == kNoIndex) return;
  bind_import(import, "*", local, scope, facts_.imports[import].range.begin, local_offset);
}

void FactSink::name_all(std::uint32_t import) {
  name_import(import, "*", facts_.imports[import].range.begin, facts_.imports[import].type_only);
}

std::uint32_t FactSink::add_export(Export added, std::string_view exported,
                                   std::string_view local) {
  added.exported = id_of(exported);
  added.local = local.empty() ? kNoIndex : id_of(local);
  return append(facts_.exports, added);
}

std::uint32_t FactSink::add_function() { return append(facts_.functions, Function{}); }

TermId FactSink::add_object(Object object) {
  if (facts_.objects.size() >= kMaxTerms) return kNoIndex;
  return terms_.add(TermKind::kObject, append(facts_.objects, std::move(object)), {});
}

bool FactSink::find_announced(std::uint32_t offset) {
  std::erase_if(announced_, [&](std::uint32_t other) { return other < offset; });
  const auto found = std::ranges::find(announced_, offset);
  if (found == announced_.end()) return false;
  announced_.erase(found);
  return true;
}

void FactSink::end_occurrences() { sort_occurrences(&facts_); }

FileFacts FactSink::finish(Visibility visibility) {
  for (const Symbol& symbol : facts_.symbols) id_of(symbol.name);
  finish_facts(&facts_, names_.texts(), visibility);
  return std::move(facts_);
}

}  // namespace codexmem::parse
