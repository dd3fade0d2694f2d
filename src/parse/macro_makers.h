// parse/macro_makers.h - which macros of a file declare what they are given the name of.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace codexmem::parse {

/// What `macro_rules!` of a text say. Values; one thread.
class MacroMakers {
 public:
  explicit MacroMakers(std::string_view text);

  /// True if macro `name` declares the first name that it is given behind one of `words`: `fn` for
  /// `macro_rules! make { ($name:ident) => { fn $name() {} } }`.
  bool makes(std::string_view name, std::span<const std::string> words) const;

 private:
  void read_rules(std::string_view text, std::string_view name, std::size_t at, std::size_t end);

  std::vector<std::pair<std::string, std::string>> makes_;  // macro, word
};

}  // namespace codexmem::parse
