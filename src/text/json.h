// text/json.h - the only include of the JSON library. Include it in .cpp files only.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "text/ordered_object.h"

namespace codexmem {

/// JSON objects keep the order in which their keys were set, as in the contract's examples.
using Json = nlohmann::basic_json<OrderedObject>;

/// `value` on one line; ill-formed UTF-8 is replaced by U+FFFD, so it never throws.
std::string dump_json(const Json& value);

}  // namespace codexmem

// Instantiated once, in text/json.cpp: it is half the compile time of a file that uses JSON, and
// folders compiled for size would write JSON slowly.
extern template class nlohmann::basic_json<codexmem::OrderedObject>;
extern template class nlohmann::detail::serializer<codexmem::Json>;
