// store/user/ingestion.h - what was ingested from documents, as rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

struct IngestionEvent {
  std::string section, section_hash;
  std::optional<EntryId> entry;  // nothing: it was removed since
};
/// What was ingested from the document `source` of a project, oldest first.
Result<std::vector<IngestionEvent>> list_ingestion_events(Database& database,
                                                          std::string_view project,
                                                          std::string_view source);

/// A section that was ingested and that nothing supersedes.
struct RecentSection {
  EntryId id{};
  std::size_t of_document = 0;  // how many such sections its document has
};
/// The newest of each document of a project, newest first: at most `of_each` of one document, and
/// `limit` in all. Only the newest 2,000 entries of the project are looked at, and counted.
Result<std::vector<RecentSection>> list_recent_sections(Database& database,
                                                        std::string_view project,
                                                        std::size_t of_each, std::size_t limit);

/// Adds an event in the project of `event.entry`, even if there is an equal one.
Result<void> add_ingestion_event(Database& database, std::string_view source,
                                 const IngestionEvent& event, std::string_view outcome,
                                 std::int64_t now_ms);

/// Whether the entry `id` is what a section of a document other than `source` is now.
Result<bool> is_ingested_elsewhere(Database& database, EntryId id, std::string_view source);

Result<std::optional<std::string>> find_entry_body(Database& database, EntryId id);

/// Has `id` supersede `older`, and nothing supersede `id`.
Result<void> supersede_entry(Database& database, EntryId id, EntryId older, std::int64_t now_ms);

}  // namespace codexmem::store
