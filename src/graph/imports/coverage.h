// graph/imports/coverage.h - the files that an answer was searched in, and what could hide more
// results.
//
// Stateless; reads through the caller's CodeReader. Design: docs/how-it-works.md, "The account".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>
#include <string_view>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// The files that were searched for an answer.
struct AnswerCoverage {
  std::size_t files_searched = 0;
  std::size_t files_skipped = 0;   // files and folders of the repository that are not indexed
  std::size_t files_unparsed = 0;  // searched files with parts that were not understood, and
                                   // files whose facts are damaged
  /// A language of the question whose names (references) or imports (dependencies) are not
  /// resolved; empty when all are.
  std::string unresolved_language;
};

/// The same of a look-up of definitions.
struct DefinitionCoverage : AnswerCoverage {
  /// Without results: the searched files in which the name occurs all the same.
  std::optional<std::size_t> files_with_name;
};

/// Constructs through which a file may use a name that it does not contain, by kind.
struct DynamicCounts {
  std::size_t eval = 0;             // eval, exec, new Function
  std::size_t computed_member = 0;  // a[b]
  std::size_t reflection = 0;       // getattr, setattr, globals()
  std::size_t computed_import = 0;  // import(x), require(x), __import__(x)

  std::size_t total() const { return eval + computed_member + reflection + computed_import; }
};

/// The same where the facts of files were read.
struct FactsCoverage : AnswerCoverage {
  std::size_t unparsed_ranges = 0;     // the parts that were not understood
  DynamicCounts dynamic;               // in the files read
  std::size_t unresolved_imports = 0;  // imports of the files read that were not found
  // Of cover_imports(): whether parts that were not understood may import, and the files that have
  // them, if few files were not parsed whole.
  bool may_hide_imports = false;
  std::vector<std::string> unparsed;
};

class FileModel;

/// Adds the facts of `file`, except its imports.
void add_facts(FactsCoverage& coverage, const FileModel& file);

/// The coverage of a look-up of definitions of `symbol` (as in SymbolQuery), which was `in_vain` or
/// not: in the file at `path`, or in all files of languages that have definitions.
Result<DefinitionCoverage> cover_definitions(FactsCache& cache, store::CodeReader& reader,
                                             std::string_view symbol,
                                             const std::optional<std::string>& path, bool in_vain);

/// The coverage of the imports of and to the file at `path`. Importers were looked for in all files
/// of languages that import; what concerns facts is of the file's own, and of its constructs only
/// computed imports count. The caller knows `unresolved_imports`.
Result<FactsCoverage> cover_imports(FactsCache& cache, store::CodeReader& reader,
                                    const std::string& path);

}  // namespace codexmem::graph
