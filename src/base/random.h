// base/random.h - digits that nobody can guess. Thread-safe.
#pragma once

#include <cstddef>
#include <string>

namespace codexmem {

/// `digits` lower-case hexadecimal digits, four random bits each, good for keys and tokens. Source:
/// getrandom(2). Ends the program where the system has none: a secret that can be guessed is worse.
std::string random_hex(std::size_t digits);

}  // namespace codexmem
