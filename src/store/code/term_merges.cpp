// Tested by store/chunk_terms_test.cpp.
#include "store/code/term_merges.h"

#include <fmt/core.h>

#include <string_view>

#include "store/full_text.h"
#include "store/query.h"

namespace codexmem::store {
namespace {

constexpr std::string_view kIndexes[] = {"chunk_terms", "file_names"};
constexpr int kDefaultMerge = 4;    // segments of a size that become one
constexpr int kPagesOfStep = 250;   // of 4,050 bytes; what a step read is free for the next
constexpr int kMaxSteps = 100'000;  // so many pages no store has

Result<void> command(Database& database, std::string_view index, std::string_view name, int value) {
  return database.execute(
      fmt::format("INSERT INTO {0} ({0}, rank) VALUES ('{1}', {2})", index, name, value));
}

Result<void> merge_index(Database& database, std::string_view index) {
  for (int step = 0; step < kMaxSteps; ++step) {
    CODEXMEM_ASSIGN(const bool more,
                    merge_segments_of(database, index, step == 0 ? -kPagesOfStep : kPagesOfStep));
    if (!more) break;
  }
  return {};
}

}  // namespace

Result<void> defer_merges(Database& database) {
  for (const std::string_view index : kIndexes) {
    CODEXMEM_TRY(command(database, index, "automerge", 0));
  }
  return {};
}

Result<void> restore_merges(Database& database) {
  for (const std::string_view index : kIndexes) {
    CODEXMEM_ASSIGN(
        const auto is_deferred,
        query::count(
            database,
            fmt::format("SELECT count(*) FROM {}_config WHERE k = 'automerge' AND v = 0", index)));
    if (is_deferred != 0) CODEXMEM_TRY(command(database, index, "automerge", kDefaultMerge));
  }
  return {};
}

Result<void> merge_segments(Database& database) {
  for (const std::string_view index : kIndexes) CODEXMEM_TRY(merge_index(database, index));
  return {};
}

}  // namespace codexmem::store
