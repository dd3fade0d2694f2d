// parse/builder.h - what every builder of facts works with.
//
// Internal to parse. A builder has one idea of what a file says: it is called by the walk, reads
// the source and where the walk stands, and writes to the sink.
#pragma once

#include <string_view>

#include "parse/fact_sink.h"
#include "parse/frame_stack.h"
#include "parse/source.h"

namespace codexmem::parse {

class Builder {
 public:
  /// What it is made of outlives it.
  Builder(Source& source, FactSink& sink, FrameStack& frames)
      : source_(source), sink_(sink), frames_(frames), facts_(sink.facts()), terms_(sink.terms()) {}

 protected:
  const Fields& fields() const { return source_.rules().fields(); }
  const KindRules& rules_of(const Node& node) const { return source_.rules_of(node); }
  std::string_view text_of(const Node& node) const { return source_.text_of(node); }
  std::string_view text_of(ByteRange range) const { return source_.text_of(range); }
  TermId this_term() { return terms_.this_of(frames_.own_class()); }

  Source& source_;
  FactSink& sink_;
  FrameStack& frames_;
  const FileFacts& facts_;  // the sink's
  TermTable& terms_;        // likewise
};

}  // namespace codexmem::parse
