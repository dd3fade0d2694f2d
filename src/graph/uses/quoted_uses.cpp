// Uses in quotes. Tested by graph/use_account_test.cpp.
#include "graph/uses/quoted_uses.h"

namespace codexmem::graph {

Drawer QuotedUses::drawer_of(const FileModel& file, std::string_view text, std::uint32_t offset,
                             std::string_view name, bool is_used_here) {
  const LanguageTraits& traits = file.semantics.traits();
  const std::size_t end = offset + name.size();
  const bool may_be_one =
      (traits.texts.name_types || traits.texts.keys_are_members || !traits.texts.reach.empty()) &&
      end < text.size() && std::string_view("\"'`").find(text[end]) != std::string_view::npos;
  if (!may_be_one) return Drawer::kText;
  const Mention mention = mention_at(file, text, offset, name.size(), parents_);
  if (mention.kind == MentionKind::kWord || mention.kind == MentionKind::kUnparsed) {
    return Drawer::kText;
  }
  const bool may_mean_it =
      mention.kind == MentionKind::kPath ||
      (mention.kind == MentionKind::kReached
           ? family_.has_members()  // (A name of a module would be known.)
           : lookups_.looks_up_names(file) || (is_used_here && lookups_.may_be_named(traits)));
  if (!may_mean_it) return Drawer::kText;
  const TextMeaning meaning = lookups_.meaning(file, text, mention, name);
  return meaning == TextMeaning::kFamily  ? Drawer::kLikely
         : meaning == TextMeaning::kMaybe ? Drawer::kPossible
                                          : Drawer::kText;
}

}  // namespace codexmem::graph
