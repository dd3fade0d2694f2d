// privacy/secret_names.h - whether a name is a secret's. Pure and thread-safe.
#pragma once

#include <cstddef>
#include <string_view>

#include "privacy/secret_values.h"

namespace codexmem::privacy {

/// Judges the name that a value is assigned to, such as "db_password": kNone when a value assigned
/// to it may be a secret. `keyword_begin` and `keyword_end` are where the word is that says so.
Allowed judge_name(std::string_view name, std::size_t keyword_begin, std::size_t keyword_end);

}  // namespace codexmem::privacy
