// graph/imports/code_rules.h - rules about a repository's code that a program can check.
//
// A rule is one line of text. Violations are found among the index's imports and the uses of
// symbols. Design: docs/how-it-works.md, "Rules, revisions, history".
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/core/source_texts.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"
#include "text/path_globs.h"
#include "text/ranges.h"

namespace codexmem::graph {

/// One of
///
///   forbid import PLACES -> THINGS     files at PLACES import none of THINGS
///   only PLACES may use THINGS         files elsewhere neither import nor use them
///   symbol NAME must exist
///   no new uses of NAMES
///
/// PLACES are globs as in a .gitignore, THINGS such globs, packages or symbols, NAMES symbols as
/// for find_symbols(); several are separated by commas.
struct CodeRule {
  enum class Kind : std::uint8_t { kForbidImport, kOnlyMayUse, kMustExist, kNoNewUses };

  Kind kind = Kind::kForbidImport;
  std::string text;  // as above, with single spaces
  PathGlobs places;
  std::vector<std::string> things;

  /// Errors: kInvalidArgument for any other text; the message lists these forms.
  static Result<CodeRule> parse(std::string_view text);
};

/// A place that breaks a rule.
struct RuleBreach {
  std::string path;     // "" for a symbol that is missing
  Position position;    // of the import or the identifier
  std::string name;     // the module as written, or the symbol
  std::string context;  // the line, as references quote it
};

struct RuleState {
  std::vector<RuleBreach> breaches;  // by path and position
  std::size_t total = 0;             // breaches before the limit
  /// Things that are neither a path, nor imported, nor a symbol: perhaps a typing error.
  std::vector<std::string> unknown;
};

/// Checks rules against one state of a repository. One thread; the arguments must outlive it.
class RuleCheck {
 public:
  /// `files`: only places in these count, paths by the root; null: in all files, and the imports
  /// are read once for all rules.
  RuleCheck(FactsCache& cache, store::CodeReader& reader, const std::set<std::string>* files,
            std::stop_token stop);

  /// A use counts when it is resolved or likely (graph/uses/references.h). Without `files` a rule
  /// against new uses holds, and the answer names what is unknown. Errors: kCancelled; the store's
  /// errors.
  Result<RuleState> run(const CodeRule& rule, std::size_t limit);

 private:
  struct Import {
    const store::FileRow* source = nullptr;
    std::string target;            // path; empty: outside of the repository, or not found
    std::string package, written;  // of an external one; the module as written
    std::uint32_t line = 1;
  };

  Result<void> load();
  Result<void> find_imports(const CodeRule& rule, RuleState& state);
  Result<void> find_uses(const CodeRule& rule, RuleState& state);
  Result<void> find_missing(const CodeRule& rule, RuleState& state);
  Result<void> find_unknown(const CodeRule& rule, RuleState& state);
  Result<bool> is_mentioned(std::string_view name);

  FactsCache& cache_;
  store::CodeReader& reader_;
  const std::set<std::string>* files_;
  std::stop_token stop_;
  SourceTexts texts_;
  bool is_loaded_ = false;
  std::vector<store::FileRow> rows_;  // of files_, or of all files
  std::vector<Import> imports_;
};

}  // namespace codexmem::graph
