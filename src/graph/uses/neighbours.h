// graph/uses/neighbours.h - the symbols around a symbol: callers, callees, super- and subtypes,
// overrides.
//
// Stateless except for the shared cache. Design: docs/how-it-works.md, "Hierarchy".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/stored/facts_cache.h"
#include "graph/uses/references.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

/// What questions about one moment share, so that files, imports and meanings are read once for all
/// of them: list_callees({cache, reader}, ...) for one alone. For one thread; both arguments must
/// outlive it.
class Surroundings {
 public:
  Surroundings(FactsCache& cache, store::CodeReader& reader);
  ~Surroundings();

  struct Parts;
  Parts& parts() const { return *parts_; }

 private:
  std::unique_ptr<Parts> parts_;
};

struct Neighbour {
  store::SymbolRow symbol;
  std::string path;
  std::size_t count = 1;  // places that make it a neighbour
  std::size_t depth = 1;  // steps of extending between a type and its super- or subtype
  Position first;  // the first of them: of callers in `path`, of callees in the caller's file
  std::vector<std::uint32_t> offsets;             // of all of them, in that file
  Confidence confidence = Confidence::kResolved;  // of the surest place
};

/// Symbols in whose body `symbol` is called, most places first, then path and line; at most
/// `limit`. Calls at a file's top level have no symbol and do not count. Resolved and likely calls.
Result<std::vector<Neighbour>> list_callers(const Surroundings& around, store::SymbolId symbol,
                                            std::size_t limit);

/// A test that calls a symbol: a function of a test file, or the file itself where calls stand in
/// callbacks without a name.
struct TestUse {
  std::string path;
  std::string test;       // qualified name of the function; "" for the file
  std::size_t count = 1;  // calls
  Position first;         // the first of them
};

struct CallSites {
  std::vector<Neighbour> callers;  // outside of tests, as list_callers()
  std::vector<TestUse> tests;      // most calls first, then path and line
};

/// The callers of `symbol`, with tests in a separate list, each list of at most `limit`; `is_test`
/// recognises tests by their path.
Result<CallSites> list_call_sites(const Surroundings& around, store::SymbolId symbol,
                                  std::size_t limit,
                                  const std::function<bool(std::string_view path)>& is_test);

/// Classes, interfaces, types and enums outside of `symbol` that its declaration or its body names
/// as types, in the order of their first use; at most `limit`.
Result<std::vector<Neighbour>> list_types(const Surroundings& around, store::SymbolId symbol,
                                          std::size_t limit);

/// Symbols outside of `symbol` that its body calls, in the order of their first call; at most
/// `limit`. A field or variable that is called is followed by the functions that code gives it,
/// likely ones (graph/core/held_functions.h).
Result<std::vector<Neighbour>> list_callees(const Surroundings& around, store::SymbolId symbol,
                                            std::size_t limit);

/// Classes and interfaces that `symbol` extends or implements: direct ones first, in source order;
/// then what these extend, up to `max_depth` steps away; at most `limit`. `with_implied`: also
/// interfaces that it implements without saying so.
Result<std::vector<Neighbour>> list_supertypes(const Surroundings& around, store::SymbolId symbol,
                                               std::size_t limit, std::size_t max_depth = 1,
                                               bool with_implied = false);

/// Classes and interfaces that extend or implement `symbol`, said or not: direct ones first, by
/// path and line; then what extends these, up to `max_depth` steps away; at most `limit`.
Result<std::vector<Neighbour>> list_subtypes(const Surroundings& around, store::SymbolId symbol,
                                             std::size_t limit, std::size_t max_depth = 1);

/// The symbols above and below a symbol by inheritance. All lists are empty when it is neither a
/// type nor a member of a type.
struct Hierarchy {
  std::vector<Neighbour> supertypes;     // of a type, all of them, as list_supertypes()
  std::vector<Neighbour> subtypes;       // as list_subtypes()
  std::vector<Neighbour> overrides;      // of a member: the supertypes' members that it overrides
                                         // or implements, nearest first
  std::vector<Neighbour> overridden_by;  // the subtypes' members that override or implement it

  bool empty() const {
    return supertypes.empty() && subtypes.empty() && overrides.empty() && overridden_by.empty();
  }
};

/// Each list of at most `limit`. Members assigned in a method (this.x = ..., self.x = ...) override
/// nothing; neither do constructors of TypeScript and names private to their class.
Result<Hierarchy> find_hierarchy(const Surroundings& around, store::SymbolId symbol,
                                 std::size_t limit);

}  // namespace codexmem::graph
