// memory/transfer/chroma_rows.h - a document as rows of a Chroma collection, and back. Internal to
// memory.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "embed/chroma.h"
#include "memory/transfer/chroma_mirror.h"
#include "memory/entries/records.h"
#include "store/database.h"

namespace codexmem::memory {

/// The kinds that have copies.
inline constexpr DocumentKind kChromaKinds[] = {DocumentKind::kEntry, DocumentKind::kSummary,
                                                DocumentKind::kPrompt};

/// Its `doc_type`.
std::string chroma_type(DocumentKind kind);

/// The rows of one document.
struct ChromaDocument {
  DocumentKey key{};
  std::string project, collection;
  std::vector<embed::ChromaRow> rows;
  std::vector<std::string> texts;  // of each row: what its vector is made of; empty: it has one
};

/// All but `collection`, with the document's own vector of `model`. Nothing when it is gone or
/// private.
Result<std::optional<ChromaDocument>> read_chroma_document(store::Database& database,
                                                           DocumentKey key, std::string_view model);

/// The document of a row; nothing when it is not ours.
std::optional<ChromaNear> read_chroma_near(const embed::ChromaRecord& hit);

/// What rows must have to be an answer to `request`, or be one of `among` unless it is empty.
std::vector<embed::ChromaCondition> chroma_conditions(const RecallRequest& request,
                                                      std::span<const DocumentKey> among);

}  // namespace codexmem::memory
