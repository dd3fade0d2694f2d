// Tested by tests/memory/recall_test.cpp.
#include "memory/recall/recall_filter.h"

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>

#include "base/text.h"
#include "store/user/citations.h"
#include "store/user/documents.h"
#include "store/user/projects.h"
#include "text/json_lists.h"

namespace codexmem::memory {
namespace {

// Whether the JSON array `list` holds a value that `test` likes; an empty array costs nothing.
template <typename Test>
bool any_of_list(std::string_view list, Test&& test) {
  if (list.size() <= 2) return false;
  const std::vector<std::string> values = read_json_list(list);
  return std::any_of(values.begin(), values.end(), test);
}

Error cancelled() { return Error{ErrorCode::kCancelled, "the search was cancelled"}; }

}  // namespace

Result<RecallFilter> RecallFilter::make(store::Database& database, const DocumentTable& table,
                                        const RecallRequest& request, std::stop_token stop) {
  RecallFilter filter;
  filter.table_ = &table;
  if (request.scope != nullptr && request.scope->hides_any()) filter.scope_ = request.scope;
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
                       filter.kinds_[0] && filter.kinds_[1] && filter.kinds_[2] &&
                       filter.scope_ == nullptr;

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
      CODEXMEM_TRY(store::visit_cited_paths(
          database, [&](DocumentKey document, std::string_view path) -> Result<void> {
            if (stop.stop_requested()) return cancelled();
            if (is_file(path)) citing.insert(static_cast<std::int64_t>(document));
            return {};
          }));
    }
    // The path before the heading of what was ingested: README.md#usage
    const auto is_source = [&](std::string_view source) {
      return !source.empty() && is_file(source.substr(0, source.find('#')));
    };
    const auto read_lists = [&](const store::DocumentLists& lists) -> Result<void> {
      if (stop.stop_requested()) return cancelled();
      const auto key = static_cast<std::int64_t>(lists.key);
      if (!filter.passes(lists.key)) return {};
      if (!request.concepts.empty() && !any_of_list(lists.concepts, is_concept)) return {};
      const auto has_file = [&](std::string_view list) {
        return may_hold(list) && any_of_list(list, is_file);
      };
      if (request.files.empty() || has_file(lists.files_read) || has_file(lists.files_modified) ||
          is_source(lists.source) || citing.contains(key)) {
        filter.rows_.insert(key);
      }
      return {};
    };
    for (const DocumentKind kind : {DocumentKind::kEntry, DocumentKind::kSummary}) {
      if (!filter.kinds_[static_cast<std::size_t>(kind)]) continue;
      std::vector<DocumentKey> keys;
      filter.for_each([&](DocumentKey key, const DocumentFacts&) {
        if (kind_of(key) == kind) keys.push_back(key);
      });
      const bool reads_all = keys.size() > table.size() / 8;
      CODEXMEM_TRY(
          store::visit_document_lists(database, kind, reads_all ? nullptr : &keys, read_lists));
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
