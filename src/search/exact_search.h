// search/exact_search.h - finds the files and lines that the exact parts of a query match.
//
// Stateless unless noted; safe from many threads, each with its own reader.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/line_pattern.h"
#include "text/ranges.h"
#include "base/result.h"
#include "search/exact_query.h"
#include "search/file_filter.h"
#include "search/snapshot.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

/// When matching must stop with a partial result: after a time, or when the caller cancels. It is
/// checked after each 8 KB of text and each match in a long line; a single match in progress is not
/// interrupted.
struct ExactDeadline {
  using Clock = std::chrono::steady_clock;
  Clock::time_point at = Clock::time_point::max();
  std::stop_token stop = {};

  bool is_over() const { return stop.stop_requested() || Clock::now() > at; }
};

/// The compiled exact parts of a query. Immutable, so safe to share.
class ExactMatcher {
 public:
  /// Errors: kInvalidArgument for more than 8 parts, and for an invalid regular expression, with
  /// RE2's message.
  static Result<ExactMatcher> make(const std::vector<ExactPart>& parts);

  bool is_empty() const { return patterns_.empty(); }
  const std::vector<LinePattern>& patterns() const { return patterns_; }

  /// The matches within `range` of `text`, which must begin at the begin of a line or at its first
  /// match; empty matches included. Ascending, without overlap, the longer of two that begin at one
  /// place, at most `most`; fewer when the time is up.
  std::vector<ByteRange> find_matches(std::string_view text, ByteRange range, std::size_t most,
                                      ExactDeadline deadline) const;

 private:
  std::vector<LinePattern> patterns_;
};

/// A matching line.
struct ExactLine {
  std::uint32_t number = 1;  // 1-based
  ByteRange match;           // the first in it
  std::uint32_t parts = 1;   // how many of the exact parts match in it
};

/// The lines of `text` that at least one part matches, ascending, at most `most` for each part;
/// empty if some part matches no line; a partial result if the time is up. If `within` is not null,
/// a match counts only if it begins in one of these ranges, which must be ascending without
/// overlap.
std::vector<ExactLine> find_exact_lines(const ExactMatcher& matcher, std::string_view text,
                                        const std::vector<ByteRange>* within, std::size_t most,
                                        ExactDeadline deadline);

/// The ranges of the definitions of `file` whose kinds `filter` keeps: ascending, merged.
Result<std::vector<ByteRange>> list_kept_definitions(store::StoreReader& reader, store::FileId file,
                                                     const FileFilter& filter);

/// A matching file.
struct ExactFile {
  std::uint32_t lines = 1;  // number of matching lines
  ByteRange first;          // the first match in the first of them
};

struct ExactFiles {
  std::unordered_map<std::int64_t, ExactFile> files;  // by file id
  std::uint64_t line_count = 0;                       // the sum of their lines
  bool is_counted = true;   // false: for some files only a lower bound is known
  bool is_complete = true;  // false: the time was up before all files were read
  std::size_t read = 0;     // number of files whose text was read
};

/// The files that `filter` accepts and that every part of `matcher` matches; with kinds, only in
/// definitions of these kinds.
///
/// All files are found. Lines are counted in path order up to 100,000; for files beyond that, only
/// one is. Errors: as the store.
Result<ExactFiles> find_exact_files(store::StoreReader& reader, const Snapshot& snapshot,
                                    const ExactMatcher& matcher, const FileFilter& filter,
                                    ExactDeadline deadline);

}  // namespace codexmem::search
