// memory/recall/recall_neighbours.h - the entries next to an entry.
//
// Two entries are neighbours in their session, else in their project when they were saved within
// ten minutes. Internal to recall; of one search, one thread; the table must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "memory/documents/document_table.h"
#include "memory/entries/records.h"

namespace codexmem::memory {

struct RecallNeighbour {
  DocumentKey key{};
  std::size_t distance = 0;  // 0: the next one
  bool is_before = false;
};

class RecallNeighbours {
 public:
  explicit RecallNeighbours(const DocumentTable& table) : table_(table) {}

  /// Up to three before and three after `key`, on each side the nearest first; nothing that is no
  /// entry. Looked up once.
  const std::vector<RecallNeighbour>& find(DocumentKey key);

 private:
  std::vector<RecallNeighbour> look_up(DocumentKey key) const;

  const DocumentTable& table_;
  std::unordered_map<std::int64_t, std::vector<RecallNeighbour>> known_;
};

}  // namespace codexmem::memory
