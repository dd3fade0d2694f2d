// parse/preprocess/pastes.h - finds names that a macro body pastes together: cmd_ ## name.
//
// Stateless.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace codexmem::parse {

/// Words with ## between them.
struct Paste {
  std::vector<std::string_view> words;  // pieces of the text
  std::size_t sign = 0;                 // offset of its first ##
};

/// The pastes in a macro's body, in order, outside of strings.
std::vector<Paste> pastes_in(std::string_view body);

/// A #define as it is written. The grammars know none inside an enum or a call, so it is read from
/// the text. All are pieces of the text.
struct WrittenMacro {
  std::string_view name;
  std::vector<std::string_view> parameters;
  std::string_view body;
};

/// The macro on whose lines `at` is; nothing on other lines.
std::optional<WrittenMacro> macro_around(std::string_view text, std::size_t at);

/// Files that paste names contain these as identifiers, so that a search for a name finds the
/// files: always kPastes, and one of the other three.
inline constexpr std::string_view kPastes = "##";
inline std::string paste_after(std::string_view prefix) { return std::string(prefix) + "##"; }
inline std::string paste_before(std::string_view suffix) { return "##" + std::string(suffix); }
inline constexpr std::string_view kPasteOfParameters = "####";  // both ends are parameters

/// An identifier of files of Rust with a macro that puts names together: paste! { [<get_ $name>] }
inline constexpr std::string_view kRustPaste = "[<";

}  // namespace codexmem::parse
