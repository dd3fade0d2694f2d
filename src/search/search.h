// search/search.h - plain-language and half-remembered-name search over a workspace's store.
//
// A SearchEngine keeps a read-only snapshot of what ranking needs (files, definition names, chunk
// lengths, vectors) and brings it up to the store's generation before each answer. The ranking is
// the recipe of docs/design/search.md: field-weighted BM25 over chunks and files, names of
// definitions, files and folders, vectors of a static model, centrality, and a prior for tests and
// examples. Thread-safe: any number of threads may search at once; each borrows its own connection.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/symbol_type.h"
#include "store/code/code_rows.h"
#include "store/code/workspace.h"

namespace codexmem::embed {
class Embedder;
}

namespace codexmem::search {

/// Whether files that are tests by their path (search/path_facts.h) may answer.
enum class TestFiles : std::uint8_t { kInclude, kExclude, kOnly };

/// By what a hit is ordered among those of other repositories.
struct HitRank {
  double probability = 0;  // as of SearchHit
  double score = 0;
  bool is_exact = false;  // an answer whatever its score
};

/// What is asked for. Limits are the caller's to check; what is out of bounds is brought into them.
struct SearchRequest {
  // Plain words, identifiers, or code. Punctuation has no meaning but around exact parts
  // (search/exact_query.h), "quoted phrases" and /regular expressions/, which must match in a file.
  std::string query = {};
  std::size_t limit = 10;  // most hits in the answer, 1 to 50
  std::size_t offset = 0;  // hits that are passed over: earlier pages
  double threshold = 0.7;  // hits with a lower score are left out, but never the best one; 0 to 1
  bool explain = false;    // fill SearchHit::why
  bool is_local = false;   // asks no other program: by words where the model is one
  std::size_t snippet_bytes = 400;  // most bytes of a snippet
  std::size_t max_matches = 5;      // most matches in a snippet; the weightiest words stay
  // Filters: a file answers when each of them keeps it, and an empty list keeps every file. What is
  // left out takes no place in the ranking; word statistics stay those of the whole workspace.
  std::vector<std::string> file_extensions = {};  // ".ts" or "ts", ASCII case ignored
  std::vector<std::string> languages = {};        // "python", or "py" as its files end
  std::vector<std::string> paths = {};            // globs (search/file_filter.h): "src/**", "!*.md"
  // Types and kinds of definitions ("method", "getter"): what is shown is such a definition.
  std::vector<std::string> kinds = {};
  TestFiles tests = TestFiles::kInclude;
  // How many of the hits, of which it gets the ranks, best first, are to be made, at least one:
  // what they show takes as long as the ranking. The others count as beyond the limit. No function:
  // all.
  std::function<std::size_t(std::span<const HitRank>)> choose = {};
};

/// The innermost definition that holds a line.
struct PieceSymbol {
  store::SymbolId id{};
  std::string name;
  SymbolType type = SymbolType::kVariable;
  std::string kind;       // finer than type: getter, enum, const, ...
  std::string container;  // qualified name of the enclosing definition, "" at top level
};

/// A query word where it stands in a snippet.
struct TextMatch {
  std::uint32_t start = 0;  // 0-based offset into the snippet in UTF-16 code units
  std::uint32_t end = 0;    // of the last code unit: inclusive
  std::string text;
};

/// One part of a hit's score: weight x value, before the prior.
struct ScorePart {
  std::string name;
  double weight = 0;
  double value = 0;
};

/// One piece of a file: a definition or a chunk.
struct SearchHit {
  std::string path;  // relative to the root, '/' between
  std::string language;
  std::int64_t generation = 0;        // of the store when the file last changed
  std::optional<PieceSymbol> symbol;  // innermost definition at `line`
  // The symbol's kind; else "code", or "text" of configuration and without a grammar.
  std::string kind;
  double score = 0;        // 0 to 1, falls along the answer; see docs/design/search.md, "Scores"
  double probability = 0;  // the chance that the file is an answer, 0 to 1; falls along the answer
  std::string snippet;     // whole lines of the piece around its best-matching lines
  std::uint32_t line = 1;  // 1-based: a found definition's first, else the best-matching
  std::uint32_t snippet_line = 1;              // of the snippet's first byte
  std::uint32_t start_line = 1, end_line = 1;  // the syntactic piece, 1-based, inclusive
  std::vector<TextMatch> matches;              // ascending, without overlap
  // With exact parts: how many lines of the file match one of them (with kinds, lines of
  // definitions that are kept; at least so many when the answer is partial), and the first of
  // these.
  std::size_t match_count = 0;
  std::vector<std::uint32_t> match_lines;  // 1-based, ascending, at most 20
  std::vector<ScorePart> why;              // with explain: the recipe's terms, then "prior"
};

struct SearchAnswer {
  std::vector<SearchHit> hits;      // best first
  std::size_t matched_files = 0;    // files that matched, after the filters
  std::size_t below_threshold = 0;  // pieces that were left out for their score
  std::size_t beyond_limit = 0;     // left out for `limit`, after these
  std::uint64_t matched_lines = 0;  // with exact parts: the lines of these files that match one
  bool is_partial = false;          // with exact parts: not all lines were counted
  double known = 0;                 // share of the query's words that some file has, by rarity
  bool is_weak = false;             // nothing matched well, as `note` says
  bool degraded = false;            // ranked without vectors
  std::string note;                 // for people: why degraded, or that nothing matched well
  std::int64_t generation = 0;      // of the store that was searched
};

/// A question for pieces that resemble a text or a file.
struct RelatedRequest {
  std::string text = {};  // code or prose; ignored when `path` is given
  std::string path = {};  // a file of the index: what resembles it, itself left out
  std::size_t limit = 5;
  std::vector<std::string> exclude_paths = {};  // files that are not wanted
  std::size_t snippet_bytes = 400;
};

/// What `note` says of an answer that is_weak.
inline constexpr char kNothingMatchedWell[] = "nothing matched well";

struct SearchOptions {
  std::chrono::milliseconds exact_patience{5000};  // for all the matching of one answer
  /// The model of the stored vectors; null means the built-in one.
  std::shared_ptr<const embed::Embedder> embedder;
  bool use_vectors = true;
  /// Parts of the ranking that are left out (search/ranking.h), for measuring what each is worth.
  std::uint32_t parts_off = 0;
  /// Why vectors are not used, for people; empty: that is as wished, and answers do not count as
  /// degraded.
  std::string why_no_vectors = "vectors are switched off";
  /// Called, on the thread of an answer, when files are found without vectors of `embedder`.
  std::function<void()> on_pending = {};
};

/// What is asked for code: the engine of one store, or several as one (search/united_search.h).
/// Thread-safe.
class CodeSearch {
 public:
  CodeSearch() = default;
  virtual ~CodeSearch() = default;
  CodeSearch(const CodeSearch&) = delete;
  CodeSearch& operator=(const CodeSearch&) = delete;

