// Files are read and prepared before the store is locked; then one transaction drops the gone ones,
// writes the new ones, and settles which decisions hold. Whatever the order in which files come,
// the end is a function of the files alone: statuses are worked out from all of them each time.
//
// Tested by memory/team_memory_test.cpp and team/team_histories.py.
#include "memory/transfer/team_memory.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "memory/entries/citations.h"
#include "memory/decisions/decision_text.h"
#include "memory/transfer/team_folder.h"
#include "memory/transfer/team_settle.h"
#include "privacy/gate.h"
#include "store/user/forget.h"
#include "store/user/projects.h"

namespace codexmem::memory {
namespace fs = std::filesystem;
namespace {

// A changed file, read.
struct IncomingFile {
  SharedCandidate file;
  SharedText text;
  std::string refused;                 // why it is not taken in
  std::optional<PreparedEntry> entry;  // of a memory
  std::string codes;                   // of a decision's vector
  DocumentWriter also_write;           // of a decision
  SharedOrigin origin;
};

void clean(SharedText& shared) {
  for (std::string* text : {&shared.type, &shared.title, &shared.text, &shared.target}) {
    *text = privacy::cleaned(*text);
  }
  for (auto* list : {&shared.concepts, &shared.files, &shared.symbols, &shared.supersedes,
                     &shared.consequences}) {
    *list = privacy::cleaned(*list);
  }
}

Result<void> check_limits(const SharedText& shared) {
  CODEXMEM_TRY(check_size("the heading", shared.title, kMaxTitleBytes));
  CODEXMEM_TRY(check_size("target", shared.target, kMaxTitleBytes));
  CODEXMEM_TRY(check_size("id", shared.id, kMaxNameBytes));
  for (const auto* list : {&shared.concepts, &shared.files, &shared.symbols, &shared.supersedes,
                           &shared.consequences}) {
    CODEXMEM_TRY(check_list("each list", *list));
  }
  return {};
}

bool same_texts(const Decision& decision, const SharedText& shared) {
  const SharedText stored = shared_text_of(decision);
  return stored.title == shared.title && stored.text == shared.text &&
         stored.target == shared.target && stored.consequences == shared.consequences &&
         decision_kind(decision.status) == decision_kind(shared.status);
}

// Whether the entry is what `shared` says.
bool same_texts(const Entry& entry, const SharedText& shared) {
  const SharedText stored = shared_text_of(entry);
  return stored.type == shared.type && stored.title == shared.title && stored.text == shared.text;
}

// The moment of a file without a date is its commit's. A date is a clock's, which may be wrong: a
// file is not newer than its commit, nor than now.
std::int64_t created_at(const IncomingFile& incoming, std::int64_t now_ms) {
  const std::int64_t committed = incoming.origin.committed_at_ms;
  const std::int64_t said = incoming.text.created_at_ms;
  const std::int64_t moment =
      said <= 0 || (committed > 0 && said > committed + kClockSkewMs) ? committed : said;
  return not_later(moment, now_ms);
}

// One run over the files of a work tree.
class TakeIn {
 public:
  TakeIn(Memory& memory, const TeamPlace& place) : memory_(memory), place_(place) {}

  Result<TakenIn> run() {
    SharedListing listing = list_candidates(place_.root);
    candidates_ = std::move(listing.files);
    report_.is_cut = listing.is_cut;
    CODEXMEM_TRY(choose());
    CODEXMEM_ASSIGN(const bool is_current, look());
    if (is_current) return report_;
    for (const SharedCandidate& file : changed_) incoming_.push_back(read(file));
    find_origins();
    for (IncomingFile& one : incoming_) CODEXMEM_TRY(prepare(one));
    CODEXMEM_TRY(write());
    if (report_.added + report_.removed > 0) memory_.note_change();
    return report_;
  }

 private:
  std::string root() const { return place_.root.string(); }

