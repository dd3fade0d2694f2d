// base/shell_word.h - a text as one word of a command that people copy. Pure.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// `text` as a shell takes it for one word; a "~" at its beginning stays one.
std::string shell_word(std::string_view text);

}  // namespace codexmem
