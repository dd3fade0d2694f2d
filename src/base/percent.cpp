// Tested by base/percent_test.cpp.
#include "base/percent.h"

#include <fmt/format.h>

#include "base/ascii.h"

namespace codexmem {

std::string percent_encoded(std::string_view text, std::string_view plain) {
  std::string result;
  for (const char c : text) {
    if (is_alnum(c) || plain.find(c) != std::string_view::npos) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return result;
}

}  // namespace codexmem
