// store/user/timeline.h - documents of each kind in the order of time, as rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

/// Where a document stands among those of its kind.
struct DocumentPlace {
  std::int64_t time_ms = 0, id = 0;
};

/// At most `count` documents of `kind` (of `project`, or of all) on one side of `from`, the nearest
/// first. Walks an index, so it costs the same in a store of any size.
Result<std::vector<DocumentPlace>> list_documents_beside(Database& database, DocumentKind kind,
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

}  // namespace codexmem::store
