// graph/rename/rename_lookups.h - what a text means to code that looks names up by their text.
//
// One thread, one question; the part of graph/rename/rename.h that reads texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "graph/core/resolver.h"
#include "graph/rename/rename_family.h"
#include "graph/rename/rename_text.h"

namespace codexmem::graph {

enum class TextMeaning : std::uint8_t {
  kNothing,  // none of the family
  kMaybe,
  kFamily,  // one of the family: the text changes with it
};

class TextLookups {
 public:
  TextLookups(Resolver& resolver, RenameFamily& family) : resolver_(resolver), family_(family) {}

  /// What `mention`, a whole text in quotes (kReached, kText, kKey) of `file` or the end of a path
  /// there (kPath: "pkg.module.name"), means. `text` is the file's, `name` the family's without its
  /// sign.
  TextMeaning meaning(const FileModel& file, std::string_view text, const Mention& mention,
                      std::string_view name);

  /// True where code asks something for a member of the name: getattr(x, "a"), x["a"], "a" in x.
  bool asks_for_member(const FileModel& file, std::string_view text, const Mention& mention,
                       std::string_view name) const;

  /// True for a module that makes its names when they are asked for: def __getattr__(name).
  bool looks_up_names(const FileModel& file) const;

  /// True for a text that lists a name that such a module makes of what the family is: __all__ =
  /// ["a"], where it says of which module, { "a": ".module" }.
  bool lists_made_name(const FileModel& file, std::string_view text, std::uint32_t offset,
                       std::string_view name);

  /// True if texts of code of this language may name the family: List["A"] a type; a key in quotes,
  /// or one that is given for a keyof, a member.
  bool may_be_named(const LanguageTraits& traits) const;

 private:
  TextMeaning meaning_of_path(const FileModel& file, std::string_view text, const Mention& mention,
                              std::string_view name);
  /// The text of a file before and after one of its texts, trimmed.
  struct Place {
    const FileModel& file;
    std::string_view text, before, after, name;

    std::uint32_t offset_of(std::string_view part) const {
      return static_cast<std::uint32_t>(part.data() - text.data());
    }
    std::uint32_t occurrence_of(std::string_view word) const {
      if (word.empty()) return parse::kNoIndex;
      const std::uint32_t offset = offset_of(word);
      const bool is_private = offset > 0 && text[offset - 1] == '#';  // its sign is of the name
      return file.occurrence_at(is_private ? offset - 1 : offset);
    }
  };

  std::optional<TextMeaning> own_name(const Place& at) const;
  const FileModel* module_at(const FileModel& file, std::string_view path);
  const FileModel* module_named(const FileModel& file, std::string_view name);
  TextMeaning made_when_asked_for(const Place& at);
  TextMeaning reached(const Place& at);
  TextMeaning item(const Place& at, std::string_view held);
  TextMeaning member_text(const Place& at);
  std::optional<TextMeaning> key_of_type(const Place& at);
  TextMeaning argument(const Place& at);
  std::optional<TextMeaning> expected_by(const Entity& function, std::size_t number);
  bool is_in_condition(const Place& at, std::string_view word) const;
  bool is_constant(const FileModel& file, std::uint32_t symbol);
  TextMeaning judge(const Entities& values, std::string_view name);
  Entities values_of_expression(const Place& at, std::string_view expression);
  bool has_outside_bases();
  bool has_item_method();

  Resolver& resolver_;
  RenameFamily& family_;
  std::optional<bool> has_outside_bases_;
};

}  // namespace codexmem::graph
