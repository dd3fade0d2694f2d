// parse/walk/builder.h - the common base of the builders of facts.
//
// Internal to parse. Each builder extracts one kind of fact: the walk calls it, it reads the source
// and the walk's current place, and writes to the sink.
#pragma once

#include <string_view>

#include "parse/facts/fact_sink.h"
#include "parse/walk/frame_stack.h"
#include "parse/walk/source.h"

namespace codexmem::parse {

class Builder {
 public:
  /// The arguments must outlive the builder.
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
