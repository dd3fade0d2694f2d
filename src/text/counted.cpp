#include "text/counted.h"

#include <fmt/core.h>

namespace codexmem {

std::string with_thousands(long long number) {
  std::string text = std::to_string(number);
  const std::size_t first = number < 0 ? 1 : 0;
  for (std::size_t at = text.size(); at > first + 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  const std::string shown = with_thousands(static_cast<long long>(number));
  if (number == 1) return fmt::format("{} {}", shown, one);
  return many.empty() ? fmt::format("{} {}s", shown, one) : fmt::format("{} {}", shown, many);
}

}  // namespace codexmem
