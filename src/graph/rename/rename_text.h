// graph/rename/rename_text.h - a name in the text of a file where it is no identifier: in strings
// and comments.
//
// Stateless.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/core/file_model.h"
#include "graph/core/resolver.h"
#include "store/code/code_reader.h"

namespace codexmem::graph {

enum class MentionKind : std::uint8_t {
  kWord,      // in a comment, or in a longer text
  kUnparsed,  // in a part of the file that was not understood
  kReached,   // a text by which code looks a member up: getattr(x, "a"), x["a"]
  kPath,      // the last part of a path in a text, "a.b.name", that begins with what defines it
  kText,      // a whole text, of which nothing else is known
  kKey,       // a quoted key: { "a": 1 }
  kFormat,    // in the braces of a text that is formatted: "{a:>b$}"
};

struct Mention {
  MentionKind kind = MentionKind::kWord;
  std::uint32_t offset = 0;
};

/// True for a file in the language `unread`, which has no facts, that may use names of a program in
/// `language`: assembly with C.
bool is_built_with(std::string_view path, std::string_view unread, std::string_view language);

/// True for an occurrence of `file` in a string of `text`, the file's: getattr(x, "a").
bool is_text_occurrence(const FileModel& file, std::string_view text, std::uint32_t occurrence);

/// What the word from `offset` on, `size` bytes of `text`, the file's, is there. `parents` are what
/// may come before it in a path: the names of its module and class.
Mention mention_at(const FileModel& file, std::string_view text, std::uint32_t offset,
                   std::size_t size, const std::vector<std::string_view>& parents);

/// The places of `text`, the file's, that have the word `name` where it is no occurrence, or one in
/// a string; by offset. `parents` as above.
std::vector<Mention> find_mentions(const FileModel& file, std::string_view text,
                                   std::string_view name,
                                   const std::vector<std::string_view>& parents);

/// Files that may have `letters` anywhere in their text, by id: files of `family`, or of all
/// families if `of_all` is true. Errors: the store's errors.
Result<std::vector<store::FileId>> files_with_text(Resolver& resolver, store::CodeReader& reader,
                                                   std::string_view letters, Family family,
                                                   bool of_all);

}  // namespace codexmem::graph
