#include "parse/walk/extract.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "parse/text/chunks.h"
#include "parse/components/component_script.h"
#include "parse/preprocess/conditions.h"
#include "parse/preprocess/macros.h"
#include "parse/preprocess/item_macros.h"
#include "parse/preprocess/repair.h"
#include "parse/rules/rules.h"
#include "parse/walk/source_tree.h"
#include "parse/walk/syntax.h"
#include "parse/components/template_tags.h"
#include "parse/walk/walker.h"

namespace codexmem::parse {
namespace {

std::size_t unparsed_bytes(const FileFacts& facts) {
  std::size_t bytes = 0;
  for (const ByteRange& range : facts.unparsed) bytes += range.size();
  return bytes;
}

// The text for the grammar, if it differs from the source.
struct Prepared {
  std::optional<BlankedText> blanked;  // with the blanked ranges
  std::optional<std::string> text;
  std::optional<ComponentScript> script;

  std::string_view of(std::string_view source) const {
    return blanked ? blanked->text : text ? *text : script ? script->text : source;
  }
};

std::optional<Component> component_of(Repair repair) {
  if (repair == Repair::kVue) return Component::kVue;
  if (repair == Repair::kSvelte) return Component::kSvelte;
  return std::nullopt;
}

Prepared prepare(Repair repair, std::string_view text) {
  switch (repair) {
    case Repair::kMacros:
      return {blank_macros(text), {}, {}};
    case Repair::kConditions:
      return {blank_conditions(text), {}, {}};
    case Repair::kScript:
      return {{}, declare_used(text), {}};
    case Repair::kItems:
      return {{}, open_item_macros(text), {}};
    case Repair::kVue:
    case Repair::kSvelte:
      return {{}, {}, script_of_component(text, *component_of(repair))};
    case Repair::kTags:
      return {blank_template_tags(text), {}, {}};
    case Repair::kMembers:
      return {{}, regroup(text), {}};
    case Repair::kNone:
      break;
  }
  return {};
}

// A repaired text for the grammar, if it did not understand `parsed`.
std::optional<std::string> repaired_text(Repair repair, std::string_view parsed) {
  if (repair == Repair::kScript) return end_members(parsed);
  if (repair == Repair::kMembers) return close_members(parsed);
  return std::nullopt;
}

}  // namespace

struct Extractor::Impl {
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
  // Configuration is searched by lines: a key's value says little without its neighbours.
  if (!language.has_grammar || (language.is_configuration && options.chunks_only)) {
    facts.chunks = chunk_lines(text);
    return facts;
  }
  const Rules& rules = Rules::of(language);
  const Budget budget = Budget::of_text(text.size(), stop, options.time_limit);
  const std::optional<Component> component = component_of(language.repair);
  const Prepared given = prepare(language.repair, text);
  const std::optional<BlankedText>& blanked = given.blanked;
  const std::string_view parsed = given.of(text);
  Tree tree = parse_text(rules.grammar(), parsed, budget);
  if (stop.stop_requested()) return Error{ErrorCode::kCancelled, "extract: stopped"};
  if (!tree) {
    // At least searchable as text, and marked as incomplete.
    facts.chunks = chunk_lines(text);
    facts.truncated = true;
    return facts;
  }
  if (!options.chunks_only) {
    facts = blanked ? impl_->walker.walk(rules, tree.root(), blanked->text, budget, text,
                                         blanked->blanked)
                    : impl_->walker.walk(rules, tree.root(), component ? parsed : text, budget);
  }
  if (component && !options.chunks_only) {
    if (has_names_in_place(facts, *given.script, text)) {
      move_to_component(facts, *given.script, static_cast<std::uint32_t>(text.size()));
    } else {
      const ComponentScript scripts = script_of_component(text, *component, /*with_markup=*/false);
      tree = parse_text(rules.grammar(), scripts.text, budget);
      facts = tree ? impl_->walker.walk(rules, tree.root(), scripts.text, budget) : FileFacts();
      facts.truncated = facts.truncated || !tree;
      move_to_component(facts, scripts, static_cast<std::uint32_t>(text.size()));
    }
  }
  if (!facts.unparsed.empty()) {
    if (const auto repaired = repaired_text(language.repair, parsed)) {
      Tree second = parse_text(rules.grammar(), *repaired, budget);
      if (second) {
        FileFacts better = impl_->walker.walk(rules, second.root(), text, budget);
        if (!better.truncated && unparsed_bytes(better) < unparsed_bytes(facts)) {
          facts = std::move(better);
          tree = std::move(second);
        }
      }
    }
  }
  // In a component, the markup matters as much as the script.
  facts.chunks = component || language.is_configuration
                     ? chunk_lines(text)
                     : chunk_tree(rules, tree.root(), parsed, facts.symbols);
  return facts;
}

Tree source_tree(const Language& language, std::string_view text, const Budget& budget) {
  if (component_of(language.repair)) return {};
  const Prepared given = prepare(language.repair, text);
  return parse_text(Rules::of(language).grammar(), given.of(text), budget);
}

}  // namespace codexmem::parse
