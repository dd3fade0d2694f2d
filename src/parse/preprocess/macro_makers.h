// parse/preprocess/macro_makers.h - finds macros of a file that declare a name passed to them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace codexmem::parse {

/// The `macro_rules!` definitions of a text. Values; one thread.
class MacroMakers {
 public:
  explicit MacroMakers(std::string_view text);

  /// True if macro `name` declares the first name passed to it after one of `words`: `fn` for
  /// `macro_rules! make { ($name:ident) => { fn $name() {} } }`.
  bool makes(std::string_view name, std::span<const std::string> words) const;

 private:
  void read_rules(std::string_view text, std::string_view name, std::size_t at, std::size_t end);

  std::vector<std::pair<std::string, std::string>> makes_;  // macro, word
};

}  // namespace codexmem::parse
