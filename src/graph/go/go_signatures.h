// graph/go/go_signatures.h - compares the signatures of two methods, as far as facts describe them.
#pragma once

#include <cstdint>

#include "graph/core/entity.h"

namespace codexmem::graph {

class Resolver;

/// How far two types, signatures or sets of methods are the same.
enum class Sameness : std::uint8_t {
  kNone,    // they differ
  kLikely,  // nothing differs, but a part is not known or has type parameters
  kSure,    // all parts are the same; pointers are what they point to
};

/// Compares the parameters and results of two methods.
Sameness compare_signatures(Resolver& resolver, const Entity& method, const Entity& other);

}  // namespace codexmem::graph
