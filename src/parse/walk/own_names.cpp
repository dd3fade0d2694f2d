// Names of languages that mark fields, @name, and whose unbound bare names are calls. Tested by
// golden_test.cpp.
#include "parse/walk/names.h"

namespace codexmem::parse {
namespace {

constexpr int kMaxBlocks = 256;  // enclosing blocks

}  // namespace

// True if a bare name here is bound, in a scope up to the enclosing function.
bool NameBuilder::is_bound(std::string_view name) {
  return scope_binding(sink_.id_of(name)) != kNoIndex;
}

// The scope that binds a name used here; kNoIndex if unbound.
std::uint32_t NameBuilder::scope_binding(NameId name) const {
  std::uint32_t scope = frames_.scope();
  for (int blocks = 0; blocks < kMaxBlocks && scope != kNoIndex; ++blocks) {
    if (sink_.find_binding(scope, name) != PairMap::kAbsent) return scope;
    if (facts_.scopes[scope].kind != ScopeKind::kComprehension) break;
    scope = facts_.scopes[scope].parent;
  }
  return kNoIndex;
}

// @name = value: a member of the enclosing class.
void NameBuilder::declare_own(std::string_view name, ByteRange range, std::uint32_t parent,
                              const Node& node, Field field, Kind kind, std::uint32_t position,
                              const Declarator* declarator) {
  const std::uint32_t owner = frames_.own_class();
  const EdgeRule* part = Rules::edge(frames_[parent].rules->part_edges, field, kind);
  if (owner == kNoIndex) {
    // In a block of a test: it belongs to the file.
    sink_.add_binding(name, 0, BindingKind::kLocal, kNoIndex, range.begin,
                      places_.given(part, parent, node, position, declarator, Context::kOwn));
    return;
  }
  assignments_.add_attribute(
      {.owner = owner,
       .name = name,
       .name_range = range,
       .range = declarator == nullptr ? range : range_of(frames_[declarator->frame].node),
       .term = places_.given(part, parent, node, position, declarator, Context::kOwn)});
}

}  // namespace codexmem::parse
