#include "parse/extract.h"

#include <limits>
#include <map>
#include <utility>

#include "parse/chunks.h"
#include "parse/repair.h"
#include "parse/rules.h"
#include "parse/syntax.h"
#include "parse/walker.h"

namespace codexmem::parse {
namespace {

std::size_t unparsed_bytes(const FileFacts& facts) {
  std::size_t bytes = 0;
  for (const ByteRange& range : facts.unparsed) bytes += range.size();
  return bytes;
}

}  // namespace

struct Extractor::Impl {
  std::map<const Language*, std::unique_ptr<Parser>> parsers;
  Walker walker;
};

Extractor::Extractor() : impl_(std::make_unique<Impl>()) {}
Extractor::~Extractor() = default;
Extractor::Extractor(Extractor&&) noexcept = default;
Extractor& Extractor::operator=(Extractor&&) noexcept = default;

Result<FileFacts> Extractor::extract(const Language& language, std::string_view text,
                                     const ExtractOptions& options, std::stop_token stop) {
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    return Error{ErrorCode::kInvalidArgument, "extract: the text is larger than 4 GiB"};
  }
  FileFacts facts;
  if (!language.has_grammar) {
    facts.chunks = chunk_lines(text);
    return facts;
  }
  const Rules& rules = Rules::of(language);
  std::unique_ptr<Parser>& parser = impl_->parsers[&language];
  if (!parser) parser = std::make_unique<Parser>(rules.grammar());
  Tree tree = parser->parse(text, options.time_limit, stop);
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "extract: stopped"};
  if (!tree) {
    // Searchable as text at least, and said to be incomplete.
    facts.chunks = chunk_lines(text);
    facts.truncated = true;
    return facts;
  }
  if (!options.chunks_only) facts = impl_->walker.walk(rules, tree.root(), text);
  if (language.name == "typescript" && !facts.unparsed.empty()) {
    if (const auto repaired = end_members(text)) {
      Tree second = parser->parse(*repaired, options.time_limit, stop);
      if (second) {
        FileFacts better = impl_->walker.walk(rules, second.root(), text);
        if (unparsed_bytes(better) < unparsed_bytes(facts)) {
          facts = std::move(better);
          tree = std::move(second);
        }
      }
    }
  }
  facts.chunks = chunk_tree(rules, tree.root());
  return facts;
}

}  // namespace codexmem::parse
