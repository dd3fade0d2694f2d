// parse/walk/assignments.h - values that are assigned to symbols and bindings after their
// declaration.
//
// Internal to parse. Assignments are collected while a file is read, because names can be resolved
// only at its end. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/facts/fact_sink.h"
#include "parse/walk/source.h"

namespace codexmem::parse {

/// this.x = ... or self.x = ...: an attribute, unless the class declares it.
struct Attribute {
  std::uint32_t owner = 0;
  std::string_view name;
  ByteRange name_range;
  ByteRange range;
  bool is_function = false;
  bool is_annotated = false;     // values of other assignments do not count
  bool has_known_value = false;  // the assigned value is known
  TermId term = kNoIndex;
};

class Assignments {
 public:
  Assignments(const Source& source, FactSink& sink)
      : source_(source), sink_(sink), facts_(sink.facts()) {}

  /// Begins a new file.
  void reset();

  /// x = term, where x is looked up from `scope`.
  void add(std::uint32_t scope, NameId name, TermId term);
  /// The same, for a known binding.
  void add_to_binding(std::uint32_t binding, TermId term);
  void add_to_symbol(std::uint32_t symbol, TermId term);
  void add_attribute(const Attribute& attribute) { attributes_.push_back(attribute); }

  /// True for an attribute that was assigned a known value so far.
  bool has_known_value(std::uint32_t owner, std::string_view name) const;

  /// Adds all values to the symbols and bindings, and adds the attributes that no class declares.
  /// Call it between the sink's end_occurrences() and finish().
  void finish();

 private:
  struct Assigned {
    std::uint32_t scope = 0;  // from which the name is looked up
    NameId name = 0;
    TermId term = kNoIndex;
  };
  /// A value of a symbol or binding from a later assignment.
  struct LaterTerm {
    bool is_symbol = false;
    std::uint32_t index = 0;
    TermId term = kNoIndex;
    bool is_annotated = false;  // only this one counts
  };

  void finish_attributes();
  std::uint32_t declare(const Attribute& attribute);
  void finish_names();
  void finish_terms();

  const Source& source_;
  FactSink& sink_;
  const FileFacts& facts_;
  std::vector<Attribute> attributes_;
  std::vector<Assigned> assigned_;
  std::vector<LaterTerm> later_terms_;
};

}  // namespace codexmem::parse
