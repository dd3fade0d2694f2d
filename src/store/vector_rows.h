// store/vector_rows.h - the rows of vectors that a snapshot in memory is made from.
//
// A snapshot (embed/vector_snapshot.h) asks a source about its present rows and the changes
// since it was made. Sources: store/code_vectors.h, store/document_vectors.h. A source works on one
// connection, on its thread, within one read transaction of the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace codexmem::store {

/// What a snapshot holds, for a source to compare with its rows.
struct HeldVectors {
  std::uint64_t generation = 0;  // the state of the rows that it shows
  std::size_t size = 0;
  std::function<std::vector<std::int64_t>()> ids;  // ascending
  /// Whether the vector of `id` is the one of these codes, except for rounding.
  std::function<Result<bool>(std::int64_t id, std::string_view codes)> has;
};

class VectorRowSource {
 public:
  /// What the rows of one model are, now.
  struct State {
    std::string name;              // the model's and the store's: ids of another mean other texts
    std::size_t dimension = 0;     // components of each vector, a byte each in the codes
    std::uint64_t generation = 0;  // the number of the newest change
    std::uint64_t oldest = 0;      // snapshots older than this cannot catch up
    const char* area = "";         // "search", "memory": whose it is, for the log
    bool changes_unseen = false;   // rows may change under the same generation; their number shows
  };

  virtual ~VectorRowSource() = default;

  const State& state() const { return state_; }

  /// The number of rows.
  virtual Result<std::size_t> count() = 0;

  /// Calls `visit` with the id and the codes of each row that came after `generation` (0: of all).
  /// False ends the calls.
  virtual Result<void> visit_added(
      std::uint64_t generation,
      const std::function<bool(std::int64_t id, std::string_view codes)>& visit) = 0;

  /// The ids in `held` whose rows have gone since, or were replaced; nothing when there are so many
  /// that reading all rows is less work.
  virtual Result<std::optional<std::vector<std::int64_t>>> list_removed(
      const HeldVectors& held) = 0;

  /// Whether the snapshot's file at `path` is one to read at all.
  virtual bool is_own_file(const std::filesystem::path&) const { return true; }

  /// Makes the file at `path`, which this program has just written, one that is_own_file() knows.
  virtual Result<void> mark_as_own(const std::filesystem::path&) const { return {}; }

  /// Whether what a file holds was made from these rows, not from those of a copy of the store that
  /// has gone another way since.
  virtual Result<bool> is_of_these_rows(const HeldVectors& held) = 0;

 protected:
  explicit VectorRowSource(State state) : state_(std::move(state)) {}

 private:
  State state_;
};

}  // namespace codexmem::store
