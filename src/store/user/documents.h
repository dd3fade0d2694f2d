// store/user/documents.h - documents of every kind (entries, summaries, prompts, decisions), as
// rows that timelines, snapshots and searches read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

/// The place of a document among its kind.
struct DocumentPlace {
  std::int64_t time_ms = 0, id = 0;
};

/// At most `count` documents of `kind` (of `project`, or of all) on one side of `from`, the nearest
/// first. Walks an index, so it costs the same in a store of any size.
Result<std::vector<DocumentPlace>> list_documents_near(Database& database, DocumentKind kind,
                                                       const DocumentPlace& from,
                                                       std::optional<ProjectId> project,
                                                       bool is_before, std::size_t count);

struct DocumentOrigin {
  std::int64_t time_ms = 0;
  ProjectId project{};
};
Result<std::optional<DocumentOrigin>> find_document_origin(Database& database, DocumentKey key);

/// A decision as a timeline shows it.
struct TimelineDecision {
  DecisionKey key{};
  std::string id, project, title, target, status;
  std::int64_t created_at_ms = 0;
};
Result<std::optional<TimelineDecision>> find_stored_timeline_decision(Database& database,
                                                                      DecisionKey key);

/// What changes when the documents of a store do: its name, which no other store has, how many were
/// ever removed, and the greatest id of each kind (0: none).
struct DocumentState {
  std::string store;
  std::int64_t removals = 0;
  std::array<std::int64_t, 4> last = {};
};
Result<DocumentState> read_document_state(Database& database);

struct DocumentRow {
  std::int64_t id = 0, created_at_ms = 0, project = 0, session = 0;  // 0: of no session
  std::string_view type;                                             // of an entry
};
/// Calls `visit` with each document of `kind` whose id is above `after`; private prompts are left
/// out. Texts live until it returns.
Result<void> visit_documents(Database& database, DocumentKind kind, std::int64_t after,
                             const std::function<void(const DocumentRow&)>& visit);

/// JSON arrays; `source` is of an ingested entry: its document and section, "README.md#usage".
struct DocumentLists {
  DocumentKey key{};
  std::string_view concepts, files_read, files_modified, source;
};
/// Calls `visit` with the lists of entries or summaries: of all, or of `among`, which are of
/// `kind`.
Result<void> visit_document_lists(Database& database, DocumentKind kind,
                                  const std::vector<DocumentKey>* among,
                                  const std::function<Result<void>(const DocumentLists&)>& visit);

/// What a search reads of a document that it may show.
struct RecallRow {
  std::string project, type, title, body, speaker;
  std::vector<std::string> files_read, files_modified;
  std::int64_t created_at_ms = 0;
  std::size_t text_chars = 0;
  std::int64_t successor = 0;  // the entry that superseded it; -1: a decision; 0: none
  bool is_ingested = false;
};
/// Nothing when it is gone, or is a private prompt.
Result<std::optional<RecallRow>> find_recall_row(Database& database, DocumentKey key);

struct DocumentText {
  DocumentKey key{};
  std::string text;  // with its title
};
/// The next 64 documents of `kind` above the id `after` that have no vector of `model`, by id.
Result<std::vector<DocumentText>> list_without_vector(Database& database, DocumentKind kind,
                                                      std::int64_t after, std::string_view model);

struct VectorCounts {
  std::int64_t made = 0, missing = 0;
};
Result<VectorCounts> count_document_vectors(Database& database, std::string_view model);

}  // namespace codexmem::store
