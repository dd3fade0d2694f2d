// parse/walk/receivers.h - terms for languages whose lambdas have a receiver (Kotlin).
//
// A kParameter with this number is `this` of a lambda whose place gives it a receiver; parts[1], if
// present, is `this` if the place gives none. A kOperator with one part and a word as its name is
// an argument for the parameter of that name; with the name ":" it is an argument after the others,
// for the last parameter.
#pragma once

#include <cstdint>

namespace codexmem::parse {

inline constexpr std::uint32_t kReceiverParameter = 0xFFFF;

}  // namespace codexmem::parse
