// Writing files of the team, and looking through them before they are committed.
//
// Tested by memory/team_memory_test.cpp and team/share_test.py.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "memory/entries/citations.h"
#include "memory/transfer/team_folder.h"
#include "memory/transfer/team_memory.h"
#include "memory/transfer/team_settle.h"
#include "privacy/policy.h"
#include "privacy/private_text.h"
#include "store/user/projects.h"
#include "text/line_index.h"

namespace codexmem::memory {
namespace fs = std::filesystem;
namespace {

constexpr unsigned kFileMode = 0666;  // less the umask: it is a file of the repository

// The ids of shared files that the entry superseded.
Result<std::vector<std::string>> shared_ids_of(store::Database& database,
                                               std::span<const EntryId> entries) {
  std::vector<std::string> ids;
  for (const EntryId entry : entries) {
    CODEXMEM_ASSIGN(const auto files, store::find_shared_files(database, document_key(entry)));
    if (!files.empty()) ids.push_back(files.front().shared_id);
  }
  return ids;
}

// The text of a document to be shared.
Result<SharedText> find_text(Memory& memory, store::Database& database, DocumentKey document) {
  SharedText shared;
  std::string project;
  if (is_decision(document)) {
    const DecisionKey key = decision_of(document);
    CODEXMEM_ASSIGN(const auto found, get_decisions(database, std::span(&key, 1)));
    if (found.empty()) return Error{ErrorCode::kNotFound, "there is no such decision"};
    const Decision& decision = found.front();
    if (is_proposal(decision.status)) {
      return invalid_argument(fmt::format("{} is a proposal: accept it first", decision.id));
    }
    if (decision.status == DecisionStatus::kSuperseded) {
      return invalid_argument(fmt::format(
          "{} was superseded{}", decision.id,
          decision.superseded_by.empty() ? "" : " by " + decision.superseded_by + ": share that"));
    }
    project = decision.project;
    shared = shared_text_of(decision);
    shared.supersedes = decision.supersedes;
  } else {
    CODEXMEM_ASSIGN(const auto entry, find_entry(database, entry_of(document)));
    if (!entry) return Error{ErrorCode::kNotFound, "there is no such entry"};
    project = entry->project;
    shared = shared_text_of(*entry);
    CODEXMEM_ASSIGN(shared.supersedes, shared_ids_of(database, entry->succession.supersedes));
  }
  if (const auto scope = memory.branches().scope(); scope->is_hidden(document)) {
    return invalid_argument(fmt::format("it is of branch {}, which is not merged: share it there",
                                        scope->branch_of(document)));
  }
  if (project != memory.project()) {
    return invalid_argument(fmt::format("it belongs to project '{}', and this repository is '{}'",
                                        project, memory.project()));
  }
  CODEXMEM_ASSIGN(const auto cited, store::list_citations(database, std::span(&document, 1)));
  const auto found = cited.find(document);
  for (const Citation& citation : found == cited.end() ? std::vector<Citation>() : found->second) {
    if (!citation.is_explicit) continue;
    if (citation.symbol.empty()) {
      shared.files.push_back(citation.path);
    } else {
      shared.symbols.push_back(citation.path.empty() ? citation.symbol
                                                     : citation.path + "::" + citation.symbol);
    }
  }
  return shared;
}

// The secrets and the first private part of a shared file.
void add_unshareable(const std::string& path, const std::string& bytes,
                     std::vector<SharedTrouble>& troubles) {
  const LineIndex lines(bytes);
  const auto place_of = [&](std::size_t at) {
    return lines.position_of(static_cast<std::uint32_t>(at));
  };
  const privacy::Field field{"file", bytes};
  std::set<std::pair<std::uint32_t, std::string>> named;
  for (privacy::Finding& found : privacy::find_secrets({&field, 1})) {
    const Position place = place_of(found.begin);
    if (!named.emplace(place.line, found.rule).second) continue;
    troubles.push_back(
        {path, fmt::format("it holds a secret ({})", found.rule), std::move(found.rule), place});
  }
  const std::string open = privacy::strip_private(bytes);
  if (open == bytes) return;
  const auto differs = std::ranges::mismatch(bytes, open).in1;
  const auto at = static_cast<std::size_t>(differs - bytes.begin());
  troubles.push_back({path, "it holds a private part", {}, place_of(at)});
}

}  // namespace

Result<SharedHere> share(Memory& memory, const TeamPlace& place, DocumentKey document) {
  SharedHere done;
  SharedText shared;
  SharedFile row;
  {
    CODEXMEM_ASSIGN(auto reader, memory.store().reader());
    CODEXMEM_ASSIGN(shared, find_text(memory, *reader, document));
    CODEXMEM_ASSIGN(const auto files, store::find_shared_files(*reader, document));
    for (const SharedFile& file : files) {
      if (file.root != place.root.string()) continue;
      row = file;
      shared.id = file.shared_id;
    }
  }
  if (!row.path.empty() && !is_shared_path(row.path)) {
    return invalid_argument(row.path + " has it already");
  }
  CODEXMEM_TRY(inspect_shared(shared));
  CODEXMEM_ASSIGN(const fs::path folder, make_shared_folder(place.root));
  const fs::path path =
      row.path.empty() ? folder / shared_file_name(shared) : place.root / row.path;
  const std::string bytes = shared_markdown(shared);
  const auto there = read_file(path, kMaxSharedFileBytes);
  done.id = shared.id;
  done.path = path_below(place.root, path).value_or(path.string());
  done.is_new = !there.ok();
  done.is_changed = there.ok() && *there != bytes;
  if (done.is_new || done.is_changed) {
    CODEXMEM_ASSIGN(FileReplacement file, FileReplacement::begin(path, kFileMode));
    CODEXMEM_TRY(file.write(bytes));
    CODEXMEM_TRY(file.commit());
  }
  CODEXMEM_ASSIGN(store::UserTransaction writer, memory.store().begin());
  CODEXMEM_ASSIGN(const ProjectId project,
                  store::ensure_project(*writer, memory.project(), memory.clock()()));
  CODEXMEM_TRY(store::set_reads_shared_files(*writer, place.repository, true));
  if (row.path.empty()) row.is_own = true;
  row.root = place.root.string();
  row.path = done.path;
  row.shared_id = shared.id;
  row.supersedes = shared.supersedes;
  if (shared.is_decision) row.status = status_name(shared.status);
  row.document = document;
  row.refused.clear();
  row.stamp = find_stamp(path).value_or("");
  CODEXMEM_TRY(store::put_shared_file(*writer, row, project));
  CODEXMEM_TRY(writer.commit());
  return done;
}

Result<std::string> unshare(Memory& memory, const TeamPlace& place, DocumentKey document) {
  std::string path;
  {
    CODEXMEM_ASSIGN(auto reader, memory.store().reader());
    CODEXMEM_ASSIGN(const auto files, store::find_shared_files(*reader, document));
    for (const SharedFile& file : files) {
      if (file.root == place.root.string() && is_shared_path(file.path)) path = file.path;
    }
  }
  if (path.empty()) {
    return Error{ErrorCode::kNotFound,
                 fmt::format("no file in {} has it", std::string(kSharedFolder))};
  }
  std::error_code failed;
  fs::remove(place.root / path, failed);
  if (failed) return Error{ErrorCode::kIo, path + ": " + failed.message()};
  CODEXMEM_TRY(take_in_shared(memory, place));
  return path;
}

Result<std::vector<SharedFile>> list_shared(Memory& memory, const TeamPlace& place) {
  CODEXMEM_ASSIGN(auto reader, memory.store().reader());
  return store::list_shared_files(*reader, place.root.string());
}

bool is_dated_ahead(const Memory& memory, const TeamPlace& place, const SharedFile& file) {
  const auto bytes = read_file(place.root / file.path, kMaxSharedFileBytes);
  if (!bytes.ok()) return false;
  const auto text = read_shared_text(*bytes);
  return text.ok() && is_ahead(text->created_at_ms, memory.clock()());
}

bool is_shared_path(std::string_view path) {
  return path.size() > kSharedFolder.size() && path.starts_with(kSharedFolder) &&
         path[kSharedFolder.size()] == '/' && path.ends_with(".md");
}

std::vector<SharedTrouble> check_shared(
    std::span<const std::string> paths,
    const std::function<Result<std::string>(const std::string& path)>& read) {
  std::vector<SharedTrouble> troubles;
  for (const std::string& path : paths) {
    const auto bytes = read(path);
    if (!bytes.ok()) continue;
    const std::size_t before = troubles.size();
    add_unshareable(path, *bytes, troubles);
    if (troubles.size() > before) continue;
    if (const auto text = read_shared_text(*bytes); !text.ok()) {
      troubles.push_back({path, text.error().message()});
    }
  }
  return troubles;
}

}  // namespace codexmem::memory