  // Of too many files, keeps those that were read before, and any of the others: a name must not
  // decide, or a member who adds files could push out the rest.
  Result<void> choose() {
    if (candidates_.size() > place_.most_files) {
      report_.is_cut = true;
      CODEXMEM_ASSIGN(auto reader, memory_.store().reader());
      CODEXMEM_ASSIGN(const auto rows, store::list_shared_files(*reader, root()));
      std::set<std::string_view> known;
      for (const SharedFile& row : rows) known.insert(row.path);
      std::ranges::sort(candidates_, {}, [&](const SharedCandidate& file) {
        return std::pair(!known.contains(file.path), sha256_hex(file.path));
      });
      candidates_.resize(place_.most_files);
      std::ranges::sort(candidates_, {}, &SharedCandidate::path);
    }
    report_.files = candidates_.size();
    report_.shared =
        static_cast<std::size_t>(std::ranges::count(candidates_, false, &SharedCandidate::is_adr));
    return {};
  }

  // Which files have changed; true when none has, nor anything else that counts.
  Result<bool> look() {
    CODEXMEM_ASSIGN(auto reader, memory_.store().reader());
    CODEXMEM_ASSIGN(report_.is_on, store::reads_shared_files(*reader, place_.repository));
    if (!report_.is_on.value_or(false)) candidates_.clear();
    CODEXMEM_ASSIGN(const auto rows, store::list_shared_files(*reader, root()));
    std::map<std::string_view, const SharedFile*> known;
    bool is_current = rows.size() == candidates_.size();
    for (const SharedFile& row : rows) {
      known.emplace(row.path, &row);
      if (!row.refused.empty()) ++report_.refused;
      if (row.head != place_.head) is_current = false;
    }
    for (const SharedCandidate& file : candidates_) {
      const auto found = known.find(file.path);
      if (found != known.end() && found->second->stamp == file.stamp &&
          found->second->project == memory_.project()) {
        continue;
      }
      changed_.push_back(file);
      is_current = false;
    }
    CODEXMEM_ASSIGN(const auto project, store::find_project(*reader, memory_.project()));
    if (project) {
      CODEXMEM_ASSIGN(const auto roots, store::list_shared_roots(*reader, *project));
      std::error_code failed;
      for (const std::string& other : roots) {
        if (other != root() && !fs::is_directory(other, failed)) is_current = false;
      }
    }
    return is_current;
  }

  IncomingFile read(const SharedCandidate& file) const {
    IncomingFile incoming;
    incoming.file = file;
    const auto bytes = read_file(place_.root / file.path, kMaxSharedFileBytes);
    if (!bytes.ok()) {
      incoming.refused = bytes.error().code() == ErrorCode::kUnsupported
                             ? fmt::format("it has more than {} kB", kMaxSharedFileBytes >> 10)
                             : "it cannot be read";
      return incoming;
    }
    auto text = file.is_adr ? read_adr(*bytes, file.path) : read_shared_text(*bytes);
    if (!text.ok()) {
      incoming.refused = text.error().message();
      return incoming;
    }
    incoming.text = *std::move(text);
    clean(incoming.text);
    if (const auto checked = check_limits(incoming.text); !checked.ok()) {
      incoming.refused = checked.error().message();
    } else if (const auto safe = inspect_shared(incoming.text); !safe.ok()) {
      incoming.refused = "it holds a secret";
    }
    return incoming;
  }

  // Of the files that changed, or of all when another commit is checked out.
  void find_origins() {
    if (!place_.find_origins) return;
    std::vector<std::string> paths;
    for (const SharedCandidate& file : candidates_) paths.push_back(file.path);
    const auto origins = place_.find_origins(paths);
    for (std::size_t i = 0; i < std::min(paths.size(), origins.size()); ++i) {
      origins_.emplace(paths[i], origins[i]);
    }
    for (IncomingFile& one : incoming_) one.origin = origins_[one.file.path];
  }

  Result<DocumentWriter> cite(const SharedText& shared) const {
    const Mentions mentions{shared.title + "\n" + shared.text, shared.files, shared.symbols};
    if (place_.cite) {
      if (auto writer = place_.cite(mentions); writer.ok()) return writer;
    }
    auto citations = cite_by_name(place_.root, mentions);
    if (citations.empty()) return DocumentWriter();
    return DocumentWriter([citations = std::move(citations), now = memory_.clock()()](
                              store::Database& database, DocumentKey document) {
      return store::put_citations(database, document, citations, now);
    });
  }

