// parse/walk/nominal.h - types written in several places: embedded types, methods outside their
// type, type switches, lists that repeat a declaration.
//
// Internal to parse. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <vector>

#include "parse/walk/builder.h"
#include "parse/terms/terms.h"

namespace codexmem::parse {

class NominalBuilder : private Builder {
 public:
  NominalBuilder(const Builder& base, NodeTerms& nodes) : Builder(base), nodes_(nodes) {}

  /// Begins a new file.
  void reset();

  /// Symbol `symbol` has the members of `type`.
  void embed(const Node& type, std::uint32_t symbol);
  /// The method `symbol` belongs to `type`; the names in `list` are the type parameters of `type`.
  void belong(const Node& type, const Node& list, std::uint32_t symbol);
  /// The block whose scope is open adds members to `type`, which then implements `trait` if given.
  void extend(const Node& type, const Node& trait);
  /// Sets the bound of type parameter `name` to the types among the children of `clause`.
  void bound(const Node& clause, const Node& name);
  /// The node of frame `index` is a clause of the type switch above it.
  void bind_clause(std::uint32_t index);
  /// Sets the omitted type and value of a declarator in `list` to the previous declarator's; a
  /// declarator that has them is remembered.
  void repeat(const Node& list, Node* type, Node* value);

  /// True if something waits for its identifier.
  bool waits() const { return !waiting_.empty(); }
  /// Occurrence `added`, at byte `offset`, may be the awaited name.
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
  const void* list_ = nullptr;  // the list whose declarators repeat
  Node type_;
  Node value_;
};

}  // namespace codexmem::parse
