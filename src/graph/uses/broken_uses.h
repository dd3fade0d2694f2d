// graph/uses/broken_uses.h - finds the uses that a change of some files breaks.
//
// Compares two states of a repository, each in a store. find_suspects() lists the uses without a
// meaning after the change, in the files that the change can affect; keep_broken() removes those
// that had no meaning before either. The second step needs a store of the state before, and is
// seldom needed. A use counts only when it certainly has no meaning: where the facts do not
// suffice, it is not reported. Languages with unresolved imports and names have no such uses.
// Design: docs/how-it-works.md, "Check".
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
#include "graph/stored/facts_cache.h"
#include "graph/core/file_model.h"
#include "graph/uses/call_shape.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// A definition that was in a file before the change and is not after it, or a name that a module
/// re-exported from elsewhere.
struct GoneSymbol {
  std::string path;
  std::string name;
  std::string qualified_name;
  Family family = Family::kNone;
  bool is_handed_on = false;
};

/// A function that takes other arguments than before.
struct ChangedCall {
  std::string path;
  std::string name;
  std::string qualified_name;
  CallShape before, after;
};

/// The files and symbols that changed.
struct ChangeScope {
  std::set<std::string> changed;  // files, by path: changed, new, or removed
  std::set<std::string> deleted;  // the removed ones of these
  std::vector<GoneSymbol> gone;
  std::vector<ChangedCall> calls = {};
  /// The imports of changed files before the change: by path, {module as written, name}; for each
  /// module also with an empty name.
  std::map<std::string, std::set<std::pair<std::string, std::string>>> imports;
};

struct BrokenUse {
  enum class Kind : std::uint8_t {
    kImport,  // a module that is not found
    kName,    // a name that the module imported from does not have
    kUse,     // a use of a removed definition
    kCall,    // a call that fitted the parameters before, and does not fit them now
  };
  Kind kind = Kind::kImport;
  std::string path;
  Position position;       // of the statement or the identifier
  std::string name;        // the module as written, or the name
  std::string module;      // of kName: the module's path as written
  std::string target;      // of kName: that module's file; of kUse, after keep_broken(): the file
                           // that had the definition
  std::string context;     // the line, as references quote it
  std::string reason;      // of kCall: why it does not fit
  bool is_member = false;  // of kUse: it has a receiver
  bool is_conditional = false;  // of imports: in a try, an if or a function, or of a possible
                                // package from outside: it counts if it was found before
  std::string unchecked;        // why it cannot be decided; empty: certainly broken
};

/// The uses that the change may have broken, each list by path and position.
struct Suspects {
  std::vector<BrokenUse> broken;     // without a meaning after the change: candidates for
                                     // keep_broken()
  std::vector<BrokenUse> unchecked;  // uses of removed or new names that may exist all the same
  /// The number of other places, by name, with the name of a removed member: their receivers are
  /// unknown.
  std::map<std::string, std::size_t> possible;
  bool is_complete = true;  // false: there were too many places to check all of them
};

/// Returns the uses without a meaning after the change, and those that cannot be decided. Errors:
/// kCancelled; the store's errors.
Result<Suspects> find_suspects(FactsCache& cache, store::CodeReader& after,
                               const ChangeScope& scope, std::stop_token stop);

/// Returns the `suspects` that had a meaning in the store `before`, and new imports. Errors:
/// kCancelled; the store's errors.
Result<std::vector<BrokenUse>> keep_broken(FactsCache& cache, store::CodeReader& before,
                                           const ChangeScope& scope,
                                           std::vector<BrokenUse> suspects, std::stop_token stop);

}  // namespace codexmem::graph
