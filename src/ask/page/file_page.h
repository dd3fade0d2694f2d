// ask/page/file_page.h - a file of the index and its known facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ask/page/page_call.h"
#include "base/result.h"

namespace codexmem::ask {

inline constexpr std::uint32_t kMaxPageLines = 5000;

struct FilePageParams {
  std::string path;
  std::uint32_t from = 1;      // 1-based line
  std::uint32_t lines = 2000;  // at most kMaxPageLines
};

/// {path, language, lines, first, text, stale, symbols, imports, importedBy, memories, decisions,
/// tests, cut}: `text` is the indexed one, and `stale` says that the file is another one by now.
/// `cut` counts what was left out, by list. Errors: kInvalidArgument for a path out of the root;
/// kNotFound when it is not indexed, with the reason or the nearest path; the store's.
Result<std::string> make_file_page(const PageCall& call, const FilePageParams& params);

/// Lines `from` to `from + count - 1` of `text`, those that there are, whole, secrets masked.
std::string shown_lines(std::string_view text, std::uint32_t from, std::uint32_t count);

}  // namespace codexmem::ask
