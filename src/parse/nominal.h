// parse/nominal.h - types whose parts are written in several places: what a type embeds, methods
// that stand apart from their type, switches over types, lists that repeat what they declare.
//
// Internal to parse. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <vector>

#include "parse/builder.h"
#include "parse/terms.h"

namespace codexmem::parse {

class NominalBuilder : private Builder {
 public:
  NominalBuilder(const Builder& base, NodeTerms& nodes) : Builder(base), nodes_(nodes) {}

  /// Begins a new file.
  void reset();

  /// Symbol `symbol` has the members of `type`.
  void embed(const Node& type, std::uint32_t symbol);
  /// The method `symbol` belongs to `type`, whose type parameters the names in `list` are.
  void belong(const Node& type, const Node& list, std::uint32_t symbol);
  /// The block whose scope is open gives members to `type`, which implements `trait` if there is
  /// one.
  void extend(const Node& type, const Node& trait);
  /// The type parameter `name` is of each type among the children of `clause`.
  void bound(const Node& clause, const Node& name);
  /// The node of frame `index` is a clause of the switch over types above it.
  void bind_clause(std::uint32_t index);
  /// What a declarator of `list` has without saying it: the type and value of the one before, which
  /// this one's are remembered as else.
  void repeat(const Node& list, Node* type, Node* value);

  /// True if something waits for its identifier.
  bool waits() const { return !waiting_.empty(); }
  /// Occurrence `added`, at byte `offset`, may be the name that something waits for.
  void meet(std::uint32_t offset, std::uint32_t added);

 private:
  struct Waiting {
    std::uint32_t offset = 0;  // of the type's name
    std::uint32_t symbol = 0;
    TermId term = kNoIndex;
    bool is_embedded = false;
  };

  Node name_of(Node type) const;

  NodeTerms& nodes_;
  std::vector<Waiting> waiting_;
  const void* list_ = nullptr;  // whose declarators repeat
  Node type_;
  Node value_;
};

}  // namespace codexmem::parse
