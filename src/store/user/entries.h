// store/user/entries.h - entries, their metadata and what supersedes what, as rows.
//
// Texts are written and read as they are: memory/entries/entries.h inspects and redacts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/user/records.h"

namespace codexmem::store {

/// An entry to save. memory/entries/entries.h repairs texts and fills in empty ones.
struct NewEntry {
  std::string project = {};  // empty: "default"
  std::string session = {};  // content_session_id; empty: none. An unknown one is started.
  std::string type = {};     // empty: "discovery"
  std::string title = {};    // empty: made from the text
  std::string text = {}, subtitle = {};
  std::vector<std::string> facts = {}, concepts = {}, files_read = {}, files_modified = {};
  std::string source = "manual";  // manual, ingest, observer, import, shared
  std::string source_ref = {};
  std::string metadata = {};                       // the text of a JSON object; empty: {}
  std::optional<std::int64_t> created_at_ms = {};  // imports only; nothing: now
  std::optional<std::int64_t> prompt_number = {};
  std::int64_t discovery_tokens = 0;
  /// Code that is cited by name: paths, and symbols (name, Class.method, path::name).
  std::vector<std::string> cited_files = {}, cited_symbols = {};
};
void visit_fields(FieldsOf<NewEntry> auto& entry, auto&& visit) {
  visit_entry_fields(entry, entry.text, visit);
}

/// Which entries are listed. Filters are ANDed; the values of one filter are ORed.
struct EntryFilter {
  /// Nothing: any.
  std::optional<std::vector<EntryId>> ids = {};
  std::vector<std::string> projects = {};
  std::vector<std::string> types = {};
  std::vector<std::string> concepts = {};  // equal to one of the entry's
  std::vector<std::string> files = {};     // part of a path that was read or modified, in any case
  bool only_saved = false;    // by hand: neither observed, nor ingested, nor imported as such
  bool only_current = false;  // nothing supersedes it
  bool no_sections = false;   // none that was ingested from a document
  bool oldest_first = false;  // by (created_at_ms, id)
  std::set<DocumentKey> hidden = {};  // these are left out
  std::size_t limit = 20;
  std::size_t offset = 0;
};

Result<std::optional<Entry>> find_stored_entry(Database& database, EntryId id);

/// The entries that pass `filter`, newest first unless it says otherwise.
Result<std::vector<EntryId>> list_entry_ids(Database& database, const EntryFilter& filter);

/// What superseded the entry `id` (of several the newest), and what it supersedes.
Result<Succession> find_succession(Database& database, EntryId id);

struct EntryTime {
  EntryId id{};
  std::int64_t created_at_ms = 0;
};
/// The entry of a project with this hash.
Result<std::optional<EntryTime>> find_same_entry(Database& database, ProjectId project,
                                                 std::string_view content_hash);

/// Adds `entry` with its metadata; of its names `project` and `session` are written instead, and
/// `created_at_ms` must be there.
Result<EntryId> insert_entry(Database& database, const NewEntry& entry, ProjectId project,
                             std::optional<SessionId> session, bool has_own_title,
                             std::string_view content_hash);

/// Entries before `before_ms` (of `project`, or of all) that nothing protects, oldest first:
/// neither pinned, nor of the type "decision", nor shared by a team.
Result<std::vector<EntryTime>> list_aged_entries(Database& database,
                                                 std::optional<ProjectId> project,
                                                 std::int64_t before_ms);
/// The same of `project` from `from_ms` on, without the newest `kept`; newest first.
Result<std::vector<EntryTime>> list_surplus_entries(Database& database, ProjectId project,
                                                    std::int64_t from_ms, std::int64_t kept);

/// Has the member `key` of the metadata of `id` be `value` (JSON), whatever it was.
Result<void> put_metadata(Database& database, EntryId id, std::string_view key,
                          std::string_view value);

/// Removes it, if it is there.
Result<void> remove_metadata(Database& database, EntryId id, std::string_view key);

}  // namespace codexmem::store
