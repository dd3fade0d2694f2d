// search/exact_search.h - the files, and the lines in them, that exact parts of a question match.
//
// Stateless but for what is said; safe from many threads, each with its own reader.
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

/// When matching ends, whatever is found until then: the time, or whoever asked no longer wants it.
/// It is looked at after each 8 KB of text and each match of a long line; the one match that is
/// being looked for is not broken off.
struct ExactDeadline {
  using Clock = std::chrono::steady_clock;
  Clock::time_point at = Clock::time_point::max();
  std::stop_token stop = {};

  bool is_over() const { return stop.stop_requested() || Clock::now() > at; }
};

/// The compiled exact parts of a question. Immutable, so safe to share.
class ExactMatcher {
 public:
  /// Errors: kInvalidArgument for more than 8 parts, and for what is no regular expression, in
  /// RE2's words.
  static Result<ExactMatcher> make(const std::vector<ExactPart>& parts);

  bool is_empty() const { return patterns_.empty(); }
  const std::vector<LinePattern>& patterns() const { return patterns_; }

  /// The matches that lie in `range` of `text`, which begins at a line's begin or first match,
  /// empty ones too: ascending, without overlap, the longer of two that begin at one place, at most
  /// `most`; fewer when the time is up.
  std::vector<ByteRange> find_matches(std::string_view text, ByteRange range, std::size_t most,
                                      ExactDeadline deadline) const;

 private:
  std::vector<LinePattern> patterns_;
};

/// A line that matches.
struct ExactLine {
  std::uint32_t number = 1;  // 1-based
  ByteRange match;           // the first in it
  std::uint32_t parts = 1;   // how many of the exact parts match in it
};

/// The lines of `text` that at least one part matches, ascending, at most `most` of each part;
/// empty when some part matches none; what was found when the time is up. With `within` not null a
/// match counts when it begins in one of these ranges, which ascend
/// without overlap.
std::vector<ExactLine> find_exact_lines(const ExactMatcher& matcher, std::string_view text,
                                        const std::vector<ByteRange>* within, std::size_t most,
                                        ExactDeadline deadline);

/// The ranges of the definitions of `file` whose kinds `filter` keeps: ascending, merged.
Result<std::vector<ByteRange>> list_kept_definitions(store::StoreReader& reader, store::FileId file,
                                                     const FileFilter& filter);

/// A file that matches.
struct ExactFile {
  std::uint32_t lines = 1;  // that match
  ByteRange first;          // the first match in the first of them
};

struct ExactFiles {
  std::unordered_map<std::int64_t, ExactFile> files;  // by file id
  std::uint64_t line_count = 0;                       // the sum of their lines
  bool is_counted = true;   // false when some files' lines are only known to be as many or more
  bool is_complete = true;  // false when the time was up before all files were read
  std::size_t read = 0;     // files whose text was looked at
};

/// The files that `filter` keeps and every part of `matcher` matches in; with kinds, in definitions
/// of these kinds.
///
/// All files are found. Lines are counted in the order of paths until there are 100,000; of files
/// beyond that only one is. Errors: those of the store.
Result<ExactFiles> find_exact_files(store::StoreReader& reader, const Snapshot& snapshot,
                                    const ExactMatcher& matcher, const FileFilter& filter,
                                    ExactDeadline deadline);

}  // namespace codexmem::search
