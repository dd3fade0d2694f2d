// search/search.h - search over a workspace's store, in plain language or by half-remembered names.
//
// A SearchEngine keeps a read-only snapshot of the ranking data (files, definition names, chunk
// lengths, vectors) and updates it to the store's generation before each answer.
// docs/how-it-works.md, "Search" describes the ranking: field-weighted BM25 over chunks and files,
// names of definitions, files and folders, vectors of a static model, centrality, and a prior for
// tests and examples. Thread-safe: any number of threads may search at once; each borrows its own
// connection.
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

/// The keys that order a hit among hits from other repositories.
struct HitRank {
  double probability = 0;  // as in SearchHit
  double score = 0;
  bool is_exact = false;  // an answer whatever its score
};

/// The parameters of a search. Callers check limits; values out of range are clamped.
struct SearchRequest {
  // Plain words, identifiers, or code. Punctuation has a meaning only for exact parts
  // (search/exact_query.h), "quoted phrases" and /regular expressions/, which must match in a file.
  std::string query = {};
  std::size_t limit = 10;  // maximum hits in the answer, 1 to 50
  std::size_t offset = 0;  // number of hits to skip: earlier pages
  double threshold = 0.7;  // hits with a lower score are left out, except the best one; 0 to 1
  bool explain = false;    // fill SearchHit::why
  bool is_local = false;   // do not use another program: rank by words if the model is one
  std::size_t snippet_bytes = 400;  // maximum bytes of a snippet
  std::size_t max_matches = 5;      // maximum matches in a snippet; those with the highest weight
                                    // are kept
  // Filters: a file must pass all of them, and an empty list passes every file. Files left out take
  // no place in the ranking; word statistics still cover the whole workspace.
  std::vector<std::string> file_extensions = {};  // ".ts" or "ts", ASCII case ignored
  std::vector<std::string> languages = {};        // "python", or "py" as its files end
  std::vector<std::string> paths = {};            // globs (search/file_filter.h): "src/**", "!*.md"
  // Types and kinds of definitions ("method", "getter"): only such definitions are shown.
  std::vector<std::string> kinds = {};
  TestFiles tests = TestFiles::kInclude;
  // Gets the ranks of the hits, best first, and returns how many of them to build, at least one,
  // because building takes as long as the ranking. The others count as beyond the limit. Empty:
  // all.
  std::function<std::size_t(std::span<const HitRank>)> choose = {};
};

/// The innermost definition that contains a line.
struct PieceSymbol {
  store::SymbolId id{};
  std::string name;
  SymbolType type = SymbolType::kVariable;
  std::string kind;       // finer than type: getter, enum, const, ...
  std::string container;  // qualified name of the enclosing definition, "" at top level

  std::string qualified_name() const { return container.empty() ? name : container + "." + name; }
};

/// A query word in a snippet.
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
  // The symbol's kind; otherwise "code", or "text" for configuration and languages without a
  // grammar.
  std::string kind;
  double score = 0;  // 0 to 1, descending along the answer; see docs/how-it-works.md, "Search"
  double probability = 0;  // the probability that the file is an answer, 0 to 1; descending along
                           // the answer
  std::string snippet;     // whole lines of the piece around its best-matching lines
  std::uint32_t line = 1;  // 1-based: the first line of a found definition, else the best-matching
                           // line
  std::uint32_t snippet_line = 1;              // of the snippet's first byte
  std::uint32_t start_line = 1, end_line = 1;  // the syntactic piece, 1-based, inclusive
  std::vector<TextMatch> matches;              // ascending, without overlap
  // With exact parts: the number of lines of the file that match one of them (with kinds, only
  // lines of accepted definitions; a lower bound if the answer is partial), and the first of these
  // lines.
  std::size_t match_count = 0;
  std::vector<std::uint32_t> match_lines;  // 1-based, ascending, at most 20
  std::vector<ScorePart> why;              // with explain: the recipe's terms, then "prior"
};

struct SearchAnswer {
  std::vector<SearchHit> hits;      // best first
  std::size_t matched_files = 0;    // files that matched, after the filters
  std::size_t below_threshold = 0;  // pieces left out because of their score
  std::size_t beyond_limit = 0;     // pieces left out because of `limit`, after these
  std::uint64_t matched_lines = 0;  // with exact parts: number of matching lines in these files
  bool is_partial = false;          // with exact parts: not all lines were counted
  double known = 0;                 // share of the query's words that occur in a file, by rarity
  bool is_weak = false;             // nothing matched well; see `note`
  bool degraded = false;            // ranked without vectors
  std::string note;                 // for display: why degraded, or that nothing matched well
  std::int64_t generation = 0;      // of the store that was searched
};

/// A query for pieces that resemble a text or a file.
struct RelatedRequest {
  std::string text = {};  // code or prose; ignored when `path` is given
  std::string path = {};  // a file in the index: finds pieces that resemble it, except its own
  std::size_t limit = 5;
  std::vector<std::string> exclude_paths = {};  // files to leave out
  std::size_t snippet_bytes = 400;
};

