#include "base/symbol_type.h"

#include <array>

namespace codexmem {
namespace {

constexpr std::array<std::string_view, 7> kNames = {"function", "class",  "variable", "interface",
                                                    "type",     "method", "property"};

}  // namespace

std::string_view symbol_type_name(SymbolType type) {
  return kNames[static_cast<std::size_t>(type)];
}

std::optional<SymbolType> symbol_type_of(std::int64_t number) {
  if (number < 0 || number >= static_cast<std::int64_t>(kNames.size())) return std::nullopt;
  return static_cast<SymbolType>(number);
}

std::optional<SymbolType> parse_symbol_type(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<SymbolType>(i);
  }
  return std::nullopt;
}

}  // namespace codexmem