  // All that takes time. A file's fault is its own; trouble with the store is an error.
  Result<void> prepare(IncomingFile& incoming) const {
    if (!incoming.refused.empty()) return {};
    const SharedText& shared = incoming.text;
    if (shared.is_decision) {
      CODEXMEM_ASSIGN(incoming.also_write, cite(shared));
      auto codes = memory_.vectors().encode(shared.title, shared.text + "\n" + shared.target);
      if (codes.ok()) incoming.codes = *std::move(codes);
      return {};
    }
    NewEntry entry;
    entry.project = memory_.project();
    entry.type = shared.type;
    entry.title = shared.title;
    entry.text = shared.text;
    entry.concepts = shared.concepts;
    entry.files_read = shared.files;
    entry.source = kSharedSource;
    entry.source_ref = incoming.file.path;
    entry.created_at_ms = created_at(incoming, now());
    auto prepared =
        memory_.entries().prepare(std::move(entry), [&](const NewEntry&) { return cite(shared); });
    if (prepared.ok()) {
      incoming.entry = *std::move(prepared);
      return {};
    }
    incoming.refused = prepared.error().code() == ErrorCode::kBlocked ? "it holds a secret"
                                                                      : prepared.error().message();
    return {};
  }

  Result<void> write() {
    CODEXMEM_ASSIGN(store::UserTransaction writer, memory_.store().begin());
    store::Database& database = *writer;
    CODEXMEM_ASSIGN(project_, store::ensure_project(database, memory_.project(), now()));
    CODEXMEM_TRY(drop_gone(database));
    std::map<std::string, SharedFile, std::less<>> before;
    CODEXMEM_ASSIGN(auto known, store::list_shared_files(database, root()));
    for (SharedFile& row : known) before.emplace(row.path, std::move(row));
    for (const IncomingFile& incoming : incoming_) {
      const auto row = before.find(incoming.file.path);
      CODEXMEM_TRY(put(database, incoming, row == before.end() ? nullptr : &row->second));
    }
    CODEXMEM_TRY(renew_origins(database));
    CODEXMEM_TRY(release_dropped(database));
    CODEXMEM_TRY(settle_shared(database, memory_.project(), project_, now()));
    CODEXMEM_ASSIGN(const auto rows, store::list_shared_files(database, root()));
    report_.refused = static_cast<std::size_t>(
        std::ranges::count_if(rows, [](const SharedFile& row) { return !row.refused.empty(); }));
    return writer.commit();
  }

  std::int64_t now() const { return memory_.clock()(); }

  // Rows of files that are gone, and of work trees that are.
  Result<void> drop_gone(store::Database& database) {
    std::set<std::string_view> there;
    for (const SharedCandidate& file : candidates_) there.insert(file.path);
    std::vector<SharedFile> gone;
    CODEXMEM_ASSIGN(const auto rows, store::list_shared_files(database, root()));
    for (const SharedFile& row : rows) {
      if (!there.contains(row.path)) gone.push_back(row);
    }
    CODEXMEM_ASSIGN(const auto all, store::list_shared_files(database, project_));
    std::map<std::string, bool> roots;
    for (const SharedFile& row : all) {
      if (row.root == root()) continue;
      std::error_code failed;
      const auto [at, is_new] = roots.try_emplace(row.root, false);
      if (is_new) at->second = fs::is_directory(row.root, failed);
      if (!at->second) gone.push_back(row);
    }
    for (const SharedFile& row : gone) {
      CODEXMEM_TRY(store::remove_shared_file(database, row.id));
      dropped_.push_back(row);
    }
    return {};
  }

