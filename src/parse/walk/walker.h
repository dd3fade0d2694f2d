// parse/walk/walker.h - one walk over a syntax tree that collects a file's facts.
//
// Internal to parse. The walk enters each node of the tree and calls the builders
// (parse/walk/builder.h) that the rules of its kind name (parse/rules/rules.h); they write to one
// sink. Not thread-safe; reusable.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "parse/walk/assignments.h"
#include "parse/walk/builder.h"
#include "parse/terms/declarators.h"
#include "parse/facts/fact_sink.h"
#include "parse/walk/frame_stack.h"
#include "parse/terms/function_terms.h"
#include "parse/text/javadoc.h"
#include "parse/text/jsdoc.h"
#include "parse/walk/modifiers.h"
#include "parse/walk/modules.h"
#include "parse/walk/names.h"
#include "parse/walk/nominal.h"
#include "parse/terms/forms.h"
#include "parse/walk/places.h"
#include "parse/walk/source.h"
#include "parse/walk/symbols.h"
#include "parse/terms/terms.h"

namespace codexmem::parse {

class Walker {
 public:
  /// The facts of `text`, whose tree has `root`, without its chunks. When `budget` is used up, the
  /// facts up to that point, marked as truncated. The names in `other_names`, which are not in
  /// `text`, become occurrences as well, at these places of the text `original`.
  FileFacts walk(const Rules& rules, const Node& root, std::string_view text, const Budget& budget,
                 std::string_view original = {}, std::span<const ByteRange> other_names = {});

 private:
  void visit(const Node& root, const Budget& budget);
  void reset(const Rules& rules, std::string_view text);
  bool enter(std::uint32_t index);
  void leave();
  bool is_behind_vararg(std::uint32_t index) const;
  /// True if it declared a symbol.
  bool run(const Pattern& pattern, std::uint32_t index, const Captures& captures);

  Source source_;
  FactSink sink_;
  FrameStack frames_{sink_.facts()};
  const Builder base_{source_, sink_, frames_};
  Assignments assignments_{source_, sink_};
  TermMemo memo_;
  JsDoc docs_{base_};
  Javadoc javadoc_{base_};
  NodeTerms nodes_{base_, memo_, docs_, functions_};
  FunctionTerms functions_{base_, memo_, docs_, nodes_};
  Places places_{base_, docs_, nodes_, functions_};
  Surroundings surroundings_{base_};
  SymbolBuilder symbols_{base_, surroundings_, assignments_, docs_, nodes_, functions_};
  DeclaratorBuilder declarators_{base_, symbols_, nodes_};
  ModuleBuilder modules_{base_, symbols_};
  NominalBuilder nominal_{base_, nodes_};
  FormReader forms_{base_};
  NameBuilder names_{base_, symbols_, assignments_, nodes_, functions_, places_, nominal_};
  bool has_forms_ = false;
  std::uint32_t error_depth_ = 0;
  Captures captures_;
};

}  // namespace codexmem::parse
