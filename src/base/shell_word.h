// base/shell_word.h - quotes a text as one word of a shell command that users copy. Pure.
#pragma once

#include <string>
#include <string_view>

namespace codexmem {

/// `text` quoted so that a shell reads it as one word; a "~" at its beginning is still expanded.
std::string shell_word(std::string_view text);

}  // namespace codexmem