  // `before` is the row that the file had, or null.
  Result<void> put(store::Database& database, const IncomingFile& incoming,
                   const SharedFile* before) {
    SharedFile row;
    row.root = root();
    row.path = incoming.file.path;
    row.stamp = incoming.file.stamp;
    row.refused = incoming.refused;
    row.origin = incoming.origin;
    row.head = place_.head;
    if (row.refused.empty()) {
      const SharedText& shared = incoming.text;
      row.shared_id = shared.id;
      row.supersedes = shared.supersedes;
      if (shared.is_decision) row.status = status_name(shared.status);
      CODEXMEM_TRY(shared.is_decision ? put_decision(database, incoming, before, row)
                                      : put_entry(database, incoming, row));
      // It may have been his own in another work tree.
      if (row.document) {
        CODEXMEM_ASSIGN(const auto same, store::find_shared_files(database, *row.document));
        row.is_own = row.is_own || std::ranges::any_of(same, &SharedFile::is_own);
      }
    }
    CODEXMEM_TRY(store::put_shared_file(database, row, project_));
    if (before != nullptr && before->document && before->document != row.document) {
      dropped_.push_back(*before);
    }
    return {};
  }

  Result<void> put_entry(store::Database& database, const IncomingFile& incoming, SharedFile& row) {
    // The entry that the member shared is not saved once more, though white space was trimmed.
    CODEXMEM_ASSIGN(const auto known,
                    store::find_shared_files(database, project_, incoming.text.id));
    for (const SharedFile& other : known) {
      if (!other.document || is_decision(*other.document)) continue;
      CODEXMEM_ASSIGN(const auto entry, find_entry(database, entry_of(*other.document)));
      if (!entry || !same_texts(*entry, incoming.text)) continue;
      row.document = other.document;
      return {};
    }
    CODEXMEM_ASSIGN(const SavedEntry saved, memory_.entries().insert(database, *incoming.entry));
    row.document = document_key(saved.id);
    if (!saved.is_duplicate) {
      ++report_.added;
      return {};
    }
    CODEXMEM_ASSIGN(const auto entry, store::find_stored_entry(database, saved.id));
    row.is_own = entry && entry->source != kSharedSource;
    return {};
  }

  // The decision that `shared` has been in this store: by its files, or recorded here.
  Result<std::optional<Decision>> find_known(store::Database& database, const SharedText& shared) {
    CODEXMEM_ASSIGN(const auto known, store::find_shared_files(database, project_, shared.id));
    for (const SharedFile& file : known) {
      if (!file.document || !is_decision(*file.document)) continue;
      const DecisionKey key = decision_of(*file.document);
      CODEXMEM_ASSIGN(auto found, get_decisions(database, std::span(&key, 1)));
      if (!found.empty()) return std::optional(std::move(found.front()));
    }
    for (const std::string& id : {shared.id, own_id(shared.id)}) {
      CODEXMEM_ASSIGN(auto recorded, find_decision(database, id));
      if (recorded && recorded->project == memory_.project()) return recorded;
    }
    return std::optional<Decision>();
  }

  // Ids are of all projects: the id of a decision which another project has, a clone by another
  // name, is followed by the project's number.
  std::string own_id(const std::string& id) const {
    const std::string stem = id.ends_with(".md") ? id.substr(0, id.size() - 3) : id;
    return fmt::format("{}~{}.md", stem, static_cast<std::int64_t>(project_));
  }

