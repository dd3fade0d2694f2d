// parse/walker.h - one walk over a syntax tree that collects a file's facts.
//
// Internal to parse. The walk enters each node of the tree and calls the builders (parse/builder.h)
// that the rules of its kind name (parse/rules.h); they write to one sink. Not thread-safe;
// reusable.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "parse/assignments.h"
#include "parse/builder.h"
#include "parse/declarators.h"
#include "parse/fact_sink.h"
#include "parse/frame_stack.h"
#include "parse/function_terms.h"
#include "parse/javadoc.h"
#include "parse/jsdoc.h"
#include "parse/modifiers.h"
#include "parse/modules.h"
#include "parse/names.h"
#include "parse/nominal.h"
#include "parse/forms.h"
#include "parse/places.h"
#include "parse/source.h"
#include "parse/symbols.h"
#include "parse/terms.h"

namespace codexmem::parse {

class Walker {
 public:
  /// The facts of `text`, whose tree has `root`, apart from its chunks. When `budget` is over they
  /// are those up to there, and truncated. The names in `beside`, which are not in `text`, are
  /// occurrences too: they stand at these places of the text called `original`.
  FileFacts walk(const Rules& rules, const Node& root, std::string_view text, const Budget& budget,
                 std::string_view original = {}, std::span<const ByteRange> beside = {});

 private:
  void visit(const Node& root, const Budget& budget);
  void reset(const Rules& rules, std::string_view text);
  bool enter(std::uint32_t index);
  void leave();
  bool is_behind_vararg(std::uint32_t index) const;
  /// True if it declares a symbol.
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
