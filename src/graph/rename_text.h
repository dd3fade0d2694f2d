// graph/rename_text.h - a name in the text of a file where it is no identifier: in strings and
// comments.
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
  kReached,   // a text of code that looks up what it names: getattr(x, "a"), x["a"]
  kPath,      // the last part of a path in a text, "a.b.name", that begins with what defines it
  kText,      // a whole text, of which nothing else is known
  kKey,       // a quoted key: { "a": 1 }
};

struct Mention {
  MentionKind kind = MentionKind::kWord;
  std::uint32_t offset = 0;
};

/// The places of `text`, the file's, that have the word `name` where it is no occurrence; by
/// offset. `parents` are what may stand before it in a path: the names of its module and class.
std::vector<Mention> find_mentions(const FileModel& file, std::string_view text,
                                   std::string_view name,
                                   const std::vector<std::string_view>& parents);

/// Files that may have `letters` anywhere in their text, by id: those of a family, and where
/// `of_all` is true all others. Errors: of the store.
Result<std::vector<store::FileId>> files_with_text(Resolver& resolver, store::CodeReader& reader,
                                                   std::string_view letters, Family family,
                                                   bool of_all);

}  // namespace codexmem::graph
