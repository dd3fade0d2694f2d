// base/random.h - random numbers that nobody can guess. Thread-safe.
//
// They are getrandom(2)'s. The program ends when the system has none: a secret that can be guessed
// is worse.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace codexmem {

void fill_random(std::span<std::byte> bytes);

/// `digits` random hexadecimal digits, in lower case.
std::string random_hex(std::size_t digits);

}  // namespace codexmem
