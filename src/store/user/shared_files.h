// store/user/shared_files.h - files of a repository that a team shares, as rows: each with the
// document that it became in this user's store.
//
// What the files mean, and when rows come and go, is memory/transfer/team_memory.h. Design:
// docs/team.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/database.h"
#include "store/fields.h"
#include "store/user/decisions.h"
#include "store/user/records.h"

namespace codexmem::store {

enum class SharedFileId : std::int64_t {};

/// Who committed a file last.
struct SharedOrigin {
  std::string author;     // a name; empty: the file is not committed
  std::string commit_id;  // hexadecimal
  std::int64_t committed_at_ms = 0;

  bool is_known() const { return !commit_id.empty(); }
};

struct SharedFile {
  SharedFileId id{};
  std::string root;                     // of the work tree, absolute
  std::string path;                     // from the root
  std::string project;                  // by name
  std::string stamp;                    // size and time of what was read
  std::string shared_id;                // that the file has; empty: it has none
  std::string status;                   // of a decision, as its file says
  std::vector<std::string> supersedes;  // shared ids
  std::optional<DocumentKey> document;
  bool is_own = false;  // the document outlives the file
  std::string refused;  // why there is no document; empty: there is one
  std::string rival;    // id of the decision that holds in place of this one; empty: none
  SharedOrigin origin;
  std::string head;  // the commit that was checked out when `origin` was looked up
};
void visit_fields(FieldsOf<SharedFile> auto& file, auto&& visit) {
  visit("root", file.root)("path", file.path)("stamp", file.stamp)("shared_id", file.shared_id);
  visit("status", file.status)("supersedes", file.supersedes)("document", file.document);
  visit("is_own", file.is_own)("refused", file.refused, kOrNull)("rival", file.rival, kOrNull);
  visit("author", file.origin.author, kOrNull)("commit_id", file.origin.commit_id, kOrNull);
  visit("head", file.head);
}

/// The files of the work tree at `root`, by path.
Result<std::vector<SharedFile>> list_shared_files(Database& database, std::string_view root);

/// The files of a project, of all its work trees, by root and path.
Result<std::vector<SharedFile>> list_shared_files(Database& database, ProjectId project);

/// Those that became `document`, by root and path.
Result<std::vector<SharedFile>> find_shared_files(Database& database, DocumentKey document);

/// The files of a project with this id, by root and path.
Result<std::vector<SharedFile>> find_shared_files(Database& database, ProjectId project,
                                                  std::string_view shared_id);

/// The work trees that a project has files of.
Result<std::vector<std::string>> list_shared_roots(Database& database, ProjectId project);

/// Ids of decisions that did not come to hold because `document` does, and the one that holds in
/// its place.
Result<std::vector<std::string>> list_rivals(Database& database, DocumentKey document);

/// Adds `file`, or replaces the one with its root and path. `file.project` is not looked at.
Result<void> put_shared_file(Database& database, const SharedFile& file, ProjectId project);

Result<void> remove_shared_file(Database& database, SharedFileId id);

/// Notes that the user has saved the content of `document` himself.
Result<void> keep_shared_document(Database& database, DocumentKey document);

/// Removes `decision` with its history and links.
Result<void> remove_decision(Database& database, DecisionKey key);

/// Notes that the decision `key` superseded `old`.
Result<void> link_decision(Database& database, DecisionKey key, DecisionKey old);

/// Has the decision `key` supersede none.
Result<void> unlink_decision(Database& database, DecisionKey key);

/// True if some decision superseded the decision `key`.
Result<bool> is_superseded(Database& database, DecisionKey key);

/// Has the entry `id` supersede `old`, next to what else it supersedes.
Result<void> link_entry(Database& database, EntryId id, EntryId old, std::int64_t now_ms);

/// Has the entry `id` supersede none.
Result<void> unlink_entry(Database& database, EntryId id);

/// Whether the user wants shared files of `repository` to be read; nothing: not answered.
Result<std::optional<bool>> reads_shared_files(Database& database, std::string_view repository);
/// Whether it is answered for any repository.
Result<bool> has_shared_repositories(Database& database);
Result<void> set_reads_shared_files(Database& database, std::string_view repository, bool reads);

}  // namespace codexmem::store
