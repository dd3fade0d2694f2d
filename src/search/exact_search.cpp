// Trigram filters select the files that may match; their texts are read and matched. So answers are
// as exact as the matching, and a false positive of a filter only costs reading a text. A pattern
// without a literal reads every text.
//
// Tested by search/exact_search_test.cpp, and against ripgrep by tests/search/exact_against_rg.py.
#include "search/exact_search.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "base/text.h"

namespace codexmem::search {
namespace {

constexpr std::size_t kMaxParts = 8;
constexpr std::int64_t kPatternMemory = 16 << 20;  // of all parts
constexpr std::uint64_t kMaxCountedLines = 100'000;
// The slowest pattern takes a tenth of a second for this many bytes; the clock is read after each.
constexpr std::size_t kWindowBytes = 1 << 13;
constexpr std::size_t kBytesPerMatch = 256;  // the cost of a match in addition to its line's

// Checks whether the time is up; reads the clock only from time to time.
class Patience {
 public:
  explicit Patience(ExactDeadline deadline) : deadline_(std::move(deadline)) {}

  void count(std::size_t bytes) { bytes_ += bytes; }
  bool is_over() {
    if (bytes_ < kWindowBytes) return false;
    bytes_ = 0;
    return deadline_.is_over();
  }

 private:
  ExactDeadline deadline_;
  std::size_t bytes_ = 0;  // since the last check
};

// Calls `visit` with the first match of each matching line, until it returns false. Returns false
// if the time is up.
template <typename Visit>
bool visit_lines(const LinePattern& pattern, std::string_view text, Patience* patience,
                 Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    if (patience->is_over()) return false;
    const std::size_t end = std::min(
        text.size() - at <= kWindowBytes ? text.size() : text.find('\n', at + kWindowBytes),
        text.size());
    const auto found = pattern.find(text, at, end);
    const std::size_t line_end = found ? std::min(text.find('\n', found->begin), text.size()) : end;
    patience->count(line_end - at + kBytesPerMatch);
    if (found && !visit(*found)) return true;
    at = line_end + 1;
  }
  return true;
}

bool is_within(const std::vector<ByteRange>* ranges, std::uint32_t at) {
  if (ranges == nullptr) return true;
  const auto after = std::ranges::upper_bound(*ranges, at, {}, &ByteRange::begin);
  return after != ranges->begin() && std::prev(after)->contains(at);
}

// The result of find_exact_lines(), and whether it is complete.
struct Counted {
  bool all_match = true, in_time = true;
  std::map<std::size_t, ExactLine> lines;  // by their begin; without line numbers
};

Counted count_lines(const ExactMatcher& matcher, std::string_view text,
                    const std::vector<ByteRange>* within, std::size_t most,
                    ExactDeadline deadline) {
  Counted counted;
  Patience patience(deadline);
  for (const LinePattern& pattern : matcher.patterns()) {
    std::size_t lines = 0;
    counted.in_time = visit_lines(pattern, text, &patience, [&](const ByteRange& match) {
      if (!is_within(within, match.begin)) return true;
      const std::size_t newline =
          match.begin == 0 ? std::string_view::npos : text.rfind('\n', match.begin - 1);
      const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
      auto [at, is_new] = counted.lines.try_emplace(begin, ExactLine{0, match, 1});
      if (!is_new) {
        ++at->second.parts;
        if (match.begin < at->second.match.begin) at->second.match = match;
      }
      return ++lines < most;
    });
    if (!counted.in_time) return counted;
    counted.all_match = lines > 0;
    if (!counted.all_match) return counted;
  }
  return counted;
}

// For each file, by its place in the snapshot's order: true if its filter allows all parts of
// `matcher`; files without a filter pass.
Result<std::vector<bool>> find_candidates(store::StoreReader& reader, const Snapshot& snapshot,
                                          const ExactMatcher& matcher) {
  std::vector<bool> candidates(snapshot.file_end(), true);
  CODEXMEM_TRY(reader.visit_trigrams([&](store::FileId id, std::string_view filter) {
    const auto file = snapshot.find_file(id);
    if (!file.has_value()) return;
    candidates[*file] = std::ranges::all_of(
        matcher.patterns(), [&](const LinePattern& pattern) { return pattern.may_match(filter); });
  }));
  return candidates;
}

}  // namespace

