// parse/walk/lists.h - the arguments of a call and the parameters of a declaration, as they are
// written.
//
// Read from the syntax tree, so that commas in brackets, texts and types divide nothing. For the
// few places that a change of parameters touches; facts do not keep these ranges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "parse/rules/languages.h"
#include "text/ranges.h"

namespace codexmem::parse {

/// A list in brackets behind a name.
struct WrittenList {
  ByteRange range;               // with the brackets
  std::vector<ByteRange> items;  // what the commas divide, without comments around it
  bool is_broken = false;        // a part was not understood
  bool has_block = false;        // what follows is an argument as well: f(1) { }
};

/// The lists of one text, which must outlive it. One thread.
class WrittenLists {
 public:
  WrittenLists(const Language& language, std::string_view text);
  ~WrittenLists();
  WrittenLists(WrittenLists&&) noexcept;
  WrittenLists& operator=(WrittenLists&&) noexcept;

  /// The arguments of the call of what the name at `offset` means. Nothing if it is not called
  /// there, or without brackets.
  std::optional<WrittenList> arguments_of(std::uint32_t offset) const {
    return find(offset, false);
  }
  /// The parameters of the function that the name at `offset` declares.
  std::optional<WrittenList> parameters_of(std::uint32_t offset) const {
    return find(offset, true);
  }

 private:
  std::optional<WrittenList> find(std::uint32_t offset, bool is_declared) const;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codexmem::parse
