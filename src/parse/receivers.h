// parse/receivers.h - what languages add to terms whose lambdas are called on something (Kotlin).
//
// A kParameter of this number is `this` of a lambda whose place says that it has one; parts[1], if
// any, is what `this` is where the place says that it has none. A kOperator of one part whose name
// is a word is an argument that is given to the parameter of that name; one whose name is ":" is an
// argument that stands behind the others, for the last parameter.
#pragma once

#include <cstdint>

namespace codexmem::parse {

inline constexpr std::uint32_t kReceiverParameter = 0xFFFF;

}  // namespace codexmem::parse
