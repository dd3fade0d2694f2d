// graph/broken_uses.h - what a change of some files leaves without a meaning.
//
// Two states of a repository, each a store, are compared: first what means nothing in the files as
// they are after the change is looked for where the change can have reached (find_suspects), then
// what meant nothing before it either is left out (keep_broken). The second step, for which the
// state before has to be made, is seldom needed. Only what is known to mean nothing counts: where
// facts do not suffice, nothing is said. Languages whose imports and names are not resolved have no
// such uses. Design: docs/design/git.md.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "text/ranges.h"
#include "base/result.h"
#include "graph/facts_cache.h"
#include "graph/core/file_model.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// A definition that stood in a file before the change and does not after it, or a name that a
/// module had from elsewhere and handed on.
struct GoneSymbol {
  std::string path;
  std::string name;
  std::string qualified_name;
  Family family = Family::kNone;
  bool is_handed_on = false;
};

/// What has changed.
struct ChangeScope {
  std::set<std::string> changed;  // files, by path: other, new, or gone
  std::set<std::string> deleted;  // of these
  std::vector<GoneSymbol> gone;
  /// What changed files imported before: by path, {module as written, name}; for each module also
  /// with an empty name.
  std::map<std::string, std::set<std::pair<std::string, std::string>>> imports;
};

struct BrokenUse {
  enum class Kind : std::uint8_t {
    kImport,  // a module that is not found
    kName,    // a name that the module imported from does not have
    kUse,     // a use of a definition that is gone
  };
  Kind kind = Kind::kImport;
  std::string path;
  Position position;       // of the statement or the identifier
  std::string name;        // the module as written, or the name
  std::string module;      // of kName: the module's path as written
  std::string target;      // of kName: that module's file; of kUse, after keep_broken(): the file
                           // that had the definition
  std::string context;     // the line, as references quote it
  bool is_member = false;  // of kUse: it has a receiver
  bool is_conditional = false;  // of imports: it counts if it was found before; in a try, an if or
                                // a function, or of what may be a package from outside
  std::string unchecked;        // why it cannot be told; empty: it means nothing
};

/// What the change may have broken, each list by path and position.
struct Suspects {
  std::vector<BrokenUse> broken;     // means nothing after the change: candidates for keep_broken()
  std::vector<BrokenUse> unchecked;  // of what is gone, or new, and may be there all the same
  bool is_complete = true;           // false: there was too much to look at all of it
};

/// What means nothing after the change, and what cannot be told. Errors: kCancelled; those of the
/// store.
Result<Suspects> find_suspects(FactsCache& cache, store::CodeReader& after,
                               const ChangeScope& scope, std::stop_token stop);

/// Those of `suspects` that meant something in the store `before`, and new imports. Errors:
/// kCancelled; those of the store.
Result<std::vector<BrokenUse>> keep_broken(FactsCache& cache, store::CodeReader& before,
                                           const ChangeScope& scope,
                                           std::vector<BrokenUse> suspects, std::stop_token stop);

}  // namespace codexmem::graph
