// memory/documents/document_table.h - a few facts of every document, in memory, for filters and
// lengths.
//
// Reading a row for each of a hundred thousand matches would take longer than finding them. A table
// is an immutable snapshot, 24 bytes a document, shared by readers; the next one is made from it
// and what was written since, and shares what did not change.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "memory/entries/records.h"
#include "store/database.h"

namespace codexmem::memory {

struct DocumentFacts {
  std::int64_t created_at_ms = 0;
  std::uint32_t project = 0;  // ProjectId
  std::uint32_t session = 0;  // SessionId, 0: none
  std::uint16_t type = 0;     // of an entry, a number of this table
  std::uint16_t length = 0;   // terms of its text, at most 65535
  bool exists = false;        // false: no such document, or a private one
};

class DocumentTable {
 public:
  /// The facts of `key`; of one that is not there all is 0.
  const DocumentFacts& facts(DocumentKey key) const {
    const auto& chunks = chunks_[static_cast<std::size_t>(kind_of(key))];
    const auto id = static_cast<std::uint64_t>(id_of(key));
    const std::size_t at = static_cast<std::size_t>(id / kChunk);
    return at < chunks.size() && chunks[at] != nullptr ? (*chunks[at])[id % kChunk] : kNone;
  }

  /// Documents of all kinds.
  std::size_t size() const { return size_; }
  /// Terms of a document, on average.
  double mean_length() const {
    return size_ == 0 ? 1 : static_cast<double>(terms_) / static_cast<double>(size_);
  }
  /// The number of an entry's type; nothing when no entry has it.
  std::optional<std::uint16_t> find_type(std::string_view type) const;

  /// Calls f(DocumentKey, const DocumentFacts&) for all documents of a kind, ascending.
  template <typename F>
  void for_each(DocumentKind kind, F&& f) const {
    const auto& chunks = chunks_[static_cast<std::size_t>(kind)];
    for (std::size_t at = 0; at < chunks.size(); ++at) {
      if (chunks[at] == nullptr) continue;
      for (std::size_t i = 0; i < kChunk; ++i) {
        const DocumentFacts& facts = (*chunks[at])[i];
        if (facts.exists) f(document_key(kind, static_cast<std::int64_t>(at * kChunk + i)), facts);
      }
    }
  }

  /// The table of what `database` holds, in a read transaction of the caller's; `previous` (may be
  /// null) itself when nothing has changed. A million documents are read in 0.7 s the first time.
  static Result<std::shared_ptr<const DocumentTable>> current(
      store::Database& database, std::shared_ptr<const DocumentTable> previous);

 private:
  static constexpr std::size_t kChunk = 4096;
  using Chunk = std::array<DocumentFacts, kChunk>;
  static const DocumentFacts kNone;

  struct Reading;  // document_table.cpp

  std::array<std::vector<std::shared_ptr<const Chunk>>, 4> chunks_;  // by kind; by id
  std::array<std::int64_t, 4> last_ = {};                            // the greatest id read
  std::vector<std::string> types_;
  std::size_t size_ = 0;
  std::uint64_t terms_ = 0;
  std::string store_;  // the store's name
  std::int64_t removals_ = 0;
};

}  // namespace codexmem::memory
