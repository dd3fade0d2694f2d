// base/random.h - random numbers that cannot be guessed. Thread-safe.
//
// They come from getrandom(2). The program ends when the system cannot provide them, because a
// secret that can be guessed is worse.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace codexmem {

void fill_random(std::span<std::byte> bytes);

/// `digits` random hexadecimal digits, in lower case.
std::string random_hex(std::size_t digits);

}  // namespace codexmem
