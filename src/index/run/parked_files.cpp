// Tested by index/parked_files_test.cpp.
#include "index/run/parked_files.h"

#include <algorithm>
#include <chrono>

namespace codexmem::index {
namespace {

// Fewer changes cost so little that every edit that is saved would fill the store for nothing.
constexpr std::size_t kMinParked = 8;
constexpr std::chrono::hours kMaxAge{30 * 24};
constexpr std::int64_t kSpareBytes = 64 << 20;  // of source

}  // namespace

bool is_worth_parking(const ChangePlan& plan) {
  return plan.deleted.size() + plan.jobs.size() >= kMinParked;
}

bool may_be_parked(const store::FileRow& row) {
  return !row.hash.empty() && (row.flags & store::kFileTruncated) == 0;
}

Result<std::vector<store::FileId>> list_surplus(store::StoreReader& reader, bool all) {
  CODEXMEM_ASSIGN(const auto parked, reader.list_parked());
  if (parked.empty()) return std::vector<store::FileId>();
  CODEXMEM_ASSIGN(const auto files, reader.list_files());
  std::int64_t room = 0, bytes = 0;
  for (const store::FileRow& file : files) room += 2 * file.size;
  for (const store::FileRow& file : parked) bytes += file.size;
  room = all ? -1 : std::max(room, kSpareBytes);
  const auto oldest = std::chrono::system_clock::now() - kMaxAge;
  const std::int64_t oldest_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(oldest.time_since_epoch()).count();
  std::vector<store::FileId> surplus;
  for (const store::FileRow& file : parked) {  // the oldest first
    if (bytes <= room && file.mtime_ns >= oldest_ns) break;
    surplus.push_back(file.id);
    bytes -= file.size;
  }
  return surplus;
}

}  // namespace codexmem::index
