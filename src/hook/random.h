// hook/random.h - names that no other hook gives.
#pragma once

#include <string>

namespace codexmem::hook {

/// `digits` random hexadecimal digits, at most 16, from the system.
std::string random_hex(int digits);

}  // namespace codexmem::hook
