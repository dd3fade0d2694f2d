// Rows are only added and removed, and their numbers only rise (AUTOINCREMENT): a new row has a
// greater number than all that were read, and removals are counted in meta; then the table is
// read again.
//
// Tested by tests/memory/recall_test.cpp.
#include "memory/documents/document_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "store/user/document_terms.h"
#include "store/user/documents.h"

namespace codexmem::memory {
namespace {

constexpr std::size_t kManyRows = 10'000;  // whose lengths are read all at once

std::uint16_t clamp_length(std::uint32_t length) {
  return static_cast<std::uint16_t>(
      std::min<std::uint32_t>(length, std::numeric_limits<std::uint16_t>::max()));
}

}  // namespace

const DocumentFacts DocumentTable::kNone = {};

// A table in the making: chunks that it has copied may be written.
struct DocumentTable::Reading {
  DocumentTable& table;
  std::array<std::vector<std::shared_ptr<Chunk>>, 4> own;
  std::unordered_map<std::string, std::uint16_t> types;
  std::vector<DocumentKey> added;

  explicit Reading(DocumentTable& made) : table(made) {
    for (std::size_t i = 0; i < table.types_.size(); ++i) {
      types.emplace(table.types_[i], static_cast<std::uint16_t>(i + 1));
    }
  }

  std::uint16_t type_number(std::string_view type) {
    if (type.empty() || types.size() == std::numeric_limits<std::uint16_t>::max()) return 0;
    const auto [found, is_new] =
        types.emplace(type, static_cast<std::uint16_t>(table.types_.size() + 1));
    if (is_new) table.types_.emplace_back(type);
    return found->second;
  }

  DocumentFacts& slot(DocumentKey key) {
    const auto kind = static_cast<std::size_t>(kind_of(key));
    const auto id = static_cast<std::uint64_t>(id_of(key));
    const auto at = static_cast<std::size_t>(id / kChunk);
    auto& chunks = table.chunks_[kind];
    if (chunks.size() <= at) chunks.resize(at + 1);
    if (own[kind].size() <= at) own[kind].resize(at + 1);
    if (own[kind][at] == nullptr) {
      own[kind][at] =
          chunks[at] == nullptr ? std::make_shared<Chunk>() : std::make_shared<Chunk>(*chunks[at]);
      chunks[at] = own[kind][at];
    }
    return (*own[kind][at])[id % kChunk];
  }

  Result<void> read_rows(store::Database& database, DocumentKind kind, std::int64_t after) {
    return store::visit_documents(database, kind, after, [&](const store::DocumentRow& row) {
      if (row.id < 0) return;
      const DocumentKey key = document_key(kind, row.id);
      slot(key) = {.created_at_ms = row.created_at_ms,
                   .project = static_cast<std::uint32_t>(row.project),
                   .session = static_cast<std::uint32_t>(row.session),
                   .type = type_number(row.type),
                   .length = 0,
                   .exists = true};
      added.push_back(key);
    });
  }

  Result<void> read_lengths(store::Database& database) {
    if (added.size() > kManyRows) {
      return store::visit_document_lengths(database,
                                           [&](std::int64_t document, std::uint32_t terms) {
                                             const auto key = static_cast<DocumentKey>(document);
                                             if (table.facts(key).exists)
                                               slot(key).length = clamp_length(terms);
                                           });
    }
    for (const DocumentKey key : added) {
      CODEXMEM_ASSIGN(const std::uint32_t terms,
                      store::document_length(database, static_cast<std::int64_t>(key)));
      slot(key).length = clamp_length(terms);
    }
    return {};
  }
};

std::optional<std::uint16_t> DocumentTable::find_type(std::string_view type) const {
  const auto found = std::find(types_.begin(), types_.end(), type);
  if (found == types_.end()) return std::nullopt;
  return static_cast<std::uint16_t>(found - types_.begin() + 1);
}

Result<std::shared_ptr<const DocumentTable>> DocumentTable::current(
    store::Database& database, std::shared_ptr<const DocumentTable> previous) {
  CODEXMEM_ASSIGN(const auto state, store::read_document_state(database));
  const bool follows = previous != nullptr && previous->store_ == state.store &&
                       previous->removals_ == state.removals;
  if (follows && previous->last_ == state.last) return previous;
  auto table =
      follows ? std::make_shared<DocumentTable>(*previous) : std::make_shared<DocumentTable>();
  table->store_ = state.store;
  table->removals_ = state.removals;
  Reading reading(*table);
  for (std::size_t kind = 0; kind < 4; ++kind) {
    const std::int64_t after = table->last_[kind];
    if (state.last[kind] <= after) continue;
    CODEXMEM_TRY(reading.read_rows(database, static_cast<DocumentKind>(kind), after));
    table->last_[kind] = state.last[kind];
  }
  CODEXMEM_TRY(reading.read_lengths(database));
  CODEXMEM_ASSIGN(const store::TermTotals totals, store::term_totals(database));
  table->size_ += reading.added.size();
  table->terms_ = totals.terms;
  return std::shared_ptr<const DocumentTable>(std::move(table));
}

}  // namespace codexmem::memory
