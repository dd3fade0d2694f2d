// parse/preprocess/qt_words.h - the words that Qt adds to C++, which are macros of its headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace codexmem::parse {

enum class QtWord : std::uint8_t {
  kNone,
  kEmit,     // emit changed();  nothing
  kSlots,    // public slots:    nothing
  kSignals,  // signals:         public
};

/// What the word of C++ `text` from `begin` to `end` is, by what follows it. `before` is the word
/// before it in its statement, "" if it is the first.
QtWord qt_word(std::string_view text, std::size_t begin, std::size_t end, std::string_view before);

}  // namespace codexmem::parse