  Result<void> put_decision(store::Database& database, const IncomingFile& incoming,
                            const SharedFile* before, SharedFile& row) {
    const SharedText& shared = incoming.text;
    CODEXMEM_ASSIGN(const auto known, find_known(database, shared));
    if (known) {
      const DocumentKey document = document_key(known->key);
      CODEXMEM_ASSIGN(const auto files, store::find_shared_files(database, document));
      // One that was recorded here, and not taken from a file.
      row.is_own = files.empty() || std::ranges::any_of(files, &SharedFile::is_own);
      if (same_texts(*known, shared)) {
        row.document = document;
        return {};
      }
      // A file that was edited says what holds now; what another work tree's says is read again.
      CODEXMEM_TRY(store::remove_decision(database, known->key));
      ++report_.removed;
      for (SharedFile other : files) {
        if (before != nullptr && other.id == before->id) continue;
        other.stamp.clear();
        other.document.reset();
        CODEXMEM_TRY(store::put_shared_file(database, other, project_));
      }
    }
    Decision decision;
    const bool is_late = is_ahead(shared.created_at_ms, now());
    const std::string dated = is_late ? ", dated in the future: the date does not count" : "";
    CODEXMEM_ASSIGN(const auto elsewhere, find_decision(database, shared.id));
    decision.id = elsewhere ? own_id(shared.id) : shared.id;
    decision.project = memory_.project();
    decision.title = shared.title;
    decision.target = shared.target;
    decision.target_key = target_key(shared.target);
    // settle() says which of those on one target is active.
    decision.status =
        shared.status == DecisionStatus::kActive ? DecisionStatus::kSuperseded : shared.status;
    decision.rationale = escape_marker(shared.text);
    decision.consequences = shared.consequences;
    decision.source = shared.source;
    decision.created_at_ms = created_at(incoming, now());
    if (is_proposal(decision.status)) decision.first_observed_at_ms = decision.created_at_ms;
    CODEXMEM_ASSIGN(const DecisionKey key, insert_decision(database, decision, kTeamRole,
                                                           "shared in " + row.path + dated));
    CODEXMEM_TRY(memory_.vectors().put(database, document_key(key), incoming.codes));
    if (incoming.also_write) CODEXMEM_TRY(incoming.also_write(database, document_key(key)));
    row.document = document_key(key);
    ++report_.added;
    return {};
  }

  Result<void> renew_origins(store::Database& database) {
    CODEXMEM_ASSIGN(auto rows, store::list_shared_files(database, root()));
    for (SharedFile& row : rows) {
      const auto found = origins_.find(row.path);
      if (found != origins_.end()) row.origin = found->second;
      row.head = place_.head;
      CODEXMEM_TRY(store::put_shared_file(database, row, project_));
    }
    return {};
  }

  // Removes documents that no file has any more, unless they are the member's own.
  Result<void> release_dropped(store::Database& database) {
    for (const SharedFile& row : dropped_) {
      if (!row.document) continue;
      CODEXMEM_ASSIGN(const auto others, store::find_shared_files(database, *row.document));
      if (!others.empty()) continue;
      if (row.is_own) {
        CODEXMEM_TRY(end_own(database, *row.document));
      } else if (is_decision(*row.document)) {
        CODEXMEM_TRY(store::remove_decision(database, decision_of(*row.document)));
        ++report_.removed;
      } else {
        CODEXMEM_ASSIGN(const bool is_removed, store::remove_document(database, *row.document));
        if (is_removed) ++report_.removed;
      }
    }
    return {};
  }

  // A decision of the member's own holds no longer when the team has removed it, and what it
  // superseded may hold again.
  Result<void> end_own(store::Database& database, DocumentKey document) const {
    if (!is_decision(document)) return {};
    const DecisionKey key = decision_of(document);
    CODEXMEM_TRY(store::unlink_decision(database, key));
    CODEXMEM_ASSIGN(const auto found, get_decisions(database, std::span(&key, 1)));
    if (found.empty() || found.front().status != DecisionStatus::kActive) return {};
    return change_status(database, found.front(), DecisionStatus::kDeprecated, kTeamRole,
                         "its file is gone", now());
  }

  Memory& memory_;
  const TeamPlace& place_;
  TakenIn report_;
  ProjectId project_{};
  std::vector<SharedCandidate> candidates_, changed_;
  std::vector<IncomingFile> incoming_;
  std::map<std::string, SharedOrigin, std::less<>> origins_;
  std::vector<SharedFile> dropped_;
};

}  // namespace

Result<TakenIn> take_in_shared(Memory& memory, const TeamPlace& place) {
  return TakeIn(memory, place).run();
}

Result<TakenIn> set_team_memory(Memory& memory, const TeamPlace& place, bool is_on) {
  {
    CODEXMEM_ASSIGN(store::UserTransaction writer, memory.store().begin());
    CODEXMEM_TRY(store::set_reads_shared_files(*writer, place.repository, is_on));
    CODEXMEM_TRY(writer.commit());
  }
  return take_in_shared(memory, place);
}

}  // namespace codexmem::memory
