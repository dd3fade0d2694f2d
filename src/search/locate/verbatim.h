// search/locate/verbatim.h - finds in code what an issue writes letter by letter: names, options,
// quoted words, and the messages of a program, whose variable parts differ. Pure; thread-safe.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace codexmem::search {

/// Shorter texts are ignored.
inline constexpr std::size_t kLeastVerbatim = 4;

/// Where texts of at least kLeastVerbatim bytes can begin: a set of their first bytes.
class Beginnings {
 public:
  void add(std::string_view text) { seen_.set(number_of(text)); }
  bool has(std::string_view text) const {
    return text.size() >= kLeastVerbatim && seen_.test(number_of(text));
  }
  /// `text` has at least kLeastVerbatim bytes.
  static std::uint16_t number_of(std::string_view text);

 private:
  std::bitset<1 << 16> seen_;
};

/// Finds each of several texts in another one, which is read once.
class VerbatimFinder {
 public:
  explicit VerbatimFinder(const std::vector<std::string>& wanted);

  /// Calls `found` with the index of the wanted text and its place, for each place.
  void read(std::string_view text,
            const std::function<void(std::size_t, std::size_t)>& found) const;

 private:
  const std::vector<std::string>& wanted_;
  Beginnings beginnings_;
  std::unordered_map<std::uint16_t, std::vector<std::size_t>> by_beginning_;
};

/// Finds the string literals of code that an issue repeats: `no item {name}` in "no item 3".
class MessageFinder {
 public:
  explicit MessageFinder(std::string_view issue);

  /// Calls `found` with the literal, its place, and 0 to 1 by how much of it is fixed.
  void read(std::string_view code,
            const std::function<void(std::string_view, std::size_t, double)>& found) const;

 private:
  double share_of(std::string_view literal) const;

  std::string issue_;  // lower case, one space between words
  Beginnings beginnings_;
};

}  // namespace codexmem::search