/// A report of a problem: an issue, a traceback, a log, a failing test's output.
struct LocateRequest {
  std::string text;
  std::size_t limit = 10;               // maximum functions, 1 to 50
  std::vector<std::string> paths = {};  // globs, as in SearchRequest
  TestFiles tests = TestFiles::kExclude;
  std::size_t code_bytes = 1500;  // maximum bytes of the first function's code; 0: none
  bool explain = false;           // fill LocatedFunction::why
};

struct LocatedFunction {
  std::string path;             // relative to the root, '/' between
  std::string name, container;  // of the function, and of the definition around it
  std::string kind;
  std::uint32_t line = 1;                      // of its name, 1-based
  std::uint32_t start_line = 1, end_line = 1;  // 1-based, inclusive
  double score = 0;                            // descending along the answer; no scale
  double probability = 0;                      // that it is one of the functions wanted, 0 to 1
  std::vector<std::string> reasons;            // for display: "frame 3", "named in the text"
  std::string code;             // of the first: its text, or the lines of it that match best
  bool is_code_cut = false;     // the text is longer
  std::uint32_t code_line = 0;  // 1-based line where `code` begins
  std::vector<ScorePart> why;   // with explain

  std::string qualified_name() const { return container.empty() ? name : container + "." + name; }
};

struct LocateAnswer {
  std::vector<LocatedFunction> functions;  // best first
  std::size_t beyond_limit = 0;            // functions looked at and left out
  bool is_weak = false;                    // nothing matched well; see `note`
  bool degraded = false;                   // ranked without vectors
  std::string note;                        // for display
};

/// The `note` of an answer that is_weak.
inline constexpr char kNothingMatchedWell[] = "nothing matched well";

struct SearchOptions {
  std::chrono::milliseconds exact_patience{5000};  // total for all matching in an answer
  /// The model of the stored vectors; null means the built-in one.
  std::shared_ptr<const embed::Embedder> embedder;
  bool use_vectors = true;
  /// Disabled parts of the ranking (search/ranking.h), to measure the effect of each.
  std::uint32_t parts_off = 0;
  /// Why vectors are not used, for display; empty: not using them is intended, and answers do not
  /// count as degraded.
  std::string why_no_vectors = "vectors are switched off";
  /// Called, on an answer's thread, when files without vectors of `embedder` are found.
  std::function<void()> on_pending = {};
};

/// The interface for code search: the engine of one store, or several combined
/// (search/united_search.h). Thread-safe.
/// Thread-safe.
class CodeSearch {
 public:
  CodeSearch() = default;
  virtual ~CodeSearch() = default;
  CodeSearch(const CodeSearch&) = delete;
  CodeSearch& operator=(const CodeSearch&) = delete;

  /// The pieces of code that answer `request`, best first: one per file, and after the first three
  /// files up to two additional pieces of these (search/pieces.h).
  ///
  /// With exact parts, every file in which all of them match is an answer regardless of its score,
  /// and no other file is; the shown piece is around a matching line. Where none is and the query
  /// has other words, it is searched as words, and the note says so. With only exact parts, files
  /// are ranked by their words, the number of matching lines, and evidence independent of the
  /// query.
  ///
  /// Ties keep path order. If any file matches, the best hit is returned regardless of its score.
  /// Missing, stale or damaged vectors never fail an answer: they are rebuilt from the store, or
  /// the answer says `degraded`. Errors: kInvalidArgument for a query without a letter, digit or
  /// exact part, for an invalid regular expression, and for filters with unknown names; kIo,
  /// kCorrupt and kBusy of the store; kCancelled.
  virtual Result<SearchAnswer> search(const SearchRequest& request,
                                      const std::stop_token& stop) = 0;
  Result<SearchAnswer> search(const SearchRequest& request) { return search(request, {}); }

  /// The pieces most similar to a text or a file, best first, at most one per file; scores as in
  /// search(). Errors: kNotFound when `path` is not in the index; as search().
  virtual Result<SearchAnswer> find_related(const RelatedRequest& request) = 0;

  /// The functions that `request.text` is about, best first. Errors: kInvalidArgument for a text
  /// without a word, and for an empty glob; as search().
  virtual Result<LocateAnswer> locate(const LocateRequest& request,
                                      const std::stop_token& stop) = 0;
};

class SearchEngine final : public CodeSearch {
 public:
  /// Searches `workspace`, which must outlive the engine. Reads nothing yet.
  explicit SearchEngine(store::Workspace& workspace, SearchOptions options = {});
  ~SearchEngine() override;

  using CodeSearch::search;
  Result<SearchAnswer> search(const SearchRequest& request, const std::stop_token& stop) override;
  Result<SearchAnswer> find_related(const RelatedRequest& request) override;
  Result<LocateAnswer> locate(const LocateRequest& request, const std::stop_token& stop) override;

  const SearchOptions& options() const;

  /// Updates the snapshot to the store's generation now, so that the next search need not wait.
  Result<void> refresh();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::search
