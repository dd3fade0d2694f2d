// Tested by git/rename_test.py.
#include "graph/rename/rename_text_places.h"

#include <algorithm>

#include "base/stop_scope.h"
#include "graph/core/code_text.h"
#include "graph/core/spellings.h"
#include "graph/rename/rename_said.h"

namespace codexmem::graph {
namespace {

using parse::kNoIndex;

constexpr std::size_t kMaxMentions = 1'000;

// True for a text that an annotation or attribute is given, @MethodSource("a"), in languages whose
// tests and frameworks find methods so.
bool is_in_annotation(const FileModel& file, std::string_view text, const Mention& mention) {
  if (!file.semantics.traits().overloads_are_distinct) return false;
  const std::string_view callee = call_around(text.substr(0, mention.offset - 1)).callee;
  const auto before = static_cast<std::size_t>(callee.data() - text.data());
  return !callee.empty() && before > 0 && (text[before - 1] == '@' || text[before - 1] == '[');
}

}  // namespace

bool TextPlaces::is_place(const FileModel& file, std::uint32_t offset) const {
  const auto known = places_.find(&file);
  return known != places_.end() && known->second.contains(offset);
}

Result<void> TextPlaces::find(const std::vector<Hit>& hits) {
  const std::vector<std::string_view> before = path_parents(family_.members());
  const std::string_view letters =
      std::string_view(plan_.old_name).substr(sign_of(plan_.old_name).size());
  const Family family = family_.members().front().file->family;
  CODEXMEM_ASSIGN(const auto files,
                  files_with_text(resolver_, reader_, letters, family, query_.with_mentions));
  for (const store::FileId id : files) {
    CODEXMEM_TRY(go_on());
    CODEXMEM_ASSIGN(const auto* text, texts_.get(id));
    const FileModel* file =
        text->content.find(letters) == std::string::npos ? nullptr : resolver_.model(id);
    if (file == nullptr) continue;
    for (const Mention& mention : find_mentions(*file, text->content, letters, before)) {
      if (is_place(*file, mention.offset)) continue;
      sort_mention(*file, text->content, mention, share_names(file->family, family));
    }
    if (file->facts.truncated && share_names(file->family, family)) {
      report_(ObstacleKind::kUnparsed, *file, 0, "the file was not read to its end");
    }
  }
  return find_unread(hits);
}

// Code that the facts do not describe, and files of the program in a language that is not read.
Result<void> TextPlaces::find_unread(const std::vector<Hit>& hits) {
  const std::string& language = family_.members().front().file->language;
  for (const Hit& hit : hits) {
    CODEXMEM_TRY(go_on());
    const store::FileRow* row = resolver_.files().find(hit.file);
    if (row == nullptr) continue;
    if (hit.doubt == Doubt::kNoGrammar && is_built_with(row->path, row->language, language)) {
      add_unread(*row, hit.offset);
    }
    const FileModel* file = hit.doubt == Doubt::kNoFacts ? resolver_.model(hit.file) : nullptr;
    if (file == nullptr || is_place(*file, hit.offset) || is_markup(*file, hit.offset)) continue;
    report_(ObstacleKind::kUnparsed, *file, hit.offset,
            "nothing is known of this code that has the name");
  }
  return {};
}

// Files without facts are not for report_.
void TextPlaces::add_unread(const store::FileRow& row, std::uint32_t offset) {
  RenameObstacle found{ObstacleKind::kUnparsed, row.path, {}, "", "", std::nullopt};
  found.why = "the name is in a language that is not read";
  if (const auto text = texts_.get(row.id); text.ok()) {
    found.position = (*text)->lines.position_of(offset);
    found.context = quoted_line(**text, found.position.line);
  }
  if (said_of(query_, found) != Said::kLeave) plan_.obstacles.push_back(std::move(found));
}

// True for the text of a page: between elements, or outside of <?php ... ?>. In Rust, for $a of a
// macro, and for a bare name, #[derive(A)], where a member is looked for.
bool TextPlaces::is_markup(const FileModel& file, std::uint32_t offset) {
  if (file.semantics.traits().texts.keys_are_members) return true;  // (JSX)
  const auto text = texts_.get(file.id);
  if (!text.ok()) return false;
  if (file.language == "rust") {
    const std::string_view before = std::string_view((*text)->content).substr(0, offset);
    return before.ends_with('$') ||
           (family_.has_members() && !before.ends_with('.') && !before.ends_with("::"));
  }
  if (file.language != "php") return false;
  const std::size_t open = (*text)->content.rfind("<?", offset);
  const std::size_t close = (*text)->content.rfind("?>", offset);
  return open == std::string::npos || (close != std::string::npos && close > open);
}

void TextPlaces::sort_mention(const FileModel& file, std::string_view text, const Mention& mention,
                              bool is_of_family) {
  switch (mention.kind) {
    case MentionKind::kUnparsed:
      if (!is_of_family) break;
      return report_(ObstacleKind::kUnparsed, file, mention.offset,
                     "the name is in a part of the file that was not understood");
    case MentionKind::kReached:
      if (!is_of_family) break;
      if (is_settled(file, text, mention)) return;
      if (!family_.has_members()) break;  // of a module, which would be known
      return report_(ObstacleKind::kText, file, mention.offset,
                     "code looks up what this text names");
    case MentionKind::kPath:
      if (!is_of_family) break;
      if (is_settled(file, text, mention)) return;
      return report_(ObstacleKind::kText, file, mention.offset,
                     "the text is a path that may lead to it");
    case MentionKind::kText:
    case MentionKind::kKey:
      if (is_of_family && places_.contains(&file) && is_in_annotation(file, text, mention)) {
        return report_(ObstacleKind::kText, file, mention.offset, "an annotation may name it");
      }
      if (!(lookups_.looks_up_names(file) && is_of_family) &&
          (!places_.contains(&file) || !lookups_.may_be_named(file.semantics.traits()))) {
        break;
      }
      if (is_settled(file, text, mention)) return;
      return report_(ObstacleKind::kText, file, mention.offset, "the text may mean it");
    case MentionKind::kFormat:
      if (!is_of_family || family_.has_members()) break;
      if (is_settled_format(file, mention.offset)) return;
      break;
    case MentionKind::kWord:
      break;
  }
  ++plan_.mentions_total;
  if (!query_.with_mentions || plan_.mentions.size() >= kMaxMentions) return;
  const auto lines = texts_.get(file.id);
  if (!lines.ok()) return;
  const Position position = (*lines)->lines.position_of(mention.offset);
  plan_.mentions.push_back({file.path, position, quoted_line(**lines, position.line)});
}

// A name in the braces of a formatted text is a bare one of the code around it.
bool TextPlaces::is_settled_format(const FileModel& file, std::uint32_t offset) {
  const auto name = file.find_name(plan_.old_name);
  for (std::uint32_t scope = file.scope_at(offset); name && scope != kNoIndex;
       scope = file.facts.scopes[scope].parent) {
    for (const std::uint32_t binding : file.bindings_in(scope, *name)) {
      const parse::Binding& bound = file.facts.bindings[binding];
      if (bound.seen_from > offset) continue;
      const Entities meant =
          bound.kind == parse::BindingKind::kImport
              ? file.semantics.imported(resolver_, file, bound.target, plan_.old_name)
              : resolver_.resolve_binding(file, binding);
      const bool is_ours =
          std::ranges::any_of(meant, [&](const Entity& entity) { return family_.holds(entity); });
      if (!is_ours) return false;
      places_[&file][offset].name = true;
      return true;
    }
  }
  if (!reach_.may_bind(file, family_.members())) return false;
  report_(ObstacleKind::kText, file, offset, "a formatted text may name it");
  return true;
}

// True if it is known what a text means. One that means the family changes with it.
bool TextPlaces::is_settled(const FileModel& file, std::string_view text, const Mention& mention) {
  const std::string_view name =
      std::string_view(plan_.old_name).substr(sign_of(plan_.old_name).size());
  const TextMeaning meaning = lookups_.meaning(file, text, mention, name);
  if (meaning == TextMeaning::kFamily && name.size() == plan_.old_name.size()) {
    places_[&file][mention.offset].name = true;
    return true;
  }
  if (meaning == TextMeaning::kMaybe && sole_.takes(file, mention.offset)) {
    places_[&file][mention.offset].name = true;
    return needs_sole_ = true;
  }
  return meaning == TextMeaning::kNothing;
}

}  // namespace codexmem::graph
