// store/code/modifier_set.h - the words around a symbol's name that answers ask for, as bits.
#pragma once

#include <cstdint>
#include <string_view>

namespace codexmem::store {

/// A word of SymbolRow::modifiers, or several that say the same.
enum class Modifier : std::uint32_t {
  kConst = 1U << 0U,
  kData = 1U << 1U,  // data class
  kDeclare = 1U << 2U,
  kOperator = 1U << 3U,
  kPartial = 1U << 4U,
  kPrivate = 1U << 5U,
  kStatic = 1U << 6U,
  kRedefines = 1U << 7U,    // a macro that takes the place of those before it
  kScoped = 1U << 8U,       // enum class
  kDecorated = 1U << 9U,    // @word
  kAttributed = 1U << 10U,  // #[word]
  kDerived = 1U << 11U,     // #[derive]
  kFixture = 1U << 12U,     // @pytest.fixture
};

class ModifierSet {
 public:
  ModifierSet() = default;
  /// Of a JSON array of words.
  explicit ModifierSet(std::string_view words);

  bool has(Modifier modifier) const { return (bits_ & static_cast<std::uint32_t>(modifier)) != 0; }

 private:
  void add_word(std::string_view word);

  std::uint32_t bits_ = 0;
};

}  // namespace codexmem::store
