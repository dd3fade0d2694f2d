// ask/code/stated_purpose.h - what a README or a module says that it is for.
//
// Pure; thread-safe. Design: docs/how-it-works.md, "Overview".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace codexmem::ask {

/// For readme_purpose(): all headings.
inline constexpr std::size_t kWholePage = 1000;

/// The first paragraph of prose of a README in Markdown, reStructuredText or plain text, as plain
/// text on one line: no headings, badges, lists of links, quotations or code. One that begins with
/// `name` ("Gin is ...") comes before others; news and advice do not count, nor what comes after
/// `most_headings` or, of less than a whole page, after a list. Empty: not found.
std::string readme_purpose(std::string_view text, std::string_view name,
                           std::size_t most_headings = kWholePage);

/// What the first comment or docstring of a file says before any code, on one line: its first
/// paragraph. Comments about licences and for tools do not count. `path` names the file: a comment
/// may begin with its name. Empty: not found.
std::string module_purpose(std::string_view path, std::string_view text);

/// What a page says of folders in lists, tables and drawn trees: items that begin with a name or a
/// path ("- `core/`: what is shared", "| src/app | the app |", "├── lib  # helpers"). A path has no
/// '/' at its ends.
std::vector<std::pair<std::string, std::string>> described_folders(std::string_view text);

/// The sentences of `text` (one line) that fit into `max_bytes`; the first, cut, if none does.
std::string first_sentences(std::string_view text, std::size_t max_bytes);

/// The first sentence, likewise.
std::string first_sentence(std::string_view text, std::size_t max_bytes);

}  // namespace codexmem::ask
