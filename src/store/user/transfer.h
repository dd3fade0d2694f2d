// store/user/transfer.h - rows as an export reads them, and as an import adds them.
//
// Readers take the name of a project, empty for all, and call `visit` until it fails. What an
// import adds is left as it is when it is there already, and has its own time. Design:
// docs/how-it-works.md, "Memory".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

struct SessionRecord {
  std::string id, project, platform, status;  // `platform` is empty: none
  std::int64_t started_at_ms = 0;
  std::optional<std::int64_t> completed_at_ms;
};
void visit_fields(FieldsOf<SessionRecord> auto& session, auto&& visit) {
  visit("platform", session.platform, kOrNull)("status", session.status);
  visit("started_at_ms", session.started_at_ms)("completed_at_ms", session.completed_at_ms);
}

struct EntryLink {
  EntryId from{}, to{};
  std::string kind;
  std::int64_t created_at_ms = 0;
};
void visit_fields(FieldsOf<EntryLink> auto& link, auto&& visit) {
  visit("from_id", link.from)("to_id", link.to)("kind", link.kind);
  visit("created_at_ms", link.created_at_ms);
}

/// A section of a document that became an entry, or was found to be one.
struct Ingestion {
  std::string project, source, section, hash;
  EntryId entry{};
  std::string outcome;
  std::int64_t at_ms = 0;
};
void visit_fields(FieldsOf<Ingestion> auto& ingestion, auto&& visit) {
  visit("source_path", ingestion.source)("section", ingestion.section);
  visit("section_hash", ingestion.hash, kBlob)("entry_id", ingestion.entry);
  visit("outcome", ingestion.outcome)("ingested_at_ms", ingestion.at_ms);
}

template <typename... Args>
using RowVisitor = std::function<Result<void>(Args...)>;

Result<void> visit_sessions(Database& database, std::string_view project,
                            const RowVisitor<const SessionRecord&>& visit);
/// The ids of all documents of `kind`, ascending.
Result<void> visit_ids(Database& database, DocumentKind kind, std::string_view project,
                       const RowVisitor<std::int64_t>& visit);
/// All entries, by id; `is_linked` when a link or an ingestion refers to it.
Result<void> visit_entries(
    Database& database, std::string_view project,
    const RowVisitor<EntryId, bool /*has_own_title*/, bool /*is_linked*/>& visit);
Result<void> visit_links(Database& database, std::string_view project,
                         const RowVisitor<const EntryLink&>& visit);
Result<void> visit_ingestions(Database& database, std::string_view project,
                              const RowVisitor<const Ingestion&>& visit);

/// The entries that decisions were made from.
Result<std::set<std::int64_t>> list_evidence(Database& database);

// Writers: false or nothing when it is there already.

Result<bool> import_session(Database& database, const SessionRecord& session, ProjectId project);
/// Equal: of this session with this number.
Result<std::optional<PromptId>> import_prompt(Database& database, SessionId session,
                                              ProjectId project, const Prompt& prompt);
/// Equal: of this session and time, with these texts.
Result<std::optional<SummaryId>> import_summary(Database& database, SessionId session,
                                                ProjectId project, const Summary& summary);
Result<bool> import_link(Database& database, const EntryLink& link);
Result<bool> import_ingestion(Database& database, ProjectId project, const Ingestion& ingestion);

}  // namespace codexmem::store
