// base/symbol_type.h - the contract's types of symbol, shared by extraction, store and answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace codexmem {

/// The seven types of spec/code-tools.md. stored: never renumber.
enum class SymbolType : std::uint8_t {
  kFunction = 0,
  kClass = 1,
  kVariable = 2,
  kInterface = 3,
  kType = 4,
  kMethod = 5,
  kProperty = 6,
};

/// True for a class, an interface or another type.
constexpr bool is_type(SymbolType type) {
  return type == SymbolType::kClass || type == SymbolType::kInterface || type == SymbolType::kType;
}

/// The contract's word for `type`: "function", "class", "variable", "interface", "type", "method",
/// "property".
std::string_view symbol_type_name(SymbolType type);

/// The type that is stored as `number`, if there is one.
std::optional<SymbolType> symbol_type_of(std::int64_t number);

/// The type that the contract calls `name`.
std::optional<SymbolType> parse_symbol_type(std::string_view name);

}  // namespace codexmem
