// tests/privacy/text_template.h - texts with places to be filled from dice.
#pragma once

#include <string>
#include <string_view>

#include "privacy/secret_maker.h"

namespace codexmem::privacy::testing {

/// A name of a secret in words, "db password", and in the case of a language: snake_case,
/// SCREAMING, camelCase, PascalCase, kebab-case.
enum class Case { kSnake, kScreaming, kCamel, kPascal, kKebab };
std::string in_case(Case style, std::string_view words);

/// `text` with each place filled:
///
///     «hex 40» «HEX 8» «b64 86» «url64 22» «alnum 24» «lower 8» «digits 6» «base36 12» «uuid»
///     «word» «Word» «host» «user»         words that mean nothing
///     «snake» «SCREAM» «camel» «Pascal» «kebab» «plain»   one secret's name, the same in all of
///                                                         the text
std::string expand(std::string_view text, std::string_view name, Dice& dice);

}  // namespace codexmem::privacy::testing
