// exchange/ctags.h - writes definitions as universal-ctags does: a tags file, or a line of JSON
// each.
//
// The formats: ctags(1), tags(5) and ctags-json-output(5) of universal-ctags 5.9 and later. A tag
// is found by its line, so no text of the code is written. One thread.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "exchange/output.h"
#include "store/code/code_reader.h"

namespace codexmem::exchange {

enum class TagFormat { kTags, kJson };

struct TagHead {
  TagFormat format = TagFormat::kTags;
  std::string prefix;   // put before each path; empty for a tags file at the repository's root
  std::string version;  // of this program
};

/// Returns how many tags were written: sorted by bytes in a tags file, by path and place in JSON.
/// Definitions without a name are left out. Errors: of `output`; kCancelled; the store's errors.
Result<std::size_t> export_tags(store::CodeReader& reader, const TagHead& head,
                                const Output& output);

}  // namespace codexmem::exchange
