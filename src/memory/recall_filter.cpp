// Tested by tests/memory/recall_test.cpp.
#include "memory/recall_filter.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "base/text.h"
#include "store/user/projects.h"
#include "text/json_lists.h"

namespace codexmem::memory {
namespace {

#define CODEXMEM_ENTRY_LISTS                          \
  "SELECT id, concepts, files_read, files_modified, " \
  "CASE source WHEN 'ingest' THEN source_ref END FROM entries "
#define CODEXMEM_SUMMARY_LISTS "SELECT id, '[]', files_read, files_edited, NULL FROM summaries "
constexpr char kEntryListsSql[] = CODEXMEM_ENTRY_LISTS "WHERE id = ?1";
constexpr char kSummaryListsSql[] = CODEXMEM_SUMMARY_LISTS "WHERE id = ?1";
constexpr char kAllEntryListsSql[] = CODEXMEM_ENTRY_LISTS "ORDER BY id";
constexpr char kAllSummaryListsSql[] = CODEXMEM_SUMMARY_LISTS "ORDER BY id";

constexpr char kCitingSql[] = "SELECT document, path FROM citations";

// Whether the JSON array `list` holds a value that `test` likes; an empty array costs nothing.
template <typename Test>
bool any_of_list(std::string_view list, Test&& test) {
  if (list.size() <= 2) return false;
  const std::vector<std::string> values = read_json_list(list);
  return std::any_of(values.begin(), values.end(), test);
}

}  // namespace

Result<RecallFilter> RecallFilter::make(store::Database& database, const DocumentTable& table,
                                        const RecallRequest& request, std::stop_token stop) {
  RecallFilter filter;
  filter.table_ = &table;
  filter.from_ms_ = request.from_ms.value_or(std::numeric_limits<std::int64_t>::min());
  filter.to_ms_ = request.to_ms.value_or(std::numeric_limits<std::int64_t>::max());
  filter.kinds_ = {true, true, true, false};
  if (!request.kinds.empty()) {
    filter.kinds_ = {};
    for (const DocumentKind kind : request.kinds) {
      filter.kinds_[static_cast<std::size_t>(kind)] = true;
    }
  }
  const bool has_entries_only = !request.types.empty() || !request.concepts.empty();
  if (has_entries_only) filter.kinds_[1] = filter.kinds_[2] = filter.kinds_[3] = false;
  if (!request.files.empty()) filter.kinds_[2] = filter.kinds_[3] = false;

  filter.has_projects_ = !request.projects.empty();
  for (const std::string& name : request.projects) {
    CODEXMEM_ASSIGN(const auto project, store::find_project(database, name));
    if (project) filter.projects_.insert(static_cast<std::uint32_t>(*project));
  }
  filter.has_types_ = !request.types.empty();
  for (const std::string& type : request.types) {
    if (const auto number = table.find_type(type)) filter.types_.insert(*number);
  }
  filter.passes_all_ = !filter.has_projects_ && !filter.has_types_ && !request.from_ms &&
                       !request.to_ms && request.concepts.empty() && request.files.empty() &&
                       filter.kinds_[0] && filter.kinds_[1] && filter.kinds_[2];

  if (!request.concepts.empty() || !request.files.empty()) {
    std::vector<std::string> files;
    for (const std::string& file : request.files) files.push_back(to_lower_ascii(file));
    const auto is_file = [&](std::string_view path) {
      const std::string lower = to_lower_ascii(path);
      return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
        return lower.find(file) != std::string::npos;
      });
    };
    // Most lists need not be parsed to see that they have no such file. This program writes plain
    // characters as they are.
    const bool is_plain = std::all_of(files.begin(), files.end(), [](const std::string& file) {
      return std::all_of(file.begin(), file.end(),
                         [](char c) { return c >= ' ' && c < 0x7F && c != '"' && c != '\\'; });
    });
    const auto may_hold = [&](std::string_view list) {
      if (list.size() <= 2) return false;
      if (!is_plain) return true;
      const std::string lower = to_lower_ascii(list);
      return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
        return lower.find(file) != std::string::npos;
      });
    };
    const auto is_concept = [&](const std::string& name) {
      return std::find(request.concepts.begin(), request.concepts.end(), name) !=
             request.concepts.end();
    };
    std::unordered_set<std::int64_t> citing;  // documents that cite such a file
    if (!files.empty()) {
      CODEXMEM_ASSIGN(store::Statement cited, database.statement(kCitingSql));
      for (;;) {
        CODEXMEM_ASSIGN(const bool more, cited.step());
        if (!more) break;
        if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the search was cancelled"};
        if (is_file(cited.text(1))) citing.insert(cited.integer(0));
      }
    }
    // The path before the heading of what was ingested: README.md#usage
    const auto is_source = [&](std::string_view source) {
      return !source.empty() && is_file(source.substr(0, source.find('#')));
    };
    // Reads rows of id, concepts, two lists of files and the document that it was ingested from.
    const auto read_rows = [&](store::Statement& rows, DocumentKind kind) -> Result<void> {
      for (;;) {
        CODEXMEM_ASSIGN(const bool more, rows.step());
        if (!more) return {};
        if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "the search was cancelled"};
        const DocumentKey key = document_key(kind, rows.integer(0));
        if (!filter.passes(key)) continue;
        if (!request.concepts.empty() && !any_of_list(rows.text(1), is_concept)) continue;
        if (!request.files.empty() &&
            !(may_hold(rows.text(2)) && any_of_list(rows.text(2), is_file)) &&
            !(may_hold(rows.text(3)) && any_of_list(rows.text(3), is_file)) &&
            !is_source(rows.text(4)) && !citing.contains(static_cast<std::int64_t>(key))) {
          continue;
        }
        filter.rows_.insert(static_cast<std::int64_t>(key));
      }
    };
    for (const DocumentKind kind : {DocumentKind::kEntry, DocumentKind::kSummary}) {
      if (!filter.kinds_[static_cast<std::size_t>(kind)]) continue;
      std::vector<DocumentKey> keys;
      filter.for_each([&](DocumentKey key, const DocumentFacts&) {
        if (kind_of(key) == kind) keys.push_back(key);
      });
      const bool reads_all = keys.size() > table.size() / 8;
      CODEXMEM_ASSIGN(
          store::Statement rows,
          database.statement(kind == DocumentKind::kEntry
                                 ? (reads_all ? kAllEntryListsSql : kEntryListsSql)
                                 : (reads_all ? kAllSummaryListsSql : kSummaryListsSql)));
      if (reads_all) {
        CODEXMEM_TRY(read_rows(rows, kind));
        continue;
      }
      for (const DocumentKey key : keys) {
        rows.reset();
        rows.bind(1, id_of(key));
        CODEXMEM_TRY(read_rows(rows, kind));
      }
    }
    filter.needs_rows_ = true;
  }
  if (filter.passes_all_) {
    filter.count_ = table.size();
  } else {
    filter.for_each([&](DocumentKey, const DocumentFacts&) { ++filter.count_; });
  }
  return filter;
}

}  // namespace codexmem::memory