  /// The pieces of code that answer `request`, best first: one a file, and behind the first three
  /// files up to two further pieces of these (search/pieces.h).
  ///
  /// With exact parts, every file in which all of them match is an answer whatever its score, and
  /// no other is; what is shown is around a matching line. Parts alone rank files by their words,
  /// the number of lines that match and what speaks for a file in itself.
  ///
  /// Ties keep path order. When any file matches, the best hit is returned whatever its score.
  /// Missing, stale or damaged vectors never fail an answer: they are rebuilt from the store, or it
  /// says `degraded`. Errors: kInvalidArgument for a query without a letter, digit or exact
  /// part, for what is no regular expression, and for filters that name nothing known; kIo,
  /// kCorrupt and kBusy of the store; kCancelled.
  virtual Result<SearchAnswer> search(const SearchRequest& request,
                                      const std::stop_token& stop) = 0;
  Result<SearchAnswer> search(const SearchRequest& request) { return search(request, {}); }

  /// The pieces most like a text or a file, best first, at most one a file; scores as in search().
  /// Errors: kNotFound when `path` is not in the index; those of search().
  virtual Result<SearchAnswer> find_related(const RelatedRequest& request) = 0;
};

class SearchEngine final : public CodeSearch {
 public:
  /// Searches `workspace`, which must outlive the engine. Reads nothing yet.
  explicit SearchEngine(store::Workspace& workspace, SearchOptions options = {});
  ~SearchEngine() override;

  using CodeSearch::search;
  Result<SearchAnswer> search(const SearchRequest& request, const std::stop_token& stop) override;
  Result<SearchAnswer> find_related(const RelatedRequest& request) override;

  const SearchOptions& options() const;

  /// Brings the snapshot up to the store's generation now, so that the next search does not wait.
  Result<void> refresh();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::search
