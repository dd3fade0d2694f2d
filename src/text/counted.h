// text/counted.h - numbers formatted for sentences. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace codexmem {

/// 1234567 as "1,234,567".
std::string with_thousands(long long number);

/// "1 file", "2,000 files"; for a word whose plural needs more than an s, pass the plural as
/// `many`.
std::string counted(std::size_t number, std::string_view one, std::string_view many = {});

}  // namespace codexmem
