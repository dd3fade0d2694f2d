// search/locate/locate.h - finds the functions that a text is about: an issue, a traceback, a log,
// a failing test's output.
//
// Files are ranked by the text's best words and names (search/ranking.h); then the functions of the
// first files by their own words, their names, the frames of tracebacks, and what the text writes
// letter by letter as they do.
// Stateless; safe from many threads, each with its own reader. Design: docs/how-it-works.md,
// "Search".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "search/file_filter.h"
#include "search/locate/issue_text.h"
#include "search/locate/locate_query.h"
#include "search/ranking.h"
#include "search/search.h"
#include "search/snapshot.h"
#include "store/code/store_reader.h"

namespace codexmem::search {

/// The evidence for a function, each 0 to 1.
enum class LocatePart : std::uint8_t {
  kWords,      // BM25 of its text by the words of the issue, of the best function's
  kTitle,      // the same by the words of the title
  kMeaning,    // cosine of its best chunk's vector
  kName,       // how much of its name the issue has
  kHolder,     // the same of its class, or the issue writes that name as code
  kMention,    // the issue writes its name as code
  kFrame,      // a frame is in it
  kTrace,      // the same, if the text is a traceback and little else
  kMessage,    // the issue repeats one of its messages
  kVerbatim,   // names, options and quoted texts that both write, by how rare they are
  kPath,       // the issue names its file or module
  kCalled,     // one of the best calls it, by the name
  kFile,       // score of its file, of the best file's
  kFileRank,   // 1 / (1 + 0.15 x rank of its file)
  kTitleFile,  // the same by the title alone
  kTitleRank,
  kLength,        // ln(1 + words) / 8: a short function is rarely at fault
  kRareLanguage,  // its file's language is not the repository's: completions for a shell
};
inline constexpr std::size_t kLocateParts = 18;

struct LocatePartInfo {
  std::string_view name;  // as in `explain`
  double weight;
};

/// Names and weights, by LocatePart. Fitted to which function a fix changes (bench/search.md).
inline constexpr std::array<LocatePartInfo, kLocateParts> kLocateWeights = {{
    {"words", 2.7},
    {"title", 1.5},
    {"meaning", 1.2},
    {"name", 1.4},
    {"holder", 1.3},
    {"mention", 0.45},
    {"frame", 0.9},
    {"trace", 7},
    {"message", 2},
    {"verbatim", 1.5},
    {"path", 0.9},
    {"called", 0.9},
    {"file", 0.6},
    {"file_rank", 0.9},
    {"title_file", 0.7},
    {"title_rank", 1.0},
    {"length", 0.8},
    {"rare_language", -0.5},
}};

/// What locate_functions() reads.
struct LocateInput {
  store::StoreReader& reader;
  const Snapshot& snapshot;
  const LocateRequest& request;
  const IssueText& issue;
  const LocateQuery& asked;
  const Ranking& ranking;
  const Ranking& title_ranking;  // by the title alone
  const FileFilter& filter;
};

/// The functions that the issue is about, best first. Errors: as the store; kCancelled.
Result<LocateAnswer> locate_functions(const LocateInput& input);

}  // namespace codexmem::search