Result<ExactMatcher> ExactMatcher::make(const std::vector<ExactPart>& parts) {
  if (parts.size() > kMaxParts) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("query must hold at most {} quoted phrases and regular expressions, "
                             "got {}",
                             kMaxParts, parts.size())};
  }
  ExactMatcher made;
  for (const ExactPart& part : parts) {
    auto pattern = LinePattern::make(
        part.text, {.is_literal = !part.is_regex,
                    .ignore_case = part.ignore_case,
                    .max_memory = kPatternMemory / static_cast<std::int64_t>(parts.size())});
    if (!pattern.ok()) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("query must hold a regular expression in RE2's syntax between "
                               "slashes, got /{}/: {}",
                               utf8_prefix(part.text, 60), pattern.error().message())};
    }
    made.patterns_.push_back(std::move(pattern).value());
  }
  return made;
}

std::vector<ByteRange> ExactMatcher::find_matches(std::string_view text, ByteRange range,
                                                  std::size_t most, ExactDeadline deadline) const {
  std::vector<ByteRange> all;
  for (const LinePattern& pattern : patterns_) {
    std::size_t count = 0;
    for (std::size_t at = range.begin; at <= range.end && count < most;) {
      if (deadline.is_over()) break;
      const auto found = pattern.find(text, at, range.end);
      if (!found) break;
      all.push_back(*found);
      ++count;
      at = found->end + std::size_t{found->empty() ? 1U : 0U};
    }
  }
  std::ranges::sort(all, [](const ByteRange& a, const ByteRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<ByteRange> kept;
  for (const ByteRange& match : all) {
    if (kept.empty() || match.begin >= kept.back().end) kept.push_back(match);
  }
  if (kept.size() > most) kept.resize(most);
  return kept;
}

std::vector<ExactLine> find_exact_lines(const ExactMatcher& matcher, std::string_view text,
                                        const std::vector<ByteRange>* within, std::size_t most,
                                        ExactDeadline deadline) {
  const Counted counted = count_lines(matcher, text, within, most, deadline);
  std::vector<ExactLine> lines;
  if (!counted.all_match) return lines;
  std::size_t from = 0;
  std::uint32_t number = 1;
  for (const auto& [begin, found] : counted.lines) {
    number += static_cast<std::uint32_t>(std::ranges::count(text.substr(from, begin - from), '\n'));
    from = begin;
    lines.push_back(found);
    lines.back().number = number;
  }
  return lines;
}

Result<std::vector<ByteRange>> list_kept_definitions(store::StoreReader& reader, store::FileId file,
                                                     const FileFilter& filter) {
  CODEXMEM_ASSIGN(const auto symbols, reader.list_symbols(file));
  std::vector<ByteRange> ranges;
  for (const store::SymbolRow& symbol : symbols) {
    if (filter.keeps(symbol.type, symbol.kind)) ranges.push_back(symbol.range);
  }
  std::ranges::sort(ranges);
  std::vector<ByteRange> merged;
  for (const ByteRange& range : ranges) {
    if (merged.empty() || range.begin > merged.back().end) {
      merged.push_back(range);
    } else {
      merged.back().end = std::max(merged.back().end, range.end);
    }
  }
  return merged;
}

Result<ExactFiles> find_exact_files(store::StoreReader& reader, const Snapshot& snapshot,
                                    const ExactMatcher& matcher, const FileFilter& filter,
                                    ExactDeadline deadline) {
  CODEXMEM_ASSIGN(const std::vector<bool> candidates, find_candidates(reader, snapshot, matcher));
  ExactFiles found;
  std::vector<ByteRange> ranges;
  for (FileNumber file = 0; file < candidates.size(); ++file) {
    if (!candidates[file] || !snapshot.has(file) || !filter.keeps(snapshot, file)) continue;
    const store::FileId id = snapshot.id(file);
    if (deadline.is_over()) {
      found.is_complete = found.is_counted = false;
      break;
    }
    CODEXMEM_ASSIGN(const auto content, reader.find_content(id));
    if (!content.has_value()) continue;
    ++found.read;
    if (filter.has_kinds()) {
      CODEXMEM_ASSIGN(ranges, list_kept_definitions(reader, id, filter));
    }
    const bool counts = found.line_count < kMaxCountedLines;
    const Counted counted = count_lines(matcher, *content, filter.has_kinds() ? &ranges : nullptr,
                                        counts ? std::string::npos : 1, deadline);
    if (!counted.in_time) {
      found.is_complete = found.is_counted = false;
      break;
    }
    if (!counted.all_match) continue;
    if (!counts) found.is_counted = false;
    const auto lines = static_cast<std::uint32_t>(counts ? counted.lines.size() : 1);
    found.files.emplace(static_cast<std::int64_t>(id),
                        ExactFile{lines, counted.lines.begin()->second.match});
    found.line_count += lines;
  }
  return found;
}

}  // namespace codexmem::search
